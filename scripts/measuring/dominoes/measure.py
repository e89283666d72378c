"""Measure how well dominoes are found as they lie, and those that break the joining rule.

    nice python -m scripts.measuring.dominoes.measure [--typed 1000] [--rendered 100]

Prints tables and writes models/dominoes.md. Photos measure only; rendered kingdoms are shown in
looks that train nothing, at 40 pixels per square and more.
"""

import argparse
import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

import cv2
import numpy as np
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

from kdvision.decoding.cutting_posterior import cutting_posterior
from kdvision.errors import KdvisionError
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import ReadDomino
from kdvision.result import KingdomResult
from kdvision.rules.cover import cut_squares, forced_and_possible
from kdvision.rules.game.record import LaidKingdom
from kdvision.rules.kingdom import Kingdom, Pair
from kdvision.rules.legality import BREAKS, is_legal, verdict
from scripts.data_split import data_folder
from scripts.measuring.dominoes.photos import photos_table
from scripts.measuring.dominoes.planted import broken_kingdoms, last_pair, played_kingdoms
from scripts.measuring.evaluation.markdown import markdown
from scripts.paths import ROOT
from scripts.synthesis.render import RECIPES
from scripts.synthesis.rendering.compose import Sources, compose
from scripts.synthesis.rendering.scene import KingdomTruth

_SEED = 2027
#: One kingdom, no standing castle, in looks that train nothing.
_RECIPE = dataclasses.replace(
    RECIPES["seams-unseen"], counts=(1.0, 0.0, 0.0, 0.0), castles=0.0, small=0.0, smallest=40.0
)


