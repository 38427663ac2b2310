"""The command `rulewright bot-server`, which loads its module when it is called."""

# Annotations are evaluated, not strings: typer reads those of every command at each start.
from typing import Annotated

import typer

from tools.arguments import Backend


def bot_server(
    port: Annotated[
        int | None,
        typer.Option("--port", help="Listen on this port of this machine, 0 for any; stdio if left out."),
    ] = None,
    backend: Backend = "native",
) -> int:
    """Let a program in any language play, by JSON lines (docs/bots.md)."""
    from tools.bot_server.command import bot_server_command

    return bot_server_command(port, backend)
