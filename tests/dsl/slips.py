"""One-word mistakes put into a ruleset at random: what a tired designer does, and the line where it should be reported.

`slips` takes the texts of a ruleset and a random generator and gives mistakes of six sorts in turn. A typo that happens
to be another word of the ruleset is not made.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from dsl.base.span import Span
from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
NUMBER = re.compile(r"(?<=[:,\[ ])[0-9]+(?=[,\]} \n])")
CALCULATIONS = ("+", "-", "*", "<", "<=", ">", ">=")
SORTS = ("typo", "wrong type", "number of arguments", "missing indent", "unknown clause", "out of range")


@dataclass(frozen=True)
class Slip:
    """`text` is the whole file with the mistake in it."""

    sort: str
    file: str
    line: int
    before: str
    after: str
    text: str


class Ruleset:
    """Texts of rules and data, with the trees of the rules."""

    def __init__(self, rules: Mapping[str, str], data: Mapping[str, str]) -> None:
        self.rules, self.data = dict(rules), dict(data)
        self.nodes: list[tuple[sx.Node, tuple[sx.Node, ...]]] = []
        self.signatures: dict[str, list[str]] = {}
        for path, text in self.rules.items():
            tree, found = parse_file(path, text)
            assert not found, found
            self.nodes += walk(tree, ())
        for node, _ in self.nodes:
            if isinstance(node, sx.Decl) and node.params is not None:
                self.signatures[node.name] = [self.text(p.type.span) if p.type else "" for p in node.params]
        self.words = {word for text in (*self.rules.values(), *self.data.values()) for word in WORD.findall(text)}

    def text(self, span: Span) -> str:
        return self.rules[span.file][span.start : span.end]

    def change(self, sort: str, span: Span, after: str) -> Slip:
        text = self.rules[span.file]
        line = text.count("\n", 0, span.start) + 1
        return Slip(sort, span.file, line, self.text(span), after, text[: span.start] + after + text[span.end :])


def walk(node: object, above: tuple[sx.Node, ...]) -> Iterator[tuple[sx.Node, tuple[sx.Node, ...]]]:
    """Every node with the nodes above it, the nearest last."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item, above)
    elif isinstance(node, sx.Node):
        yield node, above
        for field in dataclasses.fields(node):
            yield from walk(getattr(node, field.name), (*above, node))


def slips(ruleset: Ruleset, random: Random, count: int) -> list[Slip]:
    """`count` mistakes, the sorts in turn."""
    pools = {
        "typo": names(ruleset),
        "wrong type": values(ruleset),
        "number of arguments": calls(ruleset),
        "missing indent": first_lines(ruleset),
        "unknown clause": clauses(ruleset),
        "out of range": numbers(ruleset),
    }
    made: list[Slip] = []
    while len(made) < count:
        sort = SORTS[len(made) % len(SORTS)]
        slip = None
        while slip is None:
            place = random.choice(pools[sort])
            slip = MAKERS[sort](ruleset, place, random)
        made.append(slip)
    return made


# ---------------------------------------------------------------- where


def names(ruleset: Ruleset) -> list[Span]:
    """Names that are used, not given: renaming a declaration would be a mistake at every use of it."""
    found = []
    for node, above in ruleset.nodes:
        if not isinstance(node, sx.Name) or len(node.id) < 4 or ruleset.text(node.span) != node.id:
            continue
        parent = above[-1]
        gives = (
            isinstance(parent, sx.Arg) and parent.type is not None and parent.value is node
            or isinstance(parent, sx.Decl)
            or isinstance(parent, sx.Clause) and parent.word in ("in layers", "faces", "of")
            or isinstance(parent, sx.Row) and parent.key is node
            or any(isinstance(a, sx.Decl) and a.head in (node, parent) for a in above)
        )  # fmt: skip
        if not gives:
            found.append(node.span)
    return found


def values(ruleset: Ruleset) -> list[tuple[Span, str]]:
    """Places with what is of a wrong type there: truths among numbers, numbers as conditions and as things."""
    found: list[tuple[Span, str]] = []
    for node, above in ruleset.nodes:
        parent = above[-1] if above else None
        if isinstance(node, sx.Num) and isinstance(parent, (sx.Binary, sx.Compare)) and parent.op in CALCULATIONS:
            found.append((node.span, "true"))
        elif isinstance(parent, sx.Clause) and parent.word == "where":
            found.append((node.span, "3"))
        elif isinstance(parent, sx.Arg) and parent.type is None and isinstance(above[-2], sx.Call):
            call = above[-2]
            types = ruleset.signatures.get(call.func.id) if isinstance(call.func, sx.Name) else None
            at = call.args.index(parent)
            if types and len(types) == len(call.args) and types[at][:1].isupper():
                found.append((node.span, "3"))
    return found


def calls(ruleset: Ruleset) -> list[sx.Call]:
    """Calls of what the ruleset declares, but not the patterns of rule lines."""
    found = []
    for node, above in ruleset.nodes:
        if not isinstance(node, sx.Call) or not isinstance(node.func, sx.Name):
            continue
        if any(isinstance(a, sx.Decl) and a.head is node for a in above) or not ruleset.text(node.span).endswith(")"):
            continue
        if len(node.args) == len(ruleset.signatures.get(node.func.id, [None] * 9)):
            found.append(node)
    return found


