"""Printing to the terminal: a console for standard output, one for standard error, and tables that fit.

Colour is used on a terminal only and never with NO_COLOR (rich takes care of both); widths are in cells, so that
East Asian text lines up. What is printed is made visible before it is coloured, so that the only control sequences that
reach a terminal are those of this module.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook, RenderResult
from rich.segment import Segment
from rich.table import Table

from dsl.base.visible import visible

MAX_WIDTH = 1000  # in cells: wider than any table


class Shown:
    """Something to print, with the characters in it made visible that would act on a terminal."""

    def __init__(self, content: RenderableType) -> None:
        self.content = content

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.content, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


class CommandConsole(Console, RenderHook):
    """A console that shows what it prints, and leaves it to the caller what happens when its reader has gone."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.push_render_hook(self)

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [Shown(content) for content in renderables]

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def print_rows(self, heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: int) -> None:
        """Print a table; columns from index `numbers` on are right-aligned. A list where the terminal is too narrow."""
        table = Table(*heads, box=None, pad_edge=False)
        for column in table.columns[numbers:]:
            column.justify = "right"
        for row in rows:
            table.add_row(*row)
        whole = self.measure(table, options=self.options.update(width=MAX_WIDTH)).maximum
        if not self.is_terminal:
            self.width = max(whole, self.width)
        if whole <= self.width:
            self.print(table)
            return
        for row in rows:
            self.print(row[0])
            for head, cell in zip(heads[1:], row[1:], strict=True):
                self.print(f"  {head}: {cell}")


def stdout() -> CommandConsole:
    return CommandConsole(highlight=False, markup=False, emoji=False, soft_wrap=not sys.stdout.isatty())


def stderr() -> CommandConsole:
    return CommandConsole(stderr=True, highlight=False, markup=False, emoji=False)
