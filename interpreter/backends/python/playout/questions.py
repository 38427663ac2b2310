"""Questions in the function of a whole game: options are listed where they are asked, and one is drawn at once.

The short forms of options are those of `runtime.options`, except that options without values are the numbers of their
alternatives. Where the options are always the same, none are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dsl import ir
from dsl import program as hdr
from interpreter.backends.analysis.dataflow import free
from interpreter.backends.analysis.playout_graph import ACCEPTED, ASKED, Node
from interpreter.backends.python.emit.folds.inline import constant_members
from interpreter.backends.python.emit.folds.loops import begin_if, begin_loop
from interpreter.backends.python.emit.function import ANY, Range
from interpreter.backends.python.emit.ranges import range_of
from interpreter.backends.python.playout.game import GameFn, Unplayable
from interpreter.backends.python.playout.pool_index import indexed_counts, kind_list
from interpreter.backends.python.playout.reuse import cache_common
from interpreter.backends.python.playout.variables import zones_in
from interpreter.backends.python.regions import options
from interpreter.backends.python.regions.options import Item, ListForm, Tests, is_plain, write_options
from interpreter.backends.python.regions.questions import offered_condition
from interpreter.backends.python.runtime.options import form_of
from interpreter.choices.binding import Level
from interpreter.core.words import members

MOST_ROWS = 64  # of constant options
RESET = "#reset"  # the mark for work that called functions have counted


def write_question(fn: GameFn, node: Node) -> None:
    """List the options and draw one, or store the one that was drawn, according to the part of the question."""
    assert node.site is not None
    site, part = node.site, node.spot.part
    if part >= ACCEPTED:
        store_answer(fn, site, part - ACCEPTED)
        return
    if part != ASKED:
        list_options(fn, node)
    if few := fixed_count(site):
        fn.line(f"o = int(draw() * {few})")
    elif (same := fixed_options(site)) is not None:
        fn.line(f"o = {fn.ctx.literal(same)}[int(draw() * {len(same)})]")
    else:
        fn.line("o = out[int(draw() * len(out))]")
    fn.line("q += 1")
    fn.line("w = 0")
    fn.line(RESET)
    fn.work = 0
    if fn.ctx.wide_results:
        fn.line(f"if not is_number(S[{hdr.RV}]): S[{hdr.RV}] = 0")


# ------------------------------------------------------------ options


def fixed_count(site: ir.Site) -> int:
    """The number of options if it is always the same and they are numbers of alternatives; else 0."""
    plain = is_compact(site) and not (site.decline or site.if_any)
    return len(site.alternatives) if plain and not any(a.guards for a in site.alternatives) else 0


def fixed_options(site: ir.Site) -> tuple[int, ...] | None:
    """The options if they are always the same members of a set; else None."""
    if form_of(site) != "value" or site.decline or site.if_any or site.alternatives[0].guards:
        return None
    match site.alternatives[0].binders[0][2]:
        case ir.Domain("set", ir.Const(int() as mask)) if mask:
            return members(mask)
    return None


def is_compact(site: ir.Site) -> bool:
    return len(site.alternatives) > 1 and not any(a.binders for a in site.alternatives)


def list_options(fn: GameFn, node: Node) -> None:
    assert node.site is not None
    site = node.site
    if not form_of(site):
        raise Unplayable
    if fixed_count(site) or fixed_options(site) is not None:
        return
    cache_common(fn, [g.test for a in site.alternatives for g in a.guards])
    with fn.scope():
        write_options(fn, site, replace(FORM, numbers=is_compact(site)))


def list_text(fn: GameFn, levels: Sequence[Level], item: Any) -> str:
    """As in `regions.options`, but by the lists of kinds in pools, and unrolled for a few members."""
    if len(levels) == 1:
        level = levels[0]
        counts = indexed_counts(fn, level.domain.a) if level.domain.kind == "set" else None
        if counts is not None and not (level.own or level.joint) and item(["x"]) == "x":
            return kind_list(fn, counts)
        if not (level.own or level.joint) and isinstance(level.domain.a, ir.Arith) and item(["x"]) == "x":
            return f"members({fn(level.domain.a)})"
        few = constant_members(levels[0].domain) or ()
        if fn.eager and 0 < len(few) <= fn.unroll_limit:
            return unrolled_list(fn, levels[0], few, item)
    return options.list_text(fn, levels, item)


def unrolled_list(fn: GameFn, level: Level, few: Sequence[int], item: Any) -> str:
    """A list of those of a few members that pass the tests, without a loop."""
    out = fn.fresh()
    fn.line(f"{out} = []")
    for v in few:
        with fn.scope(), fn.lazily():
            fn.names.temps[level.slot], fn.names.ranges[level.slot] = str(v), (v, v)
            fn.names.known[level.slot] = v
            tests = [fn.test(test) for test in (*level.own, *level.joint)]
            head = f"if {' and '.join(tests)}: " if tests else ""
            fn.line(f"{head}{out}.append({item([str(v)])})")
    return out


def write_alternative(
    fn: GameFn, form: ListForm, k: int, tests: Tests, item: Item, more: Sequence[ir.Expr], first: Tests | None
) -> None:
    """As in `regions.options`, but by constant rows for pairs whose second member some first ones need not test."""
    before, levels = tests
    split = split_test(fn, levels[1]) if len(levels) == 2 and not more else None
    low, high = domain_range(fn, levels[0].domain) if levels else ANY
    if split is None or not 0 <= low <= high < MOST_ROWS:
        options.write_alternative(fn, form, k, tests, item, more, first)
        return
    one, two = levels
    for test in before:
        begin_if(fn, test)
    passed = (*one.own, *one.joint)
    begin_loop(fn, one.slot, one.domain, passed)
    for test in passed:
        begin_if(fn, test)
    member, second = fn.temp(one.slot), constant_members(two.domain) or ()
    rows = [f"{a}: [{', '.join(item(k, [str(a), str(b)]) for b in second)}]" for a in range(low, high + 1)]
    table = fn.ctx.named_constant(f"{{{', '.join(rows)}}}", "R")
    whole, rest = split
    fn.line(f"if {fn.test(whole)}: out += {table}[{member}]")
    fn.line("else:")
    row, at = fn.fresh("y"), len(item(k, ["a", "b"]).split(",")) - 2
    fn.names.temps[two.slot], fn.names.ranges[two.slot] = f"{row}[{at}]", (second[0], second[-1])
    with fn.lazily():
        fn.line(f" out += [{row} for {row} in {table}[{member}] if {fn.test(rest)}]")


def domain_range(fn: GameFn, d: ir.Domain) -> Range:
    """The least and the greatest member that a domain can have."""
    if d.kind == "range" and d.b is not None:
        return range_of(fn, d.a)[0], range_of(fn, d.b)[1]
    found = constant_members(d)
    return (found[0], found[-1]) if found else ANY


def split_test(fn: GameFn, level: Level) -> tuple[ir.Expr, ir.Expr] | None:
    """The tests of a level with known members, as one that does not read them and one for the case that it fails."""
    match (*level.own, *level.joint):
        case (ir.Or((first, *rest)),) if rest and level.slot not in free(first) and not level.own:
            if constant_members(level.domain) and is_plain(fn, (first, *rest)):
                return first, ir.Or(tuple(rest)) if len(rest) > 1 else rest[0]
    return None


# ------------------------------------------------------------ answers


def outcome_condition(fn: GameFn, node: Node, at: int) -> str:
    """The condition that the option drawn is of the alternative `at`."""
    site = node.site
    assert site is not None
    if site.decline or site.if_any:
        if len(site.alternatives) == 1:
            return "o is not DECLINE"
        if is_compact(site):
            return f"o == {at}"
        return f"o is not DECLINE and o[0] == {at}"
    return f"o == {at}" if is_compact(site) else f"o[0] == {at}"


def store_answer(fn: GameFn, site: ir.Site, at: int) -> None:
    """Put an option of the alternative `at` into the variables of the frame."""
    if at == len(site.alternatives):
        return
    form, alternative = form_of(site), site.alternatives[at]
    slots = alternative.slots[: len(alternative.binders)]
    for n, (slot, t) in enumerate(slots):
        if not fn.graph.is_needed(fn.node, slot):
            continue
        fn.storage.set_variable(slot, t, "o" if form == "value" else f"o[{n + (form == 'alternative')}]")
        domain = alternative.binders[n][2]
        if domain.kind == "set" and (counts := indexed_counts(fn, domain.a)) is not None:
            fn.present |= {(fn.variable(slot), counts.const)}
    if site.answer is not None and fn.graph.is_needed(fn.node, site.answer[0]):
        value = str(at + 1)
        if site.shape == "number":
            value = "o" if form == "value" else "o[-1]"
        fn.storage.set_variable(*site.answer, value)
    for (_, _, domain, _), (slot, _) in zip(alternative.binders, alternative.slots, strict=False):
        fn.zones[fn.variable(slot)] = zones_in(domain.a)


def confirm_condition(fn: GameFn, site: ir.Site) -> str:
    """The condition that the answer in the frame could be given now."""
    if len(site.alternatives) > 1 or not form_of(site):
        raise Unplayable
    alternative = site.alternatives[0]
    known = dict(fn.node.spot.known[-1])
    slots = list(alternative.slots[: len(alternative.binders)])
    if site.shape == "number" and site.answer is not None:
        slots = [site.answer]
    values = [str(known[slot]) if slot in known else fn.variable(slot) for slot, _ in slots]
    if len(values) == 1 and not alternative.guards and (domain := alternative.binders[0][2]).kind == "set":
        if (counts := indexed_counts(fn, domain.a)) is not None and (values[0], counts.const) in fn.present:
            return "True"
    if len(values) == len(alternative.binders) == 1 and (found := offered_condition(fn, alternative, values[0])):
        return found
    with fn.scope():
        write_options(fn, site, FORM)
    given = values[0] if len(alternative.binders) == 1 else f"({''.join(f'{v}, ' for v in values)})"
    return f"{given} in out"


FORM = ListForm(write_alternative, list_text)
