"""Loops over the members of domains, and the tests inside them.

A filtered set that is only looped over is never made: its condition is tested in the loop. Words and rows of relations
that the tests read are loop variables beside the member; members selected by a constant table are found once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import SetType, bounds
from interpreter.backends.analysis.constants import Rows
from interpreter.backends.analysis.dataflow import free, walk
from interpreter.backends.python.emit.calls import has_simple_arguments, inlining, is_inlined
from interpreter.backends.python.emit.folds.counted import count_all, count_passes, size_of
from interpreter.backends.python.emit.folds.inline import (
    cell_address,
    consecutive_members,
    is_filter,
    is_inline,
    slice_text,
)
from interpreter.backends.python.emit.folds.rows import linearise, row_fold, rows_head, slice_cells, with_rows
from interpreter.backends.python.emit.function import ANY, Fn, Range
from interpreter.backends.python.emit.loads import load_variables, row_size, rows_item, table_item
from interpreter.backends.python.emit.ranges import member_range, range_of, simplify_test
from interpreter.backends.python.emit.source import sum_text
from interpreter.core.words import members

Body = Callable[[str], None]


def write_loop(fn: Fn, e: ir.Fold, body: Body) -> None:
    """A loop over all bindings of a fold; `body` writes its lines and takes the name of the last binder's member."""
    with fn.scope():
        inner = tuple(x for x in (e.where, e.body, *(k for _, k in e.keys)) if x is not None)
        load_variables(fn, inner)
        for n, (slot, domain) in enumerate(e.binders):
            begin_loop(fn, slot, domain, inner if n + 1 == len(e.binders) else ())
        if e.where is not None:
            begin_if(fn, e.where)
        body(fn.temp(e.binders[-1][0]))


def begin_loop(fn: Fn, slot: int, domain: ir.Domain, inner: Sequence[ir.Expr] = ()) -> None:
    """The head of a loop over a domain; what follows is indented. `inner`: all expressions that read the member, in the
    order of evaluation."""
    chosen = as_filter(fn, domain.a) if domain.kind == "set" else None
    if chosen is not None:
        fold, names = chosen
        before = fn.names
        fn.names = names
        if inverse_table(fn, fold.binders[0][1], fold.where) is None:
            fold = with_rows(fn, fold)
        first, first_domain = fold.binders[0]
        wheres: tuple[ir.Expr, ...] = () if fold.where is None else (fold.where,)
        load_variables(fn, wheres)
        found = inverse_table(fn, first_domain, fold.where)
        if found is not None:
            source, span, wheres = found
            count = fn.count
            fn.open_loop(f"for {fn.bind(first, span)} in {source}", count, size_of(fn, first_domain))
        else:
            begin_loop(fn, first, first_domain, wheres)
        for test in wheres:
            begin_if(fn, test)
        member, span = fn.names.temps[first], fn.names.ranges.get(first, ANY)
        fn.names = before.copy()
        fn.names.temps[slot], fn.names.ranges[slot] = member, span
        fn.names.known.pop(slot, None)
        return
    count = fn.count
    size = size_of(fn, domain)
    if isinstance(domain.a, Rows):
        count_all(fn, size)
        fn.open_loop(rows_head(fn, slot, domain.a), count, size)
        return
    head = relation_rows(fn, slot, domain, inner) or slice_columns(fn, slot, domain, inner)
    if head is None:
        source, span = iterable_of(fn, domain)
        source = count_passes(fn, size, source)
        count = fn.count
        head = f"for {fn.bind(slot, span)} in {source}"
    else:
        count_all(fn, size)
    fn.open_loop(head, count, size)


def inverse_table(fn: Fn, domain: ir.Domain, where: ir.Expr | None) -> tuple[str, Range, tuple[ir.Expr, ...]] | None:
    """The members of a domain for which a constant table has a given item, by the inverse of the table: the text, their
    bounds, and the tests that are left."""
    first, *rest = where.items if isinstance(where, ir.And) and where.items else (where,)
    match domain, first:
        case ir.Domain("set", ir.Const(int() as mask)), ir.Compare("==", ir.TableGet() as item, other):
            pass
        case _:
            return None
    match item.offset:
        case ir.Linear(const, ((ir.Temp(slot), 1),)):
            pass
        case _:
            return None
    items = fn.ctx.program.tables[item.table]
    found = members(mask)
    if slot in free(other) or not found or not all(0 <= v + const < len(items) for v in found):
        return None
    name = fn.ctx.named_constant(f"inverse({item.table}, {const}, {mask})", "I")
    return f"{name}.get({fn(other)}, ())", (found[0], found[-1]), tuple(t for t in rest if t is not None)


