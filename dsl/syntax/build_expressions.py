"""The part of the tree inside a line: expressions, clauses, binders and lists, from the parser's reductions.

One function for each production of the grammar; it takes the state of the build and the list of its parts (tokens and
nodes) and gives a node. What the grammar leaves open is checked in `dsl.syntax.form`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dsl.base.span import Span
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.syntax.form import Form, old_test
from dsl.syntax.lexer import Token
from dsl.syntax.nodes import (
    Amount,
    AnyOf,
    Arg,
    Attr,
    Binary,
    Binder,
    Bool,
    Call,
    Clause,
    Compare,
    Cond,
    Expr,
    Fold,
    Index,
    Key,
    Name,
    Num,
    RangeExpr,
    SetLit,
    StripExpr,
    Text,
    TypeExpr,
    Unary,
)

Parts = list[Any]  # the parts of a reduced rule: tokens, nodes and lists of nodes


def start_of(part: Any) -> int:
    return part.start if type(part) is Token else part.span.start


def end_of(part: Any) -> int:
    return part.end if type(part) is Token else part.span.end


class Build:
    """The state of one build, for all callbacks: the file's name, the checks of form, the citations of logical lines
    by their starts, the names of declarations whose block could not be read, and by the starts of `case` lines what
    they name, with the messages that it is no name of a case: under `depending on` it need not be."""

    def __init__(self, file: str, cites: dict[int, tuple[str, ...]]) -> None:
        self.file = file
        self.cites = cites
        self.form = Form(file)
        self.unknown: set[str] = set()
        self.cases: dict[int, tuple[Sequence[Expr], Sequence[Diagnostic]]] = {}

    def span(self, first: Any, last: Any) -> Span:
        return Span(self.file, start_of(first), end_of(last))


# ---------------------------------------------------------------- lists


def none(build: Build, s: Parts) -> Parts:
    return []


def one(build: Build, s: Parts) -> Parts:
    return [s[0]]


def more(build: Build, s: Parts) -> Parts:
    s[0].append(s[1])
    return s[0]  # type: ignore[no-any-return]


def more_after_comma(build: Build, s: Parts) -> Parts:
    s[0].append(s[2])
    return s[0]  # type: ignore[no-any-return]


# ---------------------------------------------------------------- expressions


def name(build: Build, s: Parts) -> Expr:
    token = s[0]
    return Name(token.value, span=Span(build.file, token.start, token.end))


def num(build: Build, s: Parts) -> Expr:
    token = s[0]
    return Num(int(token.value), span=Span(build.file, token.start, token.end))


def text(build: Build, s: Parts) -> Expr:
    value = s[0].value[1:-1]
    if "\\" in value:
        value = value.replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\")
    return Text(value, span=build.span(s[0], s[0]))


def any_of(build: Build, s: Parts) -> Expr:
    return AnyOf(s[1].value, span=build.span(s[0], s[1]))


def paren(build: Build, s: Parts) -> Expr:
    return replace(s[1], span=build.span(s[0], s[2]))  # type: ignore[no-any-return]


def attr(build: Build, s: Parts) -> Expr:
    return Attr(s[0], s[2].value, span=build.span(s[0], s[2]))


def index(build: Build, s: Parts) -> Expr:
    return Index(s[0], tuple(s[2]), span=build.span(s[0], s[3]))


def call(build: Build, s: Parts) -> Expr:
    return Call(s[0], joined_args(s[2]), span=build.span(s[0], s[3]))


def call_empty(build: Build, s: Parts) -> Expr:
    return Call(s[0], (), span=build.span(s[0], s[2]))


def arg(build: Build, s: Parts) -> Arg:
    return Arg(s[0], span=s[0].span)


def arg_typed(build: Build, s: Parts) -> Arg:
    if not isinstance(s[0], Name):
        build.form.report("RW0123", s[0].span, "only a name can have a type behind a `:`")
    return Arg(s[0], s[2], span=build.span(s[0], s[2]))


def set_empty(build: Build, s: Parts) -> Expr:
    return SetLit((), span=build.span(s[0], s[1]))


def set_of(build: Build, s: Parts) -> Expr:
    return SetLit(tuple(s[1]), span=build.span(s[0], s[2]))


def fold(build: Build, s: Parts) -> Expr:
    body = s[5] if len(s) == 7 else None
    span = build.span(s[0], s[-1])
    build.form.fold(s[0].value, s[3], span)
    return Fold(s[0].value, tuple(s[2]), tuple(s[3]), body, span=span)


def possible(build: Build, s: Parts) -> Expr:
    build.form.fold("possible", s[3], s[2].span)
    return Fold("possible", (), tuple(s[3]), s[2], span=build.span(s[0], s[4]))


def unary(build: Build, s: Parts) -> Expr:
    return Unary(s[0].value, s[1], span=build.span(s[0], s[1]))


def binary(build: Build, s: Parts) -> Expr:
    return Binary(s[1].value, s[0], s[2], span=build.span(s[0], s[2]))


def emptiness(build: Build, s: Parts) -> Expr:
    """`no S` and `some S`: the comparison of a set, a list or a zone with the empty set."""
    span = build.span(s[0], s[1])
    return Compare("is" if s[0].value == "no" else "is not", s[1], SetLit((), span=s[1].span), span=span)


def compare(build: Build, s: Parts) -> Expr:
    if s[2] == SetLit(()) and s[1].value in ("is", "is not"):
        build.form.found.append(old_test(build.span(s[0], s[2]), s[1].value))
    return Compare(s[1].value, s[0], s[2], span=build.span(s[0], s[2]))


def range_of(build: Build, s: Parts) -> Expr:
    return RangeExpr(s[0], s[2], span=build.span(s[0], s[2]))


def bool_or(build: Build, s: Parts) -> Expr:
    if isinstance(s[2], Name) and s[2].id == "none":
        return TypeExpr("or none", (s[0],), span=build.span(s[0], s[2]))
    return joined_bool(build, "or", s)


def bool_and(build: Build, s: Parts) -> Expr:
    return joined_bool(build, "and", s)


def joined_bool(build: Build, op: str, s: Parts) -> Expr:
    left: Expr = s[0]
    # Brackets keep their own node: `(a or b) or c` begins before its first item.
    flat = isinstance(left, Bool) and left.op == op and left.span.start == left.items[0].span.start
    items = (*left.items, s[2]) if flat and isinstance(left, Bool) else (left, s[2])
    return Bool(op, items, span=build.span(s[0], s[2]))


def cond(build: Build, s: Parts) -> Expr:
    return Cond(s[0], s[2], s[4], span=build.span(s[0], s[4]))


def type_of(build: Build, s: Parts) -> Expr:
    word = s[0].value.split()[0]
    return TypeExpr(word, (s[1],), span=build.span(s[0], s[1]))


def round_table(build: Build, s: Parts) -> Expr:
    """`seats from p` as the call of a function of that name."""
    func = Name(s[0].value, span=build.span(s[0], s[0]))
    return Call(func, (Arg(s[1], span=s[1].span),), span=build.span(s[0], s[1]))


def strip_op(build: Build, s: Parts) -> Expr:
    left = s[0]
    op = s[1].value
    flat = isinstance(left, StripExpr) and left.op == op and left.span.start == left.items[0].span.start
    items = (*left.items, s[2]) if flat else (left, s[2])
    return StripExpr(op, items, span=build.span(left, s[2]))


# ---------------------------------------------------------------- operands and clauses


def amount(build: Build, s: Parts) -> Expr:
    return Amount(s[0], s[1], span=build.span(s[0], s[1]))


def clause(build: Build, s: Parts) -> Clause:
    return Clause(s[0].value, (s[1],), span=build.span(s[0], s[1]))


def clause_list(build: Build, s: Parts) -> Clause:
    return Clause(s[0].value, tuple(s[1]), span=build.span(s[0], s[1][-1]))


def flag(build: Build, s: Parts) -> Clause:
    return Clause(s[0].value, span=build.span(s[0], s[0]))


def clause_keys(build: Build, s: Parts) -> Clause:
    return Clause("with", tuple(s[1]), span=build.span(s[0], s[1][-1]))


def clause_with_by(build: Build, s: Parts) -> Clause:
    return Clause("with by", (s[1], s[3]), span=build.span(s[0], s[3]))


def clause_cost(build: Build, s: Parts) -> Clause:
    return Clause("cost", (s[1], s[3]), span=build.span(s[0], s[3]))


def key(build: Build, s: Parts) -> Key:
    return Key(s[0].value, s[1], span=build.span(s[0], s[1]))


def binder(build: Build, s: Parts) -> Binder:
    binder = Binder(s[0].value, s[2], span=build.span(s[0], s[2]))
    if s[1].type == "INLIVE":
        build.form.live.add(binder.span.start)
    return binder


def types(build: Build, s: Parts) -> Parts:
    """The types, with the second key of `count by E, F` joined to the first: the grammar reads it as another type."""
    joined: list[Expr] = []
    for item in s[0]:
        last = joined[-1] if joined else None
        if isinstance(last, TypeExpr) and last.word == "count":
            joined[-1] = TypeExpr("count", (*last.args, item), span=last.span.to(item.span))
        else:
            joined.append(item)
    return joined


def joined_args(args: list[Arg]) -> tuple[Arg, ...]:
    """Arguments, with the further types of `n: count by E, F` joined to it."""
    joined: list[Arg] = []
    for arg in args:
        last = joined[-1] if joined else None
        if last and arg.type is None and isinstance(last.type, TypeExpr) and last.type.word == "count":
            span = last.span.to(arg.span)
            joined[-1] = Arg(
                last.value,
                replace(last.type, args=(*last.type.args, arg.value), span=last.type.span.to(arg.span)),
                span=span,
            )
        else:
            joined.append(arg)
    return tuple(joined)
