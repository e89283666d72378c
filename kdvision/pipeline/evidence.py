"""One kingdom in several photos: how they lie to each other, and their evidence multiplied.

Every photo gives, for each place of its grid, how much likelier each label is than it was before
anything was seen. What is hidden, washed out or beyond the border says nothing, so its ratios are
one. Two readings are laid on each other, turned by quarters and shifted, where these ratios agree
best; then they are multiplied place by place, and decoded once. What a photo alone makes sure of
stays as sure as one photo can: decoding takes the share of errors without a sign off again.

Photos of one kingdom as it grows are laid on each other likewise. Squares never move: a later photo
tells which square lies on a place, if one lay there yet, an earlier one which square lies there if
it shows one.

Copies of a photo, and photos from nearly the same direction, err alike: together they say no more
of a place than the one of them that says most.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from kdvision.arrays import Array
from kdvision.decoding.calibration import calibrated_alone, hidden_shares, usual_prior
from kdvision.pipeline.reader import Seen
from kdvision.pipeline.settings import PIPELINE
from kdvision.pipeline.trust import Trust
from kdvision.reading import LEFT_OUT, UNREPORTED, Doubt, DoubtCode, Place, Reading, Sign
from kdvision.rules.kingdom import Position, shifted
from kdvision.rules.terrain import EMPTY_LABEL, LABELS
from kdvision.vision.grid.finder import Grid

#: Doubts about what the border of a photo cuts off: a photo that does not cut it settles them.
_OF_THE_BORDER = {DoubtCode.CUT_OFF, DoubtCode.BEYOND_BORDER, DoubtCode.AT_BORDER}
#: What is less likely is as good as impossible.
_LEAST_RATIO = 1e-12
#: Points (x, y) as complex numbers: a turn and a scale are then one factor.
_PLANE = np.array([1, 1j])
#: The probabilities of a place that no photo shows.
_NOTHING = tuple(float(label == EMPTY_LABEL) for label in range(len(LABELS)))


class Moment(Enum):
    """When a photo was taken, seen from another of the same kingdom."""

    SAME = auto()
    LATER = auto()
    EARLIER = auto()


class PhotoEvidence(Struct, frozen=True, eq=False):
    """What one photo shows of one kingdom, in the lattice of the photo it was laid on.

    Attributes:
        photo: The name of the photo.
        corner: The position of the top left place of `ratios`.
        ratios: (rows, cols, labels) natural logarithms of P(seen | label) / P(seen).
        most: (rows, cols) by how much the likeliest label is ahead of the next in `ratios`, before
            every label kept a little: as much as photos from its direction may say together.
        hidden: (rows, cols) the probability that too little is seen.
        squares: (rows, cols, 2) the middles of the places on which a square was detected, in pixels
            (x, y) of the photo; not a number for the others.
        grid: Where the kingdom lies in the photo.
        reading: What was read there. The positions of its doubts, signs and squares apart are those
            of the lattice; its places lie as in the photo.
        cost: What the signs take from the log-odds of a right total.
        moment: When the photo was taken, as seen from the first of the kingdom.
    """

    photo: str
    corner: Position
    ratios: Array
    most: Array
    hidden: Array
    squares: Array
    grid: Grid
    reading: Reading
    cost: float
    moment: Moment = Moment.SAME

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
            most=np.rot90(self.most, -quarters),
            hidden=np.rot90(self.hidden, -quarters),
            squares=np.rot90(self.squares, -quarters),
            reading=self.reading.told_at(there),
        )

    def seen_from(self, moment: Moment) -> "PhotoEvidence":
        """What a photo of that moment tells of a kingdom that grows between the two.

        Of a later photo the likeliest that may have become of an empty place, so it says nothing of
        whether the square lay there yet; of an earlier one the likeliest that may have been where
        a square lies now. What lies beside a kingdom, or apart, is told of that moment only.
        """
        if moment is Moment.SAME:
            return self
        ratios, hidden = self.ratios.copy(), self.hidden
        if moment is Moment.LATER:
            ratios[..., EMPTY_LABEL] = ratios.max(axis=-1)
        else:
            ratios = np.maximum(ratios, ratios[..., EMPTY_LABEL, None])
            says_nothing = np.ptp(ratios, axis=-1) == 0
            ratios[says_nothing] = 0.0
            hidden = np.where(says_nothing, 1.0, hidden)
        doubts = tuple(one for one in self.reading.doubts if one.code not in LEFT_OUT)
        reading = replace(self.reading, doubts=doubts, apart=())
        return replace(self, ratios=ratios, hidden=hidden, reading=reading, moment=moment)

    def within(self, corner: Position, end: Position) -> "PhotoEvidence":
        """The evidence on the places from one position to before another, none on the others."""
        inside = np.zeros(self.hidden.shape, bool)
        rows, cols = (
            slice(max(first - own, 0), max(last - own, 0))
            for first, last, own in zip(corner, end, self.corner, strict=True)
        )
        inside[rows, cols] = True
        ratios = np.where(inside[..., None], self.ratios, 0.0)
        return replace(self, ratios=ratios, hidden=np.where(inside, self.hidden, 0.0))


def evidence_of(photo: str, size: tuple[int, int], seen: Seen, trust: Trust) -> PhotoEvidence:
    """What one photo shows of one kingdom, in its own lattice.

    Args:
        photo: The name of the photo.
        size: Its (width, height) in pixels.
        seen: The grid of the kingdom, and what was read on it.
        trust: Tells what the signs cost.
    """
    grid, reading = seen
    shape = reading.height, reading.width
    ratios, most = _ratios(reading), _margin(_ratios(reading, sharp=True))
    places = [place for row in reading.places for place in row]
    centers = np.array([place.center or (0.0, 0.0) for place in places]).reshape(*shape, 2)
    ratios[((centers < 0) | (centers >= size)).any(axis=-1)] = 0.0  # beyond the border
    if any(sign.code is DoubtCode.COVERED and trust.is_named(sign) for sign in reading.signs):
        # Light or a thing may hide a tile there, which then looks like the table.
        ratios[_labels(ratios) == EMPTY_LABEL] = 0.0
    hidden = np.array([place.hidden for place in places]).reshape(shape)
    middles = grid.middles_of([*np.ndindex(shape)]).reshape(*shape, 2)
    squares = np.where(grid.found[..., None], middles, np.nan)
    cost = sum(map(trust.cost, reading.signs))
    return PhotoEvidence(photo, (0, 0), ratios, most, hidden, squares, grid, reading, cost)


def _ratios(reading: Reading, *, sharp: bool = False) -> Array:
    """(rows, cols, labels) the `PhotoEvidence.ratios` of a reading; `sharp` as for calibration."""
    (values, _), unseen = calibrated_alone(reading, sharp=sharp), hidden_shares(reading)
    ratios = np.maximum((1 - unseen) * values / usual_prior() + unseen, _LEAST_RATIO)
    return np.log(ratios).reshape(reading.height, reading.width, len(LABELS))


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

    @property
    def end(self) -> Position:
        """The position after the bottom right place that any photo shows."""
        return max(one.end[0] for one in self.photos), max(one.end[1] for one in self.photos)

    @property
    def grid(self) -> Grid:
        """The grid of the first photo, with a window of all places that any photo shows."""
        first, (top, left), (end_row, end_col) = self.photos[0], self.corner, self.end
        return first.grid.widened(
            first.corner[0] - top,
            first.corner[1] - left,
            end_row - first.end[0],
            end_col - first.end[1],
        )

    def layers(self) -> Array:
        """(photos, rows, cols, labels) the ratios of each photo from `corner` on, else 0."""
        return np.stack([self.on_lattice(one.corner, one.ratios, 0.0) for one in self.photos])

    def ratios(self) -> Array:
        """(rows, cols, labels) what all photos say together from `corner` on."""
        layers = self.layers()
        most = np.stack([self.on_lattice(one.corner, one.most, 0.0) for one in self.photos])
        whole = np.zeros(layers.shape[1:])
        for view in self._views():
            ratios = layers[view].sum(axis=0)
            whole += ratios if len(view) == 1 else _at_most(ratios, most[view].max(axis=0))
        return whole

    def _views(self) -> list[list[int]]:
        """The indices of the photos, those of this moment from one direction together."""
        squares = [self.on_lattice(one.corner, one.squares, np.nan) for one in self.photos]
        views: dict[int, list[int]] = {}
        for index, photo in enumerate(self.photos):
            alike = (
                first
                for first in views
                if photo.moment is self.photos[first].moment is Moment.SAME
                and same_direction(squares[first], squares[index])
            )
            views.setdefault(next(alike, index), []).append(index)
        return [*views.values()]

    def hidden(self) -> Array:
        """(rows, cols) the probability that a place is hidden in every photo with it in window."""
        layers = [self.on_lattice(one.corner, one.hidden, np.inf) for one in self.photos]
        least = np.min(layers, axis=0)
        return np.where(np.isinf(least), 0.0, least)

    def on_lattice(self, corner: Position, values: Array, fill: float) -> Array:
        """Values (h, w, ...) of places from one position on, on all places (rows, cols, ...)."""
        (top, left), (end_row, end_col) = self.corner, self.end
        whole = np.full((end_row - top, end_col - left, *values.shape[2:]), fill)
        row, col = corner[0] - top, corner[1] - left
        whole[row : row + values.shape[0], col : col + values.shape[1]] = values
        return whole

    def positions(self, places: np.ndarray) -> tuple[Position, ...]:
        """The positions of places (rows, cols) from `corner` on, row by row."""
        return tuple(shifted((row, col), self.corner) for row, col in np.argwhere(places).tolist())

    def with_photo(self, overlay: "Overlay") -> "KingdomEvidence":
        """The evidence with that of one more photo, which was laid on it."""
        differing = tuple(sorted({*self.differing, *overlay.differing}))
        return KingdomEvidence((*self.photos, overlay.evidence), differing)


def same_direction(one: Array, other: Array) -> bool:
    """Whether two photos show a kingdom from nearly the same direction, or one is a copy.

    Then one turned, scaled and shifted is the other; another perspective is told by what is left.
    Of less than three squares none can be told.

    Args:
        one: (rows, cols, 2) middles of squares in pixels; not a number where there is none.
        other: (rows, cols, 2) those of the same squares in the other photo.
    """
    places = np.argwhere(np.isfinite(one + other).all(axis=-1))
    if len(places) < 3:
        return True
    rows, cols = places.T
    there, here, on_lattice = (
        points - points.mean()
        for points in (one[rows, cols] @ _PLANE, other[rows, cols] @ _PLANE, places @ _PLANE)
    )
    rest = here - np.vdot(there, here) / np.vdot(there, there) * there
    off = np.linalg.norm(rest) / np.linalg.norm(here) * np.linalg.norm(on_lattice)
    return bool(off / np.sqrt(len(places)) < PIPELINE.same_direction)


def _at_most(ratios: Array, most: Array) -> Array:
    """Ratios (..., labels) made smaller so that no label is further ahead than by `most` (...)."""
    margin = _margin(ratios)
    share = np.divide(most, margin, out=np.ones_like(margin), where=margin > most)
    return np.asarray(ratios * share[..., None])


def _margin(ratios: Array) -> Array:
    """How much likelier (..., labels) the likeliest label is than the next."""
    ranked = np.partition(ratios, -2, axis=-1)
    return np.asarray(ranked[..., -1] - ranked[..., -2])


# ---------------------------------------------------------------------- laying on each other


class Overlay(Struct, frozen=True, eq=False):
    """One photo's evidence laid on what is known of a kingdom.

    Attributes:
        evidence: That of the photo.
        gain: How much likelier both are if they show one kingdom that lies so (log-odds).
        agreeing: The places on which both clearly show the same square.
        differing: The places on which they clearly show different squares: one is misread.
        missing: The places on which one clearly shows a square and the other nothing, where the
            moments of the photos forbid it: the kingdom is another one, or was changed.
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


