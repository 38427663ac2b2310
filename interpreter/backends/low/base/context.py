"""The context of a lowering: the program with its facts, the memory, the functions so far, and the one being written.

Every function of the lowering takes it first. What a lower room needs of a higher one it asks here: a number, the words
of a set, the address of a list; tables, given when it is made, say which function stands for a node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

from dsl import ir
from dsl.program import STEPS, Program
from interpreter.backends.analysis.dataflow import FlowFacts, facts, walk
from interpreter.backends.analysis.trials import TrialFacts, trial_facts
from interpreter.backends.low.base.kinds import MOST_WORDS, Kind, MembersKind, Number, Unsupported
from interpreter.backends.low.base.make import ZERO, add, scale, union, word
from interpreter.backends.low.base.memory import Memory
from interpreter.backends.low.base.writer import Writer
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.choices.draw import seldom_alternatives

Words: TypeAlias = dict[int, Expr]
"""The words of a set by their numbers: those that are missing are 0."""

HEAP, PASSES = "heap", "passes"
"""Globals: the end of the scratch memory in use, the passes through members that are left."""

DEPTH, FRAMES, PLAIN = "depth", "frames", "plain"
"""Globals: how many functions that call themselves, frames, and routines that do not suspend run inside each other."""

GAMES, DECISIONS, TAKEN = "games", "decisions", "taken"
"""Globals: the games that `playouts` has played so far, their decisions, and those of the game that it plays."""

STATUS, PROBING, TRIES, FLOOR = "status", "probing", "tries", "floor"
"""Globals: how the running trial has ended (0: not yet), how many trials run inside each other, the tries of the
outermost one, and the end of the scratch memory that belongs to what waits for a trial."""

BULK = "bulk"
"""Global: whether whole games are played without a driver. Then chance that is asked is drawn, and neither outcomes nor
the stores of plans are kept for a host."""

DRAWING, DRAWN = "drawing", "drawn"  # whether answers are drawn, and whether the only option is one that was
CANDIDATES = "candidates"  # from how many answers the only option was drawn

TWISTED = "twisted"  # whether answers are drawn by Python's generator, in a module that has bots as well
LOOKING = "looking"  # whether a bot looks ahead: options that would have to be searched or tried are not listed
EPOCH = "epoch"  # other than 0 while the store stays as it is: then some functions know what they gave before
FRESH, GO = "fresh", "go"
"""Functions of the driver: the budgets of a decision begin anew; go on at an instruction up to a question or the
end."""

PENDING = "pending"  # the function that gives a word of the order of what waits in the name of a thing
SEERS, TOP_SEERS = "seers", "top_seers"
"""Functions of a zone: the seats that see what it holds, and those that see its top besides, as sets of numbers."""

GENERATOR = "generator"  # the 64 bits of the generator of the store, where one function plays whole games
FEW_PASSES = 1024  # so many at once are not tested where they are counted in a variable, but at the next question

RESULTS = 96  # globals for the words of a set that a function gives, besides its result


class Held(NamedTuple):
    """A value in local variables: one, or one for each word of a set."""

    kind: Kind
    names: tuple[str, ...]


class Later(NamedTuple):
    """A value that is worked out where it is read, with what was bound where it stands."""

    value: ir.Expr
    bound: dict[int, Bound]


class Order(NamedTuple):
    """An action that may be tried: its procedure, which of its arguments acts, the set of causes that are waived, and
    the timed lines that hold meanwhile, each with its number of values."""

    proc: int
    actor: int
    waive: int
    lines: tuple[tuple[int, int], ...]


class KeyedPlaces(NamedTuple):
    """The addresses of what keyed random numbers follow from: the seed of the game, a long number; how often each event
    at one of these addresses has come, now and at the beginning of the answer; and how often who has chosen where, so
    many words."""

    events: tuple[str, ...]
    seed: int
    times: int
    kept: int
    choices: int
    size: int


Bound: TypeAlias = Held | Later
NumberMaker = Callable[["Lowering", Any], Expr]
SetMaker = Callable[["Lowering", Any], Words]
KindMaker = Callable[["Lowering", Any], Kind]


class LoweringTables(NamedTuple):
    """The functions that stand for each class of nodes: for its kind, its value as number or truth, as words of a set,
    as address of a list or map, and what a statement does."""

    kinds: Mapping[type, KindMaker]
    numbers: Mapping[type, NumberMaker]
    sets: Mapping[type, SetMaker]
    rows: Mapping[type, NumberMaker]
    statements: Mapping[type, Callable[[Lowering, Any], None]]


class Lowering:
    def __init__(self, program: Program, tables: LoweringTables) -> None:
        self.program, self.tables = program, tables
        self.facts: FlowFacts = facts(program)
        self.trials: TrialFacts = trial_facts(program)
        self.memory = Memory(program, self.trials.tries)
        self.shared: dict[Any, Any] = {}  # calls with a whole answer, by what they are, with that answer
        self.orders: list[Order] = []  # by the numbers of the functions that try them
        self.gaps: list[str] | None = None  # what is not lowered, if that may give up in play; None: it may not
        self.seldom = seldom_alternatives(program)
        self.functions: list[low.Function] = []
        self.wanted: list[tuple[str, int]] = []  # functions that are called and not written yet
        self.known: set[tuple[str, int]] = set()
        self.kernels: dict[object, str] = {}  # low functions that were compiled from kernel functions
        self.w = Writer()
        self.bound: dict[int, Bound] = {}  # temps of the activation that is being written
        self.kinds: dict[object, Kind] = {}  # of tables, once they are known
        self.looks = False  # whether bots look ahead
        self.cells: tuple[ir.ZoneInstance, ...] = ()  # hidden ones that bots imagine, numbered behind the zones
        self.lists_ways = False  # whether a host may ask for all ways to pay
        self.asks_chance = False  # whether it stops where chance is asked, for a driver
        self.tells_undecided = False  # whether it gives up where answers are withheld, since a driver is told of them
        self.keyed: KeyedPlaces | None = None  # where chance that is asked is drawn by numbers with keys
        self.checked = False  # whether invariants and places are tested
        self.tested: list[tuple[int, ...]] = []  # invariants that are tested together
        self.remembered: frozenset[int] = frozenset()  # functions that know what they gave before
        self.asks = False  # whether an action may be tried while the routine that is written runs
        self.loops: list[tuple[str, str]] = []  # of statements: the labels that `break` and `continue` leave
        self.most = max(len(program.thing_ids), 64) - 1  # the greatest member where nothing is known
        parts = (program.code, program.procs)
        deferring = [n for n in walk(parts) if isinstance(n, ir.Defer)]
        self.deferred = sorted({n.proc for n in deferring})  # what end lists may hold
        self.ordered = any(n.order for n in deferring)  # whether seats order what waits there
        self.counters: tuple[str, str] | None = None  # variables that count work and passes instead of the store
        self.whole = False  # whether one function plays whole games: the generator of the store lies in a global then
        self.reads_result = self.gives_other = False  # the last result is read; one that is no number is given

    # ------------------------------------------------------------ values

    def kind(self, e: ir.Expr) -> Kind:
        found: Kind = self._handler(self.tables.kinds, e)(self, e)
        return found

    def number(self, e: ir.Expr) -> Expr:
        found: Expr = self._handler(self.tables.numbers, e)(self, e)
        return found

    def members(self, e: ir.Expr) -> Words:
        found: Words = self._handler(self.tables.sets, e)(self, e)
        return found

    def row(self, e: ir.Expr) -> Expr:
        """The address of a list or map."""
        found: Expr = self._handler(self.tables.rows, e)(self, e)
        return found

    def statement(self, s: ir.Stmt) -> None:
        self._handler(self.tables.statements, s)(self, s)

    def _handler(self, table: Mapping[type, Callable[[Lowering, Any], Any]], node: Any) -> Callable[..., Any]:
        found = table.get(type(node))
        if found is None:
            kind = getattr(node, "op", None) or getattr(node, "kind", None)
            raise Unsupported(f"{type(node).__name__}{f' `{kind}`' if kind else ''}")
        return found

    # ------------------------------------------------------------ variables

    def hold(self, kind: Kind, e: ir.Expr, stem: str = "held") -> Held:
        """Work out a value now and put it into fresh variables."""
        if isinstance(kind, MembersKind):
            return self.hold_words(kind, self.members(e))
        name = self.w.fresh(stem)
        self.w.set(name, self.scalar(kind, e))
        return Held(kind, (name,))

    def scalar(self, kind: Kind, e: ir.Expr) -> Expr:
        """A number, or the address of what is neither number nor set."""
        return self.number(e) if isinstance(kind, Number) else self.row(e)

    def hold_words(self, kind: MembersKind, words: Words) -> Held:
        names = self.empty(kind)
        for w, name in zip(kind.words, names.names, strict=True):
            self.w.set(name, words.get(w, ZERO))
        self.refuse({w: e for w, e in words.items() if w not in kind.words})
        return names

    def empty(self, kind: MembersKind) -> Held:
        """Fresh variables for a set, which are not set yet."""
        if len(kind.words) > MOST_WORDS:
            raise Unsupported(f"a set of {len(kind.words)} words")
        return Held(kind, tuple(self.w.fresh("s") for _ in kind.words))

    def refuse(self, words: Words) -> None:
        """Give up if one of these words of a set is other than 0."""
        found: Expr | None = None
        for e in words.values():
            found = union(found, e)
        if found is not None and found != ZERO:
            self.w.trap_if(found, Reason.RANGE)

    @contextmanager
    def binding(self, bound: dict[int, Bound]) -> Iterator[None]:
        """Bind these temps, and no others, meanwhile."""
        outer, self.bound = self.bound, bound
        try:
            yield
        finally:
            self.bound = outer

    @contextmanager
    def also(self, bound: Mapping[int, Bound]) -> Iterator[None]:
        """Bind these temps as well meanwhile."""
        with self.binding({**self.bound, **bound}):
            yield

    # ------------------------------------------------------------ functions

    def want(self, sort: str, number: int) -> str:
        """The name of a function, which is written later unless it is there."""
        key = sort, number
        if key not in self.known:
            self.known.add(key)
            self.wanted.append(key)
        return f"{sort}{number}"

    @contextmanager
    def function(self, name: str, params: tuple[str, ...], exported: bool = False) -> Iterator[Writer]:
        """Make a function of all that is written meanwhile."""
        outer = self.w, self.bound, self.loops, self.counters
        self.w, self.bound, self.loops, self.counters = Writer(), {}, [], None
        try:
            yield self.w
            self.functions.append(low.Function(name, params, self.w.body(), exported))
        finally:
            self.w, self.bound, self.loops, self.counters = outer

    @property
    def keeps(self) -> bool:
        """True if each decision is kept where it begins, since low code may give up without a fault of the rules."""
        return self.trials.tries or bool(self.gaps)

    def give_up(self, what: str, reason: Unsupported) -> None:
        """Note what cannot be lowered, and will give up in play. Where that is not wanted this raises Unsupported,
        which says in what something was found."""
        text = str(reason) if " in " in str(reason) else f"{reason} in `{what}`"
        if self.gaps is None:
            raise Unsupported(text) from None
        self.gaps.append(text)
        self.loops = []

    def option_row(self, n: Expr) -> Expr:
        """The address of the n-th option that is listed."""
        return add(scale(n, self.memory.stride), self.memory.options)

    # ------------------------------------------------------------ scratch memory

    def take(self, words: Expr | int) -> Expr:
        """The address of so many words of scratch memory, at an even place; gives up where it is full."""
        words = Num(words) if isinstance(words, int) else words
        self.w.scratch += 1
        at = self.w.let(Global(HEAP), "room")
        end = add(at, Num(words.value + words.value % 2)) if isinstance(words, Num) else None
        if end is None:
            end = add(at, Op("&", add(words, 1), Num(-2)))
        self.w.emit(low.SetGlobal(HEAP, end))
        self.w.trap_if(Op(">", Global(HEAP), Num(self.memory.scratch_end)), Reason.ROOM)
        return at

    @property
    def floor(self) -> Expr:
        """The end of the scratch memory that is in use where a procedure begins."""
        return Global(FLOOR) if self.trials.tries else Num(self.memory.scratch)

    @contextmanager
    def cut_back(self) -> Iterator[None]:
        """Scratch memory that is taken meanwhile is free again afterwards."""
        before = self.w.scratch
        mark = self.w.fresh("mark")
        with self.w.inside() as body:
            yield
        if self.w.scratch == before:
            self.w.out += body
            return
        self.w.set(mark, Global(HEAP))
        self.w.out += body
        if not body or not isinstance(body[-1], low.Leave | low.Again | low.Return | low.Trap):
            self.w.emit(low.SetGlobal(HEAP, Local(mark)))

    # ------------------------------------------------------------ bounds of work

    def work(self) -> None:
        """Count one unit of work."""
        if self.counters is not None:
            self.w.set(self.counters[0], add(Local(self.counters[0]), 1))
            self.w.trap_if(Op(">", Local(self.counters[0]), Num(self.program.limits.steps)), Reason.BUDGET)
            return
        self.w.count(STEPS)
        self.w.trap_if(Op(">", word(STEPS), Num(self.program.limits.steps)), Reason.BUDGET)

    def passes(self, n: Expr) -> None:
        """Count passes through members; `n` may be read twice."""
        if n == ZERO:
            return
        if self.counters is not None:
            self.w.set(self.counters[1], add(Local(self.counters[1]), n))
            if not isinstance(n, Num) or n.value > FEW_PASSES:
                self.w.trap_if(Op(">", Local(self.counters[1]), Num(self.program.limits.passes)), Reason.BUDGET)
            return
        self.w.emit(low.SetGlobal(PASSES, Op("-", Global(PASSES), n)))
        self.w.trap_if(Op("<", Global(PASSES), ZERO), Reason.BUDGET)
