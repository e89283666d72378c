"""Results as CSV, for programs and spreadsheets: a line per kingdom, or one that says why not."""

import csv
from collections.abc import Iterable
from io import StringIO

from kdvision.report.text.table import printable
from kdvision.report.wording import kingdom_names, named_alternatives, percent
from kdvision.result import KingdomResult, PhotoResult

#: The names are those of the JSON and of the tables of `batch`; `letter` tells the kingdoms of one
#: photo apart, `status` is that of the kingdom.
COLUMNS = (
    "photo",
    "letter",
    "status",
    "score",
    "probability",
    "alternatives",
    "kingdom",
    "size",
    "harmony",
    "middle_kingdom",
    "message",
)


def csv_head() -> str:
    """The line of the headings."""
    return _line(COLUMNS)


def csv_lines(result: PhotoResult) -> str:
    """The lines of one photo, without a line break at the end."""
    if not result.kingdoms:
        return _row(
            {"photo": result.photo, "status": result.status.value, "message": result.message}
        )
    names = kingdom_names(result)
    return "\n".join(
        _row({"photo": result.photo, "letter": name, **_fields(one, result)})
        for name, one in zip(names, result.kingdoms, strict=True)
    )


def _fields(one: KingdomResult, photo: PhotoResult) -> dict[str, str]:
    others = (f"{other.score} ({percent(other.probability)})" for other in named_alternatives(one))
    return {
        "status": one.status.value,
        "score": str(one.score) if one.scored else "",
        "probability": f"{one.probability:.4f}",
        "alternatives": "; ".join(others),
        "kingdom": str(one.kingdom),
        "size": str(one.size),
        "harmony": "yes" if one.sheet.harmony.counted else "no",
        "middle_kingdom": "yes" if one.sheet.middle_kingdom.counted else "no",
        "message": photo.message if len(photo.kingdoms) == 1 else one.reason,
    }


def _row(fields: dict[str, str]) -> str:
    return _line(printable(fields.get(column, "")) for column in COLUMNS)


def _line(fields: Iterable[str]) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="").writerow(fields)
    return out.getvalue()
