"""Large work is done in turn, small work is not kept waiting."""

import cv2
import numpy as np
import pytest

from kdvision.vision.photo import open_photo
from kdvision.vision.turns import in_turn, take_turns


class Lock:
    """Notes who takes it; `free` says whether it can be had."""

    def __init__(self, free: bool = True) -> None:
        self.free = free
        self.said: list[str] = []

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        self.said.append("asked")
        return self.free

    def release(self) -> None:
        self.said.append("given back")


@pytest.fixture
def lock():
    lock = Lock()
    take_turns(lock)
    yield lock
    take_turns(None)


def test_large_work_takes_its_turn(lock: Lock) -> None:
    with in_turn(large=True):
        assert lock.said == ["asked"]
    assert lock.said == ["asked", "given back"]


def test_small_work_does_not_wait(lock: Lock) -> None:
    with in_turn(large=False):
        pass
    assert lock.said == []


def test_a_turn_is_given_back_when_the_work_fails(lock: Lock) -> None:
    with pytest.raises(ValueError), in_turn(large=True):
        raise ValueError
    assert lock.said == ["asked", "given back"]


def test_whoever_waits_too_long_goes_on(lock: Lock) -> None:
    lock.free = False
    with in_turn(large=True):
        pass
    assert lock.said == ["asked"]


def test_a_process_by_itself_never_waits() -> None:
    with in_turn(large=True):
        pass


@pytest.mark.parametrize(("min_side", "turns"), [(2400, 1), (600, 0)])
def test_large_pictures_are_decoded_in_turn(lock: Lock, min_side: int, turns: int) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (1800, 2400, 3), np.uint8)
    data = cv2.imencode(".jpg", pixels)[1].tobytes()
    assert open_photo(data).pixels(min_side)[0].shape[1] == min_side
    assert lock.said == ["asked", "given back"] * turns
