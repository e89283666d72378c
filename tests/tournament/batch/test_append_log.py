"""A file of records that survives being cut off at any byte."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from kdvision.errors import UsageError
from kdvision.tournament.batch.append_log import AppendLog

HEAD = b"key,value\n"


def key_of(line: bytes) -> str:
    if b"," not in line:
        raise ValueError("no comma")
    return line.split(b",")[0].decode()


@pytest.fixture
def opened() -> Iterator[Callable[[Path], AppendLog]]:
    """Opens files of records, and closes them after the test."""
    with ExitStack() as stack:
        yield lambda path: stack.enter_context(closing(AppendLog(path, key_of, HEAD)))


def test_records_are_found_again(tmp_path: Path, opened) -> None:
    path = tmp_path / "l.csv"
    ledger = opened(path)
    ledger.append("a", b"a,1\na,2\n")
    ledger.append("b", b"b,3\n")
    ledger.close()
    assert path.read_bytes() == b"key,value\na,1\na,2\nb,3\n"
    ledger = opened(path)
    assert list(ledger) == ["a", "b"] and len(ledger) == 2
    assert (ledger.read("a"), ledger.read("b")) == (b"a,1\na,2\n", b"b,3\n")
    assert "c" not in ledger
    with pytest.raises(KeyError):
        ledger.read("c")


def test_cut_off_at_any_byte(tmp_path: Path, opened) -> None:
    whole = b"key,value\na,1\nb,22\nc,333\n"
    for end in range(len(whole) + 1):
        path = tmp_path / f"{end}.csv"
        path.write_bytes(whole[:end])
        ledger = opened(path)
        lines = whole[:end].count(b"\n")
        assert list(ledger) == ["a", "b", "c"][: max(lines - 1, 0)]
        ledger.append("d", b"d,4\n")
        ledger.close()
        kept = b"".join(whole.splitlines(keepends=True)[: max(lines, 1)])
        assert path.read_bytes() == kept + b"d,4\n"


def test_records_without_key_do_not_count_when_read_again(tmp_path: Path, opened) -> None:
    ledger = opened(tmp_path / "l.csv")
    ledger.append("!1", b",1\n")
    assert ledger.read("!1") == b",1\n"
    ledger.close()
    assert list(opened(tmp_path / "l.csv")) == []


def test_written_anew_in_another_order(tmp_path: Path, opened) -> None:
    path = tmp_path / "l.csv"
    ledger = opened(path)
    for key in "abc":
        ledger.append(key, f"{key},1\n".encode())
    ledger.rewrite((key, ledger.read(key)) for key in "ca")
    assert path.read_bytes() == b"key,value\nc,1\na,1\n"
    assert list(ledger) == ["c", "a"]
    assert ledger.read("a") == b"a,1\n"
    ledger.append("d", b"d,1\n")
    assert path.read_bytes() == b"key,value\nc,1\na,1\nd,1\n"
    assert [one.name for one in tmp_path.iterdir()] == ["l.csv"]


def test_a_failure_while_writing_anew_leaves_the_old_file(tmp_path: Path, opened) -> None:
    path = tmp_path / "l.csv"
    ledger = opened(path)
    ledger.append("a", b"a,1\n")
    with pytest.raises(ZeroDivisionError):
        ledger.rewrite((str(1 // number), b"x,1\n") for number in (1, 0))
    assert path.read_bytes() == b"key,value\na,1\n"
    assert [one.name for one in tmp_path.iterdir()] == ["l.csv"]


@pytest.mark.parametrize(
    "data", [b"player,score\n", b"key,value\nno comma\n", b"\xff\xd8\xff\xe0\n"]
)
def test_a_file_of_another_kind_is_left_alone(tmp_path: Path, data: bytes, opened) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(data)
    with pytest.raises(UsageError, match="is there already, and was not written by kdscore batch"):
        opened(path)
    assert path.read_bytes() == data


def test_what_cannot_be_written(tmp_path: Path, opened) -> None:
    with pytest.raises(UsageError, match="cannot be written: no such file or directory"):
        opened(tmp_path / "nowhere" / "l.csv")
    with pytest.raises(UsageError, match="cannot be written: is a directory"):
        opened(tmp_path)
