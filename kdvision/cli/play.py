"""The command `play`: a game of Kingdomino against the program, in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from kdvision.cli.config import game_options
from kdvision.cli.console import guarded
from kdvision.cli.declared import GameWords
from kdvision.cli.help import PLAY
from kdvision.cli.parameters import HELP, NO_WORDS, Command, with_declared
from kdvision.errors import ExitCode
from kdvision.rules.scoring import BONUS_CODES


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    options = with_declared(play, only=(*BONUS_CODES, "centre"))
    app.command(cls=Command, epilog=PLAY, context_settings=HELP)(options)


def play(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Keep the game here; go on with the one it holds."),
    ] = None,
    players: Annotated[
        int, typer.Option("--players", metavar="2|3|4", help="How many play, you included.")
    ] = 2,
    variant: Annotated[
        str | None,
        typer.Option("--variant", metavar="NAME", help="Another set-up, such as mighty-duel."),
    ] = None,
    against: Annotated[
        str,
        typer.Option("--against", metavar="PLAYER", help="lookahead, greedy or random."),
    ] = "lookahead",
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="N", help="How long a move of lookahead takes.")
    ] = 1.0,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Deal this game again.")
    ] = None,
    ties: Annotated[
        str,
        typer.Option(
            "--ties", metavar="crowns|territory", help="What breaks a tie after the territory."
        ),
    ] = "crowns",
    game: GameWords = NO_WORDS,
) -> None:
    """Play a game of Kingdomino: moves are typed as 3 c4 c5; undo, save FILE, help, quit.

    The castle lies on e5, in a Mighty Duel on g7; . marks the places that are still free.
    """

    def run() -> ExitCode:
        # Only here: no other command plays.
        from kdvision.cli.game_loop import TableRules, opponent_named, play_in_terminal

        rules = TableRules.read(game_options(game), ties)
        opponent = opponent_named(against, seconds)
        return play_in_terminal(file, players, variant, opponent, seed, rules)

    raise typer.Exit(guarded(run))
