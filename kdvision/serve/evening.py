"""An evening as it stands: whose kingdom is whose, what counts, and the ranking.

Everything is computed from the log and from what photos show, the same way for a family and a
tournament. A seat is judged as a row of a sheet.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import parse_fixes
from kdvision.reading import Alternative
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.standings import GameStanding, Result, ranking, result_of
from kdvision.sentences import Sentence
from kdvision.serve.state import Evening, Game, GamePhoto, Seat
from kdvision.tournament.columns import fold_name
from kdvision.tournament.counting import MOST_ALIKE
from kdvision.tournament.fixes import find_contradicted
from kdvision.tournament.judging import Verdict, Word, judge_claim
from kdvision.tournament.likeness import SAME_SHARE, find_common_share
from kdvision.tournament.matching import Clue, Match, match_rows
from kdvision.tournament.rows import Row

#: Squares of a domino: a kingdom with as many more is a later one.
_DOMINO = 2


class GameKingdom(Struct, frozen=True, dict=True):
    """A kingdom of a photo in a game.

    Attributes:
        photo: The photo.
        letter: The name of the kingdom in it.
        result: What was read of it, with what people corrected.
        photo_result: What was read of the whole photo, corrected as well.
        uncorrected: What was read of the kingdom; None where nobody corrected the photo.
    """

    photo: GamePhoto
    letter: str
    result: KingdomResult
    photo_result: PhotoResult
    uncorrected: KingdomResult | None = None

    @property
    def seat(self) -> str:
        """The seat that a person gave it to; empty where nobody did."""
        owner = self.photo.owners.get(self.letter)
        return owner.seat if owner else ""

    @property
    def is_again(self) -> bool:
        """Whether a person said that it is the kingdom of a seat, photographed again."""
        owner = self.photo.owners.get(self.letter)
        return owner is not None and owner.again

    @cached_property
    def squares(self) -> int:
        """How many squares it has, with the castle's."""
        return sum(cell is not None for _, cell in self.result.kingdom.cells())

    def is_same(self, rival: "GameKingdom") -> bool:
        """Whether both may show one kingdom, perhaps turned, or later with more dominoes."""
        colours = {self.result.colour, rival.result.colour} - {None}
        smaller, larger = sorted((self.squares, rival.squares))
        if len(colours) > 1 or smaller <= MOST_ALIKE:
            return False
        share = find_common_share(self.result.kingdom, rival.result.kingdom)
        return share * larger > SAME_SHARE * smaller

    @property
    def is_corrected(self) -> bool:
        """Whether a person corrected one of its squares."""
        return any(place.startswith(f"{self.letter}.") for place in self.photo.fixes)

    @property
    def contradicted(self) -> Sentence | None:
        """What to say of a square that a person corrected though the photo shows it clearly."""
        if self.uncorrected is None:
            return None
        places = parse_fixes(self.photo.fixes).items()
        own = {place.at: cell for place, cell in places if place.kingdom == self.letter}
        return find_contradicted(own, self.uncorrected)


class SeatView(Struct, frozen=True, dict=True):
    """A seat with the readings of its kingdom.

    Attributes:
        seat: What people say of it.
        kingdoms: The readings of its kingdom, oldest first.
        overruled: Its verdict where the kingdom stands in another game as well.
    """

    seat: Seat
    kingdoms: tuple[GameKingdom, ...] = ()
    overruled: Verdict | None = None

    @cached_property
    def _latest(self) -> Sequence[GameKingdom]:
        """The readings of the kingdom at its largest, without those of earlier rounds."""
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
    def rival(self) -> KingdomResult | None:
        """Another sure reading of the same squares that has another total."""
        best = self.best
        if best is None or best.is_corrected:
            return None
        sure = (kingdom.result for kingdom in self._latest if kingdom.result.status is Status.SURE)
        return next((result for result in sure if result.score != best.result.score), None)

    @property
    def verdict(self) -> Verdict:
        """How claim and photo compare, and what counts."""
        return self.overruled or self.own_verdict

    @cached_property
    def own_verdict(self) -> Verdict:
        """How claim and photo compare.

        Two sure photos that contradict each other are doubtful. Where a claim differs from what a
        person corrected against the photo, nobody can tell which is right.
        """
        seat = self.seat
        reasons: list[Sentence] = []
        result, photo = None, None
        if self.best:
            result, photo = self.best.result, self.best.photo_result
        if result and self.rival:
            totals = {"first": result.score, "second": self.rival.score}
            reasons.append(Sentence("seat.contradict", totals))
            possible = Alternative(self.rival.score, self.rival.probability, ())
            result = replace(result, status=Status.DOUBTFUL, alternatives=(possible,))
        verdict = judge_claim(make_row(seat), result, photo)
        contradicted = self.best and self.best.contradicted
        if contradicted and verdict.is_open:
            doubted = Match(Clue.COLOUR, doubt=contradicted)
            verdict = judge_claim(make_row(seat), result, photo, doubted)
        if seat.accepted is not None:
            return verdict
        if seat.has_two_claims:
            claims = {"sheet": seat.sheet_claimed, "phone": seat.claimed}
            reasons.append(Sentence("seat.two-claims", claims))
            verdict = replace(verdict, word=Word.CANNOT_TELL, is_doubted=True)
        return replace(verdict, reasons=tuple(reasons) or verdict.reasons)

    @property
    def total(self) -> int | None:
        """The total that counts, or what the photo shows while it is open."""
        if self.verdict.counts_elsewhere:
            return None
        counts = self.verdict.counts
        return self.verdict.score if counts is None else counts

    @property
    def is_open(self) -> bool:
        """Whether a person has to look at it; one that only waits for its photo is not open."""
        is_there = self.best is not None or self.seat.has_two_claims
        return is_there and self.verdict.is_open

    @property
    def is_taken(self) -> bool:
        """Whether somebody plays on it."""
        seat = self.seat
        has_total = {seat.claimed, seat.sheet_claimed, seat.accepted} != {None}
        return bool(seat.player or self.kingdoms or has_total)

    @property
    def name(self) -> str:
        """Who sits on it: where nobody said it, its colour."""
        return self.seat.player or self.seat.colour


