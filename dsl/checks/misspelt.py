"""Misspelt declarations, found by their uses: the uses have an unknown name, and the declared name is never used.

`report_misspelt` takes the diagnostics of all passes and the trees, and adds a message at each declaration, in rules or
in a data file, whose name is near an unknown one and occurs nowhere else. Where the unknown name occurs several times
and is given nowhere, the message replaces those about its uses and their consequences; otherwise the declaration is
only shown beside the use. It changes nothing when all names are known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Source, Span
from dsl.base.spelling import distance
from dsl.checks.consequences import mentioned
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk

SUGGESTED = re.compile(r"did you mean `([^`]+)`")
UNKNOWN = re.compile(r"(?:unknown .*|.*there is no [A-Z]\w* )`([A-Za-z_]\w*)`")
WORD = re.compile(r"[A-Za-z_]\w*")
KEY = re.compile(r"^ *([A-Za-z_]\w*):", re.MULTILINE)
COMMENT_OR_TEXT = re.compile(r'#[^\n]*|"(?:[^"\\\n]|\\.)*"')
SHOWN = 3  # uses that are labelled
MOST_UNKNOWN = 200  # names; where there are more, they are not compared with all others one by one


@dataclass(frozen=True, slots=True)
class DeclaredName:
    """A name where it is declared; `scope` is where it can be used, NOWHERE for everywhere."""

    name: str
    span: Span
    scope: Span


def report_misspelt(found: list[Diagnostic], files: Sequence[sx.File], model: Model) -> list[Diagnostic]:
    """The messages, with one about each misspelt declaration in the place of all that follow from it."""
    dropped = {name for _, name in model.dropped}  # by an overlay: whatever uses them is not about another name
    unknown = {name: errors for name, errors in unknown_names(found).items() if name not in dropped}
    if not unknown or len(unknown) > MOST_UNKNOWN:
        return found
    data = data_files(model)
    read = {file.path: model.sources[file.path] for file in files if file.path in model.sources} | data
    texts = {path: _blanked(source.text) for path, source in read.items()}
    everywhere = Counter(word for text in texts.values() for word in WORD.findall(text))
    declared = [given for file in files for given in _declared_names(file)]
    declared += [given for path in data for given in _records(path, texts[path], model)]
    names = {given.name for given in declared} | model.members.keys()
    for given in declared:
        if everywhere[given.name] > 1 and given.scope == NOWHERE or given.name in unknown:
            continue
        for name, errors in unknown.items():
            uses = [d for d in errors if _is_within(d.span, given.scope) and _may_mean(d, name, given.name)]
            if not uses or not _is_near(given.name, name):
                continue
            counts = everywhere if given.scope == NOWHERE else Counter(WORD.findall(_cut(texts, given.scope)))
            if counts[given.name] != 1:
                continue
            if counts[name] > 1 and name not in names:
                told = _message(given, name, counts[name], uses)
                found = [d for d in found if d not in uses and not (_is_outer(given) and _names(d, given.name, name))]
                found.append(told)
            else:
                label = Label(given.span, f"`{given.name}` is declared here and used nowhere")
                found = [replace(d, labels=(*d.labels, label)) if d in uses else d for d in found]
    return found


def unknown_names(found: Sequence[Diagnostic]) -> dict[str, list[Diagnostic]]:
    """Name -> the messages that it is unknown."""
    unknown: dict[str, list[Diagnostic]] = {}
    for diagnostic in found:
        if match := UNKNOWN.match(diagnostic.message):
            unknown.setdefault(match[1], []).append(diagnostic)
    return unknown


def _may_mean(use: Diagnostic, name: str, given: str) -> bool:
    """True if an unknown name may stand for the one that is given: no other known name is nearer to it."""
    match = SUGGESTED.search(use.help or "")
    return match is None or match[1] == given or distance(match[1], name, 3) >= distance(given, name, 3)


def _is_outer(given: DeclaredName) -> bool:
    return given.scope == NOWHERE


def _names(d: Diagnostic, *names: str) -> bool:
    """True for a message that mentions one of these names, or a copy of a card of that name."""
    return not mentioned(d).isdisjoint(names)


def _message(given: DeclaredName, name: str, times: int, uses: list[Diagnostic]) -> Diagnostic:
    message = (
        f"`{given.name}` is declared here and used nowhere; `{name}` is used {times} times and is declared nowhere"
    )
    labels = tuple(Label(use.span, f"unknown `{name}`") for use in uses[:SHOWN])
    help = f"did you mean `{name}` here?"
    return Diagnostic("RW0219", Severity.ERROR, given.span, message, help, labels, Fix(given.span, name))


def _is_near(a: str, b: str) -> bool:
    """True if one name may be the other misspelt. Names differ if only one has a capital, as types do: `Rank` is no
    `rank`."""
    if a[:1].isupper() != b[:1].isupper():
        return False
    short, long = sorted((a, b), key=len)
    if len(short) == 1:
        return len(long) == 2 and short in long
    limit = 1 if len(short) <= 4 else 2
    return 0 < distance(a, b, limit) <= limit


def _blanked(text: str) -> str:
    """The text with comments and quoted texts replaced by blanks, at the same offsets."""
    return COMMENT_OR_TEXT.sub(lambda match: " " * len(match[0]), text)


def _cut(texts: Mapping[str, str], span: Span) -> str:
    return texts.get(span.file, "")[span.start : span.end]


def _is_within(span: Span, scope: Span) -> bool:
    return scope == NOWHERE or (span.file == scope.file and scope.start <= span.start < scope.end)


def _declared_names(file: sx.File) -> Iterator[DeclaredName]:
    """Every name that a file declares; a local name has its declaration as its scope."""
    for line in file.lines:
        for node in walk(line):
            match node:
                case sx.Decl(name=name, name_span=span) if name and span != NOWHERE:
                    yield DeclaredName(name, span, NOWHERE)
                    yield from (DeclaredName(i.id, i.span, NOWHERE) for i in node.items if isinstance(i, sx.Name))
                case sx.Binder(name=name):
                    yield DeclaredName(name, _start(node, name), line.span)
                case sx.Arg(value=sx.Name(name), type=declared) if declared is not None:
                    yield DeclaredName(name, node.value.span, line.span)


def data_files(model: Model) -> dict[str, Source]:
    """The files that kinds name as their data, by path."""
    named = tuple(f"/{kind.data}" for kind in model.kinds.values() if kind.data)
    return {path: source for path, source in model.sources.items() if f"/{path}".endswith(named)}


def _records(path: str, text: str, model: Model) -> Iterator[DeclaredName]:
    """The ids of the records in a data file: keys that are members of a kind of this file."""
    ids = {id for kind in model.kinds.values() if kind.data and f"/{path}".endswith(f"/{kind.data}") for id in kind.ids}
    for match in KEY.finditer(text):
        if match[1] in ids:
            yield DeclaredName(match[1], Span(path, match.start(1), match.end(1)), NOWHERE)


def _start(node: sx.Node, name: str) -> Span:
    return replace(node.span, end=node.span.start + len(name))
