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
left out where it is as usual: what the players have agreed on (`rules` and the words of
`_AGREEMENTS`), and another deck than that of the box (`deck 1 W W, 2 W F1, ...`).
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from operator import itemgetter
from random import Random

from kdvision.rules.dominoes import Deck, Domino, parse_number, standard_deck
from kdvision.rules.errors import IllegalActionError, NotationError, RulesError, check_type, choose
from kdvision.rules.game.laying import Action, Choose, Discard, Land, Lay, parse_action
from kdvision.rules.game.set_up import VARIANTS, SetUp, check_names, draw_kings, find_set_up
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.rules import DEFAULT_RULES, Centre, Rules, check_rules
from kdvision.rules.scoring import ScoreSheet, score
from kdvision.rules.standings import Ranked, TieRule, ranking, result_of

#: The letters of the players in the text of a state and of a record.
LETTERS = "ABCD"
#: The parts of a text that are lists.
_FIELDS = ("turns", "line", "kings", "pile", "aside")
#: How an empty list is written.
_NONE = "-"
#: The words for what players can agree on, in the order in which a text has them.
_AGREEMENTS = ("harmony", "middle-kingdom", "frame", "territory", "any-king")
#: A message names so many of the actions that are allowed.
_MAX_NAMED = 4
_KING = re.compile(r"([0-9]{0,3})([A-D])\Z")

