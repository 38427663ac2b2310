"""Notes of chance by low code, read as the reference notes it in `Machine.draws`."""

from __future__ import annotations

from typing import Any

from dsl.program import Program
from interpreter.backends.low.base.memory import NOTE_HEAD
from interpreter.backends.low.rules.chance import events
from interpreter.core.run import ChanceOutcome
from interpreter.semantics.chance import outcome_id


class DrawsNoted:
    """Reads the notes of modules of one program; hosts keep one for each program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.events = events(program)

    def read(self, memory: Any, noted: int) -> list[ChanceOutcome]:
        """The outcomes that are noted at this address, the oldest first; `memory` gives words with a sign. The host
        writes 0 there before low code runs on."""
        found, at, end = [], noted + 1, noted + 1 + memory[noted]
        while at < end:
            event, audience, size = memory[at : at + NOTE_HEAD]
            values = tuple(memory[at + NOTE_HEAD : at + NOTE_HEAD + size])
            found.append(self._outcome(event, audience, values))
            at += NOTE_HEAD + size
        return found

    def _outcome(self, event: int, seats: int, values: tuple[int, ...]) -> ChanceOutcome:
        i, program = self.events[event], self.program
        if i.op == "shuffle":
            return ChanceOutcome(i.address, i.op, values, tuple(program.thing_ids[thing] for thing in values))
        audience = None if seats < 0 else tuple(n for n in range(seats.bit_length()) if seats >> n & 1)
        return ChanceOutcome(i.address, i.op, values, (outcome_id(program, values[0], i.type),), audience)
