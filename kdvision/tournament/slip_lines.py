"""A table of claims from the slips in photos: nobody types whose photo it is, or what was counted.

Each slip gives a line, and so does each kingdom without one. What a slip does not say for sure is a
problem of its line, in a sentence.
"""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

from msgspec.structs import replace

from kdvision.columns import ColumnNames
from kdvision.corrections import kingdom_name
from kdvision.report.wording import unclear_text
from kdvision.result import PhotoResult
from kdvision.sentences import sentence
from kdvision.slips.event import FILE_NAME, Holder, SlipEvent
from kdvision.slips.layout import BONUSES
from kdvision.slips.slip import Slip, SlipCode
from kdvision.tournament.sheets import Sheet, read_csv

_COLUMNS = ("photo", "kingdom", "player", "game", "round", "claimed", *BONUSES)


def sheet_of_slips(
    path: Path, photos: Mapping[str, PhotoResult], event: SlipEvent | None
) -> tuple[Sheet, list[str]]:
    """Make a table of the slips in photos, as if a person had written it.

    Args:
        path: What the table is called; the names of photos count from its folder.
        photos: What was read of each, by the name that the table gives it.
        event: What the numbers on the slips mean; without it they stand for themselves.

    Returns:
        The table, and what there is to know of it, a sentence each.
    """
    text = StringIO()
    writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    twice = _in_several_photos(photos, event)
    problems: list[str] = []
    for name, photo in photos.items():
        for fields, problem in _lines(name, photo, event, twice):
            writer.writerow(fields)
            problems.append(problem)
    sheet = read_csv(path, text.getvalue().encode(), ColumnNames())
    lines = tuple(
        replace(row, problem=problem) if problem else row
        for row, problem in zip(sheet.lines, problems, strict=True)
    )
    unnamed = event is None and any(photo.slips for photo in photos.values())
    notes = [sentence("slip.no-event", file=FILE_NAME)] if unnamed else []
    return replace(sheet, lines=lines), notes


def holder_of(code: SlipCode, event: SlipEvent | None) -> Holder | None:
    """Whose slip it is, by numbers where there is no event; None where it is of another event."""
    if event is not None:
        return event.seat(code)
    return Holder(str(code.player), str(code.table), str(code.round))


def _in_several_photos(
    photos: Mapping[str, PhotoResult], event: SlipEvent | None
) -> dict[SlipCode, str]:
    """The slips that are seen more than once, and the photos in which they are."""
    names: dict[SlipCode, list[str]] = {}
    for name, photo in photos.items():
        for slip in photo.slips:
            if holder_of(slip.code, event):
                names.setdefault(slip.code, []).append(Path(name).name)
    return {code: ", ".join(found) for code, found in names.items() if len(found) > 1}


def _lines(
    name: str, photo: PhotoResult, event: SlipEvent | None, twice: Mapping[SlipCode, str]
) -> Sequence[tuple[dict[str, str], str]]:
    """The fields of each line of a photo, and its problem."""
    several = len(photo.kingdoms) > 1
    lines: list[tuple[dict[str, str], str]] = []
    for slip in photo.slips:
        holder = holder_of(slip.code, event)
        letter = kingdom_name(slip.kingdom) if several and slip.kingdom is not None else ""
        fields = {"photo": name, "kingdom": letter if slip.kingdom_is_sure else ""}
        if holder is not None:
            fields |= {"player": holder.player, "game": holder.table, "round": holder.round}
        fields["claimed"] = "" if slip.claimed is None else str(slip.claimed)
        fields |= dict.fromkeys(slip.bonuses, "yes")
        lines.append((fields, _problem(slip, holder, twice)))
    owned = {slip.kingdom for slip in photo.slips}
    for index in range(len(photo.kingdoms)):
        if index not in owned:
            letter = kingdom_name(index)
            fields = {"photo": name, "kingdom": letter if several else ""}
            lines.append((fields, sentence("slip.none", kingdom=letter)))
    if not lines:
        lines.append(({"photo": name}, photo.message))
    return lines


def _problem(slip: Slip, holder: Holder | None, twice: Mapping[SlipCode, str]) -> str:
    """Why the line of a slip cannot be judged; empty where it can."""
    if holder is None:
        return sentence("slip.other-event")
    if slip.code in twice:
        return sentence("slip.twice", player=holder.player, photos=twice[slip.code])
    if slip.kingdom is None:
        return sentence("slip.no-kingdom", player=holder.player)
    if not slip.kingdom_is_sure:
        return sentence("slip.between", player=holder.player)
    return unclear_text(slip)
