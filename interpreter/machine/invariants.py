"""The checks of a checking run: invariants after each atomic change, once the checks have come to rest, and every
thing in exactly the place that its place word names.

`install` puts the checking handlers into a machine's table of statements and removes them. Each invariant is tested
only after changes of symbols that it reads.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import width
from dsl.program import CHECKING, TOGETHER, Program
from interpreter.core import placement
from interpreter.core.run import Run
from interpreter.core.words import Temps
from interpreter.semantics import statements


def install(m: Run, checked: bool) -> None:
    m.ex[ir.AtomicEnd] = atomic_end if checked else statements.do_nothing


def atomic_end(m: Run, s: ir.AtomicEnd, t: Temps) -> int:
    """Nothing is tested inside a `together` or while checks act: what follows them tests all that may have changed."""
    if not (m.probing or m.words[TOGETHER] or m.words[CHECKING]):
        check_invariants(m, s.symbols, s.span)
    return 0


def check_invariants(m: Run, symbols: Iterable[str], span: Span) -> None:
    """Test the invariants that read one of these symbols."""
    key = frozenset(symbols)
    wanted = m.invariants_by_symbols.get(key)
    if wanted is None:
        wanted = m.invariants_by_symbols[key] = tuple(i for i in m.program.invariants if i.reads & key)
    for invariant in wanted:
        if not m.holds(invariant):
            raise m.fault(f"the invariant `{invariant.name}` does not hold after this change", span, invariant.cites)


def check_places(m: Run) -> None:
    """Test that place words and the contents of zones agree."""
    words, program = m.words, m.program
    things_by_zone: dict[int, list[int]] = {}
    if m.place_index is None:
        m.place_index = movable_things(program), thing_zones(program)
    movable, zones = m.place_index
    for thing, address in movable:
        if number := words[address]:
            things_by_zone.setdefault(number, []).append(thing)
    for number, base, end in zones:
        expected = things_by_zone.get(number)
        if expected is None and not any(words[base:end]):
            continue
        zone = program.zones[number]
        found = sorted(placement.content(words, zone))
        if found != (expected or []):
            misplaced = next(t for t in [*found, *(expected or ())] if found.count(t) != 1 or t not in (expected or ()))
            home = words[program.placed[misplaced]]
            where = f"in `{program.zones[home].symbol}`, once, and nowhere else" if home else "in no zone"
            raise m.fault(f"`{program.thing_ids[misplaced]}` should be {where}; see `{zone.symbol}`")


def movable_things(program: Program) -> tuple[tuple[int, int], ...]:
    """The things that can move, with the addresses of their place words."""
    return tuple((thing, address) for thing, address in enumerate(program.placed) if address)


def thing_zones(program: Program) -> tuple[tuple[int, int, int], ...]:
    """The zones of things: number, and the range of words that are all zero exactly while the zone is empty."""
    found = []
    for number, zone in enumerate(program.zones):
        if number and zone.kind in ("slot", "list", "set"):
            found.append((number, zone.base, zone.base + (width(zone.type) if zone.kind == "set" else 1)))
    return tuple(found)
