"""Many games of a ruleset as one vectorised environment of Gymnasium (extra `pettingzoo`), played in native memory.

`make` gives a `gymnasium.vector.VectorEnv`. Each step answers for the seat that is asked in each game, whichever it is:
who learns plays all seats, or looks at `infos["seat"]`. Observations, masks and numbers are those of
`tools.adapters.pettingzoo`. Games that are over begin anew in the same step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from interpreter import Game
from interpreter.backends.low.base import exported
from interpreter.backends.low.base.memory import MOST_ROWS
from interpreter.core.words import HIDDEN
from interpreter.play.result import kind_of_actors
from tools.adapters.actions import ROOM
from tools.adapters.driven import MAX_DECISIONS, loaded
from tools.adapters.rewards import SCORE, Rewards
from tools.adapters.slots import SteppedGames

SEED_BITS = 64


def make(ruleset: str | Path | Game, num_envs: int = 1, **arguments: Any) -> RulewrightVectorEnv:
    """The environment of a ruleset with so many games; `arguments` as for `RulewrightVectorEnv`."""
    return RulewrightVectorEnv(loaded(ruleset), num_envs, **arguments)


class RulewrightVectorEnv(VectorEnv):
    """Games of one ruleset with one number of seats. `rewards` is `score` or `wins`; after `max_decisions` decisions a
    game is truncated; `room`: how many numbers a question has for answers that are not numbered by their values;
    `copy`: whether each step gives arrays of its own, instead of the same ones with new numbers.

    Raises Unsupported without native code (extra `native`), ValueError for rewards that are not those of seats,
    MemoryError for too many games."""

    def __init__(
        self, game: Game, num_envs: int = 1, seats: int | None = None, options: Mapping[str, str] | None = None,
        rewards: str = "", max_decisions: int = MAX_DECISIONS, room: int = ROOM, copy: bool = False,
    ) -> None:  # fmt: skip
        program = game.program
        self.reward_scheme = Rewards(program, rewards)
        if kind_of_actors(program) is not None:
            raise ValueError(f"the scores of `{program.id}` are not those of seats")
        self.game, self.num_envs, self.copy = game, num_envs, copy
        self.seats = program.seats[0] if seats is None else seats
        self.slots = slots = SteppedGames(game, num_envs, self.seats, options or {}, max_decisions, room)
        self.metadata = {
            "name": program.id, "render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP,
        }  # fmt: skip
        self.single_action_space = spaces.Discrete(slots.space.size)
        self.single_observation_space = self._observation_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._seat, self._ended = slots.column(exported.ASKED_SEAT), slots.column(exported.ENDED)
        self._actions, self._mask, self._reward = slots.actions, slots.mask, slots.column(exported.REWARD)
        shape = num_envs, slots.observed.size
        seen = exported.OBSERVATION, exported.FINAL
        self._hidden: dict[int, Any] = {array: np.zeros(shape, np.bool_) for array in seen}
        self._hides = HIDDEN in slots.observed.lows
        count, legal = slots.column(exported.COUNTS), slots.arrays[exported.LEGAL][:, :MOST_ROWS]
        self._infos = {"seat": self._seat, "count": count, "legal": legal}

    def _observation_space(self) -> Any:
        observed, bits = self.slots.observed, (0, 1)
        low, high = np.array(observed.lows, np.int32), np.array(observed.highs, np.int32)
        found = {
            "observation": spaces.Box(low, high, dtype=np.int32),
            "hidden": spaces.Box(*bits, (observed.size,), np.bool_),
        }
        if self.slots.mask is not None:
            found["action_mask"] = spaces.Box(*bits, (self.slots.space.size,), np.int8)
        return spaces.Dict(found)

    # ------------------------------------------------------------ the interface

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:  # fmt: skip
        """Begin all games, or those that `options["reset_mask"]` marks. From the seed of a game (`seed` and its place,
        or its own in a list) follow the seeds of all games in its slot."""
        mask: Any = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"], np.bool_)
            if mask.shape != (self.num_envs,):
                raise ValueError(f"`reset_mask` has the shape {mask.shape}, not {(self.num_envs,)}")
        single = seed if isinstance(seed, int | np.integer) else None
        super().reset(seed=None if single is None else int(single))
        if single is not None:
            own: Sequence[int | None] = [int(single) + slot for slot in range(self.num_envs)]
        else:
            own = [None] * self.num_envs if seed is None else list(seed)  # type: ignore[arg-type]
        if len(own) != self.num_envs:
            raise ValueError(f"{len(own)} seeds for {self.num_envs} games")
        for slot in np.flatnonzero(mask).tolist():
            number = own[slot]
            drawn = number if number is not None else int(self.np_random.integers(1 << (SEED_BITS - 1)))
            self.slots.streams[slot] = drawn % (1 << SEED_BITS)
        self._actions[:] = mask
        self.slots.reset()
        return self._observations(), self._given(dict(self._infos))

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Answer each game with the number of a legal action. Raises ValueError, with nothing done, where one is not:
        the message says in which game."""
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,):
            raise ValueError(f"actions of the shape {actions.shape}, not {(self.num_envs,)}")
        acted = self._seat.copy()
        np.copyto(self._actions, actions, casting="same_kind")
        found = self.slots.step()
        if found:
            raise ValueError(self._refused(-1 - found, actions))
        how = self._ended
        terminated, truncated = how == exported.TERMINATED, how == exported.TRUNCATED
        rewards, by_seat = self._rewards(acted, terminated)
        infos = {**self._infos, "rewards": by_seat}
        if np.count_nonzero(how):
            infos["final_obs"] = self._seen(exported.FINAL)
            infos["_final_obs"] = terminated | truncated
        return self._observations(), rewards, terminated, truncated, self._given(infos)

    def observe(self, seat: int) -> Any:
        """The observation that a seat has of each game now, whoever is asked: an array that the next call
        overwrites."""
        if not 1 <= seat <= self.seats:
            raise ValueError(f"there is no seat {seat} among {self.seats}")
        return self.slots.observations(seat)

    @property
    def seeds(self) -> Any:
        """The seeds of the games in play: `game.new(seats, options, int(seeds[n]))` is the beginning of the n-th."""
        return self.slots.seeds.copy()

    @property
    def given_up(self) -> int:
        """The number of answers and beginnings that the reference has played, since native code could not."""
        return self.slots.given_up

    def close_extras(self, **kwargs: Any) -> None:
        """Do nothing: the memory is given back with the last array that shows it."""

    # ------------------------------------------------------------ what is given

    def _observations(self) -> dict[str, Any]:
        found = self._seen(exported.OBSERVATION)
        if self._mask is not None:
            found["action_mask"] = self._mask
        return self._given(found)

    def _seen(self, array: int) -> dict[str, Any]:
        """Observations, and where they hide something."""
        seen, hidden = self.slots.arrays[array], self._hidden[array]
        if self._hides:
            np.equal(seen, HIDDEN, out=hidden)
        return {"observation": seen, "hidden": hidden}

    def _given(self, found: dict[str, Any]) -> dict[str, Any]:
        """The same arrays, or copies of them."""
        if not self.copy:
            return found
        return {name: self._given(a) if isinstance(a, dict) else a.copy() for name, a in found.items()}

    def _rewards(self, acted: Any, over: Any) -> tuple[Any, Any]:
        """The rewards of the seats that have answered, and those of all seats: 0 in games that are not over."""
        if self.reward_scheme.form == SCORE:
            scores = self.slots.arrays[exported.SCORES][:, : self.seats]
            return self._reward.astype(np.float64), scores.astype(np.float64)
        ended, by_seat = np.flatnonzero(over), np.zeros((self.num_envs, self.seats))
        won = self.slots.column(exported.WINNERS)[ended, None] >> np.arange(1, self.seats + 1) & 1
        winners = won.sum(1, keepdims=True)
        losers = self.seats - winners
        shared = np.where(won, 1 / np.maximum(winners, 1), -1 / np.maximum(losers, 1))
        by_seat[ended] = np.where((winners > 0) & (losers > 0), shared, 0.0)
        own = by_seat[np.arange(self.num_envs), np.maximum(acted, 1) - 1]
        return np.where(acted, own, 0.0), by_seat

    def _refused(self, slot: int, actions: Any) -> str:
        count = int(self._infos["count"][slot])
        if not count:
            return f"game {slot} has not begun; call `reset` first"
        legal = self._infos["legal"][slot, :count].tolist()
        return f"action {actions[slot]} is not legal in game {slot}; legal are {legal}"
