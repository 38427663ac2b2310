"""The progress of a long run: a bar on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from tools.workers.stopping import ticking

SECONDS = 5.0  # from one line to the next


@contextlib.contextmanager
def progress(total: int, quiet: bool, what: str = "games") -> Iterator[Callable[..., None]]:
    """A bar on a terminal, lines elsewhere, both on standard error so that the report can be piped; nothing if `quiet`.
    Gives what tells it that one more is done, or so many."""
    if quiet:
        yield lambda done=1: None
    elif sys.stderr.isatty():
        with bar(total, what) as advance:
            yield advance
    else:
        lines = ProgressLines(total, what)
        with ticking(lines.tell):
            yield lines.advance


@contextlib.contextmanager
def bar(total: int, what: str) -> Iterator[Callable[..., None]]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from tools.base.console import stderr

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr(), transient=True) as shown:
        task = shown.add_task(what, total=total)
        yield lambda done=1: shown.advance(task, done)


class ProgressLines:
    """A line of progress, `games 120/1000, 15 s`, on standard error, at most once in `SECONDS`."""

    def __init__(self, total: int, what: str) -> None:
        self.total, self.what, self.done = total, what, 0
        self.begun = self.told = time.monotonic()

    def advance(self, done: int = 1) -> None:
        self.done += done
        self.tell()

    def tell(self) -> None:
        now = time.monotonic()
        if now - self.told < SECONDS:
            return
        self.told = now
        # a tick may come in the middle of other output, and the reader may be gone: the work goes on
        with contextlib.suppress(RuntimeError, OSError, ValueError):
            print(f"{self.what} {self.done}/{self.total}, {now - self.begun:.0f} s", file=sys.stderr, flush=True)
