"""Scoring for many phones at once: bounded, and fair between them."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from msgspec.structs import asdict

from kdvision.errors import NoKingdomError, UnreadablePhotoError
from kdvision.options import GameOptions
from kdvision.report.json import Json, to_object
from kdvision.result import PhotoResult, Status
from kdvision.serve.settings import ServeSettings

_T = TypeVar("_T")


class BusyError(Exception):
    """There is no room for another photo now."""


class BytesScorer(Protocol):
    """What scores the bytes of a photo; `Scorer` does."""

    def score(
        self, source: bytes, options: GameOptions, *, name: str, fixes: Mapping[str, str]
    ) -> PhotoResult:
        """Return the result of a photo."""

    def score_together(
        self,
        sources: Sequence[bytes],
        options: GameOptions,
        *,
        names: Sequence[str],
        fixes: Mapping[str, str],
    ) -> PhotoResult:
        """Return the result of kingdoms that several photos show."""


@dataclass(slots=True)
class Room:
    """What is under way: photos, and the bytes of them that are held. For the event loop only."""

    settings: ServeSettings
    photos: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def photo(self, client: str = "") -> Iterator["Holding"]:
        """Take room for one photo, from its first byte to its result.

        Args:
            client: Who sends it. One client alone never takes all the room.

        Raises:
            BusyError: There is none.
        """
        most = self.settings.max_waiting + self.settings.threads
        share = max(1, round(most * self.settings.client_share))
        if self.photos.total() >= most or self.photos[client] >= share:
            raise BusyError
        self.photos[client] += 1
        holding = Holding(self, client)
        try:
            yield holding
        finally:
            _release(self.photos, client, 1)
            _release(self.held, client, holding.bytes)


def _release(counts: Counter[str], client: str, count: int) -> None:
    counts[client] -= count
    if counts[client] <= 0:
        del counts[client]


@dataclass(slots=True)
class Holding:
    """The bytes of one photo that are held."""

    room: Room
    client: str = ""
    bytes: int = 0

    def add(self, count: int) -> None:
        """Count bytes that have arrived.

        Raises:
            BusyError: All photos together, or those of this client, are too large now.
        """
        held, settings = self.room.held, self.room.settings
        share = max(
            settings.max_bytes_held * settings.client_share,
            min(settings.max_photo_bytes, settings.max_bytes_held),
        )
        if held.total() + count > settings.max_bytes_held or held[self.client] + count > share:
            raise BusyError
        self.bytes += count
        held[self.client] += count


class ScoringPool:
    """Threads that share one scorer, and draw.

    Args:
        scorer: Scores photos, from several threads.
        settings: How many threads there are.
    """

    def __init__(self, scorer: BytesScorer, settings: ServeSettings) -> None:
        self._scorer = scorer
        self._scoring = ThreadPoolExecutor(settings.threads, "scoring")
        self._drawing = ThreadPoolExecutor(settings.threads, "drawing")

    async def run(self, work: Callable[..., _T], *words: object) -> _T:
        """Run work that draws, beside what is scored."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._drawing, work, *words)

    async def score(
        self, pictures: Sequence[bytes], name: str, options: GameOptions, fixes: Mapping[str, str]
    ) -> Json:
        """Return the `kdscore/1` object of a photo; see `scored_object`."""
        loop = asyncio.get_running_loop()
        words = (self._scorer, pictures, name, options, dict(fixes))
        return await loop.run_in_executor(self._scoring, scored_object, *words)

    def close(self) -> None:
        """Finish what is under way."""
        for executor in (self._scoring, self._drawing):
            executor.shutdown(wait=True, cancel_futures=True)


def scored_object(
    scorer: BytesScorer,
    pictures: Sequence[bytes],
    name: str,
    options: GameOptions,
    fixes: Mapping[str, str],
) -> Json:
    """Score a photo; the object of one that cannot be scored holds the reason.

    Args:
        scorer: Scores it.
        pictures: The bytes of the photo, and of others of the same kingdoms.
        name: What the result calls it.
        options: The rules.
        fixes: What people corrected.

    Raises:
        UsageError: A fix is none.
    """
    try:
        if len(pictures) == 1:
            return to_object(scorer.score(pictures[0], options, name=name, fixes=fixes))
        names = [name, *(f"{name} ({number})" for number in range(2, len(pictures) + 1))]
        return to_object(scorer.score_together(pictures, options, names=names, fixes=fixes))
    except NoKingdomError as error:
        return to_object(PhotoResult(name, Status.NO_KINGDOM, error.unnamed))
    except UnreadablePhotoError as error:
        return to_object(PhotoResult(name, Status.UNREADABLE, error.unnamed))


def options_text(options: GameOptions) -> str:
    """Write options as the store keeps them."""
    return json.dumps(asdict(options))


def options_from(text: str) -> GameOptions:
    """Read options as the store keeps them."""
    return GameOptions.from_words(json.loads(text))
