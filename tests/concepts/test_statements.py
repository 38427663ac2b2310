"""What seats tell each other: an answer `seen by` the hearers, and a `done` text with what the machine works out."""

from __future__ import annotations

import interpreter as rw
from dsl.driver.load import check_texts
from tests.concepts.play import start

TALK = """
enum Good: salt, grain
kind Card: 4
zone deck: Card seen by nobody
kind Seat
    zone hand: Card seen by owner
value worth(p: Seat): int = 3 * count(c in p.hand where c in {card_1, card_2})
phase game
    for every c in Card: move c to deck
    for every p in seats
        random c in deck seen by p
        move c to p.hand
    let q = p2
    choose g in Good by p1 seen by q
    choose w in Good by q
    choose number n in 0..1 by p3
    if n is 1: show deck to seats
"""
TEXTS = {
    "locale/en.yaml": """
game:
  g: {done: "{actor} tells {q}: worth {openly(worth(p1))}, one is {g}"}
  w: {done: "{actor} says {w}"}
"""
}


def test_a_true_statement_reaches_those_who_hear_it_and_nobody_else() -> None:
    # 16: the machine works the value out, 3 for the one card that counts; what p3 hears is that something was said.
    s = start(TALK, TEXTS, seats=(3, 3), script=["card_1", "card_3", "card_4"])
    rw.answer(s, "salt", "p1")
    last = {seat: rw.log_for(s, seat)[-1] for seat in (1, 2, 3, None)}
    assert last[1] == last[2] == "p1 tells p2: worth 3, one is salt"
    assert last[3] == last[None] == "p1 chose in secret"


def test_a_free_word_is_told_though_no_rule_reads_it() -> None:
    s = start(TALK, TEXTS, seats=(3, 3), script=["card_1", "card_3", "card_4"])
    rw.answer(s, "grain", "p1")
    rw.answer(s, "salt", "p2")
    assert rw.log_for(s, 3)[-1] == "p2 says salt"


def test_an_answer_that_nobody_reads_or_is_told_is_reported() -> None:
    told = check_texts({"small.rules": TALK}, TEXTS, seats=(3, 3))
    silent = check_texts({"small.rules": TALK}, {}, seats=(3, 3))
    assert [d.code for d in told if d.code == "RW0812"] == []
    assert [d.message for d in silent if d.code == "RW0812"] == ["`g` is never used", "`w` is never used"]
