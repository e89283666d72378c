"""Cutting a map, held against drawing it step by step in every way."""

from collections.abc import Iterator
from random import Random

import pytest

from kdvision.rules.duel import Coat, Drawn, DuelMap, Power
from kdvision.rules.duel.map import MIDDLE, SPACES, needed_powers
from kdvision.rules.kingdom import Position, neighbours

IGNORE, SPLIT = frozenset({Power.IGNORE_CONNECTION}), frozenset({Power.SPLIT})
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
    """Whether some order of drawing leads to a map: tried out, a domino at a time."""
    drawn = duel_map.drawn
    for division in divisions(frozenset(drawn)):
        singles = [part for part in division if len(part) == 1]
        if len(singles) not in ((0, 1, 2) if Power.SPLIT in powers else (0,)):
            continue
        if len(singles) == 1 and not set(neighbours(MIDDLE)) <= drawn.keys():
            continue
        if can_order(duel_map, division, Power.IGNORE_CONNECTION in powers):
            return True
    return False


def can_order(duel_map: DuelMap, division: list[tuple[Position, ...]], ignore: bool) -> bool:
    drawn = duel_map.drawn

    def grow(lying: set[Position], waiting: list[tuple[Position, ...]]) -> None:
        going = True
        while going:
            going = False
            for part in list(waiting):
                if any(
                    near == MIDDLE or (near in lying and drawn[near].coat is drawn[at].coat)
                    for at in part
                    for near in neighbours(at)
                ):
                    waiting.remove(part)
                    lying.update(part)
                    going = True

    # Without a power first: the first domino of a game lies beside the castle.
    lying: set[Position] = set()
    waiting = list(division)
    if waiting and not any(
        len(part) == 2 and any(near == MIDDLE for at in part for near in neighbours(at))
        for part in waiting
    ):
        return False
    grow(lying, waiting)
    if not waiting or not ignore:
        return not waiting
    for jump in [part for part in waiting if len(part) == 2]:
        after, left = lying | set(jump), [part for part in waiting if part != jump]
        grow(after, left)
        if not left:
            return True
    return False


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


@pytest.mark.parametrize("seed", range(8))
def test_rule_7_6_a_cutting_is_an_order_of_drawing(seed):
    rng = Random(seed)
    for _ in range(30):
        assert_as_drawn(random_map(rng, rng.randint(1, 9), rng.randint(2, 6)))
