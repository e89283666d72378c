"""The pictures of docs/: the rooms as their script draws them, and every view of the server."""

import re
from pathlib import Path
from xml.etree import ElementTree

from scripts.docs import picture_serve
from scripts.docs.draw_architecture import BOXES, HEIGHT, TARGET, WIDTH, drawing, overlaps
from tests.support.paths import ROOT

PACKAGE = ROOT / "kdvision"
#: Of one picture in docs/.
MOST_PICTURE_BYTES = 120_000


def test_the_picture_is_drawn_by_its_script() -> None:
    assert TARGET.read_text("utf-8") == drawing()


def test_it_shows_every_room_once() -> None:
    names = [box.name for box in BOXES]
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"vision"}
    vision = {f"vision/{path.parent.name}" for path in (PACKAGE / "vision").glob("*/__init__.py")}
    assert rooms | vision <= set(names)
    assert len(set(names)) == len(names)


def test_a_room_shows_the_folders_in_it() -> None:
    """All but those of templates; those of vision have boxes of their own."""
    lines = {box.name: " ".join(box.lines) for box in BOXES}
    inner = [path.parent for path in PACKAGE.glob("*/*/__init__.py")]
    rooms = [(one.parent.name, one.name) for one in inner if one.parent.name != "vision"]
    assert {("rules", "game"), ("tournament", "verify"), ("serve", "desk")} <= set(rooms)
    assert [one for one in rooms if one[1] not in re.findall(r"\w+", lines[one[0]])] == []


def test_nothing_lies_on_something_else_or_outside() -> None:
    assert overlaps() == []
    ElementTree.fromstring(drawing())
    for box in BOXES:
        assert box.x >= 0 and box.x + box.width <= WIDTH
        assert box.y >= 0 and box.y + box.height <= HEIGHT


def test_every_view_of_the_server_has_a_picture_in_the_docs() -> None:
    page = (ROOT / "docs" / "serve.md").read_text("utf-8")
    shown = re.findall(r"!\[[^]]{10,}\]\(serve_(\w+)\.jpg\)", page)
    taken = re.findall(r'take\("(\w+)"\)', Path(picture_serve.__file__).read_text("utf-8"))
    assert sorted(shown) == sorted(taken) and len(taken) >= 8
    for view in taken:
        assert (ROOT / "docs" / f"serve_{view}.jpg").stat().st_size < MOST_PICTURE_BYTES, view
