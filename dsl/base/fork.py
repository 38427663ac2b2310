"""A second process for a share of some work: a copy of this one that does it and sends the result home.

The copy begins where this process stands, so nothing has to be sent to it. Where copies can not be made, or where they
could not be made safely, there is no helper and the work is to be done here.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from dsl.base.span import Source

MANY = 100_000  # characters of texts; from here on a helper is worth its start
INT = 8  # bytes


class Helper:
    """Works from its making on; `answer` waits for its end, `dismiss` does not. One of them is called, once."""

    def __init__(self, work: Callable[[], Any]) -> None:
        reading, writing = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(reading)
            _work(work, writing)
        os.close(writing)
        self.pipe = os.fdopen(reading, "rb")

    def answer(self) -> Any:
        """What the work gave; None where it failed or the helper was killed."""
        try:
            told = self.pipe.read()
        except BaseException:
            self.dismiss()
            raise
        self.pipe.close()
        _, status = os.waitpid(self.process, 0)
        return pickle.loads(told) if status == 0 else None

    def dismiss(self) -> None:
        """Nobody wants to know any more."""
        os.kill(self.process, signal.SIGKILL)
        self.pipe.close()
        os.waitpid(self.process, 0)


def _work(work: Callable[[], Any], writing: int) -> NoReturn:
    """In the copy: nothing of what this process would do at its end is done, and it says nothing."""
    code = 1
    try:
        told = pickle.dumps(work(), protocol=pickle.HIGHEST_PROTOCOL)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(told)
        code = 0
    finally:
        os._exit(code)


def worth(sources: Sequence[Source]) -> bool:
    """Whether these texts should be given to a helper: there is much to read, and one can help."""
    return len(sources) > 1 and sum(len(s.text) for s in sources) >= MANY and can_help()


class Ends:
    """Things in a row, taken by two processes: one begins with the first, the other with the last, until they meet, so
    that a slow processor keeps nobody. To be made before the helper. Nobody waits to take one, so where they meet one
    may be taken by neither, or by both: what was done is for them to tell each other."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.taken = memoryview(mmap.mmap(-1, 2 * INT)).cast("q")  # from the first on, from the last on; shared

    def forward(self) -> Iterator[int]:
        return self._take(0)

    def backward(self) -> Iterator[int]:
        return (self.count - 1 - number for number in self._take(1))

    def _take(self, mine: int) -> Iterator[int]:
        for number in range(self.count):
            self.taken[mine] = number + 1  # said before it is looked at what the other says
            if self.taken[0] + self.taken[1] > self.count:
                return
            yield number


def can_help() -> bool:
    """Whether a copy of this process can be made safely, and would have a processor of its own. A copy of several
    threads may find locks that nobody opens; the libraries of macOS do not stand copies."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return hasattr(os, "fork") and sys.platform != "darwin" and processors > 1 and threading.active_count() == 1
