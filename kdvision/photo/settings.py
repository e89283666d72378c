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


PHOTO = PhotoSettings()
