"""The program as a library: every format, orientation, source and thread gives one result."""

import io
import threading
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kdvision import score_photo
from kdvision.errors import NoKingdomError, UsageError
from kdvision.pipeline.scorer import Scorer
from kdvision.result import PhotoResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.rules import Rules
from kdvision.vision.models import model_folder
from tests.support.fuzzing.pictures import FORMATS
from tests.support.paths import SAMPLES

#: A sample and what lies in it, as `samples/truth.csv` says.
MEADOW = SAMPLES / "meadow_5x5.jpg"
#: The threads of this process.
TASKS = Path("/proc/self/task")
KINGDOM = Kingdom.parse("L G2 C W W/W G1 W L S1/G2 G G G1 G/G G G G W/W F1 F F F1")


@pytest.fixture(scope="module")
def scene() -> Image.Image:
    """The sample at half its size."""
    with Image.open(MEADOW) as whole:
        return whole.convert("RGB").resize((800, 600), Image.Resampling.LANCZOS)


def kingdoms(result: PhotoResult) -> list[Kingdom]:
    return [kingdom.sheet.kingdom for kingdom in result.kingdoms]


def turned_to_truth(kingdom: Kingdom) -> Kingdom:
    """The quarter turn that fits the truth, where one does."""
    turns = [kingdom.turned(quarters) for quarters in range(4)]
    return KINGDOM if KINGDOM in turns else kingdom


# ---------------------------------------------------------------------- formats


def with_palette(pixels: np.ndarray) -> bytes:
    """A PNG of 256 colours; those of the fuzzing are fewer, and one can be seen through."""
    stream = io.BytesIO()
    Image.fromarray(pixels).quantize(256, Image.Quantize.MEDIANCUT).save(stream, "PNG")
    return stream.getvalue()


WRITE = {kind: write for kind, write in FORMATS.items() if kind != "grey JPEG"} | {
    "palette PNG": with_palette
}


@pytest.mark.parametrize("kind", WRITE)
def test_formats_give_the_same_kingdom(scorer, scene, kind):
    # Some of these files say that the camera was held sideways.
    result = scorer.score(WRITE[kind](np.asarray(scene)))
    assert [turned_to_truth(kingdom) for kingdom in kingdoms(result)] == [KINGDOM]
    assert result.kingdoms[0].sheet.total == 75


def test_photo_without_colours_is_doubtful(scorer, scene):
    try:
        result = scorer.score(FORMATS["grey JPEG"](np.asarray(scene)))
    except NoKingdomError:
        return
    assert result.status is Status.DOUBTFUL


# ---------------------------------------------------------------------- as a library


def test_score_photo_needs_no_scorer(scorer):
    result = score_photo(MEADOW, Rules(harmony=True, middle_kingdom=True))
    assert result.photo == str(MEADOW)
    assert result == scorer.score(MEADOW, Rules(harmony=True, middle_kingdom=True))
    assert result.kingdoms[0].sheet.bonus("harmony").counted


def test_fix_must_name_its_kingdom(scorer):
    with pytest.raises(UsageError, match="shows 2 kingdoms"):
        scorer.score(SAMPLES / "two_kingdoms.jpg", fixes={"a1": "W"})


@pytest.mark.skipif(not TASKS.is_dir(), reason="needs a list of all threads")
@pytest.mark.parametrize(("threads", "more"), [(1, 0), (3, 2)])
def test_photo_takes_the_threads_allowed(scorer, threads, more):
    """Those that wait for work are of the network that sees all of a photo."""
    scorer.score(MEADOW)
    before = {*TASKS.iterdir()}
    some = Scorer(threads=threads)
    some.score(MEADOW)
    # Threads of other tests may end meanwhile.
    assert len({*TASKS.iterdir()} - before) == more


def test_threads_share_one_scorer(scorer):
    photos = [SAMPLES / name for name in ("plus.jpg", "corner.jpg", "meadow_5x5.jpg")]
    expected = {photo: scorer.score(photo) for photo in photos}
    many = Scorer(model_folder(), threads=2)
    wrong: list[str] = []

    def work(first: int) -> None:
        for photo in (photos * 2)[first : first + 2]:
            for one in (scorer, many):
                if kingdoms(one.score(photo)) != kingdoms(expected[photo]):
                    wrong.append(photo.name)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
