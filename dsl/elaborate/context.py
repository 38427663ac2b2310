"""What all parts of the elaborator share: the model, the layout, the code made so far, and small builders of IR."""

from __future__ import annotations

from dsl import ir
from dsl.base.span import NOWHERE, Span
from dsl.base.types import (
    BOOL,
    ERROR,
    INT,
    INT_HIGH,
    INT_LOW,
    BoolType,
    ErrorType,
    IntType,
    ListType,
    MapType,
    MemberType,
    NoneType,
    PlaceType,
    SetType,
    SparseType,
    Type,
    bounds,
    key_count,
)
from dsl.elaborate.core.late_demands import Late
from dsl.elaborate.core.reads import Reading
from dsl.elaborate.core.scope import Body, Local, Scope, Val, ZoneRef
from dsl.program import Limits
from dsl.symbols.collect import Collector
from dsl.symbols.layout import Layout
from dsl.symbols.symbols import KindSym, Model, RoutineSym, RuleLine
from dsl.syntax import nodes as sx

ZERO = ir.Const(0)
ONE = ir.Const(1)
BAD = Val(ZERO, ERROR)


def linear(const: int, terms: list[tuple[ir.Expr, int]]) -> ir.Expr:
    """An address: constants and inner sums are folded in."""
    rest: list[tuple[ir.Expr, int]] = []
    for e, stride in terms:
        if isinstance(e, ir.Const):
            const += e.value * stride
        elif isinstance(e, ir.Linear):
            const += e.const * stride
            rest += [(inner, s * stride) for inner, s in e.terms]
        elif stride:
            rest.append((e, stride))
    return ir.Linear(const, tuple(rest)) if rest else ir.Const(const)


def conj(items: list[ir.Expr]) -> ir.Expr:
    flat = [i for e in items for i in (e.items if isinstance(e, ir.And) else (e,)) if e != ONE]
    return ONE if not flat else flat[0] if len(flat) == 1 else ir.And(tuple(flat))


def negate(e: ir.Expr) -> ir.Expr:
    return e.operand if isinstance(e, ir.Not) else ir.Not(e)


def key_offset(keys: tuple[Type, ...], at: list[ir.Expr]) -> ir.Expr:
    """Row-major number of a key."""
    stride = 1
    terms: list[tuple[ir.Expr, int]] = []
    const = 0
    for t, e in reversed(list(zip(keys, at, strict=True))):
        low, high = bounds(t)
        terms.append((e, stride))
        const -= low * stride
        stride *= high - low + 1
    return linear(const, terms)


def clamp(n: int) -> int:
    return max(INT_LOW, min(INT_HIGH, n))


