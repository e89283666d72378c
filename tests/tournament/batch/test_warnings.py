"""What cannot be at once in a table of results."""

from kdvision.tournament.batch.run import row_warnings

#: Ten squares, so that two photos of them are no chance.
LONG = "C W W W W W W W W1 F F"
TURNED = "/".join(reversed(LONG.split()))


def row(player: str, line: str = "", **fields: str) -> dict[str, str]:
    """A sure row of one player, with a photo of its own."""
    known = {"photo": f"{player.lower()}.jpg", "player": player, "key": f"key of {player}"}
    return {**known, "kingdom_line": line, "status": "sure", **fields}


def test_one_photo_under_two_names_is_said_once() -> None:
    rows = [row("Ann", LONG, picture="p" + "0" * 64), row("Ben", LONG, picture="p" + "0" * 64)]
    assert list(row_warnings(rows)) == ["Ann (ann.jpg) and Ben (ben.jpg) show the same picture."]


def test_a_picture_saved_again_is_said_once() -> None:
    rows = [row("Ann", LONG, picture="p" + "0" * 16), row("Ben", TURNED, picture="p" + "0" * 16)]
    (text,) = row_warnings(rows)
    assert text == "Ann (ann.jpg) and Ben (ben.jpg) show the same picture."
    rows[1]["kingdom_line"] = "C F F"
    assert list(row_warnings(rows)) == []


def test_one_kingdom_however_turned_on_two_photos() -> None:
    (text,) = row_warnings([row("Ann", LONG, kingdom="B"), row("Ben", TURNED)])
    assert text == "Ann, kingdom B (ann.jpg) and Ben (ben.jpg) show the same kingdom."
    assert list(row_warnings([row("Ann", LONG), row("", TURNED)])) == [], "nobody's row"


def test_a_domino_in_two_kingdoms_of_a_game() -> None:
    rows = [row("Ann", "C W M3 S S", game="1"), row("Ben", "C W M3 F F", game="1")]
    (text,) = row_warnings(rows)
    assert text == (
        "Ann (ann.jpg) and Ben (ben.jpg) of one game hold domino 48 (M3 W) more often than its "
        "box, which has it once."
    )
    rows[1]["game"] = "2"
    assert list(row_warnings(rows)) == []
