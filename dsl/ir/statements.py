"""Statements of the intermediate representation: small trees that change the store and never suspend.

A procedure that cannot suspend is one of these trees; in others they stand in `Run` instructions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, Union, get_args

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Span
from dsl.base.types import Type

if TYPE_CHECKING:
    from dsl.ir.expressions import Domain, Expr


@dataclass(frozen=True, slots=True)
class SetTemp:
    slot: int
    value: Expr
    quiet = True


@dataclass(frozen=True, slots=True)
class SetFrame:
    """Set a frame variable; with `offset` one item of a dense map (type is then the item's)."""

    slot: int
    type: Type
    value: Expr
    offset: Expr | None = None
    quiet = True
    settles = True


@dataclass(frozen=True, slots=True)
class Store:
    """Write a value into the declared state. An int outside its type's bounds is a reported ruleset error. `symbol`
    names the layout entry (for traces and dependencies)."""

    address: Expr
    type: Type
    value: Expr
    symbol: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Pool:
    """One end of a transfer of counted pieces. kind: `count` (a word that counts), `slot` (a word that holds the code
    of its single piece, 0 when empty; `code` is the code of the moved piece), `endless` (a supply without limit; no
    word)."""

    kind: str
    address: Expr | None
    code: Expr | None
    symbol: str


@dataclass(frozen=True, slots=True)
class Transfer:
    """Move `amount` equal pieces. `exact`: too few pieces (or no room) is a failed demand; else as many as there are
    move. Temp `moved`, if not None, takes the number that moved. A negative amount is a reported ruleset error.
    `limit`: room at the destination (None: no limit; a slot has 1)."""

    amount: Expr
    source: Pool
    target: Pool
    exact: bool
    limit: int | None
    moved: int | None
    what: str
    cause: Expr | None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class MoveThing:
    """Move a thing from wherever it is to zone instance `zone`; `at`: None, `top`, `bottom` or an expression (number,
    from 0: how many stay in front of it).

    An ordered zone is read from its top: item 1 is the top. `at top` puts in front, `at bottom` (and no `at`) behind
    the last. A full zone is a failed demand. Thing 0 (none) moves nothing. Zone 0 is the unnamed box.
    """

    thing: Expr
    zone: Expr
    at: Union[str, Expr, None]
    cause: Expr | None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class IfS:
    test: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class While:
    test: Expr
    body: tuple[Stmt, ...]
    span: Span = NOWHERE
    settles = True


@dataclass(frozen=True, slots=True)
class For:
    """Frozen loop: the domain is read once."""

    slot: int
    domain: Domain
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost loop."""

    leaves = True


@dataclass(frozen=True, slots=True)
class Continue:
    """Next pass of the innermost loop."""

    leaves = True


@dataclass(frozen=True, slots=True)
class Return:
    """Leave a procedure that does not suspend; the value goes to RV."""

    value: Expr | None
    leaves = True


@dataclass(frozen=True, slots=True)
class CallS:
    """Call of a procedure that does not suspend; its value is in RV afterwards."""

    proc: int
    args: tuple[Expr, ...]
    settles = True


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition with what is needed to explain it: its text, clauses, place, and the operands worth showing (text,
    expression, type). `key` names its text in the locale. Without a text it is no condition of the rules but what
    `alike` stands for."""

    test: Expr
    text: str
    cites: tuple[str, ...]
    span: Span
    parts: tuple[tuple[str, Expr, Type], ...] = ()
    key: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Require:
    """A demand: false fails the plan; outside a plan it is a reported ruleset error."""

    guard: Guard
    settles = True


@dataclass(frozen=True, slots=True)
class Defer:
    """Put a procedure with argument values on the end list of the innermost running frame of `procs`; with no `procs`
    on the list of the open `together` (tag 0), which `Drain` works off. `order`: the thing in whose name it waits, the
    seat that orders it (0: none), and its place in source order, from 1; empty where nobody orders."""

    procs: tuple[int, ...]
    proc: int
    args: tuple[Expr, ...]
    span: Span = NOWHERE
    order: tuple[Expr, ...] = ()
    settles = True
    records = True


@dataclass(frozen=True, slots=True)
class Timed:
    """Make a timed record of `line` with captured values, alive until the innermost running frame of `procs` ends."""

    procs: tuple[int, ...]
    line: int
    values: tuple[Expr, ...]
    span: Span = NOWHERE
    types: tuple[Type, ...] = ()
    settles = True
    records = True


@dataclass(frozen=True, slots=True)
class Pay:
    """Pay `amount` from a purse in the default way; an amount that cannot be paid is a failed demand. `gain` is the
    mirror image (exactly, else the nearest amount below)."""

    purse: int
    args: tuple[Expr, ...]
    amount: Expr
    gain: bool
    cause: Expr | None
    span: Span = NOWHERE
    way: Expr | None = None  # the number of a way, the default is the first; 0 or None: the default
    settles = True


@dataclass(frozen=True, slots=True)
class Show:
    """The seats of `seats` (a set) now know the things of `things` (a set)."""

    things: Expr
    seats: Expr
    span: Span = NOWHERE
    settles = True


@dataclass(frozen=True, slots=True)
class Forget:
    """An answer that only `seats` saw named `named` of `things` (all sets): the others no longer know where any of
    these things is, unless they see its zone, or everything in that zone was named."""

    things: Expr
    named: Expr
    seats: Expr
    settles = True


@dataclass(frozen=True, slots=True)
class Together:
    """+1 / -1 on the depth of `together`."""

    delta: int
    settles = True


@dataclass(frozen=True, slots=True)
class AtomicEnd:
    """An atomic change of these symbols is complete: in checking runs the invariants that read one of them are tested
    (not while a `together` is open or checks act)."""

    symbols: tuple[str, ...]
    span: Span = NOWHERE
    quiet = True


@dataclass(frozen=True, slots=True)
class Note:
    """A mark for traces only: a rule line with this address and these clauses took effect."""

    address: str
    cites: tuple[str, ...]
    quiet = True


Stmt: TypeAlias = Union[
    SetTemp,
    SetFrame,
    Store,
    Transfer,
    MoveThing,
    IfS,
    While,
    For,
    Break,
    Continue,
    Return,
    CallS,
    Require,
    Defer,
    Timed,
    Pay,
    Show,
    Forget,
    Together,
    AtomicEnd,
    Note,
]

STATEMENTS: tuple[type, ...] = get_args(Stmt)
