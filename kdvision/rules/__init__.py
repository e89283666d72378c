"""The game: terrain, dominoes, kingdoms, scoring, legality, whole games. Standard library only.

The names below are loaded when they are first used: most programs never play.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kdvision.rules.dominoes import Deck as Deck
    from kdvision.rules.dominoes import Domino as Domino
    from kdvision.rules.duel.map import DuelMap as DuelMap
    from kdvision.rules.duel.map import duel_problems as duel_problems
    from kdvision.rules.duel.map import score_duel as score_duel
    from kdvision.rules.duel.play import play_duel as play_duel
    from kdvision.rules.game.players import AtRandom as AtRandom
    from kdvision.rules.game.players import Greedy as Greedy
    from kdvision.rules.game.players import Lookahead as Lookahead
    from kdvision.rules.game.players import play_game as play_game
    from kdvision.rules.game.record import GameRecord as GameRecord
    from kdvision.rules.game.state import GameState as GameState
    from kdvision.rules.kingdom import Kingdom as Kingdom
    from kdvision.rules.legality import is_legal as is_legal
    from kdvision.rules.legality import problems as problems
    from kdvision.rules.scoring import score as score
    from kdvision.rules.standings import ranking as ranking

#: Where each public name stands.
_MODULES = {
    "AtRandom": "game.players",
    "Deck": "dominoes",
    "Domino": "dominoes",
    "DuelMap": "duel.map",
    "GameRecord": "game.record",
    "GameState": "game.state",
    "Greedy": "game.players",
    "Kingdom": "kingdom",
    "Lookahead": "game.players",
    "duel_problems": "duel.map",
    "is_legal": "legality",
    "play_duel": "duel.play",
    "play_game": "game.players",
    "problems": "legality",
    "ranking": "standings",
    "score": "scoring",
    "score_duel": "duel.map",
}
__all__ = [*_MODULES]


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
