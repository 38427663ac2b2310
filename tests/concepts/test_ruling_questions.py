"""Whose question a row or a step of a ruling is about, and which: questions with one answer give it by themselves."""

from __future__ import annotations

from textwrap import dedent

import pytest

from interpreter.records.ruling import RulingResult, run_ruling
from tests.concepts.play import game

CARAVAN = """\
kind Seat
    zone camel: load
    zone out: load
    field sold: bool
    field n: 0..9
kind Bell: 2
    field cracked: bool
piece load each 9 from depot
zone depot: load
action send(p: Seat, q: Seat) of travel
    require p.camel > 0 because "no load is left"
    require not q.sold because "the camel is sold"
    choose number k in 1..p.camel
    move k load from p.camel to q.out
action stay(p: Seat) of travel
    set p.n to 1
procedure travel_all()
    for every p in seats: offer travel by p
procedure one_each(p: Seat, q: Seat)
    choose number n in 1..1 by p
    set p.n to n
    choose number m in 1..3 by q
    set q.n to m
procedure tithe(p: Seat)
    choose amounts k for q in Seat each 0..q.camel total k exactly 3 by p
    set p.n to 1
procedure mark(p: Seat, q: Seat)
    choose some a in Seat where a.sold by p
    set p.n to size(a)
    choose some b in Seat at most 1 by q
    set q.n to 5 + size(b)
procedure lead(p: Seat)
    choose q in Seat where q.sold by p
    set p.n to 1
    choose r in Seat, b in Bell where not b.cracked because "it is cracked" by p
    set r.n to 2
procedure pack(p: Seat)
    choose some a in Seat at least 1 where a.sold by p
    choose some b in Seat at least 1 by p
    set p.n to size(b)
phase game
    do travel_all()
    do one_each(p1, p2)
    do tithe(p1)
    do mark(p1, p2)
    do pack(p1)
    do lead(p1)
    for every b in Bell where size(depot) < 2: set b.cracked to true
    for every p in seats: move all load from p.out to depot
    for every p in seats where p.n > 8: set p.sold to true
position camp "three camels"
    seats: 3
"""


def run(do: str, rows: str, given: str = "") -> RulingResult:
    """The ruling that calls a routine, with what follows; `given`: rows between semicolons."""
    body = "given camp\n" + "".join(f"    {line}\n" for line in given.split("; ") if line)
    body += f"when\n    do {do}\n{dedent(rows)}"
    made = game(CARAVAN + 'ruling R "A ruling"\n' + "".join(f"    {line}\n" for line in body.splitlines()))
    return run_ruling(made, made.program.rulings["R"])


def fails(do: str, row: str, given: str = "") -> str:
    """What the only row has seen, which fails."""
    (failure,) = run(do, f"expect\n    {row}\n", given).failures
    return failure.seen


# ---------------------------------------------------------------- whose reason


def test_a_word_that_an_only_answer_took_leaves_the_row_to_the_question_behind_it() -> None:
    """`p2` is the only answer of the question before, and a bell is no answer to the words that would be left."""
    result = run(
        "lead(p1)",
        """\
        expect
            asks p1
            legal p2, bell_2
            illegal p2, bell_1
            illegal p2, bell_1 because "it is cracked"
    """,
        "p2.sold: true; bell_1.cracked: true",
    )
    assert [failure for failure in result.failures if "left open" not in str(failure)] == []
    assert "is not of type" in fails("lead(p1)", "illegal bell_1, p2", "p2.sold: true")


def test_a_reason_counts_for_who_is_asked() -> None:
    """The first seat has no load and stays by itself; the second has two, so that no reason of the first is its own."""
    given = "p2.camel: 2"
    assert fails("travel_all()", 'illegal send(p1), 3 because "no load is left"', given) == "refused: 3 is outside 1..2"
    assert run("travel_all()", 'expect\n    illegal send(p1), 3 because "outside 1..2"\n', given).passed
    assert run("travel_all()", 'expect\n    illegal send(p1) by p1 because "no load is left"\n', given).passed
    assert "no load" not in fails("travel_all()", 'illegal send(p1) by p3 because "no load is left"', given)


def test_a_reason_of_one_of_several_who_are_no_longer_asked_needs_his_name() -> None:
    assert "nothing is asked" in fails("travel_all()", 'illegal send(p1) because "no load is left"')
    assert run("travel_all()", 'expect\n    illegal send(p1) by p2 because "no load is left"\n').passed
    assert run("travel_all()", "expect\n    illegal send(p1)\n").passed, "it is so for all of them"


def test_what_a_question_with_one_answer_does_not_take_is_a_refusal() -> None:
    """One load: the number gives itself, and 2 is none that the next question could take."""
    assert run("travel_all()", "expect\n    illegal send(p2), 2\n", "p1.camel: 1; p3.camel: 2").passed
    assert run("travel_all()", 'expect\n    illegal send(p2), 2 because "2 is outside 1..1"\n', "p1.camel: 1").passed
    assert fails("travel_all()", "illegal send(p2), 1", "p1.camel: 1").startswith("it is legal")


# ---------------------------------------------------------------- `ready` behind members


@pytest.mark.parametrize(
    ("row", "holds"),
    [
        ("legal p1 1, p2 2", True),
        ("legal p1 1, p2 2, ready", True),
        ("legal p2 2", True),
        ("illegal p2 2, ready", True),
        ("illegal p1 1, ready", True),
        ("illegal p2 1, ready", True),
    ],
)
def test_ready_says_that_there_are_no_others(row: str, holds: bool) -> None:
    """One load and two: all three are the only possibility."""
    assert run("tithe(p1)", f"expect\n    {row}\n", "p1.camel: 1; p2.camel: 2").passed is holds


