"""Events in depth (docs/manual/13-triggers.md and 14-checks-and-together.md): verbs other than move, sets of things,
lines that ask, stop or ask for more."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, options, question, start

BASE = """
enum Cause: theft, gift, storm
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
enum Colour: red, blue
piece coin each 20 from bank
piece cube by Colour each 5 from box faces bare, dyed
zone bank: coin
zone box: cube
zone field_: cube
kind Seat
    zone purse: coin
    zone hand: Card
    field gone: bool
kind Card: 4 faces up, down
    field weight: 0..9
zone deck: Card
zone pile: Card
zone out: Card
"""


def play(text: str, **how: Any) -> int:
    return int(cell(start(BASE + text, **how), "trail"))


def test_an_instead_of_line_hears_another_thing_that_its_block_moves() -> None:
    # 13: it does not apply again to the same event (same first argument); another thing is another event.
    assert (
        play(
            """
rule swap
    instead of move(c: Card, a, b) where b is out
        do note(c.weight)
        if c is card_1: move card_2 to out
        move c to out
phase game
    set card_1.weight to 1
    set card_2.weight to 2
    move card_1 to out
    do note(size(out))
"""
        )
        == 122
    )


def test_an_event_issued_by_a_called_routine_is_a_new_event() -> None:
    # 13: an event issued by a routine that the block calls is a new event.
    assert (
        play(
            """
rule soft
    instead of move(c: Card, a, b) where b is out and c.weight < 3
        set c.weight to c.weight + 1
        do push(c)
procedure push(c: Card)
    move c to out
    do note(c.weight)
phase game
    move card_1 to out
    do note(size(out))
"""
        )
        == 3331
    )


def test_gain_and_lose_are_seen_by_who_and_how_many() -> None:
    # 13: `gain(p, n, what)`; `what` narrows to a piece; they are not also seen as `move`.
    assert (
        play(
            """
rule tax
    after gain(p, n, what: coin) where p is p1: do note(n)
    after gain(p, n, what: cube) where p is p1: do note(8)
    after lose(x: coin, a, b) where b is bank: do note(amount + 5)
    after move(x: coin, a, b): do note(9)
phase game
    gain 3 coin by p1
    gain 2 coin by p2
    lose 1 coin by p1
    lose 2 coin from p2.purse to p1.purse
    gain 1 cube[red] to field_ by p1
"""
        )
        == 368
    )


def test_turns_are_events() -> None:
    # 13: `turn`, of things and of counted pieces.
    assert (
        play(
            """
rule flips
    after turn(c: Card): do note(c.weight)
    after turn(x: cube) where x is blue: do note(amount)
phase game
    set card_2.weight to 6
    move 3 cube[blue] from box to field_
    turn card_2 to down
    turn 2 cube[blue] from field_ to dyed
    do note(field_[blue, dyed])
"""
        )
        == 622
    )


def test_every_thing_of_a_set_is_heard_and_the_move_is_one_change() -> None:
    # 3, 13 and 14: a set of things is moved as one change, in its order; lines hear each thing, checks come at the end.
    text = """
rule hears
    before move(c: Card, a, b) where b is out: do note(c.weight)
    after move(c: Card, a, b) where b is out: do note(c.weight + 4)
    instead of move(c: Card, a, b) where b is out and c.weight is 3: move c to pile
    always for every p in seats where size(out) is 1 and not p.gone
        do note(9)
        set p.gone to true
phase game
    for every c in Card: move c to deck
    set card_1.weight to 1
    set card_2.weight to 2
    set card_3.weight to 3
    {line}
    do note(size(out))
"""
    together = 1_2_3_5_6_2
    assert play(text.replace("{line}", "move set(c in deck where c.weight > 0) to out")) == together
    assert play(text.replace("{line}", "do away(set(c in deck where c.weight > 0))")
                + "procedure away(cs: set of Card): move cs to out\n") == together  # fmt: skip


def test_a_line_may_ask_in_the_middle_of_a_set() -> None:
    # 13: the move waits for the answer.
    s = start(
        BASE
        + """
rule asks
    before move(c: Card, a, b) where c is card_2 and b is out
        choose k in 1..2 by p2
        do note(k)
phase game
    for every c in Card: move c to deck
    move deck to out
    do note(size(out))
