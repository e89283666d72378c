"""How sure decoding is of seeded readings, to a hair: whatever shifts a posterior shows here."""

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from kdvision.decoding.best_first import search
from kdvision.decoding.board import deck_faces, make_board
from kdvision.decoding.calibration import calibrate
from kdvision.decoding.constraints import Constraints
from kdvision.decoding.cutting_posterior import cutting_posterior
from kdvision.decoding.decoder import decode
from kdvision.decoding.posterior import Decoded
from kdvision.reading import Doubt, DoubtCode, Reading
from kdvision.rules.rules import Rules
from tests.support.measures import recorded
from tests.support.readings import noisy_reading, padded, place_of, random_kingdom, random_table

RULES = (Rules(), Rules(size=5), Rules(harmony=True, middle_kingdom=True))


def told(decoded: Decoded) -> list[float]:
    """What is said of a kingdom: how sure it is, what was corrected, doubts and further totals."""
    others = [value for other in decoded.alternatives for value in (other.score, other.probability)]
    rows = zip(decoded.kingdom.rows, decoded.seen.rows, strict=True)
    changed = sum(a != b for row, seen in rows for a, b in zip(row, seen, strict=True))
    certainty = sum((n + 1) * sum(row) for n, row in enumerate(decoded.certainty))
    doubts = [len(decoded.doubts), len(decoded.too_many), changed]
    return [decoded.probability, decoded.untried, certainty, *doubts, *others]


def blurred(seed: int, side: int = 5, gaps: int = 2) -> Reading:
    rng = Random(seed)
    reading = noisy_reading(rng, random_kingdom(rng, side, gaps), 0.25)
    places = [list(row) for row in reading.places]
    places[0][1] = replace(places[0][1], hidden=0.3 + 0.4 * (seed % 2))
    doubts = (Doubt(DoubtCode.NOT_FOUND, 0.9, ((2, 1), (3, 3))), Doubt(DoubtCode.BLURRED, 0.97))
    return Reading(tuple(map(tuple, places)), doubts=doubts[: seed % 3])


def alone() -> list[float]:
    values = []
    for seed in range(18):
        reading = padded(blurred(seed), 1, seed % 2)
        stray = place_of({"W": 0.6, "-": 0.39})  # beside the kingdom, or beyond its box
        reading = reading.with_place((2, 0), stray)
        values += told(decode([reading], RULES[seed % 3])[0])
    return values


def together() -> list[float]:
    """Of kingdoms that share a box, also of two that cannot."""
    values = []
    for seed in range(6):
        rng = Random(seed)
        table = random_table(rng, 2 + seed % 2)
        if seed > 3:
            table[1] = table[0]
        readings = [noisy_reading(rng, kingdom, 0.15) for kingdom in table]
        for decoded in decode(readings, RULES[seed % 3]):
            values += told(decoded)
    return values


def unfinished() -> list[float]:
    """Of searches that are given up: how much may be left."""
    values = []
    for seed in range(6):
        reading = blurred(seed, 3 + 2 * (seed % 2), 1)
        chances, seen = calibrate(reading, {(0, 0): 3} if seed > 3 else {})
        box = Constraints([make_board(reading.height, reading.width)], 5, deck_faces())
        found = search(chances, box, tolerance=1e-4, min_mass=1e-9, limit=7 + 5 * seed)
        values += [len(found.kingdoms), found.unexplored, sum(found.kingdoms.values()), *seen[:4]]
        values += [sum(label * chance for label, chance in enumerate(row)) for row in chances[::4]]
    return values


def cuttings() -> list[float]:
    """Of dominoes by what a photo shows between squares."""
    values = []
    for seed in range(8):
        rng = Random(seed)
        kingdom = random_kingdom(rng, 5, seed % 4)
        taken = [at for at, _ in kingdom.cells()]
        pairs = [((r, c), to) for r, c in taken for to in ((r, c + 1), (r + 1, c)) if to in taken]
        found = cutting_posterior(kingdom, {pair: rng.gauss(0, 2) for pair in pairs})
        values += [
            len(found.dominoes),
            sum(n * d.probability for n, d in enumerate(found.dominoes)),
        ]
        values += [found.breaks.probability, sum(d.broken for d in found.dominoes)]
    return values


STAGES = (alone, together, unfinished, cuttings)


@pytest.mark.parametrize("stage", STAGES)
def test_how_sure_seeded_readings_are(stage: Callable[[], list[float]]) -> None:
    assert stage() == pytest.approx(recorded(stage), rel=1e-4, abs=1e-7)
