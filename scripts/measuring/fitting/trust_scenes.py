"""The totals that trust is fitted on: of scenes, as they are and changed, and of boards.

The scenes are rendered from what trains (groups, sources and looks) with seeds of their own, which
no training and no evaluation uses, and changed with seeds of their own. The boards are those that
train: they fill their pictures to the border, as scenes seldom do.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace

from kdvision.errors import KdvisionError
from kdvision.pipeline.decoded import decode_kingdoms
from kdvision.pipeline.judgement import Assessment
from kdvision.pipeline.results import make_result
from kdvision.pipeline.scorer import Scorer
from kdvision.pipeline.trust import Trust
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.rules import DEFAULT_RULES
from kdvision.rules.scoring import score
from scripts.arrays import Rng
from scripts.data_split import Board, boards, data_folder
from scripts.measuring.evaluation import damages
from scripts.measuring.evaluation.cases import Maker, TrueKingdom
from scripts.measuring.evaluation.scenes import place_kingdom
from scripts.measuring.evaluation.scoring import matched
from scripts.measuring.fitting.tight import Truth, cut_close
from scripts.measuring.fitting.trust_fit import Judged
from scripts.synthesis.rendering.art import read_rgb
from scripts.training.patch_data import read_scene

_SEED = 90_017
#: What boards suffer besides, each half as much at most.
_BOARD_CHANGES = ("blur", "darkness", "colour cast", "shadow", "noise", "small")


def judged_scenes(scenes: Sequence[Path], workers: int) -> list[Judged]:
    """Return every total that is read in scenes, as they are and changed, and on boards.

    Every scene is damaged as well, and every other one cut close to one of its kingdoms.

    Args:
        scenes: The descriptions (JSON) of rendered scenes; the pictures lie beside them.
        workers: Processes.
    """
    jobs = [(path, "") for path in scenes]
    jobs += [(path, "damaged") for path in scenes]
    jobs += [(path, "tight") for path in scenes[1::2]]
    real = boards(data_folder(), measuring=False)
    changed_boards = [(board, change) for board in real for change in ("", *_BOARD_CHANGES)]
    judged = _in_processes(_judge_scene, jobs, workers)
    return judged + _in_processes(_judge_board, changed_boards, workers)


def judged_cases(makers: Sequence[Maker], workers: int) -> list[Judged]:
    """Return every total that is read in cases of the evaluation."""
    return _in_processes(_judge_case, makers, workers)


def _in_processes(
    judge_one: Callable[[Any], list[Judged]], jobs: Sequence[Any], workers: int
) -> list[Judged]:
    judged: list[Judged] = []
    with ProcessPoolExecutor(workers) as pool:
        for done, totals in enumerate(pool.map(judge_one, jobs, chunksize=4), 1):
            judged += totals
            if done % 200 == 0:
                print(f"{done} of {len(jobs)} pictures", flush=True)
    return judged


def _judge_case(maker: Maker) -> list[Judged]:
    case = maker()
    assert isinstance(case.source, bytes)
    return list(_judged(case.source, list(case.kingdoms)))


@cache
def _scorer() -> Scorer:
    """Return the scorer of this process, which takes every posterior as it is."""
    cv2.setNumThreads(1)
    return Scorer(threads=1, trust=Trust())


def _random(path: Path, change: str) -> Rng:
    name = f"{path.parent.name}/{path.stem} {change}".rstrip()
    return np.random.default_rng([_SEED, zlib.crc32(name.encode())])


def _judge_scene(job: tuple[Path, str]) -> list[Judged]:
    path, change = job
    picture, truth = read_scene(path)
    rng = _random(path, change)
    if change == "tight":
        picture, truth = cut_close(rng, picture, truth)
    kingdoms = list(_kingdoms(truth, picture.shape[1::-1]))
    unit = float(np.median([kingdom.square_px for kingdom in kingdoms] or [40.0]))
    if change == "damaged":
        kind, width = str(rng.choice(list(damages.KINDS))), picture.shape[1]
        picture = damages.KINDS[kind](picture, rng, rng.random(), unit)
        kingdoms = [_scaled(kingdom, picture.shape[1] / width) for kingdom in kingdoms]
    return list(_judged(damages.as_jpeg(picture), kingdoms))


def _judge_board(job: tuple[Board, str]) -> list[Judged]:
    """Return the total of a board, as it is or with one kind of damage."""
    board, change = job
    picture, rng = read_rgb(board.path), _random(board.path, change)
    unit = picture.shape[1] / Kingdom.parse(board.line).width
    if change:
        picture = damages.KINDS[change](picture, rng, rng.uniform(0, 0.5), unit)
    return list(_judged(damages.as_jpeg(picture), [TrueKingdom(board.line)]))


def _kingdoms(truth: Truth, size: tuple[int, int]) -> Iterator[TrueKingdom]:
    """Yield the kingdoms of a scene, where they lie, and whether the border cuts them off."""
    for index, kingdom in enumerate(truth["kingdoms"]):
        squares = [square for square in truth["squares"] if square["kingdom"] == index]
        corners = np.array([square["corners"] for square in squares], float)
        labels = [square["label"] for square in squares]
        yield place_kingdom(str(kingdom["line"]), corners, labels, size)


def _scaled(kingdom: TrueKingdom, factor: float) -> TrueKingdom:
    x, y = kingdom.castle or (0.0, 0.0)
    return replace(kingdom, castle=(x * factor, y * factor), square_px=kingdom.square_px * factor)


def _judged(picture: bytes, truths: list[TrueKingdom]) -> Iterator[Judged]:
    """Yield the totals of one picture: wrong are those of no kingdom, or of one that is cut off."""
    try:
        seen = _scorer().read(picture).kingdoms
    except KdvisionError:
        return
    decoded = decode_kingdoms(seen, DEFAULT_RULES)
    said = []
    for kingdom in decoded:
        plain = Assessment(kingdom.decoded, sure=False)
        said.append(make_result(kingdom, plain, DEFAULT_RULES))
    pairs = {other: one for one, other in matched(tuple(truths), tuple(said)).items()}
    for index, kingdom in enumerate(decoded):
        doubts = {doubt.code: doubt.weight for doubt in kingdom.doubts}
        truth = truths[pairs[index]] if index in pairs else None
        total = score(Kingdom.parse(truth.line)).total if truth and not truth.cut else None
        right = said[index].sheet.total == total
        yield Judged(kingdom.decoded.probability, doubts, right)
