"""Rulings: small test games, run and compared with what they expect.

A ruling applies its rows to a position, runs its steps and then tests its expectations. The result has every failure
with what was expected and what was seen, and a transcript for people. A ruling that fails raises nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy as shallow
from dataclasses import dataclass

from dsl import ir
from dsl import program as hdr
from dsl.base.types import MemberType
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.play.answer import asked_text, play_items, take_forced
from interpreter.play.reasons import Reason, Refused
from interpreter.play.trace import TraceNode, TracingMachine, render_trace
from interpreter.records.position import PositionError, base_state, place_row
from interpreter.records.steps import StepError, describe, run_step, take_all_forced
from interpreter.rules.layout import entry_at
from interpreter.rules.names import tokens
from interpreter.rules.payments import GAINING, PAYING
from interpreter.rules.pieces import slot_words
from interpreter.rules.rules import Rules
from interpreter.session.decision import Decision
from interpreter.session.log import log_for
from interpreter.session.setup import GameSetupError
from interpreter.session.state import State, copy
from interpreter.visibility.audiences import knows, place_of
from interpreter.visibility.cells import hidden_from

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


def run_rulings(game: Rules, names: Sequence[str] = ()) -> list[RulingResult]:
    """The named rulings, or all of them in the order of the ruleset."""
    return [run_ruling(game, game.program.rulings[n]) for n in names or game.program.rulings]


def run_ruling(game: Rules, ruling: ir.Ruling, lang: str = "en", traced: bool = False) -> RulingResult:
    """Run one ruling. `traced`: the transcript also has the rules and changes of each step, with their clauses."""
    return _Run(game, ruling, lang, traced).result()


class _Run:
    """One ruling while it runs: its state, its failures, its transcript."""

    def __init__(self, game: Rules, ruling: ir.Ruling, lang: str, traced: bool) -> None:
        self.tracer = TracingMachine(game, TraceNode("answer", "")) if traced else None
        if self.tracer is not None:
            game = shallow(game)
            game.machine = self.tracer
        self.game = game
        self.ruling = ruling
        self.lang = lang
        self.failures: list[Failure] = []
        self.lines: list[str] = []
        self.refused = ""  # why the answer of the last `illegal` was refused

    def result(self) -> RulingResult:
        r = self.ruling
        clauses = f" [{', '.join(r.cites)}]" if r.cites else ""
        self.lines.append(f'ruling {r.name} "{r.title}"{clauses}')
        state = self._given()
        if state is not None and self._when(state):
            self._expect(state)
        return RulingResult(r.name, r.title, r.cites, not self.failures, tuple(self.failures), tuple(self.lines))

    # ------------------------------------------------------------ given, when

    def _given(self) -> State | None:
        r = self.ruling
        self.lines.append(f"given {r.base or 'an empty position'}")
        try:
            state = base_state(self.game, r.base, r.seats, r.options)
            state.checked = True  # every change of its steps is followed by the invariants
            for row in r.given:
                place_row(self.game, state, row)
                self.lines.append(f"    {row_text(self.game, row)}")
        except Faults as fault:
            self._fail("given", "a position that can be built", str(fault), r)
            return None
        return state

    def _when(self, state: State) -> bool:
        if self.ruling.steps:
            self.lines.append("when")
        for number, step in enumerate(self.ruling.steps):
            before, root = len(state.log), self._trace_root()
            text = f"a step `{step.op}`"
            try:
                text = describe(state, step)
                self.lines.append(f"    {text}")
                run_step(state, step)
                if not begins_with_payment(self.ruling.steps[number + 1 : number + 2]):
                    take_defaults(state)
            except Faults as fault:
                self._fail(text, "a step that can be taken", str(fault), step)
                return False
            self._report(state, before, root)
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
        self.lines += [f"        {line}" for line in log_for(state, seats[0] if seats else None, self.lang, since)]
        self.lines += [f"        {line}" for child in root.children for line in render_trace(child).splitlines()]

    def _fail(self, text: str, expected: str, seen: str, where: ir.Ruling | ir.RulingStep | ir.Expectation) -> None:
        source = self.game.program.sources.get(where.span.file)
        line = source.place(where.span.start)[0] if source else 0
        self.failures.append(Failure(text, expected, seen, line))
        self.lines.append(f"    FAILED {text}: expected {expected}, seen {seen}")

    # ------------------------------------------------------------ expect

    def _expect(self, state: State) -> None:
        try:
            open_ = self._open_questions(state)
        except Faults as fault:
            self._fail("the questions that are open", "forced answers that can be taken", str(fault), self.ruling)
            return
        self._check_script(open_[-1])
        if self.ruling.expect:
            self.lines.append("expect")
        for e in self.ruling.expect:
            try:
                wrong = self._check(open_, e)
            except Faults as fault:
                wrong = ("a value", str(fault))
            if wrong is not None:
                self._fail(e.text, wrong[0], wrong[1], e)
                continue
            self.lines.append(f"    ok {e.text}")
            if self.refused:
                self.lines.append(f"        refused: {self.refused}")
                self.refused = ""

    def _check_script(self, state: State) -> None:
        """Fail if prepared outcomes of chance were not drawn: their row comes after the draw that it is for."""
        left = state.script[state.words[hdr.SCRIPT] :]
        given = [step for step in self.ruling.steps if step.op == "chance"]
        if left and given:
            unused = ", ".join(" ".join(tokens(outcome)) for outcome in left)
            row = describe(state, given[-1])
            self._fail(row, "a draw that takes it, in a row behind it", f"nothing drew {unused}", given[-1])

    def _open_questions(self, state: State) -> list[State]:
        """The states after the steps and after each forced answer; the last one waits for a real choice, or for
        nothing."""
        found = [copy(state)]
        before, root = len(state.log), self._trace_root()
        while (decision := state.decision) is not None and take_forced(state, decision):
            found.append(copy(state))
        if len(found) > 1:
            self.lines.append("then by itself")
            self._report(state, before, root)
        return found

    def _check(self, states: list[State], e: ir.Expectation) -> tuple[str, str] | None:
        """What was expected and what was seen, if they differ."""
        last = states[-1]
        match e.op:
            case "value":
                return self._value(last, e)
            case "over":
                return None if last.over else ("the end of the game", question_text(last.decision))
            case "asks":
                asks = [s.decision for s in states if s.decision is not None and s.decision.asks(e.who)]
                return None if asks else (f"{e.who} is asked", question_text(last.decision))
            case "options":
                return self._options(states, e)
            case "legal" | "illegal":
                return self._legality(states, e)
            case "known" | "hidden":
                return self._knowledge(last, e)
        raise StepError(f"an expectation of the unknown kind `{e.op}`")

    def _value(self, state: State, e: ir.Expectation) -> tuple[str, str] | None:
        assert e.left is not None and e.right is not None and e.type is not None
        left = self.game.evaluate(state.words, e.left, {}, self.ruling.temps)
        right = self.game.evaluate(state.words, e.right, {}, self.ruling.temps)
        if left == right:
            return None
        return self.game.names.text(right, e.type), self.game.names.text(left, e.type)

    def _knowledge(self, state: State, e: ir.Expectation) -> tuple[str, str] | None:
        """Whether all seats know (or none knows, if `hidden` is expected) where a named thing is, else the cells that
        are read."""
        assert e.left is not None and e.right is not None
        game, words = self.game, state.words
        thing = e.left.value if isinstance(e.left, ir.Const) and isinstance(e.type, MemberType) else 0
        for seat in game.names.seats_of(game.evaluate(words, e.right, {}, self.ruling.temps)):
            if isinstance(thing, int) and place_of(game, words, thing):
                known = knows(game, words, thing, seat)
            else:
                known = not hidden_from(game, words, e.left, {self.ruling.temps: 0}, seat)
            if known != (e.op == "known"):
                return f"{e.op} to p{seat}", "hidden" if e.op == "known" else "known"
        return None

    def _options(self, states: list[State], e: ir.Expectation) -> tuple[str, str] | None:
        wanted = {" ".join(tokens(item)) for item in e.items}
        found: set[str] = set()
        for state in states:
            found = {" ".join(o.ids) for o in state.decision.options} if state.decision else set()
            if found == wanted:
                return None
        missing, more = wanted - found, found - wanted
        seen = [f"without {', '.join(sorted(missing))}"] if missing else []
        seen += [f"also {', '.join(sorted(more))}"] if more else []
        return f"the options {', '.join(sorted(wanted)) or 'none'}", " and ".join(seen)

    def _legality(self, states: list[State], e: ir.Expectation) -> tuple[str, str] | None:
        """Try the answer at each open question: legal if one takes it, illegal if none does and one has the reason."""
        refused: list[Reason] = []
        for state in states:
            if state.decision is None:
                refused.append(Reason("over", "nothing is asked"))
                continue
            try:
                trial = copy(state)
                play_items(trial, e.items, e.who or None)
                take_all_forced(trial)
            except Refused as refusal:
                refused += refusal.reasons
                continue
            except IllegalAnswer as refusal:
                refused.append(Reason("word", refusal.message))
                continue
            return None if e.op == "legal" else ("a refusal", f"it is legal at {state.decision.address}")
        lines = "; ".join(dict.fromkeys(r.line() for r in refused))
        if e.op == "legal":
            return "a legal answer", f"refused: {lines}"
        if e.reason and not any(matches_reason(r, e.reason) for r in refused):
            return f"refused because `{e.reason}`", f"refused: {lines}"
        self.refused = lines
        return None


def begins_with_payment(steps: Sequence[ir.RulingStep]) -> bool:
    """Whether the first of these steps begins with a payment."""
    return any(tokens(item)[:1] in ([PAYING], [GAINING]) for step in steps for item in step.items[:1])


def take_defaults(state: State) -> None:
    """Pay and gain in the usual way, so that the transcript reports it with the step that led to it."""
    while (decision := state.decision) is not None and decision.site.by_default and take_forced(state, decision):
        pass


def matches_reason(reason: Reason, wanted: str) -> bool:
    """Whether a reason is the one that a ruling names, by its key, or by a part of its text or its `because`."""
    if reason.key and reason.key == wanted:
        return True
    target = " ".join(wanted.split()).casefold()
    return any(target in " ".join(text.split()).casefold() for text in (reason.text, reason.because) if text)


def question_text(decision: Decision | None) -> str:
    """The open question in words."""
    return f"{asked_text(decision)} is asked at {decision.address}" if decision else "nothing is asked"


def row_text(game: Rules, row: object) -> str:
    """A row of a position as a line of a transcript."""
    if isinstance(row, ir.GivenCell):
        return f"{row.symbol}: {game.names.text(row.value, row.type)}"
    if isinstance(row, ir.GivenPieces):
        return f"{row.symbol}: {', '.join(count_text(game, *cell) for cell in row.cells)}"
    if isinstance(row, ir.GivenThings):
        held = ", ".join(game.program.thing_ids[t] for t in row.things) or "none"
        return f"{game.names.place(row.zone)}: {held}"
    return str(row)


def count_text(game: Rules, address: int, count: int, supply: int, label: str) -> str:
    """The count at an address; in a zone for one piece, which piece it is."""
    cell = entry_at(game, address)
    if cell is not None and cell[0].sort == "slot":
        return str(slot_words(game, cell[0], count))
    return f"{label} {count}".strip()
