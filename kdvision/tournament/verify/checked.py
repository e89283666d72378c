"""What came of the lines of a sheet of claims."""

from msgspec import Struct

from kdvision.errors import ExitCode, worst
from kdvision.result import Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.standings import Result
from kdvision.tournament.lines import Job
from kdvision.tournament.sheets import Row, Sheet
from kdvision.tournament.verify.mistakes import Explanation
from kdvision.tournament.verify.verdicts import LineVerdict, Verdict


class Read(Struct, frozen=True):
    """What was read for a claim: of the whole result only what tables need.

    `possible` are all totals that were thought of, the likeliest first; `standing` is for ranks,
    `status` that of the kingdom, `origin` what corrections call its top left place where that is
    not a1, `broken` the sentence on a domino that breaks the joining rule.
    """

    total: int
    probability: float
    kingdom: str
    possible: tuple[int, ...]
    standing: Result
    status: Status
    origin: str = ""
    broken: str = ""

    @property
    def laid(self) -> Kingdom:
        """The kingdom."""
        return Kingdom.parse(self.kingdom)


class Checked(Struct, frozen=True):
    """One line of a sheet, checked.

    `job`, `claimed` and the `status` of the photo are None for a bad line, `read` and
    `difference` (what was claimed too much) where no kingdom was read. `key` finds the full
    result in the records, `letter` is the kingdom of the photo where it shows several,
    `settled` the total that a person accepted, `explanations` the mistakes that lead to the claim.
    """

    row: Row
    where: str
    verdict: Verdict
    message: str
    job: Job | None = None
    claimed: int | None = None
    status: Status | None = None
    read: Read | None = None
    difference: int | None = None
    key: str = ""
    letter: str = ""
    settled: int | None = None
    explanations: tuple[Explanation, ...] = ()

    @property
    def player(self) -> str:
        """Whose line it is; empty where it does not say."""
        return self.job.who.get("player", "") if self.job else ""

    @property
    def name(self) -> str:
        """What messages call the line: `line 4 (Anna)`."""
        return f"line {self.row.line}{f' ({self.player})' if self.player else ''}"

    @property
    def total(self) -> int | None:
        """The total that counts: what a person accepted, else a sure reading; else it is open.

        Where several kingdoms have the total that a line claims, it counts without being known
        which of them is its own.
        """
        if self.settled is not None or self.verdict is Verdict.BAD_LINE:
            return self.settled
        if self.read is None:
            return self.claimed if self.verdict is Verdict.AGREES else None
        sure = self.read.status is Status.SURE and self.verdict is not Verdict.CANNOT_TELL
        return self.read.total if sure else None

    @property
    def exit_code(self) -> ExitCode:
        """What this line asks for."""
        if self.verdict is Verdict.BAD_LINE:
            return ExitCode.USAGE
        if self.verdict is Verdict.DIFFERS:
            return ExitCode.DIFFERENT
        if self.verdict is Verdict.SETTLED:
            return ExitCode.SURE
        if self.verdict is Verdict.CANNOT_TELL and self.status is Status.SURE:
            return ExitCode.DOUBTFUL
        return self.status.exit_code if self.status else ExitCode.SURE


class Verification(Struct, frozen=True):
    """All lines of a sheet, checked, in their order; `notes` say what concerns several."""

    sheet: Sheet
    lines: tuple[Checked | LineVerdict, ...]
    interrupted: bool = False
    notes: tuple[str, ...] = ()

    @property
    def verdicts(self) -> list[LineVerdict]:
        """The verdicts on its lines."""
        return [line for line in self.lines if isinstance(line, LineVerdict)]

    def count(self, verdict: Verdict) -> int:
        """How many lines have a verdict."""
        return sum(line.verdict is verdict for line in self.lines)

    @property
    def exit_code(self) -> ExitCode:
        """That something differs is said first of all; else what asks most for a person."""
        if self.interrupted:
            return ExitCode.INTERRUPTED
        if self.count(Verdict.DIFFERS):
            return ExitCode.DIFFERENT
        return worst([line.exit_code for line in self.lines])
