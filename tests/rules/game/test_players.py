from random import Random
from statistics import mean

from kdvision.rules.dominoes import deck
from kdvision.rules.game.laying import Laid, Realm
from kdvision.rules.game.play import FOUR_PLAYERS, MIGHTY_DUEL, play_game
from kdvision.rules.game.players import AtRandom, Greedy
from kdvision.rules.scoring import score

RNG = Random(1)


def test_greedy_takes_the_points() -> None:
    # Three wheat squares lie; domino 19 has the crown that pays for them.
    realm = Realm().lay(Laid(deck()[0], (0, 1), (0, 2)))
    line = [deck()[2], deck()[6], deck()[18]]
    assert Greedy().choose(line, realm, RNG).number == 19
    move = Greedy(tidiness=0).lay(realm.moves(deck()[18]), realm, RNG)
    assert score(realm.lay(move).kingdom).total == 3


def test_greedy_joins_territories() -> None:
    realm = Realm().lay(Laid(deck()[18], (0, 1), (1, 1))).lay(Laid(deck()[0], (-1, 0), (-2, 0)))
    move = Greedy(tidiness=0).lay(realm.moves(deck()[1]), realm, RNG)
    assert score(realm.lay(move).kingdom).total == 5


def test_greedy_avoids_a_domino_without_a_place() -> None:
    realm = Realm()
    for one, other in (((0, 1), (1, 1)), ((1, 0), (2, 0)), ((0, -1), (-1, -1)), ((-1, 0), (-2, 0))):
        realm = realm.lay(Laid(deck()[6], one, other))
    line = [deck()[11], deck()[16]]  # swamp and swamp; forest and lake
    assert Greedy().choose(line, realm, RNG).number == 17


def test_greedy_closes_in_no_single_place() -> None:
    realm = Realm(5).lay(Laid(deck()[0], (0, 1), (0, 2))).lay(Laid(deck()[1], (1, 0), (2, 0)))
    for seed in range(10):
        move = Greedy().lay(realm.moves(deck()[12]), realm, Random(seed))
        cells = realm.lay(move).cells
        assert not ((1, 1) not in cells and (1, 2) in cells and (2, 1) in cells)


def test_greedy_kingdoms_are_fuller_and_richer_than_those_by_chance() -> None:
    for set_up in (FOUR_PLAYERS, MIGHTY_DUEL):
        realms = {
            type(player): [
                realm
                for seed in range(4)
                for realm in play_game([player] * set_up.players, seed, set_up).realms
            ]
            for player in (AtRandom(), Greedy())
        }
        totals = {
            sort: mean(score(realm.kingdom, set_up.size).total for realm in found)
            for sort, found in realms.items()
        }
        laid = {sort: mean(len(realm.laid) for realm in found) for sort, found in realms.items()}
        assert totals[Greedy] > 1.5 * totals[AtRandom]
        assert laid[Greedy] > laid[AtRandom]
