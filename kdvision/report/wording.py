"""What a sheet says of a kingdom and of a photo, line by line, before anything is laid out.

The sheet in colour, the plain sheet, the picture over the photo, HTML and CSV all take their words
from here, so that they cannot differ.
"""

from collections.abc import Iterator, Sequence
from shlex import quote

from msgspec import Struct

from kdvision.corrections import kingdom_name
from kdvision.pipeline.trust import PIPELINE
from kdvision.reading import DoubtCode
from kdvision.report.totals import likely_totals, totals_text
from kdvision.result import KingdomResult, PhotoResult, Status
from kdvision.rules.kingdom import Cell, Kingdom, Position, column_name, position_name
from kdvision.rules.legality import Code, Problem, Severity
from kdvision.rules.rules import SIZES
from kdvision.rules.scoring import Bonus, Territory, natural_size
from kdvision.rules.terrain import Square
from kdvision.sentences import ENGLISH, listed, sentence, text_of

#: Probability of a square of a doubtful kingdom below which it is worth a look: a correction of
#: others may change it.
UNSURE_BELOW = PIPELINE.clear_square

#: The size of a game that goes without saying.
_USUAL_SIZE = min(SIZES)


class Note(Struct, frozen=True):
    """A sentence below the sheet.

    Attributes:
        kind: `doubt`, `problem`, `warning` or `advice`; `command` is a line to paste.
        text: What it says.
    """

    kind: str
    text: str


class KingdomSheet(Struct, frozen=True):
    """What there is to say of one kingdom of a photo; each form lays it out in its own way.

    Attributes:
        result: The kingdom.
        name: `A`, `B`, `C` where the photo shows several; else empty.
        title: The photo, and which of its kingdoms; empty for one kingdom that was typed.
        notes: What stands below.
        language: That of all words.
    """

    result: KingdomResult
    name: str
    title: str
    notes: tuple[Note, ...]
    language: str = ENGLISH

    def place(self, territory: Territory) -> str:
        """Return the name of the first square of a territory."""
        return place_name(self.result, territory.cells[0])

    @property
    def scoring(self) -> list[Territory]:
        """The territories that are worth something, most points first."""
        return [territory for territory in self.result.territories if territory.points]

    @property
    def worthless(self) -> tuple[int, str]:
        """The squares without a crown in their territory, and where: `wheat d1, a2; lake a1`."""
        squares = 0
        places: dict[str, list[str]] = {}
        for territory in self.result.territories:
            if not territory.points:
                squares += territory.squares
                terrain = sentence(f"terrain.{territory.terrain}", self.language)
                places.setdefault(terrain, []).append(self.place(territory))
        parts = [f"{terrain} {', '.join(names)}" for terrain, names in places.items()]
        return squares, "; ".join(parts)

    @property
    def bonuses(self) -> list[Bonus]:
        """The bonuses in play, earned or not."""
        return [bonus for bonus in self.result.sheet.bonuses if bonus.counted]

    @property
    def status(self) -> str:
        """What stands beside the total: the size of the game, where it is told, and the status."""
        status = status_text(self.result, self.language)
        return ", ".join(filter(None, (_size_text(self.result), status)))


def make_sheets(photo: PhotoResult, language: str = ENGLISH) -> list[KingdomSheet]:
    """Return the sheets of all kingdoms of a photo."""
    sheets = []
    for result, name in zip(photo.kingdoms, kingdom_names(photo), strict=True):
        title = [photo.photo]
        if name:
            title.append(sentence("score-sheet.kingdom", language, name=name))
        if result.colour:
            title.append(sentence(f"colour.{result.colour}", language))
        below = tuple(notes(result, kingdom_message(result, language), language))
        title_text = ", ".join(filter(None, title))
        sheets.append(KingdomSheet(result, name, title_text, below, language))
    return sheets


