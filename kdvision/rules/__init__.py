"""The game: terrain, dominoes, kingdoms, scoring, legality, whole games. Standard library only.

The names below are loaded when they are first used: most programs never play.

    >>> from kdvision.rules import score
    >>> score("C W1 G/W W -").total
    3
"""

from typing import TYPE_CHECKING

from kdvision.lazy import lazy_names

if TYPE_CHECKING:
    from kdvision.rules.dominoes import Deck as Deck
    from kdvision.rules.dominoes import Domino as Domino
    from kdvision.rules.duel import DuelMap as DuelMap
    from kdvision.rules.duel import duel_problems as duel_problems
    from kdvision.rules.duel import play_duel as play_duel
    from kdvision.rules.duel import score_duel as score_duel
    from kdvision.rules.errors import IllegalActionError as IllegalActionError
    from kdvision.rules.errors import KdvisionError as KdvisionError
    from kdvision.rules.errors import NotationError as NotationError
    from kdvision.rules.errors import RulesError as RulesError
    from kdvision.rules.game.laying import Choose as Choose
    from kdvision.rules.game.laying import Discard as Discard
    from kdvision.rules.game.laying import Lay as Lay
    from kdvision.rules.game.record import GameRecord as GameRecord
    from kdvision.rules.game.state import GameState as GameState
    from kdvision.rules.game.state import is_legal_action as is_legal_action
    from kdvision.rules.kingdom import Kingdom as Kingdom
    from kdvision.rules.legality import is_legal as is_legal
    from kdvision.rules.legality import problems as problems
    from kdvision.rules.rules import Centre as Centre
    from kdvision.rules.rules import Rules as Rules
    from kdvision.rules.scoring import score as score
    from kdvision.rules.standings import Result as Result
    from kdvision.rules.standings import TieRule as TieRule
    from kdvision.rules.standings import ranking as ranking

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "dominoes": ("Deck", "Domino"),
        "duel": ("DuelMap", "duel_problems", "play_duel", "score_duel"),
        "errors": ("IllegalActionError", "KdvisionError", "NotationError", "RulesError"),
        "game.laying": ("Choose", "Discard", "Lay"),
        "game.record": ("GameRecord",),
        "game.state": ("GameState", "is_legal_action"),
        "kingdom": ("Kingdom",),
        "legality": ("is_legal", "problems"),
        "rules": ("Centre", "Rules"),
        "scoring": ("score",),
        "standings": ("Result", "TieRule", "ranking"),
    },
)
