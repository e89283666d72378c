"""Draw the photos of samples/ and write their truth.

    python -m scripts.synthesis.make_samples

Everything in them is artwork of our own. What lies where is written in `sample_book.toml`. The same
versions of the libraries write the same bytes.
"""

import csv
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image as Pictures

from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score
from scripts.arrays import Array, Image, Rng
from scripts.paths import SAMPLES
from scripts.pictures import resized
from scripts.synthesis import textures
from scripts.synthesis.rendering.art import COLOURS, Deck, painted_deck
from scripts.synthesis.rendering.camera import Camera, look_at
from scripts.synthesis.rendering.castles.boards import draw_boards
from scripts.synthesis.rendering.figures import lying_king
from scripts.synthesis.rendering.layout import Piece, Spread, apply, lay_kingdom, pose
from scripts.synthesis.rendering.light import expose
from scripts.synthesis.rendering.placement import centred
from scripts.synthesis.rendering.scene import cast_shadows, draw_piece, draw_table
from scripts.synthesis.rendering.table_textures import number_side
from scripts.synthesis.sample_book import Lay, Shot, Thing, book, read_plan
from scripts.synthesis.textures.base import Surface

COLUMNS = ("file", "kingdom", "colour", "total", "size", "note")
#: The longer and the shorter side of every photo, in pixels.
SIZE = (1600, 1200)
#: It is drawn so many times larger, then averaged.
FINER = 2
#: A deck without pictures: enough to lay kingdoms on a table.
_NO_DOMINOES: dict[int, list[Image]] = {number: [] for number in range(1, 49)}
BLANK = Deck("blank", _NO_DOMINOES, {colour: [] for colour in COLOURS})
#: Side of a painted square in pixels.
PAINTED = 352
#: How high the face of a tile lies, in squares.
THICKNESS = 0.05
#: What is left between neighbouring tiles, in squares.
GAP = 0.012
#: Where a shadow falls per height, as (x, y) on the table.
SUN = np.array([0.5, 0.7])
#: How dark it is.
SHADOW = 0.35
#: The colour of the sides of tiles.
CARDBOARD = np.array([168, 150, 122])
#: The EXIF tag that says how a picture lies.
_ORIENTATION = 0x0112
#: Its value for "to be shown turned clockwise".
_TURN_CLOCKWISE = 6


class SampleKingdom(Struct, frozen=True, eq=False):
    """A kingdom as it lies in a photo.

    Attributes:
        kingdom: Turned by quarters so that its columns run to the right as far as they can.
        colour: That of its castle.
        castle_at: (2,) pixel of the middle of its start tile.
        dominoes: (n, 2, 2) pixels of the middles of the two squares of each domino.
    """

    kingdom: Kingdom
    colour: str
    castle_at: Array
    dominoes: Array


def main() -> None:
    """Draw, check, write."""
    cv2.setNumThreads(1)
    for shot in book():
        path = SAMPLES / shot.file
        save(shot, draw(shot), path)
        print(f"{shot.file}: {path.stat().st_size // 1000} kB", flush=True)
    write_truth(SAMPLES / "truth.csv")


def draw(shot: Shot) -> Image:
    """Return the photo of a shot, (h, w, 3) RGB. The same shot gives the same pixels."""
    deck, camera = painted_deck(shot.deck, PAINTED), camera_of(shot)
    spreads, rng = lay_out(shot, deck), np.random.default_rng(shot.light)
    name, seed = shot.table
    texture = textures.TABLES[name](Surface(np.random.default_rng(seed), 1536, 2048))
    image = draw_table(camera, texture, shot.table_squares, 0.0)
    # What lies flat, the kingdoms last.
    pieces = [_piece(thing, deck, rng) for thing in shot.things if thing.kind != "king"]
    pieces += [piece for spread in spreads for piece in spread.pieces]
    cast_shadows(image, camera, pieces, SUN, SHADOW)
    for piece in pieces:
        draw_piece(image, camera, piece, CARDBOARD)
    # What stands or lies on it.
    for lay, spread in zip(shot.kingdoms, spreads, strict=True):
        if lay.castle and spread.castle_at is not None:
            castle = deck.castles[lay.colour]
            draw_boards(image, camera, castle, spread.castle_at, 0.62, np.radians(lay.turn))
    for thing in shot.things:
        if thing.kind == "king":
            king = deck.kings[thing.what]
            lying_king(king, np.array(thing.at), 0.5, np.radians(thing.turn))(image, camera)
    return expose(resized(image, 1 / FINER), rng)


