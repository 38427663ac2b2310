"""A trading session with statements (docs/manual/16-knowledge.md, 12-loops-and-orders.md): two seats talk and swap,
each says two true things of what it gives and whatever it likes besides, and the others learn only that they did."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, game, options, play_on_both, start

# A set of n salt is worth n * n, one of n grain 3 * n * n, and a calamity nothing; a bundle is at least two cards.
TRADE = """
enum Good: salt, grain, none_of_them
kind Card: 8
    field good: Good
kind Seat
    zone hand: Card seen by owner
    zone bundle: Card seen by owner
    field rounds: 0..99
value square(cs: set of Card, g: Good): int = count(c in cs where c.good is g) * count(c in cs where c.good is g)
value worth(cs: set of Card): int = square(cs, salt) + 3 * square(cs, grain)
value other(n: Seat, q: Seat): bool = q is not n and size(q.hand) >= 2

action bid(n: Seat, q: Seat) of deals
    require other(n, q) and size(n.hand) >= 2
    do pack(n, q)
    choose one by q
        case answer where size(q.hand) >= 2
            do pack(q, n)
            choose one by n
                case agree: do swap(n, q)
                case refuse: do unpack(n, q)
        case turn_down: do unpack(n, q)

procedure pack(n: Seat, q: Seat)
    choose some cs in n.hand at least 2 by n seen by n
    for every c in cs: move c to n.bundle
    choose promise in Good where any(c in n.bundle where c.good is promise) by n seen by {n, q}
    choose boast in Good by n seen by {n, q} or decline

procedure swap(n: Seat, q: Seat)
    let mine = n.bundle
    let theirs = q.bundle
    together
        for every c in mine: move c to q.hand
        for every c in theirs: move c to n.hand
    set n.rounds to n.rounds + 1

procedure unpack(n: Seat, q: Seat)
    for every c in n.bundle: move c to n.hand
    for every c in q.bundle: move c to q.hand

phase game
    for every c in Card: move c to pack_of_all
    for every c in {card_1, card_2, card_5}: set c.good to salt
    for every c in {card_3, card_4, card_6, card_7}: set c.good to grain
    set card_8.good to none_of_them
    for every c in {card_1, card_2, card_3, card_8}: move c to p1.hand
    for every c in {card_4, card_5, card_6}: move c to p2.hand
    move card_7 to p3.hand
    open to n in seats at most 2 per n: offer deals by n or decline
zone pack_of_all: Card seen by nobody
"""
TEXTS = {
    "locale/en.yaml": """
pack:
  promise: {done: "{actor} gives {q} {size(n.bundle)} cards worth {openly(worth(n.bundle))}, one is {promise}"}
  boast: {done: "{actor} tells {q} about {boast}"}
