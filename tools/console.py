"""The terminal: what is written where, and whether colour and a person are there.

Colour only on a terminal and never with NO_COLOR (rich sees to both); widths are cells, so East-Asian text lines up.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

from rich.console import Console
from rich.text import Text


class Screen(Console):
    """A console that says nothing by itself when its reader has gone."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def stdout() -> Console:
    return Screen(highlight=False, markup=False, emoji=False, soft_wrap=not sys.stdout.isatty())


def stderr() -> Console:
    return Screen(stderr=True, highlight=False, markup=False, emoji=False)


def coloured(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR")


def person_present() -> bool:
    """Somebody can read and type: both ends are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def say_error(message: str) -> None:
    if sys.stderr.isatty():
        stderr().print(Text("error: ", style="bold red") + Text(message), soft_wrap=True)
    else:
        print(f"error: {message}", file=sys.stderr)