def camera_of(shot: Shot) -> Camera:
    """Return the camera of a shot, for the picture that is drawn larger first."""
    width, height = reversed(SIZE) if shot.portrait else SIZE
    return look_at(
        shot.target,
        size=(width * FINER, height * FINER),
        square_px=shot.square * FINER,
        tilt=-np.radians(shot.tilt),
        focal=1.0,
    )


def lay_out(shot: Shot, deck: Deck) -> list[Spread]:
    """Return the kingdoms of a shot on the table."""
    rng = np.random.default_rng([7, shot.deck])
    return [_lay(lay, deck, rng) for lay in shot.kingdoms]


def _lay(lay: Lay, deck: Deck, rng: Rng) -> Spread:
    """Return a kingdom on the table, its middle where the shot wants it."""
    kingdom, dominoes = read_plan(lay.plan)
    deck = replace(deck, starts={lay.colour: deck.starts[lay.colour]})
    where = centred(kingdom, np.array(lay.at), np.radians(lay.turn), 1.0 + GAP + lay.loose)
    return lay_kingdom(kingdom, dominoes, deck, rng, where, lay.loose)


def _piece(thing: Thing, deck: Deck, rng: Rng) -> Piece:
    """Return a domino beside the kingdoms, face up or number up."""
    half = np.array([[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]])
    quad = apply(pose(thing.at, np.radians(thing.turn)), half)
    face_up = thing.kind == "domino"
    return Piece(deck.dominoes[int(thing.what)] if face_up else [number_side(rng)], quad)


# ---------------------------------------------------------------------- truth


def sample_kingdoms(shot: Shot) -> list[SampleKingdom]:
    """Return how the kingdoms of a shot lie in the photo, in the reading order of castles."""
    camera = camera_of(shot)
    kingdoms = [_laid(spread, camera) for spread in lay_out(shot, BLANK)]
    return sorted(kingdoms, key=lambda laid: (laid.castle_at[1], laid.castle_at[0]))


def _laid(spread: Spread, camera: Camera) -> SampleKingdom:
    """Return how a kingdom lies in the photo."""
    to_pixels = camera.plane(THICKNESS) @ spread.pose
    rows, cols = spread.kingdom.height, spread.kingdom.width
    steps = np.array([[0, 0], [0.5, 0], [0, 0.5]])
    ends = apply(to_pixels, np.array([cols / 2, rows / 2]) + steps)
    right, down = ends[1] - ends[0], ends[2] - ends[0]
    # The direction in which the columns run after 0 to 3 quarter turns of the grid.
    runs = [right, -down, -right, down]
    quarters = int(np.argmax([run[0] / np.linalg.norm(run) for run in runs]))
    ((row, col),) = spread.kingdom.castles()
    pairs = np.array(spread.dominoes or [], float).reshape(-1, 2)[:, ::-1] + 0.5
    return SampleKingdom(
        spread.kingdom.turned(quarters),
        spread.colour,
        apply(to_pixels, np.array([[col + 0.5, row + 0.5]]))[0] / FINER,
        (apply(to_pixels, pairs) / FINER).reshape(-1, 2, 2),
    )


def write_truth(path: Path) -> None:
    """Write the truth of all photos as CSV: a row per kingdom, or one without a kingdom."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for shot in book():
            for laid in sample_kingdoms(shot):
                sheet = score(laid.kingdom)
                cells = (str(laid.kingdom), laid.colour, sheet.total, sheet.size)
                writer.writerow([shot.file, *cells, shot.note])
            if not shot.kingdoms:
                writer.writerow([shot.file, "", "", "", "", shot.note])


def save(shot: Shot, image: Image, path: Path) -> None:
    """Write the JPEG; a sideways one is stored lying on its side, with the tag that says so."""
    picture = Pictures.fromarray(image)
    exif = Pictures.Exif()
    if shot.sideways:
        picture = picture.transpose(Pictures.Transpose.ROTATE_90)
        exif[_ORIENTATION] = _TURN_CLOCKWISE
    picture.save(path, quality=85, optimize=True, exif=exif)


if __name__ == "__main__":
    main()
