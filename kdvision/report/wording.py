"""What a sheet says of a kingdom and of a photo, line by line, before anything is laid out.

The sheet in colour, the plain sheet, the picture over the photo, HTML and CSV all take their words
from here, so that they cannot differ.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from kdvision.corrections import kingdom_name
from kdvision.pipeline.settings import PIPELINE
from kdvision.reading import LEFT_OUT, MOST_NAMED, UNREPORTED, Alternative, DoubtCode
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
from kdvision.rules.legality import Code, Problem, Severity
from kdvision.rules.scoring import Bonus, Territory
from kdvision.rules.terrain import Square
from kdvision.sentences import DEFAULT_LANGUAGE, Sentence, sentence, text_of

#: Of a doubtful total no more alternatives than this are named, and none less likely.
MOST_ALTERNATIVES = 4
LEAST_ALTERNATIVE = PIPELINE.named_alternative
#: In a doubtful kingdom, squares read with less certainty than this are worth a look: those that a
#: correction of others may change.
UNSURE_BELOW = PIPELINE.clear_square
#: From this probability on a doubtful total is likely, and up to that one it is a guess.
LIKELY_FROM, GUESS_BELOW = 0.9, 0.5


class Note(Struct, frozen=True):
    """A sentence below the sheet. `kind` is `doubt`, `problem`, `warning` or `advice`."""

    kind: str
    text: str


class KingdomSheet(Struct, frozen=True):
    """What there is to say of one kingdom of a photo; each form lays it out in its own way.

    Attributes:
        result: The kingdom.
        name: `A`, `B`, `C` where the photo shows several; else empty.
        title: The photo, and which of its kingdoms; empty for one kingdom that was typed.
        notes: What stands below.
    """

    result: KingdomResult
    name: str
    title: str
    notes: tuple[Note, ...]

    def place(self, territory: Territory) -> str:
        """The first square of a territory."""
        return place_name(self.result, territory.cells[0])

    @property
    def scoring(self) -> list[Territory]:
        """The territories that are worth something, most points first."""
        return [territory for territory in self.result.territories if territory.points]

    @property
    def worthless(self) -> tuple[int, str]:
        """The squares without a crown in their territory, and where: `wheat d1, a2; lake a1`."""
        places: dict[str, list[str]] = {}
        found = [territory for territory in self.result.territories if not territory.points]
        for territory in found:
            places.setdefault(territory.terrain, []).append(self.place(territory))
        where = "; ".join(f"{terrain} {', '.join(names)}" for terrain, names in places.items())
        return sum(territory.squares for territory in found), where

    @property
    def bonuses(self) -> list[Bonus]:
        """The bonuses in play, earned or not."""
        return [bonus for bonus in self.result.sheet.bonuses if bonus.counted]

    @property
    def unplayed(self) -> str:
        """The bonuses that would pay if they were in play; empty for none."""
        parts = [
            f"{bonus.name} would pay {bonus.points}"
            for bonus in self.result.sheet.bonuses
            if bonus.earned and not bonus.counted
        ]
        return f"Not in play: {listed(parts)}." if parts else ""

    @property
    def total(self) -> str:
        """The total, and a dash where none is likely enough to be named."""
        return total_text(self.result)

    @property
    def size(self) -> str:
        """The size of the game: `5x5`."""
        return f"{self.result.size}x{self.result.size}"

    @property
    def status(self) -> str:
        """How sure the total is; see `status_text`."""
        return status_text(self.result)


def sheets_of(photo: PhotoResult, *, on_card: bool = False) -> list[KingdomSheet]:
    """The sheets of all kingdoms of a photo.

    Args:
        photo: The photo.
        on_card: Whether they stand on a card: what there is to say of the photo is said above
            them, and corrections are written into the column of a sheet.
    """
    fix_in: Literal["option", "column"] = "column" if on_card else "option"
    sheets = []
    for result, name in zip(photo.kingdoms, kingdom_names(photo), strict=True):
        title = ", ".join(filter(None, (photo.photo, f"kingdom {name}" if name else "")))
        message = "" if on_card and not name else message_of(photo, result)
        sheets.append(
            KingdomSheet(result, name, title, tuple(notes(result, message, name, fix_in)))
        )
    return sheets


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


def total_text(result: KingdomResult) -> str:
    """The total, and a dash where none is likely enough to be named."""
    return str(result.score) if result.scored else "-"


def status_text(result: KingdomResult, language: str = DEFAULT_LANGUAGE) -> str:
    """How sure the total is, on one scale for people; nothing for a typed kingdom that is sure.

    From top to bottom: sure, likely, not sure, a guess, cannot be scored.
    """
    key = status_key(result)
    return sentence(key, language) if key else ""


def status_key(result: KingdomResult) -> str:
    """The key of `status_text` in the catalogues; empty where nothing is said."""
    read = bool(result.corners) or result.probability < 1 or result.status is not Status.SURE
    if not read:
        return ""
    if not result.scored:
        return "status.unscored"
    if result.status is Status.SURE:
        return "status.sure"
    if result.probability >= LIKELY_FROM:
        return "status.likely"
    return "status.unsure" if result.probability >= GUESS_BELOW else "status.guess"


def percent(probability: float) -> str:
    """A probability to read: never 0 or 100 %, which would be certainty."""
    value = min(max(100 * probability, 0.1), 99.9)
    return f"{value:.1f} %" if value < 1 or value > 99 else f"{value:.0f} %"


def doubtful_cells(result: KingdomResult) -> frozenset[Position]:
    """The places to look at: none where the total is sure."""
    if result.status is Status.SURE:
        return frozenset()
    places = {at for alternative in named_alternatives(result) for at, _ in alternative.squares}
    places |= {square.at for square in result.squares if square.probability < UNSURE_BELOW}
    for doubt in result.warnings:
        if doubt.code is DoubtCode.UNCERTAIN_SQUARES:
            places |= set(doubt.cells)
    return frozenset(at for at in places if at in result.kingdom)


def named_alternatives(result: KingdomResult) -> list[Alternative]:
    """The alternatives that are worth naming, the likeliest first."""
    if result.status is Status.SURE or not result.scored:
        return []
    likely = [one for one in result.alternatives if one.probability >= LEAST_ALTERNATIVE]
    return sorted(likely, key=lambda one: -one.probability)[:MOST_ALTERNATIVES]


def notes(
    result: KingdomResult,
    message: str = "",
    name: str = "",
    fix_in: Literal["option", "column"] = "option",
) -> Iterator[Note]:
    """Everything that is said below a sheet: doubts first, then problems, then what to do.

    Args:
        result: The kingdom.
        message: Why it is in doubt.
        name: What the kingdom is called, where the photo holds several. What is left out of the
            photo is then said once, by `photo_notes`.
        fix_in: Where corrections are written: the option `--fix`, or the column of a sheet.
    """
    total = result.sheet.total
    if not result.scored:
        yield Note("doubt", f"{sentence('status.no-total')} {message}".strip())
    elif message:
        yield Note("doubt", message)
    alternatives = named_alternatives(result)
    for alternative in alternatives:
        yield Note("doubt", f"{total}, or {alternative_text(result, alternative)}")
    for corrected in corrections(result):
        yield Note("warning", corrected)
    for problem in _said_problems(result):
        kind = "warning" if problem.severity is Severity.WARNING else "problem"
        text = text_of(problem)
        if problem.code in (Code.NO_ORDER, Code.BROKEN_DOMINO):
            text = sentence("problem.joining-rule", problem=text)
        yield Note(kind, text)
    for warning in result.warnings:
        if warning.message not in message and not (name and warning.code in LEFT_OUT):
            yield Note("warning", warning.message)
    yield from _advice(result, alternatives, name, fix_in)


def _advice(
    result: KingdomResult, alternatives: Sequence[Alternative], name: str, fix_in: str
) -> Iterator[Note]:
    """Which squares to look at, and how to correct one."""
    doubtful = doubtful_cells(result)
    if not doubtful:
        return
    whole = "-whole" if len(doubtful) > MOST_NAMED else ""
    squares = place_names(result, doubtful)
    look = sentence(f"advice.look{whole}", squares=squares, number=len(doubtful))
    changed = [square for alternative in alternatives for square in alternative.squares]
    at, text = changed[0] if changed else (min(doubtful), "W1")
    fix = f"{name}.{place_name(result, at)}={text}" if name else f"{place_name(result, at)}={text}"
    yield Note("advice", f"{look} {sentence(f'advice.fix-{fix_in}', fix=fix)}")


def _said_problems(result: KingdomResult) -> list[Problem]:
    """The problems without what a doubt or another one says as well: that it is too wide."""
    covered = {Code.TOO_WIDE} if any("wide" in one.fields for one in result.warnings) else set()
    if any(one.code is Code.TOO_WIDE for one in result.problems):
        covered.add(Code.TOO_MANY_SQUARES)
    return [one for one in result.problems if one.code not in covered]


def corrections(result: KingdomResult) -> list[str]:
    """Where the deck and the classifier disagreed, in sentences."""
    if result.seen is not None and not _has_same_places(result, result.seen):
        return [sentence("change.deck-whole", seen=result.seen)]
    return [
        sentence(
            "change.deck",
            place=place_name(result, at),
            seen=text,
            cell=cell_text(result.kingdom[at]),
        )
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
    condition = f" if {listed(changes)}" if changes else ""
    return f"{alternative.score}{condition} ({percent(alternative.probability)})"


def _change_text(result: KingdomResult, at: Position, text: str) -> str:
    """What would have to lie on a place: `c4 has two crowns`, `b1 is lake with one crown`."""
    inside = at in result.kingdom
    now, then = (result.kingdom[at] if inside else None), parse_cell(text)
    where = "change.inside" if inside else "change.beside"
    fields = {"where": where, "place": place_name(result, at)}
    if not isinstance(then, Square):
        return sentence("change.castle" if then is CASTLE else "change.empty", **fields)
    same = isinstance(now, Square) and now.terrain is then.terrain
    fields |= {"terrain": f"terrain.{then.terrain}", "crowns": f"crowns.{then.crowns}"}
    return sentence("change.crowns" if same else "change.square", **fields)


# ---------------------------------------------------------------------- of a whole photo


def message_of(photo: PhotoResult, result: KingdomResult) -> str:
    """Why a kingdom of a photo, or the photo as a whole, is doubtful; empty when all is sure."""
    if len(photo.kingdoms) == 1:
        return photo.message
    return result.reason


def photo_notes(photo: PhotoResult) -> list[str]:
    """What is said once of a photo with several kingdoms: what no sheet of them says."""
    if len(photo.kingdoms) < 2:
        return []
    left_out = {
        warning.message
        for kingdom in photo.kingdoms
        for warning in kingdom.warnings
        if warning.code in LEFT_OUT
    }
    known = left_out | {kingdom.reason for kingdom in photo.kingdoms}
    rest = " ".join(text for text in map(Sentence.text, photo.reasons) if text not in known)
    return [*filter(None, [rest]), *sorted(left_out)]


def row_message(photo: PhotoResult, result: KingdomResult) -> str:
    """What a row of a table says of a kingdom: its doubt, and tiles that may be another one."""
    said = [message_of(photo, result)]
    if len(photo.kingdoms) > 1:
        said += [doubt.message for doubt in result.warnings if doubt.code in UNREPORTED]
    if not result.scored:
        said.insert(0, sentence("status.no-total"))
    return " ".join(filter(None, said))


def closing_line(result: PhotoResult) -> str:
    """Who won, where a photo shows several kingdoms: `Totals: A 46, B 54. B wins`."""
    if len(result.kingdoms) < 2:
        return ""
    named = list(zip(kingdom_names(result), result.kingdoms, strict=True))
    totals = []
    for name, kingdom in named:
        unsure = "" if kingdom.status is Status.SURE else " (not sure)"
        total = f"{kingdom.score}{unsure}" if kingdom.scored else "cannot be scored"
        totals.append(f"{name} {total}")
    return f"Totals: {', '.join(totals)}. {_winner_text(named)}"


def _winner_text(named: Sequence[tuple[str, KingdomResult]]) -> str:
    """`B wins.`, with the tie rule where it decides (RULES 4)."""
    from kdvision.rules.standings import ranking, result_of  # most photos show one kingdom

    if not all(kingdom.scored for _, kingdom in named):
        return "Who won is open."
    ranked = ranking(result_of(name, kingdom.sheet) for name, kingdom in named)
    first = [entry for entry in ranked if entry.rank == 1]
    sure = all(kingdom.status is Status.SURE for _, kingdom in named)
    verbs = ("wins", "share the victory") if sure else ("leads", "lead")
    tie = f" ({first[0].note})" if first[0].note else ""
    names = listed([entry.result.player for entry in first])
    return f"{names} {verbs[len(first) > 1]}{tie}{'' if sure else ', not sure'}."


def listed(parts: Sequence[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    *others, last = parts
    return f"{', '.join(others)} {word} {last}" if others else last
