"""Games of an evening without a server."""

from msgspec.structs import replace

from kdvision.reading import Colour
from kdvision.result import PhotoResult, Status
from kdvision.serve.evening import GameView
from kdvision.serve.state import Game, GamePhoto, Owner, Seat
from tests.support.results import read_kingdom
from tests.support.serving import COLOURS, TABLE


def tables_of_four(count: int) -> list[GameView]:
    """Return so many games of four players with names and totals of their own."""
    kingdoms = [read_kingdom(line) for line in TABLE]
    views = []
    for table in range(count):
        scored = tuple(replace(kingdom, score=table + n) for n, kingdom in enumerate(kingdoms))
        result = PhotoResult("a.jpg", Status.SURE, (), scored)
        owners = {letter: Owner(colour) for letter, colour in zip("ABCD", COLOURS, strict=True)}
        photo = GamePhoto("photo", "a.jpg", {}, owners)
        seats = tuple(Seat(Colour(colour), f"{colour} {table}") for colour in COLOURS)
        views.append(GameView(Game("id", "1", seats=seats, photos=(photo,)), (result,)))
    return views
