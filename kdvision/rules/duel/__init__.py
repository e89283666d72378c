"""Kingdomino Duel: maps, scoring, legality, dice, whole games (RULES 7)."""

from kdvision.rules.duel.legality import duel_problems as duel_problems
from kdvision.rules.duel.map import Coat as Coat
from kdvision.rules.duel.map import Drawn as Drawn
from kdvision.rules.duel.map import DuelMap as DuelMap
from kdvision.rules.duel.play import EXAMPLE_BOOK as EXAMPLE_BOOK
from kdvision.rules.duel.play import EXAMPLE_DICE as EXAMPLE_DICE
from kdvision.rules.duel.play import ByChance as ByChance
from kdvision.rules.duel.play import Die as Die
from kdvision.rules.duel.play import DuelGame as DuelGame
from kdvision.rules.duel.play import Duelist as Duelist
from kdvision.rules.duel.play import DuelPlayer as DuelPlayer
from kdvision.rules.duel.play import Face as Face
from kdvision.rules.duel.play import Half as Half
from kdvision.rules.duel.play import Placement as Placement
from kdvision.rules.duel.play import Question as Question
from kdvision.rules.duel.play import Spell as Spell
from kdvision.rules.duel.play import placements as placements
from kdvision.rules.duel.play import play_duel as play_duel
from kdvision.rules.duel.powers import Power as Power
from kdvision.rules.duel.scoring import DuelEnd as DuelEnd
from kdvision.rules.duel.scoring import DuelSheet as DuelSheet
from kdvision.rules.duel.scoring import score_duel as score_duel
