"""Positions and the `given` of rulings: rows as raw changes of the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.types import ERROR, INT, ListType, MapType, MemberType, Type, bounds, key_count
from dsl.elaborate.cases import items
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.scope import Val, ZoneRef
from dsl.elaborate.expressions import calls, zones
from dsl.symbols.layout import home_address, pool_keys, pool_type
from dsl.symbols.symbols import OptionSym, PieceSym
from dsl.symbols.types import constant
from dsl.syntax import nodes as sx

OTHERS_GONE = (sx.Name("others"), sx.Name("gone"))


@dataclass(slots=True)
class Placed:
    """What the rows of one position have said so far. A position may change what the one that it continues says."""

    things: set[int] = field(default_factory=set)
    words: set[int] = field(default_factory=set)  # addresses of cells and counts
    zones: set[int] = field(default_factory=set)

    def report_again(self, elab: Elaboration, rows: Sequence[ir.Given], span: Span) -> None:
        """Report what these rows say for the second time; the last one would win."""
        for row in rows:
            match row:
                case ir.GivenThings(zone, things):
                    twice = [t for at, t in enumerate(things) if t in self.things or t in things[:at]]
                    if twice:
                        what = f"`{thing_id(elab, twice[0])}` is put in two places"
                        elab.model.error("RW0912", span, what, "a thing is in one place: leave one of them out")
                    again = zone in self.zones
                    self.things.update(things)
                    self.zones.add(zone)
                case ir.GivenCell(address):
                    again = address in self.words
                    self.words.add(address)
                case ir.GivenPieces(cells):
                    found = {cell[0] for cell in cells}
                    again = not self.words.isdisjoint(found)
                    self.words |= found
                case ir.GivenSupply(cells):
                    tested = {cell[0] for cell in cells}
                    again = not self.words.isdisjoint(tested)
                    self.words |= tested
            if again:
                key = elab.model.text(span).partition(":")[0]
                elab.model.error("RW0912", span, f"`{key}` is set twice", "leave one of the rows out")


def thing_id(elab: Elaboration, thing: int) -> str:
    """The id of a thing by its number."""
    kinds = (info for info in elab.model.domains.values() if info.sort == "kind" and thing in info.values)
    return next((info.ids[info.values.index(thing)] for info in kinds), str(thing))


def read_option_row(elab: Elaboration, d: sx.Decl, options: list[tuple[str, int]]) -> None:
    """`option NAME: answer`."""
    o = elab.model.options.get(d.name)
    if o is None:
        elab.model.unknown("RW0909", d.name_span, "option", d.name, list(elab.model.options))
        return
    given = d.items[0] if d.items else d.type
    value = elab.constants.single_value(given, o.type) if given is not None else None
    if given is not None and value is not None and is_answer(elab, o, value, given.span):
        options.append((d.name, value))


def is_answer(elab: Elaboration, o: OptionSym, value: int, span: Span) -> bool:
    """Whether a number is one of the answers of an option; a message if it lies between them."""
    domain = elab.model.domains.get(o.name)
    if domain is None or value in domain.values:
        return True
    elab.model.unknown("RW0281", span, f"answer of the option `{o.name}`", str(value), list(domain.ids))
    return False


def read_given_row(
    elab: Elaboration, row: sx.Row, seats: int, options: list[tuple[str, int]], given: list[ir.Given]
) -> int:
    """A row of `given`; returns the number of seats, which a row may set."""
    m = elab.model
    match row.key:
        case sx.Name("seats"):
            n = constant(row.cells[0][0]) if row.cells else None
            if n is None or not elab.seats[0] <= n <= elab.seats[1]:
                m.error("RW0904", row.span, f"`seats` takes {elab.seats[0]}..{elab.seats[1]}")
                return seats
            return n
        case sx.Name(id) if id in m.options:
            o = m.options[id]
            value = elab.constants.cells(row.cells, o.type, row.span)
            if value is not None and is_answer(elab, o, value, row.span):
                options.append((id, value))
            return seats
    scope = elab.cases.scope
    if isinstance(row.key, sx.Index):
        ref = elab.before_brackets(row.key.base, scope)
        if isinstance(ref, Val) and isinstance(ref.t, MapType) and isinstance(ref.e, ir.Cell):
            read_map_row(elab, row, ref, given)
            return seats
    ref = elab.ref(row.key, scope)
    if isinstance(ref, ZoneRef):
        read_zone_row(elab, row, ref, given)
        return seats
    if ref.t == ERROR:
        return seats
    address = fixed_address(ref.e)
    if not isinstance(ref.e, ir.Cell) or address is None:
        m.error(
            "RW0905",
            row.key.span,
            f"`{m.text(row.key.span)}` is not part of the state",
            "rows set fields, zones and options",
        )
        return seats
    t = field_type(elab, ref.e.symbol, ref.t)
    value = items.row_value(elab, row.cells, t, row.span)
    if value is not None:
        given.append(ir.GivenCell(address, t, value, m.text(row.key.span), row.span))
    return seats


def field_type(elab: Elaboration, symbol: str, t: Type) -> Type:
    """The type of the field with this symbol."""
    entry = next((e for e in elab.layout.entries if e.symbol == symbol), None)
    return entry.type if entry and not isinstance(entry.type, MapType) else t


def read_map_row(elab: Elaboration, row: sx.Row, ref: Val, given: list[ir.Given]) -> None:
    """A row that sets one item of a map."""
    v = elab.ref(row.key, elab.cases.scope)
    if isinstance(v, Val) and isinstance(v.e, ir.Cell):
        address = fixed_address(v.e)
        value = items.row_value(elab, row.cells, v.t, row.span)
        if address is not None and value is not None:
            given.append(ir.GivenCell(address, v.t, value, elab.model.text(row.key.span), row.span))


def fixed_address(e: ir.Expr) -> int | None:
    """The address of a cell that is known now; None for others."""
    if isinstance(e, (ir.Cell, ir.CellSum)) and isinstance(e.address, ir.Const):
        return int(e.address.value)
    return None


def read_zone_row(elab: Elaboration, row: sx.Row, z: ZoneRef, given: list[ir.Given]) -> None:
    """A row that says what a zone holds."""
    m = elab.model
    if z.zone.piece is not None:
        read_piece_row(elab, row, z, z.zone.piece, given)
        return
    elem = z.zone.kind.type if z.zone.kind else INT
    things = items.row_value(elab, row.cells, ListType(elem, 9999), row.span)
    instance = zones.zone_instance(z)
    if things is not None and isinstance(instance, ir.Const):
        given.append(ir.GivenThings(instance.value, tuple(things), row.span))
    elif things is not None:
        m.error("RW0905", row.key.span, f"`{m.text(row.key.span)}` is not a fixed place")


def read_piece_row(elab: Elaboration, row: sx.Row, z: ZoneRef, piece: PieceSym, given: list[ir.Given]) -> None:
    """Exactly these counts; what is not named becomes 0. Faces may follow the index, `crate.fruit: apple ripe 2`, or
    stand in the key, `crate.fruit[apple, ripe]: 2`; then the other faces stay as they are."""
    m = elab.model
    t = pool_type(z.zone)
    base_e = zones.zone_address(z, t)
    if not isinstance(base_e, ir.Const):
        return
    base = base_e.value
    row, gone = without_gone(row) if piece.home is z.zone else (row, False)
    wanted = pieces_of(elab, row, z, piece)
    if wanted is None:
        return
    keys = pool_keys(piece)
    index_low = [bounds(k)[0] for k in piece.index]
    cells = key_count(piece.index)
    homes = [home_address(piece, at) for at in range(cells)]
    if z.zone.cap == 1:
        code = next((k + 1 for k, v in wanted.items() if v), 0)
        supplies = tuple((k + 1, homes[k % cells]) for k in range(key_count(keys))) if homes and homes[0] >= 0 else ()
        given.append(ir.GivenPieces(((base, code, -1, ""),), True, supplies, m.text(row.key.span), row.span))
        return
    faces = range(len(piece.faces)) if z.face is None else (z.face,)
    open_cells = key_count(piece.index[len(z.index) :])  # the cells that the index of the key leaves open
    first = index_offset(z, piece, index_low) * open_cells
    spots = [face * cells + at for face in faces for at in range(first, first + open_cells)]
    tested = [k for k in spots if base + k == homes[k % cells]]  # what is not placed lies there
    if tested:
        counts = tuple((base + k, wanted.get(k, 0), cell_label(elab, piece, k)) for k in tested)
        given.append(ir.GivenSupply(counts, gone, m.text(row.key.span), row.span))
    rows = tuple(
        (
            base + k,
            wanted.get(k, 0),
            homes[k % cells],
            cell_label(elab, piece, k),
        )
        for k in spots
        if k not in tested
    )
    if rows:
        given.append(ir.GivenPieces(rows, False, (), m.text(row.key.span), row.span))


def without_gone(row: sx.Row) -> tuple[sx.Row, bool]:
    """A row of a supply without `others gone`, and whether it says so: then the pieces that no row places are in no
    zone."""
    kept = tuple(cell for cell in row.cells if tuple(cell) != OTHERS_GONE)
    return replace(row, cells=kept), len(kept) < len(row.cells)


def pieces_of(elab: Elaboration, row: sx.Row, z: ZoneRef, piece: PieceSym) -> dict[int, int] | None:
    """The counts that a row names, by face and index; None after a message."""
    m = elab.model
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
                v = elab.constants.single_value(p, piece.index[len(index)])
                if v is None:
                    return None
                index.append(ir.Const(v))
            else:
                calls.report_extra_index(elab, piece, p)
                return None
        if len(index) < len(piece.index):
            m.error("RW0506", row.span, f"which `{piece.name}`? it is counted by {', '.join(map(str, piece.index))}")
            return None
        for k, e in zip(piece.index, index, strict=True):
            assert isinstance(e, ir.Const)
            at = at * (bounds(k)[1] - bounds(k)[0] + 1) + e.value - bounds(k)[0]
        wanted[face * cells + at] = wanted.get(face * cells + at, 0) + (n or 0)
    return wanted


def index_offset(z: ZoneRef, piece: PieceSym, lows: list[int]) -> int:
    """The number of the cell at the index of the key."""
    at = 0
    for k, low, e in zip(piece.index, lows, z.index, strict=False):
        assert isinstance(e, ir.Const)
        at = at * (bounds(k)[1] - low + 1) + e.value - low
    return at


def cell_label(elab: Elaboration, piece: PieceSym, at: int) -> str:
    """The words of a cell: the members that it counts and the face, where that is not the first; or the piece."""
    cells = key_count(piece.index)
    face, at = divmod(at, cells)
    words = [piece.faces[face]] if face else []
    for key in reversed(piece.index):
        low, high = bounds(key)
        at, number = divmod(at, high - low + 1)
        info = elab.model.domains.get(key.domain) if isinstance(key, MemberType) else None
        value = low + number
        words.insert(0, info.ids[info.values.index(value)] if info and value in info.values else str(value))
    return " ".join(words) or piece.name
