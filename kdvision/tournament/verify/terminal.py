"""A verification in colour, for a terminal: what differs stands out, and no word is broken."""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from kdvision.report.text.table import printable
from kdvision.tournament.verify.checked import Checked, Verification
from kdvision.tournament.verify.text import COUNT_TEXTS, head_of, numbered_lines
from kdvision.tournament.verify.verdicts import Verdict

_STYLES = {
    Verdict.AGREES: "bold green",
    Verdict.DIFFERS: "bold red",
    Verdict.CANNOT_TELL: "bold yellow",
    Verdict.SETTLED: "bold cyan",
    Verdict.BAD_LINE: "bold magenta",
}
#: Columns by which a message is set in below its line.
_INSET = 4


def verification_view(verification: Verification) -> Group:
    """What `text.verification_text` says, to be printed with rich."""
    listed = [line for line in verification.lines if line.verdict is not Verdict.AGREES]
    parts = [part for line in listed for part in _line(line)]
    return Group(*parts, *([Text()] if parts else []), _counts(verification))


def _line(line: Checked) -> list[RenderableType]:
    first = Text.assemble((head_of(line), "bold"), (line.verdict.value, _STYLES[line.verdict]))
    if not line.message:
        return [first]
    return [first, Padding(Text(printable(line.message)), (0, 0, 0, _INSET))]


def _counts(verification: Verification) -> Text:
    text = Text(numbered_lines(verification))
    for before, verdict in zip((": ", *[", "] * len(Verdict)), _found(verification), strict=False):
        count = verification.count(verdict)
        text.append(before).append(f"{count} {COUNT_TEXTS[verdict][count != 1]}", _STYLES[verdict])
    return text.append(".")


def _found(verification: Verification) -> list[Verdict]:
    return [verdict for verdict in Verdict if verification.count(verdict)]
