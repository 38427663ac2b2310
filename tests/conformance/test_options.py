"""Options and answers, the same for all rulesets: what is listed can be taken, the rest is refused without a trace."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import interpreter as rw
from tests.concepts.play import start
from tests.conformance.tables import (
    Table,
    each_ruleset,
    each_table,
    load,
    random_states,
    sample_states,
    short_seed,
    snapshot,
)

GARBAGE = [
    "", " ", ",", "()", "nonsense", "🜂 ☃", "不正", "\x00", "null", "9" * 400, "-1", "1e9", "0x10", "p99",
    "none none none none", "'; drop", "a" * 5000, "true", "{c}", "\u202e", "\ud800",
]  # fmt: skip
CODES: list[Any] = [(), (0,), (-1,), (10**30,), (1, 10**9), (1,) * 50, ("x",), (None,), (1.5,), ((1,),)]


@each_table
@pytest.mark.parametrize("seed", range(2))
def test_every_option_can_be_taken_by_itself_and_by_its_code(table: Table, seed: int) -> None:
    chooser = random.Random(seed)
    for state in sample_states(table, seed, 40, checked=True):
        options = rw.legal(state)
        assert state.over or options, f"nothing can be answered at {state.decision}"
        assert len({(o.kind, o.code) for o in options}) == len(options), "two options of one code"
        for option in chooser.sample(options, min(12, len(options))):
            one, other = rw.copy(state), rw.copy(state)
            rw.apply(one, option)
            rw.apply(other, option.code)
            assert one.words == other.words and len(one.log) > len(state.log)


@each_table
def test_an_offered_option_has_no_reason_against_it(table: Table) -> None:
    for state in sample_states(table, 3, 60):
        for option in rw.legal(state)[:10]:
            assert rw.explain(state, option) == [], f"{option.ids} at {state.decision}"


@each_table
def test_an_option_said_in_words_is_the_option_taken(table: Table) -> None:
    for state in sample_states(table, 4, 60):
        for option in rw.legal(state)[:10]:
            if option.kind in ("add", "amount"):
                continue  # words of a long answer are all of it, an option is a part
            answered, taken = rw.copy(state), rw.copy(state)
            rw.answer(answered, " ".join(option.ids), option.decision.seat)
            rw.apply(taken, option)
            assert answered.words == taken.words, option.ids


@each_ruleset
def test_nonsense_is_refused_and_changes_nothing(table: Table) -> None:
    for number, state in enumerate(sample_states(table, 5, 100)):
        if number % 5 and not state.over:
            continue
        before = snapshot(state)
        for words in GARBAGE:
            if words in {" ".join(o.ids) for o in rw.legal(state)}:
                continue
            for who in (None, 1, "p2"):
                with pytest.raises(rw.IllegalAnswer) as refusal:
                    rw.answer(state, words, who)
                assert str(refusal.value)
        offered = {o.code for o in rw.legal(state)}
        for code in (c for c in CODES if c not in offered):
            with pytest.raises(rw.IllegalAnswer):
                rw.apply(state, code)
        assert snapshot(state) == before


@each_ruleset
def test_only_the_one_asked_may_answer(table: Table) -> None:
    for state in sample_states(table, 6, 80):
        if state.decision is None:
            continue
        before = snapshot(state)
        option = rw.legal(state)[0]
        for seat in {*range(1, state.seats + 1)} - {*state.decision.open_seats}:
            with pytest.raises(rw.IllegalAnswer, match="asked|no "):
                rw.answer(state, " ".join(option.ids), seat)
        assert snapshot(state) == before


@each_ruleset
def test_options_of_another_question_are_refused(table: Table) -> None:
    earlier: list[rw.Option] = []
    for state in sample_states(table, 7, 60):
        before, offered = snapshot(state), {o.code for o in rw.legal(state)}
        for option in earlier:
            if option.code not in offered and not out_of_turn(state, option):
                with pytest.raises(rw.IllegalAnswer):
                    rw.apply(state, option)
        assert snapshot(state) == before
        earlier = rw.legal(state)[:4] + earlier[:8]


def out_of_turn(state: rw.State, option: rw.Option) -> bool:
    """Whether it may be taken although another seat is asked: at any moment, or in a question open to several."""
    open_seats = state.decision.open_seats if state.decision else ()
    return option.decision.address == "any_moment.action" or len(open_seats) > 1 and option.decision.seat in open_seats


@each_ruleset
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_words_at_random_are_taken_wholly_or_refused(table: Table, data: st.DataObject) -> None:
    """Words of the game in any order, and any text: an answer is taken, or refused without a trace."""
    program = load(table.folder).program
    ids = sorted({i for d in program.domains.values() for i in d.ids} | {"ready", "decline", "0", "1", "2", "7"})
    words = data.draw(st.lists(st.sampled_from(ids) | st.text(max_size=8), min_size=1, max_size=6))
    steps = data.draw(st.integers(0, 30))
    *_, state = random_states(table, 8, steps + 1)
    before = snapshot(state)
    try:
        rw.answer(state, words, data.draw(st.sampled_from([None, 1, 2, "p1"])))
    except rw.IllegalAnswer:
        assert snapshot(state) == before
    else:
        assert len(state.log) > len(before["log"]) and state.words != before["words"]


@each_ruleset
def test_a_game_that_is_over_takes_no_answer(table: Table) -> None:
    *_, state = random_states(table, short_seed(table))
    assert state.over and rw.legal(state) == [] and state.decision is None
    before = snapshot(state)
    with pytest.raises(rw.IllegalAnswer, match="over"):
        rw.apply(state, (1,))
    with pytest.raises(rw.IllegalAnswer, match="over"):
        rw.answer(state, "decline")
    assert rw.explain(state, "decline")[0].kind == "over"
    assert snapshot(state) == before


def test_an_answer_that_fails_by_a_fault_of_the_rules_changes_nothing() -> None:
    """The dead end comes after a field was set and a piece was moved; the position before can still be looked at."""
    state = start(
        """
        piece coin
        kind Card: 2
        zone pile: Card
        kind Seat
            zone purse: coin
            field bid: 0..9
        phase game
            choose number n in 1..3 by p1
            set p1.bid to n
            gain n coin by p1
            choose c in pile by p2
            move c to pile
        """
    )
    before = snapshot(state)
    with pytest.raises(rw.RulesetError, match="option|answer|dead"):
        rw.apply(state, rw.legal(state)[1])
    assert snapshot(state) == before
    with pytest.raises(rw.RulesetError):
        rw.answer(state, "2", "p1")
    assert snapshot(state) == before
