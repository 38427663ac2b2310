"""`serve`: start the server, open a table if a ruleset is named, say where it is; or name the extra that is missing."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from tools.base.errors import UserError

LIBRARIES = ("starlette", "uvicorn", "websockets", "anyio")
FILE = "tables.sqlite"
DATA = Path(".rulewright") / "tables"
OWN, ALL = "127.0.0.1", "0.0.0.0"


def serve_command(ruleset: str | None, port: int, lan: bool, data: Path | None, ruling: str | None = None) -> int:
    try:
        from tools.web.serving import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] not in LIBRARIES:
            raise
        raise UserError("tables in the browser need the extra 'web': pip install 'rulewright[web]'.") from None
    if ruling is not None and ruleset is None:
        raise UserError("--ruling needs a ruleset: name it in front, as in 'serve RULESET --ruling ID'.")
    if not 0 < port < 65_536:
        raise UserError(f"--port should be a number from 1 to 65535, but {port} was given.")
    return serve(ruleset, bound(ALL if lan else OWN, port), port, lan, (data or DATA) / FILE, ruling)


def bound(address: str, port: int) -> socket.socket:
    """A socket at this port. Raises UserError where it is taken, or not allowed."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere it would let two servers share a port
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((address, port))
    except OSError as fault:
        found.close()
        why = "taken by another program" if fault.errno in (48, 98, 10_048) else (fault.strerror or str(fault)).lower()
        raise UserError(f"port {port} cannot be used, it is {why}: give another one with --port.") from None
    return found
