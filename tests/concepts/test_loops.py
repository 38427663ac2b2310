"""Loops and orders (docs/manual/12-loops-and-orders.md): what is frozen, what is live, who answers when."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.everywhere import played
from tests.concepts.play import answer_all, cell, options, question, start

BASE = """
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece coin
kind Seat
    zone purse: coin
    zone hand: Card seen by owner
    field bid: 0..9
    field passed: bool
kind Card: 6
zone deck: Card
zone pile: Card ordered
kind Row: 5
    field level: -9..9
    field done: bool
    field on: bool
value number(r: Row): int = 1 + (1 if r is row_2 else 0) + (2 if r is row_3 else 0) + (3 if r is row_4 else 0)
    + (4 if r is row_5 else 0)
"""


def test_a_frozen_loop_visits_its_members_whatever_happens() -> None:
    # 12: the set with its `where` is read once; `while` is read before each pass.
    s = start(
        BASE
        + """
phase game
    for every r in Row: set r.on to r in {row_1, row_3, row_4, row_5}
    for every r in Row where r.on while trail < 300
        do note(r.number)
        set row_3.on to false
    for every r in Row, q in {row_2, row_3} where r in {row_1, row_3} and r is not q: do note(r.number + q.number)
"""
    )
    assert cell(s, "trail") == 1345345


def test_a_live_loop_reads_its_members_again() -> None:
    # 12: after each pass S and P are read again; visited members do not come back; a cursor is a local in P.
    s = start(
        BASE
        + """
phase game
    set row_1.level to 3
    set row_2.level to 1
    set row_3.level to 5
    set row_4.level to 2
    set row_5.level to -1
    let here = -9
    for every r in live Row where r.level > here with lowest r.level
        set here to r.level
        do note(r.number)
        if r is row_2: set row_4.level to 0
        if r is row_1: set row_2.level to 9
"""
    )
    # -1: row_5, 1: row_2 (row_4 falls behind the cursor), 3: row_1 (row_2 jumps ahead, but counts as visited), 5: row_3
    assert cell(s, "trail") == 5213


def test_round_robin_skips_for_now_and_takes_a_decline_as_a_pass() -> None:
    # 12: rounds over the frozen S, skipping members for which P fails now, until Q fails or a round skips everybody.
    s = start(
        BASE
        + """
phase game
    for every p in seats: gain 2 coin by p
    lose 1 coin by p2
    round robin p in seats where p.purse > 0 while trail < 99999
        choose number k in 1..3 by p or decline
        lose 1 coin by p
        do note(k)
""",
        seats=(3, 3),
    )
    assert question(s) == "p1: game.k"
    answer_all(s, "1", "decline", "3", "2")
    assert question(s) == "p2: game.k"  # a decline was a pass, not an end; p1 is out now
    answer_all(s, "1", "2")
    assert s.over and cell(s, "trail") == 13212


def test_open_to_ends_when_all_have_declined_since_the_last_change() -> None:
    # 12: every member's question is open together; it ends when all have declined since the last change.
    s = start(
        BASE
        + """
action take(p: Seat, n: 1..2) of bazaar
    require p.purse + n < 4
    gain n coin by p
phase game
    open to p in seats: offer bazaar by p or decline
    do note(1)
"""
    )
    assert s.decision is not None and list(s.decision.open_seats) == [1, 2]
    rw.answer(s, "take 2", "p2")  # p2 is first
    assert cell(s, "p2.purse") == 2 and cell(s, "p1.purse") == 0
    rw.answer(s, "decline", "p1")
    rw.answer(s, "take 1", "p2")
    assert not s.over
    rw.answer(s, "decline", "p2")
    assert not s.over and s.decision is not None and list(s.decision.open_seats) == [1]
    rw.answer(s, "decline", "p1")
    assert s.over and cell(s, "trail") == 1


def test_at_once_answers_are_hidden_until_all_are_made() -> None:
    # 12: all choices are made, hidden from other seats, before any is applied; then the rest runs in list order.
    s = start(
        BASE
        + """
phase game
    for every p in seats: gain 3 coin by p
    for every p in seats at once
        choose number k in 0..p.purse by p
        set p.bid to k
        do note(k)
"""
    )
    answer_all(s, "2")
    assert question(s) == "p2: game.k" and cell(s, "trail") == 0
    assert rw.log_for(s, 2, "en") == [] or "2" not in " ".join(rw.log_for(s, 2, "en")[-1:]).replace("p2", "")
    assert "2" in " ".join(rw.log_for(s, 1, "en"))
    answer_all(s, "3")
    assert s.over and cell(s, "trail") == 23


def test_at_once_asks_again_alone_when_an_answer_is_no_longer_legal() -> None:
    # 12: an answer no longer legal by then is asked again, alone.
    s = start(
        BASE
        + """
phase game
    for every c in {card_1, card_2, card_3}: move c to deck
    for every p in seats at once
        choose c in deck by p
        move c to p.hand
