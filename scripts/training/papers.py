"""Teach the classifier to tell a plain paper from a tile; `squares.onnx` gets one output more.

A note as large as a square is wheat or a lake to the classifier, at 0.99. What it sees of a patch
before it answers, its *features*, tells a paper all the same. So all that it has learnt stays to
the bit, and only a small head on these features is trained.
"""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import ModelProto, NodeProto, helper, numpy_helper
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
STEPS = 45_000
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
    model = without_head(onnx.load(path))
    features = Features(model)
    # Views of patches that train the classifier, and of other decks.
    pool = features.views(run.work / "train.npz", run.plan.share_of(VIEWS), SEED)
    check = features.views(run.work / "calibration.npz", run.plan.share_of(CHECKED), SEED + 1)
    rng = np.random.default_rng(SEED)

    def draw_some(count: int) -> tuple[Tensor, Tensor]:
        chosen = torch.from_numpy(rng.integers(len(pool[1]), size=count))
        return pool[0][chosen], pool[1][chosen]

    network = learn(
        lambda _: PaperHead(pool[0]),
        "papers",
        run.settings(2e-3, 512, 0, SEED, STEPS),
        draw=draw_some,
        loss_of=nn.functional.binary_cross_entropy_with_logits,
        measure=lambda head: measured(head, *check),
        decay=1e-2,
    )
    onnx.save(with_head(model, network), path)
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


# ---------------------------------------------------------------------- the model file


class PaperHead(nn.Module):
    """Features (n, features, 1, 1) of the classifier to the log-odds (n,) of a paper.

    It takes features as they are, and gives all the same weight to begin with.
    """

    mean: Tensor
    spread: Tensor

    def __init__(self, seen: Tensor) -> None:
        super().__init__()
        seen = seen.flatten(1)
        self.register_buffer("mean", seen.mean(dim=0))
        self.register_buffer("spread", seen.std(dim=0) + 1e-3)
        self.first = nn.Linear(seen.shape[1], WIDTH)
        self.last = nn.Linear(WIDTH, 1)

    def forward(self, features: Tensor) -> Tensor:
        """Return log-odds."""
        even = (features.flatten(1) - self.mean) / self.spread
        logits: Tensor = self.last(torch.relu(self.first(even)))[:, 0]
        return logits

    def layers(self) -> list[tuple[Tensor, Tensor]]:
        """Return the weights (outputs, inputs) and biases of its layers, for plain features."""
        weights = self.first.weight / self.spread
        return [
            (weights, self.first.bias - weights @ self.mean),
            (self.last.weight, self.last.bias),
        ]


class Features:
    """What a model file of the classifier sees before it answers."""

    def __init__(self, model: ModelProto) -> None:
        seen = Extractor(model).extract_model(["rgb"], [answer_of(model).input[0]])
        data, providers = seen.SerializeToString(), ["CPUExecutionProvider"]
        self.session = onnxruntime.InferenceSession(data, providers=providers)

    def views(self, patches: Path, count: int, seed: int) -> tuple[Tensor, Tensor]:
        """Return the features (n, features, 1, 1) of so many views of patches; 1 for a paper."""
        source, features, truth = PaperPatches(patches, seed), [], []
        for start in range(0, count, TOGETHER):
            pictures, laid = source.draw(min(TOGETHER, count - start))
            rgb = (pictures.permute(0, 2, 3, 1) * 255).round().byte().numpy()
            features.append(torch.from_numpy(self.session.run(None, {"rgb": rgb})[0]))
            truth.append(laid.float())
        return torch.cat(features)[..., None, None], torch.cat(truth)


def answer_of(model: ModelProto) -> NodeProto:
    """Return the last layer of a classifier's file, which makes labels of features."""
    last: NodeProto
    (last,) = (node for node in model.graph.node if node.op_type == "Gemm")
    return last


def with_head(model: ModelProto, head: PaperHead) -> ModelProto:
    """Return the file of a classifier that gives the log-odds of a paper after its labels."""
    whole = ModelProto()
    whole.CopyFrom(model)
    graph, last = whole.graph, answer_of(whole)
    features, output = last.input[0], last.output[0]
    last.output[0] = f"{_PREFIX}labels"
    # Features to `WIDTH` others, to one logit, behind those of the labels.
    first, relu, logit = (f"{_PREFIX}{part}" for part in ("first", "relu", "logit"))
    for name, layer in zip((first, logit), head.layers(), strict=True):
        for kind, values in zip(("weights", "biases"), layer, strict=True):
            array = values.detach().numpy()
            graph.initializer.append(numpy_helper.from_array(array, f"{name}_{kind}"))
    both = [last.output[0], logit]
    graph.node.extend(
        [
            _layer(features, first),
            helper.make_node("Relu", [first], [relu], name=relu),
            _layer(relu, logit),
            helper.make_node("Concat", both, [output], name=f"{_PREFIX}both", axis=1),
        ]
    )
    _set_outputs(whole, len(CLASSIFIER_LABELS) + 1)
    onnx.checker.check_model(whole)
    return whole


def without_head(model: ModelProto) -> ModelProto:
    """Return the file of a classifier as it was before it got a head for papers, if it did."""
    plain_model = ModelProto()
    plain_model.CopyFrom(model)
    graph = plain_model.graph
    for parts in (graph.node, graph.initializer):
        for part in [part for part in parts if part.name.startswith(_PREFIX)]:
            parts.remove(part)
    answer_of(plain_model).output[0] = graph.output[0].name
    _set_outputs(plain_model, len(CLASSIFIER_LABELS))
    return plain_model


def _layer(source: str, name: str) -> NodeProto:
    parts = [source, f"{name}_weights", f"{name}_biases"]
    return helper.make_node("Gemm", parts, [name], name=name, transB=1)


def _set_outputs(model: ModelProto, count: int) -> None:
    model.graph.output[0].type.tensor_type.shape.dim[1].dim_value = count
