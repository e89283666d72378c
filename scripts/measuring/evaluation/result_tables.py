"""Scored cases, counted: tables for the terminal and for Markdown."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields

import numpy as np
from rich.table import Table

from scripts.measuring.evaluation.mistakes import Mistakes
from scripts.measuring.evaluation.scoring import Scored, Verdict

#: Bounds of the bins of predicted probability.
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


def table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A table whose first column is text and whose others are numbers."""
    made = Table(title=title)
    for head in heads:
        made.add_column(head, justify="left" if head == heads[0] else "right")
    for row in rows:
        made.add_row(*map(str, row))
    return made


def bound(verdicts: Sequence[Verdict]) -> str:
    """The 95 % bound on the rate of silent errors among sure kingdoms (3/n where none was seen)."""
    sure = sum(verdict.sure for verdict in verdicts)
    silent = sum(verdict.silent for verdict in verdicts)
    if not sure:
        return "-"
    return f"{silent / sure:.1%} seen" if silent else f"{min(1.0, 3 / sure):.1%}"


def share(part: int, whole: int) -> str:
    """A count and what share of the whole it is."""
    return f"{part} ({part / whole:.1%})" if whole else "-"


def whole(scored: Sequence[Scored]) -> tuple[list[Verdict], list[Verdict], list[Verdict]]:
    """All verdicts; those of kingdoms wholly in the picture; those of invented kingdoms."""
    every = [verdict for one in scored for verdict in one.verdicts]
    real = [verdict for verdict in every if verdict.truth and not verdict.truth.cut]
    return every, real, [verdict for verdict in every if verdict.truth is None]


def kingdoms_table(sets: dict[str, list[Scored]]) -> Table:
    """A line per set: kingdoms found, exact, right, as seen and as decoded, sure, silent."""
    heads = ["set", "pictures", "kingdoms", "found", "invented", "exact as seen", "exact"]
    heads += ["total as seen", "total", "sure", "silent errors", "95 % bound"]
    rows = [_kingdoms_row(n, s) for n, s in sets.items()]
    if len(sets) > 1:
        rows.append(_kingdoms_row("all", [one for scored in sets.values() for one in scored]))
    return table("Whole kingdoms", heads, rows)


def _kingdoms_row(name: str, scored: list[Scored]) -> list[object]:
    every, real, invented = whole(scored)
    count = len(real)
    found = sum(verdict.mistakes.grid == 0 for verdict in real)
    columns = [sum(getattr(v, key) for v in real) for key in ("seen_exact", "exact")]
    columns += [sum(getattr(v, key) for v in real) for key in ("seen_right", "right", "sure")]
    counts = [share(number, count) for number in columns]
    silent = sum(verdict.silent for verdict in every)
    return [name, len(scored), count, found, len(invented), *counts, silent, bound(every)]


def hidden_table(sets: dict[str, list[Scored]]) -> Table:
    """What is asked of what can be seen: squares and kingdoms without their hidden places.

    And sure pictures in which a kingdom was left out, which must not be.
    """
    heads = ("set", "hidden squares", "exact but for hidden", "squares", "right as seen", "right")
    rows: list[list[object]] = []
    for name, scored in sets.items():
        real = whole(scored)[1]
        squares = sum(verdict.squares for verdict in real)
        hidden = sum(len(verdict.truth.hidden) for verdict in real if verdict.truth)
        right = [squares - sum(getattr(v, key) for v in real) for key in ("seen_wrong", "wrong")]
        cells = [share(sum(v.exact_aside for v in real), len(real)), squares]
        left_out = sum(one.left_out for one in scored)
        rows.append([name, hidden, *cells, *(share(one, squares) for one in right), left_out])
    return table("What can be seen", (*heads, "sure with one left out"), rows)


def mistakes_table(sets: dict[str, list[Scored]]) -> Table:
    """Mistakes per stage: kingdoms whose grid is wrong, and single squares in the others."""
    stages = [one.name for one in fields(Mistakes)]
    rows = []
    for name, scored in sets.items():
        mistakes = Mistakes()
        for verdict in whole(scored)[1]:
            mistakes.add(verdict.mistakes)
        rows.append([name, *(getattr(mistakes, stage) for stage in stages)])
    return table("Mistakes by stage", ("set", *stages), rows)


