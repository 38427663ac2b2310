"""The reference machine: runs a program on a flat store until a question, the end, or a fault of the ruleset.

It takes a `Program` and stores; nothing that it keeps between two calls matters to the meaning. For the
handlers of nodes it is a `Run`; `interpreter.machine.tables` says what each node means. A subclass that overrides one
of the `on_...` methods gets handlers that call it, so a machine without hooks is not slowed down.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from dsl import ir
from dsl.base.span import NOWHERE, Span
from dsl.base.types import INT_HIGH, Type
from dsl.program import CHANCE, DRIVEN, OVER, PC, PLAN, PLAN_FRAME, PLAN_SEAT, RV, SITE, STEPS, Program
from interpreter.choices import options, sequence
from interpreter.choices.binding import bound
from interpreter.choices.draw import Rng, draw_options, seldom_alternatives
from interpreter.core import frames, rng, stack
from interpreter.core.errors import DemandFailed, PlanSettled, RulesetError
from interpreter.core.places import PlaceIndex
from interpreter.core.question import Level, RawOption
from interpreter.core.run import STOPPED, ChanceOutcome, call
from interpreter.core.words import Temps, Words, new_store
from interpreter.machine import faults, hooks, invariants
from interpreter.machine.tables import EVALUATE, EXECUTE, INSTRUCTIONS
from interpreter.semantics import chance, purses
from interpreter.semantics.statements import call_plain, run_body

Look = Callable[[RawOption], bool]

RECURSION = 20_000  # Python frames: trees inside 64 routines inside tries


class Machine:
    """The reference machine; it calls the `on_...` methods that a subclass overrides."""

    COUNTED = ir.having("counted")  # a jump back from one of these is a unit of work

    def __init__(self, program: Program) -> None:
        self.program = program
        self.words: Words = new_store()  # the current store
        self.ev = dict(EVALUATE)
        self.ex = dict(EXECUTE)
        self.ins = dict(INSTRUCTIONS)
        self.script: Sequence[Any] = ()
        self.draws: list[ChanceOutcome] = []
        self.plain: list[int] = []  # running procedures that do not suspend
        self.given: Any = None  # what the procedure called last gave, where that is no number of a word
        self.probing = False  # inside a trial of a plan
        self.list_all = False  # whether a question with a default lists its other options as well
        self.plan_start: Words = new_store()  # the store at the beginning of the last opened plan
        self.tries = 0
        self.passes = [program.limits.passes]
        self.offers: list[RawOption] = []  # options of the question at which the loop stopped
        self.undecided: tuple[RawOption, ...] = ()  # options withheld there because the tries were used up
        self.rng: Rng | None = None  # draw the answers of questions, in random play
        self.candidates = 0  # how many answers the last one was drawn from
        self.seldom = seldom_alternatives(program)
        self.looking = False  # inside `look`, which leaves dear options unlisted
        self._checked = False
        self.invariants_by_symbols: dict[frozenset[str], tuple[ir.Invariant, ...]] = {}  # to test after a change
        self.place_index: PlaceIndex | None = None  # once places are tested
        activations: list[ir.Proc | ir.Site | ir.Needs] = [*program.procs, *program.sites, program.needs]
        self.temps = max(a.temps for a in activations) + 1
        seats = program.domains.get(program.seat_kind)
        self.seat_things: tuple[int, ...] = seats.values if seats else ()
        self.seat_numbers = {thing: i + 1 for i, thing in enumerate(self.seat_things)}
        self.owner_functions = {entry.symbol: entry.owner_fn for entry in program.layout}
        self.pieces = {entry.symbol: entry.piece for entry in program.layout}
        self.levels: dict[int, tuple[list[ir.Expr], list[Level]]] = {}  # by id of the alternative
        self.asked: dict[int, tuple[Any, Any]] = {}  # tests as questions about searches, by the id of the test
        self.questions: dict[int, list[Any]] = {}  # the long answers asked for last, by the id of their site
        hooks.install(self, Machine)

    @property
    def checked(self) -> bool:
        """True if invariants and places are tested while running."""
        return self._checked

    @checked.setter
    def checked(self, wanted: bool) -> None:
        if wanted != self._checked:
            self._checked = wanted
            invariants.install(self, wanted)

    # ------------------------------------------------------------ for drivers

    def start(self, words: Words, proc: int, args: Sequence[Any] = (), driver: bool = False) -> None:
        """Call a procedure from outside; `run` then carries it out. `driver`: its end is not the end of the game."""
        self.words = words
        words[DRIVEN] = 1 if driver else 0
        words[SITE] = words[STEPS] = 0
        self.plain.clear()
        words[PC] = self._guarded(lambda: self.enter(proc, list(args), 0))

    def interrupt(self, words: Words, proc: int, args: Sequence[Any]) -> None:
        """Start a suspending procedure on top of the pending question, which is asked again when it has ended."""
        self.words = words
        if not words[SITE]:
            words[PC], words[DRIVEN] = 0, 1
        back = words[PC]
        words[SITE] = words[STEPS] = 0
        self._go(lambda: self.enter(proc, list(args), back))

    def run(self, words: Words, script: Sequence[Any] = ()) -> None:
        """Run to the next question, or to the end. `script`: the prepared chance outcomes of the whole game."""
        self.words, self.script, self.offers = words, script, []
        if not words[SITE] and not words[OVER]:
            self._go(lambda: words[PC])

    def options(self, words: Words) -> list[RawOption]:
        """The options of the pending question; none if there is no question."""
        if not words[SITE]:
            return []
        self.words = words
        return list(self._guarded(self.list_options))

    def all_options(self, words: Words) -> list[RawOption]:
        """The options of the pending question, including those besides a default."""
        self.list_all = True
        try:
            return self.options(words)
        finally:
            self.list_all = False

    def find_option(self, words: Words, code: Sequence[int]) -> RawOption | None:
        """The option with this code, if it is offered."""
        wanted = tuple(code)
        return next((o for o in self.options(words) if o.code == wanted), None)

    def answer(self, words: Words, code: Sequence[int], script: Sequence[Any] = ()) -> None:
        """Take an option and run on. Raises IllegalAnswer, and changes nothing, if it is not offered."""
        option = self.find_option(words, code)
        if option is None:
            raise faults.not_offered(self.program, words, code)
        self.take(words, option, script)

    def take(self, words: Words, option: RawOption, script: Sequence[Any] = ()) -> None:
        """Take an option that is offered, and run on."""
        self.words, self.script = words, script
        self._go(lambda: self.accept(option))

    def look(self, words: Words, option: RawOption) -> None:
        """Take an option and run on, as bots do on copies: chance is not noted, and options that would have to be
        searched or tried are not listed (`options.ahead`). What is paid or gained by default is so in the first way."""
        noted, self.draws = self.draws, []
        self.looking = True
        try:
            self.take(words, option)
            while words[SITE] and self.program.sites[words[SITE] - 1].by_default:
                self.take(words, self.offers[0])
        finally:
            self.looking, self.draws = False, noted

    def end_of_answer(self, words: Words) -> RawOption:
        """The end of the long answer that has been begun, or its next member where it cannot end yet."""
        self.words = words
        found: RawOption = self._guarded(lambda: options.end_of_answer(self))
        return found

    def outcomes(self, words: Words) -> dict[int, int]:
        """The outcomes of the awaited chance event, each with its weight; empty if none is awaited."""
        if not words[CHANCE]:
            return {}
        self.words = words
        found: dict[int, int] = self._guarded(lambda: chance.possible_outcomes(self))
        return found

    def draw(self, words: Words, value: int, script: Sequence[Any] = ()) -> None:
        """Take a possible outcome, and run on."""
        self.words, self.script = words, script
        self._go(lambda: chance.take(self, value))

    def draw_option(self, words: Words, rng: Rng) -> RawOption | None:
        """One option of the pending question, each equally likely by `rng` (0 to below 1) but for what is called
        `seldom`; None if there is no question. Only what is drawn is tried, so this is quicker than a list."""
        if not words[SITE]:
            return None
        self.words = words
        found: list[RawOption] = self._guarded(lambda: self.draw_options(rng))
        return found[0] if found else None

    def playout(self, words: Words, rng: Rng, most: int, look: Look | None = None) -> int:
        """Run on to the end, with answers as `draw_option` gives them, more than `most` of which are a fault; gives
        their number. `look` is called with each answer before it is taken, and stops the game there if it says so."""
        taken = 0
        self.rng = rng
        try:
            self.run(words)
            option = self.drawn() or self.draw_option(words, rng)
            while option is not None:
                if taken == most:
                    raise self.fault(f"the game is not over after {most} decisions")
                if look is not None and look(option):
                    break
                taken += 1
                self.draws.clear()
                self.take(words, option)
                option = self.drawn()
        finally:
            self.rng = None
        return taken

    def drawn(self) -> RawOption | None:
        """The answer that was drawn for the question at which the machine stopped; None where there is none."""
        return self.offers[0] if self.words[SITE] and self.offers else None

    def playouts(self, begun: Words, n: int, chance: Random, most: int, ends: list[Words] | None) -> int:
        """Play copies of this store to their ends, each with its own generator, seeded from `chance`; gives the number
        of decisions. The stores at the ends are appended to `ends`."""
        decisions = 0
        for words in (begun[:] for _ in range(n)):
            rng.set_state(words, chance.getrandbits(64))
            decisions += self.playout(words, chance.random, most)
            if ends is not None:
                ends.append(words)
        return decisions

    def evaluate(self, words: Words, expr: ir.Expr, temps: Temps | None = None) -> Any:
        """The value of an expression in this store."""
        self.words = words
        return self._guarded(lambda: self.value(expr, [0] * self.temps if temps is None else temps))

    def eval_fn(self, words: Words, number: int, args: Sequence[Any]) -> Any:
        """The value of a pure function of the program in this store."""
        self.words = words
        return self._guarded(lambda: call(self, number, list(args)))

    def worth(self, words: Words, seat: int) -> int:
        """The worth of a position to a seat (a thing) by `evaluate` of the manifest, 0 without it."""
        return int(self.eval_fn(words, self.program.evaluate, [seat])) if self.program.evaluate >= 0 else 0

    # ------------------------------------------------------------ running

    def _go(self, begin: Callable[[], int]) -> None:
        self.plain.clear()
        self.undecided, self.given = (), None
        self._guarded(lambda: self._carry_on(begin()))
        if self._checked:
            invariants.check_places(self)

    def _carry_on(self, pc: int) -> None:
        """Run; a `require` or `pay` that fails after the commit point of its action ends the action there."""
        while True:
            try:
                return self.loop(pc)
            except DemandFailed:
                base = self.late_action()
                if not base:
                    raise
                pc = frames.stop(self, base)

    def _guarded(self, work: Any) -> Any:
        """Do some work on the current store; what the rules make fail becomes a RulesetError."""
        words, recursion = self.words, sys.getrecursionlimit()
        self.probing = False
        self.passes[0] = self.program.limits.passes
        sys.setrecursionlimit(max(recursion, RECURSION))
        try:
            return work()
        except DemandFailed as failed:
            raise self.fault(failed.message, failed.span, failed.cites) from None
        except (RecursionError, OverflowError, ValueError) as error:
            if not (message := faults.message_of(error)):
                raise
            raise self.fault(message) from None
        finally:
            self.words, self.probing = words, False
            sys.setrecursionlimit(recursion)

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
            return frames.push(self, number, args, back)
        self.call_plain(number, args)
        return back

    def call_plain(self, number: int, args: Temps) -> None:
        call_plain(self, number, args)

    def run_plain(self, number: int, args: Temps) -> None:
        """Carry out the body of a procedure that does not suspend; `args` becomes its list of temps."""
        proc = self.program.procs[number]
        args.extend([0] * (proc.temps - len(args)))
        run_body(self, proc.body, args)

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
        return bound(self, alternative, t)

    def rows(self, site: ir.Site, t: Temps) -> Iterable[tuple[Any, ...]]:
        """All bindings of the members of a long answer, each with its `sequence.row_parts`."""
        return sequence.rows(self, site, t)

    def source_rows(self, purse: int, t: Temps) -> Iterable[tuple[Any, ...]]:
        """The sources of a purse that take part, as `purses.source_rows` reads them."""
        return purses.source_rows(self, self.program.purses[purse], t)

    def singles(self, site: ir.Site, t: Temps) -> list[RawOption]:
        """The options of a question that is answered by one alternative or number, before its conditions and keys."""
        return options.singles(self, site, t)

    def list_options(self) -> list[RawOption]:
        """List the options of the pending question, and store them for the driver."""
        self.undecided = ()
        self.offers = options.ahead(self) if self.looking and not self.probing else options.options(self)
        return self.offers

    def draw_options(self, rng: Rng) -> list[RawOption]:
        """Draw one option of the pending question, and store it as if it were the only one."""
        self.undecided = ()
        self.offers = draw_options(self, rng)
        return self.offers

    def give(self, value: Any) -> None:
        """Keep what a procedure gives until it is read; a number stays in the store."""
        fits = isinstance(value, int) and -INT_HIGH <= value <= INT_HIGH
        self.words[RV] = value if fits else 0
        self.given = None if fits else value

    def drop_given(self) -> None:
        """Keep of it only what stays in the store: at a question."""
        self.given = None

    def accept(self, option: RawOption) -> int:
        """Write an answer into the frame; gives the instruction that follows."""
        return options.take(self, option)

    # ------------------------------------------------------------ plans

    def commit(self) -> None:
        """Commit the open plan: what follows cannot be taken back."""
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

    def overworked(self) -> RulesetError:
        spent = f"folds and choices have gone through more than {self.program.limits.passes} members since the last"
        return self.fault(f"{spent} decision: go through smaller sets, or fewer at once (limit `steps`)")

    def endless(self, span: Span = NOWHERE) -> RulesetError:
        limit = self.program.limits.steps
        spent = f"{limit} units of work since the last decision (limit `steps`)"
        return self.fault(f"{spent}: is there an endless loop?", span)

    def demand(self, message: str, span: Span = NOWHERE, cites: Sequence[str] = (), ends: bool = False) -> Exception:
        """The exception for a demand that is not met: in a trial it fails the plan, elsewhere it is a fault. `ends`:
        after the commit point of an action it ends the action."""
        failed = self.probing or (ends and self.late_action())
        return DemandFailed(message, span, cites) if failed else self.fault(message, span, cites)

    def late_action(self) -> int:
        """Base of the innermost action or icon whose plan is already committed; 0: none, as in checking runs, which
        report late demands."""
        return 0 if self._checked or self.words[PLAN] else stack.innermost_action(self.program, self.words)

    def fault(self, message: str, span: Span = NOWHERE, cites: Sequence[str] = ()) -> RulesetError:
        """A fault of the ruleset, at this place or at that of the innermost routine."""
        return faults.fault_at(self.program, self.words, self.plain, message, span, cites)

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
