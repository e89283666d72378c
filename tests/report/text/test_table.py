from kdvision.report.text.table import WIDTH, plain_table, printable


def test_a_table() -> None:
    assert plain_table(("Who", "Points"), [("Ann", 7), ("Bob", 10)], numbers=("Points",)) == (
        "Who   Points\n────────────\nAnn        7\nBob       10"
    )


def test_markup_and_control_characters_stay_text() -> None:
    table = plain_table(("Who",), [("[red]x[/]",), ("\x1b[31m:smile:\n",)])
    assert table.splitlines()[2:] == ["[red]x[/]", "?[31m:smile:?"]


def test_long_names_are_folded_and_not_cut() -> None:
    lines = plain_table(("Who", "Points"), [("a" * 150, 7)], numbers=("Points",)).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert "".join(lines).count("a") == 150


def test_printable() -> None:
    assert printable("Zoë 7\t\x07") == "Zoë 7??"
