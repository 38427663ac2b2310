"""The low functions that are compiled from kernel functions, each once for what is known of its parameters."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from interpreter.backends.low.base.context import HEAP, Lowering
from interpreter.backends.low.base.make import ZERO
from interpreter.backends.low.form.nodes import Global
from interpreter.backends.low.form.verify import falls_through
from interpreter.backends.low.kernel.context import Compiling, variable
from interpreter.backends.low.kernel.statements import body, leave
from interpreter.backends.low.kernel.texts import AnyFunction, text_of
from interpreter.backends.low.kernel.values import Known, Value
from interpreter.core.kernel import room


def write(lo: Lowering, function: AnyFunction, name: str, /, **known: Any) -> None:
    """Write a kernel function as the low function of this name, without the parameters of which something is `known`:
    a host, a constant, or what the low form has in their place. Raises NotInKernel."""
    text = text_of(function)
    values: dict[str, Value] = {}
    for param, given in known.items():
        values[param] = given if isinstance(given, Value) else Known(given)
    lo.kernels[_key(function, values)] = name
    rest = tuple(variable(param) for param in text.params if param not in values)
    with lo.function(name, rest) as w:
        c = Compiling(lo, text, values, compiled)
        if any(isinstance(n, ast.Name) and c.named(n.id) == Known(room) for n in ast.walk(text.tree)):
            c.held = w.fresh("held")
            w.set(c.held, Global(HEAP))
        body(c, text.tree.body)
        if falls_through(w.body()):
            leave(c, ZERO)


def compiled(lo: Lowering, function: AnyFunction, known: Mapping[str, Value]) -> str:
    """The name of the low function for a kernel function, which is written if there is none yet."""
    key = _key(function, known)
    if key not in lo.kernels:
        write(lo, function, f"kernel{len(lo.kernels)}_{function.__qualname__.replace('.', '_')}", **known)
    return lo.kernels[key]


def _key(function: AnyFunction, known: Mapping[str, Value]) -> object:
    return function, tuple(sorted(known.items(), key=lambda item: item[0]))
