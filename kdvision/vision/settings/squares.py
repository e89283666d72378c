"""The numbers of the squares: from a grid to the probabilities of its places."""

from typing import Annotated

from msgspec import Struct


class SquaresSettings(Struct, frozen=True):
    """How places are classified, weighed with other evidence, and compared with the ground."""

    # ------------------------------------------------------------------ the classifier

    #: Probability. A place whose first patch is less sure is classified from all four sides.
    sure_from_one_side: Annotated[float, "sure"] = 0.998
    #: Patches that a thread shows the classifier at once: the layers of more do not fit into a
    #: core's own memory, and fewer would be shared out no better.
    patches_at_once: int = 4

    # ------------------------------------------------------------------ evidence of the detector

    #: Probability. What the detector says of tile or no tile counts between it and 1 minus it.
    detector_cap: Annotated[float, "sure"] = 0.015
    #: Likelihood ratio of a castle where the detector says 0.5: it was trained to see castles four
    #: times too often, and one square in some twenty is one.
    castle_ratio: Annotated[float, "kingdom"] = 5.0
    #: Between which that ratio stays.
    least_castle_ratio: Annotated[float, "kingdom"] = 0.2
    most_castle_ratio: Annotated[float, "kingdom"] = 10.0

    #: Likelihood ratio of a bare place by detector and ground together, from which on the
    #: classifier is not asked. It seldom is surer of a tile than 1,000 to 1.
    clearly_bare: Annotated[float, "sure"] = 1e4

    # ------------------------------------------------------------------ castle and strays

    #: Squares of the widest draft row: four dominoes.
    draft_squares: Annotated[int, "kingdom"] = 8
    #: Probability of a castle among so few squares that could be a draft row.
    draft_castle: Annotated[float, "kingdom"] = 0.97
    #: Probability that is enough for a castle where more squares lie, odd in number, and none looks
    #: more like one.
    least_castle: Annotated[float, "kingdom"] = 0.05

    #: Ratio. A castle that hardly looks like one looks so many times more like one than the next
    #: place does: it is one place of the lattice, and a pattern has many.
    stands_out: Annotated[float, "kingdom"] = 2.0

    #: Factor. What is left of the trust in a kingdom that touches another: it is never sure, as a
    #: domino at the line between them may be of either.
    touching_factor: Annotated[float, "sure"] = 0.9

    # ------------------------------------------------------------------ a standing castle

    #: Sine of the angle at which the camera looks down. From higher up a standing castle covers
    #: little of the place behind it: at 60 degrees half a square of height covers a quarter of one.
    seen_over_castle: Annotated[float, "sure"] = 0.87
    #: Cosine of the angle between the line of sight and the step to a neighbour of the castle, from
    #: which on that neighbour is behind it. Over a corner, at 45 degrees, both are.
    behind: Annotated[float, "sure"] = 0.5
    #: Probability that too little of a place is seen, from which on it is hidden.
    hidden: Annotated[float, "sure"] = 0.5
    #: Probability of its likeliest label, from which on a place behind a castle is made out.
    made_out: Annotated[float, "sure"] = 0.9
    #: Probability of a castle where nothing looks like one and the squares around need it.
    inferred_castle: float = 0.9
    #: Probability of a castle that is enough for one of an odd number of squares, if none of the
    #: others looks nearly so much like one: with at most four dominoes, and with more. On rendered
    #: tables with seeds of their own, castles of a strange make had 0.004 to 0.5 of it, and other
    #: squares hardly ever 0.0005.
    least_inferred_of_few: Annotated[float, "kingdom"] = 0.05
    least_inferred: Annotated[float, "kingdom"] = 0.002
    #: Ratio. So many times more like a castle than every other square.
    far_more: Annotated[float, "kingdom"] = 8.0
    #: Share of its squares that must be made out for that: tiles of another make are not.
    clear_share: Annotated[float, "kingdom"] = 0.75
    #: Share of a place that looks like a tile to the detector, from which on something stands
    #: there, although the classifier sees no terrain.
    something_stands: Annotated[float, "kingdom"] = 0.3

    # ------------------------------------------------------------------ glare

    #: About CIE L*a*b*: least lightness, most colour and most roughness of a place that a
    #: reflection washes out. Of places between squares that are so, not bare and read as empty, 56
    #: of 61 held a tile in rendered scenes with windows and lamps (seed 7101), and 1 of 6 in scenes
    #: without (seed 7201), which have 215 places that are empty indeed.
    washed_out_light: Annotated[float, "sure"] = 65.0
    washed_out_colour: Annotated[float, "sure"] = 30.0
    washed_out_rough: Annotated[float, "sure"] = 12.0
    #: Share of a washed-out place that looks empty which the prior decides. The terrains that the
    #: classifier sees in it are right in 1 of 5; with this share the truth is likeliest.
    washed_out_open: Annotated[float, "sure"] = 0.7
    #: Share that the classifier keeps on washed-out places; of a faint terrain it is right on half.
    washed_out_factor: Annotated[float, "sure"] = 0.65
    #: Share of the place that is like a tile to the detector, from which on it is not bare.
    washed_out_tile: Annotated[float, "sure"] = 0.05

    # ------------------------------------------------------------------ the ground

    #: Places beyond the window of a grid that are compared as well.
    ring: Annotated[int, "sure"] = 2
    #: Pixels per square of the small picture that is compared.
    ground_px: int = 12
    #: Share of its side, in the middle of a place, that is compared.
    inner_share: float = 0.62
    #: How much lightness, the two colours and roughness count. Shadows change lightness most.
    look_weights: tuple[float, float, float, float] = (0.45, 1.0, 1.0, 0.6)
    #: Depth, in units of that at the first corner of the window, below which a place is beyond the
    #: horizon.
    least_depth: float = 0.05
    #: Places. Fewer of ground say nothing.
    least_ground: Annotated[int, "sure"] = 6
    #: About CIE L*a*b*. What is usual on this ground is this, and so many times its own spread.
    usual_distance: Annotated[float, "sure"] = 6.0
    usual_spread: Annotated[float, "sure"] = 1.5
    #: Share of the ground that a place resembles most, with which it is compared.
    like_share: Annotated[float, "sure"] = 0.25
    #: Share of the ground that the usual ground is; damage may fill more than the rest.
    usual_share: Annotated[float, "sure"] = 0.2
    #: Times the usual distance from which on a place beside the kingdom is strange.
    strange: Annotated[float, "sure"] = 2.5
    #: Probability of a tile below which the detector takes a place for bare.
    bare_below: Annotated[float, "sure"] = 0.2
    #: Bare places, the nearest in look, with which a place is compared.
    nearest_bare: int = 3
    #: Distance from them (about CIE L*a*b*), and the decimal logarithm of the likelihood ratio of a
    #: bare place there; as `scripts.measuring.calibrate ground` prints it.
    bare_distances: tuple[float, ...] = (1.4, 2.5, 3.75, 7.0)
    bare_ratios: tuple[float, ...] = (3.0, 2.0, 1.1, 0.0)


#: The numbers in use.
SQUARES = SquaresSettings()
