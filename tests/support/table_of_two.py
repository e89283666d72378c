"""A photo of a table with two kingdoms that both come out sure: the nearer half of a sample."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import cv2

from tests.support.paths import SAMPLES

#: The totals of its kingdoms, A and B.
TOTALS = (41, 40)


@cache
def table_of_two() -> Path:
    """The picture, as a file that no test changes."""
    picture = cv2.imread(str(SAMPLES / "four_kingdoms.jpg"))
    assert picture is not None
    path = Path(mkdtemp()) / "table_of_two.jpg"
    assert cv2.imwrite(str(path), picture[picture.shape[0] // 2 :])
    return path
