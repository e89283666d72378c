"""Claims held against kingdoms: agrees, differs with the mistake, or cannot be told.

`judge` takes all lines of a tournament and needs no files. A kingdom counts once: of two photos the
surer one. What a person settled stands while the line has the kingdom that it was settled for.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import kingdom_name
from kdvision.errors import ExitCode
from kdvision.report.text import printable
from kdvision.report.wording import percent
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.legality import Code
from kdvision.sentences import DEFAULT_LANGUAGE, Sentence
from kdvision.tournament.columns import Accepted, Line
from kdvision.tournament.journal import Decision, PhotoReading
from kdvision.tournament.mistakes import Explanation, Remark, explain
from kdvision.tournament.owners import (
    Clue,
    Fit,
    Owned,
    assign,
    chances_of,
    fit_of,
    group_same,
    parse_reading,
    same_kingdom,
)

Fields = dict[str, str | int]

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
        line: The line.
        word: What can be said of its claim.
        reasons: What there is to say, the most telling first.
        kingdom: Its kingdom; None where that is not known.
        letter: The letter of the kingdom, where the photo shows several.
        photo: What was read of its photo; None where there is none.
        settled: The total that a person chose.
        total: The total of several kingdoms that are alike, where it is open which is its own.
        counted_elsewhere: Whether the same kingdom counts in another line, or for nobody.
        decisions: The decisions of the line, and what they were made for.
    """

    line: Line
    word: Word = Word.NONE
    reasons: tuple[Sentence, ...] = ()
    kingdom: KingdomResult | None = None
    letter: str = ""
    photo: PhotoResult | None = None
    settled: int | None = None
    total: int | None = None
    counted_elsewhere: bool = False
    decisions: Mapping[str, Decision] = {}

    @property
    def score(self) -> int | None:
        """What the photo shows; None where that is not known."""
        if self.kingdom is None or not self.kingdom.scored:
            return self.total
        return self.kingdom.score

    @property
    def is_sure(self) -> bool:
        """Whether the kingdom is known and its reading sure."""
        return self.kingdom is not None and self.kingdom.status is Status.SURE

    @property
    def status(self) -> Status | None:
        """How sure the reading is; None where there is no photo, or nobody knows the kingdom."""
        if self.kingdom is not None:
            return self.kingdom.status
        if self.total is not None:
            return Status.SURE
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
        return self.score if self.status is Status.SURE else None

    @property
    def is_open(self) -> bool:
        """Whether somebody has to look at the line."""
        if self.counted_elsewhere:
            return self.word not in (Word.AGREES, Word.NONE)
        return self.counts is None or self.word not in (Word.AGREES, Word.SETTLED, Word.NONE)

    @property
    def explanations(self) -> tuple[Explanation, ...]:
        """The mistakes that lead to the claim, the likeliest first."""
        fields = (field for reason in self.reasons for field in reason.fields.values())
        return tuple(field for field in fields if isinstance(field, Explanation))

    def text(self, language: str = DEFAULT_LANGUAGE) -> str:
        """Return all reasons, a sentence each."""
        texts = [reason.text(language).strip() for reason in self.reasons]
        return " ".join(f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in texts if text)

    def cells(self, language: str = DEFAULT_LANGUAGE) -> dict[str, str]:
        """Return the cells of the found columns."""
        kingdom = self.kingdom
        return {
            "score": "" if self.score is None else str(self.score),
            "status": self.status.value if self.status else "",
            "counts": "" if self.counts is None else str(self.counts),
            "verdict": self.word.value,
            "explanation": printable(self.text(language)),
            "reading": str(kingdom.kingdom) if kingdom else "",
        }

    @property
    def exit_code(self) -> ExitCode:
        """The exit code that the line asks for."""
        match self.word:
            case Word.BAD_LINE:
                return ExitCode.USAGE
            case Word.DIFFERS:
                return ExitCode.DIFFERENT
            case Word.SETTLED | Word.AGREES:
                return ExitCode.SURE
        if self.status in (Status.UNREADABLE, Status.NO_KINGDOM):
            return self.status.exit_code
        return ExitCode.DOUBTFUL if self.is_open else ExitCode.SURE


