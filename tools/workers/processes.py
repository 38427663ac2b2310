"""Work in several processes: results come in the order of what is asked for, whatever the number of processes."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

Argument = TypeVar("Argument")
Item = TypeVar("Item")
Result = TypeVar("Result")

SOON, LATE = 0.1, 0.5  # seconds after which a part is thought to be short or long
LARGEST = 8192  # items of a part
PARTS = 16  # of each process, at least


def results(
    begin: Callable[[Argument], Callable[[Item], Result]],
    argument: Argument,
    items: Iterable[Item],
    jobs: int,
    here: Callable[[Item], Result],
) -> Generator[Result, None, None]:
    """The result for each item, in order: by `here` in this process if there is one job, else in processes of which
    each works by what `begin(argument)` gives there. `begin` is a function of a module."""
    if jobs == 1:
        yield from map(here, items)
        return
    with multiprocessing.Pool(jobs, initializer=begin_worker, initargs=(begin, argument)) as pool:
        yield from pool.imap(work, items)


class Pace(Generic[Item, Result]):
    """Divides items into parts, for one process or several. Where many are done in the time of one call, parts grow as
    long as they take little time: a run can be stopped between them. `many`: whether more than one is worth while;
    `most`: how many a part of several processes may have."""

    def __init__(
        self, work: Callable[[Sequence[Item]], Result], jobs: int, items: int, many: bool, most: int = LARGEST
    ) -> None:
        self.work, self.grows = work, many and jobs == 1
        self.size = max(1, min(items // (jobs * PARTS), most)) if many and jobs > 1 else 1

    def parts(self, items: Sequence[Item]) -> Iterator[Sequence[Item]]:
        at = 0
        while at < len(items):
            part = items[at : at + self.size]
            at += len(part)
            yield part

    def play(self, part: Sequence[Item]) -> Result:
        """Do a part in this process."""
        begun = time.perf_counter()
        found = self.work(part)
        spent = time.perf_counter() - begun
        if self.grows and spent < SOON:
            self.size = min(2 * self.size, LARGEST)
        elif self.grows and spent > LATE:
            self.size = max(self.size // 2, 1)
        return found


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
    """Leave Ctrl-C, in a worker process, to the parent, and end at once when the parent terminates it, whatever the
    parent does with that signal itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