def laid_on(
    kingdom: KingdomEvidence, photo: PhotoEvidence, moment: Moment = Moment.SAME
) -> Overlay | None:
    """Lay one photo's evidence on a kingdom, as both agree best; None where that is not clear.

    Args:
        kingdom: What is known of the kingdom.
        photo: What the photo shows of it.
        moment: When it was taken, as seen from the other photos.
    """
    known = kingdom.ratios()
    ranked = sorted(_ways(known, photo.seen_from(moment).ratios), key=lambda way: -way[0])
    (gain, quarters, shift), second = ranked[0], ranked[1]
    if gain - second[0] < PIPELINE.clear_overlay and (_is_taken(known) & ~_is_clear(known)).any():
        return None
    return _overlay(kingdom, photo.turned(quarters, shifted(shift, kingdom.corner)), gain, moment)


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
    kingdom: KingdomEvidence, photo: PhotoEvidence, gain: float, moment: Moment
) -> Overlay:
    """Compare a photo's evidence, turned to the lattice, with what is known."""
    both = KingdomEvidence((*kingdom.photos, photo))
    known = both.on_lattice(kingdom.corner, kingdom.ratios(), 0.0)
    shown = both.on_lattice(photo.corner, photo.ratios, 0.0)
    labels, shown_labels = _labels(known), _labels(shown)
    clear, shown_clear = _is_clear(known), _is_clear(shown)
    lies, shown_lies = labels != EMPTY_LABEL, shown_labels != EMPTY_LABEL
    compared, grown = clear & shown_clear, np.zeros_like(lies)
    evidence = photo.seen_from(moment)
    if moment is not Moment.SAME:
        grown = shown_lies if moment is Moment.LATER else lies
        # A kingdom that is to be told of one moment has no place beyond the window of that photo.
        evidence = evidence.within(kingdom.corner, kingdom.end)
    return Overlay(
        evidence,
        gain,
        agreeing=both.positions(compared & lies & (labels == shown_labels)),
        differing=both.positions(compared & lies & shown_lies & (labels != shown_labels)),
        missing=both.positions(compared & (lies != shown_lies) & ~grown),
        clear=min(int((clear & lies).sum()), int((shown_clear & shown_lies).sum())),
    )


