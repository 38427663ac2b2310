"""Messages about hidden things stand at the line that is at fault, and show the calls that bring them there."""

from __future__ import annotations

import pytest

from dsl.base.span import Span
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.load import check_texts

HEAD = """\
enum Cause: played
kind Card: 6
    field price: 0..6
kind Seat
    field points: 0..9
    field bid: 0..5 seen by owner
    zone hand: Card seen by owner
zone stack: Card ordered
field told: 0..9
"""


def found(rules: str, code: str) -> list[Diagnostic]:
    told = check_texts({"x.rules": rules}, None, seats=(2, 3))
    assert {d.code for d in told if d.severity.value == "error"} <= {code}
    return [d for d in told if d.code == code]


def text(rules: str, span: Span) -> str:
    return rules[span.start : span.end]


CALLS = (
    HEAD
    + """\
phase game
    do note(1)
    do outer(p1.bid)
    do other(p1)
    do note(2)
procedure outer(n: 0..5): do note(n)
procedure other(p: Seat)
    let k = p.bid
    do note(k)
"""
)


@pytest.mark.parametrize("asks", [False, True])
def test_a_line_that_reveals_shows_the_calls_that_bring_what_is_hidden(asks: bool) -> None:
    rules = (
        CALLS + "procedure note(n: 0..5)\n" + ("    choose k in 0..2 by p1\n" if asks else "") + "    set told to n\n"
    )
    (note,) = found(rules, "RW1212")
    assert text(rules, note.span) == "set told to n"
    assert [(text(rules, mark.span), mark.text) for mark in note.labels] == [
        ("do note(n)", "`Seat.bid` comes in here"),
        ("do note(k)", "`Seat.bid` comes in here"),
        ("do outer(p1.bid)", "`Seat.bid` comes in here"),
    ]


def test_a_line_that_reads_it_itself_shows_no_calls() -> None:
    rules = CALLS + "procedure note(n: 0..5): set told to p1.bid\n"
    assert [note.labels for note in found(rules, "RW1212")] == [()]


def test_a_choice_shows_the_calls_that_bring_what_is_hidden() -> None:
    rules = (
        CALLS + "procedure note(n: 0..5)\n    choose c in Card where c.price > n by p2\n    move c to stack as played\n"
    )
    (error,) = found(rules, "RW1210")
    assert text(rules, error.span) == "c.price > n"
    assert [text(rules, mark.span) for mark in error.labels] == ["do note(n)", "do note(k)", "do outer(p1.bid)"]


ANSWERS = (
    HEAD
    + """\
phase game
    open to q in seats where any(c in q.hand where c.price is 1): offer answers by q or decline
action counter(q: Seat, c: Card) of answers
    require c in q.hand and c.price is 1
    require size(stack) > 0
    move c to stack as played
"""
)


def test_who_may_answer_is_at_fault_and_not_the_demands_of_the_answer() -> None:
    (error,) = found(ANSWERS, "RW1210")
    assert text(ANSWERS, error.span) == "any(c in q.hand where c.price is 1)"
    assert [(text(ANSWERS, mark.span), mark.text) for mark in error.labels] == [
        ("c in q.hand", "this reads who may answer")
    ]
    assert not found(ANSWERS.replace(" where any(c in q.hand where c.price is 1)", ""), "RW1210")


def test_a_demand_that_is_at_fault_itself_is_told_where_it_stands() -> None:
    rules = ANSWERS.replace(" where any(c in q.hand where c.price is 1)", "").replace(
        "c in q.hand and", "c in p1.hand and"
    )
    (error,) = found(rules, "RW1210")
    assert text(rules, error.span) == "c in p1.hand"
