"""Kingdoms of one box: facts that players at a table would recognise."""

import math
import time
from collections.abc import Iterable, Iterator
from itertools import product
from random import Random
from statistics import median

import pytest

from kdvision.decoding.calibration import CALIBRATION
from kdvision.decoding.table import TABLE, likeliest_kingdoms
from kdvision.reading import Decoded, DoubtCode, Place, Reading
from kdvision.rules.dominoes import Deck, standard_deck
from kdvision.rules.kingdom import Kingdom, parse_cell
from kdvision.rules.scoring import score
from kdvision.rules.terrain import LABELS
from tests.support.boards import can_be_cut
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
#: And here perhaps, with less wheat between.
OTHER = "C W M3 F F"


@pytest.fixture
def exact() -> Iterator[None]:
    """The reading is taken at its word, and every kingdom is tried."""
    with changed(CALIBRATION, floor=0.0), changed(TABLE, tolerance=0.0, max_readings=10**6):
        yield


def lines(decoded: Iterable[Decoded]) -> tuple[str, ...]:
    return tuple(str(one.kingdom) for one in decoded)


def test_no_kingdom_and_one_kingdom_are_as_decoded_alone() -> None:
    reading = reading_of(OTHER, {"c1": {"M3": 0.6, "M2": 0.39}})
    assert likeliest_kingdoms([]) == ()
    assert likeliest_kingdoms([reading]) == (likeliest_kingdom(reading),)


def test_clear_kingdoms_of_one_box_are_as_decoded_alone() -> None:
    readings = [reading_of(MINE), reading_of("C W M2 F F"), reading_of("S S1 C G L")]
    assert likeliest_kingdoms(readings) == tuple(likeliest_kingdom(reading) for reading in readings)


def test_what_one_kingdom_surely_has_no_other_has() -> None:
    """Alone the second would rather be the mine with three crowns."""
    unsure = {"c1": {"M3": 0.6, "M2": 0.3999}}
    readings = [reading_of(MINE), reading_of(OTHER, unsure)]
    assert lines(map(likeliest_kingdom, readings)) == (MINE, OTHER)
    first, second = likeliest_kingdoms(readings)
    assert lines((first, second)) == (MINE, "C W M2 F F")
    assert str(second.seen) == OTHER
    assert min(first.probability, second.probability) > 0.98
    assert second.certainty[0][2] > 0.98
    assert first.warnings == second.warnings == ()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_an_unsure_square_becomes_certain_where_nothing_is_changed(order: tuple[int, int]) -> None:
    """Two crowns are likelier anyway; with the three crowns in the other kingdom they are sure."""
    readings = [reading_of(MINE), reading_of(OTHER, {"c1": {"M3": 0.3, "M2": 0.6999}})]
    assert likeliest_kingdom(readings[1]).probability < 0.75
    decoded = likeliest_kingdoms([readings[index] for index in order])
    second = decoded[order.index(1)]
    assert str(second.kingdom) == str(second.seen) == "C W M2 F F"
    assert second.probability > 0.98
    assert second.alternatives == ()


def test_neither_is_taken_first_when_both_are_unsure() -> None:
    """The likeliest table decides, not the order: here the second has the three crowns."""
    readings = [
        reading_of(MINE, {"c1": {"M3": 0.6, "M2": 0.3999}}),
        reading_of(OTHER, {"c1": {"M3": 0.9, "M2": 0.0999}}),
    ]
    for order in ((0, 1), (1, 0)):
        decoded = likeliest_kingdoms([readings[index] for index in order])
        first, second = decoded[order.index(0)], decoded[order.index(1)]
        assert lines((first, second)) == ("C W M2 L L", OTHER)
        # Two and three crowns against three and two; there is one M2 beside wheat, not two.
        assert first.certainty[0][2] == pytest.approx(0.36 / (0.36 + 0.06), abs=0.01)


def test_the_dominoes_count_not_only_the_squares() -> None:
    """Of three mines with two crowns the box has two beside swamp and one beside wheat."""
    readings = [
        reading_of("S M2 C M2 S"),
        reading_of("C L L/- M2 S/- - -", {"c2": {"S": 0.7, "W": 0.2999}}),
    ]
    assert lines(map(likeliest_kingdom, readings))[1] == "C L L/- M2 S/- - -"
    decoded = likeliest_kingdoms(readings)
    assert lines(decoded)[1] == "C L L/- M2 W/- - -"
    assert decoded[1].probability > 0.98


