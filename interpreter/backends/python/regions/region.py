"""A region of instructions as one Python function of the store.

Takes the tree of a `Region` and writes its statements, calls, returns and questions; the function gives the number of
the instruction at which the driver goes on, or STOPPED. Frames in the store are then exactly as the reference leaves
them; frame variables that were read or assigned are in Python variables too.
"""

from __future__ import annotations

from dsl import ir
from dsl import program as hdr
from interpreter.backends.analysis.dataflow import free, temp_effects, walk
from interpreter.backends.analysis.structure import (
    BackEdge,
    Block,
    Break,
    Call,
    Continue,
    Do,
    Exit,
    Last,
    Loop,
    Pop,
    Push,
    Region,
    Step,
    Test,
    falls_through,
)
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.statements import NEEDS_SYNC, call_procedure, can_write, returns_early
from interpreter.backends.python.regions.chance import draw_condition, write_draw
from interpreter.backends.python.regions.frames import (
    Frame,
    RegionFn,
    call,
    forget_in_loop,
    merge,
    pop,
    push,
    unify_temps,
)
from interpreter.backends.python.regions.questions import ask, confirm_condition, may_fail
from interpreter.core.run import STOPPED


def write_region(ctx: ModuleContext, region: Region) -> set[int]:
    """The function of a region; gives the instructions at which the driver may go on behind it."""
    fn, pc = RegionFn(ctx, region), region.entry[0]
    if pc:
        fn.storage.base()
    write_tree(fn, region.tree())
    ctx.add("r", ["S"], fn.line.text, f"_r{pc}")
    return fn.exits


# ------------------------------------------------------------ control


def write_tree(fn: RegionFn, block: Block) -> None:
    for step in block:
        write_step(fn, step)


def write_step(fn: RegionFn, step: Step) -> None:
    match step:
        case Do(pc):
            write_instruction(fn, pc)
        case BackEdge():
            fn.storage.work += 1
        case Push():
            push(fn, step)
        case Call():
            call(fn, step)
        case Pop():
            pop(fn, step)
        case Test():
            write_test(fn, step)
        case Loop(body):
            write_loop(fn, body)
        case Break():
            fn.storage.sync()
            fn.storage.count_work()
            fn.line("break")
        case Continue():
            write_continue(fn)
        case Exit(pc):
            write_exit(fn, pc)
        case Last(pc):
            write_last(fn, pc)


def write_continue(fn: RegionFn) -> None:
    """The end of a pass of a loop."""
    fn.storage.sync()
    fn.storage.count_work()
    fn.line(f"if S[{hdr.STEPS}] > {fn.ctx.limit}: raise endless(None)")
    if fn.storage.frame != fn.loop_bases[-1]:
        fn.line(f"{fn.loop_bases[-1]} = {fn.storage.base()}")
    fn.line("continue")


def write_exit(fn: RegionFn, pc: int) -> None:
    fn.exits.add(pc)
    fn.storage.sync()
    fn.storage.count_work()
    for slot in sorted(fn.ctx.live[pc]):
        fn.line(f"T[{slot}] = {fn.temp(slot)}")
    fn.line(f"return {pc}")


def write_block(fn: RegionFn, block: Block, synced: bool) -> None:
    """One block of a test; behind it all work is counted; `synced`: and the store is up to date."""
    fn.line.depth += 1
    fn.line("pass")
    write_tree(fn, block)
    if falls_through(block):
        fn.storage.count_work()
        if synced:
            fn.storage.sync()
    fn.line.depth -= 1


