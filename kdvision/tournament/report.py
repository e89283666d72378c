"""What a run came to: as text, and as one page to look at."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kdvision.errors import ExitCode, worst
from kdvision.report.html import Card, Link, Page, make_card, ungrouped, write_html
from kdvision.report.standings import RankingRules, game_title
from kdvision.report.text import printable
from kdvision.result import Status
from kdvision.sentences import ENGLISH, sentence
from kdvision.tournament.entries import Entry, enter_rows, number_rounds
from kdvision.tournament.judging import Verdict, Word
from kdvision.tournament.rows import Row
from kdvision.tournament.standings import make_sections, rank_entries

#: The states of rows; what asks for a person comes first.
STATES = (
    Word.DIFFERS,
    Word.CANNOT_TELL,
    Word.BAD_ROW,
    Status.DOUBTFUL,
    Status.NO_KINGDOM,
    Status.UNREADABLE,
    Word.SETTLED,
    Word.AGREES,
    Status.SURE,
)


class Outcome(Struct, frozen=True):
    """What a run came to.

    Attributes:
        title: What reports call it: the name of the results.
        verdicts: What was found of rows, in their order.
        notes: Sentences for the owner of the sheets.
    """

    title: str
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        """The exit code: that something differs goes first, then what asks most for a person."""
        return worst([verdict.exit_code for verdict in self.verdicts])


def find_state(verdict: Verdict) -> str:
    """Return the one word for a row: its verdict, or how sure the photo is where none claims."""
    if verdict.word is not Word.NONE:
        return verdict.word
    return verdict.status or Word.CANNOT_TELL


# ---------------------------------------------------------------------- text


def render_outcome(outcome: Outcome, language: str = ENGLISH) -> str:
    """Return a paragraph for each row that asks for a person, then the numbers."""
    lines = []
    for verdict in outcome.verdicts:
        if not verdict.asks_for_person:
            continue
        row = verdict.row
        who = ", ".join(filter(None, (row.photo, row.player)))
        state = _name_state(find_state(verdict), language)
        text = sentence("run.row", language, row=row.reference, who=who, state=state)
        lines.append(printable(text))
        if text := verdict.text(language):
            lines.append(f"    {printable(text)}")
    if lines:
        lines.append("")
    lines.append(render_counts(outcome, language))
    return "\n".join(lines)


def render_counts(outcome: Outcome, language: str = ENGLISH) -> str:
    """Return all numbers in a sentence: `74 rows: 60 agree, 13 differ, 1 cannot tell.`."""
    states = _count_states(outcome)
    rows = sum(n for _, n in states)
    if not rows:
        return sentence("run.nothing", language)
    counts = ", ".join(f"{n} {_name_state(state, language, n)}" for state, n in states)
    return sentence("run.counts", language, n=rows, counts=counts)


def _count_states(outcome: Outcome) -> list[tuple[str, int]]:
    """Return how many rows have each state."""
    states: Counter[str] = Counter()
    for verdict in outcome.verdicts:
        if verdict.row.has_kingdom:
            states[find_state(verdict)] += 1
    return [(state, states[state]) for state in STATES if states[state]]


def _name_state(state: str, language: str, n: int = 1) -> str:
    """Return a state as reports call it; `n` is how many rows have it."""
    return sentence(f"html.state.{state.replace(' ', '-')}", language, n=n)


# ---------------------------------------------------------------------- the page


def write_page(
    path: Path, outcome: Outcome, language: str, find_picture: Callable[[Verdict], bytes]
) -> None:
    """Write the report of a run: its rankings, and a card for every row in its round and game.

    Rows of no game come last, with what asks for a person first.

    Args:
        path: Where it goes.
        outcome: What the run came to.
        language: That of the report.
        find_picture: Returns the picture of a row, a JPEG; empty where there is none.

    Raises:
        UsageError: The file cannot be written.
    """
    verdicts = [verdict for verdict in outcome.verdicts if not verdict.row.is_sum]
    entries = _enter_verdicts(verdicts, language)
    standings = rank_entries(entries, RankingRules(), language)
    # The rows of every game.
    games: dict[tuple[str, str], list[int]] = {}
    for index, entry in enumerate(entries):
        if verdicts[index].row.has_kingdom:
            games.setdefault((entry.round, entry.game), []).append(index)
    alone = games.pop(("", ""), [])
    alone.sort(key=lambda index: STATES.index(find_state(verdicts[index])))

    def make_cards(indices: Sequence[int]) -> Iterator[Card]:
        """Yield cards as they are written: thousands of pictures are not held at once."""
        for index in indices:
            picture = find_picture(verdicts[index])
            yield _make_card(verdicts[index], entries[index], picture, language)

    cards = {key: make_cards(indices) for key, indices in games.items()}
    sections = make_sections(standings, cards)
    if alone:
        sections += ungrouped(make_cards(alone))
    notes: list[str] = []
    if standings.is_series:
        notes = list(standings.notes) + standings.tie_sentences
    links: dict[str, list[Link]] = {}
    if games:
        links = _link_open(verdicts, entries, language)
    page = Page(
        outcome.title,
        counts=_count_states(outcome),
        tables=standings.total_tables,
        notes=notes,
        summary=render_counts(outcome, language),
        warnings=outcome.notes + standings.warnings,
        links=links,
        language=language,
    )
    write_html(path, page, sections)


def _enter_verdicts(verdicts: Sequence[Verdict], language: str) -> list[Entry]:
    """Return the entries of rows with what was found of them, as they stand in the results."""
    rows: list[Row] = []
    for verdict in verdicts:
        reading = verdict.kingdom.kingdom if verdict.kingdom else None
        rows.append(replace(verdict.row, found=verdict.cells(language), reading=reading))
    return enter_rows(number_rounds(rows), language)


def _link_open(
    verdicts: Sequence[Verdict], entries: Sequence[Entry], language: str
) -> dict[str, list[Link]]:
    """Return links to the cards of rows that ask for a person, by their states."""
    links: dict[str, list[Link]] = {}
    for verdict, entry in zip(verdicts, entries, strict=True):
        if verdict.asks_for_person:
            text = ", ".join(filter(None, (_name_row(verdict), _name_place(entry, language))))
            links.setdefault(find_state(verdict), []).append(Link(_anchor(verdict), text))
    return {state: links[state] for state in STATES if state in links}


def _anchor(verdict: Verdict) -> str:
    """Return by what links find the card of a row."""
    return f"row-{verdict.row.reference}"


def _name_row(verdict: Verdict) -> str:
    """Return what a card is called: the player, else the photo, else the number of the row."""
    row = verdict.row
    return row.player or row.number or row.photo or str(row.position)


def _name_place(entry: Entry, language: str) -> str:
    """Return the round and the game of a row; empty where it has none."""
    if not (entry.row.round or entry.row.game):
        return ""
    return game_title(entry.round, entry.game, language)


def _make_card(verdict: Verdict, entry: Entry, picture: bytes, language: str) -> Card:
    """Return the card of a row: its explanation in the language of the report, and its kingdom."""
    row, photo = verdict.row, verdict.photo
    card = Card("", "")
    if photo:
        card = make_card(replace(photo, photo=row.photo), kingdom=verdict.index, language=language)
    title = _name_row(verdict)
    return replace(
        card,
        title=title,
        state=find_state(verdict),
        place=_name_place(entry, language),
        photo="" if title == row.photo else row.photo,
        anchor=_anchor(verdict),
        sheets=tuple(replace(sheet, notes=()) for sheet in card.sheets),
        claimed=row.claimed,
        message=verdict.text(language),
        picture=picture,
    )
