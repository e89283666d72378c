"""The words that people have for the rules of a game, and one reader for all of them.

They stand in sheets, forms and JSON, and behind the options of a command. A new rule needs a field
of `Rules`, and a line of `VALUES` with what it can be.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kdvision.errors import UsageError
from kdvision.rules.errors import check_type
from kdvision.rules.rules import DEFAULT_RULES, Centre, Rules
from kdvision.sentences import listed

_YES_NO = {"yes": True, "no": False}
#: What each rule can be, by the word for it.
VALUES: Mapping[str, Mapping[str, Any]] = {
    "size": {"auto": None, "5": 5, "7": 7},
    "harmony": _YES_NO,
    "middle_kingdom": _YES_NO,
    "centre": {str(centre): centre for centre in Centre},
}
#: Other names: in the headings of sheets, in other languages.
SYNONYMS = {
    "size": ("side", "grösse", "groesse", "taille", "tamaño"),
    "harmony": ("harmony_bonus", "harmonie", "harmonie_bonus"),
    "middle_kingdom": ("middle", "middle_kingdom_bonus", "mitte", "mittelreich"),
    "centre": ("center", "zentrum", "centro"),
}
#: In English, German, French and Spanish, and what spreadsheets write for a ticked box.
_YES = (
    "yes", "y", "true", "1", "on", "x", "✓", "✔", "☑",
    "ja", "j", "wahr", "oui", "vrai", "sí", "si", "verdadero",
)  # fmt: skip
_NO = ("no", "n", "false", "0", "off", "-", "✗", "✘", "☐", "nein", "falsch", "non", "faux", "falso")
#: Spreadsheets write 5 as 5.0 or 5,00.
_DECIMALS = re.compile(r"(?<=\d)[.,]0{1,2}$")


def read_rules(words: Mapping[str, Any], where: str = "", over: Rules = DEFAULT_RULES) -> Rules:
    """Read rules from words: cells of a sheet, a form, JSON, what was typed.

    Args:
        words: The words, or values of JSON, by the name of the rule or a synonym of it, also as
            typed (`--middle-kingdom`). An empty word says nothing.
        where: Where they stand, for the sentence about a wrong one: `line 3`.
        over: The rules that hold where nothing is said.

    Raises:
        UsageError: There is no such rule, or it takes no such value.
    """
    check_type(words, Mapping, 'mapping of options; give {"size": 7}')
    place = f" in {where}" if where else ""
    values: dict[str, Any] = {}
    for heading, word in words.items():
        name = _NAMES.get(_plain_name(heading))
        if name is None:
            raise UsageError(
                f"There is no option {heading[:20]!r}{place}.",
                f"The options are {', '.join(VALUES)}.",
            )
        if word != "":
            read = _read_word if isinstance(word, str) else _check_value
            values[name] = read(VALUES[name], word, heading, place)
    return replace(over, **values)


def _read_word(values: Mapping[str, Any], word: str, name: str, place: str) -> Any:
    """Return the value that a word stands for."""
    plain = _DECIMALS.sub("", word.strip().lower())
    if plain in values:
        return values[plain]
    if values is _YES_NO and plain in _YES + _NO:
        return plain in _YES
    choice = listed(list(values), "or")
    raise UsageError(f"{name} is {word[:20]!r}{place}.", f"Write {choice}.")


def _check_value(values: Mapping[str, Any], value: object, name: str, place: str) -> Any:
    """Return a value if the rule can have it."""
    for allowed in values.values():
        # True is no 1 here.
        if value == allowed and isinstance(value, bool) is isinstance(allowed, bool):
            return allowed
    shown = repr(value[:20]) if isinstance(value, str) else repr(value)[:20]
    choice = listed(list(map(str, values.values())), "or")
    raise UsageError(f"{name} is {shown}{place}.", f"Write {choice}.")


def _plain_name(name: str) -> str:
    """Return the name of a rule in lower case, without dashes, with _ for blanks."""
    return "_".join(name.casefold().lstrip("-").replace("-", " ").split())


_NAMES: dict[str, str] = {}
for _rule, _synonyms in SYNONYMS.items():
    _NAMES[_rule] = _rule
    for _word in _synonyms:
        _NAMES[_plain_name(_word)] = _rule
