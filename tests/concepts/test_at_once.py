"""What leaves together sees each other leave (docs/manual/13-triggers.md and 14-checks-and-together.md): the lines of
cards are in force, and the cards owned, as they were when the whole change began."""

from __future__ import annotations

import pytest

import interpreter as rw
from dsl.elaborate.events.noted import stores
from dsl.program import NOTE
from interpreter.play.trace import trace
from tests.concepts.everywhere import HERE, USUAL, played
from tests.concepts.play import cell, start

BASE = """
enum Cause: dies, sold
enum Sort: bone, skin
piece life
piece scrap by Sort
kind Creature
    field shield: 0..3
kind Seat
    zone lair: Creature ordered
    zone lives: life
zone grave: Creature ordered
zone exile: Creature ordered
zone heap: scrap
zone ruin: scrap
field trail: 0..99999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
value owner(c: Creature): Seat or none = only(p in seats where c in p.lair)
value in_play(c: Creature): bool = owner(c) is not none
"""
MOURNERS = """
card vulture "Vulture": Creature
    while in_play
        after move(c: Creature, a, b) where owner is not none and c is not this and cause is dies: gain 1 life by owner
card ghoul "Ghoul": Creature
    while owner is not none
        after move(c: Creature, a, b) where c is not this and cause is dies: gain 10 life by owner
card dryad "Dryad": Creature
procedure fall(c: Creature): move c to grave as dies
phase game
    move vulture to p1.lair
    move ghoul to p1.lair
    move dryad to p2.lair
"""

TOGETHER = ("vulture", "ghoul", "dryad"), ("dryad", "ghoul", "vulture"), ("ghoul", "dryad", "vulture")


@pytest.mark.parametrize(
    ("target", "dying"), [*((USUAL, dying) for dying in TOGETHER), *((t, TOGETHER[0]) for t in HERE if t != USUAL)]
)
def test_what_dies_together_sees_the_others_die(target: str, dying: tuple[str, ...]) -> None:
    # Each of the two sees two others die, in whatever order the text names them: 2 * 1 and 2 * 10.
    lines = "".join(f"        move {c} to grave as dies\n" for c in dying)
    assert cell(played(BASE + MOURNERS + "    together\n" + lines, target=target), "p1.lives") == 22


@pytest.mark.parametrize(
    ("line", "lives"),
    [
        ("move set(c in Creature) to grave as dies", 22),
        ("move p1.lair to grave as dies", 11),  # each sees one other
        ("together: for every c in Creature: do fall(c)", 22),
        ("together: do fall(ghoul)\n    do fall(dryad)", 1 + 1),  # one after the other: the ghoul is gone by then
        ("for every c in Creature: do fall(c)", 10),  # the vulture first, which nobody but the ghoul sees
    ],
)
def test_a_set_and_routines_are_at_one_moment_too_and_one_by_one_is_not(line: str, lives: int) -> None:
    assert cell(played(BASE + MOURNERS + f"    {line}\n"), "p1.lives") == lives


def test_who_arrives_together_with_a_death_does_not_see_it() -> None:
    # "A card that arrives during the event does not react to it", before or after it in the text.
    for order in (("ghoul to p1.lair", "dryad to grave as dies"), ("dryad to grave as dies", "ghoul to p1.lair")):
        text = BASE + MOURNERS.replace("    move ghoul to p1.lair\n", "") + "    together\n"
        text += "".join(f"        move {words}\n" for words in order)
        assert cell(played(text), "p1.lives") == 1


def test_a_replacement_holds_for_all_that_leaves_with_its_card() -> None:
    # The card leaves first, and what dies with it is exiled all the same; so is the card itself.
    for others in (("warden", "dryad"), ("dryad", "warden")):
        text = (
            BASE
            + """
card warden "Warden": Creature
    while in_play
        instead of move(c: Creature, a, b) where b is grave: move c to exile
card dryad "Dryad": Creature
phase game
    move warden to p1.lair
    move dryad to p2.lair
    together
"""
            + "".join(f"        move {c} to grave as dies\n" for c in others)
        )
        state = played(text)
        assert set(cell(state, "exile")) == {"warden", "dryad"} and cell(state, "grave") == []


