"""Positions alone: every node of the corpus stands exactly where its text does, in code points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_args

import pytest

from dsl.base.span import Source, Span
from dsl.syntax.nodes import (
    Amount,
    Answer,
    Arg,
    Binder,
    Choose,
    Clause,
    Decl,
    Expr,
    Fold,
    If,
    Key,
    Name,
    Node,
    Num,
    Section,
    Sentence,
    SetLit,
    StripExpr,
    Text,
    TypeExpr,
)
from dsl.syntax.parser import parse_answers, parse_expr, parse_file
from tests.dsl.corpus import TEXTS

EXPRESSIONS = get_args(Expr)


def walk(node: Node) -> Iterator[tuple[Node, Node]]:
    """Every (parent, child)."""
    for field in fields(node):
        for child in _nodes(getattr(node, field.name)):
            yield node, child
            yield from walk(child)


def _nodes(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_a_node_lies_within_its_parent(name: str) -> None:
    file, _ = parse_file(name, TEXTS[name])
    for parent, child in walk(file):
        assert child.span.file == name
        assert parent.span.start <= child.span.start < child.span.end <= parent.span.end, (parent, child)


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_the_text_of_an_expression_reads_as_that_expression(name: str) -> None:
    text = TEXTS[name]
    file, _ = parse_file(name, text)
    seen = 0
    for _, node in walk(file):
        if isinstance(node, EXPRESSIONS) and not isinstance(node, Amount | StripExpr):
            piece = text[node.span.start : node.span.end]
            if isinstance(node, TypeExpr) and len(node.args) > 1:
                continue  # outside of a declaration the comma of `count by E, F` would part two expressions
            if node == SetLit(()) and piece != "{}":
                continue  # that of `no S`, which is written nowhere
            if "# " in piece or "[AB-" in piece:
                continue  # comments and citations may stand inside of a long expression
            again, found = parse_expr(name, piece, node.span.start)
            assert again is not None and found == [] and again == node, piece
            assert again.span == node.span
            seen += 1
    assert seen > 100


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_words_and_names_stand_at_the_edges(name: str) -> None:
    text = TEXTS[name]
    file, _ = parse_file(name, text)

    def said(span: Span) -> str:
        return text[span.start : span.end]

    unwritten: set[int] = set()  # what stands for `let x = V else stop F`, and the name that a `do` gives to its result
    for _, node in walk(file):
        piece = said(node.span)
        assert piece == piece.strip()
        if isinstance(node, If) and piece.startswith("else "):
            unwritten |= {id(inner) for _, inner in walk(node.test)} | {id(node)}
        elif isinstance(node, Sentence) and piece.startswith("let "):
            unwritten |= {id(node), id(node.clauses[-1])}
        if id(node) in unwritten:
            continue
        if isinstance(node, Name):
            assert piece.strip("()") == node.id
        elif isinstance(node, Num):
            assert int(piece.strip("()")) == node.value
        elif isinstance(node, Text) and "\\" not in piece:
            assert piece == f'"{node.value}"'
        elif isinstance(node, Clause):
            assert piece.startswith(node.word.split()[0])
        elif isinstance(node, Key):
            assert piece.startswith(node.direction)
        elif isinstance(node, Binder):
            assert piece.startswith(node.name)
        elif isinstance(node, Arg):
            assert said(node.value.span) == piece or node.type is not None
        elif isinstance(node, Fold):
            assert piece.lstrip("(").startswith(node.word) and piece.endswith(")" if node.word != "possible" else "")
        elif isinstance(node, Sentence | Choose | Section):
            assert piece.startswith(node.word)
        elif isinstance(node, If):
            assert piece.startswith("if")
        elif isinstance(node, Answer):
            assert f" {node.word} " in piece
        elif isinstance(node, Decl):
            assert piece.startswith(node.word)
            if node.name and node.word not in ("default", "change"):
                assert said(node.name_span).replace(" ", "").startswith(node.name)


def test_code_points_are_counted_not_bytes() -> None:
    text = 'card lamp "提灯 🏮": Item\n    name: ja "灯り", en "x"\n    value: most\n'
    file, found = parse_file("a.cards", text)
    assert found == []
    (card,) = file.lines
    assert isinstance(card, Decl)
    assert card.text == "提灯 🏮"
    most = next(node for _, node in walk(file) if node == Name("most"))
    assert text[most.span.start : most.span.end] == "most"
    assert Source("a.cards", text).place(most.span.start) == (3, 12)


def test_an_offset_moves_everything() -> None:
    expr, _ = parse_expr("a", "x.f + 1", 100)
    assert expr is not None and expr.span == Span("a", 100, 107)
    _, found = parse_expr("a", "x + ", 100)
    assert [d.span.start for d in found] == [103]
    answers, _ = parse_answers("a", "b, 3 c")
    assert [a.span for a in answers] == [Span("a", 0, 1), Span("a", 3, 6)]


def test_a_block_belongs_to_the_span_of_its_head() -> None:
    text = "phase p\n    if a  [AB-1]\n        do b()\n    else: do c()   # last\n\n"
    file, _ = parse_file("a", text)
    (phase,) = file.lines
    assert text[phase.span.start : phase.span.end] == text[: text.index("   # last")]
    assert isinstance(phase, Decl)
    (branch,) = phase.block
    assert branch.span.end == phase.span.end
