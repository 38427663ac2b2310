"""Work item by item in a process of its own, which is not that of who asks: one that dies is replaced, and only the
item that it was at is lost."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from signal import Signals
from typing import Any, Generic, TypeVar

from dsl.base.internal import failure_text
from tools.workers.processes import leave_signals_to_parent

Argument = TypeVar("Argument")
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Lost:
    """An item whose process died, or whose work raised an exception. `why`: in words."""

    why: str


class GuardedProcess(Generic[Item, Result]):
    """A process that works on one item at a time, by what `begin(argument)` gives there; `begin` is a function of a
    module. `fresh`: it begins as a new interpreter, for those who have threads, and not as a copy of this process."""

    def __init__(
        self, begin: Callable[[Argument], Callable[[Item], Result]], argument: Argument, fresh: bool = False
    ) -> None:
        context: Any = multiprocessing.get_context("spawn") if fresh else multiprocessing
        self.ours, theirs = context.Pipe()
        self.process = context.Process(target=work_on, args=(theirs, self.ours, begin, argument), daemon=True)
        self.process.start()
        theirs.close()

    def answer(self, item: Item) -> tuple[Result | Lost] | None:
        """The result for an item; None where the process has died."""
        try:
            self.ours.send(item)
            return (self.ours.recv(),)
        except (EOFError, OSError):
            return None

    def death(self) -> str:
        """The end of the process that has died, in words."""
        self.process.join()
        return death_text(self.process.exitcode)

    def kill(self) -> None:
        """End it at once, also while somebody waits for its answer."""
        self.process.terminate()
        self.process.join()

    def close(self) -> None:
        """Let it end when it reads on, or soon."""
        self.ours.close()
        self.process.join(1)
        if self.process.exitcode is None:
            self.kill()


def guarded(
    begin: Callable[[Argument], Callable[[Item], Result]], argument: Argument, items: Sequence[Item]
) -> Generator[Result | Lost, None, None]:
    """The results of the work that `begin(argument)` gives, of each item in order, or `Lost`. It is called again in
    each process that follows a dead one."""
    at = 0
    while at < len(items):
        process: GuardedProcess[Item, Result] = GuardedProcess(begin, argument)
        try:
            while at < len(items):
                found = process.answer(items[at])
                at += 1
                if found is None:
                    yield Lost(process.death())
                    break
                yield found[0]
        finally:
            process.close()


def work_on(
    connection: Connection, others: Connection, begin: Callable[[Any], Callable[[Any], Any]], argument: Any
) -> None:
    """Answer, in the process, until nobody asks. `others`: the end of the pipe that is not its own."""
    others.close()
    leave_signals_to_parent()
    work = begin(argument)
    while True:
        try:
            item = connection.recv()
        except (EOFError, OSError):
            return
        try:
            found = work(item)
        except Exception as fault:
            found = Lost(f"internal error ({failure_text(fault)}): please report it")
        connection.send(found)


def death_text(code: int | None) -> str:
    """The end of a process that should have gone on, in words."""
    if code is not None and code < 0:
        name = next((s.name for s in Signals if s == -code), str(-code))
        hint = "; perhaps the memory of this machine did not suffice" if name == "SIGKILL" else ""
        return f"its process was killed ({name}){hint}"
    return f"its process ended with code {code}"
