"""A photo becomes the kingdoms in it: `Vision.read` is the one door."""

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path

from msgspec.structs import replace

from kdvision.concurrency import cores, map_threads
from kdvision.errors import NoKingdomError
from kdvision.logs import log_debug
from kdvision.photo.photo import Photo
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.kingdom import Pair, Position
from kdvision.sentences import Sentence
from kdvision.vision.colours import read_colours
from kdvision.vision.doubts import find_unread, find_unseen, look_for_doubts
from kdvision.vision.found import Found, FoundKingdom
from kdvision.vision.grid.finder import detect_squares, find_grids, recheck
from kdvision.vision.grid.grid import Grid
from kdvision.vision.left_out import (
    doubt_beside,
    find_left_out,
    find_unclear,
    note_left_out,
    note_unclear,
)
from kdvision.vision.models import Model, load_model
from kdvision.vision.obstructions import read_obstructions
from kdvision.vision.seams import read_seams
from kdvision.vision.selection import (
    is_made_out,
    mark_loose_dominoes,
    may_be_kingdom,
    select_kingdoms,
)
from kdvision.vision.squares.castle import look_over_castle
from kdvision.vision.squares.groups import kingdoms_on
from kdvision.vision.squares.reader import read_grid
from kdvision.vision.squares.window import view_window

#: Grids of a photo that are read at a time, at most.
MOST_SIDE_BY_SIDE = 4


