"""Whole games as values and as text.

The text of a game is in the spirit of chess's PGN: headers in brackets, then a line for each round.

    [Start "two-players; Ann, Bob; turns A B B A; line 3 17 20 44; ..."]
    [Result "Ann 45, Bob 39"]

    1. A 17; B 3; B 20; A 44
    2. B 3 e4 f4; B 8; A 17 e4 e3; ...

    >>> record = GameRecord(GameState.start(["Ann", "Bob"], seed=7)).play("26").play("10")
    >>> print(str(record).splitlines()[-1])
    1. A 26; B 10
    >>> GameRecord.parse(str(record)) == record, record.undo().state.line
    (True, (10, 21, 42))
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from kdvision.rules.errors import IllegalActionError, NotationError, check_each, check_type
from kdvision.rules.game.laying import Action, parse_action
from kdvision.rules.game.state import LETTERS, GameState

_HEADER = re.compile(r'\[(\w+) "([^"]*)"\]\Z')
#: The number that begins the line of a round.
_ROUND = re.compile(r"[0-9]+\.")


@dataclass(frozen=True, slots=True, repr=False)
class GameRecord:
    """A game up to some action. `play` gives the record with one more, `undo` with one fewer.

    Attributes:
        start: The position before the first action.
        actions: What the players did, in order.
    """

    start: GameState
    actions: tuple[Action, ...] = ()
    _after: tuple[GameState, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Play the actions where the states after them are not given."""
        check_type(self.start, GameState, "position; give a GameState")
        check_each(self.actions, Action, "action; give such as Choose(19)")
        if len(self._after) != len(self.actions):
            states = accumulate(self.actions, GameState.play, initial=self.start)
            object.__setattr__(self, "_after", tuple(states)[1:])

    def __repr__(self) -> str:
        return f"GameRecord({self.start.set_up.variant}, {len(self.actions)} actions)"

    @property
    def state(self) -> GameState:
        """The position after the last action."""
        return self._after[-1] if self._after else self.start

    def play(self, action: Action | str) -> "GameRecord":
        """Return the record with one action more.

        Raises:
            IllegalActionError: The rules do not allow it now.
        """
        if isinstance(action, str):
            action = parse_action(action)
        after = self.state.play(action)
        action = self.state.normalise(action)
        return GameRecord(self.start, (*self.actions, action), (*self._after, after))

    def undo(self) -> "GameRecord":
        """Return the record without its last action.

        Raises:
            IllegalActionError: There is none.
        """
        if not self.actions:
            raise IllegalActionError("There is no move to take back.")
        return GameRecord(self.start, self.actions[:-1], self._after[:-1])

    def steps(self) -> Iterator[tuple[GameState, Action]]:
        """Yield every position with the action that was taken from it, in order."""
        yield from zip((self.start, *self._after), self.actions, strict=False)

    # ------------------------------------------------------------------ text

    def __str__(self) -> str:
        headers = [f'[Start "{self.start}"]']
        if self.state.over:
            headers.append(f'[Result "{_result_text(self.state)}"]')
        rounds: list[list[str]] = []
        round_before = None
        for state, action in self.steps():
            round_now = _mark_round(state)
            if round_now != round_before:
                rounds.append([])
                round_before = round_now
            player = state.current_player
            assert player is not None
            rounds[-1].append(f"{LETTERS[player]} {action}")
        lines = [f"{number}. {'; '.join(played)}" for number, played in enumerate(rounds, 1)]
        return "\n".join([*headers, "", *lines]) + "\n"

    @classmethod
    def parse(cls, text: str) -> "GameRecord":
        """Read a record; every action is played again and checked.

        Raises:
            NotationError: It is no record, an action is against the rules, or the result is not
                what the game came to. The message names the action.
        """
        check_type(text, str, "game; give its text")
        lines = list(filter(None, map(str.strip, text.splitlines())))
        headers: dict[str, str] = {}
        for line in lines:
            if header := _HEADER.match(line):
                headers[header[1]] = header[2]
        if "Start" not in headers:
            raise NotationError('A game begins with its first position: [Start "..."].')
        record = cls(GameState.parse(headers["Start"]))
        for line in lines:
            if _HEADER.match(line):
                continue
            if line.startswith("["):
                raise NotationError(f'{line[:40]!r} is no header; write [Result "Ann 45, Bob 39"].')
            for words in _ROUND.sub("", line).split(";"):
                record = _play_words(record, words.strip())
        result = headers.get("Result")
        if result is not None and (not record.state.over or result != _result_text(record.state)):
            raise NotationError(f"The game does not come to its result, {result[:100]!r}.")
        return record


def _mark_round(state: GameState) -> tuple[int, bool]:
    """Return what all positions of a round have in common, and no two rounds.

    The pile shrinks from round to round, but not before the last one, which has no line.
    """
    has_line = bool(state.line or state.kings)
    return len(state.pile), has_line


def _result_text(state: GameState) -> str:
    """Return the totals as the header of a result has them: `Ann 45, Bob 39`."""
    totals = zip(state.players, state.sheets(), strict=True)
    return ", ".join(f"{player} {sheet.total}" for player, sheet in totals)


def _play_words(record: GameRecord, words: str) -> GameRecord:
    """Return the record with one more action, written with the letter of its player."""
    number = len(record.actions) + 1
    player = record.state.current_player
    letter, _, action = words.partition(" ")
    if player is None or letter != LETTERS[player]:
        turn = "the game is over" if player is None else f"it is {LETTERS[player]}'s turn"
        raise NotationError(f"Move {number}, {words[:40]!r}: {turn}.")
    try:
        return record.play(parse_action(action))
    except IllegalActionError as error:
        raise NotationError(f"Move {number}, {words[:40]!r}: {error}") from None
