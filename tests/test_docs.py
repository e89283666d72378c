"""The examples of docs/ run."""

import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

import kdvision
import kdvision.library
from kdvision.cli import app
from kdvision.cli.app import ROOT as ROOT_HELP
from scripts.docs import draw_figures, first_steps
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE_S

STEPS = (ROOT / "docs" / "first_steps.md").read_text("utf-8")
API = (ROOT / "docs" / "api.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", API, re.MULTILINE | re.DOTALL)
#: Names of what was scored, and by which program: every change of it makes others.
_CHANGING = re.compile(r"\b[kp][0-9a-f]{32,}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the samples, the evening, and its sheet."""
    made = tmp_path_factory.mktemp("steps")
    first_steps.prepare(made)
    return made


def test_the_ten_first_tasks_print_what_the_transcript_says(scorer, folder):
    shown = re.findall(r"^```\n\$ (.+?)\n(.*?)^```$", STEPS, re.MULTILINE | re.DOTALL)
    assert [command for command, _ in shown] == [command for _, command in first_steps.TASKS]
    assert len(shown) == 10
    for command, printed in shown:
        code, out = first_steps.run(command, folder)
        assert code in (0, 6, 7), out
        assert _CHANGING.sub("", out).rstrip() == _CHANGING.sub("", printed).rstrip()


def test_the_ten_first_tasks_need_nothing_but_the_help():
    """Every command and option of the transcript stands in a help text."""
    program = typer.main.get_command(app.app)
    for _, command in first_steps.TASKS:
        for words in re.findall(r"kdscore ([^&|;]+)", command):
            name = words.split()[0]
            known = program.commands.get(name, program.commands["score"])
            with known.make_context(name, [], resilient_parsing=True) as context:
                text = known.get_help(context)
            for option in re.findall(r"(?<=\s)--?[a-z-]+", words.split("'")[-1]):
                assert option in text or option in ROOT_HELP, (command, option)


def test_the_examples_of_the_library_run(scorer, folder):
    """One after the other, in one process."""
    assert len(BLOCKS) >= 5
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(BLOCKS)],
        cwd=folder, env=dict(os.environ, PYTHONPATH=str(ROOT)),
        capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_every_public_name_is_explained():
    for name in kdvision.__all__:
        assert f"`{name}" in API, name


def pages() -> list[str]:
    """The pages that the site is made of."""
    return re.findall(r"^ +- (\w+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)


def test_every_page_is_in_the_site() -> None:
    assert set(pages()) | {"index.md"} == {path.name for path in (ROOT / "docs").glob("*.md")}


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{name}" for name in pages())])
def test_no_link_of_a_page_is_dead(page: str) -> None:
    path = ROOT / page
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text("utf-8")):
        assert target.startswith("https://") or (path.parent / target).exists(), target


def test_what_the_reference_is_made_of_is_there() -> None:
    """Mkdocstrings reads these; `make docs` fails where one is missing."""
    text = (ROOT / "docs" / "reference.md").read_text("utf-8")
    for name in re.findall(r"^::: ([\w.]+)$", text, re.MULTILINE):
        pkgutil.resolve_name(name)
    members = re.search(r"members: \[(.+)\]", text)[1].split(", ")
    assert all(hasattr(kdvision.library, member) for member in members)


@pytest.mark.slow
def test_the_site_is_made_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", tmp_path],
        cwd=ROOT, env=dict(os.environ, NO_MKDOCS_2_WARNING="1"), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "score_photo" in (tmp_path / "reference.html").read_text("utf-8")


@pytest.mark.parametrize("name", ["accuracy", "duel"])
def test_the_pictures_of_pages_are_what_the_script_draws(name: str) -> None:
    drawn = {"accuracy": draw_figures.accuracy_svg, "duel": draw_figures.duel_svg}[name]()
    assert (ROOT / "docs" / f"{name}.svg").read_text("utf-8") == drawn