def make_row(seat: Seat) -> Row:
    """Return what a sheet would say of a seat."""
    return Row(player=seat.player, claimed=seat.claim, accept=seat.accepted)


class GameView(Struct, frozen=True, dict=True):
    """A game with what its photos show.

    Attributes:
        game: The game by the log.
        results: What its photos show.
        uncorrected: What corrected photos show without corrections, by their ids.
        overruled: The verdicts of seats whose kingdoms stand in another game as well, by colour.
    """

    game: Game
    results: tuple[PhotoResult, ...] = ()
    uncorrected: Mapping[str, PhotoResult] = {}
    overruled: Mapping[str, Verdict] = {}

    @cached_property
    def _by_seat(self) -> Mapping[str, list[GameKingdom]]:
        """The kingdoms by seat; under the empty name those that people are asked about."""
        by_seat: defaultdict[str, list[GameKingdom]] = defaultdict(list)
        kingdoms = []
        for photo, of_photo in zip(self.game.photos, self.results, strict=True):
            plain = self.uncorrected.get(photo.id)
            for letter, result in of_photo.named.items():
                before = plain.named[letter] if plain else None
                kingdoms.append(GameKingdom(photo, letter, result, of_photo, before))
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
        """Find whose kingdom it is: by its squares, else by its castle; empty for nobody."""
        for seat in self.game.seats:
            if any(rival.is_same(kingdom) for rival in by_seat[seat.colour]):
                return seat.colour
        colour = kingdom.result.colour if self.game.has_colours else None
        if colour is None or not all(rival.is_again for rival in by_seat[colour]):
            return ""
        return colour

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
        matches = match_rows([make_row(seat) for seat in seats], [photo] * len(seats))
        for seat, match in zip(seats, matches, strict=True):
            if match.index is not None:
                by_seat[seat.colour] = [kingdoms[match.index]]
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
            seat.colour: SeatView(
                seat, tuple(self._by_seat[seat.colour]), self.overruled.get(seat.colour)
            )
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
        """Whether a player of the sheet has yet to claim a total."""
        seats = [seat for seat in self.game.seats if seat.player]
        missing = [seat for seat in seats if seat.claim is None and not seat.has_two_claims]
        return self.game.place is not None and bool(missing)

    def is_hidden(self, *, organiser: bool) -> bool:
        """Whether totals are kept back until everybody at the table has claimed theirs."""
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

    @property
    def winners(self) -> Sequence[str]:
        """Who has won; nobody before all seats are in."""
        return self.standing.winners if self.is_complete else ()


class EveningView(Struct, frozen=True, dict=True):
    """An evening with its games, in the order in which they began."""

    evening: Evening
    games: tuple[GameView, ...]

    @cached_property
    def ranking(self) -> list[dict[str, Any]]:
        """The ranking of all games, for people who may see all of them."""
        return rank_players(self.games)

    @cached_property
    def open_ranking(self) -> list[dict[str, Any]]:
        """The ranking of those games whose totals everybody may see."""
        return rank_players([view for view in self.games if not view.waits_for_claims])


def rank_players(views: Sequence[GameView]) -> list[dict[str, Any]]:
    """Rank the players of an evening by the sums of their totals.

    `open` are those of whom a total is still to be settled. Equal sums share a rank; ties of an
    only game are broken as the rules say.
    """
    lines: dict[str, dict[str, Any]] = {}
    for view in views:
        for seat in view.taken:
            if seat.total is None:
                continue
            new = {"rank": 1, "player": seat.name, "total": 0, "open": False}
            line = lines.setdefault(fold_name(seat.name), new)
            line["total"] += seat.total
            line["open"] = line["open"] or seat.is_open
    ranked = sorted(lines.values(), key=lambda line: -line["total"])
    ranks: dict[int, int] = {}
    for place, line in enumerate(ranked, 1):
        line["rank"] = ranks.setdefault(line["total"], place)
    if len(views) == 1:
        for entry in views[0].standing.ranked:
            lines[fold_name(entry.result.player)]["rank"] = entry.rank
        ranked.sort(key=lambda line: line["rank"])
    return ranked
