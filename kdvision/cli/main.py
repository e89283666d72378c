"""Where `kdscore` begins.

Nothing is imported until `main` runs, so that Ctrl-C at any time ends the program without a
traceback.
"""

import os
import sys
from collections.abc import Sequence

#: The exit code of an interrupted run; a test holds it to `ExitCode.INTERRUPTED`.
INTERRUPTED = 130


def main() -> None:
    """The program `kdscore`."""
    try:
        from kdvision.cli.line import program

        program(sys.argv[1:])
    except KeyboardInterrupt:  # before there was anything to say
        os._exit(INTERRUPTED)


def run(words: Sequence[str]) -> int:
    """Run a command line, without the name of the program; returns the exit code."""
    from kdvision.cli.line import run

    return run(words)


if __name__ == "__main__":
    main()
