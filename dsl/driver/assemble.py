"""The last pass: the results of all others as one `Program`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dsl import ir
from dsl.base.types import BoolType, width
from dsl.checks.wording.addresses import complete_texts
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.rulings import Cases
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.places import read_by_place
from dsl.elaborate.core.reads import back_tables, nodes
from dsl.elaborate.declarations.sites import finish_sites
from dsl.files.documents import Documents, Manifest
from dsl.ir.costs import with_costs
from dsl.knowledge.choices import finish_questions
from dsl.knowledge.ruleset import Knowledge
from dsl.program import DEFERRED_LINK, ORDER, TIMED_LINK, Program, SearchSettings
from dsl.shows.reading import show_program
from dsl.symbols.copies import copies_by_name, original_things, with_copies, with_hints

NEEDING_ROOM = ir.having("records")  # nodes that may need room for records
Values = tuple[dict[str, int], int, tuple[tuple[str, int], ...]]


def manifest_values(elab: Elaboration, manifest: Manifest | None) -> Values:
    """Function numbers of the values that the manifest names: results, the evaluation for bots, watched values."""
    m = elab.model

    def number(name: str, *path: str) -> int:
        if name not in m.values:
            assert manifest is not None
            m.unknown("RW0322", manifest.span(*path), "value", name, list(m.values))
            return -1
        m.values[name].used = True
        return m.values[name].fn

    if manifest is None:
        return {}, -1, ()
    result = {key: number(name, "result", key) for key, name in manifest.result.items()}
    evaluate = number(manifest.evaluate, "evaluate") if manifest.evaluate else -1
    return result, evaluate, tuple((name, number(name, "watch")) for name in manifest.watch)


def assemble(
    elab: Elaboration,
    name: str,
    documents: Documents,
    values: Values,
    know: Knowledge | None,
    wanted: tuple[str, ...],
) -> Program:
    """The program without positions and rulings, which `with_cases` adds: things and zones by number, room for end
    lists and timed records, code and texts."""
    m, lay, manifest = elab.model, elab.layout, documents.manifest
    thing_ids, thing_kinds, placed = number_things(elab)
    deferred_base, deferred_args, timed_base, timed_args, words = record_room(elab)
    empty = ir.Proc("", "none", (), 0, False)
    nothing = ir.Function("", (), 0, BoolType(), ir.Const(0))
    texts = complete_texts(elab, documents)
    result, evaluate, watch = values
    names = copies_by_name(m)
    if names:
        texts = {lang: with_copies(t, names) for lang, t in texts.items()}
    functions = with_costs(
        [
            nothing if f is None else read_by_place(f, lay.zones, placed, elab.seats[1], m.tables_data)
            for f in elab.out.functions
        ]
    )
    return Program(
        id=manifest.id if manifest else name,
        version=manifest.version if manifest else "0",
        digest="",
        title=manifest.title if manifest else {documents.languages()[0]: name},
        seats=elab.seats,
        limits=elab.limits,
        domains=m.domains,
        thing_ids=thing_ids,
        thing_kinds=thing_kinds,
        tables=tuple(m.tables_data),
        layout=tuple(lay.entries),
        state_words=words,
        placed=placed,
        zones=tuple(lay.zones),
        init=tuple(lay.init),
        deferred_base=deferred_base,
        deferred_args=deferred_args,
        timed_base=timed_base,
        timed_args=timed_args,
        functions=functions,
        procs=tuple(elab.out.procs.get(i, empty) for i in range(max(elab.out.procs, default=0) + 1)),
        code=tuple(elab.out.code),
        sites=tuple(finish_questions(know, finish_sites(elab))),
        purses=tuple(p for p in elab.out.purses if p is not None),
        invariants=tuple(elab.out.invariants),
        hands_on=tuple(elab.out.hands_on),
        given=tuple(elab.out.given),
        options_before=manifest.options_before_with_places() if manifest else (),
        stand_ins=documents.stand_ins,
        follows=manifest.follows_with_places() if manifest else (),
        options=tuple(
            ir.OptionInfo(o.name, "bool" if isinstance(o.type, BoolType) else o.name, o.default, o.address)
            for o in m.options.values()
        ),
        entry=m.routines["game"].proc if "game" in m.routines else 0,
        moment_proc=elab.out.moment_proc,
        known_base=lay.known_base,
        function_names={v.name: v.fn for v in m.values.values()},
        proc_names={r.name: r.proc for r in m.routines.values() if "#" not in r.name},
        causes="Cause" if "Cause" in m.enums else "",
        result=result,
        zero_sum=documents.manifest is not None and documents.manifest.zero_sum,
        evaluate=evaluate,
        search=manifest.search if manifest else SearchSettings(),
        watch=watch,
        seldom=manifest.seldom if manifest else (),
        clauses=documents.clauses or {},
        sources_of_clauses=documents.sources,
        cites={k: tuple(v) for k, v in m.cites.items()},
        texts=texts,
        wanted=wanted,
        display=show_program(with_hints(documents.display, m), documents.shapes),
        cards={c.name: c.kind.name for c in m.cards.values()},
        sources=m.sources,
        plans=tuple((name, *grade) for name, grade in elab.findings.grades.items() if not m.routines[name].original),
        presets=manifest.presets if manifest else {},
        consts=const_tables(elab),
        backs=frozenset(f"{f.owner.name}.{f.name}" for f in m.all_fields() if f.back and f.owner),
        back_tables=back_tables(m, elab.memo.joined_tables),
        copies=original_things(m),
    )


def with_cases(program: Program, cases: Cases, digest: str, notes: tuple[Diagnostic, ...]) -> Program:
    """The complete program, with positions and rulings, its digest and what the checker said."""
    return replace(
        program,
        positions=cases.positions,
        rulings=cases.rulings,
        needs=cases.needs(),
        broken=cases.broken,
        elsewhere=cases.elsewhere,
        named_overlays=cases.overlays,
        digest=digest,
        notes=notes,
    )


def number_things(elab: Elaboration) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """Ids, kinds and place words of all things, by number."""
    ids, kinds, placed = ["none"], [""], [0]
    for kind in elab.model.kinds.values():
        if kind.parts:
            continue
        base = elab.layout.place.get(kind.name, 0)
        for i, id_ in enumerate(kind.ids):
            ids.append(id_)
            kinds.append(kind.name)
            placed.append(base + i if base else 0)
    return tuple(ids), tuple(kinds), tuple(placed)


def record_room(elab: Elaboration) -> tuple[int, int, int, int, int]:
    """Room for end lists and timed records behind the declared state, where the rules use them: (base, arguments) of
    each, then all words of the state."""
    limits, words = elab.limits, elab.layout.words
    deferred_base = timed_base = 0
    deferred_args = elab.out.max_deferred
    kept = [n for n in all_nodes(elab) if type(n) in NEEDING_ROOM]
    if any(isinstance(n, ir.Defer) for n in kept):
        deferred = {n.proc for n in kept if isinstance(n, ir.Defer)}
        deferred_args = max([deferred_args, *(sum(width(t) for _, t in elab.out.procs[p].params) for p in deferred)])
        if any(isinstance(n, ir.Defer) and n.order for n in kept):
            deferred_args += len(ORDER)
        deferred_base = words
        words += limits.deferred * (DEFERRED_LINK + deferred_args)
    timed_args = max((sum(width(t) for _, t in line.captured) for line in elab.timed.lines), default=0)
    if any(not isinstance(n, ir.Defer) and (not isinstance(n, ir.Possible) or n.waive or n.mods) for n in kept):
        timed_base = words
        words += limits.timed * (TIMED_LINK + timed_args)
    return deferred_base, deferred_args, timed_base, timed_args, words


def const_tables(elab: Elaboration) -> dict[str, tuple[int, Any]]:
    """Table and type of each const field, for tools that show things."""
    return {
        f"{kind.name}.{f.name}": (f.table, f.type)
        for kind in elab.model.kinds.values()
        if not kind.parts
        for f in kind.fields.values()
        if f.const and f.table >= 0
    }


def all_nodes(elab: Elaboration) -> Iterator[Any]:
    for instr in elab.out.code:
        yield from nodes(instr)
    for proc in elab.out.procs.values():
        yield from nodes(proc.body)
    for site in elab.out.sites:
        yield from nodes(site)
    for function in elab.out.functions:
        if function is not None:
            yield from nodes(function.body)
