"""`display.yaml` as a page reads it: the file as it is, and for each name in it what the name means, kind by kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
    names = {*words_of(program.display), *symbols, *(name for row in kinds.values() for name in row)}
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


def words_of(display: Any) -> Iterator[str]:
    """All texts in `display.yaml`, the names of values among them."""
    if isinstance(display, dict):
        for value in display.values():
            yield from words_of(value)
    elif isinstance(display, list):
        for value in display:
            yield from words_of(value)
    elif isinstance(display, str):
        yield display
