"""What hidden things may decide (docs/manual/16-knowledge.md): followed through names, parameters, fields, results and
answers, a choice is refused, a question is always put, or the author is told."""

from __future__ import annotations

from textwrap import dedent

import pytest

import interpreter as rw
from dsl.driver.load import check_texts
from tests.concepts.play import answer_all, errors, game, options, question, start
from tools.display.board import board_lines

HEAD = """
enum Cause: dealt, played
kind Card: 6
zone box: Card seen by nobody
zone pile: Card
kind Seat
    zone hand: Card seen by owner
    field secret: 0..5 seen by owner
field shared: set of Card
field asker: Seat
field public_number: 0..5
field told: bool
value score(p: Seat): int = size(p.hand) + p.secret
value low(c: Card): bool = c in {card_1, card_2}
value others(p: Seat, q: Seat): bool = p is not q
"""
DEAL = """
phase game
    for every c in Card: move c to box
    for every p in seats, i in 1..2
        random got in box
        move got to p.hand as dealt
    set p2.secret to 3
"""


def found(body: str, more: str = "") -> list[tuple[str, int, str]]:
    """(code, line from the first of `body`, message) of all errors and notes about secrets."""
    rules = HEAD + more + DEAL
    text = rules + dedent(body).strip("\n").replace("\n", "\n    ").join(["    ", "\n"])
    first = rules.count("\n")
    codes = ("RW1210", "RW1212", "RW1213")
    return [
        (d.code, text[: d.span.start].count("\n") - first + 1, d.message)
        for d in check_texts({"small.rules": text}, seats=(2, 3))
        if d.code in codes or d.severity.value == "error"
    ]


def codes(body: str, more: str = "") -> list[tuple[str, int]]:
    return [(code, line) for code, line, _ in found(body, more)]


# ------------------------------------------------------------ what decides a choice


