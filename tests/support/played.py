"""What several tests share: played kingdoms, the examples of the rules, and the real pictures."""

import csv
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from kdvision.rules.game.set_up import VARIANTS, SetUp
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Position
from kdvision.rules.terrain import SQUARE_KINDS, Square
from scripts.synthesis.players import AtRandom, Game, Greedy, LaidKingdom, Player, play_game
from tests.support.paths import TESTS

EXAMPLES = {
    row["name"]: row
    for row in csv.DictReader((TESTS / "data" / "examples.csv").read_text("utf-8").splitlines())
}


def real_kingdoms(path: Path) -> dict[str, Kingdom]:
    """The different kingdoms of a table of real pictures, by the file that shows each first."""
    kingdoms: dict[str, Kingdom] = {}
    for row in csv.DictReader(path.read_text("utf-8").splitlines()):
        kingdom = Kingdom.parse(row["kingdom"])
        if kingdom not in kingdoms.values():
            kingdoms[row["file"]] = kingdom
    return kingdoms


@cache
def games() -> tuple[Game, ...]:
    """A game of every set-up with each sort of player, and a mixed one."""
    tables: tuple[list[Player], ...] = (
        [AtRandom(), AtRandom(), AtRandom(), AtRandom()],
        [Greedy(), Greedy(), Greedy(), Greedy()],
        [AtRandom(), Greedy(), AtRandom(), Greedy()],
    )
    return tuple(
        play_game(players[: set_up.players], seed, set_up.variant)
        for set_up in VARIANTS.values()
        for players in tables
        for seed in range(2)
    )


@cache
def _random_game(set_up: SetUp, seed: int) -> Game:
    return play_game([AtRandom()] * set_up.players, seed, set_up.variant)


@st.composite
def laid_kingdoms(draw: st.DrawFn) -> LaidKingdom:
    """The kingdom of a player part-way through a random game, or at its end."""
    set_up = draw(st.sampled_from([VARIANTS["four-players"], VARIANTS["mighty-duel"]]))
    game = _random_game(set_up, draw(st.integers(0, 99)))
    played = draw(st.sampled_from(game.kingdoms))
    return played.after(draw(st.integers(1, len(played.laid))))


CELLS: st.SearchStrategy[Cell] = st.one_of(
    st.sampled_from(SQUARE_KINDS),
    st.sampled_from([None, CASTLE]),
    st.builds(Square, st.sampled_from([kind.terrain for kind in SQUARE_KINDS]), st.integers(0, 9)),
)


@st.composite
def any_kingdoms(draw: st.DrawFn, most: int = 8) -> Kingdom:
    """A rectangle of anything, sensible or not."""
    height, width = draw(st.integers(1, most)), draw(st.integers(1, most))
    cells = draw(st.lists(CELLS, min_size=height * width, max_size=height * width))
    return Kingdom(tuple(tuple(cells[row * width : (row + 1) * width]) for row in range(height)))


@st.composite
def changed_kingdoms(draw: st.DrawFn) -> Kingdom:
    """A played kingdom with up to three places changed, as a misreading would."""
    kingdom = draw(laid_kingdoms()).kingdom
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, kingdom.height - 1)), draw(st.integers(0, kingdom.width - 1))
        kingdom = change_cell(kingdom, at, draw(CELLS))
    return kingdom


def change_cell(kingdom: Kingdom, at: Position, cell: Cell) -> Kingdom:
    """The kingdom with another cell on one of its places."""
    return Kingdom.of_cells({**dict(kingdom.cells()), at: cell})


def equal_when_turned(kingdom: Kingdom, goal: Kingdom) -> bool:
    """Whether quarter turns make two kingdoms equal, without empty borders."""
    trimmed = kingdom.trimmed()
    return any(trimmed.turned(quarters) == goal.trimmed() for quarters in range(4))


def turned_position(at: Position, kingdom: Kingdom) -> Position:
    """Where a place of a kingdom lies when it is turned clockwise once."""
    row, col = at
    return col, kingdom.height - 1 - row


def mirrored(kingdom: Kingdom) -> Kingdom:
    """A kingdom with left and right exchanged."""
    return Kingdom(tuple(row[::-1] for row in kingdom.rows))
