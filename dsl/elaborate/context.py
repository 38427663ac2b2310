"""The context of the walk over the trees: the declared symbols, what is made and noted so far, and the tables of
handlers.

All functions of the elaborator take an `Elaboration` first. It imports no handler: what stands for a node or a word is
looked up in its tables, which `dsl.elaborate.elaborator` gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.types import BOOL, INT, ErrorType, IntType, SetType, Type
from dsl.elaborate.core.build import BAD
from dsl.elaborate.core.emit import EmitContext, Emitter
from dsl.elaborate.core.late_demands import LateDemands
from dsl.elaborate.core.reads import SymbolReads
from dsl.elaborate.core.records import (
    CaseReading,
    CheckProc,
    Findings,
    Memo,
    Output,
    RoutineNotes,
    TimedLines,
    TimedRule,
    ValueReads,
)
from dsl.elaborate.core.scope import Body, Scope, Val, ZoneRef
from dsl.elaborate.core.suspension import Suspension
from dsl.elaborate.core.types import need
from dsl.program import Limits
from dsl.symbols.call_graph import mentions
from dsl.symbols.constants import Constants
from dsl.symbols.copies import copies_by_name, with_copies
from dsl.symbols.layout import Layout
from dsl.symbols.symbols import KindSym, Model, RoutineSym, RuleLine
from dsl.syntax import nodes as sx

# A handler takes a node of the class (or with the word) under which it stands in its table.
Expression = Callable[["Elaboration", Any, Scope, Type | None], Val | ZoneRef]
Line = Callable[["Elaboration", Any, Scope, EmitContext], None]
Setup = Callable[[Scope], None]
Guards = tuple[tuple[ir.Guard, ...], bool]


@dataclass(frozen=True, slots=True)
class HandlerTables:
    """The handlers. Of lines that begin with a word (sentences, sections, loops, choices) there is a table by word."""

    expressions: Mapping[type, Expression]
    no_value: Expression  # for nodes that are no expressions
    zone: Callable[[Elaboration, sx.Expr, ZoneRef, Scope], Val]  # reads a zone
    lines: Mapping[type, Line]
    no_line: Line  # for nodes that are no lines of a body
    sentences: Mapping[str, Line]
    sections: Mapping[str, Line]
    loops: Mapping[str, Line]
    choices: Mapping[str, Line]
    routine: Callable[[Elaboration, RoutineSym, Setup | None, RuleLine | None], None]
    guards: Callable[[Elaboration, RoutineSym, Scope, int, bool], Guards]  # of an action that is ordered
    can_begin: Callable[[Elaboration, sx.Expr, RoutineSym, Scope], ir.Expr]  # whether something of a strip can be done


class Elaboration:
    """One elaboration of a ruleset; the parts that are made gather in `out`, diagnostics in the model."""

    def __init__(
        self,
        model: Model,
        layout: Layout,
        limits: Limits,
        seats: tuple[int, int],
        records: Callable[[KindSym, dict[str, Type]], dict[str, dict[str, Any]]],
        locale: dict[str, dict[str, str]],
        timed: dict[TimedRule, RuleLine],
        tables: HandlerTables,
    ) -> None:
        self.model = model
        self.layout = layout
        self.limits = limits
        self.seats = seats
        self.tables = tables
        values = len(model.values)
        functions: list[ir.Function | None] = [None] * (values + len(model.purses))
        self.out = Output(functions, values, [None] * len(model.purses), len(model.routines) + 1)
        self.reading = SymbolReads(functions)
        self.findings = Findings()
        self.memo = Memo()
        self.late_demands = LateDemands(model)
        self.timed = TimedLines(timed, list(timed.values()))
        copies = copies_by_name(model)
        self.locale = {lang: with_copies(texts, copies) for lang, texts in locale.items()} if copies else locale
        self.constants = Constants(model, records)
        self.constants.run()
        self.suspension = Suspension(model)
        self.values = ValueReads({v.fn: v.name for v in model.values.values()})
        self.checks = CheckProc()
        self.routines = RoutineNotes({r.name for r in model.routines.values() if mentions(model, r.block).resolves})
        for name in self.routines.resolvers:
            model.routines[name].suspends = True
        self.cases = CaseReading()

    # ------------------------------------------------------------ by the tables

    def ref(self, node: sx.Expr, scope: Scope, want: Type | None = None) -> Val | ZoneRef:
        """A value, or a zone that has not been read."""
        found = self.before_brackets(node, scope, want)
        if isinstance(found, ZoneRef) and found.zone.key and found.member is None:
            text = self.model.text(node.span)
            self.model.error(
                "RW0236",
                node.span,
                f"there is a `{found.zone.name}` for each {found.zone.key}, and this does not say which is meant",
                f"write `{text}[...]`; `sum(x in {found.zone.key}: size({text}[x]))` is about all of them",
            )
            return BAD
        return found

    def before_brackets(self, node: sx.Expr, scope: Scope, want: Type | None = None) -> Val | ZoneRef:
        """What `ref` gives, but zones by member may stand there of which none is chosen yet."""
        return self.tables.expressions.get(type(node), self.tables.no_value)(self, node, scope, want)

    def expr(self, node: sx.Expr, scope: Scope, want: Type | None = None) -> Val:
        """The value of a node; `want`, the type that is needed, decides where a name may mean members of several
        domains."""
        found = self.ref(node, scope, want)
        val = self.tables.zone(self, node, found, scope) if isinstance(found, ZoneRef) else found
        if (
            want is not None
            and isinstance(want, SetType)
            and isinstance(val.t, SetType)
            and isinstance(val.t.elem, ErrorType)
        ):
            return Val(val.e, want)
        return val

    def number(self, node: sx.Expr, scope: Scope) -> Val:
        """A number, with a message if the node is of another type."""
        return need(self.model, self.expr(node, scope), INT, node.span)

    def test(self, node: sx.Expr, scope: Scope) -> ir.Expr:
        """A condition. A bare predicate name after `while` is applied to `this` by the caller."""
        v = self.expr(node, scope, BOOL)
        is_bit = isinstance(v.t, IntType) and (v.t.low, v.t.high) == (0, 1)
        e = v.e if is_bit else need(self.model, v, BOOL, node.span).e
        self.findings.tests[id(e)] = (node.span, e)
        for item in e.items if isinstance(e, ir.And) else ():  # the conjunction may be taken apart
            self.findings.tests.setdefault(id(item), (node.span, item))
        return e

    def line(self, line: sx.Line, scope: Scope, ctx: EmitContext) -> None:
        """One line of a body, with a note of what it cites."""
        if line.span and isinstance(line, (sx.Sentence, sx.Choose, sx.Loop, sx.If, sx.Let, sx.Section)) and line.cites:
            cites = self.model.cites
            cites.setdefault(ctx.address, []).extend(c for c in line.cites if c not in cites.get(ctx.address, ()))
            if not isinstance(line, (sx.Choose, sx.Section)):
                ctx.em.emit(ir.Note(f"{ctx.address}.{ctx.step}" if ctx.step else ctx.address, line.cites))
        self.tables.lines.get(type(line), self.tables.no_line)(self, line, scope, ctx)

    def compile_routine(
        self,
        r: RoutineSym,
        setup: Setup | None = None,
        line: RuleLine | None = None,
    ) -> None:
        """Make the procedure of `r`, at once: the numbers of procedures depend on the order."""
        self.tables.routine(self, r, setup, line)

    def action_guards(self, r: RoutineSym, scope: Scope, waive: int = 0, outside_orders: bool = False) -> Guards:
        """Guards of an option that orders the action `r`, and whether the rest must be tried."""
        return self.tables.guards(self, r, scope, waive, outside_orders)

    # ------------------------------------------------------------ what is made and noted

    def add_function(
        self, name: str, params: list[tuple[str, Type]], body: Body, result: Type, e: ir.Expr, span: Span
    ) -> int:
        """Add a function without a name of its own."""
        self.out.functions.append(ir.Function(name, tuple(params), body.temps, result, e, (), span))
        return len(self.out.functions) - 1

    def add_framed(self, number: int, proc: ir.Proc, body: Body, em: Emitter, epilogue: int) -> None:
        """Add a procedure that may suspend: `proc`, with the instructions of `em` at their places. Leaving begins at
        the label `epilogue`. Each is added once: instructions of an earlier one would belong to nothing."""
        assert number not in self.out.procs, f"the procedure {proc.name} is made twice"
        entry = len(self.out.code)
        instrs, at = em.link(entry)
        self.out.code.extend(instrs)
        self.out.procs[number] = replace(
            proc, temps=body.temps, entry=entry, epilogue=at[epilogue], frame_words=body.words
        )

    def new_routine_number(self) -> int:
        """The number of a procedure that is to be made; each is given once."""
        self.out.next_proc += 1
        return self.out.next_proc - 1

    def suspends_block(self, block: tuple[sx.Line, ...]) -> bool:
        """Whether a line of the block may suspend."""
        return self.suspension.block_suspends(block)

    def note_value_read(self, name: str, span: Span) -> None:
        """Note that the current value reads this one, for the check that none depends on itself."""
        if self.values.current:
            self.values.reads.setdefault(self.values.current, {}).setdefault(name, span)
