"""The steps of a game: the machine runs on, the log grows, forced answers are taken.

Takes a state and an option that is offered, or an outcome that is possible; changes the state. `interpreter.play` first
checks what a player or a driver asks for.
"""

from __future__ import annotations

from dsl import program as hdr
from interpreter.core.errors import RulesetError
from interpreter.core.question import AUTOMATIC_LIMIT
from interpreter.core.question import RawOption as MachineOption
from interpreter.core.words import Words, new_store
from interpreter.rules.rounds import NONE_EARLY, Early, goes_on, is_in_round, round_of
from interpreter.rules.rules import Rules
from interpreter.session.chance import Outcome
from interpreter.session.decision import Decision, Option
from interpreter.session.entry import CHANCE, add_entry, chance_entry, choice_entry
from interpreter.session.state import PlanStart, State
from interpreter.visibility.cells import unseen_by_predicate


def begin(state: State) -> None:
    """Start the game on an empty store and run to the first question."""
    words = state.words[:]
    state.game.machine.start(words, state.game.program.entry, ())
    run_on(state, words)


def run_on(state: State, words: Words, option: MachineOption | None = None, outcome: Outcome | None = None) -> None:
    """Take `option` (one that is offered) or `outcome` (one that is possible) if one is given, run on, and log the
    outcomes of chance; `words` become the store of the state at the end. Events belong to the entry of the answer or of
    the outcome."""
    runner = state.recorder or state.game.runner
    runner.draws.clear()
    runner.plan_start = new_store()
    runner.checked = state.checked
    continues_shuffle = outcome is not None and words[hdr.DRAWN] > 0  # a shuffle goes on: its line of the log grows
    if outcome is not None:
        runner.draw(words, outcome.code, state.script)
    elif option is None:
        runner.run(words, state.script)
    else:
        runner.take(words, option, state.script)
    if continues_shuffle:
        del state.log[-1]
    offers, undecided, draws, plan_start = runner.offers, runner.undecided, runner.draws[:], runner.plan_start
    require_sight(state.game, words)
    state.replace_words(words, offers, undecided)
    if state.recorder is not None:
        number = len(state.log) if option is None else len(state.log) - 1
        state.events = {**state.events, number: tuple(state.recorder.events)}
    for draw in draws:
        add_entry(state.log, chance_entry(state.game, words, draw))
    if outcome is not None and state.game.has_secrets and not words[hdr.CHANCE]:
        note_after_chance(state)
    record_plan(state, plan_start)


def require_sight(rules: Rules, words: Words) -> None:
    """Raises a fault of the ruleset unless the seats that are asked are among those whom a predicate lets see what the
    pending question reads; the options would be a peek."""
    if not words[hdr.SITE] or not rules.answers[words[hdr.SITE] - 1].site.sighted:
        return
    decision = Decision(rules, words)
    for asked in [decision, *decision.of_open_members()]:
        symbol = unseen_by_predicate(rules, asked.words, asked.seat)
        if symbol:
            raise rules.machine.fault(
                f"`{decision.address}` is decided by `{symbol}`, which {asked.seat_id} does not see: ask somebody who "
                "does, or let a number of a place be chosen",
                decision.site.span,
                decision.site.cites,
            )


def step(state: State, decision: Decision, option: Option, automatic: bool) -> None:
    """Take an offered option, but not the forced answers that follow. One that is given before its turn, in a loop `at
    once`, is kept."""
    if is_early(state, decision):
        return keep_early(state, decision, option)
    entries = len(state.log)
    state.automatic = state.automatic + 1 if automatic else 0
    if state.automatic > AUTOMATIC_LIMIT:
        raise endless_answers(state.game, state.words)
    add_entry(state.log, choice_entry(decision, option, automatic))
    plan = state.plan
    try:
        run_on(state, decision.words[:], option.raw)
    except Exception:
        del state.log[entries:]
        raise
    if state.game.has_secrets:
        note_outcome(state, plan, entries)
    if decision.site.at_once and not goes_on(state.game, decision.words, state.words):
        reveal_answers(state)
    if state.early.answers:
        state.keep_early(left_early(state, decision, option))


