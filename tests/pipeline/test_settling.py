"""When a total is sure: random readings with random corrections."""

from random import Random

import pytest
from msgspec.structs import replace

from kdvision.corrections import FixPlace, SheetPlace
from kdvision.pipeline.trust import load_trust
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.report.wording import place_name
from kdvision.result import KingdomResult, Status
from kdvision.rules.kingdom import Kingdom, Position, cell_text, shift
from kdvision.rules.rules import Rules
from kdvision.rules.terrain import LABELS
from tests.support.grids import grid_of, kingdom_results, read_of
from tests.support.readings import noisy_reading, random_kingdom

TRUST = load_trust()
#: Doubts as the photo brings them, about places and about all of it.
PLACED = (
    DoubtCode.OBSTRUCTED,
    DoubtCode.NOT_FOUND,
    DoubtCode.NOT_READ,
    DoubtCode.HIDDEN,
    DoubtCode.NOT_JOINED,
    DoubtCode.NOT_LIT,
    DoubtCode.ON_TILE,
)
WHOLE = (DoubtCode.BLURRED, DoubtCode.DARK, DoubtCode.LOOSE_LATTICE)


def doubted(rng: Random) -> tuple[Reading, Kingdom]:
    """A reading with doubts, and what lies there."""
    truth = random_kingdom(rng, 3, rng.randrange(3))
    reading = noisy_reading(rng, truth, 0.2)
    places = [at for at, _ in truth.cells()]
    doubts = []
    for code in rng.sample(PLACED, rng.randrange(3)):
        chosen = tuple(sorted(rng.sample(places, rng.randint(1, 3))))
        weight = 0.2 + 0.6 * rng.random() if code is DoubtCode.OBSTRUCTED else float(len(chosen))
        doubts.append(Doubt(code, weight, chosen))
    if rng.random() < 0.2:
        doubts.append(Doubt(rng.choice(WHOLE), 0.3 * rng.random()))
    return replace(reading, doubts=tuple(doubts)), truth


def judged(reading: Reading, fixes: dict[str, str]) -> KingdomResult:
    """The result of a reading; corrections by the names of its places."""
    given = {FixPlace("", named(name)): text for name, text in fixes.items()}
    seen = [read_of(grid_of(reading), reading)]
    (result,) = kingdom_results("a.jpg", seen, Rules(), given, TRUST)
    return result


def named(name: str) -> SheetPlace:
    """The place of a name such as `b3` or `z0`."""
    col = ord(name[0]) - ord("a")
    return SheetPlace((int(name[1:]) - 1, col if col < 13 else col - 26))


def doubted_names(result: KingdomResult) -> set[str]:
    """The names of all places that its doubts are about."""
    return {place_name(result, at) for doubt in result.doubts for at in doubt.places}


@pytest.mark.parametrize("part", range(8))
def test_open_place_doubt_is_never_sure(part: int) -> None:
    for seed in range(250 * part, 250 * (part + 1)):
        rng = Random(seed)
        reading, _ = doubted(rng)
        plain = judged(reading, {})
        every = [place_name(plain, one.at) for one in plain.squares]
        every += sorted(doubted_names(plain))
        fixes = {}
        for name in rng.sample(every, rng.randrange(min(len(every), 4))):
            fixes[name] = rng.choice(LABELS)
        # Now and then all but one of what is asked, or all.
        line = {place_name(plain, at): text for at, text in plain.fixes}
        if line and rng.random() < 0.5:
            left_out = rng.choice(list(line)) if rng.random() < 0.5 else ""
            fixes = {name: text for name, text in line.items() if name != left_out}
        given = judged(reading, fixes)
        if given.status is Status.SURE:
            assert doubted_names(plain) <= fixes.keys(), seed
            assert doubted_names(given) <= fixes.keys(), seed


def test_answered_line_makes_totals_sure() -> None:
    """But where half a domino is left: then its place is asked, too."""
    lines = 0
    for seed in range(300):
        rng = Random(seed)
        reading, truth = doubted(rng)
        plain = judged(reading, {})
        if not plain.fixes:
            continue
        # The line names every place of a doubt, nine at most.
        lines += 1
        line = {place_name(plain, at): text for at, text in plain.fixes}
        assert doubted_names(plain) == line.keys(), seed
        assert len(line) <= 9
        # Whoever confirms it as it is printed has a sure total.
        as_printed = judged(reading, line)
        assert as_printed.status is Status.SURE, seed
        assert as_printed.score == plain.score
        # So has who writes what truly lies there; names count from the first kingdom.
        top, left = min_corner(plain, reading)
        corrected = {}
        for name in line:
            at = shift(named(name), (top, left))
            corrected[name] = cell_text(truth[at]) if at in truth else "-"
        result = judged(reading, corrected)
        codes = {doubt.code for doubt in result.doubts}
        assert result.status is Status.SURE or codes == {DoubtCode.NO_BOX}, seed
    assert lines > 50


def min_corner(result: KingdomResult, reading: Reading) -> Position:
    """The place of a reading that is called a1."""
    # Squares of a grid made by hand are 100 pixels wide.
    x, y = result.corners[0]
    return round(y / 100) - result.origin[0], round(x / 100) - result.origin[1]
