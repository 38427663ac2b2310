"""The printed grammar is the grammar of the parser: read as EBNF by another parser it accepts the same lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lark import Lark, Token, UnexpectedInput
from lark.lexer import Lexer as LarkLexer

from dsl.reference import grammar
from dsl.syntax.lexer import Line
from dsl.syntax.parser import parse_lines

CORPUS = Path(__file__).parents[1] / "corpus"


class Given(LarkLexer):
    """The tokens are those that our own lexer has made."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, data: str) -> Iterator[Token]:  # type: ignore[override]
        for kind in data.split():
            yield Token(kind, "")


def printed() -> Lark:
    """A parser of what is printed, by an algorithm that needs no special form."""
    terminals = {f'"{signs[0]}"': t for t, signs in grammar.spellings().items() if len(signs) == 1}
    rules = []
    for definition in grammar.grammar().split(" ;\n"):
        if not definition:
            continue
        name, _, body = definition.partition(" = ")
        body = re.sub(r'"[^"]+"', lambda found: terminals[found[0]], body)
        body = body.replace("{", "(").replace("}", ")*").replace("[", "(").replace("]", ")?")
        rules.append(f"{name}: {' '.join(body.split())}")
    names = {word for rule in rules for word in re.findall(r"\b[A-Z]+\b", rule)}
    text = "\n".join([*rules, f"%declare {' '.join(sorted(names))}"])
    return Lark(text, parser="earley", lexer=Given, start=["file", "answers", "expression"])


def kinds(lines: list[Line]) -> str:
    """The classes of all tokens, with those of the layout."""
    found: list[str] = []
    level = 0
    for line in lines:
        found += ["INDENT"] * max(0, line.level - level) + ["DEDENT"] * max(0, level - line.level)
        found += [*(token.type for token in line.tokens), "NEWLINE"]
        level = line.level
    return " ".join([*found, *["DEDENT"] * level])


def test_every_rule_is_printed_and_named_where_it_is_used() -> None:
    rules = grammar.productions()
    text = grammar.grammar()
    defined = re.findall(r"^(\w+) =", text, re.MULTILINE)
    assert defined == [rule.name for rule in rules] and len(rules) > 30
    used = set(re.findall(r"\b[a-z_]+\b", re.sub(r'"[^"]*"', "", text)))
    assert used == {*defined}


@pytest.mark.parametrize("name", ["constructs", "mechanisms_cards", "mechanisms_overlays_and_rulings"])
def test_the_printed_grammar_accepts_what_the_parser_reads(name: str) -> None:
    path = CORPUS / f"{name}.rules"
    _, found, lines = parse_lines(path.name, path.read_text(encoding="utf-8"))
    assert not found
    pieces: list[list[Line]] = []
    for line in lines:
        if not line.level:
            pieces.append([])
        pieces[-1].append(line)
    parser = printed()
    for piece in pieces:
        parser.parse(kinds(piece), start="file")


@pytest.mark.parametrize("tokens", ["NAME NAME", "LPAR NAME", "NAME OR", "NAME IF NAME", "PLUS NAME"])
def test_the_printed_grammar_refuses_what_is_no_expression(tokens: str) -> None:
    with pytest.raises(UnexpectedInput):
        printed().parse(tokens, start="expression")
