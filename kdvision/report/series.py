"""A series of photos of one kingdom as text for people, and as JSON for programs."""

import json
from collections.abc import Iterator
from typing import Any

from kdvision.corrections import kingdom_name
from kdvision.pipeline.series import Order, Series, Step
from kdvision.report.json import to_object
from kdvision.report.text import csv_text, numbers_text, printable
from kdvision.report.wording import place_names, status_text, total_text
from kdvision.rules.dominoes import standard_deck
from kdvision.rules.legality import BREAKS, Names
from kdvision.sentences import sentence

#: Names the form of the JSON; it changes when a field changes its meaning.
SCHEMA = "kdscore-series/1"
#: The columns of the CSV, a line per photo in the order of growth: `quarters` is how it is turned
#: against the photo before, `new` the places that are, `laid` the dominoes that surely came.
CSV_COLUMNS = (
    "photo",
    "letter",
    "status",
    "score",
    "probability",
    "kingdom",
    "quarters",
    "new",
    "laid",
    "order",
)


def series_text(series: Series) -> str:
    """A paragraph per photo in the order of growth, then what is said of the order."""
    if len(series.steps) == 1:
        return "\n".join(_lines(series.steps[0], first=True))
    paragraphs = [
        "\n".join(_lines(step, first=not number)) for number, step in enumerate(series.steps)
    ]
    return "\n".join([*paragraphs, "", sentence(f"series.{series.order}")])


def _lines(step: Step, *, first: bool) -> Iterator[str]:
    result = step.kingdom
    name = f", kingdom {kingdom_name(step.index)}" if len(step.result.kingdoms) > 1 else ""
    status = ", ".join(filter(None, (total_text(result), status_text(result))))
    yield f"{step.result.photo}{name}: {status}"
    yield f"    {result.kingdom}"
    if step.alignment is not None and step.alignment.quarters:
        turned = 90 * step.alignment.quarters
        yield f"    turned by {turned} degrees clockwise against the photo before"
    if step.laid is None and not first:
        yield "    the kingdom of the photo before does not lie in this one"
    if step.laid is not None:
        yield from _laid_lines(step)
    if step.settled:
        places = place_names(result, [at for at, _ in step.settled])
        yield f"    settled by other photos: {places}"


def _laid_lines(step: Step) -> Iterator[str]:
    """What was laid since the photo before."""
    assert step.laid is not None
    result, laid = step.kingdom, step.laid
    names = Names(result.origin)
    certain = [pair for pair, share in laid.pairs if share >= BREAKS.known_from]
    for pair in certain:
        text = names.domino(result.kingdom, pair)
        note = ", which no order of laying joins to the rest" if pair in laid.broken else ""
        squares = result.kingdom.squares()
        numbers = numbers_text(standard_deck().numbers(*(squares[at] for at in pair)))
        yield f"    laid: {text}, {numbers}{note}"
    rest = sorted(set(laid.new) - {at for pair in certain for at in pair})
    if rest and laid.pairs:
        yield f"    laid, in one of several ways: {place_names(result, rest)}"
    elif rest:
        yield f"    new, and no dominoes of the deck: {place_names(result, rest)}"


def series_json(series: Series) -> str:
    """The object of a series, on one line."""
    return json.dumps(
        {
            "schema": SCHEMA,
            "order": series.order.value,
            "given": list(series.given),
            "photos": [_step(step) for step in series.steps],
        }
    )


def series_csv(series: Series) -> str:
    """A line per photo, with the headings `CSV_COLUMNS`."""
    return csv_text(CSV_COLUMNS, (_row(step, series.order) for step in series.steps))


def _row(step: Step, order: Order) -> dict[str, object]:
    """One photo by the columns of the CSV."""
    result, laid = step.kingdom, step.laid
    certain = [pair for pair, share in laid.pairs if share >= BREAKS.known_from] if laid else []
    return {
        "photo": printable(step.result.photo),
        "letter": kingdom_name(step.index) if len(step.result.kingdoms) > 1 else "",
        "status": result.status.value,
        "score": result.score if result.scored else "",
        "probability": f"{result.probability:.4f}",
        "kingdom": str(result.kingdom),
        "quarters": step.alignment.quarters if step.alignment else "",
        "new": place_names(result, laid.new) if laid else "",
        "laid": "; ".join(place_names(result, pair) for pair in certain),
        "order": order.value,
    }


def _step(step: Step) -> dict[str, Any]:
    laid = step.laid
    squares = step.kingdom.kingdom.squares()
    return {
        "result": to_object(step.result),
        "index": step.index,
        "quarters": step.alignment.quarters if step.alignment else None,
        "new": None if laid is None else [list(at) for at in laid.new],
        "laid": [
            {
                "cells": [list(at) for at in pair],
                "numbers": list(standard_deck().numbers(*(squares[at] for at in pair))),
                "probability": round(share, 6),
                "broken": float(pair in laid.broken),
            }
            for pair, share in laid.pairs
        ]
        if laid
        else [],
        "settled": [{"cell": list(at), "square": text} for at, text in step.settled],
    }
