"""The rules of a table: who may answer, undo and redo, waiting, bots, chance, and what a reader is told."""

from __future__ import annotations

import random

import pytest

from interpreter import IllegalAnswer, RulesetError
from tests.concepts.play import cell, start
from tests.tools.table.asking import asked
from tools.table.history import NOTHING, OTHERS, REVEALED
from tools.table.log import Log
from tools.table.table import Table

COUNTING = """
kind Seat
    field score: 0..99

phase game
    round robin p in seats while p1.score + p2.score < 40: offer doing by p

action add(p: Seat, n: 1..5) of doing
    set p.score to p.score + n

action spoil(p: Seat) of doing
    set p.score to 90 + p.score + p.score

action draw(p: Seat) of doing
    random number n in 1..6
    set p.score to p.score + n
"""


def table(people: set[int], together: bool = True) -> Table:
    return Table(start(COUNTING, seats=(2, 2)), frozenset(people), together=together)


def take(table: Table, seat: int, *ids: str) -> None:
    table.answer(seat, next(option for option in asked(table, seat).options if option.ids == ids))


def test_a_state_that_was_shown_is_never_changed() -> None:
    played = table({1, 2})
    before, digest = played.state, played.state.digest()
    take(played, 1, "add", "3")
    assert before.digest() == digest and cell(played.state, "p1.score") == 3
    assert played.version == 1


def test_only_the_one_who_is_asked_answers() -> None:
    played = table({1, 2})
    assert played.asked(2) is None
    option = asked(played).options[0]
    with pytest.raises(IllegalAnswer):
        played.answer(2, option)
    assert played.version == 0


def test_at_one_screen_any_answer_may_be_taken_back_and_given_again() -> None:
    played = table({1, 2})
    assert played.why_no_undo(1) == NOTHING
    take(played, 1, "add", "3")
    take(played, 2, "add", "4")
    assert played.undo(1) and played.undo(1)
    assert cell(played.state, "p1.score") == cell(played.state, "p2.score") == 0
    assert played.redo(1) and cell(played.state, "p1.score") == 3
    take(played, 2, "add", "5")
    assert not played.redo(2), "another answer was given since"


def test_apart_only_the_last_answer_and_only_one_s_own() -> None:
    played = table({1, 2}, together=False)
    take(played, 1, "add", "3")
    assert played.why_no_undo(2) == OTHERS and not played.undo(2)
    take(played, 2, "add", "4")
    assert played.why_no_undo(1) == OTHERS
    assert played.undo(2) and not played.may_redo(1) and played.may_redo(2)


def test_an_answer_of_a_bot_goes_with_the_one_before_it() -> None:
    without_chance = COUNTING.partition("action draw")[0]
    played = Table(start(without_chance, seats=(2, 2)), frozenset({1}), together=False)
    assert not played.bot_turn()
    take(played, 1, "add", "3")
    while played.bot_turn():
        pass
    assert played.undo(1) and cell(played.state, "p1.score") == 0
    assert played.redo(1) and len(played.state.log) == 2


def test_what_chance_has_shown_is_not_taken_back() -> None:
    played = table({1, 2})
    take(played, 1, "add", "3")
    take(played, 2, "draw")
    assert played.why_no_undo(2) == REVEALED and not played.undo(2)
    assert played.why_no_undo(2) == REVEALED, "also when it is asked again"


def test_a_fault_of_the_rules_leaves_the_game_as_it_was() -> None:
    played = table({1, 2})
    take(played, 1, "add", "5")
    take(played, 2, "add", "1")
    digest, version = played.state.digest(), played.version
    with pytest.raises(RulesetError):
        take(played, 1, "spoil")
    assert (played.state.digest(), played.version) == (digest, version)
    take(played, 1, "add", "1")
    assert cell(played.state, "p1.score") == 6


def test_chance_that_is_asked_is_settled_by_the_table() -> None:
    from tests.concepts.play import game

    state = game(COUNTING, seats=(2, 2)).new(seats=2, seed=1, chance="ask")
    seen = set()
    for seed in range(40):
        played = Table(state, frozenset({1, 2}), chance=random.Random(seed))
        take(played, 1, "draw")
        assert played.state.chance is None
        seen.add(cell(played.state, "p1.score"))
    assert seen == set(range(1, 7))


OPEN = """
kind Seat
    field picked: bool

phase game
    open to p in seats at most 1 per p: offer picks by p or decline
    stop game

action pick(p: Seat) of picks
    set p.picked to true
"""


def test_who_lets_others_go_first_is_asked_again_after_them() -> None:
    played = Table(start(OPEN, seats=(3, 3)), frozenset({1, 2}), together=False)
    assert played.person_to_ask() == 1 and played.asked(2) is not None
    assert not played.wait(1), "nobody else is asked before seat 1"
    played.answer(2, asked(played, 2).options[0])
    assert played.asked(2) is None and played.person_to_ask() == 1
    assert played.why_no_undo(1) == OTHERS


