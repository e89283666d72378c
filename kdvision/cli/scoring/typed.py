"""`kdscore kingdom` and `kdscore duel`: what is typed, scored without a photo."""

from collections.abc import Mapping, Sequence

from kdvision.cli.config import game_options
from kdvision.cli.console import show, show_dominoes, show_result, show_text
from kdvision.cli.scoring.rescore import read_kingdoms, read_text
from kdvision.errors import ExitCode, UsageError, worst


def score_typed(
    words: Sequence[str],
    game: Mapping[str, str],
    form: str,
    *,
    best: bool = False,
    dominoes: bool = False,
) -> ExitCode:
    """Score kingdoms that were typed, or printed by `--json` before.

    With `dominoes` the sheets are followed by which squares are one domino (JSON has it always),
    with `best` by the most that the kingdoms could still reach.

    Raises:
        UsageError: It is no kingdom, or nothing can be said of what it could reach.
    """
    if best and form == "csv":
        raise UsageError("--best and --csv exclude each other.", "Give --json instead of --csv.")
    results = read_kingdoms(words, game_options(game))
    for result in results:
        show_result(result, form)
        if dominoes and form == "text":
            show_dominoes(result)
        for kingdom in result.kingdoms if best else ():
            from kdvision.report.best import best_report

            as_json = form == "json"
            (show if as_json else show_text)(best_report(kingdom.sheet, as_json=as_json))
    return worst([result.status.exit_code for result in results])


def score_duel(words: Sequence[str], wizard: str | None, form: str) -> ExitCode:
    """Score a Duel map, or compare two; `form` is `text`, `json` or `csv`.

    Raises:
        UsageError: It is no map.
    """
    from kdvision.report.duel import duel_report, map_texts

    maps = (read_text(text) for text in map_texts(words))
    report = duel_report(*maps, wizard_coat=wizard, as_json=form == "json", as_csv=form == "csv")
    (show_text if form == "text" else show)(report)
    return ExitCode.SURE
