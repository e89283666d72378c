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
    DEFAULT_RULES,
    MIDDLE,
    Coat,
    Drawn,
    DuelMap,
    DuelRules,
    DuelSheet,
    Power,
    score_duel,
)
from kdvision.rules.kingdom import Position, neighbours

#: Maximum number of rounds, where players keep their powers and none draws; see `play_duel`.
MOST_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a die. `coat` is None for the joker, which stands for any coat."""

    coat: Coat | None
    crosses: int = 0

    @property
    def coats(self) -> tuple[Coat, ...]:
        """The coats that the face can be drawn as."""
        return tuple(Coat) if self.coat is None else (self.coat,)


#: A die: its faces.
Die = tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Spell:
    """A line of the spell book: who fills its boxes with coats first has its power."""

    coat: Coat
    boxes: int
    power: Power


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
    rules: DuelRules = DEFAULT_RULES,
) -> tuple[Placement, ...]:
    """Return every way to draw two dice: by the rules, then with the powers at hand.

    The first coat connects and the second lies beside it; either die may be the first. With the
    first power no equal coat is asked for, see `DuelRules.ignore_beside`. With the second each half
    connects by itself, and one alone may be drawn when the other cannot be.
    """
    found = list(_whole(duel_map, faces, None))
    if Power.IGNORE_CONNECTION in powers:
        by_rules, lying = {way.halves for way in found}, {MIDDLE, *duel_map.drawn()}
        for way in _whole(duel_map, faces, Power.IGNORE_CONNECTION):
            beside = (near for half in way.halves for near in neighbours(half.at))
            touches = not rules.ignore_beside or not lying.isdisjoint(beside)
            if touches and way.halves not in by_rules:
                found.append(way)
    if Power.SPLIT in powers:
        found.extend(_split(duel_map, faces))
    return tuple(dict.fromkeys(found))


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
        other = faces[1 - die]
        for first in _halves(duel_map, faces, die, free=power is not None):
            for at in neighbours(first.at):
                if at in places:
                    for coat in other.coats:
                        second = Half(at, Drawn(coat, other.crosses), 1 - die)
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


def _by_die(one: Half, other: Half) -> tuple[Half, Half]:
    return (one, other) if one.die < other.die else (other, one)


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
    """A player who decides everything by chance; another overrides what it decides otherwise.

    Every question comes with the game's own random numbers. An offered power is taken as often as
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
        open_to = ways if rng.random() < self.boldness else [w for w in ways if w.power is None]
        return rng.choice(open_to) if open_to else None

    def cross(self, halves: Sequence[Half], me: Duelist, rng: Random) -> int | None:
        """Return the die for the cross of the castle, if any; asked each round until it is used."""
        return rng.choice(halves).die if rng.random() < self.boldness else None

    def coat(self, me: Duelist, rng: Random) -> Coat:
        """Return the coat of the fifth power."""
        return rng.choice(tuple(Coat))

    def crossed(self, drawn: Sequence[Position], me: Duelist, rng: Random) -> Position:
        """Return where the cross of the sixth power goes."""
        return rng.choice(drawn)


@dataclass(frozen=True, slots=True)
class Round:
    """What happened in one round, players by their number in the game.

    Attributes:
        starting: Player A.
        rolled: The faces of the dice.
        drafted: The players in the order in which they took dice.
        placed: What each player drew; None for nothing.
        able: The players who could draw, be it with a power.
    """

    starting: int
    rolled: tuple[Face, ...]
    drafted: tuple[int, ...]
    placed: tuple[Placement | None, Placement | None]
    able: tuple[int, ...] = (0, 1)


@dataclass(frozen=True, slots=True)
class DuelGame:
    """A game that was played to its end."""

    seed: int
    duelists: tuple[Duelist, Duelist]
    rounds: tuple[Round, ...]


def play_duel(
    players: Sequence[ByChance],
    seed: int,
    dice: Sequence[Die] = EXAMPLE_DICE,
    book: Sequence[Spell] = EXAMPLE_BOOK,
    rules: DuelRules = DEFAULT_RULES,
) -> DuelGame:
    """Play one game to its end: a map is full, or neither player draws (RULES 7.5).

    With `DuelRules.end_when_unable` a round in which neither draws is the last only where neither
    could, even with a power; as nobody must use a power, the game ends after `MOST_ROUNDS` anyhow.

    Args:
        players: Two; the first is the starting player.
        seed: The same seed and players play the same game.
        dice: Four dice.
        book: The spell book, alike for both.
        rules: The readings of the text.

    Raises:
        ValueError: Not two players or not four dice, or a player breaks a rule.
    """
    if len(players) != 2 or len(dice) != 4:
        raise ValueError(f"A Duel has 2 players and 4 dice, not {len(players)} and {len(dice)}.")
    table = _Table(players, dice, book, rules, Random(seed), [Duelist(), Duelist()])
    rounds: list[Round] = []
    while True:
        rounds.append(table.round(len(rounds) % 2))
        if table.is_over(rounds[-1]) or len(rounds) == MOST_ROUNDS:
            return DuelGame(seed, (table.duelists[0], table.duelists[1]), tuple(rounds))


