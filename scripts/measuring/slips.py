"""What is read of slips: fit what decides on rendered slips, and measure it on rendered tables.

    python -m scripts.measuring.slips fit [--count 600]
    python -m scripts.measuring.slips measure [--count 1000] [--workers 2] [--log slips.jsonl]

`fit` photographs single slips and prints the numbers of `kdvision.slips.reader.LIMITS`. `measure`
renders tables of one to four kingdoms with slips, from seeds of its own, and writes its tables into
a section of `docs/tournament.md`. What is in the log is not measured again.
"""

import argparse
import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import msgspec
import numpy as np
from msgspec import Struct
from rich.console import Console
from rich.table import Table
from scipy.optimize import minimize

from kdvision.errors import KdvisionError
from kdvision.photo.photo import open_photo
from kdvision.pipeline.scorer import Scorer
from kdvision.result import KingdomResult
from kdvision.rules.kingdom import Kingdom
from kdvision.slips import codes, layout, reader
from kdvision.slips.ownership import Outline, assign
from kdvision.slips.slip import SlipCode
from kdvision.vision.geometry import project
from scripts.data_split import data_folder
from scripts.measuring.evaluation import scenes
from scripts.measuring.evaluation.cases import TrueKingdom
from scripts.measuring.evaluation.damages import as_jpeg
from scripts.measuring.evaluation.markdown import markdown
from scripts.measuring.evaluation.mistakes import compare
from scripts.measuring.evaluation.scoring import matched
from scripts.paths import ROOT
from scripts.synthesis.render import LOWEST
from scripts.synthesis.rendering.compose import Sources, compose, kingdom_pool
from scripts.synthesis.rendering.scene import Rendered, SlipTruth
from scripts.synthesis.slip_photos import slip_photo
from scripts.synthesis.slips import random_slip

#: Seeds; what is fitted on one is measured on the other.
FIT_SEED, MEASURE_SEED = 417, 190_417
#: Sides of codes in pixels, and angles above the table in degrees, that are fitted on.
_CODE_PX, _ABOVE = (60.0, 260.0), (30.0, 90.0)
#: Longer sides of rendered tables in pixels, with how often each is drawn.
_SIDES = {1500: 0.3, 2000: 0.5, 2600: 0.2}
#: Bands of the tables: sides of codes, angles; and from which side on a code should be read.
_SIZES, _ANGLES, _LARGE = (0, 60, 80, 100, 150, 200, 1000), (0, 45, 60, 75, 91), 150
_RECIPE = replace(
    scenes.RECIPES["tables"],
    looks={"halves": 0.5, "painted": 0.5},
    painted_seeds=(3000, 3008),
    counts=(0.5, 0.2, 0.15, 0.15),
    castles=0.2,
    slips=0.95,
    share=(0.8, 0.95, 1.05),
    tilt=LOWEST,
)
_GAMES = 30
#: One table in so many is scored without its slips as well.
_BARE_ONE_IN = 4
#: The section of the page that the tables are written into.
_PAGE = ROOT / "docs" / "tournament.md"
_HEADING = """
## Slips: what is read

Rendered tables of one to four kingdoms with slips, from seeds that nothing was fitted on. Clean
marks are those without a fault, a smudge or a line through them.
""".rstrip()
_BEGIN, _END = "<!-- slips: begin -->", "<!-- slips: end -->"


