"""The statements of a kernel function as low code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.backends.low.base.context import HEAP
from interpreter.backends.low.base.make import ZERO, add
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.kernel.context import Compiling
from interpreter.backends.low.kernel.expressions import (
    called,
    field,
    in_order,
    kept,
    numbers,
    place,
    test,
    typed,
    value,
)
from interpreter.backends.low.kernel.values import InGlobals, Known, Sort, Typed, Value, inverted, operation

PLAIN = {Sort.NUMBER, Sort.BITS}  # of which one may become the other


def body(c: Compiling, statements: Sequence[ast.stmt]) -> None:
    """Write statements. Raises NotInKernel."""
    for s in statements:
        write = STATEMENTS.get(type(s))
        if write is None:
            raise c.text.refuse(s, f"there is no {type(s).__name__} in a kernel function")
        write(c, s)


def leave(c: Compiling, found: Expr) -> None:
    """Return a number; the memory that was taken is free again."""
    if c.held:
        found = c.lo.w.let(found)
        c.lo.w.emit(low.SetGlobal(HEAP, Local(c.held)))
    c.lo.w.give(found)


def _return(c: Compiling, s: ast.Return) -> None:
    leave(c, ZERO if s.value is None else typed(c, s.value).expr)


def _expression(c: Compiling, s: ast.Expr) -> None:
    if isinstance(s.value, ast.Call):
        found = called(c, s.value)
        if not isinstance(found.expr, Num | Local):
            c.lo.w.emit(low.Do(found.expr))
    elif not isinstance(s.value, ast.Constant):
        raise c.text.refuse(s, "this does nothing; a call may stand alone")


# ------------------------------------------------------------ assignments


def _assign(c: Compiling, s: ast.Assign) -> None:
    target = s.targets[0]
    if isinstance(target, ast.Tuple):
        if len(s.targets) > 1 or not isinstance(s.value, ast.Tuple) or len(s.value.elts) != len(target.elts):
            raise c.text.refuse(s, "several variables are set to as many values that stand in the text")
        values = in_order(c, s.value.elts)
        values = [v._replace(expr=c.lo.w.let(v.expr)) if isinstance(v, Typed) else v for v in values]
        for one, found in zip(target.elts, values, strict=True):
            _set(c, one, found)
        return
    found = value(c, s.value)
    if len(s.targets) > 1 and isinstance(found, Typed):
        found = kept(c, found)
    for target in s.targets:
        _set(c, target, found)


def _annotated(c: Compiling, s: ast.AnnAssign) -> None:
    if s.value is None or not isinstance(s.target, ast.Name):
        raise c.text.refuse(s, "a type stands where a variable is set first")
    found = typed(c, s.value)
    c.variables[s.target.id] = c.of_type(s.annotation, s.target.id)
    _set(c, s.target, found)


def _set(c: Compiling, target: ast.expr, found: Value) -> None:
    """Set what stands on the left to a value that is worked out already."""
    w = c.lo.w
    if isinstance(target, ast.Name):
        _set_variable(c, target, found)
    elif isinstance(target, ast.Subscript):
        given = kept(c, c.typed(found, target)) if _is_busy(c, target) else c.typed(found, target)
        row, index = numbers(c, (target.value, target.slice))
        at = place(c, row, index, target)
        if row.sort is Sort.LONGS:
            w.emit(low.StoreLong(at.base, at.offset, given.expr))
        else:
            w.store(at.base, at.offset, given.expr)
    elif isinstance(target, ast.Attribute):
        of, own = field(c, target)
        given = c.typed(found, target)
        if isinstance(of, InGlobals):
            w.emit(low.SetGlobal(of.globals[own.at], given.expr))
        elif own.sort is Sort.BITS:
            w.emit(low.StoreLong(of.expr, own.at, given.expr))
        else:
            w.store(of.expr, own.at, given.expr)
    else:
        raise c.text.refuse(target, "variables, words of rows and fields of records are set")


def _is_busy(c: Compiling, target: ast.Subscript) -> bool:
    """Whether a call stands in the place that is set."""
    return any(isinstance(part, ast.Call) for part in ast.walk(target))


def _set_variable(c: Compiling, target: ast.Name, found: Value) -> None:
    name = target.id
    if not isinstance(found, Typed) and c.text.rebound[name] == 1:
        c.variables[name] = found  # it stays what it is known to be
        return
    given = c.typed(found, target)
    have = c.variables.get(name)
    if isinstance(have, Typed):
        if have.sort is not given.sort and not {have.sort, given.sort} <= PLAIN or have.record is not given.record:
            raise c.text.refuse(target, f"it was a {have.sort.value}, and would become a {given.sort.value}")
    else:
        c.variables[name] = given._replace(expr=Local(c.local(name)))
    c.lo.w.set(c.local(name), given.expr)


def _augmented(c: Compiling, s: ast.AugAssign) -> None:
    is_field = isinstance(s.target, ast.Attribute) and isinstance(s.target.value, ast.Name)
    if not is_field and not isinstance(s.target, ast.Name):
        raise c.text.refuse(s, "variables and fields are changed so; a word of a row is set to what it becomes")
    have, by = numbers(c, (s.target, s.value))
    found = operation(c.lo.w, type(s.op), have, by)
    if found is None:
        raise c.text.refuse(s, "the operators are + - * // % & | ^ << and >>")
    _set(c, s.target, found)


# ------------------------------------------------------------ control


def _if(c: Compiling, s: ast.If) -> None:
    c.lo.w.when(test(c, s.test), lambda: body(c, s.body), (lambda: body(c, s.orelse)) if s.orelse else None)


def _while(c: Compiling, s: ast.While) -> None:
    _no_else(c, s)

    def one(label: str) -> None:
        c.lo.w.when(inverted(test(c, s.test)), lambda: c.lo.w.leave(label))
        c.loops.append((label, label, True))
        body(c, s.body)
        c.loops.pop()

    c.lo.w.loop(one)


def _for(c: Compiling, s: ast.For) -> None:
    _no_else(c, s)
    is_range = isinstance(s.iter, ast.Call) and isinstance(s.iter.func, ast.Name) and s.iter.func.id == "range"
    if is_range and isinstance(s.iter, ast.Call) and isinstance(s.target, ast.Name):
        _count(c, s, s.target.id, s.iter.args)
        return
    known = c.known(s.iter)
    if known is None or is_range:
        raise c.text.refuse(s.iter, "a loop goes over `range(...)` with one variable, or over what is known before")
    if any(isinstance(part, ast.Break | ast.Continue) for inner in s.body for part in ast.walk(inner)):
        raise c.text.refuse(s, "a loop over what is known is written out, so nothing may leave it")
    for item in known.value:
        _unpack(c, s.target, item)
        body(c, s.body)


def _unpack(c: Compiling, target: ast.expr, item: Any) -> None:
    if isinstance(target, ast.Tuple):
        for one, part in zip(target.elts, item, strict=True):
            _unpack(c, one, part)
    else:
        assert isinstance(target, ast.Name)
        c.variables[target.id] = Known(item)


def _count(c: Compiling, s: ast.For, name: str, bounds: Sequence[ast.expr]) -> None:
    """A loop over the numbers of a range."""
    w = c.lo.w
    values = numbers(c, bounds)
    start, stop = (Typed(ZERO), values[0]) if len(values) == 1 else (values[0], values[1])
    step = values[2].expr if len(values) > 2 else Num(1)
    if not isinstance(step, Num) or not step.value:
        raise c.text.refuse(s.iter, "the step of a range is a number that is known, and not 0")
    own, end = c.local(name), w.let(stop.expr)
    w.set(own, start.expr)
    c.variables[name] = Typed(Local(own))

    def one(label: str) -> None:
        w.leave_if(Op(">=" if step.value > 0 else "<=", Local(own), end), label)
        if any(isinstance(part, ast.Continue) for inner in s.body for part in ast.walk(inner)):
            w.block(lambda block: inside(label, block))
        else:
            inside(label, label)
        w.set(own, add(Local(own), step.value))

    def inside(label: str, block: str) -> None:
        c.loops.append((label, block, False))
        body(c, s.body)
        c.loops.pop()

    w.loop(one)


def _no_else(c: Compiling, s: ast.For | ast.While) -> None:
    if s.orelse:
        raise c.text.refuse(s, "a loop has no `else`")


def _break(c: Compiling, s: ast.Break) -> None:
    c.lo.w.leave(c.loops[-1][0])


def _continue(c: Compiling, s: ast.Continue) -> None:
    _, label, repeats = c.loops[-1]
    c.lo.w.emit(low.Again(label) if repeats else low.Leave(label))


def _raise(c: Compiling, s: ast.Raise) -> None:
    c.lo.w.trap(Reason.FAULT)


STATEMENTS: dict[type, Callable[[Compiling, Any], None]] = {
    ast.Return: _return,
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.While: _while,
    ast.For: _for,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Raise: _raise,
    ast.Pass: lambda c, s: None,
}
