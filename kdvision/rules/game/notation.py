"""The text of a position: one line from which a game goes on (in the spirit of chess's FEN).

    two-players; Ann, Bob; turns 3A 9B 12A 20B; line 1 8 30 41; kings -; pile 4 7 ...;
    aside 2 5 ...; C W1/- F; C

In this order: variant, players, the kings still to move (`0A` and `A` have no domino), the free
dominoes of the new line, the kings on it, the pile in the order of drawing, the dominoes left out,
and a kingdom line for each player. Players are named A to D, `-` stands for none. Another deck
than that of the box is written at the end: `deck 1 W W, 2 W F1, ...`.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from kdvision.rules.game.deck import Deck, parse_deck, standard_deck
from kdvision.rules.game.land import Land
from kdvision.rules.game.set_up import VARIANTS, SetUp, checked_names
from kdvision.rules.kingdom import Kingdom, NotationError

_LETTERS = "ABCD"
_NONE = "-"
#: Longer text is refused before it is read; a deck of 999 dominoes has less.
MAX_TEXT_LENGTH = 30_000
_KING = re.compile(r"([0-9]{0,3})([A-D])\Z")


#: A king: the number of the domino that it stands on, 0 for none, and its player.
King = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GamePosition:
    """What a position of a game consists of.

    Attributes:
        set_up: What the game is played with.
        players: Their names.
        deck: All dominoes; those of the box unless others were given.
        turns: The kings still to move in this round, in order of play. The first one's player is
            to lay its domino, or to choose one where the number is 0.
        line: The numbers of the dominoes that can be chosen, sorted.
        kings: The kings on the line that is being chosen from, sorted by number.
        pile: The numbers of the dominoes to come, in the order of drawing. No player knows it:
            see `GameState.imagined`.
        aside: The numbers of those that the set-up leaves out, sorted; no player knows them.
        lands: The kingdom of each player.
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


def position_text(state: GamePosition) -> str:
    """The text of a position, on one line."""
    fields = [
        state.set_up.variant,
        ", ".join(state.players),
        _field("turns", map(_king_text, state.turns)),
        _field("line", map(str, state.line)),
        _field("kings", map(_king_text, state.kings)),
        _field("pile", map(str, state.pile)),
        _field("aside", map(str, state.aside)),
        *map(_land_text, state.lands),
    ]
    if state.deck is not standard_deck():
        fields.append(f"deck {state.deck}")
    return "; ".join(fields)


def parse_position(text: str) -> GamePosition:
    """Read the text of a position.

    Raises:
        NotationError: It is none, or no game comes to it; the message says what is wrong.
    """
    if len(text) > MAX_TEXT_LENGTH:
        raise NotationError(f"A position of {len(text):,} characters is too long.")
    fields = [field.strip() for field in text.strip().split(";")]
    set_up = VARIANTS.get(fields[0])
    if set_up is None:
        raise NotationError(
            f"A position begins with its variant, one of {', '.join(sorted(VARIANTS))}."
        )
    deck = standard_deck()
    if fields[-1].startswith("deck "):
        deck = parse_deck(fields.pop().removeprefix("deck "))
    if len(fields) != 7 + set_up.players:
        raise NotationError(
            f"A position of {set_up.name} has {7 + set_up.players} parts between semicolons, "
            f"not {len(fields)}."
        )
    names = tuple(name.strip() for name in fields[1].split(","))
    if len(names) != set_up.players:
        raise NotationError(f"{set_up.name} needs {set_up.players} names, not {len(names)}.")
    try:
        deck.check(set_up)
        checked_names(names)
        lands = tuple(_land(line, set_up.size) for line in fields[7:])
    except ValueError as error:
        raise NotationError(str(error)) from None
    state = GamePosition(
        set_up,
        names,
        deck,
        tuple(map(_king, _words(fields[2], "turns"))),
        tuple(map(_number, _words(fields[3], "line"))),
        tuple(map(_king, _words(fields[4], "kings"))),
        tuple(map(_number, _words(fields[5], "pile"))),
        tuple(map(_number, _words(fields[6], "aside"))),
        lands,
    )
    _check_numbers(state, deck)
    _check_kings(state, set_up)
    _check_lands(state)
    return state


