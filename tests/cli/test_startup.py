"""What a run loads: nothing heavy that it does not need."""

import json
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.programs import python

HEAVY = {"numpy", "cv2", "onnxruntime", "PIL", "scipy"}
#: What scoring a JPEG has no use for.
NEEDLESS = {
    *("scipy", "PIL", "pi_heif", "openpyxl", "asyncio", "multiprocessing", "rich.console"),
    *("kdvision.rules.standings", "kdvision.rules.game.state"),
}
PROGRAM = """
import json, sys
from kdvision.cli import main
code = main.run(sys.argv[1:])
json.dump([code, sorted(sys.modules)], sys.stderr)
"""


def run(*words: str | Path) -> tuple[int, set[str]]:
    """The exit code of a run, piped, and the modules that it has loaded."""
    done = python("-c", PROGRAM, *words, env={"FORCE_COLOR": ""})
    last = done.stderr.splitlines()[-1]
    code, names = json.loads(last[last.find("[") :])
    return code, set(names)


@pytest.mark.parametrize("words", [["--help"], ["batch", "--help"], ["kingdom", "C W1 W"]])
def test_help_loads_nothing_heavy(words):
    code, names = run(*words)
    assert code == 0
    assert not names & HEAVY


@pytest.mark.parametrize("form", [[], ["--json", "--harmony"]])
def test_scoring_a_jpeg_loads_nothing_needless(scorer, form):
    code, names = run(ROOT / "samples" / "plus.jpg", *form)
    assert code in (0, 6)
    assert "kdvision.pipeline.scorer" in names
    assert not names & NEEDLESS


@pytest.mark.parametrize(
    ("module", "sentence"),
    [
        ("uvicorn", "kdscore serve needs serve. Install what is missing: pip install"),
        ("python_multipart", "kdscore serve needs serve. Install what is missing: pip install"),
        ("cv2", "opencv-python-headless cannot be imported: "),
    ],
)
def test_serve_names_what_is_not_installed(module, sentence):
    """The extra `serve`, or OpenCV as everywhere."""
    without = f"import sys; sys.modules[{module!r}] = None\n{PROGRAM}"
    done = python("-c", without, "serve", "--sheet", "missing.csv")
    assert done.stderr.startswith(f"kdscore: {sentence}")
    assert done.stderr.splitlines()[-1].startswith("[2, "), "a usage error"


def test_unreadable_photos_need_no_models(tmp_path):
    (tmp_path / "text.jpg").write_text("no photo")
    code, names = run(tmp_path / "text.jpg")
    assert code == 3
    assert not names & {"kdvision.pipeline.scorer", "kdvision.vision.squares.reader"}
