"""Declared types and the shapes of the state: pieces, options, fields and zones.

The lower half of the collector: it turns type expressions into types and lines of kinds into symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl.base.span import NOWHERE, Span
from dsl.base.types import (
    BOOL,
    ERROR,
    INT,
    PLACE,
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    SetType,
    Type,
    bounds,
)
from dsl.ir import DomainInfo
from dsl.symbols.symbols import (
    FieldSym,
    KindSym,
    Model,
    OptionSym,
    PieceSym,
    ZoneSym,
)
from dsl.syntax import nodes as sx

RESERVED = {
    "this",
    "you",
    "owner",
    "cause",
    "amount",
    "so_far",
    "over",
    "none",
    "true",
    "false",
    "all",
    "seats",
    "int",
    "bool",
}


def clause(node: sx.Decl | sx.Sentence | sx.Loop | sx.Choose | sx.Case | sx.Fold, word: str) -> sx.Clause | None:
    """The first clause of that word, or None."""
    return next((c for c in node.clauses if c.word == word), None)


def has(node: sx.Decl | sx.Sentence | sx.Loop | sx.Choose | sx.Case | sx.Fold, word: str) -> bool:
    return clause(node, word) is not None


class Shapes:
    """`records(kind)` gives the ids of a data file's kind; `lines` are all declarations of the rules."""

    def __init__(
        self, model: Model, records: Callable[[KindSym], list[tuple[str, Span, list[str], int]]], max_seats: int
    ) -> None:
        self.m = model
        self.records = records
        self.max_seats = max_seats
        self.lines: list[sx.Line] = []

    def declare(self, d: sx.Decl, what: str) -> bool:
        """Enter a global name; False (and a message) when it is taken."""
        span = d.name_span if d.name_span != NOWHERE else d.span
        if d.name in RESERVED and (what, d.name) != ("value", "owner"):
            self.m.error("RW0203", span, f"`{d.name}` is a word of the language", f"give the {what} another name")
            return False
        if d.name in self.m.declared:
            from dsl.diagnostics.diagnostic import Label

            self.m.error(
                "RW0202",
                span,
                f"`{d.name}` is declared twice",
                "use another name, or remove one of the two",
                (Label(self.m.declared[d.name], "declared here"),),
            )
            return False
        self.m.declared[d.name] = span
        return True

    def cite(self, address: str, cites: tuple[str, ...]) -> None:
        self.m.cite_step(address, cites)

    # ------------------------------------------------------------ declared types

    def type_of(self, e: sx.Expr | None) -> Type:
        """The type that a type expression names."""
        m = self.m
        match e:
            case None:
                return ERROR
            case sx.Name("bool"):
                return BOOL
            case sx.Name("int"):
                return INT
            case sx.Name("place"):
                return PLACE
            case sx.Name(id):
                if id in m.kinds:
                    m.kinds[id].used = True
                    return m.kinds[id].type
                if id in m.enums:
                    return m.enums[id].type
                if id in m.pieces and len(m.pieces[id].index) == 1:
                    return m.pieces[id].index[0]
                if id not in m.broken:
                    m.unknown("RW0210", e.span, "type", id, ["bool", "int", *m.kinds, *m.enums])
                    m.broken.add(id)
                return ERROR
            case sx.RangeExpr(low, high):
                a, b = self.constant(low), self.constant(high)
                if a is None or b is None:
                    m.error(
                        "RW0213", e.span, "the bounds of a number are not constants", "write them as digits: `0..99`"
                    )
                    return ERROR
                if a > b:
                    m.error("RW0214", e.span, f"the range {a}..{b} is empty", f"did you mean `{b}..{a}`?")
                    return ERROR
                return IntType(a, b)
            case sx.TypeExpr("or none", (inner,)):
                t = self.type_of(inner)
                if isinstance(t, MemberType):
                    return MemberType(t.domain, t.low, t.high, True)
                if t != ERROR:
                    m.error(
                        "RW0215", e.span, f"`{t} or none` is not a type", "only a member of a kind or enum can be none"
                    )
                return ERROR
            case sx.TypeExpr("set", (inner,)):
                t = self.type_of(inner)
                if isinstance(t, (MemberType, IntType, BoolType)):
                    return SetType(t)
                if t != ERROR:
                    m.error("RW0216", e.span, f"a set of `{t}` does not exist", "sets hold members or small numbers")
                return ERROR
            case sx.TypeExpr("list", (inner,)):
                t = self.type_of(inner)
                if t == ERROR:
                    return ERROR
                return ListType(t, self.population(t))
            case sx.TypeExpr("count", args):
                keys = self.key_types(args)
                return ERROR if ERROR in keys else MapType(keys, IntType(0, 999_999))
        m.error(
            "RW0217",
            e.span,
            f"`{m.text(e.span)}` is not a type",
            "types: bool, 0..9, an enum, a kind, `set of T`, `list of T`",
        )
        return ERROR

    def key_types(self, args: tuple[sx.Expr, ...]) -> tuple[Type, ...]:
        """Types of keys: members, truth values or bounded numbers."""
        keys: list[Type] = []
        for a in args:
            t = self.type_of(a)
            if t != ERROR and (not isinstance(t, (MemberType, BoolType, IntType)) or t == INT):
                self.m.error(
                    "RW0218",
                    a.span,
                    f"`{t}` can not be a key",
                    "keys are members of an enum or kind, or numbers with bounds",
                )
                t = ERROR
            keys.append(t)
        return tuple(keys)

    def population(self, t: Type) -> int:
        """The most items that a list of `t` can have."""
        if isinstance(t, MemberType) and t.domain in self.m.domains:
            return len(self.m.domains[t.domain].values)
        if isinstance(t, SetType):
            return self.population(t.elem)
        low, high = bounds(t)
        return min(high - low + 1, 64)

    @staticmethod
    def constant(e: sx.Expr) -> int | None:
        match e:
            case sx.Num(n):
                return n
            case sx.Unary("-", sx.Num(n)):
                return -n
        return None

    # ------------------------------------------------------------ pieces, options, fields, zones

    def shapes(self) -> None:
        m = self.m
        for line in self.lines:
            if isinstance(line, sx.Decl) and line.word == "piece" and self.declare(line, "piece"):
                self.piece(line)
        for line in self.lines:
            if not isinstance(line, sx.Decl):
                continue
            if line.word == "option" and self.declare(line, "option"):
                self.option(line)
            elif line.word == "zone" and self.declare(line, "zone"):
                zone = self.zone(line, None)
                if zone:
                    m.zones[line.name] = zone
            elif line.word == "field" and self.declare(line, "field"):
                m.fields[line.name] = self.field(line, None)
        for kind in list(m.kinds.values()):
            for d in kind.decls:
                for inner in d.block:
                    self.kind_line(kind, inner)
            self.builtin_fields(kind)
        for p in m.pieces.values():
            if p.each is not None and p.supply is None:
                p.supply = f"{p.name}_box"
                m.zones[p.supply] = ZoneSym(p.supply, None, p.span, p, used=True)
            if p.supply and p.supply not in m.zones:
                m.unknown("RW0220", p.span, "zone", p.supply, list(m.zones))
                p.supply = None

    def builtin_fields(self, kind: KindSym) -> None:
        """`owner` of a `per` kind, and the way from the owner to its things."""
        m = self.m
        if not kind.per or kind.per not in m.kinds:
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
            parent.fields[low] = FieldSym(
                low, parent, kind.type, kind.span, True, table=len(m.tables_data), builtin=True
            )
            m.tables_data.append(tuple(range(kind.low, kind.high + 1)))

    def kind_line(self, kind: KindSym, line: sx.Line) -> None:
        m = self.m
        if isinstance(line, sx.Section) and line.word == "effect":
            kind.effect_params = line.params
            return
        if isinstance(line, sx.Decl) and line.word == "strip":
            kind.strips[line.name] = line.span
            return
        if not isinstance(line, sx.Decl) or line.word not in ("const", "field", "zone", "value"):
            m.error(
                "RW0221",
                line.span,
                f"this does not belong into a kind: `{m.text(line.span)[:40]}`",
                "a kind holds `const`, `field`, `zone`, `strip` and `effect(...)` lines",
            )
            return
        if line.name in kind.fields or line.name in kind.zones:
            m.error("RW0202", line.name_span, f"`{kind.name}.{line.name}` is declared twice")
            return
        if line.word == "zone":
            zone = self.zone(line, kind)
            if zone:
                kind.zones[line.name] = zone
        else:
            kind.fields[line.name] = self.field(line, kind)

    def audience(self, d: sx.Decl) -> tuple[str, sx.Expr | None]:
        c = clause(d, "seen by")
        if c is None:
            return "all", None
        match c.args[0]:
            case sx.Name("all" | "owner" | "nobody" as who):
                return who, None
            case other:
                assert not isinstance(other, sx.Key)
                return "nobody", other  # until the value is known

    def field(self, d: sx.Decl, owner: KindSym | None) -> FieldSym:
        t = self.type_of(d.type)
        if d.word == "field" and isinstance(t, IntType) and t == INT:
            self.m.error("RW0222", d.span, f"the field `{d.name}` needs bounds", "write its range, for example `0..99`")
        by = clause(d, "by")
        if by is not None and t != ERROR:
            keys = tuple(self.type_of(a) for a in by.args if not isinstance(a, sx.Key))
            if all(isinstance(k, (MemberType, IntType)) and k != INT for k in keys):
                t = MapType(keys, t)
            elif ERROR not in keys:
                self.m.error(
                    "RW0217",
                    by.span,
                    "a field can not be kept by this",
                    "keys are members of a kind or enum, or small numbers",
                )
                t = ERROR
        audience, seen_by = self.audience(d)
        return FieldSym(d.name, owner, t, d.name_span, d.word == "const", audience=audience, seen_by=seen_by)

    def zone(self, d: sx.Decl, owner: KindSym | None) -> ZoneSym | None:
        m = self.m
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
            m.broken.add(d.name)
            return None
        for c in d.clauses:
            if c.word == "max":
                arg = c.args[0]
                cap = self.constant(arg) if not isinstance(arg, sx.Key) else None
                if cap is None or cap < 1:
                    m.error("RW0224", c.span, "`max` takes a number from 1 on")
                else:
                    zone.cap = cap
            elif c.word == "ordered":
                zone.ordered = True
                if zone.piece:
                    m.error("RW0225", c.span, "counted pieces have no order", "only zones of a kind can be `ordered`")
        zone.audience, zone.seen_by = self.audience(d)
        if zone.audience == "owner" and owner is None:
            m.error(
                "RW0226", d.span, f"the zone `{d.name}` belongs to nobody", "`seen by owner` is for zones inside a kind"
            )
        return zone

    def piece(self, d: sx.Decl) -> None:
        m = self.m
        sym = m.pieces[d.name] = PieceSym(d.name, d.name_span)
        for c in d.clauses:
            if c.word == "by":
                types = [self.type_of(a) for a in c.args if not isinstance(a, sx.Key)]
                sym.index = tuple(t for t in types if isinstance(t, MemberType))
                for arg, t in zip(c.args, types, strict=False):
                    if t != ERROR and not isinstance(t, MemberType):
                        help = "the sorts of a piece are the members of an enum or kind"
                        m.error("RW0218", arg.span, f"`{t}` can not be a key of pieces", help)
            elif c.word == "each":
                arg = c.args[0]
                sym.each = self.constant(arg) if not isinstance(arg, sx.Key) else None
                if sym.each is None or not 0 <= sym.each <= 999_999:
                    m.error("RW0227", c.span, "`each` takes a number from 0 to 999999")
                    sym.each = 0
            elif c.word == "from" and isinstance(c.args[0], sx.Name):
                sym.supply = c.args[0].id
            elif c.word == "faces":
                sym.faces = tuple(a.id for a in c.args if isinstance(a, sx.Name))

    def option(self, d: sx.Decl) -> None:
        m = self.m
        names = [i.id for i in d.items if isinstance(i, sx.Name)]
        t: Type
        if d.type is not None or names == ["bool"]:
            t = BOOL
            names = ["false", "true"]
            default = names.index(d.value.id) if isinstance(d.value, sx.Name) and d.value.id in names else 0
        elif numbers := self.number_answers(d.items):
            t = IntType(min(numbers), max(numbers))
            m.domains[d.name] = DomainInfo(d.name, "numbers", tuple(numbers), tuple(map(str, numbers)))
            default = numbers[0]
            if d.value is not None:
                said = self.constant(d.value)
                if said is None or said not in numbers:
                    known = [str(n) for n in numbers]
                    m.unknown("RW0228", d.value.span, "answer of this option", m.text(d.value.span), known)
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
                    m.unknown("RW0228", d.value.span, "answer of this option", d.value.id, names)
        m.options[d.name] = OptionSym(d.name, d.name_span, t, default)

    def number_answers(self, items: Sequence[sx.Expr]) -> list[int]:
        """The answers of an option that is a number, written as a range or one by one; none for another option."""
        found: list[int] = []
        for item in items:
            n = self.constant(item)
            if n is not None:
                found.append(n)
            elif isinstance(item, sx.RangeExpr) and isinstance(t := self.type_of(item), IntType):
                found += range(t.low, t.high + 1)
        return sorted(set(found))
