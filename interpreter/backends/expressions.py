"""IR expressions as Python source.

`Writer` turns one expression into the text of a Python expression over the store `S` and the temps `T` of the running
activation; binders of folds become local names. No text of a ruleset goes into it: names are made from numbers, values
that are not small ints are handed over as objects. Nodes that need the machine itself are read by the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeGuard

from dsl import ir
from dsl.program import FP, FRAME_LINK, RV, TIMED, WAIVE
from dsl.types import BoolType, IntType, MemberType, PlaceType, SetType, Type, bounds, width
from interpreter.binding import temps_of
from interpreter.store import SCALARS, members

SYMBOL = {"+": "+", "-": "-", "*": "*", "|": "|", "&": "&"}
ATOMS = (ir.Temp, ir.Const, ir.FrameVar)


class Unsupported(Exception):
    """What can not be written as Python."""


class Names(Protocol):
    """What generated text may refer to."""

    def constant(self, value: Any) -> str:
        """The name of an object."""

    def function(self, number: int) -> str:
        """The name of a function of the program."""

    def lister(self, number: int) -> str | None:
        """The name of a function that gives the members of a function's set in order, if there can be one."""

    def finder(self, number: int) -> str | None:
        """The name of a function that says whether a function's set has a member, if there can be one."""

    def table(self, number: int) -> str:
        """The name of a constant table."""

    def loader(self, t: Type) -> str:
        """The name of a function of the store and an address that reads a value of more than one word."""

    def saver(self, t: Type) -> str:
        """The name of a function of the store, an address and a value that writes a set of more than one word."""

    def body(self, body: Sequence[ir.Stmt]) -> str:
        """The name of a function of the store and the temps that carries out statements."""


