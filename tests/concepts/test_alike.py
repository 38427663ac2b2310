"""`alike`: things that nobody can tell apart are one option, in the reference and in native code."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, errors, game, options, play_on_both, question

BOTH = pytest.mark.parametrize("backend", ["wasm", "reference"])
HEAD = """
enum Cause: dealt, played
enum Level: low, high
kind Card
    const worth: 0..9
    field marked: bool
    field level: 0..3 by Level
    zone pins: pin
    zone under: Card
piece pin
card fair "Fair": Card
    worth: 2
    copies: 4
card candle "Candle": Card
    worth: 1
    copies: 2
card moon "Moon": Card
    worth: 5
kind Helper: 3
    field tired: bool
zone tableau: Card
zone row: Card ordered
zone camp: Helper
kind Seat
    zone hand: Card seen by owner
    field favourite: Card or none
    field known: set of Card
value worth(c: Card): int = c.worth
"""
DEAL = """
phase game
    for every c in Card: move c to p1.hand as dealt
    for every h in Helper: move h to camp as dealt
"""


def state(lines: str, backend: str, more: str = "") -> rw.State:
    """A game that deals all cards to one hand and carries out these lines."""
    body = "".join(f"    {line}\n" for line in lines.strip().splitlines())
    return rw.Game(game(HEAD + more + DEAL + body + "    stop game\n").program, backend).new(seed=1)


CHOICE = "choose c in p1.hand alike by p1\nmove c to tableau as played"


@BOTH
def test_one_of_each_card(backend: str) -> None:
    played = state(CHOICE, backend)
    assert options(played) == ["fair", "candle", "moon"]
    answer_all(played, "fair")
    assert cell(played, "tableau") == ["fair"]


APART = {
    "a field": "set fair_2.marked to true",
    "a field by member": "set fair_2.level[high] to 1",
    "pieces on it": "gain 2 pin to fair_2.pins",
    "a thing below it": "move moon to fair_2.under as dealt",
    "a field that holds it": "set p2.favourite to fair_2",
    "a set that holds it": "set p2.known to {fair_2}",
}


@BOTH
@pytest.mark.parametrize("lines", APART.values(), ids=APART)
def test_what_the_state_says_tells_apart(lines: str, backend: str) -> None:
    found = options(state(f"{lines}\n{CHOICE}", backend))
    assert [o for o in found if o != "moon"] == ["fair", "fair_2", "candle"]


@BOTH
def test_what_is_said_of_all_of_them_tells_none_apart(backend: str) -> None:
    lines = "for every c in Card: set c.marked to true\nset p2.known to p1.hand"
    assert options(state(f"{lines}\n{CHOICE}", backend)) == ["fair", "candle", "moon"]


@BOTH
def test_places_tell_apart(backend: str) -> None:
    lines = "move fair to tableau as played\nmove fair_2 to row as played\nmove fair_3 to row as played\n"
    found = options(state(lines + "choose c in p1.hand + tableau alike by p1\nmove c to row", backend))
    assert found == ["fair", "fair_4", "candle", "moon"]


def test_hidden_places_do_not_decide() -> None:
    body = "    choose c in Card alike by p1\n    move c to tableau as played\n    stop game\n"
    assert [d.code for d in errors(HEAD + DEAL + body)] == ["RW1210"]


@BOTH
def test_places_that_all_see_are_searched(backend: str) -> None:
    more = "zone box: Coin\nzone bag: Coin\nkind Coin: 5\n"
    lines = "move coin_2 to bag as dealt\nmove coin_4 to bag as dealt\nmove coin_5 to box as dealt\n"
    found = options(state(lines + "choose c in Coin alike by p1\nmove c to bag as played", backend, more))
    assert found == ["coin_1", "coin_2", "coin_5"]


@BOTH
def test_an_order_tells_apart_within_a_set(backend: str) -> None:
    lines = "move fair to row as played\nmove fair_2 to row as played\nmove fair_3 to tableau as played\n"
    choice = "choose c in set(d in row) + tableau alike by p1\nmove c to row"
    assert options(state(lines + choice, backend)) == ["fair", "fair_2", "fair_3"]


@BOTH
def test_what_lasts_tells_apart(backend: str) -> None:
    more = "procedure bless(c: Card)\n    until end of game: modify worth(d: Card) by 1 where d is c\n"
    assert options(state(f"do bless(fair_3)\n{CHOICE}", backend, more)) == ["fair", "fair_3", "candle", "moon"]


@BOTH
def test_what_was_done_once_tells_apart(backend: str) -> None:
    more = """
