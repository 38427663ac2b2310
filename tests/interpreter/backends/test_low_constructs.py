"""Constructs of the language in low code against the reference, from small rules: same words, same options.

Every example of the manual has a native form, but for what is listed here with its reason.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.session.game import Game
from interpreter.session.setup import blank_store
from tests.concepts.play import game
from tests.interpreter.low_pair import LowPair, gaps_of
from tests.manual import orchard
from tests.test_docs import ORCHARD, ROOT, compiled, fences


def pair_of(rules: str) -> LowPair:
    """Both machines for rules without a gap."""
    return LowPair(game(rules).program)


def play(rules: str, games: int = 6, decisions: int = 60, given_up: int = 0) -> int:
    """Random games by both; gives how many decisions there were."""
    pair, done = pair_of(rules), 0
    for seed in range(games):
        store = blank_store(Game(pair.program), pair.program.seats[0], {}, seed)
        done += pair.play(store, random.Random(seed), decisions)
    assert pair.given_up <= given_up and not pair.faults
    return done


# ------------------------------------------------------------ the examples of the manual


@pytest.mark.parametrize("page", ORCHARD, ids=lambda path: path.stem)
def test_every_construct_of_the_manual_has_a_native_form(page: Path, tmp_path: Path) -> None:
    name = str(page.relative_to(ROOT))
    examples = {f.line: f.text for f in fences("rules") if f.page == name}
    program = compiled(*orchard.write(tmp_path, page.stem, examples), quietly=True)
    assert gaps_of(program) == ()


# ------------------------------------------------------------ lines that last for a while

TIMED = """
piece coin
piece star
kind Card: 4
kind Seat
    zone purse: coin
    zone stars: star
zone deck: Card
zone pile: Card
phase game
    for every c in Card: move c to deck
    for every n in 1..4
        for every p in seats: do turn(p, n)
phase turn(p: Seat, n: 0..9)
    for every k in 1..3
        choose some cs in Card at most 2 by p
        choose number m in 0..2 by p
        do party(p, cs, m)
        choose c in Card by p
        do carry_out(p, c)
procedure party(p: Seat, cs: set of Card, m: 0..9)
    let bonus = m + size(cs)
    until end of turn
        after carry_out(q, c) where c in cs and q is p
            gain bonus coin by p
            move cs to pile
        before carry_out(q, c) where c not in cs: gain m star by q
        instead of gain(q, k, what: star) where k > bonus: gain k - 1 coin by q
procedure carry_out(p: Seat, c: Card)
    gain 1 coin by p
    choose d in Card by p
    move d to deck
"""


def test_lines_that_last_for_a_turn_are_carried_out_for_each_record() -> None:
    """Their records have copied numbers and sets; the oldest comes first."""
    assert play(TIMED) > 200


# ------------------------------------------------------------ conditions on whole amounts

AMOUNTS = """
ranked enum Rank: low, middle, high, top
enum Suit: red, blue
kind Seat
    field hand by Rank: 0..3
    field pile by Rank, Suit: 0..2
field last by Rank: 0..9
field seen: 0..9
value kinds(k: count by Rank): int = count(r in Rank where k[r] > 0)
value most(k: count by Rank): int = max(r in Rank: k[r])
value chain(k: count by Rank, n: 0..4): bool = every(r in Rank where k[r] > 0: k[r] is n)
value same(k: count by Rank, l: count by Rank): bool = total(k) is total(l) and most(k) >= most(l)
value double(k: count by Rank): count by Rank = table(r in Rank: 2 * k[r])
value wider(k: count by Rank, b: bool): count by Rank = double(k) if b else k
value set_of(k: count by Rank): set of Rank = set(r in Rank where k[r] >= 2)
value high_of(k: count by Rank): int = max(r in Rank where k[r] > 0: r.rank) or 0
phase game
    for every n in 1..3
        for every p in seats
            for every r in Rank
                choose number n in 0..3 by p
                set p.hand[r] to n
                set p.pile[r, red] to min(n, 2)
                set p.pile[r, blue] to 2 - min(n, 2)
            choose number m in 0..5 by p
            set seen to m
            {choice}
