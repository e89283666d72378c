"""Who may ask and for what: origins, the password, codes of games; and the headers of answers."""

import hashlib
import hmac

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kdvision.serve.bodies import watch_body
from kdvision.serve.languages import language_of
from kdvision.serve.pages import sign_in_page
from kdvision.serve.refusals import Refusal, answer_error
from kdvision.serve.showing import Viewer
from kdvision.serve.store import Store, new_id
from kdvision.serve.wrong_passwords import WrongPasswords

#: Scripts, styles and pictures of ours only; nothing inline, nothing from elsewhere.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
#: The headers of every answer, but for those that it sets itself.
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # With "no-referrer" a form of ours would say that it comes from nowhere ("Origin: null").
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
#: The cookie of who has the password.
COOKIE = "kdscore"
#: The cookie of the codes of games that a phone has opened.
CODES_COOKIE = "kdscore-codes"
#: The cookie by which a phone is told from others.
DEVICE_COOKIE = "kdscore-device"
#: Letters that are kept of the id of a phone.
_DEVICE_LETTERS = 40
#: Seconds for which a phone stays signed in: a month of game nights.
SESSION_S = 30 * 24 * 3600
#: What is answered without a password: the browser asks for some of it without cookies.
OPEN_PATHS = ("/healthz", "/static/", "/g/", "/sw.js")
#: Pages that may be opened with the password in their address.
_PAGES = ("/", "/codes")
#: Codes that a phone keeps: the rounds of a tournament.
_MOST_CODES = 12
#: In the scope of a request without the password: the ids of the games that its codes open.
_GAMES = "kdscore.games"
#: Methods that change nothing.
_SAFE = ("GET", "HEAD", "OPTIONS")


class Guard:
    """Middleware: origins, the password, codes of games, bodies, and the headers of every answer.

    Args:
        app: What answers.
        store: Keeps the secret of sessions: they outlive a restart.
        password: What is asked for; empty lets everybody in.
    """

    def __init__(self, app: ASGIApp, store: Store, password: str) -> None:
        self._app = app
        self._store = store
        self._password = password
        self._wrong = WrongPasswords()
        # What a cookie holds: not the password, which people use elsewhere too.
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
        headers = request.headers
        path = request.scope["path"]
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
            raise await self._wrong.refuse(_address_of(request), Refusal(401, "wrong-password"))

    async def _open_game(self, request: Request, code: str) -> Response:
        """Lead to a game by its code, and keep the code on the phone.

        Raises:
            Refusal: There is no such game.
        """
        if not self._store.has_game(code):
            raise await self._wrong.refuse(_address_of(request), Refusal(404, "no-game"))
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


def _address_of(request: Request) -> str:
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

    Browsers name the origin of what may change something, or at least whether it is another site.
    """
    origin, host = headers.get("origin"), headers.get("host", "").lower()
    if origin is not None:
        return origin.partition("://")[2].lower() == host
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    # Old browsers name at most the page that a request comes from.
    referrer = headers.get("referer", "").partition("://")[2].partition("/")[0]
    return referrer.lower() in ("", host)
