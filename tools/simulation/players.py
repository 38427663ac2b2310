"""Players of games by bots: native code, where that is asked for and can be had, else Python, with the same
outcomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from interpreter import Game
from interpreter.backends.native.targets import TARGETS
from interpreter.rules.rules import NATIVE
from tools.simulation.answer_usage import LOOKED_AT
from tools.simulation.bots import RANDOM
from tools.simulation.playout import MOST_DECISIONS, Batch, GameOutcome, GameSetup, play_out
from tools.wire.bot import is_outside

NATIVE_BOTS = (RANDOM, "greedy")  # whose whole games low code plays
Play = Callable[[Sequence[GameSetup]], Batch]


@dataclass(frozen=True, slots=True)
class Style:
    """How games are played: by these bots, which share the seats, with these options of the ruleset, each game to at
    most so many decisions. `checked`, `common`, `handing_on`: as in `play_out`. `looking`: find out what is offered in
    the first games of a run. `backend`: as it was chosen; where that cannot be had, the reference plays.
    `thinking`: the rules that bots think by, if these are others than those that they play; only those that search
    can."""

    bots: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    backend: str = NATIVE
    max_decisions: int = MOST_DECISIONS
    checked: bool = False
    common: bool = False
    handing_on: bool = False
    looking: bool = True
    thinking: Game | None = None


def player_for(game: Game, style: Style) -> tuple[Play, str | None]:
    """What plays some games. Also why the reference plays them, although native code is asked for; empty if it does
    not, None where it is not asked for."""
    by_python = partial(play_all_of, game, style)
    if style.backend not in TARGETS:
        return by_python, None
    if any(map(is_outside, style.bots)):
        return by_python, "a bot is a program of its own"
    if not all(bot in NATIVE_BOTS for bot in style.bots):
        return by_python, "a bot searches; each search is native"
    from tools.simulation.native import NativePlay  # it takes long to load

    native = NativePlay(
        game,
        style.backend,
        style.bots,
        dict(style.options),
        style.max_decisions,
        style.handing_on,
        style.checked,
        style.common,
        style.looking,
    )
    return (by_python, native.notice) if native.notice else (native.play, "")


def play_all_of(game: Game, style: Style, setups: Sequence[GameSetup]) -> Batch:
    return Batch([play_one_of(game, style, setup) for setup in setups])


def play_one_of(game: Game, style: Style, setup: GameSetup) -> GameOutcome:
    """Play a game by Python."""
    looking = style.looking and setup.number < LOOKED_AT
    options, most = dict(style.options), style.max_decisions
    return play_out(
        game, setup, style.bots, style.checked, options, most, style.common, looking, style.handing_on, style.thinking
    )
