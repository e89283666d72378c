"""The picture of the rooms is the one that its script draws, and shows every room."""

import re
from xml.etree import ElementTree

from scripts.docs.draw_architecture import BOXES, HEIGHT, TARGET, WIDTH, drawing, overlaps
from tests.support.paths import ROOT

PACKAGE = ROOT / "kdvision"


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
