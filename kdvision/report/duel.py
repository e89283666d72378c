"""The sheet of a Kingdomino Duel map, as text or JSON."""

import json

from kdvision.errors import UsageError
from kdvision.report.text.table import plain_table
from kdvision.rules.duel.legality import duel_problems
from kdvision.rules.duel.map import (
    COLUMNS,
    ROWS,
    WIZARD_POINTS,
    Coat,
    DuelMap,
    DuelSheet,
    score_duel,
)
from kdvision.rules.kingdom import NotationError, position_names
from kdvision.rules.problem import Problem, Severity

#: Names the form of the JSON; it changes when a field changes its meaning.
SCHEMA = "kdscore-duel/1"


def duel_report(text: str, *, wizard_coat: str | None = None, as_json: bool = False) -> str:
    """Score a Duel map that is written as text.

    Args:
        text: A map line, or five lines; see `kdvision.rules.duel.map`.
        wizard_coat: The coat that the fifth power pays for, by name or letter; None for no power.
        as_json: One line of JSON instead of a sheet.

    Raises:
        UsageError: The text is no map, or no coat is called so.
    """
    try:
        duel_map = DuelMap.parse(text)
    except NotationError as error:
        raise UsageError(str(error)) from None
    sheet = score_duel(duel_map, _coat(wizard_coat))
    problems = duel_problems(duel_map)
    return _json(sheet, problems) if as_json else _text(sheet, problems)


def _coat(name: str | None) -> Coat | None:
    if name is None:
        return None
    try:
        return Coat.named(name)
    except KeyError:
        known = ", ".join(f"{coat.value} ({coat.letter})" for coat in Coat)
        raise UsageError(f"{name[:40]!r} is no coat of arms.", f"Write one of {known}.") from None


def _text(sheet: DuelSheet, problems: tuple[Problem, ...]) -> str:
    parts = [_map(sheet.map)]
    if sheet.domains:
        parts.append(_domains(sheet))
    coat = sheet.wizard_coat
    if coat is not None:
        parts.append(
            f"Fifth power: {WIZARD_POINTS} for each domain of {coat.value}: {sheet.wizard_points}"
        )
    parts.append(f"Total: {sheet.total}")
    parts.extend(f"{problem.severity.capitalize()}: {problem.message}" for problem in problems)
    return "\n".join(parts)


def _map(duel_map: DuelMap) -> str:
    """The map with its column letters and row numbers."""
    cells = [line.split() for line in str(duel_map).split("/")]
    head = "   " + " ".join(f"{chr(ord('a') + col):<2}" for col in range(COLUMNS))
    lines = [f"{row + 1}  " + " ".join(f"{cell:<2}" for cell in cells[row]) for row in range(ROWS)]
    return "\n".join(line.rstrip() for line in (head, *lines)) + "\n"


def _domains(sheet: DuelSheet) -> str:
    return (
        plain_table(
            ("Coat", "Spaces", "Crosses", "Points", "Where"),
            (
                (
                    domain.coat.value,
                    domain.spaces,
                    domain.crosses,
                    domain.points,
                    position_names(domain.cells),
                )
                for domain in sheet.domains
            ),
            numbers=("Spaces", "Crosses", "Points"),
        )
        + "\n"
    )


def _json(sheet: DuelSheet, problems: tuple[Problem, ...]) -> str:
    """One line; cells are `[row, column]` from the top left, counted from 0."""
    coat = sheet.wizard_coat
    return json.dumps(
        {
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
            "legal": all(problem.severity is Severity.WARNING for problem in problems),
            "problems": [
                {
                    "code": problem.code.value,
                    "severity": problem.severity.value,
                    "message": problem.message,
                    "cells": [list(at) for at in problem.cells],
                }
                for problem in problems
            ],
        }
    )
