"""A text of rules that is played by the reference and in low code: all words must be the same, and so must the faults.

It is not a test itself.
"""

from __future__ import annotations

from random import Random
from typing import Any

import interpreter as rw
from interpreter.backends.c import host as c
from interpreter.backends.low.form.nodes import Module
from interpreter.backends.native.targets import PRINTED, TARGETS, WASM, C, target_called
from interpreter.backends.wasm import host as wasm
from interpreter.core.errors import RulesetError
from tests.concepts.play import STARTED, game
from tests.interpreter.low_pair import LowPair
from tests.interpreter.stepper import Runner

MISSING = {WASM: not wasm.available(), C: not c.available()}
HERE = tuple(name for name in TARGETS if not MISSING.get(name))
USUAL = PRINTED if MISSING[WASM] else WASM
MOST = 40  # decisions


def made(name: str, words: int, module: Module) -> Runner:
    """The module as code of a target."""
    target = target_called(name)
    runner: Runner = target.loaded(target.compiled(target.written(module)), words)
    return runner


def played(rules: str, seats: tuple[int, int] = (2, 2), seed: int = 1, target: str = USUAL, **how: Any) -> rw.State:
    """The game at its end, or behind the last decision that is played, with random answers. A fault of the rules is
    raised when both have met it."""
    program = game(rules, seats=seats, **how).program
    reference = rw.Game(program, "reference")
    pair = LowPair(program, lambda module: made(target, module.words, module))
    pair.play(reference.engine.new(seed=seed), Random(seed), MOST)
    assert pair.given_up == 0
    state = reference.new(seed=seed, checked=True)
    STARTED.append(state)
    choices = Random(seed)
    for _ in range(MOST):
        if state.decision is None:
            break
        rw.apply(state, choices.choice(rw.legal(state)))
    return state


def fault(rules: str, seats: tuple[int, int] = (2, 2), seed: int = 1, target: str = USUAL, **how: Any) -> str:
    """The fault of the rules with which the game ends, with its place."""
    try:
        played(rules, seats, seed, target, **how)
    except RulesetError as found:
        return str(found)
    raise AssertionError("no fault")
