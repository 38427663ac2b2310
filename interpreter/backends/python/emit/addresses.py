"""Loading and saving values of all types as Python text, and the texts of their addresses in the store."""

from __future__ import annotations

import re
from typing import Any

from dsl import ir
from dsl.base.types import WORD_BITS, ListType, MapType, SetType, Type, bounds, width
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.source import sum_text
from interpreter.core.words import SCALARS, members

FEW_WORDS = 3  # words of a set that are read and written one by one
NUMBERS = re.compile(r"\((\d+, )+\)")  # the text of a list of numbers


def address_parts(fn: Fn, e: ir.Expr) -> tuple[int, str]:
    """An address as a number and the text that is added to it."""
    if isinstance(e, ir.Const):
        return e.value, ""
    if not isinstance(e, ir.Linear):
        return 0, fn(e)
    const, parts = e.const, []
    for term, stride in e.terms:
        if isinstance(term, ir.Const):
            const += term.value * stride
        elif isinstance(term, ir.Temp) and term.slot in fn.names.known:
            const += fn.names.known[term.slot] * stride
        elif isinstance(term, ir.Linear):
            more, text = address_parts(fn, term)
            const += more * stride
            if text:
                parts.append(text if stride == 1 else f"({text}) * {stride}")
        else:
            parts.append(fn(term) if stride == 1 else f"{fn(term)} * {stride}")
    return const, " + ".join(parts)


def address_text(fn: Fn, e: ir.Expr) -> str:
    """The text of an address, as it stands in brackets."""
    text = fn(e)
    return text[1:-1] if isinstance(e, ir.Linear) and text.startswith("(") else text


def load(fn: Fn, address: str, t: Type) -> str:
    """The text of the value of type `t` at an address."""
    if type(t) in SCALARS:
        return f"S[{address}]"
    if isinstance(t, SetType) and width(t) == 1:
        low = bounds(t.elem)[0]
        return f"(S[{address}] << {low})" if low else f"S[{address}]"
    if isinstance(t, SetType) and width(t) <= FEW_WORDS and fn.eager:
        at, low = fn.hold(address, "a"), bounds(t.elem)[0]
        words = [f"S[{sum_text(k, at)}]" + (f" << {k * WORD_BITS}" if k else "") for k in range(width(t))]
        text = f"({' | '.join(words)})"
        return f"({text} << {low})" if low else text
    if isinstance(t, MapType) and type(t.value) in SCALARS and address.isdigit():
        return f"tuple(S[{address}:{int(address) + width(t)}])"
    if isinstance(t, ListType) and type(t.elem) in SCALARS and address.isdigit():
        return f"tuple(S[{int(address) + 1}:{int(address) + 1} + S[{address}]])"
    return f"{fn.ctx.loader(t)}(S, {address})"


def set_part(fn: Fn, e: ir.Cell, t: SetType, mask: int) -> str:
    """The text of those words of a set that hold the members of a mask, shifted to their places."""
    low = bounds(t.elem)[0]
    const, text = address_parts(fn, e.address)
    first, last = ((v - low) // WORD_BITS for v in (members(mask)[0], members(mask)[-1]))
    if first < 0 or last >= width(t) or last - first >= FEW_WORDS or (text and not text.isidentifier()):
        return fn(e)
    words = [f"S[{sum_text(const + k, text)}] << {k * WORD_BITS + low}" for k in range(first, last + 1)]
    return f"({' | '.join(words)})"


def save(fn: Fn, at: str, t: Type, text: str, what: str, span: Any) -> None:
    """Lines that save a value of type `t` at an address; `what` names the target in messages."""
    if type(t) in SCALARS:
        fn.line(f"S[{at}] = {text}")
    elif isinstance(t, SetType) and width(t) == 1:
        low = bounds(t.elem)[0]
        fn.line(f"S[{at}] = {text} >> {low}" if low else f"S[{at}] = {text}")
    elif isinstance(t, SetType) and width(t) <= FEW_WORDS:
        low, at = bounds(t.elem)[0], fn.hold(at, "a")
        x = fn.hold(f"{text} >> {low}" if low else text)
        for k in range(width(t)):
            shifted = f"{x} >> {k * WORD_BITS}" if k else x
            fn.line(f"S[{sum_text(k, at)}] = {shifted} & {(1 << WORD_BITS) - 1}")
    elif isinstance(t, SetType):
        fn.line(f"{fn.ctx.saver(t)}(S, {at}, {text})")
    elif isinstance(t, ListType) and type(t.elem) in SCALARS and (n := literal_length(text)) and n <= t.cap:
        at = fn.hold(at, "a")
        fn.line(f"S[{at}:{sum_text(t.cap + 1, at)}] = ({n}, {text[1:-1]}{'0, ' * (t.cap - n)})")
    elif isinstance(t, ListType) and type(t.elem) in SCALARS:
        x = fn.hold(text)
        fn.line(f"if len({x}) > {t.cap}: put(S, {at}, {fn.ctx.object((t, what, span))}, {x})")
        at = fn.hold(at, "a")
        fn.line(f"S[{at}:{at} + {t.cap + 1}] = [len({x}), *{x}, *{fn.ctx.zeros(t.cap)}[len({x}):]]")
    else:
        fn.line(f"put(S, {at}, {fn.ctx.object((t, what, span))}, {text})")


def literal_length(text: str) -> int:
    """How many numbers the text of a list has; 0: it is not the text of a list of numbers."""
    return text.count(",") if NUMBERS.fullmatch(text) else 0


def fits_variable(t: Type) -> bool:
    """Whether a frame variable of this type is also held in a Python variable."""
    return type(t) in SCALARS or isinstance(t, SetType)
