"""The ways to pay or to gain that a question offers, for a host: it lists them, and reads what each of them moves."""

from __future__ import annotations

from dsl import ir
from dsl.ir.walk import free
from interpreter.backends.low.base.context import FRESH, Later, Lowering
from interpreter.backends.low.base.exported import ALL_WAYS, COUNT, RELIST
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.make import ONE, ZERO
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Global, Local, Reason
from interpreter.backends.low.purses.applying import CHOOSE
from interpreter.backends.low.purses.paying import offered

WAYS, WAY, RELIST_ALL = "ways", "way", "relist_all"
"""Functions for the host: with the number of a site behind it, the address of the purse of the pending question, open
with all ways in it (see `layout`); the address of the way with a number in such a purse; and list the options as RELIST
does, but all ways to pay instead of the usual one."""


def write_offers(lo: Lowering) -> dict[int, str]:
    """Write these functions; gives the sites whose ways cannot be read, with the reason. Their function gives up."""
    unread = {}
    with lo.function(RELIST_ALL, (), exported=True) as w:
        w.emit(low.SetGlobal(ALL_WAYS, ONE))
        w.call(RELIST)
        w.emit(low.SetGlobal(ALL_WAYS, ZERO))
        w.give(Global(COUNT))
    sites = [(number, site.payment) for number, site in enumerate(lo.program.sites) if site.payment is not None]
    for number, paid in sites:
        try:
            _write_ways(lo, number, paid)
        except Unsupported as reason:
            unread[number] = str(reason)
            with lo.function(f"{WAYS}{number}", (), exported=True) as w:
                w.trap(Reason.GAP)
    if sites:
        with lo.function(WAY, ("purse", "number"), exported=True) as w:
            w.give(low.Call(CHOOSE, (Local("purse"), Local("number"))))
    return unread


def _write_ways(lo: Lowering, number: int, paid: ir.Payments) -> None:
    with lo.function(f"{WAYS}{number}", (), exported=True) as w:
        w.call(FRESH)
        lo.bound = {slot: Later(ir.Const(0), {}) for slot in free((paid.args, paid.amount))}
        w.give(offered(lo, paid))
