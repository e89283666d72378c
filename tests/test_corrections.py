"""Corrections as people write them."""

import pytest

from kdvision.corrections import (
    FixPlace,
    SheetPlace,
    kingdom_name,
    locate_fixes,
    parse_fix,
    parse_fixes,
)
from kdvision.errors import UsageError
from kdvision.rules.kingdom import Kingdom


@pytest.mark.parametrize(
    ("text", "place", "cell"),
    [
        ("b3=W1", (2, 1), "W1"),
        (" B3 = w1 ", (2, 1), "W1"),
        ("c4=c", (3, 2), "C"),
        ("d2=-", (1, 3), "-"),
        # Words of any language.
        ("a5=forest", (4, 0), "F"),
        ("a5=Wheat1", (4, 0), "W1"),
        ("a5=mine 3", (4, 0), "M3"),
        ("a5=castle", (4, 0), "C"),
        ("a5=empty", (4, 0), "-"),
        ("a5=Wald", (4, 0), "F"),
        ("g10=L", (9, 6), "L"),
        ("B.c4=G2", ("B", (3, 2)), "G2"),
        ("b.C4=g2", ("B", (3, 2)), "G2"),
        ("a . a1 = m3", ("A", (0, 0)), "M3"),
        ("AA.a1=F", ("AA", (0, 0)), "F"),
        # Beside the kingdom: z is the column left of a, the row above 1 is 0.
        ("z3=W", (2, -1), "W"),
        ("U1=W", (0, -6), "W"),
        ("t1=W", (0, 19), "W"),
        ("c0=G", (-1, 2), "G"),
        ("c-5=G", (-6, 2), "G"),
        ("b.z0=G", ("B", (-1, -1)), "G"),
    ],
)
def test_correction_is_place_and_square(text, place, cell):
    assert parse_fix(text) == (place if isinstance(place[0], str) else ("", place), cell)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("b3", "'b3' is no correction."),
        ("b" * 41, f"'{'b' * 40}' is no correction."),
        ("b3=", "'b3=' is no correction."),
        ("3b=W", "Write b3=W1 for wheat"),
        ("B.=W", "is no correction"),
        ("Bc4=W", "is no correction"),
        ("B.B.c4=W", "is no correction"),
        ("1.c4=W", "is no correction"),
        ("\u01303=W", "is no correction"),  # the capital i with a dot, which is two small letters
        ("\u017f3=W", "is no correction"),  # the long s
        ("c00=W", "is no correction"),
        ("c-0=W", "is no correction"),
        ("c--1=W", "is no correction"),
        ("c4=hill", "c4=hill: there is no square 'hill'."),
        ("c4=" + "W" * 21, f"there is no square '{'W' * 20}'."),
        ("B.c4=W2", "B.c4=W2: no domino has this square."),
        ("c4=M4", "c4=M4: no domino"),
        ("c4=mine4", "c4=M4: no domino"),
    ],
)
def test_bad_corrections_are_refused(text, sentence):
    with pytest.raises(UsageError) as error:
        parse_fix(text)
    assert sentence in str(error.value)


def test_contradicting_corrections_are_refused():
    assert parse_fixes(["b3=W", "B3=w", "B.b3=F"]) == {("", (2, 1)): "W", ("B", (2, 1)): "F"}
    with pytest.raises(UsageError, match=r"B\.b3 is corrected twice, to W and to F"):
        parse_fixes(["B.b3=W", "b.b3=F"])
    assert parse_fixes({"a1": "W1", "A1": "w1"}) == {("", (0, 0)): "W1"}


def test_one_place_has_two_names():
    fixes = parse_fixes({"b3": "W", "A.b3": "w"})
    assert locate_fixes(fixes, [Kingdom.parse("C W W")], "a.jpg") == [{(2, 1): "W"}]
    fixes = parse_fixes({"b3": "W", "A.b3": "F"})
    with pytest.raises(UsageError, match=r"A\.b3 is corrected twice, to W and to F"):
        locate_fixes(fixes, [Kingdom.parse("C W W")], "a.jpg")


def test_names():
    assert [kingdom_name(index) for index in (0, 1, 25, 26)] == ["A", "B", "Z", "AA"]
    assert str(FixPlace("", SheetPlace((2, 1)))) == "b3"
    assert str(FixPlace("B", SheetPlace((2, 1)))) == "B.b3"


@pytest.mark.parametrize("at", [(row, col) for row in range(-6, 12) for col in range(-6, 20)])
def test_place_names_round_trip(at):
    assert parse_fix(f"{FixPlace('', at)}=W") == (("", at), "W")


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("a1", (0, 0)),
        ("c1", (0, 2)),
        # A row of three can grow until it is seven long, on every side.
        ("g7", (6, 6)),
        ("w-5", (-6, -4)),
        ("h1", None),
        ("v1", None),
        ("a8", None),
        ("a-6", None),
        # One without squares grows from the place a1.
        ("B.a1", (0, 0)),
        ("B.u1", (0, -6)),
        ("B.a-5", (-6, 0)),
        ("B.g7", (6, 6)),
        ("B.h1", None),
        ("B.t1", None),
        # One that is too wide is no higher for it.
        ("C.a8", None),
    ],
)
def test_corrections_stay_near_their_kingdom(name, at):
    lines = "C W W", "", "C W W W W W W W W"
    kingdoms = list(map(Kingdom.parse, lines))
    fixes = parse_fixes({name if "." in name else f"A.{name}": "L"})
    if at is None:
        with pytest.raises(UsageError, match=name):
            locate_fixes(fixes, kingdoms, "a.jpg")
    else:
        assert locate_fixes(fixes, kingdoms, "a.jpg")["B" in name] == {at: "L"}


@pytest.mark.parametrize(
    ("place", "count", "sentence"),
    [
        ("B.a1", 1, "There is no kingdom B: a.jpg shows one kingdom, A."),
        ("C.a1", 2, "There is no kingdom C: a.jpg shows 2 kingdoms, A to B."),
        ("a1", 2, "a.jpg shows 2 kingdoms, A to B, and each has a place a1."),
    ],
)
def test_unknown_kingdom_names_the_others(place, count, sentence):
    with pytest.raises(UsageError) as error:
        locate_fixes(parse_fixes({place: "W"}), [Kingdom.parse("C W")] * count, "a.jpg")
    assert sentence in str(error.value)
