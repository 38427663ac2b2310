"""Any ruleset with a loop `at once` as a parallel environment of PettingZoo: all agents act in each step.

In a loop `at once` each agent that has to answer does so in the same step, and none sees what another one answers
before all have. Elsewhere one agent is asked. The mask of an agent that is not asked allows nothing, and what it does
counts for nothing.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv

from interpreter import Game
from tools.adapters.driven import Driven
from tools.adapters.rounds import has_rounds, pending
from tools.adapters.zoo import ZooEnvironment


class RulewrightParallelEnv(ZooEnvironment, ParallelEnv):
    """One ruleset with one number of seats; `arguments` as for `ZooEnvironment`. Raises ValueError for a ruleset in
    which nothing is answered `at once`."""

    def __init__(self, game: Game, **arguments: Any) -> None:
        if not has_rounds(game.program):
            raise ValueError(
                f"in `{game.program.id}` nothing is answered `at once`, so no agents act together; "
                "take `pettingzoo.env`, the AECEnv in which they act in turn"
            )
        super().__init__(game, **arguments)
        self.metadata = {"name": f"{game.program.id}_parallel", "render_modes": ["ansi"]}

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; `options` belongs to the interface and is not used: those of the ruleset are given to the
        environment."""
        self._begin(seed)
        self._arrive()
        return self._observations(), {agent: {} for agent in self.agents}

    def _arrive(self) -> None:
        """Stand at the beginning of a round, or at the question of one agent."""
        self.given: dict[int, list[int]] = {}
        self.pending, _ = pending(self.driven, self.given)

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of an agent before all have answered."""
        return self._seen(agent, self._asked(agent))

    def _asked(self, agent: str) -> Driven:
        """The position in which an agent is asked; else the one at which the round began."""
        return self.pending.get(self._seat(agent), self.driven)

    def _observations(self) -> dict[str, Any]:
        return {agent: self.observe(agent) for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Take the answers of all that are asked. ValueError, with nothing changed, where one of them is missing or not
        legal."""
        asked = {seat: self.possible_agents[seat - 1] for seat in self.pending} if self.agents else {}
        places = {
            seat: self._place(agent, actions.get(agent), self.pending[seat]) for seat, agent in asked.items()
        }  # fmt: skip
        for seat, place in places.items():
            self.given.setdefault(seat, []).append(place)
        self.decisions += len(places)
        self.pending, behind = pending(self.driven, self.given)
        if not self.pending:
            self.driven = behind
            self._arrive()
        over = not self.pending
        cut = not over and self.decisions >= self.max_decisions
        agents, earned = self.agents, self._earned()
        found: tuple[dict[str, Any], ...] = (
            self._observations(),
            {agent: earned[self._seat(agent) - 1] for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut),
            {agent: {} for agent in agents},
        )
        if over or cut:
            self.agents = []
        return found

    def action_text(self, agent: str, action: int) -> str:
        """An action that an agent may take now, in words."""
        return self._text(action, self._asked(agent))
