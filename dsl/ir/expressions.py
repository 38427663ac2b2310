"""Expressions of the intermediate representation: small trees that read the store and never suspend.

Those without parts are in `dsl.ir.atoms`; `Expr` is any of both. Values are ints and tuples as `dsl.base.types`
describes. `Linear(const, ((e, stride), ...))` is `const + sum(e * stride)`.
"""

from __future__ import annotations

from typing import Any, TypeAlias, Union

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Span
from dsl.base.types import Type
from dsl.ir.atoms import Atom


@dataclass(frozen=True, slots=True)
class FrameItem:
    """One item of a dense map kept in the frame: words at `slot + offset`."""

    slot: int
    offset: Expr
    type: Type
    settles = True
    reads = "local item"


@dataclass(frozen=True, slots=True)
class Pending:
    """The order of the first item that waits in the name of a thing on the end list of the running frame: the seat that
    orders it (`seat`), or its place in source order (`rank`, from 1). 0: nothing waits in its name."""

    thing: Expr
    what: str
    settles = True
    reads = "frames"


@dataclass(frozen=True, slots=True)
class Cell:
    """Load from the declared state at the given address; `symbol` names the layout entry."""

    address: Expr
    type: Type
    symbol: str = ""
    reads = "cells"


@dataclass(frozen=True, slots=True)
class CellSum:
    """Sum of `count` one-word cells from `address` on, `stride` words apart."""

    address: Expr
    count: int
    stride: int = 1
    symbol: str = ""
    reads = "cells"


@dataclass(frozen=True, slots=True)
class Linear:
    const: int
    terms: tuple[tuple[Expr, int], ...]
    pure = True


@dataclass(frozen=True, slots=True)
class TableGet:
    """Item `offset` of constant table `table` of the program."""

    table: int
    offset: Expr
    pure = True
    tabled = True
    faulty = True


@dataclass(frozen=True, slots=True)
class RangeTable:
    """Lookup by ranges: the value of the first (low, high, value) row that holds `key`; the last is the fallback."""

    rows: tuple[tuple[int, int, Any], ...]
    key: Expr
    pure = True
    tabled = True
    faulty = True


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expr
    pure = True
    truth = True


@dataclass(frozen=True, slots=True)
class And:
    items: tuple[Expr, ...]
    pure = True
    truth = True


@dataclass(frozen=True, slots=True)
class Or:
    items: tuple[Expr, ...]
    pure = True
    truth = True


@dataclass(frozen=True, slots=True)
class If:
    """`then if test else orelse`, an expression."""

    test: Expr
    then: Expr
    orelse: Expr
    pure = True


