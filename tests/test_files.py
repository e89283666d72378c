"""Files: what is written where."""

import os
from pathlib import Path

import pytest

from kdvision.cli import main
from kdvision.errors import UnreadablePhotoError, UsageError
from kdvision.files import read_file, whole_file


@pytest.mark.parametrize("name", [".", "..", "folder", ""])
def test_a_folder_is_no_file_to_write(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with (
        pytest.raises(UsageError, match="cannot be written: it is no file"),
        whole_file(Path(name)),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_neither_waited_for_nor_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe.html")
    with pytest.raises(UsageError, match="it is no file"), whole_file(tmp_path / "pipe.html"):
        pass
    assert (tmp_path / "pipe.html").is_fifo()


def test_a_link_stays_one_and_what_it_names_is_written(tmp_path):
    """As where the table of a tournament lies in a folder that is shared."""
    shared, link = tmp_path / "shared", tmp_path / "results.csv"
    shared.mkdir()
    try:
        link.symlink_to(shared / "results.csv")
    except OSError:
        pytest.skip("links cannot be made here")
    for text in (b"first", b"second"):
        with whole_file(link) as file:
            file.write(text)
        assert link.is_symlink()
        assert (shared / "results.csv").read_bytes() == text
    assert sorted(path.name for path in tmp_path.rglob("*.csv*")) == ["results.csv"] * 2


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("https://example.org/x.jpg", "an address on the internet"),
        ("FTP://example.org/x.jpg", "an address on the internet"),
        ("file:///home/ann/x.jpg", "the address of a file, .* Leave file:// away"),
        ("File://x.jpg", "the address of a file"),
    ],
)
def test_an_address_is_called_what_it_is(address, said):
    with pytest.raises(UnreadablePhotoError, match=said):
        read_file(address, 100)


@pytest.mark.parametrize("option", ["--output", "--html"])
@pytest.mark.parametrize("name", [".", "folder"])
def test_a_folder_is_no_output(tmp_path, monkeypatch, capsys, option, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "sheet.csv").write_text("photo,claimed\nx.jpg,9\n")
    assert main.run(["verify", "sheet.csv", option, name]) == 2
    assert f"{option} {name} is no file. Give another name." in capsys.readouterr().err
