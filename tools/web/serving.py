"""The server itself: store, tables, uvicorn, and what is told in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import uvicorn

from interpreter import GameSetupError, RulesetError
from interpreter.bots.levels import GREEDY
from tools.base.errors import CommandEnd, UserError
from tools.commands.play import begin_at
from tools.web.running.games import Games
from tools.web.running.room import HERE
from tools.web.running.rooms import Rooms, TableSetup
from tools.web.running.secrets import HOT
from tools.web.running.store import TableStore
from tools.web.server.app import make_app
from tools.web.server.guard import known_hosts, own_addresses
from tools.web.server.limits import MOST_BYTES

HOW: dict[str, Any] = {
    "log_config": None,  # a new one would close the handlers of all others in this process
    "log_level": "warning",
    "access_log": False,
    "server_header": False,
    "lifespan": "off",
    "ws": "websockets-sansio",  # the library that speaks WebSocket
    "ws_max_size": 4 * MOST_BYTES,
}  # how uvicorn serves tables


def serve(
    ruleset: str | None, bound: socket.socket, port: int, lan: bool, file: Path, ruling: str | None = None
) -> int:
    """Serve until somebody stops it. `file`: where the tables are kept; `ruling`: what the first table begins from."""
    try:
        store = TableStore(file)
    except (OSError, sqlite3.Error) as fault:
        raise UserError(f"'{file}' cannot keep the tables: {fault}.") from None
    rooms = Rooms(store, Games())
    app = make_app(rooms, known_hosts(port, lan))
    config = uvicorn.Config(app, **HOW, timeout_graceful_shutdown=2)
    with contextlib.closing(store), contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serving(rooms, uvicorn.Server(config), bound, ruleset, port, lan, ruling))
    print("\nstopped; the games are kept.")
    return 0


async def serving(
    rooms: Rooms,
    server: uvicorn.Server,
    bound: socket.socket,
    ruleset: str | None,
    port: int,
    lan: bool,
    ruling: str | None = None,
) -> None:
    async with opened(rooms, ruleset, port, ruling):
        print(f"tables at http://127.0.0.1:{port}/  (Ctrl-C ends)")
        for address in sorted(own_addresses()) if lan else ():
            print(f"in this network at http://{address}:{port}/ , which is not encrypted: for people you trust")
        clocks = asyncio.create_task(rooms.keep_time())
        try:
            await server.serve(sockets=[bound])
        finally:
            clocks.cancel()
            rooms.close()


@contextlib.asynccontextmanager
async def opened(rooms: Rooms, ruleset: str | None, port: int, ruling: str | None = None) -> AsyncIterator[None]:
    """With a ruleset: a table of it, for one person against bots; from a ruling's position for whoever is asked."""
    if ruleset is not None:
        game = await rooms.games.load(ruleset)
        person, seats = 1, min(max(2, game.program.seats[0]), game.program.seats[1])
        if ruling is not None:
            state = begin_at(game, ruling, 0)
            person, seats = state.decision.seat if state.decision is not None else 1, state.seats
        sitting = tuple(HERE if seat == person else GREEDY for seat in range(1, seats + 1))
        try:
            room, secrets = await rooms.begin(TableSetup(ruleset, {}, sitting, ruling or ""), "")
        except GameSetupError as fault:
            raise UserError(f"the game cannot begin: {fault}.") from None
        except RulesetError as fault:
            raise CommandEnd(1, f"the game cannot begin because of a fault in the ruleset: {fault}") from None
        print(
            f"{game.texts.title(game.texts.languages()[0])}: http://127.0.0.1:{port}/g/{room.id}/{HOT}/#{secrets[HOT]}"
        )
    yield
