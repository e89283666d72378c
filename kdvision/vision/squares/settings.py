"""The hand-set numbers of squares."""

from typing import Annotated

from msgspec import Struct


class SquaresSettings(Struct, frozen=True):
    """How places are classified, weighed with other evidence, and compared with the ground."""

    # ------------------------------------------------------------------ the classifier

    #: A photo is decoded finely enough where squares have this share of the pixels that the
    #: classifier asks for along a side: the next finer decoding has four times the pixels. On
    #: rendered tables kingdoms with 0.97, 0.83, 0.72 and 0.6 of them were read as well as with
    #: twice as many: of 1,174 in these photos 1,103 and 1,102 exactly, 825 sure, all of them right.
    enough_px: Annotated[float, "sure"] = 0.7
    #: Probability. A place whose first patch is less sure is classified from all four sides.
    sure_from_one_side: Annotated[float, "sure"] = 0.998

    # ------------------------------------------------------------------ evidence of the detector

    #: Probability. What the detector says of a tile counts as no less than this, and as no more
    #: than 1 minus this.
    detector_cap: Annotated[float, "sure"] = 0.015
    #: Likelihood ratio of a castle where the detector says 0.5: it was trained to see castles four
    #: times too often, and one square in some twenty is one.
    castle_ratio: Annotated[float, "kingdom"] = 5.0
    #: The least that this ratio can be.
    least_castle_ratio: Annotated[float, "kingdom"] = 0.2
    #: The most that it can be.
    most_castle_ratio: Annotated[float, "kingdom"] = 10.0

    #: Likelihood ratio of a bare place by detector and ground together, from which on the
    #: classifier is not asked. It seldom is surer of a tile than 1,000 to 1.
    clearly_bare: Annotated[float, "sure"] = 1e3

    # ------------------------------------------------------------------ castles

    #: The number of castles in a kingdom: a standing one makes two or three places look like one;
    #: where there are more, it is a pattern.
    most_castles: Annotated[int, "kingdom"] = 3

    # ------------------------------------------------------------------ a standing castle

    #: Sine of the angle at which the camera looks down, from which on a standing castle hides
    #: little of the place behind it: at 60 degrees half a square of height hides a quarter of one.
    seen_over_castle: Annotated[float, "sure"] = 0.87
    #: Cosine of the angle between the line of sight and the step to a neighbour of the castle, from
    #: which on that neighbour is behind it. Over a corner, at 45 degrees, both are.
    behind: Annotated[float, "sure"] = 0.5

    # ------------------------------------------------------------------ the ground

    #: Places beyond the window of a grid that are compared as well.
    ring: Annotated[int, "sure"] = 2
    #: The number of bare places below which they say nothing of the ground.
    least_ground: Annotated[int, "sure"] = 6
    #: About CIE L*a*b*. A distance from the ground is usual up to this,
    usual_distance: Annotated[float, "sure"] = 6.0
    #: plus so many times the median of these distances on the same ground.
    usual_spread: Annotated[float, "sure"] = 1.5
    #: A place is compared with this share of the ground, that which is most like it.
    like_share: Annotated[float, "sure"] = 0.1
    #: About CIE L*a*b*. From place to place ground changes by less than this,
    ground_step: Annotated[float, "sure"] = 8.0
    #: or by less than so many times what is usual on it.
    ground_steps: Annotated[float, "sure"] = 2.5
    #: A place that is farther than this from all ground is covered. On rendered tables six of 227
    #: sure totals had such a place, most of them beside things that stood there.
    unlike_ground: Annotated[float, "sure"] = 18.0
    #: Probability of a tile below which the detector takes a place for bare.
    bare_below: Annotated[float, "sure"] = 0.2


SQUARES = SquaresSettings()
