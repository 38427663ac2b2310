"""Ways to gain (docs/manual/15-purses.md): the mirror image of ways to pay, and who may name a way of either sort."""

from __future__ import annotations

from random import Random

import pytest

import interpreter as rw
from interpreter.records.ruling import run_rulings
from tests.concepts.play import answer_all, cell, game, options, play_on_both, question, start
from tests.concepts.test_purses import BASE

MONEY = (
    BASE
    + """
purse money(p: Seat)
    source p.fives worth 5
    source p.stars worth 2
    source p.ones
    default with lowest p.stars
"""
)
SHOP = (
    MONEY
    + """
action sell(p: Seat, n: 1..9) of deeds
    gain n money as fee
    set p.days to n
action swap(p: Seat) of deeds
    pay 2 money as fee
    gain 3 money as fee
    gain 2 money as fee
action fly(p: Seat) of deeds
    gain 3 money as fee
    pay 1 star
    set p.days to 8
action gift(p: Seat) of deeds
    gain 2 money by p2 as fee
    gain 2 money by p as fee
action burst(p: Seat) of deeds
    together
        gain 2 money by p as fee
    do share(p)
procedure share(p: Seat)
    gain 2 money by p as fee
phase game
    {before}
    repeat while p1.days < 9
        offer deeds by p1
"""
)


def shop(before: str = "set p1.days to 0") -> rw.State:
    return start(SHOP.format(before=before), seats=(2, 2))


def held(state: rw.State, p: str = "p1") -> list[int]:
    """Ones, stars, fives."""
    return [cell(state, f"{p}.{z}") for z in ("ones", "stars", "fives")]


def test_without_a_wish_the_default_is_gained_and_nothing_is_asked() -> None:
    s = answer_all(shop(), "sell 3")
    assert question(s) == "p1: game.deeds" and held(s) == [3, 0, 0]  # as few stars as possible
    assert rw.log_for(s, 1) == ["p1: sell 3"]
    assert rw.replay(s.game, rw.save(s)).digest() == s.digest()


def test_a_wish_comes_with_the_answer() -> None:
    s = answer_all(shop(), "sell 7 gaining stars 1 fives 1")  # in any order
    assert held(s) == [0, 1, 1]
    assert rw.log_for(s, 1) == ["p1: sell 7", "p1 gains 1 fives, 1 stars"]
    assert rw.replay(s.game, rw.save(s)).digest() == s.digest()


def test_what_is_no_way_is_refused_and_nothing_is_lost() -> None:
    s = shop()
    before = s.digest()
    for said, why in (
        (
            "sell 3 gaining ones 2",
            "`ones 2` is not a way to gain at sell.gain_money; possible: `ones 3`, `stars 1 ones 1`; "
            "did you mean `ones 3`?",
        ),
        ("sell 3 gaining", "`` is not a way to gain"),
        (
            "sell 3 paying ones 3",
            "`paying` says how to pay, but there is no payment now; did you mean `gaining`?",
        ),
        ("sell 1 gaining stars 1", "`stars 1` is not a way to gain here; possible: `ones 1`"),
        ("gaining ones 1", "there is no gain now"),
    ):
        with pytest.raises(rw.IllegalAnswer) as found:
            answer_all(s, said)
        assert why in found.value.message
        assert s.digest() == before and s.log == []


def test_the_only_way_may_be_named() -> None:
    s = answer_all(shop(), "sell 1 gaining ones 1")
    assert held(s) == [1, 0, 0] and rw.log_for(s, 1) == ["p1: sell 1"]
    assert rw.replay(s.game, rw.save(s)).digest() == s.digest()


def test_explain_says_what_is_wrong_with_a_way() -> None:
    s = shop("gain 2 money by p1")
    for said in ("sell 3 gaining ones 3", "swap gaining ones 3 gaining stars 1"):
        assert rw.explain(s, said) == []
    assert [r.line()[:32] for r in rw.explain(s, "sell 3 gaining ones 2")] == ["`ones 2` is not a way to gain at"]
    assert [r.line() for r in rw.explain(s, "sell 12 gaining ones 2")] == ["12 is outside 1..9"]
    assert len(s.log) == 1  # the gain at the beginning


def test_many_ways_are_not_all_told() -> None:
    text = SHOP.format(before="set p1.days to 0").replace("1..9", "1..30").replace("set p.days to n", "do note(1)")
    s = start(text, seats=(2, 2))
    with pytest.raises(rw.IllegalAnswer, match=r"`ones 30`, .* and \d+ more; did you mean `fives 5 ones 5`\?"):
        answer_all(s, "sell 30 gaining fives 5 ones 4")


