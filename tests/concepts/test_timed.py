"""Rule lines under `until end of` (docs/manual/06-activity-and-scope.md): triggers, checks and sources that hold until
a frame has ended."""

from __future__ import annotations

from tests.concepts.play import answer_all, cell, errors, options, question, start

BASE = """
enum Cause: theft, storm
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece coin
piece star
kind Seat
    zone purse: coin
    zone stars: star
    zone hand: Card
    field up: bool
kind Card: 4
zone deck: Card
zone pile: Card
"""


def test_a_trigger_until_the_end_of_a_frame_keeps_copies_of_its_names() -> None:
    # 6: the lines copy the values of the names they use and live until the nearest running F has ended; each time the
    # lines are put into force is one of its own, the oldest first.
    s = start(
        BASE
        + """
phase game
    do day(3)
    do day(4)
    gain 9 coin by p1
phase day(n: 0..9)
    gain 1 coin by p1
    do party(p1, n)
    gain 2 coin by p1
    do party(p2, n + 1)
    gain 3 coin by p1
procedure party(p: Seat, k: 0..9)
    let m = k + 1
    until end of day
        after gain(q, n, what: coin) where q is p1 and n > 1
            do note(m)
            gain m star by p
"""
    )
    # day 3: nothing, 4, then 4 and 5; day 4: nothing, 5, then 5 and 6; the last gain is heard by nobody
    assert cell(s, "trail") == 445556
    assert cell(s, "p1.stars") == 4 + 4 + 5 + 5 and cell(s, "p2.stars") == 5 + 6


def test_before_and_instead_of_and_you() -> None:
    # 6 and 13: `you` is who acted when the line was put into force.
    s = start(
        BASE
        + """
phase game
    do turn(p2)
    gain 2 coin by p1 as storm
phase turn(p: Seat)
    until end of turn
        before gain(q, n, what: coin) where q is not you: gain 1 star
        instead of gain(q, n, what: coin) where cause is storm and n > 3: gain n - 3 coin by q as storm
    gain 1 coin by p1
    gain 9 coin by p1 as storm
    gain 1 coin by p2
"""
    )
    # the replaced gain of 9 is heard by `before`, then 6 by `before` again, and not replaced again; then 2 outside
    assert cell(s, "p1.purse") == 1 + 6 + 2 and cell(s, "p2.purse") == 1
    assert cell(s, "p2.stars") == 3 and cell(s, "p1.stars") == 0


def test_lines_of_a_card_that_is_gone_and_once_per() -> None:
    # 6: the lines do not need the card that made them; 13: `once per F` counts per line and thing.
    s = start(
        BASE
        + """
kind Spell
zone books: Spell
card fog "Fog": Spell
    effect
        move this to books
        until end of night
            after walk(p) once per turn: gain 1 star by p1
            after walk(p): gain 1 coin by p1
procedure walk(p: Seat)
    do note(1)
phase game
    do night()
    do walk(p1)
phase night
    do fog.effect() by p1
    do fog.effect() by p2
    do turn()
    do turn()
phase turn
    do walk(p1)
    do walk(p2)
"""
    )
    # in force twice: the first line works once in each of two turns, the second twice at each of four walks
    assert cell(s, "p1.stars") == 2 and cell(s, "p1.purse") == 8 and cell(s, "trail") == 11111


def test_a_trigger_that_asks_and_a_line_made_by_a_line() -> None:
    # 6 and 13: blocks may ask, and put further lines into force.
    s = start(
        BASE
        + """
phase game
    do turn(p1)
    gain 1 coin by p2
phase turn(p: Seat)
    until end of turn
        after lose(q, n, what: coin) where q is not p
            choose number k in 1..2 by q
            do note(k)
            until end of turn
                after gain(r, i, what: coin) where r is q: do note(k + 2)
    gain 2 coin by p2
    lose 1 coin by p2
    gain 1 coin by p2
    lose 1 coin by p2
    gain 1 coin by p2
"""
    )
    assert question(s) == "p2: after lose.k" and options(s) == ["1", "2"]
    answer_all(s, "2")
    assert question(s) == "p2: after lose.k" and cell(s, "trail") == 24
    answer_all(s, "1")
    assert s.over and cell(s, "trail") == 24143


def test_inside_together_they_wait_for_its_end() -> None:
    # 14: all `after`s run after the `together`.
    s = start(
        BASE
        + """
phase game
    for every p in {p1, p2}
        until end of game
            after gain(q, n, what: coin) where q is p: do note(n)
    together
        gain 3 coin by p2
        gain 4 coin by p1
        do note(9)
"""
    )
    assert cell(s, "trail") == 934


def test_checks_until_the_end_of_a_frame() -> None:
    # 6 and 14: a check under `until end of`, here one for each of two limits.
    s = start(
        BASE
        + """
phase game
    do day()
    gain 5 coin by p1
phase day
    do limit(p1, 3)
    gain 5 coin by p1
    gain 5 coin by p2
    do limit(p2, 1)
    gain 1 star by p2
    gain 1 coin by p2
procedure limit(p: Seat, n: 0..9)
    until end of day
        always for every q in seats where q is p and q.purse > n
            lose 1 coin by q
            do note(n)
"""
    )
    # p1 keeps 3 of 5; p2 has 5, and the next coin brings its purse down to 1; afterwards nothing holds
    assert cell(s, "trail") == 33_11111
    assert cell(s, "p1.purse") == 8 and cell(s, "p2.purse") == 1


def test_sources_until_the_end_of_a_frame() -> None:
    # 6 and 15: a source that holds for a turn, for the one who acted, bounded by what was copied.
    s = start(
        BASE
        + """
purse money(p: Seat)
    source p.purse
action buy(p: Seat, n: 1..9) of shop: pay n money
value can(p: Seat, n: 1..9): bool = possible(buy(p, n))
phase game
    gain 2 coin by p1
    for every p in seats: gain 5 star by p
    do turn(p1, 2)
    do note(1 if can(p1, 3) else 0)
phase turn(p: Seat, n: 0..9)
    do note(1 if can(p, 3) else 0)
    until end of turn: source p.stars of money worth 2 max n
    do note(1 if can(p, 6) else 0)
    do note(1 if can(p, 7) else 0)
    do note(1 if can(p2, 2) else 0)
    perform buy(p, 5)
"""
    )
    assert cell(s, "trail") == 1000
    # 5 exactly: two stars and a coin
    assert cell(s, "p1.purse") == 1 and cell(s, "p1.stars") == 3 and cell(s, "p2.stars") == 5


def test_what_does_not_stand_under_until_end_of() -> None:
    found = errors(
        BASE
        + """
phase game
    until end of game
        do note(1)
        after gain(q, n, what: coin) where m > 2: do note(1)
"""
    )
    assert [d.code for d in found] == ["RW0806", "RW0205"]
