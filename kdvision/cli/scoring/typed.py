"""`kdscore kingdom` and `kdscore duel`: what is typed, scored without a photo."""

from collections.abc import Sequence

from kdvision.cli.console import show, show_dominoes, show_result
from kdvision.cli.game import GameWords
from kdvision.cli.scoring.rescore import read_kingdoms, read_text
from kdvision.errors import ExitCode, worst


def score_typed(
    words: Sequence[str],
    game: GameWords,
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
    results = read_kingdoms(words, game.read())
    for result in results:
        show_result(result, form)
        if dominoes and form == "text":
            show_dominoes(result)
        for kingdom in result.kingdoms if best else ():
            from kdvision.report.best import best_report

            show(best_report(kingdom.sheet, as_json=form == "json"))
    return worst([result.status.exit_code for result in results])


def score_duel(words: Sequence[str], *, wizard: str | None, as_json: bool) -> ExitCode:
    """Score a Duel map, or compare two.

    Raises:
        UsageError: It is no map.
    """
    from kdvision.report.duel import duel_report, map_texts

    maps = (read_text(text) for text in map_texts(words))
    show(duel_report(*maps, wizard_coat=wizard, as_json=as_json))
    return ExitCode.SURE
