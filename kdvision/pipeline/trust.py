"""How far a total can be trusted: fitted on pictures of which the truth is known.

The posterior of decoding says how much the deck leaves open. The doubts (blur, a loose lattice,
detector and classifier at odds) go with totals that are wrong more often. One monotone model makes
a probability of both. The log-odds of a right total are a rising function of those of the
posterior, less what every doubt costs; the cost of a doubt is a rising function of its weight. All
functions are piecewise linear, between knots in `models/trust.json`, which
`scripts.measuring.fit_trust` writes.
"""

import json
import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.errors import ModelError
from kdvision.odds import expit, logit
from kdvision.reading import BOX_DOUBTS, KEPT_OF_TOTAL, PLACE_DOUBTS, Doubt, DoubtCode
from kdvision.vision.models import REMEDY, model_folder, read_trust_file

if TYPE_CHECKING:
    from kdvision.decoding.posterior import Decoded


class PipelineSettings(Struct, frozen=True):
    """What probabilities of totals decide.

    Attributes:
        sure_from: probability that a total is right from which on it is called sure; measured, see
            the figures of `docs/accuracy.md`.
        clear_square: probability of a place from which on a correction of other places does not
            change it: it is four times as likely as all else that could lie there. The same number
            decides what the report asks to look at, so nothing changes that was not named.
        named_alternative: probability of another total below which no report names it, nor the
            squares that it hangs on.
        max_suggested: count. More squares are not suggested: another photo is quicker than to
            compare them one by one.
        settled: share of the doubt about single squares that may be open and counts as none.
        places_named_from: log-odds. Where a total is doubtful, a doubt about places that costs so
            much has its places named: it takes a tenth of the odds.
        unforeseen: share of what the doubts cost that stays when no square is open. Of 67
            wrong totals of rendered tables 15 had a wrong square among those on which the last
            tenth of the doubt lay. Where people were told to look at the squares that are named, in
            276 kingdoms of such tables between 0.93 and sure, 236 became sure and one was wrong.
    """

    sure_from: Annotated[float, "sure"] = 0.99
    clear_square: Annotated[float, "sure"] = 0.8
    named_alternative: Annotated[float, "sure"] = 0.005
    max_suggested: int = 9
    settled: Annotated[float, "sure"] = 0.1
    places_named_from: float = 0.095
    unforeseen: Annotated[float, "sure"] = 0.25


PIPELINE = PipelineSettings()

#: Doubts that are named whatever they cost.
_ALWAYS_NAMED = BOX_DOUBTS | {
    DoubtCode.NOT_ALL_TRIED,
    DoubtCode.DAMAGED_FILE,
    DoubtCode.NOT_JOINED,
    DoubtCode.TOUCHING,
    DoubtCode.NOT_LIT,
    DoubtCode.ON_TILE,
}

#: Probabilities are kept this far from 0 and 1, so that their log-odds are finite.
_MARGIN = 1e-6


