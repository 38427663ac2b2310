"""The show-program as a page reads it: as plain data, and for each name in it what the name means, kind by kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from dsl.shows.panels import ShowPanel
from dsl.shows.spec import ShowSpec
from interpreter.rules.rules import Rules
from interpreter.rules.sources import Constant, Field, Original, Source, SourceCall, sources_of
from tools.page.readings import Readings
from tools.page.things import OWN
from tools.page.values import type_as_json, value_as_json
from tools.shows.presenter import Presenter
from tools.shows.zones import fields_and_zones


def sources_as_json(presenter: Presenter, readings: Readings) -> dict[str, dict[str, Any]]:
    """By name and kind; the kind is empty for the whole game, and has a `*` before it for an enum."""
    rules, program = presenter.game, presenter.program
    symbols, kinds = fields_and_zones(presenter)
    names = {*names_in_shows(program.display), *symbols, *(name for row in kinds.values() for name in row)}
    names |= {address.rpartition(".")[2] for address in program.consts}
    names |= {e.symbol.rpartition(".")[2] for e in program.layout} | placeholders(rules)
    found: dict[str, dict[str, Any]] = {}
    for name in sorted(names):
        rows = {key: source_as_json(rules, readings, source, key) for key, source in _by_kind(rules, name)}
        whole = rows.get("")
        rows = {key: row for key, row in rows.items() if row != whole or not key}
        if rows:
            found[name] = rows
    return found


def _by_kind(rules: Rules, name: str) -> Iterator[tuple[str, Source]]:
    sources = sources_of(rules)
    if (source := sources.find(name)) is not None:
        yield "", source
    for kind, info in rules.program.domains.items():
        enum = info.sort == "enum"
        if info.sort in OWN and (source := sources.find(name, kind, enum)) is not None:
            yield f"*{kind}" if enum else kind, source


def source_as_json(rules: Rules, readings: Readings, source: Source, kind: str) -> dict[str, Any]:
    match source:
        case Field(entry, owned, indexed):
            at = rules.program.layout.index(entry)
            return {"is": "field", "entry": at, **({"owned": True} if owned else {"indexed": True} if indexed else {})}
        case Constant(table, type_, first):
            count = len(rules.program.domains[kind.lstrip("*")].values)
            rows = rules.program.tables[table][:count]
            return {"is": "const", "first": first, "type": type_as_json(type_),
                    "rows": [value_as_json(row, type_) for row in rows]}  # fmt: skip
        case Original():
            return {"is": "original"}
        case SourceCall(number, args):
            result = rules.program.functions[number].result
            return {"is": "call", "read": readings.call(number), "args": list(args), "type": type_as_json(result)}


def placeholders(rules: Rules) -> set[str]:
    """The values that headings name."""
    titles = tuple(key for p in rules.program.procs if p.word == "phase" for key in (f"{p.name}.title", p.name))
    return {name.removesuffix("()") for name in rules.texts.placeholder_names(titles)}


def names_in_shows(part: Any) -> Iterator[str]:
    """The names of values that a part of a show-program reads."""
    if isinstance(part, ShowSpec):
        yield from filter(None, (part.of, part.by, part.where))
    elif is_dataclass(part):
        yield from names_in_shows(tuple(by_field(part).values()))
    elif isinstance(part, (tuple, Mapping)):
        for inner in part.values() if isinstance(part, Mapping) else part:
            yield from names_in_shows(inner)


def shows_as_json(part: Any) -> Any:
    """A part of a show-program as plain data: records by their fields, a panel with the sort of its content."""
    if isinstance(part, tuple):
        return [shows_as_json(inner) for inner in part]
    if is_dataclass(part):
        sort = {"is": type(part.content).__name__} if isinstance(part, ShowPanel) else {}
        return sort | shows_as_json(by_field(part))
    return {key: shows_as_json(inner) for key, inner in part.items()} if isinstance(part, Mapping) else part


def by_field(record: Any) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}
