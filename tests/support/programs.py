"""Programs that run in a process of their own, with the same kdvision as this one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE_S

#: Takes from the superuser the right to open what the mode of a file or a folder forbids.
_WITHOUT_RIGHTS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


def obeys_modes() -> bool:
    """Whether a program can be run that may not open what the mode of a file forbids."""
    return os.name == "posix" and (os.geteuid() != 0 or shutil.which("setpriv") is not None)


def python(
    *words: str | Path,
    env: dict[str, str] | None = None,
    obeying_modes: bool = False,
    **options: Any,
) -> subprocess.CompletedProcess[str]:
    """Run Python with these words, and more of the environment than it has."""
    prefix = _WITHOUT_RIGHTS if obeying_modes and os.geteuid() == 0 else ()
    whole = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **(env or {})}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.run(
        [*prefix, sys.executable, *map(str, words)],
        **pipes | options,
        env=whole,
        text=True,
        timeout=PATIENCE_S,
    )


def kdscore(*words: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the program with these words."""
    return python("-m", "kdvision", *words, **options)
