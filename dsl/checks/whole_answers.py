"""Notes conditions and keys on whole answers that the search cannot see through, where the answers may be many.

Takes the finished sites and functions. What is seen through follows `interpreter/search/partial.py` and
`interpreter/search/folds.py`; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import Any

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import BoolType, IntType, MemberType, key_count
from dsl.ir.walk import children, free, walk
from dsl.symbols.symbols import Model

FEW = 16  # members whose answers can be gone through
SEEN_FOLDS = ("count", "sum", "max", "min", "any", "every", "set", "table")
SEEN = (
    ir.Temp, ir.Force, ir.Not, ir.And, ir.Or, ir.If, ir.Compare, ir.Linear, ir.TableGet, ir.RangeTable, ir.Subset,
    ir.MakeSet, ir.Size, ir.MapWith,
)  # fmt: skip
WORDS: dict[type, str] = {
    ir.ListItem: "an item of a list",
    ir.ListOp: "a list",
    ir.Reach: "`reach`",
    ir.Cell: "what is found through the answer",
    ir.Arith: "a division by a number of the answer",
    ir.Possible: "`possible`",
}

Functions = Sequence[ir.Function | None]


def check_whole_answers(m: Model, sites: list[ir.Site], functions: Functions) -> None:
    """Note what is tested answer by answer."""
    for site in sites:
        if site.shape not in ("some", "amounts") or not (site.such_that or site.keys) or are_few(site):
            continue
        parts: list[tuple[ir.Expr, str, Span]] = [(g.test, f"`{g.text}`", g.span) for g in site.such_that]
        parts += [(key, "a key of this choice", site.span) for _, key in site.keys]
        for e, text, span in parts:
            opaque = hidden_part(e, frozenset({site.whole_slot}), functions)
            if opaque is not None:
                message = f"{text} is tested answer by answer: {described(opaque)} is not seen through"
                help = "count, add up or compare members instead, or let the player choose from fewer"
                m.note("RW0721", span, message, help)


def are_few(site: ir.Site) -> bool:
    """True if a question certainly has no more answers than a set of 16 members has subsets."""
    members = key_count(tuple(t for _, _, _, t in site.alternatives[0].binders))
    if members <= FEW and site.shape == "some":
        return True
    sizes = [
        b.amount.value for b in site.bounds
        if b.op in ("at most", "exactly") and b.weight is None and b.per is None and isinstance(b.amount, ir.Const)
    ]  # fmt: skip
    if not sizes:
        return False
    most = min(sizes)
    many = members if site.shape == "some" else members + most
    return sum(comb(many, n) for n in range(min(most, members, FEW) + 1)) <= 1 << FEW and most <= FEW


def described(e: ir.Expr) -> str:
    return f"`{e.kind}`" if isinstance(e, ir.Fold) else WORDS.get(type(e), "part of it")


def hidden_part(e: ir.Expr | None, unknown: frozenset[int], functions: Functions, depth: int = 0) -> ir.Expr | None:
    """The first part of an expression that is not seen through while the temps `unknown` are not known yet; None: all
    of it is."""
    if e is None or not free(e) & unknown:
        return None
    parts: list[ir.Expr | None] = []
    match e:
        case ir.Fold():
            if e.kind not in SEEN_FOLDS:
                return e
            inner = unknown
            for slot, domain in e.binders:
                if domain.kind != "set" and (free(domain.a) | free(domain.b)) & inner:
                    return e
                if (found := hidden_part(domain.a, inner, functions, depth)) is not None:
                    return found
                inner -= {slot}
            unknown = inner
            parts = [e.where, e.body]
        case ir.Let(slot, value, body) | ir.LazyLet(slot, value, body):
            if (found := hidden_part(value, unknown, functions, depth)) is not None:
                return found
            return hidden_part(body, unknown | {slot} if free(value) & unknown else unknown - {slot}, functions, depth)
        case ir.CallFn(number, args):
            found = next((f for a in args if (f := hidden_part(a, unknown, functions, depth)) is not None), None)
            called = functions[number]
            if found is not None or called is None or depth > len(functions):
                return found
            given = frozenset(n for n, a in enumerate(args) if free(a) & unknown)
            if len(given) == 1 and isinstance(called.result, IntType | BoolType | MemberType):
                (only,) = given
                if reads_one_member(args[only], unknown):
                    return None
            return hidden_part(called.body, given, functions, depth + 1)
        case ir.ByPlace():
            parts = [e.read]
        case ir.Arith():
            if e.op.startswith("div") and free(e.right) & unknown:
                return e
            parts = [e.left, e.right]
        case ir.InSet():
            if free(e.member) & unknown and free(e.set) & unknown:
                return e
            parts = [e.member, e.set]
        case ir.InList():
            if free(e.list) & unknown:
                return e
            parts = [e.member]
        case ir.MapItem():
            if free(e.offset) & unknown:
                return e
            parts = [e.map]
        case ir.ListOp():
            if e.op != "dense":
                return e
            parts = [e.args[0]]
        case _:
            parts = list(direct_parts(e))
            if not isinstance(e, SEEN):
                return next((f for part in parts if (f := hidden_part(part, unknown, functions, depth)) is not None), e)
    return next((found for part in parts if (found := hidden_part(part, unknown, functions, depth)) is not None), None)


def direct_parts(node: Any) -> Iterator[Any]:
    """The nodes directly inside a node."""
    for part in children(node):
        if isinstance(part, tuple):
            yield from direct_parts(part)
        elif ir.is_node(part):
            yield part


def reads_one_member(e: ir.Expr, unknown: frozenset[int]) -> bool:
    """True if all that an expression reads of the answer is what it says of one member."""
    read, found = 0, set[ir.Expr]()
    for node in walk(e):
        match node:
            case ir.Temp(slot) if slot in unknown:
                read += 1
            case ir.MapItem(ir.Temp(slot), key) | ir.InSet(key, ir.Temp(slot)) if slot in unknown:
                if free(key) & unknown or not free(key) <= free(e):
                    return False
                read -= 1
                found.add(node)
    return not read and len(found) == 1