def test_each_word_finds_its_own_sort() -> None:
    # Two stars are there: 2 are paid by a star or two ones, 3 and then 2 are gained.
    have = "gain 2 money by p1\n    move 1 star from sky to p1.stars"
    assert held(answer_all(shop(have), "swap")) == [7, 0, 0]  # the star is paid: so few stars are left
    assert held(answer_all(shop(have), "swap gaining stars 1 ones 1")) == [5, 1, 0]  # the first gain
    assert held(answer_all(shop(have), "swap paying ones 2 gaining ones 3 gaining stars 1")) == [3, 2, 0]
    with pytest.raises(rw.IllegalAnswer, match="`paying` says how to pay, but there is no payment now"):
        answer_all(shop(have), "swap gaining ones 3 paying ones 2")


def test_the_default_yields_to_possibility() -> None:
    s = shop()
    assert "fly" in options(s)
    assert held(answer_all(s, "fly")) == [1, 0, 0] and cell(s, "p1.days") == 8
    with pytest.raises(rw.IllegalAnswer, match="possible: `stars 1 ones 1`"):
        answer_all(shop(), "fly gaining ones 3")


def test_nobody_names_the_way_of_another() -> None:
    s = answer_all(shop(), "gift gaining stars 1")
    assert held(s) == [0, 1, 0] and held(s, "p2") == [2, 0, 0]
    with pytest.raises(rw.IllegalAnswer, match="there is no gain now"):
        answer_all(shop(), "gift gaining stars 1 gaining stars 1")


def test_inside_together_the_default_is_gained() -> None:
    """The wish is for the first gain behind it, in a routine that the plan calls."""
    assert held(answer_all(shop(), "burst")) == [4, 0, 0]
    assert held(answer_all(shop(), "burst gaining stars 1")) == [2, 1, 0]


OTHERS = (
    MONEY
    + """
procedure harvest(p: Seat)
    gain 2 money by p
procedure tax(p: Seat)
    lose 3 money by p
phase turn(p: Seat)
    choose one by p
        case work: do note(1)
        case rest: do note(2)
    do harvest(p)
    do tax(p)
phase game
    for every p in seats
        choose number n in 1..2 by p
        gain 2 * n money by p
    for every p in seats: do turn(p)
"""
)


def test_outside_plans_everybody_names_what_their_own_answer_leads_to() -> None:
    # The phase acts for nobody; each seat names the way of what it gains behind its own answer.
    s = start(OTHERS, seats=(2, 2))
    answer_all(s, "1", "2 gaining stars 1 ones 2")
    assert held(s) == [2, 0, 0] and held(s, "p2") == [2, 1, 0]
    assert s.decision is not None and s.decision.actor == "p1"


def test_what_is_lost_is_a_payment_too() -> None:
    # `lose` pays what is possible, in a way that may be named: 4 and 2 gained, 3 lost.
    s = start(OTHERS, seats=(2, 2))
    answer_all(s, "2", "2", "work gaining stars 1 paying ones 3")
    assert held(s) == [1, 1, 0]
    answer_all(s, "rest gaining stars 1 paying stars 1 ones 1")
    assert held(s, "p2") == [3, 0, 0] and s.over
    # more than there is: nothing to choose
    s = start(OTHERS.replace("lose 3", "lose 9"), seats=(2, 2))
    with pytest.raises(rw.IllegalAnswer, match="there is no payment now"):
        answer_all(s, "1", "1", "work paying ones 4")
    assert held(answer_all(s, "work")) == [0, 0, 0]


def test_the_nearest_below_can_be_placed_in_several_ways() -> None:
    text = """
piece coin each 3 from till
piece gem
kind Seat
    zone coins: coin
    zone gems: gem
zone till: coin
purse money(p: Seat)
    source p.coins worth 4
    source p.gems worth 6
phase game
    choose number n in 1..20 by p1
    gain n money by p1
    choose number k in 1..2 by p1
"""
    # of 13 nothing above 12 is possible: three coins or two gems; four coins are not there
    for said, coins, gems in (("13", 3, 0), ("13 gaining coins 3", 3, 0), ("13 gaining gems 2", 0, 2)):
        s = answer_all(start(text, seats=(2, 2)), said)
        assert [cell(s, "p1.coins"), cell(s, "p1.gems")] == [coins, gems]


def test_a_player_may_ask_for_the_ways_one_after_the_other() -> None:
    have = "gain 2 money by p1\n    move 1 star from sky to p1.stars"
    s = shop(have)
    rw.apply(s, next(o for o in rw.legal(s) if o.ids == ("swap",)), paying=True)
    assert question(s) == "p1: swap.money" and s.decision is not None and s.decision.prompt("en") == "How do you pay?"
    again = rw.restore(s.game, rw.save(s))
    assert options(again) == options(s) and again.digest() == s.digest()
    rw.apply(s, rw.legal(s)[0])
    assert question(s) == "p1: swap.gain_money" and options(s) == ["ones 3", "stars 1 ones 1"]
    assert s.decision is not None and s.decision.shape == "way"
    assert (s.decision.prompt("en"), s.decision.prompt("ja")) == ("How do you gain it?", "どう受け取りますか")
    assert [o.text("en") for o in rw.legal(s)] == ["3 ones", "1 stars, 1 ones"]
    again = rw.restore(s.game, rw.save(s))
    assert options(again) == options(s)
    rw.apply(s, rw.legal(s)[1])
    assert question(s) == "p1: swap.gain_money_2"
    rw.apply(s, rw.legal(s)[0])
    assert question(s) == "p1: game.deeds"
    assert rw.replay(s.game, rw.save(s)).digest() == s.digest()


