"""Wrong passwords, and how they are answered where there are too many."""

import asyncio
import logging
import math
import time
from collections import deque
from ipaddress import ip_network

from kdvision.serve.refusals import Refusal

_LOG = logging.getLogger(__name__)

#: Bits of an IPv6 address that all devices of a household have in common.
_HOUSEHOLD_BITS = 64


class WrongPasswords:
    """Wrong passwords and codes, counted for each address and for all together.

    A right one is compared first: it counts at once, whatever was tried before. After too many
    wrong ones each further wrong one is answered late. That slows down who waits for answers; who
    does not is kept out by the length of the password alone: a made one has 40 bits.
    """

    #: Wrong ones of one address in `WHILE_S`: a table of people mistypes fewer.
    MOST = 20
    #: Wrong ones of all addresses in `WHILE_S`: more than a hall of people ever mistypes.
    MOST_OF_ALL = 1000
    #: Seconds for which a wrong one is counted.
    WHILE_S = 60.0
    #: Seconds by which an answer is late.
    LATE_S = 1.0

    def __init__(self) -> None:
        #: When, and of which address.
        self._tries = deque[tuple[float, str]](maxlen=self.MOST_OF_ALL)

    async def refuse(self, client: str, refusal: Refusal) -> Refusal:
        """Count a wrong one, and return how it is refused: late and with 429 after too many."""
        is_over = self._is_over(client)
        self._tries.append((time.monotonic(), _network_of(client)))
        _LOG.warning("wrong password of %s", client)
        if not is_over:
            return refusal
        await asyncio.sleep(self.LATE_S)
        return Refusal(429, refusal.code, {"Retry-After": f"{math.ceil(self.WHILE_S)}"})

    def _is_over(self, client: str) -> bool:
        """Return whether an address, or all together, were wrong too often."""
        network = _network_of(client)
        since = time.monotonic() - self.WHILE_S
        while self._tries and self._tries[0][0] < since:
            self._tries.popleft()
        own = [at for at, address in self._tries if address == network]
        return len(own) >= self.MOST or len(self._tries) >= self.MOST_OF_ALL


def _network_of(client: str) -> str:
    """Return what is counted as one address: of IPv6 the network that one household has."""
    try:
        return str(ip_network((client, _HOUSEHOLD_BITS), strict=False)) if ":" in client else client
    except ValueError:
        return client
