"""All names of a ruleset as its texts stand now: where each is declared, what a mention means, where a name is used.

Takes texts, with or without errors, and the last analysis, possibly of older texts. Where only types distinguish names
and no analysis covers the place, several symbols are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.base.span import Source, Span
from dsl.base.types import ListType, MapType, MemberType, SetType, Type
from dsl.editing.analysis import Analysis, OffsetMap
from dsl.editing.mentions import FileNames, Mention, Scope, Symbol, dotted_name, mentions
from dsl.editing.yaml_mentions import YamlMention, has_records, yaml_mentions
from dsl.files.ruleset import FileTexts
from dsl.overlay.addresses import find_all
from dsl.symbols.symbols import ZoneSym
from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file

WORD = re.compile(r"[A-Za-z_]\w*")
DATA = (".yaml", ".yml")
GLOBAL = (
    "member", "zone", "field", "option", "value", "kind", "enum", "table", "piece", "purse", "history", "ruling",
    "rule", "invariant", "overlay", "parameter",
)  # fmt: skip


class NameIndex:
    """All names in the texts of a ruleset, with what they refer to. `declared_at`: the declarations of each symbol;
    `by_name`: the symbols of each name."""

    def __init__(self, texts: FileTexts, analysis: Analysis | None) -> None:
        self.sources = texts.all()
        self.analysis = analysis
        self.declared_at: dict[Symbol, list[Span]] = {}
        self.by_name: dict[str, list[Symbol]] = {}
        self.offset_maps: dict[str, OffsetMap] = {}
        self.parsed: list[sx.File] = []
        for source in self.sources.values():
            if has_records(source.file):
                for mention in self.yaml_mentions(source):
                    if mention.declared:
                        self.declare(mention.symbols[0], mention.span)
        self.dotted = frozenset(name for name in self.by_name if "." in name)
        for source in self.rule_sources():
            for m in self.names_in(source).declared:
                if m.symbol is not None:
                    self.declare(m.symbol, m.span)
        self.declare_unwritten_members()

    def declare(self, symbol: Symbol, span: Span) -> None:
        if symbol not in self.declared_at:
            self.declared_at[symbol] = []
            self.by_name.setdefault(symbol.name, []).append(symbol)
        self.declared_at[symbol].append(span)

    def declare_unwritten_members(self) -> None:
        """Declare the members that no text names, such as those of `kind Pile: 3`, where their kind is."""
        for domain in self.analysis.model.domains.values() if self.analysis else ():
            for copy in self.copies(domain.name):
                self.declare(copy, self.declared_at[Symbol("member", domain.name, self.original(copy))][0])
            kind = self.declared_at.get(Symbol("kind", "", domain.name))
            for id_ in domain.ids if domain.sort == "kind" else ():
                symbol = Symbol("member", domain.name, id_)
                if symbol not in self.declared_at and kind:
                    self.declare(symbol, kind[0])

    def copies(self, kind: str, of: str = "") -> list[Symbol]:
        """The copies of a card, or of all cards of a kind, that have no name of their own."""
        found = self.analysis.model.kinds.get(kind) if self.analysis else None
        made = found.copies.items() if found is not None else ()
        known = [Symbol("member", kind, copy) for copy, first in made if not of or first == of]
        return [c for c in known if Symbol("member", kind, self.original(c)) in self.declared_at]

    def original(self, symbol: Symbol) -> str:
        """The id of the card that a member is a copy of; for others their own."""
        kind = self.analysis.model.kinds.get(symbol.owner) if self.analysis and symbol.sort == "member" else None
        return kind.copies.get(symbol.name, symbol.name) if kind is not None else symbol.name

    # ------------------------------------------------------------ files

    def rule_sources(self) -> Iterator[Source]:
        return (source for source in self.sources.values() if not source.file.endswith(DATA))

    def names_in(self, source: Source) -> FileNames:
        return mentions(source.file, source.text, self.dotted)

    def yaml_mentions(self, source: Source) -> list[YamlMention]:
        return yaml_mentions(source, self.analysis.model if self.analysis else None)

    def analysed_offset(self, file: str, offset: int) -> int:
        if self.analysis is None or file not in self.sources:
            return -1
        if file not in self.offset_maps:
            self.offset_maps[file] = self.analysis.offset_map(self.sources[file])
        return self.offset_maps[file](offset)

    # ------------------------------------------------------------ what a mention means

    def resolve(self, m: Mention) -> list[Symbol]:
        """The symbols to which a name in a rules file may refer: several where it is ambiguous, none if it is
        undeclared."""
        if m.role == "pattern":
            known = [s for s in self.by_name.get(m.name, ()) if s.sort in ("member", "kind", "zone")]
            return known or [m.symbol] if m.symbol else known
        if m.symbol is not None:
            return [m.symbol]
        if m.address and (meant := self.at_address(m)):
            return meant
        if self.analysis is not None:
            exact = self.analysis.resolved_uses.get((m.span.file, self.analysed_offset(m.span.file, m.span.end)))
            symbol = self.canonical(Symbol(*exact)) if exact is not None and exact[2] == m.name else None
            if symbol is not None and symbol in self.declared_at:
                return [symbol]
        found = self.by_name.get(m.name, [])
        if m.role == "routine":
            return [s for s in found if s.sort == "routine"] or self.preferred(found)
        if m.role == "paid":
            return [s for s in found if s.sort in ("purse", "piece")] or self.preferred(found)
        if m.role == "called":
            return [s for s in found if s.sort in ("value", "purse")] or self.preferred(found)
        if m.role == "position":
            return [s for s in found if s.sort == "position"]
        if m.role == "row":
            owners = [m.owner, *self.unions_of(m.owner)]
            return [s for s in found if s.sort in ("field", "strip") and s.owner in owners]
        if m.role == "attr":
            return self.resolve_attribute(m, found)
        if m.role in ("any", "layer"):  # no declarations
            return []
        if m.role == "quoted":  # in a sentence for people, a purse and a member of the same name look alike
            return known if len(known := self.preferred(found)) == 1 else []
        return self.preferred(found)

    def at_address(self, m: Mention) -> list[Symbol]:
        """The symbol after which the line at an address is named: the routine that it runs, the name that it binds or
        declares."""
        for place in find_all(self.trees(), m.address.split(".")):
            names = self.names_in(self.sources[place.span.file]).mentions
            inside = (n for n in names if place.span.start <= n.span.start < place.span.end and n.name == m.name)
            named = next(inside, None)
            return self.resolve(named) if named is not None and not named.address else []
        return []

    def trees(self) -> list[sx.File]:
        """The trees of all files of rules."""
        if not self.parsed:
            self.parsed = [parse_file(source.file, source.text)[0] for source in self.rule_sources()]
        return self.parsed

    def canonical(self, symbol: Symbol) -> Symbol:
        """A member with the kind that declares it, if its owner is a union of kinds."""
        if symbol in self.declared_at or symbol.sort != "member":
            return symbol
        return next((s for s in self.by_name.get(symbol.name, ()) if s.sort == "member"), symbol)

    def preferred(self, found: list[Symbol]) -> list[Symbol]:
        """The symbols that a plain name can refer to: global ones first, else routines, else cases."""
        known = [s for s in found if s.sort in GLOBAL and not (s.sort == "field" and s.owner)]
        plain = [s for s in known if s.sort not in ("parameter", "rule", "invariant", "ruling", "overlay")]
        return plain or known or [s for s in found if s.sort == "routine"] or [s for s in found if s.sort == "case"]

    def resolve_attribute(self, m: Mention, found: list[Symbol]) -> list[Symbol]:
        """The symbols of `name` in `x.name`: by the kind of x where it is known."""
        options = [s for s in found if s.sort in ("field", "strip") and s.owner or s.sort in ("value", "step", "case")]
        members = [s for s in found if s.sort == "member" and isinstance(m.base, sx.Name) and s.owner == m.base.id]
        if members:
            return members
        t = self.type_of(m.base, m.span.file) if m.base is not None else None
        if isinstance(t, SetType):  # of a kind: `Kind.zone`
            t = t.elem
        if isinstance(t, MemberType):
            owners = [t.domain, *self.kind_parts(t.domain), *self.unions_of(t.domain)]
            own = [s for s in options if s.sort in ("field", "strip") and s.owner in owners]
            own = own or [s for s in options if s.sort == "value"]
            return own or [s for s in options if s.sort in ("step", "case")]  # an address
        return options or self.preferred(found)

    def kind_parts(self, kind: str) -> list[str]:
        model = self.analysis.model if self.analysis else None
        if model is None or kind not in model.kinds:
            return [kind]
        return [part.name for part in model.kind_parts(model.kinds[kind])]

    def unions_of(self, kind: str) -> list[str]:
        """The unions that a kind is a part of: what stands below them is declared for it, too."""
        kinds = self.analysis.model.kinds.values() if self.analysis else ()
        return [union.name for union in kinds if kind in union.parts]

    def resolve_yaml(self, mention: YamlMention) -> list[Symbol]:
        """The symbols to which a name in a YAML file may refer."""
        if mention.symbols:
            return [known for s in mention.symbols if (known := self.canonical(s)) in self.declared_at]
        found = [s for s in self.by_name.get(mention.name, ()) if s.sort not in ("step", "case", "parameter")]
        if mention.inside == "cause":
            return [s for s in found if s == Symbol("member", "Cause", mention.name)]
        own = [s for s in found if s.owner and s.owner == mention.inside]
        plain = [s for s in found if s.owner == ""]
        if mention.inside:
            return own or [s for s in plain if s.sort != "routine"]
        members = [s for s in found if s.sort == "member"]
        return plain or [s for s in members if Symbol("kind", "", s.owner) in self.declared_at] or members

    # ------------------------------------------------------------ questions

    def mention_at_start(self, file: str, offset: int) -> Mention | None:
        """The name that begins at an offset."""
        return self.names_in(self.sources[file]).by_start.get(offset) if file in self.sources else None

    def name_at(self, file: str, offset: int) -> tuple[Span, str, list[Symbol]] | None:
        """The name at an offset: its span, its text and what it may refer to."""
        source = self.sources.get(file)
        if source is None:
            return None
        if file.endswith(DATA):
            for mention in self.yaml_mentions(source):
                if mention.span.start <= offset <= mention.span.end and (symbols := self.resolve_yaml(mention)):
                    return mention.span, mention.name, symbols
            return None
        for m in self.names_in(source).mentions:
            if m.span.start <= offset <= m.span.end:
                return m.span, m.name, self.resolve(m)
        return self.name_in_broken_line(source, offset)

    def name_in_broken_line(self, source: Source, offset: int) -> tuple[Span, str, list[Symbol]] | None:
        """A word in a line with a syntax error, looked up by its name alone."""
        line, _ = source.place(offset)
        if not any(source.place(d.span.start)[0] == line for d in parse_file(source.file, source.text)[1]):
            return None
        text, start = source.line(line), source.text.rfind("\n", 0, offset) + 1
        for found in WORD.finditer(text):
            if found.start() <= offset - start <= found.end():
                scope = self.scope(source, start, len(text) - len(text.lstrip()))
                span = Span(source.file, start + found.start(), start + found.end())
                known = [scope[found[0]]] if found[0] in scope else self.by_name.get(found[0], [])
                return span, found[0], known
        return None

    def scope(self, source: Source, line: int, column: int) -> Scope:
        """The local names known to a line that begins at an offset with an indentation."""
        for scopes in reversed(self.names_in(source).line_scopes):
            if scopes.start >= line:
                continue
            begun = scopes.start - (source.text.rfind("\n", 0, scopes.start) + 1)
            if source.text[scopes.start - begun : scopes.start].strip():
                continue  # it follows a colon
            if begun < column:
                return scopes.inside
            if begun == column:
                return scopes.after
        return {}

    def uses(self, symbol: Symbol) -> Iterator[tuple[Span, list[Symbol], bool]]:
        """Places that name a symbol, or may: the span, what it may refer to, and whether it is a declaration."""
        for source in self.sources.values():
            if source.file.endswith(DATA):
                for mention in self.yaml_mentions(source):
                    if mention.name == symbol.name and symbol in (symbols := self.resolve_yaml(mention)):
                        yield mention.span, symbols, mention.declared
            elif symbol.name in source.text:
                for m in self.names_in(source).mentions:
                    if m.name == symbol.name and symbol in (symbols := self.resolve(m)):
                        yield m.span, symbols, m.role == "declared" or m.binding is not None

    def declarations(self, symbol: Symbol) -> list[Span]:
        if symbol.sort != "local":
            return self.declared_at.get(symbol, [])
        file, _, start = symbol.owner.rpartition("@")
        return [Span(file, int(start), int(start) + len(symbol.name))]

    # ------------------------------------------------------------ types

    def type_of(self, node: sx.Expr, file: str) -> Type | None:
        """The type of a plain chain of names, indices and calls."""
        match node:
            case sx.Name():
                m = self.mention_at_start(file, node.span.start)
                symbols = self.resolve(m) if m is not None and m.name == node.id else []
                return self.type_of_symbol(symbols[0]) if len(symbols) == 1 else None
            case sx.Attr(base, name):
                t = self.type_of(base, file)
                return self.type_of_field(t.domain, name) if isinstance(t, MemberType) else None
            case sx.Call(sx.Name(name), _):
                return self.type_of_symbol(Symbol("value", "", name))
            case sx.Index(base, _):
                return indexed_type(self.type_of(base, file))
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
        if symbol.sort == "zone" and name in model.zones:
            return type_of_zone(model.zones[name])
        found = model.fields.get(name) if symbol.sort == "field" else model.options.get(name)
        return found.type if found is not None and symbol.sort in ("field", "option") else None

    def type_of_field(self, owner: str, name: str) -> Type | None:
        model = self.analysis.model if self.analysis else None
        for part in self.kind_parts(owner):
            kind = model.kinds.get(part) if model else None
            if kind is None:
                continue
            if name in kind.fields:
                return kind.fields[name].type
            if name in kind.zones:
                return type_of_zone(kind.zones[name])
        value = model.values.get(name) if model else None
        return value.result if value is not None and len(value.params) == 1 else None

    def type_of_local(self, symbol: Symbol) -> Type | None:
        file, _, start = symbol.owner.rpartition("@")
        m = self.mention_at_start(file, int(start))
        if m is None or self.analysis is None:
            return None
        if m.type is not None:
            return self.type_named(m.type)
        at = self.analysed_offset(file, m.binding.start) if m.binding is not None else -1
        found = self.analysis.types.get((file, at, m.name))
        if found is None and m.domain is not None:
            return element_type(self.type_of(m.domain, file))
        return found

    def type_named(self, node: sx.Expr) -> Type | None:
        """The type that a type expression names, if it is a plain one."""
        match node:
            case sx.TypeExpr("or none", (inner, *_)):
                return self.type_named(inner)
            case sx.TypeExpr("set", (inner, *_)):
                elem = self.type_named(inner)
                return SetType(elem) if elem is not None else None
            case _:
                name, model = dotted_name(node), self.analysis.model if self.analysis else None
                named = (model.kinds.get(name) or model.enums.get(name)) if model else None
                return named.type if named else None


def type_of_zone(zone: ZoneSym) -> Type | None:
    """The type of what a zone of things holds, by member where there is a zone for each; None for counted pieces."""
    if zone.kind is None:
        return None
    held = zone.kind.type if zone.cap == 1 else SetType(zone.kind.type)
    return MapType((zone.key,), held) if zone.key else held


def element_type(t: Type | None) -> Type | None:
    return t.elem if isinstance(t, (SetType, ListType)) else None


def indexed_type(t: Type | None) -> Type | None:
    return t.value if isinstance(t, MapType) else element_type(t) if isinstance(t, ListType) else None
