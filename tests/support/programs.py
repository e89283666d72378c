"""Programs that run in a process of their own, with the same kdvision as this one."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE_S


def python(
    *words: str | Path, env: dict[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run Python with these words, and more of the environment than it has."""
    whole = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **(env or {})}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.run(
        [sys.executable, *map(str, words)],
        **pipes | options,
        env=whole,
        text=True,
        timeout=PATIENCE_S,
    )


def kdscore(*words: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the program with these words."""
    return python("-m", "kdvision", *words, **options)
