"""Pieces, zones and faces (docs/manual/03-pieces-and-zones.md, 04-verbs-and-causes.md and 17-chance.md): where things
are, in which order, and that nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from interpreter.records.ruling import run_rulings
from tests.concepts.play import cell, game, options, play_on_both, start, value

BASE = """
enum Colour: red, blue
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
kind Seat
    zone bag: cube
    zone hand: Card
kind Area: 2
    zone cubes: cube
    zone slot: Card max 1
    zone pawn: pawn max 1
kind Card: 5 faces down, up, gone
    zone marks: cube
piece cube by Colour each 6 from box faces bare, guarded
piece pawn by Colour each 2 from camp
piece coin
zone box: cube
zone camp: pawn
zone row: Card ordered
zone heap: Card ordered
zone bench: Card max 2
value number(c: Card): int = sum(i in 1..5: i if row[i] is c else 0)
"""


def play(body: str, more: str = "", **how: Any) -> rw.State:
    return start(BASE + "phase game\n" + body + more, **how)


def test_faces_split_counts_and_a_move_takes_them_in_declared_order() -> None:
    # 3: faces split every count; a move without a face takes faces in the declared order and keeps them.
    s = play(
        """
    move 5 cube[red] from box to area_1.cubes
    turn 2 cube[red] from area_1.cubes to guarded
    move 4 cube[red] from area_1.cubes to area_2.cubes
    move 1 cube[red, bare] from area_2.cubes to box
    turn all cube[red, guarded] from area_1.cubes to bare
    do note(area_2.cubes[red, bare])
    do note(area_2.cubes[red, guarded])
    do note(area_1.cubes[red])
    do note(box[red])
    do note(total(area_2.cubes))
"""
    )
    # 3 bare and 1 guarded went over, then one bare left; one guarded stayed and was turned
    assert cell(s, "trail") == 21123


def test_an_exact_move_of_a_face_needs_that_face() -> None:
    # 4: `move n p` is exact: fewer there is a reported error outside a plan; zero is no event.
    with pytest.raises(rw.RulesetError, match="2 cube should leave"):
        play("    move 2 cube[red] from box to area_1.cubes\n    move 2 cube[red, guarded] from area_1.cubes to box\n")
    assert cell(play("    move 0 cube[red] from area_1.cubes to box\n    do note(1)\n"), "trail") == 1


def test_rows_of_a_position_name_faces_in_their_key_or_in_their_cells() -> None:
    # 20: a key without a face sets all faces of what it names, a key with a face only that one.
    made = game(
        BASE
        + """
position two "two of each"
    area_1.cubes: red 2, red guarded 2, blue guarded 1
ruling A "a face in the key leaves the other"
    given two
        area_1.cubes[red, guarded]: 1
    expect
        area_1.cubes[red, bare]: 2
        area_1.cubes[red, guarded]: 1
        area_1.cubes[blue]: 1
        box[red]: 3
ruling B "no face in the key: all of that index"
    given two
        area_1.cubes[red]: 3
    expect
        area_1.cubes[red, bare]: 3
        area_1.cubes[red, guarded]: 0
        area_1.cubes[blue, guarded]: 1
ruling C "a cell may name the face that stays"
    given two
        area_1.cubes[red]: guarded 1
    expect
        area_1.cubes[red, bare]: 0
        area_1.cubes[red, guarded]: 1
"""
    )
    assert [(r.name, *map(str, r.failures)) for r in run_rulings(made)] == [("A",), ("B",), ("C",)]


def test_rows_of_an_expectation_name_faces_like_those_of_a_position() -> None:
    # 20: `expect` compares what `given` sets; a cell without a face is the first face, what is not named is 0.
    made = game(
        BASE
        + """
position two "two of each"
    area_1.cubes: red 2, red guarded 2, blue guarded 1
    area_1.pawn: red
ruling A "all that is there, face by face"
    given two
    expect
        area_1.cubes: red 2, red guarded 2, blue guarded 1
        area_1.cubes[red]: 2, guarded 2
        area_1.cubes[red]: bare 2, guarded 2
        area_1.cubes[blue]: guarded
        area_1.cubes: red 4, blue 1
