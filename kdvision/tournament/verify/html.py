"""The report of `kdscore verify`: what asks for a person first, each line with its own kingdom."""

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from kdvision.report.html import Card, Page, write_html
from kdvision.report.standings import standings_tables
from kdvision.tournament.batch.executor import Engine
from kdvision.tournament.batch.html import StandingsOf, cards_of
from kdvision.tournament.batch.journal import Journal
from kdvision.tournament.lines import Job
from kdvision.tournament.verify.standing import GO_BY, claim_standings
from kdvision.tournament.verify.text import counts_text
from kdvision.tournament.verify.verdicts import LineVerdict, Verdict, Verification

VERDICTS = (Verdict.DIFFERS, Verdict.CANNOT_TELL, Verdict.BAD_LINE, Verdict.SETTLED, Verdict.AGREES)
#: The job of each line and the key of its photo in the journal, by the number of the line.
PhotosOfLines = Mapping[int, tuple[Job | None, str]]


def write_verify_page(
    path: Path,
    verification: Verification,
    photos: PhotosOfLines,
    records: Journal,
    engine: Engine,
) -> None:
    """Write the report of a verification that is complete.

    Raises:
        UsageError: The file cannot be written.
    """
    counts = [(verdict.value, verification.count(verdict)) for verdict in VERDICTS]
    page = Page(
        f"Counts of {verification.sheet.path.name}",
        [(verdict, count) for verdict, count in counts if count],
        *_verify_standings(verification),
        summary=counts_text(verification),
        warnings=verification.notes,
    )
    parts = (_verdict_cards(verification, one, photos, records, engine) for one in VERDICTS)
    write_html(path, page, chain.from_iterable(parts))


def _verdict_cards(
    verification: Verification,
    wanted: Verdict,
    photos: PhotosOfLines,
    records: Journal,
    engine: Engine,
) -> Iterator[Card]:
    """The cards of all lines with one verdict."""
    lines = [line for line in verification.verdicts if line.verdict is wanted]
    shown = []
    for line in lines:
        job, key = photos[line.line.number]
        if job is not None and key and wanted is not Verdict.BAD_LINE:
            shown.append((line, job, key))
        else:
            yield Card(f"Line {line.line.number}", wanted.value, message=line.text())
    own = [line.letter for line, _, _ in shown]
    cards = cards_of([(job, key) for _, job, key in shown], records, engine, own)
    for (line, _, _), card in zip(shown, cards, strict=True):
        yield replace(
            card,
            state=wanted.value,
            who=_who(line),
            claimed=line.line.claimed,
            message=line.text(),
        )


def _who(verdict: LineVerdict) -> str:
    """Whose line it is, where it stands in the sheet, and which kingdom of the photo it is."""
    line = verdict.line
    named = (("", line.player), ("round ", line.round), ("table ", line.game))
    parts = [f"{word}{value}" for word, value in named if value]
    letter = [f"kingdom {verdict.letter}"] if verdict.letter else []
    return ", ".join([f"line {line.number}", *parts, *letter])


def _verify_standings(verification: Verification) -> StandingsOf:
    """The standings by the totals that count, where players are known."""
    try:
        found = claim_standings(verification.verdicts)
    except ValueError as error:
        return (), (f"There are no standings. {error}",)
    if not found.games:
        return (), ()
    tables = standings_tables(found.games, found.sums, found.by)
    return tables, (GO_BY, *found.notes, found.tie_rule.sentence)
