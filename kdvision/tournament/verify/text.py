"""A verification as text for people, in colour or not, and as JSON for programs."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from kdvision.report.text import printable
from kdvision.tournament.verify.verdicts import LineVerdict, Verdict, Verification

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
_STYLES = {
    Verdict.AGREES: "bold green",
    Verdict.DIFFERS: "bold red",
    Verdict.CANNOT_TELL: "bold yellow",
    Verdict.SETTLED: "bold cyan",
    Verdict.BAD_LINE: "bold magenta",
}
#: Columns by which a message is set in below its line.
_INSET = 4


def verification_text(verification: Verification) -> str:
    """A paragraph for each line that asks for a person, then the numbers."""
    parts = []
    for heads, verdict, message in _paragraphs(verification):
        said = f"\n{' ' * _INSET}{message}" if message else ""
        parts.append(f"{heads}{verdict.value}{said}")
    return "\n".join([*parts, *([""] if parts else []), counts_text(verification)])


def verification_view(verification: Verification) -> Group:
    """What `verification_text` says, to be printed with rich: what differs stands out."""
    parts: list[RenderableType] = []
    for heads, verdict, message in _paragraphs(verification):
        parts.append(Text.assemble((heads, "bold"), (verdict.value, _STYLES[verdict])))
        if message:
            parts.append(Padding(Text(message), (0, 0, 0, _INSET)))
    return Group(*parts, *([Text()] if parts else []), _counts_view(verification))


def _paragraphs(verification: Verification) -> Iterator[tuple[str, Verdict, str]]:
    """Of each line that asks for a person its head, verdict and message.

    Lines of one photo of which the same is said are one.
    """
    listed = [line for line in verification.verdicts if line.asks_for_person]

    def said(line: LineVerdict) -> tuple[str, Verdict, str]:
        return line.line.photo, line.verdict, line.text()

    for (photo, verdict, message), group in groupby(listed, key=said):
        lines = list(group)
        if len(lines) == 1:
            yield head_of(lines[0]), verdict, printable(message)
            continue
        numbers = ", ".join(str(line.line.number) for line in lines)
        yield printable(f"lines {numbers}: {photo}: "), verdict, printable(message)


def head_of(verdict: LineVerdict) -> str:
    """What a line is about, before its verdict: `line 7: a.jpg, claimed 10, read 28: `."""
    line = verdict.line
    numbers = [f"claimed {line.claimed}"] if line.claimed is not None else []
    if verdict.kingdom and verdict.kingdom.scored:
        numbers.append(f"read {verdict.kingdom.score}")
    if verdict.difference and verdict.verdict is Verdict.DIFFERS:
        numbers.append(f"difference {verdict.difference:+d}")
    name = f"{line.photo}{f' ({line.player})' if line.player else ''}" if line.photo else ""
    head = ", ".join(filter(None, (name, *numbers)))
    return printable(f"line {line.number}: {f'{head}: ' if head else ''}")


def counts_text(verification: Verification) -> str:
    """All numbers in a sentence: `74 lines: 60 agree, 13 differ, 1 cannot be told.`."""
    parts = [text for _, text in _counts(verification)]
    lines = _numbered_lines(verification)
    return f"{lines}: {', '.join(parts)}." if parts else f"{lines}."


def _counts_view(verification: Verification) -> Text:
    text = Text(_numbered_lines(verification))
    before_counts = (": ", *[", "] * len(Verdict))
    for before, (verdict, count) in zip(before_counts, _counts(verification), strict=False):
        text.append(before).append(count, _STYLES[verdict])
    return text.append(".")


def _counts(verification: Verification) -> list[tuple[Verdict, str]]:
    """What is said of the number of each verdict that there is."""
    counts = ((verdict, verification.count(verdict)) for verdict in Verdict)
    return [(one, f"{count} {COUNT_TEXTS[one][count != 1]}") for one, count in counts if count]


def _numbered_lines(verification: Verification) -> str:
    """`1 line`, `74 lines`."""
    number = len(verification.verdicts)
    return f"{number} line{'' if number == 1 else 's'}"


def verification_json(verification: Verification) -> Iterator[str]:
    """An object per line of the sheet."""
    for verdict in verification.verdicts:
        yield json.dumps(_json_object(verdict))


def _json_object(verdict: LineVerdict) -> dict[str, object]:
    line, kingdom = verdict.line, verdict.kingdom
    total = kingdom.score if kingdom and kingdom.scored else None
    return {
        "schema": SCHEMA,
        "line": line.number,
        "photo": line.photo or None,
        **line.who,
        "claimed": line.claimed,
        "letter": verdict.letter,
        "verdict": verdict.verdict.value,
        "codes": _codes(verdict),
        "counts": verdict.total,
        "score": total,
        "read": total,
        "difference": verdict.difference,
        "explanation": verdict.text(),
        "status": verdict.status.value if verdict.status else None,
        "probability": round(kingdom.probability, 6) if kingdom else None,
        "possible": list(verdict.possible),
        "kingdom": str(kingdom.kingdom) if kingdom else None,
        "broken": verdict.broken or None,
    }


def _codes(verdict: LineVerdict) -> Sequence[str]:
    """The keys of all that is said of a line, mistakes instead of the sentences around them."""
    mistakes = [one.code for one in verdict.explanations]
    other = [one.code for one in verdict.reasons if not one.code.startswith("verdict.mistake")]
    return [*mistakes, *other]
