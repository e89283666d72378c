"""Players that need no person, whole games between them, and the best end of a kingdom (RULES 5).

`AtRandom` decides by chance. `Greedy` takes the most points and lays tidily, so two in three of
its kingdoms end full. `Lookahead` plays many futures out. Other players need one method, `act`.

    >>> game = play_game([Greedy(), AtRandom()], seed=7)
    >>> [len(kingdom.laid) <= 12 for kingdom in game.kingdoms]
    [True, True]

A seed plays the same game again. The kingdoms hold their dominoes in the order of laying;
`LaidKingdom.after` gives a kingdom part-way.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from random import Random
from typing import Protocol, TypeVar, Unpack

from kdvision.rules.cover import MOST_LISTED, cuttings, listed_cuttings, square_bits
from kdvision.rules.dominoes import Domino, face, standard_deck
from kdvision.rules.game.laying import Action, Choose, Discard, Land, Lay
from kdvision.rules.game.record import GameRecord, LaidKingdom
from kdvision.rules.game.state import GameState, SetUp
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import BONUS_CODES, MOST_SQUARES, InPlay, checked_size, score


class Player(Protocol):
    """What decides for a player."""

    def act(self, state: GameState, rng: Random) -> Action:
        """Answer with one of the actions of the state, in which it is this player's turn.

        Args:
            state: The whole position. What nobody has seen yet is dealt anew, so that its pile
                is as good a guess as any, and no peeking.
            rng: The game's own random numbers.
        """
        ...


#: What a domino without any place is worth: less than any that can be laid.
NO_PLACE = -1e9


@dataclass(frozen=True, slots=True)
class AtRandom:
    """Decides by chance alone."""

    def act(self, state: GameState, rng: Random) -> Action:
        """Choose any action."""
        return rng.choice(state.actions())


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes what pays most at once, and lays tidily.

    `tidiness` is what a place that no domino can fill any more counts against a move, in points;
    an edge shared with another square counts for it by a tenth of that.
    """

    tidiness: float = 5.0

    def act(self, state: GameState, rng: Random) -> Action:
        """Take the best move, or the domino that has it; one without any place comes last."""
        (number, owner), dominoes = state.turns[0], state.deck.by_number
        land = state.lands[owner]
        if not number:
            sign = _sign(state)
            values = {free: sign * self.best(land, dominoes[free])[0] for free in state.line}
            return Choose(max(values, key=lambda one: (values[one], rng.random())))
        moves = land.moves(dominoes[number])
        if not moves:
            return Discard(number)
        rng.shuffle(moves)
        left, right = self.best(land, dominoes[number], moves)[1]
        return Lay(number, land.frame.position(left), land.frame.position(right))

    def best(
        self, land: Land, domino: Domino, moves: list[tuple[int, int]] | None = None
    ) -> tuple[float, tuple[int, int]]:
        """Return the value of a domino's best move, `NO_PLACE` without any, and the move."""
        taken = land.taken
        best, found = NO_PLACE, (0, 0)
        for move in land.moves(domino) if moves is None else moves:
            value = self.value(land, domino, move, taken)
            if value > best:
                best, found = value, move
        return best, found

    def value(self, land: Land, domino: Domino, move: tuple[int, int], taken: int) -> float:
        """Return what a move is worth: points at once, edges shared, places lost.

        `taken` are the places of the land where something lies.
        """
        left, right = move
        after = land.lay(domino, left, right)
        beside = land.frame.beside
        contacts = (beside[left] & taken).bit_count() + (beside[right] & taken).bit_count()
        holes = odd_pieces(after.free, beside[left] | beside[right], land.frame.stride)
        return after.points - land.points + self.tidiness * (0.1 * contacts - holes)


def _sign(state: GameState) -> int:
    """Return 1 where a player chooses for a king of one's own, -1 for one of others (RULES 8)."""
    return 1 if state.current_player == state.turns[0][1] else -1


