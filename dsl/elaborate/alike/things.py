"""Things of a kind that cannot be told apart (docs/manual/09-choice.md): a function of both, made on first use.

They are copies of one card, or are only counted; they lie in one zone without an order, hold the same, and nothing of
the state speaks of one of them alone. What a routine holds in its names does not count, nor who knows where they are.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import IntType, MemberType
from dsl.elaborate.alike.apart import X, Y, overlaps, same_in_state, table_number
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, conj, linear
from dsl.elaborate.core.scope import Body, Val
from dsl.elaborate.expressions import names, zones
from dsl.symbols.symbols import KindSym


def alike(elab: Elaboration, t: MemberType, one: ir.Expr, other: ir.Expr, seen: bool) -> ir.Expr:
    """Whether two things of a type cannot be told apart. `seen`: whoever asks sees where they lie, so their place is
    read as it stands with them; else the zones are searched, and the answer is as hidden as they are."""
    key = (t.domain, seen)
    if key not in elab.memo.alike_functions:
        elab.out.functions.append(None)
        elab.memo.alike_functions[key] = len(elab.out.functions) - 1
        make(elab, *key)
    return ir.CallFn(elab.memo.alike_functions[key], (one, other))


def complete(elab: Elaboration) -> None:
    """Make these functions again, now that all lines under `until end of` and all counters are known."""
    for key in list(elab.memo.alike_functions):
        make(elab, *key)


def make(elab: Elaboration, domain: str, seen: bool) -> None:
    """Make the function for a kind from what is known so far."""
    kind, body = elab.model.kinds[domain], Body(f"alike.{domain}", temps=2)
    tests = [same_card(elab, kind), same_place(elab, kind, seen), *same_in_state(elab, body, kind)]
    params = (("x", kind.type), ("y", kind.type))
    made = ir.Function(body.name, params, body.temps, IntType(0, 1), conj(tests), (), kind.span)
    elab.out.functions[elab.memo.alike_functions[domain, seen]] = made


def same_card(elab: Elaboration, kind: KindSym) -> ir.Expr:
    """They are copies of one card; of a kind whose things are only counted, they have the same constants."""
    m = elab.model
    if kind.count_per and not kind.parts:
        tables = [f.table for f in kind.fields.values() if f.const and f.table >= 0]
        return conj([ir.Compare("==", *(ir.TableGet(t, linear(-kind.low, [(e, 1)])) for e in (X, Y))) for t in tables])
    if not any(k.copies for k in m.kind_parts(kind)):
        return ir.Compare("==", X, Y)
    firsts = [names.copy_attribute(elab, kind, e, "original") for e in (X, Y)]
    return ir.Compare("==", *(v.e if v is not None else e for v, e in zip(firsts, (X, Y), strict=True)))


def same_place(elab: Elaboration, kind: KindSym, seen: bool) -> ir.Expr:
    """They lie in one zone, and it has no order."""
    m, t = elab.model, kind.type
    if not zones.zones_holding(m, t):
        return ONE
    places = [zones.place_of(elab, Val(e, t), t) if seen else zones.zone_of_thing(elab, t, e) for e in (X, Y)]
    ordered = tuple(int(z.kind == "list" and overlaps(m, z.type, kind)) for z in elab.layout.zones)
    if not any(ordered):
        return ir.Compare("==", *places)
    in_order = ir.TableGet(table_number(m, ordered), places[0])
    return conj([ir.Compare("==", *places), ir.Not(in_order)])
