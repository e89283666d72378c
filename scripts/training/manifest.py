"""The list of models, models/manifest.json: the lines that other scripts write into it."""

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def enter(
    path: Path, name: str, shape: Sequence[int | str], labels: Sequence[str], temperature: float
) -> None:
    """Write the line of a model file anew, into the manifest beside it.

    Args:
        path: The .onnx file.
        name: `grid` or `squares`.
        shape: Of its input.
        labels: What its outputs mean, in order.
        temperature: Divides the logits of a classifier.
    """
    entry = {
        "name": name,
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "input": list(shape),
        "labels": list(labels),
        "temperature": temperature,
    }
    _write(path.parent, [one for one in _entries(path.parent) if one["name"] != name] + [entry])


def copy_model(source: Path, name: str, folder: Path) -> None:
    """Copy a model file with its line of the manifest from one folder to another.

    Raises:
        KeyError: The manifest of `source` has no such model.
    """
    entries = {entry["name"]: entry for entry in _entries(source)}
    shutil.copyfile(source / entries[name]["file"], folder / entries[name]["file"])
    others = [entry for entry in _entries(folder) if entry["name"] != name]
    _write(folder, [*others, entries[name]])


def set_temperature(folder: Path, name: str, temperature: float) -> None:
    """Change the temperature of a model.

    Raises:
        KeyError: The manifest has no such model.
    """
    entries = _entries(folder)
    if name not in {entry["name"] for entry in entries}:
        raise KeyError(name)
    changed = [e | {"temperature": temperature} if e["name"] == name else e for e in entries]
    _write(folder, changed)


def _entries(folder: Path) -> list[dict[str, Any]]:
    return list(_read(folder).get("models", []))


def enter_trust(path: Path) -> None:
    """Write the line of the trust file anew, into the manifest beside it."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    _save(path.parent, _read(path.parent) | {"trust": {"file": path.name, "sha256": digest}})


def _read(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    return dict(json.loads(path.read_text())) if path.exists() else {}


def _write(folder: Path, entries: list[dict[str, Any]]) -> None:
    entries = sorted(entries, key=lambda entry: str(entry["name"]))
    _save(folder, _read(folder) | {"models": entries})


def _save(folder: Path, manifest: dict[str, Any]) -> None:
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
