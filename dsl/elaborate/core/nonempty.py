"""Sets that are known to have a member: by what they are made of, or by a condition that was tested before.

Takes expressions of the tree and of the intermediate form; the facts that conditions prove stand among the known
paths of a scope, as the expression `some S`. It reports nothing; `False` means that nothing is known.
"""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl.base.types import INT, IntType, Type
from dsl.syntax import nodes as sx

NO_FACTS: frozenset[sx.Expr] = frozenset()


def nonempty_fact(s: sx.Expr) -> sx.Expr:
    """The fact that a set is not empty."""
    return sx.Compare("is not", s, sx.SetLit(()))


def is_fact(known: sx.Expr) -> bool:
    """Whether this is a fact about a set or a kind, not a path that is not none."""
    return isinstance(known, sx.Compare)


def is_kind_of_path(fact: sx.Expr) -> bool:
    """Whether the fact states the kind of the thing that a path leads to."""
    return isinstance(fact, sx.Compare) and fact.op == "in" and not isinstance(fact.left, sx.Name)


def membership_facts(node: sx.Expr) -> tuple[frozenset[sx.Expr], frozenset[sx.Expr]]:
    """The facts about sets that a condition proves where it holds, and where it fails."""
    match node:
        case sx.Compare("is not", s, sx.SetLit(())):
            return frozenset({nonempty_fact(s)}), NO_FACTS
        case sx.Compare("is", s, sx.SetLit(())):
            return NO_FACTS, frozenset({nonempty_fact(s)})
        case sx.Compare("in", _, s):
            return frozenset({nonempty_fact(s)}), NO_FACTS
        case sx.Compare("is", counted, sx.Num(n)):
            facts = _counted(counted)
            return (facts, NO_FACTS) if n > 0 else (NO_FACTS, facts)
        case sx.Compare("is not", counted, sx.Num(0)):
            return _counted(counted), NO_FACTS
        case sx.Compare(">", counted, sx.Num()):
            return _counted(counted), NO_FACTS
        case sx.Compare(">=", counted, sx.Num(n)) if n > 0:
            return _counted(counted), NO_FACTS
        case sx.Compare("<", counted, sx.Num(n)) if n > 0:
            return NO_FACTS, _counted(counted)
        case sx.Compare("<=", counted, sx.Num()):
            return NO_FACTS, _counted(counted)
        case sx.Fold("any", binders, _, _):
            return frozenset(nonempty_fact(b.domain) for b in binders), NO_FACTS
    return NO_FACTS, NO_FACTS


def _counted(node: sx.Expr) -> frozenset[sx.Expr]:
    """The sets that have members if this number is above zero."""
    match node:
        case sx.Call(sx.Name("size"), (sx.Arg(s),)):
            return frozenset({nonempty_fact(s)})
        case sx.Fold("count", binders, _, _):
            return frozenset(nonempty_fact(b.domain) for b in binders)
    return NO_FACTS


def is_nonempty(node: sx.Expr, domain: ir.Domain, known: frozenset[sx.Expr], tables: list[Any]) -> bool:
    """Whether what a binder ranges over is known to have a member."""
    if nonempty_fact(node) in known:
        return True
    if domain.kind == "range":
        return isinstance(domain.a, ir.Const) and isinstance(domain.b, ir.Const) and domain.a.value <= domain.b.value
    return _is_nonempty_value(domain.a, tables)


def _is_nonempty_value(e: ir.Expr, tables: list[Any]) -> bool:
    match e:
        case ir.Const(value):
            return value not in (0, ())
        case ir.RangeSet() | ir.MakeSet():
            return True  # the seats in play; members that are written out
        case ir.TableGet(table, _):
            return all(row not in (0, ()) for row in tables[table])
        case ir.Arith("|", a, b) | ir.ListOp("concat", (a, b)):
            return _is_nonempty_value(a, tables) or _is_nonempty_value(b, tables)
        case ir.ListOp("to_set" | "to_list", (a,)):
            return _is_nonempty_value(a, tables)
        case ir.If(_, a, b):
            return _is_nonempty_value(a, tables) and _is_nonempty_value(b, tables)
        case ir.Fold("ranked" | "tiers" | "tied" | "set" | "list", binders, None, _, _):
            return all(d.kind != "range" and _is_nonempty_value(d.a, tables) for _, d in binders)
        case ir.Reach(start=start, gives="reach"):
            return _is_nonempty_value(start, tables)
    return False


def is_unbounded(t: Type) -> bool:
    """Whether a number has no bounds that could stand for the largest or smallest of nothing."""
    return isinstance(t, IntType) and (t.low, t.high) == (INT.low, INT.high)