def slice_columns(fn: Fn, slot: int, domain: ir.Domain, inner: Sequence[ir.Expr]) -> str | None:
    """The head of a loop over consecutive members and, by slices, the words that are read of them first."""
    found, cells = consecutive_members(domain), slice_cells(fn, slot, domain, inner)
    if found is None or not cells:
        return None
    low, high = found
    slices = [slice_text(fn, c, low, high) for c in cells]
    v = fn.bind(slot, (low, high))
    words = [fn.fresh("w") for _ in cells]
    for c, word in zip(cells, words, strict=True):
        fn.cached_cells[v, c.const, c.stride, c.others] = word
    if len(cells) == 1:
        return f"for {v}, {words[0]} in enumerate({slices[0]}, {low})"
    return f"for {v}, {', '.join(words)} in zip(range({low}, {high + 1}), {', '.join(slices)})"


def relation_rows(fn: Fn, slot: int, domain: ir.Domain, inner: Sequence[ir.Expr]) -> str | None:
    """The head of a loop over rows of a relation instead of members, if nothing else is read by the member."""
    fold = row_fold(fn.ctx, slot, domain, inner)
    if fold is None:
        return None
    member, row = fold.binders[0]
    assert isinstance(row.a, ir.TableGet) and isinstance(row.a.offset, ir.Linear)
    table, const = row.a.table, row.a.offset.const
    size = row_size(fn.ctx.program, table)
    shift = common_offset((fold.where, fold.body), member)
    match domain.a:
        case ir.Const(int() as mask):
            rows = tuple(fn.ctx.program.tables[table][v + const] for v in members(mask))
            source = fn.ctx.named_constant(f"rows({rows}, {shift or 0})", "R")
        case ir.TableGet(outer, offset):
            source = rows_item(fn, outer, offset, table, const, shift or 0)
        case _:
            return None
    names = tuple(fn.fresh("y") for _ in range(size))
    fn.bind(slot)
    fn.rows[fn.names.temps[slot], table, const] = names
    if shift is not None:
        for name in names:
            fn.cached_cells[name, shift, 1, ()] = f"S[{name}]"
    return f"for {', '.join(names)}{',' if size == 1 else ''} in {source}"


def as_filter(fn: Fn, e: ir.Expr) -> tuple[ir.Fold, Any] | None:
    """A set as the filter of another set, and the names with which to write it; None: it is not one."""
    if is_filter(e):
        return e, fn.names.copy()
    match e:
        case ir.Arith("&~", left, ir.MakeSet((ir.Temp() | ir.Const() | ir.FrameVar() as item,))) if as_filter(fn, left):
            slot = next(fn.ctx.constants.fresh)
            other = ir.Compare("!=", ir.Temp(slot), item)
            return ir.Fold("set", ((slot, ir.Domain("set", left)),), other, (), None), fn.names.copy()
    if isinstance(e, ir.CallFn) and (fn.eager or has_simple_arguments(e)):
        called = fn.ctx.program.functions[e.fn]
        if is_filter(called.body) and e.fn not in fn.ctx.facts.recursive_fns:
            with inlining(fn, called, e.args):
                return called.body, fn.names.copy()
    return None


def iterable_of(fn: Fn, d: ir.Domain) -> tuple[str, Range]:
    """The text of the iterable of a loop, and the bounds of its members."""
    if d.kind == "set":
        match d.a:
            case ir.Const(int() as mask):
                found = members(mask)
                if not found:
                    return "()", (0, 0)
                if found == tuple(range(found[0], found[-1] + 1)):
                    return f"range({found[0]}, {found[-1] + 1})", (found[0], found[-1])
                return fn.ctx.literal(found), (found[0], found[-1])
            case ir.RangeSet(low, high):
                text = fn(high)
                stop = str(int(text) + 1) if text.isdigit() else f"{text} + 1"
                return f"range({fn(low)}, {stop})", (range_of(fn, low)[0], range_of(fn, high)[1])
            case ir.TableGet(table, offset):
                return table_item(fn, table, offset, True), member_range(fn.ctx.program, table)
            case ir.If(test, then, orelse):
                condition = fn.test(test)
                with fn.lazily():
                    (one, a), (other, b) = (iterable_of(fn, ir.Domain("set", x)) for x in (then, orelse))
                return f"({one} if {condition} else {other})", (min(a[0], b[0]), max(a[1], b[1]))
            case ir.CallFn(number, args) if is_inlined(fn, d.a):
                called = fn.ctx.program.functions[number]
                with inlining(fn, called, args):
                    return iterable_of(fn, ir.Domain("set", called.body))
        t = getattr(d.a, "type", None)
        span = bounds(t.elem) if isinstance(t, SetType) else (0, ANY[1])
        return f"members({fn(d.a)})", span
    if d.kind == "list":
        return fn(d.a), fn.names.ranges.get(d.a.slot, ANY) if isinstance(d.a, ir.Temp) else ANY
    assert d.b is not None
    span = range_of(fn, d.a)[0], range_of(fn, d.b)[1]
    stop = sum_text(1, fn(d.b)) if not isinstance(d.b, ir.Const) else fn.constant(d.b.value + 1)
    return f"range({fn(d.a)}, {stop})", span


