"""Positions and rulings: what is given, then steps and expectations in their order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields
from typing import Any, TypeVar, get_args

from dsl import ir
from dsl.base.fields import field_getter
from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.elaborate.cases import positions
from dsl.elaborate.cases.expectations import read_expectation
from dsl.elaborate.cases.steps import read_step, what_there_is
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.scope import Body, Scope
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx

# lines that say for which overlays and options a case holds, and what has to be so of them
HOLDS = {"holds with": True, "holds without": False}
L = TypeVar("L", bound=sx.Line)
R = TypeVar("R", ir.Given, ir.RulingStep, ir.Expectation)
FIELDS: dict[Any, Any] = {
    cls: field_getter([f.name for f in fields(cls)]) for cls in (*get_args(ir.Given), ir.RulingStep, ir.Expectation)
}


@dataclass(slots=True)
class CaseBody:
    """What a position or ruling says: its rows, then stages, each with steps and what is expected after them."""

    seats: int = 0
    options: list[tuple[str, int]] = field(default_factory=list)
    given: list[ir.Given] = field(default_factory=list)
    stages: list[tuple[list[ir.RulingStep], list[ir.Expectation]]] = field(default_factory=list)

    def steps(self) -> list[ir.RulingStep]:
        """Where the next steps go: behind an expectation a stage begins."""
        if not self.stages or self.stages[-1][1]:
            self.stages.append(([], []))
        return self.stages[-1][0]

    def expect(self) -> list[ir.Expectation]:
        """Where the next expectations go."""
        if not self.stages:
            self.stages.append(([], []))
        return self.stages[-1][1]


def with_span(made: R, span: Span) -> R:
    """The same record with another place, which is its last field."""
    cls: Any = type(made)
    moved: R = cls(*FIELDS[cls](made)[:-1], span)
    return moved


def read_position(elab: Elaboration, d: sx.Decl) -> ir.Position:
    """A position as declared: its base, rows and steps."""
    base, _ = base_of(d)
    body = read_body(elab, d)
    steps = tuple(step for steps, _ in body.stages for step in steps)
    return ir.Position(
        d.name, d.text or "", base, body.seats, tuple(body.options), tuple(body.given), steps, span=d.span
    )


def read_ruling(elab: Elaboration, d: sx.Decl) -> ir.Ruling:
    """A ruling as declared: its base, rows, steps and expectations."""
    base, _ = base_of(d)
    body = read_body(elab, d)
    return ir.Ruling(
        d.name,
        d.text or "",
        d.cites,
        body.seats,
        tuple(body.options),
        tuple(body.given),
        tuple(ir.Stage(tuple(steps), tuple(expect)) for steps, expect in body.stages),
        d.span.file,
        d.span,
        elab.cases.scope.body.temps,
        base,
    )


def report_unknown_bases(elab: Elaboration) -> None:
    """Report positions and rulings based on a position that does not exist; all positions must be collected."""
    for d in (*elab.model.positions.values(), *elab.model.rulings.values()):
        base, span = base_of(d)
        row = elab.cases.rows.get(d.name)
        if row is not None and any(p.type == sx.Name("position") for p in row.of.params or ()):
            continue  # that was looked at as a value of the row
        if base and base not in elab.model.positions:
            positions = list(elab.model.positions)
            elab.model.unknown("RW0901", span, "position", base, positions, what_there_is(base, positions, positions))


def read_body(elab: Elaboration, d: sx.Decl) -> CaseBody:
    """The rows, steps and expectations of a position or ruling, in their order."""
    elab.cases.scope = Scope(Body(d.name), address=d.name)
    body, had_given = CaseBody(), False
    placed = positions.Placed()
    late: list[sx.Line] = []

    def given(line: sx.Line) -> None:
        if body.stages:
            late.append(line)
        elif isinstance(line, sx.Row):
            count = len(body.given)
            read_line(elab, "given", line, body.given, given_row)
            placed.report_again(elab, body.given[count:], line.span)
        elif isinstance(line, sx.Decl) and line.word == "option":
            positions.read_option_row(elab, line, body.options)
        else:
            elab.model.error("RW0902", line.span, "`given` holds rows `key: value`")

    def given_row(row: sx.Row, into: list[ir.Given]) -> None:
        body.seats = positions.read_given_row(elab, row, body.seats, body.options, into)

    def step(line: sx.Line, into: list[ir.RulingStep]) -> None:
        read_step(elab, line, into)

    def expectation(line: sx.Line, into: list[ir.Expectation]) -> None:
        read_expectation(elab, line, into)

    for line in d.block:
        match line:
            case sx.Row() | sx.Decl(word="option"):
                given(line)
            case sx.Section(word="given", block=block):
                if had_given or (line.name and d.word == "position"):
                    message = f"a {d.word} begins once" if had_given else "a position continues another with `from`"
                    elab.model.error("RW0911", line.span, message, "it has one `given`, which stands first")
                    continue
                had_given = True
                for inner in block:
                    given(inner)
            case sx.Section(word="when", block=block):
                for inner in block:
                    read_line(elab, "when", inner, body.steps(), step)
            case sx.Section(word="expect", block=block) if d.word == "ruling":
                for inner in block:
                    read_line(elab, "expect", inner, body.expect(), expectation)
            case sx.Sentence(word=word) if word in HOLDS:
                pass  # read before, with what holds elsewhere only
            case _:
                parts = "`given`, `when` and `expect`" if d.word == "ruling" else "`given` and `when`"
                elab.model.error("RW0903", line.span, f"this does not belong in a {d.word}", f"it has rows, {parts}")
    if late:
        message = "what is given stands behind `when` or `expect`, and holds from the beginning"
        if more := len(late) - 1:
            message += f"; so do {more} rows after it" if more > 1 else "; so does the row after it"
        elab.model.error("RW0911", late[0].span, message, "put it first; another position is another ruling")
    return body


def read_line(elab: Elaboration, where: str, line: L, into: list[R], read: Callable[[L, list[R]], None]) -> None:
    """Add to `into` what `read` makes of a line. Many lines come again: one that was read without a message adds the
    same at its own place. One with a search is read each time, as it takes variables of its ruling and keeps places
    inside the line."""
    if elab.cases.repeated_lines is None:
        read(line, into)
        return
    text = elab.model.sources[line.span.file].text[line.span.start : line.span.end]
    key = where, text, line if elab.cases.patched or elab.cases.values else None
    if (earlier := elab.cases.repeated_lines.get(key)) is not None:
        into += [with_span(made, line.span) for made in earlier]
        return
    count, temps, messages = len(into), elab.cases.scope.body.temps, len(elab.model.diagnostics)
    read(line, into)
    if (elab.cases.scope.body.temps, len(elab.model.diagnostics)) == (temps, messages) and len(into) > count:
        elab.cases.repeated_lines[key] = into[count:]


def base_of(d: sx.Decl) -> tuple[str, Span]:
    """The name of the position that a position or ruling is based on, and where that stands; empty for the zeroed
    store."""
    if d.word == "position":
        c = clause(d, "from")
        return (c.args[0].id, c.span) if c is not None and isinstance(c.args[0], sx.Name) else ("", d.span)
    section = next((x for x in d.block if isinstance(x, sx.Section) and x.word == "given"), None)
    return (section.name or "", section.span) if section else ("", d.span)
