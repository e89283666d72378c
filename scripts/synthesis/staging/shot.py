"""What a staged photo is made of: its kingdoms, its table, its camera, its light, its props."""

from dataclasses import dataclass
from enum import StrEnum

#: (x, y) on the table, in squares; x to the right and y towards the photographer.
Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Lay:
    """A kingdom on the table.

    Attributes:
        plan: Its dominoes, see `plans`.
        at: Where its middle lies.
        turn: How far it is turned clockwise, degrees.
        colour: The player's: "blue", "green", "pink" or "yellow".
        loose: How far tiles lie off their places, in squares.
        castle: Whether the castle stands on the start tile.
        gap: What is left between neighbouring tiles, in squares.
    """

    plan: str
    at: Place = (0.0, 0.0)
    turn: float = 0.0
    colour: str = "blue"
    loose: float = 0.01
    castle: bool = False
    gap: float = 0.012


class Kind(StrEnum):
    """What may lie or stand beside kingdoms."""

    DOMINO = "a domino, face up; `what` is its number"
    BACK = "a domino, number up; `what` is its number"
    PILE = "a pile of dominoes, number up; `what` is the number on top"
    KING = "a wooden king, standing; `what` is its colour"
    LYING_KING = "a wooden king on its back; `what` is its colour"
    MUG = "a mug of coffee; `what` is its colour as r,g,b"
    PENCIL = "a pencil"
    PAD = "a sheet with scores; `what` are its lines, joined by |"


@dataclass(frozen=True, slots=True)
class Prop:
    """A thing beside the kingdoms; `turn` in degrees clockwise."""

    kind: Kind
    at: Place
    turn: float = 0.0
    what: str = ""


@dataclass(frozen=True, slots=True)
class Light:
    """The light on the table and what the camera makes of it.

    Attributes:
        gains: Of red, green and blue, in linear light; 1 is a clean white.
        sun: How far a shadow falls per height, as (x, y) on the table.
        shadow: How dark cast shadows are, 0 to 1.
        slope: By how much one side of the photo is lighter than the other.
        slope_from: From which side of the photo the light comes, degrees clockwise from right.
        vignette: By how much the corners are darker.
        shade: Corners of a soft shadow over the photo, (x, y) from 0 to 1; none if empty.
        shade_depth: How dark it is, 0 to 1.
        shade_blur: How soft its border is, as a share of the photo's width.
    """

    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    sun: Place = (0.5, 0.7)
    shadow: float = 0.35
    slope: float = 0.2
    slope_from: float = 200.0
    vignette: float = 0.12
    shade: tuple[Place, ...] = ()
    shade_depth: float = 0.0
    shade_blur: float = 0.03


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat on the table, under everything else.

    Attributes:
        surface: Name of a surface of `textures`, and its seed.
        width: Its longer side in squares; it is two thirds as high.
        at: Where its middle lies.
        turn: How far it is turned clockwise, degrees.
    """

    surface: tuple[str, int]
    width: float = 12.0
    at: Place = (0.0, 0.0)
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class Shot:
    """A staged photo.

    Attributes:
        file: Its name.
        note: What it shows, for `truth.csv`.
        kingdoms: What lies in the middle of it.
        deck: Seed of the artwork; those from 1000 on train the models.
        table: Name of a surface of `textures`, and its seed.
        table_squares: How many squares one width of the surface covers.
        table_turn: How far the surface is turned, degrees.
        mat: What lies on the table under the kingdoms, if anything.
        square: Side in pixels of a square in the middle of the photo, seen from above.
        tilt: Angle between the view and the vertical, degrees.
        roll: How far the camera is turned about its view, degrees.
        focal: Focal length as a multiple of the photo's longer side.
        target: What lies in the middle of the photo.
        portrait: Whether the photo is higher than wide.
        sideways: Whether the file is stored lying, with a tag that says so.
        light: Its light.
        props: What else lies about.
        quality: Of the JPEG.
    """

    file: str
    note: str
    kingdoms: tuple[Lay, ...]
    deck: int
    table: tuple[str, int]
    table_squares: float = 16.0
    table_turn: float = 0.0
    mat: Mat | None = None
    square: float = 120.0
    tilt: float = 10.0
    roll: float = 0.0
    focal: float = 1.0
    target: Place = (0.0, 0.0)
    portrait: bool = False
    sideways: bool = False
    light: Light = Light()
    props: tuple[Prop, ...] = ()
    quality: int = 85