def test_the_where_of_a_line_is_tested_at_its_own_change() -> None:
    # Each part of a `together` is an event of its own: a shield that is used up does not hold a second blow.
    state = played(
        BASE
        + """
card armour "Armour": Creature
    while in_play
        instead of lose(p, n, what: life) where p is owner and this.shield > 0: set this.shield to this.shield - 1
phase game
    gain 5 life by p1
    move armour to p1.lair
    set armour.shield to 1
    together
        lose 1 life by p1
        lose 2 life by p1
"""
    )
    assert cell(state, "p1.lives") == 3 and cell(state, "armour.shield") == 0


def test_lines_on_routines_look_back_and_so_do_owners_and_their_order() -> None:
    # 6 and 13: p1's card comes before p2's; both have left their places before the routine begins.
    state = played(
        BASE
        + """
procedure bell(): do note(0)
card second "Second": Creature
    while in_play
        before bell(): do note(3)
        after bell() where owner is p2: do note(2)
card first "First": Creature
    while in_play
        before bell(): do note(4)
        after bell() where owner is p1: do note(1)
phase game
    move first to p1.lair
    move second to p2.lair
    together
        move first to grave
        move second to grave
        do bell()
    do bell()
"""
    )
    assert cell(state, "trail") == 43_0_12_0


def test_all_sorts_of_a_piece_move_at_one_moment() -> None:
    # The card is thrown away by the first sort; it hears both.
    state = played(
        BASE
        + """
card rat "Rat": Creature
    while in_play
        after move(x: scrap, a, b): do note(amount)
rule sweep
    before move(x: scrap, a, b) where x is bone: move rat to grave
phase game
    gain 2 scrap[bone] to heap by p1
    gain 3 scrap[skin] to heap by p1
    move rat to p1.lair
    move all scrap from heap to ruin
"""
    )
    assert cell(state, "trail") == 23


def test_a_change_that_begins_inside_another_looks_back_to_the_whole() -> None:
    # The harbinger takes all others along before it dies. These see one another; and they were in force when its own
    # death began, which `before` is inside of: three deaths each.
    state = played(
        BASE
        + MOURNERS.replace(
            "phase game",
            """card harbinger "Harbinger": Creature
    while in_play
        before move(c: Creature, a, b) where c is this: do wipe()
procedure wipe(): move set(c in Creature where c is not harbinger and in_play(c)) to grave as dies
phase game
    move harbinger to p2.lair""",
        )
        + "    do fall(harbinger)\n"
    )
    assert cell(state, "p1.lives") == 33


ASKS = (
    BASE
    + MOURNERS
    + """
    move set(c in Creature) to grave as dies
rule asks
    before move(c: Creature, a, b) where c is dryad and cause is dies
        choose number n in 1..3 by p2
        do note(n)
"""
)


def test_a_question_in_the_middle_does_not_forget_what_was_noted() -> None:
    state = played(ASKS)
    assert cell(state, "p1.lives") == 22 and cell(state, "trail") in (1, 2, 3)
    state = start(ASKS, seats=(2, 2))
    assert cell(state, "p1.lair") == []
    again = rw.restore(state.game, rw.save(state))
    rw.answer(again, "2")
    assert cell(again, "p1.lives") == 22


def test_nothing_noted_is_left_behind_or_shown() -> None:
    # The position is the same however it came about, and neither the trace nor a view tells what was noted.
    state = start(ASKS, seats=(2, 2))
    tree = "\n".join(node.text for node in trace(state, rw.legal(state)[0]).walk())
    assert "life" in tree or "lives" in tree
    assert NOTE not in tree and "notes" not in tree
    cells = {s.address.value for p in state.game.program.procs if p.word == "notes" for s in stores(p.body)}
    assert len(cells) == 6 and any(state.words[at] for at in cells)
    rw.answer(state, "1")
    assert not any(state.words[at] for at in cells)