def _shares(ratios: Array) -> Array:
    """The probability of every label, by logarithms of ratios (..., labels)."""
    values = ratios + np.log(usual_prior())
    values = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(values / values.sum(axis=-1, keepdims=True))


def _labels(ratios: Array) -> np.ndarray:
    return np.asarray(_shares(ratios).argmax(axis=-1))


def _is_clear(ratios: Array) -> np.ndarray:
    return np.asarray(_shares(ratios).max(axis=-1) >= PIPELINE.clear_place)


def _is_seen(ratios: Array) -> np.ndarray:
    return np.asarray(np.abs(ratios).max(axis=-1) > 0)


def _is_taken(ratios: Array) -> np.ndarray:
    """Where something rather lies than nothing, and something was seen at all."""
    return np.asarray((_labels(ratios) != EMPTY_LABEL) & _is_seen(ratios))


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
    (top, left), layers = kingdom.corner, kingdom.layers()
    ratios, hidden = kingdom.ratios(), kingdom.hidden().tolist()
    labels, values = _labels(ratios), _shares(ratios).tolist()
    rows, cols = labels.shape
    grid, settling = kingdom.grid, _settling(kingdom, layers, labels)
    middles = grid.middles_of([*np.ndindex(rows, cols)]).reshape(rows, cols, 2).tolist()

    def place(row: int, col: int) -> Place:
        photo = settling[row, col]
        probabilities = tuple(values[row][col]) if photo >= 0 else _NOTHING
        x, y = middles[row][col]
        name = kingdom.photos[max(photo, 0)].photo
        return Place(probabilities, (x, y), hidden[row][col], photo=name)

    used = [one for index, one in enumerate(kingdom.photos) if (settling == index).any()]
    reading = Reading(
        tuple(tuple(place(row, col) for col in range(cols)) for row in range(rows)),
        (*doubts, *_doubts(kingdom, layers, used)),
        _apart(kingdom, labels),
        _signs(kingdom, used),
        kingdom.photos[0].photo,
    )
    return grid, reading.told_at(lambda at: shifted(at, (-top, -left)))


