"""An evening as it stands: games, seats, whose kingdom is whose, what counts, and the ranking.

Everything here is computed from what the store keeps, the same way for a family and a tournament. A
seat is judged as a line of a sheet.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from kdvision.reading import Alternative
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.standings import GameStanding, Result, ranking, result_of
from kdvision.sentences import Sentence
from kdvision.serve.store import Decision, Evening, Game, GamePhoto, Seat, Store
from kdvision.tournament.columns import fold_name
from kdvision.tournament.counting import MOST_ALIKE
from kdvision.tournament.judging import Verdict, Word, judge_claim
from kdvision.tournament.likeness import SAME_SHARE, align
from kdvision.tournament.matching import match_rows
from kdvision.tournament.rows import Row

#: Squares of a domino: a kingdom with as many more is a later one.
_DOMINO = 2


class GameKingdom(Struct, frozen=True, dict=True):
    """A kingdom of a photo in a game."""

    photo: GamePhoto
    letter: str
    result: KingdomResult

    @property
    def seat(self) -> str:
        """The seat that a person gave it to; empty where nobody did."""
        return self.photo.seats.get(self.letter, "")

    @cached_property
    def squares(self) -> int:
        """How many squares it has, with the castle's."""
        return sum(cell is not None for _, cell in self.result.kingdom.cells())

    def is_same(self, rival: "GameKingdom") -> bool:
        """Whether both can be photos of one kingdom, turned or not, up to what was added."""
        colours = {self.result.colour, rival.result.colour} - {None}
        smaller, larger = sorted((self.squares, rival.squares))
        if len(colours) > 1 or smaller <= MOST_ALIKE:
            return False
        share = align(self.result.kingdom, rival.result.kingdom).share
        return share * larger > SAME_SHARE * smaller

    @property
    def is_corrected(self) -> bool:
        """Whether a person corrected one of its squares."""
        return any(place.startswith(f"{self.letter}.") for place in self.photo.fixes)


class SeatView(Struct, frozen=True, dict=True):
    """A seat with the photos of its kingdom, as they came."""

    seat: Seat
    kingdoms: tuple[GameKingdom, ...] = ()

    @cached_property
    def _latest(self) -> Sequence[GameKingdom]:
        """The readings of the kingdom when it had grown largest."""
        if len(self.kingdoms) < 2:
            return self.kingdoms
        most = max(kingdom.squares for kingdom in self.kingdoms)
        return [kingdom for kingdom in self.kingdoms if kingdom.squares > most - _DOMINO]

    @cached_property
    def best(self) -> GameKingdom | None:
        """The reading that counts: one that a person corrected, or the surest."""
        return max(
            self._latest,
            key=lambda kingdom: (kingdom.is_corrected, kingdom.result.probability),
            default=None,
        )

    @cached_property
    def contradicting(self) -> KingdomResult | None:
        """Another sure reading of the same squares that has another total."""
        best = self.best
        if best is None or best.is_corrected:
            return None
        sure = (kingdom.result for kingdom in self._latest if kingdom.result.status is Status.SURE)
        return next((result for result in sure if result.score != best.result.score), None)

    @cached_property
    def verdict(self) -> Verdict:
        """How claim and photo compare. Two sure photos that contradict each other are doubtful."""
        line = make_row(self.seat)
        if self.best is None:
            return judge_claim(line, None)
        result, photo, rival = self.best.result, self.best.photo.result, self.contradicting
        if rival is None:
            return judge_claim(line, result, photo)
        possible = Alternative(rival.score, rival.probability, ())
        doubtful = replace(result, status=Status.DOUBTFUL, alternatives=(possible,))
        verdict = judge_claim(line, doubtful, photo)
        if verdict.word is Word.SETTLED:
            return verdict
        totals = {"first": result.score, "second": rival.score}
        return replace(verdict, reasons=(Sentence("page.contradict", totals),))

    @property
    def total(self) -> int | None:
        """The total that counts, or what the photo shows while it is open."""
        counts = self.verdict.counts
        return self.verdict.score if counts is None else counts

    @property
    def settled(self) -> str | int | None:
        """What a person settled, while it stands: `photo`, `claim` or a number."""
        if self.verdict.word is not Word.SETTLED or self.seat.decision is None:
            return None
        text = self.seat.decision.text
        return int(text) if text.isdigit() else text

    @property
    def is_open(self) -> bool:
        """Whether a person has to look at its photo."""
        return self.best is not None and self.verdict.is_open

    @property
    def is_taken(self) -> bool:
        """Whether somebody plays on it."""
        return bool(self.seat.player or self.kingdoms or self.seat.claimed is not None)

    @property
    def name(self) -> str:
        """Who sits on it: where nobody said it, its colour."""
        return self.seat.player or self.seat.colour


