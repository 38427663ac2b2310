"""Local names in values (docs/manual/05-values-and-layers.md): each is worked out once for a call, where it is first
read, and never where it is not; folds do the same with what does not depend on their members."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import interpreter as rw
from dsl import ir
from dsl.driver.load import check_texts
from dsl.program import Program
from interpreter.core.errors import RulesetError
from interpreter.machine.machine import Machine
from tests.concepts.play import answer_all, errors, game, options, play_on_both, start, value

BASE = """
kind Seat
    field level: 0..9
    field friend: Seat or none
kind Stone: 6
    field weight: 0..9
    field near: set of Stone
"""
GAME = """
phase game
    set p1.level to 2
    set stone_1.near to {stone_2, stone_3}
    set stone_2.near to {stone_1}
    set stone_3.near to {stone_4}
    set stone_2.weight to 3
    set stone_3.weight to 4
    set stone_4.weight to 9
    for every p in seats
        choose number n in 0..3 by p
        set p.level to n
"""
GROUP = """
value group(s: Stone): set of Stone = reach(x in {s}, y in x.near)
"""


def program_of(rules: str) -> Program:
    return game(BASE + rules + GAME, seats=(2, 2)).program


def on_both(rules: str, name: str, *args: str) -> Any:
    """A value at the first question, which must be the same in both back ends."""
    program = program_of(rules)
    found = [value(rw.Game(program, backend).new(seed=1), name, *args) for backend in ("wasm", "reference")]
    assert found[0] == found[1]
    return found[0]


def times_searched(program: Program, name: str, *args: int) -> int:
    """How often the reference searches while it works out a value of a game that has begun."""
    state = rw.Game(program, "reference").new(seed=1)
    machine = Machine(program)
    machine.words = state.words
    search, found = machine.ev[ir.Reach], 0

    def count(*how: Any) -> Any:
        nonlocal found
        found += 1
        return search(*how)

    machine.ev[ir.Reach] = count
    machine.eval_fn(state.words, program.function_names[name], list(args))
    return found


WEIGHT = (
    GROUP
    + """
value pull(s: Stone): int
    let g = group(s)
    let heavy = sum(x in g: x.weight)
    = heavy + size(g) if s.weight < 3 else count(y in Stone where y in g)
value pull_at_length(s: Stone): int
    = sum(x in group(s): x.weight) + size(group(s)) if s.weight < 3 else count(y in Stone where y in group(s))
value all_pulls(): int = sum(s in Stone: pull(s))
value all_at_length(): int = sum(s in Stone: pull_at_length(s))
"""
)


def test_a_name_stands_for_its_value_in_the_lines_after_it() -> None:
    # 5: stone_1 reaches stones 1 to 4, of weights 0, 3, 4, 9, so 16 + 4; stone_2 weighs 3 and counts them.
    assert on_both(WEIGHT, "pull", "stone_1") == 20 and on_both(WEIGHT, "pull", "stone_2") == 4
    assert on_both(WEIGHT, "pull", "stone_6") == 1
    assert on_both(WEIGHT, "all_pulls") == on_both(WEIGHT, "all_at_length")
    play_on_both(program_of(WEIGHT), 3)


def test_a_name_is_worked_out_once_for_a_call() -> None:
    # 5: three places read `g`; written out, the last of them searches for each of six stones.
    program = program_of(WEIGHT)
    first = program.domains["Stone"].values[0]
    assert [times_searched(program, "pull", first + n) for n in (0, 1)] == [1, 1]
    assert [times_searched(program, "pull_at_length", first + n) for n in (0, 1)] == [2, 6]


LAZY = """
value share(p: Seat): int
    let part = div_down(12, p.level)
    = part if p.level > 0 else 0
value shares(p: Seat): int
    let part = div_down(12, p.level)
    let more: 0..99 = part + 1
    = sum(q in seats where q.level > 1: more + part)
value always(p: Seat): int
    let part = div_down(12, p.level)
    = part + 1
"""


def test_a_name_that_is_not_read_costs_and_fails_nothing() -> None:
    # 5: p2 has level 0, by which nothing can be divided; p1 has 2.
    assert on_both(LAZY, "share", "p1") == 6 and on_both(LAZY, "share", "p2") == 0
    assert on_both(LAZY, "shares", "p1") == 13
    for backend in ("wasm", "reference"):
        state = rw.Game(program_of(LAZY), backend).new(seed=1)
        for name in ("always", "shares"):
            with pytest.raises(RulesetError, match="divided by 0"):
                value(state, name, "p2")
        answer_all(state, "0")  # nobody's level is above 1, so `shares` reads neither name
        assert value(state, "shares", "p2") == 0


def test_names_are_narrowed_and_typed_like_locals() -> None:
    # 1 and 5: a test counts for a name; a declared type is kept to.
    rules = """
value trust(p: Seat): int at least 1
    let f: Seat or none = p.friend
    let few: 0..3 = 2
    = f.level + few if f is not none else few - 2
"""
    assert on_both(rules, "trust", "p1") == 1
    wrong = errors(BASE + "value a(p: Seat): int\n    let f = p.friend\n    = f.level\n" + GAME)
    assert [d.code for d in wrong] == ["RW0401"]
    wrong = errors(BASE + "value a(p: Seat): int\n    let f: 0..3 = seats\n    = f\n" + GAME)
    assert [d.code for d in wrong] == ["RW0402"]


def test_layers_and_permissions_work_on_the_whole() -> None:
    # 5: `modify` lines do not see the names; bounds may read them.
    rules = """
value cost(p: Seat): int at most top
    let top = p.level + 3
    = top - 1
