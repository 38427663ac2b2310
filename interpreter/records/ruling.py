"""Rulings: small test games, run and compared with what they expect.

A ruling applies its rows to a position, then takes steps and tests expectations in the order in which they are
written. The result has every failure with what was expected and what was seen, and a transcript for people. A ruling
that fails raises nothing, and neither does one in which this program itself fails.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dsl import ir
from dsl import program as hdr
from dsl.base.internal import failure_text
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.play.answer import AnswerNotes, asked_text
from interpreter.play.outline import outline
from interpreter.play.trace import TraceNode, TracingMachine, render_trace
from interpreter.play.ways import take_forced
from interpreter.records.expectations import AT_QUESTION, Verdict, judge, questions
from interpreter.records.position import base_state, place_rows
from interpreter.records.position_checks import PositionError, check_position, counts_text
from interpreter.records.steps import StepError, describe, run_step
from interpreter.rules.layout import entry_at
from interpreter.rules.names import tokens
from interpreter.rules.payments import GAINING, PAYING
from interpreter.rules.pieces import slot_words
from interpreter.rules.rules import Rules
from interpreter.session.decision import DECLINE, READY
from interpreter.session.log import log_for
from interpreter.session.setup import GameSetupError
from interpreter.session.state import State, copy, take_over

Faults = (IllegalAnswer, RulesetError, StepError, PositionError, GameSetupError)


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that failed. `text`: the line of the ruling; `line`: its number in the file, 0 if unknown."""

    text: str
    expected: str
    seen: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.text}: expected {self.expected}, seen {self.seen}"


@dataclass(frozen=True, slots=True)
class RulingResult:
    name: str
    title: str
    cites: tuple[str, ...]
    passed: bool
    failures: tuple[Failure, ...]
    transcript: tuple[str, ...]
    outline: tuple[str, ...] = ()  # what a reviewer reads of the transcript
    left_open: str = ""  # who is still asked, and where, if the ruling ends inside a question and does not say so


def run_rulings(game: Rules, names: Sequence[str] = ()) -> list[RulingResult]:
    """The named rulings, or all of them in the order of the ruleset."""
    return [run_ruling(game, game.program.rulings[n]) for n in names or game.program.rulings]


def run_ruling(game: Rules, ruling: ir.Ruling, lang: str = "en", traced: bool = False) -> RulingResult:
    """Run one ruling. `traced`: the transcript also has the rules and changes of each step, with their clauses."""
    return _Run(game, ruling, lang, traced).result()


def played(game: Rules, ruling: ir.Ruling) -> tuple[State, State]:
    """The position that a ruling begins from, and the one that it ends in: the question that its last rows look at, or
    where a step could not be taken. Raises PositionError if the first cannot be built."""
    run = _Run(game, ruling, "en", False)
    state = run._given()
    if state is None:
        raise PositionError(run.failures[-1].seen)
    begun = copy(state)
    run._play(state)
    return begun, run.settled or state


