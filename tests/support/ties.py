"""What ties of standings came down to, part by part."""

from kdvision.rules.standings import Tie, TieEnd


def tie_words(tie: Tie | None) -> str:
    """Return what was compared, and how it ended: `largest 6, crowns 9`; empty for no tie."""
    if tie is None:
        return ""
    words = []
    for name, value in tie.compared:
        words.append(f"{name} ?" if value is None else f"{name} {float(value):g}")
    if tie.end is not TieEnd.BROKEN:
        words.append(tie.end)
    return ", ".join(words)
