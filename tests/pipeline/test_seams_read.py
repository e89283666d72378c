"""When the scorer looks at seams, and what it would report without."""

import numpy as np
import pytest

from kdvision.photo.photo import Photo, open_photo
from kdvision.pipeline import scorer as module
from kdvision.pipeline.decoded import decode_kingdoms
from kdvision.pipeline.reader import PhotoReading
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import Seams
from kdvision.rules.kingdom import Pair
from kdvision.rules.rules import Rules
from kdvision.vision.grid.grid import Grid
from tests.support.grids import seen_of
from tests.support.paths import SAMPLES


@pytest.mark.parametrize("name", ["mighty_duel_7x7.jpg", "broken_rule_5x5.jpg", "gaps_7x7.jpg"])
def test_seams_tell_what_the_deck_leaves_open_and_change_no_total(
    scorer: Scorer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (by_seams,) = scorer.score(SAMPLES / name).kingdoms
    monkeypatch.setattr(Scorer, "_look_at_seams", lambda self, photo, kingdom, reading: {})
    (by_deck,) = scorer.score(SAMPLES / name).kingdoms
    for field in ("kingdom", "score", "status", "probability"):
        assert getattr(by_seams, field) == getattr(by_deck, field)
    for certain in (True, False):
        cells = [
            {domino.cells for domino in kingdom.dominoes if domino.probability == 1 or not certain}
            for kingdom in (by_seams, by_deck)
        ]
        assert cells[0] == cells[1]


def test_the_photo_is_looked_at_where_the_squares_lie_in_the_grid(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The kingdom lies in the second column of its grid; its pairs count from its own a1."""
    grid, reading = seen_of("- M1 W G/- W F1 F1/- C F F")
    (kingdom,) = decode_kingdoms([(grid, reading)], Rules())
    photo = open_photo(np.full((300, 400, 3), 90, np.uint8))
    looked_at: list[Pair] = []

    def look(photo: Photo, grid: Grid, pairs: list[Pair], *rest: object) -> Seams:
        looked_at.extend(pairs)
        return {pair: float(pair[0][1]) for pair in pairs}

    monkeypatch.setattr(module, "read_seams", look)
    scorer = Scorer(threads=1)
    seams = scorer._look_at_seams(photo, kingdom, PhotoReading((), {}))
    assert ((0, 1), (0, 2)) in looked_at and ((0, 1), (1, 1)) in looked_at
    assert seams == {pair: pair[0][1] + 1.0 for pair in kingdom.open_pairs}


def test_a_kingdom_that_the_deck_cuts_in_one_way_is_not_looked_at_again(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*given: object) -> None:
        raise AssertionError("the seams were read")

    monkeypatch.setattr(module, "read_seams", never)
    (kingdom,) = scorer.score(SAMPLES / "broken_rule_5x5.jpg").kingdoms
    assert all(domino.probability == 1 for domino in kingdom.dominoes)
