"""Words of the store in the text: addresses, and values of all types that are loaded from one or put there."""

from __future__ import annotations

import re
from typing import Any

from dsl import ir
from dsl.base.types import WORD_BITS, ListType, MapType, SetType, Type, bounds, width
from interpreter.backends.python.emit.function import Fn
from interpreter.core.words import SCALARS, members

FEW_WORDS = 3  # words of a set that are read and written one by one
KNOWN_LIST = re.compile(r"\((\d+, )+\)")  # the text of a list of numbers


def added(const: int, text: str) -> str:
    """The text of a sum; one without a text is the number."""
    if not text:
        return str(const)
    if text.isdigit():
        return str(int(text) + const)
    return f"{text} + {const}" if const > 0 else f"{text} - {-const}" if const else text


def linear(fn: Fn, e: ir.Expr) -> tuple[int, str]:
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
            more, text = linear(fn, term)
            const += more * stride
            if text:
                parts.append(text if stride == 1 else f"({text}) * {stride}")
        else:
            parts.append(fn(term) if stride == 1 else f"{fn(term)} * {stride}")
    return const, " + ".join(parts)


def address_of(fn: Fn, e: ir.Expr) -> str:
    """An address as it stands in brackets."""
    text = fn(e)
    return text[1:-1] if isinstance(e, ir.Linear) and text.startswith("(") else text


def load(fn: Fn, address: str, t: Type) -> str:
    if type(t) in SCALARS:
        return f"S[{address}]"
    if isinstance(t, SetType) and width(t) == 1:
        low = bounds(t.elem)[0]
        return f"(S[{address}] << {low})" if low else f"S[{address}]"
    if isinstance(t, SetType) and width(t) <= FEW_WORDS and fn.sure:
        at, low = fn.hold(address, "a"), bounds(t.elem)[0]
        words = [f"S[{added(k, at)}]" + (f" << {k * WORD_BITS}" if k else "") for k in range(width(t))]
        text = f"({' | '.join(words)})"
        return f"({text} << {low})" if low else text
    if isinstance(t, MapType) and type(t.value) in SCALARS and address.isdigit():
        return f"tuple(S[{address}:{int(address) + width(t)}])"
    if isinstance(t, ListType) and type(t.elem) in SCALARS and address.isdigit():
        return f"tuple(S[{int(address) + 1}:{int(address) + 1} + S[{address}]])"
    return f"{fn.ctx.loader(t)}(S, {address})"


def part_of_set(fn: Fn, e: ir.Cell, t: SetType, mask: int) -> str:
    """The words of a set that hold some members."""
    low = bounds(t.elem)[0]
    const, text = linear(fn, e.address)
    first, last = ((v - low) // WORD_BITS for v in (members(mask)[0], members(mask)[-1]))
    if first < 0 or last >= width(t) or last - first >= FEW_WORDS or (text and not text.isidentifier()):
        return fn(e)
    words = [f"S[{added(const + k, text)}] << {k * WORD_BITS + low}" for k in range(first, last + 1)]
    return f"({' | '.join(words)})"


def put(fn: Fn, at: str, t: Type, text: str, what: str, span: Any) -> None:
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
            fn.line(f"S[{added(k, at)}] = {shifted} & {(1 << WORD_BITS) - 1}")
    elif isinstance(t, SetType):
        fn.line(f"{fn.ctx.saver(t)}(S, {at}, {text})")
    elif isinstance(t, ListType) and type(t.elem) in SCALARS and (n := known_list(text)) and n <= t.cap:
        at = fn.hold(at, "a")
        fn.line(f"S[{at}:{added(t.cap + 1, at)}] = ({n}, {text[1:-1]}{'0, ' * (t.cap - n)})")
    elif isinstance(t, ListType) and type(t.elem) in SCALARS:
        x = fn.hold(text)
        fn.line(f"if len({x}) > {t.cap}: put(S, {at}, {fn.ctx.object((t, what, span))}, {x})")
        at = fn.hold(at, "a")
        fn.line(f"S[{at}:{at} + {t.cap + 1}] = [len({x}), *{x}, *{fn.ctx.zeros(t.cap)}[len({x}):]]")
    else:
        fn.line(f"put(S, {at}, {fn.ctx.object((t, what, span))}, {text})")


def known_list(text: str) -> int:
    """How many numbers a text lists; 0: it is no list of numbers."""
    return text.count(",") if KNOWN_LIST.fullmatch(text) else 0


def keeps(t: Type) -> bool:
    """Whether a frame variable of this type is worth keeping in a Python variable."""
    return type(t) in SCALARS or isinstance(t, SetType)
