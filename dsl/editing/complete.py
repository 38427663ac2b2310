"""Completion: what may be written at a place: names in scope, fields after a dot, rows of a card, words, clauses.

Takes a `NameIndex` and a place in a text that is being typed; the line of the place need not be free of errors.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from dsl.base.record import dataclass
from dsl.base.span import Source
from dsl.base.types import MemberType, SetType, Type
from dsl.editing.index import NameIndex, element_type
from dsl.editing.mentions import PATCH_WORDS, Scope, Symbol
from dsl.files.rows import COPIES_ROW, MAX_COPIES
from dsl.overlay.addresses import address_in, find_all, numbered, parts_of, shown, within
from dsl.symbols.copies import CONSTANTS, declares
from dsl.symbols.symbols import KindSym
from dsl.syntax import nodes as sx
from dsl.syntax.nodes import Decl, Name, Row
from dsl.syntax.parser import parse_expr, parse_file
from dsl.syntax.vocabulary import CLAUSES, FOLDS, STARTERS, TABLE

CHAIN = re.compile(r"((?:[A-Za-z_]\w*(?:\[[^\[\]]*\]|\([^()]*\))?\.)*)(\w*)$")
BINDER = re.compile(r"(?<!\w)([A-Za-z_]\w*)(?: in(?: live)? |: )([A-Za-z_][\w.]*)")
CITATION = re.compile(r"\[\s*(?:[A-Z]{2,}-[\w.]+\s*,\s*)*([A-Z][\w.-]*)$")
LITERALS = ("true", "false", "none", "you", "this", "owner", "cause", "seats", "all")
ROUTINE_EXPECTED = re.compile(
    r"(?:^|\s)(?:do|perform|offer|stop|before|after|instead of|at end of|until end of|once per) $"
)


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """A word or name that an editor offers to complete what is typed. `sort`: that of a symbol, or word, clause, row,
    text; `detail`: a type or title."""

    label: str
    sort: str
    detail: str = ""


def complete(index: NameIndex, file: str, offset: int, lang: str = "") -> list[CompletionItem]:
    """The items that begin with the word before a place, in the order of their labels; titles are in this language, or
    in the first one of the ruleset."""
    source = index.sources.get(file)
    if source is None or file.endswith(".yaml"):
        return []
    start = source.text.rfind("\n", 0, offset) + 1
    before = source.text[start:offset]
    if before.count('"') % 2 or "#" in before:
        return []
    citing = CITATION.search(before)
    if citing:
        return list(clause_items(index, citing[1], lang))
    chain = CHAIN.search(before)
    assert chain is not None
    path, prefix = chain[1], chain[2]
    lead = before[: chain.start()]
    scope = index.scope(source, start, len(before) - len(before.lstrip()))
    if lead.strip() in PATCH_WORDS:
        found = list(address_items(index, address_in(path[:-1])))
    elif path:
        found = list(items_after_dot(index, source, path[:-1], scope, before, start))
    elif not lead.strip():
        found = [*row_items(index, source, start), *word_items(STARTERS), *name_items(index, scope, before)]
    elif ROUTINE_EXPECTED.search(lead):
        found = [CompletionItem(s.name, s.sort) for s in index.declared_at if s.sort == "routine"]
    elif lead.strip() == "given":
        found = [CompletionItem(s.name, s.sort) for s in index.declared_at if s.sort == "position"]
    elif lead.endswith(" as "):
        found = list(member_items(index, "Cause"))
    else:
        found = [
            *name_items(index, scope, before),
            *word_items(FOLDS),
            *word_items(clause_words(lead)),
            *word_items(LITERALS),
        ]
    unique = {item.label: item for item in reversed(found) if item.label.lower().startswith(prefix.lower())}
    return [unique[label] for label in sorted(unique)]


def word_items(known: Iterable[str]) -> Iterator[CompletionItem]:
    return (CompletionItem(word, "word") for word in known)


def clause_items(index: NameIndex, prefix: str, lang: str) -> Iterator[CompletionItem]:
    """The clauses that begin so, with their titles."""
    if index.analysis is None:
        return
    documents = index.analysis.documents
    for clause, entry in (documents.clauses or {}).items():
        if clause.startswith(prefix):
            yield CompletionItem(clause, "clause", documents.text(lang, f"clause.{clause}") or entry["title"])


def member_items(index: NameIndex, domain: str) -> Iterator[CompletionItem]:
    return (
        CompletionItem(s.name, s.sort, domain) for s in index.declared_at if s.sort == "member" and s.owner == domain
    )


def clause_words(lead: str) -> tuple[str, ...]:
    """The clauses that the line's first word takes."""
    rest = lead.strip()
    word = next((w for w in sorted(TABLE, key=len, reverse=True) if rest == w or rest.startswith(w + " ")), "")
    return TABLE[word].clauses if word else tuple(CLAUSES)


