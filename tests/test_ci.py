"""What CI may not skip, and that it runs what the README says."""

import re
import subprocess

import pytest

from tests.support.browser import driver
from tests.support.paths import ROOT

SKIPPED = """
import pytest
pytest.importorskip("no_such_library")
"""


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)]
)
def test_a_missing_browser_skips_a_test_but_not_in_ci(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="chromedriver are not installed"), driver():
        pass


@pytest.mark.parametrize(("ci", "outcome"), [("", "skipped=1"), ("true", "errors=1")])
def test_a_missing_library_skips_a_module_but_not_in_ci(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, ci: str, outcome: str
) -> None:
    monkeypatch.setenv("CI", ci)
    pytester.makeconftest("from tests.conftest import pytest_make_collect_report")
    pytester.makepyfile(test_it=SKIPPED)
    name, _, count = outcome.partition("=")
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(**{name: int(count)})


def test_the_script_of_ci_is_a_valid_one() -> None:
    subprocess.run(["bash", "-n", ROOT / ".ci" / "run"], check=True)


def test_ci_and_make_run_the_same_checks() -> None:
    """What `make check docs test-all` does, CI does; README's block does what `make test` does."""
    recipes = re.findall(r"^\t\$\(PYTHON\) -m (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    tools = ("ruff", "mypy", "pytest", "mkdocs")
    checks = [line for line in recipes if line.split()[0] in tools]
    assert len(checks) == 6
    texts = (ROOT / ".ci" / "run").read_text(), (ROOT / "README.md").read_text()
    assert [line for line in checks if not any(f" -m {line}\n" in text for text in texts)] == []
    assert "python -m pytest\n" in texts[1] and 'python -m pytest -m ""\n' in texts[0]


def test_the_blocks_that_ci_runs_are_those_that_install() -> None:
    blocks = re.findall(r"^```\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)
    run = [block for block in blocks if "pip install" in block]
    assert len(run) == 2
    for block in run:
        first, second, last = block.splitlines()
        assert first == "python3 -m venv .venv && . .venv/bin/activate"
        assert second.startswith("pip install ")
        assert last in ("kdscore samples/meadow_5x5.jpg", "python -m pytest")
