"""What a sheet says of a kingdom and of a photo, line by line, before anything is laid out.

The sheet in colour, the plain sheet, the picture over the photo, HTML and CSV all take their words
from here, so that they cannot differ.
"""

from collections.abc import Iterator, Sequence
from shlex import quote

from msgspec import Struct

from kdvision.corrections import kingdom_name
from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import UNREPORTED, Alternative, DoubtCode
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import (
    CASTLE,
    Kingdom,
    Position,
    cell_text,
    column_name,
    parse_cell,
    position_name,
)
from kdvision.rules.legality import Code, Severity
from kdvision.rules.scoring import Bonus, Territory, natural_size
from kdvision.rules.terrain import Square
from kdvision.sentences import ENGLISH, listed, sentence, text_of

#: Of a doubtful total no more alternatives than this are named, and none less likely.
MOST_ALTERNATIVES = 4
LEAST_ALTERNATIVE = PIPELINE.named_alternative
#: In a doubtful kingdom, squares read with less certainty than this are worth a look: those that a
#: correction of others may change.
UNSURE_BELOW = PIPELINE.clear_square


#: Doubts that are said of the photo, or square by square as corrections of the deck.
_SAID_ELSEWHERE = UNREPORTED | {DoubtCode.CORRECTED}


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
        worthless = [territory for territory in self.result.territories if not territory.points]
        for territory in worthless:
            places.setdefault(territory.terrain, []).append(self.place(territory))
        parts = (f"{terrain} {', '.join(names)}" for terrain, names in places.items())
        where = "; ".join(parts)
        return sum(territory.squares for territory in worthless), where

    @property
    def bonuses(self) -> list[Bonus]:
        """The bonuses in play, earned or not."""
        return [bonus for bonus in self.result.sheet.bonuses if bonus.counted]

    @property
    def unplayed(self) -> str:
        """The bonuses that would pay if they were in play; empty for none."""
        unplayed = [bonus for bonus in self.result.bonuses if bonus.earned and not bonus.counted]
        if not unplayed:
            return ""
        names = listed([f"{bonus.name} (+{bonus.points})" for bonus in unplayed])
        options = listed([_option_text(bonus) for bonus in unplayed])
        return sentence("sheet.not-counted", bonuses=names, options=options, n=len(unplayed))


def make_sheets(photo: PhotoResult, *, on_card: bool = False) -> list[KingdomSheet]:
    """The sheets of all kingdoms of a photo.

    Args:
        photo: The photo.
        on_card: Whether they stand on a card: what there is to say of the photo is said above
            them, and corrections are written into the column of a sheet.
    """
    sheets = []
    for result, name in zip(photo.kingdoms, kingdom_names(photo), strict=True):
        parts = [photo.photo, f"kingdom {name}" if name else "", result.colour or ""]
        message = "" if on_card and not name else kingdom_message(photo, result)
        title = ", ".join(filter(None, parts))
        below = notes(result, message, name, photo="" if on_card else photo.photo)
        sheets.append(KingdomSheet(result, name, title, tuple(below)))
    return sheets


def kingdom_names(result: PhotoResult) -> list[str]:
    """`A`, `B`, `C` for several kingdoms; nothing to tell apart a single one."""
    if len(result.kingdoms) < 2:
        return ["" for _ in result.kingdoms]
    return [kingdom_name(index) for index in range(len(result.kingdoms))]


def place_name(result: KingdomResult, at: Position) -> str:
    """A place as corrections name it, whatever they added or took away: `b3`."""
    return position_name(result.on_sheet(at))


def column_names(result: KingdomResult) -> list[str]:
    """The letters of the columns, from the left."""
    return [column_name(col + result.origin[1]) for col in range(result.kingdom.width)]


def row_names(result: KingdomResult) -> list[str]:
    """The numbers of the rows, from the top."""
    return [str(row + result.origin[0] + 1) for row in range(result.kingdom.height)]


def status_text(result: KingdomResult, language: str = ENGLISH) -> str:
    """`sure` or `doubtful`; nothing for a typed kingdom that is sure."""
    is_read = bool(result.corners) or result.probability < 1 or result.status is not Status.SURE
    return sentence(f"status.{result.status}", language) if is_read else ""


def percent(probability: float) -> str:
    """A probability to read: never 0 or 100 %, which would be certainty."""
    value = min(max(100 * probability, 0.1), 99.9)
    return f"{value:.1f} %" if value < 1 or value > 99 else f"{value:.0f} %"


def doubtful_cells(result: KingdomResult) -> frozenset[Position]:
    """The places to look at, in the kingdom or beside it: none where the total is sure."""
    if result.status is Status.SURE:
        return frozenset()
    if result.fixes:
        return frozenset(at for at, _ in result.fixes)
    places = {at for total in likely_totals(result) for at, _ in total.squares}
    places |= {square.at for square in result.squares if square.probability < UNSURE_BELOW}
    for doubt in result.doubts:
        if doubt.code is DoubtCode.UNCERTAIN_SQUARES:
            places |= set(doubt.places)
    return frozenset(places)


