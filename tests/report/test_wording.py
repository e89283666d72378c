"""What sheets say: territories, bonuses, doubts, problems."""

import pytest
from msgspec.structs import replace

from kdvision.cli.main import run
from kdvision.reading import Alternative
from kdvision.report import wording
from kdvision.result import PhotoResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.sentences import text_of
from tests.support.paths import SAMPLES
from tests.support.results import (
    DOUBTFUL,
    EXAMPLE,
    FULL,
    ILLEGAL,
    PHOTO,
    TWO_KINGDOMS,
    read_kingdom,
)

#: A whole kingdom of a Mighty Duel, legal.
MIGHTY = (
    "L G1 G G G G S2/M W1 W1 G G2 G G2/M2 W C F W G L/W1 W W F1 F"
    " W L1/F L1 W W F F1 F/S2 W W1 S F1 G W/W W W S1 F F F"
)


def said(result, message=""):
    return [(note.kind, note.text) for note in wording.notes(result, message)]


def sheet_of(result):
    (sheet,) = wording.sheets_of(replace(PHOTO, kingdoms=(result,)))
    return sheet


def test_a_line_per_territory_most_points_first():
    sheet = sheet_of(PHOTO.kingdoms[0])
    found = [
        (one.terrain, one.squares, one.crowns, one.points, sheet.place(one))
        for one in sheet.scoring
    ]
    assert found == [
        ("lake", 5, 2, 10, "b3"),
        ("grassland", 4, 2, 8, "c1"),
        ("wheat", 3, 1, 3, "b1"),
        ("mine", 1, 2, 2, "a5"),
    ]


@pytest.mark.parametrize(
    ("line", "in_play", "points", "unplayed"),
    [
        (FULL, False, [], "Not in play: Harmony would pay 5 and Middle Kingdom would pay 10."),
        (FULL, True, [5, 10], ""),
        (EXAMPLE, False, [], ""),
        (EXAMPLE, True, [0, 0], ""),
    ],
)
def test_bonuses_have_a_line_in_play_and_share_one_where_they_would_pay(
    line, in_play, points, unplayed
):
    result = read_kingdom(line, harmony=in_play, middle_kingdom=in_play)
    assert [bonus.counted_points for bonus in sheet_of(result).bonuses] == points
    assert sheet_of(result).unplayed == unplayed


def test_why_middle_kingdom_does_not_pay_is_reported():
    line = "F F F F/F F F F/F F C F/F F F F/F F F F"
    (bonus,) = sheet_of(read_kingdom(line, middle_kingdom=True)).bonuses
    note = text_of(bonus)
    assert "would pay if the centre of a 5x5 frame" in note


@pytest.mark.parametrize(
    ("status", "probability", "key"),
    [
        (Status.SURE, 0.992, "status.sure"),
        (Status.DOUBTFUL, 0.99, "status.likely"),
        (Status.DOUBTFUL, 0.9, "status.likely"),
        (Status.DOUBTFUL, 0.89, "status.unsure"),
        (Status.DOUBTFUL, 0.5, "status.unsure"),
        (Status.DOUBTFUL, 0.49, "status.guess"),
    ],
)
def test_how_sure_a_total_is_stands_on_one_scale_without_percent(status, probability, key):
    result = read_kingdom(status=status, probability=probability)
    assert wording.status_key(result) == key
    assert "%" not in wording.status_text(result)
    assert wording.status_key(replace(result, scored=False)) == "status.unscored"


#: 6 points each: the first has the larger territory, the last two have the more crowns.
TIED = ("C F1 F F F F F", "C F2 F F", "C L2 L L")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("C F1 F", "C F1 F F"), "Totals: A 2, B 3. B wins."),
        (TIED[:2], "Totals: A 6, B 6. A wins (tie at 6: largest territory 6)."),
        (
            TIED[1:],
            "Totals: A 6, B 6. A and B share the victory "
            "(tie at 6: largest territory 3, crowns 2, shared).",
        ),
    ],
)
def test_a_photo_of_a_table_ends_with_who_won(lines, said):
    photo = PhotoResult("t.jpg", Status.SURE, (), tuple(map(read_kingdom, lines)))
    assert wording.closing_line(photo) == said


def test_who_won_is_open_where_totals_are():
    unsure = read_kingdom("C F1 F F", Status.DOUBTFUL, 0.8)
    photo = PhotoResult("t.jpg", Status.DOUBTFUL, (), (read_kingdom("C F1 F"), unsure))
    assert wording.closing_line(photo).endswith("B leads, not sure.")
    unknown = replace(photo, kingdoms=(photo.kingdoms[0], replace(unsure, scored=False)))
    assert wording.closing_line(unknown).endswith("Who won is open.")
    assert wording.closing_line(PHOTO) == ""


@pytest.mark.parametrize(
    ("probability", "text"),
    [(1.0, "99.9 %"), (0.99999, "99.9 %"), (0.994, "99.4 %"), (0.87, "87 %"), (0.004, "0.4 %"),
     (0.0, "0.1 %")],
)  # fmt: skip
def test_no_probability_is_shown_as_certainty(probability, text):
    assert wording.percent(probability) == text


