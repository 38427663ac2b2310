"""Transfers of counted pieces in a function that is being written.

The plain case, in which all pieces are there and fit, stands in the text; the rest is left to `semantics.statements`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsl import ir
from interpreter.backends.python.emit.addresses import address_of
from interpreter.backends.python.emit.function import ANY, Fn, Range
from interpreter.backends.python.emit.ranges import range_of

Same = Callable[[Any, ir.Expr | None, ir.Expr | None], bool]
Surely = Callable[[Any, ir.Pool], bool]


def same_word(fn: Fn, e: ir.Expr | None, address: ir.Expr | None) -> bool:
    """Whether a value is what stands at an address."""
    return isinstance(e, ir.Cell) and e.address == address


def never(fn: Fn, pool: ir.Pool) -> bool:
    """Nothing is known of what is in pools."""
    return False


def transfer(fn: Fn, s: ir.Transfer, same: Same = same_word, surely: Surely = never) -> None:
    """`same`: whether a value is what stands at an address; `surely`: whether a piece is in a pool."""
    amount, n = range_of(fn, s.amount), fn.hold(fn(s.amount), "n")
    a, code_a = end_of(fn, s.source)
    b, code_b = end_of(fn, s.target)
    call = f"pieces({fn.ctx.object(s)}, {n}, {a}, {code_a}, {b}, {code_b})"
    fits = fitting(fn, s, amount, n, (a, code_a), (b, code_b), same, surely)
    if fits is None:
        fn.line(call if s.moved is None else f"t{s.moved} = {call}")
    else:
        rare, changes = fits
        if not rare and changes and same(fn, s.amount, s.source.address):
            fn.line(f"if {n}:")  # as many as there are, and that may be none
            changes = [f" {change}" for change in changes]
        moved = "" if s.moved is None else f"t{s.moved} = "
        if rare:
            fn.line(f"if {' or '.join(rare)}: {moved}{call}")
            fn.line("else:")
            fn.line.depth += 1
        for change in changes:
            fn.line(change)
        if s.moved is not None:
            fn.line(f"t{s.moved} = {n}")
        if not changes and s.moved is None:
            fn.line("pass")
        fn.line.depth -= 1 if rare else 0
    if s.moved is not None:
        fn.names.temps[s.moved], fn.names.ranges[s.moved] = f"t{s.moved}", (0, ANY[1])
        fn.names.known.pop(s.moved, None)


def end_of(fn: Fn, pool: ir.Pool) -> tuple[str, str]:
    """Address and code of one end of a transfer."""
    if pool.kind == "endless" or pool.address is None:
        return "0", "0"
    code = "0" if pool.kind == "count" else "1" if pool.code is None else fn.hold(fn(pool.code), "c")
    return fn.hold(address_of(fn, pool.address), "a"), code


def fitting(
    fn: Fn,
    s: ir.Transfer,
    amount: Range,
    n: str,
    source: tuple[str, str],
    target: tuple[str, str],
    same: Same,
    surely: Surely,
) -> tuple[list[str], list[str]] | None:
    """When the transfer is a rare case, and what it changes otherwise; None: always ask the reference."""
    (a, code_a), (b, code_b) = source, target
    kinds = (s.source.kind, s.target.kind)
    if "slot" in kinds and n != "1":
        return None
    whole = same(fn, s.amount, s.source.address)  # as many as there are
    rare = [f"{n} < 0"] if amount[0] < 0 and not whole else []
    changes = []
    if s.source.kind == "count":
        if not whole:
            if n != "1" or not surely(fn, s.source):
                rare.append(f"S[{a}] < {n}")
        changes.append(f"S[{a}] = 0" if whole else f"S[{a}] -= {n}")
    elif s.source.kind == "slot":
        if not (isinstance(s.source.code, ir.Linear) and same(fn, single(s.source.code), s.source.address)):
            rare.append(f"S[{a}] != {code_a}")
        changes.append(f"S[{a}] = 0")
    if kinds == ("count", "count") and s.source.symbol == s.target.symbol and not (a.isdigit() and b.isdigit()):
        rare.append(f"{a} == {b}")
    if a == b and "endless" not in kinds:
        return None
    if s.target.kind == "count":
        if s.limit is not None:
            rare.append(f"{n} > {s.limit} - S[{b}]")
        changes.append(f"S[{b}] += {n}")
    elif s.target.kind == "slot":
        rare.append(f"S[{b}]")
        changes.append(f"S[{b}] = {code_b}")
    return rare, changes


def single(e: ir.Linear) -> ir.Expr | None:
    """The only term of a sum."""
    return e.terms[0][0] if e.const == 0 and len(e.terms) == 1 and e.terms[0][1] == 1 else None
