"""A game in the terminal: kingdoms as coloured tiles, the dominoes of the line, who leads.

Without colours the same is written in letters: every tile says its terrain and crowns.
"""

from collections.abc import Sequence
from typing import Unpack

from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text

from kdvision.report.palette import paint_of
from kdvision.rules.dominoes import Domino
from kdvision.rules.game.laying import Land
from kdvision.rules.game.state import GameState
from kdvision.rules.kingdom import Cell, cell_text
from kdvision.rules.scoring import InPlay

#: A tile in characters, with a blank on either side.
_TILE_WIDTH = 4
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
        text.append(f"{chr(ord('a') + col):^{_TILE_WIDTH}}", "dim")
    for row in sorted(rows):
        text.append(f"\n{row + 1:>2} ", "dim")
        for col in sorted(cols):
            free = land.free >> frame.place((row, col)) & 1
            _append(text, board[row, col], _FREE if free else "")
    return text


def _append(text: Text, cell: Cell, empty: str) -> None:
    paint = paint_of(cell)
    if paint is None:
        text.append(f"{empty:^{_TILE_WIDTH}}", "dim")
        return
    style = Style(color=paint.ink, bgcolor=paint.fill, bold=True)
    text.append(f"{cell_text(cell):^{_TILE_WIDTH}}", style)


def _dominoes(title: str, state: GameState, line: Sequence[tuple[int, int | None]]) -> Text:
    """Dominoes with the names of those whose kings stand on them."""
    text = Text(f"{title}:", "bold")
    for number, player in line:
        text.append("  ")
        if number:
            _append_domino(text, state.deck.by_number[number])
        if player is not None:
            text.append(f" {state.players[player]}", "bold" if number else "")
    return text


def _append_domino(text: Text, domino: Domino) -> None:
    text.append(f"{domino.number} ", "dim")
    _append(text, domino.left, "")
    _append(text, domino.right, "")
