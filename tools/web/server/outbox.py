"""The outbox of an open page: a short row of messages, so that nobody waits for a page that does not read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from tools.web.server.guard import REFUSED

MOST = 8  # messages that wait for a page; behind more of them it is let go, and comes again whole
SLOW_LINE = 1013  # the code that a line is closed with: try again


class Outbox:
    """The messages that wait for one page. `ended`: its line is to be closed, with `code`."""

    def __init__(self, send: Callable[[str], Awaitable[None]]) -> None:
        self.send, self.ended, self.code = send, asyncio.Event(), REFUSED
        self.waiting: asyncio.Queue[str] = asyncio.Queue(MOST)

    async def put(self, text: str) -> None:
        """Send a text later. It waits for nothing."""
        try:
            self.waiting.put_nowait(text)
        except asyncio.QueueFull:
            self.code = SLOW_LINE
            self.ended.set()

    async def leave(self) -> None:
        """Close the line soon."""
        self.ended.set()

    async def write(self) -> None:
        """Send what waits, until the line is gone."""
        with suppress(Exception):
            while True:
                await self.send(await self.waiting.get())
                self.waiting.task_done()
        self.ended.set()

    async def settle(self) -> None:
        """Wait until all is sent: for the page itself, whose next message is heard then, and for nobody else."""
        await self.waiting.join()
