"""The server running: its address, its password, its certificate, and its QR code."""

import io
import socket
import ssl
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import segno
import uvicorn
from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.pipeline.scorer import Scorer
from kdvision.sentences import ENGLISH
from kdvision.serve.app import LOOPBACK, create_app, keep_to_loopback
from kdvision.serve.store import Store, new_code


class ServeOptions(Struct, frozen=True, kw_only=True):
    """The options of `kdscore serve`.

    Attributes:
        host: Where it listens.
        port: The port.
        data: The file of the store.
        password: Asked for where it is not empty; None makes one where phones can come in.
        sheet: Who sits where.
        output: Where results are kept up to date.
        language: Of the explanations there.
        certfile: The certificate for https, and those that it rests on.
        keyfile: Its key, where that is another file.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = Path("evening.sqlite")
    password: str | None = None
    sheet: Path | None = None
    output: Path | None = None
    language: str = ENGLISH
    certfile: Path | None = None
    keyfile: Path | None = None


def serve(options: ServeOptions, say: Callable[[str], None]) -> None:
    """Serve until it is stopped.

    Args:
        options: Where it listens, and what is served.
        say: Prints the address, once the port is open.

    Raises:
        ModelError: The models cannot be used.
        UsageError: A file or the port cannot be used.
    """
    check_certificate(options)
    with closing(Store(options.data)) as store:
        password = choose_password(store, options.host, options.password)
        app = create_app(
            # Each photo takes one thread: there are several at a time.
            Scorer(threads=1),
            store,
            password=password,
            address=make_address(options),
            sheet=options.sheet,
            output=options.output,
            language=options.language,
        )
        if options.host in LOOPBACK:
            keep_to_loopback(app)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=10,
            server_header=False,
            ssl_certfile=options.certfile,
            ssl_keyfile=options.keyfile,
        )
        with open_port(options.host, options.port) as listening:
            say(welcome(options, password))
            uvicorn.Server(config).run(sockets=[listening])


def check_certificate(options: ServeOptions) -> None:
    """See that certificate and key can be used, before anything is promised.

    Raises:
        UsageError: They cannot.
    """
    if options.certfile is None:
        if options.keyfile:
            raise UsageError("--keyfile stands without --certfile.", "Give both.")
        return
    try:
        ssl.create_default_context().load_cert_chain(options.certfile, options.keyfile)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
        raise UsageError(
            f"{shown(options.certfile)} cannot be used as a certificate: {reason}.",
            "Give a certificate with --certfile and its key with --keyfile, both as PEM.",
        ) from None


def make_address(options: ServeOptions, password: str = "") -> str:
    """Return what phones open; on all interfaces, by the address that leads elsewhere."""
    name = _network_address() if options.host in ("0.0.0.0", "::") else options.host
    name = f"[{name}]" if ":" in name else name
    query = f"?{urlencode({'password': password})}" if password else ""
    scheme = "https" if options.certfile else "http"
    return f"{scheme}://{name}:{options.port}/{query}"


def _network_address() -> str:
    """Return the address of this machine in its network. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def welcome(options: ServeOptions, password: str) -> str:
    """Return what is printed at the start: the address, and off loopback a QR code."""
    address = make_address(options, password)
    lines = [f"kdscore serves at {address}"]
    if options.host not in LOOPBACK:
        picture = io.StringIO()
        segno.make(address).terminal(picture, compact=True)
        lines.append(picture.getvalue())
    if options.sheet:
        lines.append(f"QR codes of the games, to print: {address.replace('/?', '/codes?')}")
    lines.append("Stop it with Ctrl-C.")
    return "\n".join(lines)


def choose_password(store: Store, host: str, password: str | None) -> str:
    """Return the password that is asked for: the one that is given, or that of the last start."""
    if password:
        return store.keep_setting("password", password)
    if password == "" or host in LOOPBACK:
        return ""
    return store.setting("password") or store.keep_setting("password", new_code())


def open_port(host: str, port: int) -> socket.socket:
    """Open the port, before anything is promised.

    Raises:
        UsageError: It is taken, or the host is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, UnicodeError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        reason, *_ = reason.partition(" (while attempting")  # what Python adds
        raise UsageError(
            f"Port {port} of {host} cannot be opened: {reason}.",
            "Name another port with --port, or this machine with --host 0.0.0.0.",
        ) from None
