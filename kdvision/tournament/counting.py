"""A kingdom counts once, however many photos and rows have it."""

from collections.abc import Sequence

from msgspec.structs import replace

from kdvision.rules.kingdom import Kingdom
from kdvision.sentences import Sentence
from kdvision.tournament.judging import MOST_NAMED, Verdict, Word, say
from kdvision.tournament.likeness import group_same

#: Kingdoms of no more squares are not compared between photos: four dominoes can lie alike by
#: chance.
MOST_ALIKE = 8


def count_once(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return verdicts by which every kingdom counts once.

    Of two photos of one player's kingdom the surer counts; where both are sure and differ, both
    rows say so. A kingdom of two players counts for neither, and both rows name each other.
    """
    verdicts = list(verdicts)
    kingdoms: dict[int, Kingdom] = {}
    for n, verdict in enumerate(verdicts):
        if verdict.kingdom and len(verdict.kingdom.kingdom.squares()) > MOST_ALIKE:
            kingdoms[n] = verdict.kingdom.kingdom
    for group in group_same(kingdoms):
        players = {verdicts[n].row.player_in_game for n in group if verdicts[n].row.player_key}
        if len(players) > 1:
            _part_players(verdicts, group)
        else:
            _count_surest(verdicts, group)
    return verdicts


def _part_players(verdicts: list[Verdict], group: Sequence[int]) -> None:
    """Let a kingdom that several players have count for none of them."""
    rows = [verdicts[n].row for n in group]
    for n in group:
        verdict = verdicts[n]
        rivals = [row for row in rows if row.player_in_game != verdict.row.player_in_game]
        names = ", ".join(f"{row.label}, {row.photo}" for row in rivals[:MOST_NAMED])
        reason = say("same-kingdom", rows=names, n=len(rivals))
        if verdict.word is Word.SETTLED:
            verdicts[n] = verdict.with_reasons(reason)
        elif verdict.row.player_key:
            verdicts[n] = replace(
                verdict, reasons=(reason,), word=Word.CANNOT_TELL, counts_elsewhere=True
            )


def _count_surest(verdicts: list[Verdict], group: Sequence[int]) -> None:
    """Let a kingdom that is in several photos count in the surest."""
    best = max(group, key=lambda n: _rate_trust(verdicts[n]))
    for n in group:
        if n == best:
            continue
        verdict, surest = verdicts[n], verdicts[best]
        counted = verdict.with_reasons(
            say("counts-in", row=surest.row.label, photo=surest.row.photo)
        )
        if verdict.is_sure and surest.is_sure and verdict.score != surest.score:
            counted = counted.with_reasons(_contradict(surest))
            verdicts[best] = surest.with_reasons(_contradict(verdict))
        verdicts[n] = replace(counted, counts_elsewhere=True)


def _rate_trust(verdict: Verdict) -> tuple[bool, bool, bool, float]:
    """Return by what a row counts: a player, a person's decision, then how sure it is."""
    probability = verdict.kingdom.probability if verdict.kingdom else 0.0
    has_player, is_accepted = bool(verdict.row.player_key), verdict.row.accept is not None
    return has_player, is_accepted, verdict.is_sure, probability


def _contradict(verdict: Verdict) -> Sentence:
    """Say what another sure photo shows."""
    row, total = verdict.row, verdict.score or 0
    return say("contradiction", row=row.label, photo=row.photo, total=total)
