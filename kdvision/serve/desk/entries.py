"""What is written into the log of a tournament: by players at their tables, and by the desk.

A phone acts for the table whose code it opened: every request brings the token of that table in
that round, in the header `X-Kdscore-Table`. The desk acts for all tables.
"""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from kdvision.columns import MAX_NUMBER, Accepted
from kdvision.corrections import fixes_of
from kdvision.result import PhotoResult
from kdvision.serve.answers import Refusal, language_of
from kdvision.serve.desk.board import (
    BoardLine,
    DeskBoard,
    Keeper,
    State,
    kingdom_of,
    shown_board,
    shown_rules,
    shown_table,
)
from kdvision.serve.desk.seats import Handed, Kind, RoundTable, Sent, new_event
from kdvision.serve.guard import is_desk
from kdvision.serve.limits import ServeSettings, read_json, until_kept, written_name
from kdvision.serve.photos import Photos, holder_of
from kdvision.serve.store import Event, Store, StoredPhoto
from kdvision.slips.event import SlipEvent
from kdvision.tournament.batch.identity import fingerprint_of
from kdvision.tournament.lines import SheetLine
from kdvision.tournament.slip_lines import SlipsOfRun
from kdvision.tournament.verify.verdicts import Verdict

_Json = dict[str, Any]