class Vision:
    """Reads photos. Opens the models once; one object serves many photos and threads.

    Args:
        models: Folder of the models; None takes those of the package.
        threads: Threads for one photo; 0 takes the machine's cores.

    Raises:
        ModelError: A model is missing or damaged.
    """

    def __init__(self, models: Path | None = None, threads: int = 0) -> None:
        self.grid = load_model("grid", models, threads=threads)
        self.squares = load_model("squares", models, threads=1)
        self.covers = load_model("covers", models, threads=1)
        self.obstructions = load_model("obstructions", models, threads=1)
        self.colours = load_model("colours", models, threads=1)
        self._models = models
        self._threads = threads or cores()
        self._side_by_side = min(self._threads, MOST_SIDE_BY_SIDE)

    @cached_property
    def seams(self) -> Model:
        """The model of seams, opened when a kingdom asks for it."""
        return load_model("seams", self._models, threads=1)

    def read(self, photo: Photo) -> Found:
        """Find the kingdoms in a photo, and read what lies on their places.

        Raises:
            NoKingdomError: There is no kingdom in the photo.
            UnreadablePhotoError: The photo cannot be decoded.
        """
        # All that lies on the grids, and what of it may be a kingdom.
        detection = detect_squares(photo, self.grid)
        grids = find_grids(detection, self.grid, self._threads)
        log_debug(__name__, "%s: grids found: %d.", photo.name, len(grids))
        read_tiles = partial(self._read_tiles, photo, max(1, self._threads // max(1, len(grids))))
        tiles = map_threads(read_tiles, grids, self._side_by_side)
        clear: list[tuple[FoundKingdom, Reading]] = []
        unclear: list[FoundKingdom] = []
        for everything in tiles:
            kingdoms = find_kingdoms(everything)
            made_out = [kingdom for kingdom in kingdoms if is_made_out(kingdom.reading)]
            unclear += [kingdom for kingdom in kingdoms if kingdom not in made_out]
            clear += [(kingdom, everything.reading) for kingdom in made_out]
        # The kingdoms that are reported, and notes on what is not.
        every = [kingdom for kingdom, _ in clear]
        marked = [mark_loose_dominoes(kingdom, reading, every) for kingdom, reading in clear]
        doubted = map_threads(self._look_for_doubts, marked, self._side_by_side)
        selected, notes = select_kingdoms(doubted)
        left_out = find_left_out(tiles, selected, unclear)
        notes += [note_left_out(group, selected) for group in left_out]
        not_read = find_unclear(unclear, selected)
        notes += [note_unclear(kingdom) for kingdom in not_read]
        if not selected:
            raise explain_none(photo, tiles, notes)
        selected = [doubt_beside(kingdom, left_out + not_read) for kingdom in selected]
        log_debug(__name__, "%s: kingdoms read: %d.", photo.name, len(selected))
        return Found(tuple(selected), tuple(notes))

    def read_seams(self, kingdom: FoundKingdom, pairs: Sequence[Pair]) -> dict[Pair, float]:
        """Read the seams between places of a kingdom, see `seams.read_seams`.

        Pairs that reach beyond the grid are left out: nobody looked there.
        """
        reading = kingdom.reading
        inside = [pair for pair in pairs if pair[0] in reading and pair[1] in reading]
        if not inside:
            return {}
        return read_seams(kingdom.view.flat, kingdom.grid.centres, inside, self.seams)

    def read_colours(self, kingdom: FoundKingdom, castle: Position) -> tuple[float, ...]:
        """Read how likely the castle on a place has each colour, see `colours.read_colours`."""
        return tuple(read_colours(kingdom.cut_castle(castle), self.colours).tolist())

    def _read_tiles(self, photo: Photo, threads: int, grid: Grid) -> FoundKingdom:
        """Read all that lies on a grid; its window is made wide enough for the kingdoms."""
        for last in (False, False, True):
            view = view_window(photo, grid)
            reading = read_grid(photo, grid, self.squares, view, threads)
            tiles = FoundKingdom(photo, grid, reading, view)
            if last or not any(one.reading.reaches_border for one in find_kingdoms(tiles)):
                break
            grid = grid.widened(1, 1, 1, 1)
        return tiles

    def _look_for_doubts(self, kingdom: FoundKingdom) -> FoundKingdom:
        """Look again where a castle hides places, and add the doubts about a kingdom.

        With a second detection, where that helps.
        """
        grid, view = kingdom.grid, kingdom.view
        reading = look_over_castle(kingdom.reading, grid, view, self.squares)
        kingdom = replace(kingdom, reading=reading)
        if find_unseen(grid, reading) or find_unread(grid, reading):
            again = recheck(kingdom.photo, grid, reading, self.grid)
            kingdom = replace(kingdom, grid=again)
        obstructed = read_obstructions(kingdom, self.covers, self.obstructions)
        return look_for_doubts(kingdom, obstructed)


def find_kingdoms(tiles: FoundKingdom) -> list[FoundKingdom]:
    """Find what may be a kingdom among the tiles of a grid."""
    readings = [one for one in kingdoms_on(tiles.reading, tiles.grid) if may_be_kingdom(one)]
    kingdoms = []
    for reading in readings:
        others = {at for other in readings if other is not reading for at in other.taken}
        grid = tiles.grid.without(others - set(reading.taken))
        kingdoms.append(replace(tiles, grid=grid, reading=reading))
    return kingdoms


def explain_none(
    photo: Photo, tiles: Sequence[FoundKingdom], notes: Sequence[Doubt]
) -> NoKingdomError:
    """Explain why a photo has no kingdom: by its tiles, and whether a castle is among them."""
    groups = [group for each in tiles for group in each.reading.groups()]
    if any(note.code is DoubtCode.TILES_NOT_READ for note in notes):
        reason = "no-kingdom.not-made-out"
    elif any(group.castle for group in groups):
        reason = "no-kingdom.few-squares"
    elif tiles:
        reason = "no-kingdom.no-castle"
    else:
        reason = "no-kingdom.no-tiles"
    sentence = Sentence("no-kingdom.found", {"shown": reason})
    beside = list(dict.fromkeys(note.sentence for note in notes))
    if photo.damage:
        beside.append(photo.damage)
    elif photo.is_array:
        beside.append(Sentence("no-kingdom.channels"))
    return NoKingdomError(sentence, photo=photo.name, notes=beside)
