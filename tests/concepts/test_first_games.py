"""Games of the kind that people write first, a page of rules each, on every machine: cards that wait for an event,
deaths at one moment, spells that are answered, numbers that grow, hidden hands. What comes is worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from dsl.diagnostics.render import render_text
from dsl.driver.load import compile_sources
from interpreter.backends.native.targets import C
from interpreter.core.errors import RulesetError
from interpreter.rules.rules import REFERENCE
from tests.concepts.everywhere import HERE, played
from tests.concepts.play import answer_all, cell, game, options, question, value
from tests.concepts.test_numbers import CHAIN
from tests.native import needs_compiler

MACHINES = (REFERENCE, *(name for name in HERE if name != C))  # C, which takes a compiler, plays few of them
PROGRAMS: dict[str, Any] = {}


def begun(rules: str, machine: str, *answers: str, manifest: str = "", **how: Any) -> rw.State:
    """The game behind these answers, on one machine; seed 1, two seats, invariants tested."""
    key = rules + manifest
    if key not in PROGRAMS:
        PROGRAMS[key] = game(rules, seats=(2, 2), manifest=manifest).program
    return answer_all(rw.Game(PROGRAMS[key], machine).new(seats=2, seed=1, **how), *answers)


def told(rules: str, machine: str, *answers: str, **how: Any) -> str:
    """The fault that the rules meet."""
    with pytest.raises(RulesetError) as found:
        begun(rules, machine, *answers, **how)
    return str(found.value)


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
            for every m in 1..larger(0, smaller(6, 2147483646 * 65536)): gain 1 coin by p1
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
    rules = (
        CHAIN + "value v40(): int = z\nphase game\n    choose number n in 0..smaller(3, v0()) by p1\n    set z to n\n"
    )
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


# ---------------------------------------------------------------- hidden hands


HANDS = """
kind Card: 9
kind Seat
    zone hand: Card seen by owner
    zone face_down: Card seen by owner
    zone taken: Card
zone deck: Card ordered seen by nobody
procedure put_away(p: Seat)
    choose c in p.hand by p
    move c to p.face_down
procedure search(p: Seat, q: Seat)
    let five = front(deck, 5)
    show five to q
    choose c in five by q seen by q
    move c to p.hand
    shuffle deck
procedure draft()
    for every p in seats at once
        choose c in p.hand by p
        move c to p.taken
phase game
    for every c in Card: move c to deck
    shuffle deck
    for every p in seats: move front(deck, 2) to p.hand
    choose one by p1
        case away: do put_away(p1)
        case look: do search(p1, p2)
        case pick: do draft()
        case shown: show p1.hand to seats
    choose number n in 1..2 by p1
"""


def open_seats(state: rw.State) -> list[int]:
    """The seats that are asked."""
    return list(state.decision.open_seats) if state.decision else []


def known(state: rw.State, seat: int | None, zone: str, of: str) -> list[str]:
    """The cards of a zone of a seat that a reader's view names."""
    found = rw.view(state, seat)["state"][zone][of]
    return sorted(found.get("known", []) if isinstance(found, dict) else found)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_card_that_is_put_away_is_named_to_its_owner_alone(machine: str) -> None:
    state = begun(HANDS, machine, "away")
    card = cell(state, "p1.hand")[0]
    answer_all(state, card)
    assert rw.log_for(state, 1)[-1] == f"p1: {card}"
    for other in (2, None):
        assert not any(card in line for line in rw.log_for(state, other))
        assert known(state, other, "Seat.face_down", "p1") == []
    assert known(state, 1, "Seat.face_down", "p1") == [card]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("named", ["front(deck, 5)", "set(c in front(deck, 5))"])
def test_who_was_shown_five_cards_picks_one_and_forgets_where_the_others_are(machine: str, named: str) -> None:
    state = begun(HANDS.replace("front(deck, 5)\n", named + "\n", 1), machine, "look")
    assert sorted(options(state)) == sorted(cell(state, "deck")) and len(options(state)) == 5
    hand, card = cell(state, "p1.hand"), options(state)[1]
    answer_all(state, card)
    # p2 knows what it has picked; its owner sees it; nobody knows anything of the deck any more
    assert known(state, 2, "Seat.hand", "p1") == [card]
    assert known(state, 1, "Seat.hand", "p1") == sorted([*hand, card])
    for reader in (1, 2, None):
        assert rw.view(state, reader)["state"]["deck"] == {"hidden": 4}, reader


