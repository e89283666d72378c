"""The program and its extras depend on what they import, and on nothing else."""

import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions

import pytest

from tests.support.paths import ROOT
from tests.support.sources import imported

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
#: The packages that are installed here, by the modules that they bring.
PROVIDERS = packages_distributions()
#: Extras for scripts and tests; the others are the program's.
OTHERS = {"train", "test", "browser", "dev", "docs"}
PROGRAM_EXTRAS = tuple(name for name in EXTRAS if name not in OTHERS)
OURS = {"kdvision", "scripts", "tests"}
#: Run as programs or as plugins, and imported by nobody.
TOOLS = {"pytest-xdist", "hatchling", "ruff", "mypy", "codespell", "pre-commit", "uv"}
#: What Starlette imports, for its test client and for forms, and we do not.
INDIRECT = {"httpx2", "python-multipart"}


def normal(name: str) -> str:
    """The name of a package as the index compares names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def packages(requirements: list[str]) -> set[str]:
    """The names in a list of requirements."""
    return {normal(re.split(r"[^A-Za-z0-9._-]", line)[0]) for line in requirements}


@cache
def used(folder: str) -> set[str]:
    """The packages of others whose modules a folder of ours imports.

    A package that is not installed here (`train` need not be) is taken to be called as its module.
    """
    names = imported(ROOT / folder) - sys.stdlib_module_names - OURS
    return {normal(PROVIDERS.get(name, [name])[0]) for name in names}


def needed(*extras: str) -> set[str]:
    """The packages that come with the program and some extras."""
    return packages(PROJECT["dependencies"]).union(*(packages(EXTRAS[name]) for name in extras))


def test_dependencies_are_what_is_imported():
    optional = set().union(*(packages(EXTRAS[name]) for name in PROGRAM_EXTRAS))
    assert packages(PROJECT["dependencies"]) == used("kdvision") - optional
    assert not packages(PROJECT["dependencies"]) & optional


@pytest.mark.parametrize("extra", PROGRAM_EXTRAS)
def test_extras_bring_only_what_is_imported(extra):
    assert packages(EXTRAS[extra]) - INDIRECT <= used("kdvision")


def test_scripts_find_their_packages():
    assert used("scripts") <= needed("train", "test", "browser")
    assert packages(EXTRAS["train"]) <= used("scripts") | used("tests")


def test_tests_find_their_packages():
    assert used("tests") <= needed("test", "train", "browser")
    assert packages(EXTRAS["test"]) - TOOLS - INDIRECT <= used("tests") | used("kdvision")
    assert packages(EXTRAS["dev"]) <= TOOLS
