"""Photos that carry their own truth, and a scorer that reads it: tournaments without models.

A fake photo is a JPEG with a comment that says what a scorer finds in it. Everything here can be
imported by a worker process.
"""

import json
import os
import signal
import time
import zlib
from collections.abc import Mapping
from functools import cache
from itertools import zip_longest
from pathlib import Path

import cv2
import numpy as np
from msgspec.structs import replace

from kdvision.corrections import Fixes, FixPlace, parse_fixes
from kdvision.errors import ModelError, NoKingdomError, UnreadablePhotoError, UsageError
from kdvision.photo.photo import Photo
from kdvision.pipeline.read_photo import ReadPhoto
from kdvision.pipeline.scorer import Scorer
from kdvision.reading import Alternative, Colour, Doubt, DoubtCode
from kdvision.result import PhotoResult, Status
from kdvision.rules.kingdom import Kingdom, parse_cell
from kdvision.rules.rules import DEFAULT_RULES, Rules
from kdvision.sentences import Sentence
from kdvision.tournament.executors import Processes, Workers
from tests.support.paths import ROOT
from tests.support.results import plain, read_kingdom

_START = b"\xff\xd8"
#: Seconds that a slow photo takes, where the environment names no others.
SLOW_S = "KDVISION_FAKE_SLOW_S"


def fake_photo(
    line: str = "C W1 G G",
    status: Status = Status.SURE,
    probability: float = 0.99,
    alternatives: tuple[tuple[int, float], ...] = (),
    number: int = 0,
    act: str = "",
    colours: tuple[str, ...] = (),
    fixes: tuple[tuple[tuple[int, int], str], ...] = (),
    unclear: tuple[tuple[int, int], ...] = (),
    left_out: tuple[str, ...] = (),
) -> bytes:
    """The bytes of a photo.

    `fixes` are the squares that settle each kingdom, `unclear` the places that are not read
    clearly, `left_out` the regions of what may be another kingdom. `number` makes photos of one
    kingdom different, visibly too. `act` says what else happens when it is scored: `die`, `fail`,
    `slow`, `models`.
    """
    # A mosaic of its own for every kingdom and number.
    seed = zlib.crc32(f"{number} {line}".encode())
    mosaic = np.random.default_rng(seed).integers(0, 255, (9, 12, 3), np.uint8)
    pixels = cv2.resize(mosaic, (120, 90), interpolation=cv2.INTER_NEAREST)
    cv2.circle(pixels, (60, 45), 30, (30, 120, 220), -1)
    jpeg = cv2.imencode(".jpg", pixels)[1].tobytes()
    # What the fake scorer finds stands in a comment of the JPEG.
    told = {
        "line": line,
        "status": status.value,
        "probability": probability,
        "alternatives": alternatives,
        "number": number,
        "act": act,
        "colours": colours,
        "fixes": fixes,
        "unclear": unclear,
        "left_out": left_out,
    }
    comment = json.dumps(told).encode()
    length = (len(comment) + 2).to_bytes(2, "big")
    return _START + b"\xff\xfe" + length + comment + jpeg[len(_START) :]


