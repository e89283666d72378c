"""Change every number that decides by a third, up and down, and see which test fails.

    python -m scripts.measuring.try_settings [--only NAME ...] [--workers 2] [--missed]

A number decides when its field says so: `Annotated[float, "kingdom"]`, `"sure"` or `"legal"`.
Each trial is a process of its own that changes the field of the one instance of its settings class
before anything else of kdvision is imported, and then runs the tests of that room, without real
photos, to the first failure. The exit status is 1 where a change fails no test, or where the tests
of a room fail with nothing changed.
"""

import argparse
import importlib
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_origin, get_type_hints

from msgspec.structs import force_setattr

from scripts.paths import ROOT

PACKAGE = ROOT / "kdvision"
FACTORS = (2 / 3, 4 / 3)
#: Tests of other rooms that a room's numbers are held by as well, by the room's instance.
ALSO = {
    "DOUBT": ["tests/pipeline/test_golden.py"],
    "DECODING": ["tests/pipeline/test_golden.py"],
}
#: Imported once before the trials are forked, as all tests need them.
HEAVY = ("numpy", "cv2", "PIL.Image", "onnxruntime", "pytest")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a settings class that decides something.

    Attributes:
        module: The full name of the module that holds the instance.
        instance: The name of the instance there.
        name: The field.
        decides: `kingdom`, `sure` or `legal`.
        value: What it is.
    """

    module: str
    instance: str
    name: str
    decides: str
    value: float

    def __str__(self) -> str:
        return f"{self.instance}.{self.name}"


@dataclass(frozen=True, slots=True)
class Trial:
    """Tests to run with a field at another value; as it is where the field is None."""

    targets: tuple[str, ...]
    field: Field | None = None
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the tests said: whether pytest ran at all, and the first that failed, if one did."""

    ran: bool
    failed: str = ""


def main() -> int:
    """Try them all, and print the table."""
    options = _options()
    found = [field for field in deciding() if _wanted(field, options.only)]
    rooms = sorted({targets(field) for field in found})
    trials = [Trial(room) for room in rooms]
    trials += [
        Trial(targets(field), field, moved(field.value, factor))
        for field in found
        for factor in FACTORS
    ]
    outcomes = dict(zip(trials, run(trials, options.workers, options.verbose), strict=True))
    broken = [trial for trial in trials if not trial.field and outcomes[trial] != Outcome(True)]
    for trial in broken:
        print(f"Fails with nothing changed: {outcomes[trial].failed or trial.targets}")
    lines = [_line(field, outcomes) for field in found]
    missed = [line for line in lines if "NOT CAUGHT" in line]
    print("| field | decides | value | times 2/3 | times 4/3 |\n|---|---|---|---|---|")
    print("\n".join(missed if options.missed else lines))
    caught = 2 * len(found) - sum(line.count("NOT CAUGHT") for line in missed)
    print(f"\n{len(found)} fields, {2 * len(found)} changes, {caught} caught.")
    return int(bool(missed or broken))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="such as GRID or DOUBT.blurred")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--missed", action="store_true", help="print only what is not caught")
    parser.add_argument("--verbose", action="store_true", help="name each trial as it ends")
    return parser.parse_args()


def _wanted(field: Field, only: Sequence[str]) -> bool:
    return not only or any(name in (field.instance, str(field)) for name in only)


def settings_modules() -> Iterator[str]:
    """The full names of the modules that define settings."""
    for path in sorted(PACKAGE.rglob("settings.py")):
        yield ".".join(path.relative_to(ROOT).with_suffix("").parts)


def deciding() -> Iterator[Field]:
    """Every field that decides: on a kingdom, on a sure total, or on a legal kingdom."""
    for module in settings_modules():
        for name, instance in vars(importlib.import_module(module)).items():
            if name.isupper() and type(instance).__module__ == module:
                for field, kind in get_type_hints(type(instance), include_extras=True).items():
                    if get_origin(kind) is Annotated:
                        value = getattr(instance, field)
                        yield Field(module, name, field, kind.__metadata__[0], value)


def targets(field: Field) -> tuple[str, ...]:
    """The tests that hold a setting: those of its stage, else of its room, its own first."""
    stage = field.instance.lower()
    room = ROOT / "tests" / Path(*field.module.split(".")[1:-1])
    every = sorted((room / stage if (room / stage).is_dir() else room).rglob("test_*.py"))
    own = [path for path in every if "settings" in path.stem or path.stem == f"test_{stage}"]
    rest = [path for path in every if path not in own]
    also = [ROOT / name for name in ALSO.get(field.instance, ()) if (ROOT / name).is_file()]
    return tuple(str(path.relative_to(ROOT)) for path in [*own, *also, *rest])


def moved(value: float, factor: float) -> float:
    """A value changed by a third; whole numbers stay whole, and change."""
    if not isinstance(value, int):
        return value * factor
    whole = round(value * factor)
    return whole if whole != value else value + (1 if factor > 1 else -1)


def run(trials: Sequence[Trial], workers: int, verbose: bool) -> Iterator[Outcome]:
    """The outcomes of trials, each in a process of its own."""
    for name in HEAVY:
        importlib.import_module(name)
    context = multiprocessing.get_context("fork")
    with context.Pool(workers, maxtasksperchild=1) as pool:
        for trial, outcome in zip(trials, pool.imap(_tried, trials, chunksize=1), strict=True):
            if verbose:
                what = f"{trial.field} = {trial.value:g}" if trial.field else trial.targets[0]
                print(f"{what}: {outcome.failed or outcome}", file=sys.stderr, flush=True)
            yield outcome


def _tried(trial: Trial) -> Outcome:
    """Run the tests of a trial in this process."""
    import pytest

    if trial.field:
        _refuse_users(getattr(sys.modules[trial.field.module], trial.field.instance))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.environ["KDVISION_DATA"] = "/nowhere"
    os.environ.pop("CI", None)
    os.chdir(ROOT)
    if trial.field:
        instance = getattr(sys.modules[trial.field.module], trial.field.instance)
        force_setattr(instance, trial.field.name, trial.value)
    recorder = _Recorder()
    quiet = ["-c", "pyproject.toml", "-x", "-q", "-p", "no:cacheprovider", "-n", "0", "--no-header"]
    code = pytest.main([*quiet, *trial.targets], plugins=[recorder])
    if trial.field:
        assert getattr(instance, trial.field.name) == trial.value
    return Outcome(code in (0, 1), recorder.failed)


def _refuse_users(instance: object) -> None:
    """Refuse a trial where code that may have used an instance was imported before the change."""
    for name, module in list(sys.modules.items()):
        mine = name.startswith("kdvision.") and not name.endswith(".settings")
        if mine and any(value is instance for value in vars(module).values()):
            raise RuntimeError(f"{name} was imported before its settings were changed")


class _Recorder:
    """Notes the first test that fails."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Called by pytest after each step of a test."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


def _line(field: Field, outcomes: dict[Trial, Outcome]) -> str:
    """One row of the table."""
    cells = []
    for factor in FACTORS:
        value = moved(field.value, factor)
        outcome = outcomes[Trial(targets(field), field, value)]
        caught = outcome.failed.removeprefix("tests/") or "NOT CAUGHT"
        cells.append(f"{value:.4g}: {caught if outcome.ran else 'NOT CAUGHT (tests do not run)'}")
    return f"| {field} | {field.decides} | {field.value:g} | {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
