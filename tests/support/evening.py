"""Steps of an evening with fake photos: scored into a table, or checked against claims."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kdvision.tournament.batch.run import Summary, batch
from kdvision.tournament.lines import collect_jobs
from kdvision.tournament.sheets import read_sheet
from kdvision.tournament.verify.run import verify
from kdvision.tournament.verify.verdicts import Verification
from tests.support.fakes import fake_means

MEANS = fake_means(executor=ThreadPoolExecutor(2), workers=2)


def checked(path: Path) -> Verification:
    return verify(read_sheet(path), means=MEANS)


def scored(output: Path, *sources: Path, **options: object) -> Summary:
    jobs, problems = collect_jobs(sources)
    return batch(jobs, output, problems=problems, means=MEANS, **options)  # type: ignore[arg-type]


def rows(path: Path) -> list[dict[str, str]]:
    return [dict(row.fields) for row in read_sheet(path).rows]
