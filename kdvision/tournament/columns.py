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

#: What people head a column with in English, then in German, then in French.
_SYNONYMS = {
    "photo": "image picture file filename photo_file | foto bild datei dateiname foto_datei |"
    " fichier cliche",
    "player": "name team players player_name | spieler spielerin teilnehmer spielername"
    " name_des_spielers | joueur joueuse nom",
    "number": "player_number start_number | startnummer spielernummer spieler_nr |"
    " numero_de_joueur dossard",
    "colour": "color castle castle_colour castle_color | farbe burgfarbe schlossfarbe |"
    " couleur chateau",
    "kingdom": "letter | konigreich koenigreich reich buchstabe | royaume lettre",
    "game": "table table_no table_number | spiel partie tisch tisch_nr tischnummer |"
    " numero_de_table",
    "round": "rnd | runde rd durchgang | ronde manche tour",
    "claimed": "claim counted points pts total result hand_count total_points |"
    " gezahlt gezaehlt angabe behauptet punkte punktzahl pkt summe ergebnis gesamt gesamtpunkte"
    " gesamtpunktzahl | compte resultat",
    "fix": "correction fixes | korrektur |",
    "accept": "accepted settle settled | entscheidung gilt | accepte",
    "note": "notes decided_by comment | notiz bemerkung | remarque",
    **{name: " ".join(synonyms) for name, synonyms in SYNONYMS.items()},
}
#: Means `claimed` where no other heading does: many score pads say so.
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
    texts = tuple(heading.strip() for heading in headings)
    for index in reversed(range(len(texts) - len(FOUND) + 1)):
        if texts[index : index + len(FOUND)] == FOUND:
            return index
    return None


def read_headings(headings: Sequence[str]) -> tuple[Column, ...]:
    """Return what each heading of people means.

    Raises:
        UsageError: Two headings mean one column.
    """
    names = [_BY_HEADING.get(fold(heading), "") for heading in headings]
    if "claimed" not in names:
        names = [
            "claimed" if fold(heading) == _SCORE else name
            for heading, name in zip(headings, names, strict=True)
        ]
    for name in filter(None, names):
        twins = [heading for heading, twin in zip(headings, names, strict=True) if twin == name]
        if len(twins) > 1:
            fields = {"first": twins[0].strip()[:30], "second": twins[1].strip()[:30]}
            raise UsageError(Sentence("column.twice", {**fields, "column": name}))
    pairs = zip(headings, names, strict=True)
    return tuple(Column(heading.strip(), name) for heading, name in pairs)


def count_headings(headings: Iterable[str]) -> int:
    """Return how many columns of ours headings name."""
    words = {fold(heading) for heading in headings}
    return len({_BY_HEADING[word] for word in words & {*_BY_HEADING}} | (words & {_SCORE}))


def list_synonyms(column: str) -> str:
    """Return the headings under which a column is understood, for messages."""
    return ", ".join([column, *_SYNONYMS[column].replace("|", " ").split()])


def _index_synonyms() -> dict[str, str]:
    """Return the columns by the folded headings under which they are understood."""
    by_heading: dict[str, str] = {}
    for name, texts in _SYNONYMS.items():
        by_heading[name] = name
        for text in texts.replace("|", " ").split():
            by_heading[fold(text)] = name
    return by_heading


_BY_HEADING = _index_synonyms()
