"""From readings to results: corrections by a person, one box, what was seen."""

import pytest
from msgspec.structs import replace

from kdvision.corrections import SheetPlace, parse_fixes
from kdvision.errors import UsageError
from kdvision.pipeline.decoded import decode_kingdoms, name_squares
from kdvision.pipeline.read_photo import ReadPhoto
from kdvision.pipeline.scorer import Scorer
from kdvision.pipeline.trust import Curve, Trust, load_trust
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.report.wording import deck_changes, place_name
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.dominoes import Deck, standard_deck
from kdvision.rules.kingdom import Kingdom, cell_text, position_name
from kdvision.rules.rules import Rules
from tests.support.grids import grid_of, kingdom_results, read_of, seen_of
from tests.support.readings import at, padded, reading_of

#: The grid has a row and a column of table around the kingdom, which is printed as FOUR.
FOUR_IN_GRID = "- - - - -/- C W1 G -/- - W L -/- - - - -"
FOUR = "C W1 G/- W L"
FOUR_CELLS = {at: cell_text(cell) for at, cell in Kingdom.parse(FOUR).cells()}
#: The deck has one mine with three crowns.
MINE = "C W M3 L L"
OTHER = "C W M3 F F"
UNSURE = {"c1": {"M3": 0.6, "M2": 0.3999}}


def results(*readings: Reading, fixes=None, **options) -> list[KingdomResult]:
    seen = [read_of(grid_of(reading), reading) for reading in readings]
    return list(kingdom_results("table.jpg", seen, Rules(**options), parse_fixes(fixes or {})))


def codes(result: KingdomResult) -> list[DoubtCode]:
    return [warning.code for warning in result.doubts]


def lines(results: list[KingdomResult]) -> list[str]:
    return [result.line for result in results]


# ---------------------------------------------------------------------- fixes


@pytest.mark.parametrize(
    ("fixes", "line"),
    [
        ({"b2": "F"}, "C W1 G/- F L"),
        ({"A.b2": "f"}, "C W1 G/- F L"),
        ({"a.b2": "F"}, "C W1 G/- F L"),
        ({"b2": "-", "c2": "-"}, "C W1 G"),
        # Right of it and below it, where the table was seen.
        ({"d1": "W", "d2": "F"}, "C W1 G W/- W L F"),
        ({"a3": "W", "b3": "F"}, "C W1 G/- W L/W F -"),
        # Beyond all that was looked at.
        ({"d1": "W", "e1": "F"}, "C W1 G W F/- W L - -"),
        ({"c3": "W", "c4": "F", "c5": "F", "c6": "F"},
         "C W1 G/- W L/- - W/- - F/- - F/- - F"),
        # Left of it and above it, where the table was seen and beyond.
        ({"z1": "W", "z2": "F"}, "W C W1 G/F - W L"),
        ({"b0": "W", "c0": "F"}, "- W F/C W1 G/- W L"),
        ({"z1": "W", "y1": "F", "x1": "F", "w1": "F"}, "F F F W C W1 G/- - - - - W L"),
        ({"z0": "W", "z1": "F", "z-1": "L", "z-2": "L"},
         "L - - -/L - - -/W - - -/F C W1 G/- - W L"),
        ({"z1": "W", "d1": "F"}, "W C W1 G F/- - W L -"),
        # The first row goes.
        ({"a1": "-", "b1": "-", "c1": "-", "a2": "C"}, "C W L"),
        # So does everything.
        (dict.fromkeys(("a1", "b1", "c1", "b2", "c2"), "-"), ""),
    ],
)  # fmt: skip
def test_corrections_name_printed_places(fixes, line):
    (plain,) = results(reading_of(FOUR_IN_GRID))
    assert (str(plain.sheet.kingdom), len(plain.squares)) == (FOUR, 6)
    assert {len(square.candidates) for square in plain.squares} == {2}
    (fixed,) = results(reading_of(FOUR_IN_GRID), fixes=fixes)
    assert str(fixed.sheet.kingdom) == line


def test_emptied_kingdom_has_corners():
    fixes = dict.fromkeys(("a1", "b1", "c1", "b2", "c2"), "-")
    (emptied,) = results(reading_of(FOUR_IN_GRID), fixes=fixes)
    # One place of 100 pixels: what overlay and page cut out is never without pixels.
    (left, top), _, (right, bottom), _ = emptied.corners
    assert (right - left, bottom - top) == (100, 100)


