"""Kingdoms of played games in which one domino was laid against the rule, or none."""

from collections.abc import Iterator
from random import Random

from kdvision.rules.dominoes import Domino, deck
from kdvision.rules.game.laying import Land
from kdvision.rules.game.players import AtRandom, Greedy, play_game
from kdvision.rules.game.record import Laid, LaidKingdom
from kdvision.rules.game.state import FOUR_PLAYERS
from kdvision.rules.kingdom import CASTLE, Position, neighbours, shifted

#: So many dominoes a kingdom has at least before one is laid against the rule.
LEAST_LAID = 4


def played_kingdoms(seed: int) -> Iterator[LaidKingdom]:
    """Kingdoms of 5x5, whole and part-way, laid by the rules; without end."""
    rng = Random(seed)
    while True:
        players = [Greedy() if rng.random() < 0.5 else AtRandom() for _ in range(4)]
        for kingdom in play_game(players, rng.randrange(2**31), FOUR_PLAYERS).kingdoms:
            most = len(kingdom.laid)
            laid = most if rng.random() < 0.5 else rng.randint(min(LEAST_LAID, most), most)
            yield kingdom.after(laid)


def broken_kingdoms(seed: int) -> Iterator[LaidKingdom]:
    """The same, the last domino laid where it touches others and none that fits."""
    rng = Random(seed)
    for kingdom in played_kingdoms(seed):
        before = kingdom.after(len(kingdom.laid) - 1)
        used = {one.domino for one in before.laid}
        dominoes = [one for one in deck() if one not in used]
        rng.shuffle(dominoes)
        for domino in dominoes:
            places = _wrong_places(before, domino)
            if places:
                wrong = rng.choice(places)
                yield LaidKingdom(before.size, (*before.laid, wrong))
                break


def _wrong_places(kingdom: LaidKingdom, domino: Domino) -> list[Laid]:
    """Where a domino touches what lies, within the box, and fits nothing there."""
    cells = kingdom.cells
    land, middle = Land.of(kingdom.kingdom, kingdom.size), 1 - kingdom.size
    legal = {
        frozenset(shifted(land.frame.position(place), (middle, middle)) for place in move)
        for move in land.moves(domino)
    }
    free = sorted({near for at in cells for near in neighbours(at) if near not in cells})
    found = []
    for at in free:
        for other in neighbours(at):
            laid = Laid(domino, at, other)
            both = frozenset((at, other))
            if other not in cells and both not in legal and _in_box({*cells, *both}):
                found.append(laid)
    return [laid for laid in found if not any(cells.get(near) is CASTLE for near in _around(laid))]


def _around(laid: Laid) -> tuple[Position, ...]:
    return *neighbours(laid.left_at), *neighbours(laid.right_at)


def _in_box(cells: set[Position]) -> bool:
    rows, cols = zip(*cells, strict=True)
    return bool(max(rows) - min(rows) < 5 and max(cols) - min(cols) < 5)


def last_pair(kingdom: LaidKingdom) -> tuple[Position, Position]:
    """Where the last domino lies, in positions of the kingdom, the upper or left square first."""
    last = kingdom.placed[-1]
    one, other = sorted((last.left_at, last.right_at))
    return one, other
