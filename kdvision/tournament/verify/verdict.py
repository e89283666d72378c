"""One hand-counted total against the reading of its photo."""

from dataclasses import dataclass
from enum import StrEnum

from kdvision.pipeline.results import SURE_FROM
from kdvision.report.wording import kingdom_names, percent
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.tournament.verify.explain import explain, explanation_text
from kdvision.tournament.verify.mistakes import Explanation


class Verdict(StrEnum):
    """What can be said of a claim."""

    AGREES = "agrees"
    DIFFERS = "differs"
    CANNOT_TELL = "cannot tell"
    #: The line itself cannot be used.
    BAD_LINE = "bad line"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A claim beside what was read.

    `kingdom` is the kingdom of the photo that the claim is held against, `difference` what was
    claimed too much. `message` says in a sentence what there is to say.
    """

    verdict: Verdict
    message: str = ""
    kingdom: KingdomResult | None = None
    difference: int | None = None
    explanations: tuple[Explanation, ...] = ()


def judge(claimed: int, photo: PhotoResult) -> Judgement:
    """Hold a claim against the reading of its photo.

    A sure reading agrees or differs. A doubtful one can only differ, and does when all that it
    can be was listed and the claim is none of it; else there is no telling.
    """
    if not photo.kingdoms:
        return Judgement(Verdict.CANNOT_TELL, photo.message)
    if len(photo.kingdoms) > 1:
        return _among_several(claimed, photo)
    return _one(claimed, photo.kingdoms[0], photo.message)


def _one(claimed: int, kingdom: KingdomResult, doubt: str) -> Judgement:
    total = kingdom.sheet.total
    difference = claimed - total
    if kingdom.status is Status.SURE and not difference:
        return Judgement(Verdict.AGREES, "", kingdom, 0)
    if kingdom.status is not Status.SURE and is_possible(claimed, kingdom):
        message = _possible_text(claimed, kingdom, doubt)
        return Judgement(Verdict.CANNOT_TELL, message, kingdom, difference)
    explanations = explain(kingdom.sheet, claimed)
    message = explanation_text(explanations)
    if kingdom.status is not Status.SURE:
        message += f" (the reading is not sure, but none of its totals is {claimed})"
    return Judgement(Verdict.DIFFERS, message, kingdom, difference, explanations)


def is_possible(claimed: int, kingdom: KingdomResult) -> bool:
    """Whether a doubtful reading leaves room for a claim.

    It does when the claim is among its totals, or when its totals leave too much open.
    """
    listed = kingdom.probability + sum(one.probability for one in kingdom.alternatives)
    totals = {kingdom.sheet.total, *(one.score for one in kingdom.alternatives)}
    return claimed in totals or listed < SURE_FROM


def _possible_text(claimed: int, kingdom: KingdomResult, doubt: str) -> str:
    total, chance = kingdom.sheet.total, percent(kingdom.probability)
    if claimed == total:
        text = f"the claim is the likeliest total ({chance}), but the reading is not sure"
    elif any(one.score == claimed for one in kingdom.alternatives):
        text = f"the likeliest total is {total} ({chance}), but {claimed} is possible"
    else:
        text = f"the likeliest total is {total} ({chance}), but others are possible"
    return f"{text}: {doubt}" if doubt else text


def _among_several(claimed: int, photo: PhotoResult) -> Judgement:
    """A photo with several kingdoms: the claim may be of any of them."""
    judged = [_one(claimed, kingdom, "") for kingdom in photo.kingdoms]
    names = kingdom_names(photo)
    count = f"the photo shows {len(judged)} kingdoms"
    for verdict in (Verdict.AGREES, Verdict.CANNOT_TELL):
        for one, name in zip(judged, names, strict=True):
            if one.verdict is verdict:
                text = f"{count}; this is kingdom {name}"
                message = f"{text}: {one.message}" if one.message else text
                return Judgement(verdict, message, one.kingdom, one.difference)
    texts = [
        f"kingdom {name} has {one.kingdom.sheet.total}: {one.message}"
        for one, name in zip(judged, names, strict=True)
        if one.kingdom
    ]
    return Judgement(Verdict.DIFFERS, f"{count}; {'; '.join(texts)}")
