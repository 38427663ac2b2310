"""Transfers of counted pieces in a function that is being written.

The plain case, in which all pieces are there and fit, stands in the text; the rest is left to `semantics.statements`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsl import ir
from interpreter.backends.python.emit.addresses import address_text
from interpreter.backends.python.emit.function import ANY, Fn, Range
from interpreter.backends.python.emit.ranges import range_of

IsWordAt = Callable[[Any, ir.Expr | None, ir.Expr | None], bool]
IsPresent = Callable[[Any, ir.Pool], bool]


def is_word_at(fn: Fn, e: ir.Expr | None, address: ir.Expr | None) -> bool:
    """Whether a value is read from this address."""
    return isinstance(e, ir.Cell) and e.address == address


def knows_nothing(fn: Fn, pool: ir.Pool) -> bool:
    """False: nothing is known of the contents of pools."""
    return False


def transfer(fn: Fn, s: ir.Transfer, is_same: IsWordAt = is_word_at, is_present: IsPresent = knows_nothing) -> None:
    """`is_same`: whether a value is read from an address; `is_present`: whether a piece is certainly in a pool."""
    amount, n = range_of(fn, s.amount), fn.hold(fn(s.amount), "n")
    a, code_a = pool_end(fn, s.source)
    b, code_b = pool_end(fn, s.target)
    call = f"pieces({fn.ctx.object(s)}, {n}, {a}, {code_a}, {b}, {code_b})"
    fits = plain_case(fn, s, amount, n, (a, code_a), (b, code_b), is_same, is_present)
    if fits is None:
        fn.line(call if s.moved is None else f"t{s.moved} = {call}")
    else:
        rare, changes = fits
        if not rare and changes and is_same(fn, s.amount, s.source.address):
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


def pool_end(fn: Fn, pool: ir.Pool) -> tuple[str, str]:
    """Address and code of one end of a transfer."""
    if pool.kind == "endless" or pool.address is None:
        return "0", "0"
    code = "0" if pool.kind == "count" else "1" if pool.code is None else fn.hold(fn(pool.code), "c")
    return fn.hold(address_text(fn, pool.address), "a"), code


def plain_case(
    fn: Fn,
    s: ir.Transfer,
    amount: Range,
    n: str,
    source: tuple[str, str],
    target: tuple[str, str],
    is_same: IsWordAt,
    is_present: IsPresent,
) -> tuple[list[str], list[str]] | None:
    """The conditions under which the transfer is left to the reference, and the lines for other cases; None: it is
    always left to the reference."""
    (a, code_a), (b, code_b) = source, target
    kinds = (s.source.kind, s.target.kind)
    if "slot" in kinds and n != "1":
        return None
    whole = is_same(fn, s.amount, s.source.address)  # as many as there are
    rare = [f"{n} < 0"] if amount[0] < 0 and not whole else []
    changes = []
    if s.source.kind == "count":
        if not whole:
            if n != "1" or not is_present(fn, s.source):
                rare.append(f"S[{a}] < {n}")
        changes.append(f"S[{a}] = 0" if whole else f"S[{a}] -= {n}")
    elif s.source.kind == "slot":
        if not (isinstance(s.source.code, ir.Linear) and is_same(fn, only_term(s.source.code), s.source.address)):
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


def only_term(e: ir.Linear) -> ir.Expr | None:
    """The only term of a sum."""
    return e.terms[0][0] if e.const == 0 and len(e.terms) == 1 and e.terms[0][1] == 1 else None
