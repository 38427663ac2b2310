"""One connection from its first line to its last: a line comes in, a line goes out, whatever it was.

Every failure is an answer with a code; none ends the connection, and none changes a game.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from interpreter import RulesetError
from tools.bot_server.driver import DriverConnection
from tools.bot_server.speaker import Speaker
from tools.wire.lines import MOST_BYTES, Lines, WireError, line_of, parsed, read_line

Write = Callable[[bytes], object]
MOST_ID = 200  # characters of an `id` that is a text


def serve(speaker: Speaker, read: Lines, write: Write) -> None:
    """Answer line after line to the end."""
    while True:
        try:
            line = read_line(read, MOST_BYTES)
        except WireError as fault:
            write(line_of(error_of(None, fault)))
            continue
        if line is None:
            return
        if line.strip():
            write(reply(speaker, line))


def reply(speaker: Speaker, line: bytes) -> bytes:
    """The line that answers a line."""
    id_: Any = None
    try:
        message = parsed(line)
        id_ = id_of(message)
        with speaker.games.changed:
            found = speaker.handle(message)
        return line_of({**id_, "ok": True, **found})
    except WireError as fault:
        return line_of(error_of(id_, fault))
    except RulesetError as fault:
        told = f"a fault of the rules: {fault}" if isinstance(speaker, DriverConnection) else "a fault of the rules"
        return line_of(error_of(id_, WireError("ruleset_fault", told)))
    except Exception as fault:
        print(f"bot-server: internal error, {type(fault).__name__}: {fault}", file=sys.stderr)
        return line_of(error_of(id_, WireError("internal", "this server has a fault; the game is as it was")))


def id_of(message: dict[str, Any]) -> dict[str, Any]:
    """The `id` of a message, which its answer carries too."""
    id_ = message.get("id")
    if id_ is None:
        return {}
    if type(id_) is int and id_.bit_length() <= 64 or isinstance(id_, str) and len(id_) <= MOST_ID:
        return {"id": id_}
    raise WireError("bad_field", "`id` should be a whole number of 64 bits or a short text")


def error_of(id_: dict[str, Any] | None, fault: WireError) -> dict[str, Any]:
    return {**(id_ or {}), "ok": False, "error": {"code": fault.code, "text": fault.text}}
