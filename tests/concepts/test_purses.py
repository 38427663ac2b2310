"""Purses (docs/manual/15-purses.md): which ways of paying there are, which is taken, and what is given back."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.records.ruling import run_rulings
from tests.concepts.play import answer_all, cell, errors, game, options, play_on_both, question, start

BASE = """
enum Cause: fee, meal
enum Colour: red, blue
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece token each 40 from bank
zone bank: token
piece voucher
piece star each 9 from sky
zone sky: star
kind Seat
    zone reserve: token
    zone spare: token
    zone ones: token
    zone fives: token
    zone stars: star
    field days: 0..9
"""
FOOD = (
    BASE
    + """
purse food(p: Seat)
    source p.spare first
    source p.ones to p.reserve
    source p.fives worth 5 to p.reserve
    change from p.reserve
    require over is 0 or p.reserve is 0
    default with highest p.reserve
"""
)
HAVE = """
phase game
    move 1 token from bank to p1.spare
    move {ones} token from bank to p1.ones
    move {fives} token from bank to p1.fives
    move {reserve} token from bank to p1.reserve
"""


def held(state: rw.State, p: str = "p1") -> list[int]:
    return [cell(state, f"{p}.{z}") for z in ("spare", "ones", "fives", "reserve")]


def pay(n: int, ones: int, fives: int, reserve: int) -> rw.State:
    return start(FOOD + HAVE.format(ones=ones, fives=fives, reserve=reserve) + f"    pay {n} food by p1 as meal\n")


def test_first_sources_are_used_before_all_others() -> None:
    # 15: all `first` sources before others; those without `to` go back to the supply.
    s = pay(1, 3, 0, 0)
    assert held(s) == [0, 3, 0, 0] and cell(s, "bank") == 37


def test_exact_ways_come_before_overpaying_and_the_default_chooses() -> None:
    # 15: exactly n; without a wish the default way (the most tokens back in the reserve).
    assert held(pay(6, 5, 1, 0)) == [0, 0, 1, 5]  # five ones put five tokens into the reserve, the five only one
    assert held(pay(6, 3, 1, 0)) == [0, 3, 0, 1]


def test_pieces_may_go_down_to_lower_sources_as_change() -> None:
    # 15: where the reserve holds tokens, a five is broken: 4 of 5 wanted, 1 comes back as a one.
    s = pay(5, 1, 1, 2)
    # spare 1, then 4 more: a five less one, put back as a one out of the reserve
    assert held(s) == [0, 2, 0, 2]


def test_overpaying_only_where_require_allows_it() -> None:
    # 15: where no exact way exists those with the least `over` that pass `require`.
    assert held(pay(3, 0, 1, 0)) == [0, 1, 0, 0]  # 6 for 3: one token, that of the five itself, can be given back
    with pytest.raises(rw.RulesetError, match="3 cannot be paid from `food`, which holds 6"):
        pay(3, 0, 1, 1)  # two tokens can be given back, so one is lost, but the reserve is not empty
    with pytest.raises(rw.RulesetError, match="9 cannot be paid"):
        pay(9, 1, 1, 0)


def test_an_action_with_a_purse_is_offered_if_it_can_be_paid() -> None:
    # 11 and 15: `pay n food` is "n can be paid".
    s = start(
        FOOD
        + """
action eat(p: Seat, n: 1..9) of meals
    pay n food as meal
    set p.days to n
"""
        + HAVE.format(ones=1, fives=1, reserve=1)
        + "    offer meals by p1 or decline\n"
    )
    # 1, 2 with the spare and the one; from 4 on with the five, one or two tokens come back; 8 and 9 never
    assert options(s) == ["eat 1", "eat 2", "eat 4", "eat 5", "eat 6", "eat 7", "decline"]
    with pytest.raises(rw.IllegalAnswer):
        answer_all(s, "eat 9")
    answer_all(s, "eat 7")
    assert held(s) == [0, 0, 0, 3] and cell(s, "p1.days") == 7


def test_gain_is_the_mirror_image() -> None:
    # 15: `gain n food`: exactly n, else the nearest below.
    s = start(FOOD + "phase game\n    move 9 token from bank to p1.reserve\n    gain 7 food by p1\n")
    assert cell(s, "p1.ones") + 5 * cell(s, "p1.fives") + cell(s, "p1.spare") == 7


def test_a_card_adds_a_source_once_per_turn() -> None:
    # 15: `source ZONE of PURSE ... max n once per turn` adds a substitution.
    s = start(
        FOOD
        + """
kind Card
    field owner: Seat or none
