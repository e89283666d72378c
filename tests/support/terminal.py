"""A terminal for programs that run in the process of the test."""

import pytest


def terminal_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have standard output taken for a terminal of 80 columns with all colours.

    Rich keeps how a style is written, so all tests of a process have one kind of colours.
    """
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("COLUMNS", "80")