def write_test(fn: RegionFn, step: Test) -> None:
    i = fn.ctx.program.code[step.pc]
    if may_fail(i):
        fn.storage.remove_popped()
    if isinstance(i, ir.Branch):
        head = f"if {fn.test(i.test)}:"
    elif isinstance(i, ir.Confirm):
        head = f"if {confirm_condition(fn, i)}:"
    else:
        assert isinstance(i, ir.Chance)
        head = f"if {draw_condition(fn, i, step.pc)}:"
    both = falls_through(step.then) and falls_through(step.orelse)
    if both:
        unify_temps(fn, assigned_temps(fn.ctx.program, [*step.then, *step.orelse]))
    both_sync = both and not (
        can_stay_pending(fn.ctx.program, step.then) and can_stay_pending(fn.ctx.program, step.orelse)
    )
    before = fn.storage.state()
    fn.line(head)
    if isinstance(i, ir.Chance):
        write_draw(fn, i, 1)
    write_block(fn, step.then, both_sync)
    after_then = fn.storage.state()
    fn.storage.restore(before)
    if not falls_through(step.then):
        write_tree(fn, step.orelse)
        return
    if step.orelse or not falls_through(step.orelse):
        fn.line("else:")
        write_block(fn, step.orelse, both_sync)
    elif fn.storage.work or both_sync:
        fn.line("else:")
        fn.line.depth += 1
        fn.line("pass")
        fn.storage.count_work()
        if both_sync:
            fn.storage.sync()
        fn.line.depth -= 1
    fn.storage.work = 0
    if not both:
        fn.storage.restore(after_then)
        return
    names, frame, frames = after_then[0], after_then[1], after_then[2]
    merge(fn, names)
    if [f.name for f in fn.storage.frames] != [f.name for f in frames]:
        fn.storage.frames = [Frame(None, {}, {}) for _ in fn.storage.frames]
    for mine, other in zip(fn.storage.frames, frames, strict=False):
        mine.known = {k: v for k, v in mine.known.items() if other.known.get(k) == v}
    if fn.storage.frame != frame:
        fn.names.frame.clear()
        fn.storage.reload_base()


def assigned_temps(program: hdr.Program, block: Block) -> set[int]:
    """The temps that a block may assign."""
    found: set[int] = set()
    for step in block:
        match step:
            case Do(pc):
                i = program.code[pc]
                if isinstance(i, ir.Run):
                    found |= temp_effects(i.body)[2]
            case Test(_, then, orelse):
                found |= assigned_temps(program, then) | assigned_temps(program, orelse)
            case Loop(body):
                found |= assigned_temps(program, body)
    return found


def write_loop(fn: RegionFn, body: Block) -> None:
    fn.storage.sync()
    fn.storage.count_work()
    forget_in_loop(fn, assigned_temps(fn.ctx.program, body))
    fn.line("while True:")
    with fn.scope():
        fn.line.depth += 1
        frames = fn.storage.frames[:]
        fn.loop_bases.append(fn.storage.base())
        write_tree(fn, body)
        fn.loop_bases.pop()
    forget_in_loop(fn, assigned_temps(fn.ctx.program, body))
    fn.storage.frames = [Frame(None, {}, {}) for _ in frames]
    fn.storage.reload_base()


# ------------------------------------------------------------ instructions


def write_instruction(fn: RegionFn, pc: int) -> None:
    i = fn.ctx.program.code[pc]
    match i:
        case ir.Run(body):
            if may_fail(body):  # then a frame that was left must not be named
                fn.storage.remove_popped()
            fn.statements(body)
        case ir.Give(value, _):
            if value is not None:
                fn.line(f"S[{hdr.RV}] = {fn(value)}")
            if fn.ctx.facts.uses_together:
                fn.storage.remove_popped()
                fn.line(f"if S[{hdr.TOGETHER}] and S[{hdr.TOGETHER_FRAME}] == S[{hdr.FP}]:")
                fn.line(f" S[{hdr.TOGETHER}] = S[{hdr.TOGETHER_FRAME}] = 0")
        case ir.CallI(proc, args):
            call_procedure(fn, ir.CallS(proc, args))
        case ir.EndList():
            end_list(fn, pc)
        case ir.Drain():
            if fn.ctx.facts.uses_deferred:
                fn.storage.sync()
                fn.line(f"if S[{hdr.DEFERRED}] and not S[{hdr.TOGETHER}]:")
                fn.line.depth += 1
                by_reference(fn, pc)
                fn.line.depth -= 1
        case ir.Ask():
            ask(fn, i, pc)
        case ir.Chance():
            text = draw_condition(fn, i, pc)
            if text != "True":
                fn.line(f"if not {text}: raise nothing_to_draw({fn.ctx.object(i.span)})")
            write_draw(fn, i, 0)
        case ir.OpenPlan() | ir.ClosePlan() | ir.Scope():
            fn.storage.sync()
            pairs = "".join(f"({slot}, {fn.temp(slot)})," for slot in sorted(free(i)))
            fn.line(f"step({pc}, ({pairs}))")
        case _:
            raise AssertionError(i)


