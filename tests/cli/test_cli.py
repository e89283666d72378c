"""The command line: words in, sheets and exit codes out.

Photos are scored by a stand-in here; the real pipeline has its own tests.
"""

import csv
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
from functools import wraps
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer.main
from msgspec.structs import replace

import kdvision
import kdvision.pipeline.scorer
from kdvision.cli import app, line, main, score
from kdvision.cli.app import MEANINGS
from kdvision.cli.declared import COMMANDS, GROUPS, Asked
from kdvision.corrections import parse_fixes
from kdvision.errors import ExitCode, ModelError, NoKingdomError
from kdvision.options import OPTIONS, GameOptions
from kdvision.photo.photo import Photo
from kdvision.reading import Doubt, DoubtCode
from kdvision.report.json import from_json, to_json
from kdvision.report.text import text_report
from kdvision.result import PhotoResult, Status
from tests.support.paths import ROOT, SAMPLES
from tests.support.results import (
    DOUBTFUL_PHOTO,
    EXAMPLE,
    FULL,
    FULL_TOTAL,
    PHOTO,
    TWO_KINGDOMS,
    plain,
)
from tests.support.terminal import terminal_in_colour
from tests.support.waiting import PATIENCE_S


class Stand:
    """Stands in for the Scorer: what it answers goes by the name of the photo."""

    options: list[tuple] = []  # noqa: RUF012
    answers = {  # noqa: RUF012
        "sure": PHOTO,
        "doubtful": DOUBTFUL_PHOTO,
        "two": TWO_KINGDOMS,
        "nothing": NoKingdomError("No kingdom was found.", "Take the photo from above."),
        "broken": ZeroDivisionError("division by zero"),
        "stopped": KeyboardInterrupt(),
        "memory": MemoryError(),
    }

    def score(self, photo: Photo, options: GameOptions, *, fixes=None) -> PhotoResult:
        assert isinstance(photo, Photo)
        self.options.append((options, fixes))
        answer = self.answers.get(Path(photo.name).stem, PHOTO)
        if isinstance(answer, BaseException):
            raise answer
        return replace(answer, photo=photo.name)


@pytest.fixture
def photos(tmp_path, monkeypatch) -> Path:
    """A folder with photos, as the working directory; the Scorer is the stand-in."""
    picture = np.full((600, 800, 3), 150, np.uint8)
    for name in Stand.answers:
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), picture)
    (tmp_path / "text.jpg").write_text("no photo")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kdvision.pipeline.scorer, "Scorer", Stand)
    monkeypatch.setattr(Stand, "options", [])
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return tmp_path


