"""Measure the program on pictures that it was not trained on.

    python scripts/evaluate.py [--only photos boards samples ...] [--details]

Runs the installed package over whole photos, boards of groups that were kept out of training,
single squares of sources that were kept out, and pictures that show no kingdom. Mistakes are
counted per stage. The table is printed and written to models/evaluation.md.
"""

import argparse
import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))
from measuring.mistakes import Mistakes, compare
from measuring.tables import markdown
from rendering.sources import boards, crops, data_folder

from kdvision.errors import KdvisionError
from kdvision.pipeline import Scorer
from kdvision.result import PhotoResult, Status
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import score

ROOT = Path(__file__).resolve().parents[1]
STAGES = ("grid", "castle", "background", "terrain", "crowns")
Source = Path | NDArray[np.uint8]


@dataclass(slots=True)
class Case:
    """A picture and the kingdom in it; None when there is none."""

    name: str
    source: Source
    truth: Kingdom | None


@dataclass(slots=True)
class Tally:
    """What came of one set of pictures."""

    name: str
    count: int = 0
    found: int = 0
    exact: int = 0
    seen_exact: int = 0
    right_total: int = 0
    sure: int = 0
    silent: int = 0
    mistakes: Mistakes = field(default_factory=Mistakes)
    details: list[str] = field(default_factory=list)

    @property
    def bound(self) -> str:
        """The 95 % bound on the rate of silent errors among the sure results."""
        if self.sure == 0:
            return "-"
        return f"{3 / self.sure:.1%}" if self.silent == 0 else f"{self.silent / self.sure:.1%} seen"


def main() -> None:
    """Parse, run the sets, print and write."""
    sets = {"photos": photos, "boards": held_boards, "samples": samples, "not kingdoms": others}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=[*sets, "squares"], default=[*sets, "squares"])
    parser.add_argument("--details", action="store_true", help="name every picture that went wrong")
    options = parser.parse_args()
    scorer = Scorer()
    tallies = [run(name, make(), scorer) for name, make in sets.items() if name in options.only]
    tables = [kingdom_table(tallies)]
    if "squares" in options.only:
        tables.append(square_table(scorer))
    console = Console(width=120)
    for table in tables:
        console.print(table)
    if options.details:
        for tally in tallies:
            console.print("\n".join(tally.details), highlight=False)
    if set(options.only) == {*sets, "squares"}:
        (ROOT / "models" / "evaluation.md").write_text(markdown("scripts/evaluate.py", tables))


def photos() -> Iterator[Case]:
    """Whole photos of real kingdoms."""
    data = data_folder()
    with (data / "photos.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            yield Case(row["file"], data / "photos" / row["file"], Kingdom.parse(row["kingdom"]))


def held_boards() -> Iterator[Case]:
    """Rectified boards of groups that were kept out of training."""
    for board in boards(data_folder(), measuring=True):
        yield Case(board.path.name, board.path, Kingdom.parse(board.line))


def samples() -> Iterator[Case]:
    """Our own rendered photos with one kingdom each."""
    with (ROOT / "samples" / "truth.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        alone = sum(other["file"] == row["file"] for other in rows) == 1
        if alone:
            truth = Kingdom.parse(row["kingdom"]) if row["kingdom"] else None
            yield Case(row["file"], ROOT / "samples" / row["file"], truth)


def others() -> Iterator[Case]:
    """Pictures of the game without a kingdom of ours."""
    for path in sorted((data_folder() / "not_kingdoms").glob("*")):
        yield Case(path.name, path, None)


def run(name: str, cases: Iterator[Case], scorer: Scorer) -> Tally:
    """Score every picture of a set and count."""
    tally = Tally(name)
    for case in cases:
        tally.count += 1
        try:
            source = str(case.source) if isinstance(case.source, Path) else case.source
            result: PhotoResult | None = scorer.score(source, name=case.name)
        except KdvisionError:
            result = None
        judge(tally, case, result)
    return tally


def judge(tally: Tally, case: Case, result: PhotoResult | None) -> None:
    """Add one result to a tally."""
    kingdom = result.kingdoms[0] if result and result.kingdoms else None
    sure = bool(result and result.status is Status.SURE)
    tally.sure += sure
    if case.truth is None:
        tally.silent += sure
        tally.exact += not sure
        tally.details.append(f"{tally.name} {case.name}: {result.status if result else 'none'}")
        return
    said = kingdom.sheet.kingdom if kingdom else None
    mistakes = compare(said, case.truth)
    exact = mistakes.total == 0
    right = kingdom is not None and kingdom.sheet.total == score(case.truth).total
    seen = Kingdom.parse(kingdom.seen) if kingdom and kingdom.seen else said
    tally.found += mistakes.grid == 0
    tally.exact += exact
    tally.seen_exact += compare(seen, case.truth).total == 0
    tally.right_total += right
    tally.silent += sure and not right
    tally.mistakes.add(mistakes)
    if not exact or not sure:
        probability = f"{kingdom.probability:.3f}" if kingdom else "-"
        tally.details.append(
            f"{tally.name} {case.name}: {'exact' if exact else mistakes}, "
            f"{'sure' if sure else 'doubtful'} ({probability}) {result.message if result else ''}\n"
            f"  said  {said}\n  truth {case.truth}"
        )


def kingdom_table(tallies: list[Tally]) -> Table:
    """A line per set of pictures."""
    table = Table(title="Whole kingdoms")
    heads = ("set", "pictures", "grid found", "exact", "exact as seen", "right total", "sure")
    for head in (*heads, "silent errors", "95 % bound", *STAGES):
        table.add_column(head, justify="left" if head == "set" else "right")
    for tally in tallies:
        counts = (tally.count, tally.found, tally.exact, tally.seen_exact, tally.right_total)
        stages = [str(getattr(tally.mistakes, stage)) for stage in STAGES]
        numbers = [str(number) for number in (*counts, tally.sure, tally.silent)]
        table.add_row(tally.name, *numbers, tally.bound, *stages)
    return table


def square_table(scorer: Scorer) -> Table:
    """Single squares of sources that were kept out of training."""
    from patch_data import crop_patch

    every = crops(data_folder(), measuring=True)
    rng = np.random.default_rng(0)
    patches = np.stack([crop_patch(crop, every, rng) for crop in every])
    labels = scorer.read_patches(patches)
    table = Table(title="Single squares (crops of sources kept out of training)")
    for head in ("kind", "squares", "right", "share"):
        table.add_column(head, justify="left" if head == "kind" else "right")
    for kind in ("terrain and crowns", "castle", "background", "all"):
        mine = [index for index, crop in enumerate(every) if kind in ("all", _kind(crop.label))]
        right = sum(labels[index] == every[index].label for index in mine)
        table.add_row(kind, str(len(mine)), str(right), f"{right / max(len(mine), 1):.2%}")
    return table


def _kind(label: str) -> str:
    return {"C": "castle", "-": "background"}.get(label, "terrain and crowns")


if __name__ == "__main__":
    main()
