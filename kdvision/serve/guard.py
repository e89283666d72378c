"""Who may ask and for what, how often a password may be guessed, and the headers of answers."""

import asyncio
import hashlib
import hmac
import logging
import math
import time
from collections import deque
from ipaddress import ip_network

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kdvision.serve.http import (
    Refusal,
    answer_error,
    client_of,
    language_of,
    sign_in_page,
    watch_body,
)
from kdvision.serve.showing import Viewer
from kdvision.serve.store import Store, new_id

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
#: The cookie by which a phone is told from others, and the letters that are kept of it.
DEVICE_COOKIE, _DEVICE_LETTERS = "kdscore-device", 40
#: Seconds for which a phone stays signed in: a month of game nights.
SESSION_S = 30 * 24 * 3600
#: What is answered without a password: the browser asks for some of it without cookies.
OPEN_PATHS = ("/healthz", "/static/", "/g/", "/sw.js")
#: Pages that may be opened with the password in their address.
_PAGES = ("/", "/codes")
#: Codes that a phone keeps: the rounds of a tournament.
_MOST_CODES = 12
#: In the scope of a request that has codes alone: the ids of the games that it may change.
_GAMES = "kdscore.games"
#: Bits of an IPv6 address that all devices of a household have in common.
_HOUSEHOLD_BITS = 64
_SAFE = ("GET", "HEAD", "OPTIONS")


class WrongPasswords:
    """Wrong passwords and codes, counted for each address and for all together.

    A right one is compared first: it counts at once, whatever was tried before. After too many
    wrong ones each further wrong one is answered late. That slows down who waits for answers; who
    does not is kept out by the length of the password alone: a made one has 40 bits.
    """

    #: Wrong ones of one address in `WHILE_S`: a table of people mistypes fewer.
    MOST = 20
    #: Wrong ones of all addresses in `WHILE_S`: more than a hall of people ever mistypes.
    MOST_OF_ALL = 1000
    #: Seconds for which a wrong one is counted.
    WHILE_S = 60.0
    #: Seconds by which an answer is late.
    LATE_S = 1.0

    def __init__(self) -> None:
        #: When, and of which address.
        self._tries = deque[tuple[float, str]](maxlen=self.MOST_OF_ALL)

    async def refuse(self, client: str, refusal: Refusal) -> Refusal:
        """Count a wrong one, and return how it is refused: late and with 429 after too many."""
        is_over = self._is_over(client)
        self._tries.append((time.monotonic(), _network_of(client)))
        _LOG.warning("wrong password of %s", client)
        if not is_over:
            return refusal
        await asyncio.sleep(self.LATE_S)
        return Refusal(429, refusal.code, {"Retry-After": f"{math.ceil(self.WHILE_S)}"})

    def _is_over(self, client: str) -> bool:
        """Return whether an address, or all together, were wrong too often."""
        network, since = _network_of(client), time.monotonic() - self.WHILE_S
        while self._tries and self._tries[0][0] < since:
            self._tries.popleft()
        own = [at for at, address in self._tries if address == network]
        return len(own) >= self.MOST or len(self._tries) >= self.MOST_OF_ALL


def _network_of(client: str) -> str:
    """Return what is counted as one address: of IPv6 the network that one household has."""
    try:
        return str(ip_network((client, _HOUSEHOLD_BITS), strict=False)) if ":" in client else client
    except ValueError:
        return client


class Guard:
    """Middleware: origins, the password, codes of games, bodies, and the headers of every answer.

    Args:
        app: What answers.
        store: Keeps the secret of sessions: they outlive a restart.
        password: What is asked for; empty lets everybody in.
    """

    def __init__(self, app: ASGIApp, store: Store, password: str) -> None:
        self._app, self._store, self._password = app, store, password
        self._wrong = WrongPasswords()
        # What a cookie holds: a password that is typed elsewhere too is not handed out.
        secret = store.setting("secret") or store.keep_setting("secret", new_id())
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
            answer = await self._intercept(request) or self._app
        except Refusal as error:
            answer = answer_error(request, error)
            if "text/html" in request.headers.get("accept", ""):
                answer = sign_in_page(request, error)
        await answer(scope, watch_body(request), send_guarded)

    async def _intercept(self, request: Request) -> Response | None:
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
                await self._guess(request, password)
            return _set_cookie(RedirectResponse(path, 303), request, COOKIE, self._session)
        if path.startswith("/g/"):
            return await self._open_game(request, path.removeprefix("/g/"))
        if path.startswith(OPEN_PATHS):
            return None
        # Who is in with the password may change everything, who has codes their games.
        if self._has_session(request):
            return None
        scheme, _, password = headers.get("authorization", "").partition(" ")
        if scheme == "Bearer":
            await self._guess(request, password)
            return None
        codes = frozenset(filter(self._store.has_game, _read_codes(request)))
        if codes:
            request.scope[_GAMES] = codes
            return None
        if self._password:
            raise Refusal(401, "needs-password")
        return None

    async def _guess(self, request: Request, password: str) -> None:
        """Try a password.

        Raises:
            Refusal: It opens nothing.
        """
        if self._password and not hmac.compare_digest(password.encode(), self._password.encode()):
            raise await self._wrong.refuse(client_of(request), Refusal(401, "wrong-password"))

    async def _open_game(self, request: Request, code: str) -> Response:
        """Lead to a game by its code, and keep the code on the phone.

        Raises:
            Refusal: There is no such game.
        """
        if not self._store.has_game(code):
            raise await self._wrong.refuse(client_of(request), Refusal(404, "no-game"))
        answer = RedirectResponse(f"/#game/{code}", 303)
        if self._has_session(request):
            return answer
        codes = [code, *(kept for kept in _read_codes(request) if kept != code)]
        return _set_cookie(answer, request, CODES_COOKIE, ".".join(codes[:_MOST_CODES]))

    def _has_session(self, request: Request) -> bool:
        token = request.cookies.get(COOKIE, "")
        return hmac.compare_digest(token.encode(), self._session.encode())


def viewer_of(request: Request) -> Viewer:
    """Return who asks: the organiser is who has the password, where there is one."""
    return Viewer(language_of(request), request.scope.get(_GAMES))


def check_game(request: Request, game: str) -> None:
    """See that a request may change a game.

    Raises:
        Refusal: Its phone has only the codes of others.
    """
    games = viewer_of(request).games
    if games is not None and game not in games:
        raise Refusal(403, "other-game")


def check_organiser(request: Request) -> None:
    """See that a request comes from who has the password, where there is one.

    Raises:
        Refusal: Its phone has only codes of games.
    """
    if not viewer_of(request).is_organiser:
        raise Refusal(403, "organiser-only")


def device_of(request: Request) -> str:
    """Return the id of the phone that asks; empty for a program."""
    return request.cookies.get(DEVICE_COOKIE, "")[:_DEVICE_LETTERS]


def know_device(request: Request, answer: Response) -> Response:
    """Give a phone an id where it has none, by which it is told from others in the log."""
    if device_of(request):
        return answer
    return _set_cookie(answer, request, DEVICE_COOKIE, new_id())


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

    Browsers name the origin of what may change something, or at least whether it is another site.
    """
    origin, host = headers.get("origin"), headers.get("host", "").lower()
    if origin is not None:
        return origin.partition("://")[2].lower() == host
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    # A browser of old says where it comes from, if anything.
    referrer = headers.get("referer", "").partition("://")[2].partition("/")[0]
    return referrer.lower() in ("", host)
