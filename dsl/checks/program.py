"""Checks of the ruleset as a whole: unused names, unreachable routines, missing clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dsl.base.span import NOWHERE, Span
from dsl.base.types import ListType, MemberType, SetType
from dsl.checks.leaks import LeakCheck
from dsl.checks.lints import check_lints
from dsl.checks.whole_answers import check_whole_answers
from dsl.elaborate.context import Elaboration
from dsl.files.documents import Manifest
from dsl.knowledge.choices import check_choices, check_demands
from dsl.knowledge.ruleset import Knowledge
from dsl.symbols.call_graph import check_running_frames
from dsl.symbols.symbols import FieldSym, KindSym, Model


def check_program(
    elab: Elaboration,
    manifest: Manifest | None,
    clauses: dict[str, dict[str, str]] | None,
    know: Knowledge | None,
) -> None:
    """Warnings and errors about the ruleset as a whole."""
    m = elab.model
    if manifest is not None:
        game = m.routines.get("game")
        if game is None:
            m.error(
                "RW1101",
                manifest.span("id"),
                "no `phase game`: nothing says how the game goes",
                "write `phase game` with the turns of the game",
            )
        elif game.params:
            m.error("RW1102", game.span, "`phase game` has parameters; the game starts without any")
    check_unused(elab, manifest is not None)
    check_unnamed_cards(m)
    check_lints(m)
    check_running_frames(m)
    check_whole_answers(m, elab.out.sites, elab.out.functions)
    if know is not None:
        check_demands(m, know, check_choices(m, know))
        LeakCheck(m, know, elab.findings.tests.values(), elab.findings.checks).check()
    if clauses is not None:
        check_citations(elab, m.cites.items(), clauses)


def check_unused(elab: Elaboration, whole: bool) -> None:
    m = elab.model
    for v in m.values.values():
        if not v.used and not v.bots and whole:
            m.warn("RW1103", v.span, f"the value `{v.name}` is used nowhere", "remove it, or use it")
    for r in m.routines.values():
        if (
            not r.used
            and "#" not in r.name
            and r.name != "game"
            and not r.menus
            and r.word in ("phase", "action", "procedure", "icon")
            and whole
        ):
            if r.original or any(c.word == "at any moment" for c in r.clauses):
                continue
            m.warn(
                "RW1104",
                r.span,
                f"nothing starts the {r.word} `{r.name}`: it is never reached",
                f"`do {r.name}(...)` where it belongs",
            )
    read = {f.span for f in m.all_fields() if f.used}  # a constant of a union is read if it is for one of its kinds
    for f in m.all_fields():
        name = f"{f.owner.name}.{f.name}" if f.owner else f.name
        if f.span not in read and not f.written and not f.builtin and whole:
            m.warn("RW1105", f.span, f"`{name}` is used nowhere", "remove it, or use it")
        elif f.written and not f.used and not f.builtin and whole and not is_to_be_seen(f):
            way = "remove it, let a rule read it, or show it in `display.yaml` or in a text"
            m.warn("RW1106", f.span, f"`{name}` is set, but nothing reads it", way)
    for z in m.all_zones():
        if not z.used and whole:
            m.warn("RW1107", z.span, f"the zone `{z.symbol}` is used nowhere", "remove it, or use it")
    for p in m.pieces.values():
        if not p.used and not any(z.piece is p and z.used for z in m.zones.values()) and whole:
            m.warn("RW1108", p.span, f"the piece `{p.name}` is used nowhere")
    for o in m.options.values():
        if not o.used and whole:
            m.warn("RW1109", o.span, f"no rule asks for the option `{o.name}`")


def is_to_be_seen(f: FieldSym) -> bool:
    """True for a field that is there to be seen: it says who sees it."""
    return f.back or f.seen_by is not None or f.audience not in ("all", "nobody")


def check_unnamed_cards(m: Model) -> None:
    """Note cards that no record of a data file names, where records name others of their kind: a Letter shows a
    Character, and nothing shows this one. Cards that can be in zones themselves need no record."""
    zones = m.all_zones()
    lying = {kind.name for z in zones if z.kind for kind in m.kind_parts(z.kind)}
    for kind in {c.kind.name: c.kind for c in m.cards.values() if c.kind.name not in lying}.values():
        named = {n for k in m.kinds.values() if k.data for f in k.fields.values() for n in things_in_column(m, f, kind)}
        cards = [c for c in m.cards.values() if c.kind is kind]
        if not any(named.intersection(card.things) for card in cards):
            continue
        for card in cards:
            if not named.intersection(card.things) and count_occurrences(m, card.name) == 1:
                message = f"no record names the card `{card.name}`, as they name other cards of the kind `{kind.name}`"
                m.note("RW1115", card.decl.name_span, message, "name it in a record of the data, or remove it")


def things_in_column(m: Model, f: FieldSym, kind: KindSym) -> set[int]:
    """The things of a kind that occur in a constant of the records."""
    elem = f.type.elem if isinstance(f.type, SetType | ListType) else f.type
    if f.table < 0 or not isinstance(elem, MemberType) or elem.domain != kind.name:
        return set()
    cells = m.tables_data[f.table]
    if isinstance(f.type, SetType):
        return {n for n in range(kind.low, kind.high + 1) if any(cell >> n & 1 for cell in cells)}
    return {n for cell in cells for n in cell} if isinstance(f.type, ListType) else set(cells)


def count_occurrences(m: Model, name: str) -> int:
    """The number of times that a name occurs in the texts of rules and cards."""
    rules = (s.text for s in m.sources.values() if s.file.endswith((".rules", ".cards")))
    return sum(len(re.findall(rf"(?<![\w.]){re.escape(name)}(?!\w)", text)) for text in rules)


def check_citations(
    elab: Elaboration, cites: Iterable[tuple[str, Sequence[str]]], clauses: dict[str, dict[str, str]]
) -> None:
    """Report citations, given as (address, clauses), of clauses that are not in the index."""
    for address, cited in cites:
        for c in cited:
            if c not in clauses:
                elab.model.unknown("RW1110", citation_span(elab, address, c), "clause", c, list(clauses))


def citation_span(elab: Elaboration, address: str, clause: str) -> Span:
    """The first place where a citation is written."""
    pattern = re.compile(r"(?<![\w.-])" + re.escape(clause) + r"(?![\w.]*\w)")
    for source in elab.model.sources.values():
        if not source.file.endswith((".yaml", ".yml")):
            found = pattern.search(source.text)
            if found:
                return Span(source.file, found.start(), found.end())
    return NOWHERE