# ------------------------------------------------------------ loops `at once`


def is_early(state: State, decision: Decision) -> bool:
    """True for the question of a member of the open round whose turn has not come."""
    now, rules = state.decision, state.game
    if now is None or decision is now or not (is_in_round(rules, now.words) and is_in_round(rules, decision.words)):
        return False
    return round_of(now.words, now.site) == round_of(decision.words, decision.site) and decision.place > now.place


def keep_early(state: State, decision: Decision, option: Option) -> None:
    """Keep an answer until the rules come to it."""
    assert state.decision is not None, "the question of the member whose turn it is"
    answers = dict(state.decision.early)
    answers[decision.place] = (*answers.get(decision.place, ()), *decision.passed, option.code)
    state.keep_early(Early(*round_of(decision.words, decision.site), answers))


def left_early(state: State, decision: Decision, option: Option) -> Early:
    """The early answers that are kept once a question has been answered with this option: of the member that was asked
    what it gave beyond this; none where the round is over, or something else was done meanwhile."""
    kept = state.early
    if not goes_on(state.game, decision.words, state.words):
        return NONE_EARLY
    codes = kept.answers.get(decision.place, ())
    codes = codes[1:] if codes[:1] == (option.code,) else ()
    others = {place: given for place, given in kept.answers.items() if place != decision.place}
    return Early(kept.frame, kept.first, others | ({decision.place: codes} if codes else {}))


def early_option(decision: Decision) -> Option | None:
    """The answer that the member who is asked has given before its turn."""
    codes = decision.early.get(decision.place, ()) if decision.early else ()
    return next((o for o in decision.options if o.code == codes[0]), None) if codes else None


def endless_answers(rules: Rules, words: Words) -> RulesetError:
    """The fault of a game that goes on and on without a choice."""
    site, rules.machine.words = rules.answers[words[hdr.SITE] - 1].site, words
    return rules.machine.fault(
        f"{AUTOMATIC_LIMIT} questions with one possible answer in a row, the last at `{site.address}`: "
        "this does not seem to end",
        site.span,
        site.cites,
    )


def reveal_answers(state: State) -> None:
    """Reveal simultaneous answers to everybody, now that all have answered."""
    for number, entry in enumerate(state.log):
        if entry.is_waiting():
            state.log[number] = entry.at(state.game, state.words).revealed()


def note_outcome(state: State, plan: PlanStart | None, number: int) -> None:
    """Note in the entry with this number what its answer has led to. For the answers of a plan, and the one that it
    began with, that is the position in which it is certain. `plan`: the one that was open before."""
    first, words = number, state.words
    if state.plan is not None and plan is None:
        words = state.plan.words
    elif plan is not None:
        if state.plan is plan:
            return
        first = max(0, plan.entries - 1)
    asked = state.words[hdr.CHANCE]  # then it is noted at the next question
    for at in range(first, number + 1):
        state.log[at] = state.log[at].reopened() if asked else state.log[at].at(state.game, words)


def note_after_chance(state: State) -> None:
    """Note in the last answers, and in what chance gave behind them, what they have led to: a question is put now."""
    for number in reversed(range(len(state.log))):
        entry = state.log[number]
        if entry.is_open():
            state.log[number] = entry.at(state.game, state.words)
        elif entry.pending is not None or entry.kind != CHANCE:
            return


def record_plan(state: State, plan_start: Words) -> None:
    """Store the position before the plan that is open now; a plan that was already open keeps its position."""
    if not state.words[hdr.PLAN]:
        state.plan = None
    elif plan_start:
        seat = state.game.names.seat_number(state.words[hdr.PLAN_SEAT])
        state.plan = PlanStart(seat, plan_start, len(state.log))


def settle(state: State, paying: int = 0) -> None:
    """Take forced answers, usual payments and gains included, if the state says so, and what was answered before its
    turn; with `paying`, stop where this seat can pay or gain in several ways."""
    while (decision := state.decision) is not None:
        forced = decision.forced if state.auto else None
        if paying and decision.site.by_default and decision.seat == paying:
            return
        option = forced or early_option(decision)
        if option is None:
            return
        step(state, decision, option, automatic=forced is not None)
