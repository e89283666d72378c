"""Claims held against kingdoms: `judge`, which needs no files.

Lines that name one photo share its kingdoms, each of which has one owner (`judge_photo`). A photo
that two tables name belongs to one of them (`_judge_shared`). A kingdom or domino that is in two
photos makes both lines open (`_open_clashes`). Two lines that agree once they are exchanged have
been exchanged (`_explain_exchanges`). What a person settled stands before all this, and takes its
kingdom.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from kdvision.columns import Accepted
from kdvision.corrections import kingdom_name
from kdvision.pipeline.settings import PIPELINE
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.tournament.batch.journal import Scored
from kdvision.tournament.lines import SheetLine
from kdvision.tournament.ownership import (
    Fit,
    OwnedKingdom,
    accounted_for,
    best_kingdoms,
    domino_clashes,
    kingdom_clashes,
    pictures_saved_again,
)
from kdvision.tournament.verify.mistakes import explain
from kdvision.tournament.verify.verdicts import (
    REASONS_OF_OTHERS,
    LineVerdict,
    Remark,
    Verdict,
    chances,
    is_possible,
    judge_kingdom,
    line_name,
    line_names,
    open_verdict,
    settled_verdict,
    table_name,
)

#: A total of a doubtful kingdom that is at least as likely as this keeps others from being sure:
#: what is sure is right at least with the other part of 1.
LEAST_TOTAL = 1 - PIPELINE.sure_from


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
    judged = {
        index: settled_verdict(open_verdict(line, Remark("verdict.no-photo")))
        for index, line in enumerate(lines)
        if readings[index] is None
    }
    for picture in _by_picture(lines, readings):
        tables: dict[tuple[str, str], list[int]] = {}
        for index in picture:
            tables.setdefault(lines[index].place, []).append(index)
        judged |= _judge_shared(list(tables.values()), lines, readings)
    verdicts = [judged[index] for index in range(len(lines))]
    return _explain_exchanges(_open_clashes(verdicts, readings), readings)


def notes_of(verdicts: Sequence[LineVerdict]) -> list[Remark]:
    """Return what there is to know of a sheet beyond single claims."""
    notes = [
        Remark("verdict.note-broken", {"line": line_name(verdict.line), "problem": verdict.broken})
        for verdict in verdicts
        if verdict.broken
    ]
    photos = {verdict.line.photo for verdict in verdicts if verdict.by_claims}
    return [*notes, *([Remark("verdict.note-by-claims", {"n": len(photos)})] if photos else [])]


# ---------------------------------------------------------------------- the lines of one photo


def judge_photo(lines: Lines, photos: Sequence[PhotoResult]) -> list[LineVerdict]:
    """Hold the claims of all lines that name one photo against its kingdoms.

    Every kingdom has one owner. A line owns the kingdom whose letter it names, and one that is
    settled owns the kingdom that it was settled with. The other lines are assigned to the other
    kingdoms one to one, so that most claims are explained; they agree only where there are as many
    lines as kingdoms and every best assignment explains them. Where all but one claim match all
    but one kingdom, that one claim is held against the kingdom that is left.

    Args:
        lines: The lines.
        photos: What was read for each, by its options; all have the same kingdoms.
    """
    owners = _owners(lines, photos)
    free = [index for index in range(len(photos[0].kingdoms)) if index not in owners.values()]
    verdicts: dict[int, LineVerdict] = {}
    sharing = []
    for n, (line, photo) in enumerate(zip(lines, photos, strict=True)):
        if not photo.kingdoms:
            verdicts[n] = open_verdict(line, Remark("verdict.said", {"text": photo.message}))
        elif line.letter and not line.accepted:
            verdicts[n] = _judge_lettered(line, photo, lines, free)
        elif n in owners:
            verdicts[n] = _judge_own(line, photo, owners[n])
        elif line.accepted or line.claimed is None or line.problem:
            verdicts[n] = open_verdict(line, Remark("verdict.no-kingdom-named"))
        elif not free:
            verdicts[n] = open_verdict(line, Remark("verdict.all-owned"))
        else:
            sharing.append(n)
    if sharing:
        shared = _Sharing([lines[n] for n in sharing], [photos[n] for n in sharing], free, lines)
        verdicts |= zip(sharing, shared.verdicts(), strict=True)
    return [
        settled_verdict(replace(verdicts[n], status=photo.status)) for n, photo in enumerate(photos)
    ]


def _owners(lines: Lines, photos: Sequence[PhotoResult]) -> dict[int, int]:
    """Return the kingdoms whose owner is known without claims, by the index of the line."""
    names = [kingdom_name(index) for index in range(len(photos[0].kingdoms))]
    owners: dict[int, int] = {}
    for settled in (True, False):
        for n, line in enumerate(lines):
            if line.letter in names and bool(line.accepted) is settled:
                index = names.index(line.letter)
                if settled or index not in owners.values():
                    owners[n] = index
    if len(names) == len(lines) == 1 and not lines[0].letter:
        owners[0] = 0
    for n, line in enumerate(lines):
        if n in owners or line.accepted is None or line.letter:
            continue
        # A total that a person wrote says which kingdom is meant, where only one has it.
        known = {Accepted.NUMBER: line.accepted.total, Accepted.CLAIM: line.claimed}
        total = known.get(line.accepted.what)
        fitting = [
            index
            for index, kingdom in enumerate(photos[n].kingdoms)
            if _fit(total, kingdom) is Fit.EXPLAINED and index not in owners.values()
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
        problem = Remark("verdict.no-such-kingdom", fields)
        return LineVerdict(line=line, verdict=Verdict.BAD_LINE, reasons=(problem,))
    rivals = [other for other in lines if other is not line and other.letter == line.letter]
    if not rivals:
        return _judge_own(line, photo, names.index(line.letter))
    reasons = [Remark("verdict.letter-twice", {"letter": line.letter, "lines": line_names(rivals)})]
    fits = [_fit(line.claimed, kingdom) for kingdom in photo.kingdoms]
    exact = [index for index in free if fits[index] is Fit.EXPLAINED]
    if len(exact) == 1:
        fields = {"claimed": line.claimed, "letter": names[exact[0]]}
        reasons.append(Remark("verdict.claim-is-kingdom", fields))
    verdict = Verdict.DIFFERS if {*fits} == {Fit.UNEXPLAINED} else Verdict.CANNOT_TELL
    return LineVerdict(line=line, verdict=verdict, reasons=tuple(reasons), pending=True)


def _judge_own(line: SheetLine, photo: PhotoResult, index: int) -> LineVerdict:
    """Judge a line by the kingdom that is its own."""
    verdict = judge_kingdom(line, photo.kingdoms[index], photo)
    return replace(verdict, letter=kingdom_name(index)) if len(photo.kingdoms) > 1 else verdict


def _fit(claimed: int | None, kingdom: KingdomResult) -> Fit:
    """Return how well a kingdom explains a claim."""
    if claimed is None:
        return Fit.POSSIBLE
    if kingdom.status is Status.SURE:
        return Fit.EXPLAINED if kingdom.score == claimed else Fit.UNEXPLAINED
    return Fit.POSSIBLE if is_possible(claimed, kingdom) else Fit.UNEXPLAINED


def _may_have(claimed: int | None, kingdom: KingdomResult) -> bool:
    """Return whether a doubtful kingdom has a total with at least `LEAST_TOTAL`."""
    if kingdom.status is Status.SURE or claimed is None:
        return False
    return not kingdom.scored or chances(kingdom).get(claimed, 0.0) >= LEAST_TOTAL


def _letters(indices: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(kingdom_name, indices))


class _Sharing:
    """Judges lines without letters by the kingdoms that they share.

    Args:
        lines: The lines.
        photos: What was read for each.
        free: The indices of the kingdoms that no other line owns.
        named: All lines that name the photo.
    """

    def __init__(
        self, lines: Lines, photos: Sequence[PhotoResult], free: Sequence[int], named: Lines
    ) -> None:
        self.lines, self.photos, self.free = lines, photos, free
        self.kingdoms = photos[0].kingdoms
        self.fits = [
            [_fit(line.claimed, photo.kingdoms[index]) for index in free]
            for line, photo in zip(lines, photos, strict=True)
        ]
        numbers = {"n": len(named), "kingdoms": len(self.kingdoms)}
        self.numbers = Remark("verdict.numbers", numbers)
        remedy = "accept" if len(self.kingdoms) == 1 else "letter"
        self.remedy = Remark(f"verdict.remedy-{remedy}")

    def verdicts(self) -> list[LineVerdict]:
        """Judge every line."""
        left = self._one_left()
        if left is not None:
            return self._all_but_one(*left)
        options = best_kingdoms(self.fits)
        known = accounted_for(self.fits, options)
        unexplained = [line for line, known in zip(self.lines, known, strict=True) if not known]
        return [
            self._verdict(
                line,
                sorted(self.free[index] for index in own if index is not None),
                unexplained,
                may_have_none=None in own,
            )
            for line, own in zip(self.lines, options, strict=True)
        ]

    def _one_left(self) -> tuple[int, dict[int, int]] | None:
        """Find the one line that no kingdom explains, where all others have one each.

        Returns:
            Its index, and the kingdom of every line, the one that is left for it; None where the
            kingdoms are not all sure and different, or where it may as well be another line that is
            wrong.
        """
        count = len(self.lines)
        if count != len(self.free) or count < 3 or any(Fit.POSSIBLE in row for row in self.fits):
            return None
        exact = [[n for n, fit in enumerate(row) if fit is Fit.EXPLAINED] for row in self.fits]
        wrong = [n for n, matches in enumerate(exact) if not matches]
        places = {matches[0] for matches in exact if len(matches) == 1}
        if len(wrong) != 1 or len(places) != count - 1:
            return None
        (place,) = {*range(count)} - places
        if self._another_fits(wrong[0], place, exact):
            return None
        own = {n: self.free[matches[0]] for n, matches in enumerate(exact) if matches}
        return wrong[0], {**own, wrong[0]: self.free[place]}

    def _another_fits(self, wrong: int, left: int, exact: Sequence[Sequence[int]]) -> bool:
        """Return whether two lines with one mistake each explain the claims as well as one does.

        The line that no kingdom explains may have the kingdom of another player, who then has the
        kingdom that is left, and claims the total of the other's.
        """
        claimed = self.lines[wrong].claimed
        for n, matches in enumerate(exact):
            other = self.lines[n].claimed
            if not matches or claimed is None or other is None:
                continue
            taken = self.photos[wrong].kingdoms[self.free[matches[0]]]
            remaining = self.photos[n].kingdoms[self.free[left]]
            if explain(taken.sheet, claimed) and explain(remaining.sheet, other):
                return True
        return False

    def _all_but_one(self, wrong: int, own: Mapping[int, int]) -> list[LineVerdict]:
        """Judge lines of which one has the kingdom that all others leave."""
        verdicts = []
        for n, line in enumerate(self.lines):
            verdict = _judge_own(line, self.photos[n], own[n])
            code = "verdict.only-left" if n == wrong else "verdict.as-claims-tell"
            reasons = (Remark(code, {"letter": kingdom_name(own[n])}), *verdict.reasons)
            verdicts.append(replace(verdict, reasons=reasons, by_claims=True))
        return verdicts

    def _verdict(
        self, line: SheetLine, own: Sequence[int], unexplained: Lines, *, may_have_none: bool
    ) -> LineVerdict:
        """Judge one line by the kingdoms that it has in the best assignments."""
        fits = [_fit(line.claimed, kingdom) for kingdom in self.kingdoms]
        exact = [n for n in own if fits[n] is Fit.EXPLAINED]
        possible = [n for n in own if fits[n] is Fit.POSSIBLE]
        if exact and len(exact) == len(own) and not may_have_none:
            return self._explained(line, exact, unexplained)
        if exact:
            rivals = [
                other
                for other in self.lines
                if other is not line
                and any(_fit(other.claimed, self.kingdoms[n]) > Fit.UNEXPLAINED for n in exact)
            ]
            letters = {"claimed": line.claimed, "kingdoms": _letters(exact)}
            code = "verdict.claimed-twice" if rivals else "verdict.total-of-only"
            reason = Remark(code, {**letters, "lines": line_names(rivals)})
            return open_verdict(line, reason, self.remedy)
        if possible:
            reason = Remark("verdict.may-be", {"kingdoms": _letters(possible)})
            held = _judge_own(line, self.photos[0], possible[0])
            verdict = open_verdict(line, self.numbers, reason, *held.reasons)
            if len(own) > 1:
                return verdict
            return replace(verdict, kingdom=held.kingdom, letter=kingdom_name(own[0]))
        if any(fits[n] is not Fit.UNEXPLAINED for n in self.free):
            reason = Remark("verdict.explained-better", {"claimed": line.claimed})
            return open_verdict(line, self.numbers, reason, self.remedy)
        if len(self.lines) == len(self.free) == 1:
            letter = kingdom_name(self.free[0])
            held = _judge_own(line, self.photos[0], self.free[0])
            left = Remark("verdict.only-left", {"letter": letter})
            return replace(held, reasons=(left, *held.reasons), letter=letter)
        # It differs, whatever kingdom it has; which that is, is not known.
        fields = {"claimed": line.claimed, "kingdoms": _letters(own or self.free)}
        reasons = (Remark("verdict.no-kingdom-has", fields), self.remedy)
        return LineVerdict(line=line, verdict=Verdict.DIFFERS, reasons=reasons, pending=True)

    def _explained(self, line: SheetLine, exact: Sequence[int], unexplained: Lines) -> LineVerdict:
        """Judge a claim that every best assignment explains."""
        doubtful = [n for n, other in enumerate(self.kingdoms) if _may_have(line.claimed, other)]
        if len(self.lines) != len(self.free):
            but = self.numbers
        elif doubtful:
            but = Remark("verdict.may-have-too", {"kingdoms": _letters(doubtful)})
        elif unexplained:
            but = Remark("verdict.others-unexplained", {"lines": line_names(unexplained)})
        else:
            letter = kingdom_name(exact[0]) if len(exact) == 1 else ""
            return LineVerdict(
                line=line,
                verdict=Verdict.AGREES,
                reasons=(Remark("verdict.as-claims-tell", {"letter": _letters(exact)}),),
                kingdom=self.kingdoms[exact[0]] if letter else None,
                letter=letter,
                difference=0,
                by_claims=len(self.kingdoms) > 1,
            )
        fields = {"claimed": line.claimed, "kingdoms": _letters(exact)}
        return open_verdict(line, Remark("verdict.total-of", fields), but, self.remedy)


# ---------------------------------------------------------------------- several photos and tables


def _by_picture(lines: Lines, readings: Readings) -> list[list[int]]:
    """Group the lines that have a photo, by their indices, by what it shows.

    Pictures are one by their name, by their bytes, or as the same picture saved again.
    """
    groups: dict[str, list[int]] = {}
    names: dict[str, str] = {}
    pictures = []
    for index, (line, reading) in enumerate(zip(lines, readings, strict=True)):
        if reading is None:
            continue
        name = line.photo or f"#{index}"
        key = names.setdefault(name, reading.digest or name)
        if key not in groups:
            groups[key] = []
            kingdoms = [kingdom.kingdom for kingdom in reading.result.kingdoms]
            pictures.append((reading.picture, kingdoms))
        groups[key].append(index)
    order = list(groups.values())
    for first, second in pictures_saved_again(pictures):
        if order[first] and order[second]:
            order[first] += order[second]
            order[second] = []
    return [sorted(group) for group in order if group]


def _judge_shared(
    tables: Sequence[Sequence[int]], lines: Lines, readings: Readings
) -> dict[int, LineVerdict]:
    """Judge the lines of all tables that have one photo.

    It belongs to the only table all of whose claims are kingdoms of it, where it shows several.
    Else nothing says whose it is.
    """
    judged = [_judge_table(table, table, lines, readings) for table in tables]
    if len(tables) == 1:
        return judged[0]
    fitting = [n for n, verdicts in enumerate(judged) if len(verdicts) > 1 and _all_agree(verdicts)]
    heads = [lines[table[0]] for table in tables]
    found: dict[int, LineVerdict] = {}
    for n, verdicts in enumerate(judged):
        others = [head for m, head in enumerate(heads) if m != n]
        if fitting == [n]:
            found |= verdicts
            continue
        if len(fitting) == 1:
            reason = Remark("verdict.photo-of-table", {"table": table_name(heads[fitting[0]])})
        elif all(len(table) == 1 for table in tables):
            reason = Remark("verdict.same-photo", {"lines": line_names(others)})
        else:
            reason = Remark("verdict.photo-shared", {"tables": tuple(map(table_name, others))})
        found |= {index: _opened(verdict, reason) for index, verdict in verdicts.items()}
    return found


def _judge_table(
    indices: Sequence[int], photo_of: Sequence[int], lines: Lines, readings: Readings
) -> dict[int, LineVerdict]:
    """Judge lines by the photos of other lines, or by their own."""
    photos = [reading.result for index in photo_of if (reading := readings[index])]
    verdicts = judge_photo([lines[index] for index in indices], photos)
    return dict(zip(indices, verdicts, strict=True))


def _all_agree(verdicts: Mapping[int, LineVerdict]) -> bool:
    return all(verdict.verdict is Verdict.AGREES for verdict in verdicts.values())


def _opened(verdict: LineVerdict, reason: Remark) -> LineVerdict:
    """Open the verdict on a line whose photo or kingdom is not its own alone."""
    if verdict.verdict in (Verdict.SETTLED, Verdict.BAD_LINE):
        return verdict
    before = [other for other in verdict.reasons if other.code in REASONS_OF_OTHERS]
    found = open_verdict(verdict.line, *before, reason)
    return replace(found, status=verdict.status, pending=True)


def _open_clashes(verdicts: Sequence[LineVerdict], readings: Readings) -> list[LineVerdict]:
    """Open the verdicts on kingdoms in two photos, and on dominoes in two kingdoms of a game."""
    judged = list(verdicts)
    lines = [verdict.line for verdict in verdicts]
    owned = [
        OwnedKingdom(
            photo=(reading.digest if reading else "") or verdict.line.photo,
            player=verdict.line.player,
            place=verdict.line.place,
            kingdom=verdict.kingdom.kingdom if verdict.kingdom else None,
            sure=verdict.is_sure,
            boxes=verdict.line.options.boxes,
        )
        for verdict, reading in zip(verdicts, readings, strict=True)
    ]
    for pair in kingdom_clashes(owned):
        for index, other in (pair, pair[::-1]):
            line = lines[other]
            fields = {"line": line_name(line), "photo": line.photo, "place": table_name(line)}
            judged[index] = _opened(judged[index], Remark("verdict.same-kingdom", fields))
    for owners, domino, times in domino_clashes(owned):
        for index in owners:
            others = line_names([lines[other] for other in owners if other != index])
            if judged[index].verdict is Verdict.AGREES:
                fields = {"dominoes": domino, "lines": others, "times": times}
                judged[index] = _opened(judged[index], Remark("verdict.domino-twice", fields))
    return judged


# ---------------------------------------------------------------------- exchanged lines


def _explain_exchanges(verdicts: Sequence[LineVerdict], readings: Readings) -> list[LineVerdict]:
    """Explain lines that agree once they are exchanged by that alone."""
    judged = list(verdicts)
    lines = [verdict.line for verdict in verdicts]
    for pair in _exchanged_tables(verdicts, readings):
        for mine, theirs in (pair, pair[::-1]):
            reason = Remark("verdict.tables-exchanged", {"table": table_name(lines[theirs[0]])})
            judged = [
                _exchanged(verdict, reason) if index in mine else verdict
                for index, verdict in enumerate(judged)
            ]
    for first, second in _exchanged_lines(judged):
        what = "letters" if lines[first].photo == lines[second].photo else "lines"
        for index, other in ((first, second), (second, first)):
            reason = Remark(f"verdict.{what}-exchanged", {"line": line_name(lines[other])})
            judged[index] = _exchanged(judged[index], reason)
    return judged


def _exchanged(verdict: LineVerdict, reason: Remark) -> LineVerdict:
    if verdict.verdict is Verdict.SETTLED:
        return verdict
    return replace(
        verdict, verdict=Verdict.DIFFERS, reasons=(reason,), explanations=(), pending=True
    )


def _exchanged_lines(verdicts: Sequence[LineVerdict]) -> Iterator[tuple[int, int]]:
    """Yield pairs of lines of a round that both agree when exchanged; each line in one pair."""
    by_totals: dict[tuple[str, int | None, int | None], list[int]] = {}
    for index, verdict in enumerate(verdicts):
        if verdict.verdict is Verdict.DIFFERS and verdict.is_sure and not verdict.pending:
            read = verdict.read.score if verdict.read else None
            key = verdict.line.round, verdict.line.claimed, read
            by_totals.setdefault(key, []).append(index)
    partners: dict[int, list[int]] = {}
    for (round_, claimed, read), indices in by_totals.items():
        fitting = by_totals.get((round_, read, claimed), [])
        for index in indices:
            place = verdicts[index].line.place
            at_table = [other for other in fitting if verdicts[other].line.place == place]
            partners[index] = at_table or fitting
    for index, fitting in sorted(partners.items()):
        if len(fitting) == 1 and partners[fitting[0]] == [index] and index < fitting[0]:
            yield index, fitting[0]


def _exchanged_tables(
    verdicts: Sequence[LineVerdict], readings: Readings
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield pairs of tables of a round whose lines all agree once their photos are exchanged."""
    tables: dict[tuple[tuple[str, str], str], list[int]] = {}
    for index, verdict in enumerate(verdicts):
        if verdict.line.photo and readings[index] is not None:
            tables.setdefault((verdict.line.place, verdict.line.photo), []).append(index)
    wrong = []
    for (place, _), indices in tables.items():
        said = {verdicts[index].verdict for index in indices}
        if len(indices) > 1 and Verdict.DIFFERS in said and Verdict.AGREES not in said:
            wrong.append((place[0], indices))
    used: set[int] = set()
    for n, (round_, mine) in enumerate(wrong):
        for other_round, theirs in wrong[n + 1 :]:
            if round_ != other_round or {*mine, *theirs} & used:
                continue
            if _agree_with(theirs, mine, verdicts, readings) and _agree_with(
                mine, theirs, verdicts, readings
            ):
                used |= {*mine, *theirs}
                yield mine, theirs


def _agree_with(
    theirs: Sequence[int],
    mine: Sequence[int],
    verdicts: Sequence[LineVerdict],
    readings: Readings,
) -> bool:
    """Return whether all claims of a table agree with the photo of another."""
    lines = [verdict.line for verdict in verdicts]
    reading = readings[theirs[0]]
    kingdoms = len(reading.result.kingdoms) if reading else 0
    if kingdoms != len(mine) or any(lines[index].accepted for index in mine):
        return False
    return _all_agree(_judge_table(mine, [theirs[0]] * len(mine), lines, readings))
