"""The examples in the docstrings of the rules."""

import doctest
from importlib import import_module

import pytest

from tests.support.paths import ROOT

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "kdvision" / "rules").rglob("*.py"))
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_show(name):
    assert doctest.testmod(import_module(name)).failed == 0
