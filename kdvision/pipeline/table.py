"""The stage of decoding: the kingdoms of one table, with what a person says of their squares."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import FixPlace, kingdom_name, on_grids
from kdvision.decoding.cutting_posterior import CuttingPosterior, cutting_posterior
from kdvision.decoding.kingdoms import likeliest_kingdoms
from kdvision.options import GameOptions
from kdvision.pipeline.reader import Seen
from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import Decoded, Doubt, DoubtCode, Place, Reading
from kdvision.rules.cover import shared_dominoes
from kdvision.rules.dominoes import Deck, standard_deck
from kdvision.rules.kingdom import Kingdom, Pair, Position, cell_text, position_names, shifted
from kdvision.rules.terrain import EMPTY_MARK, LABELS
from kdvision.vision.grid.finder import Grid
from kdvision.vision.selection import same_size, with_notes

#: What decoding says of a kingdom that the box cannot hold: by itself, or beside the others.
_NO_KINGDOM_OF_THE_DECK = {DoubtCode.OTHER_DECK, DoubtCode.NO_BOX}
_TOO_MANY = {DoubtCode.TOO_MANY_OF_KIND, DoubtCode.TOO_MANY_DOMINOES}
NOT_OF_THE_BOX = _NO_KINGDOM_OF_THE_DECK | _TOO_MANY

#: Kingdoms with more squares that are too many for the box are named without these.
_MOST_NAMED = 10


class TableKingdom(Struct, frozen=True, eq=False):
    """One kingdom of a table, read and decoded, not yet judged.

    Attributes:
        grid: Where it lies in the photo.
        reading: What was read on the places of the grid.
        decoded: The likeliest kingdom, untrimmed.
        corner: The place of the grid that is called a1.
        cuttings: Its dominoes as far as the deck tells, by places in its own box.
        deck: The dominoes of the game; None for those of the box.
        open_share: The share (0 to 1) of the doubt about single squares that no person has settled.
    """

    grid: Grid
    reading: Reading
    decoded: Decoded
    corner: Position
    cuttings: CuttingPosterior
    deck: Deck | None = None
    open_share: float = 1.0

    @property
    def trimmed(self) -> Kingdom:
        """The kingdom, cut to its box."""
        return self.decoded.kingdom.trimmed()

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The first row and column of the grid in which something lies, and the last ones."""
        return self.decoded.kingdom.box() or (0, 0, 0, 0)

    @property
    def castle(self) -> Position | None:
        """The place of the grid on which the castle stands."""
        return next(iter(self.decoded.kingdom.castles()), None)

    @property
    def open_pairs(self) -> list[Pair]:
        """Pairs of places in its box of which the deck does not tell whether they are a domino."""
        return [domino.cells for domino in self.cuttings.dominoes if domino.probability < 1]


def decode_table(
    photo: str,
    seen: Sequence[Seen],
    options: GameOptions,
    fixes: Mapping[FixPlace, str] | None = None,
    deck: Deck | None = None,
) -> tuple[TableKingdom, ...]:
    """Decode the kingdoms of one photo together.

    Args:
        photo: Its name.
        seen: The grids and what lies on them, in the order of the report.
        options: The rules.
        fixes: What a person says of places of the kingdoms as they are read without fixes, or of
            places beside them.
        deck: The dominoes of one box; None for the 48.

    Raises:
        UsageError: A fix names no place, or could be in any of several kingdoms.
    """
    seen, decoded = _without_prints(seen, options, deck)
    corners = [(answer.kingdom.box() or (0, 0))[:2] for answer in decoded]
    open_shares = [1.0] * len(decoded)
    if fixes:
        placed = on_grids(fixes, [answer.kingdom for answer in decoded], photo)
        ring = max([0, *(-value for given in placed for at in given for value in at)])
        rooms = [
            _room(reading, given, ring) for (_, reading), given in zip(seen, placed, strict=True)
        ]
        if any(map(any, rooms)):
            seen = [widened(kingdom, *room) for kingdom, room in zip(seen, rooms, strict=True)]
            corners = [shifted(at, room[:2]) for at, room in zip(corners, rooms, strict=True)]
            placed = [
                {shifted(at, room[:2]): cell for at, cell in given.items()}
                for given, room in zip(placed, rooms, strict=True)
            ]
            decoded = likeliest_kingdoms([reading for _, reading in seen], options, deck=deck)
        unfixed = decoded
        seen = [
            (grid, reading.told_at(_dropping(given)))
            for (grid, reading), given in zip(seen, placed, strict=True)
        ]
        readings = [reading for _, reading in seen]
        open_shares = list(map(_open_share, unfixed, readings, placed))
        corrected = _corrected(readings, unfixed, placed, options, deck)
        decoded = tuple(
            _with_reason(answer, before, kingdom_name(index), fixes)
            for index, (answer, before) in enumerate(zip(corrected, unfixed, strict=True))
        )
    names = [kingdom_name(index) for index in range(len(decoded))]
    named = _with_squares_named(decoded, corners, names, deck)
    return tuple(
        TableKingdom(
            grid,
            reading,
            answer,
            corner,
            cutting_posterior(answer.kingdom.trimmed(), deck=deck),
            deck,
            open_share,
        )
        for (grid, reading), answer, corner, open_share in zip(
            seen, named, corners, open_shares, strict=True
        )
    )


