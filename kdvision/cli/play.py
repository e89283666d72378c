"""The command `play`: a game of Kingdomino against the program, in the terminal."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated

from kdvision.cli.console import show, show_text
from kdvision.cli.declared import Declared
from kdvision.errors import ExitCode, UsageError
from kdvision.files import whole_file
from kdvision.options import GameOptions
from kdvision.rules.game.laying import Action, IllegalActionError, parse_action
from kdvision.rules.game.players import AtRandom, Greedy, Lookahead, Player
from kdvision.rules.game.record import MAX_RECORD_LENGTH, GameRecord
from kdvision.rules.game.state import VARIANTS, GameState
from kdvision.rules.kingdom import NotationError
from kdvision.rules.scoring import BONUS_CODES, InPlay
from kdvision.rules.standings import TieRule

#: The person; the others are the program's.
YOU = 0
_GOAL = """\
Build the kingdom that is worth most: squares of one terrain that lie together pay their number \
times their crowns. Lay your domino beside the castle or its own terrain, then choose the next."""
_HELP = """\
3 c4 c5    lay domino 3, its left half on c4; the number may be left out
17         choose domino 17
3 x        discard domino 3, which has no place
moves      list what you can do
boards     look at the kingdoms of the others
undo       take back your last move, and what was played after it
save FILE  write the game; kdscore play FILE goes on with it
quit       end; a game with a file is kept"""

HELP = {
    "play": (
        "Examples:\n"
        "  kdscore play                       a game for two, against the program\n"
        "  kdscore play evening.txt --players 3 --against greedy",
    )
}
#: Who plays against the person, by the seconds for a move: so many futures that time ends it.
_OPPONENTS: dict[str, Callable[[float], Player]] = {
    "lookahead": lambda seconds: Lookahead(playouts=2_000, seconds=seconds),
    "greedy": lambda _: Greedy(),
    "random": lambda _: AtRandom(),
}


def play(
    file: Annotated[
        Path | None, Declared("FILE", "Keep the game here; go on with the one it holds.")
    ] = None,
    *,
    players: Annotated[int, Declared("--players 2|3|4", "How many play, you included.")] = 2,
    variant: Annotated[
        str | None,
        Declared("--variant NAME", "Another set-up, such as mighty-duel.", tuple(VARIANTS)),
    ] = None,
    against: Annotated[
        str, Declared("--against", "Who plays against you.", tuple(_OPPONENTS))
    ] = "lookahead",
    seconds: Annotated[
        float, Declared("--seconds N", "How long a move of lookahead takes.", between=(0, 3600))
    ] = 1.0,
    seed: Annotated[int | None, Declared("--seed N", "Deal this game again.")] = None,
    ties: Annotated[
        str,
        Declared("--ties", "What breaks a tie after the territory.", tuple(TieRule)),
    ] = "crowns",
    game: Annotated[GameOptions, *BONUS_CODES, "centre"],
) -> ExitCode:
    """Play a game of Kingdomino: moves are typed as 3 c4 c5; undo, save FILE, help, quit.

    The castle lies on e5, in a Mighty Duel on g7; . marks the places that are still free.
    """
    opponent, rng = _OPPONENTS[against](seconds), Random(seed)
    if file is not None and file.exists():
        record = read_record(file)
    else:
        names = ["You", *(f"Player {number}" for number in range(2, players + 1))]
        try:
            start = GameState.start(names, variant=variant, seed=rng.randrange(2**31))
        except ValueError as error:
            raise UsageError(str(error)) from None
        record = GameRecord(start)
    _Table(record, opponent, rng, file, game.in_play, TieRule(ties)).run()
    return ExitCode.SURE


def read_record(file: Path) -> GameRecord:
    """The game that a file holds.

    Raises:
        UsageError: It holds none.
    """
    try:
        # One character more than is allowed, so that `parse` refuses what is longer.
        with file.open(encoding="utf-8-sig") as lines:
            return GameRecord.parse(lines.read(MAX_RECORD_LENGTH + 1))
    except (OSError, UnicodeDecodeError, NotationError) as error:
        reason = str(error) if isinstance(error, NotationError) else "it cannot be read."
        raise UsageError(
            f"{file} holds no game: {reason}", "Give the file that save wrote, or a new name."
        ) from None


@dataclass(slots=True)
class _Table:
    """A game that is being played."""

    record: GameRecord
    opponent: Player
    rng: Random
    file: Path | None
    in_play: InPlay
    ties: TieRule

    def run(self) -> None:
        """Play until the game is over, or the person has enough."""
        try:
            self._play()
        except KeyboardInterrupt:
            print()
            self._leave()
            raise

    def _play(self) -> None:
        if not self.record.actions:
            show_text(_GOAL)
        self._opponents()
        self._draw()
        while not self.record.state.over:
            words = self._ask()
            if words is None or words == ["quit"]:
                self._leave()
                return
            try:
                self._do(words)
            except (IllegalActionError, ValueError, UsageError) as error:
                show(str(error))
        self._tell_end()

    def _do(self, words: list[str]) -> None:
        """Follow what was typed.

        Raises:
            IllegalActionError: It is no move that the rules allow.
            ValueError: There is nothing to take back.
            UsageError: The file cannot be written.
        """
        if words in (["help"], ["?"]):
            show(_HELP)
        elif words == ["moves"]:
            show("\n".join(map(str, self.record.state.actions())))
        elif words == ["boards"]:
            for player in range(1, len(self.record.state.players)):
                self._draw(player)
        elif words == ["undo"]:
            self._undo()
            self._draw()
        elif words[0] == "save" and len(words) <= 2:
            self._save(Path(words[1]) if len(words) == 2 else self.file)
        else:
            self._played(self._action(words))
            self._opponents()
            self._draw()

    def _action(self, words: list[str]) -> Action:
        """A move; of the domino that is to be laid where no number is given."""
        domino = self.record.state.domino
        if domino is not None and not words[0][0].isdigit():
            words = [str(domino.number), *words]
        return parse_action(" ".join(words))

    def _opponents(self) -> None:
        """Let the others play until it is the person's turn, or the game is over."""
        while (player := self.record.state.current_player) not in (YOU, None):
            assert player is not None
            state = self.record.state
            action = self.opponent.act(state.imagined(self.rng), self.rng)
            show(f"{state.players[player]}: {action}")
            self._played(action)

    def _played(self, action: Action) -> None:
        self.record = self.record.play(action)
        self._keep()

    def _undo(self) -> None:
        """Go back to the person's last turn before this one."""
        record = self.record.undo()
        while record.state.current_player != YOU:
            record = record.undo()
        self.record = record
        self._keep()

    def _save(self, file: Path | None) -> None:
        if file is None:
            show("Write a file behind it: save game.txt")
            return
        if file != self.file and file.exists():
            read_record(file)  # what is there must be a game, and nothing else
        self._write(file)
        self.file = file
        show(f"Saved in {file}.")

    def _write(self, file: Path) -> None:
        with whole_file(file) as out:
            out.write(str(self.record).encode())

    def _keep(self) -> bool:
        """Write the game into its file, if it has one; say why where that fails, and go on."""
        try:
            if self.file is not None:
                self._write(self.file)
        except UsageError as error:
            show(str(error))
            return False
        return self.file is not None

    def _leave(self) -> None:
        """Nothing is lost: without a file that can be written the game itself is printed."""
        if self._keep():
            show(f"Go on with: kdscore play {self.file}")
        elif self.record.actions:
            show(f"The game so far, to go on with from a file:\n\n{self.record}")

    # ------------------------------------------------------------------ words

    def _ask(self) -> list[str] | None:
        """What the person types, in words; None when there is no more."""
        state = self.record.state
        owner = state.turns[0][1]
        task = f"Lay domino {state.domino.number}" if state.domino else "Choose a domino"
        task += f" for the king of {state.players[owner]}" if owner != YOU else ""
        while True:
            print(f"{task} (help for help): ", end="", flush=True)
            line = sys.stdin.readline()
            if not line:
                print()
                return None
            if words := line.lower().split():
                # The names of files keep their capitals.
                return [words[0], *line.split()[1:]]

    def _draw(self, player: int = YOU) -> None:
        """Show one kingdom, so that it fits into a terminal of 24 lines."""
        from rich.console import Console

        from kdvision.report.terminal import game_view

        view = game_view(self.record.state, player, **self.in_play)
        Console(highlight=False, markup=False, emoji=False).print(view)

    def _tell_end(self) -> None:
        ranked = self.record.state.standings(self.ties, **self.in_play)
        for entry in ranked:
            note = f" ({entry.note})" if entry.note else ""
            show(f"{entry.rank}. {entry.result.player}: {entry.result.total}{note}")
