"""Every result that is not sure says why, in every form: text, HTML, CSV and JSON."""

import csv
import io
from html import unescape

import pytest
from msgspec.structs import replace

from kdvision.reading import LEFT_OUT, UNREPORTED, Doubt, DoubtCode
from kdvision.report.html import Page, make_card, ungrouped, write_html
from kdvision.report.json import from_json
from kdvision.report.text import csv_lines, short_report, text_report
from kdvision.result import PhotoResult, Status
from kdvision.sentences import catalogue, languages
from tests.support.results import DOUBTFUL, read_kingdom
from tests.support.templates import template_fields

#: Notes beside which all totals of a photo may be sure.
NOTES = LEFT_OUT - UNREPORTED


def doubt_of(code: DoubtCode) -> Doubt:
    """A doubt of a kind, with all fields that its sentence asks for."""
    fields = dict.fromkeys(template_fields(catalogue()[f"doubt.{code.value}"]), "where.top")
    return Doubt(code, places=((1, 1),), fields=fields).name_places((0, 0))


def photo_of(code: DoubtCode, count: int) -> PhotoResult:
    """A photo of kingdoms that is in doubt for one reason, as the pipeline makes it."""
    doubt = doubt_of(code)
    rest = [read_kingdom("C F1 W")] * count
    if code in LEFT_OUT:
        kingdoms = [read_kingdom(), *rest]
        return PhotoResult.of_kingdoms("p.jpg", kingdoms, left_out=[doubt], size=(800, 600))
    kingdoms = [replace(DOUBTFUL, doubts=(doubt,)), *rest]
    return PhotoResult.of_kingdoms("p.jpg", kingdoms, size=(800, 600))


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("code", [code for code in DoubtCode if code not in NOTES])
def test_every_form_says_why(code, more, tmp_path):
    photo, message = photo_of(code, more), doubt_of(code).message
    path = tmp_path / "report.html"
    write_html(path, Page("Report", [("doubtful", 1)]), ungrouped([make_card(photo)]))
    (row, *_) = csv.DictReader(io.StringIO(csv_lines(photo, head=True)))
    (back,) = from_json(photo.to_json())
    forms = {
        "text": text_report(photo),
        "html": unescape(path.read_text("utf-8")),
        "csv": row["explanation"],
        "json": back.message,
    }
    assert flat(row["explanation"]).count(flat(message)) == 1
    assert [name for name, text in forms.items() if flat(message) not in flat(text)] == []
    for language in languages():
        assert back.why(language) == doubt_of(code).text(language)


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("code", sorted(LEFT_OUT))
def test_left_out_is_said_once(code, more):
    photo = photo_of(code, more)
    message = doubt_of(code).message
    assert (photo.status is Status.SURE) is (code in NOTES)
    assert {kingdom.status for kingdom in photo.kingdoms} == {Status.SURE}
    assert text_report(photo).count(message) == 1
    for line in (short_report(photo), csv_lines(photo)):
        assert [row.count(message) for row in line.splitlines()] == [1] * (1 + more)
        assert line.count(Status.SURE.value) == 1 + more
    assert make_card(photo).message == message
    assert [note.message for note in from_json(photo.to_json())[0].left_out] == [message]
