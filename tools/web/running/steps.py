"""Steps that can be taken back at a table, and given again, as rows of the store and back.

A position is its store, its plan and the length of its log; the lines themselves are those of the log that is kept. A
simultaneous answer that others did not see yet at that position has another line than now, which is kept beside it.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from interpreter import LogEntry, SaveError, State, copy
from interpreter.core.words import Words
from interpreter.records.save import plan_json, read_plan, sound_words, take_early
from interpreter.rules.rounds import NONE_EARLY
from interpreter.session.state import PlanStart
from tools.table.history import AnswerHistory, Step

BEHIND, AHEAD = 0, 1  # steps that can be taken back, and those that can be done again


@dataclass(frozen=True, slots=True)
class StepRow:
    """`side`: behind or ahead; `n`: its place there; `lines`: of the log at that position; `was`: numbers of lines that
    were other ones then, with those, as JSON; `early`: what was answered before its turn, as JSON."""

    side: int
    n: int
    seat: int
    lines: int
    plan: str
    words: bytes
    was: str
    early: str = ""


@dataclass(slots=True)
class Written:
    """What was written of a table last. `log`: the lines that are kept, also those that can be given again; `steps`:
    the number of each step that is kept behind; `ahead`: those ahead, the last one to be done again first."""

    log: list[LogEntry] = field(default_factory=list)
    steps: dict[Step, int] = field(default_factory=dict)
    ahead: list[Step] = field(default_factory=list)


def longest_log(state: State, history: AnswerHistory) -> list[LogEntry]:
    """The log with the lines that can be given again behind it."""
    return history.undone[0][0].log if history.undone else state.log


def numbered(history: AnswerHistory, kept: dict[Step, int]) -> dict[Step, int]:
    """The steps with the numbers that they have or get: each is one more than that before it."""
    found: dict[Step, int] = {}
    last = -1
    for step in history.steps:
        last = found[step] = kept.get(step, last + 1)
    return found


def behind_row(step: Step, n: int, log: Sequence[LogEntry]) -> StepRow:
    return row_of(BEHIND, n, step.seat, step.before, log)


def ahead_rows(history: AnswerHistory, log: Sequence[LogEntry]) -> list[StepRow]:
    return [row_of(AHEAD, n, step.seat, state, log) for n, (state, step) in enumerate(history.undone)]


def row_of(side: int, n: int, seat: int, state: State, log: Sequence[LogEntry]) -> StepRow:
    pairs = enumerate(zip(state.log, log, strict=False))
    was = [[number, then.to_json()] for number, (then, now) in pairs if then is not now]
    place = len(state.log), plan_text(state.plan), packed(state.words)
    return StepRow(side, n, seat, *place, json.dumps(was), early_text(state))


def early_text(state: State) -> str:
    return json.dumps(state.early.to_json()) if state.early.answers else ""


def plan_text(plan: PlanStart | None) -> str:
    return json.dumps(plan_json(plan)) if plan else ""


def packed(words: Words) -> bytes:
    return zlib.compress(array("i", words).tobytes(), 1)


def unpacked(words: bytes) -> list[int]:
    """Raises zlib.error or ValueError."""
    return array("i", zlib.decompress(words)).tolist()


# ------------------------------------------------------------ back from the store


def read_steps(history: AnswerHistory, state: State, rows: Sequence[StepRow], log: Sequence[LogEntry]) -> Written:
    """Give a history the steps of these rows. `state`: the present position; `log`: the lines that are kept. Raises
    SaveError, and gives it none, where they do not fit the game."""
    found: dict[int, list[tuple[int, State]]] = {BEHIND: [], AHEAD: []}
    before: dict[tuple[int, str], LogEntry] = {}  # a line that was another one then is the same at several positions
    for row in sorted(rows, key=lambda one: (one.side, one.n)):
        found[row.side].append((row.seat, position(state, row, log, before)))
    steps = [Step(then, seat) for seat, then in found[BEHIND]]
    numbers = sorted(row.n for row in rows if row.side == BEHIND)
    undone: list[tuple[State, Step]] = []
    here = state
    for seat, then in reversed(found[AHEAD]):
        undone.insert(0, (then, Step(here, seat)))
        here = then
    history.steps, history.undone = steps, undone
    return Written(list(log), dict(zip(steps, numbers, strict=True)), [step for _, step in undone])


def position(
    state: State, row: StepRow, log: Sequence[LogEntry], before: dict[tuple[int, str], LogEntry]
) -> State:  # fmt: skip
    """The position of a row. Raises SaveError."""
    try:
        lines = list(log[: row.lines])
        if len(lines) != row.lines or not 1 <= row.seat <= state.seats:
            raise SaveError("a step that was kept is not one of this game")
        for number, then in json.loads(row.was):
            key = int(number), json.dumps(then)
            lines[key[0]] = before.setdefault(key, LogEntry.from_json(then))
        words = sound_words(state.game, unpacked(row.words), "step")
        plan = read_plan(state.game, json.loads(row.plan) if row.plan else None, row.lines, state.seats)
    except (zlib.error, ValueError, TypeError, KeyError, IndexError) as damage:
        raise SaveError(f"a step that was kept is damaged: {damage}") from None
    found = replace(copy(state), log=lines, plan=plan, automatic=0, early=NONE_EARLY)
    found.replace_words(words)
    if row.early:
        take_early(found, json.loads(row.early))
    return found
