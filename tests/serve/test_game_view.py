"""When a game is over, who has won, and what it waits for, by names, claims and photos."""

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from kdvision.reading import Colour
from kdvision.result import PhotoResult, Status
from kdvision.serve.evening import GameView, rank_players
from kdvision.serve.log import SheetTable
from kdvision.serve.state import Game, GamePhoto, Seat
from tests.support.results import read_kingdom
from tests.support.serving import BLUE, GREEN, PINK, YELLOW

#: Kingdoms of 12, 9, 15 and 11 points, by their castles.
LINES = {"blue": BLUE, "green": GREEN, "pink": PINK, "yellow": YELLOW}
TABLE = SheetTable(("1", "1"), "1", (), {}, True)


def view_of(
    photos: Sequence[str],
    names: str = "",
    claims: dict[str, int] | None = None,
    accepted: dict[str, int] | None = None,
    place: tuple[str, str] | None = None,
    lines: Mapping[str, str] = LINES,
) -> GameView:
    """A game by its photos: words are castles, `?` makes one doubtful, `-` is one of no colour."""
    results = []
    for photo in photos:
        kingdoms = []
        for word in photo.split():
            name = word.strip("?")
            kingdom = read_kingdom(lines.get(name, YELLOW))
            if "?" in word:
                kingdom = replace(kingdom, status=Status.DOUBTFUL, probability=0.5)
            colour = Colour(name) if name in LINES else None
            kingdoms.append(replace(kingdom, colour=colour))
        results.append(PhotoResult.of_kingdoms("a.jpg", kingdoms))
    seats = []
    for colour in Colour:
        player = colour.title() if colour in names.split() else ""
        claim, total = (claims or {}).get(colour), (accepted or {}).get(colour)
        seats.append(Seat(colour, player, claim, accepted=total))
    taken = [GamePhoto(str(number), "a.jpg", {}, {}) for number in range(len(photos))]
    table = TABLE if place else None
    game = Game("g", "1", place=place, table=table, seats=tuple(seats), photos=tuple(taken))
    return GameView(game, tuple(results))


@pytest.mark.parametrize(
    ("photos", "names", "winners"),
    [
        # All kingdoms in one photo, all castles of the box, or all players by name.
        (["blue green"], "", ["blue"]),
        (["blue", "green"], "", []),
        (["blue", "green"], "blue", []),
        (["blue", "green"], "blue green", ["Blue"]),
        (["blue", "green", "pink", "yellow"], "", ["pink"]),
        (["blue green", "green blue"], "", ["blue"]),
        (["blue green"], "pink", []),
        # One alone, one that is doubtful, one of which nobody knows whose it is.
        (["blue"], "blue", []),
        (["blue green?"], "", []),
        (["blue? green?"], "", []),
        (["blue green -"], "", []),
    ],
)
def test_winner_is_said_when_all_are_in(photos: list[str], names: str, winners: list[str]) -> None:
    assert list(view_of(photos, names).winners) == winners


@pytest.mark.parametrize(
    ("photos", "names", "waits"),
    [
        ([], "", "photo"),
        (["blue"], "", ""),
        (["blue"], "blue green", "photo"),
        (["blue green"], "blue green", ""),
        (["blue green?"], "", "look"),
        (["blue -"], "", "look"),
    ],
)
def test_family_waits_for_photos_and_people(photos: list[str], names: str, waits: str) -> None:
    assert view_of(photos, names).waits_for == waits


BOTH = {"blue": 12, "green": 9}


@pytest.mark.parametrize(
    ("photos", "claims", "accepted", "waits", "is_hidden"),
    [
        ([], {}, {}, "claim", True),
        (["blue green"], {}, {}, "claim", True),
        (["blue green"], {"blue": 12}, {}, "claim", True),
        (["blue green"], BOTH, {}, "", False),
        (["blue green"], {"blue": 12, "green": 8}, {}, "look", False),
        (["blue green"], {"blue": 12, "green": 8}, {"green": 9}, "", False),
        (["blue"], BOTH, {}, "photo", False),
        (["blue?"], {"blue": 12}, {}, "look", True),
        ([], BOTH, {}, "photo", False),
    ],
)
def test_table_of_a_sheet_waits_for_claims(
    photos: list[str],
    claims: dict[str, int],
    accepted: dict[str, int],
    waits: str,
    is_hidden: bool,
) -> None:
    view = view_of(photos, "blue green", claims, accepted, ("1", "1"))
    assert view.waits_for == waits
    assert view.is_hidden(organiser=False) is is_hidden
    assert not view.is_hidden(organiser=True)


@pytest.mark.parametrize(
    ("phone", "sheet", "claim", "has_two"),
    [
        (None, None, None, False),
        (12, None, 12, False),
        (None, 12, 12, False),
        (12, 12, 12, False),
        (0, None, 0, False),
        (12, 46, None, True),
        (0, 12, None, True),
    ],
)
def test_sheet_and_phone_may_claim_different_totals(
    phone: int | None, sheet: int | None, claim: int | None, has_two: bool
) -> None:
    seat = Seat(Colour.BLUE, "Ada", phone, sheet)
    assert (seat.claim, seat.has_two_claims) == (claim, has_two)


def test_players_are_ranked_by_their_sums() -> None:
    first = view_of(["blue green pink?"], "blue green pink")
    second = view_of(["blue pink"], "blue pink", accepted={"blue": 40})
    third = view_of([], "blue", {"blue": 9})
    lines = rank_players([first, second, third])
    assert [(line["rank"], line["player"], line["total"], line["open"]) for line in lines] == [
        (1, "Blue", 52, False),
        (2, "Pink", 30, True),
        (3, "Green", 9, False),
    ]
    equal = view_of(["blue", "green"], accepted={"blue": 9, "pink": 9, "green": 8})
    ranks = {line["player"]: line["rank"] for line in rank_players([equal, view_of([])])}
    assert ranks == {"blue": 1, "pink": 1, "green": 3}


def test_tie_of_an_only_game_is_broken() -> None:
    """By the largest territory: over several games equal sums share a rank."""
    lines = {"green": "C F2 F F", "blue": "C F1 F F F F F"}
    game = view_of(["blue green"], lines=lines)
    ranks = [(line["rank"], line["player"], line["total"]) for line in rank_players([game])]
    assert ranks == [(1, "blue", 6), (2, "green", 6)]
    more = view_of(["pink"])
    sums = [(line["rank"], line["player"]) for line in rank_players([game, more])]
    assert sums == [(1, "pink"), (2, "green"), (2, "blue")]