ruling B "a face that is not named is empty"
    given two
    expect
        area_1.cubes[red]: guarded 2
ruling C "another face is another content"
    given two
    expect
        area_1.cubes: red 2, red guarded 2, blue 1
"""
    )
    a, b, c = run_rulings(made)
    assert not a.failures
    assert [(f.text, f.expected, f.seen) for f in b.failures] == [("area_1.cubes[red]: guarded 2 (bare)", "0", "2")]
    assert [f.text for f in c.failures] == [
        f"area_1.cubes: red 2, red guarded 2, blue 1 ({x})" for x in ("bare", "guarded")
    ]


def test_faces_of_things() -> None:
    # 3: a kind may have faces too.
    s = play(
        """
    turn card_1 to up
    for every c in Card where c is not card_1: turn c to gone
    turn card_2 to down
    do note(count(c in Card where c.face is gone))
    do note(1 if card_1.face is up else 0)
    do note(1 if card_2.face is down else 0)
"""
    )
    assert cell(s, "trail") == 311


def test_slots_hold_one_and_read_as_their_content() -> None:
    # 3 and narrowing: `max 1` reads as its content or none; counted pieces as their index.
    s = play(
        """
    move card_3 to area_1.slot
    move 1 pawn[blue] from camp to area_2.pawn
    do note(1 if area_1.slot is card_3 else 0)
    do note(1 if area_2.slot is none and area_1.pawn is none else 0)
    do note(1 if area_2.pawn is blue else 0)
    move card_3 to area_2.slot
    move area_2.pawn to camp
    do note(1 if area_1.slot is none and area_2.pawn is none else 0)
    do note(camp[blue])
"""
    )
    assert cell(s, "trail") == 11112


def test_a_full_slot_or_zone_refuses() -> None:
    # 3: capacity is part of the zone; outside a plan it is a reported error, inside the option is not offered.
    with pytest.raises(rw.RulesetError, match="Area.slot|area_1.slot"):
        play("    move card_3 to area_1.slot\n    move card_4 to area_1.slot\n")
    with pytest.raises(rw.RulesetError, match="bench"):
        play("    for every c in {card_1, card_2, card_3}: move c to bench\n")
    s = play(
        "    move card_3 to area_1.slot\n    offer puts by p1\n    do note(1)\n",
        "action put(p: Seat, a: Area) of puts: move card_4 to a.slot\naction wait(p: Seat) of puts: do note(2)\n",
    )
    assert options(s) == ["put area_2", "wait"]


def test_ordered_zones_keep_their_order() -> None:
    # 3: `at top`, `at bottom`, `at i`; without a word at the bottom; a thing leaves where it was.
    s = play(
        """
    for every c in Card: move c to row
    move card_4 to row at top
    move card_1 to row at bottom
    move card_5 to row at 2
    do note(size(row))
    for every i in 1..5: do note(place_of(row[i]))
    do note(place_of(front(row)))
    do note(place_of(last(row)))
""",
        "value place_of(c: Card or none): int = (1 if c is card_1 else 2 if c is card_2 else 3 if c is card_3"
        " else 4 if c is card_4 else 5 if c is card_5 else 0)\n",
    )
    # 4 2 3 5 1, then 5 as the second
    assert cell(s, "row") == ["card_4", "card_5", "card_2", "card_3", "card_1"]
    assert cell(s, "trail") == 545231 * 100 + 41


def test_all_of_a_zone_moves_in_its_order() -> None:
    # 3: a set of things is moved as one change, in its order; a zone moves with all its content.
    s = play(
        """
    for every c in Card: move c to row at top
    move set(c in row where c in {card_2, card_4}) to heap
    move row to heap
    move card_1 to p1.hand
    move heap to p2.hand
    move 2 cube[red] from box to area_1.cubes
    move 1 cube[blue] from box to area_1.cubes
    turn 1 cube[red] from area_1.cubes to guarded
    move area_1.cubes to area_2.cubes
    do note(area_2.cubes[red, guarded])
    do note(total(area_2.cubes))
    do note(size(row) + size(heap))
