"""`kdscore series PHOTO...`: photos of one kingdom as it grows."""

from collections.abc import Sequence
from typing import Annotated

import typer

from kdvision.cli import help as foot
from kdvision.cli.config import game_options
from kdvision.cli.console import guarded, report_error, show, show_text
from kdvision.cli.parameters import HELP, NO_WORDS, AsJson, Command, GameWords, with_game
from kdvision.cli.scoring.score import form_of
from kdvision.errors import ExitCode, NoKingdomError, UnreadablePhotoError, UsageError, worst


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(cls=Command, epilog=foot.SERIES, context_settings=HELP)(with_game(series))


def series(
    photos: Annotated[
        list[str], typer.Argument(metavar="PHOTO", help="Photos of one kingdom, the first first.")
    ],
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, a line per photo.")] = False,
    game: GameWords = NO_WORDS,
) -> None:
    """Follow one kingdom through photos: what was laid between them, and in which order."""
    raise typer.Exit(guarded(lambda: _form(photos, game, as_json, as_csv)))


def _form(photos: Sequence[str], game: GameWords, as_json: bool, as_csv: bool) -> ExitCode:
    return follow(photos, game, form_of(as_json=as_json, as_csv=as_csv))


def follow(names: Sequence[str], game: GameWords, form: str = "text") -> ExitCode:
    """Score photos of one kingdom, and say what was laid between them, in a form of `form_of`.

    Photos that cannot be scored are named and left out.

    Raises:
        UsageError: An option makes no sense, or there is one photo only.
        ModelError: The models cannot be used.
    """
    options = game_options(game)
    if len(names) < 2:
        raise UsageError("A series has two photos or more.", "Name those of one kingdom.")
    from kdvision.photo.photo import open_photo
    from kdvision.pipeline.scorer import Scorer
    from kdvision.pipeline.series import Order, series_of
    from kdvision.report.series import series_csv, series_json, series_text

    scorer, scored, codes = Scorer(), [], []
    for name in names:
        try:
            photo = open_photo(name)
            scored.append((photo, scorer.score(photo, options)))
        except (UnreadablePhotoError, NoKingdomError) as error:
            codes.append(report_error(error))
    if len(scored) < 2:
        raise UsageError(
            "Fewer than two of the photos show a kingdom.", "Give two photos of it or more."
        )
    found = series_of(scorer, scored, options)
    if form == "text":
        show_text(series_text(found))
    else:
        show(series_json(found) if form == "json" else series_csv(found))
    if found.order in (Order.REFUTED, Order.APART):
        return ExitCode.DIFFERENT
    codes += [step.kingdom.status.exit_code for step in found.steps]
    return worst([*codes, *([ExitCode.DOUBTFUL] if found.order is Order.OPEN else [])])
