"""The claims of all lines that name one photo, held against its kingdoms."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kdvision.corrections import kingdom_name
from kdvision.pipeline.settings import PIPELINE
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.tournament.owners import Fit, best_kingdoms
from kdvision.tournament.verify.verdict import Judgement, Verdict, is_possible, judge_kingdom

#: A total of a doubtful kingdom that is at least as likely as this keeps others from being sure:
#: what is sure is right at least with the other part of 1.
LEAST_TOTAL = 1 - PIPELINE.sure_from


@dataclass(frozen=True, slots=True)
class ClaimLine:
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
    agree only where every best assignment explains them and there are as many lines as kingdoms.
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
    text = f"kingdom {line.letter} is named by {_listed(others)}, too, and has one owner"
    verdict = found.verdict if found.verdict is Verdict.DIFFERS else Verdict.CANNOT_TELL
    return replace(found, verdict=verdict, message=_joined(text, found.message))


# ---------------------------------------------------------------------- without letters


def _assigned(lines: Sequence[ClaimLine], free: Sequence[int], count: int) -> list[Judgement]:
    """Lines that name no kingdom, against the kingdoms that no line names."""
    if not lines:
        return []
    if not free:
        text = "every kingdom of the photo belongs to another line"
        return [Judgement(Verdict.CANNOT_TELL, text) for _ in lines]
    fits = [[_fit(line.claimed, line.photo.kingdoms[index]) for index in free] for line in lines]
    options = best_kingdoms(fits)
    return [
        _line_without_letter(number, lines, free, options, count) for number in range(len(lines))
    ]


def _fit(claimed: int, kingdom: KingdomResult) -> Fit:
    if kingdom.status is Status.SURE:
        return Fit.EXPLAINED if kingdom.sheet.total == claimed else Fit.UNEXPLAINED
    return Fit.POSSIBLE if is_possible(claimed, kingdom) else Fit.UNEXPLAINED


def _line_without_letter(
    number: int,
    lines: Sequence[ClaimLine],
    free: Sequence[int],
    options: Sequence[frozenset[int | None]],
    count: int,
) -> Judgement:
    line = lines[number]
    kingdoms = {free[one]: line.photo.kingdoms[free[one]] for one in range(len(free))}
    own = sorted(free[one] for one in options[number] if one is not None)
    exact = [index for index in own if _fit(line.claimed, kingdoms[index]) is Fit.EXPLAINED]
    numbers = _numbers(count, len(line.photo.kingdoms))
    if exact and len(exact) == len(options[number]):
        return _explained(line, exact, numbers, len(lines) == len(free))
    possible = [index for index in own if _fit(line.claimed, kingdoms[index]) is Fit.POSSIBLE]
    if exact:
        rivals = [other.name for other in lines if other is not line and _rivals(other, exact)]
        text = f"{line.claimed} is the total of {_kingdoms(exact)} only"
        if rivals:
            text += f", and {_listed(rivals)} {'claim' if len(rivals) > 1 else 'claims'} it, too"
        return Judgement(Verdict.CANNOT_TELL, f"{text}; {_remedy(line.photo)}")
    if possible:
        index = possible[0]
        found = judge_kingdom(line.claimed, kingdoms[index], line.photo.message)
        text = f"this may be {_kingdoms(possible)}"
        kingdom = found.kingdom if len(own) == 1 else None
        message = _joined(f"{numbers}; {text}", found.message)
        return Judgement(Verdict.CANNOT_TELL, message, kingdom, letter=_letter(own))
    return _unexplained(line, own, kingdoms, numbers)


def _explained(line: ClaimLine, exact: Sequence[int], numbers: str, as_many: bool) -> Judgement:
    """A claim that every best assignment explains."""
    kingdom = line.photo.kingdoms[exact[0]] if len(exact) == 1 else None
    letter = _letter(exact)
    doubtful = [
        index
        for index, other in enumerate(line.photo.kingdoms)
        if other.status is not Status.SURE and _chance(line.claimed, other) >= LEAST_TOTAL
    ]
    if as_many and not doubtful:
        text = (
            f"{numbers}; this is {_kingdoms(exact)}"
            if letter
            else f"{numbers}; {_kingdoms(exact)} have this total"
        )
        return Judgement(Verdict.AGREES, text, kingdom, 0, letter=letter)
    text = f"{line.claimed} is the total of {_kingdoms(exact)}, but {numbers}"
    if doubtful:
        others = f"{_kingdoms(doubtful)} may have it, too"
        text = f"{line.claimed} is the total of {_kingdoms(exact)}, but {others}"
    return Judgement(
        Verdict.CANNOT_TELL, f"{text}; {_remedy(line.photo)}", kingdom, 0, letter=letter
    )


def _unexplained(
    line: ClaimLine, own: Sequence[int], kingdoms: dict[int, KingdomResult], numbers: str
) -> Judgement:
    """A claim that no best assignment explains."""
    if any(_fit(line.claimed, kingdom) is not Fit.UNEXPLAINED for kingdom in kingdoms.values()):
        text = f"{numbers}; what may have {line.claimed} is explained better by another line"
        return Judgement(Verdict.CANNOT_TELL, f"{text}; {_remedy(line.photo)}")
    left = own or sorted(kingdoms)
    if len(left) == 1:
        found = judge_kingdom(line.claimed, kingdoms[left[0]], "")
        text = _joined(f"{numbers}; only kingdom {kingdom_name(left[0])} is left", found.message)
        return replace(found, message=text, letter=kingdom_name(left[0]))
    texts = []
    for index in left:
        found = judge_kingdom(line.claimed, kingdoms[index], "")
        total = kingdoms[index].sheet.total
        texts.append(f"kingdom {kingdom_name(index)} has {total}: {found.message}")
    return Judgement(Verdict.DIFFERS, f"{numbers}; {'; '.join(texts)}")


def _rivals(other: ClaimLine, exact: Sequence[int]) -> bool:
    """Whether the claim of another line fits one of these kingdoms."""
    return any(
        _fit(other.claimed, other.photo.kingdoms[index]) is not Fit.UNEXPLAINED for index in exact
    )


def _chance(claimed: int, kingdom: KingdomResult) -> float:
    """How likely a kingdom has a total, as far as its totals are listed."""
    totals = [(kingdom.sheet.total, kingdom.probability)]
    totals += [(one.score, one.probability) for one in kingdom.alternatives]
    return sum(probability for total, probability in totals if total == claimed)


# ---------------------------------------------------------------------- words


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
    return f"kingdom {names[0]}" if len(names) == 1 else f"kingdoms {_listed(names)}"


def _letter(indices: Sequence[int]) -> str:
    return kingdom_name(indices[0]) if len(indices) == 1 else ""


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _joined(text: str, message: str) -> str:
    return f"{text}: {message}" if message else text
