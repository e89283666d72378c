"""The plan of the house: which room may import which, and which libraries."""

import graphlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.sources import imports

PACKAGE = ROOT / "kdvision"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: From the ground up: a room imports from itself and from those before it. Single modules beside
#: the folders stand between them.
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
    "library",
    "tournament",
    "serve",
    "cli",
    "__main__",
)
#: The same within vision.
VISION = (
    "settings",
    "geometry",
    "models",
    "grid",
    "squares",
    "seams",
    "doubts",
    "selection",
)
#: These modules may be imported by every room but the rules; of ours they import at most the
#: errors and the sentences.
COMMON = ("errors", "arrays", "concurrency", "files", "sentences")
#: The package itself, which gives the public names of all rooms, and `python -m kdvision`.
DOORS = ("", "__main__")
#: Rooms beside each other, which do not know each other.
APART = (("decoding", "photo"), ("decoding", "vision"))
#: What a room may import of others' libraries. What is not named here imports none.
LIBRARIES = {
    "arrays": {"numpy"},
    "decoding": {"numpy"},
    "photo": {"numpy", "cv2", "PIL", "pillow_heif", "simplejpeg"},
    "vision": {"numpy", "cv2", "onnxruntime"},
    "result": {"PIL"},
    "pipeline": {"numpy"},
    "library": {"numpy"},
    "report": {"numpy", "cv2", "PIL", "rich", "jinja2"},
    "tournament": {
        "cv2",
        "numpy",
        "distributed",
        "filelock",
        "openpyxl",
    },
    "serve": {
        "cv2",
        "numpy",
        "starlette",
        "uvicorn",
        "python_multipart",
        "jinja2",
        "segno",
        "openpyxl",
    },
    "cli": {"typer", "rich"},
}


def module(path: Path) -> tuple[str, ...]:
    """The name of a module within the package, in its parts; `()` for the package itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


NAMES = {module(path): path for path in MODULES}


def room(parts: tuple[str, ...]) -> str:
    """The room of a module; empty for the package itself."""
    return parts[0] if parts else ""


def ours(path: Path) -> set[tuple[str, ...]]:
    """The modules of ours that a module imports; of a name, the module that it stands in."""
    found = set()
    for name in imports(path):
        first, *rest = name.split(".")
        if first == "kdvision":
            parts = tuple(rest)
            found.add(parts if parts in NAMES else parts[:-1])
    return found


def each(names: list[Path]) -> pytest.MarkDecorator:
    """A test for each of some modules."""
    return pytest.mark.parametrize("path", names, ids=lambda path: "/".join(module(path)) or ".")


def test_every_module_is_in_a_room() -> None:
    assert {room(name) for name in NAMES} <= {*ROOMS, *COMMON, *DOORS}
    inside = {name[1] for name in NAMES if room(name) == "vision" and len(name) > 1}
    assert inside <= set(VISION)


@each([path for path in MODULES if room(module(path)) not in DOORS])
def test_imports_run_one_way(path: Path) -> None:
    mine = room(module(path))
    others = {room(name) for name in ours(path)} - {mine}
    if mine in COMMON:
        # The base of all errors is that of the rules, which import nothing.
        known = {"errors", "sentences", "rules"} if mine == "errors" else {"errors", "sentences"}
        assert others <= (known if mine != "sentences" else set()) - {mine}
        return
    below = set(ROOMS[: ROOMS.index(mine)])
    # "" is what the package itself says, such as its version: see below.
    assert others <= (below | {*COMMON, ""} if mine != "rules" else set())
    assert not any({mine, other} in map(set, APART) for other in others)


@each([path for path in MODULES if len(module(path)) > 1 and room(module(path)) == "vision"])
def test_imports_run_one_way_in_vision(path: Path) -> None:
    mine = module(path)[1]
    others = {name[1] for name in ours(path) if room(name) == "vision"}
    assert others <= set(VISION[: VISION.index(mine) + 1])


def test_no_circles() -> None:
    """Nor through imports within functions, or for the types alone."""
    names = {name: path for name, path in NAMES.items() if room(name) not in DOORS}
    graph = {name: ours(path) - {name, ()} for name, path in names.items()}
    order = list(graphlib.TopologicalSorter(graph).static_order())
    assert set(names) <= set(order)


@each(MODULES)
def test_a_room_imports_only_its_libraries(path: Path) -> None:
    foreign = {name.split(".")[0] for name in imports(path)} - {"kdvision", "__future__"}
    mine = room(module(path))
    records = set() if mine == "rules" else {"msgspec"}
    assert foreign - sys.stdlib_module_names <= LIBRARIES.get(mine, set()) | records


@each([path for path in MODULES if room(module(path)) == "decoding"])
def test_decoding_sees_no_pixels(path: Path) -> None:
    """It works on the probabilities of a reading: numpy for these, and nothing of pictures."""
    rooms = {room(name) for name in ours(path)} - {"arrays"}
    assert rooms <= {"decoding", "rules", "options", "reading", "corrections", "errors"}
    assert not re.search(r"\bImage\b|\buint8\b", path.read_text("utf-8"))


def test_the_rules_load_no_library() -> None:
    names = [".".join(("kdvision", *name)) for name in NAMES if room(name) == "rules"]
    code = f"import sys, {', '.join(names)}; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert not loaded & {"numpy", "cv2", "onnxruntime", "rich", "typer", "PIL", "scipy"}
