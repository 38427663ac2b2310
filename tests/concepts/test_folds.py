"""Folds with keys, tables, lists and reach (docs/manual/07-folds-and-keys.md, 08-reach.md and
01-names-types-constants.md): what is best, what is tied, what can be got to."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, errors, start, value

BOARD = {
    "data/town.yaml": """
        Town:
          ta: {next: [tb, tc], wet: 0, hill: 1}
          tb: {next: [ta, td], wet: 1, hill: 0}
          tc: {next: [ta, td], wet: 0, hill: 3}
          td: {next: [tb, tc, te], wet: 1, hill: 0}
          te: {next: [td], wet: 0, hill: 0}
          tf: {next: [tg], wet: 0, hill: 0}
          tg: {next: [tf], wet: 0, hill: 0}
        """
}
BASE = """
enum Colour: red, blue, green
ranked enum Grade: low, mid, high
piece cube by Colour each 9 from box
zone box: cube
kind Seat
    field score: 0..99
    field grade: Grade or none
kind Town from "data/town.yaml"
    const next: set of Town
    const wet: 0..1
    const hill: 0..9
    zone cubes: cube
    field shut: bool
"""


def play(values: str, body: str = "    set p1.score to 0\n", **how: Any) -> rw.State:
    return start(BASE + values + "phase game\n" + body, BOARD, seats=(4, 4), **how)


SCORES = """
    set p1.score to 5
    set p2.score to 7
    set p3.score to 7
    set p4.score to 2
    set p1.grade to high
    set p2.grade to low
    set p3.grade to mid
    set p4.grade to mid
"""


def test_first_only_tied_ranked_and_tiers() -> None:
    # 7: keys in order; `only` is none when tied; `first` takes the order of S; ranked and tiers.
    s = play(
        """
value best: Seat = first(p in seats with highest p.score)
value best_low: Seat = first(p in seats with highest p.score, highest p.grade is mid)
value sole: Seat or none = only(p in seats with highest p.score)
value least: Seat or none = only(p in seats with lowest p.score)
value nobody: Seat or none = only(p in seats where p.score > 50 with lowest p.score)
value tops: set of Seat = tied(p in seats with highest p.score)
value order: list of Seat = ranked(p in seats with highest p.score, lowest p.grade is low)
value steps: list of set of Seat = tiers(p in seats with lowest p.score)
value plain: Seat = first(p in seats where p.score < 6)
""",
        SCORES,
    )
    found = [value(s, n) for n in ("best", "best_low", "sole", "least", "nobody", "plain")]
    assert found == ["p2", "p3", "none", "p4", "none", "p1"]
    assert value(s, "tops") == ["p2", "p3"] and value(s, "order") == ["p3", "p2", "p1", "p4"]
    assert value(s, "steps") == ["{p4}", "{p1}", "{p2, p3}"]


def test_the_tie_rule_of_the_ruleset_orders_what_its_keys_leave_equal() -> None:
    # 7: `first` and `ranked` go by the tie rule where the keys are equal, the lowest first; `only`, `tied` and `tiers`
    # still see the tie, and towns have no tie rule.
    s = play(
        """
value tie_rank(p: Seat): int = 0 if p is p4 else 9 - p.score
value best(): Seat = first(p in seats with highest p.grade)
value order(): list of Seat = ranked(p in seats with lowest p.grade)
value tied_one(): Seat or none = only(p in seats with highest p.grade)
value groups(): int = size(tiers(p in seats with lowest p.grade))
value drier(): list of Town = ranked(t in Town with lowest t.wet, highest t.hill)
""",
        """
    set p1.grade to mid
    set p2.grade to mid
    set p3.grade to low
    set p4.grade to mid
    set p2.score to 5
    set p3.score to 9
""",
    )
    assert value(s, "best") == "p4"
    assert value(s, "order") == ["p3", "p4", "p2", "p1"]
    assert value(s, "tied_one") == "none" and value(s, "groups") == 2
    assert value(s, "drier") == ["tc", "ta", "te", "tf", "tg", "tb", "td"]


def test_ranked_enums_are_keys_and_compare() -> None:
    # 1 and 7: `ranked enum` adds `<` and `.rank`.
    s = play(
        """
value good(p: Seat): bool = p.grade is not none and p.grade >= mid
value top: Seat = first(p in seats where p.grade is not none with highest p.grade)
value rank_of(x: Grade): int = x.rank
value span: int = high.rank - low.rank
""",
        SCORES,
    )
    assert [value(s, "good", f"p{i}") for i in (1, 2, 3, 4)] == [True, False, True, True]
    assert value(s, "top") == "p1" and value(s, "span") == 2


def test_numbers_over_sets_zones_and_ranges() -> None:
    # 7: count, sum, max, min, any, every, set, list; several binders; a zone as a set.
    s = play(
        """
