"""What the parser says about mistakes of form: one message for one mistake, at its line, with the way out."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.diagnostics.pages import read_pages
from dsl.diagnostics.render import first_sentences
from dsl.syntax import parser
from dsl.syntax.nodes import Decl
from dsl.syntax.parser import parse_answers, parse_expr, parse_file
from dsl.syntax.vocabulary import CLAUSES, TABLE
from tests.dsl.corpus import TEXTS

OWN = {code: page for code, page in read_pages().items() if code.startswith("RW01")}
Shown = tuple[int, str, str]


def found(text: str) -> list[Diagnostic]:
    return parse_file("t", text)[1]


def shown(text: str) -> list[Shown]:
    """(line, code, what the span covers) of every message."""
    source = Source("t", text)
    return [(source.place(d.span.start)[0], d.code, text[d.span.start : d.span.end]) for d in found(text)]


def inside(line: str) -> list[tuple[str, str]]:
    """(code, what the span covers) for one line of a procedure."""
    return [(code, what) for _, code, what in shown(f"procedure f()\n    {line}\n")]


# ---------------------------------------------------------------- the codes


def test_there_are_many_codes_and_all_are_registered() -> None:
    assert len(OWN) >= 25
    assert all(page.code == code and first_sentences()[code] for code, page in OWN.items())


@pytest.mark.parametrize("code", sorted(code for code in OWN if code <= "RW0130"))
def test_the_examples_of_a_code_show_it(code: str) -> None:
    page = OWN[code]
    assert [d.code for d in found(page.wrong)] == [code]
    assert found(page.right) == []
    assert all(d.help for d in found(page.wrong))


def test_the_codes_of_the_parser_are_used_and_registered() -> None:
    folder = Path(parser.__file__).parent
    builders = ("build_expressions", "build_blocks", "build_lines")
    modules = ("parser", "lexer", "indentation", *builders, "form", "errors")
    text = "".join((folder / f"{name}.py").read_text(encoding="utf-8") for name in modules)
    later = ("RW0137", "RW0138")
    assert set(re.findall(r"RW01\d\d", text)) == {code for code in OWN if code <= "RW0130" or code in later}


# ---------------------------------------------------------------- the words of a message


@pytest.mark.parametrize(
    ("line", "code", "what", "help"),
    [
        ("mvoe a to b", "RW0109", "mvoe", "`move`"),
        ("for evry a in b: do c()", "RW0109", "for evry", "`for every`"),
        ("togehter: do c()", "RW0109", "togehter", "`together`"),
        ("move a form b to c", "RW0111", "form", "`from`"),
        ("gain 2 a yb b", "RW0111", "yb", "`by`"),
        ("choose a in b at laest 3", "RW0111", "at laest", "`at least`"),
        ("choose a in b or declin", "RW0111", "or declin", "`or decline`"),
        ("choose a in b where c or declin", "RW0111", "declin", "`or decline`"),
        ("let a = count(b in c wher d)", "RW0111", "wher", "`where`"),
        ("for every a ni b: do c()", "RW0111", "ni", "`in`"),
        ("if a = b: do c()", "RW0112", "=", "`is`"),
        ("choose a in b where c = 3", "RW0112", "=", "`is`"),
        ("set a = b", "RW0112", "=", "`set field to value`"),
        ("a = b", "RW0112", "=", "`let a = ...`"),
        ("let a = b == c", "RW0112", "==", "`is`"),
        ("c(a)", "RW0113", "c", "`do c(...)`"),
        ("a.b.c(a)", "RW0113", "a", "`do a.b.c(...)`"),
        ("if a do c()", "RW0114", "do", "`if ...: do ...`"),
        ("at end of turn do c()", "RW0114", "do", "`at end of ...: do ...`"),
        ("let a = sum(b in c b.d)", "RW0114", "b", "`sum(x in S: expression)`"),
        ("for every a in b", "RW0115", "for every", "behind a `:`"),
        ("move a to b: do c()", "RW0116", "d", "line of its own"),
        ("move a to b where c", "RW0119", "where", "belongs to"),
        ("move a to b to c", "RW0118", "to", "keep one"),
        ("choose a in b where c where d", "RW0118", "where", "join the two by `and`"),
        ("choose a in b where c where d", "RW0118", "where", "a `because` of its own"),
        ("set a", "RW0120", "set", "`to`"),
        ("for every a in b: if c: do d()", "RW0121", "c", "indented by four more spaces"),
        ("let a =", "RW0122", "=", "expression"),
        ("let a = (b c)", "RW0123", "c", "`)`"),
        ("let a", "RW0124", "", "`let name = value`"),
        ("do a() b", "RW0125", "b", "`do` takes"),
        ("a: b", "RW0126", "a", "verb"),
        ("let a = b if c", "RW0129", "if", "`X if P else Y`"),
    ],
)
def test_messages(line: str, code: str, what: str, help: str) -> None:
    assert inside(line) == [(code, what)]
    assert help in (found(f"procedure f()\n    {line}\n")[0].help or "")


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("phse a\n    do b()\n", "RW0109", "did you mean `phase`?"),
        ("valeu a(): int = 3\n", "RW0109", "did you mean `value`?"),
        ("gadget a to b\n", "RW0110", "declarations"),
        ("zone a K\n", "RW0114", "`zone name: type`"),
        ("field a bool\n", "RW0114", "`field name: type`"),
        ("value a(b: C) set of D = b\n", "RW0114", "`value name: type`"),
        ("card a: K\n    cost 3\n", "RW0119", "needs a `:` after its key: `cost: ...`"),
        ("card a: K\n    stages 3\n", "RW0114", "needs a `:`"),
        ("zone a.b: K\n", "RW0127", "`zone name`"),
        ("phase a\n    do b()\nmove c to d\n", "RW0128", "under the declaration"),
        ("ruling r\n    when\n        a choses b\n", "RW0111", "did you mean `chooses`?"),
        ("ruling r\n    hwen: do b()\n", "RW0109", "did you mean `when`?"),
    ],
)
def test_messages_about_declarations(text: str, code: str, words: str) -> None:
    (diagnostic,) = found(text)
    assert diagnostic.code == code
    assert words in (diagnostic.help or "")


def test_a_wrong_clause_names_those_that_are_right() -> None:
    (diagnostic,) = found("procedure f()\n    move a form b to c\n")
    assert diagnostic.message == "`move` takes `from`, `to`, `at`, `as` and `of`; I read `form`"
    assert diagnostic.help == "did you mean `from`?"


def test_the_first_of_two_clauses_is_shown_too() -> None:
    text = "procedure f()\n    move a to b to c\n"
    (diagnostic,) = found(text)
    (label,) = diagnostic.labels
    assert text[label.span.start : label.span.end] == "to b"


def test_a_single_expression_has_messages_of_its_own() -> None:
    assert [d.code for d in parse_expr("t", "")[1]] == ["RW0122"]
    assert [d.code for d in parse_expr("t", "a +")[1]] == ["RW0124"]
    assert [d.code for d in parse_expr("t", "a b")[1]] == ["RW0123"]
    assert [d.code for d in parse_answers("t", "a, , b")[1]] == ["RW0123"]
    assert parse_answers("t", "a, (b")[0] == ()


# ---------------------------------------------------------------- recovery

BLOCKS = """\
procedure one()
    do a()
    mvoe b to c
    do d()
