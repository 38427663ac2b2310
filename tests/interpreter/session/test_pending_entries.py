"""Entries of a log are worked out when they are read, from the position in which they were made."""

from __future__ import annotations

import copy
import pickle
from random import Random

import interpreter as rw
from interpreter.session import entry as entries
from interpreter.session.entry import MOST_STORES, LogEntry
from tests.concepts.play import answer_all, game
from tests.conformance.tables import load

WALK = """
kind Seat
    field days: 0..100000
phase game
    repeat while true
        for every p in seats
            choose number n in 0..3 by p
            set p.days to p.days + n
"""
AT_ONCE = """
kind Seat
    field days: 0..9
phase game
    for every p in seats at once
        choose number n in 0..3 by p
    choose number last in 0..1 by p1
"""


def stores(log: list[LogEntry]) -> int:
    kept = [entry.pending for entry in log if isinstance(entry.pending, entries.PendingAnswer)]
    return len({id(one.decision.words) for one in kept})


def pending(log: list[LogEntry]) -> int:
    return sum(entry.pending is not None for entry in log)


def walked(rules: rw.Game, answers: int) -> rw.State:
    state, chance = rules.new(2), Random(3)
    for _ in range(answers):
        rw.apply(state, chance.choice(rw.legal(state)))
    return state


def test_an_entry_tells_of_the_position_in_which_it_was_made() -> None:
    state = game(WALK).new(2)
    answer_all(state, "2", "1")
    assert pending(state.log) == 2
    first = state.log[0]
    assert first.decider() == ("p1", "Seat", 1) and first.pending is not None  # that alone works nothing out
    assert (first.ids, first.actor, first.seat, first.kind) == (("2",), "p1", 1, "choice") and first.pending is None
    assert state.log[1].pending is not None
    answer_all(state, "3", "3", "3")
    assert [entry.ids for entry in state.log] == [("2",), ("1",), ("3",), ("3",), ("3",)] and not pending(state.log)


def test_it_does_not_matter_when_an_entry_is_read() -> None:
    for name in ("dominant_species", "love_letter"):
        rules = load(f"rulesets/{name}")
        late, early, chance = rules.new(seed=5), rules.new(seed=5), Random(5)
        for _ in range(30):
            options = rw.legal(late)
            if not options:
                break
            number = chance.randrange(len(options))
            rw.apply(late, options[number])
            rw.apply(early, rw.legal(early)[number])
            for entry in early.log:
                entry.work_out()
            assert not pending(early.log)
        assert pending(late.log) and late.log == early.log
        assert [rw.log_for(late, seat) for seat in (None, 1, 2)] == [rw.log_for(early, seat) for seat in (None, 1, 2)]


def test_a_long_log_keeps_few_stores() -> None:
    state = walked(game(WALK), 3000)
    assert len(state.log) == pending(state.log) == 3000 and stores(state.log) == MOST_STORES
    assert all(isinstance(entry.pending, entries.ChoiceEntry) for entry in state.log[:-MOST_STORES])
    again = walked(state.game, 3000)
    assert [e.decider() for e in state.log] == [(e.actor, e.actor_domain, e.seat) for e in again.log]
    assert state.log == again.log
    assert len(rw.save(state)["log"]) == 3000 and not pending(state.log)


def test_the_bound_holds_behind_what_was_taken_back() -> None:
    state = walked(game(WALK), MOST_STORES + 40)
    back = rw.copy(state)
    del back.log[-100:]
    rw.apply(back, rw.legal(back)[0])
    assert stores(back.log) <= MOST_STORES
    assert len(state.log) == MOST_STORES + 40  # the log of the other game is its own


def test_copies_share_what_has_been_worked_out() -> None:
    state = game(WALK).new(2)
    answer_all(state, "2")
    twin = rw.copy(state)
    assert twin.log[0] is state.log[0] and twin.log[0].ids == ("2",) and state.log[0].pending is None
    answer_all(twin, "1")
    answer_all(state, "3")
    assert twin.log[1].ids == ("1",) and state.log[1].ids == ("3",)


def test_answers_given_together_are_revealed_before_they_are_read() -> None:
    state = game(AT_ONCE).new(2)
    answer_all(state, "2")
    (hidden,) = state.log
    assert hidden.is_waiting() and hidden.pending is not None
    answer_all(state, "1")
    shown = state.log[0]
    assert not any(entry.is_waiting() for entry in state.log) and shown.pending is not None
    assert shown.audience is None and not shown.waits and shown.ids == ("2",)
    assert hidden.audience == (1,) and hidden.waits  # that of a position before is as it was
    assert hidden.revealed() == shown


def test_a_hidden_thing_that_is_drawn_is_told_to_those_who_know_it_then() -> None:
    rules = load("rulesets/love_letter")
    state, chance = rules.new(2, seed=1), Random(1)
    drawn: dict[int, tuple[int, ...] | None] = {}
    while not state.over:
        for number, entry in enumerate(state.log):
            if number not in drawn and isinstance(entry.pending, entries.PendingDraw):
                drawn[number] = entries.audiences.seats_that_know(rules, state.words, entry.pending.outcome.values[0])
        rw.apply(state, chance.choice(rw.legal(state)))
    assert len(drawn) == len(set(drawn)) and drawn.keys() <= set(range(len(state.log)))
    assert all(state.log[number].audience == seats for number, seats in drawn.items())


def test_copied_and_pickled_entries_are_whole() -> None:
    state = game(WALK).new(2)
    answer_all(state, "2", "3")
    one, other = state.log
    assert copy.copy(one) == one == LogEntry.from_json(one.to_json())
    back = pickle.loads(pickle.dumps(other))
    assert back == other and back.pending is None and back.ids == ("3",)


def test_a_machine_that_runs_does_not_notice() -> None:
    state = game(WALK).new(2)
    answer_all(state, "2", "3")
    machine, running = state.game.machine, state.words[:]
    machine.words = running
    assert state.log[0].actor == "p1" and machine.words is running
