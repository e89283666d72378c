"""The examples of README and docs/ run, and print what the pages show."""

import re
from pathlib import Path

import pytest

from scripts import documents
from tests.support.paths import ROOT
from tests.support.programs import python

PAGES = [path.relative_to(ROOT).as_posix() for path in documents.pages()]
TRANSCRIPTS = [
    (page, command, printed)
    for page in PAGES
    for command, printed in documents.TRANSCRIPT.findall((ROOT / page).read_text("utf-8"))
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the samples, the evening, and its sheet."""
    made = tmp_path_factory.mktemp("steps")
    documents.prepare(made)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted({page for page, *_ in TRANSCRIPTS}))
def test_commands_print_what_the_page_shows(page, folder):
    """In the order of the page: some commands read files that others wrote."""
    for where, command, shown in TRANSCRIPTS:
        if where == page:
            code, printed = documents.run(command, folder)
            assert code in (0, 6, 7), printed
            assert printed.strip("\n") == shown.strip("\n"), command


PYTHON = {
    page: re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.M | re.S)
    for page in PAGES
}


@pytest.mark.parametrize("page", [page for page, blocks in PYTHON.items() if blocks])
def test_examples_of_the_library_run(page, folder):
    """In one process, as later examples use names of earlier ones."""
    done = python("-W", "error", "-c", "\n".join(PYTHON[page]), cwd=folder)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", [*PAGES, "models/README.md", "CONTRIBUTING.md"])
def test_no_link_is_dead(page):
    path = ROOT / page
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text("utf-8")):
        assert target.startswith("https://") or (path.parent / target).exists(), target


@pytest.mark.slow
def test_site_builds_without_warnings(tmp_path):
    pytest.importorskip("mkdocs")
    words = ["-m", "mkdocs", "build", "--quiet", "--site-dir", tmp_path]
    done = python(*words, cwd=ROOT, env={"NO_MKDOCS_2_WARNING": "1"})
    assert done.returncode == 0, done.stderr
    assert "score_photo" in (tmp_path / "reference.html").read_text("utf-8")
