"""IR expressions as Python text.

A `Scope` writes one Python function: the text of expressions, and the lines that must stand before them. No text of a
ruleset goes into it: names are made from numbers, other values are literals or objects of the unit. What is read is in
`loads`, folds are in `folds`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from dsl import ir
from dsl.base.types import WORD_BITS, ListType, SetType, SparseType, bounds, width
from dsl.program import RV, SEATS, TIMED, WAIVE
from interpreter.backends.analysis.dataflow import SMALL_BODY
from interpreter.backends.python.emit.function import Names, atom, simple_arguments, truths
from interpreter.backends.python.emit.loads import Loads
from interpreter.core.words import SCALARS, members

SYMBOL = {"+": "+", "-": "-", "*": "*", "|": "|", "&": "&"}
CALLS = re.compile(r"\w\(|/|\w\[")  # what may fail
FEW_ITEMS = 3  # members that make a set without a call
LARGE_BODY, FEW_CALLS = 60, 2  # a larger function is written out where there are few calls of it
ANY_OF = {(">", 0): True, ("!=", 0): True, (">=", 1): True, ("==", 0): False, ("<", 1): False, ("<=", 0): False}
INLINE_DEPTH = 5  # functions written out inside each other


class Scope(Loads):
    """Writes expressions."""

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
            case ir.Compare(op, ir.Size("set", inner), ir.Const(int() as n)) if (op, n) in ANY_OF:
                return self.test(ir.Compare("!=" if ANY_OF[op, n] else "==", inner, ir.Const(0)))
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
            case ir.Compare("==" | "!=" as op, ir.Fold("set", ((slot, _),), body=body) as fold, ir.Const(0)) if (
                body in (None, ir.Temp(slot))
            ):
                found = replace(fold, kind="any", body=None)
                return found if op == "!=" else ir.Not(found)
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
        match e:
            case ir.Arith("&", ir.Cell(_, SetType() as t) as cell, ir.Const(int() as mask)) if (
                width(t) > 1 and mask > 0
            ):
                return f"({self.part(cell, t, mask)} & {self.constant(mask)})"
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
        return self.in_word(e) or self.in_mask(e)

    def in_word(self, e: ir.InSet) -> str | None:
        """Membership in a set of several words, by the word that the member lies in."""
        match e.set:
            case ir.Cell(address, SetType(elem) as t) if width(t) > 1:
                (low, high), (a, b) = bounds(elem), self.span(e.member)
                const, text = self.linear(address)
                member = self(e.member)
                if not low <= a <= b <= high or not atom(member):
                    return None
                if member.isdigit():
                    word, bit = divmod(int(member) - low, WORD_BITS)
                    return f"(S[{self.sum(const + word, text)}] >> {bit} & 1)"
                place = self.sum(-low, member)
                place = f"({place})" if low else place
                return f"(S[{self.sum(const, text)} + {place} // {WORD_BITS}] >> {place} % {WORD_BITS} & 1)"
        return None

    def in_mask(self, e: ir.InSet) -> str:
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
        if 1 < len(e.items) <= FEW_ITEMS and all(self.span(i)[0] >= 0 for i in e.items):
            return f"(({' | '.join(f'1 << {self(i)}' for i in e.items)}) & -2)"
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
            match e.map:
                case ir.FrameVar(type=SparseType() as t) | ir.Cell(type=SparseType() as t):
                    text, loaded = self(e.map), f"{self.unit.loader(t)}(S, "
                    if text.startswith(loaded):
                        return f"sparse_at(S, {text[len(loaded) : -1]}, {self(e.offset)})"
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
        if e.fn in facts.recursive_fns or e.fn in self.unit.memo.extents or self.inlined >= INLINE_DEPTH:
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

    def ByPlace(self, e: ir.ByPlace) -> str:
        return self(e.read)

    def Reach(self, e: ir.Reach) -> str:
        return self.unit.folds.reach(self, e)
