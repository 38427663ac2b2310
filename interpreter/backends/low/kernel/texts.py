"""The text of a kernel function: its tree, the names around it, and the message for what it may not hold."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from typing import Any

from dsl.base.record import dataclass
from interpreter.core.kernel import KERNEL

AnyFunction = Callable[..., Any]


class NotInKernel(Exception):
    """A kernel function that cannot be compiled: where, what was read, and what may stand there. It is a fault of the
    engine, never of a ruleset."""


@dataclass(frozen=True, slots=True)
class KernelText:
    """`names`: of the module that the function stands in. `rebound`: how often each variable is set. `owner`: the class
    of a method."""

    tree: ast.FunctionDef
    path: str
    line: int
    names: dict[str, Any]
    rebound: dict[str, int]
    owner: type | None

    @property
    def params(self) -> dict[str, ast.expr | None]:
        return {a.arg: a.annotation for a in self.tree.args.args}

    def refuse(self, node: ast.AST, why: str) -> NotInKernel:
        """The message for a part of it; `why` says what may stand there instead."""
        line = self.line + getattr(node, "lineno", 1) - 1
        read = ast.unparse(node).splitlines()[0]
        return NotInKernel(f"{self.path}:{line}: in `{self.tree.name}`: `{read}`: {why}")

    def type_of(self, annotation: ast.expr | None) -> Any:
        """What a type in the text is; a parameter without one is the record of a method."""
        return self.owner if annotation is None else eval(ast.unparse(annotation), self.names)  # a text of the engine


@cache
def text_of(function: AnyFunction) -> KernelText:
    """The text of a function. Raises NotInKernel if it is none that is marked as `kernel`."""
    where = f"`{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', function)}`"
    if function not in KERNEL:
        raise NotInKernel(f"{where} is called, but it is not marked with `@kernel`")
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    names, (*owners, _) = function.__globals__, function.__qualname__.split(".")
    text = KernelText(
        tree, inspect.getsourcefile(function) or "?", first, names, _rebound(tree), names.get("".join(owners))
    )
    if any((tree.args.vararg, tree.args.kwarg, tree.args.kwonlyargs, tree.args.posonlyargs, tree.args.defaults)):
        raise text.refuse(tree, "a kernel function has plain parameters without defaults")
    _test_loops(text)
    return text


def _rebound(tree: ast.FunctionDef) -> dict[str, int]:
    found: dict[str, int] = {a.arg: 1 for a in tree.args.args}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = found.get(node.id, 0) + 1
    return found


def _test_loops(text: KernelText) -> None:
    """The variable of a loop is set by it alone, and has no value behind it."""
    inside: set[int] = set()
    targets: set[str] = set()
    for loop in (node for node in ast.walk(text.tree) if isinstance(node, ast.For)):
        own = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        targets |= own
        for node in (part for s in loop.body for part in ast.walk(s)):
            if isinstance(node, ast.Name) and node.id in own:
                inside.add(id(node))
                if isinstance(node.ctx, ast.Store):
                    raise text.refuse(node, "the variable of a loop is set by the loop alone")
    for node in ast.walk(text.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in targets:
            if id(node) not in inside:
                raise text.refuse(node, "the variable of a loop has no value behind it; set another one in the loop")
