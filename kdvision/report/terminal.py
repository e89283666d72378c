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
from kdvision.report.text import title
from kdvision.report.wording import (
    bonuses_in_play,
    closing_line,
    doubtful_cells,
    kingdom_names,
    message_of,
    notes,
    photo_notes,
    scoring_lines,
    slip_notes,
    status_text,
    total_text,
    unplayed_line,
    worthless_line,
)
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.game.laying import Land
from kdvision.rules.game.state import GameState
from kdvision.rules.kingdom import Cell, Kingdom, Position, cell_text, column_name
from kdvision.rules.scoring import InPlay
from kdvision.rules.terrain import Square, Terrain
from kdvision.sentences import text_of

#: A tile in characters; about square on most terminals.
_TILE_WIDTH = 5
#: The glyph for a crown, and what stands for it where the terminal has no such letters.
CROWN, PLAIN_CROWN = "\u265b", "*"

_DOUBT_STYLE = Style(color="#ffffff", bgcolor=DOUBT_COLOUR, bold=True)
_STATUS_STYLES = {Status.SURE: "bold green", Status.DOUBTFUL: "bold yellow"}
_NOTE_STYLES = {"doubt": "yellow", "problem": "red", "warning": "yellow", "advice": "bold"}
_NOTE_MARKS = {"doubt": "?", "problem": "!", "warning": "!", "advice": ">"}


def terminal_report(result: PhotoResult, crown: str = CROWN) -> Group:
    """All sheets of one photo, to be printed with rich on a terminal that knows colours."""
    sheets = [
        _sheet(result, kingdom, name, message_of(result, kingdom), crown)
        for kingdom, name in zip(result.kingdoms, kingdom_names(result), strict=True)
    ]
    for lines, style in (
        (photo_notes(result), "yellow"),
        (slip_notes(result), ""),
        ([closing_line(result)], "bold"),
    ):
        if any(lines):
            sheets.append(Group(Padding(Text("\n".join(lines), style), (0, 1, 1, 1))))
    return Group(*sheets)


def tiles(
    kingdom: Kingdom,
    doubtful: frozenset[Position],
    crown: str = CROWN,
    origin: Position = (0, 0),
) -> Text:
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
            crowns = crown * cell.crowns if isinstance(cell, Square) else ""
            text.append(f"{crowns:^{_TILE_WIDTH}}", _style(paint, "crown"))
    return text


def _style(paint: Paint | None, part: Literal["ink", "crown"] = "ink") -> Style:
    if paint is None:
        return Style()
    return Style(color=getattr(paint, part), bgcolor=paint.fill, bold=True)


def _sheet(photo: PhotoResult, result: KingdomResult, name: str, message: str, crown: str) -> Group:
    body = Table.grid(padding=(0, 3, 0, 0))
    body.add_column(no_wrap=True)
    body.add_column(no_wrap=True)
    body.add_row(
        tiles(result.kingdom, doubtful_cells(result), crown, result.origin), _points(result)
    )
    line = worthless_line(result)
    worthless = [Padding(Text(f"{line.terrain}: {line.at}", "dim"), (1, 1, 0, 1))] if line else []
    parts: list[RenderableType] = [
        Text.assemble(" ", (title(photo, name) or "Kingdom", "bold")),
        body,
        *worthless,
        *_bonus_texts(result),
        Text(),
        _total(result),
    ]
    said = [
        Padding(Text(f"{_NOTE_MARKS[note.kind]} {note.text}", _NOTE_STYLES[note.kind]), (0, 1))
        for note in notes(result, message, name)
    ]
    if said:
        parts += [Text(), *said]
    return Group(*parts, Text())


def _points(result: KingdomResult) -> RenderableType:
    """A line per territory."""
    table = Table.grid(padding=(0, 1, 0, 0))
    for justify in ("left", "left", "right", "left", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    for line in scoring_lines(result):
        paint = TERRAIN_PAINTS[Terrain(line.terrain)]
        table.add_row(
            Text("\u2584\u2584", Style(color=paint.fill)),
            Text(line.terrain),
            Text(f"{line.squares} \u00d7 {line.crowns} ="),
            Text(""),
            Text(str(line.points), "bold"),
            Text(f" {line.at}", "dim"),
        )
    return Group(Text(), table)


def _total(result: KingdomResult) -> Text:
    style = _STATUS_STYLES.get(result.status, "bold")
    total = Text.assemble((" TOTAL ", "bold"))
    total.append(f" {total_text(result)} ", f"{style} reverse")
    status = status_text(result)
    total.append(f"  {result.sheet.size}x{result.sheet.size}", "dim")
    if status:
        total.append(", ", "dim").append(status, style)
    return total


def _bonus_texts(result: KingdomResult) -> list[Padding]:
    """A line per bonus in play, then those that are not and would pay in one."""
    texts = [
        Text.assemble(
            (f"{bonus.name}: +{bonus.counted_points}", "bold"), (f" ({text_of(bonus)})", "dim")
        )
        for bonus in bonuses_in_play(result)
    ]
    if unplayed := unplayed_line(result):
        texts.append(Text(unplayed, "dim"))
    return [Padding(text, (number == 0, 1, 0, 1)) for number, text in enumerate(texts)]


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
