"""Which dominoes a kingdom consists of, as text: what is forced, and what is open."""

from collections.abc import Iterator, Sequence

from kdvision.reading import ReadDomino
from kdvision.report.wording import kingdom_names, percent, place_names
from kdvision.result import KingdomResult, PhotoResult
from kdvision.rules.kingdom import cell_text
from kdvision.rules.legality import BREAKS

#: probability. Pairs that are hardly one domino are left out of the text; JSON has them.
_LEAST_SHOWN = 0.01


def domino_report(result: PhotoResult) -> str:
    """The dominoes of all kingdoms of a photo, without a line break at the end."""
    parts = []
    for kingdom, name in zip(result.kingdoms, kingdom_names(result), strict=True):
        head = f"Dominoes of kingdom {name}" if name else "Dominoes"
        parts.append("\n".join([f"{head}: {_count(kingdom)}", *_lines(kingdom)]))
    return "\n\n".join(parts)


def _count(result: KingdomResult) -> str:
    """`10 of 12 are certain`, or why nothing can be said."""
    whole = len(result.kingdom.squares()) // 2
    known = sum(one.probability >= BREAKS.known_from for one in result.dominoes)
    if not result.dominoes:
        return "nothing can be said of them"
    return f"{known} of {whole} {'is' if known == 1 else 'are'} certain"


def _lines(result: KingdomResult) -> Iterator[str]:
    """A line per domino: its squares, what lies on them, its numbers, and what is doubtful."""
    kingdom = result.kingdom
    for domino in result.dominoes:
        if domino.probability < _LEAST_SHOWN:
            continue
        cells = " ".join(cell_text(kingdom[at]) for at in domino.cells)
        notes = list(_notes(domino))
        places, numbers = place_names(result, domino.cells), numbers_text(domino.numbers)
        yield f"  {places:<8} {cells:<6} {numbers:<20} {', '.join(notes)}".rstrip()


def numbers_text(numbers: Sequence[int]) -> str:
    """`no. 24, 25, 26 or 27`."""
    if not numbers:
        return "not in the deck"
    *first, last = map(str, numbers)
    return f"no. {', '.join(first)} or {last}" if first else f"no. {last}"


def _notes(domino: ReadDomino) -> Iterator[str]:
    if domino.probability < BREAKS.known_from:
        yield percent(domino.probability)
    if domino.broken >= BREAKS.named_from:
        maybe = "" if domino.broken >= BREAKS.known_from else "perhaps "
        yield f"{maybe}touches nothing that fits"
