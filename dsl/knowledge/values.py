"""The knowledge that an expression gives (`dsl.knowledge.labels.Fact`), from the facts of the variables that it reads.

Functions are looked at once, with the labels of their parameters left open. What stands in `openly(...)` tells nothing
that all may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.types import IntType, key_count, width
from dsl.elaborate.core.reads import CHILD_FIELDS, OpenParts, SymbolReads, member_of, top_of
from dsl.knowledge.identity import Env, holder, identify, variable
from dsl.knowledge.labels import (
    OPEN,
    PUBLIC,
    Fact,
    Label,
    Parameter,
    Secret,
    Seer,
    Who,
    also,
    bare,
    each_label,
    labels,
    named,
    plain,
    plain_label,
    put_in,
    read_through,
    renamed,
    substitute,
    together,
    with_seer,
)
from dsl.knowledge.state import marked, shown_to
from dsl.knowledge.telling import Telling

# Facts of these may say more than what they tell: which value it is, or of what it is a member.
NAMED = (ir.Const, ir.Temp, ir.FrameVar, ir.Force, ir.LastResult, ir.Bounded, ir.Let, ir.LazyLet, ir.Fold)


@dataclass(slots=True)
class Values:
    """The facts of a ruleset that expressions need. `hidden`: entries that not everybody sees; `opened`: ids of what
    stands in `openly`; `watched`: ids of conditions, whose labels `seen` keeps; `trials`: the labels of trials, by
    routine."""

    entries: Mapping[str, ir.LayoutEntry]
    hidden: Mapping[str, str]
    functions: list[ir.Function | None]
    purses: list[ir.Purse | None]
    reading: SymbolReads
    opened: Mapping[int, Any]
    watched: Mapping[int, Any]
    parts: OpenParts
    telling: Telling
    known: dict[int, Fact] = field(default_factory=dict)
    known_purses: dict[int, Label] = field(default_factory=dict)
    seen: dict[int, Label] = field(default_factory=dict)
    trials: dict[int, Label] = field(default_factory=dict)

    def learn_trials(self, trials: dict[int, Label]) -> None:
        """Take the labels of trials, and forget the facts of functions and purses that were made without them."""
        self.trials = trials
        self.telling = Telling(self.hidden, self.functions, trials)
        self.known.clear()
        self.known_purses.clear()


def fact(v: Values, e: Any, env: Env) -> Fact:
    """The fact that an expression gives. The labels of watched conditions in it are noted, too."""
    if type(e) not in NAMED and v.telling.tells_nothing(e, env):
        return PUBLIC
    return noted_fact(v, e, env)


def noted_fact(v: Values, e: Any, env: Env) -> Fact:
    """The fact that an expression gives, worked out in full; noted if it is a watched condition."""
    found = opened_fact(v, e, env)
    if found.label and id(e) in v.watched:
        note_condition(v, id(e), found, env)
    return found


def opened_fact(v: Values, e: Any, env: Env) -> Fact:
    """The fact that an expression gives; one that is said openly tells nothing, and keeps its name."""
    found = closed_fact(v, e, env)
    return Fact(who=found.who) if id(e) in v.opened else found


def note_condition(v: Values, condition: int, found: Fact, env: Env) -> None:
    """Note what a condition that is watched tells where its result is used."""
    v.seen[condition] = v.seen.get(condition, OPEN) | bare(marked(env, found.label))


def closed_fact(v: Values, e: Any, env: Env) -> Fact:
    """The fact that an expression gives, even if it is said openly."""
    match e:
        case ir.Const():
            return PUBLIC
        case ir.Temp() | ir.FrameVar() | ir.Force():
            key = variable(e)
            found = env.get(key, PUBLIC)
            if found.test is not None:
                note_condition(v, found.test, found, env)
            return read_through(found, key)
        case ir.FrameItem(_, offset, _):
            kept = env.get(variable(e), PUBLIC)
            return plain_label(kept.label | fact(v, offset, env).label)
        case ir.LastResult():
            return env.get("result", PUBLIC)
        case ir.Cell() | ir.CellSum():
            return cell(v, e, env)
        case ir.Bounded(operand):
            return fact(v, operand, env)
        case ir.Size(_, operand):
            return plain_label(fact(v, operand, env).size)
        case ir.Compare("==" | "!=", operand, ir.Const(value=0 | ())):
            return plain_label(fact(v, operand, env).size)
        case ir.Arith("|", left, right):
            return together(fact(v, left, env), fact(v, right, env))
        case ir.ListOp("concat" | "to_set" | "to_list", args):
            return together(*(fact(v, a, env) for a in args))
        case ir.ListOp("insert", (into, item, at)):  # one more, whatever it is
            one = fact(v, item, env)
            return together(fact(v, into, env), Fact(one.label | label(v, at, env), OPEN, one.backs))
        case ir.ListOp("front_some" | "last_some", (of, most)):  # how many there are is seen
            pile, told = fact(v, of, env), label(v, most, env)
            return Fact(pile.label | told, pile.size | told, pile.backs | told)
        case ir.ListOp("front" | "last", (of,)):
            return member(v, e, fact(v, of, env), OPEN, env)
        case ir.ListItem(of, index):
            return member(v, e, fact(v, of, env), fact(v, index, env).label, env)
        case ir.TableGet(table, offset) if table in v.parts.backs:
            return plain_label(fact(v, member_of(offset), env).backs)
        case ir.If(test, then, orelse):
            return also(together(fact(v, then, env), fact(v, orelse, env)), fact(v, test, env).label)
        case ir.And(items) if any(never_holds(item) for item in items):
            return PUBLIC
        case ir.CallFn(fn, args):
            return call(v, fn, args, env)
        case ir.Fold():
            return fold(v, e, env)
        case ir.Let(slot, value, body) | ir.LazyLet(slot, value, body):
            return inside(fact(v, body, {**env, ("temp", slot): fact(v, value, env)}), {slot})
        case ir.Reach(start, x, y, step, where, costs, to=to):
            here = fact(v, start, env).label | label(v, to, env)
            within = {**env, ("temp", x): bound(here, here, x), ("temp", y): bound(here, here, y)}
            return inside(plain_label(here | label(v, (step, where, costs), within)), {x, y})
        case ir.TimedFold():
            return timed(v, e, env)
        case ir.Possible(proc, args) if proc in v.trials:
            facts = named_facts(v, args, env)
            told = renamed(v.trials[proc], lambda who: from_inside(who, facts))
            return plain_label(told | label(v, parts(e), env))
        case ir.Payable(purse, args, amount) | ir.Payments(purse, args, amount):
            facts = named_facts(v, args, env)
            told = arguments_put_in(purse_label(v, purse), ("purse", purse), facts)
            return plain_label(told | labels(f.label for f in facts) | fact(v, amount, env).label)
    return plain_label(label(v, parts(e), env))


def never_holds(e: ir.Expr) -> bool:
    """True for an equality of differing constants, as where it asks for a cause that a sentence does not have."""
    match e:
        case ir.Compare("==", ir.Const(value=a), ir.Const(value=b)):
            return bool(a != b)
    return False


def parts(e: Any) -> tuple[Any, ...]:
    """The fields of a node that may hold nodes."""
    getter = CHILD_FIELDS[type(e)]
    return getter(e) if getter is not None else ()


def label(v: Values, e: Any, env: Env) -> Label:
    """The label that nodes have together: one, a tuple of them, or none."""
    if type(e) is tuple:
        return labels(label(v, part, env) for part in e)
    if isinstance(e, ir.Domain):
        return label(v, (e.a, e.b), env)
    if type(e) not in ir.NODES or v.telling.tells_nothing(e, env):
        return OPEN
    return noted_fact(v, e, env).label


def member(v: Values, e: ir.Expr, of: Fact, told: Label, env: Env) -> Fact:
    """The fact of a member of a list; `told` is what says which. The top of a pile others may see as well."""
    found = also(Fact(of.label, of.label, of.backs), told)
    zone = top_of(e)
    entry = v.entries.get(zone.symbol) if zone is not None else None
    if entry is None or zone is None or not entry.top or entry.symbol not in v.hidden:
        return found
    if entry.top == "all":
        return plain_label(fact(v, zone.address, env).label)
    top = audience_seer(v, entry, entry.top, zone.address, env)
    return each_label(found, lambda told: with_seer(told, top)) if top is not None else found


# ------------------------------------------------------------ cells


def cell(v: Values, e: ir.Cell | ir.CellSum, env: Env) -> Fact:
    """The fact that a cell gives. The size of a hidden zone is public, unless that is all there is to know of it."""
    at = fact(v, e.address, env).label
    entry = v.entries.get(e.symbol)
    if entry is None or e.symbol not in v.hidden:
        return plain_label(at)
    told = at | {secret(v, entry, e.address, env)}
    if not entry.size_seen:
        return plain_label(told)
    if isinstance(e, ir.Cell):
        return plain(told) if isinstance(e.type, IntType) else Fact(told, at, at if entry.sort == "zone" else told)
    whole = key_count(entry.dims[1:] if "." in entry.symbol else entry.dims) * width(entry.type)
    return plain_label(at if e.count == whole else told)


def secret(v: Values, entry: ir.LayoutEntry, address: Any, env: Env) -> Secret:
    """The secret at an address: its audience sees it, and so do those to whom it was shown as it is."""
    seer = audience_seer(v, entry, entry.audience, address, env)
    seers = frozenset({seer} if seer is not None else ())
    return Secret(entry.symbol, seers | shown_to(env, entry.symbol, owner_of(v, entry, address, env)))


def owner_of(v: Values, entry: ir.LayoutEntry, address: Any, env: Env) -> Who | None:
    """A name for the thing whose cell lies at an address."""
    owner = holder(entry, address)
    return identify(owner, env, v.reading) if owner is not None else Who(("const", 0))


def audience_seer(v: Values, entry: ir.LayoutEntry, audience: str, address: Any, env: Env) -> Seer | None:
    """The seer that an audience stands for, of what lies at an address; None: nobody."""
    if audience == "nobody":
        return None
    return Seer(audience, owner_of(v, entry, address, env))


def pool_label(v: Values, pool: ir.Pool | None, env: Env) -> Label:
    """The label of the number of pieces in a pool, with what says which pool it is."""
    if pool is None:
        return OPEN
    told = label(v, (pool.address, pool.code), env)
    entry = v.entries.get(pool.symbol)
    if entry is not None and pool.symbol in v.hidden:
        told = told | {secret(v, entry, pool.address, env)}
    return told


# ------------------------------------------------------------ binders


def bound(told: Label, backs: Label, slot: int) -> Fact:
    """The fact of a member that is gone through."""
    return Fact(told, told, backs, Who(("bound", slot), frozenset({("bound", slot)})))


def bind(v: Values, binders: tuple[tuple[int, ir.Domain], ...], env: Env) -> tuple[Env, Label, Label]:
    """The environment inside binders; what their domains tell, and what their sizes tell."""
    within, told, sizes = dict(env), OPEN, OPEN
    for slot, d in binders:
        a = fact(v, d.a, within)
        size = a.size if d.kind != "range" else a.label
        here = a.label
        if d.b is not None:
            b = fact(v, d.b, within).label
            here, size = here | b, size | b
        told, sizes = told | here, sizes | size
        within["temp", slot] = bound(here, a.backs if d.b is None else here, slot)
    return within, told, sizes


def inside(found: Fact, slots: set[int]) -> Fact:
    """A fact seen from outside of binders: whoever is named by one of their members is nobody in particular."""
    gone = {("bound", slot) for slot in slots}

    def rename(who: Who) -> Who | None:
        return None if who.rests_on & gone else who

    who = rename(found.who) if found.who is not None else None
    return each_label(found, lambda told: renamed(told, rename))._replace(who=who)


def fold(v: Values, e: ir.Fold, env: Env) -> Fact:
    """The fact that a fold gives, from how many members there are, which of them count, and what is read of each."""
    within, _, sizes = bind(v, e.binders, env)
    kept = label(v, (e.where, tuple(k for _, k in e.keys)), within)
    body = fact(v, e.body, within) if e.body is not None else PUBLIC
    slots = {slot for slot, _ in e.binders}
    whole = sizes | kept | body.label
    size, backs = whole, sizes | kept | body.backs
    if e.kind in ("set", "list", "ranked") and isinstance(e.body, ir.Temp) and e.body.slot in slots:
        size = sizes | label(v, e.where or (), within)
    found = inside(Fact(whole, size, backs), slots)
    if e.kind == "first" and e.where is None and not e.keys and len(e.binders) == 1:
        found = member(v, e, found, OPEN, env)
        return found._replace(member_of=variable(e.binders[0][1].a))
    return found


def timed(v: Values, e: ir.TimedFold, env: Env) -> Fact:
    """The fact that the live records of a timed line give, with what they have copied."""
    within = dict(env)
    slot = e.slot
    there = left_open(("timed", e.line), len(e.types)).label
    for i in range(len(e.types)):
        within["temp", slot + i] = left_open(("timed", e.line), i)
    return inside(plain_label(label(v, (e.where, e.body, e.base), within) | there), set())


# ------------------------------------------------------------ calls


def parameters(owner: tuple[str, int], keys: Iterable[tuple[str, int]]) -> Env:
    """The environment of a function as it begins: what its arguments tell is left open."""
    env: Env = {}
    for i, key in enumerate(keys):
        env[key] = left_open(owner, i)._replace(who=Who(("parameter", i)))
    return env


def left_open(owner: tuple[str, int], number: int) -> Fact:
    """The fact of an argument that is not known yet."""
    whole, size, backs = (frozenset({Secret(Parameter(owner, number, part))}) for part in range(3))
    return Fact(whole, size, backs)


def call(v: Values, fn: int, args: tuple[ir.Expr, ...], env: Env) -> Fact:
    found = function_fact(v, fn)
    facts = named_facts(v, args, env) if found.label else [fact(v, a, env) for a in args]
    return each_label(found, lambda told: arguments_put_in(told, ("function", fn), facts))._replace(member_of=None)


def named_facts(v: Values, args: tuple[ir.Expr, ...], env: Env) -> list[Fact]:
    """The facts of arguments, with names for them."""
    return [named(fact(v, a, env), identify(a, env, v.reading)) for a in args]


def function_fact(v: Values, fn: int) -> Fact:
    """The fact that a function gives, with the labels of its parameters left open; found once."""
    known = v.known.get(fn)
    if known is None:
        v.known[fn] = PUBLIC  # where functions call each other
        function = v.functions[fn]
        if function is not None:
            env = parameters(("function", fn), (("temp", i) for i in range(len(function.params))))
            found = fact(v, function.body, env)
            v.known[fn] = each_label(found, bare)._replace(who=None, test=None)
        known = v.known[fn]
    return known


def purse_label(v: Values, number: int) -> Label:
    """The label of the ways to pay from a purse, with the labels of its parameters left open; found once."""
    if number not in v.known_purses:
        v.known_purses[number] = OPEN
        purse = v.purses[number] if number < len(v.purses) else None
        if purse is not None:
            env = parameters(("purse", number), (("temp", i) for i in range(len(purse.params))))
            told = label(v, (purse.require, tuple(k for _, k in purse.keys)), env)
            for s in purse.sources:
                within = bind(v, ((s.slot, s.domain),), env)[0] if s.domain is not None else env
                here = pool_label(v, s.pool, within) | label(v, (s.worth, s.where, s.most, s.rank), within)
                told = told | inside(plain_label(here), {s.slot}).label
            v.known_purses[number] = bare(told)
    return v.known_purses[number]


def arguments_put_in(told: Label, owner: tuple[str, int], facts: list[Fact]) -> Label:
    """The label of a call: `told`, with the labels and names of the arguments in place of the parameters of `owner`."""
    if not told:
        return told

    def given(parameter: Parameter) -> Label | None:
        if parameter.owner != owner:
            return None
        if parameter.number >= len(facts):
            return OPEN
        argument = facts[parameter.number]
        return (argument.label, argument.size, argument.backs)[parameter.part]

    return put_in(renamed(told, lambda who: from_inside(who, facts)), given)


def from_inside(who: Who, facts: Sequence[Fact]) -> Who | None:
    """The name outside of a call for a name inside of it; None where it stands for something of the inside."""
    rests_on = set(who.rests_on)

    def given(part: Any) -> Any:
        if part[:1] == ("parameter",):
            argument = facts[part[1]].who if part[1] < len(facts) else None
            if argument is None:
                raise LookupError(part)
            rests_on.update(argument.rests_on)
            return argument.key
        if part[:1] in (("set at",), ("bound",), ("joined",), ("was",)):
            raise LookupError(part)
        return None

    try:
        return Who(substitute(who.key, given), frozenset(rests_on))
    except LookupError:
        return None
