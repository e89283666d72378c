"""How likely pairs of squares are one domino, by the deck and by what a photo shows."""

import pytest
from scipy.special import expit

from kdvision.decoding.cutting_posterior import cutting_posterior
from kdvision.rules.kingdom import Kingdom, position_names
from tests.support.cuttings import pair_sets
from tests.support.played import games

#: Two cuttings of four squares of lake, as likely by the deck; and what is certain beside them.
LAKES = Kingdom.parse("W F C L L/- - - L L")
UPPER = ((0, 3), (0, 4))
LOWER = ((1, 3), (1, 4))
LEFT = ((0, 3), (1, 3))


def chances(line: str) -> dict[str, float]:
    posterior = cutting_posterior(Kingdom.parse(line))
    return {
        position_names(domino.cells): round(domino.probability, 3) for domino in posterior.dominoes
    }


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("C W F", {"b1, c1": 1}),
        ("C L L/- L L", {"b1, c1": 0.5, "b1, b2": 0.5, "c1, c2": 0.5, "b2, c2": 0.5}),
        # By the number of dominoes that show those faces: 4 x 1 against 4 x 4 x 1.
        (
            "C W F - -/- F1 L W1 F",
            {"b1, c1": 0.2, "b1, b2": 0.8, "c1, c2": 0.8, "b2, c2": 0.2, "d2, e2": 1},
        ),
        # Not of the deck: what any dominoes must be, and no more.
        ("C F G2", {"b1, c1": 1}),
        ("C F G2/- F G2", {}),
        ("C W", {}),
    ],
)
def test_by_the_deck_alone(line: str, expected: dict[str, float]) -> None:
    assert chances(line) == expected


@pytest.mark.parametrize("seen", [-3.0, -0.5, 0.0, 2.0, 800.0])
def test_seam_weighs_as_its_ratio(seen: float) -> None:
    posterior = cutting_posterior(LAKES, {UPPER: seen})
    by_cells = {domino.cells: domino.probability for domino in posterior.dominoes}
    assert by_cells[UPPER] == pytest.approx(expit(seen))
    assert by_cells[LEFT] == pytest.approx(expit(-seen))
    assert by_cells[(0, 0), (0, 1)] == 1


def test_probabilities_of_a_square_sum_to_1() -> None:
    for game in games():
        for laid in game.kingdoms:
            kingdom = laid.kingdom
            posterior = cutting_posterior(kingdom)
            around = dict.fromkeys(kingdom.squares(), 0.0)
            for domino in posterior.dominoes:
                for at in domino.cells:
                    around[at] += domino.probability
            assert all(abs(value - 1) < 1e-9 for value in around.values())
            sets = pair_sets(kingdom)
            assert {domino.cells for domino in posterior.dominoes} == sets.possible
            sure = {domino.cells for domino in posterior.dominoes if domino.probability == 1}
            assert sure == sets.forced


def test_numbers_are_those_of_the_face() -> None:
    foreign = cutting_posterior(Kingdom.parse("M3 W C G2 F"))
    assert [domino.numbers for domino in foreign.dominoes] == [(48,), ()]
    (mine,) = cutting_posterior(Kingdom.parse("M3 W C")).dominoes
    assert mine.numbers == (48,)


@pytest.mark.parametrize("line", ["W F - W F", "C W F C"])
def test_without_one_castle_nothing_is_judged(line: str) -> None:
    posterior = cutting_posterior(Kingdom.parse(line))
    assert (posterior.breaks.probability, posterior.breaks.dominoes) == (0.0, ())
    assert posterior.dominoes


def test_too_many_squares_are_not_searched() -> None:
    """48 squares in a row are one cutting of 24; a search through 63 of an 8x8 would not end."""
    row = "M3 " * 48
    assert len(chances(f"C {row}")) == 24
    assert chances(f"C {row} M3 M3") == {}
    square = Kingdom.parse("/".join([f"C{' W' * 7}", *[f"F{' W' * 7}"] * 7]))
    assert cutting_posterior(square).dominoes == ()
