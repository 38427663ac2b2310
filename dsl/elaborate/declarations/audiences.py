"""Audiences of what is hidden (docs/manual/16-knowledge.md): for each kind a function from a thing to the seat that
owns it, and predicates as audiences.

It takes declared zones and fields and completes the layout; `dsl.checks.visibility` checks what a choice may depend
on.
"""

from __future__ import annotations

from dataclasses import replace

from dsl.base.types import BOOL
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.scope import Body, Scope, Val, temp_local
from dsl.elaborate.expressions import actors
from dsl.program import PREDICATE
from dsl.symbols.symbols import FieldSym, KindSym, ZoneSym
from dsl.syntax import nodes as sx


def complete_audiences(elab: Elaboration) -> None:
    """Give the layout its owner functions and the numbers of its predicates."""
    owners: dict[str, int] = {}
    audiences: dict[str, str] = {}
    tops: dict[str, str] = {}
    for kind in [None, *elab.model.kinds.values()]:
        here: list[FieldSym | ZoneSym] = [*(kind.fields if kind else elab.model.fields).values()]
        here += (kind.zones if kind else elab.model.zones).values()
        for sym in (sym for sym in here if sym.owner is kind):
            symbol = f"{kind.name}.{sym.name}" if kind else sym.name
            if sym.seen_by is not None:
                audiences[symbol] = audience_predicate(elab, sym.seen_by, sym, kind)
            top = sym.top if isinstance(sym, ZoneSym) else ""
            if isinstance(sym, ZoneSym) and sym.top_seen_by is not None:
                tops[symbol] = audience_predicate(elab, sym.top_seen_by, sym, kind)
            if "owner" in (sym.audience, top) and kind is not None and kind.name != "Seat":
                owners[symbol] = owner_function(elab, kind)
    lay = elab.layout
    lay.entries = [
        replace(
            e,
            owner_fn=owners.get(e.symbol, -1),
            audience=audiences.get(e.symbol, e.audience),
            top=tops.get(e.symbol, e.top),
        )
        for e in lay.entries
    ]
    lay.zones = [
        replace(z, audience=audiences.get(z.symbol, z.audience), top=tops.get(z.symbol, z.top)) for z in lay.zones
    ]


def audience_predicate(elab: Elaboration, node: sx.Expr, sym: FieldSym | ZoneSym, kind: KindSym | None) -> str:
    """The audience given by a value that says for a seat, or for a thing and a seat, whether it sees."""
    m = elab.model
    value = m.values.get(node.id) if isinstance(node, sx.Name) else None
    if value is None:
        m.unknown("RW0242", node.span, "value", m.text(node.span), ["all", "owner", "nobody", *m.values])
        return "all"
    value.used = True
    seat = m.kinds["Seat"].type
    wanted = ([seat], [kind.type, seat]) if kind else ([seat],)
    if [t for _, t in value.params] not in wanted or value.result != BOOL:
        example = f"`value {value.name}({'x: ' + kind.name + ', ' if kind else ''}p: Seat): bool`"
        m.error(
            "RW0402",
            node.span,
            f"`{value.name}` cannot say which seats see `{sym.name}`",
            f"write it as {example}",
        )
        return "all"
    return f"{PREDICATE}{value.fn}"


def owner_function(elab: Elaboration, kind: KindSym) -> int:
    """The number of the function from a thing of this kind to the seat that owns it."""
    body = Body(f"owner of {kind.name}")
    scope = Scope(body)
    thing = temp_local(elab.model, scope, "x", kind.type)
    e = actors.owning_seat(elab, Val(thing.read, kind.type), 0)
    return elab.add_function(body.name, [("x", kind.type)], body, elab.model.kinds["Seat"].type, e, kind.span)
