"""What decoding believes before it looks, and how far it looks."""

from typing import Annotated

from msgspec import Struct


class DecodingSettings(Struct, frozen=True):
    """Penalties of hypotheses, how many kingdoms are tried, and what is reported of them.

    Penalties are natural logarithms of a likelihood ratio: a hypothesis with a penalty of 6 is
    believed where it explains the reading e^6 = 400 times better.

    Attributes:
        other_deck_penalty: log-likelihood that may be lost for a kingdom of the deck before the
            squares are believed to be of another deck (RULES 1.4). Set by hand, as are all
            penalties: odds of what is seldom met, held by examples in the tests.
        other_deck_penalty_per_square: log-likelihood per square, on top: the more squares there are
            the less would random ones happen to fit the deck.
        no_kingdom_penalty: log-likelihood that may be lost before not even one castle and whole
            dominoes in a box are believed in.
        wrong_grid_penalty: log-likelihood of a grid that is wrong or a kingdom that the photo cuts
            off. It supports no total, and competes with every kingdom that differs from what was
            seen.
        second_box_penalty: log-likelihood that may be lost for kingdoms of one box before dominoes
            of a second box are believed to lie in the photo.
        clear_probability: probability. Totals as likely as this need no joint search where one box
            can hold the kingdoms.
        tolerance: share of the probability that may stay unexplored. It counts against the total,
            and is half of what a sure total may lack.
        max_readings: count. So many readings are checked at most; what is left counts against the
            total. Set by hand, for the time it takes.
        other_readings_share: ratio. The hypotheses of another deck and of no kingdom get this share
            of `max_readings`: they only have to be weighed against the first.
        max_cutting_steps: count. So many steps the cuttings of one search may take together, about
            5 microseconds each, so that a search has an end. What cannot be decided then counts as
            unexplored. A kingdom of the deck takes less than a hundred; of 4,033 readings of
            rendered and real kingdoms none took half of it.
        unexplored_warning: share of the probability. From so much on a warning says that not
            every possible kingdom was tried.
        max_alternatives: count of further totals that are handed on.
        max_alternatives_hidden: count of those of a reading with hidden places.
        min_alternative: probability below which a further total is not handed on.
        min_alternative_hidden: probability of those of a reading with hidden places.
    """

    other_deck_penalty: Annotated[float, "kingdom"] = 6.0
    other_deck_penalty_per_square: Annotated[float, "kingdom"] = 0.1
    no_kingdom_penalty: Annotated[float, "kingdom"] = 16.0
    wrong_grid_penalty: Annotated[float, "sure"] = 7.0
    second_box_penalty: Annotated[float, "sure"] = 8.0
    clear_probability: Annotated[float, "sure"] = 0.99
    tolerance: Annotated[float, "sure"] = 5e-3
    max_readings: Annotated[int, "sure"] = 200
    other_readings_share: Annotated[float, "sure"] = 0.25
    max_cutting_steps: Annotated[int, "sure"] = 5000
    unexplored_warning: float = 0.05
    max_alternatives: int = 4
    max_alternatives_hidden: int = 30
    min_alternative: float = 0.002
    min_alternative_hidden: float = 1e-4


DECODING = DecodingSettings()
