"""Names that people write: with joined emoji, and the letters of every script."""

import unicodedata

from kdvision.serve.refusals import Refusal
from kdvision.tournament.columns import fold_name

#: Letters of the name of a player or an evening.
NAME_LETTERS = 60
#: What joins emoji, or parts letters of a word as in Persian.
_JOINERS = "\u200c\u200d"
#: Kinds of characters that nobody can see, or that change what stands around them.
_UNSEEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


def check_name(text: str) -> str:
    """Return a name that a person wrote, with single blanks; empty for none.

    Raises:
        Refusal: It is too long, or has characters that nobody can see.
    """
    name = " ".join(text.split())
    if len(name) > NAME_LETTERS:
        raise Refusal(422, "name-too-long", count=len(name), most=NAME_LETTERS)
    unseen = [letter for letter in name if unicodedata.category(letter) in _UNSEEN]
    if any(letter not in _JOINERS for letter in unseen) or (name and not fold_name(name)):
        raise Refusal(422, "name-unseen")
    return name
