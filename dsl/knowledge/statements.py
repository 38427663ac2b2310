"""The knowledge that statements give, and what is known of the variables behind them.

Takes a `FollowedRoutine` and an environment, which it changes; `under` is what decides whether a statement is carried
out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from dsl import ir
from dsl.elaborate.core.reads import nodes
from dsl.knowledge.identity import Env, identify, variable
from dsl.knowledge.labels import (
    EVERYBODY,
    OPEN,
    PUBLIC,
    Fact,
    Label,
    Secret,
    Seer,
    Who,
    also,
    bare,
    each_label,
    plain,
    with_seer,
)
from dsl.knowledge.run import (
    Effect,
    EffectTarget,
    FollowedRoutine,
    call,
    demand,
    disclose,
    done,
    give,
    marked_fact,
    records,
    target_at,
)
from dsl.knowledge.state import SHOWN, add, change, join, leave_join, put, show_zone
from dsl.knowledge.values import fact, label, opened_fact, owner_of, pool_label


def statements(run: FollowedRoutine, body: tuple[ir.Stmt, ...], env: Env, under: Label) -> None:
    """Follow statements in order: set in `env` what they change, and add what they tell to `run`; `under` decides
    whether they are carried out."""
    for s in body:
        STATEMENTS.get(type(s), nothing)(run, s, env, under | run.escapes)


def nothing(run: FollowedRoutine, s: Any, env: Env, under: Label) -> None:
    """A statement that keeps nothing and shows nothing by itself."""


def set_temp(run: FollowedRoutine, s: ir.SetTemp, env: Env, under: Label) -> None:
    keep(run, ("temp", s.slot), s, env, under)


def set_frame(run: FollowedRoutine, s: ir.SetFrame, env: Env, under: Label) -> None:
    key = ("frame", s.slot)
    if s.offset is None:
        keep(run, key, s, env, under)
        return
    v = run.world.values
    told = label(v, (s.value, s.offset), env) | under
    add(env, key, frozenset(secret for secret in told if not secret.waits))  # read when all have answered


def keep(run: FollowedRoutine, key: Any, s: ir.SetTemp | ir.SetFrame, env: Env, under: Label) -> None:
    """Give a variable its value. The rest of a set whose members are gone through one by one has a known size."""
    v = run.world.values
    test = id(s.value) if id(s.value) in v.watched else None
    found = opened_fact(v, s.value, env) if test is not None else fact(v, s.value, env)
    found = Fact(*found[:3], identify(s.value, env, v.reading), found.member_of, test)
    match s.value:
        case ir.Arith("&~", ir.FrameVar() as rest, ir.MakeSet((ir.FrameVar() as x,))) if variable(rest) == key:
            if env.get(variable(x), PUBLIC).member_of == key:
                found = found._replace(size=env.get(key, PUBLIC).size)
    put(env, key, also(found, under), id(s))


def store(run: FollowedRoutine, s: ir.Store, env: Env, under: Label) -> None:
    v = run.world.values
    told = label(v, (s.value, s.address), env)
    target = target_at(run, s.symbol, s.address, env)
    disclose(run, env, id(s), "set", told, under, target, s.span)
    if v.hidden.get(s.symbol, "nobody") != "nobody":
        run.effects |= {Effect(target, s.span)}
    change(env, frozenset({s.symbol}), id(s))


def transfer(run: FollowedRoutine, s: ir.Transfer, env: Env, under: Label) -> None:
    v = run.world.values
    told = label(v, s.amount, env)
    for side, pool in enumerate((s.source, s.target)):
        here = told | label(v, (pool.address, pool.code), env)
        disclose(run, env, (id(s), side), "gained", here, under, target_at(run, pool.symbol, pool.address, env), s.span)
    if s.exact:
        demand(run, env, id(s), told | under | pool_label(v, s.source, env), s.span)
    if s.moved is not None:
        moved = (
            told
            | under
            | pool_label(v, s.source, env)
            | (pool_label(v, s.target, env) if s.limit is not None else OPEN)
        )
        put(env, ("temp", s.moved), plain(moved), id(s))
    change(env, frozenset({s.source.symbol, s.target.symbol}), id(s))


def move(run: FollowedRoutine, s: ir.MoveThing, env: Env, under: Label) -> None:
    """A move lays open what it moves for those who see the zone it goes to. That something is moved all see, since
    they see how much lies where: how many things a selection has that all do not see is told as well, unless it was the
    answer of somebody."""
    world, entries = run.world, run.world.values.entries
    moved = bare(label(world.values, s.thing, env))
    told = bare(label(world.values, (s.zone, s.at), env)) - moved
    zone = world.zone_of(s.zone)
    audience = world.values.hidden.get(zone[0], "all") if zone is not None else "all"
    shown = frozenset(secret for secret in moved if secret.source not in entries)
    disclose(run, env, id(s), "moved", told, bare(under) - shown, EffectTarget(), s.span)
    key = variable(s.thing)
    if zone is not None and key in env and isinstance(s.thing, (ir.Temp, ir.FrameVar)):
        _, owner = zone
        who = Who(("const", 0)) if owner is None else identify(owner, env, world.values.reading)
        reveal(env, key, None if audience == "all" else Seer(audience, who))
    change(env, world.things, id(s))


def reveal(env: Env, key: Any, seer: Seer | None) -> None:
    """Let these see the value of a variable from now on, and what was computed from it; None: all."""
    if seer is not None and seer.sort == "nobody":
        return
    for other, found in env.items():
        if found.label:
            through = None if other == key else key
            env[other] = each_label(found, partial(revealed, through=through, seer=seer))


def revealed(told: Label, through: Any, seer: Seer | None) -> Label:
    """The label as it is once these have seen what was read `through` a variable; None: all of it."""
    known = frozenset(s for s in told if through is None or s.through == through)
    return told - known if seer is None else (told - known) | with_seer(known, seer)


def show(run: FollowedRoutine, s: ir.Show, env: Env, under: Label) -> None:
    """Let these seats know the things; that they were shown something tells what decided whether and to whom."""
    world = run.world
    meant = bare(label(world.values, s.things, env))
    disclose(run, env, id(s), "shown", label(world.values, s.seats, env), bare(under) - meant, EffectTarget(), s.span)
    seats = identify(s.seats, env, world.values.reading)
    seer = None if world.everybody(s.seats) else Seer("seats", seats)
    for e in parts_shown(s.things):
        key = variable(e)
        if isinstance(e, ir.Cell) and e.symbol in world.values.hidden:
            owner = owner_of(world.values, world.values.entries[e.symbol], e.address, env)
            if owner is not None:
                show_zone(env, e.symbol, owner, seer or Seer(EVERYBODY, Who(("const", 0))))
        if isinstance(e, (ir.Temp, ir.FrameVar)) and key in env:
            reveal(env, key, seer)
    read = {x.symbol for x in nodes(s.things) if isinstance(x, ir.Cell)} & world.values.hidden.keys()
    if seer is None and read:
        env[SHOWN] = plain(env.get(SHOWN, PUBLIC).label | {Secret(symbol) for symbol in read})


def parts_shown(things: ir.Expr) -> Iterator[ir.Expr]:
    """The variables and zones, and other expressions, that are shown together."""
    match things:
        case ir.MakeSet(items):
            yield from items
        case ir.ListOp("to_set" | "concat", args):
            for part in args:
                yield from parts_shown(part)
        case ir.Arith("|", left, right):
            yield from parts_shown(left)
            yield from parts_shown(right)
        case _:
            yield things


def if_(run: FollowedRoutine, s: ir.IfS, env: Env, under: Label) -> None:
    told = fact(run.world.values, s.test, env).label
    other = dict(env)
    statements(run, s.then, env, under | told)
    statements(run, s.orelse, other, under | told)
    meet(env, other, id(s))


def meet(env: Env, other: Env, place: Any) -> None:
    """Make `env` what is known where two ways meet."""
    learn(env, join(env, leave_join(other, place), place))


def learn(env: Env, joined: Env) -> None:
    """Make `env` what ways that meet have in common."""
    if joined is not env:
        env.clear()
        env.update(joined)


def while_(run: FollowedRoutine, s: ir.While, env: Env, under: Label) -> None:
    loop(run, s, env, under, lambda inner: fact(run.world.values, s.test, inner).label)


def for_(run: FollowedRoutine, s: ir.For, env: Env, under: Label) -> None:
    v = run.world.values
    a = fact(v, s.domain.a, env)
    b = label(v, s.domain.b, env)
    told = plain(a.label | b) if s.domain.kind == "range" else a

    def member(inner: Env) -> Label:
        put(inner, ("temp", s.slot), also(Fact(told.label, told.label, told.backs), under), id(s))
        return told.size

    loop(run, s, env, under, member)


def loop(run: FollowedRoutine, s: ir.While | ir.For, env: Env, under: Label, begin: Callable[[Env], Label]) -> None:
    """A loop, until nothing more is learnt. `begin` binds the member and gives what decides whether there is a pass."""
    outside, breaks = run.escapes, run.breaks
    run.breaks = []
    while True:
        inner = dict(env)
        told = begin(inner)
        statements(run, s.body, inner, under | told)
        for one in run.breaks:
            meet(inner, one, (id(s), "break"))
        run.breaks = []
        joined = join(env, leave_join(inner, id(s)), id(s))
        if joined is env:
            break
        learn(env, joined)
    run.escapes, run.breaks = outside, breaks


def leave_loop(run: FollowedRoutine, s: Any, env: Env, under: Label) -> None:
    run.breaks.append(dict(env))
    run.escapes = run.escapes | under


def return_(run: FollowedRoutine, s: ir.Return, env: Env, under: Label) -> None:
    if s.value is not None:
        give(run, fact(run.world.values, s.value, env), under)
    run.escapes = run.escapes | under


def call_statement(run: FollowedRoutine, s: ir.CallS, env: Env, under: Label) -> None:
    call(run, id(s), (s.proc,), s.args, env, under)


def require(run: FollowedRoutine, s: ir.Require, env: Env, under: Label) -> None:
    demand(run, env, id(s), label(run.world.values, s.guard.test, env) | under, s.guard.span)


def defer(run: FollowedRoutine, s: ir.Defer, env: Env, under: Label) -> None:
    facts = tuple(marked_fact(env, fact(run.world.values, a, env)) for a in s.args)
    run.calls[id(s), s.proc] = (s.proc, facts)
    done(run, env, id(s), s.proc, facts, under)


def timed_record(run: FollowedRoutine, s: ir.Timed, env: Env, under: Label) -> None:
    records(run, s.line, s.values, env, under)


def pay(run: FollowedRoutine, s: ir.Pay, env: Env, under: Label) -> None:
    v = run.world.values
    told = label(v, (s.args, s.amount), env)
    demand(run, env, id(s), label(v, ir.Payable(s.purse, s.args, s.amount), env) | under, s.span)
    disclose(run, env, id(s), "gained", told, under, EffectTarget(), s.span)


STATEMENTS: dict[type, Callable[[FollowedRoutine, Any, Env, Label], None]] = {
    ir.SetTemp: set_temp,
    ir.SetFrame: set_frame,
    ir.Store: store,
    ir.Transfer: transfer,
    ir.MoveThing: move,
    ir.Show: show,
    ir.IfS: if_,
    ir.While: while_,
    ir.For: for_,
    ir.Break: leave_loop,
    ir.Continue: leave_loop,
    ir.Return: return_,
    ir.CallS: call_statement,
    ir.Require: require,
    ir.Defer: defer,
    ir.Timed: timed_record,
    ir.Pay: pay,
}