def given(ruleset: Ruleset) -> list[Span]:
    """Names where they are given: of declarations that rules can use, of what is ranged over, of parameters."""
    found = []
    for node, _ in ruleset.nodes:
        match node:
            case sx.Decl(name=name, name_span=span) if node.word not in ("card", "invariant", "rule"):
                if span.file and ruleset.text(span) == name:
                    found.append(span)
            case sx.Binder(name=name):
                found.append(dataclasses.replace(node.span, end=node.span.start + len(name)))
            case sx.Arg(value=sx.Name(), type=declared) if declared is not None:
                found.append(node.value.span)
    return found


def first_lines(ruleset: Ruleset) -> list[Span]:
    """The indentation of the first line under each head that needs one."""
    found = []
    for node, _ in ruleset.nodes:
        block = node.then if isinstance(node, sx.If) else node.block if isinstance(node, (sx.Loop, sx.Section)) else ()
        if not block:
            continue
        text = ruleset.rules[node.span.file]
        start = text.rfind("\n", 0, block[0].span.start) + 1
        indent = text[start : block[0].span.start]
        if start > node.span.start and not indent.strip() and len(indent) >= 8:
            found.append(Span(node.span.file, start, start + len(indent)))
    return found


def clauses(ruleset: Ruleset) -> list[Span]:
    found = []
    for node, _ in ruleset.nodes:
        if isinstance(node, sx.Clause):
            word = WORD.match(ruleset.text(node.span))
            if word and len(word[0]) > 1 and node.word.split()[0] == word[0]:
                found.append(Span(node.span.file, node.span.start, node.span.start + len(word[0])))
    return found


def numbers(ruleset: Ruleset) -> list[tuple[str, int, int]]:
    """(file, start, end) of numbers in records of data files, and of bounds where a number is set."""
    found = []
    for path, text in ruleset.data.items():
        for row in re.finditer(r"^ +\S.*$", text, re.MULTILINE):
            if row[0].lstrip().startswith("#"):
                continue
            found += [(path, row.start() + m.start(), row.start() + m.end()) for m in NUMBER.finditer(row[0] + "\n")]
    for node, above in ruleset.nodes:
        if isinstance(node, sx.Num) and isinstance(above[-1], sx.Clause) and above[-1].word == "to":
            match above[-2]:
                case sx.Sentence(word="set", operands=(sx.Attr(), *_)):
                    found.append((node.span.file, node.span.start, node.span.end))
    return found


# ---------------------------------------------------------------- what


def misspelt(ruleset: Ruleset, word: str, random: Random) -> str | None:
    """The word with one letter lost, doubled, changed or swapped with its neighbour; None if that is another word."""
    at = random.randrange(len(word) - 1)
    letter = random.choice("abcdefghijklmnopqrstuvwxyz")
    wrong = random.choice(
        [
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[: at + 1] + letter + word[at + 2 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        ]
    )
    return None if wrong in ruleset.words or not WORD.fullmatch(wrong) else wrong


def typo(ruleset: Ruleset, span: Span, random: Random) -> Slip | None:
    wrong = misspelt(ruleset, ruleset.text(span), random)
    return ruleset.change("typo", span, wrong) if wrong else None


def wrong_type(ruleset: Ruleset, place: tuple[Span, str], random: Random) -> Slip | None:
    span, wrong = place
    return ruleset.change("wrong type", span, wrong)


def arguments(ruleset: Ruleset, call: sx.Call, random: Random) -> Slip | None:
    text = ruleset.text(call.span)
    last = call.args[-1].span if call.args else None
    if last and random.random() < 0.5:
        start = call.args[-2].span.end if len(call.args) > 1 else last.start
        cut = Span(last.file, start, last.end)
        slip = ruleset.change("number of arguments", cut, "")
    else:
        end = Span(call.span.file, call.span.end - 1, call.span.end)
        slip = ruleset.change("number of arguments", end, ", 1)" if call.args else "1)")
    line = ruleset.rules[call.span.file].count("\n", 0, call.span.start) + 1
    return dataclasses.replace(slip, line=line, before=text) if slip.line == line else None


def unindent(ruleset: Ruleset, span: Span, random: Random) -> Slip | None:
    return ruleset.change("missing indent", span, ruleset.text(span)[4:])


def clause(ruleset: Ruleset, span: Span, random: Random) -> Slip | None:
    wrong = misspelt(ruleset, ruleset.text(span), random)
    return ruleset.change("unknown clause", span, wrong) if wrong else None


def out_of_range(ruleset: Ruleset, place: tuple[str, int, int], random: Random) -> Slip | None:
    path, start, end = place
    text = ruleset.data.get(path) or ruleset.rules[path]
    wrong = str(random.choice((4_711_000, 99_999_999)))
    line = text.count("\n", 0, start) + 1
    return Slip("out of range", path, line, text[start:end], wrong, text[:start] + wrong + text[end:])


MAKERS = dict(zip(SORTS, (typo, wrong_type, arguments, unindent, clause, out_of_range), strict=True))
