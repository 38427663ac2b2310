"""Names and `x.name`: locals, members, zones, fields, options, values."""

from __future__ import annotations

from dsl import ir
from dsl import program as pg
from dsl.base.span import Span
from dsl.base.spelling import with_article
from dsl.base.types import BOOL, ERROR, INT, NONE, IntType, MemberType, SetType, Type, width
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD, ONE, ZERO, key_offset, linear
from dsl.elaborate.core.scope import Scope, Val, ZoneRef
from dsl.elaborate.core.types import fits, join
from dsl.elaborate.expressions import zones
from dsl.symbols import copies as cp
from dsl.symbols.symbols import FieldSym, KindSym, Model, TableSym, flat_id
from dsl.symbols.types import kind_of_thing
from dsl.syntax import nodes as sx

SCOPE_WORDS = (
    "none",
    "true",
    "false",
    "seats",
    "you",
    "this",
    "owner",
    "cause",
    "amount",
    "so_far",
    "top",
    "bottom",
    "all",
)


# ------------------------------------------------------------ bare names


def report_routine(m: Model, id: str, span: Span) -> None:
    """Report that a routine is named where a value is needed."""
    m.error(
        "RW0252",
        span,
        f"`{id}` is {with_article(m.routines[id].word)}; it has no value",
        f"call it in a sentence: `do {id}(...)`",
    )


def name(elab: Elaboration, node: sx.Name, scope: Scope, want: Type | None) -> Val | ZoneRef:
    """A bare name: a local, a word such as `you`, a member, a zone, a field, an option, a value, or a kind as the
    set of its members."""
    m, id = elab.model, node.id
    local = scope.find(id)
    if local:
        local.used = True
        if local.span:
            m.uses.append((node.span, local.span))
        return narrow(elab, node, Val(local.read, local.type), scope)
    special = special_word(elab, node, scope)
    if special:
        return special
    if want is not None and (member := find_member(elab, id, want, node.span)):
        return member
    if id in m.zones:
        m.zones[id].used = True
        m.uses.append((node.span, m.zones[id].span))
        return ZoneRef(m.zones[id], None, span=node.span)
    if id in m.fields:
        f = m.fields[id]
        f.used = True
        m.uses.append((node.span, f.span))
        return narrow(elab, node, Val(ir.Cell(ir.Const(f.base), f.type, f.name), f.type), scope)
    if id in m.options:
        o = m.options[id]
        o.used = True
        return Val(ir.Cell(ir.Const(o.address), o.type, o.name), o.type)
    if id in m.values:
        if m.values[id].params:
            m.error(
                "RW0250",
                node.span,
                f"`{id}` takes {len(m.values[id].params)} argument{'s' * (len(m.values[id].params) != 1)}",
                f"write `{id}({', '.join(n for n, _ in m.values[id].params)})`",
            )
            return BAD
        return narrow(elab, node, call_value(elab, id, [], node.span), scope)
    if id in m.kinds or id in m.enums:
        t = m.kinds[id].type if id in m.kinds else m.enums[id].type
        if id in m.kinds:
            m.kinds[id].used = True
        return Val(all_members(elab, id), SetType(t))
    found = m.members.get(id, [])
    if len(found) == 1:
        m.resolved_members[node.span] = found[0]
        return member_val(elab, *found[0])
    if found:
        names = " or ".join(f"`{d}.{id}`" for d, _ in found)
        m.error(
            "RW0251",
            node.span,
            f"`{id}` is a member of several: {', '.join(d for d, _ in found)}",
            f"write {names}",
        )
        return BAD
    if id in m.broken or id in m.declared:
        if id in m.routines:
            report_routine(m, id, node.span)
        elif id in m.tables:
            m.error("RW0253", node.span, f"the table `{id}` needs a key", f"write `{id}[...]`")
        elif id in m.pieces:
            m.error(
                "RW0254", node.span, f"`{id}` is a piece; here a value is needed", "count it in a zone: `zone[...]`"
            )
        return BAD
    known = [*scope.all_names(), *m.zones, *m.fields, *m.values, *m.options, *m.kinds, *m.enums, *m.members]
    known += [*m.tables, *m.pieces, *elab.cases.values, *SCOPE_WORDS]
    m.unknown("RW0205", node.span, "name", id, known)
    m.broken.add(id)
    return BAD


