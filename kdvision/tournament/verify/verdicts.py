"""The verdicts on claims, and the claim of one kingdom held against it."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.errors import ExitCode, worst
from kdvision.pipeline.settings import PIPELINE
from kdvision.report.wording import percent, problem_text
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.legality import Code
from kdvision.sentences import sentence
from kdvision.tournament.lines import SheetLine
from kdvision.tournament.sheets import Sheet
from kdvision.tournament.verify.mistakes import Explanation, explain


class Verdict(StrEnum):
    """The kinds of verdict on a claim."""

    AGREES = "agrees"
    DIFFERS = "differs"
    CANNOT_TELL = "cannot tell"
    #: A person decided.
    SETTLED = "settled"
    #: The line itself cannot be used.
    BAD_LINE = "bad line"


#: What a checked sheet says in the place of a verdict of a line that was not reached.
NOT_CHECKED = "not checked"


class Remark(Struct, frozen=True):
    """A sentence about a line, by its key in the catalogue, with its fields.

    A field that is a reason, or an explanation, is said in the same language; several are joined
    by commas.
    """

    code: str
    fields: Mapping[str, Any] = msgspec.field(default_factory=dict)

    def text(self, language: str = "en") -> str:
        """Return the sentence, as a clause."""
        fields = {name: _field_text(field, language) for name, field in self.fields.items()}
        return sentence(self.code, language, **fields)


def _field_text(field: Any, language: str) -> Any:
    if isinstance(field, Remark | Explanation):
        return field.text(language)
    if isinstance(field, tuple | list):
        return ", ".join(str(_field_text(part, language)) for part in field)
    return field


class LineVerdict(Struct, frozen=True, kw_only=True):
    """The verdict on one line: agrees, differs (with explanations), or open (with the reason).

    Attributes:
        line: The line.
        verdict: What can be said of its claim.
        reasons: What there is to say, the most telling first.
        kingdom: The kingdom that the claim is held against; None where that is not known.
        letter: Its name, where the photo shows several.
        status: That of the photo; None where there is none.
        difference: What was claimed too much; None where no total was read.
        explanations: The mistakes that lead to the claim, the likeliest first.
        settled: The total that a person chose.
        by_claims: Whether only the claims of the table say that the kingdom is this player's.
        pending: Whether the total that was read must not count before a person decides.
    """

    line: SheetLine
    verdict: Verdict
    reasons: tuple[Remark, ...] = ()
    kingdom: KingdomResult | None = None
    letter: str = ""
    status: Status | None = None
    difference: int | None = None
    explanations: tuple[Explanation, ...] = ()
    settled: int | None = None
    by_claims: bool = False
    pending: bool = False

    @property
    def read(self) -> KingdomResult | None:
        """The kingdom that was read; None where it could not be scored."""
        return self.kingdom if self.kingdom and self.kingdom.scored else None

    @property
    def is_sure(self) -> bool:
        """Whether the kingdom is known and its reading sure."""
        return self.kingdom is not None and self.kingdom.status is Status.SURE

    @property
    def total(self) -> int | None:
        """The total that counts: what a person chose, else a sure reading; None while it is open.

        Where several kingdoms have the total that a line claims, it counts without being known
        which of them is its own.
        """
        if self.settled is not None or self.pending:
            return self.settled
        if self.verdict is Verdict.AGREES:
            return self.line.claimed
        differs = self.verdict is Verdict.DIFFERS
        return self.kingdom.score if self.kingdom and differs and self.is_sure else None

    @property
    def possible(self) -> tuple[int, ...]:
        """The totals that are possible, the likeliest first; none where nothing was read."""
        if self.read is None:
            return ()
        others = () if self.is_sure else self.read.alternatives
        return (self.read.score, *(other.score for other in others))

    @property
    def message(self) -> str:
        """All reasons in English."""
        return self.text()

    def text(self, language: str = "en") -> str:
        """Return all reasons in clauses."""
        return "; ".join(reason.text(language) for reason in self.reasons)

    @property
    def broken(self) -> str:
        """The domino that breaks the joining rule for sure, in a sentence; empty for none."""
        if self.kingdom is None or not self.is_sure:
            return ""
        for problem in self.kingdom.problems:
            if problem.code in (Code.NO_ORDER, Code.BROKEN_DOMINO):
                return problem_text(self.kingdom, problem)
        return ""

    @property
    def asks_for_person(self) -> bool:
        """Whether somebody has to look at the line."""
        return self.verdict not in (Verdict.AGREES, Verdict.SETTLED)

    @property
    def exit_code(self) -> ExitCode:
        """The exit code that the line asks for."""
        codes = {
            Verdict.BAD_LINE: ExitCode.USAGE,
            Verdict.DIFFERS: ExitCode.DIFFERENT,
            Verdict.SETTLED: ExitCode.SURE,
        }
        if self.verdict in codes:
            return codes[self.verdict]
        if self.verdict is Verdict.CANNOT_TELL and self.status in (None, Status.SURE):
            return ExitCode.DOUBTFUL
        return self.status.exit_code if self.status else ExitCode.SURE


class Verification(Struct, frozen=True):
    """A sheet of claims with the verdicts on its lines.

    Attributes:
        sheet: The sheet.
        verdicts: Those on its lines that were reached, in their order.
        interrupted: Whether some lines were not reached.
        notes: What concerns several lines, a sentence each.
    """

    sheet: Sheet
    verdicts: tuple[LineVerdict, ...]
    interrupted: bool = False
    notes: tuple[str, ...] = ()

    def count(self, verdict: Verdict) -> int:
        """The number of lines that have a verdict."""
        return sum(line.verdict is verdict for line in self.verdicts)

    @property
    def exit_code(self) -> ExitCode:
        """The exit code: that something differs goes first, then what asks most for a person."""
        if self.interrupted:
            return ExitCode.INTERRUPTED
        if self.count(Verdict.DIFFERS):
            return ExitCode.DIFFERENT
        return worst([line.exit_code for line in self.verdicts])


# ---------------------------------------------------------------------- a claim and its kingdom


def judge_kingdom(line: SheetLine, kingdom: KingdomResult, photo: PhotoResult) -> LineVerdict:
    """Hold a claim against the kingdom that it is made for.

    A sure reading agrees or differs. A doubtful one can only differ, and does when all totals that
    it can have are listed and the claim is none of them. One that cannot be scored says nothing.
    """
    doubt = photo.message if len(photo.kingdoms) == 1 else kingdom.reason
    if not kingdom.scored:
        return open_verdict(line, Remark("verdict.not-scored", {"doubt": doubt}))
    claimed, total = line.claimed, kingdom.score
    if claimed is None:
        return LineVerdict(line=line, verdict=Verdict.CANNOT_TELL, kingdom=kingdom)
    sure = kingdom.status is Status.SURE
    explanations: tuple[Explanation, ...] = ()
    reasons: list[Remark] = []
    if sure and claimed == total:
        verdict = Verdict.AGREES
    elif not sure and is_possible(claimed, kingdom):
        verdict = Verdict.CANNOT_TELL
        reasons = [_possible_reason(claimed, kingdom, doubt)]
    else:
        verdict = Verdict.DIFFERS
        explanations = explain(kingdom.sheet, claimed, kingdom.origin)
        reasons = [_explanation_reason(explanations)]
        if not sure:
            reasons.append(Remark("verdict.differs-unsure", {"claimed": claimed}))
    return LineVerdict(
        line=line,
        verdict=verdict,
        reasons=tuple(reasons),
        kingdom=kingdom,
        difference=claimed - total,
        explanations=explanations,
    )


def _explanation_reason(explanations: Sequence[Explanation]) -> Remark:
    if not explanations:
        return Remark("verdict.no-mistake")
    if len(explanations) == 1:
        return Remark("verdict.mistake", {"first": explanations[0]})
    return Remark("verdict.mistakes", {"first": explanations[0], "second": explanations[1]})


def is_possible(claimed: int, kingdom: KingdomResult) -> bool:
    """Return whether a doubtful reading leaves room for a claim.

    It does when the claim is among its totals, or when its totals leave too much open, as they do
    where none is likely enough to be named.
    """
    listed = chances(kingdom)
    return claimed in listed or sum(listed.values()) < PIPELINE.sure_from


def chances(kingdom: KingdomResult) -> dict[int, float]:
    """Return the probability of every total that is listed; nothing where none can be named."""
    if not kingdom.scored:
        return {}
    listed = {kingdom.score: kingdom.probability}
    for other in kingdom.alternatives:
        listed[other.score] = listed.get(other.score, 0.0) + other.probability
    return listed


def _possible_reason(claimed: int, kingdom: KingdomResult, doubt: str) -> Remark:
    fields = {"total": kingdom.score, "chance": percent(kingdom.probability), "claimed": claimed}
    if claimed == kingdom.score:
        code = "verdict.likeliest"
    elif claimed in chances(kingdom):
        code = "verdict.possible"
    else:
        code = "verdict.others-possible"
    return Remark(code, {**fields, "doubt": doubt})


def settled_verdict(verdict: LineVerdict) -> LineVerdict:
    """Apply the decision of a person, which rescues any line; without one a bad line is bad."""
    line, accepted = verdict.line, verdict.line.accepted
    if accepted is None:
        problem = line.problem or ("" if line.claimed is not None else "claimed is empty.")
        return _bad_line(verdict, problem) if problem else verdict
    try:
        total = accepted.settle(line.claimed, verdict.read.score if verdict.read else None)
    except ValueError as error:
        return _bad_line(verdict, str(error))
    by = "verdict.by" if accepted.note else "verdict.by-nobody"
    fields = {"total": total, "by": Remark(by, {"note": accepted.note})}
    reason = Remark(f"verdict.settled.{accepted.what.value}", fields)
    return replace(
        verdict, verdict=Verdict.SETTLED, reasons=(reason,), explanations=(), settled=total
    )


def _bad_line(verdict: LineVerdict, problem: str) -> LineVerdict:
    reasons = (Remark("verdict.bad-line", {"problem": problem}),)
    return replace(
        verdict, verdict=Verdict.BAD_LINE, reasons=reasons, explanations=(), kingdom=None
    )


def open_verdict(line: SheetLine, *reasons: Remark) -> LineVerdict:
    """Return the verdict on a line that cannot be told, with the reasons."""
    return LineVerdict(line=line, verdict=Verdict.CANNOT_TELL, reasons=reasons)


# ---------------------------------------------------------------------- lines in sentences

#: Reasons that name other lines and tables; they leave no room for explanations of a difference,
#: and players read nothing of them.
REASONS_OF_OTHERS = frozenset(
    {
        "verdict.domino-twice",
        "verdict.same-kingdom",
        "verdict.same-photo",
        "verdict.photo-of-table",
        "verdict.photo-shared",
        "verdict.lines-exchanged",
        "verdict.tables-exchanged",
    }
)


def line_name(line: SheetLine) -> Remark:
    """Name a line as sentences do: `line 4 (Anna)`, or the player where it has no number."""
    if not line.number:
        return Remark("verdict.said", {"text": line.player})
    code = "verdict.line-of" if line.player else "verdict.line"
    return Remark(code, {"line": line.number, "player": line.player})


def line_names(lines: Sequence[SheetLine]) -> tuple[Remark, ...]:
    """Name several lines as sentences do."""
    return tuple(map(line_name, lines))


def table_name(line: SheetLine) -> Remark:
    """Name the table of a line as sentences do: `round 2, table 4`; else the line itself."""
    fields = {"round": line.round, "table": line.game}
    if line.round and line.game:
        return Remark("verdict.place", fields)
    if line.round or line.game:
        return Remark(f"verdict.place.{'round' if line.round else 'table'}", fields)
    return line_name(line)
