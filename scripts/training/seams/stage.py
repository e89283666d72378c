"""The stage `seams` of a run that makes the models: scenes, patches, training, file."""

from functools import partial

from scripts.training.patch_data import cut_parts, write
from scripts.training.plan import Run
from scripts.training.seams.data import board_pairs, scene_pairs
from scripts.training.seams.export import export
from scripts.training.seams.train import train

#: Its own scenes: recipe, how many as a share of the number of scenes, seed.
SCENES = ("seams", 0.16, 106)
#: Scenes in looks that do not train, for the temperature.
CALIBRATION = ("seams-calibration", 0.03, 206)
#: Of other recipes it takes one scene in so many: most of what they show is no seam.
OTHERS_ONE_IN = 3
#: Its share of the budget.
SHARE = 0.08
#: How often each real board is cut.
COPIES = 6
#: Seed of what is cut a little off.
SEED = 41
#: Channels of the first layer.
BASE = 10


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
    settings = run.settings(3e-3, 96, BASE, 9, share=SHARE)
    export(train(patches, check, settings), run.export, check)
