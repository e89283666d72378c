"""Dice, spell book, placing rules and whole games of Kingdomino Duel (RULES 7.4, 7.5, 7.7).

Dice and spell book are data: the rules do not print them, so `EXAMPLE_DICE` and `EXAMPLE_BOOK` are
examples of ours. Who owns the game gives the real ones to `play_duel`.

    >>> len(placements(DuelMap.empty(), (Face(Coat.DOT), Face(Coat.BLACK))))
    24
    >>> game = play_duel([ByChance(), ByChance()], seed=7)
    >>> [duelist.sheet.total > 0 for duelist in game.duelists]
    [True, True]
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from kdvision.rules.duel.map import (
    CROSSES_OF_A_DIE,
    MIDDLE,
    USUAL_DUEL_RULES,
    Coat,
    Drawn,
    DuelEnd,
    DuelMap,
    DuelRules,
    DuelSheet,
    Power,
    decide,
    score_duel,
)
from kdvision.rules.errors import IllegalActionError, RulesError
from kdvision.rules.kingdom import Position, neighbours

#: No game has more rounds; see `play_duel`. A round in which somebody draws fills a space at least,
#: so more than the 68 spaces of both maps are needed only where powers are kept and none draws.
MOST_ROUNDS = 200


# ---------------------------------------------------------------------- dice and spell book


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a die. `coat` is None for the joker, which stands for any coat.

    Raises:
        RulesError: That is no coat, or the crosses are not 0 to 2.
    """

    coat: Coat | None
    crosses: int = 0

    def __post_init__(self) -> None:
        if self.coat is not None and not isinstance(self.coat, Coat):
            raise RulesError(f"{str(self.coat)[:40]!r} is no coat of arms.")
        if type(self.crosses) is not int or self.crosses not in range(CROSSES_OF_A_DIE + 1):
            raise RulesError(f"A die has 0 to {CROSSES_OF_A_DIE} crosses, not {self.crosses}.")

    @property
    def coats(self) -> tuple[Coat, ...]:
        """The coats that the face can be drawn as."""
        return tuple(Coat) if self.coat is None else (self.coat,)


#: A die: its faces.
Die = tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Spell:
    """A line of the spell book: who fills its boxes with coats first has its power.

    Raises:
        RulesError: It has no box.
    """

    coat: Coat
    boxes: int
    power: Power

    def __post_init__(self) -> None:
        if self.boxes < 1:
            raise RulesError(f"A spell has at least one box, not {self.boxes}.")


#: Four dice: two with every coat plain, one with every coat crossed, one with jokers.
EXAMPLE_DICE: tuple[Die, ...] = (
    *(tuple(Face(coat) for coat in Coat) for _ in range(2)),
    tuple(Face(coat, crosses) for coat, crosses in zip(Coat, (1, 1, 1, 1, 2, 2), strict=True)),
    (Face(Coat.DOT), Face(Coat.STRIPE), Face(Coat.QUARTERS), Face(None), Face(None), Face(None)),
)
#: A power for each coat.
EXAMPLE_BOOK: tuple[Spell, ...] = tuple(
    Spell(coat, 4, power) for coat, power in zip(Coat, Power, strict=True)
)


# ---------------------------------------------------------------------- placing


@dataclass(frozen=True, slots=True)
class Half:
    """One die, drawn: where, as what, and which of the two dice it was."""

    at: Position
    drawn: Drawn
    die: int


@dataclass(frozen=True, slots=True)
class Placement:
    """A way to draw a domino, or one half of it where the split power allows that."""

    halves: tuple[Half, ...]
    power: Power | None = None


def connects(drawn: Mapping[Position, Drawn], at: Position, coat: Coat) -> bool:
    """Return whether a space is beside the castle or beside an equal coat (RULES 7.4)."""
    return any(
        near == MIDDLE or (near in drawn and drawn[near].coat is coat) for near in neighbours(at)
    )


def placements(
    duel_map: DuelMap,
    faces: tuple[Face, Face],
    powers: Collection[Power] = (),
    rules: DuelRules = USUAL_DUEL_RULES,
) -> tuple[Placement, ...]:
    """Return every way to draw two dice: by the rules, then with the powers at hand (RULES 7.4).

    The first coat connects and the second lies beside it; either die may be the first. With the
    first power no equal coat is asked for, see `DuelRules.ignore_beside`. With the second each half
    connects by itself, and one alone may be drawn when the other cannot be.
    """
    ways = list(_whole(duel_map, faces, None))
    if Power.IGNORE_CONNECTION in powers:
        by_rules, lying = {way.halves for way in ways}, {MIDDLE, *duel_map.drawn()}
        for way in _whole(duel_map, faces, Power.IGNORE_CONNECTION):
            beside = (near for half in way.halves for near in neighbours(half.at))
            touches = not rules.ignore_beside or not lying.isdisjoint(beside)
            if touches and way.halves not in by_rules:
                ways.append(way)
    if Power.SPLIT in powers:
        ways.extend(_split(duel_map, faces))
    return tuple(dict.fromkeys(ways))


