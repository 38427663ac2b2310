"""The vectorised environment: equal to the reference in all that it gives, and what its interface demands."""

from __future__ import annotations

import gc
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import interpreter as rw
from dsl.program import Program
from interpreter.backends.low.base import exported
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Num, Op, Reason
from interpreter.backends.low.slots import stepping
from interpreter.backends.low.slots.lowering import lower_slots
from interpreter.backends.native.cache import Made
from interpreter.backends.native.targets import Instance, Target
from interpreter.core.rng import GOLDEN, MASK_64, mixed
from tests.concepts.play import game as game_of
from tests.interpreter.low_pair import WITH_A_GAP
from tests.native import needs_wasmtime
from tests.secrets import twins
from tests.secrets.accepted import accepted
from tests.secrets.programs import program as random_secrets
from tests.spiel.extras import require

require("gymnasium", "pettingzoo")

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from tests.spiel.vectors import Lockstep  # noqa: E402
from tools.adapters import slots, vector  # noqa: E402

pytestmark = needs_wasmtime

soak = pytest.mark.soak
GAMES = [
    ("connect_four", 2, 60), ("othello", 2, 70), ("kuhn_poker", 2, 60), ("leduc_poker", 2, 60), ("goofspiel", 3, 60),
    ("liars_dice", 2, 60), ("love_letter", 3, 200), ("dominant_species", 3, 60),
    pytest.param("through_the_ages", 3, 100, marks=soak), pytest.param("bios_origins", 2, 100, marks=soak),
    pytest.param("bios_mesofauna", 2, 100, marks=soak), pytest.param("civilization", 3, 100, marks=soak),
]  # fmt: skip


@pytest.mark.parametrize(("name", "seats", "steps"), GAMES)
def test_all_that_it_gives_is_what_the_reference_says(name: str, seats: int, steps: int) -> None:
    pair = Lockstep(vector.make(name, num_envs=4, seats=seats), 7)
    pair.play(steps)
    assert pair.env.given_up == 0
    assert name not in ("connect_four", "kuhn_poker", "leduc_poker", "love_letter") or pair.ended > 3
    assert name not in ("bios_origins", "civilization") or pair.plans > 0


@pytest.mark.parametrize("name", ["kuhn_poker", "love_letter"])
def test_winners_share_one_point_where_that_is_asked_for(name: str) -> None:
    pair = Lockstep(vector.make(name, num_envs=3, rewards="wins"), 2)
    pair.play(150)
    assert pair.ended > 3


def test_options_and_a_last_decision() -> None:
    env = vector.make("dominant_species", num_envs=2, max_decisions=7)
    pair = Lockstep(env, 3)
    pair.play(22)
    assert pair.ended == 6
    assert "options" in rw.view(env.slots.state(0), None)


# ------------------------------------------------------------ where low code gives up


def test_a_game_that_is_not_lowered_in_full_goes_on() -> None:
    pair = Lockstep(vector.make(game_of(WITH_A_GAP), num_envs=3, max_decisions=9, rewards="wins"), 1)
    pair.play(40)
    assert pair.env.given_up > 10


@pytest.mark.parametrize("name", ["kuhn_poker", "love_letter", "connect_four"])
def test_the_reference_plays_what_low_code_gives_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Low code gives up at each fifth step or beginning of a game, in its midst."""
    settle = stepping._write_settle

    def write(lo: Lowering) -> None:
        settle(lo)
        inner, count = lo.functions.pop(), lo.memory.room(1)
        lo.functions.append(replace(inner, name="settle_indeed"))
        with lo.function(stepping.SETTLE, ()) as w:
            w.count(count)
            w.trap_if(low.Not(Op("%u", word(count), Num(5))), Reason.GAP)
            w.give(low.Call("settle_indeed"))

    def made(program: Program, room: int, target: Target) -> tuple[Instance, Made]:
        lowered = lower_slots(program, room)
        code = target.compiled(target.written(lowered.module))
        return target.loaded(code, 0), Made(b"", lowered.regions, lowered.gaps, slots=lowered.slots)

    monkeypatch.setattr(stepping, "_write_settle", write)
    monkeypatch.setattr(slots, "instance_of_slots", made)
    pair = Lockstep(vector.make(name, num_envs=4, max_decisions=15), 4)
    pair.play(60)
    assert pair.env.given_up > 40 and pair.ended > 8


# ------------------------------------------------------------ secrets


def test_what_a_seat_cannot_know_is_not_in_its_observation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twins of games differ in secrets alone: at every question a seat observes the same of both."""
    looked = 0
    pairs: dict[int, slots.SteppedGames] = {}

    def look(step: twins.Step, other: rw.State, seat: int | None, number: int) -> twins.Leak | None:
        nonlocal looked
        one = step.state
        if seat is None or one.decision is None or other.decision is None:
            return None
        key = id(one.game.program)
        if key not in pairs:
            pairs[key] = slots.SteppedGames(rw.Game(one.game.program), 2, one.seats, {}, 100, 512)
        for slot, state in enumerate((one, other)):
            pairs[key].show(slot, state)
        found = pairs[key].observations(seat)
        looked += 1
        differs = np.flatnonzero(found[0] != found[1]).tolist()
        return twins.Leak(seat, f"numbers {differs}", number, one, other) if differs else None

    monkeypatch.setattr(twins, "looked_at", look)
    programs = [rw.load(name).program for name in ("kuhn_poker", "leduc_poker", "love_letter")]
    programs += [taken[1] for seed in range(50, 56) if (taken := accepted(random_secrets(seed))) is not None]
    counts = twins.Counts()
    for program in programs:
        for seed in range(15):
            played = twins.played(twins.new_game(program), program.seats[0], Random(seed))
            for seat in range(1, program.seats[0] + 1):
                leak = twins.compare(played, seat, Random(seed), counts)
                assert leak is None, (program.id, leak.what)
    assert looked > 60 and sum(pair.given_up for pair in pairs.values()) == 0


