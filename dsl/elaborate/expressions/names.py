"""Names: locals, members, zones, fields, options, values, and `x.name` of a thing."""

from __future__ import annotations

from dsl import ir
from dsl import program as pg
from dsl.base.span import Span
from dsl.base.spelling import articled
from dsl.base.types import (
    BOOL,
    ERROR,
    INT,
    NONE,
    BoolType,
    IntType,
    ListType,
    MemberType,
    SetType,
    Type,
    width,
)
from dsl.elaborate.context import BAD, ONE, ZERO, key_offset, linear
from dsl.elaborate.core.scope import Scope, Val, ZoneRef
from dsl.elaborate.expressions.zones import Zones
from dsl.symbols import copies as cp
from dsl.symbols.symbols import FieldSym, KindSym, TableSym, flat_id
from dsl.syntax import nodes as sx

WORDS = ("none", "true", "false", "seats", "you", "this", "owner", "cause", "amount", "so_far", "top", "bottom", "all")


class Names(Zones):
    copy_tables: dict[tuple[str, str], int]  # (kind, `copy` or `original`) -> table
    joined_tables: dict[tuple[tuple[str, ...], str], int]  # (kinds of a union, constant) -> table

    # ------------------------------------------------------------ bare names

    def name(self, node: sx.Name, scope: Scope, want: Type | None) -> Val | ZoneRef:
        m, id = self.m, node.id
        local = scope.find(id)
        if local:
            local.used = True
            if local.span:
                m.uses.append((node.span, local.span))
            return self.known(node, Val(local.read, local.type), scope)
        special = self.special(node, scope)
        if special:
            return special
        if want is not None and (member := self.member(id, want, node.span)):
            return member
        if id in m.zones:
            m.zones[id].used = True
            m.uses.append((node.span, m.zones[id].span))
            return ZoneRef(m.zones[id], None, span=node.span)
        if id in m.fields:
            f = m.fields[id]
            f.used = True
            m.uses.append((node.span, f.span))
            return self.known(node, Val(ir.Cell(ir.Const(f.base), f.type, f.name), f.type), scope)
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
            return self.known(node, self.call_value(id, [], node.span), scope)
        if id in m.kinds or id in m.enums:
            t = m.kinds[id].type if id in m.kinds else m.enums[id].type
            if id in m.kinds:
                m.kinds[id].used = True
            return Val(self.all_of(id), SetType(t))
        found = m.members.get(id, [])
        if len(found) == 1:
            m.meant[node.span] = found[0]
            return self.member_val(*found[0])
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
                m.error(
                    "RW0252",
                    node.span,
                    f"`{id}` is {articled(m.routines[id].word)}; it has no value",
                    f"a sentence starts it: `do {id}(...)`",
                )
            elif id in m.tables:
                m.error("RW0253", node.span, f"the table `{id}` needs a key", f"write `{id}[...]`")
            elif id in m.pieces:
                m.error(
                    "RW0254", node.span, f"`{id}` is a piece; here a value is needed", "count it in a zone: `zone[...]`"
                )
            return BAD
        known = [*scope.all_names(), *m.zones, *m.fields, *m.values, *m.options, *m.kinds, *m.enums, *m.members]
        known += [*m.tables, *m.pieces, *WORDS]
        m.unknown("RW0205", node.span, "name", id, known)
        m.broken.add(id)
        return BAD

    def known(self, node: sx.Expr, val: Val, scope: Scope) -> Val:
        """A value that has been tested not to be none, or to be of a kind."""
        t = val.t
        if not isinstance(t, MemberType) or not scope.known:
            return val
        if t.optional and node in scope.known:
            t = MemberType(t.domain, t.low, t.high)
        for fact in scope.known:
            match fact:
                case sx.Compare("in", left, sx.Name(name)) if left == node and name in self.m.kinds:
                    t = self.m.kinds[name].type if self.m.fits_kind(self.m.kinds[name].type, t) else t
        return Val(val.e, t)

    def all_of(self, domain: str) -> ir.Expr:
        """All members of a kind or an enum; of seats those at the table."""
        if domain == "Seat":
            return ir.RangeSet(ir.Const(1), ir.Cell(ir.Const(pg.SEATS), INT))
        return ir.Const(self.m.domain_mask(domain))

    def special(self, node: sx.Name, scope: Scope) -> Val | ZoneRef | None:
        m = self.m
        match node.id:
            case "true":
                return Val(ir.Const(1), BOOL)
            case "false":
                return Val(ir.Const(0), BOOL)
            case "none":
                return Val(ZERO, NONE)
            case "seats":
                t = SetType(m.kinds["Seat"].type)
                return Val(self.all_of("Seat"), t)
            case "this":
                if not scope.this:
                    m.error("RW0255", node.span, "`this` is the card whose text it is; no card here")
                    return BAD
                kind = next(k for k in m.kinds.values() if not k.parts and k.low <= scope.this <= k.high)
                return Val(ir.Const(scope.this), kind.type)
            case "owner":
                if "owner" in scope.special:  # in a line's block: as its event began
                    noted = scope.special["owner"]
                    return self.known(node, Val(noted.read, noted.type), scope)
                if not scope.this:
                    m.error(
                        "RW0255", node.span, "`owner` is the owner of a card; no card here", "name whose: `x.owner`"
                    )
                    return BAD
                owner = self.attr(sx.Attr(sx.Name("this", span=node.span), "owner", span=node.span), scope)
                return self.known(node, owner, scope) if isinstance(owner, Val) else owner
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
                    m.error("RW0257", node.span, f"`{word}` is known in {where} only")
                    return BAD
        return None

    def member(self, id: str, want: Type, span: Span) -> Val | None:
        """The member of the wanted type with this id (or alias), which stands at `span`."""
        if isinstance(want, SetType):
            return None
        if not isinstance(want, MemberType):
            return None
        for domain, value in self.m.members.get(id, ()):
            t = self.domain_type(domain)
            if self.m.fits_kind(t, want):
                self.m.meant[span] = (domain, value)
                return Val(ir.Const(value), t)
        return None

    def domain_type(self, name: str) -> MemberType:
        info = self.m.domains[name]
        return MemberType(name, info.values[0], info.values[-1])

    def member_val(self, domain: str, value: int) -> Val:
        return Val(ir.Const(value), self.domain_type(domain))

    # ------------------------------------------------------------ x.name

    def attr(self, node: sx.Attr, scope: Scope, want: Type | None = None) -> Val | ZoneRef:
        m = self.m
        id = flat_id(node)
        if id and scope.find(id.split(".")[0]) is None and id in m.members:
            found = m.members[id]
            if want and (member := self.member(id, want, node.span)):
                return member
            m.meant[node.span] = found[0]
            return self.member_val(*found[0])
        if isinstance(node.base, sx.Name) and (
            node.base.id in m.enums or node.base.id in m.kinds or node.base.id in m.options
        ):
            for domain, value in m.members.get(node.name, ()):
                if domain == node.base.id:
                    m.meant[node.span] = (domain, value)
                    return self.member_val(domain, value)
            if scope.find(node.base.id) is None and node.base.id in m.domains:
                m.unknown(
                    "RW0258", node.span, f"member of `{node.base.id}`", node.name, list(m.domains[node.base.id].ids)
                )
                return BAD
        base = self.expr(node.base, scope)
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
                f"test it before: `{m.text(node.base.span)} is not none and ...`",
            )
            return BAD
        found_one = self.of_thing(base, node.name, node.span)
        if found_one is None:
            kind = m.kinds[base.t.domain]
            names = [n for k in m.kind_parts(kind) for n in (*k.fields, *k.zones)]
            names += cp.CONSTANTS if any(k.copies for k in m.kind_parts(kind)) else ()
            names += [v.name for v in m.values.values() if len(v.params) == 1 and self.fits(base.t, v.params[0][1])]
            if not any(n in m.broken for n in (node.name, f"{kind.name}.{node.name}")):
                m.unknown("RW0260", node.span, f"field, zone or value of `{kind.name}`", node.name, names)
                m.broken.add(f"{kind.name}.{node.name}")
            return BAD
        return self.known(node, found_one, scope) if isinstance(found_one, Val) else found_one

    def of_thing(self, base: Val, name: str, span: Span) -> Val | ZoneRef | None:
        """A field, zone, table or one-parameter value of a thing."""
        m = self.m
        assert isinstance(base.t, MemberType)
        kind = m.kinds[base.t.domain]
        parts = m.kind_parts(kind)
        if kind.parts:
            if not all(name in p.fields for p in parts):
                value = m.values.get(name)
                if value and len(value.params) == 1:
                    return self.call_value(name, [base], span)
                return self.of_copies(kind, base.e, name)
            parts = sorted(parts, key=lambda part: part.low)
            vals = [self.field_val(p, p.fields[name], base.e, span) for p in parts]
            result = vals[-1]
            for val in vals[-2::-1]:
                result = Val(result.e, self.join(val.t, result.t) or val.t)
            if all(p.fields[name].const and p.fields[name].table >= 0 for p in parts):
                return Val(ir.TableGet(self.joined_table(parts, name), linear(-parts[0].low, [(base.e, 1)])), result.t)
            for part, val in list(zip(parts, vals, strict=True))[-2::-1]:
                result = Val(ir.If(ir.Compare("<=", base.e, ir.Const(part.high)), val.e, result.e), result.t)
            return result
        if name in kind.fields:
            return self.field_val(kind, kind.fields[name], base.e, span)
        if name in kind.zones:
            kind.zones[name].used = True
            m.uses.append((span, kind.zones[name].span))
            return ZoneRef(kind.zones[name], base.e, span=span)
        if name == "face" and kind.faces:
            e = ir.Cell(linear(self.lay.face_base[kind.name] - kind.low, [(base.e, 1)]), INT, f"{kind.name}.face")
            return Val(linear(1, [(e, 1)]), m.enums[f"{kind.name}.face"].type)
        value = m.values.get(name)
        if value and len(value.params) == 1 and self.fits(base.t, value.params[0][1]):
            return self.call_value(name, [base], span)
        return self.of_copies(kind, base.e, name)

    def joined_table(self, parts: list[KindSym], name: str) -> int:
        """The constants of a union as one table, made when it is asked for: those of the kinds one after the other."""
        m = self.m
        key = (tuple(part.name for part in parts), name)
        if key not in self.joined_tables:
            columns = [m.tables_data[part.fields[name].table] for part in parts]
            column = [next(c[0] for c in columns if c)] * (parts[-1].high - parts[0].low + 1)
            for part, values in zip(parts, columns, strict=True):
                column[part.low - parts[0].low : part.high - parts[0].low + 1] = values
            self.joined_tables[key] = len(m.tables_data)
            m.tables_data.append(tuple(column))
        return self.joined_tables[key]

    def of_copies(self, kind: KindSym, thing: ir.Expr, name: str) -> Val | None:
        """`copy` and `original`, which every thing has where its kind says nothing else; the tables are made when they
        are asked for."""
        m = self.m
        parts = m.kind_parts(kind)
        if name not in cp.CONSTANTS or any(name in k.fields or name in k.zones for k in parts):
            return None
        if not any(k.copies for k in parts):
            return Val(ONE, IntType(1, 1)) if name == "copy" else Val(thing, kind.type)
        if (kind.name, name) not in self.copy_tables:
            column = list(range(kind.low, kind.high + 1)) if name == "original" else [1] * (kind.high - kind.low + 1)
            for k in parts:
                for at in range(k.low, k.high + 1):
                    column[at - kind.low] = cp.number_in(k, at) if name == "copy" else cp.first_of(k, at)
            self.copy_tables[kind.name, name] = len(m.tables_data)
            m.tables_data.append(tuple(column))
        table = self.copy_tables[kind.name, name]
        t = IntType(1, max(m.tables_data[table])) if name == "copy" else kind.type
        return Val(ir.TableGet(table, linear(-kind.low, [(thing, 1)])), t)

    def field_val(self, kind: KindSym, f: FieldSym, thing: ir.Expr, span: Span) -> Val:
        f.used = True
        self.m.uses.append((span, f.span))
        if f.const:
            return Val(ir.TableGet(f.table, linear(-kind.low, [(thing, 1)])), f.type)
        w = width(f.type)
        return Val(ir.Cell(linear(f.base - kind.low * w, [(thing, w)]), f.type, f"{kind.name}.{f.name}"), f.type)

    def table_val(self, table: TableSym, args: list[Val], span: Span) -> Val:
        """`t[key]`."""
        m = self.m
        table.used = True
        if len(args) != len(table.keys):
            m.error("RW0250", span, f"the table `{table.name}` takes {len(table.keys)} keys, I read {len(args)}")
            return BAD
        args = [self.need(a, t, span) for a, t in zip(args, table.keys, strict=True)]
        if any(a.t == ERROR for a in args):
            return BAD
        if table.rows:
            return Val(ir.RangeTable(table.rows, args[0].e), table.value)
        return Val(ir.TableGet(table.table, key_offset(table.keys, [a.e for a in args])), table.value)


def element(t: Type) -> Type | None:
    """The type of the members of a collection."""
    match t:
        case SetType(elem) | ListType(elem, _):
            return elem
        case BoolType():
            return None
    return None