def narrow(elab: Elaboration, node: sx.Expr, val: Val, scope: Scope) -> Val:
    """The value with the type that tests before it have proved: not none, or of a kind."""
    t = val.t
    if not isinstance(t, MemberType) or not scope.known:
        return val
    if t.optional and node in scope.known:
        t = MemberType(t.domain, t.low, t.high)
    for fact in scope.known:
        match fact:
            case sx.Compare("in", left, sx.Name(name)) if left == node and name in elab.model.kinds:
                t = elab.model.kinds[name].type if elab.model.fits_kind(elab.model.kinds[name].type, t) else t
    return Val(val.e, t)


def zone_value(elab: Elaboration, node: sx.Expr, zone: ZoneRef, scope: Scope) -> Val:
    """The content of a zone that stands where a value is needed."""
    return narrow(elab, node, zones.read_zone(elab, zone), scope)


def all_members(elab: Elaboration, domain: str) -> ir.Expr:
    """All members of a kind or an enum; of seats those at the table."""
    if domain == "Seat":
        return ir.RangeSet(ir.Const(1), ir.Cell(ir.Const(pg.SEATS), INT))
    return ir.Const(elab.model.domain_mask(domain))


def special_word(elab: Elaboration, node: sx.Name, scope: Scope) -> Val | ZoneRef | None:
    """The value of `you`, `this`, `seats` and the other words with a meaning of their own; None for other names."""
    m = elab.model
    match node.id:
        case "true":
            return Val(ir.Const(1), BOOL)
        case "false":
            return Val(ir.Const(0), BOOL)
        case "none":
            return Val(ZERO, NONE)
        case "seats":
            t = SetType(m.kinds["Seat"].type)
            return Val(all_members(elab, "Seat"), t)
        case "this":
            if not scope.this:
                m.error("RW0255", node.span, "`this` is the card that the text stands on; there is no card here")
                return BAD
            return Val(ir.Const(scope.this), kind_of_thing(m, scope.this).type)
        case "owner":
            if "owner" in scope.special:  # in the block of a line: the owner as its event began
                noted = scope.special["owner"]
                return narrow(elab, node, Val(noted.read, noted.type), scope)
            if not scope.this:
                help = "name the thing: `x.owner`"
                m.error("RW0255", node.span, "`owner` is the owner of a card; there is no card here", help)
                return BAD
            owner = attr(elab, sx.Attr(sx.Name("this", span=node.span), "owner", span=node.span), scope)
            return narrow(elab, node, owner, scope) if isinstance(owner, Val) else owner
        case "you":
            if scope.you is None:
                m.error(
                    "RW0256",
                    node.span,
                    "nobody acts here, so `you` means nobody",
                    "`you` is the first parameter of an action, or the `by` of a `do`",
                )
                return BAD
            scope.you.used = True
            return Val(scope.you.read, scope.you.type)
        case "cause" | "amount" | "so_far" | "over" as word:
            if word in scope.special:
                return Val(scope.special[word].read, scope.special[word].type)
            if word == "cause" or word == "so_far":
                where = "a trigger or a purse" if word == "cause" else "a `modify` line"
                m.error("RW0257", node.span, f"`{word}` is known only in {where}")
                return BAD
    return None


def find_member(elab: Elaboration, id: str, want: Type, span: Span) -> Val | None:
    """The member of the wanted type with this id (or alias), which stands at `span`; None if there is none."""
    if isinstance(want, SetType):
        return None
    if not isinstance(want, MemberType):
        return None
    for domain, value in elab.model.members.get(id, ()):
        t = domain_type(elab, domain)
        if elab.model.fits_kind(t, want):
            elab.model.resolved_members[span] = (domain, value)
            return Val(ir.Const(value), t)
    return None


def domain_type(elab: Elaboration, name: str) -> MemberType:
    """The type of all members of a kind or an enum."""
    info = elab.model.domains[name]
    return MemberType(name, info.values[0], info.values[-1])


def member_val(elab: Elaboration, domain: str, value: int) -> Val:
    """A member by its domain and number."""
    return Val(ir.Const(value), domain_type(elab, domain))


# ------------------------------------------------------------ x.name