@pytest.mark.parametrize(
    ("squares", "text"),
    [
        ((((2, 1), "L2"),), "28 if b3 has two crowns (12 %)"),
        ((((2, 1), "L"),), "28 if b3 has no crown (12 %)"),
        ((((2, 1), "S1"),), "28 if b3 is swamp with one crown (12 %)"),
        ((((2, 1), "C"),), "28 if b3 is the castle (12 %)"),
        ((((2, 1), "-"),), "28 if b3 is empty (12 %)"),
        ((((1, 3), "F"),), "28 if d2 is forest with no crown (12 %)"),
        ((((2, 1), "-"), ((0, 1), "W")), "28 if b3 is empty and b1 has no crown (12 %)"),
        ((((5, 0), "M1"),), "28 if a6 beside the grid is mine with one crown (12 %)"),
        ((((-1, 0), "M1"),), "28 if a0 beside the grid is mine with one crown (12 %)"),
        ((), "28 (12 %)"),
    ],
)
def test_an_alternative_says_on_what_it_depends(squares, text):
    alternative = Alternative(28, 0.12, squares)
    assert wording.alternative_text(read_kingdom(), alternative) == text


def test_doubts_then_problems_then_what_to_do():
    assert said(DOUBTFUL, "It is too dark to be sure.") == [
        ("doubt", "It is too dark to be sure."),
        ("doubt", "23, or 28 if b3 has two crowns (12 %)"),
        ("doubt", "23, or 22 if d3 is empty and a5 has one crown (4 %)"),
        ("advice", "Look at b3, d3, d4, a5. To correct a square, add --fix, as in --fix b3=L2."),
    ]


def test_of_several_kingdoms_the_advice_names_the_one():
    advice = list(wording.notes(DOUBTFUL, name="B"))[-1].text
    assert advice.endswith("To correct a square, add --fix, as in --fix B.b3=L2.")


def test_a_sure_kingdom_has_nothing_to_look_at():
    result = read_kingdom(alternatives=DOUBTFUL.alternatives, unsure={(0, 1): 0.2})
    assert wording.doubtful_cells(result) == frozenset()
    assert said(result) == []


def test_a_doubtful_kingdom_without_alternatives_names_the_squares():
    result = read_kingdom(status=Status.DOUBTFUL, probability=0.5, unsure={(0, 1): 0.4})
    assert said(result) == [
        ("advice", "Look at b1. To correct a square, add --fix, as in --fix b1=W1.")
    ]


def test_problems_are_reported_even_when_the_score_is_sure():
    ((kind, text),) = said(ILLEGAL.kingdoms[0])
    assert kind == "problem"
    assert "odd" in text


def test_what_another_deck_may_hold_is_a_warning():
    kinds = {kind for kind, _ in said(read_kingdom("C M3 M3/F F -"))}
    assert kinds == {"warning"}


def test_a_warning_is_not_reported_twice():
    result = read_kingdom(warnings=("It is dark.", "It is small."))
    doubt, warning = said(result, "It is dark.")
    assert doubt == ("doubt", "It is dark.")
    assert warning == ("warning", "It is small.")


@pytest.mark.parametrize(
    ("seen", "sentence"),
    [
        ("C F1/W W", "b2 looked like W, but with the dominoes of the deck it must be W1."),
        ("C F1 G", "Without the deck the kingdom would read C F1 G."),
    ],
)
def test_what_the_deck_corrected_is_reported(seen, sentence):
    result = read_kingdom("C F1/W W1", seen=seen)
    assert ("warning", sentence) in said(result)


def test_several_kingdoms_have_names():
    assert wording.kingdom_names(TWO_KINGDOMS) == ["A", "B"]
    assert wording.kingdom_names(PHOTO) == [""]


def test_a_broken_joining_rule_is_said_in_one_sentence():
    sentence = (
        "The domino d1-e1 (W W) touched nothing that fitted when it was laid. "
        "This breaks the joining rule; the score stands."
    )
    assert ("problem", sentence) in said(read_kingdom("C F L W W"))


def test_many_unclear_places_are_not_listed():
    unsure = {at: 0.5 for at, _ in Kingdom.parse(FULL).cells()}
    result = read_kingdom(FULL, Status.DOUBTFUL, 0.3, unsure=unsure)
    assert said(result)[-1][1].startswith(
        "Look at the whole kingdom: 25 of its places are unclear."
    )
    few = dict(list(unsure.items())[: wording.MOST_NAMED])
    (note,) = said(read_kingdom(FULL, Status.DOUBTFUL, 0.3, unsure=few))
    assert note[1].startswith("Look at a1, b1, c1,")


def test_territories_without_a_crown_are_one_line():
    assert sheet_of(PHOTO.kingdoms[0]).worthless == (3, "swamp a3; forest d3")
    assert sheet_of(read_kingdom("C F1 F")).worthless == (0, "")


@pytest.mark.parametrize("words", [(str(SAMPLES / "mighty_duel_7x7.jpg"),), ("kingdom", MIGHTY)])
def test_a_kingdom_of_another_size_is_said_in_one_sentence(words, capfd):
    run([*words, "--size", "5", "--harmony"])
    sheet = capfd.readouterr().out
    (sentence,) = filter(None, sheet[sheet.index("Total ") :].splitlines()[1:])
    assert sentence.startswith("The kingdom is 7 wide, and the game is of 5x5")
    assert "25 places" not in sheet
