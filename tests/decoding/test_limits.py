"""Numbers that decide what is a kingdom and what is sure: a reading on each side of every one.

Readings are certain but for one place or a few, so that the probability of everything else is
known. Odds are given as their natural logarithm, as the penalties of the settings are.
"""

import math

import pytest
from msgspec.structs import replace

from kdvision.decoding.board import DECODING, deck_faces, make_board
from kdvision.decoding.calibration import CALIBRATION, KEPT_ON_PLACE, calibrate
from kdvision.decoding.decoder import decode
from kdvision.decoding.exact_cover import UndecidedError, cut, step_budget
from kdvision.decoding.posterior import Decoded
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.dominoes import Deck
from kdvision.rules.kingdom import cell_text
from kdvision.rules.terrain import LABELS
from tests.support.readings import at, reading_of
from tests.support.settings import changed

CERTAIN = 1 - 1e-12

#: A full kingdom of 24 squares, with the only mine with three crowns; its lower left is wheat.
FULL = "W S W M2 S/M1 S1 W W F/M2 S C W W/M2 M3 G G W1/W W S S G"


def seen(line: str, place: str, label: str, odds: float) -> Reading:
    """A reading of a line in which a place may also be another label, at log-odds of -`odds`."""
    row, col = at(place)
    shown = line.split("/")[row].split()[col]
    less = math.exp(-odds)
    return reading_of(line, {place: {shown: 1 - less, label: less}}, sure=CERTAIN)


def together(*readings: Reading) -> tuple[Decoded, ...]:
    """Decode readings whose probabilities are taken as they are."""
    with changed(CALIBRATION, floor=0.0):
        return decode(readings)


def decoded(reading: Reading) -> Decoded:
    (kingdom,) = together(reading)
    return kingdom


def codes(kingdom: Decoded) -> list[DoubtCode]:
    return [warning.code for warning in kingdom.doubts]


# ---------------------------------------------------------------------- calibration


def test_one_clear_square_in_20000_is_wrong() -> None:
    """`floor`."""
    values, _ = calibrate(reading_of("C W M3", sure=1.0), {})
    assert 4e-5 < 1 - values[2][LABELS.index("M3")] < 6e-5


@pytest.mark.parametrize(
    ("label", "least", "most"),
    [
        # `castle_prior`: 1 of 25
        ("C", 0.03, 0.05),
        # `empty_prior`: 4 of 25
        ("-", 0.12, 0.20),
        # `uniform_share`: half as in the deck, which has 1 and 16 of 96, and half all alike
        ("M3", 0.025, 0.033),
        ("F", 0.08, 0.105),
    ],
)
def test_prior_of_a_hidden_place(
    monkeypatch: pytest.MonkeyPatch, label: str, least: float, most: float
) -> None:
    monkeypatch.setitem(KEPT_ON_PLACE, DoubtCode.CUT_OFF, 0.0)
    blind = Doubt(DoubtCode.CUT_OFF, places=(at("b1"),))
    with changed(CALIBRATION, floor=0.0):
        values, _ = calibrate(reading_of("C W W", sure=1.0, doubts=(blind,)), {})
    assert least < values[1][LABELS.index(label)] < most


# ---------------------------------------------------------------------- what is a kingdom


@pytest.mark.parametrize(
    ("odds", "line", "doubted"), [(5.5, "C F W", []), (7.0, "C F G2", [DoubtCode.OTHER_DECK])]
)
def test_odds_of_another_decks_domino(odds: float, line: str, doubted: list[DoubtCode]) -> None:
    """`other_deck_penalty`: 6, and 0.1 for each of two squares."""
    kingdom = decoded(seen("C F G2", "c1", "W", odds))
    assert (str(kingdom.kingdom), codes(kingdom)) == (line, doubted)


@pytest.mark.parametrize(
    ("odds", "label", "doubted"), [(8.0, "W", []), (8.8, "M3", [DoubtCode.OTHER_DECK])]
)
def test_more_squares_make_another_deck_unlikelier(
    odds: float, label: str, doubted: list[DoubtCode]
) -> None:
    """`other_deck_penalty_per_square`: 0.1, so 2.4 for 24 squares; of M3 the deck has one."""
    kingdom = decoded(seen(FULL.replace("/W W S S G", "/M3 W S S G"), "a5", "W", odds))
    assert cell_text(kingdom.kingdom[at("a5")]) == label
    assert codes(kingdom) == doubted


@pytest.mark.parametrize(
    ("odds", "line", "doubted"),
    [(14.0, "C W W/- - -", []), (18.0, "C W W/C - -", [DoubtCode.NO_BOX])],
)
def test_odds_of_two_castles(odds: float, line: str, doubted: list[DoubtCode]) -> None:
    """`no_kingdom_penalty`: 16."""
    kingdom = decoded(seen("C W W/C - -", "a2", "-", odds))
    assert (str(kingdom.kingdom), codes(kingdom)) == (line, doubted)


# ---------------------------------------------------------------------- what is sure


