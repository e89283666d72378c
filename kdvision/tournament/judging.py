"""Claims held against kingdoms: agrees, differs with the mistake, or cannot be told.

`judge` takes all lines of a tournament and needs no files. A kingdom counts once: of two photos the
surer one. What a person settled stands while the line has the kingdom that it was settled for.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import kingdom_name
from kdvision.errors import ExitCode
from kdvision.report.text import printable
from kdvision.report.wording import percent
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.legality import Code
from kdvision.sentences import ENGLISH, Sentence
from kdvision.tournament.columns import Decision, Line
from kdvision.tournament.mistakes import explain
from kdvision.tournament.owners import (
    Clue,
    Fit,
    Owned,
    fit_of,
    group_same,
    is_misnamed,
    parse_reading,
    same_kingdom,
)

#: Kingdoms of no more squares are not compared between photos: four dominoes can lie alike by
#: chance.
MOST_ALIKE = 8
#: No more lines and kingdoms are named in one sentence; a table has four.
MOST_NAMED = 5


class Word(StrEnum):
    """What can be said of a claim."""

    AGREES = "agrees"
    DIFFERS = "differs"
    CANNOT_TELL = "cannot tell"
    #: A person decided.
    SETTLED = "settled"
    #: The line itself cannot be used.
    BAD_LINE = "bad line"
    #: Nothing is claimed in the whole sheet.
    NONE = ""


class Verdict(Struct, frozen=True, kw_only=True):
    """What was found of one line.

    Attributes:
        line: The line, with what its decisions are made for.
        word: What can be said of its claim.
        reasons: What there is to say, the most telling first.
        kingdom: Its kingdom; None where that is not known.
        photo: What was read of its photo; None where there is none.
        settled: The total that a person chose.
        counted_elsewhere: Whether the same kingdom counts in another line, or for nobody.
    """

    line: Line
    word: Word = Word.NONE
    reasons: tuple[Sentence, ...] = ()
    kingdom: KingdomResult | None = None
    photo: PhotoResult | None = None
    settled: int | None = None
    counted_elsewhere: bool = False

    @property
    def index(self) -> int | None:
        """The index of its kingdom in the photo."""
        kingdoms = self.photo.kingdoms if self.photo else ()
        return kingdoms.index(self.kingdom) if self.kingdom in kingdoms else None

    @property
    def score(self) -> int | None:
        """What the photo shows; None where that is not known."""
        return self.kingdom.score if self.kingdom and self.kingdom.scored else None

    @property
    def is_sure(self) -> bool:
        """Whether the kingdom is known and its reading sure."""
        return self.status is Status.SURE

    @property
    def status(self) -> Status | None:
        """How sure the reading is; None where there is no photo, or nobody knows the kingdom."""
        if self.kingdom is not None:
            return self.kingdom.status
        return self.photo.status if self.photo and not self.photo.kingdoms else None

    @property
    def counts(self) -> int | None:
        """The total that counts: what a person settled, else a sure score; None while open."""
        if self.counted_elsewhere:
            return None
        if self.settled is not None:
            return self.settled
        # What is wrong but the claim may be what the score hangs on, such as the size.
        if any(problem.fields.get("column") != "claimed" for problem in self.line.problems):
            return None
        return self.score if self.is_sure else None

    @property
    def is_open(self) -> bool:
        """Whether somebody has to look at the line."""
        is_asked = self.word not in (Word.AGREES, Word.SETTLED, Word.NONE)
        return is_asked or (self.counts is None and not self.counted_elsewhere)

    def text(self, language: str = ENGLISH) -> str:
        """Return all reasons, a sentence each."""
        texts = [reason.text(language).strip() for reason in self.reasons]
        return " ".join(f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in texts if text)

    def cells(self, language: str = ENGLISH) -> dict[str, str]:
        """Return the cells of the found columns."""
        return {
            "score": "" if self.score is None else str(self.score),
            "status": self.status.value if self.status else "",
            "counts": "" if self.counts is None else str(self.counts),
            "verdict": self.word.value,
            "explanation": printable(self.text(language)),
            "reading": self.kingdom.line if self.kingdom else "",
        }

    @property
    def exit_code(self) -> ExitCode:
        """The exit code that the line asks for."""
        if self.word is Word.BAD_LINE:
            return ExitCode.USAGE
        if self.word is Word.DIFFERS:
            return ExitCode.DIFFERENT
        if self.is_open and self.status in (Status.UNREADABLE, Status.NO_KINGDOM):
            return self.status.exit_code
        return ExitCode.DOUBTFUL if self.is_open else ExitCode.SURE


# ---------------------------------------------------------------------- one line


def judge_claim(
    line: Line,
    kingdom: KingdomResult | None,
    photo: PhotoResult | None = None,
    owner: Owned | None = None,
) -> Verdict:
    """Hold a claim against its kingdom, and apply what a person settled.

    A sure reading agrees or differs. A doubtful one can only differ, and does when all totals that
    it can have are listed and the claim is none of them. One that cannot be scored says nothing.

    Args:
        line: The line.
        kingdom: Its kingdom; None where that is not known.
        photo: What was read of its photo.
        owner: How its kingdom is known, or why it is not; None where a person gave it.
    """
    verdict = Verdict(line=line, kingdom=kingdom, photo=photo)
    hints = _hints(line, photo, owner) if owner and photo and photo.kingdoms else []
    word, reasons = _compare(verdict, owner)
    return _settle(_reword(verdict, word, *hints, *reasons))


def _hints(line: Line, photo: PhotoResult, owner: Owned) -> list[Sentence]:
    """Say how it is known whose kingdom it is, where the line itself does not tell."""
    hints = []
    misnamed = is_misnamed(line, photo, owner)
    if misnamed:
        hints.append(_say("no-such-kingdom", letter=line.letter, n=len(photo.kingdoms)))
    if line.fixes and (misnamed or owner.index is None):
        hints.append(_say("fix-waits"))
    by = owner.by
    if by is Clue.READING and line.claimed is not None and not (line.letter or line.colour):
        by = Clue.CLAIMS  # which told it in the run before
    is_guess = by in (Clue.CLAIMS, Clue.REST) and len(photo.kingdoms) > 1
    if owner.index is not None and is_guess:
        hints.append(_say(f"by-{by.name.lower()}", letter=kingdom_name(owner.index)))
    return hints


def _compare(verdict: Verdict, owner: Owned | None) -> tuple[Word, list[Sentence]]:
    """Hold a claim against its kingdom, whatever people settled."""
    line, kingdom, photo = verdict.line, verdict.kingdom, verdict.photo
    claimed, broken = line.claimed, _broken_rule(kingdom)
    reasons: list[Sentence] = []
    nothing = Word.CANNOT_TELL if "claimed" in line.cells or claimed is not None else Word.NONE
    # What keeps claim and kingdom from being compared.
    if line.problems:
        return Word.BAD_LINE, [*line.problems, *broken]
    if kingdom is None and owner and photo and photo.kingdoms:
        word, reason = _compare_open(line, photo, owner)
        return word, [reason]
    if kingdom is None:
        missing = _say("photo-missing" if line.photo else "no-photo", photo=line.photo)
        return nothing, [*(photo.reasons if photo else (missing,))]
    # Beside others of its photo a kingdom has its own doubt, else all of the photo.
    doubts = [kingdom.doubt.sentence] if kingdom.doubt else []
    if photo and len(photo.kingdoms) == 1:
        doubts = [*photo.reasons]
    if not kingdom.scored:
        return nothing, [_say("not-scored"), *doubts]
    if claimed is None:
        return Word.NONE, [*doubts, *broken]
    fields = {"total": kingdom.score, "claimed": claimed}
    fit = fit_of(claimed, kingdom)
    if fit is Fit.EXPLAINED:
        return Word.AGREES, broken
    if fit is Fit.POSSIBLE:
        chance = percent(kingdom.probability)
        return Word.CANNOT_TELL, [_say("possible", **fields, chance=chance), *doubts]
    # A mistake leads to the claim, or it is the total of another kingdom.
    mistakes = explain(kingdom.sheet, claimed, kingdom.origin)
    code = ("no-mistake", "mistake", "mistakes")[len(mistakes)]
    named = dict(zip(("first", "second"), mistakes, strict=False))
    fitting = [
        letter
        for letter, rival in (photo.named if photo else {}).items()
        if fit_of(claimed, rival) is Fit.EXPLAINED
    ]
    if len(fitting) == 1:
        reasons.append(_say("fits-another", claimed=claimed, letter=fitting[0]))
    reasons.append(_say(code, **fields, **named))
    if not verdict.is_sure:
        reasons.append(_say("differs-unsure", **fields))
    return Word.DIFFERS, [*reasons, *broken]


def _compare_open(line: Line, photo: PhotoResult, owner: Owned) -> tuple[Word, Sentence]:
    """What can be said of a line whose kingdom is open."""
    named = [(kingdom_name(index), photo.kingdoms[index]) for index in owner.candidates]
    names = ", ".join(f"{letter} ({kingdom.score})" for letter, kingdom in named[:MOST_NAMED])
    fits = {fit_of(line.claimed, kingdom) for _, kingdom in named}
    if owner.rivals:
        rivals = ", ".join(map(name_line, owner.rivals[:MOST_NAMED]))
        return Word.CANNOT_TELL, _say("rivals", kingdom=names, lines=rivals)
    if fits == {Fit.UNEXPLAINED}:
        return Word.DIFFERS, _say("none-has", kingdoms=names, claimed=line.claimed)
    return Word.CANNOT_TELL, _say("open", kingdoms=names) if named else _say("none-left")


def _say(code: str, **fields: Any) -> Sentence:
    return Sentence(f"verdict.{code}", fields)


def _reword(verdict: Verdict, word: Word, *reasons: Sentence) -> Verdict:
    return replace(verdict, word=word, reasons=reasons)


def _broken_rule(kingdom: KingdomResult | None) -> list[Sentence]:
    """The domino that breaks the joining rule for sure; it costs no points."""
    if kingdom is None or kingdom.status is not Status.SURE:
        return []
    broken = [
        Sentence("problem.joining-rule", {"problem": Sentence(problem.key, problem.fields)})
        for problem in kingdom.problems
        if problem.code in (Code.NO_ORDER, Code.BROKEN_DOMINO)
    ]
    return [*broken[:1]]


# ---------------------------------------------------------------------- what people settled


def _settle(verdict: Verdict) -> Verdict:
    """Apply what a person settled; a decision that was made for something else counts for nothing.

    One that was made while nobody knew the kingdom is made for what the line has now.
    """
    # What each decision was made for, and whether that is still so.
    line, kingdom = verdict.line, verdict.kingdom
    kept: dict[str, Decision] = {}
    void: dict[str, Sentence] = {}
    for column in ("fix", "accept"):
        if column not in line.cells:
            continue
        made = line.decisions.get(column, Decision(line.cells[column]))
        if kingdom and not made.reading:
            about = {"origin": kingdom.origin, "score": verdict.score}
            made = replace(made, reading=kingdom.line, **about)
        kept[column] = made
        # A kingdom that is not known now, as its photo is missing, is the one that it was.
        before = parse_reading(made.reading)
        is_void = before and kingdom and not same_kingdom(before, kingdom.kingdom)
        if column == "accept" and line.accept == "photo" and kingdom:
            is_void = is_void or made.score not in (None, verdict.score)
        if is_void:
            old, new = ("?" if score is None else score for score in (made.score, verdict.score))
            void[column] = _say(f"void-{column}", old=old, new=new)
    verdict = replace(verdict, line=replace(line, decisions=kept))
    if line.accept is None or "accept" in void:
        return _reword(verdict, verdict.word, *void.values(), *verdict.reasons)
    # The total that was accepted.
    totals = {"photo": verdict.score, "claim": line.claimed}
    accept = line.accept
    what, total = ("number", accept) if isinstance(accept, int) else (accept, totals[accept])
    if total is None:
        reason = Sentence(f"column.nothing-{'read' if what == 'photo' else 'claimed'}")
        return _reword(verdict, Word.BAD_LINE, reason, *verdict.reasons)
    by = f" ({line.cells['note']})" if "note" in line.cells else ""
    reason = _say(f"settled.{what}", total=total, by=by)
    return replace(verdict, word=Word.SETTLED, reasons=(reason, *void.values()), settled=total)


# ---------------------------------------------------------------------- all lines


def judge_lines(
    lines: Sequence[Line], photos: Sequence[PhotoResult | None], owners: Sequence[Owned]
) -> list[Verdict]:
    """Judge all lines of a tournament; `count_once` then lets every kingdom count once.

    Args:
        lines: The lines, those of all tables and rounds together.
        photos: For each line what was read of its photo by its options, corrected; None where
            there is no photo yet.
        owners: For each line its kingdom in the photo.

    Returns:
        A verdict for each line, in their order.
    """
    # A line of a sheet of claims says so where it has none.
    has_claims = any(line.claimed is not None for line in lines)
    verdicts = []
    for line, photo, owner in zip(lines, photos, owners, strict=True):
        kingdom = None
        if photo and photo.kingdoms and owner.index is not None:
            kingdom = photo.kingdoms[owner.index]
        verdict = judge_claim(line, kingdom, photo, owner)
        if has_claims and verdict.word is Word.NONE:
            missing = [] if line.claimed is not None else [_say("nothing-claimed")]
            verdict = _reword(verdict, Word.CANNOT_TELL, *missing, *verdict.reasons)
        verdicts.append(verdict)
    return verdicts


def name_line(line: Line) -> str:
    """Return how messages name a line: `line 7 (Ann)`."""
    return f"{line.number} ({line.player})" if line.player else str(line.number)


# ---------------------------------------------------------------------- a kingdom counts once


def count_once(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return verdicts by which every kingdom counts once.

    Of two photos of one player's kingdom the surer counts, and what two sure ones contradict is
    said. A kingdom of two players counts for neither, and both lines name each other.
    """
    verdicts = list(verdicts)
    kingdoms = {n: v.kingdom.kingdom for n, v in enumerate(verdicts) if v.kingdom}
    large = {n: kingdom for n, kingdom in kingdoms.items() if len(kingdom.squares()) > MOST_ALIKE}
    for group in group_same(large):
        players = {verdicts[n].line.who for n in group if verdicts[n].line.player}
        if len(players) > 1:
            _part_players(verdicts, group)
        else:
            _count_surest(verdicts, group)
    return verdicts


