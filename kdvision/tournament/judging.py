"""Claims held against kingdoms: agrees, differs with the mistake, or cannot be told.

`judge_rows` takes all rows of a tournament and needs no files. What a person accepted counts,
whatever the photo says.
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
from kdvision.tournament.fixes import CLEAR_SQUARE
from kdvision.tournament.matching import Clue, Fit, Match, is_misnamed, rate_fit
from kdvision.tournament.mistakes import explain
from kdvision.tournament.rows import Row

#: No more rows and kingdoms are named in one sentence; a table has four.
MOST_NAMED = 5


class Word(StrEnum):
    """What can be said of a claim."""

    AGREES = "agrees"
    DIFFERS = "differs"
    CANNOT_TELL = "cannot tell"
    #: A person decided.
    SETTLED = "settled"
    #: A cell of the row cannot be read.
    BAD_ROW = "bad row"
    #: Nothing is claimed in the whole sheet.
    NONE = ""


class Verdict(Struct, frozen=True, kw_only=True):
    """What was found of one row.

    Attributes:
        row: The row.
        word: What can be said of its claim.
        reasons: What there is to say, the most telling first.
        kingdom: Its kingdom; None where that is not known.
        index: The index of its kingdom in the photo; None where that is not known.
        photo: What was read of its photo; None where there is none.
        is_doubted: Whether the row itself leaves open which total it has.
        counts_elsewhere: Whether the same kingdom counts in another row, or for nobody.
    """

    row: Row
    word: Word = Word.NONE
    reasons: tuple[Sentence, ...] = ()
    kingdom: KingdomResult | None = None
    index: int | None = None
    photo: PhotoResult | None = None
    is_doubted: bool = False
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
        if self.photo is None or self.photo.kingdoms:
            return None
        return self.photo.status

    @property
    def counts(self) -> int | None:
        """The total that counts: what a person accepted, else a sure score; None while open."""
        if self.counts_elsewhere:
            return None
        if self.row.accept is not None:
            return self.row.accept
        return self.score if self.is_sure and not self.is_doubted else None

    @property
    def is_open(self) -> bool:
        """Whether somebody has to look at the row."""
        if not self.row.has_kingdom:
            return False
        is_unsettled = self.word not in (Word.AGREES, Word.SETTLED, Word.NONE)
        return is_unsettled or (self.counts is None and not self.counts_elsewhere)

    @property
    def asks_for_person(self) -> bool:
        """Whether somebody has to look at the row, or at what was left out of its photo.

        Who accepted a total has looked at both.
        """
        if self.word is Word.SETTLED:
            return self.is_open
        return self.is_open or bool(self.photo and self.photo.misses_kingdoms)

    def text(self, language: str = ENGLISH) -> str:
        """Return all reasons, a sentence each."""
        sentences = []
        for reason in self.reasons:
            if text := reason.text(language).strip():
                sentences.append(_make_sentence(text))
        return " ".join(sentences)

    def cells(self, language: str = ENGLISH) -> dict[str, str]:
        """Return the cells of the program's columns."""
        return {
            "score": _show_total(self.score),
            "status": self.status or "",
            "counts": _show_total(self.counts),
            "verdict": self.word,
            "explanation": printable(self.text(language)),
            "reading": self.kingdom.line if self.kingdom else "",
        }

    def with_reasons(self, *reasons: Sentence) -> "Verdict":
        """Return the verdict with reasons that go before its own."""
        return replace(self, reasons=reasons + self.reasons)

    @property
    def exit_code(self) -> ExitCode:
        """The exit code that the row asks for."""
        if self.word is Word.BAD_ROW:
            return ExitCode.USAGE
        if self.word is Word.DIFFERS:
            return ExitCode.DIFFERENT
        if self.is_open and self.status in (Status.UNREADABLE, Status.NO_KINGDOM):
            return self.status.exit_code
        return ExitCode.DOUBTFUL if self.asks_for_person else ExitCode.SURE


def _make_sentence(text: str) -> str:
    """Return a text with a capital and a stop."""
    text = f"{text[:1].upper()}{text[1:].rstrip('.')}"
    return text if text.endswith("?") else f"{text}."


def _show_total(total: int | None) -> str:
    return "" if total is None else str(total)


# ---------------------------------------------------------------------- one row


