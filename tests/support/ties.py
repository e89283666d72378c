"""What the notes of standings say, part by part."""

import re


def broken(note: str) -> str:
    """What broke a tie: `largest territory 6, crowns 9`; empty where there was none."""
    match = re.fullmatch(r"tie at [0-9.]+[:,] (.+)", note)
    assert match or not note
    return match[1] if match else ""