def stress_table(scored: list[Scored]) -> Table:
    """A line per kind of damage; right and sure per strength, weakest first."""
    heads = ("damage", "pictures", "right by strength", "sure by strength", "right", "sure")
    rows = []
    for kind in dict.fromkeys(one.tags["kind"] for one in scored):
        mine = [one for one in scored if one.tags["kind"] == kind]
        levels = list(dict.fromkeys(one.tags["strength"] for one in mine))
        by_level = [[one for one in mine if one.tags["strength"] == level] for level in levels]
        right, sure = (
            [sum(getattr(v, key) for v in whole(part)[0]) for part in by_level]
            for key in ("right", "sure")
        )
        every = whole(mine)[0]
        cells = (" ".join(map(str, right)), " ".join(map(str, sure)), sum(right), sum(sure))
        rows.append([kind, len(mine), *cells, sum(v.silent for v in every)])
    return table("Stress set", (*heads, "silent errors"), rows)


def tags_table(title: str, scored: list[Scored]) -> Table:
    """A line per tag value: kingdoms, found, exact, sure, silent errors."""
    heads = ("by", "pictures", "kingdoms", "found", "invented", "exact", "sure", "silent errors")
    rows: list[list[object]] = []
    for tag in dict.fromkeys(tag for one in scored for tag in one.tags):
        for value in sorted({one.tags[tag] for one in scored if tag in one.tags}):
            mine = [one for one in scored if one.tags.get(tag) == value]
            rows.append(_tag_row(f"{tag}: {value}", mine))
    cut = [v for one in scored for v in one.verdicts if v.truth and v.truth.cut]
    sure = sum(verdict.sure for verdict in cut)
    found = sum(verdict.said is not None for verdict in cut)
    rows.append(["cut off by the border", "", len(cut), found, "", "", sure, sure])
    return table(title, heads, rows)


def _tag_row(label: str, scored: list[Scored]) -> list[object]:
    every, real, invented = whole(scored)
    found = sum(verdict.mistakes.grid == 0 for verdict in real)
    exact, sure = (sum(getattr(v, key) for v in real) for key in ("exact", "sure"))
    counts = [share(number, len(real)) for number in (found,)]
    silent = sum(verdict.silent for verdict in every if not (verdict.truth and verdict.truth.cut))
    cells = [share(exact, len(real)), share(sure, len(real)), silent]
    return [label, len(scored), len(real), *counts, len(invented), *cells]


def reliability_table(sets: dict[str, list[Scored]]) -> Table:
    """Predicted probability of the total against how often it was right."""
    said = [v for scored in sets.values() for v in whole(scored)[1] if v.said]
    said += [v for scored in sets.values() for v in whole(scored)[2]]
    predicted = np.array([verdict.probability for verdict in said])
    right = np.array([verdict.right for verdict in said], bool)
    rows = []
    for low, high in itertools.pairwise(BINS):
        mine = (predicted >= low) & ((predicted < high) | (high == 1.0))
        if count := int(mine.sum()):
            means = f"{predicted[mine].mean():.1%}", f"{right[mine].mean():.1%}"
            rows.append([f"{low:.0%} to {high:.0%}", count, *means, count - int(right[mine].sum())])
    heads = ("predicted", "kingdoms", "mean predicted", "measured right", "wrong")
    return table("Reliability", heads, rows)


def times_table(sets: dict[str, list[Scored]]) -> Table:
    """How long decoding took, in milliseconds, and whole pictures, in seconds."""
    heads = ("set", "decoded", "median ms", "99 % ms", "worst ms", "median s per picture")
    rows = []
    for name, scored in sets.items():
        times = np.array([ms for one in scored for ms in one.decode_ms])
        if not len(times):
            continue
        figures = [f"{pick(times):.1f}" for pick in _PICKS]
        seconds = np.median([one.seconds for one in scored])
        rows.append([name, len(times), *figures, f"{seconds:.2f}"])
    return table("Decoding time (of one thread on a free core)", heads, rows)


def _99(times: "np.ndarray") -> float:
    return float(np.quantile(times, 0.99))


_PICKS: tuple[Callable[["np.ndarray"], float], ...] = (np.median, _99, np.max)


def details(name: str, scored: Sequence[Scored]) -> list[str]:
    """What went wrong or was doubtful, picture by picture; silent errors are marked."""
    lines = []
    for one in scored:
        for verdict in one.verdicts:
            if verdict.exact and verdict.sure and not verdict.silent:
                continue
            truth = verdict.truth.line if verdict.truth else "no kingdom"
            word = "SILENT" if verdict.silent else "sure" if verdict.sure else "doubtful"
            what = "exact" if verdict.exact else f"{verdict.mistakes}"
            lines.append(
                f"{name} {one.name}: {word} ({verdict.probability:.4f}) {what} {one.message}\n"
                f"  said  {verdict.said}\n  truth {truth}"
            )
    return lines