def kingdom_names(photo: PhotoResult) -> list[str]:
    """Return `A`, `B`, `C` for several kingdoms; nothing to tell apart a single one."""
    count = len(photo.kingdoms)
    if count < 2:
        return [""] * count
    return list(map(kingdom_name, range(count)))


def place_name(result: KingdomResult, at: Position) -> str:
    """Return a place as corrections name it, whatever they added or took away: `b3`."""
    return position_name(result.on_sheet(at))


def column_names(result: KingdomResult) -> list[str]:
    """Return the letters of the columns, from the left."""
    return [column_name(col + result.origin[1]) for col in range(result.kingdom.width)]


def row_names(result: KingdomResult) -> list[str]:
    """Return the numbers of the rows, from the top."""
    return [str(row + result.origin[0] + 1) for row in range(result.kingdom.height)]


def status_text(result: KingdomResult, language: str = ENGLISH) -> str:
    """Return `sure` or `doubtful`; nothing for a typed kingdom that is sure."""
    is_typed = not result.corners and result.probability == 1
    if is_typed and result.status is Status.SURE:
        return ""
    return sentence(f"status.{result.status}", language)


def _size_text(result: KingdomResult) -> str:
    """Return the size of the game where it is not 5x5, or not that of the kingdom."""
    if result.size == natural_size(result.kingdom) == _USUAL_SIZE:
        return ""
    return f"{result.size}x{result.size}"


def percent(probability: float) -> str:
    """Return a probability to read: never 0 or 100 %, which would be certainty."""
    value = min(max(100 * probability, 0.1), 99.9)
    return f"{value:.1f} %" if value < 1 or value > 99 else f"{value:.0f} %"


def places_to_check(result: KingdomResult) -> frozenset[Position]:
    """Return the places to look at, in the kingdom or beside it: none where the total is sure."""
    if result.status is Status.SURE:
        return frozenset()
    if result.fixes:
        return frozenset(at for at, _ in result.fixes)
    places: set[Position] = set()
    for total in likely_totals(result):
        places.update(at for at, _ in total.squares)
    for square in result.squares:
        if square.probability < UNSURE_BELOW:
            places.add(square.at)
    for doubt in result.doubts:
        if doubt.code is DoubtCode.UNCERTAIN_SQUARES:
            places.update(doubt.places)
    return frozenset(places)


# ---------------------------------------------------------------------- below a sheet


def notes(result: KingdomResult, message: str = "", language: str = ENGLISH) -> Iterator[Note]:
    """Yield everything that is said below a sheet: doubts first, then problems.

    What concerns the photo is said once, by `photo_notes` and `photo_repair`.

    Args:
        result: The kingdom.
        message: Why it is in doubt.
        language: That of the sentences.
    """
    if message:
        yield Note("doubt", message)
    if likely_totals(result):
        yield Note("doubt", totals_text(result, language))
    for change in deck_changes(result, language):
        yield Note("warning", change)
    for problem in result.problems:
        yield _note_problem(problem, language)
    for doubt in result.doubts:
        text = doubt.text(language)
        # What the deck corrected was said square by square.
        if doubt.code is not DoubtCode.CORRECTED and text not in message:
            yield Note("warning", text)


def _note_problem(problem: Problem, language: str) -> Note:
    """Return what is said of a broken rule."""
    text = text_of(problem, language)
    if problem.code in (Code.NO_ORDER, Code.BROKEN_DOMINO):
        text = sentence("problem.joining-rule", language, problem=text)
    return Note("warning" if problem.severity is Severity.WARNING else "problem", text)


def _needs_photo(result: KingdomResult) -> bool:
    """Return whether a total is doubtful that no square settles."""
    return result.status is not Status.SURE and not result.fixes


def _name_places(result: KingdomResult, name: str = "") -> list[str]:
    """Return the squares that settle a total: `a2`, of one of several kingdoms `B.a2`."""
    prefix = f"{name}." if name else ""
    return [f"{prefix}{place_name(result, at)}" for at, _ in result.fixes]


