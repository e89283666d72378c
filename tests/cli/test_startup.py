"""What a run loads: a photo is scored without any library that it does not need."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE_S

#: Libraries, of ours and of Python's own, that scoring a JPEG has no use for.
NEEDLESS = (
    "scipy", "PIL", "pillow_heif", "typer", "click", "rich", "openpyxl", "asyncio",
    "csv", "difflib", "email", "importlib.metadata", "importlib.resources", "logging",
    "fractions", "multiprocessing", "numpy.ma", "random", "tempfile", "traceback", "unittest",
)  # fmt: skip
#: Modules that `numpy`, `cv2` and `onnxruntime` load by themselves are not ours to answer for.
PROGRAM = """
import json, os, sys
import numpy, cv2, onnxruntime
before = set(sys.modules)
from kdvision.cli import main
code = main.run(sys.argv[1:])
json.dump([code, sorted(set(sys.modules) - before)], sys.stderr)
"""


def loaded(*words: str | Path) -> tuple[int, set[str]]:
    """The exit code of a run, piped, and what it loaded besides the three large libraries."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    environment.pop("FORCE_COLOR", None)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, words)],
        env=environment, capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip
    code, names = json.loads(done.stderr.splitlines()[-1][done.stderr.splitlines()[-1].find("[") :])
    return code, set(names)


@pytest.mark.parametrize("options", [[], ["--json"], ["--harmony", "--size", "5"]])
def test_scoring_a_jpeg_loads_nothing_needless(scorer, options):
    code, names = loaded(ROOT / "samples" / "plus.jpg", *options)
    assert code in (0, 6)
    assert "kdvision.pipeline.scorer" in names
    assert not names & set(NEEDLESS)


def test_what_cannot_be_read_is_refused_without_the_models(tmp_path):
    (tmp_path / "text.jpg").write_text("no photo")
    code, names = loaded(tmp_path / "text.jpg")
    assert code == 3
    assert not names & {
        "kdvision.pipeline.scorer",
        "kdvision.vision.squares.reader",
        "rich",
        "typer",
        "PIL",
    }


def test_colours_are_loaded_only_for_a_terminal():
    _, names = loaded("kingdom", "C W1")
    assert "rich" not in names
