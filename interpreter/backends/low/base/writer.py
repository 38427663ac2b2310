"""Writes one function: statements in their order, fresh names for variables and labels, and the usual loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dsl.program import FP
from interpreter.backends.low.base.make import add, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Body, Expr, Local, Num, Op, Reason, Stmt

FRAME = "frame"  # the variable that holds the base of the running frame


class Writer:
    """A writer of the body of one low function. `out`: the statements of the body that is being written. `scratch`: how
    often scratch memory was asked for. `way_out`: the statement that leaves the function where a trial has ended; None:
    it goes on to its end."""

    def __init__(self) -> None:
        self.out: list[Stmt] = []
        self.names = 0
        self.reads_frame = False
        self.scratch = 0
        self.way_out: Stmt | None = None

    def fresh(self, stem: str = "x") -> str:
        """A name that is used nowhere else in the function."""
        self.names += 1
        return f"{stem}{self.names}"

    def frame(self) -> Expr:
        """The base of the running frame, which is read once where the function begins."""
        self.reads_frame = True
        return Local(FRAME)

    def body(self) -> Body:
        """The body of the function."""
        first = (low.Set(FRAME, word(FP)),) if self.reads_frame else ()
        return (*first, *self.out)

    # ------------------------------------------------------------ statements

    def emit(self, s: Stmt) -> None:
        self.out.append(s)

    def set(self, name: str, value: Expr) -> None:
        self.out.append(low.Set(name, value))

    def store(self, base: Expr, offset: int, value: Expr) -> None:
        if offset < 0:
            base, offset = add(base, offset), 0
        self.out.append(low.Store(base, offset, value))

    def put(self, at: int, value: Expr) -> None:
        """Write a word at a constant address."""
        self.out.append(low.Store(Num(0), at, value))

    def count(self, at: int, by: int = 1) -> None:
        """Add to a word at a constant address."""
        self.put(at, add(word(at), by))

    def let(self, value: Expr, stem: str = "x") -> Expr:
        """A value that is worked out here and may be read more than once."""
        if isinstance(value, Num):
            return value
        name = self.fresh(stem)
        self.set(name, value)
        return Local(name)

    def trap(self, reason: Reason) -> None:
        self.out.append(low.Trap(reason))

    def trap_if(self, test: Expr, reason: Reason) -> None:
        if isinstance(test, Num):
            if test.value:
                self.trap(reason)
            return
        self.out.append(low.If(test, (low.Trap(reason),)))

    def give(self, value: Expr) -> None:
        self.out.append(low.Return(value))

    def call(self, name: str, *args: Expr) -> None:
        self.out.append(low.Do(low.Call(name, args)))

    # ------------------------------------------------------------ bodies

    @contextmanager
    def inside(self) -> Iterator[list[Stmt]]:
        """Collect all that is written meanwhile in a list of its own, which it yields."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    def written(self, work: Callable[[], None]) -> Body:
        """The statements that `work` writes."""
        with self.inside() as body:
            work()
        return tuple(body)

    def when(self, test: Expr, then: Callable[[], None], orelse: Callable[[], None] | None = None) -> None:
        if isinstance(test, Num):
            chosen = then if test.value else orelse
            if chosen is not None:
                chosen()
            return
        self.out.append(low.If(test, self.written(then), self.written(orelse) if orelse is not None else ()))

    def block(self, work: Callable[[str], None]) -> None:
        """A block; `work` gets its label."""
        label = self.fresh("block")
        self.out.append(low.Block(label, self.written(lambda: work(label))))

    def loop(self, work: Callable[[str], None]) -> None:
        """A loop without an end; `work` gets its label."""
        label = self.fresh("loop")
        self.out.append(low.Loop(label, self.written(lambda: work(label))))

    def leave(self, label: str) -> None:
        self.out.append(low.Leave(label))

    def leave_if(self, test: Expr, label: str) -> None:
        self.out.append(low.If(test, (low.Leave(label),)))

    def upto(self, start: Expr, end: Expr, work: Callable[[Expr], None]) -> None:
        """Do `work` for the numbers from `start` to below `end`; it must not leave the loop."""
        n, end = self.fresh("n"), self.let(end)
        self.set(n, start)

        def one(label: str) -> None:
            self.leave_if(Op(">=", Local(n), end), label)
            work(Local(n))
            self.set(n, add(Local(n), 1))

        self.loop(one)

    def cases(self, value: Expr, rows: dict[int, Callable[[], None]]) -> None:
        """Do what stands at a number, and nothing else; another number traps."""
        if not rows:
            self.trap(Reason.LOST)
            return

        def all_rows(label: str) -> None:
            bodies = []
            for number, work in sorted(rows.items()):
                bodies.append((number, (*self.written(work), low.Leave(label))))
            self.out.append(low.Table(value, tuple(bodies)))

        self.block(all_rows)
