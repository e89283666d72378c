"""Whole games of Kingdomino Duel, so that legal maps can be played out (RULES 7.4 to 7.6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

from kdvision.rules.duel.dice import (
    EXAMPLE_BOOK,
    EXAMPLE_DICE,
    Die,
    Face,
    Half,
    Placement,
    Power,
    Spell,
    placements,
)
from kdvision.rules.duel.map import Coat, Drawn, DuelMap, DuelSheet, score_duel
from kdvision.rules.kingdom import Position


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

    `drafted` are the players in the order in which they took dice; `placed` is by player, None
    where nothing was drawn.
    """

    starting: int
    rolled: tuple[Face, ...]
    drafted: tuple[int, ...]
    placed: tuple[Placement | None, Placement | None]


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
) -> DuelGame:
    """Play one game to its end: a map is full, or neither player draws (RULES 7.5).

    Args:
        players: Two; the first is the starting player.
        seed: The same seed and players play the same game.
        dice: Four dice.
        book: The spell book, alike for both.

    Raises:
        ValueError: Not two players or not four dice, or a player breaks a rule.
    """
    if len(players) != 2 or len(dice) != 4:
        raise ValueError(f"A Duel has 2 players and 4 dice, not {len(players)} and {len(dice)}.")
    rng = Random(seed)
    duelists = [Duelist(), Duelist()]
    rounds: list[Round] = []
    while True:
        rounds.append(_round(players, duelists, len(rounds) % 2, dice, book, rng))
        full = any(not duelist.map.open() for duelist in duelists)
        if full or rounds[-1].placed == (None, None):
            return DuelGame(seed, (duelists[0], duelists[1]), tuple(rounds))


def _round(
    players: Sequence[DuelPlayer],
    duelists: list[Duelist],
    starting: int,
    dice: Sequence[Die],
    book: Sequence[Spell],
    rng: Random,
) -> Round:
    """Roll, draft, draw, fill the spell book; changes `duelists`."""
    rolled = tuple(rng.choice(die) for die in dice)
    order = _draft_order(players, duelists, starting, rng)
    taken: tuple[list[int], list[int]] = ([], [])
    left = list(range(len(dice)))
    for player in order:
        faces = [rolled[die] for die in left]
        taken[player].append(left.pop(players[player].draft(faces, duelists[player], rng)))
    placed: list[Placement | None] = []
    for player in (0, 1):
        one, other = taken[player]
        faces_taken = (rolled[one], rolled[other])
        duelists[player], faces_taken = _turn(
            players[player], duelists[player], (dice[one], dice[other]), faces_taken, rng
        )
        duelists[player], placement = _place(
            players[player], duelists[player], faces_taken, book, rng
        )
        placed.append(placement)
    _capture(players, duelists, (starting, 1 - starting), book, rng)
    return Round(starting, rolled, order, (placed[0], placed[1]))


def _draft_order(
    players: Sequence[DuelPlayer], duelists: list[Duelist], starting: int, rng: Random
) -> tuple[int, ...]:
    """A, B, B, A; with the third power of the starting player A, A, B, B."""
    first, second = starting, 1 - starting
    me = duelists[first]
    if Power.DRAFT_TWICE in me.powers and players[first].draft_twice(me, rng):
        duelists[first] = me.spend(Power.DRAFT_TWICE)
        return first, first, second, second
    return first, second, second, first


def _turn(
    player: DuelPlayer,
    me: Duelist,
    dice: tuple[Die, Die],
    faces: tuple[Face, Face],
    rng: Random,
) -> tuple[Duelist, tuple[Face, Face]]:
    """Turn one die with the fourth power, if it is at hand and wanted."""
    turned = player.turn(dice, me, rng) if Power.TURN_DIE in me.powers else None
    if turned is None:
        return me, faces
    die, face = turned
    if face not in dice[die]:
        raise ValueError(f"The die has no face {face}.")
    return me.spend(Power.TURN_DIE), ((face, faces[1]) if die == 0 else (faces[0], face))


def _place(
    player: DuelPlayer, me: Duelist, faces: tuple[Face, Face], book: Sequence[Spell], rng: Random
) -> tuple[Duelist, Placement | None]:
    """Draw the domino, with the cross of the castle if wanted, and fill the spell book."""
    ways = placements(me.map, faces, me.powers)
    chosen = player.place(ways, me, rng) if ways else None
    if chosen is None:
        if any(way.power is None for way in ways):
            raise ValueError("What can be drawn must be drawn.")
        return me, None
    if chosen not in ways:
        raise ValueError("The domino may not be drawn so.")
    if chosen.power is not None:
        me = me.spend(chosen.power)
    crossed = player.cross(chosen.halves, me, rng) if me.castle_cross else None
    if crossed is not None and crossed not in {half.die for half in chosen.halves}:
        raise ValueError(f"No die {crossed} was drawn.")
    duel_map, boxes = me.map, dict(me.boxes)
    for half in chosen.halves:
        bonus = int(half.die == crossed)
        duel_map = duel_map.draw(half.at, Drawn(half.drawn.coat, half.drawn.crosses + bonus))
        face = faces[half.die]
        for spell in book:
            # A joker fills no box, nor does a die with a cross of its own or of the castle.
            if face.coat is spell.coat and not face.crosses + bonus:
                boxes[spell.power] = boxes.get(spell.power, 0) + 1
    unused = me.castle_cross and crossed is None
    return replace(me, map=duel_map, castle_cross=unused, boxes=boxes), chosen


def _capture(
    players: Sequence[DuelPlayer],
    duelists: list[Duelist],
    order: tuple[int, int],
    book: Sequence[Spell],
    rng: Random,
) -> None:
    """Give out the powers whose boxes are full; where both fill them at once, A has it."""
    for spell in book:
        won = {power for duelist in duelists for power in (*duelist.powers, *duelist.used)}
        full = [who for who in order if duelists[who].boxes.get(spell.power, 0) >= spell.boxes]
        if spell.power not in won and full:
            winner = full[0]
            duelists[winner] = _won(players[winner], duelists[winner], spell.power, rng)


def _won(player: DuelPlayer, me: Duelist, power: Power, rng: Random) -> Duelist:
    """Give a power; the fifth and the sixth work at once."""
    if not power.at_once:
        return replace(me, powers=me.powers | {power})
    me = replace(me, used=(*me.used, power))
    if power is Power.DOMAINS:
        return replace(me, wizard_coat=player.coat(me, rng))
    at = player.crossed(tuple(me.map.drawn()), me, rng)
    drawn = me.map.drawn()[at]
    return replace(me, map=me.map.draw(at, Drawn(drawn.coat, drawn.crosses + 1)))