def test_corrected_squares_are_certain():
    reading = reading_of(FOUR_IN_GRID, {"c2": {"W1": 0.6, "W": 0.3999}})
    assert results(reading)[0].status is Status.DOUBTFUL
    (fixed,) = results(reading, fixes={"b1": "W"})
    assert str(fixed.sheet.kingdom) == "C W G/- W L"
    assert fixed.status is Status.SURE
    assert {one.at: one.probability for one in fixed.squares}[0, 1] == 1
    assert fixed.alternatives == ()


#: A full 5x5 that the deck holds.
MEADOW = "L G2 C W W/W G1 W L S1/G2 G G G1 G/G G G G W/W F1 F F F1"


@pytest.mark.parametrize(
    ("fixes", "line"),
    [
        # Without its other half the square cannot be: the domino at e3 is not given up for it.
        ({"A.f2": "W"}, "L G2 C W W -/W G1 W L S1 W/G2 G G G1 G -/G G G G W -/W F1 F F F1 -"),
        ({"A.e1": "C"}, "L G2 C W C/W G1 W L S1/G2 G G G1 G/G G G G W/W F1 F F F1"),
        ({"A.e1": "-", "A.a5": "M3"}, "L G2 C W -/W G1 W L S1/G2 G G G1 G/G G G G W/M3 F1 F F F1"),
    ],
)
def test_correction_keeps_clear_squares(fixes, line):
    readings = [padded(reading_of(MEADOW)), reading_of("C S S")]
    plain, beside = results(*readings)
    assert (str(plain.kingdom), plain.status) == (MEADOW, Status.SURE)
    fixed, kept = results(*readings, fixes=fixes)
    assert kept.line == beside.line
    assert str(fixed.kingdom) == line
    assert fixed.status is Status.DOUBTFUL
    assert not fixed.scored
    assert fixed.reason.startswith("One box of dominoes cannot make this kingdom")
    assert codes(fixed) == [DoubtCode.IMPOSSIBLE_CORRECTION]
    assert min(one.probability for one in fixed.squares) > 0.9


@pytest.mark.parametrize(("share", "changed"), [(0.7, True), (0.84, False), (0.9, False)])
def test_least_certainty_of_a_clear_square(share, changed):
    """The one mine with three crowns is said to lie at d1: b1 has it with this probability."""
    reading = reading_of(
        "W M3 C M3 W", {"b1": {"M3": share, "M2": 0.999 - share}, "d1": {"M3": 0.5, "M2": 0.499}}
    )
    (fixed,) = results(reading, fixes={"d1": "M3"})
    assert (str(fixed.kingdom) == "W M2 C M3 W") is changed
    assert (DoubtCode.IMPOSSIBLE_CORRECTION in codes(fixed)) is not changed


def test_impossible_correction_costs_trust_with_bonuses():
    """The totals that are compared are those with the bonus."""
    reading = reading_of(
        "W M3 C M3 W", {"b1": {"M3": 0.99, "M2": 0.009}, "d1": {"M3": 0.5, "M2": 0.499}}
    )
    (plain,) = results(reading, fixes={"d1": "M3"})
    (paid,) = results(reading, fixes={"d1": "M3"}, middle_kingdom=True)
    assert (paid.score, plain.score) == (16, 6)
    assert paid.probability == pytest.approx(plain.probability)
    assert plain.probability < 0.5


@pytest.mark.parametrize("fixes", [{"A.b1": "W"}, {"A.d1": "W", "A.e1": "F"}])
def test_correction_makes_its_own_kingdom_surer(fixes):
    readings = [reading_of("C W1 L"), reading_of("C S S/F F -", {"c1": {"S": 0.9, "S1": 0.0999}})]
    plain, beside = results(*readings)
    fixed, kept = results(*readings, fixes=fixes)
    assert plain.probability < fixed.probability
    assert kept.probability == pytest.approx(beside.probability)


def test_certain_kingdom_may_be_confirmed():
    (confirmed,) = results(reading_of(FOUR, sure=1.0), fixes={"b1": "W1"})
    assert (confirmed.status, confirmed.line, confirmed.probability > 0.99) == (
        Status.SURE, FOUR, True,
    )  # fmt: skip


