"""The search bot: low code searches as the reference does, wins, and knows no more than its seat."""

from __future__ import annotations

import pytest

from interpreter import Game, State, apply, legal
from interpreter.bots.scale import scale_of
from interpreter.bots.searching import SearchStyle, SearchTree, searched_option
from interpreter.bots.standing import standing
from interpreter.choices.generator import Generator
from interpreter.machine.machine import Machine
from interpreter.machine.standing import WHOLE, chance
from interpreter.play.result import result
from interpreter.visibility.imagine import imagined
from tests.concepts.play import game as game_of
from tests.conformance.tables import load
from tests.interpreter.visibility.test_imagine import asked, positions

STYLE = SearchStyle(iterations=20, scale=1, cut=300)


def searched(game: Game, state: State, words: object, seed: int, style: SearchStyle) -> tuple[int, int]:
    own = Generator(seed)
    options = [option.raw for option in legal(state)]
    return searched_option(game, words, options, asked(state), own, style), own.state  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", ["connect_four", "goofspiel", "kuhn_poker", "leduc_poker", "love_letter", "liars_dice"]
)
def test_low_code_searches_as_the_reference_does(name: str) -> None:
    native, reference = load(f"rulesets/{name}", "wasm"), load(f"rulesets/{name}", "reference")
    runner = native.runner
    assert not isinstance(runner, Machine)
    for n, state in enumerate(positions(f"rulesets/{name}", 12)):
        own, options = Generator(n), [option.raw for option in legal(state)]
        place = runner.searched(state.words, options, asked(state), own, STYLE.bounds)
        assert (place, own.state) == searched(reference, state, state.words, n, STYLE)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice", "love_letter"])
def test_the_same_answer_is_found_wherever_a_seat_cannot_tell_the_difference(name: str) -> None:
    """In a thousand positions, and natively."""
    native = load(f"rulesets/{name}", "wasm")
    for n, state in enumerate(positions(f"rulesets/{name}", 1000)):
        other = imagined(native, state.words, asked(state), Generator(~n))
        assert searched(native, state, state.words, n, STYLE) == searched(native, state, other, n, STYLE)


def test_the_search_beats_random_play_at_connect_four() -> None:
    game, random, won = load("rulesets/connect_four", "wasm"), Generator(1), 0
    for seed in range(20):
        state, own = game.new(seed=seed), 1 + seed % 2
        while not state.over:
            options = legal(state)
            place = random.below(len(options))
            if asked(state) == own:
                place = searched(game, state, state.words, seed, SearchStyle(50, 1, 300))[0]
            apply(state, options[place])
        won += result(state).winners == [own]
    assert won >= 18


RACE = """
kind Seat
    field steps: 0..9
action walk(p: Seat) of turn
    set p.steps to min(9, p.steps + 1)
action stand(p: Seat) of turn
value ahead(p: Seat): int = p.steps
phase game
    for every n in 1..4
        for every p in seats: offer turn by p
"""


def test_with_evaluate_a_search_goes_by_the_margin() -> None:
    game = game_of(RACE, seats=(2, 2), manifest="evaluate: ahead\nresult: {score: ahead}\n")
    state = game.new(seed=1)
    scale = scale_of(game)
    tree = SearchTree(game, state.words, [option.raw for option in legal(state)], 1, Generator(1))
    tree.grow(SearchStyle(60, scale, 0))
    assert legal(state)[tree.best()].ids == ("walk",)
    assert standing(game, state.words, scale) == [WHOLE // 2, WHOLE // 2]
    assert 1 <= scale <= 9


def test_a_margin_is_worth_more_the_larger_it_is() -> None:
    shares = [chance(margin, 100) for margin in (-10_000, -100, -1, 0, 1, 100, 10_000)]
    assert shares == sorted(shares) and shares[3] == WHOLE // 2
    assert shares[1] + shares[5] == WHOLE and 0.73 < shares[5] / WHOLE < 0.732


ROUND_AND_ROUND = """
field place: 0..1
field won: Seat or none
value score(p: Seat): int = 1 if won is p else 0
phase game
    repeat while won is none
        choose one by p1
            case back: set place to 1 - place
            case home: set won to p1
"""


def test_who_leads_back_to_a_position_gains_nothing_by_it() -> None:
    game = game_of(ROUND_AND_ROUND, seats=(2, 2), manifest="result: {score: score}\n")
    state = game.new(seed=1)
    options = [option.raw for option in legal(state)]
    tree = SearchTree(game, state.words, options, 1, Generator(1))
    tree.grow(SearchStyle(100, 1, 300))
    assert legal(state)[tree.best()].ids == ("home",)
