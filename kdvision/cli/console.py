"""Standard output, standard error, and the one place that turns errors into words and codes.

Results go to standard output, everything else to standard error. rich is only imported for a
terminal that shows colours.
"""

import contextlib
import errno
import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from kdvision.errors import ExitCode, KdvisionError, broken_library
from kdvision.report.text import printable, short_report, terminal_width, text_report, wrap_lines
from kdvision.result import PhotoResult


class _Output:
    """How much is said on standard error, and whether the headings of a table were printed."""

    quiet = False
    verbose = False
    head_shown = False


_output = _Output()


def set_quiet(wanted: bool) -> None:
    """Say only results and errors."""
    _output.quiet = _output.quiet or wanted


def set_verbose(wanted: bool) -> None:
    """Say also what is done: what the library logs."""
    if wanted:
        import logging  # only here: what nobody listens to is not logged

        _output.verbose = True
        logging.basicConfig(format="kdscore: %(relativeCreated)d ms: %(message)s", force=True)
        logging.getLogger("kdvision").setLevel(logging.DEBUG)


def say_unless_quiet(message: str) -> None:
    """Say something that `-q` leaves out."""
    if not _output.quiet:
        say(message)


def run_guarded(work: Callable[[], ExitCode]) -> ExitCode:
    """Run a command to its exit code; no error leaves it.

    A reader of our output that goes away early (`| head`) is no reason for a message.
    """
    _output.quiet = _output.verbose = _output.head_shown = False
    try:
        return work()
    except BrokenPipeError:
        return ExitCode.SURE
    except KeyboardInterrupt:
        say("Interrupted.")
        return ExitCode.INTERRUPTED
    except Exception as error:
        return report_error(error)


def report_error(error: Exception) -> ExitCode:
    """Say what went wrong, in a sentence with its remedy, and return the exit code."""
    if isinstance(error, ImportError):
        error = broken_library(error)
    if isinstance(error, KdvisionError):
        say(str(error))
        return ExitCode(error.exit_code)
    if hasattr(error, "format_message"):  # Typer found the command line wrong
        return _report_wrong_words(error)
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        say("The output cannot be written: the disk is full. Make room on it, and try again.")
        return ExitCode.USAGE
    if _output.verbose:
        import traceback

        traceback.print_exception(error)
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    say(
        f"Something unexpected happened ({what}). This is a mistake in kdscore. Please report it "
        "with what is printed with -v, and with the photo if you can give it."
    )
    return ExitCode.UNEXPECTED


#: What Typer says of a command line, and how we say it.
_PLAIN_WORDS = {
    r"a valid int range": "a whole number",
    r"in the range (\d+)<=x<=(\d+)": r"from \1 to \2",
    r"Got unexpected extra argument\(s\) \((.*)\)": r"The command takes no \1",
    r"Missing option '--output' / '-o'": "Say where the results go: -o results.csv",
    r"Invalid value for '(--\w+)': '(.*)' is not one of (.*)\.": r"\1 is \2; write one of \3.",
}


def _report_wrong_words(error: Any) -> ExitCode:
    """Say what Typer found wrong with a command line."""
    sentence = " ".join(error.format_message().split())
    for pattern, words in _PLAIN_WORDS.items():
        sentence = re.sub(pattern, words, sentence)
    stop = "" if sentence.endswith((".", "?")) else "."
    command = error.ctx.command_path if error.ctx else "kdscore"
    say(f"{sentence}{stop} For help: {command} --help")
    return ExitCode.USAGE


def say(message: str) -> None:
    """Print one line on standard error."""
    text = wrap_lines(f"kdscore: {printable(message)}", terminal_width(sys.stderr))
    with contextlib.suppress(OSError, ValueError):  # nobody may be listening
        print(text, file=sys.stderr, flush=True)


def prepare_streams() -> None:
    """Let letters that a terminal does not know become question marks, not errors."""
    streams: tuple[Any, ...] = (sys.stdin, sys.stdout, sys.stderr)
    for stream in streams:
        # It may stand for another stream, or have been read from before.
        with contextlib.suppress(AttributeError, io.UnsupportedOperation):
            stream.reconfigure(errors="replace")


def show(text: str) -> None:
    """Print a result on standard output, at once."""
    print(text, flush=True)


def show_text(text: str) -> None:
    """Print a result for people on standard output; a terminal breaks no word at its edge.

    Names of files cannot move the cursor or change colours.
    """
    lines = wrap_lines(text, terminal_width(sys.stdout)).split("\n")
    show("\n".join(map(printable, lines)))


def show_result(result: PhotoResult, form: str, language: str) -> None:
    """Show a result on standard output, as `text`, `json` or `csv`."""
    if form == "json":
        from kdvision.report.json import to_json

        show(to_json(result))
    elif form == "csv":
        from kdvision.report.text import csv_lines

        show(csv_lines(result, language, head=not _output.head_shown))
        _output.head_shown = True
    elif _output.quiet:
        show_text(short_report(result, language))
    elif result.kingdoms:
        show_sheets(result, language)
    else:
        show_text(f"{result.photo}: {result.why(language)}".strip(": "))


def show_sheets(result: PhotoResult, language: str) -> None:
    """Show the sheets of a photo: in colour on a terminal that has it, else as plain text."""
    console, width = _color_console(), terminal_width(sys.stdout)
    if console is None:
        show(f"{text_report(result, width, language)}\n")
        return
    from kdvision.report.text import styled_report

    console.print(styled_report(result, width, language), end="\n\n", soft_wrap=True)


def _color_console() -> Any:
    """Return a rich console for a terminal with colours; None for anything else."""
    if not (os.environ.get("FORCE_COLOR") or sys.stdout.isatty()):
        return None
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    return None if console.color_system is None or console.no_color else console


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal, and nothing elsewhere.

    Yields a function that is told how many photos are done and how many there are.
    """
    from rich.console import Console

    console = Console(stderr=True)
    if _output.quiet or not console.is_terminal:
        yield lambda _, __: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
