"""The certain effects of an option: up to chance, to what its taker does not see, or to the question of another seat.

Carries the option out on a copy with a machine that stops before anything hidden decides, or becomes known. What is
changed until then follows from what the taker sees, so that it may be told before the option is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dsl import program as hdr
from interpreter.core.errors import RulesetError
from interpreter.core.run import Run
from interpreter.core.words import Words
from interpreter.rules.rounds import is_in_round
from interpreter.session.decision import Decision, Option
from interpreter.session.state import State
from interpreter.visibility.audiences import gets_to_know
from interpreter.visibility.learning import Learning

MOST_FORCED = 100  # own answers without a choice that are taken


@dataclass(frozen=True, slots=True)
class Certain:
    """The store after what is certain; `whole`: nothing uncertain comes before the next question or the end."""

    words: Words
    whole: bool


class Uncertain(Exception):
    """Raised where something that the taker does not see decides, or becomes known."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = words


def certain_part(state: State, option: Option) -> Certain:
    """The part of an option's effect that is certain. A fault of the rules that what is seen leads to is raised as
    RulesetError."""
    decision = option.decision
    if is_in_round(state.game, decision.words) or any(entry.is_waiting() for entry in state.log):
        return Certain(state.words, False)  # answers of others may be laid open by it
    answers = Learning(state.game, decision.seat)
    machine = answers.machine
    for handlers in (machine.ex, machine.ins):
        handlers.update({node: _guarded(answers, handler) for node, handler in handlers.items()})
    words = decision.words[:]
    words[hdr.ASKING] = 1  # chance is waited for
    taken = option
    for _ in range(MOST_FORCED):
        before = words[:]
        try:
            answers.take(words, taken.raw, ())
        except Uncertain as stopped:
            return Certain(stopped.words, False)
        except RulesetError:
            if answers.learned:
                return Certain(before, False)
            raise
        if answers.learned or words[hdr.CHANCE]:
            return Certain(before if answers.learned else words, False)
        if not words[hdr.SITE]:
            break
        following = Decision(state.game, words[:])
        if not state.auto or following.seat != decision.seat or (forced := following.forced) is None:
            break
        taken = forced
    return Certain(words, True)


def _guarded(answers: Learning, handler: Callable[..., int]) -> Callable[..., int]:
    """A handler of a sentence or instruction that stops before it if something hidden has been read, or back where it
    was if it reads something hidden itself."""

    def act(m: Run, node: Any, *rest: Any) -> int:
        if m.probing:
            return handler(m, node, *rest)
        before = m.words[:]
        _stop_if_learned(answers, before)
        found = handler(m, node, *rest)
        answers.learned = answers.learned or gets_to_know(answers.rules, before, m.words, answers.seat)
        _stop_if_learned(answers, before)
        return found

    return act


def _stop_if_learned(answers: Learning, before: Words) -> None:
    answers.judge()
    if answers.learned:
        raise Uncertain(before)
