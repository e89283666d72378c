"""The game: terrain, dominoes, kingdoms, scoring, legality, whole games. Standard library only."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kdvision.rules.game.state import GameState

__all__ = ["GameState"]


def __getattr__(name: str) -> Any:
    """`GameState`, loaded only when it is asked for: most programs never play."""
    if name in __all__:
        from kdvision.rules.game.state import GameState

        return GameState
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
