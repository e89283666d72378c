"""The numbers of the doubts: when a kingdom is left out, and when its total is not trusted."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class DoubtSettings:
    """When a reading is no kingdom, and when it is not sure.

    Fields `..._factor` are what is left of the trust in a total (0 to 1) where the doubt holds.
    """

    # ------------------------------------------------------------------ size and lattice

    #: Pixels of the upright photo. Smaller squares hide their crowns.
    small_square_px: float = field(default=20.0, metadata={"decides": "sure"})
    small_square_factor: float = 0.5
    #: Squares, root mean square. Squares of a well laid kingdom lie this near to the lattice.
    loose_residual: float = field(default=0.10, metadata={"decides": "sure"})
    loose_factor: float = 0.5
    #: Squares. A tile further from its place may be half of a domino that only lies beside the
    #: kingdom. In photos, boards and samples that are read rightly it is 0.14 at most. A grid tells
    #: at most 0.15 along each axis, so what is off along one alone stays below.
    off_lattice: float = field(default=0.175, metadata={"decides": "sure"})
    off_lattice_factor: float = 0.5

    # ------------------------------------------------------------------ border of the photo

    #: Squares. A square that reaches so far out of the photo is cut off.
    cut_off: float = field(default=0.27, metadata={"decides": "sure"})
    cut_off_factor: float = 0.3
    beyond_border_factor: float = 0.9
    #: Squares. Of a place that reaches no further out, enough is seen to tell table from tile.
    still_seen: float = field(default=0.75, metadata={"decides": "sure"})
    #: Squares. A place of which less is seen than this, and of which nothing can be told, may hide
    #: a tile.
    hidden_beyond: float = field(default=0.5, metadata={"decides": "sure"})
    at_border_factor: float = 0.5

    # ------------------------------------------------------------------ detector against classifier

    #: Share. From it on a place looks like a tile to the detector.
    like_tile: float = field(default=0.5, metadata={"decides": "sure"})
    #: Share of agreeing pixels. From it on a square is clearly found.
    clearly_found: float = field(default=0.5, metadata={"decides": "sure"})
    #: Trust left in a place where squares were read and no tile was found.
    not_found_factor: float = 0.9
    #: Distance from the bare places that are most alike, about CIE L*a*b*. From it on something is
    #: no table; as `scripts.measuring.calibrate ground` prints it.
    unlike_ground: float = field(default=7.0, metadata={"decides": "sure"})
    #: Trust left where the detector alone sees a tile, and the place does not look like the table.
    not_read_factor: float = 0.9
    #: The same where it does look like the table. Of 104 kingdoms of measured sets that were sure
    #: but for that none was wrong. Set when it was 79, counted as if half a one had been.
    not_read_on_ground_factor: float = field(default=0.994, metadata={"decides": "sure"})

    # ------------------------------------------------------------------ what hides squares

    #: Share of contrast finer than a crown, in the median square. Below it totals went wrong;
    #: undamaged photos have at least 0.45.
    blurred: float = field(default=0.32, metadata={"decides": "sure"})
    blurred_factor: float = 0.9
    #: Mean brightness of the median square, 0 to 255. Below it totals went wrong; undamaged photos
    #: have at least 40.
    dark: float = field(default=25.0, metadata={"decides": "sure"})
    dark_factor: float = 0.9
    #: Share of a square that is burnt out. Above it totals went wrong; undamaged photos have none.
    burnt: float = field(default=0.3, metadata={"decides": "sure"})
    glare_factor: float = 0.9
    #: Value (0 to 255) from which on a pixel is burnt out, in all three colours.
    burnt_value: int = 250
    #: Squares. Detail is what is finer than this: crowns are about a tenth of a square.
    fine_detail: float = 0.06
    #: Pixels of the rectified window at the edge of a square that are not looked at.
    edge_px: int = 5
    #: Times the usual distance on this ground, see `background.oddness`. An empty place that is
    #: further from the ground may be covered. On undamaged photos that were not trained on the
    #: largest was 1.3.
    odd_ground: float = field(default=1.4, metadata={"decides": "sure"})
    covered_factor: float = 0.5
    #: Share of the surroundings of a kingdom that look strange. From it on a kingdom may continue
    #: where a damaged file shows noise.
    strange_side: float = field(default=0.06, metadata={"decides": "sure"})
    strange_side_factor: float = 0.5

    # ------------------------------------------------------------------ kingdom or not

    #: Squares, castle included. With no more it is a kingdom only with a castle that is likelier
    #: than not: a row of dominoes and a picture on a box have squares, too.
    few_squares: int = field(default=9, metadata={"decides": "kingdom"})
    #: Probability of the castle of so small a kingdom. Measured on small kingdoms of tables: 0.61
    #: at least.
    small_kingdom_castle: float = field(default=0.6, metadata={"decides": "kingdom"})
    #: Probability. From it on the castle of so small a kingdom is clearly seen.
    sure_castle: float = field(default=0.99, metadata={"decides": "sure"})
    #: Terrain squares: a kingdom has at least one domino beside its castle.
    least_terrain_squares: int = field(default=2, metadata={"decides": "kingdom"})
    #: Castles: two or three are seen where one stands before others' squares, more in patterns.
    most_castles: int = field(default=3, metadata={"decides": "kingdom"})
    #: Squares that are not in the box, and the share of all that they are. Misread squares are a
    #: few. Where there are more than both, a pattern was read: a chequered cloth has more
    #: three-crown mines than there are.
    some_beyond_box: int = field(default=4, metadata={"decides": "kingdom"})
    most_beyond_box: float = field(default=0.25, metadata={"decides": "kingdom"})
    #: Squares that both networks clearly see. So many beside the kingdoms are not left out without
    #: a word: they may be a kingdom whose castle is not recognised. Two dominoes are a few.
    least_left_out: int = field(default=5, metadata={"decides": "sure"})
    #: Ratio. Squares on one table differ no more from the size that perspective says.
    same_size: float = field(default=1.6, metadata={"decides": "kingdom"})
    #: Probability of the castle from which on a kingdom that the border cuts off is reported. Of
    #: some thirty on measured tables, with the castle in the photo, none had less than 0.97.
    cut_off_castle: float = field(default=0.9, metadata={"decides": "kingdom"})
    #: Sides of a square. Kingdoms whose castles differ less in height stand in one row of the
    #: report.
    same_line: float = 3.0

    # ------------------------------------------------------------------ a kingdom torn apart

    #: Squares. A square lies on a lattice when it is this near to one of its places.
    near_lattice: float = field(default=0.3, metadata={"decides": "sure"})
    #: So many squares of another group, and this share of those within reach, must lie on the
    #: lattice.
    least_in_line: int = field(default=3, metadata={"decides": "sure"})
    share_in_line: float = field(default=0.6, metadata={"decides": "sure"})
    split_factor: float = 0.5


#: The numbers in use.
DOUBT = DoubtSettings()
