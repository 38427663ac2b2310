"""Long answers that are searched, in low code against the reference: bounds, conditions and keys on whole answers."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from dsl import ir
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.long import search, steps, sums
from interpreter.backends.low.long.linear import with_totals
from interpreter.backends.native.targets import WASM
from interpreter.backends.wasm import host
from interpreter.backends.wasm.binary import encode
from interpreter.rules.rules import REFERENCE
from interpreter.session.game import Game
from interpreter.session.playouts import Engine
from interpreter.session.setup import blank_store
from tests.concepts.play import game
from tests.interpreter.low_pair import LowPair, MakeRunner, lower
from tests.native import native_games, needs_wasmtime
from tests.printed import printed

# In each round all fields are drawn anew; then each player is asked.
FRAME = """
kind Seat
    field score: 0..999
    field kept: set of Card
kind Card: {cards}
    field weight: 0..5
    field luck: 0..3
    field suit: Suit
kind Suit: 3
    field rank: 0..4
value worth(c: Card, k: int): int = k * k * c.luck - k
value near(c: Card): set of Card = set(d in Card where d.suit is c.suit)
value heavy(cs: set of Card, m: int): int = max(0, sum(c in cs: c.weight) - m)
value mixed(cs: set of Card): bool = any(c in cs, d in cs: c.suit is not d.suit)
value lucky(cs: set of Card, s: Suit): int = count(c in cs where c.suit is s and c.luck > 0)
value chosen(cs: set of Card, p: Seat, yes: bool): set of Card = cs - p.kept if yes else cs + p.kept
value fits(cs: set of Card, p: Seat, n: int): bool
    = 2 * size(chosen(cs, p, mixed(cs))) + (1 if heavy(cs, n) > 2 else 0) <= n
