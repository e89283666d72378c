"""One word, one meaning: no file has a word that the glossary of docs/architecture.md rules out."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import documents
from tests.support.paths import ROOT

GLOSSARY = (ROOT / "docs" / "architecture.md").read_text("utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| [^|]+ \| [^|]+ \| ([a-z, ]+) \|$", GLOSSARY, re.MULTILINE)
#: The words that lost, each with those that are said in their place.
LOST = {lost: word for word, losers in ROWS for lost in losers.split(", ") if word != "word"}
#: Where a word that lost has another meaning, which is the field's own.
ALLOWED = {
    # The confidence of a statistical bound.
    ("scripts/measuring/fitting/trust_fit.py", "confidence"),
    ("docs/accuracy.md", "confidence"),
    ("models/README.md", "confidence"),
    # A key of the JSON, which programs read.
    ("kdvision/reading.py", "center"),
    ("kdvision/result.py", "center"),
    ("docs/json.md", "center"),
}
MODULES = sorted([*(ROOT / "kdvision").rglob("*.py"), *(ROOT / "scripts").rglob("*.py")])
OTHERS = ("CONTRIBUTING.md", "CHANGELOG.md", "models/README.md", "samples/README.md")
PAGES = [*documents.pages(), *(ROOT / name for name in OTHERS)]


def find_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module gives: of classes, functions, parameters, fields, variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def split(text: str) -> set[str]:
    """Return the words of a text, or of names; plurals as well without their s."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    words = set(re.findall(r"[a-z]+", apart.lower()))
    return words | {word.removesuffix("s") for word in words}


def find_lost(path: Path, text: str) -> set[str]:
    """Return the words of a text that lost, but for those that are allowed there."""
    where = path.relative_to(ROOT).as_posix()
    allowed = {word for place, word in ALLOWED if place == where}
    return (split(text) & LOST.keys()) - allowed


def test_glossary_has_some_25_words() -> None:
    assert len(ROWS) >= 25
    assert LOST["biome"] == "terrain"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module_names_avoid_lost_words(path: Path) -> None:
    names = find_names(ast.parse(path.read_text("utf-8")))
    assert find_lost(path, " ".join([path.stem, *names])) == set()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_avoid_lost_words(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    if path.name == "architecture.md":
        # The glossary itself names them.
        lines = [line for line in lines if not re.match(r"\| .+ \| .+ \| .+ \| .+ \|$", line)]
    assert find_lost(path, " ".join(lines)) == set()


def test_sentences_avoid_lost_words() -> None:
    path = ROOT / "kdvision" / "sentences" / "en.json"
    assert find_lost(path, " ".join(json.loads(path.read_text("utf-8")).values())) == set()
