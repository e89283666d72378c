"""A table of claims from the slips in photos: nobody types whose photo it is, or what was counted.

Each slip gives a line, and so does each kingdom without one. What a slip does not say for sure is a
problem of its line, in a sentence.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path

from msgspec.structs import replace

from kdvision.columns import ColumnNames, Row, result_rows
from kdvision.corrections import kingdom_name
from kdvision.report.wording import unclear_place, unclear_text
from kdvision.result import PhotoResult
from kdvision.sentences import sentence
from kdvision.slips.event import FILE_NAME, Holder, SlipEvent
from kdvision.slips.layout import BONUSES
from kdvision.slips.slip import BriefSlip, Slip, SlipCode
from kdvision.tournament.batch.journal import Scored
from kdvision.tournament.lines import SheetLine
from kdvision.tournament.player_results import name_key
from kdvision.tournament.sheets import Sheet, read_csv
from kdvision.tournament.verify.judging import judge
from kdvision.tournament.verify.mistakes import Remark
from kdvision.tournament.verify.verdicts import REASONS_OF_OTHERS, LineVerdict, Verdict

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


# ---------------------------------------------------------------------- lines that people wrote


class SlipsOfRun:
    """What the slips of many photos say of lines that people wrote, and of lines that they did not.

    Args:
        rows: The rows of results of all photos, with the column `slip`.
        event: What the numbers on the slips mean; without it they stand for themselves.
    """

    def __init__(self, rows: Mapping[str, Sequence[Row]], event: SlipEvent | None) -> None:
        self._event = event
        self._rows = rows
        self._photos: dict[SlipCode, list[str]] = {}
        for photo, found in rows.items():
            codes = {slip.code for row in found for slip in BriefSlip.parse(row.get("slip", ""))}
            for code in codes:
                self._photos.setdefault(code, []).append(Path(photo).name)

    def lines(self, photo: str, entries: Sequence[SheetLine]) -> list[SheetLine]:
        """Complete the lines of a photo, and add one for each slip beside a kingdom without a line.

        Where a line and the slip of its kingdom disagree, its `problem` names both.
        """
        rows, lines = self._rows[photo], list(entries)
        for row in rows:
            letter = row.get("kingdom", "")
            for slip in BriefSlip.parse(row.get("slip", "")):
                holder = holder_of(slip.code, self._event)
                if not slip.beside or holder is None:
                    continue
                index = _line_of(lines, letter, holder.player, alone=len(rows) == 1)
                line = lines.pop(index) if index is not None else SheetLine(photo=photo)
                line = _completed(line, {**_said(slip, holder), "kingdom": letter})
                problem = " ".join(remark.text() for remark in self._remarks(slip, line))
                line = replace(line, problem=line.problem or problem)
                lines.insert(len(lines) if index is None else index, line)
        return lines

    def remarks(self, photo: str, line: SheetLine, letter: str) -> list[Remark]:
        """Say how a line and the slip beside its kingdom disagree; nothing once it is settled."""
        rows = self._rows[photo]
        cells = [row.get("slip", "") for row in rows if row.get("kingdom", "") == letter]
        slips = [slip for cell in cells for slip in BriefSlip.parse(cell)]
        beside = [slip for slip in slips if slip.beside]
        return self._remarks(beside[0], line) if len(beside) == 1 else []

    def _remarks(self, slip: BriefSlip, line: SheetLine) -> list[Remark]:
        holder = holder_of(slip.code, self._event)
        if line.accepted:
            return []
        if holder is None:
            return [Remark("slip.other-event")]
        named = () if self._event is None else ("player", "game", "round")
        remarks = []
        for column, text in _said(slip, holder).items():
            written = line.said.get(column, "")
            known = column in (*named, "claimed") and text and written
            if known and not _same(written, text):
                fields = {"column": f"slip.column.{column}", "sheet": written, "slip": text}
                remarks.append(Remark("slip.disagrees", fields))
        photos = self._photos.get(slip.code, ())
        if not remarks and len(photos) > 1:
            fields = {"player": holder.player, "photos": ", ".join(photos)}
            remarks.append(Remark("slip.twice", fields))
        return remarks

    def notes(self, photos: Iterable[str]) -> Iterator[str]:
        """Say which slips have no kingdom, and which kingdoms no slip, where there are slips."""
        if not self._photos:
            return
        if self._event is None:
            yield sentence("slip.no-event", file=FILE_NAME)
        for photo in dict.fromkeys(photos):
            rows = self._rows.get(photo, ())
            for row in rows:
                slips = BriefSlip.parse(row.get("slip", ""))
                for slip in slips:
                    holder = holder_of(slip.code, self._event)
                    if holder is None:
                        yield f"{photo}: {sentence('slip.other-event')}"
                    elif not slip.beside:
                        yield f"{photo}: {sentence('slip.between', player=holder.player)}"
                if row.get("kingdom_line") and not any(slip.beside for slip in slips):
                    yield f"{photo}: {sentence('slip.none', kingdom=row.get('kingdom') or 'A')}"


def judge_with_slips(
    lines: Sequence[SheetLine], readings: Sequence[Scored | None], event: SlipEvent | None
) -> list[LineVerdict]:
    """Judge lines that the slips in their photos complete, as `SlipsOfRun.lines` does.

    A line that the slip beside its kingdom contradicts is open.

    Args:
        lines: The lines.
        readings: For each what was read of its photo, or None.
        event: What the numbers on the slips mean; without it slips say nothing.
    """
    if event is None:
        return judge(lines, readings)
    of_photo: dict[str, list[int]] = {}
    results: dict[str, PhotoResult] = {}
    for index, (line, reading) in enumerate(zip(lines, readings, strict=True)):
        if reading and reading.result.slips:
            of_photo.setdefault(line.photo, []).append(index)
            results[line.photo] = reading.result
    slips = SlipsOfRun({name: result_rows(result) for name, result in results.items()}, event)
    completed = list(lines)
    for photo, found in of_photo.items():
        # Those of slips that no line has come behind them.
        for index, line in zip(found, slips.lines(photo, [lines[n] for n in found]), strict=False):
            completed[index] = replace(line, photo=photo, problem=lines[index].problem)
    return [
        _opened(verdict, slips, read) if (read := results.get(verdict.line.photo)) else verdict
        for verdict in judge(completed, readings)
    ]


def _opened(verdict: LineVerdict, slips: SlipsOfRun, photo: PhotoResult) -> LineVerdict:
    """Open the verdict on a line that its slip contradicts, or whose slip has no clear total."""
    line, several = verdict.line, len(photo.kingdoms) > 1
    letter = (verdict.letter or line.letter) if several else ""
    own = {kingdom_name(n) if several else "": n for n in range(len(photo.kingdoms))}.get(letter)
    if own is None or line.problem:
        return verdict
    remarks = slips.remarks(line.photo, line, letter)
    slip = photo.slip_of(own)
    if not remarks and line.claimed is None and not line.accepted and slip and slip.unclear:
        remarks = [Remark(slip.unclear, {"place": unclear_place(slip)})]
    if not remarks:
        return verdict
    others = [reason for reason in verdict.reasons if reason.key in REASONS_OF_OTHERS]
    return replace(
        verdict,
        verdict=Verdict.CANNOT_TELL,
        reasons=(*remarks, *others),
        kingdom=None,
    )


def _said(slip: BriefSlip, holder: Holder) -> dict[str, str]:
    """What a slip says of its line, by column."""
    claimed = "" if slip.claimed is None else str(slip.claimed)
    return {
        "player": holder.player,
        "game": holder.table,
        "round": holder.round,
        "claimed": claimed,
    }


def _completed(line: SheetLine, said: Mapping[str, str]) -> SheetLine:
    """A line with what a slip says in its empty fields."""
    whole = {**{name: text for name, text in said.items() if text}, **line.said}
    empty = not line.said.get("claimed")
    return replace(
        line,
        player=whole.get("player", ""),
        game=whole.get("game", ""),
        round=whole.get("round", ""),
        claimed=int(said["claimed"]) if empty and said["claimed"] else line.claimed,
        letter=line.letter or said["kingdom"],
        said=whole,
    )


def _line_of(lines: Sequence[SheetLine], letter: str, player: str, *, alone: bool) -> int | None:
    """The line of a kingdom: by its letter, its player, or as the only one of the only kingdom."""
    for index, line in enumerate(lines):
        same_player = name_key(line.player) == name_key(player) if line.player else False
        if line.letter == letter if line.letter and letter else same_player:
            return index
    return 0 if alone and len(lines) == 1 else None


def _same(text: str, other: str) -> bool:
    """Whether two fields say the same: numbers by value, names however they are written."""
    if text.isdecimal() and other.isdecimal():
        return int(text) == int(other)
    return name_key(text) == name_key(other)
