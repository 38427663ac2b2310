"""Any ruleset as a game of OpenSpiel (extra `spiel`), with explicit chance.

`register` makes a ruleset known under a name of its own; `pyspiel.load_game(name)` then gives a game for all algorithms
of that library that accept games written in Python. Questions to several seats at once are asked one after the other;
the answers stay hidden, so nothing is lost. A game that takes more than `max_game_length` decisions is cut short, and
its rewards are 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyspiel

from dsl import ir
from dsl.program import ASKING, Program
from interpreter import Driver, Game, State, copy, legal, restore, save
from interpreter.choices.generator import WHOLE, Generator
from interpreter.choices.numbers import ROOM
from interpreter.visibility.imagine import imagined
from tools.adapters.actions import ActionSpace
from tools.adapters.chances import ChanceNumbers
from tools.adapters.driven import MAX_DECISIONS, Driven, Step, loaded
from tools.adapters.observations import ObservationNumbers, observation, view_with_log
from tools.adapters.recall import COLUMNS, ROWS, Recall, RowNumbers
from tools.adapters.rewards import Rewards

PREFIX = "rulewright_"

CONTEXTS: dict[str, Context] = {}  # by registered name: a pickled state holds only the name
TERMINAL, CHANCE = int(pyspiel.PlayerId.TERMINAL), int(pyspiel.PlayerId.CHANCE)


def register(
    ruleset: str | Path | Game,
    name: str = "",
    rewards: str = "",
    bounds: tuple[float, float] | None = None,
    room: int = ROOM,
    recall: int = ROWS,
) -> str:
    """Make a ruleset a game of OpenSpiel; gives the name to load it by: by default `rulewright_` and its id.

    Parameters of the game: `players`, `options` (`size=small,bonus=true`), `max_game_length`, and `ask_forced`: whether
    a question with one possible answer is asked. `rewards` is `score` or `wins`, `bounds` the lowest and the highest
    score (see `tools.adapters.rewards`), `recall` the rows of a game that an information state has in numbers
    (`tools.adapters.recall`); 0: it has none. Raises `ValueError` for a name that is taken.
    """
    game = loaded(ruleset)
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
        utility=pyspiel.GameType.Utility.ZERO_SUM if counted.is_zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=recall > 0,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": low, "options": "", "max_game_length": MAX_DECISIONS, "ask_forced": False},
    )
    space, chances, numbers = ActionSpace(game, room), ChanceNumbers(program, room), ObservationNumbers(program)
    rows = RowNumbers(space, chances, numbers)
    context = Context(type_, game, counted, space, chances, numbers, rows, recall)
    # A class, since OpenSpiel keeps what is registered beyond the end of the interpreter, where only classes survive.
    pyspiel.register_game(type_, type("RegisteredGame", (RulewrightGame,), {"context": context}))
    CONTEXTS[name] = context
    return name


def _chance_mode(program: Program) -> Any:
    modes = pyspiel.GameType.ChanceMode
    drawn = any(isinstance(i, ir.Chance) for i in program.code)
    return modes.EXPLICIT_STOCHASTIC if drawn else modes.DETERMINISTIC


def _information(game: Game) -> Any:
    hidden = game.has_secrets or any(site.audience is not None for site in game.program.sites)
    kinds = pyspiel.GameType.Information
    return kinds.IMPERFECT_INFORMATION if hidden else kinds.PERFECT_INFORMATION


@dataclass(frozen=True)
class Context:
    """All that the games of one registered ruleset have in common."""

    type: Any  # pyspiel.GameType
    game: Game
    rewards: Rewards
    space: ActionSpace
    chances: ChanceNumbers
    numbers: ObservationNumbers
    rows: RowNumbers
    recall: int  # the most rows of an information state in numbers


class RulewrightGame(pyspiel.Game):
    """One ruleset with its number of seats and options; `register` makes a subclass for each ruleset."""

    context: ClassVar[Context]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        context = self.context
        known = context.type.parameter_specification | (params or {})
        self.max_length = int(known["max_game_length"])
        options = dict(pair.split("=", 1) for pair in str(known["options"]).split(",") if pair)
        initial = context.game.new(int(known["players"]), options, chance="ask", auto=not known["ask_forced"])
        self.initial = SpielPosition(
            context, context.type.short_name, driven_from(context.game, initial), self.max_length
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=context.space.size,
            max_chance_outcomes=context.chances.size,
            num_players=initial.seats,
            min_utility=context.rewards.lowest,
            max_utility=context.rewards.highest,
            utility_sum=0.0 if context.rewards.is_zero_sum else None,
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
        return Observer(self.context, iig_obs_type)


class SpielPosition:
    """A position inside a state of OpenSpiel, which that library copies by `deepcopy` and sends by `pickle`: neither
    includes the ruleset. `player`: who acts, as OpenSpiel numbers players; `left`: the decisions until the game is
    cut."""

    __slots__ = ("context", "name", "driven", "player", "left", "_numbers", "_text", "_recalled")

    def __init__(self, context: Context, name: str, driven: Driven, left: int) -> None:
        self.context, self.name, self.driven, self.left = context, name, driven, left
        self._numbers: list[int] | None = None
        self._text = ""
        self._recalled: dict[int | None, Recall] = {}  # by seats, perhaps of an earlier position
        self._arrive()

    def _arrive(self) -> None:
        """Work out who acts."""
        driver = self.driven.driver
        if driver.seat and self.left:
            self.player = driver.seat - 1
        else:
            self.player = CHANCE if self.left and driver.waits_for_chance else TERMINAL

    def copy(self) -> SpielPosition:
        """An independent position."""
        other = SpielPosition.__new__(SpielPosition)
        other.context, other.name, other.left, other.player = self.context, self.name, self.left, self.player
        other.driven, other._numbers, other._text = self.driven.copy(), self._numbers, self._text
        other._recalled = self._recalled.copy()
        return other

    def __deepcopy__(self, memo: Any) -> SpielPosition:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        driven = self.driven
        return _restored, (self.name, json.dumps(save(driven.begin())), driven.steps(), self.left)

    @property
    def state(self) -> State:
        """The position with its log."""
        return self.driven.state

    def actions(self) -> list[int]:
        """The numbers of all that may be chosen or drawn now, the lowest first."""
        driver = self.driven.driver
        return driver.sorted_numbers(self.context.space) if driver.seat else list(self.outcomes())

    def numbers(self) -> list[int]:
        """The numbers of the options, in their order."""
        if self._numbers is None:
            self._numbers = self.driven.driver.numbers(self.context.space)
        return self._numbers

    def outcomes(self) -> dict[int, tuple[int, int]]:
        """The outcomes of chance by their numbers: values and weights."""
        driver = self.driven.driver
        return self.context.chances.numbered(driver.event, driver.outcomes)

    def take(self, action: int) -> None:
        """Take an answer or an outcome of chance; raises ValueError where it may not be."""
        if self.driven.driver.seat:
            self.driven.answer(self.numbers().index(action))
            self.left -= 1
        else:
            self.driven.draw(self.outcomes()[action][0])
        self._numbers, self._text = None, ""
        self._arrive()

    def resampled(self, seat: int, chance: Generator) -> SpielPosition:
        """A position that this may be as well for all that a seat can know, with the same past."""
        driver = self.driven.driver
        words = imagined(driver.game, driver.words, seat, chance)
        words[ASKING] = driver.words[ASKING]
        state = copy(self.state)
        state.replace_words(words)
        other = self.copy()
        other.driven, other._recalled = driven_from(self.context.game, state), {}
        other._numbers, other._text = None, ""
        return other

    def text(self) -> str:
        """The position as everybody sees it."""
        self._text = self._text or observation(self.driven.bare, None)
        return self._text

    def recalled(self, seat: int | None) -> Recall:
        """All that a seat was told so far, in rows."""
        known = self._recalled.get(seat) or Recall(self.context.rows, seat, self.driven.begin())
        found = self._recalled[seat] = known.at_position(self.driven)
        return found


def _restored(name: str, begun: str, steps: list[Step], left: int) -> SpielPosition:
    context = CONTEXTS[name]
    driven = driven_from(context.game, restore(context.game, json.loads(begun)))
    for step in steps:
        driven.take(step)
    return SpielPosition(context, name, driven, left)


def driven_from(game: Game, state: State) -> Driven:
    """This position, to be driven."""
    return Driven(Driver(game, state.words, state.auto), lambda: state)


class RulewrightState(pyspiel.State):
    """A position of OpenSpiel; `position` is ours."""

    def __init__(self, game: RulewrightGame) -> None:
        super().__init__(game)
        self.position = game.initial.copy()

    def current_player(self) -> int:
        return self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        found = self.position.outcomes()
        total = sum(weight for _, weight in found.values())
        return [(number, weight / total) for number, (_, weight) in found.items()]

    def _apply_action(self, action: int) -> None:
        self.position.take(action)

    def _action_to_string(self, player: int, action: int) -> str:
        position = self.position
        if position.player == CHANCE:
            found = position.outcomes().get(action)
            event = position.state.chance
            if found is not None and event is not None:
                return next(o.id for o in event.outcomes if o.code == found[0])
        elif position.player != TERMINAL and action in (numbers := position.numbers()):
            return " ".join(legal(position.driven.bare)[numbers.index(action)].ids)
        return f"{position.context.space.address(action)} #{action}"

    def resample_from_infostate(self, player: int, draw: Callable[[], float]) -> RulewrightState:
        """A state that the player cannot tell from this one, each as likely as any other; for searches such as IS-MCTS.
        `draw` gives numbers from 0 to below 1. What others remember of hidden things in their logs stays as it was."""
        other: RulewrightState = self.clone()
        other.position = self.position.resampled(player + 1, Generator(int(draw() * WHOLE)))
        return other

    def is_terminal(self) -> bool:
        return self.position.player == TERMINAL

    def returns(self) -> list[float]:
        position = self.position
        return position.context.rewards.of(
            position.state if position.context.rewards.by_actors else position.driven.bare
        )

    def __str__(self) -> str:
        return self.position.text()


class Observer:
    """The view of a player: `tensor` has the numbers of `tools.adapters.observations`; the text is the player's view,
    after the player's log where recall is perfect. `dict` has parts of the tensor by name: with perfect recall also the
    number of rows so far and the rows of `tools.adapters.recall`, the last ones where there is no room for all."""

    def __init__(self, context: Context, form: Any = None) -> None:
        self.numbers = context.numbers
        self.perfect_recall = form is not None and form.perfect_recall
        self.public = form is not None and form.private_info == pyspiel.PrivateInfoType.NONE
        seen, self.most = self.numbers.size, context.recall if self.perfect_recall else 0
        self.tensor: Any = np.zeros(seen + (1 + COLUMNS * self.most if self.most else 0), np.float32)
        self.dict = {"observation": self.tensor[:seen]}
        if self.most:
            self.dict["count"] = self.tensor[seen : seen + 1]
            self.dict["rows"] = self.tensor[seen + 1 :].reshape(self.most, COLUMNS)

    def set_from(self, state: RulewrightState, player: int) -> None:
        seat = None if self.public else player + 1
        self.dict["observation"][:] = self.numbers.of(state.position.driven.bare, seat)
        if self.most:
            rows = state.position.recalled(seat).rows
            last = rows[-self.most :]
            self.dict["count"][0] = len(rows)
            self.dict["rows"][: len(last)] = last
            self.dict["rows"][len(last) :] = 0

    def string_from(self, state: RulewrightState, player: int) -> str:
        seat = None if self.public else player + 1
        if self.perfect_recall:
            return view_with_log(state.position.state, seat)
        return observation(state.position.driven.bare, seat)
