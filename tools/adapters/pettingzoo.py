"""Any ruleset as an environment of PettingZoo (extra `pettingzoo`): agents act in turn, rewards come at the end.

`env` gives an `AECEnv`. An observation has the numbers that the agent may see and a mask of the actions it may take
now; actions are the numbers of `tools.adapters.actions`. Chance is drawn by the ruleset's own generator from the seed
of `reset`. After `max_decisions` decisions a game is truncated.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from interpreter import Game, State, apply, load
from tools.adapters.actions import ROOM, ActionSpace
from tools.adapters.observations import HIDDEN, ObservationNumbers, observation
from tools.adapters.rewards import Rewards

MAX_DECISIONS = 100_000  # decisions of one game
MAX_NUMBER = 2**31 - 1


def env(ruleset: str | Path | Game, **arguments: Any) -> RulewrightEnv:
    """The environment of a ruleset; `arguments` as for `RulewrightEnv`."""
    return RulewrightEnv(ruleset if isinstance(ruleset, Game) else load(ruleset), **arguments)


class RulewrightEnv(AECEnv):
    """One ruleset with one number of seats. `player_1` is seat 1; `rewards` is `score` or `wins`; `room`: how many
    numbers a question has for answers that are not numbered by their values."""

    def __init__(
        self, game: Game, seats: int | None = None, options: Mapping[str, str] | None = None, rewards: str = "",
        max_decisions: int = MAX_DECISIONS, room: int = ROOM, render_mode: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.game, self.max_decisions, self.render_mode = game, max_decisions, render_mode
        self.seats = game.program.seats[0] if seats is None else seats
        self.options = dict(options or {})
        self.reward_scheme = Rewards(game.program, rewards)
        self.actions = ActionSpace(game.program, room)
        self.numbers = ObservationNumbers(game.program)
        self.metadata = {"name": game.program.id, "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(1, self.seats + 1)]
        self.action_spaces = {a: spaces.Discrete(self.actions.size) for a in self.possible_agents}
        self.observation_spaces = {a: self._observation_space() for a in self.possible_agents}
        self.np_random, _ = seeding.np_random()

    def _observation_space(self) -> Any:
        seen = spaces.Box(HIDDEN, MAX_NUMBER, (self.numbers.size,), np.int32)
        return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (self.actions.size,), np.int8)})

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin a game; `options` belongs to the interface and is not used: those of the ruleset are given to `env`."""
        if seed is not None:
            self.np_random, _ = seeding.np_random(seed)
        number = int(self.np_random.integers(MAX_NUMBER))
        self.current_state: State = self.game.new(self.seats, self.options, number)
        self.decisions = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._next()

    def _next(self) -> None:
        """After a step: set the agent to act, or the rewards of the game."""
        state = self.current_state
        decision = state.decision
        self.choices = self.actions.by_number(decision) if decision else {}
        if decision is not None:
            self.agent_selection = self.possible_agents[decision.seat - 1]
        else:
            self.rewards = dict(zip(self.agents, self.reward_scheme.of(state), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        if decision is not None and self.decisions >= self.max_decisions:
            self.truncations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent) + 1
        decision = self.current_state.decision
        mask: Any = np.zeros(self.actions.size, np.int8)
        if decision is not None and decision.seat == seat:
            mask[list(self.choices)] = 1
        return {"observation": np.array(self.numbers.of(self.current_state, seat), np.int32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        option = None if action is None else self.choices.get(int(action))
        if option is None:
            raise ValueError(f"{agent} cannot take action {action}; its mask allows {list(self.choices)}")
        self._cumulative_rewards[agent] = 0.0
        apply(self.current_state, option)
        self.decisions += 1
        self._next()
        self._accumulate_rewards()

    def observation_text(self, agent: str) -> str:
        """What an agent sees, as JSON in words: the content of its observation, for people and language models."""
        return observation(self.current_state, self.possible_agents.index(agent) + 1)

    def action_text(self, action: int) -> str:
        """An action that may be taken now, in words."""
        return " ".join(self.choices[action].ids)

    def render(self) -> str | None:
        """What everybody sees, where the environment was made with `render_mode="ansi"`."""
        return observation(self.current_state, None) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing: the environment holds no resources."""
