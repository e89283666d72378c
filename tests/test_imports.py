"""Which room may import which, and that every numbered rule has a test."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT, TESTS
from tests.support.sources import imports

PACKAGE = ROOT / "kdvision"

#: From the ground up: a room imports from itself and from those before it. Single modules beside
#: the rooms stand between them.
ROOMS = (
    "rules",
    "options",
    "reading",
    "corrections",
    "decoding",
    "photo",
    "vision",
    "result",
    "pipeline",
    "report",
    "tournament",
    "cli",
)
#: The package itself and these modules may be imported by every room but the rules; of ours they
#: import at most the errors.
COMMON = ("", "errors", "arrays", "concurrency", "files")
#: Rooms beside each other, which do not know each other.
APART = (("decoding", "photo"), ("decoding", "vision"))
MODULES = sorted(PACKAGE.rglob("*.py"))

#: The numbered lines of the rules that kdvision implements; sections 4 and 6 have no numbers.
RULES = [
    *(f"1_{n}" for n in range(1, 5)),
    *(f"2_{n}" for n in range(1, 6)),
    *(f"3_{n}" for n in range(1, 6)),
    "4",
    *(f"5_{n}" for n in range(1, 7)),
    "6",
    *(f"7_{n}" for n in range(1, 8)),
]


def room(parts: tuple[str, ...]) -> str:
    """The room of a module within the package, by the parts of its name; `` for the package."""
    return parts[0] if parts else ""


def room_of(path: Path) -> str:
    relative = path.relative_to(PACKAGE).with_suffix("")
    return room(tuple(part for part in relative.parts if part != "__init__"))


def ours(path: Path) -> set[str]:
    """The rooms that a module imports from."""
    names = (name.split(".") for name in imports(path))
    return {room(tuple(parts[1:])) for parts in names if parts[0] == "kdvision"}


def test_every_module_is_in_a_room() -> None:
    assert {room_of(path) for path in MODULES} <= {*ROOMS, *COMMON}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    mine = room_of(path)
    if mine == "rules":
        assert ours(path) <= {"rules"}
    elif mine == "errors":
        assert not ours(path)
    elif mine in COMMON[1:]:
        assert ours(path) <= {"errors"}
    elif mine:
        below = ROOMS[: ROOMS.index(mine) + 1]
        # Names that the package itself gives, such as its version, are no room.
        assert ours(path) & set(ROOMS) <= set(below)
        for one, other in APART:
            assert mine not in (one, other) or not {one, other} - {mine} & ours(path)


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "decoding").rglob("*.py")), ids=lambda path: path.stem
)
def test_decoding_sees_no_pixels(path: Path) -> None:
    """It works on the probabilities of a reading: numpy for these, and nothing of pictures."""
    assert ours(path) <= {"decoding", "rules", "options", "reading", "corrections", "errors"}
    foreign = {name.split(".")[0] for name in imports(path)} - {"kdvision"}
    assert foreign <= {*sys.stdlib_module_names, "numpy"}


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "rules").rglob("*.py")), ids=lambda path: path.stem
)
def test_the_rules_import_nothing_but_the_standard_library(path: Path) -> None:
    foreign = {name for name in imports(path) if not name.startswith("kdvision.rules.")}
    assert {name.split(".")[0] for name in foreign} <= sys.stdlib_module_names


def test_the_rules_load_no_library() -> None:
    modules = [path for path in MODULES if room_of(path) == "rules" and path.stem != "__init__"]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in modules]
    code = f"import sys, {', '.join(names)}; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"numpy", "cv2", "onnxruntime", "rich", "typer", "PIL", "scipy"}


@pytest.mark.parametrize("rule", RULES)
def test_every_numbered_rule_has_a_test(rule: str) -> None:
    text = "\n".join(path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    assert re.search(rf"def test_rule_{rule}_[a-z]", text)
