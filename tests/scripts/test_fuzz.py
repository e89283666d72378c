"""Mutations are the same again, the watched process is watched, and a short run finds nothing."""

import subprocess
import sys
from random import Random

import pytest

from kdvision.photo.photo import open_photo
from kdvision.result import Status
from scripts.fuzzing.fuzz import DECODED, MEGABYTES
from scripts.fuzzing.mutate import STEPS, apply, draw, read_recipe, recipe, with_checksums
from scripts.fuzzing.parts import parts
from scripts.fuzzing.pictures import FORMATS, SCORED_SIDE, TOTAL, picture
from scripts.fuzzing.watchdog import Watched, worker
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE_S

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="watches /proc")

FILES = {name: write(picture(96)) for name, write in FORMATS.items()}
#: Mutations of each format; a long run has 10,000.
SHORT = 60


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_mutated_is_a_whole_photo(name: str) -> None:
    photo = open_photo(FILES[name])
    assert (photo.width, photo.height) == (96, 96)
    assert photo.damage is None


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("baseline JPEG", (b"\xff\xe0", b"\xff\xe1", b"\xff\xdb", b"\xff\xc0", b"\xff\xda")),
        ("Ultra HDR", (b"\xff\xe1", b"\xff\xe2", b"\xff\xe0")),
        ("16-bit PNG", (b"IHDR", b"IDAT", b"IEND")),
        ("WebP with EXIF", (b"VP8X", b"ALPH", b"VP8 ", b"EXIF")),
        ("HEIC", (b"ftyp", b"meta", b"iloc", b"ispe", b"mdat")),
        ("AVIF", (b"ftyp", b"meta", b"iloc", b"ispe", b"mdat")),
    ],
)
def test_files_fall_into_their_parts(name: str, kinds: tuple[bytes, ...]) -> None:
    spans = parts(FILES[name])
    starts = [FILES[name][start : start + 8] for start, _ in spans]
    for kind in kinds:
        assert any(kind in start for start in starts)
    assert all(0 < start < end <= len(FILES[name]) for start, end in spans if start)


def test_a_mutation_can_be_made_again_from_its_recipe() -> None:
    others = tuple(FILES.values())
    for number in range(200):
        steps = draw(Random(number))
        data = apply(FILES["palette PNG"], steps, others)
        assert read_recipe(recipe(steps)) == steps
        assert apply(FILES["palette PNG"], read_recipe(recipe(steps)), others) == data


@pytest.mark.parametrize("step", STEPS)
def test_every_step_changes_most_files(step: str) -> None:
    others = tuple(FILES.values())
    changed = [
        apply(data, [(step, seed)], others) != data for data in FILES.values() for seed in range(5)
    ]
    assert sum(changed) > 0.5 * len(changed)
    assert isinstance(apply(b"", [(step, 1)], others), bytes)


def test_the_larger_picture_is_sure_before_it_is_mutated(scorer) -> None:
    result = scorer.score(FORMATS["lossless WebP"](picture(SCORED_SIDE)))
    assert [kingdom.sheet.total for kingdom in result.kingdoms] == [TOTAL]
    assert result.status is Status.SURE


def test_a_recipe_of_unknown_steps_is_refused() -> None:
    with pytest.raises(ValueError, match="'bite' is no step"):
        read_recipe("byte:1 bite:2")


def test_checksums_are_made_right_again() -> None:
    data = FILES["PNG with alpha"]
    assert with_checksums(data) == data
    broken = data.replace(data[-4:], b"none")
    assert broken != data
    assert with_checksums(broken) == data


@pytest.fixture(scope="module")
def decoding():
    """A watched worker that decodes."""
    with Watched(worker("decoding"), seconds=PATIENCE_S, megabytes=MEGABYTES) as watched:
        yield watched


@pytest.mark.parametrize("name", FORMATS)
def test_a_short_run_over_every_format_finds_nothing(name: str, decoding: Watched) -> None:
    found = set()
    for number in range(SHORT):
        steps = draw(Random(f"{name} {number}"))
        outcome = decoding.open(apply(FILES[name], steps, tuple(FILES.values())))
        assert outcome.kind in DECODED, f"{recipe(steps)}: {outcome}"
        found.add(outcome.kind)
    assert {"photo", "refused"} <= found


# ---------------------------------------------------------------------- the watch itself

HOSTILE = """
import os, sys, time
from scripts.fuzzing.worker import serve
kept = []
def work(data):
    if data == b"crash": os.abort()
    if data == b"hang": time.sleep(600)
    if data == b"memory": kept.append(bytearray(os.urandom(1)) * 200_000_000)
    if data == b"all memory": kept.append(bytearray(4_000_000_000))
    if data == b"error": raise KeyError("x")
    if data == b"warning": os.write(2, b"libx: odd")
    return "photo", ""
serve(work)
"""


@pytest.mark.parametrize(
    ("data", "kind", "said"),
    [
        (b"crash", "crash", "code -6"),
        (b"hang", "hang", "no answer after 1 s"),
        (b"memory", "memory", "MB (photo: )"),
        (b"all memory", "error", "MemoryError"),
        (b"error", "error", "KeyError: 'x'"),
        (b"warning", "stderr", "libx: odd (photo: )"),
        (b"fine", "photo", ""),
    ],
)
def test_the_watch_sees_what_a_file_does(data: bytes, kind: str, said: str) -> None:
    command = [sys.executable, "-c", HOSTILE]
    with Watched(command, seconds=PATIENCE_S, megabytes=150) as watched:
        assert watched.open(b"fine").kind == "photo"
        # It has started: only a file that hangs takes a second now, on whatever machine.
        watched.seconds = 1 if data == b"hang" else PATIENCE_S
        outcome = watched.open(data)
        assert (outcome.kind, said in outcome.said) == (kind, True), outcome
        watched.seconds = PATIENCE_S
        assert watched.open(b"fine").kind == "photo"


def test_the_program_ends_with_a_table() -> None:
    command = [
        sys.executable,
        "-m",
        "scripts.fuzzing.fuzz",
        "--count",
        "9",
        "--scored",
        "0",
        "--only",
        "WebP",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    (row,) = [line for line in done.stdout.splitlines() if "│ WebP" in line]
    assert row.split("│")[2].strip() == "9"
    assert row.split("│")[-2].strip() == "0"
