"""The columns of tables: which there are, and by which other names people know them."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from kdvision.errors import UsageError

#: What a table may say of whose kingdom it is.
WHO = ("player", "game", "round")
#: Of how it is scored.
RULES = ("harmony", "middle_kingdom", "centre", "size")
#: What a person decided, and who.
SETTLED = ("fix", "accept", "note")

#: Names of one meaning, in lower case with `_` for blanks.
_PEOPLE: dict[str, tuple[str, ...]] = {
    "photo": ("foto", "image", "picture", "bild", "file", "filename", "datei", "dateiname"),
    "kingdom": ("letter", "kingdom_letter", "königreich", "koenigreich", "reich", "buchstabe"),
    "player": ("spieler", "spielerin", "spieler/in", "name", "joueur", "jugador", "team"),
    "game": ("table", "spiel", "tisch", "partie", "partida", "mesa"),
    "round": ("runde", "ronde", "manche", "ronda"),
    "fix": ("fixes", "correction", "corrections", "korrektur", "korrekturen"),
    "accept": ("accepted", "settle", "settled", "entscheidung", "gilt"),
    "note": ("notes", "decided_by", "entschieden_von", "notiz"),
    "harmony": ("harmonie", "harmonie-bonus", "harmony_bonus"),
    "middle_kingdom": ("mitte", "mittelreich", "middle", "middle_kingdom_bonus"),
    "centre": ("center", "zentrum"),
    "size": ("grösse", "groesse", "taille", "side"),
}
#: The names of totals: a claim in a sheet of claims, a score in a table of results.
_TOTALS = (
    "points", "punkte", "total", "summe", "ergebnis", "result", "pts", "pkt", "punktzahl",
    "gesamt", "puntos",
)  # fmt: skip
_CLAIMED = ("claim", "claims", "counted", "hand_count", "gezählt", "gezaehlt", "behauptet")

#: The columns of a sheet of claims.
CLAIM_COLUMNS = {**_PEOPLE, "claimed": (*_CLAIMED, *_TOTALS, "score")}
#: The columns of a table of results, where `kingdom` may also hold a whole kingdom line.
RESULT_COLUMNS = {**_PEOPLE, "score": _TOTALS, "claimed": _CLAIMED}
#: `kdscore verify` writes this column; a table that has it is a sheet of claims.
VERDICT = "verdict"


class ColumnNames(Struct, frozen=True):
    """How the columns of a table are called.

    Attributes:
        synonyms: For each of our names, other names of the same meaning.
        given: For our names, the headings that the user says they have.
    """

    synonyms: Mapping[str, Sequence[str]] = msgspec.field(default_factory=lambda: CLAIM_COLUMNS)
    given: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def known(self) -> frozenset[str]:
        """Every heading that means something."""
        others = {name for names in self.synonyms.values() for name in names}
        return frozenset({*self.synonyms, *others, *map(plain, self.given.values())})

    def read(self, headings: Sequence[str]) -> tuple[str, ...]:
        """The headings with ours in the place of their synonyms.

        Raises:
            UsageError: Two columns have one meaning, or a given heading is missing.
        """
        names = [plain(heading) for heading in headings]
        for ours, theirs in self.given.items():
            if plain(theirs) not in names:
                raise UsageError(
                    f"There is no column {theirs[:30]!r} for {ours}.",
                    f"The columns are {', '.join(name[:30] for name in names[:12] if name)}.",
                )
            names = [f"other_{name}" if name == ours else name for name in names]
            names[[plain(heading) for heading in headings].index(plain(theirs))] = ours
        synonyms = CLAIM_COLUMNS if VERDICT in names else self.synonyms
        for ours, others in synonyms.items():
            found = [name for name in names if name in others]
            if ours in names or not found:
                continue
            if len(found) > 1:
                raise UsageError(
                    f"The columns {found[0]} and {found[1]} could both be {ours}.",
                    f"Say which, for example with --column {ours}={found[0]}.",
                )
            names[names.index(found[0])] = ours
        return tuple(names)


def plain(heading: str) -> str:
    """A heading in lower case, with `_` for blanks."""
    return "_".join(heading.casefold().split())


def given_columns(texts: Sequence[str]) -> dict[str, str]:
    """The headings that `--column claimed=Punkte` names, by our names.

    Raises:
        UsageError: One is not of this form, or names no column of ours.
    """
    known = {*CLAIM_COLUMNS, *RESULT_COLUMNS}
    found = {}
    for text in texts:
        ours, equals, theirs = (part.strip() for part in text.partition("="))
        if not equals or not theirs or plain(ours) not in known:
            raise UsageError(
                f"--column is {text[:40]!r}.",
                f"Write one of {', '.join(sorted(known))}, then = and the heading in the sheet.",
            )
        found[plain(ours)] = theirs
    return found