def test_both_back_ends_go_the_same_way_with_wishes() -> None:
    program = game(SHOP.format(before="gain 9 money by p1"), seats=(2, 2)).program
    for seed in range(6):
        states = [rw.Game(program, b).new(seed=seed, checked=seed % 2 == 0) for b in ("wasm", "reference")]
        chance = Random(seed)
        for _ in range(25):
            if states[0].over:
                break
            found = [rw.legal(s) for s in states]
            assert [o.ids for o in found[0]] == [o.ids for o in found[1]]
            at, wish = chance.randrange(len(found[0])), chance.random() < 0.7
            for s, offered in zip(states, found, strict=True):
                rw.apply(s, offered[at], paying=wish)
            assert states[0].digest() == states[1].digest()


def test_random_games_gain_in_the_usual_way_in_both_back_ends() -> None:
    program = game(OTHERS, seats=(2, 2)).program
    for seed in range(4):
        assert play_on_both(program, seed)


def test_one_source_needs_no_question() -> None:
    # A purse with one open source has one way only, so nothing is made that could ask.
    text = BASE + (
        "purse money(p: Seat)\n    source p.spare first\n    source p.ones\n    source p.fives worth 5 never back\n"
        "phase game\n    gain 3 money by p1\n    lose 1 money by p1\n"
    )
    addresses = {site.address for site in game(text).program.sites}
    assert addresses == {"game.lose_money"}


def test_default_ask_asks_for_each_gain_as_well() -> None:
    text = SHOP.replace("default with lowest p.stars", "default ask").format(before="set p1.days to 0")
    s = start(text, seats=(2, 2))
    answer_all(s, "sell 3")
    assert question(s) == "p1: sell.gain_money" and options(s) == ["stars 1 ones 1", "ones 3"]
    answer_all(s, "ones 3", "sell 2 gaining stars 1", "sell 1")
    assert question(s) == "p1: game.deeds" and held(s) == [4, 1, 0]


def test_a_member_may_be_called_like_the_word() -> None:
    s = start(
        """
enum Mode: paying, gaining
phase game
    choose m in Mode by p1
    choose k in Mode by p1
""",
        seats=(2, 2),
    )
    assert answer_all(s, "gaining", "paying").over


HIDDEN = (
    MONEY
    + """
kind Card
card harvest "Harvest": Card
card drought "Drought": Card
zone deck: Card ordered seen by nobody
zone turned: Card
action turn_up(p: Seat) of deeds
    move front(deck) to turned
    if harvest in turned: gain 3 money as fee
action roll(p: Seat) of deeds
    random number n in 2..3
    gain n money as fee
phase game
    for every c in Card: move c to deck
    shuffle deck
    repeat while no turned
        offer deeds by p1
"""
)


def test_no_way_is_said_beforehand_for_what_comes_after_something_new() -> None:
    # A refusal changes nothing, so it must not tell what is hidden: no wish is tried behind it, fitting or not.
    s = start(HIDDEN, seats=(2, 2), script=(["harvest", "drought"],))
    before = s.digest()
    for said in (
        "turn_up gaining stars 1 ones 1",
        "turn_up gaining ones 9",
        "turn_up paying ones 1",
        "roll gaining ones 2",
    ):
        with pytest.raises(rw.IllegalAnswer, match="comes after new information"):
            answer_all(s, said)
        assert ["comes after new information" in r.text for r in rw.explain(s, said)] == [True]
        assert s.digest() == before
    rw.apply(s, next(o for o in rw.legal(s) if o.ids == ("turn_up",)), paying=True)
    assert options(s) == ["ones 3", "stars 1 ones 1"]
    rw.apply(s, rw.legal(s)[1])
    assert held(s) == [1, 1, 0] and s.over


RULINGS = """
position market "nothing yet"
    seats: 2
    when: do game()
ruling wished "a star and a one, as wished"
    given market
    when: p1 chooses sell 3, gaining stars 1 ones 1
    expect
        p1.ones: 1
        p1.stars: 1
        illegal sell 3, gaining ones 2
        legal sell 3, gaining ones 3
ruling apart "the way may stand in a step of its own"
    given market
    when
        p1 chooses sell 3
        p1 chooses gaining stars 1 ones 1
    expect
        p1.stars: 1
ruling usual "without a wish ones only"
    given market
    when: p1 chooses sell 3
    expect
        p1.ones: 3
        p1.stars: 0
"""


def test_a_ruling_says_how_is_gained() -> None:
    results = run_rulings(game(SHOP.format(before="set p1.days to 0") + RULINGS, seats=(2, 2)), ())
    assert {r.name: [str(f) for f in r.failures] for r in results if r.failures} == {}
