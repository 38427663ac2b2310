"""The short form of options: one value, a tuple of values, or the number of the alternative with its values.

Generated code lists options in this form; `RawOptions` makes the machine's options from it.
"""

from __future__ import annotations

from typing import Any

from dsl import ir
from interpreter.choices.options import has_bare_bindings
from interpreter.core.question import Option


def form_of(site: ir.Site) -> str:
    """The short form that the options of a question have: `value`, `values` or `alternative`; empty: none."""
    if not has_bare_bindings(site):
        return ""
    if len(site.alternatives) > 1:
        return "alternative"
    return "value" if len(site.alternatives[0].binders) == 1 else "values"


class RawOptions(dict[Any, Option]):
    """The machine's options of a question by their short form."""

    def __init__(self, site: ir.Site) -> None:
        super().__init__()
        self.kind = "number" if site.shape == "number" else "pick"
        self.form = form_of(site)

    def __missing__(self, raw: Any) -> Option:
        if isinstance(raw, Option):
            return raw
        alt, values = 0, raw
        if self.form == "value":
            values = (raw,)
        elif self.form == "alternative":
            alt, *rest = raw
            values = tuple(rest)
        option = self[raw] = Option(self.kind, (alt + 1, *values), alt, values)
        return option

    def short(self, option: Option) -> Any:
        """The short form of an option."""
        if option.kind == "decline":
            return option
        if self.form == "value":
            return option.values[0]
        return option.values if self.form == "values" else (option.alt, *option.values)
