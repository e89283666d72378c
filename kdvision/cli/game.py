"""The options of a game as they are typed, for every command that scores."""

from dataclasses import dataclass

from kdvision.errors import UsageError
from kdvision.options import MOST_BOXES, SIZES, GameOptions

_SIZES = {"auto": None} | {str(size): size for size in SIZES}


@dataclass(frozen=True, slots=True)
class GameWords:
    """`--size`, `--harmony`, `--middle-kingdom` and `--boxes`, as typed."""

    size: str = "auto"
    harmony: bool = False
    middle_kingdom: bool = False
    boxes: str = "1"

    def read(self) -> GameOptions:
        """The options that they mean.

        Raises:
            UsageError: A value makes no sense.
        """
        if self.size not in _SIZES:
            raise UsageError(f"--size is {self.size[:20]!r}.", "Write auto, 5 or 7.")
        if self.boxes not in [str(number) for number in range(1, MOST_BOXES + 1)]:
            raise UsageError(
                f"--boxes is {self.boxes[:20]!r}.", f"Write a number from 1 to {MOST_BOXES}."
            )
        return GameOptions(_SIZES[self.size], self.harmony, self.middle_kingdom, int(self.boxes))


#: Nothing typed.
DEFAULT_WORDS = GameWords()
