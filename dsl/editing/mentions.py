"""Every name in a file: where it stands, and whether it is a declaration, a local name or a reference.

Takes a tree and its text, gives `Mention`s. Local names are resolved here, by the blocks in which they are in scope;
`dsl.editing.index` resolves names that may have several declarations.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.overlay.addresses import address_in
from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file
from dsl.syntax.vocabulary import words_with
from dsl.syntax.walk import walk

SORTS = {
    **dict.fromkeys(words_with("routine"), "routine"),
    **{"enum": "enum", "ranked enum": "enum", "lattice": "kind", "errata": "overlay", "variant": "overlay"},
    **{w: w for w in ("option", "table", "zone", "field", "kind", "piece", "value", "purse", "rule", "history")},
    **{w: w for w in ("invariant", "position", "ruling")},
}
# the role of what follows a word of a clause
CLAUSE_ROLES = {"once per": "routine", "in layer": "layer", "in layers": "layer"}
PAYMENT_WORDS = words_with("accounts")
CALL_WORDS = words_with("names")  # sentences whose operand is a routine
EXPECTATION_WORDS = ("illegal", "legal")
FRAME_WORDS = ("at end of", "until end of")
PATTERN_WORDS = words_with("patterns")
PATCH_WORDS = ("replace", "insert before", "insert after", "drop", "alter")
RULING_BODY = "#"  # in place of a kind: in a ruling or position
WORD = re.compile(r"[A-Za-z_]\w*")
Scope = dict[str, "Symbol"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A thing that names refer to. `owner`: the kind of a field, the domain of a member, or the place where a local
    name is bound."""

    sort: str
    owner: str
    name: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at a place in a text of rules. `role`: declared, local (both with `symbol`), name, routine, position, paid
    (after `pay N`), called (before a bracket), attr (`base` is before the dot), row (the key of a row of a card of kind
    `owner`), pattern (a new name in the head of a rule line, unless it is known), quoted (a word of a reason in a
    ruling), any (a parameter of several actions that an order leaves open), layer (of a value)."""

    span: Span
    name: str
    role: str
    symbol: Symbol | None = None
    base: sx.Expr | None = None
    owner: str = ""
    binding: Span | None = None  # of a local name that is bound here: the node that binds it
    type: sx.Expr | None = None  # of a parameter: as it is declared
    domain: sx.Expr | None = None  # of `x in S`: S
    address: str = ""  # in the address of a patch: the dotted path that ends with this name


@dataclass(frozen=True, slots=True)
class LineScopes:
    """A line with the local names that are in scope before it, after it, and in its block."""

    start: int
    before: Scope
    after: Scope
    inside: Scope


@dataclass(slots=True)
class FileNames:
    """The names in one file, in the order of the walk, and `line_scopes`, its lines in the order of the text."""

    mentions: list[Mention]
    line_scopes: list[LineScopes]
    declared: list[Mention]
    by_start: dict[int, Mention]


@lru_cache(400)
def mentions(path: str, text: str, dotted: frozenset[str]) -> FileNames:
    """The names of a file; `dotted` are the ids with dots, which are one name."""
    tree, _ = parse_file(path, text)
    reader = _MentionReader(path, text, dotted)
    reader.lines(tree.lines, {}, "")
    reader.line_scopes.sort(key=lambda scopes: scopes.start)
    found = {(m.span, m.role): m for m in reader.mentions}.values()  # all cases of a `depending on` have its names
    declared = [m for m in found if m.role == "declared"]
    return FileNames([*found], reader.line_scopes, declared, {m.span.start: m for m in found})


def dotted_name(node: sx.Expr) -> str:
    """`a.b` as text, if the node is a chain of names."""
    match node:
        case sx.Name(id):
            return id
        case sx.Attr(base, name):
            inner = dotted_name(base)
            return f"{inner}.{name}" if inner else ""
    return ""


class _MentionReader:
    def __init__(self, file: str, text: str, dotted: frozenset[str]) -> None:
        self.file = file
        self.text = text
        self.dotted = dotted
        self.mentions: list[Mention] = []
        self.line_scopes: list[LineScopes] = []
        self.columns: list[str] = []  # what stands in those of the table of the ruling that is read, as roles
        self.open_names: set[str] = set()  # those of the order that is being read
        self.inside: Scope = {}  # the names in scope in the block of the line that was read last

    # ------------------------------------------------------------ places

    def find_word(self, name: str, start: int, end: int) -> Span | None:
        """The first place of a name as a whole word in a stretch of text."""
        at = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)").search(self.text, start, end)
        return Span(self.file, at.start(), at.end()) if at else None

    def add(self, span: Span, name: str, role: str, **more: Any) -> None:
        self.mentions.append(Mention(span, name, role, **more))

    def declare(self, span: Span | None, sort: str, owner: str, name: str) -> None:
        if span is not None and name:
            self.add(span, name, "declared", symbol=Symbol(sort, owner, name))

    def bind(self, span: Span | None, name: str, scope: Scope, binding: Span, role: str = "local", **more: Any) -> None:
        if span is None:
            return
        symbol = Symbol("local", f"{self.file}@{span.start}", name)
        scope[name] = symbol
        self.add(span, name, role, symbol=symbol, binding=binding, **more)

    # ------------------------------------------------------------ expressions

    def expr(self, node: Any, scope: Scope, role: str = "name") -> None:
        match node:
            case None:
                return
            case sx.Name(id):
                if id in scope:
                    self.add(node.span, id, "local", symbol=scope[id])
                elif id in self.open_names:
                    self.add(node.span, id, "any")
                else:
                    self.add(node.span, id, role)
            case sx.Attr() if self.dotted and dotted_name(node) in self.dotted:
                self.add(node.span, dotted_name(node), "name")
            case sx.Attr(base, name):
                self.expr(base, scope)
                end = node.span.end
                self.add(Span(self.file, end - len(name), end), name, "attr", base=base)
            case sx.AnyOf(name):
                span = self.find_word(name, node.span.start + len("any"), node.span.end)
                if span is not None:
                    self.add(span, name, "any")
            case sx.Call(func, args):
                self.expr(func, scope, "called" if role == "name" else role)
                for a in args:
                    self.expr(a.value, scope)
                    self.expr(a.type, scope)
            case sx.Fold(word, binders, clauses, body):
                inner = dict(scope)
                self.binders(binders, inner)
                if word == "possible":
                    self.expr(body, inner, "routine")
                    self.clauses(clauses, inner)
                else:
                    self.clauses(clauses, inner)
                    self.expr(body, inner)
            case sx.StripExpr(_, items):
                for item in items:
                    self.expr(item, scope, "routine")
            case sx.Node():
                for f in dataclasses.fields(node):
                    value = getattr(node, f.name)
                    for part in value if isinstance(value, tuple) else (value,):
                        if isinstance(part, sx.Node):
                            self.expr(part, scope, role)

    def binders(self, binders: Iterable[sx.Binder], scope: Scope) -> None:
        for b in binders:
            self.expr(b.domain, scope)
            start = b.span.start
            self.bind(Span(self.file, start, start + len(b.name)), b.name, scope, b.span, domain=b.domain)

    def clauses(self, clauses: Iterable[sx.Clause], scope: Scope) -> None:
        for c in clauses:
            if c.word == "giving" and c.args and isinstance(c.args[0], sx.Name):
                self.bind(c.args[0].span, c.args[0].id, scope, c.span)
                continue
            for arg in c.args:
                self.expr(arg, scope, CLAUSE_ROLES.get(c.word, "name"))

    def params(self, params: tuple[sx.Arg, ...] | None, scope: Scope) -> None:
        for p in params or ():
            self.expr(p.type, scope)
            if isinstance(p.value, sx.Name):
                self.bind(p.value.span, p.value.id, scope, p.span, type=p.type)

    def quote(self, span: Span) -> None:
        """The words of a reason that a ruling expects, since reasons quote rules."""
        for found in WORD.finditer(self.text, span.start, span.end):
            self.add(Span(self.file, found.start(), found.end()), found[0], "quoted")

    # ------------------------------------------------------------ lines

    def block(self, block: tuple[sx.Line, ...], scope: Scope, kind: str = "") -> None:
        self.lines(block, dict(scope), kind)
        self.inside = dict(scope)

    def lines(self, block: tuple[sx.Line, ...], scope: Scope, kind: str) -> None:
        for line in block:
            before = dict(scope)
            self.inside = before
            self.line(line, scope, kind)
            self.line_scopes.append(LineScopes(line.span.start, before, dict(scope), self.inside))

    def line(self, line: sx.Line, scope: Scope, kind: str) -> None:
        """`kind`: the kind in whose declaration, or in a card of which, the line stands; `RULING_BODY` in a ruling."""
        match line:
            case sx.Decl():
                self.decl(line, scope, kind)
            case sx.Sentence(word, operands, clauses):
                for operand in operands:
                    if word in PAYMENT_WORDS and isinstance(operand, sx.Amount) and isinstance(operand.what, sx.Name):
                        self.expr(operand.count, scope)
                        self.expr(operand.what, scope, "paid")
                    else:
                        self.expr(operand, scope, "routine" if word in CALL_WORDS else "name")
                self.open_names = {n.name for n in walk(operands) if isinstance(n, sx.AnyOf)}
                self.clauses(clauses, scope)
                self.open_names = set()
                for c in clauses if word in EXPECTATION_WORDS else ():
                    if c.word == "because" and isinstance(c.args[0], sx.Text):
                        self.quote(c.args[0].span)
            case sx.Choose():
                self.choose(line, scope)
            case sx.Loop(binders=binders, clauses=clauses, block=block):
                inner = dict(scope)
                self.binders(binders, inner)
                self.clauses(clauses, inner)
                self.block(block, inner)
            case sx.If(test, then, orelse):
                self.expr(test, scope)
                self.block(then, scope)
                self.block(orelse, scope)
            case sx.Let(name, type_, value):
                self.expr(type_, scope)
                self.expr(value, scope)
                start = line.span.start + len("let")
                self.bind(self.find_word(name, start, line.span.end), name, scope, line.span)
            case sx.Case(name, params, clauses, block):
                start = line.span.start + len("case")
                self.declare(self.find_word(name, start, line.span.end), "case", f"{self.file}@{start}", name)
                inner = dict(scope)
                self.params(params, inner)
                self.clauses(clauses, inner)
                self.block(block, inner)
            case sx.Section():
                self.section(line, scope, kind)
            case sx.Answer(who, word, items):
                self.expr(who, scope)
                for item in items:
                    self.expr(item, scope)
            case sx.Row(key, cells, block):
                if kind not in ("", RULING_BODY) and isinstance(key, sx.Name):
                    self.add(key.span, key.id, "row", owner=kind)
                else:
                    self.expr(key, scope)
                for cell in cells:
                    for part in cell:
                        self.expr(part, scope)
                self.block(block, scope)

    def choose(self, line: sx.Choose, scope: Scope) -> None:
        """The names of a choice are in scope in the lines after it; those after `for` only in the choice itself."""
        inner = dict(scope) if line.shape == "amounts" else scope
        if line.shape == "amounts" and line.name:
            span = self.find_word(line.name, line.span.start + len("choose amounts"), line.span.end)
            self.bind(span, line.name, scope, line.span)
            inner[line.name] = scope[line.name]
        self.binders(line.binders, inner)
        self.clauses(line.clauses, inner)
        self.block(line.block, scope)

    def section(self, line: sx.Section, scope: Scope, kind: str) -> None:
        if line.name:
            start = line.span.start + len(line.word)
            span = self.find_word(line.name, start, line.span.end)
            if line.word == "step":
                self.declare(span, "step", f"{self.file}@{start}", line.name)
            elif span is not None and line.name in scope:
                self.add(span, line.name, "local", symbol=scope[line.name])
            elif span is not None:
                self.add(span, line.name, "position")
        self.expr(line.head, scope, "routine" if line.word in FRAME_WORDS else "name")
        if line.word == "cases":  # the names of rows name nothing else
            for row in line.block:
                for cell, role in zip(row.cells, self.columns, strict=False) if isinstance(row, sx.Row) else ():
                    for part in cell:
                        self.expr(part, scope, role)
            return
        inner = dict(scope)
        for p in line.params:
            self.expr(p.type, scope)
            if isinstance(p.value, sx.Name):  # of the effects of all cards of a kind
                self.declare(p.value.span, "parameter", kind, p.value.id)
        self.block(line.block, inner, kind if kind == RULING_BODY else "")

    def decl(self, line: sx.Decl, scope: Scope, kind: str) -> None:
        inner = dict(scope)
        word, name = line.word, line.name
        if word in PATTERN_WORDS and line.head is not None:
            self.pattern(line.head, inner, "routine" if word in ("before", "after", "instead of") else "name")
        elif word in PATCH_WORDS:
            known = len(self.mentions)
            self.expr(line.head, scope)
            self.mentions[known:] = [
                dataclasses.replace(m, address=address_in(self.text[line.name_span.start : m.span.end]))
                for m in self.mentions[known:]
            ]
        elif word == "source":
            self.expr(line.head, scope)
        elif word in ("const", "field", "zone") and kind:
            self.declare(line.name_span, "field", kind, name)
        elif word == "option" and kind == RULING_BODY:
            self.add(line.name_span, name, "name")
            self.items(dataclasses.replace(line, word=""), scope)
            return
        elif word == "card":
            kind_of = line.type.id if isinstance(line.type, sx.Name) else ""
            self.declare(line.name_span, "member", kind_of, name)
        elif word in SORTS:
            self.declare(line.name_span, SORTS[word], "", name)
        if word == "strip":
            if line.head is None:
                self.declare(line.name_span, "strip", kind, name)
            elif line.name_span is not None:  # on a card
                self.add(line.name_span, name, "row", owner=kind)
            self.expr(line.head, scope)
        self.params(line.params, inner)
        if word == "ruling":
            self.columns = ["position" if p.type == sx.Name("position") else "name" for p in line.params or ()]
        if line.type is not None and word != "procedure":
            self.expr(line.type, scope)
        self.items(line, scope)
        for c in line.clauses:
            if (word, c.word) == ("hands on", "as"):  # the name of a fact, which other rulesets know
                continue
            if c.word in ("giving", "on", "in layers", "of") and word != "source":
                if c.word == "giving":
                    for arg in c.args:
                        self.expr(arg, scope)
                continue
            if c.word == "faces":
                for arg in c.args:
                    if isinstance(arg, sx.Name):
                        self.declare(arg.span, "member", f"{name}.face", arg.id)
                continue
            for arg in c.args:
                role = CLAUSE_ROLES.get(c.word, "name")
                role = "position" if word == "position" and c.word == "from" else role
                if c.word in ("decided by", "each") and isinstance(arg, sx.Name):
                    self.add(arg.span, arg.id, "attr", base=self.kind_counted(line))
                else:
                    self.expr(arg, inner, role)
        if word == "value":
            begun = dict(inner)
            self.lines(line.block, inner, "")
            self.expr(line.value, inner)
            self.inside = begun
            return
        self.expr(line.value, inner)
        self.block(line.block, inner, self.kind_of_block(line))

    @staticmethod
    def kind_counted(line: sx.Decl) -> sx.Expr:
        """The kind whose members a clause of a declaration asks one by one: that of a piece, or the declared one."""
        by = (c.args[0] for c in line.clauses if line.word == "piece" and c.word == "by")
        return next((k for k in by if isinstance(k, sx.Name)), sx.Name(line.name, span=line.name_span))

    @staticmethod
    def kind_of_block(line: sx.Decl) -> str:
        if line.word in ("kind", "lattice"):
            return line.name
        if line.word == "card" and isinstance(line.type, sx.Name):
            return line.type.id
        return RULING_BODY if line.word in ("position", "ruling") else ""

    def items(self, line: sx.Decl, scope: Scope) -> None:
        """Note the items of a line: members of an enum or option are declared, those of a union are used; the shape of
        a lattice is neither."""
        for item in line.items if line.word != "lattice" else ():
            if line.word in ("enum", "ranked enum", "option") and isinstance(item, sx.Name) and item.id != "bool":
                self.declare(item.span, "member", line.name, item.id)
            else:
                self.expr(item, scope)

    def pattern(self, head: sx.Expr, scope: Scope, role: str) -> None:
        func, args = (head.func, head.args) if isinstance(head, sx.Call) else (head, ())
        self.expr(func, {}, "called" if role == "name" else role)
        for a in args:
            self.expr(a.type, scope)
            if isinstance(a.value, sx.Name):
                self.bind(a.value.span, a.value.id, scope, a.span, "pattern")
            else:
                self.expr(a.value, scope)
