"""The functions and plain procedures of a program as functions of the module, and the context of a module."""

from __future__ import annotations

from dsl import ir
from dsl.program import STEPS, Program
from interpreter.backends.analysis.fixed_seats import with_fixed_seats
from interpreter.backends.analysis.hoisting import Costs, with_hoisting
from interpreter.backends.python.emit.conditions import test
from interpreter.backends.python.emit.context import ModuleContext, Tables
from interpreter.backends.python.emit.expressions import EXPRESSIONS
from interpreter.backends.python.emit.folds.inline import is_filter
from interpreter.backends.python.emit.folds.values import write_return
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.ranges import type_range
from interpreter.backends.python.emit.statements import STATEMENTS
from interpreter.backends.python.emit.storage import StoreVariables

LEAST_COST = 500  # nodes evaluated, as estimated, from which on it may pay to remember the values of a function
TABLES = Tables(EXPRESSIONS, STATEMENTS, test)


def module_context(program: Program, checked: bool) -> ModuleContext:
    """The context in which the module of a program is written."""
    return ModuleContext(with_hoisting(with_fixed_seats(program)), checked, TABLES)


def values_context(program: Program) -> ModuleContext:
    """The context in which values that are remembered are written: no function that costs much is written out inside
    another."""
    costs = Costs(program)
    apart = frozenset(n for n in range(len(program.functions)) if costs.of_function(n) >= LEAST_COST)
    return ModuleContext(with_fixed_seats(program), False, TABLES, apart)


def write_function(ctx: ModuleContext, number: int) -> None:
    fn, name = new_function(ctx, number), f"_f{number}"
    write_return(fn, ctx.program.functions[number].body)
    add_function(ctx, number, fn, name)


def write_finder(ctx: ModuleContext, number: int) -> None:
    """The function that tells whether a filtered set has a member."""
    body = ctx.program.functions[number].body
    assert isinstance(body, ir.Fold) and is_filter(body)
    fn = new_function(ctx, number)
    write_return(fn, ir.Fold("any", body.binders, body.where, (), None))
    add_function(ctx, number, fn, f"_f{number}_any")


def parameters(ctx: ModuleContext, number: int) -> list[str]:
    return [f"p{i}" for i in range(len(ctx.program.functions[number].params))]


def new_function(ctx: ModuleContext, number: int) -> Fn:
    """The start of a function of the program, with its parameters."""
    fn = Fn(ctx, StoreVariables, parameters(ctx, number))
    fn.times = ctx.multiplicities[number]
    fn.names.ranges |= {slot: type_range(t) for slot, (_, t) in enumerate(ctx.program.functions[number].params)}
    return fn


def add_function(ctx: ModuleContext, number: int, fn: Fn, name: str) -> None:
    ctx.add("f", ["S", *parameters(ctx, number)], fn.line.text, name)


def write_procedure(ctx: ModuleContext, number: int) -> None:
    proc = ctx.program.procs[number]
    params = [f"t{i}" for i in range(len(proc.params))]
    fn = Fn(ctx, StoreVariables, params)
    fn.names.ranges |= {slot: type_range(t) for slot, (_, t) in enumerate(proc.params)}
    fn.line(f"S[{STEPS}] += 1")
    fn.statements(proc.body)
    ctx.add("p", ["S", *params], fn.line.text, f"_p{number}")
