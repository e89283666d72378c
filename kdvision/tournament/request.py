"""What is asked of a run, and whether its results may be written where they shall go."""

import os
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.files import PathKind, find_kind, is_special, shown, write_error
from kdvision.rules.rules import DEFAULT_RULES, Rules
from kdvision.sentences import ENGLISH, listed
from kdvision.tournament.journal import Journal, locate_journal, make_digest
from kdvision.tournament.results import RESULT_SUFFIXES, WORKBOOK, check_writer
from kdvision.tournament.sheet import is_results


class Request(Struct, frozen=True, kw_only=True):
    """What is asked of a run.

    Attributes:
        inputs: Folders, photos and sheets.
        output: Where the results go; None for nowhere.
        html: Where a report to look at goes.
        needs_claims: Whether a sheet must have claims; then no row is added to it.
        rules: The rules of rows that name none.
        photos: A folder in which the photos of sheets are looked for as well.
        language: That of explanations.
        overwrite: Whether results that somebody changed are written over.
    """

    inputs: tuple[Path, ...]
    output: Path | None = None
    html: Path | None = None
    needs_claims: bool = False
    rules: Rules = DEFAULT_RULES
    photos: Path | None = None
    language: str = ENGLISH
    overwrite: bool = False


def check_request(request: Request) -> None:
    """Check before the first photo what would fail after the last.

    Raises:
        UsageError: An output may not be written so, or a part that is needed is missing.
    """
    if request.output and request.output.suffix.lower() == WORKBOOK:
        check_writer()
    if request.photos and find_kind(request.photos) is not PathKind.FOLDER:
        raise UsageError(f"{shown(request.photos)} is no folder.", "--photos takes a folder.")
    for path, suffixes in ((request.output, RESULT_SUFFIXES), (request.html, (".html", ".htm"))):
        if path is None:
            continue
        if path.suffix.lower() not in suffixes or is_special(path):
            advice = f"Give the name of a file that ends in {listed(suffixes, 'or')}."
            raise UsageError(f"The results cannot go into {shown(path)}.", advice)
        if any(_is_same_file(path, input_) for input_ in request.inputs):
            raise UsageError(
                f"{shown(path)} is one of the inputs, and no input is ever written.",
                "Give the results another name: -o results.csv",
            )
        if not os.access(path.absolute().parent, os.W_OK):
            raise write_error(path, OSError("its folder is missing, or may not be written"))


def _is_same_file(first: Path, second: Path) -> bool:
    if PathKind.MISSING in (find_kind(first), find_kind(second)):
        return first.absolute() == second.absolute()
    with suppress(OSError):  # it may not be looked at
        return first.samefile(second)
    return False


def check_unchanged(output: Path, data: bytes | None = None) -> None:
    """Refuse to write over results that somebody changed since they were written.

    Args:
        output: Where the results go.
        data: What is about to be written; None before the first photo is read.

    Raises:
        UsageError: They were changed, or are no results.
    """
    if find_kind(output) is not PathKind.FILE:
        return
    path, written = locate_journal(output), list[str]()
    if find_kind(path) is PathKind.FILE:
        with closing(Journal(path)) as journal:
            written = journal.digests
    digest = make_digest(output.read_bytes())
    if digest in written:
        return
    if data is not None and digest == make_digest(data):
        return
    # Without a journal only what is about to be written can tell.
    if data is None and not written and is_results(output):
        return
    name = shown(output)
    if not is_results(output):
        raise UsageError(
            f"{name} is there already, and was not written by kdscore.",
            "Give another name with -o, or move the file away.",
        )
    raise UsageError(
        f"{name} was changed since kdscore wrote it.",
        f"Use it as a sheet (kdscore verify {name} -o new.csv), give another -o, or --overwrite.",
    )
