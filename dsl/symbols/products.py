"""Kinds whose members are made by a rule: a thing for each combination of other members, `kind Card by Suit, Rank`, and
the cells of a lattice."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

from dsl.base.types import IntType, SetType, Type
from dsl.ir import Lattice
from dsl.ir.lattices import AXES
from dsl.symbols.symbols import FieldSym, KindSym, Model
from dsl.symbols.types import constant
from dsl.syntax import nodes as sx

MOST_CELLS = 10_000  # of one lattice: each has the set of those beside it


def check_by(m: Model, kind: KindSym, d: sx.Decl, by: sx.Clause) -> None:
    """Report what cannot stand beside or behind the `by` of a kind, whose population that is."""
    other = next((c for c in d.clauses if c.word in ("from", "per")), None)
    odd = next((a for a in by.args if not isinstance(a, sx.Name)), None)
    if other is not None or d.items:
        message = f"`{kind.name}` has a thing for each of `by ...`, so nothing else gives it things"
        m.error("RW0449", other.span if other is not None else d.items[0].span, message, "leave out one of the two")
    elif odd is not None:
        m.error(
            "RW0449", odd.span, "behind the `by` of a kind stand enums and kinds", "things are counted: `kind K: 6`"
        )


def combine(m: Model, kind: KindSym) -> None:
    """Make the things: one for each combination, the last member changing first; their ids are joined."""
    columns: list[list[tuple[int, str]]] = []
    for name in kind.by:
        other = m.kinds.get(name.id)
        if name.id in m.enums:
            columns.append(list(enumerate(m.enums[name.id].members, 1)))
        elif other is not None and not other.parts and other.high >= other.low:
            columns.append(list(enumerate(other.ids, other.low)))
        else:
            known = [*m.enums, *(k for k, v in m.kinds.items() if v.high >= v.low)]
            m.unknown("RW0210", name.span, "enum or kind", name.id, known)
            return
    for row in product(*columns):
        kind.combined.append(tuple(value for value, _ in row))
        kind.ids.append("_".join(id_ for _, id_ in row))
    double = next((id_ for id_, n in Counter(kind.ids).items() if n > 1), None)
    if double is not None:
        m.error("RW0449", kind.span, f"two things of `{kind.name}` have the id `{double}`", "rename a member")


def constants_of(m: Model, kind: KindSym) -> None:
    """The constants that say what each thing is made of: `c.suit`, `c.rank`, `t.pips` and `t.pips_2` of an enum that
    stands there twice; of a cell its coordinates and `next`."""
    if kind.lattice is not None:
        cell_constants(m, kind, kind.lattice)
    stood: Counter[str] = Counter()
    for n, made_of in enumerate(kind.by if kind.combined else ()):
        stood[made_of.id] += 1
        t = m.enums[made_of.id].type if made_of.id in m.enums else m.kinds[made_of.id].type
        name = lowered(made_of.id) + (f"_{stood[made_of.id]}" if stood[made_of.id] > 1 else "")
        if name in kind.fields:
            m.error("RW0449", made_of.span, f"`{kind.name}` would have two constants `{name}`", "rename one of them")
            continue
        kind.fields[name] = FieldSym(name, kind, t, made_of.span, True, table=len(m.tables_data), builtin=True)
        m.tables_data.append(tuple(row[n] for row in kind.combined))


def lowered(name: str) -> str:
    """The name of the constant that holds a member of an enum or kind: `SeaSide` is `sea_side`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


# ---------------------------------------------------------------- lattices


