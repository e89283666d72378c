"""Reading with the box in mind: facts that a player would recognise."""

import pytest
from msgspec.structs import replace

from kdvision.decoding.posterior import Decoded
from kdvision.reading import Doubt, DoubtCode, Place, Reading
from kdvision.rules.kingdom import Kingdom, parse_cell, position_name
from kdvision.rules.rules import Rules
from kdvision.rules.scoring import score
from kdvision.rules.terrain import LABELS
from tests.support.readings import at, likeliest_kingdom, reading_of

#: A real kingdom: every place filled, four mines around the wheat.
FULL = "W1 W W W W1/S M1 M3 M2 M/S M2 M2 S2 W/S1 W S S1 G/S S S2 G C"
#: The publisher's worked example (RULES 2.5).
TWENTY_THREE = "C W1 G G G/W W G2 - -/S L1 L F -/S L L L1 -/M2 - - - -"
#: Forests and lakes, with a lake that lies by itself in the corner.
FORESTS = "F F F F L/F1 W F F L/M1 W C F L1/W W F1 F L1/L1 L L L L"


def squares_of(decoded: Decoded, total: int) -> dict[str, str]:
    """The squares of the alternative with this total."""
    (squares,) = [rest.squares for rest in decoded.alternatives if rest.score == total]
    return {position_name(place): text for place, text in squares}


# ---------------------------------------------------------------------- one kingdom


@pytest.mark.parametrize(
    "line",
    [
        TWENTY_THREE,
        FULL,
        FORESTS,
        "C",
        "C W1 L",
        "F F C F F",
        "S S S1 S S2 S2 S1/M2 M2 W W1 W G G/M1 W W L W1 G1 L/M M2 M3 C W G1 L/"
        "W1 W W1 W W G2 G2/W F1 F F1 W W1 G/W F1 L F1 F1 F1 G",
    ],
)
def test_clear_kingdom_is_read_surely(line: str) -> None:
    decoded = likeliest_kingdom(reading_of(line))
    assert str(decoded.kingdom) == str(decoded.seen) == line
    assert decoded.probability > 0.99
    assert decoded.doubts == ()
    assert decoded.alternatives == ()
    assert min(min(row) for row in decoded.certainty) > 0.99


@pytest.mark.parametrize(
    ("line", "unsure", "right"),
    [
        # Nothing but wheat lies beside three crowns.
        ("M3 G C", {"b1": {"G": 0.7, "W": 0.3}}, "M3 W C"),
        # There is one mine with three crowns.
        ("W M3 C M3 W", {"d1": {"M3": 0.6, "M2": 0.39}}, "W M3 C M2 W"),
        (FULL, {"c3": {"M3": 0.6, "M2": 0.39}}, FULL),
        # A castle is one.
        ("W W C L C", {"e1": {"C": 0.6, "L": 0.39}}, "W W C L L"),
        ("W W - F F", {"c1": {"-": 0.7, "C": 0.2}}, "W W C F F"),
        # No domino has one square.
        ("C W W F", {"d1": {"F": 0.6, "-": 0.39}}, "C W W -"),
        ("C L1 - L", {"c1": {"-": 0.6, "W": 0.39}, "d1": {"L": 0.6, "-": 0.39}}, "C L1 W -"),
        # Two mines with two crowns and wheat: the deck has one such domino.
        ("W M2 C M2 W", {"e1": {"W": 0.6, "S": 0.39}}, "W M2 C M2 S"),
    ],
)
def test_deck_mends_one_wrong_square(
    line: str, unsure: dict[str, dict[str, float]], right: str
) -> None:
    reading = reading_of(line, unsure)
    decoded = likeliest_kingdom(reading)
    assert str(decoded.kingdom) == right
    assert decoded.probability > 0.95
    assert decoded.doubts == ()
    for (row, col), cell in decoded.seen.cells():
        assert cell == parse_cell(reading.places[row][col].label)
    assert decoded.seen != decoded.kingdom


@pytest.mark.parametrize(
    ("place", "shares"),
    [
        ("a4", {"W": 0.5, "S": 0.4999}),
        ("b2", {"W": 0.5, "L": 0.4999}),
        ("d1", {"F": 0.5, "S": 0.4999}),
        ("e5", {"L": 0.5, "L1": 0.4999}),
    ],
)
def test_harmless_doubtful_square_keeps_total_sure(place: str, shares: dict[str, float]) -> None:
    """Either the deck allows one of the two only, or the total is the same with both."""
    decoded = likeliest_kingdom(reading_of(FORESTS, {place: shares}))
    assert decoded.probability > 0.99
    assert decoded.alternatives == ()


def test_unconnected_kingdom_is_read_as_it_lies() -> None:
    """Two dominoes away from the castle: no legal order, but it can be cut."""
    line = "W W C - -/- - - - -/- F F W L1"
    decoded = likeliest_kingdom(reading_of(line, {"c3": {"F": 0.7, "-": 0.29}}))
    assert str(decoded.kingdom) == line
    assert decoded.probability > 0.95


@pytest.mark.parametrize(
    "line",
    [
        "W S W M2 S/M1 S1 W W F/M2 S C W W/M2 M3 G G W1/W W S S G",
        "W W G G -/F L1 L L -/G G G2 F L/G S2 G W L/S S C W L1",
        "G2 W L1 L L1/W W1 S W F/L1 W C F F/L1 F F F -/L1 F W W -",
    ],
)
@pytest.mark.parametrize("sure", [0.9999, 0.7, 0.4])
def test_illegal_kingdom_is_read_as_it_lies(line: str, sure: float) -> None:
    decoded = likeliest_kingdom(reading_of(line, sure=sure))
    assert str(decoded.kingdom) == str(decoded.seen) == line
    assert decoded.doubts == () if sure > 0.9 else decoded.probability < 0.2
    assert (decoded.probability > 0.98) == (sure > 0.9)


