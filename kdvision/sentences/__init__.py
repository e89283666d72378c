"""The sentences that reports and pages both say: one catalogue per language, by code.

`en.json` and `de.json` are flat objects, sorted by key, with one key on a line. Keys are
`group.code`, as in `doubt.blurred`; a longer key such as `doubt.blurred.at` is a variant of it with
more fields. The template language is the same here and in the JavaScript of the pages:

- `{name}` puts a field in,
- `{n|square|squares}` picks the first word where the field `n` is 1, else the second,
- `{@name}` puts in the sentence whose key is the value of the field, as in `terrain.wheat`.

Another language is one more file with the same keys and fields.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from kdvision.rules.legality import Problem
    from kdvision.rules.scoring import Bonus

#: What people read where nobody says which language.
ENGLISH = "en"

_FOLDER = Path(__file__).parent
#: A field: its mark `@` or none, its name, and the two words between which it picks.
_FIELD = re.compile(r"\{(@?)(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}")


def sentence(key: str, /, language: str = ENGLISH, **fields: Any) -> str:
    """Render a sentence of the catalogue.

    Args:
        key: Its key, such as `doubt.blurred`.
        language: The name of a catalogue, such as `de`.
        fields: What its template asks for; more fields do no harm.

    Raises:
        KeyError: There is no such key or language, or a field that is asked for is not given.
    """
    texts = catalogue(language)

    def value(match: re.Match[str]) -> str:
        """Return what stands in place of a field."""
        mark, name, single, many = match.groups()
        field = fields[name]
        if mark:
            return sentence(str(field), language, **fields)
        if single is not None:
            return single if field == 1 else many
        if isinstance(field, Sentence):
            return field.text(language)
        return str(field)

    return _FIELD.sub(value, texts[key])


class Sentence(Struct, frozen=True):
    """A sentence of the catalogue with what it is filled with, to be said in any language.

    Sentences among its fields are said in the same language.
    """

    key: str
    fields: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @classmethod
    def plain(cls, text: str) -> "Sentence":
        """Return a text that no catalogue has, the same in every language."""
        return cls("plain.text", {"text": text})

    def text(self, language: str = ENGLISH) -> str:
        """Render it."""
        return sentence(self.key, language, **self.fields)

    def __hash__(self) -> int:
        return hash((self.key, *sorted(self.fields)))


def join_sentences(sentences: Iterable[Sentence], language: str = ENGLISH) -> str:
    """Render sentences, one after the other."""
    return " ".join(filter(None, (sentence.text(language) for sentence in sentences)))


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Join texts: `a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def text_of(reason: "Problem | Bonus", language: str = ENGLISH) -> str:
    """Render the sentence of a problem or of a bonus; see `sentence`."""
    return sentence(reason.key, language, **reason.fields)


@cache
def catalogue(language: str = ENGLISH) -> Mapping[str, str]:
    """Return all templates of a language by key.

    Raises:
        KeyError: There is no such language.
    """
    if language not in languages():
        raise KeyError(f"There are no sentences in {language!r}.")
    return msgspec.json.decode((_FOLDER / f"{language}.json").read_bytes(), type=dict[str, str])


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have a catalogue, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))
