"""One kingdom in several photos: how they lie to each other, and their evidence multiplied.

Every photo gives, for each place of its grid, how much likelier each label is than it was before
anything was seen. What is hidden, washed out or beyond the border says nothing, so its ratios are
one. Two readings are laid on each other, turned by quarters and shifted, where these ratios agree
best; then they are multiplied place by place, and decoded once. What a photo alone makes sure of
stays as sure as one photo can: decoding takes the share of errors without a sign off again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from kdvision.arrays import Array
from kdvision.decoding.calibration import calibrated, usual_prior
from kdvision.photo.photo import Photo
from kdvision.pipeline.reader import Seen, Sight
from kdvision.pipeline.settings import PIPELINE
from kdvision.pipeline.trust import Trust
from kdvision.reading import UNREPORTED, Doubt, DoubtCode, Place, Reading, Sign
from kdvision.result import NAMES_BETWEEN
from kdvision.rules.kingdom import Position
from kdvision.rules.terrain import EMPTY_LABEL, LABELS
from kdvision.vision.geometry import project
from kdvision.vision.grid.finder import Grid

#: Doubts about what the border of a photo cuts off: a photo that does not cut it settles them.
_OF_THE_BORDER = {DoubtCode.CUT_OFF, DoubtCode.BEYOND_BORDER, DoubtCode.AT_BORDER}


class PhotoEvidence(Struct, frozen=True, eq=False):
    """What one photo shows of one kingdom, in the lattice of the photo it was laid on.

    Attributes:
        photo: The name of the photo.
        corner: The position of the top left place of `ratios`.
        ratios: (rows, cols, labels) natural logarithms of P(seen | label) / P(seen).
        hidden: (rows, cols) the probability that too little is seen.
        seen: The grid and the reading as they lie in the photo.
        doubts: Those of the reading, with positions in the lattice.
        signs: Likewise.
        apart: Likewise; see `Reading.apart`.
        cost: What the signs take from the log-odds of a right total.
    """

    photo: str
    corner: Position
    ratios: Array
    hidden: Array
    seen: Seen
    doubts: tuple[Doubt, ...]
    signs: tuple[Sign, ...]
    apart: tuple[tuple[Position, str], ...]
    cost: float

    @property
    def end(self) -> Position:
        """The position after the bottom right place."""
        rows, cols = self.ratios.shape[:2]
        return self.corner[0] + rows, self.corner[1] + cols

    def turned(self, quarters: int, corner: Position) -> "PhotoEvidence":
        """The evidence turned clockwise by quarters, with its top left place at a position."""
        rows, cols = self.ratios.shape[:2]

        def there(at: Position) -> Position:
            row, col = at[0] - self.corner[0], at[1] - self.corner[1]
            height, width = rows, cols
            for _ in range(quarters):
                row, col = col, height - 1 - row
                height, width = width, height
            return row + corner[0], col + corner[1]

        return replace(
            self,
            corner=corner,
            ratios=np.rot90(self.ratios, -quarters),
            hidden=np.rot90(self.hidden, -quarters),
            doubts=tuple(replace(one, cells=tuple(map(there, one.cells))) for one in self.doubts),
            signs=tuple(replace(one, cells=tuple(map(there, one.cells))) for one in self.signs),
            apart=tuple((there(at), text) for at, text in self.apart),
        )


def evidence_of(photo: str, size: tuple[int, int], seen: Seen, trust: Trust) -> PhotoEvidence:
    """What one photo shows of one kingdom, in its own lattice.

    Args:
        photo: The name of the photo.
        size: Its (width, height) in pixels.
        seen: The grid of the kingdom, and what was read on it.
        trust: Tells what the signs cost.
    """
    _, reading = seen
    shape = reading.height, reading.width
    values, _ = calibrated(reading, {})
    ratios = np.log(np.array(values).reshape(*shape, len(LABELS)) / np.array(usual_prior()))
    places = [place for row in reading.places for place in row]
    beyond = [not _is_inside(place.center, size) for place in places]
    ratios[np.array(beyond).reshape(shape)] = 0.0
    if any(sign.code is DoubtCode.COVERED and trust.is_named(sign) for sign in reading.signs):
        # Light or a thing may hide a tile there, which then looks like the table.
        ratios[_labels(ratios) == EMPTY_LABEL] = 0.0
    hidden = np.array([place.hidden for place in places]).reshape(shape)
    cost = sum(map(trust.cost, reading.signs))
    return PhotoEvidence(
        photo, (0, 0), ratios, hidden, seen, reading.doubts, reading.signs, reading.apart, cost
    )


def _is_inside(center: tuple[float, float] | None, size: tuple[int, int]) -> bool:
    return center is None or (0 <= center[0] < size[0] and 0 <= center[1] < size[1])


class KingdomEvidence(Struct, frozen=True, eq=False):
    """What several photos show of one kingdom, in the lattice of the first of them.

    `differing` are the places on which two of them clearly show different squares.
    """

    photos: tuple[PhotoEvidence, ...]
    differing: tuple[Position, ...] = ()

    @property
    def corner(self) -> Position:
        """The top left place that any photo shows."""
        return min(one.corner[0] for one in self.photos), min(one.corner[1] for one in self.photos)

    def ratios(self) -> Array:
        """(rows, cols, labels) the logarithms of the product of all ratios, from `corner` on."""
        top, left = self.corner
        rows = max(one.end[0] for one in self.photos) - top
        cols = max(one.end[1] for one in self.photos) - left
        total = np.zeros((rows, cols, len(LABELS)))
        for one in self.photos:
            (row, col), (below, right) = one.corner, one.end
            total[row - top : below - top, col - left : right - left] += one.ratios
        return total

    def with_photo(self, overlay: "Overlay") -> "KingdomEvidence":
        """The evidence with that of one more photo, which was laid on it."""
        differing = tuple(sorted({*self.differing, *overlay.differing}))
        return KingdomEvidence((*self.photos, overlay.evidence), differing)


# ---------------------------------------------------------------------- laying on each other


class Overlay(Struct, frozen=True, eq=False):
    """One photo's evidence laid on what is known of a kingdom.

    Attributes:
        evidence: That of the photo, in the lattice of the kingdom.
        gain: How much likelier both are if they show one kingdom that lies so (log-odds).
        agreeing: The places on which both clearly show the same square.
        differing: The places on which they clearly show different squares: one is misread.
        missing: The places on which one clearly shows a square and the other nothing: the kingdom
            is another one, or was changed between the photos.
        clear: The number of squares that either shows clearly, of the one that shows fewer.
    """

    evidence: PhotoEvidence
    gain: float
    agreeing: tuple[Position, ...]
    differing: tuple[Position, ...]
    missing: tuple[Position, ...]
    clear: int

    @property
    def is_like(self) -> bool:
        """Whether both seem to show one kingdom, be it changed or misread on some places."""
        against = len(self.differing) + len(self.missing)
        most = max(2, PIPELINE.agreeing_share * self.clear)
        return len(self.agreeing) >= most and len(self.agreeing) > against

    @property
    def is_same(self) -> bool:
        """Whether both show the same kingdom, and no more than a few places were misread."""
        few = len(self.differing) <= PIPELINE.misread_share * len(self.agreeing)
        return self.is_like and few and not self.missing


def laid_on(kingdom: KingdomEvidence, photo: PhotoEvidence) -> Overlay | None:
    """Lay one photo's evidence on a kingdom, as both agree best; None where that is not clear."""
    known, corner = kingdom.ratios(), kingdom.corner
    ranked = sorted(_ways(known, photo.ratios), key=lambda way: -way[0])
    (gain, quarters, (row, col)), second = ranked[0], ranked[1]
    best = _overlay(known, corner, photo, quarters, (row, col), gain)
    open_places = not (_is_clear(known) | ~_is_taken(known)).all()
    if gain - second[0] < PIPELINE.clear_overlay and open_places:
        return None
    return best