def judge_claim(
    row: Row,
    kingdom: KingdomResult | None,
    photo: PhotoResult | None = None,
    match: Match | None = None,
) -> Verdict:
    """Hold a claim against its kingdom, and apply what a person accepted.

    A sure reading agrees or differs. A doubtful one can only differ, and does when all totals that
    it can have are listed and the claim is none of them. One that cannot be scored says nothing.

    Args:
        row: The row.
        kingdom: Its kingdom; None where that is not known.
        photo: What was read of its photo.
        match: How its kingdom is known, or why it is not; None where a person gave it.
    """
    verdict = Verdict(
        row=row,
        kingdom=kingdom,
        index=match.index if match and kingdom else None,
        photo=photo,
        is_doubted=bool(match and match.doubt) or _hangs_on_problems(row, kingdom),
    )
    if not row.has_kingdom:
        return verdict
    if row.accept is not None:
        return _settle(verdict)
    reasons: list[Sentence] = []
    if match and photo and photo.kingdoms:
        reasons += _list_notes(row, photo, match)
    word, compared = _compare(verdict, match)
    reasons += compared
    if photo:
        # What else is in the photo may be the kingdom of somebody.
        reasons += [note.sentence for note in photo.left_out if note.sentence not in reasons]
    return replace(verdict, word=word, reasons=tuple(reasons))


def _hangs_on_problems(row: Row, kingdom: KingdomResult | None) -> bool:
    """Tell whether the total of a row hangs on a cell of it that cannot be read.

    A cell `accept` or `fix` may say anything. A bonus that the kingdom has not earned changes
    nothing, in play or not.
    """
    if "accept" in row.problems or "fix" in row.problems:
        return True
    if kingdom is None:
        return False
    return any(bonus.earned and bonus.code in row.problems for bonus in kingdom.bonuses)


def _settle(verdict: Verdict) -> Verdict:
    """Apply the total that a person accepted; what the photo shows is said beside it."""
    row = verdict.row
    by = f" ({row.note})" if row.note else ""
    reasons = [say("settled", total=row.accept, by=by)]
    if verdict.score is not None:
        reasons.append(say("photo-shows", total=verdict.score))
    return replace(verdict, word=Word.SETTLED, reasons=tuple(reasons))


def _list_notes(row: Row, photo: PhotoResult, match: Match) -> list[Sentence]:
    """Say how it is known whose kingdom it is, where the row itself does not tell."""
    notes = []
    is_wrong = is_misnamed(row, photo, match)
    if is_wrong:
        notes.append(say("no-such-kingdom", letter=row.letter, n=len(photo.kingdoms)))
    if row.fixes and (is_wrong or match.index is None):
        notes.append(say("fix-waits"))
    if row.reading and match.index is not None and match.clue is not Clue.READING:
        notes.append(say("another-kingdom"))
    if match.index is not None and len(photo.kingdoms) > 1:
        fields = {"letter": kingdom_name(match.index)}
        colour = photo.kingdoms[match.index].colour
        is_named = row.colour is not None or row.letter in photo.named
        if match.clue is Clue.NEW and colour:
            notes.append(say("new-coloured", **fields, colour=f"castle.{colour}"))
        elif match.clue is Clue.NEW:
            notes.append(say("new", **fields))
        elif match.clue in (Clue.CLAIMS, Clue.REST):
            notes.append(say(f"by-{match.clue.name.lower()}", **fields))
        elif match.clue is Clue.READING and row.claimed is not None and not is_named:
            notes.append(say("by-reading", **fields))
    return notes


def _compare(verdict: Verdict, match: Match | None) -> tuple[Word, list[Sentence]]:
    """Hold a claim against its kingdom, whatever people accepted."""
    row, kingdom, photo = verdict.row, verdict.kingdom, verdict.photo
    breaks = _list_breaks(kingdom)
    # What keeps claim and kingdom from being compared.
    if row.problems:
        return Word.BAD_ROW, list(row.problems.values()) + breaks
    doubts = [kingdom.doubt.sentence] if kingdom and kingdom.doubt else []
    if match and match.doubt:
        return Word.CANNOT_TELL, [match.doubt, *_offer_total(verdict, match.doubt), *doubts]
    if kingdom is None and match and photo and photo.kingdoms:
        return _compare_open(row, photo, match)
    no_claim = Word.NONE if row.claimed is None else Word.CANNOT_TELL
    if kingdom is None:
        return no_claim, _say_missing(row, photo)
    if not kingdom.scored:
        return no_claim, [say("not-scored"), *doubts]
    if row.claimed is None:
        return no_claim, doubts + breaks
    # The claim and the kingdom.
    fit = rate_fit(row.claimed, kingdom)
    if fit is Fit.EXPLAINED:
        return Word.AGREES, breaks
    if fit is Fit.POSSIBLE:
        chance = percent(kingdom.probability)
        return Word.CANNOT_TELL, [say("possible", total=kingdom.score, chance=chance), *doubts]
    reasons = _explain_difference(verdict, kingdom, row.claimed) + breaks
    is_rest = match is not None and match.clue is Clue.REST
    if is_rest and photo and photo.misses_kingdoms:
        # What was left out may be the kingdom of the row.
        return Word.CANNOT_TELL, reasons
    return Word.DIFFERS, reasons


