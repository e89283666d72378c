"""The functions of the public library that have no other home; `import kdvision` gives them.

What reads photos is loaded when a function is called, not when this module is.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from kdvision.corrections import Fixes
from kdvision.errors import UNNAMED, NoKingdomError, UnreadablePhotoError, UsageError
from kdvision.result import OVERLAY_SIDE, PhotoResult, check_result
from kdvision.rules.errors import check_type
from kdvision.rules.rules import DEFAULT_RULES, Rules, check_rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kdvision.photo.photo import Source
    from kdvision.pipeline.scorer import Scorer

#: Called after every photo: how many are done, and how many there are.
Progress = Callable[[int, int], None]


def score_photo(
    photo: "Source",
    rules: Rules = DEFAULT_RULES,
    *,
    fixes: Fixes | None = None,
    kingdoms: int | None = None,
    name: str | None = None,
) -> PhotoResult:
    """Score the kingdoms in one photo. For many photos take `score_many`, or one `Scorer`.

    Args:
        photo: A path, the bytes of a picture file, a file open for reading bytes, a picture of
            Pillow, or RGB pixels (h, w, 3) uint8 of an upright photo.
        rules: What the game is played by, such as `Rules(harmony=True)`.
        fixes: Squares that are known, by their place in the kingdom as it is read without them:
            `{"b3": "W1"}`, and `{"B.b3": "W1"}` where there are several kingdoms. A place may
            lie beside the kingdom: `z3` is left of `a3`, `c0` above `c1`.
        kingdoms: How many kingdoms the photo shows: then nothing else in it is one.
        name: What the result calls the photo; None takes the path.

    Raises:
        UsageError: A fix or the type of the photo makes no sense.
        RulesError: `rules` are no `Rules`.
        UnreadablePhotoError: The photo cannot be read.
        NoKingdomError: There is no kingdom in it.
        ModelError: A model is missing or damaged.
    """
    return _open_scorer().score(photo, rules, name=name, fixes=fixes, kingdoms=kingdoms)


def score_many(
    photos: "Iterable[Source]",
    rules: Rules = DEFAULT_RULES,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Iterator[PhotoResult]:
    """Score many photos on several threads. A bad photo gives a result that says why.

    Args:
        photos: Each as for `score_photo`.
        rules: What the games are played by.
        workers: The number of photos scored at a time; None takes all cores.
        progress: Called after every photo with the number done and the number of all.

    Returns:
        The results in the order of the photos, each as soon as it is there.

    Raises:
        UsageError: The type of a photo makes no sense.
        RulesError: `rules` are no `Rules`.
        ModelError: A model is missing or damaged.
    """
    if isinstance(photos, str | bytes) or not isinstance(photos, Iterable):
        raise UsageError("score_many takes several photos.", "Give a list of paths.")
    if workers is not None and (not isinstance(workers, int) or workers < 1):
        raise UsageError(f"workers is {str(workers)[:20]!r}.", "Write a number from 1 on.")
    check_rules(rules)
    check_type(progress, Callable | None, "function; progress takes two numbers")
    return _score_each(list(photos), rules, workers, progress)


def _score_each(
    photos: "list[Source]", rules: Rules, workers: int | None, progress: Progress | None
) -> Iterator[PhotoResult]:
    """Yield the results of photos in their order, each as soon as it is there."""
    from concurrent.futures import ThreadPoolExecutor

    from kdvision.concurrency import cores

    count = min(workers or cores(), max(len(photos), 1))
    scorer = _open_scorer(threads=1 if count > 1 else 0)
    with ThreadPoolExecutor(count) as pool:
        try:
            waiting = [pool.submit(_score_or_explain, scorer, photo, rules) for photo in photos]
            for done, future in enumerate(waiting, 1):
                result = future.result()
                if progress is not None:
                    progress(done, len(photos))
                yield result
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _score_or_explain(scorer: "Scorer", photo: "Source", rules: Rules) -> PhotoResult:
    """Return the result of a photo, also where it has none to score."""
    try:
        return scorer.score(photo, rules)
    except (UnreadablePhotoError, NoKingdomError) as error:
        return PhotoResult.of_error(error.photo or UNNAMED, error)


def _open_scorer(threads: int = 0) -> "Scorer":
    """Open a scorer; the models are loaded here."""
    from kdvision.pipeline.scorer import Scorer

    return Scorer(threads=threads)


def draw_overlay(
    photo: "Source", result: PhotoResult, *, side: int = OVERLAY_SIDE
) -> "npt.NDArray[np.uint8]":
    """Draw what was read over its photo: squares, territories, doubts, and a legend below.

    Args:
        photo: The photo that was scored, as for `score_photo`; pixels may also be smaller.
        result: What `score_photo` gave.
        side: The longer side of the picture in pixels, if the photo has as many.

    Returns:
        The picture, (h, w, 3) RGB uint8.

    Raises:
        UsageError: An argument makes no sense.
        UnreadablePhotoError: The photo cannot be read.
    """
    from kdvision.photo.photo import open_photo
    from kdvision.report import overlay

    result = check_result(result)
    _check_side(side)
    opened = open_photo(photo, name=result.photo)
    rgb, scale = opened.pixels(side)
    if result.size[0]:
        scale *= result.size[0] / opened.width
    return overlay.add_legend(overlay.draw_overlay(rgb, result, scale), result)


def _check_side(side: object) -> None:
    """Refuse what is no number of pixels."""
    if not isinstance(side, int) or side < 1:
        raise UsageError(f"side is {str(side)[:20]!r}.", "Write a number of pixels from 1 on.")


def to_html(result: PhotoResult, *, side: int = 960) -> str:
    """Return a result for a notebook: the overlay, where the photo is there, and the sheets.

    Args:
        result: What `score_photo` gave.
        side: The longer side of the picture in pixels.

    Raises:
        UsageError: It is no result, or `side` is no number of pixels.
    """
    from base64 import b64encode
    from html import escape
    from io import BytesIO

    from kdvision.report.text import text_report

    result = check_result(result)
    _check_side(side)
    stream, picture = BytesIO(), ""
    with suppress(UsageError, UnreadablePhotoError):  # the photo is gone
        result.to_image(side=side).save(stream, "JPEG", quality=85)
        data = b64encode(stream.getvalue()).decode("ascii")
        picture = f'<img src="data:image/jpeg;base64,{data}">'
    sheets = text_report(result) if result.kingdoms else f"{result.photo}: {result.message}"
    return f"{picture}<pre>{escape(sheets)}</pre>"
