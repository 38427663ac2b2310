"""The steps of positions and rulings: start a routine, answer its questions, prepare the outcomes of chance.

Each step changes a state, and raises StepError, IllegalAnswer or RulesetError. Forced questions stay open until
something else is needed, so that a step may also answer them in words.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ir
from interpreter.play.answer import AnswerNotes, play_items
from interpreter.play.trace import call_text
from interpreter.play.ways import take_forced
from interpreter.rules.names import tokens
from interpreter.session.advance import early_option, run_on
from interpreter.session.advance import step as take
from interpreter.session.decision import Decision
from interpreter.session.state import State


class StepError(ValueError):
    """A step that does not fit the position."""


def run_steps(state: State, steps: Iterable[ir.RulingStep]) -> None:
    for step in steps:
        run_step(state, step)


def run_step(state: State, step: ir.RulingStep, notes: AnswerNotes | None = None) -> None:
    """Take a step; `notes`: where is written what an answer comes across."""
    if step.op == "do":
        start_routine(state, step)
    elif step.op == "answer":
        play_items(state, step.items, step.who, notes=notes)
    elif step.op == "chance":
        add_outcomes(state, step)
    else:
        raise StepError(f"a step of the unknown kind `{step.op}`")


def start_routine(state: State, step: ir.RulingStep) -> None:
    """Start a routine and run it to its first question or to its end; that of the whole game is the end of the game."""
    take_all_forced(state)
    decision = state.decision
    name = state.game.program.procs[step.proc].name
    if decision is not None:
        raise StepError(f"`do {name}` while {decision.actor} is still asked at {decision.address}")
    game = state.game
    words = state.words[:]
    args = tuple(game.evaluate(words, a) for a in step.args)
    game.machine.start(words, step.proc, args, driver=step.proc != game.program.entry)
    run_on(state, words)


def add_outcomes(state: State, step: ir.RulingStep) -> None:
    """Add outcomes of chance to the end of the script."""
    state.script = (*state.script, *step.items)


def take_given(state: State, decision: Decision) -> bool:
    """Take the forced answer, or the one that was given before its turn in a loop `at once`; gives whether there was
    one."""
    if take_forced(state, decision):
        return True
    early = early_option(decision)
    if early is not None:
        take(state, decision, early, automatic=False)
    return early is not None


def take_all_forced(state: State) -> None:
    """Take the forced answers of all questions up to a real choice, and those that have been given before."""
    while (decision := state.decision) is not None and take_given(state, decision):
        pass


def describe(state: State, step: ir.RulingStep) -> str:
    """The step as a line of a transcript."""
    if step.op == "do":
        proc = state.game.program.procs[step.proc]
        args = [state.game.evaluate(state.words, a) for a in step.args]
        return f"do {call_text(state.game, proc, args).partition(' ')[2]}"
    items = ", ".join(" ".join(tokens(item)) for item in step.items)
    return f"chance gives {items}" if step.op == "chance" else f"{step.who} chooses {items}"
