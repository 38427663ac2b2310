"""Amounts of all sorts of a piece in one sentence: `gain m.icons organ to m.cubes`, `lose all organ from z`.

Takes a sentence whose amount is a map by the index of the piece, or `all` of a piece without its index, and writes it
as a loop over the sorts: each is an event, all of them are one change.
"""

from __future__ import annotations

from dataclasses import replace

from dsl.base.span import NOWHERE
from dsl.base.types import INT, MapType, SparseType
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Scope
from dsl.elaborate.core.suspension import names_all_sorts
from dsl.elaborate.core.types import fits
from dsl.elaborate.events import chosen, events, noted
from dsl.syntax import nodes as sx

AMOUNTS, SORT = "$amounts", "$sort"


def move_all_sorts(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> bool:
    """Carry out the sentence for each sort of its piece; False if it is about one sort."""
    a = s.operands[0]
    piece = names_all_sorts(elab.model, a)
    if piece is None or not isinstance(a, sx.Amount):
        return False
    everything = a.count == sx.Name("all", span=a.count.span)
    if not everything:
        with elab.model.quietly():  # reported where the amount is read
            t = elab.expr(a.count, scope).t
        if not isinstance(t, (MapType, SparseType)):
            return False
        if not fits(elab.model, t, MapType(piece.index, INT)):
            elab.model.error(
                "RW0506",
                a.count.span,
                f"`{elab.model.text(a.count.span)}` is `{t}`, and `{piece.name}` is counted by "
                f"{', '.join(map(str, piece.index))}",
                "give a number for each sort, or name the sort",
            )
            return True
    inner = scope.child()
    loops = [sx.Binder(f"{SORT}{i}", sx.Name(t.domain), span=s.span) for i, t in enumerate(piece.index)]
    sorts = tuple(sx.Name(b.name, span=s.span) for b in loops)
    faces = a.what.args if isinstance(a.what, sx.Index) else ()
    base = a.what.base if isinstance(a.what, sx.Index) else a.what
    count = a.count if everything else sx.Index(sx.Name(AMOUNTS, span=a.count.span), sorts, span=a.count.span)
    what = sx.Index(base, (*sorts, *faces), span=a.what.span)
    line: sx.Line = replace(s, operands=(replace(a, count=count, what=what),), cites=())
    for binder in reversed(loops):
        line = sx.Loop("for every", False, (binder,), (), (line,), span=s.span)
    noted.begin(elab, ctx)
    if not everything:
        elab.line(sx.Let(AMOUNTS, None, a.count, span=NOWHERE), inner, ctx)
    elab.line(line, inner, ctx)
    noted.end(elab, ctx)
    events.settle(elab, set(events.all_symbols(elab)), scope, ctx, s.span, several=True)
    if ctx.em.flat and len(ctx.em.buffers) == 1 and events.has_triggers(elab):
        chosen.drain(elab, ctx)
    return True
