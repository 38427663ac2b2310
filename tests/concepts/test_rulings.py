"""Rulings mean what they say: where their rows are tested, and what each of them proves."""

from __future__ import annotations

from textwrap import dedent

import pytest

from interpreter.records.ruling import RulingResult, run_ruling
from tests.concepts.play import errors, game

MARKET = """\
enum Fruit: apple, pear
kind Tree: 3
    field ripe: bool
    zone crop: fruit
kind Seat
    zone basket: fruit
    zone points: point
    zone ones: one
    zone twos: two
piece fruit by Fruit each 9 from store
piece point
piece one each 9 from bank
piece two each 9 from vault
zone store: fruit
zone bank: one
zone vault: two
purse money(p: Seat)
    source p.ones worth 1 to bank
    source p.twos worth 2 to vault
action pick(p: Seat, t: Tree) of chores
    require t.ripe because "it is not ripe"
    choose f in Fruit where t.crop[f] > 0
    move 1 fruit[f] from t.crop to p.basket
action rest(p: Seat) of idling
    gain 1 point by p
action buy(p: Seat) of trade
    pay 3 money by p
    gain 2 point by p
action wait(p: Seat) of trade
    gain 1 point by p
procedure work(p: Seat)
    offer chores by p or decline
procedure trade_with(p: Seat)
    offer trade by p or decline
procedure idle(p: Seat)
    offer idling by p
procedure count_to(p: Seat, q: Seat)
    choose number n in 1..3 by p
    gain n point by p
    choose number m in 1..n by q
    gain m point by q
procedure one_each(p: Seat, q: Seat)
    choose number n in 2..2 by p
    gain n point by p
    choose number m in 1..2 by q
    gain m point by q
procedure harvest(p: Seat)
    choose some fs in Fruit exactly 2 by p
    gain size(fs) point by p
    choose some ts in Tree by p
    gain size(ts) point by p
procedure graft(p: Seat)
    choose some ts in Tree where total(ts.crop) > 9 by p
    choose u in Tree by p
    gain size(ts) + (2 if u is tree_2 else 1) point by p
procedure all_grow()
    for every p in seats
        choose amounts k for f in Fruit each 0..p.basket[f] total k exactly min(1, total(p.basket)) by p
        gain sum(f in Fruit: k[f]) point by p
phase game
    for every p in seats
        do work(p)
        do trade_with(p)
        do idle(p)
        do count_to(p, p)
        do one_each(p, p)
        do harvest(p)
        do graft(p)
    do all_grow()
position orchard "two trees, one of them ripe"
    seats: 2
    tree_1.ripe: true
    tree_1.crop: apple 1, pear 1
    tree_2.crop: apple 1
    p1.ones: 1
    p1.twos: 1
"""


def results(rulings: str, rules: str = MARKET) -> dict[str, RulingResult]:
    made = game(rules + dedent(rulings))
    assert made.program.rulings
    return {name: run_ruling(made, ruling) for name, ruling in made.program.rulings.items()}


def run(body: str, given: str = "given orchard") -> RulingResult:
    """The ruling with this body."""
    lines = "\n".join(f"    {line}" for line in dedent(f"{given}\n{body}").splitlines())
    return results(f'ruling R "A ruling"\n{lines}\n')["R"]


def failures(body: str, given: str = "given orchard") -> list[tuple[str, str, str]]:
    return [(f.text, f.expected, f.seen) for f in run(body, given).failures]


def seen(body: str) -> str:
    """What the only failure has seen."""
    ((_, _, found),) = failures(body)
    return found


# ---------------------------------------------------------------- sections, in their order


TWO_QUESTIONS = """\
when
    do count_to(p1, p2)
expect
    asks p1
    legal 3
    p1.points: {before}
when
    p1 chooses 2
expect
    asks p2
    illegal 3
    p1.points: {after}
"""


def test_what_is_expected_in_between_is_tested_in_between() -> None:
    assert run(TWO_QUESTIONS.format(before=0, after=2)).passed
    assert failures(TWO_QUESTIONS.format(before=2, after=0)) == [
        ("p1.points: 2", "2", "0"),
        ("p1.points: 0", "0", "2"),
    ]


