"""The model files: found, checked against the manifest, and opened.

`models/manifest.json` names every file with its checksum, input size and labels. A file that is
missing, changed, or made for other labels is refused before it says anything.
"""

import hashlib
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import msgspec
from msgspec import Meta, Struct

from kdvision.errors import ModelError
from kdvision.logs import log_debug
from kdvision.reading import Colour
from kdvision.rules.terrain import LABELS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kdvision.arrays import Image

REMEDY = "Install kdvision again, or restore the folder models/ from the release."
#: The 19th label of a classifier that has one: too little of a place is seen to tell.
HIDDEN_MARK = "?"
#: The 20th: the log-odds that a plain paper lies on a tile.
PAPER_MARK = "paper"
#: What models take: RGB bytes, channels last; and height and width in pixels where these are set.
_INPUT = ("rgb", "tensor(uint8)")
PATCHES = {"squares": (64, 64), "seams": (64, 48), "colours": (48, 48)}
#: The planes of the grid network's output, in order.
CHANNELS = ("tile", "castle", "dx", "dy", "log_scale", "p_re", "p_im", "s_re", "s_im")
#: The output of the seam network: the logit that two places are one domino.
SEAM_LABELS = ("one",)
#: The output of the network of covers: the logit that a tile lies on a place and is covered.
COVER_LABELS = ("covered",)
#: The output of the network of obstructions: the logit that anything lies on a tile.
OBSTRUCTION_LABELS = ("obstructed",)
#: The output of the network of castles: a colour, or none.
COLOUR_LABELS = (*Colour, "none")
#: The oldest ONNX Runtime that opens the models; `pyproject.toml` has it, too.
LEAST_RUNTIME = "1.19"
_PACKAGE = Path(__file__).resolve().parents[1]

# From 1.29 on ONNX Runtime gives the machine a number, keeps a file in ~/.cache, and reports every
# process to its makers, unless this is set before it is imported.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


class Session(Protocol):
    """What is asked of an opened model: `onnxruntime.InferenceSession` has it."""

    def run(self, output_names: Any, input_feed: dict[str, Any], /) -> Sequence[Any]:
        """Return the outputs, all for None, for the inputs by name."""


class Model(Struct, frozen=True, eq=False):
    """An opened model.

    Attributes:
        session: What runs it.
        temperature: Divides the logits of a classifier before the softmax; fitted on what was not
            trained on.
    """

    session: Session
    temperature: float = 1.0

    def run(self, rgb: "Image") -> "NDArray[np.float32]":
        """Return what the model says of pictures (n, h, w, 3) RGB: its first output."""
        answer: NDArray[np.float32] = self.session.run(None, {"rgb": rgb})[0]
        return answer


class FileEntry(Struct, frozen=True):
    """A file that the manifest names."""

    file: str
    sha256: str


class ModelEntry(FileEntry, frozen=True, kw_only=True):
    """A model that the manifest names.

    `temperature` divides the logits of a classifier before the softmax.
    """

    name: str
    labels: tuple[str, ...]
    temperature: Annotated[float, Meta(gt=0)] = 1.0


class _Manifest(Struct, frozen=True):
    models: tuple[ModelEntry, ...]
    trust: FileEntry | None = None


def model_folder() -> Path:
    """Return where the models lie: in the installed package, or beside it in a checkout.

    `KDVISION_MODELS` names another folder.
    """
    if chosen := os.environ.get("KDVISION_MODELS"):
        return Path(chosen)
    installed = _PACKAGE / "models"
    return installed if installed.is_dir() else _PACKAGE.parent / "models"


def read_manifest(folder: Path) -> dict[str, ModelEntry]:
    """Read the models of `manifest.json` by name.

    Raises:
        ModelError: It is missing or not one of ours.
    """
    return {entry.name: entry for entry in _load_manifest(folder).models}


def read_trust_file(folder: Path) -> tuple[Path, bytes]:
    """Read the file that the manifest names for trust: its path, and what stands in it.

    Raises:
        ModelError: It is missing or damaged, or none is named.
    """
    if (entry := _load_manifest(folder).trust) is None:
        raise ModelError(f"The list of models in {folder} names no trust file.", REMEDY)
    return _read_checked(folder, entry, "trust file")


