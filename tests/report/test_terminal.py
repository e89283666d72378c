"""The sheet in colour."""

import io

import pytest
from rich.console import Console

from kdvision.report.palette import DOUBT_COLOUR, TERRAIN_PAINTS, rgb
from kdvision.report.terminal import terminal_report, tiles
from kdvision.result import PhotoResult, Status
from kdvision.rules.kingdom import Kingdom
from tests.support.results import DOUBTFUL_PHOTO, EXAMPLE, FULL, PHOTO, TWO_KINGDOMS, read_kingdom


def printed(renderable, color: str | None = None) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=80, force_terminal=color is not None, color_system=color)
    console.print(renderable)
    return stream.getvalue()


def test_tiles_show_letters_and_crowns():
    rows = printed(tiles(Kingdom.parse(EXAMPLE), frozenset())).splitlines()
    assert rows[0].split() == ["a", "b", "c", "d", "e"]
    assert rows[1].split() == ["1", "C", "W", "G", "G", "G"]
    assert rows[2].split() == ["♛"]
    assert rows[2].index("♛") == rows[1].index("W")
    assert rows[10].split() == ["♛♛"]
    assert len(rows) == 11


def test_doubtful_squares_carry_a_mark():
    rows = printed(tiles(Kingdom.parse("C W1/L G"), frozenset({(0, 1), (1, 1)}))).splitlines()
    assert [row.count("?") for row in rows] == [0, 1, 0, 1, 0]
    colored = printed(tiles(Kingdom.parse("C W1"), frozenset({(0, 1)})), "truecolor")
    assert "48;2;{};{};{}".format(*rgb(DOUBT_COLOUR)) in colored


@pytest.mark.parametrize("terrain", TERRAIN_PAINTS)
def test_every_terrain_has_its_colour(terrain):
    fill = "48;2;{};{};{}".format(*rgb(TERRAIN_PAINTS[terrain].fill))
    assert fill in printed(tiles(Kingdom.parse(f"C {terrain.letter}"), frozenset()), "truecolor")


def contrast(one: str, other: str) -> float:
    """The ratio of luminances, as WCAG 2 counts it."""

    def luminance(color: str) -> float:
        parts = [part / 255 for part in rgb(color)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("terrain", TERRAIN_PAINTS)
def test_letters_and_crowns_can_be_read_on_every_terrain(terrain):
    paint = TERRAIN_PAINTS[terrain]
    assert contrast(paint.fill, paint.ink) >= 3.5
    assert contrast(paint.fill, paint.crown) >= 2.7


@pytest.mark.parametrize("result", [PHOTO, DOUBTFUL_PHOTO, TWO_KINGDOMS])
def test_nothing_is_wider_than_the_terminal_or_cut(result):
    text = printed(terminal_report(result))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


def test_a_mighty_duel_fits_into_80_columns():
    line = "/".join(["W1 F L1 G S M3 W"] * 3 + ["W F L C S M W"] + ["G1 F W L S M1 F1"] * 3)
    kingdom = read_kingdom(line, Status.DOUBTFUL, 0.7)
    text = printed(terminal_report(PhotoResult("7.jpg", Status.DOUBTFUL, (), (kingdom,))))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert "TOTAL" in text


def test_the_sheet_says_all_that_the_plain_one_says():
    text = " ".join(printed(terminal_report(DOUBTFUL_PHOTO)).split())
    assert "lake 5 × 2 = 10 b3" in text
    assert "TOTAL 23 5x5, not sure" in text
    assert "? It is too dark to be sure." in text
    assert "? 23, or 28 if b3 has two crowns (12 %)" in text
    assert "> Look at b3, d3, d4, a5." in text


def test_bonuses_stand_out_when_they_are_in_play():
    sheet = PhotoResult("p", Status.SURE, (), (read_kingdom(FULL, harmony=True),))
    text = printed(terminal_report(sheet), "truecolor")
    assert "\x1b[1mHarmony: +5\x1b[0m" in text
    assert "\x1b[2mNot in play: Middle Kingdom would pay 10.\x1b[0m" in text
