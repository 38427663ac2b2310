"""Bare play over stores: the same on both back ends, counted by hand where that is possible."""

from __future__ import annotations

from random import Random

import pytest

from dsl.program import CHANCE, OVER, SITE
from interpreter import Game, IllegalAnswer, RulesetError, apply, legal, load
from interpreter.session.playouts import Engine
from tests.concepts.everywhere import HERE
from tests.concepts.play import game as small

BACK_ENDS = pytest.mark.parametrize("backend", ["wasm", "reference"])


@BACK_ENDS
def test_sequences_of_tic_tac_toe(backend: str) -> None:
    # 9 * 8 * 7 * 6 * 5 * 4, without the fourth and later moves after 1440 wins with the fifth mark
    engine = load("tic_tac_toe", backend=backend).engine
    words = engine.new(2)
    assert [engine.perft(words, depth) for depth in range(5)] == [1, 9, 72, 504, 3024]
    if backend == "wasm":
        assert [engine.perft(words, 5), engine.perft(words, 6)] == [15120, (15120 - 1440) * 4]
    assert words == engine.new(2)


@BACK_ENDS
def test_an_option_by_its_code(backend: str) -> None:
    engine = load("tic_tac_toe", backend=backend).engine
    words = engine.new(2)
    engine.run(words)
    first = engine.options(words)[0]
    before = engine.copy(words)
    assert engine.find_option(words, first.code) == first
    engine.answer(words, first.code)
    assert engine.find_option(words, first.code) is None and len(engine.options(words)) == 8
    with pytest.raises(IllegalAnswer):
        engine.answer(words, first.code)
    assert len(engine.options(before)) == 9


@pytest.mark.parametrize("ruleset", ["tic_tac_toe", "kuhn_poker", "goofspiel", "love_letter"])
def test_playouts_are_the_same_on_both(ruleset: str) -> None:
    program = load(ruleset).program
    engines = [Engine(Game(program, backend)) for backend in ("wasm", "reference")]
    words = engines[0].new(seed=5)
    unchanged = words[:]
    one, other = (engine.playouts(words, 6, 3, keep=True) for engine in engines)
    assert one == other and one.games == 6 and one.decisions > 6
    assert words == unchanged
    assert all(end[OVER] and not end[SITE] and not end[CHANCE] for end in one.ends)


def test_playouts_from_the_middle_of_a_game() -> None:
    engine = load("connect_four").engine
    words = engine.new()
    engine.run(words)
    for _ in range(4):
        engine.answer(words, engine.options(words)[0].code)
    found = engine.playouts(words, 20, 1)
    assert 20 * 3 <= found.decisions <= 20 * 38  # the fourth disc of a seat is its earliest end


def test_games_begin_alike_as_far_as_nothing_is_open() -> None:
    engine = load("kuhn_poker").engine
    words = engine.new(seed=1)
    begun = engine.certain(words)
    assert not begun[SITE] and not begun[CHANCE] and begun != words
    engine.run(begun)
    assert begun[SITE]


@pytest.mark.parametrize("ruleset", ["connect_four", "othello", "kuhn_poker", "love_letter", "dominant_species"])
def test_sequences_are_counted_natively_as_by_the_reference(ruleset: str) -> None:
    native, reference = (load(ruleset, backend=backend).engine for backend in ("native", "reference"))
    words = native.new(seed=3)
    for depth in range(4 if ruleset != "dominant_species" else 2):
        assert native.perft(words, depth) == reference.perft(words, depth)
    assert words == native.new(seed=3)
    divided = native.divide(words, 2)
    assert divided == reference.divide(words, 2)
    assert sum(count for _, count in divided) == reference.perft(words, 2)


@BACK_ENDS
def test_sequences_are_not_counted_where_chance_is_asked(backend: str) -> None:
    game = load("kuhn_poker", backend=backend)
    words = game.new(chance="ask").words
    for count in (game.engine.perft, game.engine.divide):
        with pytest.raises(RulesetError, match="cannot be counted where chance is asked"):
            count(words, 2)


BROKEN = """
kind Seat
    field coins: 0..9
invariant few: every(p in seats: p.coins < 3)
phase game
    for every i in 1..3
        choose number n in 3..5 by p1
        set p1.coins to n
"""


@pytest.mark.parametrize("backend", ["native", *HERE, "reference"])
def test_whether_games_are_checked_is_said_for_each_user(backend: str) -> None:
    game = Game(small(BROKEN).program, backend)
    checked, unchecked, words = game.new(checked=True, auto=False), game.new(auto=False), game.engine.new()
    with pytest.raises(RulesetError, match="few"):
        apply(checked, legal(checked)[0])
    assert game.engine.playouts(words, 20, 1).decisions == 60
    assert game.native is None or game.native.decisions == 60
    assert len(game.engine.playout(game.engine.new(), Random(1))) == 3
    with pytest.raises(RulesetError, match="few"):
        Engine(game, checked=True).playouts(words, 1, 1)
    apply(unchecked, legal(unchecked)[0])
    with pytest.raises(RulesetError, match="few"):
        apply(checked, legal(checked)[0])