def odd_pieces(free: int, beside: int, stride: int) -> int:
    """Count the connected free places that touch `beside` and are odd in number.

    Dominoes cannot fill such a piece: one place of it stays empty.
    """
    odd = 0
    rest = beside & free
    while rest:
        found = rest & -rest
        grown = 0
        while grown != found:
            grown = found
            found |= (found << 1 | found >> 1 | found << stride | found >> stride) & free
        odd += found.bit_count() & 1
        rest &= ~found
    return odd


# ---------------------------------------------------------------------- looking ahead

#: Dominoes to come, one after the other: each the best of those in a tuple.
Future = list[tuple[Domino, ...]]
_Candidate = TypeVar("_Candidate")

_GREEDY = Greedy()


@dataclass(frozen=True, slots=True)
class Lookahead:
    """Plays futures out.

    Attributes:
        playouts: Maximum number of futures that each candidate is tried on.
        width: The number of moves of a domino that are tried, the best ones by `Greedy`.
        denial: What a point counts that the next opponent could get at once and does not.
        seconds: About how long a decision takes at most; None for no limit, so that the same seed
            plays the same game on any machine.
    """

    playouts: int = 30
    width: int = 8
    denial: float = 0.4
    seconds: float | None = None

    def act(self, state: GameState, rng: Random) -> Action:
        """Take the candidate that ends best on average."""
        return self._lay(state, rng) if state.turns[0][0] else self._choose(state, rng)

    def _choose(self, state: GameState, rng: Random) -> Action:
        dominoes, land = state.deck.by_number, state.lands[state.turns[0][1]]
        if len(state.line) == 1:
            return Choose(state.line[0])
        taking: dict[int, tuple[Land, Future]] = {
            number: (land, [(dominoes[number],)]) for number in state.line
        }
        sign, ends = _sign(state), self._average_ends(taking, state, rng)
        worth = {
            number: sign * (end - self.denial * left_over(state, number))
            for number, end in ends.items()
        }
        return Choose(max(worth, key=lambda number: worth[number]))

    def _lay(self, state: GameState, rng: Random) -> Action:
        (number, player), *_ = state.turns
        domino, land = state.deck.by_number[number], state.lands[player]
        taken, moves = land.taken, land.moves(domino)
        if not moves:
            return Discard(number)
        moves.sort(key=lambda move: -_GREEDY.value(land, domino, move, taken))
        after = {move: (land.lay(domino, *move), Future()) for move in moves[: self.width]}
        ends = self._average_ends(after, state, rng) if len(after) > 1 else dict.fromkeys(after, 0)
        left, right = max(ends, key=lambda move: ends[move])
        return Lay(number, land.frame.position(left), land.frame.position(right))

    def _average_ends(
        self, candidates: Mapping[_Candidate, tuple[Land, Future]], state: GameState, rng: Random
    ) -> dict[_Candidate, float]:
        """Return the mean points that candidates end with, each a land and what comes first."""
        until = None if self.seconds is None else time.monotonic() + self.seconds
        ends = dict.fromkeys(candidates, 0.0)
        for tries in range(1, self.playouts + 1):
            future = future_of(state, rng)
            for candidate, (land, first) in candidates.items():
                end = played_out(land, [*first, *future])
                ends[candidate] += (end - ends[candidate]) / tries
            if until is not None and time.monotonic() > until:
                break
        return ends


