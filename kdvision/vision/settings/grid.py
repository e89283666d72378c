"""The numbers of the grid: from a photo to lattices and their windows."""

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
    #: Pixels that go through the detector at once, and rows around them that are shown but not
    #: asked for: memory, not accuracy.
    most_pixels_at_once: int = 640_000
    halo_rows: int = 64
    #: Squares around the middle of a place. How much of it is tile is sampled at such points along
    #: both axes: those of its middle, and those of all of it.
    middle_points: tuple[float, ...] = (-0.25, 0.0, 0.25)
    whole_points: tuple[float, ...] = (-0.36, -0.18, 0.0, 0.18, 0.36)
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
    #: Squares, root mean square. So are those that lie further from their lattice.
    loose_residual: Annotated[float, "kingdom"] = 0.07
    #: Places around a kingdom that a view from above shows, how many such views there are, and how
    #: many times `view_px` such a view is wide at most.
    ring_from_above: Annotated[int, "kingdom"] = 2
    most_views: Annotated[int, "kingdom"] = 2
    widest_from_above: float = 1.3

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
    #: Side of a bin of votes in squares, and between which pixels it stays; spread of the blur that
    #: smooths them, and width of the window in which a peak is the highest, in bins.
    bin_squares: float = 0.08
    least_bin_px: float = 1.0
    most_bin_px: float = 8.0
    bin_blur: float = 1.3
    peak_bins: int = 5
    #: Share of the highest peak below which a peak is noise. It saves time and decides nothing:
    #: the peak of a square of usual size that has `least_votes` is higher, however they are spread.
    least_peak: float = 0.02

    # ------------------------------------------------------------------ axes led by neighbours

    #: How often axes are set anew, each time by what the last ones take for neighbours.
    axes_rounds: int = 3
    #: Squares. Those within it may be neighbours: the longer axis of a slanted square and more.
    axes_reach: float = 1.9
    #: Squares. A step counts the less the further it is from a whole one, by a normal law of this
    #: spread, and not at all from `most_step_error` on.
    step_spread: float = 0.22
    most_step_error: float = 0.45
    #: Share of their length by which the axes of neighbours differ at most.
    most_axes_bend: float = 0.6
    #: Exact neighbours. What the detector says of an axis counts as much as so many.
    own_axes_weight: float = 0.35
    #: Steps. The axes of a neighbour count as much as so many: tiles lie loosely, and these steady
    #: the mean.
    shared_axes_weight: float = 0.5

    # ------------------------------------------------------------------ the fit of a homography

    #: A priori spread of the perspective terms per square, and of a square's place in squares.
    perspective_spread: float = 0.12
    place_spread: float = 0.04
    #: How much the ends of a square's axes count beside its centre.
    axis_weight: float = 0.12
    #: Squares. Larger errors count by their size, not its square (Huber).
    huber: float = 0.08
    #: Steps of Gauss and Newton at most.
    fit_steps: int = 12

    # ------------------------------------------------------------------ squares become lattices

    #: Squares. Neighbours are no further apart.
    neighbour_reach: Annotated[float, "kingdom"] = 2.2
    #: Squares. A neighbour lies no further from where it is expected.
    step_tolerance: Annotated[float, "kingdom"] = 0.28
    #: Share of their length by which the axes of neighbours differ at most.
    bend_tolerance: Annotated[float, "kingdom"] = 0.5
    #: Squares that a full difference of axes counts as, where the nearest neighbour is chosen.
    bend_price: float = 0.3
    #: Squares. A square further from the fitted lattice is none of its squares.
    fit_tolerance: Annotated[float, "kingdom"] = 0.24
    #: Squares, and share of the axes' length. A square that joins a fitted lattice lies this near
    #: to its place, and is so far like it.
    join_tolerance: Annotated[float, "kingdom"] = 0.2
    join_bend: Annotated[float, "kingdom"] = 0.35
    #: How often squares leave and join at most.
    fit_rounds: int = 6
    #: Share of the votes that are usual in its lattice. A square with less does not shape it.
    weak_share: Annotated[float, "sure"] = 0.65

    # ------------------------------------------------------------------ lattices become grids

    #: Squares: castle and one domino. A lattice of one fewer stays where its castle is clear, as
    #: one of them may go unseen.
    least_squares: Annotated[int, "kingdom"] = 3
    #: Probability from which on that castle is clear.
    lone_pair_castle: Annotated[float, "kingdom"] = 0.5
    #: Share of the middle of a place beside such a pair that is like a tile, from which on a castle
    #: may stand there, which the detector does not take for one. Of 17 kingdoms of rendered scenes
    #: that came out as a pair 15 had more than 0.28, all 0.26; of 102 pairs of loose squares half.
    stands_beside: Annotated[float, "kingdom"] = 0.2
    #: Squares of a lattice that shows enough of the perspective to tell what is print, and the
    #: share of the side of its squares below which others are: stricter than `DOUBT.print_side`,
    #: as they are not looked at any more.
    least_reference: Annotated[int, "kingdom"] = 9
    print_side: Annotated[float, "kingdom"] = 0.6
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
    #: Places along a side of the largest window: a 7x7 kingdom and a ring around it.
    most_places: Annotated[int, "kingdom"] = 9
    #: Squares. A patch follows its tile no further from the middle of its place, along each axis.
    most_shift: float = 0.15
    #: Share of votes with which a square is there, and that which a place counts as that got none.
    many_votes: Annotated[float, "sure"] = 0.8
    few_votes: Annotated[float, "sure"] = 0.3
    #: Squares. In the second detection a square belongs to a place when it lies this near to it.
    recheck_reach: Annotated[float, "sure"] = 0.3


#: The numbers in use.
GRID = GridSettings()