def make_row(seat: Seat) -> Row:
    """Return what a sheet says of a seat."""
    decision = seat.decision or Decision("")
    totals = {"photo": decision.score, "claim": seat.claimed}
    accept = totals.get(decision.text)
    if decision.text.isdigit():
        accept = int(decision.text)
    return Row(player=seat.player, claimed=seat.claimed, accept=accept)


class GameView(Struct, frozen=True, dict=True):
    """A game with its photos, without deleted ones."""

    game: Game
    photos: tuple[GamePhoto, ...] = ()

    @cached_property
    def _by_seat(self) -> Mapping[str, list[GameKingdom]]:
        """The kingdoms by their seats; without a seat those of which people are asked."""
        kingdoms = [
            GameKingdom(photo, letter, result)
            for photo in self.photos
            for letter, result in photo.result.named.items()
        ]
        by_seat: defaultdict[str, list[GameKingdom]] = defaultdict(list)
        # What people said comes first.
        for kingdom in kingdoms:
            if kingdom.seat:
                by_seat[kingdom.seat].append(kingdom)
        for kingdom in kingdoms:
            if not kingdom.seat:
                by_seat[self._find_seat(kingdom, by_seat)].append(kingdom)
        if not self.game.has_colours and not self.waits_for_claims:
            self._assign_by_claims(by_seat)
        return by_seat

    def _find_seat(self, kingdom: GameKingdom, by_seat: Mapping[str, Sequence[GameKingdom]]) -> str:
        """Find whose kingdom it is: that of the same squares, else that of its castle's colour."""
        for seat in self.game.seats:
            if any(rival.is_same(kingdom) for rival in by_seat[seat.colour]):
                return seat.colour
        colour = kingdom.result.colour if self.game.has_colours else None
        return colour if colour and not by_seat[colour] else ""

    def _assign_by_claims(self, by_seat: dict[str, list[GameKingdom]]) -> None:
        """Give kingdoms to the players of a sheet without colours by what they claimed.

        Nothing before the kingdoms of all are photographed.
        """
        unassigned = by_seat[""]
        seats = [seat for seat in self.game.seats if seat.player and not by_seat[seat.colour]]
        kingdoms: list[GameKingdom] = []
        for kingdom in unassigned:
            if not any(kingdom.is_same(before) for before in kingdoms):
                kingdoms.append(kingdom)
        if not kingdoms or len(seats) != len(kingdoms):
            return
        photo = PhotoResult.of_kingdoms("", [kingdom.result for kingdom in kingdoms])
        owners = match_rows([make_row(seat) for seat in seats], [photo] * len(seats))
        for seat, owner in zip(seats, owners, strict=True):
            if owner.index is not None:
                by_seat[seat.colour] = [kingdoms[owner.index]]
        # Other photos of these kingdoms go with them.
        by_seat[""] = []
        for kingdom in unassigned:
            colour = self._find_seat(kingdom, by_seat)
            if kingdom not in by_seat[colour]:
                by_seat[colour].append(kingdom)

    @cached_property
    def seats(self) -> dict[str, SeatView]:
        """Its seats by colour."""
        return {
            seat.colour: SeatView(seat, tuple(self._by_seat[seat.colour]))
            for seat in self.game.seats
        }

    @property
    def unassigned(self) -> Sequence[GameKingdom]:
        """The kingdoms of which nobody knows yet whose they are."""
        return self._by_seat[""]

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
        if len(seats) < 2 or self.unassigned or any(seat.verdict.is_open for seat in seats):
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
        has_all = self.taken and all(seat.verdict.counts is not None for seat in self.taken)
        return "" if has_all else "photo"

    @cached_property
    def standing(self) -> GameStanding:
        """Its players by rank. Claims without a photo are not in it."""
        results = []
        for seat in self.taken:
            kingdom, total = seat.verdict.kingdom, seat.total
            others: tuple[int, ...] | None = ()
            if kingdom and seat.verdict.counts is None:
                # Where no other total is named it may be any.
                others = tuple(entry.score for entry in kingdom.alternatives) or None
            if kingdom and total == kingdom.score:
                results.append(result_of(seat.name, kingdom.sheet, others))
            elif total is not None:
                results.append(Result(seat.name, total, others=others))
        return GameStanding(self.game.id, ranking(results))


def read_games(store: Store, evening: str) -> list[GameView]:
    """Read the games of an evening as they stand."""
    return [_make_view(store, game) for game in store.games(evening)]


def read_game(store: Store, id_: str) -> GameView:
    """Read one game as it stands.

    Raises:
        MissingError: There is none.
    """
    return _make_view(store, store.find(Game, id_))


def _make_view(store: Store, game: Game) -> GameView:
    photos = (photo for photo in store.photos(game.id) if not photo.is_deleted)
    return GameView(game, tuple(photos))


# ---------------------------------------------------------------- new evenings and games


