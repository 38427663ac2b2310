"""The bytes of a function in WebAssembly: its statements and expressions, with labels as depths of nesting.

Takes functions in low form that verify, and gives bytes. Numbers are i64; conditions are made as i32 where they decide.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache, partial

from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.walk import variables

UNREACHABLE, BLOCK, LOOP, IF, ELSE, END = 0x00, 0x02, 0x03, 0x04, 0x05, 0x0B
BR, BR_TABLE, RETURN, CALL, DROP, SELECT = 0x0C, 0x0E, 0x0F, 0x10, 0x1A, 0x1B
LOCAL_GET, LOCAL_SET, GLOBAL_GET, GLOBAL_SET = 0x20, 0x21, 0x23, 0x24
LOAD_LONG, LOAD_WORD, STORE_LONG, STORE_WORD = 0x29, 0x34, 0x37, 0x3E
I32_CONST, I64_CONST, F64_CONST = 0x41, 0x42, 0x44
I32_EQZ, I64_EQZ, I64_NE, I32_SHL, I64_SUB = 0x45, 0x50, 0x52, 0x74, 0x7D
I32_AND, I32_OR = 0x71, 0x72
I64_CTZ, I64_POPCNT, F64_MUL = 0x7A, 0x7B, 0xA2
I32_WRAP, I64_EXTEND, I64_TRUNC, F64_CONVERT = 0xA7, 0xAD, 0xB0, 0xB9
MEMORY_COPY, MEMORY_FILL = bytes((0xFC, 10, 0, 0)), bytes((0xFC, 11, 0))
NOTHING, I64, I32 = 0x40, 0x7E, 0x7F  # types of blocks

ARITHMETIC = {
    "+": 0x7C, "-": 0x7D, "*": 0x7E, "/": 0x7F, "/u": 0x80, "%u": 0x82, "&": 0x83, "|": 0x84, "^": 0x85, "<<": 0x86,
    ">>": 0x87, ">>u": 0x88,
}  # fmt: skip
COMPARISONS = {"==": 0x51, "!=": 0x52, "<": 0x53, "<=": 0x57, ">": 0x55, ">=": 0x59, ">u": 0x56}

WORD_BYTES = 4
CACHED = 1 << 14  # numbers whose bytes are kept


@lru_cache(maxsize=CACHED)
def unsigned(n: int) -> bytes:
    """A number without a sign, seven bits a byte, the lowest first (LEB128)."""
    found = bytearray()
    while n > 0x7F:
        found.append(n & 0x7F | 0x80)
        n >>= 7
    found.append(n)
    return bytes(found)


@lru_cache(maxsize=CACHED)
def signed(n: int) -> bytes:
    """A number with a sign, in the same way."""
    found = bytearray()
    while not -0x40 <= n < 0x40:
        found.append(n & 0x7F | 0x80)
        n >>= 7
    found.append(n & 0x7F)
    return bytes(found)


class WasmBody:
    """Writes one function; `functions` and `globals` give the numbers of names."""

    def __init__(self, f: low.Function, functions: dict[str, int], global_numbers: dict[str, int]) -> None:
        self.functions, self.globals = functions, global_numbers
        names = (*f.params, *variables(f))
        self.locals = {name: n for n, name in enumerate(names)}
        self.own = len(names) - len(f.params)
        self.out = bytearray()
        self.labels: list[str] = []  # open blocks, the innermost last; empty where nothing goes to it
        self.body(f.body)
        self.op(UNREACHABLE)

    def bytes(self) -> bytes:
        """The entry of the section of code."""
        heads = b"\x01" + unsigned(self.own) + bytes((I64,)) if self.own else b"\x00"
        whole = heads + bytes(self.out) + bytes((END,))
        return unsigned(len(whole)) + whole

    def op(self, *codes: int) -> None:
        self.out += bytes(codes)

    def number(self, code: int, n: int) -> None:
        """An instruction with a number."""
        self.out.append(code)
        self.out += unsigned(n)

    def const(self, n: int) -> None:
        self.out.append(I64_CONST)
        self.out += signed(n)

    # ------------------------------------------------------------ statements

    def body(self, body: low.Body) -> None:
        for s in body:
            self.statement(s)

    def statement(self, s: low.Stmt) -> None:
        match s:
            case low.Set(name, value):
                self.value(value)
                self.number(LOCAL_SET, self.locals[name])
            case low.SetGlobal(name, value):
                self.value(value)
                self.number(GLOBAL_SET, self.globals[name])
            case low.Store(address, offset, value):
                self.access(STORE_WORD, address, offset, value)
            case low.StoreLong(address, offset, value):
                self.access(STORE_LONG, address, offset, value)
            case low.Copy(target, source, count):
                for part in (target, source, count):
                    self.byte_address(part)
                self.out += MEMORY_COPY
            case low.Clear(target, count):
                self.byte_address(target)
                self.op(I32_CONST, 0)
                self.byte_address(count)
                self.out += MEMORY_FILL
            case low.If(test, then, orelse):
                self.condition(test)
                self.op(IF, NOTHING)
                self.inside("", then)
                if orelse:
                    self.op(ELSE)
                    self.inside("", orelse)
                self.op(END)
            case low.Block(label, body):
                self.op(BLOCK, NOTHING)
                self.inside(leave(label), body)
                self.op(END)
            case low.Loop(label, body):
                self.op(BLOCK, NOTHING)
                self.labels.append(leave(label))
                self.op(LOOP, NOTHING)
                self.labels.append(again(label))
                self.body(body)
                self.branch(again(label))
                self.op(END, END)
                del self.labels[-2:]
            case low.Leave(label):
                self.branch(leave(label))
            case low.Again(label):
                self.branch(again(label))
            case low.Table(value, rows):
                self.table(value, rows)
            case low.Return(value):
                self.value(value)
                self.op(RETURN)
            case low.Do(value):
                self.value(value)
                self.op(DROP)
            case low.Trap(reason):
                self.trap(reason)

    def inside(self, label: str, body: low.Body) -> None:
        """A body inside a block."""
        self.labels.append(label)
        self.body(body)
        self.labels.pop()

    def branch(self, label: str) -> None:
        self.number(BR, self.depth(label))

    def depth(self, label: str) -> int:
        return self.labels[::-1].index(label)

    def trap(self, reason: low.Reason) -> None:
        self.const(reason)
        self.number(GLOBAL_SET, self.globals[low.REASON])
        self.op(UNREACHABLE)

    def table(self, value: low.Expr, rows: tuple[tuple[int, low.Body], ...]) -> None:
        """Blocks inside each other, each of which ends where its row begins; the innermost catches other numbers."""
        numbers = [number for number, _ in rows]
        for _ in range(len(rows) + 1):
            self.op(BLOCK, NOTHING)
        self.value(value)
        self.const(numbers[0])
        self.op(I64_SUB, I32_WRAP, BR_TABLE)
        places = {number: k + 1 for k, number in enumerate(numbers)}
        targets = [places.get(n, 0) for n in range(numbers[0], numbers[-1] + 1)]
        self.out += unsigned(len(targets)) + b"".join(map(unsigned, targets)) + unsigned(0)
        self.op(END)
        self.trap(low.Reason.LOST)
        self.labels += [""] * len(rows)
        for _, row in rows:
            self.op(END)
            self.labels.pop()
            self.body(row)

    # ------------------------------------------------------------ expressions

    def value(self, e: low.Expr) -> None:
        """Leave the value on the stack, as i64."""
        match e:
            case low.Num(value):
                self.const(value)
            case low.Local(name):
                self.number(LOCAL_GET, self.locals[name])
            case low.Global(name):
                self.number(GLOBAL_GET, self.globals[name])
            case low.Op(op, left, right) if op in ARITHMETIC:
                self.value(left)
                self.value(right)
                self.op(ARITHMETIC[op])
            case low.Choice(test, then, orelse) if is_ready(then) and is_ready(orelse):
                self.value(then)
                self.value(orelse)
                self.condition(test)
                self.op(SELECT)
            case low.Choice(test, then, orelse):
                self.choice(I64, lambda: self.condition(test), lambda: self.value(then), lambda: self.value(orelse))
            case low.Lowest(operand):
                self.value(operand)
                self.op(I64_CTZ)
            case low.Ones(operand):
                self.value(operand)
                self.op(I64_POPCNT)
            case low.Load(address, offset):
                self.access(LOAD_WORD, address, offset)
            case low.LoadLong(address, offset):
                self.access(LOAD_LONG, address, offset)
            case low.Call(function, args):
                for arg in args:
                    self.value(arg)
                self.number(CALL, self.functions[function])
            case low.Portion(fraction, count):
                self.value(fraction)
                self.op(F64_CONVERT, F64_CONST)
                self.out += struct.pack("<d", 2.0**-53)
                self.op(F64_MUL)
                self.value(count)
                self.op(F64_CONVERT, F64_MUL, I64_TRUNC)
            case _:
                self.condition(e)
                self.op(I64_EXTEND)

    def condition(self, e: low.Expr) -> None:
        """Leave on the stack whether the value is other than 0, as i32."""
        match e:
            case low.Num(value):
                self.op(I32_CONST, int(value != 0))
            case low.Op("==", left, low.Num(0)):
                self.value(left)
                self.op(I64_EQZ)
            case low.Op(op, left, right) if op in COMPARISONS:
                self.value(left)
                self.value(right)
                self.op(COMPARISONS[op])
            case low.Not(operand):
                self.condition(operand)
                self.op(I32_EQZ)
            case low.Both(left, right) | low.Either(left, right) if is_ready(right):
                self.condition(left)
                self.condition(right)
                self.op(I32_AND if isinstance(e, low.Both) else I32_OR)
            case low.Both(left, right):
                first, second = partial(self.condition, left), partial(self.condition, right)
                self.choice(I32, first, second, partial(self.op, I32_CONST, 0))
            case low.Either(left, right):
                first, second = partial(self.condition, left), partial(self.condition, right)
                self.choice(I32, first, partial(self.op, I32_CONST, 1), second)
            case _:
                self.value(e)
                self.const(0)
                self.op(I64_NE)

    def choice(self, kind: int, test: Callable[[], None], then: Callable[[], None], orelse: Callable[[], None]) -> None:
        test()
        self.op(IF, kind)
        then()
        self.op(ELSE)
        orelse()
        self.op(END)

    def access(self, code: int, address: low.Expr, offset: int, value: low.Expr | None = None) -> None:
        """A load, or a store of `value`."""
        self.byte_address(address)
        if value is not None:
            self.value(value)
        self.op(code, 2)  # aligned to 2^2 bytes
        self.out += unsigned(offset * WORD_BYTES)

    def byte_address(self, e: low.Expr) -> None:
        """Leave a number of words on the stack as bytes, as i32."""
        if isinstance(e, low.Num):
            self.out.append(I32_CONST)
            wrapped = e.value * WORD_BYTES & 0xFFFFFFFF
            self.out += signed(wrapped - (1 << 32) if wrapped >> 31 else wrapped)
            return
        self.value(e)
        self.op(I32_WRAP, I32_CONST, 2, I32_SHL)


def is_ready(e: low.Expr) -> bool:
    """True for a value that is had so quickly, without reading memory, that it may as well be worked out where it is
    not needed: then there is nothing for a processor to guess."""
    match e:
        case low.Num() | low.Local() | low.Global():
            return True
        case low.Op(op, low.Num() | low.Local(), low.Num() | low.Local()):
            return op not in ("/", "/u", "%u")
        case low.Not(low.Local()):
            return True
    return False


def leave(label: str) -> str:
    return f"{label} leave"


def again(label: str) -> str:
    return f"{label} again"
