"""Why not, and what happened: reasons with values and clauses, traces with rules."""

from __future__ import annotations

import dataclasses

import pytest

import interpreter as rw
from dsl import ir
from interpreter.core.words import put
from interpreter.visibility.cells import hidden_from
from tests.interpreter.programs import (
    BASKET,
    COIN,
    COINS,
    HAND,
    HANDS,
    RED,
    SEAT,
    TURN_SEAT,
    at_seat,
    cell,
    compare,
    const,
    fair,
    guard,
)

ORDER = (("red", "blue", "green", "gold"),)


@pytest.fixture(scope="module")
def game() -> rw.Game:
    return rw.Game(fair())


@pytest.fixture
def state(game: rw.Game) -> rw.State:
    return game.new(script=ORDER)


def test_what_is_offered_has_no_reason_against_it(state: rw.State) -> None:
    assert rw.explain(state, "take 1") == []
    assert all(rw.explain(state, option) == [] for option in rw.legal(state))


def test_a_false_guard_shows_its_operands(state: rw.State) -> None:
    state.words[BASKET] = 2
    state.replace_words(state.words)
    (reason,) = rw.explain(state, "take 3")
    assert (reason.kind, reason.text, reason.because) == ("guard", "n <= basket", "too few apples")
    assert reason.seen == (("n", "3"), ("basket", "2")) and reason.cites == ("F-2",)
    assert reason.line() == "too few apples (`n <= basket` is false): n is 3; basket is 2 [F-2]"


def test_what_is_out_of_the_domain_says_so(state: rw.State) -> None:
    (reason,) = rw.explain(state, "play green")
    assert (reason.kind, reason.text) == ("domain", "green is not among what may be chosen")
    (reason,) = rw.explain(state, "play")
    assert reason.text == "the answer is missing: c (Card)"
    (reason,) = rw.explain(state, "play gren")
    assert reason.text == "`gren` is not of type Card; did you mean `green`?"


def test_a_number_outside_its_range(state: rw.State) -> None:
    (reason,) = rw.explain(state, "take 5")
    assert (reason.kind, reason.text) == ("domain", "5 is outside 1..3")
    rw.answer(state, "rest, decline")
    (reason,) = rw.explain(state, "7")
    assert (reason.kind, reason.text) == ("domain", "7 is outside 0..4")
    (reason,) = rw.explain(state, "many")
    assert reason.text == "`many` is not a number"
    assert rw.explain(state, "4") == []


def test_declining_and_other_seats(state: rw.State) -> None:
    (reason,) = rw.explain(state, "decline")
    assert reason.text == "this question cannot be declined"
    (reason,) = rw.explain(state, "take 1", who="p2")
    assert reason.kind == "turn"


def test_a_condition_on_the_whole_answer(game: rw.Game) -> None:
    state = game.new(script=ORDER)
    put(state.words, COIN, COIN + 2, [5, 5])
    state.replace_words(state.words)
    rw.answer(state, "play red, ready, decline, 0")
    rw.answer(state, "play blue")
    assert state.decision is not None and state.decision.address == "turn.gifts"
    (reason,) = rw.explain(state, "red, blue")
    assert (reason.kind, reason.because, reason.cites) == ("such that", "red and blue do not mix", ("F-4",))
    with pytest.raises(rw.IllegalAnswer, match="red and blue do not mix"):
        rw.answer(state, "red, blue")
    rw.answer(state, "blue, ready")
    assert rw.view(state, 2)["state"]["Seat.hand"]["p2"] == ["blue"]


def test_a_total_that_can_not_be_met(state: rw.State) -> None:
    rw.answer(state, "take 1")
    (reason,) = rw.explain(state, "p2 1")
    assert reason.text == "the whole answer cannot be completed with it (exactly 2 in total)"


def test_reasons_that_read_hidden_cells_are_hidden_from_others(game: rw.Game, state: rw.State) -> None:
    mine = cell(HANDS, HAND)
    test = compare("==", ir.ListOp("front", (mine,)), const(RED).value)
    assert not hidden_from(game, state.words, test, {}, 1)
    assert hidden_from(game, state.words, test, {}, 2)


def test_others_are_not_told_what_only_the_asked_one_sees(state: rw.State) -> None:
    """Whether `play blue` fails for want of the card is the business of who holds the cards."""
    for card in ("red", "blue"):
        (reason,) = rw.explain(state, f"play {card}", seat=2)
        assert reason.hidden and not reason.seen and reason.line() == "hidden"
    state.words[COIN] = 0
    state.replace_words(state.words)
    for card in ("red", "green"):
        (reason,) = rw.explain(state, f"play {card}", seat=2)
        assert reason.text == "p.coins >= 1"


def test_a_trace_names_rules_changes_chance_and_what_comes_next(game: rw.Game) -> None:
    state = game.new(script=(*ORDER, 4))
    rw.answer(state, "take 1, decline")
    words, log = state.words[:], list(state.log)
    root = rw.trace(state, next(o for o in rw.legal(state) if o.ids == ("2",)))
    assert rw.render_trace(root).splitlines() == [
        "p1 chooses 2 at turn.secret",
        "    Seat.secret[p1]: 0 -> 2",
        "    chance turn.roll: 4",
        "    rule turn.pay_day  [F-5]",
        "    Seat.coins[p1]: 1 -> 5",
        "    phase turn(p2)  [F-1]",
        "    then p2 is asked at turn.move",
    ]
    assert (state.words, state.log) == (words, log)


def test_a_trace_shows_things_by_their_places(game: rw.Game) -> None:
    state = game.new(script=ORDER)
    root = rw.trace(state, next(o for o in rw.legal(state) if o.ids == ("play", "red")))
    assert [n.text for n in root.walk() if n.kind == "change"] == ["red: p1.hand -> pile"]


def test_an_action_that_can_not_be_completed_names_the_demand() -> None:
    """A fourth alternative whose action demands four coins."""
    program = fair()
    coins = cell(at_seat(COIN, ir.Temp(0)))
    demand = guard(compare(">=", coins, 4), "p.coins >= 4", "F-6", ("p.coins", coins, COINS), reason="too poor")
    spend = ir.Proc("spend", "action", (("p", SEAT),), 1, False, (ir.Require(demand),))
    site = program.sites[0]
    probe = ir.Possible(len(program.procs), (TURN_SEAT,))
    program.procs = (*program.procs, spend)
    alternatives = (*site.alternatives, ir.Alternative("spend", (), (), (), probe))
    program.sites = (dataclasses.replace(site, alternatives=alternatives), *program.sites[1:])
    state = rw.Game(program).new(script=ORDER)
    (reason,) = rw.explain(state, "spend")
    assert (reason.kind, reason.because, reason.cites) == ("plan", "too poor", ("F-6",))
    assert reason.seen == (("p.coins", "1"),)
    state.words[COIN] = 4
    state.replace_words(state.words)
    assert rw.explain(state, "spend") == []
