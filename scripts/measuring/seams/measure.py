"""How many dominoes come out right, by seams, by the deck, and by both.

    python -m scripts.measuring.seams.measure --scenes DIR [DIR ...] [--photos] [--boards]

Scenes are those of `scripts.synthesis.render --recipe seams-unseen --measuring`: looks, boxes and
games that train nothing. Photos and boards measure the pairs of squares that the deck forces.
"""

import argparse
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.optimize import linear_sum_assignment

from kdvision.decoding.cutting_posterior import cutting_posterior
from kdvision.rules.kingdom import Kingdom, Pair
from scripts.data_split import data_folder
from scripts.measuring.evaluation.markdown import markdown
from scripts.measuring.evaluation.result_tables import share, table
from scripts.measuring.fill_texts import fill
from scripts.measuring.seams.cases import Case, board_cases, photo_cases, scene_cases
from scripts.paths import MODELS

#: Bands of the side of a square in the picture, in pixels.
BANDS = (0, 24, 32, 40, 56, 80, 10_000)
#: From so many pixels per square on, dominoes shall be found.
LARGE = 40
#: A domino less probable than this is said to be open.
SURE = 0.95


def marginals(kingdom: Kingdom, ratios: Mapping[Pair, float]) -> dict[Pair, float]:
    """How probable each pair is one domino, as the program has it by deck and seams."""
    found = cutting_posterior(kingdom, ratios).dominoes
    return {domino.cells: domino.probability for domino in found}


def likeliest(probabilities: Mapping[Pair, float]) -> dict[Pair, float]:
    """Of each square the domino that is likeliest, with its probability; none twice."""
    chosen: dict[Pair, float] = {}
    taken: set[tuple[int, int]] = set()
    for pair, chance in sorted(probabilities.items(), key=lambda one: -one[1]):
        if taken.isdisjoint(pair):
            chosen[pair] = chance
            taken.update(pair)
    return chosen


def by_seams_alone(kingdom: Kingdom, ratios: Mapping[Pair, float]) -> set[Pair]:
    """The likeliest way to pair all squares with neighbours, whatever the deck holds.

    Squares of a grid are black and white as on a chess board, and a pair has one of each.
    """
    squares = list(kingdom.squares())
    black = [at for at in squares if sum(at) % 2 == 0]
    white = [at for at in squares if sum(at) % 2]
    values = np.full((len(black), len(white)), -1e6)
    for i, one in enumerate(black):
        for j, other in enumerate(white):
            pair = (min(one, other), max(one, other))
            if pair in ratios:
                values[i, j] = ratios[pair]
    rows, cols = linear_sum_assignment(values, maximize=True)
    return {
        (min(black[i], white[j]), max(black[i], white[j]))
        for i, j in zip(rows, cols, strict=True)
        if values[i, j] > -1e6
    }


def pairs_table(cases: Sequence[Case], title: str, key: Callable[[Case], str]) -> Table:
    """What the network says of single pairs, by some property of their kingdoms."""
    rows = []
    for name, mine in _grouped(cases, key):
        said = [
            (case.ratios[pair], one)
            for case in mine
            if case.ratios is not None
            for pair, one in case.known.items()
        ]
        ones = [ratio for ratio, one in said if one]
        twos = [ratio for ratio, one in said if not one]
        loss = np.mean([np.mean(np.logaddexp(0, -np.array(ones or [0]))),
                        np.mean(np.logaddexp(0, np.array(twos or [0])))]) / np.log(2)  # fmt: skip
        found = sum(case.ratios is not None for case in mine)
        rows.append(
            (
                name,
                f"{found} of {len(mine)}",
                len(ones),
                share(sum(ratio > 0 for ratio in ones), len(ones)),
                len(twos),
                share(sum(ratio < 0 for ratio in twos), len(twos)),
                f"{loss:.2f}",
            )
        )
    heads = ("", "kingdoms found", "one domino", "said so", "two", "said so", "bits of doubt")
    return table(title, heads, rows)


def dominoes_table(cases: Sequence[Case], title: str, key: Callable[[Case], str]) -> Table:
    """Whole kingdoms: dominoes right by seams alone, by the deck alone, by both."""
    rows = []
    for name, mine in _grouped([case for case in cases if case.ratios is not None], key):
        count = alone = deck = both = sure = sure_right = 0
        for case in mine:
            assert case.ratios is not None
            truth = {pair for pair, one in case.known.items() if one}
            count += len(truth)
            alone += len(truth & by_seams_alone(case.kingdom, case.ratios))
            deck += len(truth & likeliest(marginals(case.kingdom, {})).keys())
            said = likeliest(marginals(case.kingdom, case.ratios))
            both += len(truth & said.keys())
            certain = {pair for pair, chance in said.items() if chance >= SURE}
            sure, sure_right = sure + len(certain), sure_right + len(certain & truth)
        rows.append(
            (
                name,
                len(mine),
                count,
                *(share(right, count) for right in (alone, deck, both)),
                share(sure, count),
                share(sure_right, sure),
            )
        )
    heads = (
        "",
        "kingdoms",
        "dominoes",
        "seams alone",
        "deck alone",
        "both",
        "sure",
        "of these right",
    )
    return table(title, heads, rows)


