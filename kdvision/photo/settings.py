"""The hand-set numbers of the photo room: limits of files, and when pixels count as damaged.

A field that decides whether a result is called sure is `Annotated` with `"sure"`: damage
makes a photo doubtful. Lengths are in pixels (px) and colours in steps of 0 to 255.
"""

from typing import Annotated

from msgspec import Struct


class PhotoSettings(Struct, frozen=True):
    """Limits of picture files, sizes of decoding, and thresholds of damage.

    Attributes:
        max_pixels: px. Larger photos are refused before decoding, unless the caller allows them. In
            6 bytes each, 100 million fill a process of 600 MB.
        max_bytes: bytes. Larger files are refused. Set by hand, above what cameras write.
        max_parts: count. A file of more segments or chunks is not followed further: hostile ones
            have millions. Set by hand, far above what programs write.
        max_scans: count. A progressive JPEG of more scans is refused: each costs a pass over the
            picture. The usual encoders write 10.
        max_jpeg_px_per_byte: px per byte. A JPEG that promises more has been cut off; one that is
            plain grey and progressive has 512.
        max_decoding_bytes: bytes. A JPEG whose pixels would take more comes at a half, a quarter or
            an eighth. Leaves room for libraries and models in a process of 600 MB.
        bytes_per_px: bytes per px at the peak of opening a JPEG: its pixels as decoded, and the
            copy that is turned upright. The limits above are set for it; measured with VmHWM.
        bytes_per_px_full: The same of what cannot be decoded at a reduced size (WebP, a JPEG turned
            off its block grid) and must leave room for the rest of the program.
        bytes_per_px_alpha: The same with see-through pixels.
        bytes_per_px_png: The same of PNG, beside what Pillow holds of a pixel (1, 2 or 4 bytes).
        copies_png: count. So many times the file of a PNG is held besides. Both measured with VmHWM
            on a plain picture of 24 million px and on one of noise: 7.5 and 13.8 bytes per px.
        bytes_per_px_container: The same of HEIC and AVIF.
        bytes_per_px_container_alpha: The same of these with see-through pixels.
        coefficient_memory: ratio. What a progressive JPEG takes for each byte of its stored
            coefficients; measured on whole photos.
        large_px: px. Photos of more decoded pixels are decoded in turn with other processes of a
            batch, so that their peaks of memory do not coincide.
        strip_rows: px. So many rows are converted at a time, so that a picture is not held twice.
        working_side_px: px. The photo is decoded to at least this longer side; grids are found and
            patches are cut in the same pixels. The grid net sees half as much.
        damage_max_px: px. Damage is looked for in pixels that are there already unless these are
            more at full size; then at a further reduction, so that the copies fit the memory.
        damage_max_reduction: ratio. Never decoded coarser than this for it: of a block of 8, two
            pixels are left.
        fill_noise: levels. How far from mid grey (128) a pixel may lie and count as filled in by a
            decoder: room for the noise of a JPEG saved after the damage. Set by hand.
        min_missing: share of the photo. A smaller plain grey part is let pass, such as the border
            of a screenshot. Set by hand.
        min_step: levels. A step of colour along a row of blocks counts from this mean height on.
        min_step_steadiness: ratio. How many times its own spread (plus 1) the step must be. On real
            photos at most 1.5 where nothing is damaged.
        max_step: levels. Larger steps from row to row count as this much: they are edges of things.
            Set by hand.
        plain_spread: levels. A row of pixels with a smaller standard deviation is a black bar or
            the like, not a picture, and its steps do not count.
        min_damage_side: px. Photos with a shorter longer side are crops, whose edges can be as
            straight as those of blocks; neither steps nor seams are looked for.
        seam_side: px. Seams are looked for at this longer side or less, where the grain of the
            camera is averaged away; the thresholds below were found at it.
        min_seam_step: levels. The mean step from row to row from which on it can be a seam. Set by
            hand, as are the three below, on samples with and without a slip.
        min_seam_ratio: ratio. How many times the larger of the two steps beside it that is.
        seam_ratio_offset: levels, added to the steps beside, which in plain areas are near 0.
        max_moved_share: ratio. Rows fit when moving one of them leaves less than this share of
            their step. On 80 whole pictures moving left at least 0.51, on slipped ones at most 0.41
            from a slip of half a tile on.
        max_moved_ratio: ratio. What is left must also be less than so many times the usual step
            beside it, plus `moved_offset`.
        moved_offset: levels; see `max_moved_ratio`.
        min_shift: px at `seam_side`. Rows must be moved at least so far.
        max_seams: count. More seams are a pattern in the picture, such as chequered cloth: data
            slip once or twice.
        max_seam_candidates: count. So many steps are looked at, the steepest first, to bound the
            time.
        seam_distance: px. Steps nearer than this are one seam, seen at both row distances.
    """

    max_pixels: int = 100_000_000
    max_bytes: int = 64 * 2**20
    max_parts: int = 50_000
    max_scans: int = 100
    max_jpeg_px_per_byte: int = 1024
    max_decoding_bytes: int = 530_000_000
    bytes_per_px: int = 6
    bytes_per_px_full: int = 7
    bytes_per_px_alpha: int = 9
    bytes_per_px_png: float = 3.5
    copies_png: float = 2.1
    bytes_per_px_container: int = 13
    bytes_per_px_container_alpha: int = 16
    coefficient_memory: float = 1.6
    large_px: int = 3_000_000
    strip_rows: int = 128
    working_side_px: int = 800
    damage_max_px: int = 20_000_000
    damage_max_reduction: int = 4
    fill_noise: Annotated[int, "sure"] = 8
    min_missing: Annotated[float, "sure"] = 0.02
    min_step: Annotated[float, "sure"] = 6.0
    min_step_steadiness: Annotated[float, "sure"] = 2.0
    max_step: Annotated[int, "sure"] = 60
    plain_spread: Annotated[float, "sure"] = 4.0
    min_damage_side: Annotated[int, "sure"] = 800
    seam_side: Annotated[int, "sure"] = 640
    min_seam_step: Annotated[float, "sure"] = 2.5
    min_seam_ratio: Annotated[float, "sure"] = 1.7
    seam_ratio_offset: Annotated[float, "sure"] = 0.5
    max_moved_share: Annotated[float, "sure"] = 0.45
    max_moved_ratio: Annotated[float, "sure"] = 1.6
    moved_offset: Annotated[float, "sure"] = 1.0
    min_shift: Annotated[int, "sure"] = 3
    max_seams: Annotated[int, "sure"] = 2
    max_seam_candidates: Annotated[int, "sure"] = 4
    seam_distance: Annotated[int, "sure"] = 3


PHOTO = PhotoSettings()
