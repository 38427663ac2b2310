"""The point of no return: what has told something may not be taken back, and is not shown before it is chosen."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, learns, start
from tools.table.preview import Preview, preview

HEAD = """
piece coin
piece gem
kind Card: 4
zone box: Card seen by nobody
zone pile: Card
field found: 0..9
kind Seat
    zone hand: Card seen by owner
    zone shelf: Card seen by owner
    zone safe: gem seen by owner
    zone purse: coin
    field secret: 0..9 seen by owner
value rich(p: Seat): bool = p.safe > 1
"""
DEAL = """
phase game
    for every c in Card: move c to box
    for every p in seats
        random c in box
        move c to p.hand
    gain 2 gem by p2
    set p2.secret to 3
"""
LAST = "    choose number last in 1..2 by p1\n    set found to last\n"
DISPLAY = {"display.yaml": "preview: [purse, found, hand, shelf]\n"}


def play(body: str) -> rw.State:
    return start(HEAD + DEAL + body + LAST, DISPLAY, seats=(2, 2), script=["card_1", "card_2"])


def tried(state: rw.State, words: str) -> list[str] | None:
    """What `try` shows; None if it can only say that chance or something hidden decides."""
    option = next(o for o in rw.legal(state) if " ".join(o.ids) == words)
    found = preview(state, option, "en")
    return [line.plain.strip() for line in found.lines] if found.lines or found.whole else None


def is_final(state: rw.State, words: str) -> bool:
    """Whether an answer cannot be taken back."""
    before = rw.copy(state)
    answer_all(state, words)
    return rw.reveals(before, state)


GUESS = "    choose number n in 2..3 by p1\n    if openly(p2.secret is n): gain 1 coin by p1\n"


@pytest.mark.parametrize("guess", ["2", "3"])
def test_a_guess_is_not_tried_first_and_not_taken_back(guess: str) -> None:
    state = play(GUESS)
    assert tried(state, guess) is None
    assert is_final(state, guess)


def test_what_one_sees_may_be_tried_and_taken_back() -> None:
    state = play("    choose number n in 2..3 by p1\n    if some p1.hand and n is 3: gain 1 coin by p1\n")
    assert tried(state, "3") == ["p1 purse: 0 -> 1"] and tried(state, "2") == []
    assert not is_final(state, "3")


def test_the_place_from_where_a_named_thing_is_taken_is_told_by_taking_it() -> None:
    state = play("    choose c in Card by p1\n    move c to p1.shelf\n")
    assert tried(state, "card_2") is None and tried(state, "card_3") is None
    assert tried(state, "card_1") == ["p1 hand: card_1 ->", "p1 shelf:  -> card_1"]
    assert is_final(rw.copy(state), "card_2") and not is_final(state, "card_1")


def test_pieces_of_another_seat_that_may_be_missing_tell_how_many_there_were() -> None:
    body = "    choose number n in 1..3 by p1\n    lose n gem by {0}\n"
    assert is_final(play(body.format("p2")), "3")
    assert not is_final(play(body.format("p1")), "3")


def test_a_fault_at_what_is_hidden_is_not_tried_first() -> None:
    state = play("    choose number n in 1..2 by p1\n    choose c in p2.hand where n is 2 by p2\n    move c to pile\n")
    (wrong, right) = rw.legal(state)
    assert preview(state, wrong, "en") == Preview((), False) and learns(state, wrong)
    state = play("    choose number n in 1..2 by p1\n    choose c in pile where n is 2 by p2\n    move c to box\n")
    with pytest.raises(rw.RulesetError, match="dead end"):
        preview(state, rw.legal(state)[0], "en")


def test_the_last_answer_of_a_round_is_final_since_it_lays_the_others_open() -> None:
    state = play("    for every q in seats at once\n        choose number n in 1..2 by q\n        gain n coin by q\n")
    answer_all(state, "p1 2")
    assert state.decision is not None and state.decision.seat == 2
    before = rw.copy(state)
    answer_all(state, "p2 1")
    assert rw.reveals(before, state)
    one, other = (answer_all(play(SEALED), f"p1 {n}") for n in (1, 2))
    assert tried(one, "1") is None and tried(other, "1") is None
    (first,) = (option for option in rw.legal(one) if option.ids == ("1",))
    after = rw.apply(rw.copy(one), first)
    assert after.over and rw.reveals(one, after), "nobody else is asked, but the bid of the other is laid open"


SEALED = (
    "    for every q in seats at once\n        choose number n in 1..2 by q\n        set found to n\n    stop game\n"
)


def test_the_next_round_of_the_same_loop_is_another_one() -> None:
    body = (
        "    for every p in seats\n        for every q in seats where q is p at once\n"
        "            choose number n in 1..2 by q\n            set q.secret to n\n"
    )
    assert is_final(play(body), "1"), "p2, who sees secrets of its own, is asked next"


def test_without_a_watched_value_all_that_is_put_moved_and_set_is_told() -> None:
    body = (
        "    choose c in p1.hand by p1\n    move c to pile\n    gain 2 coin by p1\n    set found to 4\n"
        "    set p2.secret to 7\n    choose number k in 1..2 by p2\n    set found to k\n"
    )
    state = start(HEAD + DEAL + body + LAST, seats=(2, 2), script=["card_1", "card_2"], auto=False)
    assert tried(state, "card_1") == [
        "found: 0 -> 4",
        "pile: none -> card_1",
        "p1 hand: card_1 -> none",
        "p1 purse: 0 -> 2",
    ]


def test_what_comes_before_chance_or_something_hidden_is_told() -> None:
    before = "    choose number n in 1..2 by p1\n    gain n coin by p1\n"
    chance = "    random number r in 1..6\n    set found to r\n"
    hidden = "    if openly(p2.secret is 3): gain 1 coin by p1\n    gain 3 coin by p1\n"
    unknown = "    random c in box\n    move c to p1.shelf\n"
    shown = "    show set(c in Card) to seats\n    gain 3 coin by p1\n"
    for rest in (chance, hidden, unknown, shown):
        state = play(before + rest)
        found = preview(state, rw.legal(state)[1], "en")
        assert ([line.plain.strip() for line in found.lines], found.whole) == (["p1 purse: 0 -> 2"], False)


SIGHT = """
kind Card: 6
zone box: Card seen by nobody
zone vault: Card seen by keeper
kind Seat
    field secret: 0..9 seen by reader
