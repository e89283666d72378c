"""The verdicts on claims: of one line, and of a sheet."""

from enum import StrEnum

from msgspec import Struct

from kdvision.columns import VERDICT, origin_name
from kdvision.errors import ExitCode, worst
from kdvision.report.text import printable
from kdvision.result import KingdomResult, Status
from kdvision.rules.legality import Code
from kdvision.tournament.lines import SheetLine
from kdvision.tournament.sheets import Sheet
from kdvision.tournament.verify.mistakes import Explanation, Remark


class Verdict(StrEnum):
    """The kinds of verdict on a claim."""

    AGREES = "agrees"
    DIFFERS = "differs"
    CANNOT_TELL = "cannot tell"
    #: A person decided.
    SETTLED = "settled"
    #: The line itself cannot be used.
    BAD_LINE = "bad line"


#: A field of a checked sheet.
Field = str | int | float | None
#: What a checked sheet says in the place of a verdict of a line that was not reached.
NOT_CHECKED = "not checked"
#: Reasons that two lines, or two tables, agree once they are exchanged.
EXCHANGES = frozenset(f"verdict.{what}-exchanged" for what in ("letters", "lines", "tables"))
#: Reasons that name other lines and tables; they leave no room for explanations of a difference,
#: and players read nothing of them.
REASONS_OF_OTHERS = EXCHANGES | {
    "verdict.domino-twice",
    "verdict.same-kingdom",
    "verdict.same-photo",
    "verdict.photo-of-table",
    "verdict.photo-shared",
}


class LineVerdict(Struct, frozen=True, kw_only=True):
    """The verdict on one line: agrees, differs (with explanations), or open (with the reason).

    Attributes:
        line: The line.
        verdict: What can be said of its claim.
        reasons: What there is to say, the most telling first.
        kingdom: The kingdom that the claim is held against; None where that is not known, or has
            no total.
        letter: Its name, where the photo shows several.
        status: That of the photo; None where there is none.
        settled: The total that a person chose.
    """

    line: SheetLine
    verdict: Verdict
    reasons: tuple[Remark, ...] = ()
    kingdom: KingdomResult | None = None
    letter: str = ""
    status: Status | None = None
    settled: int | None = None

    @property
    def is_sure(self) -> bool:
        """Whether the kingdom is known and its reading sure."""
        return self.kingdom is not None and self.kingdom.status is Status.SURE

    @property
    def is_exchanged(self) -> bool:
        """Whether it agrees once it is exchanged: what was read of it may be another's."""
        return any(reason.key in EXCHANGES for reason in self.reasons)

    @property
    def by_claims(self) -> bool:
        """Whether only the claims of the table say that the kingdom is this player's."""
        return any(reason.key == "verdict.as-claims-tell" for reason in self.reasons)

    @property
    def explanations(self) -> tuple[Explanation, ...]:
        """The mistakes that lead to the claim, the likeliest first."""
        fields = (field for reason in self.reasons for field in reason.fields.values())
        return tuple(field for field in fields if isinstance(field, Explanation))

    @property
    def difference(self) -> int | None:
        """What was claimed too much; None where no total was read."""
        if self.verdict is Verdict.AGREES:
            return 0
        claimed = self.line.claimed
        return None if self.kingdom is None or claimed is None else claimed - self.kingdom.score

    @property
    def total(self) -> int | None:
        """The total that counts: what a person chose, else a sure reading; None while it is open.

        Where several kingdoms have the total that a line claims, it counts without being known
        which of them is its own.
        """
        if self.verdict is Verdict.AGREES:
            return self.line.claimed
        if self.verdict is Verdict.DIFFERS and self.is_sure and not self.is_exchanged:
            return self.kingdom.score if self.kingdom else None
        return self.settled

    @property
    def possible(self) -> tuple[int, ...]:
        """The totals that are possible, the likeliest first; none where nothing was read."""
        if self.kingdom is None:
            return ()
        others = () if self.is_sure else self.kingdom.alternatives
        return (self.kingdom.score, *(other.score for other in others))

    def text(self, language: str = "en") -> str:
        """Return all reasons in clauses."""
        return "; ".join(reason.text(language) for reason in self.reasons)

    @property
    def broken(self) -> Remark | None:
        """The domino that breaks the joining rule for sure, in a sentence; None for none."""
        if self.kingdom is not None and self.is_sure:
            for problem in self.kingdom.problems:
                if problem.code in (Code.NO_ORDER, Code.BROKEN_DOMINO):
                    broken = Remark(problem.key, problem.fields)
                    return Remark("problem.joining-rule", {"problem": broken})
        return None

    @property
    def fields(self) -> dict[str, Field]:
        """The fields of `VERDICT_COLUMNS`; a total that must not count is left out."""
        read = None if self.is_exchanged else self.kingdom
        status = read.status if read else self.status
        return {
            VERDICT: self.verdict.value,
            "counts": self.total,
            "read_total": read.score if read else None,
            "read_letter": self.letter,
            "difference": self.difference,
            "explanation": printable(self.text()),
            "read_status": status.value if status else None,
            "probability": round(read.probability, 4) if read else None,
            "possible_totals": "; ".join(map(str, self.possible)) if read else None,
            "read_kingdom": str(read.kingdom) if read else None,
            "read_origin": origin_name(read) if read else None,
        }

    @property
    def asks_for_person(self) -> bool:
        """Whether somebody has to look at the line."""
        return self.verdict not in (Verdict.AGREES, Verdict.SETTLED)

    @property
    def exit_code(self) -> ExitCode:
        """The exit code that the line asks for."""
        match self.verdict:
            case Verdict.BAD_LINE:
                return ExitCode.USAGE
            case Verdict.DIFFERS:
                return ExitCode.DIFFERENT
            case Verdict.SETTLED:
                return ExitCode.SURE
            case Verdict.CANNOT_TELL if self.status in (None, Status.SURE):
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
