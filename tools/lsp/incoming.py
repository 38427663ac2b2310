"""The messages of the client: whatever is no message of the protocol, or asks with wrong parameters, is refused with
an answer, and the next message is read.

The library logs such a message with its whole stack and leaves a request without an answer, so that the client would
wait for ever. `Incoming` is the server's protocol; `is_worth_a_line` keeps refusals out of the log.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcMethodNotFound
from pygls.protocol import LanguageServerProtocol

REFUSALS = (JsonRpcInvalidParams, JsonRpcMethodNotFound)
UNREADABLE = (ValueError, RecursionError)  # no JSON, no UTF-8, nested too deeply, numbers with too many digits
PARSE_ERROR = -32700
LIBRARY = "Unable to "  # how the library begins a line about a message that it cannot read; what follows is a stack


@dataclass(frozen=True, slots=True)
class BadMessage:
    """A message that is answered with an error; `id` is None where it names none, `answered` is whether it waits."""

    id: int | str | None
    code: int
    reason: str
    answered: bool


class Incoming(LanguageServerProtocol):
    """Reads messages. All methods are called by the library."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message with its types, or why it is refused; other objects within a message stay as they are."""
        if "jsonrpc" not in data:
            return data
        try:
            return super().structure_message(data)
        except JsonRpcException:
            method = data.get("method")
            known = isinstance(method, str)
            code = lsp.ErrorCodes.InvalidParams if known else lsp.ErrorCodes.InvalidRequest
            reason = f"the parameters of {method} are not as they should be" if known else "this is no message"
            return BadMessage(id_of(data), int(code), reason, "id" in data)

    def handle_message(self, message: Any) -> None:
        """Pass a message on, or refuse it."""
        if hasattr(message, "jsonrpc"):
            super().handle_message(message)
            return
        if not isinstance(message, BadMessage):
            code = int(lsp.ErrorCodes.InvalidRequest)
            message = BadMessage(id_of(message), code, "this is no message of JSON-RPC 2.0", True)
        self.refuse(message)

    def refuse(self, bad: BadMessage) -> None:
        """Answer with an error, and note it in the log."""
        logging.getLogger(__name__).warning("refused: %s", bad.reason)
        if bad.answered:
            error = {"code": bad.code, "message": bad.reason}
            self._send_data({"jsonrpc": self.VERSION, "id": bad.id, "error": error})

    def refuse_unreadable(self) -> None:
        """Answer a message that is no JSON."""
        self.refuse(BadMessage(None, PARSE_ERROR, "this is no JSON that can be read", True))


def id_of(message: Any) -> int | str | None:
    """The number of a request, as far as it has one."""
    found = message.get("id") if isinstance(message, dict) else None
    return found if isinstance(found, (int, str)) and not isinstance(found, bool) else None


def is_worth_a_line(record: logging.LogRecord) -> bool:
    """True for a line of the library that belongs in the log: a refusal, which is an answer, does not."""
    fault = record.exc_info[1] if record.exc_info else None
    if record.msg is not None and str(record.msg).startswith(LIBRARY):
        return fault is not None and not isinstance(fault, (*REFUSALS, *UNREADABLE))
    return not isinstance(fault, REFUSALS)
