"""Calling the classifier: patches become probabilities, from four sides where one is not enough."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kdvision.arrays import Array, Image
from kdvision.concurrency import side_by_side
from kdvision.vision.squares.evidence import Word, with_word

#: A place is looked at from all four sides unless the first look is surer than this.
SURE_AT_FIRST_LOOK = 0.999
#: A thread shows the reader so many patches at once: the layers of more do not fit into a core's
#: own memory, and fewer would be shared out no better.
PATCHES_AT_ONCE = 4


def read_patches(
    patches: Image,
    session: Any,
    temperature: float = 1.0,
    word: Word | None = None,
    threads: int = 1,
) -> Array:
    """Probabilities (n, 18) of patches (n, 64, 64, 3), from four sides where one is not enough.

    With the word of others on each of them, where there is one.
    """
    probabilities = _softmax(_logits(patches, session, threads), temperature)
    sure = with_word(probabilities, word).max(axis=1) >= SURE_AT_FIRST_LOOK
    unsure = np.nonzero(~sure)[0]
    if len(unsure):
        turned = [np.rot90(patches[unsure], quarters, axes=(1, 2)) for quarters in (1, 2, 3)]
        logits = _logits(np.concatenate(turned), session, threads).reshape(3, len(unsure), -1)
        looks = _softmax(logits, temperature)
        probabilities[unsure] = (probabilities[unsure] + looks.sum(axis=0)) / 4
    return with_word(probabilities, word)


def _logits(patches: Image, session: Any, threads: int) -> Array:
    """Logits (n, 18), few patches at a time: memory must not follow the photo."""

    def logits(part: Image) -> NDArray[np.float32]:
        rgb = np.ascontiguousarray(part)
        return np.asarray(session.run(None, {"rgb": rgb})[0], np.float32)

    starts = range(0, len(patches), PATCHES_AT_ONCE)
    parts = [patches[start : start + PATCHES_AT_ONCE] for start in starts]
    return np.concatenate(side_by_side(logits, parts, threads)).astype(np.float64)


def _softmax(logits: Array, temperature: float) -> Array:
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