@pytest.mark.parametrize(("changed", "asked"), [("b2 d2", 9), ("b2 d2 c4", 0)])
def test_impossible_corrections_ask_for_their_neighbours(changed, asked):
    """Beside the squares that were given, nine are compared at most."""
    plain = judged(reading_of(MEADOW))
    assert (plain.status, plain.fixes) == (Status.SURE, ())
    given = judged(reading_of(MEADOW), dict.fromkeys(changed.split(), "M3"))
    assert given.status is Status.DOUBTFUL
    assert codes(given) == [DoubtCode.IMPOSSIBLE_CORRECTION]
    assert len(given.fixes) == asked


def test_kingdom_names_its_own_corrections():
    readings = [reading_of("C W1 L"), reading_of("C W F/S S -")]
    fixes = {"A.b1": "M3", "B.a2": "S1"}
    reasons = [one.doubts[0].fields["fixes"] for one in results(*readings, fixes=fixes)]
    assert reasons == ["A.b1=M3", "B.a2=S1"]


def test_added_square_has_its_pixels():
    (fixed,) = results(reading_of(FOUR), fixes={"d1": "W", "d2": "F"})
    centers = {one.at: one.center for one in fixed.squares}
    # Where nobody looked nothing else was seen.
    assert [one.candidates for one in fixed.squares if one.text == "F"] == [("-",)]
    assert centers[1, 3] == (350.0, 150.0)
    assert fixed.corners == ((0.0, 0.0), (400.0, 0.0), (400.0, 200.0), (0.0, 200.0))


@pytest.mark.parametrize(
    ("fixes", "origin"),
    [
        ({"z1": "W", "z2": "F"}, (0, -1)),
        ({"b-1": "W", "b0": "F"}, (-2, 0)),
        ({"a1": "-", "b1": "-", "c1": "-", "a2": "C"}, (1, 0)),
        ({"b2": "F"}, (0, 0)),
    ],
)
def test_places_keep_their_names(fixes, origin):
    reading = reading_of(FOUR_IN_GRID)
    rows = []
    for row, places in enumerate(reading.places):
        y = 100.0 * row + 50
        moved = (replace(place, center=(100.0 * col + 50, y)) for col, place in enumerate(places))
        rows.append(tuple(moved))
    reading = replace(reading, places=tuple(rows))
    (plain,), (fixed,) = results(reading), results(reading, fixes=fixes)
    assert (plain.origin, fixed.origin) == ((0, 0), origin)
    before = {place_name(plain, one.at): one.center for one in plain.squares}
    after = {place_name(fixed, one.at): one.center for one in fixed.squares}
    for name in before.keys() & after.keys():
        assert after[name] == pytest.approx(before[name])
    # A square that is given is where its name says.
    texts = {place_name(fixed, one.at): one.text for one in fixed.squares}
    assert {(at, text) for at, text in fixes.items() if text != "-"} <= texts.items()


def test_alternatives_name_printed_squares():
    """The grid has a row of table above the kingdom and two columns left of it."""
    (result,) = results(reading_of("- - - - -/- - C W1 L", {"d2": {"W1": 0.7, "W": 0.2999}}))
    assert [total.squares for total in result.alternatives] == [(((0, 1), "W"),)]


def test_messages_name_first_reading_places():
    fixes = {"a0": "M3", "c1": "M3"}
    (fixed,) = results(reading_of(FOUR), fixes=fixes)
    assert str(fixed.kingdom) == "M3 - -/C W1 M3/- W L"
    assert "a0, c1" in [problem.fields.get("squares") for problem in fixed.problems]
    readings = [reading_of(line, sure=1 - 1e-7) for line in (MINE, OTHER)]
    _, second = results(*readings, fixes={"B.z1": "L", "B.y1": "L"})
    assert str(second.kingdom) == f"L L {OTHER}"
    assert any(one.fields.get("squares") == "A c1; B c1" for one in second.doubts)


#: Log-odds that are taken from a total whatever the weight of a doubt, and hardly any.
COSTLY = Curve((0.0, 1.0), (3.0, 3.0))
CHEAP = Curve((0.0, 1.0), (0.1, 0.1))
#: Of clear kingdoms totals are sure but for these doubts.
WEIGHED = Trust(
    None, {DoubtCode.GLARE: COSTLY, DoubtCode.OBSTRUCTED: COSTLY, DoubtCode.BLURRED: COSTLY}
)


