"""When the scorer looks at seams, and what it would report without."""

import pytest

from kdvision.pipeline import scorer as module
from kdvision.pipeline.scorer import Scorer
from tests.support.paths import SAMPLES


@pytest.mark.parametrize("name", ["meadow_5x5.jpg", "broken_rule_5x5.jpg", "gaps_7x7.jpg"])
def test_seams_tell_what_the_deck_leaves_open_and_change_no_total(
    scorer: Scorer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (by_seams,) = scorer.score(SAMPLES / name).kingdoms
    monkeypatch.setattr(Scorer, "_seams", lambda self, photo, kingdom, sight: {})
    (by_deck,) = scorer.score(SAMPLES / name).kingdoms
    for field in ("kingdom", "score", "status", "probability"):
        assert getattr(by_seams, field) == getattr(by_deck, field)
    for certain in (True, False):
        cells = [
            {domino.cells for domino in kingdom.dominoes if domino.probability == 1 or not certain}
            for kingdom in (by_seams, by_deck)
        ]
        assert cells[0] == cells[1]


def test_a_kingdom_that_the_deck_cuts_in_one_way_is_not_looked_at_again(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*given: object) -> None:
        raise AssertionError("the seams were read")

    monkeypatch.setattr(module, "read_seams", never)
    (kingdom,) = scorer.score(SAMPLES / "broken_rule_5x5.jpg").kingdoms
    assert all(domino.probability == 1 for domino in kingdom.dominoes)
