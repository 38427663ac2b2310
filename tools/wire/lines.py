"""Messages as lines: one JSON object a line, in UTF-8.

Takes and gives bytes; what comes in may come from anybody. `WireError` says what is wrong with a line, by a stable code
and a sentence; the next line can be read after it.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn, Protocol

MOST_BYTES = 16 << 20  # of a line: a long game, saved, fits
PART = 1 << 16


class Lines(Protocol):
    """A source of lines."""

    def readline(self, size: int, /) -> bytes: ...


class WireError(Exception):
    """A fault of a message: `code` for programs, `text` for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


def read_line(stream: Lines, most: int = MOST_BYTES) -> bytes | None:
    """The next line; None at the end. A line that is too long is passed over and raises WireError."""
    line = stream.readline(most + 1)
    if not line:
        return None
    if len(line) > most and not line.endswith(b"\n"):
        while (part := stream.readline(PART)) and not part.endswith(b"\n"):
            pass
        raise WireError("too_long", f"a line may have {most} bytes")
    return line


def parsed(line: bytes) -> dict[str, Any]:
    """The message of a line; raises WireError."""
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError:
        raise WireError("bad_utf8", "a line should be UTF-8") from None
    except (ValueError, RecursionError):
        raise WireError("bad_json", "a line should be one JSON object") from None
    if not isinstance(message, dict):
        raise WireError("bad_message", "a message should be an object")
    return message


def line_of(message: dict[str, Any]) -> bytes:
    """The line of a message, with nothing in it but ASCII."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