class Entries:
    """The handlers that write into the log, and what a table reads of it.

    Args:
        store: Holds photos and tokens.
        photos: Scores photos again.
        settings: The limits of the server.
        keeper: Writes the log.
    """

    def __init__(
        self, store: Store, photos: Photos, settings: ServeSettings, keeper: Keeper
    ) -> None:
        self._store, self._photos, self._settings = store, photos, settings
        self._keeper = keeper

    # ------------------------------------------------------------ by players

    def table(self, request: Request) -> Response:
        """`GET /api/table?round=1&table=3`: who sits there, and what they handed in."""
        place = self._own_place(request, request.query_params)
        return self._table(request, place, self._keeper.board())

    def claim(self, request: Request, data: _Json) -> Response:
        """`POST /api/table/claims`: `{"round", "table", "claims": {"Ada": 75}}`.

        A claim holds once the photo of its player is there.
        """
        place = self._own_place(request, data)
        claims = _object_in(data, "claims", '{"Ada": 75}')
        totals = {
            player: _claimed_total(total) for player, total in self._by_player(claims).items()
        }

        def events(board: DeskBoard) -> list[Event]:
            new = []
            for player, total in totals.items():
                handed = board.record[place, player]
                if handed.claimed == total:
                    continue
                if handed.sent or handed.accepted:
                    raise Refusal(409, "claim-stands", player=player)
                before = handed.claimed
                new.append(new_event(Kind.CLAIM, place, player, player, before, total))
            return new

        return self._table(request, place, self._keeper.add(events))

    async def photo(self, request: Request) -> Response:
        """`POST /api/table/photos`: `{"round", "table", "photo": ID, "players": {"Ada": "A"}}`.

        The photo was scored by the rules of the table before; a letter may be left empty, and the
        players where slips in the photo name them. It counts as it was read: squares that the phone
        corrected are proposals to the desk.
        """
        data = await read_json(request, self._settings)
        place = await asyncio.to_thread(self._own_place, request, data)
        event = (await asyncio.to_thread(self._keeper.board)).event
        players = data.get("players") or {}
        if (not players and event is None) or not isinstance(players, dict):
            _object_in(data, "players", '{"Ada": ""} or {"Ada": "A", "Ben": "B"}')
        named = self._by_player(players)

        async def hand_in() -> DeskBoard | None:
            photo = await asyncio.to_thread(self._store.photo, str(data.get("photo", "")))
            if photo is None or not (is_desk(request) or photo.holder == place.holder):
                raise Refusal(404, "no-photo")
            slips = _lines_of_slips(photo, event)
            claims = {
                self._keeper.seating.spelled("player", line.player): line.claimed
                for line in slips
                if self._keeper.seating.named(line.round, line.game) == place
            }
            letters = named or dict.fromkeys(claims, "")
            if not letters:
                raise _no_slips(photo.read, slips)
            if photo.rules != self._keeper.seating.options[place]:
                raise Refusal(422, "other-rules")
            _check_letters(letters, photo.read)
            marks = await asyncio.to_thread(_marks, photo)
            proposed = {} if photo.handed else photo.corrections

            def events(board: DeskBoard) -> list[Event]:
                new = []
                for player, letter in letters.items():
                    sent = Sent(photo.id, letter, *marks)
                    new += _handed_in(board, place, player, sent, proposed, claims)
                return new

            after = await self._as_read(photo)
            return await asyncio.to_thread(self._keeper.add_with_photo, events, photo, after)

        return self._table(request, place, await until_kept(hand_in))

    async def _as_read(self, photo: StoredPhoto) -> StoredPhoto:
        """Return a photo without what its phone corrected."""
        if photo.handed or not photo.corrections:
            return photo
        return await self._photos.corrected(photo, dict.fromkeys(photo.corrections))

    def propose(self, request: Request, data: _Json) -> Response:
        """`POST /api/table/proposals`: `{"round", "table", "player", "fixes", "by"}`.

        Squares of the player's photo that were misread, for the desk to look at.
        """
        place, player, by = self._asked(data, self._own_place(request, data))
        fixes = _object_in(data, "fixes", '{"b3": "W1"}')
        fixes_of(fixes)

        def events(board: DeskBoard) -> list[Event]:
            if board.record[place, player].sent is None:
                raise Refusal(409, "no-photo-of", player=player)
            return [new_event(Kind.PROPOSE, place, player, by, fixes=fixes)]

        return self._table(request, place, self._keeper.add(events))

    def concede(self, request: Request, data: _Json) -> Response:
        """`POST /api/table/accept`: `{"round", "table", "player", "by", "total"}`.

        Players may accept a sure reading that differs from a claim; all else is for the desk.
        `total` is as in a decision of the desk.
        """
        place, player, by = self._asked(data, self._own_place(request, data))

        def events(board: DeskBoard) -> list[Event]:
            line = board.line(place, player)
            verdict = line.verdict if line else None
            if not line or not verdict or verdict.verdict is not Verdict.DIFFERS:
                raise Refusal(409, "nothing-to-accept", player=player)
            if not verdict.is_sure:
                raise Refusal(409, "not-sure")
            return [_decision(data, line, by, Accepted.PHOTO, None)]

        return self._table(request, place, self._keeper.add(events))

    # ------------------------------------------------------------ by the desk

    def decide(self, request: Request, data: _Json) -> Response:
        """`POST /api/board/decisions`: `{"round", "table", "player", "accept", "by"}`.

        `accept` is `photo`, `claim`, or the total that counts; null takes it back. `total` may name
        the total that this is about, and `photo` the photo, as in all that the desk writes: it is
        refused where another one is there by now.
        """
        place, player, by = self._asked(data)

        def events(board: DeskBoard) -> list[Event]:
            line = _line_at(board, place, player)
            if data.get("accept") is not None:
                return [_decision(data, line, by, *_accepted(data["accept"]))]
            before = line.verdict.settled if line.verdict else None
            _check_seen(data, line.handed, player, before)
            return [new_event(Kind.WITHDRAW, place, player, by, before)]

        return self._board(request, self._keeper.add(events))

    def reopen(self, request: Request, data: _Json) -> Response:
        """`POST /api/board/reopen`: `{"round", "table", "player", "by"}`; begin again."""
        place, player, by = self._asked(data)

        def events(board: DeskBoard) -> list[Event]:
            handed = _line_at(board, place, player).handed
            _check_seen(data, handed, player)
            return [new_event(Kind.REOPEN, place, player, by, handed.claimed)]

        return self._board(request, self._keeper.add(events))

    def letters(self, request: Request, data: _Json) -> Response:
        """`POST /api/board/letters`: `{"round", "table", "letters": {"Ada": "B"}, "by"}`.

        Which kingdom of the photo is whose.
        """
        place, by = self._keeper.seating.place(data), written_name(data.get("by"))
        given = _object_in(data, "letters", '{"Ada": "A", "Ben": "B"}')
        letters = self._by_player(given)

        def events(board: DeskBoard) -> list[Event]:
            new = []
            for player, letter in letters.items():
                _check_letters(letters, self._photo_of(board, place, player, data).read)
                sent = board.record[place, player].sent
                if sent and sent.letter != letter:
                    new.append(new_event(Kind.LETTER, place, player, by, sent.letter, letter))
            return new

        return self._board(request, self._keeper.add(events))

    async def correct(self, request: Request) -> Response:
        """`POST /api/board/corrections`: `{"round", "table", "player", "fixes", "by"}`.

        Squares of the player's photo, such as `{"b3": "W1"}`; null takes one back. No fixes turn
        down what the table proposed.
        """
        data = await read_json(request, self._settings)
        place, player, by = self._asked(data)
        changes = data.get("fixes")
        if not isinstance(changes, dict):
            raise Refusal(422, "missing", name="fixes", example='{"b3": "W1"}')

        async def correct() -> DeskBoard | None:
            board = await asyncio.to_thread(self._keeper.board)
            photo = await asyncio.to_thread(self._photo_of, board, place, player, data)
            after = await self._photos.corrected(photo, changes) if changes else photo

            def events(board: DeskBoard) -> list[Event]:
                _check_seen({"photo": photo.id}, board.record[place, player], player)
                # Of a refusal for the one alone; of corrections for all whose photo it is.
                holders = board.holders(photo.id) if changes else [(place, player)]
                return [_correction(board, *holder, by, changes, after.read) for holder in holders]

            return await asyncio.to_thread(self._keeper.add_with_photo, events, photo, after)

        return self._board(request, await until_kept(correct))

    # ------------------------------------------------------------ requests and answers

    def _own_place(self, request: Request, data: Mapping[str, Any]) -> RoundTable:
        """Return the table that a request is about, whose code its phone has opened.

        Raises:
            Refusal: There is no such table, or it has opened another code.
        """
        place = self._keeper.seating.place(data)
        if not is_desk(request) and holder_of(request, self._store) != place.holder:
            raise Refusal(403, "other-table")
        return place

    def _asked(self, data: _Json, own: RoundTable | None = None) -> tuple[RoundTable, str, str]:
        """Return the table, a phone's own or any for the desk, the player, and who decides."""
        place = own or self._keeper.seating.place(data)
        return place, self._player(data.get("player")), written_name(data.get("by"))

    def _player(self, name: object) -> str:
        """Return a player's name as the sheet writes it."""
        return self._keeper.seating.spelled("player", written_name(name))

    def _by_player(self, given: _Json) -> _Json:
        """Return what is given by names, by the players as the sheet writes them.

        Raises:
            Refusal: Two of the names are one player.
        """
        by_player = {self._player(name): value for name, value in given.items()}
        if len(by_player) < len(given):
            raise Refusal(409, "one-name")
        return by_player

    def _photo_of(
        self, board: DeskBoard, place: RoundTable, player: str, data: _Json
    ) -> StoredPhoto:
        """Return the photo that was handed in for a player.

        Raises:
            Refusal: There is none, or another one than `data` is about.
        """
        sent = board.record[place, player].sent
        _check_seen(data, board.record[place, player], player)
        photo = self._store.photo(sent.id) if sent else None
        if photo is None:
            raise Refusal(409, "no-photo-of", player=player)
        return photo

    def _table(self, request: Request, place: RoundTable, board: DeskBoard) -> Response:
        table = shown_table(board, place, language_of(request), to_players=True)
        rules = shown_rules(self._keeper.seating, place)
        return JSONResponse({**table, "rules": rules, "slips": board.event is not None})

    def _board(self, request: Request, board: DeskBoard) -> Response:
        return JSONResponse(shown_board(board, language_of(request)))


