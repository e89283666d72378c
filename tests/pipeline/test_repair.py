"""The squares that settle a doubtful total, all at once."""

import shlex

import pytest

from kdvision.corrections import parse_fixes
from kdvision.report.wording import photo_repair, place_name
from kdvision.result import Status
from kdvision.rules.rules import Rules
from tests.support.grids import grid_of, kingdom_results, read_of
from tests.support.paths import SAMPLES
from tests.support.readings import reading_of


def test_suggested_line_makes_totals_sure(scorer):
    name = "three_kingdoms.jpg"
    result = scorer.score(SAMPLES / name)
    commands = [note.text for note in photo_repair(result) if note.kind == "command"]
    (command,) = commands
    words = shlex.split(command)
    assert words[0] == "kdscore"
    texts = [words[at + 1] for at, word in enumerate(words) if word == "--fix"]
    assert texts
    again = scorer.score(SAMPLES / name, fixes=parse_fixes(texts))
    assert again.status is Status.SURE
    for before, after in zip(result.kingdoms, again.kingdoms, strict=True):
        assert after.score == before.score


UNSURE = {"L1": 0.9, "L": 0.1}
TWO = "C W F L1 W/L1 F F F -"


@pytest.mark.parametrize(
    ("line", "unsure", "given", "named"),
    [
        # One square in doubt is named, with what it looks most like.
        ("C W F L1 W", {"d1": UNSURE}, {}, {"d1": "L1"}),
        # Of two both are named at once.
        (TWO, {"d1": UNSURE, "a2": UNSURE}, {}, {"d1": "L1", "a2": "L1"}),
        # What a person has said stays in the line.
        (TWO, {"d1": UNSURE, "a2": UNSURE}, {"a2": "L"}, {"d1": "L1", "a2": "L"}),
        # Places beside the kingdom, where a domino may lie.
        ("C W F - -", {"d1": {"-": 0.6, "L1": 0.4}, "e1": {"-": 0.6, "W": 0.4}}, {},
         {"d1": "-"}),
        # A hole beside a square in doubt: what hides one may hide the next.
        ("C W F L1 W/F F - - -", {"d1": UNSURE}, {}, {"d1": "L1", "d2": "-"}),
        # Left of the kingdom a person says what lies; its names do not change for it.
        (TWO, {"d1": UNSURE}, {"z1": "F", "z2": "F"}, {"z1": "F", "d1": "L1", "z2": "F"}),
        # Nothing is asked of a sure kingdom.
        ("C W F L1 W", {}, {}, {}),
    ],
)  # fmt: skip
def test_named_squares_make_sure(line, unsure, given, named):
    reading = reading_of(line, unsure)
    (result,) = settled(reading, given)
    fixes = {place_name(result, at): text for at, text in result.fixes}
    assert (fixes, result.status is Status.SURE) == (named, not named)
    # What is given already is doubted no more.
    sentences = [doubt.fields["squares"] for doubt in result.doubts]
    left = [name for name in named if name not in given]
    assert sentences == ([", ".join(left)] if left else [])
    (again,) = settled(reading, fixes)
    assert (again.status, again.score) == (Status.SURE, result.score)


def test_other_value_makes_the_other_total_sure():
    reading = reading_of("C W F L1 W", {"d1": UNSURE})
    (result,) = settled(reading, {"d1": "L"})
    assert (result.status, result.score) == (Status.SURE, 0)


def test_other_squares_end_no_doubt():
    """Where the one mine with three crowns lies tells that e2 has two; it is asked all the same."""
    readings = (
        reading_of("C W M2 F F", {"c1": {"M2": 0.5, "M3": 0.5}}),
        reading_of("C W F L1 W/- - - W M2", {"d1": UNSURE, "e2": {"M3": 0.6, "M2": 0.4}}),
    )
    seen = [read_of(grid_of(reading), reading) for reading in readings]
    plain = kingdom_results("p", seen, Rules())
    _, result = kingdom_results("p", seen, Rules(), parse_fixes({"A.c1": "M3"}))
    fixes = {place_name(result, at): text for at, text in result.fixes}
    assert fixes.keys() == {place_name(plain[1], at) for at, _ in plain[1].fixes}
    assert (fixes["d1"], fixes["e2"]) == ("L1", "M2")


def settled(reading, fixes):
    """The result of a reading, with the squares that settle it."""
    seen = [read_of(grid_of(reading), reading)]
    return kingdom_results("p", seen, Rules(), parse_fixes(fixes))
