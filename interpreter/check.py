"""Checking runs: invariants after each atomic change, and that every thing is in exactly the place that its place
word names.

`install` puts the checking handlers into a machine's table of statements and takes them out again. Each invariant
is tested only after changes of symbols that it reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dsl import ir
from dsl.program import TOGETHER
from dsl.span import Span
from interpreter import execute, things
from interpreter.store import Temps

if TYPE_CHECKING:
    from interpreter.machine import Machine


def install(m: Machine, wanted: bool) -> None:
    m.changed.clear()
    m.ex[ir.AtomicEnd] = atomic_end if wanted else execute.nothing
    m.ex[ir.Together] = together if wanted else execute.EXECUTE[ir.Together]


def atomic_end(m: Machine, s: ir.AtomicEnd, t: Temps) -> int:
    if m.probing:
        return 0
    if m.words[TOGETHER]:
        m.changed.update(s.symbols)
    else:
        invariants(m, s.symbols, s.span)
    return 0


def together(m: Machine, s: ir.Together, t: Temps) -> int:
    execute.together(m, s.delta)
    if not m.words[TOGETHER] and not m.probing:
        symbols, m.changed = m.changed, set()
        invariants(m, symbols, Span("", 0, 0))
    return 0


def invariants(m: Machine, symbols: Iterable[str], span: Span) -> None:
    """Test the invariants that read one of these symbols."""
    key = frozenset(symbols)
    wanted = m.concerned.get(key)
    if wanted is None:
        wanted = m.concerned[key] = tuple(i for i in m.program.invariants if i.reads & key)
    for invariant in wanted:
        if not m.holds(invariant):
            raise m.fault(f"the invariant `{invariant.name}` does not hold after this change", span, invariant.cites)


def places(m: Machine) -> None:
    """Test that place words and the contents of zones agree."""
    words, program = m.words, m.program
    stands: dict[int, int] = {}
    for number, zone in enumerate(program.zones):
        if zone.kind in ("slot", "list", "set") and number:
            for thing in things.content(words, zone):
                if thing in stands:
                    raise m.fault(f"`{program.thing_ids[thing]}` is in two zones, `{zone.symbol}` is one of them")
                stands[thing] = number
    for thing, address in enumerate(program.placed):
        if address and words[address] != stands.get(thing, 0):
            named = program.zones[words[address]].symbol
            raise m.fault(f"`{program.thing_ids[thing]}` should be in `{named}`, but it does not lie there")
