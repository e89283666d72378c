"""The command line: words in; sheets, sentences and exit codes out.

Photos are scored by a stand-in here; the real pipeline has its own tests.
"""

import csv
import errno
import io
import json
import logging
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

import kdvision
import kdvision.pipeline.scorer
from kdvision.cli import main
from kdvision.cli.app import build_commands
from kdvision.errors import ExitCode, ModelError, NoKingdomError
from kdvision.photo.photo import Photo
from kdvision.report.json import from_json, to_json
from kdvision.report.text import text_report
from kdvision.result import PhotoResult
from kdvision.rules.duel import DuelMap, duel_problems
from kdvision.rules.rules import Rules
from tests.support import programs
from tests.support.paths import ROOT, SAMPLES
from tests.support.results import DOUBTFUL_PHOTO, EXAMPLE, FULL, FULL_TOTAL, PHOTO, TWO_KINGDOMS
from tests.support.waiting import PATIENCE_S

Run = Callable[..., tuple[int, str, str]]
COMMANDS = build_commands().commands
SHOWN = [name for name, command in COMMANDS.items() if not command.hidden]


class Stand:
    """Stands in for the Scorer: what it answers goes by the name of the photo."""

    options: list[tuple] = []  # noqa: RUF012
    answers = {  # noqa: RUF012
        "sure": PHOTO,
        "doubtful": DOUBTFUL_PHOTO,
        "two": TWO_KINGDOMS,
        "nothing": NoKingdomError("No kingdom was found.", "Take the photo from above."),
        "broken": ZeroDivisionError("division by zero"),
        "talkative": RuntimeError("word " * 1000),
        "stopped": KeyboardInterrupt(),
        "denied": PermissionError(errno.EACCES, "Permission denied"),
        "full": OSError(errno.ENOSPC, "No space left on device"),
        "gone": BrokenPipeError(errno.EPIPE, "Broken pipe"),
        "no-model": ModelError("The model grid.onnx is missing.", "Install kdvision again."),
    }

    def score(self, photo: Photo, options: Rules, *, fixes=None, kingdoms=None) -> PhotoResult:
        self.options.append((options, fixes, kingdoms))
        answer: Any = self.answers.get(Path(photo.name).stem, PHOTO)
        if isinstance(answer, BaseException):
            raise answer
        return cast(PhotoResult, replace(answer, photo=photo.name))


@pytest.fixture
def photos(tmp_path, monkeypatch) -> Path:
    """A folder with photos and other files, as the working directory; the Scorer stands in."""
    picture = np.full((600, 800, 3), 150, np.uint8)
    for name in (*Stand.answers, "folder/10", "folder/2", "folder/in/3"):
        path = tmp_path / f"{name}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), picture)
    (tmp_path / "text.jpg").write_text("no photo")
    (tmp_path / "kingdom").write_bytes((tmp_path / "sure.jpg").read_bytes())
    (tmp_path / "nothing.txt").touch()
    (tmp_path / "line.txt").write_text(EXAMPLE.replace("/", "\n"), encoding="utf-8")
    (tmp_path / "two.txt").write_text("C W1 W/L L -\n\nC F1 F/F F -\n")
    (tmp_path / "empty" / "deep").mkdir(parents=True)
    if hasattr(os, "mkfifo"):
        (tmp_path / "dead.jpg").symlink_to("gone/away.jpg")
        os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "sparse.jpg").open("wb") as file:
        file.truncate(5 * 2**30)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kdvision.pipeline.scorer, "Scorer", Stand)
    monkeypatch.setattr(Stand, "options", [])
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return tmp_path


