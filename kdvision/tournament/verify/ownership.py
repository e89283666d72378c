"""The claims of all lines that name one photo, held against its kingdoms."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import kingdom_name
from kdvision.pipeline.settings import PIPELINE
from kdvision.report.wording import listed
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.tournament.owners import Fit, accounted_for, best_kingdoms
from kdvision.tournament.verify.verdict import Judgement, is_possible, judge_kingdom
from kdvision.tournament.verify.verdicts import Verdict

#: A total of a doubtful kingdom that is at least as likely as this keeps others from being sure:
#: what is sure is right at least with the other part of 1.
LEAST_TOTAL = 1 - PIPELINE.sure_from


class ClaimLine(Struct, frozen=True):
    """What one line says of a photo.

    Attributes:
        claimed: The total.
        photo: What was read, by the rules of this line. Lines of one photo have the same kingdoms.
        letter: The kingdom that the line names; empty where it names none.
        name: What messages call the line.
    """

    claimed: int
    photo: PhotoResult
    letter: str = ""
    name: str = "this line"


def judge(claimed: int, photo: PhotoResult) -> Judgement:
    """Hold a claim against a photo that no other line names."""
    return judge_photo([ClaimLine(claimed, photo)])[0]


def judge_photo(lines: Sequence[ClaimLine]) -> list[Judgement]:
    """Hold the claims of all lines that name one photo against its kingdoms.

    Every kingdom has one owner. A line owns the kingdom whose letter it names. Lines without a
    letter are assigned to the other kingdoms one to one, so that most claims are explained; they
    agree only where there are as many lines as kingdoms and every best assignment explains them
    and leaves no other line unexplained. One claim that no kingdom explains differs; then nothing
    says whose the other kingdoms are.
    """
    photo = lines[0].photo
    kingdoms = len(photo.kingdoms)
    if not kingdoms:
        return [Judgement(Verdict.CANNOT_TELL, line.photo.message) for line in lines]
    if kingdoms == len(lines) == 1 and lines[0].letter in ("", kingdom_name(0)):
        return [judge_kingdom(lines[0].claimed, photo.kingdoms[0], photo.message)]
    names = [kingdom_name(index) for index in range(kingdoms)]
    found: dict[int, Judgement] = {}
    for number, line in enumerate(lines):
        if line.letter:
            found[number] = _named(line, lines, names)
    named = {line.letter for line in lines}
    free = [index for index, name in enumerate(names) if name not in named]
    without = [number for number, line in enumerate(lines) if not line.letter]
    unnamed = [lines[number] for number in without]
    for number, judgement in zip(without, _assigned(unnamed, free, len(lines)), strict=True):
        found[number] = judgement
    return [found[number] for number in range(len(lines))]


# ---------------------------------------------------------------------- with a letter


def _named(line: ClaimLine, lines: Sequence[ClaimLine], names: Sequence[str]) -> Judgement:
    """A line that names its kingdom."""
    if line.letter not in names:
        shown = "one kingdom, A" if len(names) == 1 else f"{len(names)} kingdoms, A to {names[-1]}"
        text = f"there is no kingdom {line.letter}: the photo shows {shown}."
        return Judgement(Verdict.BAD_LINE, text)
    index = names.index(line.letter)
    found = judge_kingdom(line.claimed, line.photo.kingdoms[index], line.photo.message)
    found = replace(found, letter=line.letter)
    others = [other.name for other in lines if other is not line and other.letter == line.letter]
    if not others:
        return found
    text = f"kingdom {line.letter} is named by {listed(others)}, too, and has one owner"
    verdict = found.verdict if found.verdict is Verdict.DIFFERS else Verdict.CANNOT_TELL
    return replace(found, verdict=verdict, message=_joined(text, found.message))


# ---------------------------------------------------------------------- without letters


class _Shared(Struct, frozen=True):
    """Lines without letters, and the kingdoms that they share.

    `free` are the kingdoms that no line names, `own` for every line those that it has in some best
    assignment, None among them where it may have none. `unexplained` are the names of the lines
    that are not accounted for, `numbers` says how many lines and kingdoms the whole photo has.
    """

    lines: Sequence[ClaimLine]
    free: Sequence[int]
    own: Sequence[frozenset[int | None]]
    unexplained: Sequence[str]
    numbers: str


def _assigned(lines: Sequence[ClaimLine], free: Sequence[int], count: int) -> list[Judgement]:
    """Lines that name no kingdom, against the kingdoms that no line names."""
    if not lines:
        return []
    if not free:
        text = "every kingdom of the photo belongs to another line"
        return [Judgement(Verdict.CANNOT_TELL, text) for _ in lines]
    photo = lines[0].photo
    fits = [[_fit(line.claimed, photo.kingdoms[index]) for index in free] for line in lines]
    options = best_kingdoms(fits)
    accounted = accounted_for(fits, options)
    shared = _Shared(
        lines,
        free,
        [frozenset(one if one is None else free[one] for one in own) for own in options],
        [line.name for line, known in zip(lines, accounted, strict=True) if not known],
        _numbers(count, len(photo.kingdoms)),
    )
    return [_line_without_letter(number, shared) for number in range(len(lines))]


def _fit(claimed: int, kingdom: KingdomResult) -> Fit:
    if kingdom.status is Status.SURE:
        return Fit.EXPLAINED if kingdom.sheet.total == claimed else Fit.UNEXPLAINED
    return Fit.POSSIBLE if is_possible(claimed, kingdom) else Fit.UNEXPLAINED


def _line_without_letter(number: int, shared: _Shared) -> Judgement:
    line, options = shared.lines[number], shared.own[number]
    kingdoms = line.photo.kingdoms
    own = sorted(one for one in options if one is not None)
    exact = [index for index in own if _fit(line.claimed, kingdoms[index]) is Fit.EXPLAINED]
    if exact and len(exact) == len(options):
        return _explained(line, exact, shared)
    possible = [index for index in own if _fit(line.claimed, kingdoms[index]) is Fit.POSSIBLE]
    if exact:
        rivals = [
            other.name for other in shared.lines if other is not line and _rivals(other, exact)
        ]
        text = f"{line.claimed} is the total of {_kingdoms(exact)} only"
        if rivals:
            text += f", and {listed(rivals)} {'claim' if len(rivals) > 1 else 'claims'} it, too"
        return Judgement(Verdict.CANNOT_TELL, f"{text}; {_remedy(line.photo)}")
    if possible:
        index = possible[0]
        found = judge_kingdom(line.claimed, kingdoms[index], line.photo.message)
        text = f"this may be {_kingdoms(possible)}"
        kingdom = found.kingdom if len(own) == 1 else None
        message = _joined(f"{shared.numbers}; {text}", found.message)
        return Judgement(Verdict.CANNOT_TELL, message, kingdom, letter=_letter(own))
    return _unexplained(line, own, shared)


def _explained(line: ClaimLine, exact: Sequence[int], shared: _Shared) -> Judgement:
    """A claim that every best assignment explains."""
    kingdoms = line.photo.kingdoms
    doubtful = [
        index
        for index, other in enumerate(kingdoms)
        if other.status is not Status.SURE and _may_have(line.claimed, other)
    ]
    letter = _letter(exact)
    if len(shared.lines) != len(shared.free):
        reason = shared.numbers
    elif doubtful:
        reason = f"{_kingdoms(doubtful)} may have it, too"
    elif shared.unexplained:
        verb = "claim" if len(shared.unexplained) > 1 else "claims"
        reason = (
            f"no kingdom is left that explains what {listed(shared.unexplained)} {verb}, "
            "so that claims do not say whose kingdom is whose"
        )
    else:
        what = f"this is {_kingdoms(exact)}" if letter else f"{_kingdoms(exact)} have this total"
        kingdom = kingdoms[exact[0]] if letter else None
        return Judgement(Verdict.AGREES, f"{shared.numbers}; {what}", kingdom, 0, letter=letter)
    text = f"{line.claimed} is the total of {_kingdoms(exact)}, but {reason}"
    return Judgement(Verdict.CANNOT_TELL, f"{text}; {_remedy(line.photo)}")


def _unexplained(line: ClaimLine, own: Sequence[int], shared: _Shared) -> Judgement:
    """A claim that no best assignment explains."""
    kingdoms = line.photo.kingdoms
    if any(_fit(line.claimed, kingdoms[index]) is not Fit.UNEXPLAINED for index in shared.free):
        text = f"{shared.numbers}; what may have {line.claimed} is explained better by another line"
        return Judgement(Verdict.CANNOT_TELL, f"{text}; {_remedy(line.photo)}")
    if len(shared.lines) == len(shared.free) == 1:
        (index,) = shared.free
        found = judge_kingdom(line.claimed, kingdoms[index], "")
        text = _joined(f"{shared.numbers}; only {_kingdoms([index])} is left", found.message)
        return replace(found, message=text, letter=kingdom_name(index))
    # It differs, whatever kingdom it has; which that is, is not known.
    texts = []
    for index in own or shared.free:
        found = judge_kingdom(line.claimed, kingdoms[index], "")
        texts.append(f"{_kingdoms([index])} has {kingdoms[index].sheet.total}: {found.message}")
    text = f"no kingdom has {line.claimed}; {'; '.join(texts)}"
    return Judgement(Verdict.DIFFERS, f"{shared.numbers}; {text}")


def _rivals(other: ClaimLine, exact: Sequence[int]) -> bool:
    """Whether the claim of another line fits one of these kingdoms."""
    return any(
        _fit(other.claimed, other.photo.kingdoms[index]) is not Fit.UNEXPLAINED for index in exact
    )


def _may_have(claimed: int, kingdom: KingdomResult) -> bool:
    """Whether a doubtful kingdom has a total with more than `LEAST_TOTAL`, or with any chance."""
    if not kingdom.scored:
        return True
    totals = [(kingdom.sheet.total, kingdom.probability)]
    totals += [(one.score, one.probability) for one in kingdom.alternatives]
    return sum(chance for total, chance in totals if total == claimed) >= LEAST_TOTAL


# ---------------------------------------------------------------------- wording


def _numbers(lines: int, kingdoms: int) -> str:
    """`4 lines name this photo, which shows 4 kingdoms`."""
    names = "1 line names" if lines == 1 else f"{lines} lines name"
    shows = "1 kingdom" if kingdoms == 1 else f"{kingdoms} kingdoms"
    return f"{names} this photo, which shows {shows}"


def _remedy(photo: PhotoResult) -> str:
    if len(photo.kingdoms) == 1:
        return "write in the column accept what counts for each line"
    return "write the letter of each line's kingdom in the column kingdom"


def _kingdoms(indices: Sequence[int]) -> str:
    names = [kingdom_name(index) for index in indices]
    return f"kingdom {names[0]}" if len(names) == 1 else f"kingdoms {listed(names)}"


def _letter(indices: Sequence[int]) -> str:
    return kingdom_name(indices[0]) if len(indices) == 1 else ""


def _joined(text: str, message: str) -> str:
    return f"{text}: {message}" if message else text
