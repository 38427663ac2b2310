"""A small interpreter of the low form, which defines what its nodes do; targets are tested against it.

It takes a module and calls its functions; memory and globals stay between calls. It is slow and meant for tests.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import MASK_64, Reason, signed

WORD = 1 << 32


class Trapped(Exception):
    """Low code gave up."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        super().__init__(f"low code gave up: {reason.name}")


class _Left(Exception):
    def __init__(self, label: str) -> None:
        self.label = label


class _Again(_Left):
    pass


class _Returned(Exception):
    def __init__(self, value: int) -> None:
        self.value = value


def _cut_off(left: int, right: int) -> int:
    """Division that rounds towards 0."""
    found = abs(left) // abs(right)
    return found if (left < 0) == (right < 0) else -found


OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _cut_off,
    "/u": lambda a, b: (a & MASK_64) // (b & MASK_64),
    "%u": lambda a, b: (a & MASK_64) % (b & MASK_64),
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": lambda a, b: a << (b & 63),
    ">>": lambda a, b: a >> (b & 63),
    ">>u": lambda a, b: (a & MASK_64) >> (b & 63),
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    ">u": lambda a, b: (a & MASK_64) > (b & MASK_64),
}


class Interpreter:
    def __init__(self, module: low.Module) -> None:
        self.functions = {f.name: f for f in module.functions}
        self.globals = dict.fromkeys(module.globals, 0)
        self.memory = [0] * module.words
        for at, words in module.data:
            self.memory[at : at + len(words)] = [word(w) for w in words]

    def get(self, name: str) -> int:
        """The value of a global."""
        return self.globals[name]

    def set(self, name: str, value: int) -> None:
        self.globals[name] = value

    def call(self, name: str, *args: int) -> int:
        """The result of a function. Raises Trapped where it gives up, and where an address or a divisor is wrong."""
        f = self.functions[name]
        variables = dict(zip(f.params, map(signed, args), strict=True))
        try:
            self.body(f.body, variables)
        except _Returned as returned:
            return returned.value
        raise AssertionError(f"the end of `{name}` was reached")

    # ------------------------------------------------------------ memory

    def place(self, address: int, offset: int, words: int = 1) -> int:
        """A checked address."""
        at = (address % WORD) * 4 % WORD // 4 + offset  # as in a memory of 2^32 bytes
        if at + words > len(self.memory):
            raise Trapped(Reason.NONE)
        return at

    def long(self, at: int) -> int:
        return signed(self.memory[at] % WORD | self.memory[at + 1] % WORD << 32)

    # ------------------------------------------------------------ statements

    def body(self, body: low.Body, v: dict[str, int]) -> None:
        for s in body:
            self.statement(s, v)

    def statement(self, s: low.Stmt, v: dict[str, int]) -> None:
        match s:
            case low.Set(name, value):
                v[name] = self.value(value, v)
            case low.SetGlobal(name, value):
                self.globals[name] = self.value(value, v)
            case low.Store(address, offset, value):
                at = self.place(self.value(address, v), offset)
                self.memory[at] = word(self.value(value, v))
            case low.StoreLong(address, offset, value):
                at = self.place(self.value(address, v), offset, 2)
                number = self.value(value, v)
                self.memory[at : at + 2] = [word(number), word(number >> 32)]
            case low.Copy(target, source, count):
                n = self.value(count, v)
                to, from_ = (self.place(self.value(a, v), 0, n) for a in (target, source))
                self.memory[to : to + n] = self.memory[from_ : from_ + n]
            case low.Clear(target, count):
                n = self.value(count, v)
                at = self.place(self.value(target, v), 0, n)
                self.memory[at : at + n] = [0] * n
            case low.If(test, then, orelse):
                self.body(then if self.value(test, v) else orelse, v)
            case low.Block(label, body):
                self.until_left(label, body, v)
            case low.Loop(label, body):
                while not self.until_left(label, body, v):
                    pass
            case low.Leave(label):
                raise _Left(label)
            case low.Again(label):
                raise _Again(label)
            case low.Table(value, rows):
                number = self.value(value, v)
                first = next((k for k, (row, _) in enumerate(rows) if row == number), -1)
                if first < 0:
                    self.trap(Reason.LOST)
                for _, row in rows[first:]:
                    self.body(row, v)
            case low.Return(value):
                raise _Returned(self.value(value, v))
            case low.Do(value):
                self.value(value, v)
            case low.Trap(reason):
                self.trap(reason)

    def until_left(self, label: str, body: low.Body, v: dict[str, int]) -> bool:
        """Carry out a body; gives whether it was left by its label."""
        try:
            self.body(body, v)
        except _Left as left:
            if left.label != label:
                raise
            return not isinstance(left, _Again)
        return False

    def trap(self, reason: Reason) -> None:
        self.globals[low.REASON] = reason
        raise Trapped(reason)

    # ------------------------------------------------------------ expressions

    def value(self, e: low.Expr, v: dict[str, int]) -> int:
        match e:
            case low.Num(value):
                return value
            case low.Local(name):
                return v.get(name, 0)
            case low.Global(name):
                return self.globals[name]
            case low.Op(op, left, right):
                a, b = self.value(left, v), self.value(right, v)
                if op in ("/", "/u", "%u") and not b:
                    raise Trapped(Reason.NONE)
                return signed(int(OPERATORS[op](a, b)))
            case low.Not(operand):
                return int(not self.value(operand, v))
            case low.Both(left, right):
                return int(bool(self.value(left, v)) and bool(self.value(right, v)))
            case low.Either(left, right):
                return int(bool(self.value(left, v)) or bool(self.value(right, v)))
            case low.Choice(test, then, orelse):
                return self.value(then if self.value(test, v) else orelse, v)
            case low.Lowest(operand):
                number = self.value(operand, v) & MASK_64
                return (number & -number).bit_length() - 1 if number else 64
            case low.Ones(operand):
                return (self.value(operand, v) & MASK_64).bit_count()
            case low.Load(address, offset):
                return self.memory[self.place(self.value(address, v), offset)]
            case low.LoadLong(address, offset):
                return self.long(self.place(self.value(address, v), offset, 2))
            case low.Call(function, args):
                return self.call(function, *[self.value(a, v) for a in args])
            case low.Portion(fraction, count):
                return int(self.value(fraction, v) * 2.0**-53 * self.value(count, v))
        raise AssertionError(f"no node of the low form: {e}")


def word(value: int) -> int:
    """The lower 32 bits of a number, as they are with a sign."""
    value &= WORD - 1
    return value - WORD if value >> 31 else value
