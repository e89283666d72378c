"""Errors of ours: a sentence, a remedy, an exit code."""

import pickle

import pytest

from kdvision import errors
from kdvision.cli import console
from kdvision.errors import ExitCode, worst
from kdvision.result import Status
from kdvision.sentences import Sentence, catalogue, joined, languages
from tests.support.paths import ROOT

EMPTY, NOTE = Sentence("unreadable.empty"), Sentence("advice.another-photo")
KINDS = {
    errors.SentenceError: 1,
    errors.UsageError: 2,
    errors.UnreadablePhotoError: 3,
    errors.NoKingdomError: 4,
    errors.ModelError: 5,
}


def test_an_error_reads_as_sentence_and_remedy():
    assert str(errors.ModelError("The model is missing.", "Install it.")) == (
        "The model is missing. Install it."
    )
    assert str(errors.ModelError("The model is missing.")) == "The model is missing."
    assert errors.UsageError("Wrong.").advice == ""
    assert errors.NoKingdomError(NOTE).advice == ""


@pytest.mark.parametrize("kind", KINDS)
def test_errors_have_an_exit_code_and_travel_between_processes(kind):
    back = pickle.loads(pickle.dumps(kind(EMPTY, "What to do.", photo="a.jpg", notes=[NOTE])))
    assert (type(back), back.exit_code) == (kind, KINDS[kind])
    assert (back.message, back.advice) == (f"a.jpg is empty. {NOTE.text()}", "What to do.")
    assert back.photo == "a.jpg"


@pytest.mark.parametrize("photo", ["photo", "{photo}", "is", "a {0} b.jpg"])
def test_the_name_of_a_photo_is_a_field_of_its_error(photo):
    error = errors.UnreadablePhotoError(EMPTY, "Copy it again.", photo=photo)
    assert str(error) == f"{photo} is empty. Copy it again."
    assert joined(error.reasons) == "The file is empty. Copy it again."


@pytest.mark.parametrize("photo", [None, errors.UNNAMED])
def test_a_photo_without_a_name_is_named_as_each_sentence_needs(photo):
    shown = Sentence("no-kingdom.found", {"shown": "no-kingdom.no-tiles"})
    assert errors.NoKingdomError(shown, photo=photo).message == (
        "No kingdom was found in the photo: it shows no tiles of Kingdomino."
    )
    assert errors.UnreadablePhotoError(EMPTY, photo=photo).message == "The file is empty."
    text = errors.UnreadablePhotoError(Sentence("unreadable.text"), photo=photo)
    assert text.text("de").startswith("Die Datei ist Text, kein Foto.")


def test_an_error_is_said_in_every_language():
    error = errors.UnreadablePhotoError(EMPTY, photo="a.jpg", notes=[NOTE])
    assert error.text("de").startswith("a.jpg ist leer. ")
    assert joined(error.reasons, "de").startswith("Die Datei ist leer. ")
    for language in languages():
        note, advice = NOTE.text(language), catalogue(language)["unreadable.empty.advice"]
        assert error.text(language).endswith(f" {note} {advice}")


def test_the_advice_of_an_error_takes_the_place_of_that_in_the_catalogue():
    error = errors.UnreadablePhotoError(EMPTY, Sentence("unreadable.denied.advice"))
    assert error.advice == catalogue()["unreadable.denied.advice"]


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        ([], 0),
        ([0, 0], 0),
        ([0, 6], 6),
        ([7, 0], 7),
        ([7, 6], 6),
        ([6, 4, 0], 4),
        ([4, 3, 6], 3),
        ([3, 5], 5),
        ([3, 1, 5], 1),
    ],
)
def test_several_photos_end_with_the_code_that_asks_most_for_a_person(codes, code):
    assert worst([ExitCode(each) for each in codes]) == code


@pytest.mark.parametrize(
    ("status", "code"), [("sure", 0), ("doubtful", 6), ("no-kingdom", 4), ("unreadable", 3)]
)
def test_every_status_has_its_exit_code(status, code):
    assert Status(status).exit_code == code


def raising(error: BaseException):
    def work() -> ExitCode:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (errors.UsageError("Wrong.", "Right it."), 2, "kdscore: Wrong. Right it.\n"),
        (errors.ModelError("Gone."), 5, "kdscore: Gone.\n"),
        (KeyboardInterrupt(), 130, "kdscore: Interrupted.\n"),
        (errors.UsageError("One\nline\x1b[31m."), 2, "kdscore: One line [31m.\n"),
    ],
)
def test_the_one_place_that_turns_errors_into_words(capsys, error, code, line):
    assert console.guarded(raising(error)) == code
    assert capsys.readouterr() == ("", line)


def test_an_unexpected_error_says_how_to_report_it(capsys):
    assert console.guarded(raising(ValueError("x" * 5000 + "\n"))) == ExitCode.UNEXPECTED
    _, line = capsys.readouterr()
    assert line.startswith("kdscore: Something unexpected happened (ValueError: xxx")
    assert "KDVISION_DEBUG=1" in line
    assert line.count("\n") == 1
    assert len(line) < 700


def test_work_that_succeeds_keeps_its_code(capsys):
    assert console.guarded(lambda: ExitCode.DOUBTFUL) is ExitCode.DOUBTFUL
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("extra", "installed", "message"),
    [
        ("xlsx", [], "It needs openpyxl. In the folder of kdvision: pip install '.[xlsx]'"),
        (
            "serve",
            ["openpyxl", "uvicorn"],
            "It needs starlette and python-multipart. In the folder of kdvision: "
            "pip install '.[serve]'",
        ),
    ],
)
def test_all_that_is_missing_of_an_extra_is_named(monkeypatch, extra, installed, message):
    monkeypatch.setattr(errors, "find_spec", lambda name: name if name in installed else None)
    assert str(errors.missing_extra("It", extra)) == message
    assert errors.install_command(extra) in " ".join(
        path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md")
    )
