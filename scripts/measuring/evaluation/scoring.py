"""Score cases and set what was said against what is true, kingdom by kingdom."""

import gc
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from kdvision.decoding.table import likeliest_kingdoms
from kdvision.errors import KdvisionError
from kdvision.photo.photo import Photo
from kdvision.pipeline.reader import Seen, Sight
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import Reading
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score
from kdvision.rules.terrain import CASTLE_MARK
from kdvision.vision.grid.finder import Grid
from kdvision.vision.squares.castle import castle_center
from scripts.measuring.evaluation.cases import Case, Maker, TrueKingdom
from scripts.measuring.evaluation.mistakes import Mistakes, compare

#: A castle further away than so many squares belongs to another kingdom.
NEAR = 2.5


@dataclass(frozen=True, slots=True)
class Verdict:
    """One kingdom: what is true (None: it was invented) and what was said (None: it was missed).

    `right` and `seen_right` are about the total as decoded and as seen, `exact` and `seen_exact`
    about every square, `exact_aside` about every square that is not hidden. `squares` are those of
    the kingdom that are not hidden, `wrong` and `seen_wrong` how many of them were read wrong.
    `reading` is what was decoded, `grid` where it lay.
    """

    truth: TrueKingdom | None
    said: str | None = None
    right: bool = False
    seen_right: bool = False
    exact: bool = False
    seen_exact: bool = False
    exact_aside: bool = False
    squares: int = 0
    wrong: int = 0
    seen_wrong: int = 0
    sure: bool = False
    probability: float = 0.0
    mistakes: Mistakes = field(default_factory=Mistakes)
    grid: Grid | None = None
    reading: Reading | None = None

    @property
    def silent(self) -> bool:
        """Whether a total was called sure that is wrong or cannot be known."""
        return self.sure and (not self.right or self.truth is None or self.truth.cut)


@dataclass(frozen=True, slots=True)
class Scored:
    """What came of a case."""

    name: str
    tags: Mapping[str, str]
    family: str
    status: str
    message: str
    verdicts: tuple[Verdict, ...]
    decode_ms: tuple[float, ...] = ()
    seconds: float = 0.0

    @property
    def sure(self) -> bool:
        """Whether the whole picture came out sure."""
        return self.status == Status.SURE

    @property
    def left_out(self) -> bool:
        """Whether the picture came out sure although a kingdom in it was not reported."""
        missed = any(one.said is None and one.truth and not one.truth.cut for one in self.verdicts)
        return self.sure and missed


class Watcher(Scorer):
    """A scorer that keeps the readings of the last photo."""

    seen: tuple[Seen, ...]

    def see(self, photo: Photo) -> Sight:
        """Read a photo, and keep what was read."""
        sight = super().see(photo)
        self.seen = sight.kingdoms
        return sight


_scorer: Watcher | None = None


def score_all(makers: Iterable[Maker], workers: int) -> Iterator[Scored]:
    """Score every case, in order; with several workers in processes of their own."""
    if workers <= 1:
        _start()
        yield from map(_score, makers)
        return
    with ProcessPoolExecutor(workers, initializer=_start) as pool:
        yield from pool.map(_score, makers, chunksize=4)


def _start() -> None:
    global _scorer
    cv2.setNumThreads(1)
    _scorer = Watcher(threads=1)


def _score(maker: Maker) -> Scored:
    assert _scorer is not None
    case = maker()
    source = str(case.source) if isinstance(case.source, Path) else case.source
    started = time.perf_counter()
    try:
        scored = _scorer.score(source, name=case.name)
        result: PhotoResult | None = scored
        status, message = scored.status.value, scored.message
    except KdvisionError as error:
        result, status, message = None, type(error).__name__, str(error)
    seconds = time.perf_counter() - started
    seen = _scorer.seen if result else ()
    verdicts = tuple(judge(case, result.kingdoms if result else (), seen))
    times = tuple(_decode_ms(reading) for _, reading in seen)
    return Scored(case.name, case.tags, case.family, status, message, verdicts, times, seconds)


