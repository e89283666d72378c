"""The command `slips`: slips of paper to print for every player and round of a sheet."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from kdvision.cli.console import show
from kdvision.cli.declared import Declared
from kdvision.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from kdvision.slips.event import Holder

HELP = {
    "slips": (
        "Examples:\n"
        "  kdscore slips sheet.csv -o slips.html\n"
        "  kdscore slips sheet.csv -o slips.html --language de --paper letter\n"
        "  kdscore verify photos/ -o checked.csv  reads the slips: no sheet is needed",
        "Print the page at its full size (100 %), cut the slips, and lay each beside its kingdom\n"
        "in the photo. slips.event.json beside the page knows the names: keep it with the photos.",
    )
}


def slips(
    sheet: Annotated[Path, Declared("SHEET.CSV", "Who plays: the columns player, table, round.")],
    output: Annotated[Path, Declared("--output -o SLIPS.HTML", "Where the page goes.")],
    language: Annotated[
        str, Declared("--language", "The language of the slips.", ("en", "de"))
    ] = "en",
    paper: Annotated[
        str, Declared("--paper", "What they are printed on.", ("a4", "letter"))
    ] = "a4",
    per_page: Annotated[
        int,
        Declared("--per-page", "How many slips there are on a page.", ("6", "8")),
    ] = 8,
) -> ExitCode:
    """Make a page of slips to print: whose kingdom it is, and what was counted."""
    from kdvision.cli.tournament import is_report
    from kdvision.files import shown, whole_file
    from kdvision.slips.event import FILE_NAME, read_event, with_seats, write_event
    from kdvision.slips.page import Paper, slips_page

    if not is_report(output):
        raise UsageError(
            f"--output {shown(output)} is there, and holds something else.",
            "Give another name, or move the file away.",
        )
    path = output.with_name(FILE_NAME)
    before = read_event(path) if path.exists() else None
    known = (before.players, before.tables, before.rounds) if before else ({}, {}, {})
    holders = _holders(sheet, *(names.values() for names in known))
    event = with_seats(holders, before)
    page = slips_page(holders, event, language=language, paper=Paper(paper), per_page=per_page)
    write_event(path, event)  # first: a page whose codes no file knows names nobody
    with whole_file(output) as file:
        file.write(page.encode())
    number = -(-len(holders) // per_page)
    slips = "1 slip" if len(holders) == 1 else f"{len(holders)} slips"
    pages = "1 page" if number == 1 else f"{number} pages"
    show(f"{output}: {slips} on {pages}. Keep {path} beside the photos: it knows the names.")
    return ExitCode.SURE


def _holders(path: Path, *known: Iterable[str]) -> list["Holder"]:
    """The players of a sheet, round by round and table by table.

    Players, tables and rounds have one name each, however it is written: that which is `known` of
    them, in this order, else the first.
    """
    from kdvision.columns import WHO
    from kdvision.slips.event import Holder, in_order
    from kdvision.tournament.lines import name_key
    from kdvision.tournament.sheets import read_sheet

    sheet = read_sheet(path)
    sheet.require(("player",), known=("game", "round"))
    for row in sheet.rows:
        if row.problem:
            raise UsageError(f"{sheet.where(row)}: {row.problem}", "Correct the line.")
    names = [{name_key(name): name for name in of} for of in known]
    every = ([row.fields.get(name, "") for name in WHO] for row in sheet.rows)
    holders = in_order(
        Holder(
            *(one.setdefault(name_key(name), name) for one, name in zip(names, said, strict=True))
        )
        for said in every
        if said[0]
    )
    if not holders:
        raise UsageError(
            f"{path} has no players.", "Write a line per player with the columns round and table."
        )
    return holders
