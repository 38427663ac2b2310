"""The questions of a ruleset as a page asks them: who is asked, what each answer is called, and which values its texts
name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import BOOL, MemberType, SetType, Type
from dsl.ir.sites import OWN
from dsl.ir.walk import walk
from interpreter.rules.rules import Rules
from interpreter.rules.site_texts import Answers, done_keys, end_keys, pick_keys
from interpreter.rules.texts import squeeze
from interpreter.session.decision import FRAMED
from tools.page.readings import Readings
from tools.page.values import type_as_json

Values = Sequence[tuple[str, ir.Expr, Type]]


def sites_as_json(rules: Rules, readings: Readings) -> list[dict[str, Any]]:
    return [_site(rules, readings, answers) for answers in rules.answers]


def _site(rules: Rules, readings: Readings, answers: Answers) -> dict[str, Any]:
    site = answers.site
    asked = rules.texts.placeholder_names((f"{site.address}.ask", site.address))
    found: dict[str, Any] = {
        "address": site.address, "shape": site.shape, "cursor": site.cursor,
        "default": site.by_default, "always": site.always_ask, "waits": site.waits,
        "seat": readings.value(site.seat, site.actor_type), "actor": readings.value(site.actor, site.actor_type),
        "actor_type": type_as_json(site.actor_type), "amount": answers.amount_name(),
        "alternatives": [_alternative(rules, readings, answers, n) for n in range(len(site.alternatives))],
        "asked": _values(readings, site, site.text_values, asked),
        "at_once": site.at_once, "named": OWN in site.named,
    }  # fmt: skip
    ending = rules.texts.placeholder_names(
        (*done_keys(site.address, ""), *pick_keys(site.address, ""), *end_keys(site.address))
    )
    found["ending"] = _values(readings, site, site.text_values, ending)
    if site.payment is not None:
        found["gain"] = site.payment.gain
    if site.open_to is not None and (waiting := _waiting(site)) is not None:
        found["open"] = {"read": readings.value(site.open_to[0], waiting), "type": type_as_json(waiting),
                         "slot": site.open_to[1]}  # fmt: skip
    if (full := _is_full(site)) is not None:
        found["full"] = readings.value(full, BOOL)
    if site.audience is not None:
        seats = _seats(rules)
        found["audience"] = {"read": readings.value(site.audience, seats), "words": type_as_json(seats)["words"]}
    return found


def _waiting(site: ir.Site) -> Type | None:
    """The type of the set of members that may answer in a loop `open to`."""
    types = (n.type for n in walk(site.open_to) if isinstance(n, ir.FrameVar))
    return next((t for t in types if isinstance(t, SetType)), None)


def _seats(rules: Rules) -> Type:
    values = rules.program.domains[rules.program.seat_kind].values
    return SetType(MemberType(rules.program.seat_kind, values[0], values[-1]))


def _alternative(rules: Rules, readings: Readings, answers: Answers, number: int) -> dict[str, Any]:
    site, alternative = answers.site, answers.site.alternatives[number]
    named = len(site.alternatives) > 1 or not alternative.binders or alternative.name in rules.program.proc_names
    case = alternative.name if named else ""
    wanted = rules.texts.placeholder_names((*pick_keys(site.address, case), *done_keys(site.address, case)))
    own = site.own_values[number] if site.own_values else ()
    probe = alternative.probe
    return {
        "name": alternative.name, "case": case,
        "binders": [[squeeze(b[0]), type_as_json(b[3])] for b in alternative.binders],
        "values": _values(readings, site, (*site.text_values, *own), wanted,
                          tuple((b[1], b[3]) for b in alternative.binders), probe if probe and probe.mods else None),
    }  # fmt: skip


def _values(
    readings: Readings,
    site: ir.Site,
    values: Values,
    wanted: frozenset[str],
    args: Sequence[tuple[int, Type]] = (),
    order: ir.Possible | None = None,
) -> list[dict[str, Any]]:
    """The values of these names: the last of each name, as texts take them."""
    rows = {squeeze(name): (expr, type_) for name, expr, type_ in values if squeeze(name) in wanted}
    opened = {squeeze(name) for name in site.open_values}
    return [
        {"name": name, "read": readings.value(expr, type_, args, order), "type": type_as_json(type_),
         "args": len(args), "openly": name in opened, **_kept(site, expr),
         **_about(readings, site, expr, args)}
        for name, (expr, type_) in rows.items()
    ]  # fmt: skip


def _kept(site: ir.Site, expr: ir.Expr) -> dict[str, bool]:
    """Whether a value reads a variable that holds what not all may know, and what the one who is asked may not."""
    slots = set(_slots(expr)) if site.kept or site.unseen else set()
    return {"kept": bool(slots & site.kept), "unseen": bool(slots & site.unseen)}


def _about(
    readings: Readings, site: ir.Site, expr: ir.Expr, args: Sequence[tuple[int, Type]]
) -> dict[str, Any]:  # fmt: skip
    """What a value reads of things that were chosen openly among hidden ones: `args` of the option itself, and others
    from variables."""
    nodes = list(walk(expr)) if site.named else []
    temps = {n.slot for n in nodes if isinstance(n, ir.Temp)} if OWN in site.named else set[int]()
    own = [n for n, (slot, _) in enumerate(args) if slot in temps]
    reads = [{"read": readings.value(n, n.type), "type": type_as_json(n.type)}
             for n in nodes if isinstance(n, ir.FrameVar) and n.slot in site.named]  # fmt: skip
    return {"about": {"args": own, "reads": reads}} if own or reads else {}


def _slots(expr: ir.Expr) -> Iterator[int]:
    return (node.slot for node in walk(expr) if isinstance(node, FRAMED))


def _is_full(site: ir.Site) -> ir.Expr | None:
    """Whether an answer has as many members as may be, and everybody knows that (`Decision.is_full`)."""
    most = [b.amount for b in site.bounds if b.known and b.op in ("exactly", "at most")]
    if site.answer is None or not most or site.shape not in ("some", "amounts"):
        return None
    number = ir.Size("set" if site.shape == "some" else "total", ir.FrameVar(*site.answer))
    return ir.And((number, ir.Or(tuple(ir.Compare("<=", amount, number) for amount in most))))
