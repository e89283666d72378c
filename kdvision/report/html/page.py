"""A report as one HTML file that needs no network: summary, standings, a card per photo.

The file is written card by card, so that thousands of photos need no more memory than one.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import compress
from pathlib import Path
from posixpath import split

from kdvision import __version__
from kdvision.files import whole_file
from kdvision.report.html.cards import Card, KingdomCard
from kdvision.report.palette import TERRAIN_PAINTS
from kdvision.report.standings import NUMBERS, Table
from kdvision.report.text.table import printable
from kdvision.rules.terrain import Terrain

#: Nothing is loaded from anywhere, whatever a name or a message may hold.
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
#: More tables than this are folded away at first, so that the cards are seen.
_MOST_OPEN = 4
_NO_LETTERS = re.compile(r"[^a-z]+")


@dataclass(frozen=True, slots=True)
class Page:
    """What stands around the cards.

    `counts` are the states with their numbers, in the order of their buttons. `standings` are
    tables, `notes` sentences below them.
    """

    title: str
    counts: Sequence[tuple[str, int]]
    standings: Sequence[Table] = ()
    notes: Sequence[str] = ()


def write_html(path: Path, page: Page, cards: Iterable[Card]) -> None:
    """Write a report in one step: all of it, or nothing.

    Raises:
        UsageError: It cannot be written.
    """
    with whole_file(path) as file:
        file.writelines(part.encode() for part in _page(page, cards))


def _page(page: Page, cards: Iterable[Card]) -> Iterator[str]:
    title = _text(page.title)
    yield (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="kdvision {__version__}">\n'
        f'<link rel="icon" href="data:,">\n'
        f"<title>{title}</title>\n<style>\n{_resource('page.css')}</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{title}</h1>\n{_filters(page)}</header>\n<main>\n{_standings(page)}"
        f'<p id="none" hidden>No photo matches.</p>\n<section id="cards">\n'
    )
    for card in cards:
        yield _card(card)
    yield (
        f'</section>\n</main>\n<dialog id="large" aria-label="Photo"><img alt=""><p></p>'
        f'<button type="button" aria-label="Close">\u00d7</button></dialog>\n'
        f"<footer>Made by kdscore {__version__}. Totals that are not sure are marked: look at "
        f"the photo.</footer>\n<script>\n{_resource('page.js')}</script>\n</body>\n</html>\n"
    )


def _filters(page: Page) -> str:
    total = sum(count for _, count in page.counts)
    buttons = [("", "all", total), *((state, state, count) for state, count in page.counts)]
    shown = "".join(
        f'<button type="button" data-filter="{_text(state)}" class="{_css(state)}" '
        f'aria-pressed="{"true" if not state else "false"}"><b>{count}</b> {_text(name)}</button>\n'
        for state, name, count in buttons
    )
    return (
        f'<div id="filters" role="group" aria-label="Filter">\n{shown}</div>\n'
        f'<input id="search" type="search" placeholder="Search a name, photo, or score" '
        f'aria-label="Search" autocomplete="off">\n'
    )


def _standings(page: Page) -> str:
    if not page.standings and not page.notes:
        return ""
    tables = "".join(map(_table, page.standings))
    notes = "".join(f"<p>{_text(note)}</p>\n" for note in page.notes)
    opened = " open" if len(page.standings) <= _MOST_OPEN else ""
    return (
        f'<details id="standings"{opened}>\n<summary>Standings</summary>\n'
        f'<div class="tables">\n{tables}</div>\n{notes}</details>\n'
    )


def _table(table: Table) -> str:
    """A table without the columns that are empty."""
    title, columns, rows = table
    used = [any(str(row[index]) for row in rows) for index in range(len(columns))]
    right = [column in NUMBERS for column in compress(columns, used)]
    lines = "".join(f"<tr>{_cells('td', list(compress(row, used)), right)}</tr>\n" for row in rows)
    return (
        f"<section>\n<h3>{_text(title)}</h3>\n<div><table>\n"
        f"<tr>{_cells('th', list(compress(columns, used)), right)}</tr>\n{lines}</table></div>\n"
        f"</section>\n"
    )


def _cells(tag: str, cells: Sequence[object], right: Sequence[bool]) -> str:
    return "".join(
        f"<{tag}{' class=number' if flush else ''}>{_text(str(cell))}</{tag}>"
        for cell, flush in zip(cells, right, strict=True)
    )


# ---------------------------------------------------------------------- cards


def _card(card: Card) -> str:
    words = " ".join([card.title, card.who, card.message, *_numbers(card)]).casefold()
    message = f'<p class="message">{_text(card.message)}</p>\n' if card.message else ""
    folder, name = split(card.title)
    path = f"<span>{_text(f'{folder}/')}</span>" if folder else ""
    return (
        f'<article class="card {_css(card.state)}" data-state="{_text(card.state)}" '
        f'data-words="{_text(words)}">\n{_picture(card)}<div class="body">\n'
        f"<h2>{path}{_text(name)}</h2>\n"
        f'<p class="who">{_text(card.who)}<span class="state">{_text(card.state)}</span></p>\n'
        f'<p class="head">{_totals(card)}</p>\n{message}'
        f"{''.join(map(_kingdom, card.kingdoms))}</div>\n</article>\n"
    )


def _numbers(card: Card) -> list[str]:
    claimed = [] if card.claimed is None else [str(card.claimed)]
    return [*claimed, *(str(kingdom.total) for kingdom in card.kingdoms)]


def _picture(card: Card) -> str:
    if not card.picture:
        return ""
    data = b64encode(card.picture).decode("ascii")
    return (
        f'<button type="button" class="open" aria-label="Show {_text(card.title)} large">'
        f'<img alt="{_text(card.title)} with what was read" loading="lazy" decoding="async" '
        f'src="data:image/webp;base64,{data}"></button>\n'
    )


def _totals(card: Card) -> str:
    """The totals, and the claim beside them."""
    read = " and ".join(f"<b>{kingdom.total}</b>" for kingdom in card.kingdoms)
    read = f'<span class="total">{read}</span>' if read else ""
    if card.claimed is None:
        return read
    claimed = f'<span class="claimed">claimed <b>{card.claimed}</b></span>'
    return f"{claimed}{f' <span class=read>read {read}</span>' if read else ''}"


def _kingdom(kingdom: KingdomCard) -> str:
    name = f"Kingdom {kingdom.name}: {kingdom.total}, " if kingdom.name else ""
    notes = "".join(f"<li>{_text(note)}</li>" for note in kingdom.notes)
    territories = "".join(
        f'<tr><td><i style="background:{TERRAIN_PAINTS[Terrain(line.terrain)].fill}"></i>'
        f"{_text(line.terrain)} at {line.at}</td>"
        f"<td class=number>{line.squares} \u00d7 {line.crowns}</td>"
        f"<td class=number>{line.points}</td></tr>"
        for line in kingdom.territories
    )
    bonuses = "".join(
        f"<tr><td>{_text(line.name)}</td><td></td><td class=number>{_text(line.value)}</td></tr>"
        for line in kingdom.bonuses
        if line.counted
    )
    return (
        f'<p class="status">{_text(name)}{_text(kingdom.status)}</p>\n'
        f"{f'<ul>{notes}</ul>' if notes else ''}"
        f"<details><summary>How it counts</summary>\n<table>{territories}{bonuses}"
        f"<tr><th>Total</th><th></th><th class=number>{kingdom.total}</th></tr></table>\n"
        f"<code>{_text(kingdom.line)}</code></details>\n"
    )


def _text(text: str) -> str:
    return escape(printable(text))


def _css(state: str) -> str:
    """The class of a state."""
    return f"is-{_NO_LETTERS.sub('-', state)}" if state else "is-all"


def _resource(name: str) -> str:
    return files("kdvision.report.html").joinpath(name).read_text(encoding="utf-8")
