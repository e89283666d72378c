"""Who may ask, how often a password may be guessed, and what a browser may do with an answer."""

import base64
import binascii
import hashlib
import hmac
import ipaddress
import logging
import math
import time
from collections import deque
from collections.abc import Callable, Iterable
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kdvision.serve.answers import Refusal, language_of, sign_in_page
from kdvision.serve.limits import read_body
from kdvision.serve.store import Store

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
COOKIE = "kdscore"
#: Seconds for which a phone stays signed in: a month of game nights.
SESSION_S = 30 * 24 * 3600
#: Where a password is typed.
SIGN_IN = "/sign-in"
#: What is answered without a password: the browser asks for some of it without cookies.
OPEN_PATHS = ("/healthz", "/manifest.json", "/favicon.ico", "/static/")
#: Pages that may be opened with the password in their address.
_PAGES = ("/",)
_SAFE = ("GET", "HEAD", "OPTIONS")
#: Bytes of the form in which a password is sent, and the seconds in which it must have arrived.
_MOST_FORM_BYTES, _FORM_S = 4096, 10.0


class Failures:
    """Wrong passwords of all clients together: beyond so many in a while nobody guesses on.

    Args:
        clock: Seconds, for tests.
    """

    #: Wrong passwords in `WHILE_S`: a table of people mistype fewer, and 40 bits stay out of reach.
    MOST = 20
    #: Seconds.
    WHILE_S = 60.0

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=self.MOST)

    def wait(self) -> float:
        """Return the seconds after which a password may be guessed again; 0 for now."""
        if len(self._times) < self.MOST:
            return 0.0
        return max(0.0, self._times[0] + self.WHILE_S - self._clock())

    def add(self, client: str) -> None:
        """Count a wrong password."""
        self._times.append(self._clock())
        _LOG.warning("wrong password of %s", client)


class Guard:
    """Middleware: hosts, origins, passwords, and the headers of every answer.

    Sessions are in the store: they outlive a restart.

    Args:
        app: What answers.
        store: Keeps sessions.
        password: What is asked for; empty lets everybody in.
        hosts: The names under which the server may be called; empty allows all. It keeps pages of
            elsewhere from reaching a server on loopback by a name of theirs.
    """

    def __init__(
        self,
        app: ASGIApp,
        store: Store,
        password: str,
        hosts: Iterable[str],
    ) -> None:
        self._app, self._password = app, password
        self._hosts = frozenset(hosts)
        self._failures = Failures()
        # What a cookie holds: a password that is typed elsewhere too is not handed out.
        self._session = store.token("session", hashlib.sha256(password.encode()).hexdigest())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or have the app answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
            await send(message)

        request = Request(scope, receive)
        try:
            answer = await self._page_before(request) or self._app
        except Refusal as refusal:
            answer = refusal.answer(request)
        await answer(scope, receive, guarded)

    async def _page_before(self, request: Request) -> Response | None:
        """Return the page that comes before what is asked for; None where it may be answered.

        Raises:
            Refusal: It may not.
        """
        # Not the path of `request.url`, which older Starlette makes of the header Host as well.
        headers, path = request.headers, request.scope["path"]
        host = headers.get("host", "")
        if self._hosts and _name_of(host) not in self._hosts:
            raise Refusal(421, "other-host")
        if request.method not in _SAFE and not _same_origin(headers, host):
            raise Refusal(403, "other-page")
        if path == SIGN_IN:
            return await self._signing_in(request)
        if entered := self._entered(request):
            return entered
        if path.startswith(OPEN_PATHS):
            return None
        if not self._password or self._has_session(request):
            return None
        given = _basic_password(headers)
        if given is None:
            return self._asked(request)
        self._guess(request, given)
        return None

    def _asked(self, request: Request) -> Response:
        """Ask for the password: a browser by our page, a program by the standard."""
        if request.method in _SAFE and "text/html" in request.headers.get("accept", ""):
            return sign_in_page(request, _target_of(request), status=401)
        is_browser = "mozilla" in request.headers.get("user-agent", "").lower()
        by_standard = None if is_browser else {"WWW-Authenticate": "Basic"}
        raise Refusal(401, "needs-password", by_standard)

    def _guess(self, request: Request, given: str) -> None:
        """Try a password.

        Raises:
            Refusal: It opens nothing, or comes too soon.
        """
        if wait := self._failures.wait():
            seconds = math.ceil(wait)
            after = {"Retry-After": f"{seconds}"}
            raise Refusal(429, "too-many-guesses", after, seconds=seconds)
        if self._password and not hmac.compare_digest(given.encode(), self._password.encode()):
            self._failures.add(client_of(request.scope))
            raise Refusal(401, "wrong-password")

    async def _signing_in(self, request: Request) -> Response:
        """Answer the small page that asks for the password, and the form that it sends."""
        target = request.query_params.get("next", "/")
        if target.partition("?")[0] not in _PAGES:
            target = "/"
        if request.method != "POST":
            return sign_in_page(request, target)
        body = await read_body(request, _MOST_FORM_BYTES, _FORM_S)
        given = parse_qs(body.decode("utf-8", "replace")).get("password", [""])[0]
        return self._opened(request, given, target)

    def _entered(self, request: Request) -> Response | None:
        """Answer the address of a page with a password in it.

        It is the same page without it, which is a cookie from now on.
        """
        if request.scope["path"] not in _PAGES:
            return None
        given = parse_qs(request.url.query).get("password", [""])[0]
        return self._opened(request, given, _target_of(request)) if given else None

    def _opened(self, request: Request, given: str, target: str) -> Response:
        """Lead to a page by a password, and keep the phone signed in; else ask for it again."""
        try:
            if not self._has_session(request):
                self._guess(request, given)
        except Refusal as refusal:
            said = refusal.text(language_of(request))
            asked = sign_in_page(request, target, status=refusal.status_code, said=said)
            asked.headers.update(refusal.headers or {})
            return asked
        answer = RedirectResponse(target, 303)
        secure = request.url.scheme == "https"
        answer.set_cookie(
            COOKIE,
            self._session,
            max_age=SESSION_S,
            httponly=True,
            samesite="strict",
            secure=secure,
        )
        return answer

    def _has_session(self, request: Request) -> bool:
        token = request.cookies.get(COOKIE, "")
        return hmac.compare_digest(token.encode(), self._session.encode())


def _target_of(request: Request) -> str:
    """Return what is asked for, without the password in its address."""
    query = request.url.query.split("&")
    rest = "&".join(part for part in query if not part.startswith("password="))
    return "?".join(filter(None, (request.scope["path"], rest)))


def client_of(scope: Scope) -> str:
    """Return the address that a request comes from; of IPv6 the network, which one client has."""
    host = (scope.get("client") or ("", 0))[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    if mapped := getattr(address, "ipv4_mapped", None):
        return str(mapped)
    if address.version == 6 and not address.is_loopback:
        return str(ipaddress.ip_network(f"{address}/64", strict=False))
    return str(address)


def _basic_password(headers: Headers) -> str | None:
    """Return the password of HTTP Basic authentication; None where there is none."""
    scheme, _, coded = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        return base64.b64decode(coded, validate=True).decode().partition(":")[2]
    except (binascii.Error, ValueError):
        return None


def _same_origin(headers: Headers, host: str) -> bool:
    """Return whether a request is of our own page, or of a program that is no browser."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2].lower() == host.lower()


def _name_of(host: str) -> str:
    """Return a host without its port."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    return name.strip("[]").lower()
