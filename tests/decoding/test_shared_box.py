"""Kingdoms of one box: facts that players of one game would recognise."""

from random import Random

import pytest

from kdvision.decoding.calibration import CALIBRATION
from kdvision.decoding.decoder import decode, explore, share_box
from kdvision.errors import UsageError
from kdvision.reading import DoubtCode, Place, Reading
from kdvision.rules.dominoes import Deck
from kdvision.rules.scoring import score
from tests.support.readings import (
    at,
    likeliest_kingdom,
    noisy_reading,
    place_of,
    random_table,
    reading_of,
)
from tests.support.settings import changed

#: There is one mine with three crowns, beside wheat; here it is surely in the first kingdom.
MINE = "C W M3 L L"
#: And here perhaps.
MAYBE = "C W M3 F F"


def unsure(three: float, two: float) -> Reading:
    """A second kingdom that has a mine with three or with two crowns."""
    return reading_of(MAYBE, {"c1": {"M3": three, "M2": two}})


def test_no_kingdom_is_none() -> None:
    assert decode([]) == ()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize(("three", "two"), [(0.6, 0.3999), (0.3, 0.6999)])
def test_domino_lies_in_one_kingdom_only(order: tuple[int, int], three: float, two: float) -> None:
    """Whether the second alone would rather have three crowns or two, it has two, surely."""
    readings = [reading_of(MINE), unsure(three, two)]
    alone = likeliest_kingdom(readings[1])
    assert str(alone.kingdom) == (MAYBE if three > two else "C W M2 F F")
    assert alone.probability < 0.75
    decoded = decode([readings[index] for index in order])
    first, second = (decoded[order.index(index)] for index in (0, 1))
    assert (str(first.kingdom), str(second.kingdom)) == (MINE, "C W M2 F F")
    assert min(first.probability, second.probability, second.certainty[0][2]) > 0.98
    assert first.doubts == second.doubts == ()
    assert second.alternatives == ()


@pytest.mark.parametrize(
    ("clashing", "code", "fields", "places"),
    [
        (
            [MINE, "- - -/- - -/C W M3"],
            DoubtCode.TOO_MANY_OF_KIND,
            {"kind": "M3", "most": 1},
            [(0, "c1"), (1, "c3")],
        ),
        (
            ["S M2 C M2 S", "C M2 S"],
            DoubtCode.TOO_MANY_DOMINOES,
            {},
            [(0, "a1"), (0, "d1"), (1, "b1")],
        ),
    ],
)
def test_more_than_a_box_is_a_warning(clashing, code, fields, places) -> None:
    """Where all surely show it nothing is changed, and nothing is sure but what does not clash."""
    with changed(CALIBRATION, floor=1e-7):
        readings = [reading_of(line, sure=1 - 1e-7) for line in (*clashing, "C G2 L")]
        *decoded, last = decode(readings)
    assert [str(kingdom.kingdom) for kingdom in decoded] == clashing
    for kingdom in decoded:
        assert kingdom.probability < 0.5
        assert (kingdom.doubts[0].code, kingdom.doubts[0].fields) == (code, fields)
        assert kingdom.posterior.too_many == tuple((number, at(name)) for number, name in places)
    assert (last.doubts, last.posterior.too_many) == ((), ())
    assert last.probability > 0.99


def test_foreign_deck_takes_nothing_from_the_box() -> None:
    strange = reading_of("C F G2/W W -/L1 F -")
    readings = [reading_of(MINE), strange, reading_of("C W M2 F F")]
    decoded = decode(readings)
    for found, alone in zip(decoded, map(likeliest_kingdom, readings), strict=True):
        assert (found.kingdom, found.probability) == (alone.kingdom, alone.probability)
        assert (found.certainty, found.doubts) == (alone.certainty, alone.doubts)
    assert decoded[1].doubts[0].code is DoubtCode.OTHER_DECK


def test_doubts_stay_with_their_kingdom() -> None:
    """The last is a blur; the first stays as sure as it was."""
    blur = Reading(tuple((place_of({}),) * 5 for _ in range(5)))
    decoded = decode([reading_of("C M3 W"), reading_of("C W W1/F L L1", sure=0.6), blur])
    assert decoded[0].probability > 0.98
    assert decoded[1].probability < 0.3
    assert decoded[2].probability < 0.05


def test_corrected_squares_bind_other_kingdoms() -> None:
    half = {"c1": {"M3": 0.5, "M2": 0.49}}
    readings = [reading_of(MINE, half), reading_of(MAYBE, half)]
    first, second = map(explore, readings)
    decoded = share_box([first, second.given({at("c1"): "M3"})])
    assert [str(kingdom.kingdom) for kingdom in decoded] == ["C W M2 L L", MAYBE]
    assert decoded[1].certainty[0][2] == 1
    assert min(kingdom.probability for kingdom in decoded) > 0.98


def test_whole_box_reveals_hidden_squares() -> None:
    """Four full kingdoms use all dominoes: what is missing elsewhere lies under the thumb."""
    rng = Random(3)
    for _ in range(5):
        kingdoms = random_table(rng, 4)
        readings = [reading_of(str(kingdom)) for kingdom in kingdoms]
        row, col = rng.choice(list(kingdoms[2].squares()))
        rows = [list(places) for places in readings[2].places]
        rows[row][col] = Place((1 / 16,) * 16 + (0.0, 0.0))
        readings[2] = Reading(tuple(map(tuple, rows)))
        decoded = decode(readings)
        assert [answer.kingdom for answer in decoded] == kingdoms
        assert min(answer.probability for answer in decoded) > 0.9


def test_shared_box_helps_noisy_readings() -> None:
    """With an honest reader totals called sure are right, and more are right than alone."""
    rng = Random(12)
    sure, right, alone = [], 0, 0
    for _ in range(40):
        kingdoms = random_table(rng, rng.choice((1, 2, 3, 4)))
        readings = [noisy_reading(rng, kingdom, 0.1) for kingdom in kingdoms]
        for answer, reading, kingdom in zip(decode(readings), readings, kingdoms, strict=True):
            is_right = score(answer.kingdom).total == score(kingdom).total
            right += is_right
            sure += [is_right] if answer.probability >= 0.97 else []
            alone += score(likeliest_kingdom(reading).seen).total == score(kingdom).total
    assert right > alone
    assert len(sure) > 40
    assert sum(sure) >= 0.97 * len(sure)


def test_deck_of_other_squares_is_refused() -> None:
    """They are named, each once."""
    deck = Deck.parse("1 W W, 2 W5 F, 3 F4 F4, 4 F M3")
    with pytest.raises(UsageError, match=r"not read in photos: (F4, W5|W5, F4)\."):
        decode([reading_of("C W W")], deck=deck)
