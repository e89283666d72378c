"""The full results of a run, one JSON object per line, in a file that survives being cut off."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kdvision.report.json import from_object, to_object
from kdvision.result import PhotoResult, Status
from kdvision.tournament.batch.append_log import AppendLog
from kdvision.tournament.batch.jobs import Job
from kdvision.tournament.batch.worker import Scored

#: Keys of photos that a later run tries again. They are known to this run only.
_THIS_RUN_ONLY = "!"


class Records:
    """Full results by the key of what was scored.

    Every object has, beside the result, its `key`, the SHA-256 of the photo (`digest`) and the
    fingerprint of the picture (`picture`).

    Args:
        path: The file; made where it is missing.

    Raises:
        UsageError: A file is there that is none of ours, or it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._log = AppendLog(path, _object_key)

    def __contains__(self, key: str) -> bool:
        return bool(key) and key in self._log

    def __len__(self) -> int:
        return len(self._log)

    def add(self, key: str, number: int, job: Job, scored: Scored) -> str:
        """Write down a result.

        Args:
            key: Empty for a result that a later run must not rely on.
            number: That of the photo in this run.
            job: What was asked.
            scored: What came of it.

        Returns:
            The key by which this run finds it.
        """
        known = key or f"{_THIS_RUN_ONLY}{number}"
        if known not in self._log:
            about = {"key": key, "digest": scored.digest, "picture": scored.picture}
            self._log.append(known, _line(_of_job({**to_object(scored.result), **about}, job)))
        return known

    def result(self, key: str, name: str) -> PhotoResult:
        """The full result of a photo, under a name.

        Raises:
            KeyError: There is none.
        """
        return from_object({**self._object(key), "photo": name})

    def status(self, key: str) -> Status:
        """How a photo ended."""
        return Status(self._object(key)["status"])

    def kept_key(self, key: str) -> str:
        """The key of a photo for later runs; empty where they must try it again."""
        return "" if key.startswith(_THIS_RUN_ONLY) else key

    def about(self, key: str) -> tuple[str, str]:
        """The SHA-256 of a photo and the fingerprint of its picture."""
        found = self._object(key)
        return str(found.get("digest", "")), str(found.get("picture", ""))

    def _object(self, key: str) -> dict[str, Any]:
        """The first of the objects of a key; the same photo may follow under other names."""
        found: dict[str, Any] = json.loads(self._log.read(key).split(b"\n", 1)[0])
        return found

    def arrange(self, jobs: Iterable[Job], keys: Iterable[str]) -> None:
        """Write the file anew: what was there before first, then the photos in their order.

        Each photo has its own name and what is known of its player.
        """
        named = [(job, key) for job, key in zip(jobs, keys, strict=True) if key]
        this_run = {key for _, key in named}
        others = ((key, self._log.read(key)) for key in self._log if key not in this_run)
        ours = ((key, _line(_of_job(self._object(key), job))) for job, key in named)
        self._log.rewrite([*others, *ours])

    def close(self) -> None:
        """Close the file."""
        self._log.close()


def _of_job(data: dict[str, Any], job: Job) -> dict[str, Any]:
    """An object under the name of a job, with what the job says of its player."""
    return {**data, "photo": job.name, **job.who}


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data).encode() + b"\n"


def _object_key(line: bytes) -> str:
    """The key of a line of full results.

    Raises:
        ValueError: It is no such line.
    """
    try:
        return str(json.loads(line)["key"])
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None
