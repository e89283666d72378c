"""Who played where, and what counts: the rows of sheets as entries of a ranking."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kdvision.corrections import kingdom_name
from kdvision.result import Status
from kdvision.rules.scoring import score
from kdvision.rules.standings import Result, result_of
from kdvision.sentences import ENGLISH, sentence
from kdvision.tournament.columns import fold_name
from kdvision.tournament.judging import Word
from kdvision.tournament.rows import Row


class Counted(Struct, frozen=True):
    """What counts of a row.

    Attributes:
        total: The total, the likeliest where it is doubtful; None where there is none.
        others: The other totals that it may have; None where it may have any.
        note: What is not sure, or why there is no total.
        is_score: Whether the total is that of the row's reading, whose territories break ties.
        is_spare: Whether a run found nothing that counts, so that another row of the player in
            the game goes first.
        is_withdrawn: Whether there will be no total, as the note says.
    """

    total: int | None = None
    others: tuple[int, ...] | None = ()
    note: str = ""
    is_score: bool = False
    is_spare: bool = False
    is_withdrawn: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the total hangs on a decision."""
        return not self.is_withdrawn and (self.total is None or self.others != ())


class Entry(Struct, frozen=True):
    """A row as an entry of a ranking.

    Attributes:
        row: The row.
        counted: What counts of it.
        round: The round, as it was written first; empty where there are none.
        game: The game, as it was written first; empty where a round is one game.
        player: The player, by a name that no other has; empty where nobody is named.
        copy: How many rows before this one name the player in the same round or game.
        is_person: Whether a person is named, and not the photo in place of one.
        is_ranked: Whether it is ranked: the row belongs to a game, and is no spare beside another
            row of the player.
    """

    row: Row
    counted: Counted
    round: str
    game: str
    player: str = ""
    copy: int = 0
    is_person: bool = True
    is_ranked: bool = True

    @property
    def appearance(self) -> tuple[str, str, str]:
        """The player in a round, or in a game where there are no rounds: it has one result."""
        if self.round:
            return self.row.player_key, self.round, ""
        return self.row.player_key, "", self.game

    @property
    def name(self) -> str:
        """What rankings call the player: a copy has its own number."""
        return f"{self.player} ({self.copy + 1})" if self.copy else self.player

    @property
    def result(self) -> Result:
        """The result of the player in the game."""
        row, counted = self.row, self.counted
        if counted.total is None:
            return Result(self.name, None)
        if row.reading is None or not counted.is_score:
            return Result(self.name, counted.total, others=counted.others)
        known = result_of(self.name, score(row.reading, row.rules))
        return Result(
            self.name,
            counted.total,
            largest=known.largest,
            crowns=known.crowns,
            others=counted.others,
        )


def number_rounds(rows: Sequence[Row]) -> list[Row]:
    """Return rows with their rounds: each of several sheets is one, in their order.

    Rows of a sheet with a column `round` keep theirs. Where some sheets name players, the other
    sheets are no rounds.
    """
    numbers: dict[str, str] = {}
    is_named = any(row.player_key for row in rows)
    for row in rows:
        if row.player_key or (row.sheet and not is_named):
            numbers.setdefault(row.sheet, str(len(numbers) + 1))
    numbered: list[Row] = []
    for row in rows:
        if len(numbers) > 1 and row.sheet in numbers and not row.has_column("round"):
            row = replace(row, round=numbers[row.sheet])
        numbered.append(row)
    return numbered


def enter_rows(rows: Sequence[Row], language: str = ENGLISH) -> list[Entry]:
    """Return an entry for every row, in their order.

    Where no row names a player, photos do: a photo of several kingdoms is a game by itself, and a
    single photo of no game and no round belongs to none.

    Args:
        rows: The rows; those of results have their found cells.
        language: That of the notes.
    """
    is_named = any(row.player_key for row in rows)
    kingdoms = Counter(row.photo for row in rows if row.photo and row.reading)
    if not is_named:
        rows = _name_by_photo(rows, kingdoms)
    players = _name_players(rows)
    words: dict[str, str] = {}
    entries: list[Entry] = []
    for row in rows:
        round_ = words.setdefault(fold_name(row.round), row.round)
        game = words.setdefault(fold_name(row.game), row.game)
        if not game and not round_:
            if kingdoms[row.photo] > 1:
                game = row.photo
            elif is_named:
                game = "1"
        entry = Entry(
            row=row,
            counted=count_row(row, language),
            round=round_,
            game=game,
            player=players.get(row.player_key, ""),
            is_person=is_named and bool(row.player_key),
        )
        entries.append(entry)
    return _tell_apart(entries)


