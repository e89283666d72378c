"""Cutting a map, held against drawing it step by step in every way."""

from collections.abc import Collection, Iterator
from random import Random
from typing import Any

import pytest

from kdvision.rules.duel import Coat, Drawn, DuelMap, Power
from kdvision.rules.duel.drawing import needed_powers
from kdvision.rules.duel.map import MIDDLE, SPACES
from kdvision.rules.kingdom import Position, neighbours

IGNORE = frozenset({Power.IGNORE_CONNECTION})
SPLIT = frozenset({Power.SPLIT})
BOTH = IGNORE | SPLIT


def divisions(cells: frozenset[Position]) -> Iterator[list[tuple[Position, ...]]]:
    """Every way to part cells into neighbours and single ones, two of these at most."""
    if not cells:
        yield []
        return
    first = min(cells)
    rest = cells - {first}
    for division in divisions(rest):
        yield [(first,), *division]
    for near in neighbours(first):
        if near in rest:
            for division in divisions(rest - {near}):
                yield [(first, near), *division]


def drawn_by(duel_map: DuelMap, powers: frozenset[Power]) -> bool:
    """Whether some order of drawing leads to a map: tried out, a round at a time."""
    for division in divisions(frozenset(duel_map.drawn)):
        dominoes = [part for part in division if len(part) == 2]
        halves = tuple(part[0] for part in division if len(part) == 1)
        if len(halves) > (2 if Power.SPLIT in powers else 0):
            continue
        rounds: list[Any] = [(domino, True) for domino in dominoes]
        if halves:
            rounds.append((halves, False))
        ignore = Power.IGNORE_CONNECTION in powers
        if not rounds or can_go_on(duel_map, frozenset(), rounds, ignore=ignore):
            return True
    return False


#: What is drawn in one round, and whether it is a whole domino.
DrawnRound = tuple[tuple[Position, ...], bool]


def can_go_on(
    duel_map: DuelMap, lying: frozenset[Position], rounds: list[DrawnRound], *, ignore: bool
) -> bool:
    """Whether the rounds that are left can be drawn in any order; the first one has no power."""
    for index, (part, is_whole) in enumerate(rounds):
        is_first = not lying
        fits = fits_whole(duel_map, lying, part) if is_whole else fits_apart(duel_map, lying, part)
        if is_first and not (fits and is_whole):
            continue
        jumps = not fits and is_whole and ignore
        left = [*rounds[:index], *rounds[index + 1 :]]
        after = lying | set(part)
        if (fits or jumps) and (
            not left or can_go_on(duel_map, after, left, ignore=ignore and not jumps)
        ):
            return True
    return False


def touches(duel_map: DuelMap, lying: Collection[Position], at: Position) -> bool:
    drawn = duel_map.drawn
    return any(
        near == MIDDLE or (near in lying and drawn[near].coat is drawn[at].coat)
        for near in neighbours(at)
    )


def fits_whole(duel_map: DuelMap, lying: Collection[Position], part: tuple[Position, ...]) -> bool:
    return any(touches(duel_map, lying, at) for at in part)


def fits_apart(duel_map: DuelMap, lying: Collection[Position], part: tuple[Position, ...]) -> bool:
    """Both halves in one round, in either order; one alone where no side of the castle is open."""
    if len(part) == 1:
        closed = {*neighbours(MIDDLE)} <= {*lying, *part}
        return closed and touches(duel_map, lying, part[0])
    first, second = part
    return any(
        touches(duel_map, lying, at) and touches(duel_map, [*lying, at], other)
        for at, other in ((first, second), (second, first))
    )


def random_map(rng: Random, most: int, coats: int) -> DuelMap:
    cells: set[Position] = {rng.choice(neighbours(MIDDLE))}
    while len(cells) < most:
        at = rng.choice(neighbours(rng.choice([*sorted(cells), MIDDLE, rng.choice(SPACES)])))
        cells |= {at} & {*SPACES}
    return DuelMap({at: Drawn(rng.choice(tuple(Coat)[:coats])) for at in sorted(cells)})


def assert_as_drawn(duel_map: DuelMap) -> None:
    """The powers that a map needs are the fewest with which it can be drawn."""
    sets = frozenset[Power](), IGNORE, SPLIT, BOTH
    expected = [powers for powers in sets if drawn_by(duel_map, powers)]
    fewest = [powers for powers in expected if len(powers) == len(expected[0])]
    assert list(needed_powers(duel_map)) == fewest, str(duel_map)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # Both halves of a split domino are drawn in one round: b3 would have to lie between them.
        ("- - - - - - -/- - - - - - -/Q Q Q C - - -/- E - Q Q - -/- - - - - - -", [BOTH]),
        ("- - - T - - -/- - - T - - -/- - - C - - -/- - - E T D -/- - E E S - -", []),
        # A half is drawn alone where the castle is closed, and not where a side is open.
        ("- - - - - - -/- - D E - - -/- Q Q C K K -/- - - S S - -/- - - S - - -", [SPLIT]),
        ("- - - - - - -/- - D E - - -/- Q Q C K K -/- - - - S S -/- - - S - - -", []),
    ],
)
def test_rule_7_6_order_of_drawing_matters(line, expected):
    duel_map = DuelMap.parse(line)
    assert list(needed_powers(duel_map)) == expected
    assert_as_drawn(duel_map)


@pytest.mark.parametrize("seed", range(8))
def test_rule_7_6_cutting_is_a_drawing_order(seed):
    rng = Random(seed)
    for _ in range(30):
        assert_as_drawn(random_map(rng, rng.randint(1, 9), rng.randint(2, 6)))
