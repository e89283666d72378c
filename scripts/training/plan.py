"""What a run that makes the models shall do, and where."""

from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from scripts.data_split import data_folder
from scripts.synthesis.render import render
from scripts.training.schedule import Settings, has_bfloat16

#: Scenes of a full run that classifier and detector learn from.
SCENES = 3600
#: With fewer scenes there would be none to train on, or none to measure on.
FEWEST = 4
#: Trainings of so few steps only show that they run.
TOY_STEPS = 50
#: They learn from so few pictures at a time.
TOY_BATCH = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run shall do; kept in the working folder, so that a run goes on with the same.

    Attributes:
        size: Of scenes and steps, the share of a full run.
        painted_only: Without the data folder, on painted decks and tables alone.
        classifier_base: Channels of the classifier's first layer.
        detector_base: Channels of the detector's first layer.
        workers: Processes and threads.
    """

    size: float = 1.0
    painted_only: bool = False
    classifier_base: int = 24
    detector_base: int = 16
    workers: int = 2

    @property
    def scene_count(self) -> int:
        """All scenes that classifier and detector learn from."""
        return self.share_of(SCENES)

    def share_of(self, full: float) -> int:
        """Return how many scenes or steps a run takes of those of a full one: at least `FEWEST`."""
        return max(FEWEST, round(self.size * full))


class Run(Struct, frozen=True):
    """A run: its plan, where it works, and where its models go."""

    plan: Plan
    work: Path
    out: Path

    @property
    def data(self) -> Path | None:
        """The data folder; None where painted decks alone are wanted."""
        return None if self.plan.painted_only else data_folder()

    @property
    def export(self) -> Path:
        """Where the files are put together, before they are published."""
        return self.work / "export"

    def scenes(self, recipe: str) -> Path:
        """Return the folder of the scenes of a recipe."""
        return self.work / "scenes" / recipe

    def render(self, recipe: str, count: int, seed: int) -> list[Path]:
        """Return the truths of so many scenes of a recipe, rendered where they are missing."""
        work = self.scenes(recipe), recipe, max(1, count), seed
        return render(*work, data=self.data, workers=self.plan.workers)

    def settings(self, rate: float, batch: int, base: int, seed: int, steps: int) -> Settings:
        """Return settings of a training that takes so many steps in a full run."""
        plan, steps = self.plan, self.plan.share_of(steps)
        if steps <= TOY_STEPS:
            batch = min(batch, TOY_BATCH)
        return Settings(steps, rate, batch, base, plan.workers, seed, half=has_bfloat16())