"""
    )
    assert cell(s, "trail") == 130 and cell(s, "p2.hand") == ["card_2", "card_3", "card_4", "card_5"]


def test_things_carry_the_zones_inside_them() -> None:
    # 3: pawns ride on a card; `holder(z)` is the thing that a zone belongs to.
    s = play(
        """
    move 2 cube[blue] from box to card_2.marks
    move card_2 to p1.hand
    do note(total(first(c in p1.hand).marks))
    do note(3 if any(p in seats where card_2 in p.hand) else 0)
"""
    )
    assert cell(s, "trail") == 23


def test_pieces_are_conserved_and_endless_supplies_are_not_counted() -> None:
    # 3: pieces conserve their total per index over all faces; `lose` and `gain` do what is possible.
    s = play(
        """
    gain 9 cube[red] by p1
    lose 2 cube[red] by p1
    do note(p1.bag[red])
    do note(box[red])
    gain 9 cube[blue] to area_1.cubes
    do note(area_1.cubes[blue])
"""
    )
    assert cell(s, "trail") == 426


def test_shuffle_and_random() -> None:
    # 17: outcomes come from the seeded source, or from a script.
    rules = """
    for every c in Card: move c to row
    shuffle row
    random c in row where c is not card_1
    random number d in 1..6
    random k in camp
    set pick to c
    do note(d)
    do note(1 if k is blue else 0)
"""
    more = "field pick: Card or none\nvalue red_left: int = camp[red]\n"
    s = play(rules, more, script=[["card_3", "card_5", "card_1", "card_2", "card_4"], "card_5", 4, "blue"])
    assert cell(s, "row") == ["card_3", "card_5", "card_1", "card_2", "card_4"]
    assert cell(s, "pick") == "card_5" and cell(s, "trail") == 41
    orders = {tuple(cell(play(rules, more, seed=n), "row")) for n in range(12)}
    assert len(orders) > 6 and all(sorted(o) == [f"card_{i}" for i in range(1, 6)] for o in orders)
    with pytest.raises(rw.RulesetError, match="card_1"):
        play(rules, more, script=[["card_3", "card_5", "card_1", "card_2", "card_4"], "card_1"])
    assert play(rules, more, seed=3).digest() == play(rules, more, seed=3).digest()
    assert value(s, "red_left") == 2


def test_random_some_draws_several_without_putting_back() -> None:
    # 17: `random some xs in S exactly n`; as far as there are any with `at most`.
    s = play(
        """
    for every c in Card: move c to row
    random some cs in row where c_no(cs) > 1 exactly 2
    move cs to heap
    random some ds in heap at most 5
    do note(size(ds))
    do note(size(heap))
""",
        "value c_no(c: Card): int = 1 if c is card_1 else 2\n",
        script=["card_4", "card_2"],
    )
    assert cell(s, "heap") == ["card_2", "card_4"] and cell(s, "trail") == 22
    assert [e.ids for e in s.log][:2] == [("card_4",), ("card_2",)]
    with pytest.raises(rw.RulesetError):
        play("    random some cs in row exactly 1\n    do note(size(cs))\n")


def test_conditions_on_what_is_drawn() -> None:
    # 9 and 17: `where` on numbers, pieces and things; `if any` skips where nothing is left to draw.
    body = """
    random number d in 1..6 where d > 4
    random k in camp where k is not red
    move 2 pawn[blue] from camp to away
    do note(d)
    do note(1 if k is blue else 0)
    random x in camp where x is blue if any
    do note(9)
"""
    more = "zone away: pawn\n"
    assert {cell(play(body, more, seed=n), "trail") for n in range(8)} == {51, 61}
    with pytest.raises(rw.RulesetError, match="5|6"):
        play(body, more, script=[3])


SLOTS = """
enum Rank: low, high
piece man by Seat each 3 from camp faces fresh, tired, lost
piece cub by Seat each 3 from den
piece gem each 3 from mine faces dull, bright
piece chip by Seat, Rank each 3 from pile faces up, down
zone camp: man
zone den: cub
zone mine: gem
zone pile: chip
kind Spot: 4
    zone who: man max 1
    zone what: cub max 1
    zone jewel: gem max 1
    zone stack: chip max 1
kind Seat
    field n: 0..4
