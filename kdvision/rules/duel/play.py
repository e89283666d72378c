"""Whole games of Kingdomino Duel, so that legal maps can be played out (RULES 7.4 to 7.6).

>>> game = play_duel([ByChance(), ByChance()], seed=7)
>>> [duelist.sheet.total > 0 for duelist in game.duelists]
[True, True]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

from kdvision.rules.duel.dice import (
    DEFAULT_RULES,
    EXAMPLE_BOOK,
    EXAMPLE_DICE,
    Die,
    DuelRules,
    Face,
    Half,
    Placement,
    Power,
    Spell,
    placements,
)
from kdvision.rules.duel.map import Coat, Drawn, DuelMap, DuelSheet, score_duel
from kdvision.rules.kingdom import Position

#: No game has more rounds: a map has 34 spaces, and nobody declines for ever.
MOST_ROUNDS = 200


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
        """The player after a power that works once."""
        return replace(self, powers=self.powers - {power}, used=(*self.used, power))


class DuelPlayer(Protocol):
    """Who decides; every question comes with the game's own random numbers."""

    def draft_twice(self, me: Duelist, rng: Random) -> bool:
        """Whether to use the third power and draft A, A, B, B."""
        ...

    def draft(self, faces: Sequence[Face], me: Duelist, rng: Random) -> int:
        """Which of the dice that are left to take."""
        ...

    def turn(self, dice: Sequence[Die], me: Duelist, rng: Random) -> tuple[int, Face] | None:
        """Which of one's two dice to turn to which of its faces with the fourth power."""
        ...

    def place(self, ways: Sequence[Placement], me: Duelist, rng: Random) -> Placement | None:
        """How to draw the domino; None, to draw nothing, only where every way takes a power."""
        ...

    def cross(self, halves: Sequence[Half], me: Duelist, rng: Random) -> int | None:
        """Which die gets the cross of the castle, if any; asked once a round until it is used."""
        ...

    def coat(self, me: Duelist, rng: Random) -> Coat:
        """The coat of the fifth power."""
        ...

    def crossed(self, drawn: Sequence[Position], me: Duelist, rng: Random) -> Position:
        """Where the cross of the sixth power goes."""
        ...


@dataclass(frozen=True, slots=True)
class ByChance:
    """Decides everything by chance; takes an offered power as often as `boldness` says."""

    boldness: float = 0.5

    def draft_twice(self, me: Duelist, rng: Random) -> bool:
        """As often as `boldness` says."""
        return rng.random() < self.boldness

    def draft(self, faces: Sequence[Face], me: Duelist, rng: Random) -> int:
        """Any die."""
        return rng.randrange(len(faces))

    def turn(self, dice: Sequence[Die], me: Duelist, rng: Random) -> tuple[int, Face] | None:
        """Any face of any of the two dice."""
        if rng.random() >= self.boldness:
            return None
        die = rng.randrange(len(dice))
        return die, rng.choice(dice[die])

    def place(self, ways: Sequence[Placement], me: Duelist, rng: Random) -> Placement | None:
        """Any way; those without a power unless it is bold."""
        open_to = ways if rng.random() < self.boldness else [w for w in ways if w.power is None]
        return rng.choice(open_to) if open_to else None

    def cross(self, halves: Sequence[Half], me: Duelist, rng: Random) -> int | None:
        """Any of the dice."""
        return rng.choice(halves).die if rng.random() < self.boldness else None

    def coat(self, me: Duelist, rng: Random) -> Coat:
        """Any coat."""
        return rng.choice(tuple(Coat))

    def crossed(self, drawn: Sequence[Position], me: Duelist, rng: Random) -> Position:
        """Any drawn space."""
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
    players: Sequence[DuelPlayer],
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

    players: Sequence[DuelPlayer]
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
            won = {power for one in self.duelists for power in (*one.powers, *one.used)}
            full = [
                who for who in order if self.duelists[who].boxes.get(spell.power, 0) >= spell.boxes
            ]
            if spell.power not in won and full:
                self.win(full[0], spell.power)

    def win(self, player: int, power: Power) -> None:
        """Give a power; the fifth and the sixth work at once."""
        me, decides = self.duelists[player], self.players[player]
        if not power.at_once:
            me = replace(me, powers=me.powers | {power})
        else:
            me = replace(me, used=(*me.used, power))
            if power is Power.DOMAINS:
                me = replace(me, wizard_coat=decides.coat(me, self.rng))
            else:
                at = decides.crossed(tuple(me.map.drawn()), me, self.rng)
                drawn = me.map.drawn()[at]
                crossed = Drawn(drawn.coat, drawn.crosses + 1)
                me = replace(me, map=me.map.draw(at, crossed))
        self.duelists[player] = me
