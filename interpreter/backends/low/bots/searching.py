"""A search bot, as `interpreter.bots.searching` defines it, with the same draws."""

from __future__ import annotations

from dsl.program import HEADER, SITE
from interpreter.backends.low.base.context import BULK, DRAWING, FRESH, GO, Lowering
from interpreter.backends.low.base.exported import BEGIN, COUNT, SEARCH, SEARCH_ROOT, SEARCHED, SP
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, scale, word
from interpreter.backends.low.base.memory import MOST_ROWS
from interpreter.backends.low.bots import standing
from interpreter.backends.low.bots.imagine import IMAGINE
from interpreter.backends.low.bots.looking import ASKED
from interpreter.backends.low.bots.standing import STANDING
from interpreter.backends.low.bots.stores import BACK, BACK_ROWS, KEEP, KEEP_ROWS, STASH, Places
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op
from interpreter.backends.low.generators.bot_numbers import BELOW
from interpreter.backends.low.rules.answers import TAKE
from interpreter.backends.low.trials.draw import is_rare
from interpreter.machine.growth import DEEPEST, KNOWN, LOG_BITS, LOGS, MOST_NODES, ROOTS

USUAL, CHILD, ADD, MARK, CHOSEN = "bot_usual", "bot_child", "bot_add", "bot_mark", "bot_chosen"
"""Functions: note which options are not seldom; the node of an answer, and a new one; a number for the position; note
the place and the node of the answer that is taken in the tree."""

TOP, KEPT_ROWS, KEPT_STORE, OPTIONS, UPPER = "search_top", "search_rows", "search_store", "search_count", "search_stash"
TAKEN, NODE = "search_taken", "search_node"
GLOBALS = (TOP, KEPT_ROWS, KEPT_STORE, OPTIONS, UPPER, TAKEN, NODE, SEARCHED)
NEXT, FIRST, VISITS, OFFERED, TOTAL, KEY, ANSWER = 0, 1, 2, 3, 4, 6, 8  # words of a node; the total is long
PRIME = 6364136223846793005


class _Places:
    """Where the tree lies, the way through it, the positions on it, and the options that are usual."""

    def __init__(self, lo: Lowering) -> None:
        room = lo.memory.room
        self.node = (ANSWER + lo.memory.stride + 1) & -2
        self.tree = room(self.node * MOST_NODES)
        self.path, self.marks = room(2 * DEEPEST), room(2 * (DEEPEST + 1))
        self.usual, self.fresh = room(MOST_ROWS), room(MOST_ROWS)
        self.logs, self.roots = lo.memory.words(LOGS), lo.memory.words(ROOTS)


def write_for_host(lo: Lowering, at: Places, chance: Expr) -> None:
    """Write the search for a host that has the question, and the generator, in its hands. `chance`: its address."""
    own = _Places(lo)
    shares = standing.write(lo)
    _write_usual(lo, own)
    _write_nodes(lo, own)
    _write_mark(lo)
    _write_chosen(lo, own, chance)
    _write_begin(lo, at, own)
    with lo.function(SEARCH, ("iterations", "seat", "scale", "cut", "exploring"), exported=True) as w:

        def once(label: str) -> None:
            w.leave_if(Op(">=", Global(SEARCHED), Local("iterations")), label)
            w.emit(low.SetGlobal(SEARCHED, add(Global(SEARCHED), 1)))
            _iterate(lo, own, shares, chance)

        w.loop(once)
        w.give(_best(lo, own))


def _write_begin(lo: Lowering, at: Places, own: _Places) -> None:
    with lo.function(SEARCH_ROOT, ("length", "count"), exported=True) as w:
        w.call(BEGIN, Local("length"))
        w.emit(low.SetGlobal(STASH, Num(at.stash)))
        w.emit(low.SetGlobal(COUNT, Local("count")))
        w.emit(low.SetGlobal(OPTIONS, Local("count")))
        w.emit(low.SetGlobal(KEPT_ROWS, low.Call(KEEP_ROWS)))
        w.emit(low.SetGlobal(KEPT_STORE, low.Call(KEEP)))
        w.emit(low.SetGlobal(UPPER, Global(STASH)))
        w.emit(low.Clear(Num(own.tree), Num(own.node)))
        w.emit(low.SetGlobal(TOP, Num(own.tree + own.node)))
        w.emit(low.SetGlobal(SEARCHED, ZERO))
        w.give(ZERO)


def _back_to_root(lo: Lowering) -> None:
    lo.w.emit(low.SetGlobal(STASH, Global(UPPER)))
    lo.w.call(BACK, Global(KEPT_STORE))
    lo.w.call(BACK_ROWS, Global(KEPT_ROWS), Global(OPTIONS))


def _key() -> Expr:
    return Op("|", Op("<<", word(SITE), Num(6)), low.Call(ASKED))


