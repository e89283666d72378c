"""What a batch has found so far: the lines of the CSV, and the full results where they are kept."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kdvision.report.serialize import from_object, to_object
from kdvision.result import PhotoResult, Status
from kdvision.tournament.batch.append_log import Ledger
from kdvision.tournament.batch.csv_rows import first_photo, head, renamed, row_key, rows_of
from kdvision.tournament.batch.jobs import Job

#: Keys of photos that a later run tries again. They are known to this run only.
_PASSING = "!"


class Records:
    """The records of a batch, by the key of what was scored.

    Args:
        rows: The CSV; None keeps none.
        full: The file of full results, one JSON object per line; None keeps none.

    Raises:
        UsageError: A file is there that is none of ours, or cannot be written.
    """

    def __init__(self, rows: Path | None, full: Path | None) -> None:
        self._rows = Ledger(rows, row_key, head()) if rows else None
        self._full = Ledger(full, _object_key) if full else None
        if self._rows is not None:
            for key in list(self._rows):
                if not _is_whole(self._rows.read(key)):
                    self._rows.drop(key)

    @property
    def _ledgers(self) -> list[Ledger]:
        return [ledger for ledger in (self._full, self._rows) if ledger is not None]

    def __contains__(self, key: str) -> bool:
        return bool(key) and all(key in ledger for ledger in self._ledgers)

    def __len__(self) -> int:
        return min((len(ledger) for ledger in self._ledgers), default=0)

    def add(self, key: str, number: int, job: Job, result: PhotoResult) -> str:
        """Write down a result.

        Args:
            key: Empty for a result that a later run must not rely on.
            number: That of the photo in this run.
            job: What was asked.
            result: What came of it.

        Returns:
            The key by which this run finds it.
        """
        known = key or f"{_PASSING}{number}"
        if self._full is not None and known not in self._full:
            self._full.append(known, _object_line(_with_job(to_object(result), job), key))
        if self._rows is not None and known not in self._rows:
            self._rows.append(known, rows_of(result, key, job.who))
        return known

    def result(self, key: str, job: Job) -> PhotoResult:
        """The full result of a photo, under its own name."""
        if self._full is None:
            raise KeyError(key)
        return from_object(_with_job(_first_object(self._full.read(key)), job))

    def status(self, key: str) -> Status:
        """How a photo ended."""
        if self._rows is None:
            assert self._full is not None
            return Status(_first_object(self._full.read(key))["status"])
        found = [Status(row["status"]) for row in first_photo(self._rows.read(key))]
        return max(found, key=list(Status).index)

    def arrange(self, jobs: Sequence[Job], keys: Sequence[str], *, keep_others: bool) -> int:
        """Write the files anew, in the order of the photos.

        Args:
            jobs: The photos.
            keys: Their keys; empty for those that were not scored.
            keep_others: Whether records of other photos stay, at the end.

        Returns:
            How many records of other photos are not in the files any more.
        """
        others, named = 0, set(keys)
        for ledger in self._ledgers:
            left = [key for key in ledger if key not in named]
            others = len(left)
            ledger.rewrite(self._arranged(ledger, jobs, keys, left if keep_others else []))
        return 0 if keep_others else others

    def _arranged(
        self, ledger: Ledger, jobs: Sequence[Job], keys: Sequence[str], others: Sequence[str]
    ) -> Iterator[tuple[str, bytes]]:
        for job, key in zip(jobs, keys, strict=True):
            if key:
                record = ledger.read(key)
                if ledger is self._rows:
                    yield key, renamed(record, job)
                else:
                    data = _first_object(record)
                    yield key, _object_line(_with_job(data, job), data["key"])
        for key in others:
            yield key, ledger.read(key)

    def close(self) -> None:
        """Close the files."""
        for ledger in self._ledgers:
            ledger.close()


def _is_whole(lines: bytes) -> bool:
    with suppress(ValueError):
        return bool(first_photo(lines))
    return False


def _first_object(lines: bytes) -> dict[str, Any]:
    """The first of some lines; the same photo may follow under other names."""
    found: dict[str, Any] = json.loads(lines.split(b"\n", 1)[0])
    return found


def _with_job(data: dict[str, Any], job: Job) -> dict[str, Any]:
    """An object under the name of a job, with what the job says of its player."""
    return {**data, "photo": job.name, **job.who}


def _object_line(data: dict[str, Any], key: str) -> bytes:
    return json.dumps({**data, "key": key}).encode() + b"\n"


def _object_key(line: bytes) -> str:
    """The key of a line of full results.

    Raises:
        ValueError: It is no such line.
    """
    try:
        return str(json.loads(line)["key"])
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None
