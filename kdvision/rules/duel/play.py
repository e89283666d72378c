"""Dice, spell book, placing rules and whole games of Kingdomino Duel (RULES 7.4, 7.5, 7.7).

Dice and spell book are data: the rules do not print them, so `EXAMPLE_DICE` and `EXAMPLE_BOOK` are
examples of ours. Who owns the game gives the real ones to `play_duel`.

    >>> len(placements(DuelMap(), (Face(Coat.DOT), Face(Coat.BLACK))))
    24
    >>> game = play_duel([ByChance(), ByChance()], seed=7)
    >>> [duelist.sheet.total > 0 for duelist in game.duelists]
    [True, True]
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random
from typing import Protocol, TypeVar, runtime_checkable

from kdvision.rules.duel.map import (
    CASTLE_CROSSES,
    DIE_CROSSES,
    MIDDLE,
    Coat,
    Drawn,
    DuelMap,
)
from kdvision.rules.duel.powers import Power
from kdvision.rules.duel.scoring import DuelEnd, DuelSheet, decide, score_duel
from kdvision.rules.errors import (
    IllegalActionError,
    RulesError,
    check_each,
    check_type,
)
from kdvision.rules.kingdom import Position, neighbours

_Option = TypeVar("_Option")


# ---------------------------------------------------------------------- dice and spell book


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a die.

    Attributes:
        coat: Its coat of arms; None for the joker, which stands for any coat.
        crosses: Its crosses, 0 to 2.

    Raises:
        RulesError: The coat is none, or the crosses are not 0 to 2.
    """

    coat: Coat | None
    crosses: int = 0

    def __post_init__(self) -> None:
        check_type(self.coat, Coat | None, "coat of arms; give such as Coat.DOT")
        if type(self.crosses) is not int or self.crosses not in range(DIE_CROSSES + 1):
            raise RulesError(f"A die has 0 to {DIE_CROSSES} crosses, not {self.crosses}.")

    @property
    def coats(self) -> tuple[Coat, ...]:
        """The coats that the face can be drawn as."""
        return tuple(Coat) if self.coat is None else (self.coat,)


#: A die: its faces.
Die = tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Spell:
    """A line of the spell book: who first fills its boxes wins its power.

    Attributes:
        coat: What fills a box: a die that shows this coat.
        boxes: How many boxes there are.
        power: What is won.

    Raises:
        RulesError: The coat, the number of boxes or the power is none.
    """

    coat: Coat
    boxes: int
    power: Power

    def __post_init__(self) -> None:
        check_type(self.coat, Coat, "coat of arms; give such as Coat.DOT")
        check_type(self.boxes, int, "number of boxes; give such as 4")
        check_type(self.power, Power, "power; give such as Power.SPLIT")


#: Every coat plain.
_PLAIN_DIE: Die = tuple(map(Face, Coat))
#: Every coat with one cross or two.
_CROSSED_DIE: Die = tuple(map(Face, Coat, (1, 1, 1, 1, 2, 2)))
#: Three coats and three jokers.
_JOKER_DIE: Die = tuple(map(Face, (Coat.DOT, Coat.STRIPE, Coat.QUARTERS, None, None, None)))
#: Four dice for a game.
EXAMPLE_DICE: tuple[Die, ...] = (_PLAIN_DIE, _PLAIN_DIE, _CROSSED_DIE, _JOKER_DIE)
#: A power for each coat.
EXAMPLE_BOOK: tuple[Spell, ...] = tuple(
    Spell(coat, 4, power) for coat, power in zip(Coat, Power, strict=True)
)


# ---------------------------------------------------------------------- placing


@dataclass(frozen=True, slots=True)
class Half:
    """One die, drawn.

    Attributes:
        at: Where.
        drawn: As what.
        die: Which of the two dice it was, 0 or 1.
    """

    at: Position
    drawn: Drawn
    die: int


@dataclass(frozen=True, slots=True)
class Placement:
    """A way to draw a domino.

    Attributes:
        halves: Both halves; one alone where the split power allows that.
        power: The power that it takes; None for none.
    """

    halves: tuple[Half, ...]
    power: Power | None = None


def connects(drawn: Mapping[Position, Drawn], at: Position, coat: Coat) -> bool:
    """Return whether a space is beside the castle or beside an equal coat (RULES 7.4)."""
    return any(
        near == MIDDLE or (near in drawn and drawn[near].coat is coat) for near in neighbours(at)
    )