# ---------------------------------------------------------------------- one line


def judge_claim(
    line: Line,
    kingdom: KingdomResult | None,
    photo: PhotoResult | None = None,
    decisions: Mapping[str, Decision] = {},
) -> Verdict:
    """Hold a claim against its kingdom.

    A sure reading agrees or differs. A doubtful one can only differ, and does when all totals that
    it can have are listed and the claim is none of them. One that cannot be scored says nothing.

    Args:
        line: The line.
        kingdom: Its kingdom; None where that is not known.
        photo: What was read of its photo.
        decisions: What the decisions of the line were made for; others are made for this kingdom.
    """
    index = photo.kingdoms.index(kingdom) if photo and kingdom in photo.kingdoms else 0
    letter = kingdom_name(index) if photo and kingdom and len(photo.kingdoms) > 1 else ""
    verdict = Verdict(line=line, kingdom=kingdom, letter=letter, photo=photo)
    word, reasons = _compare(line, kingdom, photo)
    verdict = replace(verdict, word=word, reasons=(*reasons, *_broken_rule(kingdom)))
    return _with_decisions(verdict, decisions)


def _compare(
    line: Line, kingdom: KingdomResult | None, photo: PhotoResult | None
) -> tuple[Word, list[Sentence]]:
    """Hold the claim of a line against its kingdom, whatever people settled."""
    if line.problems:
        return Word.BAD_LINE, [*line.problems]
    nothing = Word.CANNOT_TELL if "claimed" in line.cells or line.claimed is not None else Word.NONE
    if kingdom is None:
        return nothing, list(photo.reasons) if photo and not photo.kingdoms else []
    doubts = [*_doubts(kingdom, photo)]
    if not kingdom.scored:
        return nothing, [Sentence("verdict.not-scored"), *doubts]
    claimed = line.claimed
    if claimed is None:
        return Word.NONE, doubts
    if kingdom.status is Status.SURE and claimed == kingdom.score:
        return Word.AGREES, []
    chance = percent(kingdom.probability)
    fields: Fields = {"total": kingdom.score, "chance": chance, "claimed": claimed}
    if fit_of(claimed, kingdom) is Fit.POSSIBLE:
        code = "possible" if claimed in chances_of(kingdom) else "others-possible"
        code = "likeliest" if claimed == kingdom.score else code
        return Word.CANNOT_TELL, [Sentence(f"verdict.{code}", fields), *doubts]
    mistakes = explain(kingdom.sheet, claimed, kingdom.origin)
    code = ("no-mistake", "mistake", "mistakes")[len(mistakes)]
    named = dict(zip(("first", "second"), mistakes, strict=False))
    reasons: list[Sentence] = [Remark(f"verdict.{code}", {**fields, **named})]
    if kingdom.status is not Status.SURE:
        reasons.append(Sentence("verdict.differs-unsure", fields))
    return Word.DIFFERS, reasons


def _doubts(kingdom: KingdomResult, photo: PhotoResult | None) -> tuple[Sentence, ...]:
    """Why a kingdom is doubtful: its own doubt beside others of the photo, else all reasons."""
    if photo and len(photo.kingdoms) == 1:
        return photo.reasons
    return (kingdom.doubt.sentence,) if kingdom.doubt else ()


def _broken_rule(kingdom: KingdomResult | None) -> list[Sentence]:
    """The domino that breaks the joining rule for sure; it costs no points."""
    if kingdom is None or kingdom.status is not Status.SURE:
        return []
    broken = [
        problem
        for problem in kingdom.problems
        if problem.code in (Code.NO_ORDER, Code.BROKEN_DOMINO)
    ]
    return [
        Remark("problem.joining-rule", {"problem": Remark(problem.key, problem.fields)})
        for problem in broken[:1]
    ]


