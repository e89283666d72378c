"""`kdscore doctor`: what is installed, and how fast this machine is."""

import platform
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

from kdvision import __version__
from kdvision.cli.config import config_file, config_text
from kdvision.cli.console import show
from kdvision.errors import ExitCode, ModelError, UsageError
from kdvision.vision.models import load_model, model_folder, read_manifest

_LIBRARIES = ("numpy", "cv2", "onnxruntime", "PIL", "pillow_heif", "simplejpeg", "msgspec")
#: The extras, each with the modules that it brings.
_EXTRAS = {
    "serve": ("starlette", "uvicorn", "python_multipart"),
    "xlsx": ("openpyxl",),
    "dask": ("distributed",),
}
#: A grey picture of this size, about that of a reduced phone photo, is scored so many times.
_WIDTH, _HEIGHT, _TIMES = 1600, 1200, 3

HELP = {
    "doctor": (
        "Examples:\n"
        "  kdscore doctor\n"
        "  KDVISION_MODELS=models/ kdscore doctor   the same with other models",
        "Ends with 5 when a model is missing or damaged.",
    )
}


def doctor() -> ExitCode:
    """Say what is installed: versions, models, formats, and the speed of this machine."""
    for line in _versions():
        show(line)
    code = ExitCode.SURE
    for name in ("grid", "squares", "seams"):
        line, fine = _model(name)
        show(line)
        code = code if fine else ExitCode.MODEL
    show(_line("formats", ", ".join(_formats())))
    show(_line("extras", ", ".join(_extras())))
    show(_line("configuration", _configuration()))
    if code is ExitCode.SURE:
        show(_line("speed", _speed()))
    return code


def _line(name: str, text: str) -> str:
    return f"{name:<15}{text}"


def _versions() -> Iterator[str]:
    yield _line("kdvision", __version__)
    yield _line("Python", f"{platform.python_version()} on {platform.platform()}")
    for name in _LIBRARIES:
        try:
            yield _line(name, str(import_module(name).__version__))
        except ImportError:
            yield _line(name, "missing")


def _model(name: str) -> tuple[str, bool]:
    """What is to say of a model, and whether it can be used."""
    folder = model_folder()
    try:
        load_model(name, None, threads=1)
        entry = read_manifest(folder)[name]
        size = (folder / entry.file).stat().st_size
    except (ModelError, KeyError, OSError) as error:
        return _line(f"model {name}", str(error)), False
    text = f"{folder / entry.file}, {size / 1000:.0f} kB, sha256 {entry.sha256[:12]}, fine"
    return _line(f"model {name}", text), True


def _formats() -> Iterator[str]:
    """Yield the formats that this installation reads, with the decoder of each."""
    yield "JPEG (simplejpeg)" if _is_installed("simplejpeg") else "JPEG (OpenCV)"
    yield from ("PNG (Pillow)", "WebP (OpenCV)")
    if _is_installed("pillow_heif"):
        yield "HEIC (pillow_heif)"
    if import_module("PIL.features").check("avif"):
        yield "AVIF (Pillow)"


def _extras() -> Iterator[str]:
    """Yield every extra, installed or not."""
    for name, modules in _EXTRAS.items():
        missing = [module for module in modules if not _is_installed(module)]
        yield f"{name} (missing: {', '.join(missing)})" if missing else name


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _configuration() -> str:
    """Return the configuration file, and what is wrong with it."""
    path = config_file()
    try:
        config_text()
    except UsageError as error:
        return str(error)
    return f"{path}{', fine' if path.is_file() else ' (not there)'}"


def _speed() -> str:
    """How long a picture without a kingdom takes, the best of a few times."""
    from kdvision.concurrency import cores
    from kdvision.errors import NoKingdomError
    from kdvision.pipeline.scorer import Scorer

    scorer = Scorer()
    numpy = import_module("numpy")
    grey = numpy.full((_HEIGHT, _WIDTH, 3), 128, numpy.uint8)
    best = float("inf")
    for _ in range(_TIMES):
        started = time.perf_counter()
        try:
            scorer.score(grey)
        except NoKingdomError:
            best = min(best, time.perf_counter() - started)
    number = "1 core" if cores() == 1 else f"{cores()} cores"
    return f"{1000 * best:.0f} ms for a picture of {_WIDTH} x {_HEIGHT} on {number}"
