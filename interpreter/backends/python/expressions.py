"""IR expressions as Python text.

A `Scope` writes one Python function: the text of expressions, and the lines that must stand before them. No text of a
ruleset goes into it: names are made from numbers, other values are literals or objects of the unit. Folds are in
`folds`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dsl import ir
from dsl.program import FP, FRAME_LINK, RV, SEATS, TIMED, WAIVE
from dsl.types import (
    WORD_BITS,
    ListType,
    MapType,
    SetType,
    Type,
    bounds,
    width,
)
from interpreter.backends.facts import SMALL_BODY, free, walk
from interpreter.backends.python.names import Base, Names, atom, keeps, simple_arguments, truths
from interpreter.store import SCALARS, members

if TYPE_CHECKING:
    pass

SYMBOL = {"+": "+", "-": "-", "*": "*", "|": "|", "&": "&"}
FEW_WORDS = 3  # words of a set that are read and written one by one
CALLS = re.compile(r"\w\(|/|\w\[")  # what may fail
FEW_KEYS = 64  # of a table by ranges that becomes a dictionary
FEW_CELLS = 3  # cells that are added one by one
LARGE_BODY, FEW_CALLS = 60, 2  # a larger function is written out where there are few calls of it
ANY_OF = {(">", 0): True, ("!=", 0): True, (">=", 1): True, ("==", 0): False, ("<", 1): False, ("<=", 0): False}
INLINE_DEPTH = 5  # functions written out inside each other


class Scope(Base):
    """Writes expressions."""

    def ready(self, parts: Sequence[ir.Expr]) -> None:
        """Read the frame variables of what is evaluated many times, once."""
        for n in walk(tuple(parts)):
            if isinstance(n, ir.FrameVar) and keeps(n.type):
                self.FrameVar(n)

    def __call__(self, e: ir.Expr) -> str:
        write: Callable[[Any], str] = getattr(self, type(e).__name__, self.by_reference)
        return write(e)

    def by_reference(self, e: ir.Expr) -> str:
        """A node that the reference reads, with the temps that it needs."""
        self.settle()
        pairs = "".join(f"({slot}, {self.temp(slot)})," for slot in sorted(free(e)))
        self.unit.by_reference.add(type(e).__name__)
        return f"see({self.unit.object(e)}, ({pairs}))"

    # ------------------------------------------------------------ loads

    def Const(self, e: ir.Const) -> str:
        return self.constant(e.value)

    def Temp(self, e: ir.Temp) -> str:
        return self.temp(e.slot)

    def base(self) -> str:
        """The address of the running frame's variables."""
        if self.frame is None:
            self.frame = "B"
            self.line.text.insert(0, f" B = S[{FP}] + {FRAME_LINK}")
            for loop in self.open_loops:
                loop.line += 1
        return self.frame

    def frame_at(self, slot: int) -> str:
        return f"{self.base()} + {slot}" if slot else self.base()

    def load(self, address: str, t: Type) -> str:
        if type(t) in SCALARS:
            return f"S[{address}]"
        if isinstance(t, SetType) and width(t) == 1:
            low = bounds(t.elem)[0]
            return f"(S[{address}] << {low})" if low else f"S[{address}]"
        if isinstance(t, SetType) and width(t) <= FEW_WORDS and self.sure:
            at, low = self.hold(address, "a"), bounds(t.elem)[0]
            words = [f"S[{self.sum(k, at)}]" + (f" << {k * WORD_BITS}" if k else "") for k in range(width(t))]
            text = f"({' | '.join(words)})"
            return f"({text} << {low})" if low else text
        if isinstance(t, MapType) and type(t.value) in SCALARS and address.isdigit():
            return f"tuple(S[{address}:{int(address) + width(t)}])"
        if isinstance(t, ListType) and type(t.elem) in SCALARS and address.isdigit():
            return f"tuple(S[{int(address) + 1}:{int(address) + 1} + S[{address}]])"
        return f"{self.unit.loader(t)}(S, {address})"

    def FrameVar(self, e: ir.FrameVar) -> str:
        found = self.names.frame.get(e.slot)
        if found is None:
            if not keeps(e.type):
                return self.load(self.frame_at(e.slot), e.type)
            found = self.names.frame[e.slot] = self.hold(self.load(self.frame_at(e.slot), e.type), "f")
        return found

    def FrameItem(self, e: ir.FrameItem) -> str:
        self.settle()
        return self.load(f"{self.frame_at(e.slot)} + {self(e.offset)}", e.type)

    def Cell(self, e: ir.Cell) -> str:
        if self.cells and isinstance(e.address, ir.Linear) and type(e.type) in SCALARS:
            for term, stride in e.address.terms:
                if stride > 0 and isinstance(term, ir.Temp):
                    others = tuple(t for t in e.address.terms if t[0] != term)
                    found = self.cells.get((self.temp(term.slot), e.address.const, stride, others))
                    if found is not None:
                        return found
        return self.load(self.address(e.address), e.type)

    def address(self, e: ir.Expr) -> str:
        """An address as it stands in brackets."""
        text = self(e)
        return text[1:-1] if isinstance(e, ir.Linear) and text.startswith("(") else text

    def CellSum(self, e: ir.CellSum) -> str:
        size = e.count * e.stride
        const, text = self.linear(e.address)
        if self.sure and text and not text.isidentifier() and e.count > 1:
            text = self.hold(text)
        if e.count <= FEW_CELLS and not (text and "(" in text):
            cells = [self.sum(const + k * e.stride, text) for k in range(e.count)]
            return "(" + " + ".join(f"S[{at}]" for at in cells) + ")"
        if text and not text.isidentifier():
            if not self.sure:
                return f"cells(S, {self(e.address)}, {e.count}, {e.stride})"
            text = self.hold(text)
        step = f":{e.stride}" if e.stride > 1 else ""
        return f"sum(S[{self.sum(const, text)}:{self.sum(const + size, text)}{step}])"

    def sum(self, const: int, text: str) -> str:
        if not text:
            return str(const)
        if text.isdigit():
            return str(int(text) + const)
        return f"{text} + {const}" if const > 0 else f"{text} - {-const}" if const else text

    def linear(self, e: ir.Expr) -> tuple[int, str]:
        """An address as a number and the text that is added to it."""
        if isinstance(e, ir.Const):
            return e.value, ""
        if not isinstance(e, ir.Linear):
            return 0, self(e)
        const, parts = e.const, []
        for term, stride in e.terms:
            if isinstance(term, ir.Const):
                const += term.value * stride
            elif isinstance(term, ir.Temp) and term.slot in self.names.known:
                const += self.names.known[term.slot] * stride
            elif isinstance(term, ir.Linear):
                more, text = self.linear(term)
                const += more * stride
                if text:
                    parts.append(text if stride == 1 else f"({text}) * {stride}")
            else:
                parts.append(self(term) if stride == 1 else f"{self(term)} * {stride}")
        return const, " + ".join(parts)

    def Linear(self, e: ir.Linear) -> str:
        const, text = self.linear(e)
        if not text:
            return self.constant(const)
        found = self.sum(const, text)
        return found if found.isidentifier() else f"({found})"

    def TableGet(self, e: ir.TableGet) -> str:
        text = self.unit.item(self, e.table, e.offset, False)
        return self.lift(text) if text.startswith("P_") else text

    def RangeTable(self, e: ir.RangeTable) -> str:
        """The first row that a key lies in, else the last."""
        size = sum(high - low + 1 for low, high, _ in e.rows)
        if size > FEW_KEYS or any(type(value) is not int for _, _, value in e.rows):
            return f"lookup({self.unit.literal(e.rows)}, {self(e.key)})"
        found: dict[int, int] = {}
        for low, high, value in e.rows:
            for key in range(low, high + 1):
                found.setdefault(key, value)
        return f"{self.unit.head(repr(found), 'D')}.get({self(e.key)}, {e.rows[-1][2]})"

    # ------------------------------------------------------------ logic and numbers

    def Not(self, e: ir.Not) -> str:
        return f"(0 if {self.test(e.operand)} else 1)"

    def test(self, e: ir.Expr) -> str:
        """A condition where only its truth counts."""
        e = self.simple_test(e)
        match e:
            case ir.And(items):
                return self.joined(items, " and ", "True")
            case ir.Or(items):
                return self.joined(items, " or ", "False")
            case ir.Not(operand):
                return f"(not {self.test(operand)})"
            case ir.Compare("==" | "!=" as op, left, ir.Const(0)) if found := self.unit.folds.has_members(self, left):
                return f"(not {found})" if op == "==" else found
            case ir.Compare(op, left, right):
                return f"({self(left)} {op} {self(right)})"
            case ir.CallFn():
                return self.call(e, self.test)
            case ir.Fold(kind="any" | "every"):
                return self.unit.folds.test(self, e)
            case ir.InSet():
                return self.in_set(e)
            case ir.If(test, then, orelse) if truths(then) and truths(orelse):
                text = self.test(test)
                with self.lazily():
                    return f"({self.test(then)} if {text} else {self.test(orelse)})"
        return self(e)

    def simple_test(self, e: ir.Expr) -> ir.Expr:
        """The same condition in fewer words: a value that is not 0 under a condition, and 0 else, is 0 without it."""
        match e:
            case ir.Compare("==" | "!=" as op, ir.If(test, then, ir.Const(0)), ir.Const(0)) if self.span(then)[0] > 0:
                return ir.Not(test) if op == "==" else test
            case ir.Not(ir.Not(inner)):
                return self.simple_test(inner)
            case ir.Compare(op, ir.Fold(kind="count", body=None) as fold, ir.Const(int() as n)) if (op, n) in ANY_OF:
                found = replace(fold, kind="any")
                return found if ANY_OF[op, n] else ir.Not(found)
            case ir.Not(ir.Compare("==" | "!=" as op, left, right)):
                return self.simple_test(ir.Compare("!=" if op == "==" else "==", left, right))
        return e

    def joined(self, items: Sequence[ir.Expr], word: str, none: str) -> str:
        if not items:
            return none
        first = self.test(items[0])
        with self.lazily():
            return "(" + word.join([first, *(self.test(i) for i in items[1:])]) + ")"

    def And(self, e: ir.And) -> str:
        return f"(1 if {self.test(e)} else 0)"

    def Or(self, e: ir.Or) -> str:
        return f"(1 if {self.test(e)} else 0)"

    def Compare(self, e: ir.Compare) -> str:
        return f"(1 if {self.test(e)} else 0)"

    def If(self, e: ir.If) -> str:
        known = self.decided(e.test)
        if known is not None:
            return self(e.then if known else e.orelse)
        test = self.test(e.test)
        with self.lazily():
            text = f"({self(e.then)} if {test} else {self(e.orelse)})"
        return self.lift(text) if text.count("(") == 2 and not CALLS.search(text) else text

    def Arith(self, e: ir.Arith) -> str:
        left, right = self(e.left), self(e.right)
        match e.op:
            case "min" | "max":
                (a, b), (c, d) = self.span(e.left), self.span(e.right)
                if isinstance(e.right, ir.Const) and (a >= d if e.op == "max" else b <= c):
                    return left
                if atom(left) and atom(right):
                    return f"({left} if {left} {'<' if e.op == 'min' else '>'} {right} else {right})"
                return f"{e.op}({left}, {right})"
            case "div_up" | "div_down":
                if isinstance(e.right, ir.Const) and e.right.value != 0:
                    return f"({left} // {right})" if e.op == "div_down" else f"(-(-{left} // {right}))"
                return f"{e.op}({left}, {right})"
            case "&~":
                return f"({left} & ~{right})"
            case "half_up":
                return f"(({left} + 1) // 2)"
            case "half_down":
                return f"({left} // 2)"
        return f"({left} {SYMBOL[e.op]} {right})"

    # ------------------------------------------------------------ sets, lists, maps

    def InSet(self, e: ir.InSet) -> str:
        member, mask = self(e.member), self(e.set)
        if self.span(e.member)[0] >= 0:
            return f"({mask} >> {member} & 1)"
        if atom(member):
            return f"({mask} >> {member} & 1 if {member} >= 0 else 0)"
        return f"has({mask}, {member})"

    def in_set(self, e: ir.InSet) -> str:
        """Membership as a condition: a test of the members where the set is a choice of them."""
        return self.unit.folds.chosen(self, e) or self.InSet(e)

    def Subset(self, e: ir.Subset) -> str:
        return f"(0 if {self(e.left)} & ~{self(e.right)} else 1)"

    def InList(self, e: ir.InList) -> str:
        return f"in_list({self(e.member)}, {self(e.list)})"

    def MakeSet(self, e: ir.MakeSet) -> str:
        if len(e.items) == 1 and self.span(e.items[0])[0] >= 0:
            none = "" if self.span(e.items[0])[0] > 0 else " & -2"
            return f"(1 << {self(e.items[0])}{none})"
        return f"to_mask(({', '.join(self(i) for i in e.items)},))" if e.items else "0"

    def RangeSet(self, e: ir.RangeSet) -> str:
        match e:
            case ir.RangeSet(ir.Const(1), ir.Cell(ir.Const(at))) if at == SEATS:
                return f"((2 << S[{SEATS}]) - 2)"
        return f"range_set({self(e.low)}, {self(e.high)})"

    def Size(self, e: ir.Size) -> str:
        if e.kind == "set" and isinstance(e.operand, ir.Const):
            return str(e.operand.value.bit_count())
        if e.kind == "list":
            match e.operand:
                case ir.Cell(address, ListType()):
                    return f"S[{self.address(address)}]"
                case ir.FrameVar(slot, ListType()):
                    return f"S[{self.frame_at(slot)}]"
        if e.kind == "set":
            found = self.unit.folds.number_of_members(self, e.operand)
            return found or f"({self(e.operand)}).bit_count()"
        return f"{'len' if e.kind == 'list' else 'total'}({self(e.operand)})"

    def ListItem(self, e: ir.ListItem) -> str:
        match e.list:
            case ir.FrameVar(slot, ListType(elem, _)) if type(elem) in SCALARS:
                if not self.sure:
                    return f"item_at(S, {self.frame_at(slot)}, {self(e.index)})"
                at, index = self.frame_at(slot), self.hold(self(e.index))
                self.line(f"if not 1 <= {index} <= S[{at}]: raise bad_item(S, {at}, {index})")
                return f"S[{at} + {index}]"
            case ir.Cell(address, ListType(elem, _)) if type(elem) in SCALARS:
                return f"item_at(S, {self.address(address)}, {self(e.index)})"
        return f"list_item({self(e.list)}, {self(e.index)})"

    def ListOp(self, e: ir.ListOp) -> str:
        match e:
            case ir.ListOp("front", (ir.Cell(ir.Const(int() as at), ListType(elem, cap)),)) if (
                type(elem) in SCALARS and cap
            ):
                return f"(S[{at + 1}] if S[{at}] else 0)"
            case ir.ListOp("front", (items,)) if self.sure:
                x = self.hold(self(items))
                return f"({x}[0] if {x} else 0)"
            case ir.ListOp("to_list", (ir.Const(int() as mask),)):
                return self.constant(members(mask))
            case ir.ListOp("to_list", (ir.RangeSet(low, high),)):
                return f"tuple(range({self(low)}, {self.sum(1, self(high))}))"
        return f"list_{e.op}({', '.join(self(a) for a in e.args)})"

    def MapItem(self, e: ir.MapItem) -> str:
        if e.sparse:
            return f"sparse_item({self(e.map)}, {self(e.offset)})"
        return f"{self(e.map)}[{self.address(e.offset)}]"

    def MapWith(self, e: ir.MapWith) -> str:
        return f"map_with({self(e.map)}, {self(e.offset)}, {self(e.value)})"

    # ------------------------------------------------------------ what runs

    def Running(self, e: ir.Running) -> str:
        self.settle()
        return f"(1 if innermost(S, {self.unit.literal(tuple(e.procs))}) else 0)"

    def Waived(self, e: ir.Waived) -> str:
        return f"(S[{WAIVE}] and S[{WAIVE}] >> {self(e.cause)} & 1)"

    def LastResult(self, e: ir.LastResult) -> str:
        return f"S[{RV}]"

    def TimedActive(self, e: ir.TimedActive) -> str:
        return f"({self.by_reference(e)} if S[{TIMED}] else 0)" if self.unit.facts.timed else "0"

    def TimedFold(self, e: ir.TimedFold) -> str:
        none = "()" if e.op == "list" else "0"
        with self.lazily():
            base = self(e.base) if e.base is not None and e.op != "list" else none
            return f"({self.by_reference(e)} if S[{TIMED}] else {base})" if self.unit.facts.timed else base

    # ------------------------------------------------------------ calls

    def CallFn(self, e: ir.CallFn) -> str:
        return self.call(e, self)

    def call(self, e: ir.CallFn, write: Callable[[ir.Expr], str]) -> str:
        fn = self.unit.program.functions[e.fn]
        if self.writes_out(e):
            with self.inlining(fn, e.args):
                return write(fn.body)
        if self.unit.facts.running:
            self.settle()
        return f"{self.unit.function(e.fn)}({', '.join(['S', *(self(a) for a in e.args)])})"

    def writes_out(self, e: ir.CallFn) -> bool:
        """Whether a function is written out where it is called."""
        facts, fn = self.unit.facts, self.unit.program.functions[e.fn]
        if e.fn in facts.recursive_fns or self.inlined >= INLINE_DEPTH:
            return False
        if facts.sizes[e.fn] > SMALL_BODY and (facts.calls[e.fn] > FEW_CALLS or facts.sizes[e.fn] > LARGE_BODY):
            return False
        return self.sure or simple_arguments(e) or not fn.params

    @contextmanager
    def inlining(self, fn: ir.Function, args: Sequence[ir.Expr]) -> Iterator[None]:
        """The body of a function with these arguments; inside, its parameters have names."""
        spans = [self.span(a) for a in args]
        texts = [self(a) for a in args]
        texts = [text if atom(text) else self.hold(text) for text in texts]
        before = self.names
        self.names = Names({}, {}, {}, before.frame)
        for slot, (arg, text, span) in enumerate(zip(args, texts, spans, strict=True)):
            self.names.temps[slot], self.names.ranges[slot] = text, span
            if isinstance(arg, ir.Const) and type(arg.value) is int:
                self.names.known[slot] = arg.value
            elif isinstance(arg, ir.Temp) and arg.slot in before.known:
                self.names.known[slot] = before.known[arg.slot]
        self.inlined += 1
        yield
        self.inlined -= 1
        self.names = before

    def Let(self, e: ir.Let) -> str:
        if self.sure:
            value, span = self.hold(self(e.value)), self.span(e.value)
            before = self.names.copy()
            self.names.temps[e.slot], self.names.ranges[e.slot] = value, span
            self.names.known.pop(e.slot, None)
            text = self(e.body)
            self.names = Names(before.temps, before.known, before.ranges, self.names.frame)
            return text
        return self.unit.folds.apart(self, e)

    def Fold(self, e: ir.Fold) -> str:
        return self.unit.folds.text(self, e)

    def Reach(self, e: ir.Reach) -> str:
        return self.unit.folds.reach(self, e)
