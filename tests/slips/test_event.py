"""The event's file: numbers that are printed keep their names."""

from pathlib import Path

import pytest

from kdvision.errors import UsageError
from kdvision.slips.event import (
    FILE_NAME,
    Holder,
    find_event,
    in_order,
    read_event,
    with_seats,
    write_event,
)
from kdvision.slips.slip import MAX_ROUND, SlipCode

SEATS = [Holder("Ada", "2", "1"), Holder("Zoë Łuczak", "2", "1"), Holder("Ada", "Fenster", "2")]


def test_every_seat_has_a_code_that_says_whose_it_is() -> None:
    event = with_seats(SEATS)
    codes = [event.code(seat) for seat in SEATS]
    assert len(set(codes)) == len(SEATS)
    assert [event.seat(code) for code in codes] == SEATS


def test_names_that_are_numbers_keep_them() -> None:
    event = with_seats([Holder("A", "Fenster", "3"), Holder("B", "1", "2"), Holder("C", "07", "")])
    assert event.rounds[3] == "3"
    assert event.rounds[2] == "2"
    assert event.tables[1] == "1"
    assert "07" in event.tables.values()
    assert "" in event.rounds.values()


def test_more_seats_leave_printed_numbers_alone() -> None:
    first = with_seats(SEATS)
    second = with_seats([Holder("Bo", "9", "3"), *SEATS], first)
    assert second.event == first.event
    assert [second.seat(first.code(seat)) for seat in SEATS] == SEATS
    assert second.seat(second.code(Holder("Bo", "9", "3"))) == Holder("Bo", "9", "3")


def test_slips_are_in_the_order_of_rounds_and_tables() -> None:
    rounds = ("Round 1", "Round 2", "Round 10")
    seats = [Holder("A", table, one) for one in rounds for table in ("2", "10", "Table 9")]
    assert in_order([*reversed(seats), seats[0]]) == seats


def test_a_slip_of_another_event_is_nobodys() -> None:
    event, other = with_seats(SEATS), with_seats(SEATS)
    assert event.event != other.event
    assert event.seat(other.code(SEATS[0])) is None
    assert event.seat(SlipCode(event.event, 1, 2, 900)) is None
    assert event.seat(SlipCode(event.event, 9, 2, 1)) is None


def test_more_rounds_than_a_code_can_number_are_refused() -> None:
    seats = [Holder("Ada", "1", f"{n}") for n in range(MAX_ROUND + 1)]
    with pytest.raises(UsageError, match=str(MAX_ROUND)):
        with_seats(seats)
    assert len(with_seats(seats[1:]).rounds) == MAX_ROUND


def test_the_file_is_found_beside_photos_and_read_again(tmp_path: Path) -> None:
    event = with_seats(SEATS)
    empty = tmp_path / "photos"
    empty.mkdir()
    assert find_event([empty, tmp_path]) is None
    write_event(tmp_path / FILE_NAME, event)
    assert find_event([empty, tmp_path]) == event
    assert read_event(tmp_path / FILE_NAME) == event


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"event": 3}', '{"schema": "kdscore/1"}',
                                  '{"schema": "x", "event": "A", "rounds": {}, "tables": {}, '
                                  '"players": {}}'])  # fmt: skip
def test_another_file_is_no_event(text: str, tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_event(path)
    assert FILE_NAME in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        read_event(tmp_path / "nowhere.json")