def judged(reading: Reading, fixes=None, trust: Trust = WEIGHED) -> KingdomResult:
    seen = [read_of(grid_of(reading), reading)]
    (result,) = kingdom_results("table.jpg", seen, Rules(), parse_fixes(fixes or {}), trust)
    return result


def test_doubt_ends_once_all_places_are_given():
    doubts = (
        Doubt(DoubtCode.GLARE, 0.3, ((1, 2),)),
        Doubt(DoubtCode.OBSTRUCTED, 0.999, ((1, 2), (1, 3))),
    )
    reading = reading_of(FOUR_IN_GRID, doubts=doubts)
    plain = judged(reading)
    assert set(codes(plain)) == {DoubtCode.GLARE, DoubtCode.OBSTRUCTED}
    assert fixes_of(plain) == {"b1": "W1", "c1": "G"}
    # Half of it is not enough, and what was given stays in the line.
    half = judged(reading, {"b1": "W1"})
    assert (half.status, codes(half)) == (Status.DOUBTFUL, [DoubtCode.OBSTRUCTED])
    assert half.doubts[0].places == ((0, 2),)
    assert fixes_of(half) == fixes_of(plain)
    for fixes in fixes_of(plain), {"b1": "W1", "c1": "F"}:
        whole = judged(reading, fixes)
        assert (whole.status, codes(whole), whole.fixes) == (Status.SURE, [], ())


@pytest.mark.parametrize(("bare", "status"), [(0.6, Status.DOUBTFUL), (0.3, Status.SURE)])
def test_square_that_only_the_box_sees_is_hidden(bare, status):
    """Nothing is seen beside the castle, but without it half a domino is left."""
    other = 0.99999 - bare
    reading = reading_of(FOUR_IN_GRID, {"c2": {"-": bare, "W1": other}}, sure=0.9999999)
    plain = judged(reading)
    assert lines([plain]) == ["C W1 G/- W L"]
    assert plain.status is status
    told = [doubt.places for doubt in plain.doubts if doubt.code is DoubtCode.OBSTRUCTED]
    assert told == ([((0, 1),)] if bare > other else [])


def test_all_hidden_squares_are_told_together():
    hidden = Doubt(DoubtCode.OBSTRUCTED, 0.999, ((1, 3),))
    reading = reading_of(FOUR_IN_GRID, {"c2": {"-": 0.6, "W1": 0.39999}}, doubts=(hidden,))
    plain = judged(reading)
    told = [doubt.places for doubt in plain.doubts if doubt.code is DoubtCode.OBSTRUCTED]
    assert told == [((0, 1), (0, 2))]
    settled = judged(reading, {"b1": "W1", "c1": "G"})
    assert (settled.status, codes(settled)) == (Status.SURE, [])


def test_half_a_domino_is_never_sure():
    """All that was asked is given, but one square is left without the other half."""
    reading = reading_of(
        FOUR_IN_GRID, doubts=(Doubt(DoubtCode.OBSTRUCTED, 0.999, ((1, 2), (1, 3))),)
    )
    half = judged(reading, {"b1": "W1", "c1": "-"})
    assert (half.status, codes(half)) == (Status.DOUBTFUL, [DoubtCode.NO_BOX])
    # Squares of another edition may be whole dominoes.
    other = judged(reading, {"b1": "W1", "c1": "M3"})
    assert (other.status, codes(other)) == (Status.SURE, [])


def test_unsettleable_doubt_asks_no_squares():
    doubts = (Doubt(DoubtCode.BLURRED, 0.5), Doubt(DoubtCode.OBSTRUCTED, 0.9, ((1, 2),)))
    reading = reading_of(FOUR_IN_GRID, doubts=doubts)
    plain, given = judged(reading), judged(reading, {"b1": "W1"})
    assert (plain.status, plain.fixes) == (Status.DOUBTFUL, ())
    assert (given.status, codes(given), given.fixes) == (Status.DOUBTFUL, [DoubtCode.BLURRED], ())


