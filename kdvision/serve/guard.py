"""Who may ask, and what a browser may do with an answer."""

import base64
import binascii
import hmac
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Scripts, styles and pictures of ours only; nothing inline, nothing from elsewhere.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
COOKIE = "kdscore"
#: What is for the desk of a tournament alone.
DESK_PATHS = ("/board", "/api/board")
#: Pages that may be opened with the password in their address.
_PAGES = ("/", "/table", "/board", "/board/codes", "/beamer")
#: In the scope of a request: whether it comes from the desk.
FROM_DESK = "kdscore.from_desk"
_NOBODY, _PLAYER, _DESK = range(3)
_SAFE = ("GET", "HEAD", "OPTIONS")


class Guard:
    """Middleware: hosts, origins, the password, and the headers of every answer.

    Args:
        app: What answers.
        password: Asked for where it is not empty.
        desk_password: Asked for by what is for the desk; empty asks for the other one.
        hosts: The names under which the server may be called; empty allows all. It keeps pages of
            elsewhere from reaching a server on loopback by a name of theirs.
    """

    def __init__(
        self,
        app: ASGIApp,
        password: str = "",
        hosts: Iterable[str] = (),
        desk_password: str = "",
    ) -> None:
        self._app = app
        self._password = password
        self._desk_password = desk_password or password
        self._hosts = frozenset(hosts)
        # What the cookie holds: a password that is typed elsewhere too is not handed out.
        self._token = secrets.token_urlsafe(32)
        self._desk_token = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or have the app answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope, headers)
        await (refusal or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        host = headers.get("host", "")
        if self._hosts and _name_of(host) not in self._hosts:
            return _error(421, "This server is not called so.")
        if scope["method"] not in _SAFE and not _same_origin(headers, host):
            return _error(403, "Only the page of this server may change anything.")
        given = parse_qs(scope["query_string"].decode("latin-1")).get("password", [""])[0]
        if scope["path"] in _PAGES and given and self._rank(given):
            return self._entered(scope, given)
        rank = self._allowed(headers)
        scope[FROM_DESK] = rank == _DESK
        needed = _DESK if scope["path"].startswith(DESK_PATHS) else _PLAYER
        if rank >= needed or scope["path"] == "/healthz":
            return None
        return _error(401, "Open the address with its password.", {"WWW-Authenticate": "Basic"})

    def _entered(self, scope: Scope, given: str) -> Response:
        """The same page without the password, which is a cookie from now on."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        query.pop("password")
        rest = urlencode(query, doseq=True)
        answer = RedirectResponse(scope["path"] + (f"?{rest}" if rest else ""), 303)
        token = self._desk_token if self._rank(given) == _DESK else self._token
        answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
        return answer

    def _allowed(self, headers: Headers) -> int:
        """The rank of a request, by its cookie or its password."""
        return max(self._rank(""), self._rank_of_cookie(headers), self._rank_of_basic(headers))

    def _rank_of_cookie(self, headers: Headers) -> int:
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        for token, rank in ((self._desk_token, _DESK), (self._token, _PLAYER)):
            if cookie and hmac.compare_digest(cookie.value.encode(), token.encode()):
                return rank
        return _NOBODY

    def _rank_of_basic(self, headers: Headers) -> int:
        scheme, _, coded = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "basic":
            return _NOBODY
        try:
            _, _, password = base64.b64decode(coded, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return _NOBODY
        return self._rank(password)

    def _rank(self, given: str) -> int:
        """What a password opens: everything, all but the desk, or nothing."""
        if hmac.compare_digest(given.encode(), self._desk_password.encode()):
            return _DESK
        right = not self._password or hmac.compare_digest(given.encode(), self._password.encode())
        return _PLAYER if right else _NOBODY


def _same_origin(headers: Headers, host: str) -> bool:
    """Whether a request is of our own page, or of a program that is no browser."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc.lower() == host.lower()


def _name_of(host: str) -> str:
    """A host without its port."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    return name.strip("[]").lower()


def _error(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": sentence}, status, headers)
