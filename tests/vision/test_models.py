"""Model files that are missing, damaged or foreign end with exit code 5 and the remedy."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kdvision.cli.main import run
from kdvision.errors import ExitCode, ModelError
from kdvision.rules.terrain import LABELS
from kdvision.vision.models import CHANNELS, SEAM_LABELS, load_model, model_folder, read_manifest
from tests.support.paths import ROOT

REMEDY = "Install kdvision again, or restore the folder models/ from the release."

#: A small ONNX file that can be opened: `y = Identity(rgb)`, bytes of shape (1,).
IDENTITY = bytes.fromhex(
    "08083a3b0a120a0372676212017922084964656e746974791201675a110a03726762120a0a080802"
    "12040a020801620f0a0179120a0a08080212040a02080142040a00100d"
)
#: The same of numbers in single precision, as models of other programs take.
FLOATS = IDENTITY.replace(b"\x0a\x08\x08\x02", b"\x0a\x08\x08\x01")


def identity_of(height: int, width: int) -> bytes:
    """The same of pictures of one size, (1, height, width, 3)."""
    return bytes.fromhex(
        "08083a470a120a0372676212017922084964656e746974791201675a1d0a0372676212160a14080212100a020801"
        f"0a0208{height:02x}0a0208{width:02x}"
        "0a020803620f0a0179120a0a08080212040a02080142040a00100d"
    )


def manifest(folder: Path, files: dict[str, bytes], **changes: object) -> None:
    """Write model files and a manifest that names them rightly, but for `changes` in each."""
    labels = {"grid": list(CHANNELS), "squares": list(LABELS), "seams": list(SEAM_LABELS)}
    entries = []
    for name, data in files.items():
        (folder / f"{name}.onnx").write_bytes(data)
        entry = {
            "name": name,
            "file": f"{name}.onnx",
            "sha256": hashlib.sha256(data).hexdigest(),
            "labels": labels[name],
        }
        entries.append(entry | changes)
    (folder / "manifest.json").write_text(json.dumps({"models": entries}), encoding="utf-8")


def changed_byte(folder: Path) -> None:
    data = bytearray((folder / "grid.onnx").read_bytes())
    data[len(data) // 2] ^= 1
    (folder / "grid.onnx").write_bytes(data)


def file_for_the_folder(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.touch()


def folder_for_the_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    (folder / "manifest.json").mkdir()


def without_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def without_model(folder: Path) -> None:
    (folder / "grid.onnx").unlink()


DAMAGED = "manifest.json is damaged."
OTHER_LABELS = "was made for other labels than this program's."
#: What can be wrong with the folder of models, and what is said of it.
SPOILED: dict[str, tuple[Callable[[Path], object], str]] = {
    "no folder": (shutil.rmtree, "manifest.json is missing."),
    "a file for the folder": (file_for_the_folder, "manifest.json is missing."),
    "no manifest": (without_manifest, "manifest.json is missing."),
    "a folder for the manifest": (
        folder_for_the_manifest,
        "manifest.json cannot be read: is a directory.",
    ),
    "no model file": (without_model, "missing or cannot be read."),
    "one changed bit": (changed_byte, "its checksum differs."),
}
LABELS_OF_GRID = json.dumps(list(CHANNELS))
#: What can be wrong with the text of the manifest: what stands there, and what in its place.
EDITED = {
    "a manifest that is no JSON": ("}]}", "", DAMAGED),
    "a manifest without checksums": ('"sha256"', '"md5"', DAMAGED),
    "a manifest without the model": ('"name": "grid"', '"name": "board"', "has no model 'grid'."),
    "no temperature": ('"name"', '"temperature": 0, "name"', DAMAGED),
    "other labels": (LABELS_OF_GRID, '["cat", "dog"]', OTHER_LABELS),
    "labels in another order": (LABELS_OF_GRID, json.dumps(list(CHANNELS)[::-1]), OTHER_LABELS),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of models that are whole, if of little use."""
    path = tmp_path / "models"
    path.mkdir()
    manifest(path, {"grid": IDENTITY, "squares": IDENTITY})
    return path


