"""The values of folds: loops in lines before the text that is written, or in a function of their own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dsl import ir
from dsl.base.types import SetType, width
from interpreter.backends.analysis.dataflow import free, walk
from interpreter.backends.python.emit.addresses import address_parts
from interpreter.backends.python.emit.calls import inlining, is_atom
from interpreter.backends.python.emit.folds.inline import (
    constant_members,
    is_filter,
    is_inline,
    slice_fold,
    unroll_fold,
)
from interpreter.backends.python.emit.folds.loops import begin_if, find_first, stops_early, write_loop
from interpreter.backends.python.emit.folds.rows import linearise, with_rows
from interpreter.backends.python.emit.function import ANY, Fn, Names
from interpreter.backends.python.emit.ranges import range_of
from interpreter.backends.python.emit.source import sum_text
from interpreter.backends.python.emit.storage import StoreVariables


def fold_text(fn: Fn, e: ir.Fold) -> str:
    e = linearise(fn, e)
    found = slice_fold(fn, e) or unroll_fold(fn, e)
    if found:
        return f"(1 if {found} else 0)" if e.kind in ("any", "every") else found
    return fold_value(fn, e) if fn.eager else outlined_call(fn, e)


def fold_test(fn: Fn, e: ir.Fold) -> str:
    """A fold of which only the truth counts."""
    e = linearise(fn, e)
    return slice_fold(fn, e) or unroll_fold(fn, e) or fold_text(fn, e)


def outlined_call(fn: Fn, e: ir.Expr) -> str:
    """The call of an outlined function."""
    name, args = outlined(fn, e)
    return f"{name}({', '.join(args)})"


def outlined(fn: Fn, e: ir.Expr) -> tuple[str, list[str]]:
    """A function of its own for an expression: its name, and the texts of its arguments."""
    if fn.ctx.facts.uses_running or any(isinstance(n, ir.FrameVar | ir.FrameItem) for n in walk(e)):
        fn.storage.sync()
    slots = sorted(free(e))
    names = [f"p{slot}" for slot in slots]
    given = fn.storage.passed_variables(e)
    passed = {slot: f"v{slot}" for slot in given}
    inner = Fn(fn.ctx, partial(StoreVariables, passed=passed))
    inner.names.frame = dict(passed)
    for slot, name in zip(slots, names, strict=True):
        if slot in fn.names.known:
            inner.names.known[slot] = fn.names.known[slot]
        inner.names.temps[slot] = name
        inner.names.ranges[slot] = fn.names.ranges.get(slot, ANY)
    inner.inline_depth, inner.times = fn.inline_depth, fn.passes()
    write_return(inner, e)
    name = fn.ctx.add("q", ["S", *names, *passed.values()], inner.line.text)
    return name, ["S", *(fn.temp(slot) for slot in slots), *given.values()]


def lazy_let(fn: Fn, e: ir.LazyLet) -> str:
    if not fn.eager:
        return outlined_call(fn, e)
    before = fn.names.copy()
    bind_lazily(fn, e)
    text = fn(e.body)
    fn.names = Names(before.temps, before.known, before.ranges, fn.names.frame)
    return text


def bind_lazily(fn: Fn, e: ir.LazyLet) -> None:
    """The line that makes a value which is worked out where it is first read."""
    span = range_of(fn, e.value)
    name, args = outlined(fn, e.value)
    fn.bind(e.slot, span, "x")
    fn.line(f"{fn.temp(e.slot)} = Lazy({', '.join([name, *args])})")


def force(fn: Fn, e: ir.Force) -> str:
    x = fn.temp(e.slot)
    return f"({x}.value if {x}.value is not None else force({x}))"


def write_return(fn: Fn, e: ir.Expr) -> None:
    """Lines that return the value of an expression."""
    match e:
        case ir.If(test, then, orelse):
            fn.line(f"if {fn.test(test)}:")
            with fn.scope():
                fn.line.depth += 1
                write_return(fn, then)
            write_return(fn, orelse)
            return
        case ir.Let(slot, value, body):
            span = range_of(fn, value)
            text = fn.hold(fn(value))
            fn.names.temps[slot], fn.names.ranges[slot] = text, span
            fn.names.known.pop(slot, None)
            write_return(fn, body)
            return
        case ir.LazyLet(_, _, body):
            bind_lazily(fn, e)
            write_return(fn, body)
            return
        case ir.And(items) if items:
            with fn.scope():
                for item in items:
                    begin_if(fn, item)
                fn.line("return 1")
            fn.line("return 0")
            return
        case ir.Or(items) if items:
            for item in items:
                with fn.scope():
                    begin_if(fn, item)
                    fn.line("return 1")
            fn.line("return 0")
            return
        case ir.Fold(kind="any" | "every") if not is_inline(fn, e := linearise(fn, e)):
            wanted = e.kind == "any"
            e = with_rows(fn, e)

            def found(_: str) -> None:
                if e.body is not None:
                    begin_if(fn, e.body if wanted else ir.Not(e.body))
                fn.line(f"return {1 if wanted else 0}")

            if wanted or e.body is not None:
                write_loop(fn, e, found)
            fn.line(f"return {0 if wanted else 1}")
            return
    fn.line(f"return {fn(e)}")


# ------------------------------------------------------------ values


def fold_value(fn: Fn, e: ir.Fold) -> str:
    """Lines that compute a fold; gives the variable that holds it."""
    if e.kind in ("any", "every", "first") and len(e.binders) > 1 and not e.keys:
        return outlined_call(fn, e)
    if stops_early(e):
        none = f"raise nothing_first({fn.ctx.object(e.span)})" if e.required else "{} = 0"
        return find_first(fn, e, none)[0]
    e = with_rows(fn, e)
    x = fn.fresh()
    FOLDS.get(e.kind, by_pairs)(fn, e, x)
    return x


def fold_body(fn: Fn, e: ir.Fold, member: str) -> str:
    return fn(e.body) if e.body is not None else member


def count(fn: Fn, e: ir.Fold, x: str) -> None:
    fn.line(f"{x} = 0")
    write_loop(fn, e, lambda _: fn.line(f"{x} += 1"))


def add_up(fn: Fn, e: ir.Fold, x: str) -> None:
    fn.line(f"{x} = 0")
    write_loop(fn, e, lambda v: fn.line(f"{x} += {fold_body(fn, e, v)}"))


def any_of(fn: Fn, e: ir.Fold, x: str) -> None:
    def found(_: str) -> None:
        if e.body is not None:
            begin_if(fn, e.body)
        fn.line(f"{x} = 1")
        fn.line("break")

    fn.line(f"{x} = 0")
    write_loop(fn, e, found)


def every_of(fn: Fn, e: ir.Fold, x: str) -> None:
    def found(_: str) -> None:
        assert e.body is not None
        begin_if(fn, ir.Not(e.body))
        fn.line(f"{x} = 0")
        fn.line("break")

    fn.line(f"{x} = 1")
    if e.body is not None:
        write_loop(fn, e, found)


def greatest(fn: Fn, e: ir.Fold, x: str) -> None:
    extreme(fn, e, x, ">")


def least(fn: Fn, e: ir.Fold, x: str) -> None:
    extreme(fn, e, x, "<")


def extreme(fn: Fn, e: ir.Fold, x: str, sign: str) -> None:
    def found(v: str) -> None:
        value = fn.hold(fold_body(fn, e, v))
        fn.line(f"if {x} is None or {value} {sign} {x}: {x} = {value}")

    fn.line(f"{x} = None")
    write_loop(fn, e, found)
    fn.line(f"if {x} is None: {x} = {fn.constant(e.empty)}")


def make_set_of(fn: Fn, e: ir.Fold, x: str) -> None:
    slot = e.binders[-1][0]

    def found(v: str) -> None:
        value = fold_body(fn, e, v)
        if e.body in (None, ir.Temp(slot)) or range_of(fn, e.body or ir.Temp(slot))[0] > 0:
            fn.line(f"{x} |= 1 << {value}")
            return
        value = fn.hold(value)
        fn.line(f"if {value}: {x} |= 1 << {value}")

    fn.line(f"{x} = 0")
    write_loop(fn, e, found)


def make_list_of(fn: Fn, e: ir.Fold, x: str) -> None:
    fn.line(f"{x} = []")
    write_loop(fn, e, lambda v: fn.line(f"{x}.append({fold_body(fn, e, v)})"))
    fn.line(f"{x} = tuple({x})")


def first(fn: Fn, e: ir.Fold, x: str) -> None:
    domain = e.binders[-1][1]
    if not e.keys and e.where is None and len(e.binders) == 1 and domain.kind == "set" and not e.required:
        mask = fn.hold(fn(domain.a))
        fn.line(f"{x} = ({mask} & -{mask}).bit_length() - 1 if {mask} else 0")
        return
    keep_best(fn, e, x, lambda v: v, None)
    none = f"raise nothing_first({fn.ctx.object(e.span)})" if e.required else f"{x} = 0"
    fn.line(f"if {x} is None: {none}")


def only(fn: Fn, e: ir.Fold, x: str) -> None:
    keep_best(fn, e, x, lambda v: v, lambda _: f"{x} = 0")
    fn.line(f"if {x} is None: {x} = 0")


def tied(fn: Fn, e: ir.Fold, x: str) -> None:
    def member(v: str) -> str:
        return f"1 << {v} if {v} else 0"

    keep_best(fn, e, x, member, lambda v: f"{x} |= {member(v)}")
    fn.line(f"if {x} is None: {x} = 0")


def keep_best(fn: Fn, e: ir.Fold, x: str, initial: Callable[[str], str], on_equal: Callable[[str], str] | None) -> None:
    """Find the member with the best keys: `initial` is the value for a better one, `on_equal` the line for an equal
    one."""
    best = fn.fresh("k")
    few = unrolled_members(fn, e)
    begun = False
    if not few or e.where is not None:
        fn.line(f"{x} = {best} = None")

    def found(v: str) -> None:
        nonlocal begun
        highest = len(e.keys) == 1 and e.keys[0][0]
        if len(e.keys) == 1:
            value = fn.hold(fn(e.keys[0][1]))
        else:
            parts = [f"-{fn(k)}" if high else fn(k) for high, k in e.keys]
            value = fn.hold(f"({''.join(f'{part}, ' for part in parts)})")
        if few and e.where is None and not begun:
            fn.line(f"{best} = {value}")
            fn.line(f"{x} = {initial(v)}")
            begun = True
            return
        unset = "" if few and e.where is None else f"{best} is None or "
        fn.line(f"if {unset}{value} {'>' if highest else '<'} {best}:")
        fn.line(f" {best} = {value}")
        fn.line(f" {x} = {initial(v)}")
        if on_equal is not None:
            fn.line(f"elif {value} == {best}: {on_equal(v)}")

    if not few:
        write_loop(fn, e, found)
    for member in few:
        write_member(fn, e, member, found)


def unrolled_members(fn: Fn, e: ir.Fold) -> tuple[int, ...]:
    """The members of a fold that is unrolled; none: it has a loop."""
    if len(e.binders) != 1 or not e.keys or not fn.eager:
        return ()
    found = constant_members(e.binders[0][1]) or ()
    return found if len(found) <= fn.unroll_limit else ()


def write_member(fn: Fn, e: ir.Fold, member: int, found: Callable[[str], None]) -> None:
    """The lines for one member."""
    slot = e.binders[0][0]
    with fn.scope():
        fn.names.temps[slot], fn.names.ranges[slot] = str(member), (member, member)
        fn.names.known[slot] = member
        if e.where is not None:
            begin_if(fn, e.where)
        found(str(member))


def by_pairs(fn: Fn, e: ir.Fold, x: str) -> None:
    """Folds that need all members and their ranks, or keys, at once."""
    few = unrolled_members(fn, e)
    if e.kind == "ranked" and len(few) == 2 and e.where is None and e.body in (None, ir.Temp(e.binders[0][0])):
        keys: list[list[str]] = []
        for member in few:
            write_member(fn, e, member, lambda _: keys.append([fn.hold(fn(k)) for _, k in e.keys]))
        (a, b), tests = few, []
        for n, (high, _) in enumerate(e.keys):
            same = "".join(f"{keys[0][k]} == {keys[1][k]} and " for k in range(n))
            last = "=" if n + 1 == len(e.keys) else ""
            tests.append(f"{same}{keys[0][n]} {'>' if high else '<'}{last} {keys[1][n]}")
        fn.line(f"{x} = ({a}, {b}) if {' or '.join(tests)} else ({b}, {a})")
        return
    fn.line(f"{x} = []")

    def found(v: str) -> None:
        if e.kind == "table":
            keys = "".join(f"{fn.temp(slot)}, " for slot, _ in e.binders)
            fn.line(f"{x}.append((({keys}), {fold_body(fn, e, v)}))")
            return
        fn.line(f"{x}.append(({rank(fn, e)}, {v}))")

    write_loop(fn, e, found)
    form = f", {fn.ctx.literal(e.table_keys)}, {fn.constant(e.empty)}" if e.kind == "table" else ""
    fn.line(f"{x} = {'keyed' if e.kind == 'table' else e.kind}({x}{form})")


def rank(fn: Fn, e: ir.Fold) -> str:
    parts = [f"-{fn(k)}" if high else fn(k) for high, k in e.keys]
    return f"({''.join(f'{part}, ' for part in parts)})"


# ------------------------------------------------------------ sets that need not be made


def non_empty_test(fn: Fn, e: ir.Expr) -> str | None:
    """The condition that a set has a member, without making it; None: there is no such text."""
    match e:
        case ir.Cell(address, SetType() as t) if width(t) > 1:
            const, text = address_parts(fn, address)
            if not text or text.isidentifier():
                return f"any(S[{sum_text(const, text)}:{sum_text(const + width(t), text)}])"
    chosen = e
    if isinstance(e, ir.CallFn):
        chosen = fn.ctx.program.functions[e.fn].body
        if not is_filter(chosen):
            return None
        if not fn.eager:
            name = fn.ctx.function_name("finder", e.fn)
            return f"{name}({', '.join(['S', *(fn(a) for a in e.args)])})"
        with inlining(fn, fn.ctx.program.functions[e.fn], e.args):
            return non_empty_test(fn, chosen)
    if not is_filter(chosen):
        return None
    return fn.test(ir.Fold("any", chosen.binders, chosen.where, (), None))


def member_count(fn: Fn, e: ir.Expr) -> str | None:
    match e:
        case ir.RangeSet(ir.Const(1), high):
            text = fn(high)
            return text if range_of(fn, high)[0] >= 0 else f"max({text}, 0)"
    if is_filter(e) and fn.eager:
        return fn(ir.Fold("count", e.binders, e.where, (), None))
    return None


def in_filter(fn: Fn, e: ir.InSet) -> str | None:
    """The condition that a member is in a filter of a constant set; None: it is not such a set."""
    if not isinstance(e.set, ir.CallFn) or not fn.eager:
        return None
    called = fn.ctx.program.functions[e.set.fn]
    if not is_filter(called.body) or not isinstance(called.body.binders[0][1].a, ir.Const) or called.body.where is None:
        return None
    slot, domain = called.body.binders[0]
    assert isinstance(domain.a, ir.Const)
    span, member = range_of(fn, e.member), fn(e.member)
    if not is_atom(member):
        member = fn.hold(member)
    if span[0] < 0:
        return None
    with inlining(fn, called, e.set.args):
        fn.names.temps[slot], fn.names.ranges[slot] = member, span
        fn.names.known.pop(slot, None)
        with fn.lazily():
            where = fn.test(called.body.where)
    return f"({fn.constant(domain.a.value)} >> {member} & 1 and {where})"


FOLDS: dict[str, Callable[[Fn, ir.Fold, str], None]] = {
    "count": count, "sum": add_up, "any": any_of, "every": every_of, "max": greatest, "min": least,
    "set": make_set_of, "list": make_list_of, "first": first, "only": only, "tied": tied,
}  # fmt: skip
"""The writer of each kind of fold, which computes it into the variable `x`; `by_pairs` writes the others."""
