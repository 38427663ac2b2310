"""Walking low code: the statements of a function, the expressions in them, and the local variables that it sets."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.backends.low.form import nodes as low


def operands(e: low.Expr) -> tuple[low.Expr, ...]:
    """The expressions directly inside one."""
    match e:
        case low.Op(_, left, right) | low.Both(left, right) | low.Either(left, right) | low.Portion(left, right):
            return left, right
        case low.Not(operand) | low.Lowest(operand) | low.Ones(operand):
            return (operand,)
        case low.Load(address, _) | low.LoadLong(address, _):
            return (address,)
        case low.Choice(test, then, orelse):
            return test, then, orelse
        case low.Call(_, args):
            return args
    return ()


def values(s: low.Stmt) -> tuple[low.Expr, ...]:
    """The expressions directly inside a statement."""
    match s:
        case low.Set(_, value) | low.SetGlobal(_, value) | low.Return(value) | low.Do(value) | low.Table(value, _):
            return (value,)
        case low.Store(address, _, value) | low.StoreLong(address, _, value):
            return address, value
        case low.Copy(target, source, count):
            return target, source, count
        case low.Clear(target, count):
            return target, count
        case low.If(test, _, _):
            return (test,)
    return ()


def bodies(s: low.Stmt) -> tuple[low.Body, ...]:
    """The bodies directly inside a statement."""
    match s:
        case low.If(_, then, orelse):
            return then, orelse
        case low.Block(_, body) | low.Loop(_, body):
            return (body,)
        case low.Table(_, rows):
            return tuple(body for _, body in rows)
    return ()


def statements(body: low.Body) -> Iterator[low.Stmt]:
    """All statements of a body, those inside others included."""
    for s in body:
        yield s
        for inner in bodies(s):
            yield from statements(inner)


def variables(f: low.Function) -> tuple[str, ...]:
    """The local variables that a function sets, its parameters excepted, in the order in which they are first set."""
    found = dict.fromkeys(s.name for s in statements(f.body) if isinstance(s, low.Set))
    return tuple(name for name in found if name not in f.params)
