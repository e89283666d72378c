"""Frozen, slotted dataclasses that cost little to declare.

`dataclasses.dataclass(frozen=True)` writes six methods of every class as source and compiles each,
whenever a program starts: 70 classes took 30 ms, a fifth of the time in which a photo is scored.
`frozen` gives a class the same fields, and the same methods without compiling any. What comes out
is a dataclass: `fields`, `replace`, `asdict`, patterns and pickling know it, type checkers too
(PEP 681). Making an object takes a few microseconds longer, so what is made by the thousand stays
with `dataclass`.
"""

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")

_put = object.__setattr__


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, eq: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T] | None = None, /, *, eq: bool = True) -> Any:
    """Make a class a frozen, slotted dataclass.

    Args:
        cls: The class, with its fields as annotations, as for `dataclasses.dataclass`.
        eq: Whether two objects of equal fields are equal; else each equals itself alone, as must be
            where fields are arrays.
    """
    if cls is None:
        return lambda given: _declared(given, eq)
    return _declared(cls, eq)


def _declared(given: type[Any], eq: bool) -> type[Any]:
    own = vars(given)
    cls: Any = dataclass(init=False, repr=False, eq=False, slots=True)(given)
    names = tuple(one.name for one in fields(cls))
    cls.__init__ = _initialiser(cls, names)
    cls.__setattr__, cls.__delattr__ = _refuse_to_set, _refuse_to_delete
    cls.__getstate__, cls.__setstate__ = _state, _restore
    if "__repr__" not in own:
        cls.__repr__ = _text
    if eq and "__eq__" not in own:
        cls.__eq__, cls.__hash__ = _equal, _hash
    return cls  # type: ignore[no-any-return]


def _initialiser(cls: Any, names: tuple[str, ...]) -> Callable[..., None]:
    defaults = {one.name: one.default for one in fields(cls) if one.default is not MISSING}
    made = {
        one.name: one.default_factory for one in fields(cls) if one.default_factory is not MISSING
    }
    known = frozenset(names)
    finish = getattr(cls, "__post_init__", None)

    def initialise(self: Any, *args: Any, **named: Any) -> None:
        if len(args) > len(names):
            raise TypeError(f"{cls.__name__} has {len(names)} fields, not {len(args)}.")
        given = dict(zip(names, args, strict=False))
        if twice := given.keys() & named.keys() or named.keys() - known:
            raise TypeError(f"{cls.__name__} has each field once; see {', '.join(sorted(twice))}.")
        given |= named
        for name in names:
            if name in given:
                content = given[name]
            elif name in made:
                content = made[name]()
            elif name in defaults:
                content = defaults[name]
            else:
                raise TypeError(f"{cls.__name__} needs its field {name}.")
            _put(self, name, content)
        if finish is not None:
            finish(self)

    return initialise


def _compared(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, one.name) for one in fields(self) if one.compare)


def _equal(self: Any, other: object) -> bool:
    if other.__class__ is not self.__class__:
        return NotImplemented  # type: ignore[no-any-return]
    return bool(_compared(self) == _compared(other))


def _hash(self: Any) -> int:
    return hash(_compared(self))


def _text(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_to_set(self: object, name: str, content: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__dataclass_fields__]


def _restore(self: Any, state: list[Any]) -> None:
    for name, content in zip(self.__dataclass_fields__, state, strict=True):
        _put(self, name, content)
