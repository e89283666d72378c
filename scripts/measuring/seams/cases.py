"""Kingdoms whose dominoes are known, with what the seam network says of every pair of squares.

Everything goes the way of a photo: the finder's own grid, the window as the program rectifies it.
"""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kdvision.photo.photo import Photo, open_photo
from kdvision.rules.kingdom import Kingdom, Pair, Position
from kdvision.vision.geometry import project, rectify
from kdvision.vision.grid.finder import Grid, detect_in, grids_in, middles
from kdvision.vision.models import ModelEntry, Session, load_model
from kdvision.vision.seams import cut_pairs, likelihood_ratios, read_seams
from kdvision.vision.squares.kingdoms import kingdoms_on
from kdvision.vision.squares.reader import read_grid
from kdvision.vision.squares.window import BORDER_PX, PX_PER_SQUARE
from scripts.data_split import boards
from scripts.synthesis.rendering.art import read_rgb
from scripts.training.seams.data import known_pairs, neighbour_pairs, scene_pairs_of

Array = NDArray[np.float64]
#: A square lies on a place of a grid when its centre is nearer than so many squares.
NEAR = 0.35


@dataclass(frozen=True, slots=True)
class Case:
    """A kingdom in a picture.

    Attributes:
        name: Of the picture.
        kind: The look, or the set.
        kingdom: What lies there.
        known: The pairs of neighbours of which is known whether they are one domino. Of a rendered
            kingdom all; of a real one what the deck forces.
        ratios: What the network says of all neighbours; None where the kingdom was not found.
        px: The side of a square in the picture, in pixels.
    """

    name: str
    kind: str
    kingdom: Kingdom
    known: Mapping[Pair, bool]
    ratios: Mapping[Pair, float] | None
    px: float


@cache
def _models(name: str, folder: Path | None) -> tuple[Session, ModelEntry]:
    return load_model(name, folder, threads=1)


def scene_cases(path: Path, models: Path | None) -> Iterator[Case]:
    """The kingdoms of a rendered scene whose dominoes are known."""
    truth = json.loads(path.read_text())
    photo = open_photo(path.with_suffix(".jpg"))
    grids = grids_in(detect_in(photo, _models("grid", None)[0]), _models("grid", None)[0])
    for number, entry in enumerate(truth["kingdoms"]):
        if entry.get("dominoes") is None:
            continue
        kingdom = Kingdom.parse(entry["line"])
        one = scene_pairs_of(entry)
        known = {pair: pair in one for pair in neighbour_pairs(kingdom)}
        corners = [np.array(s["corners"]) for s in truth["squares"] if s["kingdom"] == number]
        px = float(np.median([_area(quad) ** 0.5 for quad in corners]))
        ratios = None
        for grid in grids:
            places = _places(np.array(entry["homography"]), kingdom, grid)
            if places is not None:
                ratios = _ratios(photo, grid, kingdom, places, models)
                break
        look = str(truth["about"]["look"])
        yield Case(path.stem, look, kingdom, known, ratios, px)


def photo_cases(data: Path, models: Path | None) -> Iterator[Case]:
    """The whole photos, where they were read as they are labelled."""
    with (data / "photos.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        kingdom = Kingdom.parse(row["kingdom"])
        photo = open_photo(data / "photos" / row["file"])
        grid, turned, places = _read(photo, kingdom)
        known = known_pairs(turned)
        ratios = _ratios(photo, grid, turned, places, models) if grid else None
        px = grid.square_px if grid else 0.0
        yield Case(row["file"], "photos", turned, known, ratios, px)


def board_cases(data: Path, models: Path | None) -> Iterator[Case]:
    """The real boards kept out of training, from their own grids."""
    session, entry = _models("seams", models)
    for board in boards(data, measuring=True):
        kingdom, picture = Kingdom.parse(board.line), read_rgb(board.path)
        rows, cols = kingdom.height, kingdom.width
        scale = np.diag([picture.shape[1] / cols, picture.shape[0] / rows, 1.0])
        flat = rectify(picture, scale, rows, cols, px=PX_PER_SQUARE, border=BORDER_PX)
        centres = middles(rows, cols)
        known = known_pairs(kingdom)
        pairs = list(neighbour_pairs(kingdom))
        said = likelihood_ratios(cut_pairs(flat, centres, pairs), session, entry.temperature)
        ratios = dict(zip(pairs, said.tolist(), strict=True))
        px = picture.shape[1] / cols
        yield Case(board.path.name, "boards", kingdom, known, ratios, px)


def _read(photo: Photo, kingdom: Kingdom) -> tuple[Grid | None, Kingdom, dict[Position, Position]]:
    """The grid on which a kingdom was read as it is, the kingdom as it lies there, its places."""
    session, entry = _models("squares", None)
    for grid in grids_in(detect_in(photo, _models("grid", None)[0]), _models("grid", None)[0]):
        for reading in kingdoms_on(read_grid(photo, grid, session, entry.temperature), grid):
            rows, cols = zip(*reading.taken, strict=True)
            top, left = min(rows), min(cols)
            lines = [
                " ".join(place.label for place in row[left : max(cols) + 1])
                for row in reading.places[top : max(rows) + 1]
            ]
            seen = Kingdom.parse("/".join(lines))
            if seen.same_up_to_turns(kingdom):
                return grid, seen, {(r, c): (r + top, c + left) for (r, c), _ in seen.cells()}
    return None, kingdom, {}


def _places(homography: Array, kingdom: Kingdom, grid: Grid) -> dict[Position, Position] | None:
    """Where the squares of a kingdom lie on a grid; None where it is not its grid."""
    squares = list(kingdom.squares())
    centres = np.array([(col + 0.5, row + 0.5) for row, col in squares])
    pixels = project(homography, centres) + 0.5
    at = project(np.asarray(np.linalg.inv(grid.homography), np.float64), pixels)
    cells = np.floor(at).astype(int)
    if (np.abs(at - cells - 0.5) > NEAR).any() or len({*map(tuple, cells)}) < len(squares):
        return None
    if (cells < 0).any() or (cells >= [grid.cols, grid.rows]).any():
        return None
    return {square: (int(row), int(col)) for square, (col, row) in zip(squares, cells, strict=True)}


def _ratios(
    photo: Photo,
    grid: Grid,
    kingdom: Kingdom,
    places: Mapping[Position, Position],
    models: Path | None,
) -> dict[Pair, float]:
    session, entry = _models("seams", models)
    pairs = list(neighbour_pairs(kingdom))
    there = [(places[one], places[other]) for one, other in pairs]
    said = read_seams(photo, grid, there, session, entry.temperature)
    return {pair: said[at] for pair, at in zip(pairs, there, strict=True)}


def _area(quad: Array) -> float:
    x, y = quad.T
    return 0.5 * abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))))
