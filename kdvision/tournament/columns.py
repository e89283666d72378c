"""The columns of every sheet: what they are called, who writes them, and how a line is read.

People's columns are theirs and are never changed. Found columns are the program's, computed anew
by every run. Headings are understood in English, German and French, case and accents aside.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import FixPlace, merge_fixes, parse_fixes
from kdvision.errors import UsageError
from kdvision.options import SYNONYMS, read_rules
from kdvision.reading import Colour
from kdvision.rules.kingdom import Position
from kdvision.rules.rules import DEFAULT_RULES, Rules
from kdvision.sentences import Sentence

Cells = Mapping[str, str]
_T = TypeVar("_T")

#: The columns of the program.
FOUND = ("score", "status", "counts", "verdict", "explanation", "reading")
#: The columns that decide how a kingdom is scored, called as the options.
RULES = tuple(SYNONYMS)
#: The columns of people in a new sheet.
PEOPLE = (
    *("photo", "player", "colour", "kingdom", "game", "round", "claimed"),
    *("size", "harmony", "middle_kingdom", "fix", "accept", "note"),
)
#: No total is larger: 272 and both bonuses in a Mighty Duel (RULES 6), with room to spare.
MAX_NUMBER = 999

#: Other headings in English, then German, then French, as `fold` gives them.
_SYNONYMS = {
    "photo": "image picture file filename | foto bild datei dateiname | fichier cliche",
    "player": "name team players | spieler spielerin teilnehmer | joueur joueuse nom",
    "colour": "color | farbe | couleur",
    "kingdom": "letter | konigreich koenigreich reich buchstabe | royaume lettre",
    "game": "table | spiel partie tisch | numero_de_table",
    "round": "rnd | runde rd durchgang | ronde manche tour",
    "claimed": "claim counted points pts total result hand_count |"
    " gezahlt gezaehlt angabe behauptet punkte punktzahl pkt summe ergebnis gesamt gesamtpunkte |"
    " compte resultat",
    "fix": "correction | korrektur |",
    "accept": "accepted settle settled | entscheidung gilt | accepte",
    "note": "notes decided_by comment | notiz bemerkung | remarque",
    **{name: " ".join(synonyms) for name, synonyms in SYNONYMS.items()},
}
#: A shorter word is no part by which a heading is understood.
_MIN_PART = 4
#: What tells a sheet that the program wrote: there `score` is what the photo shows.
_RESULTS = {"counts", "reading", "status"}
#: The names of lines that add others up.
_SUM_NAMES = {"sum", "summe", "total", "totals", "gesamt", "gesamtsumme", "somme", "zwischensumme"}
#: Words for colours and decisions, as `fold` gives them.
_COLOURS = {
    **dict.fromkeys(("pink", "rosa", "rose", "magenta"), Colour.PINK),
    **dict.fromkeys(("yellow", "gelb", "jaune"), Colour.YELLOW),
    **dict.fromkeys(("green", "grun", "gruen", "vert"), Colour.GREEN),
    **dict.fromkeys(("blue", "blau", "bleu"), Colour.BLUE),
}
_ACCEPT_WORDS = {
    **dict.fromkeys(("photo", "foto", "picture", "bild", "read"), "photo"),
    **dict.fromkeys(("claim", "claimed", "player", "spieler"), "claim"),
}

#: A whole number; spreadsheets may add a decimal point or comma with up to two zeros.
_NUMBER = re.compile(r"([0-9]{1,6})(?:[.,]0{1,2})?")
#: The name of a kingdom of a photo, see `kdvision.corrections.kingdom_name`.
_LETTER = re.compile(r"([A-Z])\1?")
_QUOTES = str.maketrans("\u2018\u2019\u00b4`\u201c\u201d\u2010\u2011\u2013\u2014", "''''\"\"----")


def _error(code: str, **fields: str | int) -> UsageError:
    return UsageError(Sentence(f"column.{code}", fields))


# ---------------------------------------------------------------------- headings


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


def read_headings(headings: Sequence[str]) -> tuple[str, ...]:
    """Return our names of columns; a heading that means nothing to us as `fold` gives it.

    A heading that is no name of a column is understood by a part of it, such as `Foto-Datei`,
    where that fits one column only and no other heading names that column.

    Raises:
        UsageError: Two headings have one meaning.
    """
    words = [fold(heading) for heading in headings]
    is_ours = bool(_RESULTS & {*words})
    by_name = [_find_column(word, is_ours=is_ours) for word in words]
    by_part = [_find_by_part(word) for word in words]
    guesses = ["" if part in by_name else part for part in by_part]
    names = [name or part for name, part in zip(by_name, guesses, strict=True)]
    for name in filter(None, names):
        twins = [heading for heading, column in zip(headings, names, strict=True) if column == name]
        if len(twins) > 1:
            raise _error("twice", first=twins[0][:30], second=twins[1][:30], column=name)
    columns: list[str] = []
    for index, (name, word) in enumerate(zip(names, words, strict=True)):
        is_free = bool(word) and word not in columns
        columns.append(name or (word if is_free else f"{word}_{index + 1}"))
    return tuple(columns)


def count_headings(headings: Iterable[str]) -> int:
    """Return how many headings are names of our columns."""
    return len({_find_column(fold(heading), is_ours=True) for heading in headings} - {""})


def _find_column(word: str, *, is_ours: bool) -> str:
    if word == "score" and not is_ours:
        return "claimed"  # a table that was made by hand
    return _BY_HEADING.get(word, "")


def _find_by_part(word: str) -> str:
    """Return the only column of which words of a heading begin like a name."""
    columns = set()
    for part in word.split("_"):
        starts = [heading for heading in _BY_HEADING if part.startswith(heading)]
        longest = max(starts, key=len, default="")
        if len(longest) >= _MIN_PART and _BY_HEADING[longest] not in FOUND:
            columns.add(_BY_HEADING[longest])
    return columns.pop() if len(columns) == 1 else ""


_BY_HEADING = {name: name for name in (*PEOPLE, *RULES, *FOUND)}
for _name, _texts in _SYNONYMS.items():
    _BY_HEADING |= dict.fromkeys([_name, *map(fold, _texts.replace("|", " ").split())], _name)


def list_synonyms(column: str) -> str:
    """Return the headings under which a column is understood, for messages."""
    return ", ".join([column, *_SYNONYMS[column].replace("|", " ").split()])


# ---------------------------------------------------------------------- how cells are read


def read_number(cells: Cells, column: str) -> int | None:
    """Return a whole number; None where the cell is empty.

    Raises:
        UsageError: It is no number that a kingdom can have.
    """
    text = cells.get(column, "")
    if not text:
        return None
    match = _NUMBER.fullmatch(text)
    if match is None or int(match[1]) > MAX_NUMBER:
        raise _error("no-number", heading=column, text=repr(text[:20]), most=MAX_NUMBER)
    return int(match[1])


def _read_letter(cells: Cells) -> str:
    text = cells.get("kingdom", "").upper()
    if text and not _LETTER.fullmatch(text):
        raise _error("no-letter", text=repr(text[:20]))
    return text


def _read_colour(cells: Cells) -> Colour | None:
    text = fold(cells.get("colour", ""))
    if text and text not in _COLOURS:
        raise _error("no-colour", text=repr(cells["colour"][:20]))
    return _COLOURS.get(text)


def _read_accept(cells: Cells) -> str | int | None:
    text = fold(cells.get("accept", ""))
    try:
        return _ACCEPT_WORDS.get(text) or read_number(cells, "accept")
    except UsageError:
        raise _error("accept", text=repr(cells["accept"][:20])) from None


def _read_fixes(cells: Cells, letter: str) -> dict[FixPlace, str]:
    """The corrections `b3=W1 c4=G`; places of a line that names its kingdom get its letter."""
    text = re.sub(r"\s*=\s*", "=", cells.get("fix", ""))
    fixes = parse_fixes(filter(None, re.split(r"[\s,;]+", text)))
    for place in fixes:
        if place.kingdom and letter and place.kingdom != letter:
            raise _error("fix-of-other", name=place.kingdom, kingdom=letter)
    return merge_fixes(
        (FixPlace(place.kingdom or letter, place.at), cell) for place, cell in fixes.items()
    )


# ---------------------------------------------------------------------- a line


def drop_found(cells: Cells) -> dict[str, str]:
    """Return the cells that people wrote."""
    return {column: text for column, text in cells.items() if column not in FOUND and text}


def identify(cells: Cells) -> dict[str, str]:
    """Return what a line is known by: the words of people, and its kingdom."""
    return {**drop_found(cells), "reading": cells.get("reading", "")}


class Decision(Struct, frozen=True):
    """What a person decided in a cell, and what it was made for.

    Attributes:
        text: The cell as it was written.
        reading: The kingdom line that the line had then; empty while nobody knew it.
        origin: What the top left place of that kingdom is called; (0, 0) is a1.
        score: What the photo showed then.
    """

    text: str
    reading: str = ""
    origin: Position = (0, 0)
    score: int | None = None


class Line(Struct, frozen=True, kw_only=True):
    """What one line of a sheet says of one kingdom.

    Attributes:
        number: The number of the line in its file, from 1; 0 where there is no file.
        cells: All cells by column, those of the program too, without blanks around them.
        player: Whose kingdom it is; empty where the line does not say, as are the next ones.
        game: The table at which it was played.
        round: The round.
        photo: The name of the photo.
        letter: The letter of the kingdom in the photo.
        colour: That of the castle.
        claimed: The total that was counted by hand; None where none was, or none can be read.
        accept: The total that a person chose: `photo`, `claim` or a number; None where nobody did.
        fixes: The squares that a person corrected.
        options: The options that it is scored by.
        decisions: What `fix` and `accept` were made for, as far as that is known.
        problems: What is wrong with the line; the rest of it is read.
    """

    number: int = 0
    cells: Cells = msgspec.field(default_factory=dict)
    player: str = ""
    game: str = ""
    round: str = ""
    photo: str = ""
    letter: str = ""
    colour: Colour | None = None
    claimed: int | None = None
    accept: str | int | None = None
    fixes: Mapping[FixPlace, str] = msgspec.field(default_factory=dict)
    options: Rules = DEFAULT_RULES
    decisions: Mapping[str, Decision] = {}
    problems: tuple[Sentence, ...] = ()

    @classmethod
    def of(
        cls,
        cells: Cells,
        number: int = 0,
        options: Rules = DEFAULT_RULES,
        headings: Cells | None = None,
    ) -> "Line":
        """Read a line from its cells; what is wrong with it stands in `problems`.

        Args:
            cells: Texts by column.
            number: The number of the line.
            options: The options where the line names none.
            headings: What the sheet calls its columns, where it is not as we do.
        """
        # Every cell is read, also after a bad one.
        problems: list[Sentence] = []

        def read(column: str, reader: Callable[[], _T], default: Any = None) -> _T:
            try:
                return reader()
            except UsageError as error:
                fields = {"column": column, "heading": (headings or {}).get(column, column)}
                for reason in error.reasons:
                    problems.append(replace(reason, fields={**reason.fields, **fields}))
                return default  # type: ignore[no-any-return]

        words = {name: cells.get(name, "") for name in RULES}
        letter = read("kingdom", lambda: _read_letter(cells), "")
        fixes = read("fix", lambda: _read_fixes(cells, letter), {})
        # A line whose fixes name one kingdom is about that one.
        letters = {place.kingdom for place in fixes} - {""}
        return cls(
            number=number,
            cells=cells,
            player=" ".join(cells.get("player", "").split()),
            game=cells.get("game", ""),
            round=cells.get("round", ""),
            photo=cells.get("photo", ""),
            letter=letter or (letters.pop() if len(letters) == 1 else ""),
            colour=read("colour", lambda: _read_colour(cells)),
            claimed=read("claimed", lambda: read_number(cells, "claimed")),
            accept=read("accept", lambda: _read_accept(cells)),
            fixes=fixes,
            options=read("options", lambda: read_rules(words, over=options), options),
            problems=tuple(problems),
        )

    @property
    def target(self) -> int | None:
        """The total that its kingdom should have: the accepted number, else the claimed one."""
        return self.accept if isinstance(self.accept, int) else self.claimed

    @property
    def game_key(self) -> tuple[str, str]:
        """The round and the game, whichever way they are written."""
        return fold_name(self.round), fold_name(self.game)

    @property
    def player_key(self) -> tuple[str, str, str]:
        """The player with round and game, whichever way they are written."""
        return fold_name(self.player), *self.game_key

    @property
    def is_sum(self) -> bool:
        """Whether the line adds others up: `Summe`, `Total:`."""
        return not self.photo and fold(self.player) in _SUM_NAMES
