"""Territories and bonuses: a kingdom becomes a score sheet (RULES 2 and 3)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kdvision.rules.kingdom import Kingdom, Position, connected_components
from kdvision.rules.notebook import table_html
from kdvision.rules.rules import DEFAULT_RULES, MAX_SQUARES, Centre, Rules, check_rules, check_size
from kdvision.rules.terrain import Terrain


@dataclass(frozen=True, slots=True)
class Territory:
    """Squares of one terrain joined by edges (RULES 2.1).

    Attributes:
        terrain: Their terrain.
        squares: How many they are.
        crowns: The crowns on them together.
        points: Squares times crowns (RULES 2.2).
        cells: Their places, (row, col), sorted.
    """

    terrain: Terrain
    squares: int
    crowns: int
    points: int
    cells: tuple[Position, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """A variant bonus: whether the kingdom earns it, and whether it is in play.

    Attributes:
        code: What options, columns and JSON call it.
        name: What people call it.
        earned: Whether the kingdom earns it.
        points: What it pays where it is earned.
        counted: Whether it is in play.
        key: The key of the sentence that says why it is earned or not.
        fields: What that sentence is filled with.
        centre: What the castle must be the centre of; None where the bonus does not ask for that.
    """

    code: str
    name: str
    earned: bool
    points: int
    counted: bool
    key: str
    fields: Mapping[str, int] = field(default_factory=dict, hash=False)
    centre: Centre | None = None

    @property
    def counted_points(self) -> int:
        """What the bonus adds to the total."""
        return self.points if self.earned and self.counted else 0


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """Everything that is counted in one kingdom.

    Attributes:
        kingdom: The kingdom.
        size: The size that it is judged by, 5 or 7.
        territories: Its territories, most points first.
        bonuses: The bonuses, in play or not.
        centre: What the castle must be the centre of for the Middle Kingdom.
    """

    kingdom: Kingdom
    size: int
    territories: tuple[Territory, ...]
    bonuses: tuple[Bonus, ...]
    centre: Centre = Centre.BOX

    def bonus(self, code: str) -> Bonus:
        """Return the bonus of a code, in play or not."""
        return next(bonus for bonus in self.bonuses if bonus.code == code)

    @property
    def total(self) -> int:
        """The sum of the territories and of the bonuses in play (RULES 2.2)."""
        total = 0
        for territory in self.territories:
            total += territory.points
        for bonus in self.bonuses:
            total += bonus.counted_points
        return total

    def _repr_html_(self) -> str:
        """Show the sheet in a notebook."""
        lines: list[tuple[object, ...]] = []
        for region in self.territories:
            sum_of = f"{region.squares} x {region.crowns}"
            lines.append((region.terrain.value, sum_of, region.points))
        for bonus in self.bonuses:
            if bonus.counted:
                lines.append((bonus.name, "", bonus.counted_points))
        lines.append(("Total", "", self.total))
        rows = [map("<td>{}</td>".format, line) for line in lines]
        return f"{self.kingdom.trimmed()._repr_html_()}{table_html(rows)}"


def score(kingdom: Kingdom | str, rules: Rules = DEFAULT_RULES) -> ScoreSheet:
    """Score a kingdom, legal or not.

    Args:
        kingdom: What lies on the table, or its kingdom line. Empty borders are ignored for the
            bonuses.
        rules: What the game is played by; without a size, by the `natural_size` of the kingdom.

    Raises:
        NotationError: The text is no kingdom line.
        RulesError: It is no kingdom, or `rules` are no `Rules`.

        >>> sheet = score("W1 W C L L1", Rules(middle_kingdom=True))
        >>> [(region.terrain.value, region.squares, region.crowns) for region in sheet.territories]
        [('wheat', 2, 1), ('lake', 2, 1)]
        >>> sheet.total
        14
    """
    kingdom = Kingdom.of(kingdom)
    check_rules(rules)
    size, box = choose_size(kingdom, rules.size), kingdom.trimmed()
    bonuses = (
        judge(box, size, rules.centre, getattr(rules, code)) for code, judge in _BONUSES.items()
    )
    return ScoreSheet(kingdom, size, territories(kingdom), tuple(bonuses), rules.centre)


def choose_size(kingdom: Kingdom, size: int | None) -> int:
    """Return the size that a kingdom is judged by: the one given, else its natural one.

    Raises:
        RulesError: The size is neither 5 nor 7.
    """
    if size is None:
        return natural_size(kingdom)
    check_size(size)
    return size


def natural_size(kingdom: Kingdom) -> int:
    """Return 5 where the kingdom fits into 5x5 and has at most 24 squares, else 7 (RULES 6)."""
    box = kingdom.trimmed()
    return 5 if max(box.height, box.width) <= 5 and len(box.squares()) <= MAX_SQUARES[5] else 7


def territories(kingdom: Kingdom) -> tuple[Territory, ...]:
    """Return the territories: most points first, then most squares, then reading order."""
    by_terrain: dict[Terrain, dict[Position, int]] = {}
    for at, square in kingdom.squares().items():
        by_terrain.setdefault(square.terrain, {})[at] = square.crowns
    regions = []
    for terrain, crowns in by_terrain.items():
        for cells in connected_components(crowns):
            # A territory is worth its squares times its crowns (RULES 2.2).
            squares, total = len(cells), sum(crowns[at] for at in cells)
            points, places = squares * total, tuple(sorted(cells))
            regions.append(Territory(terrain, squares, total, points, places))
    return tuple(
        sorted(regions, key=lambda region: (-region.points, -region.squares, region.cells))
    )


# ---------------------------------------------------------------------- bonuses


def _judge_harmony(box: Kingdom, size: int, _: Centre, counted: bool) -> Bonus:
    """Judge whether every place of the 5x5 (7x7) is filled (RULES 3.1)."""
    filled = len([at for at, cell in box.cells() if cell is not None])
    earned = box.height == box.width == size and filled == size * size
    side = max(box.height, box.width)
    key, fields = "note.harmony", {"filled": filled, "places": size * size, "size": size}
    if earned:
        key = "note.harmony.earned"
    elif side > size:
        key, fields = "note.harmony.wide", {"side": side, "size": size}
    return Bonus(
        code="harmony",
        name="Harmony",
        earned=earned,
        points=5,
        counted=counted,
        key=key,
        fields=fields,
    )


def _judge_middle(box: Kingdom, size: int, centre: Centre, counted: bool) -> Bonus:
    """Judge whether the castle is in the centre of the box, or of a frame around it (RULES 3.2)."""
    # Whether a castle is in the centre, by either way to understand the rule.
    castles, reach = box.castles(), size // 2
    in_box = in_frame = False
    for row, col in castles:
        if 2 * row + 1 == box.height and 2 * col + 1 == box.width:
            in_box = True
        if max(row, col, box.height - 1 - row, box.width - 1 - col) <= reach:
            in_frame = True
    earned = (in_frame if centre == Centre.FRAME else in_box) and bool(box.squares())
    # Why the bonus is earned, or is not.
    if not castles:
        why = "no-castle"
    elif not box.squares():
        why = "castle-alone"
    elif earned:
        why = "box" if in_box else "frame"
    else:
        why = "frame-would" if in_frame else "off-centre"
    return Bonus(
        code="middle_kingdom",
        name="Middle Kingdom",
        earned=earned,
        points=10,
        counted=counted,
        key=f"note.middle-kingdom.{why}",
        fields={"size": size},
        centre=centre,
    )


#: How each bonus is judged, by its code: from the kingdom cut to its box, the size, what the castle
#: must be the centre of, and whether the bonus is in play. Another bonus needs a function here, a
#: field of `Rules`, its words in `kdvision.options`, and its sentences in each catalogue.
_BONUSES: dict[str, Callable[[Kingdom, int, Centre, bool], Bonus]] = {
    "harmony": _judge_harmony,
    "middle_kingdom": _judge_middle,
}
BONUS_CODES = tuple(_BONUSES)
