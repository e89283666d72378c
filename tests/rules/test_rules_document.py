"""docs/rules.md: every citation of the code resolves, and its tables and kingdoms are the box's."""

import re
from collections import Counter

from kdvision.rules.cover import cuttings, square_bits
from kdvision.rules.dominoes import standard_deck
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.terrain import Terrain
from tests.support.paths import ROOT

TEXT = (ROOT / "docs" / "rules.md").read_text("utf-8")
NUMBERS = set(re.findall(r"^- \*\*(\d\.\d)\*\*", TEXT, re.MULTILINE))
SECTIONS = set(re.findall(r"^## (\d)\.", TEXT, re.MULTILINE))

NUMBER = r"\d+(?:\.\d+)?"
CITATION = re.compile(rf"RULES ({NUMBER}(?:(?:, | to | and ){NUMBER})*)")
FILES = [
    path
    for folder in ("kdvision", "scripts", "tests", "docs")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".md", ".j2", ".html")
]


def citations() -> dict[str, set[str]]:
    """The files that cite each number."""
    found: dict[str, set[str]] = {}
    for path in FILES:
        # A citation may go on in the next line of a comment or docstring.
        text = re.sub(r"\n\s*(?:#:? ?)?", " ", path.read_text("utf-8"))
        for cited in CITATION.findall(text):
            for number in re.findall(NUMBER, cited):
                found.setdefault(number, set()).add(str(path.relative_to(ROOT)))
    return found


def test_every_citation_resolves() -> None:
    cited = citations()
    assert len(cited) > 20
    assert {
        number: where for number, where in cited.items() if number not in NUMBERS | SECTIONS
    } == {}


def test_the_table_of_the_box_is_the_deck() -> None:
    squares = list(Counter(standard_deck().square_counts).elements())
    for terrain in Terrain:
        mine = [square.crowns for square in squares if square.terrain is terrain]
        split = ", ".join(str(mine.count(crowns)) for crowns in range(4))
        assert f"| {terrain.value} | {len(mine)} | {sum(mine)} | {split} |" in TEXT


def test_the_kingdoms_of_the_page_can_be_read_and_laid() -> None:
    lines = [line for line in re.findall(r"`([^`]+)`", TEXT) if line.count("/") == 4]
    assert len(lines) == 2
    for line in lines:
        squares = square_bits(Kingdom.parse(line))
        assert next(cuttings(squares, squares.whole), None) is not None
