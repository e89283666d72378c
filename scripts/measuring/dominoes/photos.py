"""Photos of real kingdoms: how many dominoes the deck forces, and how many the seams decide."""

from collections import Counter
from pathlib import Path

from rich.table import Table

from kdvision.errors import KdvisionError
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import ReadDomino
from kdvision.rules.cover import cut_squares, forced_and_possible
from kdvision.rules.kingdom import Kingdom, Pair, position_name
from kdvision.rules.legality import BREAKS, is_legal, verdict
from scripts.measuring.evaluation.cases import photo_lines

#: How the dominoes lie that the deck leaves open: for `mat_a` what the photos before show, for the
#: others as a person sees it in the photo.
_LIE = {
    "cutting_mat_3.jpg": "a3-b3 a4-b4",
    "cutting_mat_4.jpg": "c6-c7 d6-d7",
    "mat_a_03.jpg": "a1-b1 c1-d1 a2-b2 d2-e2",
    "mat_a_04.jpg": "a1-b1 c1-d1 a2-b2 a3-b3",
    "mat_a_05.jpg": "a1-b1 c1-d1 a2-b2 c2-d2 a3-b3 a4-b4",
    "pale_table_1.jpg": "d1-d2 e1-e2",
}


def photos_table(scorer: Scorer) -> Table:
    """Every photo with a known kingdom: its dominoes, those forced, those that seams decide."""
    table = Table(title="Photos: dominoes by the deck, and by the deck and seams")
    heads = (
        "photo",
        "read exactly",
        "dominoes",
        "forced",
        "forced right",
        "told by seams",
        "told right",
        "open",
    )
    for head in (*heads, "legal"):
        table.add_column(head)
    sums: Counter[str] = Counter()
    for path, line in photo_lines():
        row = _photo_row(scorer, path, Kingdom.parse(line), sums)
        table.add_row(path.name, *row)
    table.add_row("all", *(str(sums[head]) for head in heads[1:]), "")
    return table


def _photo_row(scorer: Scorer, path: Path, truth: Kingdom, sums: Counter[str]) -> list[str]:
    squares, _ = cut_squares(truth)
    true = squares.pairs(forced_and_possible(squares)[0])
    try:
        results = scorer.score(path).kingdoms
    except KdvisionError:
        results = ()
    best = max(results, key=lambda one: one.kingdom == truth.trimmed(), default=None)
    found: tuple[ReadDomino, ...] = best.dominoes if best else ()
    exact = best is not None and best.kingdom == truth.trimmed()
    forced = {one.cells for one in found if one.probability == 1}
    told = {one.cells for one in found if BREAKS.known_from <= one.probability < 1}
    whole = len(truth.squares()) // 2
    lie = set(_LIE.get(path.name, "").split())
    counts = {
        "read exactly": int(exact),
        "dominoes": whole,
        "forced": len(true),
        "forced right": len(forced & true) if exact else 0,
        "told by seams": len(told) if exact else 0,
        "told right": len({_name(pair) for pair in told} & lie) if exact else 0,
    }
    counts["open"] = whole - counts["forced right"] - counts["told by seams"]
    sums.update(counts)
    legal = "" if best is None else str(verdict(best.problems)).lower()
    return [*map(str, counts.values()), f"{legal} (by its squares {str(is_legal(truth)).lower()})"]


def _name(pair: Pair) -> str:
    """`a1-b1`."""
    return "-".join(map(position_name, pair))
