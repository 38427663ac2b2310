"""How diagnostics look in a terminal, and as data."""

from __future__ import annotations

import json

from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from dsl.diagnostics.render import render_json, render_text

TEXT = "value a: int = 1\nmove 1 coin form bag\nvalue 駒 = ﾃﾞ form x\n\tform\n"
SOURCES = {"a.rules": Source("a.rules", TEXT), "b.rules": Source("b.rules", "zone bag: coin\n")}


def at(words: str, nth: int = 1, file: str = "a.rules") -> Span:
    start = -1
    for _ in range(nth):
        start = SOURCES[file].text.index(words, start + 1)
    return Span(file, start, start + len(words))


def found(span: Span, **more: object) -> Diagnostic:
    return Diagnostic("RW0203", Severity.ERROR, span, "unknown word `form`", "did you mean `from`?", **more)  # type: ignore[arg-type]


def test_line_caret_and_help() -> None:
    assert render_text([found(at("form"))], SOURCES) == (
        "a.rules:2:13: error[RW0203]: unknown word `form`\n"
        "2 | move 1 coin form bag\n"
        "  |             ^^^^\n"
        "  = help: did you mean `from`?\n"
    )


def test_wide_signs_and_tabs_keep_the_caret_in_place() -> None:
    wide = render_text([found(at("form", 2))], SOURCES).splitlines()
    assert wide[0].startswith("a.rules:3:14: ")  # code points
    assert wide[2] == "  | " + " " * 14 + "^^^^"  # cells: one wide sign, two half-wide ones
    tab = render_text([found(at("form", 3))], SOURCES).splitlines()
    assert tab[0].startswith("a.rules:4:2: ") and tab[1:3] == ["4 |     form", "  |     ^^^^"]


def test_labels_on_the_same_line_and_in_another_file() -> None:
    labels = (Label(at("move"), "takes from, to, at, as"), Label(at("bag", file="b.rules"), "the zone"))
    assert render_text([found(at("form"), labels=labels)], SOURCES).splitlines()[1:] == [
        "2 | move 1 coin form bag",
        "  |             ^^^^",
        "  | ---- takes from, to, at, as",
        "  : b.rules:1:6",
        "1 | zone bag: coin",
        "  |      --- the zone",
        "  = help: did you mean `from`?",
    ]


def test_a_span_over_lines_and_an_empty_one() -> None:
    over = Span("a.rules", at("coin").start, at("value", 2).end)
    assert render_text([found(over)], SOURCES).splitlines()[2] == "  |        " + "^" * len("coin form bag")
    end = Span("a.rules", len(TEXT), len(TEXT))
    assert render_text([found(end)], SOURCES).splitlines()[:3] == [
        "a.rules:5:1: error[RW0203]: unknown word `form`",
        "5 | ",
        "  | ^",
    ]


def test_sorted_by_file_and_place() -> None:
    later, other, first = found(at("form")), found(at("bag", file="b.rules")), found(at("value"))
    text = render_text([other, later, first], SOURCES)
    assert [row.split(": ")[0] for row in text.splitlines() if "error[" in row] == [
        "a.rules:1:1",
        "a.rules:2:13",
        "b.rules:1:6",
    ]


def test_without_a_source_there_is_no_snippet() -> None:
    assert render_text([found(Span("gone.rules", 3, 4))], {}) == (
        "gone.rules: error[RW0203]: unknown word `form`\n  = help: did you mean `from`?\n"
    )


def test_the_registry_helps_where_the_pass_does_not() -> None:
    bare = Diagnostic("RW0422", Severity.ERROR, at("form"), "division by zero")
    assert "  = help: The second argument of a division is never 0.\n" in render_text([bare], SOURCES)
    assert render_json([bare], SOURCES)[0]["help"] == "The second argument of a division is never 0."


def test_colour_and_terminal_safety() -> None:
    assert "\x1b[31merror[RW0203]\x1b[0m" in render_text([found(at("form"))], SOURCES, colour=True)
    evil = {"e": Source("e", "a \x1b[2J b\n")}
    assert "\x1b" not in render_text([found(Span("e", 0, 1))], evil)


def test_json() -> None:
    fix = Fix(at("form"), "from")
    rows = render_json([found(at("form"), fix=fix, labels=(Label(at("move"), "verb"),))], SOURCES)
    assert json.loads(json.dumps(rows)) == [
        {
            "code": "RW0203",
            "severity": "error",
            "file": "a.rules",
            "line": 2,
            "column": 13,
            "end_line": 2,
            "end_column": 17,
            "message": "unknown word `form`",
            "help": "did you mean `from`?",
            "fix": {"file": "a.rules", "line": 2, "column": 13, "end_line": 2, "end_column": 17, "text": "from"},
            "labels": [
                {"file": "a.rules", "line": 2, "column": 1, "end_line": 2, "end_column": 5, "text": "verb"},
            ],
        }
    ]


def test_of_a_very_long_line_the_part_around_the_marks_is_shown() -> None:
    text = "first " + "x" * 100_000 + " form " + "y" * 100_000 + "\n"
    sources = {"a.rules": Source("a.rules", text)}
    start = text.index("form")
    label = Label(Span("a.rules", 0, 5), "begins here")
    rows = render_text([found(Span("a.rules", start, start + 4), labels=(label,))], sources).splitlines()
    assert rows[1] == "1 | …" + "x" * 99 + " form " + "y" * 295 + "…"
    assert rows[2] == "  | " + " " * 101 + "^^^^"
    assert rows[3:5] == ["1 | first " + "x" * 394 + "…", "  | ----- begins here"]
    end = Span("a.rules", len(text) - 1, len(text))
    assert max(map(len, render_text([found(end), found(Span("a.rules", 0, len(text)))], sources).splitlines())) < 500
