"""Calls of functions of the program: by name, or with the body of the function inlined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from dsl import ir
from interpreter.backends.analysis.dataflow import SMALL_BODY
from interpreter.backends.python.emit.function import Fn, Names
from interpreter.backends.python.emit.ranges import range_of

LARGE_BODY, FEW_CALLS = 60, 2  # a function with up to so many nodes is inlined where there are few calls of it
INLINE_DEPTH = 5  # functions inlined inside each other


def call_value(fn: Fn, e: ir.CallFn) -> str:
    return call_function(fn, e, fn)


def call_function(fn: Fn, e: ir.CallFn, write: Callable[[ir.Expr], str]) -> str:
    """The text of a call; `write` writes an inlined body."""
    called = fn.ctx.program.functions[e.fn]
    if is_inlined(fn, e):
        with inlining(fn, called, e.args):
            return write(called.body)
    if fn.ctx.facts.uses_running:
        fn.storage.sync()
    name = fn.ctx.function_name("function", e.fn)
    return f"{name}({', '.join(['S', *(fn(a) for a in e.args)])})"


def is_inlined(fn: Fn, e: ir.CallFn) -> bool:
    """Whether the body of a function is inlined in a call."""
    facts, called = fn.ctx.facts, fn.ctx.program.functions[e.fn]
    if e.fn in facts.recursive_fns or fn.inline_depth >= INLINE_DEPTH:
        return False
    if facts.sizes[e.fn] > SMALL_BODY and (facts.calls[e.fn] > FEW_CALLS or facts.sizes[e.fn] > LARGE_BODY):
        return False
    return fn.eager or has_simple_arguments(e) or not called.params


@contextmanager
def inlining(fn: Fn, called: ir.Function, args: Sequence[ir.Expr]) -> Iterator[None]:
    """A context in which temps are the parameters of a function that is inlined, with these arguments."""
    spans = [range_of(fn, a) for a in args]
    texts = [fn(a) for a in args]
    texts = [text if is_atom(text) else fn.hold(text) for text in texts]
    before = fn.names
    fn.names = Names({}, {}, {}, before.frame)
    for slot, (arg, text, span) in enumerate(zip(args, texts, spans, strict=True)):
        fn.names.temps[slot], fn.names.ranges[slot] = text, span
        if isinstance(arg, ir.Const) and type(arg.value) is int:
            fn.names.known[slot] = arg.value
        elif isinstance(arg, ir.Temp) and arg.slot in before.known:
            fn.names.known[slot] = before.known[arg.slot]
    fn.inline_depth += 1
    yield
    fn.inline_depth -= 1
    fn.names = before


def has_simple_arguments(e: ir.CallFn) -> bool:
    """Whether the arguments of a call can be evaluated anywhere, as often as needed."""
    return all(isinstance(a, ir.Temp | ir.Const | ir.FrameVar) for a in e.args)


def is_atom(text: str) -> bool:
    return text.isidentifier() or text.isdigit()