card baker "Baker": Card
    while owner is not none
        source owner.stars of food max 1 once per turn
phase game
    set baker.owner to p1
    move 3 star from sky to p1.stars
    move 1 token from bank to p1.ones
    do turn(p1)
    do turn(p1)
phase turn(p: Seat)
    repeat while p.days < 9
        choose n in 1..2 by p where payable(p, n) or decline
        pay n food by p
        do note(n)
value payable(p: Seat, n: int): bool = possible(eat(p, n))
action eat(p: Seat, n: 1..9): pay n food
"""
    )
    assert options(s) == ["1", "2", "decline"]
    answer_all(s, "2")
    # the star of this turn is used; the second turn has a star again
    assert question(s) == "p1: turn.n" or s.over
    assert cell(s, "p1.stars") == 2 and cell(s, "p1.ones") == 0


def test_sources_of_one_card_are_counted_together() -> None:
    # 15: `once per F` of two lines of one card on one purse is one count.
    s = start(
        BASE
        + """
purse food(p: Seat)
    source p.fives worth 5
kind Card
    field owner: Seat or none
card baker "Baker": Card
    while owner is not none
        source owner.stars of food max 1 once per turn
        source owner.ones of food where owner.stars is 0 max 1 once per turn
phase game
    set baker.owner to p1
    move 1 star from sky to p1.stars
    move 2 token from bank to p1.ones
    do turn(p1)
    do turn(p1)
phase turn(p: Seat)
    repeat: offer meals by p or decline
action eat(p: Seat, n: 1..9) of meals: pay n food
"""
    )
    answer_all(s, "eat 1")
    # the star is used; the tokens count, but not in this turn any more
    assert s.decision is not None and options(s) == ["eat 1", "decline"] and cell(s, "p1.stars") == 0
    answer_all(s, "eat 1")
    assert s.over and cell(s, "p1.ones") == 1


TOGETHER = (
    BASE
    + """
purse food(p: Seat)
    source p.fives{five}
kind Card
    field owner: Seat or none
card baker "Baker": Card
    while owner is not none
        source owner.stars of food{star} max 2 once per turn
        source owner.ones of food max 1 once per turn
phase game
    set baker.owner to p1
    move {stars} star from sky to p1.stars
    move 3 token from bank to p1.ones
    move 1 token from bank to p1.fives
    do turn(p1)
phase turn(p: Seat)
    repeat: offer meals by p or decline
action eat(p: Seat, n: 1..12) of meals: pay n food
"""
)


@pytest.mark.parametrize(
    "five, star, stars, most, ways",
    [
        ("", "", 3, 3, ["stars 1 fives 1", "ones 1 fives 1", "stars 1 ones 1", "stars 2"]),  # of two
        ("", "", 1, 3, ["stars 1 fives 1", "ones 1 fives 1", "stars 1 ones 1"]),  # two may be given, one is there
        ("", "", 0, 2, []),
        (" worth 5", " worth 2", 3, 9, []),  # ten would be a five, two stars and a token
    ],
)
def test_sources_of_one_card_give_together_what_the_best_of_them_may(
    five: str, star: str, stars: int, most: int, ways: list[str]
) -> None:
    """Within one payment too: two stars, or a star and a token, and not all three; of different worth as well."""
    rules = TOGETHER.format(five=five, star=star, stars=stars)
    s = start(rules)
    assert options(s) == [*(f"eat {n}" for n in range(1, most + 1)), "decline"]
    for way in ways:
        answer_all(rw.copy(s), f"eat 2 paying {way}")
    with pytest.raises(rw.IllegalAnswer):
        answer_all(rw.copy(s), "eat 3 paying stars 2 ones 1")
    for seed in range(5):
        play_on_both(game(rules).program, seed)


def test_waived_payments() -> None:
    # 11: `without CAUSE` waives payments from a purse too.
    s = start(
        FOOD
        + """
action eat(p: Seat, n: 1..9) of meals
    pay n food as meal
    set p.days to n
phase game
    perform eat(p1, 8) without meal
    perform eat(p2, 8) without fee
"""
    )
    assert cell(s, "p1.days") == 8 and cell(s, "p2.days") == 0


def test_a_piece_without_a_purse_has_the_trivial_one() -> None:
    # 15: its own zone at the actor; `lose` does what is possible.
    s = start(
        BASE
        + """
phase game
    move 4 star from sky to p1.stars
    pay 3 star by p1 as fee
    lose 5 star by p1
    gain 20 star by p2
    do note(p1.stars)
    do note(p2.stars)