def future_of(state: GameState, rng: Random) -> Future:
    """Return the dominoes that come to the owner of the moving king, the unseen ones by chance."""
    dominoes, set_up = state.deck.by_number, state.set_up
    (number, player), *turns = state.turns
    claimed = [claim for claim, who in (*turns, *state.kings) if who == player and claim]
    future: Future = [(dominoes[claim],) for claim in sorted(claimed)]
    # The kings that have no domino of the line yet, but for the one that chooses now.
    kings = sum(who == player for _, who in turns) + (number > 0)
    for _ in range(kings if state.line else 0):
        future.append(
            tuple(dominoes[free] for free in rng.sample(state.line, min(2, len(state.line))))
        )
    coming = rng.sample(state.unseen, len(state.pile))
    for start in range(0, len(coming), set_up.line):
        line = coming[start : start + set_up.line]
        for king in range(set_up.kings):
            future.append(tuple(dominoes[drawn] for drawn in line[2 * king : 2 * king + 2]))
    return future


def played_out(land: Land, future: Future) -> int:
    """Return the points of a kingdom after all dominoes of a future were laid greedily."""
    for offered in future:
        best, laid = NO_PLACE, None
        for domino in offered:
            value, move = _GREEDY.best(land, domino)
            if value > best:
                best, laid = value, (domino, *move)
        if laid is not None:
            land = land.lay(*laid)
    return land.points


def left_over(state: GameState, number: int) -> float:
    """Return what the next opponent can get at once when a domino of the line is taken.

    0 where no opponent chooses from this line any more.
    """
    me = state.turns[0][1]
    other = next((player for _, player in state.turns[1:] if player != me), None)
    rest = [free for free in state.line if free != number]
    if other is None or not rest:
        return 0.0
    land = state.lands[other]
    return max(0.0, *(_GREEDY.best(land, state.deck.by_number[free])[0] for free in rest))