value pairs: int = count(x in Town, y in x.next where x.hill < y.hill)
value hills: int = sum(t in Town: t.hill * 2)
value peak: int = max(t in Town: t.hill)
value least_wet: int = min(t in Town where t.hill > 0: t.wet)
value some_shut: bool = any(t in Town where t.shut)
value all_dry(x: Town): bool = every(t in x.next: t.wet is 0)
value wets: set of Town = set(t in Town where t.wet > 0)
value squares: list of (0..99) = list(i in 1..4: i * i)
value blue_here: set of Town = set(t in Town where blue in t.cubes)
value most: int = max(i in 0..9, j in 0..9 where i + 2 * j <= 10: i * j)
value nothing: int = sum(t in Town where t.hill > 5: 1)
""",
        "    move 2 cube[blue] from box to te.cubes\n    set tf.shut to true\n",
    )
    # a(1): c(3); b(0): a; d(0): c; e(0): none; a.next b, c
    assert value(s, "pairs") == 3
    assert [value(s, n) for n in ("hills", "peak", "least_wet", "some_shut", "most", "nothing")] == [
        8,
        3,
        0,
        True,
        12,
        0,
    ]
    assert value(s, "all_dry", "ta") is False and value(s, "all_dry", "tf") is True
    assert (
        value(s, "wets") == ["tb", "td"]
        and value(s, "squares") == ["1", "4", "9", "16"]
        and value(s, "blue_here") == ["te"]
    )


def test_tables_and_lists() -> None:
    # 1 and 7: `table t by E` with ranges; the fold `table`; insert, concatenation, removal, items, front and last.
    s = play(
        """
table price by Colour
    red: 1
    blue: 2
    green: 5
table income by 0..20
    0..4: 1
    5..9: 2
    10..20: 4
value dear: int = price[green] - price[red]
value earns(n: 0..20): int = income[n]
value row: list of Town = list(t in {tb, tc, td})
value longer: list of Town = insert(row, ta, 1)
value shorter: list of Town = longer - {tc, ta}
value joined: list of Town = shorter + row
value second: Town = longer[2]
value ends: set of Town = {front(longer), last(longer)}
value long: int = size(joined)
""",
    )
    assert value(s, "dear") == 4 and [value(s, "earns", n) for n in (0, 4, 5, 9, 10, 20)] == [1, 1, 2, 2, 4, 4]
    assert value(s, "longer") == ["tb", "ta", "tc", "td"] and value(s, "shorter") == ["tb", "td"]
    assert value(s, "joined") == ["tb", "td", "tb", "tc", "td"] and value(s, "second") == "ta"
    assert value(s, "ends") == ["tb", "td"] and value(s, "long") == 5


def test_a_table_fold_is_frozen_in_a_let() -> None:
    # 7: `table(x in S: E)` is a map over all keys; a `let` of it is a copy.
    s = play(
        "",
        """
    set p1.score to 3
    set p3.score to 4
    let old = table(p in seats: p.score)
    let late = table(p in seats, k in Colour: old[p] * (2 if k is blue else 1))
    set p1.score to 9
    set p2.score to old[p1] + late[p3, blue] + late[p1, red]
    set p4.score to total(old)
""",
    )
    assert cell(s, "p2.score") == 14 and cell(s, "p4.score") == 7


def test_reach_without_a_budget_is_the_component() -> None:
    # 8: without budgets the component of START; components are named by their first member.
    s = play(
        """
value landmass(t: Town): set of Town = reach(x in {t}, y in x.next)
value dry(t: Town): set of Town = reach(x in {t}, y in x.next where y.wet is 0)
value lands: set of Town = set(t in Town where t is first(x in landmass(t)))
"""
    )
    assert value(s, "landmass", "td") == ["ta", "tb", "tc", "td", "te"] and value(s, "landmass", "tg") == ["tf", "tg"]
    assert value(s, "dry", "ta") == ["ta", "tc"] and value(s, "lands") == ["ta", "tf"]


def test_why_a_place_can_not_be_reached() -> None:
    # 8: "why not" answers with the blocked frontier: closed steps and those that are too far.
    s = start(
        """
kind Hut: 6
kind Hut
    field shut: bool
field at: Hut
value next(h: Hut): set of Hut = set(g in Hut where g is after(h) or h is after(g))
value after(h: Hut): Hut or none
    = hut_2 if h is hut_1 else hut_3 if h is hut_2 else hut_4 if h is hut_3 else hut_5 if h is hut_4 else none
