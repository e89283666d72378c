"""What sheets say: territories, bonuses, doubts, problems."""

import pytest
from msgspec.structs import replace

from kdvision.reading import Alternative, Doubt, DoubtCode
from kdvision.report import totals, wording
from kdvision.result import PhotoResult, Status
from kdvision.sentences import text_of
from tests.support.results import DOUBTFUL, EXAMPLE, FULL, ILLEGAL, PHOTO, read_kingdom

DARK = Doubt(DoubtCode.DARK).message
IMPOSSIBLE = Doubt(DoubtCode.IMPOSSIBLE_CORRECTION, fields={"fixes": "a1=C", "squares": "a1"})


def note_texts(result, message=""):
    return [(note.kind, note.text) for note in wording.notes(result, message)]


def sheet_of(result):
    (sheet,) = wording.make_sheets(replace(PHOTO, kingdoms=(result,)))
    return sheet


@pytest.mark.parametrize(
    ("line", "in_play", "points", "unplayed"),
    [
        (FULL, False, [], "Not counted: Harmony (+5) and Middle Kingdom (+10). Add --harmony and "
         "--middle-kingdom if you play with them."),
        (FULL, True, [5, 10], ""),
        (EXAMPLE, False, [], ""),
        (EXAMPLE, True, [0, 0], ""),
    ],
)  # fmt: skip
def test_bonus_lines(line, in_play, points, unplayed):
    kingdom = read_kingdom(line, harmony=in_play, middle_kingdom=in_play)
    assert [bonus.counted_points for bonus in sheet_of(kingdom).bonuses] == points
    assert wording.unplayed_text(replace(PHOTO, kingdoms=(kingdom,))) == unplayed


def test_uncounted_bonuses_are_said_once():
    kingdoms = tuple(map(read_kingdom, (FULL, EXAMPLE, FULL)))
    text = wording.unplayed_text(replace(PHOTO, kingdoms=kingdoms))
    assert text.startswith("Not counted: Harmony (A +5, C +5) and Middle Kingdom (A +10, C +10).")


@pytest.mark.parametrize(
    ("line", "fields", "status"),
    [
        ("C W", {}, "sure"),
        ("C W W F F W", {}, "7x7, sure"),
        ("C W", {"size": 7}, "7x7, sure"),
        ("C W W F F W", {"size": 5}, "5x5, sure"),
    ],
)
def test_unusual_size_is_said(line, fields, status):
    assert sheet_of(replace(read_kingdom(line), **fields)).status == status


def test_unpaid_middle_kingdom_says_why():
    line = "F F F F/F F F F/F F C F/F F F F/F F F F"
    (bonus,) = sheet_of(read_kingdom(line, middle_kingdom=True)).bonuses
    assert "5x5 frame" in text_of(bonus)


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (read_kingdom(), "sure"),
        (DOUBTFUL, "doubtful"),
        (read_kingdom(probability=1.0), "sure"),
        (read_kingdom(corners=()), "sure"),
        (read_kingdom(probability=1.0, corners=()), ""),  # typed
    ],
)
def test_certainty_is_sure_or_doubtful(result, text):
    assert wording.status_text(result) == text


#: 6 points each: the first has the larger territory, the last two have the more crowns.
TIED = ("C F1 F F F F F", "C F2 F F", "C L2 L L")


@pytest.mark.parametrize(
    ("lines", "closing"),
    [
        (("C F1 F", "C F1 F F"), "Totals: A 2, B 3. B wins."),
        (TIED[:2], "Totals: A 6, B 6. A wins (tie at 6: largest territory 6)."),
        (
            TIED[1:],
            "Totals: A 6, B 6. A and B share the victory "
            "(tie at 6: largest territory 3, crowns 2, shared).",
        ),
        (("C F1 F", None), "Totals: A 2, B 23 (doubtful). B leads, but not everything is sure."),
        (("C F1 F",), ""),
    ],
)
def test_table_photo_ends_with_the_winner(lines, closing):
    kingdoms = tuple(read_kingdom(line) if line else DOUBTFUL for line in lines)
    assert wording.closing_line(PhotoResult("t.jpg", Status.SURE, (), kingdoms)) == closing


