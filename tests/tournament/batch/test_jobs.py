"""Which photos a batch is about."""

from pathlib import Path

import pytest

from kdvision.errors import UsageError
from kdvision.options import GameOptions
from kdvision.tournament.lines import collect_jobs


def files(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_a_folder_gives_its_photos_as_people_sort_them(tmp_path: Path) -> None:
    files(
        tmp_path,
        "IMG_10.jpg", "IMG_2.JPG", "b.heic", "3.png", "notes.txt", ".hidden.jpg", "a.webp",
        "table 2/x.jpeg", "table 10/y.avif", ".trash/z.jpg",
    )  # fmt: skip
    jobs, problems = collect_jobs([tmp_path])
    assert [str(job.path.relative_to(tmp_path)) for job in jobs] == [
        "3.png", "a.webp", "b.heic", "IMG_2.JPG", "IMG_10.jpg", "table 2/x.jpeg", "table 10/y.avif",
    ]  # fmt: skip
    assert [job.name for job in jobs] == [str(job.path) for job in jobs]
    assert problems == []


def test_what_is_named_is_tried_whatever_its_name_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files(tmp_path, "b", "d/a.jpg")
    jobs, _ = collect_jobs(["b", "missing.jpg", "d", "d/a.jpg", "b"], GameOptions(7))
    assert [job.name for job in jobs] == ["b", "missing.jpg", "d/a.jpg"]
    assert {job.options for job in jobs} == {GameOptions(7)}


def test_nothing_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"There are no photos in .*Name a folder with photos"):
        collect_jobs([tmp_path])


def test_a_table_of_photos(tmp_path: Path) -> None:
    files(tmp_path, "p/a.jpg", "b.jpg")
    (tmp_path / "evening.csv").write_text(
        "Photo;Player;Game;Round;Harmony;Middle Kingdom;Size\n"
        "p\\a.jpg;Ann;A;1;yes;no;7\n"
        "b.jpg;Bob\tB;;2;;x;\n"
        "c.jpg;Cle;A;1;;;\n"
        ";Dan;A;1;;;\n"
        "b.jpg;Eve;A;1;perhaps;;\n"
        "b.jpg;Eve;A;1;;;6\n"
    )
    jobs, problems = collect_jobs([tmp_path / "evening.csv"], GameOptions(None, True, False))
    assert [(job.name, job.path.exists(), job.options, dict(job.who)) for job in jobs] == [
        (
            "p\\a.jpg",
            True,
            GameOptions(7, True, False),
            {"player": "Ann", "game": "A", "round": "1"},
        ),
        ("b.jpg", True, GameOptions(None, True, True), {"player": "Bob?B", "round": "2"}),
        (
            "c.jpg",
            False,
            GameOptions(None, True, False),
            {"player": "Cle", "game": "A", "round": "1"},
        ),
    ]
    assert [one.complaint.rpartition("evening.csv, ")[2] for one in problems] == [
        "line 5: the photo is missing.",
        "line 6: harmony is 'perhaps'. Write yes or no.",
        "line 7: size is '6'. Write auto, 5 or 7.",
    ]


def test_a_table_without_photos(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("player\nAnn\n")
    with pytest.raises(UsageError, match="line 1: a column is missing: photo"):
        collect_jobs([tmp_path / "x.csv"])


def test_a_photo_of_a_folder_is_that_of_a_line_however_letters_are_written(tmp_path: Path) -> None:
    files(tmp_path, "p/ku\u0308che.jpg")
    (tmp_path / "t.csv").write_text("photo,player\np/k\u00fcche.jpg,Ann\n", encoding="utf-8")
    (job,), _ = collect_jobs([tmp_path / "p", tmp_path / "t.csv"])
    assert dict(job.who) == {"player": "Ann"}


def test_a_square_that_two_lines_correct_otherwise_stays_as_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "photo,player,kingdom,fix\ntwo.jpg,Ann,A,A.c1=F A.e1=W\ntwo.jpg,Bob,B,\n"
        "two.jpg,Cle,A,A.c1=L A.e1=W\n"
    )
    (job,), (problem,) = collect_jobs([tmp_path / "t.csv"])
    assert problem.complaint == "two.jpg: A.c1 is corrected twice, to F and to L."
    assert job.fixes == {("A", (0, 4)): "W"}
    assert [line.player for line in job.entries] == ["Ann", "Bob", "Cle"]
