"""The shapes of the state: pieces, options, fields and zones, and the lines of kinds.

Takes the declarations of the rules and a model that knows kinds and enums; adds the symbols to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.base.span import NOWHERE
from dsl.base.types import BOOL, ERROR, INT, IntType, MapType, MemberType, SetType, Type
from dsl.diagnostics.diagnostic import Fix, Label
from dsl.ir import DomainInfo
from dsl.symbols.products import constants_of
from dsl.symbols.symbols import FieldSym, KindSym, Model, OptionSym, PieceSym, ZoneSym, flat_id
from dsl.symbols.types import clause, constant, declare, type_of
from dsl.syntax import nodes as sx


def declare_shapes(m: Model, lines: Sequence[sx.Line]) -> None:
    for line in lines:
        if isinstance(line, sx.Decl) and line.word == "piece" and declare(m, line, "piece"):
            piece_symbol(m, line)
    for line in lines:
        if not isinstance(line, sx.Decl):
            continue
        if line.word == "option" and declare(m, line, "option"):
            option_symbol(m, line)
        elif line.word == "zone" and declare(m, line, "zone"):
            zone = zone_symbol(m, line, None)
            if zone:
                m.zones[line.name] = zone
        elif line.word == "field" and declare(m, line, "field"):
            m.fields[line.name] = field_symbol(m, line, None)
        elif line.word in ("const", "strip", "errata", "variant"):
            report_stray(m, line)
    for kind in list(m.kinds.values()):
        for d in kind.decls:
            for inner in d.block:
                kind_line(m, kind, inner)
        builtin_fields(m, kind)
    check_given(m)
    for p in m.pieces.values():
        if p.each is not None and p.supply is None:
            p.supply = f"{p.name}_box"
            m.zones[p.supply] = ZoneSym(p.supply, None, p.span, p, used=True)
        if p.supply:
            find_home(m, p, p.supply)


def check_given(m: Model) -> None:
    """Report two given fields of one name: a fact that is handed on would belong to both."""
    first: dict[str, FieldSym] = {}
    for f in m.all_fields():
        if f.given and f.name in first:
            other = first[f.name]
            whose = f"of `{other.owner.name}`" if other.owner else "of the whole game"
            message = f"two given fields are called `{f.name}`, the other one {whose}"
            m.error("RW0249", f.span, message, "give one another name", (Label(other.span, "the first one"),))
        elif f.given:
            first[f.name] = f


def report_stray(m: Model, d: sx.Decl) -> None:
    """Report a declaration that stands among those of a ruleset and would say nothing there."""
    fix: Fix | None = None
    if d.word == "const":
        shown = d.value or (d.type if is_number(d.type) else None)
        value = m.text(shown.span) if shown is not None else "..."
        given = None if d.type is None or is_number(d.type) else m.text(d.type.span)
        mended = f"value {d.name}: {given or type_of_constant(m, d.value)} = {value}"
        what, help = f"`{d.name}` is a constant of no kind", f"write `{mended}`"
        fix = Fix(d.span, mended) if "..." not in mended else None
    elif d.word == "strip":
        what, help = f"the strip `{d.name}` belongs to no kind", "put it below the kind of its cards, indented"
    else:
        what = f"`{d.word}` stands among the rules themselves"
        help = f"put it into a file of its own, `{d.name}.{d.word}`, which is laid over the rules"
    m.error("RW0246", d.name_span if d.name_span != NOWHERE else d.span, what, help, fix=fix)
    m.lose(d)


def is_number(e: sx.Expr | None) -> bool:
    return e is not None and constant(e) is not None


def type_of_constant(m: Model, value: sx.Expr | None) -> str:
    """The type that a constant would have, by how it is written."""
    match value:
        case sx.Name("true" | "false"):
            return "bool"
        case sx.Name(id) if id in m.members:
            return m.members[id][0][0]
        case sx.SetLit((sx.Name(id), *_)) if id in m.members:
            return f"set of {m.members[id][0][0]}"
    return "int"


def find_home(m: Model, p: PieceSym, name: str) -> None:
    """Find the zone that a piece names as its supply, and whose it is."""
    kind = m.kinds.get(name.partition(".")[0])
    p.home = m.zones.get(name) if kind is None else kind.zones.get(name.partition(".")[2])
    if p.home is None:
        p.supply = None
        m.unknown("RW0220", p.span, "zone", name, [z.symbol for z in m.all_zones()])
    elif p.home.owner is not None:
        owner = p.home.owner
        p.home_index = next((i for i, t in enumerate(p.index) if m.fits_kind(t, owner.type)), -1)
        if p.home_index < 0:
            help = f"write `piece {p.name} by {owner.name} ...`, or let the supply be a zone of the whole game"
            m.error("RW0229", p.span, f"whose `{name}` is the supply of a sort of `{p.name}`?", help)
            p.supply, p.home = None, None


def builtin_fields(m: Model, kind: KindSym) -> None:
    """`owner` of a `per` kind, and the way from the owner to its things; what each thing of `by E, F` is made of."""
    constants_of(m, kind)
    if not kind.per or kind.per not in m.kinds or kind.count_per < 1:  # none: that was reported
        return
    parent = m.kinds[kind.per]
    n = kind.count_per
    owners = tuple(parent.low + i // n for i in range(len(kind.ids)))
    if "owner" not in kind.fields:
        kind.fields["owner"] = FieldSym(
            "owner", kind, parent.type, kind.span, True, table=len(m.tables_data), builtin=True
        )
        m.tables_data.append(owners)
    low = kind.name[0].lower() + kind.name[1:]
    if n == 1 and low not in parent.fields:
        parent.fields[low] = FieldSym(low, parent, kind.type, kind.span, True, table=len(m.tables_data), builtin=True)
        m.tables_data.append(tuple(range(kind.low, kind.high + 1)))


def kind_line(m: Model, kind: KindSym, line: sx.Line) -> None:
    """A line below a kind. What stands below a union is declared for each of its members: a field or zone once for all
    of them, a constant for each kind by itself, as each kind has its own data."""
    parts = m.kind_parts(kind)
    if isinstance(line, sx.Section) and line.word == "effect":
        for part in parts:
            part.effect_params = line.params
        return
    if isinstance(line, sx.Decl) and line.word == "strip":
        for part in parts:
            part.strips[line.name] = line.span
        return
    if not isinstance(line, sx.Decl) or line.word not in ("const", "field", "zone", "value"):
        m.error(
            "RW0221",
            line.span,
            f"this does not belong in a kind: `{m.text(line.span)[:40]}`",
            "a kind holds `const`, `field`, `zone`, `strip` and `effect(...)` lines",
        )
        return
    sharing = list({k.name: k for k in (kind, *parts)}.values())
    there = next((k for k in sharing if line.name in k.fields or line.name in k.zones), None)
    if there is not None:
        first: FieldSym | ZoneSym = there.fields.get(line.name) or there.zones[line.name]
        shared = next((k for k in (first.owner, kind) if k is not None and k.parts), None)
        help = f"what stands below `{shared.name}` is declared for all of its members" if shared else None
        m.error("RW0202", line.name_span, f"`{there.name}.{line.name}` is declared twice", help)
    elif line.word == "zone":
        zone = zone_symbol(m, line, kind)
        if zone:
            for k in sharing:
                k.zones[line.name] = zone
    elif line.word == "const":
        for part in parts:
            part.fields[line.name] = field_symbol(m, line, part, kind.name)
    else:
        field = field_symbol(m, line, kind, kind.name)
        for k in sharing:
            k.fields[line.name] = field


def audience_of(d: sx.Decl, word: str = "seen by", otherwise: str = "all") -> tuple[str, sx.Expr | None]:
    """Who sees what is declared, and the value that says so, if one does; `otherwise` without the clause."""
    c = clause(d, word)
    if c is None:
        return otherwise, None
    match c.args[0]:
        case sx.Name("all" | "owner" | "nobody" as who):
            return who, None
        case other:
            assert not isinstance(other, sx.Key)
            return "nobody", other  # until the value is known


def field_symbol(m: Model, d: sx.Decl, owner: KindSym | None, below: str = "") -> FieldSym:
    t = type_of(m, d.type)
    if d.word == "field" and t == SetType(INT):
        m.error("RW0222", d.span, f"the numbers of `{d.name}` need bounds", "write their range: `set of (0..99)`")
        t = ERROR
    if d.word == "field" and isinstance(t, IntType) and t == INT:
        m.error("RW0222", d.span, f"the field `{d.name}` needs bounds", "write its range, for example `0..99`")
    by = clause(d, "by")
    if by is not None and t != ERROR:
        keys = tuple(type_of(m, a) for a in by.args if not isinstance(a, sx.Key))
        if all(isinstance(k, (MemberType, IntType)) and k != INT for k in keys):
            t = MapType(keys, t)
        else:
            if ERROR not in keys:
                m.error(
                    "RW0217",
                    by.span,
                    "a field cannot be indexed by this",
                    "keys are members of a kind or enum, or small numbers",
                )
            t = ERROR
    if t == ERROR:
        m.lose(d)
    audience, seen_by = audience_of(d)
    found = FieldSym(d.name, owner, t, d.name_span, d.word == "const", audience=audience, seen_by=seen_by)
    found.below, found.start, found.back = below, d.value, clause(d, "on back") is not None
    found.given = clause(d, "given") is not None
    return found


def zone_symbol(m: Model, d: sx.Decl, owner: KindSym | None) -> ZoneSym | None:
    zone = ZoneSym(d.name, owner, d.name_span)
    name = d.type.id if isinstance(d.type, sx.Name) else ""
    if name in m.pieces:
        zone.piece = m.pieces[name]
    elif name in m.kinds:
        zone.kind = m.kinds[name]
        zone.kind.used = True
    else:
        span = d.type.span if d.type else d.span
        if name not in m.broken:
            m.unknown("RW0223", span, "piece or kind", name or m.text(span), [*m.pieces, *m.kinds])
        m.lose(d)
        return None
    for c in d.clauses:
        if c.word == "max":
            arg = c.args[0]
            cap = constant(arg) if not isinstance(arg, sx.Key) else None
            if cap is None or cap < 1:
                m.error("RW0224", c.span, "`max` takes a number from 1 on")
            else:
                zone.cap = cap
        elif c.word == "ordered":
            zone.ordered = True
            if zone.piece:
                m.error("RW0225", c.span, "counted pieces have no order", "only zones of a kind can be `ordered`")
        elif c.word == "by":
            zone.key = zone_key(m, c)
            if zone.key is None:
                m.lose(d)
                return None
    zone.audience, zone.seen_by = audience_of(d)
    zone.top, zone.top_seen_by = audience_of(d, "top seen by", "")
    if "owner" in (zone.audience, zone.top) and owner is None:
        m.error(
            "RW0226", d.span, f"the zone `{d.name}` belongs to nobody", "`seen by owner` is for zones inside a kind"
        )
    check_top(m, d, zone)
    return zone


def check_top(m: Model, d: sx.Decl, zone: ZoneSym) -> None:
    """Report `top seen by` of a zone that has no top, or whose top is seen as all of it is."""
    c = clause(d, "top seen by")
    if c is None:
        return
    if zone.kind is None or not zone.ordered or zone.cap == 1:
        what = "has no order, so no top" if zone.cap != 1 else "holds one thing"
        m.error("RW0237", c.span, f"`{d.name}` {what}", "`top seen by` is for an `ordered` zone of things")
    elif zone.top_seen_by is None and zone.top in ("nobody", zone.audience) or zone.audience == "all":
        help = "say who sees what lies below the top: `seen by nobody top seen by all`"
        m.error("RW0237", c.span, f"the top of `{d.name}` is seen by no more than the rest of it", help)


def zone_key(m: Model, by: sx.Clause) -> MemberType | IntType | None:
    """What a zone is `by`: the members of one enum or kind, or small numbers; None after a message."""
    found = [type_of(m, a) for a in by.args if not isinstance(a, sx.Key)]
    if ERROR in found:
        return None
    if len(found) == 1 and isinstance(found[0], (MemberType, IntType)) and found[0] != INT:
        if not isinstance(found[0], MemberType) or not found[0].optional:
            return found[0]
    help = "there is a zone for each member of one kind or enum, or for each number of a range such as `1..3`"
    m.error("RW0217", by.span, "there cannot be a zone for each of this", help)
    return None


def piece_symbol(m: Model, d: sx.Decl) -> None:
    sym = m.pieces[d.name] = PieceSym(d.name, d.name_span)
    for c in d.clauses:
        if c.word == "by":
            types = [type_of(m, a) for a in c.args if not isinstance(a, sx.Key)]
            sym.index = tuple(t for t in types if isinstance(t, MemberType))
            for arg, t in zip(c.args, types, strict=False):
                if t != ERROR and not isinstance(t, MemberType):
                    help = "the sorts of a piece are the members of an enum or kind"
                    m.error("RW0218", arg.span, f"`{t}` cannot be a key of pieces", help)
        elif c.word == "each":
            arg = c.args[0]
            if isinstance(arg, sx.Name):
                sym.each, sym.each_of, sym.each_span = 0, arg.id, arg.span  # the numbers of a table are read later
                continue
            sym.each = constant(arg) if not isinstance(arg, sx.Key) else None
            if sym.each is None or not 0 <= sym.each <= 999_999:
                m.error("RW0227", c.span, "`each` takes a number from 0 to 999999")
                sym.each = 0
        elif c.word == "from" and not isinstance(c.args[0], sx.Key):
            sym.supply = flat_id(c.args[0]) or m.text(c.args[0].span)
        elif c.word == "faces":
            sym.faces = tuple(a.id for a in c.args if isinstance(a, sx.Name))
    begins = clause(d, "from")
    if begins is not None and sym.supply and clause(d, "each") is None:
        m.error(
            "RW0227",
            begins.span,
            f"`{d.name}` begins in `{sym.supply}`, but nothing says how many there are",
            f"write `piece {d.name} ... each N from {sym.supply}`; without `from` the supply never runs out",
        )


def option_symbol(m: Model, d: sx.Decl) -> None:
    names = [i.id for i in d.items if isinstance(i, sx.Name)]
    t: Type
    if d.type is not None or names == ["bool"]:
        t = BOOL
        names = ["false", "true"]
        default = names.index(d.value.id) if isinstance(d.value, sx.Name) and d.value.id in names else 0
    elif numbers := number_answers(m, d.items):
        t = IntType(min(numbers), max(numbers))
        m.domains[d.name] = DomainInfo(d.name, "numbers", tuple(numbers), tuple(map(str, numbers)))
        default = numbers[0]
        if d.value is not None:
            said = constant(d.value)
            if said is None or said not in numbers:
                known = [str(n) for n in numbers]
                m.unknown("RW0228", d.value.span, "value of this option", m.text(d.value.span), known)
            else:
                default = said
    else:
        t = MemberType(d.name, 1, len(names))
        m.domains[d.name] = DomainInfo(d.name, "enum", tuple(range(1, len(names) + 1)), tuple(names))
        for v, n in enumerate(names, 1):
            m.members.setdefault(n, []).append((d.name, v))
        default = 1
        if isinstance(d.value, sx.Name):
            if d.value.id in names:
                default = names.index(d.value.id) + 1
            else:
                m.unknown("RW0228", d.value.span, "value of this option", d.value.id, names)
    m.options[d.name] = OptionSym(d.name, d.name_span, t, default)


def number_answers(m: Model, items: Sequence[sx.Expr]) -> list[int]:
    """The answers of an option that is a number, written as a range or one by one; none for another option."""
    found: list[int] = []
    for item in items:
        n = constant(item)
        if n is not None:
            found.append(n)
        elif isinstance(item, sx.RangeExpr) and isinstance(t := type_of(m, item), IntType):
            found += range(t.low, t.high + 1)
    return sorted(set(found))
