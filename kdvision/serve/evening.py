"""An evening as it stands: games, seats, whose kingdom is whose, what counts, and the ranking.

Everything here is computed from what the store keeps, the same way for a family and a tournament.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from kdvision.result import KingdomResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.standings import GameStanding, Result, ranking, result_of
from kdvision.serve.store import GameRow, PhotoRow, SeatRow, Store
from kdvision.tournament.columns import Line, name_key
from kdvision.tournament.judging import MOST_ALIKE, Verdict, Word, judge_claim
from kdvision.tournament.owners import SAME_SHARE, align

#: Seats of a game whose photos may be single ones: the box has so many castles.
SEATS = 4
#: Names that are offered again.
MOST_NAMES = 12
#: Squares of a domino: a kingdom with as many more is a later one.
_DOMINO = 2


class Placed(Struct, frozen=True):
    """A kingdom of a photo in a game."""

    photo: PhotoRow
    letter: str
    result: KingdomResult

    @property
    def is_corrected(self) -> bool:
        """Whether a person corrected one of its squares."""
        return any(place.startswith(f"{self.letter}.") for place in self.photo.corrections)

    @property
    def is_sure(self) -> bool:
        """Whether its reading is beyond doubt."""
        return self.result.status is Status.SURE

    @property
    def total(self) -> int:
        """Its points."""
        return self.result.score


class Decision(Struct, frozen=True):
    """What a person settled for a seat, and what for.

    `accept` is `photo`, `claim` or a number, `total` what counts by it, and `kingdom` the line of
    the kingdom that the seat had then.
    """

    accept: str | int
    total: int
    kingdom: str


class Seat(Struct, frozen=True, dict=True):
    """A seat with the photos of its kingdom, as they came."""

    row: SeatRow
    kingdoms: tuple[Placed, ...] = ()

    @cached_property
    def best(self) -> Placed | None:
        """The reading that counts: the surer one, or the later one of a kingdom that has grown."""
        best: Placed | None = None
        for placed in self.kingdoms:
            if best is None or _is_better(placed, best):
                best = placed
        return best

    @property
    def is_taken(self) -> bool:
        """Whether somebody plays on it."""
        return bool(self.row.player or self.kingdoms or self.row.claimed is not None)

    @cached_property
    def contradicting(self) -> Placed | None:
        """Another sure reading of the same squares that has another total."""
        if self.best is None or self.best.is_corrected:
            return None
        size = len(self.best.result.kingdom.squares())
        for placed in self.kingdoms:
            is_as_large = abs(len(placed.result.kingdom.squares()) - size) < _DOMINO
            if is_as_large and placed.is_sure and placed.total != self.best.total:
                return placed
        return None

    @property
    def is_sure(self) -> bool:
        """Whether its score is beyond doubt."""
        return bool(self.best and self.best.is_sure and not self.contradicting)

    @cached_property
    def decision(self) -> Decision | None:
        """What a person settled, while it stands: for this kingdom, score and claim."""
        if not self.row.accept:
            return None
        decision = msgspec.json.decode(self.row.accept, type=Decision)
        line = self.best.result.line if self.best else ""
        is_same = decision.kingdom == line
        if decision.kingdom and self.best and not is_same:
            is_same = are_same(Kingdom.parse(decision.kingdom), self.best.result.kingdom)
        now = {"photo": self.best and self.best.total, "claim": self.row.claimed}
        stands = now.get(str(decision.accept), decision.total) == decision.total
        return decision if is_same and stands else None

    @cached_property
    def verdict(self) -> Verdict:
        """How claim and photo compare, and the total that counts."""
        row, best = self.row, self.best
        claimed = {} if row.claimed is None else {"claimed": str(row.claimed)}
        line = Line.of({"player": row.player, **claimed})
        if best is None:
            verdict = Verdict(line=line)
        else:
            verdict = judge_claim(line, best.result, best.photo.read)
        if self.decision:
            return replace(verdict, word=Word.SETTLED, settled=self.decision.total)
        return verdict

    @property
    def counts(self) -> int | None:
        """The total that counts: what a person settled, or a sure score; None while it is open."""
        return None if self.contradicting and not self.decision else self.verdict.counts

    @property
    def is_open(self) -> bool:
        """Whether a person has to look at it."""
        if self.best is None or self.decision:
            return False
        return self.counts is None or self.verdict.word in (Word.DIFFERS, Word.CANNOT_TELL)

    @property
    def shown_name(self) -> str:
        """Who sits on it: where nobody said it, its colour."""
        return self.row.player or self.row.colour


def _is_better(placed: Placed, best: Placed) -> bool:
    """Return whether a later reading of a kingdom counts before the one that counted."""
    more = len(placed.result.kingdom.squares()) - len(best.result.kingdom.squares())
    if more >= _DOMINO:
        return True
    if more <= -_DOMINO or best.is_corrected != placed.is_corrected:
        return placed.is_corrected and more > -_DOMINO
    return placed.is_corrected or placed.result.probability > best.result.probability


def are_same(first: Kingdom, second: Kingdom) -> bool:
    """Return whether two photos show one kingdom, turned or not, up to what was added."""
    smaller, larger = sorted(
        sum(cell is not None for _, cell in kingdom.cells()) for kingdom in (first, second)
    )
    alignment = align(first, second) if smaller > MOST_ALIKE else None
    return alignment is not None and alignment.share * larger > SAME_SHARE * smaller


class Game(Struct, frozen=True, dict=True):
    """A game with its seats, and the kingdoms of which nobody knows yet whose they are."""

    row: GameRow
    seats: tuple[Seat, ...]
    unassigned: tuple[Placed, ...]
    photos: int = 0

    @property
    def taken(self) -> list[Seat]:
        """The seats on which somebody plays."""
        return [seat for seat in self.seats if seat.is_taken]

    def seat(self, colour: str) -> Seat | None:
        """Return the seat of a colour."""
        return next((seat for seat in self.seats if seat.row.colour == colour), None)

    @property
    def is_complete(self) -> bool:
        """Whether all seats are in: each has a total that counts, and nobody else is to come.

        Who plays is known where all have names, where all kingdoms lie in one photo, or where all
        castles of the box are there.
        """
        seats = self.taken
        is_open = any(seat.is_open or seat.counts is None for seat in seats)
        if len(seats) < 2 or self.unassigned or is_open:
            return False
        is_in_one_photo = len({seat.best and seat.best.photo.id for seat in seats}) == 1
        return len(seats) == SEATS or is_in_one_photo or all(seat.row.player for seat in seats)

    def is_hidden(self, *, organiser: bool) -> bool:
        """Whether totals are kept back from a table whose players have not all claimed theirs."""
        waits = any(seat.row.player and seat.row.claimed is None for seat in self.seats)
        return bool(self.row.place) and waits and not organiser

    @property
    def waits_for(self) -> str:
        """What it waits for: `look` for a person, `claim`, `photo`, or nothing."""
        if self.unassigned:
            return "look"
        seats = self.taken
        if any(seat.is_open for seat in seats):
            return "look"
        if self.row.place and any(seat.row.claimed is None for seat in seats):
            return "claim"
        return "" if seats and all(seat.counts is not None for seat in seats) else "photo"

    @cached_property
    def standing(self) -> GameStanding:
        """Its players by rank. Claims without a photo are not in it."""
        results, doubtful = [], {}
        for seat in self.seats:
            player, total = seat.shown_name, seat.counts
            if total is None and seat.best:
                total = seat.best.total
                doubtful[player] = [entry.score for entry in seat.best.result.alternatives]
            if total is None:
                continue
            if seat.best and seat.best.total == total:
                results.append(result_of(player, seat.best.result.sheet))
            else:
                results.append(Result(player, total))
        return GameStanding(self.row.id, ranking(results, doubtful=doubtful))


def read_games(store: Store, evening: int) -> list[Game]:
    """Read the games of an evening as they stand."""
    seats, photos = store.seats(evening), store.photos(evening)
    kingdoms = store.kingdoms(evening)
    return [
        _game(row, seats[row.id], photos.get(row.id, []), kingdoms) for row in store.games(evening)
    ]


def read_game(store: Store, id_: str) -> Game | None:
    """Read one game as it stands."""
    row = store.game(id_)
    if row is None:
        return None
    seats, photos = store.seats(row.evening, id_), store.photos(row.evening, id_)
    return _game(row, seats[id_], photos.get(id_, []), store.kingdoms(row.evening, id_))


def _game(
    row: GameRow,
    seats: Iterable[SeatRow],
    photos: Sequence[PhotoRow],
    owners: Mapping[tuple[str, str], str],
) -> Game:
    by_seat: dict[str, list[Placed]] = {}
    for photo in photos:
        for letter, result in photo.read.named.items():
            seat = owners.get((photo.id, letter), "")
            by_seat.setdefault(seat, []).append(Placed(photo, letter, result))
    return Game(
        row,
        tuple(Seat(seat, tuple(by_seat.get(seat.colour, ()))) for seat in seats),
        tuple(by_seat.get("", ())),
        len(photos),
    )


# ---------------------------------------------------------------- whose kingdom is whose


def seats_for(game: Game, kingdoms: Mapping[str, KingdomResult]) -> dict[str, str]:
    """Find the seats of the kingdoms of a new photo by their letters; empty where people are asked.

    The same squares as those of a seat are its kingdom again; else the colour of the castle
    decides. A second kingdom of that colour which lies differently is asked about.
    """
    seats: dict[str, str] = {}
    for letter, result in kingdoms.items():
        seat = _seat_by_squares(game, result) or _seat_by_colour(game, result)
        # Two kingdoms of one photo are two players.
        seats[letter] = "" if seat in seats.values() else seat
    return seats


def _seat_by_squares(game: Game, result: KingdomResult) -> str:
    for seat in game.seats:
        if seat.best is None:
            continue
        colours = {seat.best.result.colour, result.colour} - {None}
        if len(colours) < 2 and are_same(seat.best.result.kingdom, result.kingdom):
            return seat.row.colour
    return ""


def _seat_by_colour(game: Game, result: KingdomResult) -> str:
    seat = game.seat(result.colour or "") if game.row.has_colours else None
    return seat.row.colour if seat and seat.best is None else ""


def move_kingdom(
    game: Game, kingdom: Placed, colour: str, *, again: bool = False
) -> dict[tuple[str, str], str]:
    """Find what changes where a kingdom goes to a seat: both kingdoms change places.

    Args:
        game: The game.
        kingdom: What goes there; other photos of it that lie on its seat go with it.
        colour: The seat; empty to have it asked again, `nobody` to take it out of the game.
        again: Whether it is the kingdom that the seat has, however it looks.

    Returns:
        New seats by photo and letter.
    """
    key = kingdom.photo.id, kingdom.letter
    owners = {
        (placed.photo.id, placed.letter): (seat.row.colour, placed.result.kingdom)
        for seat in game.seats
        for placed in seat.kingdoms
    }
    before = owners[key][0] if key in owners else ""
    changes = {key: colour}
    for owned, (seat, squares) in owners.items():
        is_same = are_same(kingdom.result.kingdom, squares)
        if seat == before and is_same:
            changes[owned] = colour
        elif seat == colour and not is_same and not again:
            changes[owned] = before
    return changes


# ---------------------------------------------------------------- what is shown


def shown_game(game: Game, language: str, *, organiser: bool) -> dict[str, Any]:
    """Show a game, as `GET /api/games` says it."""
    hidden = game.is_hidden(organiser=organiser)
    winners = game.standing.winners if game.is_complete and not hidden else ()
    ranks = {entry.result.player: entry.rank for entry in game.standing.ranked}
    return {
        "id": game.row.id,
        "name": game.row.name,
        "code": game.row.code,
        "rules": asdict(game.row.options),
        "sheet": bool(game.row.place),
        "colours": game.row.has_colours,
        "hidden": hidden,
        "waits": game.waits_for,
        "photos": game.photos,
        "seats": [
            {
                **_shown_seat(seat, language, hidden=hidden),
                "rank": None if hidden else ranks.get(seat.shown_name),
                "wins": seat.shown_name in winners,
            }
            for seat in game.seats
        ],
        "unassigned": [_shown_unassigned(game, placed, hidden) for placed in game.unassigned],
    }


#: What is shown of a seat that has no kingdom, or must not show it yet.
_EMPTY_SEAT: Mapping[str, Any] = {
    **dict.fromkeys(("score", "status", "counts", "settled", "letter", "kingdom", "contradicts")),
    **dict.fromkeys(("verdict", "explanation"), ""),
    **dict.fromkeys(("open", "corrected"), False),
    "photos": [],
}


def _shown_seat(seat: Seat, language: str, *, hidden: bool) -> dict[str, Any]:
    row, best, decision = seat.row, seat.best, seat.decision
    shown = {"colour": row.colour, "player": row.player, "claimed": row.claimed, **_EMPTY_SEAT}
    shown["photo"] = best.photo.id if best else None
    if hidden:
        return shown
    shown["counts"], shown["verdict"] = seat.counts, seat.verdict.word
    shown["settled"] = decision.accept if decision else None
    if best is None:
        return shown
    return shown | {
        "score": best.total,
        "status": "sure" if seat.is_sure else "doubtful",
        "explanation": seat.verdict.text(language) if seat.is_open else "",
        "open": seat.is_open,
        "letter": best.letter,
        "kingdom": best.result.line,
        "photos": [[placed.photo.id, placed.letter] for placed in seat.kingdoms],
        "contradicts": seat.contradicting.total if seat.contradicting else None,
        "corrected": best.is_corrected,
    }


def _shown_unassigned(game: Game, placed: Placed, hidden: bool) -> dict[str, Any]:
    again = game.seat(placed.result.colour or "") if game.row.has_colours else None
    return {
        "photo": placed.photo.id,
        "letter": placed.letter,
        "score": None if hidden else placed.total,
        "status": placed.result.status,
        "kingdom": None if hidden else placed.result.line,
        "again": again.row.colour if again and again.best else None,
    }


def shown_ranking(games: Iterable[Game]) -> list[dict[str, Any]]:
    """Rank the players of an evening by the sums of their totals.

    `open` are those of whom a total is still to be settled. Equal sums share a rank; ties of an
    only game are broken as the rules say.
    """
    lines: dict[str, dict[str, Any]] = {}
    games = list(games)
    for game in games:
        for seat in game.taken:
            total = seat.best.total if seat.counts is None and seat.best else seat.counts
            if total is None:
                continue
            name = seat.shown_name
            line = lines.setdefault(
                name_key(name), {"rank": 1, "player": name, "total": 0, "open": False}
            )
            line["total"] += total
            line["open"] |= seat.is_open
    ranked = sorted(lines.values(), key=lambda line: -line["total"])
    for place, (line, before) in enumerate(zip(ranked[1:], ranked, strict=False), 2):
        line["rank"] = before["rank"] if line["total"] == before["total"] else place
    if len(games) == 1:
        ranks = {name_key(entry.result.player): entry.rank for entry in games[0].standing.ranked}
        for line in ranked:
            line["rank"] = ranks[name_key(line["player"])]
        ranked.sort(key=lambda line: line["rank"])
    return ranked
