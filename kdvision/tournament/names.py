"""Names of players, tables and rounds: one for each, however it is written.

Names are compared normalised: Unicode forms, case, blanks, quotes and dashes make no difference.
They are shown as they were written first, or as the list of players has them. Names that are only
alike are asked about and never made one.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import combinations, product

from rapidfuzz.distance import OSA

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u00b4`\u2032\u02bc\uff07", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\u00ad\ufe58\uff0d", "-"),
    }
)
#: Letters with marks that Unicode does not take apart, and the two ways to write umlauts.
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
#: Shorter names are different people when one letter differs: Tim and Tom.
LEAST_LETTERS = 5
#: The names of lines that add others up.
_SUMS = (
    "sum", "summe", "total", "totals", "gesamt", "gesamtsumme", "somme", "suma", "zwischensumme",
    "subtotal", "insgesamt",
)  # fmt: skip
#: No more pairs of names are asked about.
MOST_ASKED = 6


def name_key(name: str) -> str:
    """Normalise a name: Unicode form, case, blanks, quotes and dashes."""
    text = unicodedata.normalize("NFKC", name).translate(_QUOTES)
    text = unicodedata.normalize("NFKC", text.casefold())
    text = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    return re.sub(r"\s*([-'])\s*", r"\1", " ".join(text.split()))


def is_sum(name: str) -> bool:
    """Return whether a name is that of a sum of lines: `Summe`, `Total:`."""
    return name_key(name).rstrip(":. ") in _SUMS


class PlayerNames:
    """The names of a tournament, each shown in one way.

    Args:
        players: The list of players, where there is one: it decides how they are written.
    """

    def __init__(self, players: Iterable[str] = ()) -> None:
        self._shown: dict[str, str] = {}
        for name in players:
            self._shown.setdefault(name_key(name), " ".join(name.split()))
        self._listed = frozenset(self._shown)

    def shown(self, name: str) -> str:
        """Return the one way in which a name is written."""
        return self._shown.setdefault(name_key(name), " ".join(name.split()))

    def strangers(self) -> list[str]:
        """Return the names that are not on the list of players, where there is one."""
        if not self._listed:
            return []
        return [name for key, name in self._shown.items() if key not in self._listed]


def questions(games: Mapping[str, frozenset[str]]) -> list[tuple[str, str]]:
    """Return pairs of names that may be one person: alike, and never in one game or round.

    Args:
        games: The players of each game or round, as they are shown.
    """
    names = sorted({name for players in games.values() for name in players})
    together = {pair for players in games.values() for pair in combinations(sorted(players), 2)}
    return [pair for pair in combinations(names, 2) if pair not in together and are_alike(*pair)]


def are_alike(first: str, second: str) -> bool:
    """Return whether two names differ in marks, umlauts, or one letter only."""
    keys = name_key(first), name_key(second)
    if re.findall(r"\d+", keys[0]) != re.findall(r"\d+", keys[1]):
        return False
    folded = [_folded(key) for key in keys]
    if folded[0] & folded[1]:
        return True
    letters = min(sum(map(str.isalpha, key)) for key in keys)
    return letters >= LEAST_LETTERS and any(
        OSA.distance(one, other, score_cutoff=1) <= 1 for one, other in product(*folded)
    )


def _folded(key: str) -> set[str]:
    """Return a name without marks, in both ways to write umlauts, its parts sorted."""
    found = set()
    for text in (key, key.translate(_UMLAUTS)):
        marks = unicodedata.normalize("NFD", text.translate(_LETTERS))
        plain = "".join(letter for letter in marks if not unicodedata.combining(letter))
        found.add(" ".join(sorted(re.findall(r"\w+", plain))))
    return found