def test_more_of_a_square_than_the_box_holds_is_a_warning() -> None:
    """Both surely show the one mine with three crowns: nothing is changed, and nothing is sure."""
    sure = {"sure": 1 - 1e-7}
    readings = [reading_of(MINE, **sure), reading_of("- - -/- - -/C W M3", **sure)]
    with changed(CALIBRATION, floor=1e-7):
        decoded = likeliest_kingdoms([*readings, reading_of("C G2 L", **sure)])
    assert lines(decoded) == (MINE, "- - -/- - -/C W M3", "C G2 L")
    for one in decoded[:2]:
        assert one.probability < 0.5
        fields = {"kind": "M3", "most": 1}
        assert one.warnings[0].fields == fields
        assert one.too_many == ((0, at("c1")), (1, at("c3")))
    assert decoded[2].warnings == decoded[2].too_many == ()
    assert decoded[2].probability > 0.99


def test_more_dominoes_than_the_box_holds_are_a_warning() -> None:
    sure = {"sure": 1 - 1e-7}
    with changed(CALIBRATION, floor=1e-7):
        decoded = likeliest_kingdoms(
            [reading_of("S M2 C M2 S", **sure), reading_of("C M2 S", **sure)]
        )
    assert lines(decoded) == ("S M2 C M2 S", "C M2 S")
    for one in decoded:
        assert one.probability < 0.5
        assert one.warnings[0].code is DoubtCode.TOO_MANY_DOMINOES
        assert one.warnings[0].fields == {}
        assert one.too_many == ((0, at("a1")), (0, at("d1")), (1, at("b1")))


def test_the_dearer_a_change_the_less_it_is_believed() -> None:
    chances = [
        likeliest_kingdoms(
            [reading_of(MINE), reading_of(OTHER, {"c1": {"M3": 1 - share, "M2": share * 0.99}})]
        )[1].probability
        for share in (0.4, 0.1, 0.01, 0.001)
    ]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > 0.98
    assert chances[-1] < 0.7


def test_a_kingdom_of_another_deck_stands_and_asks_nothing_of_the_box() -> None:
    strange = reading_of("C F G2/W W -/L1 F -")
    readings = [reading_of(MINE), strange, reading_of("C W M2 F F")]
    decoded = likeliest_kingdoms(readings)
    assert decoded == tuple(likeliest_kingdom(reading) for reading in readings)
    assert "another edition" in decoded[1].warnings[0].message


def test_doubts_about_one_kingdom_are_none_about_another() -> None:
    """The second is a blur; the first stays as sure as it was."""
    blur = Reading(tuple((place_of({}),) * 5 for _ in range(5)))
    dim = reading_of("C W W1/F L L1", sure=0.6)
    readings = [reading_of("C M3 W"), dim, blur]
    decoded = likeliest_kingdoms(readings)
    assert decoded[0].probability > 0.98
    assert decoded[1].probability < 0.3
    assert decoded[2].probability < 0.05


def test_fixed_squares_are_certain_for_the_others_too() -> None:
    unsure = {"c1": {"M3": 0.5, "M2": 0.49}}
    readings = [reading_of(MINE, unsure), reading_of(OTHER, unsure)]
    decoded = likeliest_kingdoms(readings, fixes=[{}, {at("c1"): "M3"}])
    assert lines(decoded) == ("C W M2 L L", OTHER)
    assert decoded[1].certainty[0][2] == 1
    assert min(one.probability for one in decoded) > 0.98


def test_a_whole_box_on_the_table_tells_what_is_hidden() -> None:
    """Four full kingdoms use every domino: what is missing elsewhere lies under the thumb."""
    rng = Random(3)
    for _ in range(5):
        kingdoms = random_table(rng, 4)
        readings = [reading_of(str(kingdom)) for kingdom in kingdoms]
        hidden = rng.choice([place for place, _ in kingdoms[2].squares().items()])
        rows = [list(row) for row in readings[2].places]
        rows[hidden[0]][hidden[1]] = Place((1 / 16,) * 16 + (0.0, 0.0))
        readings[2] = Reading(tuple(map(tuple, rows)))
        decoded = likeliest_kingdoms(readings)
        assert lines(decoded) == tuple(map(str, kingdoms))
        assert min(one.probability for one in decoded) > 0.9


# ---------------------------------------------------------------------- sums


#: A small deck: every pair of wheat, forest and lake once, and four dominoes with a crown.
SMALL_DECK = Deck(
    tuple(standard_deck().by_number[number] for number in (1, 3, 7, 13, 14, 17, 19, 20, 24, 28))
)