def _ways(known: Array, other: Array) -> Iterator[tuple[float, int, Position]]:
    """All ways of laying ratios on others: (gain, quarter turns, shift of the top left place)."""
    prior = np.array(usual_prior())
    rows, cols = known.shape[:2]
    weighted = (_shares(known) / prior).reshape(rows * cols, -1)
    taken = _is_taken(known).ravel()
    row_of, col_of = (axis.ravel() for axis in np.indices((rows, cols)))
    for quarters in range(4):
        turned = np.rot90(other, -quarters)
        height, width = turned.shape[:2]
        shares = _shares(turned).reshape(height * width, -1)
        gains = np.log(weighted @ shares.T)
        gains *= taken[:, None] | _is_taken(turned).ravel()[None]
        below, right = (axis.ravel() for axis in np.indices((height, width)))
        shift_rows = row_of[:, None] - below[None] + height - 1
        shift_cols = col_of[:, None] - right[None] + width - 1
        across = cols + width - 1
        sums = np.bincount(
            (shift_rows * across + shift_cols).ravel(),
            gains.ravel(),
            (rows + height - 1) * across,
        )
        for index in np.argsort(-sums)[:2].tolist():
            row, col = divmod(index, across)
            yield float(sums[index]), quarters, (row - height + 1, col - width + 1)


