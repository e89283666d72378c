"""Hand-set numbers of reading seams.

A field that decides whether a kingdom is called legal carries `metadata={"decides": "legal"}`.
"""

from dataclasses import field

from kdvision.values import frozen


@frozen
class SeamsSettings:
    """Numbers of the reading of seams.

    Attributes:
        most: The largest logarithm of a likelihood ratio, natural: e to the 5th is 150 to 1, about
            as many patches as there are for each error on looks that did not train.
        pairs_at_once: Patches that go through the network together.
    """

    most: float = field(default=5.0, metadata={"decides": "legal"})
    pairs_at_once: int = 64


#: The numbers in use.
SEAMS = SeamsSettings()
