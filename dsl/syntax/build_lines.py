"""From the parser's reductions to lines of the syntax tree: sentences, sections, loops, choices, declarations, rows.

One function for each production of the grammar; it takes the state of the build and the list of its parts (tokens and
nodes) and gives a node. Clauses are checked in `dsl.syntax.form`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl.base.span import Span
from dsl.syntax.build_blocks import Else, LetOrLeave, Tail, match, or_leave
from dsl.syntax.build_expressions import Build, Parts, end_of, joined_args, start_of
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
    Clause,
    Decl,
    Expr,
    If,
    Index,
    Key,
    Let,
    Line,
    Loop,
    Name,
    Result,
    Row,
    Section,
    Sentence,
    Text,
    key_name,
)
from dsl.syntax.vocabulary import TABLE, words_with

PATTERNS = words_with("patterns")


def broken(build: Build, s: Parts) -> None:
    return None


def span_to(build: Build, first: Any, last: Any, tail: Tail) -> Span:
    return Span(build.file, start_of(first), max(end_of(last), tail.end))


def sentence(build: Build, s: Parts) -> Line:
    word, operands, clauses, tail = build.form.verb_of_today(s[0]), *s[1:]
    build.form.line(word, operands, build.form.without_old_result(word, clauses), tail)
    span = span_to(build, word, clauses[-1] if clauses else operands[-1], tail)
    row = TABLE[word.value]
    if row.kind == "verb":
        if word.value == "perform" and isinstance(operands[0], Bool) and operands[0].op == "or":
            operands = list(operands[0].items)
        return Sentence(word.value, tuple(operands), tuple(clauses), span=span)
    if row.kind == "if":
        return match(build, operands[0], tail.block, span)
    head, title = titled(build, operands[0])
    if row.kind == "case":
        before = len(build.form.found)
        build.form.one_operand(word.value, operands)
        name, params = signature(build, word, head)
        build.cases[span.start] = operands, build.form.found[before:]
        return Case(name, params or (), tuple(clauses), tail.block, span=span)
    if row.kind == "section":
        named = word.value in ("step", "given")
        title_name, params = signature(build, word, head) if named else (None, None)
        if params is not None:
            build.form.report("RW0123", head.span, f"`{word.value}` takes a name, without parameters")
        return Section(word.value, title_name, None if named else head, (), tail.block, span=span)
    return declaration(build, word, head, title, clauses, tail, span)


def titled(build: Build, operand: Expr) -> tuple[Expr, Text | None]:
    if isinstance(operand, Amount) and isinstance(operand.what, Text):
        return operand.count, operand.what
    return operand, None


def run_of(operand: Expr) -> list[Expr]:
    """An operand and what follows it without a clause word."""
    run: list[Expr] = []
    while isinstance(operand, Amount):
        run.insert(0, operand.what)
        operand = operand.count
    return [operand, *run]


def signature(build: Build, word: Token, head: Expr) -> tuple[str, tuple[Arg, ...] | None]:
    """The declared name and the parameters of `name` or `name(...)`."""
    if isinstance(head, Name):
        return head.id, None
    if isinstance(head, Call) and isinstance(head.func, Name):
        return head.func.id, head.args
    if not isinstance(head, Amount):  # that has been reported as a lost colon
        build.form.name_expected(word, head)
    return "", None


def declaration(
    build: Build, word: Token, head: Expr, title: Text | None, clauses: Parts, tail: Tail, span: Span
) -> Decl:
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
    name, params = signature(build, word, head)
    name_span = head.func.span if isinstance(head, Call) else head.span
    pattern = head if kind in PATTERNS else None
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


def bare(build: Build, s: Parts) -> Line:
    word, clauses, tail = s
    build.form.line(word, [], clauses, tail)
    span = span_to(build, word, clauses[-1] if clauses else word, tail)
    if TABLE[word.value].kind == "verb":
        return Sentence(word.value, (), tuple(clauses), span=span)
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
        here = build.span(word, word)
        return Decl(word.value, "", head, clauses=tuple(rest), block=tail.block, name_span=here, span=span)
    if word.value == "triggers ordered":
        here = build.span(word, word)
        return Decl(word.value, "triggers", clauses=tuple(clauses), block=tail.block, name_span=here, span=span)
    return Section(word.value, None, None, (), tail.block, span=span)


def give(build: Build, s: Parts) -> Line:
    operands = s[1:-1]
    build.form.line(s[0], operands, [], s[-1])
    return Sentence("give", tuple(operands), (), span=span_to(build, s[0], s[-2], s[-1]))


def effect(build: Build, s: Parts) -> Line:
    word, tail = s[0], s[-1]
    params = joined_args(s[2]) if len(s) == 5 else ()
    if tail.shape or not params:  # `effect(victim: Seat)` alone: a kind says what the effects of its cards take
        build.form.line(word, [], [], tail)
    return Section("effect", None, None, params, tail.block, span=span_to(build, word, s[-2], tail))


def if_line(build: Build, s: Parts) -> If:
    build.form.line(s[0], [s[1]], [], s[2])
    return If(s[1], s[2].block, span=span_to(build, s[0], s[1], s[2]))


def else_line(build: Build, s: Parts) -> Else:
    build.form.line(s[0], [], [], s[1])
    return Else(s[0], s[1].block, s[1].end)


def else_if(build: Build, s: Parts) -> Else:
    build.form.line(s[0], [s[1]], [], s[2])
    span = Span(build.file, s[0].end - len("if"), max(s[1].span.end, s[2].end))
    build.form.chained.add(span.start)
    return Else(s[0], (If(s[1], s[2].block, span=span),), span.end)


def loop(build: Build, s: Parts) -> Line:
    word, binders, clauses, tail = s
    build.form.line(word, [], clauses, tail)
    live = any(b.span.start in build.form.live for b in binders)
    span = span_to(build, word, (clauses or binders)[-1], tail)
    return Loop(word.value, live, tuple(binders), tuple(clauses), tail.block, span=span)


def choose_one(build: Build, s: Parts) -> Line:
    word, clauses, tail = s
    build.form.line(word, [], clauses, tail)
    span = span_to(build, word, clauses[-1] if clauses else word, tail)
    return Choose("choose", "cases", None, (), tuple(clauses), tail.block, span=span)


def choose(build: Build, s: Parts) -> Line:
    word, binders, clauses, tail = s
    build.form.line(word, [], clauses, tail)
    first, _, shape = word.value.partition(" ")
    span = span_to(build, word, (clauses or binders)[-1], tail)
    return Choose(first, shape or "one", None, tuple(binders), tuple(clauses), tail.block, span=span)


def choose_amounts(build: Build, s: Parts) -> Line:
    word, name, _, binders, clauses, tail = s
    build.form.line(word, [], clauses, tail)
    span = span_to(build, word, (clauses or binders)[-1], tail)
    return Choose("choose", "amounts", name.value, tuple(binders), tuple(clauses), tail.block, span=span)


def let(build: Build, s: Parts) -> Let:
    build.form.line(s[0], [], [], s[4])
    return Let(s[1].value, None, s[3], span=span_to(build, s[0], s[3], s[4]))


def let_typed(build: Build, s: Parts) -> Let:
    build.form.line(s[0], [], [], s[6])
    if len(s[3]) > 1:
        build.form.report("RW0123", s[3][1].span, "a name has one type only")
    return Let(s[1].value, s[3][0], s[5], span=span_to(build, s[0], s[5], s[6]))


def let_or_leave(build: Build, s: Parts) -> LetOrLeave:
    return or_leave(build, let(build, [*s[:4], s[5]]), s[1], s[4])


def let_typed_or_leave(build: Build, s: Parts) -> LetOrLeave:
    return or_leave(build, let_typed(build, [*s[:6], s[7]]), s[1], s[6])


def leave(build: Build, s: Parts) -> tuple[Token, Sentence]:
    """The sentence that leaves the routine, behind the `else` of a `let`, with that `else`."""
    word, operands = s[1], s[2:]
    if word.value not in ("stop", "give"):
        message = f"behind the `else` of a `let` stands what leaves the routine, and `{word.value}` does not"
        help = "write `else stop NAME` or `else give VALUE`; for anything else `if NAME is none: ...` below it"
        build.form.report("RW0123", build.span(word, word), message, help)
    return s[0], Sentence(word.value, tuple(operands), (), span=build.span(word, s[-1]))


def let_do(build: Build, s: Parts) -> Line:
    """`let x = do f(a)`: the sentence, with the name of what it gives."""
    name, word, operands, clauses, tail = s[1], build.form.verb_of_today(s[3]), *s[4:]
    build.form.line(word, operands, clauses, tail)
    here = build.span(name, name)
    given = Clause("giving", (Name(name.value, span=here),), span=here)
    span = span_to(build, s[0], clauses[-1] if clauses else operands[-1], tail)
    return Sentence(word.value, tuple(operands), (*clauses, given), span=span)


def result(build: Build, s: Parts) -> Result:
    if s[2].shape:
        start = s[2].block[0].span.start if s[2].block else s[2].at
        build.form.report("RW0116", Span(build.file, start, start + 1), "no block stands under `= EXPRESSION`")
    return Result(s[1], span=span_to(build, s[0], s[1], s[2]))


def strip(build: Build, s: Parts) -> Line:
    build.form.line(s[0], [], [], s[4])
    span = span_to(build, s[0], s[3], s[4])
    return Decl("strip", s[1].value, s[3], name_span=build.span(s[1], s[1]), span=span)


def strip_of_kind(build: Build, s: Parts) -> Line:
    build.form.line(s[0], [], [], s[2])
    return Decl("strip", s[1].value, name_span=build.span(s[1], s[1]), span=span_to(build, s[0], s[1], s[2]))


def row(build: Build, s: Parts) -> Line:
    tail = s[-1]
    cells: Sequence[list[Expr]] = s[2] if len(s) == 4 else []
    last = s[2][-1][-1] if cells else s[1]
    if cells:
        build.form.row(s[0], cells[0])
    return Row(s[0], tuple(tuple(cell) for cell in cells), tail.block, span=span_to(build, s[0], last, tail))


def answer(build: Build, s: Parts) -> Line:
    items = answers(build, [s[2]])
    build.form.answer(s[0], s[3])
    return Answer(s[0], s[1].value, items, span=span_to(build, s[0], items[-1], s[3]))


def answers(build: Build, s: Parts) -> tuple[Expr, ...]:
    """Cells as answers: one expression, or an amount of something; a longer run nests to the left."""
    items: list[Expr] = []
    for item, *more in s[0]:
        for what in more:
            item = Amount(item, what, span=build.span(item, what))
        items.append(item)
    return tuple(items)


# ---------------------------------------------------------------- declarations whose colon means a type


def typed(build: Build, s: Parts) -> Line | None:
    return typed_declaration(build, s[0], s[1], s[2], [], None, s[3], s[2][-1] if s[2] else s[1][-1])


def typed_colon(build: Build, s: Parts) -> Line | None:
    return typed_declaration(build, s[0], s[1], s[2] + s[5], s[4], None, s[6], (s[5] or s[4])[-1])


def typed_value(build: Build, s: Parts) -> Line | None:
    return typed_declaration(build, s[0], s[1], s[2] + s[7], s[4], s[6], s[8], s[7][-1] if s[7] else s[6])


def typed_bare_value(build: Build, s: Parts) -> Line | None:
    return typed_declaration(build, s[0], s[1], s[2] + s[5], [], s[4], s[6], s[5][-1] if s[5] else s[4])


def typed_declaration(
    build: Build,
    word: Token,
    operands: Parts,
    clauses: Parts,
    types: Parts,
    value: Expr | None,
    tail: Tail,
    last: Any,
) -> Line | None:
    build.form.line(word, operands, clauses, tail)
    first, *more = run_of(operands[0])
    head, title = (first, more[0]) if more and isinstance(more[0], Text) else titled(build, first)
    if more and not types and value is None:  # the colon is lost, as was reported
        types = [e for e in (*more, *operands[1:]) if not isinstance(e, Text)]
    name, params = signature(build, word, head)
    name_span = head.func.span if isinstance(head, Call) else head.span
    kind = word.value
    single = kind in ("const", "field", "zone", "value", "table", "card", "piece", "purse")
    if kind == "invariant" and types:
        if value is not None:
            build.form.report("RW0123", value.span, "`invariant` takes one condition, behind its `:`")
        value, types = types[0], types[1:]
    if single and len(types) > 1 or kind == "invariant" and types:
        build.form.report("RW0123", types[-1].span, f"`{kind}` takes one expression behind its `:`")
    block = tail.block
    cites: tuple[str, ...] = ()
    if kind == "value" and tail.shape:
        value, block, cites = body_of_value(build, value, tail.block)
        if value is None and not tail.whole:
            build.unknown.add(name)
            return None
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
        block,
        cites,
        name_span=name_span,
        span=span_to(build, word, last, tail),
    )


def body_of_value(
    build: Build, value: Expr | None, block: tuple[Line, ...]
) -> tuple[Expr | None, tuple[Line, ...], tuple[str, ...]]:
    """The expression of a value with a block, its `let` lines, and the citations of both."""
    lets: list[Line] = []
    cites: tuple[str, ...] = ()
    given = value is not None
    for line in block:
        if given:
            first = Span(build.file, line.span.start, line.span.start + 1)
            build.form.report(
                "RW0443", first, "this value is complete with the line above: nothing follows its `= EXPRESSION`",
                "`let` lines stand before it, in the block of the value",
            )  # fmt: skip
            break
        if isinstance(line, Result):
            value, given = line.value, True
        elif isinstance(line, Let):
            lets.append(line)
        else:
            build.form.report(
                "RW0443", line.span, "in the block of a value stand `let` lines, and `= EXPRESSION` as the last",
                "a value only looks; what is done stands in a routine",
            )  # fmt: skip
            continue
        cites += line.cites
    return value, tuple(lets), cites


def dotted(expr: Expr) -> str:
    """An address as text: `contest.organs`, `goal.2` for the row `goal[2]`; empty for anything else."""
    if isinstance(expr, Name):
        return expr.id
    if isinstance(expr, Attr):
        return f"{dotted(expr.base)}.{expr.name}"
    if isinstance(expr, Index) and len(expr.args) == 1:
        return f"{dotted(expr.base)}.{key_name(expr.args[0])}"
    return ""
