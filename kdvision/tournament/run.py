"""Many photos and sheets into results: `batch` and `verify` are one run, with claims or without.

Sheets are read, their photos are read from the journal or by workers, every row is judged, and the
results are written whole.
"""

from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from kdvision.files import replace_file, shown
from kdvision.tournament.csv_files import PLAIN
from kdvision.tournament.day import Day
from kdvision.tournament.executors import Workers
from kdvision.tournament.journal import Journal, locate_journal, lock_results, make_digest
from kdvision.tournament.reader import PhotoReader
from kdvision.tournament.report import Outcome, write_page
from kdvision.tournament.request import Request, check_request, check_unchanged
from kdvision.tournament.results import make_results
from kdvision.tournament.sheet import describe_sheet


def run(
    request: Request,
    workers: Workers,
    progress: Callable[[int, int], None] = lambda _, __: None,
    announce: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Read the photos of sheets and folders, judge every row, write the results and the report.

    Args:
        request: What is asked.
        workers: Who scores photos.
        progress: Called with the number of photos that are done, and of all.
        announce: Called with what was read as what, before the first photo is read.

    Raises:
        UsageError: A sheet cannot be read, results cannot be written, or there is no photo.
        UnreadablePhotoError: There is no photo or folder of a name.
        ModelError: The models are missing.
        KeyboardInterrupt: Ctrl-C; what was read by then stands in the journal.
    """
    check_request(request)
    day = Day(request)
    output = request.output
    with ExitStack() as stack:
        # Nobody else writes this output, and what is read is kept in its journal.
        if output:
            stack.enter_context(lock_results(output))
            if not request.overwrite:
                check_unchanged(output)
        journal_path = locate_journal(output) if output else Path(":memory:")
        journal = stack.enter_context(closing(Journal(journal_path)))
        for sheet in day.sheets:
            announce(describe_sheet(sheet, request.language))
        # A photo with a correction is judged once more, as only the kingdom of its row tells which
        # place is meant.
        reader = PhotoReader(journal, workers, progress, is_drawn=request.html is not None)
        reader.read(day.tasks)
        day.match(reader)
        reader.read(day.tasks)
        verdicts = day.judge(reader)
        if output:
            form = day.sheets[0].form if day.sheets else PLAIN
            data = make_results(verdicts, output.suffix, request.language, form)
            if not request.overwrite:
                check_unchanged(output, data)
            journal.announce(make_digest(data))
            with replace_file(output) as file:
                file.write(data)
            journal.settle()
        title = shown((output or request.inputs[0]).name)
        outcome = Outcome(title, tuple(verdicts), tuple(day.notes))
        if request.html:
            find_picture = partial(day.find_picture, reader)
            write_page(request.html, outcome, request.language, find_picture)
    return outcome
