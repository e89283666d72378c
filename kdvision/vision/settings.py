"""The hand-set numbers of vision: one frozen record per stage, and the one instance in use.

Each number has its unit, what it decides, and how it was found. Where no measurement is named it
was set by hand, on rendered scenes that train. One that decides whether there is a kingdom, whether
a total is sure, or whether a kingdom is legal, is annotated so: `Annotated[float, "kingdom"]`,
`"sure"` or `"legal"`; a test fails where one of these is changed by a third, up or down. What
decides nothing, and what models were trained for (the size of a patch, the planes of the detector),
is no setting: it stands with its code.
"""

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
    #: Squares of a lattice that shows enough of the perspective to tell what is print, and the
    #: share of the side of its squares below which others are: stricter than `DOUBT.print_side`,
    #: as they are not looked at any more.
    least_reference: Annotated[int, "kingdom"] = 9
    #: The same of `least_reference` squares and more, whose side is known better, also after they
    #: were read. Of 818 such kingdoms on rendered tables, 261 of them missed as their castle was
    #: covered or in the dark, all but one had 0.85 and more (that one had 0.74 and was not looked
    #: at; it may be a rule sheet); of 45 prints of as many squares 39 had less than 0.8.
    large_print_side: Annotated[float, "kingdom"] = 0.8
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
    #: Share of votes with which a square is there, and that which a place counts as that got none.
    many_votes: Annotated[float, "sure"] = 0.8
    few_votes: Annotated[float, "sure"] = 0.3
    #: Squares. In the second detection a square belongs to a place when it lies this near to it.
    recheck_reach: Annotated[float, "sure"] = 0.3


class SquaresSettings(Struct, frozen=True):
    """How places are classified, weighed with other evidence, and compared with the ground."""

    # ------------------------------------------------------------------ the classifier

    #: Share of the pixels along a square that the classifier asks for, from which on a photo is
    #: decoded finely enough: the next finer decoding has four times the pixels. On rendered tables
    #: kingdoms with squares of 0.97, 0.83, 0.72 and 0.6 of that were read as well as with twice as
    #: many: of 1,174 in these photos 1,103 and 1,102 exactly, 825 sure, none wrong in silence.
    enough_px: Annotated[float, "sure"] = 0.7
    #: Probability. A place whose first patch is less sure is classified from all four sides.
    sure_from_one_side: Annotated[float, "sure"] = 0.998

    # ------------------------------------------------------------------ evidence of the detector

    #: Probability. What the detector says of tile or no tile counts between it and 1 minus it.
    detector_cap: Annotated[float, "sure"] = 0.015
    #: Likelihood ratio of a castle where the detector says 0.5: it was trained to see castles four
    #: times too often, and one square in some twenty is one.
    castle_ratio: Annotated[float, "kingdom"] = 5.0
    #: The least and the most that this ratio can be.
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
    #: more like one. On rendered tables castles of a strange make had 0.004 to 0.5 of it, and other
    #: squares hardly ever 0.0005.
    least_castle: Annotated[float, "kingdom"] = 0.002
    #: Ratio. A castle that hardly looks like one looks so many times more like one than the next
    #: place does: it is one place of the lattice, and a pattern has many.
    stands_out: Annotated[float, "kingdom"] = 4.0

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

    # ------------------------------------------------------------------ the ground

    #: Places beyond the window of a grid that are compared as well.
    ring: Annotated[int, "sure"] = 2
    #: Places. Fewer of ground say nothing.
    least_ground: Annotated[int, "sure"] = 6
    #: About CIE L*a*b*. What is usual on this ground is this, and so many times its own spread.
    usual_distance: Annotated[float, "sure"] = 6.0
    usual_spread: Annotated[float, "sure"] = 1.5
    #: Share of the ground that a place resembles most, with which it is compared.
    like_share: Annotated[float, "sure"] = 0.1
    #: About CIE L*a*b*. From place to place ground changes by less than this, or by so many times
    #: what is usual on it; a place further from all ground is covered. On rendered tables six of
    #: 227 sure totals had such a place, most of them beside things that stood there.
    ground_step: Annotated[float, "sure"] = 8.0
    ground_steps: Annotated[float, "sure"] = 2.5
    unlike_ground: Annotated[float, "sure"] = 18.0
    #: Probability of a tile below which the detector takes a place for bare.
    bare_below: Annotated[float, "sure"] = 0.2


class SeamsSettings(Struct, frozen=True):
    """How pairs of places become likelihood ratios."""

    #: The largest logarithm of a likelihood ratio, natural: e to the 5th is 150 to 1, about as many
    #: patches as there are for each error on looks that did not train.
    most: Annotated[float, "legal"] = 5.0


