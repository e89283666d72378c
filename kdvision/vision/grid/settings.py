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
    #: A photo is not enlarged by more than this.
    most_enlarged: Annotated[float, "kingdom"] = 4.0
    #: Median side in pixels. Where squares are smaller the whole photo is seen once more, finer.
    fine_below_px: Annotated[float, "kingdom"] = 19.0
    #: The longer side in pixels of that finer view, at most, and where no square was seen.
    fine_view_px: Annotated[int, "kingdom"] = 1600
    #: Side in pixels at which the detector sees best, and between which it still sees well.
    best_square_px: Annotated[int, "kingdom"] = 36
    good_from_px: Annotated[float, "kingdom"] = 24.0
    good_to_px: Annotated[float, "kingdom"] = 64.0
    #: The shorter axis in pixels. Foreshortened squares that are flatter are seen from above.
    shortest_px: Annotated[float, "kingdom"] = 20.0
    #: Root mean square distance of squares from their lattice, in squares. Above it they are seen
    #: from above as well.
    loose_residual: Annotated[float, "kingdom"] = 0.07
    #: Places around a kingdom that a view from above shows.
    ring_from_above: Annotated[int, "kingdom"] = 2

    # ------------------------------------------------------------------ votes become squares

    #: Probability of a tile. Pixels below it do not vote.
    tile_from: Annotated[float, "kingdom"] = 0.5
    #: Share of the votes of a whole square that a square needs.
    least_votes: Annotated[float, "kingdom"] = 0.25
    #: Squares. A vote counts for a centre that lies this near.
    vote_reach: Annotated[float, "kingdom"] = 0.3
    #: Squares. Peaks of votes nearer to each other than this are of one square.
    same_peak: Annotated[float, "kingdom"] = 0.35
    #: Squares. Non-maximum suppression: of two squares nearer than this the weaker one goes.
    suppression_reach: Annotated[float, "kingdom"] = 0.5

    # ------------------------------------------------------------------ squares become lattices

    #: Squares. Neighbours are no further apart.
    neighbour_reach: Annotated[float, "kingdom"] = 2.2
    #: Squares. A neighbour lies no further from where it is expected.
    step_tolerance: Annotated[float, "kingdom"] = 0.28
    #: Share of their length by which the axes of neighbours differ at most.
    bend_tolerance: Annotated[float, "kingdom"] = 0.5
    #: Squares. A square further from the fitted lattice is none of its squares.
    fit_tolerance: Annotated[float, "kingdom"] = 0.24
    #: Share of the votes that are usual in its lattice. A square with less does not shape it.
    weak_share: Annotated[float, "sure"] = 0.65

    # ------------------------------------------------------------------ lattices become grids

    #: Squares: castle and one domino. A lattice of one fewer stays where a castle may stand.
    least_squares: Annotated[int, "kingdom"] = 3
    #: How much of the middle of a place beside such a pair is like a tile. From this share on a
    #: castle that the detector missed may stand there. Of 17 kingdoms of rendered scenes that came
    #: out as a pair 15 had more than 0.28, all 0.26; of 102 pairs of loose squares half.
    stands_beside: Annotated[float, "kingdom"] = 0.2
    #: Squares of a lattice that shows enough of the perspective to tell what is print.
    least_reference: Annotated[int, "kingdom"] = 9
    #: Lattices of a photo that are seen at most.
    most_grids: Annotated[int, "kingdom"] = 12
    #: Ratio. Squares that become larger or smaller by it in a view from above are others.
    same_side: Annotated[float, "kingdom"] = 1.4
    #: Sides of a square by which the middle of a kingdom moves at most from view to view.
    same_middle: Annotated[float, "kingdom"] = 2.0
    #: A view from above with fewer squares counts where the residual falls to this share and this
    #: share of the squares is left.
    better_residual: Annotated[float, "kingdom"] = 0.8
    enough_squares: Annotated[float, "kingdom"] = 0.7
    #: Places along a side of the largest window: two 7x7 kingdoms that touch, and a ring.
    most_places: Annotated[int, "kingdom"] = 16
    #: Share of votes with which a square is there, and that which a place counts as that got none.
    many_votes: Annotated[float, "sure"] = 0.8
    few_votes: Annotated[float, "sure"] = 0.3
    #: Squares. In the second detection a square belongs to a place when it lies this near to it.
    recheck_reach: Annotated[float, "sure"] = 0.3


#: The numbers in use.
GRID = GridSettings()