procedure two()
    if x
        set y = 3
    do e()
value three(): int = 3
"""


def test_two_mistakes_in_two_blocks_are_two_messages() -> None:
    assert shown(BLOCKS) == [(3, "RW0109", "mvoe"), (7, "RW0112", "=")]


def test_the_tree_holds_what_could_be_read() -> None:
    file, _ = parse_file("t", BLOCKS)
    first, second, third = file.lines
    assert isinstance(first, Decl) and [line.word for line in first.block if hasattr(line, "word")] == ["do", "do"]
    assert isinstance(second, Decl) and len(second.block) == 2
    assert isinstance(third, Decl) and third.name == "three"


def test_names_of_unreadable_lines_are_kept() -> None:
    file, _ = parse_file(
        "t", "valeu cost(p: Seat): int = 3\nprocedure f()\n    let high = (3\n    choose b in seats, q\n"
    )
    assert {"cost", "high", "b"} <= set(file.unknown)
    assert parse_file("t", "value cost(p: Seat): int = 3\n")[0].unknown == ()


def test_a_broken_block_hides_nothing_around_it() -> None:
    text = "procedure f()\n    fro every a in b\n        set c to d e f\n    set c to d e f\n"
    assert [(line, code) for line, code, _ in shown(text)] == [(2, "RW0109"), (4, "RW0123")]


def test_a_broken_if_does_not_make_its_else_an_orphan() -> None:
    assert shown("procedure f()\n    if a b\n        do c()\n    else: do d()\n") == [(2, "RW0123", "b")]


def test_a_broken_line_is_a_line_of_its_block() -> None:
    assert shown("procedure f()\n    for every a in b\n        mvoe c to d\n") == [(3, "RW0109", "mvoe")]


def test_a_lost_bracket_does_not_eat_what_follows() -> None:
    text = "procedure f()\n    for every a in b(c\n        do d()\n    do e(\nprocedure g()\n    do h)\n"
    assert shown(text) == [(2, "RW0104", "("), (4, "RW0104", "("), (6, "RW0105", ")")]


def test_the_innermost_bracket_is_the_one_not_closed() -> None:
    assert inside("let a = b(c[1)") == [("RW0104", "[")]
    assert inside("let a = b(c1])") == [("RW0105", "]")]


def test_after_ten_mistakes_a_piece_is_given_up() -> None:
    text = "procedure f()\n" + "    mvoe a to b\n" * 15 + "procedure g()\n    mvoe a to b\n"
    assert [line for line, _, _ in shown(text)] == [*range(2, 12), 18]


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("phase a\n\tdo b()\n\tdo c()\n", [(2, "RW0101"), (3, "RW0101")]),
        ("phase a\n    if b\n      do c()\n    do d()\n", [(3, "RW0102")]),
        ("phase a\n    do b()\n      do c()\n    do d()\n", [(3, "RW0102")]),
        ("phase a\n    if b\n            do c()\n    do d()\n", [(3, "RW0103")]),
        ("phase a\n    do b()\n        do c()\n    do d()\n", [(3, "RW0116")]),
        ("phase a\n    if b\n    do c()\n        do d()\n    do e()\n", [(3, "RW0102")]),
        ("phase a\nfor every b in c\n        do d()\n    do e()\n", [(2, "RW0128")]),
        (
            "phase a\n    if b\n        if c\n                do d()\n                do e()\n",
            [(4, "RW0103")],
        ),
        ("phase a\n            if b\n                do d()\n                do e()\n    do f()\n", [(2, "RW0103")]),
        ("    phase a\n", [(1, "RW0102")]),
        ("phase a\n           do b()\n", [(2, "RW0102")]),
    ],
)
def test_indentation(text: str, messages: list[tuple[int, str]]) -> None:
    assert [(line, code) for line, code, _ in shown(text)] == messages


def test_layout_is_mended_so_that_the_tree_is_whole() -> None:
    right = "phase a\n    if b\n        do c()\n    do d()\n"
    for wrong in (
        "phase a\n    if b\n      do c()\n    do d()\n",
        "phase a\n    if b\n            do c()\n    do d()\n",
        "phase a\n  if b\n        do c()\n    do d()\n",
        "phase a\n\tif b\n        do c()\n    do d()\n",
    ):
        assert parse_file("t", wrong)[0] == parse_file("t", right)[0]
        assert len(found(wrong)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "value v(): int = " + "(" * 5000 + "1" + ")" * 5000,
        "value v(): int = " + "1 + " * 5000 + "1",
        "value v(): int = " + "- " * 5000 + "1",
        "value v(): bool = " + "not " * 5000 + "a",
        "value v(): int = a" + ".b" * 5000,
        "value v(): int = a" + "[1]" * 5000,
        "value v(): int = f(x" + ", 1 + f(x" * 3000 + ")" * 3001,
        "value v(): int = " + "f(1, 2) + " * 3000 + "1",
        "field v: " + "set of " * 5000 + "a",
        "phase p: " + "together: " * 5000 + "do x()",
        "phase p\n" + "".join("    " * (i + 1) + "together\n" for i in range(300)),
        "phase p\n    if a: do x()\n" + "    else if b: do x()\n" * 1000,
    ],
)
def test_no_depth_exhausts_a_later_pass(text: str) -> None:
    assert {code for _, code, _ in shown(text + "\nvalue w(): int = 1\n")} <= {"RW0130", "RW0115"}
    assert "RW0130" in [code for _, code, _ in shown(text + "\n")]


def test_a_monstrous_line_is_refused_soon() -> None:
    begun = time.process_time()
    assert len(found("phase p\n    let a = {" + "b, " * 30000 + "c d}\n    do x()\n")) == 1
    assert time.process_time() - begun < 20


def test_long_is_not_deep() -> None:
    assert found("enum E: " + ", ".join(f"m{i}" for i in range(400)) + "\n") == []
    assert found("value v(): bool = " + " or ".join(f"m{i} is {i}" for i in range(400)) + "\n") == []
    assert found("const c: set of E = {" + ", ".join(f"D{i}.E" for i in range(400)) + "}\n") == []


# ---------------------------------------------------------------- slips

Slip = tuple[str, int, int, str]  # sort, offset, length, replacement


def slips(text: str, chance: random.Random) -> list[Slip]:
    """Single mistakes that a tired person makes in this text."""
    made: list[Slip] = []
    offset = 0
    clause = re.compile(" (" + "|".join(sorted(CLAUSES, key=len, reverse=True)) + ") (?=[a-z(])")
    first_words = {word.split()[0] for word in TABLE}
    for line in text.splitlines(keepends=True):
        code = re.sub(r"\[[A-Z]{2,}-.*?\]", lambda m: " " * len(m[0]), line.rstrip("\n"))
        code = re.sub(r'"[^"]*"', lambda m: '"' + "_" * (len(m[0]) - 2) + '"', code)
        code = re.sub(r"#.*", "", code)
        made += [("bracket", offset + m.start(), 1, "") for m in re.finditer(r"[()\[\]{}]", code)]
        made += [("colon", offset + m.start(), 1, "") for m in re.finditer(":", code)]
        made += [("quote", offset + m.start(), 1, "") for m in re.finditer('"', code)]
        for m in clause.finditer(code):
            made.append(("clause", offset + m.start(1), len(m[1]), misspelt(m[1], chance)))
        word = re.match(r" *([a-z]{3,})", code)
        if word and word[1] in first_words and not re.match(r" *\w+[.\[:]", code):
            made.append(("first word", offset + word.start(1), len(word[1]), misspelt(word[1], chance)))
        if code.startswith("    "):
            made += [("two more", offset, 0, "  "), ("two less", offset, 2, ""), ("tab", offset, 4, "\t")]
        offset += len(line)
    return [slip for slip in made if " " not in slip[3].strip(" ") or slip[0] == "clause"]


def misspelt(word: str, chance: random.Random) -> str:
    """Two neighbouring letters in the wrong order, or one letter less."""
    places = [i for i in range(len(word) - 1) if word[i] != word[i + 1] and " " not in word[i : i + 2]]
    at = chance.choice(places)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def test_single_slips_give_one_message_at_their_line() -> None:
    chance = random.Random(1)
    every = [(name, slip) for name in sorted(TEXTS) for slip in slips(TEXTS[name], chance)]
    right, wrong = 0, []
    for name, (sort, offset, length, new) in chance.sample(every, 240):
        text = TEXTS[name][:offset] + new + TEXTS[name][offset + length :]
        line = text.count("\n", 0, offset) + 1
        messages = shown(text)
        if [place for place, _, _ in messages] == [line]:
            right += 1
        else:
            wrong.append((sort, name, line, text.splitlines()[line - 1], messages))
    assert right >= 240 * 0.95, wrong


def test_no_slip_breaks_the_parser() -> None:
    """Whatever is lost, the answer is a tree and messages, never an exception."""
    chance = random.Random(7)
    text = TEXTS["constructs.rules"]
    for _ in range(80):
        at = chance.randrange(len(text))
        cut = (
            text[:at]
            + chance.choice(["", ")", "(", '"', "\n", "\t", ":", " if ", "é", "]", " in "])
            + text[at + chance.randrange(4) :]
        )
        file, messages = parse_file("t", cut)
        assert all(0 <= d.span.start <= d.span.end <= len(cut) for d in messages)
        assert len(file.lines) > 20
