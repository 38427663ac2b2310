"""What all see of things that lie face down (docs/manual/16-knowledge.md): the top of a pile, and the backs."""

from __future__ import annotations

from random import Random

import pytest

import interpreter as rw
from dsl.shows.spec import ShowSpec
from interpreter.play.undo import reveals
from interpreter.records.ruling import run_rulings
from tests.concepts.play import answer_all, cell, errors, game, learns, options, play_on_both, start
from tools.shows.presenter import Presenter
from tools.shows.words import show_text

PILE = """
kind Card: 5
    field comet: bool
kind Seat
    zone hand: Card seen by owner
    zone open: Card
    field moves: 0..99
zone deck: Card ordered seen by nobody top seen by all
zone lower: Card ordered seen by nobody
value judge(p: Seat): bool = p is p2
zone shown: Card ordered seen by nobody top seen by judge
procedure fill()
    for every c in Card: move c to lower
    shuffle lower
    for every c in lower: move c to deck
"""


def deck(state: rw.State, seat: int | None) -> dict[str, object]:
    found = rw.view(state, seat)["state"]["deck"]
    assert isinstance(found, dict)
    return found


def test_the_thing_on_top_is_known_and_the_rest_is_not() -> None:
    s = start(
        PILE
        + """
phase game
    do fill()
    choose n in 1..2 by p1
    move front(deck) to p1.hand
    choose n in 1..2 by p1
    move first(c in p1.hand) to deck at top
    choose n in 1..2 by p1
    move front(deck) to deck at bottom
    choose n in 1..2 by p1
    shuffle deck
    choose n in 1..2 by p1
""",
        seed=4,
    )
    order = cell(s, "deck")
    first, second, third = order[:3]
    # Each card came on top of an empty deck or below another one, so only the first was ever seen.
    for seat in (None, 1, 2):
        assert deck(s, seat) == {"hidden": 5, "known": [first], "top": first}
    answer_all(s, "1")  # the one below is on top now; all have seen what went into the hand
    assert deck(s, 2) == {"hidden": 4, "known": [second], "top": second}
    assert rw.view(s, 2)["state"]["Seat.hand"]["p1"] == {"hidden": 1, "known": [first]}
    answer_all(s, "1")
    assert deck(s, 2) == {"hidden": 5, "known": sorted([first, second]), "top": first}
    answer_all(s, "1")
    assert deck(s, 2) == {"hidden": 5, "known": sorted([first, second]), "top": second}
    answer_all(s, "1")  # a shuffle ends what was known, but the new top lies there for all to see
    top = cell(s, "deck")[0]
    assert deck(s, 1) == deck(s, None) == {"hidden": 5, "known": [top], "top": top}
    assert third in cell(s, "deck")


def test_the_top_may_be_seen_by_some() -> None:
    s = start(
        PILE
        + """
phase game
    do fill()
    for every c in deck: move c to shown
    shuffle shown
    choose n in 1..2 by p1
""",
        seed=2,
    )
    top = cell(s, "shown")[0]
    shown = {seat: rw.view(s, seat)["state"]["shown"] for seat in (1, 2, None)}
    assert shown[2]["top"] == top and top in shown[2]["known"]
    assert shown[None] == {"hidden": 5} and "top" not in shown[1]


def test_choices_and_requirements_may_read_the_top_and_no_more() -> None:
    rules = (
        PILE
        + """
action take(p: Seat) of deals
    require size(deck) > 0 and not first(c in deck).comet because "a comet lies there"
    move front(deck) to p.open
action wait(p: Seat) of deals: set p.moves to p.moves + 1
phase game
    set card_1.comet to true
    do fill()
    for every p in {p1, p2}: offer deals by p
"""
    )
    for seed in range(6):
        s = start(rules, seed=seed)
        assert ("take" in options(s)) == (cell(s, "deck")[0] != "card_1")
    assert [d.code for d in errors(rules.replace("first(c in deck).comet", "last(deck).comet"))] != []
    below = rules.replace("not first(c in deck).comet", "any(c in deck where c.comet)")
    assert {d.code for d in errors(below)} == {"RW1210"}
    without = rules.replace(" top seen by all", "")
    assert {d.code for d in errors(without)} == {"RW1210"}