def _take(lo: Lowering, place: Expr) -> None:
    lo.w.call(FRESH)
    lo.w.call(GO, low.Call(TAKE, (place,)))


def _iterate(lo: Lowering, own: _Places, shares: int, chance: Expr) -> None:
    w = lo.w
    w.emit(low.SetGlobal(BULK, ONE))
    w.emit(low.SetGlobal(DRAWING, ZERO))
    _back_to_root(lo)
    w.call(IMAGINE, Local("seat"), chance)
    w.call(BACK_ROWS, Global(KEPT_ROWS), Global(OPTIONS))
    for name in ("depth", "passed", "repeating"):
        w.set(name, ZERO)
    w.set("node", Num(own.tree))
    w.emit(low.StoreLong(ZERO, own.marks, low.Call(MARK)))

    def down(label: str) -> None:
        w.leave_if(Op(">=", Local("passed"), Num(DEEPEST)), label)
        w.set("passed", add(Local("passed"), 1))
        w.leave_if(either(low.Not(word(SITE)), low.Not(Global(COUNT))), label)

        def forced() -> None:
            _take(lo, ZERO)
            w.emit(low.Again(label))

        w.when(both(Op("!=", Local("node"), Num(own.tree)), Op("==", Global(COUNT), ONE)), forced)
        key = w.let(_key(), "key")
        w.call(CHOSEN, Local("node"), key, Local("exploring"))
        w.set("child", Global(NODE))
        w.set("new", low.Not(Local("child")))
        row = lo.option_row(Global(TAKEN))
        w.when(Local("new"), lambda: w.set("child", low.Call(ADD, (Local("node"), row, key))))
        _take(lo, Global(TAKEN))
        w.leave_if(low.Not(Local("child")), label)
        mover = w.let(Op("&", key, Num(63)))
        w.store(scale(Local("depth"), 2), own.path, Local("child"))
        w.store(scale(Local("depth"), 2), own.path + 1, mover)
        w.set("depth", add(Local("depth"), 1))
        mark = w.let(low.Call(MARK))

        def same(n: Expr) -> None:
            w.emit(low.If(Op("==", low.LoadLong(scale(n, 2), own.marks), mark), (low.Set("repeating", mover),)))

        w.upto(ZERO, Local("depth"), same)
        w.leave_if(Local("repeating"), label)
        w.emit(low.StoreLong(scale(Local("depth"), 2), own.marks, mark))
        w.set("node", Local("child"))
        w.leave_if(Local("new"), label)

    w.loop(down)
    w.set("left", low.Choice(Local("repeating"), ZERO, Local("cut")))

    def play_on(label: str) -> None:
        w.leave_if(low.Not(both(Local("left"), both(word(SITE), Global(COUNT)))), label)
        w.set("left", add(Local("left"), -1))
        usual = w.let(low.Call(USUAL))
        _take(lo, w.let(low.Load(low.Call(BELOW, (chance, usual)), own.usual)))

    w.loop(play_on)
    w.call(STANDING, Local("scale"))

    def note(n: Expr) -> None:
        node, mover = (w.let(low.Load(scale(n, 2), own.path + k)) for k in (0, 1))
        w.store(node, VISITS, add(low.Load(node, VISITS), 1))
        gains = both(mover, Op("!=", mover, Local("repeating")))
        share = low.Choice(gains, low.Load(add(mover, -1), shares), ZERO)
        w.emit(low.StoreLong(node, TOTAL, Op("+", low.LoadLong(node, TOTAL), w.let(share))))

    w.upto(ZERO, Local("depth"), note)


def _best(lo: Lowering, own: _Places) -> Expr:
    """The place of the option at the root that was tried most."""
    w = lo.w
    _back_to_root(lo)
    w.call(FRESH)
    key = w.let(_key())
    w.call(USUAL)
    w.set("most", ZERO)
    w.set("top", ZERO)
    w.set("best", low.Load(ZERO, own.usual))

    def look(n: Expr) -> None:
        node = w.let(low.Call(CHILD, (Num(own.tree), w.let(lo.option_row(n)), key)))
        visits = w.let(low.Choice(node, low.Load(node, VISITS), ZERO))
        total = w.let(low.Choice(node, low.LoadLong(node, TOTAL), ZERO))

        def better() -> None:
            w.set("most", visits)
            w.set("top", total)
            w.set("best", n)

        alike = both(visits, both(Op("==", visits, Local("most")), Op(">", total, Local("top"))))
        w.when(either(Op(">", visits, Local("most")), alike), better)

    w.upto(ZERO, Global(COUNT), look)
    return Local("best")


