"""Mutants: small wrong changes of a ruleset, each of which a ruling, an invariant or a game should notice.

Takes the trees of the rules, overlays applied, with the texts that they come from; returns `Mutant`s, each the
replacement of one part of one text. `tools.mutation.runner` runs them. Types, invariants, rulings and values
for bots are never changed.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any

from dsl.base.span import Source, Span
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk

NEVER_MUTATED = frozenset({"enum", "ranked enum", "invariant", "position", "ruling", "errata", "variant"})
STATE = frozenset({"table", "const", "field", "zone", "kind", "lattice", "piece", "option"})
STATE_CLAUSES = frozenset({"each", "max"})  # of these the clauses that are rules, not types
READERS = frozenset(
    {"before", "after", "instead of", "modify", "grant", "deny", "purse", "source", "change", "hands on"}
)
DROPPABLE = frozenset(
    {"where", "while", "such that", "per", "each", "at least", "at most", "or decline", "if any", "with", "first"}
    | {"once per", "at once"}
)
COMPARISONS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "is": ("is not",), "is not": ("is",),
    "in": ("not in",), "not in": ("in",),
}  # fmt: skip
ARITHMETIC = {"+": "-", "-": "+", "*": "+"}
FOLDS = {"max": "min", "min": "max", "any": "every", "every": "any"}
SWAPPED = {"highest": "lowest", "lowest": "highest", "true": "false", "false": "true"}
ORDERED = (sx.Sentence, sx.Loop, sx.If, sx.Section, sx.Choose)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one place: in `file` the text from `start` to `end` becomes `text`. `kind`: the sort of change;
    `rule`: the declaration that contains it."""

    file: str
    line: int
    start: int
    end: int
    text: str
    kind: str
    description: str
    rule: str

    def apply_to(self, source: Source) -> Source:
        """The text with this change; any other text as it is."""
        if source.file != self.file:
            return source
        return Source(source.file, source.text[: self.start] + self.text + source.text[self.end :])


def mutants(
    files: Iterable[sx.File],
    sources: Mapping[str, Source],
    members: Mapping[str, tuple[str, ...]],
    patches: Iterable[sx.File] = (),
) -> list[Mutant]:
    """All mutants, in the order of the text. `members`: kind or enum -> its ids; `patches`: the overlays themselves,
    whose lines are left out one at a time."""
    files = list(files)
    causes = _named_causes(files)
    found: list[Mutant] = []
    for file in files:
        for line in file.lines:
            if isinstance(line, sx.Decl) and line.word not in NEVER_MUTATED:
                found += _MutantCollector(sources, line, members, causes).collect()
    for file in patches:
        for block in file.lines:
            if isinstance(block, sx.Decl):
                found += [mutant for line in block.block for mutant in _without(sources, line)]
    unique = {(m.file, m.start, m.end, m.text): m for m in found}
    return sorted(unique.values(), key=lambda m: (m.file, m.start, m.end, m.text))


def _named_causes(files: list[sx.File]) -> set[str]:
    """Names in lines that react to events or pay: a cause that no such line reads changes nothing but the log."""
    lines = [node for file in files for node in walk(file.lines)]
    readers = [
        n for n in lines
        if isinstance(n, sx.Decl) and n.word in READERS or isinstance(n, sx.Clause) and n.word == "without"
    ]  # fmt: skip
    return {name.id for reader in readers for name in walk(reader) if isinstance(name, sx.Name)}


def _without(sources: Mapping[str, Source], line: sx.Line) -> Iterator[Mutant]:
    """The mutant that lacks this line of an overlay, if it takes up whole lines of text."""
    place = _whole_lines(sources, line.span)
    if place is not None and isinstance(line, sx.Decl):
        source = sources[line.span.file]
        row, said = source.place(line.span.start)[0], _shorten(source.text[line.span.start : line.span.end])
        rule = line.name.partition(".")[0]
        yield Mutant(source.file, row, place.start, place.end, "", "patch", f"without `{said}`", rule)


def _whole_lines(sources: Mapping[str, Source], span: Span) -> Span | None:
    """The text lines that a line of the tree takes up; None if something else precedes it."""
    text = sources[span.file].text
    begin = text.rfind("\n", 0, span.start) + 1
    if text[begin : span.start].strip():
        return None
    end = text.find("\n", span.end)
    return Span(span.file, begin, len(text) if end < 0 else end + 1)