@pytest.mark.parametrize(
    ("odds", "least", "most"), [(6.0, 0.65, 0.8), (7.0, 0.4, 0.6), (8.0, 0.2, 0.35)]
)
def test_odds_of_a_wrong_grid(odds: float, least: float, most: float) -> None:
    """`wrong_grid_penalty`: 7."""
    kingdom = decoded(seen("C W W/C - -", "a2", "-", odds))
    assert str(kingdom.kingdom) == "C W W/- - -"
    assert least < kingdom.probability < most


@pytest.mark.parametrize(("hidden", "least", "most"), [(0.4, 0.0, 0.995), (0.6, 0.999, 1.0)])
def test_hidden_places_disagree_with_nothing(hidden: float, least: float, most: float) -> None:
    """`hidden`: from a probability of a half on."""
    reading = reading_of("C W W/- - L", {"c2": {"L": 0.6, "-": 0.4}}, sure=CERTAIN)
    upper, lower = reading.places
    lower = (*lower[:2], replace(lower[2], hidden=hidden))
    kingdom = decoded(replace(reading, places=(upper, lower)))
    assert str(kingdom.kingdom) == "C W W/- - -"
    assert least <= kingdom.probability <= most


@pytest.mark.parametrize(
    ("odds", "line", "doubted"),
    [(7.0, "C W M2", []), (9.0, "C W M3", [DoubtCode.TOO_MANY_OF_KIND])],
)
def test_odds_of_a_second_box(odds: float, line: str, doubted: list[DoubtCode]) -> None:
    """`second_box_penalty`: 8. One box has one mine with three crowns."""
    readings = [reading_of("C W M3", sure=CERTAIN), seen("C W M3", "c1", "M2", odds)]
    first, second = together(*readings)
    assert str(first.kingdom) == "C W M3"
    assert (str(second.kingdom), codes(second)) == (line, doubted)


@pytest.mark.parametrize(("share", "least", "most"), [(0.985, 0.999, 1.0), (0.992, 0.99, 0.994)])
def test_clear_totals_need_no_joint_search(share: float, least: float, most: float) -> None:
    """`clear_probability`: 0.99. The search rules out the other kind, which the first has."""
    unsure = reading_of("C W M2", {"c1": {"M2": share, "M3": 1 - share}}, sure=CERTAIN)
    _, kingdom = together(reading_of("C W M3", sure=CERTAIN), unsure)
    assert str(kingdom.kingdom) == "C W M2"
    assert least <= kingdom.probability <= most


@pytest.mark.parametrize(("rest", "totals"), [(0.004, []), (0.006, [0])])
def test_share_left_unexplored(rest: float, totals: list[int]) -> None:
    """`tolerance`: 0.5 % of the probability."""
    reading = reading_of("C F W1", {"c1": {"W1": 1 - rest, "W": rest}}, sure=CERTAIN)
    assert [rest.score for rest in decoded(reading).alternatives] == totals


def test_two_hundred_readings_are_checked() -> None:
    """`max_labellings`: of 256 that are equally likely, each a kingdom worth nothing."""
    unsure = {f"{col}{row}": {"G": 0.5, "F": 0.5} for col in "abc" for row in (1, 2, 3)}
    del unsure["b2"]
    kingdom = decoded(reading_of("F F F/F C F/F F F", unsure, sure=CERTAIN))
    assert codes(kingdom) == [DoubtCode.NOT_ALL_TRIED]
    assert 0.80 < kingdom.probability < 0.95


def test_cuttings_share_5000_steps() -> None:
    """`max_cutting_steps`: each domino of these strips takes one."""
    strip, neighbours = bytes(2 * 900), make_board(1, 2 * 900).neighbours
    deck = replace(deck_faces(Deck.parse("1 W W")), limits=(2000,), squares=(4000, *[0] * 15))
    steps = step_budget()
    for _ in range(5):
        cutting = cut(strip, neighbours, deck, steps)
        assert not isinstance(cutting, int)
        assert len(cutting) == 900
    with pytest.raises(UndecidedError):
        cut(strip, neighbours, deck, steps)


def test_exhausted_search_says_it_is_incomplete() -> None:
    """What was read is then no kingdom of the deck that is proven, and its total not sure."""
    with changed(DECODING, max_cutting_steps=0):
        kingdom = decoded(reading_of(FULL, sure=CERTAIN))
    assert DoubtCode.NOT_ALL_TRIED in codes(kingdom)
    assert kingdom.probability < 0.5


def test_one_labelling_in_four_checks_other_decks() -> None:
    """`other_labellings_share`: 51 of 64 that are equally likely, beside as many wrong grids."""
    unsure = {place: {"W": 0.5, "F": 0.5} for place in ("b1", "a2", "c2", "a3", "b3", "c3")}
    kingdom = decoded(reading_of("M3 W M3/W C W/W W W", unsure, sure=CERTAIN))
    assert codes(kingdom) == [DoubtCode.OTHER_DECK, DoubtCode.NOT_ALL_TRIED]
    assert 0.36 < kingdom.probability < 0.46