def _tell_apart(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries of which those of one player in one round or game are numbered.

    A spare entry is not ranked where the player has another one in the game.
    """
    copies: Counter[tuple[str, str, str]] = Counter()
    taken: set[tuple[str, str, str]] = set()
    numbered: dict[int, Entry] = {}
    # Of several rows of a player in a game those with a total come first.
    order = sorted(range(len(entries)), key=lambda index: entries[index].counted.is_spare)
    for index in order:
        entry = entries[index]
        game = entry.row.player_key, entry.round, entry.game
        is_second = bool(entry.row.player_key) and entry.counted.is_spare and game in taken
        if is_second or not (entry.game or entry.round):
            numbered[index] = replace(entry, is_ranked=False)
            continue
        numbered[index] = replace(entry, copy=copies[entry.appearance])
        copies[entry.appearance] += 1
        taken.add(game)
    return [numbered[index] for index in range(len(entries))]


def _name_by_photo(rows: Sequence[Row], kingdoms: Counter[str]) -> list[Row]:
    """Return rows of which each is called by its photo, or by its letter in a photo of several.

    Args:
        rows: Rows that name no player.
        kingdoms: How many kingdoms each photo shows.
    """
    named: list[Row] = []
    letters: Counter[str] = Counter()
    for row in rows:
        name = row.photo
        if kingdoms[row.photo] > 1:
            letter = row.letter or kingdom_name(letters[row.photo])
            letters[row.photo] += 1
            # A photo that is a game by itself stands in the title of the game.
            name = f"{row.photo} {letter}" if row.game or row.round else letter
        named.append(replace(row, player=name))
    return named


def _name_players(rows: Iterable[Row]) -> dict[str, str]:
    """Return what players are called, by their keys: as they were written first.

    Of players with one name each has the number behind it.
    """
    names: dict[str, str] = {}
    numbers: dict[str, str] = {}
    for row in rows:
        if row.player_key and not names.get(row.player_key):
            names[row.player_key] = row.player
            numbers[row.player_key] = row.number
    shared = Counter(fold_name(name) for name in names.values())
    for who, name in names.items():
        if not name:
            names[who] = numbers[who]
        elif shared[fold_name(name)] > 1 and numbers[who]:
            names[who] = f"{name} ({numbers[who]})"
    return names


# ---------------------------------------------------------------------- what counts


def count_row(row: Row, language: str = ENGLISH) -> Counted:
    """Return what counts of a row: what a person accepted, else what the program found or wrote."""
    if row.is_withdrawn:
        return Counted(note=row.note, is_withdrawn=True)
    count = _count_found if row.found else _count_claim
    counted = count(row, language)
    if row.accept is not None:
        is_score = counted.is_score and counted.total == row.accept
        return Counted(row.accept, is_score=is_score)
    return counted


def _count_claim(row: Row, language: str) -> Counted:
    """Return what counts of a row that people keep by hand."""
    for problem in row.problems.values():
        return Counted(note=problem.text(language))
    if row.claimed is None:
        return Counted(note=sentence("standings.no-total", language))
    return Counted(row.claimed)


def _count_found(row: Row, language: str) -> Counted:
    """Return what counts of a row of results."""
    found = row.found
    total, score = _parse_total(found["counts"]), _parse_total(found["score"])
    if total is not None:
        if found["verdict"] != Word.DIFFERS:
            return Counted(total, is_score=total == score)
        # Until a person decides it is the total of the photo or the one that was claimed.
        others, claimed = None, "?"
        if row.claimed is not None:
            others, claimed = (row.claimed,), str(row.claimed)
        note = sentence("standings.pending", language, claimed=claimed)
        return Counted(total, others, note, is_score=total == score)
    if found["status"] == Status.DOUBTFUL and score is not None:
        note = sentence("standings.doubtful", language)
        return Counted(score, None, note, is_score=True, is_spare=True)
    note = found["explanation"] or sentence("standings.no-total", language)
    return Counted(note=note, is_spare=True)


def _parse_total(text: str) -> int | None:
    """Return a total of the program; None where there is none, whatever stands in its place."""
    return int(text) if text.isdecimal() else None
