"""A verification as text for people, and as JSON for programs."""

import json
from collections.abc import Iterator

from kdvision.report.text.table import printable
from kdvision.tournament.verify.checked import Checked, Verification
from kdvision.tournament.verify.verdicts import Verdict

#: Names the form of the JSON; it changes when a field changes its meaning.
SCHEMA = "kdscore-verify/1"

#: What is said of one line of a verdict, and of several.
COUNT_TEXTS = {
    Verdict.AGREES: ("agrees", "agree"),
    Verdict.DIFFERS: ("differs", "differ"),
    Verdict.CANNOT_TELL: ("cannot be told", "cannot be told"),
    Verdict.SETTLED: ("is settled", "are settled"),
    Verdict.BAD_LINE: ("is a bad line", "are bad lines"),
}


def verification_text(verification: Verification) -> str:
    """A paragraph per line that does not agree, then the numbers."""
    listed = [_line(line) for line in verification.lines if line.verdict is not Verdict.AGREES]
    return "\n".join([*listed, *([""] if listed else []), counts_text(verification)])


def _line(line: Checked) -> str:
    message = f"\n    {printable(line.message)}" if line.message else ""
    return f"{head_of(line)}{line.verdict.value}{message}"


def head_of(line: Checked) -> str:
    """What a line is about, before its verdict: `line 7: a.jpg, claimed 10, read 28: `."""
    numbers = [f"claimed {line.claimed}"] if line.claimed is not None else []
    if line.read:
        numbers.append(f"read {line.read.total}")
    if line.difference and line.verdict is Verdict.DIFFERS:
        numbers.append(f"difference {line.difference:+d}")
    who = line.job.who.get("player", "") if line.job else ""
    name = f"{line.job.name}{f' ({who})' if who else ''}" if line.job else ""
    head = ", ".join(filter(None, (name, *numbers)))
    return printable(f"line {line.row.line}: {f'{head}: ' if head else ''}")


def counts_text(verification: Verification) -> str:
    """All numbers in a sentence: `74 lines: 60 agree, 13 differ, 1 cannot be told.`."""
    counts = ((verdict, verification.count(verdict)) for verdict in Verdict)
    parts = [f"{count} {COUNT_TEXTS[verdict][count != 1]}" for verdict, count in counts if count]
    lines = numbered_lines(verification)
    return f"{lines}: {', '.join(parts)}." if parts else f"{lines}."


def numbered_lines(verification: Verification) -> str:
    """`1 line`, `74 lines`."""
    number = len(verification.lines)
    return f"{number} line{'' if number == 1 else 's'}"


def verification_json(verification: Verification) -> Iterator[str]:
    """An object per line of the sheet."""
    for line in verification.lines:
        read = line.read
        yield json.dumps(
            {
                "schema": SCHEMA,
                "line": line.row.line,
                "photo": line.job.name if line.job else None,
                **(
                    {column: line.job.who.get(column) for column in line.job.who}
                    if line.job
                    else {}
                ),
                "claimed": line.claimed,
                "letter": line.letter,
                "verdict": line.verdict.value,
                "score": read.total if read else None,
                "read": read.total if read else None,
                "difference": line.difference,
                "explanation": line.message,
                "status": line.status.value if line.status else None,
                "probability": round(read.probability, 6) if read else None,
                "possible": list(read.possible) if read else [],
                "kingdom": read.kingdom if read else None,
                "broken": (read.broken or None) if read else None,
            }
        )
