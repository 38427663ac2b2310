"""Any ruleset as a game of OpenSpiel (extra `spiel`), with explicit chance.

`register` makes a ruleset known under a name of its own; `pyspiel.load_game(name)` then gives a game for all algorithms
of that library that accept games written in Python. Questions to several seats at once are asked one after the other;
the answers stay hidden, so nothing is lost. A game that takes more than `max_game_length` decisions is cut short, and
its rewards are 0.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyspiel

from dsl import ir
from dsl.base.types import bounds as type_bounds
from dsl.program import Program
from interpreter import Game, Option, Outcome, State, apply, copy, load, restore, save
from tools.adapters.actions import MAX_VALUES, ROOM, ActionSpace, TooManyOptions
from tools.adapters.observations import ObservationNumbers, observation, view_with_log
from tools.adapters.rewards import WINS, Rewards

MAX_DECISIONS = 100_000  # decisions of one game
PREFIX = "rulewright_"

GAMES: dict[str, Game] = {}  # by registered name: a pickled state holds only the name


def register(
    ruleset: str | Path | Game,
    name: str = "",
    rewards: str = "",
    bounds: tuple[float, float] | None = None,
    room: int = ROOM,
) -> str:
    """Make a ruleset a game of OpenSpiel; gives the name to load it by: by default `rulewright_` and its id.

    Parameters of the game: `players`, `options` (`size=small,bonus=true`), `max_game_length`, and `ask_forced`: whether
    a question with one possible answer is asked. `rewards` is `score` or `wins`, `bounds` the lowest and the highest
    score (see `tools.adapters.rewards`). Raises `ValueError` for a name that is taken.
    """
    game = ruleset if isinstance(ruleset, Game) else load(ruleset)
    program = game.program
    name = name or PREFIX + program.id
    if name in pyspiel.registered_names():
        raise ValueError(f"OpenSpiel knows a game `{name}` already; give another name")
    counted = Rewards(program, rewards, bounds)
    low, high = program.seats
    type_ = pyspiel.GameType(
        short_name=name,
        long_name=game.texts.title("en"),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=_chance_mode(program),
        information=_information(game),
        utility=pyspiel.GameType.Utility.ZERO_SUM if counted.form == WINS else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": low, "options": "", "max_game_length": MAX_DECISIONS, "ask_forced": False},
    )
    context = Context(
        type_, game, counted, ActionSpace(program, room), ChanceNumbers(program, room), ObservationNumbers(program)
    )
    # A class, since OpenSpiel keeps what is registered beyond the end of the interpreter, where only classes survive.
    pyspiel.register_game(type_, type("RegisteredGame", (RulewrightGame,), {"context": context}))
    GAMES[name] = game
    return name


def _chance_mode(program: Program) -> Any:
    modes = pyspiel.GameType.ChanceMode
    drawn = any(isinstance(i, ir.Chance) for i in program.code)
    return modes.EXPLICIT_STOCHASTIC if drawn else modes.DETERMINISTIC


def _information(game: Game) -> Any:
    hidden = game.has_secrets or any(site.audience is not None for site in game.program.sites)
    kinds = pyspiel.GameType.Information
    return kinds.IMPERFECT_INFORMATION if hidden else kinds.PERFECT_INFORMATION


class ChanceNumbers:
    """Numbers below `size` for the outcomes of chance: by value, or by place for an event with too many values."""

    def __init__(self, program: Program, room: int) -> None:
        spans: dict[str, tuple[int, int]] = {}
        for event in program.code:
            if isinstance(event, ir.Chance):
                low, high = _outcome_bounds(program, event)
                lowest, highest = spans.get(event.address, (low, high))
                spans[event.address] = min(low, lowest), max(high, highest)
        self.lowest = {address: low for address, (low, high) in spans.items() if high - low < MAX_VALUES}
        widest = [high - low + 1 if address in self.lowest else room for address, (low, high) in spans.items()]
        self.size = max(widest, default=0)

    def by_number(self, state: State) -> dict[int, Outcome]:
        """The outcomes of the chance event that is awaited, by their numbers; raises `TooManyOptions`."""
        event = state.chance
        assert event is not None, "a chance event is awaited"
        outcomes = sorted(event.outcomes, key=lambda o: o.code)
        low = self.lowest.get(event.address)
        numbers = range(len(outcomes)) if low is None else [o.code - low for o in outcomes]
        if numbers[-1] >= self.size:
            message = f"`{outcomes[-1].id}` is beyond the {self.size} numbers for chance; give the adapter more `room`"
            raise TooManyOptions(message)
        return dict(zip(numbers, outcomes, strict=True))


def _outcome_bounds(program: Program, event: ir.Chance) -> tuple[int, int]:
    """The lowest and the highest outcome of a chance event."""
    if event.op == "shuffle":
        return 0, len(program.thing_ids) - 1
    assert event.type is not None, "what is drawn goes into a variable"
    return type_bounds(event.type)


@dataclass(frozen=True)
class Context:
    """What all games of one registered ruleset have in common."""

    type: Any  # pyspiel.GameType
    game: Game
    rewards: Rewards
    space: ActionSpace
    chances: ChanceNumbers
    numbers: ObservationNumbers


class RulewrightGame(pyspiel.Game):
    """One ruleset with its number of seats and options; `register` makes a subclass for each ruleset."""

    context: ClassVar[Context]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        context = self.context
        known = context.type.parameter_specification | (params or {})
        self.max_length = int(known["max_game_length"])
        options = dict(pair.split("=", 1) for pair in str(known["options"]).split(",") if pair)
        self.initial = context.game.new(int(known["players"]), options, chance="ask", auto=not known["ask_forced"])
        info = pyspiel.GameInfo(
            num_distinct_actions=context.space.size,
            max_chance_outcomes=context.chances.size,
            num_players=self.initial.seats,
            min_utility=context.rewards.lowest,
            max_utility=context.rewards.highest,
            utility_sum=0.0 if context.rewards.form == WINS else None,
            max_game_length=self.max_length,
        )
        super().__init__(context.type, info, params or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> RulewrightState:
        return RulewrightState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise ValueError(f"observations take no parameters, but there are {params}")
        return Observer(self.context.numbers, iig_obs_type)


@dataclass
class StateHolder:
    """A state of the interpreter inside one of OpenSpiel, which that library copies by `deepcopy` and sends by
    `pickle`: neither includes the ruleset. The choices and the text of the position are cached, since they are asked
    for often."""

    name: str
    state: State
    choices: dict[int, Option] | dict[int, Outcome] | None = None
    text: str = ""

    def __deepcopy__(self, memo: Any) -> StateHolder:
        return replace(self, state=copy(self.state))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_holder, (self.name, json.dumps(save(self.state)))


def _restore_holder(name: str, saved: str) -> StateHolder:
    return StateHolder(name, restore(GAMES[name], json.loads(saved)))


class RulewrightState(pyspiel.State):
    """A position; `holder.state` is the state of the interpreter."""

    def __init__(self, game: RulewrightGame) -> None:
        super().__init__(game)
        self.holder = StateHolder(game.get_type().short_name, copy(game.initial))
        self.decisions = 0

    def _game(self) -> RulewrightGame:
        game: RulewrightGame = self.get_game()
        return game

    def _choices(self) -> dict[int, Option] | dict[int, Outcome]:
        """What may be chosen or drawn now, by number."""
        holder, game = self.holder, self._game()
        if holder.choices is None:
            decision = holder.state.decision
            holder.choices = (
                game.context.space.by_number(decision) if decision else game.context.chances.by_number(holder.state)
            )
        return holder.choices

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        decision = self.holder.state.decision
        return decision.seat - 1 if decision else int(pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._choices())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = self._game().context.chances.by_number(self.holder.state)
        return [(number, float(o.probability)) for number, o in outcomes.items()]

    def _apply_action(self, action: int) -> None:
        self.decisions += self.holder.state.decision is not None
        apply(self.holder.state, self._choices()[action])
        self.holder = StateHolder(self.holder.name, self.holder.state)

    def _action_to_string(self, player: int, action: int) -> str:
        choices = {} if self.is_terminal() else self._choices()
        found = choices.get(action)
        if isinstance(found, Outcome):
            return found.id
        return " ".join(found.ids) if found else f"{self._game().context.space.address(action)} #{action}"

    def is_terminal(self) -> bool:
        return self.holder.state.over or self.decisions >= self._game().max_length

    def returns(self) -> list[float]:
        return self._game().context.rewards.of(self.holder.state)

    def __str__(self) -> str:
        self.holder.text = self.holder.text or observation(self.holder.state, None)
        return self.holder.text


class Observer:
    """What a player sees: `tensor` has the numbers of `tools.adapters.observations`; the text is the player's view,
    after the player's log where recall is perfect."""

    def __init__(self, numbers: ObservationNumbers, form: Any = None) -> None:
        self.numbers = numbers
        self.perfect_recall = form is not None and form.perfect_recall
        self.public = form is not None and form.private_info == pyspiel.PrivateInfoType.NONE
        self.tensor: Any = np.zeros(numbers.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: RulewrightState, player: int) -> None:
        self.tensor[:] = self.numbers.of(state.holder.state, None if self.public else player + 1)

    def string_from(self, state: RulewrightState, player: int) -> str:
        seat = None if self.public else player + 1
        return view_with_log(state.holder.state, seat) if self.perfect_recall else observation(state.holder.state, seat)
