"""Why an answer is refused: the demand that fails is told, in words, and nothing that the reader may not know."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.everywhere import played
from tests.concepts.play import start
from tools.table.reasons import reason_lines

CLAUSES = {"clauses.yaml": "GA-1: {title: Height, source: p}\nGA-2: {title: Reach, source: p}\n"}
FORCE = """
kind Unit: 3
    field men: 0..9
kind Seat

phase game
    for every u in Unit: set u.men to 3
    do send(p1, 5)

procedure send(w: Seat, due: 0..99)
    plan by w
        choose amounts n for u in Unit each 0..u.men total n at least 1 by w
        choose number m in 0..2 by w
        require sum(u in Unit: n[u]) + m >= due because "that is less than you bid"
        for every u in Unit: set u.men to u.men - n[u]
        choose some us in Unit exactly 1 by w such that every(u in us: u.men < 3) because "it has to have fought"
"""


def because(found: list[rw.Reason]) -> list[str]:
    return [r.because for r in found]


def test_an_answer_of_amounts_that_a_later_demand_forbids_is_told_that_demand() -> None:
    state = start(FORCE, seats=(2, 2))
    for typed in ("unit_3 2", "unit_2 1, unit_3 1"):
        assert because(rw.explain(state, typed)) == ["that is less than you bid"], typed
        with pytest.raises(rw.IllegalAnswer, match="that is less than you bid"):
            rw.answer(state, typed)
    assert rw.explain(state, "unit_1 3") == rw.explain(state, "unit_1 2, unit_3 1") == []


def test_an_answer_that_has_begun_may_not_end_because_of_the_demand() -> None:
    state = start(FORCE, seats=(2, 2))
    rw.apply(state, next(o for o in rw.legal(state) if o.ids == ("unit_1", "1")))
    assert because(rw.explain(state, "ready")) == ["that is less than you bid"]
    assert because(rw.explain(state, "unit_2 1")) == []  # more may follow
    assert because(rw.explain(state, "unit_3 1")) == ["that is less than you bid"]


def test_a_later_question_without_an_answer_names_its_condition() -> None:
    rules = FORCE.replace("exactly 1", "exactly 2").replace("do send(p1, 5)", "do send(p1, 1)")
    state = start(rules, seats=(2, 2))
    assert because(rw.explain(state, "unit_3 3")) == ["it has to have fought"]
    with pytest.raises(rw.IllegalAnswer, match="it has to have fought"):
        rw.answer(state, "unit_1 3")


def test_bounds_are_told_where_they_stand_in_the_way() -> None:
    state = start(FORCE.replace("at least 1 by w", "at least 1 at most 4 by w"), seats=(2, 2))
    (reason,) = rw.explain(state, "unit_1 3, unit_2 3")
    assert reason.text == "the whole answer cannot be completed with it (at least 1, at most 4)"


CARDS = """
kind Card from "cards.yaml"
    const cost: 0..9
    field tapped: bool
kind Seat

phase game
    choose c in Card where c.cost <= 3 and not c.tapped because "it is too dear" by p1
    set c.tapped to true
    choose some cs in Card at most 2 by p1 such that sum(c in cs: c.cost) <= 3 because "together they are too dear"
    for every c in cs: set c.tapped to true
    choose one by p1
        case take(c: Card) where c.tapped because "it is not ready": set c.tapped to false
        case rest
    offer acts by p1 or decline

action sell(p: Seat, c: Card) of acts where c.cost > 1 because "nobody wants it"
    set c.tapped to false
"""
COSTS = {"cards.yaml": "Card: {ant: {cost: 1}, bee: {cost: 2}, cat: {cost: 3}, dog: {cost: 4}}\n"}


def test_a_condition_of_a_choice_has_a_reason_of_its_own() -> None:
    state = start(CARDS, COSTS, seats=(2, 2))
    for typed, wanted, key, then in (
        ("dog", "it is too dear", "game.c.where", "ant"),
        ("bee, cat", "together they are too dear", "game.cs.such_that", "bee, ready"),
        ("take cat", "it is not ready", "game.one.take.where", "rest"),
        ("sell ant", "nobody wants it", "sell.where", "sell bee"),
    ):
        (reason,) = rw.explain(state, typed)
        assert (reason.because, reason.key) == (wanted, key)
        with pytest.raises(rw.IllegalAnswer, match=wanted):
            rw.answer(state, typed)
        rw.answer(state, then)


SEVERAL = """
kind Card from "cards.yaml"
    const cost: 0..9
    field tapped: bool