class DoubtSettings(Struct, frozen=True):
    """When a reading is no kingdom, and which of its places are uncertain.

    How far signs such as blur lower the trust in a total is fitted, in `models/trust.json`.
    """

    # ------------------------------------------------------------------ border of the photo

    #: Squares. A square that reaches so far out of the photo is cut off.
    cut_off: Annotated[float, "sure"] = 0.27
    #: Squares. Of a place that reaches no further out, the detector sees enough to be asked.
    still_seen: Annotated[float, "sure"] = 0.75
    #: Share of what the photo shows of such a place that is like a tile, from which on the tiles
    #: beside it go on beyond the border. Of 144 kingdoms on rendered tables that were missed, 58
    #: of them with the border along their edge, one had 0.61 and all others less than 0.35; of 90
    #: groups that were no whole kingdom 26 had more than 0.7.
    goes_on: Annotated[float, "sure"] = 0.7
    #: Share of a place. Of a strip that is narrower nothing can be told.
    least_strip: Annotated[float, "sure"] = 0.06
    #: Distance from the bare places that are most alike, about CIE L*a*b*: a strip up to the first
    #: shows the table, one from the second on does not. Of strips of rendered kingdoms that the
    #: border cuts between or in columns, 0.2 % were less than 4 away and 2 % less than 8; of bare
    #: strips 69 % and 85 %.
    bare_strip: Annotated[float, "sure"] = 4.0
    tile_strip: Annotated[float, "sure"] = 8.0

    # ------------------------------------------------------------------ detector against classifier

    #: Share. From it on a place looks like a tile to the detector.
    like_tile: Annotated[float, "sure"] = 0.5
    #: Share of agreeing pixels. From it on a square is clearly found.
    clearly_found: Annotated[float, "sure"] = 0.5

    # ------------------------------------------------------------------ what covers a place

    #: The odds that something covers an empty place are those that the classifier calls it hidden,
    #: times e to the power of its oddness, weighed so, less what is odd of bare ground. Fitted on
    #: 331 scenes that train, with things of any shape and pattern over half of them: at 0.09 92 %
    #: of the kingdoms with a covered place are told, and 2 % of those without one.
    odd_weight: Annotated[float, "sure"] = 3.0
    odd_from: Annotated[float, "sure"] = 2.0
    #: Places beside a kingdom that are unlike all ground, up to which a thing may lie there, as the
    #: network of covers knows them. Of 283 uncovered kingdoms one had more than three; files whose
    #: bytes are broken, and decode to wrong pixels, have five.
    most_apart: int = 3

    # ------------------------------------------------------------------ kingdom or not

    #: Squares, castle included, up to which an unclear castle is a sign: a row of dominoes and a
    #: picture on a box have squares, too.
    few_squares: Annotated[int, "sure"] = 9
    #: Terrain squares: of a kingdom with less than two dominoes every square must be made out, and
    #: a castle be likelier than not. Measured on small kingdoms of tables: 0.61 at least.
    least_terrain_squares: Annotated[int, "kingdom"] = 4
    small_kingdom_castle: Annotated[float, "kingdom"] = 0.6
    #: Castles: two or three are seen where one stands before others' squares, more in patterns.
    most_castles: Annotated[int, "kingdom"] = 3
    #: Share of its squares that are made out, below which something like a kingdom is reported as
    #: tiles that may be one. On rendered tables with seeds of their own three of 1,560 kingdoms
    #: had less, none of them read exactly, and seven of thirteen things that were none.
    least_made_out: Annotated[float, "kingdom"] = 0.5
    #: The same of its squares and the places beside them together. Of 1,015 kingdoms that
    #: were read exactly, on damaged pictures and with unseen castles, all had 0.75 and more.
    least_made_out_around: Annotated[float, "kingdom"] = 0.7
    #: Squares that both networks clearly see. So many beside the kingdoms, and not laid as a draft
    #: row is, are not left out without a word: they may be a kingdom with a strange castle.
    least_left_out: Annotated[int, "sure"] = 3
    #: The same of an odd number of squares in one piece, or beside a clear castle: a domino, and
    #: what may be its castle.
    least_left_out_odd: Annotated[int, "sure"] = 2
    #: Squares. Beside so few at most, two dominoes and one, a castle may go unseen; and the
    #: probability of it from which on it may. On rendered scenes four of five castles beside a
    #: domino that were read as nothing had 0.015 to 0.45, other things 0.001, and once 0.2.
    few_dominoes: Annotated[int, "sure"] = 5
    castle_beside: Annotated[float, "sure"] = 0.01
    #: Ratio. Squares on one table differ no more from the size that perspective says.
    same_size: Annotated[float, "kingdom"] = 1.6
    #: Ratio. Squares whose side is below this share of what a kingdom's would be in their place are
    #: print. Of 60 pairs of kingdoms on rendered tables (seed 7201) none had less than 0.87; of 17
    #: prints that were read as tiles or kingdoms 16 had 0.32 to 0.7.
    print_side: Annotated[float, "sure"] = 0.71
    #: Probability of the castle of a kingdom from which on it tells what is print.
    reference_castle: Annotated[float, "sure"] = 0.9
    #: Probability of the castle from which on a kingdom that the border cuts off is reported. Of
    #: some thirty on measured tables, with the castle in the photo, none had less than 0.97.
    cut_off_castle: Annotated[float, "kingdom"] = 0.9

    # ------------------------------------------------------------------ a kingdom torn apart

    #: Squares. A square lies on a lattice when it is this near to one of its places.
    near_lattice: Annotated[float, "sure"] = 0.3
    #: So many squares of another group, and this share of those within reach, must lie on the
    #: lattice.
    least_in_line: Annotated[int, "sure"] = 3
    share_in_line: Annotated[float, "sure"] = 0.6


class ColourSettings(Struct, frozen=True):
    """When the colour of a castle is told."""

    #: Probability of a colour from which on a castle is said to have it. Of 835 castles that show
    #: a colour in rendered photos that no figure is reported on, 2 are named wrongly from 0.85 on
    #: and 795 rightly, 3 and 808 from 0.7 on, 2 and 781 from 0.9 on; at most 1 in 200 is to be
    #: (`scripts.measuring.colour --limit`). Where a castle of another make stands on the tile, its
    #: own colours mislead: 12 of 155 are wrong from 0.85 on, 20 from 0.7 on.
    sure_from: float = 0.85
    #: Probability from which on one look at a castle is enough; below it, its mirror image is
    #: looked at as well. Of the castles above, three in ten get a second look, and the same are
    #: named as if all did; with a limit of 0.95, one more of another make is wrong.
    sure_at_once: float = 0.98


#: The numbers in use.
GRID = GridSettings()
SQUARES = SquaresSettings()
SEAMS = SeamsSettings()
COLOUR = ColourSettings()
DOUBT = DoubtSettings()
