"""The numbers of the doubts: what is a kingdom, and which places of it are uncertain."""

from typing import Annotated

from msgspec import Struct


class DoubtSettings(Struct, frozen=True):
    """When a reading is no kingdom, and which of its places are uncertain.

    How far signs such as blur lower the trust in a total is fitted, in `models/trust.json`. Fields
    `..._factor` are the share (0 to 1) that the classifier keeps on a place that is in doubt.
    """

    # ------------------------------------------------------------------ border of the photo

    #: Squares. A square that reaches so far out of the photo is cut off.
    cut_off: Annotated[float, "sure"] = 0.27
    cut_off_factor: float = 0.3
    #: Squares. Of a place that reaches no further out, the detector sees enough to be asked.
    still_seen: Annotated[float, "sure"] = 0.75
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
    #: Where squares were read and no tile was found.
    not_found_factor: float = 0.9
    #: Distance from the bare places that are most alike, about CIE L*a*b*, of what is no table: the
    #: unit of a sign. As `scripts.measuring.calibrate ground` prints it.
    unlike_ground: float = 7.0
    #: Where the detector sees a tile and the classifier none: enough to name the other total.
    not_read_factor: float = 0.994

    # ------------------------------------------------------------------ what hides squares

    #: Value (0 to 255) from which on a pixel is burnt out, in all three colours.
    burnt_value: int = 250
    #: Squares. Detail is what is finer than this: crowns are about a tenth of a square.
    fine_detail: float = 0.06
    #: Pixels of the rectified window at the edge of a square that are not looked at.
    edge_px: int = 5

    # ------------------------------------------------------------------ kingdom or not

    #: Squares, castle included. With no more it is a kingdom only with a castle that is likelier
    #: than not: a row of dominoes and a picture on a box have squares, too.
    few_squares: Annotated[int, "kingdom"] = 9
    #: Probability of the castle of so small a kingdom. Measured on small kingdoms of tables: 0.61
    #: at least.
    small_kingdom_castle: Annotated[float, "kingdom"] = 0.6
    #: Probability of a castle that must be one, as another place shows its walls.
    sure_castle: float = 0.99
    #: Terrain squares: a kingdom has at least one domino beside its castle.
    least_terrain_squares: Annotated[int, "kingdom"] = 2
    #: Castles: two or three are seen where one stands before others' squares, more in patterns.
    most_castles: Annotated[int, "kingdom"] = 3
    #: Share of its squares that are made out, below which something like a kingdom is reported as
    #: tiles that may be one. On rendered tables with seeds of their own three of 1,560 kingdoms
    #: had less, none of them read exactly, and seven of thirteen things that were none.
    least_made_out: Annotated[float, "kingdom"] = 0.5
    #: Squares that are not in the box, and the share of all that they are. Misread squares are a
    #: few. Where there are more than both, a pattern was read: a chequered cloth has more
    #: three-crown mines than there are.
    some_beyond_box: Annotated[int, "kingdom"] = 4
    most_beyond_box: Annotated[float, "kingdom"] = 0.25
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
    #: Squares of a kingdom, and probability of its castle, that are enough to tell: one of three
    #: shows too little of the perspective.
    least_reference: Annotated[int, "sure"] = 9
    reference_castle: Annotated[float, "sure"] = 0.9
    #: Probability of the castle from which on a kingdom that the border cuts off is reported. Of
    #: some thirty on measured tables, with the castle in the photo, none had less than 0.97.
    cut_off_castle: Annotated[float, "kingdom"] = 0.9
    #: Sides of a square. Kingdoms whose castles differ less in height stand in one row of the
    #: report.
    same_line: float = 3.0

    # ------------------------------------------------------------------ a kingdom torn apart

    #: Squares. A square lies on a lattice when it is this near to one of its places.
    near_lattice: Annotated[float, "sure"] = 0.3
    #: Squares. The same beside a kingdom of fewer than `least_reference` squares, and of a domino
    #: of which only one square was found.
    near_small_lattice: Annotated[float, "sure"] = 0.42
    half_domino_lattice: Annotated[float, "sure"] = 0.2
    #: So many squares of another group, and this share of those within reach, must lie on the
    #: lattice.
    least_in_line: Annotated[int, "sure"] = 3
    share_in_line: Annotated[float, "sure"] = 0.6


#: The numbers in use.
DOUBT = DoubtSettings()
