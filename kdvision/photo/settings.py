"""The hand-set numbers of the photo room: limits of files, and when pixels count as damaged.

A field that decides whether a result is called sure is `Annotated` with `"sure"`: damage
makes a photo doubtful. Lengths are in pixels (px) and colours in steps of 0 to 255.
"""

from typing import Annotated

from msgspec import Struct


class PhotoSettings(Struct, frozen=True):
    """Limits of picture files, sizes of decoding, and thresholds of damage."""

    #: Larger photos (px) are refused before decoding, unless the caller allows them: at 6 bytes
    #: each these fill a process of 600 MB. Larger files (bytes) are refused, too: set by hand,
    #: above what cameras write.
    max_pixels: int = 100_000_000
    max_bytes: int = 64 * 2**20
    #: A JPEG whose pixels would take more bytes comes at a half, a quarter or an eighth. Leaves
    #: room for libraries and models in a process of 600 MB.
    max_decoding_bytes: int = 530_000_000
    #: px. The photo is decoded to at least this longer side; grids are found and patches are cut
    #: in the same pixels. The grid net sees half as much.
    working_side_px: int = 800

    # ------------------------------------------------------------------ missing parts

    #: levels. How far from mid grey (128) a pixel may lie and count as filled in by a decoder: room
    #: for the noise of a JPEG saved after the damage. Set by hand.
    fill_noise: Annotated[int, "sure"] = 8
    #: Share of the photo. A smaller plain grey part is let pass, such as the border of a
    #: screenshot. Set by hand.
    min_missing: Annotated[float, "sure"] = 0.02

    # ------------------------------------------------------------------ steps of colour

    #: levels. A step of colour along a row of blocks counts from this mean height on, and by how
    #: many times its own spread (plus 1) it must be: on real photos at most 1.5 where nothing is
    #: damaged.
    min_step: Annotated[float, "sure"] = 6.0
    min_step_steadiness: Annotated[float, "sure"] = 2.0
    #: levels. Larger steps from row to row count as this much: they are edges of things. Set by
    #: hand.
    max_step: Annotated[int, "sure"] = 60
    #: levels. A row of pixels with a smaller standard deviation is a black bar or the like, not a
    #: picture, and its steps do not count.
    plain_spread: Annotated[float, "sure"] = 4.0
    #: px. Photos with a shorter longer side are crops, whose edges can be as straight as those of
    #: blocks; neither steps nor seams are looked for.
    min_damage_side: Annotated[int, "sure"] = 800

    # ------------------------------------------------------------------ seams

    #: px. Seams are looked for at this longer side or less, where the grain of the camera is
    #: averaged away; the thresholds below were found at it.
    seam_side: Annotated[int, "sure"] = 640
    #: levels. The mean step from row to row from which on it can be a seam, and how many times the
    #: larger of the two steps beside it that is, these raised a little, as in plain areas they are
    #: near 0. Set by hand on samples with and without a slip.
    min_seam_step: Annotated[float, "sure"] = 2.5
    min_seam_ratio: Annotated[float, "sure"] = 1.7
    seam_ratio_offset: Annotated[float, "sure"] = 0.5
    #: Rows fit when moving one of them leaves less than this share of their step, and less than so
    #: many times the usual step beside it, plus an offset. On 80 whole pictures moving left at
    #: least 0.51, on slipped ones at most 0.41 from a slip of half a tile on.
    max_moved_share: Annotated[float, "sure"] = 0.45
    max_moved_ratio: Annotated[float, "sure"] = 1.6
    moved_offset: Annotated[float, "sure"] = 1.0
    #: px at `seam_side`. Rows must be moved at least so far.
    min_shift: Annotated[int, "sure"] = 3
    #: More seams are a pattern in the picture, such as chequered cloth: data slip once or twice.
    max_seams: Annotated[int, "sure"] = 2
    #: Number of steps that are looked at, the steepest first, to bound the time.
    max_seam_candidates: Annotated[int, "sure"] = 4
    #: px. Steps nearer than this are one seam, seen at both row distances.
    seam_distance: Annotated[int, "sure"] = 3


PHOTO = PhotoSettings()
