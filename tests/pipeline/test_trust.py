"""Trust: how likely a total is right, by its posterior and its doubts. Curves never fall."""

import hashlib
import json
import math
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from kdvision.decoding.posterior import Decoded
from kdvision.errors import ExitCode, ModelError
from kdvision.pipeline.scorer import Scorer
from kdvision.pipeline.trust import Curve, Trust, load_trust
from kdvision.reading import Alternative, Doubt, DoubtCode
from kdvision.rules.kingdom import Position
from tests.support.paths import ROOT
from tests.support.readings import likeliest_kingdom, reading_of

MODELS = ROOT / "models"
PLAIN = Trust(
    Curve((-4.0, 0.0, 4.0), (-3.0, 0.0, 6.0)),
    {DoubtCode.BLURRED: Curve((0.1, 0.3), (0.0, 4.0)), DoubtCode.HIDDEN: Curve((0.0, 1.0), (0, 2))},
    0.99,
)


def answered(probability: float, others: tuple[Alternative, ...] = ()) -> Decoded:
    """An answer of this probability with these other totals."""
    clear = likeliest_kingdom(reading_of("C W F"))
    return replace(clear, probability=probability, alternatives=others)


@pytest.mark.parametrize(
    ("x", "y"), [(-9, -3), (-4, -3), (-2, -1.5), (0, 0), (1, 1.5), (4, 6), (50, 6)]
)
def test_curve_is_straight_between_knots(x: float, y: float) -> None:
    assert PLAIN.posterior
    assert PLAIN.posterior(x) == pytest.approx(y)


@pytest.mark.parametrize(
    ("x", "y"),
    [((), ()), ((0.0, 0.0), (0.0, 1.0)), ((0.0, 1.0), (1.0, 0.0)), ((0.0,), (0.0, 1.0)),
     ((0.0, 1.0), (0.0, math.nan)), ((0.0, 1.0, 2.0), (0.0, 1.0, 0.5))],
)  # fmt: skip
def test_falling_curve_is_refused(x: tuple[float, ...], y: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="curve"):
        Curve(x, y)


@pytest.mark.parametrize(
    ("posterior", "blur", "odds"),
    [(0.5, 0.0, 0), (0.5, 0.1, 0), (0.5, 0.2, -2), (0.5, 0.9, -4), (1.0, 0.2, 4)],
)
def test_doubt_lowers_the_log_odds(posterior: float, blur: float, odds: float) -> None:
    probability = PLAIN.probability(posterior, [Doubt(DoubtCode.BLURRED, blur)])
    assert math.log(probability / (1 - probability)) == pytest.approx(odds)


def test_doubts_add_up() -> None:
    doubts = [
        Doubt(DoubtCode.BLURRED, 0.2),
        Doubt(DoubtCode.HIDDEN, 1.0),
        Doubt(DoubtCode.DARK, 9.0),
    ]
    assert [PLAIN.cost(doubt) for doubt in doubts] == pytest.approx([2, 2, 0])
    assert PLAIN.probability(0.5, doubts) == pytest.approx(1 / (1 + math.exp(4)))


def test_other_totals_share_the_rest() -> None:
    others = (Alternative(7, 0.06, ()), Alternative(8, 0.03, ()))
    decoded = answered(0.1, others)
    trust = Trust(Curve((-9.0, 9.0), (0.0, 0.0)))  # as likely right as wrong
    alone = trust.apply(decoded, ())
    assert [one.probability for one in alone.alternatives] == pytest.approx([0.1 / 3, 0.05 / 3])
    answer = {decoded.posterior.answer: 0.2}
    open_ = replace(decoded.posterior, weights=answer, unexplored=0.8, outside=0.0, hidden=(0,))
    hidden = trust.apply(replace(decoded, posterior=open_), ())
    assert hidden.probability == alone.probability == pytest.approx(0.5)
    assert [one.probability for one in hidden.alternatives] == pytest.approx([0.3, 0.15])


def test_no_alternative_beats_the_score() -> None:
    others = (Alternative(7, 0.38, ()), Alternative(8, 0.01, ()))
    decoded = answered(0.6, others)
    doubts = [Doubt(DoubtCode.BLURRED, 0.2)]
    blurred = PLAIN.apply(decoded, doubts)
    assert blurred.probability == PLAIN.probability(0.6, doubts) < 0.38
    assert [one.probability for one in blurred.alternatives] == [blurred.probability, 0.01]


@pytest.mark.parametrize(
    ("open_share", "left"), [(1.0, 1.0), (0.6, 0.7), (0.12, 0.34), (0.1, 0.25), (0.0, 0.25)]
)
def test_doubt_shrinks_with_settled_squares(open_share: float, left: float) -> None:
    """A quarter is about none of them, and a tenth of the rest is as good as nothing."""
    decoded = answered(0.98)
    blurred = [Doubt(DoubtCode.BLURRED, 0.3)]
    lost = 0.98 - PLAIN.apply(decoded, blurred).probability
    assert lost > 0.05
    settled = PLAIN.apply(decoded, blurred, open_share).probability
    assert settled == pytest.approx(0.98 - left * lost)


