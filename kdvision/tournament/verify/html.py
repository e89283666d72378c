"""The report of `kdscore verify`: what asks for a person first."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from kdvision.report.html.cards import Card
from kdvision.report.html.page import Page, write_html
from kdvision.report.standings import standings_tables
from kdvision.tournament.batch.executor import Engine
from kdvision.tournament.batch.html import StandingsOf, cards_of
from kdvision.tournament.batch.journal import Journal
from kdvision.tournament.verify.checked import Checked, Verification
from kdvision.tournament.verify.standing import GO_BY, claim_standings
from kdvision.tournament.verify.text import counts_text
from kdvision.tournament.verify.verdicts import Verdict

VERDICTS = (Verdict.DIFFERS, Verdict.CANNOT_TELL, Verdict.BAD_LINE, Verdict.SETTLED, Verdict.AGREES)


def write_verify_page(
    path: Path, verification: Verification, records: Journal, engine: Engine
) -> None:
    """Write the report of a verification that is complete.

    Raises:
        UsageError: The file cannot be written.
    """
    counts = [(verdict.value, verification.count(verdict)) for verdict in VERDICTS]
    page = Page(
        f"Counts of {verification.sheet.path.name}",
        [(verdict, count) for verdict, count in counts if count],
        *_verify_standings(verification.lines),
        summary=counts_text(verification),
        warnings=verification.notes,
    )
    parts = (_verdict_cards(verification, verdict, records, engine) for verdict in VERDICTS)
    write_html(path, page, chain.from_iterable(parts))


def _verdict_cards(
    verification: Verification, verdict: Verdict, records: Journal, engine: Engine
) -> Iterator[Card]:
    """The cards of all lines with one verdict."""
    lines = [line for line in verification.lines if line.verdict is verdict]
    if verdict is Verdict.BAD_LINE:
        for line in lines:
            yield Card(f"Line {line.row.line}", verdict.value, message=line.message)
        return
    photos = [(line.job, line.key) for line in lines if line.job]
    for line, card in zip(lines, cards_of(photos, records, engine), strict=True):
        yield replace(card, state=verdict.value, claimed=line.claimed, message=line.message)


def _verify_standings(lines: Sequence[Checked]) -> StandingsOf:
    """The standings by the totals that count, where players are known."""
    try:
        found = claim_standings(lines)
    except ValueError as error:
        return (), (f"There are no standings. {error}",)
    if not found.games:
        return (), ()
    tables = standings_tables(found.games, found.sums, found.by)
    return tables, (GO_BY, *found.notes, found.tie_rule.sentence)
