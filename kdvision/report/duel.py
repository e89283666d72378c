"""The sheet of a Kingdomino Duel map, as text or JSON."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kdvision.errors import UsageError
from kdvision.report.text import csv_text, plain_table
from kdvision.rules.duel import (
    COLUMNS,
    ROWS,
    WIZARD_POINTS,
    Coat,
    DuelEnd,
    DuelMap,
    DuelSheet,
    decide,
    duel_problems,
    score_duel,
)
from kdvision.rules.errors import NotationError
from kdvision.rules.kingdom import position_names
from kdvision.rules.legality import verdict
from kdvision.sentences import sentence, text_of

#: Names the form of the JSON; it changes when a field changes its meaning.
SCHEMA = "kdscore-duel/1"
#: The same for two maps and who wins.
COMPARISON_SCHEMA = "kdscore-duel-comparison/1"
#: The columns of the CSV: `letter` is A or B of two maps, `wins` and `legal` are yes, no, or empty
#: where nobody wins, or where the map does not show it.
CSV_COLUMNS = (
    "letter",
    "score",
    "wins",
    "largest",
    "wizard_coat",
    "wizard_points",
    "legal",
    "problems",
    "map",
)


def duel_report(
    text: str,
    other: str | None = None,
    *,
    wizard_coat: str | None = None,
    as_json: bool = False,
    as_csv: bool = False,
) -> str:
    """Score a Duel map that is written as text, or compare two.

    Args:
        text: A map line, or five lines; see `kdvision.rules.duel`.
        other: The map of the other player; None for one map alone.
        wizard_coat: The coat that the fifth power pays for, by name or letter; of two maps with
            the letter of the one whose player has it: `A=dot`. None for no power.
        as_json: One line of JSON instead of a sheet.
        as_csv: A line of CSV for each map instead, with the headings `CSV_COLUMNS`.

    Raises:
        UsageError: A text is no map, or no coat is called so.
    """
    if other is None:
        sheet = _sheet(text, wizard_coat)
        if as_csv:
            return csv_text(CSV_COLUMNS, [_row(sheet)])
        return json.dumps(_object(sheet)) if as_json else _text(sheet)
    coats = _coats(wizard_coat)
    sheets = _sheet(text, coats["A"], "A: "), _sheet(other, coats["B"], "B: ")
    winner, end = decide(*sheets)
    if as_csv:
        wins = [None if winner is None else winner == index for index in range(2)]
        return csv_text(CSV_COLUMNS, map(_row, sheets, "AB", wins))
    if as_json:
        return json.dumps(
            {
                "schema": COMPARISON_SCHEMA,
                "maps": [_object(sheet) for sheet in sheets],
                "winner": None if winner is None else "AB"[winner],
                "decided_by": end.value,
            }
        )
    parts = [f"{name}\n{_text(sheet)}" for name, sheet in zip("AB", sheets, strict=True)]
    return "\n\n".join([*parts, _outcome(sheets, winner, end)])


def map_texts(words: Sequence[str]) -> tuple[str, ...]:
    """The maps that words of a command line give: one, or two.

    Two words are two maps where each can be one: a map line, or the name of a file.

    Raises:
        UsageError: They are more than two maps.
    """
    if len(words) > 2 and all(_is_whole_map(word) for word in words):
        raise UsageError(f"A Duel has two maps, not {len(words)}.", "Give one, or two to compare.")
    if len(words) == 2 and all(len(word.strip()) > 2 for word in words):
        return tuple(words)
    return (" ".join(words),)


def _is_whole_map(word: str) -> bool:
    """Whether a word is all rows of a map, or names a file."""
    return (word.count("/") >= ROWS - 1 and " " in word) or Path(word).is_file()


def _sheet(text: str, wizard_coat: str | None, name: str = "") -> DuelSheet:
    try:
        return score_duel(DuelMap.parse(text), _coat(wizard_coat))
    except NotationError as error:
        raise UsageError(f"{name}{error}") from None


def _outcome(sheets: tuple[DuelSheet, DuelSheet], winner: int | None, end: DuelEnd) -> str:
    """Who wins, and what decided it (RULES 7.5)."""
    won, lost = sheets if winner != 1 else sheets[::-1]
    how = "draw" if winner is None else "points" if end is DuelEnd.POINTS else "largest"
    return sentence(
        f"duel-end.{how}",
        winner="" if winner is None else "AB"[winner],
        points=won.total,
        lost=lost.total,
        spaces=won.largest,
        fewer=lost.largest,
    )


def _coats(given: str | None) -> dict[str, str | None]:
    """The coat of the fifth power for each of two maps; one player has it at most."""
    coats: dict[str, str | None] = {"A": None, "B": None}
    if given is not None:
        name, equals, coat = given.partition("=")
        if not equals or name.strip().upper() not in coats:
            raise UsageError(
                f"{given[:40]!r} does not say whose fifth power it is.",
                "Write A=dot for the first map, or B=dot for the second.",
            )
        coats[name.strip().upper()] = coat
    return coats


def _coat(name: str | None) -> Coat | None:
    return None if name is None else Coat.named(name)


def _text(sheet: DuelSheet) -> str:
    problems = duel_problems(sheet.map)
    parts = [_map(sheet.map)]
    if sheet.domains:
        parts.append(_domains(sheet))
    coat = sheet.wizard_coat
    if coat is not None:
        parts.append(
            f"Fifth power: {WIZARD_POINTS} for each domain of {coat.value}: {sheet.wizard_points}"
        )
    parts.append(f"Total: {sheet.total}")
    parts.extend(f"{problem.severity.capitalize()}: {text_of(problem)}" for problem in problems)
    return "\n".join(parts)


def _map(duel_map: DuelMap) -> str:
    """The map with its column letters and row numbers."""
    cells = [line.split() for line in str(duel_map).split("/")]
    head = "   " + " ".join(f"{chr(ord('a') + col):<2}" for col in range(COLUMNS))
    lines = [f"{row + 1}  " + " ".join(f"{cell:<2}" for cell in cells[row]) for row in range(ROWS)]
    return "\n".join(line.rstrip() for line in (head, *lines)) + "\n"


def _domains(sheet: DuelSheet) -> str:
    rows = (
        (one.coat.value, one.spaces, one.crosses, one.points, position_names(one.cells))
        for one in sheet.domains
    )
    numbers = ("Spaces", "Crosses", "Points")
    return plain_table(("Coat", *numbers, "Where"), rows, numbers) + "\n"


def _row(sheet: DuelSheet, letter: str = "", wins: bool | None = None) -> dict[str, object]:
    """One map by the columns of the CSV: its object, with one text in the place of a list."""
    found = _object(sheet)
    wizard = {f"wizard_{name}": value for name, value in (found["wizard"] or {}).items()}
    said = " ".join(problem["message"] for problem in found["problems"])
    return {**found, **wizard, "problems": said, "letter": letter, "wins": wins}


def _object(sheet: DuelSheet) -> dict[str, Any]:
    """One map; cells are `[row, column]` from the top left, counted from 0."""
    coat, problems = sheet.wizard_coat, duel_problems(sheet.map)
    return {
        "schema": SCHEMA,
        "map": str(sheet.map),
        "score": sheet.total,
        "domains": [
            {
                "coat": domain.coat.value,
                "spaces": domain.spaces,
                "crosses": domain.crosses,
                "points": domain.points,
                "cells": [list(at) for at in domain.cells],
            }
            for domain in sheet.domains
        ],
        "largest": sheet.largest,
        "wizard": coat and {"coat": coat.value, "points": sheet.wizard_points},
        "legal": verdict(problems),
        "problems": [
            {
                "code": problem.code.value,
                "severity": problem.severity.value,
                "message": text_of(problem),
                "cells": [list(at) for at in problem.cells],
            }
            for problem in problems
        ],
    }
