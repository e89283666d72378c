"""What a tie came down to, in words."""

from fractions import Fraction

from kdvision.rules.standings import Number, Tie, TieEnd
from kdvision.sentences import ENGLISH, sentence


def tie_text(tie: Tie, language: str = ENGLISH) -> str:
    """Return what a tie came down to: `tie at 40: largest territory 6, crowns 9`."""
    parts = []
    for name, value in tie.compared:
        text = sentence("standings.unknown", language)
        if value is not None:
            text = points_text(value)
        parts.append(sentence(f"standings.compared.{name}", language, value=text))
    if tie.end is not TieEnd.BROKEN:
        parts.append(sentence(f"standings.tie-end.{tie.end}", language))
    fields = {"points": points_text(tie.points), "compared": ", ".join(parts)}
    return sentence("standings.tie", language, **fields)


def points_text(points: Number) -> str:
    """Return points as people write them: `3`, `2.5`, `1.33`."""
    if Fraction(points).denominator == 1:
        return str(int(points))
    return f"{float(points):.2f}".rstrip("0")
