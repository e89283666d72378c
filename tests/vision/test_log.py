"""What is told of a photo to those who ask for it: with -v, or by a program's own log."""

import logging

import pytest

from kdvision.photo.photo import open_photo
from kdvision.vision.vision import Vision
from tests.support.paths import SAMPLES


def test_reading_logs_models_and_findings(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "kdvision"):
        Vision(threads=1).read(open_photo(SAMPLES / "plus.jpg", name="plus.jpg"))
    for text in ("grid.onnx", "plus.jpg: grids found: 1.", "plus.jpg: kingdoms read: 1."):
        assert text in caplog.text
    names = {record.name for record in caplog.records}
    assert {"kdvision.vision.models", "kdvision.vision.vision"} <= names
