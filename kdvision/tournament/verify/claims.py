"""The claims of all lines that name one photo: every kingdom has one owner."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kdvision.columns import Accepted
from kdvision.corrections import kingdom_name
from kdvision.pipeline.settings import PIPELINE
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.tournament.lines import SheetLine
from kdvision.tournament.owners import Fit, accounted_for, best_kingdoms
from kdvision.tournament.verify.mistakes import explain
from kdvision.tournament.verify.verdicts import (
    LineVerdict,
    Remark,
    Verdict,
    is_possible,
    judge_kingdom,
    open_verdict,
    settled_verdict,
    whos,
)

#: A total of a doubtful kingdom that is at least as likely as this keeps others from being sure:
#: what is sure is right at least with the other part of 1.
LEAST_TOTAL = 1 - PIPELINE.sure_from


def judge_photo(lines: Sequence[SheetLine], photos: Sequence[PhotoResult]) -> list[LineVerdict]:
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
    kingdoms = len(photos[0].kingdoms)
    verdicts: dict[int, LineVerdict] = {}
    if not kingdoms:
        reason = Remark("verdict.said", {"text": photos[0].message})
        verdicts = {n: open_verdict(line, reason) for n, line in enumerate(lines)}
    owners = _owners(lines, photos)
    rest = []
    for n, line in enumerate(lines):
        if n in verdicts:
            continue
        if line.letter and not line.accepted:
            verdicts[n] = _with_letter(n, lines, photos, owners)
        elif n in owners:
            verdicts[n] = _held(line, photos[n], owners[n])
        elif line.accepted or line.claimed is None or line.problem:
            verdicts[n] = open_verdict(line, Remark("verdict.no-kingdom-named"))
        else:
            rest.append(n)
    taken = {*owners.values()}
    free = [index for index in range(kingdoms) if index not in taken]
    shared = _Shared([lines[n] for n in rest], [photos[n] for n in rest], free, len(lines))
    verdicts |= zip(rest, shared.verdicts(), strict=True)
    return [
        settled_verdict(replace(verdicts[n], status=photos[n].status)) for n in range(len(lines))
    ]


def _owners(lines: Sequence[SheetLine], photos: Sequence[PhotoResult]) -> dict[int, int]:
    """The kingdoms that have an owner without looking at claims, by the index of the line."""
    names = [kingdom_name(index) for index in range(len(photos[0].kingdoms))]
    owners: dict[int, int] = {}
    for n, line in enumerate(lines):
        if line.letter in names and line.accepted:
            owners.setdefault(n, names.index(line.letter))
    for n, line in enumerate(lines):
        index = names.index(line.letter) if line.letter in names else -1
        if index >= 0 and not line.accepted and index not in owners.values():
            owners[n] = index
    if len(names) == len(lines) == 1:
        owners.setdefault(0, 0) if not lines[0].letter else None
    for n, line in enumerate(lines):
        if n in owners or line.accepted is None or line.letter:
            continue
        # A total that a person wrote says which kingdom is meant, where only one has it.
        known = {Accepted.NUMBER: line.accepted.total, Accepted.CLAIM: line.claimed}
        total = known.get(line.accepted.what)
        fitting = [
            index
            for index, kingdom in enumerate(photos[n].kingdoms)
            if kingdom.status is Status.SURE
            and kingdom.score == total
            and index not in owners.values()
        ]
        if len(fitting) == 1:
            owners[n] = fitting[0]
    return owners


def _with_letter(
    n: int, lines: Sequence[SheetLine], photos: Sequence[PhotoResult], owners: Mapping[int, int]
) -> LineVerdict:
    """A line that names its kingdom."""
    line, kingdoms = lines[n], photos[n].kingdoms
    names = [kingdom_name(index) for index in range(len(kingdoms))]
    if line.letter not in names:
        fields = {"letter": line.letter, "n": len(names), "last": names[-1]}
        problem = Remark("verdict.no-such-kingdom", fields)
        return LineVerdict(line=line, verdict=Verdict.BAD_LINE, reasons=(problem,))
    rivals = [other for other in lines if other is not line and other.letter == line.letter]
    if not rivals:
        return _held(line, photos[n], names.index(line.letter))
    reasons = [Remark("verdict.letter-twice", {"letter": line.letter, "lines": whos(rivals)})]
    free = [index for index in range(len(kingdoms)) if index not in owners.values()]
    exact = [index for index in free if _fit(line.claimed, kingdoms[index]) is Fit.EXPLAINED]
    if len(exact) == 1:
        fields = {"claimed": line.claimed, "letter": names[exact[0]]}
        reasons.append(Remark("verdict.claim-is-kingdom", fields))
    fits = {_fit(line.claimed, kingdom) for kingdom in kingdoms}
    verdict = Verdict.DIFFERS if fits == {Fit.UNEXPLAINED} else Verdict.CANNOT_TELL
    return LineVerdict(line=line, verdict=verdict, reasons=tuple(reasons), pending=True)


def _held(line: SheetLine, photo: PhotoResult, index: int) -> LineVerdict:
    """A line held against the kingdom that is its own."""
    verdict = judge_kingdom(line, photo.kingdoms[index], photo)
    return replace(verdict, letter=kingdom_name(index)) if len(photo.kingdoms) > 1 else verdict


# ---------------------------------------------------------------------- lines without letters


def _fit(claimed: int | None, kingdom: KingdomResult) -> Fit:
    """How well a kingdom explains a claim."""
    if claimed is None:
        return Fit.POSSIBLE
    if kingdom.status is Status.SURE:
        return Fit.EXPLAINED if kingdom.score == claimed else Fit.UNEXPLAINED
    return Fit.POSSIBLE if is_possible(claimed, kingdom) else Fit.UNEXPLAINED


def _may_have(claimed: int | None, kingdom: KingdomResult) -> bool:
    """Whether a doubtful kingdom has a total with more than `LEAST_TOTAL`, or with any chance."""
    if not kingdom.scored:
        return True
    totals = [(kingdom.score, kingdom.probability)]
    totals += [(one.score, one.probability) for one in kingdom.alternatives]
    return sum(chance for total, chance in totals if total == claimed) >= LEAST_TOTAL


class _Shared:
    """Lines without letters, and the kingdoms that they share.

    Args:
        lines: The lines.
        photos: What was read for each.
        free: The indices of the kingdoms that no other line owns.
        named: The number of lines that name the photo.
    """

    def __init__(
        self,
        lines: Sequence[SheetLine],
        photos: Sequence[PhotoResult],
        free: Sequence[int],
        named: int,
    ) -> None:
        self.lines, self.photos, self.free = lines, photos, free
        kingdoms = len(photos[0].kingdoms) if photos else 0
        self.numbers = Remark("verdict.numbers", {"n": named, "kingdoms": kingdoms})
        remedy = "verdict.remedy-accept" if kingdoms == 1 else "verdict.remedy-letter"
        self.remedy = Remark(remedy)

    def verdicts(self) -> list[LineVerdict]:
        """The verdict on each line."""
        if not self.lines:
            return []
        if not self.free:
            return [open_verdict(line, Remark("verdict.all-owned")) for line in self.lines]
        kingdoms = self.photos[0].kingdoms
        fits = [
            [_fit(line.claimed, photo.kingdoms[index]) for index in self.free]
            for line, photo in zip(self.lines, self.photos, strict=True)
        ]
        left = self._one_left(fits)
        if left is not None:
            return self._but_one(*left)
        options = best_kingdoms(fits)
        accounted = accounted_for(fits, options)
        unexplained = [line for line, known in zip(self.lines, accounted, strict=True) if not known]
        own = [sorted(self.free[index] for index in each if index is not None) for each in options]
        none = [None in each for each in options]
        return [
            self._verdict(line, own[n], none[n], kingdoms, unexplained)
            for n, line in enumerate(self.lines)
        ]

    def _one_left(self, fits: Sequence[Sequence[Fit]]) -> tuple[int, dict[int, int]] | None:
        """The one line that no kingdom explains, where all others have one each.

        Returns:
            Its index, and the kingdom of every line, the one that is left for it; None where the
            kingdoms are not all sure and different, or where it may as well be another line that is
            wrong.
        """
        count = len(self.lines)
        if count != len(self.free) or count < 3:
            return None
        exact = [[n for n, fit in enumerate(row) if fit is Fit.EXPLAINED] for row in fits]
        wrong = [n for n, matches in enumerate(exact) if not matches]
        if len(wrong) != 1 or any(fit is Fit.POSSIBLE for row in fits for fit in row):
            return None
        places = [matches[0] for matches in exact if len(matches) == 1]
        if len({*places}) != count - 1:
            return None
        (line,) = wrong
        (place,) = {*range(count)} - {*places}
        if self._another_fits(line, place, exact):
            return None
        own = {n: self.free[matches[0]] for n, matches in enumerate(exact) if matches}
        return line, {**own, line: self.free[place]}

    def _another_fits(self, wrong: int, left: int, exact: Sequence[Sequence[int]]) -> bool:
        """Whether two lines, each with one mistake, explain the claims as well as one does.

        The line that no kingdom explains may have the kingdom of another player, who then has the
        kingdom that is left, and claims the total of the other's.
        """
        claimed = self.lines[wrong].claimed
        assert claimed is not None
        for n, matches in enumerate(exact):
            if not matches:
                continue
            taken = self.photos[wrong].kingdoms[self.free[matches[0]]]
            remaining = self.photos[n].kingdoms[self.free[left]]
            other = self.lines[n].claimed
            assert other is not None
            if explain(taken.sheet, claimed) and explain(remaining.sheet, other):
                return True
        return False

    def _but_one(self, wrong: int, own: Mapping[int, int]) -> list[LineVerdict]:
        """The verdicts where one line has the kingdom that all others leave."""
        verdicts = []
        for n, line in enumerate(self.lines):
            verdict = _held(line, self.photos[n], own[n])
            letter = kingdom_name(own[n])
            code = "verdict.only-left" if n == wrong else "verdict.as-claims-tell"
            reasons = (Remark(code, {"letter": letter}), *verdict.reasons)
            verdicts.append(replace(verdict, reasons=reasons, by_claims=True))
        return verdicts

    def _verdict(
        self,
        line: SheetLine,
        own: Sequence[int],
        none: bool,
        kingdoms: Sequence[KingdomResult],
        unexplained: Sequence[SheetLine],
    ) -> LineVerdict:
        """The verdict on one line, by the kingdoms that it has in the best assignments."""
        exact = [n for n in own if _fit(line.claimed, kingdoms[n]) is Fit.EXPLAINED]
        if exact and len(exact) == len(own) and not none:
            return self._explained(line, exact, kingdoms, unexplained)
        if exact:
            rivals = [
                other
                for other in self.lines
                if other is not line
                and any(_fit(other.claimed, kingdoms[n]) is not Fit.UNEXPLAINED for n in exact)
            ]
            fields = {"claimed": line.claimed, "kingdoms": _letters(exact), "lines": whos(rivals)}
            code = "verdict.claimed-twice" if rivals else "verdict.total-of-only"
            return open_verdict(line, Remark(code, fields), self.remedy)
        possible = [n for n in own if _fit(line.claimed, kingdoms[n]) is Fit.POSSIBLE]
        if possible:
            reason = Remark("verdict.may-be", {"kingdoms": _letters(possible)})
            held = _held(line, self.photos[0], possible[0])
            kingdom = held.kingdom if len(own) == 1 else None
            verdict = open_verdict(line, self.numbers, reason, *held.reasons)
            letter = kingdom_name(own[0]) if len(own) == 1 else ""
            return replace(verdict, kingdom=kingdom, letter=letter)
        return self._unexplained(line, own, kingdoms)

    def _explained(
        self,
        line: SheetLine,
        exact: Sequence[int],
        kingdoms: Sequence[KingdomResult],
        unexplained: Sequence[SheetLine],
    ) -> LineVerdict:
        """A claim that every best assignment explains."""
        doubtful = [
            n
            for n, other in enumerate(kingdoms)
            if other.status is not Status.SURE and _may_have(line.claimed, other)
        ]
        total = Remark("verdict.total-of", {"claimed": line.claimed, "kingdoms": _letters(exact)})
        if len(self.lines) != len(self.free):
            return open_verdict(line, total, self.numbers, self.remedy)
        if doubtful:
            may = Remark("verdict.may-have-too", {"kingdoms": _letters(doubtful)})
            return open_verdict(line, total, may, self.remedy)
        if unexplained:
            reason = Remark("verdict.others-unexplained", {"lines": whos(unexplained)})
            return open_verdict(line, total, reason, self.remedy)
        letter = kingdom_name(exact[0]) if len(exact) == 1 else ""
        return LineVerdict(
            line=line,
            verdict=Verdict.AGREES,
            reasons=(Remark("verdict.as-claims-tell", {"letter": _letters(exact)}),),
            kingdom=kingdoms[exact[0]] if letter else None,
            letter=letter,
            difference=0,
            by_claims=len(kingdoms) > 1,
        )

    def _unexplained(
        self, line: SheetLine, own: Sequence[int], kingdoms: Sequence[KingdomResult]
    ) -> LineVerdict:
        """A claim that no best assignment explains."""
        if any(_fit(line.claimed, kingdoms[n]) is not Fit.UNEXPLAINED for n in self.free):
            reason = Remark("verdict.explained-better", {"claimed": line.claimed})
            return open_verdict(line, self.numbers, reason, self.remedy)
        if len(self.lines) == len(self.free) == 1:
            (index,) = self.free
            held = _held(line, self.photos[0], index)
            left = Remark("verdict.only-left", {"letter": kingdom_name(index)})
            return replace(held, reasons=(left, *held.reasons), letter=kingdom_name(index))
        # It differs, whatever kingdom it has; which that is, is not known.
        fields = {"claimed": line.claimed, "kingdoms": _letters(own or self.free)}
        reasons = (Remark("verdict.no-kingdom-has", fields), self.remedy)
        return LineVerdict(line=line, verdict=Verdict.DIFFERS, reasons=reasons, pending=True)


def _letters(indices: Sequence[int]) -> tuple[str, ...]:
    return tuple(kingdom_name(index) for index in indices)
