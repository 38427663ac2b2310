"""One routine, followed through its instructions and statements until nothing more is learnt about any of them.

Takes a `World` and the number of a routine; gives a `FollowedRoutine`.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import SetType, width
from dsl.knowledge.branches import controlled, successors
from dsl.knowledge.identity import Env, identify
from dsl.knowledge.labels import CHOSEN, OPEN, PUBLIC, Fact, Label, Secret, Seer, Who, bare, labels, plain
from dsl.knowledge.run import (
    PLAN,
    AskedQuestion,
    EffectTarget,
    FollowedRoutine,
    World,
    call,
    disclose,
    give,
    marked_fact,
    records,
)
from dsl.knowledge.state import change, join, leave_join, put
from dsl.knowledge.statements import statements
from dsl.knowledge.values import bind, fact, label, named_facts


def follow(world: World, number: int) -> FollowedRoutine:
    """Follow one routine."""
    run = FollowedRoutine(world, number)
    proc = world.procs[number]
    given = world.arguments.get(number, [])
    env: Env = {}
    at = 0
    for i, (_, t) in enumerate(proc.params):
        found = given[i] if i < len(given) else PUBLIC
        env["frame" if proc.suspends else "temp", at] = found._replace(who=Who(("parameter", i)))
        at += width(t) if proc.suspends else 1
    if proc.word == "action" and proc.params:
        env[PLAN] = Fact(who=Who(("parameter", 0)))
    elif number in world.planners:
        env[PLAN] = Fact(who=world.planners[number])
    if proc.suspends and proc.entry >= 0:
        follow_instructions(run, proc.entry, env)
    else:
        statements(run, proc.body, env, OPEN)
    return run


# ------------------------------------------------------------ instructions


def follow_instructions(run: FollowedRoutine, entry: int, start: Env) -> None:
    """Follow the instructions of a routine that may suspend, until nothing more is learnt about any of them."""
    under: dict[int, Label] = {}
    while True:
        walk(run, entry, start, under)
        now = controlled(run.world.code, entry, run.branches)
        if now == under:
            return
        under = now


def walk(run: FollowedRoutine, entry: int, start: Env, under: Mapping[int, Label]) -> None:
    before: dict[int, Env] = {entry: start}
    todo = [entry]
    while todo:  # the first in the text comes first, so that ways mostly meet before they are gone on
        at = heappop(todo)
        env = dict(before[at])
        instr = run.world.code[at]
        instruction(run, at, instr, env, under.get(at, OPEN))
        for target in successors(instr, at):
            known = before.get(target)
            if known is None:
                before[target] = env
                heappush(todo, target)
                continue
            joined = join(known, leave_join(env, target), target)
            if joined is not known:
                before[target] = joined
                if target not in todo:
                    heappush(todo, target)


def instruction(run: FollowedRoutine, at: int, instr: ir.Instr, env: Env, under: Label) -> None:
    """Follow one instruction: set in `env` what it changes, and add what it tells to `run`."""
    world = run.world
    match instr:
        case ir.Run(body):
            statements(run, body, env, under)
        case ir.Branch(test, _):
            told = fact(world.values, test, env).label
            if told:
                run.branches[at] = run.branches.get(at, OPEN) | bare(told)
        case ir.CallI(proc, args):
            call(run, at, (proc,), args, env, under)
        case ir.Enter(proc, args, choices):
            label(world.values, proc, env)
            call(run, at, choices, args, env, under)
        case ir.Give(value, _) if value is not None:
            give(run, fact(world.values, value, env), under)
        case ir.Ask(site, _):
            ask(run, at, site, env, under)
            change(env, world.moment, at)
        case ir.Chance():
            chance(run, at, instr, env, under)
        case ir.EndList() | ir.Drain():
            change(env, world.later, at)
        case ir.OpenPlan(seat):
            env[PLAN] = Fact(who=identify(seat, env, world.values.reading))
        case ir.ClosePlan():
            env.pop(PLAN, None)
        case ir.Scope(_, _, mods):
            for line, values in mods:
                records(run, line, values, env, under)


# ------------------------------------------------------------ questions and chance


def ask(run: FollowedRoutine, at: int, number: int, env: Env, under: Label) -> None:
    """A question: what decides it, and what its answer tells."""
    world, site = run.world, run.world.sites[number]
    v = world.values
    within = dict(env)
    parts: list[tuple[Label, Span]] = []
    for a in site.alternatives:
        within, told, _ = bind(v, tuple((slot, d) for _, slot, d, _ in a.binders), within)
        parts.append((told, site.span))
        parts += [(label(v, g.test, within), g.span) for g in a.guards]
        if a.probe is not None:
            parts.append((label(v, a.probe.args, within), site.span))
            tried = tuple(marked_fact(env, f) for f in named_facts(v, a.probe.args, within))
            run.calls["try", number, a.probe.proc] = (a.probe.proc, tried)
    if site.whole_slot >= 0:
        within["temp", site.whole_slot] = PUBLIC
    bounds = tuple(bare(label(v, (b.amount, b.weight), within)) for b in site.bounds)
    parts.append((labels(bounds), site.span))
    parts.append((label(v, (site.each or (), site.keys, site.payment), within), site.span))
    parts += [(label(v, g.test, within), g.span) for g in site.such_that]
    parts = [(bare(told), span) for told, span in parts]
    seat = fact(v, site.seat, env)
    variables = {key[1]: bare(f.label) for key, f in env.items() if key[0] == "frame" and f.label}
    before = run.questions.get((number, at))
    if before is not None:
        for slot, told in before.variables.items():
            variables[slot] = variables.get(slot, OPEN) | told
        bounds = tuple(told | had for told, had in zip(bounds, before.bounds, strict=True))
        parts = [(told | had, span) for (told, span), (had, _) in zip(parts, before.parts, strict=True)]
    actor_who, seat_who = identify(site.actor, env, v.reading), identify(site.seat, env, v.reading)
    if before is not None and (before.actor, before.seat) != (actor_who, seat_who):
        actor_who = actor_who if before.actor == actor_who else None
        seat_who = seat_who if before.seat == seat_who else None
    run.questions[number, at] = AskedQuestion(tuple(parts), bounds, variables, actor_who, seat_who)
    disclose(run, env, ("asked", number), "asked", seat.label, under, EffectTarget(), site.span)
    answer = OPEN
    answered = site.waits and at > world.confirmed.get(number, at)  # all have, and it is asked once more
    if site.audience is not None:
        disclose(run, env, ("to whom", number), "told", label(v, site.audience, env), OPEN, EffectTarget(), site.span)
    if site.audience is not None and not answered and not world.everybody(site.audience):
        seers = {
            Seer("seats", identify(site.audience, env, v.reading)),
            Seer("seats", seat_who),
            Seer("seats", actor_who),
        }
        answer = frozenset({Secret(site.address, frozenset(seers), True, site.waits)})
    openly = site.audience is None or site.waits
    said = CHOSEN if openly and any(told for told, _ in parts) else OPEN
    for slot, t in site.answer_slots():
        named = said if world.placed(t.elem if isinstance(t, SetType) else t) else OPEN
        put(env, ("frame", slot), plain(answer | named), ("answer", run.number, number, slot))


def chance(run: FollowedRoutine, at: int, i: ir.Chance, env: Env, under: Label) -> None:
    """A draw. Which thing it is those see who see where it lies; other outcomes all see, if no rule says who."""
    world = run.world
    v = world.values
    among = fact(v, i.a, env)
    pool = among.label | label(v, i.b, env)
    if i.empty >= 0 and (told := bare(among.size if i.b is None else pool)):  # whether there is anything to draw from
        run.branches[at] = run.branches.get(at, OPEN) | told
        under |= told  # that something is drawn all see
    pool |= label(v, i.weights, env)  # how likely it is to be drawn
    outcome = OPEN
    placed = i.op == "member" and world.placed(i.type)
    if i.op == "shuffle":
        disclose(run, env, at, "moved", OPEN, under, EffectTarget(), i.span)
        change(env, world.things, at)
        return
    if i.audience is not None and not world.everybody(i.audience):
        disclose(run, env, (at, "to whom"), "told", label(v, i.audience, env), OPEN, EffectTarget(), i.span)
        who = identify(i.audience, env, v.reading)
        outcome = outcome | {Secret(i.address, frozenset({Seer("seats", who)}), True)}
        if i.op != "piece" and not placed:
            disclose(run, env, (at, "for some"), "drawn for some", unseen(pool, who), OPEN, EffectTarget(), i.span)
    elif placed and i.audience is None:
        outcome = outcome | pool
    elif i.op != "piece":
        disclose(run, env, at, "drawn", pool, OPEN, EffectTarget(), i.span)
    disclose(run, env, (at, "whether"), "drawn", OPEN, under, EffectTarget(), i.span)
    put(env, ("frame", i.slot), plain(outcome), (run.number, at))


def unseen(told: Label, seats: Who | None) -> Label:
    """The secrets of a label that not all of these seats are certain to see."""
    if seats is None:
        return told
    return frozenset(
        s for s in told if not any(x.who is not None and seats.key in (x.who.key, ("set", x.who.key)) for x in s.seers)
    )
