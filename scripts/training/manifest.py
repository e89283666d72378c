"""The list of models, models/manifest.json: the lines that other scripts write into it."""

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import onnx


def enter(path: Path, labels: Sequence[str], temperature: float = 1.0) -> None:
    """Write the line of a model file anew, into the manifest beside it.

    Args:
        path: The .onnx file, which is called as its model.
        labels: What its outputs mean, in order.
        temperature: Divides the logits of a classifier.
    """
    sides = onnx.load(path).graph.input[0].type.tensor_type.shape.dim
    entry = {
        "name": path.stem,
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "input": [side.dim_param or side.dim_value for side in sides],
        "labels": list(labels),
        "temperature": temperature,
    }
    _put(path.parent, entry)


def copy_model(source: Path, name: str, folder: Path) -> None:
    """Copy a model file with its line of the manifest from one folder to another.

    Raises:
        KeyError: The manifest of `source` has no such model.
    """
    entry = _entries(source)[name]
    shutil.copyfile(source / entry["file"], folder / entry["file"])
    _put(folder, entry)


def set_temperature(folder: Path, name: str, temperature: float) -> None:
    """Change the temperature of a model.

    Raises:
        KeyError: The manifest has no such model.
    """
    _put(folder, _entries(folder)[name] | {"temperature": temperature})


def enter_trust(path: Path) -> None:
    """Write the line of the trust file anew, into the manifest beside it."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    _save(path.parent, {"trust": {"file": path.name, "sha256": digest}})


def _read(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    return dict(json.loads(path.read_text())) if path.exists() else {}


def _entries(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the lines of the models by name."""
    return {entry["name"]: entry for entry in _read(folder).get("models", [])}


def _put(folder: Path, entry: dict[str, Any]) -> None:
    """Write the line of a model."""
    entries = _entries(folder) | {entry["name"]: entry}
    _save(folder, {"models": [entries[name] for name in sorted(entries)]})


def _save(folder: Path, part: dict[str, Any]) -> None:
    """Write a part of the manifest."""
    manifest = _read(folder) | part
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
