"""Plans (docs/manual/11-plans.md, 13-triggers.md and 15-purses.md): what is offered, what is possible, what may be
taken back, and what is waived."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, errors, game, options, question, start

SHOP = """
enum Cause: price, toll
enum Good: apple, bread, cake
table cost_of by Good
    apple: 1
    bread: 2
    cake: 5
piece coin
piece item by Good each 3 from shelf
zone shelf: item
option cheap: bool = false
kind Seat
    zone purse: coin
    zone bag: item
    field days: 0..9
value cost(p: Seat, g: Good): int = cost_of[g] at least 0
action buy(p: Seat, g: Good) of shopping
    require shelf[g] > 0 because "sold out"
    pay cost(p, g) coin as price
    move 1 item[g] from shelf to p.bag
action rest(p: Seat) of shopping
    require p.days < 2 because "slept enough"
    set p.days to p.days + 1
"""


def test_an_action_is_offered_only_if_its_demands_can_be_met() -> None:
    # 11: offered with all arguments whose demands up to the commit point can be met.
    s = start(SHOP + "phase game\n    gain 2 coin by p1\n    repeat while true: offer shopping by p1 or decline\n")
    assert options(s) == ["buy apple", "buy bread", "rest", "decline"]
    answer_all(s, "buy apple")
    assert options(s) == ["buy apple", "rest", "decline"]
    answer_all(s, "rest", "rest", "buy apple")
    assert cell(s, "p1.bag", "apple") == 2 and s.over


def test_a_refusal_names_the_leaf_and_its_reason() -> None:
    # 11, Explain: the false leaf of the guards; after tries the demand that failed.
    s = start(
        SHOP + "phase game\n    gain 1 coin by p1\n    move 3 item[apple] from shelf to p2.bag\n"
        "    offer shopping by p1 or decline\n"
    )
    with pytest.raises(rw.IllegalAnswer, match="sold out"):
        answer_all(s, "buy apple")
    with pytest.raises(rw.IllegalAnswer, match=r"cost\(p, g\) is 2; coin there is 1"):
        answer_all(s, "buy bread")


def test_perform_without_waives_the_payment_and_leaves_arguments_to_the_chooser() -> None:
    # 11: `any t` leaves an argument to the chooser, `without CAUSE` waives payments with that cause only.
    s = start(
        SHOP
        + """
action pass_gate(p: Seat, g: Good)
    pay 1 coin as toll
    perform buy(p, g) without price
phase game
    gain 1 coin by p1
    perform buy(p1, any g) without price where g is not bread
    perform pass_gate(p1, cake)
    perform buy(p1, cake)
    set p1.days to 7
"""
    )
    assert options(s) == ["buy apple", "buy cake"]
    answer_all(s, "buy cake")
    # the inner `without` holds for that action; the last `perform` is not possible and does nothing
    assert cell(s, "p1.bag", "cake") == 2 and cell(s, "p1.purse") == 0 and cell(s, "p1.days") == 7


def test_perform_with_changes_a_value_for_this_action_only() -> None:
    # 11: `with v by n` adds a change in v's last layer for this frame.
    s = start(
        SHOP
        + """
phase game
    gain 4 coin by p1
    perform any shopping with cost by -2 by p1
    offer shopping by p1 or decline
"""
    )
    assert options(s) == ["buy apple", "buy bread", "buy cake", "rest"]
    answer_all(s, "buy cake")
    assert cell(s, "p1.purse") == 1
    assert options(s) == ["buy apple", "rest", "decline"]


def test_possible_and_nested_possible() -> None:
    # 11: `possible` is the test as an expression; it may stand in a demand of another action.
    s = start(
        SHOP
        + """
action feast(p: Seat)
    require possible(buy(p, cake))
    perform buy(p, cake)
    pay 1 coin
