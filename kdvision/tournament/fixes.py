"""The corrections of rows, as corrections of the photo that shows their kingdoms."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kdvision.corrections import FixPlace, SheetPlace, kingdom_name, locate_fixes
from kdvision.errors import UsageError
from kdvision.result import KingdomResult, PhotoResult
from kdvision.rules.kingdom import parse_cell, position_name
from kdvision.rules.terrain import Square
from kdvision.sentences import Sentence
from kdvision.tournament.matching import Match, is_misnamed
from kdvision.tournament.rows import Row

#: A square is read clearly from this probability on: of the squares of the samples 99 in 100 are.
#: A yellow note over a whole square reads as wheat at 0.98, and a person must be able to correct
#: that.
CLEAR_FROM = 0.99
#: The sentence on such a square that a person corrects.
CLEAR_SQUARE = "verdict.fix-clear"


def place_fixes(
    rows: Sequence[Row], matches: Sequence[Match], photo: PhotoResult
) -> tuple[dict[FixPlace, str], list[Row], list[Match]]:
    """Return what the rows of a photo correct in it.

    Args:
        rows: The rows.
        matches: The kingdom of each.
        photo: What was read of it without corrections.

    Returns:
        The corrections, by places of the kingdoms as they lie in the photo; the rows, of which one
        that corrects a place too far from its kingdom has a problem; and the matches, of which one
        whose corrections contradict the photo has a doubt.
    """
    fixes: dict[FixPlace, str] = {}
    checked_rows: list[Row] = []
    checked: list[Match] = []
    for row, match in zip(rows, matches, strict=True):
        if row.fixes and match.index is not None and not is_misnamed(row, photo, match):
            name = kingdom_name(match.index) if len(photo.kingdoms) > 1 else ""
            kingdom = photo.kingdoms[match.index]
            placed = {place.at: text for place, text in row.fixes.items()}
            try:
                own = {FixPlace("", at): text for at, text in placed.items()}
                locate_fixes(own, [kingdom.kingdom], "")
            except UsageError as error:
                row = replace(row, problems=dict(row.problems, fix=error.reasons[0]))
            else:
                for at, text in placed.items():
                    fixes.setdefault(FixPlace(name, at), text)
                doubt = find_contradicted(placed, kingdom)
                match = replace(match, doubt=match.doubt or doubt)
        checked_rows.append(row)
        checked.append(match)
    return fixes, checked_rows, checked


def find_contradicted(fixes: Mapping[SheetPlace, str], kingdom: KingdomResult) -> Sentence | None:
    """Return what to say of a square that a person corrects and that is read clearly otherwise.

    A square that would settle a doubtful total is not clear, whatever its probability, and a place
    that looks empty may have a tile that nobody saw.
    """
    settling = {kingdom.on_sheet(at) for at, _ in kingdom.fixes}
    for square in kingdom.squares:
        at = kingdom.on_sheet(square.at)
        cell = parse_cell(square.text)
        if cell is None or at in settling or square.probability < CLEAR_FROM:
            continue
        if fixes.get(at, square.text) != square.text:
            terrain = cell.terrain.value if isinstance(cell, Square) else "castle"
            fields = {"place": position_name(at), "square": square.text}
            return Sentence(CLEAR_SQUARE, {**fields, "terrain": f"terrain.{terrain}"})
    return None
