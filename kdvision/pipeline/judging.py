"""A decoded kingdom is judged: what trust makes of its total, and what is said of it."""

from collections.abc import Sequence

from msgspec.structs import replace

from kdvision.corrections import MOST_SIDE
from kdvision.options import GameOptions
from kdvision.pipeline.settings import PIPELINE
from kdvision.pipeline.trust import Trust
from kdvision.reading import LEFT_OUT, Alternative, Decoded, Doubt, DoubtCode, Reading, Sign
from kdvision.rules.kingdom import Cell, Kingdom, Position, parse_cell


def deck_signs(decoded: Decoded) -> tuple[Sign, ...]:
    """How far the answer is not what was seen, and what is wrong with it."""
    rows = zip(decoded.seen.rows, decoded.kingdom.rows, strict=True)
    changed = sum(one != other for row in rows for one, other in zip(*row, strict=True))
    signs = [Sign(doubt.code, 1.0) for doubt in decoded.warnings]
    return (*signs, Sign(DoubtCode.CORRECTED, float(changed))) if changed else tuple(signs)


def trusted(decoded: Decoded, signs: Sequence[Sign], trust: Trust) -> Decoded:
    """The answer with the probability that trust gives it, the others sharing what is left."""
    posterior = decoded.probability
    probability = trust.probability(posterior, signs)
    scale = (1 - probability) / max(1 - posterior, 1e-9) if probability > posterior else 1.0
    others = tuple(
        replace(one, probability=one.probability * scale) for one in decoded.alternatives
    )
    return replace(decoded, probability=probability, alternatives=others)


def named(reading: Reading, signs: Sequence[Sign], trust: Trust) -> list[Doubt]:
    """The doubts about places and the signs that cost much trust, the costliest first.

    What the deck says of the answer stands with it already; notes on what was left out come last.
    """
    costs = {sign.code: trust.cost(sign) for sign in signs}
    known = {doubt.code for doubt in reading.doubts}
    costly = [
        sign.doubt
        for sign in reading.signs
        if costs[sign.code] >= trust.named_from and sign.code not in known
    ]

    def order(doubt: Doubt) -> tuple[bool, float]:
        lost = 1 - doubt.factor if not doubt.cells else 0.0
        return doubt.code in LEFT_OUT, -(costs.get(doubt.code, 0.0) + 100 * lost)

    return sorted((*reading.doubts, *costly), key=order)


def with_apart(reading: Reading, decoded: Decoded, options: GameOptions) -> Decoded:
    """The answer with the other total, where dominoes lie in line and are not joined."""
    side = options.size or MOST_SIDE
    kingdom = _kingdom_with(decoded.kingdom, reading.apart)
    if not reading.apart or max(kingdom.height, kingdom.width) > side:
        return decoded
    without, total_with = (options.score(one).total for one in (decoded.kingdom.trimmed(), kingdom))
    doubt = Doubt(
        DoubtCode.NOT_JOINED,
        PIPELINE.apart_factor,
        tuple(at for at, _ in reading.apart),
        {"without": without, "total_with": total_with},
    )
    share = decoded.probability * (1 - PIPELINE.apart_factor)
    others = [
        replace(one, probability=one.probability * PIPELINE.apart_factor)
        for one in decoded.alternatives
        if one.score != total_with
    ]
    if total_with != without:
        others.insert(0, Alternative(total_with, share, reading.apart))
    return replace(
        decoded,
        probability=decoded.probability * PIPELINE.apart_factor,
        alternatives=tuple(others),
        warnings=(doubt, *decoded.warnings),
    )


def _kingdom_with(kingdom: Kingdom, apart: Sequence[tuple[Position, str]]) -> Kingdom:
    """A kingdom with more squares, which may lie outside its grid; trimmed."""
    cells: dict[Position, Cell] = {at: cell for at, cell in kingdom.cells() if cell is not None}
    cells |= {at: parse_cell(text) for at, text in apart}
    rows, cols = zip(*cells, strict=True)
    return Kingdom(
        tuple(
            tuple(cells.get((row, col)) for col in range(min(cols), max(cols) + 1))
            for row in range(min(rows), max(rows) + 1)
        )
    )