"""
}


def trade(**how: object) -> rw.State:
    return start(TRADE, TEXTS, seats=(3, 3), auto=False, **how)


def test_both_hear_what_is_true_and_what_is_not_and_the_third_that_they_talk() -> None:
    s = trade()
    answer_all(s, "p1 bid p2", "p1 card_1 card_3", "p1 salt", "p1 none_of_them")
    # One salt and one grain: 1 + 3. The boast may be a lie; p2 hears both before it answers.
    heard = rw.log_for(s, 2)
    assert heard[-2:] == ["p1 gives p2 2 cards worth 4, one is salt", "p1 tells p2 about none_of_them"]
    assert rw.log_for(s, 1)[-2:] == heard[-2:]
    assert {line for line in rw.log_for(s, 3)[1:]} == {"p1 chose in secret"}
    answer_all(s, "p2 answer", "p2 card_4 card_6")
    assert options(s) == ["grain"]  # its true word: neither card is salt
    answer_all(s, "p2 grain", "p2 decline")
    assert rw.log_for(s, 1)[-2] == "p2 gives p1 2 cards worth 12, one is grain"
    assert not any("12" in line for line in rw.log_for(s, 3))
    answer_all(s, "p1 agree")
    # Both know what they gave; of what they got each sees its own hand; the third counts cards.
    assert cell(s, "p1.hand") == ["card_2", "card_4", "card_6", "card_8"] and cell(s, "p1.rounds") == 1
    assert rw.view(s, 1)["state"]["Seat.hand"]["p2"] == {"hidden": 3, "known": ["card_1", "card_3"]}
    assert rw.view(s, 3)["state"]["Seat.hand"]["p1"] == {"hidden": 4}


def test_a_refused_trade_tells_nobody_what_was_in_it() -> None:
    s = trade()
    answer_all(s, "p1 bid p2", "p1 card_1 card_2", "p1 salt", "p1 salt", "p2 turn_down")
    assert rw.view(s, 2)["state"]["Seat.hand"]["p1"] == rw.view(s, 3)["state"]["Seat.hand"]["p1"] == {"hidden": 4}
    assert cell(s, "p1.hand") == ["card_1", "card_2", "card_3", "card_8"]


def test_a_statement_in_a_plan_is_told_when_the_plan_is_certain() -> None:
    """Until the other seat is asked, `bid` may still be taken back, and nobody hears anything."""
    s = trade()
    answer_all(s, "p1 bid p2", "p1 card_1 card_3", "p1 salt")
    assert s.plan is not None and rw.log_for(s, 2) == ["p1: bid p2"]
    assert rw.log_for(s, 1)[-1] == "p1 gives p2 2 cards worth 4, one is salt"
    answer_all(s, "p1 decline")
    assert s.plan is None and "p1 gives p2 2 cards worth 4, one is salt" in rw.log_for(s, 2)


GUESS = """
kind Card: 3
kind Seat
    zone hand: Card seen by owner
    field wrong: 0..9
action guess(n: Seat) of deals
    choose c in Card by n
    choose d in Card where d is not c by n
    set n.wrong to n.wrong + 1
phase game
    move card_2 to pool
    shuffle pool
    for every x in pool: move x to p2.hand
    offer deals by p1
    choose n in 1..2 by p2
zone pool: Card ordered seen by nobody
"""


def test_what_the_one_who_answers_does_not_see_is_not_told_by_trying() -> None:
    """A line in an open plan may be taken back, so it must not tell its own author of the hand of another."""
    texts = {"locale/en.yaml": 'guess: {c: {done: "{actor} names {c}: {openly(c in p2.hand)}"}}\n'}
    s = start(GUESS, texts, seats=(2, 2), auto=False)
    answer_all(s, "p1 card_2")
    assert s.plan is not None and rw.log_for(s, 1)[-1] == "p1 names card_2: a card"
    answer_all(s, "p1 card_1")
    assert "p1 names card_2: yes" in rw.log_for(s, 2)


@pytest.mark.parametrize("seed", range(4))
def test_the_session_ends_by_its_rule(seed: int) -> None:
    """Each seat may bid twice, whoever answers what in which order; saying no is free, and only no ends it before."""
    s = trade()
    draw, bids = Random(seed), Counter[str]()
    for _ in range(400):
        if s.over:
            break
        assert s.decision is not None
        if s.decision.address == "game.deals":
            seat = draw.choice(s.decision.open_seats)  # out of turn as well
            option = draw.choice(rw.legal(s, seat))
            assert bids[f"p{seat}"] < 2
            bids[f"p{seat}"] += option.ids[0] == "bid"
        else:
            option = draw.choice(rw.legal(s))
        rw.apply(s, option)
    assert s.over and all(n <= 2 for n in bids.values())


def test_whoever_has_used_up_its_answers_is_out_and_the_others_go_on() -> None:
    s = trade()
    for _ in range(2):
        rw.answer(s, "bid p1", "p2")
        answer_all(s, "p2 card_4 card_5", "p2 salt", "p2 decline", "p1 turn_down")
    assert s.decision is not None and 2 not in s.decision.open_seats and 1 in s.decision.open_seats
    with pytest.raises(rw.IllegalAnswer):
        rw.answer(s, "bid p1", "p2")


def test_both_back_ends_trade_alike() -> None:
    program = game(TRADE, TEXTS, seats=(3, 3)).program
    for seed in range(6):
        play_on_both(program, seed)
