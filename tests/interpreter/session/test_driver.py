"""The bare loop against the same game step by step: the reference defines, the driver must stand at the same words."""

from __future__ import annotations

import random
from itertools import cycle

import pytest

import interpreter as rw
from dsl.program import SITE
from interpreter.session.driver import Driver, drive_of
from tests.concepts.play import game as game_of
from tests.conformance.tables import Table, each_ruleset, load
from tests.interpreter.low_pair import WITH_A_GAP

DECISIONS = 40
FAULT = """
kind Seat
    field room: 0..5
phase game
    for every round in 1..9
        for every p in seats
            choose number n in 1..2 by p
            set p.room to p.room + n
"""  # a seat that answers often has more than there is room for


PEEK = """
enum Cause: dealt, played
kind Card: 8
zone deck: Card seen by nobody
zone pile: Card
kind Seat
    zone cards: Card seen by others
value others(p: Seat, q: Seat): bool = p is not q
phase game
    for every c in Card: move c to deck
    for every p in seats
        random drawn in deck
        move drawn to p.cards as dealt
    choose c in p1.cards by p1
    move c to pile as played
"""  # the options of the last question are what who is asked does not see


def by_reference(rules: str) -> rw.Game:
    return rw.Game(game_of(rules).program, "reference")


def outcomes_of(state: rw.State) -> list[tuple[int, int]]:
    return [(o.code, o.weight) for o in state.chance.outcomes] if state.chance else []


def compare(driver: Driver, state: rw.State) -> None:
    decision = state.decision
    assert driver.words == state.words
    assert driver.over == state.over
    assert driver.seat == (decision.seat if decision else 0)
    assert driver.options == [option.raw for option in rw.legal(state)]
    assert driver.count == len(driver.options)
    assert driver.question == state.words[SITE] - 1
    assert sorted(driver.outcomes) == sorted(outcomes_of(state))
    assert driver.waits_for_chance == (state.chance is not None)


def go_on(driver: Driver, state: rw.State, chooser: random.Random) -> None:
    """The same random answer or outcome for both."""
    if state.chance:
        outcome = chooser.choice(state.chance.outcomes)
        driver.draw(outcome.code)
        rw.apply(state, outcome)
    else:
        number = chooser.randrange(driver.count)
        driver.answer(number)
        rw.apply(state, rw.legal(state)[number])


def follow(driver: Driver, state: rw.State, chooser: random.Random, decisions: int) -> None:
    """Play both at random, compared at each step."""
    compare(driver, state)
    while decisions and not state.over:
        decisions -= state.decision is not None
        go_on(driver, state, chooser)
        compare(driver, state)


@pytest.mark.parametrize("chance", ["draw", "ask"])
@each_ruleset
def test_a_driver_stands_where_the_reference_does(table: Table, chance: str) -> None:
    reference, native = load(table.folder, "reference"), load(table.folder)
    for seats in range(native.program.seats[0], native.program.seats[1] + 1):
        chooser = random.Random(f"{table.name} {seats} {chance}")
        state = reference.new(seats, seed=seats, chance=chance)
        follow(native.driver(seats, seed=seats, chance=chance), state, chooser, table.share(DECISIONS))


@each_ruleset
def test_drivers_of_one_game_do_not_disturb_each_other(table: Table) -> None:
    chooser, reference, native = random.Random(table.name), load(table.folder, "reference"), load(table.folder)
    seats = native.program.seats[0]
    pairs = [(native.driver(seats, seed=n, chance="ask"), reference.new(seats, seed=n, chance="ask")) for n in range(2)]
    kept: list[tuple[Driver, rw.State]] = []
    for _, (driver, state) in zip(range(table.share(80)), cycle(pairs), strict=False):
        if chooser.random() < 0.2:
            kept.append((driver.copy(), rw.copy(state)))
        if not state.over:
            go_on(driver, state, chooser)
        compare(driver, state)
        if kept and chooser.random() < 0.2:
            earlier, was = kept.pop(chooser.randrange(len(kept)))
            compare(earlier, was)
            driver.go_to(earlier.words)
            compare(driver, was)
            driver.go_to(state.words)
            compare(driver, state)
    for earlier, was in kept:
        compare(earlier, was)
        follow(earlier, was, chooser, 3)


@pytest.mark.parametrize("name", ["tic_tac_toe", "love_letter"])
def test_the_reference_drives_where_there_is_no_native_code(name: str) -> None:
    game = load(f"rulesets/{name}", "reference")
    assert drive_of(game) is None
    for chance in ("draw", "ask"):
        follow(game.driver(seed=3, chance=chance), game.new(seed=3, chance=chance), random.Random(1), 20)


