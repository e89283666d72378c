"""The sheet of a Kingdomino Duel map, as text."""

from kdvision.report.text import plain_table
from kdvision.rules.duel import Coat, DuelMap, DuelSheet, duel_problems, score_duel
from kdvision.rules.duel.map import COLUMNS, ROWS
from kdvision.rules.duel.powers import WIZARD_POINTS
from kdvision.rules.kingdom import position_names
from kdvision.sentences import text_of


def duel_report(text: str, *, wizard_coat: str | None = None) -> str:
    """Score a Duel map that is written as text.

    Args:
        text: A map line, or five lines; see `kdvision.rules.duel`.
        wizard_coat: The coat that the fifth power pays for, by name or letter; None for no power.

    Raises:
        RulesError: The text is no map, or no coat is called so.
    """
    coat = None if wizard_coat is None else Coat.named(wizard_coat)
    sheet = score_duel(DuelMap.parse(text), coat)
    problems = duel_problems(sheet.map)
    parts = [_draw_map(sheet.map)]
    if sheet.domains:
        parts.append(_domain_table(sheet))
    coat = sheet.wizard_coat
    if coat is not None:
        parts.append(
            f"Fifth power: {WIZARD_POINTS} for each domain of {coat.value}: {sheet.wizard_points}"
        )
    parts.append(f"Total: {sheet.total}")
    parts.extend(f"{problem.severity.capitalize()}: {text_of(problem)}" for problem in problems)
    return "\n".join(parts)


def _draw_map(duel_map: DuelMap) -> str:
    """The map with its column letters and row numbers."""
    cells = [line.split() for line in str(duel_map).split("/")]
    head = "   " + " ".join(f"{chr(ord('a') + col):<2}" for col in range(COLUMNS))
    lines = []
    for row in range(ROWS):
        texts = " ".join(f"{cell:<2}" for cell in cells[row])
        lines.append(f"{row + 1}  {texts}")
    return "\n".join(line.rstrip() for line in (head, *lines)) + "\n"


def _domain_table(sheet: DuelSheet) -> str:
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
