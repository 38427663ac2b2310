"""One run of the passes over the texts of an editor, retained for the questions until the next run.

`analyse` takes texts and gives an `Analysis`: the messages, the model, and what each use refers to. `OffsetMap` finds
places again in a text that was edited since. No program is assembled.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.base.types import Type
from dsl.checks.consequences import UNUSED
from dsl.checks.hand_over import Taker
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.pipeline import PassResults, run_all_passes
from dsl.files import yaml
from dsl.files.documents import Documents
from dsl.files.ruleset import RULING, FileTexts
from dsl.overlay import ALL_ERRATA, ErrataChoice
from dsl.symbols.symbols import Model
from dsl.syntax import parser


@dataclass(slots=True)
class Analysis:
    """The outcome of a check of texts, for an editor. `with_rulings`: rulings were read too; `resolved_uses`: (file,
    end of a use) -> (sort, owner, name)."""

    sources: dict[str, Source]
    model: Model
    documents: Documents
    messages: list[Diagnostic]
    with_rulings: bool
    resolved_uses: dict[tuple[str, int], tuple[str, str, str]] = field(default_factory=dict)
    types: dict[tuple[str, int, str], Type] = field(default_factory=dict)  # (file, start of a binding, name)
    taker: Taker | None = None  # what a hand-over is compared with
    actors: dict[str, Type] = field(default_factory=dict)  # what `you` is, by the name of an action, effect or icon

    def offset_map(self, source: Source) -> OffsetMap:
        before = self.sources.get(source.file)
        return OffsetMap(before.text if before else "", source.text)


class OffsetMap:
    """Maps offsets in a text to offsets in an earlier version, assuming that one stretch of it was changed."""

    def __init__(self, before: str, now: str) -> None:
        most = min(len(before), len(now))
        head = 0
        if before == now:
            head = most
        else:
            while head < most and before[head] == now[head]:
                head += 1
        tail = 0
        while tail < most - head and before[len(before) - 1 - tail] == now[len(now) - 1 - tail]:
            tail += 1
        self.head, self.tail, self.moved = head, len(now) - tail, len(before) - len(now)

    def __call__(self, offset: int) -> int:
        """The earlier offset; -1 inside the stretch that was changed."""
        if offset <= self.head:
            return offset
        return offset + self.moved if offset >= self.tail else -1


def cache_parsed_texts() -> None:
    """Cache the trees of texts, so that the next run reads only the texts that changed."""
    parser.cache_parsed_texts()
    yaml.cache_read_texts()


def analyse(texts: FileTexts, name: str, with_rulings: bool = True, chosen: ErrataChoice = ALL_ERRATA) -> Analysis:
    """Run the passes over all texts; without `with_rulings`, rulings and the messages that depend on them are left
    out."""
    given = texts if with_rulings else without_rulings(texts)
    return analysis_of(given, run_all_passes(given, name, (2, 4), (), chosen), with_rulings)


def analysis_of(texts: FileTexts, done: PassResults, with_rulings: bool = True) -> Analysis:
    """The analysis from passes that were run; without `with_rulings`, messages that depend on rulings are left out."""
    found = done.found if with_rulings else [d for d in done.found if d.code not in UNUSED]
    analysis = Analysis({**done.model.sources}, done.model, done.documents, found, with_rulings)
    for (span, local), t in done.model.locals.items():
        analysis.types[span.file, span.start, local] = t
    analysis.resolved_uses = resolved_uses(done.model)
    analysis.actors = {r.name: r.params[0][1] for r in done.model.routines.values() if r.actor and r.params}
    manifest = done.documents.manifest
    if done.elab is not None and manifest is not None:
        given, wished = tuple(done.elab.out.given), manifest.options_before_with_places()
        analysis.taker = Taker(given, manifest.follows_with_places(), done.model.domains, wished)
    if done.elab is not None:
        acting = done.elab.routines.effect_you
        analysis.actors |= {r.name: acting[r.proc] for r in done.model.routines.values() if r.proc in acting}
    return analysis


def without_rulings(texts: FileTexts) -> FileTexts:
    lighter = copy.copy(texts)
    lighter.rules = [source for source in texts.rules if not source.file.endswith(RULING)]
    lighter.overlays = [without_rulings(layer) for layer in texts.overlays]
    return lighter


def resolved_uses(model: Model) -> dict[tuple[str, int], tuple[str, str, str]]:
    """The symbol to which the elaboration resolved each name, as (sort, owner, name), by the file and the offset where
    the name ends."""
    declared: dict[Span, tuple[str, str, str]] = {}
    declared |= {f.span: ("field", f.below or f.owner.name, f.name) for f in model.all_fields() if f.owner}
    declared |= {z.span: ("field", z.owner.name, z.name) for z in model.all_zones() if z.owner}
    named: list[tuple[str, Mapping[str, Any]]] = [
        ("zone", model.zones),
        ("field", model.fields),
        ("value", model.values),
        ("routine", model.routines),
    ]
    for sort, table in named:
        for name, symbol in table.items():
            if "#" not in name:
                declared.setdefault(symbol.span, (sort, "", name))
    resolved: dict[tuple[str, int], tuple[str, str, str]] = {}
    for use, at in model.uses:
        if at in declared:
            resolved[use.file, use.end] = declared[at]
    for use, (domain, value) in model.resolved_members.items():
        info = model.domains[domain]
        id_ = info.ids[info.values.index(value)]
        resolved[use.file, use.end] = ("member", domain, id_)
    return resolved