def test_nobody_wins_where_a_kingdom_may_be_missing():
    note = Doubt(DoubtCode.TILES_LEFT_OUT, fields={"where": "where.top"})
    kingdoms = [read_kingdom("C F1 F"), read_kingdom("C F1 F F")]
    photo = PhotoResult.of_kingdoms("t.jpg", kingdoms, left_out=[note])
    closing = "Totals: A 2, B 3. B leads, but not everything is sure."
    assert wording.closing_line(photo) == closing


@pytest.mark.parametrize(
    ("probability", "text"),
    [(1.0, "99.9 %"), (0.99999, "99.9 %"), (0.994, "99.4 %"), (0.87, "87 %"), (0.004, "0.4 %"),
     (0.0, "0.1 %"), (0.01, "1 %"), (0.99, "99 %")],
)  # fmt: skip
def test_no_probability_is_shown_as_certainty(probability, text):
    assert wording.percent(probability) == text


@pytest.mark.parametrize(
    ("squares", "text"),
    [
        ((((2, 1), "L2"),), "Most likely 23; 28 if b3 has two crowns."),
        ((((2, 1), "L"),), "Most likely 23; 28 if b3 has no crown."),
        ((((2, 1), "S1"),), "Most likely 23; 28 if b3 is swamp with one crown."),
        ((((2, 1), "S"),), "Most likely 23; 28 if b3 is plain swamp."),
        ((((2, 1), "C"),), "Most likely 23; 28 if b3 is the castle."),
        ((((2, 1), "-"), ((2, 2), "-")), "Most likely 23; 28 if b3 and c3 are empty."),
        ((((2, 1), "-"), ((0, 1), "W")), "Most likely 23; 28 if b3 is empty and b1 has no crown."),
        ((((5, 0), "M1"),), "Most likely 23; 28 if a6 is mine with one crown."),
        ((((-1, 0), "M1"),), "Most likely 23; 28 if a0 is mine with one crown."),
    ],
)
def test_alternatives_name_their_squares(squares, text):
    result = replace(DOUBTFUL, alternatives=(Alternative(28, 0.12, squares),))
    assert totals.totals_text(result) == text


def test_likeliest_totals_are_listed():
    more = tuple(Alternative(30 + n, 0.1 - n / 100, (((2, 1), "L2"),)) for n in range(8))
    text = totals.totals_text(replace(DOUBTFUL, alternatives=more))
    assert text.count(" if ") == totals.MAX_ALTERNATIVES
    assert text.endswith("; 33 if b3 has two crowns; 4 others are less likely.")
    german = totals.totals_text(replace(DOUBTFUL, alternatives=more[:1]), "de")
    assert german == "Am wahrscheinlichsten 23; 30, wenn b3 zwei Kronen hat."


FIXED = replace(DOUBTFUL, alternatives=(), fixes=(((2, 1), "L1"), ((-1, 0), "-")))
CHECK = "Check b3 and a0 on the table"
PASTE = f"{CHECK}. Change a value below if it differs, then run:"


@pytest.mark.parametrize(
    ("result", "message", "notes"),
    [
        (read_kingdom(unsure={(0, 1): 0.2}), "", []),
        # What to do stands below all sheets.
        (FIXED, "It is dark.", [("doubt", "It is dark.")]),
        (replace(FIXED, doubts=(IMPOSSIBLE,)), "", [("warning", IMPOSSIBLE.message)]),
        (read_kingdom(doubts=(DoubtCode.DARK, DoubtCode.BLURRED)), DARK, [
            ("doubt", DARK), ("warning", Doubt(DoubtCode.BLURRED).message),
        ]),
    ],
)  # fmt: skip
def test_doubt_of_a_total_stands_first(result, message, notes):
    assert note_texts(result, message) == notes


def test_places_stand_with_their_line():
    photo = PhotoResult("a.jpg", Status.DOUBTFUL, kingdoms=(read_kingdom(), FIXED))
    assert [(note.kind, note.text) for note in wording.photo_repair(photo)] == [
        ("advice", PASTE.replace("b3 and a0", "B.b3 and B.a0")),
        ("command", "kdscore a.jpg --fix B.b3=L1 --fix B.a0=-"),
    ]
    alone = wording.photo_repair(replace(photo, kingdoms=(FIXED,)))
    assert [note.text for note in alone] == [PASTE, "kdscore a.jpg --fix b3=L1 --fix a0=-"]