"""
    )
    assert cell(s, "trail") == 9 and cell(s, "sky") == 0


def test_default_ask_makes_every_payment_a_question() -> None:
    # 15: `default ask`; where one way is left, or somebody else acts, nothing is asked.
    text = (
        BASE
        + """
purse money(p: Seat)
    source p.ones
    source p.stars worth 2
    default ask
action buy(p: Seat) of deeds
    pay 4 money as fee
    set p.days to 1
action rob(p: Seat) of deeds
    pay 2 money by p2 as fee
    set p.days to 2
phase game
    for every p in seats
        move 4 token from bank to p.ones
        move 2 star from sky to p.stars
    offer deeds by p1
    pay 1 money by p1
    offer deeds by p1
"""
    )
    s = start(text, seats=(2, 2))
    answer_all(s, "buy")
    assert question(s) == "p1: buy.money" and options(s) == ["ones 4", "ones 2 stars 1", "stars 2"]
    answer_all(s, "2")  # two ones and one star; then a one; then only robbing is left, and p2 pays the default way
    assert [cell(s, "p1.ones"), cell(s, "p1.stars")] == [1, 1] and cell(s, "p1.days") == 2
    assert s.over and cell(s, "p2.ones") + 2 * cell(s, "p2.stars") == 6


def test_lose_takes_as_much_as_can_be_paid() -> None:
    # 4 and 15: `lose` does what is possible.
    s = start(FOOD + HAVE.format(ones=1, fives=0, reserve=0) + "    lose 7 food by p1\n    lose 3 food by p2\n")
    assert held(s)[:3] == [0, 0, 0] and s.over


WISH = (
    BASE
    + """
purse money(p: Seat)
    source p.ones
    source p.fives worth 5
    source p.stars worth 2
    change from p.reserve
    default with lowest p.stars
action buy(p: Seat, n: 1..9) of deeds
    pay n money as fee
    set p.days to n
action fly(p: Seat) of deeds
    pay 4 money as fee
    pay 1 star
    set p.days to 8
phase game
    for every p in seats
        move 4 token from bank to p.ones
        move 2 star from sky to p.stars
    repeat while p1.days < 9
        offer deeds by p1
    choose number k in 1..2 by p1
    do note(k)
"""
)


def test_without_a_wish_the_default_way_is_taken_and_nothing_is_asked() -> None:
    # 15: the default way is applied at once; here it keeps as few stars as possible.
    s = start(WISH, seats=(2, 2))
    answer_all(s, "buy 4")
    assert question(s) == "p1: game.deeds" and [cell(s, "p1.ones"), cell(s, "p1.stars")] == [4, 0]
    assert rw.log_for(s, 1) == ["p1: buy 4"]  # the way is noted for replays, but not told
    again = rw.replay(s.game, rw.save(s))
    assert again.digest() == s.digest() and len(again.log) == 2


def test_a_wish_for_another_way_comes_with_the_answer() -> None:
    # 15: a wish attached to the option, checked like any answer, and logged.
    s = start(WISH, seats=(2, 2))
    with pytest.raises(rw.IllegalAnswer, match="`ones 3` is not a way to pay at buy.money; possible: `stars 2`"):
        answer_all(s, "buy 4 paying ones 3")
    assert s.log == [] and question(s) == "p1: game.deeds"
    answer_all(s, "buy 4 paying ones 2 stars 1")
    assert question(s) == "p1: game.deeds" and [cell(s, "p1.ones"), cell(s, "p1.stars")] == [2, 1]
    assert rw.log_for(s, 1) == ["p1: buy 4", "p1 pays 2 ones, 1 stars"]
    assert rw.replay(s.game, rw.save(s)).digest() == s.digest()
    with pytest.raises(rw.IllegalAnswer, match="`stars 1` is not a way to pay here; possible: `ones 1`"):
        answer_all(s, "buy 1 paying stars 1")
    answer_all(s, "buy 1 paying ones 1")  # there is one way only
    assert [cell(s, "p1.ones"), cell(s, "p1.stars")] == [1, 1]


RULINGS = """
position market "four ones and two stars each"
    seats: 2
    when: do game()
ruling wished "two ones and a star, as wished"
    given market
    when: p1 chooses buy 4, paying ones 2 stars 1
    expect
        p1.ones: 2
        p1.stars: 1
        p1.days: 4
ruling usual "without a wish as few stars as possible"
    given market
    when: p1 chooses buy 4
    expect
        p1.ones: 4
        p1.stars: 0
ruling refused "what is no way is no answer"
    given market
    expect
        illegal buy 4, paying ones 3
        legal buy 4, paying ones 4
        p1.ones: 4
