"""Declared types: what a type expression names.

Takes the model, which knows kinds and enums, and an expression; gives the type. `declare` enters global names.
"""

from __future__ import annotations

from dsl.base.span import NOWHERE
from dsl.base.types import (
    BOOL,
    ERROR,
    INT,
    MOST_IN_SET,
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
from dsl.diagnostics.diagnostic import Label
from dsl.symbols.symbols import KindSym, Model
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


def has_clause(node: sx.Decl | sx.Sentence | sx.Loop | sx.Choose | sx.Case | sx.Fold, word: str) -> bool:
    return clause(node, word) is not None


def runs_strip(node: sx.Sentence | sx.Section) -> bool:
    """Whether a sentence is `do CARD.STRIP`."""
    match node:
        case sx.Sentence(word="do", operands=(sx.Attr(name=name), *_)):
            return name != "effect"
    return False


def declare(m: Model, d: sx.Decl, what: str) -> bool:
    """Enter a global name; False (and a message) when it is taken."""
    span = d.name_span if d.name_span != NOWHERE else d.span
    if d.name in RESERVED and (what, d.name) != ("value", "owner"):
        m.error("RW0203", span, f"`{d.name}` is a word of the language", f"give the {what} another name")
        return False
    if d.name in m.declared:
        m.error(
            "RW0202",
            span,
            f"`{d.name}` is declared twice",
            "use another name, or remove one of the two",
            (Label(m.declared[d.name], "declared here"),),
        )
        m.lose(d)
        return False
    m.declared[d.name] = span
    return True


def kind_of_thing(m: Model, thing: int) -> KindSym:
    """The plain kind of a thing."""
    return next(k for k in m.kinds.values() if not k.parts and k.low <= thing <= k.high)


# ------------------------------------------------------------ declared types


def type_of(m: Model, e: sx.Expr | None) -> Type:
    """The type that a type expression names."""
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
            a, b = constant(low), constant(high)
            if a is None or b is None:
                m.error("RW0213", e.span, "the bounds of a number are not constants", "write them as digits: `0..99`")
                return ERROR
            if a > b:
                m.error("RW0214", e.span, f"the range {a}..{b} is empty", f"did you mean `{b}..{a}`?")
                return ERROR
            return IntType(a, b)
        case sx.TypeExpr("or none", (inner,)):
            t = type_of(m, inner)
            if isinstance(t, MemberType):
                return MemberType(t.domain, t.low, t.high, True)
            if t != ERROR:
                m.error("RW0215", e.span, f"`{t} or none` is not a type", "only a member of a kind or enum can be none")
            return ERROR
        case sx.TypeExpr("set", (inner,)):
            t = type_of(m, inner)
            if isinstance(t, IntType) and t != INT and not 0 <= t.low <= t.high <= MOST_IN_SET:
                m.error("RW0216", e.span, f"a set of `{t}` does not exist", f"its numbers are from 0 to {MOST_IN_SET}")
                return ERROR
            if isinstance(t, (MemberType, IntType, BoolType)):
                return SetType(t)
            if t != ERROR:
                m.error("RW0216", e.span, f"a set of `{t}` does not exist", "sets hold members or small numbers")
            return ERROR
        case sx.TypeExpr("list", (inner,)):
            t = type_of(m, inner)
            if t == ERROR:
                return ERROR
            return ListType(t, population(m, t))
        case sx.TypeExpr("count", args):
            keys = key_types(m, args)
            return ERROR if ERROR in keys else MapType(keys, IntType(0, 999_999))
    m.error(
        "RW0217",
        e.span,
        f"`{m.text(e.span)}` is not a type",
        "types: bool, 0..9, an enum, a kind, `set of T`, `list of T`",
    )
    return ERROR


def key_types(m: Model, args: tuple[sx.Expr, ...]) -> tuple[Type, ...]:
    """Types of keys: members, truth values or bounded numbers."""
    keys: list[Type] = []
    for a in args:
        t = type_of(m, a)
        if t != ERROR and (not isinstance(t, (MemberType, BoolType, IntType)) or t == INT):
            m.error(
                "RW0218",
                a.span,
                f"`{t}` cannot be a key",
                "keys are members of an enum or kind, or numbers with bounds",
            )
            t = ERROR
        keys.append(t)
    return tuple(keys)


def population(m: Model, t: Type) -> int:
    """The most items that a list of `t` can have."""
    if isinstance(t, MemberType) and t.domain in m.domains:
        return len(m.domains[t.domain].values)
    if isinstance(t, SetType):
        return population(m, t.elem)
    low, high = bounds(t)
    return min(high - low + 1, 64)


def constant(e: sx.Expr) -> int | None:
    match e:
        case sx.Num(n):
            return n
        case sx.Unary("-", sx.Num(n)):
            return -n
    return None
