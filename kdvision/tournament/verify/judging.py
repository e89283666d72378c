"""Claims held against kingdoms: `judge`, which needs no files.

The lines of a table are judged in five steps. Lines that name one photo share its kingdoms, each
of which has one owner (`claims`). A photo that two tables name belongs to one of them
(`_judge_shared`). A kingdom or domino that is in two photos makes both open (`duplicates`). Two
lines that agree once they are exchanged have been exchanged (`_with_swaps`). What a person settled
stands before all this, and takes its kingdom.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from kdvision.result import Status
from kdvision.tournament.lines import SheetLine
from kdvision.tournament.verify.claims import judge_photo
from kdvision.tournament.verify.duplicates import (
    LineKingdom,
    PhotoReading,
    domino_clashes,
    kingdom_clashes,
    same_pictures,
)
from kdvision.tournament.verify.verdicts import (
    LineVerdict,
    Remark,
    Verdict,
    settled_verdict,
    who,
    whos,
)


def judge(lines: Sequence[SheetLine], readings: Sequence[PhotoReading | None]) -> list[LineVerdict]:
    """Hold the claims of all lines of a tournament against what was read of their photos.

    Args:
        lines: The lines, those of all tables and rounds together.
        readings: For each line what was read of its photo by its options; None where there is no
            photo yet, or none was reached.

    Returns:
        A verdict for each line, in their order.
    """
    judged: dict[int, LineVerdict] = {}
    for index, (line, reading) in enumerate(zip(lines, readings, strict=True)):
        if reading is None:
            judged[index] = _without_photo(line)
    for picture in same_pictures(lines, readings):
        tables = _by_table(picture, lines)
        if len(tables) == 1:
            judged |= _judge_table(picture, lines, readings)
        else:
            judged |= _judge_shared(tables, lines, readings)
    verdicts = [judged[index] for index in range(len(lines))]
    verdicts = _with_clashes(verdicts, readings)
    return _with_swaps(verdicts, readings)


def _without_photo(line: SheetLine) -> LineVerdict:
    """The verdict on a line without a photo."""
    reasons = (Remark("verdict.no-photo"),)
    return settled_verdict(LineVerdict(line=line, verdict=Verdict.CANNOT_TELL, reasons=reasons))


def _by_table(picture: Sequence[int], lines: Sequence[SheetLine]) -> list[list[int]]:
    """The lines of one picture by the tables that they were played at."""
    tables: dict[tuple[str, str], list[int]] = {}
    for index in picture:
        tables.setdefault(lines[index].place, []).append(index)
    return list(tables.values())


def _judge_table(
    indices: Sequence[int], lines: Sequence[SheetLine], readings: Sequence[PhotoReading | None]
) -> dict[int, LineVerdict]:
    """The verdicts on the lines of one photo."""
    photos = [reading.result for index in indices if (reading := readings[index])]
    verdicts = judge_photo([lines[index] for index in indices], photos)
    return dict(zip(indices, verdicts, strict=True))


def notes_of(verdicts: Sequence[LineVerdict]) -> list[Remark]:
    """What there is to know of a sheet beyond the claims of its lines."""
    notes = [
        Remark("verdict.note-broken", {"line": who(one.line), "problem": one.broken})
        for one in verdicts
        if one.broken
    ]
    photos = {one.line.photo for one in verdicts if one.by_claims}
    return [
        *notes,
        *([Remark("verdict.note-by-claims", {"n": len(photos)})] if photos else []),
    ]


# ---------------------------------------------------------------------- several photos and tables


def _judge_shared(
    tables: Sequence[Sequence[int]],
    lines: Sequence[SheetLine],
    readings: Sequence[PhotoReading | None],
) -> dict[int, LineVerdict]:
    """The verdicts on the lines of several tables that have one photo.

    It belongs to the only table all of whose claims are kingdoms of it, where it shows several.
    Else nothing says whose it is.
    """
    judged = [_judge_table(table, lines, readings) for table in tables]
    fitting = [
        n
        for n, verdicts in enumerate(judged)
        if len(verdicts) > 1 and all(one.verdict is Verdict.AGREES for one in verdicts.values())
    ]
    places = [_place(lines[table[0]]) for table in tables]
    found: dict[int, LineVerdict] = {}
    for n, verdicts in enumerate(judged):
        if fitting == [n]:
            found |= verdicts
            continue
        others = [place for other, place in enumerate(places) if other != n]
        if len(fitting) == 1:
            reason = Remark("verdict.photo-of-table", {"table": places[fitting[0]]})
        elif all(len(table) == 1 for table in tables):
            owners = [lines[table[0]] for m, table in enumerate(tables) if m != n]
            reason = Remark("verdict.same-photo", {"lines": whos(owners)})
        else:
            reason = Remark("verdict.photo-shared", {"tables": tuple(others)})
        found |= {index: _with_reason(one, reason) for index, one in verdicts.items()}
    return found


def _with_reason(verdict: LineVerdict, reason: Remark) -> LineVerdict:
    """A verdict on a line whose photo is not its own: open, with this reason alone."""
    if verdict.verdict in (Verdict.SETTLED, Verdict.BAD_LINE):
        return verdict
    reasons = (*(one for one in verdict.reasons if one.code in _SHARED), reason)
    return LineVerdict(
        line=verdict.line,
        verdict=Verdict.CANNOT_TELL,
        reasons=reasons,
        status=verdict.status,
        pending=True,
    )


#: Reasons that leave no room for explanations of a difference.
_SHARED = frozenset(
    {
        "verdict.photo-of-table",
        "verdict.photo-shared",
        "verdict.same-photo",
        "verdict.same-kingdom",
        "verdict.domino-twice",
    }
)


def _place(line: SheetLine) -> Remark:
    """A table as sentences name it: `round 2, table 4`."""
    if line.round and line.game:
        return Remark("verdict.place", {"round": line.round, "table": line.game})
    if line.round:
        return Remark("verdict.place.round", {"round": line.round})
    if line.game:
        return Remark("verdict.place.table", {"table": line.game})
    return who(line)


def _with_clashes(
    verdicts: Sequence[LineVerdict], readings: Sequence[PhotoReading | None]
) -> list[LineVerdict]:
    """The verdicts where no kingdom is in two photos, and no domino in two kingdoms of a game."""
    judged = list(verdicts)
    lines = [verdict.line for verdict in verdicts]
    laid = [_laid(*pair) for pair in zip(verdicts, readings, strict=True)]
    for first, second in kingdom_clashes(laid):
        for index, other in ((first, lines[second]), (second, lines[first])):
            fields = {"line": who(other), "photo": other.photo, "place": _place(other)}
            reason = Remark("verdict.same-kingdom", fields)
            judged[index] = _with_reason(judged[index], reason)
    for clash in domino_clashes(laid):
        for index in clash.lines:
            others = [lines[other] for other in clash.lines if other != index]
            fields = {"dominoes": clash.dominoes, "lines": whos(others), "times": clash.times}
            if judged[index].verdict is Verdict.AGREES:
                reason = Remark("verdict.domino-twice", fields)
                judged[index] = _with_reason(judged[index], reason)
    return judged


def _laid(verdict: LineVerdict, reading: PhotoReading | None) -> LineKingdom:
    """The kingdom of a line, to be held against the others."""
    line, kingdom = verdict.line, verdict.kingdom
    return LineKingdom(
        photo=(reading.digest if reading else "") or line.photo,
        player=line.player,
        place=line.place,
        kingdom=kingdom.kingdom if kingdom else None,
        sure=kingdom is not None and kingdom.status is Status.SURE,
        boxes=line.options.boxes,
    )


# ---------------------------------------------------------------------- exchanged lines


def _with_swaps(
    verdicts: Sequence[LineVerdict], readings: Sequence[PhotoReading | None]
) -> list[LineVerdict]:
    """The verdicts, where lines that were exchanged have that as their only explanation."""
    judged = list(verdicts)
    for first, second in _exchanged_tables(verdicts, readings):
        for mine, other in ((first, second), (second, first)):
            for index in mine:
                reason = Remark(
                    "verdict.tables-exchanged", {"table": _place(judged[other[0]].line)}
                )
                judged[index] = _exchanged(judged[index], reason)
    for one, two in _exchanged_lines(judged):
        same = judged[one].line.photo == judged[two].line.photo
        code = "verdict.letters-exchanged" if same else "verdict.lines-exchanged"
        for index, partner in ((one, two), (two, one)):
            reason = Remark(code, {"line": who(judged[partner].line)})
            judged[index] = _exchanged(judged[index], reason)
    return judged


def _exchanged(verdict: LineVerdict, reason: Remark) -> LineVerdict:
    if verdict.verdict is Verdict.SETTLED:
        return verdict
    return replace(
        verdict, verdict=Verdict.DIFFERS, reasons=(reason,), explanations=(), pending=True
    )


def _exchanged_lines(verdicts: Sequence[LineVerdict]) -> Iterator[tuple[int, int]]:
    """Pairs of lines of a round that both agree when they are exchanged; each in one pair only."""
    differing = [
        index
        for index, one in enumerate(verdicts)
        if one.verdict is Verdict.DIFFERS
        and one.kingdom is not None
        and one.kingdom.status is Status.SURE
        and not one.pending
    ]
    partners: dict[int, list[int]] = {}
    for index in differing:
        mine = verdicts[index]
        fitting = [
            other
            for other in differing
            if other != index
            and verdicts[other].line.round == mine.line.round
            and mine.kingdom is not None
            and (kingdom := verdicts[other].kingdom) is not None
            and mine.line.claimed == kingdom.score
            and verdicts[other].line.claimed == mine.kingdom.score
        ]
        at_table = [other for other in fitting if verdicts[other].line.place == mine.line.place]
        partners[index] = at_table or fitting
    for index, fitting in partners.items():
        if len(fitting) == 1 and partners[fitting[0]] == [index] and index < fitting[0]:
            yield index, fitting[0]


def _exchanged_tables(
    verdicts: Sequence[LineVerdict], readings: Sequence[PhotoReading | None]
) -> Iterator[tuple[list[int], list[int]]]:
    """Pairs of tables of a round whose lines all agree once their photos are exchanged."""
    tables: dict[tuple[tuple[str, str], str], list[int]] = {}
    for index, verdict in enumerate(verdicts):
        if verdict.line.photo and readings[index] is not None:
            tables.setdefault((verdict.line.place, verdict.line.photo), []).append(index)
    wrong = [
        (place, indices)
        for (place, _), indices in tables.items()
        if len(indices) > 1
        and not any(verdicts[n].verdict is Verdict.AGREES for n in indices)
        and any(verdicts[n].verdict is Verdict.DIFFERS for n in indices)
    ]
    used: set[int] = set()
    for n, (place, mine) in enumerate(wrong):
        for other_place, theirs in wrong[n + 1 :]:
            same_round = place[0] == other_place[0]
            if not same_round or len(mine) != len(theirs) or {*mine, *theirs} & used:
                continue
            if _all_agree(mine, theirs, verdicts, readings) and _all_agree(
                theirs, mine, verdicts, readings
            ):
                used |= {*mine, *theirs}
                yield mine, theirs


def _all_agree(
    mine: Sequence[int],
    theirs: Sequence[int],
    verdicts: Sequence[LineVerdict],
    readings: Sequence[PhotoReading | None],
) -> bool:
    """Whether the claims of a table agree with the photo of another."""
    reading = readings[theirs[0]]
    assert reading is not None
    lines = [verdicts[index].line for index in mine]
    if any(line.accepted for line in lines) or len(reading.result.kingdoms) != len(lines):
        return False
    judged = judge_photo(lines, [reading.result] * len(lines))
    return all(one.verdict is Verdict.AGREES for one in judged)
