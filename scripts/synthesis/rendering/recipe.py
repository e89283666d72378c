"""How scenes are made, and everything that they are made from."""

import tomllib
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from kdvision.rules.game.set_up import VARIANTS as SET_UPS
from scripts.data_split import Board, Crop, boards, crops
from scripts.synthesis.players import AtRandom, Greedy, LaidKingdom, play_game
from scripts.synthesis.rendering.art import Deck, painted_deck, real_deck
from scripts.synthesis.rendering.crowns import other_printing, recrowned_deck, scattered_deck
from scripts.synthesis.tiles.joins import rejoined_deck

#: A castle of any of the solid shapes in a pattern of many colours; `castles/patterns.py` draws it.
PATTERNED = "patterned"
#: Kinds of castles that train, with how often each is drawn; `castles/` draws the others.
KINDS = {
    "box": 0.34,
    "wooden": 0.1,
    "printed": 0.1,
    "solid": 0.12,
    "heap": 0.16,
    PATTERNED: 0.18,
}


class Recipe(Struct, frozen=True, forbid_unknown_fields=True):
    """How scenes are made. All that says how often is a probability.

    Attributes:
        looks: Of the dominoes, each with its weight: `scan`, `flash`, `halves`, `painted`, `board`.
            `recrowned` after the name of a real deck or `painted` has pictures that say nothing of
            crowns, `scattered` crowns anywhere on the squares, `rejoined` dominoes put together
            anew from squares (`tiles/joins.py`).
        clutter: Scales how much lies beside the kingdoms.
        tilt: The largest angle between the view and the vertical, in radians.
        slanted: How often the angle is drawn evenly up to that one.
        castles: How often castles stand on the start tiles.
        castle_kinds: What they are, each with its weight.
        smallest: Pixels of a square in the middle of the picture, at least.
        painted_seeds: The first seed of painted decks, and the one after the last.
        counts: How likely 1, 2, 3 and 4 kingdoms in a picture are.
        longest: The longer side of the picture in pixels.
        one_box: Whether the kingdoms of a picture have no domino twice.
        arms: How often arms reach over kingdoms.
        kings_on_tiles: How often kings stand on tiles.
        kings_on_castles: How often a start tile has a king of its colour.
        plain: How often the start tiles of a picture show no colour.
        cups: How often a cup or a glass stands beside a kingdom.
        small: How often kingdoms are small in the picture, down to an eighth of its width.
        edges: How often tiles end as in `tiles/edges.py`, and not in sharp corners without a rim.
        share: How much of the picture is filled: the least, the usual and the most.
        cloths: How often a plain cloth in the colour of a terrain lies below.
        most_dominoes: Ends the games early: what lies far from the castle says nothing of it.
        reprinted: How often a deck has other start tiles, castles and kings.
        six_lamps: Whether the light is one of `light.LAMPS`.
        touching: Whether the kingdoms of a picture are pushed together.
    """

    looks: dict[str, float]
    clutter: float = 1.0
    tilt: float = 0.95
    castles: float = 0.25
    smallest: float = 22.0
    painted_seeds: tuple[int, int] = (1000, 1012)
    counts: tuple[float, float, float, float] = (0.7, 0.14, 0.06, 0.1)
    longest: int = 1024
    one_box: bool = False
    slanted: float = 0.2
    castle_kinds: dict[str, float] = msgspec.field(default_factory=KINDS.copy)
    arms: float = 0.08
    kings_on_tiles: float = 0.12
    kings_on_castles: float = 0.0
    plain: float = 0.12
    cups: float = 0.06
    small: float = 0.15
    edges: float = 0.0
    share: tuple[float, float, float] = (0.3, 0.85, 1.05)
    cloths: float = 0.0
    most_dominoes: int = 24
    reprinted: float = 0.0
    six_lamps: bool = False
    touching: bool = False


def read_recipes(path: Path) -> dict[str, Recipe]:
    """Return the recipes of a TOML file by their names.

    `like` names a recipe above it in the file, of which all settings are taken that are not given.

    Raises:
        msgspec.ValidationError: A setting is unknown, or not of its type.
    """
    recipes: dict[str, Recipe] = {}
    for name, settings in tomllib.loads(path.read_text("utf-8")).items():
        like = settings.pop("like", "")
        taken = asdict(recipes[like]) if like else {}
        recipes[name] = msgspec.convert(taken | settings, Recipe)
    return recipes


#: So many variants of a real deck with changed crowns are made.
VARIANTS = 10
#: Those from this one on never train.
MEASURING_VARIANT = 100


@dataclass
class Sources:
    """Everything scenes are made from. `data` None: only our own artwork and grounds."""

    data: Path | None
    measuring: bool = False
    kingdoms: list[LaidKingdom] = field(default_factory=list)

    @cached_property
    def boards(self) -> list[Board]:
        """Boards of this side of the split."""
        return boards(self.data, measuring=self.measuring) if self.data else []

    @cached_property
    def ground(self) -> list[Crop]:
        """Photographed ground of this side of the split."""
        every = crops(self.data, measuring=self.measuring) if self.data else []
        return [crop for crop in every if crop.label == "-"]

    def deck(self, look: str, seed: int) -> Deck:
        """Return the pictures of one look."""
        if look.startswith("painted") or self.data is None:
            return _painted(seed, recrowned="recrowned" in look)
        name, _, change = look.partition(" ")
        if change == "other printing":
            return other_printing(self.data, name)
        if change == "rejoined":
            return rejoined_deck(self.data, name, seed % VARIANTS)
        if change == "scattered":
            return scattered_deck(self.data, name, seed)
        if change == "recrowned":
            variant = seed % VARIANTS + (MEASURING_VARIANT if self.measuring else 0)
            return recrowned_deck(self.data, name, variant)
        return real_deck(self.data, look)


#: Painted decks that are kept, some 14 MB each; painting one takes a second or two.
_painted = lru_cache(maxsize=64)(painted_deck)


def kingdom_pool(seed: int, games: int) -> list[LaidKingdom]:
    """Return kingdoms of whole games, 5x5 and 7x7, played greedily and at random."""
    rng = Random(seed)
    pool: list[LaidKingdom] = []
    for _ in range(games):
        variant = rng.choice(["four-players", "four-players", "two-players", "mighty-duel"])
        set_up = SET_UPS[variant]
        players = [Greedy() if rng.random() < 0.6 else AtRandom() for _ in range(set_up.players)]
        pool.extend(play_game(players, rng.randrange(2**31), set_up.variant).kingdoms)
    return pool
