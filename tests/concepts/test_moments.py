"""Actions at any moment and answers out of turn (docs/manual/11-plans.md and 12-loops-and-orders.md): who may act while
somebody else is asked."""

from __future__ import annotations

import json

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, options, question, start

BASE = """
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece coin
option claims: auto, manual = manual
kind Seat
    zone purse: coin
    field ready: bool
kind Hill: 4
    field flag: Animal or none
kind Animal: 3 decided by player
    field player: Seat or none
    field strong: bool
action claim(a: Animal, h: Hill) at any moment where claims is manual
    require a.strong because "too weak"
    require h.flag is not a
    set h.flag to a
    do note(7)
action shout(p: Seat) at any moment where not p.ready
    pay 1 coin
    choose number k in 1..3 by p
    do note(k)
    set p.ready to true
phase game
    set animal_1.player to p1
    set animal_2.player to p2
    set animal_3.player to p2
    set animal_3.strong to true
    for every p in seats: gain 2 coin by p
    repeat while trail < 100000
        choose h in Hill where h.flag is none by p1
        set h.flag to animal_1
        do note(1)
"""


def seen(state: rw.State, seat: int) -> list[str]:
    return [" ".join(o.ids) for o in rw.moments(state, seat)]


def test_moments_lists_what_a_seat_may_do_out_of_turn() -> None:
    # 11: listed only when somebody asks for the list; each seat that could take such an action may.
    s = start(BASE)
    assert question(s) == "p1: game.h" and options(s) == ["hill_1", "hill_2", "hill_3", "hill_4"]
    assert seen(s, 1) == ["shout"]
    assert seen(s, 2) == [*(f"claim animal_3 hill_{i}" for i in (1, 2, 3, 4)), "shout"]
    assert question(s) == "p1: game.h" and s.log == []


def test_the_open_question_is_asked_again_with_options_anew() -> None:
    # 11: afterwards the open question's options are computed anew.
    s = start(BASE)
    rw.answer(s, "claim hill_2", who="animal_3")
    assert cell(s, "hill_2.flag") == "animal_3" and cell(s, "trail") == 7
    other = rw.copy(s)
    rw.answer(other, "claim hill_1", who="p2")  # a seat need not say which of its actors
    assert cell(other, "hill_1.flag") == "animal_3"
    assert question(s) == "p1: game.h" and options(s) == ["hill_1", "hill_3", "hill_4"]
    rw.apply(s, rw.moments(s, 2)[0])
    assert cell(s, "hill_1.flag") == "animal_3" and question(s) == "p1: game.h" and options(s) == ["hill_3", "hill_4"]


def test_a_refused_claim_names_the_leaf_and_changes_nothing() -> None:
    # 11: it is an answer out of turn: tested when sent.
    s = start(BASE)
    before = s.digest()
    with pytest.raises(rw.IllegalAnswer, match="too weak"):
        rw.answer(s, "claim hill_1", who="animal_2")
    with pytest.raises(rw.IllegalAnswer):
        rw.answer(s, "claim hill_9", who="animal_3")
    with pytest.raises(rw.IllegalAnswer, match="p1 is asked"):
        rw.answer(s, "hill_1", who="p2")
    assert s.digest() == before
    assert [r.because for r in rw.explain(s, "claim hill_1", who="animal_2")] == ["too weak"]
    assert rw.explain(s, "claim hill_1", who="animal_3") == []


def test_an_action_with_a_choice_asks_its_actor_and_others_wait() -> None:
    # 11: inside an uncommitted plan only its actor may act.
    s = start(BASE)
    rw.answer(s, "shout", who="p2")
    assert question(s) == "p2: shout.k" and options(s) == ["1", "2", "3"]
    assert seen(s, 1) == [] and seen(s, 2)[0] == "claim animal_3 hill_1"
    answer_all(s, "3")
    assert question(s) == "p1: game.h" and cell(s, "p2.purse") == 1 and cell(s, "trail") == 3
    assert "shout" not in seen(s, 2)


def test_options_switch_them_off() -> None:
    # 5: conditions on an option; without one nothing is left.
    s = start(BASE, options={"claims": "auto"})
    assert seen(s, 2) == ["shout"]


def test_they_are_logged_saved_and_replayed() -> None:
    # 11: it is an answer, so it stands in the log, and the log alone leads to the same store.
    s = start(BASE)
    rw.answer(s, "claim hill_2", who="animal_3")
    rw.answer(s, "shout, 2", who="p2")
    answer_all(s, "hill_1")
    data = json.loads(json.dumps(rw.save(s)))
    assert [(e.address, e.seat) for e in s.log][:3] == [
        ("any_moment.action", 2),
        ("any_moment.action", 2),
        ("shout.k", 2),
    ]
    assert rw.replay(s.game, data).digest() == s.digest()
    assert rw.restore(s.game, data).digest() == s.digest()


def test_a_demand_that_is_tried_out_of_turn() -> None:
    # 11: the same promise as for menus: offered only if it can be completed.
    s = start(BASE.replace("for every p in seats: gain 2 coin by p", "gain 2 coin by p1"))
    assert seen(s, 2)[-1] != "shout" and seen(s, 1) == ["shout"]
    with pytest.raises(rw.IllegalAnswer, match="coin"):
        rw.answer(s, "shout", who="p2")
