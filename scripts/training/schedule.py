"""How long a training runs, how far it is, and how it goes on after an interruption."""

import argparse
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

#: Steps between two validations on what was held back, each followed by a checkpoint.
REPORT_EVERY = 200
#: The decay per step of the moving average of the weights: over a thousand steps, and over five
#: thousand where the learning rate stays high.
KEPT, KEPT_STEADY = 0.999, 0.9998
#: Of the highest learning rate, what a steady training ends with.
STEADY_END = 0.2
#: The first steps learn slowly, while batch normalisation finds its ranges.
WARM_STEPS, WARM_STEADY = 100, 500


Network = TypeVar("Network", bound=nn.Module)
Weights = dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Budget:
    """Minutes of training, or a number of steps where that is set: then time does not count.

    The learning rate falls `cycles` times from its highest to nothing, each in an equal share.
    In a `steady` training it falls once, in a line to a fifth, and the moving average of the
    weights reaches further back: weights that are trained already keep what they generalise, which
    a rate that falls to nothing costs them.
    """

    minutes: float
    steps: int | None = None
    cycles: int = 1
    steady: bool = False


@dataclass(slots=True)
class Clock:
    """How far a training is, over all its runs.

    Attributes:
        budget: What it may take.
        steps: Steps that were made.
        before: Seconds that earlier runs took.
    """

    budget: Budget
    steps: int = 0
    before: float = 0.0
    _started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Seconds of training so far."""
        return self.before + time.monotonic() - self._started

    @property
    def share(self) -> float:
        """From 0 at the start to 1 at the end."""
        if self.budget.steps is not None:
            return self.steps / max(self.budget.steps, 1)
        return self.seconds / max(60 * self.budget.minutes, 1e-9)

    @property
    def in_last_cycle(self) -> bool:
        """Whether the learning rate falls for the last time."""
        return self.share * self.budget.cycles >= self.budget.cycles - 1

    def rate(self, highest: float) -> float:
        """The learning rate now: up at first, then down to nothing along half a cosine, or more.

        Of a steady training: down in a line.
        """
        if self.budget.steady:
            warm = min(1.0, (self.steps + 1) / WARM_STEADY)
            return float(highest * warm * (1 - (1 - STEADY_END) * min(self.share, 1.0)))
        warm = min(1.0, (self.steps + 1) / WARM_STEPS)
        share = 1.0 if self.share >= 1 else self.share * self.budget.cycles % 1
        return float(highest * warm * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a network is trained.

    Attributes:
        budget: How long.
        rate: The highest learning rate.
        batch: Examples per step.
        base: Channels of the first layer.
        threads: Of the processor.
        seed: Of all random numbers.
        half: bfloat16 instead of single precision: twice as fast on processors that have it.
        start: A published model file to begin with; None begins with nothing.
    """

    budget: Budget
    rate: float
    batch: int
    base: int
    threads: int
    seed: int
    half: bool = False
    start: Path | None = None

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add an option for each, which is these where it is left out."""
        parser.add_argument("--minutes", type=float, default=self.budget.minutes)
        parser.add_argument("--steps", type=int, help="so many steps, whatever time they take")
        cycles = "how often the learning rate falls; of several the last two are averaged"
        parser.add_argument("--cycles", type=int, default=self.budget.cycles, help=cycles)
        steady = "for weights that are trained already: the learning rate falls to a fifth only"
        parser.add_argument("--steady", action="store_true", help=steady)
        for name in ("rate", "batch", "base", "threads", "seed"):
            usual = getattr(self, name)
            parser.add_argument(f"--{name}", type=type(usual), default=usual)
        half = "bfloat16: twice as fast where it is"
        parser.add_argument("--half", action="store_true", help=half)
        parser.add_argument("--start", type=Path, help="a published model file to begin with")

    @staticmethod
    def given(options: argparse.Namespace) -> "Settings":
        """The settings that were given on a command line."""
        return Settings(
            Budget(options.minutes, options.steps, options.cycles, options.steady),
            options.rate,
            options.batch,
            options.base,
            options.threads,
            options.seed,
            options.half,
            options.start,
        )


def device() -> torch.device:
    """The GPU that torch sees, else the processor."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def has_bfloat16() -> bool:
    """Whether this processor computes in bfloat16, as Linux tells."""
    info = Path("/proc/cpuinfo")
    text = info.read_text() if info.is_file() else ""
    return "avx512_bf16" in text or "amx_bf16" in text