def main() -> None:
    """Parse, fit or measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["fit", "measure"])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--log", type=Path, default=Path("slips.jsonl"))
    options = parser.parse_args()
    if options.what == "fit":
        print(fit(options.count, options.workers))
        return
    photos = measured(options.count, options.workers, options.log)
    tables = tables_of(photos)
    console = Console(width=110)
    for table in tables:
        console.print(table)
    text = markdown("python -m scripts.measuring.slips measure", tables)
    write_section(_PAGE, f"{_HEADING}\n\n{text}")


# Fit ----------------------------------------------------------------------------------------


def fit(count: int, workers: int) -> reader.Limits:
    """The limits that tell marks from unmarked and from rubbed out bubbles of rendered slips.

    Logistic regression, of which the three kinds weigh the same: few are rubbed out, and taking one
    for a mark is what must not happen.
    """
    with ProcessPoolExecutor(workers) as pool:
        found = [one for many in pool.map(_bubbles, range(count), chunksize=8) for one in many]
    darkness = np.array([dark for dark, _ in found])
    kinds = np.array([kind for _, kind in found])
    weight = 1 / np.bincount([_KINDS.index(kind) for kind in kinds])
    weight = weight[[_KINDS.index(kind) for kind in kinds]]
    sign = np.where(kinds == "marked", 1, -1)

    def loss(numbers: "np.ndarray") -> float:
        middle, slope = numbers
        return float((weight * np.logaddexp(0, -sign * slope * (darkness - middle))).sum())

    middle, slope = minimize(loss, [0.5, 20.0], method="Nelder-Mead").x
    for kind in _KINDS:
        some = np.quantile(darkness[kinds == kind], [0, 0.01, 0.5, 0.99, 1]).round(3)
        print(kind, (kinds == kind).sum(), *some)
    return msgspec.structs.replace(
        reader.LIMITS, middle=round(float(middle), 3), slope=round(float(slope), 1)
    )


_KINDS = ("marked", "plain", "rubbed out")


def _bubbles(number: int) -> list[tuple[float, str]]:
    """How dark the bubbles of one rendered slip are, and what was done to them."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([FIT_SEED, number])
    slip = random_slip(rng, SlipCode("F1TT1", 1, 1, number % 4000 + 1), faulty=0.4)
    px, above = float(np.exp(rng.uniform(*np.log(_CODE_PX)))), float(rng.uniform(*_ABOVE))
    photo = slip_photo(rng, slip, code_px=px, above=above)
    gray = np.asarray(cv2.cvtColor(photo.image, cv2.COLOR_RGB2GRAY), np.uint8)
    found, _ = codes.find_codes(gray)
    if [one.code for one in found] != [slip.code]:
        return []
    located = reader.locate(gray, found[0].corners)
    if len(located.marks) < reader.LEAST_MARKS or located.residual > reader.LIMITS.residual:
        return []
    bubbles = reader.measure_bubbles(located)
    if min(bubble.ring for bubble in bubbles) < reader.LIMITS.contrast or "line" in slip.damage:
        return []  # a line through a bubble is a mark, whoever drew it
    dark = reader.mark_shares(bubbles, reader.LIMITS.dark)
    kinds: list[tuple[float, str]] = []
    for place, true in zip(layout.PLACES, f"{slip.total:03}", strict=True):
        fault = slip.fault_in(place)
        others = sorted(dark[place, digit] for digit in range(10) if digit != int(true))
        if fault == "corrected":
            kinds.append((others.pop(), "rubbed out"))
        if fault in ("", "corrected", "erased"):
            kinds.append((dark[place, int(true)], "rubbed out" if fault == "erased" else "marked"))
            kinds += [(other, "plain") for other in others]
    return kinds


# Measure ------------------------------------------------------------------------------------


class Read(Struct, frozen=True, kw_only=True):
    """One slip of a rendered table: what is true of it, and what was read."""

    code_px: float
    above: float
    light: str
    pen: str
    style: str
    fault: str
    damage: tuple[str, ...]
    found: bool
    claimed: int | None
    truth: int | None
    unclear: str
    owner_sure: bool = False
    owner_right: bool = False

    @property
    def clean(self) -> bool:
        """Whether its marks are as they should be, and nothing was drawn or spilt over them."""
        return not self.fault and not {"line", "smudge"} & {*self.damage}

    @property
    def wrong_claim(self) -> bool:
        """Whether a total was named that a person would not name."""
        return self.claimed is not None and self.claimed != self.truth


class Photographed(Struct, frozen=True, kw_only=True):
    """One rendered table: its slips, and its kingdoms with and without them.

    `wrong_players` are slips that were read and are not in the picture. `kingdoms` are how many
    there are, are found, and are exact; `bare` the same without slips, None where not measured.
    """

    number: int
    slips: tuple[Read, ...]
    wrong_players: int
    kingdoms: tuple[int, int, int]
    bare: tuple[int, int, int] | None


def measured(count: int, workers: int, log: Path) -> list[Photographed]:
    """What was read on tables, as far as the log does not know it; appended to the log."""
    lines = log.read_bytes().splitlines() if log.exists() else []
    known = [msgspec.json.decode(line, type=Photographed) for line in lines]
    left = sorted({*range(count)} - {photo.number for photo in known})
    kingdom_pool(MEASURE_SEED, _GAMES, log.with_suffix(".kingdoms"))
    setup = (log.with_suffix(".kingdoms"),)
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, _start, setup) as pool, log.open("ab") as file:
        for photo in pool.map(_photographed, left):
            file.write(msgspec.json.encode(photo) + b"\n")
            file.flush()
            known.append(photo)
    return [photo for photo in known if photo.number < count]


