"""Counted pieces and fields that a seat does not see are drawn again, as in `interpreter.visibility.imagine`."""

from __future__ import annotations

from itertools import groupby

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add
from interpreter.backends.low.bots.dealing import UnseenMarks
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.generators.bot_numbers import BELOW, MIX, NEXT
from interpreter.machine.hidden import HiddenField, HiddenParts, HiddenPieces

MOST_PIECES = 4096  # that are dealt at once; with more a bot gives up
CELL = 3  # words of a cell in a table: its number, whether it holds a code, and its first word


def deal_pieces(lo: Lowering, hidden: HiddenParts, own: UnseenMarks) -> None:
    """Write the deals of counted pieces. `at`: the generator."""
    number = len(lo.program.zones) + len(hidden.fields)
    for pieces in hidden.pieces:
        _deal(lo, pieces, number, own)
        number += len(pieces.zones)


def _deal(lo: Lowering, pieces: HiddenPieces, number: int, own: UnseenMarks) -> None:
    w, faces = lo.w, pieces.faces
    rows = [(number + n, int(zone.kind == "slot"), zone.base) for n, zone in enumerate(pieces.zones)]
    table = Num(lo.memory.words([part for row in rows for part in row]))
    places, items = (lo.memory.named(name, MOST_PIECES) for name in ("places of pieces", "pieces"))
    w.set("found", ZERO)

    def put(place: Expr, face: Expr) -> None:
        w.trap_if(Op(">=", Local("found"), Num(MOST_PIECES)), Reason.ROOM)
        w.store(Local("found"), places, place)
        w.store(Local("found"), items, face)
        w.set("found", add(Local("found"), 1))

    def look(n: Expr) -> None:
        row = w.let(add(Op("*", n, Num(CELL)), table))
        coded, base = w.let(low.Load(row, 1)), w.let(low.Load(row, 2))

        def one_by_code() -> None:
            code = w.let(low.Load(base))
            w.when(code, lambda: put(Op("-", ZERO, base), add(code, -1)))

        def face_by_face(face: Expr) -> None:
            at = w.let(add(base, face))
            w.upto(ZERO, low.Load(at), lambda _: put(base, face))
            w.store(at, 0, ZERO)

        w.when(
            low.Load(low.Load(row), own.hidden),
            lambda: w.when(coded, one_by_code, lambda: w.upto(ZERO, Num(faces), face_by_face)),
        )

    def sorted_in(k: Expr) -> None:
        """Sort what has been gathered: by insertion, since there are few."""
        piece = w.let(low.Load(k, items))
        w.set("j", k)

        def sink(label: str) -> None:
            w.leave_if(Op("<=", Local("j"), ZERO), label)
            before = w.let(low.Load(add(Local("j"), items - 1)))
            w.leave_if(Op("<=", before, piece), label)
            w.store(Local("j"), items, before)
            w.set("j", add(Local("j"), -1))

        w.loop(sink)
        w.store(Local("j"), items, piece)

    def lay(k: Expr) -> None:
        at, face = w.let(low.Load(k, places)), w.let(low.Load(k, items))

        def by_count() -> None:
            w.store(add(at, face), 0, add(low.Load(add(at, face)), 1))

        w.when(Op("<", at, ZERO), lambda: w.store(Op("-", ZERO, at), 0, add(face, 1)), by_count)

    if faces == 1:
        _scatter(lo, len(rows), table, places, own)
        return
    w.upto(ZERO, Num(len(rows)), look)
    if pieces.counted:
        w.upto(ONE, Local("found"), sorted_in)
        w.call(MIX, Local("at"), Num(items), Local("found"))
    else:
        w.upto(ZERO, Local("found"), lambda k: w.store(k, items, low.Call(BELOW, (Local("at"), Num(faces)))))
    w.upto(ZERO, Local("found"), lay)


def _scatter(lo: Lowering, count: int, table: Expr, places: int, own: UnseenMarks) -> None:
    """Each piece of one sort into any of the zones that hold several."""
    w = lo.w
    w.set("total", ZERO)

    def look(n: Expr) -> None:
        row = w.let(add(Op("*", n, Num(CELL)), table))

        def take() -> None:
            base = w.let(low.Load(row, 2))
            w.set("total", add(Local("total"), low.Load(base)))
            w.store(base, 0, ZERO)
            w.trap_if(Op(">=", Local("found"), Num(MOST_PIECES)), Reason.ROOM)
            w.store(Local("found"), places, base)
            w.set("found", add(Local("found"), 1))

        w.when(low.Both(low.Load(low.Load(row), own.hidden), low.Not(low.Load(row, 1))), take)

    def drop(_: Expr) -> None:
        base = w.let(low.Load(low.Call(BELOW, (Local("at"), Local("found"))), places))
        w.store(base, 0, add(low.Load(base), 1))

    w.upto(ZERO, Num(count), look)
    w.upto(ZERO, Local("total"), drop)


def draw_fields(lo: Lowering, hidden: HiddenParts, own: UnseenMarks) -> None:
    """Write the draws of hidden fields. `at`: the generator."""
    w, number = lo.w, len(lo.program.zones)
    for _, group in groupby(hidden.fields, lambda field: (field.cell.symbol, field.cell.type)):
        alike = list(group)
        table = Num(lo.memory.words([part for n, one in enumerate(alike) for part in (number + n, one.cell.base)]))
        number += len(alike)

        def one(n: Expr, field: HiddenField = alike[0], table: Expr = table) -> None:
            row = w.let(add(Op("*", n, Num(2)), table))
            w.when(low.Load(low.Load(row), own.hidden), lambda: _draw(lo, field, w.let(low.Load(row, 1))))

        w.upto(ZERO, Num(len(alike)), one)


def _draw(lo: Lowering, field: HiddenField, base: Expr) -> None:
    w = lo.w
    for n, mask in enumerate(field.masks):
        w.store(base, n, Op("&", low.Call(NEXT, (Local("at"),)), Num(mask)))

    def value() -> Expr:
        if field.values:
            some = lo.memory.words(field.values)
            return low.Load(low.Call(BELOW, (Local("at"), Num(len(field.values)))), some)
        return add(low.Call(BELOW, (Local("at"), Num(field.count))), field.low)

    if field.cap >= 0:
        size = w.let(low.Call(BELOW, (Local("at"), Num(field.cap + 1))))
        w.emit(low.Clear(base, Num(field.cap + 1)))
        w.store(base, 0, size)
        w.upto(ZERO, size, lambda n: w.store(add(base, n), 1, value()))
    elif not field.masks:
        w.store(base, 0, value())