"""

CONDITIONS = {
    "sum": "sum(r in Rank: k[r] * r.rank) >= 4",
    "equal": "sum(r in Rank: k[r] * k[r]) is 4 or total(k) is 0",
    "not two": "total(k) is not 2",
    "function": "kinds(k) >= 2 and chain(k, 2)",
    "either": "kinds(k) is 1 or chain(k, 1) and total(k) > 2",
    "same": "total(k) is 0 or same(k, last)",
    "made maps": "total(double(k)) > total(last) and total(wider(k, k[high] > 1)) < 9",
    "set": "middle in set_of(k) or no set_of(k)",
    "size of a set": "size(set_of(k)) <= 1 and size(set_of(k)) is kinds(k) mod 2",
    "product": "k[low] * k[high] <= k[middle] + 1",
    "min": "min(k[low], k[middle]) is max(k[high], k[top])",
    "best": "high_of(k) > 2 or high_of(k) is 0",
    "map of the store": "every(r in Rank: k[r] >= last[r] - 1)",
    "another number": "(k[low] if seen > 2 else k[top]) is 1 or k[high] is seen",
    "halves": "half_up(total(k)) is half_down(seen + 1)",
    "remainder": "(total(k) + seen) mod 3 is 0",
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_on_whole_amounts(name: str) -> None:
    choice = f"""choose amounts k for r in Rank each 0..p.hand[r] if any by p such that {CONDITIONS[name]}
            for every r in Rank: set last[r] to k[r]"""
    assert play(AMOUNTS.replace("{choice}", choice), games=1, decisions=50) > 30


def test_conditions_on_amounts_of_two_keys_with_bounds() -> None:
    choice = """choose amounts k for r in Rank, s in Suit each 0..p.pile[r, s] total k at most 5 if any by p
                such that every(r in Rank: k[r, red] + k[r, blue] is not 1)
                    and sum(r in Rank: k[r, red]) >= k[top, blue]
            for every r in Rank: set last[r] to k[r, red]"""
    assert play(AMOUNTS.replace("{choice}", choice), games=1, decisions=50) > 30


def test_best_amounts_by_keys() -> None:
    choice = """choose amounts k for r in Rank each 0..p.hand[r] with highest kinds(k), lowest total(k) by p
            for every r in Rank: set last[r] to k[r]"""
    assert play(AMOUNTS.replace("{choice}", choice), games=1, decisions=50) > 30


# ------------------------------------------------------------ answers that are confirmed

AT_ONCE = """
piece coin
kind Card: 6
kind Seat
    zone hand: Card
    zone purse: coin
    field taken by Card: 0..3
zone deck: Card
field left by Card: 0..3
action buy(p: Seat) of shop
    choose some cs in deck at least 1 at most 2 by p
    require size(p.hand) + size(cs) <= 5
    move cs to p.hand
action rest(p: Seat) of shop: gain 1 coin by p
phase game
    for every c in Card
        move c to deck
        set left[c] to 2
    for every n in 1..5
        {loop}
        for every c in p1.hand: move c to deck
        for every c in Card: set left[c] to 2
"""
LOOPS = {
    "a set": """for every p in seats at once
            choose some cs in deck exactly 2 by p or decline
            move cs to p.hand""",
    "a set that may be empty": """for every p in seats at once
            choose some cs in deck at most 2 by p such that size(cs) is not 1
            move cs to p.hand""",
    "amounts": """for every p in seats at once
            choose amounts k for c in Card each 0..left[c] total k at most 3 by p
            for every c in Card
                set left[c] to left[c] - k[c]
                set p.taken[c] to k[c]""",
    "amounts with a condition": """for every p in seats at once
            choose amounts k for c in Card each 0..left[c] by p such that total(k) is not 2 and total(k) < 5
            for every c in Card: set left[c] to left[c] - k[c]""",
    "several": """for every p in seats at once
            choose one by p
                case buy(n: 1..2): gain n coin by p
                case wait where p is not p2
            choose some cs in deck exactly 1 by p or decline
            move cs to p.hand""",
}


@pytest.mark.parametrize("name", LOOPS)
def test_answers_given_at_once_are_confirmed(name: str) -> None:
    assert play(AT_ONCE.replace("{loop}", LOOPS[name]), games=4) > 40


TRIED = """
piece coin
kind Card: 6
kind Row: 2
kind Seat
    zone hand: Card
