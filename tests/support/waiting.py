"""Waiting for other processes: as long as a slow, busy machine needs, and not for ever."""

import time
from collections.abc import Callable

#: Seconds after which a test fails; an idle machine needs one or two.
PATIENCE_S = 180.0


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE_S) -> None:
    """Wait until something holds.

    Raises:
        AssertionError: It does not, even after so many seconds.
    """
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds:g} s in vain"
        time.sleep(0.02)
