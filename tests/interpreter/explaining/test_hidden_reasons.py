"""Reasons tell their reader nothing that it may not see, whatever the answer is."""

from __future__ import annotations

import interpreter as rw
from tests.concepts.play import start

TWO_CARDS = ("card_1", "card_2")
SECRETS = """
kind Card: 4
zone box: Card seen by nobody
kind Seat
    zone hand: Card seen by owner
    field secret: 0..9 seen by owner
"""
DEAL = """
phase game
    for every c in Card: move c to box
    for every p in seats
        random c in box
        move c to p.hand
        random number n in 1..2 seen by p
        set p.secret to n
"""


def dealt(body: str, first: str = "card_1", more: str = "") -> rw.State:
    """A game in which p1 was dealt this card."""
    return start(SECRETS + more + DEAL + body, seats=(2, 2), script=[first, 1, "card_4", 2], checked=False)


def texts(reasons: list[rw.Reason]) -> list[str]:
    return [r.line() for r in reasons]


def test_a_guard_that_reads_only_how_much_is_hidden_does_not_show_what() -> None:
    more = """
action steal(p: Seat) of acts
    require no p1.hand because "it is full"
action wait(p: Seat) of acts
    set p.secret to 1
"""
    found = [texts(rw.explain(dealt("    offer acts by p2 or decline\n", c, more), "steal", seat=2)) for c in TWO_CARDS]
    assert found[0] == found[1] == ["it is full (`no p1.hand` is false)"]


def test_a_demand_further_on_shows_what_its_reader_sees_alone() -> None:
    more = """
action steal(p: Seat) of acts
    choose some cs in p.hand at most 1
    for every q in seats: require no q.hand because "it is full"
action wait(p: Seat) of acts
    set p.secret to 1
"""
    found = [texts(rw.explain(dealt("    offer acts by p2 or decline\n", c, more), "steal", seat=2)) for c in TWO_CARDS]
    assert found[0] == found[1] == ["it is full (`no q.hand` is false)"]


def test_others_are_not_told_whether_a_question_could_be_declined() -> None:
    ask = "    choose c in p1.hand where c is card_1 by p1 if any\n"
    found = [texts(rw.explain(dealt(ask, card), "decline", seat=2)) for card in TWO_CARDS]
    assert found[0] == found[1] == ["hidden"]
    assert [texts(rw.explain(dealt(ask, card), "decline", seat=1)) for card in TWO_CARDS][1] == []


def test_others_are_not_told_whether_an_action_at_any_moment_is_possible() -> None:
    more = "action shout(p: Seat) at any moment where card_1 in p.hand\n    set p.secret to 3\n"
    ask = "    choose number n in 1..2 by p2\n    set p2.secret to n\n"
    found = [texts(rw.explain(dealt(ask, card, more), "shout", who=1, seat=2)) for card in TWO_CARDS]
    assert found[0] == found[1] == ["hidden"]
    assert [len(rw.explain(dealt(ask, card, more), "shout", who=1, seat=1)) for card in TWO_CARDS] == [0, 1]


PARTS = """
value may_steal(p: Seat): bool = p.secret > 1 and openly(p1.secret < 1)
action steal(p: Seat) of acts
    require may_steal(p)
action wait(p: Seat) of acts
    set p.secret to 1
"""


def words(state: rw.State, answer: str, seat: int) -> list[str]:
    return [state.game.texts.render("en", r.message) for r in rw.explain(state, answer, seat=seat)]


def test_a_part_of_a_condition_that_reads_what_is_hidden_is_not_taken_apart() -> None:
    """What p2 sees of the condition holds, so the rest does not: that is no news, but its number would be."""
    state = dealt("    offer acts by p2 or decline\n", "card_1", PARTS)
    assert not any("secret of p1" in text for text in words(state, "steal", 2))
    own = dealt("    set p2.secret to 0\n    offer acts by p2 or decline\n", "card_1", PARTS)
    assert words(own, "steal", 2) == ["your secret is 0, and must be more than 1"]


def test_a_search_for_what_fails_ends_where_the_reader_may_not_look() -> None:
    more = """
value any_rich(p: Seat): bool = openly(any(q in seats: q.secret > 5))
action steal(p: Seat) of acts
    require any_rich(p)
action wait(p: Seat) of acts
    set p.secret to 1
"""
    found = [words(dealt("    offer acts by p2 or decline\n", c, more), "steal", 2) for c in TWO_CARDS]
    assert found[0] == found[1] and not any("is 1" in text or "is 2" in text for text in found[0])
