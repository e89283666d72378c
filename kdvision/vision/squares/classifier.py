"""Calling the classifier: patches become probabilities, from four sides where one is not enough."""

from functools import cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kdvision.arrays import Array, Image
from kdvision.concurrency import side_by_side
from kdvision.rules.dominoes import square_counts
from kdvision.rules.terrain import EMPTY_LABEL, LABELS, SQUARE_KINDS
from kdvision.vision.models import Session
from kdvision.vision.settings import SQUARES
from kdvision.vision.squares.evidence import Evidence, clearly_bare, weighed


class Classified(Struct, frozen=True, eq=False):
    """What the classifier makes of patches.

    Attributes:
        probabilities: (n, 18) of `LABELS`, weighed with the evidence of others, summing to 1.
        hidden: (n,) probability that too little of the place is seen to tell; 0 throughout with a
            model that does not know it.
    """

    probabilities: Array
    hidden: Array


def classify(
    patches: Image,
    session: Session,
    temperature: float = 1.0,
    evidence: Evidence | None = None,
    threads: int = 1,
) -> Classified:
    """Classify patches (n, 64, 64, 3), from all four sides where one is not enough.

    What others are sure is bare is not looked at: half of the places of a usual window.

    Args:
        patches: RGB, as `patches.cut_patches` cuts them.
        session: The model `squares`, with 18 labels, or a 19th for what is hidden.
        temperature: Divides the logits; fitted on sources that were not trained on.
        evidence: What others say of each place, where it is known.
        threads: How many of them share the patches.
    """
    outputs = np.tile(_bare(), (len(patches), 1))
    looked_at = np.nonzero(~clearly_bare(evidence, len(patches)))[0]
    if len(looked_at):
        seen = _softmax(_logits(patches[looked_at], session, threads), temperature)
        outputs[looked_at, : seen.shape[1]] = seen
    from_one_side = weighed(_opened(outputs), evidence).max(axis=1)
    unsure = looked_at[from_one_side[looked_at] < SQUARES.sure_from_one_side]
    if len(unsure):
        turned = [np.rot90(patches[unsure], quarters, axes=(1, 2)) for quarters in (1, 2, 3)]
        logits = _logits(np.concatenate(turned), session, threads).reshape(3, len(unsure), -1)
        others = _softmax(logits, temperature).sum(axis=0)
        known = others.shape[1]
        outputs[unsure, :known] = (outputs[unsure, :known] + others) / 4
    return Classified(weighed(_opened(outputs), evidence), outputs[:, len(LABELS) :].sum(axis=1))


def _bare() -> Array:
    """(19,) what the classifier says, at least, of a place that is clearly bare."""
    outputs = np.append((1 - SQUARES.sure_from_one_side) * _open_shares(), 0.0)
    outputs[EMPTY_LABEL] += SQUARES.sure_from_one_side
    return outputs


def _opened(outputs: Array) -> Array:
    """Probabilities (n, 18) of outputs (n, 18 or 19): what is hidden counts as open.

    A hidden place is bare or a square, and a square as the deck has them. How likely it is bare is
    for the detector to say, so half of it is bare before that is weighed in.
    """
    shown, hidden = outputs[:, : len(LABELS)], outputs[:, len(LABELS) :]
    return shown + hidden * _open_shares() if hidden.shape[1] else shown


@cache
def _open_shares() -> Array:
    """(18,) probabilities of a place of which nothing is seen."""
    counts = square_counts()
    kinds = np.array([counts[kind] for kind in SQUARE_KINDS], np.float64)
    shares = np.zeros(len(LABELS))
    shares[: len(kinds)] = 0.5 * kinds / kinds.sum()
    shares[EMPTY_LABEL] = 0.5
    return shares


def _logits(patches: Image, session: Session, threads: int) -> Array:
    """Logits (n, 18 or 19), few patches at a time: memory must not follow the photo."""

    def logits(part: Image) -> NDArray[np.float32]:
        rgb = np.ascontiguousarray(part)
        return np.asarray(session.run(None, {"rgb": rgb})[0], np.float32)

    at_once = SQUARES.patches_at_once
    parts = [patches[start : start + at_once] for start in range(0, len(patches), at_once)]
    return np.concatenate(side_by_side(logits, parts, threads)).astype(np.float64)


def _softmax(logits: Array, temperature: float) -> Array:
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
