"""The steps of positions and rulings, which stand under `when`: what is called, what is answered, what chance gives."""

from __future__ import annotations

from dsl import ir
from dsl.base.spelling import nearest
from dsl.base.types import ERROR
from dsl.elaborate.cases.answers import read_answer, read_who
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ZERO
from dsl.elaborate.core.types import fits
from dsl.elaborate.expressions import actors
from dsl.elaborate.statements import do
from dsl.symbols.symbols import RoutineSym
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx

MOST_SHOWN = 12  # names in a help
ACTED = ("effect", "icon")  # words of routines that somebody does, who is no parameter of theirs


def what_there_is(name: str, known: list[str], shown: list[str], what: str = "positions") -> str | None:
    """The help for an unknown name to which none is near: the names there are, as far as they fit."""
    if not shown or nearest(name, known):
        return None
    more = f" and {len(shown) - MOST_SHOWN} more" if len(shown) > MOST_SHOWN else ""
    return f"the {what} are {', '.join(f'`{each}`' for each in shown[:MOST_SHOWN])}{more}"


def read_step(elab: Elaboration, line: sx.Line, steps: list[ir.RulingStep]) -> None:
    """A line under `when`."""
    m = elab.model
    match line:
        case sx.Answer(who=who, word="gives", items=items):
            steps.append(ir.RulingStep("chance", items=read_answer(elab, items), span=line.span))
        case sx.Answer(who=who, items=items):
            answer = read_answer(elab, items)
            steps.append(ir.RulingStep("answer", who=read_who(elab, who), items=answer, span=line.span))
        case sx.Sentence(word="do", operands=(call,)):
            read_do_step(elab, line, call, steps)
        case _:
            m.error("RW0906", line.span, "`when` holds `do ROUTINE(...)`, `WHO chooses ...` and `chance gives ...`")


def read_do_step(elab: Elaboration, line: sx.Sentence, call: sx.Expr, steps: list[ir.RulingStep]) -> None:
    """`do ROUTINE(...)` or `do CARD.effect(...)` under `when`; effects and icons are done `by` somebody."""
    target, args = (call.func, call.args) if isinstance(call, sx.Call) else (call, ())
    found = effect_named(elab, target) if isinstance(target, sx.Attr) else routine_named(elab, target)
    if found is None or not has_fitting_clauses(elab, line, found):
        return
    found.used = True
    values = do.arguments(elab, found, args, call.span, elab.cases.scope)
    if values is not None and found.word in ACTED:
        actor = actor_of(elab, line, found)
        values = None if actor is None else [*values, actor]
    if values is not None:
        steps.append(ir.RulingStep("do", found.proc, tuple(values), span=line.span))


def effect_named(elab: Elaboration, target: sx.Attr) -> RoutineSym | None:
    """The effect of a card, `CARD.effect`; None after a message."""
    m = elab.model
    card = elab.expr(target.base, elab.cases.scope)
    if card.t == ERROR:
        return None
    effect = m.effects.get(card.e.value) if target.name == "effect" and isinstance(card.e, ir.Const) else None
    if effect is None:
        m.error("RW0616", target.span, f"`{m.text(target.base.span)}` has no {target.name}")
    return effect


def routine_named(elab: Elaboration, target: sx.Expr) -> RoutineSym | None:
    """The routine of this name; None after a message."""
    m = elab.model
    name = target.id if isinstance(target, sx.Name) else ""
    found = m.routines.get(name)
    if found is None:
        known = [x.name for x in m.routines.values() if "#" not in x.name]
        phases = [x.name for x in m.routines.values() if x.word == "phase"]
        help = what_there_is(name, known, phases, "phases")
        m.unknown("RW0207", target.span, "routine", name or m.text(target.span), known, help)
    return found


def has_fitting_clauses(elab: Elaboration, line: sx.Sentence, r: RoutineSym) -> bool:
    """Whether a `do` says nothing behind its call but who does it, where that is no parameter; else a message."""
    allowed = ("by",) if r.word in ACTED else ()
    wrong = next((c for c in line.clauses if c.word not in allowed), None)
    if wrong is None:
        return True
    help = None
    if wrong.word == "by" and r.params:
        help = f"its parameters say who: {', '.join(f'{name}: {t}' for name, t in r.params)}"
    word = "let" if wrong.word == "giving" else wrong.word
    elab.model.error("RW0906", wrong.span, f"`{r.address}` is called without `{word}`", help)
    return False


def actor_of(elab: Elaboration, line: sx.Sentence, r: RoutineSym) -> ir.Expr | None:
    """Who does an effect or icon; nobody where its text needs nobody. None after a message."""
    m = elab.model
    by = clause(line, "by")
    wanted = elab.routines.effect_you.get(r.proc, m.kinds["Seat"].type)
    if by is None or isinstance(by.args[0], sx.Key):
        if r.proc not in elab.routines.acting:
            return ZERO
        help = f"write `{m.text(line.span)} by WHO`, a `{wanted}`"
        m.error("RW0906", line.span, f"who does `{r.address}`? its text says `you`, or means whoever acts", help)
        return None
    actor = actors.actor(elab, by.args[0], elab.cases.scope, line.span)
    if actor is not None and not fits(m, actor.t, wanted):
        m.error("RW0402", by.span, f"`{m.text(by.args[0].span)}` is `{actor.t}`, and a `{wanted}` does `{r.address}`")
        return None
    return actor.e if actor is not None else None
