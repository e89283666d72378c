"""What a run that makes the models shall do, and where."""

from dataclasses import dataclass
from pathlib import Path

from scripts.data_split import data_folder
from scripts.synthesis.render import render
from scripts.training.schedule import Settings

#: Scenes of all recipes for squares, grid and seams: more do not fit into memory while the
#: detector learns.
SCENES = 3600


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run shall do; kept in the working folder, so that a run goes on with the same.

    Attributes:
        painted_only: Without the data folder, on painted decks and tables alone.
        scenes: How many scenes each network learns from, about; None takes what its stage says.
        steps: Steps per training; None takes what its stage says.
        workers: Processes and threads.
    """

    painted_only: bool = False
    scenes: int | None = None
    steps: int | None = None
    workers: int = 2

    @property
    def scene_count(self) -> int:
        """Scenes of all recipes for squares, grid and seams."""
        return self.scenes or SCENES


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

    def settings(self, rate: float, batch: int, base: int, seed: int, *, steps: int) -> Settings:
        """Return settings of a training of so many steps, or of as many as the plan has."""
        return Settings(self.plan.steps or steps, rate, batch, base, self.plan.workers, seed)