#: A king: the number of the domino that it stands on, 0 for none, and its player.
King = tuple[int, int]


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
        rules: What it is played by; the size is that of the set-up.
        tie_rule: What breaks ties of totals.
        any_king: Whether the players draw the kings of the first line in turn, each choosing for
            the king drawn, own or not (text 003); otherwise the owner of a king chooses.
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
    rules: Rules
    tie_rule: TieRule = TieRule.CROWNS
    any_king: bool = False

    @classmethod
    def start(
        cls,
        players: int | Sequence[str],
        *,
        variant: str | None = None,
        rules: Rules = DEFAULT_RULES,
        tie_rule: TieRule | str = TieRule.CROWNS,
        any_king: bool = False,
        seed: int | None = None,
        deck: Deck | None = None,
    ) -> "GameState":
        """Return the state before the first king is put down.

        Args:
            players: Their names, or how many.
            variant: The name of one of `VARIANTS`; None takes the usual one.
            rules: What it is played by; no size, or that of the variant.
            tie_rule: What breaks ties of totals: a `TieRule` or its name.
            any_king: Whether the players choose for the kings that they draw, own or not.
            seed: The same seed deals the same game; None deals a new one.
            deck: Other dominoes; None for those of the box.

        Raises:
            RulesError: The variant is not for so many players or has another size, a name cannot be
                written, or the deck is too small.
        """
        # Arguments of another type are refused.
        if isinstance(players, str) or not isinstance(players, int | Sequence):
            raise RulesError("players is their number, or a list of their names.")
        check_rules(rules)
        check_type(any_king, bool, "value of any_king; give True or False")
        check_type(seed, int | None, "seed; give a whole number such as 7")
        # What is played, and by whom.
        count = players if isinstance(players, int) else len(players)
        set_up = find_set_up(variant, count)
        if rules.size not in (None, set_up.size):
            size = f"{set_up.size}x{set_up.size}"
            raise RulesError(f"{set_up.name} is played on {size}; give rules without a size.")
        names = tuple(LETTERS[:count]) if isinstance(players, int) else tuple(players)
        deck = _check_deck(deck, set_up)
        # Dominoes and kings are drawn.
        rng = Random(seed)
        numbers = rng.sample(tuple(deck.by_number), len(deck.by_number))
        pile, aside = numbers[: set_up.dominoes], numbers[set_up.dominoes :]
        state = cls(
            set_up=set_up,
            players=check_names(names, set_up),
            deck=deck,
            turns=(),
            line=(),
            kings=tuple((0, player) for player in draw_kings(set_up, rng)),
            pile=tuple(pile),
            aside=tuple(sorted(aside)),
            lands=(Land.empty(set_up.size),) * count,
            rules=replace(rules, size=set_up.size),
            tie_rule=choose(TieRule, tie_rule, "tie rule"),
            any_king=any_king,
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
        if self.any_king and self._is_opening:
            return len(self.kings) % len(self.players)
        if not self.turns:
            return None
        return self.turns[0][1]

    @property
    def _is_opening(self) -> bool:
        """Whether the first line is the only one that was drawn."""
        return len(self.pile) == self.set_up.dominoes - self.set_up.line

    @property
    def domino(self) -> Domino | None:
        """The domino to be laid now; None where one is to be chosen, or the game is over."""
        number = self.turns[0][0] if self.turns else 0
        return self.deck.by_number[number] if number else None

    @property
    def kingdoms(self) -> tuple[Kingdom, ...]:
        """The kingdom of each player, in the frame whose places the actions name."""
        return tuple(land.board for land in self.lands)

    def sheets(self) -> tuple[ScoreSheet, ...]:
        """Return the score sheet of each player as the kingdoms lie now."""
        return tuple(score(kingdom, self.rules) for kingdom in self.kingdoms)

    def standings(self) -> tuple[Ranked, ...]:
        """Rank the players as the kingdoms lie now, best first (RULES 4)."""
        return ranking(map(result_of, self.players, self.sheets()), self.tie_rule)

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
        if isinstance(action, str):
            action = parse_action(action)
        if not self.allows(action):
            allowed = self._name_allowed()
            raise IllegalActionError(f"{str(action)[:40]!r} is not allowed now. {allowed}")
        if isinstance(action, Choose):
            return self._choose(action.number)
        return self._lay(action if isinstance(action, Lay) else None)

    def allows(self, action: Action) -> bool:
        """Return whether the rules allow an action now, without listing the others."""
        if self.over:
            return False
        number, player = self.turns[0]
        if not number:
            return isinstance(action, Choose) and action.number in self.line
        if not isinstance(action, Lay | Discard) or action.number != number:
            return False
        land, domino = self.lands[player], self.deck.by_number[number]
        if isinstance(action, Lay):
            return land.can_lay(domino, action.left_at, action.right_at)
        return not land.has_room(domino)

    def _name_allowed(self) -> str:
        """Say what the rules allow now."""
        allowed = self.actions()
        if not allowed:
            return "The game is over."
        first = "; ".join(map(str, allowed[:_MAX_NAMED]))
        more = len(allowed) - _MAX_NAMED
        return f"Allowed: {first} and {more} more." if more > 0 else f"Allowed: {first}."

    def normalise(self, action: Action) -> Action:
        """Return an action as `actions` has it: alike halves have no left and right."""
        domino = self.domino
        if isinstance(action, Lay) and domino and domino.is_double:
            return Lay(action.number, *sorted((action.left_at, action.right_at)))
        return action

    def _choose(self, number: int) -> "GameState":
        """Put the first king on a domino of the line."""
        (_, player), *turns = self.turns
        line = tuple(free for free in self.line if free != number)
        kings = tuple(sorted((*self.kings, (number, player))))
        after = replace(self, turns=tuple(turns), line=line, kings=kings)
        if not turns:
            return after._begin_round()
        return after

    def _lay(self, action: Lay | None) -> "GameState":
        """Lay the first domino, or discard it."""
        (number, player), *rest = self.turns
        lands = self.lands
        if action is not None:
            place = lands[player].frame.place
            places = place(action.left_at), place(action.right_at)
            land = lands[player].lay(self.deck.by_number[number], *places)
            lands = (*lands[:player], land, *lands[player + 1 :])
        if self.line:
            rest = [(0, player), *rest]
        return replace(self, turns=tuple(rest), lands=lands)

    def _begin_round(self) -> "GameState":
        """Let the kings of the line move next, and draw a new line.

        Dominoes of the old line that no king took are discarded.
        """
        length = self.set_up.line
        line, pile = tuple(sorted(self.pile[:length])), self.pile[length:]
        return replace(self, turns=self.kings, kings=(), line=line, pile=pile)

    # ------------------------------------------------------------------ text

    def __str__(self) -> str:
        turns, kings = map(_write_king, self.turns), map(_write_king, self.kings)
        lists = (turns, self.line, kings, self.pile, self.aside)
        parts = [self.set_up.variant, ", ".join(self.players)]
        for name, values in zip(_FIELDS, lists, strict=True):
            parts.append(f"{name} {' '.join(map(str, values)) or _NONE}")
        parts += [str(land.kingdom) for land in self.lands]
        # What follows is left out where it is as usual.
        agreed = _write_agreements(self)
        if agreed:
            parts.append(f"rules {agreed}")
        if self.deck != standard_deck():
            parts.append(f"deck {self.deck}")
        return "; ".join(parts)

    def __repr__(self) -> str:
        return f"GameState.parse({str(self)!r})"

    def _repr_html_(self) -> str:
        """Show the position in a notebook: who moves, and every kingdom with its total."""
        player = self.current_player
        if player is None:
            heading = "The game is over."
        elif self.domino is None:
            line = ", ".join(str(self.deck.by_number[number]) for number in self.line)
            heading = f"{self.players[player]} chooses a domino: {line}"
        else:
            heading = f"{self.players[player]} lays {self.domino}"
        rows = [f"<p>{escape(heading)}</p>"]
        for name, sheet in zip(self.players, self.sheets(), strict=True):
            kingdom = sheet.kingdom.trimmed()
            rows.append(f"<p>{escape(name)}: {sheet.total}</p>{kingdom._repr_html_()}")
        return "".join(rows)

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
        fields = list(map(str.strip, text.split(";")))
        set_up = VARIANTS.get(fields[0])
        if set_up is None:
            raise NotationError(
                f"A position begins with its variant, one of {', '.join(sorted(VARIANTS))}."
            )
        deck_text, agreed = "", ""
        if fields[-1].startswith("deck "):
            deck_text = fields.pop().removeprefix("deck ")
        if fields[-1].startswith("rules "):
            agreed = fields.pop().removeprefix("rules ")
        parts = 2 + len(_FIELDS) + set_up.players
        if len(fields) != parts:
            raise NotationError(
                f"A position of {set_up.name} has {parts} parts between semicolons, "
                f"not {len(fields)}."
            )
        # Names and kingdoms, then the numbers of dominoes and the kings on them.
        try:
            deck = _check_deck(Deck.parse(deck_text) if deck_text else None, set_up)
            names = check_names(tuple(map(str.strip, fields[1].split(","))), set_up)
            lines = fields[-set_up.players :]
            lands = tuple(Land.of(Kingdom.parse(line), set_up.size) for line in lines)
        except RulesError as error:
            raise NotationError(str(error)) from None
        rules, tie_rule, any_king = _read_agreements(agreed, set_up.size)
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
            tie_rule=tie_rule,
            any_king=any_king,
        )
        # What can be read may still be what no game comes to.
        _check_state(state)
        return state


