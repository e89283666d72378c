"""Lines of tables: what people say of one kingdom of one photo.

`SheetLine` is the one record of it, for `batch`, `verify`, `standings`, the desk and score slips.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from kdvision.columns import (
    ENTRY_COLUMNS,
    WHO,
    Acceptance,
    Fields,
    acceptance,
    fixes_of,
    game_options,
    letter,
    number,
)
from kdvision.corrections import FixPlace
from kdvision.errors import UsageError
from kdvision.options import DEFAULT_OPTIONS, GameOptions
from kdvision.report.text.table import printable

_T = TypeVar("_T")


class SheetLine(Struct, frozen=True, kw_only=True):
    """What a line says of one kingdom of one photo.

    Attributes:
        number: The number of the line in its table, from 1; 0 where there is no table.
        player: Whose kingdom it is; empty where the line does not say.
        game: The table at which it was played, by its name.
        round: The round, by its name.
        claimed: The total that was counted by hand; None where none was, or none can be read.
        photo: The name of the photo, or of several, as the line has it.
        letter: The kingdom of the photo; empty where the line names none.
        accepted: The total that a person chose; None where nobody did.
        fixes: The squares that a person corrected.
        options: The options that it is scored by.
        problem: What is wrong with the line, in a sentence; empty where nothing is.
        said: The fields that people wrote, by column.
    """

    number: int = 0
    player: str = ""
    game: str = ""
    round: str = ""
    claimed: int | None = None
    photo: str = ""
    letter: str = ""
    accepted: Acceptance | None = None
    fixes: Mapping[FixPlace, str] = msgspec.field(default_factory=dict)
    options: GameOptions = DEFAULT_OPTIONS
    problem: str = ""
    said: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def place(self) -> tuple[str, str]:
        """The round and the game."""
        return self.round, self.game

    @property
    def name(self) -> str:
        """What messages call the line: `line 4 (Anna)`; the player alone without a number."""
        if not self.number:
            return self.player or "this line"
        return f"line {self.number}{f' ({self.player})' if self.player else ''}"

    @property
    def who(self) -> dict[str, str]:
        """Whose kingdom it is, by the columns `WHO` that are known."""
        return {column: self.said[column] for column in WHO if self.said.get(column)}


def line_from_fields(
    fields: Fields, line_number: int = 0, options: GameOptions = DEFAULT_OPTIONS
) -> SheetLine:
    """Read a line; what is wrong with it stands in `problem`, and all the rest is read.

    Args:
        fields: The texts by column.
        line_number: Its number in the table.
        options: The options where the line names none.
    """
    problems: list[str] = []

    def read(reader: Callable[[], _T], default: Any = None) -> _T:
        try:
            return reader()
        except (ValueError, UsageError) as error:
            problems.append(str(error))
            return default  # type: ignore[no-any-return]

    said = {name: printable(fields[name]) for name in ENTRY_COLUMNS if fields.get(name)}
    named = read(lambda: letter(fields), "")
    fixes = read(lambda: fixes_of(fields, named), {})
    of_fixes = {place[0] for place in fixes if isinstance(place[0], str)}
    return SheetLine(
        number=line_number,
        player=said.get("player", ""),
        game=said.get("game", ""),
        round=said.get("round", ""),
        claimed=read(lambda: number(fields, "claimed")),
        photo=fields.get("photo", ""),
        letter=named or (min(of_fixes) if len(of_fixes) == 1 else ""),
        accepted=read(lambda: acceptance(fields)),
        fixes=fixes,
        options=read(lambda: game_options(fields, options), options),
        problem=problems[0] if problems else "",
        said=said,
    )
