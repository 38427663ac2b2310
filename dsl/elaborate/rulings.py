"""Positions and rulings: rows to raw changes of the store, steps, expectations."""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl import syntax as sx
from dsl.constants import Constants
from dsl.elaborate.base import ZERO
from dsl.elaborate.moments import Moments
from dsl.elaborate.names import flat_id
from dsl.elaborate.scope import Body, Scope, Val, ZoneRef
from dsl.layout import pool_keys, pool_type
from dsl.model import OptionSym, PieceSym
from dsl.shapes import clause
from dsl.span import Span
from dsl.types import (
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
    Type,
    bounds,
    key_count,
)


class Rulings(Moments):
    constants: Constants

    def position(self, d: sx.Decl) -> ir.Position:
        base, _ = base_of(d)
        seats, options, given, steps, _ = self.body_of(d)
        return ir.Position(d.name, d.text or "", base, seats, tuple(options), tuple(given), tuple(steps), d.span)

    def ruling(self, d: sx.Decl) -> ir.Ruling:
        base, _ = base_of(d)
        seats, options, given, steps, expect = self.body_of(d)
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
            self.ruling_scope.body.temps,
            base,
        )

    def unknown_bases(self) -> None:
        """Positions and rulings that are put on a position which is nowhere; all have to be there."""
        for d in (*self.m.positions.values(), *self.m.rulings.values()):
            base, span = base_of(d)
            if base and base not in self.m.positions:
                self.m.unknown("RW0901", span, "position", base, list(self.m.positions))

    def body_of(
        self, d: sx.Decl
    ) -> tuple[int, list[tuple[str, int]], list[ir.Given], list[ir.RulingStep], list[ir.Expectation]]:
        self.ruling_scope = Scope(Body(d.name), address=d.name)
        seats = 0
        options: list[tuple[str, int]] = []
        given: list[ir.Given] = []
        steps: list[ir.RulingStep] = []
        expect: list[ir.Expectation] = []
        for line in d.block:
            match line:
                case sx.Row():
                    seats = self.given_row(line, seats, options, given)
                case sx.Decl(word="option"):
                    self.option_row(line, options)
                case sx.Section(word="given", block=block):
                    for inner in block:
                        if isinstance(inner, sx.Row):
                            seats = self.given_row(inner, seats, options, given)
                        elif isinstance(inner, sx.Decl) and inner.word == "option":
                            self.option_row(inner, options)
                        else:
                            self.m.error("RW0902", inner.span, "`given` holds rows `key: value`")
                case sx.Section(word="when", block=block):
                    for inner in block:
                        self.step(inner, steps)
                case sx.Section(word="expect", block=block):
                    for inner in block:
                        self.expectation(inner, expect)
                case _:
                    self.m.error(
                        "RW0903",
                        line.span,
                        f"this does not belong into a {d.word}",
                        "it has rows, `given`, `when` and `expect`",
                    )
        return seats, options, given, steps, expect

    # ------------------------------------------------------------ given

    def option_row(self, d: sx.Decl, options: list[tuple[str, int]]) -> None:
        """`option NAME: answer`."""
        o = self.m.options.get(d.name)
        if o is None:
            self.m.unknown("RW0909", d.name_span, "option", d.name, list(self.m.options))
            return
        given = d.items[0] if d.items else d.type
        value = self.constants.one(given, o.type) if given is not None else None
        if given is not None and value is not None and self.answers(o, value, given.span):
            options.append((d.name, value))

    def answers(self, o: OptionSym, value: int, span: Span) -> bool:
        """Whether a number is one of the answers of an option; the numbers between them are not."""
        domain = self.m.domains.get(o.name)
        if domain is None or value in domain.values:
            return True
        self.m.unknown("RW0281", span, f"answer of the option `{o.name}`", str(value), list(domain.ids))
        return False

    def given_row(self, row: sx.Row, seats: int, options: list[tuple[str, int]], given: list[ir.Given]) -> int:
        m = self.m
        match row.key:
            case sx.Name("seats"):
                n = self.collector.constant(row.cells[0][0]) if row.cells else None
                if n is None or not self.seats_range[0] <= n <= self.seats_range[1]:
                    m.error("RW0904", row.span, f"`seats` takes {self.seats_range[0]}..{self.seats_range[1]}")
                    return seats
                return n
            case sx.Name(id) if id in m.options:
                o = m.options[id]
                value = self.constants.cells(row.cells, o.type, row.span)
                if value is not None and self.answers(o, value, row.span):
                    options.append((id, value))
                return seats
        scope = self.ruling_scope
        if isinstance(row.key, sx.Index):
            ref = self.ref(row.key.base, scope)
            if isinstance(ref, Val) and isinstance(ref.t, MapType) and isinstance(ref.e, ir.Cell):
                self.map_row(row, ref, given)
                return seats
        ref = self.ref(row.key, scope)
        if isinstance(ref, ZoneRef):
            self.zone_row(row, ref, given)
            return seats
        if ref.t == ERROR:
            return seats
        address = self.fixed(ref.e)
        if not isinstance(ref.e, ir.Cell) or address is None:
            m.error(
                "RW0905",
                row.key.span,
                f"`{m.text(row.key.span)}` is not a place of the state",
                "rows set fields, zones and options",
            )
            return seats
        t = self.field_type(ref.e.symbol, ref.t)
        value = self.constants.cells(row.cells, t, row.span)
        if value is not None:
            given.append(ir.GivenCell(address, t, value, m.text(row.key.span), row.span))
        return seats

    def field_type(self, symbol: str, t: Type) -> Type:
        entry = next((e for e in self.lay.entries if e.symbol == symbol), None)
        return entry.type if entry and not isinstance(entry.type, MapType) else t

    def map_row(self, row: sx.Row, ref: Val, given: list[ir.Given]) -> None:
        v = self.ref(row.key, self.ruling_scope)
        if isinstance(v, Val) and isinstance(v.e, ir.Cell):
            address = self.fixed(v.e)
            value = self.constants.cells(row.cells, v.t, row.span)
            if address is not None and value is not None:
                given.append(ir.GivenCell(address, v.t, value, self.m.text(row.key.span), row.span))

    def fixed(self, e: ir.Expr) -> int | None:
        if isinstance(e, (ir.Cell, ir.CellSum)) and isinstance(e.address, ir.Const):
            return int(e.address.value)
        return None

    def zone_row(self, row: sx.Row, z: ZoneRef, given: list[ir.Given]) -> None:
        m = self.m
        if z.zone.piece is not None:
            self.piece_row(row, z, z.zone.piece, given)
            return
        elem = z.zone.kind.type if z.zone.kind else INT
        things = self.constants.cells(row.cells, ListType(elem, 9999), row.span)
        instance = self.instance(z)
        if things is not None and isinstance(instance, ir.Const):
            given.append(ir.GivenThings(instance.value, tuple(things), row.span))
        elif things is not None:
            m.error("RW0905", row.key.span, f"`{m.text(row.key.span)}` is not a fixed place")

    def piece_row(self, row: sx.Row, z: ZoneRef, piece: PieceSym, given: list[ir.Given]) -> None:
        """Exactly these counts; what is not named becomes 0. Faces may follow the index, `crate.fruit: apple ripe 2`,
        or stand in the key, `crate.fruit[apple, ripe]: 2`; then the other faces stay as they are."""
        m = self.m
        t = pool_type(z.zone)
        base_e = self.zone_address(z, t)
        if not isinstance(base_e, ir.Const):
            return
        base = base_e.value
        wanted = self.pieces_of(row, z, piece)
        if wanted is None:
            return
        keys = pool_keys(piece)
        index_low = [bounds(k)[0] for k in piece.index]
        cells = key_count(piece.index)
        supply_base = (
            m.zones[piece.supply].base if piece.supply in m.zones and piece.supply and piece.each is not None else -1
        )
        if supply_base == z.zone.base and z.holder is None:
            supply_base = -1
        if z.zone.cap == 1:
            code = next((k + 1 for k, v in wanted.items() if v), 0)
            supplies = (
                tuple((k + 1, supply_base + k % cells) for k in range(key_count(keys))) if supply_base >= 0 else ()
            )
            given.append(ir.GivenPieces(((base, code, -1, ""),), True, supplies, m.text(row.key.span), row.span))
            return
        faces = range(len(piece.faces)) if z.face is None else (z.face,)
        below = key_count(piece.index[len(z.index) :])  # the cells that the index of the key leaves open
        first = self.spot(z, piece, index_low) * below
        spots = [face * cells + at for face in faces for at in range(first, first + below)]
        rows = tuple(
            (
                base + k,
                wanted.get(k, 0),
                supply_base + k % cells if supply_base >= 0 else -1,
                self.label(piece, k % cells),
            )
            for k in spots
        )
        given.append(ir.GivenPieces(rows, False, (), m.text(row.key.span), row.span))

    def pieces_of(self, row: sx.Row, z: ZoneRef, piece: PieceSym) -> dict[int, int] | None:
        """The counts that a row names, by face and index; None after a message."""
        m = self.m
        if not all(isinstance(e, ir.Const) for e in z.index):
            m.error("RW0905", row.key.span, f"`{m.text(row.key.span)}` is not a fixed place")
            return None
        cells = key_count(piece.index)
        empty = not row.cells or (len(row.cells) == 1 and len(row.cells[0]) == 1 and row.cells[0][0] == sx.Name("none"))
        wanted: dict[int, int] = {}
        for cell in () if empty else row.cells:
            parts = list(cell)
            n: int | None = 1
            if parts and isinstance(parts[-1], sx.Num):
                n = parts[-1].value
                parts.pop()
            face = z.face or 0
            at = 0
            index = list(z.index)
            for p in parts:
                if isinstance(p, sx.Name) and p.id in piece.faces and p.id and z.face is None:
                    face = piece.faces.index(p.id)
                elif len(index) < len(piece.index):
                    v = self.constants.one(p, piece.index[len(index)])
                    if v is None:
                        return None
                    index.append(ir.Const(v))
                else:
                    self.too_many_indices(piece, p)
                    return None
            if len(index) < len(piece.index):
                m.error(
                    "RW0506", row.span, f"which `{piece.name}`? it is counted by {', '.join(map(str, piece.index))}"
                )
                return None
            for k, e in zip(piece.index, index, strict=True):
                assert isinstance(e, ir.Const)
                at = at * (bounds(k)[1] - bounds(k)[0] + 1) + e.value - bounds(k)[0]
            wanted[face * cells + at] = wanted.get(face * cells + at, 0) + (n or 0)
        return wanted

    def spot(self, z: ZoneRef, piece: PieceSym, lows: list[int]) -> int:
        at = 0
        for k, low, e in zip(piece.index, lows, z.index, strict=False):
            assert isinstance(e, ir.Const)
            at = at * (bounds(k)[1] - low + 1) + e.value - low
        return at

    def label(self, piece: PieceSym, at: int) -> str:
        if len(piece.index) != 1:
            return piece.name
        info = self.m.domains[piece.index[0].domain]
        return info.ids[at] if at < len(info.ids) else piece.name

    # ------------------------------------------------------------ when

    def step(self, line: sx.Line, steps: list[ir.RulingStep]) -> None:
        m = self.m
        match line:
            case sx.Answer(who=who, word="gives", items=items):
                steps.append(ir.RulingStep("chance", items=tuple(self.item(i) for i in items), span=line.span))
            case sx.Answer(who=who, items=items):
                steps.append(
                    ir.RulingStep(
                        "answer", who=self.item(who), items=tuple(self.item(i) for i in items), span=line.span
                    )
                )
            case sx.Sentence(word="do", operands=(call,)):
                self.do_step(line, call, steps)
            case _:
                m.error("RW0906", line.span, "`when` holds `do ROUTINE(...)`, `WHO chooses ...` and `chance gives ...`")

    def do_step(self, line: sx.Sentence, call: sx.Expr, steps: list[ir.RulingStep]) -> None:
        m = self.m
        scope = self.ruling_scope
        target, args = (call.func, call.args) if isinstance(call, sx.Call) else (call, ())
        if isinstance(target, sx.Attr) and target.name == "effect":
            card = self.expr(target.base, scope)
            by = clause(line, "by")
            actor = self.actor(by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, line.span)
            if isinstance(card.e, ir.Const) and card.e.value in m.effects:
                r = m.effects[card.e.value]
                self.effect_actor(r, actor, line.span)
                given = tuple(self.argument(a.value, t, scope).e for a, (_, t) in zip(args, r.params, strict=False))
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
        values = self.arguments(found, args, call.span, scope)
        if values is not None:
            steps.append(ir.RulingStep("do", found.proc, tuple(values), span=line.span))

    def item(self, e: sx.Expr) -> Any:
        """An answer as it is written: ids and numbers as texts; a pair or a call as its words."""
        match e:
            case sx.Amount(count, what):
                return f"{self.item(count)} {self.item(what)}"
            case sx.Call(func, args):
                return " ".join([str(self.item(func)), *(str(self.item(a.value)) for a in args)])
            case sx.SetLit(items):
                return " ".join(str(self.item(i)) for i in items)
            case sx.Unary("-", sx.Num(n)):
                return str(-n)
        return self.main_id(flat_id(e) or self.m.text(e.span))

    def main_id(self, id_: str) -> str:
        """The id that an alias stands for."""
        for domain, value in self.m.members.get(id_, ()):
            info = self.m.domains[domain]
            if id_ in info.aliases:
                return info.ids[info.values.index(value)]
        return id_

    # ------------------------------------------------------------ expect

    def expectation(self, line: sx.Line, expect: list[ir.Expectation]) -> None:
        m = self.m
        text = m.text(line.span)
        match line:
            case sx.Sentence(word="illegal" | "legal" as word, operands=operands):
                because = clause(line, "because")
                reason = because.args[0].value if because and isinstance(because.args[0], sx.Text) else ""
                by = clause(line, "by")
                who = str(self.item(by.args[0])) if by and not isinstance(by.args[0], sx.Key) else ""
                expect.append(
                    ir.Expectation(
                        word, text, items=tuple(self.item(o) for o in operands), reason=reason, who=who, span=line.span
                    )
                )
            case sx.Sentence(word="asks", operands=(who_e,)):
                expect.append(ir.Expectation("asks", text, who=str(self.item(who_e)), span=line.span))
            case sx.Sentence(word="known" | "hidden", operands=(what,)):
                self.knowledge(line, what, text, expect)
            case sx.Row(key=sx.Name("options"), cells=cells):
                items = tuple(" ".join(str(self.item(p)) for p in c) for c in cells)
                expect.append(ir.Expectation("options", text, items=items, span=line.span))
            case sx.Row(key=sx.Name("asks"), cells=((who_cell,),)):
                expect.append(ir.Expectation("asks", text, who=str(self.item(who_cell)), span=line.span))
            case sx.Row(key=sx.Name("over")):
                expect.append(ir.Expectation("over", text, span=line.span))
            case sx.Row():
                self.value_row(line, text, expect)
            case _:
                m.error(
                    "RW0907",
                    line.span,
                    "`expect` holds rows `key: value`, `legal`, `illegal`, `asks`, `known`, `hidden`",
                )

    def knowledge(self, line: sx.Sentence, what: sx.Expr, text: str, expect: list[ir.Expectation]) -> None:
        """`known X to WHO`: these seats can tell where a thing is, or see all that an expression reads."""
        scope = self.ruling_scope
        found = self.ref(what, scope)
        if isinstance(found, ZoneRef):
            found = self.read_zone(found)
        to = clause(line, "to")
        if found.t == ERROR or to is None or isinstance(to.args[0], sx.Key):
            return
        who = self.expr(to.args[0], scope)
        seats = who.e if isinstance(who.t, SetType) else ir.MakeSet((self.seat_of(who, line.span),))
        expect.append(ir.Expectation(line.word, text, found.e, seats, found.t, span=line.span))

    def names_faces(self, row: sx.Row, piece: PieceSym) -> bool:
        return any(isinstance(p, sx.Name) and p.id and p.id in piece.faces for cell in row.cells for p in cell)

    def face_row(self, row: sx.Row, z: ZoneRef, piece: PieceSym, text: str, expect: list[ir.Expectation]) -> None:
        """A row with faces in its cells says all that is there, face by face, as it does in a position."""
        wanted = self.pieces_of(row, z, piece)
        if wanted is None:
            return
        if z.zone.cap == 1:
            code = ir.Cell(self.zone_address(z, pool_type(z.zone)), INT, z.zone.symbol)
            held = ir.Compare("==", code, ir.Const(next((k + 1 for k, v in wanted.items() if v), 0)))
            expect.append(ir.Expectation("value", text, held, ir.Const(1), BOOL, span=row.span))
            return
        cells, below = key_count(piece.index), key_count(piece.index[len(z.index) :])
        first = self.spot(z, piece, [bounds(k)[0] for k in piece.index]) * below
        for f in range(len(piece.faces)) if z.face is None else (z.face,):
            left = self.read_zone(ZoneRef(z.zone, z.holder, z.index, f, z.span))
            counts = tuple(wanted.get(f * cells + at, 0) for at in range(first, first + below))
            right = ir.Const(counts if isinstance(left.t, MapType) else sum(counts))
            expect.append(ir.Expectation("value", f"{text} ({piece.faces[f]})", left.e, right, left.t, span=row.span))

    def value_row(self, row: sx.Row, text: str, expect: list[ir.Expectation]) -> None:
        m = self.m
        scope = self.ruling_scope
        ref = self.ref(row.key, scope)
        if isinstance(ref, ZoneRef):
            if ref.zone.piece is not None and self.names_faces(row, ref.zone.piece):
                self.face_row(row, ref, ref.zone.piece, text, expect)
                return
            left = self.read_zone(ref)
            if ref.zone.piece is not None and isinstance(left.t, MapType):
                right = self.constants.cells(row.cells, left.t, row.span)
                if right is not None:
                    expect.append(ir.Expectation("value", text, left.e, ir.Const(right), left.t, span=row.span))
                return
            if ref.zone.kind is not None and isinstance(left.t, (SetType, ListType)):
                right = self.constants.cells(row.cells, left.t, row.span)
                if right is not None:
                    expect.append(ir.Expectation("value", text, left.e, ir.Const(right), left.t, span=row.span))
                return
        else:
            left = ref
        if left.t == ERROR:
            return
        t = left.t
        if isinstance(t, (SetType, ListType, MapType)):
            value = self.constants.cells(row.cells, t, row.span) if not self.is_expression(row) else None
            if value is not None:
                expect.append(ir.Expectation("value", text, left.e, ir.Const(value), t, span=row.span))
                return
        if len(row.cells) != 1 or len(row.cells[0]) != 1:
            m.error("RW0908", row.span, f"`{m.text(row.key.span)}` is one `{t}`; one value is needed behind the colon")
            return
        if isinstance(t, MemberType):
            t = MemberType(t.domain, t.low, t.high, True)
        node = row.cells[0][0]
        right = self.expr(node, scope, t)
        if isinstance(t, IntType) and (t.low, t.high) == (0, 1) and isinstance(right.t, BoolType):
            t = BOOL
        elif isinstance(t, IntType) and isinstance(right.t, NoneType):
            pass
        elif not self.fits(right.t, t):
            m.error("RW0402", node.span, f"`{m.text(node.span)}` is `{right.t}`, and `{m.text(row.key.span)}` is `{t}`")
            return
        expect.append(ir.Expectation("value", text, left.e, right.e, t, span=row.span))

    def is_expression(self, row: sx.Row) -> bool:
        return (
            len(row.cells) == 1
            and len(row.cells[0]) == 1
            and isinstance(row.cells[0][0], (sx.Call, sx.Fold, sx.SetLit, sx.Binary))
        )


def base_of(d: sx.Decl) -> tuple[str, Span]:
    """The position that a position or a ruling is put on, and where it says so; empty for the zeroed store."""
    if d.word == "position":
        c = clause(d, "from")
        return (c.args[0].id, c.span) if c is not None and isinstance(c.args[0], sx.Name) else ("", d.span)
    section = next((x for x in d.block if isinstance(x, sx.Section) and x.word == "given"), None)
    return (section.name or "", section.span) if section else ("", d.span)
