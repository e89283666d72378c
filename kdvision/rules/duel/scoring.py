"""What a map of Kingdomino Duel is worth, and who has won (RULES 7.2, 7.3, 7.5).

>>> rows = ["- - - - - - -", "- - D1 D - - -", "- - - C S - -"] + ["- - - - - - -"] * 2
>>> sheet = score_duel(DuelMap.parse("/".join(rows)), wizard_coat=Coat.STRIPE)
>>> [(domain.coat.value, domain.points) for domain in sheet.domains], sheet.total
([('dot', 2), ('stripe', 0)], 5)
"""

from dataclasses import dataclass
from enum import StrEnum

from kdvision.rules.duel.map import COAT_OF, Coat, DuelMap
from kdvision.rules.duel.powers import WIZARD_POINTS
from kdvision.rules.errors import check_type
from kdvision.rules.kingdom import Position
from kdvision.rules.scoring import territories


@dataclass(frozen=True, slots=True)
class Domain:
    """Spaces of one coat joined by edges (RULES 7.2).

    Attributes:
        coat: Their coat of arms.
        spaces: How many they are.
        crosses: The crosses on them together.
        points: Spaces times crosses.
        cells: Where they are, (row, col).
    """

    coat: Coat
    spaces: int
    crosses: int
    points: int
    cells: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class DuelSheet:
    """Everything that is counted on one map.

    Attributes:
        map: The map.
        domains: Its domains, most points first.
        wizard_coat: The coat of the fifth power, which the map does not show (RULES 7.3); None
            where the player does not have that power.
    """

    map: DuelMap
    domains: tuple[Domain, ...]
    wizard_coat: Coat | None = None

    @property
    def wizard_points(self) -> int:
        """Three points for each separate domain of the wizard's coat, crosses or not."""
        coats = [domain.coat for domain in self.domains]
        return WIZARD_POINTS * coats.count(self.wizard_coat) if self.wizard_coat else 0

    @property
    def total(self) -> int:
        """The sum of the domains and of the fifth power."""
        return sum(domain.points for domain in self.domains) + self.wizard_points

    @property
    def largest(self) -> int:
        """The spaces of the largest domain, crosses or not; 0 on an empty map."""
        return max((domain.spaces for domain in self.domains), default=0)


def score_duel(duel_map: DuelMap | str, wizard_coat: Coat | None = None) -> DuelSheet:
    """Count a map or its line, legal or not (RULES 7.2, 7.3).

    Raises:
        NotationError: The text is no map line.
        RulesError: `wizard_coat` is no coat of arms.
    """
    check_type(wizard_coat, Coat | None, "coat of arms; give such as Coat.DOT")
    duel_map = DuelMap.of(duel_map)
    return DuelSheet(duel_map, domains(duel_map), wizard_coat)


def domains(duel_map: DuelMap) -> tuple[Domain, ...]:
    """Return the domains: most points first, then most spaces, then reading order."""
    found = []
    for region in territories(duel_map.as_kingdom()):
        domain = Domain(
            coat=COAT_OF[region.terrain],
            spaces=region.squares,
            crosses=region.crowns,
            points=region.points,
            cells=region.cells,
        )
        found.append(domain)
    return tuple(found)


class DuelEnd(StrEnum):
    """What decided a game (RULES 7.5)."""

    POINTS = "points"
    LARGEST = "largest domain"
    DRAW = "draw"


def decide(sheet: DuelSheet, rival: DuelSheet) -> tuple[int | None, DuelEnd]:
    """Return who won, 0 or 1, and by what; None for a draw (RULES 7.5)."""
    if sheet.total != rival.total:
        return (0 if sheet.total > rival.total else 1), DuelEnd.POINTS
    if sheet.largest != rival.largest:
        return (0 if sheet.largest > rival.largest else 1), DuelEnd.LARGEST
    return None, DuelEnd.DRAW
