"""What tables need of a kingdom that was read for a claim."""

from kdvision.columns import origin_name
from kdvision.report.wording import problem_text
from kdvision.result import KingdomResult, Status
from kdvision.rules.problem import Code
from kdvision.rules.standings import result_of
from kdvision.tournament.verify.checked import Read


def read_of(kingdom: KingdomResult, player: str) -> Read:
    """Return of a kingdom what tables need."""
    others = kingdom.alternatives if kingdom.status is not Status.SURE else ()
    return Read(
        kingdom.sheet.total,
        kingdom.probability,
        str(kingdom.sheet.kingdom),
        (kingdom.sheet.total, *(one.score for one in others)),
        result_of(player, kingdom.sheet),
        kingdom.status,
        origin_name(kingdom),
        _broken(kingdom),
    )


def _broken(kingdom: KingdomResult) -> str:
    """Which domino breaks the joining rule, in a sentence; empty where none does for sure."""
    said = (
        problem_text(kingdom, one)
        for one in kingdom.problems
        if one.code in (Code.NO_ORDER, Code.BROKEN_DOMINO)
    )
    return next(said, "") if kingdom.status is Status.SURE else ""
