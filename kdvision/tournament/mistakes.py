"""The single mistakes that lead from a kingdom to a wrong total.

A hand count goes wrong in few ways: a bonus, a territory, a crown, a square, an edge between two
territories, the last sum, or a digit of the total. `explain` names the likeliest for a claim. The
sentences stand in `kdvision.sentences`, a key `mistake.…` for each `Mistake`.
"""

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, product
from typing import Any

from kdvision.rules.kingdom import Kingdom, Position, connected_components, position_name, shift
from kdvision.rules.scoring import Bonus, ScoreSheet, Territory
from kdvision.sentences import Sentence

#: A sum is carried wrongly by this much.
CARRY = 10
#: No square of the deck has more crowns (RULES 1.1), so no territory more than this per square.
MOST_CROWNS = 3
#: A territory is counted as two where no more edges across a line hold it together.
NARROW = 2
#: Two territories are counted as one where no more steps lie between them: a corner, the castle.
NEAR = 2
#: A report names no more explanations of one claim.
MOST_EXPLANATIONS = 2
#: Digits that are taken for each other in handwriting.
_SIMILAR = frozenset(map(frozenset, ("17", "38", "56", "06", "49", "68", "08", "27", "35", "79")))


class Mistake(StrEnum):
    """The kinds of mistake."""

    BONUS_FORGOTTEN = "bonus-forgotten"
    BONUS_ADDED = "bonus-added"
    LEFT_OUT = "territory-left-out"
    CROWN_LESS = "crown-too-few"
    CROWN_MORE = "crown-too-many"
    SQUARE_LESS = "square-too-few"
    SQUARE_MORE = "square-too-many"
    JOINED = "territories-joined"
    SPLIT = "territory-split"
    SUM = "sum-wrong-by-ten"
    DIGITS_EXCHANGED = "digits-exchanged"
    DIGIT_MISSING = "digit-missing"
    DIGIT_ADDED = "digit-added"
    DIGIT_MISREAD = "digit-misread"


class Explanation(Sentence, frozen=True):
    """One mistake that a counter can have made, the sentence `mistake.…`.

    Attributes:
        difference: What it adds to the total.
    """

    difference: int = 0

    @property
    def mistake(self) -> Mistake:
        """The kind of mistake."""
        return Mistake(self.key.split(".")[1])


@lru_cache(maxsize=4_096)
def explain(sheet: ScoreSheet, claimed: int, origin: Position = (0, 0)) -> tuple[Explanation, ...]:
    """Return the single mistakes that lead from a sheet to a claimed total, the likeliest first.

    All kinds of mistake are taken to be equally frequent, and so are all ways to make one kind: of
    two explanations, the kind that can be made in fewer ways is likelier. A slip of writing is
    named where no counting mistake explains the claim; exchanged digits also beside one.

    Args:
        sheet: The kingdom as it lies, with the bonuses in play.
        claimed: The total that was written down.
        origin: What the top left place of the kingdom is called; (0, 0) is a1.

    Returns:
        At most `MOST_EXPLANATIONS`; nothing when the claim is right, or when no single mistake
        leads to it.
    """
    if claimed == sheet.total:
        return ()
    mistakes = list(list_mistakes(sheet, origin))
    ways = Counter(mistake.mistake for mistake in mistakes)
    fitting = [mistake for mistake in mistakes if mistake.difference == claimed - sheet.total]
    matches = Counter(explanation.mistake for explanation in fitting)
    fitting.sort(key=lambda it: (-matches[it.mistake] / ways[it.mistake], it.mistake))
    slip = find_slip(sheet.total, claimed)
    if slip and not fitting:
        return (slip,)
    if slip and slip.mistake is Mistake.DIGITS_EXCHANGED:
        return (fitting[0], slip)
    return tuple(fitting[:MOST_EXPLANATIONS])


def find_slip(total: int, claimed: int) -> Explanation | None:
    """Return the slip of writing that turns one number into another; None where none does."""
    right, wrong = str(total), str(claimed)
    mistake = None
    if len(right) == len(wrong):
        pairs = [pair for pair in zip(right, wrong, strict=True) if pair[0] != pair[1]]
        if len(pairs) == 2 and pairs[0] == pairs[1][::-1]:
            mistake = Mistake.DIGITS_EXCHANGED
        elif len(pairs) == 1 and frozenset(pairs[0]) in _SIMILAR:
            mistake = Mistake.DIGIT_MISREAD
    elif wrong in _drop_digits(right):
        mistake = Mistake.DIGIT_MISSING
    elif right in _drop_digits(wrong):
        mistake = Mistake.DIGIT_ADDED
    if mistake is None:
        return None
    fields = {"claimed": claimed, "total": total}
    return Explanation(f"mistake.{mistake}", fields, claimed - total)


def _drop_digits(number: str) -> set[str]:
    shorter = set()
    for at in range(len(number)):
        text = number[:at] + number[at + 1 :]
        if text and str(int(text)) == text:
            shorter.add(text)
    return shorter


