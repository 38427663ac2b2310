"""The checks of a checking run: invariants after each atomic change, once the checks have come to rest, and every
thing in exactly the place that its place word names.

`install` puts the checking handlers into a machine's table of statements and removes them. Each invariant is tested
only after changes of symbols that it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from dsl import ir
from dsl.base.span import Span
from dsl.program import CHECKING, TOGETHER
from interpreter.core import placement
from interpreter.core.places import PlaceIndex
from interpreter.core.run import Run
from interpreter.core.words import Temps
from interpreter.semantics import statements


class Checks(Protocol):
    """A machine that may be told whether the games that it runs are checked."""

    checked: bool


@contextmanager
def checking(m: Checks, wanted: bool) -> Iterator[None]:
    """Let the games that a machine runs meanwhile be checked, or not."""
    before, m.checked = m.checked, wanted
    try:
        yield
    finally:
        m.checked = before


def install(m: Run, checked: bool) -> None:
    m.ex[ir.AtomicEnd] = atomic_end if checked else statements.do_nothing


def atomic_end(m: Run, s: ir.AtomicEnd, t: Temps) -> int:
    """Test the invariants that read what has changed, but not inside a `together` or while checks act: what follows
    them tests all that may have changed."""
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
    """Test that place words and the contents of zones agree, unless all that this reads is as it was when they last
    did."""
    if m.place_index is None:
        m.place_index = PlaceIndex(m.program)
    index, words = m.place_index, m.words
    now = [words[start:end] for start, end in index.spans]
    if now == index.sound:
        return
    require_places(m, index)
    index.sound = now


def require_places(m: Run, index: PlaceIndex) -> None:
    words, program = m.words, m.program
    things_by_zone: dict[int, list[int]] = {}
    for thing, address in index.movable:
        if number := words[address]:
            things_by_zone.setdefault(number, []).append(thing)
    for number, base, end in index.zones:
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
