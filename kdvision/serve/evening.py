"""The games of an evening over HTTP: who plays, whose kingdom is whose, ranks, exports.

A game is a set of fields that all phones share. Each field is written alone, and who writes it last
has written it; a change answers with what was there before, so that it can be taken back.

- `name.1` is the player of the first seat.
- `kingdom.ID.A` is whose kingdom A of a photo is: the number of a seat, 0 for nobody's, empty where
  that is still to be said. Of two kingdoms on one seat the one that came last counts.
- `size`, the bonuses and other options are the rules of the game.
- `dropped` takes the game out of the evening.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.corrections import kingdom_name
from kdvision.errors import UsageError
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.report.standings import Standings
from kdvision.result import KingdomResult
from kdvision.rules.standings import Ranked
from kdvision.serve.answers import Refusal, as_file, unless_known
from kdvision.serve.limits import (
    FORMULA,
    MOST_SEATS,
    ServeSettings,
    read_json,
    seat_of,
    until_kept,
    written_name,
)
from kdvision.serve.store import Fields, Store, StoredPhoto
from kdvision.tournament.columns import RULES, Line, name_key
from kdvision.tournament.judging import judge_claim
from kdvision.tournament.sheet import Sheet, Style
from kdvision.tournament.standings import rank_lines

#: The colours of kings by their seats: those of the box, of the Age of Giants, a few to spare.
COLOURS = ("blue", "green", "pink", "yellow", "brown", "white", "orange", "black")
#: Seats that the box has kings for.
SEATS = 4
#: Names that are offered again.
MOST_NAMES = 12
#: The columns of an export, as `kdscore standings` reads them.
COLUMNS = ("game", "player", "score", "status", "counts", "reading", *RULES)
_NOBODY = "0"
_RULES = tuple(asdict(DEFAULT_OPTIONS))
#: A photo as it was, and as it is by other rules.
_Rescored = tuple[StoredPhoto, StoredPhoto]


class Placed(Struct, frozen=True):
    """A kingdom of a photo in a game.

    Attributes:
        photo: The id of the photo.
        letter: The letter of the kingdom in it.
        kingdom: What was read of it.
        row: The same by columns.
        total: Its points, None where there are none; what people corrected keeps some total,
            however unlikely it is.
    """

    photo: str
    letter: str
    kingdom: KingdomResult
    row: dict[str, str]
    total: int | None


class EveningGame(Struct, frozen=True):
    """One game, made of its fields.

    Attributes:
        name: What it is called: a number, or what a person wrote.
        fields: What is written of it.
        kingdoms: The kingdoms of its players, by their seats.
        unplaced: Kingdoms of which is still to be said whose they are.
    """

    name: str
    fields: Fields
    kingdoms: Mapping[int, Placed]
    unplaced: tuple[Placed, ...]

    @property
    def names(self) -> dict[int, str]:
        """The players by their seats."""
        pairs = ((name.partition("."), value) for name, value in self.fields.items())
        return {int(seat): value for (kind, _, seat), value in pairs if kind == "name"}

    @property
    def seats(self) -> list[int]:
        """The seats that have a player or a kingdom, in their order."""
        return sorted({*self.names, *self.kingdoms})

    @property
    def is_complete(self) -> bool:
        """Whether everybody has a kingdom with a total, and there is somebody to beat."""
        placed = [self.kingdoms.get(seat) for seat in self.seats]
        return len(placed) > 1 and all(one and one.total is not None for one in placed)

    def player(self, seat: int) -> str:
        """Return who sits on a seat: where nobody said it, the colour of its king."""
        return self.names.get(seat) or COLOURS[seat - 1].capitalize()

    def rows(self) -> list[dict[str, str]]:
        """Return what its players had by columns, as far as there is a total."""
        return [
            {
                **{name: placed.row.get(name, "") for name in COLUMNS},
                "game": self.name,
                "player": self.player(seat),
                "score": str(placed.total),
            }
            for seat, placed in sorted(self.kingdoms.items())
            if placed.total is not None
        ]


def rules_of(fields: Fields) -> GameOptions:
    """Read the rules of a game from its fields."""
    return GameOptions.from_words(
        {name: json.loads(fields[name]) for name in _RULES if name in fields}
    )


def games_of(store: Store) -> list[EveningGame]:
    """Return the games of the evening, in the order in which they began."""
    return [
        _game(name, fields, store)
        for name, fields in store.games().items()
        if "dropped" not in fields
    ]


def rows_of(store: Store) -> list[dict[str, str]]:
    """Return what all players of all games had, by columns."""
    return [row for game in games_of(store) for row in game.rows()]


class Evening:
    """The handlers of games, standings and exports.

    Args:
        store: Keeps the fields of the games, and the results of photos.
        settings: The limits of the server.
        by_rules: Scores a photo by other options, which are given by their names, and keeps
            nothing: what the photo was before and what it is after, None where there is none.
    """

    def __init__(
        self,
        store: Store,
        settings: ServeSettings,
        by_rules: Callable[[str, Mapping[str, Any]], Awaitable[_Rescored | None]],
    ) -> None:
        self._store, self._settings, self._by_rules = store, settings, by_rules

    # ------------------------------------------------------------ what is there

    def games(self, request: Request) -> Response:
        """`GET /api/games`: every game, its players by rank, and the ranking of the evening.

        304 where nothing has changed since the ETag.
        """
        return unless_known(
            request,
            self._store,
            lambda: JSONResponse(_shown_evening(games_of(self._store), self._store.next_game())),
        )

    def standings(self, request: Request) -> Response:
        """`GET /api/standings`: ranks of every game, and of the evening."""
        return unless_known(
            request,
            self._store,
            lambda: Response(standings_of(rows_of(self._store)), media_type="application/json"),
        )

    def export(self, request: Request) -> Response:
        """`GET /api/export.csv`, `.xlsx`: what `kdscore standings` reads."""
        rows = rows_of(self._store)
        return as_file(request, "evening", lambda workbook: export(rows, workbook=workbook))

    # ------------------------------------------------------------ changes

    async def change(self, request: Request) -> Response:
        """`PATCH /api/games/{game}`: write fields of a game, which begins by its first one.

        `{"name.1": "Ada", "kingdom.ID.A": 2, "harmony": true}`; null takes a field away. Answers
        with what was there `before`: sent again, it takes the change back.
        """
        data = await read_json(request, self._settings)
        game = written_name(request.path_params["game"])
        values = {name: _field(name, value) for name, value in data.items()}

        async def attempt() -> dict[str, Any] | None:
            rescored = None
            if any(name in _RULES for name in values):
                rescored = await self._rescored(game, values)
            return await asyncio.to_thread(self._written, game, values, rescored)

        return JSONResponse({"game": game, "before": await until_kept(attempt)})

    async def _rescored(self, game: str, values: Mapping[str, str | None]) -> list[_Rescored]:
        """Score the photos of a game by its new rules; nothing is kept yet."""
        known = (await asyncio.to_thread(self._store.games)).get(game, {})
        changed = {**known, **values}
        options = rules_of({name: value for name, value in changed.items() if value is not None})
        photos = [await self._by_rules(id_, asdict(options)) for id_ in _photos_of(known)]
        return [photo for photo in photos if photo]

    def _written(
        self, game: str, values: Mapping[str, str | None], rescored: Sequence[_Rescored] | None
    ) -> dict[str, Any] | None:
        """Write fields; two kingdoms may change places, and the last one finds its seat.

        Args:
            game: The name of the game.
            values: By the names of fields; None takes a field away.
            rescored: Its photos by new rules; None where the rules stay.

        Returns:
            What was there before; None where others have changed its photos meanwhile, and nothing
            is written.
        """
        with self._store.transaction():
            if rescored is not None:
                photos = map(self._store.photo, _photos_of(self._store.games().get(game, {})))
                if [one for one in photos if one] != [photo for photo, _ in rescored]:
                    return None
                for photo in rescored:
                    self._store.change_photo(*photo)
            exchanged = _exchanged(self._game(game), values)
            before = self._store.set_fields(game, {**exchanged, **values})
            now = self._game(game)
            _check_names(now)
            if any(name.startswith("kingdom.") for name in values):
                before = {**self._place_last(now), **before}
        return {
            name: json.loads(value) if value is not None and name in _RULES else value
            for name, value in before.items()
        }

    def _place_last(self, game: EveningGame) -> dict[str, str | None]:
        free = [seat for seat in game.names if seat not in game.kingdoms]
        if len(free) != 1 or len(game.unplaced) != 1:
            return {}
        (last,) = game.unplaced
        return self._store.set_fields(game.name, {_kingdom_field(last): str(free[0])})

    def _game(self, name: str) -> EveningGame:
        return _game(name, self._store.games().get(name, {}), self._store)

    def take_in(self, name: str, photo: str, count: int, seat: int | None) -> None:
        """Put the kingdoms of a new photo into a game.

        Where nobody wrote a name, they take the free seats in their order. With names a single
        kingdom goes to the seat that is said, or to the only one that is free; else people are
        asked.

        Args:
            name: The game.
            photo: The id of the photo.
            count: How many kingdoms it shows.
            seat: The seat of its one kingdom, where that was said.

        Raises:
            Refusal: The seat has no name, and another player that of the colour of its king.
        """
        with self._store.transaction():
            game = self._game(name)
            seats = [str(seat)] if seat and count == 1 else []
            named = sorted(game.names)
            everybody = named or range(1, MOST_SEATS + 1)
            free = [str(one) for one in everybody if one not in game.kingdoms]
            if not seats and (not named or (count == 1 and len(free) == 1)):
                seats = free
            kingdoms = {
                f"kingdom.{photo}.{kingdom_name(index)}": seats[index] if index < len(seats) else ""
                for index in range(count)
            }
            # A game that was dropped while the photo was on its way comes back with it.
            self._store.set_fields(name, {**kingdoms, "dropped": None})
            _check_names(self._game(name))

    def add(self, request: Request, data: dict[str, Any]) -> Response:
        """`POST /api/games`: say whose the kingdoms of a photo are, for programs.

        `{"photo": ID, "players": {"A": "Ada", "B": "Ben"}, "game": "1"}`; without `game` it is
        the next number. What else the game has stays; a new one has the rules of the photo.
        """
        photo = self._store.photo(str(data.get("photo", "")), with_picture=False)
        if photo is None:
            raise Refusal(404, "no-photo")
        players = data.get("players")
        if not isinstance(players, dict) or not players:
            raise UsageError("The game has no players.", 'Write {"players": {"A": "Ada"}}.')
        name = written_name(data["game"]) if data.get("game") else ""
        if unknown := [letter for letter in players if letter not in photo.read.named]:
            raise UsageError(f"There is no kingdom {unknown[0][:20]!r}.", "Write its letter.")
        named = {letter: written_name(name) for letter, name in players.items()}
        if len({*map(name_key, named.values())}) < len(named):
            raise UsageError("Two kingdoms have one player.", "Give each player one kingdom.")
        return JSONResponse({"game": self._kept(name, photo, named)}, 201)

    def _kept(self, name: str, photo: StoredPhoto, players: Mapping[str, str]) -> str:
        """Seat players with their kingdoms; the name of the game."""
        with self._store.transaction():
            name = name or self._store.next_game()
            if name not in self._store.games():
                rules = asdict(photo.rules).items() - asdict(DEFAULT_OPTIONS).items()
                self._store.set_fields(name, {rule: json.dumps(value) for rule, value in rules})
            for letter, player in players.items():
                game = self._game(name)
                key = name_key(player)
                own = [seat for seat, known in game.names.items() if name_key(known) == key]
                own += [
                    seat
                    for seat, placed in game.kingdoms.items()
                    if (placed.photo, placed.letter) == (photo.id, letter)
                ]
                own += [seat for seat in range(1, MOST_SEATS + 1) if seat not in game.seats]
                if not own:
                    raise UsageError(
                        f"A game has at most {MOST_SEATS} players.", "Begin another game."
                    )
                fields = {f"name.{own[0]}": player, f"kingdom.{photo.id}.{letter}": str(own[0])}
                self._store.set_fields(name, {**fields, "dropped": None})
            _check_names(self._game(name))
        return name

    def drop(self, request: Request) -> Response:
        """`DELETE /api/games/{game}`: take a game out of the evening; it can be put back."""
        name = request.path_params["game"]
        with self._store.transaction():
            if "dropped" in self._store.games().get(name, {"dropped": ""}):
                raise Refusal(404, "no-game")
            self._store.set_fields(name, {"dropped": "yes"})
        return Response(status_code=204)


# ---------------------------------------------------------------- games of fields


def _game(name: str, fields: Fields, store: Store) -> EveningGame:
    """Make a game of its fields and of the results that a store has."""
    photos: dict[str, dict[str, Placed]] = {}
    kingdoms: dict[int, Placed] = {}
    unplaced = []
    # The fields stand as they were written: of two kingdoms on one seat the last one counts.
    for key, seat in fields.items():
        if not key.startswith("kingdom."):
            continue
        _, photo, letter = key.split(".")
        if photo not in photos:
            photos[photo] = _placed(photo, store)
        placed = photos[photo].get(letter)
        if placed is None or seat == _NOBODY:
            continue
        if seat:
            kingdoms[int(seat)] = placed
        else:
            unplaced.append(placed)
    return EveningGame(name, fields, kingdoms, tuple(unplaced))


def _photos_of(fields: Fields) -> list[str]:
    """Return the ids of the photos of a game, each once, in order."""
    return sorted({name.split(".")[1] for name in fields if name.startswith("kingdom.")})


def _placed(photo: str, store: Store) -> dict[str, Placed]:
    """Return the kingdoms of a photo by their letters; none where it was forgotten."""
    kept = store.photo(photo, with_picture=False)
    if kept is None:
        return {}
    placed = {}
    for letter, kingdom in kept.read.named.items():
        row = judge_claim(Line(), kingdom, kept.read).cells()
        total = kingdom.score if kingdom.scored or kept.corrections else None
        placed[letter] = Placed(photo, letter, kingdom, row, total)
    return placed


def _check_names(game: EveningGame) -> None:
    """See that no two players of a game have one name, in whatever spelling."""
    names = [name_key(game.player(seat)) for seat in game.seats]
    if len(set(names)) < len(names):
        raise Refusal(409, "one-name")


def _exchanged(game: EveningGame, values: Mapping[str, str | None]) -> dict[str, str]:
    """Return the seats of kingdoms whose own one is taken by a kingdom that leaves another."""
    seats = {_kingdom_field(placed): str(seat) for seat, placed in game.kingdoms.items()}
    left = {values[name]: seat for name, seat in seats.items() if values.get(name)}
    return {name: left[seat] for name, seat in seats.items() if seat in left and name not in values}


def _kingdom_field(placed: Placed) -> str:
    return f"kingdom.{placed.photo}.{placed.letter}"


def _field(name: str, value: object) -> str | None:
    """Check a field of a game; as it is kept.

    Raises:
        UsageError: There is no such field, or it takes no such value.
    """
    kind, _, rest = name.partition(".")
    if value is None and (kind in ("name", "kingdom", "dropped") or name in _RULES):
        return None
    if name in _RULES:
        GameOptions.from_words({name: value})
        return json.dumps(value)
    if kind == "name" and seat_of(rest):
        return written_name(value)
    if kind == "kingdom" and rest.count(".") == 1:
        if value == "" or str(value) == _NOBODY or seat_of(str(value)):
            return str(value)
        raise UsageError(
            f"{name[:40]} is {str(value)[:20]!r}.", f"Write a seat from 1 to {MOST_SEATS}."
        )
    if name == "dropped" and value is True:
        return "yes"
    raise UsageError(f"A game has no field {name[:40]!r}.", "Write name.1, kingdom.ID.A or a rule.")


def _shown_evening(games: Sequence[EveningGame], following: str) -> dict[str, Any]:
    """Show games to the page; `following` is what the next one is called."""
    standings = _standings([row for game in games for row in game.rows()])
    ranks = {game.game: game.ranked for game in standings.games}
    names = [name for game in reversed(games) for name in game.names.values()]
    lines = [(one.rank, one.player, one.total, one.open) for one in standings.sums]
    if not lines and len(standings.games) == 1:
        lines = [
            (one.rank, one.result.player, one.result.total, one.is_open)
            for one in standings.games[0].ranked
        ]
    # Who has no name is called by the colour of a king, in the language of the page.
    colours = {
        game.player(seat): COLOURS[seat - 1]
        for game in games
        for seat in game.kingdoms
        if seat not in game.names
    }
    return {
        "games": [_shown_game(game, ranks.get(game.name, ())) for game in games],
        "next": following,
        "colours": COLOURS[:SEATS],
        "names": list(dict.fromkeys(names))[:MOST_NAMES],
        "ranking": [
            {
                "rank": rank,
                "player": player,
                "colour": colours.get(player),
                "total": total,
                "open": open_,
            }
            for rank, player, total, open_ in lines
        ],
    }


def _shown_game(game: EveningGame, ranked: Sequence[Ranked]) -> dict[str, Any]:
    places = {name_key(one.result.player): (number, one) for number, one in enumerate(ranked)}
    players = []
    for seat in game.seats:
        number, rank = places.get(name_key(game.player(seat)), (len(places), None))
        best = rank is not None and rank.rank == 1 and (rank.shared or not rank.is_open)
        shown = {
            "seat": seat,
            "colour": COLOURS[seat - 1],
            "player": game.names.get(seat, ""),
            "rank": rank.rank if rank else None,
            "wins": best and game.is_complete,
            **_shown_kingdom(game.kingdoms.get(seat)),
        }
        players.append((number, seat, shown))
    return {
        "game": game.name,
        "rules": asdict(rules_of(game.fields)),
        "complete": game.is_complete,
        "players": [shown for _, _, shown in sorted(players, key=lambda one: one[:2])],
        "unplaced": [_shown_kingdom(placed) for placed in game.unplaced],
    }


def _shown_kingdom(placed: Placed | None) -> dict[str, Any]:
    if placed is None:
        return {"photo": None, "letter": None, "score": None}
    return {
        "photo": placed.photo,
        "letter": placed.letter,
        "score": placed.total,
        "status": placed.kingdom.status,
        "kingdom_line": str(placed.kingdom.kingdom),
        "size": placed.kingdom.size,
    }


# ---------------------------------------------------------------- standings and exports


def standings_of(rows: Sequence[dict[str, str]]) -> str:
    """Rank games, as `kdscore standings --json` prints them."""
    return _standings(rows).report("json")


def _standings(rows: Sequence[dict[str, str]]) -> Standings:
    return rank_lines(Line.of(row) for row in rows)


def export(rows: Sequence[dict[str, str]], *, workbook: bool) -> bytes:
    """Write rows as a table that `kdscore standings` reads; no name is a formula."""
    sheet = Sheet(Path(), COLUMNS, [list(COLUMNS)], [], Style())
    for row in rows:
        sheet.add({**row, "game": text_cell(row["game"]), "player": text_cell(row["player"])})
    return sheet.to_bytes(".xlsx" if workbook else ".csv")


def text_cell(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula: with an apostrophe before it."""
    return f"'{text}" if text.startswith(FORMULA) else text
