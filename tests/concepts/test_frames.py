"""Routines and frames (docs/manual/10-routines-and-frames.md and 06-activity-and-scope.md): the four stages of an end,
what is stopped, what is copied, how deep."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, errors, play_on_both, question, start, value

BASE = """
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece coin
kind Seat
    zone purse: coin
    field mood: 0..9
value price(p: Seat): int = 5 in layers early, late at least 1
value may_pass(p: Seat): bool = false
"""


def test_a_frame_ends_in_four_stages() -> None:
    # 10: body; its end list, first in first out, names copied when put on it; checks; `after` triggers.
    s = start(
        BASE
        + """
phase game
    do turn(p1)
    do note(9)
phase turn(p: Seat)
    let n = 1
    at end of turn
        do note(n)
        set p.mood to 2
    set n to 4
    at end of turn: do note(n)
    do note(3)
rule marks
    after turn(p): do note(5)
    always for every p in seats where p.mood is 2
        set p.mood to 3
        do note(6)
"""
    )
    # the check follows the change of the first item at once
    assert cell(s, "trail") == 316459


def test_stop_leaves_the_body_and_goes_through_the_later_stages() -> None:
    # 10: `stop F` ends the innermost running F; frames inside it are dropped with their lists and `after`s.
    s = start(
        BASE
        + """
phase game
    do turn(p1)
    do note(9)
phase turn(p: Seat)
    at end of turn: do note(1)
    do deep(p)
    do note(8)
procedure deep(p: Seat)
    at end of deep: do note(7)
    do note(2)
    do deeper(p)
    do note(8)
procedure deeper(p: Seat)
    at end of turn: do note(4)
    if running(turn): stop turn
    do note(8)
rule afters
    after deep(p): do note(7)
    after turn(p): do note(5)
"""
    )
    # the item that `deeper` put on the turn's list is the turn's own and runs
    assert cell(s, "trail") == 21459


def test_stop_without_a_running_frame_does_nothing_and_ends_the_innermost() -> None:
    # 10: without a running F `stop` does nothing; of two running ones the innermost ends.
    s = start(
        BASE
        + """
phase game
    stop turn
    do dig(3)
    do note(9)
phase turn
    do note(8)
procedure dig(n: 0..9)
    do note(n)
    if n > 1: do dig(n - 1)
    if n is 1: stop dig
    do note(n + 3)
"""
    )
    # the call with 1 leaves its body, the others go on
    assert cell(s, "trail") == 321569


def test_a_stopped_loop_of_answers() -> None:
    # 10: frames are kept in the state, also while somebody is asked.
    s = start(
        BASE
        + """
phase game
    for every p in seats: do turn(p)
phase turn(p: Seat)
    at end of turn: do note(7)
    repeat while true
        choose one by p
            case work: do work(p)
            case leave: stop turn
        do note(1)
procedure work(p: Seat)
    choose number k in 2..3 by p
    if k is 3: stop turn
    do note(k)
"""
    )
    answer_all(s, "work", "2", "work", "3")
    assert question(s) == "p2: turn.one" and cell(s, "trail") == 217
    answer_all(s, "leave")
    assert s.over and cell(s, "trail") == 2177


def test_until_end_of_copies_names_and_lives_as_long_as_its_frame() -> None:
    # 6: the same rule lines under `until end of` copy the values of the names they use.
    s = start(
        BASE
        + """
phase game
    do turn(p1)
    do note(price(p1))
    if may_pass(p1): do note(8)
phase turn(p: Seat)
    do discount(p, 2)
    do discount(p, 1)
    do note(price(p))
    do note(price(p2))
    if may_pass(p): do note(7)
    do inner(p)
    do note(price(p))
procedure inner(p: Seat)
    until end of inner: modify price(q) in layer late to 9 where q is p
    do note(price(p))
procedure discount(who: Seat, n: 0..9)
    let m = n
    until end of turn
        modify price(p_) in layer early by -m where p_ is who
        grant may_pass(p_) where p_ is who
    set m to 4
"""
    )
    assert cell(s, "trail") == 257925
    assert value(s, "price", "p1") == 5


def test_until_end_of_without_its_frame_is_an_error() -> None:
    # 6: without a running F the run reports an error.
    with pytest.raises(rw.RulesetError, match="`until end of` needs a running `turn`"):
        start(
            BASE
            + """
phase game
    do lone()
    do turn()
procedure lone()
    until end of turn: modify price(p) by 1 where p is p1
phase turn
    do note(price(p1))
"""
        )


def test_procedures_give_values_and_end_early() -> None:
    # 10: `give E` returns; `let w = do f(x)` binds what it gives.
    s = start(
        BASE
        + """
phase game
    set p2.mood to 4
    let w = do best()
    do note(w.mood)
    let n = do double(3)
    do note(n)
procedure best() giving Seat
    for every p in seats
        if p.mood > 0: give p
    give p1
procedure double(n: 0..4) giving 0..9
    choose number k in n..n by p1
    give k + k
"""
    )
    assert cell(s, "trail") == 46


def test_recursion_has_limits() -> None:
    # 10: procedures may call themselves; passing a limit (ruleset-folder.md) is a reported error with what filled it.
    deep = (
        BASE
        + """
