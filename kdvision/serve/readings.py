"""What photos show: each is read once, then judged by the rules and corrections of the moment."""

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock

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
        self._store, self._scorer = store, scorer
        self._remembered = OrderedDict[tuple[str, str], PhotoResult]()
        self._lock = Lock()

    def read(self, picture: bytes, rules: Rules, name: str) -> tuple[bytes, PhotoResult]:
        """Read a new photo, and return what is to be kept of it with its result.

        Raises:
            UnreadablePhotoError, NoKingdomError: There is nothing to score.
        """
        read = self._scorer.read(picture, name=name)
        return encode_read(read), self._scorer.judge(read, rules)

    def judge(self, photo: GamePhoto, rules: Rules, fixes: Mapping[str, str]) -> PhotoResult:
        """Return the result of a photo by rules and with corrections; no pixels are looked at.

        Raises:
            UsageError: A correction cannot be.
            MissingError: The photo has just been deleted.
        """
        asked = _make_key(photo.name, rules, fixes)
        result = self._recall(photo.id, asked)
        if result is None:
            read = decode_read(self._store.reading(photo.id))
            if read is None:  # Another version of the program read it.
                read = self._scorer.read(self._store.picture(photo.id), name=photo.name)
                self._store.keep_reading(photo.id, encode_read(read))
            result = self._scorer.judge(read, rules, fixes=fixes)
            self.keep(photo, rules, fixes, result)
        return result

    def result(self, photo: GamePhoto, rules: Rules) -> PhotoResult:
        """Return the result of a photo with its corrections, as far as they can be together.

        Raises:
            MissingError: The photo has just been deleted.
        """
        try:
            return self.judge(photo, rules, photo.fixes)
        except KdvisionError as error:
            log_debug(__name__, "%s: %s", photo.name, error)
        # Two corrections that exclude each other were made at once: the first ones stand.
        result, fixes = self.judge(photo, rules, {}), dict[str, str]()
        for place, cell in photo.fixes.items():
            try:
                result = self.judge(photo, rules, {**fixes, place: cell})
            except KdvisionError:
                continue
            fixes[place] = cell
        return result

    def keep(
        self, photo: GamePhoto, rules: Rules, fixes: Mapping[str, str], result: PhotoResult
    ) -> None:
        """Keep a result, until it is asked for by other rules or with other corrections."""
        asked = _make_key(photo.name, rules, fixes)
        self._remember(photo.id, asked, result)
        self._store.keep_result(photo.id, asked, msgspec.json.encode(result))

    def _recall(self, photo: str, asked: str) -> PhotoResult | None:
        with self._lock:
            result = self._remembered.get((photo, asked))
            if result is not None:
                self._remembered.move_to_end((photo, asked))
                return result
        kept = self._store.result(photo, asked)
        if kept is None:
            return None
        result = _DECODER.decode(kept)
        self._remember(photo, asked, result)
        return result

    def _remember(self, photo: str, asked: str, result: PhotoResult) -> None:
        with self._lock:
            self._remembered[photo, asked] = result
            if len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)


def _make_key(name: str, rules: Rules, fixes: Mapping[str, str]) -> str:
    """Return what a result depends on beside the photo, as a short text."""
    asked = msgspec.json.encode([read_version(), name, rules, sorted(fixes.items())])
    return hashlib.sha256(asked).hexdigest()
