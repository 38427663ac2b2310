"""Drivers of a walk: answers are drawn by the machine, or chosen by bots that look at each question."""

from __future__ import annotations

from collections.abc import Callable

from dsl.program import CHANCE, OVER
from interpreter import Option, State
from interpreter.choices.draw import INTERRUPT_ODDS, SELDOM_ODDS
from interpreter.choices.generator import Generator
from interpreter.core.question import RawOption as Raw
from interpreter.session.chance import ChanceEvent
from interpreter.session.chance import Outcome as ChanceOutcome
from interpreter.session.interrupts import moments
from tools.simulation.bots import is_seldom
from tools.simulation.walk import Walk

NO_LIMIT = 10**9  # of answers: decisions are counted apart
CHANCE_SITE = -1  # stands for an outcome of chance among the numbers of questions


def play_at_random(walk: Walk, seed: int, most: int) -> None:
    """Play to the end, or to `most` decisions, with answers that the machine draws."""
    machine, words, rng = walk.game.machine, walk.words, Generator(seed).random
    interrupts = Generator(~seed) if walk.game.program.moment_proc >= 0 else None
    asked_for_moments = stopped = False

    def look(answer: Raw) -> bool:
        nonlocal asked_for_moments, stopped
        choice = machine.candidates > 1
        if choice:
            walk.unfinished = walk.decisions >= most
            if walk.unfinished:
                return True
            if interrupts is not None and not asked_for_moments:
                stopped = not interrupts.below(INTERRUPT_ODDS)
                if stopped:
                    return True
            asked_for_moments = False
        walk.note(answer, choice)
        return False

    while True:
        stopped = False
        machine.playout(words, rng, NO_LIMIT, look)
        if not stopped:
            return
        asked_for_moments = not take_moment(walk, rng)


def take_moment(walk: Walk, rng: Callable[[], float]) -> bool:
    """Perhaps take an action `at any moment`, as likely as each option of the question; whether one was taken."""
    state = walk.state()
    assert state.decision is not None, "a question is pending"
    found = moments(state, state.decision.seat)
    number = int(rng() * (len(found) + len(state.decision.offers))) if found else 0
    if number >= len(found) or (is_seldom(found[number]) and rng() * SELDOM_ODDS >= 1):
        return False
    take(walk, state, found[number], True)
    return True


Choose = Callable[[State], Option]
Draw = Callable[[ChanceEvent], ChanceOutcome]


def play_by_bots(walk: Walk, choose: Choose, draw: Draw, most: int) -> None:
    """Play to the end, or to `most` decisions: `choose` is asked where there is a choice, `draw` for chance that is not
    drawn by the machine."""
    runner, words = walk.game.runner, walk.words
    runner.checked = walk.checked
    runner.run(words)
    while not words[OVER]:
        if words[CHANCE]:
            outcome = draw(ChanceEvent(walk.game, words[:]))
            walk.sites.append(CHANCE_SITE)
            walk.answers.append(outcome)
            runner.draw(words, outcome.code)
            continue
        state = walk.state()
        state.replace_words(state.words, runner.offers, runner.undecided)
        option = state.decision.forced if state.decision else None
        choice = option is None
        walk.unfinished = choice and walk.decisions >= most
        if walk.unfinished:
            return
        take(walk, state, choose(state) if option is None else option, choice)


def take(walk: Walk, state: State, option: Option, choice: bool) -> None:
    """Take an option of the pending question, or of an action at any moment."""
    runner, words = walk.game.runner, walk.words
    if option.decision is not state.decision:
        walk.moments[len(walk.answers)] = option.decision.seat
        words[:] = option.decision.words
    walk.game.machine.words = words
    walk.note(option.raw, choice)
    runner.checked = walk.checked  # whoever has chosen may have looked ahead without
    runner.draws.clear()
    runner.take(words, option.raw)