class Base:
    """Shared state of the elaborator; the abstract methods tie its parts together.

    `effect_you` is the kind that acts in each effect; `later` and `later_strips` are blocks that become procedures of
    their own; `resets` are counters to clear when a routine starts, `once_actions` those that an action sets;
    `resolvers` resolve strips.
    """

    collector: Collector
    limits: Limits
    seats_range: tuple[int, int]
    effect_you: dict[int, Type]
    later: list[tuple[RoutineSym, str]]
    later_strips: list[tuple[RoutineSym, sx.Expr]]
    locals_seen: list[Local]
    site_bodies: list[tuple[int, Body]]
    max_deferred: int
    resets: dict[str, list[int]]
    once_actions: dict[str, int]
    resolvers: set[str]
    in_bots: bool

    def __init__(self, model: Model, layout: Layout) -> None:
        self.m = model
        self.lay = layout
        self.functions: list[ir.Function | None] = [None] * len(model.values)
        self.reading = Reading(self.functions)
        self.caused: dict[str, bool] = {}  # purses: whether what they offer depends on what is paid for
        self.procs: dict[int, ir.Proc] = {}
        self.code: list[ir.Instr] = [ir.End()]
        self.sites: list[ir.Site] = []
        self.purse_code: list[ir.Purse | None] = [None] * len(model.purses)
        self.worth_base = len(self.functions)  # the functions of what purses are worth, by the number of the purse
        self.functions += [None] * len(model.purses)
        self.timed: list[RuleLine] = []
        self.locale: dict[str, dict[str, str]] = {}
        self.bad_placeholders: list[tuple[str, str, str]] = []
        self.late = Late(model)
        self.tests: dict[Span, ir.Expr] = {}  # conditions by their place
        self.checks_read: list[tuple[sx.Loop, tuple[ir.Expr, ...]]] = []  # by loop of a check, what it tests
        self.matched: dict[Span, bool] = {}  # chains of `if`: whether they speak of every member of an enum
        self.opened: dict[int, ir.Expr] = {}  # what stands in `openly(...)`, by id
        self.proved: dict[int, frozenset[sx.Expr]] = {}  # what an `is` proves not to be none, by the id of its node

    # ------------------------------------------------------------ tied together by the parts

    def expr(self, node: sx.Expr, scope: Scope, want: Type | None = None) -> Val:
        raise NotImplementedError

    def ref(self, node: sx.Expr, scope: Scope) -> Val | ZoneRef:
        raise NotImplementedError

    def test(self, node: sx.Expr, scope: Scope) -> ir.Expr:
        raise NotImplementedError

    def domain(self, node: sx.Expr, scope: Scope) -> tuple[ir.Domain, Type]:
        raise NotImplementedError

    def read_zone(self, z: ZoneRef) -> Val:
        raise NotImplementedError

    def instance(self, z: ZoneRef) -> ir.Expr:
        raise NotImplementedError

    def fold(self, node: sx.Fold, scope: Scope, want: Type | None) -> Val:
        raise NotImplementedError

    def call_value(self, name: str, args: list[Val], span: Span) -> Val:
        raise NotImplementedError

    # ------------------------------------------------------------ types

    def fits(self, have: Type, want: Type) -> bool:
        match have, want:
            case (ErrorType(), _) | (_, ErrorType()):
                return True
            case (BoolType(), BoolType()) | (IntType(), IntType()) | (PlaceType(), PlaceType()):
                return True
            case NoneType(), MemberType(optional=True):
                return True
            case NoneType(), PlaceType():
                return True
            case MemberType(), MemberType():
                return self.m.fits_kind(have, want) and (want.optional or not have.optional)
            case SetType(a), SetType(b):
                return self.fits(a, b)
            case ListType(a, _), ListType(b, _):
                return self.fits(a, b)
            case ((MapType(keys, _) | SparseType(keys, _)), (MapType(others, _) | SparseType(others, _))):
                return len(keys) == len(others) and all(self.fits(a, b) for a, b in zip(keys, others, strict=True))
        return False

    def need(self, val: Val, want: Type, span: Span, what: str = "") -> Val:
        """`val`, with a message if it does not fit `want`."""
        if self.fits(val.t, want):
            if isinstance(val.t, SparseType) and isinstance(want, MapType):
                return self.dense(val, val.t, want)
            return val
        label = what or f"`{self.m.text(span)}`"
        if isinstance(val.t, MemberType) and isinstance(want, MemberType) and val.t.optional and not want.optional:
            if self.m.fits_kind(val.t, want):
                self.m.error(
                    "RW0401",
                    span,
                    f"{label} may be none, and a `{want}` is needed here",
                    "test it before: `x is not none and ...`, or `if x is not none`",
                )
                return BAD
        self.m.error("RW0402", span, f"{label} is `{val.t}`, and `{want}` is needed here", self.way_out(val.t, want))
        return BAD

    def dense(self, val: Val, have: SparseType, want: MapType) -> Val:
        """The amounts of an answer as a map with a number for every key."""
        at = 0  # where the first key of the answer stands in the map
        for mine, other in zip(have.keys, want.keys, strict=True):
            low, high = bounds(other)
            at = at * (high - low + 1) + bounds(mine)[0] - low
        return Val(ir.ListOp("dense", (val.e, ir.Const(key_count(want.keys)), ir.Const(at))), want)

    def way_out(self, have: Type, want: Type) -> str | None:
        if isinstance(want, BoolType) and isinstance(have, SetType):
            return "write `... is not {}` to ask whether there are any"
        if isinstance(want, BoolType) and isinstance(have, IntType):
            return "write `... > 0` to ask whether there are any"
        if isinstance(want, BoolType) and isinstance(have, MemberType):
            return "write `... is not none`, or compare it with something"
        if isinstance(want, IntType) and isinstance(have, (SetType, ListType)):
            return "write `size(...)` for the number of its members"
        if isinstance(want, SetType) and isinstance(have, MemberType):
            return "write `{...}` for a set of one"
        if isinstance(want, MemberType) and isinstance(have, SetType):
            return "write `first(x in ...)` for one of its members"
        return None

    def join(self, a: Type, b: Type) -> Type | None:
        """The common type of two branches."""
        match a, b:
            case (ErrorType(), _) | (_, ErrorType()):
                return ERROR
            case IntType(l1, h1), IntType(l2, h2):
                return IntType(min(l1, l2), max(h1, h2))
            case NoneType(), MemberType(d, low, high, _):
                return MemberType(d, low, high, True)
            case MemberType(d, low, high, _), NoneType():
                return MemberType(d, low, high, True)
            case MemberType(), MemberType():
                opt = a.optional or b.optional
                for x, y in ((a, b), (b, a)):
                    if self.m.fits_kind(x, y):
                        return MemberType(y.domain, y.low, y.high, opt)
                for k in self.m.kinds.values():
                    if k.parts and self.m.fits_kind(a, k.type) and self.m.fits_kind(b, k.type):
                        return MemberType(k.name, k.low, k.high, opt)
            case SetType(x), SetType(y):
                if isinstance(x, ErrorType):
                    return b
                inner = self.join(x, y)
                return SetType(inner) if inner is not None else None
            case ListType(x, n), ListType(y, k):
                inner = self.join(x, y)
                return ListType(inner, max(n, k)) if inner is not None else None
        return a if a == b else None

    # ------------------------------------------------------------ small helpers

    def of_kind(self, e: ir.Expr, kind: KindSym) -> ir.Expr:
        """Whether a thing is a member of a kind or union: its number lies in one of their ranges."""
        tests = [
            conj([ir.Compare(">=", e, ir.Const(k.low)), ir.Compare("<=", e, ir.Const(k.high))])
            for k in self.m.kind_parts(kind)
        ]
        return tests[0] if len(tests) == 1 else ir.Or(tuple(tests))

    def temp_local(self, scope: Scope, name: str, t: Type, span: Span = NOWHERE) -> Local:
        """A new local in a temp, entered into the scope."""
        slot = scope.body.temp()
        local = Local(name, t, ir.Temp(slot), slot, span=span)
        scope.names[name] = local
        self.m.locals[span, name] = t
        return local

    def bind(self, scope: Scope, name: str, t: Type, span: Span = NOWHERE) -> Local:
        """A new local of a statement: in the frame where the procedure may suspend."""
        if not scope.body.suspends or scope.nested:
            return self.temp_local(scope, name, t, span)
        slot = scope.body.frame(t)
        local = Local(name, t, ir.FrameVar(slot, t), slot, True, span)
        scope.names[name] = local
        self.m.locals[span, name] = t
        return local

    def assign(self, local: Local, value: ir.Expr) -> ir.Stmt:
        if local.framed:
            return ir.SetFrame(local.slot, local.type, value)
        return ir.SetTemp(local.slot, value)

    def hidden_local(self, scope: Scope, t: Type) -> Local:
        """A local without a name."""
        return self.bind(scope.child(), "", t)

    def function(
        self, name: str, params: list[tuple[str, Type]], body: Body, result: Type, e: ir.Expr, span: Span
    ) -> int:
        """Add a function without a name of its own."""
        self.functions.append(ir.Function(name, tuple(params), body.temps, result, e, (), span))
        return len(self.functions) - 1


def is_int(t: Type) -> bool:
    return isinstance(t, (IntType, ErrorType))


def truth(t: Type) -> bool:
    return isinstance(t, (BoolType, ErrorType))


__all__ = [
    "BAD",
    "BOOL",
    "INT",
    "ONE",
    "ZERO",
    "Base",
    "clamp",
    "conj",
    "is_int",
    "key_offset",
    "linear",
    "negate",
    "truth",
]
