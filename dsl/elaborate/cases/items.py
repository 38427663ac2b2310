"""Items of rows in positions and rulings: single ones, `all smithy` for every copy of a card or thing of a kind, and
`smithy_2 .. smithy_5` for those from one to another in the order of the rules.

Takes the cells of a row; gives the value of its type, or None after a message.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dsl.base.span import Span
from dsl.base.types import ListType, MemberType, SetType, Type
from dsl.elaborate.context import Elaboration
from dsl.syntax import nodes as sx

Cell = tuple[sx.Expr, ...]


def row_value(elab: Elaboration, cells: tuple[Cell, ...], t: Type, span: Span) -> Any:
    """The value of the cells of a row; None after a message."""
    if not isinstance(t, (SetType, ListType)) or not isinstance(t.elem, MemberType):
        return elab.constants.cells(cells, t, span)
    named: list[Cell] = []
    resolved: dict[Span, tuple[str, int]] = {}
    for cell in cells:
        match cell:
            case (sx.Name("all"), sx.Name() as what):
                found = all_of(elab, what, t.elem, resolved)
            case (sx.RangeExpr(low=sx.Name() as low, high=sx.Name() as high),):
                found = range_of(elab, low, high, t.elem, resolved)
            case _:
                found = [cell]
        if found is None:
            return None
        named += found
    value = elab.constants.cells(tuple(named), t, span)
    elab.model.resolved_members.update(resolved)
    return value


def all_of(elab: Elaboration, what: sx.Name, t: MemberType, resolved: dict[Span, tuple[str, int]]) -> list[Cell] | None:
    """Each copy of a card, or each thing of a kind."""
    m = elab.model
    if what.id in m.kinds and what.id not in m.members:
        ids = [id_ for id_ in m.domains[what.id].ids if any(fits(elab, found, t) for found in m.members[id_])]
        if ids:
            return [(sx.Name(id_, span=what.span),) for id_ in ids]
    member = member_of(elab, what, t)
    if member is None:
        return None
    domain, value = resolved[what.span] = member
    copies = {copy for kind in m.kinds.values() for copy, first in kind.copies.items() if first == what.id}
    info = m.domains[domain]
    own = info.ids[info.values.index(value)]
    return [(sx.Name(id_, span=what.span),) for id_ in info.ids if id_ == own or id_ in copies]


def range_of(
    elab: Elaboration, low: sx.Name, high: sx.Name, t: MemberType, resolved: dict[Span, tuple[str, int]]
) -> list[Cell] | None:
    """The members of a kind or enum from one to another."""
    ends = [member_of(elab, end, t) for end in (low, high)]
    if ends[0] is None or ends[1] is None:
        return None
    (domain, first), (other, last) = ends[0], ends[1]
    resolved |= {low.span: ends[0], high.span: ends[1]}
    info = elab.model.domains[domain]
    span = low.span.to(high.span)
    if domain != other or first > last:
        apart = f"`{low.id}` and `{high.id}` are no range"
        wrong = apart if domain != other else f"`{high.id}` comes before `{low.id}`"
        elab.model.error("RW0281", span, wrong, f"a range goes up in one kind: the order of `{domain}` in the rules")
        return None
    between = zip(info.ids, info.values, strict=True)
    return [(sx.Name(id_, span=span),) for id_, value in between if first <= value <= last]


def member_of(elab: Elaboration, e: sx.Name, t: MemberType) -> tuple[str, int] | None:
    """The domain and number of a member; None after a message."""
    found = next(members_of(elab, e.id, t), None)
    if found is None:
        elab.model.unknown("RW0281", e.span, f"`{t.domain}`", e.id, list(elab.model.domains[t.domain].ids))
    return found


def members_of(elab: Elaboration, id_: str, t: MemberType) -> Iterator[tuple[str, int]]:
    return (found for found in elab.model.members.get(id_, ()) if fits(elab, found, t))


def fits(elab: Elaboration, found: tuple[str, int], t: MemberType) -> bool:
    info = elab.model.domains[found[0]]
    return bool(elab.model.fits_kind(MemberType(found[0], info.values[0], info.values[-1]), t))