value his(s: Spot): Seat or none = s.who
value his_cub(s: Spot): Seat or none = s.what
value his_tired(s: Spot): Seat or none = s.who[tired]
value is_of(s: Spot, p: Seat): bool = s.who[p] > 0
value is_tired(s: Spot, p: Seat): bool = s.who[p, tired] > 0
value has_jewel(s: Spot): bool = s.jewel > 0
value has_bright(s: Spot): bool = s.jewel[bright] > 0
value has_chip(s: Spot): bool = s.stack > 0
value has_down(s: Spot): bool = s.stack[down] > 0
value of_high(s: Spot, p: Seat): bool = s.stack[p, high] > 0
value points_of(p: Seat): int = count(s in Spot where s.who is p and s.what is p)
phase game
    move 1 man[p2] from camp to spot_1.who
    turn 1 man[p2] from spot_1.who to tired
    move 1 man[p1] from camp to spot_2.who
    move 1 man[p2] from camp to spot_3.who
    turn 1 man[p2] from spot_3.who to lost
    move 1 cub[p2] from den to spot_1.what
    move 1 gem from mine to spot_1.jewel
    move 1 gem from mine to spot_2.jewel
    turn 1 gem from spot_2.jewel to bright
    move 1 chip[p2, high] from pile to spot_1.stack
    turn 1 chip[p2, high] from spot_1.stack to down
    move 1 chip[p1, low] from pile to spot_2.stack
    choose k in 1..2 by p1
    set p1.n to k
"""


def test_a_slot_reads_as_the_index_of_its_piece_whatever_its_face() -> None:
    # 3: `max 1` is a slot; its piece is that of p2 though it is tired.
    s = start(SLOTS)
    spots = ("spot_1", "spot_2", "spot_3", "spot_4")
    expected = {
        "his": ["p2", "p1", "p2", "none"],
        "his_cub": ["p2", "none", "none", "none"],
        "his_tired": ["p2", "none", "none", "none"],
        "has_jewel": [True, True, False, False],
        "has_bright": [False, True, False, False],
        "has_chip": [True, True, False, False],
        "has_down": [True, False, False, False],
    }
    assert {name: [value(s, name, spot) for spot in spots] for name in expected} == expected
    assert [value(s, "is_of", spot, "p2") for spot in spots] == [True, False, True, False]
    assert [value(s, "is_tired", spot, "p2") for spot in spots] == [True, False, False, False]
    assert [value(s, "of_high", spot, "p2") for spot in spots] == [True, False, False, False]
    assert value(s, "points_of", "p2") == 1 and value(s, "points_of", "p1") == 0
    play_on_both(s.game.program, 1)


FACED = """
enum Good: gold, salt
piece token by Good each 9 from box faces up, down
piece plain each 3 faces up, down
zone box: token
zone spot: token max 1
zone place: plain max 1
kind Card faces front, back
zone hand: Card
kind Seat
    zone purse: token
card a "A": Card
phase game
    choose number n in 0..1 by p1
    move 1 token[gold] from box to p1.purse
    turn 1 token[gold] from p1.purse to down
    move 1 token[gold, down] from p1.purse to spot
    move 1 plain from plain_box to place
    turn 1 plain from place to down
    turn a to back
    choose number m in 0..1 by p2
"""


def test_views_and_traces_tell_faces_by_their_words() -> None:
    s = start(FACED, seats=(2, 2))
    changes = [node.text for node in rw.trace(s, rw.legal(s)[0]).walk() if node.kind == "change"]
    assert changes[:4] == [
        "box[gold up]: 9 -> 8",
        "Seat.purse[p1][gold up]: 0 -> 1",
        "Seat.purse[p1][gold up]: 1 -> 0",
        "Seat.purse[p1][gold down]: 0 -> 1",
    ]
    assert "spot: none -> gold down" in changes and "Card.face[a]: front -> back" in changes
    assert "place: up -> down" in changes
    rw.answer(s, "1")
    shown = rw.view(s, 1)["state"]
    assert (shown["box"], shown["spot"], shown["place"]) == (["gold up 8", "salt up 9"], "gold down", "down")
    assert shown["plain_box"] == ["up 2"] and shown["Card.face"] == {"a": "back"}
