"""Runs, edits, renames, kills, full disks and second writers: no word of a person is lost."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kdvision.tournament.batch.results import ResultsTable
from scripts.fuzzing.faults import interleave
from tests.support.fakes import fake_means, write_photo

MEANS = fake_means(executor=ThreadPoolExecutor(2), workers=2)


def make(path: Path, number: int) -> Path:
    return write_photo(path, number=number)


@pytest.mark.slow
def test_a_tenth_of_the_interleavings_loses_no_word() -> None:
    """The other nine tenths are `python -m scripts.fuzzing.faults`."""
    found = interleave(30, 1, make, MEANS)
    assert found.lost == []
    assert found.words > 20


def test_the_interleavings_catch_a_table_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """A renamed photo that is taken for a new one loses the words of its line."""

    def forget(self: ResultsTable, moved: dict[str, str]) -> None:
        self.rows = {name: rows for name, rows in self.rows.items() if name not in moved}
        self._words_read.clear()

    monkeypatch.setattr(ResultsTable, "rename", forget)
    assert interleave(8, 1, make, MEANS).lost != []
