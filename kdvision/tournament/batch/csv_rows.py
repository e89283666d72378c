"""Results as lines of a CSV: one per kingdom, or one that says why there is none.

Every line ends with the key of what was scored: the bytes of the photo, the rules it was scored
by, and the program and models that scored it. By it a later run knows what is done.
"""

import csv
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from io import StringIO
from pathlib import Path

import kdvision
from kdvision.options import GameOptions
from kdvision.report.text.table import printable
from kdvision.report.wording import kingdom_names, percent, told_alternatives
from kdvision.result import KingdomResult, PhotoResult
from kdvision.rules.standings import result_of
from kdvision.tournament.batch.jobs import Job
from kdvision.tournament.sheets.fields import WHO
from kdvision.vision.models import model_folder, read_manifest

#: `letter` tells the kingdoms of one photo apart, and `kingdoms` counts them.
COLUMNS = (
    "photo",
    *WHO,
    "status",
    "letter",
    "score",
    "probability",
    "alternatives",
    "kingdom",
    "size",
    "harmony",
    "middle_kingdom",
    "largest",
    "crowns",
    "message",
    "kingdoms",
    "key",
)


def fingerprint(models: Path | None = None) -> str:
    """Names this version of the program with these models.

    Raises:
        ModelError: The list of models is missing.
    """
    entries = read_manifest(models or model_folder())
    sums = (f"{name}={entry.sha256}/{entry.temperature}" for name, entry in entries.items())
    return " ".join((kdvision.__version__, *sorted(sums)))


def key_of(digest: str, options: GameOptions, scorer: str) -> str:
    """The key of a photo scored by some rules; empty where the photo's digest is not known."""
    if not digest:
        return ""
    what = (digest, *astuple(options), scorer)
    return hashlib.sha256(repr(what).encode()).hexdigest()[:32]


def head() -> bytes:
    """The line of the headings."""
    return _line(COLUMNS)


def rows_of(result: PhotoResult, key: str, who: Mapping[str, str]) -> bytes:
    """The lines of one photo."""
    common = {
        **who,
        "photo": result.photo,
        "message": result.message,
        "kingdoms": str(len(result.kingdoms)),
        "key": key,
    }
    if not result.kingdoms:
        return _row({**common, "status": result.status.value})
    names = kingdom_names(result)
    return b"".join(
        _row({**common, "letter": name, **_kingdom(kingdom)})
        for name, kingdom in zip(names, result.kingdoms, strict=True)
    )


def _kingdom(result: KingdomResult) -> dict[str, str]:
    sheet = result.sheet
    standing = result_of("", sheet)
    alternatives = (
        f"{one.score} ({percent(one.probability)})" for one in told_alternatives(result)
    )
    return {
        "status": result.status.value,
        "score": str(sheet.total),
        "probability": f"{result.probability:.4f}",
        "alternatives": "; ".join(alternatives),
        "kingdom": str(sheet.kingdom),
        "size": str(sheet.size),
        "harmony": "yes" if sheet.harmony.counted else "no",
        "middle_kingdom": "yes" if sheet.middle_kingdom.counted else "no",
        "largest": str(standing.largest),
        "crowns": str(standing.crowns),
    }


def parse_rows(lines: bytes) -> list[dict[str, str]]:
    """Lines back into fields by column.

    Raises:
        ValueError: They are no such lines.
    """
    text = lines.decode("utf-8").splitlines()
    return [dict(zip(COLUMNS, fields, strict=True)) for fields in csv.reader(text, strict=True)]


def row_key(line: bytes) -> str:
    """The key of a line.

    Raises:
        ValueError: It is no such line.
    """
    try:
        (row,) = parse_rows(line)
    except csv.Error as error:
        raise ValueError(str(error)) from None
    return row["key"]


def first_photo(lines: bytes) -> list[dict[str, str]]:
    """The rows of the first photo in some lines; the same photo may follow under other names.

    Raises:
        ValueError: Some of its kingdoms are missing.
    """
    rows = parse_rows(lines)
    count = max(int(rows[0]["kingdoms"]), 1)
    if len(rows) < count or len({row["photo"] for row in rows[:count]}) > 1:
        raise ValueError("a kingdom is missing")
    return rows[:count]


def renamed(lines: bytes, job: Job) -> bytes:
    """The lines of a photo as those of a job with the same photo under its own name.

    Who it belongs to is kept where the job does not say.
    """
    return b"".join(_row({**row, "photo": job.name, **job.who}) for row in first_photo(lines))


def _row(fields: Mapping[str, str]) -> bytes:
    return _line(printable(fields.get(column, "")) for column in COLUMNS)


def _line(fields: Iterable[str]) -> bytes:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow(fields)
    return out.getvalue().encode("utf-8")
