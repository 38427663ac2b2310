"""Names in scope while a body is elaborated, and the temps and frame variables that hold them.

A `Body` is one procedure, value or choice under construction: it hands out slots. A `Scope` is a chain of local
names over it, with the scope words (`this`, `you`, `owner` ...) and the paths known not to be none.
"""

from __future__ import annotations

from dataclasses import field, replace

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Span
from dsl.base.types import Type, width
from dsl.symbols.symbols import Model, ZoneSym
from dsl.syntax import nodes as sx


@dataclass(slots=True)
class Local:
    """A local name. `slot` is a temp or (in a frame) a frame variable's slot; `assignable`: `set` may change it."""

    name: str
    type: Type
    read: ir.Expr
    slot: int = -1
    framed: bool = False
    span: Span = NOWHERE
    assignable: bool = False
    used: bool = False
    param: bool = False


@dataclass(slots=True)
class Body:
    """Slots of one procedure or function. `suspends`: locals of statements are kept in the frame. `shared` are
    locals that several places use one after the other."""

    name: str
    suspends: bool = False
    temps: int = 0
    words: int = 0
    shared: dict[object, Local] = field(default_factory=dict)

    def temp(self) -> int:
        """The slot of a new temp."""
        self.temps += 1
        return self.temps - 1

    def frame(self, t: Type) -> int:
        """The slot of a new frame variable of type `t`."""
        slot = self.words
        self.words += width(t)
        return slot


@dataclass(slots=True)
class Scope:
    """`this` is the thing whose text this is (0: none); `you` the acting local; `special` holds cause, amount,
    so_far, over; `known` are the facts that conditions have proved."""

    body: Body
    parent: Scope | None = None
    names: dict[str, Local] = field(default_factory=dict)
    this: int = 0
    you: Local | None = None
    special: dict[str, Local] = field(default_factory=dict)
    known: frozenset[sx.Expr] = frozenset()
    address: str = ""
    nested: bool = False  # inside one statement: locals are temps

    def child(self) -> Scope:
        """A scope inside this one."""
        return Scope(self.body, self, {}, self.this, self.you, self.special, self.known, self.address, self.nested)

    def find(self, name: str) -> Local | None:
        """The local of this name, the innermost first."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def all_names(self) -> list[str]:
        """All names, the innermost first."""
        names: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            names += scope.names
            scope = scope.parent
        return names

    def all_locals(self) -> list[Local]:
        """All locals that a name can reach."""
        result: dict[str, Local] = {}
        scope: Scope | None = self
        while scope is not None:
            for name, local in scope.names.items():
                result.setdefault(name, local)
            scope = scope.parent
        return list(result.values())

    def knowing(self, paths: frozenset[sx.Expr]) -> Scope:
        """A scope inside this one in which these facts are known, too."""
        s = self.child()
        s.known = self.known | paths
        return s


@dataclass(frozen=True, slots=True)
class Val:
    """A typed expression."""

    e: ir.Expr
    t: Type


@dataclass(frozen=True, slots=True)
class ZoneRef:
    """A zone, perhaps with index and face of its pieces: not yet a value. `holder` is None for a global zone; `member`
    is the number, from 0, of the member that a zone by member is for, and None until it is chosen."""

    zone: ZoneSym
    holder: ir.Expr | None
    index: tuple[ir.Expr, ...] = ()
    face: int | None = None
    span: Span = NOWHERE
    member: ir.Expr | None = None

    def of(self, index: tuple[ir.Expr, ...], face: int | None, span: Span | None = None) -> ZoneRef:
        """The same zone with this index and face of its pieces."""
        return replace(self, index=index, face=face, span=span or self.span)


def temp_local(model: Model, scope: Scope, name: str, t: Type, span: Span = NOWHERE) -> Local:
    """A new local in a temp, entered into the scope."""
    slot = scope.body.temp()
    local = Local(name, t, ir.Temp(slot), slot, span=span)
    scope.names[name] = local
    model.locals[span, name] = t
    return local


def bind(model: Model, scope: Scope, name: str, t: Type, span: Span = NOWHERE) -> Local:
    """A new local of a statement: in the frame where the procedure may suspend."""
    if not scope.body.suspends or scope.nested:
        return temp_local(model, scope, name, t, span)
    slot = scope.body.frame(t)
    local = Local(name, t, ir.FrameVar(slot, t), slot, True, span)
    scope.names[name] = local
    model.locals[span, name] = t
    return local


def assign(local: Local, value: ir.Expr) -> ir.Stmt:
    """The statement that sets a local."""
    if local.framed:
        return ir.SetFrame(local.slot, local.type, value)
    return ir.SetTemp(local.slot, value)


def hidden_local(model: Model, scope: Scope, t: Type) -> Local:
    """A local without a name."""
    return bind(model, scope.child(), "", t)