def likely_totals(result: KingdomResult) -> list[Alternative]:
    """The alternatives that are worth naming, the likeliest first."""
    if result.status is Status.SURE:
        return []
    likely = [total for total in result.alternatives if total.probability >= LEAST_ALTERNATIVE]
    return sorted(likely, key=lambda total: -total.probability)[:MOST_ALTERNATIVES]


def notes(
    result: KingdomResult, message: str = "", name: str = "", *, photo: str = ""
) -> Iterator[Note]:
    """Everything that is said below a sheet: doubts first, then problems.

    What concerns the photo is said once, by `photo_notes` and `photo_repair`.

    Args:
        result: The kingdom.
        message: Why it is in doubt.
        name: What the kingdom is called, where the photo holds several.
        photo: The name of the photo, for which `photo_repair` has a command; empty on the card of a
            sheet, where a column takes corrections.
    """
    if message:
        yield Note("doubt", message)
    if likely_totals(result):
        yield Note("doubt", totals_text(result))
    for corrected in corrections(result):
        yield Note("warning", corrected)
    for problem in result.problems:
        kind = "warning" if problem.severity is Severity.WARNING else "problem"
        text = text_of(problem)
        if problem.code in (Code.NO_ORDER, Code.BROKEN_DOMINO):
            text = sentence("problem.joining-rule", problem=text)
        yield Note(kind, text)
    for doubt in result.doubts:
        if doubt.code not in _SAID_ELSEWHERE and doubt.message not in message:
            yield Note("warning", doubt.message)
    # On the card of a sheet a column takes corrections.
    if not photo and result.fixes:
        fixes = ", ".join(_fix_texts(result, name))
        places = listed(_name_places(result))
        yield Note("advice", sentence("advice.column", places=places, fixes=fixes))
    elif not photo and result.corners and _needs_photo(result):
        yield Note("advice", sentence("advice.another-photo"))


def _needs_photo(result: KingdomResult) -> bool:
    """Whether a total is doubtful that no square settles."""
    if result.status is Status.SURE or result.fixes:
        return False
    return not result.doubts or any(doubt.code not in UNREPORTED for doubt in result.doubts)


def _name_places(result: KingdomResult, name: str = "") -> list[str]:
    """The squares that settle a total: `a2`, of one of several kingdoms `B.a2`."""
    prefix = f"{name}." if name else ""
    return [f"{prefix}{place_name(result, at)}" for at, _ in result.fixes]


def _fix_texts(result: KingdomResult, name: str) -> list[str]:
    """The squares that settle a total, as corrections are written: `b3=W1`, `B.c4=-`."""
    places = zip(_name_places(result, name), result.fixes, strict=True)
    return [f"{place}={text}" for place, (_, text) in places]


def _option_text(bonus: Bonus) -> str:
    """What puts a bonus in play on the command line."""
    return f"--{bonus.code.replace('_', '-')}"


def totals_text(result: KingdomResult, language: str = ENGLISH) -> str:
    """All totals that are possible: `86, or 70 if d1 and d2 are empty, or 3 less likely totals`."""
    alternatives = likely_totals(result)
    totals = [str(result.score)]
    for alternative in alternatives:
        condition = _condition_text(result, alternative, language)
        key = "totals.other" if condition else "totals.alone"
        total = alternative.score
        totals.append(sentence(key, language, total=total, condition=condition))
    if more := len(result.alternatives) - len(alternatives):
        totals.append(sentence("totals.rest", language, n=more))
    return f"{', '.join(totals)}."


def _condition_text(result: KingdomResult, alternative: Alternative, language: str) -> str:
    """What would have to lie there instead: `d1 and d2 are empty, and c4 has one crown`."""
    word = sentence("list.and", language)
    places: dict[tuple[str, str, int], list[str]] = {}
    for at, text in alternative.squares:
        change = _classify_change(result, at, text)
        places.setdefault(change, []).append(place_name(result, at))
    parts = [
        sentence(
            f"change.{key}",
            language,
            places=listed(names, word),
            n=len(names),
            terrain=terrain,
            crowns=f"crowns.{crowns}",
        )
        for (key, terrain, crowns), names in places.items()
    ]
    return listed(parts, word)


def _classify_change(result: KingdomResult, at: Position, text: str) -> tuple[str, str, int]:
    """How a place would change: what kind of change, to which terrain, with how many crowns."""
    kingdom, then = result.kingdom, parse_cell(text)
    now = kingdom[at] if at in kingdom else None  # noqa: SIM401
    if not isinstance(then, Square):
        return ("castle" if then is CASTLE else "empty"), "", 0
    same = isinstance(now, Square) and now.terrain is then.terrain
    return ("crowns" if same else "square"), f"terrain.{then.terrain}", then.crowns


def corrections(result: KingdomResult) -> list[str]:
    """What the photo looked like where the dominoes of the box leave only something else."""
    if result.seen is None:
        return []
    kingdom = result.kingdom
    seen = Kingdom.parse(result.seen)
    if (seen.height, seen.width) != (kingdom.height, kingdom.width):
        return [sentence("change.deck-whole", seen=result.seen)]
    return [
        sentence(
            "change.deck",
            place=place_name(result, at),
            seen=cell_text(seen[at]),
            cell=cell_text(cell),
        )
        for at, cell in kingdom.cells()
        if cell != seen[at]
    ]