"""
    )
    answer_all(s, "card_2")
    assert question(s) == "p2: game.c" and options(s) == ["card_1", "card_2", "card_3"]
    answer_all(s, "card_2")
    assert question(s) == "p2: game.c" and options(s) == ["card_1", "card_3"]
    assert cell(s, "p1.hand") == ["card_2"]
    answer_all(s, "card_3")
    assert s.over and cell(s, "p2.hand") == ["card_3"]


def test_an_answer_that_is_asked_for_again_is_shown_before_the_next_one_is() -> None:
    # 12: it is asked again alone, so nobody waits for answers of others.
    s = start(
        BASE
        + """
phase game
    for every c in {card_1, card_2, card_3, card_4}: move c to deck
    for every p in seats at once
        choose c in deck by p
        move c to p.hand
""",
        seats=(3, 3),
    )
    answer_all(s, "card_2", "card_2", "card_2", "card_1")
    assert question(s) == "p3: game.c" and options(s) == ["card_3", "card_4"]
    assert not any(entry.is_waiting() for entry in s.log)


def test_the_list_is_the_order() -> None:
    # 12: order expressions are `ranked(...)` and list values.
    s = start(
        BASE
        + """
phase game
    set row_3.level to 2
    set row_5.level to 2
    set row_1.level to -4
    for every r in ranked(r in Row where r.level is not 0 with highest r.level, lowest r.number): do note(r.number)
    for every c in {card_5, card_2}: move c to pile at top
    for every c in pile: do note(1 if c is card_2 else 9)
"""
    )
    assert cell(s, "trail") == 35191


def test_an_endless_repeat_names_its_rule() -> None:
    # Limits (docs/manual/ruleset-folder.md): passing one is a reported error with what filled it.
    with pytest.raises(rw.RulesetError, match="steps.*spin") as caught:
        start(
            BASE + "phase game\n    do spin()\nprocedure spin()\n    repeat while trail is 0: set row_1.level to 1\n",
            manifest="limits: {steps: 5000}",
        )
    assert "small.rules:" in str(caught.value)


def test_an_endless_loop_of_forced_answers_is_an_error() -> None:
    # The same for a loop in which somebody is asked, but never has a choice.
    with pytest.raises(rw.RulesetError, match="does not seem to end"):
        start(
            BASE
            + """
phase game
    move card_1 to deck
    repeat while trail is 0
        choose c in deck by p1
        set row_1.level to size(deck + {c})
"""
        )


def test_at_once_with_cases_sets_and_several_choices() -> None:
    # 12: whatever the shape, all answers are made before any is applied; a decline skips the member's whole pass.
    s = start(
        BASE
        + """
phase game
    for every c in Card: move c to deck
    for every p in seats at once
        choose one by p
            case buy(n: 1..2): gain n coin by p
            case wait where p is not p3
        choose some cs in deck exactly 2 by p or decline
        move cs to p.hand
        do note(size(p.hand) + p.purse)
""",
        seats=(3, 3),
    )
    answer_all(s, "buy 2", "card_1, card_2", "wait", "decline", "buy 1")
    assert question(s) == "p3: game.cs" and cell(s, "p1.purse") == 0
    answer_all(s, "card_2, card_3")
    # p1 has had card_2; p3 is asked again for the cards alone
    assert question(s) == "p3: game.cs" and cell(s, "trail") == 4 and cell(s, "p3.purse") == 0
    answer_all(s, "card_3, card_4")
    assert s.over and cell(s, "trail") == 43 and cell(s, "p3.hand") == ["card_3", "card_4"]


def test_at_once_keeps_no_number_for_a_case_that_nobody_has_chosen_before() -> None:
    # 12: the first may choose a case without a number, beside one whose numbers do not begin with 0.
    for first, second, trail in (("wait", "wait", 0), ("wait", "buy 3", 3), ("sell -1", "wait", 0)):
        s = start(
            BASE
            + """
phase game
    for every p in seats at once
        choose one by p
            case buy(n: 2..3): do note(n)
            case sell(m: -2..-1): gain -m coin by p
            case wait
"""
        )
        answer_all(s, first, second)
        assert s.over and cell(s, "trail") == trail and cell(s, "p1.purse") == (1 if first == "sell -1" else 0)


def test_at_once_with_while_asks_and_applies_as_long_as_it_holds() -> None:
    # 12: `while` is read before each pass, before a question and before an answer is applied; it ends the loop.
    text = (
        BASE
        + """
phase game
    set row_1.level to 3
    for every p in seats: gain 3 coin by p
    for every p in seats at once while p is not p3 and row_1.level > 0
        choose number k in 0..p.purse by p
        set row_1.level to row_1.level - k
        do note(k)
    do note(9)
"""
    )
    s = answer_all(start(text, seats=(3, 3)), "2")
    assert question(s) == "p2: game.k" and cell(s, "trail") == 0  # nothing is applied, so the second is asked
    answer_all(s, "1")
    assert s.over and cell(s, "trail") == 219  # the third is not asked
    s = answer_all(start(text, seats=(3, 3)), "3", "1")
    assert s.over and cell(s, "trail") == 39  # the first used up all: the second's answer is left


def test_open_to_with_a_choice_of_its_own() -> None:
    # 12: the body is one `offer` or `choose` by the member.
    s = start(
        BASE
        + """
