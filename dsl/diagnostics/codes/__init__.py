"""The registry of diagnostic codes: every code that any pass may report, merged from one module a family.

It takes nothing and gives `CODES`; it renders no pages and reports nothing itself.
"""

from dsl.diagnostics.code import Code
from dsl.diagnostics.codes import (
    choices,
    data,
    flow,
    habits,
    lines,
    names,
    overlays,
    rulings,
    syntax,
    tables,
    types,
    verbs,
    whole,
)


def _merge(*families: dict[str, Code]) -> dict[str, Code]:
    merged: dict[str, Code] = {}
    for family in families:
        twice = merged.keys() & family.keys()
        if twice:
            raise ValueError(f"diagnostic codes defined twice: {', '.join(sorted(twice))}")
        merged.update(family)
    return merged


FAMILIES = (syntax, names, tables, data, types, verbs, flow, choices, lines, rulings, overlays, whole, habits)
CODES: dict[str, Code] = _merge(*(family.CODES for family in FAMILIES))

__all__ = ["CODES", "Code"]
