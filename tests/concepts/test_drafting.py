"""Questions of a loop `at once` are open to all at the same time (docs/manual/12-loops-and-orders.md): a drafting game
with hidden hands, and what an answer shows that is given before one's turn."""

from __future__ import annotations

import json
import random
from itertools import permutations, product

import pytest

import interpreter as rw
from tests.concepts.drafting import DRAFT, draft
from tests.concepts.play import cell, errors, play_on_both, start
from tests.tools.table.asking import asked
from tools.simulation.bots import make_bot
from tools.table.history import OTHERS, REVEALED
from tools.table.table import Table


def answered(state: rw.State, seat: int, place: int = 0) -> rw.State:
    return rw.apply(state, rw.legal(state, seat)[place])


def everything_told(state: rw.State, seat: int | None) -> str:
    """What a reader is told, without which seats are awaited."""
    shown = rw.view(state, seat)
    return json.dumps([shown, rw.log_for(state, seat)])


def test_a_draft_from_hidden_hands_is_accepted_and_everybody_decides_by_what_he_sees() -> None:
    assert errors(DRAFT) == []
    for other in ("next(p).hand", "p1.hand"):
        assert [d.code for d in errors(DRAFT.replace("choose c in p.hand", f"choose c in {other}"))] == ["RW1210"]


def test_answers_come_in_any_order_and_lead_to_the_same_game() -> None:
    game = draft()
    in_turn = game.new(seats=3, seed=5)
    while in_turn.decision is not None:
        answered(in_turn, in_turn.decision.seat, len(in_turn.log) % len(rw.legal(in_turn)))
    orders = list(permutations((1, 2, 3)))
    for first in range(len(orders)):
        state = game.new(seats=3, seed=5)
        chosen = {}
        for number in range(3):
            lengths = len(state.log)
            assert state.decision is not None and state.decision.open_seats == (1, 2, 3)
            left = {1, 2, 3}
            for seat in orders[(first + number) % len(orders)]:
                options = rw.legal(state, seat)
                chosen[seat] = options[(lengths + seat - 1) % len(options)]
                rw.apply(state, chosen[seat])
                left.remove(seat)
                assert not left or state.decision is not None and state.decision.open_seats == tuple(sorted(left))
        assert state.over and state.digest() == in_turn.digest()
        assert [rw.log_for(state, s) for s in (1, 2, 3, None)] == [rw.log_for(in_turn, s) for s in (1, 2, 3, None)]


def test_nothing_of_an_early_answer_is_told_before_all_have_answered() -> None:
    game = draft()
    for seat, readers in ((3, (1, 2, None)), (2, (1, 3, None))):
        shown = []
        for place in range(4):
            state = answered(game.new(seats=3, seed=5), seat, place)
            shown.append([everything_told(state, reader) for reader in readers])
            answered(state, 1)
            shown[-1] += [everything_told(state, reader) for reader in readers]
            taken = rw.legal(game.new(seats=3, seed=5), seat)[place].ids[0]
            assert cell(state, f"p{seat}.table") == []
            answered(state, 5 - seat)
            assert cell(state, f"p{seat}.table") == [taken]
            assert all(f"p{seat}: {taken}" in rw.log_for(state, reader) for reader in (1, 2, 3, None))
        assert shown[0] == shown[1] == shown[2] == shown[3]


def test_who_has_answered_is_not_asked_again_and_an_answer_that_is_not_offered_changes_nothing() -> None:
    state = answered(draft().new(seats=3, seed=5), 2)
    assert rw.legal(state, 2) == [] and state.decision is not None
    before = everything_told(state, 3), state.early
    with pytest.raises(rw.IllegalAnswer, match="not p2"):
        rw.answer(state, "card_1", "p2")
    mine = {o.ids[0] for o in rw.legal(state, 3)}
    other = next(f"card_{n}" for n in range(1, 16) if f"card_{n}" not in mine)
    with pytest.raises(rw.IllegalAnswer):
        rw.answer(state, other, "p3")
    assert before == (everything_told(state, 3), state.early)
    assert rw.explain(state, other, "p3") and not rw.explain(state, min(mine), "p3")


def test_early_answers_are_saved_copied_and_played_again() -> None:
    game = draft()
    for place in range(4):
        state = answered(game.new(seats=3, seed=5), 3, place)
        data = json.loads(json.dumps(rw.save(state)))
        again = rw.restore(game, data)
        assert again.early == state.early and again.decision is not None and again.decision.open_seats == (1, 2)
        other = rw.copy(state)
        for one in (state, again, other):
            answered(answered(one, 2), 1)
        assert state.digest() == again.digest() == other.digest()
        assert rw.replay(game, rw.save(state)).digest() == state.digest()
    from interpreter.records.save import sealed

    for wrong in ([[3, [1, 99]]], [[7, [1, 1]]], [[1, [1, 1]]], "x", [3]):
        with pytest.raises(rw.SaveError, match="early"):
            rw.restore(game, sealed({**data, "early": wrong}))


