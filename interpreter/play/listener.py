"""Listeners for what the rules do while an answer runs: routines that begin and end, and verbs with a cause.

A `GameFollower` follows a game on a state of its own: it takes the answers of the log once more, with a machine that
calls a `Listener`. The game itself is played by its own machine, which is not slowed down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import ir
from dsl.program import FRAME_LINK
from interpreter.core import stack
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.core.question import ASKED_ANY_MOMENT
from interpreter.core.run import Run
from interpreter.core.words import Temps, load
from interpreter.machine.machine import Machine
from interpreter.rules.rules import Rules
from interpreter.session.advance import step
from interpreter.session.decision import Decision, Option
from interpreter.session.entry import AUTO, CHANCE, ChoiceEntry, LogEntry, PendingAnswer
from interpreter.session.interrupts import moment_decision, open_decision
from interpreter.session.state import State, copy


class Listener:
    """The numbers of the routines and causes to listen to, and what to do then. `state` is the position at that moment;
    the methods must not change it."""

    routines: frozenset[int] = frozenset()
    causes: frozenset[int] = frozenset()

    def on_begin(self, state: State, running: Sequence[tuple[int, list[Any]]]) -> None:
        """The game is followed from this position on; `running` are its running routines with their arguments, the
        outermost first."""

    def on_answer(self, state: State, number: int) -> None:
        """The answer with this log number (from 0) is about to be taken."""

    def on_routine_start(self, state: State, routine: int, args: list[Any]) -> None:
        """A routine begins."""

    def on_routine_end(self, state: State, routine: int) -> None:
        """A routine has ended."""

    def on_verb(self, state: State, cause: int, done: bool) -> None:
        """A verb with this cause is about to be carried out (`done` is false), or is done."""


class Listeners(Listener):
    """Several listeners to the routines and causes that the first of them listens to; all is passed on to each."""

    def __init__(self, first: Listener) -> None:
        self.routines, self.causes, self.each = first.routines, first.causes, [first]

    def on_begin(self, state: State, running: Sequence[tuple[int, list[Any]]]) -> None:
        for one in self.each:
            one.on_begin(state, running)

    def on_answer(self, state: State, number: int) -> None:
        for one in self.each:
            one.on_answer(state, number)

    def on_routine_start(self, state: State, routine: int, args: list[Any]) -> None:
        for one in self.each:
            one.on_routine_start(state, routine, args)

    def on_routine_end(self, state: State, routine: int) -> None:
        for one in self.each:
            one.on_routine_end(state, routine)

    def on_verb(self, state: State, cause: int, done: bool) -> None:
        for one in self.each:
            one.on_verb(state, cause, done)


class ListeningMachine(Machine):
    """The reference machine, with a listener; what runs the game lists its options."""

    def __init__(self, game: Rules, listener: Listener) -> None:
        super().__init__(game.program)
        self.runner, self.listener = game.runner, listener
        self.view: State | None = None  # of the game that is followed
        for node in (ir.Transfer, ir.MoveThing, ir.Pay) if listener.causes else ():
            self.ex[node] = _reporting(self, self.ex[node])

    def list_options(self) -> list[Any]:
        if self.probing:
            return super().list_options()
        listed = self.runner.all_options if self.list_all else self.runner.options
        self.offers = listed(self.words[:])
        self.undecided = self.runner.undecided
        return self.offers

    def current_position(self) -> State | None:
        """The position in the middle of a step, for the listener; None before the first answer."""
        if self.view is not None:
            self.view.replace_words(self.words)
        return self.view

    def on_call(self, proc: int, args: Sequence[Any]) -> None:
        if proc in self.listener.routines and (state := self.current_position()) is not None:
            self.listener.on_routine_start(state, proc, list(args))

    def on_leave(self, proc: int) -> None:
        if proc in self.listener.routines and (state := self.current_position()) is not None:
            self.listener.on_routine_end(state, proc)


def _reporting(machine: ListeningMachine, handler: Callable[..., int]) -> Callable[..., int]:
    """The handler of a verb, which reports the cause to the listener before and after."""

    def act(m: Run, s: Any, t: Temps) -> int:
        cause = m.value(s.cause, t) if s.cause is not None else 0
        if m.probing or cause not in machine.listener.causes or (state := machine.current_position()) is None:
            return handler(m, s, t)
        machine.listener.on_verb(state, cause, False)
        signal = handler(m, s, t)
        machine.listener.on_verb(state, cause, True)
        return signal

    return act


class GameFollower:
    """Takes the answers of a game once more on a copy of its state, and reports them to a listener."""

    def __init__(self, state: State, listener: Listener) -> None:
        self.played_game = state.game
        self.machine = ListeningMachine(state.game, listener)
        self.game = state.game.played_by(self.machine)
        self.listener = listener
        self.begin(state)

    def begin(self, state: State) -> None:
        """Listen from this position on."""
        self.state = copy(state)
        self.state.game, self.state.checked = self.game, False
        self.state.replace_words(self.state.words)
        self.machine.view = None
        self.listener.on_begin(self.state, self.running())

    def is_at(self, state: State) -> bool:
        """Whether all answers up to this position have been taken."""
        return self.state.words == state.words and len(self.state.log) == len(state.log)

    def running(self) -> list[tuple[int, list[Any]]]:
        """The running routines with their arguments, the outermost first."""
        running = []
        for base in stack.bases(self.state.words):
            number = self.state.words[base + 2]
            if number >= 0:
                params = self.game.program.procs[number].params
                args = [load(self.state.words, base + FRAME_LINK + i, t) for i, (_, t) in enumerate(params)]
                running.append((number, args))
        return running[::-1]

    def follow(self, state: State) -> None:
        """Take the answers that were given since the last call. If the game did not go on from there (because of an
        undo, say), listen from its current position on."""
        own = self.state
        try:
            while len(own.log) < len(state.log):
                if not self.take(own, state.log[len(own.log)]):
                    break
        except (IllegalAnswer, RulesetError):
            return self.begin(state)
        if not self.is_at(state):
            self.begin(state)

    def take(self, position: State, entry: LogEntry) -> bool:
        """Take an answer of the log; False if it does not fit."""
        decision = answered_decision(position, entry)
        if decision is None:
            return False
        option = find_option(decision, entry)
        if option is None:
            return False
        self.listener.on_answer(position, len(position.log))
        view = self.machine.view = copy(position)
        view.game, view.plan = self.played_game, None  # the machine that plays evaluates values in the current position
        step(position, decision, option, automatic=entry.kind == AUTO)
        return True


def answered_decision(position: State, entry: LogEntry) -> Decision | None:
    """The question that an entry of the log answers in this position: the pending one, that of another member of a loop
    `open to`, or which action `at any moment` is taken; None for an outcome of chance, or if nothing is asked."""
    decision = position.decision
    if entry.kind == CHANCE or decision is None:
        return None
    if entry.address == ASKED_ANY_MOMENT:
        return moment_decision(position, entry.seat) or decision
    return (open_decision(position, entry.decider()[0]) or decision) if entry.address == decision.address else decision


def find_option(decision: Decision, entry: LogEntry) -> Option | None:
    """The option that an entry of the log took; None if it is not offered."""
    code = entry.pending.option.code if isinstance(entry.pending, PendingAnswer | ChoiceEntry) else entry.code
    number = next((n for n, o in enumerate(decision.offers) if o.code == code), -1)
    return decision.options[number] if number >= 0 else None
