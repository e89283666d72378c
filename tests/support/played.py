"""What several tests share: played kingdoms, the examples of the rules, and the real pictures."""

import csv
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import strategies as st

from kdvision.rules.dominoes import Domino, standard_deck
from kdvision.rules.game.laying import Choose
from kdvision.rules.game.state import FOUR_PLAYERS, MIGHTY_DUEL, VARIANTS, SetUp
from kdvision.rules.kingdom import CASTLE, Cell, Kingdom, Position, neighbours
from kdvision.rules.terrain import SQUARE_KINDS, Square
from scripts.synthesis.players import AtRandom, Game, Greedy, LaidKingdom, play_game
from tests.support.paths import TESTS

DATA = Path(os.environ.get("KDVISION_DATA", TESTS.parent.parent / "shared" / "data"))

EXAMPLES = {
    row["name"]: row
    for row in csv.DictReader((TESTS / "data" / "examples.csv").read_text("utf-8").splitlines())
}


def real_kingdoms(name: str) -> dict[str, Kingdom]:
    """The different kingdoms of a table of real pictures, by the file that shows each first."""
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"no real pictures: {path} is missing (set KDVISION_DATA)")
    found: dict[str, Kingdom] = {}
    for row in csv.DictReader(path.read_text("utf-8").splitlines()):
        kingdom = Kingdom.parse(row["kingdom"])
        if kingdom not in found.values():
            found[row["file"]] = kingdom
    return found


@dataclass(frozen=True)
class Claim:
    """A domino with the king of a player on it."""

    domino: Domino
    player: int


@dataclass(frozen=True)
class Line:
    """One line of a game: its dominoes by number, who claimed which in order, what was left."""

    dominoes: tuple[Domino, ...]
    claims: tuple[Claim, ...]

    @property
    def leftover(self) -> tuple[Domino, ...]:
        claimed = {claim.domino for claim in self.claims}
        return tuple(domino for domino in self.dominoes if domino not in claimed)

    @property
    def order(self) -> tuple[Claim, ...]:
        """The claims in the order of play of the next line: by number."""
        return tuple(sorted(self.claims, key=lambda claim: claim.domino.number))


def lines(game: Game) -> list[Line]:
    """The lines of a game, as its record has them."""
    by_number, found = game.record.start.deck.by_number, list[Line]()
    for state, action in game.record.steps():
        if isinstance(action, Choose):
            free = tuple(by_number[number] for number in state.line)
            last = found.pop() if state.kings else Line(free, ())
            claim = Claim(by_number[action.number], state.current_player or 0)
            found.append(Line(last.dominoes, (*last.claims, claim)))
    return found


@cache
def games() -> tuple[Game, ...]:
    """A game of every set-up with each sort of player, and a mixed one."""
    players = AtRandom(), Greedy()
    return tuple(
        play_game(
            [(players[sort] if sort < 2 else players[n % 2]) for n in range(one.players)], seed, one
        )
        for one in VARIANTS.values()
        for sort in (0, 1, 2)
        for seed in range(2)
    )


@cache
def _random_game(set_up: SetUp, seed: int) -> Game:
    return play_game([AtRandom()] * set_up.players, seed, set_up)


@st.composite
def laid_kingdoms(draw: st.DrawFn) -> LaidKingdom:
    """The kingdom of a player part-way through a random game, or at its end."""
    set_up = draw(st.sampled_from([FOUR_PLAYERS, MIGHTY_DUEL]))
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
        kingdom = kingdom.with_cell(at, draw(CELLS))
    return kingdom


def packed(size: int, castle: Position, rng: Random) -> Kingdom:
    """A full kingdom of dominoes thrown in at random, terrain matching or not."""
    every = {(row, col) for row in range(size) for col in range(size)}
    while True:
        grid: dict[Position, Cell] = {castle: CASTLE}
        for domino in rng.sample(standard_deck().dominoes, size * size // 2):
            # The place with the fewest free neighbours goes first, or it would stay alone.
            free = {
                at: [near for near in neighbours(at) if near in every and near not in grid]
                for at in sorted(every - grid.keys())
            }
            at = min(free, key=lambda one: len(free[one]))
            if not free[at]:
                break
            grid[at], grid[rng.choice(free[at])] = rng.sample([domino.left, domino.right], 2)
        else:
            return Kingdom(
                tuple(tuple(grid[row, col] for col in range(size)) for row in range(size))
            )


def turned_position(at: Position, kingdom: Kingdom) -> Position:
    """Where a place of a kingdom lies when it is turned clockwise once."""
    row, col = at
    return col, kingdom.height - 1 - row
