"""The three grades of plans (docs/manual/11-plans.md): carried guards say the same as tries, in every position of
random games."""

from __future__ import annotations

from random import Random

import pytest

import interpreter as rw
from dsl.elaborate.declarations import plans, sites
from tests.concepts.play import game, options

MARKET = """
enum Cause: price
ranked enum Good: apple, bread, cake
ranked enum Size: small, large
piece coin
piece item by Good each 3 from shelf
zone shelf: item
kind Seat
    zone purse: coin
    zone bag: item
    zone hand: Card
    field days: 0..9
    field debt: 0..9
kind Card: 5
    field used: bool
zone deck: Card
zone pile: Card
value cost(g: Good, s: Size): int = g.rank * s.rank
value near(a: Good, b: Good): bool = a is not b or days_left > 3
value days_left: int = 9 - p1.days
"""
ACTIONS = {
    # a payment that depends on the choice before it
    "buy": ("nested guards", "choose g in Good where shelf[g] > 0\n    pay cost(g, small) coin as price\n"),
    # two choices, tied together by a demand
    "pair": (
        "nested guards",
        "choose g in Good\n    choose s in Size\n    require cost(g, s) <= p.purse\n    require near(g, cake)\n"
        "    move 1 item[g] from shelf to p.bag\n",
    ),
    # a number, and a demand behind a change that has nothing to do with it
    "lend": (
        "nested guards",
        "require p.days < 9\n    choose number n in 1..4\n    set p.debt to n\n"
        "    move n coin from p.purse to p2.purse\n",
    ),
    # a number up to what lies in a zone: there are three of each, so three answers are looked through
    "load": ("nested guards", "choose number n in 1..shelf[apple]\n    move n item[apple] from shelf to p.bag\n"),
    # both names of one choice
    "drop": (
        "nested guards",
        "choose g in Good, h in Good where g is not h\n    require p.bag[g] > p2.bag[h]\n"
        "    move 1 item[g] from p.bag to shelf\n",
    ),
    # the second move takes from where the first has put something
    "swap": (
        "tries",
        "choose g in Good, h in Good where g is not h\n    move 1 item[g] from p.bag to shelf\n"
        "    move 1 item[h] from shelf to p.bag\n",
    ),
    # the choice is empty where nothing lies there; what follows can be declined
    "play": (
        "nested guards",
        "choose c in p.hand\n    move c to pile\n    choose d in deck or decline\n    move d to p.hand\n",
    ),
    # keys: only the best may be chosen
    "best": (
        "tries",
        "choose g in Good where p.bag[g] > 0 with highest cost(g, small)\n    pay cost(g, large) coin as price\n",
    ),
    # what is demanded reads what was written since
    "late": (
        "tries",
        "choose n in 0..1\n    set p.days to min(9, p.days + n)\n    require div_down(p.days, 2) * 2 > p.purse\n",
    ),
    # somebody else is asked: what lies behind does not forbid it
    "ask": ("tries", "choose g in Good by p2\n    lose g.rank coin by p2\n"),
    # an order is tried; what it waives or changes does not matter to the same action in the menu
    "coupon": ("tries", "perform buy(p) without price\n"),
    "bargain": ("tries", "perform buy(p) with cost by -1\n"),
    # too many answers together
    "guess": ("tries", "choose n in 1..20\n    choose k in 1..20\n    require n * k is 5 * p.purse + 3\n"),
}
REST = """
action rest(p: Seat) of market
    set p.days to min(9, p.days + 1)
    gain 1 coin by p
    choose c in deck if any
    move c to p.hand
phase game
    for every c in Card: move c to deck
    gain 2 coin by p1
    repeat while p1.days < 9
        offer market by p1
"""


def rules() -> str:
    day = "    set p.days to min(9, p.days + 1)\n"
    return MARKET + "".join(f"action {n}(p: Seat) of market\n    {b}{day}" for n, (_, b) in ACTIONS.items()) + REST


def test_the_grades_of_actions() -> None:
    grades = {name: grade for name, grade, _ in game(rules()).program.plans}
    assert {name: grades[name] for name in ACTIONS} == {name: grade for name, (grade, _) in ACTIONS.items()}


@pytest.mark.parametrize("seed", range(6))
def test_carried_guards_say_what_tries_say(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    carried = game(rules())
    monkeypatch.setattr(plans, "CARRY", False)
    tried = game(rules())
    assert {grade for name, grade, _ in tried.program.plans if name in ACTIONS} == {"tries"}
    chance = Random(seed)
    one, other = carried.new(auto=False), tried.new(auto=False)
    seen: set[str] = set()
    for _ in range(60):
        if one.over:
            break
        assert options(one) == options(other)
        seen |= {words.partition(" ")[0] for words in options(one)}
        taken = chance.choice(options(one))
        for state in (one, other):
            rw.apply(state, next(o for o in rw.legal(state) if " ".join(o.ids) == taken))
    assert one.over == other.over and len(seen & ACTIONS.keys()) > 3


LATER = """
kind Tree: 3
    field owner: Seat or none
zone deck: Card
zone pile: Card
zone slot: Card max 1
kind Card: 4
piece coin
kind Seat
    field days: 0..9
    zone purse: coin
action free(p: Seat) of chores
    choose some cs in deck at most 2 by p if any
    move cs to pile
    choose t in Tree where t.owner is none by p if any
    set t.owner to p
action broke(p: Seat) of chores
    choose t in Tree by p
    pay 2 coin
action twice(p: Seat) of chores
    choose t in Tree by p
    choose c in slot by p
    move c to pile
action inner(p: Seat) of chores
    choose t in Tree by p if any
    set t.owner to none
action outer(p: Seat) of chores
    perform inner(p)
    pay 1 coin
phase game
    for every c in Card: move c to deck
    gain 2 coin by p1
    repeat while p1.days < 9
        offer chores by p1
        set p1.days to p1.days + 1
"""
UNSEEN = """
action full(p: Seat) of chores
    choose c in pile by p
    move c to slot
action bare(p: Seat) of chores
    choose t in Tree by p
    move first(c in deck where t.owner is not none) to pile
"""
"""Actions after whose choices nothing can fail (`free`), or something can: a payment, a compulsory choice, what follows
where another action orders it, and in `UNSEEN` a full zone and `first` of nothing."""


def test_answers_are_tried_only_where_something_may_fail_later() -> None:
    later = game(LATER + UNSEEN)
    tried = {site.address: site.filter for site in later.program.sites if "." in site.address and site.shape}
    assert {address for address, wanted in tried.items() if not wanted and not address.startswith("game")} == {
        "free.cs", "free.t", "twice.c",
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_what_is_not_tried_could_not_have_failed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every position of random games the same is offered as when all answers of actions are tried."""
    one = game(LATER).new(auto=False)
    monkeypatch.setattr(sites, "may_fail_later", lambda *_: True)
    other = game(LATER).new(auto=False)
    assert all(site.filter for site in other.game.program.sites if site.address.startswith("free."))
    chance = Random(seed)
    for _ in range(40):
        if one.over:
            break
        assert options(one) == options(other)
        taken = chance.choice(options(one))
        for state in (one, other):
            rw.apply(state, next(o for o in rw.legal(state) if " ".join(o.ids) == taken))
    assert one.over == other.over
