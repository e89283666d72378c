"""Photos of kingdoms that have given totals."""

from collections.abc import Collection
from functools import cache
from itertools import product

from msgspec.structs import replace

from kdvision.reading import Alternative, Colour, Doubt, DoubtCode
from kdvision.result import KingdomResult, PhotoResult, Status
from tests.support.results import plain, read_kingdom


@cache
def line_with_total(total: int) -> str:
    """A kingdom line of at most eight squares, two territories, with a total."""
    for first, second in product(range(1, 6), range(4)):
        for crowns in range(3 * first + 1):
            rest = total - first * crowns
            if second == rest == 0:
                return f"C {territory('F', first, crowns)}"
            if second and rest >= 0 and rest % second == 0 and rest // second <= 3 * second:
                below = territory("W", second, rest // second).split()
                row = ["-", *below, *["-"] * (first - second)][: first + 1]
                if second <= first:
                    return f"C {territory('F', first, crowns)}/{' '.join(row)}"
    raise ValueError(f"no such kingdom has {total}")


def territory(letter: str, squares: int, crowns: int) -> str:
    """Squares in a row with some crowns, three on each at most."""
    counts = [min(3, max(0, crowns - 3 * n)) for n in range(squares)]
    return " ".join(f"{letter}{count or ''}" for count in counts)


def table(
    *totals: int,
    doubtful: dict[int, list[tuple[int, float]]] | None = None,
    unscored: Collection[int] = (),
    colours: str = "",
    name: str = "table.jpg",
) -> PhotoResult:
    """A photo of kingdoms with these totals.

    `doubtful` gives other totals with their chances by the index of a kingdom, `unscored` are those
    that cannot be scored, `colours` names one for each kingdom.
    """
    # A kingdom for every total; those with other totals, or without one, are doubtful.
    kingdoms: list[KingdomResult] = []
    for index, total in enumerate(totals):
        chances = (doubtful or {}).get(index, [])
        alternatives = tuple(Alternative(score, chance, ()) for score, chance in chances)
        chance = 1 - sum(alternative.probability for alternative in alternatives)
        status = Status.DOUBTFUL if chances else Status.SURE
        kingdom = read_kingdom(line_with_total(total), status, chance, alternatives=alternatives)
        if index in unscored:
            doubts = (Doubt(DoubtCode.DARK),)
            kingdom = replace(kingdom, status=Status.DOUBTFUL, probability=0.03, doubts=doubts)
        kingdoms.append(kingdom)
    # The first kingdoms have the colours that are named.
    named = [Colour(colour) for colour in colours.split()]
    for index, colour in enumerate(named):
        kingdoms[index] = replace(kingdoms[index], colour=colour)
    status = Status.DOUBTFUL if doubtful or unscored else Status.SURE
    message = "" if status is Status.SURE else "Dark."
    return PhotoResult(name, status, plain(message), tuple(kingdoms))