def test_a_reader_sees_what_was_taken_back_struck_out() -> None:
    played = table({1, 2})
    log = Log(played.state, "en", 1)
    for seat, number in ((1, "3"), (2, "4")):
        take(played, seat, "add", number)
        log.follow(played)
    played.undo(2)
    log.follow(played)
    told = [(row.row.text, row.undone) for row in log.told if "add" in row.row.text]
    assert [undone for _, undone in told] == [False, True]
    take(played, 2, "add", "1")
    log.follow(played)
    assert [row.undone for row in log.told if "add" in row.row.text] == [False, True, False]


def test_what_is_given_again_is_told_once() -> None:
    played = table({1, 2})
    log = Log(played.state, "en", None)
    take(played, 1, "add", "3")
    log.follow(played)
    before = [row.row.text for row in log.told]
    played.undo(1)
    log.follow(played)
    assert played.redo(1)
    log.follow(played)
    assert [row.row.text for row in log.told] == before and not any(row.undone for row in log.told)


def test_of_several_answers_that_were_taken_back_only_the_one_that_is_given_again_is_told_anew() -> None:
    played = table({1, 2})
    log, away = Log(played.state, "en", None), Log(played.state, "en", None)
    for seat, number in ((1, "1"), (2, "2"), (1, "3")):
        take(played, seat, "add", number)
        for one in (log, away):
            one.follow(played)
    texts = [row.row.text for row in log.told if "add" in row.row.text]
    for act, struck in ((played.undo, 1), (played.undo, 2), (played.redo, 1), (played.redo, 0), (played.undo, 1)):
        assert act(1)
        log.follow(played)
        found = [(row.row.text, row.undone) for row in log.told if "add" in row.row.text]
        assert found == [(text, number >= 3 - struck) for number, text in enumerate(texts)]
    take(played, 1, "add", "5")
    for one in (log, away, late := Log(played.state, "en", None)):
        one.follow(played)
        found = [(row.row.text, row.undone) for row in one.told if "add" in row.row.text]
        assert [undone for _, undone in found] == [False, False, True, False], "of one who was away, too"
    assert [row.undone for row in late.told if row.row.text == texts[2]] == [True]


def test_all_people_may_agree_to_go_back_before_an_answer_and_those_after_it() -> None:
    played = Table(start(COUNTING, seats=(3, 3)), frozenset({1, 2}), together=False)
    log = Log(played.state, "en", 2)
    take(played, 1, "add", "3")
    assert not played.may_ask_back(1), "it may take that back alone"
    take(played, 2, "add", "4")
    assert not played.ask_back(3), "it is a bot's"
    assert played.ask_back(1) and played.awaits_reply(2) and not played.awaits_reply(1) and not played.awaits_reply(3)
    assert not played.reply(1, True) and not played.reply(3, True) and cell(played.state, "p1.score") == 3
    assert not played.ask_back(2), "somebody else asks"
    log.follow(played)
    assert played.reply(2, True)
    assert cell(played.state, "p1.score") == cell(played.state, "p2.score") == 0 and asked(played).seat == 1
    assert not played.may_redo(1) and played.requests.open is None and played.why_no_undo(1) == NOTHING
    log.follow(played)
    assert [row.undone for row in log.told if "add" in row.row.text] == [True, True]


def test_one_who_refuses_is_enough() -> None:
    played = table({1, 2}, together=False)
    take(played, 1, "add", "3")
    take(played, 2, "add", "4")
    assert played.ask_back(1) and played.reply(2, False)
    assert cell(played.state, "p2.score") == 4
    assert not played.reply(2, True), "it has been answered"
    assert not played.ask_back(1), "nobody asks twice"
    take(played, 1, "add", "1")
    assert played.why_no_undo(1) == "" and not played.ask_back(1)
    take(played, 2, "add", "1")
    assert played.ask_back(1), "there is another position now"


def test_a_request_is_lost_when_somebody_goes_on() -> None:
    played = table({1, 2}, together=False)
    take(played, 1, "add", "3")
    take(played, 2, "add", "4")
    assert played.ask_back(1)
    take(played, 1, "add", "1")
    assert played.requests.open is None and not played.reply(2, True) and cell(played.state, "p1.score") == 4


def test_what_was_learnt_is_taken_back_by_leave_and_nothing_before_it_alone() -> None:
    played = table({1, 2}, together=False)
    take(played, 1, "add", "3")
    take(played, 2, "draw")
    assert played.why_no_undo(2) == REVEALED and played.ask_back(2) and played.reply(1, True)
    assert cell(played.state, "p2.score") == 0 and asked(played).seat == 2
    assert played.why_no_undo(1) == REVEALED and not played.undo(1), "they have seen what would follow"
    assert played.ask_back(1) and played.reply(2, True) and cell(played.state, "p1.score") == 0


def test_who_plays_against_bots_asks_nobody() -> None:
    played = Table(start(COUNTING, seats=(2, 2)), frozenset({1}), together=False)
    take(played, 1, "draw")
    assert played.why_no_undo(1) == REVEALED and played.ask_back(1)
    assert cell(played.state, "p1.score") == 0 and played.requests.open is None
