"""Change picture files at random and check that each gives a photo or one clear error message.

    python -m scripts.fuzzing.fuzz [--count 10000] [--only WebP ...] [--seed 1] [--scored 0.01]

Every mutation is opened and decoded in a process that is watched; some more, of a larger picture,
go through the whole pipeline. Allowed are a photo, a result, or an error of ours, within 5 seconds
and a gigabyte; a total that is called sure and is wrong is not. Anything else is a finding: its
recipe is printed, and its file written to --out. Ends with code 1 where there is one.
"""

import argparse
import sys
import zlib
from collections import Counter
from pathlib import Path
from random import Random

from scripts.fuzzing.mutate import apply, draw, recipe
from scripts.fuzzing.pictures import DECODED_SIDE, FORMATS, SCORED_SIDE, picture
from scripts.fuzzing.watched import Watched, decode, score
from scripts.paths import ROOT

#: The longest that one file may take.
SECONDS = 5.0
#: What may come of a mutation.
ALLOWED = ("photo", "damaged", "refused", "sure", "doubtful", "no kingdom")


def main() -> None:
    """Mutate files, watch what comes of them, print what came."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000, help="mutations of each format")
    parser.add_argument("--scored", type=float, default=0.01, help="the part that is scored too")
    parser.add_argument("--only", nargs="+", choices=FORMATS, default=list(FORMATS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=ROOT / "work" / "fuzz")
    options = parser.parse_args()
    findings = 0
    scored = round(options.count * options.scored)
    with Watched(decode, SECONDS) as decoding, Watched(score, SECONDS) as scoring:
        for name in options.only:
            for watched, side, count in (
                (decoding, DECODED_SIDE, options.count), (scoring, SCORED_SIDE, scored)
            ):  # fmt: skip
                findings += fuzz(watched, name, side, range(count), options)
    sys.exit(min(findings, 1))


def fuzz(
    watched: Watched, name: str, side: int, numbers: range, options: argparse.Namespace
) -> int:
    """Open some mutations of a format, and print what came of them; the number of findings."""
    pixels, kinds = picture(side), Counter[str]()
    files = {kind: write(pixels) for kind, write in FORMATS.items()}
    findings = 0
    for number in numbers:
        steps = draw(Random(zlib.crc32(f"{options.seed} {name} {side} {number}".encode())))
        data = apply(files[name], steps, tuple(files.values()))
        outcome = watched.open(data)
        kinds[outcome.kind] += 1
        if outcome.kind not in ALLOWED:
            findings += 1
            options.out.mkdir(parents=True, exist_ok=True)
            (options.out / f"{name} {side} {number}.bin").write_bytes(data)
            print(f"{name}, {side} px, {recipe(steps)}: {outcome}", flush=True)
    print(f"{name}, {side} px: {dict(kinds)}, {findings} findings", flush=True)
    return findings


if __name__ == "__main__":
    main()