phase game
    for every i in 1..{rounds}
        for every c in Card
            random number w in 0..5
            set c.weight to w
            random number l in 0..3
            set c.luck to l
            random s in Suit
            set c.suit to s
        for every s in Suit
            random number r in 0..4
            set s.rank to r
        for every p in seats
            set p.kept to {{}}
            for every c in Card where c.luck is 2: set p.kept to p.kept + {{c}}
            random number n in 0..9
            random number m in 0..5
{question}
"""

SETS = [
    "such that size(cs) is not 2",
    "such that sum(c in cs: c.weight) >= n and sum(c in cs: c.luck) <= m",
    "exactly m such that every(c in cs: c.luck <= 1 or any(d in cs: d.weight > c.weight))",
    "such that count(c in Card where c in cs and c.luck is 1) is 1 or size(cs) > 4",
    "at most 4 such that max(c in cs: c.weight) - min(c in cs: c.luck) >= m",
    "such that set(c in cs where c.luck > 0) is p.kept or not mixed(cs)",
    "at least 1 total cs.weight at most n such that fits(cs, p, n)",
    "such that p.kept in cs or cs in p.kept",
    "such that some set(c in p.kept where c in cs) and half_up(size(cs)) < 3",
    "such that every(s in Suit: lucky(cs, s) in 1..2)",
    "such that size(tied(c in cs with highest c.weight)) is 2 or size(cs) is 3",
    "such that reach(x in cs, y in near(x) where y not in cs) is not cs or n < 3",
    "such that sum(s in Suit: s.rank * lucky(cs, s)) is n",
    "such that not (mixed(cs) and n > 2) with lowest heavy(cs, n), highest size(cs)",
    "at most 5 with highest sum(c in cs: c.weight * c.luck)",
    "such that sum(c in cs: c.weight) is n with lowest size(cs)",
    "total cs.weight exactly n total cs.luck at least m",
    "total cs.weight covering n at most m",
    "total cs.weight - cs.luck at most 3 total cs.luck exactly m",
    "such that (min(size(cs), m) + max(size(cs), 2)) * (size(cs) - 3) in 0..9",
    "such that count(c in Card where c in cs and c not in p.kept) > 2 * count(c in p.kept where c in cs) - m",
    "such that max(c in cs where c.luck > 1: c.weight) <= 3 with highest max(c in cs: c.luck)",
]
"""What stands behind `choose some cs in Card`."""

AMOUNTS = [
    "each 0..c.weight total k * c.luck covering n",
    "each 0..c.weight total k * c.luck at most m covering n",
    "each 0..3 total k exactly m total k * c.weight at least n",
    "each 0..c.luck total worth(c, k) at most n total k at least 2",
    "each 0..3 total worth(c, k) covering n at most 14",
    "each c.luck..c.weight total k at most n + 9",
    "each c.luck - 1..c.weight total k * (c.luck - 1) exactly m - 3",
    "each 0..2 total k * c.weight at least n total k * c.luck at most 2 * m",
    "each 0..1 total k * c.weight exactly n total k * c.luck exactly m",
    "each 0..2 total k covering n at most m",
    "each c.luck..c.weight total k covering n",
]
"""What stands behind `choose amounts k for c in Card`."""

PAIRS = [
    "each 0..2 total k per s exactly min(s.rank, 2) total k at most n",
    "each 0..c.luck total k * c.weight per c at most c.weight total k * s.rank covering n",
    "each 0..2 total k per c at most 2 total k per s at least min(1, s.rank) total k * c.weight at most n",
]
"""What stands behind `choose amounts k for c in Card, s in Suit`."""


def choices() -> Iterator[str]:
    """The questions, each with what its answer counts."""
    for tail in SETS:
        yield f"choose some cs in Card {tail} by p if any\n set p.score to sum(c in cs: c.weight + 1)"
    for tail in AMOUNTS:
        yield f"choose amounts k for c in Card {tail} by p if any\n set p.score to sum(c in Card: k[c])"
    for tail in PAIRS:
        yield (
            f"choose amounts k for c in Card, s in Suit {tail} by p if any\n"
            " set p.score to sum(c in Card, s in Suit: k[c, s])"
        )


QUESTIONS = list(choices())


def rules_of(question: str, cards: int = 6, rounds: int = 3) -> str:
    lines = "\n".join(f"            {line.strip()}" for line in question.splitlines())
    return FRAME.format(question=lines, cards=cards, rounds=rounds)


def in_wasm(module: low.Module) -> host.WasmInstance:
    return host.WasmInstance(host.compiled(encode(module)))


def compare(question: str, make: MakeRunner, seeds: int, cards: int, rounds: int) -> int:
    """Play so many games in both; gives the decisions."""
    program = game(rules_of(question, cards, rounds)).program
    pair, done = LowPair(program, make), 0
    for seed in range(seeds):
        done += pair.play(blank_store(Game(program), 2, {}, seed), random.Random(seed), 200)
    assert pair.given_up == 0
    return done


@pytest.mark.parametrize("number", range(0, len(QUESTIONS), 4))
def test_searched_answers_in_low_code(number: int) -> None:
    assert compare(QUESTIONS[number], printed, 3, 4, 2) > 0


@needs_wasmtime
@pytest.mark.parametrize("number", range(len(QUESTIONS)))
def test_searched_answers_in_lock_step(number: int) -> None:
    assert compare(QUESTIONS[number], in_wasm, 3, 6, 3) > 10


@needs_wasmtime
@pytest.mark.soak
@pytest.mark.parametrize("number", range(len(QUESTIONS)))
@pytest.mark.parametrize("cards", [5, 8, 14])
def test_many_searched_answers_in_lock_step(number: int, cards: int) -> None:
    assert compare(QUESTIONS[number], in_wasm, 120 // cards**2 + 2, cards, 3) > 10


@needs_wasmtime
def test_failures_are_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal sums by suit, and a total below them: nobody could try all ways, and no other way may be lost."""
    hopeless = next(q for q in QUESTIONS if "total k per s exactly" in q)
    assert compare(hopeless, in_wasm, 3, 8, 3) > 10
    monkeypatch.setattr(steps, "SHORT", 0)
    for question in QUESTIONS[len(SETS) :: 3]:
        assert compare(question, in_wasm, 3, 6, 3) > 10
    monkeypatch.setattr(steps, "SHORT", steps.MOST_STEPS)
    program = game(rules_of(hopeless, 8)).program
    pair = LowPair(program, in_wasm)
    for seed in range(5):
        pair.play(blank_store(Game(program), 2, {}, seed), random.Random(seed), 200)
    assert pair.given_up > 0  # too many steps without them