def test_a_middle_row_fails_where_it_stands() -> None:
    result = run(TWO_QUESTIONS.format(before=0, after=2).replace("illegal 3", "legal 3"))
    assert [f.text for f in result.failures] == ["legal 3"]
    lines = list(result.transcript)
    assert lines.index("    ok legal 3") < lines.index("    p1 chooses 2") < lines.index("    ok asks p2")


def test_a_step_that_cannot_be_taken_ends_it() -> None:
    result = run(TWO_QUESTIONS.format(before=0, after=2).replace("p1 chooses 2", "p1 chooses 7"))
    assert [f.text for f in result.failures] == ["p1 chooses 7"]


# ---------------------------------------------------------------- what `illegal` proves


def work(row: str) -> str:
    return f"when\n    do work(p1)\nexpect\n    {row}\n"


@pytest.mark.parametrize(
    "row", ["illegal pick tree_2", 'illegal pick tree_2 because "it is not ripe"', "illegal ready", "illegal wait"]
)
def test_a_rule_that_refuses_proves_it(row: str) -> None:
    assert run(work(row)).passed


def test_what_a_rule_says_stands_in_the_transcript() -> None:
    lines = run(work("illegal pick tree_2")).transcript
    assert any(line.startswith("        refused: it is not ripe (`t.ripe` is false)") for line in lines)


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("illegal apple", "no answer to this question: `apple` is not of type Tree"),
        ("illegal pick", "no answer to this question: the answer is missing: t (Tree)"),
        ("illegal pick tree_1 by p2", "no answer to this question: p1 is asked at work.chores, not p2"),
        ("illegal pick tree_1, apple, pear", "the routine has run out; nothing is asked; a row `nothing asked`"),
    ],
)
def test_what_does_not_fit_the_question_proves_nothing(row: str, found: str) -> None:
    assert seen(work(row)).startswith(found)


def test_a_reason_may_say_that_it_does_not_fit() -> None:
    assert run(work('illegal pick tree_1 by p2 because "p1 is asked"')).passed


def test_nothing_asked() -> None:
    over = "when\n    do work(p1)\n    p1 chooses decline\nexpect\n    {}\n"
    assert run(over.format("nothing asked")).passed
    for row in ("illegal pick tree_1", 'illegal pick tree_1 because "nothing is asked"'):
        assert seen(over.format(row)).startswith("the routine has run out; nothing is asked; a row `nothing asked`")
    assert seen(work("nothing asked")) == "p1 is asked at work.chores"
    assert not run("expect\n    illegal pick tree_1").passed, "without any step"


def test_names_are_looked_up_by_the_checker() -> None:
    for row, word in (("illegal tre_1", "tre_1"), ("legal pikc tree_1", "pikc"), ("asks p9", "p9")):
        found = errors(MARKET + 'ruling R "A ruling"\n    given orchard\n' + f"    expect\n        {row}\n")
        assert [(d.code, f"`{word}`" in d.message) for d in found] == [("RW0913", True)], row
    assert not errors(
        MARKET + 'ruling R "A"\n    given orchard\n    expect\n        illegal buy, paying ones 3 back p1.twos 1\n'
    )


# ---------------------------------------------------------------- ways to pay


def buy(row: str) -> str:
    return f"when\n    do trade_with(p1)\nexpect\n    {row}\n"


def test_the_only_way_to_pay_may_be_named() -> None:
    assert run(buy("legal buy, paying ones 1 twos 1")).passed
    assert run(buy("legal buy, paying twos 1 ones 1")).passed, "in any order"
    bought = "when\n    do trade_with(p1)\n    p1 chooses buy, paying ones 1 twos 1\nexpect\n    p1.points: 2\n"
    assert run(bought).passed


def test_naming_the_only_way_is_not_illegal() -> None:
    assert seen(buy("illegal buy, paying ones 1 twos 1")).startswith("it is legal at")


