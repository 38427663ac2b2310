"""A run: a program, the store that is worked on, and what a handler needs to carry out one node.

Handlers take a `Run` and reach each other through its tables (`ev`, `ex`, `ins`) and operations; so this imports none
of them, and every room above can. A `Run` keeps nothing between two calls that matters to the meaning. Who starts it
and hands it answers is `interpreter.machine`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dsl import ir
from dsl.base.span import NOWHERE, Span
from dsl.base.types import Type
from dsl.program import PC, PLAN, PLAN_FRAME, PLAN_SEAT, STEPS, Program
from interpreter.core import stack
from interpreter.core.errors import DemandFailed, PlanSettled, RulesetError
from interpreter.core.question import Level, Option, Question
from interpreter.core.words import Temps, Words

STOPPED = -1  # no instruction follows: the machine waits, or has come to an end

Evaluator = Callable[["Run", Any, Temps], Any]
Executor = Callable[["Run", Any, Temps], int]
Step = Callable[["Run", Any, int, Temps], int]

# things that can move with the addresses of their place words; zones of things with the words that are zero when empty
Whereabouts = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, int], ...]]


@dataclass(frozen=True, slots=True)
class Tables:
    """The handlers of all nodes by their classes, and the operations of a run that handlers of several rooms need."""

    evaluate: dict[type, Evaluator]
    execute: dict[type, Executor]
    instructions: dict[type, Step]
    push: Callable[[Run, int, Sequence[Any], int], int]
    call_plain: Callable[[Run, int, Temps], None]
    run_body: Callable[[Run, Sequence[ir.Stmt], Temps], int]
    bound: Callable[[Run, ir.Alternative, Temps], Iterable[tuple[int, ...]]]
    rows: Callable[[Run, ir.Site, Temps], Iterable[tuple[Any, ...]]]
    singles: Callable[[Run, ir.Site, Temps], list[Option]]
    options: Callable[[Run], list[Option]]
    take: Callable[[Run, Option], int]


@dataclass(frozen=True, slots=True)
class ChanceOutcome:
    """What one chance event brought; `values` has one number, or the whole order from the top (of a shuffle that is
    asked: as far as it has come)."""

    address: str
    op: str
    values: tuple[int, ...]
    ids: tuple[str, ...]
    told: tuple[int, ...] | None = None  # the seats of `seen by`


class Run:
    COUNTED = (ir.Jump, ir.Branch, ir.Ask, ir.Chance, ir.Confirm)  # a way back from one of these is a unit of work

    def __init__(self, program: Program, tables: Tables) -> None:
        self.program = program
        self.words: Words = []  # the store that is worked on
        self.tables = tables
        self.ev = dict(tables.evaluate)
        self.ex = dict(tables.execute)
        self.ins = dict(tables.instructions)
        self.script: Sequence[Any] = ()
        self.draws: list[ChanceOutcome] = []
        self.plain: list[int] = []  # running procedures that do not suspend
        self.probing = False  # inside a trial of a plan
        self.wished = False  # whether what is taken by default is listed with all that could be chosen instead
        self.plan_start: Words = []  # the store as it was when the plan began that was opened last
        self.tries = 0
        self.offers: list[Option] = []  # options of the question at which the loop stopped
        self.undecided: tuple[Option, ...] = ()  # what was withheld there, since the tries were used up
        self._checked = False
        self.concerned: dict[frozenset[str], tuple[ir.Invariant, ...]] = {}  # the invariants to test after a change
        self.whereabouts: Whereabouts | None = None  # once places are tested
        self.changed: set[str] = set()  # symbols changed inside an open `together`, in checking runs
        activations: list[ir.Proc | ir.Site | ir.Needs] = [*program.procs, *program.sites, program.needs]
        self.temps = max(a.temps for a in activations) + 1
        seats = program.domains.get(program.seat_kind)
        self.seat_things: tuple[int, ...] = seats.values if seats else ()
        self.seat_numbers = {thing: i + 1 for i, thing in enumerate(self.seat_things)}
        self.owner_functions = {entry.symbol: entry.owner_fn for entry in program.layout}
        self.pieces = {entry.symbol: entry.piece for entry in program.layout}
        self.levels: dict[int, tuple[list[ir.Expr], list[Level]]] = {}  # by id of the alternative
        self.question: Question | None = None

    @property
    def checked(self) -> bool:
        """Whether invariants and places are tested while running."""
        return self._checked

    # ------------------------------------------------------------ running

    def loop(self, pc: int) -> None:
        """Carry out instructions from `pc` until one of them stops."""
        t: Temps = [0] * self.temps
        code, ins, words = self.program.code, self.ins, self.words
        while pc != STOPPED:
            words[PC] = pc
            i = code[pc]
            after = ins[type(i)](self, i, pc, t)
            if 0 <= after <= pc and type(i) in self.COUNTED:
                self.work(NOWHERE)
            pc = after

    def value(self, e: ir.Expr, t: Temps) -> Any:
        return self.ev[type(e)](self, e, t)

    def enter(self, number: int, args: Temps, back: int) -> int:
        """Call a procedure; gives the instruction that follows. One that does not suspend is carried out at once."""
        if self.program.procs[number].suspends:
            self.work(NOWHERE)
            return self.tables.push(self, number, args, back)
        self.call_plain(number, args)
        return back

    def call_plain(self, number: int, args: Temps) -> None:
        self.tables.call_plain(self, number, args)

    def run_plain(self, number: int, args: Temps) -> None:
        """Carry out the body of a procedure that does not suspend; `args` becomes its list of temps."""
        proc = self.program.procs[number]
        args.extend([0] * (proc.temps - len(args)))
        self.tables.run_body(self, proc.body, args)

    def holds(self, invariant: ir.Invariant) -> bool:
        return bool(call(self, invariant.fn, []))

    def pending(self) -> tuple[int, ir.Ask]:
        """Number and node of the instruction that waits for an answer."""
        pc = self.words[PC]
        ask = self.program.code[pc]
        assert isinstance(ask, ir.Ask), "a pending question stands at an Ask"
        return pc, ask

    # ------------------------------------------------------------ options

    def bound(self, alternative: ir.Alternative, t: Temps) -> Iterable[tuple[int, ...]]:
        """The values of all bindings of an alternative that pass its guards; its temps stay bound meanwhile."""
        return self.tables.bound(self, alternative, t)

    def rows(self, site: ir.Site, t: Temps) -> Iterable[tuple[Any, ...]]:
        """All bindings of the members of a long answer, each with its `sequence.row_parts`."""
        return self.tables.rows(self, site, t)

    def singles(self, site: ir.Site, t: Temps) -> list[Option]:
        """The options of a question that is answered by one alternative or number, before its conditions and keys."""
        return self.tables.singles(self, site, t)

    def list_options(self) -> list[Option]:
        """List the options of the pending question, and keep them for the driver."""
        self.undecided = ()
        self.offers = self.tables.options(self)
        return self.offers

    def accept(self, option: Option) -> int:
        """Write an answer into the frame; gives the instruction that follows."""
        return self.tables.take(self, option)

    # ------------------------------------------------------------ plans

    def commit(self) -> None:
        """The commit point of the open plan: what follows cannot be taken back."""
        self.end_plan()

    def end_plan(self) -> None:
        self.words[PLAN] = self.words[PLAN_FRAME] = self.words[PLAN_SEAT] = 0
        if self.probing:
            raise PlanSettled

    # ------------------------------------------------------------ faults

    def work(self, span: Span) -> None:
        """Count one small unit of work."""
        self.words[STEPS] += 1
        if self.words[STEPS] > self.program.limits.steps:
            raise self.endless(span)

    def endless(self, span: Span = NOWHERE) -> RulesetError:
        limit = self.program.limits.steps
        return self.fault(f"{limit} units of work since the last decision (limit `steps`): is this endless?", span)

    def demand(self, message: str, span: Span = NOWHERE, cites: Sequence[str] = (), ends: bool = False) -> Exception:
        """The exception for a demand that is not met: it fails the plan that is tried, elsewhere it is a fault. `ends`:
        behind the commit point of an action it ends the action."""
        failed = self.probing or (ends and self.late_action())
        return DemandFailed(message, span, cites) if failed else self.fault(message, span, cites)

    def late_action(self) -> int:
        """Base of the innermost action whose plan is certain already; 0: none. Checking runs report late demands."""
        if self._checked or self.words[PLAN]:
            return 0
        procs = self.program.procs
        numbers = ((base, self.words[base + 2]) for base in stack.bases(self.words))
        return next((base for base, n in numbers if n >= 0 and procs[n].word == "action"), 0)

    def fault(self, message: str, span: Span = NOWHERE, cites: Sequence[str] = ()) -> RulesetError:
        """A fault of the ruleset, at this place or at that of the innermost routine."""
        program = self.program
        rules = stack.names(program, self.words) + [program.procs[p].name for p in self.plain]
        if not span.file and rules:
            span = next((p.span for p in program.procs if p.name == rules[-1]), NOWHERE)
        place = ""
        if span.file:
            source = program.sources.get(span.file)
            line = "{}:{}".format(*source.place(span.start)) if source else f"at {span.start}"
            place = f"{span.file}:{line}"
        return RulesetError(message, span, cites, rules, place)

    # ------------------------------------------------------------ hooks (called only where a subclass overrides them)

    def on_call(self, proc: int, args: Sequence[Any]) -> None:
        """A procedure begins."""

    def on_leave(self, proc: int) -> None:
        """A procedure has ended."""

    def on_store(self, symbol: str, address: int, type_: Type, old: Any, new: Any, cause: int) -> None:
        """A value of the declared state has changed."""

    def on_require(self, guard: ir.Guard, held: bool, temps: Temps) -> None:
        """A demand was tested."""

    def on_note(self, address: str, cites: tuple[str, ...]) -> None:
        """A rule line took effect."""


def call(m: Run, number: int, args: Temps) -> Any:
    """The value of function `number`; `args` becomes its list of temps."""
    fn = m.program.functions[number]
    args.extend([0] * (fn.temps - len(args)))
    return m.ev[type(fn.body)](m, fn.body, args)
