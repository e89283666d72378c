"""What stages measure on seeded scenes; `python -m tests.support.measures` records it anew."""

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

from tests.support.paths import TESTS

FILE = TESTS / "data" / "measures.json"
MODULES = "tests.vision.test_measures", "tests.decoding.test_measures", "tests.report.test_overlay"


def recorded(stage: Callable[[], list[float]]) -> Any:
    """The measures of a stage, by its name."""
    return json.loads(FILE.read_text(encoding="utf-8"))[stage.__name__]


if __name__ == "__main__":
    stages = [stage for name in MODULES for stage in import_module(name).STAGES]
    values = {stage.__name__: [float(f"{value:.7g}") for value in stage()] for stage in stages}
    FILE.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
