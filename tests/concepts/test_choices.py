"""Choice shapes (docs/manual/09-choice.md and 04-verbs-and-causes.md): which answers are offered, in which small
decisions, and what declining does."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, options, question, start

BASE = """
enum Colour: red, blue, green
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece coin
piece cube by Colour each 9 from box
zone box: cube
kind Seat
    zone purse: coin
    zone hand: Card
    zone bag: cube
kind Card: 5
    field rank: 0..9
zone deck: Card
zone pile: Card ordered
value cards_up(): bool = true
"""
DEAL = """
    for every c in Card: move c to deck
    set card_1.rank to 1
    set card_2.rank to 2
    set card_3.rank to 3
    set card_4.rank to 5
    set card_5.rank to 5
"""


def play(body: str, **how: Any) -> rw.State:
    return start(BASE + "phase game" + DEAL + body, **how)


def whole_answers(state: rw.State) -> list[str]:
    """All whole answers of the open question, by going through the small decisions."""
    found: list[str] = []
    address = question(state)

    def go(at: rw.State, said: list[str]) -> None:
        for o in rw.legal(at):
            if o.kind in ("ready", "decline"):
                found.append(" ".join(said) or o.kind)
                continue
            then = rw.copy(at)
            then.auto = False
            rw.apply(then, o)
            if question(then) == address and then.decision is not None and then.decision.cursor:
                go(then, [*said, " ".join(o.ids)])
            else:
                found.append(" ".join([*said, " ".join(o.ids)]))

    go(state, [])
    return found


def test_one_and_pairs_and_a_single_answer() -> None:
    # 9: `x in S`, pairs; a single answer is taken without asking and logged.
    s = play(
        """
    choose c in deck where c.rank > 3 by p1
    choose d in deck, n in 1..2 where d.rank is n and d is not c by p2
    choose e in deck where e.rank is 3 by p1
    do note(c.rank)
    do note(n)
    do note(e.rank)
"""
    )
    assert options(s) == ["card_4", "card_5"]
    answer_all(s, "card_5")
    assert options(s) == ["card_1 1", "card_2 2"]
    answer_all(s, "card_2 2")
    assert cell(s, "trail") == 523 and [e.kind for e in s.log] == ["choice", "choice", "auto"]


def test_some_with_bounds_and_such_that() -> None:
    # 9: `some xs`: the name is a member in `where`, the whole answer in `such that` and afterwards.
    s = play(
        """
    choose some cs in deck where cs.rank < 5 at least 1 at most 2 such that sum(c in cs: c.rank) is not 3 by p1
    do note(size(cs))
    choose some ds in deck exactly 4 by p2
    do note(sum(d in ds: d.rank) - 9)
"""
    )
    # the sets of ranks 1, 2, 3 with at most two members and a sum other than 3
    assert whole_answers(s) == ["card_1 card_3", "card_1", "card_2 card_3", "card_2"]
    answer_all(s, "card_3, card_1")
    assert options(s) == ["card_1", "card_2"]
    answer_all(s, "card_2, card_3, card_4, card_5")
    assert cell(s, "trail") == 26


def test_total_covering_takes_the_least_excess() -> None:
    # 9: `covering N`: total N; if no answer has it, the least above; if everything is less, everything.
    def ask(n: int, cards: str = "deck") -> set[str]:
        body = f"\n    choose some cs in {cards} total cs.rank covering {n} by p1\n    do note(size(cs))\n"
        return set(whole_answers(play(body, auto=False)))

    assert ask(4) == {"card_1 card_3"}
    assert ask(5) == {"card_2 card_3", "card_4", "card_5"}
    assert ask(12) == {"card_2 card_4 card_5"}
    assert ask(17) == {"card_1 card_2 card_3 card_4 card_5"}
    assert ask(6, "{card_2, card_4, card_5}") == {"card_2 card_4", "card_2 card_5"}  # 6 cannot be had, 7 can
    # other bounds come first: 6 cannot be had, 7 may not be; so it is the most within 6
    assert ask(6, "{card_2, card_4, card_5} total cs.rank at most 6") == {"card_4", "card_5"}
    assert ask(6, "{card_2, card_4, card_5} total cs.rank at most 7") == {"card_2 card_4", "card_2 card_5"}
    lone = play("\n    choose some cs in {card_4, card_5} total cs.rank covering 7 by p1\n    do note(size(cs))\n")
    assert lone.over and cell(lone, "trail") == 2


def test_amounts_per_slot_and_in_total() -> None:
    # 9: `amounts n for x in S`: each a..b, total per x, weighted totals.
    s = play(
        """
    move 3 cube[red] from box to p1.bag
    move 2 cube[blue] from box to p1.bag
    choose amounts n for k in Colour each 0..p1.bag[k] total n exactly 2 by p1
    for every k in Colour: move n[k] cube[k] from p1.bag to p2.bag
