"""Results as JSON (`kdscore/1`), and back.

One object per photo, on one line. `from_json` rebuilds a result that makes the same report;
probabilities are rounded to six digits and pixels to two.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from kdvision.errors import UsageError
from kdvision.reading import Alternative, Doubt, DoubtCode, ReadDomino
from kdvision.report.wording import corrections
from kdvision.result import KingdomResult, PhotoResult, ReadSquare, Status
from kdvision.rules.kingdom import CASTLE, Kingdom, NotationError, Position, cell_text, parse_cell
from kdvision.rules.problem import Code, Problem, Severity, verdict
from kdvision.rules.scoring import Bonus, Centre, ScoreSheet, score
from kdvision.rules.terrain import Square, Terrain
from kdvision.sentences import catalogue

#: Names the form; it changes when a field changes its meaning.
SCHEMA = "kdscore/1"
_NOTHING, _CASTLE = "empty", "castle"

Json = dict[str, Any]


def to_json(result: PhotoResult) -> str:
    """The object of one photo, on one line and in ASCII."""
    return json.dumps(to_object(result))


def to_object(result: PhotoResult) -> Json:
    """The object of one photo, as dictionaries and lists."""
    return {
        "schema": SCHEMA,
        "photo": result.photo,
        "photo_size": list(result.size),
        "status": result.status.value,
        "message": result.message,
        "kingdoms": [_kingdom(kingdom) for kingdom in result.kingdoms],
    }


def from_json(text: str) -> list[PhotoResult]:
    """Rebuild results from their objects, one after the other, on a line each or not.

    Raises:
        UsageError: The text is not of this form.
    """
    if not isinstance(text, str):
        raise _wrong(f"it is {type(text).__name__}, and no text")
    decoder = json.JSONDecoder()
    results, at = [], 0
    text = text.strip()
    while at < len(text):
        try:
            data, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise _wrong(f"it is no JSON ({error})") from None
        results.append(from_object(data))
        at += len(text[at:]) - len(text[at:].lstrip())
    return results


def from_object(data: Any) -> PhotoResult:
    """Rebuild a result from dictionaries and lists.

    Raises:
        UsageError: They are not of this form.
    """
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise _wrong(f'its "schema" is not "{SCHEMA}"')
    try:
        width, height = data.get("photo_size", (0, 0))
        return PhotoResult(
            str(data["photo"]),
            Status(data["status"]),
            str(data["message"]),
            tuple(_read_kingdom(kingdom) for kingdom in data["kingdoms"]),
            (int(width), int(height)),
        )
    except KeyError as error:
        raise _wrong(f"{error.args[0]!r} is missing or unknown") from None
    except (NotationError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise _wrong(str(error).rstrip(".")) from None


def _wrong(reason: str) -> UsageError:
    shown = "".join(letter for letter in reason if letter.isprintable())[:200]
    return UsageError(
        f"This is no result of kdscore: {shown}.", "Give one line that kdscore --json printed."
    )


# ---------------------------------------------------------------------- writing


def _kingdom(result: KingdomResult) -> Json:
    sheet = result.sheet
    return {
        "kingdom": str(sheet.kingdom),
        "score": sheet.total,
        "scored": result.scored,
        "status": result.status.value,
        "probability": round(result.probability, 6),
        "alternatives": [_alternative(one) for one in result.alternatives],
        "size": sheet.size,
        "corners": [_point(corner) for corner in result.corners],
        "origin": list(result.origin),
        "squares": [
            {
                **_cell(square.at, square.text),
                "probability": round(square.probability, 6),
                "center": square.center and _point(square.center),
                "others": list(square.others),
            }
            for square in result.squares
        ],
        "territories": [
            {
                "terrain": territory.terrain.value,
                "squares": territory.squares,
                "crowns": territory.crowns,
                "points": territory.points,
                "cells": [list(at) for at in territory.cells],
            }
            for territory in sheet.territories
        ],
        "bonuses": {
            "harmony": _bonus(sheet.harmony),
            "middle_kingdom": {**_bonus(sheet.middle_kingdom), **_centre(sheet)},
        },
        "legal": verdict(result.problems),
        "problems": [
            {
                "code": problem.code.value,
                "severity": problem.severity.value,
                "message": problem.message,
                "cells": [list(at) for at in problem.cells],
            }
            for problem in result.problems
        ],
        "dominoes": [_domino(one) for one in result.dominoes],
        "warnings": [warning.message for warning in result.warnings],
        "warning_codes": [warning.code.value for warning in result.warnings],
        "seen": result.seen,
        "corrections": corrections(result),
    }


def _domino(domino: ReadDomino) -> Json:
    return {
        "cells": [list(at) for at in domino.cells],
        "numbers": list(domino.numbers),
        "probability": round(domino.probability, 6),
        "broken": round(domino.broken, 6),
    }


def _alternative(alternative: Alternative) -> Json:
    return {
        "score": alternative.score,
        "probability": round(alternative.probability, 6),
        "squares": [_cell(at, text) for at, text in alternative.squares],
    }


def _cell(at: Position, text: str) -> Json:
    cell = parse_cell(text)
    terrain = _CASTLE if cell is CASTLE else _NOTHING
    if isinstance(cell, Square):
        terrain = cell.terrain.value
    crowns = cell.crowns if isinstance(cell, Square) else 0
    return {"row": at[0], "col": at[1], "terrain": terrain, "crowns": crowns}


def _centre(sheet: ScoreSheet) -> Json:
    """What the castle must be the centre of, where that is not the kingdom's own box."""
    return {} if sheet.centre == Centre.BOX else {"centre": sheet.centre.value}


