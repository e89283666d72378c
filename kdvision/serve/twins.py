"""Kingdoms that stand in two games of an evening, as in a photo of another table."""

from collections.abc import Sequence

from msgspec.structs import replace

from kdvision.sentences import Sentence
from kdvision.serve.evening import GameView, SeatView
from kdvision.tournament.counting import MOST_ALIKE
from kdvision.tournament.judging import Verdict, Word
from kdvision.tournament.likeness import group_same


def overrule_twins(views: Sequence[GameView]) -> list[GameView]:
    """Return the games, in which a kingdom that stands in two of them counts in neither.

    So it is until a person takes it out of one, or accepts a total.
    """
    seats: list[tuple[int, SeatView]] = []
    for n, view in enumerate(views):
        for seat in view.taken:
            if seat.best and seat.best.squares > MOST_ALIKE:
                seats.append((n, seat))
    kingdoms = {at: seat.best.result.kingdom for at, (_, seat) in enumerate(seats) if seat.best}
    overruled = list(views)
    for twins in group_same(kingdoms):
        for n, seat in [seats[at] for at in twins]:
            rivals = [seats[at] for at in twins if seats[at][0] != n]
            if rivals and seat.seat.accepted is None:
                m, rival = rivals[0]
                verdict = _overrule(seat, views[m], rival)
                verdicts = dict(overruled[n].overruled) | {seat.seat.colour: verdict}
                overruled[n] = replace(overruled[n], overruled=verdicts)
    return overruled


def _overrule(seat: SeatView, game: GameView, rival: SeatView) -> Verdict:
    """Return the verdict of a seat whose kingdom stands in another game as well."""
    player, name = rival.seat.player, game.game.name
    reason = Sentence("seat.same-kingdom", {"game": name, "player": player})
    if not player:
        colour = f"page.colour.{rival.seat.colour}"
        reason = Sentence("seat.same-castle", {"game": name, "colour": colour})
    return replace(
        seat.own_verdict, word=Word.CANNOT_TELL, reasons=(reason,), counts_elsewhere=True
    )
