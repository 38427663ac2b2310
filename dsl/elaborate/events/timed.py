"""Lines that hold for a while: `until end of F` (docs/manual/06-activity-and-scope.md).

A line becomes a record in the state with copies of the names it uses. Lines on values are read by their value;
triggers, checks and sources of purses have to be known to every event before the routine that makes them is read, so
they are gathered as `TimedRule`s and all is elaborated once more with them.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import ERROR
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.records import TimedRule
from dsl.elaborate.core.scope import Local, Scope
from dsl.elaborate.core.types import captured_types
from dsl.elaborate.events.reactions import YOU
from dsl.symbols.rule_lines import attach_rule, decl_of
from dsl.symbols.symbols import Model, RuleLine
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk


def attach_timed(model: Model, rules: tuple[TimedRule, ...]) -> dict[TimedRule, RuleLine]:
    """Attach the rules to what they react to or add to; their numbers as timed lines are 0, 1, ..."""
    made: dict[TimedRule, RuleLine] = {}
    for number, rule in enumerate(rules):
        decl = decl_of(rule.line)
        line = RuleLine(decl, rule.this, (), rule.address, timed=number, captured=rule.captured)
        attach_rule(model, rule.line, line)
        made[rule] = line
    return made


def timed_block(elab: Elaboration, node: sx.Section, scope: Scope, ctx: EmitContext) -> None:
    """`until end of F: modify ...`: each line holds until F ends."""
    m = elab.model
    frame = node.head.id if isinstance(node.head, sx.Name) else ""
    r = m.routines.get(frame)
    if r is None:
        m.unknown("RW0207", node.span, "routine", frame, list(m.routines))
        return
    for line in node.block:
        match line:
            case sx.Decl(word="modify" | "grant" | "deny"):
                timed_value(elab, line, r.procs, scope, ctx)
            case sx.Decl(word="before" | "after" | "instead of" | "source") | sx.Loop(word="always for every"):
                timed_rule(elab, line, r.procs, scope, ctx)
            case _:
                m.error(
                    "RW0806",
                    line.span,
                    "this cannot stand under `until end of`",
                    "`modify`, `grant`, `deny`, `before`, `after`, `instead of`, `source` and `always` can",
                )


def timed_value(elab: Elaboration, line: sx.Decl, procs: tuple[int, ...], scope: Scope, ctx: EmitContext) -> None:
    """A line on a value: the names that it uses are copied."""
    m = elab.model
    value = m.values.get(line.name)
    if value is None:
        m.unknown("RW0242", line.name_span, "value", line.name, list(m.values))
        return
    names = captured_names(line, pattern_names(line), scope)
    captured = tuple((n.name, n.type) for n in names)
    rule = RuleLine(line, ctx.routine.this, (), ctx.address, timed=len(elab.timed.lines), captured=captured)
    elab.timed.lines.append(rule)
    value.lines.append(rule)
    start_timed(rule, procs, names, line.span, ctx)


def timed_rule(
    elab: Elaboration, line: sx.Decl | sx.Loop, procs: tuple[int, ...], scope: Scope, ctx: EmitContext
) -> None:
    """A trigger, check or source: its names and the one who acts are copied."""
    names = [n for n in captured_names(line, pattern_names(line), scope) if n is not scope.you]
    captured = [(n.name, n.type) for n in names]
    if scope.you is not None:
        names.append(scope.you)
        captured.append((YOU, scope.you.type))
        if scope.find(scope.you.name) is scope.you and scope.you.name != YOU:
            names.append(scope.you)
            captured.append((scope.you.name, scope.you.type))
    rule = TimedRule(line, line.span, ctx.routine.this, ctx.address, tuple(captured))
    elab.timed.found[rule] = None
    known = elab.timed.rules.get(rule)
    if known is not None:
        start_timed(known, procs, names, line.span, ctx)


def start_timed(rule: RuleLine, procs: tuple[int, ...], names: list[Local], span: Span, ctx: EmitContext) -> None:
    """Emit the record that lets a line hold until the end of one of these procedures."""
    values = tuple(n.read for n in names)
    ctx.em.emit(ir.Timed(procs, rule.timed, values, span, captured_types(rule)))
    for n in names:
        n.used = True


def captured_names(node: sx.Node, pattern: set[str], scope: Scope) -> list[Local]:
    """Locals of the scope that a line uses: their values are copied."""
    names: dict[str, Local] = {}
    for n in walk(node):
        if isinstance(n, sx.Name) and n.id not in pattern:
            local = scope.find(n.id)
            if local is not None and local.type != ERROR:
                names[n.id] = local
            elif n.id == "you" and scope.you is not None:
                names["you"] = scope.you
    return list(names.values())


def pattern_names(line: sx.Decl | sx.Loop) -> set[str]:
    """The new names of a line's pattern."""
    if isinstance(line, sx.Loop):
        return {b.name for b in line.binders}
    args = line.head.args if isinstance(line.head, sx.Call) and line.word != "source" else ()
    return {a.value.id for a in args if isinstance(a.value, sx.Name)}
