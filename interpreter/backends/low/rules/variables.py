"""The local variables of a routine: for each temp that statements set, its kind and its names.

A temp may be set in several places, so its kind is that of all of them; what does not settle is any number of a word,
which is tested where it is set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from dsl import ir
from dsl.base.types import INT_HIGH
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import (
    ANY,
    Dense,
    ItemsKind,
    Kind,
    MembersKind,
    Number,
    Pairs,
    Unsupported,
    join,
    width_of,
)
from interpreter.backends.low.base.make import ONE, add, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.values.ranges import domain_kind

ROUNDS = 4  # after which a kind that still grows is widened


def declare(lo: Lowering, bodies: Sequence[Sequence[ir.Stmt]]) -> None:
    """Bind the temps that these statements set, besides those that are bound."""
    known: dict[int, Kind] = {}
    params = dict(lo.bound)
    for n in range(2 * ROUNDS):
        grown = _grown(lo, bodies, known, n >= ROUNDS)
        if grown == known:
            break
        known = grown
        lo.bound = {**params, **{slot: Held(kind, names_of(slot, kind)) for slot, kind in known.items()}}
    else:
        raise Unsupported("a temp whose kind does not settle")
    for slot in known.keys() & params.keys():  # a parameter that is set again keeps its own variables
        raise Unsupported(f"a parameter that is set again ({slot})")


def names_of(slot: int, kind: Kind) -> tuple[str, ...]:
    if isinstance(kind, MembersKind):
        return tuple(f"t{slot}_{w}" for w in kind.words)
    return (f"t{slot}",)


def _grown(lo: Lowering, bodies: Sequence[Sequence[ir.Stmt]], known: dict[int, Kind], last: bool) -> dict[int, Kind]:
    found = dict(known)
    for s in all_statements(bodies):
        kind: Kind | None = None
        slot = -1
        with suppress(Unsupported):  # what cannot be lowered is told where it is lowered
            match s:
                case ir.SetTemp(slot, value):
                    kind = lo.kind(value)
                case ir.For(slot, domain, _):
                    kind = domain_kind(lo, domain)
                case ir.Transfer(moved=int() as slot):
                    kind = Number(0, INT_HIGH)
        if kind is None:
            continue
        kind = join(found[slot], kind) if slot in found else kind
        if last and kind != found.get(slot):
            kind = _widened(lo, kind)
        found[slot] = kind
    return found


def _widened(lo: Lowering, kind: Kind) -> Kind:
    """A kind that grows no more: any number, or a list of as many items as there are things."""
    if isinstance(kind, Number):
        return ANY
    return ItemsKind(kind.item, lo.most + 1) if isinstance(kind, ItemsKind) else kind


def all_statements(bodies: Iterable[Sequence[ir.Stmt]]) -> Iterator[ir.Stmt]:
    """All statements, those inside others included."""
    for body in bodies:
        for s in body:
            yield s
            match s:
                case ir.IfS(_, then, orelse):
                    yield from all_statements((then, orelse))
                case ir.While(_, inner, _) | ir.For(_, _, inner):
                    yield from all_statements((inner,))


def area_of(lo: Lowering, kind: Kind) -> int:
    """A region of memory for the list or map of a temp, which outlives the statement that makes it. A trial meanwhile
    could come to the same routine and write over it."""
    if lo.asks:
        raise Unsupported("a list in a variable of a routine that tries actions")
    size = getattr(kind, "count", None)
    if isinstance(kind, ItemsKind):
        return lo.memory.room(1 + kind.most * width_of(kind.item))
    return lo.memory.room(size if isinstance(size, int) else 1 + 2 * getattr(kind, "most", 0))


def copied(lo: Lowering, held: Held) -> Held:
    """A list or map copied into scratch memory, since the store may change while it is in use."""
    match held.kind:
        case ItemsKind(item, most):
            at = lo.take(1 + most * width_of(item))
            size: Expr = add(scale(low.Load(Local(held.names[0])), width_of(item)), 1)
        case Dense(_, number):
            at, size = lo.take(number), Num(number)
        case Pairs(most):
            at = lo.take(1 + 2 * most)
            size = add(Op("<<", low.Load(Local(held.names[0])), ONE), 1)
        case _:
            return held
    lo.w.emit(low.Copy(at, Local(held.names[0]), size))
    name = lo.w.fresh("copy")
    lo.w.set(name, at)
    return Held(held.kind, (name,))
