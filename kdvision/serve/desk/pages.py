"""What a tournament shows over HTTP: its pages, the board, the beamer, codes, slips, exports."""

import base64
import hashlib
import io
from urllib.parse import urlencode

import segno
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from kdvision.sentences import languages, sentence
from kdvision.serve.answers import Refusal, as_file, language_of, page, unless_known
from kdvision.serve.desk.board import Keeper, shown_board, shown_event
from kdvision.serve.desk.seats import RoundTable
from kdvision.serve.evening import text_cell
from kdvision.serve.guard import POLICY
from kdvision.serve.store import Store
from kdvision.slips.page import Paper, slips_page
from kdvision.tournament.sheets import Style
from kdvision.tournament.standings import claim_standings
from kdvision.tournament.verify.run import annotated_table

#: Modules of a QR code around it that stay empty; the standard asks for four.
_QUIET = 4
_CODE_SCALE = 4


class DeskPages:
    """The handlers that write nothing.

    Args:
        store: Holds the log, and the tokens of tables.
        keeper: Keeps the board.
        address: What phones open, see `create_app`.
    """

    def __init__(self, store: Store, keeper: Keeper, address: str) -> None:
        self._store, self._keeper, self._address = store, keeper, address

    # ------------------------------------------------------------ the board

    def table_page(self, request: Request) -> Response:
        """`GET /table`: the page of a table."""
        return page(request, "table.html", rooms=("desk.", "page."))

    def board_page(self, request: Request) -> Response:
        """`GET /board`: the board."""
        return page(request, "board.html", rooms=("desk.", "page."))

    def beamer_page(self, request: Request) -> Response:
        """`GET /beamer`: the standings for all to see."""
        rooms = ("beamer.", "desk.place", "standings.tie-rule")
        game = "desk.place.table" if self._keeper.has_sheet else "beamer.game"
        return page(request, "beamer.html", rooms=rooms, game=game)

    def board(self, request: Request) -> Response:
        """`GET /api/board`: all tiles; 304 where nothing has changed since the ETag."""
        return unless_known(
            request,
            self._store,
            lambda: JSONResponse(shown_board(self._keeper.board(), language_of(request))),
        )

    def beamer(self, request: Request) -> Response:
        """`GET /api/beamer`: the standings of the tournament."""

        def answer() -> Response:
            standings = claim_standings(self._keeper.board().verification)
            return Response(standings.report("json"), media_type="application/json")

        return unless_known(request, self._store, answer)

    def log(self, request: Request) -> Response:
        """`GET /api/board/log`: everything that happened, in its order."""
        self._keeper.board()
        return JSONResponse({"events": [shown_event(event) for event in self._store.events()]})

    def export(self, request: Request) -> Response:
        """`GET /api/board/export.csv`, `.xlsx`: what was found, for `kdscore standings`."""
        found, lines = self._keeper.board().verification, []
        for row in found.sheet.lines:
            fields = {name: text_cell(text) for name, text in row.fields.items()}
            cells = [fields.get(name, "") for name in found.sheet.columns]
            lines.append(replace(row, fields=fields, cells=cells))
        plain = replace(found, sheet=replace(found.sheet, lines=tuple(lines)))
        return as_file(
            request, "tournament", lambda workbook: annotated_table(plain, Style(workbook))
        )

    # ------------------------------------------------------------ codes and slips

    def codes_page(self, request: Request) -> Response:
        """`GET /board/codes`: the QR codes of all tables, to be printed and laid out."""
        slips = [
            {"language": one, "paper": paper.value, "title": sentence("slip.title", one)}
            for one in languages()
            for paper in Paper
        ]
        return page(request, "codes.html", codes=self._codes(request), slips=slips)

    def codes(self, request: Request) -> Response:
        """`GET /api/board/codes`: the token and the address of every table in every round."""
        return JSONResponse({"codes": self._codes(request)})

    def _codes(self, request: Request) -> list[dict[str, str]]:
        language = language_of(request)
        return [
            {
                "round": place.round,
                "table": place.table,
                "place": place.text(language),
                "token": self._token(place),
                "address": self._address_of(request, place),
            }
            for place in self._keeper.seating.seats
        ]

    def code(self, request: Request) -> Response:
        """`GET /api/board/code.svg?round=1&table=3`: the QR code of a table in a round."""
        place = self._keeper.seating.place(request.query_params)
        picture = io.BytesIO()
        segno.make(self._address_of(request, place), micro=False).save(
            picture, kind="svg", scale=_CODE_SCALE, border=_QUIET, light="#fff"
        )
        return Response(picture.getvalue(), media_type="image/svg+xml")

    def _token(self, place: RoundTable) -> str:
        return self._store.token("table", place.holder)

    def _address_of(self, request: Request, place: RoundTable) -> str:
        return table_address(self._address or str(request.base_url), place, self._token(place))

    def slips_page(self, request: Request) -> Response:
        """`GET /board/slips?language=de&paper=letter`: the slips of `kdscore slips`, to print."""
        paper = request.query_params.get("paper", Paper.A4.value)
        if paper not in {*Paper}:
            raise Refusal(422, "missing", name="paper", example=" / ".join(Paper))
        event, holders = self._keeper.event_to_print(), self._keeper.seating.holders
        html = slips_page(holders, event, language=language_of(request), paper=Paper(paper))
        style = html.partition("<style>")[2].partition("</style>")[0]
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        policy = POLICY.replace("style-src 'self'", f"style-src 'sha256-{digest}'")
        return HTMLResponse(html, headers={"Content-Security-Policy": policy})


def table_address(base: str, place: RoundTable, token: str) -> str:
    """Return what the QR code of a table opens: its page, with the password that `base` has."""
    start, _, rest = base.partition("?")
    words = urlencode({"round": place.round, "table": place.table, "token": token})
    return f"{start}table?{words}{f'&{rest}' if rest else ''}"