kind Seat

phase game
    set dog.tapped to true
    choose c in Card where not c.tapped because "it is tapped" where c.cost > 1
        where c.cost <= 3 because "it is too dear" by p1
    choose some cs in Card at most 2 by p1 such that sum(c in cs: c.cost) <= 4 because "together they are too dear"
        such that not (ant in cs and bee in cs) because "ant and bee fight"
    for every c in cs: set c.tapped to true
    choose one by p1
        case take(c: Card) where c.tapped because "it is not ready" where c.cost < 3 because "it is heavy"
            set c.tapped to false
        case rest
    offer acts by p1 or decline

action sell(p: Seat, c: Card) of acts where c.cost > 1 because "nobody wants it" where c.tapped because "it is in use"
    set c.tapped to false
"""


def test_each_condition_of_a_question_has_a_reason_of_its_own() -> None:
    state = start(SEVERAL, COSTS, seats=(2, 2))
    for typed, wanted, then in (
        ("dog", {"game.c.where": "it is tapped", "game.c.where.2": "it is too dear"}, "cat"),
        ("ant, dog", {"game.cs.such_that": "together they are too dear"}, ""),
        ("ant, bee", {"game.cs.such_that.2": "ant and bee fight"}, "ant, cat"),
        ("take bee", {"game.one.take.where": "it is not ready"}, ""),
        ("take dog", {"game.one.take.where.2": "it is heavy"}, "rest"),
        ("sell ant", {"sell.where": "nobody wants it"}, ""),
        ("sell bee", {"sell.where.2": "it is in use"}, "sell cat"),
    ):
        found = rw.explain(state, typed)
        assert {r.key: r.because for r in found} == wanted, typed
        with pytest.raises(rw.IllegalAnswer, match=next(iter(wanted.values()))):
            rw.answer(state, typed)
        if then:
            rw.answer(state, then)


def test_several_conditions_offer_the_same_on_every_machine() -> None:
    for seed in (1, 2, 3):
        assert played(SEVERAL, seed=seed, data=COSTS).decision is None


def test_a_condition_without_a_reason_stays_in_words_beside_one_that_has_it() -> None:
    state = start(SEVERAL, COSTS, seats=(2, 2))
    (reason,) = rw.explain(state, "ant")
    assert (reason.because, reason.key, reason.text) == ("", "", "c.cost > 1")


def test_the_reason_of_a_condition_is_shown_in_the_language_of_the_screen() -> None:
    texts = {"locale/ja.yaml": "game.c.where: 高すぎる\n", "locale/en.yaml": "game.c.where: too expensive\n"}
    state = start(CARDS, COSTS | texts, seats=(2, 2))
    assert state.decision is not None
    found = rw.explain(state, "dog")
    shown = {lang: "\n".join(reason_lines(state.decision, found, lang)) for lang in ("en", "ja")}
    assert "too expensive" in shown["en"] and "高すぎる" in shown["ja"]


GARDEN = """
enum Sort: apple, pear
kind Tree: 7
    const sort: Sort
    field height: 0..9
    field owner_of: Seat or none
    field pruned: bool
kind Seat
    field ladder: 0..9

value high(n: int): set of Tree = set(t in Tree where t.height >= n)                                       [GA-1]
value small: set of Tree = set(t in Tree where t.height < 3)
value mine(p: Seat): set of Tree = set(t in Tree where t.owner_of is p)
value within_reach(p: Seat, t: Tree): bool = t.height <= p.ladder and (t.pruned or t.owner_of is p)       [GA-2]
value both(p: Seat): set of Tree = high(2) + mine(p)
value left_over(p: Seat): set of Tree = small - mine(p)
value with_block(p: Seat): set of Tree
    let own = mine(p)
    = set(t in own where t.pruned)

phase game
    set tree_1.owner_of to p1
    set tree_2.height to 5
    set tree_3.height to 7
    set tree_3.owner_of to p1
    set tree_3.pruned to true
    set tree_4.pruned to true
    set tree_5.owner_of to p1
    set tree_5.pruned to true
    set tree_6.height to 2
    set p1.ladder to 4
    {body}
    set t.pruned to true