phase game
    gain 5 coin by p1
    gain 6 coin by p2
    if possible(buy(p1, cake)): set p1.days to 1
    if possible(feast(p1)): set p1.days to 2
    if possible(feast(p2)): set p2.days to 3
    if possible(buy(p1, cake) without price): set p2.days to p2.days + 1
"""
    )
    assert s.over and cell(s, "p1.days") == 1 and cell(s, "p2.days") == 4
    assert cell(s, "p1.purse") == 5 and cell(s, "p2.purse") == 6


def test_a_loop_of_choices_is_offered_only_while_it_can_be_completed() -> None:
    # 11, tries: an option after which no completion exists is not offered (CIV-2 sail).
    s = start(
        SHOP
        + """
action walk(p: Seat)
    require p.days is 0
    repeat while p.days < 6
        choose number k in 2..3
        set p.days to p.days + k
    require p.days is 6
phase game
    perform walk(p1)
"""
    )
    assert options(s) == ["2", "3"]
    answer_all(s, "3")
    assert s.over and cell(s, "p1.days") == 6  # after 3 only 3 completes it, and a single answer is taken
    assert [e.kind for e in s.log] == ["choice", "auto"]


def test_plan_by_makes_a_plan_elsewhere() -> None:
    # 11: `plan by p`: the demand at its end filters the choice before it.
    s = start(
        SHOP
        + """
phase game
    gain 5 coin by p2
    plan by p2
        choose some gs in Good at least 1
        require sum(g in gs: cost_of[g]) in {3, 5}
        pay sum(g in gs: cost_of[g]) coin as price
    set p1.days to size({apple})
"""
    )
    assert question(s) == "p2: game.gs" and options(s) == ["apple", "cake"]
    answer_all(s, "apple, bread")
    assert cell(s, "p2.purse") == 2 and cell(s, "p1.days") == 1


def test_an_order_inside_plan_by_is_a_demand_and_elsewhere_it_is_skipped() -> None:
    # 11: a card whose plan orders what is not possible cannot be used; without the plan the order is skipped.
    s = start(
        SHOP
        + """
kind Card
    const worth: 0..9
card strict "Strict": Card
    worth: 3
    effect
        plan by you
            perform buy(you, bread) without price
            gain this.worth coin by you
card lax "Lax": Card
    worth: 5
    effect
        perform buy(you, bread) without price
        gain this.worth coin by you
action use(p: Seat, c: Card) of cards: do c.effect() by p
phase game
    move 2 item[bread] from shelf to p2.bag
    for every i in 1..2: offer cards by p1 or decline
"""
    )
    assert options(s) == ["use strict", "use lax", "decline"]
    answer_all(s, "use strict")
    assert cell(s, "p1.bag", "bread") == 1 and cell(s, "p1.purse") == 3
    assert options(s) == ["use lax", "decline"]
    answer_all(s, "use lax")
    assert cell(s, "p1.bag", "bread") == 1 and cell(s, "p1.purse") == 8


def test_the_commit_point_ends_the_promise() -> None:
    # 11: what comes after a chance event is not looked at; the rest happens as it can.
    s = start(
        SHOP
        + """
action gamble(p: Seat) of games
    pay 1 coin
    random number d in 1..6
    set p.days to d
action call(p: Seat) of games
    choose number k in 1..2 by p2
    set p.days to k
phase game
    gain 1 coin by p1
    repeat while p1.purse > 0 or p1.days > 3: offer games by p1 or decline
""",
        script=[5],
    )
    assert options(s) == ["gamble", "call", "decline"]
    answer_all(s, "gamble")
    assert cell(s, "p1.days") == 5 and options(s) == ["call", "decline"]
    answer_all(s, "call")
    assert question(s).startswith("p2:")


def test_demands_after_the_commit_point_are_refused_by_the_checker() -> None:
    # 11: a `require` or `pay` after such a sentence is refused, with both places.
    found = errors(
        SHOP
        + """
action late(p: Seat) of shopping
    random number d in 1..6
    require d > 3
