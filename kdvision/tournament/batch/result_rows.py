"""Results as rows of a table: one per kingdom, with whose it is and what a person settled.

Every row ends with the key of what was scored: the bytes of the photo, the rules and corrections
it was scored by, and the program and models that scored it. By it a later run knows what is done.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import astuple

import kdvision
from kdvision.columns import Row
from kdvision.corrections import FixPlace, fix_name, kingdom_name
from kdvision.options import GameOptions
from kdvision.pipeline.settings import PIPELINE
from kdvision.result import Status
from kdvision.rules.kingdom import Kingdom, NotationError
from kdvision.tournament.batch.jobs import Entry
from kdvision.tournament.owners import Fit, accounted_for, best_kingdoms
from kdvision.vision.models import model_folder, read_manifest

#: The statuses of rows that are no kingdoms: a line whose kingdom is not known, one that cannot
#: be used.
OPEN, BAD_LINE = "open", "bad-line"


def fingerprint(models: Path | None = None) -> str:
    """Names this version of the program with these models.

    Raises:
        ModelError: The list of models is missing.
    """
    entries = read_manifest(models or model_folder())
    sums = (f"{name}={entry.sha256}/{entry.temperature}" for name, entry in entries.items())
    return " ".join((kdvision.__version__, *sorted(sums)))


def key_of(
    digest: str, options: GameOptions, scorer: str, fixes: Mapping[FixPlace, str] | None = None
) -> str:
    """The key of a photo scored by some rules; empty where the photo's digest is not known.

    It begins with a letter, so that no spreadsheet takes it for a number.
    """
    if not digest:
        return ""
    corrected = sorted((fix_name(place), cell) for place, cell in (fixes or {}).items())
    what = (digest, *astuple(options), scorer, *corrected)
    return f"k{hashlib.sha256(repr(what).encode()).hexdigest()[:32]}"


# ---------------------------------------------------------------------- what was found


def is_whole(rows: Sequence[Row]) -> bool:
    """Whether the rows of a photo are all there, and nothing has spoiled them.

    A spreadsheet may take a kingdom line that begins with an empty place for a formula.
    """
    try:
        count = int(rows[0]["kingdoms"]) if rows else -1
        lines = [Kingdom.parse(row["kingdom_line"]) for row in rows if count]
        scores = [int(row["score"]) for row in rows if count and not _unscored(row)]
    except (KeyError, ValueError, NotationError):
        return False
    letters = {row.get("kingdom", "") for row in rows}
    unscored = sum(_unscored(row) for row in rows if count)
    totals = len(scores) + unscored
    return len(lines) == totals == count and len(letters) == max(count, 1) == len(rows)


def _unscored(row: Row) -> bool:
    """Whether a row is of a kingdom that cannot be scored, and not one whose total was deleted."""
    if row.get("score"):
        return False
    probability = float(row.get("probability", "1").replace(",", "."))
    return probability < PIPELINE.scored_from and row.get("status") == Status.DOUBTFUL.value


# ---------------------------------------------------------------------- whose it is


def owned_rows(found: Sequence[Row], entries: Sequence[Entry]) -> list[Row]:
    """The rows of a photo with what lines of tables say of its kingdoms.

    A line that names no kingdom owns the only one of a photo that no other line names; of several
    kingdoms the one whose sure total it claims, where there are as many such lines as kingdoms, no
    claim is left unexplained, and no other assignment explains as many. Any other line has a row of
    its own, which is open.

    Args:
        found: What was found, a row per kingdom.
        entries: What lines say of this photo.
    """
    if not found[0].get("kingdom_line"):
        return [{**found[0], **_said(entry)} for entry in entries] or [dict(found[0])]
    letters = [row.get("kingdom") or kingdom_name(index) for index, row in enumerate(found)]
    owners: dict[int, Entry] = {}
    left: list[Entry] = []
    for entry in entries:
        index = letters.index(entry.letter) if entry.letter in letters else -1
        if index >= 0 and index not in owners:
            owners[index] = entry
        else:
            left.append(entry)
    without = [entry for entry in left if not entry.letter]
    free = [index for index in range(len(found)) if index not in owners]
    for entry, own in zip(without, _assigned(without, free, found), strict=True):
        if own is not None:
            owners[own] = entry
            left.remove(entry)
    rows = [
        {**row, **_said(owners[index]), "kingdom": row.get("kingdom", "")}
        if index in owners
        else dict(row)
        for index, row in enumerate(found)
    ]
    return [*rows, *(_open_row(found, entry, len(entries)) for entry in left)]


def _assigned(
    entries: Sequence[Entry], free: Sequence[int], found: Sequence[Row]
) -> list[int | None]:
    """The kingdom of each line that names none; None where it is not known."""
    if not entries or len(entries) != len(free):
        return [None for _ in entries]
    if len(found) == 1:
        return [free[0]]
    fits = [[_fit(entry, found[index]) for index in free] for entry in entries]
    best = best_kingdoms(fits)
    if not all(accounted_for(fits, best)):
        return [None for _ in entries]
    owners: list[int | None] = []
    for row, options in zip(fits, best, strict=True):
        own = next(iter(options)) if len(options) == 1 else None
        explained = own is not None and row[own] is Fit.EXPLAINED
        owners.append(free[own] if own is not None and explained else None)
    return owners


def _fit(entry: Entry, row: Row) -> Fit:
    if row["status"] != Status.SURE.value:
        return Fit.POSSIBLE
    return Fit.EXPLAINED if row["score"] == str(entry.claimed) else Fit.UNEXPLAINED


def _open_row(found: Sequence[Row], entry: Entry, lines: int) -> Row:
    """The row of a line whose kingdom is not known."""
    shows = "1 kingdom" if len(found) == 1 else f"{len(found)} kingdoms"
    names = "1 line names" if lines == 1 else f"{lines} lines name"
    message = (
        f"{names} this photo, which shows {shows}. Write the letter of the kingdom of this line "
        "in the column kingdom."
    )
    return {**_said(entry), "photo": found[0]["photo"], "status": OPEN, "message": message}


def _said(entry: Entry) -> Row:
    return dict(entry.fields)
