"""Runs that take long: several processes, a bar that shows how far it has come, and an end by a signal.

Results come in the order of what is asked for, whatever the number of processes.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, TypeVar

Argument = TypeVar("Argument")
Item = TypeVar("Item")
Result = TypeVar("Result")


def results(
    begin: Callable[[Argument], Callable[[Item], Result]],
    argument: Argument,
    items: Iterable[Item],
    jobs: int,
    here: Callable[[Item], Result],
) -> Generator[Result, None, None]:
    """What the work gives for each item: by `here` in this process if there is one job, else in processes of which
    each works by what `begin(argument)` gives there. `begin` is a function of a module."""
    if jobs == 1:
        yield from map(here, items)
        return
    with multiprocessing.Pool(jobs, initializer=begin_worker, initargs=(begin, argument)) as pool:
        yield from pool.imap(work, items)


_work: Callable[[Any], Any] | None = None


def begin_worker(begin: Callable[[Any], Callable[[Any], Any]], argument: Any) -> None:
    """Prepare a worker process."""
    global _work
    leave_signals_to_parent()
    _work = begin(argument)


def work(item: Any) -> Any:
    assert _work is not None
    return _work(item)


def leave_signals_to_parent() -> None:
    """In a worker process: Ctrl-C is for the parent, and it ends at once when the parent terminates it, whatever the
    parent does with that signal itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextlib.contextmanager
def reporting_when_terminated() -> Iterator[None]:
    """Meanwhile a terminated run is interrupted as by Ctrl-C, so that it can report what it has."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def progress(total: int, quiet: bool, what: str = "games") -> Iterator[Callable[[], None]]:
    """A bar on a terminal (on standard error, so that the report can be piped), nothing elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from tools.base.console import stderr

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr(), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
