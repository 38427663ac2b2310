"""Two games of one program that differ only in what a seat cannot know, and what the seat sees of both.

`played` plays a game: chance is asked, answers are random. `compare` plays its twin for one seat. Wherever the seat was
told an outcome or an answer (its own are among these), the twin has the same; what was hidden from it may be another
card, number or answer. So both are games that could have been, and nothing that the seat has seen tells them apart.
At every question, and at the end, all that the seat sees must then be equal (`tests.secrets.seen`).

What the rules say openly is no difference: where a move brings another thing into sight, or takes what was secretly
chosen or drawn from another zone, a `show` shows another thing, or an `openly` is true in one game alone
(`tests.secrets.witness`), the two are twins no longer, and the comparison ends. A move or a `show` that is carried out
in one game only is a difference like all others. So is a secret answer that one game tells and the other does not; of a
secret answer the twin has the same form (case, or one more member), since what follows openly from a case, and how many
were taken, can be counted. It is not a test itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import interpreter as rw
from dsl.program import Program
from interpreter.session.entry import CHANCE, CHOICE
from tests.secrets.seen import first_difference, seen
from tests.secrets.witness import Telling, Witness

QUESTIONS = 12  # of a game; later ones are not looked at


@dataclass
class Step:
    """A question (or the end) of a game: the outcomes of chance before it (address, id, number in the log), the
    tellings so far, and the answer with its number in the log."""

    state: rw.State
    outcomes: list[tuple[str, str, int]]
    tellings: list[Telling]
    answer: rw.Option | None = None
    entry: int = -1


@dataclass
class Played:
    game: rw.Game
    seats: int
    steps: list[Step]
    log: list[rw.LogEntry]

    def told(self, entry: int, seat: int | None) -> bool:
        return self.log[entry].seen_by(seat)


@dataclass(frozen=True)
class Leak:
    """`seat` sees a difference; `one` and `other` are the two states."""

    seat: int | None
    what: str
    question: int
    one: rw.State
    other: rw.State


@dataclass
class Counts:
    twins: int = 0
    different: int = 0  # twins whose store differed at a comparison
    questions: int = 0
    told: int = 0
    parted: int = 0


def new_game(program: Program) -> rw.Game:
    return rw.Game(program, "reference").played_by(Witness(program))


def witness(game: rw.Game) -> Witness:
    assert isinstance(game.machine, Witness)
    return game.machine


def started(game: rw.Game, seats: int) -> rw.State:
    machine = witness(game)
    machine.tellings, machine.watching = [], True
    try:
        state = game.new(seats=seats, seed=1, chance="ask")
        for entry in state.log:
            entry.work_out()
        return state
    finally:
        machine.watching = False


def taken(state: rw.State, option: rw.Option | rw.Outcome) -> int:
    """Take an option or an outcome; gives its number in the log."""
    machine, before = witness(state.game), len(state.log)
    machine.watching = True
    try:
        rw.apply(state, option)
        for entry in state.log[before:]:
            entry.work_out()  # what its sentence lays open is told when it is worked out
    finally:
        machine.watching = False
    return before if len(state.log) > before else before - 1


def played(game: rw.Game, seats: int, r: Random) -> Played:
    """A game with random outcomes and answers; it ends early where the rules have a fault."""
    steps: list[Step] = []
    log: list[rw.LogEntry] = []
    try:
        state = started(game, seats)
        while True:
            outcomes = []
            while (event := state.chance) is not None:
                outcome = r.choice(event.outcomes)
                outcomes.append((event.address, outcome.id, taken(state, outcome)))
            steps.append(Step(rw.copy(state), outcomes, list(witness(game).tellings)))
            log = state.log
            if state.decision is None or len(steps) > QUESTIONS:
                break
            option = r.choice(rw.legal(state))
            steps[-1].answer = option
            steps[-1].entry = taken(state, option)
    except (rw.RulesetError, IndexError):
        pass
    return Played(game, seats, steps, log)


def compare(played: Played, seat: int | None, r: Random, counts: Counts) -> Leak | None:
    """Play a twin of a game for `seat`; gives the first difference that it sees."""
    counts.twins += 1
    changed: list[tuple[int, int]] = []  # numbers in the two logs of what differs
    game, own = played.game, None
    differs = False
    long = -1  # the site of a long answer that differs
    try:
        state = started(game, played.seats)
        for number, step in enumerate(played.steps):
            if not follow_chance(played, step, state, seat, r, changed):
                counts.parted += 1
                return None
            only_card_drawn(step.state.log, state.log, changed)
            if is_told(step, state, changed, seat):
                counts.told += 1
                return undone(played, number, own, state, seat)
            if long >= 0 and goes_on(step.state, long) != goes_on(state, long):
                counts.parted += 1  # how many steps a secret answer has may be counted
                return None
            long = long if goes_on(state, long) else -1
            counts.questions += 1
            if state.words != step.state.words:
                counts.different += not differs
                differs = True
                if leak := looked_at(step, state, seat, number):
                    return leak
            if step.answer is None or state.decision is None:
                break
            option = same_answer(played, step, state, seat, r)
            if option is None:
                counts.parted += 1
                return None
            own = rw.copy(state) if state.decision.seat == seat else None
            entry = taken(state, option)
            if option != step.answer:
                changed.append((step.entry, entry))
                long = step.answer.decision.number if step.answer.kind in ("add", "amount") else -1
    except (rw.RulesetError, IndexError):
        counts.parted += 1
    return None


def looked_at(step: Step, other: rw.State, seat: int | None, number: int) -> Leak | None:
    """The difference that a seat sees between two states."""
    one = step.state
    attempts = answers_to_ask_about(one, other)
    things = one.game.program.thing_ids[1:3]
    found = seen(one, seat, attempts, things)
    difference = first_difference(found, seen(other, seat, attempts, things))
    return Leak(seat, difference, number, one, other) if difference else None


def answers_to_ask_about(one: rw.State, other: rw.State) -> list[tuple[str, ...]]:
    """Some answers of either game, and some that may be offered in neither."""
    if one.decision is None or other.decision is None:
        return []
    found = [o.ids for state in (one, other) for o in rw.legal(state)[:2] if o.ids]
    found += [(id_,) for id_ in ("card_1", "card_8", "2", "p1")]
    return list(dict.fromkeys(found))


def follow_chance(
    played: Played, step: Step, state: rw.State, seat: int | None, r: Random, changed: list[tuple[int, int]]
) -> bool:
    """Take outcomes up to the next question; False where one that the seat was told cannot come here."""
    left = list(step.outcomes)
    while (event := state.chance) is not None:
        wanted = left.pop(0) if left and left[0][0] == event.address else None
        same = event.outcome(wanted[1]) if wanted is not None else None
        if wanted is not None and played.told(wanted[2], seat):
            if same is None:
                return False
            taken(state, same)
            continue
        outcome = same if same is not None and r.random() < 0.5 else r.choice(event.outcomes)
        entry = taken(state, outcome)
        if wanted is not None and outcome.id != wanted[1]:
            changed.append((wanted[2], entry))
    return True


def same_answer(played: Played, step: Step, state: rw.State, seat: int | None, r: Random) -> rw.Option | None:
    """The answer of the twin: the same where the seat sees it, else one of the same form; None if there is none."""
    assert step.answer is not None and state.decision is not None
    raw, options = step.answer.raw, rw.legal(state)
    same = next((o for o in options if o == step.answer), None)
    at_once = step.state.decision is not None and step.state.decision.site.waits
    if state.decision.seat == seat or (played.told(step.entry, seat) and not at_once):
        return same
    alike = [o for o in options if o.kind == step.answer.kind and o.raw.alt == raw.alt]
    if same is not None and (r.random() < 0.4 or not alike):
        return same
    return r.choice(alike) if alike else None


def is_told(step: Step, state: rw.State, changed: Sequence[tuple[int, int]], seat: int | None) -> bool:
    """Whether the seat has seen what differs: an outcome or an answer, or what a rule laid open (`Telling`)."""
    logs = (step.state.log, state.log)
    if any(all(log[entry].seen_by(seat) for entry, log in zip(pair, logs, strict=True)) for pair in changed):
        return True
    one, two = ({state.game.things.get(i) for pair in changed for i in logs[n][pair[n]].ids} for n in (0, 1))
    for a, b in zip(step.tellings, witness(state.game).tellings, strict=False):
        if a.node != b.node:
            return False
        if a.tells(b, seat):
            return True
        if a.moved[0] in one and b.moved[0] in two and a.moved != b.moved:  # the answer or outcome itself
            if a.moved[1] != b.moved[1] or (a.in_sight(seat) and b.in_sight(seat)):
                return True
    return False


def only_card_drawn(one: Sequence[rw.LogEntry], two: Sequence[rw.LogEntry], changed: list[tuple[int, int]]) -> None:
    """Count draws of the only card that was there, which nobody is asked for, with what differs."""
    for entry, (a, b) in enumerate(zip(one, two, strict=False)):
        if a.kind == b.kind == CHANCE and a.address == b.address and a.ids != b.ids and len(a.ids) == len(b.ids) == 1:
            if a.ids[0].startswith("card_") and not any(entry in pair for pair in changed):
                changed.append((entry, entry))


def goes_on(state: rw.State, site: int) -> bool:
    """Whether a long answer at this site is not complete."""
    return state.decision is not None and state.decision.number == site and state.decision.cursor > 0


def undone(played: Played, number: int, before: rw.State | None, after: rw.State, seat: int | None) -> Leak | None:
    """Where an answer of the seat itself has told it something, it must not be able to take it back."""
    if before is None or number == 0 or rw.reveals(before, after):
        return None
    if len([e for e in after.log[len(before.log) :] if e.kind == CHOICE]) != 1:
        return None
    one = played.steps[number]
    return Leak(seat, "undo: the answer told something, and may be taken back", number, one.state, after)
