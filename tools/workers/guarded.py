"""Work item by item in a process of its own: one that dies is replaced, and only the item that it was at is lost."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from signal import Signals
from typing import Any, TypeVar

from dsl.base.internal import failure_text
from tools.workers.processes import leave_signals_to_parent

Argument = TypeVar("Argument")
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Lost:
    """An item whose process died, or whose work raised an exception. `why`: in words."""

    why: str


def guarded(
    begin: Callable[[Argument], Callable[[Item], Result]], argument: Argument, items: Sequence[Item]
) -> Generator[Result | Lost, None, None]:
    """The results of the work that `begin(argument)` gives, of each item in order, or `Lost`. `begin` is a function of
    a module; it is called again in each process that follows a dead one."""
    at = 0
    while at < len(items):
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.Process(target=work_on, args=(theirs, ours, begin, argument), daemon=True)
        process.start()
        theirs.close()
        try:
            while at < len(items):
                found = answer_to(ours, items[at])
                at += 1
                if found is None:
                    process.join()
                    yield Lost(death_text(process.exitcode))
                    break
                yield found[0]
        finally:
            ours.close()  # the process ends when it reads on
            process.join(1)
            if process.exitcode is None:
                process.terminate()
                process.join()


def answer_to(connection: Connection, item: Any) -> tuple[Any] | None:
    """The result that comes back for an item; None where the process has died."""
    try:
        connection.send(item)
        return (connection.recv(),)
    except (EOFError, OSError):
        return None


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
