"""The options of a game as they are typed, for every command that scores."""

from msgspec import Struct

from kdvision.cli.defaults import defaults
from kdvision.errors import UsageError
from kdvision.options import MOST_BOXES, GameOptions
from kdvision.rules.scoring import SIZES, Centre

_SIZES = {"auto": None} | {str(size): size for size in SIZES}


class GameWords(Struct, frozen=True):
    """`--size`, `--harmony`, `--middle-kingdom`, `--boxes`, `--centre` as typed; None if not."""

    size: str | None = None
    harmony: bool | None = None
    middle_kingdom: bool | None = None
    boxes: str | None = None
    centre: str | None = None

    def read(self) -> GameOptions:
        """The options that they mean, with the defaults of what is not given.

        Raises:
            UsageError: A value makes no sense.
        """
        known = defaults()
        size = known["size"].value if self.size is None else self.size
        if size not in _SIZES:
            where = "--size" if self.size is not None else f"size in {known['size'].where}"
            raise UsageError(f"{where} is {size[:20]!r}.", "Write auto, 5 or 7.")
        boxes = known["boxes"].value if self.boxes is None else self.boxes
        if boxes not in [str(number) for number in range(1, MOST_BOXES + 1)]:
            where = "--boxes" if self.boxes is not None else f"boxes in {known['boxes'].where}"
            raise UsageError(
                f"{where} is {boxes[:20]!r}.", f"Write a number from 1 to {MOST_BOXES}."
            )
        centre = Centre.BOX if self.centre is None else self.centre
        if centre not in tuple(Centre):
            raise UsageError(f"--centre is {centre[:20]!r}.", "Write box or frame.")
        middle = self.middle_kingdom
        return GameOptions(
            _SIZES[size],
            known["harmony"].flag if self.harmony is None else self.harmony,
            known["middle_kingdom"].flag if middle is None else middle,
            int(boxes),
            Centre(centre),
        )


#: Nothing typed.
DEFAULT_WORDS = GameWords()
