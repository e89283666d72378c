"""What a square of a scored photo may be: what it looks like, what the box cannot hold there."""

from collections.abc import Mapping
from typing import Any

from kdvision.corrections import fix_name, kingdom_name, named_place, parse_fix
from kdvision.options import GameOptions
from kdvision.pipeline.corrections import kingdom_meant
from kdvision.pipeline.settings import PIPELINE
from kdvision.pipeline.table import NOT_OF_THE_BOX
from kdvision.report.json import from_object
from kdvision.report.wording import named_alternatives, place_name
from kdvision.result import KingdomResult, PhotoResult
from kdvision.rules.kingdom import Position, cell_text
from kdvision.rules.legality import Excluded, Table
from kdvision.rules.terrain import EMPTY_MARK, LABELS

#: So many faces are named as the likeliest.
MOST_LIKELY = 3


def faces_of(result: Mapping[str, Any], options: GameOptions, place: str) -> dict[str, Any]:
    """What may lie on a place of a photo, as JSON.

    Args:
        result: The `kdscore/1` object of the photo.
        options: The rules that it was scored by.
        place: As corrections write it, `B.c4` or `c4`; it may lie beside the kingdom.

    Returns:
        `place`; `face`, what lies there now; `likely`, the likeliest faces, this one first; and
        `faces`: every `face` with the `reason` why the box cannot hold it there, or null.

    Raises:
        UsageError: It is no place, or of no kingdom.
    """
    photo = from_object(dict(result))
    named, _ = parse_fix(f"{place}={EMPTY_MARK}")
    index = kingdom_meant(named, len(photo.kingdoms), photo.photo)
    kingdom = photo.kingdoms[index]
    _, (row, col) = named_place(named)
    at = row - kingdom.origin[0], col - kingdom.origin[1]
    # Where other dominoes than those of the box lie, nothing is known of them.
    ours = NOT_OF_THE_BOX.isdisjoint(result["kingdoms"][index].get("warning_codes", ()))
    excluded = _table(photo, options).excluded(index, at) if ours else {}
    return {
        "place": fix_name((kingdom_name(index), (row, col))),
        "face": _face(kingdom, at),
        "likely": _likely(kingdom, at),
        "faces": [
            {"face": label, "reason": _reason(photo, excluded.get(label))} for label in LABELS
        ],
    }


def _table(photo: PhotoResult, options: GameOptions) -> Table:
    """The kingdoms of a photo, with the squares of which there is no doubt."""
    clear = [
        {one.at for one in kingdom.squares if one.probability >= PIPELINE.clear_square}
        for kingdom in photo.kingdoms
    ]
    return Table([kingdom.kingdom for kingdom in photo.kingdoms], clear, options.boxes)


def _face(kingdom: KingdomResult, at: Position) -> str:
    row, col = at
    inside = 0 <= row < kingdom.kingdom.height and 0 <= col < kingdom.kingdom.width
    return cell_text(kingdom.kingdom[at]) if inside else EMPTY_MARK


def _likely(kingdom: KingdomResult, at: Position) -> list[str]:
    """What was read, what makes another total, and what it looked most like else."""
    squares = [square for square in kingdom.squares if square.at == at]
    changes = [square for one in named_alternatives(kingdom) for square in one.squares]
    faces = [square.text for square in squares]
    faces += [cell for where, cell in changes if where == at]
    faces += [other for square in squares for other in square.others]
    return list(dict.fromkeys(faces))[:MOST_LIKELY]


def _reason(photo: PhotoResult, found: Excluded | None) -> dict[str, Any] | None:
    if found is None:
        return None
    places = [
        f"{kingdom_name(index)}.{place_name(photo.kingdoms[index], at)}"
        for index, at in found.places
    ]
    return {"code": found.reason.value, "held": found.held, "places": places}
