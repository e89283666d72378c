"""The stage of reading: what lies on the grids of a photo, the kingdoms with their doubts."""

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct

from kdvision.concurrency import map_threads
from kdvision.errors import NoKingdomError
from kdvision.photo.photo import Photo
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.sentences import Sentence
from kdvision.vision.doubts import find_unread, find_unseen, look_for_doubts, read_covers
from kdvision.vision.grid.finder import PhotoDetection, recheck
from kdvision.vision.grid.grid import Grid
from kdvision.vision.models import Session
from kdvision.vision.selection import (
    KingdomReading,
    is_made_out,
    mark_loose_dominoes,
    may_be_kingdom,
    note_left_out,
    note_unclear,
    select_kingdoms,
)
from kdvision.vision.squares.castle import likeliest_castle
from kdvision.vision.squares.groups import groups, kingdoms_on
from kdvision.vision.squares.reader import read_grid
from kdvision.vision.squares.window import WindowView, view_window

#: Maximum number of grids of a photo that are read in parallel.
MOST_SIDE_BY_SIDE = 4


class PhotoReading(Struct, frozen=True, eq=False):
    """The kingdoms of one photo as they were read, in the reading order of their castles.

    Attributes:
        kingdoms: The grid of each and its reading, with doubts.
        notes: What was left out, region by region.
        views: The windows of grids as seen from above, as far as they were made.
    """

    kingdoms: tuple[KingdomReading, ...]
    notes: tuple[Doubt, ...]
    views: Mapping[Grid, WindowView]


class _GridReading(Struct, frozen=True, eq=False):
    """What lies on one grid: all that was read there, and the kingdoms with their doubts.

    `unclear` are like kingdoms, and too few of their squares are made out.
    """

    grid: Grid
    view: WindowView
    reading: Reading
    kingdoms: tuple[KingdomReading, ...]
    unclear: tuple[Reading, ...]


class KingdomReader(Struct, frozen=True, eq=False):
    """Reads kingdoms with the models of squares and grids.

    Attributes:
        squares: The session of the model `squares`.
        temperature: Divides its logits.
        grids: The session of the model `grid`, for a second detection.
        covers: The session of the model `covers`.
        threads: Number of threads for one photo.
    """

    squares: Session
    temperature: float
    grids: Session
    covers: Session
    threads: int

    def read(self, photo: Photo, detected: PhotoDetection, grids: Sequence[Grid]) -> PhotoReading:
        """Read every grid of a photo; keep the kingdoms that have a castle.

        Args:
            photo: The photo.
            detected: What the detector found in it.
            grids: The grids that were fitted to that.

        Raises:
            NoKingdomError: There is no kingdom on them.
        """
        readers = max(1, self.threads // max(1, len(grids)))
        work = partial(self._read_kingdoms, photo, readers)
        results = map_threads(work, grids, min(self.threads, MOST_SIDE_BY_SIDE))
        bare = [result.grid for result in results if not result.kingdoms]
        size = (photo.width, photo.height)
        kingdoms = [kingdom for result in results for kingdom in result.kingdoms]
        selected, notes = select_kingdoms(bare, kingdoms, size)
        everything = [(result.grid, result.reading) for result in results]
        unclear = [(result.grid, reading) for result in results for reading in result.unclear]
        notes += note_left_out(everything, selected, size, unclear)
        notes += note_unclear(unclear, selected, size)
        if not selected:
            castle = any(
                likeliest_castle(group) for _, reading in everything for group in groups(reading)
            )
            raise _explain_none(photo, notes, tiles=bool(grids), castle=castle)
        views = {result.grid: result.view for result in results}
        return PhotoReading(tuple(selected), tuple(notes), views)

    def _read_kingdoms(self, photo: Photo, readers: int, grid: Grid) -> _GridReading:
        """Read a grid by `readers` threads; its window is made wide enough for the kingdoms."""
        for last in (False, False, True):
            view = view_window(photo, grid)
            reading = read_grid(photo, grid, self.squares, self.temperature, view, readers)
            kingdoms = [
                kingdom for kingdom in kingdoms_on(reading, grid) if may_be_kingdom(kingdom)
            ]
            if last or not any(kingdom.reaches_border for kingdom in kingdoms):
                break
            grid = grid.widened(1, 1, 1, 1)
        clear = [
            mark_loose_dominoes(kingdom, reading, grid)
            for kingdom in kingdoms
            if is_made_out(kingdom)
        ]
        unclear = [kingdom for kingdom in kingdoms if not is_made_out(kingdom)]
        covered = read_covers(view, self.covers) if clear else None
        # Where a second detection helps, the kingdom has its grid from that.
        marked = []
        for kingdom in clear:
            is_open = find_unseen(grid, kingdom) or find_unread(grid, kingdom)
            fitted = recheck(photo, grid, kingdom, self.grids) if is_open else grid
            marked.append((fitted, look_for_doubts(photo, fitted, kingdom, view, covered)))
        return _GridReading(grid, view, reading, tuple(marked), tuple(unclear))


def _explain_none(
    photo: Photo, notes: Sequence[Doubt], *, tiles: bool, castle: bool
) -> NoKingdomError:
    """Why a photo with or without tiles, with or without a castle among them, has no kingdom."""
    reason = "no-kingdom.no-castle" if tiles else "no-kingdom.no-tiles"
    if any(note.code is DoubtCode.TILES_NOT_READ for note in notes):
        reason = "no-kingdom.not-made-out"
    elif castle:
        reason = "no-kingdom.few-squares"
    sentence = Sentence("no-kingdom.found", {"shown": reason})
    remarks = [note.sentence for note in notes]
    if photo.damage:
        remarks.append(photo.damage)
    elif photo.is_array:
        remarks.append(Sentence("no-kingdom.channels"))
    return NoKingdomError(sentence, photo=photo.name, notes=remarks)
