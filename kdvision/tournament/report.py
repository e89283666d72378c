"""What a run came to: as text, and as one page to look at."""

from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kdvision.concurrency import cores
from kdvision.errors import ExitCode, worst
from kdvision.photo.photo import open_photo
from kdvision.report.html import Card, Page, make_card, render_picture, ungrouped, write_html
from kdvision.report.standings import game_title
from kdvision.report.text import printable
from kdvision.result import Status
from kdvision.sentences import ENGLISH, sentence
from kdvision.tournament.judging import Verdict, Word

#: The states of rows; what asks for a person comes first.
STATES = (
    *(Word.DIFFERS, Word.CANNOT_TELL, Word.BAD_ROW),
    *(Status.DOUBTFUL, Status.NO_KINGDOM, Status.UNREADABLE),
    *(Word.SETTLED, Word.AGREES, Status.SURE),
)


class Outcome(Struct, frozen=True):
    """What a run came to.

    Attributes:
        title: What reports call it: the name of the results.
        verdicts: What was found of rows, in their order.
        notes: Sentences for the owner of the sheets.
        paths: Where the photos of the verdicts are, by their names.
    """

    title: str
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()
    paths: Mapping[str, Path] = {}

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
    parts = []
    for verdict in outcome.verdicts:
        if not verdict.is_open:
            continue
        row = verdict.row
        place = f"{row.sheet}:{row.position}" if row.sheet else row.position
        who = ", ".join(filter(None, (row.photo, row.player)))
        state = _name_state(find_state(verdict), language)
        text = sentence("run.row", language, row=place, who=who, state=state)
        parts.append(printable(text))
        if text := verdict.text(language):
            parts.append(f"    {printable(text)}")
    return "\n".join([*parts, *([""] if parts else []), render_counts(outcome, language)])


def render_counts(outcome: Outcome, language: str = ENGLISH) -> str:
    """Return all numbers in a sentence: `74 rows: 60 agree, 13 differ, 1 cannot tell.`."""
    counts = [f"{n} {_name_state(state, language, n)}" for state, n in _count_states(outcome)]
    rows = sum(not verdict.row.is_sum for verdict in outcome.verdicts)
    key = "run.counts" if rows else "run.nothing"
    return sentence(key, language, n=rows, counts=", ".join(counts))


def _count_states(outcome: Outcome) -> list[tuple[str, int]]:
    judged = [verdict for verdict in outcome.verdicts if not verdict.row.is_sum]
    states = Counter(map(find_state, judged))
    return [(state, states[state]) for state in STATES if states[state]]


def _name_state(state: str, language: str, n: int = 1) -> str:
    """Return a state as reports call it; `n` is how many rows have it."""
    return sentence(f"html.state.{state.replace(' ', '-')}", language, n=n)


# ---------------------------------------------------------------------- the page


def write_page(path: Path, outcome: Outcome, language: str) -> None:
    """Write the report of a run: what asks for a person first.

    Raises:
        UsageError: The file cannot be written.
    """
    page = Page(
        outcome.title,
        _count_states(outcome),
        summary=render_counts(outcome, language),
        warnings=outcome.notes,
        language=language,
    )
    judged = [verdict for verdict in outcome.verdicts if not verdict.row.is_sum]
    verdicts = sorted(judged, key=lambda verdict: STATES.index(find_state(verdict)))
    with ThreadPoolExecutor(cores()) as pool:
        pictures = pool.map(partial(draw_picture, outcome.paths), verdicts)
        cards = map(partial(_make_card, language=language), verdicts, pictures)
        write_html(path, page, ungrouped(cards))


def _make_card(verdict: Verdict, picture: bytes, language: str) -> Card:
    """Return the card of a row: its explanation in the language of the report, and its kingdom."""
    row, photo = verdict.row, verdict.photo
    card = Card(row.player or row.photo or str(row.position), "")
    if photo:
        card = make_card(replace(photo, photo=row.photo), row.player, kingdom=verdict.index)
    place = ""
    if row.round or row.game:
        place = game_title(row.round, row.game, language)
    return replace(
        card,
        place=place,
        state=find_state(verdict),
        sheets=tuple(replace(sheet, notes=()) for sheet in card.sheets),
        claimed=row.claimed,
        message=verdict.text(language),
        picture=picture,
    )


def draw_picture(paths: Mapping[str, Path], verdict: Verdict) -> bytes:
    """Return the picture of a row for a report, as a WebP; nothing where there can be none."""
    photo, path = verdict.photo, paths.get(verdict.row.photo)
    if path is None or photo is None or photo.status is Status.UNREADABLE:
        return b""
    return render_picture(open_photo(path), photo, verdict.index)
