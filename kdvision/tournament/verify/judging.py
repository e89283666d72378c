"""Claims held against kingdoms: `judge`, which needs no files.

Lines that name one photo share its kingdoms, each of which has one owner (`judge_photo`). A photo
that two tables name belongs to one of them (`_judge_tables`). A kingdom or domino that is in two
photos makes both lines open (`_open_clashes`). Two lines that agree once they are exchanged have
been exchanged (`_explain_exchanges`). What a person settled stands before all this, and takes its
kingdom.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec.structs import replace

from kdvision.columns import Accepted
from kdvision.corrections import kingdom_name
from kdvision.errors import UsageError
from kdvision.pipeline.settings import PIPELINE
from kdvision.report.wording import percent
from kdvision.result import PhotoResult, Status
from kdvision.sentences import DEFAULT_LANGUAGE, Sentence, joined
from kdvision.tournament.batch.journal import Scored
from kdvision.tournament.lines import SheetLine
from kdvision.tournament.ownership import (
    Fit,
    OwnedKingdom,
    accounted_for,
    best_kingdoms,
    chances_of,
    domino_clashes,
    fit_of,
    kingdom_clashes,
    pictures_saved_again,
)
from kdvision.tournament.verify.mistakes import Remark, explain
from kdvision.tournament.verify.verdicts import REASONS_OF_OTHERS, LineVerdict, Verdict

#: A total of a doubtful kingdom that is at least as likely as this keeps others from being sure:
#: what is sure is right at least with the other part of 1.
LEAST_TOTAL = 1 - PIPELINE.sure_from
#: No more lines are named in one reason; a table has four.
MOST_LINES_NAMED = 5

Lines = Sequence[SheetLine]
#: What was read of the photo of each line; None where there is none.
Readings = Sequence[Scored | None]


def judge(lines: Lines, readings: Readings) -> list[LineVerdict]:
    """Hold the claims of all lines of a tournament against what was read of their photos.

    Args:
        lines: The lines, those of all tables and rounds together.
        readings: For each line what was read of its photo by its options; None where there is no
            photo yet, or none was reached.

    Returns:
        A verdict for each line, in their order.
    """
    photos = {index: reading.result for index, reading in enumerate(readings) if reading}
    judged = {
        index: _settled(_open(line, Remark("verdict.no-photo")))
        for index, line in enumerate(lines)
        if index not in photos
    }
    for picture in _by_picture(lines, readings):
        tables: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for index in picture:
            tables[lines[index].place].append(index)
        judged |= _judge_tables(list(tables.values()), lines, photos)
    verdicts = [judged[index] for index in range(len(lines))]
    _open_clashes(verdicts, readings)
    _explain_exchanges(verdicts, photos)
    return verdicts


def notes_of(verdicts: Sequence[LineVerdict]) -> list[Remark]:
    """Return what there is to know of a sheet beyond single claims."""
    notes = [
        Remark("verdict.note-broken", {"line": _line_name(verdict.line), "problem": verdict.broken})
        for verdict in verdicts
        if verdict.broken
    ]
    photos = {verdict.line.photo for verdict in verdicts if verdict.by_claims}
    return [*notes, *([Remark("verdict.note-by-claims", {"n": len(photos)})] if photos else [])]


# ---------------------------------------------------------------------- a claim and its kingdom


def _judge_kingdom(line: SheetLine, photo: PhotoResult, index: int) -> LineVerdict:
    """Hold a claim against the kingdom of a photo that it is made for.

    A sure reading agrees or differs. A doubtful one can only differ, and does when all totals that
    it can have are listed and the claim is none of them. One that cannot be scored says nothing.
    """
    kingdom, claimed = photo.kingdoms[index], line.claimed
    letter = kingdom_name(index) if len(photo.kingdoms) > 1 else ""
    said = (kingdom.doubt.sentence,) if letter and kingdom.doubt else photo.reasons
    doubt = {"doubt": _Said("verdict.said", {"sentences": said})}
    held = replace(_open(line), kingdom=kingdom, letter=letter)
    if not kingdom.scored:
        return replace(held, kingdom=None, reasons=(Remark("verdict.not-scored", doubt),))
    if claimed is None:
        return held
    if kingdom.status is Status.SURE and claimed == kingdom.score:
        return replace(held, verdict=Verdict.AGREES)
    if fit_of(claimed, kingdom) is Fit.POSSIBLE:
        code = "possible" if claimed in chances_of(kingdom) else "others-possible"
        code = "likeliest" if claimed == kingdom.score else code
        chance = percent(kingdom.probability)
        fields = {"total": kingdom.score, "chance": chance, "claimed": claimed, **doubt}
        return replace(held, reasons=(Remark(f"verdict.{code}", fields),))
    mistakes = explain(kingdom.sheet, claimed, kingdom.origin)
    code = ("no-mistake", "mistake", "mistakes")[len(mistakes)]
    named = dict(zip(("first", "second"), mistakes, strict=False))
    reasons = [Remark(f"verdict.{code}", named)]
    if kingdom.status is not Status.SURE:
        reasons.append(Remark("verdict.differs-unsure", {"claimed": claimed}))
    return replace(held, verdict=Verdict.DIFFERS, reasons=tuple(reasons))


def _settled(verdict: LineVerdict) -> LineVerdict:
    """Apply the decision of a person, which rescues any line; without one a bad line is bad."""
    line, accepted = verdict.line, verdict.line.accepted
    if accepted is None:
        problem = line.problem or (Sentence("column.empty-claim") if line.claimed is None else "")
        return _bad(verdict, problem) if problem else verdict
    read = verdict.kingdom.score if verdict.kingdom else None
    try:
        total = accepted.settle(line.claimed, read)
    except UsageError as error:
        return _bad(verdict, error.reasons)
    by = Remark("verdict.by" if accepted.note else "verdict.by-nobody", {"note": accepted.note})
    reason = Remark(f"verdict.settled.{accepted.what.value}", {"total": total, "by": by})
    return replace(verdict, verdict=Verdict.SETTLED, reasons=(reason,), settled=total)


def _bad(verdict: LineVerdict, problem: str | Sentence | tuple[Sentence, ...]) -> LineVerdict:
    reason = Remark("verdict.bad-line", {"problem": problem})
    return replace(verdict, verdict=Verdict.BAD_LINE, reasons=(reason,), kingdom=None)


class _Said(Remark, frozen=True):
    """What was said of a photo, in `sentences`."""

    def text(self, language: str = DEFAULT_LANGUAGE) -> str:
        return joined(self.fields["sentences"], language)


def _open(line: SheetLine, *reasons: Remark, verdict: Verdict = Verdict.CANNOT_TELL) -> LineVerdict:
    return LineVerdict(line=line, verdict=verdict, reasons=reasons)


# ---------------------------------------------------------------------- the lines of one photo


def judge_photo(lines: Lines, photos: Sequence[PhotoResult]) -> list[LineVerdict]:
    """Hold the claims of all lines that name one photo against its kingdoms.

    Every kingdom has one owner. A line owns the kingdom whose letter it names, and one that is
    settled owns the kingdom that it was settled with. The other lines are assigned to the other
    kingdoms one to one, so that most claims are explained; they agree only where there are as many
    lines as kingdoms and every best assignment explains them. Of three lines and more, where all
    but one claim match all but one kingdom, the others agree as far as the claims tell, and that
    one is held against the kingdom that is left.

    Args:
        lines: The lines.
        photos: What was read for each, by its options; all have the same kingdoms.
    """
    held = zip(_held(lines, photos), photos, strict=True)
    return [_settled(replace(verdict, status=photo.status)) for verdict, photo in held]


def kingdoms_of(lines: Lines, photos: Sequence[PhotoResult]) -> list[int | None]:
    """Return the index of the kingdom of a photo that each line is about, None where it is open.

    A line has the kingdom that it was settled with, or names alone, whose total it claims where all
    lines without a letter agree, or the only one of a photo that no other line names.
    """
    held = _held(lines, photos) if lines else []
    names = _letters(range(len(photos[0].kingdoms))) if lines else ()
    is_alone = len(names) == len(lines) == 1
    unnamed = [verdict for verdict in held if not (verdict.line.letter or verdict.line.accepted)]
    agree = is_alone or _all_agree(unnamed)
    owns: list[int | None] = []
    for verdict in held:
        line, letter = verdict.line, verdict.letter or verdict.line.letter
        if not letter and len(names) == 1 and (is_alone or verdict.kingdom):
            letter = names[0]
        is_known = letter in names and (agree or line.letter or line.accepted)
        owns.append(names.index(letter) if is_known else None)
    settled = [own for own, line in zip(owns, lines, strict=True) if line.accepted]
    rivals = [settled if line.accepted else owns for line in lines]
    return [own if of.count(own) == 1 else None for own, of in zip(owns, rivals, strict=True)]


def _held(lines: Lines, photos: Sequence[PhotoResult]) -> list[LineVerdict]:
    """Hold claims against the kingdoms of their photo, before what people settled is applied."""
    owners = _owners(lines, photos)
    free = [index for index in range(len(photos[0].kingdoms)) if index not in owners.values()]
    verdicts: dict[int, LineVerdict] = {}
    sharing = []
    for n, (line, photo) in enumerate(zip(lines, photos, strict=True)):
        if not photo.kingdoms:
            verdicts[n] = _open(line, _Said("verdict.said", {"sentences": photo.reasons}))
        elif line.letter and not line.accepted:
            verdicts[n] = _judge_lettered(line, photo, lines, free)
        elif n in owners:
            verdicts[n] = _judge_kingdom(line, photo, owners[n])
        elif line.accepted or line.claimed is None or line.problem:
            verdicts[n] = _open(line, Remark("verdict.no-kingdom-named"))
        elif not free:
            verdicts[n] = _open(line, Remark("verdict.all-owned"))
        else:
            sharing.append(n)
    if sharing:
        shared = _Sharing([lines[n] for n in sharing], [photos[n] for n in sharing], free, lines)
        verdicts |= zip(sharing, shared.verdicts(), strict=True)
    return [verdicts[n] for n in range(len(lines))]


def _owners(lines: Lines, photos: Sequence[PhotoResult]) -> dict[int, int]:
    """Return the kingdoms whose owner is known without claims, by the index of the line."""
    names = [kingdom_name(index) for index in range(len(photos[0].kingdoms))]
    if len(names) == len(lines) == 1 and not lines[0].letter:
        return {0: 0}
    owners: dict[int, int] = {}
    for n in sorted(range(len(lines)), key=lambda n: lines[n].accepted is None):
        if lines[n].letter in names:
            index = names.index(lines[n].letter)
            if lines[n].accepted or index not in owners.values():
                owners[n] = index
    for n, line in enumerate(lines):
        if line.accepted and not line.letter:
            # A total that a person wrote says which kingdom is meant, where only one has it.
            total = line.claimed if line.accepted.what is Accepted.CLAIM else line.accepted.total
            fitting = [
                index
                for index, kingdom in enumerate(photos[n].kingdoms)
                if fit_of(total, kingdom) is Fit.EXPLAINED and index not in owners.values()
            ]
            if len(fitting) == 1:
                owners[n] = fitting[0]
    return owners


def _judge_lettered(
    line: SheetLine, photo: PhotoResult, lines: Lines, free: Sequence[int]
) -> LineVerdict:
    """Judge a line that names its kingdom."""
    names = [kingdom_name(index) for index in range(len(photo.kingdoms))]
    if line.letter not in names:
        fields = {"letter": line.letter, "n": len(names), "last": names[-1]}
        reason = Remark("verdict.no-such-kingdom", fields)
        return _open(line, reason, verdict=Verdict.BAD_LINE)
    rivals = [other for other in lines if other is not line and other.letter == line.letter]
    if not rivals:
        return _judge_kingdom(line, photo, names.index(line.letter))
    fields = {"letter": line.letter, "lines": _line_names(rivals)}
    reasons = [Remark("verdict.letter-twice", fields)]
    fits = [fit_of(line.claimed, kingdom) for kingdom in photo.kingdoms]
    exact = [names[index] for index in free if fits[index] is Fit.EXPLAINED]
    if len(exact) == 1:
        fields = {"claimed": line.claimed, "letter": exact[0]}
        reasons.append(Remark("verdict.claim-is-kingdom", fields))
    verdict = Verdict.DIFFERS if {*fits} == {Fit.UNEXPLAINED} else Verdict.CANNOT_TELL
    return _open(line, *reasons, verdict=verdict)


def _letters(indices: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(kingdom_name, indices))


class _Sharing:
    """Judges lines without letters by the kingdoms that they share.

    `free` are the indices of the kingdoms that no other line owns, `named` all lines of the photo.
    """

    def __init__(
        self, lines: Lines, photos: Sequence[PhotoResult], free: Sequence[int], named: Lines
    ) -> None:
        self.lines, self.photos, self.free = lines, photos, free
        #: How well every kingdom of the photo, by the rules of each line, explains its claim.
        self.fits = [
            [fit_of(line.claimed, kingdom) for kingdom in photo.kingdoms]
            for line, photo in zip(lines, photos, strict=True)
        ]
        kingdoms = len(photos[0].kingdoms)
        self.numbers = Remark("verdict.numbers", {"n": len(named), "kingdoms": kingdoms})
        self.remedy = Remark(f"verdict.remedy-{'accept' if kingdoms == 1 else 'letter'}")

    def verdicts(self) -> list[LineVerdict]:
        """Judge every line."""
        fits = [[row[index] for index in self.free] for row in self.fits]
        options = best_kingdoms(fits)
        owns = [sorted(self.free[n] for n in own if n is not None) for own in options]
        unexplained = [n for n, known in enumerate(accounted_for(fits, options)) if not known]
        is_certain = all(len(own) == 1 for own in options) and not any(
            Fit.POSSIBLE in row for row in fits
        )
        # Of two claims, the one that is explained may as well be the other player's mistake.
        if is_certain and len(unexplained) == 1 and len(self.lines) == len(self.free) != 2:
            every = [own for (own,) in owns]
            if not self._is_made_twice(unexplained[0], every):
                return self._judge_by_rest(unexplained[0], every)
        wrong = [self.lines[n] for n in unexplained]
        return [
            self._judge(n, own, wrong, may_have_none=None in options[n])
            for n, own in enumerate(owns)
        ]

    def _judge_by_rest(self, wrong: int, owns: Sequence[int]) -> list[LineVerdict]:
        """Judge lines of which one has the kingdom that all others leave."""
        verdicts = []
        for n, (line, own) in enumerate(zip(self.lines, owns, strict=True)):
            held = _judge_kingdom(line, self.photos[n], own)
            code = "verdict.only-left" if n == wrong else "verdict.as-claims-tell"
            reason = Remark(code, {"letter": kingdom_name(own)})
            verdicts.append(replace(held, reasons=(reason, *held.reasons)))
        return verdicts

    def _is_made_twice(self, wrong: int, owns: Sequence[int]) -> bool:
        """Return whether one mistake that two players made explains the claims as well.

        A table that counts a bonus which is not in play is off by the same in several kingdoms. The
        line that no kingdom explains may then have the kingdom of another player, who has the one
        that is left and claims the total of the other's.
        """
        first = self.lines[wrong].claimed
        for n, own in enumerate(owns):
            second = self.lines[n].claimed
            if n == wrong or first is None or second is None:
                continue
            taken = self.photos[wrong].kingdoms[own]
            left = self.photos[n].kingdoms[owns[wrong]]
            is_off_alike = first - taken.score == second - left.score
            if is_off_alike and explain(taken.sheet, first) and explain(left.sheet, second):
                return True
        return False

    def _judge(
        self, index: int, own: Sequence[int], wrong: Lines, *, may_have_none: bool
    ) -> LineVerdict:
        """Judge one line by the kingdoms that it has in the best assignments.

        `wrong` are the lines that no best assignment explains.
        """
        line, fits = self.lines[index], self.fits[index]
        exact = [n for n in own if fits[n] is Fit.EXPLAINED]
        possible = [n for n in own if fits[n] is Fit.POSSIBLE]
        claimed = {"claimed": line.claimed}
        if exact and len(exact) == len(own) and not may_have_none:
            return self._judge_explained(index, exact, wrong)
        if exact:
            rivals = [
                other
                for other, theirs in zip(self.lines, self.fits, strict=True)
                if other is not line and any(theirs[n] > Fit.UNEXPLAINED for n in exact)
            ]
            code = "verdict.claimed-twice" if rivals else "verdict.total-of-only"
            fields = {**claimed, "kingdoms": _letters(exact), "lines": _line_names(rivals)}
            return _open(line, Remark(code, fields), self.remedy)
        if possible:
            reason = Remark("verdict.may-be", {"kingdoms": _letters(possible)})
            held = _judge_kingdom(line, self.photos[index], possible[0])
            found = _open(line, self.numbers, reason, *held.reasons)
            known = len(own) == 1
            return replace(found, kingdom=held.kingdom, letter=held.letter) if known else found
        if any(fits[n] is not Fit.UNEXPLAINED for n in self.free):
            reason = Remark("verdict.explained-better", claimed)
            return _open(line, self.numbers, reason, self.remedy)
        # It differs, whatever kingdom it has; which that is, is not known.
        fields = {**claimed, "kingdoms": _letters(own or self.free)}
        reason = Remark("verdict.no-kingdom-has", fields)
        return _open(line, reason, self.remedy, verdict=Verdict.DIFFERS)

    def _judge_explained(self, index: int, exact: Sequence[int], wrong: Lines) -> LineVerdict:
        """Judge a claim that every best assignment explains."""
        line, photo = self.lines[index], self.photos[index]
        doubtful = [
            n
            for n, kingdom in enumerate(photo.kingdoms)
            if kingdom.status is not Status.SURE
            and (not kingdom.scored or chances_of(kingdom).get(line.claimed, 0.0) >= LEAST_TOTAL)
        ]
        if len(self.lines) != len(self.free):
            but = self.numbers
        elif doubtful:
            but = Remark("verdict.may-have-too", {"kingdoms": _letters(doubtful)})
        elif wrong:
            but = Remark("verdict.others-unexplained", {"lines": _line_names(wrong)})
        else:
            reason = Remark("verdict.as-claims-tell", {"letter": _letters(exact)})
            if len(exact) == 1:
                return replace(_judge_kingdom(line, photo, exact[0]), reasons=(reason,))
            return _open(line, reason, verdict=Verdict.AGREES)
        fields = {"claimed": line.claimed, "kingdoms": _letters(exact)}
        return _open(line, Remark("verdict.total-of", fields), but, self.remedy)


# ---------------------------------------------------------------------- several photos and tables


def _by_picture(lines: Lines, readings: Readings) -> list[list[int]]:
    """Group the lines that have a photo, by their indices, by what it shows.

    Pictures are one by their name, by their bytes, or as the same picture saved again.
    """
    groups: defaultdict[str, list[int]] = defaultdict(list)
    names: dict[str, str] = {}
    pictures = []
    for index, (line, reading) in enumerate(zip(lines, readings, strict=True)):
        if reading is not None:
            name = line.photo or f"#{index}"
            group = groups[names.setdefault(name, reading.digest or name)]
            if not group:
                kingdoms = [kingdom.kingdom for kingdom in reading.result.kingdoms]
                pictures.append((reading.picture, kingdoms))
            group.append(index)
    order = list(groups.values())
    for first, second in pictures_saved_again(pictures):
        if order[first] and order[second]:
            order[first] += order[second]
            order[second] = []
    return [sorted(group) for group in order if group]


def _judge_tables(
    tables: Sequence[Sequence[int]], lines: Lines, photos: Mapping[int, PhotoResult]
) -> dict[int, LineVerdict]:
    """Judge the lines of all tables that have one photo.

    It belongs to the only table all of whose claims are kingdoms of it, where it shows several.
    Else nothing says whose it is.
    """
    judged = [
        judge_photo([lines[index] for index in table], [photos[index] for index in table])
        for table in tables
    ]
    fitting = [n for n, verdicts in enumerate(judged) if len(verdicts) > 1 and _all_agree(verdicts)]
    heads = [lines[table[0]] for table in tables]
    found: dict[int, LineVerdict] = {}
    for n, (table, verdicts) in enumerate(zip(tables, judged, strict=True)):
        others = heads[:n] + heads[n + 1 :]
        if not others or fitting == [n]:
            found |= zip(table, verdicts, strict=True)
            continue
        if len(fitting) == 1:
            reason = Remark("verdict.photo-of-table", {"table": _table_name(heads[fitting[0]])})
        elif all(len(indices) == 1 for indices in tables):
            reason = Remark("verdict.same-photo", {"lines": _line_names(others)})
        else:
            reason = Remark("verdict.photo-shared", {"tables": tuple(map(_table_name, others))})
        opened = [_opened(verdict, reason) for verdict in verdicts]
        found |= zip(table, opened, strict=True)
    return found


def _all_agree(verdicts: Sequence[LineVerdict]) -> bool:
    return all(verdict.verdict is Verdict.AGREES for verdict in verdicts)


def _opened(verdict: LineVerdict, reason: Remark) -> LineVerdict:
    """Open the verdict on a line whose photo or kingdom is not its own alone."""
    if verdict.verdict in (Verdict.SETTLED, Verdict.BAD_LINE):
        return verdict
    before = [other for other in verdict.reasons if other.key in REASONS_OF_OTHERS]
    return replace(_open(verdict.line, *before, reason), status=verdict.status)


def _open_clashes(verdicts: list[LineVerdict], readings: Readings) -> None:
    """Open the verdicts on kingdoms in two photos, and on dominoes in two kingdoms of a game."""
    owned = [
        OwnedKingdom(
            photo=(reading.digest if reading else "") or verdict.line.photo,
            player=verdict.line.player,
            place=verdict.line.place,
            kingdom=verdict.kingdom.kingdom if verdict.kingdom else None,
            sure=verdict.is_sure,
        )
        for verdict, reading in zip(verdicts, readings, strict=True)
    ]
    lines = [verdict.line for verdict in verdicts]
    for pair in kingdom_clashes(owned):
        for index, other in (pair, pair[::-1]):
            line = lines[other]
            fields = {"line": _line_name(line), "photo": line.photo, "place": _table_name(line)}
            verdicts[index] = _opened(verdicts[index], Remark("verdict.same-kingdom", fields))
    for owners, domino, times in domino_clashes(owned):
        for index in owners:
            others = _line_names([lines[other] for other in owners if other != index])
            if verdicts[index].verdict is Verdict.AGREES:
                fields = {"dominoes": domino, "lines": others, "times": times}
                verdicts[index] = _opened(verdicts[index], Remark("verdict.domino-twice", fields))


# ---------------------------------------------------------------------- exchanged lines


def _explain_exchanges(verdicts: list[LineVerdict], photos: Mapping[int, PhotoResult]) -> None:
    """Explain lines, and tables, that agree once they are exchanged by that alone."""

    def explain_by(index: int, what: str, **fields: Remark) -> None:
        if verdicts[index].verdict is not Verdict.SETTLED:
            reason = Remark(f"verdict.{what}-exchanged", fields)
            verdicts[index] = replace(verdicts[index], verdict=Verdict.DIFFERS, reasons=(reason,))

    for tables in _exchanged_tables(verdicts, photos):
        for mine, theirs in (tables, tables[::-1]):
            for index in mine:
                explain_by(index, "tables", table=_table_name(verdicts[theirs[0]].line))
    for lines in _exchanged_lines(verdicts):
        what = "letters" if len({verdicts[index].line.photo for index in lines}) == 1 else "lines"
        for index, other in (lines, lines[::-1]):
            explain_by(index, what, line=_line_name(verdicts[other].line))


def _exchanged_lines(verdicts: Sequence[LineVerdict]) -> list[tuple[int, int]]:
    """Return pairs of lines of a round that both agree when exchanged; each line in one pair."""
    totals = {
        index: (verdict.line.place[0], verdict.line.claimed, verdict.kingdom.score)
        for index, verdict in enumerate(verdicts)
        if verdict.verdict is Verdict.DIFFERS and verdict.is_sure and verdict.kingdom
        if not verdict.is_exchanged
    }
    by_totals: defaultdict[object, list[int]] = defaultdict(list)
    for index, key in totals.items():
        by_totals[key].append(index)
    partners = {}
    for index, (round_, claimed, read) in totals.items():
        fitting = by_totals.get((round_, read, claimed), [])
        place = verdicts[index].line.place
        at_table = [other for other in fitting if verdicts[other].line.place == place]
        partners[index] = at_table or fitting
    return [
        (index, fitting[0])
        for index, fitting in partners.items()
        if len(fitting) == 1 and index < fitting[0] and partners[fitting[0]] == [index]
    ]


def _exchanged_tables(
    verdicts: Sequence[LineVerdict], photos: Mapping[int, PhotoResult]
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield pairs of tables of a round whose lines all agree once their photos are exchanged."""
    tables: defaultdict[tuple[tuple[str, str], str], list[int]] = defaultdict(list)
    for index, verdict in enumerate(verdicts):
        if verdict.line.photo and index in photos:
            tables[verdict.line.place, verdict.line.photo].append(index)
    wrong = []
    for ((round_, _), _), table in tables.items():
        said = {verdicts[index].verdict for index in table}
        if len(table) > 1 and Verdict.DIFFERS in said and Verdict.AGREES not in said:
            wrong.append((round_, table))

    def agrees_with(table: Sequence[int], other: Sequence[int]) -> bool:
        """Whether all claims of a table agree with the photo of the other."""
        lines, photo = [verdicts[index].line for index in table], photos[other[0]]
        if len(photo.kingdoms) != len(lines) or any(line.accepted for line in lines):
            return False
        return _all_agree(judge_photo(lines, [photo] * len(lines)))

    used: set[int] = set()
    for (round_, mine), (other_round, theirs) in combinations(wrong, 2):
        if round_ != other_round or {*mine, *theirs} & used:
            continue
        if agrees_with(mine, theirs) and agrees_with(theirs, mine):
            used |= {*mine, *theirs}
            yield mine, theirs


# ---------------------------------------------------------------------- lines in sentences


def _line_name(line: SheetLine) -> Remark:
    """Name a line as sentences do: `line 4 (Anna)`, or the player where it has no number."""
    if not line.number:
        return Remark("verdict.said", {"text": line.player})
    code = "verdict.line-of" if line.player else "verdict.line"
    return Remark(code, {"line": line.number, "player": line.player})


def _line_names(lines: Lines) -> tuple[Remark, ...]:
    """Name lines, the first of many: a photo pasted into all lines of a sheet names them all."""
    names, more = map(_line_name, lines[:MOST_LINES_NAMED]), len(lines) - MOST_LINES_NAMED
    return (*names, *([Remark("verdict.more-lines", {"n": more})] if more > 0 else []))


def _table_name(line: SheetLine) -> Remark:
    """Name the table of a line as sentences do: `round 2, table 4`; else the line itself."""
    if not any(line.place):
        return _line_name(line)
    kind = "" if all(line.place) else ".round" if line.round else ".table"
    return Remark(f"verdict.place{kind}", {"round": line.round, "table": line.game})