# ---------------------------------------------------------------------- beyond the deck


def test_foreign_face_stands_with_a_warning() -> None:
    """Forest with two-crowned grassland is in a promotional deck only (RULES 1.4)."""
    line = "C F G2/W W -/L1 F -"
    decoded = likeliest_kingdom(reading_of(line))
    assert str(decoded.kingdom) == line
    assert len(decoded.doubts) == 1
    assert "another edition" in decoded.doubts[0].message
    assert decoded.probability < 0.9
    assert squares_of(likeliest_kingdom(reading_of("C F G2")), 0) == {"c1": "W"}


@pytest.mark.parametrize("side", [5, 7, 9])
@pytest.mark.parametrize("text", ["W", "M3", "-", "C"])
def test_nonsense_is_never_sure(side: int, text: str) -> None:
    decoded = likeliest_kingdom(reading_of("/".join([" ".join([text] * side)] * side)))
    assert decoded.probability < 0.5


@pytest.mark.parametrize("side", [5, 9])
def test_ignorant_reader_is_never_sure(side: int) -> None:
    nothing = Place((1 / len(LABELS),) * len(LABELS))
    decoded = likeliest_kingdom(Reading(((nothing,) * side,) * side))
    assert decoded.probability < 0.01
    assert any("unclear" in warning.message for warning in decoded.doubts)


def test_no_places_are_no_kingdom() -> None:
    decoded = likeliest_kingdom(Reading(()))
    assert decoded.kingdom == Kingdom(())
    assert decoded.probability < 0.1


# ---------------------------------------------------------------------- the box


SEVEN_WIDE = "W W C L1 W L L"
FAINT = {"f1": {"L": 0.6, "-": 0.39}, "g1": {"L": 0.6, "-": 0.39}}


@pytest.mark.parametrize("size", [7, None])
def test_seven_in_a_row_is_mighty_duel(size: int | None) -> None:
    decoded = likeliest_kingdom(reading_of(SEVEN_WIDE), Rules(size))
    assert str(decoded.kingdom) == SEVEN_WIDE
    assert decoded.probability > 0.99


def test_faint_squares_beyond_the_box_are_bare() -> None:
    decoded = likeliest_kingdom(reading_of(SEVEN_WIDE, FAINT), Rules(5))
    assert str(decoded.kingdom) == "W W C L1 W - -"
    assert decoded.probability > 0.95
    assert str(likeliest_kingdom(reading_of(SEVEN_WIDE, FAINT)).kingdom) == SEVEN_WIDE


def test_stray_squares_are_no_kingdom() -> None:
    """Two faint squares of a draft row beside a full 5x5."""
    rows = [[*row.split(), "-", "-"] for row in FULL.split("/")] + [["-"] * 7]
    line = "/".join(" ".join(row) for row in rows)
    unsure = {"g2": {"W": 0.6, "-": 0.39}, "g3": {"W": 0.6, "-": 0.39}}
    decoded = likeliest_kingdom(reading_of(line, unsure), Rules(5))
    assert decoded.kingdom.trimmed() == Kingdom.parse(FULL)
    assert decoded.probability > 0.95
    assert decoded.seen != decoded.kingdom


# ---------------------------------------------------------------------- fixing


def test_fixed_square_is_certain() -> None:
    reading = reading_of(FORESTS, {"c4": {"F1": 0.6, "L1": 0.39}})
    for text, total in (("F1", 48), ("L1", 50)):
        decoded = likeliest_kingdom(reading, fixes={at("c4"): text})
        assert score(decoded.kingdom).total == total
        assert decoded.probability > 0.99
        assert decoded.certainty[3][2] == 1
        assert decoded.alternatives == ()


def test_corrections_add_and_remove_squares() -> None:
    reading = reading_of("C W W - -")
    more = likeliest_kingdom(reading, fixes={at("d1"): "L1", at("e1"): "F"})
    assert str(more.kingdom) == "C W W L1 F"
    assert more.probability > 0.99
    less = likeliest_kingdom(reading, fixes={at("b1"): "-", at("c1"): "-"})
    assert str(less.kingdom) == "C - - - -"


# ---------------------------------------------------------------------- doubts of the photo


@pytest.mark.parametrize(("place", "matters"), [("c4", True), ("b2", False), ("c3", False)])
def test_square_doubt_counts_where_totals_change(place: str, matters: bool) -> None:
    """The castle, and wheat without a crown that the deck fixes, are no matter."""
    doubt = Doubt(DoubtCode.NOT_FOUND, 1.0, (at(place),))
    decoded = likeliest_kingdom(reading_of(FORESTS, doubts=(doubt,)))
    assert str(decoded.kingdom) == FORESTS
    assert (decoded.probability < 0.95) == matters


def test_unsearched_kingdoms_look_like_visible_places() -> None:
    """Five squares of nothing can be thousands of kingdoms; the others are as sure as before."""
    reading = reading_of(FULL)
    rows = [list(row) for row in reading.places]
    hidden = [at("a1"), at("b1"), at("c1"), at("d1"), at("e1")]
    for row, col in hidden:
        rows[row][col] = replace(rows[row][col], hidden=1.0)
    decoded = likeliest_kingdom(Reading(tuple(map(tuple, rows))))
    assert DoubtCode.NOT_ALL_TRIED in {doubt.code for doubt in decoded.doubts}
    assert decoded.untried > 0.3 and decoded.probability < 0.5
    for row, values in enumerate(decoded.certainty):
        for col, certainty in enumerate(values):
            assert (certainty < 0.8) is ((row, col) in hidden)
