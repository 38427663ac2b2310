"""The addresses of texts: under which ones a text is looked up, and which ones should have a text in every language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dsl import ir
from dsl.base.span import NOWHERE, Span
from dsl.base.types import BoolType, MemberType
from dsl.checks.wording.order_texts import order_texts
from dsl.checks.wording.strip_texts import strip_texts
from dsl.elaborate.context import Elaboration
from dsl.files.documents import Documents, Manifest
from dsl.files.phrases import FALLBACK, sections
from dsl.files.stand_ins import OF_STAND_INS
from dsl.symbols.symbols import Model

TITLE = "game.title"
ENGINE = "engine."  # before the key of a phrase of the tool that a ruleset says in its own words
OF_QUESTIONS = ("", ".ask", ".pick", ".done", ".secret", ".title")
OF_SHORT_ANSWERS = ("", ".done", ".secret")
OF_CASES = ("", ".pick", ".done", ".title")

Tables = Mapping[str, Mapping[str, str]]


def complete_texts(elab: Elaboration, documents: Documents) -> dict[str, dict[str, str]]:
    """The texts of every language, the first language first. That one also has what is written elsewhere: titles of
    cards, clauses and why no rule implements them, reasons behind `because`. The title of the game is that of the
    manifest where no text says it. Strips are worded by their icons."""
    first = documents.languages()[0]
    found = {lang: dict(documents.locale.get(lang, {})) for lang in documents.languages()}
    given = {f"{c.kind.name}.{c.name}": c.title for c in elab.model.cards.values()}
    given |= reasons(elab)
    for id_, clause in (documents.clauses or {}).items():
        given |= {f"clause.{id_}": clause["title"], f"clause.{id_}.prose": clause["prose"]}
    found[first] = {**{key: text for key, text in given.items() if text}, **found[first]}
    for lang, title in documents.manifest.title.items() if documents.manifest else ():
        if lang in found:
            found[lang].setdefault(TITLE, title)
    strips, orders = strip_texts(elab, found), order_texts(elab, found)
    return {lang: {**strips[lang], **orders[lang], **table} for lang, table in found.items()}


def reasons(elab: Elaboration) -> dict[str, str]:
    """The addresses of conditions that can have a text, with what stands behind `because`."""
    found = dict(elab.findings.reasons)
    for site in elab.out.sites:
        for guard in (*site.such_that, *(g for alternative in site.alternatives for g in alternative.guards)):
            if guard.key:
                found[guard.key] = guard.reason
    return found


# ---------------------------------------------------------------- what should have a text


def wanted_texts(elab: Elaboration, documents: Documents, texts: Tables, known: set[str]) -> dict[str, Span]:
    """The addresses for which a complete translation has a text, with the places where they are declared, as far as
    these are known: all that the first language needs and all that it has."""
    wanted = needed_texts(elab, documents, texts)
    for key, text in next(iter(texts.values())).items():
        if text and not key.startswith(ENGINE) and key in known and key not in wanted and key not in elab.model.members:
            wanted[key] = NOWHERE
    return wanted


def needed_texts(elab: Elaboration, documents: Documents, texts: Tables) -> dict[str, Span]:
    """The addresses for which the first language has a text too: the game, presets, stand-ins, options and their
    answers, enums, cards, questions, shuffles, and all members of a kind of which one has a text in some language."""
    m = elab.model
    needed: dict[str, Span] = {}
    if documents.manifest is not None:
        needed[TITLE] = documents.manifest.span("title")
        needed |= {f"preset.{name}": documents.manifest.span("presets", name) for name in documents.manifest.presets}
        needed |= places_of_stand_ins(documents.manifest)
    needed |= {name: declared_at(m, name) for name in m.options}
    for domain in m.domains.values():
        if domain.name in m.enums or (domain.name in m.options and domain.sort != "numbers"):
            needed |= {f"{domain.name}.{id_}": declared_at(m, domain.name) for id_ in domain.ids}
    for card in m.cards.values():
        needed[f"{card.kind.name}.{card.name}"] = card.decl.name_span
    for kind in m.kinds.values():
        ids = [id_ for id_ in kind.ids if kind.copies.get(id_, id_) == id_]
        if (
            not kind.parts
            and kind.lattice is None
            and any(f"{kind.name}.{id_}" in table for table in texts.values() for id_ in ids)
        ):
            needed |= {f"{kind.name}.{id_}": declared_at(m, id_, kind.name) for id_ in ids}
    asked = (s for s in elab.out.sites if not s.address.startswith("any_moment") and s.payment is None)
    needed |= {f"{site.address}.ask": site.span for site in asked}
    return needed | {f"{i.address}.done": i.span for i in chances(elab) if i.op == "shuffle"}


def chances(elab: Elaboration) -> Iterator[ir.Chance]:
    """All draws and shuffles of the program, whose lines have addresses."""
    return (instruction for instruction in elab.out.code if isinstance(instruction, ir.Chance))


def declared_at(m: Model, *names: str) -> Span:
    return next((m.declared[name] for name in names if name in m.declared), NOWHERE)


# ---------------------------------------------------------------- what can have a text


def known_addresses(elab: Elaboration, documents: Documents) -> set[str]:
    """All addresses under which a text is looked up."""
    m, display, clauses = elab.model, documents.display, documents.clauses or {}
    found = {f"{ENGINE}{key}" for key in sections(FALLBACK)["engine"]}
    found |= {f"clause.{id_}{part}" for id_ in clauses for part in ("", ".prose")}
    found |= reasons(elab).keys()
    found |= {f"{r.name}{part}" for r in m.routines.values() if r.word == "icon" for part in (".pick", ".done")}
    names = set(names_of_rules(m))
    found |= {f"{name}{part}" for name in names for part in ("", ".title")}
    found |= {f"display.{name}" for name in (*names, "game", "map", "legend", *ids_in(display, "panels"))}
    found |= {f"display.region.{name}" for name in regions_in(display)}
    found |= {f"told.{id_}{part}" for id_ in ids_in(display, "told") for part in ("", ".none")}
    found.update({TITLE}, labels_in(display), of_members(m), of_questions(elab))
    if documents.manifest is not None:
        found |= {f"preset.{name}" for name in documents.manifest.presets} | places_of_stand_ins(
            documents.manifest
        ).keys()
    return found


def places_of_stand_ins(manifest: Manifest) -> dict[str, Span]:
    """The addresses of the texts that say what stands in for something printed, with the places in the manifest."""
    return {f"{OF_STAND_INS}{name}": manifest.key_span("stand_ins", name) for name in manifest.stand_ins}


def names_of_rules(m: Model) -> Iterator[str]:
    yield from (*m.values, *m.routines, *m.options, *m.pieces, *m.purses, *m.domains, *m.fields, *m.zones)
    for option in (o for o in m.options.values() if isinstance(o.type, BoolType)):
        yield from (f"{option.name}.true", f"{option.name}.false")
    for value in m.values.values():
        yield from (f"{t.domain}.{value.name}" for _, t in value.params if isinstance(t, MemberType))
    for kind in m.kinds.values():
        yield f"kind.{kind.name}"
        if kind.lattice is not None:
            yield f"lattice.{kind.name}"
        for name in {name for part in m.kind_parts(kind) for name in (*part.fields, *part.zones, *part.strips)}:
            yield from (name, f"{kind.name}.{name}")


def of_members(m: Model) -> Iterator[str]:
    for domain in m.domains.values():
        for id_ in domain.ids:
            for address in (id_, f"{domain.name}.{id_}"):
                yield from (address, f"{address}.text")


def of_questions(elab: Elaboration) -> Iterator[str]:
    for site in elab.out.sites:
        yield from (site.address + part for part in OF_QUESTIONS)
        yield from (f"{site.address}.{short}{part}" for short in ("decline", "ready") for part in OF_SHORT_ANSWERS)
        for case in (alternative.name for alternative in site.alternatives if alternative.name):
            yield from (address + part for address in (case, f"{site.address}.{case}") for part in OF_CASES)
    yield from (f"{chance.address}.done" for chance in chances(elab))


def ids_in(display: Mapping[str, Any], key: str) -> list[str]:
    return [str(item.get("id")) for item in display.get(key) or () if isinstance(item, dict)]


def regions_in(display: Mapping[str, Any]) -> Iterator[str]:
    """The names of the regions of the map."""
    for layer in (display.get("map") or {}).get("layers") or ():
        yield from layer.get("regions") or ()


def labels_in(node: Any) -> Iterator[str]:
    """The labels and titles in a display file, which may be addresses of texts."""
    if isinstance(node, dict):
        yield from (node[key] for key in ("label", "title") if isinstance(node.get(key), str))
        for part in node.values():
            yield from labels_in(part)
    elif isinstance(node, list):
        for part in node:
            yield from labels_in(part)