def address_items(index: NameIndex, address: str) -> Iterator[CompletionItem]:
    """The items with an address directly under this one; all declarations where it is empty."""
    files = index.trees()
    around = find_all(files, address.split(".")) if address else []
    places = (
        [part for place in around for part in parts_of(place)]
        if around
        else within(line for file in files for line in file.lines)
    )
    for name, place in numbered(places) if around or not address else ():
        yield CompletionItem(shown(name), "member" if isinstance(place, Name) else "row")
    yield from member_items(index, address)


# ---------------------------------------------------------------- names in scope


def name_items(index: NameIndex, scope: Scope, before: str) -> Iterator[CompletionItem]:
    for name, symbol in scope.items():
        t = index.type_of_symbol(symbol)
        yield CompletionItem(name, "local", str(t) if t is not None else "")
    for name, domain in BINDER.findall(before):
        yield CompletionItem(name, "local", domain)
    domains = index.analysis.model.domains if index.analysis is not None else {}
    cells = {name for name, domain in domains.items() if domain.lattice is not None}  # written `Spot(1, -2)`
    for symbol in index.declared_at:
        if symbol.sort == "member" and symbol.owner in cells:
            continue
        if symbol.sort in (
            "value",
            "zone",
            "option",
            "table",
            "kind",
            "enum",
            "piece",
            "purse",
            "history",
            "position",
            "member",
        ):
            yield CompletionItem(symbol.name, symbol.sort, detail_of(index, symbol))
        elif symbol.sort == "field" and not symbol.owner:
            yield CompletionItem(symbol.name, symbol.sort, detail_of(index, symbol))


def detail_of(index: NameIndex, symbol: Symbol) -> str:
    if symbol.sort == "member":
        return symbol.owner
    if symbol.sort == "value" and index.analysis is not None:
        value = index.analysis.model.values.get(symbol.name)
        if value is not None:
            taken = ", ".join(f"{name}: {t}" for name, t in value.params)
            return f"({taken}): {value.result}" if taken else str(value.result)
    t = index.type_of_symbol(symbol) if symbol.sort in ("zone", "field", "option") else None
    return str(t) if t is not None else ""


