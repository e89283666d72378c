"""Play games between the player that looks ahead and the greedy one, and count who wins.

    python -m scripts.measuring.play.match --games 200

Each deal is played twice with the seats changed, so that neither the deal nor the order of the
first kings helps one of them. The rate counts a draw as half a win.
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor

from kdvision.rules.game.players import Greedy, Lookahead, Player, play_game
from kdvision.rules.game.set_up import VARIANTS


def play(seed: int, seat: int, variant: str, player: Lookahead) -> tuple[int, int]:
    """The totals of the player that looks ahead and of the greedy one."""
    players: list[Player] = [Greedy(), Greedy()]
    players[seat] = player
    sheets = play_game(players, seed, variant).record.state.sheets()
    return sheets[seat].total, sheets[1 - seat].total


def main() -> None:
    """Play, and print a line for the match."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--variant", default="two-players", choices=sorted(VARIANTS))
    parser.add_argument("--playouts", type=int, default=Lookahead().playouts)
    parser.add_argument("--width", type=int, default=Lookahead().width)
    parser.add_argument("--denial", type=float, default=Lookahead().denial)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    player = Lookahead(options.playouts, options.width, options.denial)
    start = time.perf_counter()
    pairs = [(options.first_seed + number // 2, number % 2) for number in range(options.games)]
    seeds, seats = zip(*pairs, strict=True)
    games = len(pairs)
    with ProcessPoolExecutor(options.jobs) as pool:
        rules = [options.variant] * games, [player] * games
        results = list(pool.map(play, seeds, seats, *rules))
    won = sum(mine > other for mine, other in results)
    drawn = sum(mine == other for mine, other in results)
    means = [sum(totals) / games for totals in zip(*results, strict=True)]
    print(
        f"{options.variant}, {games} games: {won} won, {drawn} drawn, {games - won - drawn} lost; "
        f"rate {(won + drawn / 2) / games:.1%}; mean totals {means[0]:.1f} and {means[1]:.1f}; "
        f"{(time.perf_counter() - start) / games:.2f} s a game"
    )


if __name__ == "__main__":
    main()
