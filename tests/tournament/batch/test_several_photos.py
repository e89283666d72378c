"""A cell that names several photos of one kingdom: they are scored together, or it says why not."""

import csv
from pathlib import Path

from PIL import Image, ImageDraw

from kdvision.cli.line import run
from tests.support.paths import SAMPLES


def washed_out(path: Path, box: tuple[float, float, float, float]) -> None:
    """Write a sample of which a reflection has taken a part, given in shares of its sides."""
    picture = Image.open(SAMPLES / "meadow_5x5.jpg").convert("RGB")
    width, height = picture.size
    left, top, right, bottom = box
    area = (left * width, top * height, right * width, bottom * height)
    ImageDraw.Draw(picture).rectangle(area, fill=(253, 253, 250))
    picture.save(path, quality=92)


def results(folder: Path, cell: str) -> list[dict[str, str]]:
    (folder / "claims.csv").write_text(f"photo,player,claimed\n{cell},Ada,75\n")
    run(["batch", str(folder / "claims.csv"), "-o", str(folder / "out.csv"), "-q"])
    with (folder / "out.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_what_one_photo_hides_the_other_shows(tmp_path: Path) -> None:
    washed_out(tmp_path / "a.jpg", (0.3, 0.3, 0.45, 0.45))
    washed_out(tmp_path / "b.jpg", (0.6, 0.6, 0.75, 0.75))
    alone = []
    for name in ("a.jpg", "b.jpg"):
        (row,) = results(tmp_path, name)
        alone.append(float(row["probability"]))
        (tmp_path / "out.csv").unlink()
    (row,) = results(tmp_path, "a.jpg; b.jpg")
    assert (row["photo"], row["player"], row["score"]) == ("a.jpg; b.jpg", "Ada", "75")
    assert float(row["probability"]) > alone[0] and float(row["probability"]) >= alone[1]


def test_a_photo_that_is_missing_is_named(tmp_path: Path) -> None:
    washed_out(tmp_path / "a.jpg", (0, 0, 0.01, 0.01))
    (row,) = results(tmp_path, "a.jpg; gone.jpg")
    assert row["status"] == "unreadable" and "gone.jpg" in row["message"]
    assert row["score"] == ""
