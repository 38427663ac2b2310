"""The terminal, without drawing on it: what it can do, errors, prompts, and the gate that all output passes.

Texts come from rulesets, saves and file names that anybody may have written, so `visible_output` lets nothing through
that would act on a terminal. Colours of our own go around it: those of `tools.base.console`, which draws with rich and
takes longer to load than many commands take to run, and those of diagnostics, which are made visible before.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TextIO, cast

from dsl.base.visible import visible

if TYPE_CHECKING:
    from dsl.base.span import Source
    from dsl.diagnostics.diagnostic import Diagnostic


class VisibleStream:
    """A stream of text that writes control characters and their like as numbers; `rich_proxied_file` is the stream
    behind it, and the name under which rich looks for that."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream

    def write(self, text: str) -> int:
        self.rich_proxied_file.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        self.rich_proxied_file.writelines(map(visible, lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rich_proxied_file, name)


@contextlib.contextmanager
def visible_output() -> Iterator[None]:
    """Let all that is printed meanwhile, to standard output and standard error, pass through a `VisibleStream`."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, VisibleStream(unfiltered(stream))) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def unfiltered(stream: TextIO) -> TextIO:
    """The stream behind the gate, for data that is no text for people, and for colours."""
    return cast(TextIO, getattr(stream, "rich_proxied_file", stream))


def use_colour(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR")


def is_interactive() -> bool:
    """True if a person can read and type: standard input and output are both a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask(prompt: str) -> str:
    """The line that a person types after a prompt; a prompt does not pass through the stream."""
    return input(visible(prompt))


def print_error(message: str) -> None:
    if sys.stderr.isatty():
        from rich.text import Text

        from tools.base.console import stderr

        stderr().print(Text("error: ", style="bold red") + Text(message), soft_wrap=True)
    else:
        print(f"error: {message}", file=sys.stderr)


def print_diagnostics(found: Iterable[Diagnostic], sources: Mapping[str, Source], stream: TextIO) -> None:
    """Print diagnostics, in colour on a terminal."""
    from dsl.diagnostics.render import render_text

    print(render_text(found, sources, use_colour(stream)), file=unfiltered(stream))
