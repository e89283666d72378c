"""Measure how strong the players are, and write the table of docs/players.md.

    python -m scripts.measuring.play.match --games 120 --write

One player of a kind sits among others of another kind. Each deal is played once from every seat,
so that neither the deal nor the order of the first kings helps anybody. A shared victory counts as
its share; among equals everybody would win one game of as many as there are players.
"""

import argparse
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import sqrt
from statistics import mean

from kdvision.rules.game.players import AtRandom, Greedy, Lookahead, Player, play_game
from kdvision.rules.game.state import FOUR_PLAYERS, MIGHTY_DUEL, THREE_PLAYERS, TWO_PLAYERS, SetUp
from scripts.paths import ROOT

PAGE = ROOT / "docs" / "players.md"
#: What is measured: one player among others of another kind.
MATCHES: tuple[tuple[Player, Player], ...] = ((Greedy(), AtRandom()), (Lookahead(), Greedy()))
SET_UPS = (TWO_PLAYERS, THREE_PLAYERS, FOUR_PLAYERS, MIGHTY_DUEL)


@dataclass(frozen=True)
class Outcome:
    """One game: the share of the victory, the total, and the mean total of the others."""

    won: float
    total: float
    others: float


def play(number: int, set_up: SetUp, player: Player, other: Player) -> Outcome:
    """Play a numbered game: the deal changes when all seats have had it."""
    seed, seat = divmod(number, set_up.players)
    seats = [player if index == seat else other for index in range(set_up.players)]
    state = play_game(seats, seed, set_up).record.state
    totals = [sheet.total for sheet in state.sheets()]
    first = [entry.result.player for entry in state.standings() if entry.rank == 1]
    won = (state.players[seat] in first) / len(first)
    return Outcome(won, totals[seat], mean(totals[:seat] + totals[seat + 1 :]))


def row(set_up: SetUp, player: Player, other: Player, games: int, pool: ProcessPoolExecutor) -> str:
    """Play a match and return its row of the table."""
    games -= games % set_up.players
    one_game = partial(play, set_up=set_up, player=player, other=other)
    outcomes = list(pool.map(one_game, range(games), chunksize=4))
    rate = mean(outcome.won for outcome in outcomes)
    error = 100 * sqrt(rate * (1 - rate) / games)
    names = type(player).__name__, type(other).__name__
    means = mean(one.total for one in outcomes), mean(one.others for one in outcomes)
    return (
        f"| {set_up.name} | `{names[0]}` | `{names[1]}` | {games} | {100 * rate:.0f} % "
        f"(± {error:.0f}) | {means[0]:.1f} | {means[1]:.1f} |\n"
    )


def write(line: str) -> None:
    """Put a row into the table of the page, in the place of an older one of the same match."""
    head, table, rest = re.split(r"(\| game \|.*\|\n)", PAGE.read_text("utf-8"), flags=re.DOTALL)
    match = line.split("|")[1:4]
    rows = [one for one in table.splitlines(keepends=True) if one.split("|")[1:4] != match]
    PAGE.write_text("".join([head, *rows, line, rest]), "utf-8")


def main() -> None:
    """Play the matches, print their rows, and write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--variant", choices=[one.variant for one in SET_UPS], help="only this one")
    parser.add_argument("--player", choices=[type(one).__name__ for one, _ in MATCHES])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as pool:
        for (player, other), set_up in product(MATCHES, SET_UPS):
            asked = options.variant in (None, set_up.variant)
            if asked and options.player in (None, type(player).__name__):
                line = row(set_up, player, other, options.games, pool)
                print(line, end="", flush=True)
                if options.write:
                    write(line)


if __name__ == "__main__":
    main()