@pytest.fixture
def kdscore(capfd):
    """Runs a command line in this process; gives (exit code, standard output, standard error)."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main.run(words)
        out, err = capfd.readouterr()
        return code, out, err

    return run


def in_a_process(*words: str, **options) -> subprocess.CompletedProcess:
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONIOENCODING="utf-8")
    environment |= options.pop("env", {})
    return subprocess.run(
        [sys.executable, "-m", "kdvision.cli.main", *words],
        capture_output=True, env=environment, timeout=PATIENCE_S, **options,
    )  # fmt: skip


# ---------------------------------------------------------------------- photos


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["sure"], 0),
        (["doubtful"], 6),
        (["two"], 6),
        (["nothing"], 4),
        (["missing"], 3),
        (["text"], 3),
        (["broken"], 1),
        (["memory"], 1),
        (["stopped"], 130),
        (["sure", "sure"], 0),
        (["sure", "doubtful"], 6),
        (["doubtful", "nothing", "sure"], 4),
        (["nothing", "missing", "doubtful"], 3),
        (["broken", "missing", "sure"], 1),
    ],
)
def test_exit_codes(photos, kdscore, names, code):
    assert kdscore(*(f"{name}.jpg" for name in names))[0] == code


def test_a_sheet_on_standard_output_and_nothing_else(photos, kdscore):
    code, out, err = kdscore("sure.jpg")
    assert code == 0
    assert out == text_report(replace(PHOTO, photo="sure.jpg")) + "\n\n"
    assert err == ""


def test_the_run_goes_on_after_a_bad_photo(photos, kdscore):
    code, out, err = kdscore("text.jpg", "sure.jpg", "nothing.jpg", "broken.jpg", "doubtful.jpg")
    assert code == 1
    assert out.index("sure.jpg") < out.index("doubtful.jpg")
    lines = err.splitlines()
    assert lines[0] == (
        "kdscore: text.jpg is text, not a photo. "
        "Give the name of a photo: JPEG, PNG, WebP, HEIC or AVIF."
    )
    assert lines[1] == "kdscore: No kingdom was found. Take the photo from above."
    assert "ZeroDivisionError: division by zero" in lines[2]
    assert "This is a mistake in kdscore." in lines[2]
    assert len(lines) == 3


def test_the_traceback_is_shown_only_when_asked_for(photos, kdscore, monkeypatch):
    assert "Traceback" not in kdscore("broken.jpg")[2]
    monkeypatch.setenv("KDVISION_DEBUG", "1")
    assert "Traceback" in kdscore("broken.jpg")[2]


def test_json_one_object_per_photo_and_line(photos, kdscore):
    code, out, _ = kdscore("--json", "sure.jpg", "text.jpg", "nothing.jpg", "doubtful.jpg")
    assert code == 3
    objects = [json.loads(line) for line in out.splitlines()]
    found = [(one["photo"], one["status"], len(one["kingdoms"])) for one in objects]
    assert found == [
        ("sure.jpg", "sure", 1),
        ("text.jpg", "unreadable", 0),
        ("nothing.jpg", "no-kingdom", 0),
        ("doubtful.jpg", "doubtful", 1),
    ]
    assert objects[1]["message"].startswith("The file is text, not a photo.")
    assert from_json(out)[0] == replace(PHOTO, photo="sure.jpg")


def test_a_photo_from_standard_input(photos, kdscore, monkeypatch):
    data = (photos / "sure.jpg").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    code, out, _ = kdscore("-")
    assert code == 0
    assert out.startswith("standard input\n")


def test_nothing_on_standard_input(photos, kdscore, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    code, _, err = kdscore("-")
    assert code == 3
    assert err == "kdscore: standard input is empty. Copy or download the photo again.\n"


def test_a_photo_whose_name_begins_with_a_dash_is_named_by_its_folder(photos, kdscore):
    Path("-table.jpg").write_bytes(Path("sure.jpg").read_bytes())
    code, _, err = kdscore("-table.jpg", "sure.jpg")
    assert code == 2
    assert err.endswith("The file is named by ./-table.jpg\n")
    assert kdscore("./-table.jpg")[0] == 0


def test_closed_output_is_no_error(photos, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main.run(["sure.jpg"]) == 0
    assert main.run(["missing.jpg"]) == 3


def test_options_reach_the_scorer(photos, kdscore):
    kdscore("sure.jpg")
    kdscore("sure.jpg", "--size=7", "--harmony", "--middle-kingdom", "--fix", "b3=w1", "--fix=C4=c",
            "--fix", "b.a1=g")  # fmt: skip
    assert Stand.options == [
        (GameOptions(), None),
        (GameOptions(7, True, True), parse_fixes(["b3=W1", "c4=C", "B.a1=G"])),
    ]  # fmt: skip


def test_the_limits_can_be_set(photos, kdscore):
    assert "the limit is 0.4 million" in kdscore("sure.jpg", "--max-megapixels", "0.4")[2]
    assert "is too large" in kdscore("sure.jpg", "--max-megabytes", "0.001")[2]
    assert kdscore("sure.jpg", "--max-megapixels", "0.48", "--max-megabytes", "1")[0] == 0


def test_overlays_are_drawn_for_photos_with_a_kingdom(photos, kdscore):
    code, _, _ = kdscore("sure.jpg", "nothing.jpg", "two.jpg", "--overlay", "drawn/here")
    assert code == 4
    drawn = sorted(path.name for path in (photos / "drawn" / "here").iterdir())
    assert drawn == ["sure-overlay.jpg", "two-overlay.jpg"]
    assert cv2.imread("drawn/here/sure-overlay.jpg").shape == (600, 800, 3)


def test_a_missing_model_ends_the_run_at_once(photos, kdscore, monkeypatch):
    def missing():
        raise ModelError("The model grid.onnx is missing.", "Install kdvision again.")

    monkeypatch.setattr(kdvision.pipeline.scorer, "Scorer", missing)
    assert kdscore("sure.jpg", "doubtful.jpg") == (
        5, "", "kdscore: The model grid.onnx is missing. Install kdvision again.\n",
    )  # fmt: skip


def test_a_photo_whose_name_is_a_command(photos, kdscore):
    (photos / "kingdom").write_bytes((photos / "sure.jpg").read_bytes())
    assert kdscore("./kingdom")[0] == 0
    assert kdscore("score", "kingdom")[0] == 0
    assert kdscore("--", "kingdom")[0] == 0


def test_a_photo_whose_name_begins_with_a_dash(photos, kdscore):
    (photos / "-x.jpg").write_bytes((photos / "sure.jpg").read_bytes())
    assert kdscore("--", "-x.jpg")[0] == 0


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["shure.jpg"], "Did you mean sure.jpg?"),
        (["Sure.JPG"], "Did you mean sure.jpg?"),
        (["xyz"], "Check the name, and the folder you are in."),
    ],
)
def test_what_a_slip_may_have_meant(photos, kdscore, words, advice):
    code, _, err = kdscore(*words)
    assert code == 3
    assert advice in err.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["stndings", "results.csv"], "Did you mean standings?"),
        (["kingdm", "C W"], "Did you mean kingdom?"),
        (["--json", "kingdom", "C W"], "To use the command kingdom, write it first."),
        (["help"], "For help: kdscore --help"),
    ],
)
def test_a_command_that_was_meant(photos, kdscore, words, advice):
    code, out, err = kdscore(*words)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert advice in err


def test_a_link_to_nothing_is_not_meant_itself(photos, kdscore):
    (photos / "dead.jpg").symlink_to("gone/away.jpg")
    for name, sentence in (
        ("dead.jpg", "is a link to gone/away.jpg, which does not exist"),
        ("ddead.png.jpg", "Check the name"),
    ):
        code, _, err = kdscore(name)
        assert code == 3 and sentence in err and "Did you mean" not in err


def test_an_overlay_on_standard_output_is_a_picture_and_nothing_else(photos):
    done = in_a_process(str(SAMPLES / "plus.jpg"), "--overlay", "-")
    assert done.returncode == 0
    assert done.stdout.startswith(b"\xff\xd8\xff") and done.stdout.endswith(b"\xff\xd9")
    assert b"Total" in done.stderr


def test_a_kingdom_that_is_too_wide_is_said_once(kdscore):
    row = " ".join(["W"] * 7)
    out = kdscore(
        "kingdom", "/".join([row] * 3 + ["W W W C W W W"] + [row] * 3), "--size", "5", "-v"
    )
    assert "places of the 5x5" not in out[1]


def test_one_picture_on_standard_output(photos, kdscore):
    code, out, err = kdscore("sure.jpg", "two.jpg", "--overlay", "-")
    assert (code, out) == (2, "") and "there are 2 photos" in err


def test_a_reader_that_goes_away_is_no_error(photos):
    command = f"{sys.executable} -m kdvision {SAMPLES}/plus.jpg {SAMPLES}/corner.jpg --json"
    line = f"{command} | head -1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=PATIENCE_S, env=environment
    )
    assert (done.stdout.strip(), done.stderr) == ("0", "")


def test_a_grey_photo_is_told_that_colour_is_missing(tmp_path, kdscore):
    grey = cv2.cvtColor(cv2.imread(str(SAMPLES / "meadow_5x5.jpg")), cv2.COLOR_BGR2GRAY)
    cv2.imwrite(str(tmp_path / "grey.jpg"), grey)
    code, _, err = kdscore(str(tmp_path / "grey.jpg"))
    assert code == 4 and "It has no colours, and terrain is told by colour." in err


def test_the_limit_of_pixels_that_was_asked_for_is_named(tmp_path, kdscore):
    cv2.imwrite(str(tmp_path / "big.png"), np.zeros((1000, 1000, 3), np.uint8))
    err = kdscore(str(tmp_path / "big.png"), "--max-megapixels", "1")[2]
    assert "the limit of 1 million is 0.799 million" in err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_every_command_takes_and_fits_80_columns(kdscore, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    for words in ([command, "--help"], ["--help"]):
        code, out, _ = kdscore(*words)
        assert code == 0
        assert [
            line for line in out.splitlines() if len(line) > 80 or re.search(r"[a-z ]\.\.\.$", line)
        ] == []
    out = kdscore(command, "--help")[1]
    arguments = out.partition("Arguments:\n")[2].partition("\n\n")[0].splitlines()
    indents = {len(re.match(r" *(?:\S+  )? *", line_)[0]) for line_ in arguments}
    assert len(indents) <= 1, "the words of arguments begin in one column"
    assert "-q, --quiet" in out
    assert "-v, --verbose" in out


def test_the_help_has_the_commands_in_four_groups_and_seldom_options_apart(kdscore):
    out = kdscore("--help")[1]
    places = [out.index(f"\n{title}:\n") for title in GROUPS]
    assert places == sorted(places) and len(places) == 4
    out = kdscore("score", "--help")[1]
    assert out.index("--size") < out.index("Advanced options:") < out.index("--centre")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("kdscore --har", "--harmony"),
        ("kdscore a.jpg --har", "--harmony"),
        ("kdscore a.jpg --centre fr", "frame"),
        ("kdscore batch --centre fr", "frame"),
        ("kdscore play --against gr", "greedy"),
        ("kdscore standings --by pl", "places"),
    ],
)
def test_options_and_their_values_are_completed_in_the_main_form(words, expected):
    done = in_a_process(env={
        "_KDSCORE_COMPLETE": "complete_bash", "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    })  # fmt: skip
    assert expected in done.stdout.decode().split()


def test_file_names_cannot_speak_to_the_terminal(photos, kdscore):
    _, _, err = kdscore("\x1b[31mred\x1b[0m\n.jpg")
    assert "\x1b" not in err
    assert err.count("\n") == 1


# ---------------------------------------------------------------------- files as people name them


@pytest.mark.parametrize("name", ["out.jpg", "out.PNG", "out.webp", "out.jpeg"])
def test_an_overlay_is_the_file_that_is_named(photos, kdscore, name):
    code, _, err = kdscore("sure.jpg", "--overlay", name)
    assert code == 0
    assert err == f"kdscore: The overlay of sure.jpg is {name}.\n"
    assert cv2.imread(name).shape == (600, 800, 3)


def test_an_overlay_goes_into_a_folder_that_looks_like_a_file(photos, kdscore):
    (photos / "out.jpg").mkdir()
    assert "out.jpg/sure-overlay.jpg" in kdscore("sure.jpg", "--overlay", "out.jpg")[2]


def test_a_folder_stands_for_its_photos(photos, kdscore):
    for name in ("evening/10.jpg", "evening/2.jpg", "evening/late/sure.JPG"):
        (photos / name).parent.mkdir(parents=True, exist_ok=True)
        (photos / name).write_bytes((photos / "sure.jpg").read_bytes())
    (photos / "evening" / "notes.txt").write_text("no photo")
    seen = [row["photo"] for row in csv.DictReader(kdscore("evening", "--csv")[1].splitlines())]
    assert seen == ["evening/2.jpg", "evening/10.jpg"]
    seen = [
        row["photo"] for row in csv.DictReader(kdscore("-r", "evening", "--csv")[1].splitlines())
    ]
    assert seen == ["evening/2.jpg", "evening/10.jpg", "evening/late/sure.JPG"]
    (photos / "empty" / "deep").mkdir(parents=True)
    code, _, err = kdscore("empty")
    assert (code, err) == (
        2,
        "kdscore: There are no photos in empty. Add -r for the folders in it.\n",
    )
    code, out, err = kdscore("empty", "sure.jpg")
    assert (code, "empty is a folder" in err) == (3, True)
    assert out == kdscore("sure.jpg")[1]


def test_letters_that_macos_takes_apart_are_found(photos, kdscore):
    apart, whole = (unicodedata.normalize(form, "K\u00f6nig.jpg") for form in ("NFD", "NFC"))
    (photos / apart).write_bytes((photos / "sure.jpg").read_bytes())
    assert kdscore(whole)[0] == 0
    (photos / apart).rename(photos / whole)
    assert kdscore(apart)[0] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_a_sentence():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kdvision", "kingdom", EXAMPLE],
            stdout=full, stderr=subprocess.PIPE,
            env=dict(os.environ, PYTHONPATH=str(ROOT)), timeout=PATIENCE_S,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == (
        b"kdscore: The output cannot be written: no space left on device. "
        b"Make room on the disk, and try again.\n"
    )


# ---------------------------------------------------------------------- for programs; quiet


def test_csv_a_line_per_kingdom(photos, kdscore):
    code, out, _ = kdscore("--csv", "doubtful.jpg", "two.jpg", "text.jpg")
    assert code == 3
    rows = list(csv.DictReader(out.splitlines()))
    found = [(row["photo"], row["kingdom"], row["status"], row["score"]) for row in rows]
    assert found == [
        ("doubtful.jpg", "", "doubtful", "23"),
        ("two.jpg", "A", "sure", "1"),
        ("two.jpg", "B", "doubtful", "23"),
        ("text.jpg", "", "unreadable", ""),
    ]
    assert rows[0]["alternatives"] == "28 (12 %); 22 (4 %)"
    assert rows[0]["message"] == "It is too dark to be sure."
    assert (rows[1]["kingdom_line"], rows[1]["size"], rows[1]["harmony"]) == ("C F1 W", "5", "no")


def test_csv_of_a_typed_kingdom(kdscore):
    code, out, _ = kdscore("kingdom", EXAMPLE, "--csv", "--harmony")
    (row,) = csv.DictReader(out.splitlines())
    assert (code, row["score"], row["kingdom_line"], row["harmony"]) == (0, "23", EXAMPLE, "yes")


@pytest.mark.parametrize("words", [["-q", "two.jpg"], ["two.jpg", "--quiet"]])
def test_quiet_is_a_line_per_kingdom(photos, kdscore, words):
    assert kdscore(*words) == (6, "two.jpg A: 1, sure\ntwo.jpg B: 23, doubtful\n", "")


def test_quiet_still_prints_errors(photos, kdscore):
    assert "text.jpg is text" in kdscore("-q", "text.jpg")[2]
    assert kdscore("-q", "sure.jpg", "--overlay", "x.png")[2] == ""


def test_verbose_says_stages_times_and_models(photos, kdscore):
    code, out, err = kdscore("sure.jpg", "-v")
    assert (code, out) == kdscore("sure.jpg")[:2]
    for sentence in (
        r"sure.jpg: opened in \d+ ms.",
        r"sure.jpg: 800 x 600 pixels, found, read and scored in \d+ ms.",
    ):  # fmt: skip
        assert re.search(sentence, err)


# ---------------------------------------------------------------------- defaults


@pytest.fixture
def config(tmp_path, monkeypatch):
    """Writes the file of defaults."""
    file = tmp_path / "config.toml"
    monkeypatch.setenv("KDSCORE_CONFIG", str(file))
    return lambda text: file.write_text(text, encoding="utf-8")


def test_defaults_from_a_file_the_environment_and_the_command_line(config, kdscore, monkeypatch):
    def total(*words: str) -> str:
        return re.search(r"Total +(\d+ +\dx\d)", kdscore("kingdom", FULL, *words)[1])[1]

    config("")
    assert total() == f"{FULL_TOTAL}   5x5"
    config("harmony = true\nsize = 5\n")
    assert total() == f"{FULL_TOTAL + 5}   5x5"
    assert total("--no-harmony") == f"{FULL_TOTAL}   5x5"
    assert total("--size", "7") == f"{FULL_TOTAL}   7x7"
    monkeypatch.setenv("KDSCORE_MIDDLE_KINGDOM", "yes")
    assert total() == f"{FULL_TOTAL + 15}   5x5"
    monkeypatch.setenv("KDSCORE_HARMONY", "0")
    assert total() == f"{FULL_TOTAL + 10}   5x5"
    out = kdscore("config")[1]
    assert re.search(r"^harmony = false +# from the variable KDSCORE_HARMONY$", out, re.MULTILINE)
    assert re.search(r"^size = 5 +# from .*config.toml$", out, re.MULTILINE)
    assert all(re.search(rf"^{option.name} = ", out, re.MULTILINE) for option in OPTIONS)


def test_a_variable_that_is_no_option_and_a_file_that_is_missing_are_said(
    config, kdscore, monkeypatch
):
    for command in (["config"], ["kingdom", FULL]):
        code, _, err = kdscore(*command)
        assert code == 2 and "config.toml, which is not there. Write the file" in err
    config("")
    monkeypatch.setenv("KDSCORE_HARMONIE", "yes")
    for command in (["config"], ["kingdom", FULL]):
        code, _, err = kdscore(*command)
        assert code == 2 and "The variable KDSCORE_HARMONIE is set" in err


def test_what_config_prints_is_such_a_file(config, kdscore):
    config("")
    printed = kdscore("config")[1]
    config(printed)
    assert "# from the program" not in kdscore("config")[1]
    assert kdscore("kingdom", FULL)[0] == 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("harmony = maybe", "is no TOML"),
        ("harmony = 'maybe'", "harmony is 'maybe' in "),
        ("size = 6", "size is 6 in "),
        ("centre = 'middle'", "centre is 'middle' in "),
        ("hamrony = true", "sets 'hamrony', which is no option. The options are size, harmony"),
    ],
)
def test_a_file_of_defaults_that_is_wrong_is_a_sentence(config, kdscore, text, sentence):
    config(text)
    code, out, err = kdscore("kingdom", FULL)
    assert (code, out) == (2, "")
    assert sentence in err


def test_limits_of_the_environment(photos, kdscore, monkeypatch):
    monkeypatch.setenv("KDSCORE_MAX_MEGAPIXELS", "0.4")
    assert "is too large" in kdscore("sure.jpg")[2]
    monkeypatch.setenv("KDSCORE_MAX_MEGAPIXELS", "many")
    assert (
        "max_megapixels is 'many' in the variable KDSCORE_MAX_MEGAPIXELS." in kdscore("sure.jpg")[2]
    )


def test_the_doctor(kdscore):
    code, out, _ = kdscore("doctor")
    assert code == 0
    for line_ in ("kdvision ", "Python ", "onnxruntime ", "model grid ", "model seams "):
        assert line_ in out
    assert re.search(r"^formats +JPEG \(.+?\), PNG \(.+?\), WebP \(", out, re.MULTILINE)
    assert re.search(r"^extras +serve", out, re.MULTILINE)
    assert re.search(r"^configuration +\S+config.toml", out, re.MULTILINE)
    assert re.search(r"^speed +\d+ ms for a picture", out, re.MULTILINE)


def test_the_doctor_finds_a_missing_model(kdscore, tmp_path, monkeypatch):
    monkeypatch.setenv("KDVISION_MODELS", str(tmp_path))
    code, out, _ = kdscore("doctor")
    assert code == 5
    assert "is missing" in out
    assert "speed" not in out


# ---------------------------------------------------------------------- help

COMMANDS = typer.main.get_command(app.app).commands


@pytest.mark.parametrize("name", COMMANDS)
def test_help_suffices(kdscore, name):
    """Two examples, every option explained, and no type of a programmer."""
    code, out, _ = kdscore(name, "--help")
    assert code == 0
    assert not re.search(r"<\w+(\[\w+\])?>", out)
    examples = out.split("Examples:\n")[1].split("\n\n")[0].splitlines()
    assert len(examples) >= 2
    assert all("kdscore" in example for example in examples)
    for param in COMMANDS[name].params:
        assert len(param.help or "") > 8, param.name


def test_what_prints_json_prints_csv(kdscore):
    forms = {
        name: {"--json", "--csv"} & {option for param in command.params for option in param.opts}
        for name, command in COMMANDS.items()
    }
    assert {name for name, found in forms.items() if found} == {
        "score", "kingdom", "duel", "verify", "standings",
    }  # fmt: skip
    assert all(len(found) in (0, 2) for found in forms.values())


def test_examples_of_the_help_are_understood(kdscore):
    for name, command in COMMANDS.items():
        examples = kdscore(name, "--help")[1].split("Examples:\n")[1].split("\n\n")[0]
        known = {opt for param in command.params for opt in (*param.opts, *param.secondary_opts)}
        used = set(re.findall(r"(?<= )--[a-z-]+", examples))
        assert used <= known | {"--json"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("kingdom", ["W wheat", "C is the castle", "- an empty place"]),
        ("duel", ["five rows of seven", "E two dots", "castle C"]),
        ("batch", ["claimed", "accept", "synonyms"]),
        ("verify", ["claimed", "accept", "Ends with 7"]),
        ("score", ["b3 is the second", "B.b3"]),
    ],
)
def test_help_explains_its_notation(kdscore, name, words):
    out = " ".join(kdscore(name, "--help")[1].split())
    assert all(word in out for word in words)


def test_the_main_help_has_every_exit_code(kdscore):
    out = kdscore("--help")[1]
    for code in ExitCode:
        assert re.search(rf"^ +{code.value}  {MEANINGS[code]}$", out, re.MULTILINE)


@pytest.mark.parametrize("words", [["a.jpg", "--siez", "5"], ["batch"], ["verify", "--json"]])
def test_mistakes_get_one_sentence_of_one_style(kdscore, words):
    code, out, err = kdscore(*words)
    assert (code, out) == (2, "")
    assert err.startswith("kdscore: ")
    assert err.count("\n") == 1
    assert "--help" in err


def test_completion_of_the_shell():
    shown = in_a_process("--show-completion", env={"SHELL": "/bin/bash"})
    done = in_a_process(
        env={"_KDSCORE_COMPLETE": "complete_bash", "COMP_WORDS": "kdscore stan", "COMP_CWORD": "1"}
    )
    assert done.stdout.decode().split() == ["standings"]
    assert b"Traceback" not in shown.stderr + done.stderr


def test_ctrl_c_before_there_is_anything_to_say_is_silent(monkeypatch):
    code = (
        "import builtins, sys\n"
        "from kdvision.cli.main import main\n"
        "real = builtins.__import__\n"
        "def interrupted(name, *rest):\n"
        "    if name.startswith('kdvision.cli.line'): raise KeyboardInterrupt\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = interrupted\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
    assert main.INTERRUPTED == ExitCode.INTERRUPTED


def test_the_program_begins_without_loading_anything():
    code = (
        "import sys; import kdvision.cli.main; print([m for m in sys.modules if 'kdvision' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
    )  # fmt: skip
    assert done.stdout.strip() == "['kdvision', 'kdvision.cli', 'kdvision.cli.main']"


# ---------------------------------------------------------------------- usage

WRONG = [
    (["sure.jpg", "--size", "6"], "--size is '6'. Write auto, 5 or 7."),
    (["sure.jpg", "--fix", "b3"], "'b3' is no correction of a square."),
    (["sure.jpg", "--fix", "3b=W"], "'3b=W' is no correction of a square."),
    (["sure.jpg", "--fix", "b=W"], "'b=W' is no correction of a square."),
    (["sure.jpg", "--fix", "b3=X"], "'X' is no square."),
    (["sure.jpg", "--fix", "b3="], "'b3=' is no correction of a square."),
    (["sure.jpg", "--fix", "b3=W", "--fix", "B3=F"], "b3 is corrected twice, to W and to F."),
    (["sure.jpg", "two.jpg", "--fix", "b3=W"], "--fix corrects one photo"),
    (["sure.jpg", "--fix", "B.b3=W", "--fix", "b.b3=F"], "B.b3 is corrected twice, to W and to F."),
    (["sure.jpg", "--fix", "b3=W2"], "b3=W2 cannot be: no domino has such a square."),
    (["sure.jpg", "--max-megapixels", "many"], "--max-megapixels is 'many'."),
    (["sure.jpg", "--max-megabytes", "-1"], "--max-megabytes is '-1'."),
    (["sure.jpg", "--max-megabytes", "nan"], "--max-megabytes is 'nan'."),
    (["sure.jpg", "--overlay", "text.jpg/x"], "text.jpg/x cannot be written"),
    (["sure.jpg", "--overlay", "sure.jpg"], "--overlay sure.jpg would write over the photo."),
    (
        ["sure.jpg", "two.jpg", "--overlay", "out.png"],
        "--overlay out.png names one file, and there are 2 photos. Give a folder",
    ),
    (["sure.jpg", "--json", "--csv"], "--json and --csv exclude each other."),
    ([""], "The name of a photo is empty. Give the name of a file."),
    (["sure.jpg", "--siez", "5"], "No such option"),
    (["sure.jpg", "--json=1"], "--json"),
    (["--json"], "Missing argument"),
    (["sure.jpg", "--fix"], "--fix"),
    (["kingdom"], "Missing argument"),
    (["kingdom", "C W X"], "Row 1, place 3: 'X' is no square."),
    (["kingdom", "C W/F"], "Row 2 has 1 place, but row 1 has 2"),
    (["kingdom", "- -"], "has only empty places"),
    (["kingdom", "sure.jpg"], "sure.jpg holds no text. To score a photo, give kdscore its name"),
    (["kingdom", "missing.txt"], "missing.txt does not exist."),
    (["kingdom", "{}"], "This is no result of kdscore"),
    (["kingdom", "C W", "--size", "x"], "--size is 'x'."),
    (["duel", "A B"], "kdscore: "),
    (["standings", "missing.csv"], "missing.csv does not exist"),
    (["standings", "text.jpg", "--ties", "coin"], "'coin' is no tie rule."),
]


@pytest.mark.parametrize(("words", "sentence"), WRONG, ids=lambda value: " ".join(value)[:40])
def test_wrong_usage_gets_a_sentence_and_exit_code_2(photos, kdscore, words, sentence):
    code, out, err = kdscore(*words)
    assert code == ExitCode.USAGE
    assert out == ""
    assert sentence in " ".join(err.split())
    assert "Traceback" not in err


# ---------------------------------------------------------------------- typed kingdoms


@pytest.mark.parametrize(
    "words",
    [
        [EXAMPLE],
        EXAMPLE.split(),
        [EXAMPLE.lower().replace("/", "\n")],
        ["line.txt"],
        ["./line.txt"],
    ],
)
def test_a_typed_kingdom_in_every_way(tmp_path, monkeypatch, kdscore, words):
    monkeypatch.chdir(tmp_path)
    Path("line.txt").write_text(EXAMPLE.replace("/", "\n") + "\n", encoding="utf-8")
    code, out, err = kdscore("kingdom", *words)
    assert (code, err) == (0, "")
    assert out.startswith("   a   b   c   d   e\n1  C   W1")
    assert "Total                   23   5x5\n" in out


def test_a_kingdom_that_begins_with_an_empty_place(kdscore):
    for words in (["- L1/C W"], ["-", "L1", "/", "C", "W"]):
        assert "Total                    1   5x5" in kdscore("kingdom", *words)[1]


def test_several_kingdoms_in_one_file_have_a_sheet_each(tmp_path, kdscore):
    (tmp_path / "kingdoms.txt").write_text("C W1 W/L L -\n\nC F1 F/F F -\n")
    code, out, _ = kdscore("kingdom", str(tmp_path / "kingdoms.txt"), "--json")
    assert code == 0
    assert [json.loads(line)["kingdoms"][0]["score"] for line in out.splitlines()] == [2, 4]


def test_a_guessed_size_is_named_and_guessed_again(tmp_path, kdscore):
    line = "W W C F F F/- - - - - F"
    first = kdscore("kingdom", line, "--json")[1]
    (tmp_path / "read.json").write_text(first)
    for words in ([line], [str(tmp_path / "read.json")]):
        found = json.loads(kdscore("kingdom", *words, "--json")[1])["kingdoms"][0]
        assert (found["size"], found["legal"]) == (7, None)
        assert [one["code"] for one in found["problems"]] == ["mighty-duel-guessed"]
        assert "taken for a Mighty Duel" in kdscore("kingdom", *words)[1]
    assert json.loads(kdscore("kingdom", line, "--size=7", "--json")[1])["kingdoms"][0]["legal"]


def test_what_a_kingdom_could_still_reach(kdscore):
    line = FULL[: FULL.rindex("W1 L")] + "- -"
    code, out, _ = kdscore("kingdom", line, "--best")
    assert code == 0
    assert f"The most that it can reach: {FULL_TOTAL} points, with 1 more domino:\n{FULL}" in out
    found = json.loads(kdscore("kingdom", line, "--best", "--json")[1].splitlines()[1])
    assert found == {
        "schema": "kdscore-best/1", "kingdom": FULL, "score": FULL_TOTAL, "dominoes": 1,
        "exact": True,
    }  # fmt: skip
    code, _, err = kdscore("kingdom", "C F M2", "--best")
    assert code == 2 and "cannot be cut into dominoes of the deck. Correct its squares." in err


def test_the_dominoes_of_a_typed_kingdom(kdscore):
    line = "C W F W1 L"
    text = kdscore("kingdom", "--dominoes", line)[1]
    assert "Dominoes: 2 of 2 are certain" in text
    assert "d1, e1   W1 L   no. 20               touched nothing that fitted when laid" in text
    assert "Dominoes" not in kdscore("kingdom", line)[1]
    (kingdom,) = json.loads(kdscore("kingdom", "--json", line)[1])["kingdoms"]
    assert [one["numbers"] for one in kingdom["dominoes"]] == [[13], [20]]
    assert [one["broken"] for one in kingdom["dominoes"]] == [0, 1]
    assert kingdom["problems"][0]["cells"] == [[0, 3], [0, 4]]


def test_the_centre_of_the_middle_kingdom_can_be_chosen(tmp_path, kdscore):
    line, play = "C W W/W - -", ("--middle-kingdom", "--json")
    totals = [
        json.loads(kdscore("kingdom", line, *play, *words)[1])["kingdoms"][0]["score"]
        for words in ([], ["--centre", "box"], ["--centre", "frame"])
    ]
    assert totals == [0, 0, 10]
    (tmp_path / "read.json").write_text(kdscore("kingdom", line, *play, "--centre=frame")[1])
    again = json.loads(kdscore("kingdom", str(tmp_path / "read.json"), "--json")[1])
    assert again["kingdoms"][0]["score"] == 10
    code, _, err = kdscore("kingdom", line, "--centre", "middle")
    assert code == 2 and "--centre is 'middle'. Write box or frame." in err


def test_two_duel_maps_are_compared(tmp_path, kdscore):
    empty = "/".join(["- - - - - - -"] * 2 + ["- - - C - - -"] + ["- - - - - - -"] * 2)
    one, other = tmp_path / "A.map", tmp_path / "B.map"
    one.write_text(empty.replace("C - -", "C D2 E").replace("/", "\n"))
    other.write_text(empty)
    code, out, _ = kdscore("duel", str(one), str(other))
    assert (code, out.splitlines()[-1]) == (0, "A wins, 2 to 0.")
    assert kdscore("duel", one.read_text(), empty)[1].splitlines()[-1] == "A wins, 2 to 0."
    assert "Total: 2" in kdscore("duel", *one.read_text().replace("\n", " / ").split())[1]


def test_the_help_shows_a_whole_map(kdscore):
    from kdvision.rules.duel.map import DuelMap, duel_problems

    lines = [line.strip() for line in kdscore("duel", "--help")[1].splitlines()]
    first = next(index for index, line in enumerate(lines) if line.startswith("- -"))
    assert duel_problems(DuelMap.parse("\n".join(lines[first : first + 5]))) == ()


def test_a_kingdom_from_standard_input(kdscore, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"C W1\n")))
    assert "Total                    1   5x5" in kdscore("kingdom", "-")[1]


def test_bonuses_and_size_of_a_typed_kingdom(kdscore):
    def total(*words: str) -> str:
        return re.search(r"Total +(\d+ +\dx\d)", kdscore("kingdom", FULL, *words)[1])[1]

    assert total() == f"{FULL_TOTAL}   5x5"
    assert total("--harmony") == f"{FULL_TOTAL + 5}   5x5"
    assert total("--harmony", "--middle-kingdom") == f"{FULL_TOTAL + 15}   5x5"
    assert total("--size", "7", "--harmony", "--middle-kingdom") == f"{FULL_TOTAL + 10}   7x7"


def test_what_a_typed_kingdom_breaks_is_reported(kdscore):
    code, out, _ = kdscore("kingdom", "C W1 -/- - F")
    assert code == 6
    assert "c2 is not joined to the castle" in out


def test_json_can_be_scored_again(tmp_path, kdscore):
    file = tmp_path / "results.json"
    file.write_text("\n".join(map(to_json, (PHOTO, DOUBTFUL_PHOTO))), encoding="utf-8")
    code, out, _ = kdscore("kingdom", str(file), "--json")
    assert code == 6
    assert from_json(out) == [PHOTO, DOUBTFUL_PHOTO]


def test_json_scored_again_is_doubtful_while_a_kingdom_may_be_missing(kdscore):
    note = Doubt(DoubtCode.TILES_LEFT_OUT, fields={"number": 6, "where": "where.top-left"})
    kingdom = replace(PHOTO.kingdoms[0], warnings=(note,))
    photo = PhotoResult.of_kingdoms("table.jpg", [kingdom])
    code, out, _ = kdscore("kingdom", to_json(photo), "--json", "--harmony")
    assert code == 6
    assert from_json(out)[0].reasons == (note.sentence,)


def test_an_edited_line_counts_as_typed(kdscore):
    text = to_json(DOUBTFUL_PHOTO).replace("S L1 L F -", "S L1 L1 F -", 1)
    code, out, _ = kdscore("kingdom", text)
    assert code == 0
    assert "Total                   28   5x5\n" in out


def test_json_that_powershell_wrote_is_read_back(tmp_path, kdscore):
    file = tmp_path / "read.json"
    file.write_bytes(kdscore("kingdom", "C W1 F", "--json")[1].encode("utf-16"))
    assert kdscore("kingdom", str(file)) == kdscore("kingdom", "C W1 F")


def test_a_photo_as_json_is_edited_and_scored_again(photos, kdscore, monkeypatch):
    """kdscore two.jpg --json | edit | kdscore kingdom -"""
    code, printed, _ = kdscore("two.jpg", "--json")
    assert code == 6
    edited = printed.replace('"kingdom": "C F1 W"', '"kingdom": "C F1 F"')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(edited.encode())))
    code, out, _ = kdscore("kingdom", "-", "--json")
    (result,) = from_json(out)
    first, second = result.kingdoms
    assert (code, result.photo) == (6, "two.jpg")
    assert (str(first.sheet.kingdom), first.sheet.total, first.probability) == ("C F1 F", 2, 1)
    assert second == TWO_KINGDOMS.kingdoms[1]
    edited = out.replace("S L1 L F -", "S L1 L1 F -", 1)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(edited.encode())))
    code, out, _ = kdscore("kingdom", "-")
    assert code == 0
    assert "Total                   28   5x5\n" in out


def test_json_of_a_photo_without_a_kingdom(kdscore):
    text = to_json(PhotoResult("x.jpg", Status.NO_KINGDOM, plain("No kingdom was found.")))
    assert kdscore("kingdom", text) == (4, "x.jpg: No kingdom was found.\n", "")


# ---------------------------------------------------------------------- other commands


def test_a_duel_map(kdscore):
    line = "- D1 S - - - -/- - - - - - -/- - - C - - -/- - - - - - -/- - - - - - -"
    code, out, _ = kdscore("duel", line)
    assert code == 0
    assert "Total: 1" in out
    assert json.loads(kdscore("duel", line, "--json", "--wizard-coat", "dot")[1])["score"] == 4


def test_standings(tmp_path, kdscore):
    file = tmp_path / "results.csv"
    file.write_text("player,score,largest,crowns\nAda,62,9,3\nBo,62,9,4\n", encoding="utf-8")
    code, out, _ = kdscore("standings", str(file))
    assert code == 0
    assert out.index("Bo") < out.index("Ada")
    assert json.loads(kdscore("standings", str(file), "--ties", "territory", "--json")[1])


# ---------------------------------------------------------------------- two ways to one request

LINES = [
    "a.jpg",
    "score a.jpg",
    "a.jpg b.jpg - --json",
    "--json a.jpg",
    "--overlay out --size 7 a.jpg --harmony",
    "--overlay=out --size=5 --middle-kingdom a.jpg",
    "--fix b3=W1 --fix=c4=- a.jpg",
    "--fix B.b3=W1 a.jpg",
    "--max-megapixels 12 --max-megabytes=3 a.jpg",
    "--overlay --json a.jpg",
    "--harmony -- --json",
    "--size 5 --size 7 a.jpg",
    "--csv -r a.jpg",
    "--recursive --no-harmony --harmony --no-middle-kingdom a.jpg",
]


@pytest.mark.parametrize("words", LINES)
def test_reading_with_and_without_typer_gives_the_same_request(words):
    seen = []

    @wraps(score.score)
    def record(**given) -> ExitCode:
        seen.append(given)
        return ExitCode.SURE

    program = typer.Typer()
    app.add_command(program, record, ())
    with pytest.raises(SystemExit) as end:
        program(line.with_command(words.split())[1:])
    assert end.value.code == 0
    photos, asked, game = line.plain_request(words.split())
    assert seen == [{"photos": photos, "asked": asked, "game": GameOptions.from_words(game)}]


@pytest.mark.parametrize(
    "words", ["", "--json", "kingdom C", "duel x", "a.jpg --help", "a.jpg --fix", "--no a.jpg",
             "a.jpg -h", "--json=1 a.jpg", "standings x", "--size"],
)  # fmt: skip
def test_all_other_lines_are_left_to_typer(words):
    assert line.plain_request(words.split()) is None


def test_both_ways_know_the_same_options():
    """Every option of Typer's `score` is read by the short way, into the same request."""
    command = typer.main.get_command(app.app).commands["score"]
    for param in command.params:
        for name in (*param.opts, *param.secondary_opts):
            if name.startswith("-"):
                value = [] if param.is_flag else ["1"]
                request = line.plain_request(["a.jpg", name, *value])
                assert request is not None and request[1:] != (Asked(), {}), name