def test_a_draw_that_lays_open_the_next_one_cannot_be_tried() -> None:
    """What `take` would bring to light is not told by a preview, nor taken back."""
    rules = (
        PILE
        + """
action take(p: Seat) of deals: move front(deck) to p.open
action wait(p: Seat) of deals: set p.moves to p.moves + 1
phase game
    do fill()
    for every p in {p1, p2}: offer deals by p
"""
    )
    s = start(rules, seed=1)
    assert {o.ids[0]: learns(s, o) for o in rw.legal(s)} == {"take": True, "wait": False}
    before = rw.copy(s)
    answer_all(s, "take")
    assert reveals(before, s)


def test_a_position_shows_the_top() -> None:
    made = game(
        PILE
        + """
position laid
    given
        seats: 2
        deck: card_3, card_1
ruling seen "the top is known, the rest is not"
    given laid
    when: do game()
    expect
        known card_3 to seats
        hidden card_1 to p1
        known front(deck) to p2
phase game: choose n in 1..2 by p1
""",
        seats=(2, 2),
    )
    assert [str(f) for r in run_rulings(made, ()) for f in r.failures] == []


BACKS = """
kind Event
    const age: 1..3 on back
    const worth: 0..9
kind Lore
    const age: 1..3 on back
kind Both: Event, Lore
card flood "Flood": Event
    age: 1
    worth: 4
card fire "Fire": Event
    age: 2
    worth: 7
card storm "Storm": Event
    age: 2
    worth: 1
card saga "Saga": Lore
    age: 3
zone future: Event ordered seen by nobody
zone mixed: Both seen by nobody
kind Seat
    zone hand: Event seen by owner
    zone open: Event
    zone down: Event max 1 seen by owner
value held(p: Seat, a: 1..3): int = count(c in p.hand where c.age is a)
value oldest(p: Seat): int = max(c in p.hand: c.age)
"""


def test_views_show_the_backs_of_what_is_hidden() -> None:
    s = start(
        BACKS
        + """
phase game
    move storm to future
    move flood to future
    move fire to p1.hand
    move saga to mixed
    choose n in 1..2 by p1
""",
    )
    shown = rw.view(s, 2)["state"]
    assert shown["future"]["backs"] == [{"age": 2}, {"age": 1}]  # in its order
    assert shown["Seat.hand"]["p1"]["backs"] == [{"age": 2}] and shown["Seat.hand"]["p2"] == []
    assert shown["mixed"]["backs"] == [{"age": 3}]
    mine = rw.view(s, 1)["state"]["Seat.hand"]["p1"]
    assert mine == ["fire"]
    board = Presenter(s, 2, "en")
    assert show_text(board, ShowSpec("hand"), s.game.things["p1"]).plain.split(":")[0] == "hidden (1) [2]"
    assert show_text(board, ShowSpec("future")).plain.split(":")[0] == "hidden (2) [2, 1]"


def test_backs_may_decide_what_is_offered_to_others() -> None:
    rules = (
        BACKS
        + """
action steal(p: Seat, q: Seat, a: 1..3) of deals
    require q is not p and held(q, a) > 0 because "no such back is there"
    random c in q.hand where c.age is a
    move c to p.open
action pass(p: Seat) of deals: do nothing_more()
procedure nothing_more(): shuffle future
phase game
    move flood to p2.hand
    move fire to p2.hand
    move storm to p2.down
    offer deals by p1
    choose n in 1..2 by p1 where p2.down is not none and p2.down.age is 2 or n is 1
    choose n in 1..2 by p1 where oldest(p2) > 1 or n is 1
"""
    )
    s = start(rules)
    assert options(s) == ["steal p2 1", "steal p2 2", "pass"]
    answer_all(s, "steal p2 1")
    assert cell(s, "p1.open") == ["flood"] and options(s) == ["1", "2"]
    answer_all(s, "2")
    assert options(s) == ["1", "2"]
    assert {d.code for d in errors(rules.replace("on back", ""))} == {"RW1210"}
    face = rules.replace("count(c in p.hand where c.age is a)", "count(c in p.hand where c.worth > a)")
    assert {d.code for d in errors(face)} == {"RW1210"}
    mixed = rules.replace(
        "count(c in p.hand where c.age is a)", "count(c in p.hand where c.age is a and c is not fire)"
    )
    assert {d.code for d in errors(mixed)} == {"RW1210"}


