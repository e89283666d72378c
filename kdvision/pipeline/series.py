"""Photos of one kingdom as it grows: each aligned with the next, their doubts settled together.

Squares never move, so photos settle each other's doubts (`kdvision.pipeline.evidence`), and of two
photos the one with more dominoes is the later one.
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from math import dist

from msgspec import Struct
from msgspec.structs import replace

from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.photo.photo import Photo
from kdvision.pipeline.scorer import Scorer
from kdvision.pipeline.settings import PIPELINE
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.game.record import Alignment, Growth, alignments, laid_between
from kdvision.rules.kingdom import Kingdom, Position
from kdvision.rules.terrain import EMPTY_MARK


class Order(StrEnum):
    """What the photos say of the order in which they were given."""

    #: Every photo shows the one before it, and more.
    PROVED = "proved"
    #: They show one kingdom as it grows, in another order.
    REFUTED = "refuted"
    #: Two photos show the same squares, so either may come first.
    OPEN = "open"
    #: Some photo shows squares that do not fit to another's.
    APART = "apart"


class Step(Struct, frozen=True):
    """One photo of a series.

    Attributes:
        result: What the photo came to, its doubts settled by the others.
        index: Which of its kingdoms grows.
        alignment: How the kingdom before it lies in this one; None for the first, and where none
            does.
        laid: What was laid since the kingdom before; None likewise.
        settled: What other photos say of places of this one, by position: the cell.
    """

    result: PhotoResult
    index: int
    alignment: Alignment | None = None
    laid: Growth | None = None
    settled: tuple[tuple[Position, str], ...] = ()

    @property
    def kingdom(self) -> KingdomResult:
        """The kingdom that grows."""
        return self.result.kingdoms[self.index]


class Series(Struct, frozen=True):
    """Photos of one kingdom in the order in which it grew, and the order in which they were given.

    `given[i]` is the place of the step `i` among the photos as they were given.
    """

    steps: tuple[Step, ...]
    given: tuple[int, ...]
    order: Order


def series_of(
    scorer: Scorer,
    scored: Sequence[tuple[Photo, PhotoResult]],
    options: GameOptions = DEFAULT_OPTIONS,
) -> Series:
    """Photos of one kingdom that were scored, as a series.

    Args:
        scorer: Reads photos again whose doubts others settle.
        scored: At least one photo with its result, which has a kingdom.
        options: The rules.
    """
    results = [_with_others(scorer, scored, index, options) for index in range(len(scored))]
    steps = [
        Step(result, index, settled=_settled_squares(result.kingdoms[index], alone))
        for result, (_, alone), index in zip(results, scored, _followed(results), strict=True)
    ]
    given = sorted(range(len(steps)), key=lambda at: len(steps[at].kingdom.kingdom.squares()))
    ordered = [steps[at] for at in given]
    pairs = pairwise(ordered)
    found = [ordered[0], *(_joined(before, step, options.boxes) for before, step in pairs)]
    return Series(tuple(found), tuple(given), _order(found, given))


def _with_others(
    scorer: Scorer,
    scored: Sequence[tuple[Photo, PhotoResult]],
    index: int,
    options: GameOptions,
) -> PhotoResult:
    """The result of one photo; in doubt, with what others show of the same kingdoms.

    What a glare hides in one of several photos of one moment is no growth.
    """
    photo, result = scored[index]
    if result.status is Status.SURE or len(scored) < 2:
        return result
    others = [other for other, _ in scored if other is not photo]
    together = scorer.score_with(photo, others, options)
    same = len(together.kingdoms) == len(result.kingdoms)
    return replace(together, photo=result.photo, photos=()) if same else result


def _settled_squares(
    kingdom: KingdomResult, alone: PhotoResult
) -> tuple[tuple[Position, str], ...]:
    """The squares that other photos settled: the photo alone was unsure of them, or read others."""
    before = [square for one in alone.kingdoms for square in one.squares if square.center]
    settled = []
    for square in kingdom.squares:
        if square.photo in ("", alone.photo) or square.center is None:
            continue
        center = square.center
        old = min(before, key=lambda one: dist(one.center or center, center), default=None)
        if not (old and old.text == square.text and old.probability >= PIPELINE.clear_place):
            settled.append((square.at, square.text))
    return tuple(settled)


def _followed(results: Sequence[PhotoResult]) -> list[int]:
    """Which kingdom of every photo is that of the series: the one that fits the others best."""
    single = [one.kingdoms[0].kingdom for one in results if len(one.kingdoms) == 1]
    models = single or [results[0].kingdoms[0].kingdom]
    return [
        min(
            range(len(result.kingdoms)),
            key=lambda index: sum(
                _clashes(result.kingdoms[index].kingdom, model) for model in models
            ),
        )
        for result in results
    ]


def _clashes(one: Kingdom, other: Kingdom) -> float:
    """How many squares keep the smaller of two kingdoms from lying in the larger."""
    small, large = sorted((one, other), key=lambda kingdom: len(kingdom.squares()))
    found = alignments(small, large)
    return len(found[0].clashes) if found else float("inf")


def _joined(before: Step, step: Step, boxes: int) -> Step:
    """A step with what was laid since the one before it."""
    earlier, later = before.kingdom.kingdom, step.kingdom.kingdom
    found = _best(earlier, later, boxes)
    if found is None or found.clashes:
        return step
    for at in _may_hold(before.kingdom):
        there = found.places[at]
        if there in later and later[there] is not None:
            earlier = earlier.with_cell(at, later[there])
    return replace(step, alignment=found, laid=laid_between(earlier, later, found, boxes))


def _may_hold(result: KingdomResult) -> set[Position]:
    """The empty places of a kingdom on which a square may lie that the photo hides."""
    kingdom = result.kingdom
    return {
        at
        for one in result.alternatives
        for at, text in one.squares
        if text != EMPTY_MARK and at in kingdom and kingdom[at] is None
    }


def _best(earlier: Kingdom, later: Kingdom, boxes: int) -> Alignment | None:
    """How one kingdom lies in another: of several ways one whose new squares make dominoes."""
    found = alignments(earlier, later)
    if len(found) < 2 or found[0].clashes:
        return found[0] if found else None
    cut = [one for one in found if laid_between(earlier, later, one, boxes).pairs]
    return (cut or found)[0]


def _order(steps: Sequence[Step], given: Sequence[int]) -> Order:
    if any(step.laid is None for step in steps[1:]):
        return Order.APART
    if any(step.laid is not None and not step.laid.new for step in steps[1:]):
        return Order.OPEN
    return Order.PROVED if list(given) == sorted(given) else Order.REFUTED