def _beginning(span: Span, word: str) -> Span:
    """The span of a word at the beginning of a place."""
    return Span(span.file, span.start, span.start + len(word))


class _MutantCollector:
    """The mutants of one declaration, which may have lines of several files in it: a place is one of a file."""

    def __init__(
        self, sources: Mapping[str, Source], decl: sx.Decl, members: Mapping[str, tuple[str, ...]], causes: set[str]
    ) -> None:
        self.sources = sources
        self.decl = decl
        self.members = members
        self.causes = causes
        self.bound = _bound_names(decl)
        self.found: list[Mutant] = []

    def collect(self) -> list[Mutant]:
        self._node(self.decl)
        return self.found

    def _add(self, kind: str, span: Span, text: str, description: str) -> None:
        line = self.sources[span.file].place(span.start)[0]
        self.found.append(Mutant(span.file, line, span.start, span.end, text, kind, description, self.decl.name))

    def _replace(self, kind: str, span: Span, text: str) -> None:
        self._add(kind, span, text, f"`{_shorten(self._text_of(span))}` becomes `{_shorten(text)}`")

    def _text_of(self, span: Span) -> str:
        return self.sources[span.file].text[span.start : span.end]

    # ---------------------------------------------------------------- the walk

    def _node(self, node: Any) -> None:
        match node:
            case tuple():
                for item, following in zip_longest(node, node[1:]):
                    if isinstance(item, sx.Clause):
                        self._clause(item, following)
                    else:
                        self._node(item)
            case sx.Decl():
                self._decl(node)
            case sx.Call():  # the name of a call is not a member
                for arg in node.args:
                    self._node(arg.value)
            case sx.Let():
                self._node(node.value)
            case sx.Row():
                self._node(node.cells)
                self._block(node.block)
            case sx.Node():
                self._expression(node)
                for field in dataclasses.fields(node):
                    child = getattr(node, field.name)
                    if field.name in ("block", "then", "orelse") and isinstance(child, tuple):
                        self._block(child)
                    elif isinstance(child, (tuple, sx.Node)) and field.name != "params":
                        self._node(child)

    def _decl(self, node: sx.Decl) -> None:
        if node.word in STATE:
            self._node(tuple(c for c in node.clauses if c.word in STATE_CLAUSES))
            self._node(tuple(item for item in node.items if isinstance(item, sx.Num)))
        else:
            self._node(node.clauses)
        self._node(node.value)
        self._block(node.block)

    def _clause(self, clause: sx.Clause, following: Any) -> None:
        """The mutants of a clause; what tells why a condition does not hold goes with it."""
        if clause.word in DROPPABLE:
            reason = isinstance(following, sx.Clause) and following.word == "because"
            span = Span(clause.span.file, clause.span.start, following.span.end if reason else clause.span.end)
            self._add("guard", span, "", f"without `{_shorten(self._text_of(clause.span))}`")
        if clause.word == "because":
            return
        if clause.word == "as" and not any(isinstance(a, sx.Name) and a.id in self.causes for a in clause.args):
            return
        if clause.word in ("where", "while", "such that") and isinstance(clause.args[0], sx.Node):
            self._test(clause.args[0])
        self._node(clause.args)

    # ---------------------------------------------------------------- lines

    def _block(self, lines: tuple[sx.Line, ...]) -> None:
        for line in lines:
            self._node(line)
        lines = tuple(line for before, line in zip((None, *lines), lines, strict=False) if not _is_part(line, before))
        if not lines or any(isinstance(line, sx.Row) for line in lines):
            return
        places = [_whole_lines(self.sources, line.span) for line in lines]
        if None in places:  # after a colon, where the line cannot be dropped without its head
            return
        for line, place in zip(lines, places, strict=True):
            if place is not None and len(lines) > 1 and not isinstance(line, (sx.Case, sx.Decl)):
                self._add("statement", place, "", f"without `{_shorten(self._text_of(line.span))}`")
        for (one, a), (two, b) in pairwise(zip(lines, places, strict=True)):
            if a is None or b is None or not isinstance(one, ORDERED) or not isinstance(two, ORDERED):
                continue
            if a.file != b.file or a.end > b.start:  # an overlay put one of them here
                continue
            text = self.sources[a.file].text
            swapped = text[b.start : b.end] + text[a.end : b.start] + text[a.start : a.end]
            first, then = _shorten(self._text_of(two.span)), _shorten(self._text_of(one.span))
            self._add("order", Span(a.file, a.start, b.end), swapped, f"`{first}` before `{then}`")

    # ---------------------------------------------------------------- expressions

    def _expression(self, node: sx.Node) -> None:
        match node:
            case sx.If() | sx.Cond():
                self._test(node.test)
            case sx.Compare(op, left, right):
                for other in COMPARISONS[op]:
                    self._replace_operator("comparison", node, left, right, op, other)
            case sx.Bool(op, items):
                self._replace_operator("connective", node, items[0], items[1], op, "or" if op == "and" else "and")
                if op == "and":
                    self._drop_operands(items)
            case sx.Unary("not", operand):
                self._replace("test", node.span, self._text_of(operand.span))
            case sx.Binary(op, left, right):
                self._replace_operator("arithmetic", node, left, right, op, ARITHMETIC[op])
            case sx.Num(value):
                for number in (value + 1, value - 1):
                    if number >= 0:
                        self._replace("number", node.span, str(number))
            case sx.Name(id):
                self._name(node, id)
            case sx.Key(direction):
                self._replace("key", _beginning(node.span, direction), SWAPPED[direction])
            case sx.Fold(word) if word in FOLDS:
                self._replace("fold", _beginning(node.span, word), FOLDS[word])

    def _test(self, test: Any) -> None:
        """Negate a test; comparisons have mutants of their own."""
        if not isinstance(test, sx.Compare) and not (isinstance(test, sx.Unary) and test.op == "not"):
            self._replace("test", test.span, f"not ({self._text_of(test.span)})")

    def _replace_operator(self, kind: str, node: sx.Expr, left: sx.Expr, right: sx.Expr, op: str, other: str) -> None:
        """Replace the operator between two operands. An overlay may have altered one of them: then the operator stands
        beside the other."""
        file = node.span.file
        start = left.span.end if left.span.file == file else node.span.start
        end = right.span.start if right.span.file == file else node.span.end
        pattern = re.escape(op).replace(r"\ ", r"\s+")
        found = re.search(rf"(?<!\S){pattern}(?!\S)", self._text_of(Span(file, start, end)))
        if found is None:
            return
        shown = f"{self._text_of(left.span)} {op} {self._text_of(right.span)}"
        if left.span.file == right.span.file:
            shown = self._text_of(left.span.to(right.span))
        place = Span(file, start + found.start(), start + found.end())
        self._add(kind, place, other, f"`{_shorten(shown)}` with `{other}`")

    def _drop_operands(self, items: tuple[sx.Expr, ...]) -> None:
        """Leave out each operand of an `and` in turn."""
        for number, item in enumerate(items):
            last = number == len(items) - 1
            beside = items[number - 1] if last else items[number + 1]
            if beside.span.file == item.span.file:
                start = beside.span.end if last else item.span.start
                end = item.span.end if last else beside.span.start
                said = f"without `{_shorten(self._text_of(item.span))}` in an `and`"
                self._add("guard", Span(item.span.file, start, end), "", said)

    def _name(self, node: sx.Node, id: str) -> None:
        if id in SWAPPED:
            self._replace("member", node.span, SWAPPED[id])
            return
        kinds: list[tuple[str, ...]] = [ids for ids in self.members.values() if id in ids]
        if not kinds or id in self.bound:
            return
        smallest = sorted(kinds, key=lambda ids: len(ids))[0]
        common = tuple(other for other in smallest if all(other in ids for ids in kinds))
        ids = common if len(common) > 1 else smallest
        if len(ids) > 1:
            self._replace("member", node.span, ids[(ids.index(id) + 1) % len(ids)])


def _is_part(line: sx.Line, before: sx.Line | None) -> bool:
    """True for a line that is written in the one before it: what leaves behind the `else` of a `let`."""
    return before is not None and before.span.file == line.span.file and line.span.end == before.span.end


def _bound_names(decl: sx.Decl) -> set[str]:
    """The local names of a declaration."""

    def names() -> Iterator[str]:
        for node in walk(decl):
            match node:
                case sx.Binder(name) | sx.Let(name):
                    yield name
                case sx.Arg(sx.Name(id), type) if type is not None:
                    yield id

    return set(names())


def _shorten(text: str, limit: int = 70) -> str:
    line = " ".join(re.sub(r"#[^\n]*|\[[A-Z]{2,}-\d[^\]]*\]", "", text).split())
    return line if len(line) <= limit else f"{line[: limit - 3]}..."