"""
    )
    assert set(whole_answers(s)) == {"red 2", "red 1 blue 1", "blue 2"}
    (reason,) = rw.explain(s, "red 1, blue 3")
    assert (reason.kind, reason.text) == ("domain", "3 for blue is outside 0..2")
    assert rw.explain(s, "red 2, blue 1")[0].kind == "bound"  # each is possible, both are not
    answer_all(s, "red 1, blue 1")
    assert [cell(s, "p2.bag", k) for k in ("red", "blue", "green")] == [1, 1, 0]


def test_amounts_over_pairs_with_totals_per_and_overall() -> None:
    # 9 (DS-7): two totals, one per source and one overall.
    s = play(
        """
    move 1 cube[red] from box to p1.bag
    move 2 cube[blue] from box to p1.bag
    choose amounts n for a in Colour, b in {red, blue} where a is not b
        total n at most 2 total n per a at most p1.bag[a] by p1
    for every a in Colour, b in {red, blue}: do note(n[a, b])
"""
    )
    assert options(s) == ["red blue 1", "blue red 1", "blue red 2", "ready"]
    answer_all(s, "red blue 1, blue red 1")
    assert cell(s, "trail") == 11000  # 0 1 1 0 0 0 without the leading zero


def test_number_with_such_that_and_cases_with_parameters() -> None:
    # 9: `number n in a..b`; `choose one` with parameters of their own range and `where`.
    s = play(
        """
    gain 5 coin by p1
    choose number n in 0..p1.purse such that n is not 3 by p1
    choose one by p1
        case pay_it(k: 1..n) where k is not 2: do note(k)
        case show_it(c: deck, k: 0..1) where c.rank is 2 and k < n: do note(8)
        case leave where n is 0: do note(9)
"""
    )
    assert options(s) == ["0", "1", "2", "4", "5"]
    answer_all(s, "4")
    assert options(s) == ["pay_it 1", "pay_it 3", "pay_it 4", "show_it card_2 0", "show_it card_2 1"]
    answer_all(s, "show_it card_2 1")
    assert cell(s, "trail") == 8


def test_keys_leave_only_the_best_answers() -> None:
    # 9: `with KEYS`: only the best answers are offered; on a set they read the whole answer.
    s = play(
        """
    choose c in deck with highest c.rank by p1
    choose d in deck where d is not c with lowest d.rank by p1
    choose some xs in deck such that sum(x in xs: x.rank) >= 6 with lowest size(xs) by p2
    do note(d.rank)
    do note(size(xs))
"""
    )
    assert options(s) == ["card_4", "card_5"]
    answer_all(s, "card_4")
    assert question(s) == "p2: game.xs"
    low = {f"card_{i} card_{k}" for i in (1, 2, 3) for k in (4, 5)}
    assert set(whole_answers(s)) == low | {"card_4 card_5"}
    answer_all(s, "card_5, card_1")
    assert cell(s, "trail") == 12


def test_decline_and_if_any_skip_the_rest_of_the_innermost_block() -> None:
    # 9: in a step, branch, loop pass or routine the rest is skipped; directly in a `repeat` it ends the loop.
    s = play(
        """
    step first
        choose c in deck by p1 or decline
        do note(1)
    step second
        choose c in p1.hand if any by p1
        do note(2)
    for every p in seats
        choose d in deck by p or decline
        do note(3)
    if cards_up
        choose e in p1.hand if any by p1
        do note(4)
    repeat while trail < 999
        choose f in deck by p1 or decline
        do note(5)
    do helper()
    do note(9)
procedure helper()
    choose g in deck by p1 or decline
    do note(6)