@pytest.fixture
def kdscore(capfd) -> Run:
    """Runs a command line in this process; gives (exit code, standard output, standard error)."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main.run(words)
        logging.getLogger("kdvision").setLevel(logging.NOTSET)  # after -v
        out, err = capfd.readouterr()
        return code, out, err

    return run


#: A Duel map with two spaces to be filled, beside the castle.
DUEL_MAP = "/".join(["- - - - - - -"] * 2 + ["- - - C {} -"] + ["- - - - - - -"] * 2)
POSIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no devices and pipes")
#: A command line, its exit code, and what it says, on standard output or standard error.
CASES = [
    # Photos, one and several: the most serious code counts.
    ("sure.jpg", 0, "Total                                 23"),
    ("doubtful.jpg", 6, "The photo is too dark. Take it again with more light."),
    ("two.jpg", 6, "two.jpg"),
    ("nothing.jpg", 4, "kdscore: No kingdom was found. Take the photo from above."),
    ("text.jpg", 3, "kdscore: text.jpg is text, not a photo. Use a photo: JPEG"),
    ("broken.jpg", 1, "(ZeroDivisionError: division by zero). This is a mistake in kdscore."),
    ("denied.jpg", 1, "(PermissionError: [Errno 13] Permission denied)"),
    ("full.jpg", 2, "The output cannot be written: the disk is full. Make room on it, and try"),
    ("gone.jpg", 0, ""),
    ("stopped.jpg", 130, ""),
    ("no-model.jpg sure.jpg", 5, "kdscore: The model grid.onnx is missing."),
    ("doubtful.jpg nothing.jpg sure.jpg", 4, "Total                                 23"),
    ("broken.jpg missing.jpg sure.jpg", 1, "Total                                 23"),
    # Names of files as people type them.
    ("shure.jpg", 3, "Did you mean sure.jpg?"),
    ("|", 2, "One argument is empty (''). Write it, or leave it out."),
    pytest.param("/dev/zero", 3, "/dev/zero is a device or a pipe", marks=POSIX),
    pytest.param("pipe", 3, "pipe is a device or a pipe", marks=POSIX),
    ("sparse.jpg", 3, "sparse.jpg is too large: 5,120 MB"),
    ("xyz", 3, "Check the name, and the folder you are in."),
    ("./kingdom", 0, "./kingdom"),
    ("score kingdom", 0, "kingdom"),
    ("empty", 2, "There are no photos in empty. Add -r to look into the folders in it, too."),
    ("empty sure.jpg", 2, "There are no photos in empty."),
    ("stndings results.csv", 2, "No such command 'stndings'. Did you mean 'standings'?"),
    # Options.
    ("-q two.jpg", 6, "two.jpg A: 1, sure\ntwo.jpg B: 23, doubtful"),
    ("two.jpg --quiet", 6, "two.jpg A: 1, sure\ntwo.jpg B: 23, doubtful"),
    ("--size 7 sure.jpg", 0, "sure.jpg"),
    ("sure.jpg --size 6", 2, "--size is 6; write one of 'auto', '5', '7'. For help: kdscore"),
    ("sure.jpg --siez 5", 2, "No such option"),
    ("sure.jpg --size", 2, "Option '--size' requires an argument. For help: kdscore --help"),
    ("sure.jpg --json --csv", 2, "--json and --csv exclude each other."),
    ("--json", 2, "Missing argument 'PHOTO'."),
    ("sure.jpg --fix b3", 2, "'b3' is no correction."),
    ("sure.jpg --fix B.b3=W --fix b.b3=F", 2, "B.b3 is corrected twice, to W and to F."),
    ("sure.jpg two.jpg --fix b3=W", 2, "--fix corrects one photo, and there are several."),
    # Overlays.
    ("sure.jpg --overlay out.PNG", 0, "kdscore: The overlay of sure.jpg is out.PNG."),
    ("-q sure.jpg --overlay out.webp", 0, "sure.jpg: 23, sure\n"),
    ("sure.jpg two.jpg --overlay drawn/", 6, "The overlay of two.jpg is drawn/two-overlay.jpg."),
    ("sure.jpg --overlay x.txt", 2, "--overlay x.txt is no picture. End its name with .jpg, "),
    ("sure.jpg --overlay text.jpg/x", 2, "text.jpg/x cannot be written"),
    ("sure.jpg --overlay sure.jpg", 2, "--overlay sure.jpg would write over a photo."),
    ("sure.jpg folder/../sure.jpg --overlay o/", 2, "Two photos would have the overlay o/sure-"),
    ("sure.jpg two.jpg --overlay o.png", 2, "--overlay o.png names one file, and there are 2"),
    # Typed kingdoms.
    (f"kingdom|{EXAMPLE}", 0, "Total                                 23"),
    (f"kingdom {EXAMPLE}", 0, "lake                 5 x      2 =     10   b3"),
    (f"kingdom|{EXAMPLE.lower()}", 0, "Total                                 23"),
    ("kingdom line.txt", 0, "Total                                 23"),
    ("kingdom - L1 / C W", 0, "Total                                  1"),
    ("kingdom|C W1 G/W W -|-q", 0, "3\n"),
    ("kingdom|C W1 -/- - F", 6, "c2 does not touch the rest of the kingdom"),
    ("kingdom|W W C F F F/- - - - - F", 0, "scored as a Mighty Duel"),
    ("kingdom", 2, "Missing argument 'LINE|FILE|-'."),
    ("kingdom|C W X", 2, "Row 1, place 3: 'X' is no square."),
    ("kingdom|C W|--harmny", 2, "There is no option --harmny."),
    ("kingdom|- -", 2, "The kingdom has no squares. Write them: C W1"),
    ("kingdom sure.jpg", 2, "sure.jpg holds no text. To score a photo, give kdscore its name"),
    ("kingdom missing.txt", 3, "missing.txt does not exist."),
    ("kingdom {}", 2, "This is no result of kdscore"),
    ("duel|A B", 2, "Row 1, place 1: 'A' is no space. Write D"),
    ("duel sure.jpg", 2, "sure.jpg holds no text. To score a photo, give"),
    (f"duel|{DUEL_MAP.format('D2 E')}", 0, "Total: 2"),
    (f"duel|{DUEL_MAP.format('D2 E')}|--json", 0, '"score": 2, "status": "sure"'),
    (f"duel|{DUEL_MAP.format('D5 E')}", 6, "Misread: e3: 3 crosses too many."),
    (f"duel|{DUEL_MAP.format('D5 E')}|--json", 6, '"status": "doubtful"'),
    (f"duel|{DUEL_MAP.format(chr(0x212A) + ' E')}", 2, "Row 3, place 5: '\u212a' is no space."),
    ("kingdom nothing.txt", 2, "The kingdom has no squares. Write them: C W1"),
    ("duel nothing.txt", 2, "A Duel map has 5 rows of 7 places."),
    # The server.
    ("serve sheet.csv", 2, "serve takes no sheet.csv. For a sheet: --sheet FILE"),
    ("serve --password x --no-password", 2, "--password and --no-password exclude each other."),
    # The program itself.
    ("--version", 0, f"kdscore {kdvision.__version__}\n"),
    ("version", 0, f"kdscore {kdvision.__version__}\n"),
    ("--help", 0, "the word score may be left out"),
    ("help", 0, "the word score may be left out"),
    ("-h", 0, "the word score may be left out"),
    ("", 0, "Usage: kdscore"),
    ("batch", 2, "Missing argument 'DIR|PHOTO|SHEET'. For help: kdscore batch --help"),
    ("standings missing.csv", 2, "missing.csv does not exist"),
]


@pytest.mark.parametrize(("line", "code", "sentence"), CASES)
def test_command_lines(photos, kdscore, line, code, sentence):
    """A bar parts words that hold blanks; what is wrong is one line on standard error."""
    ended, out, err = kdscore(*(line.split("|") if "|" in line else line.split()))
    assert ended == code
    assert sentence in out + err
    assert "Traceback" not in err
    if code == ExitCode.USAGE and line:
        assert (out, err.startswith(f"kdscore: {sentence}"), err.count("\n")) == ("", True, 1)


def test_sheet_alone_on_standard_output(photos, kdscore):
    sheet = text_report(replace(PHOTO, photo="sure.jpg"))
    assert kdscore("sure.jpg") == (0, f"{sheet}\n\n", "")
    assert kdscore("nothing.jpg")[1] == ""


@pytest.mark.parametrize(
    ("variables", "is_coloured"),
    [
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False),
        ({}, False),
    ],
)
def test_colours_are_for_those_who_want_them(photos, kdscore, monkeypatch, variables, is_coloured):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    # As many colours as in all other tests: rich keeps the codes of a style once it has them.
    for name, value in {"TERM": "xterm", "COLORTERM": "truecolor", **variables}.items():
        monkeypatch.setenv(name, value)
    _, out, _ = kdscore("sure.jpg")
    assert ("\x1b[" in out) is is_coloured
    assert "Total" in out and "sure" in out


def test_options_reach_the_scorer(photos, kdscore, monkeypatch):
    kdscore("sure.jpg")
    kdscore("sure.jpg", "--size=7", "--harmony", "--middle-kingdom", "--fix", "b3=w1", "--fix=C4=c")
    monkeypatch.setenv("KDSCORE_HARMONY", "1")
    monkeypatch.setenv("KDSCORE_SIZE", "5")
    kdscore("sure.jpg")
    kdscore("sure.jpg", "--no-harmony")
    options = [given for given, *_ in Stand.options]
    assert options == [
        Rules(),
        Rules(size=7, harmony=True, middle_kingdom=True),
        Rules(size=5, harmony=True),
        Rules(size=5),
    ]
    assert {str(place): text for place, text in Stand.options[1][1].items()} == {
        "b3": "W1", "c4": "C",
    }  # fmt: skip
    kdscore("sure.jpg", "--kingdoms", "2")
    assert [count for *_, count in Stand.options] == [None] * 4 + [2]


def test_verbose_tells_milliseconds(photos, kdscore):
    assert re.search(r"kdscore: \d+ ms: sure.jpg: 800 x 600 pixels", kdscore("sure.jpg", "-v")[2])


def test_verbose_shows_where_the_mistake_is(photos, kdscore):
    assert "Traceback" in kdscore("broken.jpg", "-v")[2]
    assert "Traceback" not in kdscore("doubtful.jpg", "-v")[2]


def test_long_mistakes_are_cut(photos, kdscore):
    err = kdscore("talkative.jpg")[2]
    assert len(re.findall(r"\((RuntimeError: .*)\)\. This", err)[0]) == 300


def test_json_has_an_object_per_photo(photos, kdscore):
    code, out, _ = kdscore("--json", "sure.jpg", "text.jpg", "nothing.jpg", "doubtful.jpg")
    assert code == 3
    objects = [json.loads(line) for line in out.splitlines()]
    assert [(each["photo"], each["status"], len(each["kingdoms"])) for each in objects] == [
        ("sure.jpg", "sure", 1),
        ("text.jpg", "unreadable", 0),
        ("nothing.jpg", "no-kingdom", 0),
        ("doubtful.jpg", "doubtful", 1),
    ]


def test_csv_is_a_line_per_kingdom(photos, kdscore):
    code, out, _ = kdscore("--csv", "doubtful.jpg", "two.jpg", "text.jpg")
    assert code == 3
    rows = list(csv.DictReader(out.splitlines()))
    assert [(row["photo"], row["kingdom"], row["status"], row["score"]) for row in rows] == [
        ("doubtful.jpg", "", "doubtful", "23"),
        ("two.jpg", "A", "sure", "1"),
        ("two.jpg", "B", "doubtful", "23"),
        ("text.jpg", "", "unreadable", ""),
    ]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["folder"], ["folder/2.jpg", "folder/10.jpg"]),
        (["-r", "folder"], ["folder/2.jpg", "folder/10.jpg", "folder/in/3.jpg"]),
    ],
)
def test_folder_stands_for_its_photos(photos, kdscore, words, names):
    rows = csv.DictReader(kdscore(*words, "--csv")[1].splitlines())
    assert [row["photo"] for row in rows] == names


@pytest.mark.parametrize(
    ("file", "words", "sentence"),
    [
        ("sure.jpg", ["-"], "standard input\n"),
        ("line.txt", ["kingdom", "-"], "Total                                 23"),
    ],
)
def test_standard_input(photos, kdscore, monkeypatch, file, words, sentence):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(file).read_bytes())))
    code, out, err = kdscore(*words)
    assert (code, err) == (0, "") and sentence in out


@pytest.mark.parametrize(("size", "is_refused"), [(20_000_000, False), (20_000_001, True)])
def test_typed_text_has_twenty_megabytes_at_most(tmp_path, kdscore, monkeypatch, size, is_refused):
    data = b"C W1".ljust(size)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    file = tmp_path / "line.txt"
    file.write_bytes(data)
    for source in ("-", str(file)):
        assert ("is too large" in kdscore("kingdom", source)[2]) is is_refused


def test_printed_json_is_scored_again(tmp_path, kdscore):
    file = tmp_path / "read.json"
    file.write_text(kdscore("kingdom", FULL, "--json")[1], encoding="utf-16")  # as PowerShell
    for words, total in (
        ((), FULL_TOTAL),
        (("--harmony",), FULL_TOTAL + 5),
        (("--harmony", "--middle-kingdom"), FULL_TOTAL + 15),
        (("--size", "7", "--harmony", "--middle-kingdom"), FULL_TOTAL + 10),
    ):
        (result,) = from_json(kdscore("kingdom", str(file), "--json", *words)[1])
        assert result.kingdoms[0].score == total


def test_printed_doubt_lasts_until_a_correction(kdscore):
    text = to_json(DOUBTFUL_PHOTO)
    code, out, _ = kdscore("kingdom", text, "--json")
    assert (code, from_json(out)) == (6, [DOUBTFUL_PHOTO])
    code, out, _ = kdscore("kingdom", text.replace("S L1 L F -", "S L1 L1 F -", 1))
    assert (code, "Total                                 28\n" in out) == (0, True)
    nothing = PhotoResult.of_error("far.jpg", NoKingdomError("No castle.", "Go nearer."))
    assert kdscore("kingdom", to_json(nothing))[:2] == (4, "far.jpg: No castle. Go nearer.\n")


def test_kingdoms_of_a_file_have_sheets(photos, kdscore):
    _, out, _ = kdscore("kingdom", "two.txt", "--json")
    assert [result.kingdoms[0].score for result in from_json(out)] == [2, 4]


def test_duel_map_from_a_file(tmp_path, kdscore):
    empty = "/".join(["- - - - - - -"] * 2 + ["- - - C - - -"] + ["- - - - - - -"] * 2)
    drawn = tmp_path / "A.map"
    drawn.write_text(empty.replace("C - -", "C D2 E").replace("/", "\n"))
    assert "Total: 2\n" in kdscore("duel", str(drawn))[1]


# ---------------------------------------------------------------------- help


@pytest.mark.parametrize("command", SHOWN)
def test_help_is_80_columns_with_examples(kdscore, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "200")
    code, out, _ = kdscore(command, "--help")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    assert len(out.splitlines()) <= 40
    examples = out.split("Examples:\n")[1].split("\n\n")[0]
    assert examples.count("kdscore ") >= 2
    options = {name for param in COMMANDS[command].params for name in param.opts}
    assert set(re.findall(r"(?<= )--[a-z-]+", examples)) <= options | {"--json"}
    assert ("--dask" in options) is (command in ("batch", "verify"))


def test_main_help_has_commands_and_codes(kdscore, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out = kdscore("--help")[1]
    for code in ExitCode:
        assert re.search(rf"^ +{code.value}  [a-z]", out, re.MULTILINE)
    for name in SHOWN:
        assert re.search(rf"^  {name}  .*[^.]\.$", out, re.MULTILINE)


def test_duel_help_shows_a_map(kdscore):
    lines = [line.strip() for line in kdscore("duel", "--help")[1].splitlines()]
    first = next(index for index, line in enumerate(lines) if line.startswith("- -"))
    assert duel_problems(DuelMap.parse("\n".join(lines[first : first + 5]))) == ()


@pytest.mark.parametrize(
    ("words", "completed"), [("kdscore stan", "standings"), ("kdscore a.jpg --har", "--harmony")]
)
def test_shell_completion(words, completed):
    done = programs.kdscore(env={
        "_KDSCORE_COMPLETE": "complete_bash", "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    })  # fmt: skip
    assert completed in done.stdout.split()


# ---------------------------------------------------------------------- terminals and pipes


def test_debug_shows_the_traceback(photos, kdscore):
    assert "Traceback" not in kdscore("broken.jpg")[2]
    assert "Traceback" in kdscore("broken.jpg", "-v")[2]


def test_photo_names_cannot_move_the_cursor(photos, kdscore):
    name = "red\x1b[31m.jpg"
    (photos / "sure.jpg").rename(photos / name)
    for words in ([name], [name, "-q"], ["\x1b[31mred\n.jpg"]):
        assert "\x1b" not in "".join(kdscore(*words)[1:])
    assert json.loads(kdscore(name, "--json")[1])["photo"] == name


def test_colours_need_a_terminal():
    wanted = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "NO_COLOR": ""}
    assert "\x1b[" in programs.kdscore("kingdom", EXAMPLE, env=wanted).stdout
    for more in ({"NO_COLOR": "1"}, {"FORCE_COLOR": ""}):
        assert "\x1b[" not in programs.kdscore("kingdom", EXAMPLE, env=wanted | more).stdout


def test_output_is_complete_at_exit():
    assert programs.kdscore("--version").stdout == f"kdscore {kdvision.__version__}\n"
    assert "the word score may be left out" in programs.kdscore("--help").stdout


def test_unencodable_letters_become_question_marks(tmp_path):
    done = programs.kdscore("Königreich.jpg", env={"PYTHONIOENCODING": "ascii"}, cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr.startswith("kdscore: K?nigreich.jpg does not exist.")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs a shell of POSIX")
def test_closed_pipe_gets_no_message():
    photos = [str(SAMPLES / name) for name in ("plus.jpg", "corner.jpg")]
    command = shlex.join([sys.executable, "-m", "kdvision", *photos, "--json"])
    line = f"{command} | head -1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=PATIENCE_S,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
    )  # fmt: skip
    assert (done.stdout.strip(), done.stderr) == ("0", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_full_disk_is_a_sentence():
    with Path("/dev/full").open("wb") as full:
        done = programs.kdscore("kingdom", EXAMPLE, stdout=full)
    assert done.returncode == 2
    assert "The output cannot be written: the disk is full. Make room" in done.stderr


def test_early_ctrl_c_is_silent():
    code = (
        "import builtins\n"
        "from kdvision.cli.main import main\n"
        "real = builtins.__import__\n"
        "def interrupted(name, *rest):\n"
        "    if name.startswith('kdvision.cli.app'): raise KeyboardInterrupt\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = interrupted\n"
        "main()\n"
    )
    done = programs.python("-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
    assert main.INTERRUPTED == ExitCode.INTERRUPTED
