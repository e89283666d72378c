"""A game that can be stepped: who is to move, what they can do, and what comes of it (RULES 5).

    >>> state = GameState.start(["Ann", "Bob"], seed=7)
    >>> [str(action) for action in state.actions()]
    ['10', '21', '26', '42']
    >>> state = state.play("26")
    >>> while not state.over:
    ...     state = state.play(state.actions()[0])
    >>> [(entry.rank, entry.result.player, entry.result.total) for entry in state.standings()]
    [(1, 'Ann', 30), (2, 'Bob', 27)]

A state never changes: `play` gives the next one, and to take an action back is to keep the state
before it (`record.GameRecord` does). States are equal when the same can happen from them,
whatever the order in which their dominoes were laid.

The text of a state is one line from which a game goes on, in the spirit of chess's FEN:

    two-players; Ann, Bob; turns 3A 9B 12A 20B; line 1 8 30 41; kings -; pile 4 7 ...;
    aside 2 5 ...; C W1/- C F; C; rules harmony territory

In this order: variant, players, the kings still to move (`0A` and `A` have no domino), the free
dominoes of the new line, the kings on it, the pile in the order of drawing, the dominoes left out,
and a kingdom line for each player. Players are named A to D, `-` stands for none. What follows is
left out where it is as usual: what the players have agreed on (`GameRules`), and another deck than
that of the box (`deck 1 W W, 2 W F1, ...`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from operator import itemgetter
from random import Random
from typing import Any

from kdvision.rules.dominoes import Deck, Domino, parse_number, standard_deck
from kdvision.rules.errors import IllegalActionError, NotationError, RulesError, check_type
from kdvision.rules.game.laying import (
    Action,
    Choose,
    Discard,
    Land,
    Lay,
    parse_action,
)
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.rules import Centre, Rules
from kdvision.rules.scoring import ScoreSheet, score
from kdvision.rules.standings import Ranked, TieRule, ranking, result_of

#: The letters of the players in the text of a state and of a record.
LETTERS = "ABCD"
#: The parts of a text that are lists, and how an empty one is written.
_FIELDS, _NONE = ("turns", "line", "kings", "pile", "aside"), "-"
#: The longest name of a player, in characters.
MAX_NAME_LENGTH = 40
#: A message names so many of the actions that are allowed.
_MOST_NAMED = 4
_KING = re.compile(r"([0-9]{0,3})([A-D])\Z")

#: A king: the number of the domino that it stands on, 0 for none, and its player.
King = tuple[int, int]


# ---------------------------------------------------------------------- set-up


@dataclass(frozen=True, slots=True)
class SetUp:
    """What a game is played with (RULES 5.6).

    Attributes:
        name: What people call it.
        players: The number of players.
        size: The side of the largest kingdom, 5 or 7.
        kings: The number of kings of each player.
        dominoes: The number of dominoes in play.
        line: The number of dominoes in a line; those that no king can take are discarded.
        horseshoe: Whether one king is drawn, then both of the other player come, then the last one
            (text 000), instead of all kings one after the other.
    """

    name: str
    players: int
    size: int
    kings: int
    dominoes: int
    line: int
    horseshoe: bool = False

    @property
    def variant(self) -> str:
        """The name in one word, as `start` and the text of a state have it: `mighty-duel`."""
        return re.sub(r"[^a-z]+", "-", self.name.lower())


#: Every set-up by its name in one word: those that the texts allow.
VARIANTS = {
    set_up.variant: set_up
    for set_up in (
        SetUp("two players", 2, 5, 2, 24, 4),
        SetUp("two players, horseshoe", 2, 5, 2, 24, 4, horseshoe=True),
        SetUp("three players, lines of four", 3, 5, 1, 48, 4),
        SetUp("three players, lines of three", 3, 5, 1, 36, 3),
        SetUp("four players", 4, 5, 1, 48, 4),
        SetUp("Mighty Duel", 2, 7, 2, 48, 4),
    )
}
#: The variant that most texts give, by the number of players.
_USUAL = {2: "two-players", 3: "three-players-lines-of-four", 4: "four-players"}


@dataclass(frozen=True, slots=True)
class GameRules:
    """What the players of a game have agreed on (RULES 3, 4, 8).

    Attributes:
        harmony: Whether the Harmony bonus is in play.
        middle_kingdom: Whether the Middle Kingdom bonus is in play.
        centre: What the castle must be the centre of for it.
        tie_rule: What breaks ties of totals.
        any_king: Whether the players draw the kings of the first line in turn, each choosing for
            the king drawn, own or not (text 003); otherwise the owner of a king chooses.
    """

    harmony: bool = False
    middle_kingdom: bool = False
    centre: Centre = Centre.BOX
    tie_rule: TieRule = TieRule.CROWNS
    any_king: bool = False

    def __str__(self) -> str:
        values = asdict(self).items()
        return " ".join(word for word, value in _RULE_WORDS.items() if value in values)

    @classmethod
    def parse(cls, text: str) -> "GameRules":
        """Read rules as `str` writes them: `harmony territory`.

        Raises:
            NotationError: A word is none.
        """
        check_type(text, str, 'text of rules; give such as "harmony territory"')
        for word in text.split():
            if word not in _RULE_WORDS:
                words = ", ".join(_RULE_WORDS)
                raise NotationError(f"{word[:40]!r} is no rule of a game; write {words}.")
        return cls(**dict(_RULE_WORDS[word] for word in text.split()))


#: What the text of a state calls rules that are not the usual ones: field and value.
_RULE_WORDS: dict[str, tuple[str, Any]] = {
    "harmony": ("harmony", True),
    "middle-kingdom": ("middle_kingdom", True),
    "frame": ("centre", Centre.FRAME),
    "territory": ("tie_rule", TieRule.TERRITORY),
    "any-king": ("any_king", True),
}
#: No bonus, and the usual readings of the texts.
USUAL_RULES = GameRules()


def _find_set_up(variant: str | None, players: int) -> SetUp:
    """Return the set-up of a variant, or the usual one, for a number of players.

    Raises:
        RulesError: There is no such variant, or it is not for so many players.
    """
    if variant is None and players not in _USUAL:
        raise RulesError(f"Kingdomino is for two to four players, not for {players}.")
    set_up = VARIANTS.get(_USUAL[players] if variant is None else str(variant))
    if set_up is None:
        names = ", ".join(sorted(VARIANTS))
        raise RulesError(f"{str(variant)[:40]!r} is no variant. Write one of {names}.")
    if set_up.players != players:
        raise RulesError(f"{set_up.name} is not for {players} players.")
    return set_up


def _check_names(names: tuple[str, ...], set_up: SetUp) -> tuple[str, ...]:
    """Return the names of players, if they can stand in the text of a state and of a record.

    Raises:
        RulesError: They are too few or too many, or one is there twice, is empty, too long, or has
            a character that the text gives a meaning: a comma, a semicolon, a quote, a line break.
    """
    if len(names) != set_up.players:
        raise RulesError(f"{set_up.name} needs {set_up.players} names, not {len(names)}.")
    for name in names:
        is_text = isinstance(name, str) and name == name.strip() and name.isprintable()
        if not is_text or not 0 < len(name) <= MAX_NAME_LENGTH or set(name) & set(',;"'):
            raise RulesError(
                f"{str(name)[:40]!r} cannot be the name of a player: "
                f"1 to {MAX_NAME_LENGTH} letters, no comma, semicolon, quote or line break."
            )
    if len(set(names)) < len(names):
        raise RulesError("Two players have the same name.")
    return names


def _draw_kings(set_up: SetUp, rng: Random) -> list[int]:
    """Return the owners of the kings in the order in which these go on the first line."""
    players = range(set_up.players)
    if set_up.horseshoe:
        first, second = rng.sample(players, 2)
        return [first, second, second, first]
    order = [player for player in players for _ in range(set_up.kings)]
    rng.shuffle(order)
    return order


# ---------------------------------------------------------------------- state


@dataclass(frozen=True, slots=True, repr=False)
class GameState:
    """A position of a game.

    Attributes:
        set_up: What the game is played with.
        players: Their names.
        deck: All dominoes; those of the box unless others were given.
        turns: The kings still to move in this round, in order of play. The first one's player is
            to lay its domino, or to choose one where the number is 0.
        line: The numbers of the dominoes that can be chosen, sorted.
        kings: The kings on the line that is being chosen from, sorted by number.
        pile: The numbers of the dominoes to come, in the order of drawing. No player knows it.
        aside: The numbers of those that the set-up leaves out, sorted; no player knows them.
        lands: The kingdom of each player.
        rules: What the players have agreed on.
    """

    set_up: SetUp
    players: tuple[str, ...]
    deck: Deck
    turns: tuple[King, ...]
    line: tuple[int, ...]
    kings: tuple[King, ...]
    pile: tuple[int, ...]
    aside: tuple[int, ...]
    lands: tuple[Land, ...]
    rules: GameRules = USUAL_RULES

    @classmethod
    def start(
        cls,
        players: int | Sequence[str],
        *,
        variant: str | None = None,
        rules: GameRules = USUAL_RULES,
        seed: int | None = None,
        deck: Deck | None = None,
    ) -> "GameState":
        """Return the state before the first king is put down.

        Args:
            players: Their names, or how many.
            variant: The name of one of `VARIANTS`; None takes the usual one.
            rules: What the players have agreed on.
            seed: The same seed deals the same game; None deals a new one.
            deck: Other dominoes; None for those of the box.

        Raises:
            RulesError: The variant is not for so many players, a name cannot be written, or the
                deck is too small.
        """
        if isinstance(players, str) or not isinstance(players, int | Sequence):
            raise RulesError("players is their number, or a list of their names.")
        check_type(rules, GameRules, "rules of a game; give such as GameRules(harmony=True)")
        check_type(seed, int | None, "seed; give a whole number such as 7")
        count = players if isinstance(players, int) else len(players)
        set_up = _find_set_up(variant, count)
        names = tuple(LETTERS[:count]) if isinstance(players, int) else tuple(players)
        deck = _check_deck(deck, set_up)
        rng = Random(seed)
        numbers = rng.sample(tuple(deck.by_number), len(deck.by_number))
        pile, aside = numbers[: set_up.dominoes], numbers[set_up.dominoes :]
        state = cls(
            set_up=set_up,
            players=_check_names(names, set_up),
            deck=deck,
            turns=(),
            line=(),
            kings=tuple((0, player) for player in _draw_kings(set_up, rng)),
            pile=tuple(pile),
            aside=tuple(sorted(aside)),
            lands=(Land.empty(set_up.size),) * count,
            rules=rules,
        )
        return state._begin_round()

    # ------------------------------------------------------------------ looking

    @property
    def over(self) -> bool:
        """Whether every domino is laid or discarded."""
        return not self.turns

    @property
    def current_player(self) -> int | None:
        """Whose turn it is, as an index of `players`; None when the game is over.

        This is the owner of the first king of `turns`, but for a first line with any king.
        """
        if self.rules.any_king and self._is_opening:
            return len(self.kings) % len(self.players)
        return self.turns[0][1] if self.turns else None

    @property
    def _is_opening(self) -> bool:
        """Whether no line was drawn after the first."""
        return len(self.pile) == self.set_up.dominoes - self.set_up.line

    @property
    def domino(self) -> Domino | None:
        """The domino to be laid now; None where one is to be chosen, or the game is over."""
        return self.deck.by_number[self.turns[0][0]] if self.turns and self.turns[0][0] else None

    @property
    def kingdoms(self) -> tuple[Kingdom, ...]:
        """The kingdom of each player, in the frame whose places the actions name."""
        return tuple(land.board for land in self.lands)

    def sheets(self) -> tuple[ScoreSheet, ...]:
        """Return the score sheet of each player as the kingdoms lie now."""
        rules = self.rules
        return tuple(
            score(
                kingdom,
                Rules(self.set_up.size, rules.harmony, rules.middle_kingdom, rules.centre),
            )
            for kingdom in self.kingdoms
        )

    def standings(self) -> tuple[Ranked, ...]:
        """Rank the players as the kingdoms lie now, best first (RULES 4)."""
        return ranking(map(result_of, self.players, self.sheets()), self.rules.tie_rule)

    # ------------------------------------------------------------------ playing

    def actions(self) -> tuple[Action, ...]:
        """Return all that the current player can do, each once; nothing when the game is over.

        Where a domino can be laid it must be (RULES 5.5).
        """
        if self.over:
            return ()
        number, player = self.turns[0]
        if not number:
            return tuple(map(Choose, self.line))
        land = self.lands[player]
        at = land.frame.position
        moves = land.moves(self.deck.by_number[number])
        lays = sorted((at(left), at(right)) for left, right in moves)
        return tuple(Lay(number, *places) for places in lays) or (Discard(number),)

    def play(self, action: Action | str) -> "GameState":
        """Return the state after an action, or after the text of one.

        Raises:
            IllegalActionError: The rules do not allow it now; the message says what they allow.
        """
        action = parse_action(action) if isinstance(action, str) else action
        allowed = self.actions()
        if self.normalise(action) not in allowed:
            first = "; ".join(map(str, allowed[:_MOST_NAMED]))
            more = f" and {len(allowed) - _MOST_NAMED} more" if len(allowed) > _MOST_NAMED else ""
            options = f"Allowed: {first}{more}." if allowed else "The game is over."
            raise IllegalActionError(f"{str(action)[:40]!r} is not allowed now. {options}")
        if isinstance(action, Choose):
            return self._choose(action.number)
        return self._lay(action if isinstance(action, Lay) else None)

    def normalise(self, action: Action) -> Action:
        """Return an action as `actions` has it: alike halves have no left and right."""
        domino = self.domino
        if isinstance(action, Lay) and domino and domino.is_double:
            return Lay(action.number, *sorted((action.left_at, action.right_at)))
        return action

    def _choose(self, number: int) -> "GameState":
        (_, player), *turns = self.turns
        line = tuple(free for free in self.line if free != number)
        kings = tuple(sorted((*self.kings, (number, player))))
        after = replace(self, turns=tuple(turns), line=line, kings=kings)
        return after if turns else after._begin_round()

    def _lay(self, action: Lay | None) -> "GameState":
        """Lay the first domino, or discard it."""
        (number, player), *rest = self.turns
        lands = self.lands
        if action is not None:
            place = lands[player].frame.place
            places = place(action.left_at), place(action.right_at)
            land = lands[player].lay(self.deck.by_number[number], *places)
            lands = (*lands[:player], land, *lands[player + 1 :])
        turns = ((0, player), *rest) if self.line else tuple(rest)
        return replace(self, turns=turns, lands=lands)

    def _begin_round(self) -> "GameState":
        """Let the kings of the line move next, and draw a new line; a leftover goes."""
        length = self.set_up.line
        line, pile = tuple(sorted(self.pile[:length])), self.pile[length:]
        return replace(self, turns=self.kings, kings=(), line=line, pile=pile)

    # ------------------------------------------------------------------ text

    def __str__(self) -> str:
        turns, kings = (
            [f"{number or ''}{LETTERS[player]}" for number, player in kings]
            for kings in (self.turns, self.kings)
        )
        words = (turns, self.line, kings, self.pile, self.aside)
        fields = [
            f"{name} {' '.join(map(str, values)) or _NONE}"
            for name, values in zip(_FIELDS, words, strict=True)
        ]
        lands = [str(land.kingdom) for land in self.lands]
        rules = [f"rules {self.rules}"] if self.rules != USUAL_RULES else []
        deck = [f"deck {self.deck}"] if self.deck != standard_deck() else []
        head = self.set_up.variant, ", ".join(self.players)
        return "; ".join([*head, *fields, *lands, *rules, *deck])

    def __repr__(self) -> str:
        return f"GameState.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> "GameState":
        """Read the text of a state.

        What is read can be played on by the rules. Whether the kingdoms were laid by the rules,
        from the dominoes that are gone, is not asked: a game may begin from any kingdoms.

        Raises:
            NotationError: It is none; the message says what is wrong.
        """
        check_type(text, str, "position; give its text")
        # The variant says how many parts there are; rules and deck are left out where usual.
        fields = [field.strip() for field in text.strip().split(";")]
        set_up = VARIANTS.get(fields[0])
        if set_up is None:
            raise NotationError(
                f"A position begins with its variant, one of {', '.join(sorted(VARIANTS))}."
            )
        deck_text, rules = "", USUAL_RULES
        if fields[-1].startswith("deck "):
            deck_text = fields.pop().removeprefix("deck ")
        if fields[-1].startswith("rules "):
            rules = GameRules.parse(fields.pop().removeprefix("rules "))
        parts = 2 + len(_FIELDS) + set_up.players
        if len(fields) != parts:
            raise NotationError(
                f"A position of {set_up.name} has {parts} parts between semicolons, "
                f"not {len(fields)}."
            )
        # Names and kingdoms, then the numbers of dominoes and the kings on them.
        try:
            deck = _check_deck(Deck.parse(deck_text) if deck_text else None, set_up)
            names = _check_names(tuple(map(str.strip, fields[1].split(","))), set_up)
            lines = fields[-set_up.players :]
            lands = tuple(Land.of(Kingdom.parse(line), set_up.size) for line in lines)
        except RulesError as error:
            raise NotationError(str(error)) from None
        turns, line, kings, pile, aside = map(_read_field, fields[2:], _FIELDS)
        state = cls(
            set_up=set_up,
            players=names,
            deck=deck,
            turns=tuple(sorted(map(_read_king, turns), key=itemgetter(0))),
            line=tuple(sorted(map(parse_number, line))),
            kings=tuple(sorted(map(_read_king, kings))),
            pile=tuple(map(parse_number, pile)),
            aside=tuple(sorted(map(parse_number, aside))),
            lands=lands,
            rules=rules,
        )
        # What can be read may still be what no game comes to.
        for fault in _find_faults(state):
            raise NotationError(fault)
        return state


def _read_field(field: str, name: str) -> list[str]:
    first, *words = field.split() or [""]
    if first != name or not words:
        raise NotationError(f"{field[:40]!r} should be {name!r} with what is there, or {name} -.")
    return [] if words == [_NONE] else words


def _read_king(word: str) -> King:
    match = _KING.match(word)
    if match is None:
        raise NotationError(f"{word[:20]!r} is no king; write the domino and the player (17B).")
    return int(match[1] or 0), LETTERS.index(match[2])


def _check_deck(deck: Deck | None, set_up: SetUp) -> Deck:
    """Return a deck that can be played with, that of the box where none is given."""
    deck = Deck.of(deck)
    if len(deck.dominoes) < set_up.dominoes:
        raise RulesError(
            f"{set_up.name} needs {set_up.dominoes} dominoes; the deck has {len(deck.dominoes)}."
        )
    return deck


def _find_faults(state: GameState) -> Iterator[str]:
    """Say what no game from this set-up can come to: numbers, kings, lines, kingdoms."""
    set_up, deck, kings = state.set_up, state.deck, (*state.turns, *state.kings)
    # Each domino is of the deck, and at one place.
    standing = [number for number, _ in kings if number]
    uses = Counter([*standing, *state.line, *state.pile, *state.aside])
    for number, count in uses.items():
        if number not in deck.by_number:
            yield f"There is no domino {number} in the deck."
        if count > 1:
            yield f"Domino {number} is at two places."
    # Kings, lines and dominoes are as many as the set-up has; in the last round kings go.
    left_out = len(deck.dominoes) - set_up.dominoes
    counts = Counter(player for _, player in kings)
    all_kings = Counter(dict.fromkeys(range(set_up.players), set_up.kings))
    if state.line or state.kings:
        is_complete = counts == all_kings and len(state.line + state.kings) == set_up.line
    else:
        is_complete = counts <= all_kings and not state.pile
    if not is_complete or len(state.pile) % set_up.line or len(state.aside) != left_out:
        yield (
            f"{set_up.name} has lines of {set_up.line} dominoes, {left_out} dominoes left out, "
            f"and kings for each player: {set_up.kings}. The position has other numbers."
        )
    # On the first line no king has a domino; later all do but one that chooses.
    without = [number for number, _ in state.turns].count(0)
    expected = {len(state.turns)} if state._is_opening else {0, bool(state.line)}
    if without not in expected or not all(number for number, _ in state.kings):
        yield "A king of the position should stand on a domino, or on none."


def is_legal_action(state: GameState, action: Action | str) -> bool:
    """Return whether the rules allow an action, or the text of one, in a state."""
    check_type(state, GameState, "position; give a GameState")
    try:
        state.play(action)
    except IllegalActionError:
        return False
    return True
