"""How far a long run has come, and its end by a signal."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def reporting_when_terminated() -> Iterator[None]:
    """Meanwhile a terminated run is interrupted as by Ctrl-C, so that it can report what it has."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def progress(total: int, quiet: bool, what: str = "games") -> Iterator[Callable[..., None]]:
    """A bar on a terminal (on standard error, so that the report can be piped), nothing elsewhere. Gives
    what tells it that one more is done, or so many."""
    if quiet or not sys.stderr.isatty():
        yield lambda done=1: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from tools.base.console import stderr

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr(), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done=1: bar.advance(task, done)
