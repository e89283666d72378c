"""The hand-set numbers of grids."""

from typing import Annotated

from msgspec import Struct


class GridSettings(Struct, frozen=True):
    """How squares are found in a photo, and which of them make a lattice.

    Squares, as a unit, are sides of a square where it lies. Pixels are those of the detector's
    input unless said otherwise.
    """

    # ------------------------------------------------------------------ the detector's view

    #: The longer side in pixels of the picture in which the detector sees a whole photo.
    view_px: Annotated[int, "kingdom"] = 512
    #: Ratio by which a photo is enlarged at most.
    most_enlarged: Annotated[float, "kingdom"] = 4.0
    #: The median side of squares in pixels below which the whole photo is looked at again, finer.
    fine_below_px: Annotated[float, "kingdom"] = 19.0
    #: The longer side in pixels of that finer view at most; also where no square was seen at first.
    fine_view_px: Annotated[int, "kingdom"] = 1600
    #: The side of a square in pixels at which the detector sees best.
    best_square_px: Annotated[int, "kingdom"] = 36
    #: The smallest side in pixels at which it still sees well.
    good_from_px: Annotated[float, "kingdom"] = 24.0
    #: The largest side in pixels at which it still sees well.
    good_to_px: Annotated[float, "kingdom"] = 64.0
    #: The shorter axis of foreshortened squares in pixels below which they are looked at again in a
    #: view from above.
    shortest_px: Annotated[float, "kingdom"] = 20.0
    #: Root mean square distance of squares from their lattice, in squares, above which they are
    #: looked at again in a view from above, too.
    loose_residual: Annotated[float, "kingdom"] = 0.07
    #: Places around a kingdom that a view from above shows.
    ring_from_above: Annotated[int, "kingdom"] = 2

    # ------------------------------------------------------------------ votes become squares

    #: Probability of a tile from which on a pixel votes.
    tile_from: Annotated[float, "kingdom"] = 0.5
    #: Share of the votes of a whole square that a square needs.
    least_votes: Annotated[float, "kingdom"] = 0.25
    #: Squares. A vote counts for a centre that is no farther from it than this.
    vote_reach: Annotated[float, "kingdom"] = 0.3
    #: Squares. Peaks of votes nearer to each other than this are of one square.
    same_peak: Annotated[float, "kingdom"] = 0.35
    #: Squares. Non-maximum suppression: of two squares nearer than this the weaker one goes.
    suppression_reach: Annotated[float, "kingdom"] = 0.5

    # ------------------------------------------------------------------ squares become lattices

    #: Squares. The largest distance between two that can be neighbours.
    neighbour_reach: Annotated[float, "kingdom"] = 2.2
    #: Squares. The largest distance of a neighbour from where it is expected.
    step_tolerance: Annotated[float, "kingdom"] = 0.28
    #: Share of their length by which the axes of neighbours differ at most.
    bend_tolerance: Annotated[float, "kingdom"] = 0.5
    #: Squares. A square that is farther than this from the fitted lattice does not belong to it.
    fit_tolerance: Annotated[float, "kingdom"] = 0.24
    #: A square does not shape its lattice where its votes are less than this share of those that
    #: are usual there.
    weak_share: Annotated[float, "sure"] = 0.65

    # ------------------------------------------------------------------ lattices become grids

    #: Squares of a lattice: a castle and one domino. One square fewer is enough where a castle may
    #: stand beside them.
    least_squares: Annotated[int, "kingdom"] = 3
    #: Share of the middle of a place beside such a pair that looks like a tile, from which on a
    #: castle that the detector missed may stand there. Of 17 kingdoms of rendered scenes that came
    #: out as a pair all had at least 0.26, and 15 more than 0.28; half of 102 pairs of loose
    #: squares had as much.
    stands_beside: Annotated[float, "kingdom"] = 0.2
    #: Squares of a lattice from which on it shows enough of the perspective to tell what is print.
    least_reference: Annotated[int, "kingdom"] = 9
    #: Lattices of a photo that are looked at, at most.
    most_grids: Annotated[int, "kingdom"] = 12
    #: Ratio. Squares that are larger or smaller by more than this in a view from above are others.
    same_side: Annotated[float, "kingdom"] = 1.4
    #: Squares. The middle of a kingdom moves by no more than this from view to view.
    same_middle: Annotated[float, "kingdom"] = 2.0
    #: A view from above that shows fewer squares counts all the same where the residual falls to
    #: this share,
    better_residual: Annotated[float, "kingdom"] = 0.8
    #: and where this share of the squares is left.
    enough_squares: Annotated[float, "kingdom"] = 0.7
    #: Places along a side of the largest window: two 7x7 kingdoms that touch, and a ring.
    most_places: Annotated[int, "kingdom"] = 16
    #: Share of the votes of a whole square from which on a square is clearly there.
    many_votes: Annotated[float, "sure"] = 0.8
    #: The share that a place counts as having where no square was found.
    few_votes: Annotated[float, "sure"] = 0.3
    #: Squares. In the second detection a square belongs to a place when it lies this near to it.
    recheck_reach: Annotated[float, "sure"] = 0.3


#: The numbers in use.
GRID = GridSettings()
