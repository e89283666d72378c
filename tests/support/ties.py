"""What the notes of standings say, part by part."""

import re


def broken(note: str) -> list[str]:
    """What broke a tie: `["largest territory 6", "crowns 9"]`; empty where there was none."""
    said = re.fullmatch(r"tie at [0-9.]+[:,] (.+)", note)
    assert said or not note
    return said[1].split(", ") if said else []