@pytest.mark.parametrize("name", ["tic_tac_toe", "love_letter", "dominant_species"])
def test_forced_answers_are_asked_where_that_is_wanted(name: str) -> None:
    game = load(f"rulesets/{name}")
    driver = game.driver(seed=3, chance="ask", auto=False)
    follow(driver, game.new(seed=3, chance="ask", auto=False), random.Random(1), 30)


def test_low_code_that_gives_up_leaves_the_game_to_the_reference() -> None:
    game, reference = game_of(WITH_A_GAP), by_reference(WITH_A_GAP)
    for seed in range(5):
        driver, state = game.driver(2, seed=seed), reference.new(2, seed=seed)
        follow(driver, state, random.Random(seed), 60)
        follow(game.driver(2, seed=seed), reference.new(2, seed=seed), random.Random(seed), 10)


def test_a_fault_of_the_rules_leaves_the_position_as_it_was() -> None:
    for game in (game_of(FAULT), by_reference(FAULT)):
        driver, faults = game.driver(2), 0
        for seed in range(10):
            chooser = random.Random(seed)
            for _ in range(12):
                before, options = driver.words[:], driver.options
                try:
                    driver.answer(chooser.randrange(driver.count))
                except rw.RulesetError:
                    faults += 1
                    assert (driver.words, driver.options, driver.count, driver.seat > 0) == (before, options, 2, True)
            driver = game.driver(2)
        assert faults


def test_a_peek_is_refused_and_leaves_the_position_as_it_was() -> None:
    for game in (game_of(PEEK), by_reference(PEEK)):
        driver, other = game.driver(2, chance="ask"), game.driver(2, chance="ask")
        driver.draw(driver.outcomes[0][0])
        for in_memory in (driver, other):
            assert in_memory.outcomes
            before, outcomes = driver.words[:], driver.outcomes
            with pytest.raises(rw.RulesetError, match="`Seat.cards`, which p1 does not see"):
                driver.draw(outcomes[-1][0])
            assert (driver.words, driver.outcomes, driver.seat, driver.count) == (before, outcomes, 0, 0)


def test_an_answer_before_a_peek_leaves_the_position_as_it_was() -> None:
    rules = PEEK.replace("choose", "choose number n in 1..2 by p2\n    choose")
    for game in (game_of(rules), by_reference(rules)):
        driver, other = game.driver(2), game.driver(2)
        for in_memory in (driver, other):
            in_memory.go_to(in_memory.words)
            before, options = driver.words[:], driver.options
            with pytest.raises(rw.RulesetError, match="`Seat.cards`, which p1 does not see"):
                driver.answer(1)
            assert (driver.words, driver.options, driver.seat, driver.count) == (before, options, 2, 2)


def test_a_driver_that_comes_back_draws_in_memory() -> None:
    game = load("rulesets/kuhn_poker")
    driver, other = game.driver(chance="ask"), game.driver(chance="ask")
    drive = drive_of(game)
    if drive is None:
        pytest.skip("there is no native code here")
    assert driver.outcomes and drive.holder is driver
    assert other.outcomes and drive.holder is other
    driver.draw(driver.outcomes[0][0])
    assert drive.holder is driver


def test_what_is_not_offered_is_refused_and_changes_nothing() -> None:
    driver = load("rulesets/tic_tac_toe").driver()
    before = driver.words
    for number in (-1, 9, 100):
        with pytest.raises(rw.IllegalAnswer, match=f"there is no option {number}: they are numbered from 0 to 8"):
            driver.answer(number)
    with pytest.raises(rw.IllegalAnswer, match="the outcome 1 cannot come now"):
        driver.draw(1)
    assert driver.words == before and driver.index(driver.options[4]) == 4
    gone = driver.options[4]
    driver.answer(4)
    with pytest.raises(rw.IllegalAnswer, match="no option with the code"):
        driver.index(gone)
    while not driver.over:
        driver.answer(0)
    with pytest.raises(rw.IllegalAnswer, match="the game is over"):
        driver.answer(0)
    dealt = load("rulesets/kuhn_poker").driver(chance="ask")
    with pytest.raises(rw.IllegalAnswer, match="an outcome of chance is awaited"):
        dealt.answer(0)


def test_a_state_of_the_position_shows_it() -> None:
    driver = load("rulesets/connect_four").driver()
    driver.answer(3)
    state = driver.state()
    assert state.decision is not None and state.decision.seat == driver.seat == 2
    rw.apply(state, rw.legal(state)[0])
    assert state.words != driver.words
