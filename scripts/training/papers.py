"""Teach the classifier to tell a plain paper from a tile; `squares.onnx` gets one output more.

A note as large as a square is wheat or a lake to the classifier, at 0.99. What it sees of a patch
before it answers tells a paper all the same: fine and coarse *features*, the mean and the maximum
of every channel that its residual layers give. So all that it has learnt stays to the bit, and only
a small head on these features is trained.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import ModelProto, compose
from onnx.shape_inference import infer_shapes
from onnx.utils import Extractor
from torch import Tensor, nn

from kdvision.rules.terrain import SQUARE_KINDS
from kdvision.vision.models import PAPER_MARK, read_manifest
from kdvision.vision.squares.window import PATCH_PX, PX_PER_SQUARE
from scripts.arrays import Image, Rng
from scripts.measuring.evaluation.covers import SHADE, over
from scripts.paths import MODELS
from scripts.synthesis.rendering.things import draw, paper, plain
from scripts.training.labels import CLASSIFIER_LABELS
from scripts.training.manifest import copy_model, enter
from scripts.training.plan import Run
from scripts.training.quantize import OPSET
from scripts.training.schedule import learn
from scripts.training.train_squares import Patches, damage

#: How many views of patches it learns from.
VIEWS = 900_000
#: How many views measure it.
CHECKED = 20_000
#: How many views go through the classifier at a time.
TOGETHER = 512
#: How often a paper lies on a tile.
LAID = 0.4
#: Features that the head makes of those of the classifier.
WIDTH = 64
#: Steps of the training.
STEPS = 15_000
#: Decay of its weights, per step. Of papers in other decks that the head tells where it takes three
#: tiles in ten thousand for one there were 0.911 with this, and 0.900 with a tenth of it.
DECAY = 0.1
#: Seed of all.
SEED = 81
#: What the head's part of the file is called.
_PREFIX = "paper_"


def make_papers(run: Run) -> None:
    """Train the head on the classifier of the run, else on the published one, and write it."""
    path = run.export / "squares.onnx"
    if not path.exists():
        run.export.mkdir(parents=True, exist_ok=True)
        copy_model(MODELS, "squares", run.export)
    temperature = read_manifest(run.export)["squares"].temperature
    classifier = without_head(onnx.load(path))
    # Views of patches that train the classifier, and of other decks.
    pool = features(classifier, run.work / "train.npz", run.plan.share_of(VIEWS), SEED)
    checked = run.plan.share_of(CHECKED)
    check = features(classifier, run.work / "calibration.npz", checked, SEED + 1)
    rng = np.random.default_rng(SEED)

    def draw_some(count: int) -> tuple[Tensor, Tensor]:
        chosen = torch.from_numpy(rng.integers(len(pool[1]), size=count))
        return pool[0][chosen], pool[1][chosen]

    head = learn(
        lambda _: PaperHead(pool[0]),
        "papers",
        run.settings(2e-3, 512, 0, SEED, STEPS),
        draw=draw_some,
        loss_of=nn.functional.binary_cross_entropy_with_logits,
        measure=lambda head: measured(head, *check),
        decay=DECAY,
    )
    write_with_head(classifier, head, path)
    enter(path, (*CLASSIFIER_LABELS, PAPER_MARK), temperature)


# ---------------------------------------------------------------------- views


class PaperPatches(Patches):
    """Random patches of tiles, on some of which a plain paper lies."""

    def __init__(self, path: Path, seed: int) -> None:
        super().__init__(path, seed)
        weights = np.diff(self.cumulative, prepend=0.0)
        weights[self.labels >= len(SQUARE_KINDS)] = 0.0
        self.cumulative = np.cumsum(weights / weights.sum())

    def _view(self, rng: Rng) -> tuple[Image, np.int64]:
        """Return a damaged patch, and 1 where a paper lies on it, else 0.

        The paper has any colour, that of a tile most often.
        """
        index = int(np.searchsorted(self.cumulative[:-1], rng.random()))
        patch, laid = self.patches[index], rng.random() < LAID
        if laid:
            other = self.patches[rng.integers(len(self.patches))]
            at = PATCH_PX / 2 + rng.normal(0, 0.05, 2) * PX_PER_SQUARE
            layer, mask = draw(paper, plain, other, rng, PX_PER_SQUARE, at)
            shade = SHADE if rng.random() < 0.5 else 0.0
            patch = over(patch, layer, mask, rng.uniform(0.5, 5), rng.uniform(0.3, 1.5), shade)
        return damage(patch, rng), np.int64(laid)


def measured(network: nn.Module, features: Tensor, truth: Tensor) -> str:
    """Return how many papers are told, on views that train nothing."""
    logits = network(features)
    limit = logits[truth == 0].quantile(0.999)
    told = float((logits[truth == 1] > limit).float().mean())
    return f"{told:.1%} of papers told, and 0.1 % of tiles, at {float(limit):.2f}"


# ---------------------------------------------------------------------- the head


class PaperHead(nn.Module):
    """Features (n, features, 1, 1) of the classifier to the log-odds (n,) of a paper.

    It takes features as they are, and gives all the same weight to begin with.
    """

    mean: Tensor
    spread: Tensor

    def __init__(self, seen: Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", seen.mean(dim=0, keepdim=True))
        self.register_buffer("spread", seen.std(dim=0, keepdim=True) + 1e-3)
        self.layers = nn.Sequential(
            nn.Flatten(), nn.Linear(seen.shape[1], WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1)
        )

    def forward(self, seen: Tensor) -> Tensor:
        """Return log-odds."""
        logits: Tensor = self.layers((seen - self.mean) / self.spread)
        return logits[:, 0]


class WithLabels(nn.Module):
    """Logits (n, 19) and layers (n, c, h, w) of the classifier to the logits (n, 20) of both."""

    def __init__(self, head: PaperHead) -> None:
        super().__init__()
        self.head = head

    def forward(self, logits: Tensor, *layers: Tensor) -> Tensor:
        """Return what the classifier says, and after it the log-odds of a paper."""
        return torch.cat([logits, self.head(pooled(layers))[:, None]], dim=1)


def pooled(layers: Sequence[Tensor]) -> Tensor:
    """Return the features (n, features, 1, 1) of layers: each channel's mean and maximum."""
    kinds = [(layer.mean(dim=(2, 3)), layer.amax(dim=(2, 3))) for layer in layers]
    return torch.cat([values for kind in kinds for values in kind], dim=1)[..., None, None]


