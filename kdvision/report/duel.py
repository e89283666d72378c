"""The sheet of a Kingdomino Duel map, as text and as JSON."""

import json
from typing import Self

import msgspec
from msgspec import Struct

from kdvision.report.text import plain_table
from kdvision.result import Status
from kdvision.rules.duel import Coat, DuelMap, DuelSheet, duel_problems, score_duel
from kdvision.rules.duel.map import COLUMNS, ROWS
from kdvision.rules.duel.powers import WIZARD_POINTS
from kdvision.rules.duel.scoring import Domain
from kdvision.rules.kingdom import column_name, position_names
from kdvision.rules.legality import Problem, Severity, keeps_rules
from kdvision.sentences import ENGLISH, sentence, text_of

#: Names the form of the JSON; it changes when a field changes its meaning.
DUEL_SCHEMA = "kdscore-duel/1"


class DuelResult(Struct, frozen=True, tag_field="schema", tag=DUEL_SCHEMA):
    """A map, scored. The JSON has these fields.

    Attributes:
        map: The map line.
        score: The total.
        status: Doubtful where no game can have such a map: it was misread or mistyped.
        domains: Most points first.
        wizard_coat: The coat of the fifth power; None where the player does not have that power.
        wizard_points: What that power pays.
        legal: Whether the map keeps the rules; None where it cannot be known.
        problems: What it breaks.
    """

    map: str
    score: int
    status: Status
    domains: tuple[Domain, ...]
    wizard_coat: Coat | None
    wizard_points: int
    legal: bool | None
    problems: tuple[Problem, ...]

    @classmethod
    def of(cls, sheet: DuelSheet) -> Self:
        """Judge the map of a sheet, and keep what there is to say."""
        problems = duel_problems(sheet.map)
        is_misread = Severity.MISREAD in {problem.severity for problem in problems}
        return cls(
            map=str(sheet.map),
            score=sheet.total,
            status=Status.DOUBTFUL if is_misread else Status.SURE,
            domains=sheet.domains,
            wizard_coat=sheet.wizard_coat,
            wizard_points=sheet.wizard_points,
            legal=keeps_rules(problems),
            problems=problems,
        )


def read_duel(text: str, *, wizard_coat: str | None = None) -> DuelResult:
    """Score a Duel map that is written as text.

    Args:
        text: A map line, or five lines; see `kdvision.rules.duel.map`.
        wizard_coat: The coat that the fifth power pays for, by name or letter; None for no power.

    Raises:
        RulesError: The text is no map, or no coat is called so.
    """
    coat = None if wizard_coat is None else Coat.named(wizard_coat)
    return DuelResult.of(score_duel(DuelMap.parse(text), coat))


def duel_json(result: DuelResult) -> str:
    """Return a result as JSON, on one line and in ASCII."""
    return json.dumps(msgspec.to_builtins(result))


def duel_report(result: DuelResult, language: str = ENGLISH) -> str:
    """Return the sheet of a map: the map, its domains, the total, and what it breaks."""
    parts = [_draw_map(result.map)]
    if result.domains:
        parts.append(_domain_table(result, language))
    coat = result.wizard_coat
    if coat is not None:
        fields = {"each": WIZARD_POINTS, "coat": _coat_key(coat), "points": result.wizard_points}
        parts.append(sentence("duel.fifth-power", language, **fields))
    parts.append(sentence("duel.total", language, total=result.score))
    for problem in result.problems:
        text = text_of(problem, language)
        parts.append(sentence(f"severity.{problem.severity}", language, problem=text))
    return "\n".join(parts)


def _draw_map(line: str) -> str:
    """Return a map line as five rows, with column letters and row numbers."""
    rows = [row.split() for row in line.split("/")]
    columns = list(map(column_name, range(COLUMNS)))
    lines = [_pad(" ", columns)]
    for number in range(1, ROWS + 1):
        lines.append(_pad(str(number), rows[number - 1]))
    return "\n".join(lines) + "\n"


def _pad(head: str, words: list[str]) -> str:
    """Return a line of columns that are two letters wide."""
    columns = " ".join(f"{word:<2}" for word in words)
    return f"{head}  {columns}".rstrip()


def _domain_table(result: DuelResult, language: str) -> str:
    """Return the table of the domains."""
    rows = []
    for domain in result.domains:
        coat = sentence(_coat_key(domain.coat), language)
        where = position_names(domain.cells)
        rows.append((coat, domain.spaces, domain.crosses, domain.points, where))
    names = ("coat", "spaces", "crosses", "points", "where")
    headings = [sentence(f"duel.head.{name}", language) for name in names]
    return plain_table(headings, rows, headings[1:-1]) + "\n"


def _coat_key(coat: Coat) -> str:
    """Return the key of the sentence that names a coat."""
    return f"coat.{coat.replace(' ', '-')}"
