"""`alike` behind a choice: things that nobody can tell apart are one option.

Of several such things the first is offered, and of a set of members those that come first. Both are conditions of the
question like any others, so all that lists, searches and explains answers knows them.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import ERROR, MemberType, Type
from dsl.elaborate.alike.things import alike
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ZERO, conj
from dsl.elaborate.core.once import replaced
from dsl.elaborate.core.scope import Body
from dsl.ir.walk import free
from dsl.symbols.symbols import RoutineSym
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx

Binder = tuple[str, int, ir.Domain, Type]
Guards = tuple[ir.Guard, ...]

REFUSED = {
    "number": ("`choose number` offers numbers, which are never alike", "leave out `alike`"),
    "amounts": ("in `choose amounts` each member has an amount of its own", "leave out `alike`"),
    "cases": ("`choose one` offers cases", "put `alike` behind the `case` whose things are meant"),
}
NO_DOMAIN = ir.Domain("set", ZERO)
MANY = ("`alike` is for one name of things", "choose one thing after the other, each with `alike`")


def alike_binder(elab: Elaboration, node: sx.Choose | sx.Case, temps: list[Binder], shape: str) -> Binder | None:
    """The binder that `alike` is about; None without the word, and after a message."""
    found = clause(node, "alike")
    if found is None or any(t == ERROR for _, _, _, t in temps):
        return None
    m = elab.model
    things = [b for b in temps if isinstance(b[3], MemberType) and b[3].domain in m.kinds]
    if shape in REFUSED or len(things) != 1:
        message, help = REFUSED.get(shape, MANY if things else none_of(temps))
        m.error("RW0723", found.span, message, help)
        return None
    domain = things[0][2]
    if domain.kind == "list" and isinstance(domain.a, ir.Cell):
        message = f"the places of `{domain.a.symbol}` have an order, which tells its things apart"
        m.error("RW0723", found.span, message, "leave out `alike`, or `ordered` where the zone is declared")
        return None
    return things[0]


def none_of(temps: list[Binder]) -> tuple[str, str]:
    """What is said where nothing is a thing."""
    what = ", ".join(f"`{name}` is `{t}`" for name, _, _, t in temps) or "there is no name"
    return f"only things of a kind can be alike; {what}", "leave out `alike`"


def one_of_each(
    elab: Elaboration,
    node: sx.Choose | sx.Case,
    shape: str,
    body: Body,
    temps: list[Binder],
    guards: Guards,
    such: Guards = (),
    whole: int = -1,
) -> tuple[Guards, Guards, tuple[int, ir.Expr] | None]:
    """The conditions `where` and `such that` of a question or case with what its `alike` adds, and the things that are
    alike with the one in a temp. `whole`: the temp that holds an answer that is a set."""
    things = alike_binder(elab, node, temps, shape)
    if things is None:
        return guards, such, None
    if shape == "some":
        first, same = first_ones(elab, body, things, guards, whole, node.span)
        return guards, (*such, first), same
    first, same = first_one(elab, body, temps, things, guards + such, node.span)
    return (*guards, first), such, same


def first_one(
    elab: Elaboration, body: Body, temps: list[Binder], binder: Binder, guards: Guards, span: Span
) -> tuple[ir.Guard, tuple[int, ir.Expr]]:
    """The condition that a thing is the first of those that cannot be told apart from it, and these things as a set, by
    the temp of the thing. `guards`: what it has to meet in order to be offered."""
    _, slot, domain, _ = binder
    twin = body.temp()
    kin = as_twin(elab, temps, binder, guards, slot, twin)
    earlier = conj([ir.Compare("<", ir.Temp(twin), ir.Temp(slot)), kin])
    test = ir.Not(ir.Fold("any", ((twin, domain),), earlier, (), None))
    return ir.Guard(test, "", (), span), (slot, all_alike(twin, domain, kin))


def of_an_action(
    elab: Elaboration, body: Body, r: RoutineSym, temps: list[Binder], guards: Guards
) -> tuple[Guards, tuple[int, ir.Expr] | None]:
    """The guards of an action in a menu with the one of its `alike`, and the things that are alike, if the one that it
    is about is to be chosen and not given."""
    things = alike_parameter(elab, r)
    binder = next((b for b in temps if b[0] == things), None)
    if binder is None:
        return guards, None
    first, same = first_one(elab, body, temps, binder, guards, r.span)
    return (*guards, first), same


def alike_parameter(elab: Elaboration, r: RoutineSym) -> str:
    """The parameter that the `alike` of an action is about; empty without the word, and after a message."""
    found = next((c for c in r.clauses if c.word == "alike"), None)
    if found is None:
        return ""
    m = elab.model
    things = [name for name, t in r.params[1:] if isinstance(t, MemberType) and t.domain in m.kinds]
    if len(things) == 1:
        return things[0]
    if not any(t == ERROR for _, t in r.params):
        message, help = MANY if things else none_of([(name, -1, NO_DOMAIN, t) for name, t in r.params[1:]])
        m.error("RW0723", found.span, message, help)
    return ""


def first_ones(
    elab: Elaboration, body: Body, binder: Binder, guards: Guards, whole: int, span: Span
) -> tuple[ir.Guard, tuple[int, ir.Expr]]:
    """The condition that the set in the temp `whole` has of things that cannot be told apart the first ones, and those
    that are so with the thing in a temp."""
    _, slot, domain, _ = binder
    member, twin = body.temp(), body.temp()
    kin = as_twin(elab, [binder], binder, guards, member, twin)
    own = [replaced(g.test, ir.Temp(slot), ir.Temp(member), elab.findings.opened) for g in guards]
    where = conj([ir.Compare("<", ir.Temp(twin), ir.Temp(member)), kin, *own])
    chosen = ir.Or((ir.Not(ir.InSet(ir.Temp(member), ir.Temp(whole))), ir.InSet(ir.Temp(twin), ir.Temp(whole))))
    test = ir.Fold("every", ((member, domain), (twin, domain)), where, (), chosen)
    with_it = as_twin(elab, [binder], binder, guards, slot, twin)
    return ir.Guard(test, "", (), span), (slot, all_alike(twin, domain, with_it))


def as_twin(elab: Elaboration, temps: list[Binder], binder: Binder, guards: Guards, slot: int, twin: int) -> ir.Expr:
    """Whether the thing in the temp `twin` is offered as well, but for `alike`, and cannot be told apart from the one
    in `slot`."""
    _, own, domain, t = binder
    assert isinstance(t, MemberType)
    opened = elab.findings.opened
    tests = [alike(elab, t, ir.Temp(twin), ir.Temp(slot), lies_where_it_is_seen(elab, binder, guards))]
    for _, other, d, _ in temps:  # what ranges over something of the thing
        if other != own and own in free((d.a, d.b)):
            a, b = replaced((d.a, d.b), ir.Temp(own), ir.Temp(twin), opened)
            member = ir.Temp(other)
            if b is not None:
                tests += [ir.Compare("<=", a, member), ir.Compare("<=", member, b)]
            else:
                tests.append(ir.InList(member, a) if d.kind == "list" else ir.InSet(member, a))
    return conj(tests + [replaced(g.test, ir.Temp(own), ir.Temp(twin), opened) for g in guards])


def all_alike(twin: int, domain: ir.Domain, kin: ir.Expr) -> ir.Expr:
    """The set of the things that are alike."""
    return ir.Fold("set", ((twin, domain),), kin, (), ir.Temp(twin))


def lies_where_it_is_seen(elab: Elaboration, binder: Binder, guards: Guards) -> bool:
    """Whether all that a binder offers is known to be in zones that the one who is asked has to see anyway."""
    _, slot, domain, _ = binder
    zones = {z.symbol for z in elab.model.all_zones() if z.kind}

    def is_inside(e: object) -> bool:
        match e:
            case ir.Cell(symbol=symbol):
                return symbol in zones
            case ir.Fold("set", ((member, inner),), body=ir.Temp(given)) if member == given:
                return is_inside(inner.a)
            case ir.Arith("|", left, right):
                return is_inside(left) and is_inside(right)
            case ir.Arith("&", left, right):
                return is_inside(left) or is_inside(right)
            case ir.Arith("&~", left, _):
                return is_inside(left)
            case ir.MakeSet(items):
                return all(map(is_inside, items))
        return False

    tests = [test for g in guards for test in (g.test.items if isinstance(g.test, ir.And) else (g.test,))]
    within = [e.set for e in tests if isinstance(e, ir.InSet) and e.member == ir.Temp(slot)]
    return domain.kind != "range" and any(is_inside(e) for e in (domain.a, *within))
