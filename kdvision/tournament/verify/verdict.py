"""A hand-counted total against the kingdom that it is made for."""

from msgspec import Struct

from kdvision.pipeline.settings import PIPELINE
from kdvision.report.wording import percent
from kdvision.result import KingdomResult, Status
from kdvision.tournament.verify.mistakes import Explanation, explain
from kdvision.tournament.verify.verdicts import Verdict, explanation_reason

#: What a checked sheet says in the place of a verdict of a line that an interrupted run did not
#: reach.
NOT_CHECKED = "not checked"


class Judgement(Struct, frozen=True):
    """A claim beside what was read.

    `kingdom` is the kingdom of the photo that the claim is held against, `letter` its name where
    there are several, `difference` what was claimed too much. `message` says in a sentence what
    there is to say.
    """

    verdict: Verdict
    message: str = ""
    kingdom: KingdomResult | None = None
    difference: int | None = None
    explanations: tuple[Explanation, ...] = ()
    letter: str = ""


def judge_kingdom(claimed: int, kingdom: KingdomResult, doubt: str) -> Judgement:
    """Hold a claim against the kingdom that it is made for.

    A sure reading agrees or differs. A doubtful one can only differ, and does when all totals that
    it can have are listed and the claim is none of them. One that cannot be scored says nothing,
    and its kingdom is not kept.

    Args:
        claimed: The total.
        kingdom: What was read.
        doubt: Why it is doubtful, in a sentence.
    """
    if not kingdom.scored:
        return Judgement(Verdict.CANNOT_TELL, f"the kingdom cannot be scored. {doubt}".strip())
    total = kingdom.sheet.total
    difference = claimed - total
    if kingdom.status is Status.SURE and not difference:
        return Judgement(Verdict.AGREES, "", kingdom, 0)
    if kingdom.status is not Status.SURE and is_possible(claimed, kingdom):
        message = _possible_text(claimed, kingdom, doubt)
        return Judgement(Verdict.CANNOT_TELL, message, kingdom, difference)
    explanations = explain(kingdom.sheet, claimed)
    message = explanation_reason(explanations).text()
    if kingdom.status is not Status.SURE:
        message += f" (the reading is not sure, but none of its totals is {claimed})"
    return Judgement(Verdict.DIFFERS, message, kingdom, difference, explanations)


def is_possible(claimed: int, kingdom: KingdomResult) -> bool:
    """Whether a doubtful reading leaves room for a claim.

    It does when the claim is among its totals, or when its totals leave too much open, as they do
    where none is likely enough to be named.
    """
    if not kingdom.scored:
        return True
    listed = kingdom.probability + sum(one.probability for one in kingdom.alternatives)
    totals = {kingdom.sheet.total, *(one.score for one in kingdom.alternatives)}
    return claimed in totals or listed < PIPELINE.sure_from


def _possible_text(claimed: int, kingdom: KingdomResult, doubt: str) -> str:
    total, chance = kingdom.sheet.total, percent(kingdom.probability)
    if claimed == total:
        text = f"the claim is the likeliest total ({chance}), but the reading is not sure"
    elif any(one.score == claimed for one in kingdom.alternatives):
        text = f"the likeliest total is {total} ({chance}), but {claimed} is possible"
    else:
        text = f"the likeliest total is {total} ({chance}), but others are possible"
    return f"{text}: {doubt}" if doubt else text
