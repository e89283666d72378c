"""The results of an evening as a table: the rows of its sheet, or one for every player."""

from pathlib import Path

from kdvision.serve.evening import EveningView, SeatView
from kdvision.tournament.columns import fold_name
from kdvision.tournament.sheet import make_sheet, read_sheet


def make_results(view: EveningView, sheet: Path | None, suffix: str, language: str) -> bytes:
    """Return the results of an evening as a file.

    Args:
        view: The evening.
        sheet: Its sheet; None for an evening without one.
        suffix: `.csv` or `.xlsx`.
        language: Of the explanations.

    Raises:
        UsageError: The sheet cannot be read now.
    """
    if sheet is None:
        made = make_sheet(Path("results.csv"))
        for game in view.games:
            for seat in game.taken:
                people = {"player": seat.seat.player, "colour": seat.seat.colour}
                number = made.add({**people, "game": game.game.name})
                made.set(number, _list_cells(seat, language))
        return made.to_bytes(suffix)
    made = read_sheet(sheet)
    seats = {
        (game.game.place, fold_name(seat.seat.player)): seat
        for game in view.games
        for seat in game.taken
    }
    for line in made.lines:
        found = seats.get((line.game_key, fold_name(line.player)))
        if line.player and found:
            made.set(line.number, _list_cells(found, language))
    return made.to_bytes(suffix)


def _list_cells(seat: SeatView, language: str) -> dict[str, str]:
    """Return the cells of a seat: what was found, and what people said on the page."""
    cells = dict(seat.verdict.cells(language))
    if seat.seat.claim is not None:
        cells["claimed"] = str(seat.seat.claim)
    if seat.seat.accepted is not None:
        cells["accept"] = str(seat.seat.accepted)
    return cells
