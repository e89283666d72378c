"""Claims held against kingdoms: agrees, differs with the mistake, or cannot be told.

`judge_lines` takes all lines of a tournament and needs no files. A kingdom counts once: of two
photos the surer one. What a person settled stands while the line has the kingdom that it was
settled for.
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
    Owner,
    group_same,
    is_misnamed,
    parse_reading,
    rate_fit,
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
        index: The index of its kingdom in the photo; None where that is not known.
        photo: What was read of its photo; None where there is none.
        settled: The total that a person chose, if any.
        counts_elsewhere: Whether the same kingdom counts in another line, or for nobody.
    """

    line: Line
    word: Word = Word.NONE
    reasons: tuple[Sentence, ...] = ()
    kingdom: KingdomResult | None = None
    index: int | None = None
    photo: PhotoResult | None = None
    settled: int | None = None
    counts_elsewhere: bool = False

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
        if self.counts_elsewhere:
            return None
        if self.settled is not None:
            return self.settled
        # A bad cell other than the claim may decide the score, as the size does.
        if any(problem.fields.get("column") != "claimed" for problem in self.line.problems):
            return None
        return self.score if self.is_sure else None

    @property
    def is_open(self) -> bool:
        """Whether somebody has to look at the line."""
        is_unsettled = self.word not in (Word.AGREES, Word.SETTLED, Word.NONE)
        return is_unsettled or (self.counts is None and not self.counts_elsewhere)

    def text(self, language: str = ENGLISH) -> str:
        """Return all reasons, a sentence each."""
        texts = [reason.text(language).strip() for reason in self.reasons]
        return " ".join(f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in texts if text)

    def cells(self, language: str = ENGLISH) -> dict[str, str]:
        """Return the cells of the found columns."""
        return {
            "score": "" if self.score is None else str(self.score),
            "status": self.status or "",
            "counts": "" if self.counts is None else str(self.counts),
            "verdict": self.word,
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
    owner: Owner | None = None,
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
    index = owner.index if owner and kingdom else None
    verdict = Verdict(line=line, kingdom=kingdom, index=index, photo=photo)
    hints = _list_hints(line, photo, owner) if owner and photo and photo.kingdoms else []
    word, reasons = _compare(verdict, owner)
    return _settle(_reword(verdict, *hints, *reasons, word=word))


def _list_hints(line: Line, photo: PhotoResult, owner: Owner) -> list[Sentence]:
    """Say how it is known whose kingdom it is, where the line itself does not tell."""
    hints = []
    is_wrong = is_misnamed(line, photo, owner)
    if is_wrong:
        hints.append(_say("no-such-kingdom", letter=line.letter, n=len(photo.kingdoms)))
    if line.fixes and (is_wrong or owner.index is None):
        hints.append(_say("fix-waits"))
    is_guess = owner.clue in (Clue.CLAIMS, Clue.REST) and len(photo.kingdoms) > 1
    if owner.index is not None and is_guess:
        hints.append(_say(f"by-{owner.clue.name.lower()}", letter=kingdom_name(owner.index)))
    return hints


def _compare(verdict: Verdict, owner: Owner | None) -> tuple[Word, list[Sentence]]:
    """Hold a claim against its kingdom, whatever people settled."""
    line, kingdom, photo = verdict.line, verdict.kingdom, verdict.photo
    claimed, breaks = line.claimed, _list_breaks(kingdom)
    reasons: list[Sentence] = []
    no_claim = Word.CANNOT_TELL if "claimed" in line.cells or claimed is not None else Word.NONE
    # What keeps claim and kingdom from being compared.
    if line.problems:
        return Word.BAD_LINE, [*line.problems, *breaks]
    if kingdom is None and owner and photo and photo.kingdoms:
        word, reason = _compare_open(line, photo, owner)
        return word, [reason]
    if kingdom is None:
        missing = _say("photo-missing" if line.photo else "no-photo", photo=line.photo)
        return no_claim, [*(photo.reasons if photo else (missing,))]
    # A kingdom alone in its photo has all doubts of the photo, else its own one.
    doubts = [kingdom.doubt.sentence] if kingdom.doubt else []
    if photo and len(photo.kingdoms) == 1:
        doubts = [*photo.reasons]
    if not kingdom.scored:
        return no_claim, [_say("not-scored"), *doubts]
    if claimed is None:
        return Word.NONE, [*doubts, *breaks]
    totals = {"total": kingdom.score, "claimed": claimed}
    fit = rate_fit(claimed, kingdom)
    if fit is Fit.EXPLAINED:
        return Word.AGREES, breaks
    if fit is Fit.POSSIBLE:
        chance = percent(kingdom.probability)
        return Word.CANNOT_TELL, [_say("possible", **totals, chance=chance), *doubts]
    # A mistake leads to the claim, or it is the total of another kingdom.
    mistakes = explain(kingdom.sheet, claimed, kingdom.origin)
    code = ("no-mistake", "mistake", "mistakes")[len(mistakes)]
    fields = dict(zip(("first", "second"), mistakes, strict=False))
    letters = [
        letter
        for letter, rival in (photo.named if photo else {}).items()
        if rate_fit(claimed, rival) is Fit.EXPLAINED
    ]
    if len(letters) == 1:
        reasons.append(_say("fits-another", claimed=claimed, letter=letters[0]))
    reasons.append(_say(code, **totals, **fields))
    if not verdict.is_sure:
        reasons.append(_say("differs-unsure", **totals))
    return Word.DIFFERS, [*reasons, *breaks]


def _compare_open(line: Line, photo: PhotoResult, owner: Owner) -> tuple[Word, Sentence]:
    """Say what can be said of a line whose kingdom is open."""
    kingdoms = [(kingdom_name(index), photo.kingdoms[index]) for index in owner.candidates]
    names = ", ".join(f"{letter} ({kingdom.score})" for letter, kingdom in kingdoms[:MOST_NAMED])
    fits = {rate_fit(line.claimed, kingdom) for _, kingdom in kingdoms}
    if owner.rivals:
        rivals = ", ".join(map(name_line, owner.rivals[:MOST_NAMED]))
        return Word.CANNOT_TELL, _say("rivals", kingdom=names, lines=rivals)
    if fits == {Fit.UNEXPLAINED}:
        return Word.DIFFERS, _say("none-has", kingdoms=names, claimed=line.claimed)
    return Word.CANNOT_TELL, _say("open", kingdoms=names) if kingdoms else _say("none-left")


def _say(code: str, **fields: Any) -> Sentence:
    return Sentence(f"verdict.{code}", fields)


def _reword(verdict: Verdict, *reasons: Sentence, **fields: Any) -> Verdict:
    return replace(verdict, reasons=reasons, **fields)


def _list_breaks(kingdom: KingdomResult | None) -> list[Sentence]:
    """Say which domino breaks the joining rule for sure; it costs no points."""
    if kingdom is None or kingdom.status is not Status.SURE:
        return []
    breaks = [
        Sentence("problem.joining-rule", {"problem": Sentence(problem.key, problem.fields)})
        for problem in kingdom.problems
        if problem.code in (Code.NO_ORDER, Code.BROKEN_DOMINO)
    ]
    return [*breaks[:1]]


# ---------------------------------------------------------------------- what people settled


def _settle(verdict: Verdict) -> Verdict:
    """Apply what a person settled; a decision that was made for something else counts for nothing.

    One that was made while nobody knew the kingdom is made for what the line has now.
    """
    # What each decision was made for, and whether that is still so.
    line, kingdom = verdict.line, verdict.kingdom
    decisions: dict[str, Decision] = {}
    voids: dict[str, Sentence] = {}
    for column in ("fix", "accept"):
        if column not in line.cells:
            continue
        decision = line.decisions.get(column, Decision(line.cells[column]))
        if kingdom and not decision.reading:
            basis = {"origin": kingdom.origin, "score": verdict.score}
            decision = replace(decision, reading=kingdom.line, **basis)
        decisions[column] = decision
        # A kingdom that is not known now, as its photo is missing, is the one that it was.
        last = parse_reading(decision.reading)
        is_void = last and kingdom and not same_kingdom(last, kingdom.kingdom)
        if column == "accept" and line.accept == "photo" and kingdom:
            is_void = is_void or decision.score not in (None, verdict.score)
        if is_void:
            scores = decision.score, verdict.score
            old, new = ("?" if score is None else score for score in scores)
            voids[column] = _say(f"void-{column}", old=old, new=new)
    verdict = replace(verdict, line=replace(line, decisions=decisions))
    if line.accept is None or "accept" in voids:
        return _reword(verdict, *voids.values(), *verdict.reasons)
    # The total that was accepted.
    totals = {"photo": verdict.score, "claim": line.claimed}
    accept = line.accept
    kind, total = ("number", accept) if isinstance(accept, int) else (accept, totals[accept])
    if total is None:
        reason = Sentence(f"column.nothing-{'read' if kind == 'photo' else 'claimed'}")
        return _reword(verdict, reason, *verdict.reasons, word=Word.BAD_LINE)
    by = f" ({line.cells['note']})" if "note" in line.cells else ""
    reason = _say(f"settled.{kind}", total=total, by=by)
    return _reword(verdict, reason, *voids.values(), word=Word.SETTLED, settled=total)


# ---------------------------------------------------------------------- all lines


def judge_lines(
    lines: Sequence[Line], photos: Sequence[PhotoResult | None], owners: Sequence[Owner]
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
            verdict = _reword(verdict, *missing, *verdict.reasons, word=Word.CANNOT_TELL)
        verdicts.append(verdict)
    return verdicts


def name_line(line: Line) -> str:
    """Return how messages name a line: `line 7 (Ann)`."""
    return f"{line.number} ({line.player})" if line.player else str(line.number)


# ---------------------------------------------------------------------- a kingdom counts once


def count_once(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return verdicts by which every kingdom counts once.

    Of two photos of one player's kingdom the surer counts; where both are sure and differ, both
    lines say so. A kingdom of two players counts for neither, and both lines name each other.
    """
    verdicts = list(verdicts)
    kingdoms = {
        n: verdict.kingdom.kingdom
        for n, verdict in enumerate(verdicts)
        if verdict.kingdom and len(verdict.kingdom.kingdom.squares()) > MOST_ALIKE
    }
    for group in group_same(kingdoms):
        players = {verdicts[n].line.player_key for n in group if verdicts[n].line.player}
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
        rivals = [line for line in lines if line.player_key != verdict.line.player_key]
        names = ", ".join(f"{name_line(line)}, {line.photo}" for line in rivals[:MOST_NAMED])
        reason = _say("same-kingdom", lines=names)
        if verdict.word is Word.SETTLED:
            verdicts[n] = _reword(verdict, reason, *verdict.reasons)
        elif verdict.line.player:
            fields = {"word": Word.CANNOT_TELL, "counts_elsewhere": True}
            verdicts[n] = _reword(verdict, reason, **fields)


def _count_surest(verdicts: list[Verdict], group: Sequence[int]) -> None:
    """Let a kingdom that is in several photos count in the surest."""

    def trust(n: int) -> tuple[bool, bool, bool, float]:
        """What decides which line counts: a player, a person's decision, then how sure it is."""
        verdict = verdicts[n]
        probability = verdict.kingdom.probability if verdict.kingdom else 0.0
        has_player = bool(verdict.line.player)
        return has_player, verdict.settled is not None, verdict.is_sure, probability

    best = max(group, key=trust)
    for n in [n for n in group if n != best]:
        verdict, surest = verdicts[n], verdicts[best]
        reasons = [_say("counts-in", line=name_line(surest.line), photo=surest.line.photo)]
        if verdict.is_sure and surest.is_sure and verdict.score != surest.score:
            reasons = [_contradict(surest), *reasons]
            verdicts[best] = _reword(surest, _contradict(verdict), *surest.reasons)
        verdicts[n] = _reword(verdict, *reasons, *verdict.reasons, counts_elsewhere=True)


def _contradict(verdict: Verdict) -> Sentence:
    """Say what another sure photo shows."""
    line, total = verdict.line, verdict.score or 0
    return _say("contradiction", line=name_line(line), photo=line.photo, total=total)
