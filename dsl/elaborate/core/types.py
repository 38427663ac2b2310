"""The fit of types: types of values against types that are wanted, and the type that two branches share.

Takes types and values and the model, to which `need` reports what does not fit.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import (
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
from dsl.elaborate.core.build import BAD
from dsl.elaborate.core.scope import Val
from dsl.symbols.symbols import Model, RuleLine


def is_int(t: Type) -> bool:
    """Whether a type is a number, or already refused."""
    return isinstance(t, (IntType, ErrorType))


def captured_types(rule: RuleLine) -> tuple[Type, ...]:
    """Types of the values that a timed line has copied."""
    return tuple(t for _, t in rule.captured)


def element_type(t: Type) -> Type | None:
    """The type of the members of a collection."""
    match t:
        case SetType(elem) | ListType(elem, _):
            return elem
        case BoolType():
            return None
    return None


def item_type(t: MapType | SparseType) -> Type:
    """The type of what stands at a key of a map; amounts are numbers."""
    return t.value if isinstance(t, MapType) else INT


def fits(model: Model, have: Type, want: Type) -> bool:
    """Whether a value of type `have` can stand where `want` is needed."""
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
            return model.fits_kind(have, want) and (want.optional or not have.optional)
        case SetType(a), SetType(b):
            return fits(model, a, b)
        case ListType(a, _), ListType(b, _):
            return fits(model, a, b)
        case ((MapType(keys, _) | SparseType(keys, _)), (MapType(others, _) | SparseType(others, _))):
            same = len(keys) == len(others) and all(fits(model, a, b) for a, b in zip(keys, others, strict=True))
            return same and fits(model, item_type(have), item_type(want))
    return False


def need(model: Model, val: Val, want: Type, span: Span, what: str = "") -> Val:
    """`val`, with a message if it does not fit `want`."""
    if fits(model, val.t, want):
        if isinstance(val.t, SparseType) and isinstance(want, MapType):
            return dense(val, val.t, want)
        return val
    if isinstance(val.t, ListType) and isinstance(want, SetType) and fits(model, val.t.elem, want.elem):
        return Val(ir.ListOp("to_set", (val.e,)), SetType(val.t.elem))  # the things of an ordered zone
    label = what or f"`{model.text(span)}`"
    if isinstance(val.t, MemberType) and isinstance(want, MemberType) and val.t.optional and not want.optional:
        if model.fits_kind(val.t, want):
            model.error(
                "RW0401",
                span,
                f"{label} may be none, and a `{want}` is needed here",
                "test it first: `x is not none and ...`, or `if x is not none`",
            )
            return BAD
    model.error("RW0402", span, f"{label} is `{val.t}`, and `{want}` is needed here", suggestion(val.t, want))
    return BAD


def within(model: Model, val: Val, want: Type, span: Span) -> Val:
    """`need` where a wrong number does harm, as a key or an argument: one that may lie outside is tested in play."""
    val = need(model, val, want, span)
    if not (isinstance(val.t, IntType) and isinstance(want, IntType)):
        return val
    if want.low <= val.t.low and val.t.high <= want.high:
        return val
    text, bounds_text = model.text(span), f"a number from {want.low} to {want.high} is needed here"
    if val.t.high < want.low or want.high < val.t.low:
        known = val.t.low == val.t.high
        model.error(
            "RW0453", span, f"{bounds_text}, not `{text}`" if known else f"`{text}` is {val.t}, and {bounds_text}"
        )
        return BAD
    return Val(ir.Bounded(val.e, want.low, want.high, text, span), want)


def kept(model: Model, val: Val, span: Span) -> Val:
    """A number that is kept, or moves something: one that was worked out and may be too large is tested in play."""
    if not isinstance(val.t, IntType) or INT_LOW < val.t.low and val.t.high < INT_HIGH:
        return val
    if not isinstance(val.e, (ir.Arith, ir.Fold, ir.If, ir.Let, ir.Size, ir.CellSum, ir.Linear)):
        return val
    return Val(ir.Bounded(val.e, INT_LOW, INT_HIGH, model.text(span), span), val.t)


def dense(val: Val, have: SparseType, want: MapType) -> Val:
    """The amounts of an answer as a map with a number for every key."""
    at = 0  # number of the first key of the answer in the map
    for mine, other in zip(have.keys, want.keys, strict=True):
        low, high = bounds(other)
        at = at * (high - low + 1) + bounds(mine)[0] - low
    return Val(ir.ListOp("dense", (val.e, ir.Const(key_count(want.keys)), ir.Const(at))), want)


def overlap(a: MemberType, b: MemberType) -> bool:
    """Whether two types can have a member in common."""
    return a.domain == b.domain or not (a.high < b.low or b.high < a.low)


def suggestion(have: Type, want: Type) -> str | None:
    """A hint how to get a value of type `want` from one of type `have`, where there is one."""
    if isinstance(want, BoolType) and isinstance(have, SetType):
        return "write `some ...` to ask whether there are any"
    if isinstance(want, BoolType) and isinstance(have, IntType):
        return "write `... > 0` to ask whether there are any"
    if isinstance(want, BoolType) and isinstance(have, MemberType):
        return "write `... is not none`, or compare it with something"
    if isinstance(want, IntType) and isinstance(have, (SetType, ListType)):
        return "write `size(...)` for the number of its members"
    if isinstance(want, SetType) and isinstance(have, MemberType):
        return "write `{...}` for a set with one member"
    if isinstance(want, MemberType) and isinstance(have, SetType):
        return "write `first(x in ...)` for one of its members"
    return None


def join(model: Model, a: Type, b: Type) -> Type | None:
    """The common type of two branches; None if they have none."""
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
                if model.fits_kind(x, y):
                    return MemberType(y.domain, y.low, y.high, opt)
            for k in model.kinds.values():
                if k.parts and model.fits_kind(a, k.type) and model.fits_kind(b, k.type):
                    return MemberType(k.name, k.low, k.high, opt)
        case SetType(x), SetType(y):
            if isinstance(x, ErrorType) or isinstance(y, ErrorType):
                return b if isinstance(x, ErrorType) else a  # `{}` fits every set
            inner = join(model, x, y)
            return SetType(inner) if inner is not None else None
        case ListType(x, n), ListType(y, k):
            inner = join(model, x, y)
            return ListType(inner, max(n, k)) if inner is not None else None
    return a if a == b else None