def main() -> None:
    """Parse, measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--typed", type=int, default=1000, help="kingdoms of each kind")
    parser.add_argument("--rendered", type=int, default=100, help="pictures of each kind")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    tables = [
        photos_table(Scorer(threads=1)),
        typed_table(options.typed),
        *rendered_tables(options.rendered),
    ]
    for table in tables:
        Console().print(table)
    text = markdown("python -m scripts.measuring.dominoes.measure", tables)
    (ROOT / "models" / "dominoes.md").write_text(f"# Dominoes as they lie\n\n{text}", "utf-8")


# ---------------------------------------------------------------------- breaks


@dataclass(frozen=True, slots=True)
class Reported:
    """What is said of one kingdom: `pair` is the domino laid against the rule, None if none."""

    pair: Pair | None
    dominoes: tuple[ReadDomino, ...]
    legal: bool | None

    @property
    def verdict(self) -> str:
        """What became of a planted break, or of a kingdom that keeps the rule."""
        chance = {one.cells: one.broken for one in self.dominoes}
        if self.pair is None:
            return {True: "legal", False: "false alarm", None: "open"}[self.legal]
        if self.legal:
            return "taken as legal"
        if chance.get(self.pair, 0.0) >= BREAKS.known_from:
            return "named"
        if chance.get(self.pair, 0.0) >= BREAKS.named_from:
            return "among those named"
        return "open" if self.legal is None else "another named"


_VERDICTS = ("named", "among those named", "another named", "open", "taken as legal")
_OF_LEGAL = ("legal", "open", "false alarm")


def typed_table(count: int) -> Table:
    """Kingdoms whose squares are known, by the deck alone."""
    broken = (
        Reported(last_pair(one), cutting_posterior(one.kingdom).dominoes, is_legal(one.kingdom, 5))
        for one in islice(broken_kingdoms(_SEED), count)
    )
    kept = (
        Reported(None, (), is_legal(one.kingdom, 5))
        for one in islice(played_kingdoms(_SEED), count)
    )
    return _verdicts("Typed kingdoms, by the deck alone", broken, kept)


def _verdicts(title: str, broken: Iterable[Reported], kept: Iterable[Reported]) -> Table:
    table = Table(title=title)
    for head in ("kingdoms", "number", *dict.fromkeys((*_VERDICTS, *_OF_LEGAL))):
        table.add_column(head)
    for name, told in (("one domino laid against the rule", broken), ("laid by the rule", kept)):
        counts = Counter(one.verdict for one in told)
        number = counts.total()
        cells = [f"{counts[one]} ({counts[one] / max(number, 1):.1%})" if counts[one] else "0"
                 for one in dict.fromkeys((*_VERDICTS, *_OF_LEGAL))]  # fmt: skip
        table.add_row(name, str(number), *cells)
    return table


# ---------------------------------------------------------------------- rendered


@dataclass(frozen=True, slots=True)
class Seen:
    """A rendered kingdom and what was read of it; `result` None where it was not read exactly."""

    truth: frozenset[Pair]
    forced: frozenset[Pair]
    told: Reported | None
    result: KingdomResult | None


def rendered_tables(count: int) -> list[Table]:
    """Pictures of kingdoms with and without a break, read by the program, seams included."""
    scorer = Scorer(threads=1)
    broken = list(_seen(scorer, islice(broken_kingdoms(_SEED + 1), count), broken=True))
    kept = list(_seen(scorer, islice(played_kingdoms(_SEED + 2), count), broken=False))
    verdicts = _verdicts(
        "Rendered kingdoms that were read exactly, by the deck and seams",
        [one.told for one in broken if one.told],
        [one.told for one in kept if one.told],
    )
    return [_dominoes_table([*broken, *kept]), verdicts]


def _dominoes_table(seen: list[Seen]) -> Table:
    """How many dominoes are right, in all kingdoms that were read exactly."""
    table = Table(title="Dominoes of rendered kingdoms that were read exactly")
    for head in ("kingdoms", "dominoes", "forced", "told", "right of those told", "open"):
        table.add_column(head)
    counts: Counter[str] = Counter()
    for one in seen:
        if one.result is None:
            continue
        told = {d.cells for d in one.result.dominoes if d.probability >= BREAKS.known_from}
        counts.update(
            kingdoms=1,
            dominoes=len(one.truth),
            forced=len(one.forced),
            told=len(told),
            right=len(told & one.truth),
        )
    open_ = counts["dominoes"] - counts["told"]
    right = f"{counts['right']} ({counts['right'] / max(counts['told'], 1):.2%})"
    numbers = (f"{counts['kingdoms']} of {len(seen)}", counts["dominoes"], counts["forced"])
    table.add_row(*map(str, (*numbers, counts["told"], right, open_)))
    return table


def _seen(scorer: Scorer, kingdoms: Iterable[LaidKingdom], *, broken: bool) -> Iterator[Seen]:
    for number, laid in enumerate(kingdoms):
        image, truth = _picture(laid, number, broken=broken)
        pairs = frozenset(_ordered(pair) for pair in truth.dominoes or ())
        squares, _ = cut_squares(laid.kingdom)
        forced = squares.pairs(forced_and_possible(squares)[0])
        try:
            results = scorer.score(image).kingdoms
        except KdvisionError:
            results = ()
        result, turned = _matching(results, laid.kingdom)
        if result is None:
            yield Seen(pairs, forced, None, None)
            continue
        upright = replace(result, dominoes=turned_back(result.dominoes, result.kingdom, turned))
        pair = last_pair(laid) if broken else None
        told = Reported(pair, upright.dominoes, verdict(result.problems))
        yield Seen(pairs, forced, told, upright)


def _picture(laid: LaidKingdom, number: int, *, broken: bool) -> tuple[np.ndarray, KingdomTruth]:
    """A picture of the whole kingdom; the recipe shows some part-way, which are not kept."""
    sources = dataclasses.replace(_sources(), kingdoms=[laid])
    for attempt in range(100):
        rng = np.random.default_rng([_SEED, number, attempt, broken])
        scene = compose(rng, sources, _RECIPE)
        if len(scene.kingdoms) == 1 and scene.kingdoms[0].line == str(laid.kingdom):
            return scene.image, scene.kingdoms[0]
    raise RuntimeError(f"{laid.kingdom} is never shown whole")


@cache
def _sources() -> Sources:
    return Sources(data_folder(), measuring=True)


def _matching(results: Iterable[KingdomResult], truth: Kingdom) -> tuple[KingdomResult | None, int]:
    """The kingdom that was read exactly, and by how many turns clockwise it becomes the truth."""
    for result in results:
        for quarters in range(4):
            if result.kingdom.turned(quarters) == truth:
                return result, quarters
    return None, 0


def turned_back(
    dominoes: Iterable[ReadDomino], kingdom: Kingdom, quarters: int
) -> tuple[ReadDomino, ...]:
    """Dominoes in positions of the kingdom when it is turned clockwise."""
    found = list(dominoes)
    height, width = kingdom.height, kingdom.width
    for _ in range(quarters):
        found = [
            replace(one, cells=_ordered((col, height - 1 - row) for row, col in one.cells))
            for one in found
        ]
        height, width = width, height
    return tuple(found)


def _ordered(pair: Iterable[tuple[int, int]]) -> Pair:
    one, other = sorted((row, col) for row, col in pair)
    return one, other


if __name__ == "__main__":
    main()
