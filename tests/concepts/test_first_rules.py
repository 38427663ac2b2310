"""Rules of games that people write first, on every machine: spells that are answered, players who are out, numbers that
grow, words and weights. What comes is worked out by hand."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.rules.rules import REFERENCE
from tests.concepts.everywhere import HERE, played
from tests.concepts.first_games import MACHINES, begun, told
from tests.concepts.play import answer_all, cell, question, value
from tests.concepts.test_numbers import CHAIN

# ---------------------------------------------------------------- spells, debts, turns


SPELLS = """
enum Cause: cast, done
piece life
kind Spell: 4
kind Seat
    zone hand: Spell seen by owner
    zone lives: life
    zone past: Spell ordered
zone stack: Spell ordered
zone lost: Spell ordered
value answers(s: Spell): bool = s is not spell_1
action counter(q: Seat, c: Spell) of replies
    require c in q.hand and answers(c) because "you have no such answer"
    let victim = front(stack)
    do cast(q, c)
    if c in q.past and victim in stack: move victim to lost as done
procedure cast(p: Seat, s: Spell)
    move s to stack at top as cast
    open to q in seats where openly(any(c in q.hand where answers(c))): offer replies by q or decline
    if s in stack
        move s to p.past as done
        if s is spell_1: gain 3 life by p
phase game
    for every s in {spell_1, spell_2}: move s to p1.hand
    move spell_3 to p2.hand
    do cast(p1, spell_1)
"""


@pytest.mark.parametrize("machine", MACHINES)
def test_who_has_no_answer_left_is_not_asked(machine: str) -> None:
    # Nobody answers; one answer, and no more, though there is one; an answer to it, behind which nobody has any.
    for answers, lives, lost in (
        ((("p2", "decline"), ("p1", "decline")), 3, []),
        ((("p2", "counter spell_3"), ("p1", "decline"), ("p1", "decline")), 0, ["spell_1"]),
        ((("p2", "counter spell_3"), ("p1", "counter spell_2")), 3, ["spell_3"]),
    ):
        state = begun(SPELLS, machine)
        for who, answer in answers:
            assert state.decision is not None
            for seat in state.decision.open_seats:
                assert len(rw.legal(state, seat)) > 1, "nobody is asked who can only decline"
            rw.answer(state, answer, who)
        assert state.over, question(state)
        assert (cell(state, "p1.lives"), cell(state, "lost")) == (lives, lost)


DEBTS = """
piece coin
kind Seat
    zone coins: coin
    field out: bool
    field bids: 0..9
field turns: 0..99
value alive(): set of Seat = set(p in seats where not p.out)
value down(n: int): int = half_down(n)
value up(n: int): int = half_up(n)
value third(n: int): int = div_down(n, 3)
value rest(n: int): int = n mod 3
phase turn(p: Seat)
    choose one by p
        case concede: set p.out to true
        case go_on: gain 1 coin by p
    if not p.out: gain 2 coin by p
    set turns to turns + 1
phase game
    choose one by p1
        case crisis
            let broke = set(p in alive where p.coins < 2)
            together: for every p in broke: set p.out to true
        case auction
            set p1.out to true
            round robin p in seats from p1 where not p.out while size(alive) > 0 and turns < 2
                choose one by p
                    case leave: set p.out to true
                    case stay: set turns to turns + 1
        case leaving: do turn(p2)
"""


@pytest.mark.parametrize("machine", MACHINES)
def test_those_who_are_out(machine: str) -> None:
    state = begun(DEBTS, machine, "crisis")
    assert value(state, "alive") == [] and state.over
    state = begun(DEBTS, machine, "auction")
    assert question(state).startswith("p2") and not answer_all(state, "p2 stay").over
    assert value(answer_all(state, "p2 leave"), "alive") == [] and state.over
    state = begun(DEBTS, machine, "leaving", "p2 concede")
    assert (cell(state, "turns"), cell(state, "p2.coins"), state.over) == (1, 0, True)


@pytest.mark.parametrize("machine", MACHINES)
def test_halves_thirds_and_rests_below_zero(machine: str) -> None:
    # -3 / 2 is -1.5, -4 / 3 is -1.33, and -4 = -2 * 3 + 2
    state = begun(DEBTS, machine)
    assert [value(state, f, n) for f, n in (("down", -3), ("up", -3), ("third", -4), ("rest", -4))] == [-2, -1, -2, 2]


# ---------------------------------------------------------------- numbers


HEAPS = """
piece coin
kind Seat
    zone coins: coin
    field drawn: 0..2147483646
    field last: 0..1
