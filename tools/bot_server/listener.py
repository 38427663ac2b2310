"""The local socket: TCP on the loopback address, where every connection first says a token.

The token of the driver is made anew at each start and told only to whoever started the server; the driver makes those
of seats (`invite`). Before its token a connection may send one short line, within a few seconds.
"""

from __future__ import annotations

import hmac
import secrets
import socket
import socketserver
import threading
from typing import Any

from tools.bot_server.connection import error_of, reply, serve
from tools.bot_server.driver import DriverConnection
from tools.bot_server.games import ServedGames
from tools.bot_server.seat import Seat
from tools.bot_server.speaker import Speaker
from tools.wire.lines import WireError, line_of, parsed, read_line

HOST = "127.0.0.1"
MOST_CONNECTIONS = 100
FIRST_BYTES, FIRST_SECONDS = 4096, 10  # of the first line


class SocketListener(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, games: ServedGames, port: int) -> None:
        self.games, self.token = games, secrets.token_urlsafe(24)
        self.places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__((HOST, port), Connection)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def speaker_for(self, token: Any) -> Speaker | None:
        """The speaker with this token; None if nobody has it."""
        if not isinstance(token, str):
            return None
        if hmac.compare_digest(self.token.encode(), token.encode("utf-8", "replace")):
            return DriverConnection(self.games, inviting=True)
        with self.games.changed:
            place = self.games.seat_of(token)
        return Seat(self.games, *place) if place is not None else None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that breaks is no fault of the server."""


class Connection(socketserver.StreamRequestHandler):
    server: SocketListener
    disable_nagle_algorithm = True

    def handle(self) -> None:
        if not self.server.places.acquire(blocking=False):
            self.refuse(WireError("too_many", f"{MOST_CONNECTIONS} connections at a time"))
            return
        try:
            self.serve()
        finally:
            self.server.places.release()

    def serve(self) -> None:
        sock: socket.socket = self.request
        sock.settimeout(FIRST_SECONDS)
        try:
            line = read_line(self.rfile, FIRST_BYTES)
            first = parsed(line or b"")
        except WireError as fault:
            self.refuse(fault)
            return
        speaker = self.server.speaker_for(first.get("token")) if first.get("do") == "hello" else None
        if speaker is None or line is None:
            self.refuse(WireError("bad_token", "the first message should be `hello` with a `token` of this server"))
            return
        sock.settimeout(None)
        self.wfile.write(reply(speaker, line))
        serve(speaker, self.rfile, self.wfile.write)

    def refuse(self, fault: WireError) -> None:
        self.wfile.write(line_of(error_of(None, fault)))
