"""Runs a worker, and ends it when it takes too long."""

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from scripts.paths import ROOT

#: Seconds that a worker may take to start, on a machine that does other work as well. They come to
#: those of its first file.
START_S = 60.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one file.

    `kind` is what the worker said, or `crash`, `hang`, `memory`, or `stderr` where something was
    written to standard error.
    """

    kind: str
    said: str
    seconds: float
    megabytes: float


class Watched:
    """A worker that is started anew after each crash, hang, or use of too much memory.

    Args:
        command: How to start it; it must use the protocol of `worker.serve`.
        seconds: The longest that one file may take.
        megabytes: The most memory that the process may use.
    """

    def __init__(self, command: Sequence[str], *, seconds: float, megabytes: float) -> None:
        self.command = list(command)
        self.seconds = seconds
        self.megabytes = megabytes
        self._process: subprocess.Popen[bytes] | None = None
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._read = 0

    def open(self, data: bytes) -> Outcome:
        """Hand a file to the worker."""
        seconds = self.seconds + (0 if self._process else START_S)
        process = self._process or self._start()
        assert process.stdin is not None
        start = time.perf_counter()
        try:
            process.stdin.write(len(data).to_bytes(4, "big") + data)
            process.stdin.flush()
        except BrokenPipeError:
            return self._ended(process, start)
        line = self._line(process, start + seconds)
        if line is None:
            self._end()
            taken = time.perf_counter() - start
            return Outcome("hang", f"no answer after {seconds:g} s", taken, 0)
        if not line:
            return self._ended(process, start)
        answer = json.loads(line)
        outcome = Outcome(answer["outcome"], answer["said"], answer["seconds"], answer["megabytes"])
        if outcome.megabytes > self.megabytes:
            self._end()
            said = f"{outcome.megabytes:.0f} MB ({outcome.kind}: {outcome.said})"
            return Outcome("memory", said, outcome.seconds, outcome.megabytes)
        if written := self._written():
            said = f"{written} ({outcome.kind}: {outcome.said})"
            return Outcome("stderr", said, outcome.seconds, outcome.megabytes)
        return outcome

    def _written(self) -> str:
        """What was written to standard error since the last file."""
        size = os.fstat(self._errors.fileno()).st_size
        text = os.pread(self._errors.fileno(), size - self._read, self._read)
        self._read = size
        return text.decode("utf-8", "replace").strip()[:300]

    def close(self) -> None:
        """End the worker; no more files can be opened."""
        self._end()
        self._errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._forget(self._process)

    def _forget(self, process: subprocess.Popen[bytes]) -> int:
        """Close the pipes of a process that ends, and give its exit code."""
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
        self._process = None
        return process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        environment = dict(os.environ, OMP_NUM_THREADS="1")
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment,
            cwd=ROOT,
        )
        return self._process

    def _line(self, process: subprocess.Popen[bytes], deadline: float) -> bytes | None:
        """The worker's answer, `b""` where it ended without one, None after the deadline."""
        assert process.stdout is not None
        line = b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([process.stdout], [], [], deadline - time.perf_counter())
            if not ready:
                return None
            piece = os.read(process.stdout.fileno(), 65536)
            if not piece:
                return b""
            line += piece
        return line

    def _ended(self, process: subprocess.Popen[bytes], start: float) -> Outcome:
        code = self._forget(process)
        last = self._written().splitlines()[-1:]
        said = f"the process ended with code {code} {' '.join(last)}".strip()
        return Outcome("crash", said, time.perf_counter() - start, 0)


def worker(job: str, *words: str) -> list[str]:
    """The command that starts a worker for a job: `decoding`, or `scoring` and the total."""
    return [sys.executable, "-m", "scripts.fuzzing.worker", job, *words]
