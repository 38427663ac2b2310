"""Cards of games that people write first, on every machine: cards that wait for one event, and cards that see others
die. What comes is worked out by hand."""

from __future__ import annotations

import pytest

from interpreter.backends.native.targets import C
from tests.concepts.everywhere import played
from tests.concepts.first_games import MACHINES, begun
from tests.concepts.play import cell
from tests.native import needs_compiler

# ---------------------------------------------------------------- cards that wait for one event


CHARMS = """
piece star
piece coin
kind Charm
kind Seat
    zone stars: star
    zone coins: coin
    zone shelf: Charm ordered
value owner(c: Charm): Seat or none = only(p in seats where c in p.shelf)
"""
QUIET = (
    CHARMS
    + "".join(
        f'card {name} "{name}": Charm\n    while owner is not none\n'
        f"        {word} gain(p, n, what: star) where p is owner: gain {n} coin by p\n"
        f"        {word} lose(p, n, what: star) where p is owner: gain {10 * n} coin by p\n"
        for word in ("before", "after", "instead of")
        for n, name in ((1, f"bell_{word[:2]}"), (2, f"horn_{word[:2]}"))
    )
    + "phase game\n    choose c in Charm by p1\n    gain 5 star by p2\n    gain 4 star by p1\n    move c to p1.shelf\n"
    + "    gain 3 star by p1\n    lose 2 star by p1\n    gain 3 star by p2\n    lose 1 star by p2\n"
)


@pytest.mark.parametrize("machine", MACHINES)
def test_of_two_cards_that_wait_for_an_event_one_is_in_play(machine: str) -> None:
    # whatever the word, and which of the two it is: 1 or 2 coins for the gain and ten times as many for the loss
    for n, card in ((1, "bell"), (2, "horn")):
        for word, stars in (("be", 5), ("af", 5), ("in", 4)):
            state = begun(QUIET, machine, f"{card}_{word}")
            assert (cell(state, "p1.stars"), cell(state, "p1.coins")) == (stars, 11 * n), (card, word)
            assert (cell(state, "p2.stars"), cell(state, "p2.coins")) == (7, 0)


ASKING = (
    CHARMS
    + "".join(
        f'card {name} "{name}": Charm\n    while owner is not none\n'
        "        after gain(p, n, what: star) where p is owner\n"
        "            choose number k in 1..3 by p\n            gain k coin by p\n"
        for name in ("moon", "sun")
    )
    + """
procedure win(p: Seat)
    gain 1 star by p
    lose 1 star by p
    gain 1 star by p
phase game
    move moon to p1.shelf
    do win(p1)
    move sun to p2.shelf
    do win(p2)
    do win(p1)
"""
)


@pytest.mark.parametrize("machine", MACHINES)
def test_cards_that_ask_in_the_middle_of_what_they_wait_for(machine: str) -> None:
    state = begun(ASKING, machine, "p1 1", "p1 2", "p2 3", "p2 1", "p1 2", "p1 2")
    assert state.over
    assert [cell(state, f"{p}.{z}") for p in ("p1", "p2") for z in ("stars", "coins")] == [2, 7, 1, 4]


@pytest.mark.parametrize("rules", [QUIET, ASKING])
@needs_compiler
def test_cards_that_wait_in_c(rules: str) -> None:
    played(rules, seed=2, target=C)


DOUBLED = (
    CHARMS
    + """
zone box: Charm
zone ash: Charm
zone mist: Charm
procedure won(p: Seat, n: int): gain n coin by p
card double "Double": Charm
    while owner is not none
        instead of gain(p, n, what: star) where p is owner: gain 2 * n star by owner
card more "More": Charm
    while owner is not none
        instead of gain(p, n, what: star) where p is owner: gain n + 1 star by owner
card twofold "Twofold": Charm
    while owner is not none
        instead of won(p, n) where p is owner: do won(owner, 2 * n)
card plus "Plus": Charm
    while owner is not none
        instead of won(p, n) where p is owner: do won(owner, n + 1)
card to_mist "To mist": Charm
    while owner is not none
        instead of move(c: Charm, a, b) where b is ash: move c to mist
card to_ash "To ash": Charm
    while owner is not none
        instead of move(c: Charm, a, b) where b is mist: move c to ash
card plain "Plain": Charm
procedure try_both(c: Charm, d: Charm)
    move c to p1.shelf
    move d to p1.shelf
    gain 1 star by p1
    do won(p1, 1)
    move plain to ash
phase game
    choose one by p1
        case double_more: do try_both(double, more)
        case more_double: do try_both(more, double)
        case twofold_plus: do try_both(twofold, plus)
        case plus_twofold: do try_both(plus, twofold)
        case mist_ash: do try_both(to_mist, to_ash)
"""
)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("case", "stars", "coins"),
    [
        ("double_more", 3, 1),
        ("more_double", 4, 1),
        ("twofold_plus", 1, 3),
        ("plus_twofold", 1, 4),
        ("mist_ash", 1, 1),
    ],
)
def test_two_replacements_each_work_once_in_the_order_of_the_shelf(
    machine: str, case: str, stars: int, coins: int
) -> None:
    state = begun(DOUBLED, machine, case)
    assert (cell(state, "p1.stars"), cell(state, "p1.coins")) == (stars, coins)
    assert cell(state, "ash") == ["plain"]


