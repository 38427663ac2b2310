"""Reports on rules while they run: routines, what they leave out, and what verbs and routines change."""

from __future__ import annotations

import pytest

from interpreter import State
from interpreter.session.state import successor
from tests.concepts.play import answer_all, start
from tools.base.console import stdout
from tools.table.rule_lines import record
from tools.terminal.narrate import Narrator

RULES = """
enum Cause: tax, wages, dealt
kind Card from "data/cards.yaml"
    const power: 0..9
    effect(q: Seat, by_how_much: 0..9)
piece coin
kind Seat
    zone purse_: coin
    zone hand: Card seen by owner
    zone front: Card
field hour: 0..9
phase game
    for every p in seats: gain 5 coin by p as wages
    for every c in Card: move c to p1.hand as dealt
    repeat: do turn(p1)
phase turn(p: Seat)
    set hour to min(hour + 1, 9)
    choose one by p
        case wait: do rest(p)
        case duel(c: Card): do fight(p, c)
        case drill: do train(p)
phase rest(p: Seat)
    lose 2 coin by p as tax
procedure fight(p: Seat, c: Card)
    move c to p.front as dealt
    choose number n in 0..3 by p2
    if c.power > n: do c.effect(p2, c.power - n) by p
procedure train(p: Seat)
    gain 1 coin by p as wages
"""
CARDS = """
card fox "Fox": Card
    power: 2
    effect: lose by_how_much coin by q as tax
card elk "Elk": Card
    power: 1
    effect
        gain 3 coin by you as wages
"""
TEXTS = """
Card: {fox: Fox, elk: Elk}
Seat: {p1: Ann, p2: Bob}
turn.title: "Hour {hour}"
rest.title: ""
turn.one: {wait: {done: waits}, duel: {done: "{p} plays {c}"}, drill: {done: drills}}
fight.n: {done: "holds {n}"}
display: {purse_: purse}
told:
  won: "{it} beats {q} by {by_how_much} {by_how_much|point|points} for {you}"
  lost: "{p} has lost {c}"
  tax: "{whose} pays {by} {by|coin|coins}: {was}, then {it}"
  spoils: "{whose}: {it}"
  idle: "nothing was trained by {p}"
"""
DISPLAY = """
told:
  - {id: won, run: [Card.effect]}
  - {id: lost, run: [fight], without: [Card.effect]}
  - {id: tax, per: Seat, change: purse_, as: [tax]}
  - {id: spoils, per: Seat, changes: [purse_, hand], during: [fight]}
  - {id: idle, run: [turn], without: [train]}
"""


def game(display: str = DISPLAY) -> State:
    files = {"data/cards.yaml": "{}\n", "cards/all.cards": CARDS}
    rules = RULES.replace(' from "data/cards.yaml"', "")
    return start(rules, {**files, "display.yaml": display, "locale/en.yaml": TEXTS}, seats=(2, 2))


def reported(state: State, capsys: pytest.CaptureFixture[str], *answers: str, seat: int | None = None) -> list[str]:
    record(state)
    narrator = Narrator(stdout(), "en", seat)
    narrator.report(state)
    capsys.readouterr()
    for words in answers:
        narrator.report(answer_all(state, words))
    return [line for line in capsys.readouterr().out.splitlines() if line]


def test_a_routine_is_told_as_it_begins_and_what_it_changed_as_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    # The fox has power 2 against 1: Bob pays 1. The next hour begins before anything is asked.
    assert reported(game(), capsys, "duel fox", "1") == [
        "== Hour 1 ==",
        "  Ann plays Fox",
        "  holds 1",
        "  Fox beats Bob by 1 point for Ann",
        "  Bob pays 1 coin: 5, then 4",
        "  Ann: hand -1",
        "  Bob: purse -1",
    ]


def test_who_sees_more_is_told_more(capsys: pytest.CaptureFixture[str]) -> None:
    assert "  Ann: hand Fox -> -" in reported(game(), capsys, "duel fox", "1", seat=1)
    assert "  Ann: hand -1" in reported(game(), capsys, "duel fox", "1", seat=2)


def test_what_did_not_happen_in_a_routine_is_told_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    # The elk has power 1, which is not more than 3. All seats have seen the cards being dealt, so an onlooker knows it.
    assert reported(game(), capsys, "duel elk", "3") == [
        "== Hour 1 ==",
        "  Ann plays Elk",
        "  holds 3",
        "  Ann has lost Elk",
        "  Ann: hand -1",
    ]
    assert "  Ann has lost Elk" in reported(game(), capsys, "duel elk", "3", seat=1)
    assert reported(game(), capsys, "drill", "wait", "drill")[-3:] == [
        "  nothing was trained by Ann",
        "== Hour 3 ==",
        "  drills",
    ]


STRIPS = """
kind Omen
    strip marks
kind Seat
    field luck: 0..9
icon fortune(n: 1..3): set p1.luck to min(p1.luck + n, 9)
phase game: repeat: do day(p1)
phase day(p: Seat)
    choose one by p
        case read(o: Omen): do o.marks by p
        case rest: set p.luck to 0
"""
OMENS = """
card comet "Comet": Omen
    strip marks: fortune(2) + fortune(3)
card moth "Moth": Omen
    strip marks: fortune(1)
"""
OMENS_TOLD = """
told:
  - {id: omen, run: [Omen.marks]}
  - {id: luck, per: Seat, change: luck, during: [Omen.marks]}
  - {id: comet, run: [comet.marks]}
"""
OMENS_IN_WORDS = """
told: {omen: "{it} is seen", luck: "luck {was}, then {it}", comet: "beware"}
day.one: {read: {done: reads}}
"""


