"""How scenes are made, and everything that they are made from."""

import pickle
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random

from kdvision.rules.game.laying import Realm
from kdvision.rules.game.play import FOUR_PLAYERS, MIGHTY_DUEL, TWO_PLAYERS, play_game
from kdvision.rules.game.players import AtRandom, Greedy
from scripts.data_split import Board, Crop, boards, crops
from scripts.synthesis.rendering.art import Deck, halves_deck, painted_deck, real_deck


@dataclass(slots=True)
class Recipe:
    """How scenes are made: the looks with their weights, and how full the table is.

    `looks` are `scan`, `flash`, `halves`, `painted`, `board`. `most` is the largest number of
    kingdoms in a picture, `counts` how likely 1, 2, 3 and 4 of them are. `clutter` scales how
    much lies beside them. `longest` is the longer side of the picture in pixels. With `one_box`
    the kingdoms of a picture have no domino twice.
    """

    looks: dict[str, float]
    most: int = 4
    clutter: float = 1.0
    tilt: float = 0.95
    castles: float = 0.25
    smallest: float = 22.0
    painted_seeds: tuple[int, int] = (1000, 1012)
    counts: tuple[float, float, float, float] = (0.7, 0.14, 0.06, 0.1)
    longest: int = 1024
    one_box: bool = False
    slanted: float = 0.2


#: What the networks are trained on. `halves` is a look that is never trained on.
TRAINING = Recipe({"scan": 0.32, "flash": 0.28, "painted": 0.2, "board": 0.2})


@dataclass
class Sources:
    """Everything scenes are made from. `data` None: only our own artwork and grounds."""

    data: Path | None
    measuring: bool = False
    realms: list[Realm] = field(default_factory=list)

    @cached_property
    def boards(self) -> list[Board]:
        """Boards of this side of the split."""
        return boards(self.data, measuring=self.measuring) if self.data else []

    @cached_property
    def ground(self) -> list[Crop]:
        """Photographed ground of this side of the split."""
        if not self.data:
            return []
        return [crop for crop in crops(self.data, measuring=self.measuring) if crop.label == "-"]

    def deck(self, look: str, seed: int) -> Deck:
        """The pictures of one look."""
        if look == "painted" or self.data is None:
            return _painted(seed)
        return halves_deck(self.data) if look == "halves" else real_deck(self.data, look)


_PAINTED: dict[int, Deck] = {}


def _painted(seed: int) -> Deck:
    if seed not in _PAINTED:
        _PAINTED[seed] = painted_deck(seed)
    return _PAINTED[seed]


def realm_pool(seed: int, games: int, cache: Path | None = None) -> list[Realm]:
    """Kingdoms of whole games, 5x5 and 7x7, played greedily and at random."""
    if cache and cache.is_file():
        return list(pickle.loads(cache.read_bytes()))
    rng = Random(seed)
    pool: list[Realm] = []
    for _ in range(games):
        set_up = rng.choice([FOUR_PLAYERS, FOUR_PLAYERS, TWO_PLAYERS, MIGHTY_DUEL])
        players = [Greedy() if rng.random() < 0.6 else AtRandom() for _ in range(set_up.players)]
        pool.extend(play_game(players, rng.randrange(2**31), set_up).realms)
    if cache:
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_bytes(pickle.dumps(pool))
    return pool
