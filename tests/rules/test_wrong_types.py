"""What is given for something else is refused in a sentence that says what to give."""

# Callers who use no type checker give what these tests give.
# mypy: disable-error-code="arg-type, operator, index, list-item"

import math
import re

import pytest

from kdvision.rules import (
    Choose,
    Deck,
    Domino,
    DuelMap,
    GameRecord,
    GameState,
    Kingdom,
    Lay,
    Result,
    Rules,
    RulesError,
    is_legal_action,
    play_duel,
    problems,
    ranking,
    score,
    score_duel,
)
from kdvision.rules.dominoes import standard_deck
from kdvision.rules.duel import ByChance, Coat, Face, Power, Spell, placements
from kdvision.rules.game.laying import parse_action
from kdvision.rules.kingdom import parse_cell, split_kingdoms
from kdvision.rules.series import is_dynasty, sums
from kdvision.rules.standings import GameStanding, result_of
from kdvision.rules.terrain import Terrain

SQUARE = parse_cell("W1")
PLAYERS = ByChance(), ByChance()
#: What a caller writes, and the beginning of the sentence about it.
REFUSED = [
    # Text.
    (lambda: parse_cell(None), "NoneType is no text of a square; give such as"),
    (lambda: Terrain.from_letter(None), "NoneType is no letter of a terrain; give such as"),
    (lambda: Coat.named(5), "int is no name of a coat of arms; give such as"),
    (lambda: parse_action(3), 'int is no text of a move; give such as "3 c4 c5".'),
    (
        lambda: GameState.start(2, any_king="yes"),
        "str is no value of any_king; give True or False.",
    ),
    (lambda: GameState.start(2, tie_rule="x"), "'x' is no tie rule; write one of 'crowns',"),
    (lambda: Deck.parse(None), "NoneType is no deck; give its text, such as"),
    (lambda: split_kingdoms(None), "NoneType is no text of a kingdom; give a line such as"),
    # Kingdoms and decks.
    (lambda: Kingdom.parse("W " * 65), "A kingdom has at most 64 rows and columns."),
    (lambda: (1, 2, 3) in Kingdom(()), "'(1, 2, 3)' is no position; give (row, col)."),
    (lambda: problems("C W", origin="b1"), "'b1' is no position; give (row, col)."),
    (lambda: Kingdom.of_cells([(0, 0)]), "list is no mapping of cells; give {"),
    (lambda: Kingdom.parse("C W")["b1"], "'b1' is no position; give (row, col)."),
    (lambda: Rules(harmony="no"), "str is no value of harmony; give True or False."),
    (lambda: Rules(centre=None), "'None' is no centre; write one of 'box', 'frame'."),
    (lambda: Domino("19", SQUARE, SQUARE), "str is no number of a domino; give such as 19."),
    (lambda: Domino(19, "W1", "F"), 'str is no square; give such as parse_cell("W1").'),
    (lambda: Rules(size=6), "The size of a kingdom is 5 or 7, not 6."),
    (lambda: score("C W", 7), "int is no record of rules; give such as Rules(size=7)."),
    (lambda: score(None), "NoneType is no kingdom; give a Kingdom, or a line such as"),
    (lambda: Deck("1 W W"), "str is no domino; to read a text take Deck.parse."),
    (lambda: Deck(None), "NoneType is no list; each of its values is a domino; to read a text"),
    (lambda: standard_deck().numbers("W", "F"), "str is no square; give such as"),
    (lambda: problems("C W W", deck="1 W W"), "str is no deck; give Deck(dominoes)."),
    # Games.
    (lambda: GameState.start(2, rules="harmony"), "str is no record of rules; give such as"),
    (lambda: GameRecord(None), "NoneType is no position; give a GameState."),
    (lambda: is_legal_action(None, Choose(3)), "NoneType is no position; give a GameState."),
    (lambda: GameState.start(2, variant=["chess"]), "\"['chess']\" is no variant. Write one of"),
    (lambda: GameState.start(2, seed="7.5"), "str is no seed; give a whole number such as 7."),
    (lambda: GameState.start(2).play(None), "'None' is not allowed now. Allowed: "),
    (lambda: Lay(3, "c4", "c5"), "'c4' is no position; give (row, col)."),
    # Standings.
    (lambda: Result(None, 40), "NoneType is no name of a player; give such as"),
    (lambda: Result("Ann", math.nan), "float is no whole number; a total is one."),
    (lambda: Result("Ann", 40, "6"), "str is no number of squares or crowns."),
    (lambda: ranking(5), "int is no list; each of its values is a result; give such as Result("),
    (lambda: Result("Ann", 40, others=("41",)), "str is no whole number; a total is one."),
    (lambda: result_of("Ann", 40), "int is no score sheet; give what score gave."),
    (lambda: GameStanding("1", [Result("Ann", 40)]), "Result is no ranked result; give what"),
    (lambda: sums(["A"]), 'str is no game; give such as GameStanding("1", ranking(results)).'),
    (lambda: sums([], ties=None), "NoneType is no list; each of its values is a tie-break."),
    (lambda: is_dynasty((1, 2, 3)), "int is no game; give such as GameStanding("),
    # Kingdomino Duel.
    (lambda: score_duel(None), "NoneType is no Duel map; give a DuelMap, or a line."),
    (lambda: score_duel(DuelMap(), "D"), "str is no coat of arms; give such as Coat.DOT."),
    (lambda: Spell("D", 4, Power.SPLIT), "str is no coat of arms; give such as Coat.DOT."),
    (lambda: Spell(Coat.DOT, 4, "split"), "str is no power; give such as Power.SPLIT."),
    (lambda: placements("C", (Face(None), Face(None))), "str is no Duel map; give a DuelMap."),
    (lambda: placements(DuelMap(), "DD"), "str is no face; give such as Face(Coat.DOT)."),
    (lambda: placements(DuelMap(), ""), "A domino of Kingdomino Duel has two faces."),
    (lambda: play_duel([1, 2]), "int is no player; give such as ByChance()."),
    (lambda: play_duel(PLAYERS, dice=[5] * 4), "int is no die; give its faces."),
    (lambda: play_duel(PLAYERS, dice=["D"] * 4), "str is no face; give such as Face(Coat.DOT)."),
    (lambda: play_duel(PLAYERS, book=[None]), "NoneType is no line of a spell book; give such"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_wrong_types_are_refused(call, sentence):
    with pytest.raises(RulesError, match=re.escape(sentence)):
        call()