def placements(
    duel_map: DuelMap, faces: tuple[Face, Face], powers: Collection[Power] = ()
) -> tuple[Placement, ...]:
    """Return every way to draw two dice: by the rules, then with the powers at hand (RULES 7.4).

    The first coat connects and the second lies beside it; either die may be the first. With the
    first power no equal coat is asked for. With the second each half connects by itself, and one
    alone may be drawn when the other cannot be.
    """
    check_type(duel_map, DuelMap, "Duel map; give a DuelMap")
    powers = check_each(powers, Power, "power; give such as Power.SPLIT")
    if len(check_each(faces, Face, "face; give such as Face(Coat.DOT)")) != 2:
        raise RulesError("A domino of Kingdomino Duel has two faces.")
    options = list(_join(duel_map, faces, None))
    if Power.IGNORE_CONNECTION in powers:
        by_rules = {placement.halves for placement in options}
        anywhere = _join(duel_map, faces, Power.IGNORE_CONNECTION)
        options.extend(placement for placement in anywhere if placement.halves not in by_rules)
    if Power.SPLIT in powers:
        options.extend(_split(duel_map, faces))
    return tuple(dict.fromkeys(options))


def _draw(
    duel_map: DuelMap, faces: tuple[Face, Face], die: int, *, free: bool = False
) -> Iterator[Half]:
    """Yield where one die can be drawn by itself; `free` of the connection rule or not."""
    face = faces[die]
    for at in duel_map.open():
        for coat in face.coats:
            if free or connects(duel_map.drawn, at, coat):
                yield Half(at, Drawn(coat, face.crosses), die)


def _join(duel_map: DuelMap, faces: tuple[Face, Face], power: Power | None) -> Iterator[Placement]:
    """Yield the two halves side by side."""
    places = duel_map.open()
    for die in (0, 1):
        face = faces[1 - die]
        for first in _draw(duel_map, faces, die, free=power is not None):
            for at in (near for near in neighbours(first.at) if near in places):
                for coat in face.coats:
                    second = Half(at, Drawn(coat, face.crosses), 1 - die)
                    yield Placement(_sort_halves(first, second), power)


def _split(duel_map: DuelMap, faces: tuple[Face, Face]) -> Iterator[Placement]:
    """Yield the two halves apart, in either order, or one where the other has no place."""
    for die in (0, 1):
        for first in _draw(duel_map, faces, die):
            after = duel_map.draw(first.at, first.drawn)
            seconds = list(_draw(after, faces, 1 - die))
            for second in seconds:
                yield Placement(_sort_halves(first, second), Power.SPLIT)
            if not seconds:
                yield Placement((first,), Power.SPLIT)


def _sort_halves(first: Half, second: Half) -> tuple[Half, Half]:
    """Return two halves in the order of their dice."""
    return (first, second) if first.die < second.die else (second, first)


# ---------------------------------------------------------------------- players


@dataclass(frozen=True, slots=True)
class Duelist:
    """What one player has.

    Attributes:
        map: The map.
        castle_cross: Whether the cross of the castle is still to be used.
        boxes: How many boxes of the spell book are filled, by the power that they lead to.
        powers: The powers that are won and not used.
        used: The powers that were used, in order.
        wizard_coat: The coat of the fifth power; None without it.
    """

    map: DuelMap = field(default_factory=DuelMap)
    castle_cross: bool = True
    boxes: Mapping[Power, int] = field(default_factory=dict, hash=False)
    powers: frozenset[Power] = frozenset()
    used: tuple[Power, ...] = ()
    wizard_coat: Coat | None = None

    @property
    def sheet(self) -> DuelSheet:
        """The map, counted with the fifth power."""
        return score_duel(self.map, self.wizard_coat)

    def spend(self, power: Power) -> "Duelist":
        """Return the player after a power that works once."""
        return replace(self, powers=self.powers - {power}, used=(*self.used, power))


class Question(StrEnum):
    """What a player is asked in a round, in this order, and what the options are."""

    #: Whether to use the third power: True or False.
    DRAFT_TWICE = "draft twice"
    #: Which die to take: (its index, the face that it shows).
    DIE = "die"
    #: Whether to use the fourth power: None, or (0 or 1 of one's two dice, the face to turn it to).
    TURN = "turn"
    #: How to draw the domino: a `Placement`; None, for not at all, where all of them take a power.
    PLACE = "place"
    #: Whether to use the cross of the castle: None, or the `Half` that gets it.
    CASTLE_CROSS = "castle cross"
    #: The coat of the fifth power.
    COAT = "coat"
    #: Where the cross of the sixth power goes: a position on which a coat is drawn.
    CROSS = "cross"


