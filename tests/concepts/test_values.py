"""Values with layers (docs/manual/05-values-and-layers.md), and which rule lines are active
(06-activity-and-scope.md)."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter import GameSetupError
from tests.concepts.play import answer_all, cell, errors, game, play_on_both, start, value

BASE = """
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
enum Colour: red, blue
option mood: calm, wild = calm
option extra: bool = false
kind Seat
    field bonus: -9..9
    field level: 0..9
"""
CARDS = (
    BASE
    + """
kind Card
    const worth: 0..9
    field owner: Seat or none
    field up: bool
value in_play(c: Card): bool = c.owner is not none and c.up
"""
)


def test_to_by_and_bounds_apply_in_their_order() -> None:
    # 5: (1) the last `to`; (2) the sum of all `by`; (3) the `by` with own bounds, one after the other; then the
    # value's bounds.
    s = start(
        BASE
        + """
value cost(p: Seat): int = 7 at least 0 at most 12
rule lines
    modify cost(p) by -6 where p.level is 1 at least 4
    modify cost(p) by 3
    modify cost(p) to 5 where p.level >= 1
    modify cost(p) by -2 where p.level is 1 at least 1
    modify cost(p) to 6 where p.level is 2
    modify cost(p) by p.bonus
phase game
    set p2.level to 2
    set p3.level to 1
    do note(cost(p2))
""",
        seats=(3, 3),
    )
    # 7+3+0, capped to 0..12; 6+3; 5+3 = 8, -6 but at least 4 = 4, -2 at least 1 = 2
    assert [value(s, "cost", p) for p in ("p1", "p2", "p3")] == [10, 9, 2]


def test_layers_run_one_after_the_other_and_read_so_far() -> None:
    # 5: base, then layer by layer; `so_far` is the value on entering the layer, the same for all its lines.
    s = start(
        BASE
        + """
value power(p: Seat): int = 2 in layers base_, double, late at least 0
rule lines
    modify power(p) in layer late by 1
    modify power(p) in layer double by so_far
    modify power(p) in layer double by so_far where p.level is 1
    modify power(p) in layer base_ by p.level
    modify power(p) by -100 where p.level is 9
phase game
    set p2.level to 1
    set p3.level to 9
    do note(1)
""",
        seats=(3, 3),
    )
    # p1: 2, 2+2, +1; p2: 3, 3+3+3, +1; p3: 11, 22, 22+1-100 bounded
    assert [value(s, "power", p) for p in ("p1", "p2", "p3")] == [5, 10, 0]


def test_a_prohibition_always_wins() -> None:
    # 5: base or any `grant`, and then no `deny`.
    s = start(
        BASE
        + """
value may(p: Seat): bool = p.level > 5
rule lines
    grant may(p) where p.bonus > 0
    deny may(p) where p.bonus is 9
    grant may(p) where p.level is 1
phase game
    set p1.level to 6
    set p2.bonus to 9
    set p2.level to 1
    set p3.bonus to 1
    do note(1)
""",
        seats=(3, 3),
    )
    assert [value(s, "may", p) for p in ("p1", "p2", "p3")] == [True, False, True]


def test_card_lines_are_active_while_their_condition_holds() -> None:
    # 6: a bare predicate after `while` is applied to `this`; conditions nest; activity is read anew.
    s = start(
        CARDS
        + """
value cost(p: Seat): int = 9 at least 0
card clerk "Clerk": Card
    worth: 2
    while in_play
        modify cost(p) by -this.worth where p is owner
        while owner is not none and owner.level > 3
            modify cost(p) to 4 where p is owner
card miser "Miser": Card
    worth: 1
    modify cost(p) by 1 where this.up
phase game
    set clerk.owner to p1
    do note(cost(p1))
    set clerk.up to true
    do note(cost(p1))
    do note(cost(p2))
    set p1.level to 4
    do note(cost(p1))
    set miser.up to true
    do note(cost(p1))
    set clerk.owner to none
    do note(cost(p2) - 3)
"""
    )
    assert cell(s, "trail") == 979237


def test_the_last_replacement_in_text_order_wins() -> None:
    # 5: ruleset lines as loaded, then cards as loaded; it is fixed before play.
    s = start(
        CARDS
        + """
