"""Change picture files at random and check that each gives a photo or one clear error message.

    python -m scripts.fuzzing.fuzz [--count 10000] [--only WebP ...] [--seed 1] [--scored 0.01]
    python -m scripts.fuzzing.fuzz --only WebP --recipe "byte:81 swap:7"

Every mutation is opened and decoded in a process that is watched; some more, of a larger picture,
go through the whole pipeline. Allowed are a photo, a result, or an error of ours, within 5 seconds
and 600 megabytes; a total that is called sure and is wrong is not. Anything else is a finding: its
file and its recipe are written to --out, after steps that do not matter were left out. Ends with
code 1 where there is one.
"""

import argparse
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from scripts.fuzzing.mutate import Step, apply, draw, read_recipe, recipe
from scripts.fuzzing.pictures import DECODED_SIDE, FORMATS, SCORED_SIDE, TOTAL, picture
from scripts.fuzzing.watchdog import Outcome, Watched, worker
from scripts.paths import ROOT

#: The most that one file may take.
SECONDS, MEGABYTES = 5.0, 600.0
#: What may come of a mutation.
DECODED = ("photo", "damaged", "refused")
SCORED = ("sure", "doubtful", "no kingdom", "refused")


@dataclass(frozen=True, slots=True)
class Finding:
    """A mutation with an outcome that is not allowed."""

    format: str
    side: int
    steps: tuple[Step, ...]
    outcome: Outcome

    def __str__(self) -> str:
        return (
            f"{self.format}, {self.side} px, --recipe {recipe(self.steps)!r}: "
            f"{self.outcome.kind}, {self.outcome.said}"
        )


@dataclass(slots=True)
class Tally:
    """What came of the mutations of one format."""

    format: str
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    megabytes: float = 0.0
    findings: list[Finding] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count an outcome."""
        self.outcomes[outcome.kind] += 1
        self.slowest = max(self.slowest, outcome.seconds)
        self.megabytes = max(self.megabytes, outcome.megabytes)


class Fuzzer:
    """Mutates one picture in all its formats.

    Args:
        side: Its width and height in pixels.
        command: Starts the worker that opens the mutations.
        allowed: Outcomes that are no finding.
    """

    def __init__(self, side: int, command: list[str], allowed: tuple[str, ...]) -> None:
        self.side, self.command, self.allowed = side, command, allowed
        pixels = picture(side)
        self.files = {name: write(pixels) for name, write in FORMATS.items()}

    def run(self, name: str, numbers: range, seed: int, tally: Tally) -> None:
        """Open some mutations of a format."""
        with Watched(self.command, seconds=SECONDS, megabytes=MEGABYTES) as watched:
            for number in numbers:
                steps = draw(Random(zlib.crc32(f"{seed} {name} {self.side} {number}".encode())))
                outcome = watched.open(self.mutated(name, steps))
                tally.add(outcome)
                if outcome.kind not in self.allowed:
                    found = Finding(name, self.side, steps, outcome)
                    tally.findings.append(self.least(watched, found))

    def mutated(self, name: str, steps: tuple[Step, ...]) -> bytes:
        """The file of a format with steps applied."""
        return apply(self.files[name], steps, tuple(self.files.values()))

    def least(self, watched: Watched, finding: Finding) -> Finding:
        """The finding with the fewest steps that still lead to one of its kind."""
        for at in reversed(range(len(finding.steps))):
            steps = finding.steps[:at] + finding.steps[at + 1 :]
            outcome = watched.open(self.mutated(finding.format, steps))
            if outcome.kind == finding.outcome.kind:
                finding = Finding(finding.format, finding.side, steps, outcome)
        return finding


def main() -> None:
    """Mutate files, watch what comes of them, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000, help="mutations of each format")
    parser.add_argument("--scored", type=float, default=0.01, help="the part that is scored too")
    parser.add_argument("--only", nargs="+", choices=FORMATS, default=list(FORMATS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recipe", help="make this one mutation again")
    parser.add_argument("--out", type=Path, default=ROOT / "work" / "fuzz")
    options = parser.parse_args()
    if options.recipe is not None:
        sys.exit(again(options.only, read_recipe(options.recipe)))
    tallies = []
    for tally in fuzz(
        options.only, options.count, round(options.count * options.scored), options.seed
    ):
        tallies.append(tally)
        print(f"{tally.format}: {dict(tally.outcomes)}", file=sys.stderr)
        for finding in tally.findings:
            print(f"  {finding}", file=sys.stderr)
    Console(width=120).print(table(tallies))
    findings = [finding for tally in tallies for finding in tally.findings]
    keep(findings, options.out)
    sys.exit(bool(findings))


def fuzz(names: list[str], count: int, scored: int, seed: int) -> Iterator[Tally]:
    """Decode `count` mutations of each format, and score `scored` more."""
    small = Fuzzer(DECODED_SIDE, worker("decoding"), DECODED)
    large = Fuzzer(SCORED_SIDE, worker("scoring", str(TOTAL)), SCORED) if scored else None
    for name in names:
        tally = Tally(name)
        small.run(name, range(count), seed, tally)
        if large:
            large.run(name, range(scored), seed, tally)
        yield tally


def table(tallies: list[Tally]) -> Table:
    """Outcomes by format."""
    result = Table(title="Mutated files")
    columns = list(dict.fromkeys((*DECODED, *SCORED)))
    for head in ("format", "files", *columns, "slowest", "memory", "findings"):
        result.add_column(head, justify="left" if head == "format" else "right")
    for tally in tallies:
        result.add_row(
            tally.format,
            f"{tally.outcomes.total():,}",
            *(f"{tally.outcomes[kind]:,}" for kind in columns),
            f"{tally.slowest:.2f} s",
            f"{tally.megabytes:.0f} MB",
            str(len(tally.findings)),
        )
    return result


def keep(findings: list[Finding], folder: Path) -> None:
    """Write the files of findings, and their recipes."""
    for number, finding in enumerate(findings):
        folder.mkdir(parents=True, exist_ok=True)
        fuzzer = Fuzzer(finding.side, [], ())
        path = folder / f"{number:03}"
        path.with_suffix(".bin").write_bytes(fuzzer.mutated(finding.format, finding.steps))
        path.with_suffix(".txt").write_text(f"{finding}\n", encoding="utf-8")
        print(f"{path}.bin: {finding}")


def again(names: list[str], steps: tuple[Step, ...]) -> int:
    """Make one mutation of each format named, small and large, and say what comes of it."""
    jobs = ((DECODED_SIDE, worker("decoding"), DECODED),
            (SCORED_SIDE, worker("scoring", str(TOTAL)), SCORED))  # fmt: skip
    bad = 0
    for side, command, allowed in jobs:
        fuzzer = Fuzzer(side, command, allowed)
        with Watched(command, seconds=SECONDS, megabytes=MEGABYTES) as watched:
            for name in names:
                outcome = watched.open(fuzzer.mutated(name, steps))
                bad += outcome.kind not in allowed
                print(f"{name}, {side} px: {outcome}")
    return min(bad, 1)


if __name__ == "__main__":
    main()
