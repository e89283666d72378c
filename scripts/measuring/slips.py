"""What is read of slips: fit what decides on rendered slips, and measure it on rendered tables.

    python -m scripts.measuring.slips fit [--count 600]
    python -m scripts.measuring.slips measure [--count 1000] [--workers 2] [--folder tables/]

`fit` photographs single slips and prints the numbers of `kdvision.slips.reader.LIMITS`. `measure`
renders tables of one to four kingdoms with slips, from seeds of its own, and scores them; what is
in the folder is not rendered again. Then it reads the slips, and writes its tables into a section
of `docs/tournament.md`.
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
from kdvision.slips.ownership import Outline, with_kingdoms
from kdvision.slips.slip import Slip, SlipCode
from kdvision.vision.geometry import project
from kdvision.vision.grid.finder import detect_in, grids_in
from kdvision.vision.squares.window import wanted_side
from scripts.data_split import data_folder
from scripts.measuring.evaluation import scenes
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
FIT_SEED, MEASURE_SEED = 417, 612_017
#: Sides of codes in pixels, and angles above the table in degrees, that are fitted on.
_CODE_PX, _ABOVE = (60.0, 260.0), (30.0, 90.0)
#: Longer sides of rendered tables in pixels, with how often each is drawn.
_SIDES = {1500: 0.3, 2000: 0.4, 2600: 0.2, 4000: 0.1}
#: Bands of the tables: sides of codes, angles; and from which side on a code should be read.
_SIZES, _ANGLES, _LARGE = (0, 60, 80, 100, 150, 200, 1000), (0, 45, 60, 75, 91), 150
_RECIPE = replace(
    scenes.RECIPES["tables"],
    looks={"halves": 0.7, "painted": 0.3},
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
    parser.add_argument("--folder", type=Path, default=Path("slip_tables"))
    options = parser.parse_args()
    if options.what == "fit":
        print(fit(options.count, options.workers))
        return
    photos = rendered(options.count, options.workers, options.folder)
    tables = tables_of(photos, [read_again(photo, options.folder) for photo in photos])
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
    if [code for code, _ in found] != [slip.code]:
        return []
    located = reader.locate(gray, 1.0, found[0][1])
    if len(located.marks) < reader.LEAST_MARKS or located.residual > reader.LIMITS.residual:
        return []
    bubbles = reader.measure_bubbles(located)
    if min(bubble.ring for bubble in bubbles) < reader.LIMITS.contrast or "line" in slip.damage:
        return []  # a line through a bubble is a mark, whoever drew it
    dark = dict(zip(layout.BUBBLES, reader.mark_shares(bubbles).tolist(), strict=True))
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


class Printed(Struct, frozen=True, kw_only=True):
    """What is true of one slip of a rendered table; `total` is None where a person cannot tell."""

    code: SlipCode
    kingdom: int
    code_px: float
    above: float
    light: str
    pen: str
    style: str
    fault: str
    damage: tuple[str, ...]
    total: int | None

    @property
    def clean(self) -> bool:
        """Whether its marks are as they should be, and nothing was drawn or spilt over them."""
        return not self.fault and not {"line", "smudge"} & {*self.damage}


class Photographed(Struct, frozen=True, kw_only=True):
    """One rendered table, whose picture lies in the folder: its slips, and what was scored.

    `decoded_side` is as for `read_slips`. `outlines` are the kingdoms that were found,
    `true_kingdoms` for each the index of the kingdom that it is, or None. `kingdoms` are how many
    there are, are found, and are exact; `bare` the same without slips, None where not measured.
    """

    number: int
    decoded_side: int
    slips: tuple[Printed, ...]
    outlines: tuple[Outline, ...]
    true_kingdoms: tuple[int | None, ...]
    kingdoms: tuple[int, int, int]
    bare: tuple[int, int, int] | None


class Read(Struct, frozen=True):
    """What was read of a slip, and which of the true kingdoms it is said to lie beside."""

    true: Printed
    slip: Slip | None = None
    kingdom: int | None = None

    @property
    def claimed(self) -> int | None:
        """The total that is named."""
        return self.slip.claimed if self.slip else None

    @property
    def wrong_claim(self) -> bool:
        """Whether a total was named that a person would not name."""
        return self.claimed is not None and self.claimed != self.true.total

    @property
    def owner_sure(self) -> bool:
        """Whether the slip is called that of a kingdom."""
        return self.slip is not None and not self.slip.no_kingdom


def rendered(count: int, workers: int, folder: Path) -> list[Photographed]:
    """Tables rendered and scored, as far as a folder does not hold them."""
    folder.mkdir(exist_ok=True)
    log = folder / "tables.jsonl"
    lines = log.read_bytes().splitlines() if log.exists() else []
    known = [msgspec.json.decode(line, type=Photographed) for line in lines]
    left = sorted({*range(count)} - {photo.number for photo in known})
    if left:
        kingdom_pool(MEASURE_SEED, _GAMES, folder / "kingdoms")
        context = get_context("spawn")
        with ProcessPoolExecutor(workers, context, _start, (folder,)) as pool, log.open("ab") as to:
            for photo in pool.map(_photographed, left):
                to.write(msgspec.json.encode(photo) + b"\n")
                to.flush()
                known.append(photo)
    return [photo for photo in known if photo.number < count]


_sources: Sources | None = None
_scorer: Scorer | None = None
_folder = Path()


def _start(folder: Path) -> None:
    global _sources, _scorer, _folder
    cv2.setNumThreads(1)
    pool = kingdom_pool(MEASURE_SEED, _GAMES, folder / "kingdoms")
    _sources, _scorer = Sources(data_folder(), measuring=True, kingdoms=pool), Scorer(threads=1)
    _folder = folder


def _photographed(number: int) -> Photographed:
    assert _sources is not None
    draw = np.random.default_rng([MEASURE_SEED, number])
    side = int(draw.choice(list(_SIDES), p=list(_SIDES.values())))
    recipe = replace(_RECIPE, longest=side)
    scene = compose(np.random.default_rng([MEASURE_SEED, number, 1]), _sources, recipe)
    jpeg = as_jpeg(scene.image)
    _picture(_folder, number).write_bytes(jpeg)
    results, true_kingdoms, counts = _kingdoms_read(scene, jpeg)
    bare = None
    if number % _BARE_ONE_IN == 0:
        rng = np.random.default_rng([MEASURE_SEED, number, 1])
        without = compose(rng, _sources, recipe, bare=True)
        bare = _kingdoms_read(without, as_jpeg(without.image))[2]
    return Photographed(
        number=number,
        decoded_side=_decoded_side(jpeg),
        slips=tuple(_printed(truth, scene) for truth in scene.slips),
        outlines=tuple(
            Outline(result.corners, result.kingdom.height, result.kingdom.width)
            for result in results
        ),
        true_kingdoms=true_kingdoms,
        kingdoms=counts,
        bare=bare,
    )


def _decoded_side(jpeg: bytes) -> int:
    """The longer side of the picture of a photo in which `Scorer.see` looks for slips."""
    assert _scorer is not None
    photo = open_photo(jpeg, name="table")
    grids = grids_in(detect_in(photo, _scorer.grid_session), _scorer.grid_session)
    return max(photo.decoded_side, wanted_side(photo, grids))


def _picture(folder: Path, number: int) -> Path:
    return folder / f"{number:04}.jpg"


def _kingdoms_read(
    scene: Rendered, jpeg: bytes
) -> tuple[tuple[KingdomResult, ...], tuple[int | None, ...], tuple[int, int, int]]:
    """The kingdoms read in a scene, which they are; how many there are, are found, are exact."""
    assert _scorer is not None
    height, width = scene.image.shape[:2]
    truths = tuple(
        scenes.true_kingdom(
            kingdom, [square for square in scene.squares if square.kingdom == index], width, height
        )
        for index, kingdom in enumerate(scene.kingdoms)
    )
    try:
        results = _scorer.score(jpeg, name="table").kingdoms
    except KdvisionError:
        return (), (), (len(truths), 0, 0)
    pairs = matched(truths, results)
    exact = sum(
        compare(results[other].kingdom, Kingdom.parse(truths[one].line)).total == 0
        for one, other in pairs.items()
    )
    found = {other: one for one, other in pairs.items()}
    which = tuple(map(found.get, range(len(results))))
    return results, which, (len(truths), len(pairs), exact)


def _printed(truth: SlipTruth, scene: Rendered) -> Printed:
    """What is true of a slip in a picture."""
    corners = project(truth.to_photo, np.array(layout.CODE_CORNERS))
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    outline = project(truth.to_photo, np.array(layout.SLIP_CORNERS))
    mask = np.zeros(scene.image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 1)
    gray = cv2.cvtColor(scene.image, cv2.COLOR_RGB2GRAY)[mask > 0]
    paper = float(np.percentile(gray, 80)) if len(gray) else 0.0
    slip = truth.slip
    return Printed(
        code=slip.code,
        kingdom=truth.kingdom,
        code_px=side,
        above=90 - float(np.degrees(float(scene.about["tilt"]))),
        light="dark" if paper < 100 else "glare or overexposed" if paper > 250 else "even",
        pen=slip.pen,
        style=slip.style,
        fault=slip.fault,
        damage=slip.damage,
        total=slip.total if slip.readable else None,
    )


def read_again(photo: Photographed, folder: Path) -> tuple[list[Read], int]:
    """What is read of the slips of a table; how many are read that are not there."""
    picture = open_photo(_picture(folder, photo.number))
    slips = reader.read_slips(picture, photo.decoded_side)
    found = {slip.code: slip for slip in with_kingdoms(slips, photo.outlines)}
    reads = []
    for true in photo.slips:
        slip = found.pop(true.code, None)
        owner = None if slip is None else slip.kingdom
        reads.append(Read(true, slip, None if owner is None else photo.true_kingdoms[owner]))
    return reads, len(found)


# Tables -------------------------------------------------------------------------------------

_COUNTS: dict[str, Callable[[Read], bool]] = {
    "slips": lambda read: True,
    "player read": lambda read: read.slip is not None,
    "clean marks": lambda read: read.slip is not None and read.true.clean,
    "of them unclear": lambda read: bool(read.slip and read.true.clean and read.slip.unclear),
    "claim named": lambda read: read.claimed is not None,
    "wrong claims": lambda read: read.wrong_claim,
}


def tables_of(
    photos: Sequence[Photographed], read: Sequence[tuple[list[Read], int]]
) -> list[Table]:
    """The tables: by size, angle, light, pen, mark, and the kingdoms."""
    reads = [one for found, _ in read for one in found]
    large = [one for one in reads if one.true.code_px >= _LARGE]
    sizes = [f"{low} to {high} px" for low, high in itertools.pairwise(_SIZES)]
    groups: list[tuple[str, Sequence[Read], Callable[[Printed], str], Sequence[str]]] = [
        ("side of the code", reads, lambda true: _band(true.code_px, _SIZES, " px"), sizes),
        ("degrees above the table", large, lambda true: _band(true.above, _ANGLES, "°"), ()),
        ("light", large, lambda true: true.light, ()),
        ("pen", large, lambda true: true.pen, ()),
        ("mark", large, lambda true: true.style, ()),
        ("fault of the marks", large, lambda true: true.fault or "none", ()),
    ]
    tables = []
    for title, some, key, order in groups:
        what = "" if some is reads else f" (codes of {_LARGE} pixels and more)"
        table = Table(title=f"Slips by {title}{what}")
        for head in (title, *_COUNTS):
            table.add_column(head)
        for name in order or sorted({key(one.true) for one in some}):
            _row(table, name, [one for one in some if key(one.true) == name])
        _row(table, "all", some)
        tables.append(table)
    return [*tables, _whole(photos, reads, sum(wrong for _, wrong in read))]


def _row(table: Table, name: str, reads: Sequence[Read]) -> None:
    counts = [sum(map(count, reads)) for count in _COUNTS.values()]
    table.add_row(name, *map(str, counts))


def _whole(photos: Sequence[Photographed], reads: Sequence[Read], wrong_players: int) -> Table:
    """Owners, wrong players, and kingdoms with and without slips."""
    table = Table(title="Tables, owners and kingdoms")
    for head in ("what", "count"):
        table.add_column(head)
    large = [read for read in reads if read.true.code_px >= _LARGE]
    both = [photo for photo in photos if photo.bare is not None]
    sure = [read for read in reads if read.owner_sure]
    rows = {
        "photos": len(photos),
        "slips": len(reads),
        "players read that are not in the picture": wrong_players,
        f"players read, of {len(large)} codes of {_LARGE} pixels and more": sum(
            read.slip is not None for read in large
        ),
        "owners called sure": len(sure),
        "wrong owners among them": sum(
            read.kingdom not in (None, read.true.kingdom) for read in sure
        ),
        "owners of kingdoms that do not lie as they were read": sum(
            read.kingdom is None for read in sure
        ),
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
