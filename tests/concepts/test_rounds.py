"""Numbers that go round (`mod`), seats round the table, and the largest of nothing (docs/manual/01, 02 and 07)."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from dsl.driver.load import check_texts
from tests.concepts.play import cell, game, play_on_both, value

BASE = """
kind Seat
    field level: -9..9
    field out: bool
kind Stone: 6
    field weight: 2..9
    field cracked: bool
"""
GAME = """
phase game
    set p1.level to -7
    set p2.level to 5
    set p2.out to true
    set stone_2.cracked to true
    set stone_2.weight to 7
    for every p in seats from p2 where not p.out
        choose number n in 0..4 by p
        set p.level to n
"""


def on_both(rules: str, name: str, *args: Any, seats: tuple[int, int] = (2, 4), players: int = 3) -> Any:
    """A value at the first question, which must be the same in both back ends."""
    program = game(BASE + rules + GAME, seats=seats).program
    found = [value(rw.Game(program, b).new(seats=players, seed=1), name, *args) for b in ("wasm", "reference")]
    assert found[0] == found[1]
    return found[0]


ROUND = """
value wheel(n: int): int = n mod 5
value turned(p: Seat): int = p.level mod 4
value by_range(n: int): int = n mod (2 + size(seats))
value small(p: Seat): 0..3 = p.level mod 4
value bound(n: 0..2): 0..2 = n mod 7
value order(n: int): int = 1 + 2 * n mod 5 - 1
value hours(): int = 23 + 4 mod 3
value cubed(): int = -7 mod 3
"""


def test_mod_counts_round_for_negative_numbers_too() -> None:
    assert [on_both(ROUND, "wheel", n) for n in (-6, -5, -1, 0, 4, 5, 13)] == [4, 0, 4, 0, 4, 0, 3]
    # -7 = -2 * 4 + 1 and 5 = 4 + 1
    assert [on_both(ROUND, "turned", p) for p in ("p1", "p2", "p3")] == [1, 1, 0]
    # it binds like `*`: 1 + ((2 * 4) mod 5) - 1, 23 + (4 mod 3); a sign binds closer
    assert on_both(ROUND, "order", 4) == 3 and on_both(ROUND, "hours") == 24 and on_both(ROUND, "cubed") == 2


@pytest.mark.parametrize("number, most", [("s.weight mod 3", 2), ("s.weight mod 20", 9), ("(s.weight - 9) mod 20", 19)])
def test_mod_has_a_range(number: str, most: int) -> None:
    # What stands for the `min` of nothing is the greatest number that can be.
    rules = BASE + f"value least(): int = min(s in Stone where s.cracked: {number})\n" + GAME
    found = [d.message for d in check_texts({"small.rules": rules}, None, seats=(2, 2)) if d.code == "RW1207"]
    assert len(found) == 1 and f"this `min` is {most}," in found[0]


SEATS = """
value after_it(p: Seat): Seat = next(p)
value before_it(p: Seat): Seat = previous(p)
value around(p: Seat): list of Seat = seats from p
value still_in(p: Seat): list of Seat = list(q in seats from next(p) where not q.out)
value third(p: Seat): Seat = (seats from p)[3]
value is_beside(p: Seat, q: Seat): bool = q in {next(p), previous(p)}
"""


@pytest.mark.parametrize("seats", [(2, 4), (3, 3)])
def test_seats_go_round_the_table(seats: tuple[int, int]) -> None:
    # Three of four chairs are taken: the seat after p3 is p1.
    def of(name: str, *args: str) -> Any:
        return on_both(SEATS, name, *args, seats=seats)

    assert [of("after_it", p) for p in ("p1", "p2", "p3")] == ["p2", "p3", "p1"]
    assert [of("before_it", p) for p in ("p1", "p2", "p3")] == ["p3", "p1", "p2"]
    assert of("around", "p1") == ["p1", "p2", "p3"] and of("around", "p3") == ["p3", "p1", "p2"]
    assert of("still_in", "p1") == ["p3", "p1"]
    assert of("third", "p2") == "p1"
    assert of("is_beside", "p1", "p3") is True


def test_with_two_seats_each_is_beside_the_other() -> None:
    assert on_both(SEATS, "after_it", "p2", players=2) == on_both(SEATS, "before_it", "p2", players=2) == "p1"
    assert on_both(SEATS, "around", "p2", players=2) == ["p2", "p1"]


def test_a_loop_goes_round_from_a_seat() -> None:
    # p2 is out, so p3 is asked first, then p1; a list of seats is kept over the questions.
    program = game(BASE + SEATS + GAME, seats=(3, 3)).program
    state = rw.Game(program).new(seed=1)
    assert state.decision is not None and state.decision.actor == "p3"
    rw.answer(state, "1")
    assert state.decision is not None and state.decision.actor == "p1"
    play_on_both(program, 4)


LARGEST = """
value heaviest(): int = max(s in Stone where s.cracked: s.weight) or 0
value none_at_all(): int = max(s in Stone where s.weight > 90: s.weight) or 0
value lightest(p: Seat): int = min(s in Stone where s.weight > 90 + p.level: s.weight) or p.level * 2
value either(): int = max(s in Stone where s.weight > 90: s.weight) or min(s in Stone where s.cracked: s.weight) or 1
value sum_up(): int = (max(s in Stone where s.weight > 90: s.weight) or -1) + 5
value never_asked(p: Seat): int = max(s in Stone where s.cracked: s.weight) or div_down(3, p.level - p.level)
value if_none(p: Seat): int = max(s in Stone where s.weight > 90: s.weight) or 3 if p.out else 4
"""


def test_or_says_what_the_largest_of_nothing_is() -> None:
    assert on_both(LARGEST, "heaviest") == 7 and on_both(LARGEST, "none_at_all") == 0
    assert [on_both(LARGEST, "lightest", p) for p in ("p1", "p2")] == [-14, 10]
    assert on_both(LARGEST, "either") == 7 and on_both(LARGEST, "sum_up") == 4
    assert on_both(LARGEST, "never_asked", "p1") == 7
    assert [on_both(LARGEST, "if_none", p) for p in ("p1", "p2")] == [4, 3]


def test_a_bound_that_looks_like_a_member_is_reported() -> None:
    # A stone of weight 2 and no stone at all look the same; with a weight from 0 on, 0 is a natural answer.
    rules = BASE + "value heaviest(): int = max(s in Stone where s.cracked: s.weight)\n" + GAME
    found = [d for d in check_texts({"small.rules": rules}, None, seats=(2, 2)) if d.code == "RW1207"]
    assert len(found) == 1 and "this `max` is 2" in found[0].message
    for harmless in (rules.replace("s.weight)", "s.weight) or 0"), rules.replace("2..9", "0..9")):
        assert "RW1207" not in {d.code for d in check_texts({"small.rules": harmless}, None, seats=(2, 2))}


def test_phrases_are_words_behind_a_dot() -> None:
    # `q.open to true` is no `open to`.
    rules = """
kind Seat
    field open: bool
    field seats: 0..9
phase game
    choose q in seats by p1
    set q.open to true
    set q.seats to 3
    choose number n in 0..1 by p1
"""
    state = rw.Game(game(rules, seats=(2, 2)).program).new(seed=1)
    rw.answer(state, "p2")
    assert cell(state, "p2.open") is True and cell(state, "p2.seats") == 3
