"""The command `play`: a game of Kingdomino against the program, in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from kdvision.cli.console import guarded
from kdvision.cli.help import PLAY
from kdvision.cli.parameters import HELP, Command
from kdvision.errors import ExitCode


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(cls=Command, epilog=PLAY, context_settings=HELP)(play)


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
) -> None:
    """Play a game of Kingdomino: moves are typed as 3 c4 c5; undo, save FILE, help, quit.

    The castle lies on e5, in a Mighty Duel on g7; . marks the places that are still free.
    """
    raise typer.Exit(guarded(lambda: _play(file, players, variant, against, seconds, seed)))


def _play(
    file: Path | None,
    players: int,
    variant: str | None,
    against: str,
    seconds: float,
    seed: int | None,
) -> ExitCode:
    # Only here: no other command plays.
    from kdvision.cli.game_loop import opponent_named, play_in_terminal

    return play_in_terminal(file, players, variant, opponent_named(against, seconds), seed)
