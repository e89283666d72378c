"""The wheel, installed away from the repository, is a whole program."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from kdvision import __version__
from kdvision.errors import ExitCode
from tests.support.paths import ROOT

#: Prints the folder that an environment's packages are installed into.
_OWN = "import sysconfig; print(sysconfig.get_path('purelib'))"

pytest.importorskip("hatchling", reason="the wheel is built with hatchling")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="needs symbolic links"),
]


def run(*words: str | Path, **options) -> subprocess.CompletedProcess:
    """A process without our repository in its way."""
    hidden = ("PYTHONPATH", "KDVISION_MODELS", "PIP_REQUIRE_VIRTUALENV")
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    environment |= options.pop("env", {})
    return subprocess.run(
        list(map(str, words)),
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
        **options,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = run(
        sys.executable, "-m", "pip", "wheel", ROOT, "--no-deps", "--no-build-isolation",
        "--quiet", "--disable-pip-version-check", "-w", folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return path


def test_wheel_holds_package_and_data_only(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    inside = {name for name in names if name.startswith("kdvision/")}
    info = f"kdvision-{__version__}.dist-info/"
    papers = ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    assert set(names) - inside == {f"{info}{name}" for name in papers}
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "kdvision").rglob("*.py")}
    models = {f"kdvision/models/{path.name}" for path in (ROOT / "models").iterdir()}
    assert modules <= inside
    kinds = (".css", ".csv", ".html", ".js", ".json", ".svg")
    data = [path for path in (ROOT / "kdvision").rglob("*") if path.suffix in kinds]
    assert {str(path.relative_to(ROOT)) for path in data} <= inside
    assert models <= inside
    assert {"kdvision/py.typed", "kdvision/rules/dominoes.txt"} <= inside
    assert wheel.stat().st_size < 4_000_000


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory) -> Path:
    """The folder of programs of a new environment, which borrows the libraries of this one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    programs = folder / "bin"
    done = run(
        sys.executable, "-m", "pip", "--python", programs / "python", "install", wheel,
        "--no-deps", "--no-index", "--quiet", "--disable-pip-version-check",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    packages = Path(run(programs / "python", "-c", _OWN).stdout.strip())
    # Behind our own folder come the libraries, but not what is installed for editing.
    borrowed = tmp_path_factory.mktemp("borrowed")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if "kdvision" not in path.name and path.suffix != ".pth":
            (borrowed / path.name).symlink_to(path)
    (packages / "borrowed.pth").write_text(f"{borrowed}\n")
    return programs


def test_program_runs_outside_the_repository(installed, tmp_path):
    done = run(installed / "kdscore", "--version", cwd=tmp_path)
    assert (done.stdout, done.stderr) == (f"kdscore {__version__}\n", "")
    where = "import kdvision; print(kdvision.__file__)"
    place = run(installed / "python", "-c", where, cwd=tmp_path).stdout
    assert Path(place.strip()).is_relative_to(installed.parent)
    line = "C W1 G G G/W W G2 - -/S L1 L F -/S L L L1 -/M2 - - - -"
    assert run(installed / "kdscore", "kingdom", line, cwd=tmp_path).returncode == 0


def test_program_scores_outside_the_repository(installed, tmp_path):
    if not (ROOT / "models" / "manifest.json").is_file():
        pytest.skip(f"there are no models in {ROOT / 'models'}")
    shutil.copy(ROOT / "samples" / "meadow_5x5.jpg", tmp_path / "my table.jpg")
    done = run(installed / "kdscore", "my table.jpg", cwd=tmp_path)
    assert done.returncode in (ExitCode.SURE, ExitCode.DOUBTFUL), done.stderr
    assert done.stdout.startswith("my table.jpg")
    assert "Total                                 75" in done.stdout
