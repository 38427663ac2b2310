"""What the rules do while answers run, heard as it happens: routines that begin and end, and verbs with a cause.

A `Hearing` follows a game on a state of its own: it takes the answers of the log once more, with a machine that calls
an `Ear`. The game itself is played by its own machine, which notices nothing and pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy as shallow
from typing import Any

from dsl import ir
from dsl.program import FRAME_LINK
from interpreter.core import stack
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.core.run import Run
from interpreter.core.words import Temps, load
from interpreter.machine.machine import Machine
from interpreter.rules.rules import Rules
from interpreter.session.advance import step
from interpreter.session.decision import Decision, Option
from interpreter.session.entry import AUTO, CHANCE, LogEntry
from interpreter.session.interrupts import MOMENT, moment_decision, open_decision
from interpreter.session.state import State, copy


class Ear:
    """What is listened to, by numbers, and what is done then. `state` is the position at that moment; what is called
    must not change it."""

    routines: frozenset[int] = frozenset()
    causes: frozenset[int] = frozenset()

    def begun(self, state: State, running: Sequence[tuple[int, list[Any]]]) -> None:
        """The game is followed from this position on; `running` are the routines in it, the outermost first."""

    def answered(self, state: State, number: int) -> None:
        """The answer with this log number (from 0) is going to be taken."""

    def begins(self, state: State, routine: int, args: list[Any]) -> None:
        """A routine begins."""

    def ends(self, state: State, routine: int) -> None:
        """A routine has ended."""

    def acts(self, state: State, cause: int, done: bool) -> None:
        """A verb with this cause is going to be carried out, or is done."""


class HearingMachine(Machine):
    """The reference machine, whose options are listed by the machine that plays."""

    def __init__(self, game: Rules, ear: Ear) -> None:
        super().__init__(game.program)
        self.player, self.ear = game.machine, ear
        self.view: State | None = None  # of the game that is followed
        for node in (ir.Transfer, ir.MoveThing, ir.Pay) if ear.causes else ():
            self.ex[node] = _heard(self, self.ex[node])

    def list_options(self) -> list[Any]:
        if self.probing:
            return super().list_options()
        listed = self.player.all_options if self.list_all else self.player.options
        self.offers = listed(self.words[:])
        self.undecided = self.player.undecided
        return self.offers

    def at_this_moment(self) -> State | None:
        """The position in the middle of what is done, for the ear."""
        if self.view is not None:
            self.view.replace_words(self.words)
        return self.view

    def on_call(self, proc: int, args: Sequence[Any]) -> None:
        if proc in self.ear.routines and (state := self.at_this_moment()) is not None:
            self.ear.begins(state, proc, list(args))

    def on_leave(self, proc: int) -> None:
        if proc in self.ear.routines and (state := self.at_this_moment()) is not None:
            self.ear.ends(state, proc)


def _heard(machine: HearingMachine, plain: Callable[..., int]) -> Callable[..., int]:
    """A verb that tells its cause before and after."""

    def act(m: Run, s: Any, t: Temps) -> int:
        cause = m.value(s.cause, t) if s.cause is not None else 0
        if m.probing or cause not in machine.ear.causes or (state := machine.at_this_moment()) is None:
            return plain(m, s, t)
        machine.ear.acts(state, cause, False)
        signal = plain(m, s, t)
        machine.ear.acts(state, cause, True)
        return signal

    return act


class Hearing:
    def __init__(self, state: State, ear: Ear) -> None:
        self.played = state.game
        self.game = shallow(state.game)
        self.machine = HearingMachine(state.game, ear)
        self.game.machine = self.machine
        self.ear = ear
        self.begin(state)

    def begin(self, state: State) -> None:
        """Listen from this position on."""
        self.own = copy(state)
        self.own.game, self.own.checked = self.game, False
        self.own.replace_words(self.own.words)
        self.machine.view = None
        running = []
        for base in stack.bases(self.own.words):
            number = self.own.words[base + 2]
            if number >= 0:
                params = self.game.program.procs[number].params
                args = [load(self.own.words, base + FRAME_LINK + i, t) for i, (_, t) in enumerate(params)]
                running.append((number, args))
        self.ear.begun(self.own, running[::-1])

    def follow(self, state: State) -> None:
        """Take the answers that were given since. From a game that did not go on from there, but was taken back, say,
        it listens anew."""
        own = self.own
        try:
            while len(own.log) < len(state.log):
                if not self.take(own, state.log[len(own.log)]):
                    break
        except (IllegalAnswer, RulesetError):
            return self.begin(state)
        if own.words != state.words or len(own.log) != len(state.log):
            self.begin(state)

    def take(self, own: State, entry: LogEntry) -> bool:
        """Give an answer of the log; False where it does not fit."""
        decision = own.decision
        if entry.kind == CHANCE or decision is None:
            return False
        if entry.address == MOMENT:
            decision = moment_decision(own, entry.seat) or decision
        elif entry.address == decision.address:
            decision = open_decision(own, entry.decider()[0]) or decision
        option = found(decision, entry)
        if option is None:
            return False
        self.ear.answered(own, len(own.log))
        view = self.machine.view = copy(own)
        view.game, view.plan = self.played, None  # values are worked out by the machine that plays, as things stand
        step(own, decision, option, automatic=entry.kind == AUTO)
        return True


def found(decision: Decision, entry: LogEntry) -> Option | None:
    """The option that an answer of the log was."""
    raw = entry.made_of.option if entry.made_of is not None else None
    code = raw.code if raw is not None else entry.code
    number = next((n for n, o in enumerate(decision.offers) if o.code == code), -1)
    return decision.options[number] if number >= 0 else None