def _write_usual(lo: Lowering, own: _Places) -> None:
    """Gives how many there are; all where all are seldom."""
    with lo.function(USUAL, ()) as w:
        w.set("found", ZERO)

        def put(n: Expr) -> None:
            w.store(Local("found"), own.usual, n)
            w.set("found", add(Local("found"), 1))

        def of_site(number: int, seldom: frozenset[int]) -> None:
            def one(n: Expr) -> None:
                w.when(low.Not(is_rare(w.let(lo.option_row(n)), seldom)), lambda: put(n))

            w.when(Op("==", word(SITE), Num(number + 1)), lambda: w.upto(ZERO, Global(COUNT), one))

        for number, seldom in sorted(lo.seldom.items()):
            of_site(number, seldom)
        w.when(low.Not(Local("found")), lambda: w.upto(ZERO, Global(COUNT), put))
        w.give(Local("found"))


def _write_nodes(lo: Lowering, own: _Places) -> None:
    with lo.function(CHILD, ("node", "row", "key")) as w:
        w.set("child", low.Load(Local("node"), FIRST))
        length = w.let(add(low.Load(Local("row"), 2), 3))

        def one(label: str) -> None:
            w.leave_if(low.Not(Local("child")), label)
            w.set("same", Op("==", low.Load(Local("child"), KEY), Local("key")))
            w.set("n", ZERO)

            def compare(inner: str) -> None:
                w.leave_if(either(low.Not(Local("same")), Op(">=", Local("n"), length)), inner)
                known = low.Load(add(Local("child"), Local("n")), ANSWER)
                w.set("same", Op("==", known, low.Load(add(Local("row"), Local("n")))))
                w.set("n", add(Local("n"), 1))

            w.loop(compare)
            w.leave_if(Local("same"), label)
            w.set("child", low.Load(Local("child"), NEXT))

        w.loop(one)
        w.give(Local("child"))
    with lo.function(ADD, ("node", "row", "key")) as w:
        child = w.let(Global(TOP))
        w.emit(low.If(Op(">=", child, Num(own.tree + own.node * MOST_NODES)), (low.Return(ZERO),)))
        w.emit(low.SetGlobal(TOP, add(child, own.node)))
        w.emit(low.Clear(child, Num(ANSWER)))
        w.store(child, NEXT, low.Load(Local("node"), FIRST))
        w.store(Local("node"), FIRST, child)
        w.store(child, KEY, Local("key"))
        w.emit(low.Copy(add(child, ANSWER), Local("row"), Num(lo.memory.stride)))
        w.give(child)


def _write_mark(lo: Lowering) -> None:
    """A number of 64 bits for all words behind the header."""
    with lo.function(MARK, ()) as w:
        w.set("mark", ZERO)

        def one(at: Expr) -> None:
            w.set("mark", Op("+", Op("*", Local("mark"), Num(PRIME)), low.Load(at)))

        w.upto(Num(HEADER), Global(SP), one)
        w.give(Local("mark"))


def _write_chosen(lo: Lowering, own: _Places, chance: Expr) -> None:
    with lo.function(CHOSEN, ("node", "key", "exploring")) as w:
        usual = w.let(low.Call(USUAL))
        for name in ("fresh", "take", "found"):
            w.set(name, ZERO)
        w.set("best", Num(-1))

        def capped(e: Expr) -> Expr:
            return low.Choice(Op("<", e, Num(KNOWN)), e, Num(KNOWN - 1))

        def look(k: Expr) -> None:
            n = w.let(low.Load(k, own.usual))
            child = w.let(low.Call(CHILD, (Local("node"), w.let(lo.option_row(n)), Local("key"))))

            def new() -> None:
                w.store(Local("fresh"), own.fresh, n)
                w.set("fresh", add(Local("fresh"), 1))

            def old() -> None:
                offered = w.let(add(low.Load(child, OFFERED), 1))
                w.store(child, OFFERED, offered)
                visits = w.let(low.Load(child, VISITS))
                visits = w.let(low.Choice(visits, visits, ONE))
                bonus = Op("*", low.Load(w.let(capped(offered)), own.logs), low.Load(w.let(capped(visits)), own.roots))
                mean = Op("/", low.LoadLong(child, TOTAL), visits)
                bonus = Op("/", Op("*", Op(">>", bonus, Num(LOG_BITS)), Local("exploring")), Num(100))
                value = w.let(Op("+", mean, bonus))

                def better() -> None:
                    w.set("best", value)
                    w.set("take", n)
                    w.set("found", child)

                w.when(Op(">", value, Local("best")), better)

            w.when(child, old, new)

        w.upto(ZERO, usual, look)

        def draw() -> None:
            w.set("take", low.Load(low.Call(BELOW, (chance, Local("fresh"))), own.fresh))
            w.set("found", ZERO)

        w.when(Local("fresh"), draw)
        w.emit(low.SetGlobal(TAKEN, Local("take")))
        w.emit(low.SetGlobal(NODE, Local("found")))
        w.give(ZERO)