def _alone(photo: PhotoEvidence, doubts: Sequence[Doubt]) -> Seen:
    """The reading of a kingdom that one photo shows, as it was."""
    reading, name = photo.reading, photo.photo
    places = tuple(tuple(replace(one, photo=name) for one in line) for line in reading.places)
    told = (*doubts, *reading.doubts)
    return photo.grid, replace(reading, places=places, doubts=told, photo=name)


def _settling(kingdom: KingdomEvidence, layers: Array, labels: np.ndarray) -> npt.NDArray[np.intp]:
    """(rows, cols) the index of the photo that settles each place, -1 where none shows anything.

    The first by cost that clearly shows the label, else the one that shows it best.
    """
    order = np.argsort([one.cost for one in kingdom.photos], kind="stable")
    seen_as = layers.copy()
    for index, photo in enumerate(kingdom.photos):
        if photo.moment is Moment.LATER:  # tells which square, wherever one lies
            seen_as[index, labels != EMPTY_LABEL, EMPTY_LABEL] = -np.inf
    shares = np.take_along_axis(_shares(seen_as), labels[None, ..., None], axis=-1)[..., 0]
    shown = np.where(_is_seen(layers), shares, 0.0)[order]
    clear = shown >= PIPELINE.clear_place
    best = np.where(clear.any(axis=0), clear.argmax(axis=0), shown.argmax(axis=0))
    return np.where(shown.max(axis=0) > 0, order[best], -1)


