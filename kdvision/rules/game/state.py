"""A game that can be stepped: who is to move, what they can do, and what comes of it (RULES 5).

    state = GameState.start(2, variant="mighty-duel", seed=7)
    while not state.over:
        state = state.play(state.actions()[0])

A state never changes: `play` gives the next one, and to take an action back is to keep the state
before it (`record.GameRecord` does). States are equal when the same can happen from them,
whatever the order in which their dominoes were laid. `str` and `GameState.parse` are in `notation`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from random import Random

from kdvision.rules.dominoes import Domino
from kdvision.rules.game.actions import Action, Choose, Discard, IllegalActionError, Lay
from kdvision.rules.game.deck import Deck, standard_deck
from kdvision.rules.game.land import Land
from kdvision.rules.game.notation import GamePosition, parse_position, position_text
from kdvision.rules.game.set_up import SetUp, checked_names, opening, set_up_of
from kdvision.rules.kingdom import Kingdom, position_name
from kdvision.rules.scoring import ScoreSheet, score
from kdvision.rules.standings import Ranked, TieRule, ranking, result_of


@dataclass(frozen=True, slots=True)
class GameState(GamePosition):
    """A position of a game, with its fields as in `GamePosition`."""

    # ------------------------------------------------------------------ set-up

    @classmethod
    def start(
        cls,
        players: int | Sequence[str],
        *,
        variant: str | SetUp | None = None,
        seed: int = 0,
        dominoes: Sequence[Domino] | None = None,
    ) -> "GameState":
        """The position before the first king is put down.

        Args:
            players: Their names, or how many.
            variant: A name of `set_up.VARIANTS` or a set-up; None takes the usual one.
            seed: The same seed deals the same game.
            dominoes: Another deck, whose numbers are all different.

        Raises:
            ValueError: The variant is not for so many players, a name cannot be written, or the
                deck is too small or has a number twice.
        """
        count = players if isinstance(players, int) else len(players)
        set_up = set_up_of(variant, count)
        names = tuple("ABCD"[:count]) if isinstance(players, int) else tuple(players)
        deck = standard_deck() if dominoes is None else Deck(tuple(dominoes))
        deck.check(set_up)
        rng = Random(seed)
        numbers = rng.sample(tuple(deck.by_number), len(deck.by_number))
        pile, aside = numbers[: set_up.dominoes], numbers[set_up.dominoes :]
        kings = tuple((0, player) for player in opening(set_up, rng))
        lands = (Land.empty(set_up.size),) * count
        state = cls(
            set_up, checked_names(names), deck, (), (), kings, (), tuple(sorted(aside)), lands
        )
        return replace(state, pile=tuple(pile))._next_round()

    # ------------------------------------------------------------------ looking

    @property
    def over(self) -> bool:
        """Whether every domino is laid or discarded."""
        return not self.turns

    @property
    def current_player(self) -> int | None:
        """Whose turn it is, as an index of `players`; None when the game is over."""
        return self.turns[0][1] if self.turns else None

    @property
    def domino(self) -> Domino | None:
        """The domino to be laid now; None where one is to be chosen, or the game is over."""
        return self.deck.by_number[self.turns[0][0]] if self.turns and self.turns[0][0] else None

    @property
    def kingdoms(self) -> tuple[Kingdom, ...]:
        """The kingdom of each player, cut to its bounding box."""
        return tuple(land.kingdom for land in self.lands)

    @property
    def unseen(self) -> tuple[int, ...]:
        """The numbers that no player has seen yet, sorted: those to come and those left out."""
        return tuple(sorted((*self.pile, *self.aside)))

    def sheets(
        self, *, harmony: bool = False, middle_kingdom: bool = False
    ) -> tuple[ScoreSheet, ...]:
        """The score sheet of each player as the kingdoms lie now, with the bonuses in play."""
        size = self.set_up.size
        return tuple(
            score(kingdom, size, harmony=harmony, middle_kingdom=middle_kingdom)
            for kingdom in self.kingdoms
        )

    def standings(
        self,
        tie_rule: TieRule = TieRule.CROWNS,
        *,
        harmony: bool = False,
        middle_kingdom: bool = False,
    ) -> tuple[Ranked, ...]:
        """The players ranked as the kingdoms lie now, best first (RULES 4)."""
        sheets = self.sheets(harmony=harmony, middle_kingdom=middle_kingdom)
        return ranking(map(result_of, self.players, sheets), tie_rule)

    # ------------------------------------------------------------------ playing

    def actions(self) -> tuple[Action, ...]:
        """Everything that the current player can do, each once; none when the game is over.

        Where a domino can be laid it must be (RULES 5.5).
        """
        if self.over:
            return ()
        number, player = self.turns[0]
        if not number:
            return tuple(map(Choose, self.line))
        land = self.lands[player]
        at = land.frame.position
        moves = land.moves(self.deck.pieces[number])
        lays = sorted((at(left), at(right)) for left, right in moves)
        return tuple(Lay(number, *places) for places in lays) or (Discard(number),)

    def play(self, action: Action) -> "GameState":
        """The position after an action.

        Raises:
            IllegalActionError: The rules do not allow it now; the message says why.
        """
        action = self._checked(action)
        if isinstance(action, Choose):
            return self.chosen(action.number)
        if isinstance(action, Discard):
            return self.laid(None)
        place = self.lands[self.turns[0][1]].frame.place
        return self.laid((place(action.left_at), place(action.right_at)))

    def laid(self, places: tuple[int, int] | None) -> "GameState":
        """`play` for searches: the first domino laid on a move of its land, or discarded.

        Nothing is checked.
        """
        (number, player), *rest = self.turns
        lands = self.lands
        if places is not None:
            land = lands[player].lay(self.deck.pieces[number], *places)
            lands = (*lands[:player], land, *lands[player + 1 :])
        turns = ((0, player), *rest) if self.line else tuple(rest)
        return replace(self, turns=turns, lands=lands)

    def chosen(self, number: int) -> "GameState":
        """`play` for searches: a domino of the line chosen. Nothing is checked."""
        (_, player), *rest = self.turns
        line = tuple(one for one in self.line if one != number)
        kings = tuple(sorted((*self.kings, (number, player))))
        after = replace(self, turns=tuple(rest), line=line, kings=kings)
        return after if rest else after._next_round()

    def imagined(self, rng: Random) -> "GameState":
        """The same position with what nobody has seen dealt anew: what a player may plan with."""
        unseen = rng.sample(self.unseen, len(self.unseen))
        pile, aside = unseen[: len(self.pile)], unseen[len(self.pile) :]
        return replace(self, pile=tuple(pile), aside=tuple(sorted(aside)))

    def _next_round(self) -> "GameState":
        """The kings of the line move next, and a new line is drawn; a leftover goes."""
        length = self.set_up.line
        line, pile = tuple(sorted(self.pile[:length])), self.pile[length:]
        return replace(self, turns=self.kings, kings=(), line=line, pile=pile)

    def _checked(self, action: Action) -> Action:
        """An action that is allowed, alike halves in the order in which `actions` has them."""
        if self.over:
            raise IllegalActionError("The game is over.")
        number, player = self.turns[0]
        name = self.players[player]
        if isinstance(action, Choose):
            if number:
                raise IllegalActionError(
                    f"First {name} must lay domino {number}; then a domino is chosen."
                )
            if action.number not in self.line:
                free = ", ".join(map(str, self.line))
                raise IllegalActionError(f"Domino {action.number} is not free; {free} are.")
            return action
        if not isinstance(action, Lay | Discard):
            raise IllegalActionError(f"{str(action)[:40]!r} is no action.")
        if not number:
            raise IllegalActionError(f"{name} must choose a domino now.")
        if action.number != number:
            raise IllegalActionError(
                f"The king of {name} stands on domino {number}, not on {action.number}."
            )
        allowed = self.actions()
        if isinstance(action, Lay) and self.deck.pieces[number].double:
            places = sorted((action.left_at, action.right_at))
            action = Lay(number, *places)
        if action not in allowed:
            raise IllegalActionError(_refusal(action))
        return action

    # ------------------------------------------------------------------ text

    def __str__(self) -> str:
        return position_text(self)

    @classmethod
    def parse(cls, text: str) -> "GameState":
        """Read the text of a position.

        Raises:
            NotationError: It is none; the message says what is wrong.
        """
        found = parse_position(text)
        return cls(*(getattr(found, one.name) for one in fields(found)))


def _refusal(action: Lay | Discard) -> str:
    if isinstance(action, Discard):
        return f"Domino {action.number} can be laid, so it must be."
    places = f"{position_name(action.left_at)} and {position_name(action.right_at)}"
    return (
        f"Domino {action.number} may not lie on {places}: it must lie on two free places side by "
        f"side, beside the castle or its own terrain, and keep the size of the kingdom."
    )