@runtime_checkable
class DuelPlayer(Protocol):
    """What decides for a player."""

    def choose(
        self, question: Question, options: Sequence[_Option], me: Duelist, rng: Random
    ) -> _Option:
        """Answer a question with one of its options, at least two; `rng` is that of the game."""
        ...


class ByChance:
    """A player who decides everything by chance."""

    def choose(
        self, question: Question, options: Sequence[_Option], me: Duelist, rng: Random
    ) -> _Option:
        """Take any of the options."""
        return rng.choice(options)


# ---------------------------------------------------------------------- games


@dataclass(frozen=True, slots=True)
class Round:
    """What happened in one round, players by their number in the game.

    Attributes:
        starting: Player A.
        rolled: The faces of the dice.
        drafted: The players in the order in which they took dice.
        placed: What each player drew; None for nothing.
    """

    starting: int
    rolled: tuple[Face, ...]
    drafted: tuple[int, ...]
    placed: tuple[Placement | None, Placement | None]


@dataclass(frozen=True, slots=True)
class DuelGame:
    """A game that was played to its end.

    Attributes:
        duelists: What each player has at the end.
        rounds: What happened.
    """

    duelists: tuple[Duelist, Duelist]
    rounds: tuple[Round, ...]

    @property
    def result(self) -> tuple[int | None, DuelEnd]:
        """Who won, 0 or 1, and by what; None for a draw (RULES 7.5)."""
        first, second = self.duelists
        return decide(first.sheet, second.sheet)


def play_duel(
    players: Sequence[DuelPlayer],
    *,
    seed: int | None = None,
    dice: Sequence[Die] = EXAMPLE_DICE,
    book: Sequence[Spell] = EXAMPLE_BOOK,
) -> DuelGame:
    """Play one game to its end: a map is full, or neither player draws (RULES 7.5).

    Args:
        players: Two; the first is the starting player.
        seed: The same seed and players play the same game; None plays a new one.
        dice: Four dice.
        book: The spell book, alike for both.

    Raises:
        RulesError: Not two players, not four dice with faces, or a power is in the book twice.
        IllegalActionError: A player answers with what is no option.
    """
    players = check_each(players, DuelPlayer, "player; give such as ByChance()")
    dice = check_each(dice, Sequence, "die; give its faces")
    for die in dice:
        check_each(die, Face, "face; give such as Face(Coat.DOT)")
    check_type(seed, int | None, "seed; give a whole number such as 7")
    book = check_each(book, Spell, "line of a spell book; give such as EXAMPLE_BOOK[0]")
    if len(players) != 2 or len(dice) != 4 or not all(dice):
        raise RulesError("A Duel has two players, and four dice with faces.")
    if len({spell.power for spell in book}) < len(book):
        raise RulesError("A power is in the spell book twice; each can be won once.")
    game = _RunningGame(players, dice, book, Random(seed), [Duelist(), Duelist()])
    rounds = [game.play_round(0)]
    while not game.is_over(rounds[-1]):
        rounds.append(game.play_round(len(rounds) % 2))
    return DuelGame((game.duelists[0], game.duelists[1]), tuple(rounds))