card bell "Bell": Card
    worth: 3
    copies: 3
    after ring(c) where c is this once per game: set moon.marked to true
procedure ring(c: Card)
    set candle.marked to not candle.marked
"""
    found = options(state(f"do ring(bell_2)\nset candle.marked to false\n{CHOICE}", backend, more))
    assert [o for o in found if o.startswith("bell")] == ["bell", "bell_2"]


@BOTH
def test_things_that_are_only_counted(backend: str) -> None:
    lines = "set helper_2.tired to true\nchoose h in camp alike by p1\nset h.tired to true"
    assert options(state(lines, backend)) == ["helper_1", "helper_2"]


@BOTH
def test_a_condition_that_knows_one_of_them(backend: str) -> None:
    lines = "choose c in p1.hand where c.worth is 2 alike by p1\nchoose d in p1.hand where d is not c alike by p1"
    played = state(f"{lines}\nmove {{c, d}} to tableau as played", backend)
    answer_all(played, "fair_3")
    assert options(played) == ["fair_2", "candle", "moon"]


@BOTH
def test_other_names_and_cases(backend: str) -> None:
    lines = "choose c in p1.hand, n in 1..5 where n < c.worth and n > 2 or n is 1 and c.worth is 2 alike by p1"
    assert options(state(f"{lines}\nset c.level[low] to n - n", backend)) == ["fair 1", "moon 3", "moon 4"]
    lines = (
        "choose one by p1\n    case play(c: Card) where c in p1.hand alike: move c to tableau as played\n    case rest"
    )
    assert options(state(lines, backend)) == ["play fair", "play candle", "play moon", "rest"]


SOME = "choose some cs in p1.hand exactly 3 such that not (moon in cs and candle in cs) alike by p1"


def answers(played: rw.State) -> list[tuple[str, ...]]:
    """All whole answers of the open question, taken step by step."""
    if played.decision is None:
        return [tuple(cell(played, "tableau"))]
    found = []
    for option in rw.legal(played):
        later = rw.copy(played)
        rw.apply(later, option)
        found += answers(later)
    return found


@BOTH
def test_each_set_of_sorts_comes_once(backend: str) -> None:
    found = answers(state(f"{SOME}\nmove cs to tableau as played", backend))
    sorts = [tuple(sorted(c.split("_")[0] for c in answer)) for answer in found]
    cards = ["fair"] * 4 + ["candle"] * 2 + ["moon"]
    wanted = {s for s in combinations(sorted(cards), 3) if not {"moon", "candle"} <= set(s)}
    assert sorted(sorts) == sorted(wanted)


@BOTH
def test_any_of_them_may_be_named(backend: str) -> None:
    played = state(f"{SOME}\nmove cs to tableau as played\n{CHOICE}", backend)
    assert rw.explain(played, "fair_4 candle_2 fair_2") == []
    answer_all(played, "fair_4 candle_2 fair_2")
    assert cell(played, "tableau") == ["fair", "fair_2", "candle"]
    assert rw.explain(played, "fair_4") == [] and rw.explain(played, "fair_2") != []
    answer_all(played, "fair_4")
    assert cell(played, "tableau") == ["fair", "fair_2", "fair_3", "candle"]


@BOTH
def test_members_are_named_one_by_one(backend: str) -> None:
    played = state("choose some cs in p1.hand exactly 2 alike by p1\nmove cs to tableau as played", backend)
    first = next(o for o in rw.legal(played) if o.ids == ("fair",))
    rw.apply(played, first)
    assert rw.explain(played, "fair_3") == [] and rw.explain(played, "fair") != []
    answer_all(played, "fair_3")
    assert cell(played, "tableau") == ["fair", "fair_2"]


@BOTH
def test_one_sort_in_a_hidden_hand_is_asked_for(backend: str) -> None:
    """Who sees that nothing is asked would know that all cards of the hand are the same."""
    lines = "for every c in set(d in p1.hand where d.worth is not 2): move c to tableau as dealt\n"
    played = state(lines + CHOICE, backend)
    assert options(played) == ["fair"] and question(played) == "p1: game.c"


def test_nothing_is_said_of_what_is_not_offered() -> None:
    played = state("choose c in p1.hand where c.worth > 1 alike by p1\nmove c to tableau as played", "reference")
    assert [r.line() for r in rw.explain(played, "candle_2")] == ["c.worth > 1: c.worth is 1"]


def test_hidden_fields_do_not_decide() -> None:
    rules = HEAD.replace("field marked: bool", "field marked: bool seen by nobody") + DEAL
    found = errors(f"{rules}    choose c in p1.hand alike by p1\n    move c to tableau as played\n    stop game\n")
    assert [d.code for d in found] == ["RW1210"]


RANDOM = """
enum Cause: dealt, played
kind Card
    field marked: 0..2
    field friend: Card or none