# ---------------------------------------------------------------------- doubts and signs


def _doubts(
    kingdom: KingdomEvidence, layers: Array, used: Sequence[PhotoEvidence]
) -> Iterator[Doubt]:
    """The doubts that several photos leave; none that another photo had before.

    First that they clearly show different squares. About places: where no other photo shows them
    clearly; their factor has flattened the evidence already, and counts again only where nothing
    was seen. About the whole photo: those of photos that settle a place; of the border where every
    photo has them. Notes are those of all photos.
    """
    clear = [{*kingdom.positions(places)} for places in _is_clear(layers)]
    seen = {*kingdom.positions(np.any(_is_seen(layers), axis=0))}

    def kept(index: int, doubt: Doubt) -> Doubt | None:
        photo = kingdom.photos[index]
        if doubt.cells:
            rest = set().union(*clear[:index], *clear[index + 1 :])
            cells = tuple(at for at in doubt.cells if at not in rest)
            factor = doubt.factor if seen.isdisjoint(cells) else 1.0
            return replace(doubt, cells=cells, factor=factor) if cells else None
        if doubt.code in _OF_THE_BORDER:
            others = [one for one in kingdom.photos if one is not photo]
            return doubt if _all_have(others, doubt.code) else None
        note = doubt.factor == 1.0 or doubt.code in UNREPORTED
        return doubt if note or any(one is photo for one in used) else None

    if kingdom.differing:
        names = names_of(one.photo for one in kingdom.photos)
        yield Doubt(DoubtCode.PHOTOS_DIFFER, 0.5, kingdom.differing, {"photos": names})
    told: set[tuple[DoubtCode, tuple[Position, ...]]] = set()
    for index, photo in enumerate(kingdom.photos):
        left = [one for doubt in photo.reading.doubts if (one := kept(index, doubt))]
        yield from (one for one in left if (one.code, one.cells) not in told)
        told |= {(one.code, one.cells) for one in left}


def _signs(kingdom: KingdomEvidence, used: Sequence[PhotoEvidence]) -> tuple[Sign, ...]:
    """The signs of the photo that costs most trust among those that settle a place."""
    costliest = max(used or kingdom.photos, key=lambda one: one.cost)
    others = [one for one in kingdom.photos if one is not costliest]
    return tuple(
        sign
        for sign in costliest.reading.signs
        if sign.code not in _OF_THE_BORDER or not others or _all_have(others, sign.code)
    )


def _all_have(photos: Sequence[PhotoEvidence], code: DoubtCode) -> bool:
    """Whether every photo has a doubt or a sign of a code."""
    return all(
        code in {*(one.code for one in reading.doubts), *(one.code for one in reading.signs)}
        for reading in (photo.reading for photo in photos)
    )


def _apart(kingdom: KingdomEvidence, labels: np.ndarray) -> tuple[tuple[Position, str], ...]:
    """The squares of dominoes in line and not joined that any photo shows, beside the kingdom."""
    found = dict(one for photo in kingdom.photos for one in photo.reading.apart)
    taken = {*kingdom.positions(labels != EMPTY_LABEL)}
    return tuple(one for one in found.items() if one[0] not in taken)


def names_of(names: Iterable[str]) -> str:
    """Names one after the other, the last behind a slash."""
    *before, last = names
    return f"{', '.join(before)} / {last}" if before else last
