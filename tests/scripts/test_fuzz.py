"""Mutations are the same again, the watched process is watched, and a short run finds nothing."""

import os
import sys
import time
from random import Random

import pytest

from scripts.fuzzing.fuzz import ALLOWED
from scripts.fuzzing.mutate import STEPS, apply, draw, read_recipe, recipe, with_checksums
from scripts.fuzzing.pictures import FORMATS, picture
from scripts.fuzzing.watched import Outcome, Watched, decode
from tests.support.waiting import PATIENCE_S

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="watches /proc")

FILES = {name: write(picture(96)) for name, write in FORMATS.items()}
#: Mutations of each format; a long run has 10,000.
SHORT = 40


def test_a_mutation_can_be_made_again_from_its_recipe():
    files = tuple(FILES.values())
    for number in range(100):
        steps = draw(Random(number))
        assert read_recipe(recipe(steps)) == steps
        data = apply(FILES["palette PNG"], steps, files)
        assert apply(FILES["palette PNG"], read_recipe(recipe(steps)), files) == data


@pytest.mark.parametrize("step", STEPS)
def test_every_step_changes_most_files(step):
    files = tuple(FILES.values())
    changed = [
        apply(data, [(step, seed)], files) != data for data in FILES.values() for seed in range(5)
    ]
    assert sum(changed) > 0.5 * len(changed)
    assert isinstance(apply(b"", [(step, 1)], files), bytes)


def test_checksums_are_made_right_again():
    data = FILES["PNG with alpha"]
    broken = data.replace(data[-4:], b"none")
    assert broken != data == with_checksums(data) == with_checksums(broken)


def test_a_short_run_over_every_format_finds_nothing():
    kinds = set()
    with Watched(decode, seconds=PATIENCE_S) as watched:
        for name in FORMATS:
            for number in range(SHORT):
                steps = draw(Random(f"{name} {number}"))
                outcome = watched.open(apply(FILES[name], steps, tuple(FILES.values())))
                assert outcome.kind in ALLOWED, f"{name} {recipe(steps)}: {outcome}"
                kinds.add(outcome.kind)
    assert {"photo", "damaged", "refused"} <= kinds


def hostile(data: bytes) -> Outcome:
    """What no file may do to the program."""
    match data:
        case b"crash":
            os.abort()
        case b"hang":
            time.sleep(600)
        case b"memory":
            bytearray(4_000_000_000)
        case b"warning":
            os.write(2, b"libx: odd")
    return Outcome("photo")


def test_the_watch_sees_what_a_file_does():
    with Watched(hostile, seconds=PATIENCE_S) as watched:
        for data, kind, message in (
            (b"fine", "photo", ""),
            (b"memory", "error", "MemoryError"),
            (b"warning", "stderr", "libx: odd"),
            (b"crash", "crash", "code -6"),
            (b"fine", "photo", ""),
            (b"hang", "hang", "no answer after 1 s"),
        ):
            # It has started: only a file that hangs takes a second now, on whatever machine.
            watched.seconds = 1 if data == b"hang" else PATIENCE_S
            outcome = watched.open(data)
            assert (outcome.kind, message in outcome.message) == (kind, True), outcome
