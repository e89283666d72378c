"""The results of the current evening in a file of the disk, kept up to date."""

import asyncio
import logging
from pathlib import Path

from kdvision.errors import KdvisionError, UsageError
from kdvision.files import PathKind, find_kind, replace_file, shown
from kdvision.serve.evenings import Evenings
from kdvision.serve.results import write_results
from kdvision.serve.sheet import FollowedSheet
from kdvision.serve.store import Store, Version
from kdvision.tournament.journal import make_digest
from kdvision.tournament.request import Request, check_request

_LOG = logging.getLogger(__name__)

#: Seconds between two looks whether the results are behind.
LOOK_EVERY_S = 2.0


class KeptResults:
    """Results that are written anew whenever something is said; never over what somebody changed.

    Args:
        path: Where they are written.
        store: Knows what was written last.
        evenings: Evenings and games as they stand.
        sheet: Who sits where; None without a sheet.
        language: Of the explanations.

    Attributes:
        problem: Why they cannot be written now; empty when they can.

    Raises:
        UsageError: They cannot be written there.
    """

    def __init__(
        self,
        path: Path,
        store: Store,
        evenings: Evenings,
        sheet: FollowedSheet | None,
        language: str,
    ) -> None:
        inputs = (sheet.path,) if sheet else ()
        check_request(Request(inputs=inputs, output=path))
        self._path = path
        self._store = store
        self._evenings = evenings
        self._sheet = sheet
        self._language = language
        self._setting = f"results {path.absolute()}"
        self._written: Version | None = None
        self.problem = ""
        self._check()

    def _check(self) -> None:
        """See that nobody changed what was written last.

        Raises:
            UsageError: Somebody did, or it is another file.
        """
        if find_kind(self._path) is not PathKind.FILE:
            return
        if make_digest(self._path.read_bytes()) not in self._store.setting(self._setting).split():
            name = shown(self._path)
            raise UsageError(
                f"{name} was changed since kdscore serve wrote it, or is another file.",
                "Give another -o, or move the file away.",
            )

    async def follow(self) -> None:
        """Write them whenever something has changed, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await asyncio.to_thread(self.look)

    def look(self) -> None:
        """Write them if something has changed; where that fails, say why and try again later."""
        version = self._store.version()
        if version == self._written:
            return
        try:
            self._write()
            self._written, self.problem = version, ""
        except (KdvisionError, OSError) as error:
            if not self.problem:
                _LOG.error("the results cannot be written now: %s", error)
            self.problem = str(error)

    def _write(self) -> None:
        view = self._evenings.view(self._evenings.latest())
        sheet = self._sheet.path if self._sheet else None
        data = write_results(view, sheet, self._path.suffix.lower(), self._language)
        self._check()
        # Both digests are kept: a server that is killed before the file is replaced knows the old.
        before = self._store.setting(self._setting).split()
        self._store.keep_setting(self._setting, " ".join([make_digest(data), *before[:1]]))
        with replace_file(self._path) as file:
            file.write(data)
