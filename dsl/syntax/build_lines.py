"""From the parser's reductions to the syntax tree: the callbacks for lines and blocks.

One method a production of the grammar; each takes the list of its parts (tokens and nodes) and gives a node. They join
`else` to its `if` and hang citations on lines; expressions come from `dsl.syntax.build_expressions`, clauses are
checked in `dsl.syntax.form`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from dsl.base.span import Span
from dsl.syntax.build_expressions import Parts, Terms, end_of, joined_args, start_of
from dsl.syntax.lexer import Token
from dsl.syntax.nodes import (
    Amount,
    Answer,
    Arg,
    Attr,
    Bool,
    Call,
    Case,
    Choose,
    Decl,
    Expr,
    If,
    Index,
    Key,
    Let,
    Line,
    Loop,
    Name,
    Row,
    Section,
    Sentence,
    Text,
    key_name,
)
from dsl.syntax.vocabulary import TABLE

BRANCHES = 50  # `else if` after one `if`


class Tail(NamedTuple):
    """What stands behind the head of a line: its block, where that ends (-1: there is none), shape, beginning."""

    block: tuple[Line, ...]
    end: int
    shape: str = ""
    at: int = -1


class Else(NamedTuple):
    """An `else` line until it is joined to its `if`."""

    word: Token
    then: tuple[Line, ...]
    end: int


NO_BLOCK = Tail((), -1)


class Builder(Terms):
    """The callbacks for lines and blocks, for one file at a time."""

    # ---------------------------------------------------------------- blocks

    def file_empty(self, s: Parts) -> tuple[Line, ...]:
        return ()

    def file(self, s: Parts) -> tuple[Line, ...]:
        lines = self._block(s[0])
        self.form.top_level(lines)
        return lines

    def no_block(self, s: Parts) -> Tail:
        return NO_BLOCK

    def block(self, s: Parts) -> Tail:
        lines = s[2]
        return Tail(self._block(lines), self._last(lines), "block", s[1].start)

    def inline(self, s: Parts) -> Tail:
        line = s[1]
        if isinstance(line, If | Else):
            word = line.word if isinstance(line, Else) else line
            self.form.report(
                "RW0121",
                self.span(word, word) if isinstance(line, Else) else line.test.span,
                "an `if` stands on a line of its own, not behind a `:`",
                "put it below, indented by four more spaces",
            )
            block = line.then if isinstance(line, Else) else (line,)
            return Tail(block, self._last([line]), "inline", s[0].start)
        return Tail(() if line is None else (line,), self._last([line]), "inline", s[0].start)

    def _last(self, lines: Parts) -> int:
        for line in reversed(lines):
            if line is not None:
                return line.end if isinstance(line, Else) else line.span.end
        return -1

    def _block(self, lines: Parts) -> tuple[Line, ...]:
        """Joins `else` lines to their `if`, hangs citations on the lines, leaves out the broken ones."""
        done: list[Line] = []
        broken = False  # a broken line may have been the `if`
        branches = 0
        for line in lines:
            branches = branches + 1 if isinstance(line, Else) else 0
            if line is None:
                broken = True
            elif isinstance(line, Else):
                if branches > BRANCHES:
                    self.form.report(
                        "RW0130",
                        self.span(line.word, line.word),
                        f"more than {BRANCHES} branches in one `if`",
                        "a table or a procedure says it shorter",
                    )
                    broken = True
                elif done and isinstance(done[-1], If) and not broken and (joined := self._join(done[-1], line)):
                    done[-1] = joined
                elif not broken:
                    self.form.report(
                        "RW0117",
                        self.span(line.word, line.word),
                        f"`{line.word.value}` stands without an `if` before it",
                        "`else` belongs right below the block of its `if`, indented like it",
                    )
            else:
                done.append(self._cited(line))
                broken = False
        return tuple(done)

    def _cited(self, line: Line) -> Line:
        cites = self.cites.get(line.span.start)
        return replace(line, cites=cites) if cites and not isinstance(line, Answer) else line

    def _join(self, first: If, other: Else) -> If | None:
        """`first` with `other` as its last branch; None if it has an `else` already."""
        span = Span(self.shown, first.span.start, max(other.end, other.word.end))
        if first.orelse:
            inner = first.orelse[0]
            if len(first.orelse) > 1 or not isinstance(inner, If) or inner.span.start not in self.form.chained:
                return None
            joined = self._join(inner, other)
            return replace(first, orelse=(joined,), span=span) if joined else None
        then = other.then
        cites = self.cites.get(other.word.start)
        if cites and then and not isinstance(then[0], Answer) and not then[0].cites:
            then = (replace(then[0], cites=cites), *then[1:])
        return replace(first, orelse=then, span=span)

    # ---------------------------------------------------------------- lines

    def broken(self, s: Parts) -> None:
        return None

    def _to(self, first: Any, last: Any, tail: Tail) -> Span:
        return Span(self.shown, start_of(first), max(end_of(last), tail.end))

    def sentence(self, s: Parts) -> Line:
        word, operands, clauses, tail = s
        self.form.line(word, operands, clauses, tail)
        span = self._to(word, clauses[-1] if clauses else operands[-1], tail)
        row = TABLE[word.value]
        if row.kind == "verb":
            first = operands[0]
            if word.value == "perform" and isinstance(first, Bool) and first.op == "or":
                operands = list(first.items)
            return Sentence(word.value, tuple(operands), tuple(clauses), span=span)
        head, title = self._titled(operands[0])
        if row.kind == "case":
            name, params = self._signature(word, head)
            return Case(name, params or (), tuple(clauses), tail.block, span=span)
        if row.kind == "section":
            named = word.value in ("step", "given")
            title_name = self._signature(word, head)[0] if named else None
            return Section(word.value, title_name, None if named else head, (), tail.block, span=span)
        return self._decl(word, head, title, clauses, tail, span)

    def _titled(self, operand: Expr) -> tuple[Expr, Text | None]:
        if isinstance(operand, Amount) and isinstance(operand.what, Text):
            return operand.count, operand.what
        return operand, None

    def _signature(self, word: Token, head: Expr) -> tuple[str, tuple[Arg, ...] | None]:
        """The declared name and the parameters of `name` or `name(...)`."""
        if isinstance(head, Name):
            return head.id, None
        if isinstance(head, Call) and isinstance(head.func, Name):
            return head.func.id, head.args
        if not isinstance(head, Amount):  # that has been reported as a lost colon
            self.form.name_expected(word, head)
        return "", None

    def _decl(self, word: Token, head: Expr, title: Text | None, clauses: Parts, tail: Tail, span: Span) -> Decl:
        kind = word.value
        text = title.value if title else None
        if kind in ("source", "replace", "insert before", "insert after", "drop", "alter"):
            return Decl(
                kind,
                dotted(head),
                head,
                None,
                None,
                clauses=tuple(clauses),
                block=tail.block,
                name_span=head.span,
                span=span,
            )
        name, params = self._signature(word, head)
        name_span = head.func.span if isinstance(head, Call) else head.span
        pattern = head if kind in ("modify", "grant", "deny", "before", "after", "instead of") else None
        type_: Expr | None = None
        if kind == "procedure":  # its result, which the clause `giving` names
            type_ = next((c.args[0] for c in clauses if c.word == "giving" and not isinstance(c.args[0], Key)), None)
        return Decl(
            kind,
            name,
            pattern,
            params,
            type_,
            text=text,
            clauses=tuple(clauses),
            block=tail.block,
            name_span=name_span,
            span=span,
        )

    def bare(self, s: Parts) -> Line:
        word, clauses, tail = s
        self.form.line(word, [], clauses, tail)
        span = self._to(word, clauses[-1] if clauses else word, tail)
        if word.value == "repeat":
            return Loop("repeat", False, (), tuple(clauses), tail.block, span=span)
        if word.value in ("change", "default"):
            head: Expr | None = None
            rest = []
            for clause in clauses:
                if clause.word == "from":
                    head = clause.args[0]
                elif clause.word == "ask":
                    head = Name("ask", span=clause.span)
                else:
                    rest.append(clause)
            here = self.span(word, word)
            return Decl(word.value, "", head, clauses=tuple(rest), block=tail.block, name_span=here, span=span)
        return Section(word.value, None, None, (), tail.block, span=span)

    def give(self, s: Parts) -> Line:
        operands = s[1:-1]
        self.form.line(s[0], operands, [], s[-1])
        return Sentence("give", tuple(operands), (), span=self._to(s[0], s[-2], s[-1]))

    def effect(self, s: Parts) -> Line:
        word, tail = s[0], s[-1]
        params = joined_args(s[2]) if len(s) == 5 else ()
        if tail.shape or not params:  # `effect(victim: Seat)` alone: a kind says what the effects of its cards take
            self.form.line(word, [], [], tail)
        return Section("effect", None, None, params, tail.block, span=self._to(word, s[-2], tail))

    def if_line(self, s: Parts) -> If:
        self.form.line(s[0], [s[1]], [], s[2])
        return If(s[1], s[2].block, span=self._to(s[0], s[1], s[2]))

    def else_line(self, s: Parts) -> Else:
        self.form.line(s[0], [], [], s[1])
        return Else(s[0], s[1].block, s[1].end)

    def else_if(self, s: Parts) -> Else:
        self.form.line(s[0], [s[1]], [], s[2])
        span = Span(self.shown, s[0].end - len("if"), max(s[1].span.end, s[2].end))
        self.form.chained.add(span.start)
        return Else(s[0], (If(s[1], s[2].block, span=span),), span.end)

    def loop(self, s: Parts) -> Line:
        word, binders, clauses, tail = s
        self.form.line(word, [], clauses, tail)
        live = any(b.span.start in self.form.live for b in binders)
        span = self._to(word, (clauses or binders)[-1], tail)
        return Loop(word.value, live, tuple(binders), tuple(clauses), tail.block, span=span)

    def choose_one(self, s: Parts) -> Line:
        word, clauses, tail = s
        self.form.line(word, [], clauses, tail)
        span = self._to(word, clauses[-1] if clauses else word, tail)
        return Choose("choose", "cases", None, (), tuple(clauses), tail.block, span=span)

    def choose(self, s: Parts) -> Line:
        word, binders, clauses, tail = s
        self.form.line(word, [], clauses, tail)
        first, _, shape = word.value.partition(" ")
        span = self._to(word, (clauses or binders)[-1], tail)
        return Choose(first, shape or "one", None, tuple(binders), tuple(clauses), tail.block, span=span)

    def choose_amounts(self, s: Parts) -> Line:
        word, name, _, binders, clauses, tail = s
        self.form.line(word, [], clauses, tail)
        span = self._to(word, (clauses or binders)[-1], tail)
        return Choose("choose", "amounts", name.value, tuple(binders), tuple(clauses), tail.block, span=span)

    def let(self, s: Parts) -> Line:
        self.form.line(s[0], [], [], s[4])
        return Let(s[1].value, None, s[3], span=self._to(s[0], s[3], s[4]))

    def let_typed(self, s: Parts) -> Line:
        self.form.line(s[0], [], [], s[6])
        if len(s[3]) > 1:
            self.form.report("RW0123", s[3][1].span, "a name has one type only")
        return Let(s[1].value, s[3][0], s[5], span=self._to(s[0], s[5], s[6]))

    def strip(self, s: Parts) -> Line:
        self.form.line(s[0], [], [], s[4])
        span = self._to(s[0], s[3], s[4])
        return Decl("strip", s[1].value, s[3], name_span=self.span(s[1], s[1]), span=span)

    def strip_of_kind(self, s: Parts) -> Line:
        self.form.line(s[0], [], [], s[2])
        return Decl("strip", s[1].value, name_span=self.span(s[1], s[1]), span=self._to(s[0], s[1], s[2]))

    def row(self, s: Parts) -> Line:
        tail = s[-1]
        cells: Sequence[list[Expr]] = s[2] if len(s) == 4 else []
        last = s[2][-1][-1] if cells else s[1]
        if cells:
            self.form.row(s[0], cells[0])
        return Row(s[0], tuple(tuple(cell) for cell in cells), tail.block, span=self._to(s[0], last, tail))

    def answer(self, s: Parts) -> Line:
        items = self.answers([s[2]])
        self.form.answer(s[0], s[3])
        return Answer(s[0], s[1].value, items, span=self._to(s[0], items[-1], s[3]))

    def answers(self, s: Parts) -> tuple[Expr, ...]:
        """Cells as answers: one expression, or an amount of something; a longer run nests to the left."""
        items: list[Expr] = []
        for item, *more in s[0]:
            for what in more:
                item = Amount(item, what, span=self.span(item, what))
            items.append(item)
        return tuple(items)

    # ---------------------------------------------------------------- declarations whose colon means a type

    def typed(self, s: Parts) -> Line:
        return self._typed(s[0], s[1], s[2], [], None, s[3], s[2][-1] if s[2] else s[1][-1])

    def typed_colon(self, s: Parts) -> Line:
        return self._typed(s[0], s[1], s[2] + s[5], s[4], None, s[6], (s[5] or s[4])[-1])

    def typed_value(self, s: Parts) -> Line:
        return self._typed(s[0], s[1], s[2] + s[7], s[4], s[6], s[8], s[7][-1] if s[7] else s[6])

    def typed_bare_value(self, s: Parts) -> Line:
        return self._typed(s[0], s[1], s[2] + s[5], [], s[4], s[6], s[5][-1] if s[5] else s[4])

    def _typed(
        self,
        word: Token,
        operands: Parts,
        clauses: Parts,
        types: Parts,
        value: Expr | None,
        tail: Tail,
        last: Any,
    ) -> Line:
        self.form.line(word, operands, clauses, tail)
        head, title = self._titled(operands[0])
        name, params = self._signature(word, head)
        name_span = head.func.span if isinstance(head, Call) else head.span
        kind = word.value
        single = kind in ("const", "field", "zone", "value", "table", "card", "piece", "purse")
        if kind == "invariant" and types:
            value, types = types[0], types[1:]
        if single and len(types) > 1 or kind == "invariant" and types:
            self.form.report("RW0123", types[-1].span, f"`{kind}` takes one expression behind its `:`")
        return Decl(
            kind,
            name,
            None,
            params,
            types[0] if single and types else None,
            () if single else tuple(types),
            value,
            title.value if title else None,
            tuple(clauses),
            tail.block,
            name_span=name_span,
            span=self._to(word, last, tail),
        )


def dotted(expr: Expr) -> str:
    """An address as text: `contest.organs`, `goal.2` for the row `goal[2]`; empty for anything else."""
    if isinstance(expr, Name):
        return expr.id
    if isinstance(expr, Attr):
        return f"{dotted(expr.base)}.{expr.name}"
    if isinstance(expr, Index) and len(expr.args) == 1:
        return f"{dotted(expr.base)}.{key_name(expr.args[0])}"
    return ""
