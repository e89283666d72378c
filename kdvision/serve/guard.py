"""Who may ask and for what, how often a password may be guessed, and the headers of answers."""

import hashlib
import hmac
import logging
import math
import time
from collections import deque

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kdvision.serve.http import Refusal, answer_error, sign_in_page, watch_body
from kdvision.serve.store import Game, Store, new_id

_LOG = logging.getLogger(__name__)

#: Scripts, styles and pictures of ours only; nothing inline, nothing from elsewhere.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # With "no-referrer" a form of ours would say that it comes from nowhere ("Origin: null").
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
#: Cookies: of who has the password, and of the codes of games that a phone has opened.
COOKIE, CODES_COOKIE = "kdscore", "kdscore-codes"
#: Seconds for which a phone stays signed in: a month of game nights.
SESSION_S = 30 * 24 * 3600
#: What is answered without a password: the browser asks for some of it without cookies.
OPEN_PATHS = ("/healthz", "/static/", "/g/", "/sw.js")
#: Pages that may be opened with the password in their address.
_PAGES = ("/", "/codes")
#: Codes that a phone keeps: the rounds of a tournament.
_MOST_CODES = 12
#: In the scope of a request: the ids of the only games that it may change; None for all.
_GAMES = "kdscore.games"
_SAFE = ("GET", "HEAD", "OPTIONS")


class Failures:
    """Wrong passwords of all clients together: after `MOST` in `WHILE_S` seconds none is tried."""

    #: Wrong passwords in `WHILE_S`: a table of people mistype fewer, and 40 bits stay out of reach.
    MOST = 20
    #: Seconds.
    WHILE_S = 60.0

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=self.MOST)

    def check(self) -> None:
        """See that a password may be guessed now.

        Raises:
            Refusal: So many were wrong that it may not.
        """
        wait = self._times[0] + self.WHILE_S - time.monotonic() if self._times else 0
        if len(self._times) == self.MOST and wait > 0:
            seconds = math.ceil(wait)
            raise Refusal(429, "too-many-guesses", {"Retry-After": f"{seconds}"}, seconds=seconds)

    def add(self, client: str) -> None:
        """Count a wrong password."""
        self._times.append(time.monotonic())
        _LOG.warning("wrong password of %s", client)


class Guard:
    """Middleware: origins, the password, codes of games, bodies, and the headers of every answer.

    Args:
        app: What answers.
        store: Keeps the secret of sessions: they outlive a restart.
        password: What is asked for; empty lets everybody in.
    """

    def __init__(self, app: ASGIApp, store: Store, password: str) -> None:
        self._app, self._store, self._password = app, store, password
        self._failures = Failures()
        # What a cookie holds: a password that is typed elsewhere too is not handed out.
        secret = store.word("secret") or store.word("secret", new_id())
        self._session = hashlib.sha256(f"{secret} {password}".encode()).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or have the app answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
            await send(message)

        request = Request(scope, receive)
        answer: ASGIApp
        try:
            answer = self._intercept(request) or self._app
        except Refusal as error:
            answer = answer_error(request, error)
            if "text/html" in request.headers.get("accept", ""):
                answer = sign_in_page(request, error)
        await answer(scope, watch_body(request), send_guarded)

    def _intercept(self, request: Request) -> Response | None:
        """Return the answer of the guard itself; None where the application may answer.

        Raises:
            Refusal: The request may not be answered.
        """
        # Not the path of `request.url`, which older Starlette makes of the header Host as well.
        headers, path = request.headers, request.scope["path"]
        if request.method not in _SAFE and not _is_same_origin(headers):
            raise Refusal(403, "other-page")
        if path in _PAGES and (password := request.query_params.get("password")):
            if not self._has_session(request):
                self._guess(request, password)
            return _set_cookie(RedirectResponse(path, 303), request, COOKIE, self._session)
        if path.startswith("/g/"):
            return self._open_game(request, path.removeprefix("/g/"))
        if path.startswith(OPEN_PATHS):
            return None
        # Who is in with the password may change everything, who has codes their games.
        if self._has_session(request):
            return None
        scheme, _, password = headers.get("authorization", "").partition(" ")
        if scheme == "Bearer":
            self._guess(request, password)
            return None
        games = (self._store.get(Game, code) for code in _read_codes(request))
        if ids := frozenset(game.id for game in games if game):
            request.scope[_GAMES] = ids
            return None
        if self._password:
            raise Refusal(401, "needs-password")
        return None

    def _guess(self, request: Request, password: str) -> None:
        """Try a password.

        Raises:
            Refusal: It opens nothing, or comes too soon.
        """
        self._failures.check()
        if self._password and not hmac.compare_digest(password.encode(), self._password.encode()):
            self._failures.add(client_of(request))
            raise Refusal(401, "wrong-password")

    def _open_game(self, request: Request, code: str) -> Response:
        """Lead to a game by its code, and keep the code on the phone.

        Raises:
            Refusal: There is no such game, or too many wrong codes and passwords came.
        """
        self._failures.check()
        game = self._store.get(Game, code)
        if game is None:
            self._failures.add(client_of(request))
            raise Refusal(404, "no-game")
        answer = RedirectResponse(f"/#game/{game.id}", 303)
        if self._has_session(request):
            return answer
        codes = [code, *(kept for kept in _read_codes(request) if kept != code)]
        return _set_cookie(answer, request, CODES_COOKIE, ".".join(codes[:_MOST_CODES]))

    def _has_session(self, request: Request) -> bool:
        token = request.cookies.get(COOKIE, "")
        return hmac.compare_digest(token.encode(), self._session.encode())


def allowed_games(request: Request) -> frozenset[str] | None:
    """Return the ids of the only games that a request may see and change; None for all."""
    return request.scope.get(_GAMES)


def check_game(request: Request, game: str) -> None:
    """See that a request may change a game.

    Raises:
        Refusal: Its phone has only the codes of others.
    """
    games = allowed_games(request)
    if games is not None and game not in games:
        raise Refusal(403, "other-game")


def check_organiser(request: Request) -> None:
    """See that a request comes from who has the password, where there is one.

    Raises:
        Refusal: Its phone has only codes of games.
    """
    if allowed_games(request) is not None:
        raise Refusal(403, "organiser-only")


def client_of(request: Request) -> str:
    """Return the address that a request comes from."""
    return request.client.host if request.client else ""


def _read_codes(request: Request) -> list[str]:
    return [code for code in request.cookies.get(CODES_COOKIE, "").split(".") if code]


def _set_cookie(answer: Response, request: Request, name: str, value: str) -> Response:
    secure = request.url.scheme == "https"
    answer.set_cookie(
        name, value, max_age=SESSION_S, httponly=True, samesite="strict", secure=secure
    )
    return answer


def _is_same_origin(headers: Headers) -> bool:
    """Return whether a request is of our own page, or of a program that is no browser.

    Browsers name the origin of everything that may change something.
    """
    origin, host = headers.get("origin"), headers.get("host", "")
    return origin is None or origin.partition("://")[2].lower() == host.lower()
