"""Where `kdscore` begins.

Nothing is imported until `main` runs, so that Ctrl-C at any time ends the program without a
traceback.
"""

import gc
import os
import sys
from collections.abc import Sequence

#: The exit code of an interrupted run; a test holds it to `ExitCode.INTERRUPTED`.
INTERRUPTED = 130
#: How many objects more are made than freed before the next search for garbage. The libraries make
#: some hundred thousand that stay; to search these again and again takes 10 ms of a run.
_GC_THRESHOLD = 200_000


def main() -> None:
    """Run the program `kdscore` and end the process."""
    gc.set_threshold(_GC_THRESHOLD)
    try:
        # All is written. To let the libraries tidy up would take as long as to score a photo.
        os._exit(run(sys.argv[1:]))
    except KeyboardInterrupt:  # before there was anything to say
        os._exit(INTERRUPTED)


def run(words: Sequence[str]) -> int:
    """Run a command line, given without the name of the program, and return the exit code."""
    from kdvision.cli.app import run_command
    from kdvision.cli.console import prepare_streams, run_guarded

    prepare_streams()
    return run_guarded(lambda: run_command(words))
