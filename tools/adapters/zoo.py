"""The common part of both environments of PettingZoo: their agents, their spaces, and what is seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding

from interpreter import Game, State, legal
from tools.adapters.actions import ROOM, ActionSpace
from tools.adapters.driven import MAX_DECISIONS, Driven
from tools.adapters.observations import ObservationNumbers, observation
from tools.adapters.rewards import Rewards

SEEDS = 2**31 - 1


class ZooEnvironment:
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
        self.actions = ActionSpace(game, room)
        self.numbers = ObservationNumbers(game.program)
        self.possible_agents = [f"player_{seat}" for seat in range(1, self.seats + 1)]
        self.action_spaces = {a: spaces.Discrete(self.actions.size) for a in self.possible_agents}
        self.observation_spaces = {a: self._observation_space() for a in self.possible_agents}
        self.np_random, _ = seeding.np_random()

    def _observation_space(self) -> Any:
        low, high = np.array(self.numbers.lows, np.int32), np.array(self.numbers.highs, np.int32)
        seen = spaces.Box(low, high, dtype=np.int32)
        return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (self.actions.size,), np.int8)})

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        """Begin a game with all agents."""
        if seed is not None:
            self.np_random, _ = seeding.np_random(seed)
        number = int(self.np_random.integers(SEEDS))
        driver = self.game.driver(self.seats, self.options, number)
        self.driven = Driven(driver, lambda: self.game.new(self.seats, self.options, number))
        self.decisions = 0
        self.agents = list(self.possible_agents)

    @property
    def current_state(self) -> State:
        """The position with its log. It must not be changed."""
        return self.driven.state

    def _earned(self) -> list[float]:
        """The pay of each seat; 0 in a game that is not over."""
        scheme = self.reward_scheme
        return scheme.of(self.current_state if scheme.by_actors else self.driven.driver.state())

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent) + 1

    def _seen(self, agent: str, driven: Driven) -> dict[str, Any]:
        """The observation of an agent in a position; the mask is empty if it is not asked there."""
        seat = self._seat(agent)
        mask: Any = np.zeros(self.actions.size, np.int8)
        if driven.driver.seat == seat:
            mask[driven.driver.numbers(self.actions)] = 1
        return {"observation": np.array(self.numbers.of(driven.bare, seat), np.int32), "action_mask": mask}

    def _place(self, agent: str, action: int | None, driven: Driven) -> int:
        """The place of an action among the options; ValueError if it is none of them."""
        numbers = driven.driver.numbers(self.actions)
        if action is None or int(action) not in numbers:
            allowed = driven.driver.sorted_numbers(self.actions)
            raise ValueError(f"{agent} cannot take action {action}; its mask allows {allowed}")
        return numbers.index(int(action))

    def _text(self, action: int, driven: Driven) -> str:
        return " ".join(legal(driven.bare)[driven.driver.numbers(self.actions).index(action)].ids)

    def observation_text(self, agent: str) -> str:
        """The view of an agent as JSON in words: the content of its observation, for people and language models."""
        return observation(self.driven.bare, self._seat(agent))

    def render(self) -> str | None:
        """The view of everybody, where the environment was made with `render_mode="ansi"`."""
        return observation(self.driven.bare, None) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
