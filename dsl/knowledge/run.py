"""The record of a routine that is followed, and all that a line may add to it.

A `World` is what is known of the whole ruleset, a `FollowedRoutine` what was learnt of one routine: what a call of it
gives, the calls in it with what their arguments tell, the questions with what decides them, and the disclosures, where
something hidden is put or done where others see it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, NamedTuple

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.types import Type
from dsl.knowledge.identity import Env, holder, identify
from dsl.knowledge.labels import OPEN, Fact, Label, Parameter, Who, bare, each_label, labels, plain, renamed
from dsl.knowledge.state import change, marked, put
from dsl.knowledge.values import Values, fact, from_inside, named_facts


@dataclass(frozen=True, slots=True)
class EffectTarget:
    """A place where something is put: a symbol and whose it is, or all who see what is done (no symbol)."""

    symbol: str = ""
    who: Who | None = None


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Something hidden comes to where others may see it. `how`: set, gained, drawn, asked, moved; `under`: what of it
    only decides whether it comes there."""

    how: str
    label: Label
    under: Label
    target: EffectTarget
    span: Span


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question: (what decides it, where that is written), what the amount of each bound tells, what the variables of
    the routine tell, and names for who acts and for the seat that is asked."""

    parts: tuple[tuple[Label, Span], ...]
    bounds: tuple[Label, ...]
    variables: dict[int, Label]
    actor: Who | None
    seat: Who | None


@dataclass(frozen=True, slots=True)
class Demand:
    """A demand, with the secrets that decide whether it fails. Inside a plan, answers after which it would fail are not
    offered; `planner` is a name for who makes the plan."""

    label: Label
    span: Span
    planned: bool
    planner: Who | None


class Effect(NamedTuple):
    """A cell that not all see is set by a routine, or by what it calls: those who see it learn that this is done."""

    target: EffectTarget
    span: Span


DEEPEST = 8  # names made of names; beyond that, calls within calls might go on for ever

PLAN = "plan"  # the key under which an environment has who makes the plan that is open


@dataclass(slots=True)
class World:
    """The knowledge of a whole ruleset: `writes` of a routine are the symbols that it may change, `later` those that
    end lists may, `moment` those of actions at any moment. Learnt so far: `results` and `effects` of calls, `arguments`
    of routines from all calls, `planners`, whose plans those run in that do, and `records`, what timed lines copied."""

    values: Values
    procs: Mapping[int, ir.Proc]
    code: list[ir.Instr]
    sites: list[ir.Site]
    inside: Mapping[int, tuple[Any, ...]]  # all nodes of each routine and of its questions
    writes: Mapping[int, frozenset[str]]
    later: frozenset[str]
    moment: frozenset[str]
    confirmed: Mapping[int, int]  # where it is tested whether an answer can still be given, by question
    things: frozenset[str]
    zone_of: Callable[[ir.Expr], tuple[str, ir.Expr | None] | None]
    placed: Callable[[Type | None], bool]
    everybody: Callable[[ir.Expr], bool]
    call_spans: Mapping[int, Span]  # where calls are written, by their ids
    results: dict[int, Label] = field(default_factory=dict)
    effects: dict[int, frozenset[Effect]] = field(default_factory=dict)
    arguments: dict[int, list[Fact]] = field(default_factory=dict)
    planners: dict[int, Who | None] = field(default_factory=dict)
    records: dict[Parameter, Label] = field(default_factory=dict)
    bodies: dict[int, tuple[Any, ...]] = field(default_factory=dict)  # all nodes of functions, once they are asked for


@dataclass(slots=True)
class FollowedRoutine:
    """One routine, as far as it has been followed. `questions`: by their number and where they are asked, since a loop
    `at once` asks again for what is no longer legal; `branches`: what the tests of branches tell, by instruction."""

    world: World
    number: int
    result: Label = OPEN
    effects: frozenset[Effect] = frozenset()
    calls: dict[Any, tuple[int, tuple[Fact, ...]]] = field(default_factory=dict)
    planned: dict[Any, Who | None] = field(default_factory=dict)  # who makes the plan that a call stands in
    demands: dict[Any, Demand] = field(default_factory=dict)
    questions: dict[tuple[int, int], AskedQuestion] = field(default_factory=dict)
    disclosures: dict[Any, Disclosure] = field(default_factory=dict)
    branches: dict[int, Label] = field(default_factory=dict)
    escapes: Label = OPEN  # what decides whether a loop or the routine goes on, while statements are followed
    breaks: list[Env] = field(default_factory=list)


def give(run: FollowedRoutine, found: Fact, under: Label) -> None:
    """Add the label of a given value, and of what decides that it is given, to what a call of the routine tells."""
    run.result = run.result | bare(found.label | under)


def disclose(
    run: FollowedRoutine, env: Env, place: Any, how: str, told: Label, under: Label, target: EffectTarget, span: Span
) -> None:
    """Record that something hidden may come to where others see it."""
    told, under = bare(marked(env, told)), bare(marked(env, under))
    before = run.disclosures.get(place)
    if before is not None:
        told, under = told | before.label, under | before.under
        target = target if before.target == target else EffectTarget(target.symbol)
    if told or under:
        run.disclosures[place] = Disclosure(how, told, under, target, span)


def demand(run: FollowedRoutine, env: Env, place: Any, told: Label, span: Span) -> None:
    """Record a demand that may fail."""
    if span == run.world.procs[run.number].span:
        return  # of the engine itself: how often checks act
    plan = env.get(PLAN)
    told = bare(told)
    planner = plan.who if plan is not None else None
    before = run.demands.get(place)
    if before is not None:
        told = told | before.label
        planner = planner if before.planner == planner or not before.planned else None
    if told:
        run.demands[place] = Demand(told, span, plan is not None or before is not None and before.planned, planner)


def target_at(run: FollowedRoutine, symbol: str, address: Any, env: Env) -> EffectTarget:
    """The target of an effect on the cell at an address, with a name for the thing that the cell belongs to."""
    entry = run.world.values.entries.get(symbol)
    owner = holder(entry, address) if entry is not None else None
    return EffectTarget(
        symbol, identify(owner, env, run.world.values.reading) if owner is not None else Who(("const", 0))
    )


def call(
    run: FollowedRoutine, place: Any, procs: tuple[int, ...], args: tuple[ir.Expr, ...], env: Env, under: Label
) -> None:
    """Follow a call of one of these routines: what it may give, do and change."""
    world = run.world
    facts = tuple(marked_fact(env, f) for f in named_facts(world.values, args, env))
    results = []
    for proc in procs:
        run.calls[place, proc] = (proc, facts)
        if PLAN in env:
            run.planned[place, proc] = env[PLAN].who
        told = world.results.get(proc, OPEN)
        results.append(renamed(told, lambda who: from_inside(who, facts)))
        done(run, env, (place, proc), proc, facts, under)
        change(env, world.writes.get(proc, frozenset()), (place, proc))
    put(env, "result", plain(labels(results)), (run.number, place))


def done(run: FollowedRoutine, env: Env, place: Any, proc: int, facts: tuple[Fact, ...], under: Label) -> None:
    """Record the effects of a routine that is called, now or later: those who see them learn that it was, and so what
    decided it."""
    for target, span in run.world.effects.get(proc, ()):
        here = EffectTarget(target.symbol, outside(facts, target.who) if target.who is not None else None)
        run.effects |= {Effect(here, span)}
        disclose(run, env, (place, here, span), "done", OPEN, under, here, span)


def outside(facts: tuple[Fact, ...], who: Who) -> Who | None:
    """The name outside of a call; none where it has become so long that calls within calls might go on for ever."""
    found = from_inside(who, facts)
    return found if found is not None and depth(found.key) <= DEEPEST else None


def depth(key: object) -> int:
    return 1 + max((depth(part) for part in key), default=0) if isinstance(key, tuple) else 0


def marked_fact(env: Env, found: Fact) -> Fact:
    return each_label(found, lambda told: bare(marked(env, told)))


def records(run: FollowedRoutine, line: int, values: tuple[ir.Expr, ...], env: Env, under: Label) -> None:
    """Record the values that a timed record copies, with what decides that there is one, since its being there tells
    that."""
    facts = [marked_fact(env, fact(run.world.values, value, env)) for value in values]
    facts.append(plain(bare(marked(env, under))))
    for i, found in enumerate(facts):
        for part, told in enumerate((found.label, found.size, found.backs)):
            kept = Parameter(("timed", line), i, part)
            run.world.records[kept] = run.world.records.get(kept, OPEN) | renamed(told, lambda who: None)
