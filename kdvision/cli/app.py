"""The commands as Typer knows them: names, options and help. Nothing is done here.

To add a command: declare it below, put its name into `score.COMMANDS`, and let it call one
function of `score` (or of its own room) through `_run`.
"""

from collections.abc import Callable
from typing import Annotated

import typer

from kdvision import __version__
from kdvision.cli import score as scoring
from kdvision.cli import tournament
from kdvision.cli.console import guarded
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

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object on a line.")]
Size = Annotated[
    str, typer.Option("--size", metavar="auto|5|7", help="5x5, or 7x7 for a Mighty Duel.")
]
Harmony = Annotated[bool, typer.Option("--harmony", help="The Harmony bonus is in play.")]
MiddleKingdom = Annotated[
    bool, typer.Option("--middle-kingdom", help="The Middle Kingdom bonus is in play.")
]


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
def score(
    photos: Annotated[
        list[str], typer.Argument(metavar="PHOTO", help="Photos; - reads standard input.")
    ],
    as_json: AsJson = False,
    overlay: Annotated[
        str | None,
        typer.Option("--overlay", metavar="DIR", help="Draw what was read over the photos."),
    ] = None,
    size: Size = "auto",
    harmony: Harmony = False,
    middle_kingdom: MiddleKingdom = False,
    fix: Annotated[
        list[str] | None,
        typer.Option(
            "--fix",
            metavar="b3=W1",
            help="Correct a square and score again; B.b3=W1 in the second of several kingdoms.",
        ),
    ] = None,
    boxes: Annotated[
        str,
        typer.Option("--boxes", metavar="N", help="The dominoes on the table are of N boxes."),
    ] = "1",
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
        size,
        harmony,
        middle_kingdom,
        tuple(fix or ()),
        boxes,
        max_megapixels,
        max_megabytes,
    )
    _run(lambda: scoring.score_photos(request))


@app.command(context_settings=_DASHES)
def kingdom(
    line: Annotated[
        list[str],
        typer.Argument(
            metavar="LINE|FILE|-",
            help="A kingdom line such as 'C W1 G/W W -', a file with one, or what --json printed.",
        ),
    ],
    as_json: AsJson = False,
    size: Size = "auto",
    harmony: Harmony = False,
    middle_kingdom: MiddleKingdom = False,
) -> None:
    """Score a kingdom that is typed: no photo, no model."""
    _run(
        lambda: scoring.score_typed(
            line, as_json=as_json, size=size, harmony=harmony, middle_kingdom=middle_kingdom
        )
    )


@app.command(context_settings=_DASHES)
def duel(
    duel_map: Annotated[
        list[str], typer.Argument(metavar="MAP|FILE|-", help="A map of Kingdomino Duel, as text.")
    ],
    wizard: Annotated[
        str | None,
        typer.Option(
            "--wizard-coat", metavar="COAT", help="The coat that the fifth power pays for."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score a map of Kingdomino Duel from text."""
    _run(lambda: scoring.score_duel(duel_map, wizard=wizard, as_json=as_json))


tournament.register(app)