phase game
    offer shopping by p1
"""
    )
    assert len(found) == 1 and found[0].labels


def test_a_plan_that_is_not_committed_is_hidden_from_others_and_may_be_taken_back() -> None:
    # 11: other seats' views wait for the commit point.
    s = start(
        SHOP
        + """
action order(p: Seat) of orders
    gain 1 coin
    choose g in Good
    choose h in Good where h is not g
    move 1 item[h] from shelf to p.bag
phase game
    offer orders by p1
    offer orders by p2
"""
    )
    assert question(s) == "p1: order.g" and s.plan is not None
    assert rw.view(s, 1)["state"]["Seat.purse"]["p1"] == 1
    assert rw.view(s, 2)["state"]["Seat.purse"]["p1"] == 0
    answer_all(s, "apple", "cake")
    assert rw.view(s, 1)["state"]["Seat.bag"]["p1"] == ["cake 1"]


def test_a_before_trigger_can_forbid_an_action() -> None:
    # 11: `before` triggers belong to the plan, a payment charged to a partner can forbid the action.
    s = start(
        SHOP
        + """
rule partner
    before buy(p, g) where g is apple: pay 1 coin by p2 as toll
phase game
    gain 9 coin by p1
    repeat while true: offer shopping by p1 or decline
"""
    )
    assert options(s) == ["buy bread", "buy cake", "rest", "decline"]


def test_the_limit_of_tries() -> None:
    # 11, At the limit: an undecided option is withheld while a proved one exists; checking runs make it an error.
    rules = (
        SHOP
        + """
action search(p: Seat) of games
    choose some a in shelf_things
    choose some b in shelf_things
    require size(a) * 7 + size(b) * 11 is 1
action skip(p: Seat) of games
    set p.days to 1
kind Thing: 9
zone shelf_things: Thing
phase game
    for every t in Thing: move t to shelf_things
    offer games by p1
    set p2.days to 2
"""
    )
    s = start(rules, checked=False, auto=False)
    assert options(s) == ["skip"]
    # the answer is marked for the player, and in the log; the others are not told
    assert s.decision is not None and [o.ids for o in s.decision.undecided] == [("search",)]
    assert rw.view(s, 1)["decision"]["undecided"] == [["search"]] and "undecided" not in rw.view(s, 2)["decision"]
    assert "not decided within 2000 tries" in rw.explain(s, "search")[0].line()
    s = start(rules, checked=False)
    assert s.log[0].kind == "auto" and s.log[0].undecided == ("search",)
    assert rw.log_for(s, 1) == ["p1: skip (only possibility) (not decided within 2000 tries: search)"]
    assert rw.log_for(s, 2) == rw.log_for(s, None) == ["p1: skip (only possibility)"]
    saved = rw.save(s)
    assert list(saved["log"][0]["undecided"]) == ["search"] and rw.restore(s.game, saved).log == s.log
    assert rw.replay(s.game, saved).log == s.log
    assert rw.Game(s.game.program, "reference").new().log == s.log  # both back ends withhold the same
    with pytest.raises(rw.RulesetError, match="2000 tries"):
        start(rules, checked=True)


LOANS = """
rule debts
    always for every p in seats where p.owes
        choose g in Good by p2
        set p.owes to false
action borrow(p: Seat) of loans
    set p.owes to true
    require p.owes because "only at the end"
    gain 5 coin
phase game
    offer loans by p1 or decline
    set p2.days to 4
"""  # the check asks, so that the demand comes too late


def test_a_demand_that_fails_behind_a_question_of_a_check_ends_the_action() -> None:
    # 11: where only a check asks, the test answers yes at that point; a demand that fails afterwards ends the action,
    # and checking runs report it.
    rules = SHOP.replace("    field days: 0..9\n", "    field days: 0..9\n    field owes: bool\n") + LOANS
    s = start(rules, checked=False)
    assert options(s) == ["borrow", "decline"]
    answer_all(s, "borrow")
    assert question(s).startswith("p2:")
    answer_all(s, "bread")
    assert s.over and cell(s, "p1.purse") == 0 and cell(s, "p2.days") == 4
    with pytest.raises(rw.RulesetError, match="only at the end"):
        answer_all(start(rules, checked=True), "borrow", "bread")


SCOPES = """
enum Cause: toll
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece coin
kind Seat
    zone purse: coin