def _with_decisions(verdict: Verdict, decisions: Mapping[str, Decision]) -> Verdict:
    """Apply what a person settled; a decision that was made for something else counts for nothing.

    `decisions` are kept as they are where their words have not changed; new ones are made for what
    the line has now.
    """
    line, kingdom = verdict.line, verdict.kingdom
    kept: dict[str, Decision] = {}
    for column in ("fix", "accept"):
        text = line.cells.get(column, "")
        if text:
            made = decisions.get(column)
            is_kept = made is not None and made.text == text
            kept[column] = made if made and is_kept else _made_now(text, verdict)
    verdict = replace(verdict, decisions=kept)
    void = [
        _void(column, made, verdict)
        for column, made in kept.items()
        if not _stands(made, column, verdict)
    ]
    accepted = line.accept
    if accepted is None or any(reason.key == "verdict.void-accept" for reason in void):
        return replace(verdict, reasons=(*void, *verdict.reasons))
    score = kingdom.score if kingdom and kingdom.scored else None
    total = {Accepted.PHOTO: score, Accepted.CLAIM: line.claimed}.get(accepted.what, accepted.total)
    if total is None:
        missing = "read" if accepted.what is Accepted.PHOTO else "claimed"
        reason = Sentence(f"column.nothing-{missing}")
        return replace(verdict, word=Word.BAD_LINE, reasons=(reason, *verdict.reasons))
    note = line.cells.get("note", "")
    fields: Fields = {"total": total, "note": note}
    reason = Sentence(f"verdict.settled.{accepted.what}{'.note' if note else ''}", fields)
    return replace(verdict, word=Word.SETTLED, reasons=(reason, *void), settled=total)


def _made_now(text: str, verdict: Verdict) -> Decision:
    """A decision that is made for what the line has now."""
    kingdom = verdict.kingdom
    if kingdom is None:
        return Decision(text)
    return Decision(text, str(kingdom.kingdom), kingdom.origin, verdict.score)


def _stands(made: Decision, column: str, verdict: Verdict) -> bool:
    """Whether a decision was made for the kingdom that the line has, `accept=photo` for its score.

    A kingdom that is not known now, as its photo is missing, is the one that it was.
    """
    before = parse_reading(made.reading)
    if before is None or verdict.kingdom is None:
        return True
    accepted = verdict.line.accept
    is_photo = column == "accept" and accepted and accepted.what is Accepted.PHOTO
    if is_photo and made.score not in (None, verdict.kingdom.score):
        return False
    return same_kingdom(before, verdict.kingdom.kingdom)


def _void(column: str, made: Decision, verdict: Verdict) -> Sentence:
    """Say that a decision was made for something else, with the old and the new score."""
    old, new = ("?" if score is None else score for score in (made.score, verdict.score))
    return Sentence(f"verdict.void-{column}", {"old": old, "new": new})


# ---------------------------------------------------------------------- all lines


def judge_lines(
    lines: Sequence[Line],
    readings: Sequence[PhotoReading | None],
    decisions: Sequence[Mapping[str, Decision]] = (),
) -> list[Verdict]:
    """Judge all lines of a tournament; `count_once` then lets every kingdom count once.

    Args:
        lines: The lines, those of all tables and rounds together.
        readings: For each line what was read of its photo by its options; None where there is no
            photo yet, or none was reached.
        decisions: For each line what its decisions were made for.

    Returns:
        A verdict for each line, in their order.
    """
    made = decisions or [{}] * len(lines)
    verdicts = [replace(judge_claim(line, None), reasons=_without_photo(line)) for line in lines]
    by_photo: defaultdict[str, list[int]] = defaultdict(list)
    for n, reading in enumerate(readings):
        if reading is not None:
            by_photo[reading.digest or lines[n].photo].append(n)
        else:
            verdicts[n] = _with_decisions(verdicts[n], made[n])
    for indices in by_photo.values():
        photos = [reading.result for n in indices if (reading := readings[n])]
        judged = _judge_photo([lines[n] for n in indices], photos, [made[n] for n in indices])
        for n, verdict in zip(indices, judged, strict=True):
            verdicts[n] = verdict
    has_claims = any(line.claimed is not None for line in lines)
    return [_with_missing_claim(verdict) if has_claims else verdict for verdict in verdicts]