# ---------------------------------------------------------------------- what is a kingdom


def _without_prints(
    seen: Sequence[Seen], options: GameOptions, deck: Deck | None
) -> tuple[Sequence[Seen], tuple[Decoded, ...]]:
    """The kingdoms of a table and what they are decoded to, without what is no kingdom."""
    while True:
        decoded = likeliest_kingdoms([reading for _, reading in seen], options, deck=deck)
        reported = _of_one_table(seen, decoded, options, deck)
        if not reported or len(reported) == len(seen):
            return seen, decoded
        left_out = [answer for index, answer in enumerate(decoded) if index not in reported]
        seen = [seen[index] for index in reported]
        if any(answer.kingdom.squares() for answer in left_out):
            note = Doubt(DoubtCode.PRINT_LEFT_OUT)
            seen = [(grid, with_notes(reading, [note])) for grid, reading in seen]


def _of_one_table(
    seen: Sequence[Seen], decoded: Sequence[Decoded], options: GameOptions, deck: Deck | None
) -> list[int]:
    """Which of them are kingdoms that lie side by side.

    A lone castle beside kingdoms is nobody's: a tile that was taken for one. And where a kingdom is
    clear, what is hardly one and has squares of another size is a print on the table.
    """

    def are_alike(index: int, neighbour: int) -> bool:
        return same_size(seen[index][0], seen[neighbour][0])

    reported = [index for index, answer in enumerate(decoded) if answer.kingdom.squares()]
    if all(are_alike(index, reported[0]) for index in reported[1:]):
        return reported
    alone = {
        index: likeliest_kingdoms([seen[index][1]], options, deck=deck)[0].probability
        for index in reported
    }
    best = max(reported, key=alone.__getitem__)
    if alone[best] < PIPELINE.clear_kingdom:
        return reported
    return [
        index
        for index in reported
        if alone[index] >= PIPELINE.unclear_kingdom or are_alike(index, best)
    ]


# ---------------------------------------------------------------------- corrections


def widened(seen: Seen, above: int, left: int, below: int, right: int) -> Seen:
    """A grid and its reading, wider by so many empty places on each side.

    Every place has its middle in the photo then.
    """
    grid, reading = seen[0].widened(above, left, below, right), seen[1]
    middles = grid.middles_of([*np.ndindex(grid.rows, grid.cols)]).reshape(grid.rows, grid.cols, 2)
    nothing = Place(tuple(float(label == EMPTY_MARK) for label in LABELS))

    def place(row: int, col: int) -> Place:
        x, y = middles[row, col].tolist()
        row, col = row - above, col - left
        inside = 0 <= row < reading.height and 0 <= col < reading.width
        old = reading.places[row][col] if inside else nothing
        return old if old.center else replace(old, center=(x, y))

    moved = reading.told_at(lambda at: shifted(at, (above, left)))
    places = tuple(tuple(place(row, col) for col in range(grid.cols)) for row in range(grid.rows))
    return grid, replace(moved, places=places)


def _room(reading: Reading, fixes: Iterable[Position], ring: int) -> tuple[int, int, int, int]:
    """How much wider a window must be for fixes: above, on the left, below, and on the right.

    `ring` is how far fixes of the table lie above their windows or left of them.
    """
    below = (row + 1 - reading.height for row, _ in fixes)
    right = (col + 1 - reading.width for _, col in fixes)
    return ring, ring, max([ring, *below]), max([ring, *right])


def _dropping(fixes: Container[Position]) -> Callable[[Position], Position | None]:
    """Leave places out that are fixed: nothing that was doubted concerns them any more."""
    return lambda at: None if at in fixes else at


def _corrected(
    readings: Sequence[Reading],
    before: Sequence[Decoded],
    placed: Sequence[Mapping[Position, str]],
    options: GameOptions,
    deck: Deck | None,
) -> tuple[Decoded, ...]:
    """The likeliest kingdoms with what a person says; places that were clear stay as they were.

    Args:
        readings: With room for the fixes.
        before: The kingdoms without the fixes.
        placed: The fixes by positions in the grid of each kingdom.
        options: The rules.
        deck: The dominoes of one box.
    """
    free = likeliest_kingdoms(readings, options, fixes=placed, deck=deck)
    clear = [_clear_places(*pair) for pair in zip(before, placed, strict=True)]
    changed = any(
        cell_text(answer.kingdom[at]) != cell
        for answer, cells in zip(free, clear, strict=True)
        for at, cell in cells.items()
    )
    if not changed and all(map(_is_of_the_box, free)):
        return free
    told = [{**cells, **given} for cells, given in zip(clear, placed, strict=True)]
    kept = likeliest_kingdoms(readings, options, fixes=told, deck=deck)
    return tuple(_kept(*parts, options) for parts in zip(kept, free, before, clear, strict=True))


