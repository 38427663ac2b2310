"""Properties of the terminal, without drawing on it: colour, whether a person is present, and printing errors.

`tools.base.console` draws with rich, which takes longer to load than many commands take to run.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO


def use_colour(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR")


def is_interactive() -> bool:
    """Whether a person can read and type: standard input and output are both a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def print_error(message: str) -> None:
    if sys.stderr.isatty():
        from rich.text import Text

        from tools.base.console import stderr

        stderr().print(Text("error: ", style="bold red") + Text(message), soft_wrap=True)
    else:
        print(f"error: {message}", file=sys.stderr)