def read_lattice(m: Model, d: sx.Decl) -> Lattice:
    """The lattice that a declaration describes; one of a single cell after a message."""
    shapes = [item.id for item in d.items if isinstance(item, sx.Name) and item.id in AXES]
    by = next((c for c in d.clauses if c.word == "by"), None)
    if len(shapes) != 1 or len(d.items) != 1:
        span = d.items[0].span if d.items else d.name_span
        read = f", not `{m.text(span)}`" if d.items else ""
        message = f"a lattice consists of {' or '.join(f'`{shape}`' for shape in AXES)} cells{read}"
        m.error("RW0450", span, message, f"write `lattice {d.name}: hex by 0..9, 0..9`")
        return Lattice("square", (0, 0), (0, 0))
    ranges = [read_range(m, a) for a in by.args if not isinstance(a, sx.Key)] if by is not None else []
    wraps = any(c.word == "wraps" for c in d.clauses)
    if by is None or None in ranges:
        return Lattice(shapes[0], (0, 0), (0, 0), wraps=wraps)
    columns, rows, *sheets = [r for r in ranges if r is not None] + [(0, 0)] * (2 - len(ranges))
    found = Lattice(shapes[0], columns, rows, sheets[0][1] if sheets else 0, wraps)
    if len(ranges) not in (2, 3):
        message = f"behind `by` stand two coordinates, and perhaps the sheets; here are {len(ranges)}"
        m.error("RW0450", by.span, message, "write two ranges: `by 0..9, 0..9`")
    elif sheets and sheets[0][0] != 1:
        m.error("RW0450", by.args[2].span, "sheets are counted from 1", f"write `1..{max(1, sheets[0][1])}`")
    elif found.size > MOST_CELLS:
        message = f"`{d.name}` would have {found.size} cells; a lattice has at most {MOST_CELLS}"
        m.error("RW0450", by.span, message, "make it smaller; with `wraps` it need be no longer than what lies on it")
    else:
        return found
    return Lattice(shapes[0], (0, 0), (0, 0), 1 if sheets else 0, wraps)


def read_range(m: Model, e: sx.Expr) -> tuple[int, int] | None:
    """The bounds of a coordinate; None after a message."""
    low, high = (constant(e.low), constant(e.high)) if isinstance(e, sx.RangeExpr) else (None, None)
    if low is None or high is None or low > high:
        m.error("RW0450", e.span, f"`{m.text(e.span)}` is no range of coordinates", "write two numbers: `-9..9`")
        return None
    return low, high


def cell_constants(m: Model, kind: KindSym, lattice: Lattice) -> None:
    """`q` and `r`, or `x` and `y`, `sheet` where there are sheets, and `next`."""
    coordinates = [lattice.coordinates(n) for n in range(lattice.size)]
    for axis, column in zip(lattice.axes, zip(*coordinates, strict=True), strict=True):
        add_constant(m, kind, axis, IntType(min(column), max(column)), column)
    beside = tuple(sum(1 << (kind.low + to) for to in lattice.beside(n)) for n in range(lattice.size))
    add_constant(m, kind, "next", SetType(kind.type), beside)


def add_constant(m: Model, kind: KindSym, name: str, t: Type, column: tuple[int, ...]) -> None:
    """A constant that every cell has."""
    if name in kind.fields:
        message = f"`{kind.name}.{name}` is declared twice: every cell of a lattice has a `{name}`"
        m.error("RW0202", kind.fields[name].span, message, "use another name")
    kind.fields[name] = FieldSym(name, kind, t, kind.span, True, table=len(m.tables_data), builtin=True)
    m.tables_data.append(column)


def written_cell(m: Model, e: sx.Node) -> tuple[KindSym, tuple[int, ...], int | None] | None:
    """What `Spot(1, -2)` names: the lattice, the coordinates, and the number of the cell if there is one; None for what
    is no cell of fixed coordinates."""
    if not isinstance(e, sx.Call) or not isinstance(e.func, sx.Name):
        return None
    kind = m.kinds.get(e.func.id)
    at = tuple(n for a in e.args if (n := constant(a.value)) is not None)
    if kind is None or kind.lattice is None or not len(at) == len(e.args) == len(kind.lattice.axes):
        return None
    found = kind.lattice.find(*at)
    return kind, at, None if found is None else kind.low + found
