"""Low code imagines the same stores as the reference, with the same draws."""

from __future__ import annotations

import pytest

from interpreter import Game, State
from interpreter.backends.low.base.exported import BEGIN, SP
from interpreter.backends.low.bots.choices import GREEDY
from interpreter.backends.low.bots.imagine import IMAGINE
from interpreter.backends.low.bots.stores import STASH, STATES
from interpreter.backends.low.generators.bot_numbers import STATE
from interpreter.backends.low.whole.walking import lower_module
from interpreter.backends.native.rows import put_generator, state_at
from interpreter.choices.generator import Generator
from interpreter.visibility.imagine import imagined
from tests.concepts.play import game as game_of
from tests.conformance.tables import load
from tests.interpreter.visibility.test_imagine import SECRETS, STACKS, asked, positions
from tests.printed import printed


def assert_alike(game: Game, states: list[State]) -> None:
    lowered = lower_module(game.program)
    own = lowered.regions.bots
    runner = printed(lowered.module)
    for n, state in enumerate(states):
        chance, seat = Generator(n), asked(state)
        found = imagined(game, state.words, seat, chance)
        runner.write(0, state.words)
        put_generator(runner.memory, own, Generator(n))
        runner.caller(BEGIN)(len(state.words))
        runner.set(STASH, own + STATE * (STATES - 2 * GREEDY))  # behind the generators
        runner.caller(IMAGINE)(seat, own)
        assert list(runner.memory[: runner.get(SP)]) == list(found), (n, state.decision)
        assert state_at(runner.memory, own) == chance.state


@pytest.mark.parametrize("name", ["goofspiel", "kuhn_poker", "lamplight", "leduc_poker", "liars_dice", "love_letter"])
def test_small_games_are_imagined_alike(name: str) -> None:
    folder = f"rulesets/{name}"
    assert_alike(load(folder, "reference"), [after(state) for state in positions(folder, 40)])


@pytest.mark.parametrize("name", ["civilization", "dominant_species"])
def test_large_games_are_imagined_alike(name: str) -> None:
    folder = f"rulesets/{name}"
    assert_alike(load(folder, "reference"), [after(state) for state in positions(folder, 8)])


def after(state: State) -> State:
    """The position as it is now, while the game goes on."""
    return State(state.game, state.words[:], state.seats, dict(state.options), state.seed)


FIELDS = """
enum Hue: red, blue, green
piece token
kind Card: 4
zone deck: Card ordered seen by nobody
zone slip: Card max 1 seen by nobody
kind Seat
    zone safe: token seen by owner
    zone hand: Card seen by owner
    field order: list of Hue seen by owner
    field nerve: -3..3 seen by owner
invariant someone_is_calm: any(p in seats: p.nerve is 0)
phase game
    for every c in Card: move c to deck
    shuffle deck
    move front(deck) to slip
    for every p in seats: move front(deck) to p.hand
    for every p in seats: gain 3 token by p to p.safe
    choose k in 1..2 by p1
"""


@pytest.mark.parametrize("rules", [SECRETS, STACKS, FIELDS])
def test_all_sorts_of_secrets_are_imagined_alike(rules: str) -> None:
    game = game_of(rules, seats=(3, 3))
    assert_alike(game, [game.new(seed=1)] * 30)
