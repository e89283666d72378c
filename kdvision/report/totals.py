"""The totals that a doubtful kingdom may have, and on which squares each depends."""

from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import Alternative
from kdvision.result import KingdomResult, Status
from kdvision.rules.kingdom import Position, parse_cell, position_name
from kdvision.rules.terrain import Square
from kdvision.sentences import ENGLISH, listed, sentence

#: Number of alternatives that are named of a doubtful total, at most.
MAX_ALTERNATIVES = 4
#: Probability of an alternative below which it is not named.
MIN_ALTERNATIVE = PIPELINE.named_alternative


def likely_totals(result: KingdomResult) -> list[Alternative]:
    """Return the alternatives that are worth naming, the likeliest first."""
    if result.status is Status.SURE:
        return []
    likely = [total for total in result.alternatives if total.probability >= MIN_ALTERNATIVE]
    return sorted(likely, key=lambda total: -total.probability)[:MAX_ALTERNATIVES]


def totals_text(result: KingdomResult, language: str = ENGLISH) -> str:
    """Return all totals that are possible.

    Such as `Most likely 86; 70 if d1 and d2 are empty; 3 others are less likely.`
    """
    alternatives = likely_totals(result)
    totals = [sentence("totals.likeliest", language, total=result.score)]
    for alternative in alternatives:
        condition = _condition_text(result, alternative, language)
        key = "totals.other" if condition else "totals.alone"
        totals.append(sentence(key, language, total=alternative.score, condition=condition))
    if more := len(result.alternatives) - len(alternatives):
        totals.append(sentence("totals.rest", language, n=more))
    return f"{'; '.join(totals)}."


def _condition_text(result: KingdomResult, alternative: Alternative, language: str) -> str:
    """Return what would have to lie there instead: `d1 and d2 are empty, c4 has one crown`."""
    word = sentence("list.and", language)
    places: dict[tuple[str, str, int], list[str]] = {}
    for at, text in alternative.squares:
        change = _classify_change(result, at, text)
        places.setdefault(change, []).append(position_name(result.on_sheet(at)))
    parts = []
    for (kind, terrain, crowns), names in places.items():
        fields = {"places": listed(names, word), "n": len(names)}
        fields |= {"terrain": terrain, "crowns": f"crowns.{crowns}"}
        fields["with_crowns"] = f"with-crowns.{crowns}"
        parts.append(sentence(f"change.{kind}", language, **fields))
    return listed(parts, word)


def _classify_change(result: KingdomResult, at: Position, text: str) -> tuple[str, str, int]:
    """Return how a place would change: what kind of change, to which terrain and crowns."""
    now, then = dict(result.kingdom.cells()).get(at), parse_cell(text)
    if then is None:
        return "empty", "", 0
    if not isinstance(then, Square):
        return "castle", "", 0
    terrain = f"terrain.{then.terrain}"
    if isinstance(now, Square) and now.terrain is then.terrain:
        return "crowns", terrain, then.crowns
    if not then.crowns:
        return "plain", terrain, 0
    return "square", terrain, then.crowns
