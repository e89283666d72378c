"""The hand-set numbers of the pipeline: when a total is sure, and what is a print on the table."""

from typing import Annotated

from msgspec import Struct


class PipelineSettings(Struct, frozen=True):
    """What probabilities of totals decide.

    Attributes:
        sure_from: probability that a total is right from which on it is called sure; measured, see
            the figures of `docs/accuracy.md`.
        clear_kingdom: probability of its total from which on a kingdom is clear enough to say how
            large squares are on its table.
        unclear_kingdom: probability of its total below which something with squares of another size
            than such a kingdom is a print on the table. Both set by hand.
        scored_from: probability of its total below which a kingdom cannot be scored. The total is
            the likeliest one, and four others are named at most: below a twentieth all that would
            be named together have less than a quarter, so the true total would be none of them
            three times of four.
        clear_square: probability of a place from which on a correction of other places does not
            change it: it is four times as likely as all else that could lie there. The same number
            decides what the report asks to look at, so nothing changes that was not named.
        named_alternative: probability of another total below which no report names it, nor the
            squares that it hangs on.
        settled: share of the doubt about single squares that counts as nothing left.
        unforeseen: share of the doubt beyond the posterior that stays when nothing is left. Of 67
            wrong totals of rendered tables 15 had a wrong square among those on which the last
            tenth of the doubt lay. Where people were told to look at the squares that are named, in
            276 kingdoms of such tables between 0.93 and sure, 236 became sure and one was wrong.
    """

    sure_from: Annotated[float, "sure"] = 0.99
    clear_kingdom: Annotated[float, "kingdom"] = 0.8
    unclear_kingdom: Annotated[float, "kingdom"] = 0.2
    scored_from: Annotated[float, "sure"] = 0.05
    clear_square: Annotated[float, "sure"] = 0.8
    named_alternative: Annotated[float, "sure"] = 0.005
    settled: Annotated[float, "sure"] = 0.1
    unforeseen: Annotated[float, "sure"] = 0.25


PIPELINE = PipelineSettings()