def _overlay(
    known: Array,
    corner: Position,
    photo: PhotoEvidence,
    quarters: int,
    shift: Position,
    gain: float,
) -> Overlay:
    top, left = corner
    evidence = photo.turned(quarters, (top + shift[0], left + shift[1]))
    labels, theirs = _labels(known), _labels(evidence.ratios)
    clear, clear_theirs = _is_clear(known), _is_clear(evidence.ratios)
    agreeing: list[Position] = []
    differing: list[Position] = []
    missing: list[Position] = []
    for row, col in product(*map(range, theirs.shape)):
        there = row + shift[0], col + shift[1]
        inside = 0 <= there[0] < labels.shape[0] and 0 <= there[1] < labels.shape[1]
        if not inside or not clear[there] or not clear_theirs[row, col]:
            continue
        at = there[0] + top, there[1] + left
        if labels[there] != theirs[row, col]:
            empty = EMPTY_LABEL in (labels[there], theirs[row, col])
            (missing if empty else differing).append(at)
        elif labels[there] != EMPTY_LABEL:
            agreeing.append(at)
    squares = [
        int((one & (label != EMPTY_LABEL)).sum())
        for one, label in ((clear, labels), (clear_theirs, theirs))
    ]
    return Overlay(evidence, gain, tuple(agreeing), tuple(differing), tuple(missing), min(squares))


def _shares(ratios: Array) -> Array:
    """The probability of every label, by logarithms of ratios (..., labels)."""
    values = ratios + np.log(usual_prior())
    values = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(values / values.sum(axis=-1, keepdims=True))


def _labels(ratios: Array) -> np.ndarray:
    return np.asarray(_shares(ratios).argmax(axis=-1))


def _is_clear(ratios: Array) -> np.ndarray:
    return np.asarray(_shares(ratios).max(axis=-1) >= PIPELINE.clear_place)


def _is_taken(ratios: Array) -> np.ndarray:
    """Where something rather lies than nothing, and something was seen at all."""
    return np.asarray((_labels(ratios) != EMPTY_LABEL) & (np.abs(ratios).max(axis=-1) > 0))


# ---------------------------------------------------------------------- one reading of all


