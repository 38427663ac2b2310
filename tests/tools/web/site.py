"""A server of tables in a thread of this process."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="tables in the browser need the extra `web`")

import uvicorn  # noqa: E402

from tools.web.running.games import Games  # noqa: E402
from tools.web.running.rooms import Rooms  # noqa: E402
from tools.web.running.store import TableStore  # noqa: E402
from tools.web.server.app import make_app  # noqa: E402
from tools.web.server.guard import known_hosts  # noqa: E402
from tools.web.serving import HOW  # noqa: E402

PATIENCE = 8.0  # seconds that a test waits for something


class Site:
    """A server that runs; `home`: where."""

    def __init__(self, file: Path) -> None:
        self.rooms = Rooms(TableStore(file), Games())
        self.socket = socket.create_server(("127.0.0.1", 0))
        port = self.socket.getsockname()[1]
        self.home = f"http://127.0.0.1:{port}"
        app = make_app(self.rooms, known_hosts(port, False))
        self.server = uvicorn.Server(uvicorn.Config(app, **HOW))
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.loop: asyncio.AbstractEventLoop | None = None

    def run(self) -> None:
        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            await self.server.serve(sockets=[self.socket])

        asyncio.run(serve())

    @property
    def room(self) -> Any:
        return next(reversed(self.rooms.open.values()))

    def hang_up(self) -> None:
        """Close all lines, as a lost network does."""
        assert self.loop is not None
        for viewer in list(self.room.viewers):
            asyncio.run_coroutine_threadsafe(viewer.leave(), self.loop).result(PATIENCE)


@contextmanager
def running(file: Path) -> Iterator[Site]:
    site = Site(file)
    site.thread.start()
    while not site.server.started:
        time.sleep(0.02)
    try:
        yield site
    finally:
        site.server.should_exit = True
        site.thread.join(PATIENCE)
        site.rooms.close()