class Curve(Struct, frozen=True):
    """A rising function through points, constant beyond the first and the last.

    Attributes:
        x: Where the points are, rising.
        y: The values there, never falling.

    Raises:
        ValueError: The points do not rise.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]

    def __post_init__(self) -> None:
        has_values = bool(self.x) and len(self.x) == len(self.y)
        is_finite = all(map(math.isfinite, self.x + self.y))
        is_rising = list(self.x) == sorted(set(self.x))
        if not (has_values and is_finite and is_rising):
            raise ValueError("the knots of a curve must rise, with a value for each")
        if list(self.y) != sorted(self.y):
            raise ValueError("a curve must not fall")

    def __call__(self, x: float) -> float:
        """Return the value at a point."""
        after = bisect_right(self.x, x)
        if after == 0:
            return self.y[0]
        if after == len(self.x):
            return self.y[-1]
        low, high = self.x[after - 1], self.x[after]
        share = (x - low) / (high - low)
        return self.y[after - 1] * (1 - share) + self.y[after] * share


class Trust(Struct, frozen=True):
    """From the posterior of a total and the doubts to the probability that it is right.

    Attributes:
        posterior: From the log-odds of the posterior to those of a right total; None takes them as
            they are.
        costs: What a doubt takes from these log-odds, by its weight.
        sure_from: The probability from which on a total is sure.
        named_from: The cost from which on a doubt is named to people.
    """

    posterior: Curve | None = None
    costs: Mapping[DoubtCode, Curve] = msgspec.field(default_factory=dict)
    sure_from: float = PIPELINE.sure_from
    named_from: float = math.log(2)

    def cost(self, doubt: Doubt) -> float:
        """Return what a doubt takes from the log-odds of a right total."""
        curve = self.costs.get(doubt.code)
        if curve is None:
            return 0.0
        return curve(doubt.weight)

    def probability(self, posterior: float, doubts: Iterable[Doubt]) -> float:
        """Return the probability that a total is right.

        Args:
            posterior: The share of the likely kingdoms that have it, 0 to 1; of 0 comes 0.
            doubts: What the photo and the deck show.
        """
        if self.posterior is None and not self.costs:
            return posterior
        if posterior <= 0:
            return 0.0
        log_odds = logit(min(max(posterior, _MARGIN), 1 - _MARGIN))
        if self.posterior is not None:
            log_odds = self.posterior(log_odds)
        return expit(log_odds - sum(map(self.cost, doubts)))

    def settled_probability(
        self, posterior: float, doubts: Sequence[Doubt], open_share: float = 1.0
    ) -> float:
        """Return the probability of a total of which a person has settled some squares.

        Args:
            posterior: As for `probability`.
            doubts: What is left of the doubts.
            open_share: The share of the doubt about single squares that no person has settled.
        """
        # What the doubts cost is given back as far as squares are settled, but for the unforeseen.
        probability = self.probability(posterior, doubts)
        settled = 1.0 if open_share <= PIPELINE.settled else 1 - open_share
        lost = max(posterior - probability, 0.0)
        return probability + lost * (1 - PIPELINE.unforeseen) * settled

    def apply(
        self, decoded: "Decoded", doubts: Sequence[Doubt], open_share: float = 1.0
    ) -> "Decoded":
        """Return the answer with the probability that its total is right.

        Its alternatives share the rest.
        Kingdoms that were not tried are taken to have the totals of those that were. No alternative
        is likelier than the answer: what takes trust from its total takes it from theirs.

        Args:
            decoded: The answer with its posterior.
            doubts: What the photo and the deck show.
            open_share: As for `settled_probability`.
        """
        posterior = decoded.probability
        probability = self.settled_probability(posterior, doubts, open_share)
        others_before = max(1 - posterior - decoded.untried, 1e-9)
        scale = 1.0
        if probability > posterior:
            scale = (1 - probability) / others_before
        alternatives = []
        for total in decoded.alternatives:
            chance = min(total.probability * scale, probability)
            alternatives.append(replace(total, probability=chance))
        return replace(decoded, probability=probability, alternatives=tuple(alternatives))

    def name(self, doubts: Sequence[Doubt], *, doubtful: bool) -> list[Doubt]:
        """Return the doubts that are named to people, those that cost most first.

        Args:
            doubts: What the photo and the deck show.
            doubtful: Whether the total is doubtful: then more doubts about places are named.
        """
        named = []
        for doubt in doubts:
            cost = self.cost(doubt)
            counts = cost >= PIPELINE.places_named_from or doubt.code in PLACE_DOUBTS
            names_places = doubtful and bool(doubt.places) and counts
            if names_places or doubt.code in _ALWAYS_NAMED or cost >= self.named_from:
                named.append(doubt)

        def order(doubt: Doubt) -> tuple[float, float]:
            """Return what is left of the total, then what the doubt costs."""
            return KEPT_OF_TOTAL.get(doubt.code, 1.0), -self.cost(doubt)

        return sorted(named, key=order)


def load_trust(folder: Path | None = None) -> Trust:
    """Load the fitted trust of a folder of models, as its manifest names it.

    Raises:
        ModelError: It is missing, damaged or not one of ours.
    """
    path, data = read_trust_file(folder or model_folder())
    try:
        return parse_trust(json.loads(data))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ModelError(f"The trust file {path} was made for another program.", REMEDY) from None


def parse_trust(data: Mapping[str, Any]) -> Trust:
    """Read a trust from its JSON.

    Raises:
        ValueError: It is none, as are KeyError, TypeError and AttributeError.
    """
    sure_from = float(data["sure_from"])
    if not 0 < sure_from < 1:
        raise ValueError("sure must begin between 0 and 1")
    costs = {}
    for code, points in data["costs"].items():
        curve = costs[DoubtCode(code)] = _parse_curve(points)
        if curve.y[0] < 0:
            raise ValueError("a doubt cannot add trust")
    return Trust(_parse_curve(data["posterior"]), costs, sure_from)


def _parse_curve(points: Sequence[Sequence[float]]) -> Curve:
    """Read a curve from its points."""
    x, y = zip(*points, strict=True)
    return Curve(tuple(map(float, x)), tuple(map(float, y)))
