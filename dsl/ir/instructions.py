"""Instructions of the intermediate representation: the only places between which control may leave.

They are a flat list shared by the program, addressed by number; between two of them everything lives in the store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, Union

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Span
from dsl.base.types import Type

if TYPE_CHECKING:
    from dsl.ir.expressions import Expr
    from dsl.ir.statements import Stmt


@dataclass(frozen=True, slots=True)
class Run:
    """Run statements, then continue with the next instruction."""

    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Jump:
    target: int
    counted = True


@dataclass(frozen=True, slots=True)
class Branch:
    """Continue with the next instruction if `test` holds, else at `target`."""

    test: Expr
    target: int
    counted = True


@dataclass(frozen=True, slots=True)
class CallI:
    """Push a frame for a suspending procedure; it returns to the next instruction with its value in RV."""

    proc: int
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Enter:
    """Call the procedure whose number stands in `proc` (suspending or not) with args; used where it is known only at
    run time. `choices` are the procedures that may come."""

    proc: Expr
    args: tuple[Expr, ...]
    choices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Give:
    """Set RV and go to `target` (the procedure's epilogue)."""

    value: Expr | None
    target: int


@dataclass(frozen=True, slots=True)
class EndList:
    """Stage two of a frame: while the end list of this frame has items, call the first; then fall through. Also drops
    the frame's timed records."""


@dataclass(frozen=True, slots=True)
class Drain:
    """While no `together` is open: what waits for its end belongs to the running frame from now on, and as long as
    something is left of that, the first is called; then fall through. With `thing`: only what waits in the name of this
    thing (0: of none)."""

    thing: Expr | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Pop the frame and go to its return address (RV is kept)."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the innermost running frame of `procs`: drop the frames inside it with their lists, go to its epilogue; next
    instruction when none is running."""

    procs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Suspend for the decision of `site`. An answer sets its frame variables and leads to the next instruction;
    declining, or having nothing to choose (where the site allows it), leads to `skip`. No option where one is needed
    is a failed demand inside a plan, else a reported dead end."""

    site: int
    skip: int
    counted = True


@dataclass(frozen=True, slots=True)
class Confirm:
    """Go to `target` if the answer in the frame variables of `site` could be given now, else on to the Ask of the same
    site that stands behind."""

    site: int
    target: int
    counted = True


@dataclass(frozen=True, slots=True)
class Chance:
    """Suspend for chance. op: `member` (of the set `a`, into frame var `slot`), `number` (a..b), `shuffle` (zone
    instance a), `piece` (`a` is a dense map of counts: one piece is drawn, each equally likely; the answer is the
    lowest number of `type` plus its position). Nothing to draw: go to `empty` when it is not -1, else a failed
    demand. `audience` is the set of seats that learn the outcome; None: whoever sees what was drawn. `weights` is a
    dense map of how likely each member is, for all numbers of `type`; None: all are equally likely."""

    op: str
    a: Expr
    b: Expr | None
    slot: int
    type: Type | None
    address: str
    empty: int = -1
    span: Span = NOWHERE
    audience: Expr | None = None
    weights: Expr | None = None
    counted = True


@dataclass(frozen=True, slots=True)
class OpenPlan:
    """A plan of the seat that decides for actor `actor` begins (nested: depth + 1)."""

    seat: Expr


@dataclass(frozen=True, slots=True)
class ClosePlan:
    """The plan ends (depth - 1)."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Begin (`begin`) or end the scope of a `perform ... with ... without`: pushes `waive` (a set of causes) and timed
    records."""

    begin: bool
    waive: int = 0
    mods: tuple[tuple[int, tuple[Expr, ...]], ...] = ()
    records = True


@dataclass(frozen=True, slots=True)
class End:
    """The game (or the procedure started by a driver) is over."""


Instr: TypeAlias = Union[
    Run,
    Jump,
    Branch,
    CallI,
    Enter,
    Give,
    EndList,
    Drain,
    Leave,
    Stop,
    Ask,
    Confirm,
    Chance,
    OpenPlan,
    ClosePlan,
    Scope,
    End,
]