def attr(elab: Elaboration, node: sx.Attr, scope: Scope, want: Type | None = None) -> Val | ZoneRef:
    """`x.name`: a member written with its domain, or a field, zone or value of a thing."""
    m = elab.model
    id = flat_id(node)
    if id and scope.find(id.split(".")[0]) is None and id in m.members:
        found = m.members[id]
        if want and (member := find_member(elab, id, want, node.span)):
            return member
        m.resolved_members[node.span] = found[0]
        return member_val(elab, *found[0])
    if isinstance(node.base, sx.Name) and (
        node.base.id in m.enums or node.base.id in m.kinds or node.base.id in m.options
    ):
        for domain, value in m.members.get(node.name, ()):
            if domain == node.base.id:
                m.resolved_members[node.span] = (domain, value)
                return member_val(elab, domain, value)
        if scope.find(node.base.id) is None and node.base.id in m.domains:
            m.unknown("RW0258", node.span, f"member of `{node.base.id}`", node.name, list(m.domains[node.base.id].ids))
            return BAD
    base = member_with(elab, node, scope) or elab.expr(node.base, scope)
    if base.t == ERROR:
        return BAD
    if node.name == "rank" and isinstance(base.t, MemberType) and base.t.domain in m.enums:
        if m.enums[base.t.domain].ranked:
            return Val(base.e, IntType(0 if base.t.optional else base.t.low, base.t.high))
    if not isinstance(base.t, MemberType) or base.t.domain not in m.kinds:
        m.error(
            "RW0259",
            node.span,
            f"`{m.text(node.base.span)}` is `{base.t}`; it has no `.{node.name}`",
            "only things of a kind have fields and zones",
        )
        return BAD
    if base.t.optional:
        m.error(
            "RW0401",
            node.base.span,
            f"`{m.text(node.base.span)}` may be none, so it may have no `.{node.name}`",
            f"test it first: `{m.text(node.base.span)} is not none and ...`",
        )
        return BAD
    found_one = find_attribute(elab, base, node.name, node.span)
    if found_one is None:
        kind = m.kinds[base.t.domain]
        names = [n for k in m.kind_parts(kind) for n in (*k.fields, *k.zones)]
        names += cp.CONSTANTS if any(k.copies for k in m.kind_parts(kind)) else ()
        names += [v.name for v in m.values.values() if len(v.params) == 1 and fits(m, base.t, v.params[0][1])]
        if not any(n in m.broken for n in (node.name, f"{kind.name}.{node.name}")):
            what = f"field, zone or value of `{kind.name}`"
            m.unknown("RW0260", node.span, what, node.name, names, apart(m, kind, node.name))
            m.broken.add(f"{kind.name}.{node.name}")
        return BAD
    return narrow(elab, node, found_one, scope) if isinstance(found_one, Val) else found_one


def member_with(elab: Elaboration, node: sx.Attr, scope: Scope) -> Val | None:
    """Of the members that `x` in `x.name` may be, the only one whose kind has such a field, zone or value; None where
    `x` is something else, or one member only."""
    m = elab.model
    if not isinstance(node.base, sx.Name) or len(found := m.members.get(node.base.id, [])) < 2:
        return None
    id = node.base.id
    if scope.find(id) or any(id in names for names in (m.zones, m.fields, m.options, m.values, m.kinds, m.enums)):
        return None
    kinds = [(m.kinds[domain], domain, value) for domain, value in found if domain in m.kinds]
    fitting = [at for at in kinds if node.name in at[0].fields or node.name in at[0].zones]
    if not fitting and node.name in m.values and len(m.values[node.name].params) == 1:
        fitting = [at for at in kinds if fits(m, at[0].type, m.values[node.name].params[0][1])]
    if len(fitting) != 1:
        return None
    _, domain, value = fitting[0]
    m.resolved_members[node.base.span] = domain, value
    return member_val(elab, domain, value)


def apart(m: Model, kind: KindSym, name: str) -> str | None:
    """What helps where the members of a union have a field or zone of this name, each kind its own."""
    if not kind.parts or not any(name in part.fields or name in part.zones for part in m.kind_parts(kind)):
        return None
    return f"declare `{name}` below `kind {kind.name}`, and all of its members have the same one"


def find_attribute(elab: Elaboration, base: Val, name: str, span: Span) -> Val | ZoneRef | None:
    """A field, zone or one-parameter value of a thing, by name; None if there is none."""
    m = elab.model
    assert isinstance(base.t, MemberType)
    kind = m.kinds[base.t.domain]
    parts = m.kind_parts(kind)
    own = m.shape(kind, name)
    if isinstance(own, FieldSym):
        return field_val(elab, own, base.e, span)
    if own is not None:
        own.used = True
        m.uses.append((span, own.span))
        return ZoneRef(own, base.e, span=span)
    if kind.parts:
        if not all(name in p.fields for p in parts):
            value = m.values.get(name)
            if value and len(value.params) == 1:
                return call_value(elab, name, [base], span)
            return copy_attribute(elab, kind, base.e, name)
        parts = sorted(parts, key=lambda part: part.low)
        vals = [field_val(elab, p.fields[name], base.e, span) for p in parts]
        result = vals[-1]
        for val in vals[-2::-1]:
            result = Val(result.e, join(m, val.t, result.t) or val.t)
        if all(p.fields[name].const and p.fields[name].table >= 0 for p in parts):
            return Val(ir.TableGet(joined_table(elab, parts, name), linear(-parts[0].low, [(base.e, 1)])), result.t)
        for part, val in list(zip(parts, vals, strict=True))[-2::-1]:
            result = Val(ir.If(ir.Compare("<=", base.e, ir.Const(part.high)), val.e, result.e), result.t)
        return result
    if name == "face" and kind.faces:
        e = ir.Cell(linear(elab.layout.face_base[kind.name] - kind.low, [(base.e, 1)]), INT, f"{kind.name}.face")
        return Val(linear(1, [(e, 1)]), m.enums[f"{kind.name}.face"].type)
    value = m.values.get(name)
    if value and len(value.params) == 1 and fits(m, base.t, value.params[0][1]):
        return call_value(elab, name, [base], span)
    return copy_attribute(elab, kind, base.e, name)


