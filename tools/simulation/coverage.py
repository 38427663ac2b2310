"""Coverage of the rules by a run: a machine that records the routines, values, rule lines and questions that it runs.

Takes a game, and replaces its machine while a `CoverageRecorder` is open. What is only probed does not count.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from dsl import ir
from interpreter import Game
from interpreter.machine.machine import Machine


class CoverageMachine(Machine):
    """The reference machine, which records addresses."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.program)
        self.addresses: set[str] = set()
        self.ex = {**self.ex, ir.Note: self.note}
        self.call_function = self.ev[ir.CallFn]
        self.ev = {**self.ev, ir.CallFn: self.function}

    def note(self, machine: Any, s: ir.Note, t: Any) -> int:
        self.addresses.add(s.address)
        return 0

    def function(self, machine: Any, e: ir.CallFn, t: Any) -> Any:
        self.addresses.add(self.program.functions[e.fn].name)
        return self.call_function(machine, e, t)

    def enter(self, number: int, args: list[Any], back: int) -> int:
        if not self.probing:
            self.addresses.add(self.program.procs[number].name)
        return super().enter(number, args, back)

    def call_plain(self, number: int, args: list[Any]) -> None:
        if not self.probing:
            self.addresses.add(self.program.procs[number].name)
        super().call_plain(number, args)


class CoverageRecorder:
    """`with CoverageRecorder(game) as recorder:` collects addresses in `recorder.addresses`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.machine = CoverageMachine(game)

    def __enter__(self) -> CoverageRecorder:
        self.original = self.game.machine, self.game.runner
        self.game.machine = self.game.runner = self.machine
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.game.machine, self.game.runner = self.original

    @property
    def addresses(self) -> set[str]:
        return self.machine.addresses
