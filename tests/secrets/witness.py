"""A machine that notes what the rules themselves lay open while a game runs: moves into sight, `show`, `openly`.

`Witness` is the reference machine. What it notes is what two games may differ in without anybody having been told a
secret by accident; everything else has to be equal for whoever cannot see it. It is not a test itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dsl import ir
from dsl.program import SEATS, Program
from interpreter.core import placement
from interpreter.core.run import Run
from interpreter.core.words import members
from interpreter.machine.machine import Machine
from tests.secrets.head import GUARD, TOLD


@dataclass(frozen=True, slots=True)
class Telling:
    """What a node of the program laid open. `kind`: `move`, `show` or `openly`; `moved`: a thing that was moved, and
    the zone that it left; `fresh`: (thing, its zone, seats that did not know its place and do now); `everybody`: the
    things that came into the sight of all with their zones, or the value of the `openly`."""

    kind: str
    node: int
    moved: tuple[int, int] = (0, 0)
    sight: int = 0  # the seats that know where the moved thing is now; bit 0: everybody
    fresh: tuple[tuple[int, int, int], ...] = ()
    everybody: Any = None

    def to(self, seat: int | None) -> Any:
        """What it told this seat (None: a spectator)."""
        if seat is None or self.kind == "openly":
            return self.everybody
        return tuple((thing, zone) for thing, zone, seats in self.fresh if seats >> seat & 1)

    def in_sight(self, seat: int | None) -> bool:
        """Whether the seat knows where the moved thing is now."""
        return bool(self.sight >> (seat or 0) & 1)

    def tells(self, other: Telling, seat: int | None) -> bool:
        """Whether this and another one of the same node told the seat different things, rather than one of them
        nothing. That a `show` shows nothing is told as well, and so is the place from where a certain thing was
        taken."""
        one, two = self.to(seat), other.to(seat)
        if self.moved != other.moved and self.moved[0] == other.moved[0]:
            return True
        return one != two and (self.kind != "move" or bool(one and two))


class Witness(Machine):
    """`tellings` grows while `watching`."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.tellings: list[Telling] = []
        self.watching = False
        names = {number for name, number in program.function_names.items() if name.startswith(TOLD)}
        move, show, store, called = self.ex[ir.MoveThing], self.ex[ir.Show], self.ex[ir.Store], self.ev[ir.CallFn]

        def on_move(m: Run, s: ir.MoveThing, t: list[Any]) -> int:
            thing = m.value(s.thing, t)
            before, place = self.known(thing), m.words[program.placed[thing]] if thing else 0
            signal = move(m, s, t)
            self.tell("move", s, [(thing, *before)] if thing else [], (thing, place))
            return signal

        def on_show(m: Run, s: ir.Show, t: list[Any]) -> int:
            before = [(thing, *self.known(thing)) for thing in members(m.value(s.things, t))]
            signal = show(m, s, t)
            self.tell("show", s, before)
            return signal

        def on_store(m: Run, s: ir.Store, t: list[Any]) -> int:
            """Whoever becomes the guard sees what lies in the vault."""
            if s.symbol != GUARD:
                return store(m, s, t)
            before = [(thing, *self.known(thing)) for thing in range(1, len(program.placed)) if program.placed[thing]]
            signal = store(m, s, t)
            self.tell("show", s, before)
            return signal

        def on_call(m: Run, e: ir.CallFn, t: list[Any]) -> Any:
            value = called(m, e, t)
            if e.fn in names and self.watching and not self.probing:
                self.tellings.append(Telling("openly", id(e), everybody=value))
            return value

        self.ex[ir.MoveThing], self.ex[ir.Show], self.ev[ir.CallFn] = on_move, on_show, on_call
        self.ex[ir.Store] = on_store

    def tell(
        self, kind: str, node: Any, before: Sequence[tuple[int, int, bool]], moved: tuple[int, int] = (0, 0)
    ) -> None:
        """Note what has become known of these things, of which each stands with who knew it before."""
        if not self.watching or self.probing:
            return
        fresh, everybody = [], []
        for thing, knew, open_ in before:
            knows, now_open = self.known(thing)
            place = self.words[self.program.placed[thing]]
            fresh.append((thing, place, knows & ~knew))
            everybody += [(thing, place)] if now_open and not open_ else []
        knows, open_ = self.known(moved[0]) if moved[0] else (0, False)
        knows, open_ = self.known(moved[0]) if moved[0] else (0, False)
        self.tellings.append(Telling(kind, id(node), moved, knows | open_, tuple(fresh), tuple(everybody)))

    def known(self, thing: int) -> tuple[int, bool]:
        """The seats that know where a thing is, as a set, and whether all of them do: then it is told to everybody."""
        place = self.program.placed[thing] if thing < len(self.program.placed) else 0
        zone = self.program.zones[self.words[place]] if place else self.program.zones[0]
        everybody = (1 << self.words[SEATS] + 1) - 2
        if not place or zone.audience == "all":
            return everybody, True
        base = self.program.known_base
        knows = placement.audience(self, zone) | (self.words[base + thing] if base else 0)
        return knows, knows & everybody == everybody
