"""Bots that think in a process beside the server, one for each ruleset, so that nobody at any table waits for them.

A process has the rules and a copy of the store, and gives the place of the option that the bot takes; the table takes
it on the loop of the server, if it still stands where it stood. A process is started when a bot is first asked; where
the cache does not have the native code, it makes that first.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol

from dsl.program import Program
from interpreter import Game, Option, State, moments
from interpreter.core.words import Words
from interpreter.rules.rounds import Early
from tools.simulation.bots import make_bot
from tools.workers.guarded import GuardedProcess, Lost

MOST = 4  # processes at a time; of more rulesets the one that has rested longest ends
SEED_BITS = 64
TRIES = 2  # processes that may die at one question


class NoThought(Exception):
    """A bot has not come to an answer; the message says why."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A question for the bot of this name, as a process is sent it."""

    bot: str
    seed: int
    words: Words
    seats: int
    early: Early


class Thinkers(Protocol):
    """Whoever lets bots think."""

    async def choose(self, bot: str, state: State, stands: Callable[[], bool]) -> Option | None:
        """The option that the bot of this name takes; None where `stands` has said, before it began, that nobody waits
        for it."""
        ...

    def close(self) -> None: ...


@dataclass(eq=False)
class Mind:
    """The process of one ruleset. `turn`: who may ask it; `asked`: how many do, or wait for that."""

    program: Program
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    asked: int = 0
    process: GuardedProcess[Thought, int] | None = None
    closed: bool = False

    def answer(self, thought: Thought) -> int:
        """The place of the option that a bot takes. It waits for that, in a thread. Raises NoThought."""
        why = "the server has ended"
        for _ in range(TRIES):
            if self.closed:
                break
            process = self.process = self.process or GuardedProcess(begin_thinking, self.program, fresh=True)
            if self.closed:  # meanwhile
                process.kill()
            found = process.answer(thought)
            if found is not None:
                if isinstance(found[0], Lost):
                    raise NoThought(found[0].why)
                return found[0]
            why, self.process = process.death(), None
        raise NoThought(why)

    def close(self) -> None:
        """End its process, whatever it is at."""
        self.closed = True
        if (process := self.process) is not None:
            process.kill()


class Processes:
    """Thinkers in processes; `minds`: by the digest of their program, the one that was asked last is the last one."""

    def __init__(self) -> None:
        self.minds: dict[str, Mind] = {}
        self.threads = ThreadPoolExecutor(MOST, "bots")

    async def choose(self, bot: str, state: State, stands: Callable[[], bool]) -> Option | None:
        mind = self.mind_of(state.game.program)
        mind.asked += 1
        try:
            async with mind.turn:
                if not stands():
                    return None
                thought = Thought(bot, secrets.randbits(SEED_BITS), state.words, state.seats, state.early)
                place = await asyncio.get_running_loop().run_in_executor(self.threads, mind.answer, thought)
        finally:
            mind.asked -= 1
        return option_at(state, place)

    def mind_of(self, program: Program) -> Mind:
        mind = self.minds.pop(program.digest, None) or Mind(program)
        resting = [key for key, one in self.minds.items() if not one.asked]
        for key in resting[: max(0, len(self.minds) + 1 - MOST)]:
            self.minds.pop(key).close()
        self.minds[program.digest] = mind
        return mind

    def close(self) -> None:
        """End all processes at once; who waits for one is told NoThought."""
        for mind in self.minds.values():
            mind.close()
        self.threads.shutdown(wait=False, cancel_futures=True)


def option_at(state: State, place: int) -> Option:
    """The option at this place of those of the question, and behind them the actions at any moment."""
    decision = state.decision
    assert decision is not None
    count = len(decision.options)
    return decision.options[place] if place < count else moments(state, decision.seat)[place - count]


# ------------------------------------------------------------ in the process


def begin_thinking(program: Program) -> Callable[[Thought], int]:
    game = Game(program)
    if game.making is not None:
        game.making.wait()

    def think(thought: Thought) -> int:
        state = State(game, thought.words, thought.seats, {}, early=thought.early)
        return place_of(state, make_bot(thought.bot, thought.seed).choose(state))

    return think


def place_of(state: State, option: Option) -> int:
    """The place that `option_at` takes."""
    decision = state.decision
    assert decision is not None
    if option.decision.number == decision.number:
        return decision.options.index(option)
    return len(decision.options) + moments(state, decision.seat).index(option)