def _fix_texts(result: KingdomResult, name: str) -> list[str]:
    """Return the squares that settle a total, as corrections are written: `b3=W1`, `B.c4=-`."""
    places = zip(_name_places(result, name), result.fixes, strict=True)
    return [f"{place}={text}" for place, (_, text) in places]


def _list_names(names: Sequence[str], language: str) -> str:
    """Return `a`, `a and b`, `a, b and c`."""
    return listed(names, sentence("list.and", language))


def deck_changes(result: KingdomResult, language: str = ENGLISH) -> list[str]:
    """Say what squares look like that the deck changed, as only something else fits it."""
    if result.seen is None:
        return []
    kingdom = result.kingdom
    seen = Kingdom.parse(result.seen)
    if (seen.height, seen.width) != (kingdom.height, kingdom.width):
        return [sentence("change.deck-whole", language, seen=result.seen)]
    texts = []
    for at, cell in kingdom.cells():
        if cell != seen[at]:
            looks = _describe(seen[at], language)
            fits = _describe(cell, language)
            place = place_name(result, at)
            texts.append(sentence("change.deck", language, place=place, seen=looks, cell=fits))
    return texts


def _describe(cell: Cell, language: str) -> str:
    """Return what lies on a place: `wheat with one crown`, `plain wheat`, `a castle`."""
    if cell is None:
        return sentence("cell.empty", language)
    if not isinstance(cell, Square):
        return sentence("cell.castle", language)
    key = "cell.crowned" if cell.crowns else "cell.plain"
    fields = {"terrain": f"terrain.{cell.terrain}", "with_crowns": f"with-crowns.{cell.crowns}"}
    return sentence(key, language, **fields)


# ---------------------------------------------------------------------- of a whole photo


def kingdom_message(result: KingdomResult, language: str = ENGLISH) -> str:
    """Return why the total of a kingdom is doubtful; empty where it is not."""
    return result.doubt.text(language) if result.doubt else ""


def _photo_sentences(photo: PhotoResult, language: str) -> list[str]:
    """Return why a photo is doubtful, and what was left out of it, each once."""
    texts = [reason.text(language) for reason in photo.reasons]
    return list(dict.fromkeys(texts + _left_out(photo, language)))


def _left_out(photo: PhotoResult, language: str) -> list[str]:
    """Return what was left out of a photo."""
    return [note.text(language) for note in photo.left_out]


def photo_notes(photo: PhotoResult, language: str = ENGLISH) -> list[str]:
    """Return what is said once of a photo: what no sheet says, and what was left out of it."""
    said = [kingdom_message(kingdom, language) for kingdom in photo.kingdoms]
    return [text for text in _photo_sentences(photo, language) if text not in said]


def photo_message(photo: PhotoResult, language: str = ENGLISH) -> str:
    """Return why a photo is doubtful, and what else was left out of it."""
    return " ".join(_photo_sentences(photo, language))


def row_message(photo: PhotoResult, result: KingdomResult, language: str = ENGLISH) -> str:
    """Return what a row of a table says of a kingdom: its doubt, and what was left out."""
    texts = [kingdom_message(result, language)]
    return " ".join(filter(None, texts + _left_out(photo, language)))


def unplayed_text(photo: PhotoResult, language: str = ENGLISH) -> str:
    """Return the bonuses that would pay if they were in play; empty for none."""
    points: dict[str, list[str]] = {}
    options: dict[str, str] = {}
    for name, kingdom in _name_kingdoms(photo):
        for bonus in kingdom.bonuses:
            if bonus.earned and not bonus.counted:
                paid = f"{name} +{bonus.points}" if name else f"+{bonus.points}"
                points.setdefault(bonus.code, []).append(paid)
                options[bonus.code] = _option_text(bonus)
    if not points:
        return ""
    bonuses = []
    for code, amounts in points.items():
        bonuses.append(f"{sentence(f'bonus.{code}', language)} ({', '.join(amounts)})")
    fields = {"bonuses": _list_names(bonuses, language), "n": len(points)}
    fields["options"] = _list_names(list(options.values()), language)
    return sentence("score-sheet.not-counted", language, **fields)