def test_the_strip_of_a_card_is_told_by_its_card(capsys: pytest.CaptureFixture[str]) -> None:
    files = {"cards/all.cards": OMENS, "display.yaml": OMENS_TOLD, "locale/en.yaml": OMENS_IN_WORDS}
    state = start(STRIPS, files, seats=(1, 1))
    lines = reported(state, capsys, "read comet", "read moth")
    assert [line.strip() for line in lines if "==" not in line] == [
        "reads",
        "Comet is seen",
        "beware",
        "luck 0, then 5",
        "reads",
        "Moth is seen",
        "luck 5, then 6",
    ]


def test_the_effect_may_ask_and_give(capsys: pytest.CaptureFixture[str]) -> None:
    assert reported(game(), capsys, "duel elk", "0")[3:] == [
        "  Elk beats Bob by 1 point for Ann",
        "  Ann: purse +3, hand -1",
    ]


def test_a_change_inside_is_not_told_again_outside(capsys: pytest.CaptureFixture[str]) -> None:
    # What the card did to Bob's purse is reported as its effect ends; the fight around it adds only Ann's card.
    inside = DISPLAY + "  - {id: spoils, per: Seat, changes: [purse_], during: [Card.effect]}\n"
    inside = inside.replace("id: spoils, per: Seat, changes: [purse_],", "id: blow, per: Seat, changes: [purse_],")
    assert reported(game(inside), capsys, "duel fox", "1")[3:] == [
        "  Fox beats Bob by 1 point for Ann",
        "  Bob pays 1 coin: 5, then 4",
        "  Bob purse -1",
        "  Ann: hand -1",
    ]


def test_lines_stand_under_the_heading_of_their_moment(capsys: pytest.CaptureFixture[str]) -> None:
    # An empty title is no heading. Of the first turn, which had begun, nothing is said at its end.
    assert reported(game(), capsys, "wait", "wait") == [
        "== Hour 1 ==",
        "  waits",
        "  Ann pays 2 coins: 5, then 3",
        "== Hour 2 ==",
        "  waits",
        "  Ann pays 2 coins: 3, then 1",
        "  nothing was trained by Ann",
    ]


def test_what_was_taken_back_is_told_again(capsys: pytest.CaptureFixture[str]) -> None:
    state = game()
    record(state)
    narrator = Narrator(stdout(), "en")
    narrator.report(state)
    before = successor(state)
    narrator.report(answer_all(state, "wait"))
    narrator.take_back(before)
    assert narrator.history(before) == []
    capsys.readouterr()
    narrator.report(answer_all(before, "wait"))
    assert "  Ann pays 2 coins: 5, then 3" in capsys.readouterr().out.splitlines()
    assert narrator.history(before)[:2] == ["waits", "Ann pays 2 coins: 5, then 3"]


def test_who_reads_late_is_told_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    answers = ("drill", "duel fox", "1", "wait")
    at_once = reported(game(), capsys, *answers)
    state = game()
    record(state)
    narrator = Narrator(stdout(), "en")
    narrator.report(state)
    capsys.readouterr()
    for words in answers:
        answer_all(state, words)
    narrator.report(state)
    assert [line for line in capsys.readouterr().out.splitlines() if line] == at_once
    assert "  Bob pays 1 coin: 5, then 4" in at_once


def test_of_a_game_that_was_not_recorded_only_the_answers_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    state = game()
    narrator = Narrator(stdout(), "en")
    narrator.report(state)
    capsys.readouterr()
    narrator.report(answer_all(state, "duel fox"))
    assert capsys.readouterr().out.splitlines()[-1] == "  Ann plays Fox"
    assert not state.events


def test_routines_that_ran_before_are_known_and_not_judged(capsys: pytest.CaptureFixture[str]) -> None:
    # Listening begins in the middle of the fight and of the turn: what ran in them by then is not known.
    state = answer_all(game(), "duel elk")
    assert reported(state, capsys, "3") == ["== Hour 1 ==", "  holds 3"]


PLANNED = """
enum Cause: tax
piece coin
kind Seat
    zone purse_: coin
field round_: 0..9
phase game
    for every p in seats: gain 5 coin by p as tax
    repeat: do turn(p1)
procedure turn(p: Seat)
    plan by p
        choose number n in 0..3 by p
        lose n coin by p as tax
        choose number m in 0..3 by p
        require n + m > 0 because "something is paid"
    set round_ to min(round_ + 1, 9)
    choose one by p2
        case go
        case stay
"""


def test_what_happens_in_an_open_plan_waits_for_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    # The first number may still be taken back; others read of the coins when the second is chosen.
    display = "told: [{id: tax, per: Seat, change: purse_, as: [tax]}, {id: round_, change: round_}]\n"
    texts = """
    turn: {n: {done: "first {n}"}, m: {done: "second {m}"}, one: {go: {done: goes}, stay: {done: stays}}}
    told: {tax: "{whose} pays {by}", round_: "round {it}"}
    """
    files = {"display.yaml": display, "locale/en.yaml": texts}

    def new() -> State:
        return start(PLANNED, files, seats=(2, 2))

    assert reported(new(), capsys, "2", seat=2) == []
    assert reported(new(), capsys, "2", "1", seat=2) == ["  first 2", "  p1 pays 2", "  second 1", "  round 1"]
    assert reported(new(), capsys, "2", seat=1) == ["  first 2", "  p1 pays 2"]
    assert reported(new(), capsys, "2", "1", seat=1)[2:] == ["  second 1", "  round 1"]
