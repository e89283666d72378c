"""Functions by what they are called."""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def by_name(*functions: Function) -> dict[str, Function]:
    """Return functions by their names, in words: `floor_tiles` is called "floor tiles"."""
    return {function.__name__.replace("_", " "): function for function in functions}
