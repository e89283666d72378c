"""An evening as it stands: games, seats, whose kingdom is whose, what counts, and the ranking.

Everything here is computed from what the store keeps, the same way for a family and a tournament.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.standings import GameStanding, Result, ranking, result_of
from kdvision.serve.store import Decision, Evening, Game, GamePhoto, Seat, Store
from kdvision.tournament.columns import Line, name_key
from kdvision.tournament.judging import MOST_ALIKE, Verdict, Word, judge_claim
from kdvision.tournament.owners import SAME_SHARE, align, assign

#: Squares of a domino: a kingdom with as many more is a later one.
_DOMINO = 2
#: Whose kingdoms are, by photo and letter.
Owners = dict[tuple[str, str], str]


class PlacedKingdom(Struct, frozen=True):
    """A kingdom of a photo in a game."""

    photo: GamePhoto
    letter: str
    result: KingdomResult

    @property
    def key(self) -> tuple[str, str]:
        """The id of its photo, and its letter."""
        return self.photo.id, self.letter

    @property
    def is_corrected(self) -> bool:
        """Whether a person corrected one of its squares."""
        return any(place.startswith(f"{self.letter}.") for place in self.photo.fixes)


class SeatView(Struct, frozen=True, dict=True):
    """A seat with the photos of its kingdom, as they came."""

    seat: Seat
    kingdoms: tuple[PlacedKingdom, ...] = ()

    @cached_property
    def best(self) -> PlacedKingdom | None:
        """The reading that counts: the surer one, or the later one of a kingdom that has grown."""
        best: PlacedKingdom | None = None
        for placed in self.kingdoms:
            if best is None or _is_better(placed, best):
                best = placed
        return best

    @property
    def is_taken(self) -> bool:
        """Whether somebody plays on it."""
        return bool(self.seat.player or self.kingdoms or self.seat.claimed is not None)

    @cached_property
    def contradicting(self) -> KingdomResult | None:
        """Another sure reading of the same squares that has another total."""
        if self.best is None or self.best.is_corrected or len(self.kingdoms) < 2:
            return None
        best = self.best.result
        for placed in self.kingdoms:
            more = len(placed.result.kingdom.squares()) - len(best.kingdom.squares())
            is_sure = placed.result.status is Status.SURE
            if abs(more) < _DOMINO and is_sure and placed.result.score != best.score:
                return placed.result
        return None

    @cached_property
    def decision(self) -> Decision | None:
        """What a person settled, while it stands: for this kingdom, score and claim."""
        decision, best = self.seat.decision, self.best and self.best.result
        if decision is None:
            return None
        is_same = decision.kingdom == (best.line if best else "")
        if decision.kingdom and best and not is_same:
            is_same = are_same(Kingdom.parse(decision.kingdom), best.kingdom)
        totals = {"photo": best and best.score, "claim": self.seat.claimed}
        stands = totals.get(str(decision.accept), decision.total) == decision.total
        return decision if is_same and stands else None

    @property
    def line(self) -> Line:
        """What a sheet says of the seat."""
        return Line(player=self.seat.player, claimed=self.seat.claimed)

    @cached_property
    def verdict(self) -> Verdict:
        """How claim and photo compare."""
        verdict = Verdict(line=self.line)
        if self.best:
            verdict = judge_claim(self.line, self.best.result, self.best.photo.result)
        if self.decision:
            return replace(verdict, word=Word.SETTLED, settled=self.decision.total)
        return verdict

    @property
    def is_sure(self) -> bool:
        """Whether its score is beyond doubt."""
        is_sure = self.best is not None and self.best.result.status is Status.SURE
        return is_sure and not self.contradicting

    @property
    def counts(self) -> int | None:
        """The total that counts: what a person settled, or a sure score; None while it is open."""
        if self.decision:
            return self.decision.total
        return self.best.result.score if self.best and self.is_sure else None

    @property
    def is_open(self) -> bool:
        """Whether a person has to look at it."""
        if self.best is None or self.decision:
            return False
        return self.counts is None or self.seat.claimed not in (None, self.counts)

    @property
    def shown_name(self) -> str:
        """Who sits on it: where nobody said it, its colour."""
        return self.seat.player or self.seat.colour


def _is_better(placed: PlacedKingdom, best: PlacedKingdom) -> bool:
    """Return whether a later reading of a kingdom counts before the one that counted."""
    more = len(placed.result.kingdom.squares()) - len(best.result.kingdom.squares())
    if abs(more) >= _DOMINO:
        return more > 0
    if placed.is_corrected or best.is_corrected:
        return placed.is_corrected
    return placed.result.probability > best.result.probability


def are_same(first: Kingdom, second: Kingdom) -> bool:
    """Return whether two photos show one kingdom, turned or not, up to what was added."""
    smaller, larger = sorted(
        sum(cell is not None for _, cell in kingdom.cells()) for kingdom in (first, second)
    )
    alignment = align(first, second) if smaller > MOST_ALIKE else None
    return alignment is not None and alignment.share * larger > SAME_SHARE * smaller


class GameView(Struct, frozen=True, dict=True):
    """A game with its photos, without deleted ones."""

    game: Game
    photos: tuple[GamePhoto, ...] = ()

    @cached_property
    def _by_owner(self) -> dict[str, list[PlacedKingdom]]:
        kingdoms: dict[str, list[PlacedKingdom]] = {}
        for photo in self.photos:
            for letter, result in photo.result.named.items():
                placed = PlacedKingdom(photo, letter, result)
                kingdoms.setdefault(photo.seats.get(letter, ""), []).append(placed)
        return kingdoms

    @cached_property
    def seats(self) -> dict[str, SeatView]:
        """Its seats by colour."""
        return {
            seat.colour: SeatView(seat, tuple(self._by_owner.get(seat.colour, ())))
            for seat in self.game.seats
        }

    @property
    def unassigned(self) -> Sequence[PlacedKingdom]:
        """The kingdoms of which nobody knows yet whose they are."""
        return self._by_owner.get("", ())

    @property
    def taken(self) -> list[SeatView]:
        """The seats on which somebody plays."""
        return [seat for seat in self.seats.values() if seat.is_taken]

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
        is_full = len(seats) == len(self.seats)
        return is_full or is_in_one_photo or all(seat.seat.player for seat in seats)

    @property
    def waits_for_claims(self) -> bool:
        """Whether players of a sheet have not all claimed their totals."""
        seats = [seat for seat in self.game.seats if seat.player]
        return bool(self.game.place) and any(seat.claimed is None for seat in seats)

    def is_hidden(self, *, organiser: bool) -> bool:
        """Whether totals are kept back from a table until all of it have claimed theirs."""
        return self.waits_for_claims and not organiser

    @property
    def waits_for(self) -> str:
        """What it waits for: `look` for a person, `claim`, `photo`, or nothing."""
        is_asked = self.unassigned and (self.game.has_colours or not self.waits_for_claims)
        if is_asked or any(seat.is_open for seat in self.taken):
            return "look"
        if self.waits_for_claims:
            return "claim"
        has_all = self.taken and all(seat.counts is not None for seat in self.taken)
        return "" if has_all else "photo"

    @cached_property
    def standing(self) -> GameStanding:
        """Its players by rank. Claims without a photo are not in it."""
        results, doubtful = [], {}
        for seat in self.taken:
            player, total = seat.shown_name, seat.counts
            best = seat.best.result if seat.best else None
            if total is None and best:
                total = best.score
                doubtful[player] = [entry.score for entry in best.alternatives]
            if best and total == best.score:
                results.append(result_of(player, best.sheet))
            elif total is not None:
                results.append(Result(player, total))
        return GameStanding(self.game.id, ranking(results, doubtful=doubtful))


def read_games(store: Store, evening: str) -> list[GameView]:
    """Read the games of an evening as they stand."""
    return [_view(store, game) for game in store.games(evening)]


def read_game(store: Store, id_: str) -> GameView:
    """Read one game as it stands.

    Raises:
        MissingError: There is none.
    """
    return _view(store, store.find(Game, id_))


def _view(store: Store, game: Game) -> GameView:
    photos = (photo for photo in store.photos(game.id) if not photo.is_deleted)
    return GameView(game, tuple(photos))


# ---------------------------------------------------------------- new evenings and games


def latest_evening(store: Store) -> Evening:
    """Return the latest evening, or begin one."""
    evenings = store.evenings()
    return evenings[0] if evenings else new_evening(store)


def new_evening(store: Store, name: str = "") -> Evening:
    """Begin an evening of today with its first game."""
    with store.transaction():
        evening = Evening(name=name, date=date.today().isoformat())
        store.write(evening)
        store.write(Game(parent=evening.id, name="1"))
    return evening


def next_game(store: Store) -> Game:
    """Return the game that the next photo begins, not written yet: after the last, by its rules.

    A last game without photos is the one.
    """
    evening = latest_evening(store)
    games = store.games(evening.id)
    game = Game(parent=evening.id, name=str(len(games) + 1))
    if not games:
        return game
    if not _view(store, games[-1]).photos:
        return games[-1]
    seats = tuple(Seat(seat.colour, seat.player) for seat in games[-1].seats)
    return replace(game, rules=games[-1].rules, seats=seats)


# ---------------------------------------------------------------- whose kingdom is whose


def write_owners(store: Store, owners: Owners) -> None:
    """Write whose kingdoms are. To be called in a transaction."""
    for (id_, letter), seat in owners.items():
        photo = store.find(GamePhoto, id_)
        store.write(replace(photo, seats={**photo.seats, letter: seat}))


def seats_for(view: GameView, kingdoms: Mapping[str, KingdomResult]) -> dict[str, str]:
    """Find the seats of the kingdoms of a new photo by their letters; empty where people are asked.

    The same squares as those of a seat are its kingdom again; else the colour of the castle
    decides. A second kingdom of that colour which lies differently is asked about.
    """
    seats: dict[str, str] = {}
    for letter, result in kingdoms.items():
        seat = _seat_by_squares(view, result) or _seat_by_colour(view, result)
        # Two kingdoms of one photo are two players.
        seats[letter] = "" if seat in seats.values() else seat
    return seats


def _seat_by_squares(view: GameView, result: KingdomResult) -> str:
    for colour, seat in view.seats.items():
        best = seat.best and seat.best.result
        is_other_castle = best and len({best.colour, result.colour} - {None}) > 1
        if best and not is_other_castle and are_same(best.kingdom, result.kingdom):
            return colour
    return ""


def _seat_by_colour(view: GameView, result: KingdomResult) -> str:
    seat = view.seats[result.colour] if result.colour and view.game.has_colours else None
    return seat.seat.colour if seat and seat.best is None else ""


def owners_by_claims(view: GameView) -> Owners:
    """Find whose kingdoms are whose by what the players of a sheet without colours claimed.

    Nothing before all have claimed, and all of their kingdoms are photographed.
    """
    if view.game.has_colours or not view.unassigned or view.waits_for_claims:
        return {}
    # Each kingdom once: other photos of it go with it.
    copies: list[list[PlacedKingdom]] = []
    for placed in view.unassigned:
        for same in copies:
            if are_same(same[0].result.kingdom, placed.result.kingdom):
                same.append(placed)
                break
        else:
            copies.append([placed])
    seats = [seat for seat in view.taken if seat.best is None]
    if len(seats) != len(copies):
        return {}
    photo = PhotoResult.of_kingdoms("", [same[0].result for same in copies])
    owned = assign([seat.line for seat in seats], [photo] * len(seats))
    return {
        placed.key: seat.seat.colour
        for seat, owner in zip(seats, owned, strict=True)
        if owner.index is not None
        for placed in copies[owner.index]
    }


def move_kingdom(
    view: GameView, kingdom: PlacedKingdom, colour: str, *, again: bool = False
) -> Owners:
    """Find what changes where a kingdom goes to a seat: both kingdoms change places.

    Args:
        view: The game.
        kingdom: What goes there; other photos of it that lie on its seat go with it.
        colour: The seat; empty to have it asked again, `nobody` to take it out of the game.
        again: Whether it is the kingdom that the seat has, however it looks.

    Returns:
        New seats by photo and letter.
    """
    before = kingdom.photo.seats.get(kingdom.letter, "")
    changes = {kingdom.key: colour}
    for seat, owned in view.seats.items():
        for placed in owned.kingdoms:
            is_same = are_same(kingdom.result.kingdom, placed.result.kingdom)
            if seat == before and is_same:
                changes[placed.key] = colour
            elif seat == colour and not is_same and not again:
                changes[placed.key] = before
    return changes


# ---------------------------------------------------------------- what is shown


def shown_game(view: GameView, language: str, *, organiser: bool) -> dict[str, Any]:
    """Show a game, as `GET /api/games` says it."""
    game, hidden = view.game, view.is_hidden(organiser=organiser)
    winners = view.standing.winners if view.is_complete and not hidden else ()
    ranks = {entry.result.player: entry.rank for entry in view.standing.ranked}
    return {
        "id": game.id,
        "name": game.name,
        "code": game.alias,
        "rules": asdict(game.rules),
        "sheet": bool(game.place),
        "colours": game.has_colours,
        "hidden": hidden,
        "waits": view.waits_for,
        "photos": len(view.photos),
        "seats": [
            {
                **_shown_seat(seat, language, hidden=hidden),
                "rank": None if hidden else ranks.get(seat.shown_name),
                "wins": seat.shown_name in winners,
            }
            for seat in view.seats.values()
        ],
        "unassigned": [_shown_unassigned(view, placed, hidden) for placed in view.unassigned],
    }


def _shown_seat(view: SeatView, language: str, *, hidden: bool) -> dict[str, Any]:
    """Show a seat; of what its photo shows nothing where that is hidden."""
    seat, best = view.seat, None if hidden else view.best
    result = best and best.result
    return {
        "colour": seat.colour,
        "player": seat.player,
        "claimed": seat.claimed,
        "photo": view.best and view.best.photo.id,
        "letter": best and best.letter,
        "kingdom": result and result.line,
        "score": result and result.score,
        "status": best and ("sure" if view.is_sure else "doubtful"),
        "counts": None if hidden else view.counts,
        "verdict": "" if hidden else view.verdict.word,
        "explanation": view.verdict.text(language) if best and view.is_open else "",
        "open": bool(best and view.is_open),
        "settled": view.decision.accept if view.decision and not hidden else None,
        "contradicts": view.contradicting.score if best and view.contradicting else None,
        "corrected": bool(best and best.is_corrected),
        "photos": [placed.key for placed in view.kingdoms if best],
    }


def _shown_unassigned(view: GameView, placed: PlacedKingdom, hidden: bool) -> dict[str, Any]:
    colour = placed.result.colour if view.game.has_colours else None
    return {
        "photo": placed.photo.id,
        "letter": placed.letter,
        "score": None if hidden else placed.result.score,
        "status": placed.result.status,
        "kingdom": None if hidden else placed.result.line,
        "again": colour if colour and view.seats[colour].best else None,
    }


def shown_ranking(views: Sequence[GameView]) -> list[dict[str, Any]]:
    """Rank the players of an evening by the sums of their totals.

    `open` are those of whom a total is still to be settled. Equal sums share a rank; ties of an
    only game are broken as the rules say.
    """
    lines: dict[str, dict[str, Any]] = {}
    for view in views:
        for seat in view.taken:
            best, total = seat.best, seat.counts
            if total is None and best:
                total = best.result.score
            if total is None:
                continue
            name = seat.shown_name
            new = {"rank": 1, "player": name, "total": 0, "open": False}
            line = lines.setdefault(name_key(name), new)
            line["total"] += total
            line["open"] |= seat.is_open
    ranked = sorted(lines.values(), key=lambda line: -line["total"])
    for place, (line, before) in enumerate(zip(ranked[1:], ranked, strict=False), 2):
        line["rank"] = before["rank"] if line["total"] == before["total"] else place
    if len(views) == 1:
        ranks = {name_key(entry.result.player): entry.rank for entry in views[0].standing.ranked}
        for line in ranked:
            line["rank"] = ranks[name_key(line["player"])]
        ranked.sort(key=lambda line: line["rank"])
    return ranked
