"""The letters of a table that is not UTF-8: which code page makes names of its bytes.

Excel has three kinds of CSV besides UTF-8: in the code page of Windows (western or central Europe),
of an old Mac (with its line ends), and of MS-DOS. The file does not say which. Where a byte is a
letter of one and a sign in the middle of a word in another, it is the first.
"""

#: Likelier ones first: they win where others do as well.
_WINDOWS = ("cp1252", "cp1250", "cp850")
_MAC = ("mac_roman", "cp1252")
#: Signs that stand between letters as well.
_IN_WORDS = "\u2019\u2013\u2014"


def code_pages(data: bytes) -> tuple[str, ...]:
    """The code pages by which text can be read, the one that makes most sense first."""
    pages = _MAC if b"\r" in data and b"\n" not in data else _WINDOWS
    worth = {}
    for page in pages:
        try:
            worth[page] = _sense(data.decode(page))
        except UnicodeDecodeError:  # a byte that it has no letter for
            continue
    return tuple(sorted(worth, key=lambda page: -worth[page]))


def _sense(text: str) -> int:
    """Letters with marks in their place, less signs in the middle of words."""
    found = 0
    for before, letter, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        if letter.isascii():
            continue
        if letter in _IN_WORDS or (
            letter.isalpha() and not (letter.isupper() and before.islower())
        ):
            found += 1
        elif before.isalpha() and after.isalpha():
            found -= 1
    return found
