"""A search bot, compiled from `interpreter.machine.search`: its tree lies in memory, and so does the question."""

from __future__ import annotations

from dsl.program import HEADER, SITE
from interpreter.backends.low.base.context import BULK, DRAWING, FRESH, GO, Lowering
from interpreter.backends.low.base.exported import BEGIN, COUNT, SEARCH, SEARCH_ROOT, SEARCHED, SP
from interpreter.backends.low.base.make import ONE, ZERO, add, both, word
from interpreter.backends.low.bots.imagine import IMAGINE
from interpreter.backends.low.bots.looking import ASKED
from interpreter.backends.low.bots.standing import LowJudged
from interpreter.backends.low.bots.stores import BACK, BACK_ROWS, KEEP, KEEP_ROWS, STASH, Places
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op
from interpreter.backends.low.generators.store import STORE
from interpreter.backends.low.kernel.context import Host, words_of
from interpreter.backends.low.kernel.functions import called
from interpreter.backends.low.kernel.functions import write as write_kernel
from interpreter.backends.low.kernel.values import Known, Sort, Typed
from interpreter.backends.low.rules.answers import TAKE
from interpreter.backends.low.trials.draw import is_rare
from interpreter.choices.generator import Generator
from interpreter.core.kernel import Bits, Row, kernel
from interpreter.core.rng import MASK_64, MULTIPLIER
from interpreter.machine.search import MOST_NODES, SearchNode, best, iterate

GO_BACK, ITERATE, SELDOM = "search_back", "search_iterate", "search_seldom"
"""Functions: make the store the question that is decided, with its options; one iteration; whether an option is
seldom."""

TOP, ROWS, QUESTION, OPTIONS, UPPER = "search_top", "search_rows", "search_store", "search_count", "search_stash"
GLOBALS = (TOP, ROWS, QUESTION, OPTIONS, UPPER, SEARCHED)


@kernel
def mark_of(store: Row, start: int, stop: int) -> Bits:
    """A number of 64 bits for some words."""
    mark: Bits = 0
    for n in range(start, stop):
        mark = mark * MULTIPLIER + store[n] & MASK_64
    return mark


@kernel
def is_same(row: Row, other: Row) -> bool:
    """Whether two rows are the same option."""
    n, length = 0, row[2] + 3
    while n < length and row[n] == other[n]:
        n += 1
    return n == length


class LowSearched(Host):
    """The game in which is searched (`interpreter.machine.search.Searched`). A node has its option behind its fields;
    one that would be listed again stands in memory."""

    def __init__(self, lo: Lowering, chance: Expr) -> None:
        super().__init__(lo)
        self.store, self.judged = STORE, LowJudged(lo)
        self.answer = words_of(SearchNode)
        self.size = (self.answer + lo.memory.stride + 1) & -2
        self.tree = lo.memory.room(self.size * MOST_NODES)
        self.root, self.chance = Typed(Num(self.tree), Sort.RECORD, SearchNode), Typed(chance, Sort.RECORD, Generator)
        self.has_seldom = bool(lo.seldom)

    def go_back(self) -> None:
        self.lo.w.call(GO_BACK)

    def imagine(self, seat: Expr) -> None:
        self.lo.w.call(IMAGINE, seat, self.chance.expr)
        self.lo.w.call(BACK_ROWS, Global(ROWS), Global(OPTIONS))

    def offered(self) -> Expr:
        return low.Choice(word(SITE), Global(COUNT), ZERO)

    def asked(self) -> Expr:
        return low.Call(ASKED)

    def is_seldom(self, place: Expr) -> Expr:
        return low.Call(SELDOM, (place,)) if self.has_seldom else ZERO

    def take(self, place: Expr) -> None:
        self.lo.w.call(FRESH)
        self.lo.w.call(GO, low.Call(TAKE, (place,)))

    def mark(self) -> Typed:
        return Typed(called(self.lo, mark_of, {"store": self.store}, (Num(HEADER), Global(SP))), Sort.BITS)

    def is_answer(self, node: Expr, place: Expr) -> Expr:
        row, own = self.lo.w.let(self.lo.option_row(place)), self.lo.w.let(add(node, self.answer))
        first = Op("==", low.Load(own, 1), low.Load(row, 1))
        return both(first, called(self.lo, is_same, {}, (own, row)))

    def add(self, place: Expr) -> Typed:
        w, lo = self.lo.w, self.lo
        name = w.fresh("added")
        w.set(name, ZERO)

        def make() -> None:
            w.set(name, Global(TOP))
            w.emit(low.SetGlobal(TOP, add(Global(TOP), self.size)))
            w.emit(low.Clear(Local(name), Num(self.answer)))
            w.emit(low.Copy(add(Local(name), self.answer), lo.option_row(place), Num(lo.memory.stride)))

        w.when(Op("<", Global(TOP), Num(self.tree + self.size * MOST_NODES)), make)
        return Typed(Local(name), Sort.RECORD, SearchNode)


def write_for_host(lo: Lowering, at: Places, chance: Expr) -> None:
    """Write the search for a host that has the question, and the generator, in its hands. `chance`: its address."""
    game = LowSearched(lo, chance)
    _write_begin(lo, at, game)
    _write_back(lo)
    if game.has_seldom:
        _write_seldom(lo)
    write_kernel(lo, iterate, ITERATE, game=game)
    with lo.function(SEARCH, ("iterations", "seat", "scale", "cut", "exploring"), exported=True) as w:

        def once(label: str) -> None:
            w.leave_if(Op(">=", Global(SEARCHED), Local("iterations")), label)
            w.emit(low.SetGlobal(SEARCHED, add(Global(SEARCHED), 1)))
            w.emit(low.SetGlobal(BULK, ONE))
            w.emit(low.SetGlobal(DRAWING, ZERO))
            w.call(ITERATE, *(Local(name) for name in ("seat", "scale", "cut", "exploring")))

        w.loop(once)
        w.give(called(lo, best, {"game": Known(game)}, ()))


def _write_begin(lo: Lowering, at: Places, game: LowSearched) -> None:
    with lo.function(SEARCH_ROOT, ("length", "count"), exported=True) as w:
        w.call(BEGIN, Local("length"))
        w.emit(low.SetGlobal(STASH, Num(at.stash)))
        w.emit(low.SetGlobal(COUNT, Local("count")))
        w.emit(low.SetGlobal(OPTIONS, Local("count")))
        w.emit(low.SetGlobal(ROWS, low.Call(KEEP_ROWS)))
        w.emit(low.SetGlobal(QUESTION, low.Call(KEEP)))
        w.emit(low.SetGlobal(UPPER, Global(STASH)))
        w.emit(low.Clear(game.root.expr, Num(game.answer)))
        w.emit(low.SetGlobal(TOP, Num(game.tree + game.size)))
        w.emit(low.SetGlobal(SEARCHED, ZERO))
        w.give(ZERO)


def _write_back(lo: Lowering) -> None:
    with lo.function(GO_BACK, ()) as w:
        w.emit(low.SetGlobal(STASH, Global(UPPER)))
        w.call(BACK, Global(QUESTION))
        w.call(BACK_ROWS, Global(ROWS), Global(OPTIONS))
        w.call(FRESH)
        w.give(ZERO)


def _write_seldom(lo: Lowering) -> None:
    with lo.function(SELDOM, ("place",)) as w:
        row = w.let(lo.option_row(Local("place")))
        for number, seldom in sorted(lo.seldom.items()):
            w.emit(low.If(Op("==", word(SITE), Num(number + 1)), (low.Return(is_rare(row, seldom)),)))
        w.give(ZERO)
