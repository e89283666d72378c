"""What CI may not skip."""

import pytest

from tests.support.browser import driver

SKIPPED = """
import pytest
pytest.importorskip("no_such_library")
"""


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)]
)
def test_a_missing_browser_skips_a_test_but_not_in_ci(monkeypatch, ci, outcome):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="chromedriver are not installed"), driver():
        pass


@pytest.mark.parametrize(("ci", "outcome"), [("", "skipped=1"), ("true", "errors=1")])
def test_a_missing_library_skips_a_module_but_not_in_ci(pytester, monkeypatch, ci, outcome):
    monkeypatch.setenv("CI", ci)
    pytester.makeconftest("from tests.conftest import pytest_make_collect_report")
    pytester.makepyfile(test_it=SKIPPED)
    name, _, count = outcome.partition("=")
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(**{name: int(count)})