"""


@pytest.mark.parametrize(
    ("body", "typed", "wanted", "cites"),
    [
        ("choose t in high(2) by p1", "tree_1", "height of tree_1 is 0, and must be at least 2", ("GA-1",)),
        ("choose t in small by p1", "tree_2", "height of tree_2 is 5, and must be less than 3", ()),
        ("choose t in mine(p1) by p1", "tree_2", "owner of of tree_2 is none, and must be p1 (you)", ()),
        (
            "choose t in both(p1) by p1",
            "tree_4",
            "height of tree_4 is 0, and must be at least 2; or owner of of tree_4 is none, and must be p1 (you)",
            ("GA-1",),
        ),
        ("choose t in left_over(p1) by p1", "tree_1", "tree_1 is in your mine", ()),
        ("choose t in left_over(p1) by p1", "tree_2", "height of tree_2 is 5, and must be less than 3", ()),
        ("choose t in high(2) - {{tree_2}} by p1", "tree_2", "it must not be tree_2", ()),
        ("choose t in with_block(p1) by p1", "tree_1", "not so: pruned of tree_1", ()),
        (
            "choose t in Tree where within_reach(p1, t) by p1",
            "tree_2",
            "height of tree_2 is 5, and must be at most 4 (your ladder); "
            "not so: pruned of tree_2; or owner of of tree_2 is none, and must be p1 (you)",
            ("GA-2",),
        ),
        (
            "choose t in Tree where within_reach(p1, t) by p1",
            "tree_3",
            "height of tree_3 is 7, and must be at most 4 (your ladder)",
            ("GA-2",),
        ),
        (
            "choose t in Tree where not (t.height > 3 and not t.pruned) by p1",
            "tree_2",
            "height of tree_2 is 5, and must be at most 3; or not so: pruned of tree_2",
            (),
        ),
        (
            "choose t in Tree where any(u in mine(p1): u.height > t.height) by p1",
            "tree_3",
            "tree_1: height of tree_1 is 0, and must be more than 7 (height of tree_3); tree_3: height of "
            "tree_3 is 7, and must be more than 7; tree_5: height of tree_5 is 0, and must be more than 7 "
            "(height of tree_3)",
            (),
        ),
        (
            "choose t in Tree where every(u in mine(p1): u.height >= t.height) by p1",
            "tree_2",
            "height of tree_1 is 0, and must be at least 5 (height of tree_2)",
            (),
        ),
        (
            "let free = set(t in Tree where t.height > 4)\n    choose t in free by p1",
            "tree_4",
            "height of tree_4 is 0, and must be more than 4",
            (),
        ),
        (
            "choose t in set(u in Tree, v in small where v.pruned and u.height > v.height + 4: u) by p1",
            "tree_6",
            "tree_4: height of tree_6 is 2, and must be more than 4; "
            "tree_5: height of tree_6 is 2, and must be more than 4",
            (),
        ),
        (
            "choose t in set(u in {{tree_1}}, v in mine(p1) where v.height >= u.height and v.pruned: v) by p1",
            "tree_1",
            "not so: pruned of tree_1",
            (),
        ),
        (
            "choose t in set(p in seats, v in mine(p) where v.pruned: v) by p1",
            "tree_2",
            "p1: owner of of tree_2 is none, and must be p1 (you); "
            "p2: owner of of tree_2 is none, and must be p2",
            (),
        ),
    ],
)  # fmt: skip
def test_what_stands_behind_a_set_or_a_named_condition_is_told_in_words(
    body: str, typed: str, wanted: str, cites: tuple[str, ...]
) -> None:
    state = start(GARDEN.format(body=body.replace("{{", "{").replace("}}", "}")), CLAUSES, seats=(2, 2))
    (reason,) = rw.explain(state, typed)
    assert state.game.texts.render("en", reason.message) == wanted
    assert reason.cites == cites


PATHS = """
kind Hut: 4
    field next: Hut or none
    field open: bool
    field rent: 0..9
kind Seat
    zone hand: Hut seen by owner

