"""The last pass: everything made so far as one `Program`."""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl import program as pg
from dsl.documents import Manifest
from dsl.elaborate.elaborator import Elaborator
from dsl.program import DEFERRED_LINK, TIMED_LINK, Limits, Program
from dsl.span import Source
from dsl.types import BoolType


def assemble(
    el: Elaborator,
    name: str,
    digest: str,
    seats: tuple[int, int],
    limits: Limits,
    manifest: Manifest | None,
    clauses: dict[str, dict[str, str]],
    locale: dict[str, dict[str, str]],
    display: dict[str, Any],
    positions: dict[str, ir.Position],
    rulings: dict[str, ir.Ruling],
    sources: dict[str, Source],
) -> Program:
    """Numbers of things and zones, tables for end lists and timed records, texts; the machine needs nothing else."""
    m, lay = el.m, el.lay
    thing_ids, thing_kinds, placed = ["none"], [""], [0]
    for kind in m.kinds.values():
        if kind.parts:
            continue
        base = lay.place.get(kind.name, 0)
        for i, id_ in enumerate(kind.ids):
            thing_ids.append(id_)
            thing_kinds.append(kind.name)
            placed.append(base + i if base else 0)
    deferred_base = timed_base = 0
    deferred_args = el.max_deferred
    kept = [n for n in all_nodes(el) if isinstance(n, (ir.Defer, ir.Scope, ir.Timed, ir.Possible))]
    if any(isinstance(n, ir.Defer) for n in kept):
        deferred_args = max([deferred_args, *(len(p.params) for p in el.procs.values())])
        deferred_base = lay.take(limits.deferred * (DEFERRED_LINK + deferred_args))
    timed_args = max((len(line.captured) for line in el.timed), default=0)
    if any(not isinstance(n, ir.Defer) and (not isinstance(n, ir.Possible) or n.waive or n.mods) for n in kept):
        timed_base = lay.take(limits.timed * (TIMED_LINK + timed_args))
    number = max(el.procs, default=0)
    empty = ir.Proc("", "none", (), 0, False)
    procs = tuple(el.procs.get(i, empty) for i in range(number + 1))
    functions = tuple(f if f is not None else ir.Function("", (), 0, BoolType(), ir.Const(0)) for f in el.functions)
    result = {}
    evaluate = -1
    watch: list[tuple[str, int]] = []
    if manifest is not None:
        for key, value in manifest.result.items():
            if value in m.values:
                m.values[value].used = True
                result[key] = m.values[value].fn
            else:
                m.unknown("RW0322", manifest.span("result", key), "value", value, list(m.values))
        if manifest.evaluate:
            if manifest.evaluate in m.values:
                m.values[manifest.evaluate].used = True
                evaluate = m.values[manifest.evaluate].fn
            else:
                m.unknown("RW0322", manifest.span("evaluate"), "value", manifest.evaluate, list(m.values))
        for name_ in manifest.watch:
            if name_ in m.values:
                m.values[name_].used = True
                watch.append((name_, m.values[name_].fn))
            else:
                m.unknown("RW0322", manifest.span("watch"), "value", name_, list(m.values))
    options = tuple(
        ir.OptionInfo(o.name, "bool" if isinstance(o.type, BoolType) else o.name, o.default, o.address)
        for o in m.options.values()
    )
    texts = {lang: dict(t) for lang, t in locale.items()}
    for card in m.cards.values():
        if card.title:
            texts.setdefault("en", {}).setdefault(f"{card.kind.name}.{card.name}", card.title)
    entry = m.routines["game"].proc if "game" in m.routines else 0
    return Program(
        manifest.id if manifest else name,
        manifest.version if manifest else "0",
        digest,
        manifest.title if manifest else {"en": name},
        seats,
        limits,
        m.domains,
        tuple(thing_ids),
        tuple(thing_kinds),
        tuple(m.tables_data),
        tuple(lay.entries),
        lay.words,
        0,
        tuple(placed),
        tuple(lay.zones),
        tuple(lay.init),
        deferred_base,
        deferred_args,
        timed_base,
        timed_args,
        functions,
        procs,
        tuple(el.code),
        tuple(el.finish_sites()),
        tuple(p for p in el.purse_code if p is not None),
        tuple(el.invariants),
        options,
        entry,
        lay.known_base,
        {v.name: v.fn for v in m.values.values()},
        {r.name: r.proc for r in m.routines.values() if "#" not in r.name},
        "Cause" if "Cause" in m.enums else "",
        "Seat",
        result,
        evaluate,
        tuple(watch),
        clauses,
        {k: tuple(v) for k, v in m.cites.items()},
        texts,
        display,
        positions,
        rulings,
        {c.name: c.kind.name for c in m.cards.values()},
        sources,
        (),
        tuple((name, *grade) for name, grade in el.plans.items()),
        presets=manifest.presets if manifest else {},
        consts=consts(el),
        moment_proc=el.moment_proc,
    )


def consts(el: Elaborator) -> dict[str, tuple[int, Any]]:
    """Table and type of each const field, for tools that show things."""
    return {
        f"{kind.name}.{f.name}": (f.table, f.type)
        for kind in el.m.kinds.values()
        if not kind.parts
        for f in kind.fields.values()
        if f.const and f.table >= 0
    }


def all_nodes(el: Elaborator) -> Any:
    from dsl.elaborate.reads import nodes

    for instr in el.code:
        yield from nodes(instr)
    for proc in el.procs.values():
        yield from nodes(proc.body)
    for site in el.sites:
        yield from nodes(site)
    for function in el.functions:
        if function is not None:
            yield from nodes(function.body)