def test_one_photo_is_asked_for_where_squares_do_not_settle_all():
    unsettled = replace(DOUBTFUL, fixes=())
    for kingdoms in ((unsettled, FIXED), (FIXED, unsettled), (unsettled,)):
        photo = PhotoResult("a.jpg", Status.DOUBTFUL, kingdoms=kingdoms)
        (advice,) = wording.photo_repair(photo)
        assert (advice.kind, advice.text.split()[:2]) == ("advice", ["Take", "another"])
    # Those that were typed have no photo.
    typed = replace(unsettled, corners=())
    assert wording.photo_repair(PhotoResult("", Status.DOUBTFUL, kingdoms=(typed,))) == []


def test_left_out_tiles_ask_for_a_count():
    note = Doubt(DoubtCode.TILES_LEFT_OUT, fields={"number": 6, "where": "where.top"})
    photo = PhotoResult.of_kingdoms("a.jpg", [read_kingdom(), read_kingdom()], left_out=[note])
    assert [one.text for one in wording.photo_repair(photo)] == [
        "If nothing else in the photo is a kingdom, run:",
        "kdscore a.jpg --kingdoms 2",
    ]
    both = PhotoResult.of_kingdoms("a.jpg", [FIXED], left_out=[note])
    advice, command = wording.photo_repair(both)
    assert advice.text.startswith(
        f"{CHECK}. Change a value below if it differs. If nothing else in"
    )
    assert command.text == "kdscore a.jpg --kingdoms 1 --fix b3=L1 --fix a0=-"


@pytest.mark.parametrize(
    ("result", "kind", "word"),
    [
        (ILLEGAL.kingdoms[0], "problem", "squares"),
        (read_kingdom("C M3 M3/F F -"), "warning", "M3"),
        (read_kingdom("C F L W W"), "problem", "score"),  # the joining rule
        (
            read_kingdom("C F1/W W1", seen="C F1/W C"),
            "warning",
            "b2 looks like a castle, but only wheat with one crown fits the dominoes in the box.",
        ),
        (
            read_kingdom("C F1/W W1", seen="C F1/W -"),
            "warning",
            "b2 looks like an empty place, but only wheat with one crown fits the dominoes in the "
            "box.",
        ),
        (read_kingdom("C F1/W W1", seen="C F1 G"), "warning", "C F1 G"),
    ],
)
def test_notes_on_a_sure_kingdom(result, kind, word):
    texts = [text for note_kind, text in note_texts(result) if note_kind == kind]
    assert word in texts[0]


LIMIT = wording.UNSURE_BELOW
AT_THE_LIMIT = read_kingdom(unsure={(0, 1): LIMIT, (0, 2): LIMIT - 0.01}).squares
RARE = (
    Alternative(28, totals.MIN_ALTERNATIVE, (((2, 1), "L2"),)),
    Alternative(22, totals.MIN_ALTERNATIVE - 0.01, (((2, 3), "-"),)),
)


@pytest.mark.parametrize(
    ("result", "places"),
    [
        (read_kingdom(alternatives=DOUBTFUL.alternatives, unsure={(0, 1): 0.2}), set()),
        (DOUBTFUL, {(2, 1), (2, 3), (3, 3), (4, 0)}),
        (FIXED, {(2, 1), (-1, 0)}),
        # A square at the limit is clear; so is a total that is named.
        (replace(DOUBTFUL, alternatives=(), squares=AT_THE_LIMIT), {(0, 2)}),
        (replace(DOUBTFUL, alternatives=RARE, squares=()), {(2, 1)}),
    ],
)
def test_places_to_look_at(result, places):
    assert wording.places_to_check(result) == places


def test_crownless_territories_share_a_line():
    assert sheet_of(PHOTO.kingdoms[0]).worthless == (3, "swamp a3; forest d3")
    assert sheet_of(read_kingdom("C F1 F")).worthless == (0, "")
