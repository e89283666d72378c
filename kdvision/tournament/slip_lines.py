"""What the slips in photos say of lines: nobody types whose photo it is, or what was counted.

Slips complete the lines that people wrote, and give those that nobody did. What a slip does not say
for sure, or a line says otherwise, is a remark on the line.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from kdvision.columns import WHO, ColumnNames
from kdvision.corrections import kingdom_name
from kdvision.report.wording import kingdom_names, unclear_place
from kdvision.result import PhotoResult
from kdvision.sentences import sentence
from kdvision.slips.event import FILE_NAME, Holder, SlipEvent
from kdvision.slips.layout import BONUSES
from kdvision.slips.slip import TWO_PAPERS, Slip, SlipCode
from kdvision.tournament.batch.journal import Scored
from kdvision.tournament.lines import SheetLine, name_key
from kdvision.tournament.sheets import Row, Sheet
from kdvision.tournament.verify.judging import judge
from kdvision.tournament.verify.mistakes import Remark
from kdvision.tournament.verify.verdicts import REASONS_OF_OTHERS, LineVerdict, Verdict

_COLUMNS = ("photo", "kingdom", "player", "game", "round", "claimed", *BONUSES)


class SlipsOfRun:
    """The slips in the photos of a run, by the names of the photos.

    Args:
        photos: What was read of each.
        event: What the numbers on the slips mean; without it they stand for themselves.
    """

    def __init__(self, photos: Mapping[str, PhotoResult], event: SlipEvent | None) -> None:
        self._photos, self._event = photos, event
        self._seen: dict[SlipCode, list[str]] = {}
        for name, photo in photos.items():
            for slip in photo.slips:
                self._seen.setdefault(slip.code, []).append(Path(name).name)

    def sheet(self, path: Path) -> Sheet:
        """Make a table, as if a person had written it: a line for each slip and lone kingdom.

        Args:
            path: What the table is called.
        """
        lines = [line for name in self._photos for line in self._sheet_lines(name)]
        rows = (
            Row(number, fields, [fields.get(name, "") for name in _COLUMNS], problem=problem)
            for number, (fields, problem) in enumerate(lines, 2)
        )
        return Sheet(path, _COLUMNS, Row(1, cells=_COLUMNS), tuple(rows), names=ColumnNames())

    def lines(self, name: str, entries: Sequence[SheetLine]) -> list[SheetLine]:
        """Complete the lines of a photo, and add one for each slip beside a kingdom without a line.

        Where a line and the slip of its kingdom disagree, its `problem` names both. Without an
        event a slip may be that of any line that names no kingdom, and adds none then.
        """
        photo, lines = self._photos[name], list(entries)
        tables: set[tuple[str, str]] = set()
        for index, letter in enumerate(kingdom_names(photo)):
            slip = photo.slip_of(index)
            holder = slip and self._holder(slip)
            if not slip or not holder:
                continue
            at = _line_of(lines, letter, holder.player, alone=len(photo.kingdoms) == 1)
            if at is None:
                if self._event is None and not all(line.letter for line in lines):
                    continue
                at = len(lines)
                lines.append(SheetLine(photo=name))
            line = _without_numbers(lines[at], slip)
            line = _completed(line, {**_said(slip, holder), "kingdom": letter})
            problem = " ".join(remark.text() for remark in self._remarks(slip, line))
            lines[at] = replace(line, problem=line.problem or problem)
            tables.add((holder.table, holder.round))
        if self._event is None or len(tables) != 1:
            return lines
        # A photo is of one table: a line without a slip is of the same.
        ((table, round_),) = tables
        said = {"game": table, "round": round_, "claimed": "", "kingdom": ""}
        return [_completed(line, said) for line in lines]

    def notes(self, names: Iterable[str]) -> Iterator[str]:
        """Say which slips of photos have no kingdom, and which kingdoms no slip, if any has one."""
        if not self._seen:
            return
        if self._event is None:
            yield sentence("slip.no-event", file=FILE_NAME)
        for name in dict.fromkeys(names):
            photo = self._photos[name]
            for slip in photo.slips:
                for remark in self._of_no_line(slip):
                    yield f"{name}: {remark}"
            for index in range(len(photo.kingdoms)):
                if not photo.slip_of(index):
                    yield f"{name}: {_without_slip(index)}"

    def opened(self, verdict: LineVerdict, name: str) -> LineVerdict:
        """Open the verdict on a line that its slip contradicts, or whose slip is unclear.

        `name` is that of its photo.
        """
        line, photo = verdict.line, self._photos[name]
        letters = kingdom_names(photo)
        letter = (verdict.letter or line.letter) if len(letters) > 1 else ""
        slip = photo.slip_of(letters.index(letter)) if letter in letters else None
        if not slip and line.claimed is None:
            free = ((one, self._holder(one)) for one in photo.slips if one.no_kingdom)
            name = line.player
            own = (
                one for one, whose in free if whose and _same(name or whose.player, whose.player)
            )
            slip = next(own, None)
        if not slip or line.problem or line.accepted:
            return verdict
        remarks = self._of_no_line(slip) or self._remarks(slip, line)
        if line.claimed is None:
            remarks = remarks or _unclear(slip)
        if not remarks:
            return verdict
        others = [reason for reason in verdict.reasons if reason.key in REASONS_OF_OTHERS]
        return replace(
            verdict, verdict=Verdict.CANNOT_TELL, reasons=(*remarks, *others), kingdom=None
        )

    def _holder(self, slip: Slip) -> Holder | None:
        """Whose slip it is, by numbers where there is no event; None where it is of another."""
        return _numbers(slip) if self._event is None else self._event.seat(slip.code)

    def _sheet_lines(self, name: str) -> list[tuple[dict[str, str], str]]:
        """The fields of the lines that a photo gives, each with its problem."""
        photo = self._photos[name]
        letters = kingdom_names(photo)
        lines: list[tuple[dict[str, str], str]] = []
        for slip in photo.slips:
            holder = self._holder(slip)
            remarks = [*self._twice(slip), *self._of_no_line(slip), *_unclear(slip)]
            fields = {
                "photo": name,
                "kingdom": letters[slip.kingdom or 0] if not slip.no_kingdom else "",
                **_said(slip, holder or Holder("")),
                **dict.fromkeys(slip.bonuses, "yes"),
            }
            lines.append((fields, remarks[0].text() if remarks else ""))
        owned = {slip.kingdom for slip in photo.slips}
        for index, letter in enumerate(letters):
            if index not in owned:
                lines.append(({"photo": name, "kingdom": letter}, _without_slip(index)))
        return lines or [({"photo": name}, photo.message)]

    def _remarks(self, slip: Slip, line: SheetLine) -> list[Remark]:
        """How a line and its slip disagree; nothing once a person has settled it."""
        holder = self._holder(slip)
        if line.accepted:
            return []
        if holder is None:
            return [Remark("slip.other-event")]
        compared = ("claimed",) if self._event is None else (*WHO, "claimed")
        written = {**line.said, "claimed": _total_text(line.claimed)}
        remarks = []
        for column, text in _said(slip, holder).items():
            known = written.get(column, "")
            if column in compared and text and known and not _same(known, text):
                fields = {"column": f"slip.column.{column}", "sheet": known, "slip": text}
                remarks.append(Remark("slip.disagrees", fields))
        return remarks or self._twice(slip)

    def _twice(self, slip: Slip) -> list[Remark]:
        """Say that a slip is in several photos, or in one photo on two papers."""
        holder, names = self._holder(slip), dict.fromkeys(self._seen[slip.code])
        if holder is None:
            return []
        if len(names) > 1:
            return [Remark("slip.twice", {"player": holder.player, "photos": ", ".join(names)})]
        return _unclear(slip) if slip.unclear == TWO_PAPERS else []

    def _of_no_line(self, slip: Slip) -> list[Remark]:
        """Say why a slip tells of no line: other event, two papers, or no kingdom for sure."""
        holder = self._holder(slip)
        if holder is None:
            return [Remark("slip.other-event")]
        if slip.unclear == TWO_PAPERS:
            return _unclear(slip)
        return [Remark(slip.no_kingdom, {"player": holder.player})] if slip.no_kingdom else []


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
    photos: dict[str, PhotoResult] = {}
    names: dict[str, str] = {}
    for index, (line, reading) in enumerate(zip(lines, readings, strict=True)):
        if reading and reading.result.slips:
            # A photo may have several names, as where each player has a copy.
            name = names.setdefault(reading.digest or line.photo, line.photo)
            of_photo.setdefault(name, []).append(index)
            photos[name] = reading.result
    slips = SlipsOfRun(photos, event)
    completed = list(lines)
    for photo, found in of_photo.items():
        # Those of slips that no line has come behind them.
        for index, line in zip(found, slips.lines(photo, [lines[n] for n in found]), strict=False):
            completed[index] = replace(line, problem=lines[index].problem)
    verdicts = judge(completed, readings)
    for photo, found in of_photo.items():
        for index in found:
            verdicts[index] = slips.opened(verdicts[index], photo)
    return verdicts


def _without_slip(index: int) -> str:
    return sentence("slip.none", kingdom=kingdom_name(index))


def _unclear(slip: Slip) -> list[Remark]:
    """Say why the total of a slip is unclear."""
    return [Remark(slip.unclear, {"place": unclear_place(slip)})] if slip.unclear else []


def _said(slip: Slip, holder: Holder) -> dict[str, str]:
    """What a slip says of its line, by column."""
    return {
        "player": holder.player,
        "game": holder.table,
        "round": holder.round,
        "claimed": _total_text(slip.claimed),
    }


def _total_text(total: int | None) -> str:
    return "" if total is None else str(total)


def _numbers(slip: Slip) -> Holder:
    """The numbers of a slip in the place of the names that the event's file knows."""
    return Holder(str(slip.code.player), str(slip.code.table), str(slip.code.round))


def _without_numbers(line: SheetLine, slip: Slip) -> SheetLine:
    """A line without the numbers of its slip, which a run without the event's file has written."""
    numbers = _said(slip, _numbers(slip))
    if any(line.said.get(column) != numbers[column] for column in WHO):
        return line
    said = {column: text for column, text in line.said.items() if column not in WHO}
    return replace(line, player="", game="", round="", said=said)


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
