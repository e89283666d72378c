"""When the scorer looks at seams, and what it would report without."""

from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from kdvision.pipeline.decoded import decode_kingdoms, find_open_pairs
from kdvision.pipeline.read_photo import ReadSeam
from kdvision.pipeline.scorer import Scorer
from kdvision.result import KingdomResult
from kdvision.rules.kingdom import Pair
from kdvision.rules.rules import Rules
from kdvision.vision import vision
from kdvision.vision.vision import Vision
from tests.support.grids import seen_of
from tests.support.paths import SAMPLES


@pytest.mark.parametrize("name", ["mighty_duel_7x7.jpg", "broken_rule_5x5.jpg", "gaps_7x7.jpg"])
def test_seams_change_no_total(scorer: Scorer, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (by_seams,) = scorer.score(SAMPLES / name).kingdoms
    monkeypatch.setattr(Vision, "read_seams", Mock(return_value={}))
    (by_deck,) = scorer.score(SAMPLES / name).kingdoms
    for field in ("kingdom", "score", "status", "probability"):
        assert getattr(by_seams, field) == getattr(by_deck, field)
    assert dominoes(by_seams) == dominoes(by_deck)
    assert dominoes(by_seams, least=1.0) == dominoes(by_deck, least=1.0)


def dominoes(kingdom: KingdomResult, least: float = 0.0) -> set[Pair]:
    return {domino.cells for domino in kingdom.dominoes if domino.probability >= least}


def test_seams_follow_the_kingdom_in_its_grid() -> None:
    """The kingdom lies in the second column of its grid; its pairs count from its own a1."""
    read = seen_of("- M1 W G/- W F1 F1/- C F F")
    looked_at = find_open_pairs(read.reading.kingdom)
    assert ((0, 1), (0, 2)) in looked_at and ((0, 1), (1, 1)) in looked_at
    seams = tuple(ReadSeam(pair, float(pair[0][1])) for pair in looked_at)
    (kingdom,) = decode_kingdoms([replace(read, seams=seams)], Rules())
    assert kingdom.seams
    assert all(ratio == pair[0][1] + 1.0 for pair, ratio in kingdom.seams.items())


def test_one_cutting_needs_no_seams(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    read_seams = Mock()
    monkeypatch.setattr(vision, "read_seams", read_seams)
    (kingdom,) = scorer.score(SAMPLES / "broken_rule_5x5.jpg").kingdoms
    read_seams.assert_not_called()
    assert all(domino.probability == 1 for domino in kingdom.dominoes)
