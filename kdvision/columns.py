"""The columns of every table, declared once.

Tables are written by `kdscore --csv`, `batch`, `verify` and `serve`, and read by `batch`, `verify`
and `standings`, as CSV or as workbooks. `COLUMNS` says of each column what it is called in four
languages and who writes it, `result_rows` how it is written of a scored kingdom.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from enum import StrEnum

import msgspec
from msgspec import Struct

from kdvision.corrections import FixPlace, merged_fixes, parse_fixes
from kdvision.errors import UsageError
from kdvision.options import OPTIONS, GameOptions
from kdvision.report.text import csv_text, printable
from kdvision.report.wording import (
    kingdom_names,
    named_alternatives,
    percent,
    place_name,
    row_message,
)
from kdvision.result import KingdomResult, PhotoResult
from kdvision.rules.scoring import BONUS_CODES
from kdvision.rules.standings import result_of
from kdvision.sentences import Sentence

Fields = Mapping[str, str]
Row = dict[str, str]

#: No total is larger: 272 and both bonuses in a Mighty Duel (RULES 6), with room to spare.
MAX_NUMBER = 999

#: A whole number; spreadsheets may add a decimal point or comma with up to two zeros. Three would
#: be thousands.
_NUMBER = re.compile(r"([0-9]{1,6})(?:[.,]0{1,2})?")
#: The name of a kingdom of a photo, see `kdvision.corrections.kingdom_name`.
_LETTER = re.compile(r"([A-Z])\1?")


# ---------------------------------------------------------------------- how cells are read


def number(fields: Fields, column: str) -> int | None:
    """A whole number; None where the field is empty.

    Raises:
        UsageError: It is no number that a kingdom can have.
    """
    text = fields.get(column, "")
    if not text:
        return None
    if text.startswith("="):
        raise UsageError(Sentence("column.formula", {"column": column}))
    match = _NUMBER.fullmatch(text)
    if match is None or int(match[1]) > MAX_NUMBER:
        said: dict[str, str | int] = {
            "column": column,
            "text": f"{text[:20]!r}",
            "most": MAX_NUMBER,
        }
        raise UsageError(Sentence("column.no-number", said))
    return int(match[1])


def letter(fields: Fields, column: str = "kingdom") -> str:
    """The letter of the kingdom that a line names, in upper case; empty where it names none.

    Raises:
        UsageError: It is no letter.
    """
    text = fields.get(column, "").upper()
    if text and not _LETTER.fullmatch(text):
        said = {"column": column, "text": f"{text[:20]!r}"}
        raise UsageError(Sentence("column.no-letter", said))
    return text


def game_options(fields: Fields, default: GameOptions) -> GameOptions:
    """The options that a line is scored by: its own fields, and `default` where they are empty.

    Raises:
        UsageError: A field is wrong.
    """
    words = {option.name: fields.get(option.name, "") for option in OPTIONS}
    return GameOptions.from_words(words, over=default)


class Accepted(StrEnum):
    """The source of a total that a person chose: the photo, the claim, or a number written down."""

    PHOTO = "photo"
    CLAIM = "claim"
    NUMBER = "number"


class Acceptance(Struct, frozen=True):
    """A total that a person chose over the reading: the photo's, the claim's, or a number.

    `total` is the number that was written, None where what was read or claimed is accepted. `note`
    says who decided, and why; it may be empty.
    """

    what: Accepted
    total: int | None = None
    note: str = ""

    def settle(self, claimed: int | None, read: int | None) -> int:
        """Return the total that counts.

        Raises:
            UsageError: What was accepted is not there.
        """
        total = {Accepted.PHOTO: read, Accepted.CLAIM: claimed}.get(self.what, self.total)
        if total is None:
            missing = "read" if self.what is Accepted.PHOTO else "claimed"
            raise UsageError(Sentence(f"column.nothing-{missing}"))
        return total


_PHOTO = {"photo", "foto", "read", "picture", "bild"}
_CLAIM = {"claim", "claimed", "player", "spieler"}


def acceptance(fields: Fields) -> Acceptance | None:
    """What a line settles by hand; None where it settles nothing.

    Raises:
        UsageError: The column `accept` holds something else.
    """
    text = fields.get("accept", "").casefold()
    note = fields.get("note", "")
    if not text:
        return None
    if text in _PHOTO:
        return Acceptance(Accepted.PHOTO, note=note)
    if text in _CLAIM:
        return Acceptance(Accepted.CLAIM, note=note)
    try:
        return Acceptance(Accepted.NUMBER, number(fields, "accept"), note)
    except UsageError:
        raise UsageError(Sentence("column.accept", {"text": f"{text[:20]!r}"})) from None


def fixes_of(fields: Fields, kingdom: str) -> dict[FixPlace, str]:
    """The corrections of a line: `b3=W1 c4=G`, separated by blanks, commas or semicolons.

    Args:
        fields: The line.
        kingdom: The letter of the kingdom that the line is about; empty where it names none. Places
            get it.

    Raises:
        UsageError: They are no corrections, of another kingdom than the line names, or two say
            different things of one place.
    """
    text = re.sub(r"\s*=\s*", "=", fields.get("fix", ""))
    fixes = parse_fixes(filter(None, re.split(r"[\s,;]+", text)))
    for name, _ in fixes:
        if name and kingdom and name != kingdom:
            said = {"name": name, "kingdom": kingdom}
            raise UsageError(Sentence("column.fix-of-other", said))
    return merged_fixes(
        (FixPlace(place.kingdom or kingdom, place.at), cell) for place, cell in fixes.items()
    )


# ---------------------------------------------------------------------- the table of columns


class Column(Struct, frozen=True):
    """One column.

    Attributes:
        name: Our name, which tables of ours have.
        synonyms: Other headings of the same meaning as `plain` gives them, with blanks between:
            those in English, then after a | each in German, French and Spanish.
        by_people: Whether people write it; the program then carries it and never changes it.
        internal: Whether it serves later runs and not people.
    """

    name: str
    synonyms: str = ""
    by_people: bool = False
    internal: bool = False

    @property
    def others(self) -> tuple[str, ...]:
        """The synonyms of all languages."""
        return tuple(self.synonyms.replace("|", " ").split())


#: The headings of options are the names of the options.
_SYNONYMS = {option.name: " ".join(option.synonyms) for option in OPTIONS}

COLUMNS = (
    Column(
        "photo",
        "image picture file filename file_name photos | foto bild datei dateiname fotos |"
        " fichier | imagen archivo",
    ),
    Column(
        "player",
        "name team players | spieler spielerin spieler_in spielername teilnehmer |"
        " joueur joueuse | jugador jugadora nombre",
        by_people=True,
    ),
    Column(
        "surname",
        "last_name lastname family_name | nachname familienname zuname |"
        " nom nom_de_famille | apellido apellidos",
        by_people=True,
    ),
    Column(
        "first_name",
        "firstname given_name forename | vorname rufname | prénom prenom | nombre_de_pila",
        by_people=True,
    ),
    Column(
        "game",
        "table table_no table_nr table_number |"
        " spiel partie tisch tisch_nr tischnr tischnummer |"
        " numéro_de_table table_n n_de_table | partida mesa mesa_n número_de_mesa",
        by_people=True,
    ),
    Column(
        "round",
        "round_no round_nr round_number rnd | runde rd runde_nr rundennr runden_nr durchgang |"
        " ronde manche tour | ronda",
        by_people=True,
    ),
    Column(
        "claimed",
        "claim claims counted hand_count | gezählt gezaehlt behauptet angabe | compté | contado",
        by_people=True,
    ),
    Column(
        "kingdom",
        "letter kingdom_letter | königreich koenigreich reich buchstabe |"
        " royaume lettre | reino letra",
        by_people=True,
    ),
    Column(
        "fix",
        "fixes correction corrections | korrektur korrekturen |  | corrección",
        by_people=True,
    ),
    Column("accept", "accepted settle settled | entscheidung gilt", by_people=True),
    Column(
        "note",
        "notes decided_by | notiz entschieden_von bemerkung | remarque | nota",
        by_people=True,
    ),
    *map(Column, ("status", "score", "probability", "alternatives")),
    *(Column(name, _SYNONYMS[name]) for name in ("size", *BONUS_CODES, "centre")),
    *map(Column, ("largest", "crowns", "message", "kingdom_line", "origin")),
    *(Column(name, internal=True) for name in ("kingdoms", "picture", "digest", "key")),
)

#: The statuses of rows that are no kingdoms: a line whose kingdom is not known, one that cannot
#: be used.
OPEN, BAD_LINE = "open", "bad-line"
#: What `verify` finds out of a line. A table that has `verdict` is a sheet of claims.
VERDICT = "verdict"
VERDICT_COLUMNS = (
    VERDICT,
    "counts",
    "read_total",
    "read_letter",
    "difference",
    "explanation",
    "read_status",
    "probability",
    "possible_totals",
    "read_kingdom",
    "read_origin",
)

#: What a table may say of whose kingdom it is.
WHO = ("player", "game", "round")
#: Of how it is scored.
RULES = (*BONUS_CODES, "centre", "size")
#: What a person decided, and who.
SETTLED = ("fix", "accept", "note")
#: What a line may say of a kingdom beside its photo; all of it is carried into the results.
ENTRY_COLUMNS = (*WHO, "claimed", "kingdom", *SETTLED)
#: What the program finds out of a kingdom; the letter is written by both.
FOUND_COLUMNS = tuple(
    column.name for column in COLUMNS if not column.by_people and column.name != "photo"
)
#: The columns of a table of results.
RESULT_COLUMNS = ("photo", *ENTRY_COLUMNS, *FOUND_COLUMNS)
#: Those of `--csv`, which no person has written into.
CSV_COLUMNS = tuple(
    column.name
    for column in COLUMNS
    if column.name == "kingdom" or not (column.by_people or column.internal)
)


# ---------------------------------------------------------------------- how results are written


def result_rows(
    photo: PhotoResult, key: str = "", picture: str = "", digest: str = ""
) -> list[Row]:
    """The rows of one photo, a field for each column that says something: one row at least.

    Args:
        photo: The result.
        key: Names what was scored: the bytes of the photo, the options, and the program.
        picture: The fingerprint of what it shows.
        digest: The SHA-256 of its bytes.
    """
    about: dict[str, object] = {
        "photo": photo.photo,
        "kingdoms": len(photo.kingdoms),
        "picture": picture and f"p{picture}",
        "digest": digest and f"d{digest[:16]}",
        "key": key,
    }
    rows: list[dict[str, object]] = [
        {**about, "kingdom": name, **_kingdom_fields(photo, kingdom)}
        for name, kingdom in zip(kingdom_names(photo), photo.kingdoms, strict=True)
    ] or [{**about, "status": photo.status.value, "message": photo.message}]
    texts = [{name: printable(str(field)) for name, field in row.items()} for row in rows]
    return [{name: text for name, text in row.items() if text} for row in texts]


def _kingdom_fields(photo: PhotoResult, kingdom: KingdomResult) -> dict[str, object]:
    """The fields of one kingdom; without a total where it cannot be scored."""
    bonuses = kingdom.sheet.bonuses
    result = result_of("", kingdom.sheet)
    others = (f"{one.score} ({percent(one.probability)})" for one in named_alternatives(kingdom))
    totals = {"score": kingdom.score, "largest": result.largest, "crowns": result.crowns}
    return {
        "status": kingdom.status.value,
        **(totals if kingdom.scored else {}),
        "probability": f"{kingdom.probability:.4f}",
        "alternatives": "; ".join(others),
        "size": kingdom.size,
        **{code: "yes" if kingdom.sheet.bonus(code).counted else "no" for code in BONUS_CODES},
        "centre": next((one.centre.value for one in bonuses if one.counted and one.centre), ""),
        "message": row_message(photo, kingdom),
        "kingdom_line": kingdom.kingdom,
        "origin": origin_name(kingdom),
    }


def origin_name(kingdom: KingdomResult) -> str:
    """What corrections call the top left place of a kingdom; empty where that is a1."""
    return place_name(kingdom, (0, 0)) if kingdom.origin != (0, 0) else ""


def csv_head() -> str:
    """The headings of `--csv`."""
    return csv_text(CSV_COLUMNS, ())


def csv_lines(photo: PhotoResult) -> str:
    """The lines of one photo for `--csv`, without a line break at the end."""
    return csv_text(CSV_COLUMNS, result_rows(photo), head=False)


# ---------------------------------------------------------------------- headings

#: The names of totals: a claim in a sheet of claims, a score in a table of results.
_TOTALS = (
    "points", "total", "result", "pts", "punkte", "summe", "ergebnis", "pkt", "punktzahl",
    "gesamt", "gesamtpunkte", "score_total", "puntos", "resultado",
)  # fmt: skip
_PEOPLE = {column.name: column.others for column in COLUMNS if column.others}
#: The headings of a sheet of claims, by our names.
CLAIM_NAMES = {**_PEOPLE, "claimed": (*_PEOPLE["claimed"], *_TOTALS, "score")}
#: Those of a table of results, where `kingdom` may also hold a whole kingdom line.
RESULT_NAMES = {**_PEOPLE, "score": _TOTALS}


class ColumnNames(Struct, frozen=True):
    """The headings that a table may have.

    Attributes:
        synonyms: For each of our names, other names of the same meaning.
        given: For our names, the headings that the user says they have.
    """

    synonyms: Mapping[str, Sequence[str]] = msgspec.field(default_factory=lambda: CLAIM_NAMES)
    given: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def known(self) -> frozenset[str]:
        """Every heading that means something."""
        ours = {column.name for column in COLUMNS}
        others = {name for names in self.synonyms.values() for name in names}
        return frozenset({*ours, *others, *VERDICT_COLUMNS, *map(plain, self.given.values())})

    def read(self, headings: Sequence[str]) -> tuple[str, ...]:
        """The headings with ours in the place of their synonyms.

        Raises:
            UsageError: Two columns have one meaning, or a given heading is missing.
        """
        plain_headings = [plain(heading) for heading in headings]
        names = list(plain_headings)
        for ours, theirs in self.given.items():
            if plain(theirs) not in plain_headings:
                raise UsageError(
                    f"There is no column {theirs[:30]!r} for {ours}.",
                    f"The columns are {', '.join(name[:30] for name in names[:12] if name)}.",
                )
            names = [f"other_{name}" if name == ours else name for name in names]
            names[plain_headings.index(plain(theirs))] = ours
        synonyms = CLAIM_NAMES if VERDICT in names else self.synonyms
        for ours, others in synonyms.items():
            matching = [name for name in names if name in others]
            if ours in names or not matching:
                continue
            if len(matching) > 1:
                raise UsageError(
                    f"The columns {matching[0]} and {matching[1]} could both be {ours}.",
                    f"Say which, for example with --column {ours}={matching[0]}.",
                )
            names[names.index(matching[0])] = ours
        return tuple(names)


def names_of(column: str) -> str:
    """The headings under which a column is understood, for messages."""
    others = next(one.others for one in COLUMNS if one.name == column)
    return ", ".join((column, *others))


def plain(heading: str) -> str:
    """A heading in lower case, its words joined by `_`, without other signs: `tisch_nr`."""
    return "_".join(re.findall(r"\w+", unicodedata.normalize("NFC", heading).casefold()))


def given_columns(texts: Sequence[str]) -> dict[str, str]:
    """The headings that `--column claimed=Punkte` names, by our names.

    Raises:
        UsageError: One is not of this form, names no column of ours, or one that another names.
    """
    known = {*CLAIM_NAMES, *RESULT_NAMES}
    given: dict[str, str] = {}
    for text in texts:
        ours, equals, theirs = (part.strip() for part in text.partition("="))
        if not equals or not theirs or plain(ours) not in known:
            raise UsageError(
                f"--column is {text[:40]!r}.",
                f"Write one of {', '.join(sorted(known))}, then = and the heading in the sheet.",
            )
        if given.setdefault(plain(ours), theirs) != theirs:
            raise UsageError(f"--column names two headings for {plain(ours)}.", "Name one.")
    return given
