"""A game in the terminal: typed moves in, boards out; undo, save, resume."""

import io
import re
import sys
from itertools import count
from pathlib import Path
from random import Random

import pytest

from kdvision.cli import main
from kdvision.report.terminal import board_text
from kdvision.rules.game.laying import Land
from kdvision.rules.game.record import GameRecord
from kdvision.rules.game.state import GameState
from kdvision.rules.kingdom import Kingdom


class Terminal:
    """Types lines into `kdscore play` and reads what it prints."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, typed: list[str], *words: str) -> tuple[int, str, str]:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{one}\n" for one in typed)))
        self.monkeypatch.setenv("COLUMNS", "120")
        code = main.run(["play", "--against", "greedy", *words])
        out, err = self.capsys.readouterr()
        return code, out, err


@pytest.fixture
def terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(monkeypatch, capsys)


def test_a_whole_game(terminal: Terminal) -> None:
    """The first move of those that are listed, again and again, comes to an end."""
    file = Path("game.txt")
    assert terminal([], str(file), "--seed", "3")[0] == 0
    rng = Random(1)
    for _ in range(100):
        record = GameRecord.parse(file.read_text())
        if record.state.over:
            break
        action = rng.choice(record.state.actions())
        code, out, err = terminal([str(action)], str(file))
        assert (code, err) == (0, "")
    totals = [sheet.total for sheet in record.state.sheets()]
    assert re.search(rf"^1\. (You|Player 2): {max(totals)}", out, re.MULTILINE)
    assert terminal([], str(file))[1].count("points") == 1
    # With bonuses in play they are counted, and the rule for ties is the one asked for.
    _, out, _ = terminal([], str(file), "--harmony", "--middle-kingdom", "--ties", "territory")
    in_play = record.state.standings("territory", harmony=True, middle_kingdom=True)
    told = re.findall(r"^(\d)\. (.*?): (\d+)", out, re.MULTILINE)
    expected = [(entry.rank, entry.result.player, entry.result.total) for entry in in_play]
    assert [(int(rank), name, int(total)) for rank, name, total in told] == expected


@pytest.mark.parametrize("variant", ["two-players", "mighty-duel"])
def test_one_board_at_a_time_fits_a_terminal_of_24_lines(terminal: Terminal, variant: str) -> None:
    _, out, _ = terminal(["quit"], "g.txt", "--seed", "3", "--variant", variant)
    assert "Build the kingdom that is worth most" in out
    assert out.count(" points") == 1
    rng = Random(2)
    for _ in range(70):
        record = GameRecord.parse(Path("g.txt").read_text())
        if record.state.over:
            break
        _, out, _ = terminal([str(rng.choice(record.state.actions())), "quit"], "g.txt")
        # From the last board to the prompt.
        shown = out[out.rindex("You: ") :] if "You: " in out else out
        assert shown.count("\n") < 24
    assert "Build the kingdom" not in out


def test_the_boards_of_the_others_are_shown_on_demand(terminal: Terminal) -> None:
    _, out, _ = terminal(["boards", "quit"], "--seed", "3", "--players", "3")
    assert re.findall(r"(You|Player \d): \d+ points", out) == ["You", "Player 2", "Player 3"]


def test_moves_are_typed_and_taken_back(terminal: Terminal) -> None:
    _, out, _ = terminal(["moves", "help", "quit"], "--seed", "3", "g.txt")
    assert "3 c4 c5    lay domino 3" in out
    first = GameRecord.parse(Path("g.txt").read_text())
    choice = str(first.state.actions()[0])
    assert f"\n{choice}\n" in out.replace("help): ", "help): \n")
    terminal([choice], "g.txt")
    second = GameRecord.parse(Path("g.txt").read_text())
    assert second.actions[: len(first.actions) + 1] == (*first.actions, first.state.actions()[0])
    terminal(["undo"], "g.txt")
    assert GameRecord.parse(Path("g.txt").read_text()) == first


def test_the_number_of_the_domino_to_lay_may_be_left_out(terminal: Terminal) -> None:
    _, _, _ = terminal([], "g.txt", "--seed", "5")
    while True:
        record = GameRecord.parse(Path("g.txt").read_text())
        if record.state.domino is not None:
            break
        terminal([str(record.state.actions()[0])], "g.txt")
    _, out, _ = terminal([f"E4 {'e3'}"], "g.txt")
    assert f"Lay domino {record.state.domino.number} (help for help):" in out
    after = GameRecord.parse(Path("g.txt").read_text())
    assert len(after.actions) > len(record.actions)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("99", "Domino 99 is not free; "),
        ("foo", "is no move. Write the domino"),
        ("undo", "There is no move to take back."),
        ("save", "Write a file behind it"),
        ("save nowhere/g.txt", "cannot be written"),
        ("3 c4 c5", "Now a domino is to be chosen: "),
    ],
)
def test_what_cannot_be_done_is_said_and_the_game_goes_on(
    terminal: Terminal, typed: str, said: str
) -> None:
    code, out, err = terminal(["", typed, "quit"], "--seed", "3")
    assert (code, err) == (0, "")
    assert said in out


def test_nothing_is_lost(terminal: Terminal) -> None:
    _, out, _ = terminal([], "--seed", "3")
    record = GameRecord.parse(out[out.index("[Start") :])
    assert len(record.actions) == 2
    _, out, _ = terminal(["save kept.txt", "quit"], "--seed", "3")
    assert "Saved in kept.txt." in out and "Go on with: kdscore play kept.txt" in out
    assert GameRecord.parse(Path("kept.txt").read_text()) == record


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--players", "5"], "two to four players, not for 5"),
        (["--players", "3", "--variant", "mighty-duel"], "not for 3 players"),
        (["--variant", "chess"], "--variant is 'chess'. Write "),
        (["--against", "me"], "--against is 'me'. Write lookahead, greedy or random."),
        (["--seconds", "-1"], "--seconds is -1. Write a number from 0 to 3600."),
        (["--ties", "dice"], "--ties is 'dice'. Write crowns or territory."),
        (["--centre", "middle"], "--centre is 'middle'."),
        (["no.txt"], "no.txt holds no game: A game begins with"),
        (["bytes.txt"], "bytes.txt holds no game: it cannot be read."),
        (["."], "holds no game"),
    ],
)
def test_bad_words_end_with_code_2(terminal: Terminal, words: list[str], message: str) -> None:
    Path("no.txt").write_text("C W W")
    Path("bytes.txt").write_bytes(b"\xff\xfe\x00")
    code, _, err = terminal([], *words)
    assert code == 2
    assert message in err


def test_every_opponent_plays(terminal: Terminal) -> None:
    for name in ("lookahead", "random"):
        code, out, _ = terminal(["quit"], "--seed", "3", "--against", name, "--seconds", "0")
        assert code == 0 and "Player 2:" in out


def test_the_board_shows_tiles_and_where_the_kingdom_can_grow() -> None:
    text = board_text(Land.of(Kingdom.parse("W1 C/W -/W -"), 5))
    lines = [line.split() for line in text.plain.splitlines()]
    assert lines[0] == list("abcdefgh")
    assert lines[1] == ["3", *"........"]
    assert ["5", *"...", "W1", "C", *"..."] in lines
    assert any("on #f2c230" in str(span.style) for span in text.spans)


def test_the_first_line_says_whose_king_is_placed(terminal: Terminal) -> None:
    variant = ("--variant", "two-players-any-king", "--seed", "4")
    _, out, _ = terminal(["10"], *variant)
    assert "Choose a domino for the king of Player 2 (help for help): " in out
    assert "Choose a domino (help for help): " in out


def test_a_game_is_saved_over_games_alone(terminal: Terminal) -> None:
    Path("table.jpg").write_bytes(b"\xff\xd8")
    _, out, _ = terminal(["save table.jpg", "save g.txt", "quit"])
    assert "table.jpg holds no game" in out and "Saved in g.txt." in out
    assert Path("table.jpg").read_bytes() == b"\xff\xd8"
    assert "Saved in g.txt." in terminal(["save g.txt", "quit"])[1]


def test_what_is_no_letter_is_no_move(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stray byte ended the game with a traceback, and what was played was lost."""
    typed = io.TextIOWrapper(io.BytesIO(b"\xff\nquit\n"), "utf-8", "strict")
    monkeypatch.setattr(io, "StringIO", lambda _: typed)
    code, out, err = terminal([])
    assert (code, err) == (0, "")
    assert "is no move" in out