def _write_agreements(state: GameState) -> str:
    """Return the words for what the players have agreed on; empty where all is as usual."""
    is_agreed = {
        "harmony": state.rules.harmony,
        "middle-kingdom": state.rules.middle_kingdom,
        "frame": state.rules.centre is Centre.FRAME,
        "territory": state.tie_rule is TieRule.TERRITORY,
        "any-king": state.any_king,
    }
    return " ".join(word for word in _AGREEMENTS if is_agreed[word])


def _read_agreements(text: str, size: int) -> tuple[Rules, TieRule, bool]:
    """Read what the players have agreed on, and whether they choose for any king.

    Raises:
        NotationError: A word is none of `_AGREEMENTS`.
    """
    words = text.split()
    for word in words:
        if word not in _AGREEMENTS:
            raise NotationError(
                f"{word[:40]!r} is no rule of a game; write {', '.join(_AGREEMENTS)}."
            )
    rules = Rules(
        size=size,
        harmony="harmony" in words,
        middle_kingdom="middle-kingdom" in words,
        centre=Centre.FRAME if "frame" in words else Centre.BOX,
    )
    tie_rule = TieRule.TERRITORY if "territory" in words else TieRule.CROWNS
    return rules, tie_rule, "any-king" in words


def _write_king(king: King) -> str:
    """Return a king as the text of a state has it: `17B`, or `B` where it has no domino."""
    number, player = king
    return f"{number or ''}{LETTERS[player]}"


def _read_field(field: str, name: str) -> list[str]:
    """Return the words of a list that begins with its name.

    Raises:
        NotationError: It begins with something else, or nothing follows.
    """
    first, *words = field.split() or [""]
    if first != name or not words:
        raise NotationError(f"{field[:40]!r} should be {name!r} with what is there, or {name} -.")
    if words == [_NONE]:
        return []
    return words


def _read_king(word: str) -> King:
    """Read a king, see `_write_king`.

    Raises:
        NotationError: It is none.
    """
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


def _check_state(state: GameState) -> None:
    """Refuse a position that no game from its set-up can come to.

    Raises:
        NotationError: Dominoes, lines or kings are not as many as the set-up has, or not where
            they can be.
    """
    set_up, deck, kings = state.set_up, state.deck, (*state.turns, *state.kings)
    # Each domino is of the deck, and at one place.
    standing = [number for number, _ in kings if number]
    uses = Counter([*standing, *state.line, *state.pile, *state.aside])
    for number, count in uses.items():
        if number not in deck.by_number:
            raise NotationError(f"There is no domino {number} in the deck.")
        if count > 1:
            raise NotationError(f"Domino {number} is at two places.")
    # Kings, lines and dominoes are as many as the set-up has. In the last round there is no line,
    # and the kings leave one by one.
    left_out = len(deck.dominoes) - set_up.dominoes
    counts = Counter(player for _, player in kings)
    all_kings = Counter(dict.fromkeys(range(set_up.players), set_up.kings))
    if state.line or state.kings:
        is_complete = counts == all_kings and len(state.line + state.kings) == set_up.line
    else:
        is_complete = counts <= all_kings and not state.pile
    if not is_complete or len(state.pile) % set_up.line or len(state.aside) != left_out:
        raise NotationError(
            f"{set_up.name} has lines of {set_up.line} dominoes, {left_out} dominoes left out, "
            f"and kings for each player: {set_up.kings}. The position has other numbers."
        )
    # On the first line no king to move has a domino; later all have one, but for the king that
    # chooses next. The kings that have chosen stand on one.
    choosing = [number for number, _ in state.turns].count(0)
    expected = {0, 1} if state.line else {0}
    if state._is_opening:
        expected = {len(state.turns)}
    if choosing not in expected or not all(number for number, _ in state.kings):
        raise NotationError("A king of the position should stand on a domino, or on none.")


def is_legal_action(state: GameState, action: Action | str) -> bool:
    """Return whether the rules allow an action, or the text of one, in a state."""
    check_type(state, GameState, "position; give a GameState")
    if isinstance(action, str):
        try:
            action = parse_action(action)
        except IllegalActionError:
            return False
    return state.allows(action)
