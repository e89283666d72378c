"""Many photos into one table: scored at once, continued where a run stopped, or as they come."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from itertools import chain
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kdvision.columns import OPEN, Row, result_rows
from kdvision.errors import ExitCode, worst
from kdvision.result import PhotoResult, Status
from kdvision.rules.errors import NotationError
from kdvision.rules.kingdom import Kingdom
from kdvision.sentences import sentence
from kdvision.tournament.batch.html import picture_links, write_batch_page, write_pictures
from kdvision.tournament.batch.identity import photo_bytes, photo_digest
from kdvision.tournament.batch.journal import Journal, locked
from kdvision.tournament.batch.results import (
    ResultsTable,
    bad_rows,
    owned_rows,
    set_aside,
    update_table,
)
from kdvision.tournament.batch.scoring import MEANS, Engine, Means, OnScored, Run, score_all
from kdvision.tournament.lines import Job, SheetLine, name_key
from kdvision.tournament.ownership import (
    OwnedKingdom,
    domino_clashes,
    kingdom_clashes,
    pictures_saved_again,
)
from kdvision.tournament.sheets import WORKBOOK

#: No more photos are named in one sentence.
MOST_NAMED = 5


class Summary(Struct, frozen=True):
    """The outcome of a batch in numbers.

    Attributes:
        statuses: Photos by status.
        skipped: Number of photos that were done before.
        missing: Number of photos that were not reached.
        others: Number of photos of earlier runs that the table holds as well.
        interrupted: Whether the run was stopped.
        settled: Number of photos on which a person has accepted every total.
        open_lines: Number of lines whose kingdom is not known.
        problems: Lines of tables that cannot be used.
        notes: Further sentences.
        doubtful: The photos that ask for a look, in the order of the table.
    """

    statuses: Mapping[Status, int]
    skipped: int
    missing: int
    others: int
    interrupted: bool
    settled: int = 0
    open_lines: int = 0
    problems: tuple[SheetLine, ...] = ()
    notes: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        """The code that asks most for a person."""
        if self.interrupted:
            return ExitCode.INTERRUPTED
        codes = [status.exit_code for status, count in self.statuses.items() if count]
        codes += [ExitCode.DOUBTFUL] * bool(self.open_lines)
        codes += [ExitCode.USAGE] * bool(self.problems)
        return worst(codes)


def batch(
    jobs: Sequence[Job],
    output: Path,
    *,
    problems: Sequence[SheetLine] = (),
    jsonl: Path | None = None,
    html: Path | None = None,
    fresh: bool = False,
    means: Means = MEANS,
    progress: OnScored = lambda _: None,
) -> Summary:
    """Score photos and write one row per kingdom.

    Goes on from what earlier calls have done: photos are known by their bytes, and full results
    stay in a journal beside the table. Other photos that the table holds stay in it, and so does
    what people wrote into it.

    Args:
        jobs: The photos; see `collect_jobs`.
        output: The table, `.xlsx` or CSV; its columns are `RESULT_COLUMNS`.
        problems: Lines that cannot be used; they are written down, too.
        jsonl: Where to keep the full results, one JSON object per line; None takes the name of
            the table with `.jsonl` behind it.
        html: Where to write a report to look at; not written by a run that is interrupted.
        fresh: Whether to start the table anew; the old one is kept under another name.
        means: How to score.
        progress: Called after every photo.

    Raises:
        UsageError: A file of that name is there and is none of ours, or cannot be written.
        ModelError: The models are missing.
    """
    journal = jsonl or output.with_name(f"{output.name}.jsonl")
    with locked(output), locked(journal) if jsonl else nullcontext():
        before = ResultsTable(output, is_new=fresh)
        digests = [photo_digest(photo_bytes(job)) for job in jobs] if before.rows else []
        moved = before.moved_photos(jobs, digests) if digests else {}
        before.rename(moved)
        lines = [*chain.from_iterable(job.entries for job in jobs), *problems]
        known = [before.with_what_is_known(job, lines)[0] for job in jobs]
        with closing(Journal(journal)) as records, Engine(means) as engine:
            run = score_all(known, records, engine, progress, digests)
            outcome = _Outcome(before, jobs, run, lines)
            if output.suffix.lower() == WORKBOOK:
                write_pictures(output, run)
            old = set_aside(output) if fresh and output.exists() else None
            table, backup = update_table(output, moved, outcome.put_into)
            if html and not run.interrupted:
                write_batch_page(html, table, run)
            summary = outcome.summary(table, moved, backup or old)
            records.arrange(run.reached)
        return summary


class _Outcome:
    """The results of a run, to be merged into the table as it is now.

    `before` is that table when the run began, `jobs` are the photos as they were asked for, `lines`
    all lines that name them or cannot be used.
    """

    def __init__(
        self,
        before: ResultsTable,
        jobs: Sequence[Job],
        run: Run,
        lines: Sequence[SheetLine],
    ) -> None:
        self._before, self._jobs, self._run, self._lines = before, jobs, run, lines
        #: The photos that were reached, with the rows of their kingdoms, found now or before.
        self._reached: list[tuple[Job, PhotoResult, list[Row]]] = []
        for job, key in zip(jobs, run.keys, strict=True):
            if key:
                scored = run.records.scored(key, job.name)
                lasting = key if scored.digest else ""
                rows = result_rows(scored.result, lasting, scored.picture, scored.digest)
                self._reached.append((job, scored.result, rows))
        self._problems = [line for line in lines if line.problem]
        self._bad: list[SheetLine] = []
        self._by_claims = 0

    def put_into(self, table: ResultsTable) -> Mapping[str, str] | None:
        """Put the results into a table, with what people have written into it by now.

        Returns:
            In a workbook, what the names of photos lead to.
        """
        named: dict[str, list[Row]] = {}
        self._edited = table.edited_since(self._before) if self._before.rows else 0
        self._by_claims = 0
        self._bad = list(self._problems)
        table.drop_repeated(self._lines)
        # Lines may ask for one photo by several rules.
        asked: defaultdict[str, list[tuple[Job, PhotoResult, list[Row]]]] = defaultdict(list)
        for one in self._reached:
            asked[one[0].name].append(one)
        for name, every in asked.items():
            entries = tuple(line for job, _, _ in every for line in job.entries)
            known, wrong = table.with_what_is_known(
                replace(every[0][0], entries=entries), self._lines
            )
            self._bad += (line for line in wrong if line not in self._bad)
            lines = known.entries
            read = {job.options: (photo, kingdoms) for job, photo, kingdoms in every}
            named[name] = owned_rows(read, lines)
            without = any(not line.letter for line in lines)
            self._by_claims += without and len(every[0][2]) == len(named[name]) > 1
        for name, rows in bad_rows(self._bad).items():
            before = named.setdefault(name, list(table.rows.get(name, ())))
            before.extend(row for row in rows if row not in before)
        table.put(named)
        book = table.path.suffix.lower() == WORKBOOK
        return picture_links(table.path, table.rows) if book else None

    def _notes(
        self, table: ResultsTable, moved: Mapping[str, str], backup: Path | None
    ) -> Iterator[str]:
        """Sentences on photos that were renamed, edits, backups, and rows that clash."""
        for old, new in moved.items():
            if old in table.rows and old not in moved.values():
                yield f"{old} is there as {new}; what each of the two lines says is kept."
            else:
                yield f"{old} was renamed to {new}; its lines are there, with all that they say."
        if self._edited:
            lines = "1 line was" if self._edited == 1 else f"{self._edited} lines were"
            yield f"{lines} edited in {table.path} while photos were scored; the edits stand."
        if table.replaced:
            yield (
                f"{first_of(table.replaced)}: another picture than before, or none; what was "
                "written stays. Photos of another folder with the same names need another -o."
            )
        if table.overwritten:
            yield (
                f"{first_of(table.overwritten)}: a total or rule that was changed by hand is as it "
                "was found. A total belongs into the column accept, rules into a sheet or options."
            )
        if backup:
            yield f"What was in {table.path} is kept in {backup}."
        if self._by_claims:
            yield sentence("verdict.note-by-claims", n=self._by_claims)
        yield from row_warnings(table.every_row)

    def summary(
        self, table: ResultsTable, moved: Mapping[str, str], backup: Path | None
    ) -> Summary:
        """Count how all photos ended, those done before included, in the table as written."""
        statuses: Counter[Status] = Counter()
        settled, doubtful = 0, []
        for job, photo, _ in self._reached:
            rows = [row for row in table.rows[job.name] if row.get("status") in {*Status}]
            if rows and all(row.get("accept") for row in rows):
                settled += 1
                continue
            statuses[photo.status] += 1
            doubtful += [job.name] if photo.status is not Status.SURE else []
        names = {job.name for job in self._jobs}
        named = names | {line.photo for line in self._problems} | {""}
        return Summary(
            statuses=statuses,
            skipped=len(self._run.skipped),
            missing=self._run.keys.count(""),
            others=len(self._before.rows.keys() - named),
            interrupted=self._run.interrupted,
            settled=settled,
            open_lines=sum(
                row.get("status") == OPEN for name in names for row in table.rows.get(name, ())
            ),
            problems=tuple(self._bad),
            notes=tuple(self._notes(table, moved, backup)),
            doubtful=tuple(doubtful),
        )


def first_of(photos: Sequence[str]) -> str:
    """Name the first of some photos: `a.jpg, b.jpg and 3 more`."""
    left = len(photos) - MOST_NAMED
    return f"{', '.join(photos[:MOST_NAMED])}{f' and {left} more' if left > 0 else ''}"


# ---------------------------------------------------------------------- what cannot be at once


def row_warnings(rows: Iterable[Row]) -> Iterator[str]:
    """Say what cannot be at once in rows of results that belong to players."""
    heads: dict[str, Row] = {}
    kingdoms: defaultdict[str, list[Kingdom]] = defaultdict(list)
    owned: list[tuple[Row, OwnedKingdom]] = []
    for row in rows:
        kingdom = None
        with suppress(NotationError):
            kingdom = Kingdom.parse(row["kingdom_line"]) if row.get("kingdom_line") else None
        own = OwnedKingdom(
            photo=row.get("photo", ""),
            player=row.get("player", ""),
            place=(name_key(row.get("round", "")), name_key(row.get("game", ""))),
            kingdom=kingdom,
            sure=row.get("status") == Status.SURE.value,
        )
        kingdoms[own.photo] += [kingdom] if kingdom else []
        if own.player:
            heads.setdefault(own.photo, row)
            owned.append((row, own))
    photos = list(heads.values())
    pictures = [
        (row.get("picture", "").removeprefix("p"), kingdoms[photo]) for photo, row in heads.items()
    ]
    named = set()
    for pair in pictures_saved_again(pictures):
        same = [photos[index] for index in pair]
        named.add(frozenset(row.get("photo") for row in same))
        yield _sentence(same, "show the same picture.")
    for first, second in kingdom_clashes([own for _, own in owned]):
        if frozenset(owned[index][1].photo for index in (first, second)) not in named:
            yield _sentence([owned[first][0], owned[second][0]], "show the same kingdom.")
    for lines, domino, most in domino_clashes([own for _, own in owned]):
        times = "once" if most == 1 else f"{most} times"
        text = f"of one game hold domino {domino} more often than its box, which has it {times}."
        yield _sentence([owned[index][0] for index in lines], text)


def _sentence(rows: Sequence[Row], text: str) -> str:
    """A sentence on rows: `Ann, kingdom B (a.jpg) and Ben (b.jpg) show the same kingdom.`."""
    *others, last = (
        f"{row.get('player', '')}{letter} ({row.get('photo', '')})"
        for row in rows
        for letter in [f", kingdom {row['kingdom']}" if row.get("kingdom") else ""]
    )
    names = f"{', '.join(others)} and {last}"
    return f"{names[:1].upper()}{names[1:]} {text}"
