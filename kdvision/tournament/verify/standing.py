"""The standings of a sheet of claims, by the totals that count."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from kdvision.rules.standings import Result
from kdvision.tournament.game_table import GameTable
from kdvision.tournament.standing_rows import Counted, claimed_only
from kdvision.tournament.standings import Standings, standings_of
from kdvision.tournament.verify.checked import Checked

#: What readers of such standings must know.
GO_BY = "The standings go by the totals that were read or settled, not by those claimed."


def claim_standings(lines: Sequence[Checked]) -> Standings:
    """The standings of the lines whose players are known; without games where none is.

    Raises:
        ValueError: A player is in a game twice; the sentence begins with the line.
    """
    photos = Counter(line.job.name for line in lines if line.job)
    table = GameTable([photo for photo, count in photos.items() if count > 1])
    notes = []
    for line in lines:
        if line.job is None or not line.player:
            continue
        counted = _counted(line)
        try:
            table.add({**line.job.who, "photo": line.job.name}, counted)
        except ValueError as error:
            raise ValueError(f"{line.where}: {error}") from None
        if counted.result is None:
            notes.append(f"{line.player} is left out: {counted.note}")
        elif counted.doubtful:
            notes.append(f"Not sure: {line.player} ({line.job.name}) has {counted.note}.")
    return standings_of(table.ranked(), notes)


def _counted(line: Checked) -> Counted:
    """What counts for a line."""
    total = line.total
    if total is not None:
        result = line.read.standing if line.read else Result(line.player, total)
        return Counted(replace(result, player=line.player, total=total))
    if line.read is None:
        return claimed_only(line.player, line.claimed, line.message)
    result = replace(line.read.standing, player=line.player)
    others = {*line.read.possible, line.claimed} - {line.read.total, None}
    possible = tuple(sorted(one for one in others if one is not None))
    text = ", or ".join(map(str, (line.read.total, *possible)))
    text = text if possible else f"{text}, which is not certain"
    return Counted(result, text, text, True, possible)