def _without_photo(line: Line) -> tuple[Sentence, ...]:
    if line.problems:
        return line.problems
    code = "photo-missing" if line.photo else "no-photo"
    return (Sentence(f"verdict.{code}", {"photo": line.photo}),)


def _with_missing_claim(verdict: Verdict) -> Verdict:
    """Say that a line of a sheet of claims claims nothing."""
    if verdict.word is not Word.NONE:
        return verdict
    reasons = verdict.reasons
    if verdict.line.claimed is None:
        reasons = (Sentence("verdict.nothing-claimed"), *reasons)
    return replace(verdict, word=Word.CANNOT_TELL, reasons=reasons)


def _judge_photo(
    lines: Sequence[Line],
    photos: Sequence[PhotoResult],
    decisions: Sequence[Mapping[str, Decision]],
) -> list[Verdict]:
    """Judge the lines that name one photo."""
    if not photos[0].kingdoms:
        asked = zip(lines, photos, decisions, strict=True)
        return [judge_claim(line, None, photo, made) for line, photo, made in asked]
    owned = assign(lines, photos)
    verdicts = []
    for line, photo, owner, made in zip(lines, photos, owned, decisions, strict=True):
        if owner.index is None or owner.index >= len(photo.kingdoms):
            verdicts.append(_with_decisions(_judge_open(line, photo, owner, lines), made))
            continue
        verdict = judge_claim(line, photo.kingdoms[owner.index], photo, made)
        verdicts.append(replace(verdict, reasons=(*_told_by(owner, verdict), *verdict.reasons)))
    return verdicts


def _told_by(owner: Owned, verdict: Verdict) -> list[Sentence]:
    """How it is known whose kingdom it is, where people may doubt it; whose claim it is else."""
    photo, line = verdict.photo, verdict.line
    assert photo is not None
    reasons = _wrong_letter(line, photo) if owner.by not in (Clue.READING, Clue.COLOUR) else []
    fitting = [
        kingdom_name(n)
        for n, kingdom in enumerate(photo.kingdoms)
        if line.claimed is not None and fit_of(line.claimed, kingdom) is Fit.EXPLAINED
    ]
    if owner.by in (Clue.CLAIMS, Clue.REST) and verdict.letter:
        is_told = owner.by is Clue.CLAIMS and verdict.letter in fitting
        by = Clue.CLAIMS if is_told else Clue.REST
        reasons.append(Sentence(f"verdict.by-{by}", {"letter": verdict.letter}))
    if verdict.word is Word.DIFFERS and len(fitting) == 1:
        fields: Fields = {"claimed": line.claimed or 0, "letter": fitting[0]}
        reasons.append(Sentence("verdict.fits-another", fields))
    return reasons


def _wrong_letter(line: Line, photo: PhotoResult) -> list[Sentence]:
    """That the photo shows no kingdom of the letter of a line."""
    if not line.letter or line.letter in photo.named:
        return []
    fields: Fields = {"letter": line.letter, "n": len(photo.kingdoms)}
    return [Sentence("verdict.no-such-kingdom", fields)]