option rounds: 10..60 = 40
procedure drawn(p: Seat)
    choose number n in 1..6 by p
    random number q in 0..1073741823 * n
    set p.drawn to q
    choose number m in 0..1 by p
    set p.last to m
phase game
    choose one by p1
        case heap
            gain 1 coin by p2
            for every i in 1..rounds: gain p2.coins coin by p2
        case draw: do drawn(p2)
        case steps
            for every m in 1..max(0, min(6, 2147483646 * 65536)): gain 1 coin by p1
"""


@pytest.mark.parametrize("machine", MACHINES)
def test_a_heap_that_doubles_ends_in_a_fault_with_its_place(machine: str) -> None:
    place = HEAPS.splitlines().index("            for every i in 1..rounds: gain p2.coins coin by p2") + 1
    found = told(HEAPS, machine, "heap")
    assert f"small.rules:{place}:" in found and "would hold 1048576 coin" in found
    state = begun(HEAPS, machine, "heap", options={"rounds": 19})
    assert cell(state, "p2.coins") == 2**19
    assert rw.restore(state.game, rw.save(state)).digest() == state.digest()


@pytest.mark.parametrize("machine", MACHINES)
def test_a_draw_from_more_than_all_numbers_is_a_fault_and_from_all_is_none(machine: str) -> None:
    drawn = [cell(begun(HEAPS, machine, "draw", str(n)), "p2.drawn") for n in (1, 2)]
    assert drawn == [cell(begun(HEAPS, REFERENCE, "draw", str(n)), "p2.drawn") for n in (1, 2)]
    for n in (3, 4, 6):
        assert f"`1073741823 * n` is {1073741823 * n}" in told(HEAPS, machine, "draw", str(n))


@pytest.mark.parametrize("machine", MACHINES)
def test_the_end_of_a_range_may_come_from_a_product_beyond_all_numbers(machine: str) -> None:
    assert cell(begun(HEAPS, machine, "steps"), "p1.coins") == 6


@pytest.mark.parametrize("machine", MACHINES)
def test_values_of_which_each_reads_the_next_twice_meet_the_limit(machine: str) -> None:
    rules = CHAIN + "value v40(): int = z\nphase game\n    choose number n in 0..min(3, v0()) by p1\n    set z to n\n"
    assert "limit `steps`" in told(rules, machine, manifest="limits: {steps: 20000}")


# ---------------------------------------------------------------- words and weights


BOARD = """
enum Suit: clubs, hearts
enum Strain: clubs, hearts, none_at_all
lattice Cell: hex by -3..3, -3..3
kind Drop by Cell
kind Seat
    field worth: 0..9
field strain: Strain
field open: bool
field at: Cell = Cell(0, 0)
value minor(): bool = strain in {clubs, hearts}
value rim(c: Cell): bool = c.q in {-3, 3}
value next_one(p: Seat): Seat = first(q in seats from p where q.worth > 0)
phase game
    choose s in Strain by p1
    choose n in 1..3 by p1
    set open to true
    set strain to s
    set p2.worth to 3
    set at to Cell(n, 0)
    if open and n is 1: stop game
    set p1.worth to size(Drop) mod 10
"""


@pytest.mark.parametrize("machine", MACHINES)
def test_words_whose_meaning_their_place_tells(machine: str) -> None:
    # 7 by 7 cells make 49 drops; the rim is the column of 3
    for strain, n, minor, rim, worth, after in (
        ("clubs", 1, True, False, 0, "p2"),
        ("hearts", 2, True, False, 9, "p1"),
        ("none_at_all", 3, False, True, 9, "p1"),
    ):
        state = begun(BOARD, machine, strain, str(n))
        assert value(state, "minor") == minor and value(state, "rim", cell(state, "at")) == rim
        assert cell(state, "p1.worth") == worth and value(state, "next_one", "p1") == after
        assert cell(state, "open") is True


LOTS = """
enum Colour: red, blue, green
kind Seat
    field last: 0..3
field draws: 0..20
field greens: 0..20
value free(c: Colour): bool = draws > 3 or c is not green
phase game
    repeat while draws < 12
        set draws to draws + 1
        random c in Colour where free(c) by 9 if c is red else 1
        if c is green: set greens to greens + draws
        choose number n in 0..2 by p1
        set p1.last to 3 if c is blue else n
"""


@pytest.mark.parametrize("target", HERE)
def test_weights_under_a_condition_draw_the_same_everywhere(target: str) -> None:
    state = played(LOTS, target=target)
    assert cell(state, "draws") == 12 and cell(state, "greens") not in (1, 2, 3)