# ---------------------------------------------------------------- the same question


def test_a_step_answers_the_question_that_the_rows_looked_at() -> None:
    """Nobody has sold, so that the first set is empty by itself; `ready` behind rows about the second ends that."""
    begun = "expect\n    asks p2\n    legal p1\nwhen\n    {}\nexpect\n    {}\n"
    for step, after in (("p2 chooses ready", "p2.n: 5"), ("p2 chooses p1", "p2.n: 6")):
        assert run("mark(p1, p2)", begun.format(step, after)).failures == ()
    wrong = run("mark(p1, p2)", begun.format("p1 chooses ready", "p2.n: 0"))
    assert [f.text for f in wrong.failures] == ["p1 chooses ready"] and "p2 is asked" in wrong.failures[0].seen


def test_ready_is_no_answer_to_a_question_before() -> None:
    """The first question has one answer, and the second needs a member: `ready` is refused there."""
    rows = "expect\n    legal p2, p3\nwhen\n    p1 chooses ready\nexpect\n    p1.n: 0\n"
    assert [f.text for f in run("pack(p1)", rows, "p3.sold: true").failures] == ["p1 chooses ready"]
    named = rows.replace("chooses ready", "chooses p3, ready, p2")
    assert run("pack(p1)", named.replace("p1.n: 0", "p1.n: 1"), "p3.sold: true").passed


def test_a_step_that_names_the_only_answer_says_so() -> None:
    said = "        (the only answer at one_each.n)"
    begun = "    {}\nexpect\n    p1.n: 1\n    p2.n: 2\n"
    named = run("one_each(p1, p2)", begun.format("p1 chooses 1\n    p2 chooses 2"))
    assert named.passed and named.transcript[named.transcript.index("    p1 chooses 1") + 1] == said
    plain = run("one_each(p1, p2)", begun.format("p2 chooses 2"))
    assert plain.passed and not any("only answer" in line for line in plain.transcript)
    behind = run(
        "one_each(p1, p2)", "expect\n    legal 3 by p2\nwhen\n    p1 chooses 1\n    p2 chooses 2\nexpect\n    p2.n: 2\n"
    )
    assert behind.passed and said in behind.transcript, "behind rows, too"
    both = run("tithe(p1)", "    p1 chooses p1 1, p2 2, ready\nexpect\n    p1.n: 1\n", "p1.camel: 1; p2.camel: 2")
    assert both.passed and "        (the only answer at tithe.k)" in both.transcript


# ---------------------------------------------------------------- nobody is asked


@pytest.mark.parametrize("row", ["options: p1 2", "options: none", "asks p2", "over: true"])
def test_where_nobody_is_asked_the_row_says_why(row: str) -> None:
    seen = fails("tithe(p1)", row, "p1.camel: 3")
    assert seen.startswith("the routine has run out; nothing is asked: the only answer of p1 at tithe.k, `p1 3")
    assert seen.endswith("gave itself")


def test_where_nobody_was_asked_at_all_nothing_more_is_said() -> None:
    (failure,) = run("one_each(p1, p2)", "    p2 chooses 2\nexpect\n    asks p1\n").failures
    assert failure.seen == "the routine has run out; nothing is asked"


def test_what_is_tried_leaves_nothing_in_the_transcript() -> None:
    """A step behind rows is tried at the question that they looked at; only what it does then is traced, once."""
    body = "given camp\nwhen\n    do mark(p1, p2)\nexpect\n    legal p1\nwhen\n    p2 chooses p1\nexpect\n    p2.n: 6\n"
    made = game(CARAVAN + 'ruling R "A ruling"\n' + "".join(f"    {line}\n" for line in body.splitlines()))
    lines = run_ruling(made, made.program.rulings["R"], traced=True).transcript
    assert [line.strip() for line in lines].count("Seat.n[p2]: 0 -> 6") == 1


# ---------------------------------------------------------------- answers before their turn

BIDS = """\
kind Seat
    field coins: 0..9
    field bid: 0..9
    field seen: 0..9
procedure bids()
    for every p in seats at once
        choose number n in 0..p.coins by p
        set p.bid to n
        set p.seen to sum(q in seats: q.bid)
    for every p in seats where p.bid > 0
        choose number n in 0..p.bid by p
        set p.seen to n
phase game
    do bids()
position table_of_three "who has no coin has one answer only"
    seats: 3
    p3.coins: 5
"""


@pytest.mark.parametrize("more", ["", "p2.coins: 2"])
def test_an_answer_before_its_turn_is_taken_when_the_rules_come_to_it(more: str) -> None:
    """With nothing to bid the others have one answer each, which gives itself; p3 has answered before."""
    rows = "p3 chooses 4\n" + ("expect\n    asks p2\n    p3.bid: 0\nwhen\n    p2 chooses 1\n" if more else "")
    rows += (
        "p3 chooses 2\nexpect\n    p3.bid: 4\n    p3.seen: 2\n"
        if not more
        else "expect\n    p3.bid: 4\n    p2.bid: 1\n"
    )
    body = ["given table_of_three", f"    {more}" if more else "", "when", "    do bids()"]
    for line in rows.splitlines():
        body.append(line if line.startswith(("expect", "when", "    ")) else f"    {line}")
    made = game(BIDS + 'ruling R "A ruling"\n' + "".join(f"    {line}\n" for line in body if line))
    result = run_ruling(made, made.program.rulings["R"])
    assert result.passed, [f"{f.text}: {f.seen}" for f in result.failures]
