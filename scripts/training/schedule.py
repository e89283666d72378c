"""One loop that trains every network: on random views, so many steps, at a rate that falls."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import cv2
import numpy as np
import torch
from msgspec import Struct
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from scripts.arrays import Image, Rng
from scripts.training.networks import OfBytes

#: Steps between two validations on what was held back.
REPORT_EVERY = 400
#: The decay per step of the moving average of the weights.
KEPT = 0.999
#: The first steps learn slowly, while batch normalisation finds its ranges.
WARM_STEPS = 100
#: Gradients are no longer than this: one strange batch does not undo many.
LONGEST_GRADIENT = 5.0
#: So many pictures are shown at a time to a network that does not learn from them.
TOGETHER = 256

Network = TypeVar("Network", bound=nn.Module)


def rate(highest: float, done: int, steps: int) -> float:
    """Return the learning rate: up at first, then down to nothing along half a cosine."""
    warm = min(1.0, (done + 1) / WARM_STEPS)
    fallen = 0.5 + 0.5 * np.cos(np.pi * done / steps)
    return float(highest * warm * fallen + 1e-6)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a network is trained.

    Attributes:
        steps: How many batches it learns from.
        rate: The highest learning rate.
        batch: Examples per step.
        base: Channels of the first layer.
        threads: Of the processor.
        seed: Of all random numbers.
        half: bfloat16 instead of single precision: twice as fast on processors that have it.
        start: The end of another training, to begin with; None begins with nothing.
    """

    steps: int
    rate: float
    batch: int
    base: int
    threads: int
    seed: int
    half: bool = False
    start: Mapping[str, Tensor] | None = None


class Batches(Struct, frozen=True, eq=False):
    """Batches of random views: pictures of bytes (h, w, 3), each with what is true of it."""

    view: Callable[[Rng], tuple[Image, Any]]
    rng: Rng

    def draw(self, count: int) -> tuple[Tensor, Tensor]:
        """Return pictures (n, 3, h, w) in 0..1, and what is true of them."""
        views = [self.view(self.rng) for _ in range(count)]
        pictures = torch.from_numpy(np.stack([picture for picture, _ in views]))
        truth = torch.from_numpy(np.stack([truth for _, truth in views]))
        return pictures.permute(0, 3, 1, 2).float() / 255, truth


def device() -> torch.device:
    """Return the GPU that torch sees, else the processor."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def has_bfloat16() -> bool:
    """Return whether this processor computes in bfloat16, as Linux tells."""
    info = Path("/proc/cpuinfo")
    text = info.read_text() if info.is_file() else ""
    return "avx512_bf16" in text or "amx_bf16" in text


def answers(network: nn.Module, pictures: Image, mirrored: tuple[int, ...] = ()) -> Any:
    """Return the logits (n, ...) of pictures (n, h, w, 3), as `OfBytes` gives them."""
    whole = OfBytes(network, mirrored).eval()
    place = next(network.parameters()).device
    parts = [pictures[at : at + TOGETHER] for at in range(0, len(pictures), TOGETHER)]
    with torch.no_grad():
        return torch.cat([whole(torch.from_numpy(part).to(place)).cpu() for part in parts])


def learn(
    make: Callable[[int], Network],
    name: str,
    settings: Settings,
    *,
    draw: Callable[[int], tuple[Tensor, Tensor]],
    loss_of: Callable[[Tensor, Tensor], Tensor],
    measure: Callable[[Network], str],
    decay: float,
    averaged: bool = True,
) -> Network:
    """Train a network.

    Args:
        make: Makes one of so many channels in its first layer.
        name: What it is called where it is told how far it is.
        settings: How.
        draw: Gives so many random examples with what is true of them.
        loss_of: Of outputs and what is true.
        measure: A text about what was held back, of a network that only answers.
        decay: Of weights, per step.
        averaged: Whether the moving average of the weights is what was learnt.
    """
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    cv2.setNumThreads(1)
    # The network, and the moving average of its weights.
    place = device()
    # torch knows this argument, its annotations do not.
    network = cast(Any, make(settings.base).to(place)).to(memory_format=torch.channels_last)
    if settings.start:
        network.load_state_dict(settings.start)
    count = sum(weight.numel() for weight in network.parameters())
    print(f"{name}: {count:,} weights", flush=True)
    average = cast(Any, get_ema_multi_avg_fn)(KEPT)
    mean = AveragedModel(network, multi_avg_fn=average, use_buffers=True)
    learnt = cast(Network, mean.module if averaged else network)
    optimizer = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=decay)
    started = time.monotonic()
    # The next batch is drawn while the network learns from this one.
    drawer = ThreadPoolExecutor(1)
    waiting = drawer.submit(draw, settings.batch)
    for step in range(1, settings.steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = rate(settings.rate, step - 1, settings.steps)
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
        # Tell how far it is.
        if step % REPORT_EVERY == 0 or step == settings.steps:
            seconds = time.monotonic() - started
            with torch.no_grad():
                text = measure(learnt.eval())
            print(f"{name}: step {step} of {settings.steps}, {seconds:.0f} s: {text}", flush=True)
    drawer.shutdown(cancel_futures=True)
    learnt.eval().cpu()
    return learnt
