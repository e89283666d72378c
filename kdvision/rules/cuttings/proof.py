"""The dominoes of a kingdom: which could lie where, in an order in which they could be laid."""

from collections.abc import Iterable

from kdvision.rules.cutting import SquareBits, board, cuttings
from kdvision.rules.dominoes import Domino, Face, deck, face
from kdvision.rules.game.laying import Laid
from kdvision.rules.kingdom import Kingdom, Position, neighbours
from kdvision.rules.terrain import Square


def legal_cutting(kingdom: Kingdom) -> tuple[Laid, ...] | None:
    """Dominoes of the deck that cover the kingdom, in an order that the rules allow (RULES 6).

    Of alike dominoes the lower numbers are taken first.

    Args:
        kingdom: What lies on the table. How wide it is does not matter here.

    Returns:
        None when there is no such order, or not exactly one castle.
    """
    squares = board(kingdom)
    if len(kingdom.castles()) != 1:
        return None
    cutting = next(cuttings(squares, squares.whole), None)
    return None if cutting is None else _in_order(_numbered(kingdom, squares, cutting), kingdom)


def deck_cutting(kingdom: Kingdom) -> tuple[Laid, ...] | None:
    """Dominoes of the deck that cover the kingdom, whether or not they could be laid so.

    Those that could come first, in an order that the rules allow; the others follow.

    Returns:
        None when the squares cannot be cut into dominoes of the deck.
    """
    squares = board(kingdom)
    cutting = next(cuttings(squares), None)
    return None if cutting is None else _in_order(_numbered(kingdom, squares, cutting), kingdom)


def _numbered(kingdom: Kingdom, squares: SquareBits, cutting: Iterable[int]) -> list[Laid]:
    """Find a domino for each pair of a cutting."""
    by_face: dict[Face, list[Domino]] = {}
    for domino in reversed(deck()):
        by_face.setdefault(domino.face, []).append(domino)
    found = []
    for pair in sorted(cutting):
        one, other = squares.halves(pair)
        left, right = kingdom[one], kingdom[other]
        assert isinstance(left, Square) and isinstance(right, Square)
        domino = by_face[face(left, right)].pop()
        found.append(Laid(domino, *((one, other) if domino.left == left else (other, one))))
    return found


def _in_order(dominoes: list[Laid], kingdom: Kingdom) -> tuple[Laid, ...]:
    """Sort dominoes so that each touches the castle or matches an earlier one, while any does."""
    lying: dict[Position, Square] = {}
    castles = set(kingdom.castles())
    waiting = list(dominoes)
    ordered: list[Laid] = []
    while waiting:
        fits = (laid for laid in waiting if _joins(laid, castles, lying))
        laid = next(fits, None)
        if laid is None:
            break
        waiting.remove(laid)
        lying.update(laid.squares)
        ordered.append(laid)
    return (*ordered, *waiting)


def _joins(laid: Laid, castles: set[Position], lying: dict[Position, Square]) -> bool:
    """Whether a domino touches a castle, or its terrain on an earlier one (RULES 5.1)."""
    return any(
        near in castles or (near in lying and lying[near].terrain is square.terrain)
        for at, square in laid.squares
        for near in neighbours(at)
    )
