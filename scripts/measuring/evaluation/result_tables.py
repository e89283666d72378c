"""Scored cases, counted: tables for the terminal and for Markdown."""

from collections.abc import Iterable, Iterator, Sequence

from rich.table import Table

from scripts.measuring.evaluation.scoring import Scored, Verdict


def table(title: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a table whose first column is text and whose others are numbers."""
    made = Table(title=title)
    for head in heads:
        made.add_column(head, justify="left" if head == heads[0] else "right")
    for row in rows:
        made.add_row(*map(str, row))
    return made


def bound(verdicts: Sequence[Verdict]) -> str:
    """Return the 95 % bound on the rate of silent errors among sure kingdoms (3/n without any)."""
    sure, silent = _count(verdicts, "sure"), _count(verdicts, "silent")
    if not sure:
        return "-"
    return f"{silent / sure:.1%} seen" if silent else f"{min(1.0, 3 / sure):.1%}"


def share(part: int, whole: int) -> str:
    """Return a count and what share of the whole it is."""
    return f"{part} ({part / whole:.1%})" if whole else "-"


def whole(scored: Sequence[Scored]) -> tuple[list[Verdict], list[Verdict], list[Verdict]]:
    """Return all verdicts; those of kingdoms wholly in the picture; those of invented kingdoms."""
    verdicts = [verdict for case in scored for verdict in case.verdicts]
    real = [verdict for verdict in verdicts if verdict.truth and not verdict.truth.cut]
    return verdicts, real, [verdict for verdict in verdicts if verdict.truth is None]


def kingdoms_table(sets: dict[str, list[Scored]]) -> Table:
    """Return a line per set: kingdoms found, exact, right, sure, silent errors, left out."""
    heads = ["set", "pictures", "kingdoms", "found", "invented", "exact", "exact but for hidden"]
    heads += ["total right", "sure", "silent errors", "95 % bound", "sure with one left out"]
    return table("Whole kingdoms", heads, [_kingdoms_row(*named) for named in sets.items()])


def _kingdoms_row(name: str, scored: list[Scored]) -> list[object]:
    verdicts, real, invented = whole(scored)
    count = len(real)
    found = sum(not verdict.mistakes["grid"] for verdict in real)
    keys = ("exact", "exact_visible", "right", "sure")
    shares = [share(_count(real, key), count) for key in keys]
    silent = _count(verdicts, "silent")
    left_out = sum(case.left_out for case in scored)
    counts = [len(scored), count, found, len(invented)]
    return [name, *counts, *shares, silent, bound(verdicts), left_out]


def stress_table(scored: list[Scored]) -> Table:
    """Return a line per kind of damage; right and sure per strength, weakest first."""
    heads = ("damage", "pictures", "right by strength", "sure by strength", "silent errors")
    rows = []
    for kind in dict.fromkeys(case.tags["kind"] for case in scored):
        mine = [case for case in scored if case.tags["kind"] == kind]
        levels = list(dict.fromkeys(case.tags["strength"] for case in mine))
        right, sure = [], []
        for level in levels:
            verdicts = whole([case for case in mine if case.tags["strength"] == level])[0]
            right.append(str(_count(verdicts, "right")))
            sure.append(str(_count(verdicts, "sure")))
        silent = _count(whole(mine)[0], "silent")
        rows.append([kind, len(mine), " ".join(right), " ".join(sure), silent])
    return table("Stress set", heads, rows)


def _count(verdicts: Sequence[Verdict], what: str) -> int:
    """Count the verdicts of which an attribute is true."""
    return sum(getattr(verdict, what) for verdict in verdicts)


def tags_table(title: str, scored: list[Scored]) -> Table:
    """Return a line per tag value: kingdoms, found, exact, sure, silent errors."""
    heads = ("by", "kingdoms", "found", "exact", "sure", "silent errors")
    rows: list[list[object]] = []
    for tag in dict.fromkeys(tag for case in scored for tag in case.tags):
        for value in sorted({case.tags[tag] for case in scored if tag in case.tags}):
            mine = [case for case in scored if case.tags.get(tag) == value]
            name, _, count, found, _, exact, _, _, sure, silent, *_ = _kingdoms_row(value, mine)
            rows.append([f"{tag}: {name}", count, found, exact, sure, silent])
    return table(title, heads, rows)


def details(name: str, scored: Sequence[Scored]) -> Iterator[str]:
    """Yield what went wrong or was doubtful, picture by picture; silent errors are marked."""
    for case in scored:
        for verdict in case.verdicts:
            if verdict.exact and verdict.sure and not verdict.silent:
                continue
            truth = verdict.truth.line if verdict.truth else "no kingdom"
            word = "sure" if verdict.sure else "doubtful"
            if verdict.silent:
                word = "SILENT"
            what = "exact" if verdict.exact else f"{dict(verdict.mistakes)}"
            yield (
                f"{name} {case.name}: {word} ({verdict.probability:.4f}) {what} {case.message}\n"
                f"  read  {verdict.line}\n  truth {truth}"
            )