def by_reference(fn: RegionFn, pc: int) -> None:
    """Let the reference carry out an instruction, and go on where it says."""
    work = fn.storage.work
    if work:
        fn.line(f"S[{hdr.STEPS}] += {work}")
    pairs = "".join(f"({slot}, {fn.temp(slot)})," for slot in sorted(free(fn.ctx.program.code[pc])))
    fn.line(f"return step({pc}, ({pairs}))")


def end_list(fn: RegionFn, pc: int) -> None:
    facts = fn.ctx.facts
    words = [f"S[{hdr.DEFERRED}]"] * facts.uses_deferred + [f"S[{hdr.TIMED}]"] * facts.uses_timed
    if words or not leaves_at_once(fn, pc + 1):
        fn.storage.sync()
    if words:
        fn.line(f"if {' or '.join(words)}:")
        fn.line.depth += 1
        by_reference(fn, pc)
        fn.line.depth -= 1
    if leaves_at_once(fn, pc + 1):
        return
    fn.line(f"b = {fn.storage.base()} - {hdr.FRAME_LINK - 2}")
    fn.line("if S[b] >= 0: S[b] = ~S[b]")


def leaves_at_once(fn: RegionFn, pc: int) -> bool:
    """Whether the frame is left before anything could read it."""
    code = fn.ctx.program.code
    while isinstance(i := code[pc], ir.Run) and all(isinstance(s, ir.Note | ir.AtomicEnd) for s in i.body):
        if fn.ctx.checked and any(isinstance(s, ir.AtomicEnd) and s.symbols for s in i.body):
            return False
        pc += 1
    return isinstance(code[pc], ir.Leave)


# ------------------------------------------------------------ questions and chance


def write_last(fn: RegionFn, pc: int) -> None:
    i = fn.ctx.program.code[pc]
    if isinstance(i, ir.Ask):
        ask(fn, i, pc)
        fn.line(f"return {STOPPED}")
        fn.storage.work = 0
        return
    fn.storage.sync()
    if isinstance(i, ir.End) and not fn.ctx.facts.uses_plans:
        fn.storage.count_work()
        fn.line(f"S[{hdr.PC}] = 0")
        fn.line(f"if S[{hdr.DRIVEN}]: S[{hdr.DRIVEN}] = 0")
        fn.line(f"else: S[{hdr.OVER}] = 1")
        fn.line(f"return {STOPPED}")
        return
    if isinstance(i, ir.Enter):
        enter(fn, i, pc)
        return
    by_reference(fn, pc)
    fn.storage.work = 0


def enter(fn: RegionFn, i: ir.Enter, pc: int) -> None:
    """A procedure whose number is known only at run time."""
    given = f"{fn(i.proc)}, ({''.join(f'{fn(a)}, ' for a in i.args)}), {pc + 1}"
    for slot in sorted(fn.ctx.live[pc + 1]):
        fn.line(f"T[{slot}] = {fn.temp(slot)}")
    fn.storage.count_work()
    fn.line(f"return enter(S, {given})")


def can_stay_pending(program: hdr.Program, block: Block) -> bool:
    """Whether a block that may or may not run leaves pending values of frames pending."""
    for step in block:
        match step:
            case Do(pc):
                i = program.code[pc]
                if not isinstance(i, ir.Run) or any(isinstance(n, NEEDS_SYNC) for n in walk(i.body)):
                    return False
            case Test(_, then, orelse):
                if not (can_stay_pending(program, then) and can_stay_pending(program, orelse)):
                    return False
            case Push() | Call() | Pop() | Loop() | Last():
                return False
    return True


def written_instructions(program: hdr.Program) -> frozenset[int]:
    """The instructions that can be written; the reference carries out the others."""
    found = set()
    for pc, i in enumerate(program.code):
        if isinstance(i, ir.Run) and (not can_write(i.body) or returns_early(i.body)):
            continue
        if isinstance(i, ir.Chance) and i.weights is not None:
            continue
        found.add(pc)
    return frozenset(found)
