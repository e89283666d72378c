"""Lines of a board held against each other, for what cannot be at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import is_

from kdvision.serve.desk.record import Sent
from kdvision.tournament.duplicates import Clash, Found, clashes
from kdvision.tournament.verify.checked import Checked
from kdvision.tournament.verify.judged import found_of, with_clashes

#: Boxes of dominoes at a table.
_BOXES = 1


@dataclass(slots=True)
class Together:
    """Finds clashes, anew only where a photo or its reading has changed.

    A tournament of a hundred tables has 80,000 pairs of photos, and every claim makes a new board.
    """

    _found: dict[int, tuple[Checked, Sent, Found]] = field(default_factory=dict)
    _last: tuple[list[Found], list[Clash]] = field(default_factory=lambda: ([], []))

    def held(
        self, lines: Mapping[int, Checked], sent: Mapping[int, Sent | None]
    ) -> tuple[dict[int, Checked], dict[int, list[str]], list[str]]:
        """Hold lines against each other.

        Args:
            lines: The claims by the numbers of their lines, each held against its photo.
            sent: The photos; None where there is none yet.

        Returns:
            The lines by their numbers, those not agreeing that cannot all be right; what there is
            to say of each; and all that there is to say.
        """
        photos = {number: photo for number in lines if (photo := sent[number])}
        order = list(photos)
        every = self._clashes([self._of(n, lines[n], photo) for n, photo in photos.items()])
        said: dict[int, list[str]] = {}
        for clash in every:
            for index in clash.lines:
                said.setdefault(order[index], []).append(clash.message)
        judged = dict(zip(order, with_clashes([lines[n] for n in order], every), strict=True))
        return {**lines, **judged}, said, [clash.message for clash in every]

    def _of(self, number: int, line: Checked, photo: Sent) -> Found:
        """What a line has; the same object as long as nothing of it has changed."""
        known = self._found.get(number)
        if known is None or known[0] is not line or known[1] != photo:
            made = found_of(line, photo.digest, photo.picture, _BOXES)
            # A claim alone changes nothing here.
            made = known[2] if known and known[2] == made else made
            known = self._found[number] = line, photo, made
        return known[2]

    def _clashes(self, found: list[Found]) -> list[Clash]:
        last = self._last[0]
        if len(last) != len(found) or not all(map(is_, last, found)):
            self._last = found, clashes(found)
        return self._last[1]