# ------------------------------------------------------------ the interface


def chosen(infos: dict[str, Any]) -> Any:
    """The first legal answer of each game."""
    return infos["legal"][:, 0]


def test_it_is_what_gymnasium_calls_a_vectorised_environment() -> None:
    env = vector.make("connect_four", num_envs=3)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.action_space.shape == (3,) and env.single_action_space.n == 7
    observations, infos = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    env.action_space.seed(1)
    observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())
    assert env.observation_space.contains(observations)
    assert rewards.shape == terminated.shape == truncated.shape == (3,)
    assert rewards.dtype == np.float64 and terminated.dtype == truncated.dtype == np.bool_
    env.close()


def test_arrays_are_the_same_ones_unless_copies_are_asked_for() -> None:
    for copy in (False, True):
        env = vector.make("connect_four", num_envs=2, copy=copy)
        before, infos = env.reset(seed=1)
        kept = before["observation"].copy()
        after = env.step(chosen(infos))[0]
        assert np.shares_memory(before["observation"], after["observation"]) is not copy
        assert (before["observation"] == kept).all() is np.bool_(copy)


def test_arrays_stay_when_the_environment_is_gone() -> None:
    env = vector.make("connect_four", num_envs=50)
    observations, _ = env.reset(seed=1)
    kept = observations["observation"].copy()
    del env
    gc.collect()
    assert (observations["observation"] == kept).all()


def test_seeds_follow_from_the_seed() -> None:
    env = vector.make("kuhn_poker", num_envs=2)
    _, infos = env.reset(seed=5)
    streams = [5, 6]
    for _ in range(20):
        assert env.seeds.tolist() == [mixed(stream) for stream in streams]
        _, _, terminated, _, infos = env.step(chosen(infos))
        streams = [s + GOLDEN & MASK_64 if over else s for s, over in zip(streams, terminated, strict=True)]
    assert streams != [5, 6]


def test_the_same_seed_gives_the_same_games() -> None:
    env = vector.make("love_letter", num_envs=3)

    def numbers(seed: int | list[int] | None) -> list[list[int]]:
        observations, infos = env.reset(seed=seed)
        found = []
        for _ in range(30):
            found.append(observations["observation"].ravel().tolist())
            observations, _, _, _, infos = env.step(chosen(infos))
        return found

    first = numbers(3)
    assert numbers(3) == numbers([3, 4, 5]) == first
    assert numbers(4) != first
    drawn = numbers(None)
    assert drawn != numbers(None)
    with pytest.raises(ValueError, match="2 seeds for 3 games"):
        env.reset(seed=[1, 2])


def test_some_games_begin_anew() -> None:
    env = vector.make("connect_four", num_envs=3)
    _, infos = env.reset(seed=1)
    env.step(chosen(infos))
    before = env.slots.arrays[exported.STORE][:, :100].copy()
    _, infos = env.reset(seed=2, options={"reset_mask": np.array([False, True, False])})
    after = env.slots.arrays[exported.STORE][:, :100]
    assert (before != after).any(1).tolist() == [False, True, False]
    assert infos["seat"].tolist() == [2, 1, 2]
    with pytest.raises(ValueError, match="shape"):
        env.reset(options={"reset_mask": np.array([True])})


@pytest.mark.parametrize("number", [-1, 7, 2**31, 2**32, 2**63 - 1, -(2**63)])
def test_an_illegal_number_is_refused_and_nothing_is_done(number: int) -> None:
    env = vector.make("connect_four", num_envs=3)
    env.reset(seed=1)
    before = [array.copy() for array in env.slots.arrays]
    with pytest.raises(ValueError, match=rf"action {number} is not legal in game 1; legal are \[0, 1, 2, 3, 4, 5, 6\]"):
        env.step(np.array([0, number, 0]))
    changing = exported.ACTION, exported.CHOSEN
    assert all(
        (a == b).all() for k, (a, b) in enumerate(zip(before, env.slots.arrays, strict=True)) if k not in changing
    )
    env.step(np.array([0, 0, 0]))


def test_other_misuse_is_refused() -> None:
    env = vector.make("connect_four", num_envs=2)
    with pytest.raises(ValueError, match="call `reset` first"):
        env.step(np.array([0, 0]))
    env.reset(seed=1)
    with pytest.raises(ValueError, match="shape"):
        env.step(np.array([0]))
    with pytest.raises(TypeError):
        env.step(np.array([0.0, 1.0]))
    with pytest.raises(ValueError, match="seat 3"):
        env.observe(3)
    with pytest.raises(ValueError, match="score"):
        vector.make("connect_four", rewards="points")


def test_a_game_with_many_numbers_has_no_mask() -> None:
    env = vector.make(game_of(WITH_A_GAP), num_envs=1, rewards="wins", room=20_000)
    observations, infos = env.reset(seed=1)
    assert set(observations) == {"observation", "hidden"} and infos["count"][0] > 0
