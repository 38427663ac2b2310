"""Rule lines as a whole: the counters of `once per F`, the lines that no event of this ruleset starts, and who orders
those of several cards.

The counters are made before all procedures, which reset them; the unmatched lines come after all procedures, so that
mistakes in them are found.
"""

from __future__ import annotations

from dsl.base.types import INT, PLACE, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ZERO
from dsl.elaborate.core.scope import Body, Scope, Val
from dsl.elaborate.core.suspension import CHANGES, orders_events
from dsl.elaborate.declarations import purses
from dsl.elaborate.events import events, noted, orderers, reactions
from dsl.symbols.types import clause, kind_of_thing
from dsl.syntax import nodes as sx


def compile_unmatched(elab: Elaboration) -> None:
    """Elaborate the lines on verbs that no event of this ruleset can match, so that their mistakes are found."""
    for t in elab.model.triggers:
        name = f"{t.decl.word} {t.decl.name}#{t.number}("
        if (
            t.decl.name in elab.model.routines
            or t.decl.name not in CHANGES
            or any(r.startswith(name) for r in elab.model.routines)
        ):
            continue
        head = t.decl.head
        first = head.args[0].type if isinstance(head, sx.Call) and head.args else None
        what = first.id if isinstance(first, sx.Name) else ""
        kind, piece = elab.model.kinds.get(what), elab.model.pieces.get(what)
        first_type: Type = kind.type if kind else piece.index[0] if piece and piece.index else INT
        who = Val(ZERO, kind.type if kind else elab.model.kinds["Seat"].type)
        args = reactions.line_args(elab, t, [Val(ZERO, first_type), Val(ZERO, PLACE), Val(ZERO, PLACE)], who, ZERO)
        elab.model.note("RW0814", t.decl.span, "no event of this ruleset can start this line")
        reactions.match_test(
            elab, t, args, Val(ZERO, INT), Val(ZERO, INT), events.captured_scope(elab, t, Scope(Body(name)))
        )
        reactions.line_routine(elab, t, args)


def check_order(elab: Elaboration) -> None:
    """Report what is wrong with `triggers ordered by WHO`, whether or not several cards ever react to one event."""
    d = elab.model.order
    if d is None or not d.clauses:
        return
    more = d.clauses[0].args[1:]
    if more:
        way = "write one: `owner`, or `active` where one seat orders all cards"
        elab.model.error("RW0834", more[0].span, "one of them orders a card, and here are several", way)
        return
    lines = {kind_of_thing(elab.model, t.this).name: t for t in elab.model.triggers if t.this}
    for t in lines.values():
        body = Body(t.address)
        orderers.orderer(elab, t, noted.owner_as_it_began(elab, t), Scope(body))
    if not orders_events(elab.model):
        help = "without it the rules come in the order of the text, and then the only card"
        elab.model.note("RW0835", d.span, "there are no two cards with triggers, so there is nothing to order", help)


def allocate_counters(elab: Elaboration) -> None:
    """Allocate the words for `once per F`, and note where they are reset."""
    m = elab.model

    def reset(c: sx.Clause | None, address: int) -> None:
        name = c.args[0].id if c and isinstance(c.args[0], sx.Name) else ""
        if name in m.routines:
            for r in (m.routines[name], *m.routines[name].others):
                elab.routines.resets.setdefault(r.name, []).append(address)
        elif c is not None:
            m.unknown("RW0207", c.span, "routine", name, list(m.routines))

    for t in m.triggers:
        if clause(t.decl, "once per"):
            reset(clause(t.decl, "once per"), elab.layout.counter(f"trigger.{t.number}.{t.this}"))
    for r in m.routines.values():
        c = next((x for x in r.clauses if x.word == "once per"), None)
        if c is not None:
            elab.routines.once_actions[r.name] = elab.layout.counter(f"action.{r.name}")
            r.suspends = True
            reset(c, elab.routines.once_actions[r.name])
    for p in m.purses.values():
        for rule in p.extra:
            if clause(rule.decl, "once per"):
                reset(clause(rule.decl, "once per"), purses.source_counter(elab, p.name, rule))
