"""Kinds with a thing for each combination of other members: `kind Card by Suit, Rank`."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

from dsl.symbols.symbols import FieldSym, KindSym, Model
from dsl.syntax import nodes as sx


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
    """The constants that say what each thing is made of: `c.suit`, `c.rank`."""
    for n, made_of in enumerate(kind.by if kind.combined else ()):
        t = m.enums[made_of.id].type if made_of.id in m.enums else m.kinds[made_of.id].type
        name = lowered(made_of.id)
        if name in kind.fields:
            m.error("RW0449", made_of.span, f"`{kind.name}` would have two constants `{name}`", "name it once")
            continue
        kind.fields[name] = FieldSym(name, kind, t, made_of.span, True, table=len(m.tables_data), builtin=True)
        m.tables_data.append(tuple(row[n] for row in kind.combined))


def lowered(name: str) -> str:
    """The name of the constant that holds a member of an enum or kind: `SeaSide` is `sea_side`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
