"""Settings with other values for the time of a test."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec


@contextmanager
def changed(settings: msgspec.Struct, **values: object) -> Iterator[None]:
    """Have the one instance of a settings class hold other values, by the names of its fields."""
    before = {name: getattr(settings, name) for name in values}
    try:
        for name, value in values.items():
            msgspec.structs.force_setattr(settings, name, value)
        yield
    finally:
        for name, value in before.items():
            msgspec.structs.force_setattr(settings, name, value)
