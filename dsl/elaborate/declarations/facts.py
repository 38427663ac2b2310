"""Facts: those that a game hands on at its end, and those with which it may begin (docs/manual/22-hand-over.md).

Takes the lines `hands on` at their values, and the given fields; adds both to the program as facts with names and
types. What the two games of a hand-over have in common is compared later, in `dsl.checks.hand_over`.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import BOOL, ListType, SetType, with_own_keys
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import conj
from dsl.elaborate.core.scope import Body, Scope, temp_local
from dsl.elaborate.declarations.values import bind_line
from dsl.symbols.symbols import RuleLine, ValueSym


def compile_facts(elab: Elaboration) -> None:
    """Note what is handed on, each with a function that tells which of its rows are, and which fields are given."""
    elab.out.hands_on += [handed_on(elab, name, v, rule) for name, (v, rule) in elab.model.facts.items()]
    for f in elab.model.all_fields():
        if f.given:
            symbol = f"{f.owner.name}.{f.name}" if f.owner else f.name
            keys, t = with_own_keys((f.owner.type,) if f.owner else (), f.type)
            optional = f.start is not None or isinstance(t, (SetType, ListType))
            elab.out.given.append(ir.GivenField(f.name, symbol, tuple(keys), t, optional, f.span))


def handed_on(elab: Elaboration, name: str, v: ValueSym, rule: RuleLine) -> ir.HandedOn:
    body = Body(rule.address)
    scope = Scope(body, address=rule.address)
    for param, t in v.params:
        temp_local(elab.model, scope, param, t, v.span)
    _, tests, _ = bind_line(elab, v, rule, scope)
    where = elab.add_function(rule.address, v.params, body, BOOL, conj(tests), rule.decl.span) if tests else -1
    return ir.HandedOn(name, v.fn, where, rule.decl.cites, rule.decl.name_span)
