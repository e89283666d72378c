"""How many dominoes are laid in a second, and how many games are played.

    python -m scripts.measuring.play.perft

Perft lays every domino of a list in every legal way, as a search would. Seconds are those of the
processor, so that other work on the machine counts less.
"""

import time

from kdvision.rules.dominoes import Domino, standard_deck
from kdvision.rules.game.laying import Land
from kdvision.rules.game.players import AtRandom, Greedy, Player, play_game
from kdvision.rules.game.state import SET_UPS

DOMINOES = (13, 14, 15, 17)
GAMES = 20


def perft(land: Land, dominoes: tuple[Domino, ...]) -> int:
    """Return the number of ways to lay dominoes in turn; the last ones are laid too."""
    first, rest = dominoes[0], dominoes[1:]
    laid = [land.lay(first, left, right) for left, right in land.moves(first)]
    return sum(perft(one, rest) for one in laid) if rest else len(laid)


def main() -> None:
    """Print the counts by depth, placements in a second, and games in a second."""
    pieces = tuple(standard_deck().by_number[number] for number in DOMINOES)
    counts = [perft(Land.empty(5), pieces[:depth]) for depth in range(1, len(pieces))]
    start = time.process_time()
    counts.append(perft(Land.empty(5), pieces))
    seconds = time.process_time() - start
    print(f"dominoes {DOMINOES}: {counts}, {sum(counts) / seconds:,.0f} placements a second")
    for player in (AtRandom(), Greedy()):
        for set_up in SET_UPS:
            players: list[Player] = [player] * set_up.players
            start = time.process_time()
            for seed in range(GAMES):
                play_game(players, seed, set_up)
            rate = GAMES / (time.process_time() - start)
            print(f"{type(player).__name__}, {set_up.name}: {rate:.0f} games a second")


if __name__ == "__main__":
    main()
