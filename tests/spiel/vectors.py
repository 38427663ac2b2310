"""A vectorised environment in lock step with the reference: a state for each game. It is not a test itself."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

import interpreter as rw
from tools.adapters.vector import RulewrightVectorEnv


class Lockstep:
    """`ended`, `plans`: games that have come to an end, and positions with an open plan that were seen."""

    def __init__(self, env: RulewrightVectorEnv, seed: int) -> None:
        self.env, self.random = env, Random(seed)
        self.space, self.observed = env.slots.space, env.slots.observed
        self.observations, self.infos = env.reset(seed=seed)
        self.states = [self.begun(slot) for slot in range(env.num_envs)]
        self.taken = [0] * env.num_envs
        self.ended = self.plans = 0

    def begun(self, slot: int) -> rw.State:
        """The game that begins in a slot."""
        env = self.env
        return env.game.new(env.seats, env.slots.options, int(env.seeds[slot]))

    def play(self, steps: int) -> None:
        for _ in range(steps):
            self.compare()
            self.step([self.random.choice(self.space.numbers(s.decision)) for s in self.states if s.decision])
        self.compare()

    def compare(self) -> None:
        """The same words, plans, seats, numbers, masks, and observations of all seats."""
        env, infos = self.env, self.infos
        assert env.observation_space.contains(self.observations)
        for slot, state in enumerate(self.states):
            decision, here = state.decision, env.slots.state(slot)
            assert decision is not None
            numbers = self.space.numbers(decision)
            assert list(here.words) == list(state.words)
            assert plan_of(here) == plan_of(state)
            self.plans += state.plan is not None
            assert infos["seat"][slot] == decision.seat and infos["count"][slot] == len(numbers)
            assert infos["legal"][slot, : len(numbers)].tolist() == numbers
            if "action_mask" in self.observations:
                assert np.flatnonzero(self.observations["action_mask"][slot]).tolist() == sorted(numbers)
            self.sees(self.observations, slot, self.observed.of(state, decision.seat))
        for seat in range(1, env.seats + 1):
            found = env.observe(seat)
            for slot, state in enumerate(self.states):
                assert found[slot].tolist() == self.observed.of(state, seat), (slot, seat)

    def sees(self, found: dict[str, Any], slot: int, wanted: list[int]) -> None:
        assert found["observation"][slot].tolist() == wanted
        assert found["hidden"][slot].tolist() == [number == -(2**31) for number in wanted]

    def step(self, actions: list[int]) -> None:
        """One step of both; games that are over begin anew."""
        env = self.env
        acted = self.infos["seat"].tolist()
        self.observations, rewards, terminated, truncated, self.infos = env.step(np.array(actions))
        for slot, state in enumerate(self.states):
            assert state.decision is not None
            rw.apply(state, self.space.by_number(state.decision)[actions[slot]])
            self.taken[slot] += 1
            cut = not state.over and self.taken[slot] >= env.slots.most
            assert (terminated[slot], truncated[slot]) == (state.over, cut)
            wanted = env.reward_scheme.of(state)
            assert self.infos["rewards"][slot].tolist() == wanted and rewards[slot] == wanted[acted[slot] - 1]
            assert bool("_final_obs" in self.infos and self.infos["_final_obs"][slot]) == (state.over or cut)
            if state.over or cut:
                self.sees(self.infos["final_obs"], slot, self.observed.of(state, acted[slot]))
                self.ended += 1
                self.states[slot], self.taken[slot] = self.begun(slot), 0


def plan_of(state: rw.State) -> tuple[int, list[int]] | None:
    return None if state.plan is None else (state.plan.seat, list(state.plan.words))