# ---------------------------------------------------------------------- games


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played to its end: one kingdom per player."""

    set_up: SetUp
    seed: int
    kingdoms: tuple[LaidKingdom, ...]
    record: GameRecord


def play_game(
    players: Sequence[Player],
    seed: int,
    set_up: SetUp | str | None = None,
    dominoes: Sequence[Domino] | None = None,
) -> Game:
    """Play one game to its end.

    Args:
        players: One for each kingdom, in the order of the kingdoms that come out.
        seed: The same seed and players play the same game.
        set_up: A set-up or the name of one; None takes the usual one for so many players.
        dominoes: Another deck; None for that of the box.

    Raises:
        ValueError: No set-up is for so many players.
        IllegalActionError: A player answers with something that the rules do not allow.
    """
    start = GameState.start(len(players), variant=set_up, seed=seed, dominoes=dominoes)
    record = GameRecord(start)
    rng = Random(f"players {seed}")
    while (player := record.state.current_player) is not None:
        answer = players[player].act(record.state.imagined(rng), rng)
        record = record.play(answer)
    return Game(start.set_up, seed, record.laid_kingdoms(), record)


# ---------------------------------------------------------------------- the best end

#: Number of kingdoms that are followed after each domino.
BEAM_WIDTH = 100
#: What a place that no domino can fill, and a free place beside a crowned territory are worth, in
#: points; they only say which kingdoms are followed.
_LOST, _OPEN = 4.0, 0.4

#: How often each face of the box is left, in the order of `face_counts`.
_Left = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Best:
    """The best end that was found.

    Attributes:
        kingdom: The kingdom in the end.
        total: Its points, with the bonuses in play.
        dominoes: The number of dominoes that were laid.
        exact: Whether nothing better is possible with these dominoes.
    """

    kingdom: Kingdom
    total: int
    dominoes: int
    exact: bool


def best_end(
    kingdom: Kingdom | str,
    size: int | None = None,
    *,
    width: int = BEAM_WIDTH,
    **in_play: Unpack[InPlay],
) -> Best:
    """Find the most that a kingdom could still reach with the dominoes that it has not used.

    A kingdom does not show which dominoes it has used: every way of cutting it leaves its own rest
    in the box, and the best of all of them counts. All ways of going on are far too many, so only
    the most promising ones are followed, a domino at a time. Where none had to be dropped the
    answer is exact; otherwise it is what can be reached at least.

    Args:
        kingdom: With one castle, cut into dominoes of the deck; or its kingdom line.
        size: 5, or 7 for a Mighty Duel; None takes what fits.
        width: The number of kingdoms that are followed after each domino.
        **in_play: The bonuses in play, as in `score`.

    Raises:
        NotationError: The text is no kingdom line.
        ValueError: The kingdom is larger than the size, has not one castle, or is not made of
            dominoes of the deck.

        >>> line = "F L1 W M3 S/W L1 W1 M M2/W W C W W/W1 W L1 L G2/F S2 W - -"
        >>> best = best_end(line, harmony=True)
        >>> best.total, best.dominoes, best.exact
        (44, 1, True)
    """
    kingdom = Kingdom.of(kingdom)
    size = checked_size(kingdom, size)
    beam = dict.fromkeys((Land.of(kingdom, size), rest) for rest in _rests(kingdom))
    if not beam:
        raise ValueError("The kingdom cannot be cut into dominoes of the deck.")
    exact = listed_cuttings(square_bits(kingdom), MOST_LISTED) is not None
    ends = [land for land, _ in beam]
    all_followed = all_ended = True
    for _ in range((MOST_SQUARES[size] - len(kingdom.squares())) // 2):
        after = {grown: None for land, rest in beam for grown in _followed(land, rest)}
        exact = exact and (all_followed or not after)
        ends.extend(nlargest(width, {land for land, _ in after}, key=lambda land: land.points))
        all_followed = len(after) <= width
        all_ended = all_ended and all_followed
        beam = dict.fromkeys(nlargest(width, after, key=lambda grown: _promise(grown[0])))
    most = max(land.points for land in ends)
    # What is further behind than all bonuses together cannot win by them.
    bonuses = sum(bonus.points for bonus in score(kingdom, size).bonuses)
    near = [land for land in ends if land.points + bonuses >= most]
    totals = [(score(land.kingdom, size, **in_play).total, land) for land in near]
    total, land = max(totals, key=lambda entry: entry[0])
    without_bonuses = not any(in_play.get(code) for code in BONUS_CODES)
    laid = (land.taken.bit_count() - 1 - len(kingdom.squares())) // 2
    return Best(land.kingdom, total, laid, exact and (all_ended or without_bonuses))


def _rests(kingdom: Kingdom) -> list[_Left]:
    """Return what the ways of cutting a kingdom leave in the box, each once."""
    squares, terrain = square_bits(kingdom), kingdom.squares()
    faces = {pair: face(*(terrain[at] for at in squares.halves(pair))) for pair in squares.covers}
    used = {
        tuple(sorted(faces[pair] for pair in cutting))
        for cutting in islice(cuttings(squares), MOST_LISTED)
    }
    held = standard_deck().face_counts
    return [tuple(held[shown] - faces.count(shown) for shown in held) for faces in sorted(used)]


def _followed(land: Land, left: _Left) -> list[tuple[Land, _Left]]:
    """Return every kingdom with one domino more, and what is left."""
    grown: list[tuple[Land, _Left]] = []
    for index, shown in enumerate(standard_deck().face_counts):
        if left[index]:
            domino = Domino(0, *shown)
            fewer = (*left[:index], left[index] - 1, *left[index + 1 :])
            grown.extend((land.lay(domino, *move), fewer) for move in land.moves(domino))
    return grown


def _promise(land: Land) -> float:
    """Weigh whether to follow a kingdom: points, open crowned territories, places lost."""
    stride = land.frame.stride
    lost = odd_pieces(land.free, (1 << land.frame.side * stride) - 1, stride)
    open_crowns = 0
    for regions in land.regions.values():
        for mask, _, crowns in regions:
            if crowns:
                beside = mask << 1 | mask >> 1 | mask << stride | mask >> stride
                open_crowns += crowns * min(4, (beside & land.free).bit_count())
    return land.points + _OPEN * open_crowns - _LOST * lost
