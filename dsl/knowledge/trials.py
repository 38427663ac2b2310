"""The knowledge that lies in an action being possible, or not: `possible(...)`.

Takes the routines as they were followed. What decides a demand or a choice in one of them decides the trial, with the
names that the caller has for those who see it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, TypeAlias

from dsl.knowledge.labels import Fact, Label, Parameter, Secret, Who, renamed
from dsl.knowledge.run import FollowedRoutine, outside
from dsl.knowledge.values import Values

Tried: TypeAlias = tuple[Secret, Any]  # what decides it, and the name of the one who is asked where it decides a choice


def trials_of(runs: Mapping[int, FollowedRoutine], values: Values) -> dict[int, Label]:
    """The label of a trial of each routine, that is, of the fact that it can be done to its end: what decides its
    demands, and the choices of the one who acts, with those of all that it calls. A trial ends where somebody else is
    asked, and answers are its own. Routines whose trial tells nothing are left out."""
    found = {number: own_trial(run, values) for number, run in runs.items()}
    callers: dict[int, set[int]] = {}
    for number, run in runs.items():
        for callee, _ in run.calls.values():
            callers.setdefault(callee, set()).add(number)
    todo = {number: set(trial) for number, trial in found.items() if trial}  # what callers do not have yet
    while todo:
        callee, new = todo.popitem()
        for number in callers.get(callee, ()):
            calls = {facts for proc, facts in runs[number].calls.values() if proc == callee}
            told = (from_call(facts, *one) for one in new for facts in calls)
            inner = {one for one in told if one is not None} - found[number]
            if inner:
                found[number] |= inner
                todo.setdefault(number, set()).update(inner)
    mine = (None, ("parameter", 0))
    trials = {n: frozenset(secret for secret, asked in trial if asked in mine) for n, trial in found.items()}
    return {number: label for number, label in trials.items() if label}


def own_trial(run: FollowedRoutine, values: Values) -> set[Tried]:
    """The secrets that decide whether the routine itself, without its calls, can be done."""
    found: set[Tried] = {(secret, None) for demand in run.demands.values() for secret in demand.label}
    for question in run.questions.values():
        if question.actor is not None:
            found |= {(secret, question.actor.key) for label, _ in question.parts for secret in label}
    return {one for one in found if isinstance(one[0].source, Parameter) or one[0].source in values.entries}


def from_call(facts: tuple[Fact, ...], secret: Secret, asked: Any) -> Tried | None:
    """A secret that decides a trial, with the names that the caller has; None where somebody is asked of whom the
    caller has no name, and who is therefore not the one who acts."""
    (named,) = renamed(frozenset({secret}), partial(outside, facts))
    if asked is None:
        return named, None
    who = outside(facts, Who(asked))
    return (named, who.key) if who is not None else None