def _option_text(bonus: Bonus) -> str:
    """Return what puts a bonus in play on the command line."""
    return f"--{bonus.code.replace('_', '-')}"


def photo_repair(photo: PhotoResult, language: str = ENGLISH) -> list[Note]:
    """Return how to settle all doubtful totals of a photo: a line to paste, or another photo.

    Empty where the photo is sure, and for kingdoms that were typed.
    """
    kingdoms = [kingdom for kingdom in photo.kingdoms if kingdom.corners]
    if photo.status is Status.SURE or not kingdoms:
        return []
    missing = photo.misses_kingdoms
    places = []
    for name, kingdom in _name_kingdoms(photo):
        places += _name_places(kingdom, name)
    if not (missing or places) or any(map(_needs_photo, kingdoms)):
        return [Note("advice", sentence("advice.another-photo", language))]
    key = "advice.no-other"
    if places:
        key = "advice.compare-no-other" if missing else "advice.compare"
    advice = sentence(key, language, places=_list_names(places, language), n=len(places))
    return [Note("advice", advice), Note("command", repair_command(photo))]


def repair_command(photo: PhotoResult) -> str:
    """Return the command that settles a photo by the likeliest squares, to be pasted."""
    words = ["kdscore", quote(photo.photo)]
    fixes = []
    for name, kingdom in _name_kingdoms(photo):
        words += [_option_text(bonus) for bonus in kingdom.bonuses if bonus.counted]
        if kingdom.size != natural_size(kingdom.kingdom):
            words.append(f"--size {kingdom.size}")
        fixes += [f"--fix {fix}" for fix in _fix_texts(kingdom, name)]
    if photo.misses_kingdoms:
        words.append(f"--kingdoms {len(photo.kingdoms)}")
    # Corrections come last: they are what a person changes.
    return " ".join(list(dict.fromkeys(words)) + fixes)


def _name_kingdoms(photo: PhotoResult) -> Iterator[tuple[str, KingdomResult]]:
    """Return the kingdoms of a photo by their names; the name of a single one is empty."""
    return zip(kingdom_names(photo), photo.kingdoms, strict=True)


def closing_line(photo: PhotoResult, language: str = ENGLISH) -> str:
    """Return who won, where a photo shows several kingdoms: `Totals: A 46, B 54. B wins.`."""
    if len(photo.kingdoms) < 2:
        return ""
    totals = []
    for name, kingdom in _name_kingdoms(photo):
        total = f"{name} {kingdom.score}"
        if kingdom.status is not Status.SURE:
            total += f" ({sentence('status.doubtful', language)})"
        totals.append(total)
    fields = {"totals": ", ".join(totals), "outcome": _winner_text(photo, language)}
    return sentence("closing.totals", language, **fields)


def _winner_text(photo: PhotoResult, language: str) -> str:
    """Return `B wins.`, with the tie rule where it decides (RULES 4)."""
    # Most photos show one kingdom.
    from kdvision.report.ties import tie_text
    from kdvision.rules.standings import ranking, result_of

    key = "closing.leads" if photo.misses_kingdoms else "closing.wins"
    results = []
    for name, kingdom in _name_kingdoms(photo):
        results.append(result_of(name, kingdom.sheet))
        if kingdom.status is not Status.SURE:
            key = "closing.leads"
    first = [entry for entry in ranking(results) if entry.rank == 1]
    tie = f" ({tie_text(first[0].tie, language)})" if first[0].tie else ""
    names = _list_names([entry.result.player for entry in first], language)
    return sentence(key, language, names=names, n=len(first), tie=tie)