def alone_table(cases: Sequence[Case], title: str, key: Callable[[Case], str]) -> Table:
    """Dominoes that the deck forces, found again by seams alone."""
    rows = []
    for name, mine in _grouped([case for case in cases if case.ratios is not None], key):
        truths = [{pair for pair, one in case.known.items() if one} for case in mine]
        right = [
            len(truth & by_seams_alone(case.kingdom, case.ratios or {}))
            for truth, case in zip(truths, mine, strict=True)
        ]
        count = sum(map(len, truths))
        rows.append((name, len(mine), count, share(sum(right), count)))
    return table(title, ("", "kingdoms", "dominoes", "right by seams alone"), rows)


def reliability_table(cases: Sequence[Case], title: str) -> Table:
    """Whether likelihood ratios mean what they say, with as many of one domino as of two."""
    said = np.array(
        [
            (case.ratios[pair], one)
            for case in cases
            if case.ratios is not None
            for pair, one in case.known.items()
        ]
    )
    ratios, one = said[:, 0], said[:, 1] > 0
    weights = np.where(one, 0.5 / max(one.sum(), 1), 0.5 / max((~one).sum(), 1))
    rows = []
    for low, high in itertools.pairwise((-5.01, -4, -2.5, -1, 0, 1, 2.5, 4, 5.01)):
        inside = (ratios >= low) & (ratios < high)
        if not inside.any():
            continue
        total = weights[inside].sum()
        wanted = float((weights[inside] / (1 + np.exp(-ratios[inside]))).sum() / total)
        true = float(weights[inside & one].sum() / total)
        rows.append((f"{low:.1f} to {high:.1f}", int(inside.sum()), f"{wanted:.3f}", f"{true:.3f}"))
    return table(title, ("logarithm of the ratio", "pairs", "said", "true"), rows)


def _grouped(
    cases: Sequence[Case], key: Callable[[Case], str]
) -> Iterable[tuple[str, Sequence[Case]]]:
    names = list(dict.fromkeys(key(case) for case in sorted(cases, key=lambda case: case.px)))
    for name in names:
        yield name, [case for case in cases if key(case) == name]
    if len(names) > 1:
        yield "all", cases


def band(case: Case) -> str:
    """The band that a kingdom's squares fall into."""
    low, high = next((a, b) for a, b in itertools.pairwise(BANDS) if a <= case.px < b)
    return f"{low} to {high} px" if high < BANDS[-1] else f"from {low} px"


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=Path, nargs="*", default=[])
    parser.add_argument("--photos", action="store_true")
    parser.add_argument("--boards", action="store_true")
    parser.add_argument("--models", type=Path, help="a folder with another seams.onnx")
    parser.add_argument("--write", action="store_true", help="the tables into models/README.md")
    options = parser.parse_args()
    paths = sorted(path for folder in options.scenes for path in folder.glob("*.json"))
    tables = of_scenes([case for path in paths for case in scene_cases(path, options.models)])
    if options.boards:
        tables += of_real(list(board_cases(data_folder(), options.models)), lambda case: case.kind)
    if options.photos:
        tables += of_real(list(photo_cases(data_folder(), options.models)), lambda case: case.name)
    console = Console(width=140)
    for one in tables:
        console.print(one)
    if options.write:
        text = markdown("scripts/measuring/seams/measure.py", tables)
        fill(MODELS / "README.md", seams=text.replace("### ", "#### "))


def of_scenes(cases: Sequence[Case]) -> list[Table]:
    """The tables of rendered kingdoms, whose dominoes are all known."""
    if not cases:
        return []
    large = [case for case in cases if case.px >= LARGE]
    return [
        pairs_table(cases, "Pairs by pixels per square", band),
        pairs_table(cases, "Pairs by look", lambda case: case.kind),
        dominoes_table(cases, "Dominoes by pixels per square", band),
        dominoes_table(large, f"Dominoes from {LARGE} pixels on", lambda case: case.kind),
        reliability_table(cases, "Said and true, with as many of one domino as of two"),
    ]


def of_real(cases: Sequence[Case], key: Callable[[Case], str]) -> list[Table]:
    """The tables of real kingdoms, of whose pairs the deck decides most."""
    kind = cases[0].kind
    return [
        pairs_table(cases, f"Pairs that the deck decides: {kind}", key),
        alone_table(cases, f"Forced dominoes by seams alone: {kind}", lambda case: case.kind),
    ]


if __name__ == "__main__":
    main()