def test_the_reference_and_native_code_draft_alike() -> None:
    for seed in range(3):
        play_on_both(draft().program, seed)
    games = [draft("reference").new(seats=3, seed=4), draft("wasm").new(seats=3, seed=4)]
    for seat, place in product((3, 1, 2), (1, 0)):
        if all(rw.legal(state, seat) for state in games):
            assert [o.ids for o in rw.legal(games[0], seat)] == [o.ids for o in rw.legal(games[1], seat)]
            for state in games:
                answered(state, seat, place)
    assert games[0].digest() == games[1].digest() and len(rw.log_for(games[0], None)) == 15


TWO = """
enum Fruit: fig, pear, plum
kind Card: 6
kind Seat
    zone hand: Card seen by owner
    zone away: Card seen by owner
    field sum: 0..20
phase game
    for every c in {card_1, card_2, card_3}: move c to p1.hand
    for every c in {card_4, card_5, card_6}: move c to p2.hand
    for every p in seats at once
        choose some cs in p.hand at most 2 by p
        choose number n in size(cs)..3 by p
        for every c in cs: move c to p.away
        set p.sum to n
    choose f in Fruit by p1
action shout(p: Seat) at any moment
    set p.sum to 9
"""


def test_long_answers_and_several_questions_are_answered_early() -> None:
    state = start(TWO, seats=(2, 2))
    rw.answer(state, "card_4, card_6, ready", "p2")
    assert [o.ids for o in rw.legal(state, 2)] == [("2",), ("3",)]
    assert state.decision is not None and state.decision.open_seats == (1, 2)
    again = rw.restore(state.game, rw.save(state))
    for one in (state, again):
        rw.answer(one, "3", "p2")
        assert one.decision is not None and one.decision.open_seats == (1,)
        rw.answer(one, "ready", "p1")
        rw.answer(one, "2", "p1")
        assert cell(one, "p2.away") == ["card_4", "card_6"] and (cell(one, "p1.sum"), cell(one, "p2.sum")) == (2, 3)
    assert state.digest() == again.digest()


def test_answers_in_words_and_step_by_step_may_change_places() -> None:
    state = start(TWO, seats=(2, 2))
    rw.apply(state, rw.legal(state, 2)[1])  # a first card, and more may follow
    rw.answer(state, "card_2, ready", "p1")
    assert state.decision is not None and state.decision.open_seats == (1, 2)
    rw.answer(state, "ready", "p2")
    rw.answer(state, "1", "p2")
    rw.answer(state, "1", "p1")
    assert cell(state, "p1.away") == ["card_2"] and cell(state, "p2.away") == ["card_5"]


def test_what_is_done_out_of_turn_asks_those_again_who_have_answered_early() -> None:
    state = start(TWO, seats=(2, 2))
    rw.answer(state, "card_4, ready", "p2")
    rw.answer(state, "3", "p2")
    assert state.decision is not None and state.decision.open_seats == (1,)
    rw.answer(state, "shout", "p1")
    assert state.decision is not None and state.decision.open_seats == (1, 2) and not state.early.answers


def test_an_answer_given_early_is_asked_again_where_it_is_no_longer_legal_when_it_is_applied() -> None:
    state = start(
        """
kind Card: 3
zone deck: Card
kind Seat
    zone hand: Card
phase game
    for every c in Card: move c to deck
    for every p in seats at once
        choose c in deck by p
        move c to p.hand
""",
        seats=(2, 2),
    )
    rw.answer(state, "card_2", "p2")
    rw.answer(state, "card_2", "p1")
    assert state.decision is not None and state.decision.open_seats == (2,)
    assert [o.ids for o in rw.legal(state)] == [("card_1",), ("card_3",)] and cell(state, "p1.hand") == ["card_2"]


# ------------------------------------------------------------ at a table


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_people_at_a_table_answer_in_any_order(order: tuple[int, ...]) -> None:
    table = Table(draft().new(seats=3, seed=7, chance="ask"), frozenset({1, 2, 3}), together=False,
                  chance=random.Random(1))  # fmt: skip
    while not table.over:
        for seat in order:
            if table.asked(seat) is not None:
                table.answer(seat, asked(table, seat).options[0])
    assert sum(len(cell(table.state, f"p{seat}.table")) for seat in (1, 2, 3)) == 9


def test_an_answer_may_be_taken_back_until_all_have_answered() -> None:
    table = Table(draft().new(seats=3, seed=7), frozenset({1, 2, 3}), together=False)
    for seat in (3, 1):
        table.answer(seat, asked(table, seat).options[0])
        assert table.undo(seat) and table.asked(seat) is not None and table.redo(seat) and table.asked(seat) is None
    assert table.why_no_undo(3) == OTHERS
    table.answer(2, asked(table, 2).options[1])
    assert table.why_no_undo(2) == REVEALED


@pytest.mark.parametrize("people", [{1}, {3}, {2, 3}, set()])
def test_bots_and_people_draft_together(people: set[int]) -> None:
    table = Table(draft().new(seats=3, seed=3), frozenset(people), "greedy", together=False)
    while not table.over:
        if seat := table.person_to_ask():
            table.answer(seat, asked(table, seat).options[-1])
        else:
            assert table.bot_turn()
    assert all(len(cell(table.state, f"p{seat}.table")) == 3 for seat in (1, 2, 3))


def test_greedy_bots_play_to_the_end() -> None:
    state = draft().new(seats=3, seed=11)
    bot = make_bot("greedy", 1)
    while not state.over:
        rw.apply(state, bot.choose(state))
    assert sum(rw.result(state).scores.values()) > 0
