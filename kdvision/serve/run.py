"""The server, running: its address, its password, its QR code, and clients that are too slow."""

import asyncio
import io
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import segno
import uvicorn
from msgspec import Struct
from msgspec.structs import replace
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from kdvision.pipeline.scorer import Scorer
from kdvision.serve.app import create_app
from kdvision.serve.desk.seats import read_seating
from kdvision.serve.executors import Workers, dask_workers, process_workers, thread_workers
from kdvision.serve.settings import DEFAULT_SETTINGS, ServeSettings
from kdvision.serve.store import SqliteStore

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: Letters of a password that the server makes: 40 bits, and nothing to confuse.
_PASSWORD_LETTERS = 8
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host."""
    return host in _LOOPBACK


def made_password() -> str:
    """A password that can be typed on a phone."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_PASSWORD_LETTERS))


def address(host: str, port: int, password: str = "", path: str = "") -> str:
    """What phones open; of a server on all interfaces, by the address that leads elsewhere."""
    name = own_address() if host in ("0.0.0.0", "::") else host
    shown = f"[{name}]" if ":" in name else name
    return f"http://{shown}:{port}/{path}" + (f"?password={password}" if password else "")


def own_address() -> str:
    """The address of this machine in its network. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


class Served(Struct, frozen=True):
    """What is served, where, and to whom.

    Attributes:
        host: Where it listens.
        port: The port.
        data: The file of the store.
        password: Asked for where it is not empty.
        sheet: Who sits where in a tournament; None where there is none.
        desk_password: Asked for by the board of the desk.
        dask: The address of a scheduler whose workers score; empty scores here.
        processes: Whether to score in processes instead of threads.
    """

    host: str
    port: int
    data: Path
    password: str = ""
    sheet: Path | None = None
    desk_password: str = ""
    dask: str = ""
    processes: bool = False

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which it may be called; none allows all."""
        return _LOOPBACK if is_loopback(self.host) else ()


def welcome(served: Served) -> str:
    """What is printed when the server starts: addresses, and off loopback a QR code."""
    host, port = served.host, served.port
    where = address(host, port, served.password)
    lines = [f"kdscore serves at {where}", "Stop it with Ctrl-C."]
    if served.sheet:
        board = address(host, port, served.desk_password, "board")
        lines.insert(1, f"The board of the desk, with the QR codes of the tables: {board}")
    if not is_loopback(host):
        picture = io.StringIO()
        segno.make(where).terminal(picture, compact=True)
        lines.insert(1, picture.getvalue())
    return "\n".join(lines)


class DroppingProtocol(H11Protocol):
    """Hangs up on a client that does not send the head of a request in time.

    uvicorn has a limit for the silence between requests, but none for a request that never ends.
    """

    header_s = DEFAULT_SETTINGS.header_s

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def on_response_complete(self) -> None:
        """Begin to wait for the next one."""
        super().on_response_complete()
        self._waiting.cancel()
        self._wait()

    def _wait(self) -> None:
        self._waiting = asyncio.get_running_loop().call_later(self.header_s, self._check)

    def _check(self) -> None:
        answering = self.cycle is not None and not self.cycle.response_complete
        if not answering and not self.transport.is_closing():
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        self._waiting.cancel()
        super().connection_lost(exc)


@contextmanager
def workers_for(served: Served, settings: ServeSettings) -> Iterator[Workers]:
    """What scores: the workers of a scheduler, processes, or threads of this one.

    Raises:
        ModelError: The models cannot be used.
        UsageError: The scheduler cannot be used.
    """
    if served.dask:
        with dask_workers(served.dask) as workers:
            yield workers
    elif served.processes:
        yield process_workers(settings.threads)
    else:
        # Each photo takes one thread: there are several at a time.
        yield thread_workers(Scorer(threads=1), settings.threads)


def app_for(served: Served, workers: Workers, settings: ServeSettings) -> Starlette:
    """The application with a store in a file.

    Raises:
        UsageError: The file or the sheet cannot be used.
    """
    seating = read_seating(served.sheet) if served.sheet else None
    return create_app(
        workers,
        SqliteStore(served.data),
        replace(settings, threads=workers.count),
        password=served.password,
        hosts=served.hosts,
        seating=seating,
        desk_password=served.desk_password,
        address=address(served.host, served.port, served.password),
    )


def serve(served: Served, settings: ServeSettings, say: Callable[[str], None]) -> None:
    """Serve until it is stopped; `say` is given what to print once nothing is wrong."""
    with workers_for(served, settings) as workers:
        app = app_for(served, workers, settings)
        say(welcome(served))
        uvicorn.Server(_config(served, app)).run()


def _config(served: Served, app: Starlette) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        host=served.host,
        port=served.port,
        http=DroppingProtocol,
        log_level="warning",
        access_log=False,
        limit_concurrency=500,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=10,
        server_header=False,
    )
