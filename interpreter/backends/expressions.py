"""IR expressions as Python source.

`Writer` turns one expression into the text of a Python expression over the store `S` and the temps `T` of the running
activation;
binders of folds become local names of comprehensions. No text of a ruleset goes into it: names are made from numbers,
values that
are not small ints are handed over as objects. What it can not say (`Unsupported`) stays with the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsl import ir
from dsl.program import FP, FRAME_LINK
from dsl.types import SetType, Type, bounds, width
from interpreter.store import SCALARS

SYMBOL = {"+": "+", "-": "-", "*": "*", "|": "|", "&": "&", "div_down": "//"}


class Unsupported(Exception):
    """A node that needs the machine itself: plans, purses, frames."""



class Writer:
    """Writes expressions; `constants` are the objects that the text refers to as `K<n>`, `call` gives the name of a
    function."""

    def __init__(
        self, call: Callable[[int], str], constants: dict[str, Any], names: dict[int, str] | None = None
    ) -> None:
        self.call = call
        self.constants = constants
        self.names = dict(names or {})  # temp slot -> local name; other temps are read from T

    def constant(self, value: Any) -> str:
        if type(value) is int and abs(value) < 1 << 62:
            return f"({value})" if value < 0 else str(value)
        name = f"K{len(self.constants)}"
        self.constants[name] = value
        return name

    def __call__(self, e: ir.Expr) -> str:
        return getattr(self, type(e).__name__, self.unsupported)(e)  # type: ignore[no-any-return]

    def unsupported(self, e: ir.Expr) -> str:
        raise Unsupported(type(e).__name__)

    # ------------------------------------------------------------ loads

    def Const(self, e: ir.Const) -> str:
        return self.constant(e.value)

    def Temp(self, e: ir.Temp) -> str:
        return self.names.get(e.slot) or f"T[{e.slot}]"

    def load(self, address: str, t: Type) -> str:
        if type(t) in SCALARS:
            return f"S[{address}]"
        if isinstance(t, SetType) and width(t) == 1:
            low = bounds(t.elem)[0]
            return f"(S[{address}] << {low})" if low else f"S[{address}]"
        return f"load(S, {address}, {self.constant(t)})"

    def FrameVar(self, e: ir.FrameVar) -> str:
        return self.load(f"S[{FP}] + {FRAME_LINK + e.slot}", e.type)

    def FrameItem(self, e: ir.FrameItem) -> str:
        return self.load(f"S[{FP}] + {FRAME_LINK + e.slot} + {self(e.offset)}", e.type)

    def Cell(self, e: ir.Cell) -> str:
        return self.load(self(e.address), e.type)

    def CellSum(self, e: ir.CellSum) -> str:
        at = self(e.address)
        if isinstance(e.address, ir.Const):
            stop = e.address.value + e.count * e.stride
            return f"sum(S[{at}:{stop}:{e.stride}])" if e.stride > 1 else f"sum(S[{at}:{stop}])"
        return f"cells(S, {at}, {e.count}, {e.stride})"

    def Linear(self, e: ir.Linear) -> str:
        parts = [f"{self(t)} * {s}" if s != 1 else self(t) for t, s in e.terms]
        return f"({' + '.join(parts)} + {e.const})" if e.const >= 0 else f"({' + '.join(parts)} - {-e.const})"

    def TableGet(self, e: ir.TableGet) -> str:
        if not isinstance(e.offset, (ir.Linear, ir.Temp, ir.Const)):
            return f"item({self.table(e.table)}, {self(e.offset)})"
        return f"item({self.table(e.table)}, {self(e.offset)})"

    def table(self, number: int) -> str:
        name = f"TABLE{number}"
        self.constants[name] = None  # filled in by the backend
        return name

    def RangeTable(self, e: ir.RangeTable) -> str:
        return f"lookup({self.constant(e.rows)}, {self(e.key)})"

    # ------------------------------------------------------------ logic and numbers

    def Not(self, e: ir.Not) -> str:
        return f"(0 if {self(e.operand)} else 1)"

    def test(self, e: ir.Expr) -> str:
        """A condition where only its truth counts."""
        match e:
            case ir.And(items):
                return "(" + " and ".join(self.test(i) for i in items) + ")"
            case ir.Or(items):
                return "(" + " or ".join(self.test(i) for i in items) + ")"
            case ir.Not(operand):
                return f"(not {self.test(operand)})"
            case ir.Compare(op, left, right):
                return f"({self(left)} {op} {self(right)})"
        return self(e)

    def And(self, e: ir.And) -> str:
        return f"(1 if {self.test(e)} else 0)"

    def Or(self, e: ir.Or) -> str:
        return f"(1 if {self.test(e)} else 0)"

    def Compare(self, e: ir.Compare) -> str:
        return f"(1 if {self.test(e)} else 0)"

    def If(self, e: ir.If) -> str:
        return f"({self(e.then)} if {self.test(e.test)} else {self(e.orelse)})"

    def Arith(self, e: ir.Arith) -> str:
        left, right = self(e.left), self(e.right)
        match e.op:
            case "min" | "max":
                return f"{e.op}({left}, {right})"
            case "&~":
                return f"({left} & ~{right})"
            case "half_up":
                return f"(({left} + 1) // 2)"
            case "half_down":
                return f"({left} // 2)"
            case "div_up" | "div_down":
                return f"{e.op}({left}, {right})"
        return f"({left} {SYMBOL[e.op]} {right})"

    # ------------------------------------------------------------ sets, lists, maps

    def InSet(self, e: ir.InSet) -> str:
        return f"({self(e.set)} >> {self(e.member)} & 1)"

    def Subset(self, e: ir.Subset) -> str:
        return f"(0 if {self(e.left)} & ~{self(e.right)} else 1)"

    def InList(self, e: ir.InList) -> str:
        return f"in_list({self(e.member)}, {self(e.list)})"

    def MakeSet(self, e: ir.MakeSet) -> str:
        return f"to_mask(({', '.join(self(i) for i in e.items)},))" if e.items else "0"

    def RangeSet(self, e: ir.RangeSet) -> str:
        return f"range_set({self(e.low)}, {self(e.high)})"

    def Size(self, e: ir.Size) -> str:
        return f"{ {'set': 'set_size', 'list': 'len', 'total': 'total'}[e.kind] }({self(e.operand)})"

    def ListItem(self, e: ir.ListItem) -> str:
        return f"list_item({self(e.list)}, {self(e.index)})"

    def ListOp(self, e: ir.ListOp) -> str:
        return f"list_{e.op}({', '.join(self(a) for a in e.args)})"

    def MapItem(self, e: ir.MapItem) -> str:
        return f"{'sparse_item' if e.sparse else 'map_item'}({self(e.map)}, {self(e.offset)})"

    def MapWith(self, e: ir.MapWith) -> str:
        return f"map_with({self(e.map)}, {self(e.offset)}, {self(e.value)})"

    # ------------------------------------------------------------ calls and folds

    def CallFn(self, e: ir.CallFn) -> str:
        return f"{self.call(e.fn)}({', '.join(['S', *(self(a) for a in e.args)])})"

    def bound(self, slot: int) -> str:
        """A fresh local name for a binder."""
        name = f"t{slot}_{len(self.names)}"
        self.names[slot] = name
        return name

    def Let(self, e: ir.Let) -> str:
        value = self(e.value)
        kept = dict(self.names)
        name = self.bound(e.slot)
        body = self(e.body)
        self.names = kept
        return f"[{body} for {name} in ({value},)][0]"

    def domain(self, d: ir.Domain) -> str:
        if d.kind == "set":
            if isinstance(d.a, ir.Const):
                from interpreter.store import members

                return self.constant(members(d.a.value))
            return f"members({self(d.a)})"
        if d.kind == "list":
            return self(d.a)
        assert d.b is not None
        return f"range({self(d.a)}, {self(d.b)} + 1)"

    def loops(self, e: ir.Fold) -> str:
        parts = []
        for slot, d in e.binders:
            source = self.domain(d)
            parts.append(f"for {self.bound(slot)} in {source}")
        if e.where is not None:
            parts.append(f"if {self.test(e.where)}")
        return " ".join(parts)

    def Fold(self, e: ir.Fold) -> str:
        kept = dict(self.names)
        try:
            return self.fold(e)
        finally:
            self.names = kept

    def fold(self, e: ir.Fold) -> str:
        loops = self.loops(e)
        member = self.names[e.binders[-1][0]]
        match e.kind:
            case "any":
                test = self.test(e.body) if e.body is not None else "1"
                return (
                    f"(1 if any({test} {loops}) else 0)" if e.body is not None else f"(1 if any(True {loops}) else 0)"
                )
            case "every":
                return f"(1 if all({self.test(e.body) if e.body is not None else '1'} {loops}) else 0)"
            case "count":
                return f"len([1 {loops}])"
        body = self(e.body) if e.body is not None else member
        match e.kind:
            case "sum":
                return f"sum([{body} {loops}])"
            case "max" | "min":
                return f"{e.kind}([{body} {loops}], default={self.constant(e.empty)})"
            case "set":
                low = "bits" if body == member else "to_mask"
                return f"{low}([{body} {loops}])"
            case "list":
                return f"tuple([{body} {loops}])"
            case "table":
                keys = ", ".join(f"{self.names[slot]}" for slot, _ in e.binders)
                return f"table([(({keys},), {body}) {loops}], {self.constant(e.table_keys)}, {self.constant(e.empty)})"
        rank = ", ".join(f"-{self(k)}" if highest else self(k) for highest, k in e.keys)
        if e.kind == "first" and not e.keys:
            if e.required:
                return f"first_of([{member} {loops}], {self.constant(e.span)})"
            return f"next(({member} {loops}), 0)"
        pairs = f"[(({rank},), {member}) {loops}]" if e.keys else f"[((), {member}) {loops}]"
        if e.kind == "first":
            return f"best({pairs}, {self.constant(e.span) if e.required else 'None'})"
        return f"{e.kind}({pairs})"

    def Reach(self, e: ir.Reach) -> str:
        start = self(e.start)
        kept = dict(self.names)
        x = self.bound(e.x)
        following = self(e.next)
        y = self.bound(e.y)
        where = self.test(e.where) if e.where is not None else "True"
        costs = ", ".join(self(c) for c, _ in e.costs)
        self.names = kept
        budgets = ", ".join(self(b) for _, b in e.costs)
        if not e.costs:
            return f"flood({start}, lambda {x}: {following}, lambda {x}, {y}: {where})"
        step = f"lambda {x}, {y}: ({costs},), ({budgets},)"
        return f"within({start}, lambda {x}: {following}, lambda {x}, {y}: {where}, {step})"