def test_models_that_are_whole_are_opened(folder: Path) -> None:
    session: Any = load_model("grid", folder).session
    assert [one.name for one in session.get_inputs()] == ["rgb"]
    options = session.get_session_options()
    assert (options.intra_op_num_threads, options.inter_op_num_threads) == (0, 1)
    assert options.log_severity_level == 4, "what is wrong is said by us"
    assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"
    assert load_model("squares", folder).temperature == 1.0


@pytest.mark.parametrize("data", [b"", b"no model", IDENTITY[:-9], IDENTITY[9:]])
def test_unopenable_model_names_the_needed_runtime(folder: Path, data: bytes, capfd) -> None:
    manifest(folder, {"grid": data})
    with pytest.raises(ModelError, match="cannot be opened by ONNX Runtime") as caught:
        load_model("grid", folder)
    (needed,) = re.findall(r"onnxruntime>=[\d.]+", caught.value.advice)
    assert needed in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert capfd.readouterr() == ("", "")


def test_models_of_other_input_are_refused(folder: Path) -> None:
    manifest(folder, {"grid": FLOATS})
    with pytest.raises(ModelError, match="made for another program's pictures") as caught:
        load_model("grid", folder)
    assert caught.value.exit_code is ExitCode.MODEL
    assert caught.value.advice == REMEDY


@pytest.mark.parametrize(
    ("name", "height", "width", "fits"),
    [
        ("squares", 64, 64, True),
        ("squares", 96, 96, False),
        ("squares", 64, 48, False),
        ("seams", 64, 48, True),
        ("seams", 48, 64, False),
        ("grid", 64, 64, False),  # photos have any size
    ],
)
def test_models_of_other_patch_size_are_refused(
    folder: Path, name: str, height: int, width: int, fits: bool
) -> None:
    manifest(folder, {name: identity_of(height, width)})
    if fits:
        assert load_model(name, folder).temperature == 1.0
    else:
        with pytest.raises(ModelError, match="made for another program's pictures"):
            load_model(name, folder)


def test_classifier_has_an_output_per_label(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    shutil.copytree(model_folder(), folder)
    listed = read_manifest(folder)["squares"].labels
    other = LABELS if len(listed) > len(LABELS) else (*LABELS, "?")

    path = folder / "manifest.json"
    content = json.loads(path.read_text("utf-8"))
    for entry in content["models"]:
        if entry["name"] == "squares":
            entry["labels"] = list(other)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ModelError, match="has other labels than the list of models says") as caught:
        load_model("squares", folder)
    assert caught.value.advice == REMEDY


def test_nothing_is_reported_to_anybody(tmp_path: Path) -> None:
    """ONNX Runtime would number the machine in a file of its own, and report every process."""
    quiet = ("CI", "ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME")
    environment = {name: text for name, text in os.environ.items() if name not in quiet}
    command = [sys.executable, "-m", "kdvision", "samples/corner.jpg"]
    subprocess.run(command, cwd=ROOT, env=environment | {"HOME": str(tmp_path)}, check=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("temperature", [1.0, 1.37])
def test_temperature_comes_from_the_manifest(folder: Path, temperature: float) -> None:
    manifest(folder, {"squares": IDENTITY}, temperature=temperature)
    assert load_model("squares", folder).temperature == temperature


@pytest.fixture
def refuses_models(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> Callable[[str], None]:
    """Check that the program ends with a sentence about the folder, and with the remedy."""
    monkeypatch.setenv("KDVISION_MODELS", str(folder))

    def check(sentence: str) -> None:
        photos = [f"{ROOT}/samples/{name}.jpg" for name in ("plus", "corner")]
        assert run([*photos, "--json"]) == ExitCode.MODEL
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("kdscore: The ")
        assert err.endswith(f"{sentence} {REMEDY}\n")
        assert err.count("\n") == 1

    return check


@pytest.mark.parametrize("kind", SPOILED)
def test_spoiled_models_end_with_code_5(folder: Path, kind: str, refuses_models) -> None:
    spoil, sentence = SPOILED[kind]
    spoil(folder)
    refuses_models(sentence)


@pytest.mark.parametrize("kind", EDITED)
def test_edited_manifest_ends_with_code_5(folder: Path, kind: str, refuses_models) -> None:
    old, new, sentence = EDITED[kind]
    path = folder / "manifest.json"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    refuses_models(sentence)