def write_photo(path: Path, *args: object, **options: object) -> Path:
    """Write a fake photo; see `fake_photo`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(fake_photo(*args, **options))  # type: ignore[arg-type]
    return path


@cache
def _real_scorer() -> Scorer:
    return Scorer(threads=1)


class FakeScorer:
    """Finds in a fake photo what its comment says; a real JPEG is read by the real program."""

    def score(
        self,
        source: Photo | bytes,
        rules: Rules = DEFAULT_RULES,
        *,
        name: str | None = None,
        fixes: Fixes | None = None,
        kingdoms: int | None = None,
    ) -> PhotoResult:
        return self.judge(self.read(source, name=name), rules, fixes=fixes, kingdoms=kingdoms)

    def read(self, source: Photo | bytes, *, name: str | None = None) -> ReadPhoto:
        """Read the comment; it stands in the name of what was read."""
        if isinstance(source, Photo):
            source = source.data
        if source[:3] == _START + b"\xff" and source[3] != 0xFE:
            return _real_scorer().read(source, name=name)
        if source[2:4] != b"\xff\xfe":
            raise UnreadablePhotoError(Sentence("unreadable.text"), photo=name)
        told = json.loads(source[6 : 4 + int.from_bytes(source[4:6], "big")])
        act(told["act"])
        if not told["line"]:
            what = Sentence("no-kingdom.found", {"shown": "no-kingdom.no-tiles"})
            raise NoKingdomError(what, photo=name)
        return ReadPhoto(json.dumps({**told, "name": name}), (120, 90), ())

    def judge(
        self,
        read: ReadPhoto,
        rules: Rules = DEFAULT_RULES,
        *,
        fixes: Fixes | None = None,
        kingdoms: int | None = None,
    ) -> PhotoResult:
        """Judge what `read` returned; a fake photo leaves nothing out, whatever is counted."""
        if read.kingdoms:
            return _real_scorer().judge(read, rules, fixes=fixes, kingdoms=kingdoms)
        # The comment of the photo stands in the name of what was read.
        told = json.loads(read.name)
        status = Status(told["status"])
        if fixes:
            # A person has looked at it.
            told = {**told, "line": _corrected(told["line"], parse_fixes(fixes)), "fixes": []}
            status = Status.SURE
        alternatives = tuple(
            Alternative(total, probability, ()) for total, probability in told["alternatives"]
        )
        # A kingdom for every line.
        unsure = {tuple(at): 0.9 for at in told["unclear"]}
        settling = tuple((tuple(at), text) for at, text in told["fixes"])
        results = []
        for line, colour in zip_longest(told["line"].split(" | "), told["colours"]):
            kingdom = read_kingdom(
                line,
                status,
                told["probability"],
                alternatives=alternatives,
                harmony=rules.harmony,
                middle_kingdom=rules.middle_kingdom,
                centre=rules.centre,
                unsure=unsure,
                corners=((30, 15), (90, 15), (90, 75), (30, 75)),
            )
            colour = Colour(colour) if colour else None
            results.append(replace(kingdom, colour=colour, fixes=settling))
        name = told["name"] or ""
        if told["left_out"]:
            notes = []
            for region in told["left_out"]:
                fields: dict[str, str | int] = {"number": 9, "where": f"where.{region}"}
                notes.append(Doubt(DoubtCode.SMALLER_LEFT_OUT, fields=fields))
            return PhotoResult.of_kingdoms(name, results, left_out=notes, count=kingdoms)
        message = "" if status is Status.SURE else "It is dark."
        return PhotoResult(name, status, plain(message), tuple(results), read.size)


def _corrected(lines: str, fixes: Mapping[FixPlace, str]) -> str:
    """Kingdom lines with corrections put in."""
    kingdoms = [Kingdom.parse(line) for line in lines.split(" | ")]
    for place, text in fixes.items():
        name, (row, col) = place
        index = ord(name) - ord("A") if name else 0
        is_there = index < len(kingdoms)
        if not is_there or row > kingdoms[index].height or col > kingdoms[index].width:
            raise UsageError(f"{place} is no place of the kingdom.", "Look again.")
        cells = {**dict(kingdoms[index].cells()), (row, col): parse_cell(text)}
        kingdoms[index] = Kingdom.of_cells(cells)
    return " | ".join(map(str, kingdoms))


def act(what: str) -> None:
    """Do something that a photo should not be able to do."""
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "fail":
        raise ZeroDivisionError("division by zero")
    if what == "slow":
        time.sleep(float(os.environ.get(SLOW_S, "0.3")))
    if what == "models":
        raise ModelError("The model is damaged.", "Install it again.")


def fake_scorer() -> FakeScorer:
    """The factory for workers."""
    return FakeScorer()


def own_package() -> dict[str, str]:
    """The environment in which another Python imports the same kdvision as this one."""
    root = str(ROOT)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}


def fake_workers(**options: object) -> Workers:
    """One process that scores fake photos."""
    options = {"executor": Processes(1), "count": 1, **options}
    return Workers(scorer=fake_scorer, **options)  # type: ignore[arg-type]