_sources: Sources | None = None
_scorer: Scorer | None = None


def _start(kingdoms: Path) -> None:
    global _sources, _scorer
    cv2.setNumThreads(1)
    pool = kingdom_pool(MEASURE_SEED, _GAMES, kingdoms)
    _sources, _scorer = Sources(data_folder(), measuring=True, kingdoms=pool), Scorer(threads=1)


def _photographed(number: int) -> Photographed:
    assert _sources is not None and _scorer is not None
    draw = np.random.default_rng([MEASURE_SEED, number])
    side = int(draw.choice(list(_SIDES), p=list(_SIDES.values())))
    recipe = replace(_RECIPE, longest=side)
    scene = compose(np.random.default_rng([MEASURE_SEED, number, 1]), _sources, recipe)
    results, counts = _kingdoms_read(scene)
    bare = None
    if number % _BARE_ONE_IN == 0:
        rng = np.random.default_rng([MEASURE_SEED, number, 1])
        bare = _kingdoms_read(compose(rng, _sources, recipe, bare=True))[1]
    photo = open_photo(as_jpeg(scene.image), name=str(number))
    slips = reader.read_slips(photo, max(photo.width, photo.height))
    outlines = [
        Outline(result.corners, result.kingdom.height, result.kingdom.width) for result in results
    ]
    owned = assign([slip.corners for slip in slips], outlines)
    true_kingdoms = {found: true for true, found in matched(_true_kingdoms(scene), results).items()}
    codes = [truth.slip.code for truth in scene.slips]
    reads = []
    for truth in scene.slips:
        index = next((n for n, slip in enumerate(slips) if slip.code == truth.slip.code), None)
        read = _about(truth, scene)
        if index is not None:
            slip, owner = slips[index], owned[index]
            theirs = None if owner.kingdom is None else true_kingdoms.get(owner.kingdom)
            read = msgspec.structs.replace(
                read,
                found=True,
                claimed=slip.claimed,
                unclear=slip.unclear,
                owner_sure=owner.is_sure and owner.kingdom is not None,
                owner_right=theirs == truth.kingdom,
            )
        reads.append(read)
    wrong = sum(slip.code not in codes for slip in slips)
    return Photographed(
        number=number, slips=tuple(reads), wrong_players=wrong, kingdoms=counts, bare=bare
    )


def _kingdoms_read(scene: Rendered) -> tuple[tuple[KingdomResult, ...], tuple[int, int, int]]:
    """The kingdoms read in a scene; how many there are, are found, and are exact."""
    assert _scorer is not None
    truths = _true_kingdoms(scene)
    try:
        results = _scorer.score(as_jpeg(scene.image), name="table").kingdoms
    except KdvisionError:
        return (), (len(truths), 0, 0)
    pairs = matched(truths, results)
    exact = sum(
        compare(results[other].kingdom, Kingdom.parse(truths[one].line)).total == 0
        for one, other in pairs.items()
    )
    return results, (len(truths), len(pairs), exact)


def _true_kingdoms(scene: Rendered) -> tuple[TrueKingdom, ...]:
    height, width = scene.image.shape[:2]
    return tuple(
        scenes.true_kingdom(
            kingdom, [square for square in scene.squares if square.kingdom == index], width, height
        )
        for index, kingdom in enumerate(scene.kingdoms)
    )


def _about(truth: SlipTruth, scene: Rendered) -> Read:
    """What is true of a slip in a picture."""
    corners = project(truth.to_photo, np.array(layout.CODE_CORNERS))
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    outline = project(truth.to_photo, np.array(layout.SLIP_CORNERS))
    mask = np.zeros(scene.image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 1)
    gray = cv2.cvtColor(scene.image, cv2.COLOR_RGB2GRAY)[mask > 0]
    paper = float(np.percentile(gray, 80)) if len(gray) else 0.0
    light = "dark" if paper < 100 else "glare or overexposed" if paper > 250 else "even"
    slip = truth.slip
    return Read(
        code_px=side,
        above=90 - float(np.degrees(float(scene.about["tilt"]))),
        light=light,
        pen=slip.pen,
        style=slip.style,
        fault=slip.fault,
        damage=slip.damage,
        found=False,
        claimed=None,
        truth=slip.total if slip.readable else None,
        unclear="",
    )