class _Run:
    """One ruling while it runs: its state, its failures, its transcript."""

    def __init__(self, game: Rules, ruling: ir.Ruling, lang: str, traced: bool) -> None:
        self.tracer = TracingMachine(game, TraceNode("answer", "")) if traced else None
        if self.tracer is not None:
            game = game.played_by(self.tracer)
        self.game = game
        self.ruling = ruling
        self.lang = lang
        self.failures: list[Failure] = []
        self.lines: list[str] = []
        self.outline: list[str] = []
        self.settled: State | None = None  # where the last expectations were tested
        self.looked_at: State | None = None  # the question that the last expectations looked at, if they looked at one
        self.left_open = ""

    def result(self) -> RulingResult:
        r = self.ruling
        clauses = f" [{', '.join(r.cites)}]" if r.cites else ""
        self.lines.append(f'ruling {r.name} "{r.title}"{clauses}')
        self.outline.append(f"{r.title}{clauses}")
        state = self._given()
        if state is not None:
            self._play(state)
            self._left_open()
        return RulingResult(
            r.name,
            r.title,
            r.cites,
            not self.failures,
            tuple(self.failures),
            tuple(self.lines),
            tuple(self.outline),
            self.left_open,
        )

    def _play(self, state: State) -> None:
        """Take the steps of each stage and test what is expected after them, up to a step that cannot be taken."""
        stages = self.ruling.stages or (ir.Stage(),)
        for number, stage in enumerate(stages, 1):
            if not self._when(state, stage.steps):
                self.settled = state
                return
            self._expect(state, stage.expect, number == len(stages))

    # ------------------------------------------------------------ given, when

    def _given(self) -> State | None:
        r = self.ruling
        self.lines.append(f"given {r.base or 'an empty position'}")
        try:
            state = base_state(self.game, r.base, r.seats, r.options)
            state.checked = True  # every change of its steps is followed by the invariants
            self.lines += [f"    {row_text(self.game, row)}" for row in r.given]
            place_rows(self.game, state, r.given)
            check_position(state)
        except Exception as fault:
            self._fail("given", "a position that can be built", told(fault), r)
            return None
        return state

    def _when(self, state: State, steps: Sequence[ir.RulingStep]) -> bool:
        """Take the steps; gives whether all could be taken."""
        if steps:
            self.lines.append("when")
        for number, step in enumerate(steps):
            before, root = len(state.log), self._trace_root()
            text = f"a step `{step.op}`"
            try:
                text = describe(state, step)
                self.lines.append(f"    {text}")
                self.outline.append(text)
                looked_at, self.looked_at = self.looked_at, None
                notes = AnswerNotes()
                if looked_at is not None and step.op == "answer" and answers_this(looked_at, step):
                    take_over(state, looked_at)
                    before = len(state.log)
                root = self._trace_root()  # without what was tried
                run_step(state, step, notes)
                self._tell(f"(the only answer at {address})" for address in notes.only)
                if not begins_with_payment(steps[number + 1 : number + 2]):
                    take_defaults(state)
                self._report(state, before, root)
            except Exception as fault:
                self._fail(text, "a step that can be taken", told(fault), step)
                return False
        return True

    def _trace_root(self) -> TraceNode:
        """A root for what is traced from now on."""
        root = TraceNode("answer", "")
        if self.tracer is not None:
            self.tracer.open = [root]
        return root

    def _report(self, state: State, since: int, root: TraceNode) -> None:
        """Add what was logged and traced to the transcript."""
        seats = [s for s in range(1, state.seats + 1) if state.decision is None or s == state.decision.seat]
        self._tell(log_for(state, seats[0] if seats else None, self.lang, since))
        self.lines += [
            f"        {line}" for child in root.children for line in render_trace(child, self.lang).splitlines()
        ]
        self.outline += [f"    {line}" for line in outline(root.children, self.lang)]

    def _tell(self, texts: Iterable[str]) -> None:
        """Add what belongs to the step that was taken last."""
        for text in texts:
            self.lines.append(f"        {text}")
            self.outline.append(f"    {text}")

    def _fail(self, text: str, expected: str, seen: str, where: ir.Ruling | ir.RulingStep | ir.Expectation) -> None:
        source = self.game.program.sources.get(where.span.file)
        line = source.place(where.span.start)[0] if source else 0
        self.failures.append(Failure(text, expected, seen, line))
        self.lines.append(f"    FAILED {text}: expected {expected}, seen {seen}")

    # ------------------------------------------------------------ expect

    def _expect(self, state: State, expected: Sequence[ir.Expectation], last: bool) -> None:
        """Test what is expected, and in the last stage that chance has been drawn as it was said."""
        root = self._trace_root()
        try:
            states = questions(state)
        except Exception as fault:
            self._fail("the questions that are open", "forced answers that can be taken", told(fault), self.ruling)
            return
        self.settled, self.looked_at = states[-1], None
        looked: list[int] = []
        if len(states) > 1:
            self.lines.append("then by itself")
            self.outline.append("then by itself")
            self._report(states[-1], len(state.log), root)
        if last:
            self._check_script(states[-1])
        if expected:
            self.lines.append("expect")
        for e in expected:
            try:
                verdict = judge(states, e, self.ruling.temps)
            except Exception as fault:
                verdict = Verdict(("a value", told(fault)))
            looked += [verdict.at] if verdict.at is not None else []
            if verdict.wrong is not None:
                self._fail(e.text, verdict.wrong[0], verdict.wrong[1], e)
                continue
            self.lines.append(f"    ok {e.text}")
            if verdict.refused:
                self.lines.append(f"        refused: {verdict.refused}")
                self.outline.append(f"{e.text}: {verdict.refused}")

        self.looked_at = beginning_of(states, min(looked)) if looked else None

    def _check_script(self, state: State) -> None:
        """Fail if prepared outcomes of chance were not drawn: their row comes after the draw that it is for."""
        left = state.script[state.words[hdr.SCRIPT] :]
        given = [step for step in self.ruling.steps if step.op == "chance"]
        if left and given:
            unused = ", ".join(" ".join(tokens(outcome)) for outcome in left)
            row = describe(state, given[-1])
            self._fail(row, "a draw that takes it, in a row behind it", f"nothing drew {unused}", given[-1])

    def _left_open(self) -> None:
        """Say that a question is still open, where no row of the last stage has looked at it."""
        decision = self.settled.decision if self.settled is not None else None
        looked = any(e.op in AT_QUESTION for stage in self.ruling.stages[-1:] for e in stage.expect)
        if decision is not None and (self.failures or not looked):
            self.left_open = f"{asked_text(decision)} at {decision.address}"
            self.lines.append(f"left open: {self.left_open}")
            self.outline.append(f"left open: {self.left_open}")