def _judge_open(line: Line, photo: PhotoResult, owner: Owned, lines: Sequence[Line]) -> Verdict:
    """Judge a line whose kingdom is open."""
    kingdoms = [photo.kingdoms[index] for index in owner.candidates]
    fits = {fit_of(line.claimed, kingdom) for kingdom in kingdoms}
    names = ", ".join(
        f"{kingdom_name(index)} ({photo.kingdoms[index].score})"
        for index in owner.candidates[:MOST_NAMED]
    )
    verdict = Verdict(line=line, photo=photo)
    wrong = _wrong_letter(line, photo)
    if line.problems:
        return replace(verdict, word=Word.BAD_LINE, reasons=line.problems)
    if owner.by is Clue.RIVALS:
        rivals = ", ".join(name_line(lines[n]) for n in owner.rivals[:MOST_NAMED])
        reason = Sentence("verdict.rivals", {"kingdom": names, "lines": rivals})
    elif not kingdoms:
        reason = Sentence("verdict.none-left")
    elif fits == {Fit.EXPLAINED} and owner.by is Clue.OPEN and _is_alike(line, photo, owner, lines):
        reason = Sentence("verdict.alike", {"kingdoms": names})
        return replace(verdict, word=Word.AGREES, total=line.claimed, reasons=(*wrong, reason))
    elif fits == {Fit.UNEXPLAINED}:
        told: Fields = {"claimed": line.claimed or 0, "kingdoms": names}
        reason = Sentence("verdict.none-has", told)
        return replace(verdict, word=Word.DIFFERS, reasons=(*wrong, reason))
    else:
        reason = Sentence("verdict.open", {"kingdoms": names})
    return replace(verdict, word=Word.CANNOT_TELL, reasons=(*wrong, reason))


def _is_alike(line: Line, photo: PhotoResult, owner: Owned, lines: Sequence[Line]) -> bool:
    """Whether no more lines claim a total than kingdoms have it: it agrees, whichever is meant."""
    claims = sum(rival.claimed == line.claimed for rival in lines)
    return len(owner.candidates) > 1 and claims <= len(owner.candidates)


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
    for group in group_same([_compared(verdict) for verdict in verdicts]):
        _count_group_once(verdicts, group)
    return verdicts


def _compared(verdict: Verdict) -> Kingdom | None:
    """The kingdom of a line, if it is large enough to be compared."""
    kingdom = verdict.kingdom.kingdom if verdict.kingdom else None
    return kingdom if kingdom and len(kingdom.squares()) > MOST_ALIKE else None


def _count_group_once(verdicts: list[Verdict], group: Sequence[int]) -> None:
    """Let one kingdom that several lines have count once."""
    players = {verdicts[n].line.who for n in group if verdicts[n].line.player}
    if len(players) > 1:
        for n in group:
            rivals = [
                verdicts[m].line for m in group if verdicts[m].line.who != verdicts[n].line.who
            ]
            if verdicts[n].line.player:
                verdicts[n] = _with_clash(verdicts[n], rivals)
        return

    def trust(n: int) -> tuple[bool, bool, bool, float]:
        """What decides which line counts: its player, a person's word, then how sure it is."""
        verdict = verdicts[n]
        probability = verdict.kingdom.probability if verdict.kingdom else 0.0
        has_player = bool(verdict.line.player)
        return has_player, verdict.settled is not None, verdict.is_sure, probability

    best = max(group, key=trust)
    for n in group:
        verdict, counted = verdicts[n], verdicts[best]
        if n == best:
            continue
        fields = {"line": name_line(counted.line), "photo": counted.line.photo}
        reasons = [Sentence("verdict.counts-in", fields)]
        if verdict.is_sure and counted.is_sure and verdict.score != counted.score:
            reasons = [_contradiction(counted), *reasons]
            told = (_contradiction(verdict), *counted.reasons)
            verdicts[best] = replace(counted, reasons=told)
        reasons += verdict.reasons
        verdicts[n] = replace(verdict, counted_elsewhere=True, reasons=tuple(reasons))


def _contradiction(verdict: Verdict) -> Sentence:
    line = verdict.line
    fields: Fields = {"line": name_line(line), "photo": line.photo, "total": verdict.score or 0}
    return Sentence("verdict.contradiction", fields)


def _with_clash(verdict: Verdict, rivals: Sequence[Line]) -> Verdict:
    """A line whose kingdom another player has, too."""
    named = ", ".join(f"{name_line(line)}, {line.photo}" for line in rivals[:MOST_NAMED])
    reason = Sentence("verdict.same-kingdom", {"lines": named})
    if verdict.word is Word.SETTLED:
        return replace(verdict, reasons=(reason, *verdict.reasons))
    return replace(verdict, word=Word.CANNOT_TELL, reasons=(reason,), counted_elsewhere=True)
