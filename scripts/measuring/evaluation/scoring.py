"""Score cases and set what was said against what is true, kingdom by kingdom."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import cv2
import numpy as np
from msgspec import Struct, field

from kdvision.errors import KdvisionError
from kdvision.pipeline.scorer import Scorer
from kdvision.result import KingdomResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score
from kdvision.rules.terrain import CASTLE_MARK
from scripts.measuring.evaluation.cases import Case, Maker, TrueKingdom
from scripts.measuring.evaluation.mistakes import compare

#: A castle further away than so many squares belongs to another kingdom.
NEAR = 2.5


class Verdict(Struct, frozen=True):
    """One kingdom: what is true (None: it was invented) and what was read (None: it was missed).

    `right` is about the total, `exact` about every square, `exact_visible` about every square that
    is not hidden.
    """

    truth: TrueKingdom | None
    line: str | None = None
    right: bool = False
    exact: bool = False
    exact_visible: bool = False
    sure: bool = False
    probability: float = 0.0
    mistakes: Counter[str] = field(default_factory=Counter)

    @property
    def silent(self) -> bool:
        """Whether a total was called sure that is wrong or cannot be known."""
        return self.sure and (not self.right or self.truth is None or self.truth.cut)


class Scored(Struct, frozen=True):
    """What came of a case."""

    name: str
    tags: Mapping[str, str]
    status: str
    message: str
    verdicts: tuple[Verdict, ...]

    @property
    def left_out(self) -> bool:
        """Whether the picture came out sure although a kingdom in it was not reported."""
        missed = any(one.line is None and one.truth and not one.truth.cut for one in self.verdicts)
        return self.status == Status.SURE and missed


def score_all(makers: Iterable[Maker], workers: int) -> Iterator[Scored]:
    """Score every case, in order, in processes of their own."""
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(_score, makers, chunksize=4)


@cache
def scorer() -> Scorer:
    """Return the scorer of this process, which computes in one thread."""
    cv2.setNumThreads(1)
    return Scorer(threads=1)


def _score(maker: Maker) -> Scored:
    reader = scorer()
    case = maker()
    kingdoms: tuple[KingdomResult, ...] = ()
    try:
        result = reader.score(case.source, name=case.name)
        kingdoms, status, message = result.kingdoms, result.status.value, result.message
    except KdvisionError as error:
        status, message = type(error).__name__, str(error)
    return Scored(case.name, case.tags, status, message, tuple(judge(case, kingdoms)))


def judge(case: Case, results: Sequence[KingdomResult]) -> Iterator[Verdict]:
    """Yield a verdict for every true kingdom, then one for every invented one."""
    pairs = matched(case.kingdoms, results)
    for index, truth in enumerate(case.kingdoms):
        if index in pairs:
            yield _verdict(truth, results[pairs[index]])
        else:
            yield Verdict(truth, mistakes=Counter(grid=1))
    for index, result in enumerate(results):
        if index not in pairs.values():
            sure = result.status is Status.SURE
            line = str(result.sheet.kingdom)
            yield Verdict(None, line, sure=sure, probability=result.probability)


def matched(truths: Sequence[TrueKingdom], results: Sequence[KingdomResult]) -> dict[int, int]:
    """Return which true kingdom (index) was read as what (index), the best pairs first."""
    if len(truths) == 1 and len(results) == 1:
        return {0: 0}
    costs = []
    for row, truth in enumerate(truths):
        for col, result in enumerate(results):
            cost = _cost(truth, result)
            if cost is not None:
                costs.append((cost, row, col))
    pairs: dict[int, int] = {}
    for _, row, col in sorted(costs):
        if row not in pairs and col not in pairs.values():
            pairs[row] = col
    return pairs


def _cost(truth: TrueKingdom, result: KingdomResult) -> float | None:
    """Return how badly two kingdoms match; None when they cannot be the same."""
    if truth.castle is None:
        return float(compare(result.sheet.kingdom, Kingdom.parse(truth.line)).total())
    castles = [square.center for square in result.squares if square.text == CASTLE_MARK]
    gaps = [np.hypot(*np.subtract(at, truth.castle)) for at in castles if at is not None]
    gap = min(gaps, default=np.inf) / truth.square_px
    return float(gap) if gap < NEAR else None


def _verdict(truth: TrueKingdom, result: KingdomResult) -> Verdict:
    real, read = Kingdom.parse(truth.line), result.sheet.kingdom
    mistakes = compare(read, real)
    return Verdict(
        truth,
        str(read),
        right=result.sheet.total == score(real).total,
        exact=mistakes.total() == 0,
        exact_visible=compare(read, real, truth.hidden).total() == 0,
        sure=result.status is Status.SURE,
        probability=result.probability,
        mistakes=mistakes,
    )
