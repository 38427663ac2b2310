"""The text of an expression of the low form in Python.

Every text is an operand: a name, a number, or something in brackets. `t` is a variable for what is needed twice.
"""

from __future__ import annotations

from dsl.base.record import dataclass
from interpreter.backends.low.base.memory import HALVES
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import MASK_64
from interpreter.backends.printed.facts import ModuleFacts
from interpreter.backends.printed.ranges import (
    BIT,
    BITS,
    FULL,
    LOOSE,
    SHIFT,
    SHIFTED,
    WORD,
    Range,
    inside,
    is_calm,
    is_flag,
    joined,
    kept,
    of_operation,
    of_portion,
)  # fmt: skip
from interpreter.backends.printed.runtime import ADDRESSES

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
BIT_OF = "bit of"  # as `>>u`, where only the lowest bit of the result is wanted: then the sign does not matter
ZERO, ONE = low.Num(0), low.Num(1)
LEAST, MOST = FULL
UNSIGNED: Range = (0, MASK_64)


@dataclass(frozen=True, slots=True)
class PythonNames:
    """The names in Python of functions and globals."""

    functions: dict[str, str]
    globals: dict[str, str]


class Expressions:
    """Writes those of one function; `own`: the ranges of its variables; `locals`: their names in Python."""

    def __init__(
        self, facts: ModuleFacts, own: dict[str, Range], names: PythonNames, local_names: dict[str, str]
    ) -> None:
        self.facts, self.own, self.names, self.locals = facts, own, names, local_names

    def value(self, e: low.Expr) -> str:
        """The number itself."""
        return self.wrapped(e)[0]

    def wrapped(self, e: low.Expr) -> tuple[str, Range]:
        """The number itself, and its range."""
        text, found = self.loose(e)
        if inside(found, FULL):
            return text, found
        if found[0] >= LEAST:
            return f"(t if (t := {text}) <= {MOST} else wrap(t))", FULL
        if found[1] <= MOST:
            return f"(t if (t := {text}) >= {LEAST} else wrap(t))", FULL
        return f"(t if {LEAST} <= (t := {text}) <= {MOST} else wrap(t))", FULL

    def loose(self, e: low.Expr) -> tuple[str, Range]:
        """A number that is the same modulo 2^64, and its range."""
        if is_flag(e) or isinstance(e, (low.Both, low.Either)):
            return f"(1 if {self.test(e)} else 0)", BIT
        match e:
            case low.Num(value):
                return (str(value) if value >= 0 else f"({value})"), (value, value)
            case low.Local(name):
                return self.locals[name], self.own[name]
            case low.Global(name):
                return self.names.globals[name], self.facts.of_global[name]
            case low.Load(address, offset):
                return f"M[{self.address(address, offset)}]", WORD
            case low.Op(op, left, right):
                return self.operation(op, left, right)
            case low.Choice(test, then, orelse):
                (one, first), (other, second) = self.wrapped(then), self.wrapped(orelse)
                return f"({one} if {self.test(test)} else {other})", joined(first, second)
            case low.Lowest(operand):
                return f"((t & -t).bit_length() - 1 if (t := {self.value(operand)}) else 64)", BITS
            case low.Ones(operand):
                text, found = self.loose(operand)
                return f"({text if inside(found, UNSIGNED) else f'{text} & {MASK_64}'}).bit_count()", BITS
            case low.LoadLong(address, offset):
                at = self.address(address, offset)
                if isinstance(address, low.Num):
                    return f"(M[{at}] & {HALVES} | M[{int(at) + 1}] << 32)", FULL
                return f"(M[t := {at}] & {HALVES} | M[t + 1] << 32)", FULL
            case low.Call(function, args):
                called = f"{self.names.functions[function]}({', '.join(map(self.value, args))})"
                return called, self.facts.functions[function].result
            case low.Portion(fraction, count):
                text, (times, among) = self.value(fraction), self.wrapped(count)
                found = of_portion(among)
                exact = f"int({text} * {2.0**-53!r} * {times})"
                return (exact if found != FULL else f"portion({text}, {times})"), found
        raise AssertionError(f"no node of the low form: {e}")

    def operation(self, op: str, left: low.Expr, right: low.Expr) -> tuple[str, Range]:
        """An operator that gives a number, but one of flags."""
        if op in LOOSE:
            if right == ONE and op == "&" and isinstance(left, low.Op) and left.op == ">>u":
                return self.operation("&", low.Op(BIT_OF, left.left, left.right), ONE)
            (a, first), (b, second) = self.operand(left), self.operand(right)
            if op == "&" and right == low.Op("+", left, low.Num(-1)) and isinstance(left, low.Local) and first[0] < 0:
                return f"({a} & {b} if {a} != {LEAST} else 0)", FULL  # without its lowest bit
            return f"({a} {op} {b})", of_operation(op, first, second)
        b, second = self.wrapped(right)
        by = self.shift(right, b, second)
        if op == "<<" and left == ONE:
            return f"BITS[{by}]", kept(of_operation("<<", BIT, second))
        if op == "<<" and is_flag(left) and is_calm(right):
            return f"(BITS[{by}] if {self.test(left)} else 0)", kept(of_operation("<<", BIT, second))
        if op == BIT_OF:
            return f"({self.loose(left)[0]} >> {by})", FULL
        a, first = self.loose(left) if op in SHIFTED else self.wrapped(left)
        found = of_operation(op, first, second)
        if op == "<<" or op == ">>":
            return f"({a} {op} {by})", found
        if op == ">>u":
            return f"({unsigned(a, first)} >> {by})", found
        if op == "/":
            both = first[0] >= 0 and second[0] >= 0
            return (f"({a} // {b})", found) if both else (f"cut_off({a}, {b})", kept(found))
        return f"({unsigned(a, first)} {'%' if op == '%u' else '//'} {unsigned(b, second)})", found

    def operand(self, e: low.Expr) -> tuple[str, Range]:
        """An operand of a sum or the like as text, with its range: a flag may be as Python has it."""
        return (f"({self.test(e)})", BIT) if is_flag(e) else self.loose(e)

    def shift(self, e: low.Expr, text: str, found: Range) -> str:
        """The bits to shift by."""
        if isinstance(e, low.Num):
            return str(e.value & SHIFT[1])
        return text if inside(found, SHIFT) else f"({text} & {SHIFT[1]})"

    def address(self, e: low.Expr, offset: int = 0) -> str:
        """A place in memory; what is none is an index that a list refuses."""
        if isinstance(e, low.Num):
            return str((e.value & ADDRESSES) + offset)
        text, found = self.loose(e)
        if found[0] < 0:
            text = f"({text} & {ADDRESSES})"
        return f"{text} + {offset}" if offset else text

    # ------------------------------------------------------------ conditions

    def test(self, e: low.Expr) -> str:
        """A condition in Python that is true if the number is other than 0; only operators of conditions bind
        weaker."""
        match e:
            case low.Op(op, left, right) if op in low.COMPARISONS:
                return self.compared(op, left, right)
            case low.Op(op, left, right) if is_flag(e):
                return f"({self.test(left)}) {op} ({self.test(right)})"
            case low.Not(low.Op(op, left, right)) if op in OPPOSITE:
                return self.compared(OPPOSITE[op], left, right)
            case low.Not(operand):
                return f"(not {self.test(operand)})"
            case low.Both(left, right):
                return f"({self.test(left)} and {self.test(right)})"
            case low.Either(left, right):
                return f"({self.test(left)} or {self.test(right)})"
        return self.value(e)

    def compared(self, op: str, left: low.Expr, right: low.Expr) -> str:
        if op in ("==", "!=") and right == ZERO and is_flag(left):
            return f"(not {self.test(left)})" if op == "==" else self.test(left)
        if op in OPPOSITE:
            return f"{self.value(left)} {op} {self.value(right)}"
        (a, first), (b, second) = self.loose(left), self.loose(right)
        if isinstance(right, low.Num) and right.value >= 0 and inside(first, FULL):
            return f"not 0 <= {a} <= {b}" if first[0] < 0 else f"{a} > {b}"
        return f"{unsigned(a, first)} > {unsigned(b, second)}"


def unsigned(text: str, found: Range) -> str:
    """A number without a sign."""
    return text if inside(found, UNSIGNED) else f"({text} & {MASK_64})"
