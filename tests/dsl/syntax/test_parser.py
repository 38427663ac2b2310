"""The grammar and the tree: what each construct of the language is read as."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from lark import logger

from dsl.syntax.grammar.generate import build
from dsl.syntax.nodes import (
    Amount,
    Answer,
    AnyOf,
    Arg,
    Attr,
    Binary,
    Binder,
    Bool,
    Call,
    Case,
    Choose,
    Clause,
    Compare,
    Cond,
    Decl,
    Expr,
    Fold,
    If,
    Index,
    Key,
    Let,
    Line,
    Loop,
    Name,
    Num,
    RangeExpr,
    Row,
    Section,
    Sentence,
    SetLit,
    StripExpr,
    Text,
    TypeExpr,
    Unary,
)
from dsl.syntax.parser import parse_answers, parse_expr, parse_file
from tests.dsl.corpus import TEXTS


def one(text: str) -> Any:
    """The only declaration of a text without mistakes."""
    file, found = parse_file("t", text)
    assert found == [], found
    assert len(file.lines) == 1
    return file.lines[0]


def body(text: str) -> tuple[Line, ...]:
    """Lines as they stand in a procedure."""
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    block: tuple[Line, ...] = one(f"procedure p()\n{indented}").block
    return block


def expr(text: str) -> Expr:
    tree, found = parse_expr("t", text)
    assert found == [] and tree is not None, found
    return tree


a, b, c, p, s, x = (Name(letter) for letter in "abcpsx")


# ---------------------------------------------------------------- the grammar


def test_the_grammar_has_no_conflict(caplog: pytest.LogCaptureFixture) -> None:
    logger.setLevel(logging.DEBUG)
    try:
        with caplog.at_level(logging.DEBUG, logger=logger.name):
            build(debug=True)
    finally:
        logger.setLevel(logging.CRITICAL)
    assert [r.message for r in caplog.records if "conflict" in r.message.lower()] == []


def test_a_conflict_would_be_seen(caplog: pytest.LogCaptureFixture) -> None:
    from lark import Lark

    logger.setLevel(logging.DEBUG)
    try:
        with caplog.at_level(logging.DEBUG, logger=logger.name):
            Lark("start: e\ne: e A e | A\n%declare A", parser="lalr", lexer="basic", debug=True)
    finally:
        logger.setLevel(logging.CRITICAL)
    assert any("conflict" in r.message.lower() for r in caplog.records)


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_the_corpus_is_read_without_a_message(name: str) -> None:
    assert parse_file(name, TEXTS[name])[1] == []


def test_an_empty_file_is_a_file() -> None:
    for text in ("", "\n\n", "# nothing\n", "   \n"):
        file, found = parse_file("t", text)
        assert file.lines == () and found == []


# ---------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a + b * c", Binary("+", a, Binary("*", b, c))),
        ("a - b - c", Binary("-", Binary("-", a, b), c)),
        ("-a * b", Binary("*", Unary("-", a), b)),
        ("not a and b", Bool("and", (Unary("not", a), b))),
        ("a or b or c", Bool("or", (a, b, c))),
        ("a or b and c", Bool("or", (a, Bool("and", (b, c))))),
        ("(a or b) or c", Bool("or", (Bool("or", (a, b)), c))),
        ("a + 1 is not b", Compare("is not", Binary("+", a, Num(1)), b)),
        ("a not in 1..b", Compare("not in", a, RangeExpr(Num(1), b))),
        ("a >= 2", Compare(">=", a, Num(2))),
        ("a if p else b", Cond(a, p, b)),
        ("{}", SetLit(())),
        ("{a, b}", SetLit((a, b))),
        ("D3.E", Attr(Name("D3"), "E")),
        ("a.b[c, 1].d", Attr(Index(Attr(a, "b"), (c, Num(1))), "d")),
        ("a.from.count", Attr(Attr(a, "from"), "count")),
        ("a(b, any x)", Call(a, (Arg(b), Arg(AnyOf("x"))))),
        ("set of a or none", TypeExpr("or none", (TypeExpr("set", (a,)),))),
        ("list of set of a", TypeExpr("list", (TypeExpr("set", (a,)),))),
        ("count(x in s)", Fold("count", (Binder("x", s),), (), None)),
        ("any(a)", Call(Name("any"), (Arg(a),))),
        (
            "first(x in s where p with highest a, lowest b)",
            Fold(
                "first",
                (Binder("x", s),),
                (Clause("where", (p,)), Clause("with", (Key("highest", a), Key("lowest", b)))),
                None,
            ),
        ),
        (
            "sum(x in s, c in 0..3: a)",
            Fold("sum", (Binder("x", s), Binder("c", RangeExpr(Num(0), Num(3)))), (), a),
        ),
        (
            "reach(x in s, b in x.f cost 1 within 2 cost a within c)",
            Fold(
                "reach",
                (Binder("x", s), Binder("b", Attr(x, "f"))),
                (Clause("cost", (Num(1), Num(2))), Clause("cost", (a, c))),
                None,
            ),
        ),
        (
            "possible(a(b) without c)",
            Fold("possible", (), (Clause("without", (c,)),), Call(a, (Arg(b),))),
        ),
        ("move", Name("move")),
        ("total + value * first", Binary("+", Name("total"), Binary("*", Name("value"), Name("first")))),
    ],
)
def test_expressions(text: str, tree: Expr) -> None:
    assert expr(text) == tree


def test_texts_may_hold_quotation_marks() -> None:
    assert expr(r'"a \"b\" \\ ü"') == Text('a "b" \\ ü')


def test_answers() -> None:
    answers, found = parse_answers("t", "D3.E, 2, 5 cube, decline, a(b), D2 D3 1")
    assert found == []
    pair = Amount(Name("D2"), Name("D3"))
    five = Amount(Num(5), Name("cube"))
    assert answers == (expr("D3.E"), Num(2), five, Name("decline"), expr("a(b)"), Amount(pair, Num(1)))


# ---------------------------------------------------------------- sentences


def test_amounts_and_clauses() -> None:
    assert body("move 3 a[b] from c to s at top as x") == (
        Sentence(
            "move",
            (Amount(Num(3), Index(a, (b,))),),
            (Clause("from", (c,)), Clause("to", (s,)), Clause("at", (Name("top"),)), Clause("as", (x,))),
        ),
    )
    assert body("move a to b\nlose all c") == (
        Sentence("move", (a,), (Clause("to", (b,)),)),
        Sentence("lose", (Amount(Name("all"), c),), ()),
    )


def test_several_operands() -> None:
    (order,) = body("perform a(b) or c(any x) where p without s with b by -2 with c by 1")
    assert isinstance(order, Sentence)
    assert order.operands == (expr("a(b)"), expr("c(any x)"))
    assert [clause.word for clause in order.clauses] == ["where", "without", "with by", "with by"]
    assert order.clauses[2].args == (b, Unary("-", Num(2)))


def test_a_path_may_be_done() -> None:
    assert body("do c.effect by b") == (Sentence("do", (Attr(c, "effect"),), (Clause("by", (b,)),)),)


def test_give_with_and_without_a_value() -> None:
    assert body("give\ngive {a}\ngive not a") == (
        Sentence("give", (), ()),
        Sentence("give", (SetLit((a,)),), ()),
        Sentence("give", (Unary("not", a),), ()),
    )


def test_if_any_is_a_flag_and_if_a_line() -> None:
    choice, branch = body("choose a in b if any by c\nif any(x in s: x): stop p")
    assert isinstance(choice, Choose) and choice.clauses == (Clause("if any"), Clause("by", (c,)))
    assert isinstance(branch, If) and isinstance(branch.test, Fold)


def test_or_decline_giving() -> None:
    (choice,) = body("choose some a in b at most 3 by c or decline giving false\n    such that p or x")
    assert isinstance(choice, Choose)
    assert (choice.shape, choice.binders) == ("some", (Binder("a", b),))
    assert [clause.word for clause in choice.clauses] == ["at most", "by", "or decline", "giving", "such that"]


def test_choices_have_shapes() -> None:
    lines = body(
        "choose a in b, c in s\nchoose number a in 0..3\nrandom a in b\nrandom number a in 1..8\n"
        "choose amounts n for a in b, c in s each 0..2 total n per a at most 3 total n covering 4\n"
        "choose one by p\n    case x\n    case a(n: 1..4) where p: stop p"
    )
    shapes = [(line.word, line.shape, line.name) for line in lines if isinstance(line, Choose)]
    assert shapes == [
        ("choose", "one", None),
        ("choose", "number", None),
        ("random", "one", None),
        ("random", "number", None),
        ("choose", "amounts", "n"),
        ("choose", "cases", None),
    ]
    amounts, cases = lines[-2:]
    assert isinstance(amounts, Choose) and isinstance(cases, Choose)
    assert [k.word for k in amounts.clauses] == ["each", "total", "per", "at most", "total", "covering"]
    assert cases.block == (
        Case("x", (), (), ()),
        Case(
            "a", (Arg(Name("n"), RangeExpr(Num(1), Num(4))),), (Clause("where", (p,)),), (Sentence("stop", (p,), ()),)
        ),
    )


def test_loops() -> None:
    lines = body(
        "for every a in live b where p with lowest c: stop p\nround robin a in b while p: stop p\n"
        "open to a in b: offer c by a or decline\nrepeat while p: stop p\nfor every a in b at once: stop p"
    )
    assert [(line.word, line.live) for line in lines if isinstance(line, Loop)] == [
        ("for every", True),
        ("round robin", False),
        ("open to", False),
        ("repeat", False),
        ("for every", False),
    ]
    assert isinstance(lines[-1], Loop) and lines[-1].clauses == (Clause("at once"),)


def test_an_else_continues_a_line_whose_condition_holds_a_fold() -> None:
    """The colon of a fold stands in its brackets and begins no block of the `if`."""
    whole = body("set x to 1 if any(t in S: a) else 2")
    assert body("set x to 1 if any(t in S: a)\n    else 2") == whole


def test_else_joins_the_nearest_if_at_its_depth() -> None:
    (line,) = body("if a: stop p\nelse if b\n    if c: stop x\n    else: stop s\nelse: stop b")
    assert isinstance(line, If) and line.test == a
    (second,) = line.orelse
    assert isinstance(second, If) and second.test == b
    assert second.orelse == (Sentence("stop", (b,), ()),)
    (inner,) = second.then
    assert isinstance(inner, If) and inner.orelse == (Sentence("stop", (s,), ()),)


def test_let_with_a_type() -> None:
    assert body("let a: 0..4 = b\nlet b: count by x, s = c\nlet order = a") == (
        Let("a", RangeExpr(Num(0), Num(4)), b),
        Let("b", TypeExpr("count", (x, s)), c),
        Let("order", None, a),
    )


def test_sections() -> None:
    lines = body("step a: stop p\nplan by b\n    stop p\ntogether: stop p\nat end of turn: do x()")
    assert [(k.word, k.name, k.head) for k in lines if isinstance(k, Section)] == [
        ("step", "a", None),
        ("plan by", None, b),
        ("together", None, None),
        ("at end of", None, Name("turn")),
    ]


def test_words_of_the_language_are_names_where_they_can_be_nothing_else() -> None:
    (card,) = (one("card k: K\n    value: 3\n    move: 2\n    cost: 4\n    first: x\n    when.at: 1\n    set[2]: 1\n"),)
    assert [row.key for row in card.block] == [expr(k) for k in ("value", "move", "cost", "first", "when.at", "set[2]")]
    assert body("set total to total + 1\nset from to cost\nlet order = number") == (
        Sentence("set", (Name("total"),), (Clause("to", (expr("total + 1"),)),)),
        Sentence("set", (Name("from"),), (Clause("to", (Name("cost"),)),)),
        Let("order", None, Name("number")),
    )


# ---------------------------------------------------------------- declarations


def test_enums_options_tables() -> None:
    assert one("ranked enum E: a, b") == Decl("ranked enum", "E", items=(a, b))
    assert one("option o: a, b = a") == Decl("option", "o", items=(a, b), value=a)
    table = one("table t by E: int\n    0..5: 1\n    -1: 2, 3\n")
    assert (table.clauses, table.type) == ((Clause("by", (Name("E"),)),), Name("int"))
    assert table.block == (
        Row(RangeExpr(Num(0), Num(5)), ((Num(1),),)),
        Row(Unary("-", Num(1)), ((Num(2),), (Num(3),))),
    )


def test_kinds_pieces_zones_fields() -> None:
    kind = one('kind S: 6 per Seat decided by owner from "a.yaml"')
    assert kind.items == (Num(6),) and [k.word for k in kind.clauses] == ["per", "decided by", "from"]
    assert one("kind T: A, B").items == (Name("A"), Name("B"))
    piece = one("piece cube by A each 55 from bag faces bare, used")
    assert piece.name == "cube" and [k.word for k in piece.clauses] == ["by", "each", "from", "faces"]
    assert piece.clauses[3].args == (Name("bare"), Name("used"))
    zone = one("zone z: K ordered max 5 seen by owner")
    assert zone.type == Name("K") and [k.word for k in zone.clauses] == ["ordered", "max", "seen by"]
    assert one("field f: count by A, B").type == TypeExpr("count", (Name("A"), Name("B")))
    assert one("kind K\n    strip s\n").block == (Decl("strip", "s"),)
    assert one("const near: set of K").type == TypeExpr("set", (Name("K"),))


def test_values() -> None:
    value = one(
        "value v(n: count by A, B, k: K): K or none   [DS-4.1, DS-4.2]\n"
        "    = a in layers b, c\n    at least 0 at most 8"
    )
    assert value.params == (Arg(Name("n"), TypeExpr("count", (Name("A"), Name("B")))), Arg(Name("k"), Name("K")))
    assert value.type == TypeExpr("or none", (Name("K"),))
    assert value.value == a
    assert value.clauses == (Clause("in layers", (b, c)), Clause("at least", (Num(0),)), Clause("at most", (Num(8),)))
    assert value.cites == ("DS-4.1", "DS-4.2")
    assert one("value v: int = 1").params is None
    assert one("value v(): int = 1").params == ()


def test_routines() -> None:
    action = one("action take(p: Seat, c: K) of civil, war at any moment where p once per turn: stop x")
    assert (action.name, action.params) == ("take", (Arg(p, Name("Seat")), Arg(c, Name("K"))))
    assert [k.word for k in action.clauses] == ["of", "at any moment", "where", "once per"]
    assert action.block == (Sentence("stop", (x,), ()),)
    procedure = one("procedure f(a: K) giving bool")
    assert procedure.type == Name("bool") and procedure.block == ()
    assert one("phase p").params is None


def test_rule_lines() -> None:
    rule = one(
        "rule r\n    modify v(x) in layer a by 1 where b at least 0\n    deny f(x)\n"
        "    after move(m: K, a, b) where c: stop x\n    source p.a of b where c max 1 once per turn\n"
        "    always for every a in b where c: stop x\n"
    )
    modify, deny, after, source, always = rule.block
    assert (modify.word, modify.name, modify.head) == ("modify", "v", expr("v(x)"))
    assert [k.word for k in modify.clauses] == ["in layer", "by", "where", "at least"]
    assert (deny.word, deny.name) == ("deny", "f")
    assert after.head == Call(Name("move"), (Arg(Name("m"), Name("K")), Arg(a), Arg(b)))
    assert after.block == (Sentence("stop", (x,), ()),)
    assert source.head == expr("p.a") and [k.word for k in source.clauses] == ["of", "where", "max", "once per"]
    assert isinstance(always, Loop) and always.word == "always for every"
    assert one("rule r: modify v(x) to 3").block[0].clauses == (Clause("to", (Num(3),)),)


def test_purses() -> None:
    purse = one(
        "purse f(p: Seat)\n    source p.a first\n    for every t in b: source t.c worth t.x to p.s\n"
        "    change from p.b\n"
        "    require over is 0\n    default with highest p.b\n    default ask\n"
    )
    source, loop, change, require, default, ask = purse.block
    assert source.clauses == (Clause("first"),)
    assert loop.block[0].head == expr("t.c")
    assert (change.head, change.clauses) == (expr("p.b"), ())
    assert require.operands == (expr("over is 0"),)
    assert default.clauses == (Clause("with", (Key("highest", expr("p.b")),)),)
    assert ask.head == Name("ask")


def test_cards() -> None:
    card = one(
        'card k "A \\"B\\"": K   [TTA-1]\n    name: en "..", ja "灯"\n    symbols: red 1, meat 2\n    face: "x", y\n'
        "        left: red\n    strip s: A / B + C -> D\n    effect(victim: Nation, n: int): do x()\n"
        "    while p\n        modify v(x) by 1\n"
    )
    assert (card.name, card.text, card.type, card.cites) == ("k", 'A "B"', Name("K"), ("TTA-1",))
    name, symbols, face, strip, effect, active = card.block
    assert name.cells == ((Name("en"), Text("..")), (Name("ja"), Text("灯")))
    assert symbols.cells == ((Name("red"), Num(1)), (Name("meat"), Num(2)))
    assert face.cells == ((Text("x"),), (Name("y"),)) and face.block == (Row(Name("left"), ((Name("red"),),)),)
    joined = StripExpr("->", (StripExpr("+", (Name("B"), Name("C"))), Name("D")))
    assert strip.head == StripExpr("/", (Name("A"), joined))
    assert effect.params == (Arg(Name("victim"), Name("Nation")), Arg(Name("n"), Name("int")))
    assert (active.word, active.head) == ("while", p)


def test_overlays() -> None:
    errata = one(
        'errata e on g because "why" dated "2011"\n    replace a.b was "5c"\n        do x()\n    drop a.c\n'
        "    alter a.x from 4 to 5\n"
        "    insert after a.s\n        step z: do x()\n"
    )
    assert errata.name == "e" and [k.word for k in errata.clauses] == ["on", "because", "dated"]
    replaced, drop, alter, insert = errata.block
    assert (replaced.name, replaced.head, replaced.clauses) == ("a.b", expr("a.b"), (Clause("was", (Text("5c"),)),))
    assert drop.word == "drop" and alter.clauses == (Clause("from", (Num(4),)), Clause("to", (Num(5),)))
    assert insert.word == "insert after" and insert.block[0].name == "z"


def test_rulings() -> None:
    ruling = one(
        'ruling r "title"  [DS-1]\n    given blank\n        match(bird, E4): 0\n        E4.cubes: bird 2, reptile 1\n'
        "    when\n        chance gives seed, 3\n        mammal chooses D3.E, 2\n"
        '    expect\n        card_row[10]: x\n        illegal D2.E because "no"\n        legal a, b\n        asks p\n'
    )
    given, when, expect = ruling.block
    assert (given.name, given.block[0].key) == ("blank", expr("match(bird, E4)"))
    assert given.block[1].cells == ((Name("bird"), Num(2)), (Name("reptile"), Num(1)))
    assert when.block == (
        Answer(Name("chance"), "gives", (Name("seed"), Num(3))),
        Answer(Name("mammal"), "chooses", (expr("D3.E"), Num(2))),
    )
    assert [line.word for line in expect.block[1:]] == ["illegal", "legal", "asks"]
    assert expect.block[2].operands == (a, b)
    position = one('position q "t" from r\n    option o: auto\n    when: do x()\n')
    assert (position.text, position.clauses) == ("t", (Clause("from", (Name("r"),)),))


# ---------------------------------------------------------------- layout


def test_a_line_that_begins_with_a_clause_goes_on() -> None:
    text = "choose a in b\nwhere c\n            and p\n  or x   # why\n\n# more\n    by s\nstop p"
    choice, stop = body(text)
    assert isinstance(choice, Choose)
    assert choice.clauses == (Clause("where", (Bool("or", (Bool("and", (c, p)), x)),)), Clause("by", (s,)))
    assert stop == Sentence("stop", (p,), ())


def test_within_brackets_a_line_does_not_end() -> None:
    assert body("let a = {\n    b,\n  c\n}\nlet b = f(a,\n  c)") == (
        Let("a", None, SetLit((b, c))),
        Let("b", None, expr("f(a, c)")),
    )


def test_citations_hang_on_the_line_on_which_they_stand() -> None:
    text = (
        "phase p  [AB-1]\n    if a: do b()  [AB-2, AB-2.1]\n    else  [AB-3]\n        do c()\n"
        "    do x(s[1],\n        2)  [AB-4]\n"
    )
    phase = one(text)
    assert phase.cites == ("AB-1",)
    branch, last = phase.block
    assert branch.cites == ("AB-2", "AB-2.1") and branch.then[0].cites == ()
    assert branch.orelse[0].cites == ("AB-3",)
    assert last.cites == ("AB-4",)


def test_windows_line_ends_and_a_mark_at_the_beginning() -> None:
    assert one("\ufeffphase p\r\n    do x()\r\n") == one("phase p\n    do x()\n")
