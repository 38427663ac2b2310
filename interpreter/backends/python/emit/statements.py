"""IR statements as lines of Python in the function of a `Scope`.

Common statements are written out; others, and the rare cases of common ones, call the functions that the reference
calls. Temps are Python variables of the function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import WORD_BITS, IntType, ListType, SetType, Type, bounds, width
from dsl.program import RV, STEPS
from interpreter.backends.analysis.dataflow import flow, free, walk
from interpreter.backends.python.emit.function import ANY, Range, keeps
from interpreter.backends.python.emit.loads import FEW_WORDS
from interpreter.backends.python.emit.transfers import Pieces
from interpreter.core.words import SCALARS

SETTLING = ir.having("settles")
KNOWN_LIST = re.compile(r"\((\d+, )+\)")  # the text of a list of numbers


class Statements(Pieces):
    """Writes the body of a procedure or of an instruction. `leave`: the lines that end the function early."""

    steps = f"S[{STEPS}]"  # the word that counts work
    loops_open = 0
    nested = 0  # statements open around what is written

    def leave(self) -> None:
        self.line("return")

    def body(self, body: Sequence[ir.Stmt]) -> None:
        for s in body:
            write: Callable[[Any], None] = getattr(self, f"do_{type(s).__name__}")
            write(s)

    def block(self, body: Sequence[ir.Stmt]) -> None:
        """An indented block; nothing that is known inside is known behind it."""
        with self.inside():
            self.line.depth += 1
            self.line("pass")
            self.nested += 1
            self.body(body)
            self.nested -= 1
        self.forget(body)

    def forget(self, body: Sequence[ir.Stmt]) -> None:
        """Statements that may run change what is known."""
        for slot in frame_slots(body):
            self.names.frame.pop(slot, None)
        _, _, may = flow(body)
        for slot in may:
            self.names.temps[slot] = f"t{slot}"
            self.names.known.pop(slot, None)
            self.names.ranges.pop(slot, None)

    def by_call(self, s: ir.Stmt) -> None:
        """A statement that the reference carries out."""
        self.settle()
        pairs = "".join(f"({slot}, {self.temp(slot)})," for slot in sorted(free(s)))
        self.unit.by_reference.add(type(s).__name__)
        self.line(f"do({self.unit.object(s)}, ({pairs}))")

    do_Defer = do_Timed = do_Pay = do_Forget = by_call

    # ------------------------------------------------------------ variables and fields

    def assign(self, slot: int, text: str, span: Range = ANY) -> None:
        name = f"t{slot}"
        self.names.temps[slot], self.names.ranges[slot] = name, span
        self.names.known.pop(slot, None)
        if text != name:
            self.line(f"{name} = {text}")

    def do_SetTemp(self, s: ir.SetTemp) -> None:
        span = self.span(s.value)
        self.assign(s.slot, self(s.value), span)

    def do_SetFrame(self, s: ir.SetFrame) -> None:
        text = self.within(s.type, s.value, "a local", None)
        if s.offset is not None:
            self.settle()
            self.put(f"{self.frame_at(s.slot)} + {self(s.offset)}", s.type, text, "a local", None)
            for slot in frame_slots((s,)):
                self.names.frame.pop(slot, None)
            return
        if not keeps(s.type):
            self.put(self.frame_at(s.slot), s.type, text, "a local", None)
            self.names.frame.pop(s.slot, None)
            return
        self.keep(s.slot, s.type, self.hold(text, "f"))

    def keep(self, slot: int, t: Type, text: str) -> None:
        """Set a frame variable to what a Python variable holds."""
        self.put(self.frame_at(slot), t, text, "a local", None)
        self.names.frame[slot] = text

    def do_Store(self, s: ir.Store) -> None:
        at = self.address(s.address)
        if not at.isdigit() and not (type(s.type) in SCALARS and self.provable(s)):
            at = self.hold(at, "a")
        what = f"`{s.symbol}`"
        self.put(at, s.type, self.within(s.type, s.value, what, s.span), what, s.span)

    def provable(self, s: ir.Store) -> bool:
        return not isinstance(s.type, IntType) or self.proven(s.type, s.value)

    def proven(self, t: IntType, value: ir.Expr) -> bool:
        low, high = self.span(value)
        return t.low <= low and high <= t.high

    def within(self, t: Type, value: ir.Expr, what: str, span: Any) -> str:
        """The value, tested against the bounds of its type where they are not certain."""
        if not isinstance(t, IntType) or self.proven(t, value):
            return self(value)
        name = self.hold(self(value), "v")
        low, high = self.span(value)
        tests = ([f"{name} < {t.low}"] if low < t.low else []) + ([f"{name} > {t.high}"] if high > t.high else [])
        self.line(f"if {' or '.join(tests)}: raise outside({self.unit.object((t, what, span))}, {name})")
        return name

    def put(self, at: str, t: Type, text: str, what: str, span: Any) -> None:
        if type(t) in SCALARS:
            self.line(f"S[{at}] = {text}")
        elif isinstance(t, SetType) and width(t) == 1:
            low = bounds(t.elem)[0]
            self.line(f"S[{at}] = {text} >> {low}" if low else f"S[{at}] = {text}")
        elif isinstance(t, SetType) and width(t) <= FEW_WORDS:
            low, at = bounds(t.elem)[0], self.hold(at, "a")
            x = self.hold(f"{text} >> {low}" if low else text)
            for k in range(width(t)):
                shifted = f"{x} >> {k * WORD_BITS}" if k else x
                self.line(f"S[{self.sum(k, at)}] = {shifted} & {(1 << WORD_BITS) - 1}")
        elif isinstance(t, SetType):
            self.line(f"{self.unit.saver(t)}(S, {at}, {text})")
        elif isinstance(t, ListType) and type(t.elem) in SCALARS and (n := known_list(text)) and n <= t.cap:
            at = self.hold(at, "a")
            self.line(f"S[{at}:{self.sum(t.cap + 1, at)}] = ({n}, {text[1:-1]}{'0, ' * (t.cap - n)})")
        elif isinstance(t, ListType) and type(t.elem) in SCALARS:
            x = self.hold(text)
            self.line(f"if len({x}) > {t.cap}: put(S, {at}, {self.unit.object((t, what, span))}, {x})")
            at = self.hold(at, "a")
            self.line(f"S[{at}:{at} + {t.cap + 1}] = [len({x}), *{x}, *{self.unit.zeros(t.cap)}[len({x}):]]")
        else:
            self.line(f"put(S, {at}, {self.unit.object((t, what, span))}, {text})")

    # ------------------------------------------------------------ things

    def do_MoveThing(self, s: ir.MoveThing) -> None:
        certain = self.span(s.thing)[0] > 0
        thing = self.hold(self(s.thing), "a")
        with self.inside():
            if not certain:
                self.line(f"if {thing}:")
                self.line.depth += 1
            self.unit.moves.write(self, s, thing)

    def do_Show(self, s: ir.Show) -> None:
        if self.unit.program.known_base:
            self.unit.moves.show(self, s)

    # ------------------------------------------------------------ control

    def do_IfS(self, s: ir.IfS) -> None:
        test = self.test(s.test)
        self.settle_for(s.then, s.orelse)
        self.known_on_both_sides(s.then, s.orelse)
        self.line(f"if {test}:")
        self.block(s.then)
        if s.orelse:
            self.line("else:")
            self.block(s.orelse)

    def known_on_both_sides(self, *bodies: Sequence[ir.Stmt]) -> None:
        """Temps that only one side may assign stand in their own variable behind both."""
        for slot in set().union(*(flow(body)[2] for body in bodies)):
            found = self.names.temps.get(slot)
            if found is not None and found != f"t{slot}":
                self.assign(slot, found)

    def settle_for(self, *bodies: Sequence[ir.Stmt]) -> None:
        """Before statements that may or may not run: what they need of the store is written first."""
        if any(isinstance(n, SETTLING) for n in walk(bodies)):
            self.settle()

    def do_While(self, s: ir.While) -> None:
        self.settle()
        self.forget_in_loop(s.body)
        self.line("while True:")
        with self.inside():
            self.line.depth += 1
            self.line(f"if not {self.test(s.test)}: break")
            self.line(f"{self.steps} += 1")
            self.line(f"if {self.steps} > {self.unit.limit}: raise endless({self.unit.object(s.span)})")
            self.in_loop(s.body)
        self.forget(s.body)

    def do_For(self, s: ir.For) -> None:
        self.settle_for(s.body)
        self.forget_in_loop(s.body)
        with self.inside():
            before = self.line.depth
            frozen = self.frozen(s.domain, s.body)
            if frozen is not None:
                source, span = frozen
                self.line(f"for t{s.slot} in {source}:")
                self.line.depth += 1
            else:
                source, span = self.unit.folds.source(self, s.domain)
                self.line(f"for t{s.slot} in {source}:")
                self.line.depth += 1
            self.names.temps[s.slot], self.names.ranges[s.slot] = f"t{s.slot}", span
            self.names.known.pop(s.slot, None)
            self.in_loop(s.body)
            self.line.depth = before
        self.forget(s.body)

    def frozen(self, d: ir.Domain, body: Sequence[ir.Stmt]) -> tuple[str, Range] | None:
        """The members of a chosen set as a list, made before the loop."""
        if d.kind != "set":
            return None
        folds = self.unit.folds
        chosen = folds.choice(self, d.a)
        if chosen is None:
            return None
        x = self.fresh()
        self.line(f"{x} = []")
        with self.inside():
            slot = -1
            folds.over(self, slot, d)
            self.line(f"{x}.append({self.temp(slot)})")
            span = self.names.ranges.get(slot, ANY)
        return x, span

    def forget_in_loop(self, body: Sequence[ir.Stmt]) -> None:
        """What a loop changes is not known at its beginning."""
        for slot in frame_slots(body):
            self.names.frame.pop(slot, None)
        reads, _, may = flow(body)
        for slot in may:
            found = self.names.temps.get(slot)
            if found is not None and found != f"t{slot}":
                self.line(f"t{slot} = {found}")
            self.names.temps.pop(slot, None) if found is None else self.names.temps.update({slot: f"t{slot}"})
            self.names.known.pop(slot, None)
            self.names.ranges.pop(slot, None)

    def in_loop(self, body: Sequence[ir.Stmt]) -> None:
        self.loops_open += 1
        self.nested += 1
        self.line("pass")
        self.body(body)
        self.nested -= 1
        self.loops_open -= 1

    def do_Break(self, s: ir.Break) -> None:
        self.line("break") if self.loops_open else self.leave()

    def do_Continue(self, s: ir.Continue) -> None:
        self.line("continue") if self.loops_open else self.leave()

    def do_Return(self, s: ir.Return) -> None:
        if s.value is not None:
            self.line(f"S[{RV}] = {self(s.value)}")
        self.leave()

    def do_CallS(self, s: ir.CallS) -> None:
        args = [self(a) for a in s.args]
        name = self.unit.procedure(s.proc)
        self.settle()
        if name is None:
            self.line(f"call({s.proc}, [{', '.join(args)}])")
        else:
            self.line(f"{name}({', '.join(['S', *args])})")
        if self.unit.facts.plain_frames:
            self.names.frame.clear()

    def do_Require(self, s: ir.Require) -> None:
        g = s.guard
        self.settle()
        small = self.unit.object((g.reason or g.text, g.span, g.cites))
        self.line(f"if not {self.test(g.test)}: raise required({small})")

    def do_Together(self, s: ir.Together) -> None:
        self.line(f"{'checked_together' if self.unit.checked else 'together'}({self.unit.object(s)})")

    def do_AtomicEnd(self, s: ir.AtomicEnd) -> None:
        if self.unit.checked and s.symbols:
            self.line(f"atomic_end({self.unit.object(s)})")

    def do_Note(self, s: ir.Note) -> None:
        """Only traces hear of it."""


def known_list(text: str) -> int:
    """How many numbers a text lists; 0: it is no list of numbers."""
    return text.count(",") if KNOWN_LIST.fullmatch(text) else 0


def frame_slots(body: Sequence[ir.Stmt]) -> Iterator[int]:
    """The frame variables that statements may write."""
    for s in walk(tuple(body)):
        if isinstance(s, ir.SetFrame):
            if s.offset is None:
                yield s.slot
            else:
                yield from range(s.slot, s.slot + 4096)


def writable(body: Sequence[ir.Stmt]) -> bool:
    """Whether all statements of a body are of known kinds."""
    for s in body:
        if not isinstance(s, ir.STATEMENTS):
            return False
        inner = [getattr(s, name, ()) for name in ("then", "orelse", "body")]
        if not all(writable(part) for part in inner if isinstance(part, tuple)):
            return False
    return True


def returns_early(body: Sequence[ir.Stmt]) -> bool:
    """Whether the body of an instruction may be left before its end."""
    for s in body:
        match s:
            case ir.Return() | ir.Break() | ir.Continue():
                return True
            case ir.IfS(_, then, orelse):
                if returns_early(then) or returns_early(orelse):
                    return True
            case ir.While(body=inner) | ir.For(body=inner):
                if any(isinstance(n, ir.Return) for n in walk(inner)):
                    return True
    return False
