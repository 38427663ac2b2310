"""Rulings with a table: parameters behind the name, and under `cases` a row of values for each.

Each row is a ruling of its own, `NAME.ROW`: the text as it is written, with the values of the row in place of the
parameters. Rows are written out before anything else is read of rulings, so what holds elsewhere only is left out row
by row; values are compared with the types of the parameters where a row is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from dsl import ir
from dsl.base.spelling import nearest
from dsl.base.types import ERROR, BoolType, IntType, MemberType
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.elaborate.cases.rulings import read_ruling
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.records import CaseRow
from dsl.symbols.rule_lines import parameters
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk

PLACE = re.compile(r"\{(\w+)\}")  # of a parameter in a title
KEYS = ("seats", "options", "over", "asks")  # of rows that mean something of their own


# ---------------------------------------------------------------- writing out


def write_out_tables(elab: Elaboration) -> None:
    """Put the rows of each table among the rulings of the model, in place of the ruling that has it. A ruling whose
    table cannot be read stays, without its lines."""
    m = elab.model
    found: dict[str, sx.Decl] = {}
    for name, d in m.rulings.items():
        sections = [line for line in d.block if is_table(line)]
        if d.params is None and not sections:
            found[name] = d
        elif has_sound_table(m, d, sections):
            for row in rows_of(d, sections[0]):
                elab.cases.rows[f"{name}.{label_of(row.line)}"] = row
                found[f"{name}.{label_of(row.line)}"] = written_out(m, row)
        else:
            found[name] = replace(d, params=None, block=())
    m.rulings.clear()
    m.rulings.update(found)


def is_table(line: sx.Line) -> bool:
    return isinstance(line, sx.Section) and line.word == "cases"


def label_of(line: sx.Row) -> str:
    """The name of a row, or its number."""
    return str(line.key.value) if isinstance(line.key, sx.Num) else line.key.id if isinstance(line.key, sx.Name) else ""


def rows_of(d: sx.Decl, table: sx.Line) -> Iterator[CaseRow]:
    """The rows of a sound table, each with what stands for the parameters."""
    assert isinstance(table, sx.Section)
    for line in table.block:
        assert isinstance(line, sx.Row)
        cells = (cell[0] for cell in line.cells)
        yield CaseRow(d, line, dict(zip(names_of(d), cells, strict=True)))


def is_position(p: sx.Arg) -> bool:
    """Whether a parameter stands for the position that a row begins from."""
    return p.type == sx.Name("position")


def names_of(d: sx.Decl) -> list[str]:
    """The names of the parameters of a ruling."""
    return [p.value.id for p in d.params or () if isinstance(p.value, sx.Name)]


def has_sound_table(m: Model, d: sx.Decl, sections: Sequence[sx.Line]) -> bool:
    """Whether a ruling has parameters, uses each of them, and has one table with a value for each; else a message."""
    told = len(m.diagnostics)
    if not d.params:
        help = f"name the columns behind the ruling: `ruling {d.name}(number: 0..9)`"
        m.error("RW0916", sections[0].span if sections else d.name_span, "a table needs parameters", help)
        return False
    if not sections:
        help = "write `cases` in the ruling, and below it a row `name: value, value` for each case"
        m.error("RW0916", d.name_span, f"the ruling `{d.name}` has parameters and no table", help)
        return False
    for section in sections[1:]:
        m.error("RW0916", section.span, "a second table", "a ruling has one: put all rows into the first")
    assert isinstance(sections[0], sx.Section)
    check_rows(m, sections[0].block, len(d.params))
    check_parameters(m, d)
    return len(m.diagnostics) == told


def check_rows(m: Model, lines: Sequence[sx.Line], count: int) -> None:
    """Report rows that have no name or another row's, or not as many values as there are parameters."""
    seen: set[str] = set()
    for line in lines:
        if not isinstance(line, sx.Row) or not label_of(line) or line.block:
            m.error("RW0916", line.span, "this is no row of a table", "write a name or number, `:`, and its values")
            continue
        if label_of(line) in seen:
            m.error("RW0916", line.key.span, f"two rows are called `{label_of(line)}`", "each is a ruling of its own")
        seen.add(label_of(line))
        wide = next((cell for cell in line.cells if len(cell) > 1), None)
        if wide is not None:
            shown = m.text(wide[0].span.to(wide[-1].span))
            m.error("RW0916", wide[0].span, f"`{shown}` is more than one value", "put a `,` between two values")
        elif len(line.cells) != count:
            values = "one value" if len(line.cells) == 1 else f"{len(line.cells)} values"
            message = f"the row `{label_of(line)}` has {values}, and the ruling {count} parameter{'s' * (count > 1)}"
            m.error("RW0916", line.span, message, "give a value for each parameter, in their order")


