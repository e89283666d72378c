"""Photos scored in a bounded pool: what is beyond is refused at once, not piled up."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Protocol, TypeVar

from kdvision.errors import KdvisionError, NoKingdomError, UnreadablePhotoError, UsageError
from kdvision.options import GameOptions
from kdvision.report.serialize import Json, to_object
from kdvision.result import PhotoResult, Status
from kdvision.serve.settings import ServeSettings

_T = TypeVar("_T")


class PhotoScorer(Protocol):
    """What scores a photo; `Scorer` does."""

    def score(
        self, source: bytes, options: GameOptions, *, name: str, fixes: Mapping[str, str]
    ) -> PhotoResult:
        """The result of a photo."""


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
    """A scorer behind an executor: threads here; any other executor serves as well.

    Args:
        scorer: Scores photos, from several threads at once.
        settings: How many threads, how large photos may be.
        executor: Runs the work; None makes threads.
    """

    def __init__(
        self, scorer: PhotoScorer, settings: ServeSettings, executor: Executor | None = None
    ) -> None:
        self._scorer = scorer
        self._executor = executor or ThreadPoolExecutor(settings.threads, "scoring")

    async def run(self, work: Callable[..., _T], *words: object) -> _T:
        """Run work in the pool."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, work, *words)

    async def score(
        self, data: bytes, name: str, options: GameOptions, fixes: Mapping[str, str]
    ) -> Json:
        """The `kdscore/1` object of a photo; of one that cannot be scored, with the reason.

        Raises:
            UsageError: A fix is none.
        """
        return await self.run(self._score, data, name, options, dict(fixes))

    def _score(
        self, data: bytes, name: str, options: GameOptions, fixes: Mapping[str, str]
    ) -> Json:
        try:
            return to_object(self._scorer.score(data, options, name=name, fixes=fixes))
        except (UnreadablePhotoError, NoKingdomError) as error:
            return to_object(PhotoResult(name, _status_of(error), error.unnamed))

    def close(self) -> None:
        """Finish what is under way."""
        self._executor.shutdown(wait=True, cancel_futures=True)


def _status_of(error: KdvisionError) -> Status:
    return Status.NO_KINGDOM if isinstance(error, NoKingdomError) else Status.UNREADABLE


def options_text(options: GameOptions) -> str:
    """Options as the store keeps them."""
    return json.dumps(asdict(options))


def options_from(text: str) -> GameOptions:
    """Options as the store keeps them, read back."""
    return GameOptions(**json.loads(text))


def options_with(options: GameOptions, changes: Mapping[str, object]) -> GameOptions:
    """Options with some of them changed, as a program names them.

    Raises:
        UsageError: There is no such option, or it takes no such value.
    """
    names = {one.name for one in fields(GameOptions)}
    if unknown := [name for name in changes if name not in names]:
        raise UsageError(
            f"There is no option {unknown[0][:20]!r}.", f"Write {', '.join(sorted(names))}."
        )
    values: dict[str, Any] = {**asdict(options), **changes}
    return GameOptions(**values)
