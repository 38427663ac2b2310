"""What the declared state holds when a game begins: fields within their bounds, pieces in their supply.

Takes the model and its layout, and adds the words that are not 0 to the latter. Reports beginnings that cannot be.
"""

from __future__ import annotations

from dsl.base.types import BOOL, ERROR, IntType, MapType, MemberType, Type, key_count
from dsl.symbols.layout import Layout
from dsl.symbols.symbols import FieldSym, Model
from dsl.symbols.types import constant
from dsl.syntax import nodes as sx


def fill_state(m: Model, lay: Layout) -> None:
    """Add the words that are not 0 at the start of every game."""
    fill_fields(m, lay)
    fill_supplies(m, lay)


def fill_fields(m: Model, lay: Layout) -> None:
    """A field begins as it says by `= v`; without that at 0 or none, or, where its type has neither, at the number next
    to 0 or the first member."""
    own = (f for k in m.kinds.values() for f in k.fields.values() if f.owner is k)
    for f in [*m.fields.values(), *own]:
        if f.base < 0 or f.const or f.type == ERROR:
            continue
        items, item = (key_count(f.type.keys), f.type.value) if isinstance(f.type, MapType) else (1, f.type)
        value = first_value(item) if f.start is None else said_value(m, f, f.start, item)
        if value:
            owners = [thing - f.owner.low for thing in m.domains[f.owner.name].values] if f.owner else [0]
            lay.init += [(f.base + at * items + i, value) for at in owners for i in range(items)]


def first_value(t: Type) -> int:
    """The word of a field that says nothing about its beginning."""
    match t:
        case IntType(low, high):
            return min(max(low, 0), high)
        case MemberType(_, low, _, optional):
            return 0 if optional else low
    return 0


def said_value(m: Model, f: FieldSym, said: sx.Expr, t: Type) -> int:
    """The word of a field that says how it begins; a message if it cannot begin so."""
    name = said.id if isinstance(said, sx.Name) else ""
    known: list[str] = []
    match t:
        case IntType(low, high):
            n = constant(said)
            if n is not None and low <= n <= high:
                return n
        case MemberType(domain, low, high, optional):
            members = dict(zip(m.domains[domain].ids, m.domains[domain].values, strict=True))
            known = [*(i for i, v in members.items() if low <= v <= high), *(("none",) if optional else ())]
            if name in known:
                return members.get(name, 0)
        case _ if t == BOOL:
            known = ["false", "true"]
            if name in known:
                return known.index(name)
    if known:
        m.unknown("RW0228", said.span, "value of this field", m.text(said.span), known)
    else:
        help = "it begins empty" if not isinstance(t, IntType) else "write a number within its bounds"
        m.error("RW0228", said.span, f"`{f.name}` is `{t}`, so it cannot begin as `{m.text(said.span)}`", help)
    return 0


def fill_supplies(m: Model, lay: Layout) -> None:
    """All pieces start in their supply; `none` as the unnamed box needs no word for endless pieces."""
    for p in m.pieces.values():
        if p.each is None:
            continue
        n = key_count(p.index)
        if p.supply:
            z = m.zones[p.supply]
            if z.piece is not p:
                m.error(
                    "RW0229",
                    p.span,
                    f"the supply `{p.supply}` of `{p.name}` does not hold `{p.name}`",
                    f"declare `zone {p.supply}: {p.name}`",
                )
                continue
            if z.cap is not None or z.key:
                what = "has a limit" if z.cap is not None else f"is one for each {z.key}"
                m.error("RW0229", p.span, f"the supply `{p.supply}` {what}; all `{p.name}` start there")
                continue
            lay.init += [(z.base + i, p.each) for i in range(n)]