def test_ctrl_c_prints_the_game_so_far(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    class Typed(io.StringIO):
        def readline(self, size: int = -1) -> str:
            line = super().readline(size)
            if not line:
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr(io, "StringIO", Typed)
    state = GameState.start(["You", "Player 2"], seed=Random(1).randrange(2**31))
    assert state.current_player == 0
    code, out, _ = terminal([str(state.line[0])], "--seed", "1")
    assert code == 130
    assert "The game so far, to go on with from a file:" in out
    assert len(GameRecord.parse(out.split("from a file:")[1].strip()).actions) >= 1


def test_a_file_that_can_no_longer_be_written_costs_no_game(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others play on, and the game is printed at the end."""
    variant = "two-players-horseshoe"  # after the first king come both of the other player
    seeds = (Random(seed).randrange(2**31) for seed in count())
    states = (GameState.start(["You", "Player 2"], variant=variant, seed=seed) for seed in seeds)
    seed, state = next((n, one) for n, one in enumerate(states) if one.current_player == 0)
    monkeypatch.setattr(Path, "replace", refuse)
    words = ["game.txt", "--variant", variant, "--seed", str(seed)]
    code, out, _ = terminal([str(state.line[0]), "quit"], *words)
    assert code == 0
    assert "game.txt cannot be written" in out
    record = GameRecord.parse(out.split("from a file:")[1].strip())
    assert (len(record.actions), record.state.current_player) == (3, 0)


def refuse(*_: object) -> None:
    raise OSError(28, "No space left on device")