phase game
    set hut_1.next to hut_2
    set hut_2.next to hut_4
    set hut_2.open to true
    set hut_1.rent to 5
    set hut_3.next to hut_4
    set hut_3.rent to 3
    choose h in set(g in Hut where {test}: g.next) by p1 or decline
    set h.rent to 9
"""


@pytest.mark.parametrize(
    ("test", "typed", "wanted"),
    [
        ("g.open", "hut_2", "not so: open of hut_1"),
        ("g.rent > 3", "hut_4", "hut_2: rent of hut_2 is 0, and must be more than 3; "
         "hut_3: rent of hut_3 is 3, and must be more than 3"),
        ("g.next is not none and (g.rent > 5 or g.next.open and g.rent < 4 or g is hut_3)", "hut_2",
         "rent of hut_1 is 5, and must be more than 5; or rent of hut_1 is 5, and must be less than 4; or it would "
         "have to be hut_3, not hut_1"),
        ("g.open", "hut_3", "hut_3 is not among what may be chosen"),  # which is next to nothing
    ],
)  # fmt: skip
def test_a_set_of_what_others_lead_to_is_told_by_these(test: str, typed: str, wanted: str) -> None:
    state = start(PATHS.format(test=test), seats=(2, 2))
    (reason,) = rw.explain(state, typed)
    assert state.game.texts.render("en", reason.message) == wanted


def test_of_a_set_of_several_names_nothing_is_told_that_the_reader_may_not_see() -> None:
    """The seat that is asked is told the part that fails, others are told the same whatever is in its hand."""
    test = "any(k in p1.hand: k.rent > 6) and g.open or g is hut_1"
    states = [
        start(PATHS.format(test=test).replace("    choose", f"    move {hut} to p1.hand\n    choose"), seats=(2, 2))
        for hut in ("hut_1", "hut_4")
    ]
    own, others = ([[r.text for r in rw.explain(s, "hut_4", seat=seat)] for s in states] for seat in (1, 2))
    assert "rent of hut_1 is 5, and must be more than 6" in own[0][0] and own[0] != own[1]
    assert others[0] == others[1] != own[1] and "rent of" not in others[0][0]


ROUNDS = """
kind Hut: 5
    field rent: 0..9
kind Seat

phase game
    set hut_1.rent to 4
    set hut_5.rent to 4
    let left = set(h in Hut where h.rent < 4)
    repeat while size(left) > 1
        choose h in left by p1
        set left to left - {h}
    set left to {hut_2, hut_3, hut_4}
    choose h in left by p1
    set h.rent to 1
"""


def test_a_local_from_which_things_are_taken_is_told_by_these_or_by_its_beginning() -> None:
    state = start(ROUNDS, seats=(2, 2))
    rw.answer(state, "hut_3")

    def told(typed: str) -> str:
        return state.game.texts.render("en", rw.explain(state, typed)[0].message)

    # it is set to something else in the end, which would not be the same now
    assert told("hut_3") == "hut_3 is not among what may be chosen"
    state = start(
        ROUNDS.replace("    set left to {hut_2, hut_3, hut_4}\n    choose h in left by p1\n    set h", "    set hut_1")
    )
    rw.answer(state, "hut_3")
    assert told("hut_3") == "it must not be hut_3"
    assert told("hut_5") == "rent of hut_5 is 4, and must be less than 4"


def test_a_local_that_is_set_twice_is_told_by_what_it_is_now() -> None:
    rules = ROUNDS.replace(
        "        choose h in left by p1\n        set left to left - {h}\n", "        set left to {}\n"
    )
    rules = rules.replace(
        "    choose h in left by p1\n", "    set left to set(h in Hut where h.rent < 3)\n    choose h in left by p1\n"
    )
    rules = rules.replace("phase game", "phase game\n    set hut_2.rent to 3")
    (reason,) = rw.explain(start(rules, seats=(2, 2)), "hut_2")
    assert reason.text == "rent of hut_2 is 3, and must be less than 3"


def test_a_local_that_would_be_different_now_is_not_opened() -> None:
    body = "let free = set(t in Tree where t.height > 4)\n    set tree_4.height to 5\n    choose t in free by p1"
    state = start(GARDEN.format(body=body), CLAUSES, seats=(2, 2))
    (reason,) = rw.explain(state, "tree_4")
    assert reason.text == "tree_4 is not among what may be chosen"
