"""What a run that makes the models shall do, and where."""

from dataclasses import dataclass
from pathlib import Path

from scripts.data_split import data_folder
from scripts.synthesis.render import render
from scripts.training.schedule import Budget, Settings, has_bfloat16

#: Minutes on two cores that make models as good as they get; more brings little.
FULL_BUDGET = 150.0
#: Scenes per minute of the budget.
SCENES_PER_MINUTE = 38
#: The most that fit into memory while the detector learns.
MOST_SCENES = 3600
#: Trainings of so few steps only show that they run.
TOY_STEPS = 50
#: They learn from so few pictures at a time.
TOY_BATCH = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run shall do; kept in the working folder, so that a run goes on with the same.

    Attributes:
        budget: Minutes on two cores.
        painted_only: Without the data folder, on painted decks and tables alone.
        scenes: How many scenes, about; None follows the budget.
        steps: Steps per training, whatever time they take; None follows the budget.
        classifier_base: Channels of the classifier's first layer.
        detector_base: Channels of the detector's first layer.
        workers: Processes and threads.
    """

    budget: float = FULL_BUDGET
    painted_only: bool = False
    scenes: int | None = None
    steps: int | None = None
    classifier_base: int = 24
    detector_base: int = 16
    workers: int = 2

    @property
    def scene_count(self) -> int:
        """All scenes that train."""
        wanted = round(self.budget * SCENES_PER_MINUTE) if self.scenes is None else self.scenes
        return min(wanted, MOST_SCENES)


@dataclass(frozen=True, slots=True)
class Run:
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

    def settings(
        self, rate: float, batch: int, base: int, seed: int, *, share: float = 0, steps: int = 0
    ) -> Settings:
        """Return settings of a training of a share of the budget, or of so many steps.

        Where the plan has steps, every training takes these.
        """
        plan = self.plan
        if plan.steps is not None and plan.steps <= TOY_STEPS:
            batch = min(batch, TOY_BATCH)
        budget = Budget(plan.budget * share, plan.steps or steps or None)
        return Settings(budget, rate, batch, base, plan.workers, seed, half=has_bfloat16())
