"""`bot-server`: games for programs in other languages, over stdio or a local socket (docs/bots.md)."""

from __future__ import annotations

import os

from tools.base.errors import UserError, parse_whole_number
from tools.base.loading import check_backend
from tools.bot_server.connection import serve
from tools.bot_server.driver import DriverConnection
from tools.bot_server.games import ServedGames
from tools.bot_server.listener import HOST, SocketListener
from tools.wire.lines import line_of


def bot_server_command(port: int | None, backend: str) -> int:
    """Serve standard input to its end, or a socket until it is stopped; port 0 is any free one."""
    games = ServedGames(check_backend(backend))
    if port is None:
        with open(0, "rb", closefd=False) as read:
            serve(DriverConnection(games, inviting=False), read, write)
        return 0
    parse_whole_number(str(port), "--port", 0, 65535)
    try:
        listener = SocketListener(games, port)
    except OSError as fault:
        raise UserError(f"--port {port} cannot be used: {fault.strerror or fault}.") from None
    with listener:
        write(line_of({"host": HOST, "port": listener.port, "token": listener.token}))
        listener.serve_forever()
    return 0


def write(line: bytes) -> None:
    """Write a line, which is ASCII, to standard output, past the gate for what people read."""
    while line:
        line = line[os.write(1, line) :]