def _offer_total(verdict: Verdict, doubt: Sentence) -> list[Sentence]:
    """Name the total that settles a correction of a clear square, where nothing else is open."""
    if doubt.key == CLEAR_SQUARE and verdict.is_sure:
        return [say("fix-right", total=verdict.score)]
    return []


def _say_missing(row: Row, photo: PhotoResult | None) -> list[Sentence]:
    """Say why there is no kingdom: what is wrong with the photo, or that there is none."""
    if photo:
        return list(photo.reasons)
    if row.photo:
        return [say("photo-missing", photo=row.photo)]
    return [say("no-photo")]


def _explain_difference(verdict: Verdict, kingdom: KingdomResult, claimed: int) -> list[Sentence]:
    """Say which mistake leads to a claim, or whose total it is."""
    reasons: list[Sentence] = []
    letters: list[str] = []
    if verdict.photo:
        for letter, rival in verdict.photo.named.items():
            if rate_fit(claimed, rival) is Fit.EXPLAINED:
                letters.append(letter)
    if len(letters) == 1:
        reasons.append(say("fits-another", claimed=claimed, letter=letters[0]))
    mistakes = explain(kingdom.sheet, claimed, kingdom.origin)
    code = ("no-mistake", "mistake", "mistakes")[len(mistakes)]
    fields = dict(zip(("first", "second"), mistakes, strict=False))
    totals = {"total": kingdom.score, "claimed": claimed}
    reasons.append(say(code, **totals, **fields))
    if not verdict.is_sure:
        reasons.append(say("differs-unsure", **totals))
    return reasons


def _compare_open(row: Row, photo: PhotoResult, match: Match) -> tuple[Word, list[Sentence]]:
    """Say what can be said of a row whose kingdom is open."""
    if not match.candidates:
        return Word.CANNOT_TELL, [say("none-left")]
    totals: list[str] = []
    fits: set[Fit] = set()
    for index in match.candidates:
        kingdom = photo.kingdoms[index]
        totals.append(f"{kingdom_name(index)} ({kingdom.score})")
        fits.add(rate_fit(row.claimed, kingdom))
    names = ", ".join(totals[:MOST_NAMED])
    if match.rivals:
        rivals = ", ".join(rival.label for rival in match.rivals[:MOST_NAMED])
        fields = {"kingdom": names, "rows": rivals, "n": len(match.rivals)}
        return Word.CANNOT_TELL, [say("rivals", **fields)]
    if fits == {Fit.UNEXPLAINED}:
        none_has = say("none-has", kingdoms=names, claimed=row.claimed)
        # Its kingdom may be what was left out, or in another photo.
        if photo.misses_kingdoms:
            return Word.CANNOT_TELL, [none_has]
        if match.is_crowded:
            return Word.CANNOT_TELL, [none_has, say("crowded")]
        return Word.DIFFERS, [none_has]
    return Word.CANNOT_TELL, [say("open", kingdoms=names)]


def say(code: str, **fields: Any) -> Sentence:
    """Return a sentence on a verdict."""
    return Sentence(f"verdict.{code}", fields)


def _list_breaks(kingdom: KingdomResult | None) -> list[Sentence]:
    """Say which domino breaks the joining rule for sure; it costs no points."""
    if kingdom is None or kingdom.status is not Status.SURE:
        return []
    for problem in kingdom.problems:
        if problem.code in (Code.NO_ORDER, Code.BROKEN_DOMINO):
            broken = Sentence(problem.key, problem.fields)
            return [Sentence("problem.joining-rule", {"problem": broken})]
    return []


# ---------------------------------------------------------------------- all rows


def judge_rows(
    rows: Sequence[Row], photos: Sequence[PhotoResult | None], matches: Sequence[Match]
) -> list[Verdict]:
    """Judge all rows of a tournament; `counting.count_once` then lets every kingdom count once.

    Args:
        rows: The rows, those of all tables and rounds together.
        photos: For each row what was read of its photo by its rules, corrected; None where there
            is no photo yet.
        matches: For each row its kingdom in the photo.

    Returns:
        A verdict for each row, in their order.
    """
    has_claims = any(row.claimed is not None for row in rows)
    verdicts = []
    for row, photo, match in zip(rows, photos, matches, strict=True):
        kingdom = None
        if photo and photo.kingdoms and match.index is not None:
            kingdom = photo.kingdoms[match.index]
        verdict = judge_claim(row, kingdom, photo, match)
        # A row that could have a claim says so where it has none, unless nobody has one.
        may_claim = has_claims and row.has_kingdom and row.has_column("claimed")
        if may_claim and verdict.word is Word.NONE:
            verdict = replace(verdict, word=Word.CANNOT_TELL).with_reasons(say("nothing-claimed"))
        verdicts.append(verdict)
    return verdicts
