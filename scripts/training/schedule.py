"""One loop that trains every network: how long, how far, and on after an interruption."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

#: Steps between two validations on what was held back, each followed by a checkpoint.
REPORT_EVERY = 400
#: The decay per step of the moving average of the weights.
KEPT = 0.999
#: The first steps learn slowly, while batch normalisation finds its ranges.
WARM_STEPS = 100
#: Gradients are no longer than this: one strange batch does not undo many.
LONGEST_GRADIENT = 5.0


Network = TypeVar("Network", bound=nn.Module)
Weights = dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Budget:
    """Minutes of training, or a number of steps where that is set: then time does not count."""

    minutes: float
    steps: int | None = None


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

    def rate(self, highest: float) -> float:
        """The learning rate now: up at first, then down to nothing along half a cosine."""
        warm = min(1.0, (self.steps + 1) / WARM_STEPS)
        fallen = 0.5 + 0.5 * np.cos(np.pi * min(self.share, 1.0))
        return float(highest * warm * fallen + 1e-6)


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
        start: The end of another training, to begin with; None begins with nothing.
    """

    budget: Budget
    rate: float
    batch: int
    base: int
    threads: int
    seed: int
    half: bool = False
    start: Path | None = None


def device() -> torch.device:
    """The GPU that torch sees, else the processor."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def has_bfloat16() -> bool:
    """Whether this processor computes in bfloat16, as Linux tells."""
    info = Path("/proc/cpuinfo")
    text = info.read_text() if info.is_file() else ""
    return "avx512_bf16" in text or "amx_bf16" in text


def learn(
    network: Network,
    out: Path,
    settings: Settings,
    *,
    draw: Callable[[int], tuple[Tensor, Tensor]],
    loss_of: Callable[[Tensor, Tensor], Tensor],
    measure: Callable[[Network], str],
    decay: float,
    averaged: bool = True,
) -> None:
    """Train a network and write its weights; goes on from what is there.

    Args:
        network: A new one.
        out: The file of the weights.
        settings: How long and how.
        draw: Gives so many random examples with what is true of them.
        loss_of: Of outputs and what is true.
        measure: A text about what was held back.
        decay: Of weights, per step.
        averaged: Whether the moving average of the weights is what was learnt.
    """
    if (clock := resume(out, network, settings.budget)) is None:
        clock = Clock(settings.budget)
        if settings.start:
            network.load_state_dict(torch.load(settings.start, weights_only=True)["weights"])
    count = sum(weight.numel() for weight in network.parameters())
    print(f"{out.stem}: {count:,} weights, from step {clock.steps}", flush=True)
    place = device()
    # torch knows this argument, its annotations do not.
    network = cast(Any, network.to(place)).to(memory_format=torch.channels_last)
    average = cast(Any, get_ema_multi_avg_fn)(KEPT)
    mean = AveragedModel(network, multi_avg_fn=average, use_buffers=True)
    learnt = cast(Network, mean.module) if averaged else network
    optimizer = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=decay)
    # The next batch is drawn while the network learns from this one.
    drawer = ThreadPoolExecutor(1)
    waiting = drawer.submit(draw, settings.batch)
    while clock.share < 1:
        for group in optimizer.param_groups:
            group["lr"] = clock.rate(settings.rate)
        network.train()
        pictures, truth = waiting.result()
        waiting = drawer.submit(draw, settings.batch)
        pictures = pictures.to(place, memory_format=torch.channels_last)
        with torch.autocast(place.type, torch.bfloat16, enabled=settings.half):
            output = network(pictures)
        loss = loss_of(output.float(), truth.to(place))
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(network.parameters(), LONGEST_GRADIENT)
        optimizer.step()
        mean.update_parameters(network)
        clock.steps += 1
        if clock.steps % REPORT_EVERY == 0:
            _report(out, clock, measure(learnt))
            save(out, learnt, settings.base, clock)
    drawer.shutdown(cancel_futures=True)
    save(out, learnt, settings.base, clock)
    _report(out, clock, measure(learnt))


def _report(out: Path, clock: Clock, text: str) -> None:
    share = f"{min(clock.share, 1):.0%}"
    print(f"{out.stem}: step {clock.steps} {clock.seconds:.0f} s ({share}) {text}", flush=True)


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


def between(first: Mapping[str, Tensor], second: Mapping[str, Tensor], share: float) -> Weights:
    """The weights at a share, 0 to 1, of the way from some to others."""
    return {
        name: first[name].to(end.device).lerp(end, share) if end.is_floating_point() else end
        for name, end in second.items()
    }


def resume(path: Path, network: nn.Module, budget: Budget) -> Clock | None:
    """Load a checkpoint into the network; None where there is none."""
    if not path.exists():
        return None
    stored: Mapping[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    network.load_state_dict(stored["weights"])
    return Clock(budget, int(stored.get("steps", 0)), float(stored.get("seconds", 0.0)))