def begin_if(fn: Fn, test: ir.Expr) -> None:
    """The head of a block for the case that a test holds; what follows is indented."""
    test = simplify_test(fn, test)
    match test:
        case ir.And(items):
            for item in items:
                begin_if(fn, item)
            return
        case ir.Not(ir.Not(inner)):
            begin_if(fn, inner)
            return
        case ir.Not(ir.CallFn() as call) if (names := inlined_names(fn, call)) is not None:
            begin_if_with(fn, names, ir.Not(fn.ctx.program.functions[call.fn].body))
            return
        case ir.CallFn() if (names := inlined_names(fn, test)) is not None:
            begin_if_with(fn, names, fn.ctx.program.functions[test.fn].body)
            return
        case ir.Fold(kind="any") | ir.Not(ir.Fold(kind="every")) if fn.open_loops and begin_if_any(fn, test):
            return
        case ir.Let(slot, ir.Fold(kind="first") as value, ir.And((some, *items))) if (
            fn.open_loops and stops_early(value) and tests_member(some, slot)
        ):
            fn.names.temps[slot], fn.names.ranges[slot] = find_first(fn, value, "continue")
            fn.names.known.pop(slot, None)
            begin_if(fn, ir.And(tuple(items)))
            return
        case ir.Let(slot, value, inner):
            span = range_of(fn, value)
            fn.names.temps[slot], fn.names.ranges[slot] = fn.hold(fn(value)), span
            fn.names.known.pop(slot, None)
            begin_if(fn, inner)
            return
        case (ir.Fold(kind="every") as e) | ir.Not(ir.Fold(kind="any") as e) if len(e.binders) == 1 and not is_inline(
            fn, e := linearise(fn, e)
        ):
            e = with_rows(fn, e)
            body = e.body if e.body is not None else ir.Const(1)
            wrong = body if e.kind == "any" else ir.Not(body)
            if e.kind == "every" and e.body is None:
                return
            with fn.scope():
                write_loop(fn, e, lambda _: write_if(fn, wrong, "break"))
            fn.line("else:")
            fn.line.depth += 1
            return
    fn.line(f"if {fn.test(test)}:")
    fn.line.depth += 1


def begin_if_any(fn: Fn, test: ir.Expr) -> bool:
    """Inside a loop: go on with the next pass unless some member passes; False: nothing is written."""
    wrong = isinstance(test, ir.Not)
    e = test.operand if isinstance(test, ir.Not) else test
    assert isinstance(e, ir.Fold)
    if len(e.binders) > 1 or is_inline(fn, e := linearise(fn, e)):
        return False
    e = with_rows(fn, e)

    def found(_: str) -> None:
        if e.body is not None:
            begin_if(fn, ir.Not(e.body) if wrong else e.body)
        fn.line("break")

    with fn.scope():
        write_loop(fn, e, found)
    fn.line("else:")
    fn.line(" continue")
    return True


def find_first(fn: Fn, e: ir.Fold, otherwise: str) -> tuple[str, Range]:
    """Lines that find the first member of a fold: its name and bounds; without any, the line `otherwise` runs."""
    names: list[tuple[str, Range]] = []
    e = with_rows(fn, e)

    def stop(v: str) -> None:
        names.append((v, fn.names.ranges.get(e.binders[-1][0], ANY)))
        fn.line("break")

    write_loop(fn, e, stop)
    fn.line("else:")
    fn.line(f" {otherwise.format(names[0][0])}")
    return names[0]


def stops_early(e: ir.Fold) -> bool:
    """Whether a fold gives the first member of a loop that may end there."""
    return e.kind == "first" and not e.keys and (e.where is not None or e.binders[0][1].kind != "set")


def inlined_names(fn: Fn, e: ir.CallFn) -> Any:
    """The names with which the body of a called condition is inlined; None if it is not."""
    body = fn.ctx.program.functions[e.fn].body
    if is_inlined(fn, e) and fn.eager and (isinstance(body, ir.And) or any(isinstance(n, ir.Fold) for n in walk(body))):
        with inlining(fn, fn.ctx.program.functions[e.fn], e.args):
            return fn.names
    return None


def begin_if_with(fn: Fn, names: Any, test: ir.Expr) -> None:
    before = fn.names
    fn.names = names
    fn.inline_depth += 1
    begin_if(fn, test)
    fn.inline_depth -= 1
    fn.names = before


def write_if(fn: Fn, test: ir.Expr, then: str) -> None:
    begin_if(fn, test)
    fn.line(then)


def tests_member(test: ir.Expr, slot: int) -> bool:
    """Whether an expression tests that a temp holds a member, that is, not 0."""
    match test:
        case ir.Compare("!=", ir.Temp(at), ir.Const(0)) | ir.Not(ir.Compare("==", ir.Temp(at), ir.Const(0))):
            return at == slot
    return False


def common_offset(parts: Any, slot: int) -> int | None:
    """The constant of all addresses in which a temp stands, if it stands in addresses of one-word cells only."""
    reads = sum(1 for n in walk(parts) if n == ir.Temp(slot))
    cells = [a for n in walk(parts) if isinstance(n, ir.Cell) and (a := cell_address(n, slot)) and a.stride == 1]
    found = {a.const for a in cells if not a.others}
    plain = all(not a.others for a in cells)
    return found.pop() if plain and len(cells) == reads and len(found) == 1 else None
