"""The options of a question as Python functions.

Options have the short form of `runtime.options`. The order of loops and tests is that of `interpreter.choices.binding`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.program import MOST_OPTIONS
from interpreter.backends.analysis.constants import Rows
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.analysis.passes import LIGHT
from interpreter.backends.python.emit.calls import has_simple_arguments
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.folds.counted import count_passes, size_of
from interpreter.backends.python.emit.folds.inline import cell_address, is_filter
from interpreter.backends.python.emit.folds.loops import as_filter, begin_if, begin_loop, iterable_of, slice_columns
from interpreter.backends.python.emit.folds.rows import level_with_rows, rows_head
from interpreter.backends.python.emit.function import ANY, Fn
from interpreter.backends.python.emit.loads import load_variables
from interpreter.backends.python.emit.source import sum_text
from interpreter.backends.python.emit.storage import StoreVariables
from interpreter.backends.python.runtime.options import form_of
from interpreter.choices.binding import Level
from interpreter.choices.sequence import row_parts

Item = Callable[[int, Sequence[str]], str]
Tests = tuple[list[ir.Expr], list[Level]]  # of an alternative: those that need no binder, and the levels


@dataclass(frozen=True, slots=True)
class ListForm:
    """How the options of a question are listed. `alternative` writes lines for one alternative, `list_text` the text of
    a list of what passes the tests of some levels; `numbers`: options are numbers of alternatives only."""

    alternative: Callable[..., None]
    list_text: Callable[[Any, Sequence[Level], Callable[[Sequence[str]], str]], str]
    numbers: bool = False


def lister_fn(ctx: ModuleContext, number: int) -> Fn:
    """The start of a function that lists bindings for a question: its first line reads the address of the frame."""
    fn = Fn(ctx, partial(StoreVariables, frame="B"))
    fn.question = number
    fn.line(f"B = S[{hdr.FP}] + {hdr.FRAME_LINK}")
    return fn


def write_lister(ctx: ModuleContext, number: int) -> None:
    """A function that lists the options of a question in their short form."""
    fn = lister_fn(ctx, number)
    write_options(fn, ctx.program.sites[number])
    fn.line("return out")
    ctx.add("l", ["S"], fn.line.text, f"_l{number}")


def write_bindings(ctx: ModuleContext, number: int, at: int) -> None:
    """A function that lists the bindings of one alternative of a question."""
    fn = lister_fn(ctx, number)
    levels = ctx.levels(ctx.program.sites[number].alternatives[at])
    write_list(fn, [levels], lambda _, values: f"({''.join(f'{v}, ' for v in values)})")
    fn.line("return out")
    ctx.add("v", ["S"], fn.line.text, f"_v{number}_{at}")


def write_rows(ctx: ModuleContext, number: int) -> None:
    """A function that lists the bindings of a question about several members, with the other values of each row."""
    fn, site = lister_fn(ctx, number), ctx.program.sites[number]
    more = row_parts(site)

    def row(_: int, values: Sequence[str]) -> str:
        return f"(({''.join(f'{v}, ' for v in values)}), {''.join(f'{fn(e)}, ' for e in more)})"

    write_list(fn, [ctx.levels(site.alternatives[0])], row, more)
    fn.line("return out")
    ctx.add("w", ["S"], fn.line.text, f"_w{number}")


def write_options(fn: Fn, site: ir.Site, form: ListForm | None = None) -> None:
    """The options of a question in their short form as the list `out`."""
    short, form = form_of(site), form or PLAIN

    def item(k: int, values: Sequence[str]) -> str:
        if short == "value":
            return values[0]
        if form.numbers:
            return str(k)
        parts = [str(k), *values] if short == "alternative" else list(values)
        return f"({''.join(f'{p}, ' for p in parts)})"

    write_list(fn, [fn.ctx.levels(a) for a in site.alternatives], item, form=form)
    if site.decline or site.if_any:
        wanted = []
        if not site.always_ask:
            wanted.append("out")
        if not site.decline:
            wanted.append("not out")
        if "out" not in wanted or "not out" not in wanted:
            head = f"if {' and '.join(wanted)}: " if wanted else ""
            fn.line(f"{head}out = [*out, DECLINE]")


def write_list(
    fn: Fn, alternatives: Sequence[Tests], item: Item, more: Sequence[ir.Expr] = (), form: ListForm | None = None
) -> None:
    """Lines that make the list `out` of what passes the tests of alternatives. Where later alternatives ask whether the
    first one offers anything, the variable `first` has the number of its options."""
    form = form or PLAIN
    single = len(alternatives) == 1
    constants = [k for k, (before, levels) in enumerate(alternatives) if not before and not levels]
    if len(constants) == len(alternatives):
        fn.line(f"out = [{', '.join(item(k, ()) for k in constants)}]")
        return
    begun = False
    first: Tests | None = None
    for k, (before, levels) in enumerate(alternatives):
        if single and not before and levels and all_simple(fn, levels, more):
            fn.line(f"out = {form.list_text(fn, levels, partial(item, k))}")
            return
        if not begun:
            fn.line("out = []")
            begun = True
        with fn.scope():
            form.alternative(fn, form, k, (before, levels), item, more, first)
        if k == 0 and any(repeated_test(fn, test, alternatives[0]) for tests, _ in alternatives[1:] for test in tests):
            first = alternatives[0]
            fn.line("first = len(out)")


def write_alternative(
    fn: Fn, form: ListForm, k: int, tests: Tests, item: Item, more: Sequence[ir.Expr], first: Tests | None
) -> None:
    """The options of one alternative."""
    before, levels = tests
    if levels and all_simple(fn, levels, more):
        begin_tests(fn, before, first)
        fn.line(f"out += {form.list_text(fn, levels, partial(item, k))}")
        return
    for level in levels:
        load_variables(fn, (*level.own, *level.joint))
    load_variables(fn, more)
    lists = {}
    for depth, level in enumerate(levels):
        if depth and level.free and not is_constant(level):
            lists[depth] = fn.fresh("k")
            fn.line(f"{lists[depth]} = None")
    begin_tests(fn, before, first)
    for depth, level in enumerate(levels):
        if depth in lists:
            name = lists[depth]
            fn.line(f"if {name} is None:")
            with fn.scope():
                fn.line.depth += 1
                fn.line(f"{name} = []")
                free_level = level_with_rows(fn, replace(level, joint=()))
                begin_loop(fn, free_level.slot, free_level.domain, free_level.own)
                span = fn.names.ranges.get(level.slot, ANY)
                for test in free_level.own:
                    begin_if(fn, test)
                fn.line(f"{name}.append({fn.temp(level.slot)})")
            size = size_of(fn, level.domain)
            name, count = count_passes(fn, size, name), fn.count
            fn.open_loop(f"for {fn.bind(level.slot, span)} in {name}", count, size)
            left = level.joint
        else:
            level = level_with_rows(fn, level)
            left = (*level.own, *level.joint)
            begin_loop(fn, level.slot, level.domain, left)
        for test in left:
            begin_if(fn, test)
    fn.line(f"out.append({item(k, [fn.temp(level.slot) for level in levels])})")
    if fn.question >= 0 and answers_of(fn, levels) > MOST_OPTIONS:
        fn.line(f"if len(out) > {MOST_OPTIONS}: raise too_many({fn.question})")


def begin_tests(fn: Fn, tests: Sequence[ir.Expr], first: Tests | None) -> None:
    """The heads of blocks for the case that tests hold; what follows is indented. `first`: the alternative whose number
    of options is known."""
    for test in tests:
        asked = repeated_test(fn, test, first) if first is not None else ""
        if asked:
            fn.line(asked)
            fn.line.depth += 1
        else:
            begin_if(fn, test)


def repeated_test(fn: Fn, test: ir.Expr, alternative: Tests) -> str:
    """The head of a block for a test whether an alternative offers something; empty: it is another test."""
    before, levels = alternative
    found = fn.ctx.constants.existence_test(test)
    if before or len(levels) != 1 or found is None:
        return ""
    level, (positive, domain, where) = levels[0], found
    if (domain, where) != fn.ctx.constants.normal_form(level.slot, level.domain, (*level.own, *level.joint)):
        return ""
    return "if first:" if positive else "if not first:"


def all_simple(fn: Fn, levels: Sequence[Level], more: Sequence[ir.Expr]) -> bool:
    """Whether the loops over all levels are one Python expression; False where a level that reads no outer member would
    be listed again for each, and where the passes have to be counted."""
    if fn.passes(answers_of(fn, levels)) > LIGHT:
        return False
    for depth, level in enumerate(levels):
        if not is_simple(fn, level, more) or (depth and level.free and not is_constant(level)):
            return False
    return True


def answers_of(fn: Fn, levels: Sequence[Level]) -> int:
    """The most bindings of some levels."""
    return prod(size_of(fn, level.domain) for level in levels)


def is_simple(fn: Fn, level: Level, more: Sequence[ir.Expr]) -> bool:
    """Whether the loop over a level and its tests are one Python expression."""
    return is_plain(fn, (*level.own, *level.joint, *more)) and is_plain(fn, (level.domain.a, level.domain.b), 1)


def is_plain(fn: Fn, node: Any, choices: int = 0, seen: frozenset[int] = frozenset()) -> bool:
    for n in walk(node):
        match n:
            case ir.Fold():
                return bool(choices and isinstance(node, tuple) and n is node[0] and is_plain_choice(fn, n))
            case ir.CallFn(number, _) if choices and isinstance(node, tuple) and n is node[0]:
                body = fn.ctx.program.functions[number].body
                if is_filter(body) and has_simple_arguments(n) and number not in fn.ctx.facts.recursive_fns:
                    return is_plain(fn, (body.where, body.binders[0][1].a))
                if not is_plain(fn, body, 0, seen | {number}):
                    return False
            case ir.Let() | ir.LazyLet() | ir.Reach() | ir.Possible():
                return False
            case ir.CallFn(number, _):
                if number in seen or not is_plain(fn, fn.ctx.program.functions[number].body, 0, seen | {number}):
                    return False
    return True


def is_plain_choice(fn: Fn, e: ir.Fold) -> bool:
    return is_filter(e) and is_plain(fn, (e.where, e.binders[0][1].a))


def is_constant(level: Level) -> bool:
    """Whether the members of a level are known and it has no tests of its own."""
    return not level.own and all(isinstance(e, ir.Const) or e is None for e in (level.domain.a, level.domain.b))


def list_text(fn: Fn, levels: Sequence[Level], item: Callable[[Sequence[str]], str]) -> str:
    """The text of a list of what passes the tests of some levels."""
    for level in levels:
        load_variables(fn, (*level.own, *level.joint))
    names = fn.names.copy()
    values: list[str] = []
    clauses: list[str] = []
    for level in levels:
        clauses.append(clause(fn, level, not clauses))
        values.append(fn.temp(level.slot))
    with fn.lazily():
        text = item(values)
    frame = fn.names.frame
    fn.names = names
    fn.names.frame = frame
    return f"[{text} {' '.join(clauses)}]"


def clause(fn: Fn, level: Level, first: bool) -> str:
    """The loop over a level and its tests."""
    level = level_with_rows(fn, level)
    tests = (*level.own, *level.joint)
    parts: list[str] = []
    chosen = as_filter(fn, level.domain.a) if level.domain.kind == "set" else None
    if chosen is None:
        parts.append(clause_head(fn, level.slot, level.domain, tests, first))
    else:
        fold, inner = chosen
        slot, domain = fold.binders[0]
        before, fn.names = fn.names, inner
        where = () if fold.where is None else (fold.where,)
        parts.append(clause_head(fn, slot, domain, where, first))
        with fn.lazily():
            parts += [f"if {fn.test(test)}" for test in where]
        v, span = fn.names.temps[slot], fn.names.ranges.get(slot, ANY)
        fn.names = before.copy()
        fn.names.temps[level.slot], fn.names.ranges[level.slot] = v, span
        fn.names.known.pop(level.slot, None)
    parts += shared_words(fn, level.slot, tests)
    with fn.lazily():
        parts += [f"if {fn.test(test)}" for test in tests]
    return " ".join(parts)


def clause_head(fn: Fn, slot: int, domain: ir.Domain, tests: Sequence[ir.Expr], first: bool) -> str:
    """The head of a clause; `first`: of the first one, for which lines may be put before the list."""
    if isinstance(domain.a, Rows):
        return rows_head(fn, slot, domain.a)
    before, fn.eager = fn.eager, fn.eager and first
    head = slice_columns(fn, slot, domain, tests)
    fn.eager = False
    if head is None:
        source, span = iterable_of(fn, domain)
        head = f"for {fn.bind(slot, span)} in {source}"
    fn.eager = before
    return head


def shared_words(fn: Fn, slot: int, tests: Sequence[ir.Expr]) -> list[str]:
    """Words that the tests read more than once, as variables."""
    found = Counter(
        a for test in tests for n in walk(test) if isinstance(n, ir.Cell) and (a := cell_address(n, slot))
        if a.stride == 1 and not a.others
    )  # fmt: skip
    parts = []
    v = fn.temp(slot)
    for place, times in found.items():
        if times > 1 and (v, place.const, 1, ()) not in fn.cached_cells:
            word = fn.fresh("w")
            parts.append(f"for {word} in (S[{sum_text(place.const, v)}],)")
            fn.cached_cells[v, place.const, 1, ()] = word
    return parts


PLAIN = ListForm(write_alternative, list_text)