def _halves(
    duel_map: DuelMap, faces: tuple[Face, Face], die: int, *, free: bool = False
) -> Iterator[Half]:
    """Yield where one die can be drawn by itself; `free` of the connection rule or not."""
    face, drawn = faces[die], duel_map.drawn()
    for at in sorted(duel_map.open()):
        for coat in face.coats:
            if free or connects(drawn, at, coat):
                yield Half(at, Drawn(coat, face.crosses), die)


def _whole(duel_map: DuelMap, faces: tuple[Face, Face], power: Power | None) -> Iterator[Placement]:
    """Yield the two halves side by side."""
    places = duel_map.open()
    for die in (0, 1):
        face = faces[1 - die]
        for first in _halves(duel_map, faces, die, free=power is not None):
            for at in (near for near in neighbours(first.at) if near in places):
                for coat in face.coats:
                    second = Half(at, Drawn(coat, face.crosses), 1 - die)
                    yield Placement(_by_die(first, second), power)


def _split(duel_map: DuelMap, faces: tuple[Face, Face]) -> Iterator[Placement]:
    """Yield the two halves apart, in either order, or one where the other has no place."""
    for die in (0, 1):
        for first in _halves(duel_map, faces, die):
            after = duel_map.draw(first.at, first.drawn)
            seconds = list(_halves(after, faces, 1 - die))
            for second in seconds:
                yield Placement(_by_die(first, second), Power.SPLIT)
            if not seconds:
                yield Placement((first,), Power.SPLIT)


def _by_die(first: Half, second: Half) -> tuple[Half, Half]:
    return (first, second) if first.die < second.die else (second, first)


# ---------------------------------------------------------------------- players


@dataclass(frozen=True, slots=True)
class Duelist:
    """What one player has.

    `boxes` are those of the spell book, by the power that they lead to. `powers` are won and not
    used yet. `used` are those that were used, in order.
    """

    map: DuelMap = field(default_factory=DuelMap.empty)
    castle_cross: bool = True
    boxes: Mapping[Power, int] = field(default_factory=dict)
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


@dataclass
class ByChance:
    """A player who decides everything by chance; a subclass overrides what it decides otherwise.

    Each question comes with the game's own random numbers. An offered power is taken as often as
    `boldness`, a probability, says.
    """

    boldness: float = 0.5

    def draft_twice(self, me: Duelist, rng: Random) -> bool:
        """Return whether to use the third power and draft A, A, B, B."""
        return rng.random() < self.boldness

    def draft(self, faces: Sequence[Face], me: Duelist, rng: Random) -> int:
        """Return the index of the die to take among those that are left."""
        return rng.randrange(len(faces))

    def turn(self, dice: Sequence[Die], me: Duelist, rng: Random) -> tuple[int, Face] | None:
        """Return which of one's two dice to turn to which of its faces with the fourth power."""
        if rng.random() >= self.boldness:
            return None
        die = rng.randrange(len(dice))
        return die, rng.choice(dice[die])

    def place(self, ways: Sequence[Placement], me: Duelist, rng: Random) -> Placement | None:
        """Return how to draw the domino; None, for not at all, only where all ways take a power."""
        if rng.random() >= self.boldness:
            ways = [way for way in ways if way.power is None]
        return rng.choice(ways) if ways else None

    def cross(self, halves: Sequence[Half], me: Duelist, rng: Random) -> int | None:
        """Return the die for the cross of the castle, if any; asked each round until it is used."""
        return rng.choice(halves).die if rng.random() < self.boldness else None

    def coat(self, me: Duelist, rng: Random) -> Coat:
        """Return the coat of the fifth power."""
        return rng.choice(tuple(Coat))

    def crossed(self, drawn: Sequence[Position], me: Duelist, rng: Random) -> Position:
        """Return where the cross of the sixth power goes."""
        return rng.choice(drawn)


# ---------------------------------------------------------------------- games


