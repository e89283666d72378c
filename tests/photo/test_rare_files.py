"""Rare forms of files and sources are read as they are meant, within the limits of time."""

import io
import os
import struct
import zlib
from threading import Thread

import numpy as np
import pytest
from PIL import AvifImagePlugin, Image

from kdvision.errors import UnreadablePhotoError
from kdvision.photo.photo import open_photo
from kdvision.photo.sources import LIMITS
from kdvision.sentences import Sentence
from tests.photo.test_photo import WIDTH, damage_of, difference, encode, heic, noisy, scene, stored
from tests.support.fuzzing.pictures import png
from tests.support.programs import python
from tests.support.settings import changed

PROGRESSIVE = encode(noisy(320, 240), progressive=True)


# ---------------------------------------------------------------------- JPEG


def scan_by_scan(number: int, *, arithmetic: bool = False) -> bytes:
    """The header of a JPEG whose first colour comes in so many scans, and a few bytes of each."""
    whole = encode(noisy(320, 240))
    if arithmetic:
        whole = PROGRESSIVE.replace(b"\xff\xc2", b"\xff\xca")
    at = whole.index(b"\xff\xda")
    scans = [b"\xff\xda\0\x08\x01\x01\0\0\x3f\0" + bytes(20)] * number
    return whole[:at] + b"".join(scans) + b"\xff\xd9"


@pytest.mark.parametrize("arithmetic", [False, True])
def test_jpeg_with_too_many_scans_is_refused(arithmetic):
    """Each costs a pass over all of the picture, however few bytes it has."""
    assert open_photo(scan_by_scan(100, arithmetic=arithmetic)).width == 320
    with pytest.raises(UnreadablePhotoError, match="is a damaged JPEG"):
        open_photo(scan_by_scan(101, arithmetic=arithmetic))


def scan_header(data: bytes) -> int:
    """Where the header of the first scan ends."""
    at = data.index(b"\xff\xda") + 2
    return at + int.from_bytes(data[at : at + 2], "big")


@pytest.mark.parametrize("grey", [False, True])
@pytest.mark.parametrize("written", [b"\0\0\0", b"\0\x3f\1", b"\1\x3f\0"])
def test_odd_baseline_scan_is_no_damage(written, grey, capfd):
    """Samsung phones write such scans: the decoder complains, and the picture is whole."""
    picture = Image.fromarray(noisy(320, 240)).convert("L" if grey else "RGB")
    whole = encode(picture)
    end = scan_header(whole)
    assert whole[end - 3 : end] == b"\0\x3f\0"
    odd = whole[: end - 3] + written + whole[end:]
    photo = open_photo(odd)
    assert difference(photo, open_photo(whole).pixels(10**6)[0]) == 0
    assert photo.damage == (Sentence("damage.no-colours") if grey else None)
    assert capfd.readouterr() == ("", "")
    middle = len(odd) * 2 // 3
    damaged = open_photo(odd[:middle] + bytes(2000) + odd[middle + 2000 :])
    assert "is damaged (" in damage_of(damaged)
    assert "SOS" not in damage_of(damaged)


def test_trailing_film_has_no_scans():
    film = b"\xff\xda\x17" * 101
    photo = open_photo(PROGRESSIVE + film)
    assert difference(photo, open_photo(PROGRESSIVE).pixels(10**6)[0]) == 0


# ---------------------------------------------------------------------- PNG, AVIF


def grey_png(*more: tuple[bytes, bytes]) -> bytes:
    """Levels of 16 bits, one to a column, and more chunks before the pixels."""
    row = b"\0" + struct.pack(">8H", *range(0, 64_000, 8_000))
    size = (b"IHDR", struct.pack(">IIBBBBB", 8, 4, 16, 0, 0, 0, 0))
    return png([size, *more, (b"IDAT", zlib.compress(row * 4)), (b"IEND", b"")])


def test_transparent_level_of_16_bit_grey():
    plain, _ = open_photo(grey_png()).pixels(8)
    assert len(np.unique(plain)) == 8
    assert difference(open_photo(grey_png((b"tRNS", b"\0\1"))), plain) == 0


def test_large_phone_heic_is_allowed():
    """Only its header is made here; 8064 x 6048 pixels are the largest of phones."""
    small = heic(stored(1))
    at = small.index(b"ispe") + 8
    large = small[:at] + struct.pack(">II", 8064, 6048) + small[at + 8 :]
    assert open_photo(large).width == 8064


def test_missing_avif_decoder_is_no_damage(monkeypatch):
    data = encode(scene(), "AVIF")
    monkeypatch.setattr(AvifImagePlugin, "SUPPORTED", False)
    with pytest.raises(UnreadablePhotoError, match="this installation cannot read"):
        open_photo(data)


TIFF = encode(scene(), "TIFF")
LZW = encode(scene(), "TIFF", compression="tiff_lzw")
#: The entry that says how many colours a pixel has.
COLOURS = b"\x15\x01\x03\0\x01\0\0\0\x03\0\0\0"
#: TIFFs of which Pillow, Python or libtiff would print something.
NOISY = {
    "never written": LZW[:200] + bytes(300) + LZW[500:],
    "nine colours": TIFF.replace(COLOURS, COLOURS[:8] + b"\x09\0\0\0"),
    "a tag too long": TIFF.replace(COLOURS, COLOURS[:4] + b"\xff\xff\0\0\x03\0\0\0"),
}


@pytest.mark.skipif(os.name == "nt", reason="there libtiff is a part of Pillow")
@pytest.mark.parametrize("kind", NOISY)
def test_damaged_tiff_is_said_once(kind, tmp_path):
    """Nothing else is printed, whatever the program that opens it wants to be warned of."""
    path = tmp_path / "a.tif"
    path.write_bytes(NOISY[kind])
    code = (
        "import sys; from kdvision.photo.photo import open_photo; open_photo(sys.argv[1]).pixels(1)"
    )
    done = python("-W", "default", "-c", code, path)
    assert "is a damaged TIFF file" in done.stderr.splitlines()[-1]
    assert done.stderr.startswith("Traceback")


# ---------------------------------------------------------------------- pixels and open files


def test_truncated_pillow_image_is_refused():
    opened = Image.open(io.BytesIO(PROGRESSIVE[: len(PROGRESSIVE) // 2]))
    with pytest.raises(UnreadablePhotoError, match=r"^The file cannot be opened: .*truncated"):
        open_photo(opened)


def test_later_writes_leave_the_photo():
    pixels = scene()
    photo = open_photo(pixels)
    pixels[:] = 0
    assert difference(photo, scene()) == 0


def test_open_file_is_read_to_the_limit():
    data = encode(scene(), "PNG")
    file = io.BytesIO(data + bytes(10_000))
    with changed(LIMITS, max_bytes=len(data)):
        assert open_photo(io.BytesIO(data)).width == WIDTH
        with pytest.raises(UnreadablePhotoError, match="is too large"):
            open_photo(file)
    assert file.tell() == len(data) + 1


def test_threads_read_one_heic():
    """The library frees its pixels with the picture, so each thread must have a copy."""
    data, results = heic(stored(1)), []

    def read() -> None:
        for _ in range(10):
            results.append(open_photo(data).pixels(10**6)[0].tobytes())

    threads = [Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [open_photo(data).pixels(10**6)[0].tobytes()] * 40