card law "Law": Card
    while this.up: modify colour_of(p) to red
card philosophy "Philosophy": Card
    while this.up: modify colour_of(p) to blue
value colour_of(p: Seat): Colour or none = none
phase game
    set law.up to true
    do note(1)
    set philosophy.up to true
"""
    )
    assert value(s, "colour_of", "p1") == "blue"


def test_options_are_read_like_values() -> None:
    # 1 and 5: an option switches an expression; `is` for a member, bare for a bool.
    rules = (
        BASE
        + """
value cost(p: Seat): int = (3 if mood is wild else 5) + (1 if extra else 0)
rule lines: modify cost(p) by 2 where mood is calm and p is p2
phase game
    do note(cost(p1))
    do note(cost(p2))
"""
    )
    made = game(rules)
    assert cell(made.new(), "trail") == 57
    assert cell(made.new(options={"mood": "wild", "extra": "true"}), "trail") == 44


def test_an_option_may_be_a_number() -> None:
    # 5: its answers are a range or a list of numbers; it is read like any number.
    rules = (
        BASE
        + """
option width: 2..5 = 3
option length: 4, 8 = 8
phase game
    for every n in 1..width: do note(n)
    if length is 4: do note(min(9, width * length))
"""
    )
    made = game(rules)
    assert cell(made.new(), "trail") == 123
    state = made.new(options={"width": "2", "length": "4"})
    assert cell(state, "trail") == 128
    assert (state.options["width"], state.options["length"]) == ("2", "4")
    for wrong in ({"width": "6"}, {"length": "5"}, {"width": "wide"}):
        with pytest.raises(GameSetupError, match="cannot be"):
            made.new(options=wrong)


def test_a_cycle_through_a_layer_is_rejected() -> None:
    # 5: modifiers that depend on each other are rejected before play.
    found = errors(
        BASE
        + """
value a(p: Seat): int = 1
value b(p: Seat): int = a(p)
rule loops: modify a(p) by b(p)
phase game
    do note(b(p1))
"""
    )
    assert [d.code for d in found] == ["RW0805"] and "a" in found[0].message


def test_reading_an_earlier_layer_of_itself_needs_so_far() -> None:
    # 5: reading `so_far` is always allowed; the value itself is not.
    ok = (
        BASE
        + """
value a(p: Seat): int = 1 in layers x, y
rule lines
    modify a(p) in layer x by 4
    modify a(p) in layer y by so_far where so_far >= 5
phase game
    do note(a(p1) - 4)
"""
    )
    assert value(start(ok), "a", "p1") == 10
    assert errors(ok.replace("where so_far >= 5", "where a(p) >= 5")) != []


def test_a_name_in_a_pattern_is_always_new() -> None:
    # 5: `modify cost(p, clerk)` is refused with "write `where c is clerk`".
    found = errors(
        CARDS
        + """
card clerk "Clerk": Card
    worth: 2
value cost(p: Seat, c: Card): int = c.worth + p.level
rule lines: modify cost(p, clerk) by 1
phase game
    do note(cost(p1, clerk))
"""
    )
    assert [d.code for d in found] == ["RW0804"] and "where" in (found[0].help or "")


def test_a_value_without_parameters_and_with_a_set() -> None:
    # 5 and 7: values may be sets; one without parameters is read by its name alone.
    s = start(
        CARDS
        + """
card clerk "Clerk": Card
    worth: 2
card miser "Miser": Card
    worth: 5
value dear: set of Card = set(c in Card where c.worth > 3 or c.up)
value least(c: Card): int = min(d in dear: d.worth) - c.worth
phase game
    do note(size(dear))
    set clerk.up to true
    do note(size(dear()))
    do note(miser.least + 4)
"""
    )
    assert cell(s, "trail") == 121 and value(s, "dear") == ["clerk", "miser"]


WHOSE = """
kind Card: 3
kind Seat
    zone hand: Card
    zone front: Card max 1
    zone pile: Card ordered
    zone secret: Card seen by owner