# ---------------------------------------------------------------- what may be written


def _object_in(data: _Json, name: str, example: str) -> _Json:
    """Return an object with at least one field.

    Raises:
        Refusal: It is none.
    """
    value = data.get(name)
    if not isinstance(value, dict) or not value:
        raise Refusal(422, "missing", name=name, example=example)
    return value


def _is_total(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER


def _claimed_total(value: Any) -> int:
    if not _is_total(value):
        raise Refusal(422, "claim-is-none", most=MAX_NUMBER)
    return int(value)


def _accepted(value: Any) -> tuple[Accepted, int | None]:
    if value in (Accepted.PHOTO.value, Accepted.CLAIM.value):
        return Accepted(value), None
    if not _is_total(value):
        raise Refusal(422, "no-decision", most=MAX_NUMBER)
    return Accepted.NUMBER, int(value)


def _check_seen(data: _Json, handed: Handed, player: str, total: int | None = None) -> None:
    """See that a photo and a total are those that a person saw, where `data` names them.

    Raises:
        Refusal: There is another photo or total by now.
    """
    photo = handed.sent.id if handed.sent else None
    if data.get("photo", photo) != photo or data.get("total") not in (None, total):
        raise Refusal(409, "changed", player=player)


def _check_letters(letters: Mapping[str, Any], photo: PhotoResult) -> None:
    """See that each letter names another kingdom of a photo; some may be empty.

    Raises:
        Refusal: They do not.
    """
    known = list(photo.named)
    named = [letter for letter in letters.values() if letter != ""]
    if not all(letter in known for letter in named):
        raise Refusal(422, "kingdom-unknown", letters=", ".join(known))
    if len(named) > len(set(named)):
        raise Refusal(422, "kingdom-twice")


def _line_at(board: DeskBoard, place: RoundTable, player: str) -> BoardLine:
    """Return the line of a player.

    Raises:
        Refusal: Nobody of this name sits there, or has handed in there.
    """
    line = board.line(place, player)
    if line is None:
        raise Refusal(404, "not-at-table", player=player)
    return line


# ---------------------------------------------------------------- events


def _lines_of_slips(photo: StoredPhoto, event: SlipEvent | None) -> list[SheetLine]:
    """Return the lines that the slips beside kingdoms of a photo give."""
    if event is None:
        return []
    return SlipsOfRun({photo.id: photo.read}, event).lines(photo.id, [])


def _no_slips(photo: PhotoResult, slips: Sequence[SheetLine]) -> Refusal:
    """Say why the slips of a photo name no player of its table."""
    if slips:
        first = RoundTable(slips[0].round, slips[0].game)
        return Refusal(409, "slips-elsewhere", place=first.key, **asdict(first))
    return Refusal(409, "slips-of-others" if photo.slips else "no-slips")


def _marks(photo: StoredPhoto) -> tuple[str, str]:
    """Return what tells a photo from others: the SHA-256 of its bytes, and what it shows."""
    if photo.picture is None:
        return "", ""
    return hashlib.sha256(photo.picture).hexdigest(), fingerprint_of(photo.picture)


def _handed_in(
    board: DeskBoard,
    place: RoundTable,
    player: str,
    sent: Sent,
    proposed: Mapping[str, str],
    claims: Mapping[str, int | None],
) -> list[Event]:
    """Return the events of a photo for a player; none where it is handed in already.

    Sent again without letters, after an answer that was lost, it takes no letter of the desk away.
    `claims` are those of slips: without one, a claim must be there.
    """
    handed, line = board.record[place, player], board.line(place, player)
    if handed.sent and handed.sent.id == sent.id and sent.letter in ("", handed.sent.letter):
        return []
    events = []
    if handed.claimed is None:
        if player not in claims:
            raise Refusal(409, "claim-first", player=player)
        if (total := claims[player]) is not None:
            events.append(new_event(Kind.CLAIM, place, player, player, after=total, slip=True))
    if line and line.state is State.AGREES:
        raise Refusal(409, "settled", player=player)
    before = handed.sent.letter if handed.sent else None
    about = asdict(sent)
    events.append(new_event(Kind.PHOTO, place, player, player, before, sent.letter, **about))
    if proposed:
        events.append(new_event(Kind.PROPOSE, place, player, player, fixes=proposed))
    return events


def _correction(
    board: DeskBoard,
    place: RoundTable,
    player: str,
    by: str,
    changes: Mapping[str, str | None],
    read: PhotoResult,
) -> Event:
    """Return the event of a correction for one player; no changes are a refusal."""
    line = board.line(place, player)
    before = line.read if line else None
    after = before
    if changes:
        kingdom = kingdom_of(read, line.letter if line else "")
        after = kingdom.score if kingdom else None
    return new_event(Kind.CORRECT, place, player, by, before, after, fixes=changes)


def _decision(data: _Json, line: BoardLine, by: str, what: Accepted, total: int | None) -> Event:
    """Return the event of a side that is accepted, with the total that counts then.

    Raises:
        Refusal: That side is not there, or `data` is about another total.
    """
    player = line.seat.player
    if line.verdict is None:
        raise Refusal(409, "no-claim", player=player)
    after = {Accepted.PHOTO: line.read, Accepted.CLAIM: line.handed.claimed}.get(what, total)
    if after is None:
        raise Refusal(409, "no-total" if what is Accepted.PHOTO else "no-claim", player=player)
    _check_seen(data, line.handed, player, after)
    about = {"what": what.value, "total": total}
    return new_event(Kind.ACCEPT, line.seat.place, player, by, line.verdict.settled, after, **about)
