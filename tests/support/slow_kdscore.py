"""`kdscore`, of which `serve` answers after random delays: answers overtake one another."""

import asyncio
import os
import random
import sys
from typing import Any

from kdvision.cli import main
from kdvision.serve import run

#: The longest delay of a request and of its answer, each, in milliseconds.
LATENCY = "KDVISION_LATENCY_MS"


class Delayed:
    """An application behind a network that is slow, now more, now less."""

    def __init__(self, app: Any, most_s: float) -> None:
        self.app, self.most_s = app, most_s

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer after a while."""
        if scope["type"] != "http" or scope["path"] == "/healthz":
            return await self.app(scope, receive, send)

        async def later(message: Any) -> None:
            if message["type"] == "http.response.start":
                await self.pause()
            await send(message)

        await self.pause()
        return await self.app(scope, receive, later)

    async def pause(self) -> None:
        """Wait for a part of the delay."""
        await asyncio.sleep(random.uniform(0, self.most_s))


if __name__ == "__main__":
    app_for, most_s = run.app_for, float(os.environ[LATENCY]) / 1000
    run.app_for = lambda *words: Delayed(app_for(*words), most_s)  # type: ignore[assignment,return-value]
    sys.exit(main.run(sys.argv[1:]))
