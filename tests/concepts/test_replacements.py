"""Several cards that wait for one event, of which any number are in play, and replacements of replacements
(docs/manual/13-triggers.md)."""

from __future__ import annotations

from itertools import permutations

import pytest

import interpreter as rw
from tests.concepts.everywhere import played
from tests.concepts.play import cell, game, start

BASE = """
piece counter
kind Card
kind Seat
    zone counters: counter
    zone table: Card ordered
field scene: 0..9
field trail: 0..9999 by 1..9
zone box: Card
zone discard: Card
zone exile: Card
value owner(c: Card): Seat or none = only(p in seats where c in p.table)
value in_play(c: Card): bool = owner(c) is not none
procedure won(p: Seat, n: int): gain n counter by p
"""
EVENTS = {"gain": "gain 1 counter by p1", "routine": "do won(p1, 1)", "move": "move plain to discard"}
PATTERNS = {"gain": "gain(p, n, what: counter)", "routine": "won(p, n)", "move": "move(c: Card, a, b)"}


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("word", ["before", "after", "instead of"])
def test_any_number_of_three_cards_react(event: str, word: str) -> None:
    # All 8 choices of three cards that wait: those in play note 1, 2, 3 in their order; instead of it only the first.
    cards = "".join(
        f"card c_{n} 'C{n}': Card\n    while in_play\n        {word} {PATTERNS[event]} "
        f"{'where b is discard' if event == 'move' else 'where p is p1'}: do note({n})\n".replace("'", '"')
        for n in (1, 2, 3)
    )
    text = (
        BASE
        + cards
        + 'card plain "Plain": Card\n'
        + "procedure note(n: 0..9): set trail[scene] to trail[scene] * 10 + n\nphase game\n"
    )
    wanted = []
    for some in range(8):
        there = [n for n in (1, 2, 3) if some >> n - 1 & 1]
        text += "".join(f"    move c_{n} to p1.table\n" for n in there)
        text += f"    set scene to {some + 1}\n    do note(9)\n    " + EVENTS[event] + "\n"
        text += "".join(f"    move c_{n} to box\n" for n in there) + "    move plain to box\n"
        wanted.append("9" + "".join(map(str, there[:1] if word == "instead of" else there)))
    state = played(text)
    assert [str(cell(state, "trail", n)) for n in range(1, 9)] == wanted


def replacing(event: str, who: str, steps: dict[str, str]) -> str:
    """Cards that replace the event by another number of counters."""
    text = BASE
    for name, number in steps.items():
        block = f"gain {number} counter by {who}" if event == "gain" else f"do won({who}, {number})"
        text += f'card {name} "{name}": Card\n    while owner is not none\n'
        text += f"        instead of {PATTERNS[event]} where p is owner: {block}\n"
    return text


STEPS = {"doubling": "2 * n", "scales": "n + 1", "tripling": "3 * n"}


@pytest.mark.parametrize("who", ["p", "owner", "p1"])
@pytest.mark.parametrize("event", ["gain", "routine"])
def test_each_replacement_works_once_in_the_order_of_the_table(event: str, who: str) -> None:
    # However the block names whom it is about. From 1, in each order of the three cards, each once: doubling, scales,
    # tripling 9; doubling, tripling, scales 7; 12 and 12 from scales; 7 and 8 from tripling.
    text = replacing(event, who, STEPS) + "phase game\n"
    for order in permutations(STEPS):
        text += "".join(f"    move {name} to p1.table\n" for name in order)
        text += f"    {EVENTS[event]}\n" + "".join(f"    move {name} to box\n" for name in order)
    assert cell(played(text), "p1.counters") == 9 + 7 + 12 + 12 + 7 + 8


def test_a_block_about_somebody_else_is_a_new_event_and_one_with_another_verb_is_not() -> None:
    # p1's gain becomes p2's, which p2's card doubles; the block of a card on `lose` gives back what `gain` has lost.
    state = played(
        BASE
        + """
card charity "Charity": Card
    while owner is not none
        instead of gain(p, n, what: counter) where p is owner: gain n counter by next(owner)
card doubling "Doubling": Card
    while owner is not none
        instead of gain(p, n, what: counter) where p is owner: gain 2 * n counter by owner
card mirror "Mirror": Card
    while owner is not none
        instead of lose(p, n, what: counter) where p is owner: gain n counter by owner
card debt "Debt": Card
    while owner is not none
        instead of gain(p, n, what: counter) where p is owner and n is 5: lose 3 counter by owner
phase game
    move charity to p1.table
    move doubling to p2.table
    gain 2 counter by p1
    move charity to box
    move mirror to p1.table
    move debt to p1.table
    gain 4 counter by p1
    gain 5 counter by p1
"""
    )
    # p1: 4, then a gain of 5 becomes a loss of 3, which becomes a gain of 3, which `debt` lets be
    assert cell(state, "p2.counters") == 4 and cell(state, "p1.counters") == 7


def test_two_cards_do_not_throw_a_thing_to_and_fro() -> None:
    state = played(
        BASE
        + """
card to_exile "To exile": Card
    while in_play
        instead of move(c: Card, a, b) where b is discard: move c to exile
card to_discard "To discard": Card
    while in_play
        instead of move(c: Card, a, b) where b is exile: move c to discard
card plain "Plain": Card
phase game
    move to_exile to p1.table
    move to_discard to p2.table
    move plain to discard
    move to_exile to box
    move to_discard to box
    move to_exile to exile
"""
    )
    assert cell(state, "discard") == ["plain"] and cell(state, "exile") == ["to_exile"]


def test_replacements_cost_a_procedure_each() -> None:
    # Not one for each set of cards that may have come before it: ten cards would have made 5120.
    made = game(
        replacing("gain", "p", {f"card_{n}": "n + 1" for n in range(10)}) + "phase game\n    gain 1 counter by p1\n"
    )
    assert sum(p.name.startswith("instead of") for p in made.program.procs) == 10


def test_a_trace_shows_the_parameters_that_are_written_and_no_others() -> None:
    # What is issued again is told which lines are spent; nobody has written that.
    state = start(
        BASE
        + """
card plain "Plain": Card
rule thrift
    instead of harvest(p, n): do harvest(p, n + 1)
procedure harvest(p: Seat, n: int)
    gain n counter by p
    choose k in 1..2 by p
phase game
    choose k in 1..2 by p1
    do harvest(p1, k)
"""
    )
    said = [node.text for node in rw.trace(state, rw.legal(state)[1]).walk() if "harvest" in node.text]
    assert "procedure harvest(p1, 3)" in said and not any("{" in text for text in said)