zone deck: Card
action fair(p: Seat) of shop
    for every x in Row at once
        choose c in deck by p
        move c to p.hand
    require size(p.hand) < 4
    choose d in p.hand by p
    move d to deck
action wide(p: Seat) of shop
    for every x in Row at once
        choose some cs in deck at most 2 by p
        move cs to p.hand
    require size(p.hand) < 4
action none_of(p: Seat) of shop
    for every c in p.hand: move c to deck
phase game
    for every c in Card: move c to deck
    for every n in 1..5
        for every p in seats: offer shop by p
"""


def test_answers_that_are_tried_are_confirmed() -> None:
    assert play(TRIED, games=4) > 60


# ------------------------------------------------------------ secrets, sets in lists

TWO_AUDIENCES = """
kind Card: 5
kind Seat
    field h: bool
zone deck: Card ordered seen by keeper top seen by other
value keeper(p: Seat): bool = p.h
value other(p: Seat): bool = not p.h
phase game
    for every d in Card: move d to deck
    shuffle deck
    for every n in 1..6
        for every p in seats
            choose number k in 0..1 by p
            if k is 1: set p.h to not p.h
            else: shuffle deck
            choose d in Card by p
            move d to deck
"""


def test_a_zone_whose_top_others_see_than_the_rest() -> None:
    assert play(TWO_AUDIENCES, games=4) > 60


SETS_IN_LISTS = """
kind Card: 4
kind Seat
    field total: 0..99
field groups: list of set of Card
phase game
    for every n in 1..6
        for every p in seats
            choose some cs in Card at most 2 by p
            if cs in groups: set p.total to p.total + 1
            choose some ds in Card at most 1 by p
            set groups to list(c in Card where c not in cs: ds - {c})
"""


def test_a_set_in_a_list_of_sets() -> None:
    assert play(SETS_IN_LISTS, games=4) > 60


# ------------------------------------------------------------ ways with prices

TOWNS = """
kind Town: 7
    field beside: set of Town
    field toll: 0..5
    field shut: bool
kind Seat
    field total: 0..99
value far(a: Town, b: Town): int = distance(x in {a}, y in x.beside to {b} where not y.shut cost y.toll) or 99
value near(a: Town, bs: set of Town): set of Town = nearest(x in {a}, y in x.beside to bs cost y.toll + x.toll)
phase game
    for every n in 1..3
        for every t in Town
            choose some ts in Town at most 3 by p1
            choose number k in 0..5 by p2
            set t.beside to ts
            set t.toll to k
            set t.shut to k is 4
        for every p in seats
            choose a in Town by p
            choose b in Town where far(a, b) < 9 by p
            choose c in near(a, {b} + b.beside) by p
            set p.total to min(99, p.total + far(a, c) + 1)
"""


def test_the_nearest_by_prices() -> None:
    assert play(TOWNS, games=4, decisions=120) > 100


# ------------------------------------------------------------ numbers

LARGE = """
kind Seat
    field x: 0..9
phase game
    repeat while p1.x < 9
        choose number n in 1..3 by p1
        for every m in 1..max(0, min(6 - n, 2147483646 * 65536))
            set p1.x to min(9, p1.x + 1)
"""


def test_a_constant_number_of_more_than_a_word() -> None:
    assert play(LARGE) > 6
