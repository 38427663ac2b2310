"""Reachability: the nodes that steps lead to, by lines of a search or by a call of the runtime."""

from __future__ import annotations

from dsl import ir
from interpreter.backends.python.emit.folds.loops import begin_if, begin_loop
from interpreter.backends.python.emit.function import ANY, Fn
from interpreter.backends.python.emit.ranges import range_of


def flood(fn: Fn, e: ir.Reach, steps: str = "") -> str:
    """Lines of a breadth-first search, with `steps` only so deep; gives the variable of the set."""
    start = fn.hold(fn(e.start))
    seen, queue = fn.fresh(), fn.fresh()
    fn.line(f"{seen} = {start}")
    match e.start:
        case ir.MakeSet((item,)) if range_of(fn, item)[0] > 0:
            fn.line(f"{queue} = [{fn(item)}]")
        case _:
            fn.line(f"{queue} = list(members({start}))")
    names, depth = fn.names.copy(), fn.line.depth
    found = queue
    if steps:
        found = fn.fresh()
        fn.line(f"for _ in range({steps}):")
        fn.line.depth += 1
        fn.line(f"{found} = []")
    with fn.scope():
        fn.line(f"for {fn.bind(e.x, (0, ANY[1]))} in {queue}:")
        fn.line.depth += 1
        begin_loop(fn, e.y, ir.Domain("set", e.next))
        y = fn.temp(e.y)
        if e.where is not None:
            begin_if(fn, e.where)
        fn.line(f"if not {seen} >> {y} & 1:")
        fn.line(f" {seen} |= 1 << {y}")
        fn.line(f" {found}.append({y})")
    if steps:
        fn.line(f"{queue} = {found}")
    fn.names, fn.line.depth = names, depth
    return seen


def reach_text(fn: Fn, e: ir.Reach) -> str:
    if e.gives != "reach":
        return shortest_text(fn, e)
    if not e.costs and fn.eager:
        return flood(fn, e)
    if fn.eager and len(e.costs) == 1 and e.costs[0][0] == ir.Const(1):
        return flood(fn, e, fn(e.costs[0][1]))
    start = fn(e.start)
    budgets = ", ".join(fn(b) for _, b in e.costs)
    following, where, costs = step_texts(fn, e)
    if not e.costs:
        return f"flood({start}, {following}, {where})"
    if len(e.costs) == 1:
        return f"within_one({start}, {following}, {where}, {costs}, {budgets})"
    return f"within({start}, {following}, {where}, {costs}, ({budgets},))"


def shortest_text(fn: Fn, e: ir.Reach) -> str:
    assert e.to is not None
    start, to = fn(e.start), fn(e.to)
    following, where, costs = step_texts(fn, e)
    found = f"shortest({start}, {following}, {where}, {costs}, {to})"
    return f"{found}[1]" if e.gives == "nearest" else f"length_of({found}, {fn.constant(e.empty)})"


def step_texts(fn: Fn, e: ir.Reach) -> tuple[str, str, str]:
    """Functions that give the neighbours of a node, whether a step is open, and what it costs (of several costs a
    tuple)."""
    names = fn.names.copy()
    with fn.lazily():
        x = fn.bind(e.x, (0, ANY[1]))
        following = fn(e.next)
        y = fn.bind(e.y, (0, ANY[1]))
        where = fn.test(e.where) if e.where is not None else "True"
        costs = ", ".join(fn(c) for c, _ in e.costs)
    fn.names = type(names)(names.temps, names.known, names.ranges, fn.names.frame)
    cost = f"lambda {x}, {y}: {costs if len(e.costs) == 1 else f'({costs},)'}" if e.costs else "None"
    return f"lambda {x}: {following}", f"lambda {x}, {y}: {where}", cost
