"""The ends of a movement of counted pieces: zones that are named, and places that are known only in play.

Takes the zones of a sentence and gives the routes that it may mean, each with the pools at both ends; and warns of
amounts that never lie at the one end.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.types import MOST_PIECES, IntType, PlaceType, Type
from dsl.diagnostics.diagnostic import Label, Severity
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj, key_offset, linear
from dsl.elaborate.core.scope import Val, ZoneRef
from dsl.elaborate.expressions import zones
from dsl.symbols.layout import pool_keys, pool_type
from dsl.symbols.symbols import PieceSym
from dsl.syntax import nodes as sx

Way = tuple[ir.Expr, ZoneRef | None]  # when it applies, and the zone; None: the endless supply


def pool(
    elab: Elaboration, ref: ZoneRef | None, piece: PieceSym, index: list[ir.Expr], face: int, span: Span
) -> ir.Pool | None:
    """One end of a transfer: a zone, or without one the endless supply. None after a message."""
    if ref is None:
        return ir.Pool("endless", None, None, f"{piece.name} supply")
    zone = ref.zone
    zone.used = True
    if zone.piece is not piece:
        holds = zone.kind.name if zone.kind else zone.piece.name if zone.piece else "?"
        elab.model.error("RW0505", span, f"`{zone.name}` holds `{holds}`, not `{piece.name}`")
        return None
    t = pool_type(zone)
    base = zones.zone_address(ref, t)
    keys = pool_keys(piece)
    at: list[ir.Expr] = ([ir.Const(face)] if len(piece.faces) > 1 else []) + index
    offset = key_offset(keys, at) if keys else ZERO
    if zone.cap == 1:
        return ir.Pool("slot", base, linear(1, [(offset, 1)]), zone.symbol)
    return ir.Pool("count", linear(0, [(base, 1), (offset, 1)]), None, zone.symbol)


@dataclass(frozen=True, slots=True)
class Route:
    """From where to where pieces may move; `test` says when it is this one. The ends are given by face."""

    test: ir.Expr
    source: ZoneRef | None
    target: ZoneRef | None
    ends: list[tuple[ir.Pool, ir.Pool]]


def routes_of(
    elab: Elaboration,
    source: ZoneRef | Val | None,
    target: ZoneRef | Val | None,
    piece: PieceSym,
    index: list[ir.Expr],
    faces: list[int],
    span: Span,
) -> list[Route]:
    """The routes between two zones, each of which may be a place that is known only in play; none after a message."""
    routes: list[Route] = []
    for leaves, x in zones_of(elab, source, piece, span):
        for arrives, y in zones_of(elab, target, piece, span):
            ends = [(pool(elab, x, piece, index, f, span), pool(elab, y, piece, index, f, span)) for f in faces]
            known = [(a, b) for a, b in ends if a is not None and b is not None]
            if len(known) < len(ends):
                return []
            routes.append(Route(conj([leaves, arrives]), x, y, known))
    return routes


def by_route(routes: list[Route], value: Callable[[Route], ir.Expr]) -> ir.Expr:
    """The number that belongs to the route that applies."""
    e = value(routes[-1])
    for r in reversed(routes[:-1]):
        e = ir.If(r.test, value(r), e)
    return e


def zones_of(elab: Elaboration, ref: ZoneRef | Val | None, piece: PieceSym, span: Span) -> list[Way]:
    """The zones that one end may be. A place that a line on this piece is told is any zone for such pieces; no zones
    after a message."""
    if ref is None or isinstance(ref, ZoneRef):
        return [(ONE, ref)]
    if not isinstance(ref.t, PlaceType) or ref.t.piece != piece.name:
        elab.model.error(
            "RW0507",
            span,
            f"`{piece.name}` moves between named zones, and this place may be a zone for something else",
            f"write the zone itself, or the place of which a line on `{piece.name}` is told",
        )
        return []
    ways: list[Way] = [] if piece.each is not None else [(ir.Compare("==", ref.e, ZERO), None)]
    for z in elab.model.all_zones():
        if z.piece is piece:
            rows = z.per_holder * (z.owner.high - z.owner.low + 1 if z.owner else 1)
            here = ir.Compare(">=", ref.e, ir.Const(z.first)), ir.Compare("<", ref.e, ir.Const(z.first + rows))
            ways.append((ir.And(here), ZoneRef(z, None, span=span, member=linear(-z.first, [(ref.e, 1)]))))
    return ways


def place_value(ref: ZoneRef | Val | None, piece: PieceSym) -> Val:
    """One end of a movement as the place that lines are told."""
    e = ZERO if ref is None else ref.e if isinstance(ref, Val) else zones.zone_instance(ref)
    return Val(e, PlaceType(piece.name))


def warn_too_large(elab: Elaboration, node: sx.Expr, t: Type, source: ZoneRef, piece: PieceSym) -> None:
    """Warn of an exact amount whose own bounds exceed what the zone can ever hold. Outside an action it would end
    the game in an error."""
    most = source.zone.cap or piece.each
    if not most or not isinstance(t, IntType):
        return
    if isinstance(node, sx.Index) and isinstance(node.base, sx.Name):
        if node.base.id in elab.model.tables:
            warn_too_large_rows(elab, node.base.id, node, source, most)
        return
    if not isinstance(node, (sx.Num, sx.Name, sx.Attr)):
        return  # a computed amount is up to the author
    if most < t.high < MOST_PIECES:
        what = elab.model.text(node.span)
        elab.model.warn(
            "RW1211",
            node.span,
            f"`{what}` may be up to {t.high}, but `{source.zone.symbol}` never holds more than {most}",
            f"to move as many as there are, write `min({what}, ...)`, or `lose` and `gain`",
        )


def warn_too_large_rows(elab: Elaboration, table: str, node: sx.Index, source: ZoneRef, most: int) -> None:
    """Warn of each row of a table that is such an amount, at the row."""
    m = elab.model
    for line in m.tables[table].decl.block:
        match line:
            case sx.Row(cells=((sx.Num(value) as cell,),)) if most < value < MOST_PIECES:
                m.report(
                    Severity.WARNING,
                    "RW1211",
                    cell.span,
                    f"`{value}` is moved from `{source.zone.symbol}`, which never holds more than {most}",
                    "write a smaller number, or move as many as there are: `lose` and `gain`, or `min(.., ..)`",
                    (Label(node.span, f"by `{m.text(node.span)}`"),),
                )