@dataclass(frozen=True, slots=True)
class _Table:
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

    def round(self, starting: int) -> Round:
        """Roll, draft, draw, fill the spell book."""
        rolled = tuple(self.rng.choice(die) for die in self.dice)
        order = self.draft_order(starting)
        taken: tuple[list[int], list[int]] = ([], [])
        left = list(range(len(self.dice)))
        for player in order:
            faces = [rolled[die] for die in left]
            index = self.players[player].draft(faces, self.duelists[player], self.rng)
            if index not in range(len(left)):
                raise ValueError(f"There is no die {index} to take.")
            taken[player].append(left.pop(index))
        placed: list[Placement | None] = []
        able: list[int] = []
        for player, (die, other) in enumerate(taken):
            faces_taken = self.turn(player, (die, other), (rolled[die], rolled[other]))
            me = self.duelists[player]
            ways = placements(me.map, faces_taken, me.powers, self.rules)
            able += [player] if ways else []
            placed.append(self.place(player, faces_taken, ways))
        self.capture((starting, 1 - starting))
        return Round(starting, rolled, order, (placed[0], placed[1]), tuple(able))

    def draft_order(self, starting: int) -> tuple[int, ...]:
        """Return A, B, B, A; with the third power of the starting player A, A, B, B."""
        first, second = starting, 1 - starting
        me = self.duelists[first]
        if Power.DRAFT_TWICE in me.powers and self.players[first].draft_twice(me, self.rng):
            self.duelists[first] = me.spend(Power.DRAFT_TWICE)
            return first, first, second, second
        return first, second, second, first

    def turn(
        self, player: int, taken: tuple[int, int], faces: tuple[Face, Face]
    ) -> tuple[Face, Face]:
        """Turn one die with the fourth power, if it is at hand and wanted."""
        me, dice = self.duelists[player], [self.dice[die] for die in taken]
        if Power.TURN_DIE not in me.powers:
            return faces
        turned = self.players[player].turn(dice, me, self.rng)
        if turned is None:
            return faces
        die, face = turned
        if face not in dice[die]:
            raise ValueError(f"The die has no face {face}.")
        self.duelists[player] = me.spend(Power.TURN_DIE)
        return (face, faces[1]) if die == 0 else (faces[0], face)

    def place(
        self, player: int, faces: tuple[Face, Face], ways: Sequence[Placement]
    ) -> Placement | None:
        """Draw the domino, with the cross of the castle if wanted, and fill the spell book."""
        me, decides = self.duelists[player], self.players[player]
        chosen = decides.place(ways, me, self.rng) if ways else None
        if chosen is None:
            if any(way.power is None for way in ways):
                raise ValueError("What can be drawn must be drawn.")
            return None
        if chosen not in ways:
            raise ValueError("The domino may not be drawn so.")
        if chosen.power is not None:
            me = me.spend(chosen.power)
        crossed = decides.cross(chosen.halves, me, self.rng) if me.castle_cross else None
        if crossed is not None and crossed not in {half.die for half in chosen.halves}:
            raise ValueError(f"No die {crossed} was drawn.")
        duel_map, boxes = me.map, dict(me.boxes)
        for half in chosen.halves:
            bonus = int(half.die == crossed)
            duel_map = duel_map.draw(half.at, Drawn(half.drawn.coat, half.drawn.crosses + bonus))
            face = faces[half.die]
            for spell in self.book:
                # A joker fills no box, nor does a die with a cross of its own or of the castle.
                if face.coat is spell.coat and not face.crosses + bonus:
                    boxes[spell.power] = boxes.get(spell.power, 0) + 1
        unused = me.castle_cross and crossed is None
        self.duelists[player] = replace(me, map=duel_map, castle_cross=unused, boxes=boxes)
        return chosen

    def capture(self, order: tuple[int, int]) -> None:
        """Give out the powers whose boxes are full; where both fill them at once, A has it."""
        for spell in self.book:
            won = {power for duelist in self.duelists for power in (*duelist.powers, *duelist.used)}
            full = [
                who for who in order if self.duelists[who].boxes.get(spell.power, 0) >= spell.boxes
            ]
            if spell.power not in won and full:
                self.win(full[0], spell.power)

    def win(self, player: int, power: Power) -> None:
        """Give a power; the fifth and the sixth work at once."""
        me, decides = self.duelists[player], self.players[player]
        if not power.at_once:
            self.duelists[player] = replace(me, powers=me.powers | {power})
            return
        me = replace(me, used=(*me.used, power))
        if power is Power.DOMAINS:
            coat = decides.coat(me, self.rng)
            if not isinstance(coat, Coat):
                raise ValueError(f"{str(coat)[:40]!r} is no coat of arms.")
            me = replace(me, wizard_coat=coat)
        else:
            drawn = me.map.drawn()
            at = decides.crossed(tuple(drawn), me, self.rng)
            if at not in drawn:
                raise ValueError(f"No cross goes on {at}: nothing is drawn there.")
            crossed = Drawn(drawn[at].coat, drawn[at].crosses + 1)
            me = replace(me, map=me.map.draw(at, crossed))
        self.duelists[player] = me