@dataclass(frozen=True, slots=True)
class Arith:
    """An operation on two numbers or sets. op: `+ - *`, `mod` (right above 0), `min`, `max`, `div_up`, `div_down`,
    `half_up` (right unused), `half_down`, `|` `&` `&~` (sets)."""

    op: str
    left: Expr
    right: Expr
    pure = True


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison. op: `== != < <= > >=`, gives 0 or 1; `==` compares any two values of one type."""

    op: str
    left: Expr
    right: Expr
    pure = True
    truth = True


@dataclass(frozen=True, slots=True)
class InSet:
    """1 if bit `member` of `set` is set (0 for member 0)."""

    member: Expr
    set: Expr
    pure = True
    truth = True


@dataclass(frozen=True, slots=True)
class Subset:
    """1 if every member of `left` is in `right`."""

    left: Expr
    right: Expr
    pure = True
    truth = True


@dataclass(frozen=True, slots=True)
class InList:
    member: Expr
    list: Expr
    pure = True
    truth = True


@dataclass(frozen=True, slots=True)
class MakeSet:
    """Set of the given members; 0 (none) adds nothing."""

    items: tuple[Expr, ...]
    pure = True


@dataclass(frozen=True, slots=True)
class RangeSet:
    """Set of the ints low..high."""

    low: Expr
    high: Expr
    pure = True


@dataclass(frozen=True, slots=True)
class Size:
    """Members of a set (`set`), items of a list or entries of a sparse map (`list`), sum of the amounts of a sparse or
    dense map of ints (`total`)."""

    kind: str
    operand: Expr
    pure = True


@dataclass(frozen=True, slots=True)
class Bounded:
    """A number that has to lie from `low` to `high`: anything else is a reported error. `text`: what it is in the
    rules, and where."""

    value: Expr
    low: int
    high: int
    text: str
    span: Span
    faulty = True


@dataclass(frozen=True, slots=True)
class ListItem:
    """`list[index]`, from 1; an index outside is a reported error."""

    list: Expr
    index: Expr
    pure = True


@dataclass(frozen=True, slots=True)
class ListOp:
    """An operation on lists. op: `insert` (list, item, index: after it the item is number index + 1), `without` (list,
    set to drop), `concat`, `dense` (a sparse map as one of so many items, its key number 0 at that place), `to_set`,
    `to_list` (of a set), `front`, `last` (an item or 0), `front_some`, `last_some` (list, how many), `place` (item,
    list: 1.. or 0)."""

    op: str
    args: tuple[Expr, ...]
    pure = True


@dataclass(frozen=True, slots=True)
class MapItem:
    """Item `offset` of a dense map value; for a sparse one the amount under key number `offset` (0 where none)."""

    map: Expr
    offset: Expr
    sparse: bool = False
    pure = True


@dataclass(frozen=True, slots=True)
class MapWith:
    """A dense map value with item `offset` replaced."""

    map: Expr
    offset: Expr
    value: Expr
    pure = True


@dataclass(frozen=True, slots=True)
class CallFn:
    """Call of a pure function of the program."""

    fn: int
    args: tuple[Expr, ...]
    faulty = True
    settles = True


@dataclass(frozen=True, slots=True)
class Domain:
    """The range of a binder: `set` (a), `list` (a), `range` (a..b)."""

    kind: str
    a: Expr
    b: Expr | None = None


@dataclass(frozen=True, slots=True)
class Fold:
    """A fold over all combinations of members that its binders give. kind: count, sum, max, min, any, every, set, list,
    table, first, only, tied, ranked, tiers.

    `binders` are (temp slot, domain), the later ones inside the earlier ones; `where` is tested innermost. `keys` are
    (highest?, expression). `body` is the folded value (for `set`/`list` the member; for first/only/tied/ranked/tiers
    the member is the last binder). max/min of nothing give `empty`; first of nothing is a failed demand (`required`) or
    0; only: 0 when tied or empty; `table` gives a dense map over all keys of `table_keys` (low, high per binder),
    `empty` where no member lies.
    """

    kind: str
    binders: tuple[tuple[int, Domain], ...]
    where: Expr | None
    keys: tuple[tuple[bool, Expr], ...]
    body: Expr | None
    empty: Any = 0
    required: bool = False
    table_keys: tuple[tuple[int, int], ...] = ()
    span: Span = NOWHERE
    faulty = True
    settles = True


@dataclass(frozen=True, slots=True)
class ByPlace:
    """A value that depends on where a thing lies, said in two ways. `meaning` searches the zones that may hold a thing;
    `read` gives the same from the place stored with the thing. Explanations of what an expression reads, and why,
    follow `meaning`."""

    read: Expr
    meaning: Expr


@dataclass(frozen=True, slots=True)
class Reach:
    """Set of nodes reachable from `start`: temp x is the node stood on, temp y the next, `next` the set of neighbours
    of x, `where` whether the step is open, `costs` (cost of the step, budget) pairs. Start nodes are included. `gives`:
    `reach` that set, `nearest` those of `to` at the end of a shortest way, `distance` its length (`empty`: no way)."""

    start: Expr
    x: int
    y: int
    next: Expr
    where: Expr | None
    costs: tuple[tuple[Expr, Expr], ...]
    gives: str = "reach"
    to: Expr | None = None
    empty: int = 0
    faulty = True
    settles = True


@dataclass(frozen=True, slots=True)
class TimedFold:
    """Sum (op `+`), or any (op `or`), or last (op `to`: value of the latest whose `where` holds, else `base`), or the
    least or greatest of `base` and those whose `where` holds (op `min`, `max`), or the list (op `list`: of those whose
    `where` holds, the oldest first) over the live records of a timed line: the captured values are bound to temps
    `slot, slot+1, ...` while `where` and `body` are read. `base` is what no record gives."""

    line: int
    op: str
    slot: int
    where: Expr | None
    body: Expr
    base: Expr | None = None
    types: tuple[Type, ...] = ()  # of the captured values
    settles = True
    reads = "timed"


@dataclass(frozen=True, slots=True)
class Possible:
    """1 if the action (a procedure) with these arguments could be completed by some choices of the actor
    (docs/manual/11-plans.md). `waive` is a set of causes whose payments are waived; `mods` are timed lines with
    captured values that hold meanwhile; `actor` says which of the arguments acts (-1: the last)."""

    proc: int
    args: tuple[Expr, ...]
    waive: int = 0
    mods: tuple[tuple[int, tuple[Expr, ...]], ...] = ()
    actor: int = 0
    settles = True
    records = True
    reads = "position"


@dataclass(frozen=True, slots=True)
class Payable:
    """1 if `amount` can be paid from purse `purse` with these arguments (`Purse` of the program)."""

    purse: int
    args: tuple[Expr, ...]
    amount: Expr
    settles = True
    reads = "position"


@dataclass(frozen=True, slots=True)
class Payments:
    """The number of ways to pay `amount` from purse `purse`, or to gain it; they are ordered by the keys of its
    default. `most`: count no further than this (0: count all)."""

    purse: int
    args: tuple[Expr, ...]
    amount: Expr
    gain: bool = False
    most: int = 0
    settles = True
    reads = "position"


@dataclass(frozen=True, slots=True)
class Waived:
    """1 if payments with this cause are waived by the nearest running `perform ... without`."""

    cause: Expr
    reads = "waiver"


@dataclass(frozen=True, slots=True)
class Let:
    """`body` with temp `slot` set to `value`."""

    slot: int
    value: Expr
    body: Expr
    settles = True


@dataclass(frozen=True, slots=True)
class LazyLet:
    """`body`, in which `Force(slot)` is `value`, worked out where it is first read, once, and never if it is not."""

    slot: int
    value: Expr
    body: Expr
    settles = True


Expr: TypeAlias = Union[
    Atom, FrameItem, Cell, CellSum, Linear, TableGet, RangeTable, Not, And, Or, If, ByPlace, Arith, Compare, InSet,
    Subset, InList, MakeSet, RangeSet, Size, Bounded, ListItem, ListOp, MapItem, MapWith, CallFn, Fold, Reach,
    TimedFold, Possible, Payable, Payments, Pending, Waived, Let, LazyLet,
]  # fmt: skip
