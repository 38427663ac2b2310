"""Knowledge (docs/manual/16-knowledge.md): what the others still know after an answer that they did not see."""

from __future__ import annotations

from typing import Any

import interpreter as rw
from tests.concepts.play import answer_all
from tests.concepts.test_knowledge import DEAL, ORDER, play

SECRETLY = """
    show c1 to p2
    {choice}
    {move}
    choose n in 1..2 by p2
    do note(n)
"""
CELLAR = "zone cellar: Card seen by nobody\n"


def secretly(choice: str, words: str, move: str = "move c to cellar", seats: int = 2) -> rw.State:
    """`p1` holds c1, which `p2` was shown, and c2, and answers."""
    body = DEAL + SECRETLY.format(choice=choice, move=move)
    s = play(body, CELLAR, script=ORDER, seats=(seats, seats))
    answer_all(s, words)
    return s


def hidden_place(s: rw.State, seat: int) -> tuple[Any, Any]:
    view = rw.view(s, seat)["state"]
    return view["Seat.hand"]["p1"], view["cellar"]


def test_a_secret_answer_ends_what_others_knew_of_the_things_it_might_have_named() -> None:
    # 16: whichever card was chosen, the others read the same.
    ways = [secretly("choose c in p1.hand by p1 seen by p1", card, seats=3) for card in ("c1", "c2")]
    for s in ways:
        assert [hidden_place(s, seat) for seat in (2, 3)] == [({"hidden": 1}, {"hidden": 1})] * 2
    assert hidden_place(ways[0], 1) == (["c2"], {"hidden": 1, "known": ["c1"]})
    assert hidden_place(ways[1], 1) == (["c1"], {"hidden": 1, "known": ["c2"]})


def test_a_secret_set_ends_it_as_well() -> None:
    for card in ("c1", "c2"):
        s = secretly(
            "choose some cs in p1.hand exactly 1 by p1 seen by p1", card, move="for every c in cs: move c to cellar"
        )
        assert hidden_place(s, 2) == ({"hidden": 1}, {"hidden": 1})


def test_one_case_of_several_ends_it_as_well() -> None:
    choice = """choose one by p1 seen by p1
        case put(c: p1.hand): move c to cellar
        case wait: do note(1)"""
    s = secretly(choice, "put c1", move="do note(2)")
    assert hidden_place(s, 2) == ({"hidden": 1}, {"hidden": 1})


def test_what_is_told_or_counted_stays_known() -> None:
    # Whoever sees the answer knows it, and so does everybody where all that lay there was named.
    for choice in ("choose c in p1.hand by p1", "choose c in p1.hand by p1 seen by p2"):
        s = secretly(choice, "c1")
        assert hidden_place(s, 2) == ({"hidden": 1}, {"hidden": 1, "known": ["c1"]})
    every = "for every c in cs: move c to cellar"
    s = secretly("choose some cs in p1.hand at most 2 by p1 seen by p1", "c1 c2", move=every)
    assert hidden_place(s, 2) == ({"hidden": 0}, {"hidden": 2, "known": ["c1"]})


def test_where_only_some_could_be_named_all_of_them_being_named_is_a_secret() -> None:
    # Only c1 can be chosen, but that is no public matter: c2 stays and might have been chosen.
    choice = "choose some cs in p1.hand where cs.price is 1 by p1 seen by p1"
    s = secretly(choice, "c1", move="for every c in cs: move c to cellar")
    assert hidden_place(s, 2) == ({"hidden": 1}, {"hidden": 1})


def test_declining_in_secret_ends_nothing() -> None:
    s = secretly("choose c in p1.hand by p1 seen by p1 or decline", "decline", move="do note(2)")
    assert hidden_place(s, 2)[0] == {"hidden": 2, "known": ["c1"]}


def test_a_single_thing_that_is_shuffled_lies_where_it_lay() -> None:
    s = play(DEAL + """
    show c1 to p2
    for every c in deck: move c to vault
    move c1 to deck
    shuffle deck
    choose n in 1..2 by p2
    do note(n)
    move c2 to deck
    shuffle deck
    choose m in 1..2 by p2
    do note(m)
""", script=[*ORDER, ["c1"], ["c2", "c1"]])  # fmt: skip
    assert rw.view(s, 2)["state"]["deck"] == {"hidden": 1, "known": ["c1"]}
    answer_all(s, "1")
    assert rw.view(s, 2)["state"]["deck"] == {"hidden": 2}
