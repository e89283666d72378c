"""The examples of docs/ run."""

import os
import re
import subprocess
import sys

import pytest
import typer.main

import kdvision
from kdvision.cli import app
from kdvision.cli.help import ROOT as ROOT_HELP
from scripts.docs import first_steps
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE_S

STEPS = (ROOT / "docs" / "first_steps.md").read_text("utf-8")
API = (ROOT / "docs" / "api.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", API, re.MULTILINE | re.DOTALL)
#: Figures that another machine, or a model made anew, changes.
_CHANGING = re.compile(r"\d+\.\d+ %|0\.\d{4}|\b[kp][0-9a-f]{32,}")


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