def latest_evening(store: Store) -> Evening:
    """Return the latest evening, or begin one."""
    evenings = store.evenings()
    return evenings[0] if evenings else begin_evening(store)


def begin_evening(store: Store) -> Evening:
    """Begin an evening of today with its first game."""
    with store.transaction():
        evening = Evening(date=date.today().isoformat())
        store.write(evening)
        store.write(Game(parent=evening.id, name="1"))
    return evening


def next_game(store: Store) -> Game:
    """Return the game that the next photo begins, not written yet: after the last, by its rules.

    A last game without photos is the one.
    """
    evening = latest_evening(store)
    games = read_games(store, evening.id)
    game = Game(parent=evening.id, name=str(len(games) + 1))
    if not games:
        return game
    last, photos = games[-1].game, games[-1].photos
    seats = tuple(Seat(seat.colour, seat.player) for seat in last.seats)
    return replace(game, rules=last.rules, seats=seats) if photos else last


# ---------------------------------------------------------------- what is shown


def show_game(view: GameView, language: str, *, organiser: bool) -> dict[str, Any]:
    """Show a game, as `GET /api/games` says it."""
    # Who has won, and whether totals are kept back.
    game, hidden = view.game, view.is_hidden(organiser=organiser)
    winners = view.standing.winners if view.is_complete else ()
    ranks = {entry.result.player: entry.rank for entry in view.standing.ranked}
    # A seat has what people wrote, and what was read unless that is hidden.
    seats = []
    for seat in view.seats.values():
        people = {
            "colour": seat.seat.colour,
            "player": seat.seat.player,
            "claimed": seat.seat.claimed,
            "photo": seat.best and seat.best.photo.id,
        }
        read = _show_reading(seat, language)
        read |= {"rank": ranks.get(seat.name), "wins": seat.name in winners}
        seats.append({**(dict.fromkeys(read) if hidden else read), **people})
    return {
        "id": game.id,
        "name": game.name,
        "code": game.id,
        "rules": to_builtins(game.rules),
        "sheet": bool(game.place),
        "colours": game.has_colours,
        "hidden": hidden,
        "waits": view.waits_for,
        "photos": len(view.photos),
        "seats": seats,
        "unassigned": [_show_unassigned(view, kingdom, hidden) for kingdom in view.unassigned],
    }


def _show_reading(seat: SeatView, language: str) -> dict[str, Any]:
    """Show what the photos of a seat say, and what counts."""
    best, verdict = seat.best, seat.verdict
    # What breaks the rules explains no difference; the page of the kingdom says it.
    reasons = [reason for reason in verdict.reasons if not reason.key.startswith("problem.")]
    return {
        "letter": best and best.letter,
        "kingdom": best and best.result.line,
        "score": verdict.score,
        "status": verdict.status,
        "counts": verdict.counts,
        "verdict": verdict.word,
        "explanation": replace(verdict, reasons=tuple(reasons)).text(language) if best else "",
        "open": seat.is_open,
        "settled": seat.settled,
        "contradicts": seat.contradicting and seat.contradicting.score,
        "corrected": best is not None and best.is_corrected,
        "photos": [(kingdom.photo.id, kingdom.letter) for kingdom in seat.kingdoms],
    }


def _show_unassigned(view: GameView, kingdom: GameKingdom, hidden: bool) -> dict[str, Any]:
    colour = kingdom.result.colour if view.game.has_colours else None
    return {
        "photo": kingdom.photo.id,
        "letter": kingdom.letter,
        "score": None if hidden else kingdom.result.score,
        "status": kingdom.result.status,
        "kingdom": None if hidden else kingdom.result.line,
        "again": colour if colour and view.seats[colour].best else None,
    }


def show_ranking(views: Sequence[GameView], *, organiser: bool = True) -> list[dict[str, Any]]:
    """Rank the players of an evening by the sums of their totals.

    `open` are those of whom a total is still to be settled. Equal sums share a rank; ties of an
    only game are broken as the rules say.
    """
    lines: dict[str, dict[str, Any]] = {}
    views = [view for view in views if not view.is_hidden(organiser=organiser)]
    for seat in (seat for view in views for seat in view.taken):
        total = seat.total
        if total is None:
            continue
        new = {"rank": 1, "player": seat.name, "total": 0, "open": False}
        line = lines.setdefault(fold_name(seat.name), new)
        line["total"] += total
        line["open"] |= seat.is_open
    ranked = sorted(lines.values(), key=lambda line: -line["total"])
    ranks: dict[int, int] = {}
    for place, line in enumerate(ranked, 1):
        line["rank"] = ranks.setdefault(line["total"], place)
    if len(views) == 1:
        for entry in views[0].standing.ranked:
            lines[fold_name(entry.result.player)]["rank"] = entry.rank
        ranked.sort(key=lambda line: line["rank"])
    return ranked
