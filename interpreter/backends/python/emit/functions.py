"""The functions and procedures of a program as functions of the module, and what the module has in common."""

from __future__ import annotations

from dsl import ir
from dsl.program import STEPS, Program
from interpreter.backends.analysis.fixed_seats import with_fixed_seats
from interpreter.backends.python.emit.conditions import test
from interpreter.backends.python.emit.context import ModuleContext, Tables
from interpreter.backends.python.emit.expressions import EXPRESSIONS
from interpreter.backends.python.emit.folds.inline import is_choice
from interpreter.backends.python.emit.folds.values import give
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.ranges import held
from interpreter.backends.python.emit.statements import STATEMENTS
from interpreter.backends.python.emit.storage import InStore

TABLES = Tables(EXPRESSIONS, STATEMENTS, test)


def context_of(program: Program, checked: bool) -> ModuleContext:
    """What a module for this program is written with."""
    return ModuleContext(with_fixed_seats(program), checked, TABLES)


def write_function(ctx: ModuleContext, number: int) -> None:
    fn, name = function_of(ctx, number), f"_f{number}"
    give(fn, ctx.program.functions[number].body)
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


def write_procedure(ctx: ModuleContext, number: int) -> None:
    proc = ctx.program.procs[number]
    params = [f"t{i}" for i in range(len(proc.params))]
    fn = Fn(ctx, InStore, params)
    fn.names.ranges |= {slot: held(t) for slot, (_, t) in enumerate(proc.params)}
    fn.line(f"S[{STEPS}] += 1")
    fn.statements(proc.body)
    ctx.add("p", ["S", *params], fn.line.text, f"_p{number}")