phase game
    for every p in seats: gain 2 coin by p
    open to p in seats
        choose one by p or decline
            case give_up where p.purse > 0
                lose 1 coin by p
                do note(1)
            case cry: do note(2)
    do note(9)
"""
    )
    rw.answer(s, "cry", "p2")
    rw.answer(s, "give_up", "p2")
    rw.answer(s, "give_up", "p2")
    assert s.decision is not None and list(s.decision.open_seats) == [1, 2]
    with_cry = rw.explain(s, "give_up", "p2")
    assert [r.seen for r in with_cry] == [(("p.purse", "0"),)]
    rw.answer(s, "decline", "p2")
    rw.answer(s, "decline", "p1")
    assert s.over and cell(s, "trail") == 2119


SPELLS = """
kind Seat
    zone hand: Spell
kind Spell: 3
zone pile: Spell ordered
action answer_(q: Seat, c: Spell) of answers
    require c in q.hand
    move c to pile
phase game
    move spell_1 to p1.hand
    move spell_2 to p2.hand
    open to q in seats where size(q.hand) > 0 and size(pile) < 3: offer answers by q or decline
"""


def test_the_where_of_open_to_is_tested_again_before_each_answer() -> None:
    # 12: who has nothing left to answer with is not asked; who comes to have something is.
    s = start(SPELLS, seats=(2, 2))
    assert s.decision is not None and list(s.decision.open_seats) == [1, 2]
    rw.answer(s, "answer_ spell_2", "p2")
    assert s.decision is not None and list(s.decision.open_seats) == [1]
    rw.answer(s, "answer_ spell_1", "p1")
    assert s.over
    # an answer gives somebody who had none something to answer with
    late = SPELLS.replace("    move c to pile\n", "    move c to pile\n    move spell_3 to next(q).hand\n")
    s = start(late.replace("    move spell_2 to p2.hand\n", ""), seats=(2, 2))
    assert s.decision is not None and list(s.decision.open_seats) == [1]
    rw.answer(s, "answer_ spell_1", "p1")
    assert s.decision is not None and list(s.decision.open_seats) == [2]
    rw.answer(s, "decline", "p2")
    assert s.over
    for text in (SPELLS, late):
        for seed in range(4):
            played(text, seed=seed)


BAZAAR = """
action take(p: Seat, n: 1..2) of bazaar
    require p.purse + n < 40
    gain n coin by p
value patience(p: Seat): int = 2 if p is p1 else 1
phase game
"""


def test_a_bound_of_open_to_for_each_member_counts_answers_other_than_declining() -> None:
    # 12: p2 has one answer and is out after it; p1 has two, and his declining does not use one up.
    s = start(BASE + BAZAAR + "    open to p in seats at most patience(p) per p: offer bazaar by p or decline")
    rw.answer(s, "decline", "p1")
    rw.answer(s, "take 2", "p2")
    assert s.decision is not None and list(s.decision.open_seats) == [1]
    rw.answer(s, "take 1", "p1")
    assert list(s.decision.open_seats) == [1]
    rw.answer(s, "take 1", "p1")
    assert s.over and (cell(s, "p1.purse"), cell(s, "p2.purse")) == (2, 2)


def test_a_bound_of_open_to_for_all_together_ends_the_loop() -> None:
    # 12: the third answer is the last, whoever gives it; with both bounds p2 is out after two.
    s = start(BASE + BAZAAR + "    open to p in seats at most 3 at most 2 per p: offer bazaar by p or decline")
    rw.answer(s, "take 1", "p2")
    rw.answer(s, "take 1", "p2")
    assert s.decision is not None and list(s.decision.open_seats) == [1]
    rw.answer(s, "take 2", "p1")
    assert s.over and (cell(s, "p1.purse"), cell(s, "p2.purse")) == (2, 2)


def test_a_bounded_open_to_needs_no_limit() -> None:
    # 12: the limit of the ruleset is for loops without a bound; none of these seats may answer at all.
    text = BASE + BAZAAR + "    open to p in seats at most {} per p: offer bazaar by p or decline"
    s = start(text.format(3), manifest="limits: {open_to: 2}")
    answer_all(s, *["take 1"] * 6)
    assert s.over and (cell(s, "p1.purse"), cell(s, "p2.purse")) == (3, 3)
    assert start(text.format("p.purse")).over


def test_open_to_ends_at_its_limit() -> None:
    # 12: at the limit it counts as declined.
    s = start(
        BASE
        + """
action take(p: Seat) of bazaar: gain 1 coin by p
phase game
    open to p in seats: offer bazaar by p or decline
    do note(1)
""",
        manifest="limits: {open_to: 3}",
    )
    answer_all(s, "take", "take", "take")
    assert s.over and cell(s, "trail") == 1