# ---------------------------------------------------------------- after a dot


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names that a line knows: local ones, those that it binds itself with the text of their domains, and the types
    of `you`, `this` and `owner`."""

    scope: Scope
    bound: dict[str, str]
    special: dict[str, Type]


def items_after_dot(
    index: NameIndex, source: Source, path: str, scope: Scope, before: str, line: int
) -> Iterator[CompletionItem]:
    named = [s for s in index.by_name.get(path, ()) if s.sort in ("kind", "enum", "option")]
    if named and path not in scope:
        yield from member_items(index, path)
        return
    tree, _ = parse_expr(source.file, path)
    known = KnownNames(scope, dict(BINDER.findall(before)), special_types(index, source, line))
    t = chain_type(index, tree, known) if tree is not None else None
    if not isinstance(t, MemberType) or index.analysis is None:
        return
    model = index.analysis.model
    for part in index.kind_parts(t.domain):
        kind = model.kinds.get(part)
        if kind is not None:
            yield from field_items(index, kind)
    for value in model.values.values():
        if len(value.params) == 1 and isinstance(first := value.params[0][1], MemberType) and model.fits_kind(t, first):
            yield CompletionItem(value.name, "value", str(value.result))


def field_items(index: NameIndex, kind: KindSym) -> Iterator[CompletionItem]:
    for field in kind.fields.values():
        yield CompletionItem(field.name, "field", str(field.type))
    for zone in kind.zones.values():
        held = zone.piece.name if zone.piece else zone.kind.name if zone.kind else ""
        yield CompletionItem(zone.name, "zone", held)
    if kind.faces:
        yield CompletionItem("face", "field", " or ".join(kind.faces))
    if kind.copies:
        for name, t in zip(CONSTANTS, (f"1..{MAX_COPIES}", kind.name), strict=True):
            if not declares(kind, name):
                yield CompletionItem(name, "field", t)


def chain_type(index: NameIndex, node: sx.Expr, known: KnownNames) -> Type | None:
    """The type of a chain of names that is in no tree yet."""
    match node:
        case sx.Name(id):
            if id in known.scope:
                return index.type_of_symbol(known.scope[id])
            if id in known.special:
                return known.special[id]
            if id in known.bound:
                tree, _ = parse_expr("", known.bound[id])
                t = chain_type(index, tree, KnownNames(known.scope, {}, known.special)) if tree is not None else None
                return element_type(t) if isinstance(t, SetType) else t
            symbols = index.preferred(index.by_name.get(id, []))
            return index.type_of_symbol(symbols[0]) if symbols else None
        case sx.Attr(base, name):
            t = chain_type(index, base, known)
            return index.type_of_field(t.domain, name) if isinstance(t, MemberType) else None
        case sx.Call(sx.Name(name), _):
            return index.type_of_symbol(Symbol("value", "", name))
    return None


def special_types(index: NameIndex, source: Source, line: int) -> dict[str, Type]:
    """The types of `you`, `this` and `owner` in the declaration around a line, as far as they are known there."""
    around = declaration_around(source, line)
    if around is None or index.analysis is None:
        return {}
    model = index.analysis.model
    found: dict[str, Type] = {}
    kind = model.kinds.get(around.type.id) if around.word == "card" and isinstance(around.type, Name) else None
    if kind is not None:
        owner = index.type_of_field(kind.name, "owner")
        found |= {"this": kind.type} | ({"owner": owner} if owner is not None else {})
    actors = index.analysis.actors
    own = {t for name, t in actors.items() if name.partition(".")[0] == around.name}
    likely = Counter(own or actors.values()).most_common(1)  # of a new card: as on most others
    return found | ({"you": likely[0][0]} if likely else {})


def declaration_around(source: Source, line: int) -> Decl | None:
    """The declaration at the top of a file that the line beginning at an offset belongs to."""
    tree, _ = parse_file(source.file, source.text)
    before = [d for d in tree.lines if d.span.start < line]
    return before[-1] if before and isinstance(before[-1], Decl) else None


# ---------------------------------------------------------------- rows of a card


def row_items(index: NameIndex, source: Source, line: int) -> Iterator[CompletionItem]:
    """The constants that the card around a line does not give yet, and the other rows that its kind allows."""
    card = declaration_around(source, line)
    if card is None or card.word != "card" or not isinstance(card.type, Name) or index.analysis is None:
        return
    kind = index.analysis.model.kinds.get(card.type.id)
    if kind is None:
        return
    given = {row.key.id for row in card.block if isinstance(row, Row) and isinstance(row.key, Name)}
    for field in kind.fields.values():
        if field.const and not field.builtin and field.name not in given:
            yield CompletionItem(field.name, "row", str(field.type))
    if not declares(kind, COPIES_ROW) and COPIES_ROW not in given:
        yield CompletionItem(COPIES_ROW, "row", f"1..{MAX_COPIES}")
    for strip in kind.strips:
        yield CompletionItem(strip, "row", "strip")