ruling wrong "this one fails"
    given market
    when: p1 chooses buy 4, paying ones 2 stars 1
    expect
        p1.ones: 4
"""


def test_a_ruling_says_how_is_paid() -> None:
    # 15 and 20: the wish stands behind a comma, in answers and in what is expected to be legal. Without it the default
    # way is taken: `lowest p.stars` is read in the state after paying, so the stars go first.
    results = run_rulings(game(WISH + RULINGS, seats=(2, 2)))
    failures = {r.name: [str(f) for f in r.failures] for r in results if r.failures}
    assert failures == {"wrong": ["p1.ones: 4: expected 4, seen 2"]}


def test_a_player_may_ask_for_the_ways() -> None:
    # 15: the same step by step: the payment is a question where the answer before it says so.
    s = start(WISH, seats=(2, 2))
    buy = next(o for o in rw.legal(s) if o.ids == ("buy", "4"))
    rw.apply(s, buy, paying=True)
    assert question(s) == "p1: buy.money" and options(s) == ["stars 2", "ones 2 stars 1", "ones 4"]
    assert [o.text("en") for o in rw.legal(s)] == ["2 stars", "2 ones, 1 stars", "4 ones"]
    assert s.decision is not None and s.decision.shape == "way" and s.decision.prompt("en") == "How do you pay?"
    rw.apply(s, rw.legal(s)[2])
    assert question(s) == "p1: game.deeds" and [cell(s, "p1.ones"), cell(s, "p1.stars")] == [0, 2]


def test_the_default_yields_to_possibility() -> None:
    # 15: a plan that can be completed only by a worse way: that way is taken, and others are not offered.
    s = start(WISH, seats=(2, 2))
    fly = next(o for o in rw.legal(s) if o.ids == ("fly",))
    rw.apply(s, fly, paying=True)
    assert options(s) == ["ones 2 stars 1", "ones 4"]
    s = answer_all(start(WISH, seats=(2, 2)), "fly")
    assert [cell(s, "p1.ones"), cell(s, "p1.stars")] == [2, 0]


def test_inside_together_and_by_others_the_default_is_paid() -> None:
    # 13-15: nobody is asked inside `together`; a payer who is not the actor takes the default.
    text = WISH.replace(
        """    set p.days to n
""",
        """    together
        pay 1 money by p
        pay 2 money by p2
    pay 2 money by p2
    set p.days to n
""",
    )
    s = start(text, seats=(2, 2))
    answer_all(s, "buy 2 paying ones 2")
    assert question(s) == "p1: game.deeds" and [cell(s, "p1.ones"), cell(s, "p1.stars")] == [1, 2]
    assert [cell(s, "p2.ones"), cell(s, "p2.stars")] == [4, 0]


def test_change_and_other_holders_are_named() -> None:
    # 15: what comes back is part of a way.
    s = start(
        WISH.replace("purse money(p: Seat)", "purse money(p: Seat)\n    source p2.spare worth 3").replace(
            "    repeat while",
            "    move 1 token from bank to p1.fives\n    move 4 token from bank to p1.reserve\n"
            "    move 1 token from bank to p2.spare\n    repeat while",
        ),
        {"locale/en.yaml": "Seat: {p2: Ben}\nSeat.spare: spare tokens\n"},
        seats=(2, 2),
    )
    buy = next(o for o in rw.legal(s) if o.ids == ("buy", "3"))
    rw.apply(s, buy, paying=True)
    assert "p2.spare 1" in options(s) and "fives 1 back ones 2" in options(s)
    texts = {" ".join(o.ids): o.text("en") for o in rw.legal(s)}
    assert texts["fives 1 back ones 2"] == "1 fives (change: 2 ones)" and texts["p2.spare 1"] == "1 spare tokens (Ben)"


def test_worth_of_a_purse() -> None:
    # 15: `worth_of`: what lies in all sources together, as far as they count now.
    s = start(
        BASE
        + """
purse money(p: Seat)
    source p.fives worth 5
    for every z in seats: source z.stars worth 2 where z is p
kind Card
    field owner: Seat or none
card baker "Baker": Card
    while owner is not none
        source owner.spare of money worth 3 max 2 where owner.days > 0 once per game
value left(p: Seat): int = worth_of(money(p))
phase game
    do note(left(p1))
    move 2 star from sky to p1.stars
    move 1 star from sky to p2.stars
    move 1 token from bank to p1.fives
    move 3 token from bank to p1.spare
    do note(left(p1))
    set baker.owner to p1
    do note(left(p1))
    set p1.days to 1
    do note(left(p1) - 9)
    pay 3 money by p1
    do note(left(p1))