value may(p: Seat): bool
    let free = p.level > 1
    = free or p.friend is not none
rule lines
    modify cost(q) by 1 where q.level is 2
    modify cost(q) by 4 where q.level is 0
    deny may(q) where q is p2
"""
    assert [on_both(rules, "cost", p) for p in ("p1", "p2")] == [5, 3]
    assert [on_both(rules, "may", p) for p in ("p1", "p2")] == [True, False]
    seen = errors(BASE + rules.replace("by 4 where", "by top where") + GAME)
    assert [d.code for d in seen] == ["RW0205"]


@pytest.mark.parametrize(
    "lines, code",
    [
        ("value a(p: Seat): int\n    let f = b(p)\n    = f\nvalue b(p: Seat): int = a(p)\n", "RW0805"),
        ("value a(p: Seat): int\n    let f = 3\n    = p.level\n", "RW0802"),
        ("value a(p: Seat): int\n    let p = 3\n    let seats = 2\n    = p\n", "RW0204"),
        ("value a(p: Seat): int\n    let f = none\n    = p.level\n", "RW0606"),
        ("value a(p: Seat): int\n    let f = p.level\n", "RW0801"),
        ("value a(p: Seat): int\n    set p.level to 2\n    = p.level\n", "RW0443"),
        ("value a(p: Seat): int = 3\n    = p.level\n", "RW0443"),
        ("procedure a(p: Seat)\n    let f = p.level\n    = f\n", "RW0604"),
    ],
)
def test_what_is_wrong_with_names(lines: str, code: str) -> None:
    found = [d.code for d in check_texts({"small.rules": BASE + lines + GAME}, None, seats=(2, 2))]
    assert code in found


SECRET = """
kind Seat
    field hand: 0..9 seen by owner
    field shown: 0..9
value rich(p: Seat): bool
    let h = p.hand
    = any(q in seats where q is p: h + q.shown > 4)
phase game
    set p1.hand to 5
    choose q in seats WHERE by p1
    set q.shown to 1
"""


def test_checks_and_readers_see_through_a_name() -> None:
    # 16: a choice of p1 may be decided by what p1 holds, not by the hand of another.
    assert not errors(SECRET.replace("WHERE", "where q is not p1 or rich(p1)"))
    assert [d.code for d in errors(SECRET.replace("WHERE", "where rich(q)"))] == ["RW1210"]
    s = start(SECRET.replace("WHERE", "where q is not p1 or not rich(p1)"), seats=(2, 2))
    assert options(s) == ["p2"]
    own, other = rw.explain(s, "p1"), rw.explain(s, "p1", seat=2)
    assert not own[0].hidden and other[0].hidden


FOLDS = (
    GROUP
    + """
value near_one(): int = count(x in Stone where x in group(stone_1))
value two_deep(s: Stone): int = sum(x in Stone: count(y in Stone where y in group(s) or y in group(x)))
value steps(): set of Stone = reach(x in {stone_1}, y in x.near where y in group(stone_1))
value guarded(p: Seat): int
    = count(x in Stone where x.weight > 99 - p.level and size(group(x)) < div_down(size(group(stone_1)), p.level))
value no_member(p: Seat): int = sum(x in p1_stones(): div_down(size(group(stone_1)) + x.weight, p.level))
value p1_stones(): set of Stone = set(x in Stone where x.weight > p1.level + 90)
"""
)


def test_what_does_not_depend_on_a_member_is_read_only_where_it_counts() -> None:
    # Without members, or where an earlier test fails, nothing is divided by the 0 of p2.
    for name, args in [("near_one", ()), ("two_deep", ("stone_3",)), ("steps", ()), ("guarded", ("p2",))]:
        on_both(FOLDS, name, *args)
    assert on_both(FOLDS, "near_one") == 4 and on_both(FOLDS, "guarded", "p2") == 0
    assert on_both(FOLDS, "no_member", "p2") == 0
    program = program_of(FOLDS.replace("p1.level + 90", "p1.level"))
    for backend in ("wasm", "reference"):
        with pytest.raises(RulesetError, match="divided by 0"):
            value(rw.Game(program, backend).new(seed=1), "no_member", "p2")


def test_a_body_keeps_no_more_values_than_there_is_room_for() -> None:
    # Twenty folds of different stones in one value: all results stay right.
    terms = " + ".join(f"count(x in Stone where x in group(stone_{n % 6 + 1}) and x.weight < {n})" for n in range(20))
    program = program_of(GROUP + f"value many(): int = {terms}\n")
    assert on_both(GROUP + f"value many(): int = {terms}\n", "many") == value(
        rw.Game(replace(program), "reference").new(seed=1), "many"
    )


def test_a_condition_on_a_whole_answer_sees_through_names() -> None:
    # 9: answers out of 20 stones are too many to be listed; the names do not hide what is summed.
    rules = """
kind Seat
kind Stone: 20
    field weight: 0..9
field chosen: set of Stone
value fair(xs: set of Stone, p: Seat): bool
    let heavy = sum(x in xs: x.weight)
    let few = size(xs) + 1
    = heavy is 8 and (few < 4 or heavy > few)
phase game
    for every x in Stone: set x.weight to 4 if x in {stone_3, stone_7, stone_20} else 9
    choose some xs in Stone at least 1 such that fair(xs, p1) by p1
    set chosen to xs
    choose number n in 0..size(chosen) by p1
"""
    for backend in ("wasm", "reference"):
        state = rw.Game(game(rules, seats=(2, 2)).program, backend).new(seed=1)
        assert options(state) == ["stone_3", "stone_7"]  # the first of two