@dataclass(frozen=True, slots=True)
class _RunningGame:
    """A game that is being played: the arguments of `play_duel`, and what each player has now.

    Attributes:
        players: What decides for each of the two.
        dice: The four dice.
        book: The spell book.
        rng: What rolls the dice.
        duelists: What each player has; it changes from round to round.
    """

    players: Sequence[DuelPlayer]
    dice: Sequence[Die]
    book: Sequence[Spell]
    rng: Random
    duelists: list[Duelist]

    def is_over(self, last: Round) -> bool:
        """Return whether a map is full, or neither player drew (RULES 7.5)."""
        full = any(not duelist.map.open() for duelist in self.duelists)
        return full or last.placed == (None, None)

    def ask(self, player: int, question: Question, options: Sequence[_Option]) -> _Option:
        """Return what a player chooses; the only option is not asked for.

        Raises:
            IllegalActionError: The answer is no option.
        """
        if len(options) == 1:
            return options[0]
        me = self.duelists[player]
        answer = self.players[player].choose(question, options, me, self.rng)
        if answer not in options:
            raise IllegalActionError(f"{question.value}: {str(answer)[:60]!r} is no option.")
        return answer

    def play_round(self, starting: int) -> Round:
        """Roll, draft, draw, fill the spell book."""
        rolled = tuple(self.rng.choice(die) for die in self.dice)
        order = self.draft_order(starting)
        taken: tuple[list[int], list[int]] = ([], [])
        free_dice = list(enumerate(rolled))
        for player in order:
            chosen = self.ask(player, Question.DIE, free_dice)
            taken[player].append(chosen[0])
            free_dice.remove(chosen)
        placed = []
        for player, dice in enumerate(taken):
            faces = self.turn(player, dice, [rolled[die] for die in dice])
            placed.append(self.place(player, faces))
        self.capture((starting, 1 - starting))
        return Round(starting, rolled, order, (placed[0], placed[1]))

    def draft_order(self, starting: int) -> tuple[int, ...]:
        """Return A, B, B, A; with the third power of the starting player A, A, B, B."""
        first, second = starting, 1 - starting
        duelist = self.duelists[first]
        may_draft_twice = Power.DRAFT_TWICE in duelist.powers
        if may_draft_twice and self.ask(first, Question.DRAFT_TWICE, (True, False)):
            self.duelists[first] = duelist.spend(Power.DRAFT_TWICE)
            return first, first, second, second
        return first, second, second, first

    def turn(self, player: int, taken: Sequence[int], faces: list[Face]) -> tuple[Face, Face]:
        """Return the faces of two dice, one turned with the fourth power, if wanted."""
        duelist = self.duelists[player]
        if Power.TURN_DIE in duelist.powers:
            turns: list[tuple[int, Face]] = []
            for half in (0, 1):
                turns += [(half, face) for face in self.dice[taken[half]]]
            if (turned := self.ask(player, Question.TURN, (None, *turns))) is not None:
                self.duelists[player] = duelist.spend(Power.TURN_DIE)
                faces[turned[0]] = turned[1]
        return faces[0], faces[1]

    def place(self, player: int, faces: tuple[Face, Face]) -> Placement | None:
        """Draw the domino, with the cross of the castle if wanted, and fill the spell book."""
        # A domino that can be drawn without a power must be drawn.
        duelist = self.duelists[player]
        options = placements(duelist.map, faces, duelist.powers)
        must = any(option.power is None for option in options)
        chosen = self.ask(player, Question.PLACE, options if must else (None, *options))
        if chosen is None:
            return None
        if chosen.power is not None:
            duelist = duelist.spend(chosen.power)
        # The cross of the castle can be used once a game.
        crossed = None
        if duelist.castle_cross:
            crossed = self.ask(player, Question.CASTLE_CROSS, (None, *chosen.halves))
        # Draw the coats, and fill boxes. A joker fills none, nor does a die with a cross, be it its
        # own or that of the castle.
        duel_map, boxes = duelist.map, dict(duelist.boxes)
        for half in chosen.halves:
            crosses = half.drawn.crosses
            if half == crossed:
                crosses += CASTLE_CROSSES
            duel_map = duel_map.draw(half.at, Drawn(half.drawn.coat, crosses))
            for spell in self.book:
                if faces[half.die].coat is spell.coat and crosses == 0:
                    boxes[spell.power] = boxes.get(spell.power, 0) + 1
        unused = duelist.castle_cross and crossed is None
        self.duelists[player] = replace(duelist, map=duel_map, castle_cross=unused, boxes=boxes)
        return chosen

    def capture(self, order: tuple[int, int]) -> None:
        """Give out the powers whose boxes are full; where both fill them at once, A has it."""
        for spell in self.book:
            won: set[Power] = set()
            for duelist in self.duelists:
                won.update(duelist.powers, duelist.used)
            if spell.power in won:
                continue
            for player in order:
                if self.duelists[player].boxes.get(spell.power, 0) >= spell.boxes:
                    self.duelists[player] = self.win(player, spell.power)
                    break

    def win(self, player: int, power: Power) -> Duelist:
        """Return the player with a power; the fifth and the sixth work at once."""
        duelist = self.duelists[player]
        if power is Power.DOMAINS:
            coat = self.ask(player, Question.COAT, tuple(Coat))
            return replace(duelist.spend(power), wizard_coat=coat)
        if power is Power.CROSS:
            at = self.ask(player, Question.CROSS, tuple(duelist.map.drawn))
            drawn = duelist.map.drawn[at]
            crossed = duelist.map.draw(at, Drawn(drawn.coat, drawn.crosses + 1))
            return replace(duelist.spend(power), map=crossed)
        return replace(duelist, powers=duelist.powers | {power})
