"""The options of a long answer: bounds alone decide, or the rest of the answer is searched."""

from __future__ import annotations

from dsl import ir
from dsl.ir.walk import walk
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.form.nodes import Expr
from interpreter.backends.low.long import plain, search
from interpreter.backends.low.long.linear import with_totals


def offers(lo: Lowering, number: int) -> Expr:
    """Write what lists the options of a site; gives whether the answer has not been begun. Raises Unsupported."""
    site = with_totals(lo.program.sites[number])
    assert site.answer is not None
    own = {site.answer[0], site.cursor}
    parts = (site.alternatives, site.each, site.bounds, site.such_that, site.keys)
    if any(isinstance(node, ir.FrameVar) and node.slot in own for node in walk(parts)):
        raise Unsupported(f"an answer that reads itself (`{site.address}`)")
    return plain.offers(lo, site) if plain.is_plain(lo, site) else search.offers(lo, number)
