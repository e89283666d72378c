"""Which single mistake explains that a claimed total is not the total of the kingdom."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

from kdvision.rules.scoring import ScoreSheet
from kdvision.tournament.verify.mistakes import Explanation, Mistake, mistakes

#: What happened, where one of several territories can have been miscounted in the same way.
_OF_SEVERAL = {
    Mistake.LEFT_OUT: "was left out",
    Mistake.CROWN_LESS: "was counted with a crown too few",
    Mistake.CROWN_MORE: "was counted with a crown too many",
    Mistake.SQUARE_LESS: "was counted with a square too few",
    Mistake.SQUARE_MORE: "was counted with a square too many",
}
NONE = "no single mistake explains it"


def explain(sheet: ScoreSheet, claimed: int) -> tuple[Explanation, ...]:
    """The single mistakes that lead from a sheet to a claimed total, the likeliest first.

    All kinds of mistake are taken to be equally frequent, and all ways to make one of a kind
    alike: so of two explanations the one is likelier that can be made in fewer ways. What hardly
    anybody does is left out where something else explains the claim.

    Args:
        sheet: The kingdom as it lies, with the bonuses in play.
        claimed: The total that was written down.

    Returns:
        Nothing when the claim is right, or when no single mistake leads to it. More than one:
        the claim does not tell which it was.
    """
    if claimed == sheet.total:
        return ()
    every = list(mistakes(sheet))
    ways: defaultdict[Mistake, float] = defaultdict(float)
    for one in every:
        ways[one.mistake] += one.weight
    fitting = [one for one in every if one.difference == claimed - sheet.total]
    likely = [one for one in fitting if one.weight]
    chance: defaultdict[Mistake, float] = defaultdict(float)
    for one in likely:
        chance[one.mistake] += one.weight / ways[one.mistake]
    return tuple(
        sorted(likely or fitting, key=lambda one: (-chance[one.mistake], one.mistake, -one.weight))
    )


def explanation_text(explanations: Sequence[Explanation]) -> str:
    """All explanations in one line; it says so when there are several."""
    texts = [
        _kind_text(mistake, list(group))
        for mistake, group in groupby(explanations, key=lambda one: one.mistake)
    ]
    if not texts:
        return NONE
    if len(explanations) == 1:
        return texts[0]
    return f"ambiguous, the likeliest first: {'; or '.join(texts)}"


def _kind_text(mistake: Mistake, group: list[Explanation]) -> str:
    """The explanations of one kind."""
    if len(group) == 1 or mistake not in _OF_SEVERAL:
        return "; or ".join(map(str, group))
    *first, last = (one.subject for one in group)
    return f"{', '.join(first)} or {last} {_OF_SEVERAL[mistake]}"
