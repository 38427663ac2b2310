"""A machine that records what happens while it runs on: routines that begin and end, and verbs with a cause.

It carries out an answer once, as any machine does, and leaves its events behind. Each has the store of its moment, so
that whoever reads it later reads any value as it was then, as far as that reader may see it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from dsl import ir
from dsl.program import Program
from interpreter.core.question import RawOption
from interpreter.core.run import Run
from interpreter.core.words import Temps, Words
from interpreter.machine.machine import Machine


class Event(NamedTuple):
    """Something that the rules do, as it is recorded. `sort`: an answer or outcome is about to be `taken`, a routine
    `begins` or `ends`, a verb comes (`before`) or is `done`. `number`: of the routine or of the cause; `words`: the
    store at that moment, which is never changed; `args`: what the routine begins with."""

    sort: str
    number: int
    words: Words
    args: tuple[Any, ...] = ()


class OptionLister(Protocol):
    """A lister of the options of a question, with the same result as any machine."""

    undecided: tuple[RawOption, ...]

    def options(self, words: Words) -> list[RawOption]: ...
    def all_options(self, words: Words) -> list[RawOption]: ...


class Recorder(Machine):
    """The reference machine, which notes the events of its last run. `routines`, `causes`: the numbers of those that
    are recorded. `lists`: what plays the game otherwise, for the options of questions, which it lists more quickly."""

    def __init__(self, program: Program, lists: OptionLister, routines: frozenset[int], causes: frozenset[int]) -> None:
        super().__init__(program)
        self.lists, self.routines, self.causes = lists, routines, causes
        self.events: list[Event] = []
        for node in (ir.Transfer, ir.MoveThing, ir.Pay) if causes else ():
            self.ex[node] = _noting(self, self.ex[node])

    def _go(self, begin: Callable[[], int]) -> None:
        self.events = []
        self.note("taken", 0)
        super()._go(begin)

    def list_options(self) -> list[RawOption]:
        if self.probing:
            return super().list_options()
        self.offers = (self.lists.all_options if self.list_all else self.lists.options)(self.words[:])
        self.undecided = self.lists.undecided
        return self.offers

    def note(self, sort: str, number: int, args: Sequence[Any] = ()) -> None:
        self.events.append(Event(sort, number, self.words[:], tuple(args)))

    def on_call(self, proc: int, args: Sequence[Any]) -> None:
        if proc in self.routines:
            self.note("begins", proc, args)

    def on_leave(self, proc: int) -> None:
        if proc in self.routines:
            self.note("ends", proc)


def _noting(machine: Recorder, handler: Callable[..., int]) -> Callable[..., int]:
    """The handler of a verb, with an event before it and one behind it."""

    def act(m: Run, s: Any, t: Temps) -> int:
        cause = m.value(s.cause, t) if s.cause is not None else 0
        if m.probing or cause not in machine.causes:
            return handler(m, s, t)
        machine.note("before", cause)
        signal = handler(m, s, t)
        machine.note("done", cause)
        return signal

    return act