def test_both_back_ends_agree_on_what_is_known() -> None:
    program = game(
        PILE
        + """
phase game
    do fill()
    for every p in ranked(p in seats with highest p is p1)
        repeat while p.moves < 4
            choose one by p
                case draw where size(deck) > 0: move front(deck) to p.hand
                case top(c: Card) where c in p.hand: move c to deck at top
                case under(c: Card) where c in p.hand: move c to deck at bottom
                case mix: shuffle deck
                case sink where size(deck) > 0: move front(deck) to lower at top
                case lift where size(lower) > 0: move front(lower) to deck
            if size(deck) > 2
                random c in deck
                move c to p.open
            set p.moves to p.moves + 1
""",
        seats=(2, 2),
    ).program
    for seed in range(12):
        play_on_both(program, seed)


def test_a_view_never_knows_less_than_the_top_in_any_game() -> None:
    s = start(
        PILE
        + """
phase game
    do fill()
    for every p in seats
        repeat while p.moves < 5
            choose one by p
                case draw where size(deck) > 0: move front(deck) to p.hand
                case top(c: Card) where c in p.hand: move c to deck at top
                case mix: shuffle deck
            set p.moves to p.moves + 1
""",
        seed=9,
    )
    draw = Random(2)
    while not s.over:
        for seat in (1, 2, None):
            shown = deck(s, seat)
            order = cell(s, "deck")
            assert shown.get("top") == (order[0] if order else None)
            assert not order or order[0] in shown["known"]  # type: ignore[operator]
        rw.apply(s, draw.choice(rw.legal(s)))


OWN = """
kind Card: 6
    field comet: bool
kind Seat
    zone pile: Card ordered seen by nobody top seen by WHO
    field moves: 0..99
zone box: Card ordered seen by nobody
value mine(q: Seat, p: Seat): bool = q is p
action take(p: Seat) of deals
    require first(c in p.pile).comet because "no comet lies there"
    move front(p.pile) to box
action wait(p: Seat) of deals: set p.moves to p.moves + 1
phase game
    for every c in {card_1, card_2}: set c.comet to true
    for every c in Card: move c to box
    shuffle box
    for every p in seats
        move front(box) to p.pile
        move front(box) to p.pile
        shuffle p.pile
    for every p in seats: offer deals by p
"""


def test_an_action_may_demand_something_of_the_top_that_its_owner_sees() -> None:
    for seed in range(6):
        s = start(OWN.replace("WHO", "owner"), seats=(2, 2), seed=seed, auto=False)
        top = cell(s, "p1.pile")[0]
        assert ("take" in options(s)) == (top in ("card_1", "card_2"))
        if "take" not in options(s):
            told = {seat: str(rw.explain(s, "take", "p1", seat=seat)) for seat in (1, 2)}
            assert "no comet lies there" in told[1] and "no comet lies there" not in told[2]


@pytest.mark.parametrize("who", ["owner", "mine"])
def test_a_choice_may_read_the_top_that_the_one_who_is_asked_sees(who: str) -> None:
    rules = OWN.replace("WHO", who).replace(
        "for every p in seats: offer deals by p",
        "for every p in seats: choose n in 1..2 by p where first(c in p.pile).comet or n is 1",
    )
    rules = rules[: rules.index("action take")] + rules[rules.index("phase game") :]
    for seed in range(6):
        s = start(rules, seats=(2, 2), seed=seed, auto=False)
        top = cell(s, "p1.pile")[0]
        assert (options(s) == ["1", "2"]) == (top in ("card_1", "card_2"))
        views = [rw.view(s, seat)["state"]["Seat.pile"]["p1"] for seat in (1, 2, None)]
        assert [v.get("top") for v in views] == [top, None, None]


def test_a_choice_may_not_read_the_top_that_another_sees() -> None:
    rules = OWN.replace("WHO", "owner").replace("first(c in p.pile)", "first(c in p2.pile)")
    assert {d.code for d in errors(rules)} == {"RW1210"}
