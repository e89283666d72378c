"""A kingdom counts once, however many photos and rows have it."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from kdvision.sentences import Sentence
from kdvision.tournament.judging import MOST_NAMED, Verdict, Word
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
    kingdoms = {
        n: verdict.kingdom.kingdom
        for n, verdict in enumerate(verdicts)
        if verdict.kingdom and len(verdict.kingdom.kingdom.squares()) > MOST_ALIKE
    }
    for group in group_same(kingdoms):
        players = {_find_player(verdicts[n]) for n in group if verdicts[n].row.who}
        if len(players) > 1:
            _part_players(verdicts, group)
        else:
            _count_surest(verdicts, group)
    return verdicts


def _find_player(verdict: Verdict) -> tuple[str, ...]:
    """Return the key of a player in a game."""
    return verdict.row.who, *verdict.row.game_key


def _part_players(verdicts: list[Verdict], group: Sequence[int]) -> None:
    """Let a kingdom that several players have count for none of them."""
    before = {n: verdicts[n] for n in group}
    for n, verdict in before.items():
        player = _find_player(verdict)
        rivals = [other.row for other in before.values() if _find_player(other) != player]
        names = ", ".join(f"{row.label}, {row.photo}" for row in rivals[:MOST_NAMED])
        reason = _say("same-kingdom", rows=names)
        if verdict.word is Word.SETTLED:
            verdicts[n] = replace(verdict, reasons=(reason, *verdict.reasons))
        elif verdict.row.who:
            verdicts[n] = replace(
                verdict, reasons=(reason,), word=Word.CANNOT_TELL, counts_elsewhere=True
            )


def _count_surest(verdicts: list[Verdict], group: Sequence[int]) -> None:
    """Let a kingdom that is in several photos count in the surest."""

    def trust(n: int) -> tuple[bool, bool, bool, float]:
        """What decides which row counts: a player, a person's decision, then how sure it is."""
        verdict = verdicts[n]
        probability = verdict.kingdom.probability if verdict.kingdom else 0.0
        has_player = bool(verdict.row.who)
        return has_player, verdict.row.accept is not None, verdict.is_sure, probability

    best = max(group, key=trust)
    for n in [n for n in group if n != best]:
        verdict, surest = verdicts[n], verdicts[best]
        reasons = [_say("counts-in", row=surest.row.label, photo=surest.row.photo)]
        if verdict.is_sure and surest.is_sure and verdict.score != surest.score:
            reasons = [_contradict(surest), *reasons]
            contradicted = (_contradict(verdict), *surest.reasons)
            verdicts[best] = replace(surest, reasons=contradicted)
        reasons_all = (*reasons, *verdict.reasons)
        verdicts[n] = replace(verdict, reasons=reasons_all, counts_elsewhere=True)


def _contradict(verdict: Verdict) -> Sentence:
    """Say what another sure photo shows."""
    row, total = verdict.row, verdict.score or 0
    return _say("contradiction", row=row.label, photo=row.photo, total=total)


def _say(code: str, **fields: Any) -> Sentence:
    return Sentence(f"verdict.{code}", fields)