def merged(kingdom: KingdomEvidence, doubts: Sequence[Doubt] = ()) -> Seen:
    """Multiply the evidence of all photos of a kingdom.

    Args:
        kingdom: What the photos show.
        doubts: What more is to be said of the kingdom; positions in its lattice.

    Returns:
        A grid in the first photo and a reading: every place names the photo that settled it, and
        the signs are those of the photo that costs most trust among these.
    """
    if len(kingdom.photos) == 1:
        return _alone(kingdom.photos[0], doubts)
    top, left = kingdom.corner
    ratios = kingdom.ratios()
    shares, labels = _shares(ratios), _labels(ratios)
    rows, cols = labels.shape
    grid = _wider(kingdom, rows, cols)
    by_cost = sorted(kingdom.photos, key=lambda one: one.cost)
    places, settling = [], []
    every = np.indices((cols, rows), np.float64).reshape(2, -1).T + 0.5
    middles = project(grid.homography, every)
    for row in range(rows):
        line = []
        for col in range(cols):
            at = row + top, col + left
            photo = _settling(by_cost, at, int(labels[row, col]))
            settling.append(photo)
            x, y = middles[col * rows + row]
            line.append(
                Place(
                    tuple(shares[row, col].tolist()) if photo else _NOTHING,
                    (float(x), float(y)),
                    _hidden_at(kingdom.photos, at),
                    photo=photo.photo if photo else kingdom.photos[0].photo,
                )
            )
        places.append(tuple(line))
    used = [one for one in by_cost if any(one is photo for photo in settling)]
    reading = Reading(
        tuple(places),
        tuple((float(x), float(y)) for x, y in _outline(grid)),
        (*_differences(kingdom), *doubts, *_doubts(kingdom, used)),
        _apart(kingdom, labels),
        _signs(kingdom, used),
        kingdom.photos[0].photo,
    )
    return grid, _moved(reading, -top, -left)


_NOTHING = tuple(float(label == EMPTY_LABEL) for label in range(len(LABELS)))


def _alone(photo: PhotoEvidence, doubts: Sequence[Doubt]) -> Seen:
    """The reading of a kingdom that one photo shows, as it was."""
    grid, reading = photo.seen
    places = tuple(
        tuple(replace(place, photo=photo.photo) for place in line) for line in reading.places
    )
    told = (*doubts, *reading.doubts)
    return grid, replace(reading, places=places, doubts=told, photo=photo.photo)


def _settling(photos: Sequence[PhotoEvidence], at: Position, label: int) -> PhotoEvidence | None:
    """The first photo that clearly shows a label at a place, else the one that shows it best."""
    best, most = None, 0.0
    for one in photos:
        ratios = _at(one, at)
        if ratios is None or not np.abs(ratios).max():
            continue
        share = float(_shares(ratios)[label])
        if share >= PIPELINE.clear_place:
            return one
        if share > most:
            best, most = one, share
    return best


def _at(photo: PhotoEvidence, at: Position) -> Array | None:
    """The ratios of a photo at a position of the lattice; None beyond its window."""
    row, col = at[0] - photo.corner[0], at[1] - photo.corner[1]
    rows, cols = photo.ratios.shape[:2]
    return photo.ratios[row, col] if 0 <= row < rows and 0 <= col < cols else None


def _hidden_at(photos: Sequence[PhotoEvidence], at: Position) -> float:
    """The probability that a place is hidden in every photo that has it in its window."""
    values = [
        float(one.hidden[at[0] - one.corner[0], at[1] - one.corner[1]])
        for one in photos
        if _at(one, at) is not None
    ]
    return min(values, default=0.0)


def _wider(kingdom: KingdomEvidence, rows: int, cols: int) -> Grid:
    """The grid of the first photo, with a window of all places that any photo shows."""
    grid = kingdom.photos[0].seen[0]
    (top, left), (own_top, own_left) = kingdom.corner, kingdom.photos[0].corner
    above, beside = own_top - top, own_left - left
    below, right = rows - above - grid.rows, cols - beside - grid.cols
    rings = max(above, beside, below, right, 0)
    for _ in range(rings):
        grid = grid.with_ring()
    rows_kept = slice(rings - above, rings - above + rows)
    cols_kept = slice(rings - beside, rings - beside + cols)
    shift = np.array([[1, 0, rings - beside], [0, 1, rings - above], [0, 0, 1.0]])
    maps = {
        name: getattr(grid, name)[rows_kept, cols_kept]
        for name in ("found", "castle", "tile", "tile_seen", "agreed")
    }
    centres = grid.centres[rows_kept, cols_kept] - np.array([rings - beside, rings - above])
    homography = grid.homography @ shift
    return replace(grid, homography=homography, rows=rows, cols=cols, centres=centres, **maps)