"""
    )
    answer_all(s, "decline", "card_1", "decline", "card_2", "decline", "decline")
    assert s.over and cell(s, "trail") == 359


def test_decline_gives_a_value() -> None:
    # 9: with `giving E` the routine returns E.
    s = play(
        """
    let n = do picked(p1)
    do note(n)
    let m = do picked(p2)
    do note(m)
procedure picked(p: Seat) giving 0..9
    choose c in deck by p or decline giving 7
    give c.rank
"""
    )
    answer_all(s, "decline", "card_2")
    assert cell(s, "trail") == 72


def test_nothing_to_choose_outside_a_plan_is_a_named_error() -> None:
    # 9 and 4: without `or decline` or `if any` an empty choice in play is an error that names it.
    with pytest.raises(rw.RulesetError, match="a dead end: `game.c`"):
        play("\n    choose c in p1.hand by p1\n    do note(c.rank)\n")


def test_a_secret_answer() -> None:
    # 9: a choice may be `seen by`; the others' log says that something was answered.
    s = play("\n    choose c in deck seen by p1 by p1\n    choose number n in 1..2 by p2\n    do note(c.rank + n)\n")
    answer_all(s, "card_3")
    assert "card_3" in " ".join(rw.log_for(s, 1)) and "card_3" not in " ".join(rw.log_for(s, 2))


def test_a_log_names_every_member_in_the_language_of_the_reader() -> None:
    # Texts (ruleset-folder.md): also the last members of an enum that has more of them than there are things.
    rules = "enum Hour: one, two, three, four, five, six\nphase game\n    choose h in Hour by p1\n"
    texts = 'Hour: {five: 五時, six: 六時}\ngame.h.done: "{h}"\n'
    s = start(rules, {"locale/ja.yaml": texts})
    answer_all(s, "six")
    assert rw.log_for(s, 2, "ja") == ["六時"]


def test_zero_amounts_and_empty_sets_are_legal() -> None:
    # 4: amounts, sets and loops over nothing are legal and do nothing.
    s = play(
        """
    choose some cs in p1.hand by p1
    for every c in cs: do note(1)
    move size(cs) cube[red] from box to p1.bag
    choose amounts n for k in Colour each 0..p1.bag[k] by p1
    for every k in Colour: move n[k] cube[k] from p1.bag to box
    do note(9)
"""
    )
    assert s.over and cell(s, "trail") == 9


def test_amounts_are_a_map_for_a_value_that_takes_one() -> None:
    s = start(
        """
enum Colour: red, green, blue
field trail: 0..999
value worth(n: count by Colour): int = 100 * n[red] + 10 * n[green] + n[blue]
phase game
    choose amounts n for k in {green, blue} each 0..5 by p1
    set trail to worth(n)
"""
    )
    answer_all(s, "green 2, blue 4, ready")
    assert cell(s, "trail") == 24


def test_a_text_names_an_amount_by_the_name_of_the_answer() -> None:
    # Whatever else is called `n` in the routine.
    rules = """
enum Colour: red, green
field trail: 0..99
procedure take(n: Colour)
    choose amounts k for c in Colour each 0..5 total k exactly 4 by p1
    set trail to k[red]
phase game: do take(green)
"""
    text = 'take.k: {pick: "{k} of {c} for {n}", done: "{k} {k|piece|pieces} of {c} for {n}"}\n'
    s = start(rules, {"locale/en.yaml": text})
    assert [o.text() for o in rw.legal(s)][:2] == ["1 of red for green", "2 of red for green"]
    answer_all(s, "red 1, green 3")
    assert cell(s, "trail") == 1
    assert rw.log_for(s, 2)[0] == "1 piece of red for green"


def test_texts_of_an_ordered_action_see_who_acts_and_what_it_is_given() -> None:
    rules = """
enum Cause: fee
piece coin each 9 from bank
zone bank: coin
kind Seat
    zone purse: coin
value price(p: Seat, n: 1..3, m: 1..3): int = n * m + (1 if p is p2 else 0)
action bid(p: Seat, n: 1..3, m: 1..3): gain n coin by p from bank as fee
phase game
    for every q in {p1, p2}: perform bid(q, any n, 2)