value cost(p: Seat): int = 2
value dear(p: Seat): bool = cost(p) >= 4
action fly(p: Seat, n: 1..3) of trips where n < cost(p)
    do note(n)
action sail(p: Seat)
    require not dear(p)
    do note(cost(p))
action tour(p: Seat)
    require dear(p)
    perform sail(p)
    do note(cost(p))
action stay(p: Seat)
    pay 5 coin as toll
    perform leave(p)
action leave(p: Seat)
    pay 1 coin as toll
procedure holiday(p: Seat): offer trips by p
action trip(p: Seat)
    do holiday(p)
    do note(cost(p))
"""


def test_what_an_order_changes_holds_for_its_demands_too() -> None:
    # 11: `with v by n` adds a change for this frame: what the action demands sees it, by whatever detour.
    text = SCOPES + "phase game\n    perform tour(p1)\n    perform tour(p1) with cost by 3\n    perform sail(p1)\n"
    assert cell(start(text), "trail") == 25_2
    text = SCOPES + "phase game\n    do note(1 if possible(tour(p1)) else 0)\n"
    assert cell(start(text + "    do note(1 if possible(tour(p1) with cost by 2) else 0)\n"), "trail") == 1


def test_an_order_inside_another_is_not_changed_by_it() -> None:
    # 6: `with`, `without` and `where` hold for that action and what it calls, not for a further order inside it.
    s = start(SCOPES + "phase game\n    perform trip(p1) with cost by 3\n")
    assert cell(s, "trail") == 15  # one trip only is cheaper than 2
    s = start(SCOPES + "phase game\n    gain 3 coin by p1\n    perform stay(p1) without toll\n")
    assert cell(s, "p1.purse") == 2  # the 5 are waived, the 1 is not


def test_what_an_order_changes_or_waives_does_not_reach_an_offer_inside_it() -> None:
    # 11: so an offer to which no order leads is decided by guards, and one inside an order says what it says outside.
    text = (
        SHOP
        + """
action trip(p: Seat): offer shopping by p or decline
phase game
    gain 1 coin by p1
    perform trip(p1) with cost by -1 without price
    gain 4 coin by p1
    offer shopping by p1 or decline
"""
    )
    assert grades(text)["buy"] == "guards"
    s = start(text)
    assert options(s) == ["buy apple", "rest", "decline"]
    answer_all(s, "decline")
    assert options(s) == ["buy apple", "buy bread", "buy cake", "rest", "decline"]


def test_possible_looks_at_the_head_of_an_action_too() -> None:
    # 11: `possible(a(...))` is the test of an option: the `while` around it, its `where` and `once per` belong to it.
    s = start(
        SCOPES
        + """
action rest(p: Seat) where p is p2 once per game
    do note(7)
card ace "Ace": Ace
    while owner is not none
        action shine(p: Seat) where p is owner: do note(8)
kind Ace
    field owner: Seat or none
value can(p: Seat): int = (1 if possible(rest(p)) else 0) + (2 if possible(shine(p)) else 0)
phase game
    do note(can(p1))
    do note(can(p2))
    set ace.owner to p2
    do note(can(p2))
    perform rest(p2)
    do note(can(p2))
    do note(can(p1))
"""
    )
    assert cell(s, "trail") == 1_3_7_2_0


def grades(text: str) -> dict[str, str]:
    return {name: grade for name, grade, _ in game(text).program.plans}


def test_payments_are_carried_to_the_start_unless_something_hears_them() -> None:
    # 11: `pay n food` is "n can be paid"; two payments from one purse, or lines and checks that may write what a demand
    # reads, are tried. Both ways offer the same.
    text = """