zone box: Card
value owner(c: Card): Seat or none = only(p in seats where c in p.hand or c in p.front or c in p.pile)
value held(c: Card): bool = any(p in seats where c in p.hand)
value keeper(c: Card): Seat or none = only(p in seats where c in p.secret)
phase game
    move card_1 to p2.front
    move card_2 to p1.hand
    choose one by p1
        case pile: move card_2 to p3.pile
        case away: move card_2 to box
    choose k in 1..2 by p1
"""


@pytest.mark.parametrize("backend", ["wasm", "reference"])
def test_whose_a_thing_is_follows_its_place(backend: str) -> None:
    s = rw.Game(game(WHOSE).program, backend).new(seats=3)
    cards = ("card_1", "card_2", "card_3")
    assert [value(s, "owner", c) for c in cards] == ["p2", "p1", "none"]
    assert [value(s, "held", c) for c in cards] == [0, 1, 0]
    piled, gone = answer_all(rw.copy(s), "pile"), answer_all(s, "away")
    assert [value(piled, "owner", c) for c in cards] == ["p2", "p3", "none"]
    assert [value(gone, "owner", c) for c in cards] == ["p2", "none", "none"]
    assert value(gone, "held", "card_2") == 0


def test_what_not_all_may_see_is_not_told_by_the_place() -> None:
    bodies = {f.name: f.body for f in game(WHOSE).program.functions}
    assert [type(bodies[name]).__name__ for name in ("owner", "held", "keeper")] == ["ByPlace", "ByPlace", "Fold"]


CLAMPS = (
    CARDS
    + """
value cost(p: Seat): int = 7 + p.bonus in layers early, late
value care(p: Seat): int = p.bonus
value plain(p: Seat): int = 4
card cheap "Cheap": Card
    worth: 3
    while in_play: modify cost(p) in layer early at most this.worth where p is owner
card dear "Dear": Card
    worth: 2
    while in_play: modify cost(p) at least this.worth + 3 where p is owner
rule bounds
    modify cost(p) in layer early by 2
    modify care(p) at least -1 at most 1
    modify plain(p) to 9 where p.level is 1 at most 6
    modify plain(p) by 5 where p.level is 2 at most 8
    modify plain(p) at least 3 where p.level is 3
phase game
    set p1.bonus to -9
    set p2.bonus to 5
    set p2.level to 1
    set p3.level to 2
    set cheap.owner to p2
    set cheap.up to true
    set dear.owner to p3
    set dear.up to true
    choose k in 1..2 by p1
    set p1.level to k
"""
)


def test_bounds_stand_alone_in_a_line() -> None:
    s = start(CLAMPS, seats=(3, 3))
    # early: 7 - 9 + 2 = 0; 7 + 5 + 2 = 14, at most 3; 7 + 2 = 9. late: at least 5 for p3 only, who has more
    assert [value(s, "cost", p) for p in ("p1", "p2", "p3")] == [0, 3, 9]
    assert [value(s, "care", p) for p in ("p1", "p2", "p3")] == [-1, 1, 0]
    assert [value(s, "plain", p) for p in ("p1", "p2", "p3")] == [4, 6, 8]
    play_on_both(s.game.program, 1)


TIMED_CLAMPS = (
    BASE
    + """
value cost(p: Seat): int = 9
phase game
    do turn(p1, 3)
    choose k in 1..2 by p1
    set p1.level to k
procedure turn(p: Seat, n: 1..9)
    do note(cost(p))
    do limit(p, n)
    do limit(p, n + 2)
    do raise(p2)
    do note(cost(p))
    do note(cost(p2))
procedure limit(p: Seat, n: 1..9)
    until end of turn: modify cost(q) at most n where q is p
procedure raise(p: Seat)
    until end of turn: modify cost(q) by -4 where q is p at least 7
"""
)


def test_bounds_alone_until_the_end_of_a_frame() -> None:
    # nothing is bounded while no line is made, and then only for those whom it names
    s = start(TIMED_CLAMPS)
    assert cell(s, "trail") == 937 and value(s, "cost", "p1") == 9
    assert play_on_both(s.game.program, 1)


def test_a_line_without_any_change_is_refused() -> None:
    assert [d.code for d in errors(CLAMPS.replace("modify care(p) at least -1 at most 1", "modify care(p)"))] == [
        "RW0120"
    ]
