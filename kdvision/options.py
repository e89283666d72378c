"""The options of a game: declared once, and read by one reader wherever their words come from.

Sheets, forms and JSON hand their words to `GameOptions.from_words`; what each option is called and
takes stands in `OPTIONS`. A new option is a field of `GameOptions`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypedDict, cast

from msgspec import Struct
from msgspec.structs import fields, force_setattr, replace

from kdvision.errors import UsageError
from kdvision.rules.kingdom import Kingdom
from kdvision.rules.scoring import BONUS_CODES, SIZES, Centre, InPlay, ScoreSheet, score

#: In English, German, French and Spanish, and what spreadsheets write for a ticked box.
_YES = (
    *("yes", "y", "true", "1", "on", "x"),
    *("ja", "j", "wahr", "oui", "vrai", "sí", "si", "verdadero"),
)
_NO = ("no", "n", "false", "0", "off", "-", "nein", "falsch", "non", "faux", "falso")
_YES_NO = {"yes": True, "no": False}
#: Spreadsheets write 5 as 5.0 or 5,00.
_DECIMALS = re.compile(r"(?<=\d)[.,]0{1,2}$")


class Option(Struct, frozen=True, kw_only=True):
    """An option of a game.

    Attributes:
        values: What it can be, by the word for it.
        synonyms: Other names: in the headings of sheets, in other languages.
        name: The name of its field in `GameOptions`.
        default: Its value where nothing is said.
    """

    values: Mapping[str, Any]
    synonyms: tuple[str, ...] = ()
    name: str = ""
    default: Any = None

    def read(self, word: object) -> Any:
        """Return the value that a word, or the value itself, stands for.

        Raises:
            ValueError: It is none of the values. The message says which there are.
        """
        if isinstance(word, str):
            plain = _DECIMALS.sub("", word.strip().lower())
            if plain in self.values:
                return self.values[plain]
            if self.values is _YES_NO and plain in (*_YES, *_NO):
                return plain in _YES
            raise ValueError(f"Write {either(self.values)}.")
        return self.check(word)

    def check(self, value: object) -> Any:
        """Return a value if it is one of those allowed.

        Raises:
            ValueError: It is not. The message says which there are.
        """
        if isinstance(value, int | str | None):
            for allowed in self.values.values():
                # True is no 1 here.
                if value == allowed and isinstance(value, bool) is isinstance(allowed, bool):
                    return allowed
        raise ValueError(f"Write {either(map(str, self.values.values()))}.")


class GameOptions(Struct, frozen=True):
    """The rules that kingdoms are scored by, passed whole from the edge to the stages.

    Attributes:
        size: 5, or 7 for a Mighty Duel; None takes what fits.
        harmony: Whether the Harmony bonus is in play (RULES 3.1).
        middle_kingdom: Whether the Middle Kingdom bonus is in play (RULES 3.2).
        centre: What the castle must be the centre of for the Middle Kingdom: the `box` around the
            kingdom, or a `frame` of the size of the game (RULES 8).

    Raises:
        UsageError: A value is none of these.
    """

    size: Annotated[
        int | None,
        Option(
            values={"auto": None} | {str(size): size for size in SIZES},
            synonyms=("side", "grösse", "groesse", "taille", "tamaño"),
        ),
    ] = None
    harmony: Annotated[
        bool,
        Option(
            values=_YES_NO,
            synonyms=("harmony_bonus", "harmonie", "harmonie_bonus"),
        ),
    ] = False
    middle_kingdom: Annotated[
        bool,
        Option(
            values=_YES_NO,
            synonyms=("middle", "middle_kingdom_bonus", "mitte", "mittelreich"),
        ),
    ] = False
    centre: Annotated[
        Centre,
        Option(
            values={str(centre): centre for centre in Centre},
            synonyms=("center", "zentrum", "centro"),
        ),
    ] = Centre.BOX

    def __post_init__(self) -> None:
        for option in OPTIONS:
            value = getattr(self, option.name)
            try:
                force_setattr(self, option.name, option.check(value))
            except ValueError as advice:
                raise UsageError(_is_wrong(option.name, value), str(advice)) from None

    @classmethod
    def from_words(
        cls, words: Mapping[str, Any], where: str = "", over: "GameOptions | None" = None
    ) -> "GameOptions":
        """Read options from words, wherever they come from.

        Args:
            words: The words, or values of JSON, by the name of the option or a synonym of it, also
                as typed (`--middle-kingdom`). An empty word says nothing.
            where: Where they stand, for the sentence about a wrong one: `line 3`.
            over: The options that hold where nothing is said.

        Raises:
            UsageError: There is no such option, or it takes no such value.
        """
        place = f" in {where}" if where else ""
        values: dict[str, Any] = {}
        for name, word in words.items():
            option = _BY_NAME.get(_plain_name(name))
            if option is None:
                raise UsageError(
                    f"There is no option {name[:20]!r}{place}.",
                    f"The options are {', '.join(option.name for option in OPTIONS)}.",
                )
            if word == "":
                continue
            try:
                values[option.name] = option.read(word)
            except ValueError as advice:
                raise UsageError(_is_wrong(name, word, place), str(advice)) from None
        before = over or DEFAULT_OPTIONS
        return cls(**{option.name: getattr(before, option.name) for option in OPTIONS} | values)

    def score(self, kingdom: Kingdom) -> ScoreSheet:
        """Return the score sheet of a kingdom."""
        return score(kingdom, self.size, **self.in_play)

    @property
    def in_play(self) -> InPlay:
        """The variants in play, as `kdvision.rules` takes them."""
        bonuses = {code: getattr(self, code) for code in BONUS_CODES}
        return cast(InPlay, {**bonuses, "centre": self.centre})


class GameKeywords(TypedDict, total=False):
    """The options of a game as keyword arguments of the library; see `GameOptions`."""

    size: int | None
    harmony: bool
    middle_kingdom: bool
    centre: Centre | str


def _declared() -> Iterable[Option]:
    """Yield the declarations of the fields of `GameOptions`, with their names and defaults."""
    for field in fields(GameOptions):
        (option,) = field.type.__metadata__
        yield replace(option, name=field.name, default=field.default)


def _plain_name(name: str) -> str:
    """Return the name of an option in lower case, without dashes, with _ for blanks."""
    return "_".join(name.casefold().lstrip("-").replace("-", " ").split())


def either(words: Iterable[str]) -> str:
    """Return words as a choice: `crowns or territory`."""
    *most, last = words
    return f"{', '.join(most)} or {last}"


def _is_wrong(name: str, value: object, place: str = "") -> str:
    shown = repr(value[:20]) if isinstance(value, str) else repr(value)[:20]
    return f"{name} is {shown}{place}."


#: Every option of a game, in the order of the fields of `GameOptions`.
OPTIONS = tuple(_declared())
_BY_NAME = {
    _plain_name(name): option for option in OPTIONS for name in (option.name, *option.synonyms)
}
#: No bonus in play, any size.
DEFAULT_OPTIONS = GameOptions()
