"""The whole ruleset: routines are followed until what calls give, and what their arguments tell, is known.

Takes the finished elaboration; gives a `Knowledge`. Routines that have to do with nothing hidden are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field

from dsl import ir
from dsl import program as pg
from dsl.base.record import dataclass
from dsl.base.types import MemberType, Type, bounds
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.reads import back_tables, nodes, open_parts
from dsl.knowledge.labels import (
    OPEN,
    PUBLIC,
    SAID,
    Fact,
    Label,
    Parameter,
    Who,
    each_label,
    put_in,
    renamed,
    substitute,
)
from dsl.knowledge.routines import follow
from dsl.knowledge.run import FollowedRoutine, World
from dsl.knowledge.telling import Telling
from dsl.knowledge.trials import trials_of
from dsl.knowledge.values import Values, purse_label

DEEPEST = 8  # timed lines that copy what others have copied


@dataclass(slots=True)
class Knowledge:
    """The routines as they were followed."""

    world: World
    runs: dict[int, FollowedRoutine] = field(default_factory=dict)

    def resolved(self, label: Label) -> Label:
        """The label with what timed lines have copied in the place of their parameters, without what was chosen
        openly."""
        return frozenset(s for s in self.whole(label) if s.source != SAID)

    def whole(self, label: Label) -> Label:
        """The label with what timed lines have copied in the place of their parameters."""
        for _ in range(DEEPEST):
            if not any(isinstance(s.source, Parameter) for s in label):
                break
            label = put_in(label, lambda p: self.world.records.get(p, OPEN))
        return frozenset(s for s in label if not isinstance(s.source, Parameter))


def examine(elab: Elaboration) -> Knowledge | None:
    """Follow all routines of a ruleset. None where nothing is hidden from anybody."""
    hidden = {e.symbol: e.audience for e in elab.layout.entries if e.audience != "all" and e.sort != "counter"}
    told = any(s.audience is not None for s in elab.out.sites)
    told = told or any(isinstance(i, ir.Chance) and i.audience is not None for i in elab.out.code)
    if not hidden and not told:
        return None
    know = Knowledge(world_of(elab, hidden))
    callers = callers_of(know.world.inside)
    settle(know, callers, [n for n in know.world.procs if reads_secrets(know.world, n)], set())
    while True:
        leading = set(leading_to({n for n, run in know.runs.items() if run.demands}, callers))
        settle(know, callers, [n for n in leading if makes_plan(know.world, n)], leading)
        trials = trials_of(know.runs, know.world.values)
        if trials == know.world.values.trials:
            return know
        know.world.values.learn_trials(trials)
        settle(know, callers, asking_whether(know.world), leading)


def asking_whether(world: World) -> Iterator[int]:
    """The routines that ask whether an action can be done, themselves or by a function. What an option tries is judged
    by the demands of its action."""
    options = {id(a.probe) for site in world.sites for a in site.alternatives}
    return holding(world, lambda n: isinstance(n, ir.Possible) and id(n) not in options)


def reading_records(world: World) -> Iterator[int]:
    """The routines that read timed lines which have copied something hidden."""
    lines = {kept.owner[1] for kept, told in world.records.items() if told}
    return holding(world, lambda n: isinstance(n, ir.TimedFold) and n.line in lines) if lines else iter(())


def holding(world: World, wanted: Callable[[object], bool]) -> Iterator[int]:
    """The routines with a wanted node, in themselves or in a function that they call."""
    functions: set[int] = set()

    def holds(inside: Iterable[object]) -> bool:
        return any(wanted(n) or isinstance(n, ir.CallFn) and n.fn in functions for n in inside)

    bodies = world.bodies
    if not bodies:
        bodies.update((n, tuple(nodes(f.body))) for n, f in enumerate(world.values.functions) if f is not None)
    size = -1
    while len(functions) > size:
        size = len(functions)
        functions |= {n for n, inside in bodies.items() if n not in functions and holds(inside)}
    return (number for number, inside in world.inside.items() if holds(inside))


def settle(know: Knowledge, callers: Mapping[int, set[int]], first: Iterable[int], leading: set[int]) -> None:
    """Follow routines until nothing more is learnt. Only to those `leading` to demands it is passed on whose plans they
    run in."""
    todo = dict.fromkeys(sorted(first))
    while todo:
        number = next(iter(todo))
        del todo[number]
        run = know.runs[number] = follow(know.world, number)
        if run.result != know.world.results.get(number, OPEN):
            know.world.results[number] = run.result
            todo |= dict.fromkeys(sorted(callers.get(number, ())))
        if run.effects != know.world.effects.get(number, frozenset()):
            know.world.effects[number] = run.effects
            todo |= dict.fromkeys(sorted(callers.get(number, ())))
        for place, (callee, facts) in run.calls.items():
            more = pass_arguments(know.world, callee, facts)
            if place in run.planned and callee in leading:
                more = pass_planner(know.world, callee, run.planned[place], facts) or more
            if more:
                todo[callee] = None
        if not todo:
            todo |= dict.fromkeys(n for n in reading_records(know.world) if n not in know.runs)


def leading_to(targets: set[int], callers: Mapping[int, set[int]]) -> Iterator[int]:
    """The routines that lead to these, and these."""
    todo, seen = list(targets), set[int]()
    while todo:
        number = todo.pop()
        if number not in seen:
            seen.add(number)
            todo += callers.get(number, ())
            yield number


def makes_plan(world: World, number: int) -> bool:
    """True for a routine that is an action, or does something as a plan."""
    proc = world.procs[number]
    return proc.word == "action" or any(isinstance(i, ir.OpenPlan) for i in world.inside[number])


def reads_secrets(world: World, number: int) -> bool:
    """True if a routine reads, makes or sets secrets itself; one that does not tells nothing until it is given some."""
    v = world.values
    inside = world.inside[number]
    if not v.hidden.keys().isdisjoint(v.reading.cells_in(inside)):
        return True
    for n in inside:
        match n:
            case ir.Site() | ir.Chance() if n.audience is not None:
                return True
            case ir.Payable() | ir.Payments() if purse_label(v, n.purse):
                return True
            case ir.Store(symbol=symbol) if v.hidden.get(symbol, "nobody") != "nobody":
                return True
    return False


# ------------------------------------------------------------ arguments


def pass_arguments(world: World, callee: int, facts: tuple[Fact, ...]) -> bool:
    """Add what the arguments of a call tell to those of the routine; gives whether that is more than before."""
    before = world.arguments.get(callee) or [PUBLIC] * len(facts)
    now = []
    for had, found in zip(before, facts, strict=False):
        given = each_label(found, lambda told: renamed(told, lambda who: from_outside(who, facts)))
        now.append(Fact(had.label | given.label, had.size | given.size, had.backs | given.backs))
    world.arguments[callee] = now
    return any(had[:3] != more[:3] for had, more in zip(before, now, strict=False))


def pass_planner(world: World, callee: int, planner: Who | None, facts: tuple[Fact, ...]) -> bool:
    """Note whose plan a routine runs in; gives whether that is new."""
    inside = from_outside(planner, facts) if planner is not None else None
    if callee not in world.planners:
        world.planners[callee] = inside
        return True
    if world.planners[callee] not in (inside, None):
        world.planners[callee] = None
        return True
    return False


def from_outside(who: Who, facts: tuple[Fact, ...]) -> Who | None:
    """The name inside a routine for a name outside; None where it has none there, since it may change meanwhile."""

    def given(part: object) -> object:
        for i, f in enumerate(facts):
            if f.who is not None and f.who.key == part:
                return ("parameter", i)
        if isinstance(part, tuple) and part[:1] in (
            ("set at",), ("answer",), ("bound",), ("joined",), ("was",), ("parameter",), ("cell",), ("call",),
        ):  # fmt: skip
            raise LookupError(part)
        return None

    try:
        return Who(substitute(who.key, given))
    except LookupError:
        return None


# ------------------------------------------------------------ the world


def world_of(elab: Elaboration, hidden: Mapping[str, str]) -> World:
    """The facts of a ruleset that are needed while its routines are followed; `hidden` has the audience of each hidden
    entry."""
    entries = {e.symbol: e for e in elab.layout.entries}
    values = Values(
        entries,
        hidden,
        elab.out.functions,
        elab.out.purses,
        elab.reading,
        elab.findings.opened,
        elab.findings.tests,
        open_parts(elab.layout.entries, back_tables(elab.model, elab.memo.joined_tables)),
        Telling(hidden, elab.out.functions, ()),
    )
    procs = {n: p for n, p in elab.out.procs.items() if p is not None}
    things = frozenset(s for s, e in entries.items() if e.sort in ("zone", "place"))
    pools = frozenset(s for s, e in entries.items() if e.sort in ("pieces", "slot"))
    inside = {n: tuple(nodes(body_of(proc, elab.out.code, elab.out.sites))) for n, proc in procs.items()}
    writes = written(inside, things, pools)
    deferred = {
        n.proc
        for body in [*(p.body for p in procs.values()), tuple(elab.out.code)]
        for n in nodes(body)
        if isinstance(n, ir.Defer)
    }
    later: frozenset[str] = frozenset().union(*(writes[n] for n in deferred if n in writes))
    seats = elab.model.kinds["Seat"].type

    def placed(t: Type | None) -> bool:
        if not isinstance(t, MemberType) or t.domain not in elab.model.kinds:
            return False
        return any(elab.layout.place.get(k.name) for k in elab.model.kind_parts(elab.model.kinds[t.domain]))

    def everybody(e: ir.Expr) -> bool:
        """True for a set of all seats that are in the game."""
        match e:
            case ir.RangeSet(ir.Const(value=low), ir.Cell(ir.Const(value=pg.SEATS))):
                return bool(low == seats.low)
        return e == ir.Const(elab.model.domain_mask(seats.domain))

    moment = writes.get(elab.out.moment_proc, frozenset())
    zone_of = zone_finder(elab, entries)
    confirmed = {instr.site: at for at, instr in enumerate(elab.out.code) if isinstance(instr, ir.Confirm)}
    return World(
        values,
        procs,
        elab.out.code,
        elab.out.sites,
        inside,
        writes,
        later,
        moment,
        confirmed,
        things,
        zone_of,
        placed,
        everybody,
        {at: span for at, (span, _) in elab.findings.calls.items()},
    )


def zone_finder(
    elab: Elaboration, entries: Mapping[str, ir.LayoutEntry]
) -> Callable[[ir.Expr], tuple[str, ir.Expr | None] | None]:
    """The function from the number of a zone, as an expression, to its symbol and the thing that it belongs to."""
    zones = elab.layout.zones
    firsts: dict[int, list[str]] = {}
    for number, zone in enumerate(zones):
        if zone.member is not None:  # the number may go by the member instead of the holder
            firsts.setdefault(number - zone.member[1], []).extend(("", ""))
        elif zone.holder and zone.holder == bounds(entries[zone.symbol].dims[0])[0]:
            firsts.setdefault(number - zone.holder, []).append(zone.symbol)

    def find(e: ir.Expr) -> tuple[str, ir.Expr | None] | None:
        match e:
            case ir.Const(value=int() as number) if 0 < number < len(zones):
                zone = zones[number]
                return zone.symbol, ir.Const(zone.holder) if zone.holder else None
            case ir.Linear(const, ((holder, 1),)) if len(firsts.get(const, ())) == 1:
                return firsts[const][0], holder
        return None

    return find


def written(
    routines: Mapping[int, Iterable[object]], things: frozenset[str], pools: frozenset[str]
) -> dict[int, frozenset[str]]:
    """The symbols that each routine may change, with all that it calls."""
    found: dict[int, set[str]] = {}
    calls: dict[int, set[int]] = {}
    for number, inside in routines.items():
        found[number], calls[number] = set(), set()
        for n in inside:
            match n:
                case ir.Store(symbol=symbol) | ir.Pool(symbol=symbol):
                    found[number].add(symbol)
                case ir.MoveThing() | ir.Chance(op="shuffle"):
                    found[number] |= things
                case ir.Pay():
                    found[number] |= pools
                case ir.CallS(proc=callee) | ir.CallI(proc=callee) | ir.Defer(proc=callee):
                    calls[number].add(callee)
                case ir.Enter(choices=choices):
                    calls[number].update(choices)
    changed = True
    while changed:
        changed = False
        for number, callees in calls.items():
            size = len(found[number])
            for callee in callees:
                found[number] |= found.get(callee, set())
            changed = changed or len(found[number]) > size
    return {number: frozenset(symbols) for number, symbols in found.items()}


def body_of(proc: ir.Proc, code: list[ir.Instr], sites: list[ir.Site]) -> tuple[object, ...]:
    """The statements or instructions of a routine, and its questions."""
    if not proc.suspends or proc.entry < 0:
        return proc.body
    at = proc.entry
    while at < len(code) and not isinstance(code[at], ir.Leave):
        at += 1
    body = code[proc.entry : at + 1]
    return *body, *(sites[i.site] for i in body if isinstance(i, ir.Ask))


def callers_of(routines: Mapping[int, Iterable[object]]) -> dict[int, set[int]]:
    """The callers of each routine that is called, by number."""
    result: dict[int, set[int]] = {}
    for number, inside in routines.items():
        for n in inside:
            match n:
                case ir.CallS(proc=callee) | ir.CallI(proc=callee) | ir.Defer(proc=callee):
                    result.setdefault(callee, set()).add(number)
                case ir.Enter(choices=choices):
                    for callee in choices:
                        result.setdefault(callee, set()).add(number)
    return result
