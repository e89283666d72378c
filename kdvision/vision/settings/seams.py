"""Hand-set numbers of reading seams.

A field that decides whether a kingdom is called legal is `Annotated` with `"legal"`.
"""

from typing import Annotated

from msgspec import Struct


class SeamsSettings(Struct, frozen=True):
    """Numbers of the reading of seams.

    Attributes:
        most: The largest logarithm of a likelihood ratio, natural: e to the 5th is 150 to 1, about
            as many patches as there are for each error on looks that did not train.
        pairs_at_once: Patches that go through the network together.
    """

    most: Annotated[float, "legal"] = 5.0
    pairs_at_once: int = 64


#: The numbers in use.
SEAMS = SeamsSettings()
