"""A verification as text for people, in colour or not, as JSON for programs, and as one page."""

import json
from collections.abc import Iterator, Mapping
from itertools import chain, groupby
from pathlib import Path

from msgspec.structs import replace
from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from kdvision.report.html import Card, Page, write_html
from kdvision.report.text import printable
from kdvision.tournament.batch.html import cards_of
from kdvision.tournament.batch.scoring import Run
from kdvision.tournament.lines import Job
from kdvision.tournament.standings import claim_standings
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
    """Return a paragraph for each line that asks for a person, then the numbers."""
    return "\n".join(f"{' ' * inset}{text.plain}" for text, inset in _texts(verification))


def verification_view(verification: Verification) -> Group:
    """Return what `verification_text` says in colour, to be printed with rich."""
    return Group(*(Padding(text, (0, 0, 0, inset)) for text, inset in _texts(verification)))


def _texts(verification: Verification) -> Iterator[tuple[Text, int]]:
    """Yield texts with the columns by which they are set in.

    Lines of one photo of which the same is said are one.
    """
    listed = [line for line in verification.verdicts if line.asks_for_person]

    def said(line: LineVerdict) -> tuple[str, Verdict, str]:
        return line.line.photo, line.verdict, line.text()

    for (photo, verdict, message), group in groupby(listed, key=said):
        lines = list(group)
        numbers = ", ".join(str(line.line.number) for line in lines)
        head = f"lines {numbers}: {photo}: " if lines[1:] else head_of(lines[0])
        yield Text.assemble((printable(head), "bold"), (verdict.value, _STYLES[verdict])), 0
        if message:
            yield Text(printable(message)), _INSET
    if listed:
        yield Text(), 0
    yield _counts_view(verification), 0


def head_of(verdict: LineVerdict) -> str:
    """Return the head of a line, before its verdict: `line 7: a.jpg, claimed 10, read 28: `."""
    line = verdict.line
    numbers = [f"claimed {line.claimed}"] if line.claimed is not None else []
    if verdict.kingdom:
        numbers.append(f"read {verdict.kingdom.score}")
    if verdict.difference and verdict.verdict is Verdict.DIFFERS:
        numbers.append(f"difference {verdict.difference:+d}")
    name = f"{line.photo}{f' ({line.player})' if line.player else ''}" if line.photo else ""
    head = ", ".join(filter(None, (name, *numbers)))
    return f"line {line.number}: {f'{head}: ' if head else ''}"


def counts_text(verification: Verification) -> str:
    """Return all numbers in a sentence: `74 lines: 60 agree, 13 differ, 1 cannot be told.`."""
    return _counts_view(verification).plain


def _counts_view(verification: Verification) -> Text:
    number = len(verification.verdicts)
    text = Text(f"{number} line{'' if number == 1 else 's'}")
    before = ": "
    for verdict, texts in COUNT_TEXTS.items():
        if count := verification.count(verdict):
            text.append(before).append(f"{count} {texts[count != 1]}", _STYLES[verdict])
            before = ", "
    return text.append(".")


def verification_json(verification: Verification) -> Iterator[str]:
    """Yield a JSON object per line of the sheet."""
    for verdict in verification.verdicts:
        yield json.dumps(_json_object(verdict))


def _json_object(verdict: LineVerdict) -> dict[str, object]:
    line, kingdom = verdict.line, verdict.kingdom
    total = verdict.kingdom.score if verdict.kingdom else None
    mistakes = [explanation.key for explanation in verdict.explanations]
    reasons = [reason.key for reason in verdict.reasons]
    return {
        "schema": SCHEMA,
        "line": line.number,
        "photo": line.photo or None,
        **line.who,
        "claimed": line.claimed,
        "letter": verdict.letter,
        "verdict": verdict.verdict.value,
        # Mistakes instead of the sentences around them.
        "codes": mistakes + [code for code in reasons if not code.startswith("verdict.mistake")],
        "counts": verdict.total,
        "score": total,
        "read": total,
        "difference": verdict.difference,
        "explanation": verdict.text(),
        "status": verdict.status.value if verdict.status else None,
        "probability": round(kingdom.probability, 6) if kingdom else None,
        "possible": list(verdict.possible),
        "kingdom": str(kingdom.kingdom) if kingdom else None,
        "broken": verdict.broken.text() if verdict.broken else None,
    }


# ---------------------------------------------------------------------- the page

#: What asks for a person comes first.
_ORDER = (Verdict.DIFFERS, Verdict.CANNOT_TELL, Verdict.BAD_LINE, Verdict.SETTLED, Verdict.AGREES)
#: The job of a line and the key of its photo in the journal, by the number of the line.
PhotosOfLines = Mapping[int, tuple[Job, str]]


def write_verify_page(
    path: Path, verification: Verification, photos: PhotosOfLines, run: Run
) -> None:
    """Write the report of a verification that is complete.

    Raises:
        UsageError: The file cannot be written.
    """
    counts = [(verdict.value, verification.count(verdict)) for verdict in _ORDER]
    standings = claim_standings(verification)
    page = Page(
        f"Counts of {verification.sheet.path.name}",
        [(verdict, count) for verdict, count in counts if count],
        standings.tables if standings.games else (),
        standings.sentences if standings.games else (),
        summary=counts_text(verification),
        warnings=verification.notes,
    )
    parts = (_verdict_cards(verification, verdict, photos, run) for verdict in _ORDER)
    write_html(path, page, chain.from_iterable(parts))


def _verdict_cards(
    verification: Verification, wanted: Verdict, photos: PhotosOfLines, run: Run
) -> Iterator[Card]:
    """Yield the cards of all lines with one verdict, each with its own kingdom."""
    shown = []
    for verdict in verification.verdicts:
        if verdict.verdict is not wanted:
            continue
        if verdict.line.number in photos and wanted is not Verdict.BAD_LINE:
            shown.append(verdict)
        else:
            yield Card(f"Line {verdict.line.number}", wanted.value, message=verdict.text())
    letters = [verdict.letter for verdict in shown]
    cards = cards_of([photos[verdict.line.number] for verdict in shown], run, letters)
    for verdict, card in zip(shown, cards, strict=True):
        line = verdict.line
        named = (("", line.player), ("round ", line.round), ("table ", line.game))
        places = (*named, ("kingdom ", verdict.letter))
        parts = [f"{word}{value}" for word, value in places if value]
        yield replace(
            card,
            state=wanted.value,
            who=", ".join([f"line {line.number}", *parts]),
            claimed=line.claimed,
            message=verdict.text(),
        )
