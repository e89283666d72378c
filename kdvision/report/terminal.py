"""Kingdoms in colour, for a terminal: score sheets, and games that are played.

Every tile has its own background, so that dark and light terminals show the same; all else is
written in the terminal's own colours. Nothing is wider than 80 columns. Without colours the same is
written in letters: every tile says its terrain and crowns.
"""

from collections.abc import Sequence
from typing import Literal, Unpack

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from kdvision.report.palette import DOUBT_COLOUR, TERRAIN_PAINTS, Paint, paint_of
from kdvision.report.text import printable
from kdvision.report.wording import (
    KingdomSheet,
    closing_line,
    doubtful_cells,
    photo_notes,
    sheets_of,
)
from kdvision.result import PhotoResult, Status
from kdvision.rules.game.laying import Land
from kdvision.rules.game.state import GameState
from kdvision.rules.kingdom import Cell, Kingdom, Position, cell_text, column_name
from kdvision.rules.scoring import InPlay
from kdvision.rules.terrain import Square
from kdvision.sentences import text_of

#: A tile in characters; about square on most terminals.
_TILE_WIDTH = 5
#: The glyph for a crown.
CROWN = "\u265b"

_DOUBT_STYLE = Style(color="#ffffff", bgcolor=DOUBT_COLOUR, bold=True)
_STATUS_STYLES = {Status.SURE: "bold green", Status.DOUBTFUL: "bold yellow"}
_NOTE_STYLES = {"doubt": "yellow", "problem": "red", "warning": "yellow", "advice": "bold"}
_NOTE_MARKS = {"doubt": "?", "problem": "!", "warning": "!", "advice": ">"}


def terminal_report(result: PhotoResult) -> Group:
    """All sheets of one photo, to be printed with rich on a terminal that knows colours."""
    parts = [_sheet(sheet) for sheet in sheets_of(result)]
    for lines, style in (
        (photo_notes(result), "yellow"),
        ([closing_line(result)], "bold"),
    ):
        if any(lines):
            parts.append(Group(Padding(Text("\n".join(lines), style), (0, 1, 1, 1))))
    return Group(*parts)


def tiles(kingdom: Kingdom, doubtful: frozenset[Position], origin: Position = (0, 0)) -> Text:
    """A kingdom as coloured tiles of two lines: the terrain's letter, and its crowns.

    `origin` is the position by which the top left place is named.
    """
    columns = range(origin[1], origin[1] + kingdom.width)
    letters = (f"{column_name(col):^{_TILE_WIDTH}}" for col in columns)
    text = Text.assemble(("    " + "".join(letters), "dim"))
    for row, cells in enumerate(kingdom.rows):
        text.append(f"\n {row + origin[0] + 1:>2} ", "dim")
        for col, cell in enumerate(cells):
            paint, doubt = paint_of(cell), (row, col) in doubtful
            letter = f"{'' if cell is None else str(cell)[0]:^{_TILE_WIDTH}}"
            text.append(letter[: _TILE_WIDTH - doubt], _style(paint))
            if doubt:
                text.append("?", _DOUBT_STYLE)
        text.append("\n    ")
        for cell in cells:
            paint = paint_of(cell)
            crowns = CROWN * cell.crowns if isinstance(cell, Square) else ""
            text.append(f"{crowns:^{_TILE_WIDTH}}", _style(paint, "crown"))
    return text


def _style(paint: Paint | None, part: Literal["ink", "crown"] = "ink") -> Style:
    if paint is None:
        return Style()
    return Style(color=getattr(paint, part), bgcolor=paint.fill, bold=True)


def _sheet(sheet: KingdomSheet) -> Group:
    result = sheet.result
    body = Table.grid(padding=(0, 3, 0, 0))
    body.add_column(no_wrap=True)
    body.add_column(no_wrap=True)
    body.add_row(tiles(result.kingdom, doubtful_cells(result), result.origin), _points(sheet))
    parts: list[RenderableType] = [
        Text.assemble(" ", (printable(sheet.title) or "Kingdom", "bold")),
        body,
    ]
    if where := sheet.worthless[1]:
        parts.append(Padding(Text(f"no crowns: {where}", "dim"), (1, 1, 0, 1)))
    texts = [
        Text.assemble(
            (f"{bonus.name}: +{bonus.counted_points}", "bold"), (f" ({text_of(bonus)})", "dim")
        )
        for bonus in sheet.bonuses
    ]
    texts += [Text(sheet.unplayed, "dim")] if sheet.unplayed else []
    parts += [Padding(text, (number == 0, 1, 0, 1)) for number, text in enumerate(texts)]
    parts += [Text(), _total(sheet)]
    parts += [Text()] if sheet.notes else []
    for note in sheet.notes:
        text = Text(f"{_NOTE_MARKS[note.kind]} {note.text}", _NOTE_STYLES[note.kind])
        parts.append(Padding(text, (0, 1)))
    return Group(*parts, Text())