field guard: Seat = p2
value keeper(p: Seat): bool = p is guard
value reader(p: Seat, q: Seat): bool = q is guard
phase game
    {hide}
    choose number n in 0..1 by p1
    if n is 1: set guard to p1
    choose number m in 0..1 by p1
"""
HIDE = {
    "a zone": "for every c in Card: move c to box\n    random c in box\n    move c to vault",
    "a field": "random number k in 3..9 seen by p2\n    set p2.secret to k",
}


@pytest.mark.parametrize("what", HIDE)
def test_who_comes_to_see_more_has_learnt_something(what: str) -> None:
    """Whom a predicate lets see has changed: the answer is not taken back, and not told before."""
    after = start(SIGHT.replace("{hide}", HIDE[what]), seats=(2, 2))
    before = rw.copy(after)
    rw.apply(after, rw.legal(after)[1])
    assert rw.view(before, 1) != rw.view(after, 1) and rw.reveals(before, after)
    found = preview(before, rw.legal(before)[1], "en")
    assert (found.lines, found.whole) == ((), False)
    assert not rw.reveals(before, left_as_it_is(before))


def left_as_it_is(state: rw.State) -> rw.State:
    other = rw.copy(state)
    rw.apply(other, rw.legal(other)[0])
    return other


def test_nobody_else_is_told_why_a_secret_answer_does_not_go_on() -> None:
    """What was answered so far decides it, and only its giver knows that."""
    rules = "kind Card: 6\nkind Seat\n    zone hand: Card\nphase game\n    for every c in Card: move c to p1.hand\n"
    rules += "    choose some cs in p1.hand at least 2 by p1 seen by p1\n"
    told = []
    for first in ("card_1", "card_2"):
        state = start(rules, seats=(2, 2))
        rw.apply(state, next(option for option in rw.legal(state) if option.ids == (first,)))
        told.append([[r.line() for r in rw.explain(state, word, seat=2)] for word in ("card_1", "card_2", "ready")])
        assert rw.explain(state, "ready", seat=1)[0].line() != "hidden"
    assert told[0] == told[1] == [["hidden"]] * 3