value trips(h: Hut): set of Hut = reach(x in {h}, y in x.next where not y.shut cost 1 within 2)
phase game
    set at to hut_3
    set hut_2.shut to true
    choose h in trips(at) by p1
    set at to h
"""
    )
    with pytest.raises(rw.IllegalAnswer) as refused:
        answer_all(s, "hut_1")
    # from 3 the second is closed; the fourth and fifth are reached, and nothing comes after the fifth
    assert "the path ends at hut_3 (hut_2 is closed)" in str(refused.value)
    s = start(
        """
kind Hut: 4
kind Hut
    field number: 0..9
value next(h: Hut): set of Hut = set(g in Hut where g.number is h.number + 1)
value trips(h: Hut): set of Hut = reach(x in {h}, y in x.next cost 1 within 2)
phase game
    set hut_2.number to 1
    set hut_3.number to 2
    set hut_4.number to 3
    choose h in trips(hut_1) by p1
    set h.number to 0
"""
    )
    with pytest.raises(rw.IllegalAnswer, match=r"the path ends at hut_3 \(hut_4 is too far\)"):
        answer_all(s, "hut_4")


def test_reach_with_two_budgets_keeps_every_way_that_is_not_worse() -> None:
    # 8: up to two budgets, breadth-first over vectors of remaining budgets.
    s = play(
        """
value range_of(t: Town, far: int, sea: int): set of Town
    = reach(x in {t}, y in x.next cost 1 + y.hill within far cost y.wet within sea)
"""
    )
    # to b: far 1, sea 1; to c: far 4; to d over b: far 2, sea 2; over c: far 5, sea 1; to e one more from d
    assert value(s, "range_of", "ta", 1, 0) == ["ta"]
    assert value(s, "range_of", "ta", 4, 0) == ["ta", "tc"]
    assert value(s, "range_of", "ta", 3, 2) == ["ta", "tb", "td", "te"]
    assert value(s, "range_of", "ta", 6, 1) == ["ta", "tb", "tc", "td", "te"]
    assert value(s, "range_of", "ta", 4, 1) == ["ta", "tb", "tc"]


def test_an_empty_first_is_reported_where_it_is_needed() -> None:
    # 7: an empty S fails a plan and is a reported error elsewhere.
    with pytest.raises(rw.RulesetError):
        play("", "    let p = first(q in seats where q.score > 90)\n    set p.score to 1\n")


def test_keys_must_have_an_order() -> None:
    # 7: keys are ints, bools or ranked enums.
    found = errors(
        "kind Seat\n    field c: E or none\nenum E: x, y\nvalue v: Seat = first(p in seats with lowest p.c)\n"
        "phase game\n    let a = v\n    set a.c to x\n"
    )
    assert len(found) == 1


def test_divisions_round_as_their_names_say() -> None:
    # 1: div_up, div_down, half_up, half_down; larger and smaller.
    s = play(
        """
value up(n: int): int = div_up(n, 3) * 100 + half_up(n) * 10 + max(n, 2)
value down(n: int): int = div_down(n, 3) * 100 + half_down(n) * 10 + min(n, 2)
"""
    )
    assert [value(s, "up", n) for n in (7, 6, 0)] == [347, 236, 2]
    assert [value(s, "down", n) for n in (7, 6, 1)] == [232, 232, 1]


@pytest.mark.parametrize("added", ["({t} if t.shut else {})", "({} if not t.shut else {t})"])
def test_the_members_of_a_set_that_may_be_joined_by_nothing(added: str) -> None:
    rules = f"""
value around(t: Town): set of Town = set(u in t.next + {added} where u.wet is 0)
phase game
    set ta.shut to true
    choose number n in 0..1 by p1
"""
    state = start(BASE + rules, BOARD)
    assert [value(state, "around", t) for t in ("tb", "ta")] == [["ta"], ["ta", "tc"]]


def test_a_set_in_a_list_of_sets_is_one_of_them() -> None:
    # 7: `in` asks for the whole set, an empty one included.
    s = start(
        """
kind Card: 3
kind Seat
    field total: 0..99
phase game
    let l = list(c in Card: set(d in Card where d is c and d is not card_3))
    if set(c in Card where c is card_3 and c is card_2) in l: set p1.total to p1.total + 1
    if set(c in Card where c is card_2) in l: set p1.total to p1.total + 2
    if set(c in Card where c is card_3) in l: set p1.total to p1.total + 4
    if set(c in Card) in l: set p1.total to p1.total + 8
"""
    )
    assert cell(s, "p1.total") == 3