# Tables -------------------------------------------------------------------------------------

_COUNTS: dict[str, Callable[[Read], bool]] = {
    "slips": lambda read: True,
    "player read": lambda read: read.found,
    "clean marks": lambda read: read.found and read.clean,
    "of them unclear": lambda read: read.found and read.clean and read.claimed is None,
    "claim named": lambda read: read.claimed is not None,
    "wrong claims": lambda read: read.wrong_claim,
}


def tables_of(photos: Sequence[Photographed]) -> list[Table]:
    """The tables: by size, angle, light, pen, mark, and the kingdoms."""
    reads = [read for photo in photos for read in photo.slips]
    large = [read for read in reads if read.code_px >= _LARGE]
    sizes = [f"{low} to {high} px" for low, high in itertools.pairwise(_SIZES)]
    groups: list[tuple[str, Sequence[Read], Callable[[Read], str], Sequence[str]]] = [
        ("side of the code", reads, lambda read: _band(read.code_px, _SIZES, " px"), sizes),
        ("degrees above the table", large, lambda read: _band(read.above, _ANGLES, "°"), ()),
        ("light", large, lambda read: read.light, ()),
        ("pen", large, lambda read: read.pen, ()),
        ("mark", large, lambda read: read.style, ()),
        ("fault of the marks", large, lambda read: read.fault or "none", ()),
    ]
    tables = []
    for title, some, key, order in groups:
        what = "" if some is reads else f" (codes of {_LARGE} pixels and more)"
        table = Table(title=f"Slips by {title}{what}")
        for head in (title, *_COUNTS):
            table.add_column(head)
        for name in order or sorted({key(read) for read in some}):
            _row(table, name, [read for read in some if key(read) == name])
        _row(table, "all", some)
        tables.append(table)
    return [*tables, _whole(photos, reads)]


def _row(table: Table, name: str, reads: Sequence[Read]) -> None:
    counts = [sum(map(count, reads)) for count in _COUNTS.values()]
    table.add_row(name, *map(str, counts))


def _whole(photos: Sequence[Photographed], reads: Sequence[Read]) -> Table:
    """Owners, wrong players, and kingdoms with and without slips."""
    table = Table(title="Tables, owners and kingdoms")
    for head in ("what", "count"):
        table.add_column(head)
    large = [read for read in reads if read.code_px >= _LARGE]
    both = [photo for photo in photos if photo.bare is not None]
    sure = [read for read in reads if read.owner_sure]
    rows = {
        "photos": len(photos),
        "slips": len(reads),
        "players read that are not in the picture": sum(photo.wrong_players for photo in photos),
        f"players read, of {len(large)} codes of {_LARGE} pixels and more": sum(
            read.found for read in large
        ),
        "owners called sure": len(sure),
        "wrong owners among them": sum(not read.owner_right for read in sure),
        f"kingdoms found with slips, of {sum(p.kingdoms[0] for p in both)}": sum(
            photo.kingdoms[1] for photo in both
        ),
        "kingdoms found in the same pictures without slips": sum(p.bare[1] for p in both if p.bare),
        "kingdoms exact with slips": sum(photo.kingdoms[2] for photo in both),
        "kingdoms exact in the same pictures without slips": sum(p.bare[2] for p in both if p.bare),
    }
    for name, value in rows.items():
        table.add_row(name, str(value))
    return table


def _band(value: float, steps: Sequence[int], unit: str) -> str:
    low, high = next(
        (pair for pair in itertools.pairwise(steps) if value < pair[1]), (steps[-2], steps[-1])
    )
    return f"{low} to {high}{unit}"


def write_section(page: Path, text: str) -> None:
    """Put a text between the marks of a page, or at its end with the marks."""
    whole = page.read_text("utf-8") if page.exists() else "# Slips\n"
    section = f"{_BEGIN}\n{text}{_END}\n"
    before, mark, rest = whole.partition(_BEGIN)
    after = rest.partition(f"{_END}\n")[2] if mark else ""
    page.write_text(f"{before}{section}{after}" if mark else f"{whole}\n{section}", "utf-8")


if __name__ == "__main__":
    main()
