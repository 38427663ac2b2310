"""The end of a game from which another one may begin: its save is kept, and how to go on is told."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from rich.console import Console
from rich.text import Text

from interpreter import State, save, write_atomic
from tools.base.home import followers
from tools.shows.messages import message


def keep_end(console: Console, state: State, file: Path, lang: str) -> None:
    """Save a game that is over and hands facts on, and name the commands that begin another one from it."""
    if not state.over:
        return
    try:
        write_atomic(file, json.dumps(save(state), ensure_ascii=False))
    except OSError as fault:
        console.print(Text(message(lang, "not_saved", file=file, why=fault.strerror or fault), style="yellow"))
        return
    console.print(Text(message(lang, "end_kept", file=file)), soft_wrap=True)
    for name in followers(state.game.program.id):
        command = f"rulewright play {name} --from {shlex.quote(str(file))}"
        console.print(Text(message(lang, "goes_on", command=command)), soft_wrap=True)