enum Cause: fee
field trail: 0..99
piece coin
piece note_
piece star
kind Seat
    zone coins: coin
    zone notes: note_
    zone stars: star
    field days: 0..9
purse money(p: Seat)
    source p.coins
    source p.notes worth 5
action once_(p: Seat, n: 1..9) of shop
    pay n money as fee
    set p.days to n
action twice(p: Seat, n: 1..9) of shop
    pay n money as fee
    pay 1 money as fee
action starred(p: Seat) of shop
    pay 1 star as fee
    pay 6 money as fee
    require p.days is 0
phase game
    gain 2 coin by p1
    gain 1 note_ by p1
    gain 1 star by p1
    offer shop by p1 or decline
"""
    assert grades(text) == {"once_": "guards", "twice": "tries", "starred": "guards"}
    wanted = ["once_ 1", "once_ 2", *(f"once_ {n}" for n in range(3, 8)), "twice 1", "twice 2", "starred", "decline"]
    silent = "rule r\n    after gain(p, n, what: star): set trail to 1\n"
    heard = "rule r\n    before pay(p, n, what: money) where n is 9: pay 1 star by p\n"
    checked = "rule r\n    always for every p in seats where p.coins > 5: lose 1 coin by p\n"
    assert grades(text + silent)["once_"] == "guards"
    assert set(grades(text + heard).values()) == {"tries"}
    assert set(grades(text + checked).values()) == {"tries"}
    found = [options(start(text + more)) for more in ("", silent, heard, checked)]
    assert found[0] == found[1] == found[2] == found[3]
    assert [o for o in found[0] if not o.startswith("twice")] == [o for o in wanted if not o.startswith("twice")]


def test_lines_that_hear_an_action_belong_to_its_plan() -> None:
    # 11 and 13: what stands before or instead of an action decides with it whether it is offered.
    text = SHOP + "phase game\n    gain 9 coin by p1\n    offer shopping by p1 or decline\nrule r\n"
    forbids = "    before rest(p): pay 10 coin by p\n"
    s = start(text + forbids)
    assert options(s) == ["buy apple", "buy bread", "buy cake", "decline"]
    s = start(text.replace("gain 9", "gain 1") + "    instead of buy(p, g) where g is cake: gain 1 coin by p\n")
    assert options(s) == ["buy apple", "buy cake", "rest", "decline"]


DECLINING = """
piece coin
kind Seat
    zone purse: coin
    field n: 0..9
value points_of(p: Seat): int = p.purse
value any_cheap: bool = true
action trade(p: Seat) of market
    do look(p)
    pay 1 coin by p
    set p.n to p.n + 1
action rest(p: Seat) of market: set p.n to p.n + 1
action stay(p: Seat) of market
    do look(p)
    set p.n to p.n + 1
procedure look(p: Seat)
    choose k in 1..2 by p or decline
    gain k coin by p
phase game
    repeat while p1.n < 4: offer market by p1
"""


@pytest.mark.parametrize("backend", ["wasm", "reference"])
def test_declining_is_offered_only_where_the_plan_can_still_be_completed(backend: str) -> None:
    # 11: an action is carried out completely; what follows a declined choice belongs to it.
    s = rw.Game(game(DECLINING).program, backend).new(checked=True)
    answer_all(s, "trade")
    assert options(s) == ["1", "2"]
    with pytest.raises(rw.IllegalAnswer, match="decline"):
        answer_all(s, "decline")
    answer_all(s, "2", "trade")
    assert options(s) == ["1", "2", "decline"]  # one coin is left, which pays for it
    answer_all(s, "decline")
    assert cell(s, "p1.purse") == 0 and cell(s, "p1.n") == 2
    answer_all(s, "stay")
    assert options(s) == ["1", "2", "decline"]
