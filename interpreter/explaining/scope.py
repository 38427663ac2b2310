"""The scope in which a condition is read: the position, the reader, and what the names in the condition stand for.

A `ReadingScope` belongs to the question, or to a value that was called on the way to a condition. All that is worked
out here is worked out for one reader: `is_visible` says whether an expression may be used to tell anything at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.base.types import BOOL, INT, ListType, MemberType, SetType, Type
from dsl.ir.walk import walk
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words
from interpreter.rules.names import members
from interpreter.rules.pieces import counted_by
from interpreter.session.decision import Decision
from interpreter.visibility.cells import hidden_from

NUMBERS = ("count", "distance")
SETS = ("set", "tied", "reach", "nearest")


@dataclass(frozen=True, slots=True)
class ReadingScope:
    """The position and the bound names with which an expression is read for a seat. `words`: the position; `temps` and
    `types`: values and types of bound names; `lets`: the blocks with names around the expression; `given`: what a
    parameter of a value was called with, and where. `depth`: calls so far."""

    decision: Decision
    seat: int
    words: Words
    temps: dict[int, Any] = field(default_factory=dict)
    types: dict[int, Type] = field(default_factory=dict)
    lets: tuple[ir.Let | ir.LazyLet, ...] = ()
    given: dict[int, tuple[ir.Expr, ReadingScope]] = field(default_factory=dict)
    depth: int = 0


def scope_of(
    decision: Decision, seat: int, temps: dict[int, Any], types: dict[int, Type] | None = None
) -> ReadingScope:
    """The scope of a condition of the question itself."""
    return ReadingScope(decision, seat, decision.words, temps, types or {})


def binding(scope: ReadingScope, slot: int, value: Any, type_: Type | None) -> ReadingScope:
    """The scope with one more name."""
    types = scope.types | ({slot: type_} if type_ is not None else {})
    return replace(scope, temps=scope.temps | {slot: value}, types=types)


def inside(scope: ReadingScope, let: ir.Let | ir.LazyLet) -> ReadingScope:
    """The scope of the body of a `let`."""
    return replace(scope, lets=(*scope.lets, let))


def called(scope: ReadingScope, call: ir.CallFn) -> ReadingScope | None:
    """The scope of the body of a value that is called; None if the reader may not see an argument."""
    function = scope.decision.game.program.functions[call.fn]
    if not all(is_visible(scope, arg) for arg in call.args):
        return None
    temps = {slot: evaluate(scope, arg) for slot, arg in enumerate(call.args)}
    types = {slot: type_ for slot, (_, type_) in enumerate(function.params)}
    given = {slot: (arg, scope) for slot, arg in enumerate(call.args)}
    return ReadingScope(scope.decision, scope.seat, scope.words, temps, types, (), given, scope.depth + 1)


def _whole(scope: ReadingScope, e: ir.Expr) -> ir.Expr:
    for let in reversed(scope.lets):
        e = replace(let, body=e)
    return e


def evaluate(scope: ReadingScope, e: ir.Expr) -> Any:
    """The value of an expression. Raises RulesetError where it has none."""
    decision = scope.decision
    return decision.game.evaluate(scope.words, _whole(scope, e), scope.temps, decision.site.temps)


def is_visible(scope: ReadingScope, e: ir.Expr) -> bool:
    """True if the reader may see all that an expression reads; False if it has no value."""
    decision = scope.decision
    if decision.keeps(e, scope.seat):
        return False
    try:
        return not hidden_from(decision.game, scope.words, _whole(scope, e), scope.temps, scope.seat)
    except RulesetError:
        return False


def slot_cell(e: ir.Expr) -> ir.Cell | None:
    """The cell of a zone for one counted piece, if the expression is the index of the piece in it."""
    if isinstance(e, ir.If) and isinstance(e.test, ir.Compare) and isinstance(e.test.left, ir.Cell):
        code = e.test.left
        if e.test == ir.Compare(">", code, ir.Const(0)) and e.orelse == ir.Const(0) and code.symbol:
            return code
    return None


def type_of(scope: ReadingScope, e: ir.Expr) -> Type | None:
    """The type of an expression, as far as its form says it."""
    program = scope.decision.game.program
    match e:
        case ir.Cell(type=type_) | ir.FrameVar(type=type_) | ir.FrameItem(type=type_):
            return type_
        case ir.Temp(slot=slot):
            return scope.types.get(slot)
        case ir.CallFn(fn=fn):
            return program.functions[fn].result
        case ir.TableGet(table=table):
            return next((t for number, t in program.consts.values() if number == table), None)
        case ir.If(then=then, orelse=orelse):
            cell = slot_cell(e)
            if cell is not None:
                entry = next(x for x in scope.decision.game.layout if x.symbol == cell.symbol)
                return next(iter(counted_by(scope.decision.game, entry)[-1:]), None)
            return type_of(scope, then) or type_of(scope, orelse)
        case ir.Let(body=body) | ir.LazyLet(body=body):
            return type_of(inside(scope, e), body)
        case ir.Force(slot=slot):
            let = next((x for x in reversed(scope.lets) if x.slot == slot), None)
            return type_of(scope, let.value) if let is not None else None
        case ir.ByPlace(read=read):
            return type_of(scope, read)
        case ir.MakeSet(items=items):
            return next((SetType(t) for t in (type_of(scope, i) for i in items) if t is not None), None)
        case ir.Arith(op="|" | "&" | "&~", left=left, right=right):
            return type_of(scope, left) or type_of(scope, right)
        case ir.Arith() | ir.Linear() | ir.Size() | ir.CellSum():
            return INT
        case ir.RangeSet(high=ir.Cell(address=ir.Const(hdr.SEATS))):
            return SetType(_members(program.domains[program.seat_kind]))
        case ir.Not() | ir.And() | ir.Or() | ir.Compare() | ir.InSet() | ir.InList() | ir.Subset():
            return BOOL
        case ir.Reach(gives=gives):
            return INT if gives in NUMBERS else None
        case ir.Fold():
            return _type_of_fold(scope, e)
        case ir.ListOp(op="front" | "last", args=args):
            inner = type_of(scope, args[0])
            return inner.elem if isinstance(inner, (ListType, SetType)) else None
    return None


def _type_of_fold(scope: ReadingScope, e: ir.Fold) -> Type | None:
    if e.kind == "count":
        return INT
    if e.kind in ("any", "every"):
        return BOOL
    inner = scope
    for slot, domain in e.binders:
        inner = binding(inner, slot, 0, member_type(inner, domain, slot, e))
    found = type_of(inner, e.body) if e.body is not None else None
    return SetType(found) if found is not None and e.kind in SETS else found


def member_type(scope: ReadingScope, domain: ir.Domain, slot: int = -1, used: ir.Expr | None = None) -> Type | None:
    """The type of the members of a domain; where its form leaves it open, that of name `slot` by its use in `used`."""
    if domain.kind == "range":
        return INT
    found = type_of(scope, domain.a)
    if isinstance(found, (SetType, ListType)):
        return found.elem
    fitting = domains_of(scope, domain.a.value) if isinstance(domain.a, ir.Const) else []
    if len(fitting) > 1 and used is not None:
        by_use = used_as(scope, slot, used)
        fitting = [d for d in fitting if d.name == by_use] or fitting
    return _members(fitting[0]) if len(fitting) == 1 else None


def domains_of(scope: ReadingScope, mask: Any) -> list[ir.DomainInfo]:
    """The enums, kinds and unions whose members are exactly these."""
    if not isinstance(mask, int) or mask <= 0:
        return []
    wanted = tuple(members(mask))
    return [d for d in scope.decision.game.program.domains.values() if tuple(sorted(d.values)) == wanted]


def _members(domain: ir.DomainInfo) -> Type:
    return MemberType(domain.name, min(domain.values), max(domain.values))


def used_as(scope: ReadingScope, slot: int, used: ir.Expr) -> str:
    """The domain of a name, by the values that take it as an argument and the cells that are its own."""
    program, name = scope.decision.game.program, ir.Temp(slot)
    tables = {number: symbol for symbol, (number, _) in program.consts.items()}
    for node in walk(used):
        if isinstance(node, ir.CallFn) and name in node.args:
            type_ = program.functions[node.fn].params[node.args.index(name)][1]
            if isinstance(type_, MemberType):
                return type_.domain
        at = node.address if isinstance(node, (ir.Cell, ir.CellSum)) else getattr(node, "offset", None)
        symbol = getattr(node, "symbol", "") or tables.get(getattr(node, "table", -1), "")
        if isinstance(at, ir.Linear) and "." in symbol and name in [term for term, _ in at.terms]:
            return symbol.partition(".")[0]
    return ""


def values_of(scope: ReadingScope, domain: ir.Domain) -> list[Any]:
    """The members of a domain."""
    first = evaluate(scope, domain.a)
    if domain.kind == "range":
        assert domain.b is not None
        return list(range(first, evaluate(scope, domain.b) + 1))
    return members(first) if domain.kind == "set" else list(first)
