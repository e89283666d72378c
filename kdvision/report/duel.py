"""The sheet of a Kingdomino Duel map, as text or JSON."""

import json
from typing import Any

from kdvision.report.text import plain_table
from kdvision.rules.duel import (
    COLUMNS,
    ROWS,
    WIZARD_POINTS,
    Coat,
    DuelMap,
    DuelSheet,
    duel_problems,
    score_duel,
)
from kdvision.rules.kingdom import position_names
from kdvision.rules.legality import verdict
from kdvision.sentences import text_of

#: Names the form of the JSON; it changes when a field changes its meaning.
SCHEMA = "kdscore-duel/1"


def duel_report(text: str, *, wizard_coat: str | None = None, as_json: bool = False) -> str:
    """Score a Duel map that is written as text.

    Args:
        text: A map line, or five lines; see `kdvision.rules.duel`.
        wizard_coat: The coat that the fifth power pays for, by name or letter; None for no power.
        as_json: One line of JSON instead of a sheet.

    Raises:
        RulesError: The text is no map, or no coat is called so.
    """
    coat = None if wizard_coat is None else Coat.named(wizard_coat)
    sheet = score_duel(DuelMap.parse(text), coat)
    return json.dumps(_object(sheet)) if as_json else _text(sheet)


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
        (
            domain.coat.value,
            domain.spaces,
            domain.crosses,
            domain.points,
            position_names(domain.cells),
        )
        for domain in sheet.domains
    )
    numbers = ("Spaces", "Crosses", "Points")
    return plain_table(("Coat", *numbers, "Where"), rows, numbers) + "\n"


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
