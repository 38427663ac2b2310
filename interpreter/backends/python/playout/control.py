"""A whole game at random as one Python function: from a place in the rules to the end, questions answered on the way.

Takes the trees of a `GameGraph`. Frame variables and the random generator are in Python variables, questions are listed
where they are asked and answered at once by `draw`; nothing reads the store before the end. Whatever is not plain
(faults too) raises, and the machine plays the game again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dsl import ir
from dsl import program as hdr
from dsl.base.types import ListType
from interpreter.backends.analysis.dataflow import frame_slots, temp_effects
from interpreter.backends.analysis.playout_graph import ACCEPTED, OUTCOME, Node
from interpreter.backends.analysis.playout_trees import exits, trees_of
from interpreter.backends.analysis.structure import (
    BackEdge,
    Block,
    Break,
    Continue,
    Do,
    Exit,
    Last,
    Loop,
    SetVariables,
    Step,
    Test,
    falls_through,
)
from interpreter.backends.python.emit.function import Names
from interpreter.backends.python.emit.source import prune
from interpreter.backends.python.playout.chance import draw_one, save_generator, write_draw, write_source
from interpreter.backends.python.playout.game import BAIL, GameFn, Unplayable
from interpreter.backends.python.playout.pool_index import index_pools
from interpreter.backends.python.playout.questions import (
    RESET,
    confirm_condition,
    list_options,
    outcome_condition,
    write_question,
)
from interpreter.backends.python.playout.reuse import forget_values
from interpreter.backends.python.playout.statements import call_procedure
from interpreter.backends.python.regions.frames import forget_in_loop, merge, unify_temps

CALLED = re.compile(r"\b(_p\d+|call)\(")  # calls that count work in the store
UNREAD = re.compile(r" *(F\d+_\d+|[BbfaxktS]\d+) = (?!.*[MR]_)[^()/]*$")  # as UNUSED of `source`
SPENT = "#spent"  # the mark for work that called functions have counted
CALLS_ONLY = "#calls"  # the mark of a line that only called functions make necessary


def write_game(fn: GameFn) -> None:
    """The lines from each entry on: the first place, and those where trees would grow too large."""
    trees = trees_of(fn.graph)
    if trees is None:
        raise Unplayable
    fn.entries = list(trees)
    dispatched = any(True for tree in trees.values() for _ in exits(tree))
    index_pools(fn, [(n.i, n.site.alternatives if n.site is not None else ()) for n in fn.nodes])
    fn.line(f"q = 0; w = S[{hdr.STEPS}]; S[{hdr.STEPS}] = 0")
    if not dispatched:
        write_tree(fn, trees[0])
        return
    fn.line("c = 1")
    fn.line("while True:")
    fn.line.depth += 1
    for n, tree in enumerate(trees.values(), 1):
        with fn.scope():
            fn.line(f"{'if' if n == 1 else 'elif'} c == {n}:")
            fn.line.depth += 1
            fn.line("c = 0")
            fn.names = Names()
            fn.work = 0
            fn.forget_all()
            write_tree(fn, tree)


def finished_lines(fn: GameFn) -> list[str]:
    """The lines of the function; those for work that called functions count are left out if there are no calls."""
    counted = any(CALLED.search(line) for line in fn.line.text)
    found = []
    for line in fn.line.text:
        if line.endswith((RESET, CALLS_ONLY)) and not counted:
            continue
        if line.endswith(RESET):
            line = line.replace(RESET, f"S[{hdr.STEPS}] = 0")
        found.append(line.replace(SPENT, f" + S[{hdr.STEPS}]" if counted else ""))
    return prune(found, UNREAD)


def write_exit(fn: GameFn, pc: int) -> None:
    """Go on at another entry."""
    count_work(fn)
    for slot in sorted(fn.ctx.live[fn.nodes[pc].spot.pc]):
        if fn.temp(slot) != f"t{slot}":
            fn.line(f"t{slot} = {fn.temp(slot)}")
    check_work(fn)
    fn.line(f"c = {fn.entries.index(pc) + 1}")
    fn.line("break" if fn.tree_loops else "continue")


def write_tree(fn: GameFn, block: Block) -> None:
    for step in block:
        write_step(fn, step)


def write_step(fn: GameFn, step: Step) -> None:
    match step:
        case Do(pc):
            write_instruction(fn, pc)
        case BackEdge():
            fn.work += 1
        case SetVariables(values):
            for depth, slot, value in values:
                fn.line(f"F{depth}_{slot} = {fn.constant(value)}")
        case Test():
            write_test(fn, step)
        case Loop(body):
            write_loop(fn, body)
        case Break():
            count_work(fn)
            fn.line("break")
        case Continue():
            write_continue(fn)
        case Exit(pc):
            write_exit(fn, pc)
        case Last(pc):
            write_last(fn, pc)
        case _:
            raise AssertionError(step)


def count_work(fn: GameFn) -> None:
    """Count the work that is pending."""
    if fn.work:
        fn.line(f"w += {fn.work}")
        fn.work = 0


def write_instruction(fn: GameFn, pc: int) -> None:
    fn.node = node = fn.nodes[pc]
    i, spot = node.i, node.spot
    match i:
        case ir.Run(body):
            known = dict(spot.known[-1])
            for slot in sorted(set(frame_slots([s for s in body if not isinstance(s, ir.SetFrame)])) & set(known)):
                fn.line(f"{fn.variable(slot)} = {fn.constant(known[slot])}")  # the old value stays on some paths
            fn.statements(body)
        case ir.Give(value, _):
            if value is not None:
                fn.line(f"S[{hdr.RV}] = {fn(value)}")
            if fn.ctx.facts.uses_together:
                fn.line(f"if S[{hdr.TOGETHER}] and S[{hdr.TOGETHER_FRAME}] == {fn.depth + 1}:")
                fn.line(f" S[{hdr.TOGETHER}] = S[{hdr.TOGETHER_FRAME}] = 0")
        case ir.CallI(proc, args):
            call_or_push(fn, proc, args, node)
        case ir.Enter(number, args, choices):
            if isinstance(number, ir.Const):
                call_or_push(fn, number.value, args, node)
            elif spot.part >= ACCEPTED:
                call_or_push(fn, choices[spot.part - ACCEPTED], args, node)
            else:
                fn.line(f"e = {fn(number)}")
        case ir.EndList() | ir.Drain():
            if fn.ctx.facts.uses_deferred:
                fn.line(f"if S[{hdr.DEFERRED}]: {BAIL} {CALLS_ONLY}")
        case ir.Ask():
            write_question(fn, node)
        case ir.Chance():
            write_draw(fn, i)
        case ir.Leave() | ir.Stop():
            forget_values(fn)
        case ir.Jump() | ir.Branch():
            pass
        case _:
            raise AssertionError(i)


def call_or_push(fn: GameFn, number: int, args: Sequence[ir.Expr], node: Node) -> None:
    proc = fn.ctx.program.procs[number]
    if not proc.suspends:
        call_procedure(fn, ir.CallS(number, tuple(args)))
        return
    texts = [fn(a) for a in args]
    fn.work += 1
    forget_values(fn)
    inside = node.after[0].pc
    live, types = fn.graph.live[inside], fn.graph.types[number]
    known = dict(node.after[0].known[-1])
    for slot in range(proc.frame_words):
        if slot not in live or slot in known:
            continue
        if slot < len(texts):
            fn.line(f"F{fn.depth + 1}_{slot} = {texts[slot]}")
            fn.zones[f"F{fn.depth + 1}_{slot}"] = fn.zones.get(texts[slot], "")
        else:
            fn.line(f"F{fn.depth + 1}_{slot} = {'()' if isinstance(types.get(slot), ListType) else '0'}")


def write_block(fn: GameFn, block: Block) -> None:
    """One block of a test; behind it all work is counted."""
    fn.line.depth += 1
    fn.line("pass")
    write_tree(fn, block)
    if falls_through(block):
        count_work(fn)
    fn.line.depth -= 1


def write_test(fn: GameFn, step: Test) -> None:
    fn.node = node = fn.nodes[step.pc]
    i, part = node.i, node.spot.part
    match i:
        case ir.Branch(test, _):
            head = fn.test(test)
        case ir.Confirm():
            assert node.site is not None
            head = confirm_condition(fn, node.site)
        case ir.Chance():
            head = write_source(fn, i)
        case ir.Ask() if part == 0:
            list_options(fn, node)
            head = "out"
        case ir.Ask():
            head = outcome_condition(fn, node, part - OUTCOME)
        case ir.Enter(choices=choices):
            head = f"e == {choices[part - OUTCOME]}"
        case _:
            raise AssertionError(i)
    both = falls_through(step.then) and falls_through(step.orelse)
    if both:
        unify_temps(fn, assigned_temps(fn, [*step.then, *step.orelse]))
    fn.copies = {}
    before, work, values, valid = fn.names.copy(), fn.work, fn.cached_values, fn.valid_lists
    present = fn.present
    fn.line(f"if {head}:")
    if isinstance(i, ir.Chance):
        fn.line.depth += 1
        draw_one(fn, i)
        fn.line.depth -= 1
    write_block(fn, step.then)
    after_then, values_then, valid_then, present_then = fn.names, fn.cached_values, fn.valid_lists, fn.present
    fn.present = present
    fn.names, fn.work, fn.cached_values, fn.valid_lists = before.copy(), work, values, valid
    fn.copies = {}
    if not falls_through(step.then):
        write_tree(fn, step.orelse)
        return
    if step.orelse or work:
        fn.line("else:")
        write_block(fn, step.orelse)
    fn.work = 0
    fn.copies = {}
    if both:
        merge(fn, after_then)
        fn.cached_values = {e: text for e, text in fn.cached_values.items() if values_then.get(e) == text}
        fn.valid_lists &= valid_then
        fn.present &= present_then
    else:
        fn.names, fn.cached_values, fn.valid_lists, fn.present = after_then, values_then, valid_then, present_then


def assigned_temps(fn: GameFn, block: Block) -> set[int]:
    found: set[int] = set()
    for step in block:
        pc = getattr(step, "pc", -1)
        if pc >= 0 and isinstance(i := fn.nodes[pc].i, ir.Run):
            found |= temp_effects(i.body)[2]
        if isinstance(step, Test):
            found |= assigned_temps(fn, step.then) | assigned_temps(fn, step.orelse)
        elif isinstance(step, Loop):
            found |= assigned_temps(fn, step.body)
    return found


def write_loop(fn: GameFn, body: Block) -> None:
    count_work(fn)
    forget_in_loop(fn, assigned_temps(fn, body))
    fn.forget_all()
    fn.line("while True:")
    fn.tree_loops += 1
    with fn.scope():
        fn.line.depth += 1
        write_tree(fn, body)
    fn.tree_loops -= 1
    forget_in_loop(fn, assigned_temps(fn, body))
    fn.cached_values, fn.valid_lists = {}, frozenset()
    fn.present = frozenset()
    if any(True for _ in exits(body)):
        fn.line(f"if c: {'break' if fn.tree_loops else 'continue'}")


def write_continue(fn: GameFn) -> None:
    """The end of a pass of a loop."""
    count_work(fn)
    check_work(fn)
    fn.line("continue")


def check_work(fn: GameFn) -> None:
    """Give up where more was done than the limit allows; wherever there is a way back."""
    fn.line(f"if w{SPENT} > {fn.ctx.limit} or q > most: {BAIL}")


def write_last(fn: GameFn, pc: int) -> None:
    fn.node = node = fn.nodes[pc]
    if not isinstance(node.i, ir.End):
        fn.line(BAIL)
        return
    count_work(fn)
    fn.line(f"if q > most: {BAIL}")
    fn.line(f"if S[{hdr.DRIVEN}]: S[{hdr.DRIVEN}] = 0")
    fn.line(f"else: S[{hdr.OVER}] = 1")
    fn.line(f"S[{hdr.PC}] = S[{hdr.SITE}] = S[{hdr.FP}] = 0")
    fn.line(f"S[{hdr.STEPS}] += w")
    save_generator(fn)
    fn.line(f"del S[{fn.ctx.program.state_words}:]")
    fn.line("return q")
