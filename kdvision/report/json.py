"""Results as JSON (`kdscore/1`), one object per photo, and back.

The records are written as they are: `PhotoResult` is the form, and the schema comes from it.
"""

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from kdvision.decoding.cutting_posterior import cutting_posterior, keep_domino_problems
from kdvision.errors import UsageError
from kdvision.reading import Doubt, DoubtCode
from kdvision.result import SCHEMA, KingdomResult, PhotoResult, Status, check_result
from kdvision.rules.kingdom import Kingdom, parse_cell
from kdvision.rules.legality import Code, Problem, Severity, problems
from kdvision.rules.rules import DEFAULT_RULES, Centre, Rules
from kdvision.rules.scoring import BONUS_CODES, ScoreSheet, score, territories
from kdvision.rules.terrain import EMPTY_MARK
from kdvision.sentences import text_of

#: probability that the total of a typed kingdom is right where no box can hold the kingdom: nobody
#: knows.
_UNKNOWN = 0.5


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the object of one photo."""
    _, parts = msgspec.json.schema_components([PhotoResult], ref_template="#/$defs/{name}")
    form = {**parts.pop(PhotoResult.__name__), "title": SCHEMA, "$defs": parts}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **form}


def to_json(result: PhotoResult) -> str:
    """Return the object of one photo, on one line and in ASCII.

    Raises:
        UsageError: It is no result.
    """
    return json.dumps(msgspec.to_builtins(check_result(result)))


def from_json(text: str, rules: Rules = DEFAULT_RULES) -> list[PhotoResult]:
    """Read results from their objects, and score again what a person edited.

    A kingdom of which the line was edited counts as typed.

    Args:
        text: What `to_json` gave.
        rules: Further rules: a size other than None counts, and a bonus is in play where these
            or the object say so.

    Raises:
        UsageError: The text is not of this form.
    """
    if not isinstance(text, str):
        raise _form_error(f"it is {type(text).__name__}, and no text")
    try:
        photos = [msgspec.convert(item, PhotoResult) for item in _split_objects(text)]
        results = []
        for photo in photos:
            result = _rescore(photo, rules)
            _check_sentences(result)
            results.append(result)
    except KeyError as error:
        raise _form_error(f"a sentence lacks {error}") from None
    except (ValueError, RecursionError) as error:
        raise _form_error(str(error).rstrip(".")) from None
    return results


def _split_objects(text: str) -> Iterator[Any]:
    """Yield JSON values that stand one after the other, on a line each or not."""
    decoder = json.JSONDecoder()
    rest = text.strip()
    while rest:
        value, end = decoder.raw_decode(rest)
        yield value
        rest = rest[end:].strip()


def _check_sentences(result: PhotoResult) -> None:
    """Render what reports will say: a KeyError where a sentence or its fields are unknown."""
    for kingdom in result.kingdoms:
        for problem in kingdom.problems:
            text_of(problem)
        for doubt in kingdom.doubts:
            doubt.text()
    for note in result.left_out:
        note.text()


def _form_error(reason: str) -> UsageError:
    """Return the error for a text that is not of the form."""
    plain = "".join(filter(str.isprintable, reason))[:200]
    return UsageError(
        f"This is no result of kdscore: {plain}.", "Give one line that kdscore --json printed."
    )


# ---------------------------------------------------------------------- scored again


def typed_kingdom(sheet: ScoreSheet, rules: Rules) -> KingdomResult:
    """Return the result of a kingdom that was typed, doubtful where no box can hold it."""
    kingdom = sheet.kingdom
    broken = problems(kingdom, rules.size)
    status, probability = Status.SURE, 1.0
    doubts: tuple[Doubt, ...] = ()
    if any(map(_is_misread, broken)):
        status, probability = Status.DOUBTFUL, _UNKNOWN
        doubts = (Doubt(DoubtCode.NOT_OF_THE_BOX),)
    return KingdomResult.of_sheet(
        sheet,
        broken,
        status=status,
        probability=probability,
        doubts=doubts,
        dominoes=cutting_posterior(kingdom).dominoes,
    )


def _is_misread(problem: Problem) -> bool:
    """Return whether a problem says that no box can hold a kingdom."""
    of_no_box = (Code.UNKNOWN_SQUARE, Code.TOO_MANY_OF_A_KIND)
    return problem.severity is Severity.MISREAD or problem.code in of_no_box


def _rescore(result: PhotoResult, rules: Rules) -> PhotoResult:
    """Score kingdoms again, where they or the rules are not as they were."""
    kingdoms = [_rescore_kingdom(kingdom, rules) for kingdom in result.kingdoms]
    if tuple(kingdoms) == result.kingdoms:
        return result
    rescored = PhotoResult.of_kingdoms("", kingdoms, left_out=result.left_out)
    return replace(
        result, status=rescored.status, reasons=rescored.reasons, kingdoms=rescored.kingdoms
    )


def _rescore_kingdom(before: KingdomResult, further: Rules) -> KingdomResult:
    """Score a kingdom again by further rules."""
    rules = _choose_rules(before, further)
    if _is_edited(before):
        return typed_kingdom(score(before.kingdom.trimmed(), rules), rules)
    sheet = score(before.kingdom, rules)
    if sheet == before.sheet and sheet.total == before.score:
        return before
    # The same kingdom by other rules, as sure as before; so are its other totals.
    cells = dict(before.kingdom.cells())
    alternatives = []
    for alternative in before.alternatives:
        changed = {at: parse_cell(text) for at, text in alternative.squares}
        total = score(Kingdom.of_cells(cells | changed), rules).total
        alternatives.append(replace(alternative, score=total))
    broken = problems(before.kingdom, rules.size, origin=before.origin)
    rescored = before.with_sheet(sheet, keep_domino_problems(broken, before.problems))
    return replace(rescored, alternatives=tuple(alternatives))


def _choose_rules(before: KingdomResult, rules: Rules) -> Rules:
    """Return the rules to score a result again; a size that was guessed is guessed again."""
    size, centre = rules.size, rules.centre
    is_guessed = Code.MIGHTY_DUEL_GUESSED in {problem.code for problem in before.problems}
    if size is None and not is_guessed:
        size = before.size
    if centre is Centre.BOX:
        centre = before.sheet.centre
    bonuses = {code: getattr(rules, code) for code in BONUS_CODES}
    for bonus in before.bonuses:
        bonuses[bonus.code] = bonuses[bonus.code] or bonus.counted
    return dataclasses.replace(rules, size=size, centre=centre, **bonuses)


def _is_edited(before: KingdomResult) -> bool:
    """Return whether a person wrote another line than the one that was scored.

    Raises:
        ValueError: It is empty, or squares were changed instead of the line.
    """
    written = {at: cell for at, cell in before.kingdom.cells() if cell is not None}
    if not written:
        raise ValueError("a kingdom has only empty places")
    if territories(before.kingdom) != before.territories:
        return True
    read = {}
    for square in before.squares:
        if square.text != EMPTY_MARK:
            read[square.at] = parse_cell(square.text)
    if before.squares and read != written:
        raise ValueError("its squares are not those of its line; change the line instead")
    return False
