"""Expectations of a ruling: rows of values, answers, who is asked, what is known."""

from __future__ import annotations

from dsl import ir
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
from dsl.elaborate.cases import handed, items, positions
from dsl.elaborate.cases.answers import answer_text, read_answer, read_who, report_unknown_words
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.scope import ZoneRef
from dsl.elaborate.core.types import fits
from dsl.elaborate.expressions import actors, zones
from dsl.symbols.layout import pool_type
from dsl.symbols.symbols import PieceSym
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx


def read_expectation(elab: Elaboration, line: sx.Line, expect: list[ir.Expectation]) -> None:
    """A line under `expect`."""
    m = elab.model
    text = m.text(line.span)
    match line:
        case sx.Sentence(word="illegal" | "legal" as word, operands=operands):
            because = clause(line, "because")
            reason = because.args[0].value if because and isinstance(because.args[0], sx.Text) else ""
            by = clause(line, "by")
            who = read_who(elab, by.args[0]) if by and not isinstance(by.args[0], sx.Key) else ""
            answer = read_answer(elab, operands)
            expect.append(ir.Expectation(word, text, items=answer, reason=reason, who=who, span=line.span))
        case sx.Sentence(word="nothing asked"):
            expect.append(ir.Expectation("nothing", text, span=line.span))
        case sx.Sentence(word="asks", operands=(who_e,)) | sx.Row(key=sx.Name("asks"), cells=((who_e,),)):
            if who_e == sx.Name("none"):
                m.error("RW0907", line.span, "nobody is called `none`", "`nothing asked` says that nobody is asked")
                return
            expect.append(ir.Expectation("asks", text, who=read_who(elab, who_e), span=line.span))
        case sx.Sentence(word="known" | "hidden", operands=(what,)):
            read_knowledge(elab, line, what, text, expect)
        case sx.Row(key=sx.Name("options"), cells=cells):
            report_unknown_words(elab, [part for cell in cells for part in cell])
            options = tuple(" ".join(str(answer_text(elab, p)) for p in c) for c in cells)
            expect.append(ir.Expectation("options", text, items=options, span=line.span))
        case sx.Row(key=key) if (fact := handed.fact_named(elab, key)) is not None:
            handed.expect_fact(elab, line, fact, text, expect)
        case sx.Row(key=sx.Name("over"), cells=((sx.Name("true" | "false" as over),),)):
            expect.append(ir.Expectation("over" if over == "true" else "not over", text, span=line.span))
        case sx.Row():
            expect_value(elab, line, text, expect)
        case _:
            m.error(
                "RW0907",
                line.span,
                "`expect` holds rows `key: value`, `legal`, `illegal`, `asks`, `nothing asked`, `known`, `hidden`",
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
    seats = actors.seats_of(elab, who, scope, line.span)
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
            right = items.row_value(elab, row.cells, left.t, row.span)
            if right is not None:
                expect.append(ir.Expectation("value", text, left.e, ir.Const(right), left.t, span=row.span))
            return
    else:
        left = ref
    if left.t == ERROR:
        return
    t = left.t
    if isinstance(t, (SetType, ListType, MapType)):
        value = items.row_value(elab, row.cells, t, row.span) if not is_expression(row) else None
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
