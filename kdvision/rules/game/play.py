"""Whole games between players that decide by themselves (RULES 5.5, 5.6).

A seed plays the same game again: `play_game([Greedy()] * 4, seed=7)`. The kingdoms that come out
hold their dominoes in the order of laying; `LaidKingdom.after` gives a kingdom part-way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from kdvision.rules.dominoes import Domino
from kdvision.rules.game.actions import Action, Choose, Discard, Lay
from kdvision.rules.game.laying import ORIGIN, Laid, LaidKingdom
from kdvision.rules.game.record import GameRecord
from kdvision.rules.game.set_up import SetUp
from kdvision.rules.game.state import GameState
from kdvision.rules.kingdom import CASTLE, Cell, Position


class Player(Protocol):
    """Who decides."""

    def act(self, state: GameState, rng: Random) -> Action:
        """Answer with one of the actions of the state, in which it is this player's turn.

        Args:
            state: The whole position. What nobody has seen yet is dealt anew, so that its pile
                is as good a guess as any, and no peeking.
            rng: The game's own random numbers.
        """
        ...


@dataclass(frozen=True, slots=True)
class Claim:
    """A domino with the king of a player on it."""

    domino: Domino
    player: int


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the game.

    `dominoes` are sorted by number, `claims` in the order in which the kings were put down,
    `leftover` are the dominoes that nobody could claim.
    """

    dominoes: tuple[Domino, ...]
    claims: tuple[Claim, ...]
    leftover: tuple[Domino, ...]

    @property
    def order(self) -> tuple[Claim, ...]:
        """The claims in the order of play of the next line: by number."""
        return tuple(sorted(self.claims, key=lambda claim: claim.domino.number))


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played to its end: one kingdom per player, and the lines."""

    set_up: SetUp
    seed: int
    kingdoms: tuple[LaidKingdom, ...]
    lines: tuple[Line, ...]
    record: GameRecord


def play_game(
    players: Sequence[Player],
    seed: int,
    set_up: SetUp | str | None = None,
    dominoes: Sequence[Domino] | None = None,
) -> Game:
    """Play one game to its end.

    Args:
        players: One for each kingdom, in the order of the kingdoms that come out.
        seed: The same seed and players play the same game.
        set_up: A set-up or the name of one; None takes the usual one for so many players.
        dominoes: Another deck; None for that of the box.

    Raises:
        ValueError: No set-up is for so many players.
        IllegalActionError: A player answers with something that the rules do not allow.
    """
    start = GameState.start(len(players), variant=set_up, seed=seed, dominoes=dominoes)
    record = GameRecord(start)
    rng = Random(f"players {seed}")
    while (player := record.state.current_player) is not None:
        answer = players[player].act(record.state.imagined(rng), rng)
        record = record.play(answer)
    return game_of(record, seed)


def game_of(record: GameRecord, seed: int = 0) -> Game:
    """The kingdoms and the lines of a game that was played to its end."""
    by_number = record.start.deck.by_number
    laid: list[list[Laid]] = [[] for _ in record.start.players]
    discarded: list[list[Domino]] = [[] for _ in record.start.players]
    lines: list[Line] = []
    middle = record.start.set_up.size - 1
    for state, action in record.steps():
        domino, player = by_number[action.number], state.current_player
        assert player is not None
        if isinstance(action, Lay):
            laid[player].append(
                Laid(domino, action.left_at, action.right_at).shifted(-middle, -middle)
            )
        elif isinstance(action, Discard):
            discarded[player].append(domino)
        else:
            _choose(lines, state, action, player)
    kingdoms = (
        _played(record.start.set_up.size, *both) for both in zip(laid, discarded, strict=True)
    )
    return Game(record.start.set_up, seed, tuple(kingdoms), tuple(lines), record)


def _choose(lines: list[Line], state: GameState, action: Choose, player: int) -> None:
    """Note who put a king on which domino; the first one to do so begins the line."""
    by_number = state.deck.by_number
    free = tuple(by_number[number] for number in state.line)
    last = Line(free, (), free) if not state.kings else lines.pop()
    left = tuple(domino for domino in free if domino.number != action.number)
    claim = Claim(by_number[action.number], player)
    lines.append(Line(last.dominoes, (*last.claims, claim), left))


def _played(size: int, laid: list[Laid], discarded: list[Domino]) -> LaidKingdom:
    cells: dict[Position, Cell] = {ORIGIN: CASTLE}
    for move in laid:
        cells.update(move.squares)
    return LaidKingdom(size, tuple(laid), tuple(discarded), cells)
