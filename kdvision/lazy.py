"""Packages that give names of their modules, and load each when it is first used."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, names: Mapping[str, Sequence[str]]
) -> tuple[tuple[str, ...], Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` of a package.

    Args:
        package: The `__name__` of the package.
        names: The names that it gives, by the module that has them, named within the package.
    """
    homes = {name: module for module, given in names.items() for name in given}

    def load(name: str) -> Any:
        """Return what a name stands for."""
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return tuple(homes), load, lambda: sorted(homes)
