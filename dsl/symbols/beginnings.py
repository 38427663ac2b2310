"""The state at the beginning of a game, as declared: fields within their bounds, pieces in their supply.

Takes the model and its layout, and adds the words that are not 0 to the latter. Reports beginnings that cannot be.
"""

from __future__ import annotations

from itertools import product

from dsl.base.spelling import nearest
from dsl.base.types import BOOL, ERROR, MOST_PIECES, IntType, MapType, MemberType, Type, key_count
from dsl.symbols.layout import Layout, home_address
from dsl.symbols.products import written_cell
from dsl.symbols.symbols import FieldSym, Model, PieceSym
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
    cell = written_cell(m, said)
    if cell is not None and cell[2] is not None:
        name = m.domains[cell[0].name].ids[cell[2] - cell[0].low]
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
    """All pieces start in their supply, of a sort that belongs to somebody in that of the owner; endless pieces need no
    word."""
    for p in m.pieces.values():
        z = p.home
        if p.each is None or z is None:
            continue
        numbers = each_number(m, p)
        if z.piece is not p:
            m.error(
                "RW0229",
                p.span,
                f"the supply `{p.supply}` of `{p.name}` does not hold `{p.name}`",
                f"declare `zone {p.supply}: {p.name}`" if z.owner is None else None,
            )
        elif z.cap is not None or z.key:
            what = "has a limit" if z.cap is not None else f"is one for each {z.key}"
            m.error("RW0229", p.span, f"the supply `{p.supply}` {what}; all `{p.name}` start there")
        else:
            lay.init += [(home_address(p, i), n) for i, n in enumerate(numbers) if n]


def each_number(m: Model, p: PieceSym) -> list[int]:
    """How many pieces there are of each sort: the same of all, or as a table or a constant of what they are by says."""
    if not p.each_of:
        return [p.each or 0] * key_count(p.index)
    table = m.tables.get(p.each_of)
    if table is None:
        numbers = numbers_of_things(m, p)
        if numbers:
            return numbers
        near = nearest(p.each_of, list(m.tables))
        message = (
            f"`each` takes a number from 0 to {MOST_PIECES}, or a table of numbers, or a constant of the kind that the"
            f" piece is by, and `{p.each_of}` is none of them"
        )
        m.error("RW0227", p.each_span, message, f"did you mean `{near}`?" if near else None)
        return []
    table.used = True
    at = [next((i for i, t in enumerate(p.index) if t == k), -1) for k in table.keys]
    if table.value == ERROR:
        return []
    if -1 in at or not isinstance(table.value, IntType) or not 0 <= table.value.low <= table.value.high <= MOST_PIECES:
        sorts = ", ".join(map(str, p.index)) or "nothing"
        m.error(
            "RW0227",
            p.each_span,
            f"`{p.each_of}` does not say how many `{p.name}` there are of each sort",
            f"`each` takes a number, or a table of numbers from 0 to {MOST_PIECES} by what the piece is by: {sorts}",
        )
        return []
    rows = m.tables_data[table.table]
    sorts_of = product(*(range(key_count((t,))) for t in p.index))
    sizes = [key_count((k,)) for k in table.keys]
    numbers = []
    for sort in sorts_of:
        row = 0
        for size, i in zip(sizes, at, strict=True):
            row = row * size + sort[i]
        numbers.append(rows[row])
    p.each = max(numbers, default=0)
    return numbers


def numbers_of_things(m: Model, p: PieceSym) -> list[int]:
    """The numbers of pieces that the things of a kind give by a constant; nothing if there is no such constant."""
    for i, t in enumerate(p.index):
        kind = m.kinds.get(t.domain)
        const = kind.fields.get(p.each_of) if kind is not None else None
        if const is None or not const.const or const.builtin or not isinstance(const.type, IntType):
            continue
        if not 0 <= const.type.low <= const.type.high <= MOST_PIECES:
            continue
        const.used = True
        p.each = const.type.high
        column = m.tables_data[const.table]
        return [column[sort[i]] for sort in product(*(range(key_count((k,))) for k in p.index))]
    return []