def list_mistakes(sheet: ScoreSheet, origin: Position = (0, 0)) -> Iterator[Explanation]:
    """Yield every single counting mistake that changes the total of a sheet."""
    for bonus in sheet.bonuses:
        yield from _list_bonuses(bonus)
    for territory in sheet.territories:
        yield from _list_miscounts(territory, origin)
        yield from _list_splits(territory, sheet.kingdom, origin)
    for first, second in combinations(sheet.territories, 2):
        yield from _list_joins(first, second, origin)
    for carried, direction in ((CARRY, "too-high"), (-CARRY, "too-low")):
        if sheet.total + carried >= 0:
            fields = {"carry": CARRY, "direction": f"direction.{direction}"}
            yield Explanation(f"mistake.{Mistake.SUM}", fields, carried)


# ---------------------------------------------------------------------- one by one


def _describe(territory: Territory, origin: Position) -> dict[str, Any]:
    """Return what sentences say of a territory."""
    return {
        "terrain": f"terrain.{territory.terrain.value}",
        "place": position_name(shift(territory.cells[0], origin)),
        "squares": territory.squares,
        "crowns": territory.crowns,
    }


def _list_bonuses(bonus: Bonus) -> Iterator[Explanation]:
    """Yield a bonus forgotten, or one added that is not earned or not in play."""
    fields = {"bonus": f"bonus.{bonus.code}", "points": bonus.points}
    if bonus.counted_points:
        yield Explanation(f"mistake.{Mistake.BONUS_FORGOTTEN}", fields, -bonus.counted_points)
    elif bonus.earned or bonus.counted:
        key = f"mistake.{Mistake.BONUS_ADDED}"
        if not bonus.counted:
            key += ".not-in-play"
        yield Explanation(key, fields, bonus.points)


def _list_miscounts(territory: Territory, origin: Position) -> Iterator[Explanation]:
    """Yield a territory left out, and each of its two numbers wrong by one.

    A lone crown that is not seen, or a lone square, is a territory left out.
    """
    squares, crowns = territory.squares, territory.crowns
    fields = _describe(territory, origin)
    if territory.points:
        yield Explanation(f"mistake.{Mistake.LEFT_OUT}", fields, -territory.points)
    for mistake, difference, counted, can_be in (
        (Mistake.CROWN_LESS, -squares, crowns - 1, crowns > 1),
        (Mistake.CROWN_MORE, squares, crowns + 1, crowns < MOST_CROWNS * squares),
        (Mistake.SQUARE_LESS, -crowns, squares - 1, crowns and squares > 1),
        (Mistake.SQUARE_MORE, crowns, squares + 1, crowns),
    ):
        if can_be:
            yield Explanation(f"mistake.{mistake}", dict(fields, counted=counted), difference)


def _list_joins(first: Territory, second: Territory, origin: Position) -> Iterator[Explanation]:
    """Yield two territories counted as one, across a corner, the castle or one place."""
    gain = first.squares * second.crowns + second.squares * first.crowns
    if first.terrain is not second.terrain or not gain:
        return
    pairs = product(first.cells, second.cells)
    if min(abs(row - at[0]) + abs(col - at[1]) for (row, col), at in pairs) > NEAR:
        return
    fields = _describe(first, origin)
    for name, field in _describe(second, origin).items():
        fields[f"other_{name}"] = field
    yield Explanation(f"mistake.{Mistake.JOINED}", fields, gain)


# ---------------------------------------------------------------------- split


def _list_splits(territory: Territory, kingdom: Kingdom, origin: Position) -> Iterator[Explanation]:
    """Yield a territory counted as two along a line, once for each pair of sizes and crowns."""
    if not territory.crowns:
        return
    cells, squares = set(territory.cells), kingdom.squares()
    splits: set[frozenset[tuple[int, int]]] = set()
    for axis, line in product(range(2), range(1, max(kingdom.height, kingdom.width))):
        # Both parts are in one piece and touch along a short border.
        part = {at for at in cells if at[axis] < line}
        rest = cells - part
        beyond = {(row + 1 - axis, col + axis) for row, col in part}
        if len(beyond & rest) > NARROW or len(connected_components(part)) != 1:
            continue
        if len(connected_components(rest)) != 1:
            continue
        size, crowns = len(part), sum(squares[at].crowns for at in part)
        other_size = territory.squares - size
        other_crowns = territory.crowns - crowns
        loss = size * other_crowns + other_size * crowns
        # Nobody counts a lone square as a territory of its own, where it is none.
        counts = frozenset([(size, crowns), (other_size, other_crowns)])
        if not loss or counts in splits or min(size, other_size) == 1:
            continue
        splits.add(counts)
        fields = dict(
            _describe(territory, origin),
            first_squares=size,
            first_crowns=crowns,
            second_squares=other_size,
            second_crowns=other_crowns,
        )
        yield Explanation(f"mistake.{Mistake.SPLIT}", fields, -loss)
