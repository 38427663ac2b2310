"""Who sees what is hidden (docs/manual/16-knowledge.md): for each kind a function from a thing to the seat that owns
it, and predicates as audiences.

It takes declared zones and fields and completes the layout; what a choice may be decided by is looked at by
`dsl.checks.visibility`.
"""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.types import BOOL, MemberType
from dsl.elaborate.context import ZERO
from dsl.elaborate.core.scope import Body, Scope, Val
from dsl.elaborate.declarations.rulings import Rulings
from dsl.symbols.symbols import FieldSym, KindSym, ZoneSym
from dsl.syntax import nodes as sx


class Owners(Rulings):
    def complete_audiences(self) -> None:
        """Give the layout its owner functions and the numbers of its predicates."""
        owners: dict[str, int] = {}
        audiences: dict[str, str] = {}
        for kind in [None, *(k for k in self.m.kinds.values() if not k.parts)]:
            here: list[FieldSym | ZoneSym] = [*(kind.fields if kind else self.m.fields).values()]
            here += (kind.zones if kind else self.m.zones).values()
            for sym in here:
                symbol = f"{kind.name}.{sym.name}" if kind else sym.name
                if sym.seen_by is not None:
                    audiences[symbol] = self.predicate(sym.seen_by, sym, kind)
                elif sym.audience == "owner" and kind is not None and kind.name != "Seat":
                    owners[symbol] = self.owner_function(kind)
        lay = self.lay
        lay.entries = [
            replace(e, owner_fn=owners.get(e.symbol, -1), audience=audiences.get(e.symbol, e.audience))
            for e in lay.entries
        ]
        lay.zones = [replace(z, audience=audiences.get(z.symbol, z.audience)) for z in lay.zones]

    def predicate(self, node: sx.Expr, sym: FieldSym | ZoneSym, kind: KindSym | None) -> str:
        """A value that says for a seat, or for a thing and a seat, whether it sees."""
        m = self.m
        value = m.values.get(node.id) if isinstance(node, sx.Name) else None
        if value is None:
            m.unknown("RW0242", node.span, "value", m.text(node.span), list(m.values))
            return "nobody"
        value.used = True
        seat = m.kinds["Seat"].type
        wanted = ([seat], [kind.type, seat]) if kind else ([seat],)
        if [t for _, t in value.params] not in wanted or value.result != BOOL:
            example = f"`value {value.name}({'x: ' + kind.name + ', ' if kind else ''}p: Seat): bool`"
            m.error(
                "RW0402",
                node.span,
                f"`{value.name}` can not say which seats see `{sym.name}`",
                f"write it as {example}",
            )
            return "nobody"
        return f"fn:{value.fn}"

    def owner_function(self, kind: KindSym) -> int:
        body = Body(f"owner of {kind.name}")
        scope = Scope(body)
        thing = self.temp_local(scope, "x", kind.type)
        e = self.owning_seat(Val(thing.read, kind.type), 0)
        return self.function(body.name, [("x", kind.type)], body, self.m.kinds["Seat"].type, e, kind.span)

    def owning_seat(self, val: Val, depth: int) -> ir.Expr:
        """The seat that decides for a thing, or for its owner, or for the owner's owner; 0: nobody."""
        kind = self.m.kind_of(val.t)
        if kind is None or depth > 4:
            return ZERO
        if kind.name == "Seat":
            return val.e
        sure = Val(val.e, MemberType(kind.name, kind.low, kind.high))
        found = self.of_thing(sure, kind.decided_by or "owner", kind.span)
        if not isinstance(found, Val):
            return ZERO
        return ir.If(val.e, self.owning_seat(found, depth + 1), ZERO)