def _points(sheet: KingdomSheet) -> RenderableType:
    """A line per territory that is worth something."""
    table = Table.grid(padding=(0, 1, 0, 0))
    for justify in ("left", "left", "right", "left", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    for one in sheet.scoring:
        table.add_row(
            Text("\u2584\u2584", Style(color=TERRAIN_PAINTS[one.terrain].fill)),
            Text(one.terrain),
            Text(f"{one.squares} \u00d7 {one.crowns} ="),
            Text(""),
            Text(str(one.points), "bold"),
            Text(f" {sheet.place(one)}", "dim"),
        )
    return Group(Text(), table)


def _total(sheet: KingdomSheet) -> Text:
    style = _STATUS_STYLES.get(sheet.result.status, "bold")
    total = Text.assemble((" TOTAL ", "bold"), (f" {sheet.total} ", f"{style} reverse"))
    total.append(f"  {sheet.size}", "dim")
    return total.append(", ", "dim").append(sheet.status, style) if sheet.status else total


#: A place of a game in characters, with a blank on either side.
_PLACE_WIDTH = 4
#: A place where a domino may still go, by the size of the kingdom.
_FREE = "."


def game_view(state: GameState, player: int = 0, **in_play: Unpack[InPlay]) -> RenderableType:
    """Show the kingdom of a player, what the others have, and the dominoes of both lines.

    Bonuses in play are those of `score`. Nothing is higher than 20 lines.
    """
    totals = [sheet.total for sheet in state.sheets(**in_play)]
    points = [f"{name}: {total}" for name, total in zip(state.players, totals, strict=True)]
    others = ", ".join(text for index, text in enumerate(points) if index != player)
    parts: list[RenderableType] = [
        Text.assemble((f"{points[player]} points", "bold"), (f"   ({others})", "dim")),
        board_text(state.lands[player]),
    ]
    if state.turns:
        parts.append(_dominoes("To move", state, state.turns))
    if state.line or state.kings:
        line: list[tuple[int, int | None]] = [*state.kings, *((one, None) for one in state.line)]
        parts.append(_dominoes("To choose", state, sorted(line, key=lambda king: king[0])))
    return Group(*parts)


def board_text(land: Land) -> Text:
    """A kingdom with the places that it can still grow to, named as in moves."""
    board, frame = land.board, land.frame
    shown = land.free | land.taken
    cells = [
        (row, col)
        for row in range(frame.side)
        for col in range(frame.side)
        if shown >> frame.place((row, col)) & 1
    ]
    rows, cols = ({at[axis] for at in cells} for axis in (0, 1))
    text = Text("   ")
    for col in sorted(cols):
        text.append(f"{column_name(col):^{_PLACE_WIDTH}}", "dim")
    for row in sorted(rows):
        text.append(f"\n{row + 1:>2} ", "dim")
        for col in sorted(cols):
            free = land.free >> frame.place((row, col)) & 1
            _append(text, board[row, col], _FREE if free else "")
    return text


def _append(text: Text, cell: Cell, empty: str = "") -> None:
    """Append a place of a game in one line: what lies there, or `empty`."""
    paint = paint_of(cell)
    said = cell_text(cell) if paint else empty
    text.append(f"{said:^{_PLACE_WIDTH}}", _style(paint) if paint else "dim")


def _dominoes(title: str, state: GameState, line: Sequence[tuple[int, int | None]]) -> Text:
    """Dominoes with the names of those whose kings stand on them."""
    text = Text(f"{title}:", "bold")
    for number, player in line:
        text.append("  ")
        if number:
            domino = state.deck.by_number[number]
            text.append(f"{domino.number} ", "dim")
            _append(text, domino.left)
            _append(text, domino.right)
        if player is not None:
            text.append(f" {state.players[player]}", "bold" if number else "")
    return text
