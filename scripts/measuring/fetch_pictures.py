"""Fetch the public pictures that the program is measured on: make photos.

    python -m scripts.measuring.fetch_pictures

`public_pictures.csv` says where photos, boards and pictures without a kingdom lie in public, with
the digest of each and the kingdom that it shows. They belong to those who took them and are no part
of this project: they are fetched to measure, and kept where git does not look. What is gone, or is
no longer what it was, is named and left out. `make eval` measures on what was fetched.
"""

import csv
import hashlib
import sys
import urllib.parse
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from kdvision.files import replace_file
from scripts.data_split import read_rows
from scripts.paths import PUBLIC_PICTURES

LIST = Path(__file__).with_name("public_pictures.csv")
#: Where the files of repositories lie, each under its commit.
SERVER = "https://raw.githubusercontent.com"
#: Seconds in which a server has to answer.
PATIENCE_S = 60
#: Bytes of a file; the largest of the list has a fifth of it.
MOST_BYTES = 50_000_000


class Picture(Struct, frozen=True):
    """A row of the list.

    Attributes:
        file: Its place in the folder, such as `photos/night_1.jpg`.
        kingdom: The kingdom line of what it shows; empty where it shows no kingdom of ours.
        group: The same for all boards of one kingdom; empty for photos.
        repository: Owner and name.
        commit: The version of the repository that has it.
        path: Where it lies there.
        sha256: The digest of its bytes, in hexadecimal.
    """

    file: str
    kingdom: str
    group: str
    repository: str
    commit: str
    path: str
    sha256: str


def read_list() -> list[Picture]:
    """Return the pictures of the list."""
    return [Picture(**row) for row in read_rows(LIST)]


def fetch(picture: Picture, server: str = SERVER) -> bytes:
    """Return the bytes of a picture.

    Raises:
        OSError: The server does not have it, or has another in its place.
    """
    place = urllib.parse.quote(f"{picture.repository}/{picture.commit}/{picture.path}")
    with urllib.request.urlopen(f"{server}/{place}", timeout=PATIENCE_S) as answer:
        data: bytes = answer.read(MOST_BYTES)
    if not is_the_one(picture, data):
        raise OSError("another picture is there now")
    return data


def is_the_one(picture: Picture, data: bytes) -> bool:
    """Return whether bytes are those that the list names."""
    return hashlib.sha256(data).hexdigest() == picture.sha256


def fetch_all(folder: Path, pictures: Sequence[Picture], server: str = SERVER) -> list[Picture]:
    """Fetch what a folder does not have yet, and write its lists; return what it has then.

    What cannot be fetched is named on standard error.
    """
    there = []
    for picture in pictures:
        path = folder / picture.file
        if not (path.is_file() and is_the_one(picture, path.read_bytes())):
            try:
                data = fetch(picture, server)
            except OSError as error:
                path.unlink(missing_ok=True)
                print(f"{picture.file}: left out ({error})", file=sys.stderr)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            with replace_file(path) as file:
                file.write(data)
        there.append(picture)
    _write_lists(folder, there)
    return there


def _write_lists(folder: Path, pictures: Sequence[Picture]) -> None:
    """Write `photos.csv` and `boards.csv`, as every data folder has them (docs/data.md)."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, columns in (("photos", ("kingdom",)), ("boards", ("group", "kingdom"))):
        with (folder / f"{kind}.csv").open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file, lineterminator="\n")
            table.writerow(("file", *columns))
            for picture in pictures:
                where, _, name = picture.file.partition("/")
                if where == kind:
                    table.writerow((name, *(getattr(picture, column) for column in columns)))


def main() -> None:
    """Fetch, and say how many are there."""
    every = read_list()
    there = fetch_all(PUBLIC_PICTURES, every)
    print(f"{len(there)} of {len(every)} pictures are in {PUBLIC_PICTURES}.")
    if not there:
        sys.exit(1)


if __name__ == "__main__":
    main()