@pytest.mark.usefixtures("exact")
def test_the_probabilities_are_the_sums_over_all_tables_that_fit() -> None:
    rng = Random(11)
    checked = clashes = by_total = 0
    for _ in range(120):
        readings = [_small_reading(rng) for _ in range(2)]
        alone = [likeliest_kingdom(reading, deck=SMALL_DECK) for reading in readings]
        if any(one.warnings or one.seen != one.kingdom for one in alone):
            continue
        tables = {
            (str(one), str(other)): chance * other_chance
            for (one, chance), (other, other_chance) in product(*map(_kingdoms_of, readings))
            if can_be_cut(Kingdom((*one.rows, (None,) * 3, *other.rows)), SMALL_DECK.face_counts)
        }
        together = likeliest_kingdoms(readings, deck=SMALL_DECK)
        if any(one.warnings for one in together):
            continue
        checked += 1
        clash = tuple(str(one.kingdom) for one in alone) not in tables
        clashes += clash
        assert lines(together) in tables
        if tables[lines(together)] != pytest.approx(max(tables.values())):
            by_total += 1  # less likely kingdoms agree on a likelier total
        for index, one in enumerate(together):
            total = score(one.kingdom).total
            assert all(other.probability <= one.probability for other in one.alternatives)
            fitting = sum(
                weight
                for table, weight in tables.items()
                if score(Kingdom.parse(table[index])).total == total
            )
            # A second box and a misleading photo take a little from what had to be changed.
            share = fitting / sum(tables.values())
            assert one.probability == pytest.approx(share, abs=0.05 if clash else 0.01)
    assert checked >= 20
    assert 0 < by_total < checked / 4
    assert clashes >= 3


def _small_reading(rng: Random) -> Reading:
    """A castle and four places of which little is known."""
    places = []
    for _ in range(4):
        kinds = rng.sample(["W", "F", "L", "W1", "F1"], 2)
        shares = dict(zip(kinds, ((one := rng.uniform(0.05, 0.95)), 1 - one), strict=True))
        places.append(Place(tuple(shares.get(label, 0.0) for label in LABELS)))
    castle = Place(tuple(float(label == "C") for label in LABELS))
    nothing = Place(tuple(float(label == "-") for label in LABELS))
    return Reading(((castle, *places[:2]), (nothing, *places[2:])))


def _kingdoms_of(reading: Reading) -> list[tuple[Kingdom, float]]:
    """Every kingdom that a reading allows, with its probability."""
    places = [place for row in reading.places for place in row]
    choices = [
        [(parse_cell(label), one) for label, one in zip(LABELS, place.probabilities, strict=True)
         if one]
        for place in places
    ]  # fmt: skip
    return [
        (
            Kingdom((tuple(cell for cell, _ in row[:3]), tuple(cell for cell, _ in row[3:]))),
            math.prod(one for _, one in row),
        )
        for row in product(*choices)
    ]


def test_on_noisy_tables_it_helps_and_says_how_sure_it_is() -> None:
    rng = Random(12)
    said, right, alone_right = [], [], 0
    for _ in range(40):
        kingdoms = random_table(rng, rng.choice((2, 3, 4)))
        readings = [noisy_reading(rng, kingdom, 0.1) for kingdom in kingdoms]
        for one, reading, kingdom in zip(
            likeliest_kingdoms(readings), readings, kingdoms, strict=True
        ):
            said.append(one.probability)
            right.append(score(one.kingdom).total == score(kingdom).total)
            alone_right += score(likeliest_kingdom(reading).kingdom).total == score(kingdom).total
    assert sum(right) >= alone_right
    sure = [one for one, value in zip(right, said, strict=True) if value >= 0.97]
    assert len(sure) > 0.5 * len(right)
    assert sum(sure) >= 0.97 * len(sure)


def test_every_domino_is_dealt() -> None:
    kingdoms = random_table(Random(1), 4)
    assert sum(len(kingdom.squares()) for kingdom in kingdoms) == 2 * sum(
        standard_deck().face_counts.values()
    )


@pytest.mark.parametrize("blurred", [0.0, 0.1, 0.3])
def test_time(blurred: float, capsys: pytest.CaptureFixture[str]) -> None:
    """Prints what decoding together adds. The bounds are loose, for slow and busy machines."""
    rng = Random(9)
    times = []
    for _ in range(6):
        readings = [noisy_reading(rng, kingdom, blurred) for kingdom in random_table(rng, 4)]
        start = time.process_time()
        for reading in readings:
            likeliest_kingdom(reading)
        middle = time.process_time()
        likeliest_kingdoms(readings)
        times.append(1000 * (time.process_time() - middle - (middle - start)))
    with capsys.disabled():
        print(
            f"\nfour 5x5, {blurred:.0%} blurred: together {median(times):.1f} ms more, "
            f"worst {max(times):.1f} ms",
            end="",
        )
    assert max(times) < 500
