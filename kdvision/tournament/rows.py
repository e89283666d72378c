"""One row of a sheet: what people say of one kingdom, read from their cells."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import FixPlace
from kdvision.errors import UsageError
from kdvision.options import read_rules
from kdvision.reading import Colour
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.rules import DEFAULT_RULES, Rules
from kdvision.sentences import Sentence
from kdvision.tournament.cells import (
    Value,
    read_colour,
    read_fixes,
    read_letter,
    read_number,
    show_value,
)
from kdvision.tournament.columns import RULES, Column, fold, fold_name

#: The names of rows that add others up.
_SUM_NAMES = {"sum", "summe", "total", "totals", "gesamt", "gesamtsumme", "somme", "zwischensumme"}

_T = TypeVar("_T")


class Row(Struct, frozen=True, kw_only=True, dict=True):
    """What one row of a sheet says of one kingdom.

    Attributes:
        position: Which row of its file it is, from 1; 0 where it stands in none.
        sheet: The sheet that it stands in; empty where only one is read.
        columns: The columns of people.
        values: Their cells, one for each column.
        photo: The name of the photo; like the next six it is empty where the row does not say.
        player: Whose kingdom it is.
        number: What makes the player unique.
        game: The table at which it was played.
        round: The round.
        note: What a person noted.
        letter: The letter of the kingdom in the photo.
        colour: That of the castle; None where the row does not say.
        claimed: The total that was counted by hand; None where none was, or none can be read.
        accept: The total that a person decided on; None where nobody did.
        fixes: The squares that a person corrected.
        rules: The rules that it is scored by.
        reading: The kingdom that an earlier run read, where the row stands in results.
        found: The cells of the program by their headings, where the row stands in results.
        problems: What is wrong with cells, by column; the rest of the row is read.
    """

    position: int = 0
    sheet: str = ""
    columns: tuple[Column, ...] = ()
    values: tuple[Value, ...] = ()
    photo: str = ""
    player: str = ""
    number: str = ""
    game: str = ""
    round: str = ""
    note: str = ""
    letter: str = ""
    colour: Colour | None = None
    claimed: int | None = None
    accept: int | None = None
    fixes: Mapping[FixPlace, str] = msgspec.field(default_factory=dict)
    rules: Rules = DEFAULT_RULES
    reading: Kingdom | None = None
    found: Mapping[str, str] = msgspec.field(default_factory=dict)
    problems: Mapping[str, Sentence] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, cells: Mapping[str, str], rules: Rules = DEFAULT_RULES, **fields: Any) -> "Row":
        """Read a row from texts by our names of columns; see `read`."""
        columns = [Column(name, name) for name in cells]
        return cls.read(columns, tuple(cells.values()), rules, **fields)

    @classmethod
    def read(
        cls,
        columns: Sequence[Column],
        values: Sequence[Value],
        rules: Rules = DEFAULT_RULES,
        **fields: Any,
    ) -> "Row":
        """Read a row from its cells; what is wrong with one stands in `problems`.

        Args:
            columns: The columns of people.
            values: Their cells.
            rules: Those that hold where the row names none.
            fields: The fields of the row that are no words of people: its position and sheet, and
                what the program had found.
        """
        cells: dict[str, str] = {}
        headings: dict[str, str] = {}
        for column, value in zip(columns, values, strict=True):
            if column.name:
                cells[column.name] = show_value(value)
                headings[column.name] = column.heading
        problems: dict[str, Sentence] = {}

        def read_cell(name: str, reader: Callable[[str], _T], default: _T) -> _T:
            try:
                return reader(cells.get(name, ""))
            except UsageError as error:
                problem = error.reasons[0]
                named = dict(problem.fields, heading=headings.get(name, name))
                problems[name] = replace(problem, fields=named)
                return default

        letter = read_cell("kingdom", read_letter, "")
        fixes = read_cell("fix", partial(read_fixes, letter=letter), dict[FixPlace, str]())
        # A row whose corrections name one kingdom is about that one.
        letters = {place.kingdom for place in fixes} - {""}
        if len(letters) == 1:
            letter = letters.pop()
        for name in RULES:
            rules = read_cell(name, partial(_read_rule, name=name, rules=rules), rules)
        return cls(
            columns=tuple(columns),
            values=tuple(values),
            photo=cells.get("photo", ""),
            number=cells.get("number", ""),
            game=cells.get("game", ""),
            round=cells.get("round", ""),
            note=cells.get("note", ""),
            player=" ".join(cells.get("player", "").split()),
            letter=letter,
            colour=read_cell("colour", read_colour, None),
            claimed=read_cell("claimed", read_number, None),
            accept=read_cell("accept", read_number, None),
            fixes=fixes,
            rules=rules,
            problems=problems,
            **fields,
        )

    @property
    def player_key(self) -> str:
        """The key of the player: the number where there is one, else the name."""
        return f"#{fold_name(self.number)}" if self.number else fold_name(self.player)

    @property
    def game_key(self) -> tuple[str, str]:
        """The round and the game, whichever way they are written."""
        return fold_name(self.round), fold_name(self.game)

    @property
    def player_in_game(self) -> tuple[str, tuple[str, str]]:
        """The player in a game: who, and where."""
        return self.player_key, self.game_key

    @property
    def reference(self) -> str:
        """Where it stands: `7`, or `day.csv:7` where several sheets are read."""
        return f"{self.sheet}:{self.position}" if self.sheet else str(self.position)

    @property
    def label(self) -> str:
        """What messages call it: `7 (Ann)`; `day.csv:7 (Ann)` where several sheets are read."""
        return f"{self.reference} ({self.player})" if self.player else self.reference

    def has_column(self, name: str) -> bool:
        """Tell whether its sheet has a column of ours."""
        return any(column.name == name for column in self.columns)

    @cached_property
    def is_sum(self) -> bool:
        """Whether it adds others up: `Summe`, `Total:`."""
        return not self.photo and fold(self.player) in _SUM_NAMES

    @property
    def is_withdrawn(self) -> bool:
        """Whether its player plays no more: there is no photo and no total, but a note."""
        is_blank = not self.photo and self.claimed is None and self.accept is None
        return is_blank and bool(self.player_key and self.note) and not self.problems

    @property
    def has_kingdom(self) -> bool:
        """Whether it is about a kingdom."""
        return not (self.is_sum or self.is_withdrawn)


def _read_rule(text: str, name: str, rules: Rules) -> Rules:
    """Return rules with one that a cell names."""
    return read_rules({name: text}, over=rules)