@pytest.mark.parametrize("open_share", [0.0, 1.0])
def test_confirming_never_exceeds_trust(open_share: float) -> None:
    decoded = answered(0.9)
    assert PLAIN.apply(decoded, (), open_share).probability == PLAIN.probability(0.9, ())
    assert PLAIN.probability(0.9, ()) > 0.9


def test_posterior_stands_without_trust() -> None:
    assert Trust().probability(0.3, [Doubt(DoubtCode.DARK, 1.0)]) == 0.3
    assert PLAIN.probability(0.0, []) == 0.0


@pytest.mark.parametrize(
    ("code", "cost", "places", "doubtful", "is_named"),
    [
        # Half the odds are named always, a tenth for the places of a doubtful total.
        (DoubtCode.GLARE, math.log(2), (), False, True),
        (DoubtCode.GLARE, 0.692, (), True, False),
        (DoubtCode.GLARE, 0.095, ((0, 1),), True, True),
        (DoubtCode.GLARE, 0.094, ((0, 1),), True, False),
        (DoubtCode.GLARE, 0.096, ((0, 1),), False, False),
        (DoubtCode.GLARE, 0.096, (), True, False),
        # Of some doubts the places are named whatever they cost, and some doubts always.
        (DoubtCode.NOT_READ, 0.0, ((0, 1),), True, True),
        (DoubtCode.NOT_READ, 0.0, ((0, 1),), False, False),
        (DoubtCode.NOT_JOINED, 0.0, ((0, 1),), False, True),
        (DoubtCode.NO_BOX, 0.0, (), False, True),
    ],
)
def test_costly_doubts_are_named(
    code: DoubtCode, cost: float, places: tuple[Position, ...], doubtful: bool, is_named: bool
) -> None:
    trust = Trust(None, {code: Curve((0.0,), (cost,))})
    doubt = Doubt(code, 1.0, places)
    assert trust.name([doubt], doubtful=doubtful) == ([doubt] if is_named else [])


def test_worst_doubt_is_named_first() -> None:
    codes = (DoubtCode.BLURRED, DoubtCode.NOT_LIT, DoubtCode.GLARE, DoubtCode.DAMAGED_FILE)
    costs = dict(zip(codes, (1.0, 0.2, 2.0, 0.1), strict=True))
    trust = Trust(None, {code: Curve((0.0,), (cost,)) for code, cost in costs.items()})
    named = trust.name([Doubt(code) for code in codes], doubtful=True)
    assert [doubt.code for doubt in named] == [
        DoubtCode.DAMAGED_FILE, DoubtCode.NOT_LIT, DoubtCode.GLARE, DoubtCode.BLURRED,
    ]  # fmt: skip


# ---------------------------------------------------------------------- what is published

fitted = load_trust(MODELS)


def test_doubt_of_weight_zero_costs_nothing() -> None:
    assert {fitted.cost(Doubt(code, 0.0)) for code in fitted.costs} == {0}


def test_heavy_doubts_are_never_sure() -> None:
    # In another printing a total of 0.9689 is wrong (`LEAST_SURE` of `fit_trust.py`); from 0.98 on
    # one in twenty of the right totals that are sure now would be doubtful.
    assert 0.969 < fitted.sure_from < 0.98
    for code in (DoubtCode.OBSTRUCTED, DoubtCode.BEYOND_BORDER, DoubtCode.NO_BOX):
        assert fitted.probability(0.995, [Doubt(code, 9.0)]) < fitted.sure_from, code
    # Where nothing is wrong a total is sure.
    assert fitted.probability(0.999, []) >= fitted.sure_from


# ---------------------------------------------------------------------- missing and damaged


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MODELS, tmp_path / "models"))


def test_missing_trust_is_refused(folder: Path) -> None:
    (folder / "trust.json").unlink()
    with pytest.raises(ModelError, match=r"trust.json is missing") as error:
        Scorer(folder)
    assert error.value.exit_code is ExitCode.MODEL


def test_changed_file_is_damaged(folder: Path) -> None:
    with (folder / "trust.json").open("a") as file:
        file.write(" ")
    with pytest.raises(ModelError, match="checksum differs"):
        load_trust(folder)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "no JSON",
        '{"sure_from": 0, "posterior": [[0, 0]], "costs": {}}',
        '{"sure_from": 1, "posterior": [[0, 0]], "costs": {}}',
        '{"sure_from": 0.99, "posterior": [[0, 1], [1, 0]], "costs": {}}',
        '{"sure_from": 0.99, "posterior": [[0, 0]], "costs": {"blurred": [[0, -1]]}}',
        '{"sure_from": 0.99, "posterior": [[0, 0]], "costs": {"unheard-of": [[0, 0]]}}',
    ],
)
def test_foreign_trust_is_refused(folder: Path, text: str) -> None:
    (folder / "trust.json").write_text(text)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["trust"]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="another program"):
        load_trust(folder)


def test_manifest_without_trust_is_refused(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["trust"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="names no trust file"):
        load_trust(folder)