@dataclass(frozen=True, slots=True)
class Round:
    """What happened in one round, players by their number in the game.

    Attributes:
        starting: Player A.
        rolled: The faces of the dice.
        drafted: The players in the order in which they took dice.
        placed: What each player drew; None for nothing.
        able: The players who could draw, be it with the first or the second power.
    """

    starting: int
    rolled: tuple[Face, ...]
    drafted: tuple[int, ...]
    placed: tuple[Placement | None, Placement | None]
    able: tuple[int, ...] = (0, 1)


@dataclass(frozen=True, slots=True)
class DuelGame:
    """A game that was played to its end."""

    duelists: tuple[Duelist, Duelist]
    rounds: tuple[Round, ...]

    @property
    def result(self) -> tuple[int | None, DuelEnd]:
        """Who won, 0 or 1, and by what; None for a draw (RULES 7.5)."""
        first, second = self.duelists
        return decide(first.sheet, second.sheet)


def play_duel(
    players: Sequence[ByChance],
    *,
    seed: int | None = None,
    dice: Sequence[Die] = EXAMPLE_DICE,
    book: Sequence[Spell] = EXAMPLE_BOOK,
    rules: DuelRules = USUAL_DUEL_RULES,
) -> DuelGame:
    """Play one game to its end: a map is full, or neither player draws (RULES 7.5).

    With `DuelRules.end_when_unable` a round in which neither draws is the last only where neither
    could, even with a power; as nobody must use a power, the game ends after `MOST_ROUNDS` anyhow.

    Args:
        players: Two; the first is the starting player.
        seed: The same seed and players play the same game; None plays a new one.
        dice: Four dice.
        book: The spell book, alike for both.
        rules: The readings of the text.

    Raises:
        RulesError: Not two players, not four dice with faces, or a power is in the book twice.
        IllegalActionError: A player breaks a rule.
    """
    if len(players) != 2 or len(dice) != 4:
        raise RulesError(f"A Duel has 2 players and 4 dice, not {len(players)} and {len(dice)}.")
    if not all(dice):
        raise RulesError("A die has no face; give at least one.")
    if len({spell.power for spell in book}) < len(book):
        raise RulesError("A power is in the spell book twice; each can be won once.")
    game = _RunningGame(players, dice, book, rules, Random(seed), [Duelist(), Duelist()])
    rounds = [game.play_round(0)]
    while not game.is_over(rounds[-1]) and len(rounds) < MOST_ROUNDS:
        rounds.append(game.play_round(len(rounds) % 2))
    return DuelGame((game.duelists[0], game.duelists[1]), tuple(rounds))


