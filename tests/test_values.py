"""`frozen` against `dataclass(frozen=True, slots=True)`: the same class, made without compiling."""

import copy
import pickle
import subprocess
import sys
from dataclasses import (
    FrozenInstanceError,
    asdict,
    dataclass,
    field,
    fields,
    is_dataclass,
    replace,
)
from typing import Any

import pytest

from kdvision.values import frozen
from tests.support.paths import ROOT


@frozen
class Tile:
    """A class of our kind."""

    name: str
    crowns: int = 0
    marks: list[str] = field(default_factory=list, compare=False)
    hidden: str = field(default="", repr=False)

    @property
    def points(self) -> int:
        return 2 * self.crowns


Ours = Tile


@dataclass(frozen=True, slots=True)
class Tile:  # type: ignore[no-redef]  # of one name, as it stands in texts
    """The same, by the standard library."""

    name: str
    crowns: int = 0
    marks: list[str] = field(default_factory=list, compare=False)
    hidden: str = field(default="", repr=False)


Theirs: Any = Tile


@frozen
class Checked:
    """A class that checks its fields, and has a text of its own."""

    share: float

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ValueError("a share is from 0 to 1")

    def __repr__(self) -> str:
        return f"{self.share:.0%}"


@frozen(eq=False)
class Apart:
    """A class whose objects equal themselves alone."""

    values: list[int]


@pytest.mark.parametrize(
    "make",
    [
        lambda cls: cls("W"),
        lambda cls: cls("W", 2),
        lambda cls: cls("W", crowns=1, marks=["x"]),
        lambda cls: cls(hidden="h", name="G"),
        lambda cls: replace(cls("W", 1), crowns=3),
        lambda cls: copy.copy(cls("W", 1)),
    ],
)
def test_objects_are_those_of_a_dataclass(make: Any) -> None:
    ours, theirs = make(Ours), make(Theirs)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert asdict(ours) == asdict(theirs)
    assert hash(ours) == hash(theirs)
    assert [one.name for one in fields(ours)] == [one.name for one in fields(theirs)]
    assert ours == make(Ours)
    assert ours != theirs


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ((), {}),
        (("W", 1, [], "", 5), {}),
        (("W",), {"name": "G"}),
        (("W",), {"colour": "red"}),
        ((), {"crowns": 1}),
    ],
)
def test_what_a_dataclass_refuses_is_refused(args: Any, named: Any) -> None:
    for cls in (Ours, Theirs):
        with pytest.raises(TypeError):
            cls(*args, **named)


def test_what_is_equal() -> None:
    assert Ours("W", 1, ["x"]) == Ours("W", 1, ["y"])
    assert Ours("W", 1) != Ours("W", 2)
    assert Ours("W").marks is not Ours("W").marks
    assert Apart([1]) != Apart([1])
    assert is_dataclass(Ours)
    assert Ours("W", 3).points == 6


def test_nothing_can_be_changed() -> None:
    tile = Ours("W")
    for name in ("name", "colour"):
        with pytest.raises(FrozenInstanceError):
            setattr(tile, name, "G")
        with pytest.raises(FrozenInstanceError):
            delattr(tile, name)
    assert not hasattr(tile, "__dict__")


def test_fields_are_checked_and_own_methods_stay() -> None:
    assert repr(Checked(0.5)) == "50%"
    with pytest.raises(ValueError, match="share"):
        replace(Checked(0.5), share=2.0)


def test_it_travels_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(Checked(0.25))) == Checked(0.25)


def test_it_costs_a_fraction_of_compiling() -> None:
    code = (
        "import dataclasses, time\n"
        "from kdvision.values import frozen\n"
        "def cost(make):\n"
        "    body = {'__annotations__': dict.fromkeys('abcdef', int), '__doc__': 'x'}\n"
        "    spent = []\n"
        "    for _ in range(20):\n"
        "        cls = type('A', (), dict(body)); began = time.process_time_ns()\n"
        "        make(cls); spent.append(time.process_time_ns() - began)\n"
        "    return min(spent)\n"
        "print(cost(frozen) / cost(dataclasses.dataclass(frozen=True, slots=True)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < 0.5
