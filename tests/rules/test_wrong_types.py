"""Six slips of callers without a type checker: each sentence says what to give."""

import math
from operator import contains, getitem

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
from tests.support.refusing import refuses

SQUARE = parse_cell("W1")
PLAYERS = ByChance(), ByChance()


def test_none_is_nothing_to_score_or_play():
    refuses("NoneType is no kingdom; give a Kingdom, or a line such as", score, None)
    refuses("NoneType is no Duel map; give a DuelMap, or a line.", score_duel, None)
    refuses("NoneType is no list; each of its values is a domino; to read a text", Deck, None)
    refuses("NoneType is no position; give a GameState.", GameRecord, None)
    refuses("NoneType is no position; give a GameState.", is_legal_action, None, Choose(3))
    refuses("'None' is not allowed now. Allowed: ", GameState.start(2).play, None)
    refuses("NoneType is no name of a player; give such as", Result, None, 40)


def test_only_text_is_parsed():
    refuses("NoneType is no text of a square; give such as", parse_cell, None)
    refuses("NoneType is no letter of a terrain; give such as", Terrain.from_letter, None)
    refuses("int is no name of a coat of arms; give such as", Coat.named, 5)
    refuses('int is no text of a move; give such as "3 c4 c5".', parse_action, 3)
    refuses("NoneType is no deck; give its text, such as", Deck.parse, None)
    refuses("NoneType is no text of a kingdom; give a line such as", split_kingdoms, None)


def test_text_is_no_record():
    deck = standard_deck()
    rules = "str is no record of rules; give such as"
    coat = "str is no coat of arms; give such as Coat.DOT."
    face = "str is no face; give such as Face(Coat.DOT)."
    refuses("int is no record of rules; give such as Rules(size=7).", score, "C W", 7)
    refuses(rules, GameState.start, 2, rules="harmony")
    refuses('str is no square; give such as parse_cell("W1").', Domino, 19, "W1", "F")
    refuses("str is no square; give such as", deck.numbers, "W", "F")
    refuses("str is no domino; to read a text take Deck.parse.", Deck, "1 W W")
    refuses("str is no deck; give Deck(dominoes).", problems, "C W W", deck="1 W W")
    refuses("int is no score sheet; give what score gave.", result_of, "Ann", 40)
    refuses(coat, score_duel, DuelMap(), "D")
    refuses(coat, Spell, "D", 4, Power.SPLIT)
    refuses("str is no power; give such as Power.SPLIT.", Spell, Coat.DOT, 4, "split")
    faces = Face(None), Face(None)
    refuses("str is no Duel map; give a DuelMap.", placements, "C", faces)
    refuses(face, placements, DuelMap(), "DD")
    refuses(face, play_duel, PLAYERS, dice=["D"] * 4)
    refuses("NoneType is no line of a spell book; give such", play_duel, PLAYERS, book=[None])


def test_positions_are_numbers_not_names():
    kingdom = Kingdom.parse("C W")
    refuses("'b1' is no position; give (row, col).", getitem, kingdom, "b1")
    refuses("'b1' is no position; give (row, col).", problems, "C W", origin="b1")
    refuses("'c4' is no position; give (row, col).", Lay, 3, "c4", "c5")
    refuses("'(1, 2, 3)' is no position; give (row, col).", contains, kingdom, (1, 2, 3))
    refuses("list is no mapping of cells; give {", Kingdom.of_cells, [(0, 0)])


def test_numbers_and_flags_are_no_words():
    flag = "str is no value of any_king; give True or False."
    refuses(flag, GameState.start, 2, any_king="yes")
    refuses("str is no value of harmony; give True or False.", Rules, harmony="no")
    refuses("str is no seed; give a whole number such as 7.", GameState.start, 2, seed="7.5")
    refuses("str is no number of a domino; give such as 19.", Domino, "19", SQUARE, SQUARE)
    refuses("float is no whole number; a total is one.", Result, "Ann", math.nan)
    refuses("str is no whole number; a total is one.", Result, "Ann", 40, others=("41",))
    refuses("str is no number of squares or crowns.", Result, "Ann", 40, "6")


def test_lists_hold_records():
    result = Result("Ann", 40)
    refuses("int is no list; each of its values is a result; give such as Result(", ranking, 5)
    refuses("Result is no ranked result; give what", GameStanding, "1", [result])
    game = 'str is no game; give such as GameStanding("1", ranking(results)).'
    refuses(game, sums, ["A"])
    refuses("NoneType is no list; each of its values is a tie-break.", sums, [], ties=None)
    refuses("int is no game; give such as GameStanding(", is_dynasty, (1, 2, 3))
    refuses("int is no player; give such as ByChance().", play_duel, [1, 2])
    refuses("int is no die; give its faces.", play_duel, PLAYERS, dice=[5] * 4)