card a "A": Card
    copies: 5
card b "B": Card
    copies: 3
card c "C": Card
zone deck: Card ordered seen by nobody
zone tableau: Card
kind Seat
    zone hand: Card seen by owner
phase game
    for every x in Card: move x to deck as dealt
    repeat while size(deck) > 0
        shuffle deck
        for every p in seats
            for every i in 1..2
                if size(deck) > 0: move front(deck) to p.hand as dealt
        for every p in seats
            step marks
                choose x in p.hand, n in 0..2 where n is not x.marked alike by p or decline
                set x.marked to n
            step friends
                choose x in p.hand alike by p or decline
                choose y in p.hand where y is not x alike by p or decline
                set x.friend to y
            step plays
                choose some xs in p.hand at least 1 at most 3 alike by p or decline
                move xs to tableau as played
    stop game
"""


def look(played: rw.State, card: str) -> tuple[object, ...]:
    """What can be told of a card by its own fields, and whether another one names it."""
    cards = [*(f"a_{n}" for n in range(2, 6)), "a", "b", "b_2", "b_3", "c"]
    named = [other for other in cards if cell(played, f"{other}.friend") == card]
    return card.split("_")[0], cell(played, f"{card}.marked"), cell(played, f"{card}.friend"), tuple(named)


@pytest.mark.parametrize("seed", range(4))
def test_random_games_offer_each_sort_once(seed: int) -> None:
    """Options are compared with what a person at the table sees; a card that a field names is told apart always."""
    program = game(RANDOM).program
    played, rng, seen = rw.Game(program, "reference").new(seed=seed), Random(seed), 0
    while played.decision is not None:
        address = played.decision.address
        hand = cell(played, f"{played.decision.seat_id}.hand")
        offered = [o for o in rw.legal(played) if o.kind == "pick"]
        if address == "game.friends.x":
            looks = {look(played, card): card for card in hand}
            named = [card for card in hand if look(played, card)[3]]
            assert len(offered) == len(looks), (hand, [o.ids for o in offered])
            assert Counter(look(played, o.ids[0]) for o in offered) == Counter(looks.keys()), named
            seen += 1
        rw.apply(played, rng.choice(rw.legal(played)))
    assert seen
    play_on_both(program, seed)


MENU = """
action play(p: Seat, c: Card) of chores where c in p.hand alike
    require c.worth < 5 because "it is too heavy"
    move c to tableau as played
action rest(p: Seat) of chores
    set moon.marked to true
"""


@BOTH
def test_actions_of_a_menu(backend: str) -> None:
    played = state("offer chores by p1\nperform play(p1, any Card) by p1", backend, MENU)
    assert options(played) == ["play fair", "play candle", "rest"]
    assert rw.explain(played, "play fair_3") == []
    assert [r.because for r in rw.explain(played, "play moon")] == ["it is too heavy"]
    answer_all(played, "play fair_3")
    assert cell(played, "tableau") == ["fair"] and options(played) == ["play fair_2", "play candle"]


def test_an_action_without_things() -> None:
    rules = HEAD + "action wait(p: Seat, n: 1..3) of chores alike\n    set moon.level[low] to n\n" + DEAL
    assert [d.code for d in errors(f"{rules}    offer chores by p1\n    stop game\n")] == ["RW0723"]


def test_the_copy_that_is_played_is_named_to_all_who_see_it() -> None:
    # 09: it is the thing itself, where the first copy, `c.original`, may lie in a deck that nobody sees.
    rules = HEAD + "zone deck: Card ordered seen by nobody\n" + DEAL
    rules += "    for every c in p1.hand where c.original is fair and c is not fair_3: move c to deck\n"
    rules += "    shuffle deck\n"
    rules += "    {}\n    choose n in 1..2 by p2\n"
    by_copy = CHOICE.replace("\n", "\n    ")
    by_name = "choose o in set(c in p1.hand: c.original) by p1\n    "
    by_name += "for every c in p1.hand where c.original is o: move c to tableau as played"
    for lines, answer, told in ((by_copy, "fair_3", "p1: Fair"), (by_name, "fair", "p1: a card")):
        played = rw.Game(game(rules.format(lines)).program).new(seed=1)
        answer_all(played, answer)
        assert [rw.log_for(played, seat)[-1] for seat in (2, None)] == [told] * 2