"""
    )
    assert question(s).startswith("p2:")
    answer_all(s, "2")
    assert cell(s, "trail") == 24


def test_afters_of_routines_called_inside_together_wait_too() -> None:
    # 14: inside `together` events are recorded and all their `after`s run after it.
    assert (
        play(
            """
procedure step_(n: 0..9)
    do note(n)
    move 1 cube[red] from box to field_
rule late
    after step_(n): do note(n + 4)
    after move(x: cube, a, b): do note(9)
phase game
    together
        do step_(1)
        do step_(2)
    do step_(3)
"""
        )
        == 12_9596_3_97
    )


def test_a_line_may_stop_an_outer_frame() -> None:
    # 10 and 13: an interrupt is a frame like others; `stop` leaves the routine in whose event it stands.
    assert (
        play(
            """
rule abort
    after lose(p, n) where n > 2: stop turn
phase game
    gain 9 coin by p1
    do turn(p1)
    do note(8)
phase turn(p: Seat)
    at end of turn: do note(7)
    lose 2 coin by p
    do note(1)
    lose 3 coin by p
    do note(2)
"""
        )
        == 178
    )


def test_lines_on_actions_phases_and_effects() -> None:
    # 13: an event is a routine, whatever its sort.
    s = start(
        BASE
        + """
action work(p: Seat, n: 1..3) of deeds
    require p.purse >= n
    do note(n)
phase day
    offer deeds by p1
rule hears
    before day(): gain 2 coin by p1
    after work(p, n) where n is 2 once per game: do note(8)
    after day(): do note(9)
phase game
    do day()
    do day()
"""
    )
    assert options(s) == ["work 1", "work 2"]
    answer_all(s, "work 2", "work 2")
    assert cell(s, "trail") == 289_29


def test_a_cause_may_be_handed_on() -> None:
    # 6: `cause` and `amount` are words of the event.
    assert (
        play(
            """
rule hand_on
    instead of move(x: cube, a, b) where b is field_ and cause is storm
        move half_down(amount) cube[x] from box to field_ as cause
    after move(x: cube, a, b) where cause is storm: do note(amount)
phase game
    move 5 cube[red] from box to field_ as storm
    move 1 cube[blue] from box to field_ as gift
    do note(total(field_))
"""
        )
        == 23
    )


def test_a_line_that_asks_from_inside_a_condition_and_a_loop() -> None:
    # 13: the routine that makes the change may stand anywhere.
    s = start(
        BASE
        + """
rule asks
    before lose(p, n, what: coin)
        choose k in 1..2 by p
        do note(k)
procedure fine(p: Seat): lose 1 coin by p
procedure rob(all_: bool)
    if all_
        for every p in seats where p.purse > 0: do fine(p)
    else: do note(9)
phase game
    for every p in seats: gain 2 coin by p
    do rob(true)
    do rob(false)
""",
        seats=(2, 2),
    )
    answer_all(s, "2")
    assert question(s).startswith("p2:") and cell(s, "p1.purse") == 1
    answer_all(s, "1")
    assert cell(s, "trail") == 219


def test_an_endless_chain_of_triggers_is_an_error_that_names_it() -> None:
    # 14: budgets on frames and work; the error names the rule.
    with pytest.raises(rw.RulesetError, match="ring"):
        start(
            BASE
            + """
phase game
    do ring()
procedure ring()
    do note(0)
rule endless
    after ring(): do ring()
"""
        )


def test_moving_none_or_zero_is_no_event() -> None:
    # 4: moving `none` or zero does nothing and is no event, however many should have been moved.
    s = start(
        """
enum Colour: red, blue
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece cube by Colour each 5 from box
piece coin
zone box: cube
zone field_: cube max 3
kind Seat
    zone purse: coin
    zone hand: Card
kind Card: 2
rule hears
    before move(x: cube, a, b): do note(1)
    after move(c: Card, a, b): do note(2)
    instead of gain(p, n, what): do note(3)
    after lose(p, n, what: coin): do note(n)
    after lose(x: cube, a, b): do note(amount)
phase game
    let c: Card or none = none
    move 0 cube[red] from box to field_
    move c to p1.hand
    gain 0 coin by p1
    lose 2 coin by p1
    lose 3 cube[red] from field_ to box
    do note(9)
    lose 5 cube[red] from box to field_
    lose 4 cube[blue] from box to field_
    lose 7 cube[red] from field_ to box
"""
    )
    # nothing at all; then three cubes find room, none of the blue ones, and all three go back
    assert cell(s, "trail") == 933
