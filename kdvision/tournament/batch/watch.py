"""Folders that are watched: what a synchronised folder brings is scored once it is whole."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kdvision.concurrency import cores
from kdvision.errors import UsageError
from kdvision.files import shown
from kdvision.options import GameOptions
from kdvision.tournament.batch.run import Summary, batch
from kdvision.tournament.batch.scoring import Means, OnScored
from kdvision.tournament.lines import Job, photos_in

#: Seconds between two looks into the folders.
LOOK_EVERY_S = 1.0
#: A photo is whole when it has not changed for so many seconds: programs that synchronise write
#: without longer pauses. One that changes later is scored again.
WHOLE_AFTER_S = 2.0


class _State(Struct, frozen=True):
    """How a file looked, and since when."""

    size: int
    changed_ns: int
    since: float


class Arrivals:
    """The photos of folders, given out once each time that they are whole.

    Args:
        folders: The folders; those in them are watched as well.
        clock: The time in seconds.
    """

    def __init__(
        self, folders: Sequence[Path], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._folders = folders
        self._clock = clock
        self._seen: dict[Path, _State] = {}
        self._given: dict[Path, tuple[int, int]] = {}

    def whole(self) -> list[Path]:
        """Photos that have become whole since the last look, or whole again."""
        now = self._clock()
        found = []
        for path in self._photos():
            try:
                about = path.stat()
            except OSError:
                continue  # it has gone again
            look = about.st_size, about.st_mtime_ns
            state = self._seen.get(path)
            if state is None or (state.size, state.changed_ns) != look:
                self._seen[path] = _State(*look, now)
            elif look[0] and now - state.since >= WHOLE_AFTER_S and self._given.get(path) != look:
                self._given[path] = look
                found.append(path)
        return found

    def _photos(self) -> Iterator[Path]:
        for folder in self._folders:
            yield from photos_in(folder)


def watch(
    folders: Sequence[Path],
    output: Path,
    options: GameOptions,
    *,
    jsonl: Path | None = None,
    html: Path | None = None,
    fresh: bool = False,
    means: Means,
    progress: OnScored = lambda _: None,
    report: Callable[[Summary, int], None] = lambda summary, photos: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Summary | None:
    """Score what folders hold, and then what comes, until it is stopped (Ctrl-C).

    Args:
        folders: The folders.
        output: The table of results, written anew whenever photos have come.
        options: The rules.
        jsonl: See `batch`.
        html: See `batch`; written anew with all photos whenever some have come.
        fresh: See `batch`.
        means: How to score. Without an executor, threads of this process do it.
        progress: Called after every photo.
        report: Called with what came of each arrival, and of how many photos.
        stopped: Asked after every look whether to end.

    Returns:
        What the last arrival came to; None where nothing came.

    Raises:
        UsageError: Something is no folder, or a file cannot be written.
    """
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"{shown(folder)} is no folder.", "--watch takes folders only.")
    arrivals = Arrivals(folders)
    jobs: dict[Path, Job] = {}
    kept = jsonl or (output.with_name(f"{output.name}.part.jsonl") if html else None)
    summary: Summary | None = None
    with ThreadPoolExecutor(means.workers or cores()) as threads:
        if means.executor is None:
            means = replace(means, executor=threads, workers=means.workers or cores())
        try:
            while not stopped():
                new = {path: Job(path, shown(path), options) for path in arrivals.whole()}
                jobs |= new
                if new:
                    summary = batch(
                        list((jobs if html else new).values()), output, jsonl=kept, html=html,
                        fresh=fresh, means=means, progress=progress,
                    )  # fmt: skip
                    fresh = False
                    report(summary, len(jobs if html else new))
                    if summary.interrupted:
                        break
                time.sleep(LOOK_EVERY_S)
        except KeyboardInterrupt:
            pass
    if kept and not jsonl:
        kept.unlink(missing_ok=True)
    return summary
