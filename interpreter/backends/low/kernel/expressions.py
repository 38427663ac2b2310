"""The expressions of a kernel function as low code, worked out in the order in which Python works them out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add, both, either, load, load_long, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num
from interpreter.backends.low.kernel.context import (
    BUILT_IN,
    INSTEAD,
    Compiling,
    Host,
    RecordField,
    fields_of,
    record_of,
    sort_of,
)
from interpreter.backends.low.kernel.texts import AnyFunction, KernelText, text_of
from interpreter.backends.low.kernel.values import (
    InGlobals,
    Known,
    Sort,
    Typed,
    Value,
    comparison,
    inverted,
    operation,
    truth,
)
from interpreter.core.kernel import KERNEL, room


def value(c: Compiling, node: ast.expr) -> Value:
    """The value of an expression. Raises NotInKernel."""
    found = c.known(node)
    if found is not None:
        return found
    make = EXPRESSIONS.get(type(node))
    if make is None:
        raise c.text.refuse(node, f"there is no {type(node).__name__} in a kernel function")
    return make(c, node)


def typed(c: Compiling, node: ast.expr) -> Typed:
    """The same as native code has it."""
    return c.typed(value(c, node), node)


def in_order(c: Compiling, nodes: Sequence[ast.expr]) -> list[Value]:
    """Values that are worked out one after the other, whatever the later ones change."""
    found: list[Value] = []
    for node in nodes:
        with c.lo.w.inside() as body:
            one = value(c, node)
        if body:
            found = [kept(c, f) if isinstance(f, Typed) else f for f in found]
            c.lo.w.out += body
        found.append(one)
    return found


def kept(c: Compiling, of: Typed) -> Typed:
    """A value that stays as it is."""
    return of if isinstance(of.expr, Num | Local) else of._replace(expr=c.lo.w.let(of.expr))


def numbers(c: Compiling, nodes: Sequence[ast.expr]) -> list[Typed]:
    """Values in order, as native code has them."""
    return [c.typed(found, node) for found, node in zip(in_order(c, nodes), nodes, strict=True)]


def test(c: Compiling, node: ast.expr) -> Expr:
    """Whether an expression is other than 0."""
    if isinstance(node, ast.BoolOp):
        return _joined(c, node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return inverted(test(c, node.operand))
    return typed(c, node).expr


def _joined(c: Compiling, node: ast.BoolOp) -> Expr:
    """The truth of `and` and `or`; what stands on the right is worked out only if it is needed."""
    w, all_of = c.lo.w, isinstance(node.op, ast.And)
    found = test(c, node.values[0])
    for operand in node.values[1:]:
        if isinstance(found, Num) and bool(found.value) != all_of:
            return found
        with w.inside() as body:
            right = test(c, operand)
        if not body:
            found = both(found, right) if all_of else either(found, right)
            continue
        name = w.fresh("holds")
        w.set(name, truth(found))
        w.emit(low.If(Local(name) if all_of else low.Not(Local(name)), (*body, low.Set(name, truth(right)))))
        found = Local(name)
    return found


def _either(c: Compiling, node: ast.IfExp) -> Value:
    w, condition = c.lo.w, test(c, node.test)
    if isinstance(condition, Num):
        return value(c, node.body if condition.value else node.orelse)
    with w.inside() as first:
        then = typed(c, node.body)
    with w.inside() as second:
        orelse = typed(c, node.orelse)
    if not first and not second:
        return then._replace(expr=low.Choice(condition, then.expr, orelse.expr))
    name = w.fresh("chosen")
    w.emit(low.If(condition, (*first, low.Set(name, then.expr)), (*second, low.Set(name, orelse.expr))))
    return then._replace(expr=Local(name))


def _name(c: Compiling, node: ast.Name) -> Value:
    found = c.named(node.id)
    if found is None:
        raise c.text.refuse(node, "it is read before it is set")
    return found


def _binary(c: Compiling, node: ast.BinOp) -> Typed:
    left, right = numbers(c, (node.left, node.right))
    found = operation(c.lo.w, type(node.op), left, right)
    if found is None:
        raise c.text.refuse(node, "the operators are + - * // % & | ^ << and >>")
    return found


def _unary(c: Compiling, node: ast.UnaryOp) -> Typed:
    if isinstance(node.op, ast.Not):
        return Typed(truth(inverted(test(c, node.operand))))
    found = typed(c, node.operand)
    if isinstance(node.op, ast.USub):
        return found._replace(expr=low.Op("-", ZERO, found.expr))
    if isinstance(node.op, ast.Invert):
        return found._replace(expr=low.Op("^", found.expr, Num(-1)))
    raise c.text.refuse(node, "the operators in front of one number are - ~ and not")


def _compare(c: Compiling, node: ast.Compare) -> Typed:
    values = numbers(c, (node.left, *node.comparators))
    if len(values) > 2:
        values = [kept(c, v) for v in values]
    found: Expr = ONE
    for op, left, right in zip(node.ops, values[:-1], values[1:], strict=True):
        one = comparison(type(op), left, right)
        if one is None:
            raise c.text.refuse(node, "numbers are compared by == != < <= > and >=")
        found = both(found, one)
    return Typed(found)


def place(c: Compiling, row: Typed, index: Typed, node: ast.AST) -> WordsAt:
    """Where a word of a row lies, or a number of a row of long ones."""
    if row.sort is Sort.LONGS:
        index = index._replace(expr=scale(index.expr, 2))
    elif row.sort is not Sort.ROW:
        raise c.text.refuse(node, "only the words of a row have numbers")
    if isinstance(index.expr, low.Op) and index.expr.op == "+" and isinstance(index.expr.right, Num):
        return WordsAt(add(row.expr, index.expr.left), index.expr.right.value)
    if isinstance(row.expr, Num) and row.expr.value >= 0:
        return WordsAt(index.expr, row.expr.value)
    return WordsAt(row.expr, index.expr.value) if isinstance(index.expr, Num) else WordsAt(add(row.expr, index.expr))


def _word(c: Compiling, node: ast.Subscript) -> Typed:
    row, index = numbers(c, (node.value, node.slice))
    return Typed((load_long if row.sort is Sort.LONGS else load)(place(c, row, index, node)))


def field(c: Compiling, node: ast.Attribute) -> tuple[Typed | InGlobals, RecordField]:
    """A record, and a field of it. For a record in globals the place is the number of the global."""
    of = value(c, node.value)
    record = None if isinstance(of, Known) else of.record
    fields = {} if record is None else fields_of(record)
    if isinstance(of, Known) or node.attr not in fields:
        raise c.text.refuse(node, f"the fields here are: {', '.join(fields) or 'none'}")
    found = fields[node.attr]
    return of, found._replace(at=list(fields).index(node.attr)) if isinstance(of, InGlobals) else found


def _field(c: Compiling, node: ast.Attribute) -> Typed:
    of_host = c.host_value(node)
    if of_host is not None:
        return of_host
    of, own = field(c, node)
    if isinstance(of, InGlobals):
        return Typed(Global(of.globals[own.at]), own.sort, own.record)
    return Typed((low.LoadLong if own.sort is Sort.BITS else low.Load)(of.expr, own.at), own.sort, own.record)


# ------------------------------------------------------------ calls


def called(c: Compiling, node: ast.Call) -> Typed:
    """A call whose value may be worked out once, and now."""
    if node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args):
        raise c.text.refuse(node, "arguments stand in their order, without names")
    record: Typed | InGlobals | None = None
    known = c.known(node.func)
    function: Any = None if known is None else known.value
    if known is None and isinstance(node.func, ast.Attribute):
        of = value(c, node.func.value)
        record = None if isinstance(of, Known) else of
        function = None if record is None else getattr(record.record, node.func.attr, None)
    if isinstance(getattr(function, "__self__", None), Host):
        given = function(*(kept(c, arg).expr for arg in numbers(c, node.args)))
        return given if isinstance(given, Typed) else Typed(ZERO if given is None else given)
    if function in BUILT_IN:
        return _built_in(c, node, function)
    function = INSTEAD.get(function, function)
    if function not in KERNEL:
        raise c.text.refuse(node, "a function is called that is not marked with `@kernel`")
    text = text_of(function)
    args = [*([record] if record else []), *in_order(c, node.args)]
    if len(args) != len(text.params):
        raise c.text.refuse(node, f"`{function.__qualname__}` takes {len(text.params)} arguments")
    return _to_kernel(c, node, function, text, args)


def _to_kernel(c: Compiling, node: ast.Call, function: AnyFunction, text: KernelText, args: Sequence[Value]) -> Typed:
    """A call of another kernel function: it is compiled for what is known of rows, records, hosts and the program."""
    known: dict[str, Value] = {}
    passed: list[Expr] = []
    for (name, annotation), arg in zip(text.params.items(), args, strict=True):
        sort = sort_of(text.type_of(annotation))
        if sort not in (None, Sort.RECORD) and isinstance(arg, Known):
            arg = c.typed(arg, node)
        changes = sort in (Sort.NUMBER, Sort.BITS) or text.rebound[name] > 1
        if isinstance(arg, Typed) and (changes or not isinstance(arg.expr, Num)):
            passed.append(arg.expr)
        else:
            known[name] = arg
    result = text.type_of(text.tree.returns)
    sort = sort_of(result) or Sort.NUMBER
    return Typed(c.call(c.lo, function, known, passed, c.within), sort, record_of(result))


def _built_in(c: Compiling, node: ast.Call, function: object) -> Typed:
    if function is bool:
        return Typed(truth(test(c, node.args[0])))
    args = numbers(c, node.args)
    if function is room:
        size = kept(c, args[0]).expr
        at = c.lo.take(size)
        c.lo.w.emit(low.Clear(at, size))
        return Typed(at, Sort.ROW)
    if function is int:
        return args[0]
    if len(args) != 2:
        raise c.text.refuse(node, "the greater or the less of two numbers is taken")
    left, right = kept(c, args[0]), kept(c, args[1])
    first = comparison(ast.Lt if function is min else ast.Gt, left, right)
    assert first is not None
    return left._replace(expr=low.Choice(first, left.expr, right.expr))


def _call(c: Compiling, node: ast.Call) -> Typed:
    return kept(c, called(c, node))


EXPRESSIONS: dict[type, Callable[[Compiling, Any], Value]] = {
    ast.Name: _name,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: lambda c, node: Typed(truth(test(c, node))),
    ast.Compare: _compare,
    ast.IfExp: _either,
    ast.Subscript: _word,
    ast.Attribute: _field,
    ast.Call: _call,
}