# ---------------------------------------------------------------- what dies at one moment


WOOD = """
enum Cause: dies, offered, summoned
piece life
piece blood
kind Beast
kind Seat
    zone lair: Beast ordered
    zone grave: Beast ordered
    zone lives: life
    zone bloods: blood
zone box: Beast
value owner(c: Beast): Seat or none = only(p in seats where c in p.lair or c in p.grave)
value alive(c: Beast): bool = any(p in seats: c in p.lair)
card crow "Crow": Beast
    while alive
        after move(c: Beast, a, b) where owner is not none and c is not this and cause is dies: gain 1 life by owner
card wolf "Wolf": Beast
    while alive
        after move(c: Beast, a, b) where owner is not none and c is not this and cause is dies: gain 1 blood by owner
card priest "Priest": Beast
    while alive
        after move(c: Beast, a, b) where owner is not none and c is not this and cause is offered: gain 5 life by owner
card deer "Deer": Beast
card boar "Boar": Beast
    while alive
        before move(c: Beast, a, b) where c is this and cause is dies: do wipe(boar)
card hydra "Hydra": Beast
    while owner is not none
        after move(c: Beast, a, b) where c is this and cause is dies: do rise(hydra, owner)
card leech "Leech": Beast
    while alive
        after lose(p, n, what: life) where owner is not none and p is not owner: gain n life by owner
card hermit "Hermit": Beast
    while alive
        after gain(p, n, what: life) where owner is not none and p is owner: lose 1 life by next(owner)
procedure rise(c: Beast, p: Seat): move c to p.lair as summoned
procedure fall(c: Beast, p: Seat): move c to p.grave as dies
procedure wipe(d: Beast or none)
    together
        for every p in seats
            for every c in p.lair where c is not d: move c to p.grave as dies
procedure herd()
    move crow to p1.lair
    move wolf to p1.lair
    move deer to p2.lair
phase game
    choose one by p1
        case all_together
            do herd()
            do wipe(none)
        case one_by_one
            do herd()
            for every p in seats
                for every c in p.lair: do fall(c, p)
        case as_a_set
            do herd()
            move set(c in Beast where alive(c)) to box as dies
        case of_one_seat
            do herd()
            move p1.lair to p1.grave as dies
        case offered_before
            do herd()
            move crow to p1.grave as offered
            do rise(priest, p1)
        case offered_together
            do herd()
            together
                move crow to p1.grave as offered
                move priest to p1.lair as summoned
        case with_the_boar
            do rise(boar, p1)
            do rise(deer, p1)
            do rise(crow, p2)
            do fall(boar, p1)
        case with_the_hydra
            do rise(hydra, p1)
            do rise(crow, p2)
            do fall(hydra, p1)
        case round_and_round
            do rise(leech, p1)
            do rise(hermit, p1)
            gain 9 life by p2
            gain 1 life by p1
"""
DEATHS = {  # lives and bloods of p1, lives of p2, and who is alive at the end
    "all_together": (2, 2, 0, []),
    "one_by_one": (0, 1, 0, []),  # the crow dies first, and sees nobody; the wolf has seen it
    "as_a_set": (2, 2, 0, []),
    "of_one_seat": (1, 1, 0, ["deer"]),
    "offered_before": (0, 0, 0, ["wolf", "priest", "deer"]),
    "offered_together": (0, 0, 0, ["wolf", "priest", "deer"]),
    "with_the_boar": (0, 0, 2, []),  # the crow sees the deer beside it, and the boar, whose death had begun
    "with_the_hydra": (0, 0, 1, ["hydra", "crow"]),
    "round_and_round": (10, 0, 0, ["leech", "hermit"]),  # until p2 has nothing left to lose
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("case", DEATHS)
def test_who_sees_whom_die(machine: str, case: str) -> None:
    state = begun(WOOD, machine, case)
    living = [c for p in ("p1", "p2") for c in cell(state, f"{p}.lair")]
    found = cell(state, "p1.lives"), cell(state, "p1.bloods"), cell(state, "p2.lives"), living
    assert found == DEATHS[case]