@dataclass(frozen=True, slots=True)
class _RunningGame:
    """A game that is played; `duelists` change from round to round."""

    players: Sequence[ByChance]
    dice: Sequence[Die]
    book: Sequence[Spell]
    rules: DuelRules
    rng: Random
    duelists: list[Duelist]

    def is_over(self, last: Round) -> bool:
        """Return whether a map is full, or neither player draws (RULES 7.5)."""
        full = any(not duelist.map.open() for duelist in self.duelists)
        idle = last.able == () if self.rules.end_when_unable else last.placed == (None, None)
        return full or idle

    def play_round(self, starting: int) -> Round:
        """Roll, draft, draw, fill the spell book."""
        rolled = tuple(self.rng.choice(die) for die in self.dice)
        order = self.draft_order(starting)
        taken = self.draft(order, rolled)
        placed: list[Placement | None] = []
        able: list[int] = []
        for player, (first, second) in enumerate(taken):
            faces = self.turn(player, (first, second), (rolled[first], rolled[second]))
            duelist = self.duelists[player]
            ways = placements(duelist.map, faces, duelist.powers, self.rules)
            if ways:
                able.append(player)
            placed.append(self.place(player, faces, ways))
        self.capture((starting, 1 - starting))
        return Round(starting, rolled, order, (placed[0], placed[1]), tuple(able))

    def draft_order(self, starting: int) -> tuple[int, ...]:
        """Return A, B, B, A; with the third power of the starting player A, A, B, B."""
        first, second = starting, 1 - starting
        duelist = self.duelists[first]
        may_draft_twice = Power.DRAFT_TWICE in duelist.powers
        if may_draft_twice and self.players[first].draft_twice(duelist, self.rng):
            self.duelists[first] = duelist.spend(Power.DRAFT_TWICE)
            return first, first, second, second
        return first, second, second, first

    def draft(self, order: Sequence[int], rolled: Sequence[Face]) -> tuple[list[int], list[int]]:
        """Return the two dice that each player takes, as indices."""
        taken: tuple[list[int], list[int]] = ([], [])
        left = list(range(len(self.dice)))
        for player in order:
            faces = [rolled[die] for die in left]
            index = self.players[player].draft(faces, self.duelists[player], self.rng)
            if index not in range(len(left)):
                raise IllegalActionError(f"There is no die {index} to take.")
            taken[player].append(left.pop(index))
        return taken

    def turn(
        self, player: int, taken: tuple[int, int], faces: tuple[Face, Face]
    ) -> tuple[Face, Face]:
        """Turn one die with the fourth power, if it is at hand and wanted."""
        duelist, dice = self.duelists[player], [self.dice[die] for die in taken]
        if Power.TURN_DIE not in duelist.powers:
            return faces
        turned = self.players[player].turn(dice, duelist, self.rng)
        if turned is None:
            return faces
        die, face = turned
        if die not in (0, 1):
            raise IllegalActionError(f"There is no die {die} to turn.")
        if face not in dice[die]:
            raise IllegalActionError(f"The die has no face {face}.")
        self.duelists[player] = duelist.spend(Power.TURN_DIE)
        return (face, faces[1]) if die == 0 else (faces[0], face)

    def place(
        self, player: int, faces: tuple[Face, Face], ways: Sequence[Placement]
    ) -> Placement | None:
        """Draw the domino, with the cross of the castle if wanted, and fill the spell book."""
        # Which way, if any.
        duelist, decisions = self.duelists[player], self.players[player]
        chosen = decisions.place(ways, duelist, self.rng) if ways else None
        if chosen is None:
            if any(way.power is None for way in ways):
                raise IllegalActionError("What can be drawn must be drawn.")
            return None
        if chosen not in ways:
            raise IllegalActionError("The domino may not be drawn so.")
        if chosen.power is not None:
            duelist = duelist.spend(chosen.power)
        # The cross of the castle, once a game.
        crossed = None
        if duelist.castle_cross:
            crossed = decisions.cross(chosen.halves, duelist, self.rng)
        if crossed is not None and crossed not in [half.die for half in chosen.halves]:
            raise IllegalActionError(f"No die {crossed} was drawn.")
        # Draw the coats. A joker ticks no box, nor does a die with a cross of its own or of the
        # castle.
        duel_map, boxes = duelist.map, dict(duelist.boxes)
        for half in chosen.halves:
            face, crosses = faces[half.die], half.drawn.crosses + (half.die == crossed)
            duel_map = duel_map.draw(half.at, Drawn(half.drawn.coat, crosses))
            for spell in self.book:
                if face.coat is spell.coat and crosses == 0:
                    boxes[spell.power] = boxes.get(spell.power, 0) + 1
        unused = duelist.castle_cross and crossed is None
        self.duelists[player] = replace(duelist, map=duel_map, castle_cross=unused, boxes=boxes)
        return chosen

    def capture(self, order: tuple[int, int]) -> None:
        """Give out the powers whose boxes are full; where both fill them at once, A has it."""
        for spell in self.book:
            won = {power for duelist in self.duelists for power in (*duelist.powers, *duelist.used)}
            if spell.power in won:
                continue
            for player in order:
                if self.duelists[player].boxes.get(spell.power, 0) >= spell.boxes:
                    self.win(player, spell.power)
                    break

    def win(self, player: int, power: Power) -> None:
        """Give a power; the fifth and the sixth work at once, the others once, when wanted."""
        duelist = self.duelists[player]
        if power is Power.DOMAINS:
            self.duelists[player] = self.choose_coat(player, duelist)
        elif power is Power.CROSS:
            self.duelists[player] = self.add_cross(player, duelist)
        else:
            self.duelists[player] = replace(duelist, powers=duelist.powers | {power})

    def choose_coat(self, player: int, duelist: Duelist) -> Duelist:
        """Return the player after the fifth power."""
        coat = self.players[player].coat(duelist, self.rng)
        if not isinstance(coat, Coat):
            raise IllegalActionError(f"{str(coat)[:40]!r} is no coat of arms.")
        return replace(duelist.spend(Power.DOMAINS), wizard_coat=coat)

    def add_cross(self, player: int, duelist: Duelist) -> Duelist:
        """Return the player after the sixth power."""
        drawn = duelist.map.drawn()
        at = self.players[player].crossed(tuple(drawn), duelist, self.rng)
        if at not in drawn:
            raise IllegalActionError(f"No cross goes on {at}: nothing is drawn there.")
        crossed = Drawn(drawn[at].coat, drawn[at].crosses + 1)
        return replace(duelist.spend(Power.CROSS), map=duelist.map.draw(at, crossed))
