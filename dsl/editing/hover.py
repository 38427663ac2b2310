"""What a name or clause is, in a few lines of Markdown for whoever points at it.

Takes a `World`, a place and a language; gives the text and the place that it is about, or None. Titles come from the
texts of the language, else from the English ones.
"""

from __future__ import annotations

import re

from dsl.base.span import Source, Span
from dsl.editing.index import World
from dsl.editing.mentions import Symbol
from dsl.syntax.lexer import CITE
from dsl.syntax.nodes import Decl
from dsl.syntax.parser import parse_file
from dsl.syntax.vocabulary import TABLE

CLAUSE = re.compile(r"[A-Z]{2,}-\d[\w.]*\w|[A-Z]{2,}-\d")
LONGEST = 40  # lines of a card's text
SPEAK = {"local": "local name", "member": "member"}


def hover(world: World, file: str, offset: int, lang: str) -> tuple[Span, str] | None:
    source = world.sources.get(file)
    if source is None:
        return None
    clause = clause_at(source, offset)
    if clause is not None:
        said = about_clause(world, clause[1], lang)
        return (clause[0], said) if said else None
    found = world.at(file, offset)
    if found is None or not found[2]:
        return None
    span, _, meant = found
    return span, "\n\n---\n\n".join(about(world, symbol, lang) for symbol in meant[:3])


# ---------------------------------------------------------------- clauses


def clause_at(source: Source, offset: int) -> tuple[Span, str] | None:
    """The clause that is cited at a place, or described there."""
    line_start = source.text.rfind("\n", 0, offset) + 1
    line_end = source.text.find("\n", offset) % (len(source.text) + 1)
    if source.file.endswith("clauses.yaml"):
        stretches = [(line_start, line_end)]
    elif source.file.endswith(".yaml"):
        return None
    else:
        stretches = [m.span() for m in CITE.finditer(source.text, line_start, line_end)]
    for start, end in stretches:
        for found in CLAUSE.finditer(source.text, start, end):
            if found.start() <= offset <= found.end():
                return Span(source.file, found.start(), found.end()), found[0]
    return None


def about_clause(world: World, clause: str, lang: str) -> str:
    documents = world.analysis.documents if world.analysis else None
    entry = (documents.clauses or {}).get(clause) if documents else None
    if documents is None or entry is None:
        return ""
    title = documents.locale.get(lang, {}).get(f"clause.{clause}") or entry["title"]
    rest = [entry[key] for key in ("source", "prose") if entry[key]]
    return "\n\n".join([f"**{clause}** {title}", *rest])


def clause_place(world: World, clause: str) -> Span | None:
    """Where the index of clauses has it."""
    for source in world.sources.values():
        if source.file.endswith("clauses.yaml"):
            found = re.search(rf"^{re.escape(clause)}(?=\s*:)", source.text, re.MULTILINE)
            if found:
                return Span(source.file, found.start(), found.end())
    return None


def clause_uses(world: World, clause: str) -> list[Span]:
    """Where it is cited."""
    places = []
    for source in world.rules():
        if clause in source.text:
            for cite in CITE.finditer(source.text):
                places += [
                    Span(source.file, m.start(), m.end())
                    for m in CLAUSE.finditer(source.text, *cite.span())
                    if m[0] == clause
                ]
    return places


# ---------------------------------------------------------------- names


def about(world: World, symbol: Symbol, lang: str) -> str:
    parts = [f"```rules\n{signature(world, symbol)}\n```"]
    title = title_of(world, symbol, lang)
    if title:
        parts.insert(0, f"**{title}**")
    if symbol.sort == "member":
        parts.append(f"a member of `{symbol.owner}`{copies_said(world, symbol)}")
    elif symbol.sort == "field" and symbol.owner:
        parts.append(f"of every `{symbol.owner}`")
    elif symbol.sort != "local" and (declared := declaration(world, symbol)) is not None and declared[1].cites:
        parts += [said for c in declared[1].cites[:4] if (said := short_clause(world, c, lang))]
    return "\n\n".join(parts)


def copies_said(world: World, symbol: Symbol) -> str:
    """That a card has copies, or that this is one of them."""
    first = world.original(symbol)
    copies = world.copies(symbol.owner, first)
    if not copies:
        return ""
    if symbol.name == first:
        return f", {len(copies) + 1} copies: `{first}`, " + ", ".join(f"`{copy.name}`" for copy in copies)
    return f", copy {copies.index(symbol) + 2} of {len(copies) + 1} of `{first}`"


def short_clause(world: World, clause: str, lang: str) -> str:
    return about_clause(world, clause, lang).split("\n\n")[0]


def title_of(world: World, symbol: Symbol, lang: str) -> str:
    documents = world.analysis.documents if world.analysis else None
    if documents is None:
        return ""
    keys = [f"{symbol.name}.title"]
    if symbol.owner and symbol.sort == "member":
        keys = [f"{symbol.owner}.{id_}" for id_ in (symbol.name, world.original(symbol))]
    declared = declaration(world, symbol)
    for key in keys:
        for language in (lang, "en"):
            if key in documents.locale.get(language, {}):
                return documents.locale[language][key]
    return (declared[1].text or "") if declared else ""


def declaration(world: World, symbol: Symbol) -> tuple[Source, Decl] | None:
    """The line in a rules file that declares a symbol."""
    for span in world.declarations(symbol):
        source = world.sources.get(span.file)
        if source is None or source.file.endswith(".yaml"):
            continue
        for line in parse_file(source.file, source.text)[0].lines:
            if isinstance(line, Decl):
                inner = [part for part in line.block if isinstance(part, Decl) and part.name_span == span]
                if line.name_span == span or inner:
                    return source, inner[0] if inner else line
    return None


def signature(world: World, symbol: Symbol) -> str:
    """The head of a declaration as it is written; of a card all of its text."""
    if symbol.sort == "local":
        t = world.type_of_symbol(symbol)
        return f"{symbol.name}: {t}" if t is not None else symbol.name
    declared = declaration(world, symbol)
    if declared is not None:
        source, line = declared
        if line.word == "card":
            rows = source.text[line.span.start : line.span.end].split("\n")
            return "\n".join(rows[:LONGEST] + ["..."] * (len(rows) > LONGEST))
        return head(source, line)
    places = world.declarations(symbol)
    if places and places[0].file in world.sources:
        source = world.sources[places[0].file]
        return source.line(source.place(places[0].start)[0]).strip()
    return symbol.name


def head(source: Source, line: Decl) -> str:
    """A declaration without its block and citations."""
    end = line.block[0].span.start if line.block else line.span.end
    text = CITE.sub("", source.text[line.span.start : end])
    rows = [row.rstrip() for row in text.split("\n")]
    if line.block and TABLE[line.word].kind != "typed":
        rows = rows[:1]
    return "\n".join(row for row in rows if row.strip() and not row.lstrip().startswith("#")).rstrip().rstrip(":")
