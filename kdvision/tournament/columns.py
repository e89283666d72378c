"""The columns of a sheet: what each heading means, and where the program's own columns stand.

A heading means a column of ours where it is, as a whole, one of its synonyms in English, German or
French, case and accents aside. Every other column is kept as it is.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from msgspec import Struct

from kdvision.errors import UsageError
from kdvision.options import SYNONYMS
from kdvision.sentences import Sentence

#: The columns of the program, as they are headed in results.
FOUND = ("score", "status", "counts", "verdict", "explanation", "reading")
#: The columns that say by which rules a kingdom is scored, called as the options.
RULES = tuple(SYNONYMS)
#: The columns of people in results that have no sheet.
TEMPLATE = ("photo", "player", "game", "round", "claimed", "fix", "accept", "note")

#: What people head a column with in English, German and French, beside its name.
_SYNONYMS = {
    "photo": "image picture file filename photo_file foto bild datei dateiname foto_datei fichier"
    " cliche",
    "player": "name team players player_name spieler spielerin teilnehmer spielername"
    " name_des_spielers joueur joueuse nom",
    "number": "player_number start_number startnummer spielernummer spieler_nr numero_de_joueur"
    " dossard",
    "colour": "color castle castle_colour castle_color farbe burgfarbe schlossfarbe couleur"
    " chateau",
    "kingdom": "letter konigreich koenigreich reich buchstabe royaume lettre",
    "game": "table table_no table_number spiel partie tisch tisch_nr tischnummer numero_de_table",
    "round": "rnd runde rd durchgang ronde manche tour",
    "claimed": "claim counted points pts total result hand_count total_points gezahlt gezaehlt"
    " angabe behauptet punkte punktzahl pkt summe ergebnis gesamt gesamtpunkte gesamtpunktzahl"
    " compte resultat",
    "fix": "correction fixes korrektur",
    "accept": "accepted settle settled entscheidung gilt accepte",
    "note": "notes decided_by comment notiz bemerkung remarque",
}
#: Rows that hold something. The headings stand in one of the first, this many at most.
MOST_TITLES = 20
#: A heading of many score pads; it means `claimed` where no other heading does.
_SCORE = "score"

_QUOTES = str.maketrans("\u2018\u2019\u00b4`\u201c\u201d\u2010\u2011\u2013\u2014", "''''\"\"----")


class Column(Struct, frozen=True):
    """A column of people.

    Attributes:
        heading: What people wrote above it.
        name: The column of ours that it is; empty where it is kept as it is.
    """

    heading: str
    name: str = ""


def fold(text: str) -> str:
    """Return a text in lower case without accents, its words joined by `_`: `tisch_nr`."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    text = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return "_".join(re.findall(r"\w+", text))


def fold_name(name: str) -> str:
    """Normalise a name: Unicode form, case, blanks, quotes and dashes."""
    text = unicodedata.normalize("NFKC", name).translate(_QUOTES).casefold()
    text = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    return re.sub(r"\s*([-'])\s*", r"\1", " ".join(text.split()))


def find_results(headings: Sequence[str]) -> int | None:
    """Return the index at which the six headings of the program stand side by side.

    Where they stand twice, the last block is the program's; None where they stand nowhere.
    """
    texts = tuple(map(str.strip, headings))
    for index in reversed(range(len(texts) - len(FOUND) + 1)):
        if texts[index : index + len(FOUND)] == FOUND:
            return index
    return None


def read_headings(headings: Sequence[str]) -> tuple[Column, ...]:
    """Return what each heading of people means.

    Raises:
        UsageError: Two headings mean one column.
    """
    names = list(map(_find_column, headings))
    has_claims = "claimed" in names
    columns = []
    first: dict[str, str] = {}
    for heading, name in zip(headings, names, strict=True):
        if fold(heading) == _SCORE and not has_claims:
            name = "claimed"
        if name in first:
            fields = {"first": first[name], "second": heading.strip()[:30], "column": name}
            raise UsageError(Sentence("column.twice", fields))
        if name:
            first[name] = heading.strip()[:30]
        columns.append(Column(heading.strip(), name))
    return tuple(columns)


def find_headings(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the headings: the row that has most names that we know.

    Only the first rows are looked at. Where none has any name, it is the first row that holds
    something; None where none does.
    """
    filled = [index for index, cells in enumerate(rows) if any(cells)]

    def count(index: int) -> int:
        has_results = find_results(rows[index]) is not None
        return count_headings(rows[index]) + (len(FOUND) if has_results else 0)

    return max(filled[:MOST_TITLES], key=count, default=None)


def count_headings(headings: Iterable[str]) -> int:
    """Return how many columns of ours headings name."""
    names = set()
    for heading in headings:
        if fold(heading) == _SCORE:
            names.add(_SCORE)
        names.add(_find_column(heading))
    return len(names - {""})


def list_synonyms(column: str) -> list[str]:
    """Return the headings under which a column is understood, its own name first."""
    if column in RULES:
        return [column, *SYNONYMS[column]]
    return [column, *_SYNONYMS[column].split()]


def _find_column(heading: str) -> str:
    """Return the column of ours that a heading means; empty where it means none."""
    return _BY_HEADING.get(fold(heading), "")


def _index_synonyms() -> dict[str, str]:
    """Return the columns by the folded headings under which they are understood."""
    by_heading: dict[str, str] = {}
    for name in list(_SYNONYMS) + list(RULES):
        for word in list_synonyms(name):
            by_heading[fold(word)] = name
    return by_heading


_BY_HEADING = _index_synonyms()