def joined_table(elab: Elaboration, parts: list[KindSym], name: str) -> int:
    """The number of the table with the constants of a union, made on first use: those of its kinds one after the
    other."""
    m = elab.model
    key = (tuple(part.name for part in parts), name)
    if key not in elab.memo.joined_tables:
        columns = [m.tables_data[part.fields[name].table] for part in parts]
        column = [next(c[0] for c in columns if c)] * (parts[-1].high - parts[0].low + 1)
        for part, values in zip(parts, columns, strict=True):
            column[part.low - parts[0].low : part.high - parts[0].low + 1] = values
        elab.memo.joined_tables[key] = len(m.tables_data)
        m.tables_data.append(tuple(column))
    return elab.memo.joined_tables[key]


def copy_attribute(elab: Elaboration, kind: KindSym, thing: ir.Expr, name: str) -> Val | None:
    """`copy` and `original`, which every thing has unless its kind declares the name; their tables are made on first
    use."""
    m = elab.model
    parts = m.kind_parts(kind)
    if name not in cp.CONSTANTS or any(name in k.fields or name in k.zones for k in parts):
        return None
    if not any(k.copies for k in parts):
        return Val(ONE, IntType(1, 1)) if name == "copy" else Val(thing, kind.type)
    if (kind.name, name) not in elab.memo.copy_tables:
        column = list(range(kind.low, kind.high + 1)) if name == "original" else [1] * (kind.high - kind.low + 1)
        for k in parts:
            for at in range(k.low, k.high + 1):
                column[at - kind.low] = cp.copy_number(k, at) if name == "copy" else cp.original_of(k, at)
        elab.memo.copy_tables[kind.name, name] = len(m.tables_data)
        m.tables_data.append(tuple(column))
    table = elab.memo.copy_tables[kind.name, name]
    t = IntType(1, max(m.tables_data[table])) if name == "copy" else kind.type
    return Val(ir.TableGet(table, linear(-kind.low, [(thing, 1)])), t)


def field_val(elab: Elaboration, f: FieldSym, thing: ir.Expr, span: Span) -> Val:
    """A field of a thing: a cell, or a constant from its table."""
    kind = f.owner
    assert kind
    f.used = True
    elab.model.uses.append((span, f.span))
    if f.const:
        return Val(ir.TableGet(f.table, linear(-kind.low, [(thing, 1)])), f.type)
    w = width(f.type)
    return Val(ir.Cell(linear(f.base - kind.low * w, [(thing, w)]), f.type, f"{kind.name}.{f.name}"), f.type)


def table_val(elab: Elaboration, table: TableSym, args: list[Val], span: Span) -> Val:
    """`t[key]`; the keys fit."""
    m = elab.model
    table.used = True
    if len(args) != len(table.keys):
        m.error("RW0250", span, f"the table `{table.name}` takes {len(table.keys)} keys, but got {len(args)}")
        return BAD
    if any(a.t == ERROR for a in args):
        return BAD
    if table.rows:
        return Val(ir.RangeTable(table.rows, args[0].e), table.value)
    return Val(ir.TableGet(table.table, key_offset(table.keys, [a.e for a in args])), table.value)


def call_value(elab: Elaboration, name: str, args: list[Val], span: Span) -> Val:
    """A call of a declared value with arguments that fit."""
    value = elab.model.values[name]
    value.used = True
    if value.bots and not elab.values.for_bots:
        elab.model.error("RW0419", span, f"`{name}` is a value for bots; rules may not read it")
    if any(a.t == ERROR for a in args):
        return Val(ZERO, value.result if value.result != ERROR else ERROR)
    elab.note_value_read(name, span)
    return Val(ir.CallFn(value.fn, tuple(a.e for a in args)), value.result)
