"""Walking low code: the statements of a function, the expressions in them, and the local variables that it sets.

A large program has some hundred thousand nodes, so the parts of a node are found by a table.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from interpreter.backends.low.form import nodes as low


def one(name: str) -> Callable[[Any], tuple[Any, ...]]:
    """A getter of the part of a node that has this name, as a tuple."""
    get = attrgetter(name)
    return lambda node: (get(node),)


OPERANDS: dict[type, Callable[[Any], tuple[low.Expr, ...]]] = {
    **dict.fromkeys((low.Op, low.Both, low.Either), attrgetter("left", "right")),
    **dict.fromkeys((low.Not, low.Lowest, low.Ones), one("operand")),
    **dict.fromkeys((low.Load, low.LoadLong), one("address")),
    low.Portion: attrgetter("fraction", "count"),
    low.Choice: attrgetter("test", "then", "orelse"),
    low.Call: attrgetter("args"),
}
VALUES: dict[type, Callable[[Any], tuple[low.Expr, ...]]] = {
    **dict.fromkeys((low.Set, low.SetGlobal, low.Return, low.Do, low.Table), one("value")),
    **dict.fromkeys((low.Store, low.StoreLong), attrgetter("address", "value")),
    low.Copy: attrgetter("target", "source", "count"),
    low.Clear: attrgetter("target", "count"),
    low.If: one("test"),
}
BODIES: dict[type, Callable[[Any], tuple[low.Body, ...]]] = {
    low.If: attrgetter("then", "orelse"),
    **dict.fromkeys((low.Block, low.Loop), one("body")),
    low.Table: lambda table: tuple([body for _, body in table.rows]),
}


def operands(e: low.Expr) -> tuple[low.Expr, ...]:
    """The expressions directly inside one."""
    parts = OPERANDS.get(type(e))
    return () if parts is None else parts(e)


def values(s: low.Stmt) -> tuple[low.Expr, ...]:
    """The expressions directly inside a statement."""
    parts = VALUES.get(type(s))
    return () if parts is None else parts(s)


def bodies(s: low.Stmt) -> tuple[low.Body, ...]:
    """The bodies directly inside a statement."""
    parts = BODIES.get(type(s))
    return () if parts is None else parts(s)


def variables(f: low.Function) -> tuple[str, ...]:
    """The local variables that a function sets, its parameters excepted, in the order in which they are first set."""
    found: dict[str, None] = {}

    def look(body: low.Body) -> None:
        for s in body:
            if isinstance(s, low.Set):
                found[s.name] = None
            elif type(s) in BODIES:
                for inner in bodies(s):
                    look(inner)

    look(f.body)
    return tuple(name for name in found if name not in f.params)