phase game
    do dig(60)
procedure dig(n: 0..99)
    if n > 0: do dig(n - 1)
    if n is 0
        choose number k in 0..1 by p1
        do note(k)
"""
    )
    s = start(deep)
    answer_all(s, "1")
    assert s.over and cell(s, "trail") == 1
    with pytest.raises(rw.RulesetError, match="64 routines.*dig"):
        start(deep.replace("dig(60)", "dig(70)"))


def test_too_many_end_items_and_timed_lines_are_reported() -> None:
    # Limits (docs/manual/ruleset-folder.md): `deferred` and `timed`.
    with pytest.raises(rw.RulesetError, match="32 items, limit `deferred`"):
        start(BASE + "phase game\n    for every i in 1..40: at end of game: do note(1)\n")
    with pytest.raises(rw.RulesetError, match="limit `timed`"):
        start(
            BASE + "phase game\n    for every i in 1..40: until end of game: modify price(p) by i where p is p1\n"
            "    do note(price(p1))\n"
        )


def test_values_never_use_themselves() -> None:
    # 5: only procedures recurse.
    found = errors(
        BASE
        + "value odd(p: Seat): bool = not even(p)\nvalue even(p: Seat): bool = not odd(p)\nphase game\n    do note(1)\n"
    )
    assert [d.code for d in found] == ["RW0805"]


def test_sets_and_tables_are_copied_too() -> None:
    # 6 and 10: names are copied when put on the list, whatever their type.
    s = start(
        BASE
        + """
kind Card: 40
value cost(c: Card): int = 5
phase game
    do turn(p1)
    do note(cost(card_1))
phase turn(p: Seat)
    let cs = {card_1, card_39}
    let n = table(q in seats: q.mood + 2)
    at end of turn
        for every c in cs: do note(1)
        do note(n[p2])
    until end of turn: modify cost(c) by -n[p1] where c in cs
    set cs to {card_2}
    set p1.mood to 7
    do note(cost(card_39))
    do note(cost(card_2))
"""
    )
    assert cell(s, "trail") == 351125


def test_depending_on_a_member_gives_in_every_case() -> None:
    # 10: cases that speak of each member need no `else`.
    s = start(
        """
enum Fruit: apple, pear, plum
field trail: 0..999
procedure worth(f: Fruit) giving 0..9
    depending on f
        case apple: give 4
        case pear, Fruit.plum
            if f is pear: give 5
            else: give 6
phase game
    for every f in {plum, apple, pear}
        let w = do worth(f)
        set trail to trail * 10 + w
"""
    )
    assert cell(s, "trail") == 456


def test_one_of_no_members_is_left_to_the_else() -> None:
    # 10: `none` is a case like another; a case may do nothing; `else` is for those that no case names, and what stands
    # under it is no case of them.
    s = start(
        """
enum Fruit: apple, pear, plum, fig
field trail: 0..9999
field wish: Fruit or none
kind Seat
    field turns: 0..9 = 4
phase game
    for every n in 0..4  # none, apple, pear, plum, fig
        set wish to none if n is 0 else list(f in Fruit)[n]
        depending on wish
            case none: set trail to trail * 10 + 1
            case plum
            case pear
                choose p in Seat by p1
                set trail to trail * 10 + p.turns
        else
            if wish is fig: set trail to trail * 10 + 3
            else: set trail to trail * 10 + 2
"""
    )
    answer_all(s, "p2")
    assert cell(s, "trail") == 1243


def test_a_case_that_leaves_a_member_out_does_not_always_give() -> None:
    found = errors(
        """
enum Fruit: apple, pear, plum
procedure worth(f: Fruit) giving 0..9
    depending on f
        case apple: give 4
        case pear: give 5
phase game: let w = do worth(plum)
"""
    )
    assert {d.code for d in found} == {"RW0620", "RW0811"}


EFFECTS = """
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
kind Seat
    field n: 0..9
kind Card
    field up: bool
card storm "Storm": Card
    effect
        at end of effect_of: do note(7)
        do note(1)
        choose k in 1..3
        if k is 1: stop effect
        do note(2)
        do calm.effect() by you
        do note(3)
        if k is 2: do leave_it()
        do note(4)
card calm "Calm": Card
    effect
        do note(5)
        do leave_it()
        do note(9)
procedure leave_it()
    stop effect
    do note(8)
procedure effect_of(p: Seat)
    do storm.effect() by p
    do note(6)
phase game
    do leave_it()
    do effect_of(p1)
    choose j in 1..2 by p1
    set p1.n to j
"""


@pytest.mark.parametrize("answer, trail", [("1", 8167), ("2", 8125367), ("3", 81253467)])
def test_stop_effect_leaves_the_innermost_running_effect(answer: str, trail: int) -> None:
    # 10: frames inside it are dropped; without a running effect it does nothing.
    s = start(EFFECTS)
    answer_all(s, answer)
    assert cell(s, "trail") == trail
    assert play_on_both(s.game.program, int(answer))


def test_the_effect_of_a_card_is_no_routine_to_stop() -> None:
    found = errors(EFFECTS.replace("    stop effect\n", "    stop calm\n"))
    assert [(d.code, "stop effect" in d.help) for d in found] == [("RW0207", True)]
