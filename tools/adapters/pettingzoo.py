"""Any ruleset as an environment of PettingZoo (extra `pettingzoo`): agents act in turn, rewards come at the end.

`env` gives an `AECEnv`, `parallel_env` the `ParallelEnv` of a ruleset with loops `at once`. An observation has the
numbers that the agent may see and a mask of the actions it may take now; actions are the numbers of
`tools.adapters.actions`. Chance is drawn by the ruleset's own generator from the seed of `reset`. After `max_decisions`
decisions a game is truncated.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pettingzoo import AECEnv

from interpreter import Game
from tools.adapters.driven import loaded
from tools.adapters.parallel import RulewrightParallelEnv
from tools.adapters.zoo import ZooEnvironment


def env(ruleset: str | Path | Game, **arguments: Any) -> RulewrightEnv:
    """The environment of a ruleset in which agents act in turn; `arguments` as for `ZooEnvironment`."""
    return RulewrightEnv(loaded(ruleset), **arguments)


def parallel_env(ruleset: str | Path | Game, **arguments: Any) -> RulewrightParallelEnv:
    """The environment of a ruleset in which agents act together; raises ValueError where nothing is `at once`."""
    return RulewrightParallelEnv(loaded(ruleset), **arguments)


class RulewrightEnv(ZooEnvironment, AECEnv):
    """One ruleset with one number of seats; `arguments` as for `ZooEnvironment`."""

    def __init__(self, game: Game, **arguments: Any) -> None:
        super().__init__(game, **arguments)
        self.metadata = {"name": game.program.id, "render_modes": ["ansi"], "is_parallelizable": False}

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begin a game; `options` belongs to the interface and is not used: those of the ruleset are given to `env`."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._next()

    def _next(self) -> None:
        """After a step: set the agent to act, or the rewards of the game."""
        seat = self.driven.driver.seat
        if seat:
            self.agent_selection = self.possible_agents[seat - 1]
            if self.decisions >= self.max_decisions:
                self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.rewards = dict(zip(self.agents, self._earned(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, Any]:
        return self._seen(agent, self.driven)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        place = self._place(agent, action, self.driven)
        self._cumulative_rewards[agent] = 0.0
        self.driven.answer(place)
        self.decisions += 1
        self._next()
        self._accumulate_rewards()

    def action_text(self, action: int) -> str:
        """An action that may be taken now, in words."""
        return self._text(action, self.driven)
