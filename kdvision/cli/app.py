"""The commands as Typer knows them: names, options and help. Nothing is done here.

To add a command: declare it below, put its name into `score.COMMANDS`, and let it call one
function of `score` (or of its own room) through `_run`. Its help ends with a text of `help`.
"""

from collections.abc import Callable
from typing import Annotated

import typer

from kdvision import __version__
from kdvision.cli import help as foot
from kdvision.cli import play, serve, tournament
from kdvision.cli.config import config_text
from kdvision.cli.console import guarded, show
from kdvision.cli.parameters import (
    HELP,
    NO_WORDS,
    AsCsv,
    AsJson,
    Command,
    Dominoes,
    GameWords,
    with_game,
)
from kdvision.cli.scoring import score as scoring
from kdvision.cli.scoring import series, typed
from kdvision.errors import ExitCode

app = typer.Typer(
    name="kdscore",
    help="Score Kingdomino kingdoms from photos, and say so when a total is not sure.",
    epilog=foot.ROOT,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP,
)

#: For maps and kingdoms, which may begin with an empty place: `- L1/C W` is no option.
_DASHES = {**HELP, "ignore_unknown_options": True}


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


@app.command(cls=Command, epilog=foot.SCORE, context_settings=HELP)
@with_game
def score(
    photos: Annotated[
        list[str],
        typer.Argument(metavar="PHOTO", help="Photos, or folders of them; - is standard input."),
    ],
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    overlay: Annotated[
        str | None,
        typer.Option(
            "--overlay",
            metavar="FILE|DIR",
            help="Draw what was read over the photo, into this file (.jpg, .png, .webp); of "
            "several photos into this folder.",
        ),
    ] = None,
    recursive: Annotated[
        bool, typer.Option("--recursive", "-r", help="Folders with the folders in them.")
    ] = False,
    game: GameWords = NO_WORDS,
    fix: Annotated[
        list[str] | None,
        typer.Option(
            "--fix",
            metavar="b3=W1",
            help="Correct a square and score again; B.b3=W1 in the second of several kingdoms.",
        ),
    ] = None,
    max_megapixels: Annotated[
        str | None,
        typer.Option("--max-megapixels", metavar="N", help="Refuse larger photos (default 100)."),
    ] = None,
    max_megabytes: Annotated[
        str | None,
        typer.Option("--max-megabytes", metavar="N", help="Refuse larger files (default 64)."),
    ] = None,
    dominoes: Dominoes = False,
    together: Annotated[
        bool,
        typer.Option("--together", help="The photos show the same kingdoms: read them as one."),
    ] = False,
) -> None:
    """Score the kingdoms in photos. The word score may be left out."""
    request = scoring.ScoreRequest(
        tuple(photos),
        as_json,
        as_csv,
        overlay,
        recursive,
        game,
        tuple(fix or ()),
        max_megapixels,
        max_megabytes,
        dominoes,
        together,
    )
    _run(lambda: scoring.score_photos(request))


@app.command(cls=Command, epilog=foot.KINGDOM, context_settings=_DASHES)
@with_game
def kingdom(
    line: Annotated[
        list[str],
        typer.Argument(
            metavar="LINE|FILE|-",
            help="A kingdom line such as 'C W1 G/W W -', a file with one, or what --json printed.",
        ),
    ],
    best: Annotated[
        bool,
        typer.Option("--best", help="Say also what it could still reach with the dominoes left."),
    ] = False,
    dominoes: Dominoes = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    game: GameWords = NO_WORDS,
) -> None:
    """Score a kingdom that is typed: no photo, no model."""

    def work() -> ExitCode:
        form = scoring.form_of(as_json=as_json, as_csv=as_csv)
        return typed.score_typed(line, game, form, best=best, dominoes=dominoes)

    _run(work)


@app.command(cls=Command, epilog=foot.DUEL, context_settings=_DASHES)
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
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, a line per map.")] = False,
) -> None:
    """Score a map of Kingdomino Duel from text; of two maps, say who wins."""

    def work() -> ExitCode:
        form = scoring.form_of(as_json=as_json, as_csv=as_csv)
        return typed.score_duel(duel_map, wizard, form)

    _run(work)


@app.command(cls=Command, epilog=foot.CONFIG, context_settings=HELP)
def config() -> None:
    """Show the defaults of options, and where each is set."""

    def work() -> ExitCode:
        show(config_text())
        return ExitCode.SURE

    _run(work)


@app.command(cls=Command, epilog=foot.DOCTOR, context_settings=HELP)
def doctor() -> None:
    """Say what is installed: versions, models, formats, and the speed of this machine."""

    def work() -> ExitCode:
        from kdvision.cli.doctor import examine

        return examine()

    _run(work)


series.register(app)
tournament.register(app)
serve.register(app)
play.register(app)