def features(classifier: ModelProto, patches: Path, count: int, seed: int) -> tuple[Tensor, Tensor]:
    """Return the features (n, features, 1, 1) of so many views of patches; 1 for a paper."""
    source, every, truth = PaperPatches(patches, seed), [], []
    data, providers = classifier.SerializeToString(), ["CPUExecutionProvider"]
    session = onnxruntime.InferenceSession(data, providers=providers)
    for start in range(0, count, TOGETHER):
        pictures, laid = source.draw(min(TOGETHER, count - start))
        rgb = (pictures.permute(0, 2, 3, 1) * 255).round().byte().numpy()
        _, *layers = session.run(None, {"rgb": rgb})
        every.append(pooled([torch.from_numpy(layer) for layer in layers]))
        truth.append(laid.float())
    return torch.cat(every), torch.cat(truth)


# ---------------------------------------------------------------------- the model file


def without_head(model: ModelProto) -> ModelProto:
    """Return the file of a classifier, with its residual layers beside its logits as outputs.

    If it has a head for papers, that is left out.
    """
    mine = [node for node in model.graph.node if not node.name.startswith(_PREFIX)]
    (last,) = (node for node in mine if node.op_type == "Gemm")
    layers = [f"{node.output[0]}_DequantizeLinear_Output" for node in mine if node.op_type == "Add"]
    outputs = [last.output[0], *layers]
    return Extractor(infer_shapes(model)).extract_model(["rgb"], outputs)


def write_with_head(classifier: ModelProto, head: PaperHead, path: Path) -> None:
    """Write the file of a classifier, as `without_head` gives it, with a head for papers.

    Its outputs are those of both, the log-odds of a paper last.
    """
    outputs = classifier.graph.output
    # What the head takes is called otherwise than what the classifier gives.
    taken = [f"in{index}" for index in range(len(outputs))]
    shapes = [[side.dim_value or 2 for side in out.type.tensor_type.shape.dim] for out in outputs]
    torch.onnx.export(
        WithLabels(head).eval(),
        tuple(map(torch.zeros, shapes)),
        str(path),
        input_names=taken,
        output_names=["logits"],
        dynamic_axes={name: {0: "n"} for name in (*taken, "logits")},
        opset_version=OPSET,
        dynamo=False,
    )
    pairs = [(output.name, name) for output, name in zip(outputs, taken, strict=True)]
    both = classifier, onnx.load(path)
    whole = compose.merge_models(*both, io_map=pairs, prefix2=_PREFIX, name=path.stem)
    onnx.save(whole, path)