def _open_share(before: Decoded, reading: Reading, fixed: Mapping[Position, str]) -> float:
    """The share of the doubt about single squares that is left beside those that are fixed."""
    doubt = doubted_places(before, reading)
    left = sum(value for at, value in doubt.items() if at not in fixed)
    return left / sum(doubt.values()) if any(doubt.values()) else 1.0


def doubted_places(decoded: Decoded, reading: Reading) -> dict[Position, float]:
    """How far each place of the grid is doubted that no person gave, by its look and by the deck.

    What was not tried counts against all places alike, and is no doubt about any of them.
    """
    uncertain = [value for row in decoded.certainty for value in row if value < 1]
    most = max(uncertain, default=1.0)
    doubt = {}
    for (row, col), cell in decoded.kingdom.cells():
        certainty = decoded.certainty[row][col]
        unlike = 1 - reading.places[row][col].probabilities[LABELS.index(cell_text(cell))]
        doubt[row, col] = most - certainty + unlike if certainty < 1 else 0.0
    return doubt


def _clear_places(decoded: Decoded, fixed: Mapping[Position, str]) -> dict[Position, str]:
    """The cells of a kingdom of which there was no doubt, by position in its grid."""
    return {
        at: cell_text(cell)
        for at, cell in decoded.kingdom.cells()
        if at not in fixed and decoded.certainty[at[0]][at[1]] >= PIPELINE.clear_square
    }


def _kept(
    kept: Decoded,
    free: Decoded,
    before: Decoded,
    clear: Mapping[Position, str],
    options: GameOptions,
) -> Decoded:
    """A kingdom whose clear places were kept, no more certain than it was without keeping them."""
    totals = {total.score: total.probability for total in free.alternatives}
    totals[options.score(free.kingdom).total] = free.probability
    certainty = tuple(
        tuple(
            before.certainty[row][col] if (row, col) in clear else value
            for col, value in enumerate(values)
        )
        for row, values in enumerate(kept.certainty)
    )
    likely = totals.get(options.score(kept.kingdom).total, 0.0)
    return replace(kept, probability=min(kept.probability, likely), certainty=certainty)


# ---------------------------------------------------------------------- what the box cannot hold


def _is_of_the_box(decoded: Decoded) -> bool:
    return not any(doubt.code in NOT_OF_THE_BOX for doubt in decoded.warnings)


def _with_reason(
    decoded: Decoded, before: Decoded, name: str, fixes: Mapping[FixPlace, str]
) -> Decoded:
    """A kingdom with the correction as the reason where the box cannot hold it because of one."""
    texts = [f"{place}={cell}" for place, cell in fixes.items() if place.kingdom in ("", name)]
    if not texts or before.warnings or _is_of_the_box(decoded):
        return decoded
    rest = (doubt for doubt in decoded.warnings if doubt.code is not DoubtCode.NO_BOX)
    reason = Doubt(DoubtCode.IMPOSSIBLE_CORRECTION, fields={"fixes": ", ".join(texts)})
    return replace(decoded, warnings=(reason, *rest))


def _with_squares_named(
    decoded: Sequence[Decoded], corners: Sequence[Position], names: Sequence[str], deck: Deck | None
) -> list[Decoded]:
    """The kingdoms with the squares named that are too many for the box: `A c4, d4; B a1`."""

    def worded(doubt: Doubt, too_many: Sequence[tuple[int, Position]]) -> Doubt:
        if doubt.code not in _TOO_MANY:
            return doubt
        squares = []
        for index, (name, (top, left)) in enumerate(zip(names, corners, strict=True)):
            cells = [shifted(at, (-top, -left)) for number, at in too_many if number == index]
            if cells:
                few = len(too_many) <= _MOST_NAMED
                squares.append(f"{name} {position_names(cells)}" if few else name)
        fields = {**doubt.fields, "squares": "; ".join(squares)}
        # Numbers are known of the dominoes of the box only.
        if doubt.code is DoubtCode.TOO_MANY_DOMINOES and deck in (None, standard_deck()):
            which = _lying_twice(decoded, corners, names)
            fields |= {"which": which} if which else {}
        return replace(doubt, fields=fields)

    return [
        replace(answer, warnings=tuple(worded(doubt, answer.too_many) for doubt in answer.warnings))
        for answer in decoded
    ]


def _lying_twice(
    decoded: Sequence[Decoded], corners: Sequence[Position], names: Sequence[str]
) -> str:
    """The dominoes that surely lie in several kingdoms: `24 (A c4, d4; B a1, a2)`."""
    ours = [
        (name, answer.kingdom, corner)
        for name, answer, corner in zip(names, decoded, corners, strict=True)
        if not any(doubt.code in _NO_KINGDOM_OF_THE_DECK for doubt in answer.warnings)
    ]
    texts = []
    for shared in shared_dominoes([kingdom for _, kingdom, _ in ours]):
        places = []
        for index, pair in shared.places:
            name, _, (top, left) = ours[index]
            cells = [shifted(at, (-top, -left)) for at in pair or ()]
            places.append(f"{name} {position_names(cells)}".rstrip())
        texts.append(f"{'/'.join(map(str, shared.numbers))} ({'; '.join(places)})")
    return ", ".join(texts)
