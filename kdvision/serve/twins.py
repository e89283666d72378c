"""Kingdoms that stand in two games of an evening: each counts once, photos of other tables too."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.terrain import LABELS
from kdvision.sentences import Sentence
from kdvision.serve.evening import GameView, SeatView
from kdvision.tournament.counting import MOST_ALIKE
from kdvision.tournament.judging import Verdict, Word
from kdvision.tournament.likeness import SAME_SHARE, same_kingdom


class Kingdoms:
    """The kingdoms of an evening; each is compared once with those that came before."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._known: list[Kingdom] = []
        self._counts = np.zeros((0, len(LABELS)), np.int16)

    def number(self, kingdom: Kingdom) -> int:
        """Return the number of a kingdom: two readings of one kingdom have the same."""
        line = str(kingdom)
        if line not in self._numbers:
            self._numbers[line] = self._find(kingdom)
        return self._numbers[line]

    def _find(self, kingdom: Kingdom) -> int:
        counts = np.zeros(len(LABELS), np.int16)
        for at in kingdom.squares():
            counts[LABELS.index(str(kingdom[at]))] += 1
        # Few kingdoms have so many squares in common that they are laid on each other.
        common = np.minimum(self._counts, counts).sum(axis=1)
        larger = np.maximum(self._counts.sum(axis=1), counts.sum())
        for number in np.flatnonzero(common > SAME_SHARE * larger).tolist():
            if same_kingdom(self._known[number], kingdom):
                return int(number)
        self._known.append(kingdom)
        self._counts = np.vstack([self._counts, counts])
        return len(self._known) - 1


def part_twins(views: Sequence[GameView], kingdoms: Kingdoms) -> list[GameView]:
    """Return games in which a kingdom that stands in two of them counts in neither.

    Until a person takes it out of one, or accepts a total.
    """
    seats: defaultdict[int, list[tuple[int, SeatView]]] = defaultdict(list)
    for n, view in enumerate(views):
        for seat in view.taken:
            if seat.best and seat.best.squares > MOST_ALIKE:
                seats[kingdoms.number(seat.best.result.kingdom)].append((n, seat))
    parted = [*views]
    for twins in seats.values():
        for n, seat in twins:
            rivals = [(m, rival) for m, rival in twins if m != n]
            if rivals and seat.seat.accepted is None:
                overruled = {
                    **parted[n].overruled,
                    seat.seat.colour: _part(seat, views, *rivals[0]),
                }
                parted[n] = replace(parted[n], overruled=overruled)
    return parted


def _part(seat: SeatView, views: Sequence[GameView], n: int, rival: SeatView) -> Verdict:
    """Return the verdict of a seat whose kingdom stands in another game as well."""
    game, player = views[n].game.name, rival.seat.player
    reason = Sentence("page.same-kingdom", {"game": game, "player": player})
    if not player:
        colour = f"page.colour.{rival.seat.colour}"
        reason = Sentence("page.same-castle", {"game": game, "colour": colour})
    return replace(
        seat.own_verdict,
        word=Word.CANNOT_TELL,
        reasons=(reason,),
        counts_elsewhere=True,
    )
