"""Members and things as a page knows them: ids, names, looks and printed texts, which no position changes."""

from __future__ import annotations

from typing import Any

from dsl.base.types import MemberType
from dsl.ir import DomainInfo
from interpreter.rules.rules import Rules
from tools.picture.model.about import printed_text
from tools.picture.model.signs import thing_of
from tools.shows.presenter import Presenter

OWN = ("enum", "kind")  # domains whose members are of no other one


def domains_as_json(rules: Rules) -> dict[str, Any]:
    """Enums, kinds and unions with their members."""
    return {name: _domain(info) for name, info in rules.program.domains.items()}


def _domain(info: DomainInfo) -> dict[str, Any]:
    found: dict[str, Any] = {"sort": info.sort, "values": list(info.values), "ids": list(info.ids)}
    if (lattice := info.lattice) is not None:
        found["lattice"] = {
            "shape": lattice.shape, "columns": lattice.columns, "rows": lattice.rows, "wraps": lattice.wraps,
            "cells": [lattice.coordinates(n) for n in range(len(info.values))],
        }  # fmt: skip
    return found


def names_in(rules: Rules, lang: str) -> dict[str, list[str]]:
    """The names of the members of each enum, kind and union, in their order."""
    return {name: [rules.texts.id(lang, name, id_) for id_ in info.ids] for name, info in rules.program.domains.items()}


def looks_as_json(presenter: Presenter) -> dict[str, list[list[str]]]:
    """How the members of each enum and kind look: letters, colour, outline and pattern, in this order."""
    found = {}
    for name, info in presenter.program.domains.items():
        if info.sort in OWN:
            things = [thing_of(presenter, v, MemberType(name, v, v)) for v in info.values]
            found[name] = [[t.mark, t.colour, t.icon, t.pattern] for t in things]
    return found


def about_in(presenter: Presenter) -> dict[str, dict[str, list[str]]]:
    """What is printed about the members of each enum and kind, by their ids, where there is anything."""
    found: dict[str, dict[str, list[str]]] = {}
    for name, info in presenter.program.domains.items():
        if info.sort in OWN:
            things = (thing_of(presenter, v, MemberType(name, v, v)) for v in info.values)
            rows = zip(info.ids, things, strict=True)
            found[name] = {id_: list(thing.about) for id_, thing in rows if thing.about}
    return found


def printed_in(presenter: Presenter) -> dict[str, str]:
    """The texts of cards, by the numbers of their things, where there is one."""
    program = presenter.program
    things = enumerate(zip(program.thing_kinds, program.thing_ids, strict=True))
    texts = ((number, printed_text(presenter, kind, id_)) for number, (kind, id_) in things if number)
    return {str(number): text for number, text in texts if text}


def backs_in(rules: Rules, lang: str) -> dict[str, str]:
    """What stands on the backs of things, in words, by their numbers."""
    rows = rules.backs.items()
    return {str(t): " ".join(rules.texts.value(lang, v, type_) for _, v, type_ in row) for t, row in rows if row}