def test_every_command_is_known_by_name():
    names = [info.name or info.callback.__name__ for info in app.app.registered_commands]
    assert sorted(names) == sorted(COMMANDS)


# ---------------------------------------------------------------------- the program


def test_help_is_quick_because_it_loads_nothing_heavy():
    code = (
        "import sys\nfrom kdvision.cli import main\nassert main.run(['--help']) == 0\n"
        "heavy = {'numpy', 'cv2', 'onnxruntime', 'PIL', 'scipy'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr.decode()
    assert b"kingdom" in done.stdout


def test_a_typed_kingdom_loads_no_picture_library():
    code = (
        "import sys\nfrom kdvision.cli import main\nassert main.run(['kingdom', 'C W1 W']) == 0\n"
        "heavy = {'numpy', 'cv2', 'onnxruntime', 'PIL', 'scipy'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr.decode()


def test_version(kdscore):
    assert kdscore("--version") == (0, f"kdscore {kdvision.__version__}\n", "")
    assert in_a_process("--version").stdout.decode().strip() == f"kdscore {kdvision.__version__}"


def test_without_words_there_is_help():
    done = in_a_process()
    assert b"Usage" in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_gets_no_message(tmp_path):
    file = tmp_path / "many.json"
    file.write_text("\n".join([to_json(PHOTO)] * 400), encoding="utf-8")
    command = f"{sys.executable} -m kdvision.cli.main kingdom {file} --json | head -c 100"
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, env=environment, timeout=PATIENCE_S
    )
    assert len(done.stdout) == 100
    assert done.stderr == b""


def test_letters_that_the_output_cannot_write_become_question_marks(tmp_path):
    done = in_a_process("Königreich.jpg", env={"PYTHONIOENCODING": "ascii"}, cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr.startswith(b"kdscore: K?nigreich.jpg does not exist.")


def test_colours_where_they_are_wanted():
    wanted = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": "80", "NO_COLOR": ""}
    assert b"\x1b[" in in_a_process("kingdom", EXAMPLE, env=wanted).stdout
    assert b"\x1b[" not in in_a_process("kingdom", EXAMPLE, env=wanted | {"NO_COLOR": "1"}).stdout
    assert b"\x1b[" not in in_a_process("kingdom", EXAMPLE, env=wanted | {"COLUMNS": "40"}).stdout
    ascii_only = wanted | {"PYTHONIOENCODING": "ascii"}
    assert b"\x1b[" not in in_a_process("kingdom", EXAMPLE, env=ascii_only).stdout


@pytest.mark.skipif(os.name == "nt", reason="needs pipes and devices")
@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "sparse.jpg"])
def test_hostile_files_end_with_a_sentence(tmp_path, name):
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "sparse.jpg").open("wb") as file:
        file.truncate(5 * 2**30)
    done = in_a_process(name, cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout == b""
    assert done.stderr.startswith(b"kdscore: ")
    assert done.stderr.count(b"\n") == 1


def test_two_typed_castles_are_a_mistake_with_its_place(kdscore):
    code, _, error = kdscore("kingdom", "C W/W C")
    assert code == ExitCode.USAGE
    assert "row 2" in error.lower()


def test_the_duel_option_is_named_as_in_the_rules(kdscore):
    code, out, _ = kdscore("duel", "--help")
    assert code == ExitCode.SURE
    assert "--wizard-coat" in out


def test_an_empty_map_file_asks_for_text(kdscore, tmp_path):
    empty = tmp_path / "map.txt"
    empty.write_text("")
    code, _, error = kdscore("duel", str(empty))
    assert code == ExitCode.USAGE
    assert "text" in error


def test_slips_of_a_first_evening(photos, kdscore):
    """Each met by a new user; the sentence says what to do."""
    assert kdscore("kingdom", "C W1 G/W W -", "-q")[:2] == (0, "3\n")
    code, _, err = kdscore("help")
    assert (code, err) == (2, "kdscore: For help: kdscore --help\n")
    code, _, err = kdscore("sure.jpg", "--overlay", "out.gif")
    assert code == 2
    assert err == (
        "kdscore: --overlay out.gif is of a kind that is not written. "
        "End its name in one of .jpg, .jpeg, .png, .webp.\n"
    )
    assert not Path("out.gif").exists()
    for command in ("kingdom", "duel"):
        code, _, err = kdscore(command, "sure.jpg")
        assert (code, err.split(". ", 1)[1]) == (
            2, "To score a photo, give kdscore its name alone.\n",
        )  # fmt: skip
    code, _, err = kdscore("verify", "sure.jpg")
    assert code == 2
    assert "picture, not a table" in err
    code, _, err = kdscore("sure.jpg", "--fix", "a1=")
    assert code == 2
    assert err.startswith("kdscore: 'a1=' is no correction of a square. Write the place, = and the")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["-"], 3, "standard input is empty"),
        (["kingdom", "-"], 2, "The kingdom line is empty"),
        (["play", "--against", "random"], 0, ""),
    ],
)
def test_a_closed_standard_input_holds_nothing(kdscore, monkeypatch, words, code, said):
    monkeypatch.setattr(sys, "stdin", None)
    ended, _, err = kdscore(*words)
    assert ended == code
    assert said in err and "unexpected" not in err


