"""The stage `seams` of a run that makes the models: scenes, patches, training, file."""

from scripts.synthesis.render import render
from scripts.training.plan import Run
from scripts.training.schedule import Budget, Settings
from scripts.training.seams.data import write
from scripts.training.seams.export import export
from scripts.training.seams.train import train

#: Its own scenes: recipe, how many as a share of the number of scenes, seed.
SCENES = ("seams", 0.16, 106)
#: Scenes in looks that do not train, for the temperature.
CALIBRATION = ("seams-calibration", 0.03, 206)
#: Of other recipes it takes one scene in so many: most of what they show is no seam.
OTHERS_ONE_IN = 3
#: Its share of the budget, and how often each real board is cut.
SHARE, COPIES = 0.08, 6


def train_seams(run: Run, others: list[str]) -> None:
    """Make `seams.onnx` in the folder of the run's files.

    Args:
        run: The run; its scenes are rendered already.
        others: The recipes of these.
    """
    plan = run.plan
    for recipe, share, seed in (SCENES, CALIBRATION):
        count = max(2, round(plan.scene_count * share))
        out = run.scenes(recipe)
        for _ in render(out, recipe, count, seed, data=run.data, workers=plan.workers):
            pass
    scenes = sorted(run.scenes(SCENES[0]).glob("*.json"))
    for recipe in others:
        scenes += sorted(run.scenes(recipe).glob("*.json"))[::OTHERS_ONE_IN]
    patches, check = run.work / "seams.npz", run.work / "seams-calibration.npz"
    unseen = sorted(run.scenes(CALIBRATION[0]).glob("*.json"))
    for out, paths, data in ((patches, scenes, run.data), (check, unseen, None)):
        write(
            out,
            paths,
            data,
            seed=41,
            copies=COPIES,
            workers=plan.workers,
        )
    batch = 96 if plan.steps is None or plan.steps > 50 else 8
    budget = Budget(plan.budget * SHARE, plan.steps)
    settings = Settings(budget, 3e-3, batch, plan.seams_base, plan.workers, 9)
    train([patches], check, run.work / "seams.pt", settings)
    export(run.work / "seams.pt", run.work / "export", check=check)