class Writer:
    """Writes expressions. `names` are the temps that are Python variables; other temps are read from `T`. `natural` are
    temps that are never negative."""

    def __init__(self, unit: Names, names: dict[int, str] | None = None, natural: set[int] | None = None) -> None:
        self.unit = unit
        self.names = dict(names or {})
        self.natural = set(natural or ())
        self.room = True  # whether there is a `T`
        self.frame = f"S[{FP}] + {FRAME_LINK}"  # where the frame's variables begin

    def constant(self, value: Any) -> str:
        if type(value) is int and abs(value) < 1 << 62:
            return f"({value})" if value < 0 else str(value)
        return self.unit.constant(value)

    def __call__(self, e: ir.Expr) -> str:
        write: Callable[[Any], str] = getattr(self, type(e).__name__, self.by_reference)
        return write(e)

    def by_reference(self, e: ir.Expr) -> str:
        """A node that the reference reads, with the temps that it needs."""
        known = [slot for slot in sorted(temps_of(e)) if slot in self.names]
        pairs = "".join(f"({slot}, {self.names[slot]})," for slot in known)
        node = self.unit.constant(e)
        return f"see_in({node}, T, ({pairs}))" if self.room else f"see({node}, ({pairs}))"

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
        return f"{self.unit.loader(t)}(S, {address})"

    def FrameVar(self, e: ir.FrameVar) -> str:
        return self.load(f"{self.frame} + {e.slot}" if e.slot else self.frame, e.type)

    def FrameItem(self, e: ir.FrameItem) -> str:
        return self.load(f"{self.frame} + {e.slot} + {self(e.offset)}", e.type)

    def Cell(self, e: ir.Cell) -> str:
        return self.load(self(e.address), e.type)

    def CellSum(self, e: ir.CellSum) -> str:
        size = e.count * e.stride
        match e.address:
            case ir.Const(int() as at):
                stop = str(at + size)
            case ir.Linear(const, terms) if all(isinstance(term, ATOMS) for term, _ in terms):
                stop = self(ir.Linear(const + size, terms))
            case _:
                return f"cells(S, {self(e.address)}, {e.count}, {e.stride})"
        return f"sum(S[{self(e.address)}:{stop}{f':{e.stride}' if e.stride > 1 else ''}])"

    def Linear(self, e: ir.Linear) -> str:
        parts = [f"{self(t)} * {s}" if s != 1 else self(t) for t, s in e.terms]
        if not parts:
            return self.constant(e.const)
        tail = f" + {e.const}" if e.const > 0 else f" - {-e.const}" if e.const else ""
        return f"({' + '.join(parts)}{tail})"

    def TableGet(self, e: ir.TableGet) -> str:
        return f"{self.unit.table(e.table)}[{self(e.offset)}]"

    def RangeTable(self, e: ir.RangeTable) -> str:
        return f"lookup({self.unit.constant(e.rows)}, {self(e.key)})"

    # ------------------------------------------------------------ logic and numbers

    def Not(self, e: ir.Not) -> str:
        return f"(0 if {self.test(e.operand)} else 1)"

    def test(self, e: ir.Expr) -> str:
        """A condition where only its truth counts."""
        match e:
            case ir.And(items):
                return "(" + " and ".join(self.test(i) for i in items) + ")" if items else "True"
            case ir.Or(items):
                return "(" + " or ".join(self.test(i) for i in items) + ")" if items else "False"
            case ir.Not(operand):
                return f"(not {self.test(operand)})"
            case ir.Compare("==" | "!=" as op, set_, ir.Const(0)) if found := self.has_members(set_):
                return f"(not {found})" if op == "==" else found
            case ir.Compare(op, left, right):
                return f"({self(left)} {op} {self(right)})"
            case ir.Fold(kind="any" | "every"):
                return self.quantified(e)
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
            case "min" | "max" | "div_up" | "div_down":
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
        if self.never_negative(e.member):
            return f"({mask} >> {member} & 1)"
        if isinstance(e.member, ATOMS):
            return f"({mask} >> {member} & 1 if {member} >= 0 else 0)"
        return f"has({mask}, {member})"

    def never_negative(self, e: ir.Expr) -> bool:
        match e:
            case ir.Const(int() as value):
                return value >= 0
            case ir.Temp(slot):
                return slot in self.natural
            case ir.FrameVar(_, t) | ir.Cell(_, t):
                return natural(t)
        return False

    def Subset(self, e: ir.Subset) -> str:
        return f"(0 if {self(e.left)} & ~{self(e.right)} else 1)"

    def InList(self, e: ir.InList) -> str:
        return f"in_list({self(e.member)}, {self(e.list)})"

    def MakeSet(self, e: ir.MakeSet) -> str:
        return f"to_mask(({', '.join(self(i) for i in e.items)},))" if e.items else "0"

    def RangeSet(self, e: ir.RangeSet) -> str:
        return f"range_set({self(e.low)}, {self(e.high)})"

    def Size(self, e: ir.Size) -> str:
        if e.kind == "set":
            return f"({self(e.operand)}).bit_count()"
        return f"{'len' if e.kind == 'list' else 'total'}({self(e.operand)})"

    def ListItem(self, e: ir.ListItem) -> str:
        return f"list_item({self(e.list)}, {self(e.index)})"

    def ListOp(self, e: ir.ListOp) -> str:
        return f"list_{e.op}({', '.join(self(a) for a in e.args)})"

    def MapItem(self, e: ir.MapItem) -> str:
        if e.sparse:
            return f"sparse_item({self(e.map)}, {self(e.offset)})"
        return f"{self(e.map)}[{self(e.offset)}]"

    def MapWith(self, e: ir.MapWith) -> str:
        return f"map_with({self(e.map)}, {self(e.offset)}, {self(e.value)})"

    # ------------------------------------------------------------ what runs

    def Running(self, e: ir.Running) -> str:
        return f"(1 if innermost(S, {self.unit.constant(e.procs)}) else 0)"

    def Waived(self, e: ir.Waived) -> str:
        return f"(S[{WAIVE}] and S[{WAIVE}] >> {self(e.cause)} & 1)"

    def LastResult(self, e: ir.LastResult) -> str:
        return f"S[{RV}]"

    def TimedActive(self, e: ir.TimedActive) -> str:
        return f"({self.by_reference(e)} if S[{TIMED}] else 0)"

    def TimedFold(self, e: ir.TimedFold) -> str:
        return f"({self.by_reference(e)} if S[{TIMED}] else {self(e.base) if e.base is not None else 0})"

    # ------------------------------------------------------------ calls and folds

    def CallFn(self, e: ir.CallFn) -> str:
        return f"{self.unit.function(e.fn)}({self.arguments(e)})"

    def bound(self, slot: int, never_negative: bool = False) -> str:
        """A fresh local name for a binder."""
        name = f"t{slot}_{len(self.names)}"
        self.names[slot] = name
        (self.natural.add if never_negative else self.natural.discard)(slot)
        return name

    def scope(self) -> tuple[dict[int, str], set[int]]:
        return dict(self.names), set(self.natural)

    def leave(self, kept: tuple[dict[int, str], set[int]]) -> None:
        self.names, self.natural = kept

    def Let(self, e: ir.Let) -> str:
        value = self(e.value)
        kept = self.scope()
        name = self.bound(e.slot)
        body = self(e.body)
        self.leave(kept)
        return f"[{body} for {name} in ({value},)][0]"

    def domain(self, d: ir.Domain) -> str:
        if d.kind == "set":
            if isinstance(d.a, ir.Const):
                return self.unit.constant(members(d.a.value))
            return self.in_order(d.a) or f"members({self(d.a)})"
        if d.kind == "list":
            return self(d.a)
        assert d.b is not None
        stop = self.constant(d.b.value + 1) if isinstance(d.b, ir.Const) else f"{self(d.b)} + 1"
        return f"range({self(d.a)}, {stop})"

    def in_order(self, e: ir.Expr) -> str | None:
        """The members of a set in order, without making the set."""
        if is_choice(e):
            kept = self.scope()
            loops = self.loops(e)
            text = f"[{self.names[e.binders[0][0]]} {loops}]"
            self.leave(kept)
            return text
        name = self.unit.lister(e.fn) if isinstance(e, ir.CallFn) else None
        return f"{name}({self.arguments(e)})" if name and isinstance(e, ir.CallFn) else None

    def has_members(self, e: ir.Expr) -> str | None:
        """Whether a set has a member, without making the set."""
        if is_choice(e):
            kept = self.scope()
            text = f"any(True {self.loops(e)})"
            self.leave(kept)
            return text
        name = self.unit.finder(e.fn) if isinstance(e, ir.CallFn) else None
        return f"{name}({self.arguments(e)})" if name and isinstance(e, ir.CallFn) else None

    def arguments(self, e: ir.CallFn) -> str:
        return ", ".join(["S", *(self(a) for a in e.args)])

    def loop(self, slot: int, d: ir.Domain) -> str:
        """`for ..` over a domain; binds the slot."""
        source = self.domain(d)
        return f"for {self.bound(slot, d.kind == 'set' or self.never_negative(d.a))} in {source}"

    def loops(self, e: ir.Fold) -> str:
        parts = [self.loop(slot, d) for slot, d in e.binders]
        if e.where is not None:
            parts.append(f"if {self.test(e.where)}")
        return " ".join(parts)

    def quantified(self, e: ir.Fold) -> str:
        kept = self.scope()
        loops = self.loops(e)
        word = "any" if e.kind == "any" else "all"
        text = f"{word}({self.test(e.body) if e.body is not None else 'True'} {loops})"
        self.leave(kept)
        return text

    def Fold(self, e: ir.Fold) -> str:
        if e.kind in ("any", "every"):
            return f"(1 if {self.quantified(e)} else 0)"
        kept = self.scope()
        text = self.fold(e)
        self.leave(kept)
        return text

    def fold(self, e: ir.Fold) -> str:
        loops = self.loops(e)
        member = self.names[e.binders[-1][0]]
        if e.kind == "count":
            return f"len([1 {loops}])"
        body = self(e.body) if e.body is not None else member
        match e.kind:
            case "sum":
                return f"sum([{body} {loops}])"
            case "max" | "min":
                return f"{e.kind}([{body} {loops}], default={self.constant(e.empty)})"
            case "set":
                if body != member:
                    return f"to_mask([{body} {loops}])"
                if len(e.binders) == 1 and e.binders[0][1].kind in ("set", "range"):  # no member comes twice
                    return f"sum([1 << {body} {loops}])"
                return f"bits([{body} {loops}])"
            case "list":
                return f"tuple([{body} {loops}])"
            case "table":
                keys = ", ".join(f"{self.names[slot]}" for slot, _ in e.binders)
                form = f"{self.constant(e.table_keys)}, {self.constant(e.empty)}"
                return f"table([(({keys},), {body}) {loops}], {form})"
        rank = ", ".join(f"-{self(k)}" if highest else self(k) for highest, k in e.keys)
        if e.kind == "first" and not e.keys:
            if e.required:
                return f"first_of([{member} {loops}], {self.unit.constant(e.span)})"
            return f"next(({member} {loops}), 0)"
        pairs = f"[(({rank},), {member}) {loops}]" if e.keys else f"[((), {member}) {loops}]"
        if e.kind == "first":
            return f"best({pairs}, {self.unit.constant(e.span) if e.required else 'None'})"
        return f"{e.kind}({pairs})"

    def Reach(self, e: ir.Reach) -> str:
        start = self(e.start)
        kept = self.scope()
        x = self.bound(e.x, never_negative=True)
        following = self(e.next)
        y = self.bound(e.y, never_negative=True)
        where = self.test(e.where) if e.where is not None else "True"
        costs = ", ".join(self(c) for c, _ in e.costs)
        self.leave(kept)
        budgets = ", ".join(self(b) for _, b in e.costs)
        steps = f"lambda {x}: {following}, lambda {x}, {y}: {where}"
        if not e.costs:
            return f"flood({start}, {steps})"
        if len(e.costs) == 1:
            return f"within_one({start}, {steps}, lambda {x}, {y}: {costs}, {budgets})"
        return f"within({start}, {steps}, lambda {x}, {y}: ({costs},), ({budgets},))"


def is_choice(e: ir.Expr) -> TypeGuard[ir.Fold]:
    """Whether an expression is a set of those members of another set that pass a test."""
    if not isinstance(e, ir.Fold) or e.kind != "set" or len(e.binders) != 1:
        return False
    slot, domain = e.binders[0]
    return domain.kind == "set" and e.body in (None, ir.Temp(slot))


def natural(t: Type) -> bool:
    """Whether values of a type are never negative."""
    if isinstance(t, IntType):
        return t.low >= 0
    return isinstance(t, (BoolType, MemberType, PlaceType))
