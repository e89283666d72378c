"""The commands as Typer knows them: names, options and help. Nothing is done here.

To add a command: declare it below, put its name into `score.COMMANDS`, and let it call one
function of `score` (or of its own room) through `_run`.
"""

from collections.abc import Callable
from typing import Annotated

import typer

from kdvision import __version__
from kdvision.cli import play, serve, tournament
from kdvision.cli import score as scoring
from kdvision.cli.console import guarded
from kdvision.cli.game import DEFAULT_WORDS, GameWords
from kdvision.cli.parameters import AsJson, with_game
from kdvision.errors import ExitCode

app = typer.Typer(
    name="kdscore",
    help="Score Kingdomino kingdoms from photos, and say so when a total is not sure.",
    epilog="A first word that is no command is a photo: kdscore table.jpg",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

#: For maps and kingdoms, which may begin with an empty place: `- L1/C W` is no option.
_DASHES = {"ignore_unknown_options": True}


def _run(work: Callable[[], ExitCode]) -> None:
    raise typer.Exit(guarded(work))


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"kdscore {__version__}")
        raise typer.Exit()


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    pass


@app.command()
@with_game
def score(
    photos: Annotated[
        list[str], typer.Argument(metavar="PHOTO", help="Photos; - reads standard input.")
    ],
    as_json: AsJson = False,
    overlay: Annotated[
        str | None,
        typer.Option("--overlay", metavar="DIR", help="Draw what was read over the photos."),
    ] = None,
    game: GameWords = DEFAULT_WORDS,
    fix: Annotated[
        list[str] | None,
        typer.Option(
            "--fix",
            metavar="b3=W1",
            help="Correct a square and score again; B.b3=W1 in the second of several kingdoms.",
        ),
    ] = None,
    max_megapixels: Annotated[
        str, typer.Option("--max-megapixels", metavar="N", help="Refuse larger photos.")
    ] = "100",
    max_megabytes: Annotated[
        str, typer.Option("--max-megabytes", metavar="N", help="Refuse larger files.")
    ] = "64",
) -> None:
    """Score the kingdoms in photos. The word score may be left out."""
    request = scoring.ScoreRequest(
        tuple(photos),
        as_json,
        overlay,
        game,
        tuple(fix or ()),
        max_megapixels,
        max_megabytes,
    )
    _run(lambda: scoring.score_photos(request))


@app.command(context_settings=_DASHES)
@with_game
def kingdom(
    line: Annotated[
        list[str],
        typer.Argument(
            metavar="LINE|FILE|-",
            help="A kingdom line such as 'C W1 G/W W -', a file with one, or what --json printed.",
        ),
    ],
    as_json: AsJson = False,
    game: GameWords = DEFAULT_WORDS,
) -> None:
    """Score a kingdom that is typed: no photo, no model."""
    _run(lambda: scoring.score_typed(line, game, as_json=as_json))


@app.command(context_settings=_DASHES)
def duel(
    duel_map: Annotated[
        list[str],
        typer.Argument(metavar="MAP|FILE|-", help="A map of Kingdomino Duel as text, or two."),
    ],
    wizard: Annotated[
        str | None,
        typer.Option(
            "--wizard-coat",
            metavar="COAT",
            help="The coat that the fifth power pays for; of two maps A=COAT or B=COAT.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    r"""Score a map of Kingdomino Duel from text; of two maps, say who wins.

    A whole map, five rows of seven spaces, the castle C in the middle:

    \b
    - -  D1 D - - -
    - -  -  D E - -
    - Q2 Q  C T - -
    - -  -  K T1 - -
    - -  -  K - - -

    D dot, E two dots, S stripe, T two stripes, Q quarters, K black, each with its number of
    crosses; - for an empty space. Rows on lines of their own, or parted by / on one line.
    """
    _run(lambda: scoring.score_duel(duel_map, wizard=wizard, as_json=as_json))


tournament.register(app)
serve.register(app)
play.register(app)
