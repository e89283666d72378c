"""Draw the rooms of the package and the way of a photo through them, for docs/architecture.md.

    python -m scripts.docs.draw_architecture

Writes docs/architecture.svg. Lengths are in the units of the drawing, from its top left corner.
"""

from dataclasses import dataclass
from html import escape
from itertools import combinations

from scripts.paths import ROOT

TARGET = ROOT / "docs" / "architecture.svg"
WIDTH, HEIGHT = 1200, 690
#: Fill and edge of the boxes by what a room deals in.
COLOURS = {
    "pixels": ("#e3eefb", "#3d6ea5"),
    "judgement": ("#e6f4e1", "#4d8a3a"),
    "output": ("#fdf0d8", "#b07a1e"),
    "caller": ("#f0e8f7", "#7a569c"),
    "ground": ("#ececec", "#6b6b6b"),
}
INK = "#1d1d1d"


@dataclass(frozen=True, slots=True)
class Box:
    """A room: its name in bold, and lines that say what it does."""

    name: str
    lines: tuple[str, ...]
    kind: str
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow through points, with the value that passes written at one of them."""

    points: tuple[tuple[int, int], ...]
    label: str = ""
    at: tuple[int, int] = (0, 0)


BOXES = (
    Box(
        "cli",
        ("parses, calls one function,", "prints"),
        "caller", 40, 78, 250, 78,
    ),
    Box(
        "serve",
        ("for phones and programs;", "desk: a night of many tables"),
        "caller", 320, 78, 250, 78,
    ),
    Box("tournament", ("batch, verify,", "standings, names"), "caller", 600, 78, 250, 78),
    Box("pipeline", ("Scorer: calls the stages", "in this order"), "output", 880, 78, 280, 78),
    Box("photo", ("formats, limits,", "decoders, damage"), "pixels", 40, 260, 150, 96),
    Box("vision/grid", ("detector, lattice,", "homography"), "pixels", 250, 260, 150, 96),
    Box("vision/squares", ("patches, classifier,", "castle"), "pixels", 460, 240, 170, 70),
    Box("vision/seams", ("one domino or two",), "pixels", 460, 320, 170, 52),
    Box("vision/doubt", ("signs that a reading", "may be wrong"), "pixels", 690, 260, 170, 96),
    Box("vision/settings", ("thresholds of vision",), "ground", 250, 376, 170, 52),
    Box("decoding", ("the likeliest", "kingdoms of the deck"), "judgement", 920, 240, 200, 96),
    Box("report", ("text, JSON,", "overlay, html"), "output", 600, 420, 170, 78),
    Box("result", ("KingdomResult,", "PhotoResult"), "output", 830, 420, 170, 78),
    Box(
        "rules",
        ("kingdoms, scoring, legality, covers; game, duel: the standard library only",),
        "ground", 40, 534, 810, 58,
    ),
    Box(
        "errors, files, logs, options",
        ("used by all but the rules",),
        "ground", 880, 534, 280, 58,
    ),
    Box(
        "sentences",
        ("what reports and pages both say, in each language",),
        "ground", 40, 612, 390, 58,
    ),
    Box(
        "slips",
        ("slips of paper beside kingdoms: whose they are",),
        "pixels", 460, 612, 390, 58,
    ),
    Box("columns", ("the columns of every table",), "ground", 880, 612, 280, 58),
)  # fmt: skip
ARROWS = (
    Arrow(((14, 308), (40, 308)), "bytes", (20, 298)),
    Arrow(((190, 308), (250, 308)), "Photo", (220, 298)),
    Arrow(((400, 308), (460, 308)), "Grid", (430, 298)),
    Arrow(((630, 308), (690, 308)), "Reading", (660, 298)),
    Arrow(((860, 290), (920, 290)), "Reading", (890, 280)),
    Arrow(((1060, 336), (1060, 459), (1000, 459)), "Decoded", (1096, 404)),
    Arrow(((830, 459), (770, 459))),
    Arrow(((600, 459), (505, 459))),
)
NOTES = (
    (40, 40, "who calls", False),
    (40, 206, "the way of a photo", False),
    (300, 464, "sheet, JSON, picture, page", True),
    (40, 420, "up to vision: arrays of pixels", True),
    (40, 444, "from Reading on: frozen dataclasses", True),
    (880, 40, "the stages in order", False),
)


def main() -> None:
    """Write the picture."""
    TARGET.write_text(drawing(), encoding="utf-8")


def drawing() -> str:
    """The whole picture as SVG."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-label="The rooms of kdvision and the way of a photo through them" '
        'font-family="Helvetica, Arial, sans-serif" font-size="14.5">',
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" '
        f'markerHeight="8" orient="auto"><path d="M0 0 10 5 0 10z" fill="{INK}"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        *map(_box, BOXES),
        *map(_arrow, ARROWS),
        *(_text(x, y, text, anchor="start", italic=italic) for x, y, text, italic in NOTES),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _box(box: Box) -> str:
    fill, edge = COLOURS[box.kind]
    middle = box.x + box.width // 2
    top = box.y + box.height // 2 - 10 * len(box.lines) + 5
    rows = [_text(middle, top, box.name, bold=True)]
    rows += [_text(middle, top + 20 * n, line) for n, line in enumerate(box.lines, 1)]
    return (
        f'<rect x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="9" '
        f'fill="{fill}" stroke="{edge}" stroke-width="2"/>' + "".join(rows)
    )


def _arrow(arrow: Arrow) -> str:
    path = " ".join(f"{x},{y}" for x, y in arrow.points)
    line = (
        f'<polyline points="{path}" fill="none" stroke="{INK}" stroke-width="2" '
        'marker-end="url(#tip)"/>'
    )
    return line + (_text(*arrow.at, arrow.label, italic=True) if arrow.label else "")


def _text(
    x: int, y: int, text: str, *, anchor: str = "middle", bold: bool = False, italic: bool = False
) -> str:
    style = ' font-weight="bold"' if bold else ' font-style="italic"' if italic else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{INK}"{style}>{escape(text)}</text>'


def overlaps() -> list[tuple[str, str]]:
    """Boxes that lie on one another; there should be none."""
    return [(a.name, b.name) for a, b in combinations(BOXES, 2) if _meet(a, b)]


def _meet(one: Box, other: Box) -> bool:
    apart = (
        one.x + one.width <= other.x
        or other.x + other.width <= one.x
        or one.y + one.height <= other.y
        or other.y + other.height <= one.y
    )
    return not apart


if __name__ == "__main__":
    main()
