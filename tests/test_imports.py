"""Which package may import which, and which libraries."""

import graphlib
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.sources import imports

PACKAGE = ROOT / "kdvision"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: From the ground up: a package imports from itself and from those before it.
PACKAGES = (
    "lazy", "rules", "kdvision", "sentences", "errors", "logs", "odds", "arrays", "concurrency",
    "files", "options", "reading", "corrections", "decoding", "photo", "vision",
    "vision.geometry", "vision.models", "vision.grid", "vision.squares", "vision.colours",
    "vision.seams", "vision.found", "vision.clipping", "vision.evenness", "vision.border",
    "vision.clarity", "vision.obstructions", "vision.doubts", "vision.selection",
    "vision.left_out", "vision.vision", "result", "pipeline", "report", "library", "tournament",
    "serve", "cli", "__main__",
)  # fmt: skip
#: The package itself gives the public names of all packages.
TOP = "kdvision"
#: Decoding and the packages of pictures do not know each other.
PICTURES = ("photo", "vision")
#: What a package may import of libraries. What is not named here imports none but msgspec.
LIBRARIES = {
    "arrays": {"numpy"},
    "decoding": {"numpy"},
    "photo": {"numpy", "cv2", "PIL", "pi_heif", "simplejpeg"},
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
        "pebble",
        "python_calamine",
        "xlsxwriter",
    },
    "serve": {"cv2", "numpy", "starlette", "uvicorn", "python_multipart", "jinja2", "segno"},
    "cli": {"typer", "rich"},
}


def module(path: Path) -> tuple[str, ...]:
    """The name of a module within the package, in its parts; `()` for the package itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


NAMES = {module(path): path for path in MODULES}


def package_of(parts: tuple[str, ...]) -> str:
    """The package of a module; those of vision have packages within."""
    return ".".join(parts[:2] if parts[:1] == ("vision",) else parts[:1]) or TOP


def ours(path: Path) -> set[tuple[str, ...]]:
    """The modules of ours that a module imports; of a name, the module that it stands in."""
    modules = set()
    for name in imports(path):
        first, *rest = name.split(".")
        if first == "kdvision":
            parts = tuple(rest)
            modules.add(parts if parts in NAMES else parts[:-1])
    return modules


INSIDE = [path for path in MODULES if package_of(module(path)) != TOP]
each = pytest.mark.parametrize("path", INSIDE, ids=lambda path: "/".join(module(path)))


@each
def test_imports_run_one_way(path):
    mine = package_of(module(path))
    imported = {package_of(name) for name in ours(path)} - {mine}
    assert imported <= set(PACKAGES[: PACKAGES.index(mine)])
    assert "decoding" not in imported or not mine.startswith(PICTURES)


def test_no_circles():
    """Nor through imports within functions, or for the types alone."""
    names = {name: path for name, path in NAMES.items() if package_of(name) != TOP}
    graph = {name: ours(path) - {name, ()} for name, path in names.items()}
    order = list(graphlib.TopologicalSorter(graph).static_order())
    assert set(names) <= set(order)


@each
def test_package_imports_only_its_libraries(path):
    foreign = {name.split(".")[0] for name in imports(path)} - {"kdvision", "__future__"}
    mine = module(path)[0]
    records = set() if mine == "rules" else {"msgspec"}
    assert foreign - sys.stdlib_module_names <= LIBRARIES.get(mine, set()) | records
