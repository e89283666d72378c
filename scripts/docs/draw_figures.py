"""Draw the pictures of docs/accuracy.md and docs/duel.md.

    python -m scripts.docs.draw_figures

Writes docs/accuracy.svg from models/evaluation.md, and docs/duel.svg from the map on the page.
Lengths are in the units of the drawing.
"""

import re
from html import escape

from kdvision.rules.duel.map import DuelMap
from scripts.paths import ROOT

DOCS = ROOT / "docs"
INK = "#1d1d1d"
#: Of the bars: sure, exact but doubtful, doubtful and not exact.
BARS = (("sure", "#4d8a3a"), ("exact, but doubtful", "#b9d7ae"), ("doubtful", "#d9d9d9"))
WIDTH, LEFT, ROW = 760, 170, 30
#: Of the coats on a Duel map, by their letter.
COATS = {
    "D": "#e9c46a",
    "E": "#d9a441",
    "S": "#6fa8dc",
    "T": "#3d6ea5",
    "Q": "#8fbf7f",
    "K": "#4a4a4a",
}
SPACE = 64


def main() -> None:
    """Draw both."""
    (DOCS / "accuracy.svg").write_text(accuracy_svg(), encoding="utf-8")
    (DOCS / "duel.svg").write_text(duel_svg(), encoding="utf-8")


def accuracy_svg() -> str:
    """Return a bar for each set of pictures with kingdoms."""
    parts, y = [], 44
    for number, (name, colour) in enumerate(BARS):
        parts.append(
            f'<rect x="{LEFT + 190 * number}" y="10" width="14" height="14" fill="{colour}"/>'
        )
        parts.append(text(LEFT + 190 * number + 20, 22, name))
    for name, kingdoms, exact, sure in evaluated():
        parts.append(text(LEFT - 10, y + 16, f"{name} ({kingdoms})", anchor="end"))
        left = float(LEFT)
        shares = (sure, max(exact - sure, 0), kingdoms - max(exact, sure))
        for share, (_, colour) in zip(shares, BARS, strict=True):
            width = share / kingdoms * (WIDTH - LEFT - 10)
            parts.append(rectangle(left, y, width, ROW - 8, colour))
            left += width
        y += ROW
    return svg(WIDTH, y + 6, parts)


def evaluated() -> list[tuple[str, int, int, int]]:
    """Return name, kingdoms, exact and sure of every set of whole kingdoms."""
    table = (ROOT / "models" / "evaluation.md").read_text("utf-8").split("\n### ")[1]
    rows = []
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 12 and cells[2].isdigit() and int(cells[2]):
            exact, sure = (int(cells[at].split()[0]) for at in (6, 9))
            rows.append((cells[0], int(cells[2]), exact, sure))
    return rows


def duel_svg() -> str:
    """Return the map that the page shows as text."""
    page = (DOCS / "duel.md").read_text("utf-8")
    rows = re.findall(r"^```\n((?:[-A-Z0-9 ]+\n){5})```$", page, re.MULTILINE)[0].splitlines()
    DuelMap.parse("/".join(rows))
    parts = []
    for row, line in enumerate(rows):
        for col, word in enumerate(line.split()):
            x, y = 10 + col * SPACE, 10 + row * SPACE
            fill = COATS.get(word[0], "#ffffff" if word == "-" else "#f4d9c6")
            parts.append(rectangle(x, y, SPACE - 4, SPACE - 4, fill, 'rx="6" stroke="#b8b2a7"'))
            ink = "#ffffff" if word[0] in "KT" else INK
            label = "castle" if word == "C" else "" if word == "-" else word[0]
            parts.append(text(x + 30, y + 27, label, anchor="middle", ink=ink))
            crosses = "\u00d7" * int(word[1:] or 0)
            parts.append(text(x + 30, y + 48, crosses, anchor="middle", ink=ink))
    return svg(7 * SPACE + 16, 5 * SPACE + 16, parts)


def rectangle(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    """Return a filled rectangle."""
    box = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {box} fill="{fill}" {more}/>'


def text(x: int, y: int, words: str, *, anchor: str = "start", ink: str = INK) -> str:
    """Return words at a point, or nothing where there are none."""
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{ink}">{escape(words)}</text>'
        if words
        else ""
    )


def svg(width: int, height: int, parts: list[str]) -> str:
    """Return a drawing with a white ground."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="sans-serif" font-size="14">',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            *filter(None, parts),
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    main()