"""
    text = 'bid: {pick: "{p}: {n} for {price(p, n, m)}", done: "{p} bids {n} at {price(p, n, m)}"}\n'
    state = start(rules, {"locale/en.yaml": text})
    assert [o.text() for o in rw.legal(state)] == ["p1: 1 for 2", "p1: 2 for 4", "p1: 3 for 6"]
    answer_all(state, "bid 3")
    assert [o.text() for o in rw.legal(state)] == ["p2: 1 for 3", "p2: 2 for 5", "p2: 3 for 7"]
    answer_all(state, "bid 1")
    assert rw.log_for(state, None) == ["p1 bids 3 at 6", "p2 bids 1 at 3"]


def test_texts_of_two_actions_name_their_own_answers() -> None:
    rules = (
        BASE
        + """
value twice(n: 1..3): int = 2 * n
action left(p: Seat, n: 1..2) of walk: do note(n)
action right(p: Seat, c: Colour, n: 1..2) of walk: do note(n)
phase game: offer walk by p1
"""
    )
    text = 'left.pick: "left {twice(n)}"\nright.pick: "{c} {twice(n)}"\n'
    state = start(rules, {"locale/en.yaml": text})
    assert [o.text() for o in rw.legal(state)][:3] == ["left 2", "left 4", "red 2"]


def test_texts_of_an_ordered_action_show_what_the_order_changes() -> None:
    rules = """
enum Cause: fee
piece coin each 9 from bank
zone bank: coin
kind Seat
    zone purse: coin
value price(p: Seat, n: 1..3): int = 2 * n at least 0
action bid(p: Seat, n: 1..3): gain price(p, n) coin by p from bank as fee
phase game: perform bid(p1, any n) with price by -1
"""
    text = 'bid: {pick: "{n} for {price(p, n)}", done: "{n} at {price(p, n)}"}\n'
    state = start(rules, {"locale/en.yaml": text})
    assert [o.text() for o in rw.legal(state)] == ["1 for 1", "2 for 3", "3 for 5"]
    answer_all(state, "bid 3")
    assert cell(state, "p1.purse") == 5
    assert rw.log_for(state, None) == ["3 at 5"]


def test_a_demand_that_leans_on_one_that_is_not_met_gives_no_reason() -> None:
    rules = """
kind Seat
    zone gift: Card max 1
kind Card from "data/cards.yaml"
    const rank: 0..9
zone shelf: Card
action stay(p: Seat) of party: stop game
action unwrap(p: Seat, n: 1..3) of party
    let c = p.gift
    require c is not none because "there is no gift"
    require n <= c.rank
    move c to shelf
phase game: offer party by p1 or decline
"""
    s = start(rules, {"data/cards.yaml": "Card: {top: {rank: 3}, bow: {rank: 2}}\n"})
    assert s.decision is not None
    assert [r.because for r in rw.explain(s, "unwrap 2")] == ["there is no gift"]


def test_a_demand_on_what_is_not_there_gives_no_reason() -> None:
    # Two seats have no gift: `givers` of none would be 2, and so no reason.
    rules = """
kind Seat
    zone gift: Card max 1
kind Card from "data/cards.yaml"
    const rank: 0..9
zone shelf: Card
value givers(c: Card): int = count(p in seats where p.gift is c)
action stay(p: Seat) of party: stop game
action unwrap(p: Seat, n: 1..3) of party
    let c = p.gift
    require c is not none because "there is no gift"
    require n > givers(c) because "too many gave it"
    require n is not 2 because "no pairs"
    move c to shelf
phase game: offer party by p1 or decline
"""
    s = start(rules, {"data/cards.yaml": "Card: {top: {rank: 3}, bow: {rank: 2}}\n"})
    assert [r.because for r in rw.explain(s, "unwrap 1")] == ["there is no gift"]
    assert [r.because for r in rw.explain(s, "unwrap 2")] == ["there is no gift", "no pairs"]


def test_a_word_that_two_actions_could_take_needs_the_name_of_one() -> None:
    # `paint red` goes on to green, the only colour it can become; `blue` behind it names neither `paint` nor `wash`.
    s = start(
        BASE
        + """
action paint(p: Seat, c: Colour) of work
    choose d in Colour where c is red and d is green
    do note(1)
action wash(p: Seat, c: Colour) of work
    do note(2)
phase game
    repeat while trail < 100: offer work by p1
"""
    )
    with pytest.raises(rw.IllegalAnswer, match="blue"):
        rw.answer(s, "paint red blue")
    assert cell(s, "trail") == 0
    rw.answer(s, "paint red green")
    rw.answer(s, "wash blue")
    assert cell(s, "trail") == 12
