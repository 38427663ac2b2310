"""Why an answer is refused: the demand that fails is told, in words, and nothing that the reader may not know."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import start
from tools.terminal.reasons import reason_lines

FORCE = """
kind Unit: 3
    field men: 0..9
kind Seat

phase game
    for every u in Unit: set u.men to 3
    do send(p1, 5)

procedure send(w: Seat, due: 0..99)
    plan by w
        choose amounts n for u in Unit each 0..u.men total n at least 1 by w
        choose number m in 0..2 by w
        require sum(u in Unit: n[u]) + m >= due because "that is less than you bid"
        for every u in Unit: set u.men to u.men - n[u]
        choose some us in Unit exactly 1 by w such that every(u in us: u.men < 3) because "it has to have fought"
"""


def because(found: list[rw.Reason]) -> list[str]:
    return [r.because for r in found]


def test_an_answer_of_amounts_that_a_later_demand_forbids_is_told_that_demand() -> None:
    state = start(FORCE, seats=(2, 2))
    for typed in ("unit_3 2", "unit_2 1, unit_3 1"):
        assert because(rw.explain(state, typed)) == ["that is less than you bid"], typed
        with pytest.raises(rw.IllegalAnswer, match="that is less than you bid"):
            rw.answer(state, typed)
    assert rw.explain(state, "unit_1 3") == rw.explain(state, "unit_1 2, unit_3 1") == []


def test_an_answer_that_has_begun_may_not_end_because_of_the_demand() -> None:
    state = start(FORCE, seats=(2, 2))
    rw.apply(state, next(o for o in rw.legal(state) if o.ids == ("unit_1", "1")))
    assert because(rw.explain(state, "ready")) == ["that is less than you bid"]
    assert because(rw.explain(state, "unit_2 1")) == []  # more may follow
    assert because(rw.explain(state, "unit_3 1")) == ["that is less than you bid"]


def test_a_later_question_without_an_answer_names_its_condition() -> None:
    rules = FORCE.replace("exactly 1", "exactly 2").replace("do send(p1, 5)", "do send(p1, 1)")
    state = start(rules, seats=(2, 2))
    assert because(rw.explain(state, "unit_3 3")) == ["it has to have fought"]
    with pytest.raises(rw.IllegalAnswer, match="it has to have fought"):
        rw.answer(state, "unit_1 3")


def test_bounds_are_told_where_they_stand_in_the_way() -> None:
    state = start(FORCE.replace("at least 1 by w", "at least 1 at most 4 by w"), seats=(2, 2))
    (reason,) = rw.explain(state, "unit_1 3, unit_2 3")
    assert reason.text == "the whole answer cannot be completed with it (at least 1, at most 4)"


CARDS = """
kind Card from "cards.yaml"
    const cost: 0..9
    field tapped: bool
kind Seat

phase game
    choose c in Card where c.cost <= 3 and not c.tapped because "it is too dear" by p1
    set c.tapped to true
    choose some cs in Card at most 2 by p1 such that sum(c in cs: c.cost) <= 3 because "together they are too dear"
    for every c in cs: set c.tapped to true
    choose one by p1
        case take(c: Card) where c.tapped because "it is not ready": set c.tapped to false
        case rest
    offer acts by p1 or decline

action sell(p: Seat, c: Card) of acts where c.cost > 1 because "nobody wants it"
    set c.tapped to false
"""
COSTS = {"cards.yaml": "Card: {ant: {cost: 1}, bee: {cost: 2}, cat: {cost: 3}, dog: {cost: 4}}\n"}


def test_a_condition_of_a_choice_has_a_reason_of_its_own() -> None:
    state = start(CARDS, COSTS, seats=(2, 2))
    for typed, wanted, key, then in (
        ("dog", "it is too dear", "game.c.where", "ant"),
        ("bee, cat", "together they are too dear", "game.cs.such_that", "bee, ready"),
        ("take cat", "it is not ready", "game.one.take.where", "rest"),
        ("sell ant", "nobody wants it", "sell.where", "sell bee"),
    ):
        (reason,) = rw.explain(state, typed)
        assert (reason.because, reason.key) == (wanted, key)
        with pytest.raises(rw.IllegalAnswer, match=wanted):
            rw.answer(state, typed)
        rw.answer(state, then)


def test_the_reason_of_a_condition_is_shown_in_the_language_of_the_screen() -> None:
    texts = {"locale/ja.yaml": "game.c.where: 高すぎる\n", "locale/en.yaml": "game.c.where: too expensive\n"}
    state = start(CARDS, COSTS | texts, seats=(2, 2))
    assert state.decision is not None
    found = rw.explain(state, "dog")
    shown = {lang: "\n".join(reason_lines(state.decision, found, lang)) for lang in ("en", "ja")}
    assert "too expensive" in shown["en"] and "高すぎる" in shown["ja"]
