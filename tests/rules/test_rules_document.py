"""docs/rules.md: its tables and kingdoms are the box's."""

import re
from collections import Counter

from kdvision.rules.cover import cuttings, square_bits
from kdvision.rules.dominoes import standard_deck
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.terrain import Terrain
from tests.support.paths import ROOT

TEXT = (ROOT / "docs" / "rules.md").read_text("utf-8")


def test_the_table_of_the_box_is_the_deck():
    squares = list(Counter(standard_deck().square_counts).elements())
    for terrain in Terrain:
        mine = [square.crowns for square in squares if square.terrain is terrain]
        split = ", ".join(str(mine.count(crowns)) for crowns in range(4))
        assert f"| {terrain.value} | {len(mine)} | {sum(mine)} | {split} |" in TEXT


def test_the_kingdoms_of_the_page_can_be_read_and_laid():
    lines = [line for line in re.findall(r"`([^`]+)`", TEXT) if line.count("/") == 4]
    assert len(lines) == 2
    for line in lines:
        squares = square_bits(Kingdom.parse(line))
        assert next(cuttings(squares, squares.whole), None) is not None
