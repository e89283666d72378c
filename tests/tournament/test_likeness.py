"""When two readings are of one kingdom: turned, moved, misread in places, or a domino later."""

import pytest

from kdvision.rules.kingdom import Kingdom
from kdvision.tournament.likeness import find_common_share, group_same, parse_reading, same_kingdom

#: Ten squares.
LINE = "C W W1 L F/G G S S2 M"


@pytest.mark.parametrize(
    ("other", "share"),
    [
        (LINE, 1.0),
        ("M S2 S G G/F L W1 W C", 1.0),  # turned by half
        ("- - - - -/" + LINE, 1.0),
        ("C W W1 L F/G G S S2 -", 0.9),
        ("C W W1 L F/G G S S2 M/F F - - -", 10 / 12),
        ("C W W1 L F/G G S W W", 0.8),
        ("C W W1 L F/G G W W W", 0.7),
        ("C W W1 L F/G G S S2 M/F F F - -", 10 / 13),
        ("-", 0.0),
    ],
)
def test_share_of_equal_squares(other: str, share: float) -> None:
    first, second = Kingdom.parse(LINE), Kingdom.parse(other)
    for pair in ((first, second), (second, first)):
        assert find_common_share(*pair) == pytest.approx(share)
        assert same_kingdom(*pair) is (share > 0.8)


def test_equal_kingdoms_are_grouped() -> None:
    lines = [LINE, "C F F/L L -", "C W W1 L F/G G S S2 -", "C F F/L L -", "C M M/W W W"]
    kingdoms = {10 * n: Kingdom.parse(line) for n, line in enumerate(lines)}
    assert group_same(kingdoms) == [[0, 20], [10, 30]]
    assert group_same({}) == []


@pytest.mark.parametrize(("text", "line"), [("C W1/F -", "C W1/F -"), ("C X", None), ("", None)])
def test_reading_of_results_may_be_none(text: str, line: str | None) -> None:
    reading = parse_reading(text)
    assert (reading and str(reading)) == line