@pytest.mark.parametrize("machine", MACHINES)
def test_all_pick_a_card_of_their_hidden_hands_at_the_same_time(machine: str) -> None:
    state = begun(HANDS, machine, "pick")
    assert open_seats(state) == [1, 2]
    before = rw.log_for(state, 1), rw.log_for(state, None)
    mine, other = cell(state, "p1.hand")[0], cell(state, "p2.hand")[1]
    rw.answer(state, other, "p2")
    assert open_seats(state) == [1]
    assert before == (rw.log_for(state, 1), rw.log_for(state, None)) and cell(state, "p2.taken") == []
    rw.answer(state, mine, "p1")
    assert cell(state, "p1.taken") == [mine] and cell(state, "p2.taken") == [other]


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_shown_to_all_seats_an_onlooker_sees(machine: str) -> None:
    state = begun(HANDS, machine, "shown")
    for reader in (1, 2, None):
        assert known(state, reader, "Seat.hand", "p1") == sorted(cell(state, "p1.hand"))
    assert known(state, None, "Seat.hand", "p2") == []


# ---------------------------------------------------------------- overlays, and texts full of mistakes


TIMED = """
piece coin
kind Card
    const coins: 0..9
kind Seat
    zone purse: coin
procedure carry_out(p: Seat, c: Card)
    gain c.coins coin by p
    do c.effect by p
phase turn(p: Seat)
    do carry_out(p, merchant)
    do carry_out(p, smith)
card smith "Smith": Card
    coins: 3
    effect: gain 1 coin by you
card merchant "Merchant": Card
    coins: 1
    effect
        until end of turn
            after carry_out(p, c) where p is you and c is smith: gain 1 coin by p
phase game
    for every p in seats: do turn(p)
"""
OTHERS = {
    f"{name}.variant": f"variant {name} on test\n    alter smith.coins from 3 to {n}\n"
    for name, n in (("two", 2), ("four", 4))
}


def test_variants_meet_beside_a_card_whose_effect_lasts() -> None:
    _, found, _ = compile_sources({"small.rules": TIMED}, seats=(2, 2), overlays=OTHERS)
    assert [d.code for d in found if d.severity.value == "error"] == ["RW1005"]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("laid", "coins"), [({}, 6), ({"two.variant": ""}, 5), ({"four.variant": ""}, 7)])
def test_one_of_them_is_in_force(machine: str, laid: dict[str, str], coins: int) -> None:
    # merchant 1; smith as the variant says, 1 for its effect, and 1 for what the merchant has left behind
    overlays = {name: OTHERS[name] for name in laid}
    program, found, _ = compile_sources({"small.rules": TIMED}, seats=(2, 2), overlays=overlays)
    assert program is not None, found
    state = rw.Game(program, machine).new(seed=1)
    assert (cell(state, "p1.purse"), cell(state, "p2.purse")) == (coins, coins)


SPOILT = {
    "kinds of which none is there": """
enum Metal: tin, lead
piece disc by Metal each 9 from box faces up, down
zone box: disc
zone spot: disc max 1
kind Card: Spade, Story
kind Card faces front, back
zone row: Card
card a "A": Card
phase game
    choose number n in 0..1 by p1
    turn 1 disc[tin] from spot to down
    turn a to back
    choose number m in 0..1 by p2
""",
    "a kind that consists of a name and parts of other lines": """
enum Cause: dealt, passed
kind Card: worth
zone box: Card seen by nobody
kind Seat
    zone hand: Card seen by owner
    zone gone: Card seen by owner
phase game
    for every c in Card: move c to box
    for every p in seats, i in 1..4
        random c in box
        move c to p.hand as dealt
    for every p in seats
        choose some cs in p.hand exactly 2 by p seen by p
        move cs to p.gone as passed
value v0(p: Seat): int = any(x in e.cells where x in stones))
value v1(p: Seat): int = bool = t.height > 3
value v2(p: Seat): int = set winner to p
value v3(p: Seat): int = Square or none
value v4(p: Seat): int = 1..3) of deals
value v5(p: Seat): int = box
value v6(p: Seat): int = Sort or none by Square
value v7(p: Seat): int = move c to deck
""",
}


@pytest.mark.parametrize("name", SPOILT)
@pytest.mark.parametrize("without", ["", "Spade, ", "enum Metal: tin, lead\n", "zone box: Card seen by nobody\n"])
def test_rules_full_of_mistakes_are_reported(name: str, without: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")  # a fault of the checker comes through
    _, found, sources = compile_sources({"small.rules": SPOILT[name].replace(without, "", 1)})
    assert "RW0210" in {d.code for d in found} and "RW1114" not in {d.code for d in found}
    assert render_text(found, sources, False)