def _outline(grid: Grid) -> Array:
    """(4, 2) the corners of a grid's window in pixels (x, y)."""
    corners = [[0, 0], [grid.cols, 0], [grid.cols, grid.rows], [0, grid.rows]]
    return project(grid.homography, np.array(corners, float))


def _moved(reading: Reading, rows: int, cols: int) -> Reading:
    """The reading with the positions of doubts, signs and squares apart shifted."""

    def moved(cells: tuple[Position, ...]) -> tuple[Position, ...]:
        return tuple((row + rows, col + cols) for row, col in cells)

    return replace(
        reading,
        doubts=tuple(replace(one, cells=moved(one.cells)) for one in reading.doubts),
        signs=tuple(replace(one, cells=moved(one.cells)) for one in reading.signs),
        apart=tuple(((row + rows, col + cols), text) for (row, col), text in reading.apart),
    )


# ---------------------------------------------------------------------- doubts and signs


def _differences(kingdom: KingdomEvidence) -> Iterator[Doubt]:
    """The doubt about places on which photos clearly show different squares."""
    if kingdom.differing:
        names = _names(one.photo for one in kingdom.photos)
        yield Doubt(DoubtCode.PHOTOS_DIFFER, 0.5, kingdom.differing, {"photos": names})


def _doubts(kingdom: KingdomEvidence, used: Sequence[PhotoEvidence]) -> Iterator[Doubt]:
    """The doubts that several photos leave, each once.

    About places: where no other photo shows them clearly. Their factor has flattened the evidence
    already, and counts again only where nothing was seen. About the whole photo: those of photos
    that settle a place; of the border where every photo has them. Notes are those of all photos.
    """
    told: set[tuple[DoubtCode, tuple[Position, ...]]] = set()
    for one in kingdom.photos:
        others = [other for other in kingdom.photos if other is not one]
        for doubt in one.doubts:
            if doubt.cells:
                open_cells = tuple(at for at in doubt.cells if not _is_clear_in(others, at))
                unseen = not any(_is_seen_in(kingdom.photos, at) for at in open_cells)
                kept = [replace(doubt, cells=open_cells, factor=doubt.factor if unseen else 1.0)]
                kept = kept if open_cells else []
            elif doubt.code in _OF_THE_BORDER:
                kept = [doubt] if _all_have(others, doubt.code) else []
            else:
                note = doubt.factor == 1.0 or doubt.code in UNREPORTED
                kept = [doubt] if note or any(one is other for other in used) else []
            for doubt in kept:
                if (doubt.code, doubt.cells) not in told:
                    told.add((doubt.code, doubt.cells))
                    yield doubt


def _signs(kingdom: KingdomEvidence, used: Sequence[PhotoEvidence]) -> tuple[Sign, ...]:
    """The signs of the photo that costs most trust among those that settle a place."""
    costliest = max(used or kingdom.photos, key=lambda one: one.cost)
    others = [one for one in kingdom.photos if one is not costliest]
    return tuple(
        sign
        for sign in costliest.signs
        if sign.code not in _OF_THE_BORDER or not others or _all_have(others, sign.code)
    )


def _all_have(photos: Sequence[PhotoEvidence], code: DoubtCode) -> bool:
    """Whether every photo has a doubt or a sign of a code."""
    return all(
        code in {*(doubt.code for doubt in one.doubts), *(sign.code for sign in one.signs)}
        for one in photos
    )


def _is_clear_in(photos: Sequence[PhotoEvidence], at: Position) -> bool:
    """Whether any photo clearly shows what lies on a place."""
    values = (_at(one, at) for one in photos)
    return any(value is not None and bool(_is_clear(value)) for value in values)


def _is_seen_in(photos: Sequence[PhotoEvidence], at: Position) -> bool:
    """Whether any photo shows anything on a place."""
    values = (_at(one, at) for one in photos)
    return any(value is not None and bool(np.abs(value).max()) for value in values)