rule warned
    always for every p in seats where p is p2 and worth_of(money(p)) > 1 and p2.days is 0
        set p2.days to left(p2)
"""
    )
    # 0; two stars and a five: 9; the card counts from the first day on, with two of its three tokens: 6 more; one of
    # them is exactly 3, and then the card is used up
    assert cell(s, "trail") == 9969 and cell(s, "p1.spare") == 2 and cell(s, "p2.days") == 2


def test_a_purse_may_not_depend_on_itself() -> None:
    found = errors(
        BASE
        + """
purse money(p: Seat)
    source p.ones where rich(p)
value rich(p: Seat): bool = worth_of(money(p)) > 3
value poor(p: Seat): bool = worth_of(mony(p)) < 3
phase game
    do note(1 if rich(p1) or poor(p1) else 0)
"""
    )
    assert [d.code for d in found] == ["RW0805", "RW0241"]


def test_random_games_pay_in_the_usual_way_in_both_back_ends() -> None:
    # 15: without a wish nothing is chosen; so the only choices are the amounts, and both back ends go the same way.
    text = (
        BASE
        + """
purse money(p: Seat)
    source p.ones
    source p.stars worth 2
    default with lowest p.stars
phase turn(p: Seat)
    choose n in 1..4 by p
    pay n money
phase game
    for every p in seats
        move 9 token from bank to p.ones
        move 4 star from sky to p.stars
    for every p in seats: do turn(p)
"""
    )
    program = game(text, seats=(2, 2)).program
    for seed in range(4):
        # one star for each two that are paid, and a one for the rest
        first = play_on_both(program, seed)[0][-1]
        again = rw.Game(program).new(seed=1)
        answer_all(again, str(first))
        assert [cell(again, "p1.stars"), cell(again, "p1.ones")] == [4 - first // 2, 9 - first % 2]


# ---------------------------------------------------------------- what is paid for

BY_CAUSE = (
    BASE
    + """
purse money(p: Seat)
    source p.spare first where cause is meal
    source p.ones
action eat(p: Seat) of shop
    pay 3 money as meal
    do note(1)
action settle(p: Seat) of shop
    pay 3 money as fee
    do note(2)
phase game
    move 2 token from bank to p1.spare
    move {ones} token from bank to p1.ones
    offer shop by p1
"""
)


def test_a_source_may_serve_some_causes_only() -> None:
    """Two vouchers for meals and one token: a meal of 3 can be paid, a fee of 3 cannot."""
    state = start(BY_CAUSE.format(ones=1))
    assert cell(state, "trail") == 1  # the only option was taken
    assert held(state)[:2] == [0, 0]


def test_what_serves_a_cause_stays_for_another() -> None:
    state = start(BY_CAUSE.format(ones=3))
    assert options(state) == ["eat", "settle"]
    answer_all(state, "settle")
    assert held(state)[:2] == [2, 0]


def test_the_citations_in_a_purse_are_those_of_the_purse() -> None:
    cited = (
        FOOD.replace("purse food(p: Seat)", "purse food(p: Seat) [OR-1]")
        .replace("source p.ones to p.reserve", "source p.ones to p.reserve [OR-2]")
        .replace("with highest p.reserve", "with highest p.reserve [OR-3, OR-1]")
    )
    found = game(cited + HAVE.format(ones=0, fives=0, reserve=0)).program.cites["food"]
    assert sorted(found) == ["OR-1", "OR-2", "OR-3"]


def test_nothing_comes_into_a_source_that_is_never_back() -> None:
    # 15: tokens in `spare` are worth three, and only spent; change for a five and a gain of three go to the ones.
    purse = """
purse food(p: Seat)
    source p.ones to p.reserve
    source p.spare worth 3 to p.reserve never back
    source p.fives worth 5 to p.reserve
    change from p.reserve
    default with highest p.reserve
phase game
    move 1 token from bank to p1.fives
    move 9 token from bank to p1.reserve
"""
    assert held(start(BASE + purse + "    pay 1 food by p1 as meal\n")) == [0, 4, 0, 6]
    assert held(start(BASE + purse.replace(" never back", "") + "    pay 1 food by p1 as meal\n")) == [1, 1, 0, 8]
    assert held(start(BASE + purse + "    gain 3 food by p1 as meal\n")) == [0, 3, 1, 6]
    more = "    move 1 token from bank to p1.spare\n    pay 3 food by p1 as meal\n"
    assert held(start(BASE + purse + more)) == [0, 0, 1, 10]
