"""Training makes models that the program runs; whole numbers change little in what they say."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
onnx = pytest.importorskip("onnx", reason="the extra `train` is not installed")

import onnxruntime  # noqa: E402

from kdvision.reading import Colour  # noqa: E402
from kdvision.rules.terrain import CASTLE_LABEL, EMPTY_LABEL  # noqa: E402
from kdvision.vision.colours import tell_colours  # noqa: E402
from kdvision.vision.models import (  # noqa: E402
    CHANNELS,
    COLOUR_LABELS,
    COVER_LABELS,
    OBSTRUCTION_LABELS,
    PAPER_MARK,
    SEAM_LABELS,
    load_model,
    read_manifest,
)
from scripts.measuring.colour import every_castle_named  # noqa: E402
from scripts.synthesis import render  # noqa: E402
from scripts.training import make_models, papers  # noqa: E402
from scripts.training.labels import CLASSIFIER_LABELS  # noqa: E402
from scripts.training.networks import GridNet, SquareNet  # noqa: E402
from scripts.training.plan import Plan, Run  # noqa: E402
from scripts.training.quantize import quantize  # noqa: E402

pytestmark = pytest.mark.slow


def trained(network):
    """A network whose batch normalisation has seen something."""
    generator = torch.Generator().manual_seed(4)
    network.train()
    with torch.no_grad():
        for _ in range(3):
            network(torch.rand(4, 3, 64, 64, generator=generator))
    return network.eval()


def pictures(count: int, size: int) -> np.ndarray:
    """Pictures (count, size, size, 3) with something in them."""
    rng = np.random.default_rng(2)
    coarse = rng.integers(0, 256, (count, size // 8, size // 8, 3), np.uint8)
    return coarse.repeat(8, axis=1).repeat(8, axis=2)


@pytest.mark.parametrize(
    ("make", "output", "size"), [(GridNet, "fields", 96), (SquareNet, "y", 64)]
)
def test_quantized_network_says_nearly_the_same(
    make, output: str, size: int, tmp_path: Path
) -> None:
    torch.manual_seed(3)
    network = trained(make(8))
    seen = [pictures(8, size)[index : index + 2] for index in range(0, 8, 2)]
    rgb = torch.from_numpy(seen[0]).permute(0, 3, 1, 2).float() / 255
    with torch.no_grad():
        wanted = network(rgb).numpy()
    path = tmp_path / "small.onnx"
    quantize(network, seen, output, path)
    session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    (answer,) = session.run([output], {"rgb": seen[0]})
    assert np.sqrt(((answer - wanted) ** 2).mean()) < 0.05 * wanted.std()


def test_head_for_papers_leaves_the_labels(tmp_path: Path) -> None:
    """They stay to the bit; and a file that gets another head loses the one it had."""
    torch.manual_seed(5)
    path = tmp_path / "small.onnx"
    seen = [pictures(8, 64)]
    quantize(trained(SquareNet(8)), seen, "logits", path)
    labels, *_ = run(onnx.load(path), seen[0])
    for _ in range(2):
        classifier = papers.without_head(onnx.load(path))
        alone, *layers = run(classifier, seen[0])
        assert np.array_equal(alone, labels)
        features = papers.pooled([torch.from_numpy(layer) for layer in layers])
        head = papers.PaperHead(features)
        papers.write_with_head(classifier, head, path)
        (both,) = run(onnx.load(path), seen[0])
        assert np.array_equal(both[:, :-1], labels)
        assert both[:, -1] == pytest.approx(head(features).detach().numpy(), abs=1e-4)


def test_features_are_means_and_maxima() -> None:
    """Of every channel, layer by layer."""
    layers = [torch.rand(3, 5, 4, 4), torch.rand(3, 2, 8, 8)]
    features = papers.pooled(layers)
    assert features.shape == (3, 14, 1, 1)
    assert features[1, 3, 0, 0] == layers[0][1, 3].mean()
    assert features[2, 13, 0, 0] == layers[1][2, 1].max()


def run(model: Any, rgb: np.ndarray) -> list[np.ndarray]:
    """What a model says of pictures: all of its outputs."""
    data = model.SerializeToString()
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    return list(session.run(None, {"rgb": rgb}))


def test_papers_lie_on_tiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two in five tiles have one; ground and castles are not asked."""
    patches = pictures(40, 64)
    labels = np.array([0, CASTLE_LABEL, EMPTY_LABEL, 3] * 10)
    path = tmp_path / "patches.npz"
    np.savez(path, patches=patches, labels=labels, source=np.zeros(40, np.uint8))
    source = papers.PaperPatches(path, 1)
    monkeypatch.setattr(papers, "damage", lambda patch, _: patch)
    tiles = {patch.tobytes() for patch in patches[(labels == 0) | (labels == 3)]}
    rng = np.random.default_rng(0)
    laid = []
    for _ in range(200):
        patch, truth = source.batches.view(rng)
        assert (patch.tobytes() in tiles) == (truth == 0)
        laid.append(truth)
    assert 0.3 < np.mean(laid) < 0.5


def test_stages_make_models_for_the_program(tmp_path, capsys, monkeypatch):
    """The whole recipe at toy size, without the data folder; a second run has nothing to do."""
    for name, recipe in render.RECIPES.items():
        in_one_look = replace(recipe, painted_seeds=(1000, 1001))
        monkeypatch.setitem(render.RECIPES, name, in_one_look)
    plan = Plan(0.0005, painted_only=True, classifier_base=8, detector_base=8, workers=1)
    run = Run(plan, tmp_path / "work", tmp_path / "models")
    stages = [stage for stage in make_models.STAGES if stage != "evaluation"]
    make_models.make(run, stages)
    for name, labels in (
        ("grid", CHANNELS),
        ("squares", (*CLASSIFIER_LABELS, PAPER_MARK)),
        ("seams", SEAM_LABELS),
        ("colours", COLOUR_LABELS),
        ("covers", COVER_LABELS),
        ("obstructions", OBSTRUCTION_LABELS),
    ):
        load_model(name, run.out, threads=1)
        assert read_manifest(run.out)[name].labels == labels
    assert all((run.work / f"{stage}.done").is_file() for stage in stages)
    capsys.readouterr()
    make_models.make(run, stages)
    assert capsys.readouterr().out.count("done before") == len(stages)
    with pytest.raises(SystemExit, match="another plan"):
        make_models.make(Run(Plan(painted_only=True), run.work, run.out), stages)


def test_measuring_names_every_castle():
    unsure = [0.3, 0.2, 0.2, 0.2, 0.1]
    assert tell_colours([unsure]) == [(None, 0.0)]
    with every_castle_named():
        ((colour, share),) = tell_colours([unsure])
    assert colour is Colour.PINK
    assert share == pytest.approx(0.3)