def _apart(kingdom: KingdomEvidence, labels: np.ndarray) -> tuple[tuple[Position, str], ...]:
    """The squares of dominoes in line and not joined that any photo shows, beside the kingdom."""
    top, left = kingdom.corner
    found = dict(one for photo in kingdom.photos for one in photo.apart)
    rows, cols = np.nonzero(labels != EMPTY_LABEL)
    taken = {*zip((rows + top).tolist(), (cols + left).tolist(), strict=True)}
    return tuple(one for one in found.items() if one[0] not in taken)


# ---------------------------------------------------------------------- tables


class PhotoTable(Struct, frozen=True, eq=False):
    """Kingdoms of photos that fit together, each with all that these show of it."""

    kingdoms: tuple[KingdomEvidence, ...]
    photos: tuple[str, ...]

    def with_photo(self, name: str, shown: Sequence[PhotoEvidence]) -> "PhotoTable | None":
        """The table with the kingdoms of one more photo; None where the photo does not fit.

        Kingdoms may be missing in the photo, or be new in it. Where both are so, they may be the
        same, seen differently.
        """
        overlays = [
            (overlay, index, number)
            for index, known in enumerate(self.kingdoms)
            for number, one in enumerate(shown)
            if (overlay := laid_on(known, one)) is not None and overlay.is_like
        ]
        joined, missing = list(self.kingdoms), {*range(len(self.kingdoms))}
        new = [*range(len(shown))]
        for overlay, index, number in sorted(overlays, key=lambda one: -one[0].gain):
            if index not in missing or number not in new:
                continue
            if not overlay.is_same:
                return None
            joined[index] = joined[index].with_photo(overlay)
            missing.remove(index)
            new.remove(number)
        if len(missing) == len(joined) or (missing and new):
            return None
        more = (KingdomEvidence((shown[number],)) for number in new)
        return PhotoTable((*joined, *more), (*self.photos, name))


def distinct_names(photos: Sequence[Photo]) -> dict[str, Photo]:
    """Photos by names that differ; of one that is given twice only the first."""
    named: dict[str, Photo] = {}
    for photo in photos:
        if any(photo.same_picture(one) for one in named.values()):
            continue
        name, number = photo.name, 2
        while name in named:
            name, number = f"{photo.name} ({number})", number + 1
        named[name] = photo
    return named


def tables_of(
    photos: Mapping[str, Photo], sights: Mapping[str, Sight], trust: Trust
) -> list[PhotoTable]:
    """Lay the kingdoms of several photos on each other.

    Args:
        photos: By their names.
        sights: The kingdoms that they show.
        trust: Tells what the signs of a photo cost.

    Returns:
        One table where the photos show the same kingdoms. A photo that contradicts all before, or
        shows none of their kingdoms, begins a table of its own.
    """
    tables: list[PhotoTable] = []
    for name, sight in sights.items():
        size = photos[name].width, photos[name].height
        shown = [evidence_of(name, size, one, trust) for one in sight.kingdoms]
        for index, table in enumerate(tables):
            joined = table.with_photo(name, shown)
            if joined is not None:
                tables[index] = joined
                break
        else:
            tables.append(PhotoTable(tuple(KingdomEvidence((one,)) for one in shown), (name,)))
    return tables


def readings_of(tables: Sequence[PhotoTable], blank: Sequence[str]) -> list[list[Seen]]:
    """The merged readings of every table, with what is to be said of the photos.

    Args:
        tables: As from `tables_of`.
        blank: The names of photos that show no kingdom.
    """
    said = [Doubt(DoubtCode.PHOTO_WITHOUT_KINGDOM, fields={"photo": name}) for name in blank]
    if len(tables) > 1:
        names = _names(NAMES_BETWEEN.join(table.photos) for table in tables)
        factor = 1 / len(tables)
        said.append(Doubt(DoubtCode.PHOTOS_DIFFER, factor, fields={"photos": names}))
    return [[merged(kingdom, said) for kingdom in table.kingdoms] for table in tables]


def _names(names: Iterable[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} / {last}" if before else last
