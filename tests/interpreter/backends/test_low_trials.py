"""Plans in low code against the reference: options that must be tried, drawn answers, limits, trials inside trials."""

from __future__ import annotations

import random

import pytest

from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.form import nodes as low
from interpreter.backends.native.targets import WASM
from interpreter.rules.rules import REFERENCE
from interpreter.session.game import Game
from interpreter.session.playouts import Engine
from interpreter.session.setup import blank_store
from tests.concepts.play import game
from tests.interpreter.low_pair import LowPair, lower
from tests.native import native_games, needs_wasmtime

GARDEN = """
piece coin
kind Seat
    field fruit: 0..9
    field days: 0..9
    zone purse: coin
kind Tree: 5
    field price: 0..9
    field grown: 0..4
zone bank: coin max 30
action water(p: Seat, t: Tree) of garden
    require t.grown < 4
    require p.purse >= t.price
    move t.price coin from p.purse to bank
    choose n in 1..3 by p
    require t.grown + n is 2 or t.grown + n is 4
    set t.grown to min(t.grown + n, 4)
action walk(p: Seat) of garden
    require p.days < 2
    set p.days to 0
    repeat while p.days < 6
        choose number k in 2..4 by p
        set p.days to p.days + k
    require p.days is 6
    set p.days to 2
action graft(p: Seat) of garden
    choose some ts in Tree where ts.grown > 0 at most 3 by p
    require sum(t in ts: t.grown) is 4 and p.fruit < 8
    for every t in ts: set t.grown to 0
    set p.fruit to p.fruit + 1
action swap(p: Seat, t: Tree) of garden
    require possible(water(p, t)) or possible(graft(p))
    require p.days > 0
    choose u in Tree where u is not t by p or decline
    set p.days to p.days - 1
    require p.fruit + p.days > 0
action weed(p: Seat) of garden
    choose u in Tree by p
    set u.grown to min(u.grown + 1, 4)
    let t = first(t in Tree where t.grown is 2)
    set t.grown to 0
    require p.days < 9
    set p.days to p.days + 1
phase game
    for every p in seats: gain 6 coin by p
    for every t in Tree
        random number n in 0..3
        set t.price to n
    for every round in 1..12
        for every p in seats
            offer garden by p or decline
"""

DEEP = """
kind Seat
    field total: 0..99
action climb(p: Seat, first_step: 1..3) of climbing
    set p.total to first_step
    repeat while p.total < 24
        choose number k in 1..3 by p
        set p.total to p.total + k
    require p.total is 24 + goal
action rest(p: Seat) of climbing
    set p.total to 0
field goal: 0..9
phase game
    for every round in 1..4
        for every p in seats
            random number g in 0..3
            set goal to g
            offer climbing by p
"""

HANDS = """
kind Seat
    zone hand: Card seen by owner
    field shown: 0..9
kind Card: 12
    field worth: 0..5
zone deck: Card ordered seen by nobody
zone table: Card max 7
action play(p: Seat) of playing
    choose c in p.hand by p
    move c to table
    choose d in p.hand where d.worth > c.worth by p
    require d.worth is not 5
    move d to deck
    set p.shown to min(p.shown + 1, 9)
action peek(p: Seat) of playing
    require size(deck) > 0
    move first(c in deck) to p.hand
    require size(p.hand) < 4
action clear(p: Seat) of playing
    require size(table) > 2
    choose some cs in table exactly 2 by p
    require sum(c in cs: c.worth) < 7
    for every c in cs: move c to deck
phase game
    for every c in Card
        random number w in 0..5
        set c.worth to w
        move c to deck
    shuffle deck
    for every p in seats
        for every i in 1..4: move first(c in deck) to p.hand
    for every round in 1..8
        for every p in seats
            plan by p
                choose one by p
                    case play: perform play(p)
                    case peek: perform peek(p)
                    case nothing: set p.shown to 0
            offer playing by p or decline
"""


@pytest.mark.parametrize(
    ("rules", "manifest", "seats", "games", "least"),
    [
        (GARDEN, "", 2, 3, 30),
        (GARDEN, "limits: {tries: 3}", 2, 3, 30),
        (DEEP, "limits: {tries: 40}", 2, 3, 20),
        (HANDS, "", 3, 3, 30),
    ],
    ids=["garden", "few tries", "limits", "hands"],
)
def test_plans_in_lock_step(rules: str, manifest: str, seats: int, games: int, least: int) -> None:
    program = game(rules, seats=(seats, seats), manifest=manifest).program
    pair, done = LowPair(program), 0
    for seed in range(games):
        done += pair.play(blank_store(Game(program), seats, {}, seed), random.Random(seed), 40)
    assert done >= least and pair.given_up == 0


@needs_wasmtime
@pytest.mark.parametrize(
    ("rules", "manifest"),
    [
        (GARDEN, ""),
        (GARDEN, "seldom: [water, walk]"),
        (GARDEN, "limits: {tries: 3}"),
        (DEEP, "limits: {tries: 40}\nseldom: [rest]"),
        (HANDS, "seldom: [peek, clear.cs]"),
    ],
)
def test_drawn_answers_are_those_of_python(rules: str, manifest: str) -> None:
    """Candidates are drawn and tried in the same order, with the same random numbers."""
    games = Game(game(rules, seats=(2, 2), manifest=manifest).program, WASM)
    native, engine = native_games(games), games.engine
    begun = engine.new(seed=3)
    mine = engine.playouts(begun, 30, 7, keep=True)
    assert mine == Engine(Game(games.program, REFERENCE)).playouts(begun, 30, 7, keep=True)
    assert mine.decisions > 100 and (native.notice, native.replayed) == ("", 0)


def test_games_without_plans_have_nothing_of_trials() -> None:
    program = game("kind Seat\nphase game\n    for every i in 1..3: choose number n in 1..3 by p1\n").program
    module = lower(program).module
    assert not [f.name for f in module.functions if f.name in ("completes", "trial", "search", "put_aside")]
    tested = {e for f in module.functions for e in _globals(f.body) if e in ("status", "probing", "floor")}
    assert not tested


def _globals(part: object) -> set[str]:
    """The globals that low code reads."""
    if isinstance(part, low.Global):
        return {part.name}
    inner = part if isinstance(part, tuple) else [getattr(part, name, None) for name in getattr(part, "__slots__", ())]
    return set().union(*map(_globals, inner)) if inner else set()


def test_a_list_in_a_routine_that_tries_is_refused() -> None:
    rules = """
kind Seat
    field total: 0..99
action climb(p: Seat)
    require p.total < 3
    set p.total to p.total + 1
procedure look(p: Seat)
    let row = ranked(q in seats with highest q.total)
    if possible(climb(p)): set p.total to size(row)
phase game
    do look(p1)
    choose number n in 1..3 by p1
"""
    with pytest.raises(Unsupported, match="a list in a variable of a routine that tries actions"):
        lower(game(rules).program)
