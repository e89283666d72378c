"""docs/rules.md: its table is the box's."""

from collections import Counter

from kdvision.rules.dominoes import standard_deck
from kdvision.rules.terrain import Terrain
from tests.support.paths import ROOT

TEXT = (ROOT / "docs" / "rules.md").read_text("utf-8")


def test_table_of_terrains_is_the_deck():
    squares = list(Counter(standard_deck().square_counts).elements())
    for terrain in Terrain:
        mine = [square.crowns for square in squares if square.terrain is terrain]
        split = ", ".join(str(mine.count(crowns)) for crowns in range(4))
        assert f"| {terrain.value} | {len(mine)} | {sum(mine)} | {split} |" in TEXT
