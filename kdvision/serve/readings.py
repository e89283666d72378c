"""What photos show: each is read once, then judged by the rules and corrections of the moment."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from kdvision.errors import KdvisionError
from kdvision.logs import log_debug
from kdvision.pipeline.read_photo import decode_read, encode_read
from kdvision.pipeline.scorer import Scorer
from kdvision.result import PhotoResult
from kdvision.rules.rules import Rules
from kdvision.serve.state import GamePhoto
from kdvision.serve.store import Store
from kdvision.tournament.scoring import read_version

#: Results that are remembered: the photos of a night of many tables.
_REMEMBERED = 4096
_DECODER = msgspec.json.Decoder(PhotoResult)


class Readings:
    """Results of photos, from several threads.

    Args:
        store: Keeps the photos and what was read of them.
        scorer: Reads and judges them.
    """

    def __init__(self, store: Store, scorer: Scorer) -> None:
        self._store = store
        self._scorer = scorer
        self._judge = lru_cache(_REMEMBERED)(self._find_result)

    def read(self, picture: bytes, name: str) -> bytes:
        """Read a new photo, and return what is to be kept of it.

        Raises:
            UnreadablePhotoError, NoKingdomError: There is nothing to score.
        """
        return encode_read(self._scorer.read(picture, name=name))

    def judge(
        self, photo: GamePhoto, rules: Rules, fixes: Mapping[str, str], seats: int = 0
    ) -> PhotoResult:
        """Return the result of a photo by rules and with corrections; no pixels are looked at.

        Args:
            photo: The photo.
            rules: What its game is played by.
            fixes: The corrections.
            seats: The players that a sheet has at its table: a photo of as many kingdoms shows all,
                and nothing else in it is one. 0 where nobody knows.

        Raises:
            UsageError: A correction cannot be.
            MissingError: The photo has just been deleted.
        """
        return self._judge(photo.id, photo.name, rules, tuple(sorted(fixes.items())), seats)

    def _find_result(
        self, id_: str, name: str, rules: Rules, fixes: tuple[tuple[str, str], ...], seats: int
    ) -> PhotoResult:
        """Return the result that is kept, else judge what was read, and keep the result."""
        terms = hashlib.sha256(
            msgspec.json.encode([read_version(), name, rules, fixes, seats])
        ).hexdigest()
        kept = self._store.result(id_, terms)
        if kept is not None:
            return _DECODER.decode(kept)
        read = decode_read(self._store.reading(id_))
        if read is None:  # Another version of the program read it.
            read = self._scorer.read(self._store.picture(id_), name=name)
            self._store.keep_reading(id_, encode_read(read))
        result = self._scorer.judge(read, rules, fixes=dict(fixes))
        if result.left_out and len(result.kingdoms) == seats:
            result = self._scorer.judge(read, rules, fixes=dict(fixes), kingdoms=seats)
        self._store.keep_result(id_, terms, msgspec.json.encode(result))
        return result

    def result(self, photo: GamePhoto, rules: Rules, seats: int = 0) -> PhotoResult:
        """Return the result of a photo with its corrections; of two that clash the first counts.

        Raises:
            MissingError: The photo has just been deleted.
        """
        try:
            return self.judge(photo, rules, photo.fixes, seats)
        except KdvisionError as error:
            log_debug(__name__, "%s: %s", photo.name, error)
        # Two corrections that exclude each other were made at once: the first ones stand.
        result, fixes = self.judge(photo, rules, {}, seats), dict[str, str]()
        for place, cell in photo.fixes.items():
            try:
                result = self.judge(photo, rules, fixes | {place: cell}, seats)
            except KdvisionError:
                continue
            fixes[place] = cell
        return result
