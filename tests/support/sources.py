"""What the modules of a folder import, read from their sources."""

import ast
from collections.abc import Iterator
from pathlib import Path


def imports(path: Path) -> Iterator[str]:
    """The full names of the modules that a module imports, in functions and for types as well.

    `from kdvision.rules import Rules` gives `kdvision.rules`; from `kdvision` itself
    `from kdvision import score` gives `kdvision.score`.
    """
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            assert node.module
            if node.module == "kdvision":
                yield from (f"kdvision.{alias.name}" for alias in node.names)
            else:
                yield node.module


def imported(folder: Path) -> set[str]:
    """The first names of all modules that the modules of a folder import."""
    return {name.split(".")[0] for path in folder.rglob("*.py") for name in imports(path)}