def check_parameters(m: Model, d: sx.Decl) -> None:
    """Report parameters that no line uses, that hide something, and names in the title that are no parameters."""
    params, lines = names_of(d), [line for line in d.block if not is_table(line)]
    used = {node.id for node in walk(tuple(lines)) if isinstance(node, sx.Name)}
    used |= {line.name or "" for line in lines if isinstance(line, sx.Section)}
    for p in d.params or ():
        name = p.value.id if isinstance(p.value, sx.Name) else ""
        if not name:
            m.error("RW0917", p.span, "this is no parameter", "write `name: TYPE`")
        elif name in KEYS:
            m.error("RW0204", p.span, f"`{name}` means something of its own in a ruling", "choose another name")
        elif name in m.declared:
            help = "choose another name: in the ruling this one would mean the parameter everywhere"
            m.error("RW0204", p.span, f"`{name}` is a name of the rules", help)
        elif name not in used:
            m.error("RW0917", p.span, f"no line of the ruling uses `{name}`", "use it, or take its column out")
    for node in walk(tuple(lines)):
        if isinstance(node, sx.Binder) and node.name in params:
            m.error("RW0204", node.span, f"`{node.name}` is a parameter of the ruling", "choose another name")
    for found in PLACE.finditer(d.text or ""):
        if found[1] not in params:
            near = nearest(found[1], params)
            help = f"did you mean `{{{near}}}`?" if near else f"its parameters are {', '.join(params)}"
            m.error("RW0917", d.name_span, f"the title names `{{{found[1]}}}`, which is no parameter", help)


def written_out(m: Model, row: CaseRow) -> sx.Decl:
    """The ruling of a row: that of the table with the values of the row in it."""
    d = row.of
    title = PLACE.sub(lambda place: m.text(row.values[place[1]].span), d.text or "")
    block = tuple(with_values(line, row.values) for line in d.block if not is_table(line))
    name = f"{d.name}.{label_of(row.line)}"
    return replace(d, name=name, text=title, block=block, params=None, cites=d.cites + row.line.cites)


def with_values(node: Any, values: Mapping[str, sx.Expr]) -> Any:
    """A tree with expressions in place of these names; what has none of them stays the same."""
    if type(node) is tuple:
        items = tuple(with_values(item, values) for item in node)
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if not isinstance(node, sx.Node):
        return node
    if isinstance(node, sx.Name):
        return values.get(node.id, node)
    found = {f.name: getattr(node, f.name) for f in fields(node) if "span" not in f.name}
    changed: dict[str, Any] = {
        name: part for name, old in found.items() if (part := with_values(old, values)) is not old
    }
    if isinstance(node, sx.Section) and isinstance(base := values.get(node.name or ""), sx.Name):
        changed["name"] = base.id
    return replace(node, **changed) if changed else node


# ---------------------------------------------------------------- reading


def read_rulings(elab: Elaboration) -> dict[str, ir.Ruling]:
    """All rulings of the model. Wrong values are reported for each row of a table, other faults for one of them."""
    found: dict[str, ir.Ruling] = {}
    sound: dict[str, bool] = {}  # a ruling with a table -> whether nothing was wrong with it so far
    for name, d in elab.model.rulings.items():
        row = elab.cases.rows.get(name)
        if row is None:
            found[name] = read_ruling(elab, d)
            continue
        told = len(elab.model.diagnostics)
        if fits_types(elab, row) and sound.get(row.of.name, True):
            found[name] = replace(read_row(elab, d, row), span=row.line.span)
        else:
            found[name] = ir.Ruling(name, d.text or "", d.cites, 0, (), (), (), d.span.file, row.line.span)
        messages = elab.model.diagnostics[told:]
        sound[row.of.name] = sound.get(row.of.name, True) and not any(e.severity is Severity.ERROR for e in messages)
        forget_again(elab.model.diagnostics, told)
    return found


def forget_again(messages: list[Diagnostic], since: int) -> None:
    """Take out those from a number on that were given at the same place before, for another row."""
    before = {(e.code, e.span) for e in messages[:since]}
    messages[since:] = [e for e in messages[since:] if (e.code, e.span) not in before]


def fits_types(elab: Elaboration, row: CaseRow) -> bool:
    """Whether the values of a row are of the types of the parameters; else a message."""
    m = elab.model
    told = len(m.diagnostics)
    params = [p for p in row.of.params or () if not is_position(p)]
    for name in (p.value.id for p in row.of.params or () if is_position(p) and isinstance(p.value, sx.Name)):
        value = row.values[name]
        if not isinstance(value, sx.Name) or value.id not in m.positions:
            m.unknown("RW0901", value.span, "position", m.text(value.span), list(m.positions))
    for (name, t), p in zip(parameters(m, tuple(params)), params, strict=True):
        if t == ERROR:
            continue
        if not isinstance(t, IntType | BoolType | MemberType):
            m.error(
                "RW0917",
                p.span,
                f"`{name}` is a `{t}`",
                "a parameter of a ruling is one number, member, truth or `position`",
            )
        else:
            elab.constants.single_value(row.values[name], t)
    return len(m.diagnostics) == told


def read_row(elab: Elaboration, d: sx.Decl, row: CaseRow) -> ir.Ruling:
    """The ruling of a row, whose texts have the values of the row as well."""
    m = elab.model
    lines = tuple(line for line in row.of.block if not is_table(line))
    places = [n for n in walk(lines) if isinstance(n, sx.Name) and n.id in row.values]
    places.sort(key=lambda place: place.span.start)
    elab.cases.values = row.values
    m.put_in = tuple((place.span, m.text(row.values[place.id].span)) for place in places)
    try:
        return read_ruling(elab, d)
    finally:
        m.put_in = ()
        elab.cases.values = {}
