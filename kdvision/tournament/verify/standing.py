"""The standings of a sheet of claims, by the totals that count."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from kdvision.rules.standings import Result, result_of
from kdvision.tournament.game_table import GameTable
from kdvision.tournament.standing_rows import Counted, claimed_only
from kdvision.tournament.standings import Standings, standings_of
from kdvision.tournament.verify.verdicts import LineVerdict, Verdict

#: What readers of such standings must know.
GO_BY = "The standings go by the totals that were read or settled, not by those claimed."


def claim_standings(verdicts: Sequence[LineVerdict]) -> Standings:
    """The standings of the lines whose players are known; without games where none is.

    Raises:
        ValueError: A player is in a game twice; the sentence begins with the line.
    """
    photos = Counter(one.line.photo for one in verdicts if one.line.photo)
    table = GameTable([photo for photo, count in photos.items() if count > 1])
    notes = []
    for verdict in verdicts:
        line = verdict.line
        if not line.player:
            continue
        counted = _counted(verdict)
        try:
            table.add({**line.who, "photo": line.photo}, counted)
        except ValueError as error:
            raise ValueError(f"{line.where}: {error}") from None
        if counted.result is None:
            notes.append(f"{line.player} is left out: {counted.note}")
        elif counted.doubtful or counted.pending:
            notes.append(f"Not sure: {line.player} ({line.photo}) has {counted.note}.")
    return standings_of(table.ranked(), notes)


def _counted(verdict: LineVerdict) -> Counted:
    """What counts for a line."""
    line, kingdom = verdict.line, verdict.kingdom
    read = result_of(line.player, kingdom.sheet) if kingdom and kingdom.scored else None
    if verdict.pending or read is None:
        read = None
    total = verdict.total
    if total is not None:
        standing = replace(read or Result(line.player, total), total=total)
        if verdict.verdict is Verdict.DIFFERS and line.claimed is not None:
            brief = f"{total}, or {line.claimed} as claimed"
            return Counted(standing, brief, "a decision is pending", pending=True)
        return Counted(standing)
    if read is None:
        return claimed_only(line.player, line.claimed, verdict.text())
    others = {*verdict.possible, line.claimed} - {read.total, None}
    possible = tuple(sorted(one for one in others if one is not None))
    text = ", or ".join(map(str, (read.total, *possible)))
    text = text if possible else f"{text}, which is not certain"
    return Counted(read, text, text, True, possible)