def test_a_user_without_a_home_has_no_configuration(kdscore, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "KDSCORE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as where nobody knows it
    assert kdscore("kingdom", FULL)[0] == 0


def test_a_file_of_defaults_may_begin_with_a_mark_of_windows(config, kdscore):
    config("\ufeffharmony = true\r\n")
    assert "harmony = true" in kdscore("config")[1]


def test_the_name_of_a_photo_cannot_move_the_cursor(photos, kdscore, monkeypatch):
    name = "red\x1b[31m.jpg"
    (photos / "sure.jpg").rename(photos / name)
    for words in ([name], [name, "-q"]):
        code, out, _ = kdscore(*words)
        assert code == 0
        assert out.startswith("red?[31m") and "\x1b" not in out
    assert json.loads(kdscore(name, "--json")[1])["photo"] == name


def test_a_kingdom_too_wide_for_the_sheet_in_colour_is_printed_whole(kdscore, monkeypatch):
    terminal_in_colour(monkeypatch)
    for width, in_colour in ((7, True), (8, False)):
        out = kdscore("kingdom", f"C W1 {'W ' * (width - 2)}")[1]
        assert ("\x1b" in out) is in_colour
        assert "…" not in out
        shown = re.sub(r"\x1b\[[0-9;]*m", "", out)
        assert re.search(rf"wheat +{width - 1} . 1 += +{width - 1}\b", shown)