def _bonus(bonus: Bonus) -> Json:
    """`points` is what the bonus adds to the score, `worth` what it pays where it is in play."""
    return {
        "earned": bonus.earned,
        "points": bonus.counted_points,
        "worth": bonus.points,
        "counted": bonus.counted,
        "note": bonus.note,
    }


def _point(point: tuple[float, float]) -> list[float]:
    return [round(float(value), 2) for value in point]


# ---------------------------------------------------------------------- reading


def _read_warnings(data: Mapping[str, Any]) -> Iterator[Doubt]:
    """The warnings; with their codes where their sentences are those of the codes."""
    sentences = data.get("warnings", ())
    codes = data.get("warning_codes") or [DoubtCode.SENTENCE] * len(sentences)
    for sentence, code in zip(sentences, codes, strict=True):
        if code in iter(DoubtCode) and catalogue()[f"doubt.{code}"] == sentence:
            yield Doubt(DoubtCode(code))
        else:
            yield Doubt(DoubtCode.SENTENCE, fields={"sentence": str(sentence)})


def _read_kingdom(data: Mapping[str, Any]) -> KingdomResult:
    bonuses = data["bonuses"]
    size = data["size"]
    if size not in (5, 7):
        raise ValueError(f"the size is {size!r}, not 5 or 7")
    sheet = score(
        Kingdom.parse(data["kingdom"]),
        size,
        harmony=bonuses["harmony"]["counted"] is True,
        middle_kingdom=bonuses["middle_kingdom"]["counted"] is True,
        centre=Centre(bonuses["middle_kingdom"].get("centre", Centre.BOX)),
    )
    return KingdomResult(
        sheet,
        Status(data["status"]),
        _read_probability(data["probability"]),
        tuple(_read_square(square) for square in data["squares"]),
        tuple(_read_point(corner) for corner in data["corners"]),
        tuple(_read_alternative(one) for one in data["alternatives"]),
        tuple(_read_warnings(data)),
        None if data.get("seen") is None else str(Kingdom.parse(data["seen"])),
        tuple(_read_problem(problem) for problem in data["problems"]),
        data.get("scored", True) is True,
        _read_origin(data.get("origin", (0, 0))),
        tuple(_read_domino(one) for one in data.get("dominoes", ())),
    )


def _read_origin(data: Any) -> Position:
    row, col = data
    return int(row), int(col)


def _read_square(data: Mapping[str, Any]) -> ReadSquare:
    at, text = _read_cell(data)
    center = None if data["center"] is None else _read_point(data["center"])
    others = tuple(cell_text(parse_cell(other)) for other in data.get("others", ()))
    return ReadSquare(at, text, _read_probability(data["probability"]), center, others)


def _read_domino(data: Mapping[str, Any]) -> ReadDomino:
    one, other = ((int(row), int(col)) for row, col in data["cells"])
    return ReadDomino(
        (one, other),
        tuple(int(number) for number in data["numbers"]),
        _read_probability(data["probability"]),
        _read_probability(data.get("broken", 0.0)),
    )


def _read_alternative(data: Mapping[str, Any]) -> Alternative:
    return Alternative(
        int(data["score"]),
        _read_probability(data["probability"]),
        tuple(_read_cell(square) for square in data["squares"]),
    )


def _read_cell(data: Mapping[str, Any]) -> tuple[Position, str]:
    at = int(data["row"]), int(data["col"])
    terrain, crowns = data["terrain"], int(data["crowns"])
    if terrain == _CASTLE:
        return at, str(CASTLE)
    if terrain == _NOTHING:
        return at, cell_text(None)
    return at, cell_text(parse_cell(str(Square(Terrain(terrain), crowns))))


def _read_problem(data: Mapping[str, Any]) -> Problem:
    return Problem(
        Code(data["code"]),
        Severity(data["severity"]),
        str(data["message"]),
        tuple((int(row), int(col)) for row, col in data["cells"]),
    )


def _read_probability(value: Any) -> float:
    if not 0 <= value <= 1:
        raise ValueError(f"{value!r} is no probability")
    return float(value)


def _read_point(data: Any) -> tuple[float, float]:
    x, y = data
    return float(x), float(y)
