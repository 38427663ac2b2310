"""The nodes of the low form: 64-bit numbers over one flat memory of 32-bit words, with structured control.

Every value is a signed number of 64 bits that wraps around. Addresses count words; a load sign-extends a word, or takes
two words as one long number, the lower half first. Nothing here knows a game, a store or a target: targets print these
nodes, and `verify` says what is well formed.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias, Union

from dsl.base.record import dataclass

MASK_64 = (1 << 64) - 1

ARITHMETIC = ("+", "-", "*", "/", "/u", "%u", "&", "|", "^", "<<", ">>", ">>u")
"""Operators that give a number: `/` rounds towards 0, `/u` and `%u` take both sides as numbers without a sign, `>>u`
fills with zeros, and shifts count modulo 64."""

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", ">u")
"""Operators that give 0 or 1; `>u` takes both sides as numbers without a sign."""


class Reason(IntEnum):
    """The reason for a trap of low code. The host plays the decision again by the reference, which has the message if
    there is one."""

    NONE = 0
    FAULT = 1  # a fault of the rules, or a demand that is not met
    BUDGET = 2  # the work or the passes since the last decision
    ROOM = 3  # a stack, a list, a row of options or the scratch memory is full
    RANGE = 4  # a number outside of the range that was worked out for it
    LOST = 5  # control reached an instruction that is not there
    ENDLESS = 6  # a random game with too many decisions
    GAP = 7  # what is not lowered yet


class Trapped(Exception):
    """Low code gave up."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        super().__init__(f"low code gave up: {reason.name}")


# ------------------------------------------------------------ expressions


@dataclass(frozen=True, slots=True)
class Num:
    value: int


@dataclass(frozen=True, slots=True)
class Local:
    name: str


@dataclass(frozen=True, slots=True)
class Global:
    name: str


@dataclass(frozen=True, slots=True)
class Op:
    """A binary operator of `ARITHMETIC` or `COMPARISONS`; both sides are worked out."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not:
    """1 for 0, else 0."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Both:
    """1 if both are other than 0; the right one is worked out only if the left one is."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Either:
    """1 if one is other than 0; the right one is worked out only if the left one is 0."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Choice:
    """`then` if `test` is other than 0, else `orelse`; only one of them is worked out."""

    test: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, slots=True)
class Lowest:
    """The number of the lowest bit that is set; 64 for 0."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Ones:
    """The number of bits that are set."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Load:
    """The word at `address + offset`; `offset` is 0 or more."""

    address: Expr
    offset: int = 0


@dataclass(frozen=True, slots=True)
class LoadLong:
    """The long number at `address + offset`."""

    address: Expr
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    args: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Portion:
    """`fraction` / 2^53 of `count` in floating point, cut off: what `int(random() * count)` is for a random number."""

    fraction: Expr
    count: Expr


Expr: TypeAlias = Union[
    Num, Local, Global, Op, Not, Both, Either, Choice, Lowest, Ones, Load, LoadLong, Call, Portion,
]  # fmt: skip


# ------------------------------------------------------------ statements


@dataclass(frozen=True, slots=True)
class Set:
    """Set a local variable; before it is set it is 0."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class SetGlobal:
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Store:
    """Write the lower 32 bits of `value`."""

    address: Expr
    offset: int
    value: Expr


@dataclass(frozen=True, slots=True)
class StoreLong:
    address: Expr
    offset: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Copy:
    """Copy `count` words; the regions may overlap."""

    target: Expr
    source: Expr
    count: Expr


@dataclass(frozen=True, slots=True)
class Clear:
    """Set `count` words to 0."""

    target: Expr
    count: Expr


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    then: Body
    orelse: Body = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Carry out `body`; `Leave(label)` inside it goes on behind it."""

    label: str
    body: Body


@dataclass(frozen=True, slots=True)
class Loop:
    """Carry out `body` over and over; `Leave(label)` goes on behind it, `Again(label)` begins the next pass."""

    label: str
    body: Body


@dataclass(frozen=True, slots=True)
class Leave:
    label: str


@dataclass(frozen=True, slots=True)
class Again:
    label: str


@dataclass(frozen=True, slots=True)
class Table:
    """Go to the row with this number, then through all rows behind it; numbers ascend, and one without a row traps."""

    value: Expr
    rows: tuple[tuple[int, Body], ...]


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr


@dataclass(frozen=True, slots=True)
class Do:
    """Work out a value that nobody needs."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Trap:
    """Give up: global `reason` becomes this one, and all calls end."""

    reason: Reason


Stmt: TypeAlias = Union[
    Set, SetGlobal, Store, StoreLong, Copy, Clear, If, Block, Loop, Leave, Again, Table, Return, Do, Trap,
]  # fmt: skip

Body: TypeAlias = tuple[Stmt, ...]

REASON = "reason"  # the global that a trap sets


# ------------------------------------------------------------ modules


@dataclass(frozen=True, slots=True)
class Function:
    """A function, of which all parameters, local variables and the result are numbers; `exported`: the host may call
    it."""

    name: str
    params: tuple[str, ...]
    body: Body
    exported: bool = False


@dataclass(frozen=True, slots=True)
class Module:
    """A module of low code. `words`: how many the memory has; `data`: addresses with the words that stand there at the
    start."""

    functions: tuple[Function, ...]
    globals: tuple[str, ...]
    words: int
    data: tuple[tuple[int, tuple[int, ...]], ...]


def signed(value: int) -> int:
    """A number of 64 bits, as it is with a sign."""
    value &= MASK_64
    return value - (1 << 64) if value >> 63 else value
