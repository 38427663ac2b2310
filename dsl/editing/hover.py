"""Hover: a name or clause described in a few lines of Markdown.

Takes a `NameIndex`, a place and a language; gives the description and the span of the name, or None. Titles come from
the texts of the language, else from those of the first language of the ruleset.
"""

from __future__ import annotations

import re

from dsl.base.span import Source, Span
from dsl.editing.index import NameIndex
from dsl.editing.mentions import Symbol
from dsl.files.phrases import by_language
from dsl.syntax.lexer import CITE
from dsl.syntax.nodes import Decl
from dsl.syntax.parser import parse_file
from dsl.syntax.vocabulary import TABLE

CLAUSE = re.compile(r"[A-Z]{2,}-\d[\w.]*\w|[A-Z]{2,}-\d")
MAX_CARD_LINES = 40  # lines of a card's text


def hover(index: NameIndex, file: str, offset: int, lang: str) -> tuple[Span, str] | None:
    """The span of the name or clause at a place and its description in Markdown; None where there is nothing to
    describe."""
    source = index.sources.get(file)
    if source is None:
        return None
    clause = clause_at(source, offset)
    if clause is not None:
        text = describe_clause(index, clause[1], lang)
        return (clause[0], text) if text else None
    found = index.name_at(file, offset)
    if found is None or not found[2]:
        return None
    span, _, symbols = found
    return span, "\n\n---\n\n".join(describe(index, symbol, lang) for symbol in symbols[:3])


# ---------------------------------------------------------------- clauses


def clause_at(source: Source, offset: int) -> tuple[Span, str] | None:
    """The clause that is cited at a place, or entered there in the index of clauses."""
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


def describe_clause(index: NameIndex, clause: str, lang: str) -> str:
    """Title, source and prose of a clause; empty for an unknown one."""
    documents = index.analysis.documents if index.analysis else None
    entry = (documents.clauses or {}).get(clause) if documents else None
    if documents is None or entry is None:
        return ""
    title = documents.text(lang, f"clause.{clause}") or entry["title"]
    source, language = by_language(documents.sources.get(clause, {}), lang or documents.languages()[0])
    source += f" ({language})" if language else ""
    prose = documents.text(lang, f"clause.{clause}.prose") or entry["prose"]
    return "\n\n".join([f"**{clause}** {title}", *(text for text in (source, prose) if text)])


def clause_declaration(index: NameIndex, clause: str) -> Span | None:
    """The entry of a clause in the index of clauses."""
    for source in index.sources.values():
        if source.file.endswith("clauses.yaml"):
            found = re.search(rf"^{re.escape(clause)}(?=\s*:)", source.text, re.MULTILINE)
            if found:
                return Span(source.file, found.start(), found.end())
    return None


def clause_uses(index: NameIndex, clause: str) -> list[Span]:
    """The citations of a clause."""
    places = []
    for source in index.rule_sources():
        if clause in source.text:
            for cite in CITE.finditer(source.text):
                places += [
                    Span(source.file, m.start(), m.end())
                    for m in CLAUSE.finditer(source.text, *cite.span())
                    if m[0] == clause
                ]
    return places


# ---------------------------------------------------------------- names


def describe(index: NameIndex, symbol: Symbol, lang: str) -> str:
    """Title, declaration, and owner or clauses of a symbol."""
    parts = [f"```rules\n{signature(index, symbol)}\n```"]
    title = title_of(index, symbol, lang)
    if title:
        parts.insert(0, f"**{title}**")
    if symbol.sort == "member":
        parts.append(f"a member of `{symbol.owner}`{copies_text(index, symbol)}")
    elif symbol.sort == "field" and symbol.owner:
        parts.append(f"of every `{symbol.owner}`")
    elif symbol.sort != "local" and (declared := declaration(index, symbol)) is not None and declared[1].cites:
        parts += [text for c in declared[1].cites[:4] if (text := clause_heading(index, c, lang))]
    return "\n\n".join(parts)


def copies_text(index: NameIndex, symbol: Symbol) -> str:
    """The copies of a card, or the place of a copy among them; empty for a symbol without copies."""
    first = index.original(symbol)
    copies = index.copies(symbol.owner, first)
    if not copies:
        return ""
    if symbol.name == first:
        return f", {len(copies) + 1} copies: `{first}`, " + ", ".join(f"`{copy.name}`" for copy in copies)
    return f", copy {copies.index(symbol) + 2} of {len(copies) + 1} of `{first}`"


def clause_heading(index: NameIndex, clause: str, lang: str) -> str:
    """The number and title of a clause."""
    return describe_clause(index, clause, lang).split("\n\n")[0]


def title_of(index: NameIndex, symbol: Symbol, lang: str) -> str:
    """The title of a symbol in a language, else in the first language of the ruleset, else the text of its declaration;
    may be empty."""
    documents = index.analysis.documents if index.analysis else None
    if documents is None:
        return ""
    keys = [f"{symbol.name}.title", symbol.name]
    if symbol.owner and symbol.sort == "member":
        keys = [f"{symbol.owner}.{id_}" for id_ in (symbol.name, index.original(symbol))]
    elif symbol.owner:
        keys = [f"{symbol.owner}.{symbol.name}"]
    elif symbol.sort == "kind":
        keys = [f"kind.{symbol.name}", symbol.name]
    elif symbol.sort == "local":
        keys = []
    declared = declaration(index, symbol)
    return documents.text(lang, *keys) or (declared[1].text if declared else "") or ""


def declaration(index: NameIndex, symbol: Symbol) -> tuple[Source, Decl] | None:
    """The line in a rules file that declares a symbol."""
    for span in index.declarations(symbol):
        source = index.sources.get(span.file)
        if source is None or source.file.endswith(".yaml"):
            continue
        for line in parse_file(source.file, source.text)[0].lines:
            if isinstance(line, Decl):
                inner = [part for part in line.block if isinstance(part, Decl) and part.name_span == span]
                if line.name_span == span or inner:
                    return source, inner[0] if inner else line
    return None


def signature(index: NameIndex, symbol: Symbol) -> str:
    """The head of a declaration as it is written; the whole text of a card."""
    if symbol.sort == "local":
        t = index.type_of_symbol(symbol)
        return f"{symbol.name}: {t}" if t is not None else symbol.name
    declared = declaration(index, symbol)
    if declared is not None:
        source, line = declared
        if line.word == "card":
            rows = source.text[line.span.start : line.span.end].split("\n")
            return "\n".join(rows[:MAX_CARD_LINES] + ["..."] * (len(rows) > MAX_CARD_LINES))
        return declaration_head(source, line)
    places = index.declarations(symbol)
    if places and places[0].file in index.sources:
        source = index.sources[places[0].file]
        return source.line(source.place(places[0].start)[0]).strip()
    return symbol.name


def declaration_head(source: Source, line: Decl) -> str:
    """A declaration without its block and citations."""
    end = line.block[0].span.start if line.block else line.span.end
    text = CITE.sub("", source.text[line.span.start : end])
    rows = [row.rstrip() for row in text.split("\n")]
    if line.block and TABLE[line.word].kind != "typed":
        rows = rows[:1]
    return "\n".join(row for row in rows if row.strip() and not row.lstrip().startswith("#")).rstrip().rstrip(":")