@pytest.mark.parametrize(("count", "asked"), [(9, 9), (10, 0)])
def test_at_most_nine_squares_are_asked(count, asked):
    places = tuple((at // 5, at % 5) for at in range(count))
    reading = reading_of(MEADOW, doubts=(Doubt(DoubtCode.OBSTRUCTED, 0.9, places),))
    assert len(judged(reading).fixes) == asked


def test_doubt_skips_given_squares():
    """Of two hidden squares one is given: half the doubt is left."""
    hidden = Doubt(DoubtCode.HIDDEN, 2.0, ((1, 2), (1, 3)))
    trust = Trust(None, {DoubtCode.HIDDEN: Curve((0.0, 2.0), (0.0, 4.0))})
    reading = reading_of(FOUR_IN_GRID, sure=0.9999999, doubts=(hidden,))
    given: tuple[dict[str, str], ...] = ({}, {"b1": "W1"}, {"b1": "W1", "c1": "G"})
    found = [judged(reading, fixes, trust) for fixes in given]
    (both,), (second,), nothing = (one.doubts for one in found)
    assert (both.places, second.places, nothing) == (((0, 1), (0, 2)), ((0, 2),), ())
    assert found[0].probability < found[1].probability < found[2].probability


def fixes_of(result: KingdomResult) -> dict[str, str]:
    """The squares that settle a total, by name."""
    return {place_name(result, at): text for at, text in result.fixes}


#: A doubt that leaves the total just short of sure, and names no place.
ALMOST = (Doubt(DoubtCode.LOOSE_LATTICE, 0.102),)
FAINT = {"c2": {"W1": 0.985, "W": 0.0149}}


def almost_sure(fixes=None, doubts=ALMOST, unsure=FAINT, sure=0.99999) -> KingdomResult:
    reading = reading_of(FOUR_IN_GRID, unsure, sure=sure, doubts=doubts)
    seen = [read_of(grid_of(reading), reading)]
    # The limit lies just above the probability that the doubts leave.
    trust = replace(load_trust(), sure_from=0.985)
    (result,) = kingdom_results("table.jpg", seen, Rules(), parse_fixes(fixes or {}), trust)
    return result


@pytest.mark.parametrize("sure", [0.99999, 1.0])
def test_confirming_named_squares_makes_sure(sure):
    plain = almost_sure(sure=sure)
    assert (plain.status, codes(plain)) == (Status.DOUBTFUL, [DoubtCode.UNCERTAIN_SQUARES])
    assert plain.probability > 0.97
    named = plain.doubts[0].places
    assert named == ((0, 1),)
    confirmed = almost_sure({position_name(at): FOUR_CELLS[at] for at in named}, sure=sure)
    assert (confirmed.status, codes(confirmed)) == (Status.SURE, [])
    assert confirmed.probability > 0.99


def test_confirming_another_square_changes_nothing():
    plain, confirmed = almost_sure(), almost_sure({"c2": "L"})
    assert confirmed.status is Status.DOUBTFUL
    assert confirmed.probability == pytest.approx(plain.probability, abs=2e-4)
    # What is hidden at c1 is no doubt of b1.
    hidden = (*ALMOST, Doubt(DoubtCode.HIDDEN, 4.0, ((1, 3),)))
    assert almost_sure({"b1": "W1"}, hidden).probability > 0.98


@pytest.mark.parametrize("value", [0.45, 0.9])
def test_photo_doubt_outlasts_confirmation(value):
    """Darkness that is named, from a cost of log 2 on, and one that is not."""
    doubts = (*ALMOST, Doubt(DoubtCode.DARK, value), Doubt(DoubtCode.GLARE, 0.5))
    confirmed = almost_sure({"b1": "W1"}, doubts)
    assert (confirmed.status is Status.SURE) is (value < 0.5)


def test_square_certainty_joins_deck_and_look():
    """One of b1 and d1 is the mine with three crowns; b1 looks like it and is not."""
    unsure = {"b1": {"M3": 0.6, "M2": 0.3999}, "d1": {"M3": 0.7, "M2": 0.2999}}
    reading = reading_of("W M3 C M3 W", unsure, sure=1 - 1e-9)
    kingdoms = decode_kingdoms([read_of(grid_of(reading), reading)], Rules())
    by_deck = 0.18 / (0.18 + 0.28)
    b1, d1 = by_deck + 0.6, by_deck + 0.3
    open_share = kingdoms[0].measure_open_share({SheetPlace(at("b1"))})
    assert open_share == pytest.approx(d1 / (b1 + d1), abs=0.01)


@pytest.mark.parametrize(
    ("kingdoms", "fixes", "sentence"),
    [
        (2, {"C.a1": "G"}, "There is no kingdom C: table.jpg shows 2 kingdoms"),
        (1, {"h1": "G"}, "h1 is too far from the kingdom, which lies on a1 to c2."),
        (1, {"a9": "G"}, "Write a place from w-4 to g7; "),
        (2, {"B.i1": "G"}, "B.i1 is too far from the kingdom"),
    ],
)  # fmt: skip
def test_impossible_correction_names_printed_places(kingdoms, fixes, sentence):
    with pytest.raises(UsageError) as error:
        results(*[reading_of(FOUR_IN_GRID)] * kingdoms, fixes=fixes)
    assert sentence in str(error.value)


# ---------------------------------------------------------------------- one box


def test_seams_are_read_for_several_cuttings():
    (kingdom,) = decode_kingdoms([seen_of("M1 W G/W F1 F1/C F F")], Rules())
    across, upright = {((0, 0), (0, 1)), ((1, 0), (1, 1))}, {((0, 0), (1, 0)), ((0, 1), (1, 1))}
    assert set(kingdom.open_pairs) == across | upright
    (kingdom,) = decode_kingdoms([seen_of("C W F W1 L")], Rules())
    assert kingdom.open_pairs == []


def read_photo(*readings: Reading) -> ReadPhoto:
    """What was read in a photo of these kingdoms."""
    kingdoms = tuple(read_of(grid_of(reading), reading) for reading in readings)
    return ReadPhoto("table.jpg", (300, 200), kingdoms)


def test_scorer_may_have_another_deck() -> None:
    """A grassland with two crowns lies beside a lake in the box, here beside a forest too."""
    read = read_photo(reading_of("C F G2"))
    (plain,) = Scorer(threads=1, trust=Trust()).judge(read).kingdoms
    assert (plain.status, codes(plain)[0]) == (Status.DOUBTFUL, DoubtCode.OTHER_DECK)
    more = Deck((*standard_deck().dominoes, *Deck.parse("61 F G2").dominoes))
    (kingdom,) = Scorer(threads=1, trust=Trust(), deck=more).judge(read).kingdoms
    assert (kingdom.status, kingdom.doubts, kingdom.problems) == (Status.SURE, (), ())
    assert [one.numbers for one in kingdom.dominoes] == [(61,)]


def test_deck_of_unknown_squares_is_refused() -> None:
    scorer = Scorer(threads=1, deck=Deck.parse("1 F F3"))
    with pytest.raises(UsageError, match="F3"):
        scorer.judge(read_photo(reading_of("C")))


def test_fixes_may_follow_a_first_result() -> None:
    """Of all kingdoms the one that has the mine with three crowns is corrected."""
    scorer = Scorer(threads=1, trust=Trust())
    read = read_photo(reading_of(MINE), reading_of(OTHER, UNSURE))
    before, fixed = scorer.judge(read), scorer.judge(read, fixes={"B.c1": "M1"})
    assert lines(list(before.kingdoms)) == [MINE, "C W M2 F F"]
    assert lines(list(fixed.kingdoms)) == [MINE, "C W M1 F F"]


# ---------------------------------------------------------------------- what was seen


@pytest.mark.parametrize(
    ("line", "unsure", "sentences"),
    [
        (FOUR_IN_GRID, {}, []),
        ("- - - -/- W M3 C/- - - -", {"b2": {"G": 0.7, "W": 0.2999}},
         ["a1 looks like plain grassland, but only plain wheat fits the dominoes in the box."]),
        # A lone square beside the kingdom is none; the lines differ in size.
        ("C W W F", {"d1": {"F": 0.6, "-": 0.3999}},
         ["The photo looks like C W W F, but the dominoes of the box can only make this kingdom."]),
        # As large, but one place farther: said with its empty places, not square by square.
        ("- C W W F", {"e1": {"F": 0.6, "-": 0.3999}, "a1": {"-": 1.0}},
         ["The photo looks like C W W F, but the dominoes of the box can only make this kingdom."]),
    ],
)  # fmt: skip
def test_changes_by_the_deck_are_said(line, unsure, sentences):
    (result,) = results(reading_of(line, unsure))
    assert deck_changes(result) == sentences


def test_lone_castle_is_not_reported():
    assert lines(results(reading_of("C"), reading_of(FOUR_IN_GRID))) == [FOUR]
    fixed = results(reading_of("C"), reading_of(FOUR_IN_GRID), fixes={"b2": "F"})
    assert lines(fixed) == ["C W1 G/- F L"]
    assert lines(results(reading_of("C"))) == ["C"]


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (DoubtCode.TILES_LEFT_OUT, Status.DOUBTFUL),
        (DoubtCode.TILES_NOT_READ, Status.DOUBTFUL),
        (DoubtCode.SMALLER_LEFT_OUT, Status.DOUBTFUL),
        (DoubtCode.CUT_OFF_LEFT_OUT, Status.SURE),
        (DoubtCode.PRINT_LEFT_OUT, Status.SURE),
    ],
)
def test_possible_kingdom_makes_photo_doubtful(code, status):
    note = Doubt(code, fields={"number": 6, "where": "where.top-left"})
    kingdoms = results(reading_of(FOUR_IN_GRID))
    result = PhotoResult.of_kingdoms("table.jpg", kingdoms, left_out=[note, note])
    assert (result.status, result.left_out) == (status, (note,))
    assert (result.misses_kingdoms, [kingdom.status for kingdom in result.kingdoms]) == (
        status is Status.DOUBTFUL,
        [Status.SURE],
    )
    assert result.message == (note.message if status is Status.DOUBTFUL else "")
    counted = PhotoResult.of_kingdoms("table.jpg", kingdoms, left_out=[note], count=1)
    assert (counted.status, counted.left_out) == (Status.SURE, ())