@needs_wasmtime
def test_a_search_that_is_too_long_is_left_to_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_STEPS", 8)
    program = game(rules_of(QUESTIONS[9], 7)).program
    pair, done = LowPair(program, in_wasm), 0
    for seed in range(4):
        done += pair.play(blank_store(Game(program), 2, {}, seed), random.Random(seed), 40)
    assert 0 < pair.given_up < done


@needs_wasmtime
def test_sums_that_are_too_many_are_left_to_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "MOST_SUM", 12)
    program = game(rules_of(next(q for q in QUESTIONS if "covering n at most m" in q), 7)).program
    pair, done = LowPair(program, in_wasm), 0
    for seed in range(4):
        done += pair.play(blank_store(Game(program), 2, {}, seed), random.Random(seed), 40)
    assert 0 < pair.given_up < done


@needs_wasmtime
def test_conditions_that_add_up_become_totals() -> None:
    """What is left of conditions must be searched by looking at the whole answer."""
    left = {
        "such that sum(c in cs where c.luck > 1: c.weight) + 2 * size(cs) > n - count(c in cs)": 0,
        "such that size(cs) <= m and n is sum(c in cs: c.luck - c.weight) and mixed(cs)": 1,
        "such that size(cs) is not 2": 1,
        "such that sum(c in cs: size(cs)) < n": 1,
        "such that count(c in cs, d in cs) < n": 1,
    }
    for tail, conditions in left.items():
        question = f"choose some cs in Card {tail} by p if any\n set p.score to size(cs)"
        site = next(s for s in game(rules_of(question)).program.sites if s.shape == "some")
        found = with_totals(site)
        assert sum(_tests(guard.test) for guard in found.such_that) == conditions, tail
        assert compare(question, in_wasm, 6, 5, 3) > 2


def _tests(test: ir.Expr) -> int:
    return len(test.items) if isinstance(test, ir.And) else 1


def test_what_is_not_searched_is_said_by_name() -> None:
    tails = {
        "choose amounts k for c in list(c in Card) each 0..1 such that total(k) is not 2": "whole amounts from a list",
        "choose amounts k for c in list(c in Card) each 0..1 with lowest total(k)": "whole amounts from a list",
    }
    for question, reason in tails.items():
        with pytest.raises(Unsupported, match=reason):
            lower(game(rules_of(f"{question} by p\n set p.score to total(k)")).program)


HUNT = """
piece coin
kind Seat
    field luck: 0..9
    zone purse: coin
kind Beast: 6
    field strength: 0..5
    field asleep: bool
zone bank: coin max 30
action hunt(p: Seat, n: 2..6) of day
    require p.purse > 0
    choose some bs in Beast where not bs.asleep by p
        such that sum(b in bs: b.strength) >= n with lowest size(bs)
    choose amounts k for b in bs each 0..b.strength total k covering n total k at most p.purse by p
    require total(k) > 1
    move total(k) coin from p.purse to bank
    for every b in bs: set b.asleep to k[b] > 1
action flee(p: Seat) of day
    choose some bs in Beast at most 4 by p or decline
        such that every(b in bs: any(d in bs: d.strength is not b.strength or b.asleep))
    require size(bs) is not 1
    for every b in bs: set b.asleep to false
    set p.luck to min(9, p.luck + size(bs))
action rest(p: Seat) of day: gain 3 coin by p
phase game
    for every b in Beast
        random number s in 0..5
        set b.strength to s
    for every p in seats: gain 4 coin by p
    for every i in 1..8
        for every p in seats
            offer day by p
"""


@needs_wasmtime
def test_searched_answers_inside_trials() -> None:
    program = game(HUNT).program
    pair, done = LowPair(program, in_wasm), 0
    for seed in range(8):
        done += pair.play(blank_store(Game(program), 2, {}, seed), random.Random(seed), 60)
    assert done > 100 and pair.given_up == 0


@needs_wasmtime
def test_searched_answers_in_whole_games() -> None:
    for rules in (HUNT, rules_of(QUESTIONS[6]), rules_of(QUESTIONS[14]), rules_of(QUESTIONS[23])):
        games = Game(game(rules).program, WASM)
        begun = games.engine.new(seed=2)
        mine = games.engine.playouts(begun, 20, 5, keep=True)
        assert mine == Engine(Game(games.program, REFERENCE)).playouts(begun, 20, 5, keep=True)
        assert native_games(games).given_up == 0 and native_games(games).notice == ""