def _load_manifest(folder: Path) -> _Manifest:
    """Read `manifest.json`."""
    path = folder / "manifest.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Manifest)
    except (FileNotFoundError, NotADirectoryError):
        raise ModelError(f"The list of models {path} is missing.", REMEDY) from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise ModelError(f"The list of models {path} cannot be read: {why}.", REMEDY) from None
    except (ValueError, msgspec.MsgspecError):
        raise ModelError(f"The list of models {path} is damaged.", REMEDY) from None


def _read_checked(folder: Path, entry: FileEntry, kind: str) -> tuple[Path, bytes]:
    """Read a file of the manifest and check its checksum: its path, and what stands in it."""
    path = folder / entry.file
    try:
        data = path.read_bytes()
    except OSError:
        raise ModelError(f"The {kind} {path} is missing or cannot be read.", REMEDY) from None
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise ModelError(f"The {kind} {path} is damaged: its checksum differs.", REMEDY)
    return path, data


def load_model(name: str, folder: Path | None = None, *, threads: int = 0) -> Model:
    """Open a model of the manifest with ONNX Runtime.

    Args:
        name: `grid`, `squares`, `seams`, `colours`, `covers` or `obstructions`.
        folder: None takes `model_folder`.
        threads: Threads for one run; 0 leaves it to ONNX Runtime. The session of one thread can be
            used by many at a time.

    Raises:
        ModelError: The file is missing, damaged, or made for other labels.
    """
    folder = folder or model_folder()
    entries = read_manifest(folder)
    if name not in entries:
        raise ModelError(f"The list of models in {folder} has no model {name!r}.", REMEDY)
    entry = entries[name]
    path, data = _read_checked(folder, entry, "model")
    _check_labels(entry, path)
    log_debug(__name__, "model %s (%s).", path, entry.sha256[:12])
    return Model(_open_session(data, threads, path, entry), entry.temperature)


def _check_labels(entry: ModelEntry, path: Path) -> None:
    """Refuse a model that was made for other labels."""
    labels: dict[str, list[tuple[str, ...]]] = {
        "grid": [CHANNELS],
        "seams": [SEAM_LABELS],
        "colours": [COLOUR_LABELS],
        "covers": [COVER_LABELS],
        "obstructions": [OBSTRUCTION_LABELS],
    }
    of_squares = [LABELS, (*LABELS, HIDDEN_MARK), (*LABELS, HIDDEN_MARK, PAPER_MARK)]
    if entry.labels not in labels.get(entry.name, of_squares):
        raise ModelError(f"The model {path} was made for other labels than this program's.", REMEDY)


def _open_session(data: bytes, threads: int, path: Path, entry: ModelEntry) -> Session:
    """Open a model, and refuse one that takes or gives something else than ours."""
    import onnxruntime

    options = _make_options(threads)
    try:
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its checksum is right
        raise ModelError(
            f"The model {path} cannot be opened by ONNX Runtime {onnxruntime.__version__} "
            f"({type(error).__name__}).",
            f"Install one that can: pip install 'onnxruntime>={LEAST_RUNTIME}'",
        ) from None
    inputs = session.get_inputs()
    fixed = [side for item in inputs for side in item.shape[1:3] if isinstance(side, int)]
    fits = fixed in ([], [*PATCHES.get(entry.name, ())])
    if [(item.name, item.type) for item in inputs] != [_INPUT] or not fits:
        raise ModelError(f"The model {path} was made for another program's pictures.", REMEDY)
    shape = session.get_outputs()[0].shape
    if len(shape) > 1 and shape[1] != len(entry.labels):
        raise ModelError(f"The model {path} has other labels than the list of models says.", REMEDY)
    opened: Session = session
    return opened


@cache
def _make_options(threads: int) -> Any:
    """Make the options of ONNX Runtime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Photos come in many shapes: what is kept for each of them would add up.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    # Spinning threads of a single photo would only burn the cores that others need.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