@pytest.mark.parametrize(("count", "kingdoms_are"), [(1, "1 kingdom"), (3, "3 kingdoms")])
def test_wrong_count_of_kingdoms_is_doubtful(count, kingdoms_are):
    kingdoms = results(reading_of(FOUR_IN_GRID), reading_of(OTHER))
    result = PhotoResult.of_kingdoms("table.jpg", kingdoms, count=count)
    assert result.status is Status.DOUBTFUL
    assert result.message == f"The photo should show {kingdoms_are}, and 2 were found."


def test_lone_square_shifts_no_places():
    (result,) = results(reading_of("F - - - -/- C W W -/- - G G -"))
    assert (str(result.kingdom), result.seen) == ("C W W/- G G", "F - - -/- C W W/- - G G")


def test_impossible_correction_stays_with_its_kingdom():
    """The one mine with three crowns lies in the other kingdom."""
    corrected, neighbour = results(
        reading_of("C W M2 F F"), reading_of("C W M3 L L"), fixes={"A.c1": "M3"}
    )
    assert DoubtCode.IMPOSSIBLE_CORRECTION in codes(corrected)
    assert codes(neighbour) == [DoubtCode.TOO_MANY_OF_KIND]


def test_impossible_correction_keeps_neighbour_sure():
    """A lone square lies at f2 of the one; the other shares only the box with it."""
    corrected, neighbour = results(
        padded(reading_of(MEADOW)), reading_of("C W M3 L L"), fixes={"A.f2": "W"}
    )
    assert (corrected.status, neighbour.status) == (Status.DOUBTFUL, Status.SURE)
    assert str(neighbour.kingdom) == "C W M3 L L"


@pytest.mark.parametrize(
    ("count", "squares"),
    [
        (12, "A a1, b1, c1, d1, e1, f1; B a1, b1, c1, d1, e1, f1"),
        (13, "A; B"),
        (6, "A a1, b1, c1, d1, e1, f1"),
    ],
)
def test_surplus_squares_are_named_up_to_twelve(count, squares):
    readings = reading_of(MINE), reading_of(OTHER)
    seen = [read_of(grid_of(reading), reading) for reading in readings]
    places = [(index, (0, col)) for index in (0, 1) for col in range(6)]
    too_many = (*places, (1, (0, 0)))[:count]
    doubt = Doubt(DoubtCode.TOO_MANY_OF_KIND)
    kingdoms = []
    for kingdom in decode_kingdoms(seen, Rules()):
        posterior = replace(kingdom.decoded.posterior, too_many=too_many)
        decoded = replace(kingdom.decoded, posterior=posterior, doubts=(doubt,))
        kingdoms.append(replace(kingdom, decoded=decoded))
    for kingdom in name_squares(kingdoms):
        assert kingdom.decoded.doubts[0].fields["squares"] == squares
