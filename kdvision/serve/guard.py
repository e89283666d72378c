"""Who may ask, and what a browser may do with an answer."""

import base64
import binascii
import hmac
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

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
_SAFE = ("GET", "HEAD", "OPTIONS")


class Guard:
    """Middleware: hosts, origins, the password, and the headers of every answer.

    Args:
        app: What answers.
        password: Asked for where it is not empty.
        hosts: The names under which the server may be called; empty allows all. It keeps pages of
            elsewhere from reaching a server on loopback by a name of theirs.
    """

    def __init__(self, app: ASGIApp, password: str = "", hosts: Iterable[str] = ()) -> None:
        self._app = app
        self._password = password
        self._hosts = frozenset(hosts)
        # What the cookie holds: a password that is typed elsewhere too is not handed out.
        self._token = secrets.token_urlsafe(32)

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
        if not self._password or scope["path"] == "/healthz":
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("password", [""])[0]
        if scope["path"] == "/" and given and self._is_password(given):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
            return answer
        if self._is_allowed(headers):
            return None
        return _error(401, "Open the address with its password.", {"WWW-Authenticate": "Basic"})

    def _is_allowed(self, headers: Headers) -> bool:
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        if cookie is not None and hmac.compare_digest(cookie.value.encode(), self._token.encode()):
            return True
        scheme, _, coded = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "basic":
            return False
        try:
            _, _, password = base64.b64decode(coded, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return False
        return self._is_password(password)

    def _is_password(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._password.encode())


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