class Mean(Generic[Network]):
    """A network with the moving average of the weights, over a thousand steps or so, or more."""

    def __init__(self, network: Network, budget: Budget) -> None:
        kept = KEPT_STEADY if budget.steady else KEPT
        average = cast(Any, get_ema_multi_avg_fn)(kept)
        self._mean = AveragedModel(network, multi_avg_fn=average, use_buffers=True)
        self.network: Network = cast(Network, self._mean.module)

    def update(self, network: Network) -> None:
        """Add a step to the moving average."""
        self._mean.update_parameters(network)


def placed(network: Network, place: torch.device, budget: Budget) -> tuple[Network, Mean[Network]]:
    """The network where it learns, channels last in memory, and the mean of its weights."""
    there = network.to(place)
    # torch knows this argument, its annotations do not.
    there = cast(Any, there).to(memory_format=torch.channels_last)
    return there, Mean(there, budget)


def save(path: Path, network: nn.Module, base: int, clock: Clock) -> None:
    """Write the weights, and how far the training is. A half-written file never takes its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    stored = {
        "weights": network.state_dict(),
        "base": base,
        "steps": clock.steps,
        "seconds": clock.seconds,
    }
    fresh = path.with_suffix(".new")
    torch.save(stored, fresh)
    fresh.replace(path)


def keep_end_of_cycle(out: Path, network: nn.Module, base: int, clock: Clock) -> None:
    """When the last cycle begins, keep what the one before it ended with, once."""
    if clock.budget.cycles > 1 and clock.in_last_cycle and not _end_of_cycle(out).exists():
        save(_end_of_cycle(out), network, base, clock)


def finish(
    out: Path, network: nn.Module, base: int, clock: Clock, loss: Callable[[], float] | None = None
) -> None:
    """Write what a training ends with: of several cycles, the mean of how the last two ended.

    Where both ends lie in one wide valley, a network between them is right more often than at
    either, and less sure where it is wrong. The network becomes that mean.

    Args:
        out: The file.
        network: As the last cycle ended.
        base: The channels of its first layer.
        clock: What the training has taken.
        loss: Of the network on what is held back: the mean is not kept where it is larger for it.
            A detector that began with nothing had 0.76, and 0.89 as the mean. None keeps the mean.
    """
    path = _end_of_cycle(out)
    if path.exists():
        before = torch.load(path, weights_only=True, map_location="cpu")["weights"]
        last = {name: end.clone() for name, end in network.state_dict().items()}
        alone = loss() if loss else math.inf
        network.load_state_dict(between(before, last, 0.5))
        if loss and loss() > alone:
            network.load_state_dict(last)
    save(out, network, base, clock)
    path.unlink(missing_ok=True)


def between(first: Mapping[str, Tensor], second: Mapping[str, Tensor], share: float) -> Weights:
    """The weights at a share, 0 to 1, of the way from some to others."""
    return {
        name: first[name].to(end.device).lerp(end, share) if end.is_floating_point() else end
        for name, end in second.items()
    }


def _end_of_cycle(out: Path) -> Path:
    return out.with_suffix(".cycle.pt")


def resume(path: Path, network: nn.Module, budget: Budget) -> Clock | None:
    """Load a checkpoint into the network; None where there is none."""
    if not path.exists():
        return None
    stored: Mapping[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    network.load_state_dict(stored["weights"])
    return Clock(budget, int(stored.get("steps", 0)), float(stored.get("seconds", 0.0)))
