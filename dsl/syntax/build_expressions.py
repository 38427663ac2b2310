"""The part of the tree inside a line: expressions, clauses, binders and lists, from the parser's reductions.

One method a production of the grammar; each takes the list of its parts (tokens and nodes) and gives a node.
`dsl.syntax.build_lines` adds lines and blocks. What the grammar leaves open is looked at in `dsl.syntax.form`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dsl.base.span import Span
from dsl.syntax.form import Form
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

Parts = list[Any]  # the border to Lark: tokens, nodes and lists of nodes


def start_of(part: Any) -> int:
    return part.start if type(part) is Token else part.span.start


def end_of(part: Any) -> int:
    return part.end if type(part) is Token else part.span.end


class Terms:
    """The callbacks, for one file at a time; `cites` maps the start of a logical line to its citations."""

    def __init__(self) -> None:
        self.shown = ""
        self.cites: dict[int, tuple[str, ...]] = {}
        self.form = Form("")

    def begin(self, file: str, cites: dict[int, tuple[str, ...]]) -> None:
        self.shown = file
        self.cites = cites
        self.form = Form(file)

    def span(self, first: Any, last: Any) -> Span:
        return Span(self.shown, start_of(first), end_of(last))

    # ---------------------------------------------------------------- lists

    def same(self, s: Parts) -> Any:
        return s[0]

    def none(self, s: Parts) -> Parts:
        return []

    def one(self, s: Parts) -> Parts:
        return [s[0]]

    def more(self, s: Parts) -> Parts:
        s[0].append(s[1])
        return s[0]  # type: ignore[no-any-return]

    def more_after_comma(self, s: Parts) -> Parts:
        s[0].append(s[2])
        return s[0]  # type: ignore[no-any-return]

    # ---------------------------------------------------------------- expressions

    def name(self, s: Parts) -> Expr:
        token = s[0]
        return Name(token.value, span=Span(self.shown, token.start, token.end))

    def num(self, s: Parts) -> Expr:
        token = s[0]
        return Num(int(token.value), span=Span(self.shown, token.start, token.end))

    def text(self, s: Parts) -> Expr:
        value = s[0].value[1:-1]
        if "\\" in value:
            value = value.replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\")
        return Text(value, span=self.span(s[0], s[0]))

    def any_of(self, s: Parts) -> Expr:
        return AnyOf(s[1].value, span=self.span(s[0], s[1]))

    def paren(self, s: Parts) -> Expr:
        return replace(s[1], span=self.span(s[0], s[2]))  # type: ignore[no-any-return]

    def attr(self, s: Parts) -> Expr:
        return Attr(s[0], s[2].value, span=self.span(s[0], s[2]))

    def index(self, s: Parts) -> Expr:
        return Index(s[0], tuple(s[2]), span=self.span(s[0], s[3]))

    def call(self, s: Parts) -> Expr:
        return Call(s[0], joined_args(s[2]), span=self.span(s[0], s[3]))

    def call_empty(self, s: Parts) -> Expr:
        return Call(s[0], (), span=self.span(s[0], s[2]))

    def arg(self, s: Parts) -> Arg:
        return Arg(s[0], span=s[0].span)

    def arg_typed(self, s: Parts) -> Arg:
        if not isinstance(s[0], Name):
            self.form.report("RW0123", s[0].span, "only a name can have a type behind a `:`")
        return Arg(s[0], s[2], span=self.span(s[0], s[2]))

    def set_empty(self, s: Parts) -> Expr:
        return SetLit((), span=self.span(s[0], s[1]))

    def set_of(self, s: Parts) -> Expr:
        return SetLit(tuple(s[1]), span=self.span(s[0], s[2]))

    def fold(self, s: Parts) -> Expr:
        body = s[5] if len(s) == 7 else None
        span = self.span(s[0], s[-1])
        self.form.fold(s[0].value, s[3], span)
        return Fold(s[0].value, tuple(s[2]), tuple(s[3]), body, span=span)

    def possible(self, s: Parts) -> Expr:
        self.form.fold("possible", s[3], s[2].span)
        return Fold("possible", (), tuple(s[3]), s[2], span=self.span(s[0], s[4]))

    def unary(self, s: Parts) -> Expr:
        return Unary(s[0].value, s[1], span=self.span(s[0], s[1]))

    def binary(self, s: Parts) -> Expr:
        return Binary(s[1].value, s[0], s[2], span=self.span(s[0], s[2]))

    def compare(self, s: Parts) -> Expr:
        return Compare(s[1].value, s[0], s[2], span=self.span(s[0], s[2]))

    def range(self, s: Parts) -> Expr:
        return RangeExpr(s[0], s[2], span=self.span(s[0], s[2]))

    def bool_or(self, s: Parts) -> Expr:
        if isinstance(s[2], Name) and s[2].id == "none":
            return TypeExpr("or none", (s[0],), span=self.span(s[0], s[2]))
        return self._bool("or", s)

    def bool_and(self, s: Parts) -> Expr:
        return self._bool("and", s)

    def _bool(self, op: str, s: Parts) -> Expr:
        left: Expr = s[0]
        # Brackets keep their own node: `(a or b) or c` begins before its first item.
        flat = isinstance(left, Bool) and left.op == op and left.span.start == left.items[0].span.start
        items = (*left.items, s[2]) if flat and isinstance(left, Bool) else (left, s[2])
        return Bool(op, items, span=self.span(s[0], s[2]))

    def cond(self, s: Parts) -> Expr:
        return Cond(s[0], s[2], s[4], span=self.span(s[0], s[4]))

    def type_of(self, s: Parts) -> Expr:
        word = s[0].value.split()[0]
        return TypeExpr(word, (s[1],), span=self.span(s[0], s[1]))

    def strip_op(self, s: Parts) -> Expr:
        left = s[0]
        op = s[1].value
        flat = isinstance(left, StripExpr) and left.op == op and left.span.start == left.items[0].span.start
        items = (*left.items, s[2]) if flat else (left, s[2])
        return StripExpr(op, items, span=self.span(left, s[2]))

    # ---------------------------------------------------------------- operands and clauses

    def amount(self, s: Parts) -> Expr:
        return Amount(s[0], s[1], span=self.span(s[0], s[1]))

    def clause(self, s: Parts) -> Clause:
        return Clause(s[0].value, (s[1],), span=self.span(s[0], s[1]))

    def clause_list(self, s: Parts) -> Clause:
        return Clause(s[0].value, tuple(s[1]), span=self.span(s[0], s[1][-1]))

    def flag(self, s: Parts) -> Clause:
        return Clause(s[0].value, span=self.span(s[0], s[0]))

    def clause_keys(self, s: Parts) -> Clause:
        return Clause("with", tuple(s[1]), span=self.span(s[0], s[1][-1]))

    def clause_with_by(self, s: Parts) -> Clause:
        return Clause("with by", (s[1], s[3]), span=self.span(s[0], s[3]))

    def clause_cost(self, s: Parts) -> Clause:
        return Clause("cost", (s[1], s[3]), span=self.span(s[0], s[3]))

    def key(self, s: Parts) -> Key:
        return Key(s[0].value, s[1], span=self.span(s[0], s[1]))

    def binder(self, s: Parts) -> Binder:
        binder = Binder(s[0].value, s[2], span=self.span(s[0], s[2]))
        if s[1].type == "INLIVE":
            self.form.live.add(binder.span.start)
        return binder

    def types(self, s: Parts) -> Parts:
        """`count by E, F` reads as two types; the second belongs to the first."""
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
