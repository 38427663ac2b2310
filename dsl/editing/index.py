"""All names of a ruleset as its texts stand now: where each is declared, what a mention means, where a name is used.

Takes texts, which may be broken, and the last analysis, which may be of older texts. Where only types tell names apart
and no analysis knows the place, several symbols are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.base.span import Source, Span
from dsl.base.types import ListType, MapType, MemberType, SetType, Type
from dsl.editing.analysis import Analysis, Drift
from dsl.editing.mentions import Mention, Reading, Scope, Symbol, flat, mentions
from dsl.editing.yaml_mentions import Keyed, has_records, keyed
from dsl.files.ruleset import Texts
from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file

WORD = re.compile(r"[A-Za-z_]\w*")
DATA = (".yaml", ".yml")
GLOBAL = (
    "member", "zone", "field", "option", "value", "kind", "enum", "table", "piece", "purse", "ruling",
    "rule", "invariant", "overlay", "parameter",
)  # fmt: skip


class World:
    def __init__(self, texts: Texts, analysis: Analysis | None) -> None:
        self.sources = texts.all()
        self.analysis = analysis
        self.places: dict[Symbol, list[Span]] = {}
        self.named: dict[str, list[Symbol]] = {}
        self.drifts: dict[str, Drift] = {}
        for source in self.sources.values():
            if has_records(source.file):
                for k in self.keys(source):
                    if k.declared:
                        self.declare(k.symbols[0], k.span)
        self.dotted = frozenset(name for name in self.named if "." in name)
        for source in self.rules():
            for m in self.reading(source).declared:
                if m.symbol is not None:
                    self.declare(m.symbol, m.span)
        self.numbered()

    def declare(self, symbol: Symbol, span: Span) -> None:
        if symbol not in self.places:
            self.places[symbol] = []
            self.named.setdefault(symbol.name, []).append(symbol)
        self.places[symbol].append(span)

    def numbered(self) -> None:
        """Members that stand nowhere by name, as those of `kind Pile: 3`, are declared by their kind."""
        for domain in self.analysis.model.domains.values() if self.analysis else ():
            for copy in self.copies(domain.name):
                self.declare(copy, self.places[Symbol("member", domain.name, self.original(copy))][0])
            kind = self.places.get(Symbol("kind", "", domain.name))
            for id_ in domain.ids if domain.sort == "kind" else ():
                symbol = Symbol("member", domain.name, id_)
                if symbol not in self.places and kind:
                    self.declare(symbol, kind[0])

    def copies(self, kind: str, of: str = "") -> list[Symbol]:
        """The copies of a card, or of all of a kind, that bear no name of their own."""
        found = self.analysis.model.kinds.get(kind) if self.analysis else None
        made = found.copies.items() if found is not None else ()
        known = [Symbol("member", kind, copy) for copy, first in made if not of or first == of]
        return [c for c in known if Symbol("member", kind, self.original(c)) in self.places]

    def original(self, symbol: Symbol) -> str:
        """The id of the card of which a member is a copy, else its own."""
        kind = self.analysis.model.kinds.get(symbol.owner) if self.analysis and symbol.sort == "member" else None
        return kind.copies.get(symbol.name, symbol.name) if kind is not None else symbol.name

    # ------------------------------------------------------------ files

    def rules(self) -> Iterator[Source]:
        return (source for source in self.sources.values() if not source.file.endswith(DATA))

    def reading(self, source: Source) -> Reading:
        return mentions(source.file, source.text, self.dotted)

    def keys(self, source: Source) -> list[Keyed]:
        return keyed(source, self.analysis.model if self.analysis else None)

    def drift(self, file: str, offset: int) -> int:
        if self.analysis is None or file not in self.sources:
            return -1
        if file not in self.drifts:
            self.drifts[file] = self.analysis.drift(self.sources[file])
        return self.drifts[file](offset)

    # ------------------------------------------------------------ what a mention means

    def meaning(self, m: Mention) -> list[Symbol]:
        """What a name in a rules file may be; several where that can not be told, none where nothing declares it."""
        if m.role == "pattern":
            known = [s for s in self.named.get(m.name, ()) if s.sort in ("member", "kind", "zone")]
            return known or [m.symbol] if m.symbol else known
        if m.symbol is not None:
            return [m.symbol]
        if self.analysis is not None:
            said = self.analysis.exact.get((m.span.file, self.drift(m.span.file, m.span.end)))
            if said is not None and said[2] == m.name and (symbol := self.real(Symbol(*said))) in self.places:
                return [symbol]
        found = self.named.get(m.name, [])
        if m.role == "routine":
            return [s for s in found if s.sort == "routine"] or self.ranked(found)
        if m.role == "paid":
            return [s for s in found if s.sort in ("purse", "piece")] or self.ranked(found)
        if m.role == "called":
            return [s for s in found if s.sort in ("value", "purse")] or self.ranked(found)
        if m.role == "position":
            return [s for s in found if s.sort == "position"]
        if m.role == "row":
            return [s for s in found if s.sort in ("field", "strip") and s.owner == m.owner]
        if m.role == "attr":
            return self.attribute(m, found)
        if m.role in ("any", "layer"):  # nothing of their own
            return []
        if m.role == "quoted":  # a sentence for people does not tell a purse from a member of the same name
            return here if len(here := self.ranked(found)) == 1 else []
        return self.ranked(found)

    def real(self, symbol: Symbol) -> Symbol:
        """A member by the kind that has it, where it was looked for in a union of kinds."""
        if symbol in self.places or symbol.sort != "member":
            return symbol
        return next((s for s in self.named.get(symbol.name, ()) if s.sort == "member"), symbol)

    def ranked(self, found: list[Symbol]) -> list[Symbol]:
        here = [s for s in found if s.sort in GLOBAL and not (s.sort == "field" and s.owner)]
        plain = [s for s in here if s.sort not in ("parameter", "rule", "invariant", "ruling", "overlay")]
        return plain or here or [s for s in found if s.sort == "routine"] or [s for s in found if s.sort == "case"]

    def attribute(self, m: Mention, found: list[Symbol]) -> list[Symbol]:
        """`x.name`: by the kind of x where that is known."""
        options = [s for s in found if s.sort == "field" and s.owner or s.sort in ("value", "step", "case")]
        members = [s for s in found if s.sort == "member" and isinstance(m.base, sx.Name) and s.owner == m.base.id]
        if members:
            return members
        t = self.type_of(m.base, m.span.file) if m.base is not None else None
        if isinstance(t, MemberType):
            parts = self.parts(t.domain)
            own = [s for s in options if s.sort == "field" and s.owner in parts]
            own = own or [s for s in options if s.sort == "value"]
            return own or [s for s in options if s.sort in ("step", "case")]  # an address
        return options or self.ranked(found)

    def parts(self, kind: str) -> list[str]:
        model = self.analysis.model if self.analysis else None
        if model is None or kind not in model.kinds:
            return [kind]
        return [k.name for k in model.kind_parts(model.kinds[kind])]

    def key_meaning(self, k: Keyed) -> list[Symbol]:
        """What a name in a YAML file may be."""
        if k.symbols:
            return [real for s in k.symbols if (real := self.real(s)) in self.places]
        found = [s for s in self.named.get(k.name, ()) if s.sort not in ("step", "case", "parameter")]
        if k.inside == "cause":
            return [s for s in found if s == Symbol("member", "Cause", k.name)]
        own = [s for s in found if s.owner and s.owner == k.inside]
        plain = [s for s in found if s.owner == ""]
        if k.inside:
            return own or [s for s in plain if s.sort != "routine"]
        members = [s for s in found if s.sort == "member"]
        return plain or [s for s in members if Symbol("kind", "", s.owner) in self.places] or members

    # ------------------------------------------------------------ questions

    def beginning(self, file: str, offset: int) -> Mention | None:
        """The name that begins at a place."""
        return self.reading(self.sources[file]).by_start.get(offset) if file in self.sources else None

    def at(self, file: str, offset: int) -> tuple[Span, str, list[Symbol]] | None:
        """The name at a place, its span and what it may mean."""
        source = self.sources.get(file)
        if source is None:
            return None
        if file.endswith(DATA):
            for k in self.keys(source):
                if k.span.start <= offset <= k.span.end and (meant := self.key_meaning(k)):
                    return k.span, k.name, meant
            return None
        for m in self.reading(source).found:
            if m.span.start <= offset <= m.span.end:
                return m.span, m.name, self.meaning(m)
        return self.unread(source, offset)

    def unread(self, source: Source, offset: int) -> tuple[Span, str, list[Symbol]] | None:
        """A word in a line that could not be read, by its name alone."""
        line, _ = source.place(offset)
        if not any(source.place(d.span.start)[0] == line for d in parse_file(source.file, source.text)[1]):
            return None
        text, start = source.line(line), source.text.rfind("\n", 0, offset) + 1
        for found in WORD.finditer(text):
            if found.start() <= offset - start <= found.end():
                scope = self.scope(source, start, len(text) - len(text.lstrip()))
                span = Span(source.file, start + found.start(), start + found.end())
                known = [scope[found[0]]] if found[0] in scope else self.named.get(found[0], [])
                return span, found[0], known
        return None

    def scope(self, source: Source, line: int, column: int) -> Scope:
        """The local names known to a line that begins at an offset with an indentation."""
        for spot in reversed(self.reading(source).spots):
            if spot.start >= line:
                continue
            begun = spot.start - (source.text.rfind("\n", 0, spot.start) + 1)
            if source.text[spot.start - begun : spot.start].strip():
                continue  # it stands behind a colon
            if begun < column:
                return spot.inside
            if begun == column:
                return spot.after
        return {}

    def uses(self, symbol: Symbol) -> Iterator[tuple[Span, list[Symbol], bool]]:
        """Places where a symbol is or may be named: what the place may mean, and whether it declares."""
        for source in self.sources.values():
            if source.file.endswith(DATA):
                for k in self.keys(source):
                    if k.name == symbol.name and symbol in (meant := self.key_meaning(k)):
                        yield k.span, meant, k.declared
            elif symbol.name in source.text:
                for m in self.reading(source).found:
                    if m.name == symbol.name and symbol in (meant := self.meaning(m)):
                        yield m.span, meant, m.role == "declared" or m.binding is not None

    def declarations(self, symbol: Symbol) -> list[Span]:
        if symbol.sort != "local":
            return self.places.get(symbol, [])
        file, _, start = symbol.owner.rpartition("@")
        return [Span(file, int(start), int(start) + len(symbol.name))]

    # ------------------------------------------------------------ types

    def type_of(self, node: sx.Expr, file: str) -> Type | None:
        """The type of a plain chain of names, indices and calls."""
        match node:
            case sx.Name():
                m = self.beginning(file, node.span.start)
                meant = self.meaning(m) if m is not None and m.name == node.id else []
                return self.type_of_symbol(meant[0]) if len(meant) == 1 else None
            case sx.Attr(base, name):
                t = self.type_of(base, file)
                return self.type_of_field(t.domain, name) if isinstance(t, MemberType) else None
            case sx.Call(sx.Name(name), _):
                return self.type_of_symbol(Symbol("value", "", name))
            case sx.Index(base, _):
                return indexed(self.type_of(base, file))
        return None

    def type_of_symbol(self, symbol: Symbol) -> Type | None:
        if self.analysis is None:
            return None
        model, name = self.analysis.model, symbol.name
        if symbol.sort == "local":
            return self.type_of_local(symbol)
        if symbol.sort == "field" and symbol.owner:
            return self.type_of_field(symbol.owner, name)
        if symbol.sort == "member" and symbol.owner in model.domains:
            values = model.domains[symbol.owner].values
            return MemberType(symbol.owner, values[0], values[-1])
        if symbol.sort == "value":
            return model.values[name].result if name in model.values else None
        if symbol.sort in ("kind", "enum"):
            named = model.kinds.get(name) or model.enums.get(name)
            return SetType(named.type) if named else None
        if symbol.sort == "zone" and name in model.zones and (kind := model.zones[name].kind) is not None:
            return SetType(kind.type) if model.zones[name].cap != 1 else kind.type
        found = model.fields.get(name) if symbol.sort == "field" else model.options.get(name)
        return found.type if found is not None and symbol.sort in ("field", "option") else None

    def type_of_field(self, owner: str, name: str) -> Type | None:
        model = self.analysis.model if self.analysis else None
        for part in self.parts(owner):
            kind = model.kinds.get(part) if model else None
            if kind is None:
                continue
            if name in kind.fields:
                return kind.fields[name].type
            if name in kind.zones:
                held = kind.zones[name].kind
                return None if held is None else held.type if kind.zones[name].cap == 1 else SetType(held.type)
        value = model.values.get(name) if model else None
        return value.result if value is not None and len(value.params) == 1 else None

    def type_of_local(self, symbol: Symbol) -> Type | None:
        file, _, start = symbol.owner.rpartition("@")
        m = self.beginning(file, int(start))
        if m is None or self.analysis is None:
            return None
        if m.type is not None:
            return self.type_named(m.type)
        at = self.drift(file, m.binding.start) if m.binding is not None else -1
        found = self.analysis.types.get((file, at, m.name))
        if found is None and m.domain is not None:
            return element(self.type_of(m.domain, file))
        return found

    def type_named(self, node: sx.Expr) -> Type | None:
        """The type that an expression in the place of a type names, if it is a plain one."""
        match node:
            case sx.TypeExpr("or none", (inner, *_)):
                return self.type_named(inner)
            case sx.TypeExpr("set", (inner, *_)):
                elem = self.type_named(inner)
                return SetType(elem) if elem is not None else None
            case _:
                name, model = flat(node), self.analysis.model if self.analysis else None
                named = (model.kinds.get(name) or model.enums.get(name)) if model else None
                return named.type if named else None


def element(t: Type | None) -> Type | None:
    return t.elem if isinstance(t, (SetType, ListType)) else None


def indexed(t: Type | None) -> Type | None:
    return t.value if isinstance(t, MapType) else element(t) if isinstance(t, ListType) else None
