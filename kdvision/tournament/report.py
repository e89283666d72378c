"""What a run came to: as text, and as one page to look at."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kdvision.errors import ExitCode, worst
from kdvision.files import read_file, shown
from kdvision.photo.photo import PHOTO, open_photo
from kdvision.report.html import Card, Page, card_of, picture_of, write_html
from kdvision.report.text import printable
from kdvision.result import PhotoResult, Status
from kdvision.sentences import DEFAULT_LANGUAGE, sentence
from kdvision.tournament.columns import Line
from kdvision.tournament.executors import Engine
from kdvision.tournament.judging import Verdict, Word
from kdvision.tournament.sheet import Sheet
from kdvision.tournament.standings import rank_lines

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
        verdicts: What was found of its lines, in their order, as far as they were reached.
        notes: Sentences for the owner of the sheet.
        paths: Where the photos of the verdicts are, by their names.
        skipped: The number of photos that an earlier run had read.
        interrupted: Whether Ctrl-C ended it.
    """

    sheet: Sheet
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()
    paths: Mapping[str, Path] = {}
    skipped: int = 0
    interrupted: bool = False

    @property
    def exit_code(self) -> ExitCode:
        """The exit code: that something differs goes first, then what asks most for a person."""
        if self.interrupted:
            return ExitCode.INTERRUPTED
        if any(verdict.word is Word.DIFFERS for verdict in self.verdicts):
            return ExitCode.DIFFERENT
        return worst([verdict.exit_code for verdict in self.verdicts])


def state_of(verdict: Verdict) -> str:
    """Return the one word for a line: its verdict, or how sure the photo is where none claims."""
    if verdict.word is not Word.NONE:
        return verdict.word.value
    return verdict.status.value if verdict.status else Word.CANNOT_TELL.value


# ---------------------------------------------------------------------- text


def outcome_text(outcome: Outcome, language: str = DEFAULT_LANGUAGE) -> str:
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


def counts_text(outcome: Outcome, language: str = DEFAULT_LANGUAGE) -> str:
    """Return all numbers in a sentence: `74 lines: 60 agrees, 13 differs, 1 cannot tell.`."""
    states = Counter(map(state_of, outcome.verdicts))
    counts = ", ".join(
        f"{states[state]} {_named(state, language)}" for state in STATES if states[state]
    )
    key = "run.counts" if outcome.verdicts else "run.nothing"
    return sentence(key, language, n=len(outcome.verdicts), counts=counts)


def _named(state: str, language: str) -> str:
    """A state as reports call it."""
    return sentence(f"html.state.{state.replace(' ', '-')}", language)


# ---------------------------------------------------------------------- the page


def write_page(path: Path, outcome: Outcome, engine: Engine, language: str) -> None:
    """Write the report of a run: what asks for a person first, then the standings.

    Raises:
        UsageError: The file cannot be written.
    """
    states = Counter(map(state_of, outcome.verdicts))
    counts = [(state, states[state]) for state in STATES if states[state]]
    lines = [
        Line.of({**verdict.line.cells, **verdict.cells(language)}, verdict.line.number)
        for verdict in outcome.verdicts
        if verdict.line.player
    ]
    standings = rank_lines(lines, language=language) if lines else None
    page = Page(
        shown(outcome.sheet.path.name),
        counts,
        standings.tables if standings and standings.games else (),
        standings.sentences if standings and standings.games else (),
        summary=counts_text(outcome, language),
        warnings=outcome.notes,
        language=language,
    )
    order = sorted(outcome.verdicts, key=lambda verdict: STATES.index(state_of(verdict)))
    write_html(path, page, _cards(order, outcome, engine, language))


def _cards(
    verdicts: Sequence[Verdict], outcome: Outcome, engine: Engine, language: str
) -> Iterator[Card]:
    """Yield the cards of lines, each with its own kingdom cut out of the photo."""
    tasks = (_picture_task(verdict, outcome, engine) for verdict in verdicts)
    pictures = engine.run(draw_picture, tasks, lambda _: b"")
    for verdict, (task, picture) in zip(verdicts, pictures, strict=True):
        line = verdict.line
        who = ", ".join(filter(None, (line.player, line.round, line.game)))
        card = Card(line.photo or str(line.number), "")
        if verdict.photo:
            card = card_of(replace(verdict.photo, photo=line.photo), who, task.index)
            # The explanation of the line says all this in the language of the report.
            sheets = tuple(replace(sheet, notes=()) for sheet in card.sheets)
            card = replace(card, sheets=sheets)
        yield replace(
            card,
            who=who,
            state=state_of(verdict),
            claimed=line.claimed,
            message=verdict.text(language),
            picture=picture,
        )


class _PictureTask(Struct, frozen=True):
    """A photo to be drawn over: `index` is the kingdom that is cut out, None for all of it."""

    path: Path | None
    result: PhotoResult | None
    data: bytes
    index: int | None


def _picture_task(verdict: Verdict, outcome: Outcome, engine: Engine) -> _PictureTask:
    path, photo = outcome.paths.get(verdict.line.photo), verdict.photo
    index = photo.kingdoms.index(verdict.kingdom) if photo and verdict.kingdom else None
    is_sent = path and photo and engine.workers.send_photos
    data = read_file(path, PHOTO.max_bytes) if path and is_sent else b""
    return _PictureTask(path, photo, data, index)


def draw_picture(task: _PictureTask) -> bytes:
    """Return the picture of a photo for a report, as a WebP; nothing where there can be none."""
    if task.path is None or task.result is None:
        return b""
    try:
        data = task.data or read_file(task.path, PHOTO.max_bytes)
        photo = open_photo(data, name=task.result.photo)
        return picture_of(photo, task.result, task.index)
    except Exception:
        return b""