def _decode_ms(reading: Reading) -> float:
    """How long a free core decodes: other processes do not count.

    Nor does what the evaluation holds, thousands of results, through which Python looks for garbage
    now and then, for up to two tenths of a second. Garbage of the decoding itself counts.
    """
    gc.freeze()
    started = time.thread_time()
    likeliest_kingdoms([reading])
    taken = time.thread_time() - started
    gc.unfreeze()
    return 1000 * taken


def judge(case: Case, said: tuple[KingdomResult, ...], seen: Sequence[Seen]) -> Iterator[Verdict]:
    """A verdict for every true kingdom, then one for every invented one."""
    seen = _of_results(said, seen)
    pairs = matched(case.kingdoms, said)
    for index, truth in enumerate(case.kingdoms):
        if index in pairs:
            yield _verdict(truth, said[pairs[index]], *seen[pairs[index]])
        else:
            count = _squares(truth)
            missed = Mistakes(grid=1)
            yield Verdict(truth, squares=count, wrong=count, seen_wrong=count, mistakes=missed)
    for index, result in enumerate(said):
        if index not in pairs.values():
            sure = result.status is Status.SURE
            yield Verdict(
                None,
                str(result.sheet.kingdom),
                sure=sure,
                probability=result.probability,
                grid=seen[index][0],
                reading=seen[index][1],
            )


def _of_results(said: tuple[KingdomResult, ...], seen: Sequence[Seen]) -> Sequence[Seen]:
    """What was seen of every kingdom that is reported, by its castle: some were left out."""
    if len(said) == len(seen):
        return seen

    def gap(result: KingdomResult, reading: Reading) -> float:
        castles = [square.center for square in result.squares if square.text == CASTLE_MARK]
        near = castle_center(reading)
        return min(
            (float(np.hypot(*np.subtract(at, near))) for at in castles if at), default=np.inf
        )

    def nearest(result: KingdomResult) -> Seen:
        return min(seen, key=lambda one: gap(result, one[1]))

    return list(map(nearest, said))


def matched(truths: tuple[TrueKingdom, ...], said: tuple[KingdomResult, ...]) -> dict[int, int]:
    """Which true kingdom (index) was said to be what (index), the best pairs first."""
    if len(truths) == 1 and len(said) == 1:
        return {0: 0}
    costs = sorted(
        (cost, one, other)
        for one, truth in enumerate(truths)
        for other, result in enumerate(said)
        if (cost := _cost(truth, result)) is not None
    )
    pairs: dict[int, int] = {}
    for _, one, other in costs:
        if one not in pairs and other not in pairs.values():
            pairs[one] = other
    return pairs


def _cost(truth: TrueKingdom, result: KingdomResult) -> float | None:
    """How badly two kingdoms match; None when they cannot be the same."""
    if truth.castle is None:
        return float(compare(result.sheet.kingdom, Kingdom.parse(truth.line)).total)
    castles = [square.center for square in result.squares if square.text == CASTLE_MARK]
    gaps = [np.hypot(*np.subtract(at, truth.castle)) for at in castles if at is not None]
    gap = min(gaps, default=np.inf) / truth.square_px
    return float(gap) if gap < NEAR else None


def _verdict(truth: TrueKingdom, result: KingdomResult, grid: Grid, reading: Reading) -> Verdict:
    real, said = Kingdom.parse(truth.line), result.sheet.kingdom
    seen = Kingdom.parse(result.seen) if result.seen else said
    total, mistakes = score(real).total, compare(said, real)
    aside, seen_aside = (compare(one, real, truth.hidden) for one in (said, seen))
    count = _squares(truth)
    return Verdict(
        truth,
        str(said),
        right=result.sheet.total == total,
        seen_right=score(seen).total == total,
        exact=mistakes.total == 0,
        seen_exact=compare(seen, real).total == 0,
        exact_aside=aside.total == 0,
        squares=count,
        wrong=count if aside.grid else min(aside.total, count),
        seen_wrong=count if seen_aside.grid else min(seen_aside.total, count),
        sure=result.status is Status.SURE,
        probability=result.probability,
        mistakes=mistakes,
        grid=grid,
        reading=reading,
    )


def _squares(truth: TrueKingdom) -> int:
    """The squares of a kingdom that are not hidden."""
    cells = Kingdom.parse(truth.line).cells()
    return sum(cell is not None and at not in truth.hidden for at, cell in cells)