TRICKS = {
    "a set": ("let s = p2.hand\nchoose c in s by p1\nmove c to pile as played", ""),
    "a number": ("let n = p2.secret\nchoose number k in 0..n by p1\nset p1.secret to k", ""),
    "a copy of a copy": ("let s = p2.hand\nlet t = s\nchoose c in t where c is not card_1 by p1\nmove c to pile", ""),
    "set later": ("let s: set of Card = {}\nset s to p2.hand\nchoose c in s by p1\nmove c to pile", ""),
    "a test of it": ("let t = card_1 in p2.hand\nchoose number k in 0..5 where t by p1\nset p1.secret to k", ""),
    "by an if": (
        "let n = 1\nif p2.secret > 2: set n to 2\nchoose number k in 0..n by p1\nset p1.secret to k",
        "",
    ),
    "by leaving": (
        "let n = do rich()\nchoose number k in 0..n by p1\nset p1.secret to k",
        "procedure rich() giving 0..5\n    if p2.secret > 2: give 5\n    give 1\n",
    ),
    "by a loop": (
        "let n = 0\nfor every k in 1..p2.secret: set n to k\nchoose number k in 0..n by p1\nset p1.secret to k",
        "",
    ),
    "the member of a loop": (
        "for every c in p2.hand\n    choose number k in 0..5 where k > 2 or low(c) by p1\n    set p1.secret to k",
        "",
    ),
    "a result": (
        "let s = do look(p2)\nchoose c in s by p1\nmove c to pile",
        "procedure look(p: Seat) giving set of Card\n    give p.hand\n",
    ),
    "a value": ("let s = held(p2)\nchoose c in s by p1\nmove c to pile", "value held(p: Seat): set of Card = p.hand\n"),
    "a secret answer": (
        "choose some cs in p2.hand exactly 1 by p2 seen by p2\nchoose c in Card where c in cs by p1\nmove c to pile",
        "",
    ),
    "a secret draw": ("random number n in 0..5 seen by p2\nchoose number k in 0..n by p1\nset p1.secret to k", ""),
    "who was p1": (
        "let q = p1\nlet s = q.hand\nset q to p2\nset s to q.hand\nchoose c in s by p1\nmove c to pile",
        "",
    ),
    "another turn": (
        "let before: set of Card = {}\nfor every p in seats\n    choose c in before by p if any\n    move c to pile\n"
        "    set before to p.hand",
        "",
    ),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_a_choice_is_refused_where_hidden_things_decide_it(trick: str) -> None:
    # 16: the condition of a choice may read only what the asked player sees, by whatever name it goes.
    body, more = TRICKS[trick]
    assert "RW1210" in [code for code, _ in codes(body, more)]


ACTIONS = """
action spend(p: Seat, n: 0..5) of work
    require p.secret >= n because "not enough"
    set p.secret to p.secret - n
action put(p: Seat, c: Card) of work
    choose d in p.hand where d is not c by p
    move d to pile as played
action rob(p: Seat, q: Seat) of work
    choose d in q.hand by q
    move d to pile as played
value able(q: Seat): bool = possible(spend(q, 3))
"""
TRIED = {
    "a demand": ("choose number k in 0..5 where possible(spend(p2, k)) by p1\nset public_number to k", "RW1210"),
    "in a value": ("choose q in seats where able(q) by p1\nset asker to q", "RW1210"),
    "a choice": ("choose q in seats where possible(put(q, card_1)) by p1\nset asker to q", "RW1210"),
    "a branch": ("if possible(spend(p2, 3)): set public_number to 1", "RW1212"),
    "one's own": ("choose number k in 0..5 where possible(spend(p1, k)) by p1\nset p1.secret to k", ""),
    "one's own in a value": ("choose q in seats where q is p1 and able(p1) by p1\nset asker to q", ""),
    "another is asked": ("choose q in seats where possible(rob(p1, q)) by p1\nset asker to q", ""),
    "told openly": ("if openly(possible(spend(p2, 3))): set public_number to 1", ""),
    "offered": ("offer work by p1", ""),
}


@pytest.mark.parametrize("name", TRIED)
def test_whether_an_action_can_be_done_tells_what_decides_it(name: str) -> None:
    body, code = TRIED[name]
    assert codes(body, ACTIONS) == ([(code, 1)] if code else [])


def test_a_parameter_has_the_audience_of_its_arguments() -> None:
    # 16: one call is enough to make it a peek; a routine that is given only what its actor sees is accepted.
    steal = "procedure steal(p: Seat, s: set of Card)\n    choose c in s by p\n    move c to pile as played\n"
    assert [code for code, _, _ in found("do steal(p1, p1.hand)\ndo steal(p1, p2.hand)", steal)] == ["RW1210"]
    assert found("do steal(p1, p1.hand)\nfor every p in seats: do steal(p, p.hand)", steal) == []


def test_what_is_put_into_an_open_field_is_noted_and_then_open() -> None:
    # 16: a field shows what is put into it to all who see it.
    body = "set shared to {}\nchoose c in shared by p1\nmove c to pile as played"
    assert codes(body.format("p2.hand")) == [("RW1212", 1)]
    assert codes(body.format("openly(p2.hand)")) == []


HARMLESS = {
    "an alias": "for every p in seats\n    let q = p\n    choose c in q.hand by p\n    move c to pile",
    "an alias of the chooser": "for every p in seats\n    let q = p\n    choose c in p.hand by q\n    move c to pile",
    "a field": "set asker to p2\nlet q = asker\nchoose c in q.hand by asker\nmove c to pile",
    "what was chosen": (
        "choose q in seats by p1\nchoose c in q.hand by q\nmove c to pile\nlet mine = q.hand\n"
        "choose d in mine by q if any\nmove d to pile"
    ),
    "either": (
        "let q = p1\nif told: set q to p2\nlet s = q.hand\nchoose c in s by q\nmove c to pile\nset told to true"
    ),
    "its size": "let n = size(p2.hand)\nchoose number k in 0..n by p1\nset p1.secret to k",
    "one's own": "for every p in seats\n    let n = p.secret\n    choose number k in 0..n by p\n    set p.secret to k",
    "an own answer": (
        "choose some cs in p2.hand exactly 2 by p2 seen by p2\nchoose c in Card where c in cs by p2 seen by p2\n"
        "move c to box as played"
    ),
    "shown before": "let s = p2.hand\nshow s to p1\nchoose c in s by p1\nmove c to pile",
    "laid open before": (
        "random c in box\nmove c to pile\nchoose number k in 0..5 where k > 2 or low(c) by p1\nset p1.secret to k"
    ),
    "told openly": "let n = openly(p2.secret)\nchoose number k in 0..n by p1\nset p1.secret to k",
    "a plan": (
        "for every p in seats\n    plan by p\n        choose number k in 0..p.secret\n        set p.secret to k"
    ),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_a_choice_is_accepted_where_the_chooser_sees_what_decides_it(name: str) -> None:
    assert found(HARMLESS[name]) == []


def test_a_field_that_changes_is_no_alias_any_more() -> None:
    # 16: `q` is who asked before, and `asker` another.
    body = "set asker to p2\nlet q = asker\nset asker to p1\nchoose c in q.hand by asker\nmove c to pile"
    assert codes(body) == [("RW1210", 4)]
    body = "set asker to p2\nlet q = asker\nset asker to p1\nchoose c in q.hand by q\nmove c to pile"
    assert codes(body) == []


def test_a_plan_asks_for_the_actor_that_owns_it() -> None:
    # 9: without `by` the one who acts chooses, here a nation, which sees its own hand.
    more = """
kind Nation: 2 decided by player
    zone cards: Card seen by owner
    field money: 0..9
value player(n: Nation): Seat = p1 if n is nation_1 else p2
value rich(n: Nation): int = count(c in n.cards where low(c))
procedure buy(n: Nation)
    plan by n
        choose number k in 0..rich(n){}
        set n.money to k
"""
    for by in ("", " by n"):
        assert found("for every n in Nation: do buy(n)", more.format(by)) == []


# ------------------------------------------------------------ what is asked always


def test_what_comes_from_hidden_things_is_asked_always() -> None:
    # 9 and 16: a single answer is not taken in silence where the others would learn why there is only one.
    body = DEAL + "    for every p in seats\n        {}\n        move c to pile\n    choose number k in 1..2 by p1\n"
    for ask in (
        "choose c in p.hand where low(c) by p if any",
        "let mine = p.hand\n        choose c in mine where low(c) by p if any",
    ):
        s = start(HEAD + body.format(ask), seats=(2, 2), script=[["card_3"], ["card_4"], ["card_1"], ["card_5"]])
        asked = []
        while s.decision is not None and s.decision.address.endswith(".c"):
            asked.append((s.decision.seat, options(s)))
            rw.apply(s, rw.legal(s)[0])
        assert [seat for seat, _ in asked] == [1, 2]


BONUS = """
enum Cause: dealt, used
kind Card: 3
kind Bonus: 3
kind Military: Card, Bonus
zone box: Military seen by nobody
zone gone: Military seen by nobody
kind Seat
    zone hand: Military seen by owner
value score(p: Seat): int = size(p.hand)
phase game
    for every c in Military: move c to box
    for every i in 1..4
        random c in box seen by p2
        move c to p2.hand as dealt
    do defend(p2)
phase defend(q: Seat)
    choose some cs in q.hand exactly 2 by q seen by q
    choose some bs in Bonus where bs in cs by q seen by q
    if some bs: show bs to seats
    for every c in cs: move c to gone as used
    choose number n in 0..1 by p1
"""


@pytest.mark.parametrize("answers", [("card_1", "card_2"), ("card_1", "bonus_1")])
def test_a_question_behind_a_secret_answer_is_put_whatever_the_answer_was(answers: tuple[str, ...]) -> None:
    # 16: whether it is put would tell the others whether a bonus was discarded.
    s = start(BONUS, seats=(2, 2), script=[["card_1"], ["card_2"], ["bonus_1"], ["bonus_2"]])
    answer_all(s, " ".join(answers))
    assert question(s) == "p2: defend.bs"


# ------------------------------------------------------------ what is noted


NOTED = {
    "set": "set public_number to p2.secret",
    "a fold": "set public_number to max(p in seats: p.secret)",
    "an order": "set asker to first(p in seats with highest p.secret)",
    "a condition of a fold": "set asker to first(p in seats where p.secret > 4 or p is p2)",
    "a value": "set public_number to score(p2)",
    "to another": "set p1.secret to p2.secret",
    "who is asked": (
        "for every p in ranked(p in seats with highest p.secret)\n    choose number n in 0..5 by p\n"
        "    set public_number to n"
    ),
    "a draw": "random winner in tied(p in seats with highest p.secret)\nset asker to winner",
    "weights": "random q in seats by q.secret + 1\nset asker to q",
    "a number drawn": "random number n in 0..p2.secret\nset public_number to n",
    "whether something is shown": "for every p in seats where p.secret > 3: show p.hand to seats",
    "to whom something is shown": "show card_1 to set(p in seats where p.secret > 3)",
    "a draw for another": "random number n in 0..p2.secret seen by p1\nset p1.secret to n",
    "how many are moved openly": "for every c in set(c in p2.hand where low(c)): move c to pile as played",
    "if": "if p1.secret > 3: set told to true",
    "whether one is asked": (
        "do quit()",
        "procedure quit()\n    if p1.secret > 3: stop quit\n    choose number n in 0..5 by p2\n"
        "    set public_number to n\n",
    ),
    "a call": ("if p2.secret > 2: do win(p1)", "procedure win(q: Seat)\n    set q.secret to 1\n"),
    "a call of a call": (
        "if p2.secret > 2: do win(p1)",
        "procedure win(q: Seat)\n    do won(q)\nprocedure won(r: Seat)\n    set r.secret to 1\n",
    ),
    "a trigger": (
        "for every c in box: move c to cellar",
        "zone cellar: Card seen by nobody\nrule r\n    after move(c: Card, a, b) where low(c)\n"
        "        set p1.secret to 1\n",
    ),
    "that a modifier holds": (
        "if p2.secret > 2\n    until end of game\n        modify worth(q) by 1\nset public_number to worth(p1)",
        "value worth(p: Seat): int = 1\n",
    ),
    "where": "let best = first(p in seats with highest p.secret)\nset best.hurt to true",
    "a let": "let n = p2.secret\nset public_number to n",
    "an amount": "gain p2.secret coin by p1",
}
COINS = "piece coin\nkind Seat\n    zone purse: coin\n    field hurt: bool\n"


@pytest.mark.parametrize("name", NOTED)
def test_what_becomes_known_to_others_is_noted_once(name: str) -> None:
    # 16: one note for each line that tells, and none where `openly` says that it is meant.
    case = NOTED[name]
    body, more = (case, "") if isinstance(case, str) else case
    assert [code for code, _ in codes(body, COINS + more)] == ["RW1212"]


OPENLY = {
    "set": "set public_number to openly(p2.secret)",
    "an order": "set asker to first(p in seats with highest openly(p.secret))",
    "an order as a whole": "set asker to openly(first(p in seats with highest p.secret))",
    "weights": "random q in seats by openly(q.secret) + 1\nset asker to q",
    "a draw": "random winner in openly(tied(p in seats with highest p.secret))\nset asker to winner",
    "a draw for oneself": "random number n in 0..p2.secret seen by p2\nset p2.secret to n",
    "a whole hand is moved openly": "for every c in p2.hand: move c to pile as played",
    "how many are moved openly": "for every c in openly(set(c in p2.hand where low(c))): move c to pile as played",
    "not seen by more": "for every p in seats: set p.secret to min(p.secret + 1, 5)",
    "shown before": "for every p in seats: show p.hand to seats\nset told to card_1 in p2.hand",
    "into what nobody sees": "set hidden_number to p2.secret",
    "one's own by a call": ("if p2.secret > 2: do win(p2)", "procedure win(q: Seat)\n    set q.secret to 1\n"),
    "a move": "for every c in p2.hand: move c to pile",
    "a variable that is open in one place": ("let n = p2.secret\nset public_number to openly(n)"),
}


@pytest.mark.parametrize("name", OPENLY)
def test_what_is_meant_to_be_known_is_not_noted(name: str) -> None:
    body, more = (OPENLY[name], "") if isinstance(OPENLY[name], str) else OPENLY[name]
    assert found(body, "field hidden_number: 0..9 seen by nobody\n" + more) == []


def test_openly_opens_one_reading_of_a_name_and_no_other() -> None:
    body = "let n = p2.secret\nset public_number to openly(n)\nset public_number to n"
    assert codes(body) == [("RW1212", 3)]
    body = "let t = p2.secret > 3\nif openly(t and told) and not told: set told to true\nif t: set told to true"
    assert codes(body) == [("RW1212", 3)]


# ------------------------------------------------------------ `openly`


def test_a_test_inside_openly_narrows() -> None:
    # 16: `openly(P)` is P; what P proves is known.
    rules = """
    kind Red: 3
        field val: 0..5
    kind Blue: 3
        field other: bool
    kind Card: Red, Blue
    zone deck: Card seen by nobody ordered
    value sc(p: Seat): int = red_1.val
    phase game
        for every c in Card: move c to deck
        choose number n in 0..1 by p1
        let c = front(deck)
        if c is not none
            if openly(c in Red): set c.val to n
            else if not openly(c in Red) and openly(n > 0): set c.other to true
        let d = front(deck)
        if openly(d is not none): move d to deck
    """
    assert [d.message for d in errors(rules) if d.span.start < dedent(rules).index("else if")] == []
    game(rules.replace("            else if not openly(c in Red) and openly(n > 0): set c.other to true\n", ""))


def test_one_mistake_inside_openly_gives_one_error() -> None:
    # 16: `openly` takes any value; a condition is still needed where one is.
    assert [code for code, _, _ in found("random x in openly(p2.secret)\nset public_number to x")] != []
    assert len(found("random x in openly(p2.secret)\nset asker to p1")) == 1
    assert len(found("if openly(p2.secret): set told to true")) == 1


def test_a_demand_may_read_what_all_may_learn() -> None:
    # 11 and 16: what an action demands decides whether it is offered.
    more = """
action dig(p: Seat) of chores
    require {} because "no low card"
    set p.secret to 1
"""
    body = "offer chores by p1 or decline"
    assert "RW1210" in [c for c, _, _ in found(body, more.format("any(c in box where low(c))"))]
    assert found(body, more.format("openly(any(c in box where low(c)))")) == []


# ------------------------------------------------------------ predicates as audiences


def test_a_predicate_is_asked_in_play_for_the_one_who_chooses() -> None:
    # 16: who sees by a predicate is known in play only; a choice of one who does not see is a fault of the rules.
    rules = HEAD + "zone vault: Card seen by keeper\nfield keeper_: Seat\nvalue keeper(p: Seat): bool = p is keeper_\n"
    rules += "phase game\n    for every c in Card: move c to vault\n    set keeper_ to p2\n"
    body = "    choose c in vault by {}\n    move c to pile as played\n"
    s = start(rules + body.format("p2"), seats=(2, 2))
    assert question(s) == "p2: game.c" and len(options(s)) == 6
    with pytest.raises(rw.RulesetError, match="`vault`.*p1"):
        start(rules + body.format("p1"), seats=(2, 2))


HANABI = """
zone deck: Card seen by nobody
kind Seat
    zone cards: Card ordered seen by others
phase game
    for every c in Card: move c to deck
    for every p in seats, i in 1..3
        random drawn in deck
        move drawn to p.cards as dealt
    for every p in seats
        {}
        move c to pile as played
"""


def test_who_does_not_see_his_own_cards_chooses_a_place() -> None:
    # 16: cards that the chooser does not see are not offered by name; the number of a place is.
    with pytest.raises(rw.RulesetError, match="`Seat.cards`.*p1"):
        start(HEAD + HANABI.format("choose c in p.cards by p"), seats=(2, 2), seed=1)
    ask = "choose number k in 1..size(p.cards) by p\n        let c = p.cards[k]"
    s = start(HEAD + HANABI.format(ask), seats=(2, 2), seed=1)
    assert question(s) == "p1: game.k" and options(s) == ["1", "2", "3"]
    assert rw.view(s, 1)["state"]["Seat.cards"]["p1"] == {"hidden": 3}
    third = rw.view(s, 2)["state"]["Seat.cards"]["p1"][2]
    answer_all(s, "3")
    assert rw.view(s, 1)["state"]["pile"] == [third]


def test_another_s_cards_that_the_chooser_sees_are_offered() -> None:
    ask = "choose q in seats where q is not p by p\n        choose c in q.cards by p"
    s = start(HEAD + HANABI.format(ask), seats=(2, 2))
    if question(s) == "p1: game.q":
        answer_all(s, "p2")
    assert question(s) == "p1: game.c" and len(options(s)) == 3


def test_a_copy_of_what_a_predicate_lets_see_is_refused() -> None:
    body = "for every p in seats\n    let s = p.cards\n    choose c in s by p\n    move c to pile"
    told = found(body, "kind Seat\n    zone cards: Card seen by others\n")
    assert [code for code, _, _ in told] == ["RW1210"] and "`others`" in told[0][2]


def test_a_wrong_predicate_gives_one_error() -> None:
    told = found("choose c in vault by p1\nmove c to pile", "zone vault: Card seen by low\n")
    assert [code for code, _, _ in told] == ["RW0402"]


# ------------------------------------------------------------ the end of a question, and seats that nobody sits on


PASS = """
enum Cause: dealt, passed
kind Card: 12
zone box: Card seen by nobody
kind Seat
    zone hand: Card seen by owner
    zone passed: Card seen by owner
value score(p: Seat): int = size(p.passed)
phase game
    for every c in Card: move c to box
    for every p in seats, i in 1..4
        random c in box
        move c to p.hand as dealt
    for every p in seats
        choose some cs in p.hand {} by p seen by p
        move cs to p.passed as passed
"""


def test_a_fixed_number_that_is_reached_ends_the_question() -> None:
    # 9: nothing can be learnt from not asking whether two of two are all.
    s = start(PASS.format("exactly 2"), seats=(2, 2), seed=1)
    mine = rw.view(s, 1)["state"]["Seat.hand"]["p1"]
    answer_all(s, f"{mine[0]} {mine[1]}")
    assert question(s) == "p2: game.cs"


def test_a_number_that_is_not_fixed_does_not() -> None:
    # 9: who stops before the number is reached, or may go on, is asked; the others do not learn which it was.
    s = start(PASS.format("at most 3"), seats=(2, 2), seed=1)
    mine = rw.view(s, 1)["state"]["Seat.hand"]["p1"]
    rw.apply(s, next(o for o in rw.legal(s) if o.ids == (mine[3],)))
    assert question(s) == "p1: game.cs" and options(s) == ["ready"]


def test_views_list_only_seats_that_somebody_sits_on() -> None:
    s = start(PASS.format("exactly 2"), seats=(2, 3))
    assert s.seats == 2 and list(rw.view(s, 1)["state"]["Seat.hand"]) == ["p1", "p2"]
    assert "p3" not in " ".join(line.plain for line in board_lines(s, 1, "en", 100))


# ------------------------------------------------------------ demands inside plans


def test_a_demand_inside_a_plan_is_refused_where_who_plans_does_not_see_what_decides_it() -> None:
    # 11 and 16: answers after which it would fail are not offered, so the options would tell.
    more = """
action guess(p: Seat, q: Seat) of chores
    require q is not p
    choose number k in 0..5
    do check(k, {})
    set p.secret to k
procedure check(k: 0..5, q: Seat)
    require k >= q.secret because "too low"
"""
    body = "offer chores by p1 or decline"
    assert codes(body, more.format("p")) == []
    assert [code for code, _ in codes(body, more.format("q"))] == ["RW1210"]
    plan = (
        "plan by p1\n    choose number k in 0..5\n    require k >= {}.secret because 'too low'\n    set p1.secret to k"
    )
    assert codes(plan.format("p1").replace("'", '"')) == []
    assert codes(plan.format("p2").replace("'", '"')) == [("RW1210", 3)]
    assert codes('require p2.secret >= 0 because "no"\nset told to true') == []


def test_options_that_a_demand_on_hidden_things_leaves_are_put_always() -> None:
    # 9 and 16: that one answer is left would tell the others what p1 holds.
    body = """
    for every p in seats
        plan by p
            choose number k in 0..3
            require k >= p.secret because "too low"
            set public_number to k
    choose number j in 0..1 by p1
    set public_number to j
"""
    s = start(HEAD + DEAL + body, seats=(2, 2))
    answer_all(s, "3")
    assert question(s) == "p2: game.k" and options(s) == ["3"]


def test_what_can_be_moved_inside_a_plan_tells_how_much_is_there() -> None:
    more = "piece gem\nkind Seat\n    zone safe: gem seen by owner\n    zone open_safe: gem\n"
    plan = "plan by p1\n    choose number k in 0..1\n    move k gem from {} to p1.open_safe"
    assert codes(plan.format("p1.safe"), more) == []
    assert codes(plan.format("p2.safe"), more) == [("RW1210", 3)]


# ------------------------------------------------------------ what texts and reasons name


def test_a_text_that_names_a_variable_shows_it_to_those_alone_who_may_know_it() -> None:
    # 16: a line of the log, a question and a reason contain nothing that their reader may not see.
    rules = (
        HEAD
        + DEAL
        + """
    let n = SEAT.secret
    choose number k in 0..1 by p2
    set p1.secret to min(n, k)
    choose number j in 0..1 by p1
    set public_number to j
"""
    )
    texts = {"locale/en.yaml": 'game.k.ask: "of {n}?"\ngame.k.done: "{actor} takes {k} of {n}"\ngame.j.ask: "and?"\n'}
    own = start(rules.replace("SEAT", "p2"), texts, seats=(2, 2))
    assert own.decision is not None and own.decision.prompt() == "of 3?"
    answer_all(own, "1")
    assert "takes 1 of 3" in rw.log_for(own, 2)[-1]
    assert all("of 3" not in " ".join(rw.log_for(own, seat)) for seat in (1, None))
    other = start(rules.replace("SEAT", "p1"), texts, seats=(2, 2))
    assert other.decision is not None and "0" not in other.decision.prompt()


def test_a_reason_does_not_show_what_a_variable_holds_of_another_s_hand() -> None:
    body = """
    let s = p2.hand
    choose one by p1
        case low where no s: set public_number to 1
        case high: set public_number to 2
        case none_: set public_number to 3
    set p1.secret to size(s)
"""
    state = start(HEAD + DEAL + body, seats=(2, 2))
    held = rw.view(state, 2)["state"]["Seat.hand"]["p2"]
    shown = " ".join(r.line() for r in rw.explain(state, "low"))
    assert "no s" in shown and not any(card in shown for card in held)