# ---------------------------------------------------------------------- of a whole photo


def kingdom_message(photo: PhotoResult, result: KingdomResult) -> str:
    """Why the total of a kingdom is doubtful by itself; empty where it is not."""
    left_out = [note.message for note in photo.left_out]
    reasons = [result.reason]
    if len(photo.kingdoms) == 1:
        reasons = [reason.text() for reason in photo.reasons]
    return " ".join(text for text in reasons if text not in left_out)


def photo_notes(photo: PhotoResult) -> list[str]:
    """What is said once of a photo: what no sheet says, and what was left out of it."""
    said = [kingdom_message(photo, kingdom) for kingdom in photo.kingdoms]
    texts = [reason.text() for reason in photo.reasons]
    texts += [note.message for note in photo.left_out]
    return [text for text in dict.fromkeys(texts) if text not in said]


def photo_message(photo: PhotoResult) -> str:
    """Why a photo is doubtful, and what else was left out of it."""
    texts = [reason.text() for reason in photo.reasons]
    texts += [note.message for note in photo.left_out]
    return " ".join(dict.fromkeys(texts))


def photo_repair(photo: PhotoResult) -> list[Note]:
    """How to settle all doubtful totals of a photo at once: a line to paste, or another photo.

    Empty where the photo is sure, and for kingdoms that were typed.
    """
    kingdoms = [kingdom for kingdom in photo.kingdoms if kingdom.corners]
    if photo.status is Status.SURE or not kingdoms:
        return []
    missing = any(note.code in UNREPORTED for note in photo.left_out)
    settled = missing or any(kingdom.fixes for kingdom in kingdoms)
    if not settled or any(map(_needs_photo, kingdoms)):
        return [Note("advice", sentence("advice.another-photo"))]
    places = []
    for name, kingdom in _name_kingdoms(photo):
        places += _name_places(kingdom, name)
    key = "advice.compare" if places else "advice.no-other"
    if places and missing:
        key = "advice.compare-no-other"
    advice = sentence(key, places=listed(places), n=len(places))
    return [Note("advice", advice), Note("command", repair_command(photo))]


def repair_command(photo: PhotoResult) -> str:
    """The command that settles the totals of a photo by the likeliest squares, to be pasted."""
    words, fixes = ["kdscore", quote(photo.photo)], []
    for name, kingdom in _name_kingdoms(photo):
        options = [_option_text(bonus) for bonus in kingdom.bonuses if bonus.counted]
        if kingdom.size != natural_size(kingdom.kingdom):
            options.append(f"--size {kingdom.size}")
        words += [option for option in options if option not in words]
        fixes += [f"--fix {fix}" for fix in _fix_texts(kingdom, name)]
    if any(note.code in UNREPORTED for note in photo.left_out):
        words.append(f"--kingdoms {len(photo.kingdoms)}")
    # Corrections come last: they are what a person changes.
    return " ".join([*words, *fixes])


def _name_kingdoms(photo: PhotoResult) -> Iterator[tuple[str, KingdomResult]]:
    """The kingdoms of a photo by their names; the name of a single one is empty."""
    return zip(kingdom_names(photo), photo.kingdoms, strict=True)


def row_message(photo: PhotoResult, result: KingdomResult) -> str:
    """What a row of a table says of a kingdom: its doubt, and what was left out of the photo."""
    left_out = [note.message for note in photo.left_out]
    return " ".join(filter(None, [kingdom_message(photo, result), *left_out]))


def closing_line(result: PhotoResult) -> str:
    """Who won, where a photo shows several kingdoms: `Totals: A 46, B 54. B wins`."""
    if len(result.kingdoms) < 2:
        return ""
    named = list(zip(kingdom_names(result), result.kingdoms, strict=True))
    totals = []
    for name, kingdom in named:
        total = f"{name} {kingdom.score}"
        if kingdom.status is not Status.SURE:
            total += f" ({sentence('status.doubtful')})"
        totals.append(total)
    return f"Totals: {', '.join(totals)}. {_winner_text(named)}"


def _winner_text(named: Sequence[tuple[str, KingdomResult]]) -> str:
    """`B wins.`, with the tie rule where it decides (RULES 4)."""
    # Most photos show one kingdom.
    from kdvision.report.ties import tie_text
    from kdvision.rules.standings import ranking, result_of

    ranked = ranking(result_of(name, kingdom.sheet) for name, kingdom in named)
    first = [entry for entry in ranked if entry.rank == 1]
    sure = all(kingdom.status is Status.SURE for _, kingdom in named)
    verbs = ("wins", "share the victory") if sure else ("leads", "lead")
    tie = f" ({tie_text(first[0].tie)})" if first[0].tie else ""
    names = listed([entry.result.player for entry in first])
    return f"{names} {verbs[len(first) > 1]}{tie}{'' if sure else ', doubtful'}."
