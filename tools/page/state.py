"""The declared state as a page reads it: fields and zones with their places in the store, and who sees them."""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl.base.types import MapType, bounds
from dsl.program import OWNER, PREDICATE
from interpreter.rules.layout import holder_dims, holder_width
from interpreter.rules.pieces import index_keys, slot_keys
from interpreter.rules.rules import Rules
from tools.page.readings import Readings
from tools.page.values import type_as_json


def layout_as_json(rules: Rules, readings: Readings) -> list[dict[str, Any]]:
    return [_entry(rules, readings, entry) for entry in rules.program.layout]


def _entry(rules: Rules, readings: Readings, entry: ir.LayoutEntry) -> dict[str, Any]:
    owned = bool(holder_dims(entry))
    found: dict[str, Any] = {
        "symbol": entry.symbol, "base": entry.base, "dims": [type_as_json(d) for d in entry.dims],
        "type": type_as_json(entry.type), "sort": entry.sort, "owned": owned, "sized": entry.size_seen,
        "audience": audience_as_json(rules, readings, entry.audience, entry.owner_fn),
    }  # fmt: skip
    if owned:
        found |= {"first": bounds(entry.dims[0])[0], "step": holder_width(entry)}
    if isinstance(entry.type, MapType):
        found["faces"] = len(entry.type.keys) - len(index_keys(entry.type))
    if entry.sort == "slot":
        found["slot"] = [type_as_json(k) for k in slot_keys(rules.program, entry)]
    return found


def audience_as_json(rules: Rules, readings: Readings, audience: str, owner_fn: int) -> Any:
    """`all`, `nobody`, or who: the owner, by a reading if there is one, or a reading of a thing and a seat."""
    if audience == OWNER:
        return {"owner": readings.call(owner_fn) if owner_fn >= 0 else -1}
    if audience.startswith(PREDICATE):
        number = int(audience.removeprefix(PREDICATE))
        return {"test": readings.call(number), "args": len(rules.program.functions[number].params)}
    return audience


def zones_as_json(rules: Rules, readings: Readings) -> list[list[Any]]:
    """Sort, first word, entry (its number in the layout), holder and who sees the top of each zone."""
    entries = {entry.symbol: number for number, entry in enumerate(rules.program.layout)}
    return [
        [z.kind, z.base, entries.get(z.symbol, -1), z.holder,
         audience_as_json(rules, readings, z.top, rules.owner_fns.get(z.symbol, -1)) if z.top else ""]
        for z in rules.program.zones
    ]  # fmt: skip
