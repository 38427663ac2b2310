"""The functions and procedures of a program as functions of the module, and what the module has in common."""

from __future__ import annotations

from dsl import ir
from dsl.program import STEPS, TIMED, TIMED_LINK, Program
from interpreter.backends.analysis.fixed_seats import with_fixed_seats
from interpreter.backends.python.emit.conditions import test
from interpreter.backends.python.emit.context import ModuleContext, Tables
from interpreter.backends.python.emit.expressions import EXPRESSIONS
from interpreter.backends.python.emit.folds.inline import is_choice
from interpreter.backends.python.emit.folds.values import give
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.ranges import held
from interpreter.backends.python.emit.source import words_text
from interpreter.backends.python.emit.statements import STATEMENTS
from interpreter.backends.python.emit.storage import InStore

MOST_KEPT = 1000  # arguments for which the values of one function are kept
TABLES = Tables(EXPRESSIONS, STATEMENTS, test)


def context_of(program: Program, checked: bool) -> ModuleContext:
    """What a module for this program is written with."""
    return ModuleContext(with_fixed_seats(program), checked, TABLES)


def write_function(ctx: ModuleContext, number: int) -> None:
    fn, name = function_of(ctx, number), f"_f{number}"
    give(fn, ctx.program.functions[number].body)
    if number in ctx.memo.extents:
        add_function(ctx, number, fn, f"{name}_v")
        remember(ctx, number, name)
    else:
        add_function(ctx, number, fn, name)


def write_finder(ctx: ModuleContext, number: int) -> None:
    """A function that says whether a chosen set has a member."""
    body = ctx.program.functions[number].body
    assert isinstance(body, ir.Fold) and is_choice(body)
    fn = function_of(ctx, number)
    give(fn, ir.Fold("any", body.binders, body.where, (), None))
    add_function(ctx, number, fn, f"_f{number}_any")


def parameters(ctx: ModuleContext, number: int) -> list[str]:
    return [f"p{i}" for i in range(len(ctx.program.functions[number].params))]


def function_of(ctx: ModuleContext, number: int) -> Fn:
    """What a function is written with."""
    fn = Fn(ctx, InStore, parameters(ctx, number))
    fn.names.ranges |= {slot: held(t) for slot, (_, t) in enumerate(ctx.program.functions[number].params)}
    return fn


def add_function(ctx: ModuleContext, number: int, fn: Fn, name: str) -> None:
    ctx.add("f", ["S", *parameters(ctx, number)], fn.line.text, name)


def remember(ctx: ModuleContext, number: int, name: str) -> None:
    """A function that works its value out only if some word that it depends on has changed."""
    params = parameters(ctx, number)
    fn = Fn(ctx, InStore, params)
    given = ", ".join(["S", *params])
    kept = ctx.head(f"{{}}  # {number}", "G")
    key = params[0] if len(params) == 1 else f"({''.join(f'{p}, ' for p in params)})"
    fn.line(f"k = {words_text(ctx.memo.extents[number])}")
    if number in ctx.memo.timely and ctx.facts.timed:
        base, size = ctx.program.timed_base, TIMED_LINK + ctx.program.timed_args
        fn.line(f"if S[{TIMED}]: k = (k, S[{base}:{base} + S[{TIMED}] * {size}])")
    fn.line(f"e = {kept}.get({key})")
    fn.line("if e is not None and e[0] == k: return e[1]")
    fn.line(f"if len({kept}) >= {MOST_KEPT}: {kept}.clear()")
    fn.line(f"v = {name}_v({given})")
    fn.line(f"{kept}[{key}] = (k, v)")
    fn.line("return v")
    add_function(ctx, number, fn, name)


def write_procedure(ctx: ModuleContext, number: int) -> None:
    proc = ctx.program.procs[number]
    params = [f"t{i}" for i in range(len(proc.params))]
    fn = Fn(ctx, InStore, params)
    fn.names.ranges |= {slot: held(t) for slot, (_, t) in enumerate(proc.params)}
    fn.line(f"S[{STEPS}] += 1")
    fn.statements(proc.body)
    ctx.add("p", ["S", *params], fn.line.text, f"_p{number}")
