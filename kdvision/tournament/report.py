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
from kdvision.report.html import Card, Page, make_card, render_picture, write_html
from kdvision.report.text import printable
from kdvision.result import Status
from kdvision.sentences import ENGLISH, sentence
from kdvision.tournament.judging import Verdict, Word
from kdvision.tournament.sheet import Sheet

#: The states of lines; what asks for a person comes first.
STATES = (
    Word.DIFFERS.value,
    Word.CANNOT_TELL.value,
    Word.BAD_LINE.value,
    Status.DOUBTFUL.value,
    Status.NO_KINGDOM.value,
    Status.UNREADABLE.value,
    Word.SETTLED.value,
    Word.AGREES.value,
    Status.SURE.value,
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
        if any(verdict.word is Word.DIFFERS for verdict in self.verdicts):
            return ExitCode.DIFFERENT
        return worst([verdict.exit_code for verdict in self.verdicts])


def state_of(verdict: Verdict) -> str:
    """Return the one word for a line: its verdict, or how sure the photo is where none claims."""
    if verdict.word is not Word.NONE:
        return verdict.word.value
    return verdict.status.value if verdict.status else Word.CANNOT_TELL.value


# ---------------------------------------------------------------------- text


def outcome_text(outcome: Outcome, language: str = ENGLISH) -> str:
    """Return a paragraph for each line that asks for a person, then the numbers."""
    parts = []
    for verdict in outcome.verdicts:
        if not verdict.is_open:
            continue
        line = verdict.line
        who = ", ".join(filter(None, (line.photo, line.player)))
        fields = {"line": line.number, "who": who, "state": _named(state_of(verdict), language)}
        parts.append(printable(sentence("run.line", language, **fields)))
        if text := verdict.text(language):
            parts.append(f"    {printable(text)}")
    return "\n".join([*parts, *([""] if parts else []), counts_text(outcome, language)])


def counts_text(outcome: Outcome, language: str = ENGLISH) -> str:
    """Return all numbers in a sentence: `74 lines: 60 agrees, 13 differs, 1 cannot tell.`."""
    counts = [f"{count} {_named(state, language)}" for state, count in _count_states(outcome)]
    key = "run.counts" if outcome.verdicts else "run.nothing"
    return sentence(key, language, n=len(outcome.verdicts), counts=", ".join(counts))


def _count_states(outcome: Outcome) -> list[tuple[str, int]]:
    states = Counter(map(state_of, outcome.verdicts))
    return [(state, states[state]) for state in STATES if states[state]]


def _named(state: str, language: str) -> str:
    """A state as reports call it."""
    return sentence(f"html.state.{state.replace(' ', '-')}", language)


# ---------------------------------------------------------------------- the page


def write_page(path: Path, outcome: Outcome, language: str) -> None:
    """Write the report of a run: what asks for a person first.

    Raises:
        UsageError: The file cannot be written.
    """
    page = Page(
        shown(outcome.sheet.path.name),
        _count_states(outcome),
        summary=counts_text(outcome, language),
        warnings=outcome.notes,
        language=language,
    )
    order = sorted(outcome.verdicts, key=lambda verdict: STATES.index(state_of(verdict)))
    with ThreadPoolExecutor(cores()) as pool:
        pictures = pool.map(partial(draw_picture, outcome.paths), order)
        cards = map(partial(_card, language=language), order, pictures)
        write_html(path, page, cards)


def _card(verdict: Verdict, picture: bytes, language: str) -> Card:
    """The card of a line: the explanation in the language of the report, and its own kingdom."""
    line, photo = verdict.line, verdict.photo
    card = Card(line.photo or str(line.number), "")
    if photo:
        card = make_card(replace(photo, photo=line.photo), kingdom=verdict.index)
    return replace(
        card,
        who=", ".join(filter(None, (line.player, line.round, line.game))),
        state=state_of(verdict),
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