# Most steps of a game change no kingdom, or one.
@lru_cache(maxsize=64)
def _land_text(land: Land) -> str:
    return str(land.kingdom)


@lru_cache(maxsize=64)
def _land(line: str, size: int) -> Land:
    return Land.of(Kingdom.parse(line), size)


def _field(name: str, words: object) -> str:
    assert isinstance(words, map)
    return f"{name} {' '.join(words) or _NONE}"


def _king_text(king: King) -> str:
    number, player = king
    return f"{number or ''}{_LETTERS[player]}"


def _words(field: str, name: str) -> list[str]:
    first, *words = field.split() or [""]
    if first != name or not words:
        raise NotationError(f"{field[:40]!r} should be {name!r} with what is there, or {name} -.")
    return [] if words == [_NONE] else words


def _king(word: str) -> King:
    match = _KING.match(word)
    if match is None:
        raise NotationError(f"{word[:20]!r} is no king; write the domino and the player (17B).")
    return int(match[1] or 0), _LETTERS.index(match[2])


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 3):
        raise NotationError(f"{word[:20]!r} is no number of a domino.")
    return int(word)


def _check_numbers(state: GamePosition, deck: Deck) -> None:
    """Every domino is in the deck and at one place at most; sorted where order means nothing."""
    standing = [number for number, _ in (*state.turns, *state.kings) if number]
    seen = Counter([*standing, *state.line, *state.pile, *state.aside])
    for number, count in seen.items():
        if number not in deck.by_number:
            raise NotationError(f"There is no domino {number} in the deck.")
        if count > 1:
            raise NotationError(f"Domino {number} is at two places.")
    for name in ("line", "kings", "aside"):
        if list(getattr(state, name)) != sorted(getattr(state, name)):
            raise NotationError(f"The {name} are sorted by number.")
    if len(state.aside) != len(deck.dominoes) - state.set_up.dominoes:
        raise NotationError(
            f"{state.set_up.name} leaves {len(deck.dominoes) - state.set_up.dominoes} dominoes "
            f"out, not {len(state.aside)}."
        )


def _check_kings(state: GamePosition, set_up: SetUp) -> None:
    """As many kings, and as many dominoes for them, as the set-up has."""
    kings = Counter(player for _, player in (*state.turns, *state.kings))
    last = not state.line and not state.kings
    for player, name in enumerate(state.players):
        if kings[player] > set_up.kings or (kings[player] < set_up.kings and not last):
            raise NotationError(f"{name} has {kings[player]} kings, not {set_up.kings}.")
    if len(state.pile) % set_up.line or (last and state.pile):
        raise NotationError(f"The pile is drawn in lines of {set_up.line}.")
    if not last and len(state.line) + len(state.kings) != set_up.line:
        raise NotationError(f"A line has {set_up.line} dominoes.")
    numbers = [number for number, _ in state.turns]
    waiting = numbers[1:] if numbers and not numbers[0] else numbers
    opening = bool(waiting) and not any(waiting)
    begun = any(land.cells for land in state.lands)
    if (opening and begun) or (not opening and (0 in waiting or waiting != sorted(waiting))):
        raise NotationError("The kings still to move stand on dominoes sorted by number.")
    if last and numbers and not numbers[0]:
        raise NotationError("There is no line to choose from.")


def _check_lands(state: GamePosition) -> None:
    """No more squares than dominoes are gone, two each."""
    standing = sum(1 for number, _ in (*state.turns, *state.kings) if number)
    held = standing + len(state.line) + len(state.pile) + len(state.aside)
    squares = [len(kingdom.squares()) for kingdom in (land.kingdom for land in state.lands)]
    if any(count % 2 for count in squares):
        raise NotationError("A kingdom has an odd number of squares; dominoes have two each.")
    if sum(squares) > 2 * (len(state.deck.dominoes) - held):
        raise NotationError("The kingdoms have more squares than the dominoes that are gone.")
