"""Photos scored in a bounded pool: what is beyond is refused at once, not piled up."""

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from msgspec.structs import asdict

from kdvision.options import GameOptions
from kdvision.report.serialize import Json
from kdvision.serve.executors import Workers, dead_object
from kdvision.serve.settings import ServeSettings

_T = TypeVar("_T")


class BusyError(Exception):
    """There is no room for another photo now."""


@dataclass(slots=True)
class Room:
    """What is under way: photos, and the bytes of them that are held. For the event loop only."""

    settings: ServeSettings
    photos: int = 0
    held: int = 0
    waiting_most: int = field(init=False)

    def __post_init__(self) -> None:
        self.waiting_most = self.settings.max_waiting + self.settings.threads

    @contextmanager
    def photo(self) -> Iterator["Holding"]:
        """Room for one photo, from its first byte to its result.

        Raises:
            BusyError: There is none.
        """
        if self.photos >= self.waiting_most:
            raise BusyError
        self.photos += 1
        holding = Holding(self)
        try:
            yield holding
        finally:
            self.photos -= 1
            self.held -= holding.bytes


@dataclass(slots=True)
class Holding:
    """The bytes of one photo that are held."""

    room: Room
    bytes: int = 0

    def add(self, count: int) -> None:
        """More bytes arrived.

        Raises:
            BusyError: All photos together are too large now.
        """
        if self.room.held + count > self.room.settings.max_bytes_held:
            raise BusyError
        self.bytes += count
        self.room.held += count


class ScoringPool:
    """Workers that score, and threads for what is done here, such as drawing.

    Args:
        workers: Score photos.
        settings: How many threads there are here.
    """

    def __init__(self, workers: Workers, settings: ServeSettings) -> None:
        self._workers = workers
        self._executor = workers.start()
        self._here = ThreadPoolExecutor(settings.threads, "drawing")
        self._suspects: set[bytes] = set()
        self._alone = asyncio.Lock()

    async def run(self, work: Callable[..., _T], *words: object) -> _T:
        """Run work in a thread of this process."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._here, work, *words)

    async def score(
        self, data: bytes, name: str, options: GameOptions, fixes: Mapping[str, str]
    ) -> Json:
        """The `kdscore/1` object of a photo; of one that cannot be scored, with the reason.

        When a worker dies, every photo under way may be the cause: all are turned away, and those
        that come again are scored one by one.

        Raises:
            UsageError: A fix is none.
            BusyError: A worker has died; the photo may come again.
        """
        task = (data, name, options, dict(fixes))
        digest = hashlib.sha256(data).digest()
        if digest not in self._suspects:
            return await self._scored(task, digest)
        async with self._alone:
            try:
                return await self._scored(task, digest)
            except BusyError:
                return dead_object(name)
            finally:
                self._suspects.discard(digest)

    async def _scored(self, task: tuple[Any, ...], digest: bytes) -> Json:
        executor = self._executor
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(executor, self._workers.score, *task)
        except self._workers.lost:
            self._suspects.add(digest)
            if executor is self._executor:
                self._executor = self._workers.start()
                executor.shutdown(wait=False)
            raise BusyError from None

    def close(self) -> None:
        """Finish what is under way."""
        for executor in (self._executor, self._here):
            executor.shutdown(wait=True, cancel_futures=True)


def options_text(options: GameOptions) -> str:
    """Options as the store keeps them."""
    return json.dumps(asdict(options))


def options_from(text: str) -> GameOptions:
    """Options as the store keeps them, read back."""
    return GameOptions.from_words(json.loads(text))


def options_with(options: GameOptions, changes: Mapping[str, object]) -> GameOptions:
    """Options with some of them changed, as a program names them.

    Raises:
        UsageError: There is no such option, or it takes no such value.
    """
    return GameOptions.from_words(changes, over=options)
