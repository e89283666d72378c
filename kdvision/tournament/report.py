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
from kdvision.files import shown
from kdvision.photo.photo import open_photo
from kdvision.report.html import Card, Page, make_card, render_picture, ungrouped, write_html
from kdvision.report.standings import game_title
from kdvision.report.text import printable
from kdvision.result import Status
from kdvision.sentences import ENGLISH, sentence
from kdvision.tournament.judging import Verdict, Word
from kdvision.tournament.sheet import Sheet

#: The states of lines; what asks for a person comes first.
STATES = (
    *(Word.DIFFERS, Word.CANNOT_TELL, Word.BAD_LINE),
    *(Status.DOUBTFUL, Status.NO_KINGDOM, Status.UNREADABLE),
    *(Word.SETTLED, Word.AGREES, Status.SURE),
)


class Outcome(Struct, frozen=True):
    """What a run came to.

    Attributes:
        sheet: The sheet as it was written.
        verdicts: What was found of its lines, in their order.
        notes: Sentences for the owner of the sheet.
        paths: Where the photos of the verdicts are, by their names.
    """

    sheet: Sheet
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()
    paths: Mapping[str, Path] = {}

    @property
    def exit_code(self) -> ExitCode:
        """The exit code: that something differs goes first, then what asks most for a person."""
        return worst([verdict.exit_code for verdict in self.verdicts])


def find_state(verdict: Verdict) -> str:
    """Return the one word for a line: its verdict, or how sure the photo is where none claims."""
    if verdict.word is not Word.NONE:
        return verdict.word
    return verdict.status or Word.CANNOT_TELL


# ---------------------------------------------------------------------- text


def render_outcome(outcome: Outcome, language: str = ENGLISH) -> str:
    """Return a paragraph for each line that asks for a person, then the numbers."""
    parts = []
    for verdict in outcome.verdicts:
        if not verdict.is_open:
            continue
        line = verdict.line
        who = ", ".join(filter(None, (line.photo, line.player)))
        state = _name_state(find_state(verdict), language)
        text = sentence("run.line", language, line=line.number, who=who, state=state)
        parts.append(printable(text))
        if text := verdict.text(language):
            parts.append(f"    {printable(text)}")
    return "\n".join([*parts, *([""] if parts else []), render_counts(outcome, language)])


def render_counts(outcome: Outcome, language: str = ENGLISH) -> str:
    """Return all numbers in a sentence: `74 lines: 60 agree, 13 differ, 1 cannot tell.`."""
    counts = [f"{n} {_name_state(state, language, n)}" for state, n in _count_states(outcome)]
    key = "run.counts" if outcome.verdicts else "run.nothing"
    return sentence(key, language, n=len(outcome.verdicts), counts=", ".join(counts))


def _count_states(outcome: Outcome) -> list[tuple[str, int]]:
    states = Counter(map(find_state, outcome.verdicts))
    return [(state, states[state]) for state in STATES if states[state]]


def _name_state(state: str, language: str, n: int = 1) -> str:
    """Return a state as reports call it; `n` is how many lines have it."""
    return sentence(f"html.state.{state.replace(' ', '-')}", language, n=n)


# ---------------------------------------------------------------------- the page


def write_page(path: Path, outcome: Outcome, language: str) -> None:
    """Write the report of a run: what asks for a person first.

    Raises:
        UsageError: The file cannot be written.
    """
    page = Page(
        shown(outcome.sheet.path.name),
        _count_states(outcome),
        summary=render_counts(outcome, language),
        warnings=outcome.notes,
        language=language,
    )
    verdicts = sorted(outcome.verdicts, key=lambda verdict: STATES.index(find_state(verdict)))
    with ThreadPoolExecutor(cores()) as pool:
        pictures = pool.map(partial(draw_picture, outcome.paths), verdicts)
        cards = map(partial(_make_card, language=language), verdicts, pictures)
        write_html(path, page, ungrouped(cards))


def _make_card(verdict: Verdict, picture: bytes, language: str) -> Card:
    """Return the card of a line: its explanation in the language of the report, and its kingdom."""
    line, photo = verdict.line, verdict.photo
    card = Card(line.player or line.photo or str(line.number), "")
    if photo:
        card = make_card(replace(photo, photo=line.photo), line.player, kingdom=verdict.index)
    place = ""
    if line.round or line.game:
        place = game_title(line.round, line.game, language)
    return replace(
        card,
        place=place,
        state=find_state(verdict),
        sheets=tuple(replace(sheet, notes=()) for sheet in card.sheets),
        claimed=line.claimed,
        message=verdict.text(language),
        picture=picture,
    )


def draw_picture(paths: Mapping[str, Path], verdict: Verdict) -> bytes:
    """Return the picture of a line for a report, as a WebP; nothing where there can be none."""
    photo, path = verdict.photo, paths.get(verdict.line.photo)
    if path is None or photo is None or photo.status is Status.UNREADABLE:
        return b""
    return render_picture(open_photo(path), photo, verdict.index)
