"""What README says is so: its examples run, its commands exist, its tables are complete."""

import os
import re
import subprocess
import sys

import pytest
import typer.main

from kdvision.cli import app
from kdvision.errors import ExitCode
from scripts.docs import first_steps
from scripts.measuring import fill_texts
from tests.support.paths import ROOT, TESTS
from tests.support.waiting import PATIENCE_S

README = (ROOT / "README.md").read_text(encoding="utf-8")
#: The blocks of code: (language, content).
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
PYTHON = [content for language, content in BLOCKS if language == "python"]
#: The lines that call the program, without what is explained behind them.
CALLS = re.findall(r"^(?:\S*/)?kdscore (.+?)(?:  +.*)?$", README, re.MULTILINE)
APP = typer.main.get_command(app.app)


def run_example(code: str) -> str:
    """What a block of Python prints, in a process of its own."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=environment, capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_of_the_library_runs(scorer, tmp_path, monkeypatch):
    (code,) = [block for block in PYTHON if "score_photo" in block]
    (photo,) = re.findall(r"samples/\S+?\.jpg", code)
    monkeypatch.chdir(tmp_path)
    lines = run_example(code.replace(photo, str(ROOT / photo))).splitlines()
    assert (tmp_path / "overlay.jpg").is_file()
    assert len(lines) == len(scorer.score(ROOT / photo).kingdoms)
    assert re.fullmatch(r"\d+ (sure|doubtful) [A-Z0-9/ -]+", lines[0])


def test_the_example_of_the_rules_runs():
    (code,) = [block for block in PYTHON if "kdvision.rules" in block]
    assert re.match(r"\d+ \(", run_example(code))


def test_every_block_of_python_is_tried():
    assert len(PYTHON) == 2


def test_the_table_of_exit_codes_is_complete():
    section = README.split("## Exit codes")[1].split("\n#")[0]
    codes = [int(code) for code in re.findall(r"^\| (\d+) \|", section, re.MULTILINE)]
    assert codes == [code.value for code in ExitCode]


@pytest.mark.parametrize("call", CALLS)
def test_commands_and_options_exist(call):
    words = re.sub(r'"[^"]*"', "x", call).split()
    known = APP.commands
    command = known[words[0]] if words[0] in known else known["score"]
    options = {option for param in command.params for option in param.opts}
    assert {word for word in words if word.startswith("--")} <= options | {"--help"}


def test_every_command_is_named():
    named = {call.split()[0] for call in CALLS} | set(re.findall(r"`(\w+)`", README))
    assert set(APP.commands) - {"score"} <= named


def test_it_is_short_and_begins_with_figures_of_real_photos():
    assert len(README.split()) <= 1_400
    evaluation = (ROOT / "models" / "evaluation.md").read_text("utf-8")
    shown = re.search(r"<!-- figures -->\n(.+?)\n<!--", README, re.DOTALL)[1]
    assert shown == fill_texts.figures(evaluation)
    assert README.index(shown) < README.index("```")


def test_there_are_ten_commands_in_four_groups():
    section = README.split("## Ten commands")[1].split("\n## ")[0]
    assert len(re.findall(r"^\*\*.+\*\*$", section, re.MULTILINE)) == 4
    assert len(re.findall(r"^kdscore ", section, re.MULTILINE)) == 10


def test_the_sheet_is_what_the_program_prints(scorer):
    shown = re.search(r"<!-- sheet -->\n```\n\$ (.+?)\n(.+?)\n```\n", README, re.DOTALL)
    code, printed = first_steps.run(shown[1], ROOT)
    assert code == 0
    assert [line.rstrip() for line in printed.strip().splitlines()] == shown[2].splitlines()


def test_help_names_every_command():
    environment = dict(os.environ, PYTHONPATH=str(ROOT), COLUMNS="100")
    done = subprocess.run(
        [sys.executable, "-m", "kdvision.cli.main", "--help"],
        env=environment, capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert done.returncode == 0
    for name in APP.commands:
        assert re.search(rf"\b{name}\b", done.stdout)


def test_files_that_are_named_exist():
    named = set(re.findall(r"\b(?:samples|scripts|models|docs)/[\w./]+\w", README))
    assert any(name.startswith("samples/") for name in named)
    for name in named:
        if (ROOT / name).parent.is_dir():  # pictures are drawn when the models are final
            assert (ROOT / name).exists(), name


#: What README promises, and the test that holds it.
PROMISES = {
    "a bad photo or line stands in the results with the reason, and nothing stops the others": (
        "cli/test_tournament.py::test_every_photo_has_its_line"
    ),
    "every square that was clear stays": (
        "pipeline/test_results.py::test_a_correction_never_changes_squares_that_were_clear"
    ),
    "a correction that fits no kingdom says so": (
        "pipeline/test_results.py::test_a_correction_never_changes_squares_that_were_clear"
    ),
    "`kdscore COMMAND --help` explains every option, with examples": (
        "cli/test_cli.py::test_help_suffices"
    ),
    "A result goes to standard output, everything else to standard error": (
        "cli/test_cli.py::test_a_sheet_on_standard_output_and_nothing_else"
    ),
    "one JSON object per photo and line": (
        "cli/test_cli.py::test_json_one_object_per_photo_and_line"
    ),
    "the same command goes on where it was": (
        "tournament/batch/test_run.py::test_killed_half_way_and_resumed_it_ends_as_if_nothing_had_been"
    ),
    "[first steps](docs/first_steps.md) shows ten first tasks": (
        "test_docs.py::test_the_ten_first_tasks_print_what_the_transcript_says"
    ),
}


@pytest.mark.parametrize(("sentence", "test"), PROMISES.items(), ids=PROMISES)
def test_a_promise_has_its_test(sentence, test):
    assert sentence in " ".join(README.split())
    path, name = test.split("::")
    assert f"def {name}(" in (TESTS / path).read_text("utf-8")