def beginning_of(states: Sequence[State], at: int) -> State:
    """The state in which the question of this one began: the first members of its answer may have given themselves."""
    while at > 0 and (decision := states[at].decision) is not None and decision.cursor:
        at -= 1
    return states[at]


def answers_this(looked_at: State, step: ir.RulingStep) -> bool:
    """True if a step answers the question that rows looked at. One which does not may name the answer of an earlier
    question that gave itself, but a word that ends an answer, or declines, is meant for this one."""
    if [tokens(item) for item in step.items] in ([[READY]], [[DECLINE]]):
        return True
    try:
        run_step(copy(looked_at), step)
    except (IllegalAnswer, RulesetError, StepError):
        return False
    return True


def told(fault: Exception) -> str:
    """The text of a failure: of the ruling, or of this program where it is at fault; the other rulings go on."""
    if isinstance(fault, Faults):
        return str(fault)
    if os.environ.get("RULEWRIGHT_DEBUG"):
        raise fault
    return f"internal error ({failure_text(fault)}); this is a fault of rulewright, not of the ruling: please report it"


def begins_with_payment(steps: Sequence[ir.RulingStep]) -> bool:
    """True if the first item of one of these steps begins with the word for a payment or a gain."""
    return any(tokens(item)[:1] in ([PAYING], [GAINING]) for step in steps for item in step.items[:1])


def take_defaults(state: State) -> None:
    """Pay and gain in the usual way, so that the transcript reports it with the step that led to it."""
    while (decision := state.decision) is not None and decision.site.by_default and take_forced(state, decision):
        pass


def row_text(game: Rules, row: object) -> str:
    """A row of a position as a line of a transcript."""
    if isinstance(row, ir.GivenCell):
        return f"{row.symbol}: {game.names.text(row.value, row.type)}"
    if isinstance(row, ir.GivenPieces) and row.slot:
        return f"{row.symbol}: {piece_text(game, *row.cells[0][:2])}"
    if isinstance(row, (ir.GivenPieces, ir.GivenSupply)):
        gone = ", others gone" if isinstance(row, ir.GivenSupply) and row.gone else ""
        return f"{row.symbol}: {counts_text([(cell[-1], cell[1]) for cell in row.cells])}{gone}"
    if isinstance(row, ir.GivenThings):
        held = ", ".join(game.program.thing_ids[t] for t in row.things) or "none"
        return f"{game.names.place(row.zone)}: {held}"
    return str(row)


def piece_text(game: Rules, address: int, code: int) -> str:
    """The piece that lies in a zone for one, in words; its code where the address is of no cell."""
    cell = entry_at(game, address)
    return str(slot_words(game, cell[0], code)) if cell is not None else str(code)
