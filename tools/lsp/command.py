"""`lsp`: start the language server, or name the extra that is missing for it."""

from __future__ import annotations

from tools.base.errors import UserError


def lsp_command() -> int:
    try:
        from tools.lsp.server import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UserError("the language server needs the extra 'lsp': pip install 'rulewright[lsp]'.") from None
    return serve()
