"""The results of an evening as `batch -o` writes them: rows of its sheet, or one per player.

What people said on the page stands in their own columns, where the sheet leaves a cell empty: a
sheet with the same words, checked by `kdscore verify`, gives the same results.
"""

from collections.abc import Mapping
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import replace

from kdvision.rules.rules import DEFAULT_RULES
from kdvision.serve.evening import EveningView, GameView, SeatView
from kdvision.tournament.cells import Value, show_value
from kdvision.tournament.columns import RULES, Column, fold_name
from kdvision.tournament.counting import count_once
from kdvision.tournament.csv_files import Form
from kdvision.tournament.judging import Verdict, judge_claim
from kdvision.tournament.results import make_results
from kdvision.tournament.rows import Row
from kdvision.tournament.sheet import name_sheets, read_sheets

#: The columns of a family's results.
_FAMILY = ("photo", "player", "colour", "game", "claimed", "fix", "accept")
#: The columns that the page fills, beside those of rules.
_SAID = ("photo", "claimed", "fix", "accept")


def write_results(view: EveningView, sheet: Path | None, suffix: str, language: str) -> bytes:
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
        return make_results(_judge_family(view), suffix, language)
    verdicts, form = _judge_sheet(view, sheet)
    return make_results(verdicts, suffix, language, form)


def _judge_family(view: EveningView) -> list[Verdict]:
    """Return a verdict for every player of every game."""
    verdicts = list[Verdict]()
    for game in view.games:
        for seat in game.taken:
            words = dict.fromkeys(_FAMILY, "") | _list_words(game, seat)
            words |= {"player": seat.seat.player, "game": game.game.name}
            words["colour"] = seat.seat.colour
            # The row of headings is the first one; a seat without a name is a player as well.
            row = Row.of(words, position=len(verdicts) + 2)
            row = replace(row, number=seat.seat.colour)
            verdicts.append(_judge(seat, row))
    return count_once(verdicts)


def _judge_sheet(view: EveningView, path: Path) -> tuple[list[Verdict], Form]:
    """Return a verdict for every row of a sheet, and the form of the file.

    Raises:
        UsageError: The sheet cannot be read now.
    """
    sheets = read_sheets(path, (("player",),))
    seats: dict[tuple[object, str], tuple[GameView, SeatView]] = {}
    for game in view.games:
        for seat in game.taken:
            if seat.seat.player:
                seats[game.game.place, fold_name(seat.seat.player)] = game, seat
    said = {name for game, seat in seats.values() for name in _list_words(game, seat)}
    columns = [name for name in _SAID + RULES if name in said]
    verdicts = []
    for row in name_sheets(sheets):
        # A player with several rows has the kingdom in the first.
        found = seats.pop((row.game_key, fold_name(row.player)), None)
        if found is None:
            verdicts.append(Verdict(row=_add_words(row, {}, columns)))
            continue
        game, seat = found
        verdicts.append(_judge(seat, _add_words(row, _list_words(game, seat), columns)))
    return count_once(verdicts), sheets[0].form


def _judge(seat: SeatView, row: Row) -> Verdict:
    """Return the verdict of a seat for its row; a total that the sheet accepts comes first."""
    verdict = seat.own_verdict
    if row.accept not in (None, seat.seat.accepted):
        verdict = judge_claim(row, verdict.kingdom, verdict.photo)
    return replace(verdict, row=row)


def _list_words(game: GameView, seat: SeatView) -> dict[str, str]:
    """Return the cells that the page fills in the row of a seat, by the names of their columns."""
    words: dict[str, str] = {}
    best = seat.best
    claimed = seat.seat.claimed
    accepted = seat.seat.accepted
    if best is not None:
        words["photo"] = best.photo.name
        places = best.photo.fixes.items()
        own = [f"{at}={cell}" for at, cell in places if at.startswith(f"{best.letter}.")]
        if own:
            words["fix"] = " ".join(own)
    if claimed is not None:
        words["claimed"] = str(claimed)
    # Who corrects a square that the photo shows clearly has looked at it: the total is accepted.
    if accepted is None and best and best.contradicted and not seat.verdict.is_open:
        accepted = seat.verdict.counts
    if accepted is not None:
        words["accept"] = str(accepted)
    table = game.game.table
    plain = table.rules if table else to_builtins(DEFAULT_RULES)
    for name, value in to_builtins(game.game.rules).items():
        if value != plain.get(name):
            words[name] = _show_rule(value)
    return words


def _show_rule(value: object) -> str:
    """Return a rule as sheets write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "auto" if value is None else str(value)


def _add_words(row: Row, words: Mapping[str, str], names: list[str]) -> Row:
    """Return a row with words in the cells that it leaves empty; columns are added for them."""
    columns, values = list(row.columns), list(row.values)
    for name in names:
        at = next((n for n, column in enumerate(columns) if column.name == name), None)
        if at is None:
            columns.append(Column(name, name))
            values.append(words.get(name, ""))
        elif not show_value(values[at]):
            values[at] = words.get(name, values[at])
    added: tuple[Value, ...] = tuple(values)
    return Row.read(
        tuple(columns), added, position=row.position, sheet=row.sheet, reading=row.reading
    )