def test_another_way_is_refused_as_a_way() -> None:
    result = run(buy("illegal buy, paying ones 3"))
    assert result.passed
    assert any("`ones 3` is not a way to pay here; possible: `ones 1 twos 1`" in line for line in result.transcript)
    assert run(buy("illegal buy, paying ones 1")).passed, "nor is a part of it"
    assert run(buy('illegal buy, paying ones 1 twos 1, paying ones 1 twos 1 because "no payment"')).passed


def test_a_refused_answer_says_nothing_of_the_way() -> None:
    poor = "given orchard\n    p1.twos: 0"
    ((text, expected, found),) = failures(buy("illegal buy, paying ones 1"), poor)
    assert expected == "a refusal of the way that is named" and "pay 3 money" in found


# ---------------------------------------------------------------- one point in time


def test_legal_is_what_chooses_takes() -> None:
    """The first number is the only possibility: it gives itself, and a step may name it."""
    begun = "when\n    do one_each(p1, p2)\n"
    for answer in ("2 by p1", "1 by p2", "2, 1 by p1", "3 by p2"):
        items, _, who = answer.partition(" by ")
        legal = run(f"{begun}expect\n    legal {answer}\n").passed
        assert legal is run(f"{begun}    {who} chooses {items}\nexpect\n    p1.points: 2\n").passed, answer
        assert legal is not run(f"{begun}expect\n    illegal {answer}\n").passed or answer.startswith("2, 1"), answer
    assert run(f"{begun}expect\n    p1.points: 2\n    asks p2\n").passed


def test_ready_alone_does_not_end_an_answer_that_gave_itself() -> None:
    """Both fruits are the only possibility; `ready` by itself is the answer to the question about trees."""
    begun = "when\n    do harvest(p1)\n"
    for answers in (["ready"], ["apple, pear, ready", "ready"], ["apple, pear", "ready"]):
        steps = "".join(f"    p1 chooses {answer}\n" for answer in answers)
        assert run(f"{begun}{steps}expect\n    p1.points: 2\n    nothing asked\n").passed, answers
    assert run(f"{begun}    p1 chooses tree_2\nexpect\n    p1.points: 3\n").passed


def test_a_member_named_behind_a_set_that_can_only_be_empty() -> None:
    """No tree bears enough for the first question, so the tree that is named answers the second."""
    begun = "when\n    do graft(p1)\n"
    assert run(f"{begun}    p1 chooses tree_2\nexpect\n    p1.points: 2\n    nothing asked\n").passed
    assert "tree_2" in seen(f"{begun}    p1 chooses tree_2, tree_1\nexpect\n    p1.points: 2\n")


def test_amounts_of_the_second_who_is_asked() -> None:
    """The first has nothing to give, which gives itself: what is named is the answer of the second."""
    given = "given orchard\n    p2.basket: apple 2, pear 1\n"
    begun = "when\n    do all_grow()\nexpect\n    asks p2\n"
    assert failures(f"{begun}    legal apple 1\n    legal pear 1\n", given) == []
    assert failures(f"{begun}    illegal apple 2\n    illegal apple 1, pear 1\n    illegal pear 2\n", given) == []
    assert len(failures(f"{begun}    illegal apple 1\n    legal apple 2\n", given)) == 2


# ---------------------------------------------------------------- a question that is left open


def test_a_question_that_is_left_open_is_told() -> None:
    begun = "when\n    do count_to(p1, p2)\n"
    failed = run(f"{begun}expect\n    p1.points: 1\n")
    assert failed.left_open == "p1 at count_to.n" and failed.transcript[-1] == "left open: p1 at count_to.n"
    assert run(f"{begun}expect\n    p1.points: 0\n").left_open == "p1 at count_to.n"
    assert run(f"{begun}expect\n    asks p1\n").left_open == "", "it says so itself"
    assert run(f"{begun}    p1 chooses 1\n    p2 chooses 1\nexpect\n    p1.points: 1\n").left_open == ""


def test_an_answer_too_many_is_told_as_such() -> None:
    steps = "when\n    do count_to(p1, p2)\n    p1 chooses 1\n    p2 chooses 1\n    p2 chooses ready\n"
    steps += "expect\n    p1.points: 1\n"
    assert "the routine has run out; nothing is asked that `ready` could answer" in seen(steps)
