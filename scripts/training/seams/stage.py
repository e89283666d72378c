"""The stage `seams` of a run that makes the models: scenes, patches, training, calibrated file.

Of looks that did not train, the network knows printed borders less well than gaps, which are the
same everywhere: there it says *two* dominoes too often. A shift and a temperature are fitted on
pairs in such looks, so that a likelihood ratio means what it says. The shift goes into the last
layer, the temperature into the manifest.
"""

from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import nn

from kdvision.vision.models import SEAM_LABELS
from kdvision.vision.seams import ACROSS_PX, ALONG_PX
from scripts.arrays import Array, Mask
from scripts.training.export_onnx import export_small
from scripts.training.networks import OfBytes
from scripts.training.patch_data import cut_parts, write
from scripts.training.plan import Run
from scripts.training.schedule import answers
from scripts.training.seams.data import board_pairs, scene_pairs
from scripts.training.seams.train import SeamNet, balanced, train

#: Its own scenes: recipe, how many as a share of the number of scenes, seed.
SCENES = ("seams", 0.16, 106)
#: Scenes in looks that do not train, for the temperature.
CALIBRATION = ("seams-calibration", 0.03, 206)
#: Of other recipes it takes one scene in so many: most of what they show is no seam.
OTHERS_ONE_IN = 3
#: Steps of its training, in a full run.
STEPS = 3400
#: How often each real board is cut.
COPIES = 6
#: Seed of what is cut a little off.
SEED = 41
#: Channels of the first layer.
BASE = 10
#: Temperatures that are tried, evenly by their logarithm, and shifts.
TEMPERATURES = np.exp(np.linspace(np.log(0.5), np.log(3.0), 73))
SHIFTS = np.linspace(-1.5, 1.5, 61)
#: Turned by half, a pair is the same pair.
TURNED = (2, 3)


def make_seams(run: Run, others: list[str]) -> None:
    """Make `seams.onnx` in the folder of the run's files.

    Args:
        run: The run; its scenes are rendered already.
        others: The recipes of these.
    """
    count, workers = run.plan.scene_count, run.plan.workers
    recipe, share, seed = CALIBRATION
    unseen = run.render(recipe, round(count * share), seed)
    recipe, share, seed = SCENES
    scenes = run.render(recipe, round(count * share), seed)
    for recipe in others:
        scenes += sorted(run.scenes(recipe).glob("*.json"))[::OTHERS_ONE_IN]
    patches, check = run.work / "seams.npz", run.work / "seams-calibration.npz"
    of_scene = partial(scene_pairs, seed=SEED)
    of_board = partial(board_pairs, seed=SEED, copies=COPIES)
    write(patches, cut_parts(scenes, run.data, of_scene, of_board, workers))
    write(check, cut_parts(unseen, None, of_scene, of_board, workers))
    settings = run.settings(3e-3, 96, BASE, 9, STEPS)
    export(train(patches, check, settings), run.export, check)


def export(network: SeamNet, models: Path, check: Path) -> None:
    """Write `seams.onnx` and its line of the manifest.

    Args:
        network: What was trained; its last layer is shifted.
        models: The folder.
        check: Patches of looks that did not train.
    """
    data = np.load(check)
    is_domino, terrains = data["labels"].T
    logits = answers(network, data["patches"], TURNED)[:, 0].numpy().astype(np.float64)
    chances = balanced(is_domino > 0, terrains, np.zeros(len(terrains), np.uint8))
    shift, temperature = fitted(logits, is_domino > 0, chances)
    last = cast(nn.Linear, cast(Any, network.head)[-1])
    with torch.no_grad():
        last.bias.add_(shift)
    print(f"shifted by {shift:.3f}")
    patch = (ALONG_PX, ACROSS_PX)
    export_small(OfBytes(network, TURNED), "seams", patch, SEAM_LABELS, temperature, models)


def fitted(logits: Array, one: Mask, chances: Array) -> tuple[float, float]:
    """Return the shift and the temperature under which what is true is likeliest.

    Args:
        logits: (n,) what the network says.
        one: (n,) what is true.
        chances: (n,) what each counts.
    """
    ways = list(product(SHIFTS.tolist(), TEMPERATURES.tolist()))
    losses = [_loss((logits + shift) / warmth, one, chances) for shift, warmth in ways]
    shift, temperature = ways[int(np.argmin(losses))]
    return round(shift, 3), round(temperature, 3)


def _loss(logits: Array, one: Mask, chances: Array) -> float:
    """Return the mean of minus the logarithm of what was true, weighed by `chances`."""
    wrong = np.where(one, -logits, logits)
    return float((chances * np.logaddexp(0, wrong)).sum())
