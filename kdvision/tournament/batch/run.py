"""Many photos into one table: scored at once, continued where a run stopped."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path

from msgspec import Struct

from kdvision.columns import Row, result_rows
from kdvision.errors import ExitCode, worst
from kdvision.result import Status
from kdvision.tournament.batch.executor import Engine
from kdvision.tournament.batch.html import picture_links, write_batch_page, write_pictures
from kdvision.tournament.batch.jobs import Job, LineProblem
from kdvision.tournament.batch.result_rows import OPEN, owned_rows
from kdvision.tournament.batch.results_table import ResultsTable, bad_rows
from kdvision.tournament.batch.scoring import MEANS, Means, OnScored, Run, engine_of, score_all
from kdvision.tournament.batch.store import Records
from kdvision.tournament.duplicates import row_warnings
from kdvision.tournament.owners import claims_alone
from kdvision.tournament.sheets.table import WORKBOOK


class Summary(Struct, frozen=True):
    """What a batch came to.

    Attributes:
        statuses: Photos by status.
        skipped: How many were done before.
        missing: How many were not reached.
        others: Photos of earlier runs that the table holds as well.
        interrupted: Whether the run was stopped.
        settled: Photos on which a person has accepted every total; they ask for nobody.
        open_lines: Lines whose kingdom is not known.
        problems: Lines of tables that cannot be used.
        notes: What else there is to know, a sentence each.
    """

    statuses: Mapping[Status, int]
    skipped: int
    missing: int
    others: int
    interrupted: bool
    settled: int = 0
    open_lines: int = 0
    problems: tuple[LineProblem, ...] = ()
    notes: tuple[str, ...] = ()

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
    problems: Sequence[LineProblem] = (),
    jsonl: Path | None = None,
    html: Path | None = None,
    fresh: bool = False,
    means: Means = MEANS,
    progress: OnScored = lambda _: None,
) -> Summary:
    """Score many photos into a table.

    Results are written down as they come, in a file beside the table, and put into the table at the
    end or when the run is stopped. A run that was cut off is continued by the same call: photos are
    known by their bytes. Other photos that the table holds stay in it, and so does what people
    wrote into it.

    Args:
        jobs: The photos; see `collect_jobs`.
        output: The table, `.xlsx` or CSV; its columns are `result_rows.COLUMNS`.
        problems: Lines that cannot be used; they are written down, too.
        jsonl: Where to keep the full results, one JSON object per line.
        html: Where to write a report to look at; not written by a run that is interrupted.
        fresh: Whether to start the table anew; the old one is kept under another name.
        means: How to score.
        progress: Called after every photo.

    Raises:
        UsageError: A file of that name is there and is none of ours, or cannot be written.
        ModelError: The models are missing.
    """
    table = ResultsTable(output, fresh=fresh)
    known = [table.with_what_is_known(job) for job in jobs]
    jobs = [job for job, _ in known]
    bad = [*problems, *(problem for _, wrong in known for problem in wrong)]
    temporary = output.with_name(f"{output.name}.part.jsonl")
    done = {} if html or jsonl else table.done
    with closing(Records(jsonl or temporary)) as records, engine_of(means) as engine:
        run = score_all(jobs, records, engine, means, progress, done)
        notes = write_table(table, jobs, run, records, done, bad, engine)
        if jsonl:
            records.arrange(jobs, run.keys)
        if html and not run.interrupted:
            write_batch_page(html, output, jobs, run.keys, records, engine)
        found = _summary(table, jobs, run, records, done, bad, notes)
    if not jsonl:
        temporary.unlink(missing_ok=True)
    return found


def write_table(
    table: ResultsTable,
    jobs: Sequence[Job],
    run: Run,
    records: Records,
    done: Mapping[str, Sequence[Row]],
    bad: Sequence[LineProblem],
    engine: Engine,
) -> tuple[str, ...]:
    """Put what was found into the table, and write it.

    Returns:
        What there is to know of it, a sentence each.
    """
    named: dict[str, list[Row]] = {}
    by_claims = 0
    for job, key in zip(jobs, run.keys, strict=True):
        if key:
            found = _found(job, key, records, done)
            rows = owned_rows(found, job.entries)
            named.setdefault(job.name, []).extend(rows)
            without = any(not entry.letter for entry in job.entries)
            by_claims += without and len(found) == len(rows) > 1
    for name, rows in bad_rows(bad).items():
        named.setdefault(name, []).extend(rows)
    table.put(named)
    gone = table.drop_renamed(named)
    if table.path.suffix.lower() == WORKBOOK:
        write_pictures(table.path, jobs, run.keys, records, engine)
        table.write(picture_links(table.path, table.rows))
    else:
        table.write()
    notes = [f"{old} was renamed to {new}; its lines are there." for old, new in gone.items()]
    if table.backup:
        notes.append(f"What was in {table.path} is kept in {table.backup}.")
    boxes = max((job.options.boxes for job in jobs), default=1)
    notes += claims_alone(by_claims)
    return (*notes, *row_warnings(chain(*table.rows.values()), boxes))


def _found(job: Job, key: str, records: Records, done: Mapping[str, Sequence[Row]]) -> list[Row]:
    """What was found of a photo, in this run or before."""
    if key in records:
        return result_rows(
            records.result(key, job.name), records.kept_key(key), records.about(key)[1]
        )
    return [{**row, "photo": job.name} for row in done[key]]


def _summary(
    table: ResultsTable,
    jobs: Sequence[Job],
    run: Run,
    records: Records,
    done: Mapping[str, Sequence[Row]],
    bad: Sequence[LineProblem],
    notes: tuple[str, ...],
) -> Summary:
    """Count how all photos ended, those done before included."""
    statuses: Counter[Status] = Counter()
    settled = 0
    for job, key in zip(jobs, run.keys, strict=True):
        if not key:
            continue
        rows = [row for row in table.rows[job.name] if row.get("status") in {*Status}]
        if rows and all(row.get("accept") for row in rows):
            settled += 1
            continue
        found = [Status(row["status"]) for row in _found(job, key, records, done)]
        statuses[max(found, key=list(Status).index)] += 1
    names = {job.name for job in jobs}
    others = sum(name not in names and bool(name) for name in table.rows)
    open_lines = sum(
        row.get("status") == OPEN for name in names for row in table.rows.get(name, ())
    )
    missing = run.keys.count("")
    return Summary(
        statuses, run.skipped, missing, others, run.interrupted, settled, open_lines,
        tuple(bad), notes,
    )  # fmt: skip
