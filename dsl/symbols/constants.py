"""Constants of kinds and tables: rows of cards, records of data files and rows of tables, as numbers in tables.

Takes the collected model and the validated records; gives `Model.tables_data`. Where a record and a card both give a
constant, the card wins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

from dsl.base.span import Span
from dsl.base.spelling import nearest
from dsl.base.types import (
    ERROR,
    MOST_IN_SET,
    BoolType,
    ErrorType,
    IntType,
    ListType,
    MapType,
    MemberType,
    SetType,
    Type,
    bounds,
    default,
    key_count,
)
from dsl.files.rows import COPIES_ROW
from dsl.symbols import copies as cp
from dsl.symbols.products import written_cell
from dsl.symbols.symbols import FieldSym, KindSym, Model, TableSym, flat_id
from dsl.symbols.types import constant, type_of
from dsl.syntax import nodes as sx

ANY_NUMBER = IntType(-999_999, 999_999)  # of a table that does not say its type


class Constants:
    def __init__(
        self,
        model: Model,
        records: Callable[[KindSym, dict[str, Type]], dict[str, dict[str, Any]]],
    ) -> None:
        self.m = model
        self.records = records

    def run(self) -> None:
        for kind in self.m.kinds.values():
            if not kind.parts:
                self.kind(kind)
        for table in self.m.tables.values():
            self.table(table)

    # ------------------------------------------------------------ kinds

    def kind(self, kind: KindSym) -> None:
        consts = {f.name: f.type for f in kind.fields.values() if f.const and not f.builtin and f.type != ERROR}
        given = self.records(kind, consts) if kind.data else {}
        rows: dict[str, dict[str, Any]] = {id_: dict(given.get(id_, {})) for id_ in kind.ids}
        for card in self.m.cards.values():
            if card.kind is kind:
                for line in card.decl.block:
                    if isinstance(line, sx.Row):
                        self.card_row(kind, consts, rows[card.name], line)
        for copy, first in kind.copies.items():
            rows[copy] = rows[first]
        for f in kind.fields.values():
            if f.const and not f.builtin:
                f.table = len(self.m.tables_data)
                self.check_complete(kind, f, rows)
                column = tuple(rows[i].get(f.name, default(f.type) if f.type != ERROR else 0) for i in kind.ids)
                self.m.tables_data.append(column)
                if isinstance(f.type, IntType) and column:
                    f.type = IntType(min(column), max(column))

    def check_complete(self, kind: KindSym, f: FieldSym, rows: dict[str, dict[str, Any]]) -> None:
        """Report cards that lack a constant without a zero; records of data files are checked where they are read."""
        from dsl.files.data import fits_zero

        if f.type == ERROR or fits_zero(f.type):
            return
        for card in self.m.cards.values():
            if card.kind is not kind or f.name in rows[card.name]:
                continue
            written = {self.m.text(r.key.span) for r in card.decl.block if isinstance(r, sx.Row)}  # may be refused
            meant = {nearest(name, kind.fields) for name in written - kind.fields.keys()}
            if f.name not in written | meant:
                self.m.error(
                    "RW0282",
                    card.decl.name_span,
                    f"the card `{card.name}` has no row `{f.name}`",
                    f"add `{f.name}: {f.type}`",
                )

    def card_row(self, kind: KindSym, consts: dict[str, Type], row: dict[str, Any], line: sx.Row) -> None:
        m = self.m
        name = line.key.id if isinstance(line.key, sx.Name) else m.text(line.key.span)
        if name == "name" or name == COPIES_ROW and not cp.declares(kind, name):
            return
        if name not in consts:
            if name not in kind.fields or not kind.fields[name].const:
                known = [*consts, "name", COPIES_ROW, "effect", "while", *kind.strips]
                m.unknown("RW0270", line.key.span, f"row of a `{kind.name}`", name, known)
            return
        value = self.cells(line.cells, consts[name], line.span)
        if value is not None:
            row[name] = value

    # ------------------------------------------------------------ tables

    def table(self, t: TableSym) -> None:
        """Read rows `key: value`; the keys must be complete, or ranges of numbers whose last row is the fallback."""
        m = self.m
        if not t.keys or ERROR in t.keys:
            if not t.keys:
                m.error("RW0271", t.span, f"the table `{t.name}` does not say by what", f"write `table {t.name} by E`")
            t.value = ERROR
            return
        read: list[tuple[sx.Row, Any]] = []
        value_type = type_of(self.m, t.decl.type) if t.decl.type is not None else self.guess_type(t)
        for line in t.decl.block:
            if not isinstance(line, sx.Row):
                m.error("RW0272", line.span, "a table holds rows `key: value`")
                continue
            read.append((line, self.cells(line.cells, value_type, line.span)))
        good = [v for _, v in read if v is not None]
        rows = [(line, good[0] if v is None else v) for line, v in read if good]  # a refused row is there all the same
        if not rows:
            if not t.decl.block:
                m.error("RW0273", t.span, f"the table `{t.name}` is empty")
            t.value = ERROR
            return
        if isinstance(value_type, IntType):
            value_type = IntType(min(good), max(good))
        t.value = value_type
        if len(t.keys) == 1 and isinstance(t.keys[0], IntType):
            self.ranges(t, rows)
        else:
            self.members(t, rows, value_type)

    def guess_type(self, t: TableSym) -> Type:
        """The type of the first row that shows one; an unknown word is reported if no row does."""
        lines = [line for line in t.decl.block if isinstance(line, sx.Row)]
        found = next((g for line in lines if (g := self.guess_row_type(line)) != ERROR), ERROR)
        if found == ERROR and lines and lines[0].cells and lines[0].cells[0]:
            cell = lines[0].cells[0][0]
            self.m.unknown("RW0281", cell.span, "member", self.m.text(cell.span), list(self.m.members))
        return found

    def guess_row_type(self, line: sx.Row) -> Type:
        cell = line.cells[0] if line.cells else ()
        if len(line.cells) == 1 and len(cell) == 1:
            match cell[0]:
                case sx.Num() | sx.Unary():
                    return ANY_NUMBER
                case sx.Name("true" | "false"):
                    return BoolType()
                case e:
                    cell_of = written_cell(self.m, e)
                    if cell_of is not None:
                        return replace(cell_of[0].type, optional=True)
                    found = self.m.members.get(flat_id(e) or "", [])
                    if found:
                        info = self.m.domains[found[0][0]]
                        return MemberType(info.name, info.values[0], info.values[-1], True)
                    if constant(e) is not None:
                        return ANY_NUMBER
        if cell and isinstance(cell[0], sx.Num):
            return ListType(ANY_NUMBER, 64)
        return ERROR

    def ranges(self, t: TableSym, rows: list[tuple[sx.Row, Any]]) -> None:
        done: list[tuple[int, int, Any]] = []
        for line, value in rows:
            match line.key:
                case sx.Num(n):
                    done.append((n, n, value))
                case sx.RangeExpr(low, high):
                    a, b = constant(low), constant(high)
                    if a is not None and b is not None:
                        done.append((a, b, value))
                case _:
                    self.m.error(
                        "RW0274",
                        line.key.span,
                        f"`{self.m.text(line.key.span)}` is not a key of `{t.name}`: a number or a range",
                    )
        t.rows = tuple(done)
        wanted = t.keys[0]
        first, last = bounds(wanted)
        covered = (
            {n for x, y, _ in done for n in range(max(x, first), min(y, last) + 1)} if last - first < 10_000 else set()
        )
        missing = [n for n in range(first, last + 1) if n not in covered] if covered else []
        last_is_range = bool(rows) and isinstance(rows[-1][0].key, sx.RangeExpr)
        if missing and not last_is_range:
            self.m.error(
                "RW0275",
                t.span,
                f"the table `{t.name}` has no row for {missing[0]}"
                + (f" and {len(missing) - 1} more" if missing[1:] else ""),
                "give a row for every key, or end with a range, for example `6..99: 3`",
            )

    def members(self, t: TableSym, rows: list[tuple[sx.Row, Any]], value_type: Type) -> None:
        m = self.m
        column: list[Any] = [None] * key_count(t.keys)
        for line, value in rows:
            parts = (
                [line.key]
                if len(t.keys) == 1
                else list(line.key.args)
                if isinstance(line.key, sx.Index)
                else [line.key]
            )
            at = 0
            for k, part in zip(t.keys, parts, strict=False):
                low, high = bounds(k)
                v = self.single_value(part, k)
                if v is None:
                    at = -1
                    break
                at = at * (high - low + 1) + v - low
            if at < 0:
                continue
            if column[at] is not None:
                m.error("RW0276", line.key.span, f"the key `{m.text(line.key.span)}` occurs twice")
            column[at] = value
        first = cp.original_things(m)
        self.fill_copies(t, column, first)
        if len(t.keys) == 1 and isinstance(t.keys[0], MemberType):
            info = m.domains[t.keys[0].domain]
            empty = [(i, v) for i, v in zip(info.ids, info.values, strict=True) if column[v - t.keys[0].low] is None]
            missing = [i for i, v in empty if info.name not in m.kinds or v not in first]
            if missing:
                m.error(
                    "RW0275",
                    t.span,
                    f"the table `{t.name}` has no row for {', '.join(f'`{i}`' for i in missing[:4])}",
                    "give a row for every key",
                )
        t.table = len(m.tables_data)
        m.tables_data.append(tuple(default(value_type) if v is None else v for v in column))

    def fill_copies(self, t: TableSym, column: list[Any], first: dict[int, int]) -> None:
        """Give each copy of a card without a row of its own the row of the card."""
        things = [isinstance(k, MemberType) and k.domain in self.m.kinds for k in t.keys]
        if not first or not any(things):
            return
        keys = [range(low, high + 1) for low, high in map(bounds, t.keys)]
        at_of = {at: n for n, at in enumerate(product(*keys))}
        for at, n in at_of.items():
            if column[n] is None:
                given = (first.get(v, v) if thing else v for v, thing in zip(at, things, strict=True))
                column[n] = column[at_of[tuple(given)]]

    # ------------------------------------------------------------ cells

    def cells(self, cells: tuple[tuple[sx.Expr, ...], ...], t: Type, span: Span) -> Any:
        """The value of a row's cells; None after a message."""
        m = self.m
        flat = [c[0] for c in cells if len(c) == 1]
        empty = not cells or (
            len(cells) == 1 and len(flat) == 1 and isinstance(flat[0], sx.Name) and flat[0].id == "none"
        )
        match t:
            case ErrorType():
                return None
            case SetType(elem):
                mask, most = 0, MOST_IN_SET if isinstance(elem, IntType) else bounds(elem)[1]
                for c in () if empty else cells:
                    v = self.single_value(c[0], elem) if len(c) == 1 else self.report_cell(c, t)
                    if v is None:
                        return None
                    if not 0 <= v <= most:
                        m.error("RW0216", c[0].span, f"a set cannot hold {v}", f"its numbers are from 0 to {most}")
                        return None
                    mask |= 1 << v
                return mask
            case ListType(elem, cap):
                items: list[Any] = []
                for c in () if empty else cells:
                    v = self.item(c[0], elem) if len(c) == 1 else self.report_cell(c, t)
                    if v is None:
                        return None
                    items.append(v)
                if len(items) > cap:
                    m.error("RW0277", span, f"{len(items)} items, but there can be at most {cap}")
                    return None
                return tuple(items)
            case MapType(keys, value):
                column = [default(value)] * key_count(keys)
                for c in () if empty else map(with_sign, cells):
                    n = self.single_value(c[-1], value) if len(c) == len(keys) + 1 else 1
                    at = 0
                    if n is None or len(c) not in (len(keys), len(keys) + 1):
                        return self.report_cell(c, t) if n is not None else None
                    for k, part in zip(keys, c, strict=False):
                        low, high = bounds(k)
                        v = self.single_value(part, k)
                        if v is None:
                            return None
                        at = at * (high - low + 1) + v - low
                    column[at] = n
                return tuple(column)
        if len(cells) != 1 or len(cells[0]) != 1:
            m.error("RW0278", span, f"one `{t}` is needed here, but got `{m.text(span)}`")
            return None
        return self.single_value(cells[0][0], t)

    def report_cell(self, cell: tuple[sx.Expr, ...], t: Type) -> int | None:
        self.m.error(
            "RW0278",
            cell[0].span.to(cell[-1].span),
            f"`{' '.join(self.m.text(c.span) for c in cell)}` is not an item of a `{t}`",
        )
        return None

    def item(self, e: sx.Expr, t: Type) -> Any:
        """An item of a list: a single constant, or a set or list in braces; None after a message."""
        if not isinstance(t, SetType | ListType):
            return self.single_value(e, t)
        if isinstance(e, sx.SetLit):
            return self.cells(tuple((x,) for x in e.items), t, e.span)
        self.m.error("RW0279", e.span, f"`{self.m.text(e.span)}` is not `{t}`", "write it in braces: `{a, b}`")
        return None

    def single_value(self, e: sx.Expr, t: Type) -> int | None:
        """A single constant."""
        m = self.m
        match t:
            case IntType(low, high):
                n = constant(e)
                if n is None:
                    wanted = "a number" if t == ANY_NUMBER else f"a number {t}"
                    m.error("RW0279", e.span, f"`{m.text(e.span)}` is not a number", f"{wanted} is needed here")
                elif not low <= n <= high:
                    m.error(
                        "RW0280",
                        e.span,
                        f"{n} is outside {low}..{high}",
                        "write a number within the bounds, or widen the declaration",
                    )
                    return None
                return n
            case BoolType():
                if isinstance(e, sx.Name) and e.id in ("true", "false"):
                    return int(e.id == "true")
                m.error("RW0279", e.span, f"`{m.text(e.span)}` is neither `true` nor `false`")
                return None
            case MemberType(optional=optional):
                if (cell := written_cell(m, e)) is not None and cell[2] is not None and m.fits_kind(cell[0].type, t):
                    return cell[2]
                id_ = flat_id(e) or ""
                if id_ == "none" and optional:
                    return 0
                for domain, value in m.members.get(id_, ()):
                    info = m.domains[domain]
                    if m.fits_kind(MemberType(domain, info.values[0], info.values[-1]), t):
                        m.resolved_members[e.span] = (domain, value)
                        return value
                m.unknown("RW0281", e.span, f"`{t.domain}`", id_ or m.text(e.span), list(m.domains[t.domain].ids))
                return None
        return None


def with_sign(cell: tuple[sx.Expr, ...]) -> tuple[sx.Expr, ...]:
    """`happy -1` reads as a difference; in the row of a map it is a key and a number below zero."""
    match cell:
        case (*keys, sx.Binary("-", left, right)):
            return (*keys, left, sx.Unary("-", right, span=right.span))
    return cell
