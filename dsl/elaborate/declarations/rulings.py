"""Positions and rulings: what is given, steps, expectations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar, get_args

from dsl import ir
from dsl.base.fields import field_getter
from dsl.base.span import Span
from dsl.base.types import (
    BOOL,
    ERROR,
    INT,
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    NoneType,
    SetType,
    bounds,
    key_count,
)
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ZERO
from dsl.elaborate.core.scope import Body, Scope, ZoneRef
from dsl.elaborate.core.types import fits
from dsl.elaborate.declarations import positions
from dsl.elaborate.expressions import actors, calls, zones
from dsl.elaborate.statements import do
from dsl.symbols.layout import pool_type
from dsl.symbols.symbols import PieceSym, flat_id
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx

L = TypeVar("L", bound=sx.Line)
R = TypeVar("R", ir.Given, ir.RulingStep, ir.Expectation)
FIELDS: dict[Any, Any] = {
    cls: field_getter([f.name for f in fields(cls)]) for cls in (*get_args(ir.Given), ir.RulingStep, ir.Expectation)
}


def with_span(made: R, span: Span) -> R:
    """The same record with another place, which is its last field."""
    cls: Any = type(made)
    moved: R = cls(*FIELDS[cls](made)[:-1], span)
    return moved


def read_position(elab: Elaboration, d: sx.Decl) -> ir.Position:
    """A position as declared: its base, rows and steps."""
    base, _ = base_of(d)
    seats, options, given, steps, _ = read_body(elab, d)
    return ir.Position(d.name, d.text or "", base, seats, tuple(options), tuple(given), tuple(steps), d.span)


def read_ruling(elab: Elaboration, d: sx.Decl) -> ir.Ruling:
    """A ruling as declared: its base, rows, steps and expectations."""
    base, _ = base_of(d)
    seats, options, given, steps, expect = read_body(elab, d)
    return ir.Ruling(
        d.name,
        d.text or "",
        d.cites,
        seats,
        tuple(options),
        tuple(given),
        tuple(steps),
        tuple(expect),
        d.span.file,
        d.span,
        elab.cases.scope.body.temps,
        base,
    )


def report_unknown_bases(elab: Elaboration) -> None:
    """Report positions and rulings based on a position that does not exist; all positions must be collected."""
    for d in (*elab.model.positions.values(), *elab.model.rulings.values()):
        base, span = base_of(d)
        if base and base not in elab.model.positions:
            elab.model.unknown("RW0901", span, "position", base, list(elab.model.positions))


def read_body(
    elab: Elaboration, d: sx.Decl
) -> tuple[int, list[tuple[str, int]], list[ir.Given], list[ir.RulingStep], list[ir.Expectation]]:
    """Seats, options, rows, steps and expectations of a position or ruling."""
    elab.cases.scope = Scope(Body(d.name), address=d.name)
    seats = 0
    options: list[tuple[str, int]] = []
    given: list[ir.Given] = []
    steps: list[ir.RulingStep] = []
    expect: list[ir.Expectation] = []

    def given_row(row: sx.Row, given: list[ir.Given]) -> None:
        nonlocal seats
        seats = positions.read_given_row(elab, row, seats, options, given)

    for line in d.block:
        match line:
            case sx.Row():
                read_line(elab, "given", line, given, given_row)
            case sx.Decl(word="option"):
                positions.read_option_row(elab, line, options)
            case sx.Section(word="given", block=block):
                for inner in block:
                    if isinstance(inner, sx.Row):
                        read_line(elab, "given", inner, given, given_row)
                    elif isinstance(inner, sx.Decl) and inner.word == "option":
                        positions.read_option_row(elab, inner, options)
                    else:
                        elab.model.error("RW0902", inner.span, "`given` holds rows `key: value`")
            case sx.Section(word="when", block=block):
                for inner in block:
                    read_line(elab, "when", inner, steps, lambda line, into: read_step(elab, line, into))
            case sx.Section(word="expect", block=block):
                for inner in block:
                    read_line(elab, "expect", inner, expect, lambda line, into: read_expectation(elab, line, into))
            case _:
                elab.model.error(
                    "RW0903",
                    line.span,
                    f"this does not belong in a {d.word}",
                    "it has rows, `given`, `when` and `expect`",
                )
    return seats, options, given, steps, expect


def read_line(elab: Elaboration, where: str, line: L, into: list[R], read: Callable[[L, list[R]], None]) -> None:
    """Add to `into` what `read` makes of a line. Many lines come again: one that was read without a message adds the
    same at its own place. One with a search is read each time, as it takes variables of its ruling and keeps places
    inside the line."""
    if elab.cases.repeated_lines is None:
        read(line, into)
        return
    text = elab.model.sources[line.span.file].text[line.span.start : line.span.end]
    key = where, text, line if elab.cases.patched else None
    if (earlier := elab.cases.repeated_lines.get(key)) is not None:
        into += [with_span(made, line.span) for made in earlier]
        return
    count, temps, messages = len(into), elab.cases.scope.body.temps, len(elab.model.diagnostics)
    read(line, into)
    if (elab.cases.scope.body.temps, len(elab.model.diagnostics)) == (temps, messages) and len(into) > count:
        elab.cases.repeated_lines[key] = into[count:]


# ------------------------------------------------------------ when


def read_step(elab: Elaboration, line: sx.Line, steps: list[ir.RulingStep]) -> None:
    """A line under `when`."""
    m = elab.model
    match line:
        case sx.Answer(who=who, word="gives", items=items):
            steps.append(ir.RulingStep("chance", items=tuple(answer_text(elab, i) for i in items), span=line.span))
        case sx.Answer(who=who, items=items):
            steps.append(
                ir.RulingStep(
                    "answer",
                    who=answer_text(elab, who),
                    items=tuple(answer_text(elab, i) for i in items),
                    span=line.span,
                )
            )
        case sx.Sentence(word="do", operands=(call,)):
            read_do_step(elab, line, call, steps)
        case _:
            m.error("RW0906", line.span, "`when` holds `do ROUTINE(...)`, `WHO chooses ...` and `chance gives ...`")


def read_do_step(elab: Elaboration, line: sx.Sentence, call: sx.Expr, steps: list[ir.RulingStep]) -> None:
    """`do F(...)` under `when`."""
    m = elab.model
    scope = elab.cases.scope
    target, args = (call.func, call.args) if isinstance(call, sx.Call) else (call, ())
    if isinstance(target, sx.Attr) and target.name == "effect":
        card = elab.expr(target.base, scope)
        by = clause(line, "by")
        actor = actors.actor(elab, by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, line.span)
        if isinstance(card.e, ir.Const) and card.e.value in m.effects:
            r = m.effects[card.e.value]
            do.note_effect_actor(elab, r, actor, line.span)
            given = tuple(calls.argument(elab, a.value, t, scope).e for a, (_, t) in zip(args, r.params, strict=False))
            steps.append(ir.RulingStep("do", r.proc, (*given, actor.e if actor else ZERO), span=line.span))
        elif card.t != ERROR:
            m.error("RW0616", line.span, f"`{m.text(target.base.span)}` has no effect")
        return
    name = target.id if isinstance(target, sx.Name) else ""
    found = m.routines.get(name)
    if found is None:
        m.unknown(
            "RW0207",
            target.span,
            "routine",
            name or m.text(target.span),
            [x.name for x in m.routines.values() if "#" not in x.name],
        )
        return
    found.used = True
    values = do.arguments(elab, found, args, call.span, scope)
    if values is not None:
        steps.append(ir.RulingStep("do", found.proc, tuple(values), span=line.span))


def answer_text(elab: Elaboration, e: sx.Expr) -> Any:
    """An answer as it is written: ids and numbers as texts; a pair or a call as its words."""
    match e:
        case sx.Amount(count, what):
            return f"{answer_text(elab, count)} {answer_text(elab, what)}"
        case sx.Call(func, args):
            return " ".join([str(answer_text(elab, func)), *(str(answer_text(elab, a.value)) for a in args)])
        case sx.SetLit(items):
            return " ".join(str(answer_text(elab, i)) for i in items)
        case sx.Unary("-", sx.Num(n)):
            return str(-n)
    return main_id(elab, flat_id(e) or elab.model.text(e.span))


def main_id(elab: Elaboration, id_: str) -> str:
    """The id that an alias stands for."""
    for domain, value in elab.model.members.get(id_, ()):
        info = elab.model.domains[domain]
        if id_ in info.aliases:
            return info.ids[info.values.index(value)]
    return id_


# ------------------------------------------------------------ expect


def read_expectation(elab: Elaboration, line: sx.Line, expect: list[ir.Expectation]) -> None:
    """A line under `expect`."""
    m = elab.model
    text = m.text(line.span)
    match line:
        case sx.Sentence(word="illegal" | "legal" as word, operands=operands):
            because = clause(line, "because")
            reason = because.args[0].value if because and isinstance(because.args[0], sx.Text) else ""
            by = clause(line, "by")
            who = str(answer_text(elab, by.args[0])) if by and not isinstance(by.args[0], sx.Key) else ""
            expect.append(
                ir.Expectation(
                    word,
                    text,
                    items=tuple(answer_text(elab, o) for o in operands),
                    reason=reason,
                    who=who,
                    span=line.span,
                )
            )
        case sx.Sentence(word="asks", operands=(who_e,)):
            expect.append(ir.Expectation("asks", text, who=str(answer_text(elab, who_e)), span=line.span))
        case sx.Sentence(word="known" | "hidden", operands=(what,)):
            read_knowledge(elab, line, what, text, expect)
        case sx.Row(key=sx.Name("options"), cells=cells):
            items = tuple(" ".join(str(answer_text(elab, p)) for p in c) for c in cells)
            expect.append(ir.Expectation("options", text, items=items, span=line.span))
        case sx.Row(key=sx.Name("asks"), cells=((who_cell,),)):
            expect.append(ir.Expectation("asks", text, who=str(answer_text(elab, who_cell)), span=line.span))
        case sx.Row(key=sx.Name("over")):
            expect.append(ir.Expectation("over", text, span=line.span))
        case sx.Row():
            expect_value(elab, line, text, expect)
        case _:
            m.error(
                "RW0907",
                line.span,
                "`expect` holds rows `key: value`, `legal`, `illegal`, `asks`, `known`, `hidden`",
            )


def read_knowledge(
    elab: Elaboration, line: sx.Sentence, what: sx.Expr, text: str, expect: list[ir.Expectation]
) -> None:
    """`known X to WHO`: these seats can tell where a thing is, or see all that an expression reads."""
    scope = elab.cases.scope
    found = elab.ref(what, scope)
    if isinstance(found, ZoneRef):
        found = zones.read_zone(elab, found)
    to = clause(line, "to")
    if found.t == ERROR or to is None or isinstance(to.args[0], sx.Key):
        return
    who = elab.expr(to.args[0], scope)
    seats = who.e if isinstance(who.t, SetType) else ir.MakeSet((actors.seat_of(elab, who, line.span),))
    expect.append(ir.Expectation(line.word, text, found.e, seats, found.t, span=line.span))


def names_faces(row: sx.Row, piece: PieceSym) -> bool:
    """Whether a cell of the row is a face of the piece."""
    return any(isinstance(p, sx.Name) and p.id and p.id in piece.faces for cell in row.cells for p in cell)


def expect_faces(
    elab: Elaboration, row: sx.Row, z: ZoneRef, piece: PieceSym, text: str, expect: list[ir.Expectation]
) -> None:
    """A row with faces in its cells states all that is there, face by face, as it does in a position."""
    wanted = positions.pieces_of(elab, row, z, piece)
    if wanted is None:
        return
    if z.zone.cap == 1:
        code = ir.Cell(zones.zone_address(z, pool_type(z.zone)), INT, z.zone.symbol)
        held = ir.Compare("==", code, ir.Const(next((k + 1 for k, v in wanted.items() if v), 0)))
        expect.append(ir.Expectation("value", text, held, ir.Const(1), BOOL, span=row.span))
        return
    cells, open_cells = key_count(piece.index), key_count(piece.index[len(z.index) :])
    first = positions.index_offset(z, piece, [bounds(k)[0] for k in piece.index]) * open_cells
    for f in range(len(piece.faces)) if z.face is None else (z.face,):
        left = zones.read_zone(elab, z.of(z.index, f))
        counts = tuple(wanted.get(f * cells + at, 0) for at in range(first, first + open_cells))
        right = ir.Const(counts if isinstance(left.t, MapType) else sum(counts))
        expect.append(ir.Expectation("value", f"{text} ({piece.faces[f]})", left.e, right, left.t, span=row.span))


def expect_value(elab: Elaboration, row: sx.Row, text: str, expect: list[ir.Expectation]) -> None:
    """A row `key: value`: the value that a field, zone or expression should have."""
    m = elab.model
    scope = elab.cases.scope
    ref = elab.ref(row.key, scope)
    if isinstance(ref, ZoneRef):
        if ref.zone.piece is not None and names_faces(row, ref.zone.piece):
            expect_faces(elab, row, ref, ref.zone.piece, text, expect)
            return
        left = zones.read_zone(elab, ref)
        if ref.zone.piece is not None and isinstance(left.t, MapType):
            right = elab.constants.cells(row.cells, left.t, row.span)
            if right is not None:
                expect.append(ir.Expectation("value", text, left.e, ir.Const(right), left.t, span=row.span))
            return
        if ref.zone.kind is not None and isinstance(left.t, (SetType, ListType)):
            right = elab.constants.cells(row.cells, left.t, row.span)
            if right is not None:
                expect.append(ir.Expectation("value", text, left.e, ir.Const(right), left.t, span=row.span))
            return
    else:
        left = ref
    if left.t == ERROR:
        return
    t = left.t
    if isinstance(t, (SetType, ListType, MapType)):
        value = elab.constants.cells(row.cells, t, row.span) if not is_expression(row) else None
        if value is not None:
            expect.append(ir.Expectation("value", text, left.e, ir.Const(value), t, span=row.span))
            return
    if len(row.cells) != 1 or len(row.cells[0]) != 1:
        m.error("RW0908", row.span, f"`{m.text(row.key.span)}` is one `{t}`; one value is needed after the colon")
        return
    if isinstance(t, MemberType):
        t = MemberType(t.domain, t.low, t.high, True)
    node = row.cells[0][0]
    right = elab.expr(node, scope, t)
    if isinstance(t, IntType) and (t.low, t.high) == (0, 1) and isinstance(right.t, BoolType):
        t = BOOL
    elif isinstance(t, IntType) and isinstance(right.t, NoneType):
        pass
    elif not fits(m, right.t, t):
        m.error("RW0402", node.span, f"`{m.text(node.span)}` is `{right.t}`, and `{m.text(row.key.span)}` is `{t}`")
        return
    expect.append(ir.Expectation("value", text, left.e, right.e, t, span=row.span))


def is_expression(row: sx.Row) -> bool:
    """Whether the value of a row is an expression, not a list of members."""
    return (
        len(row.cells) == 1
        and len(row.cells[0]) == 1
        and isinstance(row.cells[0][0], (sx.Call, sx.Fold, sx.SetLit, sx.Binary))
    )


def base_of(d: sx.Decl) -> tuple[str, Span]:
    """The name of the position that a position or ruling is based on, and where that stands; empty for the zeroed
    store."""
    if d.word == "position":
        c = clause(d, "from")
        return (c.args[0].id, c.span) if c is not None and isinstance(c.args[0], sx.Name) else ("", d.span)
    section = next((x for x in d.block if isinstance(x, sx.Section) and x.word == "given"), None)
    return (section.name or "", section.span) if section else ("", d.span)
