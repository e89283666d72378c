"""Errors of ours: a sentence, a remedy, an exit code."""

import pickle
from importlib import metadata

import pytest

from kdvision import errors
from kdvision.cli import console
from kdvision.errors import ExitCode, worst
from kdvision.logs import log_debug
from kdvision.sentences import Sentence, catalogue, join_sentences, languages
from tests.support.paths import SAMPLES
from tests.support.programs import python

EMPTY = Sentence("unreadable.empty")
NOTE = Sentence("advice.another-photo")
KINDS = {
    errors.SentenceError: 1,
    errors.UsageError: 2,
    errors.UnreadablePhotoError: 3,
    errors.NoKingdomError: 4,
    errors.ModelError: 5,
}


NO_TILES = Sentence("no-kingdom.found", {"shown": "no-kingdom.no-tiles"})


@pytest.mark.parametrize(
    ("error", "text", "reasons"),
    [
        (errors.ModelError("It is missing.", "Install it."), "It is missing. Install it.", ""),
        (errors.UsageError("Wrong."), "Wrong.", ""),
        # Advice that is given takes the place of that in the catalogue, which has none for notes.
        (errors.NoKingdomError(NOTE), NOTE.text(), ""),
        (errors.UnreadablePhotoError(EMPTY, NOTE), f"The file is empty. {NOTE.text()}", ""),
        (
            errors.UnreadablePhotoError(EMPTY, "Copy it.", photo="a.jpg", notes=[NOTE]),
            f"a.jpg is empty. {NOTE.text()} Copy it.",
            f"The file is empty. {NOTE.text()} Copy it.",
        ),
        # A name is a field, whatever it looks like; without one each sentence has its own noun.
        *(
            (errors.UnreadablePhotoError(EMPTY, "Copy it.", photo=name), f"{shown} Copy it.", "")
            for name, shown in (
                ("photo", "photo is empty."),
                ("a {0} b.jpg", "a {0} b.jpg is empty."),
                (errors.UNNAMED, "The file is empty."),
                (None, "The file is empty."),
            )
        ),
        (
            errors.NoKingdomError(NO_TILES, "Look."),
            "No kingdom was found in the photo: it shows no tiles of Kingdomino. Look.",
            "",
        ),
    ],
)
def test_error_text_has_notes_and_remedy(error, text, reasons):
    assert str(error) == text == f"{error.message} {error.advice}".strip()
    assert join_sentences(error.reasons) == reasons or not reasons
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), back.photo, str(back)) == (type(error), error.photo, text)


@pytest.mark.parametrize(("kind", "code"), KINDS.items())
def test_errors_have_codes_and_languages(kind, code):
    error = kind(EMPTY, photo="a.jpg", notes=[NOTE])
    assert error.exit_code == code
    assert error.text("de").startswith("a.jpg ist leer. ")
    assert join_sentences(error.reasons, "de").startswith(("Die Datei ist", "Das Foto ist"))
    for language in languages():
        note, advice = NOTE.text(language), catalogue(language)["unreadable.empty.advice"]
        assert error.text(language).endswith(f" {note} {advice}")


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        ([], 0), ([0, 0], 0), ([0, 6], 6), ([7, 0], 7), ([7, 6], 7), ([6, 4, 0], 4),
        ([4, 3, 6], 3), ([3, 2], 2), ([2, 3, 5], 5), ([3, 1, 5], 1),
    ],
)  # fmt: skip
def test_most_urgent_code_wins(codes, code):
    assert worst([ExitCode(each) for each in codes]) == code


def doubtful() -> ExitCode:
    return ExitCode.DOUBTFUL


def raising(error: BaseException):
    def work() -> ExitCode:
        raise error

    return work


@pytest.mark.parametrize(
    ("work", "code", "line"),
    [
        (doubtful, 6, ""),
        (raising(errors.UsageError("Wrong.", "Right it.")), 2, "kdscore: Wrong. Right it.\n"),
        (raising(errors.ModelError("Gone.")), 5, "kdscore: Gone.\n"),
        (raising(KeyboardInterrupt()), 130, "kdscore: Interrupted.\n"),
        (raising(errors.UsageError("One\nline\x1b[31m.")), 2, "kdscore: One line[31m.\n"),
    ],
)
def test_error_to_words(capsys, work, code, line):
    assert console.run_guarded(work) == code
    assert capsys.readouterr() == ("", line)


def test_debug_log_has_the_cause(caplog):
    with caplog.at_level("DEBUG", "kdvision"):
        log_debug("kdvision.vision", "%s: %d grids.", "a.jpg", 2)
    assert caplog.record_tuples == [("kdvision.vision", 10, "a.jpg: 2 grids.")]


def test_unexpected_error_asks_for_a_report(capsys):
    assert console.run_guarded(raising(ValueError("x" * 5000 + "\n"))) == ExitCode.UNEXPECTED
    _, line = capsys.readouterr()
    assert line.startswith("kdscore: Something unexpected happened (ValueError: xxx")
    assert "what is printed with -v" in line and line.count("\n") == 1 and len(line) < 700


@pytest.mark.parametrize(
    ("extra", "missing", "message"),
    [
        (
            "dask",
            ["distributed"],
            "It needs distributed. Install what is missing: pip install distributed",
        ),
        (
            "serve",
            ["python-multipart", "segno"],
            "It needs python-multipart and segno. "
            "Install what is missing: pip install python-multipart segno",
        ),
    ],
)
def test_missing_extra_names_all_packages(monkeypatch, extra, missing, message):
    def find_version(name: str) -> str:
        if name in missing:
            raise metadata.PackageNotFoundError
        return "1"

    monkeypatch.setattr(metadata, "version", find_version)
    assert str(errors.missing_extra("It", extra)) == message


@pytest.mark.parametrize(
    "program", ["kdvision.score_photo('x.jpg')", "import kdvision.cli.main as m; m.main()"]
)
def test_broken_opencv_has_a_remedy(tmp_path, program):
    (tmp_path / "cv2.py").write_text("raise ImportError('libGL.so.1: cannot open', name='cv2')")
    begin = f"import sys, kdvision; sys.path.insert(0, {str(tmp_path)!r})\n"
    done = python("-c", begin + program, "batch", SAMPLES, "-o", tmp_path / "results.csv")
    last = done.stderr.splitlines()[-1]
    assert "opencv-python-headless cannot be imported: libGL.so.1: cannot open. " in last
    assert last.endswith("pip install --force-reinstall opencv-python-headless")
    assert done.returncode == (2 if "main" in program else 1)
