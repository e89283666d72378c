"""Codes say whose a slip is, with a checksum of their own."""

import random

import pytest

from kdvision.slips.slip import ALPHABET, MAX_PLAYER, MAX_ROUND, MAX_TABLE, SlipCode

CODE = SlipCode("7GQ2X", 3, 12, 47)


@pytest.mark.parametrize(
    "code",
    [
        CODE,
        SlipCode("00000", 1, 1, 1),
        SlipCode("ZZZZZ", MAX_ROUND, MAX_TABLE, MAX_PLAYER),
        SlipCode("A1B2C", 2, 1, 1),
        SlipCode("A1B2C", 1, 2, 1),
        SlipCode("A1B2C", 1, 1, 2),
    ],
)
def test_a_code_is_read_as_it_was_written(code: SlipCode) -> None:
    assert SlipCode.parse(code.text()) == code
    assert len(code.text()) <= 40
    assert set(code.text()) <= set(ALPHABET)


def test_a_code_fits_the_smallest_qr_code() -> None:
    last = SlipCode("ZZZZZ", MAX_ROUND, MAX_TABLE, MAX_PLAYER)
    assert {len(last.modules()), len(last.modules()[0])} == {21}
    assert CODE.modules() != last.modules()


@pytest.mark.parametrize("place", range(len(CODE.text())))
def test_one_wrong_letter_is_no_code(place: int) -> None:
    text = CODE.text()
    for letter in set(ALPHABET) - {text[place]}:
        assert SlipCode.parse(text[:place] + letter + text[place + 1 :]) is None


OTHERS = ["", "KD", "https://example.org/7GQ2X", "KD" + "é" * 14, CODE.text().lower()]


@pytest.mark.parametrize("text", [*OTHERS, CODE.text()[:-1], CODE.text() + "0"])
def test_other_texts_are_no_codes(text: str) -> None:
    assert SlipCode.parse(text) is None


def test_few_texts_of_chance_are_codes() -> None:
    rng = random.Random(3)
    texts = ("KD" + "".join(rng.choices(ALPHABET, k=14)) for _ in range(20_000))
    assert sum(SlipCode.parse(text) is not None for text in texts) <= 6
