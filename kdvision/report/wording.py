"""What a sheet says, line by line, before anything is laid out.

The sheet in colour, the plain sheet and the picture over the photo all take their words from
here, so that they cannot differ.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from kdvision.corrections import kingdom_name
from kdvision.pipeline.settings import PIPELINE
from kdvision.reading import LEFT_OUT, Alternative
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import (
    CASTLE,
    Kingdom,
    Position,
    cell_text,
    column_name,
    parse_cell,
    position_name,
    position_names,
    shifted,
)
from kdvision.rules.problem import Code, Problem, Severity
from kdvision.rules.scoring import Bonus
from kdvision.rules.terrain import Square
from kdvision.sentences import text_of

#: Of a doubtful total no more alternatives than this are named, and none less likely.
MOST_ALTERNATIVES = 4
LEAST_ALTERNATIVE = 0.005
#: In a doubtful kingdom, squares read with less certainty than this are worth a look: those that a
#: correction of others may change.
UNSURE_BELOW = PIPELINE.clear_square
#: No more squares than this are named to look at.
MOST_NAMED = 12

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class TerritoryLine(Struct, frozen=True):
    """One territory: `terrain`, `squares` x `crowns` = `points`, and its first square."""

    terrain: str
    squares: int
    crowns: int
    points: int
    at: str


class BonusLine(Struct, frozen=True):
    """One bonus: what it adds or would add, and why."""

    name: str
    value: str
    note: str
    counted: bool


class Note(Struct, frozen=True):
    """A sentence below the sheet. `kind` is `doubt`, `problem`, `warning` or `advice`."""

    kind: str
    text: str


def kingdom_names(result: PhotoResult) -> list[str]:
    """`A`, `B`, `C` for several kingdoms; nothing to tell apart a single one."""
    if len(result.kingdoms) < 2:
        return ["" for _ in result.kingdoms]
    return [kingdom_name(index) for index in range(len(result.kingdoms))]


def place_name(result: KingdomResult, at: Position) -> str:
    """A place as corrections name it, whatever they added or took away: `b3`."""
    return position_name(shifted(at, result.origin))


def place_names(result: KingdomResult, positions: Iterable[Position]) -> str:
    """Several places, sorted: `a1, b3`."""
    return position_names(shifted(at, result.origin) for at in positions)


def column_names(result: KingdomResult) -> list[str]:
    """The letters of the columns, from the left."""
    return [column_name(col + result.origin[1]) for col in range(result.kingdom.width)]


def row_names(result: KingdomResult) -> list[str]:
    """The numbers of the rows, from the top."""
    return [str(row + result.origin[0] + 1) for row in range(result.kingdom.height)]


def territory_lines(result: KingdomResult) -> list[TerritoryLine]:
    """Every territory, most points first."""
    return [
        TerritoryLine(
            territory.terrain.value,
            territory.squares,
            territory.crowns,
            territory.points,
            place_name(result, territory.cells[0]),
        )
        for territory in result.sheet.territories
    ]


def scoring_lines(result: KingdomResult) -> list[TerritoryLine]:
    """The territories that are worth something, most points first."""
    return [line for line in territory_lines(result) if line.points]


def worthless_line(result: KingdomResult) -> TerritoryLine | None:
    """All territories without a crown as one line: `wheat d1, a2; lake a1`; None without any."""
    places: dict[str, list[str]] = {}
    squares = 0
    for line in territory_lines(result):
        if not line.points:
            places.setdefault(line.terrain, []).append(line.at)
            squares += line.squares
    where = "; ".join(f"{terrain} {', '.join(names)}" for terrain, names in places.items())
    return TerritoryLine("no crowns", squares, 0, 0, where) if places else None


def total_text(result: KingdomResult) -> str:
    """The total, and a dash where none is likely enough to be named."""
    return str(result.score) if result.scored else "-"


def bonus_lines(result: KingdomResult) -> list[BonusLine]:
    """Both bonuses, in play or not."""
    return [
        BonusLine(bonus.name, _bonus_value(bonus), text_of(bonus), bonus.counted)
        for bonus in result.sheet.bonuses
    ]


def _bonus_value(bonus: Bonus) -> str:
    would = bonus.points if bonus.earned else 0
    return f"+{would}" if bonus.counted else f"not in play, would pay {would}"


def status_text(result: KingdomResult) -> str:
    """`sure, 99.2 %`, `not sure, 62 %`, `cannot be scored`; nothing for a typed kingdom."""
    if not _was_read(result):
        return ""
    if not result.scored:
        return "cannot be scored"
    word = "sure" if result.status is Status.SURE else "not sure"
    return f"{word}, {percent(result.probability)}"


def _was_read(result: KingdomResult) -> bool:
    """Whether the kingdom comes from a photo."""
    return bool(result.corners) or result.probability < 1 or result.status is not Status.SURE


def percent(probability: float) -> str:
    """A probability to read: never 0 or 100 %, which would be certainty."""
    value = min(max(100 * probability, 0.1), 99.9)
    return f"{value:.1f} %" if value < 1 or value > 99 else f"{value:.0f} %"


def doubtful_cells(result: KingdomResult) -> frozenset[Position]:
    """The places to look at: none where the total is sure."""
    if result.status is Status.SURE:
        return frozenset()
    named = {at for alternative in named_alternatives(result) for at, _ in alternative.squares}
    unsure = {square.at for square in result.squares if square.probability < UNSURE_BELOW}
    return frozenset(at for at in named | unsure if _is_inside(result.sheet.kingdom, at))


def named_alternatives(result: KingdomResult) -> list[Alternative]:
    """The alternatives that are worth naming, the likeliest first."""
    if result.status is Status.SURE or not result.scored:
        return []
    likely = [one for one in result.alternatives if one.probability >= LEAST_ALTERNATIVE]
    return sorted(likely, key=lambda one: -one.probability)[:MOST_ALTERNATIVES]


def notes(result: KingdomResult, message: str = "", name: str = "") -> Iterator[Note]:
    """Everything that is said below a sheet: doubts first, then problems, then what to do.

    Args:
        result: The kingdom.
        message: Why it is in doubt.
        name: What the kingdom is called, where the photo holds several. What is left out of the
            photo is then said once, by `photo_notes`.
    """
    total = result.sheet.total
    if not result.scored:
        yield Note("doubt", f"It cannot be scored. {message}".strip())
    elif result.status is not Status.SURE and message:
        yield Note("doubt", message)
    alternatives = named_alternatives(result)
    for alternative in alternatives:
        yield Note("doubt", f"{total}, or {alternative_text(result, alternative)}")
    for sentence in corrections(result):
        yield Note("warning", sentence)
    for problem in result.problems:
        kind = "warning" if problem.severity is Severity.WARNING else "problem"
        yield Note(kind, problem_text(result, problem))
    for warning in result.warnings:
        if warning.message not in message and not (name and warning.code in LEFT_OUT):
            yield Note("warning", warning.message)
    doubtful = doubtful_cells(result)
    if doubtful:
        named = place_names(result, doubtful)
        if len(doubtful) > MOST_NAMED:
            named = f"the whole kingdom: {len(doubtful)} of its places are unclear"
        example = _example_of_fix(result, alternatives)
        example = example or f"{place_name(result, min(doubtful))}=W1"
        which = f"{name}." if name else ""
        yield Note(
            "advice",
            f"Look at {named}. To correct a square, add --fix, as in --fix {which}{example}.",
        )


def problem_text(result: KingdomResult, problem: Problem) -> str:
    """What a kingdom breaks, for a player."""
    if problem.code in (Code.NO_ORDER, Code.BROKEN_DOMINO):
        return f"{text_of(problem)} This breaks the joining rule; the score stands."
    return text_of(problem)


def corrections(result: KingdomResult) -> list[str]:
    """Where the deck and the classifier disagreed, in sentences."""
    if result.seen is not None and not _has_same_places(result, result.seen):
        return [f"Without the deck the kingdom would read {result.seen}."]
    return [
        f"{place_name(result, at)} looked like {text}, "
        f"but with the dominoes of the deck it must be {cell_text(result.sheet.kingdom[at])}."
        for at, text in corrected_cells(result).items()
    ]


def corrected_cells(result: KingdomResult) -> dict[Position, str]:
    """What was seen on the places that the deck changed, where only places inside are changed."""
    if result.seen is None or not _has_same_places(result, result.seen):
        return {}
    seen = Kingdom.parse(result.seen)
    return {
        at: cell_text(seen[at]) for at, cell in result.sheet.kingdom.cells() if cell != seen[at]
    }


def _has_same_places(result: KingdomResult, line: str) -> bool:
    """Whether a kingdom line has as many rows and columns as the kingdom."""
    kingdom, other = result.sheet.kingdom, Kingdom.parse(line)
    return (other.height, other.width) == (kingdom.height, kingdom.width)


def alternative_text(result: KingdomResult, alternative: Alternative) -> str:
    """`66 if c4 has two crowns (12 %)`."""
    changes = [_change_text(result, at, text) for at, text in alternative.squares]
    condition = f" if {_joined(changes)}" if changes else ""
    return f"{alternative.score}{condition} ({percent(alternative.probability)})"


def _change_text(result: KingdomResult, at: Position, text: str) -> str:
    """What would have to lie on a place: `c4 has two crowns`, `b1 is lake with one crown`."""
    kingdom = result.kingdom
    inside = _is_inside(kingdom, at)
    now, then = (kingdom[at] if inside else None), parse_cell(text)
    name = place_name(result, at)
    if not inside:
        name += " beside the grid"
    if then is None:
        return f"{name} is empty"
    if then is CASTLE:
        return f"{name} is the castle"
    assert isinstance(then, Square)
    if isinstance(now, Square) and now.terrain is then.terrain:
        return f"{name} has {crowns_text(then.crowns)}"
    return f"{name} is {then.terrain.value} with {crowns_text(then.crowns)}"


def _is_inside(kingdom: Kingdom, at: Position) -> bool:
    return 0 <= at[0] < kingdom.height and 0 <= at[1] < kingdom.width


def crowns_text(crowns: int) -> str:
    """`no crown`, `one crown`, `two crowns`."""
    return f"{_NUMBERS[crowns]} crown{'s' if crowns > 1 else ''}"


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _example_of_fix(result: KingdomResult, alternatives: list[Alternative]) -> str:
    squares = (square for alternative in alternatives for square in alternative.squares)
    return next((f"{place_name(result, at)}={text}" for at, text in squares), "")
