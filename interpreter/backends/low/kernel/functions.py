"""The low functions that are compiled from kernel functions, each once for what is known of its parameters, and short
kernel functions in place of their calls."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from interpreter.backends.low.base.context import HEAP, Lowering
from interpreter.backends.low.base.make import ZERO
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Num
from interpreter.backends.low.form.verify import falls_through
from interpreter.backends.low.kernel.context import Compiling, Within, variable
from interpreter.backends.low.kernel.expressions import typed
from interpreter.backends.low.kernel.statements import body, leave
from interpreter.backends.low.kernel.texts import AnyFunction, KernelText, text_of
from interpreter.backends.low.kernel.values import Known, Value
from interpreter.core.kernel import room

MOST_IN_PLACE = 80  # nodes of a text that stands in place of its call


def write(lo: Lowering, function: AnyFunction, name: str, /, **known: Any) -> None:
    """Write a kernel function as the low function of this name, without the parameters of which something is `known`:
    a host, a constant, or what the low form has in their place. Raises NotInKernel."""
    text = text_of(function)
    values: dict[str, Value] = {}
    for param, given in known.items():
        values[param] = given if isinstance(given, Value) else Known(given)
    lo.kernels[_key(function, values)] = name
    rest = {param: variable(param) for param in text.params if param not in values}
    with lo.function(name, tuple(rest.values())) as w:
        c = Compiling(lo, text, values, called, (), rest)
        if _takes_room(text):
            c.held = w.fresh("held")
            w.set(c.held, Global(HEAP))
        body(c, text.tree.body)
        if falls_through(w.body()):
            leave(c, ZERO)


def called(
    lo: Lowering, function: AnyFunction, known: Mapping[str, Value], passed: Sequence[Expr], within: Within = ()
) -> Expr:
    """What a kernel function gives for what is known of its parameters, and for numbers of the others, in order. It may
    be worked out once, and now. A short one stands in place of the call."""
    text = text_of(function)
    if text not in within and _is_short(function):
        return _in_place(lo, text, known, passed, within)
    key = _key(function, known)
    if key not in lo.kernels:
        write(lo, function, f"kernel{len(lo.kernels)}_{function.__qualname__.replace('.', '_')}", **known)
    return low.Call(lo.kernels[key], tuple(passed))


def _in_place(
    lo: Lowering, text: KernelText, known: Mapping[str, Value], passed: Sequence[Expr], within: Within
) -> Expr:
    c = Compiling(lo, text, known, called, within, {})
    for param, given in zip((p for p in text.params if p not in known), passed, strict=True):
        if isinstance(given, Num) and text.rebound[param] == 1:
            c.variables[param] = c.of_type(text.params[param], param)._replace(expr=given)
        else:
            lo.w.set(c.local(param), given)
    *statements, last = text.tree.body
    if not isinstance(last, ast.Return) or last.value is None:
        body(c, text.tree.body)
        return ZERO
    body(c, statements)
    return typed(c, last.value).expr


@cache
def _is_short(function: AnyFunction) -> bool:
    """Whether a text has few nodes, takes no memory, and returns where it ends if it does."""
    text = text_of(function)
    nodes = list(ast.walk(ast.Module(text.tree.body, [])))
    returns = [node for node in nodes if isinstance(node, ast.Return)]
    ends = not returns or len(returns) == 1 and returns[0] is text.tree.body[-1]
    return ends and len(nodes) <= MOST_IN_PLACE and not _takes_room(text)


def _takes_room(text: KernelText) -> bool:
    return any(isinstance(n, ast.Name) and text.names.get(n.id) is room for n in ast.walk(text.tree))


def _key(function: AnyFunction, known: Mapping[str, Value]) -> object:
    return function, tuple(sorted(known.items(), key=lambda item: item[0]))