def _part_players(verdicts: list[Verdict], group: Sequence[int]) -> None:
    """Let a kingdom that several players have count for none of them."""
    lines = [verdicts[n].line for n in group]
    for n in group:
        verdict = verdicts[n]
        rivals = [line for line in lines if line.who != verdict.line.who]
        named = ", ".join(f"{name_line(line)}, {line.photo}" for line in rivals[:MOST_NAMED])
        reason = _say("same-kingdom", lines=named)
        if verdict.word is Word.SETTLED:
            verdicts[n] = _reword(verdict, verdict.word, reason, *verdict.reasons)
        elif verdict.line.player:
            verdict = _reword(verdict, Word.CANNOT_TELL, reason)
            verdicts[n] = replace(verdict, counted_elsewhere=True)


def _count_surest(verdicts: list[Verdict], group: Sequence[int]) -> None:
    """Let a kingdom that is in several photos count in the surest."""

    def trust(n: int) -> tuple[bool, bool, bool, float]:
        """What decides which line counts: its player, a person's word, then how sure it is."""
        verdict = verdicts[n]
        probability = verdict.kingdom.probability if verdict.kingdom else 0.0
        has_player = bool(verdict.line.player)
        return has_player, verdict.settled is not None, verdict.is_sure, probability

    best = max(group, key=trust)
    for n in [n for n in group if n != best]:
        verdict, counted = verdicts[n], verdicts[best]
        reasons = [_say("counts-in", line=name_line(counted.line), photo=counted.line.photo)]
        if verdict.is_sure and counted.is_sure and verdict.score != counted.score:
            reasons = [_contradiction(counted), *reasons]
            told = _contradiction(verdict), *counted.reasons
            verdicts[best] = _reword(counted, counted.word, *told)
        verdict = _reword(verdict, verdict.word, *reasons, *verdict.reasons)
        verdicts[n] = replace(verdict, counted_elsewhere=True)


def _contradiction(verdict: Verdict) -> Sentence:
    line, total = verdict.line, verdict.score or 0
    return _say("contradiction", line=name_line(line), photo=line.photo, total=total)
