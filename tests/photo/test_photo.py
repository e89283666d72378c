"""Every format and orientation gives the same upright photo; what is no photo is refused."""

import io
import math
import os
import re
import struct
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from threading import Barrier

import cv2
import numpy as np
import pytest
import simplejpeg
from PIL import Image, PngImagePlugin

from kdvision.errors import ExitCode, UnreadablePhotoError
from kdvision.photo import decoders, headers, photo
from kdvision.photo.photo import PHOTO, Photo, open_photo
from kdvision.photo.resizing import block_means
from kdvision.photo.sources import LIMITS
from kdvision.rules.errors import RulesError
from tests.support.fuzzing.pictures import interlaced, multi_picture, png, sixteen_bits
from tests.support.paths import TESTS
from tests.support.settings import changed

# Upright; turned versions of it must come back to this.
WIDTH = 96
HEIGHT = 64

#: How the stored pixels must be made from the upright ones, by EXIF orientation.
STORE = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def scene(width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    """A smooth picture whose four quarters differ, so that no turn or mirror image equals it."""
    y, x = np.mgrid[0:height, 0:width]
    x, y = x / width, y / height
    red = 40 + 170 * x
    green = 40 + 170 * y
    blue = 128 + 100 * np.cos(6 * x) * np.sin(4 * y)
    return np.stack([red, green, blue], axis=2).astype(np.uint8)


def damage_of(photo: Photo) -> str:
    """What is said of the damage of a photo that has some."""
    assert photo.damage is not None
    return photo.damage.text()


def noisy(width: int, height: int) -> np.ndarray:
    """A scene with the grain of a camera."""
    rng = np.random.default_rng(4)
    coarse = rng.normal(0, 12, (height // 4 + 1, width // 4 + 1, 1))
    grain = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)[:, :, None]
    return np.clip(scene(width, height) * 0.7 + 40 + grain, 0, 255).astype(np.uint8)


def encode(pixels: np.ndarray | Image.Image, kind: str = "JPEG", orientation: int = 0, **options):
    image = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
    if orientation:
        exif = Image.Exif()
        exif[0x0112] = orientation
        options["exif"] = exif
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def stored(orientation: int, pixels: np.ndarray | None = None) -> Image.Image:
    image = Image.fromarray(scene() if pixels is None else pixels)
    turn = STORE[orientation]
    return image if turn is None else image.transpose(turn)


def heic(image: Image.Image, **options) -> bytes:
    import pillow_heif

    stream = io.BytesIO()
    pillow_heif.from_pillow(image).save(stream, quality=95, **options)
    return stream.getvalue()


def shows_the_scene(data: bytes) -> Photo:
    """Open what must be the upright scene, as its header says and as its pixels are."""
    photo = open_photo(data)
    assert (photo.width, photo.height) == (WIDTH, HEIGHT)
    assert difference(photo, scene()) < 3.5
    return photo


def difference(photo: Photo, expected: np.ndarray) -> float:
    pixels, scale = photo.pixels(10**6)
    assert scale == 1.0
    assert pixels.shape == expected.shape
    return float(np.abs(pixels.astype(int) - expected.astype(int)).mean())


# ---------------------------------------------------------------------- formats


def palette(pixels: np.ndarray) -> Image.Image:
    return Image.fromarray(pixels).quantize(256, Image.Quantize.MAXCOVERAGE)


FORMATS = {
    "baseline JPEG": encode(scene(), quality=95),
    "progressive JPEG": encode(scene(), quality=95, progressive=True),
    "JPEG without subsampling": encode(scene(), quality=95, subsampling=0),
    "JPEG with restart markers": encode(scene(), quality=95, restart_marker_rows=1),
    "RGB JPEG": encode(scene(), quality=95, keep_rgb=True),
    "CMYK JPEG": encode(stored(1).convert("CMYK"), quality=95),
    "MPO": multi_picture(scene()),
    "TIFF": encode(scene(), "TIFF"),
    "TIFF of LZW": encode(scene(), "TIFF", compression="tiff_lzw"),
    "TIFF that lies on its side": encode(stored(6), "TIFF", 6),
    "BMP": encode(scene(), "BMP"),
    "GIF": encode(Image.fromarray(scene()).quantize(256), "GIF"),
    "JPEG with something behind": encode(scene(), quality=95) + b"\0" * 999 + b"ftypmp42",
    "PNG": encode(scene(), "PNG"),
    "palette PNG": encode(palette(scene()), "PNG"),
    "16-bit PNG": sixteen_bits(scene()),
    "interlaced PNG": interlaced(scene()),
    "PNG with alpha": encode(stored(1).convert("RGBA"), "PNG"),
    "WebP": encode(scene(), "WEBP", quality=95),
    "lossless WebP": encode(scene(), "WEBP", lossless=True),
    "WebP with alpha": encode(stored(1).convert("RGBA"), "WEBP", quality=95),
    "HEIC": heic(stored(1)),
    "AVIF": encode(scene(), "AVIF", quality=95),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_gives_the_same_photo(kind):
    assert shows_the_scene(FORMATS[kind]).damage is None


#: `scene()` by another encoder, with colours sampled once in 4 x 2 pixels (4:1:0).
RARE_SAMPLING = (TESTS / "data" / "rare_sampling.jpg").read_bytes()


def test_jpeg_of_rare_sampling():
    """Another decoder reads it, one that does not tell of damage."""
    assert shows_the_scene(RARE_SAMPLING).damage is None
    pixels, scale = open_photo(RARE_SAMPLING).pixels(24)
    assert scale == 4
    assert np.abs(pixels.astype(int) - block_means(scene(), 4)).mean() < 3.5


@pytest.mark.parametrize("orientation", STORE)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_all_eight_orientations(kind, orientation):
    # For AVIF, Pillow writes the orientation into the container.
    shows_the_scene(encode(stored(orientation), kind, orientation, quality=95))


@pytest.mark.parametrize("size", [(320, 1), (1, 320)])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_photo_of_one_row(kind, size):
    photo = open_photo(encode(noisy(*size), kind))
    assert (photo.width, photo.height) == size


@pytest.mark.parametrize("orientation", STORE)
def test_heic_turns_as_its_container_says(orientation):
    # Given EXIF data, pillow-heif writes their orientation into the container too.
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = heic(stored(orientation), exif=exif.tobytes())
    assert (b"irot" in data or b"imir" in data) == (orientation != 1)
    shows_the_scene(data)


def test_heic_ignores_the_exif_orientation():
    exif = Image.Exif()
    exif[0x0112] = 6
    data = heic(stored(1), exif=exif.tobytes())
    shows_the_scene(data.replace(b"irot\x03", b"irot\x00"))


def test_webp_without_its_promised_orientation():
    data = encode(scene(), "WEBP", 6, quality=95)
    at = data.index(b"EXIF")
    shows_the_scene(data[:4] + struct.pack("<I", at - 8) + data[8:at])


def test_see_through_pixels_lie_on_white():
    image = stored(1).convert("RGBA")
    image.putalpha(Image.new("L", image.size, 0))
    for kind in ("PNG", "WEBP", "AVIF"):
        assert open_photo(encode(image, kind)).pixels(1)[0].min() == 255


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "AVIF", "HEIC"])
def test_partly_see_through_pixels_are_mixed_with_white(kind):
    """The left half is opaque, the right half is not."""
    image = stored(1).convert("RGBA")
    alpha = np.full((HEIGHT, WIDTH), 255, np.uint8)
    alpha[:, WIDTH // 2 :] = 64
    image.putalpha(Image.fromarray(alpha))
    expected = scene().astype(int)
    expected[:, WIDTH // 2 :] = (expected[:, WIDTH // 2 :] * 64 + 255 * 191) // 255
    data = heic(image) if kind == "HEIC" else encode(image, kind, quality=95)
    assert difference(open_photo(data), expected) < 3.5


@pytest.mark.parametrize(
    ("tiff", "orientation"),
    [
        (b"", 1),
        (b"II*\0", 1),
        (b"II*\0\xff\xff\xff\xff", 1),
        (b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0", 8),
        (b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x03\0\0\0", 3),
        (b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x09\0\0\0", 1),  # no such orientation
        (b"II*\0\x08\0\0\0\xff\xff\x12\x02\x03\0\x01\0\0\0\x03\0\0\0", 1),  # cut off
        # The second of two entries, and one behind the last.
        (b"II*\0\x08\0\0\0\x02\0" + bytes(12) + b"\x12\x01\x03\0\x01\0\0\0\x06\0\0\0", 6),
        (b"II*\0\x08\0\0\0\x01\0" + bytes(12) + b"\x12\x01\x03\0\x01\0\0\0\x06\0\0\0", 1),
    ],
)
def test_exif_orientation(tiff, orientation):
    assert headers.read_orientation(tiff) == orientation


# ---------------------------------------------------------------------- reduced sizes


@pytest.mark.parametrize(
    ("longer", "min_side", "scale"),
    [(800, 1000, 1), (1000, 1000, 1), (1999, 1000, 1), (2000, 1000, 2), (3999, 1000, 2),
     (4000, 1000, 4), (7999, 1000, 4), (8000, 1000, 8), (16000, 100, 8)],
)  # fmt: skip
def test_smallest_sufficient_size(longer, min_side, scale):
    data = encode(np.zeros((16, longer, 3), np.uint8))
    pixels, found = open_photo(data).pixels(min_side)
    assert found == scale
    assert pixels.shape == (16 // scale, longer // scale, 3)


@pytest.mark.parametrize(("height", "scale"), [(8, 8), (7, 4), (1, 1)])
def test_thin_strips_keep_a_row(height, scale):
    pixels, found = open_photo(encode(np.zeros((height, 8000, 3), np.uint8))).pixels(1000)
    assert found == scale
    assert pixels.shape == (1, 8000 // scale, 3)


def corner_marks(width: int, height: int) -> tuple[np.ndarray, list[tuple[float, float]]]:
    """A picture with four soft dots, and their centres in (x, y)."""
    points = [
        (37.0, 29.0),
        (width - 41.0, 33.0),
        (width - 30.0, height - 45.0),
        (51.0, height - 38.0),
    ]
    y, x = np.mgrid[0:height, 0:width] + 0.5
    value = sum(np.exp(-((x - px) ** 2 + (y - py) ** 2) / 200) for px, py in points)
    return np.repeat((20 + 220 * value)[:, :, None], 3, axis=2).astype(np.uint8), points


def centroid(pixels: np.ndarray, near: tuple[float, float], scale: float) -> tuple[float, float]:
    weights = np.clip(pixels[:, :, 1].astype(float) - 40, 0, None)
    y, x = (np.mgrid[0 : pixels.shape[0], 0 : pixels.shape[1]] + 0.5) * scale
    weights[np.hypot(x - near[0], y - near[1]) > 30] = 0
    return float((x * weights).sum() / weights.sum()), float((y * weights).sum() / weights.sum())


@pytest.mark.parametrize("orientation", STORE)
@pytest.mark.parametrize("size", [(512, 384), (515, 389), (509, 387)])
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_points_follow_the_scale(kind, size, orientation):
    pixels, points = corner_marks(*size)
    data = encode(stored(orientation, pixels), kind, orientation, quality=95)
    for min_side in (size[0], 250, 120):
        reduced, scale = open_photo(data).pixels(min_side)
        for point in points:
            assert centroid(reduced, point, scale) == pytest.approx(point, abs=0.25)


# ---------------------------------------------------------------------- sources


def test_path_with_blanks_and_umlauts(tmp_path):
    path = tmp_path / "Königreich am Tisch.jpg"
    path.write_bytes(encode(scene()))
    for source in (path, str(path)):
        assert open_photo(source).name == str(path)
    assert open_photo(path, name="table 4").name == "table 4"


@pytest.mark.parametrize(
    "array", [scene()[:, :, 0], scene().astype(float), np.zeros((0, 5, 3), np.uint8)]
)
def test_wrong_array_is_refused(array):
    with pytest.raises(UnreadablePhotoError, match="RGB array"):
        open_photo(array)


def test_name_of_a_photo_is_a_text():
    with pytest.raises(RulesError, match="name of a photo"):
        open_photo(scene(), name=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", [scene(), stored(1)])
def test_arrays_have_the_size_limit(source):
    with changed(LIMITS, max_pixels=WIDTH * HEIGHT):
        assert open_photo(source).width == WIDTH
    too_large = pytest.raises(UnreadablePhotoError, match="96 x 64 pixels, and the limit is")
    with changed(LIMITS, max_pixels=WIDTH * HEIGHT - 1), too_large:
        open_photo(source)


# ---------------------------------------------------------------------- refusals

JPEG = encode(noisy(320, 240))
PROGRESSIVE = encode(noisy(320, 240), progressive=True)
PNG = encode(noisy(320, 240), "PNG")
WEBP = encode(noisy(320, 240), "WEBP")


def png_of(width, height, color, megabytes):
    """The bytes of a PNG whose header is whole, and whose pixels are not looked at."""
    head = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    return png([(b"IHDR", head), (b"IDAT", bytes(int(megabytes * 1e6))), (b"IEND", b"")])


def animation(kind: str) -> bytes:
    return encode(stored(1), kind, save_all=True, append_images=[stored(3)])


def with_frame_byte(offset: int, value: int) -> bytes:
    """A JPEG with one byte of its frame header changed."""
    at = JPEG.index(b"\xff\xc0") + 4 + offset
    return JPEG[:at] + bytes([value]) + JPEG[at + 1 :]


REFUSED = {
    "nothing": (b"", "is empty"),
    "text": ("Spielstand: 62 Punkte für Ada\n".encode(), "is text, not a photo"),
    "a web page": (b"<!DOCTYPE html><html>", "is a web page, not a photo"),
    "a web page below blanks": (b"\xef\xbb\xbf\r\n\t <html>", "is a web page, not a photo"),
    "text and other bytes": (b"WEBP\0\1\2\3\4\5\6\7", "not a photo of a known kind"),
    "anything": (bytes(range(256)), "not a photo of a known kind"),
    "an animated GIF": (animation("GIF"), "several pictures"),
    "a raw picture": (encode(scene(), "TIFF", tiffinfo={254: 1}), "is a raw photo"),
    "a raw photo of Canon": (b"\0\0\0\x18ftypcrx \0\0\0\1crx isom", "is a raw photo"),
    "a raw photo of Fujifilm": (b"FUJIFILMCCD-RAW 0201FF", "is a raw photo"),
    "a raw photo of Panasonic": (b"IIU\0\x18\0\0\0" + bytes(99), "is a raw photo"),
    "a raw photo of Olympus": (b"IIRO\x08\0\0\0" + bytes(99), "is a raw photo"),
    "a PDF": (b"%PDF-1.7\n", "a PDF document"),
    "a sound": (b"RIFF\x24\0\0\0WAVEfmt " + bytes(20), "not a photo of a known kind"),
    "a film": (b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "a film, not a photo"),
    "a film with a photo in it": (
        b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"avifheic" * 99, "a film, not a photo",
    ),
    "half a JPEG": (JPEG[: len(JPEG) // 2], "is cut off"),
    "a JPEG without its last bytes": (JPEG[:-2], "is cut off"),
    "only the start of a JPEG": (JPEG[:200], "is cut off"),
    "half a progressive JPEG": (PROGRESSIVE[: len(PROGRESSIVE) // 2], "is cut off"),
    "a 12-bit JPEG": (with_frame_byte(0, 12), "is a 12-bit JPEG picture"),
    "a JPEG of no rows": (with_frame_byte(2, 0), "is a damaged JPEG"),
    "a JPEG of no colours": (with_frame_byte(5, 0), "is a damaged JPEG"),
    "a JPEG of 200 colours": (with_frame_byte(5, 200), "is a damaged JPEG"),
    "a JPEG with blocks of no width": (with_frame_byte(7, 0x01), "is a damaged JPEG"),
    "a JPEG of two bytes": (b"\xff\xd8\xff", "is cut off"),
    "half a PNG": (PNG[: len(PNG) // 2], "is cut off"),
    "a PNG without its last bytes": (PNG[:-1], "is cut off"),
    "a PNG of other colours": (png_of(9, 9, 5, 0.001), "is a damaged PNG"),
    "a PNG without width": (png_of(0, 9, 2, 0.001), "is a damaged PNG"),
    "half a WebP": (WEBP[: len(WEBP) // 2], "is cut off"),
    "the head of a WebP": (b"RIFF\x08\0\0\0WEBPVP8 ", "is a damaged WebP"),
    "a JPEG of stray bytes": (b"\xff\xd8\xff\xe0\0\4abstray bytes", "is cut off"),
    "a WebP of no width": (WEBP[:26] + b"\0\0" + WEBP[28:], "is a damaged WebP"),
    "a WebP of no height": (WEBP[:28] + b"\0\0" + WEBP[30:], "is a damaged WebP"),
    "a WebP of another kind": (WEBP[:12] + b"VP9 " + WEBP[16:], "is a damaged WebP"),
    "an animated PNG": (animation("PNG"), "is an animation"),
    "an animated WebP": (animation("WEBP"), "is an animation"),
    "an animated AVIF": (animation("AVIF"), "is an animation"),
    "a HEIC of a burst": (b"\0\0\0\x18ftyphevc\0\0\0\0mif1heic", "is an animation"),
    "a HEIC of nothing": (b"\0\0\0\x18ftypheic\0\0\0\0heicmif1", "is a damaged HEIC"),
    "an AVIF of nothing": (b"\0\0\0\x18ftypavif\0\0\0\0avifmif1", "is a damaged AVIF"),
    "a PNG of 900 megapixels": (
        png_of(30_000, 30_000, 0, 1),
        "30,000 x 30,000 pixels, and the limit is 100 million",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_not_a_photo_is_refused_before_decoding(kind):
    data, sentence = REFUSED[kind]
    with pytest.raises(UnreadablePhotoError, match=sentence) as caught:
        open_photo(data, name="photo.jpg")
    assert caught.value.exit_code is ExitCode.UNREADABLE
    assert caught.value.message.startswith("photo.jpg is ")
    assert caught.value.advice.endswith(".")


def test_undecodable_photo_is_refused():
    """Headers are whole, and what follows up to byte 200 is zeros."""
    png_with_zeros = PNG[:60] + bytes(140) + PNG[200:]
    webp_with_zeros = WEBP[:20] + bytes(180) + WEBP[200:]
    with pytest.raises(UnreadablePhotoError, match=r"^p is a damaged PNG"):
        open_photo(png_with_zeros, name="p").pixels(1)
    with pytest.raises(UnreadablePhotoError, match=r"^p is a damaged WebP"):
        open_photo(webp_with_zeros, name="p").pixels(1)


def jpeg_of(px_per_byte):
    """A JPEG that promises so many pixels for each of its bytes."""
    at = JPEG.index(b"\xff\xc0")
    side = struct.pack(">H", int((px_per_byte * len(JPEG)) ** 0.5))
    return JPEG[: at + 5] + side + side + JPEG[at + 9 :]


CUT_OFF = "is cut off"
TOO_LARGE = "is too large"


@pytest.mark.parametrize(
    ("make", "given", "refusal"),
    [
        (jpeg_of, (1000,), None),  # as many pixels as its bytes can hold
        (jpeg_of, (1050,), CUT_OFF),
        # 75 million bytes of pixels, of which deflate makes one of 1,032 at best.
        (png_of, (5000, 5000, 2, 0.075), None),
        (png_of, (5000, 5000, 2, 0.07), CUT_OFF),
        (png_of, (8800, 9000, 2, 1), None),  # 79 million pixels in colour
        (png_of, (9000, 9100, 2, 1), TOO_LARGE),
        (png_of, (7800, 7900, 2, 60), None),  # 62 million in a large file
        (png_of, (8200, 8200, 2, 60), TOO_LARGE),
        (png_of, (9990, 10000, 0, 1), None),  # grey takes less, and has the limit of all photos
        (png_of, (10010, 10000, 0, 1), TOO_LARGE),
        (png_of, (8800, 9000, 6, 1), None),  # see-through
        (png_of, (9000, 9100, 6, 1), TOO_LARGE),
    ],
)
def test_promised_size_fits_file_and_memory(make, given, refusal):
    if refusal:
        with pytest.raises(UnreadablePhotoError, match=refusal):
            open_photo(make(*given))
    else:
        assert open_photo(make(*given)).height > 1000


def half_see_through() -> np.ndarray:
    return np.concatenate([scene(), np.full((HEIGHT, WIDTH, 1), 128, np.uint8)], axis=2)


def wide_alpha() -> bytes:
    """A PNG of 16 bits per colour, half see-through."""
    bgra = half_see_through()[:, :, [2, 1, 0, 3]]
    return cv2.imencode(".png", bgra.astype(np.uint16) * 257)[1].tobytes()


FULL_COLOUR = encode(scene(), progressive=True, subsampling=0)


HALF_SEE_THROUGH = Image.fromarray(half_see_through())
#: Photos, and the share of the limit of all photos that they may have: a JPEG of 6 bytes a pixel
#: has all of it.
COSTS = {
    # Only a half is decoded.
    "baseline JPEG": (encode(scene()), 6 / 1.5),
    "grey JPEG": (encode(stored(1).convert("L")), 6 / 1.5),
    "JPEG of odd sides": (encode(scene(95, 63)), 6 / 1.5),
    "upright JPEG of odd sides": (encode(scene(95, 63), orientation=1), 6 / 1.5),
    "JPEG of even sides, on its side": (encode(scene(), orientation=6), 6 / 1.5),
    "progressive JPEG": (encode(scene(), progressive=True), 1),
    "JPEG in full colour": (FULL_COLOUR, 6 / 10),
    "JPEG with arithmetic coding": (FULL_COLOUR.replace(b"\xff\xc2", b"\xff\xca"), 6 / 10),
    "JPEG of odd width, on its side": (encode(scene(95, 64), orientation=6), 6 / 7),
    "JPEG of odd height, on its head": (encode(scene(96, 63), orientation=3), 6 / 7),
    "mirrored JPEG of odd width": (encode(scene(95, 64), orientation=2), 6 / 7),
    "CMYK JPEG": (encode(stored(1).convert("CMYK")), 6 / 7),
    "WebP": (encode(scene(), "WEBP"), 6 / 7),
    "WebP with alpha": (encode(HALF_SEE_THROUGH, "WEBP"), 6 / 9),
    "lossless WebP with alpha": (encode(HALF_SEE_THROUGH, "WEBP", lossless=True), 6 / 9),
    "HEIC": (heic(stored(1)), 6 / 10),
    "HEIC with alpha": (heic(HALF_SEE_THROUGH), 6 / 16),
    "AVIF": (encode(scene(), "AVIF"), 6 / 13),
    "AVIF with alpha": (encode(HALF_SEE_THROUGH, "AVIF"), 6 / 16),
}


@pytest.mark.parametrize("kind", COSTS)
def test_costly_formats_have_a_lower_limit(kind):
    data, share = COSTS[kind]
    photo = open_photo(data)
    fits_exactly(data, photo.width * photo.height / share)


def fits_exactly(data: bytes, max_pixels: float) -> None:
    """Check that a photo is opened under this limit of all photos, and under no lower one."""
    least = math.ceil(max_pixels)
    with changed(LIMITS, max_pixels=least):
        assert open_photo(data)
    too_large = pytest.raises(UnreadablePhotoError, match="pixels, and the limit is")
    with changed(LIMITS, max_pixels=least - 1), too_large:
        open_photo(data)


NOISE = np.random.default_rng(4).integers(0, 256, (HEIGHT, WIDTH), np.uint8)
#: PNG, and the bytes that Pillow holds of a pixel; the size of the file counts as well.
PNG_COSTS = {
    "colour": (encode(scene(), "PNG"), 4),
    "colour with alpha": (encode(stored(1).convert("RGBA"), "PNG"), 4),
    "16-bit colour with alpha": (wide_alpha(), 4),
    "grey": (encode(NOISE, "PNG"), 1),
    "16-bit grey": (encode(Image.fromarray(NOISE.astype(np.uint16) * 257), "PNG"), 2),
    "palette": (encode(Image.fromarray(NOISE).quantize(256), "PNG"), 1),
    "black and white": (encode(Image.fromarray(NOISE > 128), "PNG") + bytes(9999), 1),
}


@pytest.mark.parametrize("kind", PNG_COSTS)
def test_size_of_a_png_file_counts(kind):
    data, in_pillow = PNG_COSTS[kind]
    pixels = WIDTH * HEIGHT
    copies_of_file = headers.COPIES_PNG * len(data) / pixels
    fits_exactly(data, pixels * (in_pillow + headers.BYTES_PER_PX_PNG + copies_of_file) / 6)


def test_photo_says_what_it_is():
    data = encode(scene())
    photo = open_photo(data, name="a.jpg")
    assert repr(photo) == "<Photo 'a.jpg', 96 x 64>"
    assert (photo.data, photo.is_array, photo.decoded_side) == (data, False, 0)
    # The finest decoding so far.
    for side, decoded in ((20, 24), (48, 48), (24, 48), (49, 96)):
        photo.pixels(side)
        assert photo.decoded_side == decoded
    given = open_photo(scene())
    assert (given.data, given.is_array) == (b"", True)
    # The coarsest first.
    for side, scale in ((12, 8), (20, 4), (96, 1), (40, 2)):
        assert given.pixels(side)[1] == scale


def test_hugest_jpeg_is_decoded_smallest():
    with changed(PHOTO, max_decoding_bytes=1):
        assert open_photo(encode(scene())).pixels(10**6)[1] == 8


@pytest.mark.parametrize(
    ("options", "scale"),
    [({}, 1), ({"progressive": True}, 2), ({"progressive": True, "subsampling": 0}, 4)],
)
def test_huge_jpeg_is_decoded_smaller(options, scale):
    # In place of 90 million pixels, 640 x 480: what fits at 6 bytes for each, and no more.
    fits = 640 * 480 * (6.4 if "subsampling" in options else 6)
    with changed(PHOTO, max_decoding_bytes=fits):
        pixels, found = open_photo(encode(noisy(640, 480), **options)).pixels(10**6)
    assert found == scale
    assert pixels.shape == (480 // scale, 640 // scale, 3)


@pytest.mark.parametrize("size", [(12_000, 9_000), (16_320, 12_240)])
def test_phone_photos_of_200_megapixels(size):
    width, height = size
    grey = np.full((height, width, 1), 90, np.uint8)
    photo = open_photo(simplejpeg.encode_jpeg(grey, colorspace="GRAY"))
    del grey
    pixels, scale = photo.pixels(800)
    assert (photo.width, photo.height, scale) == (width, height, 8)
    assert pixels.shape == (height // 8, width // 8, 3)
    assert photo.pixels(10**6)[1] == 2


def test_transparent_16_bits_lie_on_white():
    expected = (scene().astype(int) * 128 + 255 * 127 + 127) // 255
    assert difference(open_photo(wide_alpha()), expected.astype(np.uint8)) == 0


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5 * 2**30)


def nothing(path: Path) -> None:
    assert not path.exists()


def link_to_endless_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def link_to_itself(path: Path) -> None:
    path.symlink_to(path)


PATHS: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "nothing there": (nothing, "does not exist.", "Check the name"),
    "a folder": (Path.mkdir, "is a folder", "Name the photos in it"),
    "a pipe that nobody writes to": (pipe, "is a device or a pipe", "to a file first"),
    "an endless device": (link_to_endless_device, "is a device", "first"),
    "a file of 5 GB": (sparse, "is too large: 5,120 MB, and the limit is 64 MB", "smaller"),
    "an empty file": (Path.touch, "is empty", "Copy or download"),
    "a link to itself": (link_to_itself, "cannot be read", "Check the name"),
}


@pytest.mark.skipif(os.name == "nt", reason="needs pipes and devices")
@pytest.mark.parametrize("kind", PATHS)
def test_special_file_is_refused(tmp_path, kind):
    make, sentence, advice = PATHS[kind]
    path = tmp_path / "photo.jpg"
    make(path)
    with pytest.raises(UnreadablePhotoError, match=sentence) as caught:
        open_photo(path)
    assert advice in caught.value.advice


# ---------------------------------------------------------------------- damage


@pytest.mark.parametrize(
    ("height", "width", "large"),
    [(1450, 2000, False), (1550, 2000, True), (2900, 4000, False), (3100, 4000, True)],
)
def test_large_photos_decode_in_turn(height, width, large, monkeypatch):
    """The larger ones are decoded at half their size."""
    turns: list[bool] = []

    def in_turn(asked: bool) -> nullcontext[None]:
        turns.append(asked)
        return nullcontext()

    monkeypatch.setattr(decoders, "in_turn", in_turn)
    opened = open_photo(encode(np.zeros((height, width, 3), np.uint8)))
    assert opened.pixels(2000)[0].shape[1] == 2000
    assert turns == [large]


def test_concurrent_reads_decode_once(monkeypatch):
    calls, begun = [], Barrier(2)

    def slow(*given):
        calls.append(given)
        time.sleep(0.2)
        return decoders.decode_picture(*given)

    def ask(_):
        begun.wait()
        return opened.pixels(WIDTH)[0]

    monkeypatch.setattr(photo, "decode_picture", slow)
    opened = open_photo(encode(scene()))
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(ask, range(2))
    assert first is second and len(calls) == 1


def with_zeros(data: bytes) -> bytes:
    """Data whose middle was never written."""
    middle = len(data) * 2 // 3
    return data[:middle] + bytes(2000) + data[middle + 2000 :]


@pytest.mark.parametrize("edge", [None, 0, 255])
@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_rows": 1}])
def test_jpeg_with_a_damaged_middle(options, edge, capfd):
    pixels = noisy(640, 480)
    if edge is not None:
        pixels[430:] = edge
    photo = open_photo(with_zeros(encode(pixels, quality=92, **options)), name="p.jpg")
    assert photo.pixels(1)[0].shape[2] == 3
    assert "is damaged (" in damage_of(photo)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("turns", range(4))
def test_part_without_a_picture(kind, turns):
    pixels = noisy(640, 480)
    pixels[300:] = 128
    photo = open_photo(encode(np.rot90(pixels, turns), kind), name="p")
    assert re.search(r" 3[78]% .* plain grey\.", damage_of(photo))


@pytest.mark.parametrize(
    ("share", "away", "missing"),
    [
        (0.3, 8, True),
        (0.3, -8, True),
        (0.3, 9, False),
        (0.3, -9, False),
        (0.025, 0, True),
        (0.02, 0, False),
    ],
)
def test_grey_area_counts_as_missing(share, away, missing):
    pixels = noisy(400, 1000)
    pixels[round(1000 * (1 - share)) :] = 128 + away
    assert (open_photo(encode(pixels, "PNG")).damage is not None) is missing


def test_grey_all_round_is_background():
    pixels = np.full((480, 640, 3), 128, np.uint8)
    pixels[100:300, 100:400] = noisy(300, 200)
    assert open_photo(encode(pixels, "PNG")).damage is None


def test_black_bars_are_no_damage():
    pixels = noisy(1280, 960)
    pixels[:96] = 0
    pixels[-96:] = 0
    assert open_photo(encode(pixels, quality=90)).damage is None


def with_checksum(data: bytes, kind: bytes) -> bytes:
    """A PNG with a wrong checksum of one of its chunks."""
    at = data.index(kind)
    end = at + 4 + int.from_bytes(data[at - 4 : at], "big")
    return data[:end] + bytes([data[end] ^ 1]) + data[end + 1 :]


@pytest.mark.parametrize("kind", [b"IHDR", b"IDAT"])
def test_png_with_wrong_checksum_is_refused(kind):
    with pytest.raises(UnreadablePhotoError, match="is a damaged PNG"):
        open_photo(with_checksum(PNG, kind)).pixels(1)


def chunk(data: bytes, kind: bytes) -> bytes:
    at = data.index(kind) - 4
    return data[at : at + 12 + int.from_bytes(data[at : at + 4], "big")]


def test_png_with_wrong_chunks_is_refused():
    """What a decoder would make of it is not what the limits were held against."""
    header, pixels, end = (chunk(PNG, kind) for kind in (b"IHDR", b"IDAT", b"IEND"))
    for broken in (header * 2 + pixels, pixels, header, header + end + pixels):
        with pytest.raises(UnreadablePhotoError, match="is a damaged PNG"):
            open_photo(PNG[:8] + broken + end)


def test_animation_of_one_picture_is_a_photo():
    at = PNG.index(b"IDAT") - 4
    control = png([(b"acTL", struct.pack(">II", 1, 0))])[8:]
    data = PNG[:at] + control + PNG[at:]
    assert difference(open_photo(data), noisy(320, 240)) == 0


def test_other_png_chunks_are_ignored():
    """A text that is damaged, or a chunk of nobody's, takes nothing from the picture."""
    about = PngImagePlugin.PngInfo()
    about.add_text("Comment", "at the table")
    whole = encode(scene(), "PNG", pnginfo=about)
    at = whole.index(b"IEND") - 4
    for data in (
        with_checksum(whole, b"tEXt"),
        whole[:at] + png([(b"abCd", b"")])[8:] + whole[at:],
    ):
        assert difference(open_photo(data), scene()) == 0
        assert open_photo(data).damage is None


#: A fill byte, two markers without content, and a segment about arithmetic coding.
@pytest.mark.parametrize("before", [b"\xff", b"\xff\x01", b"\xff\xd0", b"\xff\xcc\0\4\0\x10"])
def test_jpeg_orientation_in_a_later_segment(before):
    data = encode(stored(6), orientation=6, quality=95)
    at = data.index(b"\xff\xe1")
    # A second one, as an editor leaves behind, counts for nothing.
    second = encode(scene(), orientation=3)
    start = second.index(b"\xff\xe1")
    second = second[start : start + 2 + int.from_bytes(second[start + 2 : start + 4], "big")]
    end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    shows_the_scene(data[:2] + data[at:])  # nothing before it, as phones write it
    rest = data[end:].replace(b"\xff\xda", before + b"\xff\xda", 1)
    shows_the_scene(data[:at] + before + data[at:end] + second + rest)


def test_decoder_gets_only_pixel_segments():
    data = headers.strip_jpeg(encode(scene(), orientation=6, comment=b"at the table"))
    assert b"Exif" not in data and b"at the table" not in data
    assert difference(open_photo(data), scene()) < 8


@pytest.mark.parametrize(
    ("marker", "is_kept"),
    [(0xE0, False), (0xE1, False), (0xED, False), (0xEE, True), (0xEF, False), (0xFE, False)],
)
def test_segments_of_other_programs_are_dropped(marker, is_kept):
    """All but that which says how colours are stored."""
    at = JPEG.index(b"\xff\xdb")
    data = headers.strip_jpeg(JPEG[:at] + b"\xff" + bytes([marker]) + b"\0\7table" + JPEG[at:])
    assert (b"table" in data) is is_kept
    assert b"JFIF" not in data


def test_stray_jpeg_bytes_are_damage(capfd):
    at = JPEG.index(b"\xff\xdb")
    photo = open_photo(JPEG[:at] + b"stray" + JPEG[at:])
    assert difference(photo, open_photo(JPEG).pixels(10**6)[0]) == 0
    assert "is damaged (" in damage_of(photo)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"subsampling": 0}])
def test_jpeg_of_a_failed_decoder_is_refused(options):
    """Its tables are missing: no row can be decoded, and what was in memory is no picture."""
    data = encode(noisy(320, 240), **options)
    with pytest.raises(UnreadablePhotoError, match="is a damaged JPEG"):
        open_photo(data.replace(b"\xff\xdb", b"\xff\xe9")).pixels(1)
    # A complaint before it does not make a picture of it.
    at = data.index(b"\xff\xdb")
    with pytest.raises(UnreadablePhotoError, match="is a damaged JPEG"):
        open_photo(data[:at] + b"stray" + data[at:].replace(b"\xff\xdb", b"\xff\xe9")).pixels(1)
